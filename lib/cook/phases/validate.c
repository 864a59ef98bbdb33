/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validates the edges (references) between views in passes (world-partition rules 1.4, checks V0
 * and V3). A pass compares the values of both ends of an edge as they were at the start of the
 * pass; its repairs take effect at its end. Pass 0 checks all edges. A later pass checks only edges
 * of views that the previous pass changed, which gives the same result as checking all. Repairs
 * only set flags, so the passes end.
 *
 * Each repair stores the finding that caused it, and each finding stores the earlier finding that
 * forced the value which it reports. This chain answers "why is my actor always loaded".
 */
#include "cook/phases/phases.h"

#include "core/guid.h"
#include "core/large.h"
#include "core/search.h"
#include "core/sort.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

/* Largest number of findings, more than anybody would read. */
enum { MOST_FINDINGS = 4 << 20 };

struct repair {
	uint32_t view, finding;
	enum cs_forced forced;
};

struct validation {
	struct cs_cook *cook;
	uint32_t pass;
	/* children[v]: index in child_list of the first view attached to view v */
	uint32_t *children, *child_list;
	uint32_t *edge_stamp; /* for each edge: 1 + number of the latest pass that must check it */
	uint32_t *view_stamp; /* for each view: 1 + last pass in which it changed */
	CS_VEC(struct repair) repairs;
	CS_VEC(uint32_t) changed, candidates;
};

static const struct {
	enum cs_repair repair;
	enum cs_check check;
} rules[CS_FORCED_KINDS] = {
	[CS_FORCED_NON_SPATIAL] = {CS_REPAIR_NON_SPATIAL, CS_CHECK_STREAMED_REFERENCES_LOADED},
	[CS_FORCED_NO_LAYERS] = {CS_REPAIR_NO_LAYERS, CS_CHECK_REFERENCE_LAYERS},
	[CS_FORCED_NO_GRID] = {CS_REPAIR_NO_GRID, CS_CHECK_REFERENCE_GRID},
};

struct cs_error *cs_cook_find(struct cs_cook *cook, struct cs_finding_draft draft, uint32_t *ret)
{
	if (cook->found.findings.n >= MOST_FINDINGS)
		return cs_error_new(CS_E_LIMIT,
			"validation found more than %d problems, the limit of a cook: correct some "
			"of them",
			MOST_FINDINGS);
	if (ret)
		*ret = (uint32_t)cook->found.findings.n;
	return cs_vec_push(&cook->found.findings, draft) ? NULL : cs_error_nomem();
}

/* Returns the latest finding that set bit `forced` of the view or an attach parent, or CS_NONE. */
static uint32_t validate_cause_of(const struct cs_cook *cook, uint32_t view, enum cs_forced forced)
{
	uint32_t cause = CS_NONE;
	for (uint32_t at = view; at != CS_NONE; at = cook->actors.views.at[at].parent) {
		if (!(cook->actors.views.at[at].forced & 1 << forced))
			continue;
		const uint32_t own = cook->actors.causes[at][forced];
		cause = cause == CS_NONE || own > cause ? own : cause;
	}
	return cause;
}

static uint32_t later(uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		return left == CS_NONE ? right : left;
	return left > right ? left : right;
}

static bool force(
	struct validation *validation, uint32_t view, enum cs_forced forced, uint32_t finding)
{
	return cs_vec_push(&validation->repairs, (struct repair){view, finding, forced});
}

static struct cs_finding_draft about_view(const struct validation *validation, uint32_t view,
	enum cs_check check, enum cs_severity severity, enum cs_repair repair, const char *reason)
{
	const struct cs_cook *cook = validation->cook;
	struct cs_finding_draft draft = cs_finding_draft(check, severity, repair, reason);
	draft.pass = validation->pass;
	draft.collection = (uint32_t)cs_lower_bound(1, cook->actors.collections.n, i,
				   cook->actors.collections.at[i].first_view <= view) -
			   1;
	draft.view = view;
	return draft;
}

static struct cs_finding_draft about_edge(const struct validation *validation,
	const struct cs_edge *edge, enum cs_check check, enum cs_severity severity,
	enum cs_repair repair, const char *reason)
{
	struct cs_finding_draft draft =
		about_view(validation, edge->from, check, severity, repair, reason);
	draft.other = edge->to;
	return draft;
}

/* Reports that the two actors of an edge (reference) differ in a value, and repairs both actors. */
static struct cs_error *mismatch(struct validation *validation, const struct cs_edge *edge,
	enum cs_forced forced, enum cs_severity severity, const char *reason)
{
	struct cs_cook *cook = validation->cook;
	uint32_t finding;
	struct cs_finding_draft draft = about_edge(
		validation, edge, rules[forced].check, severity, rules[forced].repair, reason);
	draft.cause = later(validate_cause_of(cook, edge->from, forced),
		validate_cause_of(cook, edge->to, forced));
	struct cs_error *error = cs_cook_find(cook, draft, &finding);
	if (error)
		return error;
	return force(validation, edge->from, forced, finding) &&
			       force(validation, edge->to, forced, finding)
		       ? NULL
		       : cs_error_nomem();
}

