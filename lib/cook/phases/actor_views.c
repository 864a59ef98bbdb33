/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the views of a cook (struct cs_view: an actor descriptor as the cook sees it) and resolves
 * the names in descriptors (world-partition rule 1.3, steps 1 and 2): which descriptors are cooked,
 * and their grids, data layers, HLOD layers and attach parents.
 */
#include "cook/phases/phases.h"

#include "cook/phases/text_map.h"
#include "core/guid.h"
#include "core/invariant.h"
#include "core/large.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/sort.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

/* Largest number of attach parents above an actor, which cs_view_inherited() follows. */
enum { DEEPEST_ATTACHMENT = 1024 };

/* ---- collecting collections and descriptors ---- */

static bool takes_part(const struct cs_cook *cook, const struct cs_actor_row *actor)
{
	if (cook->trigger == CS_TRIGGER_COOK)
		return actor->saved != CS_UNSAVED_ONLY;
	return actor->saved != CS_SAVED_ONLY;
}

/*
 * Returns whether a level instance has a level that can be embedded; *container receives the
 * container of that level. Any other level instance is cooked as a single actor.
 */
static bool is_embedded(
	const struct cs_cook *cook, const struct cs_actor_row *actor, uint32_t *container)
{
	const uint32_t instance = cs_actor_more(cook->world, actor)->level_instance;
	if (instance == CS_NONE)
		return false;
	const struct cs_level_instance *li = &cook->world->level_instances.at[instance];
	*container = cs_world_find_container(cook->world, cs_world_text(cook->world, li->level));
	return li->behavior == CS_BEHAVIOR_PARTITIONED && *container != CS_NONE &&
	       *container != 0 && *container != cook->root &&
	       !cook->world->containers.at[*container].missing &&
	       cook->world->containers.at[*container].external_actors;
}

/*
 * Makes the view of an actor: a copy of the fields that later phases use. It is its own topmost
 * parent until find_tops() finds another.
 */
static struct cs_view actor_views_describe(
	const struct cs_cook *cook, const struct cs_actor_row *actor, uint32_t index)
{
	struct cs_view view = {.kind = CS_VIEW_ACTOR,
		.parent = CS_NONE,
		.top = index,
		.external_layer = CS_NONE,
		.hlod_layer = CS_NONE};
	uint32_t container;
	const bool plays = cook->trigger == CS_TRIGGER_PIE && actor->flags & CS_ACTOR_IN_PIE;
	if (actor->flags & CS_ACTOR_EDITOR_ONLY && !plays)
		view.kind = CS_VIEW_EDITOR_ONLY;
	else if (is_embedded(cook, actor, &container))
		view.kind = CS_VIEW_CONTAINER;
	view.shows =
		(actor->flags & (CS_ACTOR_HLOD_RELEVANT | CS_ACTOR_HLOD)) == CS_ACTOR_HLOD_RELEVANT;
	view.attaches = actor->parent != 0;
	view.refers = actor->references.count != 0;
	view.is_level = cs_actor_more(cook->world, actor)->level_instance != CS_NONE;
	view.resaves = (actor->flags & CS_ACTOR_NEEDS_RESAVE) != 0;
	return view;
}

static struct cs_error *push_views(struct cs_cook *cook, uint32_t container)
{
	const struct cs_range range = cook->world->containers.at[container].actors;
	const struct cs_actor_row *actors = cook->world->actors.at;
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t actor = range.first + i;
		if (i + CS_AHEAD < range.count)
			cs_expect_actor(&actors[actor + CS_AHEAD]);
		if (!takes_part(cook, &actors[actor]))
			continue;
		const uint32_t index = (uint32_t)cook->actors.views.n;
		if (!cs_vec_push(&cook->actors.rows, actor) ||
			!cs_vec_push(&cook->actors.views,
				actor_views_describe(cook, &actors[actor], index)))
			return cs_error_nomem();
	}
	return NULL;
}

static int actor_views_by_guid(const void *left, const void *right, void *context)
{
	const struct cs_world *world = context;
	return cs_guid_compare(world->actors.at[*(const uint32_t *)left].guid,
		world->actors.at[*(const uint32_t *)right].guid);
}

/* Sorts by GUID the views from index `first` on, because they come from several containers. */
static bool merge_views(struct cs_cook *cook, uint32_t first)
{
	const size_t n = cook->actors.views.n - first;
	if (!cs_sort(cook->actors.rows.at + first, n, sizeof(uint32_t), actor_views_by_guid,
		    (void *)cook->world))
		return false;
	for (uint32_t i = first; i < cook->actors.views.n; i++)
		cook->actors.views.at[i] = actor_views_describe(cook, cs_view_actor(cook, i), i);
	return true;
}

