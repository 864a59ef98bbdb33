/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures and pages that need no program of ours: a report as one HTML file with inline SVG, no
 * script, nothing from the network, readable on paper; single maps and plots as SVG; all tables as
 * an SQLite database. Names that come from files are escaped for where they stand.
 */
#ifndef CELLSCOPE_REPORT_H
#define CELLSCOPE_REPORT_H

#include <cellscope/map.h>
#include <cellscope/query.h>
#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

struct cs_report_input {
	struct cs_query *query; /* over the world, and the run where there is one */
	struct cs_cooked *world;
	const struct cs_stream *stream; /* may be NULL: no timeline, no states */
	const char *title;              /* NULL = the name of the world */
};

/* Replaces the file atomically. */
CS_API struct cs_error *cs_report_write(
	const struct cs_report_input *input, const char *path) CS_MUST_USE;
/* A map as a picture by itself. */
CS_API struct cs_error *cs_map_svg(
	const struct cs_map_request *request, const char *title, const char *path) CS_MUST_USE;
/* Values in a row as bars; those that are not finite are gaps. */
CS_API struct cs_error *cs_plot_svg(
	const double *values, size_t n, const char *title, const char *path) CS_MUST_USE;

/*
 * Every table of the query as one of an SQLite database, and the views that are documented in it:
 * cell_actors_of (cell, actor), always_loaded (actor, placement), by_level (level, cells, actors).
 */
CS_API struct cs_error *cs_query_export(
	struct cs_query *query, const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
