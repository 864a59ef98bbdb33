/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generates the city, modelled on public figures of a dense demo world: at full size 4x4 km,
 * 101,959 actors, 35 runtime and 32 editor data layers, references and level instances, 128 m
 * cells. It is built block by block: each block has a building, signs attached to it, and props
 * around it. Streets cross the city.
 */
#include "core/guid.h"
#include "make/generate.h"

#include <math.h>
#include <stdio.h>

enum { RUNTIME_LAYERS = 35, EDITOR_LAYERS = 32, HOUSES = 8, HOUSE_ACTORS = 24 };

static bool chance(struct cs_generator *generator, uint32_t percent)
{
	return cs_random_below(&generator->random, 100) < percent;
}

static double generate_city_between(struct cs_generator *generator, double low, double high)
{
	return floor(cs_random_range(&generator->random, low, high));
}

/* Generates coordinates in turn: C leaves the order of evaluation in an initialiser unspecified. */
static struct cs_vec3 point_between(
	struct cs_generator *generator, struct cs_vec3 low, struct cs_vec3 high)
{
	struct cs_vec3 point;
	point.x = generate_city_between(generator, low.x, high.x);
	point.y = generate_city_between(generator, low.y, high.y);
	point.z = low.z < high.z ? generate_city_between(generator, low.z, high.z) : low.z;
	return point;
}

static void generate_city_add_layers(struct cs_generator *generator)
{
	static const char *const groups[] = {
		"Base", "Night", "Quest", "Event", "Weather", "Crowd", "Traffic"};
	char name[32], parent[32];
	for (uint32_t i = 0; i < RUNTIME_LAYERS; i++) {
		snprintf(name, sizeof(name), "%s_%u", groups[i % 7], i / 7);
		snprintf(parent, sizeof(parent), "%s_0", groups[i % 7]);
		cs_generate_layer(generator, name, false, i < 7 ? NULL : parent);
	}
	for (uint32_t i = 0; i < EDITOR_LAYERS; i++) {
		snprintf(name, sizeof(name), "Editor_%u", i);
		cs_generate_layer(generator, name, true, NULL);
	}
}

/* Assigns 7 % of actors to a runtime data layer, and a fifth of these also to an editor layer. */
static void maybe_layer(struct cs_generator *generator, struct cs_actor *actor)
{
	if (!chance(generator, 7))
		return;
	cs_generate_layer_name(
		generator, actor, cs_random_below(&generator->random, RUNTIME_LAYERS));
	if (chance(generator, 20))
		cs_generate_layer_name(generator, actor,
			RUNTIME_LAYERS + cs_random_below(&generator->random, EDITOR_LAYERS));
}

/* Adds houses: levels with furniture, which level instances embed. */
static void add_houses(struct cs_generator *generator)
{
	for (uint32_t house = 0; house < HOUSES; house++) {
		char package[64];
		uint32_t container;
		snprintf(package, sizeof(package), "/Game/Levels/House_%u", house);
		struct cs_error *error = cs_world_container(generator->world, package, &container);
		if (error) {
			cs_error_free(error);
			generator->failed = true;
			return;
		}
		generator->world->containers.at[container].missing = false;
		struct cs_guid previous = {0, 0, 0, 0};
		for (uint32_t i = 0; i < HOUSE_ACTORS && cs_generate_left(generator); i++) {
			struct cs_vec3 at = point_between(generator,
				(struct cs_vec3){-900, -900, 0}, (struct cs_vec3){900, 900, 600});
			struct cs_vec3 extent = point_between(generator,
				(struct cs_vec3){10, 10, 100}, (struct cs_vec3){300, 300, 100});
			struct cs_actor *actor = cs_generate_actor(
				generator, "Furniture", "Engine.StaticMeshActor", at, extent);
			actor->container = container;
			if (i % 6 == 5)
				cs_generate_reference(generator, actor, previous);
			previous = actor->guid;
		}
	}
}

static void generate_city_add_level_instance(struct cs_generator *generator, struct cs_vec3 at)
{
	struct cs_vec3 extent = {1200, 1200, 700};
	struct cs_level_instance li = {
		.level = cs_generate_text(generator, "/Game/Levels/House_%u",
			cs_random_below(&generator->random, HOUSES)),
		.behavior = CS_BEHAVIOR_PARTITIONED,
	};
	struct cs_actor *actor =
		cs_generate_actor(generator, "House", "Engine.LevelInstance", at, extent);
	actor->transform.rotation =
		cs_quat_from_euler(0, 90.0 * cs_random_below(&generator->random, 4), 0);
	actor->level_instance = (uint32_t)generator->world->level_instances.n;
	cs_vec_push_in(generator, world->level_instances, li);
}

