/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the transforms and bounds of actors in the space of their container (ue-project-files
 * rule 4a). From 5.6 on, transforms are relative to the attach parent and bounds to the actor, so
 * the chain of parents is followed by GUID, without recursion, and each actor is computed once. An
 * actor whose parent is missing or part of a cycle keeps its own transform, with a warning.
 */
#include "ue/project/project_build.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/sort.h"
#include "core/text.h"

#include <math.h>

enum state { UNSEEN, ON_PATH, DONE };

struct chains {
	struct cs_ue_build *build;
	struct cs_actor_row *actors;
	size_t n;
	struct cs_sort_key *keys; /* GUIDs of the actors, sorted */
	/* stack of the actors whose position is computed after that of their parents */
	uint32_t *path;
	unsigned char *states; /* for each actor, how far it is computed (enum state) */
};

static bool sort_by_guid(const struct cs_actor_row *actors, struct cs_sort_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		keys[i] = cs_sort_key_of_guid(actors[i].guid, (uint32_t)i);
	return cs_sort_keys(keys, n);
}

/* ---- files with the same actor ---- */

/*
 * Marks each actor whose GUID an actor of an earlier file has. The n keys are sorted, and their
 * indices are those of `actors` and of the marks. Returns the number of marks.
 */
static size_t mark_duplicates(struct cs_ue_build *build, const struct cs_actor_row *actors,
	const struct cs_sort_key *keys, size_t n, unsigned char *dropped)
{
	size_t count = 0, kept = 0;
	const struct cs_world *world = build->world;
	for (size_t i = 1; i < n; i++) {
		if (cs_sort_key_compare(&keys[i - 1], &keys[i]) != 0) {
			kept = i;
			continue;
		}
		const struct cs_actor_row *actor = &actors[keys[i].index];
		char guid[CS_GUID_TEXT];
		cs_guid_format(actor->guid, guid);
		/* a finding has no room for two paths */
		cs_ue_warn(build, "%s: left out: %s has the same actor (GUID %s); delete the copy",
			cs_world_text(world, actor->package),
			cs_base_name(cs_world_text(world, actors[keys[kept].index].package)), guid);
		dropped[keys[i].index] = 1;
		count++;
	}
	return count;
}

/* Leaves out the marked ones of the n actors at the end of the world. */
static void drop_marked_actors(struct cs_world *world, const unsigned char *dropped, size_t n)
{
	struct cs_actor_row *actors = world->actors.at + world->actors.n - n;
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!dropped[i])
			actors[kept++] = actors[i];
	world->unreadable += n - kept;
	world->actors.n -= n - kept;
}

static void drop_placements(struct cs_ue_build *build, const unsigned char *dropped, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!dropped[i])
			build->placements.at[kept++] = build->placements.at[i];
	build->placements.n = kept;
}

/* Sorts the keys of the actors of the level and of external layers. Returns how many there are. */
static size_t sort_cooked_together(const struct cs_world *world, struct cs_sort_key *keys)
{
	size_t n = 0;
	for (size_t i = 0; i < world->actors.n; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		const enum cs_container_kind kind = world->containers.at[actor->container].kind;
		if (kind == CS_CONTAINER_BASE || kind == CS_CONTAINER_EXTERNAL_LAYER)
			keys[n++] = cs_sort_key_of_guid(actor->guid, (uint32_t)i);
	}
	return n == 0 || cs_sort_keys(keys, n) ? n : SIZE_MAX;
}

struct cs_error *cs_ue_drop_shared(struct cs_ue_build *build)
{
	struct cs_world *world = build->world;
	if (world->containers.n == 1 || world->actors.n == 0 || world->actors.n >= CS_NONE)
		return NULL; /* nothing is shared, or the world is refused when it is sealed */
	struct cs_sort_key *keys = calloc(world->actors.n, sizeof(*keys));
	unsigned char *dropped = calloc(world->actors.n, 1);
	const size_t n = keys && dropped ? sort_cooked_together(world, keys) : SIZE_MAX;
	if (n != SIZE_MAX && mark_duplicates(build, world->actors.at, keys, n, dropped) > 0)
		drop_marked_actors(world, dropped, world->actors.n);
	free(keys);
	free(dropped);
	return n == SIZE_MAX ? cs_error_nomem() : NULL;
}

/* ---- transforms through attach parents ---- */

static struct cs_box world_box(const struct cs_ue_bounds *bounds, const struct cs_transform *actor)
{
	struct cs_transform by = {
		.rotation = cs_quat_multiply(actor->rotation, bounds->rotation),
		.translation = cs_transform_point(actor, bounds->centre),
		.scale = actor->scale,
	};
	return cs_box_transform(&bounds->box, &by);
}

static bool is_finite(const struct cs_transform *t)
{
	return isfinite(t->rotation.x + t->rotation.y + t->rotation.z + t->rotation.w) &&
	       isfinite(t->translation.x + t->translation.y + t->translation.z) &&
	       isfinite(t->scale.x + t->scale.y + t->scale.z);
}

