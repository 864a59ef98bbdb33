/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the hierarchy over the parts of groups: nodes of 8 slots that a traversal descends.
 *
 * Each mesh has its own root node; the child numbers of its nodes are relative to that root. A tree
 * is built for each level of the mesh's DAG, and another tree joins the roots of these trees,
 * because boxes and errors of different levels do not combine well. A tree is built top down: all
 * but one of a node's subtrees are full (see child_sizes), and the leaves are ordered so that the
 * boxes of each half, quarter and eighth of them have small surfaces. Nodes are numbered depth
 * first, parents before children.
 *
 * The algorithm is the engine's, with 8 children for each node, as in Bevy's meshlet builder.
 */
#include "nanite/encode/encode.h"

#include "cluster/bounds.h"
#include "core/half.h"
#include "core/sort.h"
#include "core/vec.h"

#include <math.h>

struct box {
	int32_t low[3], high[3]; /* bounding box of a node, in grid steps */
};

/* A node of a tree. A leaf is a part, and an inner node has children. */
struct tree_node {
	struct box box;
	/* index of its part in cs_encoder.parts for a leaf, CS_NONE for an inner node */
	uint32_t part;
	uint32_t n_children;
	uint32_t children[CS_NODE_SLOTS];
};

typedef CS_VEC(uint32_t) index_list;

struct builder {
	struct cs_encoder *encoder;
	CS_VEC(struct tree_node) tree;
	CS_VEC(struct cs_nanite_node) nodes;
	/* root node of the current mesh, to which child numbers are relative */
	uint32_t first_node;
	/* indices of the parts of all meshes, mesh by mesh, in ascending order within a mesh */
	uint32_t *parts;
	/* for each mesh, the index in `parts` of its first part, then the number of all parts */
	uint32_t *first_part;
	struct cs_sort_key *keys; /* working memory with one key for each part */
	/* working memory: the parts in the best order so far, then in the order being tried */
	uint32_t *order;
	bool out_of_memory;
};

static struct box hierarchy_box_of(const struct builder *builder, const uint32_t *list, uint32_t n)
{
	struct box box = builder->tree.at[list[0]].box;
	for (uint32_t i = 1; i < n; i++) {
		const struct box *more = &builder->tree.at[list[i]].box;
		for (unsigned k = 0; k < 3; k++) {
			box.low[k] = more->low[k] < box.low[k] ? more->low[k] : box.low[k];
			box.high[k] = more->high[k] > box.high[k] ? more->high[k] : box.high[k];
		}
	}
	return box;
}

static double half_surface(const struct box *box)
{
	double x = (double)box->high[0] - (double)box->low[0];
	double y = (double)box->high[1] - (double)box->low[1];
	double z = (double)box->high[2] - (double)box->low[2];
	return x * y + y * z + z * x;
}

/* ---- building trees ---- */

/*
 * Computes how many of n leaves each child of a node gets. Let P be the largest power of
 * CS_NODE_SLOTS that is at most n: the first children get P leaves, the last ones P /
 * CS_NODE_SLOTS, and at most one child between them gets a number between these two.
 */
static void child_sizes(uint32_t n, uint32_t sizes[CS_NODE_SLOTS])
{
	uint32_t most = CS_NODE_SLOTS;
	while (n / CS_NODE_SLOTS >= most)
		most *= CS_NODE_SLOTS;
	uint32_t least = most / CS_NODE_SLOTS, rest = n - least * CS_NODE_SLOTS;
	for (unsigned i = 0; i < CS_NODE_SLOTS; i++) {
		uint32_t more = rest < most - least ? rest : most - least;
		sizes[i] = least + more;
		rest -= more;
	}
}

static bool sort_along(struct builder *builder, const uint32_t *list, uint32_t n, unsigned axis)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct box *box = &builder->tree.at[list[i]].box;
		int64_t centre = (int64_t)box->low[axis] + box->high[axis];
		builder->keys[i] = (struct cs_sort_key){
			.low = (uint64_t)(centre - 2 * (int64_t)INT32_MIN), .index = list[i]};
	}
	return cs_sort_keys(builder->keys, n);
}

/*
 * Sorts the list along one axis. It is the axis for which the box of the first `split` items and
 * the box of the other items together have the smallest surface.
 */
