/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds equal rows of a table on several threads: rows are divided into buckets by their hash, and
 * each bucket has a small hash table. For hash tables that grow, see core/slots.h.
 */
#pragma once

#include <cellscope/core.h>

/* A table with rows 0 to n - 1. Equal rows must have equal hashes. */
struct cs_rows {
	uint32_t n;
	uint64_t (*hash)(const void *context, uint32_t row);
	bool (*same)(const void *context, uint32_t left, uint32_t right);
	const void *context;
};

/* Sets first_ret[i] to the lowest row that equals row i, which may be i itself. */
struct cs_error *cs_find_alike(
	const struct cs_rows *rows, int threads, uint32_t *first_ret) CS_MUST_USE;
