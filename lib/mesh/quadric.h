/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quadrics: the sum of squared distances to planes as a symmetric 4 x 4 matrix (Garland, Heckbert
 * 1997), and the linear parts that attributes add to it (Hoppe 1999). The value at p is
 * (p, 1) Q (p, 1).
 */
#ifndef MESH_QUADRIC_H
#define MESH_QUADRIC_H

#include <stdbool.h>

/* Upper triangle by rows: xx xy xz xw yy yz yw zz zw ww. */
struct cs_quadric {
	double m[10];
};

static inline void cs_quadric_add(struct cs_quadric *to, const struct cs_quadric *from)
{
	for (int i = 0; i < 10; i++)
		to->m[i] += from->m[i];
}

/* Adds `weight` times the square of (x, y, z, w) . (p, 1). */
static inline void cs_quadric_add_plane(
	struct cs_quadric *q, double x, double y, double z, double w, double weight)
{
	double sx = weight * x, sy = weight * y, sz = weight * z;
	q->m[0] += sx * x;
	q->m[1] += sx * y;
	q->m[2] += sx * z;
	q->m[3] += sx * w;
	q->m[4] += sy * y;
	q->m[5] += sy * z;
	q->m[6] += sy * w;
	q->m[7] += sz * z;
	q->m[8] += sz * w;
	q->m[9] += weight * w * w;
}

/* Adds `weight` times the squared distance to a point. */
static inline void cs_quadric_add_point(struct cs_quadric *q, const double p[3], double weight)
{
	q->m[0] += weight;
	q->m[4] += weight;
	q->m[7] += weight;
	q->m[3] -= weight * p[0];
	q->m[6] -= weight * p[1];
	q->m[8] -= weight * p[2];
	q->m[9] += weight * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

static inline double cs_quadric_at(const struct cs_quadric *q, const double p[3])
{
	const double *m = q->m;
	double x = p[0], y = p[1], z = p[2];
	return x * (m[0] * x + 2 * (m[1] * y + m[2] * z + m[3])) +
	       y * (m[4] * y + 2 * (m[5] * z + m[6])) + z * (m[7] * z + 2 * m[8]) + m[9];
}

/* The point with the least value; false where that is badly determined. */
static inline bool cs_quadric_least(const struct cs_quadric *q, double ret[3])
{
	const double *m = q->m;
	double a = m[4] * m[7] - m[5] * m[5];
	double b = m[2] * m[5] - m[1] * m[7];
	double c = m[1] * m[5] - m[2] * m[4];
	double determinant = m[0] * a + m[1] * b + m[2] * c, trace = m[0] + m[4] + m[7];
	if (!(determinant > 1e-10 * trace * trace * trace))
		return false;
	double d = m[0] * m[7] - m[2] * m[2], e = m[1] * m[2] - m[0] * m[5];
	double f = m[0] * m[4] - m[1] * m[1], scale = -1 / determinant;
	ret[0] = scale * (a * m[3] + b * m[6] + c * m[8]);
	ret[1] = scale * (b * m[3] + d * m[6] + e * m[8]);
	ret[2] = scale * (c * m[3] + e * m[6] + f * m[8]);
	return true;
}

/* The point of the segment from p to q with the least value. */
static inline void cs_quadric_least_between(
	const struct cs_quadric *k, const double p[3], const double q[3], double ret[3])
{
	const double *m = k->m;
	double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
	double ad[3] = {m[0] * d[0] + m[1] * d[1] + m[2] * d[2],
		m[1] * d[0] + m[4] * d[1] + m[5] * d[2], m[2] * d[0] + m[5] * d[1] + m[7] * d[2]};
	double second = d[0] * ad[0] + d[1] * ad[1] + d[2] * ad[2];
	double first = p[0] * ad[0] + p[1] * ad[1] + p[2] * ad[2] + d[0] * m[3] + d[1] * m[6] +
		       d[2] * m[8];
	double t = second > 0 ? -first / second : 0.5;
	t = t < 0 ? 0 : t > 1 ? 1 : t == t ? t : 0.5;
	for (int i = 0; i < 3; i++)
		ret[i] = p[i] + t * d[i];
}

#endif
