/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite of the engine (nanite-versions rules): the resource in a static mesh and its pages, of 5.3
 * to 5.6 and 5.8. 5.7 is read by the same rules, but no file of it was available. A resource is
 * found by the signature of its first page, and its version is the one whose rules fit every byte
 * of every page.
 */
#pragma once

#include "core/cursor.h"
#include "nanite/format/format.h"
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

/*
 * The fields of the engine's records beside those of packed clusters (enum cs_packed), which it has
 * in other places. A field that a version doesn't have is 0.
 */
enum cs_ue_field {
	CS_UE_PRECISION = CS_PACKED_COUNT,
	CS_UE_NORMAL_BITS,
	CS_UE_TANGENT_BITS,
	CS_UE_TANGENTS,
	/* the header of a page */
	CS_UE_PAGE_CLUSTERS,
	CS_UE_PAGE_RAW,
	CS_UE_PAGE_REFERENCES,
	CS_UE_PAGE_STRIPS,
	CS_UE_PAGE_MASKS,
	/* the header of a cluster; rows of attributes lie at LOW and MID before byte planes */
	CS_UE_INDEX_DATA,
	CS_UE_MAP,
	CS_UE_REFERENCES,
	CS_UE_LOW,
	CS_UE_MID,
	CS_UE_HIGH,
	CS_UE_N_REFERENCES,
	CS_UE_PREVIOUS_CODES,
	CS_UE_PREVIOUS_ISSUED,
	/* the head of a chunk */
	CS_UE_CHUNK_GROUPS,
	CS_UE_CHUNK_PARTS,
	CS_UE_CHUNK_CLUSTERS,
	CS_UE_CHUNK_RECONSIDERED,
	CS_UE_CHUNK_PARENTS,
	CS_UE_CHUNK_LOCATIONS,
	CS_UE_CHUNK_INDICES,
	CS_UE_CHUNK_HIERARCHY_FIXUPS,
	CS_UE_CHUNK_CLUSTER_FIXUPS,
	/* a slot of the hierarchy */
	CS_UE_SLOT_MIN_ERROR,
	CS_UE_SLOT_PARENT_ERROR,
	CS_UE_SLOT_CLUSTERS,
	CS_UE_SLOT_PAGES,
	CS_UE_SLOT_FIRST_PAGE,
	/* words of fixups: pages to wait for, and a place in the hierarchy */
	CS_UE_RANGE_PAGES,
	CS_UE_RANGE_FIRST_PAGE,
	CS_UE_PLACE_SLOT,
	CS_UE_PLACE_NODE,
	CS_UE_FIELDS
};

struct cs_ue_nanite {
	enum cs_ue_nanite_version version;
	struct cs_packed_field fields[CS_UE_FIELDS]; /* where this version has them */
	uint64_t at, root_at;                        /* offsets in the package's bytes */
	uint32_t bulk_index;
	const unsigned char *roots_bytes; /* root pages, in the package */
	uint32_t root_size;
	struct cs_nanite_page_state *states;
	const unsigned char *nodes; /* nodes as stored */
	uint32_t *root_offsets, *dependencies;
	uint32_t n_states, n_nodes, n_roots, n_dependencies, n_root_pages;
	int32_t position_precision;
	uint32_t input_triangles, input_vertices, n_clusters;
	unsigned char *bulk; /* streaming pages, owned */
	size_t bulk_size;
};

enum { CS_UE_NODE_SLOTS = 4, CS_UE_MOST_F4 = 8 };

/* A cluster of an open page. */
struct cs_ue_cluster {
	struct cs_model_cluster row; /* what its packed words say, and its place in the page */
	uint32_t normal_bits, tangent_bits, materials, uv_width[8][2];
	bool tangents;
	/* offsets in GPU memory */
	uint32_t index_offset, position_offset, attribute_offset, decode_offset;
	/* from its header in the page */
	uint32_t index_data, map, references, low, mid, high, n_references, previous[2];
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

/* What differs between versions beside the places of fields. */
struct cs_ue_nanite_layout {
	uint32_t node_bytes, f4, page_words, cluster_words;
	bool groups;  /* fixups by group, from 5.7 on */
	bool streams; /* attributes in byte planes, from 5.4 on */
	const char *name, *writer;
	uint32_t releases; /* bits of the releases that write it */
};

extern const struct cs_ue_nanite_layout cs_ue_nanite_layouts[CS_UE_NANITE_VERSIONS];

/* Finds the fields of a version. */
void cs_ue_nanite_fields(
	enum cs_ue_nanite_version version, struct cs_packed_field ret[CS_UE_FIELDS]);
/* Returns a field of a record. */
static inline uint32_t cs_ue_get(
	const struct cs_ue_nanite *nanite, const unsigned char *record, enum cs_ue_field field)
{
	const struct cs_packed_field at = nanite->fields[field];
	return cs_field_value(at, cs_load32(record + 4 * (size_t)at.word));
}

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
