/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a cooked world that are made of a map of the engine: maps whose every fact is drawn by
 * chance, said or not said, against the rules of ue-cooked written down once more, field by field.
 */
#include "core/guid.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/tap.h"

#include "core/random.h"
#include "ue/map/umap.h"

#include <cellscope/cooked.h>
#include <cellscope/cooked_values.h>
#include <cellscope/ue.h>

#include <math.h>

enum { ROUNDS = 300 };
static struct cs_random chance = {7};

static bool coin(void)
{
	return cs_random_below(&chance, 2);
}

/* Returns on, off, or not said, at random. */
static signed char switch_of(void)
{
	return (signed char)((int)cs_random_below(&chance, 3) - 1);
}

static double whole(double low, double high)
{
	return floor(cs_random_range(&chance, low, high));
}

/* ---- maps by chance ---- */

/* Writes those exports as a map and reads it. */
static struct cs_ue_map *written(json_t *json, const struct engine_form *form)
{
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	struct cs_ue_cooked_package *package = NULL;
	struct cs_ue_map *map = NULL;
	struct engine_package made;
	if (ok(engine_package_write(json, form, &made), "a package is written"))
		works(cs_ue_cooked_package_bytes(made.header.bytes, made.header.size,
			      made.exports.size ? made.exports.bytes : NULL, made.exports.size,
			      "made", NULL, &package),
			"a package");
	if (package)
		works(cs_ue_map_read(package, &options, &map), "its map");
	return map;
}

static struct cs_ue_map *read_town(void)
{
	const struct engine_town town = {.release = CS_UE_5_6, .hash_set = true, .cells = 2};
	const struct engine_form form = {.release = CS_UE_5_6, .tagged = true};
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form);
	struct cs_ue_map *map = written(json, &form);
	json_decref(json);
	json_decref(cook);
	return map;
}

static void draw_box(struct cs_box *box, double top)
{
	*box = CS_BOX_INVALID;
	if (coin())
		return;
	box->min = (struct cs_vec3){whole(-9, 9) * 1000, whole(-9, 9) * 1000, -top};
	box->max = (struct cs_vec3){box->min.x + 800, box->min.y + 1600, coin() ? top : 700};
}

static void draw_cell(struct cs_ue_map_cell *cell, uint32_t partitions)
{
	static const int32_t levels[] = {-1, 0, 1, 3, 40, 41};
	cell->has_place = coin();
	cell->place.persistent = cs_random_below(&chance, 4) == 0;
	cell->place.level = levels[cs_random_below(&chance, 6)];
	cell->place.x = (int64_t)whole(-5, 5);
	cell->place.y = (int64_t)whole(-5, 5);
	cell->place.has_z = coin();
	cell->place.level_last = coin();
	cell->hierarchical_level = levels[cs_random_below(&chance, 6)];
	cell->known = cs_random_below(&chance, 32);
	cell->position = (struct cs_vec3){whole(-9, 9) * 10, whole(-9, 9) * 10, 5};
	cell->extent = coin() ? 400 : 0;
	cell->always_loaded = coin();
	cell->spatial = switch_of();
	cell->is_2d = switch_of();
	cell->client_only = switch_of();
	cell->partition = cs_random_below(&chance, partitions);
	draw_box(&cell->cell_bounds, 4398046511104.0);
}

/*
 * Makes a table of actors and their cells, in no order: cells without actors, and names of no cell.
 */
static void draw_remapping(struct cs_ue_map *map)
{
	for (size_t i = 0; i < map->remapping.n; i++) {
		uint32_t cell = cs_random_below(&chance, (uint32_t)map->cells.n + 1);
		map->remapping.at[i].cell =
			cell < map->cells.n ? map->cells.at[cell].name : "no cell";
	}
}

static void draw_partition(struct cs_ue_map_partition *p)
{
	static const char *const classes[] = {NULL, "RuntimePartitionPersistent",
		"RuntimePartitionLevelStreaming", "RuntimePartitionLHGrid"};
	p->known = cs_random_below(&chance, 32);
	p->cell_size = coin() ? 3200 : 0;
	p->loading_range = whole(1, 9) * 1000;
	p->origin = (struct cs_vec3){whole(-9, 9), whole(-9, 9), 0};
	p->class_name = classes[cs_random_below(&chance, 4)];
	p->is_grid = cs_random_below(&chance, 4) == 0;
	p->aligned = coin();
	p->block_on_slow = switch_of();
	for (int i = 0; i < 4; i++)
		p->colour[i] = whole(-1, 9) / 6;
}

