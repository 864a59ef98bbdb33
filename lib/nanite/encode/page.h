/* SPDX-License-Identifier: Apache-2.0 */
/* Writing pages: the declarations that the files of this phase share. */
#pragma once

#include "nanite/encode/encode.h"
#include "nanite/format/keys.h"

/*
 * Finds which vertices of a page are references. Each thread has one, which it uses for one page
 * after another.
 */
struct cs_references {
	struct cs_keys given;     /* coded vertices with their values in the mesh */
	uint32_t *coded_of_given; /* for each number in `given`, its number among the coded */
	/* values to which the coded vertices decode, by number among the coded */
	struct cs_keys decoded;
	struct cs_keys own; /* values to which the vertices of the cluster would decode */
	uint32_t *address;  /* for each coded vertex, the reference to it */
	/* for each vertex of the page, the reference, or CS_NONE if it is coded */
	uint32_t *target;
	uint16_t n_coded[CS_PAGE_CLUSTERS];
};

/*
 * Allocates memory for pages of at most `most` vertices. Returns false without memory. The caller
 * calls deinit in both cases.
 */
bool cs_references_init(struct cs_references *references, uint32_t most, unsigned n_uvs);
void cs_references_deinit(struct cs_references *references);
void cs_references_resolve(
	const struct cs_encoder *encoder, uint32_t page, struct cs_references *references);

/* Where the sections of a page begin, in bytes. */
struct cs_page_layout {
	uint32_t planes, materials, decode_info, codes, masks, reference_masks, references,
		positions, attributes, end;
};

struct cs_page_layout cs_page_lay_out(
	const struct cs_encoder *encoder, uint32_t page, const struct cs_references *references);
/* Writes a page into zeroed bytes, layout->end of them. */
void cs_page_write(const struct cs_encoder *encoder, uint32_t page,
	const struct cs_page_layout *layout, const struct cs_references *references,
	unsigned char *bytes);
/*
 * Bytes of memory after a page: the last vertices are read by words of 4 bytes, which may begin in
 * the last byte of the page.
 */
enum { CS_PAGE_SLACK = 4 };
/* Writes the dense form of a page, which is no larger than the page. Returns its size in bytes. */
uint32_t cs_page_write_dense(const struct cs_encoder *encoder, uint32_t page,
	const struct cs_page_layout *layout, const struct cs_references *references,
	const unsigned char *bytes, unsigned char *dense);

static inline const struct cs_coded_cluster *cs_part_cluster(
	const struct cs_encoder *encoder, const struct cs_part *part, uint32_t i)
{
	return encoder->clusters[encoder->children[part->first_child + i]];
}
