/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a table sorted by the texts of a column with few different texts: a group of
 * ascending rows for each text, in the order of the texts, after the group of rows without text.
 * Building it takes time and memory proportional to the number of rows.
 */
#pragma once

#include <cellscope/query.h>

struct cs_value_order {
	const char **texts; /* text of each group; NULL for rows without one, which are group 0 */
	uint32_t *starts;   /* index in `rows` of each group's first row; then n */
	uint32_t *rows;
	size_t n_groups, n;
	char *bytes; /* bytes of all texts */
};

struct cs_error *cs_value_order_new(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query,
	struct cs_value_order **ret) CS_MUST_USE;
void cs_value_order_free(struct cs_value_order *order);
