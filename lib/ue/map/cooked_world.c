/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a cooked map into a cooked world of cellscope in memory, so that everything that works
 * on a .cworld file works on it. The world has a partition for each partition of the engine, the
 * cells and data layers, and the actors of the map and of its generated packages. Rows are sorted
 * as the format requires. Facts that the engine does not write (why an actor is in its cell, bounds
 * of actors, loading ranges if properties cannot be read) stay unknown: invalid boxes, empty texts,
 * partitions marked as assumed.
 */
#include "ue/map/umap.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/identity.h"
#include "core/job.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/strings.h"
#include "format/fields.h"
#include "format/file_writer.h"
#include "ue/map/recipes.h"

#include <cellscope/cooked.h>
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Cell size and loading range in cm, assumed for a partition of which no setting was read. */
enum { ASSUMED_CELL_SIZE = 12800, ASSUMED_RANGE = 25600 };
#define WORLD_END 4398046511104.0 /* 2^42 cm: 2D cells extend from minus this to this height */

struct actor {
	struct cs_cooked_actor row;
	struct cs_cooked_actor_detail detail;
	struct cs_guid source_cell;
	bool is_hlod, no_warmup;
};

struct builder {
	const struct cs_ue_place *place;
	const struct cs_job *job;
	const struct cs_ue_map_options *options;
	struct cs_ue_map *map;
	struct cs_strings texts;
	struct cs_cooked_world world;
	struct cs_cooked_container container;
	CS_VEC(struct cs_cooked_partition) partitions;
	CS_VEC(struct cs_cooked_cell) cells;
	CS_VEC(uint64_t) sizes;   /* size in bytes of the package of each cell */
	CS_VEC(uint32_t) sources; /* for each cell, its index in the cells of the map */
	CS_VEC(struct cs_cooked_layer) layers;
	CS_VEC(uint32_t) cell_layers;
	CS_VEC(uint32_t) cell_actors;
	CS_VEC(struct actor) actors;
	CS_VEC(struct cs_cooked_actor) actor_rows;
	CS_VEC(struct cs_cooked_actor_detail) details;
	CS_VEC(struct cs_cooked_hlod) hlods;
	uint32_t *by_guid; /* indices of cells, sorted by GUID */
	uint32_t missing;  /* number of cells whose package is missing */
	bool failed;       /* whether an allocation failed */
};

static uint32_t cooked_world_text(struct builder *builder, const char *value)
{
	uint32_t offset = value ? cs_strings_add_z(&builder->texts, value) : 0;
	builder->failed |= offset == CS_NONE;
	return offset == CS_NONE ? 0 : offset;
}

static uint32_t cooked_world_colour_of(const double c[4], bool known)
{
	uint32_t value = 0;
	for (int i = 0; i < 3 && known; i++) {
		double v = c[i] < 0 ? 0 : c[i] > 1 ? 1 : c[i];
		value = value << 8 | (uint32_t)lround(v * 255);
	}
	return value;
}

/* Makes a GUID for a row that has none: a hash of two texts, the same in every run. */
static struct cs_guid guid_of_text(const char *first, const char *second)
{
	struct cs_digest digest;
	cs_digest_begin(&digest);
	cs_digest_bytes(&digest, first, strlen(first) + 1);
	cs_digest_bytes(&digest, second, strlen(second));
	return cs_digest_end(&digest);
}

/* ---- partitions ---- */

/* Returns the width in cm of cells on level 0, from the bounds of a cell: no file states it. */
static double cell_size_of(const struct builder *builder, uint32_t partition)
{
	for (size_t i = 0; i < builder->map->cells.n; i++) {
		const struct cs_ue_map_cell *cell = &builder->map->cells.at[i];
		if (cell->partition != partition || !cs_box_valid(&cell->cell_bounds) ||
			cell->hierarchical_level < 0 || cell->hierarchical_level > 40)
			continue;
		return (cell->cell_bounds.max.x - cell->cell_bounds.min.x) /
		       (double)((uint64_t)1 << cell->hierarchical_level);
	}
	return 0;
}

static uint32_t class_of(const struct cs_ue_map_partition *partition)
{
	if (partition->is_grid)
		return CS_PARTITION_SPATIAL_GRID;
	if (partition->class_name && strstr(partition->class_name, "Persistent"))
		return CS_PARTITION_PERSISTENT;
	if (partition->class_name && strstr(partition->class_name, "LevelStreaming"))
		return CS_PARTITION_LEVEL_STREAMING;
	return CS_PARTITION_LHGRID;
}

