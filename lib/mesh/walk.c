/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks across patch B, which is a simplification of patch A. Each edge of B has a plane halfway
 * between the normals of its two triangles, and a walk crosses the edge where it passes the plane.
 * A position that A and B share is mapped to itself, and is a corner of several triangles of B. A
 * path that begins there starts in the one that faces the path's end, and a path that ends there
 * ends in the first of them that it reaches.
 */
#include "mesh/walk.h"

#include "mesh/edges.h"
#include "mesh/facet.h"
#include "mesh/vector.h"

#include <math.h>
#include <string.h>

/* largest number of triangles of the simplified patch (B in walk.h) that a walk passes */
enum { STEPS = 48 };

/* ---- distances from edges and triangles of patch B ---- */

/* Returns the squared distance of p from the segment qr. */
static inline double to_segment2(const double p[3], const double q[3], const double r[3])
{
	double u[3], v[3];
	cs_subtract(r, q, u);
	cs_subtract(p, q, v);
	double length2 = cs_dot(u, u), t = length2 > 0 ? cs_dot(u, v) / length2 : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	for (int k = 0; k < 3; k++)
		v[k] -= t * u[k];
	return cs_dot(v, v);
}

/* Returns the squared distance of p from an edge of patch B. */
static inline double to_edge2(const struct cs_walker *walker, const double p[3], uint32_t edge)
{
	return to_segment2(p, walker->b[walker->deviation->corners[edge]],
		walker->b[walker->deviation->corners[cs_next_edge(edge)]]);
}

static double to_triangle(const struct cs_walker *walker, const double p[3], uint32_t triangle)
{
	const uint32_t *corners = walker->deviation->corners + 3 * (size_t)triangle;
	const struct cs_facet facet =
		cs_facet_of(walker->b[corners[0]], walker->b[corners[1]], walker->b[corners[2]]);
	return sqrt(cs_facet_distance2(&facet, p));
}

/* ---- preparing the walker ---- */

static bool walk_allocate(struct cs_walker *walker, struct cs_scratch *scratch)
{
	const struct cs_patch *patch = walker->deviation->patch;
	size_t places = patch->n_places, edges = 3 * (size_t)patch->n_triangles;
	size_t n = walker->deviation->simplified->n_triangles;
	walker->most_crossings = 4 * (uint32_t)edges;
	walker->a = cs_scratch_alloc(scratch, places, sizeof(*walker->a));
	walker->b = cs_scratch_alloc(scratch, places, sizeof(*walker->b));
	walker->around = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	walker->sides = CS_SCRATCH_ARRAY(scratch, struct cs_plane, 3 * n);
	walker->leaving = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	walker->coming = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	walker->passed = CS_SCRATCH_ARRAY(scratch, bool, places);
	walker->fixed = CS_SCRATCH_ARRAY(scratch, bool, places);
	walker->home = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	walker->home_edge = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	walker->apart = CS_SCRATCH_ARRAY(scratch, float, places);
	walker->ways = CS_SCRATCH_ARRAY(scratch, struct cs_way, edges);
	walker->way_of = CS_SCRATCH_ARRAY(scratch, uint32_t, edges);
	walker->crossings = CS_SCRATCH_ARRAY(scratch, uint32_t, walker->most_crossings);
	walker->spots = CS_SCRATCH_ARRAY(scratch, struct cs_crossing_at, walker->most_crossings);
	walker->corners_a = CS_SCRATCH_ARRAY(scratch, uint32_t, edges);
	return !scratch->failed;
}

static void walk_set_places(struct cs_walker *walker)
{
	const struct cs_patch *patch = walker->deviation->patch;
	const struct cs_simplified *simplified = walker->deviation->simplified;
	for (int k = 0; k < 3; k++)
		walker->origin[k] = (double)patch->positions[k];
	for (uint32_t i = 0; i < patch->n_places; i++) {
		for (size_t k = 0; k < 3; k++) {
			walker->a[i][k] =
				(double)patch->positions[3 * (size_t)i + k] - walker->origin[k];
			walker->b[i][k] = (double)simplified->positions[3 * (size_t)i + k] -
					  walker->origin[k];
		}
		walker->fixed[i] =
			simplified->became[i] == i && walker->a[i][0] == walker->b[i][0] &&
			walker->a[i][1] == walker->b[i][1] && walker->a[i][2] == walker->b[i][2];
	}
	for (size_t i = 0; i < 3 * (size_t)patch->n_triangles; i++)
		walker->corners_a[i] = patch->places[patch->corners[i]];
	memset(walker->around, 0xff, patch->n_places * sizeof(*walker->around));
	for (uint32_t i = 0; i < 3 * simplified->n_triangles; i++)
		walker->around[walker->deviation->corners[i]] = i;
}