/*
 * Converts the transform and bounds of an actor to the space of its container. `parent` is CS_NONE
 * or the attach parent, whose transform is converted already. Returns false when memory runs out.
 */
static bool settle(struct chains *chains, uint32_t index, uint32_t parent)
{
	struct cs_world *in = chains->build->world;
	const size_t first = chains->build->first_placed;
	struct cs_actor actor = cs_world_actor(in, first + index);
	const struct cs_ue_placement *placement = &chains->build->placements.at[index];
	chains->states[index] = DONE;
	if (placement->relative && parent != CS_NONE) {
		const struct cs_transform around = cs_actor_transform(in, &chains->actors[parent]);
		struct cs_transform world = cs_transform_compose(&actor.transform, &around);
		if (is_finite(&world))
			actor.transform = world;
	}
	const struct cs_transform identity = CS_TRANSFORM_IDENTITY;
	const struct cs_transform *by = placement->relative ? &actor.transform : &identity;
	if (placement->runtime.valid)
		actor.bounds = world_box(&placement->runtime, by);
	if (placement->editor.valid)
		actor.editor_bounds = world_box(&placement->editor, by);
	if (!cs_box_is_finite(&actor.bounds))
		actor.bounds = CS_BOX_INVALID;
	if (!cs_box_is_finite(&actor.editor_bounds))
		actor.editor_bounds = CS_BOX_INVALID;
	return cs_world_set_actor(in, first + index, &actor);
}

/*
 * Returns the index of the attach parent, whose transform must be computed before that of actor
 * `index`. Returns CS_NONE if the transform is not relative to a parent, or the parent is missing.
 * Warns if the parent is missing or has no known transform.
 */
static uint32_t parent_of(const struct chains *chains, uint32_t index)
{
	const struct cs_actor_row *actor = &chains->actors[index];
	const struct cs_guid attached_to = cs_actor_parent(chains->build->world, actor);
	if (!chains->build->placements.at[index].relative || cs_guid_is_zero(attached_to))
		return CS_NONE;
	uint32_t parent = cs_sort_keys_find_guid(chains->keys, chains->n, attached_to);
	const char *problem = NULL;
	if (parent == CS_NONE)
		problem = "the actor is attached to an actor that does not exist";
	else if (chains->build->placements.at[parent].unknown)
		problem =
			"the actor is attached to an actor that was saved before 5.4 and does not "
			"say where it is";
	if (problem)
		cs_ue_warn(chains->build, "%s: %s",
			cs_world_text(chains->build->world, actor->package), problem);
	return parent;
}

static bool actor_bounds_resolve(struct chains *chains, uint32_t index)
{
	size_t depth = 0;
	uint32_t parent = CS_NONE;
	for (;;) {
		chains->states[index] = ON_PATH;
		chains->path[depth++] = index;
		parent = parent_of(chains, index);
		if (parent == CS_NONE || chains->states[parent] != UNSEEN)
			break;
		index = parent;
	}
	if (parent != CS_NONE && chains->states[parent] == ON_PATH) {
		cs_ue_warn(chains->build, "%s: the actor is attached to itself through its parents",
			cs_world_text(chains->build->world, chains->actors[index].package));
		parent = CS_NONE;
	}
	bool good = true;
	while (good && depth > 0) {
		good = settle(chains, chains->path[--depth], parent);
		parent = chains->path[depth];
	}
	return good;
}

struct cs_error *cs_ue_place_actors(struct cs_ue_build *build)
{
	size_t n = build->placements.n;
	if (n == 0) /* without actors the array may be NULL */
		return NULL;
	if (n >= CS_NONE)
		return cs_error_new(CS_E_LIMIT,
			"the world has %zu actors, more than the limit of %u", n, CS_NONE - 1);
	struct chains chains = {
		.build = build,
		.actors = build->world->actors.at + build->first_placed,
		.n = n,
		.keys = calloc(n + 1, sizeof(*chains.keys)),
		.path = calloc(n + 1, sizeof(*chains.path)),
		.states = calloc(n + 1, sizeof(*chains.states)),
	};
	bool good = chains.keys && chains.path && chains.states &&
		    sort_by_guid(chains.actors, chains.keys, n);
	if (good && mark_duplicates(build, chains.actors, chains.keys, n, chains.states) > 0) {
		drop_marked_actors(build->world, chains.states, n);
		drop_placements(build, chains.states, n);
		chains.n = build->placements.n;
		memset(chains.states, 0, n);
		good = sort_by_guid(chains.actors, chains.keys, chains.n);
	}
	for (size_t i = 0; good && i < chains.n; i++)
		if (chains.states[i] == UNSEEN)
			good = actor_bounds_resolve(&chains, (uint32_t)i);
	free(chains.keys);
	free(chains.path);
	free(chains.states);
	return good ? NULL : cs_error_nomem();
}
