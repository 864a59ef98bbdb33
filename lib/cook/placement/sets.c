/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the actor sets: one for each cluster in each instance, with values of its first actor and
 * of the enclosing instance (world-partition rules 1.3.1 step 7, 1.5). Also applies actor filters,
 * and checks each actor with the values of its instance (rule 1.4.V4).
 */
#include "cook/phases/phases.h"

#include "cook/phases/text_map.h"
#include "core/large.h"
#include "core/parallel.h"
#include "core/search.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

/* ---- actor filters ---- */

/* Value in layer_names.rows for a name that no layer has. */
#define NO_LAYER (CS_NONE - 1)

struct layer_names {
	/* for each layer name that a filter or an actor contains: row of the layer, or NO_LAYER */
	struct cs_text_map rows;
	bool failed; /* an allocation failed */
};

static uint32_t sets_layer_row(struct cs_cook *cook, struct layer_names *layers, uint32_t text)
{
	uint32_t *known = cs_text_map_at(&layers->rows, text);
	if (!known) {
		layers->failed = true;
		return CS_NONE;
	}
	if (*known == CS_NONE) {
		uint32_t row = cs_cook_layer(cook, text);
		*known = row == CS_NONE ? NO_LAYER : row;
	}
	return *known;
}

/* Returns whether two names (of instance, asset or label) mean one data layer, or are equal. */
static bool sets_names_layer(
	struct cs_cook *cook, struct layer_names *layers, uint32_t text, uint32_t other)
{
	uint32_t row = sets_layer_row(cook, layers, text),
		 other_row = sets_layer_row(cook, layers, other);
	if (row < NO_LAYER || other_row < NO_LAYER)
		return row == other_row;
	return cs_name_compare(
		       cs_world_text(cook->world, text), cs_world_text(cook->world, other)) == 0;
}

/*
 * Returns the first name in the instance's filter that is one of the actor's data layers, so that
 * the filter leaves the actor out; CS_NONE if there is none. Whether UE requires one or all of the
 * layers is unknown; only this function depends on it.
 */
static uint32_t filtering_name(struct cs_cook *cook, struct layer_names *layers,
	const struct cs_instance *instance, uint32_t view)
{
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	struct cs_range filter = cs_lists_range(&cook->lists, instance->filter);
	for (uint32_t k = 0; k < filter.count; k++) {
		uint32_t name = cook->lists.values.at[filter.first + k];
		if (cook->actors.views.at[view].external_layer != CS_NONE &&
			sets_layer_row(cook, layers, name) ==
				cook->actors.views.at[view].external_layer)
			return name;
		for (uint32_t i = 0; i < actor->layers.count; i++)
			if (sets_names_layer(cook, layers,
				    cook->world->texts.at[actor->layers.first + i], name))
				return name;
	}
	return CS_NONE;
}

static struct cs_error *sets_keep(
	struct cs_cook *cook, const struct cs_instance *instance, const struct cs_edge *edge)
{
	cook->grouped.filtered[cs_row_of(cook, instance, edge->to)] = false;
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_MISSING_REFERENCE, CS_ERROR,
		CS_REPAIR_KEEP_FILTERED, "the actor is filtered out");
	draft.collection = instance->collection;
	draft.instance = (uint32_t)(instance - cook->placed.instances.at);
	draft.view = edge->from;
	draft.other = edge->to;
	return cs_cook_find(cook, draft, NULL);
}

/* Rule 1.4.V4: keeps filtered-out actors to which a kept actor refers, even indirectly. */
static struct cs_error *keep_referenced(struct cs_cook *cook, const struct cs_instance *instance,
	const struct cs_collection *collection)
{
	CS_VEC(uint32_t) queue = {0};
	struct cs_error *error = NULL;
	for (uint32_t v = collection->first_view;
		!error && v < collection->first_view + collection->n_views; v++)
		if (!cook->grouped.filtered[cs_row_of(cook, instance, v)] &&
			!cs_vec_push(&queue, v))
			error = cs_error_nomem();
	for (size_t i = 0; !error && i < queue.n; i++) {
		uint32_t from = queue.at[i];
		for (uint32_t e = cook->links.out[from]; !error && e < cook->links.out[from + 1];
			e++) {
			const struct cs_edge *edge = &cook->links.edges.at[e];
			if (edge->removed ||
				!cook->grouped.filtered[cs_row_of(cook, instance, edge->to)])
				continue;
			error = sets_keep(cook, instance, edge);
			if (!error && !cs_vec_push(&queue, edge->to))
				error = cs_error_nomem();
		}
	}
	cs_vec_free(&queue);
	return error;
}

