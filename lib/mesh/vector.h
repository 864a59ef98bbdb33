/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of three doubles, and planes, for the geometry of this module. */
#pragma once

#include <math.h>

static inline double cs_dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cs_subtract(const double a[3], const double b[3], double ret[3])
{
	ret[0] = a[0] - b[0];
	ret[1] = a[1] - b[1];
	ret[2] = a[2] - b[2];
}

static inline void cs_cross(const double a[3], const double b[3], double ret[3])
{
	ret[0] = a[1] * b[2] - a[2] * b[1];
	ret[1] = a[2] * b[0] - a[0] * b[2];
	ret[2] = a[0] * b[1] - a[1] * b[0];
}

/* Returns the angle between two vectors in radians, or 0 where one of them has no length. */
static inline double cs_angle(const double a[3], const double b[3])
{
	double turn[3];
	cs_cross(a, b, turn);
	return atan2(sqrt(cs_dot(turn, turn)), cs_dot(a, b));
}

/* Returns the larger value without a call of fmaxf. Neither argument may be NaN. */
static inline float cs_larger(float a, float b)
{
	return a > b ? a : b;
}

static inline float cs_smaller(float a, float b)
{
	return a < b ? a : b;
}

/* Computes the normal of the triangle pqr, with twice the triangle's area as its length. */
static inline void cs_face_normal(
	const double p[3], const double q[3], const double r[3], double ret[3])
{
	double u[3], v[3];
	cs_subtract(q, p, u);
	cs_subtract(r, p, v);
	cs_cross(u, v, ret);
}

/* ---- planes through the edges of a sheet, which divide the space between its triangles ---- */

/* A plane: the points p at which cs_plane_at() is 0. It is positive outside the triangle. */
struct cs_plane {
	double x, y, z, w;
};

static inline double cs_plane_at(const struct cs_plane *plane, const double p[3])
{
	return plane->x * p[0] + plane->y * p[1] + plane->z * p[2] + plane->w;
}

/* Returns the squared length of the plane's normal vector. */
static inline double cs_plane_scale2(const struct cs_plane *plane)
{
	return plane->x * plane->x + plane->y * plane->y + plane->z * plane->z;
}

/* Returns the plane that contains the edge from p to q and the direction `up`. */
static inline struct cs_plane cs_plane_on_edge(
	const double p[3], const double q[3], const double up[3])
{
	double along[3], out[3];
	cs_subtract(q, p, along);
	cs_cross(along, up, out);
	return (struct cs_plane){out[0], out[1], out[2], -cs_dot(out, p)};
}