static void split_list(struct builder *builder, uint32_t *list, uint32_t n, uint32_t split)
{
	double best = INFINITY;
	for (unsigned axis = 0; axis < 3; axis++) {
		uint32_t *order = builder->order;
		if (!sort_along(builder, list, n, axis)) {
			builder->out_of_memory = true;
			return;
		}
		for (uint32_t i = 0; i < n; i++)
			order[n + i] = builder->keys[i].index;
		struct box left = hierarchy_box_of(builder, order + n, split);
		struct box right = hierarchy_box_of(builder, order + n + split, n - split);
		double cost = half_surface(&left) + half_surface(&right);
		if (cost < best) {
			best = cost;
			memcpy(order, order + n, n * sizeof(*order));
		}
	}
	memcpy(list, builder->order, n * sizeof(*list));
}

/*
 * Sorts the nodes in the list, of which child i gets sizes[i], so that the halves, quarters and
 * eighths of the children have boxes with small surfaces.
 */
static void order_children(
	struct builder *builder, uint32_t *list, const uint32_t sizes[CS_NODE_SLOTS])
{
	for (unsigned width = CS_NODE_SLOTS; width > 1; width /= 2) {
		uint32_t *at = list;
		for (unsigned child = 0; child < CS_NODE_SLOTS; child += width) {
			uint32_t left = 0, n = 0;
			for (unsigned i = 0; i < width; i++) {
				left += i < width / 2 ? sizes[child + i] : 0;
				n += sizes[child + i];
			}
			split_list(builder, at, n, left);
			at += n;
		}
	}
}

static uint32_t add_tree_node(struct builder *builder, struct tree_node node)
{
	if (cs_vec_push(&builder->tree, node))
		return (uint32_t)builder->tree.n - 1;
	builder->out_of_memory = true;
	return 0;
}

/*
 * Builds a tree over the list, which is first sorted if `sort` is set. Returns the root. The
 * recursion is log8(n) deep.
 */
static uint32_t build_tree(struct builder *builder, uint32_t *list, uint32_t n, bool sort)
{
	if (n == 1)
		return list[0];
	struct tree_node node = {.part = CS_NONE, .box = hierarchy_box_of(builder, list, n)};
	if (n <= CS_NODE_SLOTS) {
		memcpy(node.children, list, n * sizeof(*list));
		node.n_children = n;
		return add_tree_node(builder, node);
	}
	uint32_t sizes[CS_NODE_SLOTS];
	child_sizes(n, sizes);
	if (sort)
		order_children(builder, list, sizes);
	for (unsigned i = 0; i < CS_NODE_SLOTS && !builder->out_of_memory; i++) {
		node.children[node.n_children++] = build_tree(builder, list, sizes[i], sort);
		list += sizes[i];
	}
	return add_tree_node(builder, node);
}

/*
 * Builds the tree of a level. Adds to `roots` the root of that tree or, if the root has fewer than
 * 8 children, its children. Returns false when memory runs out.
 */
static bool add_level(struct builder *builder, index_list *level, index_list *roots)
{
	if (level->n == 0)
		return true;
	uint32_t root = build_tree(builder, level->at, (uint32_t)level->n, true);
	if (builder->out_of_memory)
		return false;
	const struct tree_node *node = &builder->tree.at[root];
	level->n = 0;
	if (node->part != CS_NONE || node->n_children == CS_NODE_SLOTS)
		return cs_vec_push(roots, root);
	return cs_vec_append(roots, node->children, node->n_children);
}

static uint32_t hierarchy_level_of(const struct builder *builder, uint32_t part)
{
	return builder->encoder->dag->groups[builder->encoder->parts[part].group].level;
}

/*
 * Builds a tree for each level of a mesh, beginning with the finest level. The parts are sorted by
 * level, coarsest first. So each level is a range of them, and the ranges are processed from the
 * last one. Returns false when memory runs out.
 */
static bool build_levels(struct builder *builder, uint32_t mesh, index_list *roots)
{
	const uint32_t *parts = builder->parts, begin = builder->first_part[mesh];
	index_list level = {0};
	bool ok = true;
	uint32_t end = builder->first_part[mesh + 1];
	while (ok && end > begin) {
		uint32_t first = end, number = hierarchy_level_of(builder, parts[end - 1]);
		while (first > begin && hierarchy_level_of(builder, parts[first - 1]) == number)
			first--;
		ok = cs_vec_append(&level, parts + first, end - first) &&
		     add_level(builder, &level, roots);
		end = first;
	}
	cs_vec_free(&level);
	return ok;
}

