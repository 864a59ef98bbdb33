/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triangulates polygons. Ears follow Meisters (1975): a corner that turns in the direction of the
 * polygon and whose triangle contains no other corner is cut off. The polygon is projected along
 * its normal (Newell's sum over its edges, which also works for polygons that are not flat).
 */
#include "mesh/mesh_readers.h"
#include "mesh/vector.h"

#include <math.h>

/*
 * A corner is straight if its turn is at most STRAIGHT times the sum of the squares of its edges.
 * Rounded coordinates make corners on a straight side turn by about as much.
 */
#define STRAIGHT 1e-4

struct plane_view {
	double at[CS_POLYGON_EARS][2];
	bool dented[CS_POLYGON_EARS]; /* whether a corner is straight or turns inwards */
	/* for a corner that is no ear, a corner that was found in its triangle; else itself */
	uint32_t in_ear[CS_POLYGON_EARS];
};

static void newell(const float (*positions)[3], uint32_t n, double ret[3])
{
	ret[0] = ret[1] = ret[2] = 0;
	for (uint32_t i = 0; i < n; i++) {
		const float *p = positions[i], *q = positions[(i + 1) % n];
		for (int k = 0; k < 3; k++) {
			int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
			ret[k] += ((double)p[k1] - (double)q[k1]) * ((double)p[k2] + (double)q[k2]);
		}
	}
}

/*
 * Chooses the axes of a projection along the longest axis of the polygon's normal, which keeps the
 * winding. Returns twice the area of the projected polygon.
 */
static double choose_axes(const float (*positions)[3], uint32_t n, int ret[2])
{
	double normal[3];
	int axis = 0;
	newell(positions, n, normal);
	for (int k = 1; k < 3; k++)
		if (fabs(normal[k]) > fabs(normal[axis]))
			axis = k;
	ret[normal[axis] < 0] = (axis + 1) % 3;
	ret[!(normal[axis] < 0)] = (axis + 2) % 3;
	return fabs(normal[axis]);
}

static void flatten(const float (*positions)[3], uint32_t n, struct plane_view *view)
{
	int axes[2];
	choose_axes(positions, n, axes);
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			view->at[i][k] = (double)positions[i][axes[k]];
}

/* Returns twice the area of the triangle abc, positive when its winding is that of the polygon. */
static double double_area(const double a[2], const double b[2], const double c[2])
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double polygon_turn(const struct plane_view *view, uint32_t a, uint32_t b, uint32_t c)
{
	return double_area(view->at[a], view->at[b], view->at[c]);
}

static bool polygon_same_place(const struct plane_view *view, uint32_t a, uint32_t b)
{
	return view->at[a][0] == view->at[b][0] && view->at[a][1] == view->at[b][1];
}

static double square_distance(const struct plane_view *view, uint32_t a, uint32_t b)
{
	double x = view->at[b][0] - view->at[a][0], y = view->at[b][1] - view->at[a][1];
	return x * x + y * y;
}

/* Returns whether the corner b turns by more than `least` in the direction of the polygon. */
static bool is_convex(
	const struct plane_view *view, uint32_t a, uint32_t b, uint32_t c, double least)
{
	double edges = square_distance(view, a, b) + square_distance(view, b, c);
	return polygon_turn(view, a, b, c) > least * edges;
}

/* Returns whether corner p is in the triangle abc, or on the line of its edge ca within `least`. */
static bool is_in_ear(
	const struct plane_view *view, uint32_t a, uint32_t b, uint32_t c, uint32_t p, double least)
{
	return view->dented[p] && p != a && p != b && p != c && !polygon_same_place(view, p, a) &&
	       !polygon_same_place(view, p, b) && !polygon_same_place(view, p, c) &&
	       polygon_turn(view, a, b, p) >= 0 && polygon_turn(view, b, c, p) >= 0 &&
	       !is_convex(view, a, c, p, least);
}

/*
 * Returns whether corner i is an ear that turns by more than `least`, and no dented corner is on
 * the line of its cut. A repeated corner counts as an ear without area, and so does a corner whose
 * next edge runs back along the previous edge. Only dented corners can be in an ear or on its cut;
 * one that was is likely to be there still. Each comparison of corners reduces *patience by 1.
 */
static bool is_ear(struct plane_view *view, const uint32_t *left, uint32_t n, uint32_t i,
	double least, uint64_t *patience)
{
	uint32_t a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
	--*patience;
	if (polygon_same_place(view, b, c) || polygon_same_place(view, c, a))
		return true;
	if (!is_convex(view, a, b, c, least) || is_in_ear(view, a, b, c, view->in_ear[b], least))
		return false;
	for (uint32_t k = 0; k < n; k++) {
		--*patience;
		if (is_in_ear(view, a, b, c, left[k], least)) {
			view->in_ear[b] = left[k];
			return false;
		}
	}
	return true;
}

void cs_polygon_fan(uint32_t n, uint32_t first, uint32_t *ret)
{
	for (uint32_t i = 1; i + 1 < n; i++) {
		*ret++ = first;
		*ret++ = (first + i) % n;
		*ret++ = (first + i + 1) % n;
	}
}

/* Returns the next ear, from corner `from` on, that turns by more than `least`, or n. */
static uint32_t find_ear(struct plane_view *view, const uint32_t *left, uint32_t n, uint32_t from,
	double least, uint64_t *patience)
{
	for (uint32_t i = 0; i<n && * patience> n; i++)
		if (is_ear(view, left, n, (from + i) % n, least, patience))
			return (from + i) % n;
	return n;
}

/* Updates whether a corner is dented after one beside it was cut off. */
static void mark_dent(struct plane_view *view, const uint32_t *left, uint32_t n, uint32_t i)
{
	const uint32_t a = left[(i + n - 1) % n], b = left[i % n], c = left[(i + 1) % n];
	view->dented[b] = !is_convex(view, a, b, c, STRAIGHT);
}

/*
 * Cuts off ears until one triangle is left. An ear at a straight corner, which has next to no area,
 * is cut off where there is no other. In a large polygon the search goes on behind the last ear, so
 * that few corners are looked at twice and triangles are not all at one corner. Cuts off the first
 * corner where no ear is found, and also once `patience` is used up.
 */
static void cut_ears(struct plane_view *view, uint32_t n, uint32_t *ret)
{
	uint32_t left[CS_POLYGON_EARS], from = 0;
	uint64_t patience = (uint64_t)n << 15;
	const bool large = n > 32;
	for (uint32_t i = 0; i < n; i++)
		left[i] = view->in_ear[i] = i;
	for (; n > 2; n--) {
		uint32_t ear = find_ear(view, left, n, from, STRAIGHT, &patience);
		ear = ear < n ? ear : find_ear(view, left, n, from, 0, &patience);
		ear = ear < n ? ear : 0;
		*ret++ = left[(ear + n - 1) % n];
		*ret++ = left[ear];
		*ret++ = left[(ear + 1) % n];
		view->dented[left[ear]] = false;
		for (uint32_t i = ear; i + 1 < n; i++)
			left[i] = left[i + 1];
		mark_dent(view, left, n - 1, ear + n - 2);
		mark_dent(view, left, n - 1, ear);
		from = large ? (ear + 1) % (n - 1) : 0;
	}
}

/*
 * Returns whether the triangles cover the polygon once: in the projection in which they were cut
 * next to no area is turned against it, and areas do not cancel out. A polygon that is next to a
 * line has no area to cover.
 */
static bool is_covered(const float (*positions)[3], uint32_t n, const uint32_t *corners)
{
	const double most = 1e-3; /* of the area of the polygon */
	int axes[2];
	double area = choose_axes(positions, n, axes), against = 0, length = 0, sum = 0;
	for (uint32_t i = 0; i < n - 2; i++, corners += 3) {
		double p[3][3], flat[3][2], side[3], normal[3];
		for (int k = 0; k < 9; k++)
			p[k / 3][k % 3] = (double)positions[corners[k / 3]][k % 3];
		for (int k = 0; k < 6; k++)
			flat[k / 2][k % 2] = p[k / 2][axes[k % 2]];
		for (int k = 0; k < 3; k++)
			side[k] = p[1][k] - p[0][k];
		cs_face_normal(p[0], p[1], p[2], normal);
		against -= fmin(double_area(flat[0], flat[1], flat[2]), 0);
		sum += sqrt(cs_dot(normal, normal));
		length = fmax(length, sqrt(cs_dot(side, side)));
	}
	const double line = STRAIGHT * length * length;
	return against <= fmax(most * area, line) && most * sum <= fmax(area, line);
}

bool cs_polygon_cut(const float (*positions)[3], uint32_t n, uint32_t *corners_ret)
{
	struct plane_view view;
	/* the number of dented corners, and the one of them that turns least */
	uint32_t n_dents = 0, dent = 0;
	double least = 0;
	if (n == 3 || n > CS_POLYGON_EARS) {
		cs_polygon_fan(n, 0, corners_ret);
		return n == 3 || is_covered(positions, n, corners_ret);
	}
	flatten(positions, n, &view);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t before = (i + n - 1) % n, after = (i + 1) % n;
		const double turn = polygon_turn(&view, before, i, after);
		view.dented[i] = !is_convex(&view, before, i, after, STRAIGHT);
		if (!view.dented[i])
			continue;
		dent = n_dents++ == 0 || turn < least ? i : dent;
		least = dent == i ? turn : least;
	}
	if (n_dents == 0 || n == 4)
		cs_polygon_fan(n, dent, corners_ret);
	else
		cut_ears(&view, n, corners_ret);
	return (n_dents == 0 && n == 4) || is_covered(positions, n, corners_ret);
}
