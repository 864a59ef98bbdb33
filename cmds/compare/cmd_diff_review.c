/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the summaries of the command `diff`. --review prints the differences of two cooks in
 * groups, from causes (settings) to effects (cells), each with its count and its first rows, and a
 * summary; --stat prints the number of differences of each kind.
 */
#include "cmds/cook/cmd_trail.h"
#include "cmds/world/cmd_differences.h"
#include "src/session/plain.h"

#include <cellscope/cook.h>
#include <cellscope/cooked.h>

#include <stdlib.h>

struct review {
	struct output *out;
	const struct cs_cooked *left, *right;
	const struct listed_difference *rows;
	size_t n_rows;
	size_t limit; /* largest number of rows printed per group */
	struct cs_error *error;
};

typedef void say_row(struct review *review, const struct cs_diff_row *row);

/* A cook and the row of a difference in it, in the left cook if both cooks have the row. */
struct side {
	const struct cs_cooked *cooked;
	uint32_t row;
};

static struct side side_of_row(const struct review *review, const struct cs_diff_row *row)
{
	return row->left != CS_NONE ? (struct side){review->left, row->left}
				    : (struct side){review->right, row->right};
}

/* ---- names of cells and actors ---- */

static const char *diff_review_cell_name(const struct cs_cooked *cooked, uint32_t cell)
{
	return cell == CS_NONE ? "no cell" : cs_cooked_cell_name(cooked, cell);
}

static const char *diff_review_actor_of(const struct review *review, const struct cs_diff_row *row)
{
	const struct side side = side_of_row(review, row);
	return cs_cooked_actor_title(side.cooked, side.row);
}

/* ---- rows about settings ---- */

static void say_setting(struct review *review, const struct cs_diff_row *row)
{
	const struct side side = side_of_row(review, row);
	char before[200], after[200];
	say(review->out, "  %s %s", cs_diff_kind_name(row->kind),
		cs_diff_name_of(side.cooked, row, side.row));
	if (row->reasons & CS_DIFF_NAME) {
		say(review->out, " -> %s\n", cs_diff_name_of(review->right, row, row->right));
		return;
	}
	if (!row->field) {
		say(review->out, ": %s\n", row->left != CS_NONE ? "gone" : "new");
		return;
	}
	cs_field_format(review->left->file, row->field,
		cs_diff_record(review->left, row, row->left), 0, before, sizeof(before));
	cs_field_format(review->right->file, row->field,
		cs_diff_record(review->right, row, row->right), 0, after, sizeof(after));
	say(review->out, ".%s: %s -> %s\n", row->field->name, before, after);
}

/* ---- rows about cells ---- */

static void say_lone_cell(struct review *review, const struct cs_diff_row *row)
{
	const struct side side = side_of_row(review, row);
	uint32_t n = cs_cooked_cell(side.cooked, side.row)->actors.count;
	say(review->out, "  %s  %u actor%s\n", diff_review_cell_name(side.cooked, side.row), n,
		n == 1 ? "" : "s");
}

static void say_renamed(struct review *review, const struct cs_diff_row *row)
{
	say(review->out, "  %s -> %s\n", diff_review_cell_name(review->left, row->left),
		diff_review_cell_name(review->right, row->right));
}

static void say_guid(struct review *review, const struct cs_diff_row *row)
{
	char before[CS_GUID_TEXT], after[CS_GUID_TEXT];
	cs_guid_format(cs_cooked_cell(review->left, row->left)->guid, before);
	cs_guid_format(cs_cooked_cell(review->right, row->right)->guid, after);
	say(review->out, "  %s: %s -> %s\n", diff_review_cell_name(review->left, row->left), before,
		after);
}

static void say_changed_cell(struct review *review, const struct cs_diff_row *row)
{
	const struct cs_cooked_cell *l = cs_cooked_cell(review->left, row->left);
	const struct cs_cooked_cell *r = cs_cooked_cell(review->right, row->right);
	double amount = row->amount;
	say(review->out, "  %s", diff_review_cell_name(review->left, row->left));
	if (l->actors.count != r->actors.count)
		say(review->out, "  %u -> %u actors", l->actors.count, r->actors.count);
	else if (row->reasons & CS_DIFF_CONTENT)
		say(review->out, "  other actors, %u", r->actors.count);
	if (row->reasons & CS_DIFF_BOUNDS && amount >= 0)
		say(review->out, "  content by %g cm", amount);
	if (row->reasons & CS_DIFF_LAYERS)
		say(review->out, "  other layers");
	say(review->out, "\n");
}

/* ---- rows about actors ---- */

static void say_lone_actor(struct review *review, const struct cs_diff_row *row)
{
	const struct side side = side_of_row(review, row);
	say(review->out, "  %c %s  %s\n", row->left != CS_NONE ? '-' : '+',
		diff_review_actor_of(review, row),
		diff_review_cell_name(side.cooked, cs_cooked_actor(side.cooked, side.row)->cell));
}

