/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deduces the partitions of a StreamingGeneration log. Their names come from names of cells, cell
 * sizes from bounds of cells, HLOD setups from the grids of HLOD actors, and the engine's release
 * from the form of names. Loading ranges are not in a log.
 */
#include "ue/log/log.h"

#include "core/geometry.h"
#include "core/sort.h"
#include "ue/package/cell_name.h"
#include "ue/project/project_build.h"
#include <cellscope/cooked_values.h>

#include <math.h>

struct deducer {
	const struct cs_ue_log_data *data;
	struct cs_ue_build *build; /* its world is sealed (checked and sorted) */
	bool centred; /* whether a cell is shifted by half its width: levels are not aligned */
};

/* ---- partitions by name ---- */

static uint32_t find_partition(const struct cs_world *world, uint32_t name)
{
	for (size_t i = 0; i < world->partitions.n; i++)
		if (world->partitions.at[i].name == name)
			return (uint32_t)i;
	return CS_NONE;
}

static struct cs_error *add_partition(
	struct deducer *deducer, const char *name, size_t length, uint32_t *ret)
{
	struct cs_world *world = deducer->build->world;
	struct cs_source_partition partition = cs_partition_default();
	partition.name = cs_strings_add(&world->strings, name, length);
	partition.assumed = true;
	*ret = find_partition(world, partition.name);
	if (*ret != CS_NONE)
		return NULL;
	*ret = (uint32_t)world->partitions.n;
	partition.cell_size = 0; /* set by the first cell with bounds */
	if (partition.name == CS_NONE || !cs_vec_push(&world->partitions, partition))
		return cs_error_nomem();
	return NULL;
}

/* Computes cell size and origin from the first cell with coordinates and bounds. */
static void log_partitions_measure(struct cs_source_partition *partition,
	const struct cs_ue_log_cell *cell, const struct cs_ue_cell_name *name)
{
	const struct cs_box *box = &cell->bounds;
	const double edge = box->max.x - box->min.x;
	if (name->level < 0 || !cs_box_valid(box) || !(edge > 0))
		return;
	/* CS_BOUNDS_CELL if the contents of each cell fill it exactly, else CS_BOUNDS_DEFAULT */
	if (!cs_box_equals(&cell->content, &cell->bounds))
		partition->bounds_method = CS_BOUNDS_DEFAULT;
	else if (partition->cell_size == 0)
		partition->bounds_method = CS_BOUNDS_CELL;
	if (partition->cell_size != 0)
		return;
	partition->cell_size = ldexp(edge, -name->level);
	partition->origin.x = box->min.x - name->x * edge;
	partition->origin.y = box->min.y - name->y * edge;
	if (name->has_z && !cell->is_2d)
		partition->origin.z = box->min.z - name->z * edge;
}

/* Returns whether a cell is shifted by half its width, as on levels with an odd number of cells. */
static bool is_centred(const struct cs_ue_log_cell *cell, const struct cs_ue_cell_name *name)
{
	const double edge = cell->bounds.max.x - cell->bounds.min.x;
	return cs_box_valid(&cell->bounds) && cell->bounds.min.x - name->x * edge == -edge / 2 &&
	       cell->bounds.min.y - name->y * edge == -edge / 2;
}

/* Returns whether an actor exceeds its cell. Only 5.7 causes this, by moving sets down a level. */
static bool is_demoted(const struct deducer *deducer, const struct cs_ue_log_cell *cell,
	const struct cs_ue_cell_name *name)
{
	const struct cs_world *world = deducer->build->world;
	const double edge = cell->bounds.max.x - cell->bounds.min.x;
	if (name->level < 0 || !cs_box_valid(&cell->bounds))
		return false;
	for (size_t i = 0; i < cell->count; i++) {
		uint32_t row = cs_world_find_actor(
			world, 0, deducer->data->actors.at[cell->first + i].instance);
		if (row == CS_NONE || !cs_box_valid(&world->actors.at[row].bounds))
			continue;
		const struct cs_box *box = &world->actors.at[row].bounds;
		if (box->max.x - box->min.x > edge || box->max.y - box->min.y > edge ||
			(!cell->is_2d && box->max.z - box->min.z > edge))
			return true;
	}
	return false;
}

/*
 * Returns the newer of two cook profiles: `known`, and that of the oldest release that can have
 * written the cell. Returns "5.4" if `known` is "5.4" or if the cell's name has the form of 5.4.
 */
