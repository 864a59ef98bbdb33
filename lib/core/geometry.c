/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements the arithmetic of boxes and transforms. All numbers are doubles and no operations are
 * fused (-ffp-contract=off), so that the same input gives the same bits with every compiler.
 */
#include "core/geometry.h"
#include "core/box.h"

#include <math.h>

static struct cs_vec3 multiply(struct cs_vec3 a, struct cs_vec3 b)
{
	return (struct cs_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static struct cs_vec3 geometry_cross(struct cs_vec3 a, struct cs_vec3 b)
{
	return (struct cs_vec3){
		a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

bool cs_box_is_finite(const struct cs_box *box)
{
	return isfinite(box->min.x) && isfinite(box->min.y) && isfinite(box->min.z) &&
	       isfinite(box->max.x) && isfinite(box->max.y) && isfinite(box->max.z);
}

bool cs_transform_is_finite(const struct cs_transform *t)
{
	return isfinite(t->rotation.x) && isfinite(t->rotation.y) && isfinite(t->rotation.z) &&
	       isfinite(t->rotation.w) && isfinite(t->translation.x) &&
	       isfinite(t->translation.y) && isfinite(t->translation.z) && isfinite(t->scale.x) &&
	       isfinite(t->scale.y) && isfinite(t->scale.z);
}

bool cs_box_is_near(const struct cs_box *l, const struct cs_box *r, double distance)
{
	return fabs(l->min.x - r->min.x) <= distance && fabs(l->min.y - r->min.y) <= distance &&
	       fabs(l->min.z - r->min.z) <= distance && fabs(l->max.x - r->max.x) <= distance &&
	       fabs(l->max.y - r->max.y) <= distance && fabs(l->max.z - r->max.z) <= distance;
}

struct cs_box cs_box_union(const struct cs_box *left, const struct cs_box *right)
{
	struct cs_box box = *left;
	if (!cs_box_valid(left))
		return *right;
	if (cs_box_valid(right))
		cs_box_take(&box, right);
	return box;
}

struct cs_vec3 cs_box_centre(const struct cs_box *box)
{
	return (struct cs_vec3){(box->min.x + box->max.x) * 0.5, (box->min.y + box->max.y) * 0.5,
		(box->min.z + box->max.z) * 0.5};
}

static double gap(double value, double low, double high)
{
	if (value < low)
		return low - value;
	return value > high ? value - high : 0;
}

double cs_box_distance2(const struct cs_box *box, struct cs_vec3 point, bool flat)
{
	double x = gap(point.x, box->min.x, box->max.x);
	double y = gap(point.y, box->min.y, box->max.y);
	double z = flat ? 0 : gap(point.z, box->min.z, box->max.z);
	return x * x + y * y + z * z;
}

struct cs_vec3 cs_quat_rotate(struct cs_quat by, struct cs_vec3 vector)
{
	struct cs_vec3 axis = {by.x, by.y, by.z};
	struct cs_vec3 t = geometry_cross(axis, vector);
	t = (struct cs_vec3){2 * t.x, 2 * t.y, 2 * t.z};
	struct cs_vec3 u = geometry_cross(axis, t);
	return (struct cs_vec3){vector.x + by.w * t.x + u.x, vector.y + by.w * t.y + u.y,
		vector.z + by.w * t.z + u.z};
}

struct cs_quat cs_quat_multiply(struct cs_quat l, struct cs_quat r)
{
	return (struct cs_quat){
		l.w * r.x + l.x * r.w + l.y * r.z - l.z * r.y,
		l.w * r.y - l.x * r.z + l.y * r.w + l.z * r.x,
		l.w * r.z + l.x * r.y - l.y * r.x + l.z * r.w,
		l.w * r.w - l.x * r.x - l.y * r.y - l.z * r.z,
	};
}

struct cs_quat cs_quat_from_euler(double pitch, double yaw, double roll)
{
	const double half = acos(-1.0) / 360.0;
	double sp = sin(pitch * half), cp = cos(pitch * half);
	double sy = sin(yaw * half), cy = cos(yaw * half);
	double sr = sin(roll * half), cr = cos(roll * half);
	return (struct cs_quat){
		cr * sp * sy - sr * cp * cy,
		-cr * sp * cy - sr * cp * sy,
		cr * cp * sy - sr * sp * cy,
		cr * cp * cy + sr * sp * sy,
	};
}

struct cs_vec3 cs_quat_to_euler(struct cs_quat q)
{
	const double degrees = 180.0 / acos(-1.0);
	double singularity = q.z * q.x - q.w * q.y;
	double yaw_y = 2 * (q.w * q.z + q.x * q.y);
	double yaw_x = 1 - 2 * (q.y * q.y + q.z * q.z);
	double yaw = atan2(yaw_y, yaw_x) * degrees;
	/* gimbal lock: looking straight up or down, roll and yaw rotate about the same axis */
	if (fabs(singularity) > 0.4999995) {
		double sign = singularity < 0 ? -1 : 1;
		return (struct cs_vec3){sign * 90, yaw, sign * yaw - 2 * atan2(q.x, q.w) * degrees};
	}
	return (struct cs_vec3){
		asin(2 * singularity) * degrees,
		yaw,
		atan2(-2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)) * degrees,
	};
}

struct cs_vec3 cs_transform_point(const struct cs_transform *by, struct cs_vec3 point)
{
	return cs_vec3_add(
		cs_quat_rotate(by->rotation, multiply(by->scale, point)), by->translation);
}

struct cs_box cs_box_into(const struct cs_box *box, const struct cs_transform *space)
{
	const struct cs_quat q = space->rotation;
	const struct cs_vec3 t = space->translation, s = space->scale;
	struct cs_transform turn = CS_TRANSFORM_IDENTITY, stretch = CS_TRANSFORM_IDENTITY;
	if (s.x == 0 || s.y == 0 || s.z == 0 || cs_transform_is_identity(space))
		return *box;
	turn.rotation = (struct cs_quat){-q.x, -q.y, -q.z, q.w};
	turn.translation = cs_quat_rotate(turn.rotation, (struct cs_vec3){-t.x, -t.y, -t.z});
	stretch.scale = (struct cs_vec3){1 / s.x, 1 / s.y, 1 / s.z};
	struct cs_box turned = cs_box_transform(box, &turn);
	return cs_box_transform(&turned, &stretch);
}

struct cs_transform cs_transform_compose(
	const struct cs_transform *child, const struct cs_transform *parent)
{
	return (struct cs_transform){
		.rotation = cs_quat_multiply(parent->rotation, child->rotation),
		.translation = cs_transform_point(parent, child->translation),
		.scale = multiply(parent->scale, child->scale),
	};
}

static struct cs_vec3 divide(struct cs_vec3 v, struct cs_vec3 by)
{
	return (struct cs_vec3){
		by.x == 0 ? 0 : v.x / by.x, by.y == 0 ? 0 : v.y / by.y, by.z == 0 ? 0 : v.z / by.z};
}

struct cs_transform cs_transform_relative(
	const struct cs_transform *whole, const struct cs_transform *parent)
{
	const struct cs_quat q = parent->rotation, back = {-q.x, -q.y, -q.z, q.w};
	const struct cs_vec3 w = whole->translation, p = parent->translation;
	const struct cs_vec3 offset = {w.x - p.x, w.y - p.y, w.z - p.z};
	return (struct cs_transform){
		.rotation = cs_quat_multiply(back, whole->rotation),
		.translation = divide(cs_quat_rotate(back, offset), parent->scale),
		.scale = divide(whole->scale, parent->scale),
	};
}

bool cs_transform_is_identity(const struct cs_transform *t)
{
	return cs_stays(t);
}

struct cs_box cs_box_transform(const struct cs_box *box, const struct cs_transform *by)
{
	if (!cs_box_valid(box) || cs_stays(by))
		return *box;
	struct cs_vec3 half = {(box->max.x - box->min.x) * 0.5, (box->max.y - box->min.y) * 0.5,
		(box->max.z - box->min.z) * 0.5};
	half = multiply(half, by->scale);
	half = (struct cs_vec3){fabs(half.x), fabs(half.y), fabs(half.z)};
	struct cs_vec3 x = cs_quat_rotate(by->rotation, (struct cs_vec3){half.x, 0, 0});
	struct cs_vec3 y = cs_quat_rotate(by->rotation, (struct cs_vec3){0, half.y, 0});
	struct cs_vec3 z = cs_quat_rotate(by->rotation, (struct cs_vec3){0, 0, half.z});
	struct cs_vec3 extent = {fabs(x.x) + fabs(y.x) + fabs(z.x),
		fabs(x.y) + fabs(y.y) + fabs(z.y), fabs(x.z) + fabs(y.z) + fabs(z.z)};
	struct cs_vec3 centre = cs_transform_point(by, cs_box_centre(box));
	return (struct cs_box){
		{centre.x - extent.x, centre.y - extent.y, centre.z - extent.z},
		cs_vec3_add(centre, extent),
	};
}
