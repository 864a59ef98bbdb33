/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the decoder. It shares constants and bits with the encoder, but no code.
 *
 * A page is decoded in three steps. Opening it finds its chunk and its bytes. Planning reads the
 * headers of all clusters and computes the place of every item: a page that passes is safe to read.
 * Decoding fills the arrays of the contents, cluster by cluster. Pages do not depend on each other.
 */
#pragma once

#include "core/cursor.h"
#include "core/half.h"
#include "nanite/format/contents.h"
#include "nanite/format/format.h"
#include "nanite/format/format_rules.h"
#include "nanite/format/resource.h"

/* The facts about a cluster that planning finds. */
struct cs_cluster_plan {
	struct cs_packed_cluster packed;
	struct cs_model_cluster row; /* what the packed form and the strip say */
	uint32_t n_references;
	uint32_t codes, references, positions, attributes; /* offsets in the page, in bytes */
	uint32_t code_bytes;
};

struct cs_page_view {
	uint32_t page;
	const unsigned char *chunk; /* fixup chunk, in the memory of the resource */
	uint32_t chunk_size, n_hierarchy, n_leaves, blob_size;
	unsigned char *bytes; /* decompressed page, owned by the view; zeros follow the last byte */
	uint32_t size;
	uint32_t n_clusters, n_uvs, gpu_size, n_material_words;
	uint32_t planes, materials, decode_info, codes, masks, reference_masks, references,
		positions, attributes;              /* offsets where the sections begin, in bytes */
	struct cs_cluster_plan *plans;              /* owned by the view */
	uint32_t n_vertices, n_triangles, n_ranges; /* sums over all clusters */
	struct cs_breaches breaches;
	bool reference_planes; /* whether references lie in planes (flag CS_NANITE_PLANES) */
	bool planned;          /* the page is safe to decode */
	float half_unit;       /* value of a half of 1 in errors and edges, in units of the mesh */
};

/* Where the items of a page begin in the arrays of the contents. */
struct cs_page_base {
	uint32_t cluster, vertex, triangle, range;
};

/*
 * Finds the fixup chunk and the bytes of a page. Returns false when a rule is broken or memory is
 * short.
 */
bool cs_page_open(const struct cs_nanite *resource, uint32_t page, struct cs_page_view *ret);
/*
 * Reads the headers of the page and of all clusters, and computes offsets. Returns whether the page
 * is safe to decode.
 */
bool cs_page_plan(struct cs_page_view *view);
/* Decodes a page into the contents. A cluster that cannot be decoded is marked. */
void cs_page_decode(struct cs_page_view *view, const struct cs_page_base *base,
	struct cs_nanite_contents *contents);
void cs_page_close(struct cs_page_view *view);
/*
 * Reads the page header and computes where the sections up to the references begin. Returns whether
 * they are within the page.
 */
bool cs_page_plan_sections(struct cs_page_view *view);
/*
 * Fills in what the words of a packed cluster say, in the layout of any version, all but the step
 * of the grid. A half of 1 is `half_unit` in units of the mesh.
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

/* Reads the words of a cluster from planes, each of which has 16 bytes of every cluster. */
static inline void cs_packed_words(const unsigned char *planes, uint32_t n_planes,
	uint32_t n_clusters, uint32_t cluster, uint32_t *ret)
{
	const unsigned char *at = planes + (size_t)CS_PACKED_PLANE * cluster;
	for (uint32_t k = 0; k < n_planes; k++, at += (size_t)CS_PACKED_PLANE * n_clusters)
		for (uint32_t w = 0; w < CS_PACKED_PLANE / 4; w++)
			*ret++ = cs_load32(at + 4 * (size_t)w);
}

/* Returns the bits of a coded position. */
static inline uint32_t cs_position_bits(const struct cs_model_cluster *cluster)
{
	return (uint32_t)cluster->position_bits[0] + cluster->position_bits[1] +
	       cluster->position_bits[2];
}

/* Bytes or offsets of the data of clusters in GPU memory, which are whole words. */
struct cs_gpu_bytes {
	uint32_t index, position, attribute;
};

/* Adds the data of a cluster, whose base indices have that many bits. */
static inline void cs_gpu_advance(
	struct cs_gpu_bytes *at, const struct cs_model_cluster *cluster, uint32_t index_bits)
{
	const uint32_t triangle = index_bits + 2 * CS_STRIP_CODE_BITS;
	at->index += (cluster->n_triangles * triangle + 31) / 32 * 4;
	at->position += (cluster->n_vertices * cs_position_bits(cluster) + 31) / 32 * 4;
	at->attribute += (cluster->n_vertices * cluster->attribute_bits + 31) / 32 * 4;
}

/* Reads the packed form of a cluster. */
void cs_page_packed(
	const struct cs_page_view *view, uint32_t cluster, struct cs_packed_cluster *ret);
