/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far points are from triangles, against a twin that tries all regions; what a list or a sheet
 * of triangles is said to be away at most, against points taken all over, and what is nearest,
 * against a look at all; and how many pieces of a triangle there may be.
 */
#include "mesh/edges.h"
#include "mesh/mesh_compare.h"

#include "core/random.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <string.h>

enum { TRIANGLES = 4000, POINTS = 20, LISTS = 60, SIDE = 9, GRID = 64 };

/* ---- one triangle ---- */

static double to_segment(const double p[3], const double q[3], const double r[3])
{
	double along[3], off[3];
	cs_subtract(r, q, along);
	cs_subtract(p, q, off);
	double length2 = cs_dot(along, along);
	double t = length2 > 0 ? fmin(fmax(cs_dot(off, along) / length2, 0), 1) : 0;
	for (int k = 0; k < 3; k++)
		off[k] -= t * along[k];
	return sqrt(cs_dot(off, off));
}

/*
 * Returns the distance from the nearest of the three sides, or from the plane where p is above the
 * triangle.
 */
static double slow_distance(const double p[3], double t[3][3])
{
	double normal[3], least = INFINITY;
	bool above = true;
	cs_face_normal(t[0], t[1], t[2], normal);
	for (int i = 0; i < 3; i++) {
		double along[3], off[3], side[3];
		const double *q = t[i], *r = t[(i + 1) % 3];
		least = fmin(least, to_segment(p, q, r));
		cs_subtract(r, q, along);
		cs_subtract(p, q, off);
		cs_cross(along, off, side);
		above = above && cs_dot(side, normal) > 0;
	}
	double off[3], length = sqrt(cs_dot(normal, normal));
	cs_subtract(p, t[0], off);
	return above ? fmin(least, fabs(cs_dot(off, normal)) / length) : least;
}

static void fill(struct cs_random *random, double *values, int n)
{
	for (int i = 0; i < n; i++)
		values[i] = cs_random_range(random, -1, 1);
}

/* Makes a triangle. Of eight, two are slivers and one is a line, which may have two equal corners.
 */
static void make_triangle(struct cs_random *random, int i, double ret[3][3])
{
	static const double thin[] = {1e-3, 1e-6, 0, 1};
	fill(random, ret[0], 9);
	double part = cs_random_unit(random), width = thin[i / 2 % 4];
	for (int k = 0; k < 3 && i % 2; k++)
		ret[2][k] = ret[0][k] + part * (ret[1][k] - ret[0][k]) +
			    width * (ret[2][k] - ret[0][k]);
	if (i % 16 == 5)
		memcpy(ret[1], ret[0], sizeof(ret[0]));
}

static void test_distances(void)
{
	struct cs_random random = {1};
	double off = 0, below = 0;
	for (int i = 0; i < TRIANGLES; i++) {
		double t[3][3];
		make_triangle(&random, i, t);
		for (int k = 0; k < POINTS; k++) {
			double p[3];
			fill(&random, p, 3);
			double is = slow_distance(p, t);
			double said = sqrt(cs_triangle_distance2(p, t[0], t[1], t[2]));
			off = fmax(off, fabs(said - is));
			below = fmax(below, is - said);
		}
	}
	ok(off < 1e-5, "distances are those of the twin, within %g", off);
	ok(below < 1e-9, "and none is less, but for %g", below);
}

/*
 * Tries points where the regions of a triangle meet: at its corners, on its sides and beyond them.
 */
static void test_places_on_the_triangle(void)
{
	double t[3][3] = {{1, 2, 3}, {5, 2, 3}, {2, 6, 3}};
	for (int i = 0; i < 3; i++) {
		double middle[3];
		for (int k = 0; k < 3; k++)
			middle[k] = (t[i][k] + t[(i + 1) % 3][k]) / 2;
		is_double(cs_triangle_distance2(t[i], t[0], t[1], t[2]), 0, "at corner %d", i);
		ok(cs_triangle_distance2(middle, t[0], t[1], t[2]) < 1e-28, "on side %d", i);
	}
	double above[3] = {2.5, 3, 4}, beside[3] = {0, 1, 3};
	ok(fabs(cs_triangle_distance2(above, t[0], t[1], t[2]) - 1) < 1e-15, "above it");
	ok(fabs(cs_triangle_distance2(beside, t[0], t[1], t[2]) - 2) < 1e-15, "beyond a corner");
}