static void add_building(struct cs_generator *generator, struct cs_vec3 at)
{
	struct cs_vec3 extent = point_between(
		generator, (struct cs_vec3){800, 800, 1500}, (struct cs_vec3){2400, 2400, 9000});
	at.z = extent.z;
	struct cs_actor *actor =
		cs_generate_actor(generator, "Building", "Engine.StaticMeshActor", at, extent);
	actor->base_class =
		cs_generate_text(generator, "/Game/Blueprints/BP_Building.BP_Building_C");
	struct cs_guid building = actor->guid;
	maybe_layer(generator, actor);
	/* signs, each attached to the building */
	for (uint32_t n = cs_random_below(&generator->random, 6);
		n > 0 && cs_generate_left(generator); n--) {
		struct cs_vec3 sign = {.x = at.x + extent.x};
		sign.y = at.y + generate_city_between(generator, -800, 800);
		sign.z = generate_city_between(generator, 200, 1200);
		struct cs_vec3 size = {60, 60, 40};
		actor = cs_generate_actor(generator, "Sign", "Engine.StaticMeshActor", sign, size);
		actor->parent = building;
	}
}

static void add_props(struct cs_generator *generator, struct cs_vec3 block, double block_size)
{
	static const char *const props[] = {"Lamp", "Bench", "Tree", "Car", "Bin", "Hydrant"};
	struct cs_guid previous = {0, 0, 0, 0};
	for (uint32_t n = 40 + cs_random_below(&generator->random, 40);
		n > 0 && cs_generate_left(generator); n--) {
		double half = block_size / 2;
		struct cs_vec3 at = point_between(generator, (struct cs_vec3){-half, -half, 0},
			(struct cs_vec3){half, half, 300});
		at.x += block.x;
		at.y += block.y;
		struct cs_vec3 extent = point_between(
			generator, (struct cs_vec3){10, 10, 20}, (struct cs_vec3){200, 200, 400});
		struct cs_actor *actor =
			cs_generate_actor(generator, props[cs_random_below(&generator->random, 6)],
				"Engine.StaticMeshActor", at, extent);
		/* with a chance of 4 %, refer to the previous prop unless that has layers */
		if (chance(generator, 4) && !cs_guid_is_zero(previous))
			cs_generate_reference(generator, actor, previous);
		else
			maybe_layer(generator, actor);
		previous = actor->layers.count ? (struct cs_guid){0, 0, 0, 0} : actor->guid;
		actor->flags &= chance(generator, 1) ? ~CS_ACTOR_HLOD_RELEVANT : ~0u;
	}
}

static void add_street(struct cs_generator *generator, struct cs_vec3 at, double length)
{
	bool along_x = chance(generator, 50);
	struct cs_vec3 extent = {along_x ? length : 400, along_x ? 400 : length, 10};
	cs_generate_actor(generator, "Street", "Engine.StaticMeshActor", at, extent);
}

/* Adds managers and lights, which are not spatially loaded, and notes, which are editor-only. */
static void add_managers(struct cs_generator *generator)
{
	static const char *const managers[] = {"Engine.DirectionalLight", "Engine.SkyLight",
		"Engine.SkyAtmosphere", "Engine.ExponentialHeightFog", "Engine.WorldDataLayers",
		"MassTraffic.TrafficManager", "MassCrowd.CrowdManager"};
	struct cs_vec3 origin = {0, 0, 0}, extent = {100, 100, 100};
	for (uint32_t i = 0; i < 7 && cs_generate_left(generator); i++)
		cs_generate_actor(generator, "Manager", managers[i], origin, extent)->flags &=
			~CS_ACTOR_OWN_SPATIAL;
	for (uint64_t i = generator->wanted / 2000; i > 0 && cs_generate_left(generator); i--)
		cs_generate_actor(
			generator, "Note", "Engine.Note", cs_generate_point(generator), extent)
			->flags |= CS_ACTOR_EDITOR_ONLY;
}

void cs_generate_city(struct cs_generator *generator)
{
	const double block_size = 10000;
	cs_generate_partition(generator, 12800, 12800);
	generate_city_add_layers(generator);
	add_managers(generator);
	if (generator->wanted > 2000)
		add_houses(generator);
	while (cs_generate_left(generator)) {
		struct cs_vec3 block = cs_generate_point(generator);
		add_building(generator, block);
		if (cs_generate_left(generator) && generator->wanted > 2000 &&
			chance(generator, 12))
			generate_city_add_level_instance(generator, cs_generate_point(generator));
		if (cs_generate_left(generator) && chance(generator, 30)) {
			double length = generate_city_between(generator, 2000, 30000);
			add_street(generator, cs_generate_point(generator), length);
		}
		add_props(generator, block, block_size);
	}
}
