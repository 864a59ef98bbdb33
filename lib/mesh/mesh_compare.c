/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: comparing one triangle with a sheet. The distance from one triangle of the sheet is a
 * convex function, so its values at three corners bound it between them: any triangle of the sheet
 * gives a bound, the nearest ones give good ones. Where none is tight, the triangle is quartered.
 *
 * Near triangles are looked for around a hint, ring by ring; without a hint in a tree of all.
 */
#include "mesh/mesh_compare.h"

#include <math.h>
#include <string.h>

enum {
	QUARTERINGS = 2, /* by triangle of the sheet: where nothing is tight, effort ends */
	RINGS = 40,      /* triangles looked at around a hint */
	LOOKS = 100,     /* triangles looked at in a tree */
	SCANS = 48,      /* searches of all triangles before a tree of them is made */
};

bool cs_sheet_init(uint32_t n, uint32_t n_places, struct cs_scratch *scratch, struct cs_sheet *ret)
{
	*ret = (struct cs_sheet){.n = n, .scratch = scratch, .quarterings = QUARTERINGS * (n + 64)};
	ret->stamps = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	ret->positions = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)n_places);
	if (!ret->stamps || !ret->positions)
		return false;
	memset(ret->stamps, 0, n * sizeof(*ret->stamps));
	return true;
}

void cs_sheet_deinit(struct cs_sheet *sheet)
{
	cs_surface_deinit(&sheet->surface);
}

static double error_of(const struct cs_sheet *s, uint32_t triangle)
{
	return s->errors ? (double)s->errors[triangle] : 0;
}

static double distance2(const struct cs_sheet *s, const double p[3], uint32_t triangle)
{
	const uint32_t *c = s->corners + 3 * (size_t)triangle;
	double nearest[3];
	return cs_triangle_nearest(p, s->places[c[0]], s->places[c[1]], s->places[c[2]], nearest);
}

/* Largest distance of three points from one triangle of the sheet. */
static double to_one(const struct cs_sheet *s, double p[3][3], uint32_t triangle)
{
	double most = 0;
	for (int k = 0; k < 3; k++)
		most = fmax(most, distance2(s, p[k], triangle));
	return sqrt(most) + error_of(s, triangle);
}

/* Ring by ring, but only from triangles that are not much farther than the nearest so far. */
static uint32_t nearest_around(struct cs_sheet *s, const double p[3], uint32_t hint)
{
	uint32_t list[RINGS + 3], n = 0, best = hint, stamp = ++s->stamp;
	double least = INFINITY;
	list[n++] = hint;
	s->stamps[hint] = stamp;
	for (uint32_t i = 0; i < n; i++) {
		double here = distance2(s, p, list[i]);
		best = here < least ? list[i] : best;
		least = here < least ? here : least;
		if (here > 2.25 * least)
			continue;
		for (uint32_t edge = 3 * list[i]; edge < 3 * list[i] + 3 && n < RINGS; edge++) {
			uint32_t other = s->opposite[edge];
			if (other == CS_NONE || s->stamps[other / 3] == stamp)
				continue;
			s->stamps[other / 3] = stamp;
			list[n++] = other / 3;
		}
	}
	return best;
}

static void make_tree(struct cs_sheet *s)
{
	for (size_t i = 0; i < 3 * (size_t)s->n; i++)
		for (size_t k = 0; k < 3; k++)
			s->positions[3 * (size_t)s->corners[i] + k] =
				(float)s->places[s->corners[i]][k];
	struct cs_error *error = cs_surface_init(s->positions, s->corners, s->n, &s->surface);
	s->surface.most_looks = LOOKS;
	s->no_memory = s->no_memory || error;
	cs_error_free(error);
}

