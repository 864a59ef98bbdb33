/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the runtime partitions and grids of a cook, and determines which partition contains the
 * HLOD actors of a layer, and to which partition the name of a grid refers (world-partition rules
 * 1.6.1, 1.6.2, 1.7.1).
 */
#include "cook/phases/phases.h"

#include "core/text.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

/* Largest number of grid names, more than any world has; the search is linear. */
enum { MOST_GRID_NAMES = 4096 };
/* Largest number of pairs of a partition and an HLOD layer, more than any world has. */
enum { MOST_HLOD_PAIRS = 1 << 22 };

/* Returns E_LIMIT if a name is too long to be a part of grid names of actors and of cell names. */
static struct cs_error *check_partition_name(const char *name)
{
	const size_t n = strlen(name);
	return n < CS_GRID_TOKEN
		       ? NULL
		       : cs_error_new(CS_E_LIMIT,
				 "the name of partition '%.40s...' has %zu bytes: names of "
				 "partitions and HLOD setups have at most %d",
				 name, n, CS_GRID_TOKEN - 1);
}

static struct cs_error *partitions_add(struct cs_cook *cook, struct cs_cook_partition partition)
{
	struct cs_error *error = check_partition_name(partition.name);
	if (!error && partition.setup)
		error = check_partition_name(partition.setup);
	if (error)
		return error;
	if (partition.row.cell_size <= 0 &&
		partition.row.partition_class != CS_PARTITION_PERSISTENT &&
		partition.row.partition_class != CS_PARTITION_LEVEL_STREAMING)
		return cs_error_new(CS_E_SETTING,
			"the cell size of partition '%s' (its key cell_size) must be above 0 cm, "
			"not %g",
			partition.name, (double)partition.row.cell_size);
	return cs_vec_push(&cook->grids.partitions, partition) ? NULL : cs_error_nomem();
}

static uint32_t partitions_flag(bool on, uint32_t bit)
{
	return on ? bit : 0;
}

static struct cs_cook_partition from_source(
	const struct cs_cook *cook, const struct cs_source_partition *source)
{
	enum cs_bounds_method method = source->bounds_method;
	if (method == CS_BOUNDS_DEFAULT)
		method = cook->profile->clip_content ? CS_BOUNDS_MIN_CONTENT_CELL
						     : CS_BOUNDS_CONTENT;
	bool lhgrid = source->partition_class == CS_PARTITION_LHGRID;
	return (struct cs_cook_partition){
		.row =
			{
				.origin = source->origin,
				.bounds = CS_BOX_INVALID,
				.cell_size = source->cell_size,
				.loading_range = source->loading_range,
				.parent = CS_NONE,
				.partition_class = source->partition_class,
				.priority = source->priority,
				.hlod_index = -1,
				.debug_color = source->color,
				.flags = partitions_flag(source->block_on_slow,
						 CS_PARTITION_BLOCK_ON_SLOW) |
					 partitions_flag(
						 source->client_only, CS_PARTITION_CLIENT_ONLY) |
					 partitions_flag(source->is_2d, CS_PARTITION_2D) |
					 partitions_flag(source->spatial, CS_PARTITION_SPATIAL) |
					 partitions_flag(lhgrid && cook->profile->quarter_demotion,
						 CS_PARTITION_DEMOTION) |
					 partitions_flag(source->assumed, CS_PARTITION_ASSUMED),
			},
		.name = cs_world_text(cook->world, source->name),
		.bounds_method = method,
	};
}

/*
 * Returns whether an earlier persistent partition or setup has this name: their cells would then
 * have the same names.
 */
static bool partitions_is_taken(const struct cs_cook *cook, const char *setup)
{
	for (size_t i = 0; i < cook->grids.partitions.n; i++) {
		const struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		if (partition->row.partition_class == CS_PARTITION_PERSISTENT &&
			cs_name_compare(
				partition->setup ? partition->setup : partition->name, setup) == 0)
			return true;
	}
	return false;
}

