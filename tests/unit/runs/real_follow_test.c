/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real runs that are still being written. The oracle is the file as a whole: in whatever pieces it
 * comes, through rotation, truncation, a pipe or a port, the rows are those of opening it.
 */
#include "examples/run_log.h"
#include "format/byte_source.h"
#include "runs/real.h"
#include "tests/fuzz/seed_files.h"
#include "tests/samples/tap.h"
#include "tests/samples/trace_maker.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

enum { DUMP = 1 << 18 };

struct followed {
	struct cs_real *real;
	struct cs_query *query;
};

static struct followed followed_new(void)
{
	struct followed run;
	works(cs_real_new(&run.real), "a run");
	works(cs_query_new(&run.query), "a query");
	works(cs_real_add_tables(run.query, run.real), "its tables");
	return run;
}

static void followed_free(struct followed *run)
{
	cs_query_free(run->query);
	cs_real_free(run->real);
}

/* Returns everything that the tables contain, without the names of files. */
static char *followed_dump(const struct followed *run)
{
	static const char *const lists[] = {
		"SELECT kind, zero, lines, frames, cells, levels, sources, events, missing, unread, "
		"seconds, epoch FROM run_files",
		"SELECT time, ms, position, game_thread, queued, events, line, offset FROM run_frames",
		"SELECT time, frame, cell, state, \"from\", \"to\", target, level, line, offset FROM "
		"run_cells",
		"SELECT time, cell, state, queue, load, show, hide, kb, level, line FROM run_levels",
		"SELECT time, source, priority, position, flags, line FROM run_sources",
		"SELECT time, frame, kind, value, text, line FROM run_events"};
	char *dump = calloc(1, DUMP);
	size_t at = 0;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct cs_result *result;
		works(cs_query_select(run->query, lists[i], (struct cs_parameters){0}, &result),
			"a list");
		for (size_t row = 0; row < cs_result_rows(result); row++) {
			for (size_t column = 0; column < cs_result_table(result)->n_columns;
				column++) {
				const struct cs_value value = cs_result_value(result, row, column);
				at += (size_t)snprintf(dump + at, DUMP - at, "%d:%s|%lld|%.9g ",
					(int)value.kind,
					value.kind == CS_KIND_TEXT ? value.text : "",
					value.kind == CS_KIND_INTEGER ? (long long)value.integer
								      : 0,
					value.kind == CS_KIND_NUMBER ? value.number : 0.0);
				at = at < DUMP ? at : DUMP - 1;
			}
			at += (size_t)snprintf(dump + at, DUMP - at, "\n");
			at = at < DUMP ? at : DUMP - 1;
		}
		cs_result_free(result);
	}
	return dump;
}

static long long followed_count(const struct followed *run, const char *sql)
{
	struct cs_result *result;
	works(cs_query_select(run->query, sql, (struct cs_parameters){0}, &result), "%s", sql);
	const long long count = (long long)cs_result_value(result, 0, 0).integer;
	cs_result_free(result);
	return count;
}

/* Returns the same for a file that is opened as a whole. */
static char *opened_dump(const void *bytes, size_t n)
{
	struct followed run = followed_new();
	struct memory_file file = memory_file_new(bytes, n);
	works(cs_real_read(run.real, file.path, NULL), "the whole of it");
	char *dump = followed_dump(&run);
	memory_file_free(&file);
	followed_free(&run);
	return dump;
}

/* ---- pieces ---- */

static const char log_text[] =
	"\xef\xbb\xbfLog file open, 11/23/26 20:15:30\r\n"
	"[2026.11.23-23.59.59:900][998]LogWorld: Bringing World /Game/M.M up for play (max tick rate "
	"0) at 2026.11.23-23.59.59\r\n"
	"[2026.11.24-00.00.00:400][  3]LogLevelStreaming: Verbose: Level "
	"/Game/M/_Generated_/UEDPIE_0_M_MainGrid_L0_X1_Y2_LevelInstance_4:-1 CurrentState Unloaded -> "
	"Loading (TargetState=LoadedVisible)\r\n"
	"[2026.11.24-00.00.00:900][ 33]LogLevelStreaming: Verbose: Level "
	"/Game/M/_Generated_/M_MainGrid_L0_X1_Y2:-1 CurrentState MakingVisible "
	"-> LoadedVisible (TargetState=LoadedVisible)\r\n"
	"[2026.11.24-00.00.01:000][ 39]LogStreaming: Display: FlushAsyncLoading(896,895): 43 "
	"QueuedPackages, 0 AsyncPackages\r\nLevels:\n->  /Game/M\n    /Game/A -  1.3 sec\t\tred\n\n"
	"  - P: Priority: 128 | Local | Pos: X=735,Y=-1109,Z=235 | Vel: 2.50 m/s (6 mph)";

