/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds HLOD actors (world-partition rule 1.6.8). Level 0: one HLOD actor for each HLOD layer of
 * the relevant actors in each cell that is not always loaded. Level k: the HLOD actors of level k -
 * 1 are cooked into the cells of the HLOD setups or grids of their layers, and each such cell gets
 * one HLOD actor for each parent of these layers. Building ends when no HLOD actor has a parent
 * layer. The HLOD actors become descriptors of the world, like those that an editor would have
 * saved; lib/assets builds their proxy meshes.
 */
#include "cook/phases/cook_internal.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/identity.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"
#include "format/cooked_inside.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>

/* Largest number of HLOD levels, more than any project has; also ends a cycle of parent layers. */
enum { MOST_LEVELS = 16 };

struct hlod_builder {
	struct cs_world *world;
	const struct cs_cooked *cooked; /* the cook of the current level */
	uint32_t level;
	/* GUIDs of the HLOD actors of the previous level (sorted), and of the current level */
	CS_VEC(struct cs_guid) last, added;
	bool failed;
};

/* ---- HLOD actors that the world already has ---- */

static void remove_old(struct cs_world *world)
{
	size_t kept = 0;
	for (size_t i = 0; i < world->actors.n; i++)
		if (!(world->actors.at[i].flags & CS_ACTOR_HLOD))
			world->actors.at[kept++] = world->actors.at[i];
	world->actors.n = kept;
	world->hlods.n = 0;
	kept = 0;
	for (size_t i = 0; i < world->grids.n; i++)
		if (!world->grids.at[i].hlod)
			world->grids.at[kept++] = world->grids.at[i];
	world->grids.n = kept;
}

/* ---- making one HLOD actor ---- */

static const char *hlod_actors_text(const struct hlod_builder *builder, uint32_t offset)
{
	return cs_cooked_text(builder->cooked, offset);
}

static uint32_t hlod_actors_add_text(struct hlod_builder *builder, const char *format, ...)
	CS_PRINTF(2, 3);

static uint32_t hlod_actors_add_text(struct hlod_builder *builder, const char *format, ...)
{
	char line[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	uint32_t id = cs_strings_add_z(&builder->world->strings, line);
	builder->failed = builder->failed || id == CS_NONE;
	return id == CS_NONE ? 0 : id;
}

static struct cs_guid guid_of(const struct cs_cooked_cell *cell, const char *layer)
{
	struct cs_digest digest;
	cs_digest_begin(&digest);
	cs_digest_guid(&digest, cell->guid);
	cs_digest_bytes(&digest, layer, strlen(layer));
	return cs_digest_end(&digest);
}

/* Returns the grid that a spatial hash uses for an HLOD layer, which is added if it is missing. */
static uint32_t grid_of_layer(
	struct hlod_builder *builder, const struct cs_cooked_hlod_layer *layer)
{
	/* a layer without sizes gets the default sizes of the class UHLODLayer */
	const double cell_size = layer->cell_size > 0 ? layer->cell_size : 25600;
	const double loading_range = layer->loading_range > 0 ? layer->loading_range : 51200;
	uint32_t name = hlod_actors_add_text(builder, "HLOD%u_%.0fm_%.0fm", builder->level,
		trunc(cell_size / 100), trunc(loading_range / 100));
	for (size_t i = 0; i < builder->world->grids.n; i++)
		if (builder->world->grids.at[i].name == name)
			return name;
	struct cs_source_grid grid = cs_grid_default();
	grid.name = name;
	grid.hlod_layer =
		hlod_actors_add_text(builder, "%s", hlod_actors_text(builder, layer->path));
	grid.cell_size = cell_size;
	grid.loading_range = loading_range;
	grid.client_only = true;
	grid.hlod = true;
	grid.priority = 100 + (int32_t)builder->level;
	cs_vec_push_in(builder, world->grids, grid);
	return name;
}

/*
 * Returns the name of the grid for the HLOD actors of a layer. In the hash set it is
 * `Partition:LayerName`; in the spatial hash it is the grid that the layer names, or 0 for a layer
 * that is not spatially loaded.
 */
static uint32_t hlod_actors_grid_of(struct hlod_builder *builder, const struct cs_cooked_cell *cell,
	const struct cs_cooked_hlod_layer *layer)
{
	if (builder->cooked->world->hash_class == CS_HASH_SPATIAL)
		return layer->flags & CS_HLOD_SPATIAL ? grid_of_layer(builder, layer) : 0;
	const char *partition =
		hlod_actors_text(builder, builder->cooked->partitions[cell->partition].name);
	return hlod_actors_add_text(builder, "%.*s:%s", (int)strcspn(partition, ":"), partition,
		cs_last_name(hlod_actors_text(builder, layer->path)));
}

static struct cs_range layers_of(struct hlod_builder *builder, const struct cs_cooked_cell *cell)
{
	struct cs_range range = {(uint32_t)builder->world->texts.n, cell->layers.count};
	for (uint32_t i = 0; i < cell->layers.count; i++) {
		uint32_t layer = builder->cooked->cell_layers[cell->layers.first + i];
		uint32_t name = hlod_actors_add_text(builder, "%s",
			hlod_actors_text(builder, builder->cooked->layers[layer].name));
		cs_vec_push_in(builder, world->texts, name);
	}
	return range;
}

static uint32_t container_of(const struct hlod_builder *builder, const struct cs_cooked_cell *cell)
{
	for (uint32_t i = 1; i < builder->world->containers.n; i++)
		if (builder->world->containers.at[i].kind == CS_CONTAINER_BUNDLE &&
			cs_guid_compare(builder->world->containers.at[i].content_bundle,
				cell->content_bundle) == 0)
			return i;
	return 0;
}

static bool is_of_last_level(const struct hlod_builder *builder, struct cs_guid guid)
{
	size_t at = cs_lower_bound(
		0, builder->last.n, i, cs_guid_compare(builder->last.at[i], guid) < 0);
	return at < builder->last.n && cs_guid_compare(builder->last.at[at], guid) == 0;
}

/* Returns whether the actor is represented by the HLOD actor of this layer on the current level. */
static bool is_source(const struct hlod_builder *builder, uint32_t row, uint32_t layer)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(builder->cooked, row);
	const uint32_t needed = CS_ACTOR_SPATIAL | CS_ACTOR_HLOD_RELEVANT;
	if ((actor->flags & needed) != needed || actor->hlod_layer != layer)
		return false;
	return actor->flags & CS_ACTOR_HLOD ? is_of_last_level(builder, actor->guid)
					    : builder->level == 0;
}

