/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a model: selects the clusters of a level, or those that a view draws when given pages are
 * loaded. Groups are tested one by one, without the hierarchy. A group is wanted if the error of
 * its parents is too large for the view. If a wanted group is loaded, its clusters with a small
 * enough error are drawn, and also those for which no finer clusters are loaded. Also computes the
 * cost of a view by distance, and the error at which a given number of triangles is drawn.
 */
#include "nanite/inspect/model_inside.h"

#include "core/cursor.h"
#include "core/search.h"
#include "core/sort.h"
#include "nanite/residency/residency.h"

#include <math.h>
#include <stdlib.h>

static bool resource_cut_is_wanted(
	const struct cs_model_group *group, const struct cs_nanite_view *view)
{
	return (view->mesh == 0 || group->mesh == view->mesh - 1) &&
	       !cs_nanite_acceptable(view, group->max_parent_error, group->centre, group->radius);
}

static bool resource_cut_counts(const bool *effective, uint32_t group)
{
	return !effective || effective[group];
}

static bool resource_cut_is_drawn(const struct cs_model *model,
	const struct cs_model_cluster *cluster, const struct cs_nanite_view *view,
	const bool *effective)
{
	if (cluster->group == CS_NONE || !resource_cut_counts(effective, cluster->group) ||
		!resource_cut_is_wanted(&model->groups[cluster->group], view))
		return false;
	return cluster->maker == CS_NONE || !resource_cut_counts(effective, cluster->maker) ||
	       cs_nanite_acceptable(
		       view, cluster->lod_error, cluster->lod_centre, cluster->lod_radius);
}

static void resource_cut_add_cluster(
	struct cs_model_cut *cut, const struct cs_model *model, uint32_t index)
{
	const struct cs_model_cluster *cluster = &model->clusters[index];
	bool first = cut->n_clusters == 0;
	cut->clusters[cut->n_clusters++] = index;
	cut->triangles += cluster->n_triangles;
	cut->error = fmax(cut->error, (double)cluster->lod_error);
	cut->min_level = first || cluster->level < cut->min_level ? cluster->level : cut->min_level;
	cut->max_level = first || cluster->level > cut->max_level ? cluster->level : cut->max_level;
}

/* Allocates the arrays of a cut as one block. Returns false when memory runs out. */
static bool cut_init(const struct cs_model *model, struct cs_model_cut *ret)
{
	const size_t room = model->n_clusters + 1;
	uint32_t *block = calloc(1, room * sizeof(*block) + model->n_pages + 1);
	*ret = (struct cs_model_cut){.clusters = block};
	if (block)
		ret->pages = (bool *)(block + room);
	return block != NULL;
}

static struct cs_error *cut_by_view(const struct cs_model *model, const struct cs_nanite_view *view,
	const bool *effective, struct cs_model_cut *ret)
{
	if (view->mesh > model->n_roots)
		return cs_error_new(CS_E_MISSING,
			"the resource %s has no mesh %u: its meshes are 0 to %zu", model->name,
			view->mesh - 1, model->n_roots - 1);
	if (!cut_init(model, ret))
		return cs_error_nomem();
	for (uint32_t i = 0; i < model->n_clusters; i++)
		if (resource_cut_is_drawn(model, &model->clusters[i], view, effective))
			resource_cut_add_cluster(ret, model, i);
	for (size_t g = 0; g < model->n_groups; g++)
		for (uint32_t k = 0; resource_cut_is_wanted(&model->groups[g], view) &&
				     k < model->groups[g].n_parts;
			k++)
			ret->pages[cs_model_group_page(model, &model->groups[g], k)] = true;
	return NULL;
}

static struct cs_error *cut_by_level(
	const struct cs_model *model, uint32_t level, struct cs_model_cut *ret)
{
	if (level >= model->n_levels)
		return cs_error_new(CS_E_MISSING,
			"the resource %s has no level %u (number of levels: %u, counted from 0, "
			"the finest)",
			model->name, level, model->n_levels);
	if (!cut_init(model, ret))
		return cs_error_nomem();
	for (uint32_t i = 0; i < model->n_clusters; i++)
		if (model->clusters[i].level == level) {
			resource_cut_add_cluster(ret, model, i);
			ret->pages[model->clusters[i].page] = true;
		}
	return NULL;
}