static const char tsv_text[] = "Package Name On Disk\tTime Loading (s)\tTimeAddingToWorld\n"
			       "/Game/M/_Generated_/A\t0.125\t1.5\n/Game/M/_Generated_/B\t\t2";

static const char jsonl_text[] =
	"{\"schema\":\"cellscope.run/1\"}\n{\"t\":0.5,\"frame\":30,\"ms\":16.5,\"pos\":[1,2,3]}\n"
	"{\"t\":0.6,\"cell\":\"A\",\"state\":\"Loading\"}\n\n{\"t\":0.8,\"event\":\"flush\","
	"\"value\":2}\n{\"t\":0.9,\"cel";

static const char profile_text[] =
	"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ,GameThreadTime\n"
	"GC##0.5,16.6,1,2,3,9.25\n,17.1,4,5,6,8\n,33,7,8,9,31\n"
	"[platform],x,[starttimestamp],1700000000,[commandline],\"game -x\"\n";

/*
 * A profile in which the column of the queue came late: the last list of names counts for all rows.
 */
static const char late_text[] =
	"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\n,16.6,1,2,3\n,17.1,4,5,6,12\n"
	"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ,FileIO/QueuedPackagesQueueDepth\n"
	"[HasHeaderRowAtEnd],1,[platform],x,[starttimestamp],1700000000\n";

#define CAPTURE       "EVENTS,FrameTime,GameThreadTime\n,10,1\n,20,2\n"
#define CAPTURE_END   "[platform],x,[starttimestamp],1700000000\n"
#define OTHER_CAPTURE "EVENTS,GameThreadTime,FrameTime\n,3,30\n"

/* Files with two captures: the first is whole or cut, the second has the same columns or not. */
static const char *const captures[] = {CAPTURE CAPTURE_END CAPTURE CAPTURE_END,
	CAPTURE CAPTURE_END OTHER_CAPTURE CAPTURE_END, CAPTURE CAPTURE CAPTURE_END,
	CAPTURE OTHER_CAPTURE CAPTURE_END, CAPTURE "\xef\xbb\xbf" CAPTURE CAPTURE_END};

static char *pieces_dump(const char *bytes, size_t n, size_t size)
{
	struct followed run = followed_new();
	struct cs_real_reader reader;
	struct cs_error *error = cs_real_reader_begin(run.real, "pieces", NULL, &reader);
	for (size_t at = 0; !error && at < n; at += size)
		error = cs_real_feed(&reader, bytes + at, at + size < n ? size : n - at, false);
	if (!error)
		error = cs_real_feed(&reader, "", 0, true);
	works(error, "pieces of %zu bytes", size);
	cs_real_reader_tell(&reader);
	cs_real_reader_free(&reader);
	char *dump = followed_dump(&run);
	followed_free(&run);
	return dump;
}

static void test_pieces(const char *what, const void *bytes, size_t n)
{
	static const size_t sizes[] = {1, 2, 3, 7, 64, 300, 4000};
	char *whole = opened_dump(bytes, n);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *dump = pieces_dump(bytes, n, sizes[i]);
		ok(strcmp(dump, whole) == 0, "%s in pieces of %zu: the same rows", what, sizes[i]);
		free(dump);
	}
	free(whole);
}

/* ---- what the engine wrote ---- */

