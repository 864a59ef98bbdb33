/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the level instances of a StreamingGeneration log. The log states the level and the bounds
 * of a container instance, but not the level instance actor that loaded it. That actor is in the
 * parent container and has the same bounds, in the parent's space. Instances and actors are sorted,
 * so that few pairs are compared. An instance without a matching actor is dropped, because its
 * actors could not be embedded.
 */
#include "ue/log/log.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"
#include "ue/project/project_build.h"

/* Tolerance in cm for equal boxes: logs round to 0.001 cm, and rotating boxes adds rounding. */
#define NEAR 1.0

/* An actor of the world that may be the level instance of a container instance in the log. */
struct candidate {
	struct cs_box bounds;
	uint32_t container, actor;
	/* own index while the candidate is unused, then that of a candidate to try instead */
	uint32_t next;
};

struct linker {
	const struct cs_ue_log_data *data;
	struct cs_ue_build *build;           /* its world is sealed (checked and sorted) */
	struct cs_sort_key *ids;             /* ids of container instances, sorted */
	CS_VEC(struct candidate) candidates; /* sorted by container and bounds.min.x */
	/* for each container of the world, its first instance in the log */
	const struct cs_ue_log_container **owners;
};

/* ---- container instances by id ---- */

static bool sort_ids(struct linker *linker)
{
	const size_t n = linker->data->containers.n;
	linker->ids = calloc(n + 1, sizeof(*linker->ids));
	for (uint32_t i = 0; linker->ids && i < n; i++)
		linker->ids[i] = cs_sort_key_of_guid(linker->data->containers.at[i].id, i);
	return linker->ids && cs_sort_keys(linker->ids, n);
}

/* Returns the first container instance with this id, or NULL. */
static const struct cs_ue_log_container *find_id(const struct linker *linker, struct cs_guid id)
{
	const uint32_t found = cs_sort_keys_find_guid(linker->ids, linker->data->containers.n, id);
	return found != CS_NONE ? &linker->data->containers.at[found] : NULL;
}

/* ---- candidates for level instances ---- */

static int log_instances_by_place(const void *left, const void *right, void *context)
{
	(void)context;
	const struct candidate *l = left, *r = right;
	if (l->container != r->container)
		return l->container < r->container ? -1 : 1;
	return l->bounds.min.x < r->bounds.min.x ? -1 : l->bounds.min.x > r->bounds.min.x;
}

static bool find_candidates(struct linker *linker)
{
	const struct cs_world *world = linker->build->world;
	bool good = true;
	for (uint32_t i = 0; i < world->actors.n && good; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		const char *name = cs_last_name(cs_world_text(world, actor->native_class));
		const struct candidate candidate = {actor->bounds, actor->container, i, 0};
		if (cs_name_compare(name, "LevelInstance") == 0 && cs_box_valid(&actor->bounds))
			good = cs_vec_push(&linker->candidates, candidate);
	}
	good = good && cs_sort(linker->candidates.at, linker->candidates.n,
			       sizeof(*linker->candidates.at), log_instances_by_place, NULL);
	for (uint32_t i = 0; i < linker->candidates.n; i++)
		linker->candidates.at[i].next = i;
	return good;
}

/* Returns the first unused candidate in the chain of `next` from `at`, and shortens the chain. */
static uint32_t next_free(struct linker *linker, uint32_t at)
{
	uint32_t end = at;
	while (end < linker->candidates.n && linker->candidates.at[end].next != end)
		end = linker->candidates.at[end].next;
	while (at < end) {
		uint32_t next = linker->candidates.at[at].next;
		linker->candidates.at[at].next = end;
		at = next;
	}
	return end;
}

/* Returns the first candidate of `container` whose bounds begin at `x` or beyond. */
static uint32_t first_from(const struct linker *linker, uint32_t container, double x)
{
	const struct candidate key = {.container = container, .bounds.min.x = x};
	uint32_t n = (uint32_t)linker->candidates.n;
	return cs_lower_bound(
		0, n, i, log_instances_by_place(&linker->candidates.at[i], &key, NULL) < 0);
}

