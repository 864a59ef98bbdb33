/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite resources of the engine in cooked static meshes (nanite-versions rules): of 5.3 to 5.6 and
 * 5.8. 5.7 is read by the same rules, but no file of it was available. A resource is found by the
 * signature of its first page; its version is the one whose rules fit every byte of every page.
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
 * Fields of the engine's records. Their numbers follow those of the fields of packed clusters (enum
 * cs_packed), which the engine stores at other positions than our format. A field that a version
 * lacks reads as 0.
 */
enum cs_ue_field {
	CS_UE_PRECISION = CS_PACKED_COUNT,
	CS_UE_NORMAL_BITS,
	CS_UE_TANGENT_BITS,
	CS_UE_TANGENTS,
	/* fields of the page header */
	CS_UE_PAGE_CLUSTERS,
	CS_UE_PAGE_RAW,
	CS_UE_PAGE_REFERENCES,
	CS_UE_PAGE_STRIPS,
	CS_UE_PAGE_MASKS,
	/* fields of the cluster header. In 5.3 LOW, MID are offsets of positions and attributes */
	CS_UE_INDEX_DATA,
	CS_UE_MAP,
	CS_UE_REFERENCES,
	CS_UE_LOW,
	CS_UE_MID,
	CS_UE_HIGH,
	CS_UE_N_REFERENCES,
	CS_UE_PREVIOUS_CODES,
	CS_UE_PREVIOUS_ISSUED,
	/* fields of the header of a fixup chunk */
	CS_UE_CHUNK_GROUPS,
	CS_UE_CHUNK_PARTS,
	CS_UE_CHUNK_CLUSTERS,
	CS_UE_CHUNK_RECONSIDERED,
	CS_UE_CHUNK_PARENTS,
	CS_UE_CHUNK_LOCATIONS,
	CS_UE_CHUNK_INDICES,
	CS_UE_CHUNK_HIERARCHY_FIXUPS,
	CS_UE_CHUNK_CLUSTER_FIXUPS,
	/* fields of a hierarchy slot */
	CS_UE_SLOT_MIN_ERROR,
	CS_UE_SLOT_PARENT_ERROR,
	CS_UE_SLOT_CLUSTERS,
	CS_UE_SLOT_PAGES,
	CS_UE_SLOT_FIRST_PAGE,
	/*
	 * bit fields of a fixup: the number of pages that must be loaded and the first of them, and
	 * the slot and the node that the fixup changes
	 */
	CS_UE_RANGE_PAGES,
	CS_UE_RANGE_FIRST_PAGE,
	CS_UE_PLACE_SLOT,
	CS_UE_PLACE_NODE,
	CS_UE_FIELDS
};

struct cs_ue_nanite {
	enum cs_ue_nanite_version version;
	struct cs_packed_field fields[CS_UE_FIELDS]; /* positions of the fields in this version */
	/* offsets of the resource and of its root pages, within the package */
	uint64_t at, root_at;
	uint32_t bulk_index;
	const unsigned char *roots_bytes; /* root pages, in the package's bytes */
	uint32_t root_size;
	struct cs_nanite_page_state *states;
	const unsigned char *nodes; /* hierarchy nodes, in the package's bytes */
	uint32_t *root_offsets, *dependencies;
	uint32_t n_states, n_nodes, n_roots, n_dependencies, n_root_pages;
	int32_t position_precision;
	uint32_t input_triangles, input_vertices, n_clusters;
	unsigned char *bulk; /* streaming pages, owned by this struct */
	size_t bulk_size;
};

enum { CS_UE_NODE_SLOTS = 4, CS_UE_MOST_F4 = 8 };

/* A cluster of an open page. */
struct cs_ue_cluster {
	struct cs_model_cluster row; /* unpacked words of the cluster, and position in the page */
	uint32_t normal_bits, tangent_bits, materials, uv_width[8][2];
	bool tangents;
	/* offsets of the cluster's data in GPU memory, in bytes */
	uint32_t index_offset, position_offset, attribute_offset, decode_offset;
	/* fields of the cluster's header */
	uint32_t index_data, map, references, low, mid, high, n_references, previous[2];
};

