/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks what a map states about its cells against values computed from other facts: names from
 * coordinates, short names and GUIDs from names (ue-cooked rules 7.3, 14), coordinates from keys
 * and sizes, bounds. A difference in a cell of several layers, of an HLOD setup or not spatially
 * loaded is only a warning, as no file with such a cell could confirm the computation.
 */
#include "ue/map/check_cooked.h"

#include "core/guid.h"
#include "core/identity.h"
#include "ue/map/recipes.h"

#include <inttypes.h>
#include <math.h>

enum { HASH_DIGITS = 25, DEEPEST_LEVEL = 40 };

const char *cs_ue_check_cell_title(const struct cs_ue_map_cell *cell)
{
	return cell->debug_name ? cell->debug_name : cell->name;
}

/* ---- names and layers of cells ---- */

static void check_name(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	char hash[CS_BASE36_TEXT];
	bool hashed = strlen(cell->name) == HASH_DIGITS && !strchr(cell->name, '_');
	if (!hashed)
		return; /* up to 5.2 the export has the unique name, not a hash */
	if (!cell->debug_name) {
		cs_ue_check_tell(check, CS_WARNING, CS_E_CHECKSUM, "cell_name", cell->name,
			"the cell name is a hash, but no readable cell name has this hash, so the "
			"grid position of the cell is not known");
		return;
	}
	cs_identity_package(cell->debug_name, hash);
	check->counts->names++;
	if (cs_name_compare(hash, cell->name) != 0)
		cs_ue_check_tell(check, CS_ERROR, CS_E_CHECKSUM, "cell_name", cell->debug_name,
			"the cell name hashes to %s, but its export is named %s", hash, cell->name);
}

static bool has_layer(const struct cs_ue_map *map, const char *name)
{
	for (size_t i = 0; i < map->layers.n; i++)
		if (cs_name_compare(map->layers.at[i].name, name) == 0)
			return true;
	return false;
}

static void check_layers(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	uint32_t id = 0;
	for (uint32_t i = 0; i < cell->n_layers; i++) {
		id = cs_identity_crc(id, cell->layers[i]);
		if (!has_layer(check->map, cell->layers[i]))
			cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "cell_layers",
				cs_ue_check_cell_title(cell), "the map has no data layer %s",
				cell->layers[i]);
	}
	if (!cell->has_place || !check->map->has_properties || cell->place.layers_id == id)
		return;
	/* only a warning for several layers, because the id depends on their unconfirmed order */
	cs_ue_check_tell(check, cell->n_layers > 1 ? CS_WARNING : CS_ERROR, CS_E_CHECKSUM,
		"cell_layers", cs_ue_check_cell_title(cell),
		"the name of the cell contains the data layer id %" PRIX32
		", but the data layers of the cell have the id %" PRIX32,
		cell->place.layers_id, id);
}

/* ---- coordinates and positions of cells ---- */

static const struct cs_ue_map_partition *check_cells_partition_of(
	const struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	return cell->partition < check->map->partitions.n
		       ? &check->map->partitions.at[cell->partition]
		       : NULL;
}

/* Size and origin of a partition's grid, from its first cell with known bounds and name. */
struct cs_ue_check_grid {
	double size; /* width of a cell of level 0, or 0 if it is unknown */
	/* the corner with the smallest X and Y of the cell that has the coordinates 0, 0 */
	double x, y;
	bool has_origin;
};

static const struct cs_ue_check_grid *grid_of(
	const struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	size_t n = check->map->partitions.n; /* grids[n] is for cells without a partition */
	return &check->grids[cell->partition < n ? cell->partition : n];
}