static bool partitions_is_none(const char *name)
{
	return !*name || cs_name_compare(name, "None") == 0;
}

static struct cs_error *add_setups(
	struct cs_cook *cook, uint32_t partition, const struct cs_source_partition *source)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < source->setups.count; i++) {
		const struct cs_source_partition *setup =
			&cook->world->setups.at[source->setups.first + i];
		struct cs_cook_partition cook_partition = from_source(cook, setup);
		/* UE saves a setup as "PersistentLevel" if it is not spatial and has no name */
		const bool nameless = !setup->spatial && partitions_is_none(cook_partition.name);
		cook_partition.setup = nameless ? "PersistentLevel" : cook_partition.name;
		cook_partition.name = cook->grids.partitions.at[partition].name;
		cook_partition.row.parent = partition;
		cook_partition.row.hlod_index = (int32_t)i;
		cook_partition.source = source->setups.first + i;
		if (!setup->spatial)
			cook_partition.row.partition_class = CS_PARTITION_PERSISTENT;
		cook_partition.shares_name = partitions_is_taken(cook, cook_partition.setup);
		error = partitions_add(cook, cook_partition);
	}
	return error;
}

static struct cs_error *add_persistent(struct cs_cook *cook)
{
	cook->grids.persistent = (uint32_t)cook->grids.partitions.n;
	return partitions_add(cook, (struct cs_cook_partition){
					    .row = {.bounds = CS_BOX_INVALID,
						    .parent = CS_NONE,
						    .partition_class = CS_PARTITION_PERSISTENT,
						    .hlod_index = -1},
					    .name = "PersistentLevel",
					    .source = CS_NONE,
				    });
}

static struct cs_error *make_hash_set(struct cs_cook *cook)
{
	const struct cs_world *world = cook->world;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < world->partitions.n; i++) {
		struct cs_cook_partition partition = from_source(cook, &world->partitions.at[i]);
		partition.source = (uint32_t)i;
		error = partitions_add(cook, partition);
	}
	if (!error && world->partitions.n == 0) {
		struct cs_source_partition source = cs_partition_default();
		source.is_2d = cook->profile->flat_default;
		struct cs_cook_partition partition = from_source(cook, &source);
		partition.name = cook->profile->partition_name;
		partition.source = CS_NONE;
		error = partitions_add(cook, partition);
	}
	for (uint32_t i = 0; !error && i < world->partitions.n; i++)
		error = add_setups(cook, i, &world->partitions.at[i]);
	/* one is enough, because place.c moves all non-spatial sets to it */
	if (!error && cook->profile->transient_persistent)
		error = add_persistent(cook);
	return error;
}

/* Returns an option of a map; `stored` is that of a new map, if the engine stores options in it. */
static bool option(const struct cs_cook *cook, uint32_t value, bool project, bool stored)
{
	if (value == CS_OPTION_PROFILE && !cook->profile->options_stored)
		value = CS_OPTION_PROJECT;
	return value == CS_OPTION_PROFILE   ? stored
	       : value == CS_OPTION_PROJECT ? project
					    : value == CS_OPTION_ON;
}

static uint32_t spatial_flags(const struct cs_cook *cook)
{
	const struct cs_world_settings *settings = &cook->world->settings;
	const struct cs_profile *profile = cook->profile;
	bool aligned = option(cook, settings->aligned, profile->aligned, false);
	return CS_PARTITION_SPATIAL | CS_PARTITION_2D |
	       partitions_flag(aligned, CS_PARTITION_ALIGNED) |
	       partitions_flag(!aligned && option(cook, settings->snap, profile->snap, false),
		       CS_PARTITION_SNAP) |
	       partitions_flag(
		       option(cook, settings->small_by_location, profile->small_by_location, true),
		       CS_PARTITION_SMALL_BY_LOCATION) |
	       partitions_flag(option(cook, settings->partition_by_location,
				       profile->partition_by_location, true),
		       CS_PARTITION_PARTITION_ACTORS) |
	       partitions_flag(
		       option(cook, settings->z_culling, false, false), CS_PARTITION_Z_CULLING);
}