/* Returns the entry of `filterings` for the row of an actor that an actor filter excludes. */
static const struct cs_filtering *sets_filtering_of(const struct cs_cook *cook, uint32_t row)
{
	const struct cs_cook_grouped *grouped = &cook->grouped;
	size_t at =
		cs_lower_bound(0, grouped->filterings.n, i, grouped->filterings.at[i].row < row);
	return &grouped->filterings.at[at];
}

/* Returns the level instance from which `instance` inherits that its filter excludes `name`. */
static uint32_t filter_owner(const struct cs_cook *cook, uint32_t instance, uint32_t name)
{
	for (uint32_t around; (around = cook->placed.instances.at[instance].parent) != CS_NONE;
		instance = around) {
		struct cs_range names =
			cs_lists_range(&cook->lists, cook->placed.instances.at[around].filter);
		const uint32_t *at = &cook->lists.values.at[names.first];
		size_t found = cs_lower_bound(0, names.count, i, at[i] < name);
		if (found == names.count || at[found] != name)
			break;
	}
	return instance;
}

/* Marks the actors that an instance's filter excludes, or all if the instance is filtered out. */
static struct cs_error *filter_instance(
	struct cs_cook *cook, struct layer_names *layers, uint32_t number)
{
	const struct cs_instance *instance = &cook->placed.instances.at[number];
	const struct cs_collection *collection = &cook->actors.collections.at[instance->collection];
	bool all = instance->actor_row != CS_NONE && cook->grouped.filtered[instance->actor_row];
	if (!instance->filter && !all)
		return NULL;
	struct cs_filtering by = {.instance = CS_NONE};
	if (all)
		by = *sets_filtering_of(cook, instance->actor_row);
	for (uint32_t v = collection->first_view; v < collection->first_view + collection->n_views;
		v++) {
		if (cook->actors.views.at[v].kind == CS_VIEW_EDITOR_ONLY)
			continue;
		if (!all)
			by.text = filtering_name(cook, layers, instance, v);
		if (by.text == CS_NONE)
			continue;
		if (!all)
			by.instance = filter_owner(cook, number, by.text);
		by.row = cs_row_of(cook, instance, v);
		cook->grouped.filtered[by.row] = true;
		if (!cs_vec_push(&cook->grouped.filterings, by))
			return cs_error_nomem();
	}
	if (layers->failed)
		return cs_error_nomem();
	return all ? NULL : keep_referenced(cook, instance, collection);
}

/* ---- names in filters that have no effect ---- */

static bool any_actor_names(struct cs_cook *cook, struct layer_names *layers, uint32_t name)
{
	for (uint32_t v = 0; v < cook->actors.views.n; v++) {
		const struct cs_range own = cs_view_actor(cook, v)->layers;
		for (uint32_t i = 0; i < own.count; i++)
			if (sets_names_layer(
				    cook, layers, cook->world->texts.at[own.first + i], name))
				return true;
	}
	return false;
}

static struct cs_error *tell_filter_name(
	struct cs_cook *cook, const struct cs_instance *outer, uint32_t view, uint32_t name)
{
	char reason[400];
	int n = snprintf(reason, sizeof(reason),
		"its actor filter names the data layer %.300s, which the world does not have",
		cs_world_text(cook->world, name));
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_UNKNOWN_LAYER, CS_WARNING,
		CS_REPAIR_NONE, cs_arena_text(&cook->arena, reason, (size_t)n));
	if (!draft.reason)
		return cs_error_nomem();
	draft.collection = outer->collection;
	draft.view = view;
	return cs_cook_find(cook, draft, NULL);
}

/*
 * Reports each name in a level instance's filter that is neither the name of a data layer nor a
 * layer name that an actor uses. If the level around the level instance is instanced several times,
 * the name is reported only once.
 */
static struct cs_error *check_filter_names(
	struct cs_cook *cook, struct layer_names *layers, const struct cs_instance *inner)
{
	if (inner->parent == CS_NONE || !inner->filter)
		return NULL;
	const struct cs_instance *outer = &cook->placed.instances.at[inner->parent];
	const uint32_t view = cs_view_of_row(cook, outer, inner->actor_row);
	const struct cs_range own =
		cook->world->level_instances
			.at[cs_actor_more(cook->world, cs_view_actor(cook, view))->level_instance]
			.filter;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < own.count && !cook->actors.views.at[view].told_filter;
		i++) {
		const uint32_t name = cook->world->texts.at[own.first + i];
		if (sets_layer_row(cook, layers, name) == NO_LAYER &&
			!any_actor_names(cook, layers, name))
			error = tell_filter_name(cook, outer, view, name);
	}
	cook->actors.views.at[view].told_filter = true;
	return error;
}

