/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/stream/worlds.h"

#include "core/random.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>

static void need(bool good)
{
	if (!good) {
		fputs("Bail out! no memory for a test world\n", stdout);
		abort();
	}
}

static uint32_t text(struct worlds *w, const char *value)
{
	uint32_t offset = cs_strings_add_z(&w->strings, value);
	need(offset != CS_NONE);
	return offset;
}

void worlds_init(struct worlds *w, const char *profile)
{
	*w = (struct worlds){.n_actors = 1};
	w->world = (struct cs_cooked_world){
		.bounds = CS_BOX_INVALID,
		.name = text(w, "World"),
		.package = text(w, "/Game/World"),
		.profile = text(w, profile),
		.default_hlod_layer = CS_NONE,
		.flags = CS_WORLD_STREAMING,
	};
}

void worlds_deinit(struct worlds *w)
{
	cs_cooked_close(w->cooked);
	cs_strings_deinit(&w->strings);
	cs_vec_free(&w->partitions);
	cs_vec_free(&w->layers);
	cs_vec_free(&w->cells);
	cs_vec_free(&w->cell_layers);
	cs_vec_free(&w->hlods);
	free(w->bytes);
}

uint32_t worlds_partition(struct worlds *w, const char *name, enum cs_partition_class class,
	double cell_size, double range)
{
	struct cs_cooked_partition row = {
		.bounds = CS_BOX_INVALID,
		.cell_size = cell_size,
		.loading_range = range,
		.name = text(w, name),
		.parent = CS_NONE,
		.partition_class = class,
		.hlod_index = -1,
		.flags = CS_PARTITION_SPATIAL,
		.cells = {(uint32_t)w->cells.n, 0},
	};
	need(cs_vec_push(&w->partitions, row));
	return (uint32_t)w->partitions.n - 1;
}

uint32_t worlds_spatial_grid(
	struct worlds *w, const char *name, double cell_size, double range, double extent)
{
	uint32_t p = worlds_partition(w, name, CS_PARTITION_SPATIAL_GRID, cell_size, range);
	uint32_t size = 1, levels = 1;
	w->world.hash_class = CS_HASH_SPATIAL;
	while (size < 2 * ceil(extent / cell_size)) {
		size *= 2;
		levels++;
	}
	w->partitions.at[p].grid_size = size;
	w->partitions.at[p].levels = levels;
	return p;
}

uint32_t worlds_layer(
	struct worlds *w, const char *name, uint32_t parent, enum cs_layer_state initial)
{
	char asset[128];
	snprintf(asset, sizeof(asset), "/Game/Layers/%s.%s", name, name);
	struct cs_cooked_layer row = {
		.name = text(w, name),
		.label = text(w, name),
		.asset = text(w, asset),
		.parent = parent,
		.type = CS_LAYER_RUNTIME,
		.initial = initial,
	};
	need(cs_vec_push(&w->layers, row));
	return (uint32_t)w->layers.n - 1;
}

/* ---- cells ---- */

static uint32_t add_cell(struct worlds *w, struct cs_cooked_cell row, uint32_t actors)
{
	uint32_t id = (uint32_t)w->cells.n;
	struct cs_cooked_partition *partition = &w->partitions.at[row.partition];
	row.guid = (struct cs_guid){0, 0, row.partition + 1, id + 1};
	row.external_layer = CS_NONE;
	row.layers = (struct cs_range){(uint32_t)w->cell_layers.n, 0};
	row.actors = (struct cs_range){w->n_actors, actors};
	row.priority = partition->priority;
	if (partition->hlod_index >= 0)
		row.flags |= CS_CELL_HLOD;
	if (partition->flags & CS_PARTITION_BLOCK_ON_SLOW)
		row.flags |= CS_CELL_BLOCK_ON_SLOW;
	if (partition->flags & CS_PARTITION_CLIENT_ONLY)
		row.flags |= CS_CELL_CLIENT_ONLY;
	w->n_actors += actors;
	partition->cells.count++;
	need(cs_vec_push(&w->cells, row));
	return id;
}

/* Returns the coordinate of a cell's corner in the world, by the rules of the partition's class. */
static double corner(const struct cs_cooked_partition *p, int level, int64_t coordinate)
{
	double size = ldexp(p->cell_size, level);
	if (p->partition_class != CS_PARTITION_SPATIAL_GRID)
		return (double)coordinate * size;
	int64_t cells = p->grid_size >> level;
	if (!(p->flags & CS_PARTITION_ALIGNED) && level + 1 < (int)p->levels)
		cells++;
	return ((double)(coordinate + (cells >> 1)) - (double)cells * 0.5) * size;
}

