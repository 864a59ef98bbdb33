/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the rows that a name refers to, and lists the names of all rows. */
#include "core/guid.h"
#include "core/job.h"
#include "format/file_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"

#include <stdlib.h>
#include <string.h>

static bool is_main(const struct cs_binding *binding, size_t row)
{
	return !binding->table->locate ||
	       binding->table->locate(binding->source, &row) == binding->source;
}

enum { BY_READING = 4 }; /* number of lookups in a column before an index is built for it */

/* A search for a key in a column. `rows` receives at most the first `room` of the n rows found. */
struct key_lookup {
	struct cs_binding *binding;
	const struct cs_column *column;
	const char *text;
	bool fold, main; /* fold: ignore case; main: find only rows of the main world partition */
	uint32_t *rows;
	size_t room, n;
	bool done;
};

static void lookup_compare(struct key_lookup *lookup, uint32_t row)
{
	const struct cs_binding *binding = lookup->binding;
	char room[CS_GUID_TEXT];
	const struct cs_value value =
		cs_table_get(binding->table, binding->source, row, lookup->column);
	const char *key = cs_index_key(&value, room);
	if (!key || (lookup->fold ? cs_name_compare(key, lookup->text) != 0
				  : strcmp(key, lookup->text) != 0))
		return;
	if (lookup->main && !is_main(binding, row))
		return;
	if (lookup->n < lookup->room)
		lookup->rows[lookup->n] = row;
	lookup->n++;
}

/* Runs a few lookups by reading one table once, which takes less time and memory than an index. */
static struct cs_error *lookup_scan(struct key_lookup *lookups, size_t n_lookups)
{
	enum { CHECK_EVERY = 1 << 16 };
	struct cs_query *query = lookups->binding->query;
	const size_t n = lookups->binding->table->count(lookups->binding->source);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < n; i++) {
		for (size_t k = 0; k < n_lookups; k++)
			lookup_compare(&lookups[k], (uint32_t)i);
		cs_reads_step(query);
		if (i % CHECK_EVERY == 0)
			error = cs_job_check(query->job);
	}
	return error ? error : cs_query_failed(query);
}

/* ---- key columns that are fields of actor records ---- */

/* Returns the file if all columns are actor fields that can be searched undecoded; else NULL. */
static struct cs_file *file_with_fields(const struct key_lookup *lookups, size_t n)
{
	const struct cs_query *query = lookups->binding->query;
	if (query->worlds.n != 1 || query->worlds.at[0]->parts.n != 1)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		uint16_t table = 0;
		cs_reads_field(lookups[i].binding->table, lookups[i].column, &table);
		if (table != CS_TABLE_ACTORS && table != CS_TABLE_ACTOR_DETAILS)
			return NULL;
	}
	return query->worlds.at[0]->world->file;
}

/*
 * All lookups of one call. A column is searched once for all lookups in it, and every row found is
 * compared with each of them.
 */
struct column_lookups {
	struct key_lookup *lookups;
	size_t n;
};

static void compare_candidate(void *context, uint32_t row)
{
	const struct column_lookups *same = context;
	for (size_t i = 0; i < same->n; i++)
		if (same->lookups[i].column == same->lookups->column)
			lookup_compare(&same->lookups[i], row);
	cs_reads_step(same->lookups->binding->query);
}

static bool column_was_read(const struct key_lookup *lookups, size_t i)
{
	size_t k = 0;
	while (lookups[k].column != lookups[i].column)
		k++;
	return k < i;
}

/*
 * Searches the column of the first lookup for its key, and compares each row found with all lookups
 * in that column. `texts` are the texts of the file that are equal to the key.
 */
static struct cs_error *lookup_column(
	struct cs_file *file, struct column_lookups same, const struct cs_found_texts *texts)
{
	const struct key_lookup *first = same.lookups;
	struct cs_guid guid;
	uint16_t table;
	const struct cs_field *field = cs_reads_field(first->binding->table, first->column, &table);
	const bool is_guid = first->column->kind == CS_KIND_GUID;
	if (is_guid ? !cs_guid_parse(first->text, strlen(first->text), &guid) : texts->n == 0)
		return NULL;
	const struct cs_row_key key = {is_guid ? &guid : NULL, texts};
	return cs_file_find_rows(
		file, table, field, &key, first->binding->query->job, compare_candidate, &same);
}

/*
 * Searches the file for rows that match the lookups. *done_ret is false when more than
 * CS_FOUND_TEXTS texts of the file end with the searched text; then nothing was searched.
 */
