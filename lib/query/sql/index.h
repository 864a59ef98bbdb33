/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index finds rows by a key without reading all rows: it has the rows sorted by the hash of
 * their key. Rows with equal hashes are adjacent, in ascending order. The caller compares the keys,
 * because different keys may have the same hash. An index takes 8 bytes a row.
 */
#pragma once

#include <cellscope/query.h>

#include "query/sql/value_order.h"

struct cs_index {
	uint64_t *entries; /* hash of the key << 32 | row, ascending (NULL = not built) */
	size_t n;
	struct cs_value_order *order; /* rows sorted by the texts of the column, or NULL */
	unsigned lookups;             /* number of lookups so far */
};

/* Returns a value's key, written to `room` for an integer or GUID, NULL if it cannot be a key. */
const char *cs_index_key(const struct cs_value *value, char room[CS_GUID_TEXT]);
/* Builds the index of a column. Rows whose value cannot be a key are skipped. */
struct cs_error *cs_index_build(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_index *ret) CS_MUST_USE;
/* Returns the range of the entries whose rows may have the key `key`, ignoring case. */
struct cs_range cs_index_find(const struct cs_index *index, const char *key);
static inline uint32_t cs_index_entry_row(const struct cs_index *index, size_t entry)
{
	return (uint32_t)index->entries[entry];
}
void cs_index_deinit(struct cs_index *index);
