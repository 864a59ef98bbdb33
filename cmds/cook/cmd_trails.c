/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints two trails (decisions about an actor) side by side: step i of one beside step i of the
 * other, also after the first difference.
 */
#include "cmds/cook/cmd_cooks.h"
#include "cmds/cook/cmd_trail.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

struct pair_row {
	size_t step;
	const char *title, *now, *now_verdict, *then, *then_verdict, *differs;
};

static const struct cs_column pair_columns[] = {
	SHORT(struct pair_row, step, "number of the step"),
	SHORT(struct pair_row, title, "title of the rule", .label = "rule"),
	SHORT(struct pair_row, now, "facts that the step examined in the cook on the left side",
		.label = "left"),
	SHORT_AS("verdict", struct pair_row, now_verdict,
		"decision of the step in the cook on the left side"),
	SHORT(struct pair_row, then, "facts that the step examined in the cook on the right side",
		.label = "right"),
	SHORT(struct pair_row, then_verdict, "decision of the step in the cook on the right side",
		.label = "verdict"),
	SHORT(struct pair_row, differs,
		"first: first step that differs; then: a later step that differs", .label = " "),
};

static const struct cs_table pair_table = PLAIN_TABLE("step_pairs", "step_pair", pair_columns);

/* Makes the rows of a trail without its advice (TRY_...), which another cook does not have. */
static struct cs_error *trails_rows_of(
	const struct cs_cooked *cooked, const struct cs_trail *trail, struct trail_rows *ret)
{
	const uint32_t advice = 1u << CS_RULE_TRY_NON_ALIGNED | 1u << CS_RULE_TRY_SMALL |
				1u << CS_RULE_TRY_PARTITION | 1u << CS_RULE_TRY_WITHOUT;
	return trail_rows_of(cooked, trail, ~advice, ret);
}

static const struct step_row *step_at(const struct trail_rows *rows, size_t index)
{
	return index < rows->n ? &rows->rows[index] : NULL;
}

static bool says_same(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

static const char *trails_mark_of(const struct pair_row *row, size_t index, size_t part)
{
	bool same =
		says_same(row->now, row->then) && says_same(row->now_verdict, row->then_verdict);
	return index == part ? "first" : same || index < part ? NULL : "then";
}

static struct cs_error *emit_pairs(struct call *call, const struct trail_rows *left,
	const struct trail_rows *right, size_t part)
{
	size_t n = left->n > right->n ? left->n : right->n;
	struct pair_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++) {
		const struct step_row *l = step_at(left, i), *r = step_at(right, i);
		rows[i] = (struct pair_row){.step = i + 1,
			.title = l ? l->title : r->title,
			.now = l ? l->input : NULL,
			.now_verdict = l ? l->verdict : NULL,
			.then = r ? r->input : NULL,
			.then_verdict = r ? r->verdict : NULL};
		rows[i].differs = trails_mark_of(&rows[i], i, part);
	}
	return emit_plain_taken(call, &pair_table, rows, n);
}

/* Opens the cook to compare with: the file of --with, or the open world with other settings. */
static struct cs_error *open_other(struct call *call, struct opened *ret)
{
	const struct argument *with = call_option(call, "with");
	size_t n = call->n_arguments - 1;
	if (with->given && n > 0)
		return cs_error_new(CS_E_USAGE, "give either NAME=VALUE or --with FILE, not both");
	if (with->given)
		return cs_cooked_open(with->text, &call->session->job, &ret->world);
	const char **assignments = calloc(n + 1, sizeof(*assignments));
	if (!assignments)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		assignments[i] = call_argument(call, i + 1)->text;
	struct cs_error *error = cook_changed(call->session, assignments, n, ret);
	free(assignments);
	return error;
}

static struct cs_error *trails_of(
	struct call *call, struct cs_cooked *left, uint32_t actor, struct cs_cooked *right)
{
	struct trail_rows rows[2] = {{0}};
	struct cs_parting parting = {.rule = NULL};
	struct cs_error *error = cs_cooked_load_actors(left);
	if (!error)
		error = cs_cooked_load_actors(right);
	if (!error)
		error = cs_parting_of_actor(left, actor, right, CS_NONE, &parting);
	if (!error)
		error = trails_rows_of(left, &parting.left, &rows[0]);
	if (!error)
		error = trails_rows_of(right, &parting.right, &rows[1]);
	if (!error)
		error = emit_pairs(call, &rows[0], &rows[1], parting.step);
	trail_rows_free(&rows[0]);
	trail_rows_free(&rows[1]);
	free(parting.left.steps);
	free(parting.right.steps);
	return error;
}

struct cs_error *emit_two_trails(struct call *call)
{
	struct opened other = {0};
	struct cs_error *error = open_other(call, &other);
	if (!error)
		error = trails_of(
			call, call->session->world, call_argument(call, 0)->row, other.world);
	opened_close(&other);
	return error;
}

/* ---- command diff actor ---- */

/* Finds an actor of the left cook by label, name or GUID. Takes the first when several match. */
static struct cs_error *find_named(
	struct cs_cooked *cooked, const char *left, const char *name, uint32_t *ret)
{
	struct cs_query *query;
	const void *source;
	size_t n = 0;
	struct cs_error *error = cs_query_new(&query);
	if (error)
		return error;
	error = cs_query_add_cooked(query, cooked);
	if (!error) {
		const struct cs_table *table = cs_query_table_named(query, "actors", &source);
		error = cs_query_find(query, table, name, ret, 1, &n);
	}
	if (!error && n == 0)
		error = cs_error_new(CS_E_NOACTOR,
			"the left cook, %s, has no actor '%s': `open` the cook, and `actors` lists "
			"its actors",
			left, name);
	cs_query_free(query);
	return error;
}

static struct cs_error *run_diff_actor(struct call *call)
{
	struct opened opened[2] = {{0}};
	struct cs_cooked *cooks[2] = {NULL, NULL};
	struct cs_error *error = NULL;
	uint32_t actor;
	for (size_t i = 0; !error && i < 2; i++)
		error = open_cook(call, &call_argument(call, i + 1)->text, &opened[i], &cooks[i]);
	if (!error)
		error = find_named(cooks[0], call_argument(call, 1)->text,
			call_argument(call, 0)->text, &actor);
	if (!error)
		error = trails_of(call, cooks[0], actor, cooks[1]);
	opened_close(&opened[0]);
	opened_close(&opened[1]);
	return error;
}

const struct command command_diff_actor = {
	.name = "diff actor",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"NAME", ARGUMENT_WORD}, {"LEFT", ARGUMENT_WORD}, {"RIGHT", ARGUMENT_WORD}},
	.summary = "compare the placement of an actor in two cooks, rule by rule",
	.examples = "diff actor Rock_1187 before.cworld after.cworld\n"
		    "diff actor Rock_1187 now MainGrid.cell_size=25600",
	.help = "NAME is the label, name or GUID of an actor in the left cook; the right cook is\n"
		"searched for the GUID of this actor. LEFT and RIGHT are each a file, `now` (the\n"
		"open world) or KEY=VALUE (the open world, cooked with that change: help whatif).\n"
		"\n"
		"Each row is a step of the placement, with its rule and what the rule decided in\n"
		"each cook. The last column, `differs`, is `first` for the first step that\n"
		"differs between the two cooks, and `then` for later ones.",
	.run = run_diff_actor,
};
