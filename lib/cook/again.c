/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what a cook does in place of a phase when it takes from one before. Views are copied and
 * those of changed actors resolved afresh; edges, validation and clusters are cheap and run in
 * full; where they come out otherwise, whole clusters are stale, and only their sets are made and
 * placed, by the phases as they are. The rest is joined (join.c).
 */
#include "cook/again.h"
#include "cook/phases.h"

void cs_again_free(struct cs_again *again)
{
	if (!again)
		return;
	cs_vec_free(&again->changed);
	cs_vec_free(&again->views);
	free(again->stale);
	free(again);
}

/* The answer is not asked for again: who sees `refused` cooks in full. */
static struct cs_error *refuse(struct cs_again *again)
{
	*again->refused = true;
	return cs_error_new(CS_E_INTERNAL, "this change needs a full cook");
}

/* ---- views ---- */

static bool copy_lists(const struct cs_lists *from, struct cs_lists *ret)
{
	const size_t slots = from->slots.at ? from->slots.mask + 1 : 0;
	ret->slots = from->slots;
	ret->slots.at = slots ? malloc(slots * sizeof(uint32_t)) : NULL;
	if (slots && !ret->slots.at)
		return false;
	if (slots)
		memcpy(ret->slots.at, from->slots.at, slots * sizeof(uint32_t));
	return cs_vec_append(&ret->values, from->values.at, from->values.n) &&
	       cs_vec_append(&ret->lists, from->lists.at, from->lists.n);
}

/* As they were before validation. */
static bool copy_views(struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	if (!cs_vec_append(&cook->actors.views, base->actors.views.at, base->actors.views.n) ||
		!cs_vec_append(&cook->actors.collections, base->actors.collections.at,
			base->actors.collections.n) ||
		!cs_vec_append(&cook->actors.containers, base->actors.containers.at,
			base->actors.containers.n) ||
		!cs_vec_append(&cook->grids.names, base->grids.names.at, base->grids.names.n) ||
		!copy_lists(&base->lists, &cook->lists))
		return false;
	for (size_t i = 0; i < cook->actors.views.n; i++) {
		struct cs_view *view = &cook->actors.views.at[i];
		for (int k = 0; k < CS_FORCED_KINDS; k++)
			view->causes[k] = CS_NONE;
		view->forced = 0;
		view->unknown_grid = false;
	}
	return true;
}

/* The grids that actors name, and their order, are in texts and coordinates. */
static bool same_grids(const struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	return cook->grids.names.n == base->grids.names.n &&
	       memcmp(cook->grids.names.at, base->grids.names.at,
		       cook->grids.names.n * sizeof(*cook->grids.names.at)) == 0;
}

/* Findings about views, of which the cook has made those of the changed ones. */
static bool join_view_findings(struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	const uint32_t first = cook->marks[CS_PHASE_VIEWS].findings;
	CS_VEC(struct cs_finding_draft) made = {0};
	size_t at = 0, next = 0;
	bool good = cs_vec_reserve(&made, cook->found.findings.n + 1) &&
		    cs_vec_append(
			    &made, cook->found.findings.at + first, cook->found.findings.n - first);
	cook->found.findings.n = first;
	for (uint32_t i = base->marks[CS_PHASE_VIEWS].findings;
		good && i < base->marks[CS_PHASE_EDGES].findings; i++) {
		const struct cs_finding_draft *f = &base->found.findings.at[i];
		while (next < cook->again->views.n && cook->again->views.at[next] < f->view)
			next++;
		if (next < cook->again->views.n && cook->again->views.at[next] == f->view)
			continue;
		for (; good && at < made.n && made.at[at].view < f->view; at++)
			good = cs_vec_push(&cook->found.findings, made.at[at]);
		good = good && cs_vec_push(&cook->found.findings, *f);
	}
	good = good && cs_vec_append(&cook->found.findings, made.at + at, made.n - at);
	cs_vec_free(&made);
	return good;
}

struct cs_error *cs_again_views(struct cs_cook *cook)
{
	struct cs_again *again = cook->again;
	if (!copy_views(cook))
		return cs_error_nomem();
	struct cs_error *error =
		cs_views_resolve(cook, again->views.at, again->views.n, again->grids);
	if (!error && !same_grids(cook))
		return refuse(again);
	if (!error && !join_view_findings(cook))
		return cs_error_nomem();
	return !error && again->parents ? cs_views_attach(cook) : error;
}

