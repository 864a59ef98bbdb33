/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: a world in order but for ten faults that are planted in it, for what looks for faults. The
 * world: small actors in groups that reference their neighbours, a few layers, two grids whose
 * cells hold enough. Each fault is known by the name Fault_KIND of its actor, grid or layers. Seed
 * 0 has the first ten of the table, any other seed ten of all.
 */
#include "make/generate.h"

#include <math.h>

enum { FAULTS = 10, KINDS = 17 };

static struct cs_guid add_at(
	struct cs_generator *g, const char *label, struct cs_vec3 at, double size)
{
	const struct cs_vec3 extent = {size, size, size};
	struct cs_actor *actor = cs_generate_actor(g, "Prop", "Engine.StaticMeshActor", at, extent);
	if (label)
		actor->label = cs_generate_text(g, "%s", label);
	return actor->guid;
}

static struct cs_actor *last(struct cs_generator *g)
{
	return &g->actor;
}

static struct cs_vec3 beside(struct cs_generator *g, struct cs_vec3 at, double far)
{
	const double x = cs_random_range(&g->random, -far, far);
	const double y = cs_random_range(&g->random, -far, far);
	return (struct cs_vec3){floor(at.x + x), floor(at.y + y), 0};
}

/* The centre of a cell of 12,800, so that a small group around it stays in one cell. */
static struct cs_vec3 cell_centre(struct cs_generator *g)
{
	struct cs_vec3 at = cs_generate_point(g);
	return (struct cs_vec3){
		(floor(at.x / 12800) + 0.5) * 12800, (floor(at.y / 12800) + 0.5) * 12800, 0};
}

/* Actors around a place, each with a reference to the first, whose GUID is returned. */
static struct cs_guid add_group(struct cs_generator *g, struct cs_vec3 at, uint32_t n)
{
	const struct cs_guid first = add_at(g, NULL, at, 300);
	for (uint32_t i = 1; i < n; i++) {
		/* one draw a statement: C leaves the order of arguments open */
		const double size = floor(cs_random_range(&g->random, 40, 400));
		add_at(g, NULL, beside(g, at, 2500), size);
		cs_generate_reference(g, last(g), first);
	}
	return first;
}

/* ---- the faults ---- */

/* Two groups at opposite ends of the world that stepping stones hold together. */
static void plant_chain(struct cs_generator *g)
{
	const double end = floor(g->half_side * 0.8);
	struct cs_guid next = add_group(g, (struct cs_vec3){end, end, 0}, 24);
	for (int i = 5; i > -6; i -= 2) {
		struct cs_guid stone = add_at(
			g, "Fault_Chain", (struct cs_vec3){end * i / 6, end * i / 6, 0}, 200);
		last(g)->label = cs_generate_text(g, "Fault_Chain_%d", (5 - i) / 2);
		cs_generate_reference(g, last(g), next);
		next = stone;
	}
	add_group(g, (struct cs_vec3){-end, -end, 0}, 24);
	cs_generate_reference(g, last(g), next);
}

/* As large in the editor as at run time: it is meant, but takes what it references with it. */
static void plant_oversized(struct cs_generator *g)
{
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid near[16];
	for (size_t i = 0; i < 16; i++)
		near[i] = add_at(g, NULL, beside(g, at, 2500), 150);
	add_at(g, "Fault_Oversized", at, floor(g->half_side * 0.7));
	last(g)->native_class = cs_generate_text(g, "/Script/Engine.Cliff");
	for (size_t i = 0; i < 16; i++)
		cs_generate_reference(g, last(g), near[i]);
}

static void plant_always(struct cs_generator *g)
{
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid to = add_at(g, "Fault_Always", at, 200);
	last(g)->flags &= ~CS_ACTOR_OWN_SPATIAL;
	for (int i = 0; i < 15; i++) {
		add_at(g, NULL, beside(g, at, 2500), 100);
		cs_generate_reference(g, last(g), to);
	}
}

static void plant_bounds(struct cs_generator *g)
{
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid to = add_at(g, "Fault_Bounds", at, 200);
	last(g)->bounds.min.x -= g->half_side;
	last(g)->bounds.max.x += g->half_side * 1.5;
	last(g)->bounds.max.y += g->half_side;
	for (int i = 0; i < 24; i++) {
		add_at(g, NULL, beside(g, at, 2500), 100);
		cs_generate_reference(g, last(g), to);
	}
}

