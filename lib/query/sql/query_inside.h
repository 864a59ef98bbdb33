/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on queries for the tables of SQL and for stops. */
#pragma once

#include <cellscope/query.h>

/* Finds a partition by name, ignoring case; CS_NONE when there is none. */
uint32_t cs_query_find_partition(const struct cs_query *query, const char *name);
/* A function of SQL. `arguments` are texts, numbers, integers and nulls. */
typedef struct cs_error *cs_query_call(
	void *context, const struct cs_value *arguments, struct cs_value *ret);
/* Registers a function of SQL. */
struct cs_error *cs_query_function(struct cs_query *query, const char *name, int n_arguments,
	cs_query_call *call, void *context) CS_MUST_USE;
/* Sets the one row of the table `event`, which conditions of stops read; NULL = none. */
void cs_query_show_event(struct cs_query *query, const struct cs_stream_event *event);

/* Loads the part of the table that its columns need. */
struct cs_error *cs_query_load(
	struct cs_query *query, const struct cs_table *table, unsigned part) CS_MUST_USE;
struct cs_value cs_quat_value(struct cs_quat quat);
/*
 * Finds rows whose key `column` is `text`, at most `room` of them in ascending order; *n_ret counts
 * all. `fold` ignores the case of ASCII letters.
 */
struct cs_error *cs_query_lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, uint32_t *rows, size_t room,
	size_t *n_ret) CS_MUST_USE;
/*
 * An expression that is evaluated often, either without a table, or over the first row of a table:
 * its value is null when the table is empty. $variables keep their current values. It must be freed
 * before the query. E_SQL has the byte offset in `text`.
 */
struct cs_expression;
struct cs_error *cs_expression_new(struct cs_query *query, const char *text, const char *table,
	struct cs_parameters variables, struct cs_expression **ret) CS_MUST_USE;
void cs_expression_free(struct cs_expression *expression);
/* A text is valid until the next evaluation. */
struct cs_error *cs_expression_value(
	struct cs_expression *expression, struct cs_value *ret) CS_MUST_USE;
struct cs_error *cs_expression_is_true(struct cs_expression *expression, bool *ret) CS_MUST_USE;