/* An opened page of a resource. */
struct cs_ue_page {
	uint32_t page, chunk_bytes, size, n_clusters, raw, total_references;
	uint64_t file_offset;
	const unsigned char *chunk, *bytes;
	uint32_t headers, gpu, tables, index, strips, masks, references, data;
	struct cs_ue_cluster *clusters; /* owned by the page */
	uint32_t gpu_bytes;
};

static inline uint32_t cs_ue_align4(uint32_t value)
{
	return (value + 3) & ~3u;
}

/* Differences between versions of the engine's Nanite format, except the positions of fields. */
struct cs_ue_nanite_layout {
	uint32_t node_bytes, f4, page_words, cluster_words;
	bool groups;  /* whether fixups are stored by group, as from 5.7 on */
	bool streams; /* whether attributes are stored in byte planes, as from 5.4 on */
	const char *name, *writer;
	uint32_t releases; /* bits of enum cs_ue_release for the releases that write this version */
};

/* Returns the size of a UV range in bytes, for attributes in byte planes (`streams`) or not. */
static inline uint32_t cs_ue_uv_range_bytes(bool streams)
{
	return streams ? 8 : 32;
}

extern const struct cs_ue_nanite_layout cs_ue_nanite_layouts[CS_UE_NANITE_VERSIONS];

/* Stores where each field is in the resource format of one version. */
void cs_ue_nanite_fields(
	enum cs_ue_nanite_version version, struct cs_packed_field ret[CS_UE_FIELDS]);
static inline uint32_t cs_ue_get(
	const struct cs_ue_nanite *nanite, const unsigned char *record, enum cs_ue_field field)
{
	const struct cs_packed_field at = nanite->fields[field];
	return cs_field_value(at, cs_load32(record + 4 * (size_t)at.word));
}

/* Reads n bytes at `offset` of the bulk data, which contain the streaming pages. */
typedef struct cs_error *cs_ue_read_bulk(void *context, uint64_t offset, void *ret, size_t n);
/*
 * Finds the Nanite resource of a static mesh and reads its streaming pages with `read`. Returns
 * E_MISSING if the mesh has no resource.
 */
struct cs_error *cs_ue_nanite_find(const struct cs_ue_cooked_package *package,
	const struct cs_ue_cooked_export *export, cs_ue_read_bulk *read, void *context,
	struct cs_arena *arena, struct cs_ue_nanite *ret) CS_MUST_USE;
void cs_ue_nanite_deinit(struct cs_ue_nanite *nanite);
/* Reads the headers of a page and its clusters, and checks that its sections are contiguous. */
struct cs_error *cs_ue_page_open(
	const struct cs_ue_nanite *nanite, uint32_t page, struct cs_ue_page *ret) CS_MUST_USE;
void cs_ue_page_close(struct cs_ue_page *page);
/* Converts a resource into a model. E_NANITE names the page and the position of a fault. */
struct cs_error *cs_ue_nanite_model(const struct cs_ue_nanite *nanite, const char *name,
	const char *path, struct cs_model **ret) CS_MUST_USE;
/* Adds hierarchy, fixups and groups to a model whose clusters are decoded. */
struct cs_error *cs_ue_nanite_link(
	const struct cs_ue_nanite *nanite, struct cs_model *model) CS_MUST_USE;
/* Lists meshes as cs_ue_place_meshes does. Calls the function `hear` for each damaged package. */
typedef void cs_ue_hear_broken(void *context, const char *path, enum cs_code code, const char *why);
struct cs_error *cs_ue_hear_meshes(const struct cs_ue_place *place, const struct cs_job *job,
	cs_ue_hear_broken *hear, void *context, struct cs_ue_meshes **ret) CS_MUST_USE;
