/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generates worlds: chooses the generator by the kind of world, and provides helpers. One sequence
 * of random numbers and one thread are used, so that a recipe gives the same world on every
 * machine.
 */
#include "make/generate.h"

#include "core/job.h"
#include "world/world_internal.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

uint32_t cs_generate_text(struct cs_generator *generator, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	uint32_t id = cs_strings_add_z(&generator->world->strings, text);
	generator->failed = generator->failed || id == CS_NONE;
	return id == CS_NONE ? 0 : id;
}

uint64_t cs_generate_left(const struct cs_generator *generator)
{
	const size_t n = cs_generate_count(generator);
	return generator->failed || n >= generator->wanted ? 0 : generator->wanted - n;
}

size_t cs_generate_count(const struct cs_generator *generator)
{
	return generator->world->actors.n + generator->is_open;
}

/* Adds generator->actor to the world. All fields of the actor must be set. */
static void generate_settle(struct cs_generator *generator)
{
	if (generator->is_open && !cs_world_push_actor(generator->world, &generator->actor))
		generator->failed = true;
	generator->is_open = false;
}

struct cs_vec3 cs_generate_point(struct cs_generator *generator)
{
	double x = cs_random_range(&generator->random, -generator->half_side, generator->half_side);
	double y = cs_random_range(&generator->random, -generator->half_side, generator->half_side);
	return (struct cs_vec3){floor(x), floor(y), 0};
}

struct cs_actor *cs_generate_actor(struct cs_generator *generator, const char *name,
	const char *native_class, struct cs_vec3 centre, struct cs_vec3 extent)
{
	generate_settle(generator);
	struct cs_actor actor = cs_actor_default();
	size_t number = generator->world->actors.n;
	actor.guid = cs_random_guid(&generator->random);
	actor.guid.a |= 1; /* a GUID must not be zero */
	actor.name = cs_generate_text(generator, "%s_%zu", name, number);
	actor.label = actor.name;
	actor.native_class = cs_generate_text(generator, "/Script/%s", native_class);
	actor.package = cs_generate_text(generator, "/Game/__ExternalActors__/%s/%08X",
		cs_world_name(generator->world), actor.guid.a);
	actor.transform.translation = centre;
	actor.bounds = (struct cs_box){
		{centre.x - extent.x, centre.y - extent.y, centre.z - extent.z},
		{centre.x + extent.x, centre.y + extent.y, centre.z + extent.z},
	};
	actor.editor_bounds = actor.bounds;
	generator->actor = actor;
	generator->is_open = !generator->failed;
	if (number % 65536 == 0)
		cs_job_progress(generator->job, "generate", number, generator->wanted);
	return &generator->actor;
}

void cs_generate_reference(
	struct cs_generator *generator, struct cs_actor *actor, struct cs_guid to)
{
	if (actor->references.count == 0)
		actor->references.first = (uint32_t)generator->world->guids.n;
	if (!cs_vec_push(&generator->world->guids, to))
		generator->failed = true;
	else
		actor->references.count++;
}

void cs_generate_layer_name(struct cs_generator *generator, struct cs_actor *actor, uint32_t layer)
{
	if (actor->layers.count == 0)
		actor->layers.first = (uint32_t)generator->world->texts.n;
	if (generator->failed ||
		!cs_vec_push(&generator->world->texts, generator->world->layers.at[layer].asset))
		generator->failed = true;
	else
		actor->layers.count++;
}

uint32_t cs_generate_layer(
	struct cs_generator *generator, const char *name, bool is_editor, const char *parent)
{
	struct cs_source_layer layer = {
		.name = cs_generate_text(generator, "DataLayer_%s", name),
		.label = cs_generate_text(generator, "%s", name),
		.asset = cs_generate_text(generator, "/Game/DataLayers/%s.%s", name, name),
		.parent = parent ? cs_generate_text(generator, "DataLayer_%s", parent) : 0,
		.type = is_editor ? CS_LAYER_EDITOR : CS_LAYER_RUNTIME,
		.initial = cs_random_below(&generator->random, 3),
		.color = (uint32_t)cs_random_u64(&generator->random) & 0xffffff,
	};
	cs_vec_push_in(generator, world->layers, layer);
	return (uint32_t)generator->world->layers.n - 1;
}

