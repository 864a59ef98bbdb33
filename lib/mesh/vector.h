/* SPDX-License-Identifier: Apache-2.0 */
/* Three doubles, for the geometry of this module. */
#ifndef MESH_VECTOR_H
#define MESH_VECTOR_H

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

/* fmaxf without the call; neither is NaN. */
static inline float cs_larger(float a, float b)
{
	return a > b ? a : b;
}

static inline float cs_smaller(float a, float b)
{
	return a < b ? a : b;
}

/* Twice the area times the unit normal of the triangle pqr. */
static inline void cs_face_normal(
	const double p[3], const double q[3], const double r[3], double ret[3])
{
	double u[3], v[3];
	cs_subtract(q, p, u);
	cs_subtract(r, p, v);
	cs_cross(u, v, ret);
}

#endif
