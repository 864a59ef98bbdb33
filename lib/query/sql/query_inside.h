/* SPDX-License-Identifier: Apache-2.0 */
/* Private functions on queries that other directories of the library use. */
#pragma once

#include <cellscope/query.h>

/* Finds a world partition by name, ignoring case; CS_NONE if there is none. */
uint32_t cs_query_find_partition(const struct cs_query *query, const char *name);
/* A function that SQL can call. `arguments` are texts, numbers, integers or nulls. */
typedef struct cs_error *cs_query_call(
	void *context, const struct cs_value *arguments, struct cs_value *ret);
/* Registers a function under a name that SQL can call. */
struct cs_error *cs_query_function(struct cs_query *query, const char *name, int n_arguments,
	cs_query_call *call, void *context) CS_MUST_USE;
/* Sets the only row of the table `event`, which conditions of stops read; NULL = no row. */
void cs_query_show_event(struct cs_query *query, const struct cs_stream_event *event);

/* Loads the data of the table's columns whose cs_column.part is at most `part` (0 or 1). */
struct cs_error *cs_query_load(
	struct cs_query *query, const struct cs_table *table, unsigned part) CS_MUST_USE;
struct cs_value cs_quat_value(struct cs_quat quat);
/*
 * Finds the rows in which the key column equals `text`. Stores at most `room` of them in ascending
 * order, and in *n_ret the number of all these rows. `fold` ignores the case of ASCII letters.
 */
struct cs_error *cs_query_lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, uint32_t *rows, size_t room,
	size_t *n_ret) CS_MUST_USE;
/*
 * An expression that is evaluated often: on the first row of a table (null if the table is empty),
 * or without a table. $variables keep the values that they had when it was created. It must be
 * freed before the query. An E_SQL error has the byte offset in `text`.
 */
struct cs_expression;
struct cs_error *cs_expression_new(struct cs_query *query, const char *text, const char *table,
	struct cs_parameters variables, struct cs_expression **ret) CS_MUST_USE;
void cs_expression_free(struct cs_expression *expression);
/* Evaluates the expression. A text in *ret is valid until the next evaluation. */
struct cs_error *cs_expression_value(
	struct cs_expression *expression, struct cs_value *ret) CS_MUST_USE;
struct cs_error *cs_expression_is_true(struct cs_expression *expression, bool *ret) CS_MUST_USE;