/*
 * Makes the bytes of the view from the dense form of the page, or copies the page itself when the
 * stored bytes have its size. Returns false when a rule is broken that the conversion relies on.
 */
bool cs_page_read_dense(struct cs_page_view *view, const unsigned char *bytes, uint32_t size);

/* Returns the offset of a page in the file, or CS_NO_OFFSET. */
uint64_t cs_page_offset(const struct cs_nanite *resource, uint32_t page);
/* Returns a word of the header of a cluster. */
uint32_t cs_page_cluster_word(
	const struct cs_page_view *view, uint32_t cluster, enum cs_cluster_word word);

/*
 * Decodes the material ranges of a cluster, at most CS_CLUSTER_TRIANGLES. Returns their count, or 0
 * when they are outside the material table of the page.
 */
uint32_t cs_decode_materials(const struct cs_page_view *view, uint32_t cluster,
	struct cs_breaches *breaches, struct cs_model_material *ret);
/*
 * Returns reference r of a cluster of a planned page: cluster << 8 | index among its coded
 * vertices.
 */
uint32_t cs_page_reference(const struct cs_page_view *view, uint32_t cluster, uint32_t r);
/* A strip as a page stores it, the counts of its masks, and the state of reading it. */
struct cs_stored_strip {
	/* mask words, and strip codes; 8 bytes can be read from the last code on */
	const unsigned char *masks, *codes;
	uint32_t n_triangles, n_codes, n_starts;
	uint32_t issued;                           /* number of vertices issued so far */
	uint32_t references_before, issued_before; /* counts before triangles 32, 64 and 96 */
};

/*
 * Counts codes and starts. Returns the first of triangles 0, 32, 64 and 96 that is no start, or
 * CS_NONE.
 */
uint32_t cs_count_strip(struct cs_stored_strip *strip);
/*
 * Decodes the corners of the triangles, the smallest first. Returns false when a code counts back
 * too far, or more than CS_CLUSTER_VERTICES vertices are issued.
 */
bool cs_read_strip(struct cs_stored_strip *strip, uint8_t *corners_ret);
/* Decodes the strip of a cluster in our own layout. Returns false when the strip is broken. */
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

/* Finds parts, groups and levels from hierarchy, fixups and clusters. */
struct cs_error *cs_link_contents(
	struct cs_nanite_contents *contents, struct cs_breaches *breaches) CS_MUST_USE;

/* The rows of a resource that refer to each other, whoever wrote it. Level 0 is the finest. */
struct cs_links {
	struct cs_model_page *pages;
	struct cs_model_cluster *clusters;
	const struct cs_model_fixup *fixups;
	size_t n_pages, n_clusters, n_fixups;
	bool far_parts; /* a part may be named by another page than its own alone */
	bool by_part;   /* groups come in the order of their parts, instead of their numbers */
	/* Sets sphere, errors and pages of a group from a slot that a fixup names. */
	void (*read_slot)(const void *context, uint32_t slot, struct cs_model_group *ret);
	const void *context;
	/* The results. There is room for as many parts and groups as clusters. */
	struct cs_model_part *parts;
	struct cs_model_group *groups;
	uint32_t *group_parts, *parents; /* from malloc */
	size_t n_parts, n_groups, n_parents;
	uint32_t n_levels;
	size_t n_circling; /* groups in a cycle or above one, whose level is not known */
};

/*
 * Finds parts, groups, and the group that each cluster was simplified from. Returns false without
 * memory.
 */
bool cs_link_groups(struct cs_links *links, struct cs_breaches *breaches);
/* Computes the levels of linked groups. Returns false without memory. */
bool cs_link_levels(struct cs_links *links);

/* The most nodes on a path from a root. */
enum { CS_TREE_DEPTH = 64 };

/*
 * Counts the nodes on the longest path from a root, or 0 when the hierarchy cannot be traversed.
 */
struct cs_error *cs_check_tree(const struct cs_nanite *resource, struct cs_breaches *breaches,
	uint32_t *depth_ret) CS_MUST_USE;

/* Checks the rules that decoding doesn't need, while the bytes of the page are in memory. */
void cs_check_page(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents);

/*
 * Works as cs_nanite_decode does. With `breaches` (one list for each page, and one more for
 * breaches outside pages) it continues after a broken rule, and also checks the rules that decoding
 * doesn't need; *ret is NULL when the tables don't allow any page to be decoded.
 */
struct cs_error *cs_decode_contents(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_breaches *breaches, struct cs_nanite_contents **ret) CS_MUST_USE;

const char *cs_page_section_name(enum cs_page_section section);
/* Computes the unit vector of an octahedral code. */
void cs_nanite_normal(uint32_t code, float ret[3]);
