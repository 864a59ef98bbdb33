/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the edges between the views of a collection (actor descriptors with the changes by
 * validation): one for each reference, whose state is determined here (world-partition rules 1.4,
 * V3), and one from the topmost parent to each attached child, so that a whole attach tree is
 * checked through its root.
 */
#include "cook/phases/phases.h"

#include "core/guid.h"
#include "core/large.h"
#include "core/slots.h"
#include "core/text.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

struct edge_maker {
	struct cs_cook *cook;
	/* for each view (actor): the last view with an edge to it, to avoid repeated edges */
	uint32_t *last_from;
	/* views of all collections by GUID; filled when a GUID is not in its own collection */
	struct cs_slots elsewhere;
};

static bool is_above(const struct cs_cook *cook, uint32_t above, uint32_t below)
{
	for (uint32_t at = below; at != CS_NONE; at = cook->actors.views.at[at].parent)
		if (at == above)
			return true;
	return false;
}

static uint32_t *find_view(const struct edge_maker *maker, struct cs_guid guid)
{
	return cs_slots_find(&maker->elsewhere, cs_guid_hash(guid), view,
		cs_guid_compare(cs_view_guid(maker->cook, view), guid) == 0);
}

/* Indexes the views of all collections by GUID, to find references to other collections. */
static struct cs_error *index_all(struct edge_maker *maker)
{
	if (!cs_slots_init(&maker->elsewhere, maker->cook->actors.views.n))
		return cs_error_nomem();
	for (uint32_t view = 0; view < maker->cook->actors.views.n; view++) {
		uint32_t *slot = find_view(maker, cs_view_guid(maker->cook, view));
		if (!*slot)
			cs_slots_put(&maker->elsewhere, slot, view);
	}
	return NULL;
}

static struct cs_error *find_elsewhere(struct edge_maker *maker, struct cs_guid guid, bool *ret)
{
	if (!maker->elsewhere.at) {
		struct cs_error *error = index_all(maker);
		if (error)
			return error;
	}
	*ret = *find_view(maker, guid) != 0;
	return NULL;
}

static struct cs_error *report_elsewhere(struct cs_cook *cook, uint32_t collection, uint32_t view,
	const char *role, struct cs_guid missing)
{
	char guid[CS_GUID_TEXT], reason[CS_GUID_TEXT + 50];
	cs_guid_format(missing, guid);
	const int n = snprintf(reason, sizeof(reason), "%s %s is in another container", role, guid);
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_MISSING_REFERENCE, CS_ERROR,
		CS_REPAIR_DROP_REFERENCE, cs_arena_text(&cook->arena, reason, (size_t)n));
	if (!draft.reason)
		return cs_error_nomem();
	draft.collection = collection;
	draft.view = view;
	return cs_cook_find(cook, draft, NULL);
}

static struct cs_error *reference_edges_resolve(struct edge_maker *maker, uint32_t collection,
	uint32_t view, uint32_t reference, enum cs_reference_state *ret)
{
	struct cs_cook *cook = maker->cook;
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	struct cs_guid guid = cook->world->guids.at[reference];
	const uint32_t other = cook->links.targets[reference];
	*ret = CS_REFERENCE_RUNTIME;
	if (cs_world_lists(
		    cook->world, cs_actor_more(cook->world, actor)->editor_references, guid)) {
		*ret = CS_REFERENCE_EDITOR;
		return NULL;
	}
	if (other == CS_NONE) {
		bool found;
		struct cs_error *error = find_elsewhere(maker, guid, &found);
		*ret = !error && found ? CS_REFERENCE_ELSEWHERE : CS_REFERENCE_MISSING;
		return !error && found ? report_elsewhere(cook, collection, view, "actor", guid)
				       : error;
	}
	if (cook->actors.views.at[other].kind != CS_VIEW_ACTOR) {
		*ret = CS_REFERENCE_EDITOR;
		return NULL;
	}
	if (is_above(cook, other, view) || is_above(cook, view, other)) {
		*ret = CS_REFERENCE_FAMILY;
		return NULL;
	}
	if (maker->last_from[other] == view)
		return NULL;
	maker->last_from[other] = view;
	return cs_vec_push(&cook->links.edges, (struct cs_edge){view, other, reference, false})
		       ? NULL
		       : cs_error_nomem();
}

static struct cs_error *add_references(struct edge_maker *maker, uint32_t collection, uint32_t view)
{
	struct cs_cook *cook = maker->cook;
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < actor->references.count; i++) {
		uint32_t reference = actor->references.first + i;
		enum cs_reference_state state = CS_REFERENCE_EDITOR;
		cook->links.targets[reference] = cs_collection_find(cook,
			&cook->actors.collections.at[collection], cook->world->guids.at[reference]);
		/* only actors that exist at run time get edges for their references */
		if (cook->actors.views.at[view].kind == CS_VIEW_ACTOR)
			error = reference_edges_resolve(maker, collection, view, reference, &state);
		cook->links.states[reference] = (uint8_t)state;
	}
	return error;
}