static struct cs_error *add_collection(struct cs_cook *cook, uint32_t container)
{
	const struct cs_world *world = cook->world;
	struct cs_collection collection = {.container = container,
		.first_view = (uint32_t)cook->actors.views.n,
		.bounds = CS_BOX_INVALID};
	struct cs_error *error = push_views(cook, container);
	bool merged = false;
	for (uint32_t i = 1; !error && container == 0 && i < world->containers.n; i++) {
		if (world->containers.at[i].kind != CS_CONTAINER_EXTERNAL_LAYER)
			continue;
		error = push_views(cook, i);
		merged = true;
	}
	if (error)
		return error;
	collection.n_views = (uint32_t)cook->actors.views.n - collection.first_view;
	if (merged && !merge_views(cook, collection.first_view))
		return cs_error_nomem();
	return cs_vec_push(&cook->actors.collections, collection) ? NULL : cs_error_nomem();
}

static uint32_t collection_of_container(const struct cs_cook *cook, uint32_t container)
{
	for (uint32_t i = 0; i < cook->actors.collections.n; i++)
		if (cook->actors.collections.at[i].container == container)
			return i;
	return CS_NONE;
}

/*
 * Groups the actors' views into collections: one for the main level, one for each content bundle,
 * and one for each level that an embedded level instance contains.
 */
static struct cs_error *actor_views_collect(struct cs_cook *cook)
{
	const struct cs_world *world = cook->world;
	/* each actor becomes at most one view of the main world */
	size_t most = cook->root == 0 ? world->actors.n : 0;
	if (!cs_vec_reserve(&cook->actors.views, most) || !cs_vec_reserve(&cook->actors.rows, most))
		return cs_error_nomem();
	struct cs_error *error = add_collection(cook, cook->root);
	for (uint32_t i = 1; !error && cook->root == 0 && i < world->containers.n; i++)
		if (world->containers.at[i].kind == CS_CONTAINER_BUNDLE)
			error = add_collection(cook, i);
	uint32_t done = 0;
	for (uint32_t c = 0; !error && c < cook->actors.collections.n; c++) {
		uint32_t end = cook->actors.collections.at[c].first_view +
			       cook->actors.collections.at[c].n_views;
		cook->actors.collections.at[c].first_container =
			(uint32_t)cook->actors.containers.n;
		for (; !error && done < end; done++) {
			uint32_t container = CS_NONE;
			if (cook->actors.views.at[done].kind != CS_VIEW_CONTAINER ||
				!is_embedded(cook, cs_view_actor(cook, done), &container))
				continue;
			cook->actors.collections.at[c].n_containers++;
			if (!cs_vec_push(&cook->actors.containers, done))
				error = cs_error_nomem();
			else if (collection_of_container(cook, container) == CS_NONE)
				error = add_collection(cook, container);
		}
	}
	return error;
}

/* ---- finding views by GUID ---- */

/*
 * Indexes the views (actors) of a collection by GUID. They are sorted by GUID, so the first bits in
 * which the GUIDs differ divide them into consecutive ranges, of about one view each unless the
 * GUIDs are distributed very unevenly. Filling and searching the index use memory in that order.
 */
static bool index_collection(const struct cs_cook *cook, struct cs_collection *collection)
{
	const uint32_t first = collection->first_view, n = collection->n_views, end = first + n;
	struct cs_guid_index *index = &collection->by_guid;
	if (n == 0)
		return true;
	index->least = cs_guid_head(cs_view_guid(cook, first));
	index->span = cs_guid_head(cs_view_guid(cook, end - 1)) - index->least;
	while (index->span >> index->shift >= n)
		index->shift++;
	const size_t last = (size_t)(index->span >> index->shift);
	index->starts = cs_large_malloc((last + 2) * sizeof(*index->starts));
	if (!index->starts)
		return false;
	size_t filled = 0;
	for (uint32_t view = first; view < end; view++) {
		const uint64_t head = cs_guid_head(cs_view_guid(cook, view));
		const size_t bucket = (size_t)((head - index->least) >> index->shift);
		while (filled <= bucket)
			index->starts[filled++] = view;
	}
	index->starts[last + 1] = end;
	return true;
}

