/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of many rows say the same, found by several threads: rows are dealt to hands by their hash,
 * and every hand has a small table of its own. For tables that grow, see core/slots.h.
 */
#pragma once

#include <cellscope/core.h>

/* Rows are numbered from 0; those that are the same have the same hash. */
struct cs_rows {
	uint32_t n;
	uint64_t (*hash)(const void *context, uint32_t row);
	bool (*same)(const void *context, uint32_t left, uint32_t right);
	const void *context;
};

/* first_ret[i] = the first row that is the same as row i. */
struct cs_error *cs_find_alike(
	const struct cs_rows *rows, int threads, uint32_t *first_ret) CS_MUST_USE;
