/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds the distance of one triangle from a sheet (connected triangles, mesh/sheet.h).
 *
 * The distance from one triangle of the sheet is a convex function, so its largest value at three
 * corners bounds it in the whole triangle between them. Any triangle of the sheet gives a valid
 * bound, and the nearest ones give good bounds. First the compared triangle is draped over the
 * sheet, starting at a hint (mesh/drape.c). Where that gives no tight bound, the triangle is
 * quartered, and near triangles of the sheet are searched around the hint, ring by ring. Where that
 * fails too, all near triangles of the sheet are listed, and the list gets shorter with each
 * quartering.
 */
#include "mesh/mesh_compare.h"

#include "mesh/vector.h"

#include <math.h>
#include <string.h>

/* Returns the largest distance of the three points from a triangle, plus the triangle's error. */
static double to_one(const struct cs_sheet *sheet, double p[3][3], uint32_t triangle)
{
	const struct cs_facet facet = cs_sheet_facet(sheet, triangle);
	return sqrt(cs_facet_reach2(&facet, p)) + cs_sheet_error(sheet, triangle);
}

void cs_quarter(double p[3][3], double ret[4][3][3])
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) {
			ret[i][0][k] = p[i][k];
			ret[i][1][k] = ret[3][i][k] = 0.5 * (p[i][k] + p[(i + 1) % 3][k]);
			ret[i][2][k] = 0.5 * (p[i][k] + p[(i + 2) % 3][k]);
		}
}

/* ---- comparison with the triangles around a hint ---- */

enum { QUARTERINGS = 4 };

struct query {
	struct cs_sheet *sheet;
	double enough;
	struct cs_picks *picks;
};

static double mesh_compare_both(const struct query *query, double p[3][3], uint32_t hint, int depth)
{
	struct cs_sheet *sheet = query->sheet;
	double middle[3], least = 0, most = 0, quarters[4][3][3];
	uint32_t n_picks = query->picks->n;
	for (int k = 0; k < 3; k++)
		middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	uint32_t pick = hint;
	double best = to_one(sheet, p, hint);
	if (best > query->enough) {
		pick = cs_sheet_nearest_around(sheet, middle, hint);
		best = to_one(sheet, p, pick);
	}
	for (int k = 0; k < 3 && best > query->enough && depth > 0; k++) {
		uint32_t other = cs_sheet_nearest_around(sheet, p[k], pick);
		double whole = to_one(sheet, p, other);
		least = fmax(least, sqrt(cs_sheet_distance2(sheet, p[k], other)) +
					    cs_sheet_error(sheet, other));
		pick = whole < best ? other : pick;
		best = fmin(best, whole);
	}
	if (best > query->enough && best > 1.1 * least && depth > 0 && sheet->quarterings > 0) {
		sheet->quarterings--;
		cs_quarter(p, quarters);
		for (int i = 0; i < 4; i++)
			most = fmax(most, mesh_compare_both(query, quarters[i], pick, depth - 1));
		if (most < best)
			return most;
	}
	query->picks->n = n_picks;
	query->picks->triangles[query->picks->n++] = pick;
	return best;
}

/*
 * Bounds the distance of triangle p from the sheet with cs_drape(), which cuts p into pieces, one
 * above each triangle of the sheet. If that bound is not tight, also compares the quarters of p,
 * and returns the smaller bound.
 */
static double compare_around(const struct query *query, double p[3][3], uint32_t hint)
{
	struct cs_picks others;
	const struct query again = {query->sheet, query->enough, &others};
	query->picks->n = others.n = 0;
	bool tight;
	double bound = cs_drape(query->sheet, p, hint, query->enough, &tight, query->picks);
	if (tight)
		return bound;
	double quartered = mesh_compare_both(&again, p, hint, QUARTERINGS);
	if (quartered < bound)
		*query->picks = others;
	return fmin(quartered, bound);
}

/* ---- comparison with a list of triangles ---- */

enum {
	LIST_QUARTERINGS = 5,
	LIST_PIECES = 256, /* largest number of pieces that one triangle is cut into */
};

/* A sphere around a triangle, whose radius is the largest distance of a corner from `middle`. */
struct ball {
	double middle[3], radius;
};

static struct ball ball_of(const double p[3][3])
{
	struct ball ball;
	double radius2 = 0;
	for (int k = 0; k < 3; k++)
		ball.middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	for (int i = 0; i < 3; i++) {
		double off[3], far2;
		cs_subtract(p[i], ball.middle, off);
		far2 = cs_dot(off, off);
		radius2 = far2 > radius2 ? far2 : radius2;
	}
	ball.radius = sqrt(radius2) * (1 + 0x1p-40);
	return ball;
}

/*
 * Indices of the arrays in list.rows: centre of each triangle's sphere, relative to lister.origin
 * (ROW_X to ROW_Z), the triangle's error minus the sphere's radius (ROW_NEAR), and the radius.
 */