/* Reports an ignored attach parent in another container, unless a reference to it is reported. */
static struct cs_error *check_parent(struct edge_maker *maker, uint32_t collection, uint32_t view)
{
	const struct cs_cook *cook = maker->cook;
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	const struct cs_guid parent = cs_actor_parent(cook->world, actor);
	bool found = false;
	if (cs_collection_find(cook, &cook->actors.collections.at[collection], parent) != CS_NONE ||
		cs_world_lists(cook->world, actor->references, parent))
		return NULL;
	struct cs_error *error = find_elsewhere(maker, parent, &found);
	if (!error && found)
		error = report_elsewhere(maker->cook, collection, view, "its parent", parent);
	return error;
}

/*
 * Prefetches what resolving the first reference of later views (before `end`) reads: the actor, its
 * reference, and what the steps of cs_collection_find for the referenced actor read. A call does
 * each step for another view: step 0 for the view farthest ahead, and each next step for a view
 * STEP views nearer, for which an earlier call did the step before.
 */
CS_EXPECTING void expect_reference(
	const struct cs_cook *cook, const struct cs_collection *collection, size_t view, size_t end)
{
	/* STEP is large, because only views with references take time, and few have any */
	enum { STEP = 2 * CS_AHEAD, TO_ACTOR = CS_FIND_STEPS + 1 };
	for (size_t step = 0; step <= TO_ACTOR; step++) {
		const size_t ahead = view + (TO_ACTOR + 1 - step) * STEP;
		if (ahead >= end || !cook->actors.views.at[ahead].refers)
			continue;
		const uint32_t *first = &cs_view_actor(cook, (uint32_t)ahead)->references.first;
		if (step == 0)
			__builtin_prefetch(first);
		else if (step == 1)
			__builtin_prefetch(&cook->world->guids.at[*first]);
		else
			cs_expect_find(cook, collection, cook->world->guids.at[*first], step - 2);
	}
}

static struct cs_error *reference_edges_add_edges(struct edge_maker *maker)
{
	struct cs_cook *cook = maker->cook;
	struct cs_error *error = NULL;
	for (uint32_t c = 0; !error && c < cook->actors.collections.n; c++) {
		const struct cs_collection *collection = &cook->actors.collections.at[c];
		uint32_t end = collection->first_view + collection->n_views;
		for (uint32_t v = collection->first_view; !error && v < end; v++) {
			const struct cs_view *view = &cook->actors.views.at[v];
			expect_reference(cook, collection, v, end);
			if (view->refers)
				error = add_references(maker, c, v);
			if (view->kind != CS_VIEW_ACTOR)
				continue;
			if (!error && view->attaches && view->parent == CS_NONE)
				error = check_parent(maker, c, v);
			uint32_t top = view->top;
			if (!error && top != v &&
				!cs_vec_push(&cook->links.edges,
					(struct cs_edge){top, v, CS_NONE, false}))
				error = cs_error_nomem();
		}
	}
	return error;
}

/* Stably sorts the edges by `from`, and lists for each view the edges from it and to it. */
static bool sort_edges(struct cs_cook *cook)
{
	size_t n = cook->links.edges.n, views = cook->actors.views.n;
	struct cs_edge *sorted = cs_large_malloc((n ? n : 1) * sizeof(*sorted));
	cook->links.out = cs_large_calloc(views + 1, sizeof(uint32_t));
	cook->links.in = cs_large_calloc(views + 1, sizeof(uint32_t));
	cook->links.list_in = cs_large_malloc((n ? n : 1) * sizeof(uint32_t));
	if (!sorted || !cook->links.out || !cook->links.in || !cook->links.list_in) {
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		cook->links.out[cook->links.edges.at[i].from + 1]++;
		cook->links.in[cook->links.edges.at[i].to + 1]++;
	}
	for (size_t v = 0; v < views; v++) {
		cook->links.out[v + 1] += cook->links.out[v];
		cook->links.in[v + 1] += cook->links.in[v];
	}
	for (size_t i = 0; i < n; i++)
		sorted[cook->links.out[cook->links.edges.at[i].from]++] = cook->links.edges.at[i];
	for (size_t i = 0; i < n; i++)
		cook->links.list_in[cook->links.in[sorted[i].to]++] = (uint32_t)i;
	/* out[v] and in[v] were advanced to the start of view v + 1: shift all by one */
	memmove(cook->links.out + 1, cook->links.out, views * sizeof(uint32_t));
	memmove(cook->links.in + 1, cook->links.in, views * sizeof(uint32_t));
	cook->links.out[0] = cook->links.in[0] = 0;
	free(cook->links.edges.at);
	cook->links.edges.at = sorted;
	cook->links.edges.room = n;
	return true;
}

struct cs_error *cs_cook_edges(struct cs_cook *cook)
{
	struct edge_maker maker = {.cook = cook};
	size_t n_guids = cook->world->guids.n;
	cook->links.states = cs_large_malloc(n_guids ? n_guids : 1);
	cook->links.targets = cs_large_malloc((n_guids ? n_guids : 1) * sizeof(uint32_t));
	maker.last_from = cs_large_malloc(
		(cook->actors.views.n ? cook->actors.views.n : 1) * sizeof(uint32_t));
	struct cs_error *error = NULL;
	if (!cook->links.states || !cook->links.targets || !maker.last_from) {
		error = cs_error_nomem();
	} else {
		memset(maker.last_from, 0xff, cook->actors.views.n * sizeof(uint32_t));
		error = reference_edges_add_edges(&maker);
	}
	if (!error && !sort_edges(cook))
		error = cs_error_nomem();
	free(maker.last_from);
	cs_slots_deinit(&maker.elsewhere);
	return error;
}
