/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a Nanite resource in the layout of UE5 Early Access, for encoder, decoder and
 * checks. All integers are little-endian.
 *
 * A page blob is a fixup chunk (never compressed) and the page (an LZ4 block). A page contains the
 * parts of groups that were assigned to it, cluster after cluster, in these sections:
 *
 *	page header            7 words
 *	cluster headers        6 words each
 *	packed clusters        8 planes of 16 bytes each: plane k has bytes 16k.. of every cluster
 *	material table         words, padded to 16 bytes
 *	UV ranges              32 bytes for each cluster and channel
 *	strip codes            5 bits for each referenced vertex, whole bytes for each cluster;
 *	                       the section is padded to 4
 *	strip masks            12 words each: for each 32 triangles start, left, reference
 *	reference masks        256 bits each: the vertex is a reference
 *	references             4 bytes each, only to an earlier vertex of the page: its index
 *	                       among the coded vertices of its cluster, and how many clusters
 *	                       back that cluster is (3 bytes); for each cluster all first
 *	                       bytes, then all second ones and so on, which LZ4 compresses to
 *	                       half. Without the flag reference_planes: a word each,
 *	                       cluster << 8 | index
 *	positions              coded vertices, whole bytes each, padded to 4 for each cluster
 *	attributes             coded vertices, whole bytes each, padded to 4 for each cluster
 *
 * A hierarchy node is stored as struct cs_nanite_node: 8 spheres, 8 times box centre and errors,
 * 8 times box extent and child, 8 page ranges.
 *
 * With the flag dense_pages an LZ4 block may contain the dense form of the page instead
 * (nanite/format/dense.h), which a reader converts to the page.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	CS_PAGE_DISK_BYTES = 1 << 18,
	CS_PAGE_CLUSTERS = 1024,
	/* a page has fewer hierarchy fixups than this, and fewer leaf fixups than this */
	CS_PAGE_FIXUPS = 1024,
	CS_MAX_PAGES = 1 << 20,
	CS_ROOT_PAGES = 1,
	CS_GROUP_CLUSTERS = 511,
	CS_GROUP_PAGES = 7,
	CS_NODE_SLOTS = 8,
	CS_STRIP_WINDOW = 32, /* largest number of vertices that a strip code can go back */
	CS_STRIP_GROUP = 32,  /* number of triangles whose bits share a word of a strip mask */
	CS_STRIP_CODE_BITS = 5,
	/* with the flag grid_halves, the half float 1 means 2^7 grid steps */
	CS_HALF_STEPS = 7,
	/* highest precision without grid_halves, because 2^-14 is the smallest normal half float */
	CS_HALF_PRECISION = 14,
	CS_NORMAL_BITS = 9,
	CS_POSITION_BITS = 21,
	CS_UV_BITS = 12,
	CS_UV_FIELD_BITS = 15,
	CS_FAST_MATERIALS = 3, /* number of material ranges that fit into a packed cluster */
	CS_ATLAS_TILES = 12,   /* number of tiles along each side of the imposter atlas */
	CS_ATLAS_PIXELS = 12,  /* number of pixels along each side of a tile */
	CS_ATLAS_SIZE = CS_ATLAS_TILES * CS_ATLAS_TILES * CS_ATLAS_PIXELS * CS_ATLAS_PIXELS,
};

/* sizes in bytes */
enum {
	CS_PAGE_HEADER = 28,
	CS_CLUSTER_HEADER = 24,
	CS_PACKED_CLUSTER = 128,
	CS_PACKED_PLANE = 16,
	CS_UV_RANGE = 32,
	CS_STRIP_MASKS = 48,
	CS_REFERENCE_MASK = 32,
	CS_FIXUP_HEADER = 8,
	CS_HIERARCHY_FIXUP = 16,
	CS_CLUSTER_FIXUP = 8,
};

enum cs_page_word {
	CS_PAGE_GPU_SIZE,
	CS_PAGE_N_CLUSTERS,
	CS_PAGE_RAW_FLOAT4S,
	CS_PAGE_UVS,
	CS_PAGE_DECODE_INFO,
	CS_PAGE_STRIP_MASKS,
	CS_PAGE_REFERENCE_MASKS,
};

enum cs_cluster_word {
	CS_CLUSTER_INDEX_DATA,
	CS_CLUSTER_REFERENCES,
	CS_CLUSTER_POSITIONS,
	CS_CLUSTER_ATTRIBUTES,
	CS_CLUSTER_PREVIOUS_REFERENCES,
	CS_CLUSTER_PREVIOUS_NEW,
};

enum cs_strip_mask { CS_STRIP_START, CS_STRIP_LEFT, CS_STRIP_REFERENCE, CS_STRIP_MASK_KINDS };
enum cs_color_mode { CS_COLOR_WHITE, CS_COLOR_CONSTANT, CS_COLOR_VARIABLE };

#define CS_CLUSTER_LEAF 1u
/* child number of a leaf slot in a file, where no page counts as loaded */
#define CS_NOT_LOADED   UINT32_MAX
#define CS_INNER_SLOT   UINT32_MAX /* value of the page range of a slot that has a child node */

/* ---- packed clusters ---- */

enum cs_packed {
#define CS_PACKED(name, word, shift, width, doc) CS_PACKED_##name,
#include "nanite/format/packed_cluster.def"
#undef CS_PACKED
	CS_PACKED_COUNT
};

/* A field of a struct: its value is the `width` bits of a word from bit `shift` on, plus `bias`. */
struct cs_packed_field {
	uint8_t word, shift, width;
	int8_t bias;
};