static void learn_grid(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	if (cell->partition >= check->map->partitions.n || !cell->has_place ||
		!cs_box_valid(&cell->cell_bounds) || cell->place.level < 0 ||
		cell->place.level > DEEPEST_LEVEL || check->grids[cell->partition].has_origin)
		return;
	struct cs_ue_check_grid *grid = &check->grids[cell->partition];
	double side = cell->cell_bounds.max.x - cell->cell_bounds.min.x;
	if (grid->size <= 0)
		grid->size = side / (double)((uint64_t)1 << cell->place.level);
	grid->x = cell->cell_bounds.min.x - (double)cell->place.x * side;
	grid->y = cell->cell_bounds.min.y - (double)cell->place.y * side;
	grid->has_origin = true;
}

static void learn_grids(struct cs_ue_check *check)
{
	size_t n = check->map->partitions.n;
	check->grids = CS_ARENA_ARRAY(&check->map->arena, struct cs_ue_check_grid, n + 1);
	check->failed |= !check->grids;
	for (size_t i = 0; i < n && !check->failed; i++)
		check->grids[i].size = check->map->partitions.at[i].cell_size;
	for (size_t i = 0; i < check->map->cells.n && !check->failed; i++)
		learn_grid(check, &check->map->cells.at[i]);
}

/* Reports a coordinate that differs from that computed from `source`, the cell's key or name. */
static void check_cells_tell_place(struct cs_ue_check *check, const struct cs_ue_map_cell *cell,
	const char *axis, const char *source, double want, double got)
{
	cs_ue_check_tell(check, CS_ERROR, CS_E_FIELD, "cell_place", cs_ue_check_cell_title(cell),
		"%s is %.17g, but must be %.17g, which follows from the cell's %s", axis, got, want,
		source);
}

/* Checks that coordinates and position of a cell of the spatial hash follow from its key. */
static void check_key(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	const struct cs_ue_map_partition *grid = check_cells_partition_of(check, cell);
	if (!grid || !grid->is_grid || cell->key < 0 || grid->levels == 0 ||
		(uint32_t)cell->grid_level >= grid->levels)
		return;
	struct cs_ue_grid_cell at = cs_ue_grid_cell_of_key((uint32_t)cell->grid_level, grid->levels,
		grid->aligned, grid->cell_size, cell->key);
	check->counts->keys++;
	if (cell->has_place && !cell->place.persistent &&
		(at.x != cell->place.x || at.y != cell->place.y ||
			cell->grid_level != cell->place.level))
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "cell_key",
			cs_ue_check_cell_title(cell),
			"key %" PRId64 " of level %d means cell %" PRId64 ",%" PRId64
			", but the cell name has other coordinates",
			cell->key, cell->grid_level, at.x, at.y);
	if (!(cell->known & CS_UE_KNOWN_POSITION) || grid->cell_size <= 0)
		return;
	/* the only cell of the top level is centred on the origin */
	bool top = (uint32_t)cell->grid_level + 1 == grid->levels;
	double x = grid->origin.x + (top ? 0 : at.centre_x);
	double y = grid->origin.y + (top ? 0 : at.centre_y);
	if (cell->position.x != x)
		check_cells_tell_place(check, cell, "the centre in x", "key", x, cell->position.x);
	if (cell->position.y != y)
		check_cells_tell_place(check, cell, "the centre in y", "key", y, cell->position.y);
	if (cell->extent != at.extent)
		check_cells_tell_place(
			check, cell, "half the side", "key", at.extent, cell->extent);
}

static void check_bounds_of_name(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	const struct cs_ue_check_grid *grid = grid_of(check, cell);
	double x = grid->x, y = grid->y, size = grid->size;
	if (!cell->has_place || cell->place.persistent || !cs_box_valid(&cell->cell_bounds) ||
		cell->place.level < 0 || cell->place.level > DEEPEST_LEVEL || size <= 0 ||
		!grid->has_origin)
		return;
	double side = size * (double)((uint64_t)1 << cell->place.level);
	check->counts->places++;
	const double want[4] = {x + (double)cell->place.x * side, y + (double)cell->place.y * side,
		x + (double)(cell->place.x + 1) * side, y + (double)(cell->place.y + 1) * side};
	const double got[4] = {cell->cell_bounds.min.x, cell->cell_bounds.min.y,
		cell->cell_bounds.max.x, cell->cell_bounds.max.y};
	static const char *const sides[] = {
		"the minimum in x", "the minimum in y", "the maximum in x", "the maximum in y"};
	for (int i = 0; i < 4; i++)
		if (fabs(want[i] - got[i]) > side * 1e-9)
			check_cells_tell_place(check, cell, sides[i], "name", want[i], got[i]);
}

