/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: finding the rows that a name means. */
#include "core/guid.h"
#include "core/job.h"
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"

#include <string.h>

static bool is_main(const struct cs_binding *binding, size_t row)
{
	return !binding->table->locate ||
	       binding->table->locate(binding->source, &row) == binding->source;
}

/* What is looked for, and the rows that were found: `rows` has the first `room` of `n`. */
struct key_lookup {
	struct cs_binding *binding;
	const struct cs_column *column;
	const char *text;
	bool fold, main; /* ignores case; takes rows of the main partition alone */
	uint32_t *rows;
	size_t room, n;
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

/* Reads all rows, which takes less time and memory than an index that is used once. */
static struct cs_error *lookup_scan(struct key_lookup *lookup)
{
	enum { CHECK_EVERY = 1 << 16 };
	struct cs_query *query = lookup->binding->query;
	const size_t n = lookup->binding->table->count(lookup->binding->source);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < n; i++) {
		lookup_compare(lookup, (uint32_t)i);
		cs_reads_step(query);
		if (i % CHECK_EVERY == 0)
			error = cs_job_check(query->job);
	}
	return error ? error : cs_query_failed(query);
}

static struct cs_error *lookup_through_index(struct key_lookup *lookup, size_t column)
{
	const struct cs_index *index = NULL;
	struct cs_error *error = cs_binding_index(lookup->binding, column, &index);
	if (error)
		return error;
	uint64_t hash;
	for (size_t i = cs_index_first(index, lookup->text, &hash);
		i < index->n && index->keys[i].high == hash; i++)
		lookup_compare(lookup, index->keys[i].index);
	return NULL;
}

/*
 * The first lookups in a large world read the column, for a name is looked up exactly and then in
 * any case; the next one makes its index.
 */
static struct cs_error *lookup_rows(struct key_lookup *lookup)
{
	enum { BY_READING = 4 };
	struct cs_binding *binding = lookup->binding;
	const size_t column = (size_t)(lookup->column - binding->table->columns);
	struct cs_index *index = &binding->indexes[column];
	struct cs_error *error = cs_binding_load(binding, lookup->column->part);
	if (error)
		return error;
	const bool reads = !index->keys && index->lookups < BY_READING;
	index->lookups++;
	if (!reads || !cs_reads_begin_column(binding->query, binding->table, lookup->column))
		return lookup_through_index(lookup, column);
	error = lookup_scan(lookup);
	cs_reads_end(binding->query);
	return error;
}

/* With `main`, only rows of the main partition match. */
static struct cs_error *lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, bool main, uint32_t *rows,
	size_t room, size_t *n_ret)
{
	struct key_lookup lookup = {.column = column,
		.text = text,
		.fold = fold,
		.main = main,
		.rows = rows,
		.room = room};
	struct cs_error *error = cs_binding_of(query, table, &lookup.binding);
	if (!error)
		error = lookup_rows(&lookup);
	if (!error)
		*n_ret = lookup.n;
	return error;
}

struct cs_error *cs_query_lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, uint32_t *rows, size_t room,
	size_t *n_ret)
{
	return lookup(query, table, column, text, fold, false, rows, room, n_ret);
}

/* A column of GUIDs is searched only for texts that are GUIDs, in canonical form. */
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

/* Searches for the exact text, then ignoring case; columns in their order. */
static struct cs_error *find_by_keys(struct cs_query *query, const struct cs_table *table,
	const char *text, bool main, uint32_t *rows, size_t room, size_t *n_ret)
{
	size_t n = 0;
	for (int fold = 0; fold < 2 && n == 0; fold++) {
		for (size_t i = 0; i < table->n_columns && n == 0; i++) {
			char key_room[CS_GUID_TEXT];
			const char *key = find_key_of(&table->columns[i], text, key_room);
			struct cs_error *error = key ? lookup(query, table, &table->columns[i], key,
							       fold, main, rows, room, &n)
						     : NULL;
			if (error)
				return error;
		}
	}
	*n_ret = n;
	return NULL;
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
	/* searches the main partition first when there are several and none is in focus */
	bool several = table->locate && cs_query_partitions(query) > 1 &&
		       cs_query_focused(query) == CS_NONE;
	for (int main = several; !error && main >= 0 && n == 0; main--)
		error = find_by_keys(query, table, text, main, rows, room, &n);
	if (error)
		return error;
	*n_ret = n;
	return NULL;
}
