/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds and searches the R-tree. The Hilbert curve is Skilling's transpose form ("Programming the
 * Hilbert curve", 2004), in two dimensions for flat worlds and in three otherwise; the packing is
 * that of Kamel and Faloutsos ("On packing R-trees", 1993).
 */
#include "stream/rtree.h"

#include "core/geometry.h"
#include "core/parallel.h"
#include "core/sort.h"

#include <math.h>

enum { BITS = 20, GRAIN = 1 << 14 };

/* ---- order of the leaves ---- */

static void hilbert_transpose(uint32_t *x, int dimensions)
{
	for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1) {
		for (int i = 0; i < dimensions; i++) {
			uint32_t swap = x[i] & q ? q - 1 : (x[0] ^ x[i]) & (q - 1);
			x[0] ^= swap;
			if (!(x[i] & q))
				x[i] ^= swap;
		}
	}
	for (int i = 1; i < dimensions; i++)
		x[i] ^= x[i - 1];
	uint32_t turn = 0;
	for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
		if (x[dimensions - 1] & q)
			turn ^= q - 1;
	for (int i = 0; i < dimensions; i++)
		x[i] ^= turn;
}

static uint64_t hilbert_key(uint32_t *x, int dimensions)
{
	uint64_t key = 0;
	hilbert_transpose(x, dimensions);
	for (int bit = BITS - 1; bit >= 0; bit--)
		for (int i = 0; i < dimensions; i++)
			key = key << 1 | (x[i] >> bit & 1);
	return key;
}

struct ordering {
	const struct cs_rtree_entry *entries;
	struct cs_sort_key *keys;
	struct cs_box centres; /* box around the centres of all entries */
	int dimensions;
};

/* Returns the centre of an interval, or 0 for an infinite one, which has no centre. */
static double middle(double low, double high)
{
	double centre = low * 0.5 + high * 0.5;
	return isfinite(centre) ? centre : 0;
}

static struct cs_vec3 entry_centre(const struct cs_rtree_entry *entry)
{
	return (struct cs_vec3){middle(entry->box.min.x, entry->box.max.x),
		middle(entry->box.min.y, entry->box.max.y),
		middle(entry->box.min.z, entry->box.max.z)};
}

static uint32_t quantise(double value, double low, double high)
{
	double span = high - low;
	if (!(span > 0) || !isfinite(span))
		return 0;
	return (uint32_t)((value - low) / span * ((1u << BITS) - 1));
}

static void compute_keys(void *context, size_t begin, size_t end, int thread)
{
	const struct ordering *ordering = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct cs_vec3 centre = entry_centre(&ordering->entries[i]);
		uint32_t x[3] = {
			quantise(centre.x, ordering->centres.min.x, ordering->centres.max.x),
			quantise(centre.y, ordering->centres.min.y, ordering->centres.max.y),
			quantise(centre.z, ordering->centres.min.z, ordering->centres.max.z)};
		ordering->keys[i] = (struct cs_sort_key){ordering->entries[i].group,
			hilbert_key(x, ordering->dimensions), (uint32_t)i};
	}
}

static struct cs_sort_key *order_entries(
	const struct cs_rtree_entry *entries, size_t n, int threads)
{
	struct ordering ordering = {.entries = entries, .centres = CS_BOX_INVALID};
	ordering.keys = malloc(n * sizeof(*ordering.keys));
	if (!ordering.keys)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct cs_vec3 centre = entry_centre(&entries[i]);
		struct cs_box point = {centre, centre};
		ordering.centres = cs_box_union(&ordering.centres, &point);
	}
	ordering.dimensions = ordering.centres.max.z > ordering.centres.min.z ? 3 : 2;
	cs_parallel_for(threads, n, GRAIN, compute_keys, &ordering);
	if (!cs_sort_keys(ordering.keys, n)) {
		free(ordering.keys);
		return NULL;
	}
	return ordering.keys;
}

/* ---- building the tree ---- */

static void rtree_lay_out(struct cs_rtree *index, size_t n)
{
	size_t total = 0;
	index->n = n;
	for (;;) {
		index->first[index->levels++] = total;
		total += n;
		if (n <= CS_RTREE_FAN)
			break;
		n = (n + CS_RTREE_FAN - 1) / CS_RTREE_FAN;
	}
	index->first[index->levels] = total;
}

static size_t level_size(const struct cs_rtree *index, unsigned level)
{
	return index->first[level + 1] - index->first[level];
}

