/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a polygon of a file into triangles. */
#ifndef MESH_POLYGON_H
#define MESH_POLYGON_H

#include <cellscope/core.h>

enum { CS_POLYGON_EARS = 256 /* corners up to which ears are looked for */ };

/*
 * Cuts a polygon of n >= 3 corners at those positions into n - 2 triangles, wound as it is:
 * 3 (n - 2) numbers of corners. A convex one becomes a fan from its first corner, a quad is cut at
 * the corner that is dented, others lose ear after ear. Larger ones than CS_POLYGON_EARS are fans
 * whatever they look like: the time is bounded.
 */
void cs_polygon_cut(const float (*positions)[3], uint32_t n, uint32_t *corners_ret);

#endif