static void diff_review_say_step(const struct review *review, const char *side,
	const struct trail_rows *rows, size_t step, const char *rule)
{
	if (step >= rows->n) {
		say(review->out, "    %s: ends before that\n", side);
		return;
	}
	const struct step_row *row = &rows->rows[step];
	say(review->out, "    %s: %s, %s%s%s (rule %s)\n", side, row->title,
		row->input ? row->input : "", row->verdict ? " -> " : "",
		row->verdict ? row->verdict : "", rule ? rule : "-");
}

/* Prints, for both cooks, the first decision about the actor in which the cooks differ. */
static void diff_review_say_parting(struct review *review, const struct cs_parting *parting)
{
	const struct cs_cooked *cooks[2] = {review->left, review->right};
	const struct cs_trail *const trails[2] = {&parting->left, &parting->right};
	struct trail_rows rows[2] = {{0}};
	for (int i = 0; !review->error && i < 2; i++)
		review->error = trail_rows_of(cooks[i], trails[i], UINT32_MAX, &rows[i]);
	for (int i = 0; !review->error && i < 2; i++)
		diff_review_say_step(review, i ? "right" : "left ", &rows[i], parting->step,
			parting->step < trails[i]->n ? trails[i]->steps[parting->step].number
						     : NULL);
	trail_rows_free(&rows[0]);
	trail_rows_free(&rows[1]);
}

static void say_moved(struct review *review, const struct cs_diff_row *row)
{
	struct cs_parting parting;
	say(review->out, "  %s: %s -> %s\n", diff_review_actor_of(review, row),
		diff_review_cell_name(review->left, cs_cooked_actor(review->left, row->left)->cell),
		diff_review_cell_name(
			review->right, cs_cooked_actor(review->right, row->right)->cell));
	review->error =
		cs_parting_of_actor(review->left, row->left, review->right, row->right, &parting);
	if (review->error)
		return;
	diff_review_say_parting(review, &parting);
	free(parting.left.steps);
	free(parting.right.steps);
}

static void say_resized(struct review *review, const struct cs_diff_row *row)
{
	double amount = row->amount;
	say(review->out, "  %s: ", diff_review_actor_of(review, row));
	if (amount < 0)
		say(review->out, "bounds on one side alone\n");
	else
		say(review->out, "by %g cm\n", amount);
}

static void say_other(struct review *review, const struct cs_diff_row *row)
{
	say(review->out, "  %s:", diff_review_actor_of(review, row));
	size_t n;
	const struct cs_word *words = cs_words(CS_WORDS_DIFFERENCE, &n);
	for (size_t bit = 0; bit < n; bit++)
		if (row->reasons >> bit & 1)
			say(review->out, " %s", words[bit].name);
	say(review->out, "\n");
}

/* ---- rows about findings of validation ---- */

static void diff_review_say_finding(struct review *review, const struct cs_diff_row *row)
{
	const struct side side = side_of_row(review, row);
	const struct cs_cooked_finding *finding = &side.cooked->findings[side.row];
	say(review->out, "  %s", cs_word(CS_WORDS_CHECK, finding->check)->name);
	if (finding->actor != CS_NONE)
		say(review->out, " %s", cs_cooked_actor_title(side.cooked, finding->actor));
	if (finding->other != CS_NONE)
		say(review->out, " -> %s", cs_cooked_actor_title(side.cooked, finding->other));
	say(review->out, "\n");
}

/* ---- groups of the review ---- */

enum {
	GONE_OR_NEW = CS_DIFF_NEW | CS_DIFF_GONE,
	OTHER_CELL = GONE_OR_NEW | CS_DIFF_NAME | CS_DIFF_GUID,
	OTHER_ACTOR = GONE_OR_NEW | CS_DIFF_MOVED
};

static const struct {
	const char *title;
	enum cs_diff_kind first, last;
	/* CS_DIFF_... bits that select (0 = every row) and that exclude a row */
	uint32_t reasons, but_not;
	say_row *say;
} groups[] = {
	{"settings", CS_DIFF_WORLD, CS_DIFF_HLOD_ROW, 0, 0, say_setting},
	{"findings that are new", CS_DIFF_FINDING, CS_DIFF_FINDING, CS_DIFF_NEW, 0,
		diff_review_say_finding},
	{"findings that are gone", CS_DIFF_FINDING, CS_DIFF_FINDING, CS_DIFF_GONE, 0,
		diff_review_say_finding},
	{"actors that came or went", CS_DIFF_ACTOR, CS_DIFF_ACTOR, GONE_OR_NEW, 0, say_lone_actor},
	{"actors in another cell", CS_DIFF_ACTOR, CS_DIFF_ACTOR, CS_DIFF_MOVED, 0, say_moved},
	{"actors whose bounds differ", CS_DIFF_ACTOR, CS_DIFF_ACTOR, CS_DIFF_BOUNDS, OTHER_ACTOR,
		say_resized},
	{"actors that differ in another way", CS_DIFF_ACTOR, CS_DIFF_ACTOR, 0,
		OTHER_ACTOR | CS_DIFF_BOUNDS, say_other},
	{"cells that appeared", CS_DIFF_CELL, CS_DIFF_CELL, CS_DIFF_NEW, 0, say_lone_cell},
	{"cells that vanished", CS_DIFF_CELL, CS_DIFF_CELL, CS_DIFF_GONE, 0, say_lone_cell},
	{"cells that were renamed", CS_DIFF_CELL, CS_DIFF_CELL, CS_DIFF_NAME, 0, say_renamed},
	{"cells with another GUID", CS_DIFF_CELL, CS_DIFF_CELL, CS_DIFF_GUID, 0, say_guid},
	{"cells whose content differs", CS_DIFF_CELL, CS_DIFF_CELL, 0, OTHER_CELL,
		say_changed_cell},
};

