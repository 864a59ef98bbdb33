/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a triangle with a sheet (connected triangles) by draping: cuts the triangle into pieces,
 * and compares each piece with the triangle of the sheet that is next to it.
 *
 * Planes through the edges of the sheet, halfway between the normals on both sides, divide the
 * space around it among its triangles (mesh/walk.c finds paths with the same planes). The compared
 * triangle is cut along these planes into convex pieces, each of which is assigned to one triangle
 * of the sheet. The distance from that triangle is a convex function, so the values at the corners
 * of a piece bound the distance of the whole piece. A piece that is near enough to its current
 * triangle is not cut further.
 *
 * Invariant: the waiting pieces and the measured pieces together make up the compared triangle. So
 * the bound is valid whatever triangle a piece is assigned to. The planes at a corner of the sheet
 * need not meet in one line, so a piece may be passed from triangle to triangle without end; when
 * the budget of steps is spent, the piece is assigned to its current triangle, which can only make
 * the bound larger.
 */
#include "mesh/mesh_compare.h"

#include "mesh/edges.h"
#include "mesh/vector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	CORNERS = 12, /* largest number of corners of a piece */
	/* largest number of moves and assignments of pieces for one compared triangle */
	STEPS = 96,
	/* largest number of nested pieces that wait while parts cut off from them are processed */
	DEPTH = 96,
	LOCATING = 48 /* largest number of moves to another triangle in drape_locate() */
};

/*
 * A piece that crosses the dividing plane of an edge (mesh/vector.h) by at most this fraction of
 * the edge's length is not cut there, to avoid slivers.
 */
#define PLAY  1e-5
/* A bound counts as tight if it is at most this many times the true distance. */
#define TIGHT 1.1

struct piece {
	uint32_t n;
	double at[CORNERS][3];
};

struct drape {
	struct cs_sheet *sheet;
	struct cs_picks *picks;
	double enough, most;
	/* corner of the measured pieces that is farthest from the sheet (at the distance `most`) */
	double worst[3];
	uint32_t near; /* triangle of the sheet to which the distance `most` was measured */
	uint32_t steps, depth;
};

static_assert(STEPS + DEPTH + 1 <= CS_PICKS, "each piece has a pick");

static void unit_normal(const struct cs_sheet *sheet, uint32_t triangle, double ret[3])
{
	const uint32_t *c = sheet->corners + 3 * (size_t)triangle;
	cs_face_normal(sheet->places[c[0]], sheet->places[c[1]], sheet->places[c[2]], ret);
	double length2 = cs_dot(ret, ret), scale = length2 > 0 ? 1 / sqrt(length2) : 0;
	for (int k = 0; k < 3; k++)
		ret[k] *= scale;
}

static void make_side(const struct cs_sheet *sheet, uint32_t edge)
{
	double up[3], other[3];
	unit_normal(sheet, edge / 3, up);
	unit_normal(sheet, sheet->opposite[edge] / 3, other);
	for (int k = 0; k < 3; k++)
		up[k] += other[k];
	sheet->made[edge] = cs_plane_on_edge(sheet->places[sheet->corners[edge]],
		sheet->places[sheet->corners[cs_next_edge(edge)]], up);
	sheet->is_made[edge] = true;
}

static struct cs_plane side_of(const struct cs_sheet *sheet, uint32_t edge)
{
	if (sheet->sides)
		return sheet->sides[edge];
	if (!sheet->is_made[edge])
		make_side(sheet, edge);
	return sheet->made[edge];
}

/*
 * Returns the triangle whose edge planes enclose p. Moves there from `at` in at most LOCATING
 * steps.
 */
