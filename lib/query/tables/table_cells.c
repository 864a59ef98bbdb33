/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the tables of cells, grids and layers, and finds a cell by any of its names. */
#include "core/geometry.h"
#include "core/vec.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_cell, member, type, reader, text, __VA_ARGS__)

/* Getters of fields of a cell that are null when the engine's cooker did not write the value. */
CS_READER_UNLESS(own_guid, guid, cs_cooked_cell, CS_CELL_MADE_GUID)
CS_READER_UNLESS(place, i64, cs_cooked_cell, CS_CELL_NO_PLACE)
CS_READER_UNLESS(level, i32, cs_cooked_cell, CS_CELL_NO_PLACE)
CS_READER_UNLESS(said_flag, flag, cs_cooked_cell, CS_CELL_NAMES_ALONE)
CS_READER_UNLESS(said, i32, cs_cooked_cell, CS_CELL_NAMES_ALONE)
CS_READER_UNLESS(said_min, box_min, cs_cooked_cell, CS_CELL_NO_BOXES)
CS_READER_UNLESS(said_max, box_max, cs_cooked_cell, CS_CELL_NO_BOXES)

static const struct cs_column cell_columns[] = {
	CELL("name", name, TEXT, text, "name of the cell, unique in its world", CS_SHORT_KEY),
	CELL("short_name", short_name, TEXT, text,
		"name of the cell without those of the world and the grid",
		.flags = CS_COLUMN_INDEX),
	CELL("guid", guid, GUID, own_guid,
		"GUID of the cell, which stays the same in the next cook", .flags = CS_COLUMN_KEY),
	CELL("grid", partition, TEXT, grid, "grid (runtime partition) of the cell",
		.flags = CS_COLUMN_INDEX),
	CELL("level", level, INTEGER, level, "grid level; on level 0 cells are smallest", CS_SHORT),
	CELL("x", x, INTEGER, place, "X coordinate of the cell on its level"),
	CELL("y", y, INTEGER, place, "Y coordinate of the cell on its level"),
	CELL("z", z, INTEGER, place, "Z coordinate of the cell on its level"),
	CELL("always_loaded", flags, BOOL, flag,
		"whether the cell is always loaded, as part of the persistent level",
		.argument = CS_CELL_ALWAYS_LOADED),
	CELL("spatial", flags, BOOL, flag, "whether the cell streams by distance",
		.argument = CS_CELL_SPATIAL),
	CELL("hlod", flags, BOOL, said_flag, "whether the cell contains HLOD actors",
		.argument = CS_CELL_HLOD),
	CELL("client_only", flags, BOOL, said_flag, "whether the cell exists only on clients",
		.argument = CS_CELL_CLIENT_ONLY),
	CELL("block_on_slow", flags, BOOL, said_flag,
		"whether the game waits for the cell when streaming is slow",
		.argument = CS_CELL_BLOCK_ON_SLOW),
	CELL("flat", flags, BOOL, flag, "whether distances to the cell ignore Z",
		.argument = CS_CELL_2D),
	CELL("layers", layers, LIST, cell_layers, "data layers of the cell", CS_SHORT),
	CELL("external_layer", external_layer, TEXT, layer, "external data layer of the cell"),
	CELL("layers_id", layers_id, HEX, hex, "CRC of the sorted layer names, 0 for none",
		.argument = 8),
	CELL("actors", actors, INTEGER, count, "number of actors", CS_SHORT),
	CELL("sets", sets, INTEGER, count, "number of actor sets (clusters) in the cell"),
	CELL("cell_min", box, VEC3, said_min, "minimum of the grid cell", .unit = "cm"),
	CELL("cell_max", box, VEC3, said_max, "maximum of the grid cell", .unit = "cm"),
	CELL("content_min", content, VEC3, box_min, "minimum of the bounds of the cell's actors",
		.unit = "cm"),
	CELL("content_max", content, VEC3, box_max, "maximum of the bounds of the cell's actors",
		.unit = "cm"),
	CELL("hierarchical_level", hierarchical_level, INTEGER, level,
		"sort key 2 of the loading order, highest first"),
	CELL("priority", priority, INTEGER, said, "sort key 3 of the loading order, lowest first"),
	CELL("package", package, TEXT, text,
		"short name of the package that the cook generates for the cell"),
	CELL("content_bundle", content_bundle, GUID, guid, "content bundle of the cell"),
	CS_VALUE("state", TEXT, cs_read_cell_state,
		"streaming state: unloaded, waiting, loading, loaded, showing, activated, "
		"leaving, still_around or failed",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	CS_VALUE("status", INTEGER, cs_read_cell_status,
		"streaming status as a number of the engine, 0 to 8"),
	CS_VALUE("wanted", TEXT, cs_read_cell_wanted, "state that the last frame wanted",
		.flags = CS_COLUMN_WORD),
	CS_VALUE("since", INTEGER, cs_read_cell_since, "frame in which the state changed last",
		.unit = "frame"),
	CS_VALUE("bytes", INTEGER, cs_read_cell_bytes, "bytes of the cell by the load model"),
	CS_VALUE("mesh_bytes", INTEGER, cs_read_cell_mesh_bytes,
		"bytes of the meshes of the cell, each mesh once; other bytes are assumed"),
	CS_PARTITION_COLUMN,
};

static const struct cs_getter cell_getters[] = {
	{cs_read_own_guid, .also = "cells.flags"},
	{cs_read_place, .also = "cells.flags"},
	{cs_read_level, .also = "cells.flags"},
	{cs_read_said_flag},
	{cs_read_said, .also = "cells.flags"},
	{cs_read_said_min, .also = "cells.flags"},
	{cs_read_said_max, .also = "cells.flags"},
	{cs_read_cell_state, .record = ""},
	{cs_read_cell_status, .record = ""},
	{cs_read_cell_wanted, .record = ""},
	{cs_read_cell_since, .record = ""},
	{cs_read_cell_bytes, .record = ""},
	{cs_read_cell_mesh_bytes, .record = ""},
	{NULL},
};

CS_WORLD_LOADED(cells, cells, cs_cooked_cell)

/* ---- finding a cell by name ---- */

/* Parses the coordinates of a cell: "L0:5,1" (level, x, y) or "L0:5,1,2" (level, x, y, z). */
static bool parse_coordinates(const char *text, int64_t ret[4])
{
	char *end = (char *)text;
	if (*end++ != 'L')
		return false;
	for (int i = 0; i < 4; i++) {
		const char *start = end;
		if (*start == '\0' || strchr(" \t\n+", *start))
			return false;
		ret[i] = strtoll(start, &end, 10);
		if (end == start)
			return false;
		if (i == 2 && *end == '\0') {
			ret[3] = INT64_MIN;
			return true;
		}
		if (i < 3 && *end++ != (i == 0 ? ':' : ','))
			return false;
	}
	return *end == '\0';
}

/* The fields of cells that a search for a place reads. */
static const struct cs_record_byte place_fields[] = {
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, box)},
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, x)},
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, y)},
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, z)},
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, partition)},
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, level)},
	{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, layers)},
};