/* ---- what becomes of them ---- */

static bool want_spatial(const struct cs_ue_map_cell *cell)
{
	return cell->spatial == 1 || (cell->spatial == -1 && !cell->always_loaded);
}

static bool want_flat(const struct cs_ue_map_cell *cell)
{
	if (cell->is_2d != -1)
		return cell->is_2d == 1;
	if (cs_box_valid(&cell->cell_bounds))
		return cell->cell_bounds.max.z == 4398046511104.0;
	return !cell->place.has_z || cell->place.level_last;
}

/*
 * Returns the bounds that were written, else those around the position, else the square in the
 * grid.
 */
static struct cs_box want_box(
	const struct cs_ue_map_cell *cell, const struct cs_vec3 *origin, double cell_size)
{
	const double up = 4398046511104.0;
	if (cs_box_valid(&cell->cell_bounds))
		return cell->cell_bounds;
	if ((cell->known & CS_UE_KNOWN_POSITION) && cell->extent == 400)
		return (struct cs_box){{cell->position.x - 400, cell->position.y - 400, -up},
			{cell->position.x + 400, cell->position.y + 400, up}};
	bool placed = cell->has_place && !cell->place.persistent && cell->place.level != -1 &&
		      cell->place.level != 41;
	if (!placed || cell_size == 0 || !want_spatial(cell))
		return CS_BOX_INVALID;
	double side = ldexp(cell_size, cell->place.level);
	double x = origin->x + side * (double)cell->place.x;
	double y = origin->y + side * (double)cell->place.y;
	return (struct cs_box){{x, y, -up}, {x + side, y + side, up}};
}

static bool same_box(const struct cs_box *left, const struct cs_box *right)
{
	if (!cs_box_valid(left) || !cs_box_valid(right))
		return cs_box_valid(left) == cs_box_valid(right);
	return memcmp(left, right, sizeof(*left)) == 0;
}

static bool cell_is_right(const struct cs_ue_map_cell *cell, const struct cs_cooked *world)
{
	const unsigned mask = CS_CELL_SPATIAL | CS_CELL_ALWAYS_LOADED | CS_CELL_2D |
			      CS_CELL_NO_PLACE | CS_CELL_NAMES_ALONE;
	size_t i = 0;
	while (i < world->n_cells &&
		cs_guid_compare(cs_cooked_cell(world, i)->guid, cell->guid) != 0)
		i++;
	if (i == world->n_cells)
		return false;
	const struct cs_cooked_cell *got = cs_cooked_cell(world, i);
	const struct cs_cooked_partition *p = &world->partitions[got->partition];
	const struct cs_box box = want_box(cell, &p->origin, p->cell_size);
	const unsigned flags = (want_spatial(cell) ? CS_CELL_SPATIAL : 0) |
			       (cell->always_loaded ? CS_CELL_ALWAYS_LOADED : 0) |
			       (want_flat(cell) ? CS_CELL_2D : 0) |
			       (cell->has_place ? 0 : CS_CELL_NO_PLACE) |
			       (cell->client_only == -1 ? CS_CELL_NAMES_ALONE : 0);
	const int32_t named = cell->has_place ? cell->place.level : 0;
	return got->partition == cell->partition && (got->flags & mask) == flags &&
	       same_box(&got->box, &box) && got->level == (cell->place.persistent ? 0 : named) &&
	       got->hierarchical_level ==
		       ((cell->known & CS_UE_KNOWN_LEVEL) ? cell->hierarchical_level : named);
}

static size_t actors_in(const struct cs_cooked *world, const char *name, struct cs_guid cell)
{
	size_t n = 0;
	for (size_t i = 0; i < world->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(world, i);
		n += actor->cell != CS_NONE &&
		     cs_guid_compare(cs_cooked_cell(world, actor->cell)->guid, cell) == 0 &&
		     strcmp(cs_cooked_text(world, actor->name), name) == 0;
	}
	return n;
}

