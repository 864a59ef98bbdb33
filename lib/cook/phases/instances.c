/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the container instances of each collection (the actors of one level): expands embedded
 * level instances in breadth-first order, so that parents precede children, and computes what the
 * instances inherit (world-partition rules 1.3 steps 5 to 7, 1.3.1).
 */
#include "cook/phases/phases.h"

#include "core/box.h"
#include "core/geometry.h"
#include "core/identity.h"
#include "core/search.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

/* ---- counting the instances before making them ---- */

/* Checks the numbers of expanded instances and actor rows against the limits of the job. */
static struct cs_error *check_expansion(
	const struct cs_cook *cook, uint64_t instances, uint64_t rows)
{
	/* fewest bytes that the cook needs for an actor row in addition to its tables */
	enum { ROW = 16 };
	struct cs_limits limits = cs_job_limits(cook->job);
	uint64_t most = limits.records < CS_NONE - 2 ? limits.records : CS_NONE - 2;
	if (instances > most || rows > most)
		return cs_error_new(CS_E_LIMIT,
			"the level instances of the world expand to more actors than the limit of "
			"%llu",
			(unsigned long long)most);
	if (instances > 1 && instances * sizeof(struct cs_instance) + rows * ROW > limits.memory)
		return cs_error_new(CS_E_LIMIT,
			"the expanded level instances need more memory than the limit of %llu "
			"bytes (raise it with --max-mem)",
			(unsigned long long)limits.memory);
	return NULL;
}

static uint32_t collection_inside(const struct cs_cook *cook, uint32_t container_view)
{
	const struct cs_actor_row *actor = cs_view_actor(cook, container_view);
	const struct cs_level_instance *li =
		&cook->world->level_instances.at[cs_actor_more(cook->world, actor)->level_instance];
	uint32_t container =
		cs_world_find_container(cook->world, cs_world_text(cook->world, li->level));
	uint32_t collection = 0;
	while (cook->actors.collections.at[collection].container != container)
		collection++;
	return collection;
}

static uint64_t capped(uint64_t count)
{
	return count < CS_NONE ? count : CS_NONE;
}

struct census {
	/* for each collection: number of its instances at the current and the next depth */
	uint64_t *now, *next;
	/* for each view (actor) that is a level instance: the collection that it embeds */
	uint32_t *inside;
	uint64_t instances, rows;
};

/*
 * Adds the instances at the current nesting depth to the sums, and counts the instances at the next
 * depth. Returns false if the next depth has none.
 */
static bool descend(const struct cs_cook *cook, struct census *census)
{
	bool any = false;
	memset(census->next, 0, cook->actors.collections.n * sizeof(*census->next));
	for (uint32_t c = 0; c < cook->actors.collections.n; c++) {
		const struct cs_collection *collection = &cook->actors.collections.at[c];
		uint64_t n = census->now[c];
		census->instances = capped(census->instances + n);
		census->rows = capped(census->rows + capped(n * collection->n_views));
		for (uint32_t k = 0; n && k < collection->n_containers; k++) {
			uint64_t *to =
				&census->next[census->inside[collection->first_container + k]];
			*to = capped(*to + n);
			any = true;
		}
	}
	uint64_t *swap = census->now;
	census->now = census->next;
	census->next = swap;
	return any;
}

/*
 * Counts the instances depth by depth before any is made, because nested levels multiply: 40 levels
 * that each contain the next one twice are 2^40 instances. Levels that embed each other in a cycle
 * cannot be counted: the cycle is broken, and the limit is checked, while instances are made.
 */
static struct cs_error *count_instances(const struct cs_cook *cook)
{
	size_t n = cook->actors.collections.n + 1;
	struct census census = {.now = calloc(n, sizeof(uint64_t)),
		.next = calloc(n, sizeof(uint64_t)),
		.inside = calloc(cook->actors.containers.n + 1, sizeof(uint32_t))};
	struct cs_error *error = NULL;
	bool any = true;
	if (!census.now || !census.next || !census.inside)
		error = cs_error_nomem();
	for (size_t i = 0; !error && i < cook->actors.containers.n; i++)
		census.inside[i] = collection_inside(cook, cook->actors.containers.at[i]);
	for (uint32_t c = 0; !error && c < cook->actors.collections.n; c++)
		census.now[c] =
			cook->world->containers.at[cook->actors.collections.at[c].container].kind !=
			CS_CONTAINER_LEVEL;
	for (uint32_t i = 0; !error && any && i <= cs_job_limits(cook->job).depth; i++)
		any = descend(cook, &census);
	if (!error && !any)
		error = check_expansion(cook, census.instances, census.rows);
	free(census.now);
	free(census.next);
	free(census.inside);
	return error;
}

/* ---- making instances ---- */