/* The expected figures were read from the files with grep. */
static void test_memreports(void)
{
	static const struct {
		const char *name;
		double seconds, megabytes;
		long long sources;
	} files[] = {{"ue427", 106.4, 1120.75, 0}, {"ue503", 325.48, 1774.76, 0},
		{"ue511", 863.12, 2177.61, 2}, {"ue532", 206.4, 2264.22, 2},
		{"ue544", 1486.75, 0, 1}, {"ue561", 750.85, 4700.12, 1}};
	const char *data = shared_data();
	for (size_t i = 0; data && i < sizeof(files) / sizeof(files[0]); i++) {
		struct followed run = followed_new();
		char name[512];
		unsigned char *bytes;
		size_t n;
		snprintf(name, sizeof(name), "%s/runs/memreport/%s.memreport", data, files[i].name);
		works(cs_real_read(run.real, name, NULL), "%s", files[i].name);
		ok(fabs(run.real->files.at[0].seconds - files[i].seconds) < 1e-9 &&
				(long long)run.real->sources.n == files[i].sources,
			"its time and its sources");
		ok(files[i].megabytes == 0 ||
				fabs(run.real->events.at[0].value - files[i].megabytes) < 1e-9,
			"its memory");
		works(cs_read_whole(name, 1 << 24, &bytes, &n), "its bytes");
		char *whole = followed_dump(&run),
		     *pieces = pieces_dump((const char *)bytes, n, 999);
		ok(strcmp(whole, pieces) == 0, "%s in pieces has the same rows", files[i].name);
		free(whole);
		free(pieces);
		free(bytes);
		followed_free(&run);
	}
	if (!data)
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
}

/* ---- a writer ---- */

static char folder[64], path[96], other[96];

static void write_to(const char *bytes, size_t n, int flags)
{
	const int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);
	ok(fd >= 0 && write(fd, bytes, n) == (ssize_t)n, "%zu bytes are written", n);
	close(fd);
}

/*
 * Follows until nothing has come three times: a file that replaced another is seen at the second
 * look.
 */
static void follow_all(struct cs_follow *follow)
{
	struct cs_follow_news news;
	for (int idle = 0; idle < 3; idle += news.bytes == 0)
		works(cs_follow_run(follow, &(struct cs_follow_request){.seconds = 0}, NULL, &news),
			"what is there is read");
}

/* The file grows, stops within a line, is renamed, begun anew, cut and overwritten. */
static void test_file(void)
{
	struct followed run = followed_new(), oracle = followed_new();
	struct memory_file text = memory_file_new(log_text, sizeof(log_text) - 1);
	struct memory_file cut = memory_file_new(log_text, 500);
	struct memory_file lines = memory_file_new(jsonl_text, sizeof(jsonl_text) - 1);
	struct cs_follow *follow;
	write_to(log_text, 211, O_TRUNC);
	works(cs_follow_open(run.real, path, 0, &follow), "a file is followed");
	follow_all(follow);
	ok(followed_count(&run, "SELECT count(*) FROM run_events") == 1, "its first line is there");
	write_to(log_text + 211, 289, O_APPEND);
	follow_all(follow);
	ok(followed_count(&run, "SELECT count(*) FROM run_cells") == 1, "and what was added");
	ok(rename(path, other) == 0, "it is renamed");
	write_to(jsonl_text, sizeof(jsonl_text) - 1, O_TRUNC);
	follow_all(follow);
	write_to(log_text, 500, O_TRUNC);
	follow_all(follow);
	write_to(jsonl_text, 30, O_TRUNC);
	follow_all(follow);
	write_to(jsonl_text + 30, sizeof(jsonl_text) - 31, O_APPEND);
	follow_all(follow);
	cs_follow_close(follow);
	works(cs_real_read(oracle.real, cut.path, NULL), "the renamed one");
	works(cs_real_read(oracle.real, lines.path, NULL), "that in its place");
	works(cs_real_read(oracle.real, cut.path, NULL), "what was written over it");
	works(cs_real_read(oracle.real, lines.path, NULL), "and what cut it");
	char *left = followed_dump(&run), *right = followed_dump(&oracle);
	ok(strcmp(left, right) == 0, "the rows are those of the four files");
	free(left);
	free(right);
	memory_file_free(&text);
	memory_file_free(&cut);
	memory_file_free(&lines);
	followed_free(&run);
	followed_free(&oracle);
}

/* Interrupts at every look. */
static bool follow_interrupt(void *context)
{
	(void)context;
	return true;
}

static const struct cs_job interrupted = {.interrupted = follow_interrupt};

