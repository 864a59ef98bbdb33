/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a table sorted by the texts of a column that has few different texts. There is a
 * group of ascending rows for each text; the groups are in the order of the texts, after a group
 * for rows without a text. Building it takes time and memory proportional to the number of rows.
 */
#pragma once

#include <cellscope/query.h>

struct cs_value_order {
	const char **texts; /* text of each group; NULL for group 0, the rows without a text */
	/* for each group, index in `rows` of its first row, and then n as the end of the last */
	uint32_t *starts;
	uint32_t *rows;
	size_t n_groups, n;
	char *bytes; /* memory that contains all texts */
};

struct cs_error *cs_value_order_new(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query,
	struct cs_value_order **ret) CS_MUST_USE;
void cs_value_order_free(struct cs_value_order *order);
