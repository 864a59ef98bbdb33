/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two cooks, and the generation report. */
#include "cmds/cmd_cooks.h"
#include "cmds/cmd_differences.h"
#include "cmds/cmd_plain.h"
#include "src/front/open.h"
#include "src/session/checks.h"

#include <cellscope/explain.h>
#include <cellscope/validation.h>

#include <stdio.h>
#include <string.h>

struct sides {
	const struct cs_cooked *left, *right;
};

struct diff_row {
	const char *change, *kind, *what, *field, *left, *right, *reasons;
	const struct sides *sides;
	const struct cs_diff_row *row;
	char what_text[200], field_text[64], left_text[200], right_text[200], reasons_text[160];
};

static void get_amount(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct diff_row *at = row->record;
	double amount = at->row->reasons & CS_DIFF_BOUNDS
				? cs_diff_amount(at->sides->left, at->sides->right, at->row)
				: 0;
	(void)column;
	*ret = amount > 0 ? cs_number(amount) : cs_null();
}

/* Of an actor that moved; found when it is looked at, for that walks both trails. */
static void get_rule(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct diff_row *at = row->record;
	const char *rule = at->row->reasons & CS_DIFF_MOVED
				   ? cs_parting_rule(at->sides->left, at->row->left,
					     at->sides->right, at->row->right)
				   : NULL;
	(void)column;
	*ret = rule ? cs_text(rule) : cs_null();
}

/* The cell of a row on one side. */
static uint32_t cell_of(const struct cs_cooked *c, const struct cs_diff_row *row, uint32_t at)
{
	if (at == CS_NONE)
		return CS_NONE;
	return row->kind == CS_DIFF_CELL    ? at
	       : row->kind == CS_DIFF_ACTOR ? c->actors[at].cell
					    : CS_NONE;
}

static void get_guid(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct diff_row *at = row->record;
	bool left = at->row->left != CS_NONE;
	const struct cs_cooked *c = left ? at->sides->left : at->sides->right;
	(void)column;
	*ret = cs_null();
	if (at->row->kind == CS_DIFF_ACTOR)
		*ret = cs_guid_value(
			c->details[left ? at->row->left : at->row->right].instance_guid);
}

/* Where it is, for a map: on the right side, on the left one where the right has it not. */
static void get_place(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct diff_row *at = row->record;
	const struct cs_cooked *c = at->sides->right;
	uint32_t cell = cell_of(c, at->row, at->row->right);
	if (cell == CS_NONE) {
		c = at->sides->left;
		cell = cell_of(c, at->row, at->row->left);
	}
	*ret = cs_null();
	if (cell == CS_NONE)
		return;
	const struct cs_cooked_cell *its = &c->cells[cell];
	const struct cs_value values[] = {cs_text(cs_cooked_text(c, its->name)),
		cs_text(cs_cooked_text(c, c->partitions[its->partition].name)),
		cs_integer(its->level), cs_integer(its->x), cs_integer(its->y)};
	*ret = values[column->argument];
}

#define PLACE(key_, kind_, index, text)                                                        \
	{                                                                                      \
		.key = (key_), .kind = CS_KIND_##kind_, .get = get_place, .argument = (index), \
		.doc = (text)                                                                  \
	}

