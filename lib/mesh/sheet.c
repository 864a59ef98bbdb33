/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches a sheet for the triangle nearest to a point. With a hint it searches only the triangles
 * around the hint, ring by ring. Without a hint it compares all triangles, or uses a tree of all
 * triangles once many searches were made.
 */
#include "mesh/sheet.h"

#include "mesh/vector.h"

#include <math.h>
#include <string.h>

enum {
	/* largest number of quarterings per triangle of the sheet. After that, bounds stay loose */
	QUARTERINGS = 2,
	RINGS = 40,  /* largest number of triangles that one search around a hint compares */
	LOOKS = 100, /* largest number of triangles that one search in the tree compares */
	SCANS = 400, /* number of searches through all triangles before the tree is made */
};

bool cs_sheet_init(uint32_t n, uint32_t n_places, struct cs_scratch *scratch, struct cs_sheet *ret)
{
	*ret = (struct cs_sheet){.n = n, .quarterings = QUARTERINGS * (n + 64)};
	ret->stamps = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	ret->positions = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)n_places);
	ret->near = CS_SCRATCH_ARRAY(scratch, struct cs_loose, 1);
	ret->least = CS_SCRATCH_ARRAY(scratch, float, n);
	for (int i = 0; i < CS_BALL_ROWS; i++)
		ret->balls[i] = CS_SCRATCH_ARRAY(scratch, float, n);
	if (scratch->failed)
		return false;
	memset(ret->stamps, 0, n * sizeof(*ret->stamps));
	return true;
}

void cs_sheet_deinit(struct cs_sheet *sheet)
{
	cs_surface_deinit(&sheet->surface);
}

double cs_sheet_distance2(const struct cs_sheet *sheet, const double p[3], uint32_t triangle)
{
	const struct cs_facet facet = cs_sheet_facet(sheet, triangle);
	return cs_facet_distance2(&facet, p);
}

/* Searches ring by ring from the hint, only over triangles not much farther than the nearest. */
uint32_t cs_sheet_nearest_around(struct cs_sheet *sheet, const double p[3], uint32_t hint)
{
	uint32_t list[RINGS + 3], n = 0, best = hint, stamp = ++sheet->stamp;
	double least = INFINITY;
	list[n++] = hint;
	sheet->stamps[hint] = stamp;
	for (uint32_t i = 0; i < n; i++) {
		double here = cs_sheet_distance2(sheet, p, list[i]);
		best = here < least ? list[i] : best;
		least = here < least ? here : least;
		if (here > 2.25 * least)
			continue;
		for (uint32_t edge = 3 * list[i]; edge < 3 * list[i] + 3 && n < RINGS; edge++) {
			uint32_t other = sheet->opposite[edge];
			if (other == CS_NONE || sheet->stamps[other / 3] == stamp)
				continue;
			sheet->stamps[other / 3] = stamp;
			list[n++] = other / 3;
		}
	}
	return best;
}

static void make_tree(struct cs_sheet *sheet)
{
	for (size_t i = 0; i < 3 * (size_t)sheet->n; i++)
		for (size_t k = 0; k < 3; k++)
			sheet->positions[3 * (size_t)sheet->corners[i] + k] =
				(float)sheet->places[sheet->corners[i]][k];
	struct cs_error *error =
		cs_surface_init(sheet->positions, sheet->corners, sheet->n, &sheet->surface);
	sheet->surface.most_looks = LOOKS;
	sheet->no_memory = sheet->no_memory || error;
	cs_error_free(error);
}

/* Makes a sphere around each triangle, because distances from spheres are compared quickly. */
static void make_balls(struct cs_sheet *sheet)
{
	for (uint32_t i = 0; i < sheet->n; i++) {
		const uint32_t *c = sheet->corners + 3 * (size_t)i;
		double middle[3], radius2 = 0;
		for (int k = 0; k < 3; k++) {
			middle[k] = (sheet->places[c[0]][k] + sheet->places[c[1]][k] +
					    sheet->places[c[2]][k]) /
				    3;
			sheet->balls[k][i] = (float)middle[k];
		}
		for (int corner = 0; corner < 3; corner++) {
			double off[3];
			cs_subtract(sheet->places[c[corner]], middle, off);
			double far2 = cs_dot(off, off);
			radius2 = far2 > radius2 ? far2 : radius2;
		}
		sheet->balls[CS_BALL_RADIUS][i] = (float)sqrt(radius2);
	}
}

/*
 * Stores in sheet->least a lower bound of the distance of each triangle from p, which is the
 * distance of its sphere. Returns an upper bound of the distance of the nearest triangle.
 */
static float distances_of_balls(const struct cs_sheet *sheet, const double p[3])
{
	const float *x = sheet->balls[0], *y = sheet->balls[1], *z = sheet->balls[2];
	const float *radius = sheet->balls[CS_BALL_RADIUS];
	float at[3] = {(float)p[0], (float)p[1], (float)p[2]}, *least = sheet->least,
	      within = INFINITY;
	for (uint32_t i = 0; i < sheet->n; i++) {
		float u = x[i] - at[0], v = y[i] - at[1], w = z[i] - at[2];
		least[i] = sqrtf(u * u + v * v + w * w) - radius[i];
	}
	for (uint32_t i = 0; i < sheet->n; i++) {
		float most = least[i] + 2 * radius[i];
		within = most < within ? most : within;
	}
	return within;
}

/*
 * The first SCANS searches compare p with all triangles. Later searches use a tree of the
 * triangles, because making a tree costs more than a few searches.
 */
uint32_t cs_sheet_nearest(struct cs_sheet *sheet, const double p[3], bool *exact_ret)
{
	uint32_t found = 0;
	double nearest2 = INFINITY;
	*exact_ret = ++sheet->n_asked <= SCANS;
	if (!*exact_ret) {
		if (!sheet->surface.nodes)
			make_tree(sheet);
		if (!sheet->no_memory)
			cs_surface_distance2(&sheet->surface, p, CS_NONE, &found);
		return found;
	}
	if (sheet->n_asked == 1)
		make_balls(sheet);
	float within = distances_of_balls(sheet, p);
	for (uint32_t i = 0; i < sheet->n; i++) {
		if (sheet->least[i] > within)
			continue;
		double here = cs_sheet_distance2(sheet, p, i);
		if (here < nearest2) {
			found = i;
			nearest2 = here;
			within = cs_smaller(within, (float)sqrt(here));
		}
	}
	return found;
}
