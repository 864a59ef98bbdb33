/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `path load`, `follow`, `record`, `report`, `info paths`: paths of streaming sources. */
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/compare.h>

#include <inttypes.h>
#include <string.h>

/* ---- command path load ---- */

/* Returns the name of the path in a file, "over" for "fly/over.csv.gz"; freed by the caller. */
static char *name_of_file(const char *file)
{
	const char *base = base_name(file);
	const char *packed = strstr(base, ".csv.gz");
	const char *dot = packed ? packed : strrchr(base, '.');
	return strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static struct cs_error *run_load(struct call *call)
{
	const struct argument *file = call_argument(call, 0), *name = call_argument(call, 1);
	const struct cs_path_key *keys;
	struct cs_path *path;
	struct cs_error *error = cs_path_read(file->text, &path);
	if (error)
		return error;
	char *known_as = name->given ? strdup(name->text) : name_of_file(file->text);
	size_t n = cs_path_keys(path, &keys);
	if (known_as)
		say(call->out, "path %s: %zu key%s, %.3f s%s\n", known_as, n, plural_end(n),
			n ? keys[n - 1].time : 0,
			cs_path_frames(path)         ? ", recorded frame by frame"
			: cs_path_has_velocity(path) ? ", with velocities"
						     : "");
	const size_t unknown = cs_path_view(path).unknown_frames;
	if (unknown > 0)
		say(call->out,
			"%zu frame%s nan or inf as length (left out) or as position (that of the "
			"frame before is used; without one, left out)\n",
			unknown, unknown == 1 ? " has" : "s have");
	return session_keep_path(call->session, path, known_as);
}

const struct command command_path_load = {
	.name = "path load",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_CHANGES,
	.arguments = {{"FILE", ARGUMENT_FILE}, {"NAME", ARGUMENT_WORD, .optional = true}},
	.summary = "load a path along which `path follow` can move a streaming source",
	.examples = "path load fly.csv\npath follow Player0 fly\n"
		    "path load real.csv.gz\npath follow Player0 real",
	.help = "FILE is a path as CSV or JSON, or a CSV profile of Unreal. NAME is the name of\n"
		"the path for `path follow` (default: the name of FILE without extension). A CSV\n"
		"file has the columns time,x,y,z[,pitch,yaw,roll[,vx,vy,vz]] in seconds, cm,\n"
		"degrees and cm/s. A JSON file has the same numbers; rotation and velocity may be\n"
		"missing:\n"
		"  {\"schema\": \"cellscope.path/1\", \"keys\": [{\"time\": 0, \"position\": [X,Y,Z],\n"
		"   \"rotation\": [PITCH,YAW,ROLL], \"velocity\": [VX,VY,VZ]}, ...]}\n"
		"Each row or key is a point of the path; between two points the path is straight.\n"
		"Times count from the moment when a source begins to follow the path, and the\n"
		"source stays at the first point until the time of that point.\n"
		"\n"
		"A CSV profile (Saved/Profiling/CSV; .csv or .csv.gz) is recognised by its\n"
		"content. It contains the positions and directions of the view and the lengths of\n"
		"frames. While a source follows a profile, each frame of the run takes its\n"
		"position and its length from the next row of the profile, and the variable\n"
		"sim.FrameTime has no effect. The measured values are in the columns recorded_*\n"
		"of the table `frames`, which `plot` and SQL can use. `sim fit` sets the load\n"
		"model, the simulated cost of loading, from these values (help sim fit). The\n"
		"command line in the profile is not read.",
	.run = run_load,
};

struct path_row {
	const char *name;
	size_t keys;
	double seconds;
	bool velocity, recorded;
};

static const struct cs_column path_columns[] = {
	SHORT(struct path_row, name, "name of the path"),
	SHORT(struct path_row, keys, "number of keys"),
	SHORT(struct path_row, seconds, "time of the last key of the path, in seconds"),
	SHORT(struct path_row, velocity, "whether the keys have velocities"),
	SHORT(struct path_row, recorded,
		"whether the path gives the times of recorded frames to the run"),
};

static const struct cs_table path_table = PLAIN_TABLE("paths", "path", path_columns);

static struct cs_error *run_info_paths(struct call *call)
{
	const struct session *session = call->session;
	struct path_row *rows = calloc(session->run.paths.n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < session->run.paths.n; i++) {
		const struct cs_path_key *keys;
		const struct named_path *path = &session->run.paths.at[i];
		size_t n = cs_path_keys(path->path, &keys);
		rows[i] = (struct path_row){path->name, n, n ? keys[n - 1].time : 0,
			cs_path_has_velocity(path->path), cs_path_frames(path->path) != NULL};
	}
	return emit_plain_taken(call, &path_table, rows, session->run.paths.n);
}

const struct command command_info_paths = {
	.name = "info paths",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_LISTS,
	.summary = "list the paths that `path load` has read",
	.examples = "path load fly.csv\n"
		    "info paths",
	.help = "A path moves a streaming source (help path follow). The column `seconds` is the\n"
		"time of the last point of the path. The column `recorded` is set for paths that\n"
		"contain the frame times of a game, read from its CSV profile.",
	.run = run_info_paths,
};

static struct cs_error *run_follow(struct call *call)
{
	const char *name = call_argument(call, 1)->text;
	const struct named_path *path = session_path(call->session, name);
	struct cs_error *error = NULL;
	if (!path && strcmp(name, "off") != 0)
		error = session_no_path(name);
	if (error)
		return error;
	const struct cs_stream_source_view view =
		cs_stream_source_at(call->stream, call_argument(call, 0)->row);
	char source[CS_SOURCE_NAME];
	memcpy(source, view.source->name, sizeof(source));
	return cs_stream_source_follow(
		call->stream, source, path ? path->path : NULL, call_option(call, "loop")->given);
}

const struct command command_path_follow = {
	.name = "path follow",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}, {"PATH|off", ARGUMENT_WORD}},
	.options = {{0, "loop", NULL, ARGUMENT_NONE, "begin again at the end of the path"}},
	.summary = "move a source along a path from now on",
	.examples = "path load fly.csv\n"
		    "path follow Player0 fly --loop\n"
		    "path follow Player0 off",
	.help = "PATH is the name of a path that `path load` has read (`info paths` lists the\n"
		"paths); `off` stops following. When the path ends, the source stays at the last\n"
		"point; with --loop the path begins again.",
	.run = run_follow,
};