static bool add_leaves(struct builder *builder)
{
	const struct cs_encoder *encoder = builder->encoder;
	for (uint32_t p = 0; p < encoder->n_parts; p++) {
		struct tree_node leaf = {.part = p};
		memcpy(leaf.box.low, encoder->parts[p].low, sizeof(leaf.box.low));
		memcpy(leaf.box.high, encoder->parts[p].high, sizeof(leaf.box.high));
		add_tree_node(builder, leaf);
	}
	return !builder->out_of_memory;
}

/* Lists the parts by mesh, then in ascending order. Returns false when memory runs out. */
static bool list_parts(struct builder *builder)
{
	const struct cs_encoder *encoder = builder->encoder;
	const struct cs_cluster_group *groups = encoder->dag->groups;
	const uint32_t n_meshes = encoder->dag->n_meshes;
	builder->parts = malloc(encoder->n_parts * sizeof(*builder->parts));
	builder->first_part = calloc((size_t)n_meshes + 2, sizeof(*builder->first_part));
	if (!builder->parts || !builder->first_part)
		return false;
	/*
	 * Counting sort by mesh. At first first_part[m + 2] is the number of parts of mesh m. The
	 * sums make first_part[m + 1] the index at which the next part of mesh m is put. After the
	 * last part of mesh m was put, this is the first index of mesh m + 1.
	 */
	for (uint32_t p = 0; p < encoder->n_parts; p++)
		builder->first_part[groups[encoder->parts[p].group].mesh + 2]++;
	for (uint32_t mesh = 0; mesh < n_meshes; mesh++)
		builder->first_part[mesh + 2] += builder->first_part[mesh + 1];
	for (uint32_t p = 0; p < encoder->n_parts; p++)
		builder->parts[builder->first_part[groups[encoder->parts[p].group].mesh + 1]++] = p;
	return true;
}

/* Builds the root of a mesh, always as an inner node. Returns false when memory runs out. */
static bool build_root(struct builder *builder, uint32_t mesh, uint32_t *root_ret)
{
	index_list roots = {0};
	bool ok = true;
	const uint32_t first = builder->first_part[mesh];
	if (builder->first_part[mesh + 1] == first + 1) {
		struct tree_node node = {
			.part = CS_NONE, .n_children = 1, .children = {builder->parts[first]}};
		node.box = builder->tree.at[builder->parts[first]].box;
		*root_ret = add_tree_node(builder, node);
	} else {
		ok = build_levels(builder, mesh, &roots);
		if (ok)
			*root_ret = build_tree(builder, roots.at, (uint32_t)roots.n, false);
	}
	cs_vec_free(&roots);
	return ok && !builder->out_of_memory;
}

/* ---- converting trees to nodes of the file ---- */

/*
 * Bounds that a slot stores for its subtree. The box is rounded, so it may be a little too large.
 */
struct bounds {
	struct cs_sphere_f lod;
	double low[3], high[3];
	float min_error, max_parent_error;
};

static void add_box(struct bounds *bounds, const float centre[3], const float extent[3])
{
	for (unsigned axis = 0; axis < 3; axis++) {
		double low = (double)centre[axis] - (double)extent[axis];
		double high = (double)centre[axis] + (double)extent[axis];
		bounds->low[axis] = fmin(bounds->low[axis], low);
		bounds->high[axis] = fmax(bounds->high[axis], high);
	}
}

static struct bounds leaf_bounds(const struct builder *builder, const struct tree_node *leaf)
{
	const struct cs_encoder *encoder = builder->encoder;
	const struct cs_part *part = &encoder->parts[leaf->part];
	const struct cs_cluster_group *group = &encoder->dag->groups[part->group];
	const float unit = encoder->half_unit;
	struct bounds bounds = {
		.lod = group->lod_bounds,
		.low = {INFINITY, INFINITY, INFINITY},
		.high = {-INFINITY, -INFINITY, -INFINITY},
		.min_error = group->min_lod_error < 0
				     ? -1
				     : cs_half_value(cs_half_below(group->min_lod_error / unit)),
		.max_parent_error =
			cs_half_value(cs_encode_error_half(encoder, group->max_parent_error)),
	};
	for (uint32_t i = 0; i < part->n_children; i++) {
		uint32_t child = encoder->children[part->first_child + i];
		float centre[3], extent[3];
		cs_encode_box(encoder, encoder->clusters[child]->low,
			encoder->clusters[child]->high, centre, extent);
		add_box(&bounds, centre, extent);
	}
	return bounds;
}

