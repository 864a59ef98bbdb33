/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding rows by a key without reading them all: the rows sorted by the hash of their key. Equal
 * hashes are neighbours in ascending row order, whatever a file puts into its keys; whoever looks
 * a key up compares the keys themselves.
 */
#pragma once

#include <cellscope/query.h>

#include "core/sort.h"

struct cs_index {
	struct cs_sort_key *keys;
	size_t n;
};

/* NULL when the value is no key; `room` is at least CS_GUID_TEXT. */
const char *cs_index_key(const struct cs_value *value, char room[CS_GUID_TEXT]);
/* Rows whose value is no key are left out. */
struct cs_error *cs_index_build(const struct cs_table *table, const void *source,
	const struct cs_column *column, const struct cs_job *job, struct cs_index *ret) CS_MUST_USE;
/* First entry that may have the key in any case; the ones behind it have the same `high`. */
size_t cs_index_first(const struct cs_index *index, const char *key, uint64_t *hash_ret);
void cs_index_deinit(struct cs_index *index);