/* ---- command path record ---- */

static struct cs_error *end_recording(struct call *call, struct cs_stream *stream)
{
	struct path_recording *recording = &call->session->run.recording;
	if (!recording->path)
		return NULL;
	struct cs_error *error = cs_stream_record_path(stream, "", NULL);
	if (!error)
		error = cs_path_write(recording->path, recording->file);
	if (!error)
		note(call->out, "wrote %s\n", recording->file);
	path_recording_drop(recording);
	return error;
}

static struct cs_error *begin_recording(
	struct session *session, struct cs_stream *stream, const char *source, const char *file)
{
	struct path_recording recording = {.file = strdup(file)};
	if (!recording.file)
		return cs_error_nomem();
	struct cs_error *error = cs_path_new(&recording.path);
	if (!error)
		error = cs_stream_record_path(stream, source, recording.path);
	if (error)
		path_recording_drop(&recording);
	else
		session->run.recording = recording;
	return error;
}

static struct cs_error *paths_run_record(struct call *call)
{
	const struct argument *source = call_argument(call, 0), *file = call_argument(call, 1);
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	bool ends = strcmp(source->text, "off") == 0;
	if (!error)
		error = end_recording(call, stream);
	if (error || ends)
		return error;
	if (!file->given)
		return cs_error_new(CS_E_USAGE,
			"path record needs FILE, the file that the path will be written to");
	return begin_recording(call->session, stream, source->text, file->text);
}

const struct command command_path_record = {
	.name = "path record",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WHOLE | COMMAND_UNSAFE,
	.arguments = {{"SOURCE|off", ARGUMENT_WORD}, {"FILE", ARGUMENT_OUTPUT, .optional = true}},
	.summary = "record the position of a source in every frame, and write it as a path",
	.examples = "path record Player0 walked.csv\nstep 600\npath record off",
	.help = "SOURCE is the name of a streaming source (`sources` lists them). The command\n"
		"`path record SOURCE FILE` begins the recording; `path record off`, without FILE,\n"
		"ends it and writes FILE, as JSON when the name of FILE ends in .json, else as\n"
		"CSV. `path load` can read FILE.",
	.run = paths_run_record,
};