/* ---- a list ---- */

/* Makes a field of triangles that goes up and down, far from the origin. */
static void make_field(struct cs_random *random, double at, struct cs_loose *ret)
{
	double heights[SIDE + 1][SIDE + 1];
	fill(random, heights[0], (SIDE + 1) * (SIDE + 1));
	ret->n = 0;
	for (int cell = 0; cell < SIDE * SIDE; cell++)
		for (int half = 0; half < 2; half++, ret->n++) {
			const int corners[2][3][2] = {
				{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}};
			for (int i = 0; i < 3; i++) {
				int x = cell % SIDE + corners[half][i][0];
				int y = cell / SIDE + corners[half][i][1];
				double place[3] = {at + x, at + y, at + 0.4 * heights[x][y]};
				memcpy(ret->corners[ret->n][i], place, sizeof(place));
			}
			ret->errors[ret->n] = (float)cs_random_range(random, 0, 0.05);
		}
}

/* Returns the largest distance of sampled points of p from the nearest triangle. */
static double sampled(const struct cs_loose *field, double p[3][3])
{
	double most = 0;
	for (int i = 0; i <= GRID; i++)
		for (int j = 0; i + j <= GRID; j++) {
			double s = (double)i / GRID, t = (double)j / GRID, at[3], least = INFINITY;
			for (int k = 0; k < 3; k++)
				at[k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]);
			for (uint32_t n = 0; n < field->n; n++) {
				const double(*c)[3] = field->corners[n];
				double far = sqrt(cs_triangle_distance2(at, c[0], c[1], c[2]));
				least = fmin(least, far + (double)field->errors[n]);
			}
			most = fmax(most, least);
		}
	return most;
}

static void test_lists(void)
{
	static struct cs_loose field;
	struct cs_random random = {7};
	double loosest = 0, lowest = INFINITY;
	uint32_t coarser = 0;
	for (int i = 0; i < LISTS; i++) {
		double at = i % 2 ? 0 : 500, p[3][3];
		make_field(&random, at, &field);
		for (int corner = 0; corner < 3; corner++)
			for (int k = 0; k < 3; k++)
				p[corner][k] = at + (k < 2 ? cs_random_range(&random, 2, SIDE - 2)
							   : cs_random_range(&random, -.5, .5));
		double is = sampled(&field, p), bound = cs_compare_loose(&field, p, 0);
		lowest = fmin(lowest, bound / is);
		loosest = fmax(loosest, bound / is);
		coarser += cs_compare_loose(&field, p, 1.5 * is) > 1.5 * is;
	}
	ok(lowest >= 1 - 1e-9, "no list is nearer than it is sampled: %f of it", lowest);
	ok(loosest <= 1.25, "nor much farther: %f", loosest);
	is_int(coarser, 0, "what is enough is reached");
	field.n = 0;
	ok(cs_compare_loose(&field, field.corners[0], 0) == INFINITY,
		"nothing is near an empty list");
}

/* ---- points, of which the answer is exact ---- */

enum { MANY = 500, CLOUDS = 40, ASKED = 20 };

static double nearest_of(const struct cs_loose *list, const double p[3])
{
	double least = INFINITY;
	for (uint32_t n = 0; n < list->n; n++) {
		const double(*c)[3] = list->corners[n];
		least = fmin(least,
			sqrt(cs_triangle_distance2(p, c[0], c[1], c[2])) + (double)list->errors[n]);
	}
	return least;
}

/*
 * Makes specks that are all about as far from the middle, closer to each other than floats can tell
 * at that distance; or triangles of all sizes anywhere.
 */
static void make_cloud(struct cs_random *random, bool specks, double size, struct cs_loose *ret)
{
	ret->n = MANY;
	for (uint32_t n = 0; n < MANY; n++) {
		double middle[3], length,
			reach = specks ? 1e-9 : exp(cs_random_range(random, -6, 0));
		do {
			fill(random, middle, 3);
			length = sqrt(cs_dot(middle, middle));
		} while (length < 0.1 || length > 1);
		double to = specks ? (1 + 1e-7 * cs_random_unit(random)) / length : 1;
		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 3; k++)
				ret->corners[n][i][k] =
					size *
					(to * middle[k] + cs_random_range(random, -reach, reach));
		ret->errors[n] = specks ? 0 : (float)(size * cs_random_range(random, 0, 0.1));
	}
}

