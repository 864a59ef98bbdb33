/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the sums that describe a resource as a whole. */
#include "nanite/format/contents.h"
#include "nanite/format/resource.h"

static void add_pages(const struct cs_nanite_contents *c, struct cs_nanite_summary *to)
{
	const struct cs_nanite *r = c->resource;
	for (size_t i = 0; i < c->n_pages; i++) {
		const struct cs_nanite_page *page = &c->pages[i];
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

struct cs_nanite_summary cs_nanite_summarise(const struct cs_nanite_contents *contents)
{
	const struct cs_nanite *r = contents->resource;
	struct cs_nanite_summary summary = {
		.nodes = (uint32_t)r->n_nodes,
		.depth = contents->depth,
		.dependencies = (uint32_t)r->n_dependencies,
		.coarse_triangles = (uint32_t)r->n_coarse_triangles,
	};
	add_pages(contents, &summary);
	for (size_t i = 0; i < contents->n_clusters; i++)
		summary.leaf_clusters += contents->clusters[i].maker == CS_NONE;
	return summary;
}
