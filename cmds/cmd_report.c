/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others read without cellscope: report, export, init-ci. */
#include "src/front/open.h"
#include "src/language/lexer.h"
#include "src/session/session.h"

#include <cellscope/file.h>
#include <cellscope/report.h>
#include <cellscope/ue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- report ---- */

/* What others have to say of the world: how it was, and the log of the engine. */
struct others {
	struct opened before, theirs;
	struct cs_ue_log *log;
	const struct cs_comparison *comparison, *cooked;
};

/* Only a world that the engine's cooker wrote is its answer. */
static struct cs_error *open_cooked(struct call *call, struct others *ret)
{
	const char *path = call_option(call, "cooked")->text;
	if (access(path, F_OK) == 0 && !source_is_cooked(path))
		return cs_error_at(CS_E_FEATURE, path, CS_NO_OFFSET,
			"the engine's cooker did not write it: --before takes other worlds");
	struct cs_error *error =
		world_open(call->session, path, call_option(call, "map")->text, &ret->theirs);
	return error ? error
		     : cs_compare_cooked(call->session->world, ret->theirs.world, &ret->cooked);
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
		error = cs_compare_log(call->session->world, ret->log, &ret->comparison);
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
	const struct argument *title = call_option(call, "title");
	const char *path = call_argument(call, 0)->text;
	struct others others = {.log = NULL};
	struct cs_error *error = open_others(call, &others);
	const struct cs_report_input input = {
		.query = session->query,
		.world = session->world,
		.stream = session->run.stream,
		.title = title->given ? title->text : NULL,
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
	.options = {{0, "title", "TEXT", ARGUMENT_WORD, "heading; else the name of the world",
			    NULL},
		{0, "before", "FILE", ARGUMENT_FILE, "the world as it was: what differs", NULL},
		{0, "log", "FILE", ARGUMENT_FILE, "the engine's StreamingGeneration log", NULL},
		{0, "cooked", "PATH", ARGUMENT_FILE, "what the engine's cooker wrote", NULL},
		{0, "map", "NAME", ARGUMENT_WORD, "the map there, where there are several", NULL}},
	.summary = "write a report on the world, and its run, as one page of HTML",
	.examples = "report valley.html\nreport nightly.html --title \"Valley, tonight\"\n"
		    "report change.html --before before.cworld\n"
		    "cook log valley.log\nreport engine.html --log valley.log\n"
		    "report shipped.html --cooked Cooked --map Town",
	.help = "Maps, distributions, largest cells, always loaded actors, validation, dropped\n"
		"actors, layers; with a run its states and the timeline; of open Nanite resources\n"
		"the graph of pages. --before adds what differs from another cook, with maps of it,\n"
		"--log and --cooked the verdict on what differs from the engine, with maps of it, as\n"
		"`diff log` and `diff cooked` tell it. One file: inline SVG, no script, nothing from\n"
		"the network, readable on paper.",
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

/* ---- init-ci ---- */

static const char budget_text[] =
	"# What must stay true of the cook of this world. Run it with:\n"
	"#   cellscope --tap -x cellscope.cmd\n"
	"# It opens the source, cooks it, and asserts budgets. Change the numbers to yours.\n"
	"\n"
	"open %s\n"
	"\n"
	"# nothing that validation calls an error\n"
	"assert (SELECT count(*) FROM findings WHERE severity = 'error') <= %lld : \"no new "
	"errors\"\n"
	"# no actor is lost without a word\n"
	"assert (SELECT count(*) FROM drops) <= %lld : \"no new drops\"\n"
	"# no cell is too full to load in time\n"
	"assert (SELECT max(actors) FROM cells WHERE NOT always_loaded) <= %lld : \"fullest "
	"cell\"\n"
	"# what is always loaded stays small\n"
	"assert (SELECT sum(actors) FROM cells WHERE always_loaded) <= %lld : \"always loaded "
	"actors\"\n"
	"# a walk through the world stays within the budget of loads\n"
	"source add Player0 0,0,0\n"
	"step 600\n"
	"assert (SELECT count(*) FROM cells WHERE state = 'loading') <= 4 : \"loads at a time\"\n"
	"# the cook is what the engine makes of the world: its log, and what its cooker wrote. The\n"
	"# last line tells the verdict; anything that differs makes the exit status 1\n"
	"%s";

static const char workflow_text[] =
	"# A job that cooks the world and holds it to its budgets; see cellscope.cmd.\n"
	"name: cellscope\n"
	"on: [push, pull_request]\n"
	"jobs:\n"
	"  world:\n"
	"    runs-on: ubuntu-latest\n"
	"    steps:\n"
	"      - uses: actions/checkout@v4\n"
	"        with: { lfs: true }\n"
	"      - run: cellscope --tap -x cellscope.cmd\n"
	"      - run: cellscope --junit cellscope.xml -x cellscope.cmd\n"
	"        if: always()\n";

static struct cs_error *number_of(struct cs_query *query, const char *sql, long long *ret)
{
	struct cs_result *result;
	struct cs_error *error =
		cs_query_evaluate(query, sql, (struct cs_parameters){NULL, 0}, &result);
	if (error)
		return error;
	struct cs_value value = cs_result_value(result, 0, 0);
	*ret = value.kind == CS_KIND_INTEGER ? value.integer : 0;
	cs_result_free(result);
	return NULL;
}

/* An answer of the engine that the cook is held against, a comment where none was given. */
static char *engine_line(struct call *call, const char *what, const char *example)
{
	const struct argument *path = call_option(call, what), *map = call_option(call, "map");
	bool has_map = path->given && map->given && strcmp(what, "cooked") == 0;
	char *word = path->given ? quote_word(path->text) : strdup(example);
	char *name = has_map ? quote_word(map->text) : strdup("");
	char *line = NULL;
	if (word && name &&
		asprintf(&line, "%sdiff %s %s%s%s\n", path->given ? "" : "# ", what, word,
			has_map ? " --map " : "", name) < 0)
		line = NULL;
	free(word);
	free(name);
	return line;
}

static struct cs_error *fill_engine(struct call *call, char **ret)
{
	char *log =
		engine_line(call, "log", "Saved/Logs/WorldPartition/StreamingGeneration-PIE.log");
	char *cooked = engine_line(call, "cooked", "Saved/Cooked/Windows --map Valley");
	bool room = log && cooked && asprintf(ret, "%s%s", log, cooked) >= 0;
	free(log);
	free(cooked);
	return room ? NULL : cs_error_nomem();
}

/* Budgets begin at what the world has now, a tenth more where it may grow. */
static struct cs_error *fill_budgets(struct call *call, char **ret)
{
	static const char *const questions[] = {
		"(SELECT count(*) FROM findings WHERE severity = 'error')",
		"(SELECT count(*) FROM drops)",
		"(SELECT ifnull(max(actors) * 11 / 10, 0) + 1 FROM cells WHERE NOT always_loaded)",
		"(SELECT ifnull(sum(actors) * 11 / 10, 0) + 1 FROM cells WHERE always_loaded)"};
	enum { QUESTIONS = sizeof(questions) / sizeof(questions[0]) };
	long long answers[QUESTIONS] = {0};
	char *engine = NULL, *name = quote_word(call->session->files.path);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < QUESTIONS; i++)
		error = number_of(call->session->query, questions[i], &answers[i]);
	if (!error)
		error = fill_engine(call, &engine);
	if (!error && (!name || asprintf(ret, budget_text, name, answers[0], answers[1], answers[2],
					answers[3], engine) < 0))
		error = cs_error_nomem();
	free(name);
	free(engine);
	return error;
}

static struct cs_error *write_new(const char *folder, const char *name, const char *text)
{
	char *path;
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	if (access(path, F_OK) == 0)
		error = cs_error_at(CS_E_EXISTS, path, CS_NO_OFFSET, "it is there already");
	if (!error)
		error = cs_save_whole(path, text, strlen(text));
	free(path);
	return error;
}

static struct cs_error *run_init_ci(struct call *call)
{
	const struct argument *folder = call_argument(call, 0);
	const char *to = folder->given ? folder->text : ".";
	char *budgets;
	struct cs_error *error = fill_budgets(call, &budgets);
	if (error)
		return error;
	error = write_new(to, "cellscope.cmd", budgets);
	free(budgets);
	if (!error)
		error = write_new(to, "cellscope.yml", workflow_text);
	if (!error)
		note(call->out,
			"%s/cellscope.cmd and %s/cellscope.yml written; read them, and "
			"change the numbers\n",
			to, to);
	return error;
}

const struct command command_init_ci = {
	.name = "init-ci",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_WORLD | COMMAND_UNSAFE,
	.arguments = {{"FOLDER", ARGUMENT_WORD, .optional = true}},
	.summary = "write a command file of the budgets that the world keeps, and a job for it",
	.options = {{0, "log", "FILE", ARGUMENT_FILE,
			    "hold the cook against this StreamingGeneration log too", NULL},
		{0, "cooked", "PATH", ARGUMENT_FILE, "and against what the engine's cooker wrote",
			NULL},
		{0, "map", "NAME", ARGUMENT_WORD, "the map there, where there are several", NULL}},
	.examples = "init-ci",
	.help = "Budgets begin at what the world has now. cellscope.cmd is commented; cellscope.yml\n"
		"is a job for a CI service. Files that are there are not replaced.",
	.run = run_init_ci,
};