static void collect_sources(struct hlod_builder *builder, const struct cs_cooked_cell *cell,
	uint32_t layer, struct cs_actor *actor, struct cs_hlod_actor *hlod)
{
	hlod->sources.first = (uint32_t)builder->world->guids.n;
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row =
			cs_cooked_id(builder->cooked, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		if (!is_source(builder, row, layer))
			continue;
		actor->bounds = cs_box_union(
			&actor->bounds, &cs_cooked_actor(builder->cooked, row)->bounds);
		if (!cs_vec_push(&builder->world->guids,
			    cs_cooked_detail(builder->cooked, row)->instance_guid))
			builder->failed = true;
	}
	hlod->sources.count = (uint32_t)builder->world->guids.n - hlod->sources.first;
}

static void hlod_actors_add_hlod(
	struct hlod_builder *builder, const struct cs_cooked_cell *cell, uint32_t layer_row)
{
	const struct cs_cooked_hlod_layer *layer = &builder->cooked->hlod_layers[layer_row];
	const char *path = hlod_actors_text(builder, layer->path);
	struct cs_actor actor = cs_actor_default();
	struct cs_hlod_actor hlod = {
		.source_cell = cell->guid,
		.source_cell_name =
			hlod_actors_add_text(builder, "%s", hlod_actors_text(builder, cell->name)),
		.layer = hlod_actors_add_text(builder, "%s", path),
		.min_visible_distance = builder->cooked->partitions[cell->partition].loading_range,
	};
	actor.guid = guid_of(cell, path);
	collect_sources(builder, cell, layer_row, &actor, &hlod);
	actor.name = hlod_actors_add_text(
		builder, "%s_%08x%08x", cs_last_name(path), actor.guid.a, actor.guid.b);
	actor.label = hlod_actors_add_text(
		builder, "%s/%s", cs_last_name(path), hlod_actors_text(builder, cell->name));
	actor.native_class = hlod_actors_add_text(builder, "/Script/Engine.WorldPartitionHLOD");
	actor.package = hlod_actors_add_text(builder, "%s_HLOD/%s",
		hlod_actors_text(builder, builder->cooked->world->package),
		cs_world_text(builder->world, actor.name));
	actor.folder = hlod_actors_add_text(builder, "HLOD/%s", cs_last_name(path));
	actor.editor_bounds = actor.bounds;
	if (cs_box_valid(&actor.bounds))
		actor.transform.translation = cs_box_centre(&actor.bounds);
	actor.grid = hlod_actors_grid_of(builder, cell, layer);
	actor.layers = layers_of(builder, cell);
	actor.container = container_of(builder, cell);
	actor.flags |= CS_ACTOR_RUNTIME_ONLY | CS_ACTOR_HLOD;
	if (!(layer->flags & CS_HLOD_SPATIAL))
		actor.flags &= ~CS_ACTOR_OWN_SPATIAL;
	if (layer->parent != CS_NONE)
		actor.hlod_layer = hlod_actors_add_text(builder, "%s",
			hlod_actors_text(
				builder, builder->cooked->hlod_layers[layer->parent].path));
	else
		actor.flags &= ~CS_ACTOR_HLOD_RELEVANT;
	actor.hlod = (uint32_t)builder->world->hlods.n;
	if (!cs_vec_push(&builder->world->hlods, hlod) ||
		!cs_world_push_actor(builder->world, &actor) ||
		!cs_vec_push(&builder->added, actor.guid))
		builder->failed = true;
}