static const struct cs_column diff_columns[] = {
	PLAIN("change", struct diff_row, change, TEXT, text, "+ new, - gone, ~ changed",
		.label = " ", .flags = CS_COLUMN_SHORT),
	PLAIN("kind", struct diff_row, kind, TEXT, text, "world, grid, layer, cell, actor, finding",
		.flags = CS_COLUMN_SHORT),
	PLAIN("what", struct diff_row, what, TEXT, text, "its name", .flags = CS_COLUMN_SHORT),
	PLAIN("field", struct diff_row, field, TEXT, text, "the field whose value differs"),
	PLAIN("left", struct diff_row, left, TEXT, text, "value or cell in the left cook",
		.flags = CS_COLUMN_SHORT),
	PLAIN("right", struct diff_row, right, TEXT, text, "value or cell in the right cook",
		.flags = CS_COLUMN_SHORT),
	PLAIN("reasons", struct diff_row, reasons, TEXT, text, "why it differs",
		.flags = CS_COLUMN_SHORT),
	{.key = "rule",
		.kind = CS_KIND_TEXT,
		.get = get_rule,
		.doc = "of an actor that moved: the first rule that decided differently"},
	{.key = "guid",
		.kind = CS_KIND_GUID,
		.get = get_guid,
		.doc = "of an actor that of its instance, which labels are not enough for"},
	PLACE("cell", TEXT, 0,
		"of a cell its name, of an actor where it is, on the right if it is there"),
	PLACE("grid", TEXT, 1, "of that cell"),
	PLACE("level", INTEGER, 2, "of that cell"),
	PLACE("x", INTEGER, 3, "its place in the grid"),
	PLACE("y", INTEGER, 4, "its place in the grid"),
	{.key = "amount",
		.kind = CS_KIND_NUMBER,
		.get = get_amount,
		.doc = "by how much bounds differ, cm: the corner that went farthest"},
};

static const struct cs_table diff_table = PLAIN_TABLE("differences", "difference", diff_columns);

static const char *const kinds[] = {
	[CS_DIFF_WORLD] = "world",
	[CS_DIFF_PARTITION_ROW] = "grid",
	[CS_DIFF_LAYER_ROW] = "layer",
	[CS_DIFF_CELL] = "cell",
	[CS_DIFF_ACTOR] = "actor",
	[CS_DIFF_FINDING] = "finding",
};

static void name_finding(const struct cs_cooked *c, uint32_t row, char text[200])
{
	const struct cs_cooked_finding *f = &c->findings[row];
	snprintf(text, 200, "%s %.60s%s%.60s", cs_check_token((enum cs_check)f->check),
		f->actor == CS_NONE ? "" : cs_cooked_actor_title(c, f->actor),
		f->other == CS_NONE ? "" : " -> ",
		f->other == CS_NONE ? "" : cs_cooked_actor_title(c, f->other));
}

/* What the row is called, on the side that has it. */
static void name_row(const struct sides *sides, const struct cs_diff_row *row, char text[200])
{
	const struct cs_cooked *c = row->left == CS_NONE ? sides->right : sides->left;
	uint32_t at = row->left == CS_NONE ? row->right : row->left;
	const char *name = "";
	switch (row->kind) {
	case CS_DIFF_WORLD:
		name = cs_cooked_text(c, c->world->name);
		break;
	case CS_DIFF_PARTITION_ROW:
		name = cs_cooked_text(c, c->partitions[at].name);
		break;
	case CS_DIFF_LAYER_ROW:
		name = cs_cooked_text(c, c->layers[at].label);
		break;
	case CS_DIFF_CELL:
		name = cs_cooked_text(c, c->cells[at].name);
		break;
	case CS_DIFF_ACTOR:
		name = cs_cooked_actor_title(c, at);
		break;
	case CS_DIFF_FINDING:
		name_finding(c, at, text);
		return;
	}
	snprintf(text, 200, "%s", name);
}

static const void *record_of(const struct cs_cooked *c, const struct cs_diff_row *row, uint32_t at)
{
	if (row->kind == CS_DIFF_WORLD)
		return c->world;
	return row->kind == CS_DIFF_LAYER_ROW ? (const void *)&c->layers[at]
					      : (const void *)&c->partitions[at];
}

/* The value of the field, or the cell of the actor. */
static const char *describe(
	const struct cs_cooked *c, const struct cs_diff_row *row, uint32_t at, char text[200])
{
	if (at == CS_NONE)
		return NULL;
	if (row->reasons & CS_DIFF_VALUE) {
		cs_field_format(c->file, row->field, record_of(c, row, at), 0, text, 200);
		return text;
	}
	if (row->kind != CS_DIFF_ACTOR || c->actors[at].cell == CS_NONE)
		return NULL;
	snprintf(text, 200, "%s", cs_cooked_text(c, c->cells[c->actors[at].cell].name));
	return text;
}