/*
 * Returns whether cells have their actors. Packages of cells are missing, so the table says who is
 * in them; always loaded cells have nobody.
 */
static bool actors_are_right(const struct cs_ue_map *map, const struct cs_cooked *world)
{
	bool right = true;
	for (size_t i = 0; i < map->remapping.n; i++) {
		const struct cs_ue_pair *pair = &map->remapping.at[i];
		for (size_t k = 0; k < map->cells.n; k++) {
			const struct cs_ue_map_cell *cell = &map->cells.at[k];
			bool in = strcmp(cell->name, pair->cell) == 0 && !cell->always_loaded;
			right = right && actors_in(world, pair->actor, cell->guid) == in;
		}
	}
	return right;
}

/*
 * Returns the cell size of the partition, else the one that follows from the first cell with bounds
 * and a level.
 */
static double want_size(const struct cs_ue_map *map, uint32_t partition)
{
	const struct cs_ue_map_partition *p = &map->partitions.at[partition];
	if (p->cell_size > 0)
		return p->cell_size;
	for (size_t i = 0; i < map->cells.n; i++) {
		const struct cs_ue_map_cell *cell = &map->cells.at[i];
		if (cell->partition == partition && cs_box_valid(&cell->cell_bounds) &&
			cell->hierarchical_level != -1 && cell->hierarchical_level != 41)
			return ldexp(800, -cell->hierarchical_level);
	}
	return 0;
}

static bool want_flat_partition(const struct cs_ue_map *map, uint32_t partition)
{
	bool flat = true;
	for (size_t i = 0; i < map->cells.n; i++)
		if (map->cells.at[i].partition == partition && !map->cells.at[i].always_loaded)
			flat = flat && want_flat(&map->cells.at[i]);
	return flat;
}

static uint32_t want_class(const struct cs_ue_map_partition *p)
{
	if (p->is_grid)
		return CS_PARTITION_SPATIAL_GRID;
	if (p->class_name && strcmp(p->class_name, "RuntimePartitionPersistent") == 0)
		return CS_PARTITION_PERSISTENT;
	if (p->class_name && strcmp(p->class_name, "RuntimePartitionLevelStreaming") == 0)
		return CS_PARTITION_LEVEL_STREAMING;
	return CS_PARTITION_LHGRID;
}

static uint32_t want_colour(const struct cs_ue_map_partition *p)
{
	uint32_t byte[3];
	for (int i = 0; i < 3; i++)
		byte[i] = (uint32_t)(fmin(fmax(p->colour[i], 0), 1) * 255 + 0.5);
	return (p->known & CS_UE_KNOWN_COLOUR) ? byte[0] << 16 | byte[1] << 8 | byte[2] : 0;
}

static bool partition_is_right(
	const struct cs_ue_map *map, uint32_t row, const struct cs_cooked *world)
{
	const struct cs_ue_map_partition *p = &map->partitions.at[row];
	const struct cs_cooked_partition *got = &world->partitions[row];
	const bool ranged = p->known & CS_UE_KNOWN_RANGE;
	const double size = want_size(map, row);
	const unsigned mask = CS_PARTITION_ASSUMED | CS_PARTITION_NO_SIZE |
			      CS_PARTITION_NO_PRIORITY | CS_PARTITION_NO_SWITCHES |
			      CS_PARTITION_2D | CS_PARTITION_ALIGNED;
	const unsigned flags = (ranged ? 0 : CS_PARTITION_ASSUMED) |
			       (size == 0 ? CS_PARTITION_NO_SIZE : 0) |
			       ((p->known & CS_UE_KNOWN_PRIORITY) ? 0 : CS_PARTITION_NO_PRIORITY) |
			       (p->block_on_slow == -1 ? CS_PARTITION_NO_SWITCHES : 0) |
			       (want_flat_partition(map, row) ? CS_PARTITION_2D : 0) |
			       (p->aligned ? CS_PARTITION_ALIGNED : 0);
	return got->cell_size == (size > 0 || ranged ? size : 12800) &&
	       got->loading_range == (ranged ? p->loading_range : 25600) &&
	       (got->flags & mask) == flags && got->partition_class == want_class(p) &&
	       got->debug_color == want_colour(p) &&
	       memcmp(&got->origin, &p->origin, sizeof(p->origin)) == 0;
}