static void check_cells_check_level(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	if (!cell->has_place || cell->place.persistent || cell->place.level < 0 ||
		!(cell->known & CS_UE_KNOWN_LEVEL) || cell->hierarchical_level == cell->place.level)
		return;
	cs_ue_check_tell(check, CS_WARNING, CS_E_FIELD, "cell_place", cs_ue_check_cell_title(cell),
		"the cell is on level %d, but its name says level %d", cell->hierarchical_level,
		cell->place.level);
}

static void check_grid_name(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	const struct cs_ue_map_partition *partition = check_cells_partition_of(check, cell);
	if (cell->has_place && cell->grid && cs_name_compare(cell->grid, cell->place.grid) != 0)
		cs_ue_check_tell(check, CS_WARNING, CS_E_REFERENCE, "cell_grid",
			cs_ue_check_cell_title(cell),
			"the cell is in grid %s, but its name says %s", cell->grid,
			cell->place.grid);
	if (check->map->has_properties && !partition)
		cs_ue_check_tell(check, CS_ERROR, CS_E_REFERENCE, "cell_grid",
			cs_ue_check_cell_title(cell), "no grid or partition lists the cell");
}

/* ---- bounds of contents ---- */

/* Checks that a streamed cell has bounds of its contents, and that these bounds touch the cell. */
static void check_content(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	const struct cs_box *in = &cell->content;
	struct cs_box box = cell->cell_bounds;
	if (cell->always_loaded || !check->map->has_properties)
		return;
	if (!cs_box_valid(in)) {
		cs_ue_check_tell(check, CS_WARNING, CS_E_FIELD, "cell_content",
			cs_ue_check_cell_title(cell),
			"the cell has no content bounds, which a streamed cell should have");
		return;
	}
	if (!cs_box_valid(&box) && cell->known & CS_UE_KNOWN_POSITION && cell->extent > 0)
		box = (struct cs_box){{cell->position.x - cell->extent,
					      cell->position.y - cell->extent, in->min.z},
			{cell->position.x + cell->extent, cell->position.y + cell->extent,
				in->max.z}};
	if (!cs_box_valid(&box) || cell->spatial == 0)
		return;
	check->counts->bounds++;
	if (in->min.x > box.max.x || in->max.x < box.min.x || in->min.y > box.max.y ||
		in->max.y < box.min.y)
		cs_ue_check_tell(check, CS_ERROR, CS_E_FIELD, "cell_content",
			cs_ue_check_cell_title(cell),
			"the content bounds %.9g,%.9g to %.9g,%.9g extend beyond the cell",
			in->min.x, in->min.y, in->max.x, in->max.y);
}

static void check_grid(struct cs_ue_check *check, uint32_t row)
{
	const struct cs_ue_map_partition *grid = &check->map->partitions.at[row];
	const struct cs_box *all = &grid->bounds;
	if (!grid->is_grid || !cs_box_valid(all))
		return;
	for (size_t i = 0; i < check->map->cells.n; i++) {
		const struct cs_ue_map_cell *cell = &check->map->cells.at[i];
		const struct cs_box *in = &cell->content;
		if (cell->partition != row || cell->always_loaded || !cs_box_valid(in))
			continue;
		if (in->min.x < all->min.x || in->min.y < all->min.y || in->max.x > all->max.x ||
			in->max.y > all->max.y)
			cs_ue_check_tell(check, CS_ERROR, CS_E_FIELD, "grid_bounds",
				cs_ue_check_cell_title(cell),
				"the content bounds of the cell extend beyond the bounds of the "
				"grid %s",
				grid->name);
	}
}