static struct cs_error *add_grid(
	struct cs_cook *cook, const struct cs_source_grid *grid, const char *name, uint32_t source)
{
	struct cs_cook_partition partition = {
		.row =
			{
				.origin = {grid->origin_x, grid->origin_y, 0},
				.bounds = CS_BOX_INVALID,
				.cell_size = grid->cell_size,
				.loading_range = grid->loading_range,
				.parent = CS_NONE,
				.partition_class = CS_PARTITION_SPATIAL_GRID,
				.priority = grid->priority,
				.hlod_index = grid->hlod ? 0 : -1,
				.debug_color = grid->color,
				.flags = spatial_flags(cook) |
					 partitions_flag(
						 grid->block_on_slow, CS_PARTITION_BLOCK_ON_SLOW) |
					 partitions_flag(
						 grid->client_only, CS_PARTITION_CLIENT_ONLY) |
					 partitions_flag(grid->assumed, CS_PARTITION_ASSUMED),
			},
		.name = name,
		.bounds_method = CS_BOUNDS_CONTENT,
		.source = source,
	};
	return partitions_add(cook, partition);
}

static bool has_main_grid(const struct cs_world *world)
{
	for (size_t i = 0; i < world->grids.n; i++)
		if (!world->grids.at[i].hlod)
			return true;
	return false;
}

static struct cs_error *make_spatial_hash(struct cs_cook *cook)
{
	const struct cs_world *world = cook->world;
	struct cs_source_grid standard = cs_grid_default();
	struct cs_error *error = NULL;
	if (!has_main_grid(world))
		error = add_grid(cook, &standard, "MainGrid", CS_NONE);
	for (uint32_t i = 0; !error && i < world->grids.n; i++)
		error = add_grid(cook, &world->grids.at[i],
			cs_world_text(world, world->grids.at[i].name), i);
	return error;
}

/* ---- the partition for the HLOD actors of a layer ---- */

uint32_t cs_hlod_home(const struct cs_cook *cook, uint32_t main, uint32_t layer)
{
	size_t row = cook->hash_class == CS_HASH_SET ? main : 0;
	return cook->grids.hlod_homes[row * cook->world->hlod_layers.n + layer];
}

/* Makes `home` the partition for HLOD actors of the layer, unless an earlier setup lists it. */
static void set_home(struct cs_cook *cook, uint32_t main, uint32_t layer_text, uint32_t home)
{
	uint32_t layer = cs_cook_hlod_layer(cook, layer_text);
	if (layer != CS_NONE && cs_hlod_home(cook, main, layer) == CS_NONE)
		cook->grids.hlod_homes[main * cook->world->hlod_layers.n + layer] = home;
}

static void find_homes(struct cs_cook *cook)
{
	const struct cs_world *world = cook->world;
	for (uint32_t i = 0; i < cook->grids.partitions.n; i++) {
		const struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		if (cook->hash_class == CS_HASH_SPATIAL && partition->source != CS_NONE &&
			world->grids.at[partition->source].hlod)
			set_home(cook, 0, world->grids.at[partition->source].hlod_layer, i);
		if (cook->hash_class != CS_HASH_SET || partition->row.parent == CS_NONE)
			continue;
		struct cs_range layers = world->setups.at[partition->source].hlod_layers;
		for (uint32_t k = 0; k < layers.count; k++)
			set_home(cook, partition->row.parent, world->texts.at[layers.first + k], i);
	}
}