static void bound_level(struct cs_rtree *index, unsigned level)
{
	const struct cs_box *below = index->boxes + index->first[level - 1];
	struct cs_box *boxes = index->boxes + index->first[level];
	size_t n_below = level_size(index, level - 1);
	for (size_t i = 0; i < n_below; i++) {
		struct cs_box *box = &boxes[i / CS_RTREE_FAN];
		*box = i % CS_RTREE_FAN ? cs_box_union(box, &below[i]) : below[i];
	}
}

struct cs_error *cs_rtree_build(
	struct cs_rtree_entry *entries, size_t n, int threads, struct cs_rtree *ret)
{
	struct cs_rtree index = {0};
	if (n == 0) {
		*ret = index;
		return NULL;
	}
	rtree_lay_out(&index, n);
	struct cs_sort_key *keys = order_entries(entries, n, threads);
	index.ids = malloc(n * sizeof(*index.ids));
	index.boxes = malloc(index.first[index.levels] * sizeof(*index.boxes));
	if (!keys || !index.ids || !index.boxes) {
		free(keys);
		cs_rtree_deinit(&index);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < n; i++) {
		index.ids[i] = entries[keys[i].index].id;
		index.boxes[i] = entries[keys[i].index].box;
	}
	free(keys);
	for (unsigned level = 1; level < index.levels; level++)
		bound_level(&index, level);
	*ret = index;
	return NULL;
}

void cs_rtree_deinit(struct cs_rtree *index)
{
	free(index->ids);
	free(index->boxes);
	*index = (struct cs_rtree){0};
}

/* ---- searching ---- */

struct node {
	unsigned level;
	size_t index;
};

/* A depth-first search for leaves below nodes that the ball meets. Leaf boxes are not tested. */
struct walk {
	const struct cs_rtree *index;
	/* ball for testing nodes, never strict: touching the box of a node is enough */
	struct cs_ball loose;
	struct node stack[CS_RTREE_LEVELS * CS_RTREE_FAN];
	size_t depth;
};

static void begin_walk(struct walk *walk, const struct cs_rtree *index, const struct cs_ball *ball)
{
	walk->index = index;
	walk->loose = *ball;
	walk->loose.strict = false;
	walk->depth = 0;
	if (index->n)
		walk->stack[walk->depth++] = (struct node){index->levels, 0};
}

/* Finds the next range of neighbouring leaves, *begin .. *end; false after the last one. */
static bool next_leaves(struct walk *walk, size_t *begin, size_t *end)
{
	const struct cs_rtree *index = walk->index;
	while (walk->depth) {
		struct node node = walk->stack[--walk->depth];
		unsigned level = node.level - 1;
		size_t n = level_size(index, level);
		*begin = node.index * CS_RTREE_FAN;
		*end = n - *begin < CS_RTREE_FAN ? n : *begin + CS_RTREE_FAN;
		if (level == 0)
			return true;
		const struct cs_box *boxes = index->boxes + index->first[level];
		for (size_t i = *begin; i < *end; i++)
			if (cs_ball_hits(&walk->loose, &boxes[i]))
				walk->stack[walk->depth++] = (struct node){level, i};
	}
	return false;
}

bool cs_rtree_query(const struct cs_rtree *index, const struct cs_ball *ball, cs_ids *ids)
{
	struct walk walk;
	size_t begin, end;
	begin_walk(&walk, index, ball);
	while (next_leaves(&walk, &begin, &end)) {
		if (!cs_vec_reserve(ids, CS_RTREE_FAN))
			return false;
		for (size_t i = begin; i < end; i++)
			if (cs_ball_hits(ball, &index->boxes[i]))
				ids->at[ids->n++] = index->ids[i];
	}
	return true;
}

bool cs_rtree_entries(
	const struct cs_rtree *index, const struct cs_ball *ball, cs_rtree_found *found)
{
	struct walk walk;
	size_t begin, end;
	begin_walk(&walk, index, ball);
	while (next_leaves(&walk, &begin, &end)) {
		if (!cs_vec_reserve(found, CS_RTREE_FAN))
			return false;
		for (size_t i = begin; i < end; i++)
			if (cs_ball_hits(ball, &index->boxes[i]))
				found->at[found->n++] = (struct cs_rtree_entry){
					.box = index->boxes[i], .id = index->ids[i]};
	}
	return true;
}
