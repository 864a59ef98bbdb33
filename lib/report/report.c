/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the report on a world and its run, section by section. Most tables are answers of SQL
 * statements over the tables that all front ends have. The page contains the statements, so that a
 * reader can run them again.
 */
#include "report/html_page.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width\"/>\n<style>\n"
	":root{color-scheme:light dark}\n"
	"body{font:14px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
	"h1{font-size:1.6em}h2{font-size:1.2em;border-bottom:1px solid #ccc;margin-top:2em}\n"
	"table{border-collapse:collapse;margin:.5em 0}td{white-space:nowrap}td.w{white-space:normal;overflow-wrap:anywhere}th,td{padding:.15em .7em;text-align:left;"
	"border-bottom:1px solid #eee}td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"code{font-size:.85em;color:#555}svg{max-width:100%;height:auto}\n"
	".legend span{display:inline-block;margin-right:1em}.legend i{border:1px solid #888;font-style:normal;color:#fff;"
	"text-shadow:0 0 2px #222,0 0 2px #222,0 0 2px #222}"
	"@media screen and (max-width:45em){table,.chart{display:block;overflow-x:auto}.chart svg{max-width:none}}\n"
	".verdict{border-left:.4em solid #1a9850;padding:.4em .8em}"
	".verdict.bad{border-color:#b2182b}summary{color:#777;font-size:.85em}\n"
	"@media screen and (prefers-color-scheme:dark){body{color:#ddd;background:#16191d}"
	"th,td{border-color:#333}code,summary{color:#aaa}}\n"
	"@page{size:A4;margin:15mm}@media print{body{font-size:9pt;margin:0;max-width:none}h2,h3{break-after:avoid}"
	"tr,svg,.legend{break-inside:avoid}.legend{break-before:avoid}details{display:none}}\n"
	"</style>\n";

static const struct section findings[] = {
	{"Validation", "Findings of the first pass of validation, and their repairs.",
		"SELECT check_ AS token, severity, repair, count(*) AS findings FROM findings "
		"WHERE pass = 0 GROUP BY 1, 2, 3 ORDER BY findings DESC, 1",
		40},
	{"Findings", "Each finding with the actors that it names, errors first.",
		"SELECT severity, check_ AS token, ifnull(actor, about) AS about, other, grid, repair FROM findings "
		"WHERE pass = 0 ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, 2, 4",
		60},
	{"Dropped", "Actors that Unreal would drop without a message.",
		"SELECT reason, actor, actors, detail FROM drops WHERE lost ORDER BY actors DESC, 1, 2",
		20},
};

static const struct section sections[] = {
	{"Settings", "The partitions and grids of the world.",
		"SELECT name, class, cell_size, loading_range, priority, cells "
		"FROM grids",
		40},
	{"Levels", "Cells and actors by grid and level.",
		"SELECT grid, level, count(*) AS cells, sum(actors) AS actors, max(actors) AS "
		"fullest, round(avg(actors), 1) AS mean FROM cells GROUP BY grid, level ORDER BY "
		"grid, level",
		80},
	{"Largest cells", "Cells with the largest numbers of actors.",
		"SELECT name, level, actors, coalesce(nullif(trim(replace(layers, '\"', ''), '[]'), ''), '-') AS layers "
		"FROM cells ORDER BY actors DESC, name",
		15},
	{"Always loaded", "Why actors are always loaded.",
		"SELECT a.placement, count(*) AS actors FROM actors a JOIN cells c ON c.name = "
		"a.cell AND c.partition = a.partition WHERE c.always_loaded GROUP BY a.placement "
		"ORDER BY 2 DESC, 1",
		20},
	{"Data layers", "Data layers and the cells that they split.",
		"SELECT name, type, initial FROM layers ORDER BY name", 60},
};

/* ---- maps of grid levels ---- */

static struct cs_error *put_map_of(
	struct page *page, const struct cs_report_input *input, uint32_t grid, int32_t level)
{
	const struct cs_map_request request = {
		.world = input->world,
		.stream = input->stream,
		.grid = grid,
		.level = level,
		.overlay = CS_MAP_ACTORS,
		.sources = input->stream != NULL,
	};
	page_put(page, "<h3>");
	page_text(page, cs_cooked_text(input->world, input->world->partitions[grid].name));
	page_format(page, ", level %d: actors</h3>\n", level);
	struct cs_error *error = page_map(page, &request);
	if (error || !input->stream)
		return error;
	struct cs_map_request states = request;
	states.overlay = CS_MAP_STATE;
	page_put(page, "<h3>The same by state</h3>\n");
	return page_map(page, &states);
}

static bool has_cells(const struct cs_cooked *world, uint32_t grid, int32_t level)
{
	const struct cs_range cells = world->partitions[grid].cells;
	for (uint32_t i = 0; i < cells.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, cells.first + i);
		if (cell->level == level && cs_box_valid(&cell->box))
			return true;
	}
	return false;
}

