/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of real runs: each form by its content, rows by hand, a trace that the test made; texts
 * that are cut at every byte, and nothing left of a file that is refused.
 */
#include "core/writer.h"
#include "runs/real.h"
#include "runs/real_walk.h"
#include "tests/fuzz/seed_files.h"
#include "tests/samples/tap.h"
#include "tests/samples/trace_maker.h"

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include <jansson.h>

#include <string.h>

struct open_run {
	struct cs_real *real;
	struct cs_query *query;
};

static struct open_run open_run_new(void)
{
	struct open_run run;
	works(cs_real_new(&run.real), "a run");
	works(cs_query_new(&run.query), "a query");
	works(cs_real_add_tables(run.query, run.real), "its tables");
	return run;
}

static void open_run_free(struct open_run *run)
{
	cs_query_free(run->query);
	cs_real_free(run->real);
}

static struct cs_error *open_bytes(struct open_run *run, const void *bytes, size_t n)
{
	struct memory_file file = memory_file_new(bytes, n);
	struct cs_error *error = cs_real_read(run->real, file.path, NULL);
	memory_file_free(&file);
	return error;
}

/* Adds the answer of an expression, as text. */
static void put_answer(void *context, const char *bytes, size_t n)
{
	strncat(context, bytes, n < 255 - strlen(context) ? n : 255 - strlen(context));
}

static void answers(struct open_run *run, const char *expression, const char *expected)
{
	static const struct cs_parameters none;
	struct cs_result *result;
	char text[256] = "";
	struct cs_error *error = cs_query_evaluate(run->query, expression, NULL, none, &result);
	if (!error) {
		struct cs_value value = cs_result_value(result, 0, 0);
		cs_value_put(&value, CS_FORM_ASCII, put_answer, text);
		cs_result_free(result);
	}
	ok(!error && strcmp(text, expected) == 0, "%s is %s, not %s", expression, expected, text);
	cs_error_free(error);
}

static const char log_text[] =
	"\xef\xbb\xbfLog file open, 11/23/26 20:15:30\r\n"
	"[2026.11.23-23.59.59:900][998]LogWorld: Bringing World /Game/M.M up for play (max tick rate "
	"0) at 2026.11.23-23.59.59\r\n"
	"[2026.11.24-00.00.00:400][  3]LogLevelStreaming: Verbose: Level "
	"/Game/M/_Generated_/UEDPIE_0_M_MainGrid_L0_X1_Y2_LevelInstance_4:-1 CurrentState Unloaded -> "
	"Loading (TargetState=LoadedVisible)\r\n"
	"[2026.11.24-00.00.00:900][ 33]LogLevelStreaming: Verbose: Level "
	"/Game/M/_Generated_/UEDPIE_0_M_MainGrid_L0_X1_Y2_LevelInstance_4:-1 CurrentState MakingVisible "
	"-> LoadedVisible (TargetState=LoadedVisible)\r\n"
	"[2026.11.24-00.00.01:000][ 39]LogStreaming: Display: FlushAsyncLoading(896,895): 43 "
	"QueuedPackages, 0 AsyncPackages\r\n"
	"  - Player_0: Priority: 128 | Local | Activated | Blocking | Pos: X=735,Y=-1109,Z=235 | Rot: "
	"X=0,Y=-19,Z=0 | Vel: 2.50 m/s (6 mph)\r\n";

static void test_log(const char *text, size_t n)
{
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, n), "a log");
	answers(&run, "(SELECT kind FROM run_files)", "log");
	answers(&run, "(SELECT missing FROM run_files)", "frames, levels");
	answers(&run, "(SELECT group_concat(cell, ' ') FROM run_cells)",
		"M_MainGrid_L0_X1_Y2 M_MainGrid_L0_X1_Y2");
	answers(&run, "(SELECT group_concat(state, ' ') FROM run_cells)", "loading visible");
	answers(&run, "(SELECT group_concat(frame, ' ') FROM run_cells)", "1003 1033");
	answers(&run, "(SELECT max(time) FROM run_cells)", "1");
	answers(&run, "(SELECT group_concat(line, ' ') FROM run_cells)", "3 4");
	answers(&run, "(SELECT group_concat(kind, ' ') FROM run_events)", "map flush");
	answers(&run, "(SELECT value FROM run_events WHERE kind = 'flush')", "43");
	answers(&run, "(SELECT position FROM run_sources)", "[735,-1109,235]");
	answers(&run, "(SELECT speed FROM run_sources)", "250");
	open_run_free(&run);
}

/* Docker stores each line that a server prints in an object of JSON. */
static void test_docker(const char *color, const char *plain)
{
	struct cs_writer log = {0};
	for (const char *line = log_text, *end; (end = strchr(line, '\n')); line = end + 1) {
		char full[4096];
		snprintf(full, sizeof(full), "%s%.*s%s\n", color, (int)(end - line), line, plain);
		json_t *object = json_pack("{s:s, s:s}", "log", full, "stream", "stdout");
		char *text = json_dumps(object, JSON_COMPACT);
		cs_writer_bytes(&log, text, strlen(text));
		cs_writer_u8(&log, '\n');
		json_decref(object);
		free(text);
	}
	test_log((const char *)log.bytes, log.size);
	cs_writer_deinit(&log);
}

