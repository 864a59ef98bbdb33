/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds clusters: the connected components of views by runtime references and attachments
 * (world-partition rule 1.5). Union-find with the smaller view as root, so clusters are numbered by
 * their first member, and members are in the order of their GUIDs.
 */
#include "cook/phases/phases.h"

#include "core/large.h"
#include "core/search.h"
#include "core/vec.h"

/*
 * Numbers clusters in the order of their roots, and counts members. The root of a cluster is its
 * first view; roots[view] is the view itself or an earlier one, which already has a number.
 */
static void number_clusters(struct cs_cook *cook, const uint32_t *roots)
{
	for (uint32_t c = 0; c < cook->actors.collections.n; c++) {
		struct cs_collection *collection = &cook->actors.collections.at[c];
		collection->first_cluster = cook->clusters.n;
		for (uint32_t i = 0; i < collection->n_views; i++) {
			uint32_t view = collection->first_view + i;
			cook->clusters.of[view] = CS_NONE;
			if (cook->actors.views.at[view].kind != CS_VIEW_ACTOR)
				continue;
			if (roots[view] == view)
				cook->clusters.of[view] = cook->clusters.n++;
			else
				cook->clusters.of[view] = cook->clusters.of[roots[view]];
			cook->clusters.starts[cook->clusters.of[view] + 1]++;
		}
		collection->n_clusters = cook->clusters.n - collection->first_cluster;
	}
}

static void clusters_list_members(struct cs_cook *cook)
{
	for (uint32_t c = 0; c < cook->clusters.n; c++)
		cook->clusters.starts[c + 1] += cook->clusters.starts[c];
	for (uint32_t v = 0; v < cook->actors.views.n; v++)
		if (cook->clusters.of[v] != CS_NONE)
			cook->clusters.views[cook->clusters.starts[cook->clusters.of[v]]++] = v;
	memmove(cook->clusters.starts + 1, cook->clusters.starts,
		cook->clusters.n * sizeof(*cook->clusters.starts));
	cook->clusters.starts[0] = 0;
}

/* Checks that members have the same grid, layers and spatial loading, as validation ensures. */
static struct cs_error *check_members(const struct cs_cook *cook)
{
	for (uint32_t c = 0; c < cook->clusters.n; c++) {
		const uint32_t *members = cook->clusters.views + cook->clusters.starts[c];
		uint32_t n = cook->clusters.starts[c + 1] - cook->clusters.starts[c];
		if (n < 2)
			continue;
		const struct cs_effective first = cs_view_effective(cook, members[0]);
		for (uint32_t i = 1; i < n; i++) {
			const struct cs_effective effective = cs_view_effective(cook, members[i]);
			if (effective.spatial != first.spatial || effective.grid != first.grid ||
				effective.layers != first.layers ||
				effective.external_layer != first.external_layer)
				return cs_error_new(CS_E_INTERNAL,
					"after validation the actors of actor cluster %u still "
					"differ in spatial loading, grid or data layers",
					c);
		}
	}
	return NULL;
}

struct cs_error *cs_cook_clusters(struct cs_cook *cook)
{
	size_t n = cook->actors.views.n;
	uint32_t *roots = cs_large_malloc((n ? n : 1) * sizeof(*roots));
	cook->clusters.of = cs_large_malloc((n ? n : 1) * sizeof(uint32_t));
	cook->clusters.starts = cs_large_calloc(n + 1, sizeof(uint32_t));
	cook->clusters.views = cs_large_malloc((n ? n : 1) * sizeof(uint32_t));
	if (!roots || !cook->clusters.of || !cook->clusters.starts || !cook->clusters.views) {
		free(roots);
		return cs_error_nomem();
	}
	for (uint32_t i = 0; i < n; i++)
		roots[i] = i;
	for (size_t i = 0; i < cook->links.edges.n; i++)
		if (!cook->links.edges.at[i].removed)
			cs_join_roots(
				roots, cook->links.edges.at[i].from, cook->links.edges.at[i].to);
	number_clusters(cook, roots);
	free(roots);
	clusters_list_members(cook);
	return check_members(cook);
}

void cs_cook_drop_links(struct cs_cook *cook)
{
	void **blocks[] = {(void **)&cook->links.out, (void **)&cook->links.in,
		(void **)&cook->links.list_in, (void **)&cook->clusters.of,
		(void **)&cook->clusters.starts, (void **)&cook->clusters.views};
	cs_vec_free(&cook->links.edges);
	for (size_t i = 0; i < CS_COUNT_OF(blocks); i++) {
		free(*blocks[i]);
		*blocks[i] = NULL;
	}
}