/*
 * Returns a sphere around the LOD spheres of those slots that have a finite parent error. A
 * traversal always descends into the other slots, so their spheres have no effect.
 */
static struct cs_sphere_f sphere_around(const struct bounds *slots, unsigned n)
{
	double low[3] = {INFINITY, INFINITY, INFINITY};
	double high[3] = {-INFINITY, -INFINITY, -INFINITY}, radius = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct cs_sphere_f *s = &slots[i].lod;
		const float centre[3] = {s->x, s->y, s->z};
		for (unsigned axis = 0; isfinite(slots[i].max_parent_error) && axis < 3; axis++) {
			low[axis] = fmin(low[axis], (double)centre[axis] - (double)s->radius);
			high[axis] = fmax(high[axis], (double)centre[axis] + (double)s->radius);
		}
	}
	if (low[0] > high[0])
		return slots[0].lod;
	struct cs_sphere_f around = {(float)((low[0] + high[0]) / 2),
		(float)((low[1] + high[1]) / 2), (float)((low[2] + high[2]) / 2), 0};
	for (unsigned i = 0; i < n; i++) {
		const struct cs_sphere_f *s = &slots[i].lod;
		double x = (double)s->x - (double)around.x, y = (double)s->y - (double)around.y;
		double z = (double)s->z - (double)around.z;
		if (isfinite(slots[i].max_parent_error))
			radius = fmax(radius, sqrt(x * x + y * y + z * z) + (double)s->radius);
	}
	around.radius = cs_float_above(radius);
	return around;
}

static struct bounds hierarchy_join(const struct bounds *slots, unsigned n)
{
	struct bounds all = slots[0];
	for (unsigned i = 1; i < n; i++) {
		for (unsigned axis = 0; axis < 3; axis++) {
			all.low[axis] = fmin(all.low[axis], slots[i].low[axis]);
			all.high[axis] = fmax(all.high[axis], slots[i].high[axis]);
		}
		all.min_error = fminf(all.min_error, slots[i].min_error);
		all.max_parent_error = fmaxf(all.max_parent_error, slots[i].max_parent_error);
	}
	all.lod = sphere_around(slots, n);
	return all;
}

static void centre_box(const double low[3], const double high[3], float centre[3], float extent[3])
{
	for (unsigned axis = 0; axis < 3; axis++) {
		centre[axis] = (float)((low[axis] + high[axis]) / 2);
		extent[axis] = cs_float_above(
			fmax(high[axis] - (double)centre[axis], (double)centre[axis] - low[axis]));
	}
}

void cs_encode_box(const struct cs_encoder *encoder, const int32_t low[3], const int32_t high[3],
	float centre[3], float extent[3])
{
	double first[3], last[3];
	for (unsigned axis = 0; axis < 3; axis++) {
		first[axis] = (double)low[axis] * (double)encoder->step;
		last[axis] = (double)high[axis] * (double)encoder->step;
	}
	centre_box(first, last, centre, extent);
}

/* Writes a slot of a node. Enlarges the box of `bounds` to the rounded box that is stored. */
static void pack_slot(struct cs_nanite_node *node, unsigned slot, struct bounds *bounds)
{
	node->lod[slot].centre[0] = bounds->lod.x;
	node->lod[slot].centre[1] = bounds->lod.y;
	node->lod[slot].centre[2] = bounds->lod.z;
	node->lod[slot].radius = bounds->lod.radius;
	centre_box(bounds->low, bounds->high, node->box[slot].centre, node->extent[slot].extent);
	add_box(bounds, node->box[slot].centre, node->extent[slot].extent);
	node->box[slot].min_error = cs_half_nearest(bounds->min_error);
	node->box[slot].max_parent_error = cs_half_nearest(bounds->max_parent_error);
}

