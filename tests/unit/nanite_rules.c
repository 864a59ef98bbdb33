/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the rules: for each one a resource that breaks it and nothing else before it, and the
 * finding that must come. What is fatal must end strict decoding with its name as well.
 */
#include "tests/tap.h"
#include "tests/unit/nanite_copy.h"
#include "tests/unit/soup_dag.h"
#include "tests/unit/torus_dag.h"

#include "base/cursor.h"
#include "base/half.h"
#include "nanite/bits.h"

#include <inttypes.h>

/* The resource to spoil, with what the decoder knew of it when it was whole. */
struct bench {
	struct cs_nanite *r;
	const struct cs_nanite_contents *c;
	struct cs_page_view *views;
};

#define EDIT(type, pointer) ((type *)(uintptr_t)(pointer))

static struct cs_nanite_info *info_of(const struct bench *b)
{
	return EDIT(struct cs_nanite_info, b->r->info);
}

static struct cs_nanite_page_state *state_of(const struct bench *b, uint32_t page)
{
	return EDIT(struct cs_nanite_page_state, &b->r->pages[page]);
}

static struct cs_nanite_node *node_of(const struct bench *b, uint32_t node)
{
	return EDIT(struct cs_nanite_node, &b->r->nodes[node]);
}

static uint32_t *dependency_of(const struct bench *b, uint32_t i)
{
	return EDIT(uint32_t, &b->r->dependencies[i]);
}

/* Pages are stored raw here. */
static unsigned char *page_of(const struct bench *b, uint32_t page)
{
	return copy_blob(b->r, page) + b->views[page].chunk_size;
}

static void add_to(unsigned char *word, uint32_t more)
{
	cs_store32(word, cs_load32(word) + more);
}

/* The word of a packed cluster in its plane. */
static unsigned char *packed_word(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field)
{
	unsigned word = cs_packed_fields[field].word;
	size_t plane = word / 4 * (size_t)b->views[page].n_clusters + cluster;
	return page_of(b, page) + b->views[page].planes + plane * 16 + word % 4 * 4;
}

static void set_packed(const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field,
	uint32_t value)
{
	unsigned char *word = packed_word(b, page, cluster, field);
	uint32_t mask = cs_bits_mask(cs_packed_fields[field].width);
	unsigned shift = cs_packed_fields[field].shift;
	cs_store32(word, (cs_load32(word) & ~(mask << shift)) | (value & mask) << shift);
}

static uint32_t packed(const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field)
{
	return cs_packed_get(&b->views[page].plans[cluster].packed, field);
}

static unsigned char *cluster_word(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_cluster_word word)
{
	return page_of(b, page) + CS_PAGE_HEADER + CS_CLUSTER_HEADER * cluster + 4 * word;
}

/* ---- finding a place to break something ---- */

static const struct cs_nanite_page *row_of(const struct bench *b, uint32_t page)
{
	return &b->c->pages[page];
}

/* A page with at least n cluster fixups, behind the root. */
static uint32_t page_with_fixups(const struct bench *b, uint32_t n)
{
	for (uint32_t page = 1; page < b->c->n_pages; page++)
		if (row_of(b, page)->n_cluster_fixups >= n)
			return page;
	abort();
}

static uint32_t page_with_dependencies(const struct bench *b, uint32_t n)
{
	for (uint32_t page = 1; page < b->c->n_pages; page++)
		if (b->r->pages[page].n_dependencies >= n)
			return page;
	abort();
}

static unsigned char *hierarchy_fixup(const struct bench *b, uint32_t page, uint32_t i)
{
	return copy_blob(b->r, page) + CS_FIXUP_HEADER + CS_HIERARCHY_FIXUP * i;
}

static unsigned char *cluster_fixup(const struct bench *b, uint32_t page, uint32_t i)
{
	return copy_blob(b->r, page) + CS_FIXUP_HEADER +
	       CS_HIERARCHY_FIXUP * b->views[page].n_hierarchy + CS_CLUSTER_FIXUP * i;
}

/* The first cluster for which a condition holds. */
static const struct cs_nanite_cluster *find_cluster(const struct bench *b,
	bool (*holds)(const struct bench *b, const struct cs_nanite_cluster *c))
{
	for (size_t i = 0; i < b->c->n_clusters; i++)
		if (holds(b, &b->c->clusters[i]))
			return &b->c->clusters[i];
	abort();
}

