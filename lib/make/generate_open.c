/* SPDX-License-Identifier: Apache-2.0 */
/* The open landscape: tiles of ground, foliage and rocks, a lake and a mountain over many cells. */
#include "make/generate.h"

#include <math.h>

static void add_landscape(struct cs_generator *generator)
{
	const double tile = 25600;
	int64_t tiles = (int64_t)ceil(generator->half_side / tile);
	uint64_t most = generator->wanted / 4;
	for (int64_t y = -tiles; y < tiles; y++) {
		for (int64_t x = -tiles; x < tiles && most > 0; x++, most--) {
			struct cs_vec3 at = {((double)x + 0.5) * tile, ((double)y + 0.5) * tile, 0};
			struct cs_vec3 extent = {tile / 2, tile / 2,
				floor(cs_random_range(&generator->random, 100, 4000))};
			cs_generate_actor(generator, "LandscapeStreamingProxy",
				"Landscape.LandscapeStreamingProxy", at, extent);
		}
	}
}

static void add_nature(struct cs_generator *generator)
{
	static const struct {
		const char *name;
		uint32_t share; /* percentage of the actors that are of this kind */
		double least, most;
	} kinds[] = {
		{"Grass", 45, 50, 400},
		{"Bush", 25, 100, 300},
		{"Tree", 20, 300, 900},
		{"Rock", 9, 200, 3000},
		{"Cliff", 1, 5000, 20000},
	};
	while (cs_generate_left(generator)) {
		uint32_t roll = cs_random_below(&generator->random, 100), kind = 0;
		for (; roll >= kinds[kind].share; kind++)
			roll -= kinds[kind].share;
		struct cs_vec3 at = cs_generate_point(generator);
		double size = floor(
			cs_random_range(&generator->random, kinds[kind].least, kinds[kind].most));
		struct cs_vec3 extent = {size, floor(size * 0.8), floor(size * 0.6)};
		struct cs_actor *actor = cs_generate_actor(
			generator, kinds[kind].name, "Engine.StaticMeshActor", at, extent);
		if (cs_random_below(&generator->random, 50) == 0)
			cs_generate_layer_name(
				generator, actor, cs_random_below(&generator->random, 4));
	}
}

void cs_generate_open(struct cs_generator *generator)
{
	static const char *const seasons[] = {"Spring", "Summer", "Autumn", "Winter"};
	struct cs_vec3 origin = {0, 0, 0}, sun = {100, 100, 100};
	cs_generate_partition(generator, 25600, 76800);
	for (size_t i = 0; i < 4; i++)
		cs_generate_layer(generator, seasons[i], false, NULL);
	if (cs_generate_left(generator))
		cs_generate_actor(generator, "Sun", "Engine.DirectionalLight", origin, sun)
			->flags &= ~CS_ACTOR_OWN_SPATIAL;
	struct cs_vec3 lake = {generator->half_side / 2, floor(generator->half_side / 3), 10};
	if (cs_generate_left(generator))
		cs_generate_actor(generator, "Lake", "Water.WaterBodyLake", origin, lake);
	add_landscape(generator);
	add_nature(generator);
}