static uint32_t hlod_path(struct cs_generator *generator, const char *name)
{
	return name ? cs_generate_text(generator, "/Game/HLOD/%s.%s", name, name) : 0;
}

void cs_generate_hlod(struct cs_generator *generator, const char *name, const char *parent,
	bool spatial, double cell_size, double loading_range)
{
	struct cs_source_hlod_layer layer = {
		.path = hlod_path(generator, name),
		.parent = hlod_path(generator, parent),
		.spatial = spatial,
		.cell_size = cell_size,
		.loading_range = loading_range,
	};
	struct cs_source_partition setup = cs_partition_default();
	setup.name = cs_generate_text(generator, "%s", name);
	setup.spatial = spatial;
	setup.client_only = true;
	setup.cell_size = cell_size;
	setup.loading_range = loading_range;
	setup.hlod_layers = (struct cs_range){(uint32_t)generator->world->texts.n, 1};
	if (!spatial)
		setup.partition_class = CS_PARTITION_PERSISTENT;
	generator->failed |= !cs_vec_push(&generator->world->hlod_layers, layer) ||
			     !cs_vec_push(&generator->world->texts, layer.path) ||
			     !cs_vec_push(&generator->world->setups, setup);
}

void cs_generate_partition(struct cs_generator *generator, double cell_size, double loading_range)
{
	struct cs_source_partition main_grid = cs_partition_default();
	main_grid.name = cs_generate_text(generator, "MainGrid");
	main_grid.cell_size = cell_size;
	main_grid.loading_range = loading_range;
	main_grid.setups = (struct cs_range){(uint32_t)generator->world->setups.n, 2};
	cs_generate_hlod(generator, "HLOD0", "HLOD1", true, cell_size * 2, loading_range * 3);
	cs_generate_hlod(generator, "HLOD1", NULL, false, cell_size, 0);
	generator->world->settings.default_hlod_layer = hlod_path(generator, "HLOD0");
	cs_vec_push_in(generator, world->partitions, main_grid);
}

struct cs_error *cs_world_generate(
	const struct cs_world_recipe *recipe, const struct cs_job *job, struct cs_world **ret)
{
	static const struct cs_world_form forms[] = {
		[CS_WORLD_CITY] = {"/Game/Maps/City", 101959, 200000, cs_generate_city},
		[CS_WORLD_OPEN] = {"/Game/Maps/Open", 20000, 400000, cs_generate_open},
	};
	return recipe->kind == CS_WORLD_EMPTY
		       ? cs_world_empty("/Game/Pages", ret)
		       : cs_generate_world(&forms[recipe->kind], recipe, job, ret);
}

struct cs_error *cs_generate_world(const struct cs_world_form *form,
	const struct cs_world_recipe *recipe, const struct cs_job *job, struct cs_world **ret)
{
	struct cs_generator generator = {.job = job,
		.random = {recipe->seed},
		.wanted = recipe->actors ? recipe->actors : form->actors};
	if (generator.wanted > 1u << 24)
		return cs_error_new(CS_E_LIMIT,
			"at most %u actors can be generated (--actors), not %llu", 1u << 24,
			(unsigned long long)generator.wanted);
	struct cs_error *error = cs_world_new(form->package, &generator.world);
	if (error)
		return error;
	/* the area grows with the number of actors, so that the density stays the same */
	generator.half_side =
		floor(form->half_side * sqrt((double)generator.wanted / (double)form->actors));
	generator.world->settings.source = cs_generate_text(&generator, "json");
	generator.world->settings.profile = cs_generate_text(&generator, "5.4");
	generator.world->settings.hash_class = CS_SOURCE_HASH_SET;
	form->generate(&generator);
	generate_settle(&generator);
	error = generator.failed ? cs_error_nomem() : cs_world_seal(generator.world, job);
	if (error)
		cs_world_free(generator.world);
	else
		*ret = generator.world;
	return error;
}