/*
 * Returns whether a cell is 2D. A property says so from 5.5 on. Without it, a box that reaches
 * WORLD_END is 2D, and for a cell without a box the form of its name decides.
 */
static bool is_flat_cell(const struct cs_ue_map_cell *cell)
{
	if (cell->is_2d >= 0)
		return cell->is_2d > 0;
	if (cs_box_valid(&cell->cell_bounds))
		return cell->cell_bounds.max.z >= WORLD_END;
	return !cell->place.has_z || cell->place.level_last;
}

static bool cooked_world_is_flat(const struct builder *builder, uint32_t partition)
{
	for (size_t i = 0; i < builder->map->cells.n; i++)
		if (builder->map->cells.at[i].partition == partition &&
			!is_flat_cell(&builder->map->cells.at[i]) &&
			!builder->map->cells.at[i].always_loaded)
			return false;
	return true;
}

static uint32_t parent_row(const struct builder *builder, const char *name)
{
	for (uint32_t i = 0; name && i < builder->map->partitions.n; i++)
		if (!builder->map->partitions.at[i].parent &&
			cs_name_compare(builder->map->partitions.at[i].name, name) == 0)
			return i;
	return CS_NONE;
}

/* Returns the flags for facts about a partition that the file does not contain. */
static uint32_t unsaid_of(const struct cs_ue_map_partition *partition, double size)
{
	return (partition->known & CS_UE_KNOWN_RANGE ? 0 : CS_PARTITION_ASSUMED) |
	       (size > 0 ? 0 : CS_PARTITION_NO_SIZE) |
	       (partition->known & CS_UE_KNOWN_PRIORITY ? 0 : CS_PARTITION_NO_PRIORITY) |
	       (partition->block_on_slow < 0 ? CS_PARTITION_NO_SWITCHES : 0);
}

static void cooked_world_add_partition(struct builder *builder, uint32_t row)
{
	const struct cs_ue_map_partition *partition = &builder->map->partitions.at[row];
	char name[300];
	bool known = partition->known & CS_UE_KNOWN_RANGE;
	double size = partition->cell_size > 0 ? partition->cell_size : cell_size_of(builder, row);
	snprintf(name, sizeof(name), "%.140s%s%.140s", partition->parent ? partition->parent : "",
		partition->parent ? ":" : "", partition->name);
	struct cs_cooked_partition to = {.origin = partition->origin,
		.bounds = partition->bounds,
		.cell_size = size > 0 ? size
			     : known  ? 0
				      : ASSUMED_CELL_SIZE,
		.loading_range = known ? partition->loading_range : ASSUMED_RANGE,
		.name = cooked_world_text(builder, name),
		.parent = parent_row(builder, partition->parent),
		.partition_class = class_of(partition),
		.priority = partition->priority,
		.hlod_index = partition->hlod_index,
		.debug_color = cooked_world_colour_of(
			partition->colour, partition->known & CS_UE_KNOWN_COLOUR),
		.levels = partition->levels,
		.grid_size = partition->grid_size};
	to.flags = (partition->block_on_slow > 0 ? CS_PARTITION_BLOCK_ON_SLOW : 0) |
		   (partition->client_only > 0 ? CS_PARTITION_CLIENT_ONLY : 0) |
		   (partition->spatial > 0 ? CS_PARTITION_SPATIAL : 0) |
		   (cooked_world_is_flat(builder, row) ? CS_PARTITION_2D : 0) |
		   (partition->aligned ? CS_PARTITION_ALIGNED : 0) | unsaid_of(partition, size);
	cs_vec_push_in(builder, partitions, to);
}

static uint32_t cooked_world_partition_named(struct cs_ue_map *map, const char *name)
{
	uint32_t found = cs_ue_map_partition_named(map, name);
	if (found != CS_NONE)
		return found;
	struct cs_ue_map_partition partition = {.name = name,
		.bounds = CS_BOX_INVALID,
		.block_on_slow = -1,
		.client_only = -1,
		.spatial = 1,
		.hlod_index = -1,
		.is_grid = map->spatial_hash};
	return cs_vec_push(&map->partitions, partition) ? (uint32_t)map->partitions.n - 1 : CS_NONE;
}

/* Assigns each cell without a partition to the one named like its grid, or to "unknown". */
static struct cs_error *place_rest(struct cs_ue_map *map)
{
	for (size_t i = 0; i < map->cells.n; i++) {
		struct cs_ue_map_cell *cell = &map->cells.at[i];
		if (cell->partition == CS_NONE)
			cell->partition = cooked_world_partition_named(
				map, cell->grid ? cell->grid : "unknown");
		if (cell->partition == CS_NONE)
			return cs_error_nomem();
	}
	return NULL;
}

