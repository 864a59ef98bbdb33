/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: what breaks the rules of resources, fixups, pages and all that lies in pages. */
#include "nanite/format/contents.h"
#include "tests/unit/nanite/nanite_spoil.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- resource ---- */

static void break_r1(const struct bench *b)
{
	b->r->n_info = 0;
}

static void break_r2(const struct bench *b)
{
	info_of(b)->root_pages = 2;
}

static void break_r3(const struct bench *b)
{
	state_of(b, 2)->bulk_offset = 0xfffffff0;
}

static void break_r4(const struct bench *b)
{
	state_of(b, 1)->first_dependency = 0xffffffff;
}

static void break_r5(const struct bench *b)
{
	EDIT(uint32_t, b->r->roots)[0] = 1;
}

static void break_r6(const struct bench *b)
{
	b->r->n_atlas = 5;
}

static void break_r11(const struct bench *b)
{
	((struct cs_nanite_coarse_triangle *)b->r->coarse_triangles)->material = 77;
}

static void break_r7(const struct bench *b)
{
	info_of(b)->position_precision++;
}

static void break_r8(const struct bench *b)
{
	b->r->n_dependencies++;
}

static void break_r9(const struct bench *b)
{
	info_of(b)->clusters++;
}

static void break_r9_bounds(const struct bench *b)
{
	info_of(b)->max[1] *= 2;
}

static void break_r9_colors(const struct bench *b)
{
	info_of(b)->flags ^= CS_NANITE_COLORS;
}

static void break_r9_material(const struct bench *b)
{
	EDIT(struct cs_nanite_section, b->r->sections)->material++;
}

static void break_r9_input(const struct bench *b)
{
	EDIT(struct cs_nanite_section, b->r->sections)->input_triangles++;
}

static void break_r9_triangles(const struct bench *b)
{
	EDIT(struct cs_nanite_section, b->r->sections)->triangles--;
}

static void break_r10(const struct bench *b)
{
	b->r->n_stream_bytes += 4;
}

/* ---- fixups ---- */

static void break_x1(const struct bench *b)
{
	cs_store16(copy_blob(b->r, 1) + 2, 0xffff);
}

static void break_x2(const struct bench *b)
{
	cs_store16(copy_blob(b->r, 1) + 6, 1);
}

static void break_x3(const struct bench *b)
{
	cs_store16(copy_blob(b->r, 1), (uint16_t)(b->views[1].n_clusters + 1));
}

static void break_x4(const struct bench *b)
{
	cs_store16(copy_blob(b->r, 1) + 2, 1024);
}

static void break_x5(const struct bench *b)
{
	cs_store32(hierarchy_fixup(b, 1, 0) + 8, 1000);
}

static void break_x6(const struct bench *b)
{
	cs_store32(hierarchy_fixup(b, 1, 0) + 12, 0u << 3 | 1);
}

/* The page gets one hierarchy fixup less, whose bytes become two more cluster fixups. */
static void break_x7(const struct bench *b)
{
	uint32_t page = page_with_fixups(b, 1), last = b->views[page].n_hierarchy - 1;
	unsigned char *chunk = copy_blob(b->r, page), *at = hierarchy_fixup(b, page, last);
	memcpy(at, cluster_fixup(b, page, 0), CS_CLUSTER_FIXUP);
	memcpy(at + CS_CLUSTER_FIXUP, cluster_fixup(b, page, 0), CS_CLUSTER_FIXUP);
	cs_store16(chunk + 2, (uint16_t)last);
	cs_store16(chunk + 4, (uint16_t)(b->views[page].n_leaves + 2));
}

static void break_x8(const struct bench *b)
{
	const struct cs_model_group *group = find_group(b, 2, 0);
	uint32_t page = part_of(b, group, 0)->page;
	/* the same part of the group in this page alone */
	for (uint32_t i = 0; i < b->views[page].n_hierarchy; i++)
		if (cs_load32(hierarchy_fixup(b, page, i)) != page) {
			add_to(hierarchy_fixup(b, page, i) + 4, 1);
			return;
		}
}

static void break_x9(const struct bench *b)
{
	uint32_t page = page_with_fixups(b, 2);
	memcpy(cluster_fixup(b, page, 1), cluster_fixup(b, page, 0), CS_CLUSTER_FIXUP);
}

static void break_x10(const struct bench *b)
{
	uint32_t page = page_with_dependencies(b, 1);
	state_of(b, page)->n_dependencies--;
}

