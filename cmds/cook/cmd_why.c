/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `explain actor`, `why-always`, `why-level` and `why-repair`, which print
 * why the cook put an actor where it is. The library returns the steps of the decision as data;
 * cmd_trail.c makes sentences of them.
 */
#include "cmds/cook/cmd_trail.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/cooked.h>
#include <cellscope/cooked_values.h>

#include <stdlib.h>
#include <string.h>

/* ---- steps of a trail ---- */

static const struct cs_column step_columns[] = {
	SHORT(struct step_row, step, "number of the step"),
	SHORT(struct step_row, rule, "number of the rule"),
	SHORT_AS("number", struct step_row, is.number, "number of the rule: help rule NUMBER"),
	PLAIN(struct step_row, title, "title of the rule"),
	SHORT(struct step_row, input, "facts that the rule examined"),
	SHORT(struct step_row, verdict, "decision of the rule"),
	PLAIN_AS("holds", struct step_row, is.holds, "whether the rule applies to the actor"),
	PLAIN_AS("level", struct step_row, is.level, "grid level"),
	PLAIN_AS("cells", struct step_row, is.count,
		"number of cells, actors or layers that the rule counted"),
	PLAIN_AS("length", struct step_row, is.length,
		"extent, cell size or area that the rule measured"),
	PLAIN(struct step_row, actor, "actor that the rule names"),
	PLAIN(struct step_row, partition, "grid that the rule names"),
	PLAIN(struct step_row, cell, "cell that the rule leads to"),
	PLAIN_AS("finding", struct step_row, is.finding, "row of the table `findings`"),
};

static const struct cs_table step_table = PLAIN_TABLE("steps", "step", step_columns);

static void say_actor(struct output *out, const struct cs_cooked *cooked, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	const char *class = cs_cooked_text(cooked, *cs_cooked_text(cooked, actor->base_class)
							   ? actor->base_class
							   : actor->native_class);
	const char *dot = strrchr(class, '.');
	char guid[CS_GUID_TEXT];
	cs_guid_format(actor->guid, guid);
	say(out, "%s  %s  guid %s\n", cs_cooked_actor_title(cooked, row), dot ? dot + 1 : class,
		guid);
}

/*
 * Prints a step of the explanation: its number, its rule, the input of the rule and, after an
 * arrow, what the rule decides. The arrows are aligned if the line is wide enough.
 */
static void say_step(struct output *out, const struct step_row *row, size_t number)
{
	static const char blanks[] = "                                        ";
	enum { BEFORE = sizeof(blanks) - 1, INPUT = 32, ARROW = 4 };
	size_t input = strlen(row->input), verdict = strlen(row->verdict);
	size_t width = out->style.width ? out->style.width : 80, pad = INPUT;
	say(out, "%3zu %-7s %-27s %s", number, row->is.number, row->title, row->input);
	if (verdict) {
		if (BEFORE + pad + ARROW + verdict > width)
			pad = width > BEFORE + ARROW + verdict ? width - BEFORE - ARROW - verdict
							       : 0;
		say(out, "%s", input < pad ? blanks + BEFORE - (pad - input) : "");
		if (BEFORE + input + ARROW + verdict > width)
			say(out, "\n%s", blanks);
		say(out, " -> %s", row->verdict);
	}
	say(out, "\n");
}

static void say_steps(struct output *out, const struct trail_rows *rows)
{
	const struct step_row *answer = NULL;
	for (size_t i = 0; i < rows->n; i++) {
		const struct step_row *row = &rows->rows[i];
		if (strcmp(row->rule, "cell") == 0) {
			answer = row;
			continue;
		}
		if (strncmp(row->rule, "try_", 4) == 0)
			continue;
		say_step(out, row, i + 1);
	}
	if (answer)
		say(out, "  = %-7s %s%s%s\n", answer->is.number, answer->input,
			*answer->verdict ? ", " : "", answer->verdict);
	for (size_t i = 0; i < rows->n; i++) {
		const struct step_row *row = &rows->rows[i];
		if (strncmp(row->rule, "try_", 4) == 0)
			say(out, "try %-7s %s%s%s -> %s\n", row->is.number, row->title,
				*row->input ? " " : "", row->input, row->verdict);
	}
}

/* Suggests why-repair, which lists the causes, if validation forced a change of the actor. */
static void say_next(struct output *out, const struct cs_cooked *cooked,
	const struct trail_rows *rows, uint32_t actor)
{
	bool forced = false;
	for (size_t i = 0; i < rows->n; i++)
		forced = forced || strcmp(rows->rows[i].rule, "forced") == 0;
	if (forced)
		note_command(out, "next: why-repair ", cs_cooked_actor_title(cooked, actor), "");
}

