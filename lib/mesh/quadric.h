/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quadrics: the sum of squared distances to planes as a function of the position (Garland, Heckbert
 * 1997), and linear functions of the position, four at once, for attributes (Hoppe 1999).
 *
 * Each quadric and each function has its own origin near the surface that it represents. So single
 * precision is enough: far from the origin the terms of a quadric would cancel, near it they are as
 * small as its values. Every 64-bit processor adds four floats at once, which matters because half
 * the time of a simplification is spent on these sums.
 */
#pragma once

#include <stdbool.h>

typedef float cs_four __attribute__((vector_size(16)));

/* ---- four floats: a vector x y z and 0, or the values of four attributes ---- */

#define CS_LANES(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

static inline cs_four cs_yzx(cs_four v)
{
	return CS_LANES(v, v, 1, 2, 0, 3);
}

static inline cs_four cs_zxy(cs_four v)
{
	return CS_LANES(v, v, 2, 0, 1, 3);
}

static inline float cs_sum(cs_four v)
{
	cs_four halves = v + CS_LANES(v, v, 2, 3, 2, 3);
	return halves[0] + halves[1];
}

/* Returns a vector whose four lanes are the sums of the lanes of a, of b, of c and of d. */
static inline cs_four cs_sums(cs_four a, cs_four b, cs_four c, cs_four d)
{
	cs_four ab = CS_LANES(a, b, 0, 4, 1, 5) + CS_LANES(a, b, 2, 6, 3, 7);
	cs_four cd = CS_LANES(c, d, 0, 4, 1, 5) + CS_LANES(c, d, 2, 6, 3, 7);
	return CS_LANES(ab, cd, 0, 1, 4, 5) + CS_LANES(ab, cd, 2, 3, 6, 7);
}

static inline cs_four cs_cross_four(cs_four a, cs_four b)
{
	return cs_yzx(a * cs_yzx(b) - cs_yzx(a) * b);
}

/* ---- quadrics ---- */

/*
 * A quadric. Its value at p (relative to the origin) is p A p + 2 b p + c, where A is symmetric.
 * `squares` contains xx yy zz of A, `mixed` contains xy yz zx of A. Their last lanes are unused.
 * `linear` contains b and, in the last lane, c.
 */
struct cs_quadric {
	cs_four squares, mixed, linear;
};

static inline void cs_quadric_add(struct cs_quadric *to, const struct cs_quadric *from)
{
	to->squares += from->squares;
	to->mixed += from->mixed;
	to->linear += from->linear;
}

/* Adds to q `weight` times the squared distance from the plane through the origin with `normal`. */
static inline void cs_quadric_add_plane(struct cs_quadric *q, cs_four normal, float weight)
{
	cs_four weighted = normal * weight;
	q->squares += weighted * normal;
	q->mixed += weighted * cs_yzx(normal);
}

/* Returns A p, where A is the matrix of the quadric. */
static inline cs_four cs_quadric_slope(const struct cs_quadric *q, cs_four p)
{
	return q->squares * p + q->mixed * cs_yzx(p) + cs_zxy(q->mixed) * cs_zxy(p);
}

static inline float cs_quadric_at(const struct cs_quadric *q, cs_four p)
{
	return cs_sum(p * (cs_quadric_slope(q, p) + 2 * q->linear)) + q->linear[3];
}

/* Moves the origin of the quadric to p. The represented function stays the same. */
static inline void cs_quadric_move(struct cs_quadric *q, cs_four p)
{
	cs_four slope = cs_quadric_slope(q, p);
	float constant = cs_sum(p * (slope + 2 * q->linear)) + q->linear[3];
	q->linear += slope;
	q->linear[3] = constant;
}

/*
 * Finds the point with the smallest value, and that value. Returns false if the point is badly
 * determined, because the matrix is nearly singular. Uses the LDL decomposition, in which each
 * pivot subtracts a square from the constant.
 */
static inline bool cs_quadric_least(const struct cs_quadric *q, cs_four *ret, float *value_ret)
{
	float xx = q->squares[0], yy = q->squares[1], zz = q->squares[2];
	float xy = q->mixed[0], yz = q->mixed[1], xz = q->mixed[2];
	float small = 1e-6F * (xx + yy + zz);
	float ix = 1 / xx, yx = xy * ix, zx = xz * ix;
	float second = yy - yx * xy, across = yz - yx * xz;
	float iy = 1 / second, zy = across * iy;
	float third = zz - zx * xz - zy * across, iz = 1 / third;
	if (!(xx > small && second > small && third > small))
		return false;
	float bx = q->linear[0], by = q->linear[1] - yx * bx;
	float bz = q->linear[2] - zx * bx - zy * by;
	float x = bx * ix, y = by * iy, z = bz * iz;
	*value_ret = q->linear[3] - x * bx - y * by - z * bz;
	y -= zy * z;
	x -= yx * y + zx * z;
	*ret = (cs_four){-x, -y, -z, 0};
	return true;
}

/* Returns the point of the segment from the origin to p where the quadric's value is smallest. */
static inline cs_four cs_quadric_least_towards(const struct cs_quadric *q, cs_four p)
{
	float second = cs_sum(p * cs_quadric_slope(q, p)), first = cs_sum(p * q->linear);
	float t = second > 0 ? -first / second : 0.5F;
	return p * (t < 0 ? 0 : t > 1 ? 1 : t == t ? t : 0.5F);
}

/* ---- linear functions ---- */

/* Four linear functions of a position: gradients in x, y and z, and the values at the origin. */
struct cs_linear {
	cs_four x, y, z, at;
};

static inline cs_four cs_linear_at(const struct cs_linear *f, cs_four p)
{
	return f->at + f->x * p[0] + f->y * p[1] + f->z * p[2];
}

/* Adds to the quadric `weight` times the sum of the squares of the four linear functions in *f. */
static inline void cs_quadric_add_squares(
	struct cs_quadric *q, const struct cs_linear *f, float weight)
{
	const cs_four none = {0, 0, 0, 0};
	cs_four x = f->x, y = f->y, z = f->z, at = f->at;
	q->squares += cs_sums(x * x, y * y, z * z, none) * weight;
	q->mixed += cs_sums(x * y, y * z, x * z, none) * weight;
	q->linear += cs_sums(x * at, y * at, z * at, at * at) * weight;
}

/* Adds `weight` times the squares of four linear functions, which are 0 at the origin. */
static inline void cs_quadric_add_gradients(
	struct cs_quadric *q, const struct cs_linear *f, float weight)
{
	const cs_four none = {0, 0, 0, 0};
	cs_four x = f->x, y = f->y, z = f->z;
	q->squares += cs_sums(x * x, y * y, z * z, none) * weight;
	q->mixed += cs_sums(x * y, y * z, x * z, none) * weight;
}
