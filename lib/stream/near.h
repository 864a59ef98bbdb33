/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies around a place: the boxes that a ball somewhat larger than the asked one meets. While
 * the asked ball stays inside of it, its answer is among them, and the tree is not asked again. A
 * source that walks asks the tree once in hundreds of frames.
 */
#pragma once

#include "stream/rtree.h"

struct cs_near {
	struct cs_ball ball; /* the larger one; radius2 0: nothing is kept */
	double reach;        /* how far a ball may reach from its centre to be inside */
	const struct cs_rtree *index;
	cs_rtree_found entries; /* in the order in which the tree gives them; group: 0 at first */
};

/* How far one ball lies from another by their centres, in the plane where it is flat. */
double cs_ball_apart(const struct cs_ball *ball, const struct cs_ball *other);
/*
 * Appends the ids of the boxes that the ball meets, as cs_rtree_query does and in its order; false
 * without memory. `radius` is that of the ball.
 */
bool cs_near_query(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius, cs_ids *ids);
/*
 * For whoever looks at the entries: keeps them while the ball is inside, `room` from the border of
 * the larger one; negative when it is not, or nothing is known. Looking finds them anew.
 */
double cs_near_room(const struct cs_near *near, const struct cs_rtree *index,
	const struct cs_ball *ball, double radius);
bool cs_near_look(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius) CS_MUST_USE;
/* Whether the entries are so many that they take more memory than the tree saves. */
bool cs_near_is_crowded(const struct cs_near *near);
void cs_near_forget(struct cs_near *near);
void cs_near_deinit(struct cs_near *near);