/* ---- cells ---- */

static bool is_spatial(const struct cs_ue_map_cell *cell)
{
	return cell->spatial > 0 || (cell->spatial < 0 && !cell->always_loaded);
}

/* Returns the box of a cell: its bounds, else by position and extent, else by place in the grid. */
static struct cs_box cooked_world_box_of(
	const struct builder *builder, const struct cs_ue_map_cell *cell)
{
	const struct cs_cooked_partition *partition = &builder->partitions.at[cell->partition];
	if (cs_box_valid(&cell->cell_bounds))
		return cell->cell_bounds;
	if (cell->known & CS_UE_KNOWN_POSITION && cell->extent > 0)
		return (struct cs_box){{cell->position.x - cell->extent,
					       cell->position.y - cell->extent, -WORLD_END},
			{cell->position.x + cell->extent, cell->position.y + cell->extent,
				WORLD_END}};
	if (!cell->has_place || cell->place.persistent || cell->place.level < 0 ||
		cell->place.level > 40 || partition->cell_size <= 0 || !is_spatial(cell))
		return CS_BOX_INVALID;
	double size = partition->cell_size * (double)((uint64_t)1 << cell->place.level);
	double x = partition->origin.x + (double)cell->place.x * size;
	double y = partition->origin.y + (double)cell->place.y * size;
	return (struct cs_box){{x, y, -WORLD_END}, {x + size, y + size, WORLD_END}};
}

static uint32_t layer_row(const struct builder *builder, const char *name)
{
	for (uint32_t i = 0; i < builder->map->layers.n; i++)
		if (cs_name_compare(builder->map->layers.at[i].name, name) == 0)
			return i;
	return CS_NONE;
}

/* Returns the size in bytes of the generated package and the files beside it. */
static uint64_t package_bytes(const struct builder *builder, const struct cs_ue_map_cell *cell)
{
	static const char *const beside[] = {".uexp", ".ubulk", ".uptnl"};
	size_t file, n, other;
	if (!builder->place || !cell->package ||
		!cs_ue_map_package(builder->map, builder->place, cell->package, &file))
		return 0;
	uint64_t bytes = cs_ue_place_files(builder->place, &n)[file].size;
	for (size_t i = 0; i < 3; i++)
		if (cs_ue_place_beside(builder->place, file, beside[i], &other))
			bytes += builder->place->files[other].size;
	return bytes;
}

static void cooked_world_add_cell_layers(
	struct builder *builder, const struct cs_ue_map_cell *cell, struct cs_cooked_cell *to)
{
	uint32_t crc = 0;
	to->layers.first = (uint32_t)builder->cell_layers.n;
	for (uint32_t i = 0; i < cell->n_layers; i++) {
		uint32_t row = layer_row(builder, cell->layers[i]);
		crc = cs_identity_crc(crc, cell->layers[i]);
		if (row == CS_NONE)
			continue;
		cs_vec_push_in(builder, cell_layers, row);
		to->layers.count++;
		if (i == 0 && cell->first_layer_external)
			to->external_layer = row;
	}
	to->layers_id = cell->n_layers ? crc : cell->has_place ? cell->place.layers_id : 0;
	/* where no property was read, the name of the cell has the id of its layer */
	for (uint32_t i = 0; to->layers_id && !to->layers.count && i < builder->map->layers.n; i++)
		if (builder->map->layers.at[i].id == to->layers_id) {
			cs_vec_push_in(builder, cell_layers, i);
			to->layers.count = 1;
		}
}

/* Returns the CS_CELL_ flags that mark the facts about a cell that the file does not contain. */
static uint32_t unsaid_of_cell(const struct cs_ue_map_cell *cell)
{
	return (cell->has_place ? 0 : CS_CELL_NO_PLACE) |
	       (cell->client_only < 0 ? CS_CELL_NAMES_ALONE : 0) |
	       (cs_guid_is_zero(cell->guid) ? CS_CELL_MADE_GUID : 0);
}