uint32_t cs_collection_find(
	const struct cs_cook *cook, const struct cs_collection *collection, struct cs_guid guid)
{
	const uint32_t *starts = cs_collection_bucket(collection, guid);
	if (!starts)
		return CS_NONE;
	const uint32_t end = starts[1];
	const uint32_t found = cs_lower_bound(
		starts[0], end, view, cs_guid_compare(cs_view_guid(cook, view), guid) < 0);
	return found < end && cs_guid_compare(cs_view_guid(cook, found), guid) == 0 ? found
										    : CS_NONE;
}

/* ---- resolving names ---- */

struct resolver {
	struct cs_cook *cook;
	struct cs_text_map grids, layers, hlod_layers;
	CS_VEC(uint32_t) list;
	uint32_t default_hlod_layer;
	uint32_t collection; /* index of the collection that contains the view being resolved */
};

/* Results for the name of a layer that cannot be used. The actor then does not have the layer. */
enum {
	LAYER_OF_EDITOR = CS_NONE - 1,
	LAYER_DROPPED = CS_NONE - 2,
	LAYER_UNKNOWN = CS_NONE - 3,
};

static struct cs_error *actor_views_resolve_grid(
	struct resolver *resolver, uint32_t text, uint32_t *ret)
{
	uint32_t *known = cs_text_map_at(&resolver->grids, text);
	struct cs_error *error = NULL;
	if (!known)
		return cs_error_nomem();
	if (*known == CS_NONE)
		error = cs_cook_grid_name(resolver->cook, text, known);
	*ret = *known;
	return error;
}

static uint32_t find_layer(const struct cs_cook *cook, uint32_t text)
{
	uint32_t row = cs_cook_layer(cook, text);
	if (row == CS_NONE)
		return LAYER_UNKNOWN;
	if (cook->world->layers.at[cook->layers.sources[row]].type != CS_LAYER_RUNTIME)
		return LAYER_OF_EDITOR;
	return cook->layers.dropped[row] ? LAYER_DROPPED : row;
}

/* Why an actor's data layer is ignored: text of the finding before and after the layer's name. */
struct ignored {
	const char *before, *behind;
};
static const struct ignored layer_unknown = {"no instance of the data layer ", " in the world"};
static const struct ignored layer_dropped = {"its data layer ", " was dropped"};
static const struct ignored layer_second = {
	"its external data layer ", " is ignored: an actor has only one"};

/* Reports a data layer that an actor names, but that UE ignores without a message. */
static struct cs_error *report_layer(struct resolver *resolver, const struct cs_view *view,
	uint32_t text, const struct ignored *why)
{
	struct cs_cook *cook = resolver->cook;
	char reason[400];
	int n = snprintf(reason, sizeof(reason), "%s%.300s%s", why->before,
		cs_world_text(cook->world, text), why->behind);
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_UNKNOWN_LAYER, CS_WARNING,
		CS_REPAIR_NONE, cs_arena_text(&cook->arena, reason, (size_t)n));
	if (!draft.reason)
		return cs_error_nomem();
	draft.collection = resolver->collection;
	draft.view = (uint32_t)(view - cook->actors.views.at);
	return cs_cook_find(cook, draft, NULL);
}

/*
 * Stores in *ret the row of the runtime layer with this name, or CS_NONE if there is none. Reports
 * a layer that is unknown or was dropped, unless the actor is editor-only.
 */
static struct cs_error *actor_views_resolve_layer(
	struct resolver *resolver, const struct cs_view *view, uint32_t text, uint32_t *ret)
{
	uint32_t *known = cs_text_map_at(&resolver->layers, text);
	if (!known)
		return cs_error_nomem();
	if (*known == CS_NONE)
		*known = find_layer(resolver->cook, text);
	*ret = *known < LAYER_UNKNOWN ? *known : CS_NONE;
	if (view->kind == CS_VIEW_EDITOR_ONLY ||
		(*known != LAYER_UNKNOWN && *known != LAYER_DROPPED))
		return NULL;
	return report_layer(
		resolver, view, text, *known == LAYER_DROPPED ? &layer_dropped : &layer_unknown);
}

static bool actor_views_is_external(const struct cs_cook *cook, uint32_t row)
{
	return cook->world->layers.at[cook->layers.sources[row]].external;
}