enum { REVIEW_GROUPS = sizeof(groups) / sizeof(groups[0]) };

static bool is_in_group(size_t group, const struct cs_diff_row *row)
{
	return row->kind >= groups[group].first && row->kind <= groups[group].last &&
	       (!groups[group].reasons || row->reasons & groups[group].reasons) &&
	       !(row->reasons & groups[group].but_not);
}

/* Prints the title of the group and its first rows. Returns the number of all rows of the group. */
static size_t say_group(struct review *review, size_t group)
{
	size_t n = 0, told = 0;
	for (size_t i = 0; i < review->n_rows; i++)
		n += is_in_group(group, review->rows[i].row);
	if (n)
		say(review->out, "%s: %zu\n", groups[group].title, n);
	for (size_t i = 0; !review->error && told < review->limit && i < review->n_rows; i++) {
		if (!is_in_group(group, review->rows[i].row))
			continue;
		groups[group].say(review, review->rows[i].row);
		told++;
	}
	if (!review->error && n > told)
		say(review->out, "  ... and %zu more: -n\n", n - told);
	return n;
}

static void diff_review_say_summary(const struct review *review, const size_t counts[REVIEW_GROUPS])
{
	const struct cs_cooked *l = review->left, *r = review->right;
	struct output *out = review->out;
	say(out, "summary: %zu -> %zu cells, %zu -> %zu actors, fullest cell %zu -> %zu\n",
		l->n_cells, r->n_cells, l->n_actors, r->n_actors, cs_cooked_sums(l).fullest,
		cs_cooked_sums(r).fullest);
	for (size_t i = 0, told = 0; i < REVIEW_GROUPS; i++)
		if (counts[i])
			say(out, "%s%zu %s", told++ ? ", " : "         ", counts[i],
				groups[i].title);
	say(out, "\n");
}

struct cs_error *say_review(struct call *call, struct cs_cooked *left, struct cs_cooked *right,
	const struct listed_difference *rows, size_t n)
{
	struct review review = {.out = call->out,
		.left = left,
		.right = right,
		.rows = rows,
		.n_rows = n,
		.limit = argument_count(call_option(call, "n"), 10)};
	size_t counts[REVIEW_GROUPS] = {0};
	for (size_t i = 0; !review.error && i < REVIEW_GROUPS; i++)
		counts[i] = say_group(&review, i);
	if (!review.error && n)
		diff_review_say_summary(&review, counts);
	else if (!review.error)
		say(call->out, "no differences\n");
	return review.error;
}

/* ---- option --stat: counts of differences ---- */

struct stat_row {
	const char *kind;
	int64_t new_rows, gone, moved, renamed, guid, bounds, other;
};

static const struct cs_column stat_columns[] = {
	SHORT(struct stat_row, kind, "world, grid, layer, hlod_layer, cell, actor, finding"),
	SHORT_AS("new", struct stat_row, new_rows, "only in the right cook"),
	SHORT(struct stat_row, gone, "only in the left cook"),
	SHORT(struct stat_row, moved, "moved to another cell"),
	SHORT(struct stat_row, renamed, "objects with the same GUID and another name"),
	SHORT(struct stat_row, guid, "objects with the same name and another GUID"),
	SHORT(struct stat_row, bounds, "objects in the same place with other bounds"),
	SHORT_AS("changed", struct stat_row, other, "objects that changed in any other way"),
};

static const struct cs_table stat_table = PLAIN_TABLE("diff_stats", "diff_stat", stat_columns);

/* Returns the counter of a row: that of the first reason in this order, so a row counts once. */
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

struct cs_error *emit_stat(struct call *call, const struct listed_difference *differences, size_t n)
{
	/* all kinds but the last, CS_DIFF_CONTAINER, which only comparisons of logs have */
	enum { KINDS = CS_DIFF_FINDING + 1 };
	struct stat_row rows[KINDS] = {0};
	for (int i = 0; i < KINDS; i++)
		rows[i].kind = cs_diff_kind_name((enum cs_diff_kind)i);
	for (size_t i = 0; i < n; i++) {
		const struct cs_diff_row *row = differences[i].row;
		if (row->kind <= CS_DIFF_FINDING)
			++*counter_of(&rows[row->kind], row->reasons);
	}
	return emit_plain(call, &stat_table, rows, KINDS);
}