static void cooked_world_add_cell(struct builder *builder, uint32_t source)
{
	const struct cs_ue_map_cell *cell = &builder->map->cells.at[source];
	char desc[CS_UE_CELL_NAME] = "";
	const char *package = cell->package ? strrchr(cell->package, '/') : NULL;
	if (cell->has_place)
		cs_ue_desc_name(&cell->place, desc);
	size_t grid = cell->has_place ? strlen(cell->place.grid) + 1 : 0;
	struct cs_cooked_cell to = {.guid = cell->guid,
		.content_bundle = cell->bundle,
		.box = cooked_world_box_of(builder, cell),
		.content = cell->content,
		.x = cell->place.x,
		.y = cell->place.y,
		.z = cell->place.z,
		.name = cooked_world_text(
			builder, cell->debug_name ? cell->debug_name : cell->name),
		.short_name = cooked_world_text(builder, *desc ? desc + grid : cell->name),
		.package = cooked_world_text(builder, package ? package + 1 : ""),
		.partition = cell->partition,
		.level = cell->has_place && !cell->place.persistent ? cell->place.level : 0,
		.hierarchical_level = cell->known & CS_UE_KNOWN_LEVEL ? cell->hierarchical_level
				      : cell->has_place               ? cell->place.level
								      : 0,
		.priority = cell->priority,
		.external_layer = CS_NONE};
	if (cs_guid_is_zero(to.guid)) /* engines 5.1 and 5.2 store no GUID */
		to.guid = guid_of_text(builder->map->package->name, cell->name);
	to.flags = unsaid_of_cell(cell) | (is_spatial(cell) ? CS_CELL_SPATIAL : 0) |
		   (cell->always_loaded ? CS_CELL_ALWAYS_LOADED : 0) |
		   (cell->client_only > 0 ? CS_CELL_CLIENT_ONLY : 0) |
		   (cell->block_on_slow > 0 ? CS_CELL_BLOCK_ON_SLOW : 0) |
		   (cell->is_hlod > 0 ? CS_CELL_HLOD : 0) | (is_flat_cell(cell) ? CS_CELL_2D : 0);
	cooked_world_add_cell_layers(builder, cell, &to);
	builder->partitions.at[cell->partition].cells.count++;
	cs_vec_push_in(builder, sizes, package_bytes(builder, cell));
	cs_vec_push_in(builder, sources, source);
	cs_vec_push_in(builder, cells, to);
}

static int cooked_world_by_place(const void *left, const void *right, void *context)
{
	const struct cs_ue_map *map = context;
	const struct cs_ue_map_cell *a = &map->cells.at[*(const uint32_t *)left];
	const struct cs_ue_map_cell *c = &map->cells.at[*(const uint32_t *)right];
	int order = cs_compare_i64(a->partition, c->partition);
	order = order ? order : cs_compare_i64(a->place.level, c->place.level);
	order = order ? order : cs_compare_i64(a->place.x, c->place.x);
	order = order ? order : cs_compare_i64(a->place.y, c->place.y);
	order = order ? order : cs_compare_i64(a->place.z, c->place.z);
	return order ? order : strcmp(a->name, c->name);
}

static void add_cells(struct builder *builder)
{
	size_t n = builder->map->cells.n;
	uint32_t *order = cs_sorted_rows(n, cooked_world_by_place, builder->map);
	builder->failed |= !order;
	for (size_t i = 0; i < n && !builder->failed; i++)
		cooked_world_add_cell(builder, order[i]);
	free(order);
	for (size_t i = 0, first = 0; i < builder->partitions.n; i++) {
		builder->partitions.at[i].cells.first = (uint32_t)first;
		first += builder->partitions.at[i].cells.count;
	}
}

/* ---- data layers ---- */

/* Sorts the layers so that parents precede their children. The map has them in any order. */
static void sort_layers(struct builder *builder)
{
	size_t n = builder->map->layers.n, done = 0;
	struct cs_ue_map_layer *layers = builder->map->layers.at;
	struct cs_ue_map_layer *sorted = calloc(n + 1, sizeof(*sorted));
	uint32_t *path = calloc(n + 1, sizeof(*path));
	bool *seen = calloc(n + 1, sizeof(*seen));
	builder->failed |= !sorted || !path || !seen;
	for (uint32_t i = 0; i < n && !builder->failed; i++) {
		size_t depth = 0;
		for (uint32_t at = i; at != CS_NONE && !seen[at];) {
			seen[at] = true;
			path[depth++] = at;
			at = layers[at].parent ? layer_row(builder, layers[at].parent) : CS_NONE;
		}
		while (depth > 0)
			sorted[done++] = layers[path[--depth]];
	}
	if (done > 0)
		memcpy(layers, sorted, done * sizeof(*layers));
	free(sorted);
	free(path);
	free(seen);
}