static const struct cs_packed_field cs_packed_fields[CS_PACKED_COUNT] = {
#define CS_PACKED(name, word, shift, width, doc) {word, shift, width, 0},
#include "nanite/format/packed_cluster.def"
#undef CS_PACKED
};

/* A cluster as 32 words in the byte order of the machine. */
struct cs_packed_cluster {
	uint32_t words[CS_PACKED_CLUSTER / 4];
};

static inline uint32_t cs_bits_mask(unsigned width)
{
	return width >= 32 ? UINT32_MAX : (1u << width) - 1;
}

/* Returns the value of a field, given the word that contains it. */
static inline uint32_t cs_field_value(struct cs_packed_field field, uint32_t word)
{
	return (uint32_t)((int32_t)(word >> field.shift & cs_bits_mask(field.width)) + field.bias);
}

/* Returns a field of a packed cluster, given the layout of the version that wrote it. */
static inline uint32_t cs_packed_at(
	const struct cs_packed_field *fields, const uint32_t *words, unsigned field)
{
	return cs_field_value(fields[field], words[fields[field].word]);
}

static inline uint32_t cs_packed_get(const struct cs_packed_cluster *cluster, enum cs_packed field)
{
	return cs_packed_at(cs_packed_fields, cluster->words, field);
}

/* Sets a field, which must be 0 before. Drops bits of the value beyond the width of the field. */
static inline void cs_packed_set(
	struct cs_packed_cluster *cluster, enum cs_packed field, uint32_t value)
{
	const struct cs_packed_field packed_field = cs_packed_fields[field];
	cluster->words[packed_field.word] |= (value & cs_bits_mask(packed_field.width))
					     << packed_field.shift;
}

static inline float cs_packed_float(const struct cs_packed_cluster *cluster, enum cs_packed field)
{
	float value;
	memcpy(&value, &cluster->words[cs_packed_fields[field].word], sizeof(value));
	return value;
}

static inline void cs_packed_set_float(
	struct cs_packed_cluster *cluster, enum cs_packed field, float value)
{
	memcpy(&cluster->words[cs_packed_fields[field].word], &value, sizeof(value));
}

/* ---- words that contain several fields ---- */

/*
 * A material word below this value contains three ranges (fast form). From this value on it refers
 * to entries of the page's material table (slow form).
 */
#define CS_MATERIAL_SLOW 0xfe000000u
enum {
	CS_MATERIAL_INDEX_BITS = 6,
	/* shift of the length of the first range. The length minus 1 is stored */
	CS_MATERIAL_LENGTH_0 = 18,
	CS_MATERIAL_LENGTH_1 = 25,
	CS_MATERIAL_LENGTH_BITS = 7,
	CS_MATERIAL_OFFSET_BITS = 19,
	CS_MATERIAL_COUNT = 19, /* shift of the number of table entries, which is stored minus 1 */
	CS_MATERIAL_COUNT_BITS = 6,
	/* table entry: shift of the range's length. The lower bits contain its first triangle */
	CS_ENTRY_LENGTH = 8,
	CS_ENTRY_MATERIAL = 16,
};

/*
 * A word stores counts of references, or of new vertices, before triangles 32, 64 and 96, with 10
 * bits for each count.
 */
enum { CS_PREVIOUS_BITS = 10 };

enum {
	/*
	 * reference: from this bit on, the number of clusters that it leads back. The lower bits
	 * are the index of a coded vertex of that cluster
	 */
	CS_REFERENCE_CLUSTER = 8,
	/* fixup: shift of the node number. The lower bits contain the slot number */
	CS_FIXUP_NODE = 6,
	CS_FIXUP_CLUSTER_BITS = 10,
	CS_FIXUP_PAGES_BITS = 3,
	CS_SLOT_SIZE_BITS = 9,
	CS_SLOT_PAGES = 9,       /* slot: shift of the number of pages */
	CS_SLOT_FIRST_PAGE = 12, /* slot: shift of the index of the first page */
	/* atlas pixel: shift of the cluster number. The lower bits contain the triangle number */
	CS_ATLAS_CLUSTER = 7,
	CS_ATLAS_DEPTH = 8,
};

/*
 * Returns the length, in units of the mesh, that the half float 1 means with the flag grid_halves:
 * 2^7 grid steps. The largest half float then means about four times the size of the grid.
 */
static inline float cs_grid_half_unit(int precision)
{
	return ldexpf(1, CS_HALF_STEPS - precision);
}

static inline uint32_t cs_align(uint32_t size, uint32_t alignment)
{
	return (size + alignment - 1) / alignment * alignment;
}

/*
 * Returns the size in bytes of n coded vertices. Each has `bits` bits and is padded to whole bytes,
 * and their sum is padded to a multiple of 4.
 */
static inline uint32_t cs_coded_bytes(uint32_t n, uint32_t bits)
{
	return cs_align(n * ((bits + 7) / 8), 4);
}

/* Returns how many bits number `values` values: ceil(log2(values)), and 0 for 0 and 1 values. */
static inline unsigned cs_bits_for(uint32_t values)
{
	return values <= 1 ? 0 : 32 - (unsigned)__builtin_clz(values - 1);
}

/* Removes the root pages, which are always loaded, from a range of pages. */
static inline void cs_trim_root_pages(uint32_t *first, uint32_t *count)
{
	if (*first >= CS_ROOT_PAGES)
		return;
	uint32_t cut = CS_ROOT_PAGES - *first < *count ? CS_ROOT_PAGES - *first : *count;
	*first += cut;
	*count -= cut;
}
