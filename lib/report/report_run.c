/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the parts of a report about a run, except its timeline: the frames with the highest cost
 * and their reasons, memory, and, if files of a real run are open, the real run compared with the
 * simulated one.
 */
#include "report/html_page.h"

#include <cellscope/runs.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the simulated run ---- */

static void report_put_hitch(
	struct page *page, const struct cs_stream *stream, const struct cs_hitch_frame *hitch)
{
	page_format(page,
		"<tr><td class=\"n\">%llu</td><td class=\"n\">%.4g</td><td class=\"n\">%.4g</td>"
		"<td class=\"n\">%.4g</td><td>",
		(unsigned long long)hitch->frame, hitch->length_ms, hitch->show_ms,
		hitch->stall_ms);
	if (hitch->dear.world != CS_NONE) {
		const struct cs_cooked *world = cs_stream_world(stream, hitch->dear.world).cooked;
		page_text(page, cs_cooked_cell_name(world, hitch->dear.cell));
		page_format(page, " (%s)", cs_word(CS_WORDS_HITCH_CAUSE, hitch->cause)->name);
	}
	page_put(page, "</td><td>");
	page_text(page, *hitch->reason ? hitch->reason : hitch->avoid);
	page_put(page, "</td></tr>\n");
}

struct cs_error *page_hitches(struct page *page, const struct cs_stream *stream)
{
	enum { MOST_HITCHES = 15 };
	struct cs_hitch_frame *hitches;
	size_t n;
	struct cs_error *error =
		cs_hitch_frames(stream, 0, cs_stream_status(stream).frame, &hitches, &n);
	if (error)
		return error;
	page_put(page,
		"<h2>Frames that hitch</h2>\n<p>Of the last 4096 frames, those that cost most: "
		"visibility work, then waits for streaming. The reason is what made the "
		"frame long, or what would avoid the dearest cell.</p>\n");
	if (n == 0)
		page_put(page, "<p>None.</p>\n");
	else
		page_put(page, "<table><thead><tr><th>frame</th><th>ms</th><th>show</th>"
			       "<th>stall</th><th>dearest cell</th><th>reason</th></tr></thead>"
			       "<tbody>\n");
	for (size_t i = 0; i < n && i < MOST_HITCHES; i++)
		report_put_hitch(page, stream, &hitches[i]);
	if (n > 0)
		page_put(page, "</tbody></table>\n");
	free(hitches);
	return NULL;
}

static const struct section memory_sections[] = {
	{"Memory by layer",
		"What is in memory at the end of the run, by the data layers of its cells: bytes "
		"of cooked packages and meshes where files tell them, else what the load model "
		"assumes of cells and actors. Levels that wait to be purged, textures, sounds "
		"and what the game allocates are not known.",
		"SELECT coalesce(nullif(trim(replace(layers, '\"', ''), '[]'), ''), '-') AS layers, "
		"count(*) AS cells, sum(actors) AS actors, sum(bytes) AS bytes FROM cells WHERE "
		"state IN ('loaded', 'showing', 'activated', 'leaving') GROUP BY 1 ORDER BY bytes "
		"DESC, 1",
		20},
	{"Memory by cell", "The largest cells that are in memory at the end of the run.",
		"SELECT name, state, actors, bytes FROM cells WHERE state IN ('loaded', "
		"'showing', 'activated', 'leaving') ORDER BY bytes DESC, name",
		15},
};

struct cs_error *page_memory(struct page *page, const struct cs_report_input *input)
{
	const struct cs_stream_report sums = cs_stream_report(input->stream);
	struct cs_error *error = NULL;
	page_format(page,
		"<h2>Memory</h2>\n<p>The most was %.5g MiB, in frame %llu: %llu bytes by the load "
		"model (`path report --by cell` splits it).</p>\n",
		(double)sums.peak_bytes / 0x1p20, (unsigned long long)sums.peak_frame,
		(unsigned long long)sums.peak_bytes);
	for (size_t i = 0; !error && i < CS_COUNT_OF(memory_sections); i++)
		error = page_section(page, input->query, &memory_sections[i]);
	return error;
}

