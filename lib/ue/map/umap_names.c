/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the facts that the names and export tables of a map contain (ue-cooked rules 7.1). No
 * property is decoded, so these facts are found for every engine and game. Cells whose names are
 * hashes are found by search: every name of the package is tried as the name of a grid, over levels
 * and a growing square of cells.
 */
#include "ue/map/umap.h"

#include "core/identity.h"
#include "core/search.h"
#include "core/sort.h"

#include <inttypes.h>
#include <stdio.h>

static const char cell_class[] = "WorldPartitionRuntimeLevelStreamingCell";
static const char generated[] = "/_Generated_/";

static bool umap_names_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static struct cs_error *umap_names_add_cell(
	struct cs_ue_map *map, const struct cs_ue_cooked_export *export)
{
	struct cs_ue_map_cell cell = {.name = export->name,
		.cell_bounds = CS_BOX_INVALID,
		.content = CS_BOX_INVALID,
		.always_loaded = 1,
		.spatial = -1,
		.client_only = -1,
		.is_hlod = -1,
		.block_on_slow = -1,
		.is_2d = -1,
		.partition = CS_NONE,
		.key = -1};
	return cs_vec_push(&map->cells, cell) ? NULL : cs_error_nomem();
}

static struct cs_error *umap_names_look_at(
	struct cs_ue_map *map, const struct cs_ue_cooked_export *export)
{
	const struct cs_ue_cooked_export *outer =
		cs_ue_cooked_export_at(map->package, export->outer);
	const char *name = export->class_name;
	if (strcmp(name, cell_class) == 0)
		return umap_names_add_cell(map, export);
	if (umap_names_begins(name, "DataLayerInstance") ||
		strcmp(name, "ExternalDataLayerInstance") == 0 ||
		strcmp(name, "DeprecatedDataLayerInstance") == 0) {
		struct cs_ue_map_layer layer = {.name = export->name,
			.class_name = name,
			.id = cs_identity_crc(0, export->name)};
		return cs_vec_push(&map->layers, layer) ? NULL : cs_error_nomem();
	}
	if (strcmp(name, "WorldPartition") == 0)
		map->is_world_partition = true;
	if (strcmp(name, "WorldPartitionRuntimeHashSet") == 0 ||
		strcmp(name, "WorldPartitionRuntimeSpatialHash") == 0) {
		map->hash_class = name;
		map->spatial_hash = strstr(name, "Spatial") != NULL;
	}
	if (outer && strcmp(outer->class_name, "Level") == 0 && strcmp(name, "Model") != 0) {
		/* an actor is directly in the level and is not its model (BSP geometry) */
		struct cs_ue_map_actor actor = {.name = export->name,
			.class_path = export->class_path,
			.is_hlod = strcmp(export->class_name, "WorldPartitionHLOD") == 0};
		return cs_vec_push(&map->actors, actor) ? NULL : cs_error_nomem();
	}
	return NULL;
}

/* Marks cells with a streaming level export in the map: they are not in the persistent level. */
static void mark_streamed(struct cs_ue_map *map)
{
	static const char prefix[] = "WorldPartitionLevelStreaming_";
	const struct cs_ue_cooked_package *package = map->package;
	for (uint32_t i = 0; i < package->n_exports; i++) {
		if (!umap_names_begins(package->exports[i].name, prefix))
			continue;
		struct cs_ue_map_cell *cell =
			cs_ue_map_cell_named(map, package->exports[i].name + sizeof(prefix) - 1);
		if (cell)
			cell->always_loaded = 0;
	}
}

/* Finds the generated packages, which are named like their cells (in 5.2 after the map's name). */
static void find_packages(struct cs_ue_map *map)
{
	const struct cs_ue_names *names = &map->package->names;
	for (uint32_t i = 0; i < names->n; i++) {
		const char *at = strstr(names->at[i], generated);
		if (!at)
			continue;
		const char *last = at + sizeof(generated) - 1;
		struct cs_ue_map_cell *cell = cs_ue_map_cell_named(map, last);
		size_t n = strlen(map->short_name);
		if (!cell && strncmp(last, map->short_name, n) == 0 && last[n] == '_')
			cell = cs_ue_map_cell_named(map, last + n + 1);
		if (cell && !cell->always_loaded)
			cell->package = names->at[i];
	}
}

/* Parses the names of cells that engines up to 5.2 wrote, which contain the coordinates. */
static void read_plain_names(struct cs_ue_map *map)
{
	for (size_t i = 0; i < map->cells.n; i++) {
		struct cs_ue_map_cell *cell = &map->cells.at[i];
		if (!strchr(cell->name, '_') ||
			!cs_ue_read_cell_name(cell->name, map->short_name, &cell->place))
			continue;
		cell->has_place = true;
		cell->debug_name = cell->name;
		cell->grid = cs_arena_copy(&map->arena, cell->place.grid);
	}
}

struct cs_error *cs_ue_map_names(struct cs_ue_map *map)
{
	const struct cs_ue_cooked_package *package = map->package;
	const char *slash = strrchr(package->name, '/');
	map->short_name = slash ? slash + 1 : package->name;
	for (uint32_t i = 0; i < package->n_exports; i++) {
		struct cs_error *error = umap_names_look_at(map, &package->exports[i]);
		if (error)
			return error;
	}
	struct cs_error *error = cs_ue_map_index_cells(map);
	if (error)
		return error;
	mark_streamed(map);
	find_packages(map);
	read_plain_names(map);
	return NULL;
}

/* ---- searching the names behind hashes ---- */

enum { FIRST_SQUARE = 6, FIRST_LEVELS = 6, MOST_LEVELS = 13, MOST_TRIES = 4000000 };
enum { FIRST_TRIES = 200000, TRIES_PER_CELL = 20000 };

