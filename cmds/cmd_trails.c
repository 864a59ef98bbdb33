/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two trails of one actor, step by step: in the open cook and in another one. The library tells
 * where they part; behind that the steps stand beside each other by their number.
 */
#include "cmds/cmd_differences.h"
#include "cmds/cmd_plain.h"
#include "cmds/cmd_trail.h"
#include "cmds/commands.h"

#include <stdlib.h>
#include <string.h>

struct pair_row {
	size_t step;
	const char *title, *now, *now_verdict, *then, *then_verdict, *differs;
};

static const struct cs_column pair_columns[] = {
	PLAIN("step", struct pair_row, step, INTEGER, size, "number", .flags = CS_COLUMN_SHORT),
	PLAIN("title", struct pair_row, title, TEXT, text, "the rule", .label = "rule",
		.flags = CS_COLUMN_SHORT),
	PLAIN("now", struct pair_row, now, TEXT, text, "what it looked at in the open cook",
		.flags = CS_COLUMN_SHORT),
	PLAIN("verdict", struct pair_row, now_verdict, TEXT, text, "what it said there",
		.flags = CS_COLUMN_SHORT),
	PLAIN("then", struct pair_row, then, TEXT, text, "what it looked at in the other one",
		.label = "what if", .flags = CS_COLUMN_SHORT),
	PLAIN("then_verdict", struct pair_row, then_verdict, TEXT, text, "what it said there",
		.label = "verdict", .flags = CS_COLUMN_SHORT),
	PLAIN("differs", struct pair_row, differs, TEXT, text,
		"first: the first step that differs; then: another one behind it", .label = " ",
		.flags = CS_COLUMN_SHORT),
};

static const struct cs_table pair_table = PLAIN_TABLE("step_pairs", "step_pair", pair_columns);

struct side {
	const struct cs_cooked *cooked;
	struct cs_trail trail;
	struct trail_rows rows;
};

static void side_free(struct side *side)
{
	cs_trail_deinit(&side->trail);
	trail_rows_free(&side->rows);
}

/* Not the advice at the end, which is about one cook alone. */
static struct cs_error *side_of(struct cs_cooked *cooked, uint32_t actor, struct side *ret)
{
	const uint32_t advice = 1u << CS_RULE_TRY_NON_ALIGNED | 1u << CS_RULE_TRY_SMALL |
				1u << CS_RULE_TRY_PARTITION | 1u << CS_RULE_TRY_WITHOUT;
	*ret = (struct side){.cooked = cooked};
	struct cs_error *error = cs_explain_actor(cooked, actor, &ret->trail);
	return error ? error : trail_rows_of(cooked, &ret->trail, ~advice, &ret->rows);
}

/* The same actor: by GUID, and by place among those of several instances. */
static uint32_t find_actor(const struct cs_cooked *from, uint32_t actor, const struct cs_cooked *in)
{
	struct cs_guid guid = from->actors[actor].guid;
	size_t before = 0;
	for (uint32_t i = 0; i < actor; i++)
		before += cs_guid_compare(from->actors[i].guid, guid) == 0;
	for (uint32_t i = 0; i < in->n_actors; i++)
		if (cs_guid_compare(in->actors[i].guid, guid) == 0 && before-- == 0)
			return i;
	return CS_NONE;
}

static const struct step_row *step_at(const struct side *side, size_t index)
{
	return index < side->rows.n ? &side->rows.rows[index] : NULL;
}

static bool says_same(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

static const char *mark_of(const struct pair_row *row, size_t index, size_t part)
{
	bool same =
		says_same(row->now, row->then) && says_same(row->now_verdict, row->then_verdict);
	return index == part ? "first" : same || index < part ? NULL : "then";
}

static struct cs_error *emit_pairs(
	struct call *call, const struct side *left, const struct side *right)
{
	size_t n = left->rows.n > right->rows.n ? left->rows.n : right->rows.n;
	size_t part = cs_trails_part(&(struct cs_trail_side){left->cooked, &left->trail},
		&(struct cs_trail_side){right->cooked, &right->trail});
	struct pair_row *rows = calloc(n + 1, sizeof(*rows));
	if (!rows)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		const struct step_row *l = step_at(left, i), *r = step_at(right, i);
		rows[i] = (struct pair_row){.step = i + 1,
			.title = l ? l->title : r->title,
			.now = l ? l->input : NULL,
			.now_verdict = l ? l->verdict : NULL,
			.then = r ? r->input : NULL,
			.then_verdict = r ? r->verdict : NULL};
		rows[i].differs = mark_of(&rows[i], i, part);
	}
	struct cs_error *error = emit_plain(call, &pair_table, rows, n, sizeof(*rows));
	free(rows);
	return error;
}

/* What the settings make of the source, or the file. */
static struct cs_error *open_other(struct call *call, struct opened *ret)
{
	const struct argument *with = call_option(call, "with");
	size_t n = call->n_arguments - 1;
	if (with->given && n > 0)
		return cs_error_new(CS_E_USAGE, "either settings or --with, not both");
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

struct cs_error *emit_two_trails(struct call *call)
{
	uint32_t actor = call_argument(call, 0)->row, there = CS_NONE;
	struct cs_cooked *world = call->session->world;
	struct opened other = {0};
	struct side left = {0}, right = {0};
	struct cs_error *error = open_other(call, &other);
	if (!error)
		error = cs_cooked_load_actors(world);
	if (!error)
		error = cs_cooked_load_actors(other.world);
	if (!error)
		there = find_actor(world, actor, other.world);
	if (!error && there == CS_NONE)
		error = cs_error_new(CS_E_MISSING, "the other cook has no such actor");
	if (!error)
		error = side_of(world, actor, &left);
	if (!error)
		error = side_of(other.world, there, &right);
	if (!error)
		error = emit_pairs(call, &left, &right);
	side_free(&left);
	side_free(&right);
	opened_close(&other);
	return error;
}