/* ---- the loop ---- */

struct right {
	size_t cells, partitions, worlds, actors;
};

static void check_round(struct cs_ue_map *map, struct right *right)
{
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	struct cs_cooked *world = NULL;
	unsigned char *bytes = NULL;
	size_t size;
	for (uint32_t i = 0; i < map->partitions.n; i++)
		draw_partition(&map->partitions.at[i]);
	for (size_t i = 0; i < map->cells.n; i++)
		draw_cell(&map->cells.at[i], (uint32_t)map->partitions.n);
	draw_remapping(map);
	cs_error_free(cs_ue_map_to_world(NULL, map, &options, NULL, &bytes, &size));
	if (bytes)
		cs_error_free(cs_cooked_open_bytes(bytes, size, "made", NULL, &world));
	if (world)
		cs_error_free(cs_cooked_load_actors(world));
	for (size_t i = 0; world && i < map->cells.n; i++)
		right->cells += cell_is_right(&map->cells.at[i], world);
	for (uint32_t i = 0; world && i < map->partitions.n; i++)
		right->partitions += partition_is_right(map, i, world);
	right->actors += world && actors_are_right(map, world);
	right->worlds += world != NULL;
	cs_cooked_close(world);
	free(bytes);
}

/* ---- cells whose names are hashes ---- */

static const struct cs_ue_map_cell *cell_named(const struct cs_ue_map *map, const char *name)
{
	for (size_t i = 0; i < map->cells.n; i++)
		if (strcmp(map->cells.at[i].name, name) == 0)
			return &map->cells.at[i];
	return NULL;
}

/* Each cell of a square is found by its hash, and so are its neighbours on all sides. */
static void test_places(enum cs_ue_release release, int side)
{
	const struct engine_town town = {.release = release, .hash_set = true, .cells = side};
	const struct engine_form form = {.release = release, .tagged = true};
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form), *fact;
	struct cs_ue_map *map = written(json, &form);
	size_t right = 0, cells = 0, i;
	json_array_foreach (json_object_get(cook, "cells"), i, fact) {
		const char *name = json_string_value(json_object_get(fact, "short"));
		const struct cs_ue_map_cell *cell = map ? cell_named(map, name) : NULL;
		if (json_is_true(json_object_get(fact, "always")))
			continue;
		cells++;
		right += cell && cell->has_place &&
			 cell->place.x == json_integer_value(json_object_get(fact, "x")) &&
			 cell->place.y == json_integer_value(json_object_get(fact, "y")) &&
			 cell->place.level == json_integer_value(json_object_get(fact, "level"));
	}
	ok(cells == (size_t)(side * side) && right == cells, "%zu of %zu cells have their place",
		right, cells);
	cs_ue_map_free(map);
	json_decref(json);
	json_decref(cook);
}

/* ---- roots that hang on others ---- */

/*
 * Hangs the first house's root on a component, and that on another; both move, turn and scale. The
 * last one hangs on `beyond`, an object of another package, if that is given.
 */
static bool attach(json_t *map, const char *beyond)
{
	json_t *exports = json_object_get(map, "exports"), *export = NULL;
	char middle[600], outer[600];
	size_t i;
	json_array_foreach (exports, i, export) {
		if (strcmp(json_string_value(json_object_get(export, "name")),
			    "StaticMeshComponent0") == 0)
			break;
	}
	if (!export)
		return false;
	const char *actor = json_string_value(json_object_get(export, "outer"));
	snprintf(middle, sizeof(middle), "%s.Middle", actor);
	snprintf(outer, sizeof(outer), "%s.Outer", actor);
	json_t *props = json_object_get(export, "props");
	json_object_set_new(props, "RelativeLocation", json_pack("[f,f,f]", 1.0, 2.0, 3.0));
	json_object_set_new(props, "AttachParent", json_string(middle));
	json_array_append_new(exports,
		json_pack("{s:s, s:s, s:s, s:{s:[f,f,f], s:[f,f,f], s:s}, s:{}}", "name", "Middle",
			"cls", "/Script/Engine.StaticMeshComponent", "outer", actor, "props",
			"RelativeLocation", 100.0, 0.0, 0.0, "RelativeRotation", 0.0, 90.0, 0.0,
			"AttachParent", outer, "tail"));
	json_array_append_new(
		exports, json_pack("{s:s, s:s, s:s, s:{s:[f,f,f], s:[f,f,f]}, s:{}}", "name",
				 "Outer", "cls", "/Script/Engine.StaticMeshComponent", "outer",
				 actor, "props", "RelativeLocation", 0.0, 0.0, 1000.0,
				 "RelativeScale3D", 2.0, 2.0, 2.0, "tail"));
	if (beyond)
		json_object_set_new(
			json_object_get(
				json_array_get(exports, json_array_size(exports) - 1), "props"),
			"AttachParent", json_string(beyond));
	return true;
}