/* State of the search for unique names of hashed cells. */
struct search {
	struct cs_ue_map *map;
	const char *world;
	uint32_t *rows; /* indices of cells without a unique name, sorted by hash */
	size_t n;
	uint64_t tries, most;
	/* number of cells whose name was found, and number of tried names that match a cell */
	size_t found, met;
};

static int umap_names_by_name(const void *left, const void *right, void *context)
{
	const struct cs_ue_map *map = context;
	return strcmp(map->cells.at[*(const uint32_t *)left].name,
		map->cells.at[*(const uint32_t *)right].name);
}

static struct cs_ue_map_cell *find_hash(struct search *search, const char *hash)
{
	struct cs_ue_map_cell *cells = search->map->cells.at;
	size_t row = cs_lower_bound(0, search->n, i, strcmp(cells[search->rows[i]].name, hash) < 0);
	bool found = row < search->n && strcmp(cells[search->rows[row]].name, hash) == 0;
	return found ? &cells[search->rows[row]] : NULL;
}

static void try_name(struct search *search, const char *unique)
{
	char hash[CS_BASE36_TEXT];
	search->tries++;
	cs_identity_package(unique, hash);
	struct cs_ue_map_cell *cell = find_hash(search, hash);
	if (!cell)
		return;
	search->met++;
	if (cell->debug_name)
		return;
	cell->debug_name = cs_arena_copy(&search->map->arena, unique);
	cell->has_place = cs_ue_read_cell_name(unique, search->world, &cell->place);
	cell->grid = cs_arena_copy(&search->map->arena, cell->place.grid);
	search->found++;
}

/* Tries all forms of a cell's name at a position of a grid, without and with each data layer. */
static void try_place(struct search *search, const char *grid, int level, int64_t x, int64_t y)
{
	char unique[CS_UE_CELL_NAME], layered[CS_UE_CELL_NAME + 32];
	const char *const endings[] = {"", "_Z0", "_Z-1"};
	for (size_t z = 0; z < 3; z++) {
		snprintf(unique, sizeof(unique), "%.127s_%.127s_L%d_X%" PRId64 "_Y%" PRId64 "%s",
			search->world, grid, level, x, y, endings[z]);
		try_name(search, unique);
		for (size_t i = 0; i < search->map->layers.n; i++) {
			uint32_t id = search->map->layers.at[i].id;
			snprintf(layered, sizeof(layered), "%s_d%" PRIX32, unique, id);
			try_name(search, layered);
			if (id < 0x10000000) {
				snprintf(layered, sizeof(layered), "%s_d%08" PRIX32, unique, id);
				try_name(search, layered);
			}
		}
	}
}

static void try_ring(struct search *search, const char *grid, int level, int64_t r)
{
	for (int64_t x = -r; x <= r; x++)
		for (int64_t y = -r; y <= r; y += x == -r || x == r || r == 0 ? 1 : 2 * r) {
			char old[CS_UE_CELL_NAME]; /* the name that 5.4 gives the cell */
			try_place(search, grid, level, x, y);
			if (level < 0)
				continue;
			snprintf(old, sizeof(old), "%.127s_%.127s_%" PRId64 "_%" PRId64 "_0_%d",
				search->world, grid, x, y, level);
			try_name(search, old);
		}
}

/*
 * Tries the names of a grid on each level, in rings around the origin, until more than `square`
 * consecutive rings match no cell. Returns whether any name matched.
 */
static bool try_grid(struct search *search, const char *grid, int levels, int64_t square)
{
	char unique[CS_UE_CELL_NAME];
	const size_t before = search->met;
	snprintf(unique, sizeof(unique), "%.127s_%.127s_Persistent", search->world, grid);
	try_name(search, unique);
	for (int level = -1; level < levels; level++) {
		int64_t quiet = 0;
		for (int64_t r = 0; quiet <= square && search->found < search->n &&
				    search->tries < search->most;
			r++) {
			const size_t met = search->met;
			try_ring(search, grid, level, r);
			quiet = search->met > met ? 0 : quiet + 1;
		}
	}
	return search->met > before;
}

/* Returns whether a name can be that of a grid. Paths, classes and hashes (25 digits) cannot. */
static bool can_be_grid(const char *name)
{
	size_t n = strlen(name);
	return n > 0 && n < 64 && !strchr(name, '/') && !strchr(name, '.') &&
	       !umap_names_begins(name, "WorldPartition") &&
	       !umap_names_begins(name, "Default__") && n != 25;
}

struct cs_error *cs_ue_map_search(struct cs_ue_map *map)
{
	struct search search = {.map = map, .world = map->short_name};
	const struct cs_ue_names *names = &map->package->names;
	search.rows = CS_ARENA_ARRAY(&map->arena, uint32_t, map->cells.n + 1);
	if (!search.rows)
		return cs_error_nomem();
	for (uint32_t i = 0; i < map->cells.n; i++)
		if (!map->cells.at[i].debug_name && strlen(map->cells.at[i].name) == 25)
			search.rows[search.n++] = i;
	if (!cs_sort(search.rows, search.n, sizeof(*search.rows), umap_names_by_name, map))
		return cs_error_nomem();
	search.most = FIRST_TRIES + (uint64_t)search.n * TRIES_PER_CELL;
	search.most = search.most < MOST_TRIES ? search.most : MOST_TRIES;
	for (uint32_t i = 0; i < names->n && search.found < search.n; i++)
		if (can_be_grid(names->at[i]) &&
			try_grid(&search, names->at[i], FIRST_LEVELS, FIRST_SQUARE))
			try_grid(&search, names->at[i], MOST_LEVELS, FIRST_SQUARE);
	return NULL;
}