static void cooked_world_add_layers(struct builder *builder)
{
	for (size_t i = 0; i < builder->map->layers.n; i++) {
		const struct cs_ue_map_layer *layer = &builder->map->layers.at[i];
		const char *label = layer->asset ? strrchr(layer->asset, '.') : NULL;
		uint32_t parent = layer->parent ? layer_row(builder, layer->parent) : CS_NONE;
		struct cs_cooked_layer to = {.name = cooked_world_text(builder, layer->name),
			.label = cooked_world_text(builder, label ? label + 1 : layer->name),
			.asset = cooked_world_text(builder, layer->asset),
			.parent = parent < i ? parent
					     : CS_NONE, /* parents come first, except in cycles */
			.flags = (strstr(layer->class_name, "External") ? CS_LAYER_EXTERNAL : 0) |
				 (layer->initial ? 0 : CS_LAYER_NAMES_ALONE)};
		for (uint32_t s = 0; s < 3; s++)
			if (layer->initial && strstr(layer->initial, cs_layer_state_ue_names[s]))
				to.initial = s;
		cs_vec_push_in(builder, layers, to);
	}
}

/* ---- actors ---- */

/* Returns the first always loaded cell, which gets the actors of the map itself, or CS_NONE. */
static uint32_t persistent_cell(const struct builder *builder)
{
	for (uint32_t i = 0; i < builder->cells.n; i++)
		if (builder->cells.at[i].flags & CS_CELL_ALWAYS_LOADED)
			return i;
	return CS_NONE;
}

static uint32_t placement_in(const struct builder *builder, uint32_t cell)
{
	if (cell == CS_NONE || !(builder->cells.at[cell].flags & CS_CELL_SPATIAL))
		return CS_PLACED_NON_SPATIAL;
	return builder->map->spatial_hash ? CS_PLACED_BY_BOUNDS : CS_PLACED_BY_CENTRE;
}

static void cooked_world_add_actor(
	struct builder *builder, const struct cs_ue_map_actor *actor, uint32_t cell)
{
	bool native = strncmp(actor->class_path, "/Script/", 8) == 0;
	struct actor to = {.is_hlod = actor->is_hlod,
		.no_warmup = actor->no_warmup,
		.source_cell = actor->source_cell};
	bool has_guid = actor->has_guid && !cs_guid_is_zero(actor->guid);
	bool spatial = placement_in(builder, cell) != CS_PLACED_NON_SPATIAL;
	to.row = (struct cs_cooked_actor){
		.guid = has_guid ? actor->guid
				 : guid_of_text(builder->map->package->name, actor->name),
		.bounds = CS_BOX_INVALID,
		.name = cooked_world_text(builder, actor->name),
		.label = cooked_world_text(builder, actor->label ? actor->label : actor->name),
		.base_class = cooked_world_text(builder, native ? "" : actor->class_path),
		.native_class = cooked_world_text(builder, native ? actor->class_path : ""),
		.parent = CS_NONE,
		.set = CS_NONE,
		.cell = cell,
		.hlod_layer = CS_NONE,
		.flags = (spatial ? CS_ACTOR_OWN_SPATIAL | CS_ACTOR_SPATIAL : 0) |
			 (actor->is_hlod ? CS_ACTOR_HLOD : 0) |
			 (has_guid ? 0 : CS_ACTOR_MADE_GUID) |
			 (actor->has_transform ? 0 : CS_ACTOR_NO_TRANSFORM),
		.placement = placement_in(builder, cell)};
	to.detail = (struct cs_cooked_actor_detail){
		.transform = actor->has_transform ? actor->transform : CS_TRANSFORM_IDENTITY,
		.editor_bounds = CS_BOX_INVALID,
		.instance_guid = to.row.guid,
		.package = cooked_world_text(builder,
			cell != CS_NONE && builder->map->cells.at[builder->sources.at[cell]].package
				? builder->map->cells.at[builder->sources.at[cell]].package
				: builder->map->package->name),
		.external_layer = CS_NONE};
	to.row.effective_grid =
		cell == CS_NONE ? 0
				: builder->partitions.at[builder->cells.at[cell].partition].name;
	cs_vec_push_in(builder, actors, to);
}

static int cooked_world_by_cell(const void *left, const void *right, void *context)
{
	const struct cs_ue_pair *a = left, *b = right;
	(void)context;
	int order = cs_name_compare(a->cell, b->cell);
	return order ? order : cs_name_compare(a->actor, b->actor);
}

