/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop over the rows of a table of large worlds, in ascending order, for columns that are known
 * before the loop. Only the fields of these columns are decoded, and sections are freed after their
 * rows were read. Rows may refer to cells and actors in any order, so reading each name when it is
 * shown would load whole tables. Therefore the loop works in batches: it marks the cells and actors
 * that the next rows refer to, reads their names in the order of their table, and keeps only the
 * names. A batch ends when it refers to MOST_NAMES cells or actors.
 */
#include "core/ranks.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"

#include <stdlib.h>
#include <string.h>

static bool is_large(const struct cs_cooked *world)
{
	enum { MANY = 100000 }; /* number of actors; a smaller world is loaded once and kept */
	return world->n_actors > MANY;
}

static void pass_parts(const struct cs_reading *reading, enum cs_pass what)
{
	const struct cs_cooked_source *main = reading->source;
	for (size_t i = 0; i < main->parts.n; i++)
		if (main->parts.at[i]->passing)
			cs_cooked_pass(main->parts.at[i]->world, what);
}

static void begin_parts(const struct cs_reading *reading, struct cs_reads *reads)
{
	const struct cs_cooked_source *main = reading->source;
	for (size_t i = 0; i < main->parts.n; i++) {
		struct cs_cooked_source *part = main->parts.at[i];
		part->passing = is_large(part->world) &&
				cs_cooked_pass_fields(part->world,
					reads->whole ? NULL : reads->fields.at, reads->fields.n);
	}
	cs_vec_free(&reads->fields);
}

static void end_parts(const struct cs_reading *reading)
{
	const struct cs_cooked_source *main = reading->source;
	pass_parts(reading, CS_PASS_END);
	for (size_t i = 0; i < main->parts.n; i++)
		main->parts.at[i]->passing = false;
}

/* ---- names of rows of other tables ---- */

static size_t rows_of_kind(const struct cs_cooked *cooked, enum cs_named kind)
{
	return kind == CS_NAMED_CELL || kind == CS_NAMED_FLAGS ? cooked->n_cells : cooked->n_actors;
}

/* Marks a row whose name will be shown. Returns how many rows are marked for this kind of name. */
static size_t mark_name(struct cs_cooked *cooked, enum cs_named kind, uint32_t row)
{
	if (row >= rows_of_kind(cooked, kind))
		return 0;
	if (!cooked->names && !(cooked->names = calloc(1, sizeof(*cooked->names))))
		return 0;
	struct cs_row_names *names = &cooked->names->of[kind];
	if (!names->words) {
		names->n_words = rows_of_kind(cooked, kind) / CS_RANKS_WORD + 1;
		names->words = calloc(names->n_words, sizeof(*names->words));
	}
	if (names->words && !cs_ranks_has(names->words, row)) {
		cs_ranks_add(names->words, row);
		names->n++;
	}
	return names->n;
}

/* Reads from a row the value that is shown for references to it. Returns its size in bytes. */
static size_t read_name(
	const struct cs_cooked *cooked, enum cs_named kind, uint32_t row, const void **ret)
{
	switch (kind) {
	case CS_NAMED_FLAGS:
		*ret = &cs_cooked_cell(cooked, row)->flags;
		return sizeof(uint32_t);
	case CS_NAMED_GUID:
		*ret = &cs_cooked_actor(cooked, row)->guid;
		return sizeof(struct cs_guid);
	case CS_NAMED_TITLE:
		*ret = cs_cooked_actor_title(cooked, row);
		break;
	default:
		*ret = cs_cooked_cell_name(cooked, row);
	}
	return strlen(*ret) + 1;
}

static bool add_name(const struct cs_cooked *cooked, enum cs_named kind, uint32_t row)
{
	/* in bytes; names beyond this limit are read when they are shown */
	enum { MOST_BYTES = 64 << 20 };
	struct cs_row_names *names = &cooked->names->of[kind];
	const void *name;
	const size_t size = read_name(cooked, kind, row, &name);
	names->at[names->n_named] = (uint32_t)names->bytes.n;
	if (names->bytes.n + size > MOST_BYTES || !cs_vec_append(&names->bytes, name, size))
		return false;
	names->n_named++;
	return true;
}

static void forget_kind(struct cs_row_names *names)
{
	free(names->words);
	free(names->at);
	cs_vec_free(&names->bytes);
	*names = (struct cs_row_names){0};
}