static void test_points(void)
{
	static struct cs_loose cloud;
	struct cs_random random = {3};
	double off = 0;
	for (int i = 0; i < CLOUDS; i++) {
		double size = exp2(cs_random_range(&random, -8, 12));
		make_cloud(&random, i % 2, size, &cloud);
		for (int asked = 0; asked < ASKED; asked++) {
			double p[3][3];
			fill(&random, p[0], 3);
			for (int k = 0; k < 3; k++)
				p[0][k] *= size * (i % 2 ? 1e-8 : 1);
			memcpy(p[1], p[0], sizeof(p[0]));
			memcpy(p[2], p[0], sizeof(p[0]));
			double is = nearest_of(&cloud, p[0]);
			off = fmax(off, fabs(cs_compare_loose(&cloud, p, 0) - is) / size);
		}
	}
	ok(off < 1e-12, "of points the distance from a list is exact, within %g", off);
}

/* ---- a tree ---- */

static void test_trees(void)
{
	enum { PLACES = 200, SOUP = 300 };
	struct cs_random random = {5};
	uint32_t wrong = 0, misnamed = 0, looser = 0;
	for (int i = 0; i < CLOUDS; i++) {
		float positions[3 * PLACES];
		uint32_t indices[3 * SOUP], n = cs_random_below(&random, i % 4 ? SOUP : 9) + 1;
		struct cs_surface surface;
		for (int k = 0; k < 3 * PLACES; k++)
			positions[k] = (float)cs_random_range(&random, -9, 9);
		for (uint32_t k = 0; k < 3 * n; k++)
			indices[k] = cs_random_below(&random, PLACES);
		if (cs_surface_init(positions, indices, n, &surface))
			abort();
		for (int asked = 0; asked < ASKED; asked++) {
			double p[3], least = INFINITY, c[3][3], of_found = NAN;
			uint32_t found, hint = cs_random_below(&random, 2 * n);
			fill(&random, p, 3);
			for (int k = 0; k < 3; k++)
				p[k] *= asked % 2 ? 9 : 30;
			double far2 = cs_surface_distance2(&surface, p, hint, &found);
			for (uint32_t t = 0; t < n; t++) {
				for (int corner = 0; corner < 3; corner++)
					for (int k = 0; k < 3; k++)
						c[corner][k] = (double)positions
							[3 * (size_t)indices[3 * t + corner] + k];
				double here = cs_triangle_distance2(p, c[0], c[1], c[2]);
				least = fmin(least, here);
				of_found = t == found ? here : of_found;
			}
			/* the thinnest are told by other rounding from farther away */
			wrong += far2 > least * (1 + 1e-9) + 1e-12;
			misnamed += of_found != far2;
			surface.most_looks = 8;
			looser += cs_surface_distance2(&surface, p, hint, NULL) < least;
			surface.most_looks = UINT32_MAX;
		}
		cs_surface_deinit(&surface);
	}
	is_int(wrong, 0, "the nearest of a tree is the nearest of all");
	is_int(misnamed, 0, "and it is that one");
	is_int(looser, 0, "nothing is nearer after few looks");
}

/* ---- a sheet ---- */

enum { FOLDS = 3000, STRIP_PLACES = 2 * (FOLDS + 1), STRIP_TRIANGLES = 2 * FOLDS };

