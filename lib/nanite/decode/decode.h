/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internals of the decoder. It shares constants and bit functions with the encoder, but no other
 * code.
 *
 * A page is decoded in three steps. Opening finds its fixup chunk and its bytes. Planning reads the
 * headers of all clusters and computes the offset of every item: a page that passes is safe to
 * read. Decoding fills the arrays of the contents, cluster by cluster. Pages are independent.
 */
#pragma once

#include "core/cursor.h"
#include "core/half.h"
#include "nanite/format/contents.h"
#include "nanite/format/format.h"
#include "nanite/format/format_rules.h"
#include "nanite/format/resource.h"

/* Values of a cluster that cs_page_plan computes. */
struct cs_cluster_plan {
	struct cs_packed_cluster packed;
	/* the members of the decoded cluster that follow from the packed cluster and the strip */
	struct cs_model_cluster row;
	uint32_t n_references;
	/* byte offsets in the page of the cluster's codes, references, positions and attributes */
	uint32_t codes, references, positions, attributes;
	uint32_t code_bytes;
};

struct cs_page_view {
	uint32_t page;
	/* fixup chunk of the page, whose memory belongs to the resource */
	const unsigned char *chunk;
	uint32_t chunk_size, n_hierarchy, n_leaves, blob_size;
	/* decompressed page, owned by the view and padded with zeros after the last byte */
	unsigned char *bytes;
	uint32_t size;
	uint32_t n_clusters, n_uvs, gpu_size, n_material_words;
	/* offsets of the sections in the page, in bytes */
	uint32_t planes, materials, decode_info, codes, masks, reference_masks, references,
		positions, attributes;
	struct cs_cluster_plan *plans; /* values that cs_page_plan computed for each cluster */
	/* sums of the counts of all clusters of the page */
	uint32_t n_vertices, n_triangles, n_ranges;
	struct cs_breaches breaches;
	/* whether references are stored as planes of bytes (flag CS_NANITE_PLANES) */
	bool reference_planes;
	bool planned; /* whether cs_page_plan found the page safe to decode */
	/* length, in units of the mesh, that the half float 1 means in errors and edge lengths */
	float half_unit;
};

/* Indices in the arrays of the contents at which the items of a page start. */
struct cs_page_base {
	uint32_t cluster, vertex, triangle, range;
};

/* Finds the fixup chunk and decompresses the page. Returns false on a breach or without memory. */
bool cs_page_open(const struct cs_nanite *resource, uint32_t page, struct cs_page_view *ret);
/* Reads cluster headers and computes data offsets. Returns whether the page is safe to decode. */
bool cs_page_plan(struct cs_page_view *view);
/*
 * Decodes a planned page into the contents. Clusters that cannot be decoded are marked as damaged.
 */
void cs_page_decode(struct cs_page_view *view, const struct cs_page_base *base,
	struct cs_nanite_contents *contents);
void cs_page_close(struct cs_page_view *view);
/*
 * Reads the page header, and computes the offsets of all sections up to the references to vertices
 * of other clusters. Returns whether these sections fit the page.
 */
bool cs_page_plan_sections(struct cs_page_view *view);
/*
 * Sets all fields of *ret that are stored in the words of a packed cluster, except the step of the
 * grid. `fields` is the layout of the version that wrote the words. `half_unit` is the length, in
 * units of the mesh, that the half float 1 means.
 */