/* ---- command path report ---- */

struct report_row {
	struct cs_stream_report sums;
	double stall_ms;
};

#define COUNT(member, ...)     PLAIN_AS(#member, struct report_row, sums.member, __VA_ARGS__),
#define TIME(key, member, ...) PLAIN(struct report_row, key, __VA_ARGS__, .unit = "ms"),

static const struct cs_column report_columns[] = {CS_STREAM_REPORT_SUMS(COUNT, TIME)};

#undef COUNT
#undef TIME

static const struct cs_table report_table =
	PLAIN_TABLE("path_reports", "path_report", report_columns);

/* Prints in how many frames each number of loads began: "loads a frame 0 in 540, 1 in 32". */
static void say_loads(struct output *out, const struct cs_stream_report *report)
{
	const char *gap = "";
	say(out, "loads a frame    ");
	for (int i = 0; i < CS_REPORT_LOADS; i++) {
		if (!report->frames_by_loads[i])
			continue;
		say(out, "%s%d%s in %" PRIu64, gap, i, i == CS_REPORT_LOADS - 1 ? "+" : "",
			report->frames_by_loads[i]);
		gap = ", ";
	}
	say(out, "\n");
}

/* ---- path report --by: memory in the frame of the peak ---- */

struct peak_row {
	const char *cell, *layers, *state, *class, *part, *from;
	double cells, actors, bytes, known, assumed, shared, measured;
};

static const struct cs_column peak_cells[] = {
	SHORT(struct peak_row, cell, "name of the cell"),
	SHORT(struct peak_row, layers, "data layers of the cell"),
	SHORT(struct peak_row, state, "streaming state of the cell"),
	SHORT(struct peak_row, actors, "number of actors in the cell"),
	SHORT(struct peak_row, bytes, "bytes in memory"),
	SHORT(struct peak_row, known, "part of `bytes` that is known from files"),
	SHORT(struct peak_row, assumed, "part of `bytes` that the load model assumes"),
};

static const struct cs_column peak_layers[] = {
	SHORT(struct peak_row, layers, "set of data layers that the counted cells have"),
	SHORT(struct peak_row, cells, "number of cells with exactly these layers"),
	SHORT(struct peak_row, actors, "number of actors in these cells"),
	SHORT(struct peak_row, bytes, "bytes in memory"),
	SHORT(struct peak_row, known, "part of `bytes` that is known from files"),
	SHORT(struct peak_row, assumed, "part of `bytes` that the load model assumes"),
};

static const struct cs_column peak_classes[] = {
	SHORT(struct peak_row, class, "class of the actors"),
	SHORT(struct peak_row, actors, "number of actors in memory"),
	SHORT(struct peak_row, shared,
		"share of the bytes of the cells, divided equally among all actors"),
	SHORT(struct peak_row, measured,
		"bytes of as many objects of the class in the open memreports (run open)"),
};

static const struct cs_column peak_parts[] = {
	SHORT(struct peak_row, part, "part of memory"),
	SHORT(struct peak_row, bytes, "bytes in memory; null = not known"),
	SHORT(struct peak_row, from, "source of the number, or reason why it is not known"),
};

/*
 * Parts of SQL queries over the relation `m`, the cells in memory: the text before and the text
 * after FROM m.
 */