static struct cs_error *lookup_fields(
	struct cs_file *file, struct key_lookup *lookups, size_t n, bool *done_ret)
{
	const struct cs_job *job = lookups->binding->query->job;
	struct cs_found_texts texts = {.n = 0};
	const char *text = NULL; /* the text to find, the same for all columns of texts */
	for (size_t i = 0; i < n; i++)
		text = lookups[i].column->kind == CS_KIND_TEXT ? lookups[i].text : text;
	struct cs_error *error = text ? cs_file_find_texts(file, text, job, &texts) : NULL;
	*done_ret = texts.n <= CS_FOUND_TEXTS;
	for (size_t i = 0; !error && *done_ret && i < n; i++)
		if (!column_was_read(lookups, i))
			error = lookup_column(
				file, (struct column_lookups){lookups + i, n - i}, &texts);
	return error ? error : cs_query_failed(lookups->binding->query);
}

/* ---- running lookups ---- */

static struct cs_error *lookup_through_index(struct key_lookup *lookup, size_t column)
{
	const struct cs_index *index = NULL;
	struct cs_error *error = cs_binding_index(lookup->binding, column, &index);
	if (error)
		return error;
	const struct cs_range found = cs_index_find(index, lookup->text);
	for (uint32_t i = 0; i < found.count; i++)
		lookup_compare(lookup, cs_index_entry_row(index, found.first + i));
	return NULL;
}

static size_t column_of(const struct key_lookup *lookup)
{
	return (size_t)(lookup->column - lookup->binding->table->columns);
}

/* Begins to read the columns of all lookups in one pass (reads.c); false to use indexes instead. */
static bool begin_scan(const struct key_lookup *lookups, size_t n)
{
	struct cs_query *query = lookups->binding->query;
	bool reads = !query->reads.passing;
	for (size_t i = 0; i < n; i++) {
		const struct cs_index *index = &lookups[i].binding->indexes[column_of(&lookups[i])];
		reads = reads && !index->entries && index->lookups < BY_READING;
	}
	if (!reads)
		return false;
	cs_reads_nothing(query);
	for (size_t i = 0; i < n; i++)
		cs_reads_column(&query->reads, lookups[i].binding->table, lookups[i].column);
	return cs_reads_begin(query);
}

/*
 * Runs the lookups. In a large world, one pass over all rows serves all `n` lookups: one name is
 * looked up in several columns, exactly and ignoring case. After BY_READING lookups in a column,
 * lookups build and use an index.
 */
static struct cs_error *lookup_rows(struct key_lookup *lookups, size_t n)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < n; i++)
		error = cs_binding_load(lookups[i].binding, lookups[i].column->part);
	if (error)
		return error;
	struct cs_file *file = file_with_fields(lookups, n);
	const bool scans = begin_scan(lookups, n);
	bool done = false;
	/* with indexes, run only the first lookup, because it may make the others unnecessary */
	for (size_t i = 0; i < (scans ? n : 1); i++) {
		lookups[i].binding->indexes[column_of(&lookups[i])].lookups++;
		lookups[i].done = true;
	}
	if (!scans)
		return lookup_through_index(lookups, column_of(lookups));
	error = file ? lookup_fields(file, lookups, n, &done) : NULL;
	if (!error && !done)
		error = lookup_scan(lookups, n);
	cs_reads_end(lookups->binding->query, true);
	return error;
}

struct cs_error *cs_query_lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, uint32_t *rows, size_t room,
	size_t *n_ret)
{
	struct key_lookup lookup = {
		.column = column, .text = text, .fold = fold, .rows = rows, .room = room};
	struct cs_error *error = cs_binding_of(query, table, &lookup.binding);
	if (!error)
		error = lookup_rows(&lookup, 1);
	if (!error)
		*n_ret = lookup.n;
	return error;
}

/*
 * Returns the key under which to look up `text` in a column, for a GUID its canonical form. Returns
 * NULL if the column is no key column, or contains GUIDs and the text is no GUID.
 */
static const char *find_key_of(
	const struct cs_column *column, const char *text, char room[CS_GUID_TEXT])
{
	struct cs_guid guid;
	if (!(column->flags & CS_COLUMN_KEY))
		return NULL;
	if (column->kind != CS_KIND_GUID)
		return text;
	if (!cs_guid_parse(text, strlen(text), &guid))
		return NULL;
	cs_guid_format(guid, room);
	return room;
}