void break_x11(const struct bench *b)
{
	uint32_t page = page_with_dependencies(b, 1);
	*dependency_of(b, b->r->pages[page].first_dependency) = page;
}

static void break_x12(const struct bench *b)
{
	uint32_t page = page_with_dependencies(b, 2);
	uint32_t first = b->r->pages[page].first_dependency;
	*dependency_of(b, first + 1) = *dependency_of(b, first);
}

static void break_x13(const struct bench *b)
{
	state_of(b, page_with_dependencies(b, 1))->n_dependencies = 0;
}

/* ---- page ---- */

static void break_p1(const struct bench *b)
{
	state_of(b, 1)->page_size++;
}

static void break_p2(const struct bench *b)
{
	cs_store32(page_of(b, 1) + 4 * CS_PAGE_N_CLUSTERS, 0);
}

static void break_p3(const struct bench *b)
{
	cs_store32(page_of(b, 1) + 4 * CS_PAGE_RAW_FLOAT4S, 1);
}

static void break_p4(const struct bench *b)
{
	add_to(page_of(b, 1) + 4 * CS_PAGE_DECODE_INFO, 4);
}

static void break_p5(const struct bench *b)
{
	add_to(page_of(b, 1) + 4 * CS_PAGE_GPU_SIZE, 16);
}

static void break_p6(const struct bench *b)
{
	cs_store32(page_of(b, 1) + 4 * CS_PAGE_UVS, 5);
}

static void break_p7(const struct bench *b)
{
	cs_store32(page_of(b, 1) + 4 * CS_PAGE_GPU_SIZE, 16);
}

static void break_p8(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, has_loose_positions);
	unsigned bits = c->position_bits[0] + c->position_bits[1] + c->position_bits[2];
	page_of(b, c->page)[b->views[c->page].plans[c->index].positions + (bits + 7) / 8 - 1] |=
		0x80;
}

static void break_p9(const struct bench *b)
{
	state_of(b, 1)->page_size = 262145;
}

/* ---- cluster ---- */

static void break_c1(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_TRIANGLES, 0);
}

static void break_c2(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_INDEX_OFFSET, packed(b, 1, 2, CS_PACKED_INDEX_OFFSET) + 4);
}

static void break_c3(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_INDEX_BITS, packed(b, 1, 2, CS_PACKED_INDEX_BITS) + 1);
}

static void break_c4(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_POSITION_BITS_Y, 22);
}

static void break_c5(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, ends_page_loosely);
	set_packed(b, c->page, c->index, CS_PACKED_ATTRIBUTE_BITS, c->attribute_bits + 1u);
}

static void break_c6(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_COLOR_MODE, CS_COLOR_CONSTANT);
}

static void break_c7(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_BOX_EXTENT_Y, 0xbf800000);
}

static void break_c8(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_BOX_CENTRE_Z, cs_bits_of_float(5000));
}

static void break_c9(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_EDGE_LENGTH, 0x7000);
}

void break_c10(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, is_no_leaf);
	set_packed(b, c->page, c->index, CS_PACKED_FLAGS, CS_CLUSTER_LEAF);
}

/*
 * Gives vertex 1 of the first cluster of a page the position of vertex 0; both are corners of its
 * first triangle.
 */
static void break_c11(const struct bench *b)
{
	unsigned char *at = page_of(b, 1) + b->views[1].plans[0].positions;
	const uint8_t *bits = b->c->clusters[row_of(b, 1)->first_cluster].position_bits;
	unsigned stride = (bits[0] + bits[1] + bits[2] + 7u) / 8;
	memcpy(at + stride, at, stride);
}

static void break_c12(const struct bench *b)
{
	/* the second cluster of a part of several */
	for (size_t i = 0; i < b->c->n_parts; i++) {
		const struct cs_model_part *part = &b->c->parts[i];
		const struct cs_model_cluster *c = &b->c->clusters[part->first_cluster + 1];
		if (part->n_clusters > 1) {
			set_packed(b, c->page, c->index, CS_PACKED_GROUP, c->group_number + 1);
			return;
		}
	}
}

static void break_c13(const struct bench *b)
{
	set_packed(b, 1, 2, CS_PACKED_PAD, 7);
}

/* ---- materials ---- */

static unsigned char *material_entry(const struct bench *b, unsigned i)
{
	const struct cs_model_cluster *c = find_cluster(b, is_slow);
	uint32_t offset = packed(b, c->page, c->index, CS_PACKED_MATERIALS) &
			  cs_bits_mask(CS_MATERIAL_OFFSET_BITS);
	uint32_t first = offset - 32 * b->views[c->page].n_clusters;
	return page_of(b, c->page) + b->views[c->page].materials + 4 * (first + i);
}