/* Reports each external data layer that the actor names besides view->external_layer. */
static struct cs_error *report_second_layers(
	struct resolver *resolver, const struct cs_actor_row *actor, const struct cs_view *view)
{
	const struct cs_world *world = resolver->cook->world;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < actor->layers.count && !error; i++) {
		const uint32_t text = world->texts.at[actor->layers.first + i];
		const uint32_t *known = cs_text_map_at(&resolver->layers, text);
		if (!known)
			return cs_error_nomem();
		/* the names were resolved together with the actor's other layers */
		const uint32_t row = *known;
		if (row < LAYER_UNKNOWN && row != view->external_layer &&
			actor_views_is_external(resolver->cook, row) &&
			view->kind != CS_VIEW_EDITOR_ONLY)
			error = report_layer(resolver, view, text, &layer_second);
	}
	return error;
}

static struct cs_error *resolve_layers(
	struct resolver *resolver, const struct cs_actor_row *actor, struct cs_view *view)
{
	const struct cs_world *world = resolver->cook->world;
	const struct cs_source_container *home = &world->containers.at[actor->container];
	uint32_t row;
	bool listed = false; /* whether an external layer is among the layers of the actor */
	struct cs_error *error = NULL;
	resolver->list.n = 0;
	for (uint32_t i = 0; i < actor->layers.count; i++) {
		error = actor_views_resolve_layer(
			resolver, view, world->texts.at[actor->layers.first + i], &row);
		if (error)
			return error;
		if (row == CS_NONE)
			continue;
		if (actor_views_is_external(resolver->cook, row)) {
			/* of several, the one of the lowest row: their order has no effect */
			if (row < view->external_layer)
				view->external_layer = row;
			listed = true;
		} else if (!cs_vec_push(&resolver->list, row)) {
			return cs_error_nomem();
		}
	}
	uint32_t external = home->kind == CS_CONTAINER_EXTERNAL_LAYER
				    ? home->external_layer
				    : cs_actor_more(world, actor)->external_layer;
	if (*cs_world_text(world, external)) {
		error = actor_views_resolve_layer(resolver, view, external, &row);
		if (error)
			return error;
		view->external_layer = row;
	}
	view->layers = cs_lists_add(&resolver->cook->lists, resolver->list.at, resolver->list.n);
	if (view->layers == CS_NONE)
		return cs_error_nomem();
	return listed ? report_second_layers(resolver, actor, view) : NULL;
}

static bool resolve_hlod_layer(
	struct resolver *resolver, const struct cs_actor_row *actor, struct cs_view *view)
{
	view->hlod_layer = resolver->default_hlod_layer;
	if (!*cs_world_text(resolver->cook->world, actor->hlod_layer))
		return true;
	uint32_t *known = cs_text_map_at(&resolver->hlod_layers, actor->hlod_layer);
	if (!known)
		return false;
	if (*known == CS_NONE)
		*known = cs_cook_hlod_layer(resolver->cook, actor->hlod_layer);
	view->hlod_layer = *known;
	return true;
}

static struct cs_error *resolve_view(struct resolver *resolver, struct cs_view *view)
{
	const struct cs_cook *cook = resolver->cook;
	const struct cs_actor_row *actor =
		cs_view_actor(cook, (uint32_t)(view - cook->actors.views.at));
	bool streaming = cook->world->settings.streaming;
	/* in a world that does not stream, no actor is spatial or has a grid */
	view->own_spatial = streaming && actor->flags & CS_ACTOR_OWN_SPATIAL;
	struct cs_error *error =
		actor_views_resolve_grid(resolver, streaming ? actor->grid : 0, &view->grid);
	if (!error)
		error = resolve_layers(resolver, actor, view);
	if (!error && !resolve_hlod_layer(resolver, actor, view))
		error = cs_error_nomem();
	return error;
}

/* ---- attach parents ---- */

/* Ascending list of the views (actors) that name an attach parent, which few actors do. */
struct attached {
	CS_VEC(uint32_t) views;
};

static struct cs_guid actor_views_parent_of(const struct cs_cook *cook, uint32_t view)
{
	return cs_actor_parent(cook->world, cs_view_actor(cook, view));
}

/*
 * Prefetches what attach() will read for later views, because parents are scattered in memory:
 * first the actor that names its parent, then what finding the parent reads.
 */
CS_EXPECTING void expect_parent(const struct cs_cook *cook, const struct cs_collection *collection,
	const struct attached *attached, size_t k)
{
	if (k + 4 * CS_AHEAD >= attached->views.n)
		return;
	const uint32_t *views = attached->views.at + k;
	__builtin_prefetch(&cs_view_actor(cook, views[4 * CS_AHEAD])->parent);
	for (size_t step = CS_FIND_BUCKET; step < CS_FIND_STEPS; step++)
		cs_expect_find(cook, collection,
			actor_views_parent_of(cook, views[(CS_FIND_STEPS - step) * CS_AHEAD]),
			step);
}