/* A log of several sessions, and one whose clock goes back, are read on, and it is said. */
static void test_sessions(void)
{
	static const char line[] =
		"[2026.11.23-20.15.30:000][998]LogWorld: Bringing World /Game/M up\n";
	static const char earlier[] =
		"[2026.11.23-20.15.28:900][ 12]LogWorld: Bringing World /Game/M up\n";
	static const char late[] =
		"[2026.11.23-20.15.29:900][997]LogWorld: Bringing World /Game/M up\n";
	char text[4096];
	struct open_run run = open_run_new();
	const int twice = snprintf(text, sizeof(text), "%s%s%s", log_text, line, log_text);
	works(open_bytes(&run, text, (size_t)twice), "two sessions");
	const int back = snprintf(text, sizeof(text), "%s%s", line, earlier);
	works(open_bytes(&run, text, (size_t)back), "a clock that goes back");
	const int usual = snprintf(text, sizeof(text), "%s%s", line, late);
	works(open_bytes(&run, text, (size_t)usual), "a line that is late");
	answers(&run, "(SELECT group_concat(coalesce(note, '-'), '; ') FROM run_files)",
		"2 sessions of the game; the clock goes back: lines are in no order, or of several "
		"sessions; -");
	open_run_free(&run);
}

/* Lines of another thread are a few frames late, also over the thousand. */
static void test_late_lines(void)
{
	static const char text[] =
		"[2026.11.23-20.15.30:000][998]LogStreaming: FlushAsyncLoading(1): 1 QueuedPackages\n"
		"[2026.11.23-20.15.30:020][  0]LogStreaming: FlushAsyncLoading(1): 2 QueuedPackages\n"
		"[2026.11.23-20.15.30:021][999]LogStreaming: FlushAsyncLoading(1): 3 QueuedPackages\n"
		"[2026.11.23-20.15.30:040][  2]LogStreaming: FlushAsyncLoading(1): 4 QueuedPackages\n"
		"[2026.11.23-20.15.30:041][  1]LogStreaming: FlushAsyncLoading(1): 5 QueuedPackages\n"
		"[2026.11.23-20.15.45:000][  0]LogStreaming: FlushAsyncLoading(1): 6 QueuedPackages\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, sizeof(text) - 1), "a log with late lines");
	answers(&run, "(SELECT group_concat(frame, ' ') FROM run_events)",
		"998 1000 999 1002 1001 2000");
	open_run_free(&run);
}

static const char report_text[] =
	"CommandLine Options: -AUTH_PASSWORD=secret\r\nTime Since Boot: 106.40 Seconds\r\n"
	"Process Physical Memory: 1120.75 MB used, 1216.52 MB peak\r\nLevels:\r\n"
	"->  /Game/Maps/UEDPIE_0_Map\r\n"
	"    /Game/Maps/_Generated_/Map_A -  1.3 sec\t\tred loaded and visible\r\n"
	"    /Game/Maps/_Generated_/Map_B\t\torange, in process of being made visible\r\n\r\n"
	"    Level /Game/Maps/Map.Map:PersistentLevel       3.12       3.14\r\n";

static void test_memreport(void)
{
	struct open_run run = open_run_new();
	works(open_bytes(&run, report_text, sizeof(report_text) - 1), "a memreport");
	answers(&run, "(SELECT kind || ' ' || seconds FROM run_files)", "memreport 106.4");
	answers(&run, "(SELECT group_concat(cell, ' ') FROM run_levels)", "Map Map_A Map_B Map");
	answers(&run, "(SELECT load FROM run_levels WHERE cell = 'Map_A')", "1.3");
	answers(&run, "(SELECT state FROM run_levels WHERE cell = 'Map_B')",
		"orange, in process of being made visible");
	answers(&run, "(SELECT kb FROM run_levels WHERE line = 9)", "3.12");
	answers(&run, "(SELECT value FROM run_events WHERE kind = 'memory_mb')", "1120.75");
	open_run_free(&run);
	/* a terminal's colours may end behind the \r of a line */
	static const char coloured[] =
		"Time Since Boot: 106.40 Seconds\r\nLevels:\r\n->  /Game/Maps/Map\r\n"
		"\33[32m    /Game/Maps/_Generated_/Map_A -  1.3 sec\t\tred loaded and visible\r\33[0m\n"
		"\33[32m    /Game/Maps/_Generated_/Map_B\t\tgreen\r\33[0m\n\r\n";
	run = open_run_new();
	works(open_bytes(&run, coloured, sizeof(coloured) - 1), "a memreport in colours");
	answers(&run, "(SELECT group_concat(cell, ' ') FROM run_levels)", "Map Map_A Map_B");
	answers(&run, "(SELECT quote(state) FROM run_levels WHERE cell = 'Map_B')", "'green'");
	open_run_free(&run);
	static const char commands[] = "MemReport: Begin command \"Mem FromReport\"\r\nx\r\n"
				       "MemReport: End command \"Mem FromReport\"\r\n";
	run = open_run_new();
	works(open_bytes(&run, commands, sizeof(commands) - 1), "a memreport of 5.1");
	works(open_bytes(&run, commands, sizeof(commands) - 10), "and one that is cut");
	answers(&run, "(SELECT count(note) || max(note LIKE '%was cut') FROM run_files)", "11");
	open_run_free(&run);
}