static void break_c13_entry(const struct bench *b)
{
	cs_store32(material_entry(b, 1), cs_load32(material_entry(b, 1)) | 1u << 31);
}

static bool has_one_material(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return c->n_materials == 1;
}

/* A cluster of one range names a material of a second one. */
static void break_c13_fast(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, has_one_material);
	set_packed(b, c->page, c->index, CS_PACKED_MATERIALS,
		packed(b, c->page, c->index, CS_PACKED_MATERIALS) | 1u << CS_MATERIAL_INDEX_BITS);
}

/* The only range of a cluster ends early; the triangle left is in the third. */
static void break_m1_fast(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, has_one_material);
	set_packed(b, c->page, c->index, CS_PACKED_MATERIALS,
		packed(b, c->page, c->index, CS_PACKED_MATERIALS) - (1u << CS_MATERIAL_LENGTH_0));
}

static void break_m1(const struct bench *b)
{
	add_to(material_entry(b, 1), 1u << CS_ENTRY_LENGTH);
}

static void break_m2(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, is_slow);
	add_to(packed_word(b, c->page, c->index, CS_PACKED_MATERIALS), 5000);
}

static void break_m3(const struct bench *b)
{
	uint32_t entry = cs_load32(material_entry(b, 1));
	cs_store32(material_entry(b, 1), entry | 63u << CS_ENTRY_MATERIAL);
}

static void break_m4(const struct bench *b)
{
	uint32_t first = cs_load32(material_entry(b, 0)), second = cs_load32(material_entry(b, 1));
	cs_store32(material_entry(b, 1), (second & 0xffff) | (first & 0x3f0000));
}

/* ---- strips ---- */

static unsigned char *strip_mask(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_strip_mask kind)
{
	return page_of(b, page) + b->views[page].masks + CS_STRIP_MASKS * cluster + 4 * kind;
}

static void break_s1(const struct bench *b)
{
	/* its clusters have less than 128 triangles */
	unsigned char *last = strip_mask(b, 0, 0, CS_STRIP_LEFT) + 3 * 12;
	cs_store32(last, cs_load32(last) | 0x80000000);
}

static void break_s2(const struct bench *b)
{
	unsigned char *word = strip_mask(b, 1, 2, CS_STRIP_START);
	cs_store32(word, cs_load32(word) & ~1u);
}

static void break_s3(const struct bench *b)
{
	page_of(b, 1)[b->views[1].plans[2].codes] |= 31;
}

static void break_s4(const struct bench *b)
{
	add_to(cluster_word(b, 1, 2, CS_CLUSTER_PREVIOUS_NEW), 1);
}

static void break_s5(const struct bench *b)
{
	add_to(cluster_word(b, 1, 2, CS_CLUSTER_INDEX_DATA), 1);
}

static bool strip_bit(const struct bench *b, unsigned triangle, enum cs_strip_mask kind)
{
	const unsigned char *word = strip_mask(b, 0, 0, kind) + triangle / 32 * 12;
	return cs_load32(word) >> triangle % 32 & 1;
}

/*
 * A step that follows one which issued its head refers to that head, so that two of its corners are
 * one vertex.
 */
static void break_s6(const struct bench *b)
{
	unsigned n_codes = 0;
	for (unsigned t = 0;; t++) {
		bool start = strip_bit(b, t, CS_STRIP_START);
		bool reference = strip_bit(b, t, CS_STRIP_REFERENCE);
		if (!start && reference && !strip_bit(b, t - 1, CS_STRIP_START) &&
			!strip_bit(b, t - 1, CS_STRIP_REFERENCE))
			break;
		n_codes += reference + (start ? 2u * strip_bit(b, t, CS_STRIP_LEFT) : 0);
	}
	unsigned char *codes = page_of(b, 0) + b->views[0].plans[0].codes;
	for (unsigned bit = n_codes * 5; bit < n_codes * 5 + 5; bit++)
		codes[bit / 8] &= (unsigned char)~(1u << bit % 8);
}

static void break_s7(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, has_loose_codes);
	const struct cs_cluster_plan *plan = &b->views[c->page].plans[c->index];
	page_of(b, c->page)[plan->codes + plan->code_bytes - 1] |= 0x80;
}

/* ---- vertices ---- */

static void break_v1(const struct bench *b)
{
	page_of(b, 1)[b->views[1].reference_masks + CS_REFERENCE_MASK * 2 + 31] |= 0x80;
}