/* Makes a narrow strip that goes up and down: a triangle along it is cut at every fold. */
static void make_strip(struct cs_scratch *scratch, struct cs_sheet *ret)
{
	static double places[STRIP_PLACES][3];
	static uint32_t corners[3 * STRIP_TRIANGLES], opposite[3 * STRIP_TRIANGLES];
	for (uint32_t i = 0; i < STRIP_PLACES; i++) {
		places[i][0] = i / 2;
		places[i][1] = i % 2;
		places[i][2] = i / 2 % 2 ? .3 : -.3;
	}
	for (uint32_t i = 0; i < FOLDS; i++) {
		const uint32_t two[6] = {
			2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3};
		memcpy(&corners[(size_t)6 * i], two, sizeof(two));
	}
	works(cs_match_edges(corners, STRIP_TRIANGLES, STRIP_PLACES, 1, opposite), "the strip");
	ok(cs_sheet_init(STRIP_TRIANGLES, STRIP_PLACES, scratch, ret), "a sheet of it");
	ret->places = places;
	ret->corners = corners;
	ret->opposite = opposite;
	ret->made = CS_SCRATCH_ARRAY(scratch, struct cs_plane, sizeof(corners) / sizeof(*corners));
	ret->is_made = CS_SCRATCH_ARRAY(scratch, bool, sizeof(corners) / sizeof(*corners));
	memset(ret->is_made, 0, sizeof(corners) / sizeof(*corners));
}

/* Makes a sheet of the field; its triangles are the same as the loose ones. */
static void sheet_of_field(
	const struct cs_loose *field, struct cs_scratch *scratch, struct cs_sheet *ret)
{
	static double places[(SIDE + 1) * (SIDE + 1)][3];
	static uint32_t corners[6 * SIDE * SIDE], opposite[6 * SIDE * SIDE];
	for (uint32_t n = 0; n < field->n; n++)
		for (uint32_t i = 0; i < 3; i++) {
			const double *p = field->corners[n][i];
			const double *first = field->corners[0][0];
			uint32_t place = (uint32_t)lround(p[0] - first[0]) * (SIDE + 1) +
					 (uint32_t)lround(p[1] - first[1]);
			corners[3 * n + i] = place;
			memcpy(places[place], p, sizeof(places[place]));
		}
	uint32_t n_places = (SIDE + 1) * (SIDE + 1);
	if (cs_match_edges(corners, field->n, n_places, 1, opposite) ||
		!cs_sheet_init(field->n, n_places, scratch, ret))
		abort();
	ret->places = places;
	ret->corners = corners;
	ret->opposite = opposite;
	ret->errors = field->errors;
	ret->made = CS_SCRATCH_ARRAY(scratch, struct cs_plane, 3 * (size_t)field->n);
	ret->is_made = CS_SCRATCH_ARRAY(scratch, bool, 3 * (size_t)field->n);
	memset(ret->is_made, 0, 3 * (size_t)field->n);
}

/* Returns the sampled distance from the picked triangles alone. */
static double sampled_of_picks(
	const struct cs_loose *field, const struct cs_picks *picks, double p[3][3])
{
	static struct cs_loose some;
	some.n = picks->n;
	for (uint32_t i = 0; i < picks->n; i++) {
		memcpy(some.corners[i], field->corners[picks->triangles[i]],
			sizeof(some.corners[0]));
		some.errors[i] = field->errors[picks->triangles[i]];
	}
	return sampled(&some, p);
}

struct sheet_tally {
	uint32_t n, n_below, n_unpicked, n_worse, n_astray;
	double loosest;
};

/* Asks with near and far hints, and also with triangles that were found elsewhere. */
static void ask_sheet(struct cs_random *random, const struct cs_loose *field,
	struct cs_sheet *sheet, double p[3][3], struct sheet_tally *t)
{
	struct cs_picks picks;
	double is = sampled(field, p), slack = 1e-9 * (1 + is);
	for (int way = 0; way < 3; way++) {
		uint32_t hint = cs_random_below(random, field->n);
		double enough = way == 1 ? 1.3 * is : 0;
		double bound = cs_compare(sheet, p, hint, enough, &picks);
		t->n++;
		t->n_below += bound < is - slack;
		t->n_unpicked += sampled_of_picks(field, &picks, p) > bound + slack;
		double other = cs_compare_elsewhere(sheet, p, hint, enough, bound, &picks);
		t->n_below += other < is - slack;
		t->n_unpicked += sampled_of_picks(field, &picks, p) > other + slack;
		t->n_worse += other > bound;
		t->n_astray += other > 1.3 * is;
		t->loosest = fmax(t->loosest, other / is);
	}
	t->n_worse += cs_compare(sheet, p, CS_NONE, 0, &picks) != INFINITY;
}