/* ---- edges ---- */

static void *copy_of(const void *from, size_t size)
{
	void *copy = malloc(size ? size : 1);
	if (copy && size)
		memcpy(copy, from, size);
	return copy;
}

/* As they were before validation. */
static bool copy_links(struct cs_cook *cook)
{
	const struct cs_cook_links *from = &cook->again->base->links;
	struct cs_cook_links *to = &cook->links;
	const size_t views = (cook->actors.views.n + 1) * sizeof(uint32_t);
	to->out = copy_of(from->out, views);
	to->in = copy_of(from->in, views);
	to->list_in = copy_of(from->list_in, from->edges.n * sizeof(uint32_t));
	to->states = copy_of(from->states, cook->again->base->links.n_states);
	if (!to->out || !to->in || !to->list_in || !to->states ||
		!cs_vec_append(&to->edges, from->edges.at, from->edges.n))
		return false;
	for (size_t i = 0; i < to->edges.n; i++) {
		struct cs_edge *edge = &to->edges.at[i];
		if (edge->removed && edge->reference != CS_NONE)
			to->states[edge->reference] = CS_REFERENCE_RUNTIME;
		edge->removed = false;
	}
	return true;
}

struct cs_error *cs_again_edges(struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	const uint32_t first = base->marks[CS_PHASE_EDGES].findings;
	if (cook->again->links)
		return cs_cook_edges(cook);
	return copy_links(cook) &&
			       cs_vec_append(&cook->found.findings, base->found.findings.at + first,
				       base->marks[CS_PHASE_VALIDATE].findings - first)
		       ? NULL
		       : cs_error_nomem();
}

/* ---- what is stale ---- */

static uint32_t anchor_of(const struct cs_cook *cook, uint32_t view)
{
	const uint32_t cluster = cook->clusters.of[view];
	return cluster == CS_NONE ? CS_NONE : cook->clusters.views[cook->clusters.starts[cluster]];
}

/* Marks the clusters of a view, in both cooks, by their first views. */
static void mark(const struct cs_cook *cook, uint32_t view, bool *before, bool *now)
{
	const uint32_t was = anchor_of(cook->again->base, view), is = anchor_of(cook, view);
	if (was != CS_NONE)
		before[was] = true;
	if (is != CS_NONE)
		now[is] = true;
}

static bool differs(const struct cs_cook *cook, uint32_t view)
{
	const struct cs_cook *base = cook->again->base;
	return cook->actors.views.at[view].forced != base->actors.views.at[view].forced ||
	       anchor_of(cook, view) != anchor_of(base, view);
}

/* A cluster is stale when one of its members changed, was forced otherwise, came or went. */
static void find_stale(const struct cs_cook *cook, bool *before, bool *now)
{
	struct cs_again *again = cook->again;
	for (uint32_t view = 0; view < cook->actors.views.n; view++)
		if (differs(cook, view))
			mark(cook, view, before, now);
	for (size_t i = 0; i < again->views.n; i++) {
		mark(cook, again->views.at[i], before, now);
		again->stale[again->views.at[i]] = true;
	}
	for (uint32_t view = 0; view < cook->actors.views.n; view++) {
		const uint32_t was = anchor_of(again->base, view), is = anchor_of(cook, view);
		again->stale[view] = again->stale[view] || (was != CS_NONE && before[was]) ||
				     (is != CS_NONE && now[is]);
	}
}

struct cs_error *cs_again_clusters(struct cs_cook *cook)
{
	struct cs_error *error = cs_cook_clusters(cook);
	if (error || cook->again->whole)
		return error;
	const size_t n = cook->actors.views.n ? cook->actors.views.n : 1;
	bool *before = calloc(n, 1), *now = calloc(n, 1);
	cook->again->stale = calloc(n, 1);
	if (before && now && cook->again->stale)
		find_stale(cook, before, now);
	else
		error = cs_error_nomem();
	free(before);
	free(now);
	return error;
}

/* ---- instances ---- */

/* The grid of a spatial hash follows the bounds of the world. */
static bool same_spatial_grids(const struct cs_cook *cook)
{
	return cook->hash_class != CS_HASH_SPATIAL ||
	       memcmp(&cook->placed.bounds, &cook->again->base->placed.bounds,
		       sizeof(cook->placed.bounds)) == 0;
}