static const char *profile_of(const struct deducer *deducer, const struct cs_ue_log_cell *cell,
	const struct cs_ue_cell_name *name, const char *known)
{
	const char *shown = "5.5";
	if (name->level_last || (known && strcmp(known, "5.4") == 0))
		return "5.4";
	if (is_demoted(deducer, cell, name))
		shown = "5.7";
	else if (name->level < 0)
		shown = "5.6"; /* only 5.6 and later have cells that are not spatial */
	return !known || strcmp(shown, known) > 0 ? shown : known;
}

/*
 * Returns whether a cell is the only cell of the top level, or a variant of that cell for layers
 * and bundles. Such a cell is always centred on the origin, so it does not show whether the levels
 * are aligned.
 */
static bool is_top(const struct cs_ue_log_cell *cell, const struct cs_ue_cell_name *name)
{
	return name->level > 0 && name->x == 0 && name->y == 0 && cs_box_valid(&cell->bounds) &&
	       cell->bounds.min.x == -cell->bounds.max.x &&
	       cell->bounds.min.y == -cell->bounds.max.y;
}

/* Adds a cell's partition if new. Updates the partition's cell size and the log's cook profile. */
static struct cs_error *take_cell(
	struct deducer *deducer, const struct cs_ue_log_cell *cell, const char **profile)
{
	struct cs_world *world = deducer->build->world;
	struct cs_ue_cell_name parts;
	uint32_t index;
	if (!cs_ue_parse_cell_name(cell->name, deducer->data->log.world, &parts))
		return NULL;
	struct cs_error *error =
		add_partition(deducer, parts.partition, parts.partition_length, &index);
	if (error)
		return error;
	struct cs_source_partition *partition = &world->partitions.at[index];
	partition->is_2d |= cell->is_2d;
	*profile = profile_of(deducer, cell, &parts, *profile);
	if (deducer->data->spatial_hash && is_top(cell, &parts))
		return NULL;
	log_partitions_measure(partition, cell, &parts);
	deducer->centred |= is_centred(cell, &parts);
	return NULL;
}

/* Adds an HLOD setup to a partition. The grid "Grid:Setup" of an actor names both. */
static struct cs_error *take_grid(struct deducer *deducer, const struct cs_actor_row *actor)
{
	struct cs_world *world = deducer->build->world;
	const char *grid = cs_world_text(world, actor->grid), *colon = strchr(grid, ':');
	size_t length = colon ? (size_t)(colon - grid) : strlen(grid);
	struct cs_error *error = NULL;
	uint32_t index;
	if (length == 0)
		return NULL;
	const char *copy = cs_arena_copy(&deducer->build->scratch, grid);
	if (!copy)
		return cs_error_nomem();
	error = add_partition(deducer, copy, length, &index);
	if (error || !colon)
		return error;
	struct cs_source_partition setup = cs_partition_default();
	setup.name = cs_ue_intern_text(deducer->build, copy + length + 1);
	setup.spatial = (actor->flags & CS_ACTOR_OWN_SPATIAL) != 0;
	setup.partition_class = setup.spatial ? CS_PARTITION_LHGRID : CS_PARTITION_PERSISTENT;
	setup.loading_range = setup.spatial ? setup.loading_range : 0;
	setup.client_only = true;
	setup.assumed = setup.spatial;
	struct cs_range *range = &world->partitions.at[index].setups;
	for (uint32_t i = 0; i < range->count; i++)
		if (world->setups.at[range->first + i].name == setup.name)
			return NULL;
	/* the setups of a partition are consecutive, because actors are sorted by grid */
	range->first = range->count ? range->first : (uint32_t)world->setups.n;
	range->count++;
	return cs_vec_push(&world->setups, setup) ? NULL : cs_error_nomem();
}

static int by_grid(const void *left, const void *right, void *context)
{
	const struct cs_world *world = context;
	const uint32_t *l = left, *r = right;
	return strcmp(cs_world_text(world, world->actors.at[*l].grid),
		cs_world_text(world, world->actors.at[*r].grid));
}

static struct cs_error *take_grids(struct deducer *deducer)
{
	struct cs_world *world = deducer->build->world;
	size_t n = world->actors.n;
	uint32_t *order = cs_sorted_rows(n, by_grid, world);
	struct cs_error *error = order ? NULL : cs_error_nomem();
	uint32_t last = 0;
	for (size_t i = 0; i < n && !error; i++) {
		const struct cs_actor_row *actor = &world->actors.at[order[i]];
		if (actor->grid != last)
			error = take_grid(deducer, actor);
		last = actor->grid;
	}
	free(order);
	return error;
}

