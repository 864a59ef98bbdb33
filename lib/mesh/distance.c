/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the triangle nearest to a point. A surface is a binary tree of bounding boxes, split at the
 * median of the triangles' centres along the longest axis. The nodes are stored depth first, each
 * first child directly after its parent. A search ends as soon as a triangle contains the point, so
 * that a million coincident triangles cost as much as one.
 */
#include "mesh/distance.h"

#include "core/sort.h"
#include "mesh/facet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 64 };

struct cs_surface_node {
	float min[3], max[3];
	/* index in `order` of a leaf's first triangle, or index of an inner node's second child */
	uint32_t first;
	uint32_t n; /* number of triangles of a leaf, or 0 for an inner node */
};

double cs_triangle_distance2(
	const double p[3], const double a[3], const double b[3], const double c[3])
{
	const struct cs_facet facet = cs_facet_of(a, b, c);
	return cs_facet_distance2(&facet, p);
}

/* ---- building the tree ---- */

struct span {
	/* range in `order`, and the node (parent) whose second child this is, or CS_NONE */
	uint32_t begin, end, parent;
};

static void bound(const struct cs_surface *surface, struct span span, struct cs_surface_node *node)
{
	for (int k = 0; k < 3; k++) {
		node->min[k] = INFINITY;
		node->max[k] = -INFINITY;
	}
	for (uint32_t i = span.begin; i < span.end; i++)
		for (size_t corner = 0; corner < 3; corner++) {
			size_t v = surface->indices[3 * (size_t)surface->order[i] + corner];
			for (size_t k = 0; k < 3; k++) {
				float x = surface->positions[3 * v + k];
				node->min[k] = x < node->min[k] ? x : node->min[k];
				node->max[k] = x > node->max[k] ? x : node->max[k];
			}
		}
}

static uint64_t key_along(const struct cs_surface *surface, uint32_t triangle, size_t axis)
{
	const uint32_t *corners = surface->indices + 3 * (size_t)triangle;
	double sum = 0;
	uint64_t bits;
	for (size_t k = 0; k < 3; k++)
		sum += (double)surface->positions[3 * (size_t)corners[k] + axis];
	memcpy(&bits, &sum, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static bool distance_split(struct cs_surface *surface, struct span span,
	const struct cs_surface_node *node, struct cs_sort_key *keys)
{
	size_t axis = 0, n = span.end - span.begin;
	for (size_t k = 1; k < 3; k++)
		if (node->max[k] - node->min[k] > node->max[axis] - node->min[axis])
			axis = k;
	for (size_t i = 0; i < n; i++) {
		uint32_t triangle = surface->order[span.begin + i];
		keys[i] = (struct cs_sort_key){
			.low = key_along(surface, triangle, axis), .index = triangle};
	}
	if (!cs_sort_keys(keys, n))
		return false;
	for (size_t i = 0; i < n; i++)
		surface->order[span.begin + i] = keys[i].index;
	return true;
}

static bool build(struct cs_surface *surface, struct cs_sort_key *keys)
{
	struct span pending[DEPTH];
	size_t n = 0;
	if (surface->n_triangles)
		pending[n++] = (struct span){0, surface->n_triangles, CS_NONE};
	while (n) {
		struct span span = pending[--n];
		uint32_t at = surface->n_nodes++, middle = span.begin + (span.end - span.begin) / 2;
		struct cs_surface_node *node = &surface->nodes[at];
		if (span.parent != CS_NONE)
			surface->nodes[span.parent].first = at;
		bound(surface, span, node);
		node->n = 0;
		if (span.end - span.begin <= LEAF) {
			node->first = span.begin;
			node->n = span.end - span.begin;
			continue;
		}
		if (!distance_split(surface, span, node, keys))
			return false;
		pending[n++] = (struct span){middle, span.end, at};
		pending[n++] = (struct span){span.begin, middle, CS_NONE};
	}
	return true;
}

struct cs_error *cs_surface_init(const float *positions, const uint32_t *indices,
	uint32_t n_triangles, struct cs_surface *ret)
{
	size_t n = (size_t)n_triangles + 1;
	struct cs_surface surface = {.positions = positions,
		.indices = indices,
		.n_triangles = n_triangles,
		.most_looks = UINT32_MAX,
		.order = malloc(n * sizeof(*surface.order)),
		.nodes = malloc(2 * n * sizeof(*surface.nodes))};
	struct cs_sort_key *keys = malloc(n * sizeof(*keys));
	for (uint32_t i = 0; surface.order && i < n_triangles; i++)
		surface.order[i] = i;
	bool good = surface.order && surface.nodes && keys && build(&surface, keys);
	if (good && n_triangles) {
		double reach = 0;
		for (int k = 0; k < 3; k++)
			reach = fmax(reach, fmax(fabs((double)surface.nodes[0].min[k]),
						    fabs((double)surface.nodes[0].max[k])));
		surface.touching2 = 0x1p-96 * reach * reach;
	}
	free(keys);
	if (!good) {
		cs_surface_deinit(&surface);
		return cs_error_nomem();
	}
	*ret = surface;
	return NULL;
}

void cs_surface_deinit(struct cs_surface *surface)
{
	free(surface->order);
	free(surface->nodes);
	*surface = (struct cs_surface){0};
}

/* ---- searching the tree ---- */

static double distance_to_triangle(
	const struct cs_surface *surface, uint32_t triangle, const double p[3])
{
	double corners[3][3];
	for (size_t i = 0; i < 3; i++) {
		size_t v = surface->indices[3 * (size_t)triangle + i];
		for (size_t k = 0; k < 3; k++)
			corners[i][k] = (double)surface->positions[3 * v + k];
	}
	return cs_triangle_distance2(p, corners[0], corners[1], corners[2]);
}

static double to_box(const struct cs_surface_node *node, const double p[3])
{
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		double low = (double)node->min[k] - p[k], high = p[k] - (double)node->max[k];
		double gap = low > 0 ? low : high > 0 ? high : 0;
		sum += gap * gap;
	}
	return sum;
}

double cs_surface_distance2(
	const struct cs_surface *surface, const double p[3], uint32_t hint, uint32_t *triangle_ret)
{
	double best =
		hint < surface->n_triangles ? distance_to_triangle(surface, hint, p) : INFINITY;
	uint32_t found = hint < surface->n_triangles ? hint : CS_NONE, pending[DEPTH];
	uint32_t looks = 0;
	size_t n = 0;
	if (surface->n_nodes)
		pending[n++] = 0;
	while (n && best > surface->touching2 && looks < surface->most_looks) {
		uint32_t at = pending[--n];
		const struct cs_surface_node *node = &surface->nodes[at];
		if (to_box(node, p) >= best)
			continue;
		looks += node->n;
		for (uint32_t i = 0; i < node->n; i++) {
			double d =
				distance_to_triangle(surface, surface->order[node->first + i], p);
			if (d < best) {
				best = d;
				found = surface->order[node->first + i];
			}
		}
		if (node->n)
			continue;
		bool second = to_box(&surface->nodes[node->first], p) <
			      to_box(&surface->nodes[at + 1], p);
		pending[n++] = second ? at + 1 : node->first;
		pending[n++] = second ? node->first : at + 1;
	}
	if (triangle_ret)
		*triangle_ret = found;
	return best;
}