/* The list of names at the end of a profile also names the columns of the rows before it. */
static void test_profile_ends(void)
{
	struct followed run = followed_new();
	struct cs_follow *follow;
	write_to(late_text, 80, O_TRUNC);
	works(cs_follow_open(run.real, path, 0, &follow), "a profile is followed");
	follow_all(follow);
	ok(followed_count(&run, "SELECT count(*) FROM run_frames") == 2, "its frames are there");
	const size_t names = (size_t)(strstr(late_text, "[Has") - late_text);
	write_to(late_text + 80, names - 80, O_APPEND);
	follow_all(follow);
	write_to(late_text + names, sizeof(late_text) - 1 - names, O_APPEND);
	follow_all(follow);
	cs_follow_close(follow);
	char *left = followed_dump(&run), *right = opened_dump(late_text, sizeof(late_text) - 1);
	ok(strcmp(left, right) == 0, "late columns are those of the whole file");
	free(left);
	free(right);
	followed_free(&run);
}

/*
 * The second reading is like the first one: rows that stay bound it, and it goes piece by piece, so
 * that it can be interrupted.
 */
static void test_profile_bounded(void)
{
	enum { FRAMES = 60000, KEEP = 1000 };
	struct followed run = followed_new();
	struct cs_follow *follow;
	struct cs_follow_news news;
	FILE *file = fopen(path, "w");
	size_t most = 0;
	int pieces = 0;
	fprintf(file, "EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\n");
	for (int i = 0; i < FRAMES; i++)
		fprintf(file, ",16.5,%d,2,3,%d\n", i, i % 7);
	fprintf(file, "%s", strstr(late_text + 6, "EVENTS"));
	ok(fclose(file) == 0, "a profile of %d frames, with columns that came late", FRAMES);
	works(cs_follow_open(run.real, path, KEEP, &follow), "followed with bounds");
	for (int idle = 0; idle < 3; idle += news.bytes == 0) {
		works(cs_follow_run(follow, &(struct cs_follow_request){.is_spell = true},
			      &interrupted, &news),
			"a piece is read");
		most = run.real->frames.n > most ? run.real->frames.n : most;
		pieces += news.bytes > 0;
	}
	ok(most < 20000, "at most %zu frames of %d were there at once", most, FRAMES);
	ok(pieces > 8, "and it could be interrupted %d times", pieces);
	ok(followed_count(&run, "SELECT forgotten + (SELECT count(*) FROM run_frames) FROM "
				"run_files") == FRAMES,
		"each frame was read by the last names once");
	ok(followed_count(&run, "SELECT CAST(sum(queued) AS INTEGER) FROM (SELECT queued FROM "
				"run_frames ORDER BY time DESC LIMIT 7)") == 21,
		"their late column is there");
	cs_follow_close(follow);
	followed_free(&run);
}

/* ---- ends ---- */

/*
 * The file is renamed when half of its first line is written: the new file at its path is read, and
 * the old file's row counts the bytes that were not read.
 */
static void test_cut_first_line(void)
{
	static const char *const cuts[] = {"EVENTS,FrameTime,Vie", "{\"sche", "2CRT", "Log fi"};
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		struct followed run = followed_new();
		struct cs_follow *follow;
		write_to(cuts[i], strlen(cuts[i]), O_TRUNC);
		works(cs_follow_open(run.real, path, 0, &follow), "'%s' is followed", cuts[i]);
		follow_all(follow);
		ok(rename(path, other) == 0, "it is renamed");
		write_to(profile_text, sizeof(profile_text) - 1, O_TRUNC);
		follow_all(follow);
		ok(followed_count(&run, "SELECT count(*) FROM run_files") == 2 &&
				followed_count(&run, "SELECT count(*) FROM run_frames") == 3,
			"that in its place is read");
		ok(followed_count(&run, "SELECT unread FROM run_files") ==
				(long long)strlen(cuts[i]),
			"and the bytes of the cut one are told");
		cs_follow_close(follow);
		followed_free(&run);
	}
}

/* A line that is cut at the end counts as bytes, not as a line, whether it may continue or not. */
static void test_cut_last_line(const char *what, const char *bytes, size_t n)
{
	static const char counts[] = "SELECT lines * 1000000 + unread * 1000 + frames + cells + "
				     "levels + sources + events FROM run_files";
	struct followed run = followed_new(), opened = followed_new();
	struct memory_file file = memory_file_new(bytes, n);
	struct cs_follow *follow;
	write_to(bytes, n, O_TRUNC);
	works(cs_real_read(opened.real, file.path, NULL), "%s is opened", what);
	works(cs_follow_open(run.real, path, 0, &follow), "and followed");
	follow_all(follow);
	const long long left = followed_count(&run, counts),
			right = followed_count(&opened, counts);
	ok(left == right && left % 1000000 >= 1000, "both say %lld and %lld", left, right);
	cs_follow_close(follow);
	memory_file_free(&file);
	followed_free(&run);
	followed_free(&opened);
}

