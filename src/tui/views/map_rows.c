/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws an overlay of the map that shows the output of any command: each row that names a cell
 * marks the cell with a value of the row. A cell that the world does not contain is drawn where
 * columns of the row place it. The map can thus show the impact of a layer, a difference of two
 * cooks or a number of loads without code for each.
 */
#include "src/tui/list/rowset.h"
#include "src/tui/views/map_view.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *line;
} named[] = {
	{"loads", "sql SELECT cell, partition, count(*) AS loads FROM events "
		  "WHERE event = 'cell.load' GROUP BY cell, partition"},
	{"thrash", "sql SELECT cell, partition, count(*) - 1 AS again FROM events "
		   "WHERE event = 'cell.load' GROUP BY cell, partition HAVING count(*) > 1"},
	{"late", "sql SELECT cell, cause AS mark, max(late) AS late FROM run_pairs "
		 "WHERE never OR late > 0 GROUP BY cell"},
	{"real", "sql SELECT cell, state, max(time) AS time FROM run_cells GROUP BY cell"},
};

/*
 * `view overlay next` selects only the first NEXT items of `named`; the overlays of real runs, the
 * other items, are selected by name.
 */
enum { NAMED = sizeof(named) / sizeof(named[0]), NEXT = 2 };

/* Returns the index of an overlay in `named`, or NAMED if there is none of that name. */
static size_t named_overlay(const char *name)
{
	size_t at = 0;
	while (at < NAMED && strcmp(named[at].name, name) != 0)
		at++;
	return at;
}

/* Shows an overlay; CS_MAP_GIVEN marks the cells named in the output of the command `line`. */
static struct cs_error *show_overlay(
	struct map_view *state, enum cs_map_overlay overlay, const char *name, const char *line)
{
	char *copy = line ? strdup(line) : NULL;
	if (line && !copy)
		return cs_error_nomem();
	free(state->line);
	state->line = copy;
	state->name = name;
	state->overlay = overlay;
	state->n_given_keys = 0;
	state->read_at = 0;
	return NULL;
}

static struct cs_error *show_named(struct map_view *state, size_t i)
{
	return show_overlay(state, CS_MAP_GIVEN, named[i].name, named[i].line);
}

/* Selects the next overlay: the library's, then the predefined ones, then the first again. */
static struct cs_error *next_overlay(struct map_view *state)
{
	const size_t next = state->name ? named_overlay(state->name) + 1 : 0;
	if (state->overlay + 1 < CS_MAP_OVERLAYS)
		return show_overlay(state, (enum cs_map_overlay)(state->overlay + 1), NULL, NULL);
	return next < NEXT ? show_named(state, next)
			   : show_overlay(state, CS_MAP_STATE, NULL, NULL);
}

struct cs_error *map_set_overlay(struct map_view *state, const char *value)
{
	static const char rows[] = "rows ";
	const size_t at = named_overlay(value);
	if (strcmp(value, "next") == 0)
		return next_overlay(state);
	if (strncmp(value, rows, sizeof(rows) - 1) == 0)
		return show_overlay(state, CS_MAP_GIVEN, NULL, value + sizeof(rows) - 1);
	if (at < NAMED)
		return show_named(state, at);
	struct closest closest = closest_to(value);
	for (int i = 0; i < CS_MAP_OVERLAYS; i++) {
		const char *overlay = cs_word(CS_WORDS_MAP_OVERLAY, i)->name;
		if (strcmp(overlay, value) == 0)
			return show_overlay(state, (enum cs_map_overlay)i, NULL, NULL);
		closest_consider(&closest, overlay, strlen(overlay));
	}
	return cs_error_new(CS_E_USAGE, "the map has no overlay '%s'; %s%s%s", value,
		closest.best ? "did you mean '" : "`help map` lists them",
		closest.best ? closest.best : "", closest.best ? "'?" : "");
}

void map_take_overlay(struct map_view *state, struct map_view *former)
{
	free(state->line);
	state->line = former->line;
	state->name = former->name;
	state->overlay = former->overlay;
	former->line = NULL;
}

/* ---- keys: the values that mark cells ---- */

/*
 * Returns the column whose values mark the cells: the first column of `keys` that the table has,
 * else the first column whose key does not contain "cell".
 */
