/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite of the engine (nanite-versions rules): the resource in a static mesh and its pages, of 5.3
 * to 5.6 and 5.8. 5.7 is read by the same rules, but no file of it was available. A resource is
 * found by the signature of its first page, and its version is the one whose rules fit every byte
 * of every page.
 */
#pragma once

#include "ue/object/cooked_package.h"

#include <cellscope/pages.h>

enum cs_ue_nanite_version {
	CS_UE_NANITE_5_3,
	CS_UE_NANITE_5_4,
	CS_UE_NANITE_5_5,
	CS_UE_NANITE_5_6,
	CS_UE_NANITE_5_7,
	CS_UE_NANITE_5_8,
	CS_UE_NANITE_VERSIONS
};

extern const char *const cs_ue_nanite_version_names[CS_UE_NANITE_VERSIONS];

struct cs_ue_page_state {
	uint32_t bulk_offset, bulk_size, page_size, first_dependency, n_dependencies;
};

struct cs_ue_nanite {
	enum cs_ue_nanite_version version;
	uint64_t at, root_at; /* offsets in the package's bytes */
	uint32_t bulk_index;
	const unsigned char *roots_bytes; /* root pages, in the package */
	uint32_t root_size;
	struct cs_ue_page_state *states;
	const unsigned char *nodes; /* nodes as stored */
	uint32_t *root_offsets, *dependencies;
	uint32_t n_states, n_nodes, n_roots, n_dependencies, n_root_pages;
	int32_t position_precision;
	uint32_t input_triangles, input_vertices, n_clusters;
	unsigned char *bulk; /* streaming pages, owned */
	size_t bulk_size;
};

enum { CS_UE_NODE_SLOTS = 4, CS_UE_MOST_F4 = 8 };

/* The fields of a cluster's packed words. */
struct cs_ue_cluster {
	uint32_t words[4 * CS_UE_MOST_F4];
	uint32_t n_vertices, n_triangles, index_bits, precision_bits[3], normal_bits, tangent_bits;
	int32_t precision, start[3];
	uint32_t color_min[4], color_bits[4], group, n_uvs, color_mode, attribute_bits, flags;
	uint32_t index_offset, position_offset, attribute_offset, decode_offset, uv_bits;
	uint32_t uv_width[8][2];
	bool tangents;
	float error, edge;
	/* From its header in the page. */
	uint32_t index_data, map, references, low, mid, high, n_references, previous[2];
	uint32_t decode_header;
	uint32_t n_coded, n_codes, n_starts;
};

/* An open page of a resource. */
struct cs_ue_page {
	uint32_t page, chunk_bytes, size, n_clusters, raw, total_references;
	uint64_t file_offset;
	const unsigned char *chunk, *bytes;
	uint32_t headers, gpu, tables, index, strips, maps, masks, references, data;
	struct cs_ue_cluster *clusters; /* owned */
	uint32_t gpu_bytes;
};

static inline uint32_t cs_ue_align4(uint32_t value)
{
	return (value + 3) & ~3u;
}

/* The sizes that differ between versions. */
struct cs_ue_nanite_layout {
	uint32_t node_bytes, f4, page_words, cluster_words;
	bool groups;  /* fixups by group, from 5.7 on */
	bool streams; /* attributes in byte planes, from 5.4 on */
};

extern const struct cs_ue_nanite_layout cs_ue_nanite_layouts[CS_UE_NANITE_VERSIONS];

/* Reads n bytes of the bulk data of streaming pages, from an offset into the bulk entry. */
typedef struct cs_error *cs_ue_read_bulk(void *context, uint64_t offset, void *ret, size_t n);
/*
 * Reads the resource of an export, and its streaming pages with `read`. Returns E_MISSING when the
 * mesh has none.
 */
struct cs_error *cs_ue_nanite_find(const struct cs_ue_cooked_package *package,
	const struct cs_ue_cooked_export *export, cs_ue_read_bulk *read, void *context,
	struct cs_arena *arena, struct cs_ue_nanite *ret) CS_MUST_USE;
void cs_ue_nanite_deinit(struct cs_ue_nanite *nanite);
/*
 * Reads the headers of a page and of its clusters. Every section must begin where the previous one
 * ends.
 */
struct cs_error *cs_ue_page_open(
	const struct cs_ue_nanite *nanite, uint32_t page, struct cs_ue_page *ret) CS_MUST_USE;
void cs_ue_page_close(struct cs_ue_page *page);
/* Converts the whole resource into a model. E_NANITE names page and place of a fault. */
struct cs_error *cs_ue_nanite_model(const struct cs_ue_nanite *nanite, const char *name,
	const char *path, struct cs_model **ret) CS_MUST_USE;
/* Adds fixups, groups and hierarchy to the model, whose clusters name their groups. */
struct cs_error *cs_ue_nanite_link(
	const struct cs_ue_nanite *nanite, struct cs_model *model) CS_MUST_USE;
