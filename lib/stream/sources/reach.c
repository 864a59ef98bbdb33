/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometry of sources: where a shape is, the sector tests (rule 2.2.4), and distance and angle
 * for the sort key of cells (2.3.5). Where `flat` is set, tests ignore Z and use only the yaw.
 *
 * Axes as in UE: X forward, Y right, Z up; a positive yaw turns X towards Y.
 */
#include "stream/reach.h"
#include "core/geometry.h"

#include <math.h>

/* Returns the vector with length 1; the zero vector is returned unchanged. */
static struct cs_vec3 reach_unit(struct cs_vec3 v)
{
	double length = sqrt(cs_vec3_dot(v, v));
	if (!(length > 0))
		return v;
	return (struct cs_vec3){v.x / length, v.y / length, v.z / length};
}

static double radians(double degrees)
{
	return degrees * (acos(-1.0) / 180.0);
}

/* ---- position and axes of a shape ---- */

static struct cs_quat quat_of(struct cs_rotator r)
{
	return cs_quat_from_euler(r.pitch, r.yaw, r.roll);
}

static struct cs_vec3 turn_to_local(const struct cs_run_space *space, struct cs_vec3 vector)
{
	return space->inverse ? cs_quat_rotate(space->inverse->rotation, vector) : vector;
}

static struct cs_vec3 flat_direction(double yaw)
{
	return (struct cs_vec3){cos(radians(yaw)), sin(radians(yaw)), 0};
}

static const struct cs_rotator no_rotation = {0, 0, 0};

static struct cs_rotator turn_of(const struct cs_run_reach *reach, struct cs_rotator rotation)
{
	return reach->ball.flat ? (struct cs_rotator){0, rotation.yaw, 0} : rotation;
}

/* Returns the centre of a shape: the source's location plus the rotated offset of the shape. */
static struct cs_vec3 centre_of(const struct cs_run_reach *reach,
	const struct cs_run_origin *origin, const struct cs_stream_shape *shape)
{
	if (!shape || (shape->location.x == 0 && shape->location.y == 0 && shape->location.z == 0))
		return origin->location;
	struct cs_quat turn = quat_of(turn_of(reach, origin->rotation));
	return cs_vec3_add(origin->location, cs_quat_rotate(turn, shape->location));
}

static struct cs_vec3 axis_of(const struct cs_run_reach *reach, const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, const struct cs_run_space *space)
{
	const struct cs_rotator own = shape ? shape->rotation : no_rotation;
	if (reach->ball.flat)
		return flat_direction(origin->rotation.yaw + own.yaw - space->yaw);
	struct cs_vec3 forward = cs_quat_rotate(quat_of(own), (struct cs_vec3){1, 0, 0});
	return turn_to_local(space, cs_quat_rotate(quat_of(origin->rotation), forward));
}

void cs_run_reach_aim(struct cs_run_reach *reach, const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, const struct cs_run_space *space)
{
	if (reach->aimed)
		return;
	reach->aimed = true;
	reach->axis = axis_of(reach, origin, shape, space);
	reach->order_axis = reach->axis;
	if (!origin->source->use_velocity)
		return;
	/*
	 * The rules do not define the weight of the velocity: here cm/s are added to the unit axis,
	 * so for a moving source its direction of movement dominates.
	 */
	struct cs_vec3 local = turn_to_local(space, origin->velocity);
	if (reach->ball.flat)
		local.z = 0;
	reach->order_axis = reach_unit(cs_vec3_add(reach->axis, local));
}

struct cs_run_reach cs_run_reach_of(const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, double loading_range, const struct cs_run_space *space)
{
	struct cs_run_reach reach = {.radius = loading_range, .z_culled = space->z_culled};
	double angle = 360;
	if (shape && !shape->use_grid_range)
		reach.radius = shape->radius;
	else if (shape)
		reach.radius = loading_range * shape->range_scale;
	if (shape && shape->sector)
		angle = fmin(360, shape->angle + origin->extra_angle);
	reach.radius = fmax(0, reach.radius + origin->extra_radius);
	reach.ball.radius2 = reach.radius * reach.radius;
	reach.ball.strict = space->strict;
	reach.ball.flat = space->flat || origin->source->force_2d;
	reach.ball.centre = centre_of(&reach, origin, shape);
	if (space->inverse)
		reach.ball.centre = cs_transform_point(space->inverse, reach.ball.centre);
	reach.sector = angle < 360;
	if (reach.sector) {
		reach.half_cos = cos(radians(angle * 0.5));
		reach.half_sin = sin(radians(angle * 0.5));
		reach.wide = angle > 180;
		cs_run_reach_aim(&reach, origin, shape, space);
	}
	return reach;
}

/* ---- sector tests ---- */

static double cross2(struct cs_vec3 a, struct cs_vec3 b)
{
	return a.x * b.y - a.y * b.x;
}

static struct cs_vec3 turned(struct cs_vec3 v, double cosine, double sine)
{
	return (struct cs_vec3){v.x * cosine - v.y * sine, v.x * sine + v.y * cosine, 0};
}