static bool is_no_leaf(const struct bench *b, const struct cs_nanite_cluster *c)
{
	(void)b;
	return !(c->flags & CS_CLUSTER_LEAF);
}

static bool is_slow(const struct bench *b, const struct cs_nanite_cluster *c)
{
	(void)b;
	return c->n_ranges > CS_FAST_MATERIALS;
}

static bool has_references(const struct bench *b, const struct cs_nanite_cluster *c)
{
	(void)b;
	return c->n_coded < c->n_vertices;
}

/* A vertex at the start of axis 0 is a reference to another cluster. */
static bool has_outer_references(const struct bench *b, const struct cs_nanite_cluster *c)
{
	const struct cs_page_view *view = &b->views[c->page];
	const unsigned char *mask =
		view->bytes + view->reference_masks + CS_REFERENCE_MASK * (size_t)c->index;
	uint32_t at = view->plans[c->index].references;
	for (uint32_t v = 0; v < c->n_vertices; v++) {
		if (!(mask[v / 8] >> v % 8 & 1))
			continue;
		uint32_t to = cs_load32(view->bytes + at);
		at += 4;
		if (to >> CS_REFERENCE_CLUSTER != c->index &&
			b->c->grid[((size_t)c->first_vertex + v) * 3] == c->start[0])
			return true;
	}
	return false;
}

static bool has_loose_codes(const struct bench *b, const struct cs_nanite_cluster *c)
{
	(void)b;
	return c->n_codes * 5 % 8 != 0;
}

static bool has_loose_positions(const struct bench *b, const struct cs_nanite_cluster *c)
{
	(void)b;
	return c->n_coded > 0 &&
	       (c->position_bits[0] + c->position_bits[1] + c->position_bits[2]) % 8 != 0;
}

static bool ends_page_loosely(const struct bench *b, const struct cs_nanite_cluster *c)
{
	return c->index + 1 == row_of(b, c->page)->n_clusters && c->attribute_bits % 8 != 0;
}

/* Made by a group that does not lie in its page, and itself in a root page. */
static bool waits_in_root(const struct bench *b, const struct cs_nanite_cluster *c)
{
	(void)b;
	return c->page == 0 && c->generating_group != CS_NONE && c->flags & CS_CLUSTER_LEAF;
}

static const struct cs_nanite_group *find_group(
	const struct bench *b, uint32_t parts, uint32_t level)
{
	for (size_t i = 0; i < b->c->n_groups; i++)
		if (b->c->groups[i].n_parts >= parts && b->c->groups[i].level >= level &&
			isfinite(b->c->groups[i].max_parent_error))
			return &b->c->groups[i];
	abort();
}

static const struct cs_nanite_part *part_of(
	const struct bench *b, const struct cs_nanite_group *group, uint32_t i)
{
	return &b->c->parts[b->c->group_parts[group->first_part + i]];
}

/* The inner slot of the first node that has one. */
static unsigned inner_slot(const struct bench *b, uint32_t *node_ret)
{
	for (uint32_t node = 0; node < b->r->n_nodes; node++)
		for (unsigned slot = 0; slot < CS_NODE_SLOTS; slot++)
			if (b->r->nodes[node].pages[slot] == CS_INNER_SLOT) {
				*node_ret = node;
				return slot;
			}
	abort();
}

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

/* One hierarchy fixup less; its bytes become two cluster fixups more. */
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
	const struct cs_nanite_group *group = find_group(b, 2, 0);
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

static void break_x11(const struct bench *b)
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
	const struct cs_nanite_cluster *c = find_cluster(b, has_loose_positions);
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
	const struct cs_nanite_cluster *c = find_cluster(b, ends_page_loosely);
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

static void break_c10(const struct bench *b)
{
	const struct cs_nanite_cluster *c = find_cluster(b, is_no_leaf);
	set_packed(b, c->page, c->index, CS_PACKED_FLAGS, CS_CLUSTER_LEAF);
}

