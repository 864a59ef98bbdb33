/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `report` (HTML page) and `export` (SQLite database), readable without cellscope. */
#include "src/front/open.h"
#include "src/session/session.h"

#include <cellscope/compare.h>
#include <cellscope/core.h>
#include <cellscope/ue.h>

#include <sys/stat.h>
#include <unistd.h>

/* ---- command report ---- */

/* Worlds that the report compares with the open one: an earlier cook, the engine's log or cook. */
struct others {
	struct opened before, theirs;
	struct cs_ue_log *log;
	const struct cs_comparison *comparison, *cooked;
};

/* Opens and compares the cook that --cooked names; rejects files that the engine did not cook. */
static struct cs_error *open_cooked(struct call *call, struct others *ret)
{
	const char *path = call_option(call, "cooked")->text;
	if (access(path, F_OK) == 0 && !source_is_cooked(path))
		return cs_error_at(CS_E_FEATURE, path, CS_NO_OFFSET,
			"--cooked compares only with output of Unreal's cooker, which the file is "
			"not: use --before for other worlds");
	struct cs_error *error =
		world_open(call->session, path, call_option(call, "map")->text, &ret->theirs);
	return error ? error
		     : cs_compare_engine(call->session->world,
			       &(struct cs_engine_side){.cooked = ret->theirs.world}, &ret->cooked);
}

/* Standalone levels are parts of the world that is compared, and of no partition alone. */
static struct cs_error *refuse_one_partition(const struct call *call)
{
	const struct session *session = call->session;
	const bool compares = call_option(call, "before")->given ||
			      call_option(call, "log")->given || call_option(call, "cooked")->given;
	if (!compares || !call_option(call, "P")->given ||
		cs_query_partitions(session->query) == 1 + session->files.beside.n)
		return NULL;
	return cs_error_new(CS_E_USAGE,
		"--before, --log and --cooked compare a world with its standalone levels: leave -P "
		"out");
}

static struct cs_error *open_others(struct call *call, struct others *ret)
{
	const struct argument *before = call_option(call, "before");
	const struct argument *log = call_option(call, "log");
	struct cs_error *error = refuse_one_partition(call);
	if (!error && before->given)
		error = world_open(call->session, before->text, NULL, &ret->before);
	if (!error && log->given)
		error = cs_ue_read_log(log->text, &call->session->job, &ret->log);
	if (!error && log->given)
		error = cs_compare_engine(call->session->world,
			&(struct cs_engine_side){.log = ret->log}, &ret->comparison);
	if (!error && call_option(call, "cooked")->given)
		error = open_cooked(call, ret);
	return error;
}

static void close_others(struct others *others)
{
	cs_comparison_free(others->comparison);
	cs_comparison_free(others->cooked);
	opened_close(&others->theirs);
	cs_ue_log_free(others->log);
	opened_close(&others->before);
}

static struct cs_error *run_report(struct call *call)
{
	struct session *session = call->session;
	struct stat status;
	const char *opened = session_shown_path(session);
	bool is_there = opened && stat(opened, &status) == 0;

	const char *path = call_argument(call, 0)->text;
	struct others others = {.log = NULL};
	struct cs_error *error = open_others(call, &others);
	const struct cs_report_input input = {
		.query = session->query,
		.world = session->world,
		.stream = session->run.stream,
		.title = argument_text(call_option(call, "title"), NULL),
		.source = is_there ? opened : NULL,
		.written = is_there ? (int64_t)status.st_mtime : 0,
		.before = others.before.world,
		.comparison = others.comparison,
		.cooked = others.cooked,
		.resources = session->inspector,
	};
	if (!error)
		error = cs_report_write(&input, path);
	close_others(&others);
	if (!error)
		note(call->out, "%s written\n", path);
	return error;
}

const struct command command_report = {
	.name = "report",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_WORLD | COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_OUTPUT, .choices = REPLACES("html")}},
	.options = {{0, "title", "TEXT", ARGUMENT_WORD,
			    "heading of the page (default: the name of the world)"},
		{0, "before", "FILE", ARGUMENT_FILE,
			"compare with FILE, an earlier version of the world, as `open` takes it"},
		{0, "log", "FILE", ARGUMENT_FILE,
			"compare with this StreamingGeneration log of Unreal"},
		{0, "cooked", "PATH", ARGUMENT_FILE, "compare with this output of Unreal's cooker"},
		{0, "map", "NAME", ARGUMENT_WORD,
			"compare the map NAME in --cooked, when there are several maps"}},
	.summary = "write a report on the world and its run as one HTML page",
	.examples = "report valley.html\nreport nightly.html --title \"Valley, tonight\"\n"
		    "report change.html --before before.cworld\n"
		    "report engine.html --log valley.log\n"
		    "report shipped.html --cooked Cooked --map Town",
	.help = "The page begins with a verdict about findings, dropped actors, what got worse,\n"
		"and whether the cook agrees with Unreal's. Then the page shows findings of\n"
		"validation, dropped actors, maps, the distribution of actors over cells,\n"
		"settings of grids, levels, the largest cells, always loaded actors and data\n"
		"layers. It also shows:\n"
		"  frames that have run  states, timeline, hitches and memory of the run\n"
		"  files of `run open`   the cells that came late (`run compare`)\n"
		"  Nanite resources      the graph of the pages of the open resources\n"
		"  --before              the differences from that cook, with maps\n"
		"  --log, --cooked       the differences from Unreal, with maps and the verdicts\n"
		"                        of `diff`\n"
		"The file contains SVG and no script, loads nothing from the network, and can be\n"
		"printed.",
	.run = run_report,
};

static struct cs_error *run_export(struct call *call)
{
	const char *path = call_argument(call, 0)->text;
	struct cs_error *error = cs_query_export(call->session->query, &call->session->job, path);
	if (!error)
		note(call->out, "%s written\n", path);
	return error;
}

const struct command command_export = {
	.name = "export",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_OUTPUT, .choices = REPLACES("sqlite")}},
	.summary = "write all tables to an SQLite database",
	.examples = "export valley.sqlite",
	.help = "FILE is the database to write. The database gets the tables and columns that\n"
		"`info tables` lists. The database of a world also has the SQL views by_level,\n"
		"always_loaded and largest_cells, which its table `about` explains.",
	.run = run_export,
};