static const struct cs_column *telling_column(const struct cs_table *table)
{
	static const char *const keys[] = {"mark", "change", "difference", "after", "would_be",
		"to", "state", "loads", "again", "n"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (cs_table_column(table, keys[i]))
			return cs_table_column(table, keys[i]);
	for (size_t i = 0; i < table->n_columns; i++)
		if (strstr(table->columns[i].key, "cell") == NULL)
			return &table->columns[i];
	return NULL;
}

static char letter_of_word(const struct map_view *state, const char *word)
{
	bool is_sign = word[0] > ' ' && word[0] < 0x7f && word[1] == '\0';
	static const struct {
		const char *word;
		char letter;
	} fixed[] = {{"added", '+'}, {"new", '+'}, {"removed", '-'}, {"missing", '-'},
		{"changed", '~'}, {"moved", '~'}, {"same", '='}, {"equal", '='}};
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (strcmp(fixed[i].word, word) == 0)
			return fixed[i].letter;
	if (is_sign)
		return *word;
	static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char letter = (*word | 0x20) >= 'a' && (*word | 0x20) <= 'z' ? *word : others[0];
	for (size_t i = 0, next = 0; i < state->n_given_keys && next < sizeof(others) - 1; i++)
		if (state->given_keys[i].letter == letter) {
			letter = others[next++];
			i = SIZE_MAX; /* the next letter is compared with all keys again */
		}
	return letter;
}

/* Returns 1 + the index of a word's map key, added if new, or 0 if no more keys are possible. */
static unsigned char key_of_word(struct map_view *state, const char *word)
{
	enum { MOST_WORDS = CS_MAP_KEYS - 1 };
	for (size_t i = 0; i < state->n_given_keys; i++)
		if (strncmp(state->words[i], word, sizeof(state->words[i]) - 1) == 0)
			return (unsigned char)(i + 1);
	size_t n = state->n_given_keys;
	if (n == MOST_WORDS)
		return 0;
	snprintf(state->words[n], sizeof(state->words[n]), "%s", word);
	state->given_keys[n] = (struct cs_map_key){letter_of_word(state, word), state->words[n], 0};
	state->n_given_keys++;
	return (unsigned char)(n + 1);
}

/*
 * Returns the map key of a number: 1 to 8, 9 for 9 or more, 0 (none) below 1. A place of the map
 * shows the greatest key of its cells.
 */
static unsigned char key_of_number(struct map_view *state, int64_t number)
{
	enum { MOST = 9 };
	for (size_t i = state->n_given_keys; i < MOST; i++) {
		snprintf(state->words[i], sizeof(state->words[i]), "%zu%s", i + 1,
			i + 1 == MOST ? " or more" : "");
		state->given_keys[i] = (struct cs_map_key){(char)('1' + i), state->words[i], 0};
		state->n_given_keys = MOST;
	}
	return (unsigned char)(number < 1 ? 0 : number > MOST ? MOST : number);
}

static unsigned char map_rows_key_of(struct map_view *state, const struct cs_value *value)
{
	if (value->kind == CS_KIND_INTEGER)
		return key_of_number(state, value->integer);
	if (value->kind == CS_KIND_NUMBER)
		return key_of_number(state, value->number < 9 ? (int64_t)value->number : 9);
	return key_of_word(
		state, value->kind == CS_KIND_TEXT && *value->text ? value->text : "yes");
}

/* ---- reading rows ---- */

static uint32_t cell_of_row(struct tui_view *view, const struct row_set *rows, uint32_t row)
{
	const struct cs_value name = row_value(&rows->table, rows, row, "what");
	struct object object = {.row = CS_NONE};
	/* in the output of `diff`, a row may be about an object of another kind */
	if (strcmp(row_text(&rows->table, rows, row, "kind"), "cell") == 0 &&
		object_of_value("cell", &name, &object))
		return object_row(view->session, &object);
	if (!object_of_row(view->session, &rows->table, rows, row, &object) ||
		strcmp(object.kind, "cell") != 0)
		return CS_NONE;
	return object_row(view->session, &object);
}

static bool read_whole(const struct row_set *rows, uint32_t row, const char *key, int64_t *ret)
{
	struct cs_value value = row_value(&rows->table, rows, row, key);
	*ret = value.integer;
	return value.kind == CS_KIND_INTEGER;
}

/*
 * Reads the grid, level and coordinates of the cell that a row is about. Returns false if the row
 * is about no cell, or if the world has no such grid.
 */
static bool is_stranger(const struct cs_cooked *world, const struct row_set *rows, uint32_t row,
	struct map_stranger *ret)
{
	const struct cs_value kind = row_value(&rows->table, rows, row, "kind"),
			      grid = row_value(&rows->table, rows, row, "grid");
	int64_t level;
	if ((kind.kind == CS_KIND_TEXT && strcmp(kind.text, "cell") != 0) ||
		grid.kind != CS_KIND_TEXT || !read_whole(rows, row, "level", &level) ||
		!read_whole(rows, row, "x", &ret->x) || !read_whole(rows, row, "y", &ret->y))
		return false;
	ret->level = (int32_t)level;
	for (ret->grid = 0; ret->grid < world->n_partitions; ret->grid++)
		if (strcmp(cs_cooked_text(world, world->partitions[ret->grid].name), grid.text) ==
			0)
			return true;
	return false;
}

size_t map_place_of_stranger(const struct map_view *state, const struct map_stranger *stranger)
{
	size_t place = stranger->grid == state->grid && stranger->level == state->level
			       ? map_place_at(state, stranger->x, stranger->y)
			       : SIZE_MAX;
	return place != SIZE_MAX && state->map.places[place].cells == 0 ? place : SIZE_MAX;
}

/*
 * Marks the cell that a row names. If several rows name one cell, the value of the first row is
 * shown, because commands print rows about cells before other rows.
 */
static struct cs_error *mark_row(
	struct tui_view *view, const struct row_set *rows, uint32_t row, struct cs_value value)
{
	struct map_view *state = view->state;
	const struct cs_cooked *world = view->session->world;
	struct map_stranger stranger = {0};
	const char *partition = row_text(&rows->table, rows, row, "partition"), *main;
	cs_query_partition(view->session->query, 0, &main);
	if (*partition && strcmp(partition, main) != 0)
		return NULL; /* other partitions are not on the map, which shows the main world */
	uint32_t cell = cell_of_row(view, rows, row);
	if (cell < world->n_cells) {
		state->given[cell] =
			state->given[cell] ? state->given[cell] : map_rows_key_of(state, &value);
		return NULL;
	}
	if (!is_stranger(world, rows, row, &stranger))
		return NULL;
	stranger.key = map_rows_key_of(state, &value);
	return cs_vec_push(&state->strangers, stranger) ? NULL : cs_error_nomem();
}

/* ---- levels with marked cells ---- */

struct level {
	uint32_t grid;
	int32_t level;
	size_t cells;
};

enum { MOST_LEVELS = 64 };

struct told_levels {
	struct level at[MOST_LEVELS];
	size_t n;
};

static void map_rows_count_level(struct told_levels *levels, uint32_t grid, int32_t level)
{
	size_t i = 0;
	while (i < levels->n && (levels->at[i].grid != grid || levels->at[i].level != level))
		i++;
	if (i == MOST_LEVELS)
		return;
	if (i == levels->n)
		levels->at[levels->n++] = (struct level){grid, level, 0};
	levels->at[i].cells++;
}

void map_go_where_told(struct tui_view *view, bool moves)
{
	struct map_view *state = view->state;
	const struct cs_cooked *world = view->session->world;
	struct told_levels levels = {.n = 0};
	size_t here = 0, all = 0, most = 0;
	for (size_t i = 0; i < world->n_cells; i++)
		if (state->given[i] && cs_box_valid(&cs_cooked_cell(world, i)->box))
			map_rows_count_level(&levels, cs_cooked_cell(world, i)->partition,
				cs_cooked_cell(world, i)->level);
	for (size_t i = 0; i < state->strangers.n; i++)
		map_rows_count_level(
			&levels, state->strangers.at[i].grid, state->strangers.at[i].level);
	for (size_t i = 0; i < levels.n; i++) {
		bool is_here =
			levels.at[i].grid == state->grid && levels.at[i].level == state->level;
		here += is_here ? levels.at[i].cells : 0;
		all += levels.at[i].cells;
		most = levels.at[i].cells > levels.at[most].cells ? i : most;
	}
	if (moves && here == 0 && all > 0) {
		state->grid = levels.at[most].grid;
		state->level = levels.at[most].level;
		state->fits = true;
		here = levels.at[most].cells;
	}
	state->told_elsewhere = state->all_levels ? 0 : all - here;
}

struct cs_error *map_read_rows(struct tui_view *view)
{
	struct map_view *state = view->state;
	const size_t n_cells = view->session->world->n_cells;
	struct row_set rows;
	state->n_given_keys = 0;
	state->strangers.n = 0;
	free(state->given);
	state->given = calloc(n_cells + 1, 1);
	if (!state->given)
		return cs_error_nomem();
	struct cs_error *error = row_set_of(view->session, state->line, true, &rows);
	const struct cs_column *column = error ? NULL : telling_column(&rows.table);
	for (uint32_t i = 0; !error && i < rows.n_rows; i++) {
		struct cs_value value =
			column ? cs_table_get(&rows.table, &rows, i, column) : cs_null();
		error = mark_row(view, &rows, i, value);
	}
	row_set_free(&rows);
	return error;
}
