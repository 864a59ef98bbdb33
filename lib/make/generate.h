/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of all world generators to add actors, layers and grids, with one random sequence. */
#pragma once

#include <cellscope/mesh.h>

#include "core/random.h"
#include "world/world_internal.h"

struct cs_generator {
	struct cs_world *world;
	const struct cs_job *job;
	struct cs_random random;
	uint64_t wanted;       /* number of actor descriptors to generate */
	double half_side;      /* half the side of the square world, in cm */
	bool failed;           /* whether memory ran out. Actors added later are dropped */
	bool is_open;          /* whether `actor` is filled but not yet added to the world */
	struct cs_actor actor; /* the actor begun last */
};

/*
 * Formats a text and adds it to the world. Returns its offset, or when memory runs out sets
 * `failed` and returns 0.
 */
uint32_t cs_generate_text(struct cs_generator *generator, const char *format, ...) CS_PRINTF(2, 3);
/*
 * Begins a new actor "NAME_NUMBER" of a native class with a random GUID and a box around `centre`.
 * The result is valid until the next call, which adds the actor to the world.
 */
struct cs_actor *cs_generate_actor(struct cs_generator *generator, const char *name,
	const char *native_class, struct cs_vec3 centre, struct cs_vec3 extent);
/* Returns the number of actors, including the one begun last. */
size_t cs_generate_count(const struct cs_generator *generator);
uint64_t cs_generate_left(const struct cs_generator *generator);
void cs_generate_reference(
	struct cs_generator *generator, struct cs_actor *actor, struct cs_guid to);
void cs_generate_layer_name(struct cs_generator *generator, struct cs_actor *actor, uint32_t layer);
/* Adds a data layer with an asset. Returns the index of the layer. */
uint32_t cs_generate_layer(
	struct cs_generator *generator, const char *name, bool is_editor, const char *parent);
/* Adds an HLOD layer /Game/HLOD/NAME.NAME and appends an HLOD setup for it to world->setups. */
void cs_generate_hlod(struct cs_generator *generator, const char *name, const char *parent,
	bool spatial, double cell_size, double loading_range);
/* Adds partition MainGrid with HLOD0 (spatially loaded) and HLOD1 (not), and their HLOD layers. */
void cs_generate_partition(struct cs_generator *generator, double cell_size, double loading_range);
struct cs_vec3 cs_generate_point(struct cs_generator *generator);

/* A kind of generated world: its generator, and its size when the recipe does not state one. */
struct cs_world_form {
	const char *package;
	uint64_t actors;
	double half_side; /* half the side of a world that has `actors` actors, in cm */
	void (*generate)(struct cs_generator *g);
};

/* Generates a world of the kind `form`, with the number of actors and the seed of the recipe. */
struct cs_error *cs_generate_world(const struct cs_world_form *form,
	const struct cs_world_recipe *recipe, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

void cs_generate_city(struct cs_generator *generator);
void cs_generate_open(struct cs_generator *generator);