static bool is_at(const struct cs_cooked_cell *cell, const int64_t at[4])
{
	return cell->level == at[0] && cell->x == at[1] && cell->y == at[2] &&
	       (at[3] == INT64_MIN || cell->z == at[3]);
}

/* Finds the cell at coordinates; of several, the first grid's cell with the fewest layers. */
static struct cs_error *at_coordinates(
	const struct cs_cooked *world, const int64_t at[4], uint32_t *ret)
{
	const struct cs_cooked_loop loop =
		cs_cooked_search_cells(world, place_fields, CS_COUNT_OF(place_fields));
	uint32_t best = CS_NONE, partition = CS_NONE, layers = UINT32_MAX;
	for (uint32_t i = 0; i < world->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		const bool is_here = is_at(cell, at);
		if (is_here && best != CS_NONE && cell->partition != partition)
			break;
		if (is_here && (best == CS_NONE || cell->layers.count < layers)) {
			best = i;
			partition = cell->partition;
			layers = cell->layers.count;
		}
		cs_cooked_loop_step(&loop, i);
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (!error)
		*ret = best;
	return error;
}

static struct cs_error *find_by_column(struct cs_query *query, const struct cs_table *table,
	const char *key, const char *text, uint32_t *ret)
{
	uint32_t row = CS_NONE;
	size_t n;
	struct cs_error *error =
		cs_query_lookup(query, table, cs_table_column(table, key), text, true, &row, 1, &n);
	/* of several rows, use that in the main partition; without one the name is ambiguous */
	uint32_t partition = 0, at = row;
	if (!error && n > 0)
		cs_query_place_row(query, table, &at, &partition);
	if (!error && n > 0 && (n == 1 || partition == 0))
		*ret = row;
	return error;
}

/* Finds a cell by its name without world (MainGrid_L0_X5_Y1), or by short_name (L0_X5_Y1). */
static struct cs_error *find_short_name(struct cs_query *query, const struct cs_table *table,
	const struct cs_cooked *world, const char *text, uint32_t *ret)
{
	char *name;
	if (asprintf(&name, "%s_%s", cs_cooked_text(world, world->world->name), text) < 0)
		return cs_error_nomem();
	struct cs_error *error = find_by_column(query, table, "name", name, ret);
	free(name);
	if (!error && *ret == CS_NONE)
		error = find_by_column(query, table, "short_name", text, ret);
	return error;
}

static struct cs_error *find_cell(struct cs_query *query, const struct cs_table *table,
	const void *source, const char *text, uint32_t *ret)
{
	const struct cs_cooked_source *main = source;
	const struct cs_cooked *world =
		main->parts.at[main->focus == CS_NONE ? 0 : main->focus]->world;
	int64_t at[4];
	if (parse_coordinates(text, at))
		return at_coordinates(world, at, ret);
	struct cs_error *error = find_by_column(query, table, "name", text, ret);
	if (!error && *ret == CS_NONE && *text)
		error = find_short_name(query, table, world, text, ret);
	return error;
}

static bool holds_point(
	const struct cs_cooked *world, const struct cs_cooked_cell *cell, struct cs_vec3 point)
{
	/* half open: a point on a border belongs to the cell that begins at the border */
	return cs_box_valid(&cell->box) && cs_box_distance2(&cell->box, point, true) <= 0 &&
	       world->partitions[cell->partition].parent == CS_NONE && point.x < cell->box.max.x &&
	       point.y < cell->box.max.y;
}

uint32_t cs_cooked_cell_at(const struct cs_cooked *world, struct cs_vec3 point)
{
	const struct cs_cooked_loop loop =
		cs_cooked_search_cells(world, place_fields, CS_COUNT_OF(place_fields));
	uint32_t best = CS_NONE;
	double best_size = 0;
	for (uint32_t i = 0; i < world->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		double size = cell->box.max.x - cell->box.min.x;
		if (holds_point(world, cell, point) && (best == CS_NONE || size < best_size)) {
			best = i;
			best_size = size;
		}
		cs_cooked_loop_step(&loop, i);
	}
	if (loop.passes) /* callers ask cs_cooked_failed for the error of rows that were not read */
		cs_cooked_pass(loop.cooked, CS_PASS_END);
	return best;
}

const struct cs_table cs_cells_table = {
	.name = "cells",
	.row_name = "cell",
	.doc = "Streaming cells, sorted by grid and name.",
	CS_COLUMNS(cell_columns),
	.missing = CS_E_NOCELL,
	CS_PART_ROWS(cells),
	.find = find_cell,
	.getters = cell_getters,
};

/* ---- the table `grids` ---- */

#define GRID(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_partition, member, type, reader, text, __VA_ARGS__)
#define GRID_FLAG(name, flag_name, text) \
	GRID(name, flags, BOOL, flag, text, .argument = CS_PARTITION_##flag_name)

CS_READER_UNLESS(grid_size, f64, cs_cooked_partition, CS_PARTITION_NO_SIZE)
CS_READER_UNLESS(grid_said, i32, cs_cooked_partition, CS_PARTITION_NO_PRIORITY)
CS_READER_UNLESS(grid_flag, flag, cs_cooked_partition, CS_PARTITION_NO_SWITCHES)
/* A column for a runtime hash setting; null in engine-cooked worlds, whose files lack it. */
#define SOURCE_GRID_FLAG(name, flag_name, text) \
	GRID(name, flags, BOOL, source_flag, text, .argument = CS_PARTITION_##flag_name)

static const struct cs_column grid_columns[] = {
	GRID("name", name, TEXT, text, "name of the partition; of an HLOD setup PARTITION:SETUP",
		CS_SHORT_KEY),
	GRID("class", partition_class, TEXT, enum,
		"class of the partition, which decides how the world is cut",
		.names = cs_partition_class_names, CS_SHORT),
	GRID("cell_size", cell_size, NUMBER, grid_size, "side of a cell of level 0", .unit = "cm",
		CS_SHORT),
	CS_VALUE("loading_range", NUMBER, cs_read_grid_range, "distance at which cells load now",
		.flags = CS_COLUMN_SHORT, .unit = "cm"),
	CS_VALUE("range_from", TEXT, cs_read_grid_range_origin,
		"origin of the range: cooked, assumed (the source does not contain it), override",
		.label = "from", .flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	GRID("cooked_range", loading_range, NUMBER, f64, "loading range without an override",
		.unit = "cm"),
	GRID("cells", cells, INTEGER, count, "number of cells", CS_SHORT),
	GRID("levels", levels, INTEGER, u32, "number of levels of a spatial grid, else 0"),
	GRID("grid_size", grid_size, INTEGER, u32,
		"number of cells along a side of level 0 of a spatial grid"),
	GRID("priority", priority, INTEGER, grid_said,
		"streaming priority of the cells, lowest first", CS_SHORT),
	GRID("parent", parent, TEXT, grid, "main partition of an HLOD setup"),
	GRID("hlod_index", hlod_index, INTEGER, i32,
		"index of the HLOD setup, -1 for a main partition"),
	GRID("origin", origin, VEC3, vec3, "point from which the cells of the grid are counted",
		.unit = "cm"),
	GRID("bounds_min", bounds, VEC3, box_min,
		"minimum of the world bounds that the partition was made for", .unit = "cm"),
	GRID("bounds_max", bounds, VEC3, box_max,
		"maximum of the world bounds that the partition was made for", .unit = "cm"),
	GRID_FLAG("spatial", SPATIAL, "whether the cells of the grid stream by distance"),
	GRID_FLAG("flat", 2D, "whether distances to cells ignore Z"),
	GRID("block_on_slow", flags, BOOL, grid_flag,
		"whether the game waits for cells of the grid when streaming is slow",
		.argument = CS_PARTITION_BLOCK_ON_SLOW),
	GRID("client_only", flags, BOOL, grid_flag, "whether the cells exist only on clients",
		.argument = CS_PARTITION_CLIENT_ONLY),
	GRID_FLAG("aligned", ALIGNED, "whether the grid levels are aligned"),
	SOURCE_GRID_FLAG("snap", SNAP, "whether levels that are not aligned snap to lower levels"),
	SOURCE_GRID_FLAG("small_by_location", SMALL_BY_LOCATION,
		"whether small actors are placed by location"),
	SOURCE_GRID_FLAG("partition_actors_by_location", PARTITION_ACTORS,
		"whether partition actors are placed by location"),
	SOURCE_GRID_FLAG("z_culling", Z_CULLING, "whether cells are culled by Z"),
	SOURCE_GRID_FLAG(
		"demotion", DEMOTION, "whether a set may be placed one level lower (rule 1.6.4.7)"),
	GRID("debug_color", debug_color, HEX, hex, "debug colour, RRGGBB", .argument = 6),
	CS_PARTITION_COLUMN,
};

CS_WORLD_ARRAY(grids, partitions)

const struct cs_table cs_grids_table = {
	.name = "grids",
	.row_name = "grid",
	.doc = "Runtime partitions and spatial grids, main ones first.",
	CS_COLUMNS(grid_columns),
	.missing = CS_E_NOGRID,
	CS_PART_ROWS(grids),
};

/* ---- the table `layers` ---- */

#define LAYER(name, member, type, reader, text, ...) \
	CS_COLUMN(name, cs_cooked_layer, member, type, reader, text, __VA_ARGS__)

static const struct cs_column layer_columns[] = {
	LAYER("label", label, TEXT, text, "short name", CS_SHORT_KEY),
	LAYER("name", name, TEXT, text, "instance name, unique", .flags = CS_COLUMN_KEY),
	LAYER("asset", asset, TEXT, text, "path of the asset", .flags = CS_COLUMN_KEY),
	LAYER("type", type, TEXT, enum, "type of the layer: runtime or editor",
		.names = cs_layer_type_names, CS_SHORT),
	CS_VALUE("initial", TEXT, cs_read_layer_initial,
		"initial runtime state in this network role", CS_SHORT),
	LAYER("parent", parent, TEXT, layer, "parent layer", CS_SHORT),
	LAYER("filter", filter, TEXT, enum, "machines on which the layer is loaded",
		.names = cs_layer_filter_names),
	LAYER("external", flags, BOOL, flag, "whether the layer is an external data layer",
		.argument = CS_LAYER_EXTERNAL),
	CS_VALUE("state", TEXT, cs_read_layer_effective, "effective runtime state",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	CS_VALUE("target", TEXT, cs_read_layer_target, "runtime state that was requested",
		.flags = CS_COLUMN_WORD),
	LAYER("priority", priority, INTEGER, i32,
		"number added to the priority of the cells of the layer from 5.7"),
	LAYER("color", color, HEX, hex, "debug colour, RRGGBB", .argument = 6),
	CS_PARTITION_COLUMN,
};

CS_WORLD_ARRAY(layers, layers)

const struct cs_table cs_layers_table = {
	.name = "layers",
	.row_name = "layer",
	.doc = "Data layer instances, parents first.",
	CS_COLUMNS(layer_columns),
	.missing = CS_E_NOLAYER,
	CS_PART_ROWS(layers),
};
