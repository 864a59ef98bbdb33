/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of how polygons are triangulated: the triangles cover the polygon, have its direction and,
 * where corners are on its sides, are not flat.
 */
#include "core/random.h"
#include "mesh/mesh_readers.h"
#include "tests/samples/tap.h"

#include <math.h>

/* Twice the area of the triangle of three corners, negative for one against the direction. */
static double turned_area(const float (*p)[3], const uint32_t *c)
{
	const float *a = p[c[0]], *b = p[c[1]], *d = p[c[2]];
	return ((double)b[0] - (double)a[0]) * ((double)d[1] - (double)a[1]) -
	       ((double)b[1] - (double)a[1]) * ((double)d[0] - (double)a[0]);
}

/*
 * Returns twice the least area of the triangles of a polygon, negative for one against its
 * direction, or NAN if the sum of their areas is not that of the polygon.
 */
static double least_area(const float (*p)[3], uint32_t n)
{
	uint32_t corners[3 * CS_POLYGON_EARS];
	double whole = 0, sum = 0, least = INFINITY;
	for (uint32_t i = 1; i + 1 < n; i++)
		whole += turned_area(p, (const uint32_t[3]){0, i, i + 1});
	const bool covered = cs_polygon_cut(p, n, corners);
	for (uint32_t i = 0; i < n - 2; i++) {
		double area = turned_area(p, corners + 3 * i);
		sum += fabs(area);
		least = fmin(least, area);
	}
	return covered && fabs(sum - whole) < 1e-6 * whole ? least : NAN;
}

static void test_polygon(const char *name, const float (*p)[3], uint32_t n)
{
	ok(least_area(p, n) >= 0, "polygon: %s", name);
}

/* No triangle of a polygon with corners on its sides is flat, whichever corner is its first. */
static void test_straight_corners(const char *name, const float (*sides)[3], uint32_t n_sides)
{
	enum { STEPS = 5 };
	float p[4 * STEPS][3] = {0};
	const uint32_t n = n_sides * STEPS;
	double least = INFINITY;
	for (uint32_t first = 0; first < n; first++) {
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t at = (first + i) % n, side = at / STEPS;
			const float by = (float)(at % STEPS) / STEPS;
			for (int k = 0; k < 2; k++)
				p[i][k] = sides[side][k] * (1 - by) +
					  sides[(side + 1) % n_sides][k] * by;
		}
		const double area = least_area((const float(*)[3])p, n);
		least = area < least || isnan(area) ? area : least;
	}
	ok(least > 1e-3, "polygon: %s, no triangle is flat", name);
}

struct outline {
	float at[40][3];
	uint32_t n;
};

static void add_point(struct outline *o, double angle, double radius)
{
	o->at[o->n][0] = (float)(radius * cos(angle));
	o->at[o->n][1] = (float)(radius * sin(angle));
	o->at[o->n++][2] = 0;
}

/*
 * Makes a random polygon of 5 to 10 corners at different distances from the centre. From about
 * every second corner a cut leads to a triangular hole, around it in the opposite direction, and
 * back, so that the ends of the cut occur twice. Some corners are doubled.
 */
static void make_outline(struct cs_random *random, struct outline *o)
{
	uint32_t n = 5 + cs_random_below(random, 6), first = cs_random_below(random, 2);
	o->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		double step = 6.283185307179586 / n, angle = i * step, u = .02 * step;
		double radius = cs_random_range(random, 2, 4),
		       hole = cs_random_range(random, .5, 1.2);
		add_point(o, angle, radius);
		if (cs_random_below(random, 6) == 0)
			add_point(o, angle, radius);
		if (i % 2 != first || i + 1 == n)
			continue;
		add_point(o, angle, hole);
		add_point(o, angle - u, hole - .1);
		add_point(o, angle + u, hole - .2);
		add_point(o, angle, hole);
		add_point(o, angle, radius);
	}
}

static void test_outlines(void)
{
	struct cs_random random = {4};
	for (int round = 0; round < 60; round++) {
		struct outline o;
		char name[64];
		make_outline(&random, &o);
		snprintf(name, sizeof(name), "an outline with holes, %u corners", o.n);
		test_polygon(name, (const float(*)[3])o.at, o.n);
	}
}

/* Polygons whose ears are few at a time, or hard to find, as large as they may be. */
static void test_large(void)
{
	enum { N = CS_POLYGON_EARS, ARM = N / 2 };
	static float star[N][3], coast[N][3], spiral[N][3];
	struct cs_random random = {7};
	for (int i = 0; i < N; i++) {
		const int along = i < ARM ? i : N - 1 - i; /* out along a spiral, and back inside */
		const double angle = i * 6.283185307179586 / N, turn = along * .1;
		const double far = (i < ARM ? 100 : 90) + 5 * turn;
		const double radius[] = {i % 2 ? 1000 : 400, cs_random_range(&random, 700, 1300)};
		star[i][0] = (float)(radius[0] * cos(angle));
		star[i][1] = (float)(radius[0] * sin(angle));
		coast[i][0] = (float)(radius[1] * cos(angle));
		coast[i][1] = (float)(radius[1] * sin(angle));
		spiral[i][0] = (float)(far * cos(turn));
		spiral[i][1] = (float)(far * sin(turn));
	}
	test_polygon("a large star", (const float(*)[3])star, N);
	test_polygon("a rough coast", (const float(*)[3])coast, N);
	test_polygon("a spiral", (const float(*)[3])spiral, N);
}