/* ---- matching container instances with actors ---- */

/* Returns the actor in `container` (loaded by `parent`) that loads `instance`, or CS_NONE. */
static uint32_t find_actor(struct linker *linker, const struct cs_ue_log_container *instance,
	const struct cs_ue_log_container *parent, uint32_t container)
{
	if (container == CS_NONE || !cs_box_valid(&instance->bounds))
		return CS_NONE;
	const struct cs_box bounds = cs_box_into(&instance->bounds, &parent->transform);
	uint32_t i = next_free(linker, first_from(linker, container, bounds.min.x - NEAR));
	for (; i < linker->candidates.n; i = next_free(linker, i + 1)) {
		struct candidate *candidate = &linker->candidates.at[i];
		if (candidate->container != container ||
			candidate->bounds.min.x > bounds.min.x + NEAR)
			return CS_NONE;
		if (!cs_box_is_near(&candidate->bounds, &bounds, NEAR))
			continue;
		candidate->next = i + 1;
		return candidate->actor;
	}
	return CS_NONE;
}

/*
 * Returns whether the level `container` has an instance before `parent` in the log. A log lists the
 * contents of each instance, but the world stores a level once, with those of the first.
 */
static bool log_instances_is_repeated(
	struct linker *linker, const struct cs_ue_log_container *parent, uint32_t container)
{
	if (container == CS_NONE)
		return false;
	if (!linker->owners[container])
		linker->owners[container] = parent;
	return linker->owners[container] != parent;
}

static struct cs_error *link_instance(
	struct linker *linker, const struct cs_ue_log_container *instance)
{
	struct cs_world *world = linker->build->world;
	const struct cs_ue_log_container *parent = find_id(linker, instance->parent);
	const uint32_t container =
		parent ? cs_world_find_container(world, parent->package) : CS_NONE;
	if (log_instances_is_repeated(linker, parent, container))
		return NULL;
	const uint32_t index = find_actor(linker, instance, parent, container);
	if (index == CS_NONE) {
		cs_ue_warn(linker->build,
			"the log lists an instance of %s, but no level instance has its bounds; "
			"the instance is left out",
			instance->package);
		return NULL;
	}
	const struct cs_level_instance row = {
		.level = cs_ue_intern_text(linker->build, instance->package),
		.behavior = CS_BEHAVIOR_PARTITIONED,
	};
	struct cs_actor actor = cs_world_actor(world, index);
	actor.transform = cs_transform_relative(&instance->transform, &parent->transform);
	actor.flags |= CS_ACTOR_LEVEL_INSTANCE;
	actor.level_instance = (uint32_t)world->level_instances.n;
	return cs_world_set_actor(world, index, &actor) && cs_vec_push(&world->level_instances, row)
		       ? NULL
		       : cs_error_nomem();
}

static struct cs_error *link_all(struct linker *linker)
{
	const struct cs_ue_log_data *data = linker->data;
	struct cs_error *error = NULL;
	for (size_t i = 0; i < data->containers.n && !error; i++)
		if (!cs_guid_is_zero(data->containers.at[i].id))
			error = link_instance(linker, &data->containers.at[i]);
	return error;
}

struct cs_error *cs_ue_log_instances(const struct cs_ue_log_data *data, struct cs_ue_build *build)
{
	struct linker linker = {.data = data, .build = build};
	linker.owners = calloc(build->world->containers.n + 1, sizeof(*linker.owners));
	bool good = linker.owners && sort_ids(&linker) && find_candidates(&linker);
	struct cs_error *error = good ? link_all(&linker) : cs_error_nomem();
	free(linker.ids);
	free(linker.owners);
	cs_vec_free(&linker.candidates);
	return error;
}
