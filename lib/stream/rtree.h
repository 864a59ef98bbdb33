/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A static spatial index of boxes: a packed R-tree without pointers. Entries are sorted by group
 * and along a Hilbert curve through their centres. Each node covers sixteen neighbours of the level
 * below. The boxes are stored level by level, leaves first, so the children of node i are nodes 16
 * i .. 16 i + 15 of the level below.
 *
 * Building is one radix sort and one pass. A query visits only nodes that intersect the ball, so
 * its cost follows the number of boxes found. On an axis that tests ignore, a box is infinite.
 */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

enum { CS_RTREE_FAN = 16, CS_RTREE_LEVELS = 9 };

struct cs_rtree_entry {
	struct cs_box box; /* min <= max; may be infinite */
	uint32_t id;
	uint32_t group; /* entries of a group are adjacent in the tree; a group is a grid level */
};

struct cs_rtree {
	uint32_t *ids;        /* ids of the boxes, in the order of the leaves */
	struct cs_box *boxes; /* boxes of the nodes of all levels */
	size_t n;             /* number of leaves */
	unsigned levels;
	/* index in `boxes` of the first box of each level; the last entry is the number of boxes */
	size_t first[CS_RTREE_LEVELS + 1];
};

/* A ball: intersects a box if the squared distance is < (`strict`) or <= (else) radius2. */
struct cs_ball {
	struct cs_vec3 centre;
	double radius2;
	bool flat; /* Z is ignored */
	bool strict;
};

typedef CS_VEC(uint32_t) cs_ids;
typedef CS_VEC(struct cs_rtree_entry) cs_rtree_found;

/* Builds an index. It changes the order of `entries`, which the caller continues to own. */
struct cs_error *cs_rtree_build(
	struct cs_rtree_entry *entries, size_t n, int threads, struct cs_rtree *ret) CS_MUST_USE;
void cs_rtree_deinit(struct cs_rtree *index);
/* Appends the ids of the boxes that the ball intersects; false when memory runs out. */
bool cs_rtree_query(const struct cs_rtree *index, const struct cs_ball *ball, cs_ids *ids);
/* Appends the boxes and ids that cs_rtree_query finds, in its order, with `group` set to 0. */
bool cs_rtree_entries(
	const struct cs_rtree *index, const struct cs_ball *ball, cs_rtree_found *found);

/* Returns the distance of a value from an interval, 0 inside the interval. */
static inline double cs_gap(double value, double low, double high)
{
	double below = low - value, above = value - high;
	double gap = below > above ? below : above;
	return gap > 0 ? gap : 0;
}

static inline double cs_ball_distance2(const struct cs_ball *ball, const struct cs_box *box)
{
	double x = cs_gap(ball->centre.x, box->min.x, box->max.x);
	double y = cs_gap(ball->centre.y, box->min.y, box->max.y);
	double z = ball->flat ? 0 : cs_gap(ball->centre.z, box->min.z, box->max.z);
	return x * x + y * y + z * z;
}

static inline bool cs_ball_hits(const struct cs_ball *ball, const struct cs_box *box)
{
	double distance2 = cs_ball_distance2(ball, box);
	return ball->strict ? distance2 < ball->radius2 : distance2 <= ball->radius2;
}

/* ---- near.c ---- */

/*
 * A cache for searches of an R-tree. It stores the boxes that intersect a ball somewhat larger than
 * the requested one. While later requested balls are inside the larger ball, the cached boxes are
 * tested instead of searching the tree. For a walking source, about one frame in hundreds searches
 * the tree.
 */
struct cs_near {
	/* ball that all boxes in `entries` intersect; radius2 = 0: the cache is empty */
	struct cs_ball ball;
	/*
	 * limit in cm: the cache serves a ball if its radius plus the distance between the centres
	 * of the two balls is at most this
	 */
	double reach;
	const struct cs_rtree *index;
	cs_rtree_found entries; /* boxes in the order of the tree; `group`: 0, or as set later */
};

/* Returns the distance between the centres of two balls, ignoring Z if `ball` is flat. */
double cs_ball_apart(const struct cs_ball *ball, const struct cs_ball *other);
/* Does the same as cs_rtree_query by testing the cached boxes; fills the cache if necessary. */
bool cs_near_query(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius, cs_ids *ids);
/*
 * Returns how far the ball may move until the cached boxes no longer suffice. Negative: they do not
 * suffice for this ball, or nothing is cached, so that the tree must be searched.
 */
double cs_near_room(const struct cs_near *near, const struct cs_rtree *index,
	const struct cs_ball *ball, double radius);
/* Stores in the cache the boxes of the tree near the ball; false when memory runs out. */
bool cs_near_look(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius) CS_MUST_USE;
/* Returns whether the cache has more boxes than are worth the memory and the time to test them. */
bool cs_near_is_crowded(const struct cs_near *near);
void cs_near_forget(struct cs_near *near);
void cs_near_deinit(struct cs_near *near);