/* Adds a cell's actors from the map's remapping table (sorted by cell) without opening packages. */
static void add_remapped(struct builder *builder, uint32_t cell)
{
	const char *name = builder->map->cells.at[builder->sources.at[cell]].name;
	const struct cs_ue_pair *pairs = builder->map->remapping.at;
	size_t n = builder->map->remapping.n;
	size_t at = cs_lower_bound(0, n, i, cs_name_compare(pairs[i].cell, name) < 0);
	for (; at < n && cs_name_compare(pairs[at].cell, name) == 0; at++) {
		struct cs_ue_map_actor actor = {.name = pairs[at].actor, .class_path = ""};
		cooked_world_add_actor(builder, &actor, cell);
	}
}

static bool is_level_furniture(const char *name)
{
	return strcmp(name, "WorldSettings") == 0;
}

/*
 * Adds the actors of a cell's generated package. Sets *done_ret to whether the package exists and
 * could be opened.
 */
static struct cs_error *cooked_world_open_cell(
	struct builder *builder, uint32_t cell, bool *done_ret)
{
	const struct cs_ue_map_cell *source = &builder->map->cells.at[builder->sources.at[cell]];
	struct cs_ue_map_options options = *builder->options;
	struct cs_ue_cooked_package *package;
	struct cs_ue_map *level;
	size_t file;
	*done_ret = false;
	if (!builder->place || !source->package ||
		!cs_ue_map_package(builder->map, builder->place, source->package, &file))
		return NULL;
	struct cs_error *error =
		cs_ue_cooked_header_open(builder->place, file, builder->job, &package);
	if (error) {
		if (cs_error_is_final(error))
			return error;
		cs_job_log(builder->job, CS_LOG_WARNING, "%s: %s", source->package, error->message);
		cs_error_free(error);
		return NULL;
	}
	options.release = CS_UE_RELEASES;
	if (builder->map->release != CS_UE_RELEASES)
		package->releases = 1u << builder->map->release;
	error = cs_ue_map_read(package, &options, &level);
	if (error)
		return error;
	for (size_t i = 0; i < level->actors.n; i++)
		if (!is_level_furniture(level->actors.at[i].name))
			cooked_world_add_actor(builder, &level->actors.at[i], cell);
	*done_ret = true;
	cs_ue_map_free(level);
	return NULL;
}

static struct cs_error *cooked_world_add_actors(struct builder *builder)
{
	uint32_t persistent = persistent_cell(builder);
	if (!cs_sort(builder->map->remapping.at, builder->map->remapping.n,
		    sizeof(*builder->map->remapping.at), cooked_world_by_cell, NULL))
		return cs_error_nomem();
	for (size_t i = 0; i < builder->map->actors.n; i++)
		if (!is_level_furniture(builder->map->actors.at[i].name))
			cooked_world_add_actor(builder, &builder->map->actors.at[i], persistent);
	for (uint32_t cell = 0; cell < builder->cells.n; cell++) {
		bool done = false;
		struct cs_error *error = cs_job_check(builder->job);
		if (!error && !(builder->cells.at[cell].flags & CS_CELL_ALWAYS_LOADED))
			error = cooked_world_open_cell(builder, cell, &done);
		if (error)
			return error;
		cs_job_progress(builder->job, "cells", cell, builder->cells.n);
		if (done || builder->cells.at[cell].flags & CS_CELL_ALWAYS_LOADED)
			continue;
		builder->missing++;
		add_remapped(builder, cell);
	}
	return NULL;
}

static int by_guid(const void *left, const void *right, void *context)
{
	const struct actor *a = left, *c = right;
	(void)context;
	int order = cs_guid_compare(a->row.guid, c->row.guid);
	return order ? order : cs_compare_i64(a->row.cell, c->row.cell);
}

/* Sorts actors by GUID. If two share a GUID, the later one gets a new GUID. */
static void cooked_world_sort_actors(struct builder *builder)
{
	builder->failed |= !cs_sort(
		builder->actors.at, builder->actors.n, sizeof(*builder->actors.at), by_guid, NULL);
	bool again = false;
	for (size_t i = 1; i < builder->actors.n && !builder->failed; i++) {
		struct actor *actor = &builder->actors.at[i];
		char unique[32];
		if (cs_guid_compare(builder->actors.at[i - 1].row.guid, actor->row.guid) != 0)
			continue;
		snprintf(unique, sizeof(unique), "%zu", i);
		actor->row.guid =
			guid_of_text(cs_strings_get(&builder->texts, actor->row.name), unique);
		actor->detail.instance_guid = actor->row.guid;
		again = true;
	}
	if (again)
		builder->failed |= !cs_sort(builder->actors.at, builder->actors.n,
			sizeof(*builder->actors.at), by_guid, NULL);
}

