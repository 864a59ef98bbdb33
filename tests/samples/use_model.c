/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: what an inspector asks of a resource: sums, dependencies, a cut, a picture, streaming. */
#include "tests/samples/use_model.h"
#include "nanite/paging/pager_inside.h"

#include <cellscope/pages.h>
#include <cellscope/paging.h>

#include <stdlib.h>

static struct cs_error *sum(const struct cs_model *m)
{
	struct cs_model_level *levels = NULL;
	struct cs_model_difference difference;
	struct cs_model_tree tree = {.slots = NULL};
	double threshold;
	size_t n;
	struct cs_error *error = cs_model_levels(m, &levels, &n);
	free(levels);
	if (!error)
		error = cs_model_tree(m, &tree);
	free(tree.slots);
	if (!error)
		error = cs_model_error_for(m, 0, m->n_triangles / 2, &threshold);
	return error ? error : cs_model_compare(m, m, NULL, &difference);
}

static struct cs_error *depend(const struct cs_model *m)
{
	uint32_t *lists[4] = {NULL}, last = (uint32_t)m->n_pages - 1;
	size_t n;
	struct cs_error *error = cs_model_closure(m, 0, CS_DEPENDENTS_GROUPS, &lists[0], &n);
	if (!error)
		error = cs_model_closure(m, last, CS_CLOSURE_LISTED, &lists[1], &n);
	if (!error)
		error = cs_model_closure(m, last, CS_CLOSURE_GROUPS, &lists[2], &n);
	if (!error)
		error = cs_model_longest_chain(m, &lists[3], &n);
	for (int i = 0; i < 4; i++)
		free(lists[i]);
	return error;
}

static struct cs_error *draw(const struct cs_model *m)
{
	const struct cs_nanite_view view = {.uniform = true, .threshold = 1};
	const struct cs_picture_view from = {.yaw = 20, .colour = CS_COLOUR_PAGE};
	struct cs_model_cut cut = {0};
	struct cs_picture picture = {0};
	struct cs_error *error = cs_model_cut(m, &(struct cs_model_choice){.view = &view}, &cut);
	if (!error)
		error = cs_picture_clusters(
			m, cut.clusters, cut.n_clusters, &from, 16, 16, &picture);
	free(picture.pixels);
	free(cut.clusters);
	return error;
}

static struct cs_error *stream_pages(const struct cs_inspector *inspector)
{
	struct cs_pager *pager;
	struct cs_error *error = cs_pager_new(inspector, NULL, &pager);
	if (error)
		return error;
	error = cs_pager_input(pager, "camera A fixed 9 0 0 0 0 0 60 1080 1 0.1");
	if (!error)
		error = cs_pager_input(pager, "set latency 0");
	for (uint64_t frame = 1; !error && frame < 5; frame++)
		error = cs_pager_frame(pager, frame, frame, 1);
	cs_pager_free(pager);
	return error;
}

struct cs_error *use_model(struct cs_model *model)
{
	struct cs_inspector *inspector;
	struct cs_error *error = cs_inspector_new(&inspector);
	if (error) {
		cs_model_free(model);
		return error;
	}
	error = cs_inspector_add(inspector, model);
	const struct cs_model *m = error ? NULL : cs_inspector_models(inspector).at[0];
	if (!error)
		error = sum(m);
	if (!error && m->n_pages > 0)
		error = depend(m);
	if (!error)
		error = draw(m);
	if (!error)
		error = stream_pages(inspector);
	cs_inspector_free(inspector);
	return error;
}