struct cs_error *cs_model_cut(const struct cs_model *model, const struct cs_model_choice *choice,
	struct cs_model_cut *ret)
{
	if (choice->view)
		return cut_by_view(model, choice->view, choice->effective, ret);
	if (!choice->clusters)
		return cut_by_level(model, choice->level, ret);
	if (!cut_init(model, ret))
		return cs_error_nomem();
	for (size_t i = 0; i < choice->n_clusters; i++) {
		const uint32_t cluster = choice->clusters[i];
		resource_cut_add_cluster(ret, model, cluster);
		ret->pages[model->clusters[cluster].page] = true;
	}
	return NULL;
}

/* ---- cost of a view by distance ---- */

static void cost_add_pages(
	const struct cs_model *model, const bool *needed, struct cs_model_cost *cost)
{
	for (size_t p = 0; p < model->n_pages; p++) {
		const struct cs_model_page *page = &model->pages[p];
		if (!needed[p] || page->root)
			continue;
		cost->pages++;
		cost->pool_bytes += page->gpu_limit;
		cost->read_bytes += page->disk_bytes;
	}
}

static struct cs_error *cost_from(const struct cs_model *model, const struct cs_nanite_view *view,
	double distance, struct cs_model_cost *ret)
{
	struct cs_nanite_view at = *view;
	struct cs_model_cut cut;
	for (unsigned axis = 0; axis < 3; axis++)
		at.eye[axis] = ((double)model->min[axis] + (double)model->max[axis]) / 2;
	at.eye[0] = (double)model->max[0] + distance;
	struct cs_error *error = cs_model_cut(model, &(struct cs_model_choice){.view = &at}, &cut);
	if (error)
		return error;
	*ret = (struct cs_model_cost){.distance = distance,
		.triangles = cut.triangles,
		.clusters = (uint32_t)cut.n_clusters,
		.min_level = cut.min_level,
		.max_level = cut.max_level,
		.error = cut.error};
	cost_add_pages(model, cut.pages, ret);
	free(cut.clusters);
	return NULL;
}

struct cs_error *cs_model_costs(const struct cs_model *model, const struct cs_nanite_view *view,
	double first, double last, size_t n, struct cs_model_cost *ret)
{
	struct cs_error *error = NULL;
	if (!(first > 0) || !(last > first) || !isfinite(last) || n < 2 || n > CS_MODEL_COSTS)
		return cs_error_new(CS_E_SETTING,
			"a curve of costs needs 2 to %d distances, the first above 0 and the last "
			"larger, not %zu distances from %g to %g units of the mesh",
			CS_MODEL_COSTS, n, first, last);
	for (size_t i = 0; !error && i < n; i++) {
		const double part = (double)i / (double)(n - 1);
		const double distance = i + 1 == n ? last : first * pow(last / first, part);
		error = cost_from(model, view, distance, &ret[i]);
	}
	return error;
}

/* ---- error for a number of triangles ---- */

static uint64_t triangles_at(const struct cs_model *model, uint32_t mesh, double error)
{
	const struct cs_nanite_view view = {.uniform = true, .threshold = error, .mesh = mesh};
	uint64_t n = 0;
	for (size_t i = 0; i < model->n_clusters; i++)
		n += resource_cut_is_drawn(model, &model->clusters[i], &view, NULL)
			     ? model->clusters[i].n_triangles
			     : 0;
	return n;
}

static double error_of(const struct cs_model *model, const struct cs_sort_key *key)
{
	return (double)model->groups[key->index].max_parent_error;
}

struct cs_error *cs_model_error_for(
	const struct cs_model *model, uint32_t mesh, uint64_t triangles, double *ret)
{
	struct cs_sort_key *keys = malloc((model->n_groups + 1) * sizeof(*keys));
	size_t n = 0, enough = 0;
	if (!keys)
		return cs_error_nomem();
	for (uint32_t g = 0; g < model->n_groups; g++)
		if (model->groups[g].max_parent_error >= 0 &&
			isfinite(model->groups[g].max_parent_error))
			keys[n++] = (struct cs_sort_key){
				.low = cs_bits_of_float(model->groups[g].max_parent_error),
				.index = g};
	bool ok = cs_sort_keys(keys, n);
	/* find the largest error that still draws enough triangles; 0 draws all of level 0 */
	if (ok)
		enough = cs_lower_bound(
			0, n, i, triangles_at(model, mesh, error_of(model, &keys[i])) >= triangles);
	*ret = enough > 0 ? error_of(model, &keys[enough - 1]) : 0;
	free(keys);
	return ok ? NULL : cs_error_nomem();
}
