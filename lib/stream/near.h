/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies around a place: the boxes that a ball somewhat larger than the asked one meets. While
 * the asked ball stays inside of it, its answer is among them, and the tree is not asked again. A
 * source that walks asks the tree once in hundreds of frames.
 */
#ifndef STREAM_NEAR_H
#define STREAM_NEAR_H

#include "stream/rtree.h"

struct cs_near {
	struct cs_ball ball; /* the larger one; radius2 0: nothing is kept */
	double reach;        /* how far a ball may reach from its centre to be inside */
	const struct cs_rtree *index;
	cs_rtree_found entries; /* in the order in which the tree gives them */
};

/*
 * Appends the ids of the boxes that the ball meets, as cs_rtree_query does and in its order; false
 * without memory. `radius` is that of the ball.
 */
bool cs_near_query(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius, cs_ids *ids);
void cs_near_deinit(struct cs_near *near);

#endif