/* Reads the names of one kind in the order of their rows. */
static void read_marked(struct cs_cooked *cooked, enum cs_named kind)
{
	static const struct cs_record_byte fields[CS_NAMED_KINDS][3] = {
		[CS_NAMED_CELL] = {{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, name)}},
		[CS_NAMED_FLAGS] = {{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, flags)}},
		[CS_NAMED_TITLE] = {{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, name)},
			{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, label)},
			{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, container)}},
		[CS_NAMED_GUID] = {{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, guid)}},
	};
	struct cs_row_names *names = &cooked->names->of[kind];
	cs_ranks_count(names->words, names->n_words);
	names->at = malloc((names->n + 1) * sizeof(*names->at));
	bool more = names->at != NULL;
	const struct cs_cooked_loop loop =
		cs_cooked_loop(cooked, fields[kind], kind == CS_NAMED_TITLE ? 3 : 1);
	for (size_t i = 0; more && i < names->n_words; i++) {
		uint32_t bits = (uint32_t)names->words[i];
		for (; more && bits; bits &= bits - 1)
			more = add_name(cooked, kind,
				(uint32_t)(i * CS_RANKS_WORD) + (uint32_t)__builtin_ctz(bits));
		cs_cooked_loop_step(&loop, i * CS_RANKS_WORD);
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (error) /* the error is reported when the name is shown and read again */
		forget_kind(names);
	cs_error_free(error);
}

/* Reads the names of all marked rows. */
static void read_all_marked(struct cs_cooked *cooked)
{
	/* the title of an actor in a level instance begins with the title of the instance */
	if (cooked->names && cooked->names->of[CS_NAMED_TITLE].n > cooked->n_containers)
		for (size_t i = 0; i < cooked->n_containers; i++)
			mark_name(cooked, CS_NAMED_TITLE, cooked->containers[i].actor);
	for (size_t i = 0; cooked->names && i < CS_NAMED_KINDS; i++)
		if (cooked->names->of[i].words)
			read_marked(cooked, (enum cs_named)i);
}

/* ---- rows that are referred to ---- */

/* Returns the getter of a column that shows rows of another table, or NULL. */
static const struct cs_getter *referring(const struct cs_reading *reading, size_t column)
{
	const struct cs_getter *getter = cs_reads_getter(reading->table, reading->columns[column]);
	return getter && getter->refers ? getter : NULL;
}

/*
 * Marks the rows of other tables that a row refers to. Returns the largest number of rows that are
 * marked so far in one of these tables.
 */
static size_t mark_referred(const struct cs_reading *reading, size_t index)
{
	const struct cs_row row = cs_table_row(reading->table, reading->source, index);
	const struct cs_cooked_source *part = row.source;
	size_t most = 0;
	for (size_t i = 0; part->passing && i < reading->n_columns; i++) {
		const struct cs_getter *getter = referring(reading, i);
		const uint32_t other = getter ? getter->refers(&row, reading->columns[i]) : CS_NONE;
		const size_t n = mark_name(part->world, getter ? getter->kind : 0, other);
		most = n > most ? n : most;
	}
	return most;
}

/*
 * Marks the rows that the rows from reading->at on refer to, until MOST_NAMES rows are marked.
 * Returns the index of the first row that was not examined.
 */
static size_t mark_batch(const struct cs_reading *reading, struct cs_reads *reads)
{
	enum { MOST_NAMES = 2000000 };
	size_t i = reading->at;
	begin_parts(reading, reads);
	for (size_t most = 0; most < MOST_NAMES && i < reading->n_rows; i++) {
		most = mark_referred(reading, reading->rows[i]);
		if (i % 1024 == 0)
			pass_parts(reading, CS_PASS_STEP);
	}
	end_parts(reading);
	return i;
}

/* Reads the names that the next rows show, and sets reading->named to the end of these rows. */
static void prepare_names(struct cs_reading *reading)
{
	const struct cs_cooked_source *main = reading->source;
	struct cs_reads reads = {0};
	bool any = false;
	for (size_t i = 0; i < reading->n_columns; i++)
		if (referring(reading, i)) {
			cs_reads_own_field(&reads, reading->table, reading->columns[i]);
			any = true;
		}
	reading->named = any ? mark_batch(reading, &reads) : SIZE_MAX;
	for (size_t i = 0; i < main->parts.n; i++)
		read_all_marked(main->parts.at[i]->world);
}

/* ---- the loop ---- */

static void begin_reading(struct cs_reading *reading)
{
	struct cs_reads reads = {.whole = reading->n_columns == 0};
	prepare_names(reading);
	for (size_t i = 0; i < reading->n_columns; i++)
		cs_reads_column(&reads, reading->table, reading->columns[i]);
	begin_parts(reading, &reads);
}

static void end_reading(const struct cs_reading *reading)
{
	end_parts(reading);
	const struct cs_cooked_source *main = reading->source;
	for (size_t i = 0; i < main->parts.n; i++) {
		struct cs_cooked *cooked = main->parts.at[i]->world;
		for (size_t k = 0; cooked->names && k < CS_NAMED_KINDS; k++)
			forget_kind(&cooked->names->of[k]);
		free(cooked->names);
		cooked->names = NULL;
	}
}

void cs_parts_pass(struct cs_reading *reading, enum cs_pass what)
{
	enum { ROWS = 256 };
	if (what == CS_PASS_BEGIN) {
		reading->at = 0;
		begin_reading(reading);
	} else if (what == CS_PASS_END) {
		end_reading(reading);
	} else if (++reading->at == reading->named) {
		end_reading(reading);
		begin_reading(reading);
	} else if (reading->at % ROWS == 0) {
		pass_parts(reading, CS_PASS_STEP);
	}
}