static void test_sheets(void)
{
	static struct cs_loose field;
	struct cs_random random = {17};
	struct sheet_tally t = {0};
	for (int i = 0; i < LISTS / 4; i++) {
		struct cs_scratch scratch = CS_SCRATCH_INIT;
		struct cs_sheet sheet;
		double p[3][3];
		make_field(&random, 0, &field);
		sheet_of_field(&field, &scratch, &sheet);
		for (int corner = 0; corner < 3; corner++)
			for (int k = 0; k < 3; k++)
				p[corner][k] = k < 2 ? cs_random_range(&random, 1, SIDE - 1)
						     : cs_random_range(&random, -.5, .5);
		ask_sheet(&random, &field, &sheet, p, &t);
		cs_sheet_deinit(&sheet);
		cs_scratch_deinit(&scratch);
	}
	is_int(t.n_below, 0, "no sheet is nearer than it is sampled");
	is_int(t.n_unpicked, 0, "picks alone are as near as that");
	is_int(t.n_worse, 0, "elsewhere it is no farther");
	ok(t.n_astray <= t.n / 16, "%u of %u are not found well, %g at most", t.n_astray, t.n,
		t.loosest);
}

static void test_nearest(void)
{
	enum { QUESTIONS = 900 };
	static struct cs_loose field;
	struct cs_random random = {23};
	struct cs_scratch scratch = CS_SCRATCH_INIT;
	struct cs_sheet sheet;
	uint32_t n_exact = 0, n_right = 0, n_near = 0, n_around = 0;
	make_field(&random, 0, &field);
	sheet_of_field(&field, &scratch, &sheet);
	memset(field.errors, 0, sizeof(field.errors));
	for (int i = 0; i < QUESTIONS; i++) {
		double p[3];
		bool exact;
		for (int k = 0; k < 3; k++)
			p[k] = k < 2 ? cs_random_range(&random, -1, SIDE + 1)
				     : cs_random_range(&random, -2, 2);
		double is = nearest_of(&field, p);
		uint32_t found = cs_sheet_nearest(&sheet, p, &exact);
		double far = sqrt(cs_sheet_distance2(&sheet, p, found));
		n_exact += exact;
		n_right += exact && far == is;
		n_near += !exact && far <= is + 1e-5;
		/* from a neighbour's neighbour */
		uint32_t edge = sheet.opposite[3 * found],
			 hint = edge == CS_NONE ? found : edge / 3;
		edge = sheet.opposite[3 * hint + 1];
		hint = edge == CS_NONE ? hint : edge / 3;
		uint32_t around = cs_sheet_nearest_around(&sheet, p, hint);
		n_around += sqrt(cs_sheet_distance2(&sheet, p, around)) <= far + 1e-9;
	}
	ok(n_exact > 100 && n_exact < QUESTIONS, "%u of %u are exact", n_exact, QUESTIONS);
	is_int(n_right, n_exact, "what is nearest is, when it is exact");
	is_int(n_near, QUESTIONS - n_exact, "from a tree it is as near, within floats");
	ok(n_around > QUESTIONS * 9 / 10, "around it is found for %u", n_around);
	cs_sheet_deinit(&sheet);
	cs_scratch_deinit(&scratch);
}

static void test_many_folds(void)
{
	struct cs_scratch scratch = CS_SCRATCH_INIT;
	struct cs_sheet sheet;
	struct cs_picks picks;
	double p[3][3] = {{.5, .4, 0}, {FOLDS - .5, .4, 0}, {FOLDS / 2, .6, 0}};
	make_strip(&scratch, &sheet);
	for (uint32_t hint = 0; hint < STRIP_TRIANGLES; hint += STRIP_TRIANGLES / 4 - 1) {
		double bound = cs_compare(&sheet, p, hint, 0, &picks);
		ok(bound >= .25 && picks.n <= CS_PICKS,
			"from triangle %" PRIu32 ": %g by %" PRIu32 " of the strip", hint, bound,
			picks.n);
	}
	cs_sheet_deinit(&sheet);
	cs_scratch_deinit(&scratch);
}

int main(void)
{
	test_distances();
	test_places_on_the_triangle();
	test_lists();
	test_points();
	test_trees();
	test_sheets();
	test_nearest();
	test_many_folds();
	return done();
}