/* Moves the main partition, which contains actors without a grid, to the front. */
static void put_main_first(struct deducer *deducer)
{
	const struct cs_ue_log_data *data = deducer->data;
	struct cs_world *world = deducer->build->world;
	for (size_t i = 0; i < data->cells.n; i++) {
		const struct cs_ue_log_cell *cell = &data->cells.at[i];
		struct cs_ue_cell_name parts;
		if (cell->count == 0 || !cs_ue_parse_cell_name(cell->name, data->log.world, &parts))
			continue;
		uint32_t actor =
			cs_world_find_actor(world, 0, data->actors.at[cell->first].instance);
		if (actor == CS_NONE || world->actors.at[actor].grid != 0)
			continue;
		uint32_t main_index = find_partition(world,
			cs_strings_find(&world->strings, parts.partition, parts.partition_length));
		struct cs_source_partition first = world->partitions.at[0];
		world->partitions.at[0] = world->partitions.at[main_index];
		world->partitions.at[main_index] = first;
		return;
	}
}

/*
 * Sets the options of a spatial hash. Cells that are `centred` on the origin show that its levels
 * are not aligned. Hashes that were created in 5.3 are like that, and also place actors by
 * location. A hash with aligned levels uses the defaults of the project.
 */
static void set_options(struct cs_world_settings *settings, bool centred)
{
	settings->aligned = centred ? CS_OPTION_OFF : CS_OPTION_ON;
	settings->snap = CS_OPTION_OFF;
	settings->small_by_location = centred ? CS_OPTION_ON : CS_OPTION_PROJECT;
	settings->partition_by_location = settings->small_by_location;
}

/* Converts the partitions of a hash set to grids of a spatial hash: name, cell size and origin. */
static struct cs_error *as_grids(struct cs_world *world, bool centred)
{
	set_options(&world->settings, centred);
	for (size_t i = 0; i < world->partitions.n; i++) {
		struct cs_source_grid grid = cs_grid_default();
		grid.name = world->partitions.at[i].name;
		grid.cell_size = world->partitions.at[i].cell_size;
		grid.assumed = true;
		grid.origin_x = centred ? 0 : world->partitions.at[i].origin.x;
		grid.origin_y = centred ? 0 : world->partitions.at[i].origin.y;
		if (!cs_vec_push(&world->grids, grid))
			return cs_error_nomem();
	}
	world->partitions.n = 0;
	world->setups.n = 0;
	return NULL;
}

static void tell_fit(
	struct deducer *deducer, const char *name, const struct cs_ue_log_fit *fit, double size)
{
	if (fit->least > fit->most)
		cs_ue_warn(deducer->build,
			"the log lacks the cell size of grid %s, and no size fits its cells: %.0f "
			"cm are assumed",
			name, size);
	else
		cs_ue_warn(deducer->build,
			"the log lacks the cell size of grid %s: its cells fit %.0f to %.0f cm, "
			"and %.0f cm are assumed",
			name, fit->least, fit->most, size);
}

/* Finds the cell size of each partition whose cells have no bounds from the cells' contents. */
static struct cs_error *size_partitions(struct deducer *deducer)
{
	struct cs_world *world = deducer->build->world;
	for (size_t i = 0; i < world->partitions.n; i++) {
		struct cs_source_partition *partition = &world->partitions.at[i];
		const char *name = cs_world_text(world, partition->name);
		struct cs_ue_log_fit fit;
		if (partition->cell_size > 0)
			continue;
		if (!cs_ue_log_fit(deducer->data, name, &fit))
			return cs_error_nomem();
		partition->cell_size =
			fit.assumed > 0 ? fit.assumed : cs_partition_default().cell_size;
		partition->is_2d |= fit.flat;
		if (!fit.known && fit.units)
			tell_fit(deducer, name, &fit, partition->cell_size);
	}
	return NULL;
}

struct cs_error *cs_ue_log_partitions(const struct cs_ue_log_data *data, struct cs_ue_build *build)
{
	struct deducer deducer = {data, build, false}, *d = &deducer;
	struct cs_world *world = build->world;
	const char *profile = NULL;
	struct cs_error *error = NULL;
	uint32_t index;
	for (size_t i = 0; i < data->cells.n && !error; i++)
		error = take_cell(d, &data->cells.at[i], &profile);
	if (!error)
		put_main_first(d);
	if (!error)
		error = take_grids(d);
	if (!error && world->partitions.n == 0)
		error = add_partition(d, "MainPartition", strlen("MainPartition"), &index);
	if (!error)
		error = size_partitions(d);
	if (error)
		return error;
	world->settings.hash_class =
		data->spatial_hash ? CS_SOURCE_HASH_SPATIAL : CS_SOURCE_HASH_SET;
	world->settings.profile =
		cs_ue_intern_text(d->build, data->spatial_hash || !profile ? "" : profile);
	return data->spatial_hash ? as_grids(world, d->centred) : NULL;
}