static struct cs_error *push_instance(struct cs_cook *cook, struct cs_instance instance)
{
	uint32_t n = cook->actors.collections.at[instance.collection].n_views;
	struct cs_error *error = check_expansion(
		cook, (uint64_t)cook->placed.instances.n + 1, (uint64_t)cook->placed.n_rows + n);
	if (error)
		return error;
	instance.first_row = cook->placed.n_rows;
	instance.stays = cs_stays(&instance.transform);
	cook->placed.n_rows += n;
	return cs_vec_push(&cook->placed.instances, instance) ? NULL : cs_error_nomem();
}

/* Adds an instance for the main world (collection 0) and for each content bundle. */
static struct cs_error *push_roots(struct cs_cook *cook)
{
	const struct cs_world *world = cook->world;
	struct cs_error *error = NULL;
	for (uint32_t c = 0; !error && c < cook->actors.collections.n; c++) {
		const struct cs_source_container *container =
			&world->containers.at[cook->actors.collections.at[c].container];
		if (container->kind == CS_CONTAINER_LEVEL && c > 0)
			continue;
		struct cs_instance root = {
			.collection = c,
			.parent = CS_NONE,
			.actor_row = CS_NONE,
			.content_bundle = container->content_bundle,
			.transform = CS_TRANSFORM_IDENTITY,
			.external_layer = CS_NONE,
			.hlod_layer = CS_NONE,
			.spatial = true,
			.hlod_relevant = true,
		};
		error = push_instance(cook, root);
	}
	return error;
}

static bool instances_is_circular(
	const struct cs_cook *cook, uint32_t instance, uint32_t collection)
{
	for (uint32_t at = instance; at != CS_NONE; at = cook->placed.instances.at[at].parent)
		if (cook->placed.instances.at[at].collection == collection)
			return true;
	return false;
}

static uint32_t depth_of(const struct cs_cook *cook, uint32_t instance)
{
	uint32_t depth = 0;
	for (uint32_t at = instance; at != CS_NONE; at = cook->placed.instances.at[at].parent)
		depth++;
	return depth;
}

static struct cs_error *combine_filter(
	struct cs_cook *cook, const struct cs_level_instance *li, uint32_t inherited, uint32_t *ret)
{
	*ret = inherited;
	if (li->filter.count == 0)
		return NULL;
	uint32_t *texts = malloc(li->filter.count * sizeof(*texts));
	if (!texts)
		return cs_error_nomem();
	memcpy(texts, cook->world->texts.at + li->filter.first, li->filter.count * sizeof(*texts));
	uint32_t own = cs_lists_add(&cook->lists, texts, li->filter.count);
	free(texts);
	*ret = own == CS_NONE ? CS_NONE : cs_lists_union(&cook->lists, inherited, own);
	return *ret == CS_NONE ? cs_error_nomem() : NULL;
}

/* Computes what the actors in level instance `view` inherit: its values and those of `outer`. */
static struct cs_error *inherit(struct cs_cook *cook, const struct cs_instance *outer,
	uint32_t view, struct cs_instance *inner)
{
	const struct cs_view *v = &cook->actors.views.at[view];
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	const struct cs_transform own = cs_actor_transform(cook->world, actor);
	inner->transform = cs_transform_compose(&own, &outer->transform);
	inner->id = cs_combine_guids(outer->id, actor->guid);
	inner->content_bundle = outer->content_bundle;
	inner->spatial = outer->spatial && v->own_spatial;
	inner->grid = outer->grid ? outer->grid : v->grid;
	inner->external_layer =
		outer->external_layer != CS_NONE ? outer->external_layer : v->external_layer;
	inner->hlod_layer =
		*cs_world_text(cook->world, actor->hlod_layer) ? v->hlod_layer : outer->hlod_layer;
	inner->hlod_relevant = outer->hlod_relevant && actor->flags & CS_ACTOR_HLOD_RELEVANT;
	inner->layers = cs_lists_union(&cook->lists, outer->layers, v->layers);
	if (inner->layers == CS_NONE)
		return cs_error_nomem();
	return combine_filter(cook,
		&cook->world->level_instances.at[cs_actor_more(cook->world, actor)->level_instance],
		outer->filter, &inner->filter);
}

/* Reports an actor (view) in an instance of its level, or if `instance` is CS_NONE in the first. */
static struct cs_error *report_actor(struct cs_cook *cook, struct cs_finding_draft draft,
	uint32_t collection, uint32_t instance, uint32_t view)
{
	draft.collection = collection;
	draft.instance = instance;
	draft.view = view;
	return cs_cook_find(cook, draft, NULL);
}

static struct cs_error *report_level(struct cs_cook *cook, uint32_t collection, uint32_t instance,
	uint32_t view, const char *reason)
{
	return report_actor(cook,
		cs_finding_draft(CS_CHECK_LEVEL_INSTANCE, CS_ERROR, CS_REPAIR_NONE, reason),
		collection, instance, view);
}