static uint32_t leaf_pages(const struct builder *builder, const struct cs_part *part)
{
	const struct cs_coded_group *group = &builder->encoder->groups[part->group];
	return part->n_children | group->n_pages << CS_SLOT_PAGES |
	       group->first_page << CS_SLOT_FIRST_PAGE;
}

static struct bounds pack_tree(struct builder *builder, uint32_t root);

static struct bounds pack_leaf(
	struct builder *builder, const struct tree_node *leaf, uint32_t node, unsigned slot)
{
	struct cs_part *part = &builder->encoder->parts[leaf->part];
	part->node = node;
	part->slot = slot;
	builder->nodes.at[node].extent[slot].child = CS_NOT_LOADED;
	builder->nodes.at[node].pages[slot] = leaf_pages(builder, part);
	return leaf_bounds(builder, leaf);
}

/*
 * Appends the nodes of a tree and returns the bounds of its root. The depth of the recursion
 * is at most that of a level's tree plus that of the tree above the roots of all levels.
 */
static struct bounds pack_tree(struct builder *builder, uint32_t root)
{
	const struct tree_node *from = &builder->tree.at[root];
	struct bounds slots[CS_NODE_SLOTS] = {0};
	uint32_t node = (uint32_t)builder->nodes.n;
	if (!cs_vec_push(&builder->nodes, (struct cs_nanite_node){0})) {
		builder->out_of_memory = true;
		return slots[0];
	}
	for (unsigned i = 0; i < from->n_children && !builder->out_of_memory; i++) {
		const struct tree_node *child = &builder->tree.at[from->children[i]];
		if (child->part != CS_NONE) {
			slots[i] = pack_leaf(builder, child, node, i);
		} else {
			builder->nodes.at[node].extent[i].child =
				(uint32_t)builder->nodes.n - builder->first_node;
			builder->nodes.at[node].pages[i] = CS_INNER_SLOT;
			slots[i] = pack_tree(builder, from->children[i]);
		}
		pack_slot(&builder->nodes.at[node], i, &slots[i]);
	}
	return hierarchy_join(slots, from->n_children);
}

/* Appends the nodes of all meshes and sets their roots. Returns false when memory runs out. */
static bool pack_meshes(struct builder *builder, uint32_t *roots)
{
	for (uint32_t mesh = 0; mesh < builder->encoder->dag->n_meshes; mesh++) {
		uint32_t root = 0;
		if (!build_root(builder, mesh, &root))
			return false;
		roots[mesh] = builder->first_node = (uint32_t)builder->nodes.n;
		pack_tree(builder, root);
	}
	return !builder->out_of_memory;
}

/* Checks that each mesh has a part, because otherwise it would have no root. */
static struct cs_error *hierarchy_check_meshes(const struct builder *builder)
{
	for (uint32_t mesh = 0; mesh < builder->encoder->dag->n_meshes; mesh++)
		if (builder->first_part[mesh] == builder->first_part[mesh + 1])
			return cs_error_new(CS_E_NANITE,
				"mesh %u of the DAG (counted from 0) has no group of clusters",
				mesh);
	return NULL;
}

struct cs_error *cs_encode_hierarchy(struct cs_encoder *encoder)
{
	struct builder builder = {.encoder = encoder};
	struct cs_error *error = NULL;
	builder.keys = malloc(encoder->n_parts * sizeof(*builder.keys));
	builder.order = malloc(2 * (size_t)encoder->n_parts * sizeof(*builder.order));
	uint32_t *roots = calloc(encoder->dag->n_meshes, sizeof(*roots));
	if (!builder.keys || !builder.order || !roots || !list_parts(&builder) ||
		!add_leaves(&builder))
		error = cs_error_nomem();
	if (!error)
		error = hierarchy_check_meshes(&builder);
	if (!error && !pack_meshes(&builder, roots))
		error = cs_error_nomem();
	free(builder.keys);
	free(builder.order);
	free(builder.parts);
	free(builder.first_part);
	cs_vec_free(&builder.tree);
	encoder->resource->nodes = builder.nodes.at;
	encoder->resource->n_nodes = builder.nodes.n;
	encoder->resource->roots = roots;
	encoder->resource->n_roots = encoder->dag->n_meshes;
	return error;
}
