/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the option --review of the command `diff`: prints the differences of two cooks in
 * groups, from causes (settings) to effects (cells), each with its count and its first rows, and a
 * summary.
 */
#include "cmds/cook/cmd_trail.h"
#include "cmds/world/cmd_differences.h"
#include "src/session/session.h"

#include <cellscope/cook.h>
#include <cellscope/cooked.h>

#include <stdlib.h>

struct review {
	struct call *call;
	const struct cs_cooked *left, *right;
	struct cs_diff diff;
	size_t limit; /* largest number of rows printed per group */
};

typedef struct cs_error *say_row(const struct review *review, const struct cs_diff_row *row);

/* ---- names of cells and actors ---- */

static const char *diff_review_cell_name(const struct cs_cooked *cooked, uint32_t cell)
{
	return cell == CS_NONE ? "no cell" : cs_cooked_cell_name(cooked, cell);
}

static const char *diff_review_actor_of(const struct review *review, const struct cs_diff_row *row)
{
	return row->left == CS_NONE ? cs_cooked_actor_title(review->right, row->right)
				    : cs_cooked_actor_title(review->left, row->left);
}

/* ---- rows about settings ---- */

static const char *setting_name(
	const struct cs_cooked *cooked, const struct cs_diff_row *row, uint32_t at)
{
	switch (row->kind) {
	case CS_DIFF_WORLD:
		return cs_cooked_text(cooked, cooked->world->name);
	case CS_DIFF_PARTITION_ROW:
		return cs_cooked_text(cooked, cooked->partitions[at].name);
	case CS_DIFF_HLOD_ROW:
		return cs_cooked_text(cooked, cooked->hlod_layers[at].path);
	default:
		return cs_cooked_text(cooked, cooked->layers[at].label);
	}
}

static struct cs_error *say_setting(const struct review *review, const struct cs_diff_row *row)
{
	static const char *const kinds[] = {"world", "grid", "layer", "hlod_layer"};
	bool left = row->left != CS_NONE;
	const struct cs_cooked *cooked = left ? review->left : review->right;
	char before[200], after[200];
	say(review->call->out, "  %s %s", kinds[row->kind],
		setting_name(cooked, row, left ? row->left : row->right));
	if (row->reasons & CS_DIFF_NAME) {
		say(review->call->out, " -> %s\n", setting_name(review->right, row, row->right));
		return NULL;
	}
	if (!row->field) {
		say(review->call->out, ": %s\n", left ? "gone" : "new");
		return NULL;
	}
	cs_field_format(review->left->file, row->field,
		cs_diff_record(review->left, row, row->left), 0, before, sizeof(before));
	cs_field_format(review->right->file, row->field,
		cs_diff_record(review->right, row, row->right), 0, after, sizeof(after));
	say(review->call->out, ".%s: %s -> %s\n", row->field->name, before, after);
	return NULL;
}

/* ---- rows about cells ---- */

static struct cs_error *say_lone_cell(const struct review *review, const struct cs_diff_row *row)
{
	bool left = row->left != CS_NONE;
	const struct cs_cooked *cooked = left ? review->left : review->right;
	uint32_t cell = left ? row->left : row->right;
	uint32_t n = cs_cooked_cell(cooked, cell)->actors.count;
	say(review->call->out, "  %s  %u actor%s\n", diff_review_cell_name(cooked, cell), n,
		n == 1 ? "" : "s");
	return NULL;
}

static struct cs_error *say_renamed(const struct review *review, const struct cs_diff_row *row)
{
	say(review->call->out, "  %s -> %s\n", diff_review_cell_name(review->left, row->left),
		diff_review_cell_name(review->right, row->right));
	return NULL;
}

