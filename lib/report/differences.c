/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the parts of a report that compare its cook with an earlier one, or with the engine's. */
#include "report/html_page.h"

#include <cellscope/compare.h>
#include <cellscope/cook.h>

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 40, KINDS = CS_DIFF_KINDS };

/* ---- numbers of differences by kind of record ---- */

struct counts {
	size_t fresh, gone, moved, changed;
};

static void differences_count_rows(const struct cs_diff *diff, struct counts counts[KINDS])
{
	for (size_t i = 0; i < diff->n; i++) {
		struct counts *of = &counts[diff->rows[i].kind];
		uint32_t reasons = diff->rows[i].reasons;
		of->fresh += (reasons & CS_DIFF_NEW) != 0;
		of->gone += (reasons & CS_DIFF_GONE) != 0;
		of->moved += (reasons & CS_DIFF_MOVED) != 0;
		of->changed += !(reasons & (CS_DIFF_NEW | CS_DIFF_GONE | CS_DIFF_MOVED));
	}
}

static void put_counts(struct page *page, const struct cs_diff *diff)
{
	struct counts counts[KINDS] = {{0}};
	differences_count_rows(diff, counts);
	page_put(page, "<table><thead><tr><th>what</th><th>new</th><th>gone</th><th>moved</th>"
		       "<th>changed</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < KINDS; i++)
		page_format(page,
			"<tr><td>%s</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td "
			"class=\"n\">%zu</td><td class=\"n\">%zu</td></tr>\n",
			cs_diff_kind_name((enum cs_diff_kind)i), counts[i].fresh, counts[i].gone,
			counts[i].moved, counts[i].changed);
	page_put(page, "</tbody></table>\n");
}

/* ---- measures that got worse since the earlier cook ---- */

static void differences_put_number(struct page *page, double value)
{
	char text[CS_DOUBLE_TEXT] = "-";
	if (isfinite(value))
		cs_double_format(value, text);
	page_format(page, "<td class=\"n\">%s</td>", text);
}

struct cs_error *page_measure_before(
	const struct cs_report_input *input, struct cs_measure rows[CS_MEASURES], size_t *worse_ret)
{
	size_t worse = 0;
	struct cs_error *error = cs_worse(input->before, input->world, NULL, NULL, rows);
	for (size_t i = 0; i < CS_MEASURES && !error; i++)
		worse += rows[i].worse;
	if (!error)
		*worse_ret = worse;
	return error;
}

static struct cs_error *put_worse(struct page *page, const struct cs_report_input *input)
{
	struct cs_measure rows[CS_MEASURES];
	size_t worse;
	struct cs_error *error = page_measure_before(input, rows, &worse);
	if (error)
		return error;
	page_put(page, "<h3>What got worse</h3>\n");
	page_put(page, worse ? "<table><thead><tr><th>measure</th><th>before</th><th>now</th>"
			       "<th>change</th></tr></thead><tbody>\n"
			     : "<p>Nothing that is measured.</p>\n");
	for (size_t i = 0; i < CS_MEASURES; i++) {
		if (!rows[i].worse)
			continue;
		page_format(page, "<tr><td>%s</td>", rows[i].doc);
		differences_put_number(page, rows[i].before);
		differences_put_number(page, rows[i].after);
		differences_put_number(page, rows[i].after - rows[i].before);
		page_put(page, "</tr>\n");
	}
	page_put(page, worse ? "</tbody></table>\n" : "");
	return NULL;
}

/* ---- changed settings, and actors that moved to another cell ---- */

static void put_setting(struct page *page, const struct cs_cooked *cooked,
	const struct cs_diff_row *row, uint32_t at)
{
	char text[200] = "";
	if (at != CS_NONE && row->field)
		cs_field_format(cooked->file, row->field, cs_diff_record(cooked, row, at), 0, text,
			sizeof(text));
	page_cell(page, at == CS_NONE ? "-" : row->field ? text : "there");
}

static void put_settings(
	struct page *page, const struct cs_report_input *input, const struct cs_diff *diff)
{
	size_t n = 0; /* number of rows about settings, which come first in the sorted rows */
	while (n < diff->n && diff->rows[n].kind <= CS_DIFF_HLOD_ROW)
		n++;
	page_put(page, "<h3>Settings</h3>\n<table><thead><tr><th>of</th><th>setting</th>"
		       "<th>before</th><th>now</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n && i < MOST_ROWS; i++) {
		const struct cs_diff_row *row = &diff->rows[i];
		bool left = row->left != CS_NONE;
		page_put(page, "<tr>");
		page_cell(page, cs_diff_name_of(left ? input->before : input->world, row,
					left ? row->left : row->right));
		page_cell(page, row->field ? row->field->name : "");
		put_setting(page, input->before, row, row->left);
		put_setting(page, input->world, row, row->right);
		page_put(page, "</tr>\n");
	}
	page_put(page, "</tbody></table>\n");
	if (n > MOST_ROWS)
		page_format(page, "<p>%zu more setting%s.</p>\n", n - MOST_ROWS,
			n - MOST_ROWS == 1 ? "" : "s");
}

static void put_named_cell(struct page *page, const struct cs_cooked *cooked, uint32_t cell)
{
	page_cell(page, cell == CS_NONE ? "none" : cs_cooked_cell_name(cooked, cell));
}

static void put_moved(
	struct page *page, const struct cs_report_input *input, const struct cs_diff *diff)
{
	size_t told = 0, moved = 0;
	for (size_t i = 0; i < diff->n; i++)
		moved += diff->rows[i].kind == CS_DIFF_ACTOR &&
			 diff->rows[i].reasons & CS_DIFF_MOVED;
	if (moved == 0)
		return;
	page_put(page, "<h3>Actors in another cell</h3>\n<table><thead><tr><th>actor</th>"
		       "<th>before</th><th>now</th><th>rule</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < diff->n && told < MOST_ROWS; i++) {
		const struct cs_diff_row *row = &diff->rows[i];
		if (row->kind != CS_DIFF_ACTOR || !(row->reasons & CS_DIFF_MOVED))
			continue;
		told++;
		const char *rule =
			cs_parting_rule(input->before, row->left, input->world, row->right);
		page_put(page, "<tr>");
		page_cell(page, cs_diff_name_of(input->before, row, row->left));
		put_named_cell(page, input->before, row->left_cell);
		put_named_cell(page, input->world, row->right_cell);
		page_cell(page, rule ? rule : "-");
		page_put(page, "</tr>\n");
	}
	page_put(page, "</tbody></table>\n");
	if (moved > told)
		page_format(page, "<p>%zu more actor%s.</p>\n", moved - told,
			moved - told == 1 ? "" : "s");
}

/* ---- maps of changed cells ---- */

static const struct cs_map_key map_keys[] = {
	{'.', "as it was", 0}, {'~', "changed", 0}, {'+', "new", 0}, {'-', "gone", 0}};

enum { KEY_SAME = 1, KEY_CHANGED, KEY_NEW, KEY_GONE };

struct sheet {
	const struct cs_cooked *world;
	unsigned char *keys; /* for each cell of `world`, an enum value KEY_... */
	const char *title;
	int least; /* map key: a grid level is drawn only if a cell has this key or a higher one */
	const struct cs_map_key *legend;
	size_t n_legend;
};

static void differences_mark(struct sheet *before, struct sheet *now, const struct cs_diff *diff)
{
	memset(before->keys, KEY_SAME, before->world->n_cells);
	memset(now->keys, KEY_SAME, now->world->n_cells);
	for (size_t i = 0; i < diff->n; i++) {
		const struct cs_diff_row *row = &diff->rows[i];
		if (row->kind != CS_DIFF_CELL)
			continue;
		if (row->left == CS_NONE) {
			now->keys[row->right] = KEY_NEW;
		} else if (row->right == CS_NONE) {
			before->keys[row->left] = KEY_GONE;
		} else {
			before->keys[row->left] = KEY_CHANGED;
			now->keys[row->right] = KEY_CHANGED;
		}
	}
}

/* Returns whether a grid level's map is drawn: the map key of a cell must be >= sheet->least. */
static bool is_worth(const struct sheet *sheet, uint32_t grid, int32_t level)
{
	const struct cs_range cells = sheet->world->partitions[grid].cells;
	for (uint32_t i = cells.first; i < cells.first + cells.count; i++)
		if (cs_cooked_cell(sheet->world, i)->level == level &&
			sheet->keys[i] >= sheet->least &&
			cs_box_valid(&cs_cooked_cell(sheet->world, i)->box))
			return true;
	return false;
}

static struct cs_error *put_sheet(struct page *page, const struct sheet *sheet)
{
	enum { LEVELS = 4, GRIDS = 4 };
	struct cs_error *error = NULL;
	for (uint32_t grid = 0; grid < sheet->world->n_partitions && grid < GRIDS; grid++) {
		for (int32_t level = 0; level < LEVELS && !error; level++) {
			if (!is_worth(sheet, grid, level))
				continue;
			const struct cs_map_request request = {.world = sheet->world,
				.grid = grid,
				.level = level,
				.overlay = CS_MAP_GIVEN,
				.given = sheet->keys,
				.given_keys = sheet->legend,
				.n_given_keys = sheet->n_legend};
			page_put(page, "<h3>");
			page_text(page,
				cs_cooked_text(sheet->world, sheet->world->partitions[grid].name));
			page_format(page, ", level %d, %s</h3>\n", level, sheet->title);
			error = page_map(page, &request);
		}
	}
	return error;
}

static struct cs_error *differences_put_maps(
	struct page *page, const struct cs_report_input *input, const struct cs_diff *diff)
{
	enum { LEGEND = sizeof(map_keys) / sizeof(map_keys[0]) };
	struct sheet before = {input->before, malloc(input->before->n_cells + 1), "before",
		KEY_GONE, map_keys, LEGEND};
	struct sheet now = {input->world, malloc(input->world->n_cells + 1), "now", KEY_CHANGED,
		map_keys, LEGEND};
	struct cs_error *error = before.keys && now.keys ? NULL : cs_error_nomem();
	if (!error) {
		differences_mark(&before, &now, diff);
		error = put_sheet(page, &now);
	}
	if (!error)
		error = put_sheet(page, &before);
	free(before.keys);
	free(now.keys);
	return error;
}

struct cs_error *page_before(struct page *page, const struct cs_report_input *input)
{
	struct cs_diff diff;
	struct cs_error *error = cs_cooked_diff(input->before, input->world, &diff);
	if (error)
		return error;
	page_put(page, "<h2>Before and now</h2>\n");
	put_counts(page, &diff);
	error = put_worse(page, input);
	put_settings(page, input, &diff);
	put_moved(page, input, &diff);
	if (!error)
		error = differences_put_maps(page, input, &diff);
	free(diff.rows);
	return error;
}

/* ---- the comparison with the engine's cook ---- */

static void put_engine_row(struct page *page, const struct cs_compare_row *row)
{
	const char *const texts[] = {cs_word(CS_WORDS_COMPARED, row->kind)->name, row->name,
		cs_word(CS_WORDS_CHANGE, row->change)->name, row->ours, row->theirs,
		cs_word(CS_WORDS_VERDICT, row->verdict)->name, row->rule};
	page_put(page, "<tr>");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		page_cell(page, texts[i] ? texts[i] : "-");
	page_put(page, "</tr>\n");
}

static const struct cs_map_key engine_keys[] = {{'.', "the same", 0}, {'~', "differs by rule", 0},
	{'-', "ours alone", 0}, {'!', "unexplained", 0}};

enum { KEY_EQUAL = 1, KEY_BY_RULE, KEY_OURS, KEY_UNEXPLAINED };

static unsigned char key_of_row(const struct cs_compare_row *row)
{
	if (row->kind == CS_COMPARE_CELL && row->change == CS_COMPARE_ONLY_OURS)
		return KEY_OURS;
	return row->verdict == CS_COMPARE_UNEXPLAINED ? KEY_UNEXPLAINED : KEY_BY_RULE;
}

/*
 * Stores for each cell the greatest (most important) map key, KEY_..., of all comparison rows about
 * the cell or its content. Returns the number of cells that exist only in the engine's cook.
 */
static size_t mark_rows(struct sheet *sheet, const struct cs_comparison *comparison)
{
	size_t theirs = 0;
	memset(sheet->keys, KEY_EQUAL, sheet->world->n_cells);
	for (size_t i = 0; i < comparison->n; i++) {
		const struct cs_compare_row *row = &comparison->rows[i];
		unsigned char key = key_of_row(row);
		theirs += row->kind == CS_COMPARE_CELL && row->change == CS_COMPARE_ONLY_THEIRS;
		if (row->cell != CS_NONE && sheet->keys[row->cell] < key)
			sheet->keys[row->cell] = key;
	}
	return theirs;
}

static struct cs_error *put_engine_maps(
	struct page *page, const struct cs_cooked *world, const struct cs_comparison *comparison)
{
	struct sheet sheet = {.world = world,
		.keys = malloc(world->n_cells + 1),
		.title = "against the engine",
		.least = KEY_BY_RULE,
		.legend = engine_keys,
		.n_legend = sizeof(engine_keys) / sizeof(engine_keys[0])};
	if (!sheet.keys)
		return cs_error_nomem();
	size_t theirs = mark_rows(&sheet, comparison);
	struct cs_error *error = put_sheet(page, &sheet);
	if (theirs)
		page_format(page,
			"<p>%zu cells are the engine's alone, and on no map of ours.</p>\n",
			theirs);
	free(sheet.keys);
	return error;
}

static void put_verdict(struct page *page, const struct cs_comparison *comparison)
{
	page_format(page, "<p>Verdict: <strong>%s</strong>",
		cs_word(CS_WORDS_VERDICT, comparison->verdict)->name);
	for (int i = 0; i < CS_COMPARE_KINDS; i++)
		if (comparison->compared[i] || comparison->unexplained[i] || comparison->by_rule[i])
			page_format(page, "; %s: %zu compared, %zu by rule, %zu unexplained",
				cs_word(CS_WORDS_COMPARED, i)->name, comparison->compared[i],
				comparison->by_rule[i], comparison->unexplained[i]);
	page_put(page, ".</p>\n");
}

struct cs_error *page_engine(struct page *page, const struct cs_cooked *world,
	const struct cs_comparison *comparison, const char *title)
{
	page_format(page, "<h2>%s</h2>\n", title);
	put_verdict(page, comparison);
	if (comparison->n == 0)
		return NULL;
	page_put(page, "<table><thead><tr><th>what</th><th>name</th><th>change</th><th>ours</th>"
		       "<th>theirs</th><th>verdict</th><th>rule</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < comparison->n && i < MOST_ROWS; i++)
		put_engine_row(page, &comparison->rows[i]);
	page_put(page, "</tbody></table>\n");
	if (comparison->n > MOST_ROWS)
		page_format(page, "<p>%zu more row%s.</p>\n", comparison->n - MOST_ROWS,
			comparison->n - MOST_ROWS == 1 ? "" : "s");
	return put_engine_maps(page, world, comparison);
}