static struct cs_error *explain(struct call *call, uint32_t wanted)
{
	const struct cs_cooked *cooked = call->session->world;
	uint32_t actor = call_argument(call, 0)->row;
	struct cs_trail trail;
	struct trail_rows rows;
	struct cs_error *error = cs_explain_actor(cooked, actor, &trail);
	if (error)
		return error;
	error = trail_rows_of(cooked, &trail, wanted, &rows);
	free(trail.steps);
	if (error)
		return error;
	error = cs_cooked_failed(call->session->world);
	if (error) {
		trail_rows_free(&rows);
		return error;
	}
	if (asks_for_rows(call)) {
		error = emit_plain(call, &step_table, rows.rows, rows.n);
	} else {
		say_actor(call->out, cooked, actor);
		say_steps(call->out, &rows);
		say_next(call->out, cooked, &rows, actor);
	}
	trail_rows_free(&rows);
	return error;
}

static struct cs_error *run_explain(struct call *call)
{
	bool two = call->n_arguments > 1 || call_option(call, "with")->given;
	return two ? emit_two_trails(call) : explain(call, UINT32_MAX);
}

const struct command command_explain_actor = {
	.name = "explain actor",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR},
		{"NAME=VALUE", ARGUMENT_WORD, .optional = true, .many = true}},
	.options = {{0, "with", "FILE", ARGUMENT_FILE,
		"also show the list of the same actor in the cooked world FILE, side by side"}},
	.summary = "list every rule that led an actor to its cell",
	.examples = "explain actor Rock_1187\n"
		    "explain actor Rock_1187 MainGrid.cell_size=25600",
	.help = "Each line shows the number of a rule (help rule NUMBER), what the rule examined\n"
		"and what it decided. Lines with `try` suggest how to place the actor on a lower\n"
		"level, by another grid setting or other references. `why-always` and `why-level`\n"
		"print parts of this list, and `why-repair` shows which changes validation made\n"
		"to the actor.\n\n"
		"With NAME=VALUE, a change of the open world (help whatif), or with --with, the\n"
		"command shows the lists of two cooks side by side and marks the first rule that\n"
		"decided differently.",
	.run = run_explain,
};

/* Prints the steps of an actor's placement whose rules have a bit in the command's variant. */
static struct cs_error *run_why_placed(struct call *call)
{
	return explain(call, (uint32_t)call->command->variant);
}

enum {
	ABOUT_ALWAYS = 1u << CS_RULE_UNPLACED | 1u << CS_RULE_WORLD_STREAMS |
		       1u << CS_RULE_OWN_SPATIAL | 1u << CS_RULE_PARENT | 1u << CS_RULE_CONTAINER |
		       1u << CS_RULE_FORCED | 1u << CS_RULE_SPATIAL | 1u << CS_RULE_BOUNDS |
		       1u << CS_RULE_OUTSIDE | 1u << CS_RULE_TOP | 1u << CS_RULE_LAYERS |
		       1u << CS_RULE_BUNDLE | 1u << CS_RULE_CELL | 1u << CS_RULE_TRY_PARTITION |
		       1u << CS_RULE_TRY_NON_ALIGNED | 1u << CS_RULE_TRY_SMALL |
		       1u << CS_RULE_TRY_WITHOUT,
	ABOUT_LEVEL = 1u << CS_RULE_UNPLACED | 1u << CS_RULE_SPATIAL | 1u << CS_RULE_CLUSTER |
		      1u << CS_RULE_BOUNDS | 1u << CS_RULE_GRID | 1u << CS_RULE_SMALL |
		      1u << CS_RULE_PARTITION_ACTORS | 1u << CS_RULE_LEVEL | 1u << CS_RULE_DEMOTED |
		      1u << CS_RULE_OUTSIDE | 1u << CS_RULE_TOP | 1u << CS_RULE_CELL |
		      1u << CS_RULE_TRY_NON_ALIGNED | 1u << CS_RULE_TRY_SMALL |
		      1u << CS_RULE_TRY_PARTITION | 1u << CS_RULE_TRY_WITHOUT
};

const struct command command_why_always = {
	.name = "why-always",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "explain why an actor is always loaded, or why not",
	.examples = "why-always SM_Bridge\nactors -w \"placement = 'top'\" -c label,cell",
	.help = "An actor is always loaded when it is not spatially loaded, has no bounds, was\n"
		"made non-spatial by validation, or is in the top cell of a spatial hash because\n"
		"no lower cell contains it (the column `placement` of `actors` is then `top`).\n"
		"Always loaded actors with data layers or of a content bundle are in a cell for\n"
		"these layers or this bundle. All other always loaded actors are in one common\n"
		"cell.",
	.run = run_why_placed,
	.variant = ABOUT_ALWAYS,
};

const struct command command_why_level = {
	.name = "why-level",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "explain why an actor is on its grid level",
	.examples = "why-level SM_Wall",
	.help = "Each line is a rule, as in `explain actor`. `taken` marks the level of the\n"
		"actor; `too small` or `touches N cells` says why a lower level was not taken.\n"
		"All actors of a cluster load together, so the extent of the whole cluster\n"
		"decides. `cluster ACTOR` lists the cluster, and `cut ACTOR` lists each reference\n"
		"that alone holds the cluster together.",
	.run = run_why_placed,
	.variant = ABOUT_LEVEL,
};

