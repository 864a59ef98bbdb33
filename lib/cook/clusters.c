/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: clusters, the connected components of runtime references and attachments (world-partition
 * rules 1.5). Union-find with the smaller view as root, so that clusters are numbered by their
 * first member in GUID order and members come in GUID order.
 */
#include "cook/cook_internal.h"

#include "file/fields.h"

static uint32_t find_root(uint32_t *roots, uint32_t view)
{
	while (roots[view] != view) {
		roots[view] = roots[roots[view]];
		view = roots[view];
	}
	return view;
}

static void join(uint32_t *roots, uint32_t left, uint32_t right)
{
	left = find_root(roots, left);
	right = find_root(roots, right);
	if (left < right)
		roots[right] = left;
	else
		roots[left] = right;
}

/* Numbers the roots in order and counts the members. */
static void number_clusters(struct cs_cook *cook, uint32_t *roots)
{
	for (uint32_t c = 0; c < cook->collections.n; c++) {
		struct cs_collection *collection = &cook->collections.at[c];
		collection->first_cluster = cook->n_clusters;
		for (uint32_t i = 0; i < collection->n_views; i++) {
			uint32_t view = collection->first_view + i;
			cook->cluster_of[view] = CS_NONE;
			if (cook->views.at[view].kind != CS_VIEW_ACTOR)
				continue;
			uint32_t root = find_root(roots, view);
			if (root == view)
				cook->cluster_of[view] = cook->n_clusters++;
			else
				cook->cluster_of[view] = cook->cluster_of[root];
			cook->cluster_starts[cook->cluster_of[view] + 1]++;
		}
		collection->n_clusters = cook->n_clusters - collection->first_cluster;
	}
}

static void list_members(struct cs_cook *cook)
{
	for (uint32_t c = 0; c < cook->n_clusters; c++)
		cook->cluster_starts[c + 1] += cook->cluster_starts[c];
	for (uint32_t v = 0; v < cook->views.n; v++)
		if (cook->cluster_of[v] != CS_NONE)
			cook->cluster_views[cook->cluster_starts[cook->cluster_of[v]]++] = v;
	memmove(cook->cluster_starts + 1, cook->cluster_starts,
		cook->n_clusters * sizeof(*cook->cluster_starts));
	cook->cluster_starts[0] = 0;
}

/* What validation must have brought about; anything else is our fault. */
static struct cs_error *check_members(const struct cs_cook *cook)
{
	for (uint32_t c = 0; c < cook->n_clusters; c++) {
		const uint32_t *members = cook->cluster_views + cook->cluster_starts[c];
		uint32_t n = cook->cluster_starts[c + 1] - cook->cluster_starts[c];
		if (n < 2)
			continue;
		const struct cs_effective first = cs_view_effective(cook, members[0]);
		for (uint32_t i = 1; i < n; i++) {
			const struct cs_effective e = cs_view_effective(cook, members[i]);
			if (e.spatial != first.spatial || e.grid != first.grid ||
				e.layers != first.layers ||
				e.external_layer != first.external_layer)
				return cs_error_new(CS_E_INTERNAL,
					"cluster %u holds actors that differ after validation", c);
		}
	}
	return NULL;
}

struct cs_error *cs_cook_clusters(struct cs_cook *cook)
{
	size_t n = cook->views.n;
	uint32_t *roots = malloc((n ? n : 1) * sizeof(*roots));
	cook->cluster_of = malloc((n ? n : 1) * sizeof(uint32_t));
	cook->cluster_starts = calloc(n + 1, sizeof(uint32_t));
	cook->cluster_views = malloc((n ? n : 1) * sizeof(uint32_t));
	if (!roots || !cook->cluster_of || !cook->cluster_starts || !cook->cluster_views) {
		free(roots);
		return cs_error_nomem();
	}
	for (uint32_t i = 0; i < n; i++)
		roots[i] = i;
	for (size_t i = 0; i < cook->edges.n; i++)
		if (!cook->edges.at[i].removed)
			join(roots, cook->edges.at[i].from, cook->edges.at[i].to);
	number_clusters(cook, roots);
	free(roots);
	list_members(cook);
	return check_members(cook);
}

static void free_blocks(void **blocks[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(*blocks[i]);
		*blocks[i] = NULL;
	}
}

/* What the phases after the sets do without. */
void cs_cook_drop_links(struct cs_cook *cook)
{
	void **blocks[] = {(void **)&cook->edges_out, (void **)&cook->edges_in,
		(void **)&cook->edge_list_in, (void **)&cook->cluster_of,
		(void **)&cook->cluster_starts, (void **)&cook->cluster_views};
	cs_vec_free(&cook->edges);
	free_blocks(blocks, CS_COUNT_OF(blocks));
}