static struct cs_error *put_maps(struct page *page, const struct cs_report_input *input)
{
	enum { LEVELS = 4, GRIDS = 8 };
	struct cs_error *error = NULL;
	page_put(page, "<h2>Maps</h2>\n");
	for (uint32_t grid = 0; grid < input->world->n_partitions && grid < GRIDS; grid++)
		for (int32_t level = 0; level < LEVELS && !error; level++)
			if (has_cells(input->world, grid, level))
				error = put_map_of(page, input, grid, level);
	return error;
}

/* ---- distribution of actors over cells ---- */

/* Writes how many cells have 0 or 1, 2 to 3, 4 to 7, ... actors. */
static void put_distribution(struct page *page, const struct cs_report_input *input)
{
	enum { BINS = 16 };
	double bins[BINS] = {0};
	for (size_t i = 0; i < input->world->n_cells; i++) {
		uint32_t actors = cs_cooked_cell(input->world, i)->actors.count, bin = 0;
		while (actors > 1 && bin + 1 < BINS) {
			actors /= 2;
			bin++;
		}
		bins[bin]++;
	}
	page_put(page, "<h2>Actors a cell</h2>\n<p>How many cells have 0 or 1, 2 to 3, 4 to 7 ... "
		       "actors.</p>\n");
	page_chart(page,
		&(struct chart){bins, BINS, "cells", "cells", "0 or 1 actor", "32768 and more"});
}

/* ---- timeline of the simulated run ---- */

static const struct {
	const char *title, *unit;
} all_series[] = {{"loads begun", "a frame"}, {"cells waiting", "cells"}, {"resident", "MiB"},
	{"time to show", "ms"}, {"stalls", "ms"}};

/* Returns the value of a series of all_series in a frame. */
static double series_value(size_t series, const struct cs_stream_frame *frame)
{
	const double values[CS_COUNT_OF(all_series)] = {frame->loads, frame->waiting,
		(double)frame->bytes / 0x1p20, (double)frame->work_ns / 1e6,
		(double)frame->stall_ns / 1e6};
	return values[series];
}

static struct cs_error *put_timeline(struct page *page, const struct cs_report_input *input)
{
	enum { FRAMES = 4096 };
	uint64_t now = cs_stream_status(input->stream).frame, first = now;
	while (first > 0 && now - first < FRAMES && cs_stream_frame(input->stream, first - 1))
		first--;
	double *values = calloc(now - first + 1, sizeof(*values));
	char from[32], to[32];
	if (!values)
		return cs_error_nomem();
	snprintf(from, sizeof(from), "frame %llu", (unsigned long long)first);
	snprintf(to, sizeof(to), "frame %llu", (unsigned long long)now);
	page_put(page, "<h2>Timeline</h2>\n");
	for (size_t k = 0; k < CS_COUNT_OF(all_series); k++) {
		for (uint64_t i = first; i <= now; i++) {
			const struct cs_stream_frame *frame = cs_stream_frame(input->stream, i);
			values[i - first] = frame ? series_value(k, frame) : NAN;
		}
		page_chart(page, &(struct chart){values, now - first + 1, all_series[k].title,
					 all_series[k].unit, from, to});
	}
	free(values);
	return NULL;
}

/* ---- writing the page ---- */

static void put_report_source(struct page *page, const struct cs_report_input *input)
{
	char date[40];
	struct tm utc;
	time_t written = (time_t)input->written;
	if (!input->source)
		return;
	page_put(page, "<p>Source: ");
	page_text(page, input->source);
	if (gmtime_r(&written, &utc) &&
		strftime(date, sizeof(date), ", written %Y-%m-%d %H:%M UTC", &utc) > 0)
		page_put(page, date);
	page_put(page, ".</p>\n");
}

static void put_engine_verdict(
	struct page *page, const struct cs_comparison *comparison, const char *with)
{
	if (comparison)
		page_format(page, " %s: %s.", with,
			cs_word(CS_WORDS_VERDICT, comparison->verdict)->name);
}

struct fault_counts {
	size_t errors, warnings, notes, lost;
};

