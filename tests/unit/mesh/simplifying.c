/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what simplifying begins with, and of what it may cost: edges are joined as a search of
 * all pairs joins them; and of a plane with values that are linear over it nothing is lost.
 */
#include "cluster/patch.h"
#include "mesh/edges.h"
#include "mesh/simplify.h"

#include "core/random.h"
#include "tests/samples/tap.h"

#include <math.h>

enum { SOUPS = 300, SPARE = 4096 };

static struct cs_random chance = {21};

static uint32_t below(uint32_t n)
{
	return cs_random_below(&chance, n);
}

/* ---- edges ---- */

struct soup {
	uint32_t corners[3 * SPARE], opposite[3 * SPARE], heads[SPARE], next[3 * SPARE];
	uint32_t n, n_places;
};

/*
 * Makes triangles between few places, so that many edges meet; or a fan around one place, which
 * makes the longest lists.
 */
static void make_soup(struct soup *s)
{
	bool fan = below(3) == 0;
	s->n = 1 + below(fan ? 120 : 40);
	s->n_places = 3 + below(fan ? 130 : 12);
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *c = s->corners + (size_t)3 * i;
		do
			for (int k = 0; k < 3; k++)
				c[k] = below(s->n_places);
		while (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]);
		if (fan && c[1] != 0 && c[2] != 0)
			c[0] = 0;
	}
}

static bool runs(const struct soup *s, uint32_t edge, uint32_t from, uint32_t to)
{
	return s->corners[edge] == from && s->corners[cs_next_edge(edge)] == to;
}

/* Returns whether the partner of the edge is the first edge in the opposite direction, or none. */
static bool is_matched(const struct soup *s, uint32_t edge)
{
	uint32_t want = 0, from = s->corners[edge], to = s->corners[cs_next_edge(edge)];
	while (want < 3 * s->n && !runs(s, want, to, from))
		want++;
	return s->opposite[edge] == (want < 3 * s->n ? want : CS_NONE);
}

/*
 * Returns whether the edge and its partner name each other, and whether edges between its two
 * places are left alone in at most one direction.
 */
static bool is_paired(const struct soup *s, uint32_t edge)
{
	uint32_t from = s->corners[edge], to = s->corners[cs_next_edge(edge)], other;
	int alone = 0, others_alone = 0;
	other = s->opposite[edge];
	if (other != CS_NONE && (s->opposite[other] != edge || !runs(s, other, to, from)))
		return false;
	for (uint32_t e = 0; e < 3 * s->n; e++) {
		alone += runs(s, e, from, to) && s->opposite[e] == CS_NONE;
		others_alone += runs(s, e, to, from) && s->opposite[e] == CS_NONE;
	}
	return alone == 0 || others_alone == 0;
}

static void test_edges(void)
{
	static struct soup s;
	uint32_t n_edges = 0, n_matched = 0, n_paired = 0, n_refused = 0;
	for (int round = 0; round < SOUPS; round++) {
		make_soup(&s);
		n_edges += 3 * s.n;
		cs_error_free(
			cs_match_edges(s.corners, s.n, s.n_places, 1 + round % 2, s.opposite));
		for (uint32_t e = 0; e < 3 * s.n; e++)
			n_matched += is_matched(&s, e);
		bool done = cs_pair_edges(s.corners, s.n, s.n_places, s.heads, s.next, s.opposite);
		n_refused += !done;
		for (uint32_t e = 0; e < 3 * s.n; e++)
			n_paired += !done || is_paired(&s, e);
	}
	is_int(n_matched, n_edges, "each edge is matched with the first that fits");
	is_int(n_paired, n_edges, "or all are joined in pairs");
	is_int(n_refused, 0, "few meet in one place there");
	s.n = SPARE;
	s.n_places = SPARE;
	for (uint32_t e = 0; e < 3 * s.n; e++)
		s.corners[e] = e % 3;
	ok(!cs_pair_edges(s.corners, s.n, s.n_places, s.heads, s.next, s.opposite),
		"where all meet in one place it is left to the other way");
}

