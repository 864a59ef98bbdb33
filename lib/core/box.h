/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on boxes and transforms that a cook does for each actor, inline and without calls of
 * fmin() and fmax(). When they compare -0 with 0, they return the right operand, as glibc does on
 * x86.
 */
#pragma once

#include <cellscope/core.h>

static inline double cs_lesser(double left, double right)
{
	return left < right ? left : right;
}

static inline double cs_greater(double left, double right)
{
	return left > right ? left : right;
}

/* Extends `box` to contain `more`, which must be valid. */
static inline void cs_box_take(struct cs_box *box, const struct cs_box *more)
{
	if (!cs_box_valid(box)) {
		*box = *more;
		return;
	}
	*box = (struct cs_box){
		{cs_lesser(box->min.x, more->min.x), cs_lesser(box->min.y, more->min.y),
			cs_lesser(box->min.z, more->min.z)},
		{cs_greater(box->max.x, more->max.x), cs_greater(box->max.y, more->max.y),
			cs_greater(box->max.z, more->max.z)},
	};
}

/* Returns whether the transform is the identity. */
static inline bool cs_stays(const struct cs_transform *t)
{
	return t->rotation.x == 0 && t->rotation.y == 0 && t->rotation.z == 0 &&
	       t->rotation.w == 1 && t->translation.x == 0 && t->translation.y == 0 &&
	       t->translation.z == 0 && t->scale.x == 1 && t->scale.y == 1 && t->scale.z == 1;
}
