/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index finds rows by a key without reading all rows: it has the rows sorted by the hash of
 * their key. Rows with equal hashes are adjacent, in ascending order. The caller compares the keys,
 * because different keys may have the same hash.
 */
#pragma once

#include <cellscope/query.h>

#include "core/sort.h"
#include "query/sql/value_order.h"

struct cs_index {
	struct cs_sort_key *keys;
	size_t n;
	struct cs_value_order *order; /* rows sorted by the texts of the column, or NULL */
	unsigned lookups;             /* number of lookups so far */
};

/* Returns a value's key, written to `room` for an integer or GUID; NULL = it cannot be a key. */
const char *cs_index_key(const struct cs_value *value, char room[CS_GUID_TEXT]);
/* Builds the index of a column. Rows whose value cannot be a key are skipped. */
struct cs_error *cs_index_build(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_index *ret) CS_MUST_USE;
/*
 * Returns the index of the first entry whose key may equal `key`, ignoring case. The entries after
 * it are candidates, too, as long as their `high` equals *hash_ret.
 */
size_t cs_index_first(const struct cs_index *index, const char *key, uint64_t *hash_ret);
void cs_index_deinit(struct cs_index *index);
