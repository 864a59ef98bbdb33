/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `diff` (lists what differs between two worlds) and `cook log` (writes the
 * cook in the format of the engine's StreamingGeneration log).
 */
#include "cmds/cook/cmd_cooks.h"
#include "cmds/world/cmd_differences.h"
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"

#include <cellscope/compare.h>
#include <cellscope/cook.h>
#include <cellscope/cooked.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of the cells of a world that a listing shows, read before the listing in cell order. */
struct cell_names {
	uint32_t *at; /* for each cell, 1 + the offset of its name in `texts` (0 = not listed) */
	CS_VEC(char) texts;
};

/* The two sides of a comparison: two worlds, or the standalone level of an instance in both. */
struct sides {
	struct cs_cooked *left, *right;
	const char *partition; /* name of the level instance; NULL = the worlds themselves */
	struct cs_diff diff;
	struct cell_names left_names, right_names;
};

struct diff_row {
	const char *change, *kind, *what, *field, *left, *right, *reasons, *partition;
	const struct sides *sides;
	const struct cs_diff_row *row;
};

/* The comparison of two worlds and of the standalone levels that both have, each level once. */
struct comparison {
	const char *expected; /* field of the world that is meant to differ; NULL = none */
	struct cs_query *queries[2];
	CS_VEC(struct sides) sides;            /* the worlds themselves come first */
	CS_VEC(struct listed_difference) rows; /* all differences but those in `expected` */
	enum cs_compare_verdict verdict;
	/* numbers of rows: explained by a rule, unexplained, and stale, which is always 0 here */
	size_t counts[3];
};

/* Buffers for the texts of one row of the listing. */
struct diff_texts {
	char what[200], left[200], right[200], reasons[160];
};

PLAIN_GETTER(get_amount, struct diff_row,
	at->row->reasons &CS_DIFF_BOUNDS && at->row->amount > 0 ? cs_number(at->row->amount)
								: cs_null())

/*
 * Column getter: the first cook rule that decided differently about a moved actor. It is computed
 * only when the column is read, because it compares the trails (decision steps) of both cooks.
 */
PLAIN_GETTER(get_rule, struct diff_row,
	at->row->reasons &CS_DIFF_MOVED ? cs_text(cs_parting_rule(at->sides->left, at->row->left,
						  at->sides->right, at->row->right))
					: cs_null())

static enum cs_compare_verdict verdict_of_row(const struct cs_diff_row *row)
{
	return cs_diff_is_explained(row) ? CS_COMPARE_BY_RULE : CS_COMPARE_UNEXPLAINED;
}

PLAIN_GETTER(get_verdict, struct diff_row,
	cs_text(cs_word(CS_WORDS_VERDICT, verdict_of_row(at->row))->name))

static void get_guid(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct diff_row *at = row->record;
	bool left = at->row->left != CS_NONE;
	const struct cs_cooked *cooked = left ? at->sides->left : at->sides->right;
	(void)column;
	*ret = cs_null();
	if (at->row->kind == CS_DIFF_ACTOR)
		*ret = cs_guid_value(cs_cooked_detail(cooked, left ? at->row->left : at->row->right)
					     ->instance_guid);
}

/* Column getter for name, grid, level, x, y of the right cell, else of the left cell. */
static void get_place(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct diff_row *at = row->record;
	const struct cs_cooked *cooked = at->sides->right;
	uint32_t cell = at->row->right_cell;
	if (cell == CS_NONE) {
		cooked = at->sides->left;
		cell = at->row->left_cell;
	}
	*ret = cs_null();
	if (cell == CS_NONE)
		return;
	const struct cs_cooked_cell *its = cs_cooked_cell(cooked, cell);
	const struct cs_value values[] = {cs_text(cs_cooked_text(cooked, its->name)),
		cs_text(cs_cooked_text(cooked, cooked->partitions[its->partition].name)),
		cs_integer(its->level), cs_integer(its->x), cs_integer(its->y)};
	*ret = values[column->argument];
}

#define PLACE(key_, kind_, index, text)                                                        \
	{                                                                                      \
		.key = (key_), .kind = CS_KIND_##kind_, .get = get_place, .argument = (index), \
		.doc = (text)                                                                  \
	}

static const struct cs_column diff_columns[] = {
	SHORT(struct diff_row, change, "+ new, - gone, ~ changed", .label = " "),
	SHORT(struct diff_row, kind, "world, grid, layer, hlod_layer, cell, actor, finding"),
	SHORT(struct diff_row, what, "name of the object that differs"),
	PLAIN(struct diff_row, field, "field whose value differs"),
	SHORT(struct diff_row, left, "value or cell in the left cook"),
	SHORT(struct diff_row, right, "value or cell in the right cook"),
	SHORT(struct diff_row, reasons, "reasons why the object differs"),
	PLAIN_VALUE("verdict", TEXT, get_verdict,
		"same, differs by rule, or unexplained: nothing explains why an actor moved"),
	PLAIN_VALUE("rule", TEXT, get_rule,
		"first rule that decided differently about an actor that moved"),
	PLAIN_VALUE("guid", GUID, get_guid,
		"GUID of the instance of an actor, since labels can be ambiguous"),
	PLACE("cell", TEXT, 0,
		"the cell itself, or the cell of the actor (on the right side, if it is there)"),
	PLACE("grid", TEXT, 1, "grid of the cell"),
	PLACE("level", INTEGER, 2, "grid level of the cell"),
	PLACE("x", INTEGER, 3, "X coordinate of the cell in its grid"),
	PLACE("y", INTEGER, 4, "Y coordinate of the cell in its grid"),
	PLAIN_VALUE("amount", NUMBER, get_amount,
		"distance in cm that a face of the bounds moved at most"),
	PLAIN(struct diff_row, partition, "level instance whose standalone level differs",
		.flags = CS_COLUMN_PRESENT),
};

static void name_finding(const struct cs_cooked *cooked, uint32_t row, char text[200])
{
	const struct cs_cooked_finding *finding = &cooked->findings[row];
	snprintf(text, 200, "%s %.60s%s%.60s", cs_word(CS_WORDS_CHECK, finding->check)->name,
		finding->actor == CS_NONE ? "" : cs_cooked_actor_title(cooked, finding->actor),
		finding->other == CS_NONE ? "" : " -> ",
		finding->other == CS_NONE ? "" : cs_cooked_actor_title(cooked, finding->other));
}

static const char *shown_cell_name(const struct cell_names *names, uint32_t cell)
{
	return names->at[cell] ? names->texts.at + names->at[cell] - 1 : "";
}

/*
 * Stores in `text` the name of the object that a row of the comparison is about: its name in the
 * left cook, or in the right cook if the left one does not have the object.
 */
static void name_row(const struct sides *sides, const struct cs_diff_row *row, char text[200])
{
	const struct cs_cooked *cooked = row->left == CS_NONE ? sides->right : sides->left;
	uint32_t at = row->left == CS_NONE ? row->right : row->left;
	const char *name = "";
	switch (row->kind) {
	case CS_DIFF_WORLD:
		name = cs_cooked_text(cooked, cooked->world->name);
		break;
	case CS_DIFF_PARTITION_ROW:
		name = cs_cooked_text(cooked, cooked->partitions[at].name);
		break;
	case CS_DIFF_LAYER_ROW:
		name = cs_cooked_text(cooked, cooked->layers[at].label);
		break;
	case CS_DIFF_HLOD_ROW:
		name = cs_cooked_text(cooked, cooked->hlod_layers[at].path);
		break;
	case CS_DIFF_CELL:
		name = shown_cell_name(
			row->left == CS_NONE ? &sides->right_names : &sides->left_names, at);
		break;
	case CS_DIFF_ACTOR:
		name = cs_cooked_actor_title(cooked, at);
		break;
	case CS_DIFF_CONTAINER:
		name = cs_cooked_text(cooked, cooked->containers[at].package);
		break;
	case CS_DIFF_FINDING:
		name_finding(cooked, at, text);
		return;
	}
	snprintf(text, 200, "%s", name);
}

/* Returns the text of one side of a difference: value of the field, or cell of the actor. */
static const char *describe_side(const struct cs_cooked *cooked, const struct cell_names *names,
	const struct cs_diff_row *row, uint32_t at, uint32_t cell, char text[200])
{
	if (at == CS_NONE)
		return NULL;
	if (row->reasons & CS_DIFF_VALUE) {
		cs_field_format(
			cooked->file, row->field, cs_diff_record(cooked, row, at), 0, text, 200);
		return text;
	}
	if (row->kind != CS_DIFF_ACTOR || cell == CS_NONE)
		return NULL;
	snprintf(text, 200, "%s", shown_cell_name(names, cell));
	return text;
}

static void list_reasons(uint32_t reasons, char text[160])
{
	size_t n = 0, n_words;
	const struct cs_word *words = cs_words(CS_WORDS_DIFFERENCE, &n_words);
	text[0] = '\0';
	for (size_t bit = 0; bit < n_words; bit++)
		if (reasons >> bit & 1 && n < 140)
			n += (size_t)snprintf(
				text + n, 160 - n, "%s%s", n ? " " : "", words[bit].name);
}

static struct diff_row describe_row(
	const struct sides *sides, const struct cs_diff_row *row, struct diff_texts *texts)
{
	struct diff_row to = {
		.sides = sides, .row = row, .what = texts->what, .partition = sides->partition};
	to.change = row->reasons & CS_DIFF_NEW ? "+" : row->reasons & CS_DIFF_GONE ? "-" : "~";
	to.kind = cs_diff_kind_name(row->kind);
	name_row(sides, row, texts->what);
	to.left = describe_side(
		sides->left, &sides->left_names, row, row->left, row->left_cell, texts->left);
	to.right = describe_side(
		sides->right, &sides->right_names, row, row->right, row->right_cell, texts->right);
	if (row->field)
		to.field = row->field->name;
	else
		list_reasons(row->reasons, texts->reasons);
	to.reasons = row->field ? to.field : texts->reasons;
	return to;
}

/* The rows of a comparison as a table. The texts of a row are made when the row is read. */
struct listed_differences {
	const struct comparison *comparison;
	struct described_row *last; /* the row that was read last */
};

struct described_row {
	size_t index;
	struct diff_row row;
	struct diff_texts texts;
};

static size_t count_differences(const void *source)
{
	return ((const struct listed_differences *)source)->comparison->rows.n;
}

static void pass_sides(const struct sides *sides, enum cs_pass what)
{
	cs_cooked_pass(sides->left, what);
	cs_cooked_pass(sides->right, what);
}

static void pass_all_sides(const struct comparison *comparison, enum cs_pass what)
{
	for (size_t i = 0; i < comparison->sides.n; i++)
		pass_sides(&comparison->sides.at[i], what);
}

static const void *difference_at(const void *source, size_t index)
{
	const struct listed_differences *listed = source;
	struct described_row *last = listed->last;
	if (last->index == index)
		return &last->row;
	const struct listed_difference *difference = &listed->comparison->rows.at[index];
	const struct sides *sides = &listed->comparison->sides.at[difference->sides];
	pass_sides(sides, CS_PASS_STEP);
	last->row = describe_row(sides, difference->row, &last->texts);
	last->index = index;
	return &last->row;
}

/*
 * Begins a separate pass for each loop over the differences. In one pass, the second loop would
 * look like reading in no order, and all rows would stay in memory.
 */
static void pass_differences(struct cs_reading *reading, enum cs_pass what)
{
	const struct listed_differences *listed = reading->source;
	if (what == CS_PASS_BEGIN) {
		pass_all_sides(listed->comparison, CS_PASS_END);
		pass_all_sides(listed->comparison, CS_PASS_BEGIN);
	}
}

const struct cs_table diff_table = {
	.name = "differences",
	.row_name = "difference",
	.columns = diff_columns,
	.n_columns = CS_COUNT_OF(diff_columns),
	.missing = CS_E_MISSING,
	.count = count_differences,
	.row = difference_at,
	.pass = pass_differences,
};

/* ---- the listing ---- */

/* Reads the names of the cells that the listing names, as cells or as cells of actors, in order. */
static struct cs_error *name_cells(
	const struct cs_diff *diff, bool left, struct cs_cooked *cooked, struct cell_names *names)
{
	names->at = calloc(cooked->n_cells + 1, sizeof(*names->at));
	bool good = names->at != NULL;
	for (size_t i = 0; good && i < diff->n; i++) {
		const uint32_t cell = left ? diff->rows[i].left_cell : diff->rows[i].right_cell;
		if (cell != CS_NONE)
			names->at[cell] = 1;
	}
	cs_cooked_pass(cooked, CS_PASS_BEGIN);
	for (size_t i = 0; good && i < cooked->n_cells; i++) {
		if (!names->at[i])
			continue;
		const char *name = cs_cooked_cell_name(cooked, i);
		names->at[i] = (uint32_t)names->texts.n + 1;
		good = cs_vec_append(&names->texts, name, strlen(name) + 1);
		cs_cooked_pass(cooked, CS_PASS_STEP);
	}
	cs_cooked_pass(cooked, CS_PASS_END);
	return good ? cs_cooked_failed(cooked) : cs_error_nomem();
}

static struct cs_error *name_all_cells(struct sides *sides)
{
	if (sides->diff.n == 0)
		return NULL;
	struct cs_error *error = name_cells(&sides->diff, true, sides->left, &sides->left_names);
	return error ? error : name_cells(&sides->diff, false, sides->right, &sides->right_names);
}

static struct cs_error *emit_comparison(struct call *call, struct comparison *comparison)
{
	struct described_row last = {.index = SIZE_MAX};
	const struct listed_differences listed = {comparison, &last};
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < comparison->sides.n; i++)
		error = name_all_cells(&comparison->sides.at[i]);
	if (error)
		return error;
	pass_all_sides(comparison, CS_PASS_BEGIN);
	error = call_list_own(call, &diff_table, &listed);
	for (size_t i = 0; !error && i < comparison->sides.n; i++)
		error = cs_error_first(cs_cooked_failed(comparison->sides.at[i].left),
			cs_cooked_failed(comparison->sides.at[i].right));
	pass_all_sides(comparison, CS_PASS_END);
	return error;
}

