/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares our cook with the engine's cook of the same world: the commands `diff log`, `diff hlod`
 * and `diff cooked`, and the part of the command `diff` that calls them.
 */
#include <cellscope/compare.h>

#include "cmds/world/cmd_differences.h"
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"

#include <stdlib.h>
#include <unistd.h>

struct engine_row {
	struct cs_compare_row is;
	const char *mark, *cell;
	struct cs_guid guid;
};

PLAIN_GETTER(get_engine_guid, struct engine_row,
	at->is.actor != CS_NONE ? cs_guid_value(at->guid) : cs_null())

/* Level, x or y of a cell that only the engine has, for a map to draw it. Null for other rows. */
PLAIN_GETTER(get_level, struct engine_row, at->is.grid ? cs_integer(at->is.level) : cs_null())
PLAIN_GETTER(get_x, struct engine_row, at->is.grid ? cs_integer(at->is.x) : cs_null())
PLAIN_GETTER(get_y, struct engine_row, at->is.grid ? cs_integer(at->is.y) : cs_null())

static const struct cs_column engine_columns[] = {
	SHORT_WORD("verdict", struct engine_row, is.verdict, VERDICT,
		"differs by rule, stale (all source actors are gone), or unexplained"),
	SHORT_WORD("kind", struct engine_row, is.kind, COMPARED, "world, cell, actor, layer"),
	SHORT_WORD("change", struct engine_row, is.change, CHANGE, "kind of the difference"),
	SHORT_AS("name", struct engine_row, is.name, "name of the cell, actor or layer"),
	SHORT_AS("ours", struct engine_row, is.ours, "cell or value of our cook"),
	SHORT_AS("theirs", struct engine_row, is.theirs, "cell or value of the engine"),
	SHORT_AS("rule", struct engine_row, is.rule,
		"number of the rule that explains the difference: help rule NUMBER"),
	PLAIN_AS("decided", struct engine_row, is.decided,
		"rule that placed the actor in the cell of our cook"),
	PLAIN(struct engine_row, mark,
		"+ only the engine has it, - only our cook has it, ~ it differs"),
	PLAIN(struct engine_row, cell, "cell of our cook that the row is about"),
	PLAIN_VALUE("guid", GUID, get_engine_guid,
		"GUID of the instance of our actor, since labels can be ambiguous"),
	PLAIN_AS("grid", struct engine_row, is.grid,
		"grid of the cell, if only the engine has that cell"),
	PLAIN_VALUE("level", INTEGER, get_level, "grid level of the cell"),
	PLAIN_VALUE("x", INTEGER, get_x, "X coordinate of the cell in its grid"),
	PLAIN_VALUE("y", INTEGER, get_y, "Y coordinate of the cell in its grid"),
};

static const struct cs_table engine_table =
	PLAIN_TABLE("engine_differences", "engine_difference", engine_columns);

static struct engine_row engine_row_of(
	const struct cs_cooked *world, const struct cs_compare_row *row)
{
	const char *mark = row->change == CS_COMPARE_ONLY_THEIRS ? "+"
			   : row->change == CS_COMPARE_ONLY_OURS ? "-"
								 : "~";
	return (struct engine_row){*row, mark, cs_cooked_cell_name(world, row->cell),
		row->actor != CS_NONE ? cs_cooked_detail(world, row->actor)->instance_guid
				      : (struct cs_guid){0}};
}

void say_verdict(struct output *out, enum cs_compare_verdict verdict, size_t cells, size_t actors,
	const size_t counts[3])
{
	say(out, "%s: %zu cell%s, %zu actor%s compared", cs_word(CS_WORDS_VERDICT, verdict)->name,
		cells, cells == 1 ? "" : "s", actors, actors == 1 ? "" : "s");
	if (counts[0] + counts[1] + counts[2])
		say(out, "; %zu difference%s by rule, %zu unexplained", counts[0],
			counts[0] == 1 ? "" : "s", counts[1]);
	if (counts[2])
		say(out, ", %zu stale", counts[2]);
	say(out, "\n");
}