/* Applies the actor filters of all level instances, outer instances before inner ones. */
static struct cs_error *apply_filters(struct cs_cook *cook)
{
	cook->grouped.filtered = cs_large_calloc(
		cook->placed.n_rows ? cook->placed.n_rows : 1, sizeof(*cook->grouped.filtered));
	cook->grouped.no_hlod_layer = cs_large_calloc(cook->placed.n_rows ? cook->placed.n_rows : 1,
		sizeof(*cook->grouped.no_hlod_layer));
	if (!cook->grouped.filtered || !cook->grouped.no_hlod_layer)
		return cs_error_nomem();
	struct layer_names layers = {.failed = false};
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < cook->placed.instances.n; i++)
		error = filter_instance(cook, &layers, i);
	for (uint32_t i = 0; !error && i < cook->placed.instances.n; i++)
		error = check_filter_names(cook, &layers, &cook->placed.instances.at[i]);
	cs_text_map_deinit(&layers.rows);
	return error;
}

/* ---- making sets ---- */

/*
 * Returns whether an actor is in this instance: not filtered out, nor kept out of level instances.
 */
static bool is_member(const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	if (cook->grouped.filtered[cs_row_of(cook, instance, view)])
		return false;
	return instance->parent == CS_NONE ||
	       !(cs_view_actor(cook, view)->flags & CS_ACTOR_MAIN_WORLD_ONLY);
}

/*
 * Makes a cluster's actor set. A grid or external layer of its instance comes first (rule 1.3.1).
 */
static struct cs_actor_set make_set(
	const struct cs_cook *cook, uint32_t instance_index, uint32_t cluster)
{
	const struct cs_instance *instance = &cook->placed.instances.at[instance_index];
	const uint32_t *views = cook->clusters.views + cook->clusters.starts[cluster];
	uint32_t n = cook->clusters.starts[cluster + 1] - cook->clusters.starts[cluster];
	const struct cs_effective own = cs_view_effective(cook, views[0]);
	struct cs_actor_set set = {
		.instance = instance_index,
		.partition = CS_NONE,
		.cell = CS_NONE,
		.anchor = cs_row_of(cook, instance, views[0]),
		.layers = own.layers,
		.external_layer = instance->external_layer != CS_NONE ? instance->external_layer
								      : own.external_layer,
		.grid = instance->grid ? instance->grid : own.grid,
		.members = {cluster, 0},
		.spatial = instance->spatial && own.spatial,
	};
	for (uint32_t i = 0; i < n; i++)
		set.members.count += is_member(cook, instance, views[i]);
	return set;
}

struct set_job {
	struct cs_cook *cook;
	uint32_t instance;
	size_t first; /* index in cook->grouped.sets of the instance's first set */
};

static void make_sets(void *context, size_t begin, size_t end, int thread)
{
	const struct set_job *job = context;
	struct cs_cook *cook = job->cook;
	const uint32_t first =
		cook->actors.collections.at[cook->placed.instances.at[job->instance].collection]
			.first_cluster;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		if (i + CS_AHEAD < end)
			cs_expect_top(cook,
				cook->clusters.views[cook->clusters.starts[first + i + CS_AHEAD]]);
		cook->grouped.sets.at[job->first + i] =
			make_set(cook, job->instance, first + (uint32_t)i);
	}
}

static struct cs_error *make_all_sets(struct cs_cook *cook)
{
	size_t all = 0;
	for (uint32_t i = 0; i < cook->placed.instances.n; i++)
		all += cook->actors.collections.at[cook->placed.instances.at[i].collection]
			       .n_clusters;
	if (!cs_vec_reserve(&cook->grouped.sets, all))
		return cs_error_nomem();
	for (uint32_t i = 0; i < cook->placed.instances.n; i++) {
		uint32_t n = cook->actors.collections.at[cook->placed.instances.at[i].collection]
				     .n_clusters;
		struct set_job job = {cook, i, cook->grouped.sets.n};
		cs_parallel_for(cook->threads, n, 16384, make_sets, &job);
		cook->grouped.sets.n += n;
	}
	return NULL;
}

