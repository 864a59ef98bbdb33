/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the command `init-ci`, which writes a command file that checks budgets of a world, the
 * camera path along which the command file measures them, and a CI job that runs it. A budget is
 * the value measured when `init-ci` runs, a tenth more where the value may grow, and a tenth less
 * for least numbers.
 */
#include "src/front/paths.h"
#include "src/language/lexer.h"
#include "src/session/session.h"

#include <cellscope/compare.h>
#include <cellscope/core.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- budgets ---- */

enum kind { AT_MOST, GROWS, AT_LEAST, EQUAL };

/* For each kind of budget, the operator, and the SQL of the limit around the measured value. */
static const struct {
	const char *relation, *before, *after;
} relations[] = {
	[AT_MOST] = {"<=", "", ""},
	[GROWS] = {"<=", "CAST(", " * 1.1 AS INTEGER) + 1"},
	[AT_LEAST] = {">=", "CAST(", " * 0.9 AS INTEGER)"},
	[EQUAL] = {"=", "", ""},
};

struct budget {
	enum kind kind;
	const char *why, *measure, *text;
};

static const struct budget of_content[] = {
	{AT_MOST, "nothing new that validation calls an error",
		"(SELECT count(*) FROM findings WHERE pass = 0 AND severity = 'error')", "errors"},
	{AT_MOST, "no actor is dropped from the cook", "(SELECT count(*) FROM drops WHERE lost)",
		"dropped actors"},
	{AT_LEAST, "the world still has its content", "(SELECT count(*) FROM actors)", "actors"},
	{GROWS, "and does not explode", "(SELECT count(*) FROM cells)", "cells"},
	{EQUAL, "data layers are added and removed on purpose", "(SELECT count(*) FROM layers)",
		"data layers"},
	{AT_LEAST, "distant scenery is still generated", "(SELECT count(*) FROM cells WHERE hlod)",
		"HLOD cells"},
	{GROWS, "no cell is too full to load in time",
		"(SELECT ifnull(max(actors), 0) FROM cells WHERE NOT always_loaded)",
		"actors of the fullest cell"},
	{GROWS, "the number of actors that are always loaded stays small",
		"(SELECT ifnull(sum(actors), 0) FROM cells WHERE always_loaded)",
		"always loaded actors"},
	{GROWS, "references do not tie half of the world together",
		"(SELECT ifnull(max(actors), 0) FROM sets)", "actors of the largest set"},
};

static const struct budget of_run[] = {
	{AT_MOST, "cells that could not be loaded", "path_report('failures')", "failed loads"},
	{AT_MOST, "frames that waited for streaming", "path_report('stalls')", "stalled frames"},
	{GROWS, "largest number of bytes in memory in any frame, by the load model",
		"path_report('peak_bytes')", "peak bytes"},
	{GROWS, "largest number of actors in memory in any frame", "path_report('peak_actors')",
		"peak actors"},
	{GROWS, "largest number of levels that load at once in any frame",
		"path_report('peak_loading')", "peak loading"},
	{GROWS, "largest number of cells in any frame that wait for the budget",
		"path_report('peak_waiting')", "peak waiting"},
	{GROWS, "number of levels that were loaded along the path", "path_report('loads')",
		"loads"},
	{GROWS, "number of levels that were unloaded soon after they were loaded",
		"path_report('thrash')", "thrash"},
};

static struct cs_error *put_budget(
	struct cs_query *query, const struct budget *budget, struct sink *to)
{
	char *sql;
	struct cs_result *result;
	if (asprintf(&sql, "%s%s%s", relations[budget->kind].before, budget->measure,
		    relations[budget->kind].after) < 0)
		return cs_error_nomem();
	struct cs_error *error =
		cs_query_evaluate(query, sql, NULL, (struct cs_parameters){NULL, 0}, &result);
	free(sql);
	if (error)
		return error;
	const struct cs_value value = cs_result_value(result, 0, 0);
	say_to(to, &style_of_scripts, "# %s\nassert %s %s %lld : \"%s\"\n", budget->why,
		budget->measure, relations[budget->kind].relation,
		value.kind == CS_KIND_INTEGER ? (long long)value.integer : 0, budget->text);
	cs_result_free(result);
	return NULL;
}

static struct cs_error *put_budgets(
	struct cs_query *query, const struct budget *budgets, size_t n, struct sink *to)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < n && !error; i++)
		error = put_budget(query, &budgets[i], to);
	return error;
}

/* ---- writing the command file ---- */

/*
 * Writes the path of an existing file relative to the command file, "@HERE@/../a b.json", and the
 * path of a missing file unchanged.
 */