/* What cannot be cut into triangles that cover the polygon once is told. */
static void test_overlapping(void)
{
	static const float tie[5][3] = {{0, 0, 0}, {4, 0, 0}, {0, 3, 0}, {4, 4, 0}, {2, 5, 0}};
	static const float bow[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 2, 0}, {3, 4, 0}};
	static const float even[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}};
	static const float pentagram[5][3] = {
		{0, 10, 0}, {6, -8, 0}, {-10, 3, 0}, {10, 3, 0}, {-6, -8, 0}};
	static const float sliver[5][3] = {
		{0, 0, 0}, {1, .1f, 0}, {3, .3f, 0}, {7, .7f, 0}, {2, .2f, 0}};
	static float star[CS_POLYGON_EARS + 2][3], disc[CS_POLYGON_EARS + 2][3];
	static uint32_t corners[3 * CS_POLYGON_EARS];
	for (int i = 0; i < CS_POLYGON_EARS + 2; i++) {
		const double angle = i * 6.283185307179586 / (CS_POLYGON_EARS + 2);
		disc[i][0] = (float)cos(angle);
		disc[i][1] = (float)sin(angle);
		star[i][0] = disc[i][0] * (i % 2 ? 2 : 1);
		star[i][1] = disc[i][1] * (i % 2 ? 2 : 1);
	}
	ok(!cs_polygon_cut(bow, 4, corners), "polygon: a quad that crosses itself is told");
	ok(!cs_polygon_cut(even, 4, corners), "polygon: one whose halves are alike is told");
	ok(!cs_polygon_cut(tie, 5, corners), "polygon: a pentagon that crosses itself is told");
	ok(!cs_polygon_cut(pentagram, 5, corners), "polygon: a pentagram is told");
	ok(cs_polygon_cut(sliver, 5, corners), "polygon: one without area has nothing to cover");
	ok(!cs_polygon_cut((const float(*)[3])star, CS_POLYGON_EARS + 2, corners),
		"polygon: a star that is too large is told");
	ok(cs_polygon_cut((const float(*)[3])disc, CS_POLYGON_EARS + 2, corners),
		"polygon: a disc as large is cut well");
}

int main(void)
{
	static const float dented[4][3] = {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
	static const float turned[4][3] = {{1, 1, 0}, {0, 4, 0}, {0, 0, 0}, {4, 0, 0}};
	static const float box[4][3] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {0, 1, 0}};
	static const float slanted[3][3] = {{0.1f, 0.3f, 0}, {3.7f, 1.1f, 0}, {1.3f, 2.9f, 0}};
	static const float halved[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 2, 0}};
	/* the edges at two of its right angles differ so much that these corners look straight */
	static const float uneven[4][3] = {{2547.81f, 7819.98f, 0}, {-.0782321f, 2.26273f, 0},
		{-275.991f, -1258.54f, 0}, {.0832738f, -1.51836f, 0}};
	float star[40][3], comb[40][3], gear[2000][3] = {0};
	for (int i = 0; i < 2000; i++) {
		double angle = i * 6.283185307179586 / 2000, r = i % 4 < 2 ? 1 : 0.9;
		gear[i][0] = (float)(r * cos(angle));
		gear[i][1] = (float)(r * sin(angle));
	}
	for (int i = 0; i < 40; i++) {
		double angle = i * 6.283185307179586 / 40, r = i % 2 ? 1 : 0.3;
		star[i][0] = (float)(r * cos(angle));
		star[i][1] = (float)(r * sin(angle));
		star[i][2] = 0;
	}
	for (int i = 0; i < 40; i++) {
		/* teeth to the right, and back along a spine */
		bool spine = i >= 38;
		comb[i][0] = spine ? -1 : i % 4 == 1 || i % 4 == 2 ? 5 : 0;
		comb[i][1] = i == 38 ? 19 : i == 39 ? 0 : (float)i / 2;
		comb[i][2] = 0;
	}
	test_polygon("a dented quad", dented, 4);
	test_polygon("a dented quad from its dent", turned, 4);
	test_polygon("a dented quad with edges of very different lengths", uneven, 4);
	test_polygon("a star", (const float(*)[3])star, 40);
	test_polygon("a comb", (const float(*)[3])comb, 40);
	test_polygon("a gear of 500 teeth", (const float(*)[3])gear, 2000);
	test_polygon("a triangle", dented, 3);
	test_straight_corners("a rectangle", box, 4);
	test_straight_corners("a slanted triangle", slanted, 3);
	ok(least_area(halved, 4) > 0, "polygon: a quad that is a triangle is not cut flat");
	test_outlines();
	test_large();
	test_overlapping();
	return done();
}
