/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of the boxes near a ball (what a source reaches): the boxes that touch a ball with the
 * same centre whose radius is larger by an eighth. The cache serves only balls inside a ball whose
 * radius is larger by a sixteenth, so that rounding of distances cannot matter.
 */
#include "stream/rtree.h"

#include <math.h>

enum { MOST = 4096 };

#define WIDER 0.125

double cs_ball_apart(const struct cs_ball *ball, const struct cs_ball *other)
{
	double x = ball->centre.x - other->centre.x, y = ball->centre.y - other->centre.y;
	double z = ball->flat ? 0 : ball->centre.z - other->centre.z;
	return sqrt(x * x + y * y + z * z);
}

double cs_near_room(const struct cs_near *near, const struct cs_rtree *index,
	const struct cs_ball *ball, double radius)
{
	if (near->index != index || near->ball.flat != ball->flat || !(near->ball.radius2 > 0))
		return -1;
	return near->reach - (cs_ball_apart(ball, &near->ball) + radius);
}

bool cs_near_look(struct cs_near *near, const struct cs_rtree *index, const struct cs_ball *ball,
	double radius)
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
	if (!(cs_near_room(near, index, ball, radius) >= 0) &&
		!cs_near_look(near, index, ball, radius))
		return false;
	if (!cs_vec_reserve(ids, near->entries.n))
		return false;
	for (size_t i = 0; i < near->entries.n; i++) {
		ids->at[ids->n] = near->entries.at[i].id;
		ids->n += cs_ball_hits(ball, &near->entries.at[i].box);
	}
	if (cs_near_is_crowded(near))
		cs_near_deinit(near);
	return true;
}

bool cs_near_is_crowded(const struct cs_near *near)
{
	return near->entries.n > MOST;
}

void cs_near_forget(struct cs_near *near)
{
	near->entries.n = 0;
	near->ball.radius2 = 0;
}

void cs_near_deinit(struct cs_near *near)
{
	cs_vec_free(&near->entries);
	*near = (struct cs_near){.reach = 0};
}