static int by_cell_guid(const void *left, const void *right, void *context)
{
	const struct builder *builder = context;
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	return cs_guid_compare(builder->cells.at[l].guid, builder->cells.at[r].guid);
}

static uint32_t cell_of_guid(const struct builder *builder, struct cs_guid guid)
{
	size_t at = cs_lower_bound(0, builder->cells.n, i,
		cs_guid_compare(builder->cells.at[builder->by_guid[i]].guid, guid) < 0);
	bool found = at < builder->cells.n &&
		     cs_guid_compare(builder->cells.at[builder->by_guid[at]].guid, guid) == 0;
	return found ? builder->by_guid[at] : CS_NONE;
}

/* Lists the actors of each cell, in the order of actor rows. */
static void cooked_world_list_by_cell(struct builder *builder)
{
	uint32_t total = 0;
	for (uint32_t i = 0; i < builder->actor_rows.n; i++)
		if (builder->actor_rows.at[i].cell != CS_NONE)
			builder->cells.at[builder->actor_rows.at[i].cell].actors.count++;
	for (uint32_t cell = 0; cell < builder->cells.n; cell++) {
		struct cs_range *range = &builder->cells.at[cell].actors;
		range->first = total;
		total += range->count;
		range->count = 0;
	}
	for (uint32_t i = 0; i < total && !builder->failed; i++)
		cs_vec_push_in(builder, cell_actors, 0);
	for (uint32_t i = 0; i < builder->actor_rows.n && !builder->failed; i++) {
		if (builder->actor_rows.at[i].cell == CS_NONE)
			continue;
		struct cs_range *range = &builder->cells.at[builder->actor_rows.at[i].cell].actors;
		builder->cell_actors.at[range->first + range->count++] = i;
	}
}

static void list_actors(struct builder *builder)
{
	cooked_world_sort_actors(builder);
	builder->by_guid = cs_sorted_rows(builder->cells.n, by_cell_guid, builder);
	builder->failed |= !builder->by_guid;
	for (uint32_t i = 0; i < builder->actors.n && !builder->failed; i++) {
		const struct actor *actor = &builder->actors.at[i];
		cs_vec_push_in(builder, actor_rows, actor->row);
		cs_vec_push_in(builder, details, actor->detail);
		if (!actor->is_hlod)
			continue;
		struct cs_cooked_hlod hlod = {.source_cell = actor->source_cell,
			.actor = i,
			.cell = cs_guid_is_zero(actor->source_cell)
					? CS_NONE
					: cell_of_guid(builder, actor->source_cell),
			.layer = CS_NONE,
			.home = actor->row.cell,
			.flags = actor->no_warmup ? CS_HLOD_NO_WARMUP : 0};
		cs_vec_push_in(builder, hlods, hlod);
	}
	if (!builder->failed)
		cooked_world_list_by_cell(builder);
}

/* ---- making the cooked world ---- */

/*
 * Returns bits of the releases that write cell names in the form that the map has: X_Y_Z_L in 5.4,
 * L_X_Y later. Returns all bits for a spatial hash and if the form is unknown.
 */
static uint32_t releases_of_names(const struct cs_ue_map *map)
{
	for (size_t i = 0; i < map->cells.n && !map->spatial_hash; i++) {
		const struct cs_ue_map_cell *cell = &map->cells.at[i];
		if (cell->has_place && !cell->place.persistent)
			return cell->place.level_last ? 1u << CS_UE_5_4 : ~0u << CS_UE_5_5;
	}
	return ~0u;
}

static uint32_t newest_release(uint32_t releases)
{
	uint32_t newest = CS_UE_RELEASES;
	for (uint32_t i = 0; i < CS_UE_RELEASES; i++)
		newest = releases & 1u << i ? i : newest;
	return newest;
}

/*
 * Returns the cook profile of the release whose tables read the map or, if that is unknown, of the
 * newest release that can have written it.
 */
static const char *cooked_profile(const struct cs_ue_map *map)
{
	const uint32_t could = map->package->releases, names = releases_of_names(map);
	const uint32_t release = map->release != CS_UE_RELEASES
					 ? map->release
					 : newest_release(could & names ? could & names : could);
	return release < CS_UE_RELEASES ? cs_ue_releases[release].profile : "";
}

