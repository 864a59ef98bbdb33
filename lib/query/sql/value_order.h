/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a table sorted by the texts of a column that has few different ones: groups of rows
 * with the same text, by text, rows without one first, and ascending rows within a group. It is
 * made in time and memory that grow as the rows do.
 */
#pragma once

#include <cellscope/query.h>

struct cs_value_order {
	const char **texts; /* text of each group; NULL for rows without one, which are group 0 */
	uint32_t *starts;   /* place of each group's first row in `rows`; then n */
	uint32_t *rows;
	size_t n_groups, n;
	char *bytes; /* bytes of all texts */
};

struct cs_error *cs_value_order_new(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query,
	struct cs_value_order **ret) CS_MUST_USE;
void cs_value_order_free(struct cs_value_order *order);