static struct cs_error *put_file(struct sink *to, const char *folder, const char *file)
{
	char *path = path_between(folder, file), *word = path ? quote_word(path) : NULL;
	bool is_quoted = word && *word == '"';
	if (word) {
		sink_text(to, is_quoted ? " \"" : " ");
		sink_text(to, path[0] == '/' || access(file, F_OK) < 0 ? "" : "@HERE@/");
		sink_text(to, word + is_quoted);
	}
	free(path);
	free(word);
	return word ? NULL : cs_error_nomem();
}

static struct cs_error *init_ci_put_map(struct sink *to, const char *map)
{
	char *word = map ? quote_word(map) : NULL;
	if (map && !word)
		return cs_error_nomem();
	sink_text(to, map ? " --map " : "");
	sink_text(to, map ? word : "");
	sink_text(to, "\n");
	free(word);
	return NULL;
}

static struct cs_error *put_open(struct call *call, const char *folder, struct sink *to)
{
	const struct open_files *files = &call->session->files;
	sink_text(to,
		"# What must stay true of this world. From any folder:\n"
		"#   cellscope --tap -x cellscope.cmd\n"
		"# Budgets are what was measured when this file was written, a tenth more where the\n"
		"# world may grow. Change a number on purpose, in the change that needs it.\n"
		"\n"
		"open");
	struct cs_error *error = put_file(to, folder, files->path);
	return error ? error : init_ci_put_map(to, files->map);
}

/* Writes a command that compares with the engine's file, or without one an example as a comment. */
static struct cs_error *put_engine(struct call *call, const char *what, const char *example,
	const char *folder, struct sink *to)
{
	const struct argument *path = call_option(call, what);
	sink_text(to, path->given ? "diff" : "# diff");
	if (!path->given) {
		sink_text(to, example);
		return NULL;
	}
	struct cs_error *error = put_file(to, folder, path->text);
	return error ? error
		     : init_ci_put_map(to,
			       strcmp(what, "cooked") == 0 ? call_option(call, "map")->text : NULL);
}

static struct cs_error *put_engines(struct call *call, const char *folder, struct sink *to)
{
	sink_text(to, "\n# ---- the cook is what the engine makes of the world ----\n\n");
	struct cs_error *error = put_engine(call, "log",
		" Saved/Logs/WorldPartition/StreamingGeneration-PIE.log\n", folder, to);
	return error ? error
		     : put_engine(
			       call, "cooked", " Saved/Cooked/Windows --map Valley\n", folder, to);
}

/* ---- comparison with a baseline ---- */

/* initial content of the budget file: counts that must not rise; users can add others */
static const char budget_text[] = "{\"errors\": {\"rise\": 0}, \"dropped_actors\": {\"rise\": 0},\n"
				  " \"hlods_without_cell\": {\"rise\": 0}}\n";

static struct cs_error *init_ci_put_worse(
	struct call *call, const char *folder, const char *budget, struct sink *to)
{
	const struct argument *baseline = call_option(call, "baseline");
	if (!baseline->given)
		return NULL;
	if (call->session->files.map)
		return cs_error_new(CS_E_USAGE,
			"--baseline cannot compare a world that was opened with --map: cook the "
			"map to a .cworld file and open that file");
	sink_text(to, "\n# ---- nothing that has a budget is worse than in the baseline ----\n\n");
	sink_text(to, "worse");
	struct cs_error *error = put_file(to, folder, baseline->text);
	if (!error)
		error = put_file(to, folder, call->session->files.path);
	sink_text(to, " --budget");
	if (!error)
		error = cs_save_whole(budget, budget_text, sizeof(budget_text) - 1);
	if (!error)
		error = put_file(to, folder, budget);
	sink_text(to, "\n");
	return error;
}

/* ---- the streaming run that is measured ---- */

/* Runs a command without showing its output. */
static struct cs_error *run_unseen(struct session *session, const char *line)
{
	struct memory_sink unseen;
	memory_sink_init(&unseen);
	struct cs_error *error = run_nested(session, line, &unseen.sink);
	memory_sink_deinit(&unseen);
	return error;
}

static struct cs_error *load_path(
	struct session *session, const char *folder, const char *file, struct sink *to)
{
	char *word = quote_word(file), *line = NULL;
	struct cs_error *error = word && asprintf(&line, "path load %s tour", word) >= 0
					 ? run_unseen(session, line)
					 : cs_error_nomem();
	sink_text(to, "path load");
	if (!error)
		error = put_file(to, folder, file);
	sink_text(to, " tour\n");
	free(word);
	free(line);
	return error;
}