static void cooked_world_add_world(struct builder *builder)
{
	const struct cs_ue_map *map = builder->map;
	const struct cs_ue_cooked_package *package = map->package;
	char fits[128];
	cs_ue_cooked_releases_text(map->fits ? map->fits : package->releases, fits, sizeof(fits));
	builder->world = (struct cs_cooked_world){.bounds = CS_BOX_INVALID,
		.name = cooked_world_text(builder, map->short_name),
		.package = cooked_world_text(builder, package->name),
		.source = cooked_world_text(builder, "cooked"),
		.engine = cooked_world_text(builder, fits),
		.profile = cooked_world_text(builder, cooked_profile(map)),
		.hash_class = map->spatial_hash ? CS_HASH_SPATIAL : CS_HASH_SET,
		.default_hlod_layer = CS_NONE,
		.flags = CS_WORLD_COOKED | (map->streaming != 0 ? CS_WORLD_STREAMING : 0)};
	for (size_t i = 0; i < map->cells.n; i++)
		if (is_spatial(&map->cells.at[i]))
			builder->world.bounds =
				cs_box_union(&builder->world.bounds, &map->cells.at[i].content);
	builder->container = (struct cs_cooked_container){.transform = CS_TRANSFORM_IDENTITY,
		.parent = CS_NONE,
		.package = cooked_world_text(builder, package->name),
		.actor = CS_NONE,
		.external_layer = CS_NONE};
}

static struct cs_error *cooked_world_fill(struct builder *builder)
{
	struct cs_error *error = place_rest(builder->map);
	if (error)
		return error;
	cooked_world_add_world(builder);
	for (uint32_t i = 0; i < builder->map->partitions.n; i++)
		cooked_world_add_partition(builder, i);
	sort_layers(builder);
	cooked_world_add_layers(builder);
	if (!builder->failed)
		add_cells(builder);
	error = builder->failed ? cs_error_nomem() : cooked_world_add_actors(builder);
	if (error)
		return error;
	list_actors(builder);
	builder->container.actors = (struct cs_range){0, (uint32_t)builder->actor_rows.n};
	return builder->failed ? cs_error_nomem() : NULL;
}

static struct cs_error *cooked_world_write_tables(
	struct builder *builder, unsigned char **bytes_ret, size_t *size_ret)
{
	const struct cs_table_rows tables[] = {
		{CS_TABLE_STRINGS, builder->texts.blob, builder->texts.size},
		{CS_TABLE_WORLD, &builder->world, 1},
		{CS_TABLE_PARTITIONS, builder->partitions.at, builder->partitions.n},
		{CS_TABLE_LAYERS, builder->layers.at, builder->layers.n},
		{CS_TABLE_CONTAINERS, &builder->container, 1},
		{CS_TABLE_CELLS, builder->cells.at, builder->cells.n},
		{CS_TABLE_CELL_LAYERS, builder->cell_layers.at, builder->cell_layers.n},
		{CS_TABLE_CELL_ACTORS, builder->cell_actors.at, builder->cell_actors.n},
		{CS_TABLE_ACTORS, builder->actor_rows.at, builder->actor_rows.n},
		{CS_TABLE_ACTOR_DETAILS, builder->details.at, builder->details.n},
		{CS_TABLE_HLODS, builder->hlods.at, builder->hlods.n},
		{CS_TABLE_CELL_BYTES, builder->sizes.at, builder->sizes.n},
	};
	return cs_file_write_tables(
		&cs_cworld_schema, tables, CS_COUNT_OF(tables), builder->job, bytes_ret, size_ret);
}

static void cooked_world_deinit(struct builder *builder)
{
	cs_strings_deinit(&builder->texts);
	cs_vec_free(&builder->partitions);
	cs_vec_free(&builder->cells);
	cs_vec_free(&builder->sizes);
	cs_vec_free(&builder->sources);
	cs_vec_free(&builder->layers);
	cs_vec_free(&builder->cell_layers);
	cs_vec_free(&builder->cell_actors);
	cs_vec_free(&builder->actors);
	cs_vec_free(&builder->actor_rows);
	cs_vec_free(&builder->details);
	cs_vec_free(&builder->hlods);
	free(builder->by_guid);
}

struct cs_error *cs_ue_map_to_world(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret)
{
	struct builder builder = {.place = place, .job = job, .options = options, .map = map};
	struct cs_error *error =
		cs_strings_add_z(&builder.texts, "") == CS_NONE ? cs_error_nomem() : NULL;
	if (!error)
		error = cooked_world_fill(&builder);
	if (!error)
		error = cooked_world_write_tables(&builder, bytes_ret, size_ret);
	if (!error && builder.missing > 0)
		cs_job_log(job, CS_LOG_WARNING,
			"the packages of %u of %zu cells do not exist or cannot be read, so the "
			"actors of these cells are taken from the table of the map",
			builder.missing, builder.cells.n);
	cooked_world_deinit(&builder);
	return error;
}
