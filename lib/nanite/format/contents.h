/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoded contents of the pages of a resource in our own format: clusters, groups, fixups,
 * geometry.
 */
#pragma once

#include <cellscope/nanite.h>

/* The sections of a page in their order. Sizes are in bytes. */
enum cs_page_section {
	CS_SECTION_PAGE_HEADER,
	CS_SECTION_CLUSTER_HEADERS,
	CS_SECTION_CLUSTERS,
	CS_SECTION_MATERIALS,
	CS_SECTION_UV_RANGES,
	CS_SECTION_STRIP_CODES,
	CS_SECTION_STRIP_MASKS,
	CS_SECTION_REFERENCE_MASKS,
	CS_SECTION_REFERENCES,
	CS_SECTION_POSITIONS,
	CS_SECTION_ATTRIBUTES,
	CS_PAGE_SECTIONS
};

struct cs_nanite_page {
	uint32_t first_cluster, n_clusters;
	uint32_t first_part, n_parts;
	uint32_t first_hierarchy_fixup, n_hierarchy_fixups;
	uint32_t first_cluster_fixup, n_cluster_fixups;
	uint32_t gpu_bytes; /* size of the page in GPU memory, at most 131072 bytes */
	/* sizes of the page decompressed, of the page stored, and of the fixup chunk */
	uint32_t page_bytes, stored_bytes, chunk_bytes;
	uint32_t sections[CS_PAGE_SECTIONS]; /* parts of page_bytes */
	uint32_t triangles, vertices, references;
	bool damaged; /* no part of it could be decoded */
};

/* The clusters of a group that are in one page. */
struct cs_nanite_part {
	uint32_t group, page;
	uint32_t first_cluster, n_clusters;
	uint32_t node, slot; /* place of the part in the hierarchy */
};

struct cs_nanite_hierarchy_fixup {
	uint32_t page;        /* the page that contains the fixup */
	uint32_t target_page; /* the page of the part */
	uint32_t node, slot;
	uint32_t cluster;             /* the first cluster of the part, numbered within its page */
	uint32_t first_page, n_pages; /* the pages that must be loaded, without root pages */
};

struct cs_nanite_cluster_fixup {
	uint32_t page;
	/* the cluster that stops being a leaf, numbered within its page */
	uint32_t target_page, cluster;
	uint32_t first_page, n_pages;
};

/*
 * A decoded resource as plain arrays. Positions are in grid steps: times the step of the cluster
 * they are in units of the mesh. Triangles name vertices of their cluster.
 */
struct cs_nanite_contents {
	const struct cs_nanite *resource;
	struct cs_nanite_page *pages;
	struct cs_model_cluster *clusters;
	struct cs_nanite_part *parts;
	struct cs_model_group *groups;
	uint32_t *group_parts, *parents;
	struct cs_nanite_hierarchy_fixup *hierarchy_fixups;
	struct cs_nanite_cluster_fixup *cluster_fixups;
	struct cs_model_material *material_ranges;
	size_t n_pages, n_clusters, n_parts, n_groups, n_parents, n_hierarchy_fixups,
		n_cluster_fixups, n_material_ranges, n_vertices, n_triangles;
	uint32_t n_levels, n_uvs;
	uint32_t depth; /* longest path of the hierarchy, in nodes; 0 when it cannot be traversed */

	/* Arrays with an item for each vertex. */
	int32_t *grid;                        /* 3 numbers */
	uint32_t *normals;                    /* octahedral code: 9 bits X, 9 bits Y */
	uint8_t *colors;                      /* 4 bytes: R, G, B, A */
	float *uvs[4];                        /* 2 floats in each array */
	struct cs_nanite_uv_range *uv_ranges; /* n_uvs for each cluster */
	/* Arrays with an item for each triangle. */
	uint8_t *corners; /* 3 vertex numbers */
	uint8_t *materials;
};

/*
 * The codes of both axes of UVs. Code q means min + q * scale, and from gap_start on
 * min + (q + gap_length) * scale.
 */
struct cs_nanite_uv_range {
	float min[2], scale[2];
	int32_t gap_start[2], gap_length[2];
};

/*
 * Decodes and checks all pages. The first byte that cannot be decoded safely is an error that names
 * page and place. The contents refer to the resource, which must live longer.
 */
struct cs_error *cs_nanite_decode(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_nanite_contents **ret) CS_MUST_USE;
void cs_nanite_contents_free(struct cs_nanite_contents *contents);
