/* SPDX-License-Identifier: Apache-2.0 */
/* What tests alone ask of a decoded resource: encode it again, its cut of a view, its sums. */
#pragma once

#include "nanite/encode/encode.h"
#include "nanite/format/resource.h"
#include "nanite/residency/residency.h"

#include <stdlib.h>

/* Returns the options with which a resource was encoded. */
static inline struct cs_nanite_options nanite_options_of(const struct cs_nanite *resource)
{
	return (struct cs_nanite_options){
		.size = sizeof(struct cs_nanite_options),
		.position_precision = resource->info->position_precision,
		.raw_pages = !(resource->info->flags & CS_NANITE_LZ4),
		.no_atlas = resource->n_atlas == 0,
		.source = cs_nanite_text(resource, resource->info->source),
		.materials = resource->material_names,
		.coarse_vertices = resource->coarse_vertices,
		.coarse_triangles = resource->coarse_triangles,
		.n_coarse_vertices = resource->n_coarse_vertices,
		.n_coarse_triangles = resource->n_coarse_triangles,
		.thorough = resource->info->flags & CS_NANITE_THOROUGH,
	};
}

/*
 * Encodes the contents with the options of their resource, which gives the same bytes if this
 * library encoded it.
 */
static inline struct cs_error *encode_again(const struct cs_nanite_contents *contents,
	const struct cs_nanite_options *options, struct cs_nanite **ret)
{
	struct cs_dag *dag;
	struct cs_error *error = cs_nanite_dag(contents->resource, NULL, &dag);
	if (error)
		return error;
	error = cs_nanite_encode(dag, options, NULL, ret);
	cs_dag_free(dag);
	return error;
}

static inline size_t count_drawn(const struct cs_drawn *drawn, size_t n_clusters, uint32_t *list)
{
	size_t n = 0;
	for (uint32_t i = 0; i < n_clusters; i++) {
		if (list && drawn->cluster[i])
			list[n] = i;
		n += drawn->cluster[i];
	}
	return n;
}

static inline struct cs_error *draw_all(const struct cs_nanite_contents *c,
	const struct cs_nanite_view *view, struct cs_drawn *drawn)
{
	struct cs_residency residency;
	struct cs_error *error = cs_residency_init(c, &residency);
	if (error)
		return error;
	for (uint32_t page = CS_ROOT_PAGES; page < c->n_pages; page++)
		cs_residency_install(&residency, page);
	error = cs_drawn_init(c, drawn);
	if (!error)
		cs_residency_draw(&residency, view, drawn);
	cs_residency_deinit(&residency);
	return error;
}

/*
 * Returns the clusters that a view draws when every page is there, in ascending order; the caller
 * frees them.
 */
static inline struct cs_error *cut_of_view(const struct cs_nanite_contents *contents,
	const struct cs_nanite_view *view, uint32_t **clusters_ret, size_t *n_ret)
{
	struct cs_drawn drawn;
	if (contents->depth == 0)
		return cs_error_new(CS_E_NANITE, "the hierarchy is no tree");
	struct cs_error *error = draw_all(contents, view, &drawn);
	if (error)
		return error;
	size_t n = count_drawn(&drawn, contents->n_clusters, NULL);
	uint32_t *list = malloc((n + 1) * sizeof(*list));
	if (list) {
		count_drawn(&drawn, contents->n_clusters, list);
		*clusters_ret = list;
		*n_ret = n;
	}
	cs_drawn_deinit(&drawn);
	return list ? NULL : cs_error_nomem();
}

static inline void add_pages(const struct cs_nanite_contents *c, struct cs_nanite_summary *to)
{
	const struct cs_nanite *r = c->resource;
	for (size_t i = 0; i < c->n_pages; i++) {
		const struct cs_model_page *page = &c->pages[i];
		to->disk_bytes += r->pages[i].bulk_size;
		to->fixup_bytes += page->chunk_bytes;
		to->page_bytes += page->page_bytes;
		to->gpu_bytes += page->gpu_bytes;
		to->root_gpu_bytes += i < r->info->root_pages ? page->gpu_bytes : 0;
		to->references += page->references;
		if (r->pages[i].n_dependencies > to->most_dependencies)
			to->most_dependencies = r->pages[i].n_dependencies;
	}
}

static inline struct cs_nanite_summary sums_of_contents(const struct cs_nanite_contents *contents)
{
	const struct cs_nanite *r = contents->resource;
	struct cs_nanite_summary summary = {
		.dependencies = (uint32_t)r->n_dependencies,
		.coarse_triangles = (uint32_t)r->n_coarse_triangles,
	};
	add_pages(contents, &summary);
	for (size_t i = 0; i < contents->n_clusters; i++)
		summary.leaf_clusters += contents->clusters[i].maker == CS_NONE;
	return summary;
}
