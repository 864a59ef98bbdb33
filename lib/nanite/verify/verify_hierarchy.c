/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that each part has one leaf slot, and that bounds of slots contain those of subtrees. */
#include "nanite/verify/verify_resource.h"

#include "core/half.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>

enum slot_kind { SLOT_EMPTY, SLOT_LEAF, SLOT_INNER };

static enum slot_kind verify_hierarchy_kind_of(const struct cs_nanite_node *node, unsigned slot)
{
	return node->pages[slot] == 0               ? SLOT_EMPTY
	       : node->pages[slot] == CS_INNER_SLOT ? SLOT_INNER
						    : SLOT_LEAF;
}

/* ---- checks of slots ---- */

static bool slot_is_zero(const struct cs_nanite_node *node, unsigned slot)
{
	static const struct cs_nanite_node zero;
	return memcmp(&node->lod[slot], &zero.lod[0], sizeof(zero.lod[0])) == 0 &&
	       memcmp(&node->box[slot], &zero.box[0], sizeof(zero.box[0])) == 0 &&
	       memcmp(&node->extent[slot], &zero.extent[0], sizeof(zero.extent[0])) == 0;
}

static bool slot_is_finite(const struct cs_nanite_node *node, unsigned slot)
{
	float sum = node->lod[slot].radius, error = cs_half_value(node->box[slot].min_error);
	bool negative = node->lod[slot].radius < 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		sum += fabsf(node->lod[slot].centre[axis]) + fabsf(node->box[slot].centre[axis]) +
		       node->extent[slot].extent[axis];
		negative = negative || node->extent[slot].extent[axis] < 0;
	}
	return isfinite(sum) && !negative && isfinite(error) &&
	       cs_half_value(node->box[slot].max_parent_error) >= 0;
}

/* Returns whether a node is alone in its mesh: a root followed by another root or by nothing. */
static bool is_alone(const struct cs_nanite *nanite, uint32_t node)
{
	bool ends = node + 1 == nanite->n_nodes, begins = false;
	for (size_t i = 0; i < nanite->n_roots; i++) {
		begins = begins || nanite->roots[i] == node;
		ends = ends || nanite->roots[i] == node + 1;
	}
	return begins && ends;
}

static void check_slots(const struct cs_resource_check *check, uint32_t index)
{
	const struct cs_nanite_node *node = &check->resource->nodes[index];
	unsigned used = 0;
	bool ended = false;
	for (unsigned slot = 0; slot < CS_NODE_SLOTS; slot++) {
		enum slot_kind kind = verify_hierarchy_kind_of(node, slot);
		const char *says = NULL;
		if (kind == SLOT_EMPTY && !slot_is_zero(node, slot))
			says = "is empty, but its bytes are not zero";
		else if (kind != SLOT_EMPTY && ended)
			says = "comes after an empty slot";
		else if (kind != SLOT_EMPTY && !slot_is_finite(node, slot))
			says = "has a number that is negative or not finite";
		if (says)
			cs_breach(check->rest, CS_RULE_H2, CS_NOWHERE, "slot %u of node %u %s",
				slot, index, says);
		if (kind == SLOT_LEAF && node->extent[slot].child != CS_NOT_LOADED)
			cs_breach(check->rest, CS_RULE_H7, CS_NOWHERE,
				"slot %u of node %u is stored as if it were loaded (child %08x)",
				slot, index, node->extent[slot].child);
		ended = ended || kind == SLOT_EMPTY;
		used += kind != SLOT_EMPTY;
	}
	if (used <= 1 && !is_alone(check->resource, index))
		cs_breach(check->rest, CS_RULE_H6, CS_NOWHERE,
			"node %u uses only %u slots, so it could be left out", index, used);
}

/* ---- one leaf slot for each part ---- */

