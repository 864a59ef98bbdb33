/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder from the inside. It shares constants and bits with the encoder, no code.
 *
 * A page is decoded in three steps. Opening it finds its chunk and its bytes. Planning reads the
 * headers of all clusters and computes where everything must lie: what passes is safe to read.
 * Decoding fills the arrays of the contents, cluster by cluster. Pages do not depend on each other.
 */
#pragma once

#include "nanite/format/contents.h"
#include "nanite/format/format.h"
#include "nanite/format/format_rules.h"
#include "nanite/format/resource.h"

/* What planning learns of a cluster. */
struct cs_cluster_plan {
	struct cs_packed_cluster packed;
	uint32_t n_references, n_codes, n_starts, n_ranges;
	uint32_t codes, references, positions, attributes; /* offsets in the page */
	uint32_t code_bytes;
};

struct cs_page_view {
	uint32_t page;
	const unsigned char *chunk; /* fixups, in the resource */
	uint32_t chunk_size, n_hierarchy, n_leaves, blob_size;
	unsigned char *bytes; /* decompressed, owned; zeros lie behind them */
	uint32_t size;
	uint32_t n_clusters, n_uvs, gpu_size, n_material_words;
	uint32_t planes, materials, decode_info, codes, masks, reference_masks, references,
		positions, attributes;              /* where sections begin */
	struct cs_cluster_plan *plans;              /* owned */
	uint32_t n_vertices, n_triangles, n_ranges; /* of all clusters */
	struct cs_breaches breaches;
	bool reference_planes; /* CS_NANITE_PLANES */
	bool planned;          /* safe to decode */
	float half_unit;       /* of errors and edges */
};

/* Where the arrays of a page begin in the contents. */
struct cs_page_base {
	uint32_t cluster, vertex, triangle, range;
};

/* Fixup chunk and bytes of a page; false when a rule is broken or memory is short. */
bool cs_page_open(const struct cs_nanite *resource, uint32_t page, struct cs_page_view *ret);
/* Headers of the page and of all clusters. */
bool cs_page_plan(struct cs_page_view *view);
/* Everything into the contents; a cluster that cannot be decoded is marked. */
void cs_page_decode(struct cs_page_view *view, const struct cs_page_base *base,
	struct cs_nanite_contents *contents);
void cs_page_close(struct cs_page_view *view);

/* Where a page lies in the file, or CS_NO_OFFSET. */
uint64_t cs_page_offset(const struct cs_nanite *resource, uint32_t page);
/* The packed clusters of the page are stored plane by plane. */
uint32_t cs_page_cluster_word(
	const struct cs_page_view *view, uint32_t cluster, enum cs_cluster_word word);

/* Ranges of a cluster, at most CS_CLUSTER_TRIANGLES; the count, or 0 when they lie outside. */
uint32_t cs_decode_materials(const struct cs_page_view *view, uint32_t cluster,
	struct cs_breaches *breaches, struct cs_model_material *ret);
/* Reference r of a cluster of a planned page: cluster << 8 | place among its coded vertices. */
uint32_t cs_page_reference(const struct cs_page_view *view, uint32_t cluster, uint32_t r);
/* A strip as a page stores it, what its masks count, and what reading it does. */
struct cs_stored_strip {
	const unsigned char *masks, *codes; /* 8 bytes from the last code on can be read */
	uint32_t n_triangles, n_codes, n_starts;
	uint32_t issued;                           /* vertices */
	uint32_t references_before, issued_before; /* triangles 32, 64 and 96 */
};

/* Adds codes and starts; the first of triangles 0, 32, 64 and 96 that is no start, or CS_NONE. */
uint32_t cs_count_strip(struct cs_stored_strip *strip);
/* Corners of the triangles, the smallest first; false when a code counts back too far. */
bool cs_read_strip(struct cs_stored_strip *strip, uint8_t *corners_ret);
/* The same of a cluster of ours; false when the strip is broken. */
bool cs_decode_strip(struct cs_page_view *view, uint32_t cluster, uint8_t *corners_ret);

static inline struct cs_place cs_at_page(const struct cs_page_view *view, uint64_t at)
{
	return (struct cs_place){view->page, CS_NONE, at};
}

static inline struct cs_place cs_at_cluster(
	const struct cs_page_view *view, uint32_t cluster, uint64_t at)
{
	return (struct cs_place){view->page, cluster, at};
}

/* Parts, groups and levels, from hierarchy, fixups and clusters. */
struct cs_error *cs_link_contents(
	struct cs_nanite_contents *contents, struct cs_breaches *breaches) CS_MUST_USE;

/* Clusters and groups by what was simplified into what: their levels, level 0 the finest. */
struct cs_levels {
	struct cs_model_cluster *clusters;
	struct cs_model_group *groups;
	const uint32_t *parents; /* clusters that groups were simplified into */
	size_t n_clusters, n_groups;
	/* found */
	uint32_t n_levels;
	size_t n_circling; /* groups that lead in a circle, which stay at level 0 */
};

/*
 * The clusters that each group was simplified into, whose makers and numbers are known. NULL
 * without memory.
 */
uint32_t *cs_link_parents(const struct cs_levels *levels, size_t *n_ret);
/* False without memory. */
bool cs_link_levels(struct cs_levels *levels);

/* No way from a root to a node is longer. */
enum { CS_TREE_DEPTH = 64 };

/* Nodes on the longest way from a root; 0 when they cannot be walked. */
struct cs_error *cs_check_tree(const struct cs_nanite *resource, struct cs_breaches *breaches,
	uint32_t *depth_ret) CS_MUST_USE;

/* What verifying looks at beyond decoding, while the bytes of the page are at hand. */
void cs_check_page(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents);

/*
 * As cs_nanite_decode. With `breaches` (one list for each page, and one more for what lies in none)
 * it goes on after what is broken, and checks what does not matter for decoding as well.
 */
struct cs_error *cs_decode_contents(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_breaches *breaches, struct cs_nanite_contents **ret) CS_MUST_USE;

const char *cs_page_section_name(enum cs_page_section section);
/* Unit vector of an octahedral code. */
void cs_nanite_normal(uint32_t code, float ret[3]);