static struct cs_error *make_homes(struct cs_cook *cook)
{
	size_t layers = cook->world->hlod_layers.n;
	size_t pairs = cook->grids.partitions.n * layers;
	if (pairs > MOST_HLOD_PAIRS)
		return cs_error_new(CS_E_LIMIT,
			"%zu partitions times %zu HLOD layers exceed %d pairs, the "
			"limit of a cook: use fewer partitions or HLOD layers",
			cook->grids.partitions.n, layers, MOST_HLOD_PAIRS);
	cook->grids.hlod_homes = CS_ARENA_ARRAY(&cook->arena, uint32_t, pairs);
	if (!cook->grids.hlod_homes)
		return cs_error_nomem();
	memset(cook->grids.hlod_homes, 0xff, pairs * sizeof(*cook->grids.hlod_homes));
	find_homes(cook);
	return NULL;
}

struct cs_error *cs_cook_partitions(struct cs_cook *cook)
{
	cook->grids.persistent = CS_NONE;
	struct cs_error *error =
		cook->hash_class == CS_HASH_SET ? make_hash_set(cook) : make_spatial_hash(cook);
	return error ? error : make_homes(cook);
}

/* ---- names of grids ---- */

/* The parts of a grid name Name[.Level][:Setup]; an absent part is "". */
struct tokens {
	char main[CS_GRID_TOKEN], level[CS_GRID_TOKEN], setup[CS_GRID_TOKEN];
	bool valid;
};

static bool copy_token(char *to, size_t size, const char *from, size_t n)
{
	if (n == 0 || n >= size)
		return false;
	memcpy(to, from, n);
	to[n] = '\0';
	return true;
}

static struct tokens partitions_split(const char *name)
{
	struct tokens tokens = {.valid = true};
	size_t left = strcspn(name, ":"), dot = strcspn(name, ".:");
	tokens.valid = copy_token(tokens.main, sizeof(tokens.main), name, dot);
	if (tokens.valid && dot < left)
		tokens.valid = copy_token(tokens.level, sizeof(tokens.level), name + dot + 1,
				       left - dot - 1) &&
			       !strchr(tokens.level, '.');
	if (tokens.valid && name[left] == ':')
		tokens.valid = copy_token(tokens.setup, sizeof(tokens.setup), name + left + 1,
				       strlen(name + left + 1)) &&
			       !strchr(tokens.setup, ':');
	return tokens;
}

/*
 * Returns whether the last part of `path` is `wanted`, or with `copies` ends in "_" and `wanted`. A
 * new map copies the layers of its template with its own name in front, as
 * "Valley_HLOD0_Instancing", but the grid names of its HLOD actors still have the old name.
 */
static bool layer_fits(const char *path, const char *wanted, bool copies)
{
	const char *name = cs_last_name(path);
	size_t n = strlen(name), m = strlen(wanted);
	if (!copies)
		return cs_name_compare(name, wanted) == 0;
	return n > m + 1 && name[n - m - 1] == '_' && cs_name_compare(name + n - m, wanted) == 0;
}

/*
 * Returns the index of the partition that is an HLOD setup of the grid tokens->main and has a layer
 * for which layer_fits() accepts the name tokens->setup; CS_NONE if there is none.
 */
static uint32_t find_by_layer(const struct cs_cook *cook, const struct tokens *tokens, bool copies)
{
	const struct cs_world *world = cook->world;
	for (uint32_t i = 0; i < cook->grids.partitions.n; i++) {
		const struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		if (!partition->setup || *tokens->level ||
			cs_name_compare(partition->name, tokens->main) != 0)
			continue;
		struct cs_range layers = world->setups.at[partition->source].hlod_layers;
		for (uint32_t k = 0; k < layers.count; k++)
			if (layer_fits(cs_world_text(world, world->texts.at[layers.first + k]),
				    tokens->setup, copies))
				return i;
	}
	return CS_NONE;
}