static struct cs_error *say_guid(const struct review *review, const struct cs_diff_row *row)
{
	char before[CS_GUID_TEXT], after[CS_GUID_TEXT];
	cs_guid_format(cs_cooked_cell(review->left, row->left)->guid, before);
	cs_guid_format(cs_cooked_cell(review->right, row->right)->guid, after);
	say(review->call->out, "  %s: %s -> %s\n", diff_review_cell_name(review->left, row->left),
		before, after);
	return NULL;
}

static struct cs_error *say_changed_cell(const struct review *review, const struct cs_diff_row *row)
{
	const struct cs_cooked_cell *l = cs_cooked_cell(review->left, row->left);
	const struct cs_cooked_cell *r = cs_cooked_cell(review->right, row->right);
	double amount = row->amount;
	say(review->call->out, "  %s", diff_review_cell_name(review->left, row->left));
	if (l->actors.count != r->actors.count)
		say(review->call->out, "  %u -> %u actors", l->actors.count, r->actors.count);
	else if (row->reasons & CS_DIFF_CONTENT)
		say(review->call->out, "  other actors, %u", r->actors.count);
	if (row->reasons & CS_DIFF_BOUNDS && amount >= 0)
		say(review->call->out, "  content by %g cm", amount);
	if (row->reasons & CS_DIFF_LAYERS)
		say(review->call->out, "  other layers");
	say(review->call->out, "\n");
	return NULL;
}

/* ---- rows about actors ---- */

static struct cs_error *say_lone_actor(const struct review *review, const struct cs_diff_row *row)
{
	bool left = row->left != CS_NONE;
	const struct cs_cooked *cooked = left ? review->left : review->right;
	say(review->call->out, "  %c %s  %s\n", left ? '-' : '+', diff_review_actor_of(review, row),
		diff_review_cell_name(
			cooked, cs_cooked_actor(cooked, left ? row->left : row->right)->cell));
	return NULL;
}

static void diff_review_say_step(const struct review *review, const char *side,
	const struct trail_rows *rows, size_t step, const char *rule)
{
	if (step >= rows->n) {
		say(review->call->out, "    %s: ends before that\n", side);
		return;
	}
	const struct step_row *row = &rows->rows[step];
	say(review->call->out, "    %s: %s, %s%s%s (rule %s)\n", side, row->title,
		row->input ? row->input : "", row->verdict ? " -> " : "",
		row->verdict ? row->verdict : "", rule ? rule : "-");
}

static const char *diff_review_rule_at(const struct cs_trail *trail, size_t step)
{
	return step < trail->n ? trail->steps[step].number : NULL;
}

/* Prints, per side, the first step of the actor's trail in which the two cooks differ. */
static struct cs_error *diff_review_say_parting(
	const struct review *review, const struct cs_parting *parting)
{
	const struct cs_cooked *cooks[2] = {review->left, review->right};
	const struct cs_trail *const trails[2] = {&parting->left, &parting->right};
	struct trail_rows rows[2] = {{0}};
	struct cs_error *error = NULL;
	for (int i = 0; !error && i < 2; i++)
		error = trail_rows_of(cooks[i], trails[i], UINT32_MAX, &rows[i]);
	for (int i = 0; !error && i < 2; i++)
		diff_review_say_step(review, i ? "right" : "left ", &rows[i], parting->step,
			diff_review_rule_at(trails[i], parting->step));
	trail_rows_free(&rows[0]);
	trail_rows_free(&rows[1]);
	return error;
}

static struct cs_error *say_moved(const struct review *review, const struct cs_diff_row *row)
{
	struct cs_parting parting;
	say(review->call->out, "  %s: %s -> %s\n", diff_review_actor_of(review, row),
		diff_review_cell_name(review->left, cs_cooked_actor(review->left, row->left)->cell),
		diff_review_cell_name(
			review->right, cs_cooked_actor(review->right, row->right)->cell));
	struct cs_error *error =
		cs_parting_of_actor(review->left, row->left, review->right, row->right, &parting);
	if (error)
		return error;
	error = diff_review_say_parting(review, &parting);
	free(parting.left.steps);
	free(parting.right.steps);
	return error;
}

