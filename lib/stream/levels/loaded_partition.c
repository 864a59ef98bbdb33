/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores the world partitions of a run, with their names and transforms. A cooked file contains the
 * partition of its persistent level and those of its standalone level instances (rule 2.1). The
 * partition of an instance is registered only while the cell that contains the instance is shown.
 */
#include "stream/stream_internal.h"

#include "core/geometry.h"
#include "core/parallel.h"
#include "format/cooked_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names of world partitions ---- */

uint32_t cs_stream_find_world(const struct cs_stream *stream, const char *name)
{
	for (uint32_t i = 0; i < stream->worlds.n; i++)
		if (cs_name_compare(cs_stream_world(stream, i).name, name) == 0)
			return i;
	return CS_NONE;
}

struct cs_stream_world cs_stream_world(const struct cs_stream *stream, uint32_t world)
{
	const struct cs_run_world *run_world = stream->worlds.at[world];
	const struct cs_cooked *cooked = run_world->model.cooked;
	return (struct cs_stream_world){
		run_world->name ? run_world->name : cs_cooked_text(cooked, cooked->world->name),
		cooked};
}

/* Gives a world partition a unique name: "Town", "Town#2" and so on. */
static struct cs_error *run_world_name(
	struct cs_stream *stream, struct cs_run_world *world, const char *name)
{
	const char *base =
		name ? name : cs_cooked_text(world->model.cooked, world->model.cooked->world->name);
	size_t room = strlen(base) + 12;
	char *text = malloc(room);
	if (!text)
		return cs_error_nomem();
	free(world->name);
	world->name = text;
	snprintf(text, room, "%s", base);
	for (unsigned i = 2; cs_stream_find_world(stream, text) != world->id; i++)
		snprintf(text, room, "%s#%u", base, i);
	return NULL;
}

/* ---- creating and freeing ---- */

void cs_run_world_free(struct cs_run_world *world)
{
	if (!world)
		return;
	cs_run_model_deinit(&world->model);
	cs_arena_deinit(&world->layers.arena);
	cs_run_reached_deinit(&world->reached);
	cs_run_hlods_deinit(&world->hlods);
	cs_run_waiting_deinit(&world->queue);
	free(world->name);
	free(world->residents.cell_slot);
	cs_vec_free(&world->residents.cells);
	cs_vec_free(&world->policy.found);
	cs_vec_free(&world->policy.to_unload);
	free(world);
}

/* Returns the transform from world space to the local space of the world partition at `t`. */
static struct cs_transform inverse_of(const struct cs_transform *t)
{
	struct cs_quat turn = {-t->rotation.x, -t->rotation.y, -t->rotation.z, t->rotation.w};
	struct cs_vec3 back = cs_quat_rotate(
		turn, (struct cs_vec3){-t->translation.x, -t->translation.y, -t->translation.z});
	struct cs_vec3 scale = {1 / t->scale.x, 1 / t->scale.y, 1 / t->scale.z};
	return (struct cs_transform){
		turn, {back.x * scale.x, back.y * scale.y, back.z * scale.z}, scale};
}

static struct cs_error *place_world(
	struct cs_run_world *world, const struct cs_stream_instance *instance)
{
	const struct cs_transform *t = &instance->transform;
	struct cs_quat q = t->rotation;
	const double numbers[] = {q.x, q.y, q.z, q.w, t->translation.x, t->translation.y,
		t->translation.z, t->scale.x, t->scale.y, t->scale.z};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!isfinite(numbers[i]))
			return cs_error_new(CS_E_SETTING,
				"the transform of the level instance must consist of finite "
				"numbers, but contains %g",
				numbers[i]);
	if (!(t->scale.x > 0 && t->scale.y > 0 && t->scale.z > 0))
		return cs_error_new(CS_E_SETTING,
			"the scale of a level instance must be above 0 on each axis, not %g,%g,%g",
			t->scale.x, t->scale.y, t->scale.z);
	if (fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) > 1e-6)
		return cs_error_new(CS_E_SETTING,
			"the rotation of a level instance must be a unit quaternion, not "
			"%g,%g,%g,%g",
			q.x, q.y, q.z, q.w);
	struct cs_vec3 forward = cs_quat_rotate(q, (struct cs_vec3){1, 0, 0});
	world->standing.transform = *t;
	world->standing.transformed = !cs_transform_is_identity(t);
	world->standing.inverse = inverse_of(t);
	world->standing.yaw = atan2(forward.y, forward.x) * (180 / acos(-1.0));
	world->owner = instance->owner;
	return NULL;
}

static struct cs_error *world_init(struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_cooked *cooked, const struct cs_stream_options *options, int threads)
{
	struct cs_error *error = cs_run_model_init(cooked, threads, &world->model);
	if (error)
		return error;
	world->residents.cell_slot =
		calloc(cooked->n_cells + 1, sizeof(*world->residents.cell_slot));
	if (!world->residents.cell_slot || !cs_run_hlods_init(world) ||
		!cs_run_reached_init(&world->reached, cooked->n_partitions, cooked->n_cells) ||
		!cs_run_waiting_init(&world->queue, cooked->n_cells))
		return cs_error_nomem();
	error = cs_run_layers_init(stream, world, options);
	if (!error) {
		cs_run_disallow_update(stream, world);
		cs_run_terms_take(stream, world);
	}
	return error;
}

