/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and searches indexes of key columns, sorted by hash. */
#include "query/sql/query_internal.h"

#include "core/job.h"
#include "core/search.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cs_index_key(const struct cs_value *value, char room[CS_GUID_TEXT])
{
	if (value->kind == CS_KIND_TEXT)
		return value->text;
	if (value->kind == CS_KIND_INTEGER) {
		snprintf(room, CS_GUID_TEXT, "%lld", (long long)value->integer);
		return room;
	}
	if (value->kind != CS_KIND_GUID)
		return NULL;
	cs_guid_format(value->guid, room);
	return room;
}

struct cs_error *cs_index_build(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_index *ret)
{
	enum { CHECK_EVERY = 1 << 16 };
	struct cs_index index = {0};
	size_t rows = table->count(source);
	index.keys = malloc((rows ? rows : 1) * sizeof(*index.keys));
	if (!index.keys || rows >= CS_NONE)
		goto nomem;
	for (size_t i = 0; i < rows; i++) {
		char room[CS_GUID_TEXT];
		struct cs_value value = cs_table_get(table, source, i, column);
		const char *key = cs_index_key(&value, room);
		if (key)
			index.keys[index.n++] = (struct cs_sort_key){
				cs_name_hash(key, strlen(key)), 0, (uint32_t)i};
		struct cs_error *error = i % CHECK_EVERY == 0 ? cs_job_check(query->job) : NULL;
		cs_reads_step(query);
		if (error) {
			free(index.keys);
			return error;
		}
	}
	if (!cs_sort_keys(index.keys, index.n))
		goto nomem;
	ret->keys = index.keys;
	ret->n = index.n;
	return NULL;
nomem:
	free(index.keys);
	return cs_error_nomem();
}

size_t cs_index_first(const struct cs_index *index, const char *key, uint64_t *hash_ret)
{
	uint64_t hash = cs_name_hash(key, strlen(key));
	*hash_ret = hash;
	return cs_lower_bound(0, index->n, i, index->keys[i].high < hash);
}

void cs_index_deinit(struct cs_index *index)
{
	free(index->keys);
	cs_value_order_free(index->order);
	*index = (struct cs_index){0};
}