static struct cs_error *invalidate(struct validation *validation, struct cs_edge *edge)
{
	struct cs_cook *cook = validation->cook;
	edge->removed = true;
	if (edge->reference != CS_NONE) { /* the actor may have several references to the target */
		const struct cs_range all = cs_view_actor(cook, edge->from)->references;
		const struct cs_guid to = cook->world->guids.at[edge->reference];
		for (uint32_t i = all.first; i < all.first + all.count; i++)
			if (cs_guid_compare(cook->world->guids.at[i], to) == 0)
				cook->links.states[i] = CS_REFERENCE_INVALID;
	}
	return cs_cook_find(cook,
		about_edge(validation, edge, CS_CHECK_REFERENCE_LAYERS, CS_ERROR,
			CS_REPAIR_DROP_REFERENCE, "external data layer"),
		NULL);
}

/* Checks one edge (reference from one actor to another) by rules 1.4.V3 d to g. */
static struct cs_error *check_edge(struct validation *validation, struct cs_edge *edge)
{
	if (edge->removed)
		return NULL;
	const struct cs_effective a = cs_view_effective(validation->cook, edge->from);
	const struct cs_effective b = cs_view_effective(validation->cook, edge->to);
	struct cs_error *error = NULL;
	if (a.spatial != b.spatial)
		error = mismatch(validation, edge, CS_FORCED_NON_SPATIAL,
			a.spatial ? CS_WARNING : CS_ERROR,
			a.spatial ? "spatial actor references a non-spatial actor"
				  : "non-spatial actor references a spatial actor");
	if (!error && a.external_layer != b.external_layer)
		return invalidate(validation, edge);
	if (!error && a.layers != b.layers)
		error = mismatch(validation, edge, CS_FORCED_NO_LAYERS, CS_ERROR, "data layers");
	if (!error && a.grid != b.grid)
		error = mismatch(validation, edge, CS_FORCED_NO_GRID, CS_ERROR, "runtime grids");
	return error;
}

/* ---- checks in pass 0 only ---- */

static struct cs_error *check_alone(struct validation *validation, uint32_t view,
	enum cs_check check, enum cs_forced forced, const char *reason)
{
	uint32_t finding;
	struct cs_error *error = cs_cook_find(validation->cook,
		about_view(validation, view, check, CS_ERROR, rules[forced].repair, reason),
		&finding);
	if (!error && !force(validation, view, forced, finding))
		error = cs_error_nomem();
	return error;
}

/*
 * Check V0 (world-partition rules): an actor that the level script references must not be spatially
 * loaded or have data layers. Reports each such actor, and forces the repair.
 */
static struct cs_error *check_world_references(struct validation *validation)
{
	struct cs_cook *cook = validation->cook;
	struct cs_range references = cook->world->settings.world_references;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < references.count; i++) {
		struct cs_guid guid = cook->world->guids.at[references.first + i];
		uint32_t view = cs_collection_find(cook, &cook->actors.collections.at[0], guid);
		if (view == CS_NONE || cook->actors.views.at[view].kind != CS_VIEW_ACTOR)
			continue;
		struct cs_effective effective = cs_view_effective(cook, view);
		if (effective.spatial)
			error = check_alone(validation, view, CS_CHECK_WORLD_REFERENCE_SPATIAL,
				CS_FORCED_NON_SPATIAL, "referenced by the level script");
		if (!error && effective.layers)
			error = check_alone(validation, view, CS_CHECK_WORLD_REFERENCE_LAYERS,
				CS_FORCED_NO_LAYERS, "referenced by the level script");
	}
	return error;
}

static uint32_t filter_of(const struct cs_cook *cook, uint32_t row)
{
	return cook->world->layers.at[cook->layers.sources[row]].filter;
}

/* World-partition rule 1.4.V3 h (from 5.7): the layers of an actor must have one load filter. */
static struct cs_error *check_load_filters(struct validation *validation)
{
	struct cs_cook *cook = validation->cook;
	struct cs_error *error = NULL;
	for (uint32_t view = 0; !error && view < cook->actors.views.n; view++) {
		struct cs_range layers =
			cs_lists_range(&cook->lists, cs_view_effective(cook, view).layers);
		bool mixed = false;
		for (uint32_t i = 1; i < layers.count && !mixed; i++)
			mixed = filter_of(cook, cook->lists.values.at[layers.first]) !=
				filter_of(cook, cook->lists.values.at[layers.first + i]);
		if (mixed && cook->actors.views.at[view].kind == CS_VIEW_ACTOR)
			error = check_alone(validation, view, CS_CHECK_LOAD_FILTERS,
				CS_FORCED_NO_LAYERS, "load filters of its data layers");
	}
	return error;
}

static struct cs_error *first_pass(struct validation *validation)
{
	struct cs_error *error = check_world_references(validation);
	if (!error && validation->cook->profile->load_filter_mix)
		error = check_load_filters(validation);
	for (size_t i = 0; !error && i < validation->cook->links.edges.n; i++)
		error = check_edge(validation, &validation->cook->links.edges.at[i]);
	return error;
}

/* ---- repairs and later passes ---- */