/* One by one as long as a tree would not pay. */
static uint32_t nearest_of_all(struct cs_sheet *s, const double p[3])
{
	uint32_t found = 0;
	double least = INFINITY;
	if (++s->n_asked > SCANS) {
		if (!s->surface.nodes)
			make_tree(s);
		if (!s->no_memory)
			cs_surface_distance2(&s->surface, p, CS_NONE, &found);
		return found;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		double here = distance2(s, p, i);
		found = here < least ? i : found;
		least = here < least ? here : least;
	}
	return found;
}

static uint32_t nearest_of(struct cs_sheet *s, const double p[3], uint32_t hint)
{
	return hint == CS_NONE ? nearest_of_all(s, p) : nearest_around(s, p, hint);
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

struct query {
	struct cs_sheet *sheet;
	bool everywhere; /* no hint was given: look at all */
	double enough;
	struct cs_picks *picks;
};

static double compare(const struct query *q, double p[3][3], uint32_t hint, int depth)
{
	struct cs_sheet *s = q->sheet;
	double middle[3], least = 0, most = 0, quarters[4][3][3];
	uint32_t n_picks = q->picks->n;
	for (int k = 0; k < 3; k++)
		middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	uint32_t pick = hint;
	double best = q->everywhere ? INFINITY : to_one(s, p, hint);
	if (best > q->enough) {
		pick = nearest_of(s, middle, q->everywhere ? CS_NONE : hint);
		best = to_one(s, p, pick);
	}
	for (int k = 0; k < 3 && best > q->enough && depth > 0; k++) {
		uint32_t other = nearest_of(s, p[k], q->everywhere ? CS_NONE : pick);
		double whole = to_one(s, p, other);
		least = fmax(least, sqrt(distance2(s, p[k], other)) + error_of(s, other));
		pick = whole < best ? other : pick;
		best = fmin(best, whole);
	}
	if (best > q->enough && best > 1.1 * least && depth > 0 && s->quarterings > 0) {
		s->quarterings--;
		cs_quarter(p, quarters);
		for (int i = 0; i < 4; i++)
			most = fmax(most, compare(q, quarters[i], pick, depth - 1));
		if (most < best)
			return most;
	}
	q->picks->n = n_picks;
	q->picks->triangles[q->picks->n++] = pick;
	return best;
}

double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	double astray, struct cs_picks *picks)
{
	struct query query = {sheet, hint == CS_NONE, enough, picks};
	picks->n = 0;
	double bound = compare(&query, p, hint, CS_QUARTERINGS);
	if (query.everywhere || bound <= astray)
		return bound;
	/* the nearest ones may be out of reach of the hint: slivers, folds */
	struct cs_picks others = {.n = 0};
	query.everywhere = true;
	query.picks = &others;
	double again = compare(&query, p, CS_NONE, CS_QUARTERINGS);
	if (again < bound)
		*picks = others;
	return fmin(again, bound);
}

/* ---- against triangles by themselves ---- */

enum { LOOSE_QUARTERINGS = 3 };

static double to_loose(const struct cs_loose *loose, uint32_t i, double p[3][3])
{
	double most = 0, nearest[3];
	for (int k = 0; k < 3; k++)
		most = fmax(most, cs_triangle_nearest(p[k], loose->corners[i][0],
					  loose->corners[i][1], loose->corners[i][2], nearest));
	return sqrt(most) + (double)loose->errors[i];
}

static double compare_loose(const struct cs_loose *loose, double p[3][3], double enough, int depth)
{
	double best = INFINITY, most = 0, quarters[4][3][3];
	for (uint32_t i = 0; i < loose->n && best > enough; i++)
		best = fmin(best, to_loose(loose, i, p));
	if (best <= enough || depth == 0)
		return best;
	cs_quarter(p, quarters);
	for (int i = 0; i < 4 && most < best; i++)
		most = fmax(most, compare_loose(loose, quarters[i], enough, depth - 1));
	return fmin(best, most);
}

double cs_compare_loose(const struct cs_loose *loose, double p[3][3], double enough)
{
	return compare_loose(loose, p, enough, LOOSE_QUARTERINGS);
}