/* ---- GUIDs of cells ---- */

/*
 * Result of comparing the GUID of a cell with `want`, the GUID computed from the cell. `sure` is
 * whether UE is known to compute the GUIDs of such cells in this way.
 */
struct identity {
	bool same, sure;
	struct cs_guid want;
};

static struct identity of_spatial_hash(
	const struct cs_ue_check *check, const struct cs_ue_map_cell *cell, double size)
{
	const struct cs_identity_spatial parts = {cell->place.grid, cell->place.x, cell->place.y,
		cell->place.level, cell->place.layers_id, cell->bundle.a,
		check->map->release >= CS_UE_5_3, (int32_t)size};
	struct identity of = {.want = cs_identity_of_spatial(&parts),
		.sure = cs_guid_is_zero(cell->bundle) && cell->n_layers < 2};
	of.same = cs_guid_compare(of.want, cell->guid) == 0;
	return of;
}

static struct identity of_hash_set(
	const struct cs_ue_check *check, const struct cs_ue_map_cell *cell, double size)
{
	char desc[CS_UE_CELL_NAME];
	const struct cs_ue_map_partition *partition = check_cells_partition_of(check, cell);
	struct cs_identity_set parts = {desc, cell->place.layers_id, cell->bundle,
		partition ? partition->name : cell->place.grid, -1, (int32_t)size};
	cs_ue_desc_name(&cell->place, desc);
	struct identity of = {.want = cs_identity_of_set(&parts),
		.sure = cs_guid_is_zero(cell->bundle) && cell->n_layers < 2 && partition &&
			!partition->parent && !cell->place.persistent && cell->place.level >= 0};
	of.same = cs_guid_compare(of.want, cell->guid) == 0;
	if (!of.same && partition && partition->parent) {
		parts.hlod_index = partition->hlod_index;
		of.same = cs_guid_compare(cs_identity_of_set(&parts), cell->guid) == 0;
	}
	return of;
}

static void check_guid(struct cs_ue_check *check, const struct cs_ue_map_cell *cell)
{
	double size = grid_of(check, cell)->size;
	char got[CS_GUID_TEXT], want[CS_GUID_TEXT];
	if (cs_guid_is_zero(cell->guid)) {
		if (check->map->has_properties && check->map->release >= CS_UE_5_3)
			cs_ue_check_tell(check, CS_ERROR, CS_E_MISSING, "cell_guid",
				cs_ue_check_cell_title(cell), "the cell has no GUID");
		return;
	}
	if (!cell->has_place || size <= 0 || size > INT32_MAX)
		return;
	struct identity of = check->map->spatial_hash ? of_spatial_hash(check, cell, size)
						      : of_hash_set(check, cell, size);
	check->counts->guids += of.same;
	if (of.same || (!of.sure && check->map->spatial_hash == false && cell->always_loaded))
		return; /* how UE computes these GUIDs is unknown */
	cs_guid_format(cell->guid, got);
	cs_guid_format(of.want, want);
	cs_ue_check_tell(check, of.sure ? CS_ERROR : CS_WARNING, CS_E_CHECKSUM, "cell_guid",
		cs_ue_check_cell_title(cell),
		"the GUID is %s, but the GUID computed from the cell is %s%s", got, want,
		of.sure ? "" : " (not proven for such cells)");
}

void cs_ue_check_cells(struct cs_ue_check *check)
{
	learn_grids(check);
	if (check->failed)
		return;
	for (size_t i = 0; i < check->map->cells.n; i++) {
		const struct cs_ue_map_cell *cell = &check->map->cells.at[i];
		check_name(check, cell);
		check_layers(check, cell);
		check_grid_name(check, cell);
		check_key(check, cell);
		check_bounds_of_name(check, cell);
		check_cells_check_level(check, cell);
		check_content(check, cell);
		check_guid(check, cell);
	}
	for (uint32_t i = 0; i < check->map->partitions.n; i++)
		check_grid(check, i);
}