uint32_t worlds_cell(
	struct worlds *w, uint32_t partition, int level, int64_t x, int64_t y, uint32_t actors)
{
	const struct cs_cooked_partition *p = &w->partitions.at[partition];
	double size = ldexp(p->cell_size, level), inset = size / 64;
	double left = corner(p, level, x), near = corner(p, level, y);
	char name[128], whole[200];
	snprintf(name, sizeof(name), "L%d_X%lld_Y%lld", level, (long long)x, (long long)y);
	snprintf(whole, sizeof(whole), "World_%s_%s", cs_strings_get(&w->strings, p->name), name);
	struct cs_cooked_cell row = {
		.box = {{left, near, -size}, {left + size, near + size, size}},
		.content = {{left + inset, near + inset, 0},
			{left + size - inset, near + size - inset, size / 8}},
		.x = x,
		.y = y,
		.name = text(w, whole),
		.short_name = text(w, name),
		.partition = partition,
		.level = level,
		.hierarchical_level = level,
		.flags = CS_CELL_SPATIAL,
	};
	return add_cell(w, row, actors);
}

uint32_t worlds_non_spatial(struct worlds *w, uint32_t partition, const char *name, uint32_t actors)
{
	char whole[200];
	snprintf(whole, sizeof(whole), "World_%s", name);
	struct cs_cooked_cell row = {
		.box = CS_BOX_INVALID,
		.content = CS_BOX_INVALID,
		.name = text(w, whole),
		.short_name = text(w, name),
		.partition = partition,
		.flags = CS_CELL_ALWAYS_LOADED,
	};
	return add_cell(w, row, actors);
}

void worlds_square(struct worlds *w, uint32_t partition, int level, int64_t x0, int64_t y0,
	int64_t x1, int64_t y1, uint32_t actors)
{
	for (int64_t y = y0; y < y1; y++)
		for (int64_t x = x0; x < x1; x++)
			worlds_cell(w, partition, level, x, y, actors);
}

void worlds_set_layers(struct worlds *w, uint32_t external, const uint32_t *layers, size_t n)
{
	struct cs_cooked_cell *cell = &w->cells.at[w->cells.n - 1];
	cell->flags &= ~CS_CELL_ALWAYS_LOADED;
	cell->external_layer = external;
	cell->layers = (struct cs_range){(uint32_t)w->cell_layers.n, (uint32_t)n};
	if (external != CS_NONE) {
		need(cs_vec_push(&w->cell_layers, external));
		cell->layers.count++;
	}
	need(cs_vec_append(&w->cell_layers, layers, n));
}

uint32_t worlds_hlod(struct worlds *w, uint32_t source, uint32_t home)
{
	struct cs_cooked_hlod row = {
		.source_cell =
			source == CS_NONE ? (struct cs_guid){9, 9, 9, 9} : w->cells.at[source].guid,
		.actor = CS_NONE,
		.cell = source,
		.layer = CS_NONE,
		.home = home,
	};
	need(cs_vec_push(&w->hlods, row));
	return (uint32_t)w->hlods.n - 1;
}

/* ---- the file ---- */

struct cs_cooked *worlds_open(struct worlds *w)
{
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.limits = &limits};
	struct cs_file_writer *writer;
	struct cs_cooked_actor actor = {.bounds = CS_BOX_INVALID};
	struct cs_cooked_container container = {.transform = CS_TRANSFORM_IDENTITY,
		.parent = CS_NONE,
		.actor = CS_NONE,
		.external_layer = CS_NONE};
	uint32_t *cell_actors = calloc(w->n_actors, sizeof(*cell_actors));
	need(cell_actors != NULL);
	const struct {
		uint16_t table;
		const void *rows;
		size_t n;
	} tables[] = {
		{CS_TABLE_STRINGS, w->strings.blob, w->strings.size},
		{CS_TABLE_WORLD, &w->world, 1},
		{CS_TABLE_PARTITIONS, w->partitions.at, w->partitions.n},
		{CS_TABLE_LAYERS, w->layers.at, w->layers.n},
		{CS_TABLE_CONTAINERS, &container, 1},
		{CS_TABLE_CELLS, w->cells.at, w->cells.n},
		{CS_TABLE_CELL_LAYERS, w->cell_layers.at, w->cell_layers.n},
		{CS_TABLE_CELL_ACTORS, cell_actors, w->n_actors},
		{CS_TABLE_ACTORS, &actor, 1},
		{CS_TABLE_HLODS, w->hlods.at, w->hlods.n},
	};
	limits.memory = UINT64_C(16) << 30;
	limits.records = UINT64_C(1) << 30;
	struct cs_error *error = cs_file_writer_new(cs_schema_of_kind(1), &job, &writer);
	for (size_t i = 0; !error && i < sizeof(tables) / sizeof(tables[0]); i++)
		error = cs_file_writer_table(writer, tables[i].table, tables[i].rows, tables[i].n);
	if (!error)
		error = cs_file_writer_bytes(writer, &w->bytes, &w->n_bytes);
	if (!error)
		error = cs_cooked_open_bytes(w->bytes, w->n_bytes, "world", &job, &w->cooked);
	if (error) {
		printf("Bail out! test world: %s\n", error->message);
		abort();
	}
	cs_file_writer_free(writer);
	free(cell_actors);
	return w->cooked;
}