struct cs_error *cs_run_world_add(struct cs_stream *stream, const struct cs_cooked *cooked,
	const struct cs_stream_instance *instance, const struct cs_stream_options *options,
	const struct cs_job *job)
{
	if (stream->worlds.n >= UINT16_MAX)
		return cs_error_new(CS_E_LIMIT,
			"a run has %d world partitions, and cannot have more", UINT16_MAX);
	struct cs_run_world *world = calloc(1, sizeof(*world));
	if (!world || !cs_vec_reserve(&stream->worlds, 1)) {
		free(world);
		return cs_error_nomem();
	}
	world->id = (uint32_t)stream->worlds.n;
	/* appended before world_init, which finds the layers by the index of the world */
	stream->worlds.at[stream->worlds.n++] = world;
	struct cs_error *error = place_world(world, instance);
	if (!error)
		error = world_init(stream, world, cooked, options, cs_job_threads(job));
	if (!error)
		error = run_world_name(stream, world, instance->name);
	if (error) {
		stream->worlds.n--;
		cs_run_world_free(world);
	}
	return error;
}

struct cs_error *cs_stream_add_world(struct cs_stream *stream, const struct cs_cooked *cooked,
	const struct cs_stream_instance *instance, const struct cs_job *job, uint32_t *ret)
{
	if (instance->owner.cell != CS_NONE && !cs_run_cell_exists(stream, instance->owner))
		return cs_run_no_cell(instance->owner);
	struct cs_error *error = cs_run_world_add(stream, cooked, instance, NULL, job);
	if (!error)
		*ret = (uint32_t)stream->worlds.n - 1;
	return error;
}

/* ---- finding world partitions ---- */

bool cs_run_waits_for_owner(const struct cs_stream *stream, const struct cs_run_world *world)
{
	const struct cs_stream_cell owner = world->owner;
	if (world->registered || owner.cell == CS_NONE)
		return false;
	const struct cs_run_cell *resident =
		cs_run_find(stream->worlds.at[owner.world], owner.cell);
	return !resident ||
	       (resident->level != CS_LEVEL_MAKING_VISIBLE && resident->level != CS_LEVEL_VISIBLE);
}

struct cs_stream_partition cs_stream_partition(const struct cs_stream *stream, uint32_t world)
{
	const struct cs_run_world *run_world = stream->worlds.at[world];
	struct cs_stream_partition view = {
		.name = cs_stream_world(stream, world).name,
		.transform = run_world->standing.transform,
		.owner = run_world->owner,
		.registered = run_world->registered,
		.waits = cs_run_waits_for_owner(stream, run_world),
		.server_streaming = cs_run_server_streams(stream, run_world),
	};
	for (size_t i = 0; i < run_world->residents.cells.n; i++) {
		view.cells_loaded += cs_run_level_loaded(run_world->residents.cells.at[i].level);
		view.cells_visible += run_world->residents.cells.at[i].level == CS_LEVEL_VISIBLE;
	}
	return view;
}

/* ---- standalone level instances ---- */

static struct cs_error *add_sub(struct cs_stream *stream, struct cs_cooked *cooked, uint32_t row,
	uint32_t *worlds, const struct cs_job *job)
{
	const struct cs_cooked_sub *sub = &cooked->subs[row];
	uint32_t around = sub->parent == CS_NONE ? 0 : worlds[sub->parent];
	struct cs_stream_instance instance = {.transform = sub->transform,
		.owner = CS_STREAM_NO_CELL,
		.name = cs_cooked_text(cooked, sub->name)};
	struct cs_cooked *level;
	worlds[row] = CS_NONE;
	if (sub->level == CS_NONE || around == CS_NONE)
		return NULL;
	if (sub->cell != CS_NONE)
		instance.owner = (struct cs_stream_cell){around, sub->cell};
	struct cs_error *error = cs_cooked_level(cooked, sub->level, job, &level);
	return error ? error : cs_stream_add_world(stream, level, &instance, job, &worlds[row]);
}

struct cs_error *cs_run_subs_init(struct cs_stream *stream, const struct cs_job *job)
{
	/* the cast is safe: opening a level on first use changes nothing visible to callers */
	struct cs_cooked *cooked = (struct cs_cooked *)stream->worlds.at[0]->model.cooked;
	uint32_t *worlds = malloc((cooked->n_subs + 1) * sizeof(*worlds));
	struct cs_error *error = worlds ? NULL : cs_error_nomem();
	for (uint32_t i = 0; !error && i < cooked->n_subs; i++)
		error = add_sub(stream, cooked, i, worlds, job);
	free(worlds);
	return error;
}
