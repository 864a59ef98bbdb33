/* SPDX-License-Identifier: Apache-2.0 */
/* Queries, for the tables of SQL and for stops. */
#ifndef QUERY_SQL_QUERY_INSIDE_H
#define QUERY_SQL_QUERY_INSIDE_H

#include <cellscope/query.h>

/* By name, without case; CS_NONE when there is none. */
uint32_t cs_query_find_partition(const struct cs_query *query, const char *name);
/* Makes a function of SQL. */
struct cs_error *cs_query_function(struct cs_query *query, const char *name, int n_arguments,
	cs_query_call *call, void *context) CS_MUST_USE;
/* The one row of the table `event`, which conditions of stops are over; NULL = none. */
void cs_query_show_event(struct cs_query *query, const struct cs_stream_event *event);

#endif