/*
 * Sets the attach parents of the views in the list from index `kept` on, and removes those views
 * whose parent does not exist or is not of kind CS_VIEW_ACTOR.
 */
static void attach(struct cs_cook *cook, const struct cs_collection *collection,
	struct attached *attached, size_t kept)
{
	struct cs_view *views = cook->actors.views.at;
	for (size_t k = kept; k < attached->views.n; k++) {
		const uint32_t i = attached->views.at[k];
		expect_parent(cook, collection, attached, k);
		const uint32_t parent =
			cs_collection_find(cook, collection, actor_views_parent_of(cook, i));
		if (parent == CS_NONE || views[parent].kind != CS_VIEW_ACTOR)
			continue;
		views[i].parent = parent;
		attached->views.at[kept++] = i;
	}
	attached->views.n = kept;
}

/* Finds the attach parents of the actors of a collection. */
static bool find_parents(
	struct cs_cook *cook, const struct cs_collection *collection, struct attached *ret)
{
	const size_t before = ret->views.n;
	const uint32_t end = collection->first_view + collection->n_views;
	for (uint32_t i = collection->first_view; i < end; i++) {
		const struct cs_view *view = &cook->actors.views.at[i];
		if (view->attaches && view->kind == CS_VIEW_ACTOR && !cs_vec_push(&ret->views, i))
			return false;
	}
	attach(cook, collection, ret, before);
	return true;
}

/*
 * Breaks each cycle of attach parents at one view (actor). For each view i, follows the parents and
 * sets the `top` of i and of each parent to i. A parent whose `top` already is i closes a cycle.
 */
static void cut_rings(struct cs_view *views, const struct attached *attached)
{
	for (size_t k = 0; k < attached->views.n; k++)
		views[attached->views.at[k]].top = CS_NONE;
	for (size_t k = 0; k < attached->views.n; k++) {
		const uint32_t i = attached->views.at[k];
		uint32_t at = i;
		for (; at != CS_NONE && views[at].top == CS_NONE; at = views[at].parent)
			views[at].top = i;
		if (at != CS_NONE && views[at].top == i)
			views[at].parent = CS_NONE;
	}
}

/* Finds the topmost attach parent of each view (actor), and stores it in all views on the way. */
static struct cs_error *find_tops(struct cs_cook *cook, const struct attached *attached)
{
	struct cs_view *views = cook->actors.views.at;
	for (size_t k = 0; k < attached->views.n; k++) {
		const uint32_t i = attached->views.at[k];
		views[i].top = views[i].parent == CS_NONE ? i : CS_NONE;
	}
	for (size_t k = 0; k < attached->views.n; k++) {
		const uint32_t i = attached->views.at[k];
		uint32_t at = i, steps = 0;
		for (; views[at].top == CS_NONE; steps++)
			at = views[at].parent;
		const uint32_t top = views[at].top;
		uint32_t depth = views[at].depth + steps;
		if (depth > DEEPEST_ATTACHMENT)
			return cs_error_new(CS_E_LIMIT,
				"actor '%s' is attached more than %d actors deep",
				cs_world_text(cook->world, cs_view_actor(cook, i)->name),
				DEEPEST_ATTACHMENT);
		for (at = i; views[at].top == CS_NONE; at = views[at].parent) {
			views[at].top = top;
			views[at].depth = (uint16_t)depth--;
		}
	}
	return NULL;
}

static struct cs_error *attach_all(struct cs_cook *cook)
{
	struct attached attached = {0};
	bool good = true;
	for (size_t i = 0; good && i < cook->actors.collections.n; i++)
		good = find_parents(cook, &cook->actors.collections.at[i], &attached);
	cut_rings(cook->actors.views.at, &attached);
	struct cs_error *error = good ? find_tops(cook, &attached) : cs_error_nomem();
	cs_vec_free(&attached.views);
	return error;
}

/* ---- running the phase ---- */

/* Resolves a view's names. Views must come in ascending order: the collection only advances. */
static struct cs_error *resolve_next(struct resolver *resolver, uint32_t view)
{
	const struct cs_collection *collection =
		&resolver->cook->actors.collections.at[resolver->collection];
	while (view >= (size_t)collection->first_view + collection->n_views)
		collection = &resolver->cook->actors.collections.at[++resolver->collection];
	if (view + CS_AHEAD < resolver->cook->actors.views.n)
		cs_expect_actor(cs_view_actor(resolver->cook, view + CS_AHEAD));
	return resolve_view(resolver, &resolver->cook->actors.views.at[view]);
}

