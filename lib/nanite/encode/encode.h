/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the encoder, phase by phase.
 *
 * The clusters of a DAG are coded. A cluster whose strip would need too many vertices becomes two.
 * Clusters are assigned to pages as parts of groups, the hierarchy is built over the parts, and the
 * pages are written. Items refer to each other by index. Data of varying size is in arenas, one for
 * each thread.
 */
#pragma once

#include "cluster/dag_internal.h"
#include "core/arena.h"
#include "nanite/encode/strip.h"
#include "nanite/format/format.h"
#include "nanite/format/resource.h"

/* Sizes in bytes of the sections of a GPU page, for one cluster or for a page. */
struct cs_page_sizes {
	uint32_t cluster, materials, decode_info, index, position, attribute;
};

static inline uint32_t cs_page_sizes_total(const struct cs_page_sizes *sizes)
{
	return sizes->cluster + cs_align(sizes->materials, 16) + sizes->decode_info + sizes->index +
	       sizes->position + sizes->attribute;
}

struct cs_material_range {
	uint8_t first, count, material;
};

struct cs_coded_cluster {
	uint32_t source; /* index of the cluster in the DAG */
	uint16_t n_vertices, n_triangles, n_ranges, n_code_bytes;
	uint8_t position_bits[3], color_bits[4], color_min[4], color_mode;
	uint16_t attribute_bits;
	uint16_t edge_length;    /* length of the longest edge, as the half float that is stored */
	int32_t low[3], high[3]; /* bounding box of the cluster's positions, in grid steps */
	uint32_t masks[CS_STRIP_WORDS][CS_STRIP_MASK_KINDS];
	uint32_t previous_references, previous_new;
	uint16_t n_starts, n_references, n_degenerate;
	/* whether all UV ranges are taken from a decoded DAG, instead of being computed */
	bool uvs_kept;
	const unsigned char *codes;
	const uint32_t *vertices; /* for each vertex, its index in the DAG */
	const uint32_t *normals;  /* octahedral code of the normal of each vertex */
	const uint16_t *uv_codes; /* for each vertex, a code for each channel and axis */
	/* corners of the triangles of a cluster in the root group, NULL for all other clusters */
	const uint16_t (*corners)[3];
	const struct cs_uv_range *uvs;
	const struct cs_material_range *ranges;
	struct cs_page_sizes gpu;
	uint32_t part;
	struct cs_coded_cluster *second; /* the second half of a cluster that was cut, or NULL */
};

/* A part: the clusters of one group that are in one page. */
struct cs_part {
	uint32_t group, page;
	/* the part's clusters, as a range of indices in cs_encoder.children */
	uint32_t first_child, n_children;
	uint32_t page_offset; /* index in the page of the part's first cluster */
	/* node of the hierarchy, and slot of this node, in which the part is */
	uint32_t node, slot;
	int32_t low[3], high[3];
};

struct cs_coded_group {
	/* the group's clusters, as a range of indices in cs_encoder.children */
	uint32_t first_child, n_children;
	uint32_t first_page, n_pages;
	uint32_t first_part;
};

struct cs_coded_page {
	uint32_t first_part, n_parts, n_clusters;
	struct cs_page_sizes gpu;
};

/*
 * A fixup of a cluster that is drawn as a leaf until all pages of its generating group are loaded.
 * Each of these pages contains the fixup. When all of them are loaded, it clears the leaf flag.
 */
struct cs_leaf_fixup {
	/* page that contains the cluster, and index of the cluster in that page */
	uint32_t page, cluster;
	uint32_t first_page, n_pages; /* pages of the generating group, without root pages */
};

/* The fixups of all pages, sorted by the page that contains them. Freed by cs_fixups_deinit. */
struct cs_fixups {
	/* for each page, the index in `leaves` of its first fixup, then the number of fixups */
	uint32_t *first;
	struct cs_leaf_fixup *leaves;
	uint32_t *n_hierarchy;
};