static void set_border(struct cs_walker *walker)
{
	const struct cs_patch *patch = walker->deviation->patch;
	size_t bytes = patch->n_places * sizeof(uint32_t);
	memset(walker->leaving, 0xff, bytes);
	memset(walker->coming, 0xff, bytes);
	memset(walker->home_edge, 0xff, bytes);
	memset(walker->passed, 0, patch->n_places * sizeof(bool));
	for (uint32_t edge = 0; edge < 3 * walker->deviation->simplified->n_triangles; edge++)
		if (walker->deviation->opposite[edge] == CS_NONE) {
			walker->leaving[walker->deviation->corners[edge]] = edge;
			walker->coming[walker->deviation->corners[cs_next_edge(edge)]] = edge;
		}
}

static void normal_of(const struct cs_walker *walker, uint32_t triangle, double ret[3])
{
	const uint32_t *corners = walker->deviation->corners + 3 * (size_t)triangle;
	cs_face_normal(walker->b[corners[0]], walker->b[corners[1]], walker->b[corners[2]], ret);
	double length = sqrt(cs_dot(ret, ret));
	for (int k = 0; k < 3 && length > 0; k++)
		ret[k] /= length;
}

/* Computes for each edge of patch B the plane through the edge along its triangles' mean normal. */
static void set_sides(struct cs_walker *walker, double (*normals)[3])
{
	uint32_t n = walker->deviation->simplified->n_triangles;
	for (uint32_t i = 0; i < n; i++)
		normal_of(walker, i, normals[i]);
	for (uint32_t edge = 0; edge < 3 * n; edge++) {
		uint32_t other = walker->deviation->opposite[edge];
		const double *p = walker->b[walker->deviation->corners[edge]];
		const double *up = normals[edge / 3];
		double both[3];
		if (other < edge)
			continue; /* was set together with the plane of the opposite half-edge */
		for (int k = 0; k < 3; k++)
			both[k] = up[k] + (other != CS_NONE ? normals[other / 3][k] : 0);
		struct cs_plane side = cs_plane_on_edge(
			p, walker->b[walker->deviation->corners[cs_next_edge(edge)]], both);
		walker->sides[edge] = side;
		if (other != CS_NONE)
			walker->sides[other] =
				(struct cs_plane){-side.x, -side.y, -side.z, -side.w};
	}
}

/* ---- images of the positions of patch A ---- */

/*
 * Returns a bit mask of the triangle's sides that p is beyond, without border edges (sides that no
 * other triangle shares). outs_ret receives the values of the three planes at p. There are no
 * branches, because the processor would mispredict them.
 */
static uint32_t sides_beyond(
	const struct cs_walker *walker, uint32_t triangle, const double p[3], double outs_ret[3])
{
	const struct cs_plane *sides = &walker->sides[3 * (size_t)triangle];
	const uint32_t *opposite = walker->deviation->opposite + 3 * (size_t)triangle;
	uint32_t mask = 0;
	for (uint32_t k = 0; k < 3; k++) {
		outs_ret[k] = cs_plane_at(&sides[k], p);
		mask |= (uint32_t)((outs_ret[k] > 0) & (opposite[k] != CS_NONE)) << k;
	}
	return mask;
}

/* Returns the side in `mask` that p is farthest beyond. Usually `mask` has only one side. */
static uint32_t farthest_side(const struct cs_plane *sides, const double outs[3], uint32_t mask)
{
	uint32_t farthest = (uint32_t)__builtin_ctz(mask);
	double most = 0;
	if (!(mask & (mask - 1)))
		return farthest;
	for (; mask; mask &= mask - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(mask);
		double out2 = outs[k] * (outs[k] / cs_plane_scale2(&sides[k]));
		farthest = out2 > most ? k : farthest;
		most = out2 > most ? out2 : most;
	}
	return farthest;
}

