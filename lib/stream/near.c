/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the boxes around a place. The larger ball is an eighth wider; a ball counts as inside while
 * half of that is left, so that no rounding of a distance can matter.
 */
#include "stream/near.h"

#include <math.h>

/* More boxes than that are no neighbourhood: they would take more memory than the tree saves. */
enum { MOST = 4096 };

#define WIDER 0.125

static bool is_inside(const struct cs_near *near, const struct cs_rtree *index,
	const struct cs_ball *ball, double radius)
{
	if (near->index != index || near->ball.flat != ball->flat || !(near->ball.radius2 > 0))
		return false;
	double x = ball->centre.x - near->ball.centre.x, y = ball->centre.y - near->ball.centre.y;
	double z = ball->flat ? 0 : ball->centre.z - near->ball.centre.z;
	return sqrt(x * x + y * y + z * z) + radius <= near->reach;
}

static bool look_around(struct cs_near *near, const struct cs_rtree *index,
	const struct cs_ball *ball, double radius)
{
	double wide = radius * (1 + WIDER);
	near->ball = (struct cs_ball){ball->centre, wide * wide, ball->flat, false};
	near->reach = radius * (1 + WIDER / 2);
	near->index = index;
	near->entries.n = 0;
	return cs_rtree_entries(index, &near->ball, &near->entries);
}

bool cs_near_query(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius, cs_ids *ids)
{
	if (!is_inside(near, index, ball, radius) && !look_around(near, index, ball, radius))
		return false;
	if (!cs_vec_reserve(ids, near->entries.n))
		return false;
	for (size_t i = 0; i < near->entries.n; i++) {
		ids->at[ids->n] = near->entries.at[i].id;
		ids->n += cs_ball_hits(ball, &near->entries.at[i].box);
	}
	if (near->entries.n > MOST)
		cs_near_deinit(near);
	return true;
}

void cs_near_deinit(struct cs_near *near)
{
	cs_vec_free(&near->entries);
	*near = (struct cs_near){.reach = 0};
}
