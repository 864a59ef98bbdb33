/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures and pages that need no program of ours: a report as one HTML file with inline SVG, no
 * script, nothing from the network, readable on paper; single maps and plots as SVG; all tables as
 * an SQLite database. Names that come from files are escaped for where they stand.
 */
#ifndef CELLSCOPE_REPORT_H
#define CELLSCOPE_REPORT_H

#include <cellscope/compare.h>
#include <cellscope/map.h>
#include <cellscope/nanite_model.h>
#include <cellscope/query.h>
#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

struct cs_report_input {
	struct cs_query *query; /* over the world, and the run where there is one */
	struct cs_cooked *world;
	const struct cs_stream *stream; /* may be NULL: no timeline, no states */
	const char *title;              /* NULL = the name of the world */
	const char *source;             /* path of what was opened, and when it was written: */
	int64_t written;                /* seconds since 1970 UTC; source NULL = not known */
	struct cs_cooked *before;       /* the same world as it was: what differs; or NULL */
	const struct cs_comparison *comparison; /* with the engine's log, or NULL */
	const struct cs_comparison *cooked;     /* with what its cooker wrote, or NULL */
	const struct cs_inspector *resources;   /* whose pages are drawn, or NULL */
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

/* Numbers by one setting, down, and another, across; of one setting they are bars. */
struct cs_field_plot {
	const double *values; /* by row, then by column; those that are not finite are gaps */
	size_t rows, columns;
	const char *title;
	double first_row, last_row, first_column, last_column; /* of the settings */
};

CS_API struct cs_error *cs_field_svg(
	const struct cs_field_plot *field, const char *path) CS_MUST_USE;

/*
 * A path that visits all of the world: lanes from side to side over the cells that stream, at half
 * their height. At 2000 cm/s, faster where that takes more than two minutes. E_NOCELL without cells
 * that stream.
 */
CS_API struct cs_error *cs_report_tour(
	const struct cs_cooked *world, struct cs_path **ret) CS_MUST_USE;

/*
 * Every table of the query as one of an SQLite database, and the views that are documented in it:
 * cell_actors_of (cell, actor), always_loaded (actor, placement), by_level (level, cells, actors).
 */
CS_API struct cs_error *cs_query_export(
	struct cs_query *query, const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