static uint32_t drape_locate(const struct cs_sheet *sheet, const double p[3], uint32_t at)
{
	for (int step = 0; step < LOCATING; step++) {
		uint32_t next = CS_NONE;
		double most = 0;
		for (uint32_t edge = 3 * at; edge < 3 * at + 3; edge++) {
			if (sheet->opposite[edge] == CS_NONE)
				continue;
			struct cs_plane side = side_of(sheet, edge);
			double out = cs_plane_at(&side, p);
			if (out <= 0)
				continue;
			out *= out / cs_plane_scale2(&side);
			next = out > most ? sheet->opposite[edge] / 3 : next;
			most = out > most ? out : most;
		}
		if (next == CS_NONE)
			break;
		at = next;
	}
	return at;
}

/*
 * Returns the largest distance of a corner of the piece from the triangle, plus the triangle's
 * error. It bounds the distance of the whole piece. *worst_ret is the index of that corner.
 */
static double drape_measure(const struct cs_sheet *sheet, const struct piece *piece,
	uint32_t triangle, uint32_t *worst_ret)
{
	const struct cs_facet facet = cs_sheet_facet(sheet, triangle);
	double most = 0;
	uint32_t worst = 0;
	for (uint32_t i = 0; i < piece->n; i++) {
		double far2 = cs_facet_distance2(&facet, piece->at[i]);
		worst = far2 > most ? i : worst;
		most = far2 > most ? far2 : most;
	}
	*worst_ret = worst;
	return sqrt(most) + cs_sheet_error(sheet, triangle);
}

static void middle_of(const struct piece *piece, double ret[3])
{
	for (int k = 0; k < 3; k++) {
		double sum = 0;
		for (uint32_t i = 0; i < piece->n; i++)
			sum += piece->at[i][k];
		ret[k] = sum / piece->n;
	}
}

/*
 * Cuts the piece along a plane, whose value at corner i is values[i]. Moves the positive part to
 * `out`.
 */
static void drape_cut(struct piece *piece, const double *values, struct piece *out)
{
	struct piece in;
	in.n = out->n = 0;
	for (uint32_t i = 0; i < piece->n; i++) {
		uint32_t next = i + 1 < piece->n ? i + 1 : 0;
		struct piece *to = values[i] > 0 ? out : &in;
		memcpy(to->at[to->n++], piece->at[i], sizeof(piece->at[i]));
		if ((values[i] > 0) == (values[next] > 0))
			continue;
		/* add the point where the side meets the plane to both pieces */
		const double t = values[i] / (values[i] - values[next]), *p = piece->at[i];
		for (int k = 0; k < 3; k++)
			in.at[in.n][k] = p[k] + t * (piece->at[next][k] - p[k]);
		memcpy(out->at[out->n++], in.at[in.n++], sizeof(in.at[0]));
	}
	piece->n = in.n;
	memcpy(piece->at, in.at, in.n * sizeof(in.at[0]));
}

static void lay(struct drape *drape, struct piece *piece, uint32_t triangle, uint32_t entry);

/*
 * Passes the part of the piece beyond an edge to the triangle on the other side. Returns true,
 * without passing anything, when the whole piece is beyond the edge: the caller then moves it.
 */
static bool hand_on(struct drape *drape, struct piece *piece, uint32_t edge)
{
	struct cs_plane side = side_of(drape->sheet, edge);
	double values[CORNERS], most = 0, least = 0, play = 0.5 * PLAY * cs_plane_scale2(&side);
	for (uint32_t i = 0; i < piece->n; i++) {
		values[i] = cs_plane_at(&side, piece->at[i]);
		most = values[i] > most ? values[i] : most;
		least = values[i] < least ? values[i] : least;
	}
	if (most <= play)
		return false;
	if (least >= -play)
		return true;
	/* For a triangle that lies over hundreds of folds, the piece is not cut further. */
	if (drape->depth == DEPTH)
		return false;
	struct piece out;
	drape_cut(piece, values, &out);
	drape->depth++;
	lay(drape, &out, drape->sheet->opposite[edge] / 3, drape->sheet->opposite[edge]);
	drape->depth--;
	return false;
}

/*
 * Records that a piece is assigned to a triangle: `far` is the largest distance of a corner of the
 * piece from the triangle, and `worst` is that corner.
 */