/* ---- what costs nothing ---- */

enum { FIELD = 12, ACROSS = FIELD + 1, FLAT_ROUNDS = 24, AFFINE = 9, SEAM = FIELD / 2 };

/*
 * Sets values that are linear over the plane, but for the normal, which is the same everywhere.
 * Beyond a seam they have other coefficients.
 */
static void set_affine(double x, double y, bool beyond, float ret[AFFINE])
{
	for (int k = 0; k < AFFINE; k++)
		ret[k] = k < 3 ? (float)(k == 2)
			       : (float)((k - 5) * x / 9 + (7 - k) * y / 5 + k +
					 (beyond ? 3 * k : 0));
}

/* Returns whether a triangle of the square is beyond the seam in the middle. */
static bool is_beyond(uint32_t triangle)
{
	return triangle / 2 / FIELD >= SEAM;
}

/* Gives each place of the seam a second wedge, which the triangles beyond the seam use. */
static void make_seam(struct cs_patch *p)
{
	for (uint32_t i = 0; i < ACROSS; i++) {
		uint32_t place = SEAM * ACROSS + i, wedge = p->n_wedges++;
		const float *at = p->positions + 3 * (size_t)place;
		p->places[wedge] = place;
		set_affine(
			(double)at[0], (double)at[1], true, p->attributes + (size_t)wedge * AFFINE);
	}
	for (uint32_t i = 0; i < 3 * p->n_triangles; i++)
		if (is_beyond(i / 3) && p->corners[i] / ACROSS == SEAM)
			p->corners[i] += ACROSS * ACROSS - SEAM * ACROSS;
}

/* Makes a square of the plane z = 1 + x, whose corners are locked. */
static void make_flat(struct cs_patch *p, bool seam, struct cs_scratch *scratch)
{
	uint32_t n = ACROSS * ACROSS;
	*p = (struct cs_patch){.n_triangles = 2 * FIELD * FIELD,
		.n_wedges = n,
		.n_places = n,
		.n_attributes = AFFINE,
		.corners = CS_SCRATCH_ARRAY(scratch, uint32_t, 6 * FIELD * FIELD),
		.opposite = CS_SCRATCH_ARRAY(scratch, uint32_t, 6 * FIELD * FIELD),
		.materials = CS_SCRATCH_ARRAY(scratch, uint8_t, 2 * FIELD * FIELD),
		.places = CS_SCRATCH_ARRAY(scratch, uint32_t, n + ACROSS),
		.attributes = CS_SCRATCH_ARRAY(scratch, float, (size_t)(n + ACROSS) * AFFINE),
		.positions = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)n),
		.locked = CS_SCRATCH_ARRAY(scratch, uint8_t, n),
		.wants_error = true};
	for (uint32_t i = 0; i < n; i++) {
		bool in_x = i / ACROSS % FIELD != 0, in_y = i % ACROSS % FIELD != 0;
		double x = i / ACROSS + (in_x ? cs_random_range(&chance, -.3, .3) : 0);
		double y = i % ACROSS + (in_y ? cs_random_range(&chance, -.3, .3) : 0);
		const float at[3] = {(float)x, (float)y, (float)(1 + x)};
		memcpy(p->positions + 3 * (size_t)i, at, sizeof(at));
		set_affine((double)at[0], (double)at[1], seam && i / ACROSS > SEAM,
			p->attributes + (size_t)i * AFFINE);
		p->places[i] = i;
		p->locked[i] = !in_x && !in_y;
	}
	for (uint32_t i = 0; i < FIELD * FIELD; i++) {
		uint32_t a = i / FIELD * ACROSS + i % FIELD, b = a + ACROSS;
		const uint32_t two[6] = {a, b, a + 1, a + 1, b, b + 1};
		memcpy(p->corners + (size_t)6 * i, two, sizeof(two));
	}
	memset(p->materials, 0, 2 * FIELD * FIELD);
	for (int k = 0; k < AFFINE; k++)
		p->weights[k] = 0.5F;
	if (cs_match_edges(p->corners, p->n_triangles, n, 1, p->opposite))
		abort();
	if (seam)
		make_seam(p);
}

