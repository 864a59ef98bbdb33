/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a hierarchy is a tree, every node reached once, within CS_TREE_DEPTH. */
#include "nanite/decode/decode.h"

#include <inttypes.h>
#include <stdlib.h>

struct walk {
	const struct cs_nanite *resource;
	struct cs_breaches *breaches;
	/* stack: nodes to visit; depth: 1 for a root, one more per level, 0 = not reached */
	uint32_t *stack, *depth;
	uint32_t n_stack;
};

static bool tree_check_roots(const struct walk *walk)
{
	const struct cs_nanite *nanite = walk->resource;
	for (size_t i = 0; i < nanite->n_roots; i++) {
		const char *wrong = nanite->roots[i] >= nanite->n_nodes ? "which does not exist"
				    : i == 0 && nanite->roots[i]        ? "instead of node 0"
				    : i && nanite->roots[i] <= nanite->roots[i - 1]
					    ? "which does not come after that of the root before it"
					    : NULL;
		if (wrong)
			return cs_breach(walk->breaches, CS_RULE_R5, CS_NOWHERE,
				"root %zu of the hierarchy is node %u, %s; the hierarchy has %zu "
				"nodes",
				i, nanite->roots[i], wrong, nanite->n_nodes);
	}
	return nanite->n_roots > 0 ||
	       cs_breach(walk->breaches, CS_RULE_R5, CS_NOWHERE, "the hierarchy has no root");
}

static bool tree_push(struct walk *walk, uint64_t number, uint32_t parent, uint32_t depth)
{
	if (number >= walk->resource->n_nodes)
		return cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
			"node %u has child node %" PRIu64 ", but there are only %zu nodes", parent,
			number, walk->resource->n_nodes);
	uint32_t node = (uint32_t)number;
	if (walk->depth[node])
		return cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
			"node %u is reached a second time, from node %u", node, parent);
	if (depth > CS_TREE_DEPTH)
		return cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
			"node %u is more than %d levels deep", node, CS_TREE_DEPTH);
	walk->depth[node] = depth;
	walk->stack[walk->n_stack++] = node;
	return true;
}

/* Visits a mesh's nodes, whose child numbers are relative to `root`; false if a rule is broken. */
static bool walk_mesh(struct walk *walk, uint32_t root)
{
	bool ok = tree_push(walk, root, root, 1);
	while (ok && walk->n_stack > 0) {
		uint32_t index = walk->stack[--walk->n_stack];
		const struct cs_nanite_node *node = &walk->resource->nodes[index];
		for (unsigned slot = 0; ok && slot < CS_NODE_SLOTS; slot++)
			if (node->pages[slot] == CS_INNER_SLOT)
				ok = tree_push(walk, (uint64_t)root + node->extent[slot].child,
					index, walk->depth[index] + 1);
	}
	return ok;
}

/* Visits all nodes. Returns the number of nodes on the longest path, or 0 when a rule is broken. */
static uint32_t tree_walk_all(struct walk *walk)
{
	uint32_t deepest = 0;
	for (size_t i = 0; i < walk->resource->n_roots; i++)
		if (!walk_mesh(walk, walk->resource->roots[i]))
			return 0;
	for (uint32_t node = 0; node < walk->resource->n_nodes; node++) {
		if (!walk->depth[node]) {
			cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
				"node %u is not reached from any root", node);
			return 0;
		}
		deepest = walk->depth[node] > deepest ? walk->depth[node] : deepest;
	}
	return deepest;
}

struct cs_error *cs_check_tree(
	const struct cs_nanite *resource, struct cs_breaches *breaches, uint32_t *depth_ret)
{
	size_t n = resource->n_nodes + 1;
	struct walk walk = {
		resource, breaches, malloc(n * sizeof(uint32_t)), calloc(n, sizeof(uint32_t)), 0};
	bool ok = walk.stack && walk.depth;
	if (ok)
		*depth_ret = tree_check_roots(&walk) ? tree_walk_all(&walk) : 0;
	free(walk.stack);
	free(walk.depth);
	return ok ? NULL : cs_error_nomem();
}