/* A packed profile that is cut has the frames to which its bytes unpack, as an unpacked one has. */
static void test_cut_gzip(void)
{
	enum { FRAMES = 20000 };
	unsigned char bytes[4096];
	struct followed whole = followed_new(), cut = followed_new();
	gzFile file = gzopen(path, "wb");
	gzputs(file, "EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\n");
	for (int i = 0; i < FRAMES; i++)
		gzprintf(file, ",16.%d,%d,2,3\n", i % 7, i);
	gzputs(file, "[platform],Windows,[commandline],\"x\"\n");
	gzclose(file);
	works(cs_real_read(whole.real, path, NULL), "a packed profile");
	is_int(followed_count(&whole, "SELECT frames FROM run_files"), FRAMES, "all frames");
	FILE *packed = fopen(path, "rb");
	const size_t n = packed ? fread(bytes, 1, sizeof(bytes), packed) : 0;
	if (packed)
		fclose(packed);
	write_to((const char *)bytes, n, O_TRUNC);
	works(cs_real_read(cut.real, path, NULL), "one that is cut");
	const long long frames = followed_count(&cut, "SELECT frames FROM run_files");
	ok(frames > 100 && frames < FRAMES, "%lld frames of it", frames);
	is_int(followed_count(&cut, "SELECT note LIKE '%was cut%' FROM run_files"), 1, "a note");
	write_to((const char *)bytes, 12, O_TRUNC);
	fails(cs_real_read(cut.real, path, NULL), CS_E_TRUNCATED, "one without any byte");
	followed_free(&whole);
	followed_free(&cut);
}

/* A last row whose line end comes later, as through a pipe, is no row of another capture. */
static void test_late_line_end(void)
{
	struct followed run = followed_new();
	struct cs_real_reader reader;
	const size_t n = sizeof(late_text) - 2;
	works(cs_real_reader_begin(run.real, "pipe", NULL, &reader), "a pipe");
	works(cs_real_feed(&reader, late_text, n, false), "a profile without its last line end");
	works(cs_real_feed(&reader, late_text + n, 1, false), "the line end");
	works(cs_real_feed(&reader, "", 0, true), "the end");
	cs_real_reader_tell(&reader);
	cs_real_reader_free(&reader);
	is_int(followed_count(&run,
		       "SELECT note = 'columns that came late are left out' AND unread = 0 "
		       "FROM run_files"),
		1, "nothing is taken for another capture");
	followed_free(&run);
}

/* The frames of a file are those of its first capture; a note tells of the others. */
static void test_captures(void)
{
	for (size_t i = 0; i < sizeof(captures) / sizeof(captures[0]); i++) {
		struct followed run = followed_new();
		write_to(captures[i], strlen(captures[i]), O_TRUNC);
		works(cs_real_read(run.real, path, NULL), "captures %zu", i);
		is_int(followed_count(&run,
			       "SELECT count(*) = 2 AND sum(ms) = 30 AND sum(game_thread) = 3 "
			       "FROM run_frames"),
			1, "the frames of the first");
		/* the line of the second names, behind the last row if there is one */
		is_int(followed_count(&run,
			       i < 2 ? "SELECT note LIKE 'another capture begins at line 5 %' "
				       "AND unread > 0 FROM run_files"
				     : "SELECT note LIKE 'another capture begins at line 4 %' "
				       "AND unread > 0 FROM run_files"),
			1, "a note");
		followed_free(&run);
		test_pieces("captures", captures[i], strlen(captures[i]));
	}
}

/* A frame whose event is in brackets looks as the last row does, but another frame follows it. */
static void test_event_in_brackets(void)
{
	static const char text[] = "EVENTS,FrameTime\n,16\n[Wave],16\n,16\n" CAPTURE_END;
	struct followed run = followed_new();
	write_to(text, strlen(text), O_TRUNC);
	works(cs_real_read(run.real, path, NULL), "an event in brackets");
	is_int(followed_count(&run, "SELECT count(*) FROM run_frames"), 2, "the other frames");
	is_int(followed_count(&run, "SELECT note IS NULL OR note = '' FROM run_files"), 1,
		"no note of another capture");
	followed_free(&run);
}

