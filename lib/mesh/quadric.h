/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quadrics: the sum of squared distances to planes as a symmetric 4 x 4 matrix (Garland, Heckbert
 * 1997), and the linear parts that attributes add to it (Hoppe 1999). The value at p is
 * (p, 1) Q (p, 1).
 *
 * Half the time of a simplification goes into these sums, so they are kept in pairs of doubles,
 * which every 64-bit machine adds at once.
 */
#ifndef MESH_QUADRIC_H
#define MESH_QUADRIC_H

#include <stdbool.h>

typedef double cs_pair __attribute__((vector_size(16)));

/* Upper triangle of the matrix. */
struct cs_quadric {
	cs_pair xx_xy, xz_xw, yy_yz, yw_ww, zz_zw;
};

/* A linear function of the place, x y z times the place and w. */
struct cs_linear {
	cs_pair xy, zw;
};

static inline struct cs_linear cs_linear_make(double x, double y, double z, double w)
{
	return (struct cs_linear){{x, y}, {z, w}};
}

static inline void cs_quadric_add(struct cs_quadric *to, const struct cs_quadric *from)
{
	to->xx_xy += from->xx_xy;
	to->xz_xw += from->xz_xw;
	to->yy_yz += from->yy_yz;
	to->yw_ww += from->yw_ww;
	to->zz_zw += from->zz_zw;
}

/* Adds `weight` times the square of the function. */
static inline void cs_quadric_add_square(struct cs_quadric *q, struct cs_linear f, double weight)
{
	cs_pair xy = f.xy * weight, zw = f.zw * weight;
	q->xx_xy += xy[0] * f.xy;
	q->xz_xw += xy[0] * f.zw;
	q->yy_yz += xy[1] * (cs_pair){f.xy[1], f.zw[0]};
	q->yw_ww += f.zw[1] * (cs_pair){xy[1], zw[1]};
	q->zz_zw += zw[0] * f.zw;
}

/* Adds `weight` times the squared distance to a point. */
static inline void cs_quadric_add_point(struct cs_quadric *q, const double p[3], double weight)
{
	double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
	q->xx_xy += (cs_pair){weight, 0};
	q->xz_xw -= (cs_pair){0, weight * p[0]};
	q->yy_yz += (cs_pair){weight, 0};
	q->yw_ww -= weight * (cs_pair){p[1], -square};
	q->zz_zw += weight * (cs_pair){1, -p[2]};
}

static inline double cs_quadric_at(const struct cs_quadric *q, const double p[3])
{
	double x = p[0], y = p[1], z = p[2];
	return x * (q->xx_xy[0] * x + 2 * (q->xx_xy[1] * y + q->xz_xw[0] * z + q->xz_xw[1])) +
	       y * (q->yy_yz[0] * y + 2 * (q->yy_yz[1] * z + q->yw_ww[0])) +
	       z * (q->zz_zw[0] * z + 2 * q->zz_zw[1]) + q->yw_ww[1];
}

/* The point with the least value; false where that is badly determined. */
static inline bool cs_quadric_least(const struct cs_quadric *q, double ret[3])
{
	double xx = q->xx_xy[0], xy = q->xx_xy[1], xz = q->xz_xw[0], xw = q->xz_xw[1];
	double yy = q->yy_yz[0], yz = q->yy_yz[1], yw = q->yw_ww[0];
	double zz = q->zz_zw[0], zw = q->zz_zw[1];
	double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
	double determinant = xx * a + xy * b + xz * c, trace = xx + yy + zz;
	if (!(determinant > 1e-10 * trace * trace * trace))
		return false;
	double d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
	double scale = -1 / determinant;
	ret[0] = scale * (a * xw + b * yw + c * zw);
	ret[1] = scale * (b * xw + d * yw + e * zw);
	ret[2] = scale * (c * xw + e * yw + f * zw);
	return true;
}

/* The point of the segment from p to q with the least value. */
static inline void cs_quadric_least_between(
	const struct cs_quadric *m, const double p[3], const double q[3], double ret[3])
{
	double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
	double ax = m->xx_xy[0] * x + m->xx_xy[1] * y + m->xz_xw[0] * z;
	double ay = m->xx_xy[1] * x + m->yy_yz[0] * y + m->yy_yz[1] * z;
	double az = m->xz_xw[0] * x + m->yy_yz[1] * y + m->zz_zw[0] * z;
	double second = x * ax + y * ay + z * az;
	double first = p[0] * ax + p[1] * ay + p[2] * az + x * m->xz_xw[1] + y * m->yw_ww[0] +
		       z * m->zz_zw[1];
	double t = second > 0 ? -first / second : 0.5;
	t = t < 0 ? 0 : t > 1 ? 1 : t == t ? t : 0.5;
	ret[0] = p[0] + t * x;
	ret[1] = p[1] + t * y;
	ret[2] = p[2] + t * z;
}

#endif