static const struct {
	struct cs_table table;
	const char *columns, *behind;
} peak_questions[] = {
	{PLAIN_TABLE("peak_cells", "peak_cell", peak_cells),
		"name AS cell, layers, state, actors, bytes, known, bytes - known AS assumed",
		"ORDER BY bytes DESC, name"},
	{PLAIN_TABLE("peak_layers", "peak_layer", peak_layers),
		"layers, count(*) AS cells, sum(actors) AS actors, sum(bytes) AS bytes, "
		"sum(known) AS known, sum(bytes - known) AS assumed",
		"GROUP BY layers ORDER BY bytes DESC, layers"},
	{PLAIN_TABLE("peak_classes", "peak_class", peak_classes),
		"a.class, count(*) AS actors, CAST(sum(1.0 * m.bytes / m.actors) + .5 AS INTEGER) AS "
		"shared, count(*) * "
		"(SELECT max(1024 * (o.kb + o.resource_kb) / o.count) FROM run_objects o WHERE "
		"o.count > 0 AND o.object IS NULL AND (a.class = o.class OR "
		"substr(a.class, -1 - length(o.class)) = '.' || o.class COLLATE NOCASE)) AS "
		"measured",
		"JOIN actors a ON a.cell = m.name AND a.partition = m.partition GROUP BY a.class ORDER BY shared DESC, a.class"},
	{PLAIN_TABLE("peak_parts", "peak_part", peak_parts), NULL, NULL}};

static const char *const peak_subjects[] = {"cell", "layer", "class", "part", NULL};
enum { PEAK_PARTS = 3 };

/* SQL query that divides the memory of the process into parts; NULL = size unknown. */
static const char peak_part_rows[] =
	"SELECT 'cells, told by files' AS part, sum(known) AS bytes, 'cooked packages, meshes of our "
	"cook' AS \"from\" FROM m UNION ALL SELECT 'cells, assumed', sum(bytes - known), "
	"'sim.BytesPerCell, sim.BytesPerActor' FROM m UNION ALL SELECT 'Nanite root pages', "
	"(SELECT sum(page_bytes) FROM pages WHERE root), iif((SELECT count(*) FROM resources), 'the "
	"resources that are open', 'no resource is open') UNION ALL SELECT 'Nanite pool', (SELECT "
	"sum(page_bytes) FROM pages WHERE NOT root AND state = 'resident'), iif((SELECT count(*) FROM "
	"cameras), 'pages in its slots (cameras, pool)', 'no camera asks for pages') UNION ALL SELECT "
	"'Nanite pool, measured', (SELECT max(value) * 1048576 FROM run_events WHERE kind = "
	"'nanite_pool_mb'), 'a memreport: all slots, whatever is in them' UNION ALL SELECT 'process, "
	"measured', (SELECT max(value) * 1048576 FROM run_events WHERE kind = 'memory_mb'), 'a "
	"memreport' UNION ALL SELECT 'levels that wait to be purged', NULL, 'not known' UNION ALL "
	"SELECT 'textures, sounds, what the game allocates', NULL, 'not known'";

/* Copies a row of the query result to a struct. The result has the columns of `table`. */
static void paths_peak_row(const struct cs_table *table, const struct cs_result *result, size_t row,
	struct peak_row *ret)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct cs_value value = cs_result_value(result, row, i);
		void *member = (char *)ret + table->columns[i].offset;
		if (table->columns[i].kind == CS_KIND_TEXT)
			*(const char **)member = value.kind == CS_KIND_TEXT ? value.text : NULL;
		else if (!cs_value_number(&value, member))
			*(double *)member = CS_NO_NUMBER;
	}
}

static struct cs_error *paths_emit_peak(
	struct call *call, const struct cs_table *table, const char *question)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_select(
		call->session->query, question, session_variables(call->session), &result);
	if (error)
		return error;
	const size_t n = cs_result_rows(result);
	struct peak_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		paths_peak_row(table, result, i, &rows[i]);
	error = emit_plain_taken(call, table, rows, n);

	cs_result_free(result);
	return error;
}

static char *paths_peak_question(const struct call *call, unsigned subject)
{
	const bool is_split = subject == PEAK_PARTS;
	char *question;
	const int n = asprintf(&question,
		"WITH m AS (SELECT name, partition, coalesce(nullif(trim(replace(layers, '\"', ''), '[]'), ''), "
		"'-') AS layers, state, actors, bytes, %s AS known FROM cells WHERE state IN "
		"('loaded', 'showing', 'activated', 'leaving')) %s%s%s%s",
		call->session->world->n_cell_bytes ? "bytes" : "coalesce(mesh_bytes, 0)",
		is_split ? peak_part_rows : "SELECT ",
		is_split ? "" : peak_questions[subject].columns, is_split ? "" : " FROM m ",
		is_split ? "" : peak_questions[subject].behind);
	return n < 0 ? NULL : question;
}