/*
 * Reads lists of objects in the form of memreports of 5.3, and two real ones, whose expected
 * figures were read with grep.
 */
static void test_objects(void)
{
	static const char text[] =
		"Time Since Boot: 1.00 Seconds\nObj List: -resourcesizesort\nObjects:\n\n"
		"      Class    Count      NumKB      MaxKB   ResExcKB  ResExcDedSysKB\n"
		"  Texture2D      149     231.69     236.34   57556.00            0.00\n"
		" StaticMesh       42     168.85     173.25    4064.62          294.29\n\n"
		"37867 Objects (Total: 70.754M / Max: 82.000M)\nObj List: class=StaticMesh -alphasort\n"
		"   Object     NumKB      MaxKB   ResExcKB\n"
		" StaticMesh /Engine/Cone.Cone      8.14       8.23      15.85\n"
		"Name: Nanite.StreamingManager.ClusterPageData - Type: Buffer - Size: 512.5 MB - Flags\n";
	static const struct {
		const char *name, *class, *count, *objects;
	} real[] = {{"ue427", "StaticMesh", "55", "90"}, {"ue532", "Texture2D", "149", "155"}};
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, sizeof(text) - 1), "lists of objects");
	answers(&run, "(SELECT objects FROM run_files)", "3");
	answers(&run,
		"(SELECT count || ' ' || kb || ' ' || resource_kb FROM run_objects WHERE class = "
		"'StaticMesh' AND object IS NULL)",
		"42 168.85 4064.62");
	answers(&run,
		"(SELECT object || ' ' || count || ' ' || resource_kb FROM run_objects WHERE "
		"object NOT NULL)",
		"/Engine/Cone.Cone 1 15.85");
	answers(&run, "(SELECT list FROM run_objects WHERE line = 6)", "-resourcesizesort");
	answers(&run, "(SELECT value FROM run_events WHERE kind = 'nanite_pool_mb')", "512.5");
	open_run_free(&run);
	for (size_t i = 0; shared_data() && i < sizeof(real) / sizeof(real[0]); i++) {
		char name[512], question[200];
		run = open_run_new();
		snprintf(name, sizeof(name), "%s/runs/memreport/%s.memreport", shared_data(),
			real[i].name);
		works(cs_real_read(run.real, name, NULL), "%s", name);
		snprintf(question, sizeof(question),
			"(SELECT max(count) FROM run_objects WHERE class = '%s' AND object IS NULL)",
			real[i].class);
		answers(&run, question, real[i].count);
		answers(&run, "(SELECT count(*) FROM run_objects WHERE object NOT NULL)",
			real[i].objects);
		open_run_free(&run);
	}
}

/* A server that was started again, or two in one file, whatever stands in front of the lines. */
static void test_restarts(void)
{
#define OPENED  "Log file open, 05/12/24 10:00:00\n"
#define STARTED "LogInit: Engine Version: 5.4.4-35576357+++UE5+Release-5.4\n"
#define BASE    "LogInit: Compatible Engine Version: 5.4.0-33043543+++UE5+Release-5.4\n"
#define LINE    "[2024.05.12-10.00.01:000][  1]LogX: A\n"
	static const struct {
		const char *what, *text, *note;
	} rows[] = {
		{"one", OPENED STARTED BASE LINE, "-"},
		{"files", OPENED STARTED BASE LINE OPENED STARTED BASE LINE,
			"2 sessions of the game"},
		{"output", STARTED BASE LINE STARTED BASE LINE STARTED BASE LINE,
			"3 sessions of the game"},
		{"containers",
			"a  | " OPENED "b  | " OPENED "a  | " STARTED "b  | " STARTED "a  | " LINE
			"b  | " LINE,
			"2 sessions of the game"},
	};
#undef OPENED
#undef STARTED
#undef BASE
#undef LINE
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct open_run run = open_run_new();
		works(open_bytes(&run, rows[i].text, strlen(rows[i].text)), "sessions: %s",
			rows[i].what);
		answers(&run, "(SELECT note FROM run_files)", rows[i].note);
		open_run_free(&run);
	}
}