static struct cs_error *say_resized(const struct review *review, const struct cs_diff_row *row)
{
	double amount = row->amount;
	say(review->call->out, "  %s: ", diff_review_actor_of(review, row));
	if (amount < 0)
		say(review->call->out, "bounds on one side alone\n");
	else
		say(review->call->out, "by %g cm\n", amount);
	return NULL;
}

static struct cs_error *say_other(const struct review *review, const struct cs_diff_row *row)
{
	say(review->call->out, "  %s:", diff_review_actor_of(review, row));
	size_t n;
	const struct cs_word *words = cs_words(CS_WORDS_DIFFERENCE, &n);
	for (size_t bit = 0; bit < n; bit++)
		if (row->reasons >> bit & 1)
			say(review->call->out, " %s", words[bit].name);
	say(review->call->out, "\n");
	return NULL;
}

/* ---- rows about findings of validation ---- */

static struct cs_error *diff_review_say_finding(
	const struct review *review, const struct cs_diff_row *row)
{
	bool left = row->left != CS_NONE;
	const struct cs_cooked *cooked = left ? review->left : review->right;
	const struct cs_cooked_finding *finding = &cooked->findings[left ? row->left : row->right];
	say(review->call->out, "  %s", cs_word(CS_WORDS_CHECK, finding->check)->name);
	if (finding->actor != CS_NONE)
		say(review->call->out, " %s", cs_cooked_actor_title(cooked, finding->actor));
	if (finding->other != CS_NONE)
		say(review->call->out, " -> %s", cs_cooked_actor_title(cooked, finding->other));
	say(review->call->out, "\n");
	return NULL;
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

static struct cs_error *say_group(const struct review *review, size_t group, size_t *n_ret)
{
	struct cs_error *error = NULL;
	size_t n = 0, told = 0;
	for (size_t i = 0; i < review->diff.n; i++)
		n += is_in_group(group, &review->diff.rows[i]);
	if (n)
		say(review->call->out, "%s: %zu\n", groups[group].title, n);
	for (size_t i = 0; !error && told < review->limit && i < review->diff.n; i++) {
		if (!is_in_group(group, &review->diff.rows[i]))
			continue;
		error = groups[group].say(review, &review->diff.rows[i]);
		told++;
	}
	if (!error && n > told)
		say(review->call->out, "  ... and %zu more: -n\n", n - told);
	*n_ret = n;
	return error;
}

static void diff_review_say_summary(const struct review *review, const size_t counts[REVIEW_GROUPS])
{
	const struct cs_cooked *l = review->left, *r = review->right;
	struct output *out = review->call->out;
	say(out, "summary: %zu -> %zu cells, %zu -> %zu actors, fullest cell %zu -> %zu\n",
		l->n_cells, r->n_cells, l->n_actors, r->n_actors, cs_cooked_sums(l).fullest,
		cs_cooked_sums(r).fullest);
	for (size_t i = 0, told = 0; i < REVIEW_GROUPS; i++)
		if (counts[i])
			say(out, "%s%zu %s", told++ ? ", " : "         ", counts[i],
				groups[i].title);
	say(out, "\n");
}

struct cs_error *say_review(struct call *call, struct cs_cooked *left, struct cs_cooked *right)
{
	const struct argument *limit = call_option(call, "n");
	struct review review = {.call = call,
		.left = left,
		.right = right,
		.limit = limit->given ? limit->count : 10};
	size_t counts[REVIEW_GROUPS] = {0};
	struct cs_error *error = cs_cooked_diff(left, right, &review.diff);
	if (error)
		return error;
	for (size_t i = 0; !error && i < REVIEW_GROUPS; i++)
		error = say_group(&review, i, &counts[i]);
	if (!error && review.diff.n)
		diff_review_say_summary(&review, counts);
	else if (!error)
		say(call->out, "no differences\n");
	free(review.diff.rows);
	return error;
}