/*
 * Returns the triangle of patch B whose edge planes enclose p, walking from the triangle `start`.
 */
static uint32_t locate(const struct cs_walker *walker, const double p[3], uint32_t start)
{
	uint32_t at = start;
	for (int step = 0; step < STEPS; step++) {
		double outs[3];
		uint32_t mask = sides_beyond(walker, at, p, outs), first = 3 * at;
		if (!mask)
			break;
		at = walker->deviation
			     ->opposite[first + farthest_side(&walker->sides[first], outs, mask)] /
		     3;
	}
	return at;
}

static bool has_corner(const struct cs_walker *walker, uint32_t triangle, uint32_t place)
{
	const uint32_t *corners = walker->deviation->corners + 3 * (size_t)triangle;
	return (corners[0] == place) | (corners[1] == place) | (corners[2] == place);
}

/*
 * Returns the next corner at the same position, across the edge before the corner (`hand` 0) or
 * after it (`hand` 1), or CS_NONE at a border.
 */
static uint32_t next_around(const struct cs_walker *walker, uint32_t corner, int hand)
{
	const uint32_t *opposite = walker->deviation->opposite;
	const uint32_t other = opposite[hand ? corner : cs_previous_edge(corner)];
	return other != CS_NONE && hand ? cs_next_edge(other) : other;
}

/*
 * Searches the triangles of patch B around the corner `first`. If one is nearer to position `place`
 * of patch A than the triangle to which `place` is mapped, maps it to that one (walker->home).
 */
static void search_around(struct cs_walker *walker, uint32_t place, uint32_t first)
{
	for (int hand = 0; hand < 2; hand++) {
		uint32_t corner = first;
		for (int i = 0; i < CS_TURN; i++) {
			float apart = (float)to_triangle(walker, walker->a[place], corner / 3);
			if (apart < walker->apart[place]) {
				walker->apart[place] = apart;
				walker->home[place] = corner / 3;
			}
			corner = next_around(walker, corner, hand);
			if (corner == CS_NONE)
				break;
			if (corner == first)
				return;
		}
	}
}

static void set_image(struct cs_walker *walker, uint32_t place)
{
	uint32_t to = walker->deviation->simplified->became[place], corner = walker->around[to];
	walker->home[place] = CS_NONE;
	walker->apart[place] = 0;
	if (corner == CS_NONE)
		return;
	walker->home[place] = corner / 3;
	if (walker->fixed[place])
		return;
	walker->home[place] = locate(walker, walker->a[place], corner / 3);
	walker->apart[place] = (float)to_triangle(walker, walker->a[place], walker->home[place]);
	/* in a fold the walk may miss the nearest triangle: search around `to`, too */
	double moved[3];
	cs_subtract(walker->a[place], walker->b[to], moved);
	if (walker->apart[place] > 0.25f * (float)sqrt(cs_dot(moved, moved)))
		search_around(walker, place, corner);
}

/*
 * Maps a border position of A to the nearest border edge of B, if the position of B that it was
 * merged into is on the border of B.
 */
static void set_border_image(struct cs_walker *walker, uint32_t place)
{
	uint32_t edge = walker->leaving[walker->deviation->simplified->became[place]];
	if (edge == CS_NONE || walker->home_edge[place] != CS_NONE || walker->fixed[place])
		return;
	double least = to_edge2(walker, walker->a[place], edge);
	for (int step = 0, back = 0; step < STEPS; step++) {
		uint32_t next =
			back ? walker->coming[walker->deviation->corners[edge]]
			     : walker->leaving[walker->deviation->corners[cs_next_edge(edge)]];
		double there =
			next == CS_NONE ? INFINITY : to_edge2(walker, walker->a[place], next);
		if (there < least) {
			least = there;
			edge = next;
		} else if (back++) {
			break;
		}
	}
	walker->home_edge[place] = edge;
	walker->home[place] = edge / 3;
	walker->apart[place] = (float)sqrt(least);
}

static void set_images(struct cs_walker *walker)
{
	const struct cs_patch *patch = walker->deviation->patch;
	for (uint32_t i = 0; i < patch->n_places; i++)
		set_image(walker, i);
	for (uint32_t edge = 0; edge < 3 * patch->n_triangles; edge++)
		if (patch->opposite[edge] == CS_NONE) {
			set_border_image(walker, walker->corners_a[edge]);
			set_border_image(walker, walker->corners_a[cs_next_edge(edge)]);
		}
}