static bool views_hold(const struct cs_cook *cook)
{
	uint32_t view = 0;
	for (size_t i = 0; i < cook->actors.collections.n; i++) {
		const struct cs_collection *collection = &cook->actors.collections.at[i];
		if (collection->first_view != view)
			return false;
		for (view++; view < collection->first_view + collection->n_views; view++)
			if (cs_guid_compare(cs_view_actor(cook, view - 1)->guid,
				    cs_view_actor(cook, view)->guid) > 0)
				return false;
		view = collection->first_view + collection->n_views;
	}
	return view == cook->actors.views.n;
}

static struct cs_error *resolve_all(struct cs_cook *cook)
{
	struct resolver resolver = {.cook = cook};
	uint32_t grid;
	resolver.default_hlod_layer =
		cs_cook_hlod_layer(cook, cook->world->settings.default_hlod_layer);
	/* item 0 of the grid names is the default grid */
	struct cs_error *error = actor_views_resolve_grid(&resolver, 0, &grid);
	for (uint32_t i = 0; !error && i < cook->actors.views.n; i++)
		error = resolve_next(&resolver, i);
	cs_text_map_deinit(&resolver.grids);
	cs_text_map_deinit(&resolver.layers);
	cs_text_map_deinit(&resolver.hlod_layers);
	cs_vec_free(&resolver.list);
	return error;
}

/* If memory is limited (cs_large_most), copies the GUIDs of all views to an array of their own. */
static bool copy_guids(struct cs_cook *cook)
{
	const size_t n = cook->actors.views.n;
	if (cs_large_most() == 0)
		return true;
	struct cs_guid *guids = cs_scattered_calloc(n + 1, sizeof(*guids));
	for (uint32_t view = 0; guids && view < n; view++)
		guids[view] = cs_view_actor(cook, view)->guid;
	cook->actors.guids = guids;
	return guids != NULL;
}

static bool actor_views_index_all(struct cs_cook *cook)
{
	if (!copy_guids(cook))
		return false;
	for (size_t i = 0; i < cook->actors.collections.n; i++)
		if (!index_collection(cook, &cook->actors.collections.at[i]))
			return false;
	return true;
}

/* Tasks that run in parallel: resolving names and indexing views by GUID are independent. */
enum view_task { RESOLVE, INDEX, VIEW_TASKS };

struct view_work {
	struct cs_cook *cook;
	struct cs_error *error; /* error of the task RESOLVE (resolving names) */
	bool indexed;
};

static void do_view_work(void *context, size_t begin, size_t end, int thread)
{
	struct view_work *work = context;
	(void)thread;
	for (size_t task = begin; task < end; task++) {
		if (task == RESOLVE)
			work->error = resolve_all(work->cook);
		else
			work->indexed = actor_views_index_all(work->cook);
	}
}

struct cs_error *cs_cook_views(struct cs_cook *cook)
{
	struct view_work work = {.cook = cook};
	struct cs_error *error = actor_views_collect(cook);
	if (error)
		return error;
	CS_INVARIANT(views_hold(cook), "views of a collection are consecutive and in GUID order");
	cs_parallel_for(cook->threads, VIEW_TASKS, 1, do_view_work, &work);
	if (!work.error && !work.indexed)
		work.error = cs_error_nomem();
	return work.error ? work.error : attach_all(cook);
}

/* ---- values of a view after parents and repairs (1.3.2) ---- */

struct cs_effective cs_view_inherited(const struct cs_cook *cook, uint32_t view)
{
	const struct cs_view *top = &cook->actors.views.at[cook->actors.views.at[view].top];
	struct cs_effective effective = {
		top->grid, top->layers, top->external_layer, top->own_spatial};
	for (uint32_t at = view; at != CS_NONE; at = cook->actors.views.at[at].parent) {
		uint8_t forced = cook->actors.views.at[at].forced;
		effective.spatial = effective.spatial && !(forced & 1 << CS_FORCED_NON_SPATIAL);
		effective.layers = forced & 1 << CS_FORCED_NO_LAYERS ? 0 : effective.layers;
		effective.grid = forced & 1 << CS_FORCED_NO_GRID ? 0 : effective.grid;
	}
	return effective;
}