static void drape_note(struct drape *drape, const struct piece *piece, uint32_t triangle,
	double far, uint32_t worst)
{
	if (far > drape->most) {
		drape->most = far;
		drape->near = triangle;
		memcpy(drape->worst, piece->at[worst], sizeof(drape->worst));
	}
	drape->picks->triangles[drape->picks->n++] = triangle;
}

/*
 * Assigns a piece to the given triangle or to the one nearest to the piece's centre, whichever
 * gives the smaller bound.
 */
static void drape_settle(struct drape *drape, const struct piece *piece, uint32_t triangle)
{
	uint32_t worst, worst_there;
	double far = drape_measure(drape->sheet, piece, triangle, &worst), middle[3];
	if (far > drape->enough && far > drape->most) {
		middle_of(piece, middle);
		uint32_t other = cs_sheet_nearest_around(drape->sheet, middle, triangle);
		double there = drape_measure(drape->sheet, piece, other, &worst_there);
		if (there < far) {
			triangle = other;
			far = there;
			worst = worst_there;
		}
	}
	drape_note(drape, piece, triangle, far, worst);
}

/* Assigns a piece to a triangle. Returns false if that would raise drape->most above `enough`. */
static bool drape_stays(struct drape *drape, const struct piece *piece, uint32_t triangle)
{
	uint32_t worst;
	double far = drape_measure(drape->sheet, piece, triangle, &worst);
	if (far > drape->enough && far > drape->most)
		return false;
	drape_note(drape, piece, triangle, far, worst);
	return true;
}

/*
 * Assigns a piece to the triangle, after passing the parts outside the triangle to its neighbours.
 * `entry` is the edge of the triangle across which the piece was passed, or CS_NONE when the piece
 * is the whole compared triangle.
 */
static void lay(struct drape *drape, struct piece *piece, uint32_t triangle, uint32_t entry)
{
	const struct cs_sheet *sheet = drape->sheet;
	bool moved = entry != CS_NONE;
	for (uint32_t k = 0; k < 3 && drape->steps > 0; k++) {
		if (moved && drape_stays(drape, piece, triangle)) {
			drape->steps--;
			return;
		}
		moved = false;
		uint32_t edge = 3 * triangle + k;
		if (edge == entry || sheet->opposite[edge] == CS_NONE || piece->n + 1 > CORNERS - 1)
			continue;
		if (!hand_on(drape, piece, edge))
			continue;
		drape->steps--;
		entry = sheet->opposite[edge];
		triangle = entry / 3;
		k = UINT32_MAX;
		moved = true;
	}
	drape->steps -= drape->steps > 0;
	drape_settle(drape, piece, triangle);
}

/*
 * Returns whether the bound is at most TIGHT times the distance of its worst point from the nearest
 * triangle of the sheet, plus that triangle's error. If so, assigning pieces to other triangles
 * could hardly give a smaller bound.
 */
static bool is_tight(const struct drape *drape)
{
	uint32_t nearest = cs_sheet_nearest_around(drape->sheet, drape->worst, drape->near);
	double least = sqrt(cs_sheet_distance2(drape->sheet, drape->worst, nearest)) +
		       cs_sheet_error(drape->sheet, nearest);
	return drape->most <= TIGHT * least;
}

double cs_drape(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	bool *tight_ret, struct cs_picks *picks)
{
	struct drape drape = {
		.sheet = sheet, .picks = picks, .enough = enough, .steps = STEPS, .near = hint};
	struct piece piece = {.n = 3};
	double middle[3];
	memcpy(piece.at, p, 3 * sizeof(piece.at[0]));
	for (int k = 0; k < 3; k++)
		middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	uint32_t triangle = drape_locate(sheet, middle, hint), worst;
	double whole = drape_measure(sheet, &piece, triangle, &worst);
	*tight_ret = true;
	if (whole <= enough) {
		picks->triangles[picks->n++] = triangle;
		return whole;
	}
	lay(&drape, &piece, triangle, CS_NONE);
	*tight_ret = drape.most <= enough || is_tight(&drape);
	return drape.most;
}