/* A hole of zeros makes a line no row, in each text form: the rest of the line is no other. */
static void test_zeros(void)
{
	static const char profile[] = "EVENTS,FrameTime\n,16\n,1\0"
				      "6\n,16\n[platform],W\n";
	static const char log[] = "Log file open, 05/12/24 10:00:00\n"
				  "[2024.05.12-10.00.01:000][  1]LogWorld: A\0\0\n"
				  "[2024.05.12-10.00.02:000][  2]LogWorld: B\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, profile, sizeof(profile) - 1), "a profile with a zero");
	answers(&run, "(SELECT frames || ' ' || unread FROM run_files)", "2 5");
	open_run_free(&run);
	run = open_run_new();
	works(open_bytes(&run, log, sizeof(log) - 1), "a log with zeros");
	answers(&run, "(SELECT unread > 40 FROM run_files)", "1");
	open_run_free(&run);
}

static void test_tsv(void)
{
	static const char text[] =
		"Extra\tPackage Name On Disk\tTime Loading (s)\tTimeAddingToWorld\n"
		"x\t/Game/M/_Generated_/A\t0.125\t1.5\nx\t/Game/M/_Generated_/B\t\t2\nx\t\t1\t2\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, sizeof(text) - 1), "a .tsv of level streaming");
	answers(&run, "(SELECT unread FROM run_files)", "7");
	answers(&run, "(SELECT group_concat(cell, ' ') FROM run_levels)", "A B");
	answers(&run, "(SELECT load || ' ' || show FROM run_levels WHERE cell = 'A')", "0.125 1.5");
	answers(&run, "(SELECT load IS NULL FROM run_levels WHERE cell = 'B')", "1");
	answers(&run, "(SELECT note IS NULL FROM run_files)", "1");
	open_run_free(&run);
}

/* A time with a decimal comma is left out, which the note says. */
static void test_tsv_comma(void)
{
	static const char text[] = "Level\tTimeLoading\tTimeAddingToWorld\n/Game/A\t0,125\t1.5\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, sizeof(text) - 1), "a .tsv with a decimal comma");
	answers(&run, "(SELECT load IS NULL AND show = 1.5 FROM run_levels)", "1");
	answers(&run, "(SELECT note LIKE 'line 2 has a value%' FROM run_files)", "1");
	open_run_free(&run);
}

/* A gap is filled with frames that are no longer than a frame may be; a longer gap is refused. */
static void test_gap(void)
{
	static const char form[] = "{\"schema\": \"cellscope.run/1\"}\n"
				   "{\"t\": 0.02, \"ms\": 20, \"pos\": [0, 0, 0]}\n"
				   "{\"t\": %d, \"ms\": 20, \"pos\": [1, 0, 0]}\n";
	const int seconds[] = {60000, 70000, 900000};
	for (size_t i = 0; i < 3; i++) {
		char text[256];
		struct open_run run = open_run_new();
		struct cs_real_path path = {.path = NULL};
		const int n = snprintf(text, sizeof(text), form, seconds[i]);
		works(open_bytes(&run, text, (size_t)n), "two frames");
		struct cs_error *error = cs_real_path_new(run.real, &path);
		const struct cs_path_key *keys;
		double longest = 0;
		if (!error)
			for (size_t k = 1; k < cs_path_keys(path.path, &keys); k++)
				longest = fmax(longest, keys[k].time - keys[k - 1].time);
		ok(i == 0 ? !error && longest > 900 && longest <= 1000
			  : error && error->code == CS_E_LIMIT && strstr(error->message, "64000"),
			"a gap of %d s", seconds[i]);
		cs_error_free(error);
		cs_path_free(path.path);
		open_run_free(&run);
	}
}

static void test_jsonl(void)
{
	static const char text[] =
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":0.5,\"frame\":30,\"ms\":16.5,"
		"\"pos\":[1,2,3]}\n{\"t\":0.6,\"cell\":\"A\",\"state\":\"Loading\"}\n"
		"{\"t\":0.7,\"source\":\"P\",\"pos\":[4,5,6],\"priority\":3}\n"
		"{\"t\":0.8,\"event\":\"flush\",\"value\":2}\n{\"t\":0.9,\"cel";
	static const char wrong[] =
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"ms\":5}\n{\"t\":1,\n{}\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, sizeof(text) - 1), "lines of JSON whose end was cut");
	answers(&run, "(SELECT unread FROM run_files)", "13");
	answers(&run, "(SELECT position FROM run_frames)", "[1,2,3]");
	answers(&run, "(SELECT state || ' ' || time FROM run_cells)", "loading 0.6");
	answers(&run, "(SELECT priority FROM run_sources)", "3");
	struct cs_error *error = open_bytes(&run, wrong, sizeof(wrong) - 1);
	ok(error->code == CS_E_JSON && strstr(error->message, "line 3"),
		"a line that is no JSON is named");
	cs_error_free(error);
	answers(&run, "(SELECT count(*) FROM run_files) + (SELECT count(*) FROM run_frames)", "2");
	open_run_free(&run);
}