static bool begin_members(struct cs_cook *cook)
{
	const size_t n = cook->placed.n_rows;
	cook->grouped.set_of_row = cs_large_malloc((n ? n : 1) * sizeof(uint32_t));
	if (!cook->grouped.set_of_row)
		return false;
	memset(cook->grouped.set_of_row, 0xff, n * sizeof(uint32_t));
	return cs_vec_reserve(&cook->grouped.members, n);
}

/* Lists the members of a set. On entry, members.first is the number of the set's cluster. */
static void list_members(struct cs_cook *cook, uint32_t index)
{
	struct cs_actor_set *set = &cook->grouped.sets.at[index];
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	const uint32_t cluster = set->members.first;
	set->members.first = (uint32_t)cook->grouped.members.n;
	for (uint32_t k = cook->clusters.starts[cluster]; k < cook->clusters.starts[cluster + 1];
		k++) {
		const uint32_t view = cook->clusters.views[k];
		if (!is_member(cook, instance, view))
			continue;
		const uint32_t row = cs_row_of(cook, instance, view);
		cook->grouped.members.at[cook->grouped.members.n++] = row;
		cook->grouped.set_of_row[row] = index;
	}
}

/* ---- rule 1.4.V4: checks of an actor in its instance; reported once for each level ---- */

static struct cs_error *sets_report(struct cs_cook *cook, const struct cs_actor_set *set,
	uint32_t row, enum cs_check check, enum cs_repair repair, const char *reason)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	struct cs_finding_draft draft = cs_finding_draft(check, CS_ERROR, repair, reason);
	draft.collection = instance->collection;
	draft.instance = set->instance;
	draft.view = cs_view_of_row(cook, instance, row);
	return cs_cook_find(cook, draft, NULL);
}

/* Reports an unknown grid of level instances once, for the outermost instance that has a grid. */
static struct cs_error *report_instance_grid(struct cs_cook *cook, uint32_t at)
{
	while (cook->placed.instances.at[cook->placed.instances.at[at].parent].grid)
		at = cook->placed.instances.at[at].parent;
	struct cs_instance *inner = &cook->placed.instances.at[at];
	if (inner->unknown_grid)
		return NULL;
	inner->unknown_grid = true;
	const struct cs_instance *outer = &cook->placed.instances.at[inner->parent];
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_INVALID_GRID, CS_ERROR,
		CS_REPAIR_NO_GRID, "unknown runtime grid, for all in the level instance");
	draft.collection = outer->collection;
	draft.instance = inner->parent;
	draft.view = cs_view_of_row(cook, outer, inner->actor_row);
	cook->actors.views.at[draft.view].unknown_grid = true;
	return cs_cook_find(cook, draft, NULL);
}

static struct cs_error *tell_idle_grid(
	struct cs_cook *cook, const struct cs_instance *instance, uint32_t view, const char *reason)
{
	if (cook->actors.views.at[view].idle_grid)
		return NULL;
	cook->actors.views.at[view].idle_grid = true;
	struct cs_finding_draft draft =
		cs_finding_draft(CS_CHECK_INVALID_GRID, CS_WARNING, CS_REPAIR_NONE, reason);
	draft.collection = instance->collection;
	draft.instance = (uint32_t)(instance - cook->placed.instances.at);
	draft.view = view;
	return cs_cook_find(cook, draft, NULL);
}

/* Reports unknown grid names that a parent or level instance overrides, or that no set uses. */
static struct cs_error *tell_unasked_grids(struct cs_cook *cook, const struct cs_instance *instance)
{
	const struct cs_collection *collection = &cook->actors.collections.at[instance->collection];
	struct cs_error *error = NULL;
	for (uint32_t v = collection->first_view;
		!error && v < collection->first_view + collection->n_views; v++) {
		const struct cs_view *view = &cook->actors.views.at[v];
		const bool known = cook->grids.names.at[view->grid].partition != CS_NONE;
		if (view->kind == CS_VIEW_EDITOR_ONLY || known || view->unknown_grid)
			continue;
		error = tell_idle_grid(cook, instance, v,
			view->parent != CS_NONE ? "unknown runtime grid: that of the parent is used"
			: instance->grid
				? "unknown runtime grid: that of the level instance is used"
				: "unknown runtime grid: the name is ignored");
	}
	return error;
}

static bool has_unknown_grids(const struct cs_cook *cook)
{
	bool unknown = false;
	for (size_t i = 0; i < cook->grids.names.n; i++)
		unknown |= cook->grids.names.at[i].partition == CS_NONE;
	return unknown;
}

