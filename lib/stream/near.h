/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache for searches of an R-tree. It stores the boxes that intersect a ball somewhat larger than
 * the requested one. While later requested balls are inside the larger ball, the cached boxes are
 * tested instead of searching the tree. For a walking source, about one frame in hundreds searches
 * the tree.
 */
#pragma once

#include "stream/rtree.h"

struct cs_near {
	/* ball that all boxes in `entries` intersect; radius2 = 0: the cache is empty */
	struct cs_ball ball;
	/*
	 * limit in cm: the cache serves a ball if its radius plus the distance between the centres
	 * of the two balls is at most this
	 */
	double reach;
	const struct cs_rtree *index;
	cs_rtree_found entries; /* boxes in the order of the tree; `group` is initially 0 */
};

/* Returns the distance between the centres of two balls, ignoring Z if `ball` is flat. */
double cs_ball_apart(const struct cs_ball *ball, const struct cs_ball *other);
/* Appends the ids of boxes that the ball meets, in cs_rtree_query's order; false = no memory. */
bool cs_near_query(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius, cs_ids *ids);
/*
 * Returns how far the ball may move until the cached boxes no longer suffice; negative if they do
 * not suffice for this ball or nothing is cached: then the tree must be searched.
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