/* Coded vertices 0 and 1 of the first cluster of a page are corners of its first triangle. */
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
		const struct cs_nanite_part *part = &b->c->parts[i];
		const struct cs_nanite_cluster *c = &b->c->clusters[part->first_cluster + 1];
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
	const struct cs_nanite_cluster *c = find_cluster(b, is_slow);
	uint32_t offset = packed(b, c->page, c->index, CS_PACKED_MATERIALS) &
			  cs_bits_mask(CS_MATERIAL_OFFSET_BITS);
	uint32_t first = offset - 32 * b->views[c->page].n_clusters;
	return page_of(b, c->page) + b->views[c->page].materials + 4 * (first + i);
}

static void break_m1(const struct bench *b)
{
	add_to(material_entry(b, 1), 1u << CS_ENTRY_LENGTH);
}

static void break_m2(const struct bench *b)
{
	const struct cs_nanite_cluster *c = find_cluster(b, is_slow);
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

/* A step behind one that issued its head refers to that head: two corners are one. */
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
	const struct cs_nanite_cluster *c = find_cluster(b, has_loose_codes);
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
	const struct cs_nanite_cluster *c = find_cluster(b, has_references);
	cs_store32(page_of(b, c->page) + b->views[c->page].plans[c->index].references, 1023u << 8);
}

static void break_v3(const struct bench *b)
{
	add_to(cluster_word(b, 1, 2, CS_CLUSTER_POSITIONS), 4);
}

static void break_v4(const struct bench *b)
{
	const struct cs_nanite_cluster *c = find_cluster(b, has_outer_references);
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
	const struct cs_nanite_cluster *c = &b->c->clusters[row_of(b, 1)->first_cluster];
	unsigned char *at = page_of(b, 1) + b->views[1].plans[0].attributes;
	unsigned stride = (c->attribute_bits + 7u) / 8;
	break_c11(b);
	memcpy(at + stride, at, stride);
}

/* ---- hierarchy ---- */

static void break_h1(const struct bench *b)
{
	uint32_t node;
	unsigned slot = inner_slot(b, &node);
	node_of(b, node)->extent[slot].child = node;
}

static void break_h2(const struct bench *b)
{
	for (uint32_t node = 0; node < b->r->n_nodes; node++)
		if (b->r->nodes[node].pages[7] == 0) {
			node_of(b, node)->lod[7].radius = 1;
			return;
		}
}

static void break_h3(const struct bench *b)
{
	const struct cs_nanite_part *part = &b->c->parts[3];
	node_of(b, part->node)->pages[part->slot] += 1;
}

static void break_h4(const struct bench *b)
{
	uint32_t node;
	unsigned slot = inner_slot(b, &node);
	node_of(b, node)->extent[slot].extent[1] = 0;
}

static void break_h5(const struct bench *b)
{
	const struct cs_nanite_part *part = part_of(b, find_group(b, 2, 0), 1);
	node_of(b, part->node)->box[part->slot].min_error = 0xc000;
}

static void break_h6(const struct bench *b)
{
	struct cs_nanite_node *node = node_of(b, b->c->parts[b->c->n_parts - 1].node);
	memset(&node->lod[1], 0, sizeof(node->lod) - sizeof(node->lod[0]));
	memset(&node->box[1], 0, sizeof(node->box) - sizeof(node->box[0]));
	memset(&node->extent[1], 0, sizeof(node->extent) - sizeof(node->extent[0]));
	memset(&node->pages[1], 0, sizeof(node->pages) - sizeof(node->pages[0]));
}

static void break_h7(const struct bench *b)
{
	const struct cs_nanite_part *part = &b->c->parts[3];
	node_of(b, part->node)->extent[part->slot].child = 5;
}

/* ---- DAG ---- */

static void break_d1(const struct bench *b)
{
	const struct cs_nanite_cluster *c = find_cluster(b, waits_in_root);
	set_packed(b, c->page, c->index, CS_PACKED_LOD_RADIUS, cs_bits_of_float(1));
}

static void for_slots(const struct bench *b, const struct cs_nanite_group *group,
	void (*spoil)(struct cs_nanite_node *node, unsigned slot))
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		spoil(node_of(b, part_of(b, group, i)->node), part_of(b, group, i)->slot);
}

static void grow_sphere(struct cs_nanite_node *node, unsigned slot)
{
	node->lod[slot].radius *= 2;
}