/* ---- the comparison ---- */

static bool is_expected(const struct cs_diff_row *row, const char *expected)
{
	return expected && row->kind == CS_DIFF_WORLD && strcmp(row->field->name, expected) == 0;
}

/* Compares two worlds and adds their differences, unless these two were compared before. */
static struct cs_error *comparison_add(struct comparison *comparison, struct cs_cooked *left,
	struct cs_cooked *right, const char *partition)
{
	struct sides sides = {.left = left, .right = right, .partition = partition};
	for (size_t i = 0; i < comparison->sides.n; i++)
		if (comparison->sides.at[i].left == left && comparison->sides.at[i].right == right)
			return NULL;
	struct cs_error *error = cs_cooked_diff(left, right, &sides.diff);
	if (error)
		return error;
	const uint32_t index = (uint32_t)comparison->sides.n;
	if (!cs_vec_push(&comparison->sides, sides)) {
		free(sides.diff.rows);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < sides.diff.n; i++) {
		const struct cs_diff_row *row = &sides.diff.rows[i];
		if (is_expected(row, comparison->expected))
			continue;
		const enum cs_compare_verdict verdict = verdict_of_row(row);
		if (verdict > comparison->verdict)
			comparison->verdict = verdict;
		comparison->counts[verdict == CS_COMPARE_UNEXPLAINED]++;
		const struct listed_difference difference = {row, index};
		if (!cs_vec_push(&comparison->rows, difference))
			return cs_error_nomem();
	}
	return NULL;
}

