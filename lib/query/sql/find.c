/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: finding the rows that a name means. */
#include "core/guid.h"
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"

#include <string.h>

static bool is_main(const struct cs_binding *binding, size_t row)
{
	return !binding->table->locate ||
	       binding->table->locate(binding->source, &row) == binding->source;
}

/* With `main`, only rows of the main partition match. */
static struct cs_error *lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, bool main, uint32_t *rows,
	size_t room, size_t *n_ret)
{
	struct cs_binding *binding = NULL;
	const struct cs_index *index = NULL;
	struct cs_error *error = cs_binding_of(query, table, &binding);
	if (!error)
		error = cs_binding_index(binding, (size_t)(column - table->columns), &index);
	if (error)
		return error;
	uint64_t hash;
	size_t n = 0;
	for (size_t i = cs_index_first(index, text, &hash);
		i < index->n && index->keys[i].high == hash; i++) {
		char key_room[CS_GUID_TEXT];
		struct cs_value value =
			cs_table_get(table, binding->source, index->keys[i].index, column);
		const char *key = cs_index_key(&value, key_room);
		if (fold ? cs_name_compare(key, text) != 0 : strcmp(key, text) != 0)
			continue;
		if (main && !is_main(binding, index->keys[i].index))
			continue;
		if (n < room)
			rows[n] = index->keys[i].index;
		n++;
	}
	*n_ret = n;
	return NULL;
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
