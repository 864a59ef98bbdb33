/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: looking for near triangles of a sheet: around a hint, ring by ring; without a hint one by
 * one, or in a tree of all when that is done often.
 */
#include "mesh/sheet.h"

#include "mesh/vector.h"

#include <math.h>
#include <string.h>

enum {
	QUARTERINGS = 2, /* by triangle: where nothing is tight, effort ends */
	RINGS = 40,      /* triangles looked at around a hint */
	LOOKS = 100,     /* triangles looked at in a tree */
	SCANS = 48,      /* searches of all triangles before a tree of them is made */
};

bool cs_sheet_init(uint32_t n, uint32_t n_places, struct cs_scratch *scratch, struct cs_sheet *ret)
{
	*ret = (struct cs_sheet){.n = n, .quarterings = QUARTERINGS * (n + 64)};
	ret->stamps = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	ret->positions = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)n_places);
	ret->near = CS_SCRATCH_ARRAY(scratch, struct cs_loose, 1);
	if (!ret->stamps || !ret->positions || !ret->near)
		return false;
	memset(ret->stamps, 0, n * sizeof(*ret->stamps));
	return true;
}

void cs_sheet_deinit(struct cs_sheet *sheet)
{
	cs_surface_deinit(&sheet->surface);
}

double cs_sheet_distance2(const struct cs_sheet *s, const double p[3], uint32_t triangle)
{
	const uint32_t *c = s->corners + 3 * (size_t)triangle;
	double nearest[3];
	return cs_triangle_nearest(p, s->places[c[0]], s->places[c[1]], s->places[c[2]], nearest);
}

/* Ring by ring, but only from triangles that are not much farther than the nearest so far. */
uint32_t cs_sheet_nearest_around(struct cs_sheet *s, const double p[3], uint32_t hint)
{
	uint32_t list[RINGS + 3], n = 0, best = hint, stamp = ++s->stamp;
	double least = INFINITY;
	list[n++] = hint;
	s->stamps[hint] = stamp;
	for (uint32_t i = 0; i < n; i++) {
		double here = cs_sheet_distance2(s, p, list[i]);
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

/* Squared distance of p from the box around a triangle: no more than from the triangle. */
static double box_distance2(const struct cs_sheet *s, const double p[3], uint32_t triangle)
{
	const uint32_t *c = s->corners + 3 * (size_t)triangle;
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		double x = s->places[c[0]][k], y = s->places[c[1]][k], z = s->places[c[2]][k];
		double low = x < y ? x : y, high = x < y ? y : x;
		low = (z < low ? z : low) - p[k];
		high = p[k] - (z > high ? z : high);
		double off = low > 0 ? low : high > 0 ? high : 0;
		sum += off * off;
	}
	return sum;
}

/* One by one as long as a tree would not pay. */
uint32_t cs_sheet_nearest(struct cs_sheet *s, const double p[3], bool *exact_ret)
{
	uint32_t found = 0;
	double least = INFINITY;
	*exact_ret = ++s->n_asked <= SCANS;
	if (!*exact_ret) {
		if (!s->surface.nodes)
			make_tree(s);
		if (!s->no_memory)
			cs_surface_distance2(&s->surface, p, CS_NONE, &found);
		return found;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		if (box_distance2(s, p, i) >= least)
			continue;
		double here = cs_sheet_distance2(s, p, i);
		found = here < least ? i : found;
		least = here < least ? here : least;
	}
	return found;
}