static void break_v2(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, has_references);
	const struct cs_cluster_plan *plan = &b->views[c->page].plans[c->index];
	page_of(b, c->page)[plan->references + 2 * plan->n_references] = 255;
}

static void break_v3(const struct bench *b)
{
	add_to(cluster_word(b, 1, 2, CS_CLUSTER_POSITIONS), 4);
}

static void break_v4(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, has_outer_references);
	set_packed(b, c->page, c->index, CS_PACKED_START_X, (uint32_t)c->start[0] + 1);
}

static void break_v5(const struct bench *b)
{
	cs_store32(page_of(b, 1) + b->views[1].decode_info + 8, 0x7fc00000);
}

static void break_v6(const struct bench *b)
{
	unsigned char *at = page_of(b, 1) + b->views[1].plans[0].attributes;
	at[0] = at[1] = 0;
	at[2] &= 0xfc;
}

static void break_v7(const struct bench *b)
{
	const struct cs_model_cluster *c = &b->c->clusters[row_of(b, 1)->first_cluster];
	unsigned char *at = page_of(b, 1) + b->views[1].plans[0].attributes;
	unsigned stride = (c->attribute_bits + 7u) / 8;
	break_c11(b);
	memcpy(at + stride, at, stride);
}

/* ---- all of them ---- */

const struct rule_break page_breaks[] = {
	{"R1", break_r1, TORUS},
	{"R2", break_r2, TORUS},
	{"R3", break_r3, TORUS},
	{"R4", break_r4, TORUS},
	{"R5", break_r5, TORUS},
	{"R6", break_r6, TORUS},
	{"R7", break_r7, TORUS},
	{"R8", break_r8, TORUS},
	{"R9", break_r9, TORUS},
	{"R9", break_r9_bounds, TORUS},
	{"R9", break_r9_colors, TORUS},
	{"R9", break_r9_material, TORUS},
	{"R9", break_r9_input, TORUS},
	{"R9", break_r9_triangles, TORUS},
	{"R10", break_r10, TORUS},
	{"R11", break_r11, TORUS},
	{"X1", break_x1, TORUS},
	{"X2", break_x2, TORUS},
	{"X3", break_x3, TORUS},
	{"X4", break_x4, TORUS},
	{"X5", break_x5, TORUS},
	{"X6", break_x6, TORUS},
	{"X7", break_x7, TORUS},
	{"X8", break_x8, TORUS},
	{"X9", break_x9, TORUS},
	{"X10", break_x10, TORUS},
	{"X11", break_x11, TORUS},
	{"X12", break_x12, TORUS},
	{"X13", break_x13, TORUS},
	{"P1", break_p1, TORUS},
	{"P2", break_p2, TORUS},
	{"P3", break_p3, TORUS},
	{"P4", break_p4, TORUS},
	{"P5", break_p5, TORUS},
	{"P6", break_p6, TORUS},
	{"P7", break_p7, TORUS},
	{"P8", break_p8, TORUS},
	{"P9", break_p9, TORUS},
	{"C1", break_c1, TORUS},
	{"C2", break_c2, TORUS},
	{"C3", break_c3, TORUS},
	{"C4", break_c4, TORUS},
	{"C5", break_c5, TORUS},
	{"C6", break_c6, TORUS},
	{"C7", break_c7, TORUS},
	{"C8", break_c8, TORUS},
	{"C9", break_c9, TORUS},
	{"C10", break_c10, TORUS},
	{"C11", break_c11, TORUS},
	{"C12", break_c12, TORUS},
	{"C13", break_c13, TORUS},
	{"C13", break_c13_entry, TORUS},
	{"C13", break_c13_fast, PLAIN},
	{"M1", break_m1_fast, PLAIN},
	{"M1", break_m1, TORUS},
	{"M2", break_m2, TORUS},
	{"M3", break_m3, TORUS},
	{"M4", break_m4, TORUS},
	{"S1", break_s1, SOUP},
	{"S2", break_s2, TORUS},
	{"S3", break_s3, TORUS},
	{"S4", break_s4, TORUS},
	{"S5", break_s5, TORUS},
	{"S6", break_s6, PLAIN},
	{"S7", break_s7, SOUP},
	{"V1", break_v1, TORUS},
	{"V2", break_v2, TORUS},
	{"V3", break_v3, TORUS},
	{"V4", break_v4, TORUS},
	{"V5", break_v5, TORUS},
	{"V6", break_v6, TORUS},
	{"V7", break_v7, TORUS},
	{NULL, NULL, TORUS},
};