static void raise_least(struct cs_nanite_node *node, unsigned slot)
{
	node->box[slot].min_error = 0x7000;
}

static void make_root(struct cs_nanite_node *node, unsigned slot)
{
	node->box[slot].max_parent_error = CS_HALF_INFINITY;
}

static void break_d2(const struct bench *b)
{
	for_slots(b, find_group(b, 1, 0), grow_sphere);
}

static void break_d3(const struct bench *b)
{
	for_slots(b, find_group(b, 1, 1), raise_least);
}

static void break_d4(const struct bench *b)
{
	for_slots(b, find_group(b, 1, 0), make_root);
}

static bool is_coarse(const struct bench *b, const struct cs_nanite_cluster *c)
{
	/* but no root: its group has no border */
	return c->level > 0 && isfinite(b->c->groups[c->group].max_parent_error);
}

/* Every vertex that a cluster codes moves by a step; some lie on a ring between two groups. */
static void break_d5(const struct bench *b)
{
	const struct cs_nanite_cluster *c = find_cluster(b, is_coarse);
	set_packed(b, c->page, c->index, CS_PACKED_START_X, (uint32_t)c->start[0] + 1);
}

static void break_d6(const struct bench *b)
{
	break_c10(b);
}

static void break_d7(const struct bench *b)
{
	(void)b; /* it is made so */
}

static void break_d8(const struct bench *b)
{
	info_of(b)->input_triangles++;
}

/* ---- streaming and atlas ---- */

static void break_t1(const struct bench *b)
{
	break_x11(b);
}

static void break_t2(const struct bench *b)
{
	const struct cs_nanite_cluster *c = find_cluster(b, waits_in_root);
	set_packed(b, c->page, c->index, CS_PACKED_FLAGS, 0);
}

/* Nothing below the slot is ever looked at. */
static void break_t4(const struct bench *b)
{
	uint32_t node;
	unsigned slot = inner_slot(b, &node);
	node_of(b, node)->box[slot].max_parent_error = 0;
}

static void break_a1(const struct bench *b)
{
	EDIT(uint16_t, b->r->atlas)[700] = 1u << CS_ATLAS_DEPTH | 1u << CS_ATLAS_CLUSTER;
}

static void break_a2(const struct bench *b)
{
	memset(EDIT(uint16_t, b->r->atlas) + 144 * 5, 0, 144 * sizeof(uint16_t));
}

/* ---- all of them ---- */

enum base { TORUS, PLAIN, SOUP, FLAT, N_BASES };

static const struct {
	const char *rule;
	void (*spoil)(const struct bench *b);
	enum base base;
} breaks[] = {
	{"R1", break_r1, TORUS},
	{"R2", break_r2, TORUS},
	{"R3", break_r3, TORUS},
	{"R4", break_r4, TORUS},
	{"R5", break_r5, TORUS},
	{"R6", break_r6, TORUS},
	{"R7", break_r7, TORUS},
	{"R8", break_r8, TORUS},
	{"R9", break_r9, TORUS},
	{"R10", break_r10, TORUS},
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
	{"H1", break_h1, TORUS},
	{"H2", break_h2, TORUS},
	{"H3", break_h3, TORUS},
	{"H4", break_h4, TORUS},
	{"H5", break_h5, TORUS},
	{"H6", break_h6, TORUS},
	{"H7", break_h7, TORUS},
	{"D1", break_d1, TORUS},
	{"D2", break_d2, TORUS},
	{"D3", break_d3, TORUS},
	{"D4", break_d4, TORUS},
	{"D5", break_d5, TORUS},
	{"D6", break_d6, TORUS},
	{"D7", break_d7, FLAT},
	{"D8", break_d8, TORUS},
	{"T1", break_t1, TORUS},
	{"T2", break_t2, TORUS},
	{"T3", break_t2, TORUS},
	{"T4", break_t4, TORUS},
	{"T5", break_t4, TORUS},
	{"A1", break_a1, TORUS},
	{"A2", break_a2, TORUS},
};

enum { N_BREAKS = sizeof(breaks) / sizeof(breaks[0]) };

struct told {
	const char *want;
	size_t n, of_want;
};

