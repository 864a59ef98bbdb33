/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of a search of the R-tree: the boxes that intersect a ball somewhat larger than the
 * requested ball. While later requested balls are inside the larger ball, only the cached boxes are
 * tested and the tree is not searched. For a walking source, one frame in hundreds searches the
 * tree.
 */
#pragma once

#include "stream/rtree.h"

struct cs_near {
	struct cs_ball ball; /* the larger ball; radius2 0: nothing is stored */
	double reach;        /* distance from the centre up to which a requested ball may extend */
	const struct cs_rtree *index;
	cs_rtree_found entries; /* entries in the order of the tree; `group` is initially 0 */
};

/* Returns the distance of the centres, in the plane when the ball is flat. */
double cs_ball_apart(const struct cs_ball *ball, const struct cs_ball *other);
/*
 * Appends the ids of the boxes that the ball intersects, in the order of cs_rtree_query; false
 * without memory. `radius` is the radius of `ball`.
 */
bool cs_near_query(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius, cs_ids *ids);
/*
 * Returns the distance from the ball to the border of the larger ball; negative when the ball is
 * not inside of it or nothing is stored, so that the tree must be searched.
 */
double cs_near_room(const struct cs_near *near, const struct cs_rtree *index,
	const struct cs_ball *ball, double radius);
/* Searches the tree for the neighbourhood of the ball; false without memory. */
bool cs_near_look(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius) CS_MUST_USE;
/* Returns whether the entries take more memory than skipping the search is worth. */
bool cs_near_is_crowded(const struct cs_near *near);
void cs_near_forget(struct cs_near *near);
void cs_near_deinit(struct cs_near *near);
