/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the properties of a map (ue-cooked rules 7.2): partitions of a hash set or grids of the
 * spatial hash, their cells, data layers, and the table of actors and their cells.
 */
#include "ue/map/umap.h"

#include "core/text.h"
#include "ue/map/recipes.h"

struct reading {
	struct cs_ue_map *map;
	struct cs_ue_object *objects; /* object of each export, decoded when it is first used */
	bool *decoded;
};

static struct cs_error *object_at(
	struct reading *reading, int64_t reference, const struct cs_ue_object **ret)
{
	struct cs_ue_cooked_package *package = reading->map->package;
	const struct cs_ue_cooked_export *export =
		cs_ue_cooked_export_at(package, (int32_t)reference);
	*ret = NULL;
	if (!export)
		return NULL;
	size_t row = (size_t)(export - package->exports);
	if (!reading->decoded[row]) {
		struct cs_error *error =
			cs_ue_decode(&reading->map->decoder, export, &reading->objects[row]);
		if (error)
			return error;
		reading->decoded[row] = true;
	}
	*ret = &reading->objects[row];
	return NULL;
}

static struct cs_error *object_of_class(
	struct reading *reading, const char *class_name, const struct cs_ue_object **ret)
{
	const struct cs_ue_cooked_package *package = reading->map->package;
	const struct cs_ue_cooked_export *export =
		cs_ue_cooked_export_of_class(package, class_name);
	*ret = NULL;
	return export ? object_at(reading, export - package->exports + 1, ret) : NULL;
}

/* Returns the name at the end of an object's path, or NULL if the node is not an object. */
static const char *object_name(const struct cs_ue_node *node)
{
	if (!node || node->kind != CS_UE_NODE_OBJECT)
		return NULL;
	return cs_object_name(node->text);
}

static signed char flag(const struct cs_ue_node *node, const char *name, int otherwise)
{
	return (signed char)cs_ue_child_integer(node, name, otherwise);
}

static void read_colour(const struct cs_ue_node *node, double ret[4], unsigned *known)
{
	if (!node || node->kind != CS_UE_NODE_NUMBERS || node->n != 4)
		return;
	memcpy(ret, node->numbers, 4 * sizeof(*ret));
	*known |= CS_UE_KNOWN_COLOUR;
}