/* Reports an unknown grid name of a non-spatial set. The name is ignored, or the set is dropped. */
static struct cs_error *tell_grid(struct cs_cook *cook, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	const bool dropped = cook->hash_class == CS_HASH_SET && cook->grids.persistent == CS_NONE;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && !instance->grid && i < set->members.count; i++) {
		uint32_t row = cook->grouped.members.at[set->members.first + i];
		error = tell_idle_grid(cook, instance, cs_view_of_row(cook, instance, row),
			dropped ? "unknown runtime grid: the non-spatial actor is dropped"
				: "unknown runtime grid: a non-spatial actor needs no grid");
	}
	return error;
}

static struct cs_error *sets_check_grid(struct cs_cook *cook, struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	if (cook->grids.names.at[set->grid].partition != CS_NONE)
		return NULL;
	if (!set->spatial)
		return tell_grid(cook, set);
	struct cs_error *error = instance->grid ? report_instance_grid(cook, set->instance) : NULL;
	for (uint32_t i = 0; !error && !instance->grid && i < set->members.count; i++) {
		uint32_t row = cook->grouped.members.at[set->members.first + i];
		struct cs_view *view = &cook->actors.views.at[cs_view_of_row(cook, instance, row)];
		if (view->unknown_grid)
			continue;
		view->unknown_grid = true;
		error = sets_report(cook, set, row, CS_CHECK_INVALID_GRID, CS_REPAIR_NO_GRID,
			"unknown runtime grid");
	}
	set->grid = 0;
	return error;
}

/*
 * Returns whether there is a partition (cs_hlod_home) for HLOD actors that have this layer and
 * represent actors of `partition`.
 */
static bool is_served(const struct cs_cook *cook, uint32_t partition, uint32_t layer)
{
	uint32_t parent = cook->grids.partitions.at[partition].row.parent;
	return cs_hlod_home(cook, parent == CS_NONE ? partition : parent, layer) != CS_NONE;
}

static struct cs_error *check_hlod_layers(struct cs_cook *cook, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	uint32_t partition = cook->grids.names.at[set->grid].partition;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < set->members.count; i++) {
		uint32_t row = cook->grouped.members.at[set->members.first + i];
		uint32_t layer =
			cs_row_hlod_layer(cook, instance, cs_view_of_row(cook, instance, row));
		if (layer == CS_NONE || is_served(cook, partition, layer))
			continue;
		cook->grouped.no_hlod_layer[row] = true;
		error = sets_report(cook, set, row, CS_CHECK_INVALID_HLOD_LAYER,
			CS_REPAIR_NO_HLOD_LAYER, "not in the HLOD setups of its partition");
	}
	return error;
}

/*
 * Finishes the sets in one pass, because each pass over them reads 40 bytes an actor: leaves out
 * sets without members, combines layers, lists members, and checks.
 */
static struct cs_error *finish_sets(struct cs_cook *cook)
{
	const bool hlod = cook->profile->hlod_layer_always && cook->hash_class == CS_HASH_SET;
	const size_t n = cook->grouped.sets.n;
	struct cs_error *error = begin_members(cook) ? NULL : cs_error_nomem();
	cook->grouped.sets.n = 0;
	for (size_t i = 0; !error && i < n; i++) {
		const uint32_t index = (uint32_t)cook->grouped.sets.n;
		struct cs_actor_set *set = &cook->grouped.sets.at[index];
		if (!cook->grouped.sets.at[i].members.count)
			continue;
		if (index < i)
			*set = cook->grouped.sets.at[i];
		cook->grouped.sets.n++;
		const uint32_t outer = cook->placed.instances.at[set->instance].layers;
		if (outer)
			set->layers = cs_lists_union(&cook->lists, outer, set->layers);
		if (set->layers == CS_NONE)
			return cs_error_nomem();
		list_members(cook, index);
		error = sets_check_grid(cook, set);
		if (!error && hlod && set->spatial)
			error = check_hlod_layers(cook, set);
	}
	return error;
}

static struct cs_error *tell_all_unasked_grids(struct cs_cook *cook)
{
	struct cs_error *error = NULL;
	if (!has_unknown_grids(cook))
		return NULL;
	for (uint32_t i = 0; !error && i < cook->placed.instances.n; i++)
		error = tell_unasked_grids(cook, &cook->placed.instances.at[i]);
	return error;
}

struct cs_error *cs_cook_sets(struct cs_cook *cook)
{
	struct cs_error *error = apply_filters(cook);
	if (!error)
		error = make_all_sets(cook);
	if (!error)
		error = finish_sets(cook);
	cs_cook_drop_links(cook);
	return error ? error : tell_all_unasked_grids(cook);
}