/* Counts as `check` does, and as the sections below list: of all levels, the first pass. */
static struct cs_error *count_faults_of_all(
	const struct cs_report_input *input, struct fault_counts *ret)
{
	static const char sql[] = "SELECT count(*) FILTER (WHERE severity = 'error'), "
				  "count(*) FILTER (WHERE severity = 'warning'), "
				  "count(*) FILTER (WHERE severity = 'info'), "
				  "(SELECT ifnull(sum(actors), 0) FROM drops WHERE lost) "
				  "FROM findings WHERE pass = 0";
	struct cs_result *result;
	struct cs_error *error =
		cs_query_select(input->query, sql, (struct cs_parameters){NULL, 0}, &result);
	if (error)
		return error;
	ret->errors = (size_t)cs_result_value(result, 0, 0).integer;
	ret->warnings = (size_t)cs_result_value(result, 0, 1).integer;
	ret->notes = (size_t)cs_result_value(result, 0, 2).integer;
	ret->lost = (size_t)cs_result_value(result, 0, 3).integer;
	cs_result_free(result);
	return NULL;
}

/* Writes the overall verdict, the first paragraph; later sections have the details. */
static struct cs_error *put_verdict_of_all(struct page *page, const struct cs_report_input *input)
{
	struct fault_counts counts;
	size_t worse = 0;
	struct cs_error *error = count_faults_of_all(input, &counts);
	if (error)
		return error;
	struct cs_measure measures[CS_MEASURES];
	error = input->before ? page_measure_before(input, measures, &worse) : NULL;
	if (error)
		return error;
	bool bad = counts.errors || counts.lost || worse ||
		   (input->comparison && input->comparison->verdict == CS_COMPARE_UNEXPLAINED) ||
		   (input->cooked && input->cooked->verdict == CS_COMPARE_UNEXPLAINED);
	page_format(page,
		"<p class=\"verdict%s\"><strong>%s.</strong> Validation: errors %zu, "
		"warnings %zu, notes %zu. Dropped actors: %zu.",
		bad ? " bad" : "", bad ? "Needs a look" : "No fault was found", counts.errors,
		counts.warnings, counts.notes, counts.lost);
	if (input->before)
		page_format(page, " Measures worse than before: %zu of %d.", worse, CS_MEASURES);
	put_engine_verdict(page, input->comparison, "Against the engine's log");
	put_engine_verdict(page, input->cooked, "Against the engine's cook");
	page_put(page, "</p>\n");
	return NULL;
}

static struct cs_error *put_sections(struct page *page, const struct cs_report_input *input,
	const struct section *list, size_t n)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < n && !error; i++)
		error = page_section(page, input->query, &list[i]);
	return error;
}

static void put_head(struct page *page, const struct cs_report_input *input)
{
	const struct cs_cooked *world = input->world;
	const char *name = cs_cooked_text(world, world->world->name);
	page_put(page, head);
	page_put(page, "<title>");
	page_text(page, input->title ? input->title : name);
	page_put(page, "</title>\n</head>\n<body>\n<h1>");
	page_text(page, input->title ? input->title : name);
	page_format(page, "</h1>\n<p>%zu actor%s in %zu cell%s of %zu grid%s; profile ",
		world->n_actors, world->n_actors == 1 ? "" : "s", world->n_cells,
		world->n_cells == 1 ? "" : "s", world->n_partitions,
		world->n_partitions == 1 ? "" : "s");
	page_text(page, cs_cooked_text(world, world->world->profile));
	page_format(page, "; made by cellscope %s.</p>\n", cs_version());
	put_report_source(page, input);
}

struct cs_error *cs_report_write(const struct cs_report_input *input, const char *path)
{
	struct page page = {.failed = false};
	put_head(&page, input);
	struct cs_error *error = put_verdict_of_all(&page, input);
	if (!error && input->before)
		error = page_before(&page, input);
	if (!error && input->comparison)
		error = page_engine(
			&page, input->world, input->comparison, "Compared with the engine");
	if (!error && input->cooked)
		error = page_engine(
			&page, input->world, input->cooked, "Compared with the engine's cook");
	/* without findings and drops, only the first section is written, and its text is "None." */
	if (!error)
		error = put_sections(&page, input, findings,
			input->world->n_findings || input->world->n_drops
				? sizeof(findings) / sizeof(findings[0])
				: 1);
	if (!error)
		error = put_maps(&page, input);
	if (!error)
		put_distribution(&page, input);
	if (!error && input->stream)
		error = put_timeline(&page, input);
	if (!error && input->stream)
		error = page_hitches(&page, input->stream);
	if (!error && input->stream)
		error = page_memory(&page, input);
	if (!error)
		error = page_real_run(&page, input->query);
	for (size_t i = 0;
		!error && input->resources && i < cs_inspector_models(input->resources).n; i++)
		page_graph(&page, cs_inspector_models(input->resources).at[i]);
	if (!error)
		error = put_sections(
			&page, input, sections, sizeof(sections) / sizeof(sections[0]));
	if (error) {
		cs_vec_free(&page.bytes);
		return error;
	}
	page_put(&page, "</body>\n</html>\n");
	return page_save(&page, path);
}