static bool is_inside(const struct cs_box *box, const struct cs_box *around)
{
	return box->min.x > around->min.x && box->min.y > around->min.y &&
	       box->min.z > around->min.z && box->max.x < around->max.x &&
	       box->max.y < around->max.y && box->max.z < around->max.z;
}

/* Whether the bounds of the collection do without a view, by the actor that it is or was. */
static bool is_within(const struct cs_cook *cook, const struct cs_collection *collection,
	uint32_t view, const struct cs_box *box)
{
	return cook->actors.views.at[view].kind != CS_VIEW_ACTOR ||
	       !cs_view_effective(cook, view).spatial || !cs_box_valid(box) ||
	       is_inside(box, &collection->bounds);
}

static const struct cs_box *old_bounds(const struct cs_cook *cook, uint32_t view)
{
	const struct cs_again *again = cook->again;
	for (size_t i = 0; i < again->changed.n; i++)
		if (again->changed.at[i].view == view)
			return &again->changed.at[i].before->bounds;
	return &cs_view_actor(cook, view)->bounds;
}

/* No view on the border of its collection is stale: the bounds are those of the base. */
static bool keeps_bounds(const struct cs_cook *cook)
{
	const struct cs_again *again = cook->again;
	for (size_t c = 0; c < cook->actors.collections.n; c++) {
		const struct cs_collection *collection = &again->base->actors.collections.at[c];
		for (uint32_t i = 0; i < collection->n_views; i++) {
			const uint32_t view = collection->first_view + i;
			if (again->stale[view] &&
				!(is_within(
					  again->base, collection, view, old_bounds(cook, view)) &&
					is_within(cook, collection, view,
						&cs_view_actor(cook, view)->bounds)))
				return false;
		}
	}
	return true;
}

static void find_bounds(struct cs_cook *cook)
{
	const struct cs_cook *base = cook->again->base;
	const bool kept = cook->again->stale && keeps_bounds(cook);
	for (size_t i = 0; i < cook->actors.collections.n; i++)
		cook->actors.collections.at[i].bounds =
			kept ? base->actors.collections.at[i].bounds : CS_BOX_INVALID;
	if (kept)
		cook->placed.bounds = base->placed.bounds;
	else
		cs_find_world_bounds(cook);
}

/* No level instance changed: they are where they were. */
struct cs_error *cs_again_instances(struct cs_cook *cook)
{
	struct cs_again *again = cook->again;
	const struct cs_cook *base = again->base;
	const uint32_t first = base->marks[CS_PHASE_INSTANCES].findings;
	if (!cs_vec_append(
		    &cook->placed.instances, base->placed.instances.at, base->placed.instances.n) ||
		!cs_vec_append(&cook->found.findings, base->found.findings.at + first,
			base->marks[CS_PHASE_SETS].findings - first))
		return cs_error_nomem();
	cook->placed.n_rows = base->placed.n_rows;
	for (size_t i = 0; i < cook->placed.instances.n; i++)
		cook->placed.instances.at[i].unknown_grid = false;
	find_bounds(cook);
	if (!same_spatial_grids(cook)) {
		again->whole = true;
		free(again->stale);
		again->stale = NULL;
	}
	return NULL;
}

/* ---- sets and cells ---- */

/* The grid of a level instance is told at the first set that it breaks: of all, not of the stale.
 */
static bool tells_instance_grid(const struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->placed.instances.n; i++)
		if (cook->placed.instances.at[i].unknown_grid)
			return true;
	return false;
}

struct cs_error *cs_again_place(struct cs_cook *cook)
{
	struct cs_again *again = cook->again;
	if (!again->whole && (tells_instance_grid(cook) || tells_instance_grid(again->base)))
		return refuse(again);
	struct cs_error *error = cs_cook_place(cook);
	if (error || again->whole)
		return error;
	error = cs_cook_cells(cook);
	if (!error)
		error = cs_join_sets(cook);
	return error ? error : cs_join_findings(cook);
}

/* They came with the places, unless all were placed. */
struct cs_error *cs_again_cells(struct cs_cook *cook)
{
	return cook->again->whole ? cs_cook_cells(cook) : NULL;
}

/* ---- sub partitions ---- */

/* Where there was no standalone level instance there is none. */
struct cs_error *cs_again_standalones(struct cs_cook *cook)
{
	return cook->again->base->result.standalones.n ? cs_cook_standalones(cook) : NULL;
}