static inline void cs_packed_row(const struct cs_packed_field *fields, const uint32_t *words,
	float half_unit, struct cs_model_cluster *ret)
{
	const uint32_t color_min = cs_packed_at(fields, words, CS_PACKED_COLOR_MIN);
	const uint32_t color_bits = cs_packed_at(fields, words, CS_PACKED_COLOR_BITS);
	ret->n_vertices = cs_packed_at(fields, words, CS_PACKED_VERTICES);
	ret->n_triangles = cs_packed_at(fields, words, CS_PACKED_TRIANGLES);
	ret->group_number = cs_packed_at(fields, words, CS_PACKED_GROUP);
	ret->flags = cs_packed_at(fields, words, CS_PACKED_FLAGS);
	ret->leaf = ret->flags & CS_CLUSTER_LEAF;
	ret->index_bits = (uint8_t)cs_packed_at(fields, words, CS_PACKED_INDEX_BITS);
	ret->color_mode = (uint8_t)cs_packed_at(fields, words, CS_PACKED_COLOR_MODE);
	ret->n_uvs = (uint8_t)cs_packed_at(fields, words, CS_PACKED_UVS);
	ret->attribute_bits = cs_packed_at(fields, words, CS_PACKED_ATTRIBUTE_BITS);
	ret->uv_bits = cs_packed_at(fields, words, CS_PACKED_UV_BITS);
	for (unsigned i = 0; i < 4; i++) {
		ret->color_min[i] = (uint8_t)(color_min >> 8 * i);
		ret->color_bits[i] = color_bits >> 4 * i & 15;
	}
	for (unsigned k = 0; k < 3; k++) {
		ret->start[k] = (int32_t)cs_packed_at(fields, words, CS_PACKED_START_X + k);
		ret->position_bits[k] =
			(uint8_t)cs_packed_at(fields, words, CS_PACKED_POSITION_BITS_X + k);
		ret->lod_centre[k] =
			cs_float_of_bits(cs_packed_at(fields, words, CS_PACKED_LOD_X + k));
		ret->box_centre[k] =
			cs_float_of_bits(cs_packed_at(fields, words, CS_PACKED_BOX_CENTRE_X + k));
		ret->box_extent[k] =
			cs_float_of_bits(cs_packed_at(fields, words, CS_PACKED_BOX_EXTENT_X + k));
	}
	ret->lod_radius = cs_float_of_bits(cs_packed_at(fields, words, CS_PACKED_LOD_RADIUS));
	ret->lod_error = half_unit *
			 cs_half_value((uint16_t)cs_packed_at(fields, words, CS_PACKED_LOD_ERROR));
	ret->edge_length = half_unit * cs_half_value((uint16_t)cs_packed_at(
					       fields, words, CS_PACKED_EDGE_LENGTH));
}

/* Reads the words of a cluster from planes. Each plane contains 16 bytes of every cluster. */
static inline void cs_packed_words(const unsigned char *planes, uint32_t n_planes,
	uint32_t n_clusters, uint32_t cluster, uint32_t *ret)
{
	const unsigned char *at = planes + (size_t)CS_PACKED_PLANE * cluster;
	for (uint32_t k = 0; k < n_planes; k++, at += (size_t)CS_PACKED_PLANE * n_clusters)
		for (uint32_t w = 0; w < CS_PACKED_PLANE / 4; w++)
			*ret++ = cs_load32(at + 4 * (size_t)w);
}

/* Returns the number of bits of a coded position. */
static inline uint32_t cs_position_bits(const struct cs_model_cluster *cluster)
{
	return (uint32_t)cluster->position_bits[0] + cluster->position_bits[1] +
	       cluster->position_bits[2];
}

/* Sizes or offsets, in bytes, of a cluster's data in GPU memory. All of them are multiples of 4. */
struct cs_gpu_bytes {
	uint32_t index, position, attribute;
};

/* Advances *at past a cluster's data. Each triangle stores its base vertex in `index_bits` bits. */
static inline void cs_gpu_advance(
	struct cs_gpu_bytes *at, const struct cs_model_cluster *cluster, uint32_t index_bits)
{
	const uint32_t triangle = index_bits + 2 * CS_STRIP_CODE_BITS;
	at->index += (cluster->n_triangles * triangle + 31) / 32 * 4;
	at->position += (cluster->n_vertices * cs_position_bits(cluster) + 31) / 32 * 4;
	at->attribute += (cluster->n_vertices * cluster->attribute_bits + 31) / 32 * 4;
}

/* Collects a packed cluster from the planes of the page, which have 16 bytes of each cluster. */
void cs_page_packed(
	const struct cs_page_view *view, uint32_t cluster, struct cs_packed_cluster *ret);
/*
 * Sets view->bytes to the page: copies stored bytes that have the size of the page, and converts
 * others from the dense form. Returns false when a rule is broken that the conversion relies on.
 */
bool cs_page_read_dense(struct cs_page_view *view, const unsigned char *bytes, uint32_t size);

/* Returns the offset of a page in the file, or CS_NO_OFFSET. */
uint64_t cs_page_offset(const struct cs_nanite *resource, uint32_t page);
uint32_t cs_page_cluster_word(
	const struct cs_page_view *view, uint32_t cluster, enum cs_cluster_word word);