/* ---- the real run ---- */

static const struct section real_files = {"Real run", "The files that the game wrote.",
	"SELECT file, kind, seconds, frames, cells, levels, objects, missing, note FROM run_files",
	40};
static const struct section real_frames = {"Long frames of the real run",
	"The longest frames, in ms, and what the profiler measured in them.",
	"SELECT round(time, 3) AS time, round(ms, 2) AS ms, game_thread, level_streaming, "
	"async_loading, events FROM run_frames ORDER BY run_frames.ms DESC LIMIT 15",
	15};
static const struct section real_pairs = {"Late cells",
	"Visits of cells that never came, then those that were visible later than simulated, "
	"in ms: split into being asked for, loading, waiting to be shown and being shown. The "
	"largest part is the cause; the line is the last one about the visit.",
	"SELECT cell, visit, late, cause, ask, load, wait, show, reason, line FROM run_pairs WHERE "
	"never OR late > 0 ORDER BY never DESC, late DESC, cell, visit",
	40};
static const struct section real_objects = {"Measured memory",
	"Memory by class in KB, as memreports list it: the objects, and what only they hold.",
	"SELECT class, max(count) AS count, max(kb) AS kb, max(resource_kb) AS resource_kb FROM "
	"run_objects WHERE object IS NULL GROUP BY class ORDER BY max(kb + resource_kb) DESC, class",
	25};

/* Draws the first column of an SQL answer, one number per frame, as a chart, unless it is empty. */
static struct cs_error *report_put_strip(struct page *page, struct cs_query *query, const char *sql,
	const char *title, const char *unit)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_select(query, sql, (struct cs_parameters){0}, &result);
	if (error)
		return error;
	const size_t n = cs_result_rows(result);
	double *values = calloc(n + 1, sizeof(*values));
	char last[32];
	for (size_t i = 0; values && i < n; i++) {
		const struct cs_value value = cs_result_value(result, i, 0);
		if (!cs_value_number(&value, &values[i]))
			values[i] = (double)NAN;
	}
	snprintf(last, sizeof(last), "frame %zu", n);
	if (values && n)
		page_chart(page, &(struct chart){values, n, title, unit, "frame 1", last});
	cs_result_free(result);
	free(values);
	return values ? NULL : cs_error_nomem();
}

static const struct {
	const char *sql, *title, *unit;
} real_strips[] = {
	{"SELECT ms FROM run_strips", "length of a real frame", "ms"},
	{"SELECT real FROM run_strips", "cells visible, really", "cells"},
	{"SELECT simulated FROM run_strips", "cells visible, simulated", "cells"},
};

static struct cs_error *report_put_compared(struct page *page, struct cs_query *query)
{
	struct cs_error *error = page_section(page, query, &real_pairs);
	page_put(page, "<h2>Real and simulated</h2>\n");
	for (size_t i = 0; !error && i < CS_COUNT_OF(real_strips); i++)
		error = report_put_strip(
			page, query, real_strips[i].sql, real_strips[i].title, real_strips[i].unit);
	return error;
}

static bool report_has_rows(const struct cs_query *query, const char *table)
{
	const void *source;
	const struct cs_table *at = cs_query_table_named(query, table, &source);
	return at && at->count(source) > 0;
}

struct cs_error *page_real_run(struct page *page, struct cs_query *query)
{
	static const struct {
		const char *table;
		/*
		 * section to append; NULL = the comparison of the real run with the simulated one
		 */
		const struct section *section;
	} parts[] = {{"run_files", &real_files}, {"run_pairs", NULL}, {"run_frames", &real_frames},
		{"run_objects", &real_objects}};
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < CS_COUNT_OF(parts); i++) {
		if (!report_has_rows(query, parts[i].table))
			continue;
		error = parts[i].section ? page_section(page, query, parts[i].section)
					 : report_put_compared(page, query);
	}
	return error;
}