static bool mark_changed(struct validation *validation, uint32_t view)
{
	if (validation->view_stamp[view] == validation->pass + 1)
		return true;
	validation->view_stamp[view] = validation->pass + 1;
	return cs_vec_push(&validation->changed, view);
}

/* Allocates `causes` (the finding behind each forced value) once, before the first repair. */
static bool begin_causes(struct cs_cook_actors *actors)
{
	if (!actors->causes)
		actors->causes = cs_large_calloc(actors->views.n, sizeof(*actors->causes));
	return actors->causes != NULL;
}

/* Applies the repairs of a pass, and lists in `changed` the views (actors) that they change. */
static bool apply_repairs(struct validation *validation)
{
	struct cs_cook_actors *actors = &validation->cook->actors;
	validation->changed.n = 0;
	if (validation->repairs.n > 0 && !begin_causes(actors))
		return false;
	for (size_t i = 0; i < validation->repairs.n; i++) {
		const struct repair *repair = &validation->repairs.at[i];
		struct cs_view *view = &actors->views.at[repair->view];
		if (view->forced & 1 << repair->forced)
			continue;
		view->forced |= (uint8_t)(1 << repair->forced);
		actors->causes[repair->view][repair->forced] = repair->finding;
		if (!mark_changed(validation, repair->view))
			return false;
	}
	validation->repairs.n = 0;
	/* children of a changed view change, too: they are appended, so this loop reaches them */
	for (size_t i = 0; i < validation->changed.n; i++) {
		uint32_t view = validation->changed.at[i];
		for (uint32_t k = validation->children[view]; k < validation->children[view + 1];
			k++)
			if (!mark_changed(validation, validation->child_list[k]))
				return false;
	}
	return true;
}

static bool add_candidate(struct validation *validation, uint32_t edge)
{
	if (validation->edge_stamp[edge] == validation->pass + 1)
		return true;
	validation->edge_stamp[edge] = validation->pass + 1;
	return cs_vec_push(&validation->candidates, edge);
}

static bool collect_candidates(struct validation *validation)
{
	const struct cs_cook *cook = validation->cook;
	validation->candidates.n = 0;
	for (size_t i = 0; i < validation->changed.n; i++) {
		uint32_t view = validation->changed.at[i];
		for (uint32_t e = cook->links.out[view]; e < cook->links.out[view + 1]; e++)
			if (!add_candidate(validation, e))
				return false;
		for (uint32_t k = cook->links.in[view]; k < cook->links.in[view + 1]; k++)
			if (!add_candidate(validation, cook->links.list_in[k]))
				return false;
	}
	return cs_sort(validation->candidates.at, validation->candidates.n, sizeof(uint32_t),
		cs_compare_u32, NULL);
}

static struct cs_error *validate_run_passes(struct validation *validation)
{
	struct cs_error *error = first_pass(validation);
	while (!error && validation->repairs.n) {
		if (!apply_repairs(validation))
			return cs_error_nomem();
		validation->pass++;
		if (!collect_candidates(validation))
			return cs_error_nomem();
		for (size_t i = 0; !error && i < validation->candidates.n; i++)
			error = check_edge(validation,
				&validation->cook->links.edges.at[validation->candidates.at[i]]);
		if (!error)
			error = cs_job_check(validation->cook->job);
	}
	return error;
}

/* ---- running the phase ---- */

static bool validate_list_children(struct validation *validation)
{
	const struct cs_cook *cook = validation->cook;
	size_t n = cook->actors.views.n;
	validation->children = cs_large_calloc(n + 2, sizeof(uint32_t));
	validation->child_list = cs_large_malloc((n + 1) * sizeof(uint32_t));
	if (!validation->children || !validation->child_list)
		return false;
	for (size_t i = 0; i < n; i++)
		if (cook->actors.views.at[i].parent != CS_NONE)
			validation->children[cook->actors.views.at[i].parent + 2]++;
	for (size_t i = 1; i < n + 2; i++)
		validation->children[i] += validation->children[i - 1];
	for (size_t i = 0; i < n; i++)
		if (cook->actors.views.at[i].parent != CS_NONE)
			validation->child_list
				[validation->children[cook->actors.views.at[i].parent + 1]++] =
				(uint32_t)i;
	return true;
}

struct cs_error *cs_cook_validate(struct cs_cook *cook)
{
	struct validation validation = {.cook = cook};
	size_t n_edges = cook->links.edges.n, n_views = cook->actors.views.n;
	validation.edge_stamp = cs_large_calloc(n_edges ? n_edges : 1, sizeof(uint32_t));
	validation.view_stamp = cs_large_calloc(n_views ? n_views : 1, sizeof(uint32_t));
	struct cs_error *error = NULL;
	if (!validation.edge_stamp || !validation.view_stamp ||
		!validate_list_children(&validation))
		error = cs_error_nomem();
	else
		error = validate_run_passes(&validation);
	free(validation.edge_stamp);
	free(validation.view_stamp);
	free(validation.children);
	free(validation.child_list);
	cs_vec_free(&validation.repairs);
	cs_vec_free(&validation.changed);
	cs_vec_free(&validation.candidates);
	return error;
}