/* Tests a box against a sector <= 180 degrees; false = all corners beyond one edge, or behind. */
static bool narrow_keeps(const struct cs_run_reach *reach, const struct cs_vec3 corners[4])
{
	struct cs_vec3 left = turned(reach->axis, reach->half_cos, -reach->half_sin);
	struct cs_vec3 right = turned(reach->axis, reach->half_cos, reach->half_sin);
	int beyond_left = 0, beyond_right = 0, behind = 0;
	for (int i = 0; i < 4; i++) {
		beyond_left += cross2(left, corners[i]) < 0;
		beyond_right += cross2(right, corners[i]) > 0;
		behind += cs_vec3_dot(reach->axis, corners[i]) < 0;
	}
	return beyond_left < 4 && beyond_right < 4 && behind < 4;
}

/* Tests a box against a sector over 180 degrees; false = all corners in the wedge that it omits. */
static bool wide_keeps(const struct cs_run_reach *reach, const struct cs_vec3 corners[4])
{
	struct cs_vec3 left = turned(reach->axis, reach->half_cos, -reach->half_sin);
	struct cs_vec3 right = turned(reach->axis, reach->half_cos, reach->half_sin);
	for (int i = 0; i < 4; i++) {
		bool in_front = cs_vec3_dot(reach->axis, corners[i]) >= 0;
		bool excluded = cross2(left, corners[i]) < 0 && cross2(right, corners[i]) > 0;
		if (in_front || !excluded)
			return true;
	}
	return false;
}

static bool flat_sector_keeps(const struct cs_run_reach *reach, const struct cs_box *box)
{
	struct cs_vec3 c = reach->ball.centre;
	const struct cs_vec3 corners[4] = {
		{box->min.x - c.x, box->min.y - c.y, 0},
		{box->max.x - c.x, box->min.y - c.y, 0},
		{box->max.x - c.x, box->max.y - c.y, 0},
		{box->min.x - c.x, box->max.y - c.y, 0},
	};
	return reach->wide ? wide_keeps(reach, corners) : narrow_keeps(reach, corners);
}

/*
 * Tests a cone against the bounding sphere of the box: true if the angle between the axis and the
 * direction to the centre is at most half the sector's angle plus the angular radius of the sphere.
 */
static bool cone_keeps(const struct cs_run_reach *reach, const struct cs_box *box)
{
	struct cs_vec3 half = cs_vec3_minus(box->max, cs_box_centre(box));
	struct cs_vec3 to_centre = cs_vec3_minus(cs_box_centre(box), reach->ball.centre);
	double radius2 = cs_vec3_dot(half, half), distance2 = cs_vec3_dot(to_centre, to_centre);
	if (distance2 <= radius2)
		return true;
	double distance = sqrt(distance2), sine = sqrt(radius2) / distance;
	if (reach->wide && sine > reach->half_sin)
		return true;
	double cosine = sqrt(1 - sine * sine);
	double limit = reach->half_cos * cosine - reach->half_sin * sine;
	return cs_vec3_dot(reach->axis, to_centre) >= distance * limit;
}

bool cs_run_reach_keeps(const struct cs_run_reach *reach, const struct cs_box *box,
	const struct cs_box *content, bool flat)
{
	if (reach->z_culled && (content->max.z < reach->ball.centre.z - reach->radius ||
				       content->min.z > reach->ball.centre.z + reach->radius))
		return false;
	if (!reach->sector)
		return true;
	return flat || reach->ball.flat ? flat_sector_keeps(reach, box) : cone_keeps(reach, box);
}

/* ---- distance and angle for the sort key ---- */

static double nearest(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

struct cs_run_metric cs_run_reach_metric(
	const struct cs_run_reach *reach, const struct cs_box *content, bool flat)
{
	struct cs_ball ball = reach->ball;
	struct cs_vec3 c = ball.centre;
	ball.flat = ball.flat || flat;
	struct cs_vec3 closest = {nearest(c.x, content->min.x, content->max.x),
		nearest(c.y, content->min.y, content->max.y),
		ball.flat ? c.z : nearest(c.z, content->min.z, content->max.z)};
	struct cs_run_metric metric = {.distance2 = cs_ball_distance2(&ball, content)};
	if (metric.distance2 == 0)
		/* the centre is inside the content: the angle counts as straight ahead */
		return metric;
	double distance = sqrt(metric.distance2); /* length of the vector to the content */
	struct cs_vec3 away = cs_vec3_minus(c, closest);
	struct cs_vec3 direction = {away.x / distance, away.y / distance, away.z / distance};
	metric.aside = 0.5 * cs_vec3_dot(reach->order_axis, direction) + 0.5;
	metric.near = 1;
	metric.ratio = INFINITY;
	if (reach->radius > 0) {
		metric.near = fmin(1, metric.distance2 / ball.radius2);
		metric.ratio = distance / reach->radius;
	}
	return metric;
}