/* Returns the world of the instance with this name; NULL = there is none. */
static struct cs_cooked *instance_named(const struct cs_query *query, const char *name)
{
	const char *other;
	for (uint32_t i = 1; i < cs_query_partitions(query); i++) {
		struct cs_cooked *cooked = cs_query_partition(query, i, &other);
		if (strcmp(name, other) == 0)
			return cooked;
	}
	return NULL;
}

static struct cs_error *comparison_add_levels(
	struct comparison *comparison, struct cs_cooked *left, struct cs_cooked *right)
{
	struct cs_cooked *const worlds[2] = {left, right};
	struct cs_query **const queries = comparison->queries;
	struct cs_error *error = NULL;
	if (left->n_subs == 0 || right->n_subs == 0)
		return NULL;
	for (int i = 0; !error && i < 2; i++) {
		error = cs_query_new(&queries[i]);
		if (!error)
			error = cs_query_add_cooked(queries[i], worlds[i]);
	}
	for (uint32_t i = 1; !error && i < cs_query_partitions(queries[0]); i++) {
		const char *name;
		struct cs_cooked *level = cs_query_partition(queries[0], i, &name);
		struct cs_cooked *other = instance_named(queries[1], name);
		if (other)
			error = comparison_add(comparison, level, other, name);
	}
	return error;
}