/* Positions that are no numbers, and times that are impossible, do not get into the tables. */
static void test_numbers(void)
{
	static const char half[] =
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"ms\":5,\"pos\":[1,2,\"a\"]}\n";
	static const char endless[] =
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"ms\":1e300,\"pos\":[1,2,3]}\n";
	static const char negative[] =
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"ms\":-5,\"pos\":[1,2,3]}\n";
	static const char twice[] = "{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"t\":2}\n";
	static const char far[] =
		"{\"schema\":\"cellscope.run/1\"}\n{\"t\":1,\"ms\":5,\"pos\":[1,2,-1e13]}\n";
	static const char profile[] =
		"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\n,16,1,2,3\n[platform],x\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, half, sizeof(half) - 1), "a place with a word in it");
	answers(&run, "(SELECT position IS NULL FROM run_frames)", "1");
	struct cs_error *error = open_bytes(&run, endless, sizeof(endless) - 1);
	ok(error && error->code == CS_E_JSON && strstr(error->message, "line 2"),
		"a frame without end is named");
	cs_error_free(error);
	error = open_bytes(&run, negative, sizeof(negative) - 1);
	ok(error && error->code == CS_E_JSON && strstr(error->message, "line 2"),
		"a frame of less than nothing is named");
	cs_error_free(error);
	error = open_bytes(&run, twice, sizeof(twice) - 1);
	ok(error && error->code == CS_E_JSON && strstr(error->message, "duplicate object key"),
		"a key that is there twice is the reason");
	cs_error_free(error);
	error = open_bytes(&run, far, sizeof(far) - 1);
	ok(error && error->code == CS_E_JSON && strstr(error->message, "line 2"),
		"a place beyond all worlds is named");
	cs_error_free(error);
	works(open_bytes(&run, profile, sizeof(profile) - 1), "a CSV profile");
	answers(&run, "(SELECT offset IS NULL FROM run_frames WHERE ms = 16)", "1");
	answers(&run, "(SELECT lines FROM run_files WHERE kind = 'CSV profile')", "3");
	open_run_free(&run);
}

/* The clock of a log has whole milliseconds, and so have the times of its rows. */
static void test_clock(void)
{
	static const char log[] =
		"[2026.11.23-20.15.30:000][  1]LogLevelStreaming: Verbose: Level /Game/A:-1 "
		"CurrentState Unloaded -> Loading (TargetState=LoadedVisible)\n"
		"[2026.11.23-20.15.31:100][ 44]LogLevelStreaming: Verbose: Level /Game/A:-1 "
		"CurrentState Loading -> LoadedNotVisible (TargetState=LoadedVisible)\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, log, sizeof(log) - 1), "a log");
	answers(&run, "(SELECT time = 1.1 FROM run_cells WHERE state = 'loaded')", "1");
	open_run_free(&run);
}

/* The line of a log in forms that other settings, machines and crashes give it. */
static void test_clocks(void)
{
	static const struct {
		const char *what, *front, *time, *zero;
	} rows[] = {
		{"of the engine", "[2026.11.23-20.15.31:100][ 44]", "0",
			"the first line with a clock"},
		{"behind one of a build machine",
			"[2026-11-23T20:15:31.1Z] [2026.11.23-20.15.31:100][ 44]", "0",
			"the first line with a clock"},
		{"behind what is in brackets", "[x][1][2026.11.23-20.15.31:100][ 44]", "0",
			"the first line with a clock"},
		{"in colours", "\33[36mue-1  |\33[0m [2026.11.23-20.15.31:100][ 44]\33[1;33m", "0",
			"the first line with a clock"},
		{"between letters of an escape sequence", "\33[1m[00\33[0m12.34][ 44]", "12.34",
			"the start of the game"},
		{"in seconds", "[0012.34][ 44]", "12.34", "the start of the game"},
		{"in many seconds", "[123456.78][ 44]", "123456.78", "the start of the game"},
		{"that is none", "[12.34][ 44]", "-", ""},
		{"that is cut", "[2026.11.23-20.15.31:10][ 44]", "-", ""},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[300];
		struct open_run run = open_run_new();
		const int n = snprintf(text, sizeof(text),
			"%sLogStreaming: Level /Game/A:-1 CurrentState Unloaded -> Loading "
			"(TargetState=LoadedVisible)\nTime Since Boot: 99.00 Seconds\n",
			rows[i].front);
		works(open_bytes(&run, text, (size_t)n), "a clock %s", rows[i].what);
		answers(&run, "(SELECT time FROM run_cells)", rows[i].time);
		if (rows[i].zero[0])
			answers(&run, "(SELECT zero FROM run_files WHERE kind = 'log')",
				rows[i].zero);
		open_run_free(&run);
	}
}