static struct cs_error *tell(
	struct call *call, const struct cs_cooked *world, const struct cs_comparison *comparison)
{
	const size_t counts[3] = {
		comparison->all_by_rule, comparison->all_unexplained, comparison->stale};
	struct cs_error *error = NULL;
	if (comparison->n || wants_rows(call)) {
		struct engine_row *rows = calloc(comparison->n + 1, sizeof(*rows));
		for (size_t i = 0; rows && i < comparison->n; i++)
			rows[i] = engine_row_of(world, &comparison->rows[i]);
		error = emit_plain_taken(call, &engine_table, rows, comparison->n);
	}
	if (!error && !wants_rows(call))
		say_verdict(call->out, comparison->verdict, comparison->compared[CS_COMPARE_CELL],
			comparison->compared[CS_COMPARE_ACTOR], counts);
	check_verdict(call, comparison->verdict == CS_COMPARE_SAME,
		cs_word(CS_WORDS_VERDICT, comparison->verdict)->name);
	return error;
}

static struct cs_error *tell_side(
	struct call *call, struct cs_cooked *ours, struct cs_engine_side theirs)
{
	const struct cs_comparison *comparison = NULL;
	struct cs_error *error = cs_compare_engine(ours, &theirs, &comparison);
	if (!error)
		error = tell(call, ours, comparison);
	cs_comparison_free(comparison);
	return error;
}

struct cs_error *tell_log(struct call *call, struct cs_cooked *ours, const char *path)
{
	struct cs_ue_log *log = NULL;
	struct cs_error *error = cs_ue_read_log(path, &call->session->job, &log);
	if (!error)
		error = tell_side(call, ours, (struct cs_engine_side){.log = log});
	cs_ue_log_free(log);
	return error;
}

struct cs_error *tell_cooked(struct call *call, struct cs_cooked *ours, struct cs_cooked *theirs)
{
	return tell_side(call, ours, (struct cs_engine_side){.cooked = theirs});
}

static struct cs_error *run_diff_log(struct call *call)
{
	return tell_log(call, call->session->world, call_argument(call, 0)->text);
}

const struct command command_diff_log = {
	.name = "diff log",
	.instead = "diff",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.summary = "compare the cook with Unreal's StreamingGeneration log, cell by cell",
	.examples = "cook log valley.log\ndiff valley.log\n"
		    "diff valley.log -w \"verdict = 'unexplained'\" --json",
	.help = "`diff FILE` does the same; the command `diff log` will be removed in the next\n"
		"release. FILE is the log; in the example `cook log` writes it. In the output\n"
		"`ours` is the cook of the open world, and `theirs` is the log. Cells are paired\n"
		"by name, else by package, content or coordinates. Loading ranges are not\n"
		"compared, because a log has none. Data layers are compared only as far as they\n"
		"appear in the names of cells.\n"
		"\n"
		"Each row is a difference: of the world, a cell, an actor or a data layer. The\n"
		"verdict of a row is `differs by rule` when a rule of another engine version\n"
		"gives exactly what the log contains (help rule NUMBER), else `unexplained`. The\n"
		"last line is the worst verdict of all rows, or `same` if there are no rows. For\n"
		"an actor, `-c name,decided` shows the rule by which cellscope placed the actor.\n"
		"The exit status is 1 when anything differs.",
	.run = run_diff_log,
};

/* ---- command diff hlod ---- */

static struct cs_error *compare_hlods(struct call *call, const struct opened *opened)
{
	if (!opened->source)
		return cs_error_new(CS_E_COOKED,
			"diff hlod needs the source of the world: open its .uproject or JSON, not "
			"a cooked world");
	return tell_side(call, opened->world, (struct cs_engine_side){.source = opened->source});
}