static void count_finding(void *context, const struct cs_finding *finding)
{
	struct told *told = context;
	told->n += finding->severity != CS_INFO;
	told->of_want += finding->rule && told->want && strcmp(finding->rule, told->want) == 0;
	if (!told->want && finding->severity != CS_INFO)
		diag("%s: %s", finding->place, finding->message);
}

static bool is_fatal(const char *id)
{
	size_t n;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(rules[i].id, id) == 0)
			return rules[i].severity == CS_RULE_FATAL;
	abort();
}

static void check_break(const struct bench *whole, size_t i)
{
	struct bench spoiled = *whole;
	struct told told = {breaks[i].rule, 0, 0};
	size_t n;
	spoiled.r = copy_resource(whole->r);
	breaks[i].spoil(&spoiled);
	works(cs_nanite_check(spoiled.r, true, NULL, count_finding, &told, &n), "%s is checked",
		breaks[i].rule);
	ok(told.of_want > 0, "%s is told (%zu findings in all)", breaks[i].rule, n);
	struct cs_nanite_contents *contents = NULL;
	struct cs_error *error = cs_nanite_decode(spoiled.r, NULL, &contents);
	char name[8];
	snprintf(name, sizeof(name), "%s:", breaks[i].rule);
	if (is_fatal(breaks[i].rule))
		ok(error && cs_error_code(error) == CS_E_NANITE &&
				strstr(cs_error_message(error), name),
			"%s ends strict decoding (%s)", breaks[i].rule,
			error ? cs_error_message(error) : "no error");
	cs_error_free(error);
	cs_nanite_contents_free(contents);
	cs_nanite_free(spoiled.r);
}

static void make_base(enum base base, struct cs_dag *dag)
{
	const struct torus torus = {.rows = 512, .uvs = 1, .materials = 5, .colors = true};
	const struct soup soup = {.seed = 5,
		.clusters = 6,
		.triangles = 100,
		.pool = 120,
		.materials = 1,
		.size = 1000};
	const struct soup flat = {.seed = 6,
		.clusters = 1,
		.triangles = 100,
		.pool = 120,
		.materials = 1,
		.size = 1000};
	const struct torus plain = {.rows = 64};
	if (base == TORUS || base == PLAIN)
		torus_dag(base == TORUS ? &torus : &plain, dag);
	else
		soup_dag(base == SOUP ? &soup : &flat, dag);
}

static void check_base(enum base base)
{
	const struct cs_nanite_options options = {
		.position_precision = CS_PRECISION_AUTO, .raw_pages = true};
	struct cs_dag dag;
	struct cs_nanite *resource = NULL;
	struct cs_nanite_contents *contents = NULL;
	make_base(base, &dag);
	works(cs_nanite_encode(&dag, &options, NULL, &resource), "a resource to break");
	works(cs_nanite_decode(resource, NULL, &contents), "decodes");
	struct bench bench = {
		copy_resource(resource), contents, calloc(contents->n_pages, sizeof(*bench.views))};
	for (uint32_t page = 0; page < contents->n_pages; page++)
		if (cs_page_open(resource, page, &bench.views[page]))
			cs_page_plan(&bench.views[page]);
	struct told told = {0};
	size_t n;
	works(cs_nanite_check(bench.r, true, NULL, count_finding, &told, &n), "is checked");
	if (base == TORUS)
		is_int(told.n, 0, "the whole resource breaks no rule");
	for (size_t i = 0; i < N_BREAKS; i++)
		if (breaks[i].base == base)
			check_break(&bench, i);
	for (uint32_t page = 0; page < contents->n_pages; page++)
		cs_page_close(&bench.views[page]);
	free(bench.views);
	cs_nanite_free(bench.r);
	cs_nanite_contents_free(contents);
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

static void test_all_rules_covered(void)
{
	size_t n;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n);
	for (size_t i = 0; i < n; i++) {
		size_t tests = 0;
		for (size_t k = 0; k < N_BREAKS; k++)
			tests += strcmp(breaks[k].rule, rules[i].id) == 0;
		ok(tests == 1 && *rules[i].text, "%s has a test", rules[i].id);
	}
	is_int(n, N_BREAKS, "%zu rules", n);
}

int main(void)
{
	test_all_rules_covered();
	for (unsigned base = 0; base < N_BASES; base++)
		check_base(base);
	return done();
}