/* ---- paths of the edges of patch A ---- */

/*
 * Appends to the path the crossing of patch B's edge `edge` at fraction t of the edge of patch A.
 */
static void add_crossing(struct cs_walker *walker, struct cs_way *way, uint32_t edge, double t)
{
	walker->spots[walker->n_crossings] = (struct cs_crossing_at){t, walker->at_way};
	walker->crossings[walker->n_crossings++] = cs_lower_edge(walker->deviation->opposite, edge);
	way->n++;
}

/* Returns the squared distance of q from the plane through an edge of patch B (walker->sides). */
static double behind2(const struct cs_walker *walker, uint32_t edge, const double q[3])
{
	double out = cs_plane_at(&walker->sides[edge], q);
	return out * out / cs_plane_scale2(&walker->sides[edge]);
}

/*
 * Returns the edge across which the path from p to q leaves the triangle, or CS_NONE when q is
 * inside. *t receives the fraction of the path at the crossing. If two edges are crossed at once (p
 * is their common end), returns the edge that q is farther beyond.
 */
static uint32_t exit_of(const struct cs_walker *walker, uint32_t triangle, uint32_t entry,
	const double p[3], const double q[3], double *t)
{
	uint32_t exit = CS_NONE;
	double soonest = INFINITY, outs[3];
	uint32_t mask = sides_beyond(walker, triangle, q, outs);
	mask &= entry / 3 == triangle ? ~(1u << entry % 3) : 7;
	for (; mask; mask &= mask - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(mask), edge = 3 * triangle + k;
		double here = cs_plane_at(&walker->sides[edge], p);
		double when = here < 0 ? here / (here - outs[k]) : 0;
		when = when > *t + 1e-9 ? when : *t;
		if (when < soonest ||
			(when == soonest && behind2(walker, edge, q) > behind2(walker, exit, q))) {
			soonest = when;
			exit = edge;
		}
	}
	*t = exit != CS_NONE ? soonest : *t;
	return exit;
}

/*
 * Lists edges like cs_walk_turn, but turns only to the left if `left` is set, otherwise only to the
 * right. Returns CS_NONE when the turn meets a border or crosses more than `most` edges.
 */
static uint32_t walk_turn(const struct cs_walker *walker, uint32_t from, uint32_t to,
	uint32_t place, bool left, uint32_t most, uint32_t edges[CS_TURN])
{
	uint32_t n = 0, corner = 3 * from;
	while (corner < 3 * from + 3 && walker->deviation->corners[corner] != place)
		corner++;
	if (corner == 3 * from + 3)
		return CS_NONE;
	while (corner / 3 != to && n < most) {
		uint32_t edge = left ? cs_previous_edge(corner) : corner;
		uint32_t other = walker->deviation->opposite[edge];
		if (other == CS_NONE)
			return CS_NONE;
		edges[n++] = edge;
		corner = left ? other : cs_next_edge(other);
	}
	return corner / 3 == to ? n : CS_NONE;
}

uint32_t cs_walk_turn(const struct cs_walker *walker, uint32_t from, uint32_t to, uint32_t place,
	uint32_t edges[CS_TURN])
{
	uint32_t right[CS_TURN], n = walk_turn(walker, from, to, place, true, CS_TURN, edges);
	uint32_t fewer = n == CS_NONE ? CS_TURN : n > 0 ? n - 1 : 0;
	uint32_t n_right =
		fewer ? walk_turn(walker, from, to, place, false, fewer, right) : CS_NONE;
	if (n_right >= n)
		return n;
	memcpy(edges, right, n_right * sizeof(*edges));
	return n_right;
}

/*
 * Ends a path with a turn around a position, from triangle `from` of patch B, which the walk
 * reached, to triangle `to`, in which the path must end. The position must be a corner of both
 * triangles. Returns false when there is no such turn.
 */
static bool turn_to(struct cs_walker *walker, struct cs_way *way, uint32_t from, uint32_t to)
{
	uint32_t edges[CS_TURN];
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t place = walker->deviation->corners[3 * from + k];
		if (!has_corner(walker, to, place))
			continue;
		uint32_t n = cs_walk_turn(walker, from, to, place, edges);
		if (n == CS_NONE || n > walker->most_crossings - walker->n_crossings)
			continue;
		for (uint32_t i = 0; i < n; i++)
			add_crossing(walker, way, edges[i], 1);
		return true;
	}
	return false;
}