/*
 * No triangle is reversed, the area of the square stays, and attributes have the values of their
 * positions.
 */
static void test_flat(void)
{
	uint32_t n_over = 0, n_most = 0;
	double area_off = 0, off = 0, error = 0;
	for (int round = 0; round < FLAT_ROUNDS; round++) {
		struct cs_scratch scratch = CS_SCRATCH_INIT;
		struct cs_patch patch;
		struct cs_simplified s;
		double area = 0;
		bool seam = round % 2;
		make_flat(&patch, seam, &scratch);
		uint32_t target = (seam ? 14 : 8) + (uint32_t)round / 2 * 6;
		if (!cs_simplify(&patch, target, &scratch, &s))
			abort();
		for (uint32_t t = 0; t < s.n_triangles; t++) {
			const float *p[3];
			for (uint32_t k = 0; k < 3; k++) {
				uint32_t wedge = s.corners[3 * t + k];
				float want[AFFINE];
				p[k] = s.positions + 3 * (size_t)s.places[wedge];
				set_affine((double)p[k][0], (double)p[k][1],
					seam && is_beyond(s.triangles[t]), want);
				off = fmax(off, fabs((double)(p[k][2] - p[k][0] - 1)));
				for (size_t i = 0; i < AFFINE; i++)
					off = fmax(off,
						fabs((double)(s.attributes[wedge * AFFINE + i] -
							      want[i])));
			}
			double here = (double)((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
					       (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]));
			n_over += here <= 0;
			area += here / 2;
		}
		n_most += s.n_triangles > target;
		area_off = fmax(area_off, fabs(area - FIELD * FIELD));
		error = fmax(error, (double)s.quadric_error);
		cs_scratch_deinit(&scratch);
	}
	is_int(n_most, 0, "a square of a plane becomes a few triangles");
	is_int(n_over, 0, "none of which turned over");
	ok(area_off < 0.3, "they are all of it, within %g", area_off);
	ok(off < 1e-4, "places and linear values are what they were there, within %g", off);
	ok(error < 2e-3, "and that is what it is said to cost: %g", error);
}

/* ---- attributes ---- */

enum { VERTICES = 7, CHANNELS = 4 };

/* Reads all attributes of each vertex and writes them to another mesh: they are the same bits. */
static void test_attributes(bool colors, uint32_t n_uvs)
{
	float normals[2][3 * VERTICES] = {{0}}, uvs[2][CHANNELS][2 * VERTICES] = {{{0}}};
	float values[CS_PATCH_ATTRIBUTES];
	uint8_t bytes[2][4 * VERTICES] = {{0}};
	struct cs_vertex vertex[2];
	for (size_t side = 0; side < 2; side++) {
		float **list = calloc(CHANNELS, sizeof(*list));
		for (size_t i = 0; i < CHANNELS; i++)
			list[i] = uvs[side][i];
		vertex[side] = (struct cs_vertex){.normals = normals[side],
			.uvs = list,
			.colors = colors ? bytes[side] : NULL,
			.n_uvs = n_uvs};
	}
	for (size_t i = 0; i < 3 * VERTICES; i++)
		normals[0][i] = (float)cs_random_range(&chance, -1, 1);
	for (size_t i = 0; colors && i < 4 * VERTICES; i++)
		bytes[0][i] = (uint8_t)below(256);
	for (size_t i = 0; i < 2 * (size_t)VERTICES * n_uvs; i++)
		uvs[0][i % n_uvs][i / n_uvs] = (float)cs_random_range(&chance, -9, 9);
	for (size_t i = 0; i < VERTICES; i++) {
		/* from the last on, so that nothing behind one is written over again */
		vertex[0].at = vertex[1].at = VERTICES - 1 - i;
		cs_attributes_read(&vertex[0], values);
		cs_attributes_write(values, &vertex[1]);
	}
	ok(memcmp(normals[0], normals[1], sizeof(normals[0])) == 0 &&
			memcmp(bytes[0], bytes[1], sizeof(bytes[0])) == 0 &&
			memcmp(uvs[0], uvs[1], sizeof(uvs[0])) == 0,
		"attributes there and back, %s, %u UVs", colors ? "colours" : "no colours", n_uvs);
	for (size_t side = 0; side < 2; side++)
		free((void *)(uintptr_t)vertex[side].uvs);
}

