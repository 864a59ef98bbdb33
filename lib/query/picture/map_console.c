/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the engine's console variables to a map: the filters wp.Runtime.DebugFilter..., and the
 * variables for grid, level, overlay, partition and size. Names are compared without case, as in
 * the engine.
 */
#include <cellscope/cooked_values.h>
#include <cellscope/query.h>

#include "core/items.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#include <stdio.h>
#include <string.h>

/* ---- lists of words in variables ---- */

static bool map_console_is_one_of(const char *list, const char *text)
{
	struct cs_item word;
	while (cs_next_item(&list, &word))
		if (strlen(text) == word.n && strncasecmp(word.at, text, word.n) == 0)
			return true;
	return false;
}

static bool map_console_contains(const char *text, struct cs_item word)
{
	const size_t n = strlen(text);
	for (size_t i = 0; i + word.n <= n; i++)
		if (strncasecmp(text + i, word.at, word.n) == 0)
			return true;
	return false;
}

static bool has_all(const char *text, const char *list)
{
	struct cs_item word;
	while (cs_next_item(&list, &word))
		if (!map_console_contains(text, word))
			return false;
	return true;
}

/* ---- filters of cells ---- */

static bool layers_match(
	const char *list, const struct cs_cooked *world, const struct cs_cooked_cell *cell)
{
	bool match = cell->layers.count == 0 && map_console_is_one_of(list, "None");
	for (uint32_t i = 0; !match && i < cell->layers.count; i++) {
		uint32_t layer = world->cell_layers[cell->layers.first + i];
		match = map_console_is_one_of(
			list, cs_cooked_text(world, world->layers[layer].label));
	}
	return match;
}

static bool grid_matches(const char *list, const struct cs_cooked *world, uint32_t grid)
{
	return map_console_is_one_of(list, cs_cooked_text(world, world->partitions[grid].name));
}

static bool status_matches(const char *list, const struct cs_map_request *request, uint32_t row)
{
	const struct cs_stream_cell at = {request->index, row};
	char status[16];
	snprintf(status, sizeof(status), "%d",
		request->stream ? (int)cs_stream_cell(request->stream, at).state : 0);
	return map_console_is_one_of(list, status);
}

bool cs_map_filter_shows(
	const struct cs_map_filter *filter, const struct cs_map_request *request, uint32_t row)
{
	const struct cs_cooked *world = request->world;
	const struct cs_cooked_cell *cell = cs_cooked_cell(world, row);
	return (!filter->layers || layers_match(filter->layers, world, cell)) &&
	       (!filter->grids || grid_matches(filter->grids, world, cell->partition)) &&
	       (!filter->names || has_all(cs_cooked_text(world, cell->name), filter->names)) &&
	       (!filter->statuses || status_matches(filter->statuses, request, row));
}

/* ---- other variables ---- */

/* Returns the value of a variable in the run; `otherwise` without a run. */
static double variable_of(const struct cs_stream *stream, const char *name, double otherwise)
{
	return stream ? cs_stream_variable(stream, cs_stream_find_variable(name)).number
		      : otherwise;
}

static uint32_t console_grid(
	const struct cs_map_request *request, const struct cs_map_filter *filter)
{
	const struct cs_cooked *world = request->world;
	double index =
		variable_of(request->stream, "wp.Runtime.ShowRuntimeSpatialHashGridIndex", -1);
	for (uint32_t i = 0; filter->grids && i < world->n_partitions; i++)
		if (world->partitions[i].cells.count > 0 && grid_matches(filter->grids, world, i))
			return i;
	return index >= 0 && index < (double)world->n_partitions ? (uint32_t)index
								 : cs_map_default_grid(world);
}

/* Returns the lowest level at which the partition has a cell with a box, or 0. */
static int32_t lowest_level(const struct cs_map_request *request)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, box)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, level)}};
	struct cs_cooked *world = (struct cs_cooked *)request->world;
	const struct cs_range range = world->partitions[request->grid].cells;
	const struct cs_cooked_loop loop = cs_cooked_loop(world, fields, CS_COUNT_OF(fields));
	int32_t level = INT32_MAX;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		if (cell->level < level && cs_box_valid(&cell->box))
			level = cell->level;
		cs_cooked_loop_step(&loop, i);
	}
	if (loop.passes)
		cs_cooked_pass(world, CS_PASS_END);
	return level == INT32_MAX ? 0 : level;
}

static int32_t console_level(const struct cs_map_request *request)
{
	bool spatial = request->world->partitions[request->grid].partition_class ==
		       CS_PARTITION_SPATIAL_GRID;
	double level = variable_of(request->stream,
		spatial ? "wp.Runtime.ShowRuntimeSpatialHashGridLevel"
			: "wp.Runtime.HashSet.ShowDebugDisplayLevel",
		0);
	return level > 0 ? (int32_t)level : lowest_level(request);
}

void cs_map_console_choose(struct cs_map_request *request, const struct cs_map_filter *filter)
{
	if (request->grid == CS_NONE)
		request->grid = console_grid(request, filter);
	if (request->level == INT32_MIN)
		request->level = console_level(request);
}

static enum cs_map_overlay console_overlay(const struct cs_stream *stream)
{
	if (variable_of(stream, "wp.Runtime.ShowRuntimeSpatialHashCellStreamingPriority", 0) > 0)
		return CS_MAP_PRIORITY;
	return variable_of(stream, "wp.Runtime.HashSet.ShowDebugDisplayMode", 0) == 1
		       ? CS_MAP_LAYERS
		       : CS_MAP_STATE;
}

struct cs_map_console cs_map_console(const struct cs_stream *stream)
{
	const double index = variable_of(stream, "wp.Runtime.DrawWorldPartitionIndex", -1);
	const bool there = stream && index >= 0 && index < (double)cs_stream_worlds(stream);
	return (struct cs_map_console){
		.overlay = console_overlay(stream),
		.partition = there ? (uint32_t)index : CS_NONE,
		.scale = variable_of(stream, "wp.Runtime.DrawRuntimeHash2DScaleFactor", 1),
	};
}