enum { ROW_X, ROW_Y, ROW_Z, ROW_NEAR, ROW_RADIUS, ROWS };

/* The listed triangles that can be nearest to some point of a piece of the compared triangle. */
struct list {
	uint32_t n;
	uint16_t at[CS_LOOSE_TRIANGLES];
	float rows[ROWS][CS_LOOSE_TRIANGLES];
};

/* State of comparing a triangle with a list of triangles. */
struct lister {
	const struct cs_loose *loose;
	double enough;
	/* largest distance so far of a piece's centre from the list. No bound can be smaller */
	double least;
	/* first corner of the compared triangle. Sphere centres are stored relative to it */
	double origin[3];
	float play;      /* bound of the rounding error of centres in single precision */
	uint32_t pieces; /* how many more pieces the compared triangle may be cut into */
	bool used[CS_LOOSE_TRIANGLES]; /* whether a piece was assigned to each triangle */
	struct list all;
};

/*
 * Computes for each triangle of the list, from its sphere, a lower bound of its distance from the
 * point `place`. Returns an upper bound of the distance from `place` to the nearest triangle.
 */
static float mesh_compare_distances_of_balls(const struct lister *lister, const double place[3],
	const struct list *list, float *restrict at_least)
{
	const float *x = list->rows[ROW_X], *y = list->rows[ROW_Y], *z = list->rows[ROW_Z];
	const float *near = list->rows[ROW_NEAR], *radius = list->rows[ROW_RADIUS];
	float at[3], within = INFINITY, play = lister->play;
	for (int k = 0; k < 3; k++)
		at[k] = (float)(place[k] - lister->origin[k]);
	for (uint32_t i = 0; i < list->n; i++) {
		float u = x[i] - at[0], v = y[i] - at[1], w = z[i] - at[2];
		at_least[i] = sqrtf(u * u + v * v + w * w) + near[i] - play;
	}
	for (uint32_t i = 0; i < list->n; i++)
		within = cs_smaller(within, at_least[i] + radius[i]);
	return within + 2 * play;
}

/* Copies to *ret the triangles of the list whose lower bound in `at_least` is at most `reach`. */
static void mesh_compare_keep(
	const struct list *list, const float *at_least, double reach, struct list *ret)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		/* No branch is used: the processor cannot predict which triangles are kept. */
		ret->at[n] = list->at[i];
		for (int row = 0; row < ROWS; row++)
			ret->rows[row][n] = list->rows[row][i];
		n += !((double)at_least[i] > reach);
	}
	ret->n = n;
}

static struct cs_facet mesh_compare_facet_of(const struct lister *lister, uint32_t i)
{
	const double(*corners)[3] = lister->loose->corners[i];
	return cs_facet_of(corners[0], corners[1], corners[2]);
}

static double far_of(const struct lister *lister, uint32_t i, const double place[3])
{
	const struct cs_facet facet = mesh_compare_facet_of(lister, i);
	return sqrt(cs_facet_distance2(&facet, place)) + (double)lister->loose->errors[i];
}

/*
 * Returns the triangle of the list that is nearest to the centre of the piece p. *least_ret is its
 * distance. Copies to *ret the triangles that may be nearest to other points of p, which are few
 * because spheres exclude most. `hint` is a triangle that may be near.
 */
static uint32_t shorten(const struct lister *lister, const double p[3][3], uint32_t hint,
	const struct list *list, double *least_ret, struct list *ret)
{
	const struct ball piece = ball_of(p);
	float at_least[CS_LOOSE_TRIANGLES];
	float within = mesh_compare_distances_of_balls(lister, piece.middle, list, at_least);
	uint32_t pick = hint;
	double least = far_of(lister, hint, piece.middle);
	for (uint32_t i = 0; i < list->n; i++) {
		if (at_least[i] > within || (double)at_least[i] > least || list->at[i] == hint)
			continue;
		double far = far_of(lister, list->at[i], piece.middle);
		bool nearer = far < least || (far == least && list->at[i] < pick);
		pick = nearer ? list->at[i] : pick;
		least = nearer ? far : least;
	}
	mesh_compare_keep(list, at_least, least + 2 * piece.radius, ret);
	*least_ret = least;
	return pick;
}

static double reach_of(const struct lister *lister, uint32_t i, double p[3][3])
{
	const struct cs_facet facet = mesh_compare_facet_of(lister, i);
	return sqrt(cs_facet_reach2(&facet, p)) + (double)lister->loose->errors[i];
}