static struct cs_error *put_run(
	struct call *call, const char *folder, const char *path, struct sink *to)
{
	struct session *session = call->session;
	char step[64];
	const char *const lines[] = {"source add Player0 0,0,0", "path follow Player0 tour", step};
	session_end_stream(session);
	sink_text(to, "\n# ---- along a path, the worst of all its frames ----\n\n");
	struct cs_error *error = load_path(session, folder, path, to);
	const struct named_path *named = error ? NULL : session_path(session, "tour");
	const uint64_t frames = named ? cs_path_view(named->path).run_frames : 0;
	snprintf(step, sizeof(step), "step %" PRIu64, frames);
	if (!error && frames == 0)
		error = cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
			"a run along the path would have more than 4000000 frames, the limit: give "
			"a shorter path");
	for (size_t i = 0; !error && i < CS_COUNT_OF(lines); i++) {
		say_to(to, &style_of_scripts, "%s\n", lines[i]);
		error = run_unseen(session, lines[i]);
	}
	if (!error)
		error = put_budgets(session->query, of_run, sizeof(of_run) / sizeof(of_run[0]), to);
	session_end_stream(session);
	return error;
}

/* ---- the files that are written ---- */

static const char workflow_text[] =
	"# A job for GitHub that cooks the world and checks it by the budgets of cellscope.cmd: put it\n"
	"# into .github/workflows. Its steps are shell, and so serve any other service.\n"
	"name: cellscope\n"
	"on: [push, pull_request]\n"
	"jobs:\n"
	"  world:\n"
	"    runs-on: ubuntu-latest\n"
	"    env:\n"
	"      # the static program, a package (.deb) or a repository (.git): an address or a file\n"
	"      CELLSCOPE: %s\n"
	"    steps:\n"
	"      - uses: actions/checkout@v4\n"
	"        with: { lfs: true }\n"
	"      - name: Install cellscope\n"
	"        run: |\n"
	"          bin=\"$RUNNER_TEMP/cellscope-bin\"\n"
	"          mkdir -p \"$bin\"\n"
	"          fetch() { case $CELLSCOPE in *://*) curl -fsSL -o \"$1\" \"$CELLSCOPE\" ;; "
	"*) cp \"$CELLSCOPE\" \"$1\" ;; esac; }\n"
	"          case $CELLSCOPE in\n"
	"          *.deb) fetch \"$bin/cellscope.deb\" && sudo apt-get install -y "
	"\"$bin/cellscope.deb\" ;;\n"
	"          *.git) git clone --depth 1 \"$CELLSCOPE\" \"$bin/source\" && cd \"$bin/source\" &&\n"
	"            sudo ./bootstrap && make && sudo make install ;;\n"
	"          *) fetch \"$bin/cellscope\" && chmod +x \"$bin/cellscope\" && "
	"echo \"$bin\" >>\"$GITHUB_PATH\" ;;\n"
	"          esac\n"
	"      - name: Cook the world and check its budgets\n"
	"        run: cellscope --tap --annotate --junit cellscope.xml -x %s\n"
	"      - uses: actions/upload-artifact@v4\n"
	"        if: always()\n"
	"        with: { name: cellscope, path: cellscope.xml }\n";

static struct cs_error *init_ci_check_new(const char *path)
{
	return access(path, F_OK) == 0
		       ? cs_error_at(CS_E_EXISTS, path, CS_NO_OFFSET,
				 "the file exists already and is not replaced: remove or rename it "
				 "first")
		       : NULL;
}

struct kit {
	/* paths of the files that are written; owned by the struct */
	char *commands, *job, *path, *budget;
};

static void kit_free(struct kit *kit)
{
	free(kit->commands);
	free(kit->job);
	free(kit->path);
	free(kit->budget);
}

static struct cs_error *kit_init(const char *folder, bool has_baseline, struct kit *ret)
{
	struct kit kit = {0};
	struct cs_error *error = NULL;
	if (asprintf(&kit.commands, "%s/cellscope.cmd", folder) < 0 ||
		asprintf(&kit.job, "%s/cellscope.yml", folder) < 0 ||
		asprintf(&kit.path, "%s/cellscope-path.csv", folder) < 0 ||
		asprintf(&kit.budget, "%s/cellscope-budget.json", folder) < 0)
		error = cs_error_nomem();
	if (!error && mkdir(folder, 0777) < 0 && errno != EEXIST)
		error = cs_error_errno(errno, folder, "make the folder");
	if (!error)
		error = init_ci_check_new(kit.commands);
	if (!error)
		error = init_ci_check_new(kit.job);
	if (!error && has_baseline)
		error = init_ci_check_new(kit.budget);
	if (error)
		kit_free(&kit);
	else
		*ret = kit;
	return error;
}

static struct cs_error *write_tour(struct call *call, const char *file)
{
	struct cs_path *path;
	struct cs_error *error = init_ci_check_new(file);
	if (!error)
		error = cs_report_tour(call->session->world, &path);
	if (error)
		return error;
	error = cs_path_write(path, file);
	cs_path_free(path);
	return error;
}