static uint32_t layer_called(struct cs_generator *g, const char *name)
{
	for (size_t i = 0; i < g->world->layers.n; i++)
		if (strcmp(cs_strings_get(&g->world->strings, g->world->layers.at[i].label),
			    name) == 0)
			return (uint32_t)i;
	return cs_generate_layer(g, name, CS_LAYER_RUNTIME, NULL);
}

/* Many actors have the one layer or the other, a few among them have both. */
static void plant_layers(struct cs_generator *g)
{
	const uint32_t day = layer_called(g, "Fault_LayersDay"), night = layer_called(g, "Night");
	for (int i = 0; i < 360; i++) {
		add_at(g, NULL, beside(g, (struct cs_vec3){0, 0, 0}, g->half_side * 0.3), 200);
		cs_generate_layer_name(g, last(g), i % 6 == 0 ? day : i % 2 ? day : night);
		if (i % 6 == 0)
			cs_generate_layer_name(g, last(g), night);
	}
}

static void add_grid(struct cs_generator *g, const char *name, double cell_size, double range)
{
	struct cs_source_partition grid = cs_partition_default();
	grid.name = cs_generate_text(g, "%s", name);
	grid.cell_size = cell_size;
	grid.loading_range = range;
	if (g->world->partitions.n) /* the HLOD layers serve every grid */
		grid.setups = g->world->partitions.at[0].setups;
	g->failed = g->failed || !cs_vec_push(&g->world->partitions, grid);
}

static void fill_grid(struct cs_generator *g, const char *name, uint32_t n, double far)
{
	const struct cs_vec3 at = {0, 0, 0};
	for (uint32_t i = 0; i < n; i++) {
		add_at(g, NULL, beside(g, at, far), 60);
		last(g)->grid = cs_generate_text(g, "%s", name);
	}
}

static void plant_range(struct cs_generator *g)
{
	add_grid(g, "Fault_Range", 6400, 160000);
	fill_grid(g, "Fault_Range", 450, g->half_side * 0.3);
}

static void plant_tiny(struct cs_generator *g)
{
	add_grid(g, "Fault_Tiny", 900, 7000);
	fill_grid(g, "Fault_Tiny", 500, g->half_side * 0.2);
}

static void plant_huge(struct cs_generator *g)
{
	add_grid(g, "Fault_Huge", 819200, 12800);
	fill_grid(g, "Fault_Huge", 500, g->half_side * 0.9);
}

/* Cooked children of an editor-only actor that hangs on another one. */
static void plant_parent(struct cs_generator *g)
{
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid above = add_at(g, "Fault_ParentTop", at, 100);
	last(g)->flags |= CS_ACTOR_EDITOR_ONLY;
	struct cs_guid parent = add_at(g, "Fault_Parent", at, 100);
	last(g)->flags |= CS_ACTOR_EDITOR_ONLY;
	last(g)->parent = above;
	for (int i = 0; i < 6; i++) {
		add_at(g, NULL, beside(g, at, 2500), 100);
		last(g)->parent = parent;
	}
}

/* A layer that no setup of the grid serves. */
static void plant_hlod(struct cs_generator *g)
{
	struct cs_source_hlod_layer layer = {
		.path = cs_generate_text(g, "/Game/HLOD/Gone.Gone"), .spatial = true};
	g->failed = g->failed || !cs_vec_push(&g->world->hlod_layers, layer);
	for (int i = 0; i < 8; i++) {
		add_at(g, NULL, cs_generate_point(g), 900);
		last(g)->label = cs_generate_text(g, "Fault_Hlod_%d", i);
		last(g)->hlod_layer = cs_generate_text(g, "/Game/HLOD/Gone.Gone");
	}
}

/* One reference between two groups that are otherwise whole. */
static void plant_bridge(struct cs_generator *g)
{
	const double end = floor(g->half_side * 0.7);
	struct cs_guid far = add_group(g, (struct cs_vec3){end, -end, 0}, 20);
	struct cs_guid to = add_at(g, NULL, (struct cs_vec3){-end, end, 0}, 200);
	for (int i = 0; i < 20; i++) {
		add_at(g, NULL, beside(g, (struct cs_vec3){-end, end, 0}, 2500), 100);
		cs_generate_reference(g, last(g), to);
	}
	add_at(g, "Fault_Bridge", (struct cs_vec3){-end, end, 0}, 200);
	cs_generate_reference(g, last(g), to);
	cs_generate_reference(g, last(g), far);
}