/* A number that is not finite is unknown, and frames with one are counted. */
static void test_not_finite(void)
{
	static const char text[] = "EVENTS,FrameTime,GameThreadTime,View/PosX,View/PosY,View/PosZ\n"
				   ",10,nan,1,2,3\n,-nan(ind),2,1,2,3\n,30,3,1,2,inf\n,40,4,4,5,6\n"
				   "[platform],x\n";
	struct followed run = followed_new();
	write_to(text, sizeof(text) - 1, O_TRUNC);
	works(cs_real_read(run.real, path, NULL), "a profile with numbers that are not finite");
	is_int(followed_count(&run,
		       "SELECT count(*) = 4 AND count(ms) = 3 AND count(game_thread) = 3 "
		       "AND count(position) = 3 AND max(time) = .08 FROM run_frames"),
		1, "its frames stay, and what is no number is unknown");
	is_int(followed_count(
		       &run, "SELECT note = 'frames with a value nan or inf: 3' FROM run_files"),
		1, "a note");
	followed_free(&run);
	test_pieces("numbers that are not finite", text, sizeof(text) - 1);
}

/* Each title line of a .tsv begins a report, which may have other columns. */
static void test_reports(void)
{
	static const char text[] =
		"Package Name\tTime Loading\nA\t1\nTime Loading\tPackage Name\n2\tB\n";
	struct followed run = followed_new();
	write_to(text, sizeof(text) - 1, O_TRUNC);
	works(cs_real_read(run.real, path, NULL), "two reports in one .tsv");
	is_int(followed_count(&run,
		       "SELECT count(*) = 2 AND sum(load) = 3 AND max(level) = 'B' FROM "
		       "run_levels"),
		1, "the rows of both, by their own titles");
	is_int(followed_count(&run, "SELECT note = '2 reports' FROM run_files"), 1, "a note");
	followed_free(&run);
}

/* In the streams of threads, names have 16-bit characters, also where none of them is ASCII. */
static void test_wide_names(void)
{
	unsigned char file[2 * TRACE_MADE], event[TRACE_MADE];
	struct followed run = followed_new();
	size_t n = trace_make(file, 0);
	n += trace_make_packet(
		file + n, 2, event, trace_make_package(event, 12, "\x30\x57\xf3\x56"));
	write_to((const char *)file, n, O_TRUNC);
	works(cs_real_read(run.real, path, NULL), "a trace with a package of two characters");
	is_int(followed_count(&run, "SELECT count(*) FROM run_levels WHERE level = "
				    "'\xe5\x9c\xb0\xe5\x9b\xb3' AND round(load, 3) = .01"),
		1, "its name");
	followed_free(&run);
}

/* A width or a precision that is an argument is not taken for the value. */
static void test_stars(void)
{
	static const unsigned char arguments[] = "\x05\x44\x44\xc1\x44\x41\x08\0\0\0\x02\0\0\0"
						 "Cell\0\x05\0\0\0\x2a";
	unsigned char file[2 * TRACE_MADE], event[TRACE_MADE];
	struct followed run = followed_new();
	size_t n = trace_make(file, 0);
	n += trace_make_packet(file + n, 0, event, trace_make_bookmark_types(event));
	n += trace_make_packet(file + n, 2, event,
		trace_make_bookmark(event, "%*.*s of %-*d", arguments, sizeof(arguments) - 1));
	write_to((const char *)file, n, O_TRUNC);
	works(cs_real_read(run.real, path, NULL), "a trace with stars in a format");
	is_int(followed_count(&run, "SELECT count(*) FROM run_events WHERE text = 'Cell of 42'"), 1,
		"the values");
	followed_free(&run);
}

