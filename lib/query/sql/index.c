/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and searches indexes of key columns, sorted by hash. */
#include "query/sql/query_internal.h"

#include "core/job.h"
#include "core/search.h"
#include "core/sort.h"
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

static uint32_t key_hash(const char *key)
{
	return (uint32_t)(cs_name_hash(key, strlen(key)) >> 32);
}

static struct cs_error *hash_rows(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_index *index)
{
	enum { CHECK_EVERY = 1 << 16 };
	const size_t rows = table->count(source);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < rows; i++) {
		char room[CS_GUID_TEXT];
		const struct cs_value value = cs_table_get(table, source, i, column);
		const char *key = cs_index_key(&value, room);
		if (key)
			index->entries[index->n++] = (uint64_t)key_hash(key) << 32 | i;
		cs_reads_step(query);
		if (i % CHECK_EVERY == 0)
			error = cs_job_check(query->job);
	}
	return error;
}

struct cs_error *cs_index_build(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_index *ret)
{
	struct cs_index index = {0};
	const size_t rows = table->count(source);
	index.entries = malloc((rows ? rows : 1) * sizeof(*index.entries));
	if (!index.entries || rows >= CS_NONE)
		goto nomem;
	struct cs_error *error = hash_rows(table, source, column, query, &index);
	if (error) {
		free(index.entries);
		return error;
	}
	if (!cs_sort_u64_by_high(index.entries, index.n))
		goto nomem;
	ret->entries = index.entries;
	ret->n = index.n;
	return NULL;
nomem:
	free(index.entries);
	return cs_error_nomem();
}

struct cs_range cs_index_find(const struct cs_index *index, const char *key)
{
	const uint32_t hash = key_hash(key);
	const size_t first =
		cs_lower_bound(0, index->n, i, (uint32_t)(index->entries[i] >> 32) < hash);
	const size_t end =
		cs_lower_bound(first, index->n, i, (uint32_t)(index->entries[i] >> 32) == hash);
	return (struct cs_range){(uint32_t)first, (uint32_t)(end - first)};
}

void cs_index_deinit(struct cs_index *index)
{
	free(index->entries);
	cs_value_order_free(index->order);
	*index = (struct cs_index){0};
}