static struct cs_box umap_cells_read_box(const struct cs_ue_node *node)
{
	if (!node || node->kind != CS_UE_NODE_BOX || !node->integer)
		return CS_BOX_INVALID;
	const double *v = node->numbers;
	return (struct cs_box){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

static struct cs_vec3 read_vector(const struct cs_ue_node *node)
{
	if (!node || node->kind != CS_UE_NODE_NUMBERS || node->n < 2)
		return (struct cs_vec3){0};
	return (struct cs_vec3){
		node->numbers[0], node->numbers[1], node->n > 2 ? node->numbers[2] : 0};
}

static struct cs_error *read_items(struct reading *reading, const struct cs_ue_node *node,
	const char *name,
	struct cs_error *(*read)(struct reading *reading, const struct cs_ue_node *item))
{
	struct cs_error *error = NULL;
	const struct cs_ue_node *list = cs_ue_child(node, name);
	for (const struct cs_ue_node *at = list ? list->first : NULL; at && !error; at = at->next)
		error = read(reading, at);
	return error;
}

/* ---- partitions of a hash set ---- */

static struct cs_error *umap_cells_add_partition(
	struct reading *reading, const char *name, const char *parent, int64_t layer, int spatial)
{
	const struct cs_ue_object *object;
	struct cs_error *error = object_at(reading, layer, &object);
	if (error)
		return error;
	struct cs_ue_map_partition partition = {.name = name,
		.parent = parent,
		.spatial = (signed char)spatial,
		.bounds = CS_BOX_INVALID,
		.block_on_slow = -1,
		.client_only = -1,
		.hlod_index = -1};
	if (object) {
		const struct cs_ue_node *node = object->properties;
		partition.class_name = object->export->class_name;
		partition.loading_range = cs_ue_child_number(node, "LoadingRange", 25600);
		partition.priority = (int32_t)cs_ue_child_integer(node, "Priority", 0);
		partition.hlod_index = (int32_t)cs_ue_child_integer(node, "HLODIndex", -1);
		partition.block_on_slow = flag(node, "bBlockOnSlowStreaming", 0);
		partition.client_only = flag(node, "bClientOnlyVisible", 0);
		partition.bounds_method = cs_ue_child_text(node, "BoundsMethod");
		partition.known = CS_UE_KNOWN_RANGE | CS_UE_KNOWN_PRIORITY;
		read_colour(cs_ue_child(node, "DebugColor"), partition.colour, &partition.known);
	}
	return cs_vec_push(&reading->map->partitions, partition) ? NULL : cs_error_nomem();
}

static struct cs_error *umap_cells_read_partition(
	struct reading *reading, const struct cs_ue_node *desc)
{
	const char *name = cs_ue_child_text(desc, "Name");
	if (!*name) /* 5.4 stores the name of a partition only in the records of the cells */
		return NULL;
	struct cs_error *error = umap_cells_add_partition(
		reading, name, NULL, cs_ue_child_integer(desc, "MainLayer", 0), 1);
	const struct cs_ue_node *setups = cs_ue_child(desc, "HLODSetups");
	for (const struct cs_ue_node *at = setups ? setups->first : NULL; at && !error;
		at = at->next)
		error = umap_cells_add_partition(reading, cs_ue_child_text(at, "Name"), name,
			cs_ue_child_integer(at, "PartitionLayer", 0),
			(int)cs_ue_child_integer(at, "bIsSpatiallyLoaded", 1));
	return error;
}

static struct cs_ue_map_cell *umap_cells_cell_of(
	const struct cs_ue_map *map, const struct cs_ue_node *node)
{
	const char *name = object_name(node);
	return name ? cs_ue_map_cell_named(map, name) : NULL;
}

static void place_cells(
	struct cs_ue_map *map, const struct cs_ue_node *list, uint32_t partition, int spatial)
{
	for (const struct cs_ue_node *at = list ? list->first : NULL; at; at = at->next) {
		struct cs_ue_map_cell *cell = umap_cells_cell_of(map, at);
		if (!cell)
			continue;
		cell->partition = partition;
		if (cell->spatial < 0)
			cell->spatial = (signed char)spatial;
	}
}

/* Reads a partition and its cells. After UE 5.4 the properties that list cells have other names. */
static struct cs_error *read_streaming_data(
	struct reading *reading, const struct cs_ue_node *record)
{
	struct cs_ue_map *map = reading->map;
	const char *name = cs_ue_child_text(record, "Name");
	uint32_t partition = cs_ue_map_partition_named(map, name);
	if (partition == CS_NONE) {
		struct cs_error *error = umap_cells_add_partition(reading, name, NULL, 0, 1);
		if (error)
			return error;
		partition = (uint32_t)map->partitions.n - 1;
	}
	const struct cs_ue_node *range = cs_ue_child(record, "LoadingRange");
	if (range) {
		map->partitions.at[partition].loading_range =
			cs_ue_child_number(record, "LoadingRange", 0);
		map->partitions.at[partition].known |= CS_UE_KNOWN_RANGE;
	}
	place_cells(map, cs_ue_child(record, "SpatiallyLoadedCells"), partition, 1);
	place_cells(map, cs_ue_child(record, "StreamingCells"), partition, 1);
	place_cells(map, cs_ue_child(record, "NonSpatiallyLoadedCells"), partition, 0);
	place_cells(map, cs_ue_child(record, "NonStreamingCells"), partition, 0);
	return NULL;
}

static struct cs_error *umap_cells_read_hash_set(
	struct reading *reading, const struct cs_ue_node *hash)
{
	struct cs_error *error =
		read_items(reading, hash, "RuntimePartitions", umap_cells_read_partition);
	return error ? error
		     : read_items(reading, hash, "RuntimeStreamingData", read_streaming_data);
}

/* ---- grids of the spatial hash ---- */

/* A level of a grid: those positions that have cells, each with the list of its cells and a key. */
struct level {
	const struct cs_ue_node **places;
	int64_t *keys; /* for each item of `places`, its key in LayerCellsMapping, or -1 */
	uint32_t n;
};

/* Returns the child list with this name, or NULL if it is missing or, by damage, not a list. */
static const struct cs_ue_node *umap_cells_list(const struct cs_ue_node *node, const char *name)
{
	const struct cs_ue_node *list = cs_ue_child(node, name);
	return list && list->kind == CS_UE_NODE_LIST ? list : NULL;
}

static struct cs_error *open_level(
	struct cs_ue_map *map, const struct cs_ue_node *node, struct level *ret)
{
	const struct cs_ue_node *list = umap_cells_list(node, "LayerCells");
	const struct cs_ue_node *mapping = cs_ue_child(node, "LayerCellsMapping");
	const struct cs_ue_node *at = list ? list->first : NULL;
	struct level level = {.n = list ? list->n : 0};
	level.places = CS_ARENA_ARRAY(&map->arena, const struct cs_ue_node *, level.n + 1);
	level.keys = CS_ARENA_ARRAY(&map->arena, int64_t, level.n + 1);
	if (!level.places || !level.keys)
		return cs_error_nomem();
	for (uint32_t i = 0; i < level.n; i++, at = at->next) {
		level.places[i] = cs_ue_child(at, "GridCells");
		level.keys[i] = -1;
	}
	at = mapping ? mapping->first : NULL;
	for (; at && at->next; at = at->next->next)
		if (at->next->integer >= 0 && at->next->integer < level.n)
			level.keys[at->next->integer] = at->integer;
	*ret = level;
	return NULL;
}

/*
 * Decodes the key of a cell in a grid with aligned levels (if `aligned`) or unaligned ones. Returns
 * 1 if the result equals the coordinates or position of the cell, 0 if not, -1 if both are unknown.
 */
static int key_fits(const struct cs_ue_map_partition *grid, const struct cs_ue_map_cell *cell,
	uint32_t level, bool aligned, int64_t key)
{
	struct cs_ue_grid_cell at =
		cs_ue_grid_cell_of_key(level, grid->levels, aligned, grid->cell_size, key);
	if (cell->has_place && !cell->place.persistent)
		return at.x == cell->place.x && at.y == cell->place.y;
	if (cell->known & CS_UE_KNOWN_POSITION && grid->cell_size > 0)
		return at.centre_x + grid->origin.x == cell->position.x &&
		       at.centre_y + grid->origin.y == cell->position.y;
	return -1;
}

/*
 * Returns whether the levels of a grid are aligned, which means that each has a power of two of
 * cells per side. The first cell whose stored key fits only one of the two cases decides. If there
 * is no such cell, the default of the engine version decides.
 */
static bool is_aligned(const struct cs_ue_map *map, const struct cs_ue_map_partition *grid,
	const struct level *levels)
{
	for (uint32_t l = 0; l + 1 < grid->levels; l++)
		for (uint32_t i = 0; i < levels[l].n; i++) {
			const struct cs_ue_node *list = levels[l].places[i];
			const struct cs_ue_map_cell *cell =
				list ? umap_cells_cell_of(map, list->first) : NULL;
			if (!cell || levels[l].keys[i] < 0)
				continue;
			int even = key_fits(grid, cell, l, true, levels[l].keys[i]);
			int odd = key_fits(grid, cell, l, false, levels[l].keys[i]);
			if (even != odd)
				return even > 0;
		}
	return map->release <= CS_UE_5_2;
}

static void place_level(
	struct cs_ue_map *map, const struct level *level, uint32_t number, uint32_t partition)
{
	const struct cs_ue_map_partition *grid = &map->partitions.at[partition];
	for (uint32_t i = 0; i < level->n; i++) {
		const struct cs_ue_node *list = level->places[i];
		place_cells(map, list, partition, -1);
		for (const struct cs_ue_node *at = list ? list->first : NULL; at; at = at->next) {
			struct cs_ue_map_cell *cell = umap_cells_cell_of(map, at);
			if (!cell || level->keys[i] < 0)
				continue;
			struct cs_ue_grid_cell place = cs_ue_grid_cell_of_key(number, grid->levels,
				grid->aligned, grid->cell_size, level->keys[i]);
			cell->key = level->keys[i];
			cell->grid_level = (int32_t)number;
			cell->key_x = place.x;
			cell->key_y = place.y;
		}
	}
}

enum { MOST_GRID_LEVELS = 40 };

static struct cs_error *umap_cells_read_levels(
	struct cs_ue_map *map, const struct cs_ue_node *list, uint32_t partition)
{
	struct cs_ue_map_partition *grid = &map->partitions.at[partition];
	struct level levels[MOST_GRID_LEVELS];
	const struct cs_ue_node *at = list->first;
	for (uint32_t i = 0; i < list->n; i++, at = at->next) {
		struct cs_error *error = open_level(map, at, &levels[i]);
		if (error)
			return error;
	}
	grid->aligned = is_aligned(map, grid, levels);
	grid->grid_size = (uint32_t)cs_ue_grid_cell_of_key(0, list->n, grid->aligned, 0, 0).side;
	for (uint32_t i = 0; i < list->n; i++)
		place_level(map, &levels[i], i, partition);
	return NULL;
}

static struct cs_error *umap_cells_read_grid(struct reading *reading, const struct cs_ue_node *grid)
{
	struct cs_ue_map *map = reading->map;
	const struct cs_ue_node *levels = umap_cells_list(grid, "GridLevels");
	struct cs_ue_map_partition partition = {.name = cs_ue_child_text(grid, "GridName"),
		.class_name = "SpatialHashStreamingGrid",
		.origin = read_vector(cs_ue_child(grid, "Origin")),
		.cell_size = cs_ue_child_number(grid, "CellSize", 0),
		.loading_range = cs_ue_child_number(grid, "LoadingRange", 0),
		.bounds = umap_cells_read_box(cs_ue_child(grid, "WorldBounds")),
		.block_on_slow = flag(grid, "bBlockOnSlowStreaming", 0),
		.client_only = flag(grid, "bClientOnlyVisible", 0),
		.spatial = 1,
		.hlod_index = -1,
		.known = CS_UE_KNOWN_RANGE,
		.levels = levels ? levels->n : 0,
		.is_grid = true};
	read_colour(cs_ue_child(grid, "DebugColor"), partition.colour, &partition.known);
	if (!cs_vec_push(&map->partitions, partition))
		return cs_error_nomem();
	return levels && levels->n > 0 && levels->n < MOST_GRID_LEVELS
		       ? umap_cells_read_levels(map, levels, (uint32_t)map->partitions.n - 1)
		       : NULL;
}

/* ---- cells ---- */

static struct cs_error *read_layers_of(
	struct cs_ue_map *map, const struct cs_ue_node *properties, struct cs_ue_map_cell *cell)
{
	const struct cs_ue_node *list = cs_ue_child(properties, "DataLayers");
	if (list && list->kind == CS_UE_NODE_STRUCT) { /* stored as a struct from 5.4 on */
		cell->first_layer_external =
			cs_ue_child_integer(list, "bIsFirstDataLayerExternal", 0) != 0;
		list = cs_ue_child(list, "DataLayers");
	}
	if (!list || list->kind != CS_UE_NODE_LIST)
		return NULL;
	cell->layers = CS_ARENA_ARRAY(&map->arena, const char *, (size_t)list->n + 1);
	if (!cell->layers)
		return cs_error_nomem();
	for (const struct cs_ue_node *at = list->first; at; at = at->next)
		cell->layers[cell->n_layers++] = at->text ? at->text : "";
	return NULL;
}

static void read_cell_data(
	const struct cs_ue_object *data, struct cs_ue_map *map, struct cs_ue_map_cell *cell)
{
	const struct cs_ue_node *node = data->properties;
	const struct cs_ue_node *bounds = cs_ue_child(node, "CellBounds");
	const struct cs_ue_node *position = cs_ue_child(node, "Position");
	const char *grid = cs_ue_child_text(node, "GridName");
	const char *name = cs_ue_child_text(data->tail, "DebugName");
	bool spatial = strstr(data->export->class_name, "SpatialHash") != NULL;
	cell->content = umap_cells_read_box(cs_ue_child(node, "ContentBounds"));
	cell->cell_bounds = umap_cells_read_box(bounds);
	cell->hierarchical_level = (int32_t)cs_ue_child_integer(
		node, spatial && cs_ue_child(node, "Level") ? "Level" : "HierarchicalLevel", 0);
	cell->priority = (int32_t)cs_ue_child_integer(node, "Priority", cell->priority);
	cell->known |= CS_UE_KNOWN_LEVEL | CS_UE_KNOWN_PRIORITY;
	cell->grid = *grid && strcmp(grid, "None") != 0 ? grid : cell->grid;
	if (!spatial)
		cell->is_2d = flag(node, "bIs2D", 0);
	if (spatial) {
		cell->position = read_vector(position);
		cell->extent = cs_ue_child_number(node, "Extent", 0);
		cell->known |= CS_UE_KNOWN_POSITION;
	}
	if (*name) {
		cell->debug_name = name;
		cell->has_place = cs_ue_read_cell_name(name, map->short_name, &cell->place);
		if (!cell->grid && cell->has_place)
			cell->grid = cs_arena_copy(&map->arena, cell->place.grid);
	}
}

/* Reads a cell of 5.1, which has content bounds and position itself, and its grid in a struct. */
static void read_old_cell(const struct cs_ue_node *node, struct cs_ue_map_cell *cell)
{
	const struct cs_ue_node *debug = cs_ue_child(node, "DebugInfo");
	if (cs_ue_child(node, "ContentBounds"))
		cell->content = umap_cells_read_box(cs_ue_child(node, "ContentBounds"));
	if (cs_ue_child(node, "Extent")) {
		cell->position = read_vector(cs_ue_child(node, "Position"));
		cell->extent = cs_ue_child_number(node, "Extent", 0);
		cell->hierarchical_level = (int32_t)cs_ue_child_integer(node, "Level", 0);
		cell->known |= CS_UE_KNOWN_POSITION | CS_UE_KNOWN_LEVEL;
	}
	if (debug && !cell->grid)
		cell->grid = cs_ue_child_text(debug, "GridName");
}

static void read_streaming(const struct cs_ue_object *level, struct cs_ue_map_cell *cell)
{
	const struct cs_ue_node *node = level->properties;
	const char *package = cs_ue_child_text(node, "PackageNameToLoad");
	const char *asset = cs_ue_child_text(node, "WorldAsset");
	if (*package && strcmp(package, "None") != 0)
		cell->package = package;
	if (*asset)
		cell->world_asset = asset;
	cell->level_always_loaded = cs_ue_child_integer(node, "bShouldBeAlwaysLoaded", 0) != 0;
}

static struct cs_error *read_cell(struct reading *reading, const struct cs_ue_object *object)
{
	struct cs_ue_map *map = reading->map;
	struct cs_ue_map_cell *cell = cs_ue_map_cell_named(map, object->export->name);
	const struct cs_ue_node *node = object->properties;
	const struct cs_ue_object *other;
	if (!cell || object->problem)
		return NULL;
	const struct cs_ue_node *spatial = cs_ue_child(node, "bIsSpatiallyLoaded");
	cell->guid = cs_ue_child_guid(node, "CellGuid");
	cell->source_guid = cs_ue_child_guid(node, "SourceCellGuid");
	cell->bundle = cs_ue_child_guid(node, "ContentBundleID");
	cell->client_only = flag(node, "bClientOnlyVisible", 0);
	cell->is_hlod = flag(node, "bIsHLOD", 0);
	cell->block_on_slow = flag(node, "bBlockOnSlowLoading", 0);
	cell->always_loaded |= flag(node, "bIsAlwaysLoaded", 0);
	cell->priority = (int32_t)cs_ue_child_integer(node, "Priority", 0);
	if (spatial)
		cell->spatial = (signed char)spatial->integer;
	read_colour(cs_ue_child(node, "CellDebugColor"), cell->colour, &cell->known);
	struct cs_error *error = read_layers_of(map, node, cell);
	if (!error)
		error = object_at(reading, cs_ue_child_integer(node, "RuntimeCellData", 0), &other);
	if (!error && other)
		read_cell_data(other, map, cell);
	else if (!error)
		read_old_cell(node, cell);
	if (!error)
		error = object_at(reading, cs_ue_child_integer(node, "LevelStreaming", 0), &other);
	if (!error && other)
		read_streaming(other, cell);
	return error;
}

/* ---- data layers, policy, and the map itself ---- */

static void umap_cells_read_layer(struct cs_ue_map *map, const struct cs_ue_object *object)
{
	for (size_t i = 0; i < map->layers.n; i++) {
		struct cs_ue_map_layer *layer = &map->layers.at[i];
		if (strcmp(layer->name, object->export->name) != 0)
			continue;
		const char *initial = cs_ue_child_text(object->properties, "InitialRuntimeState");
		const char *asset = cs_ue_child_text(object->properties, "DataLayerAsset");
		layer->initial = *initial ? initial : "EDataLayerRuntimeState::Unloaded";
		layer->asset = *asset ? asset : NULL;
		layer->parent = object_name(cs_ue_child(object->properties, "Parent"));
	}
}

static struct cs_error *read_policy(struct cs_ue_map *map, const struct cs_ue_object *policy)
{
	const struct cs_ue_node *table =
		cs_ue_child(policy->properties, "SubObjectsToCellRemapping");
	for (const struct cs_ue_node *at = table ? table->first : NULL; at && at->next;
		at = at->next->next) {
		struct cs_ue_pair pair = {
			at->text ? at->text : "", at->next->text ? at->next->text : ""};
		if (!cs_vec_push(&map->remapping, pair))
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *umap_cells_read_whole(struct reading *reading)
{
	struct cs_ue_map *map = reading->map;
	const struct cs_ue_object *object;
	struct cs_error *error = object_of_class(reading, "WorldPartition", &object);
	if (error || !object)
		return error;
	map->cooked = flag(object->tail, "bCooked", -1);
	map->streaming = flag(object->properties, "bEnableStreaming", 1);
	map->policy = object_name(cs_ue_child(object->tail, "StreamingPolicy"));
	error = object_at(
		reading, cs_ue_child_integer(object->properties, "RuntimeHash", 0), &object);
	if (!error && object)
		error = map->spatial_hash ? read_items(reading, object->properties,
						    "StreamingGrids", umap_cells_read_grid)
					  : umap_cells_read_hash_set(reading, object->properties);
	if (!error)
		error = object_of_class(reading, "WorldPartitionLevelStreamingPolicy", &object);
	return !error && object ? read_policy(map, object) : error;
}

static struct cs_error *read_level_export(struct reading *reading)
{
	const struct cs_ue_object *level;
	struct cs_error *error = object_of_class(reading, "Level", &level);
	if (error || !level)
		return error;
	const char *cell = cs_ue_child_text(level->properties, "WorldPartitionRuntimeCell");
	reading->map->partitioned = flag(level->properties, "bIsPartitioned", 0);
	reading->map->runtime_cell = *cell ? cell : NULL;
	return NULL;
}

static struct cs_error *read_each(struct reading *reading)
{
	const struct cs_ue_cooked_package *package = reading->map->package;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < package->n_exports && !error; i++) {
		const char *name = package->exports[i].class_name;
		const struct cs_ue_object *object;
		bool cell = strcmp(name, "WorldPartitionRuntimeLevelStreamingCell") == 0;
		bool layer = strstr(name, "DataLayerInstance") != NULL;
		if (!cell && !layer)
			continue;
		error = object_at(reading, (int64_t)i + 1, &object);
		if (!error && cell)
			error = read_cell(reading, object);
		else if (!error)
			umap_cells_read_layer(reading->map, object);
	}
	return error;
}

struct cs_error *cs_ue_map_properties(struct cs_ue_map *map)
{
	size_t n = map->package->n_exports;
	struct reading reading = {.map = map,
		.objects = CS_ARENA_ARRAY(&map->arena, struct cs_ue_object, n + 1),
		.decoded = CS_ARENA_ARRAY(&map->arena, bool, n + 1)};
	if (!reading.objects || !reading.decoded)
		return cs_error_nomem();
	/* cells are read first, because grids use their names */
	struct cs_error *error = read_each(&reading);
	if (!error)
		error = umap_cells_read_whole(&reading);
	return error ? error : read_level_export(&reading);
}
