/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded contents of the pages of a .cnanite file: clusters, groups, fixups, geometry. */
#pragma once

#include <cellscope/nanite.h>

/* Part number k of a group, in contents or a model. */
#define CS_GROUP_PART(of, group, k) (&(of)->parts[(of)->group_parts[(group)->first_part + (k)]])

/* The sections of a page, in the order in which they are stored. */
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

/*
 * A decoded resource as plain arrays. Positions are in grid steps, which are multiplied by the
 * cluster's step to get units of the mesh. Corners of triangles are vertex indices within the
 * cluster. The slot of a part or fixup is CS_NODE_SLOTS * node + index of the slot in the node.
 */
struct cs_nanite_contents {
	const struct cs_nanite *resource;
	struct cs_model_page *pages;
	/* for each page, the size in bytes of each section, which add up to the page */
	uint32_t (*sections)[CS_PAGE_SECTIONS];
	struct cs_model_cluster *clusters;
	struct cs_model_part *parts;
	struct cs_model_group *groups;
	uint32_t *group_parts, *parents;
	struct cs_model_fixup *fixups;
	struct cs_model_material *material_ranges;
	size_t n_pages, n_clusters, n_parts, n_groups, n_fixups, n_material_ranges, n_vertices,
		n_triangles;
	uint32_t n_levels, n_uvs;
	/* number of nodes on the longest path from a root, 0 if the tree cannot be traversed */
	uint32_t depth;

	/* arrays with an item for each vertex, except uv_ranges */
	int32_t *grid;     /* 3 grid coordinates */
	uint32_t *normals; /* octahedral code: 9 bits X, 9 bits Y */
	uint8_t *colors;   /* 4 bytes: R, G, B, A */
	float *uvs[4];     /* one array for each UV channel, with 2 floats for each vertex */
	struct cs_nanite_uv_range *uv_ranges; /* n_uvs ranges of UV codes for each cluster */
	/* arrays with an item for each triangle */
	uint8_t *corners; /* 3 vertex indices within the cluster */
	uint8_t *materials;
};

/*
 * Axes of quantised UVs: code q decodes to min + q * scale. Codes from gap_start on are increased
 * by gap_length before this.
 */
struct cs_nanite_uv_range {
	float min[2], scale[2];
	int32_t gap_start[2], gap_length[2];
};

/*
 * Decodes and checks all pages. Stops at the first byte that cannot be decoded safely, with an
 * error that names page and offset. The contents refer to the resource, which must live longer.
 */
struct cs_error *cs_nanite_decode(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_nanite_contents **ret) CS_MUST_USE;
void cs_nanite_contents_free(struct cs_nanite_contents *contents);