static void plant_script(struct cs_generator *g)
{
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid to = add_at(g, "Fault_Script", at, 200);
	for (int i = 0; i < 12; i++) {
		add_at(g, NULL, beside(g, at, 2500), 100);
		cs_generate_reference(g, last(g), to);
	}
	struct cs_range *script = &g->world->settings.world_references;
	*script = (struct cs_range){(uint32_t)g->world->guids.n, 1};
	g->failed = g->failed || !cs_vec_push(&g->world->guids, to);
}

static void plant_grid(struct cs_generator *g)
{
	for (int i = 0; i < 12; i++) {
		add_at(g, NULL, cs_generate_point(g), 200);
		last(g)->label = cs_generate_text(g, "Fault_Grid_%d", i);
		last(g)->grid = cs_generate_text(g, "MainGird");
	}
}

static void plant_mismatch(struct cs_generator *g)
{
	const uint32_t night = layer_called(g, "Night");
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid to = add_at(g, "Fault_Mismatch", at, 200);
	cs_generate_layer_name(g, last(g), night);
	for (int i = 0; i < 6; i++) {
		add_at(g, NULL, beside(g, at, 2500), 100);
		cs_generate_reference(g, last(g), to);
	}
}

static void plant_other_grid(struct cs_generator *g)
{
	const struct cs_vec3 at = cell_centre(g);
	struct cs_guid to = add_at(g, "Fault_OtherGrid", at, 200);
	last(g)->grid = cs_generate_text(g, "Small");
	for (int i = 0; i < 6; i++) {
		add_at(g, NULL, beside(g, at, 2500), 100);
		cs_generate_reference(g, last(g), to);
	}
}

/* A class that streams, but for some of it. */
static void plant_class(struct cs_generator *g)
{
	for (int i = 0; i < 160; i++) {
		add_at(g, NULL, cs_generate_point(g), 200);
		last(g)->native_class = cs_generate_text(g, "/Script/Engine.Crate");
		if (i % 6 != 0)
			continue;
		last(g)->label = cs_generate_text(g, "Fault_Class_%d", i / 6);
		last(g)->flags &= ~CS_ACTOR_OWN_SPATIAL;
	}
}

/* What has no place to stream by is there everywhere. */
static void plant_no_bounds(struct cs_generator *g)
{
	for (int i = 0; i < 24; i++) {
		add_at(g, NULL, cs_generate_point(g), 200);
		last(g)->label = cs_generate_text(g, "Fault_NoBounds_%d", i);
		last(g)->bounds = CS_BOX_INVALID;
	}
}

static void (*const faults[KINDS])(struct cs_generator *g) = {
	plant_chain,
	plant_oversized,
	plant_always,
	plant_bounds,
	plant_layers,
	plant_range,
	plant_tiny,
	plant_huge,
	plant_parent,
	plant_hlod,
	plant_bridge,
	plant_script,
	plant_grid,
	plant_mismatch,
	plant_other_grid,
	plant_class,
	plant_no_bounds,
};

/* Ten of them, by drawing; the first ten for the seed 0. */
static void plant_all(struct cs_generator *g, bool first_ten)
{
	size_t order[KINDS];
	for (size_t i = 0; i < KINDS; i++)
		order[i] = i;
	for (uint32_t i = 0; i < FAULTS; i++) {
		uint32_t other = first_ten ? i : i + cs_random_below(&g->random, KINDS - i);
		size_t drawn = order[other];
		order[other] = order[i];
		order[i] = drawn;
		faults[drawn](g);
	}
}

/* ---- what is in order ---- */

static void add_order(struct cs_generator *g)
{
	const uint32_t night = layer_called(g, "Night");
	while (cs_generate_left(g) > 8) {
		const struct cs_vec3 at = cell_centre(g);
		uint32_t n = 4 + cs_random_below(&g->random, 4);
		if (cs_random_below(&g->random, 4) == 0) {
			add_at(g, NULL, at, 200);
			cs_generate_layer_name(g, last(g), night);
		}
		add_group(g, at, n);
	}
	for (int i = 0; i < 6; i++) {
		cs_generate_actor(g, "Manager", "Game.Manager", (struct cs_vec3){0, 0, 0},
			(struct cs_vec3){50, 50, 50});
		last(g)->flags &= ~CS_ACTOR_OWN_SPATIAL;
	}
}

void cs_generate_faults(struct cs_generator *g)
{
	cs_generate_partition(g, 12800, 25600);
	add_grid(g, "Small", 6400, 12800);
	fill_grid(g, "Small", 300, g->half_side * 0.3);
	add_order(g);
	plant_all(g, g->seed == 0);
}
