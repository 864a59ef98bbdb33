/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: what breaks the rules of the hierarchy, the DAG, streaming and the atlas. */
#include "tests/unit/nanite/nanite_spoil.h"

#include "core/half.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	const uint32_t slot = b->c->parts[3].slot;
	node_of(b, slot / CS_NODE_SLOTS)->pages[slot % CS_NODE_SLOTS] += 1;
}

static void break_h4(const struct bench *b)
{
	uint32_t node;
	unsigned slot = inner_slot(b, &node);
	node_of(b, node)->extent[slot].extent[1] = 0;
}

static void break_h5(const struct bench *b)
{
	const uint32_t slot = part_of(b, find_group(b, 2, 0), 1)->slot;
	node_of(b, slot / CS_NODE_SLOTS)->box[slot % CS_NODE_SLOTS].min_error = 0xc000;
}

static void break_h6(const struct bench *b)
{
	struct cs_nanite_node *node =
		node_of(b, b->c->parts[b->c->n_parts - 1].slot / CS_NODE_SLOTS);
	memset(&node->lod[1], 0, sizeof(node->lod) - sizeof(node->lod[0]));
	memset(&node->box[1], 0, sizeof(node->box) - sizeof(node->box[0]));
	memset(&node->extent[1], 0, sizeof(node->extent) - sizeof(node->extent[0]));
	memset(&node->pages[1], 0, sizeof(node->pages) - sizeof(node->pages[0]));
}

static void break_h7(const struct bench *b)
{
	const uint32_t slot = b->c->parts[3].slot;
	node_of(b, slot / CS_NODE_SLOTS)->extent[slot % CS_NODE_SLOTS].child = 5;
}

/* ---- DAG ---- */

static void break_d1(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, waits_in_root);
	set_packed(b, c->page, c->index, CS_PACKED_LOD_RADIUS, cs_bits_of_float(1));
}

static void for_slots(const struct bench *b, const struct cs_model_group *group,
	void (*spoil)(struct cs_nanite_node *node, unsigned slot))
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		spoil(node_of(b, part_of(b, group, i)->slot / CS_NODE_SLOTS),
			part_of(b, group, i)->slot % CS_NODE_SLOTS);
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

static bool is_coarse(const struct bench *b, const struct cs_model_cluster *c)
{
	/* but no root: its group has no border */
	return c->level > 0 && isfinite(b->c->groups[c->group].max_parent_error);
}

/*
 * Moves every vertex that a coarse cluster codes by one step; some of these vertices lie on a ring
 * between two groups.
 */
static void break_d5(const struct bench *b)
{
	const struct cs_model_cluster *c = find_cluster(b, is_coarse);
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
	const struct cs_model_cluster *c = find_cluster(b, waits_in_root);
	set_packed(b, c->page, c->index, CS_PACKED_FLAGS, 0);
}

/* Sets the error of a slot to 0, so that nothing below it is ever looked at. */
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

const struct rule_break dag_breaks[] = {
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
	{NULL, NULL, TORUS},
};