/*
 * Returns how far q is beyond the planes of the two edges at a corner of patch B: the larger of the
 * two squared distances, 0 if q is beyond neither.
 */
static double behind_corner2(const struct cs_walker *walker, uint32_t corner, const double q[3])
{
	double most = 0;
	for (int i = 0; i < 2; i++) {
		uint32_t edge = i ? cs_previous_edge(corner) : corner;
		double out = cs_plane_at(&walker->sides[edge], q);
		if (out <= 0)
			continue;
		out *= out / cs_plane_scale2(&walker->sides[edge]);
		most = out > most ? out : most;
	}
	return most;
}

/* Returns the triangle around `place` (a position of patch B) in which the path to q begins. */
static uint32_t start_towards(const struct cs_walker *walker, uint32_t place, uint32_t q)
{
	uint32_t first = walker->around[place], best = first / 3;
	double least = INFINITY;
	for (int hand = 0; hand < 2; hand++) {
		uint32_t corner = first;
		for (int i = 0; i < CS_TURN; i++) {
			double out = has_corner(walker, corner / 3, q)
					     ? -1
					     : behind_corner2(walker, corner, walker->a[q]);
			if (out <= 0)
				return corner / 3;
			best = out < least ? corner / 3 : best;
			least = out < least ? out : least;
			corner = next_around(walker, corner, hand);
			if (corner == CS_NONE)
				break;
			if (corner == first)
				return best;
		}
	}
	return best;
}

/* Returns the path across patch B of A's edge from p to q. `start` is CS_NONE on failure. */
static struct cs_way walk_follow(struct cs_walker *walker, uint32_t p, uint32_t q)
{
	struct cs_way way = {
		.first = walker->n_crossings, .start = walker->home[p], .end = walker->home[q]};
	const struct cs_way none = {.first = walker->n_crossings,
		.start = CS_NONE,
		.end = CS_NONE,
		.farthest = INFINITY};
	uint32_t at = walker->home[p], goal = walker->home[q], entry = CS_NONE;
	bool to_fixed = goal != CS_NONE && walker->fixed[q];
	double t = 0;
	if (at == CS_NONE || goal == CS_NONE)
		return none;
	if (walker->fixed[p])
		way.start = at = start_towards(walker, p, q);
	for (int step = 0; to_fixed ? !has_corner(walker, at, q) : at != goal; step++) {
		uint32_t exit = exit_of(walker, at, entry, walker->a[p], walker->a[q], &t);
		if (exit == CS_NONE && !to_fixed && turn_to(walker, &way, at, goal))
			break;
		if (exit == CS_NONE || step == STEPS ||
			walker->n_crossings == walker->most_crossings) {
			walker->n_crossings = none.first;
			return none;
		}
		entry = walker->deviation->opposite[exit];
		at = entry / 3;
		add_crossing(walker, &way, exit, t);
	}
	if (to_fixed)
		way.end = at;
	return way;
}

/*
 * Turns around the position at the end of border edge `edge` of patch B to the border edge `next`,
 * and adds the crossings. Maps to that position the point of the segment pq nearest to it, but none
 * before the point with parameter *t, which becomes the parameter of the mapped point. Returns
 * false when there is no room for the crossings or the turn is too long.
 */
static bool pass_border_place(struct cs_walker *walker, struct cs_way *way, uint32_t edge,
	uint32_t next, const double p[3], const double q[3], double *t)
{
	uint32_t turns[CS_TURN], place = walker->deviation->corners[next];
	uint32_t n = cs_walk_turn(walker, edge / 3, next / 3, place, turns);
	if (n == CS_NONE || n > walker->most_crossings - walker->n_crossings)
		return false;
	double along[3], off[3];
	cs_subtract(q, p, along);
	cs_subtract(walker->b[place], p, off);
	double when = cs_dot(off, along) / cs_dot(along, along);
	*t = when > 1 ? 1 : when > *t ? when : *t;
	for (int k = 0; k < 3; k++)
		off[k] -= *t * along[k];
	way->farthest = cs_larger(way->farthest, (float)sqrt(cs_dot(off, off)));
	/* All these crossings are mapped to `place`, so way->farthest already covers them. */
	for (uint32_t i = 0; i < n; i++)
		add_crossing(walker, way, turns[i], *t);
	walker->passed[place] = true;
	return true;
}