/*
 * Decodes the material ranges of a cluster. Returns how many there are, at most
 * CS_CLUSTER_TRIANGLES, or 0 when they are outside of the material table.
 */
uint32_t cs_decode_materials(const struct cs_page_view *view, uint32_t cluster,
	struct cs_breaches *breaches, struct cs_model_material *ret);
/*
 * Returns reference r of a cluster: from bit 8 on the index of the cluster with the referenced
 * vertex, below it the index of that vertex among the coded vertices of its cluster.
 */
uint32_t cs_page_reference(const struct cs_page_view *view, uint32_t cluster, uint32_t r);
/* A strip as a page stores it, counts of the bits of its masks, and the state of reading it. */
struct cs_stored_strip {
	/* mask words and strip codes. At least 8 bytes can be read from the last code on */
	const unsigned char *masks, *codes;
	uint32_t n_triangles, n_codes, n_starts;
	uint32_t issued; /* number of new vertices read so far */
	/* words with the counts of references and issued vertices before triangles 32, 64 and 96 */
	uint32_t references_before, issued_before;
};

/*
 * Counts the codes and the starts of strips. A strip must start at each of the triangles 0, 32, 64
 * and 96. Returns the first of these at which none starts, or CS_NONE.
 */
uint32_t cs_count_strip(struct cs_stored_strip *strip);
/*
 * Decodes the corners of the strip's triangles. The corners of each triangle are rotated so that
 * its smallest vertex index comes first. Returns false when a code refers too far back, or when
 * more than CS_CLUSTER_VERTICES vertices are issued.
 */
bool cs_read_strip(struct cs_stored_strip *strip, uint8_t *corners_ret);
/* Decodes the strip of a cluster of a .cnanite page. Returns false when the strip is broken. */
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

/* Finds parts, groups and levels from the hierarchy, the fixups and the clusters. */
struct cs_error *cs_link_contents(
	struct cs_nanite_contents *contents, struct cs_breaches *breaches) CS_MUST_USE;

/* Input and results of finding parts, groups and levels of a resource. Level 0 is the finest. */
struct cs_links {
	struct cs_model_page *pages;
	struct cs_model_cluster *clusters;
	const struct cs_model_fixup *fixups;
	size_t n_pages, n_clusters, n_fixups;
	/* whether hierarchy fixups of other pages also mark starts of parts */
	bool far_parts;
	/* whether groups are sorted by their first parts instead of by their numbers */
	bool by_part;
	/* Sets sphere, errors and pages of a group from the slot that a fixup refers to. */
	void (*read_slot)(const void *context, uint32_t slot, struct cs_model_group *ret);
	const void *context;
	/* The results. The caller provides room for n_clusters parts and groups. */
	struct cs_model_part *parts;
	struct cs_model_group *groups;
	uint32_t *group_parts, *parents; /* allocated with malloc, freed by the caller */
	size_t n_parts, n_groups;
	uint32_t n_levels;
	/* number of groups without a level, because they are in a cycle or depend on one */
	size_t n_circling;
};

/* Finds parts, groups and generating groups of clusters. Returns false when memory runs out. */
bool cs_link_groups(struct cs_links *links, struct cs_breaches *breaches);
/*
 * Computes the level of each group, counted from 0. Groups in a cycle, and groups with clusters
 * that were made from those, get no level. Returns false when memory runs out.
 */
bool cs_link_levels(struct cs_links *links);

/* Returns indices of groups, coarsest level first, which the caller frees, or NULL (no memory). */
uint32_t *cs_coarse_first(const struct cs_model_group *groups, size_t n);

/* largest number of nodes on a path from a root of the hierarchy down to a leaf */
enum { CS_TREE_DEPTH = 64 };

/* Checks the rules that decoding does not depend on. The bytes of the page must be in memory. */
void cs_check_page(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents);

/*
 * Decodes a resource like cs_nanite_decode. If `breaches` is not NULL (one list for each page, and
 * one more for breaches outside pages), decoding continues after a broken rule, and rules that it
 * does not depend on are checked too. *ret is NULL when the tables are too damaged to decode any
 * page.
 */
struct cs_error *cs_decode_contents(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_breaches *breaches, struct cs_nanite_contents **ret) CS_MUST_USE;

const char *cs_page_section_name(enum cs_page_section section);
/* Computes the unit vector of an octahedral code. */
void cs_nanite_normal(uint32_t code, float ret[3]);