/*
 * Runs the query of --by in the frame with the most bytes in memory, then returns to the present
 * frame.
 */
static struct cs_error *paths_tell_peak(struct call *call, unsigned subject)
{
	const struct cs_stream_report report = cs_stream_report(call->stream);
	const uint64_t now = cs_stream_status(call->stream).frame;
	if (report.peak_bytes == 0)
		return cs_error_new(CS_E_NOFRAME,
			"no cell was in memory in any frame of the run, so --by has nothing to "
			"split: `source add` and `step` load cells");
	char *question = paths_peak_question(call, subject);
	if (!question)
		return cs_error_nomem();
	struct cs_error *error = cs_stream_goto(call->stream, report.peak_frame);
	if (!error)
		error = paths_emit_peak(call, &peak_questions[subject].table, question);
	free(question);
	return cs_error_first(error, cs_stream_goto(call->stream, now));
}

static struct cs_error *paths_tell_sums(struct call *call)
{
	struct report_row row = {.sums = cs_stream_report(call->stream)};
	row.stall_ms = (double)row.sums.stall_ns / 1e6;
	struct cs_error *error = call_option(call, "c")->given
					 ? emit_plain(call, &report_table, &row, 1)
					 : emit_plain_record(call, &report_table, &row);
	if (!error && !asks_for_rows(call))
		say_loads(call->out, &row.sums);
	return error;
}

static struct cs_error *paths_run_report(struct call *call)
{
	const struct argument *by = call_option(call, "by");
	const char *columns = call_option(call, "c")->text;
	struct cs_error *error =
		by->given ? paths_tell_peak(call, (unsigned)by->choice) : paths_tell_sums(call);
	/* with "-c ?" the command only explains its columns, so it resets nothing */
	if (error || !call_option(call, "reset")->given || (columns && strcmp(columns, "?") == 0))
		return error;
	cs_stream_report_reset(call->stream);
	char **record = &call->session->run.in_record;
	return (*record = strdup(call->line)) ? NULL : cs_error_nomem();
}

const struct command command_path_report = {
	.name = "path report",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_LISTS,
	.options = {{0, "reset", NULL, ARGUMENT_NONE, "set the sums to 0 after this report"},
		{0, "by", "cell|layer|class|part", ARGUMENT_CHOICE,
			"split the memory of the frame with the most bytes (peak_frame) by cell, "
			"data layer, class of the actors or use (part)",
			.choices = peak_subjects}},
	.summary = "sum up loads, waits and memory peaks since the run began, or since --reset",
	.examples = "path follow Player0 fly\ncontinue\npath report\npath report --by layer\n"
		    "path report --by cell -w \"assumed > known\" -n 10",
	.help = "In the report, `short_frames` counts frames in which cells had to wait because\n"
		"too many other cells were loading. `thrash` counts levels that were unloaded\n"
		"less than sim.ThrashTime seconds (a variable, default 10) after they were\n"
		"loaded. The option -c ? explains the other sums. `frames` lists single frames,\n"
		"`plot` draws them, and `stalls` lists the waits.\n\n"
		"With --by the command lists what filled the memory in the frame `peak_frame`.\n"
		"Bytes in the column `known` are sizes of files: packages that Unreal cooked, and\n"
		"meshes that `cook --meshes` built. Bytes in the column `assumed` follow from the\n"
		"variables sim.BytesPerCell and sim.BytesPerActor. --by class divides the bytes\n"
		"of each cell evenly among its actors (`shared`); the column `measured` is the\n"
		"number of actors of the class times the size of one object of the class in open\n"
		"memreports (table run_objects). --by part has a row for each use of memory:\n"
		"cells, pages of open Nanite resources, and, from open memreports, the page pool\n"
		"and the process; the last rows name uses whose size is not known. The command\n"
		"`worse -p` checks the peak against a budget.",
	.run = paths_run_report,
};
