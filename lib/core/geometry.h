/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of boxes, rotations and transforms, in centimetres and degrees, Z up. */
#pragma once

#include <cellscope/core.h>

static inline struct cs_vec3 cs_vec3_add(struct cs_vec3 a, struct cs_vec3 b)
{
	return (struct cs_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct cs_vec3 cs_vec3_minus(struct cs_vec3 a, struct cs_vec3 b)
{
	return (struct cs_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double cs_vec3_dot(struct cs_vec3 a, struct cs_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Compares coordinates by value, so that -0 equals 0. */
static inline bool cs_box_equals(const struct cs_box *l, const struct cs_box *r)
{
	return l->min.x == r->min.x && l->min.y == r->min.y && l->min.z == r->min.z &&
	       l->max.x == r->max.x && l->max.y == r->max.y && l->max.z == r->max.z;
}

/* Returns whether each coordinate of the two boxes differs by at most `distance`. */
bool cs_box_is_near(const struct cs_box *left, const struct cs_box *right, double distance);
struct cs_box cs_box_union(const struct cs_box *left, const struct cs_box *right);
struct cs_vec3 cs_box_centre(const struct cs_box *box);
/* Returns the squared distance from a point to a box, or 0 if inside. With `flat`, Z is ignored. */
double cs_box_distance2(const struct cs_box *box, struct cs_vec3 point, bool flat);
/* Returns the axis-aligned box around the transformed box. An invalid box stays invalid. */
struct cs_box cs_box_transform(const struct cs_box *box, const struct cs_transform *by);
/*
 * Converts a box from world coordinates to those of `space`: returns the axis-aligned box around
 * it, or the unchanged box if the scale of `space` is 0 on any axis.
 */
struct cs_box cs_box_into(const struct cs_box *box, const struct cs_transform *space);
struct cs_vec3 cs_quat_rotate(struct cs_quat by, struct cs_vec3 vector);
struct cs_quat cs_quat_multiply(struct cs_quat left, struct cs_quat right);
/* Returns pitch, yaw and roll in degrees, in the convention of Unreal's FRotator. */
struct cs_vec3 cs_quat_to_euler(struct cs_quat quat);
struct cs_vec3 cs_transform_point(const struct cs_transform *by, struct cs_vec3 point);
/* Returns the transform that applies `child`, then `parent`. Scales multiply per axis, as in UE. */
struct cs_transform cs_transform_compose(
	const struct cs_transform *child, const struct cs_transform *parent);
/*
 * Returns the `child` for which cs_transform_compose(child, parent) is `whole`. Axes on which the
 * parent's scale is 0 get scale and translation 0.
 */
struct cs_transform cs_transform_relative(
	const struct cs_transform *whole, const struct cs_transform *parent);
bool cs_transform_is_identity(const struct cs_transform *transform);
bool cs_box_is_finite(const struct cs_box *box);
bool cs_transform_is_finite(const struct cs_transform *transform);