static void list_reasons(uint32_t reasons, char text[160])
{
	size_t n = 0;
	text[0] = '\0';
	for (uint32_t bit = 1; bit && bit <= reasons; bit <<= 1) {
		const char *name = cs_diff_reason_name(bit);
		if (reasons & bit && name && n < 140)
			n += (size_t)snprintf(text + n, 160 - n, "%s%s", n ? " " : "", name);
	}
}

static void fill_row(const struct sides *sides, const struct cs_diff_row *row, struct diff_row *to)
{
	to->sides = sides;
	to->row = row;
	to->change = row->reasons & CS_DIFF_NEW ? "+" : row->reasons & CS_DIFF_GONE ? "-" : "~";
	to->kind = kinds[row->kind];
	name_row(sides, row, to->what_text);
	to->what = to->what_text;
	if (row->field)
		to->field = row->field->name;
	to->left = describe(sides->left, row, row->left, to->left_text);
	to->right = describe(sides->right, row, row->right, to->right_text);
	if (row->field)
		snprintf(to->reasons_text, sizeof(to->reasons_text), "%s", row->field->name);
	else
		list_reasons(row->reasons, to->reasons_text);
	to->reasons = to->reasons_text;
}

static bool is_expected(const struct cs_diff_row *row, const char *expected)
{
	return expected && row->kind == CS_DIFF_WORLD && strcmp(row->field->name, expected) == 0;
}

static struct cs_error *emit_diff(struct call *call, const struct sides *sides,
	const struct cs_diff *diff, const char *expected)
{
	struct diff_row *rows = calloc(diff->n + 1, sizeof(*rows));
	size_t n = 0;
	if (!rows)
		return cs_error_nomem();
	for (size_t i = 0; i < diff->n; i++)
		if (!is_expected(&diff->rows[i], expected))
			fill_row(sides, &diff->rows[i], &rows[n++]);
	struct cs_error *error = NULL;
	if (n || wants_rows(call))
		error = emit_plain(call, &diff_table, rows, n, sizeof(*rows));
	else
		say(call->out, "no differences\n");
	free(rows);
	return error;
}

struct cs_error *emit_differences(
	struct call *call, struct cs_cooked *left, struct cs_cooked *right, const char *expected)
{
	struct cs_diff diff;
	const struct sides sides = {left, right};
	struct cs_error *error = cs_cooked_diff(left, right, &diff);
	if (error)
		return error;
	error = emit_diff(call, &sides, &diff, expected);
	cs_diff_deinit(&diff);
	return error;
}

/* ---- counts ---- */

struct stat_row {
	const char *kind;
	int64_t new_rows, gone, moved, renamed, guid, bounds, other;
};

#define STAT(key_, member, doc_) \
	PLAIN(key_, struct stat_row, member, INTEGER, integer, doc_, .flags = CS_COLUMN_SHORT)

static const struct cs_column stat_columns[] = {
	PLAIN("kind", struct stat_row, kind, TEXT, text, "world, grid, layer, cell, actor, finding",
		.flags = CS_COLUMN_SHORT),
	STAT("new", new_rows, "only in the right cook"),
	STAT("gone", gone, "only in the left cook"),
	STAT("moved", moved, "in another cell"),
	STAT("renamed", renamed, "same GUID, other name"),
	STAT("guid", guid, "same name, other GUID"),
	STAT("bounds", bounds, "in the same place, with other bounds"),
	STAT("changed", other, "anything else"),
};

static const struct cs_table stat_table = PLAIN_TABLE("diff_stats", "diff_stat", stat_columns);

/* A row counts once, for the first of these that holds. */
static int64_t *counter_of(struct stat_row *row, uint32_t reasons)
{
	return reasons & CS_DIFF_NEW      ? &row->new_rows
	       : reasons & CS_DIFF_GONE   ? &row->gone
	       : reasons & CS_DIFF_MOVED  ? &row->moved
	       : reasons & CS_DIFF_NAME   ? &row->renamed
	       : reasons & CS_DIFF_GUID   ? &row->guid
	       : reasons & CS_DIFF_BOUNDS ? &row->bounds
					  : &row->other;
}