struct cs_encoder {
	const struct cs_dag *dag;
	/* the DAG with widened errors and spheres, to which `dag` points if any were widened */
	struct cs_dag widened;
	const struct cs_nanite_options *options;
	const struct cs_job *job;
	int precision;
	/* number of grid steps in one unit of the mesh (2^precision), and its inverse */
	float scale, step;
	/* whether errors and edge lengths are in units of 2^7 grid steps (CS_NANITE_GRID_HALVES) */
	bool grid_halves;
	/* length, in units of the mesh, that the half float 1 means in errors and edge lengths */
	float half_unit;

	struct cs_arena *arenas; /* one arena for each thread */
	int n_arenas;
	/* clusters of the DAG, then the second halves of the clusters that were cut */
	struct cs_coded_cluster **clusters;
	uint32_t n_clusters;
	struct cs_coded_group *groups;
	uint32_t *children;
	struct cs_part *parts;
	uint32_t n_parts;
	struct cs_coded_page *pages;
	uint32_t n_pages;
	int32_t low[3], high[3]; /* bounding box of all positions, in grid steps */

	struct cs_nanite *resource; /* the resource that the encoder makes */
};

/* ---- phases of encoding, in their order ---- */

/* Enlarges errors and spheres so that they still bound the rounded positions. Sets half_unit. */
struct cs_error *cs_encode_widen(struct cs_encoder *encoder) CS_MUST_USE;
struct cs_error *cs_encode_clusters(struct cs_encoder *encoder) CS_MUST_USE;
struct cs_error *cs_encode_assign(struct cs_encoder *encoder) CS_MUST_USE;
struct cs_error *cs_encode_hierarchy(struct cs_encoder *encoder) CS_MUST_USE;
struct cs_error *cs_encode_pages(struct cs_encoder *encoder) CS_MUST_USE;
struct cs_error *cs_encode_atlas(struct cs_encoder *encoder) CS_MUST_USE;
/* Makes the remaining tables of the resource: the info row, the sections and the report. */
struct cs_error *cs_encode_tables(struct cs_encoder *encoder) CS_MUST_USE;

/* ---- functions that several phases use ---- */

/* Makes the fixups of all pages, and derives the dependencies between pages from them. */
struct cs_error *cs_encode_fixups(struct cs_encoder *encoder, struct cs_nanite_page_state *states,
	struct cs_fixups *ret) CS_MUST_USE;
/* Returns the size in bytes of a page's fixup chunk, as cs_write_fixup_chunk() writes it. */
uint32_t cs_fixup_chunk_size(const struct cs_fixups *fixups, uint32_t page);
void cs_write_fixup_chunk(const struct cs_encoder *encoder, const struct cs_fixups *fixups,
	uint32_t page, unsigned char *chunk);
void cs_fixups_deinit(struct cs_fixups *fixups);
/* Returns whether the cluster needs no fixup, because its whole generating group is in the page. */
bool cs_made_within(
	const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster, uint32_t page);

/* Rounds an error up to half precision. Only the error of root groups becomes infinite. */
uint16_t cs_encode_error_half(const struct cs_encoder *encoder, float error);
/* Converts a box in grid steps to a centre and an extent in mesh units, which contain the box. */
void cs_encode_box(const struct cs_encoder *encoder, const int32_t low[3], const int32_t high[3],
	float centre[3], float extent[3]);
static inline void cs_encode_position(
	const struct cs_encoder *encoder, uint32_t vertex, int32_t ret[3])
{
	const float *position = encoder->dag->positions + (size_t)vertex * 3;
	for (unsigned axis = 0; axis < 3; axis++)
		ret[axis] = (int32_t)__builtin_lrintf(position[axis] * encoder->scale);
}

static inline const struct cs_cluster *cs_encode_source(
	const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster)
{
	return &encoder->dag->clusters[cluster->source];
}

/*
 * Encodes a DAG. A DAG that was built keeps its grid: returns E_SETTING when the options request
 * another precision. The same DAG and options give the same bytes on any number of threads. A
 * decoded DAG, encoded with the options of its resource, gives the bytes of that resource.
 */
struct cs_error *cs_nanite_encode(const struct cs_dag *dag, const struct cs_nanite_options *options,
	const struct cs_job *job, struct cs_nanite **ret) CS_MUST_USE;