/* Lines that a game writes with examples/run_log.h, in a locale with a comma if there is one. */
static void test_run_log(void)
{
	struct followed run = followed_new();
	struct run_log log;
	const char *comma = setlocale(LC_NUMERIC, "de_DE.UTF-8");
	ok(run_log_open(&log, path) == 0, "a run log, with numbers of %s", comma ? comma : "C");
	run_log_frame(&log, 0.5, 30, 16.6, -1.5, 2, 3);
	run_log_frame(&log, 1, 31, (double)INFINITY, (double)NAN, 2, 3);
	run_log_cell(&log, 1.25, "/Game/M/_Generated_/A \"b\"\\", "Unloaded", "Loading");
	run_log_level(&log, 2, "/Game/A", 0.125, (double)NAN);
	run_log_source(&log, 2, "Player0", 128, 1, -0.0000004, 3);
	run_log_event(&log, 2.0000005, "flush", "x\ty", -1e15);
	run_log_close(&log);
	setlocale(LC_NUMERIC, "C");
	works(cs_real_read(run.real, path, NULL), "is read");
	is_int(followed_count(&run,
		       "SELECT count(*) = 2 AND sum(ms) = 16.6 AND count(position) = 1 "
		       "AND max(position) = '[-1.5,2,3]' FROM run_frames"),
		1, "frames, and what is not finite in them is unknown");
	is_int(followed_count(&run,
		       "SELECT (SELECT cell = 'A \"b\"\\' AND time = 1.25 FROM "
		       "run_cells) + (SELECT load = .125 AND show IS NULL FROM run_levels) "
		       "+ (SELECT position = '[1,0,3]' FROM run_sources) + (SELECT value = "
		       "-1e15 AND time = 2.000001 AND text = 'x y' FROM run_events)"),
		4, "and the other lines");
	followed_free(&run);
}

/* ---- memory ---- */

/* Of an endless run the last rows stay, with the texts that they have. */
static void test_bounded(void)
{
	enum { ROWS = 40000, KEEP = 1000 };
	struct followed run = followed_new();
	struct cs_follow *follow;
	FILE *file = fopen(path, "w");
	for (int i = 0; file && i < ROWS; i++)
		fprintf(file,
			"[2026.11.23-20.%02d.%02d:000][%3d]LogLevelStreaming: Verbose: Level "
			"/Game/Cell_%d:-1 CurrentState Unloaded -> Loading (TargetState=X)\n",
			i / 60 % 60, i % 60, i % 1000, i);
	ok(file && fclose(file) == 0, "%d lines", ROWS);
	works(cs_follow_open(run.real, path, KEEP, &follow), "followed with bounds");
	follow_all(follow);
	const size_t rows = run.real->cells.n, bytes = run.real->texts.size;
	ok(rows >= KEEP && rows < 4 * KEEP, "%zu rows of %d stay", rows, ROWS);
	ok(bytes < 400000, "and %zu bytes of texts", bytes);
	ok(followed_count(&run, "SELECT forgotten + (SELECT count(*) FROM run_cells) FROM "
				"run_files") == ROWS,
		"it tells how many went");
	ok(followed_count(&run,
		   "SELECT count(*) FROM run_cells WHERE cell = 'Cell_39999' AND line = "
		   "40000") == 1,
		"the last one is whole");
	cs_follow_close(follow);
	followed_free(&run);
}

/* ---- ports ---- */

/* Returns a port that nobody has at this moment. */
static int free_port(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof(at);
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	int port = 0;
	if (bind(fd, (struct sockaddr *)&at, n) == 0 &&
		getsockname(fd, (struct sockaddr *)&at, &n) == 0)
		port = ntohs(at.sin_port);
	close(fd);
	return port;
}

static int connect_to(int port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((uint16_t)port)};
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	ok(connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0, "a game connects");
	return fd;
}

static void send_to(int port, const char *bytes, size_t n)
{
	const int fd = connect_to(port);
	ok(send(fd, bytes, n, 0) == (ssize_t)n, "and sends");
	close(fd);
}

static void test_port(void)
{
	struct followed run = followed_new(), oracle = followed_new();
	struct cs_follow *follow;
	struct cs_follow_news news;
	unsigned char trace[TRACE_MADE];
	const size_t n = trace_make(trace, 0);
	struct memory_file lines = memory_file_new(jsonl_text, sizeof(jsonl_text) - 1);
	struct memory_file made = memory_file_new(trace, n);
	const int port = free_port();
	char what[32];
	snprintf(what, sizeof(what), ":%d", port);
	works(cs_follow_open(run.real, what, 0, &follow), "a port is followed");
	send_to(port, (const char *)trace, n);
	send_to(port, jsonl_text, sizeof(jsonl_text) - 1);
	for (int i = 0; i < 200 && run.real->files.n < 2; i++)
		works(cs_follow_run(
			      follow, &(struct cs_follow_request){.seconds = .02}, NULL, &news),
			"a little while");
	works(cs_follow_run(follow, &(struct cs_follow_request){.seconds = .1}, NULL, &news),
		"what is left");
	cs_follow_close(follow);
	works(cs_real_read(oracle.real, made.path, NULL), "the first as a file");
	works(cs_real_read(oracle.real, lines.path, NULL), "the second");
	char *left = followed_dump(&run), *right = followed_dump(&oracle);
	ok(strcmp(left, right) == 0, "each connection is a file of its own");
	free(left);
	free(right);
	struct cs_error *error = cs_follow_open(run.real, ":99999", 0, &follow);
	ok(error->code == CS_E_USAGE, "a port that is none is refused");
	cs_error_free(error);
	memory_file_free(&lines);
	memory_file_free(&made);
	followed_free(&run);
	followed_free(&oracle);
}