/* Lists the lookups of a text, exact ones first, then those ignoring case; returns their number. */
static size_t list_lookups(struct cs_binding *binding, const char *text,
	char guid_room[CS_GUID_TEXT], struct key_lookup *lookups)
{
	const struct cs_table *table = binding->table;
	size_t n = 0;
	for (int fold = 0; fold < 2; fold++) {
		for (size_t i = 0; i < table->n_columns; i++) {
			const struct cs_column *column = &table->columns[i];
			const char *key = find_key_of(column, text, guid_room);
			if (key)
				lookups[n++] = (struct key_lookup){.binding = binding,
					.column = column,
					.text = key,
					.fold = fold};
		}
	}
	return n;
}

/*
 * Stores in *ret the first of the lookups that finds rows, or NULL. The first lookup is run alone,
 * because it finds most names, unless the file's texts are searched: then one search serves all.
 */
static struct cs_error *first_found(
	struct key_lookup *lookups, size_t n, const struct key_lookup **ret)
{
	const bool together = n > 0 && file_with_fields(lookups, n);
	struct cs_error *error = NULL;
	*ret = NULL;
	for (size_t i = 0; !error && !*ret && i < n; i++) {
		if (!lookups[i].done)
			error = lookup_rows(&lookups[i], i == 0 && !together ? 1 : n - i);
		if (lookups[i].n > 0)
			*ret = &lookups[i];
	}
	return error;
}

static struct cs_error *find_by_keys(struct cs_binding *binding, const char *text, bool main,
	uint32_t *rows, size_t room, size_t *n_ret)
{
	char guid_room[CS_GUID_TEXT];
	const size_t most = 2 * binding->table->n_columns;
	struct key_lookup *lookups = calloc(most, sizeof(*lookups));
	uint32_t *found = calloc(most * room + 1, sizeof(*found));
	const struct key_lookup *first = NULL;
	struct cs_error *error = lookups && found ? NULL : cs_error_nomem();
	if (!error) {
		const size_t n = list_lookups(binding, text, guid_room, lookups);
		for (size_t i = 0; i < n; i++) {
			lookups[i].main = main;
			lookups[i].rows = found + i * room;
			lookups[i].room = room;
		}
		error = first_found(lookups, n, &first);
	}
	if (!error && first)
		memcpy(rows, first->rows, (first->n < room ? first->n : room) * sizeof(*rows));
	if (!error)
		*n_ret = first ? first->n : 0;
	free(found);
	free(lookups);
	return error;
}

static struct cs_error *put_texts(
	struct cs_binding *binding, const struct cs_column *column, cs_put *put, void *context)
{
	enum { CHECK_EVERY = 1 << 16 };
	const size_t n = binding->table->count(binding->source);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < n; i++) {
		const struct cs_value value =
			cs_table_get(binding->table, binding->source, i, column);
		if (i % CHECK_EVERY == 0)
			error = cs_job_check(binding->query->job);
		if (!error && value.kind == CS_KIND_TEXT)
			put(context, value.text, strlen(value.text));
		cs_reads_step(binding->query);
	}
	return error ? error : cs_query_failed(binding->query);
}

struct cs_error *cs_query_texts(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, cs_put *put, void *context)
{
	struct cs_binding *binding = NULL;
	struct cs_error *error = cs_binding_of(query, table, &binding);
	if (!error)
		error = cs_binding_load(binding, column->part);
	if (error)
		return error;
	const bool passes = cs_reads_begin_column(query, table, column);
	error = put_texts(binding, column, put, context);
	cs_reads_end(query, passes);
	return error;
}

struct cs_error *cs_query_find(struct cs_query *query, const struct cs_table *table,
	const char *text, uint32_t *rows, size_t room, size_t *n_ret)
{
	struct cs_binding *binding = NULL;
	uint32_t row = CS_NONE;
	size_t n = 0;
	struct cs_error *error = cs_binding_of(query, table, &binding);
	if (!error)
		error = cs_binding_load(binding, 0);
	if (!error && table->find)
		error = table->find(query, table, binding->source, text, &row);
	if (error)
		return error;
	if (row != CS_NONE) {
		if (room > 0)
			rows[0] = row;
		n = 1;
	}
	/* with several world partitions and none selected, the main one is searched first */
	bool several = table->locate && cs_query_partitions(query) > 1 &&
		       cs_query_focused(query) == CS_NONE;
	for (int main = several; !error && main >= 0 && n == 0; main--)
		error = find_by_keys(binding, text, main, rows, room, &n);
	if (error)
		return error;
	*n_ret = n;
	return NULL;
}