static double compare_list(
	struct lister *lister, double p[3][3], uint32_t hint, const struct list *list, int depth)
{
	double quarters[4][3][3], least, most = 0, limit = fmax(lister->enough, lister->least);
	double best = reach_of(lister, hint, p);
	if (best <= limit) {
		lister->used[hint] = true;
		return best;
	}
	struct list kept;
	uint32_t pick = shorten(lister, p, hint, list, &least, &kept);
	lister->least = fmax(lister->least, least);
	best = pick != hint ? reach_of(lister, pick, p) : best;
	if (best > fmax(lister->enough, lister->least) && depth > 0 && lister->pieces > 0) {
		lister->pieces--;
		cs_quarter(p, quarters);
		for (int i = 0; i < 4 && most < best; i++)
			most = fmax(
				most, compare_list(lister, quarters[i], pick, &kept, depth - 1));
		if (most < best)
			return most;
	}
	lister->used[pick] = true;
	return best;
}

static void mesh_compare_begin(struct lister *lister, const struct cs_loose *loose, double enough)
{
	lister->loose = loose;
	lister->enough = enough;
	lister->least = 0;
	lister->pieces = LIST_PIECES;
}

/* Computes the spheres of all triangles, relative to the first corner of p. */
static void mesh_compare_set_rows(struct lister *lister, double p[3][3])
{
	double extent = 0;
	memcpy(lister->origin, p[0], sizeof(lister->origin));
	lister->all.n = lister->loose->n;
	for (int i = 1; i < 3; i++)
		for (int k = 0; k < 3; k++)
			extent = fmax(extent, fabs(p[i][k] - p[0][k]));
	for (uint32_t i = 0; i < lister->all.n; i++) {
		const double(*corners)[3] = lister->loose->corners[i];
		const struct ball ball = ball_of(corners);
		double error = (double)lister->loose->errors[i], out = ball.radius + error;
		lister->all.at[i] = (uint16_t)i;
		for (int k = 0; k < 3; k++) {
			double off = ball.middle[k] - lister->origin[k];
			lister->all.rows[k][i] = (float)off;
			out = fabs(off) > out ? fabs(off) : out;
		}
		lister->all.rows[ROW_NEAR][i] = (float)(error - ball.radius);
		lister->all.rows[ROW_RADIUS][i] = (float)ball.radius;
		extent = out > extent ? out : extent;
	}
	lister->play = (float)(extent * 0x1p-18);
}

static double compare_lister(struct lister *lister, double p[3][3])
{
	mesh_compare_set_rows(lister, p);
	memset(lister->used, 0, lister->all.n * sizeof(lister->used[0]));
	return lister->all.n ? compare_list(lister, p, 0, &lister->all, LIST_QUARTERINGS)
			     : INFINITY;
}

double cs_compare_loose(const struct cs_loose *loose, double p[3][3], double enough)
{
	struct lister lister;
	mesh_compare_begin(&lister, loose, enough);
	return compare_lister(&lister, p);
}

/* ---- comparison with a whole sheet ---- */

/*
 * Bounds the distance of triangle p from the sheet by comparing p with the triangles of the sheet,
 * at most CS_PICKS, that may be within `reach` of p. Finds them by sheet->least, which the search
 * for the triangle nearest to the centre of p has just set.
 */
static double compare_near(const struct query *query, double p[3][3], double reach)
{
	struct cs_sheet *sheet = query->sheet;
	struct cs_loose *near = sheet->near;
	struct lister lister;
	uint32_t triangles[CS_PICKS];
	float within = (float)(reach + ball_of((const double(*)[3])p).radius);
	near->n = query->picks->n = 0;
	for (uint32_t i = 0; i < sheet->n && near->n < CS_PICKS; i++) {
		if (sheet->least[i] > within)
			continue;
		for (size_t k = 0; k < 3; k++)
			memcpy(near->corners[near->n][k],
				sheet->places[sheet->corners[3 * (size_t)i + k]],
				sizeof(sheet->places[0]));
		triangles[near->n] = i;
		near->errors[near->n++] = (float)cs_sheet_error(sheet, i);
	}
	mesh_compare_begin(&lister, near, query->enough);
	double bound = compare_lister(&lister, p);
	for (uint32_t i = 0; i < near->n; i++)
		if (lister.used[i])
			query->picks->triangles[query->picks->n++] = triangles[i];
	return bound;
}

double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	struct cs_picks *picks)
{
	const struct query query = {sheet, enough, picks};
	picks->n = 0;
	return hint != CS_NONE ? compare_around(&query, p, hint) : INFINITY;
}

double cs_compare_elsewhere(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	double bound, struct cs_picks *picks)
{
	struct cs_picks others;
	const struct query query = {sheet, enough, &others};
	double middle[3];
	bool exact;
	for (int k = 0; k < 3; k++)
		middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	uint32_t nearest = cs_sheet_nearest(sheet, middle, &exact);
	for (int way = 0; way < 2 && bound > enough; way++) {
		if (way ? !exact : nearest == hint)
			continue;
		double other =
			way ? compare_near(&query, p, bound) : compare_around(&query, p, nearest);
		if (other < bound) {
			bound = other;
			*picks = others;
		}
	}
	return bound;
}