static struct cs_error *write_commands(
	struct call *call, const char *folder, const char *path, const struct kit *kit)
{
	struct memory_sink memory;
	struct sink *to = &memory.sink;
	char *text = NULL;
	size_t n = 0;
	memory_sink_init(&memory);
	struct cs_error *error = put_open(call, folder, to);
	sink_text(to, "\n# ---- the content ----\n\n");
	if (!error)
		error = put_budgets(call->session->query, of_content,
			sizeof(of_content) / sizeof(of_content[0]), to);
	if (!error && path)
		error = put_run(call, folder, path, to);
	if (!error)
		error = init_ci_put_worse(call, folder, kit->budget, to);
	if (!error)
		error = put_engines(call, folder, to);
	if (error) {
		memory_sink_deinit(&memory);
		return error;
	}
	error = memory_sink_take(&memory, &text, &n);
	if (!error)
		error = cs_save_whole(kit->commands, text, n);
	free(text);
	return error;
}

static struct cs_error *write_job(struct call *call, const struct kit *kit)
{
	const char *program =
		argument_text(call_option(call, "from"), "https://example.com/cellscope");
	const char *script = kit->commands;
	char *text;
	while (strncmp(script, "./", 2) == 0)
		script += 2;
	if (asprintf(&text, workflow_text, program, script) < 0)
		return cs_error_nomem();
	struct cs_error *error = cs_save_whole(kit->job, text, strlen(text));
	free(text);
	return error;
}

static struct cs_error *run_init_ci(struct call *call)
{
	const struct argument *path = call_option(call, "path");
	const char *to = argument_text(call_argument(call, 0), ".");
	struct kit kit;
	struct cs_error *error = kit_init(to, call_option(call, "baseline")->given, &kit);
	if (error)
		return error;
	const char *tour = argument_text(path, kit.path);
	if (!path->given)
		error = write_tour(call, kit.path);
	if (error &&
		/* E_NOCELL: the world has no streaming cells, so only its content is measured */
		error->code == CS_E_NOCELL) {
		cs_error_free(error);
		error = NULL;
		tour = NULL;
	}
	if (!error)
		error = write_commands(call, to, tour, &kit);
	if (!error)
		error = write_job(call, &kit);
	if (!error) {
		note(call->out, "%s and %s written", kit.commands, kit.job);
		if (tour)
			note(call->out, "; budgets are measured along %s", tour);
		note(call->out, "\n");
	}
	kit_free(&kit);
	return error;
}

const struct command command_init_ci = {
	.name = "init-ci",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_WORLD | COMMAND_UNSAFE,
	.arguments = {{"FOLDER", ARGUMENT_WORD, .optional = true}},
	.summary = "write budgets for this world as a command file, and a CI job that "
		   "checks them",
	.options = {{0, "path", "FILE", ARGUMENT_FILE,
			    "measure streaming along this path or CSV profile (default: along "
			    "lines across the world)"},
		{0, "log", "FILE", ARGUMENT_FILE,
			"compare the cook with this StreamingGeneration log, too"},
		{0, "cooked", "PATH", ARGUMENT_FILE,
			"compare the cook with this output of Unreal's cooker, too"},
		{0, "map", "NAME", ARGUMENT_WORD,
			"compare the map NAME in --cooked, when there are several maps"},
		{0, "baseline", "COOK", ARGUMENT_FILE,
			"also fail when the world got worse than this older cook (help worse)"},
		{0, "from", "PROGRAM", ARGUMENT_WORD,
			"address or file that the job installs cellscope from (default: an example "
			"to replace)"}},
	.examples = "init-ci\ninit-ci ci --path fly.csv",
	.help = "The command writes these files to FOLDER (default: the current folder), and\n"
		"never replaces a file:\n"
		"  cellscope.cmd          a command file that can be run from any folder; it has\n"
		"                         an `assert` for each budget, which limits a count of\n"
		"                         the world or of a run along a path\n"
		"  cellscope.yml          a job for GitHub that installs the program, runs\n"
		"                         cellscope.cmd, marks failed checks and keeps the JUnit\n"
		"                         results\n"
		"  cellscope-path.csv     without --path: the path, if the world has cells\n"
		"  cellscope-budget.json  with --baseline: budgets for `worse`, to which you can\n"
		"                         add others\n"
		"A budget is the value measured now. Where the world may grow, as in numbers of\n"
		"cells and bytes, the budget is a tenth more. Budgets that are lower limits\n"
		"(actors, HLOD cells) are a tenth below the measured value. The best FILE for\n"
		"--path is a CSV profile of a real run (help path load). The simulated run of\n"
		"this session ends; `step` begins a new run.",
	.run = run_init_ci,
};
