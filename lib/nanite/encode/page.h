/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files that write pages. */
#pragma once

#include "nanite/encode/encode.h"
#include "nanite/format/keys.h"

/* State of finding which vertices of a page are references. Each thread has one state. */
struct cs_references {
	/*
	 * hash table, by values before quantisation, of the page's coded vertices. The page stores
	 * the values of a coded vertex, but not those of a reference
	 */
	struct cs_keys given;
	/* for each key of `given`, the index of its coded vertex */
	uint32_t *coded_of_given;
	/* hash table of coded vertices by decoded values. Key i belongs to coded vertex i */
	struct cs_keys decoded;
	/* hash table of the current cluster's vertices, by the values to which they would decode */
	struct cs_keys own;
	/*
	 * for each coded vertex, its cluster and its index in the cluster, packed in the form of
	 * references
	 */
	uint32_t *address;
	/*
	 * for each vertex, the `address` of the coded vertex that it refers to, or CS_NONE if the
	 * vertex is itself coded
	 */
	uint32_t *target;
	uint16_t n_coded[CS_PAGE_CLUSTERS];
};

/*
 * Allocates memory for up to `most` vertices. Returns false when memory runs out.
 * cs_references_deinit must be called also then.
 */
bool cs_references_init(struct cs_references *references, uint32_t most, unsigned n_uvs);
void cs_references_deinit(struct cs_references *references);
void cs_references_resolve(
	const struct cs_encoder *encoder, uint32_t page, struct cs_references *references);

/* Offsets of the sections in a page, in bytes. `end` is the size of the page. */
struct cs_page_layout {
	uint32_t planes, materials, decode_info, codes, masks, reference_masks, references,
		positions, attributes, end;
};

struct cs_page_layout cs_page_lay_out(
	const struct cs_encoder *encoder, uint32_t page, const struct cs_references *references);
/* Writes a page into layout->end bytes, which must be 0 before. */
void cs_page_write(const struct cs_encoder *encoder, uint32_t page,
	const struct cs_page_layout *layout, const struct cs_references *references,
	unsigned char *bytes);
/* Bytes to allocate after a page, because a 4-byte word may be read from its last byte on. */
enum { CS_PAGE_SLACK = 4 };
/*
 * Writes the dense form of a page, which is never larger than the page. Returns its size in bytes.
 */
uint32_t cs_page_write_dense(const struct cs_encoder *encoder, uint32_t page,
	const struct cs_page_layout *layout, const struct cs_references *references,
	const unsigned char *bytes, unsigned char *dense);

/* Returns the number of bits of a coded vertex's position, or of its attributes. */
static inline uint32_t cs_vertex_bits(const struct cs_coded_cluster *cluster, bool attributes)
{
	return attributes ? cluster->attribute_bits
			  : (uint32_t)cluster->position_bits[0] + cluster->position_bits[1] +
				    cluster->position_bits[2];
}

static inline const struct cs_coded_cluster *cs_part_cluster(
	const struct cs_encoder *encoder, const struct cs_part *part, uint32_t i)
{
	return encoder->clusters[encoder->children[part->first_child + i]];
}