static struct cs_error *emit_stat(
	struct call *call, struct cs_cooked *left, struct cs_cooked *right)
{
	enum { KINDS = CS_DIFF_FINDING + 1 };
	struct stat_row rows[KINDS] = {0};
	struct cs_diff diff;
	struct cs_error *error = cs_cooked_diff(left, right, &diff);
	if (error)
		return error;
	for (int i = 0; i < KINDS; i++)
		rows[i].kind = kinds[i];
	for (size_t i = 0; i < diff.n; i++)
		++*counter_of(&rows[diff.rows[i].kind], diff.rows[i].reasons);
	cs_diff_deinit(&diff);
	return emit_plain(call, &stat_table, rows, KINDS, sizeof(*rows));
}

static struct cs_error *compare(struct call *call, struct cs_cooked *left, struct cs_cooked *right)
{
	char left_id[33], right_id[33];
	cs_file_content_id(left->file, left_id);
	cs_file_content_id(right->file, right_id);
	check_verdict(call, strcmp(left_id, right_id) == 0, "the cooks differ");
	if (call_option(call, "stat")->given)
		return emit_stat(call, left, right);
	return call_option(call, "review")->given && !wants_rows(call)
		       ? say_review(call, left, right)
		       : emit_differences(call, left, right, NULL);
}

static struct cs_error *run_diff(struct call *call)
{
	struct opened left = {0}, right = {0};
	struct cs_cooked *cooks[2];
	const char *sides[] = {call_argument(call, 0)->text, call_argument(call, 1)->text};
	struct cs_error *error = open_cook(call, &sides[0], &left, &cooks[0]);
	if (!error)
		error = open_cook(call, &sides[1], &right, &cooks[1]);
	if (!error)
		error = compare(call, cooks[0], cooks[1]);
	opened_close(&left);
	opened_close(&right);
	return error;
}

const struct command command_diff_world = {
	.name = "diff world",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"LEFT", ARGUMENT_FILE}, {"RIGHT", ARGUMENT_FILE}},
	.options = {{0, "stat", NULL, ARGUMENT_NONE, "how many of each kind, not which", NULL},
		{'r', "review", NULL, ARGUMENT_NONE,
			"in groups, with both trails of actors that moved, and a summary", NULL}},
	.summary = "what differs between two cooks, and why; exit status 1 when anything does",
	.examples = "diff world before.cworld after.cworld\n"
		    "diff world a.cworld b.cworld --stat\n"
		    "diff world a.cworld b.cworld --review -n 5\n"
		    "diff world a.cworld b.cworld -w \"kind = 'actor'\" --json",
	.help = "A side is a file, `now` for the open world, KEY=VALUE for that with a change.\n"
		"Settings first, then cells, actors and findings. An actor that moved tells why: its\n"
		"bounds, its grid, its layers, its cluster, a repair, the settings of its grid.\n"
		"`rule` is the first rule of its trail that decided differently (help rule NUMBER),\n"
		"`amount` by how far bounds differ; -c shows them. --stat counts.\n"
		"--review is for reading: settings and findings first, then actors, each that moved\n"
		"with the step of both trails at which they part, then cells; -n rows of each group,\n"
		"10 where it is not given.",
	.run = run_diff,
};

/* ---- cook log ---- */

static struct cs_error *run_cook_log(struct call *call)
{
	const char *path = call_argument(call, 0)->text;
	struct cs_error *error = cs_cooked_write_log(call->session->world, path);
	if (!error)
		note(call->out, "wrote %s\n", path);
	return error;
}

const struct command command_cook_log = {
	.name = "cook log",
	.group = GROUP_FILES,
	.flags = COMMAND_WORLD | COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_OUTPUT}},
	.summary = "write the cook as a StreamingGeneration log",
	.examples = "cook log valley.log",
	.help = "In the layout of the engine's own log; it can be opened and cooked again. It does\n"
		"not carry data layers, HLOD layers, content bundles, tags, loading ranges and the\n"
		"engine's version; boxes in level instances that stand at an angle come out larger.",
	.run = run_cook_log,
};