/*
 * A game pauses within a packet, disconnects and connects again; in between something connects that
 * sends no trace.
 */
static void test_port_pauses(void)
{
	struct followed run = followed_new();
	struct cs_follow *follow;
	struct cs_follow_news news;
	unsigned char trace[TRACE_MADE];
	const size_t n = trace_make(trace, 1);
	const int port = free_port();
	char what[32];
	snprintf(what, sizeof(what), ":%d", port);
	works(cs_follow_open(run.real, what, 0, &follow), "a port is followed");
	for (int i = 0; i < 3; i++) {
		static const char *const none[] = {
			"TRC2 the other way round", "\x1f\x8b\x08", "2CRT\x04"};
		const int fd = connect_to(port);
		for (size_t at = 0; at < n; at += n / 5 + 1) {
			const size_t part = n - at < n / 5 + 1 ? n - at : n / 5 + 1;
			ok(send(fd, trace + at, part, 0) == (ssize_t)part, "a part is sent");
			works(cs_follow_run(follow, &(struct cs_follow_request){.seconds = .03},
				      NULL, &news),
				"a pause");
		}
		close(fd);
		send_to(port, none[i], strlen(none[i]));
	}
	for (int i = 0; i < 100 && run.real->files.n < 6; i++)
		works(cs_follow_run(
			      follow, &(struct cs_follow_request){.seconds = .02}, NULL, &news),
			"a little while");
	works(cs_follow_run(follow, &(struct cs_follow_request){.seconds = .05}, NULL, &news),
		"what is left");
	ok(followed_count(&run,
		   "SELECT count(*) FROM run_files WHERE kind = 'trace' AND frames = 2 "
		   "AND cells = 1 AND levels = 1 AND unread = 0") == 3,
		"each of its three connections is a trace with all of its rows");
	ok(followed_count(&run, "SELECT count(*) FROM run_files WHERE frames = 0 AND note <> ''") ==
			3,
		"what was no trace says why, and ends nothing");
	cs_follow_close(follow);
	followed_free(&run);
}

int main(void)
{
	unsigned char bytes[TRACE_MADE];
	const char *temporary = getenv("TMPDIR");
	snprintf(folder, sizeof(folder), "%.40s/follow.XXXXXX", temporary ? temporary : "/tmp");
	ok(mkdtemp(folder) != NULL, "a folder");
	snprintf(path, sizeof(path), "%s/run", folder);
	snprintf(other, sizeof(other), "%s/run.1", folder);
	test_pieces("a log", log_text, sizeof(log_text) - 1);
	test_pieces("a .tsv", tsv_text, sizeof(tsv_text) - 1);
	test_pieces("lines of JSON", jsonl_text, sizeof(jsonl_text) - 1);
	test_pieces("a profile", profile_text, sizeof(profile_text) - 1);
	test_pieces("a trace", bytes, trace_make(bytes, 0));
	test_pieces("a packed trace", bytes, trace_make(bytes, 1));
	test_memreports();
	test_file();
	test_profile_ends();
	test_profile_bounded();
	test_cut_first_line();
	test_cut_last_line("a log", log_text, 700);
	test_cut_last_line("a .tsv", tsv_text, sizeof(tsv_text) - 1);
	test_cut_last_line("lines of JSON", jsonl_text, sizeof(jsonl_text) - 1);
	test_cut_last_line("a profile", profile_text, 90);
	test_cut_gzip();
	test_late_line_end();
	test_captures();
	test_event_in_brackets();
	test_not_finite();
	test_reports();
	test_wide_names();
	test_stars();
	test_run_log();
	test_bounded();
	test_port();
	test_port_pauses();
	unlink(path);
	unlink(other);
	rmdir(folder);
	return done();
}