static struct cs_error *comparison_begin(
	struct comparison *comparison, struct cs_cooked *left, struct cs_cooked *right)
{
	struct cs_error *error = comparison_add(comparison, left, right, NULL);
	return error ? error : comparison_add_levels(comparison, left, right);
}

static void comparison_end(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->sides.n; i++) {
		struct sides *sides = &comparison->sides.at[i];
		free(sides->diff.rows);
		free(sides->left_names.at);
		free(sides->right_names.at);
		cs_vec_free(&sides->left_names.texts);
		cs_vec_free(&sides->right_names.texts);
	}
	cs_vec_free(&comparison->sides);
	cs_vec_free(&comparison->rows);
	cs_query_free(comparison->queries[0]);
	cs_query_free(comparison->queries[1]);
}

struct cs_error *emit_differences(
	struct call *call, struct cs_cooked *left, struct cs_cooked *right, const char *expected)
{
	struct comparison comparison = {.expected = expected};
	struct cs_error *error = comparison_begin(&comparison, left, right);
	if (!error && comparison.rows.n == 0 && !wants_rows(call))
		say(call->out, "no differences\n");
	else if (!error)
		error = emit_comparison(call, &comparison);
	comparison_end(&comparison);
	return error;
}

/* Prints, for a reviewer, the differences of the worlds and of each level that has any. */
static struct cs_error *review_comparison(struct call *call, const struct comparison *comparison)
{
	struct cs_error *error = NULL;
	for (size_t i = 0, at = 0; !error && i < comparison->sides.n; i++) {
		const struct sides *sides = &comparison->sides.at[i];
		const size_t first = at;
		while (at < comparison->rows.n && comparison->rows.at[at].sides == i)
			at++;
		if (first == at && (i > 0 || comparison->rows.n))
			continue;
		if (sides->partition)
			note(call->out, "in the standalone level of %s:\n", sides->partition);
		error = say_review(call, sides->left, sides->right,
			at > first ? &comparison->rows.at[first] : NULL, at - first);
	}
	return error;
}