static void check_part(const struct cs_resource_check *check, const struct cs_model_part *part)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_model_group *group = &contents->groups[part->group];
	const uint32_t node = part->slot / CS_NODE_SLOTS, slot = part->slot % CS_NODE_SLOTS;
	uint32_t pages = check->resource->nodes[node].pages[slot];
	const struct cs_model_part *first = CS_GROUP_PART(contents, group, 0);
	uint32_t want = part->n_clusters | group->n_parts << CS_SLOT_PAGES |
			first->page << CS_SLOT_FIRST_PAGE;
	if (pages != want)
		cs_breach(&check->breaches[part->page], CS_RULE_H3, cs_in_page(part->page),
			"slot %u of node %u stores clusters: %u, first page: %u, pages: %u; its "
			"part and group have %u, %u, %u",
			slot, node, pages & cs_bits_mask(CS_SLOT_SIZE_BITS),
			pages >> CS_SLOT_FIRST_PAGE,
			pages >> CS_SLOT_PAGES & cs_bits_mask(CS_FIXUP_PAGES_BITS),
			part->n_clusters, first->page, group->n_parts);
}

static bool verify_hierarchy_check_leaves(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_nanite *nanite = check->resource;
	uint8_t *parts = calloc(nanite->n_nodes, CS_NODE_SLOTS);
	if (!parts)
		return false;
	for (uint32_t i = 0; i < contents->n_parts; i++) {
		const struct cs_model_part *part = &contents->parts[i];
		check_part(check, part);
		if (parts[part->slot] < 2)
			parts[part->slot]++;
	}
	for (uint32_t node = 0; node < nanite->n_nodes; node++)
		for (unsigned slot = 0; slot < CS_NODE_SLOTS; slot++) {
			const uint8_t n = parts[(size_t)CS_NODE_SLOTS * node + slot];
			bool leaf =
				verify_hierarchy_kind_of(&nanite->nodes[node], slot) == SLOT_LEAF;
			if (n != leaf)
				cs_breach(check->rest, CS_RULE_H3, CS_NOWHERE,
					"slot %u of node %u is %sa leaf, but belongs to %s", slot,
					node, leaf ? "" : "not ",
					n == 0   ? "no part"
					: n == 1 ? "a part"
						 : "several parts");
		}
	free(parts);
	return true;
}

static void check_group_slots(const struct cs_resource_check *check, uint32_t index)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_model_group *group = &contents->groups[index];
	const struct cs_model_part *first = CS_GROUP_PART(contents, group, 0);
	const struct cs_nanite_node *nodes = check->resource->nodes;
	for (uint32_t i = 1; i < group->n_parts; i++) {
		const struct cs_model_part *part = CS_GROUP_PART(contents, group, i);
		const struct cs_nanite_node *a = &nodes[first->slot / CS_NODE_SLOTS],
					    *b = &nodes[part->slot / CS_NODE_SLOTS];
		const uint32_t k = first->slot % CS_NODE_SLOTS, l = part->slot % CS_NODE_SLOTS;
		if (memcmp(&a->lod[k], &b->lod[l], sizeof(a->lod[0])) == 0 &&
			a->box[k].min_error == b->box[l].min_error &&
			a->box[k].max_parent_error == b->box[l].max_parent_error)
			continue;
		cs_breach(check->rest, CS_RULE_H5, CS_NOWHERE,
			"parts 0 and %u of group %u have slots with different spheres or errors", i,
			group->number);
	}
}

/* ---- bounds of slots contain their subtrees ---- */

struct bounds {
	double low[3], high[3], centre[3], radius;
	float min_error, max_parent_error;
};

static struct bounds slot_bounds(const struct cs_nanite_node *node, unsigned slot)
{
	struct bounds bounds = {.radius = (double)node->lod[slot].radius,
		.min_error = cs_half_value(node->box[slot].min_error),
		.max_parent_error = cs_half_value(node->box[slot].max_parent_error)};
	for (unsigned axis = 0; axis < 3; axis++) {
		double centre = (double)node->box[slot].centre[axis];
		double extent = (double)node->extent[slot].extent[axis];
		bounds.low[axis] = centre - extent;
		bounds.high[axis] = centre + extent;
		bounds.centre[axis] = (double)node->lod[slot].centre[axis];
	}
	return bounds;
}

/*
 * Returns the name of inner bounds that exceed the outer ones, or NULL. Spheres count only for a
 * finite inner parent error, because a traversal always enters a slot with an infinite error.
 */