/* Clocks that are quoted do not move the time, and those behind the fronts of machines do. */
static void test_quoted_clocks(void)
{
#define SECONDS "[0012.34][ 44]LogLoad: Loaded in 3 s\n"
#define DATE    "[2026.11.23-20.15.31:100][ 44]LogLoad: Loaded in 3 s\n"
#define FRONT   "2026-11-23T20:15:31.1Z "
#define FLUSH   "FlushAsyncLoading(1): 4 QueuedPackages, 0 AsyncPackages\n"
	static const struct {
		const char *what, *text, *time, *frame;
	} rows[] = {
		{"in a message, behind seconds",
			"[0012.34][ 44]LogX: was [2020.01.01-00.00.00:000][  3]LogY: " FLUSH,
			"12.34", "44"},
		{"on the next line, after seconds",
			SECONDS "  was [2020.01.01-00.00.00:000][  3]LogY: " FLUSH, "12.34", "44"},
		{"at the start of the next line, after seconds",
			SECONDS "[2020.01.01-00.00.00:000][  3]LogY: " FLUSH, "12.34", "44"},
		{"of seconds at the start of the next line, after a date",
			DATE "[0012.34][  3]LogY: " FLUSH, "0", "44"},
		{"on the next line", DATE "  was [2020.01.01-00.00.00:000] " FLUSH, "0", "44"},
		{"on the next line, with a frame",
			DATE "  was [2020.01.01-00.00.00:000][  3] " FLUSH, "0", "44"},
		{"in a message without a clock",
			DATE "LogX: was [2020.01.01-00.00.00:000][  3]LogY: " FLUSH, "0", "44"},
		{"in a list", DATE "  A | [2020.01.01-00.00.00:000][  3]LogY: " FLUSH, "0", "44"},
		{"of a build machine",
			FRONT DATE FRONT "[2026.11.23-20.15.32:100][ 46]LogY: " FLUSH, "1", "46"},
		{"of a build machine, without a category",
			FRONT DATE FRONT "[2026.11.23-20.15.32:100][ 46]" FLUSH, "1", "46"},
		{"in a message, behind one of a build machine",
			FRONT DATE FRONT "[2026.11.23-20.15.32:100][ 46]LogX: was "
					 "[2020.01.01-00.00.00:000][  3]LogY: " FLUSH,
			"1", "46"},
	};
#undef SECONDS
#undef DATE
#undef FRONT
#undef FLUSH
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct open_run run = open_run_new();
		works(open_bytes(&run, rows[i].text, strlen(rows[i].text)), "a clock %s",
			rows[i].what);
		answers(&run, "(SELECT time FROM run_events)", rows[i].time);
		answers(&run, "(SELECT frame FROM run_events)", rows[i].frame);
		open_run_free(&run);
	}
}

/* Opens a profile of these lines, and returns the error. */
static struct cs_error *open_profile(struct open_run *run, const char *lines)
{
	*run = open_run_new();
	return open_bytes(run, lines, strlen(lines));
}

/* A profile whose column names have other letters and blanks, which `path load` reads, too. */
static void test_names(void)
{
	static const char text[] = "events , frametime , view/posx , VIEW/POSY , View/PosZ\n"
				   ", 20 , 1 , 2 , 3\n[platform],Linux\n";
	struct open_run run = open_run_new();
	works(open_bytes(&run, text, sizeof(text) - 1), "a profile with blanks between names");
	answers(&run, "(SELECT kind FROM run_files)", "CSV profile");
	answers(&run, "(SELECT position FROM run_frames)", "[1,2,3]");
	open_run_free(&run);
}

/* Column names at the end hold for all rows, whatever their number; rows must agree with them. */
static void test_columns(void)
{
	static const char moved[] = "EVENTS,FrameTime,GameThreadTime\n,20,12\n"
				    "EVENTS,GameThreadTime,FrameTime\n[HasHeaderRowAtEnd],1\n";
	static const char late[] =
		"EVENTS,FrameTime\n,20\n,20,5,6,7\nEVENTS,FrameTime,View/PosX,View/PosY,"
		"View/PosZ\n[HasHeaderRowAtEnd],1\n";
	static const char wide[] = "EVENTS,FrameTime,GameThreadTime\n,20,12\n,12,5,12\n[a],1\n";
	static const char said[] = "EVENTS,FrameTime\n\"a \"\"b\"\", c\",20\n[a],1\n";
	struct open_run run;
	works(open_profile(&run, moved), "a profile whose columns moved");
	answers(&run, "(SELECT ms || ' ' || game_thread FROM run_frames)", "12.0 20.0");
	open_run_free(&run);
	works(open_profile(&run, late), "a profile whose position came late");
	answers(&run, "(SELECT group_concat(coalesce(position, '-'), ' ') FROM run_frames)",
		"- [5,6,7]");
	open_run_free(&run);
	struct cs_error *error = open_profile(&run, wide);
	ok(error && error->code == CS_E_SETTING && strstr(error->message, "line 3"),
		"more values than columns are refused");
	cs_error_free(error);
	answers(&run, "(SELECT count(*) FROM run_frames)", "0");
	open_run_free(&run);
	works(open_profile(&run, said), "a profile with quotes in an event");
	answers(&run, "(SELECT events FROM run_frames)", "a \"b\", c");
	open_run_free(&run);
}

