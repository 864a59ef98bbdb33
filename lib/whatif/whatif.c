/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements what-ifs: the source is changed, cooked in memory and restored. A cook is measured at
 * the positions of up to CS_PLACES actors of the original cook. These are chosen evenly in the
 * order of GUIDs, which does not depend on position, so that most of them are where the world is
 * dense.
 */
#include "whatif/whatif_internal.h"

#include "cook/phases/cook_internal.h"
#include "core/options.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether an actor is in a cell and has valid bounds and all of `flags`. */
static bool is_place(const struct cs_cooked_actor *actor, uint32_t flags)
{
	return actor->cell != CS_NONE && (actor->flags & flags) == flags &&
	       cs_box_valid(&actor->bounds);
}

static size_t count_places(const struct cs_cooked *cooked, uint32_t flags)
{
	size_t n = 0;
	for (size_t i = 0; i < cooked->n_actors; i++)
		n += is_place(cs_cooked_actor(cooked, i), flags);
	return n;
}

/* Chooses positions of spatially loaded actors or, in a world without any, of all actors. */
static void choose_places(struct cs_whatif *whatif)
{
	const struct cs_cooked *cooked = whatif->now;
	uint32_t flags = CS_ACTOR_SPATIAL;
	size_t n = count_places(cooked, flags), next = 0;
	if (n == 0)
		n = count_places(cooked, flags = 0);
	for (size_t i = 0, k = 0; i < cooked->n_actors && whatif->n_places < CS_PLACES; i++) {
		if (!is_place(cs_cooked_actor(cooked, i), flags) || k++ < next)
			continue;
		const struct cs_box *box = &cs_cooked_actor(cooked, i)->bounds;
		whatif->places[whatif->n_places++] = (struct cs_vec3){(box->min.x + box->max.x) / 2,
			(box->min.y + box->max.y) / 2, (box->min.z + box->max.z) / 2};
		next = n < CS_PLACES ? k : whatif->n_places * n / CS_PLACES;
	}
}

struct cs_error *cs_whatif_new(struct cs_world *source, struct cs_cooked *now,
	const struct cs_cook_options *options, const struct cs_job *job, struct cs_whatif **ret)
{
	struct cs_error *error = cs_cooked_load_actors(now);
	if (error)
		return error;
	struct cs_whatif *whatif = calloc(1, sizeof(*whatif));
	if (!whatif)
		return cs_error_nomem();
	if (options)
		error = cs_options_read(options, sizeof(whatif->options), &whatif->options,
			sizeof(whatif->options));
	if (error) {
		free(whatif);
		return error;
	}
	whatif->source = source;
	whatif->now = now;
	whatif->job = job;
	choose_places(whatif);
	*ret = whatif;
	return NULL;
}

void cs_whatif_free(struct cs_whatif *whatif)
{
	free(whatif);
}

/* ---- applying changes to the source, and undoing them ---- */

struct trial {
	struct cs_world_changes *changes;
	struct cs_cook_options options;
};

static struct cs_error *change_all(
	struct cs_whatif *whatif, const char *const *changes, size_t n, struct trial *ret)
{
	static const char profile[] = "profile=";
	struct trial trial = {.options = whatif->options};
	struct cs_error *error = cs_world_change_begin(whatif->source, &trial.changes);
	if (error)
		return error;
	for (size_t i = 0; !error && i < n; i++) {
		if (strncmp(changes[i], profile, strlen(profile)) == 0)
			trial.options.profile = changes[i] + strlen(profile);
		else
			error = cs_world_change(trial.changes, changes[i]);
	}
	if (error)
		cs_world_change_undo(trial.changes);
	else
		*ret = trial;
	return error;
}

static struct cs_error *cook_bytes(struct cs_whatif *whatif, const struct cs_cook_options *options,
	struct cs_whatif_world *ret)
{
	struct cs_whatif_world world = {0};
	struct cs_error *error =
		cs_cook_in_memory(whatif->source, options, whatif->job, &world.bytes, &world.size);
	if (!error)
		error = cs_cooked_open_bytes(
			world.bytes, world.size, "whatif", whatif->job, &world.cooked);
	if (error)
		free(world.bytes);
	else
		*ret = world;
	return error;
}

struct cs_error *cs_whatif_cook(
	struct cs_whatif *whatif, const char *const *changes, size_t n, struct cs_whatif_world *ret)
{
	struct trial trial;
	struct cs_error *error = change_all(whatif, changes, n, &trial);
	if (error)
		return error;
	error = cook_bytes(whatif, &trial.options, ret);
	cs_world_change_undo(trial.changes);
	return error;
}

/* ---- inspecting a cook of the changed source ---- */

static struct cs_error *whatif_show(struct cs_cook *cook,
	struct cs_error *(*visit)(void *context, struct cs_cooked *cooked), void *context)
{
	struct cs_cooked *cooked;
	struct cs_error *error = cs_cook_open(cook, &cooked);
	if (error)
		return error;
	error = visit(context, cooked);
	cs_cooked_close(cooked);
	return error;
}

struct cs_error *cs_whatif_visit(struct cs_whatif *whatif, const char *const *changes, size_t n,
	struct cs_error *(*visit)(void *context, struct cs_cooked *cooked), void *context)
{
	struct trial trial;
	struct cs_cook *cook;
	struct cs_error *error = change_all(whatif, changes, n, &trial);
	if (error)
		return error;
	error = cs_cook(whatif->source, &trial.options, whatif->job, &cook);
	if (!error) {
		error = whatif_show(cook, visit, context);
		cs_cook_free(cook);
	}
	cs_world_change_undo(trial.changes);
	return error;
}

struct counting {
	const struct cs_whatif *whatif;
	const struct cs_path *path;
	struct cs_whatif_counts *counts;
};

static struct cs_error *whatif_count(void *context, struct cs_cooked *cooked)
{
	const struct counting *counting = context;
	return cs_whatif_count(counting->whatif, cooked, counting->path, counting->counts);
}

struct cs_error *cs_whatif_try(struct cs_whatif *whatif, const char *const *changes, size_t n,
	const struct cs_path *path, struct cs_whatif_counts *ret)
{
	struct counting counting = {whatif, path, ret};
	return cs_whatif_visit(whatif, changes, n, whatif_count, &counting);
}