static const char *what_sticks_out(const struct bounds *outer, const struct bounds *inner)
{
	double distance2 = 0, size = outer->radius;
	for (unsigned axis = 0; axis < 3; axis++) {
		double slack = 1e-6 * (fabs(inner->low[axis]) + fabs(inner->high[axis]) + 1e-6);
		double d = inner->centre[axis] - outer->centre[axis];
		if (inner->low[axis] < outer->low[axis] - slack ||
			inner->high[axis] > outer->high[axis] + slack)
			return "box";
		distance2 += d * d;
		size += fabs(outer->centre[axis]);
	}
	if (isfinite(inner->max_parent_error) &&
		sqrt(distance2) + inner->radius > outer->radius + 1e-6 * size)
		return "sphere";
	if (inner->min_error < outer->min_error)
		return "least error";
	return inner->max_parent_error > outer->max_parent_error ? "parent error" : NULL;
}

static void check_inner_slot(
	const struct cs_resource_check *check, uint32_t index, unsigned slot, uint32_t child)
{
	const struct cs_nanite_node *nodes = check->resource->nodes;
	struct bounds outer = slot_bounds(&nodes[index], slot);
	for (unsigned i = 0; i < CS_NODE_SLOTS; i++) {
		if (verify_hierarchy_kind_of(&nodes[child], i) == SLOT_EMPTY)
			continue;
		struct bounds inner = slot_bounds(&nodes[child], i);
		const char *what = what_sticks_out(&outer, &inner);
		if (!what)
			continue;
		cs_breach(check->rest, CS_RULE_H4, CS_NOWHERE,
			"the %s of slot %u of node %u is not within that of its parent, slot %u of "
			"node %u",
			what, i, child, slot, index);
		return;
	}
}

/* Checks that the box of a leaf slot contains the boxes of the part's clusters. */
static void check_leaf_box(const struct cs_resource_check *check, const struct cs_model_part *part)
{
	const uint32_t node = part->slot / CS_NODE_SLOTS, slot = part->slot % CS_NODE_SLOTS;
	struct bounds outer = slot_bounds(&check->resource->nodes[node], slot);
	for (uint32_t i = 0; i < part->n_clusters; i++) {
		const struct cs_model_cluster *cluster =
			&check->contents->clusters[part->first_cluster + i];
		struct bounds inner = outer;
		for (unsigned axis = 0; axis < 3; axis++) {
			double centre = (double)cluster->box_centre[axis];
			inner.low[axis] = centre - (double)cluster->box_extent[axis];
			inner.high[axis] = centre + (double)cluster->box_extent[axis];
		}
		inner.max_parent_error = INFINITY;
		outer.max_parent_error = INFINITY;
		if (what_sticks_out(&outer, &inner))
			cs_breach(&check->breaches[part->page], CS_RULE_H4, cs_in_cluster(cluster),
				"the box of the cluster is not inside the box of slot %u of node "
				"%u",
				slot, node);
	}
}

static void check_containment(const struct cs_resource_check *check)
{
	const struct cs_nanite *nanite = check->resource;
	size_t mesh = 0;
	for (uint32_t index = 0; index < nanite->n_nodes; index++) {
		while (mesh + 1 < nanite->n_roots && nanite->roots[mesh + 1] <= index)
			mesh++;
		const struct cs_nanite_node *node = &nanite->nodes[index];
		for (unsigned slot = 0; slot < CS_NODE_SLOTS; slot++)
			if (verify_hierarchy_kind_of(node, slot) == SLOT_INNER)
				check_inner_slot(check, index, slot,
					nanite->roots[mesh] + node->extent[slot].child);
	}
	for (size_t i = 0; i < check->contents->n_parts; i++)
		check_leaf_box(check, &check->contents->parts[i]);
}

bool cs_check_hierarchy(const struct cs_resource_check *check)
{
	for (uint32_t node = 0; node < check->resource->n_nodes; node++)
		check_slots(check, node);
	if (!verify_hierarchy_check_leaves(check))
		return false;
	for (uint32_t g = 0; g < check->contents->n_groups; g++)
		check_group_slots(check, g);
	if (check->contents->depth)
		check_containment(check);
	return true;
}