static struct cs_error *print_comparison(struct call *call, struct comparison *comparison)
{
	if (call_option(call, "stat")->given)
		return emit_stat(call, comparison->rows.at, comparison->rows.n);
	if (wants_rows(call))
		return emit_comparison(call, comparison);
	if (call_option(call, "review")->given)
		return review_comparison(call, comparison);
	return comparison->rows.n ? emit_comparison(call, comparison) : NULL;
}

/* Compares two cooks, two logs or two engine cooks: prints the differences and the verdict. */
static struct cs_error *compare(struct call *call, struct cs_cooked *left, struct cs_cooked *right)
{
	/* `source` is not reported, because a project and its JSON form always differ in it */
	struct comparison comparison = {.expected = "source"};
	struct cs_error *error = comparison_begin(&comparison, left, right);
	if (!error) {
		check_verdict(call, comparison.verdict == CS_COMPARE_SAME,
			cs_word(CS_WORDS_VERDICT, comparison.verdict)->name);
		error = print_comparison(call, &comparison);
	}
	size_t cells = 0, actors = 0;
	for (size_t i = 0; i < comparison.sides.n; i++) {
		cells += comparison.sides.at[i].left->n_cells;
		actors += comparison.sides.at[i].left->n_actors;
	}
	if (!error && !wants_rows(call))
		say_verdict(call->out, comparison.verdict, cells, actors, comparison.counts);
	comparison_end(&comparison);
	return error;
}

static bool is_engines(const struct cs_cooked *world)
{
	return world->world->flags & (CS_WORLD_COOKED | CS_WORLD_LOGGED);
}

/*
 * Compares any two worlds. If one is a log and the other was cooked by the engine, the log takes
 * the place of our cook, and the engine's cook, which contains more, is compared with it.
 */
static struct cs_error *compare_any(
	struct call *call, const char *const paths[2], struct cs_cooked *const worlds[2])
{
	const bool logged[2] = {worlds[0]->world->flags & CS_WORLD_LOGGED,
		worlds[1]->world->flags & CS_WORLD_LOGGED};
	if (is_engines(worlds[0]) == is_engines(worlds[1]) && logged[0] == logged[1])
		return compare(call, worlds[0], worlds[1]);
	int theirs = is_engines(worlds[1]);
	if (is_engines(worlds[0]) && is_engines(worlds[1]))
		theirs = logged[0] ? 1 : 0;
	return logged[theirs] ? tell_log(call, worlds[!theirs], paths[theirs])
			      : tell_cooked(call, worlds[!theirs], worlds[theirs]);
}

