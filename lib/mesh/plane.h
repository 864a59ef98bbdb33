/* SPDX-License-Identifier: Apache-2.0 */
/* Planes that stand on the edges of a sheet of triangles and divide the space around it. */
#ifndef MESH_PLANE_H
#define MESH_PLANE_H

#include "mesh/vector.h"

/* A plane as (x, y, z, w); positive outside. */
struct cs_plane {
	double x, y, z, w;
};

static inline double cs_plane_at(const struct cs_plane *plane, const double p[3])
{
	return plane->x * p[0] + plane->y * p[1] + plane->z * p[2] + plane->w;
}

/* Its value at a distance of 1. */
static inline double cs_plane_scale2(const struct cs_plane *plane)
{
	return plane->x * plane->x + plane->y * plane->y + plane->z * plane->z;
}

/* Through the edge from p to q, along the direction up. */
static inline struct cs_plane cs_plane_on_edge(
	const double p[3], const double q[3], const double up[3])
{
	double along[3], out[3];
	cs_subtract(q, p, along);
	cs_cross(along, up, out);
	return (struct cs_plane){out[0], out[1], out[2], -cs_dot(out, p)};
}

#endif