static void test_trace(int packed)
{
	unsigned char bytes[TRACE_MADE];
	size_t n = trace_make(bytes, packed);
	struct open_run run = open_run_new();
	works(open_bytes(&run, bytes, n), "a trace%s", packed ? ", packed" : "");
	answers(&run, "(SELECT kind || ' ' || unread FROM run_files)", "trace 0");
	answers(&run, "(SELECT note FROM run_files)", "never fired: Counters");
	answers(&run, "(SELECT group_concat(round(ms, 6), ' ') FROM run_frames)", "16.0 33.0");
	answers(&run, "(SELECT cell || ' ' || state || ' ' || time FROM run_cells)",
		"A_MainGrid_L0_X1_Y2 loaded 1.01");
	answers(&run, "(SELECT cell || ' ' || load FROM run_levels)", "Cell\\xe4\\xb8\\x80A 0.25");
	answers(&run, "(SELECT CAST(epoch AS INTEGER) FROM run_files)", "1700000000");
	open_run_free(&run);
}

/* ---- traces that never end ---- */

struct grown {
	struct open_run run;
	struct cs_real_reader reader;
	unsigned char bytes[TRACE_MADE], packet[TRACE_MADE];
};

static void grown_begin(struct grown *grown)
{
	grown->run = open_run_new();
	works(cs_real_reader_begin(grown->run.real, "grown", NULL, &grown->reader), "a reader");
	const size_t n = trace_make(grown->bytes, 0);
	works(cs_real_feed(&grown->reader, (const char *)grown->bytes, n, false), "a trace");
}

/* Feeds the bytes to the reader as a packet of a stream. */
static void grown_feed(struct grown *grown, unsigned stream, const unsigned char *bytes, size_t n)
{
	const size_t size = trace_make_packet(grown->packet, stream, bytes, n);
	struct cs_error *error =
		cs_real_feed(&grown->reader, (const char *)grown->packet, size, false);
	if (error)
		works(error, "a packet of stream %u", stream);
}

static void grown_end(struct grown *grown)
{
	cs_real_reader_tell(&grown->reader);
	cs_real_reader_free(&grown->reader);
	open_run_free(&grown->run);
}

/*
 * Arguments of each kind are formatted as C would: integers of each width and sign, floats of both
 * widths, texts.
 */
static void test_trace_arguments(void)
{
	static const unsigned char arguments[] =
		"\x07\x84\x88\x44\x48\x41\xc1\xc2" /* how many, and their types */
		"\0\0\xc0\x3f"                     /* 1.5 */
		"\0\0\0\0\0\0\xd0\xbf"             /* -0.25 */
		"\xfb\xff\xff\xff"                 /* -5 */
		"\x07\0\0\0\0\0\0\0"               /* 7 */
		"\xff"                             /* -1 */
		"Cell\0"
		"\0\x4eT\0o\0\0"; /* a character whose low byte is 0 */
	struct grown grown;
	grown_begin(&grown);
	grown_feed(&grown, 0, grown.bytes, trace_make_bookmark_types(grown.bytes));
	grown_feed(&grown, 2, grown.bytes,
		trace_make_bookmark(grown.bytes, "%.2f %f %d %lld %hhd %s %ls 100%%", arguments,
			sizeof(arguments)));
	cs_real_reader_tell(&grown.reader);
	answers(&grown.run,
		"(SELECT text || ' at ' || time FROM run_events WHERE kind = 'bookmark')",
		"1.500000 -0.250000 -5 7 -1 Cell \\xe4\\xb8\\x80To 100% at 4.0");
	grown_end(&grown);
}

/*
 * The buffer of a thread with unreadable bytes fills up; another thread, in the middle of an event,
 * goes on.
 */
static void test_full_thread(void)
{
	enum { FULL = 70 << 20, PART = 7 };
	struct grown grown;
	unsigned char noise[8000];
	memset(noise, 0xff, sizeof(noise)); /* an event of a type that nobody declares */
	grown_begin(&grown);
	const size_t n = trace_make_frame(grown.bytes);
	grown_feed(&grown, 2, grown.bytes, PART);
	for (size_t at = 0; at < FULL; at += sizeof(noise))
		grown_feed(&grown, 3, noise, sizeof(noise));
	grown_feed(&grown, 2, grown.bytes + PART, n - PART);
	answers(&grown.run, "(SELECT count(*) FROM run_frames)", "3");
	cs_real_reader_tell(&grown.reader);
	answers(&grown.run, "(SELECT unread >= 70 << 20 FROM run_files)", "1");
	grown_end(&grown);
}

/*
 * An endless list of types is kept up to a limit, which is reported; types that were known before
 * are still read.
 */