static struct cs_error *open_side(
	struct call *call, const char *text, struct opened *opened, struct cs_cooked **ret)
{
	const char *map = call_option(call, "map")->text;
	if (!map || !source_has_maps(text))
		return open_cook(call, &text, opened, ret);
	struct cs_error *error = world_open(call->session, text, map, opened);
	*ret = opened->world;
	return error;
}

/*
 * Returns the command that compares the arguments if they are Nanite resources or frames; NULL if
 * they are worlds.
 */
static const char *verb_of_sides(const struct call *call)
{
	const struct cs_inspector *inspector = call->session->inspector;
	bool resources = true, frames = call->session->world != NULL;
	for (size_t i = 0; i < 2; i++) {
		const char *text = argument_text(call_argument(call, i), NULL);
		resources = resources && text &&
			    cs_inspector_find(inspector, text, strlen(text)) != CS_NONE;
		frames = frames && (!text ? i : !text[strspn(text, "0123456789")]);
	}
	return resources ? "diff resources" : frames ? "diff frame" : NULL;
}

static void say_handed_word(struct output *out, const char *option, const char *text)
{
	char *word = quote_word(text);
	say(out, " %s ", option);
	/* this line is run, so it must contain the word as it is; say() would escape it */
	say_fixed(out, word ? word : "\"\"", word ? strlen(word) : 2);
	free(word);
}

/* Runs another command with the arguments of this one and with the options that both accept. */
static struct cs_error *hand_over(struct call *call, const char *verb)
{
	static const char *const passed_on[] = {"-n", "-s", "-c", "-w"};
	struct text_output text;
	struct output *out = text_output_begin(&text, (struct style){0});
	say(out, "%s", verb);
	for (size_t i = 0; i < call->n_arguments; i++)
		say_handed_word(out, "", call_argument(call, i)->text);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		if (call_option(call, passed_on[i] + 1)->given)
			say_handed_word(
				out, passed_on[i], call_option(call, passed_on[i] + 1)->text);
	say(out, "%s", format_options[call->out->style.format]);
	char *line = text_output_end(&text);
	struct cs_error *error =
		line ? run_nested(call->session, line, call->out->sink) : cs_error_nomem();
	free(line);
	call->out->emitted = true; /* the command called here has printed the rows */
	return error;
}

/*
 * Implements the command `diff`, which compares projects, JSON worlds, .cworld files, logs, and
 * folders or containers of the engine.
 */
static struct cs_error *run_diff(struct call *call)
{
	struct session *session = call->session;
	const bool two = call_argument(call, 1)->given;
	const char *verb = verb_of_sides(call);
	if (verb)
		return hand_over(call, verb);
	struct opened opened[2] = {{0}};
	struct cs_cooked *worlds[2] = {session->world};
	const char *paths[2] = {session->files.path};
	struct cs_error *error = NULL;
	if (!two && !session->world)
		return cs_error_new(CS_E_NOTOPEN,
			"diff needs two worlds, but only one is named and none is open: name two, "
			"or `open FILE` opens one");
	session->files.cooked = (struct place_options){.key = call_option(call, "key")->text,
		.names_alone = call_option(call, "names")->given};
	for (size_t i = two ? 0 : 1; !error && i < 2; i++) {
		paths[i] = call_argument(call, two ? i : 0)->text;
		error = open_side(call, paths[i], &opened[i], &worlds[i]);
		if (!error && worlds[i] == session->world)
			paths[i] = session->files.path;
	}
	session->files.cooked = (struct place_options){0};
	if (!error)
		error = compare_any(call, paths, worlds);
	opened_close(&opened[0]);
	opened_close(&opened[1]);
	return error;
}

#define DIFF_OPTIONS                                                                        \
	{                                                                                   \
		{0, "stat", NULL, ARGUMENT_NONE,                                            \
			"count the differences of each kind instead of listing them"},      \
			{'r', "review", NULL, ARGUMENT_NONE,                                \
				"print groups of differences, each with at most N rows "    \
				"(option -n, default 10), the cook step that moved each "   \
				"actor, and a summary",                                     \
				NULL},                                                      \
			{0, "map", "NAME", ARGUMENT_WORD,                                   \
				"compare the map NAME of projects or folders with several " \
				"maps",                                                     \
				NULL},                                                      \
			{0, "key", "KEY", ARGUMENT_WORD,                                    \
				"AES key of encrypted containers, as 0x... or base64"},     \
			{0, "names", NULL, ARGUMENT_NONE,                                   \
				"do not read the properties in cooked packages, which "     \
				"saves time; bounds and data layers are then not "          \
				"compared"},                                                \
	}