/*
 * Follows a border edge of patch A from position p to position q along the border of patch B.
 * Returns false if the border of B does not connect the points of B to which p and q are mapped.
 */
static bool follow_border(struct cs_walker *walker, uint32_t p, uint32_t q, struct cs_way *ret)
{
	bool from_fixed = walker->fixed[p], to_fixed = walker->fixed[q];
	uint32_t edge = from_fixed ? walker->leaving[p] : walker->home_edge[p];
	uint32_t goal = to_fixed ? walker->coming[q] : walker->home_edge[q],
		 first = walker->n_crossings;
	double t = 0;
	if (edge == CS_NONE || goal == CS_NONE)
		return false;
	*ret = (struct cs_way){
		.first = first, .start = edge / 3, .end = goal / 3, .along_border = true};
	for (int step = 0; edge != goal; step++) {
		uint32_t next = walker->leaving[walker->deviation->corners[cs_next_edge(edge)]];
		if (next == CS_NONE || step == STEPS ||
			!pass_border_place(
				walker, ret, edge, next, walker->a[p], walker->a[q], &t)) {
			walker->n_crossings = first;
			return false;
		}
		edge = next;
	}
	walker->passed[p] = walker->passed[p] || from_fixed;
	walker->passed[q] = walker->passed[q] || to_fixed;
	return true;
}

/* Numbers the paths of A's edges in way_of, without branches, which would be mispredicted. */
static void number_ways(struct cs_walker *walker, uint32_t *edges)
{
	const uint32_t *opposite = walker->deviation->patch->opposite;
	for (uint32_t edge = 0; edge < 3 * walker->deviation->patch->n_triangles; edge++) {
		uint32_t low = cs_lower_edge(opposite, edge);
		edges[walker->n_ways] = edge;
		walker->way_of[edge] = 2 * walker->n_ways;
		walker->way_of[edge] = walker->way_of[low] + (low != edge);
		walker->n_ways += low == edge;
	}
}

/*
 * Measures how far all crossings are from the points that they are mapped to. This is a loop of its
 * own, because its square roots would delay the search of paths.
 */
static void measure_crossings(struct cs_walker *walker, const uint32_t *edges)
{
	for (uint32_t i = 0; i < walker->n_crossings; i++) {
		const struct cs_crossing_at spot = walker->spots[i];
		const double *p = walker->a[walker->corners_a[edges[spot.way]]];
		const double *q = walker->a[walker->corners_a[cs_next_edge(edges[spot.way])]];
		double x[3];
		for (int k = 0; k < 3; k++)
			x[k] = p[k] + spot.t * (q[k] - p[k]);
		float far = (float)sqrt(to_edge2(walker, x, walker->crossings[i]));
		walker->ways[spot.way].farthest = cs_larger(walker->ways[spot.way].farthest, far);
	}
}

static void set_ways(struct cs_walker *walker, uint32_t *edges)
{
	const struct cs_patch *patch = walker->deviation->patch;
	number_ways(walker, edges);
	for (uint32_t i = 0; i < walker->n_ways; i++) {
		uint32_t edge = edges[i];
		uint32_t p = walker->corners_a[edge], q = walker->corners_a[cs_next_edge(edge)];
		walker->at_way = i;
		if (patch->opposite[edge] != CS_NONE ||
			!follow_border(walker, p, q, &walker->ways[i]))
			walker->ways[i] = walk_follow(walker, p, q);
	}
	measure_crossings(walker, edges);
}

bool cs_walk_all(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, struct cs_walker *ret)
{
	struct cs_walker walker = {.deviation = deviation};
	double(*normals)[3] =
		cs_scratch_alloc(scratch, deviation->simplified->n_triangles, sizeof(*normals));
	uint32_t *edges =
		CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * (size_t)deviation->patch->n_triangles + 1);
	if (!normals || !edges || !walk_allocate(&walker, scratch))
		return false;
	walk_set_places(&walker);
	set_border(&walker);
	set_sides(&walker, normals);
	set_images(&walker);
	set_ways(&walker, edges);
	*ret = walker;
	return true;
}
