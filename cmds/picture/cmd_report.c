/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for readers without cellscope: report, export. */
#include "src/front/open.h"
#include "src/session/session.h"

#include <cellscope/compare.h>
#include <cellscope/core.h>
#include <cellscope/ue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- report ---- */

/* Worlds that the report compares with: an earlier cook, and the engine's log or cook. */
struct others {
	struct opened before, theirs;
	struct cs_ue_log *log;
	const struct cs_comparison *comparison, *cooked;
};

/* Opens the engine's cook; other worlds are not its answer and are refused. */
static struct cs_error *open_cooked(struct call *call, struct others *ret)
{
	const char *path = call_option(call, "cooked")->text;
	if (access(path, F_OK) == 0 && !source_is_cooked(path))
		return cs_error_at(CS_E_FEATURE, path, CS_NO_OFFSET,
			"the engine's cooker did not write it: --before takes other worlds");
	struct cs_error *error =
		world_open(call->session, path, call_option(call, "map")->text, &ret->theirs);
	return error ? error
		     : cs_compare_engine(call->session->world,
			       &(struct cs_engine_side){.cooked = ret->theirs.world}, &ret->cooked);
}

static struct cs_error *open_others(struct call *call, struct others *ret)
{
	const struct argument *before = call_option(call, "before");
	const struct argument *log = call_option(call, "log");
	struct cs_error *error = NULL;
	if (before->given)
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
	const char *opened = session->files.path;
	bool is_there = opened && stat(opened, &status) == 0;
	const struct argument *title = call_option(call, "title");
	const char *path = call_argument(call, 0)->text;
	struct others others = {.log = NULL};
	struct cs_error *error = open_others(call, &others);
	const struct cs_report_input input = {
		.query = session->query,
		.world = session->world,
		.stream = session->run.stream,
		.title = title->given ? title->text : NULL,
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
	.options = {{0, "title", "TEXT", ARGUMENT_WORD, "heading; else the name of the world"},
		{0, "before", "FILE", ARGUMENT_FILE, "the world as it was: what differs"},
		{0, "log", "FILE", ARGUMENT_FILE, "the engine's StreamingGeneration log"},
		{0, "cooked", "PATH", ARGUMENT_FILE, "what the engine's cooker wrote"},
		{0, "map", "NAME", ARGUMENT_WORD, "the map there, where there are several"}},
	.summary = "write a report on the world, and its run, as one page of HTML",
	.examples = "report valley.html\nreport nightly.html --title \"Valley, tonight\"\n"
		    "report change.html --before before.cworld\n"
		    "cook log valley.log\nreport engine.html --log valley.log\n"
		    "report shipped.html --cooked Cooked --map Town",
	.help = "The verdict first: findings, actors in no cell, what got worse, the engine's\n"
		"answer. Then maps, distributions, largest cells, always loaded actors,\n"
		"validation, dropped actors, layers; with a run its states, timeline, hitches and\n"
		"memory, and real runs that are open with what came late (`run compare`); of open\n"
		"Nanite resources the graph of pages. --before adds what differs from\n"
		"another cook, with maps of it, --log and --cooked the verdict on what differs\n"
		"from the engine, with maps of it, as `diff log` and `diff cooked` print it. One\n"
		"file: inline SVG, no script, nothing from the network, readable on paper.",
	.run = run_report,
};

/* ---- export ---- */

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
	.flags = COMMAND_WORLD | COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_OUTPUT, .choices = REPLACES("sqlite")}},
	.summary = "write all tables as an SQLite database, with views",
	.examples = "export valley.sqlite",
	.help = "The tables are those that `info tables` lists, with the same columns. The table\n"
		"`about` explains the views: by_level, always_loaded, largest_cells.",
	.run = run_export,
};