const struct command command_diff = {
	.name = "diff",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"LEFT", ARGUMENT_FILE}, {"RIGHT", ARGUMENT_FILE, .optional = true}},
	.options = DIFF_OPTIONS,
	.summary = "list what differs between two worlds, Nanite resources or frames of the run",
	.examples = "diff before.cworld after.cworld\n"
		    "diff monday.log tuesday.log\n"
		    "diff Packed Cooked --map Town\n"
		    "diff a.cworld b.cworld --review -n 5\n"
		    "diff 40 42\n"
		    "diff a.cworld b.cworld -w \"kind = 'actor'\" --json",
	.help = "LEFT and RIGHT are two worlds, the names of two open Nanite resources or, when a\n"
		"world is open, the numbers of two frames of the run. A world is a cooked world,\n"
		"a world in JSON, a project, a StreamingGeneration log, output of Unreal's cooker\n"
		"(a folder or a container), `now` (the open world), or KEY=VALUE (the open world,\n"
		"cooked with that change: help whatif). A single world is compared with the open\n"
		"world, which is then the left side. A single frame is compared with the present\n"
		"frame, which is then the right side.\n"
		"\n"
		"The differences are listed in this order: settings, cells, actors, findings of\n"
		"validation (help check). If an actor is in another cell on the right side, the\n"
		"column `reasons` says why: its bounds, grid, layers, cluster or references\n"
		"changed, another actor of its cluster moved, validation repaired it on one side\n"
		"only, or the settings of its grid changed. `-c rule` shows the first rule that\n"
		"decided differently (help rule NUMBER), and `-c amount` shows the largest\n"
		"distance in cm by which a face of the bounds moved. A grid that was only renamed\n"
		"has one row, and its cells and actors are not listed.\n"
		"\n"
		"For worlds the last line is the verdict. The exit status is 1 unless the verdict\n"
		"is `same`. The verdicts are:\n"
		"  same             nothing differs\n"
		"  differs by rule  each difference follows from a change or from a rule\n"
		"  unexplained      no change and no rule explains a difference: an actor moved,\n"
		"                   but nothing about it changed, or one side is of Unreal, and\n"
		"                   no rule gives what Unreal made\n"
		"Between a cook of cellscope and a cook of Unreal the columns are those of `diff\n"
		"log` (help diff log). Data that a log does not contain are not compared.\n"
		"\n"
		"Clusters of Nanite resources have the same geometry when they have the same\n"
		"triangles at the same positions, and pages have the same geometry when all their\n"
		"clusters have. Attributes of a cluster are its normals, colours, UVs, names of\n"
		"materials and error. Between frames the states of cells are compared; cells that\n"
		"only began or ceased to wait for their load are not listed. The exit status is 1\n"
		"when anything differs.\n"
		"\n"
		"Standalone level instances (help partitions) of two worlds are compared, too. In\n"
		"their rows the column `partition` is the name of the level instance.",
	.run = run_diff,
};

const struct command command_diff_world = {
	.name = "diff world",
	.instead = "diff",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"LEFT", ARGUMENT_FILE}, {"RIGHT", ARGUMENT_FILE}},
	.options = DIFF_OPTIONS,
	.summary = "do the same as `diff`; this old name will be removed in the next release",
	.examples = "diff before.cworld after.cworld",
	.help = "Type `diff` with the same arguments instead (help diff).",
	.run = run_diff,
};

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
	.summary = "write the cells and actors of the open world as a StreamingGeneration log",
	.examples = "cook log valley.log",
	.help = "The command writes FILE in the format of the log that Unreal writes when it\n"
		"cooks. `open FILE` opens the cells in FILE, and `open FILE --recook` makes new\n"
		"cells from the actors in FILE. FILE lacks data layers, HLOD layers, content\n"
		"bundles, tags, loading ranges and the version of the engine. Bounds of actors in\n"
		"rotated level instances are larger in FILE than in the world.",
	.run = run_cook_log,
};