static struct cs_error *instances_enter(struct cs_cook *cook, uint32_t outer, uint32_t view)
{
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	const struct cs_instance from = cook->placed.instances.at[outer];
	uint32_t collection = collection_inside(cook, view);
	if (instances_is_circular(cook, outer, collection))
		return report_level(cook, from.collection, outer, view, "circular reference");
	if (depth_of(cook, outer) >= cs_job_limits(cook->job).depth)
		return cs_error_new(CS_E_LIMIT,
			"level instance '%s' is nested deeper than the limit of %u levels",
			cs_world_text(cook->world, actor->name), cs_job_limits(cook->job).depth);
	struct cs_instance inner = {.collection = collection,
		.parent = outer,
		.actor_row = cs_row_of(cook, &from, view)};
	struct cs_error *error = inherit(cook, &from, view, &inner);
	return error ? error : push_instance(cook, inner);
}

static struct cs_error *enter_all(struct cs_cook *cook)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < cook->placed.instances.n; i++) {
		const struct cs_collection *collection =
			&cook->actors.collections.at[cook->placed.instances.at[i].collection];
		for (uint32_t k = 0; !error && k < collection->n_containers; k++)
			error = instances_enter(cook, i,
				cook->actors.containers.at[collection->first_container + k]);
	}
	return error;
}

const struct cs_instance *cs_instance_of_row(const struct cs_cook *cook, size_t row)
{
	size_t n = cook->placed.instances.n;
	size_t behind = cs_lower_bound(1, n, i, cook->placed.instances.at[i].first_row <= row);
	return &cook->placed.instances.at[behind - 1];
}

/* ---- bounds of the world ---- */

static void add_bounds(struct cs_cook *cook, struct cs_collection *collection)
{
	for (uint32_t i = 0; i < collection->n_views; i++) {
		uint32_t view = collection->first_view + i;
		cs_expect_bounds(cook, view + CS_AHEAD);
		cs_expect_top(cook, view + CS_AHEAD);
		if (cook->actors.views.at[view].kind == CS_VIEW_ACTOR &&
			cs_view_effective(cook, view).spatial &&
			cs_box_valid(&cs_view_actor(cook, view)->bounds))
			cs_box_take(&collection->bounds, &cs_view_actor(cook, view)->bounds);
	}
}

static void find_world_bounds(struct cs_cook *cook)
{
	for (uint32_t c = 0; c < cook->actors.collections.n; c++)
		add_bounds(cook, &cook->actors.collections.at[c]);
	cook->placed.bounds = CS_BOX_INVALID;
	for (uint32_t i = 0; i < cook->placed.instances.n; i++) {
		const struct cs_instance *instance = &cook->placed.instances.at[i];
		struct cs_box box =
			cs_box_transform(&cook->actors.collections.at[instance->collection].bounds,
				&instance->transform);
		cook->placed.bounds = cs_box_union(&cook->placed.bounds, &box);
	}
}

/* ---- checks of single actors (V2) ---- */

/* Reports a level instance that is not embedded, although its behaviour demands it. */
static struct cs_error *instances_check_level(
	struct cs_cook *cook, uint32_t collection, uint32_t view)
{
	const struct cs_world *world = cook->world;
	const struct cs_level_instance *li =
		&world->level_instances
			 .at[cs_actor_more(world, cs_view_actor(cook, view))->level_instance];
	const char *level = cs_world_text(world, li->level);
	uint32_t container = cs_world_find_container(world, level);
	if (!*level || li->behavior == CS_BEHAVIOR_NONE)
		return NULL;
	if (container == CS_NONE || world->containers.at[container].missing)
		return report_level(cook, collection, CS_NONE, view, "world asset not found");
	if (li->behavior != CS_BEHAVIOR_PARTITIONED)
		return NULL;
	return report_level(cook, collection, CS_NONE, view,
		container == 0 || container == cook->root ? "circular reference"
							  : "not using external actors");
}

static struct cs_error *instances_check_actors(struct cs_cook *cook)
{
	struct cs_error *error = NULL;
	for (uint32_t c = 0; !error && c < cook->actors.collections.n; c++) {
		const struct cs_collection *collection = &cook->actors.collections.at[c];
		uint32_t end = collection->first_view + collection->n_views;
		for (uint32_t view = collection->first_view; !error && view < end; view++) {
			const struct cs_view *described = &cook->actors.views.at[view];
			if (described->resaves)
				error = report_actor(cook,
					cs_finding_draft(CS_CHECK_NEEDS_RESAVE, CS_INFO,
						CS_REPAIR_NONE, "saved by an older version"),
					c, CS_NONE, view);
			if (!error && described->is_level && described->kind == CS_VIEW_ACTOR)
				error = instances_check_level(cook, c, view);
		}
	}
	return error;
}

struct cs_error *cs_cook_instances(struct cs_cook *cook)
{
	struct cs_error *error = instances_check_actors(cook);
	if (!error)
		error = count_instances(cook);
	if (!error)
		error = push_roots(cook);
	if (!error)
		error = enter_all(cook);
	if (!error)
		find_world_bounds(cook);
	return error;
}