/*
 * The place (1,2,3) turned by a right angle is (-2,1,3), then moved (98,1,3), twice as large
 * (196,2,6), and lifted.
 */
static void test_attached(void)
{
	const struct engine_town town = {.release = CS_UE_5_6, .hash_set = true, .cells = 2};
	const struct engine_form form = {.release = CS_UE_5_6, .tagged = true};
	json_t *cook = engine_cook_town(&town);
	json_t *json =
		engine_cook_cell(cook, json_array_get(json_object_get(cook, "cells"), 0), &form);
	size_t found = 0;
	ok(attach(json, NULL), "a house hangs on others");
	struct cs_ue_map *map = written(json, &form);
	for (size_t i = 0; map && i < map->actors.n; i++) {
		const struct cs_ue_map_actor *actor = &map->actors.at[i];
		const struct cs_vec3 *at = &actor->transform.translation;
		if (!actor->has_transform || actor->transform.scale.x != 2)
			continue;
		found++;
		ok(fabs(at->x - 196) < 1e-9 && fabs(at->y - 2) < 1e-9 && fabs(at->z - 1006) < 1e-9,
			"it is at %g %g %g", at->x, at->y, at->z);
		ok(actor->location[0] == 1 && actor->location[2] == 3, "its own place is told too");
	}
	is_int(found, 1, "one actor hangs on others");
	cs_ue_map_free(map);
	json_decref(json);
	json_decref(cook);
}

/* Where a parent is that another package has is not known, so the actor's place is not either. */
static void test_attached_beyond(void)
{
	const struct engine_town town = {.release = CS_UE_5_6, .hash_set = true, .cells = 2};
	const struct engine_form form = {.release = CS_UE_5_6, .tagged = true};
	json_t *cook = engine_cook_town(&town);
	json_t *json =
		engine_cook_cell(cook, json_array_get(json_object_get(cook, "cells"), 0), &form);
	size_t unknown = 0;
	ok(attach(json, "/Game/Other.Other:PersistentLevel.Pole.Root"),
		"a house hangs on another package");
	struct cs_ue_map *map = written(json, &form);
	for (size_t i = 0; map && i < map->actors.n; i++)
		unknown += map->actors.at[i].root && !map->actors.at[i].has_transform;
	is_int(unknown, 1, "its place is unknown");
	cs_ue_map_free(map);
	json_decref(json);
	json_decref(cook);
}

int main(void)
{
	test_attached();
	test_attached_beyond();
	test_places(CS_UE_5_6, 9);
	test_places(CS_UE_5_4, 6);
	struct cs_ue_map *map = read_town();
	struct right right = {0};
	if (!map || !cs_vec_push(&map->partitions, map->partitions.at[0]))
		return done();
	map->partitions.at[1].name = "Other";
	for (int i = 0; i < ROUNDS; i++)
		check_round(map, &right);
	is_int(right.worlds, ROUNDS, "maps by chance: each is a world");
	is_int(right.partitions, 2 * ROUNDS, "maps by chance: each partition is what its map says");
	is_int(right.cells, map->cells.n * ROUNDS,
		"maps by chance: each cell is what its map says");
	ok(map->remapping.n > 3, "%zu actors in the table", map->remapping.n);
	is_int(right.actors, ROUNDS, "maps by chance: each actor is where the table has it");
	cs_ue_map_free(map);
	return done();
}