static void test_endless_types(void)
{
	struct grown grown;
	unsigned char type[TRACE_MADE];
	const size_t n = trace_make_wide_type(type);
	grown_begin(&grown);
	for (int i = 0; i < 2000; i++)
		grown_feed(&grown, 0, type, n);
	grown_feed(&grown, 2, grown.bytes, trace_make_frame(grown.bytes));
	answers(&grown.run,
		"(SELECT note LIKE '%types and names beyond 16 MiB are not read' FROM "
		"run_files)",
		"1");
	answers(&grown.run, "(SELECT count(*) FROM run_frames)", "3");
	grown_end(&grown);
}

/* Packages that have loaded make room for others, however many come in a day. */
static void test_endless_packages(void)
{
	enum { PACKAGES = 10000 };
	struct grown grown;
	char name[2001];
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	grown_begin(&grown);
	for (int i = 0; i < PACKAGES; i++)
		grown_feed(&grown, 2, grown.bytes,
			trace_make_package(grown.bytes, (uint64_t)i + 100, name));
	answers(&grown.run, "(SELECT count(*) FROM run_levels WHERE abs(load - 0.01) < 1e-9)",
		"10000");
	answers(&grown.run, "(SELECT note LIKE '%beyond%' FROM run_files)", "0");
	grown_end(&grown);
}

/*
 * Names fill the room but for one package: packages that load do not make room again and again by a
 * search of all names, and names that are left out are reported.
 */
static void test_endless_names(void)
{
	enum { NAMES = 69870, NAME = 200, EVENT = 2 + 8 + 4 + NAME + 1, PACKAGES = 300 };
	struct grown grown;
	unsigned char event[TRACE_MADE];
	char name[2001] = "";
	memset(name, 'a', sizeof(name) - 1);
	grown_begin(&grown);
	grown_feed(&grown, 0, grown.bytes, trace_make_bookmark_types(grown.bytes));
	name[NAME] = '\0';
	trace_make_bookmark(event, name, event, 0);
	name[NAME] = 'a';
	for (uint64_t i = 0; i < NAMES;) {
		size_t n = 0;
		for (; n + EVENT <= 8000 && i < NAMES; i++, n += EVENT) {
			memcpy(grown.bytes + n, event, EVENT);
			memcpy(grown.bytes + n + 2, &(uint64_t){i + 1000}, 8);
		}
		grown_feed(&grown, 2, grown.bytes, n);
	}
	for (int i = 0; i < PACKAGES; i++)
		grown_feed(&grown, 2, grown.bytes,
			trace_make_package(grown.bytes, (uint64_t)i + 100, name));
	grown_feed(&grown, 2, grown.bytes, trace_make_frame(grown.bytes));
	answers(&grown.run, "(SELECT note LIKE '%beyond 16 MiB%' FROM run_files)", "1");
	answers(&grown.run, "(SELECT count(*) FROM run_frames)", "3");
	grown_end(&grown);
}

/* However much of a file was written, it is read or refused with a named error. */
static void test_cut(const char *what, const void *bytes, size_t n)
{
	struct open_run run = open_run_new();
	size_t unnamed = 0;
	for (size_t i = 0; i < n; i++) {
		struct cs_error *error = open_bytes(&run, bytes, i);
		unnamed += error && !*error->message;
		cs_error_free(error);
	}
	ok(unnamed == 0, "%s is read or refused wherever it is cut", what);
	open_run_free(&run);
}

static void test_other(void)
{
	static const char text[] = "time,x,y,z\n0,1,2,3\n";
	struct open_run run = open_run_new();
	struct cs_error *error = open_bytes(&run, text, sizeof(text) - 1);
	ok(error->code == CS_E_MAGIC, "what no run wrote is refused");
	cs_error_free(error);
	answers(&run, "(SELECT count(*) FROM run_files)", "0");
	open_run_free(&run);
}

int main(void)
{
	unsigned char bytes[TRACE_MADE];
	test_log(log_text, sizeof(log_text) - 1);
	test_docker("", "");
	test_docker("\33[32m", "\33[0m");
	test_late_lines();
	test_sessions();
	test_memreport();
	test_tsv();
	test_restarts();
	test_zeros();
	test_tsv_comma();
	test_jsonl();
	test_gap();
	test_numbers();
	test_columns();
	test_names();
	test_clock();
	test_clocks();
	test_quoted_clocks();
	test_trace(0);
	test_trace(1);
	test_trace_arguments();
	test_full_thread();
	test_endless_types();
	test_endless_packages();
	test_endless_names();
	test_objects();
	test_other();
	test_cut("a log", log_text, sizeof(log_text) - 1);
	test_cut("a memreport", report_text, sizeof(report_text) - 1);
	test_cut("a trace", bytes, trace_make(bytes, 0));
	test_cut("a packed trace", bytes, trace_make(bytes, 1));
	return done();
}