/* ---- building one level ---- */

static bool hlod_actors_has_source(
	const struct hlod_builder *builder, const struct cs_cooked_cell *cell, uint32_t layer)
{
	for (uint32_t i = 0; i < cell->actors.count; i++)
		if (is_source(builder,
			    cs_cooked_id(
				    builder->cooked, CS_IDS_CELL_ACTORS, cell->actors.first + i),
			    layer))
			return true;
	return false;
}

static void hlod_actors_add_level(struct hlod_builder *builder)
{
	for (size_t i = 0; i < builder->cooked->n_cells && !builder->failed; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(builder->cooked, i);
		bool hlod_cell = cell->flags & CS_CELL_HLOD;
		if (cell->flags & CS_CELL_ALWAYS_LOADED || hlod_cell != (builder->level > 0))
			continue;
		for (uint32_t layer = 0; layer < builder->cooked->n_hlod_layers; layer++)
			if (hlod_actors_has_source(builder, cell, layer))
				hlod_actors_add_hlod(builder, cell, layer);
	}
}

/* Makes the HLOD actors of this level the sources of the next one; false when memory runs out. */
static bool hlod_actors_hand_on(struct hlod_builder *builder)
{
	builder->last.n = 0;
	if (!cs_vec_append(&builder->last, builder->added.at, builder->added.n))
		return false;
	builder->added.n = 0;
	return cs_sort(builder->last.at, builder->last.n, sizeof(*builder->last.at),
		cs_compare_guids, NULL);
}

static struct cs_error *cook_level(struct hlod_builder *builder,
	const struct cs_cook_options *options, const struct cs_job *job)
{
	struct cs_cooked *cooked = NULL;
	unsigned char *bytes = NULL;
	size_t size;
	struct cs_error *error = cs_cook_in_memory(builder->world, options, job, &bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(bytes, size, "hlod", job, &cooked);
	if (!error)
		error = cs_cooked_load_details(cooked);
	if (!error) {
		builder->cooked = cooked;
		hlod_actors_add_level(builder);
		error = builder->failed ? cs_error_nomem() : cs_world_seal(builder->world, job);
	}
	cs_cooked_close(cooked);
	free(bytes);
	return error;
}

struct cs_error *cs_hlod_build(struct cs_world *world, const struct cs_cook_options *options,
	const struct cs_job *job, size_t *n_ret)
{
	struct hlod_builder builder = {.world = world};
	size_t n = 0;
	remove_old(world);
	struct cs_error *error = cs_world_seal(world, job);
	for (; !error && builder.level < MOST_LEVELS; builder.level++) {
		error = cook_level(&builder, options, job);
		n += builder.added.n;
		if (error || builder.added.n == 0)
			break;
		if (!hlod_actors_hand_on(&builder))
			error = cs_error_nomem();
	}
	cs_vec_free(&builder.last);
	cs_vec_free(&builder.added);
	if (!error)
		*n_ret = n;
	return error;
}