static double apart(const float *a, const float *b, int axes)
{
	double sum = 0;
	for (int k = 0; k < axes; k++)
		sum += pow((double)a[k] - (double)b[k], 2);
	return sqrt(sum);
}

/* Returns the area of a triangle by Heron's formula, from the sides alone. */
static double area_of(const float *a, const float *b, const float *c, int axes)
{
	double x = apart(a, b, axes), y = apart(b, c, axes), z = apart(c, a, axes);
	double half = (x + y + z) / 2;
	return sqrt(half * (half - x) * (half - y) * (half - z));
}

/*
 * For two triangles an attribute has four times their mean size as weight, and a UV channel that
 * divided by its own size.
 */
static void test_weights(bool colors, uint32_t n_uvs)
{
	enum { MOST = CS_PATCH_ATTRIBUTES, CORNERS = 6 };
	float positions[3 * CORNERS], attributes[CORNERS * MOST];
	uint32_t corners[CORNERS] = {2, 0, 1, 5, 3, 4}, n = cs_attributes_count(colors, n_uvs);
	const struct cs_dag_options options = {
		.normal_weight = .5, .color_weight = .25, .uv_weight = 2};
	struct cs_patch p = {.n_triangles = 2,
		.n_wedges = CORNERS,
		.n_places = CORNERS,
		.n_attributes = n,
		.corners = corners,
		.places = (uint32_t[]){0, 1, 2, 3, 4, 5},
		.positions = positions,
		.attributes = attributes};
	uint32_t first_uv = n - 2 * n_uvs;
	bool good = true;
	for (size_t i = 0; i < 3 * CORNERS; i++)
		positions[i] = (float)cs_random_range(&chance, -9, 9);
	for (size_t i = 0; i < CORNERS * MOST; i++)
		attributes[i] = (float)cs_random_range(&chance, -2, 2);
	cs_patch_set_weights(&p, &options, colors, n_uvs);
	double size = 4 * sqrt((area_of(positions, positions + 3, positions + 6, 3) +
				       area_of(positions + 9, positions + 12, positions + 15, 3)) /
				  2);
	for (uint32_t k = 0; k < n; k++) {
		double want = size * (k < 3 ? .5 : .25);
		if (k >= first_uv) {
			const float *uv = attributes + k - (k - first_uv) % 2;
			want = 2 * size /
			       sqrt((area_of(uv, uv + n, uv + 2 * n, 2) +
					    area_of(uv + 3 * n, uv + 4 * n, uv + 5 * n, 2)) /
				       2);
		}
		good = good && fabs((double)p.weights[k] - want) < 1e-4 * want;
	}
	memset(attributes, 0, sizeof(attributes));
	for (uint32_t k = n; k < MOST; k++)
		good = good && p.weights[k] == 0;
	cs_patch_set_weights(&p, &options, colors, n_uvs);
	for (uint32_t k = first_uv; k < n; k++)
		good = good && p.weights[k] == 0;
	ok(good, "weights of %u attributes, none of UVs without a size", n);
}

int main(void)
{
	for (uint32_t n_uvs = 0; n_uvs <= CHANNELS; n_uvs++)
		for (int colors = 0; colors < 2; colors++) {
			test_attributes(colors, n_uvs);
			test_weights(colors, n_uvs);
		}
	test_edges();
	test_flat();
	return done();
}
