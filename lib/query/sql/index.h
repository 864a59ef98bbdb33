/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds rows by a key without reading all of them: the rows sorted by the hash of their key. Equal
 * hashes are adjacent in ascending row order, whatever keys a file contains; the caller compares
 * the keys themselves.
 */
#pragma once

#include <cellscope/query.h>

#include "core/sort.h"
#include "query/sql/value_order.h"

struct cs_index {
	struct cs_sort_key *keys;
	size_t n;
	struct cs_value_order *order; /* the rows sorted by the column itself, or NULL */
	unsigned lookups;             /* how often a key was looked up */
};

/* Returns the key of a value, NULL when it cannot be one; `room` is at least CS_GUID_TEXT. */
const char *cs_index_key(const struct cs_value *value, char room[CS_GUID_TEXT]);
/* Leaves out rows whose value cannot be a key. */
struct cs_error *cs_index_build(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_index *ret) CS_MUST_USE;
/*
 * Returns the first entry that may have the key, ignoring case; further ones follow with the same
 * `high`.
 */
size_t cs_index_first(const struct cs_index *index, const char *key, uint64_t *hash_ret);
void cs_index_deinit(struct cs_index *index);