static uint32_t partitions_find_by_name(const struct cs_cook *cook, const struct tokens *tokens)
{
	for (uint32_t i = 0; i < cook->grids.partitions.n; i++) {
		const struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		bool named = i != cook->grids.persistent &&
			     cs_name_compare(partition->name, tokens->main) == 0;
		uint32_t main = partition->row.parent == CS_NONE ? i : partition->row.parent;
		bool tokens_fit =
			!*tokens->level || cook->grids.partitions.at[main].row.partition_class ==
						   CS_PARTITION_LEVEL_STREAMING;
		if (!named || !tokens_fit)
			continue;
		if (*tokens->setup ? partition->setup &&
					     cs_name_compare(partition->setup, tokens->setup) == 0
				   : !partition->setup)
			return i;
	}
	return CS_NONE;
}

/* Finds a partition by name, or an HLOD setup by its layer's name (world-partition rule 1.6.2). */
static uint32_t partitions_find_partition(const struct cs_cook *cook, const struct tokens *tokens)
{
	uint32_t found = partitions_find_by_name(cook, tokens);
	for (int copies = 0; found == CS_NONE && *tokens->setup && copies < 2; copies++)
		found = find_by_layer(cook, tokens, copies);
	return found;
}

const char *cs_cook_setups(struct cs_cook *cook, const char *grid)
{
	struct tokens tokens = partitions_split(grid);
	char list[400] = "";
	size_t n = 0;
	for (size_t i = 0; tokens.valid && *tokens.setup && i < cook->grids.partitions.n; i++) {
		const struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		if (partition->setup && cs_name_compare(partition->name, tokens.main) == 0 &&
			n < 200)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%.120s", n ? ", " : "",
				partition->setup);
	}
	return n ? cs_arena_text(&cook->arena, list, n) : "";
}

void cs_grid_level(const struct cs_cook *cook, uint32_t grid, char level[CS_GRID_TOKEN])
{
	struct tokens tokens =
		partitions_split(cs_world_text(cook->world, cook->grids.names.at[grid].text));
	snprintf(level, CS_GRID_TOKEN, "%s",
		tokens.valid && *tokens.level ? tokens.level : "Default");
}

static uint32_t find_grid(const struct cs_cook *cook, const char *name)
{
	for (uint32_t i = 0; i < cook->grids.names.n; i++)
		if (cs_name_compare(
			    cs_world_text(cook->world, cook->grids.names.at[i].text), name) == 0)
			return i;
	return CS_NONE;
}

/* Returns the index of the first grid name with the partition and level of the last grid name. */
static uint32_t first_of_level(const struct cs_cook *cook, const struct cs_grid_name *grid)
{
	char own[CS_GRID_TOKEN], other[CS_GRID_TOKEN];
	uint32_t last = (uint32_t)cook->grids.names.n - 1;
	cs_grid_level(cook, last, own);
	for (uint32_t i = 0; i < last; i++) {
		cs_grid_level(cook, i, other);
		if (cook->grids.names.at[i].partition == grid->partition &&
			cs_name_compare(own, other) == 0)
			return i;
	}
	return last;
}

struct cs_error *cs_cook_grid_name(struct cs_cook *cook, uint32_t text, uint32_t *ret)
{
	const char *name = cs_world_text(cook->world, text);
	struct cs_grid_name grid = {.text = text, .partition = 0};
	bool none = partitions_is_none(name);
	uint32_t found = none && cook->grids.names.n ? 0 : find_grid(cook, name);
	if (found != CS_NONE) {
		*ret = found;
		return NULL;
	}
	if (cook->grids.names.n >= MOST_GRID_NAMES)
		return cs_error_new(CS_E_LIMIT,
			"actors name more than %d different runtime grids, the limit "
			"of a cook: use fewer grids",
			MOST_GRID_NAMES);
	if (!none) {
		struct tokens tokens = partitions_split(name);
		grid.partition = tokens.valid ? partitions_find_partition(cook, &tokens) : CS_NONE;
	}
	*ret = (uint32_t)cook->grids.names.n;
	if (!cs_vec_push(&cook->grids.names, grid))
		return cs_error_nomem();
	cook->grids.names.at[*ret].level_key = first_of_level(cook, &grid);
	return NULL;
}