static struct cs_error *run_diff_hlod(struct call *call)
{
	struct session *session = call->session;
	const struct argument *project = call_argument(call, 0);
	struct opened other = {0};
	if (!project->given && !session->world)
		return cs_error_new(CS_E_NOTOPEN,
			"diff hlod needs a world, but none is open: open the .uproject, or name it "
			"in the command");
	if (!project->given) {
		const struct opened open = {
			.world = session->world, .source = session->files.opened.source};
		return compare_hlods(call, &open);
	}
	struct cs_error *error =
		world_open(session, project->text, call_option(call, "map")->text, &other);
	if (!error)
		error = compare_hlods(call, &other);
	opened_close(&other);
	return error;
}

const struct command command_diff_hlod = {
	.name = "diff hlod",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"PROJECT", ARGUMENT_FILE, .optional = true}},
	.options = {{0, "map", "NAME", ARGUMENT_WORD,
		"compare the map NAME of PROJECT, if it has several maps"}},
	.summary = "compare the cook with the cells that Unreal's saved HLOD actors "
		   "were built from",
	.examples = "hlod build\n"
		    "diff hlod",
	.help = "An HLOD actor that the editor saved contains the name of the cell that it was\n"
		"built from, and the names of the actors of that cell. They show which cells\n"
		"Unreal generated when it built HLODs. The command cooks PROJECT and compares\n"
		"these cells with the cells of the cook. Without PROJECT it cooks the open world,\n"
		"which must not be a .cworld file. In the example the world has no HLOD actors,\n"
		"so `hlod build` builds them in place of the editor.\n\n"
		"The columns and the exit status are those of `diff log` (help diff log). A\n"
		"difference may only mean that the world was saved after its HLODs were built. A\n"
		"cell has the verdict `stale` when the actors that its HLOD actor names are all\n"
		"gone from the world. HLOD actors of engine versions 5.0 to 5.2 store no GUIDs of\n"
		"cells, so their cells are paired by name.",
	.run = run_diff_hlod,
};

static struct cs_error *run_diff_cooked(struct call *call)
{
	struct session *session = call->session;
	struct opened theirs = {0};
	const char *path = call_argument(call, 0)->text, *map = call_option(call, "map")->text;
	if (access(path, F_OK) == 0 && !source_is_cooked(path))
		return cs_error_at(CS_E_FEATURE, path, CS_NO_OFFSET,
			"Unreal's cooker did not write this file: use `diff` for other worlds");
	session->files.cooked = (struct place_options){.key = call_option(call, "key")->text,
		.names_alone = call_option(call, "names")->given};
	struct cs_error *error = world_open(session, path, map, &theirs);
	session->files.cooked = (struct place_options){0};
	if (!error)
		error = tell_cooked(call, session->world, theirs.world);
	opened_close(&theirs);
	return error;
}

const struct command command_diff_cooked = {
	.name = "diff cooked",
	.instead = "diff",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"PATH", ARGUMENT_FILE}},
	.options = {{0, "map", "NAME", ARGUMENT_WORD,
			    "compare the map NAME of PATH, if it has several maps"},
		{0, "key", "KEY", ARGUMENT_WORD,
			"AES key of the containers in PATH, 0x... or base64"},
		{.name = "names",
			.help = "do not read properties, which saves time; bounds and data layers are then not\n"
				"compared"}},
	.summary = "compare the cook with the output of Unreal's cooker for the same map",
	.examples = "diff Cooked --map Town\n"
		    "diff Cooked -w \"verdict = 'unexplained'\" --json",
	.help = "`diff PATH` does the same; the command `diff cooked` will be removed in the next\n"
		"release. PATH is a folder of cooked packages or of containers, or a cooked map.\n"
		"In the output `ours` is the cook of the open world, and `theirs` is PATH.\n\n"
		"The command compares the packages, GUIDs, bounds and actors of each cell, and\n"
		"the data layers. Cells are paired by GUID, else by name, package, content or\n"
		"coordinates. Actors are paired by GUID or, where Unreal wrote no GUIDs (before\n"
		"5.5), by the names of their objects. Cells whose package is missing are not\n"
		"compared. The verdict of a row is `differs by rule` if the rules of another\n"
		"engine version (set profile) give what Unreal made, else `unexplained`. The exit\n"
		"status is 1 when anything differs. `diff A B` compares two cooks of Unreal.",
	.run = run_diff_cooked,
};