/* ---- command why-repair ---- */

struct repair_row {
	size_t step;
	uint32_t finding;
	const char *check, *number, *severity, *actor, *other, *repair, *reason;
	int64_t pass;
};

static const struct cs_column repair_columns[] = {
	PLAIN(struct repair_row, step, "number of the step"),
	PLAIN(struct repair_row, finding, "row of the table findings"),
	PLAIN(struct repair_row, pass, "pass of the validation"),
	PLAIN(struct repair_row, severity, "severity"),
	PLAIN(struct repair_row, check, "rule of the check"),
	SHORT(struct repair_row, number, "number of the rule: help rule NUMBER"),
	PLAIN(struct repair_row, actor, "actor that has the reference"),
	PLAIN(struct repair_row, other, "actor that is referred to"),
	PLAIN(struct repair_row, repair, "repair that validation made"),
	PLAIN(struct repair_row, reason, "part of the rule that applies"),
};

static const struct cs_table repair_table = PLAIN_TABLE("repairs", "repair", repair_columns);

enum { LONGEST_CHAIN = 64 };

static struct repair_row make_repair(const struct cs_cooked *cooked, uint32_t finding, size_t step)
{
	const struct cs_cooked_finding *cooked_finding = &cooked->findings[finding];
	return (struct repair_row){
		.step = step,
		.finding = finding,
		.check = cs_word(CS_WORDS_CHECK, cooked_finding->check)->name,
		.number = cs_finding_rule(cooked_finding),
		.severity = cs_word(CS_WORDS_SEVERITY, cooked_finding->severity)->name,
		.actor = cooked_finding->actor == CS_NONE
				 ? NULL
				 : cs_cooked_actor_title(cooked, cooked_finding->actor),
		.other = cooked_finding->other == CS_NONE
				 ? NULL
				 : cs_cooked_actor_title(cooked, cooked_finding->other),
		.repair = repair_words(cooked_finding->repair),
		.reason = cs_cooked_text(cooked, cooked_finding->reason),
		.pass = cooked_finding->pass,
	};
}

static void say_repair(struct output *out, const struct repair_row *row)
{
	say(out, "%s%s%s%s%s\n", row->step == 1 ? "" : "because ", row->actor ? row->actor : "-",
		row->other ? " -> " : "", row->other ? row->other : "",
		row->pass ? "  (a later pass)" : "");
	say(out, "  %s %s, rule %s\n", row->severity, row->check, row->number);
	say(out, "  %s -> %s\n", row->reason, row->repair);
}

typedef CS_VEC(struct repair_row) repair_rows;

/* Lists the repairs of the actor by validation with their causes, then the removed references. */
static struct cs_error *list_repairs(
	const struct cs_cooked *cooked, uint32_t actor, repair_rows *rows)
{
	static const enum cs_repair kinds[] = {CS_REPAIR_NON_SPATIAL, CS_REPAIR_NO_LAYERS,
		CS_REPAIR_NO_GRID, CS_REPAIR_NO_HLOD_LAYER, CS_REPAIR_DROP_REFERENCE,
		CS_REPAIR_KEEP_FILTERED};
	uint32_t chain[LONGEST_CHAIN];
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		bool dropped = kinds[kind] == CS_REPAIR_DROP_REFERENCE;
		size_t n = cs_explain_repair(cooked, actor, kinds[kind], chain, LONGEST_CHAIN);
		for (size_t i = 0; i < n && i < LONGEST_CHAIN; i++)
			if (!cs_vec_push(rows, make_repair(cooked, chain[i], dropped ? 1 : i + 1)))
				return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *run_why_repair(struct call *call)
{
	const struct cs_cooked *cooked = call->session->world;
	uint32_t actor = call_argument(call, 0)->row;
	repair_rows rows = {0};
	struct cs_error *error = list_repairs(cooked, actor, &rows);
	if (!error)
		error = cs_cooked_failed(call->session->world);
	const bool as_rows = asks_for_rows(call);
	if (!error && as_rows)
		error = emit_plain(call, &repair_table, rows.at, rows.n);
	else if (!error && rows.n == 0)
		say(call->out, "validation changed nothing about %s\n",
			cs_cooked_actor_title(cooked, actor));
	for (size_t i = 0; !error && !as_rows && i < rows.n; i++)
		say_repair(call->out, &rows.at[i]);
	cs_vec_free(&rows);
	return error;
}

const struct command command_why_repair = {
	.name = "why-repair",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "show why validation changed an actor: the findings and the references",
	.examples = "why-repair BP_Door",
	.help = "The command prints the finding for which validation changed the actor, with the\n"
		"change after `->`. If an earlier finding caused this finding, the earlier\n"
		"finding is printed next, and so on back to the first. Below the findings are the\n"
		"references from or to the actor that validation dropped. `check --all` lists all\n"
		"findings.",
	.run = run_why_repair,
};
