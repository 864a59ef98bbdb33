/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what happens to a patch, on a hundred small ones of every kind: simplifying leaves what
 * is locked, and takes triangles away only so that the sums of directed edges stay; ways over the
 * simplified patch lead from triangle to neighbour; and what it is said to be away at most holds
 * for points taken all over both, against the patch and against the finer one that it was made of.
 */
#include "cluster/patch.h"
#include "mesh/deviation.h"
#include "mesh/edges.h"
#include "mesh/mesh_compare.h"
#include "mesh/walk.h"

#include "core/random.h"
#include "mesh/mesh_internal.h"
#include "tests/samples/tap.h"

#include <math.h>

enum { PATCHES = 120, GRID = 5 };

static struct cs_random chance = {21};

static uint32_t below(uint32_t n)
{
	return cs_random_below(&chance, n);
}

/* ---- a patch and what it becomes ---- */

struct made {
	struct cs_mesh *mesh;
	struct cs_patch patch;
	struct cs_simplified simplified;
	float *patch_errors, *errors;
	uint32_t *corners, *opposite; /* of the simplified */
};

/* Locks the places on the border of the patch, to which another patch is joined. */
static void lock_border(struct cs_patch *p, struct cs_scratch *scratch)
{
	p->outer = CS_SCRATCH_ARRAY(scratch, uint32_t, 6 * (size_t)p->n_triangles);
	for (uint32_t e = 0; e < 3 * p->n_triangles; e++) {
		uint32_t from = p->places[p->corners[e]];
		uint32_t to = p->places[p->corners[cs_next_edge(e)]];
		if (p->opposite[e] != CS_NONE)
			continue;
		p->locked[from] = p->locked[to] = 1;
		p->outer[2 * p->n_outer] = from;
		p->outer[2 * p->n_outer++ + 1] = to;
	}
}

/*
 * Locks nothing, the places on the border of the patch (how is 1), or an eighth of the places (2).
 */
static void lock(struct cs_patch *p, int how, struct cs_scratch *scratch)
{
	if (how == 1)
		lock_border(p, scratch);
	for (uint32_t i = 0; i < p->n_places / 8 && how == 2; i++)
		p->locked[below(p->n_places)] = 1;
}

/* Finds the places of all corners, and pairs the edges of the patch. */
static void join(struct made *m, struct cs_scratch *scratch)
{
	const struct cs_simplified *s = &m->simplified;
	size_t n = 3 * (size_t)s->n_triangles;
	uint32_t *heads = CS_SCRATCH_ARRAY(scratch, uint32_t, m->patch.n_places);
	uint32_t *next = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	m->corners = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	m->opposite = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	for (size_t i = 0; i < n; i++)
		m->corners[i] = s->places[s->corners[i]];
	if (cs_pair_edges(m->corners, s->n_triangles, m->patch.n_places, heads, next, m->opposite))
		return;
	if (cs_match_edges(m->corners, s->n_triangles, m->patch.n_places, 1, next))
		abort();
	for (uint32_t e = 0; e < n; e++)
		m->opposite[e] = cs_edge_partner(next, e);
}

/*
 * Makes tetrahedra between few places: the mesh is closed, and many triangles occur twice or
 * reversed.
 */
static struct cs_error *make_tangle(struct cs_mesh **ret)
{
	enum { PLACES = 9, BODIES = 24 };
	static const int faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
	float positions[3 * PLACES];
	uint32_t corners[12 * BODIES], four[4];
	for (int i = 0; i < 3 * PLACES; i++)
		positions[i] = (float)cs_random_range(&chance, -100, 100);
	for (int i = 0; i < 12 * BODIES; i++) {
		for (uint32_t k = 0, step = 1 + below(2), first = below(PLACES);
			k < 4 && i % 12 == 0; k++)
			four[k] = (first + k * step) % PLACES;
		if (i % 12 == 0 && below(2)) {
			uint32_t first = four[0];
			four[0] = four[1];
			four[1] = first;
		}
		corners[i] = four[faces[i % 12]];
	}
	const struct cs_mesh_view arrays = {.positions = positions,
		.indices = corners,
		.n_vertices = PLACES,
		.n_triangles = 4 * BODIES};
	return cs_mesh_from_arrays(&arrays, NULL, NULL, ret);
}

static void make(int round, struct cs_scratch *scratch, struct made *ret)
{
	const struct cs_dag_options options = {.normal_weight = round % 2 ? 0.5 : 0};
	const struct cs_mesh_recipe recipe = {
		(enum cs_mesh_kind)(round % CS_MESH_KINDS), 60 + below(120), (uint64_t)round};
	struct made m = {0};
	if ((round % 7 ? cs_mesh_generate(&recipe, NULL, &m.mesh) : make_tangle(&m.mesh)) ||
		cs_patch_of_mesh(m.mesh, &options, scratch, &m.patch))
		abort();
	lock(&m.patch, round / CS_MESH_KINDS % 3, scratch);
	uint32_t n = m.patch.n_triangles, target = n < 8 ? n : n / (2 + below(3));
	m.patch_errors = CS_SCRATCH_ARRAY(scratch, float, n);
	for (uint32_t i = 0; i < n; i++)
		m.patch_errors[i] = round % 4 ? 0 : (float)cs_random_range(&chance, 0, 2);
	if (!cs_simplify(&m.patch, target, scratch, &m.simplified))
		abort();
	m.errors = CS_SCRATCH_ARRAY(scratch, float, m.simplified.n_triangles);
	join(&m, scratch);
	*ret = m;
}

/* ---- simplifying ---- */

/* Returns how often an edge leads from one place to another, less how often one leads back. */
static int sum_of(const uint32_t *corners, uint32_t n_triangles, uint32_t from, uint32_t to)
{
	int sum = 0;
	for (uint32_t e = 0; e < 3 * n_triangles; e++) {
		uint32_t a = corners[e], b = corners[cs_next_edge(e)];
		sum += (a == from && b == to) - (a == to && b == from);
	}
	return sum;
}

/*
 * Sums up the edges of the triangles around the patch; `outer` has them in the direction of the
 * patch.
 */
static int sum_outside(const struct cs_patch *p, uint32_t from, uint32_t to)
{
	int sum = 0;
	for (uint32_t i = 0; i < p->n_outer; i++) {
		const uint32_t *e = p->outer + (size_t)2 * i;
		sum += (e[0] == to && e[1] == from) - (e[0] == from && e[1] == to);
	}
	return sum;
}

/*
 * Returns whether the sums of directed edges of the patch, with each place moved, are those of the
 * simplified patch. Where triangles were removed, edges at which the patch and its surroundings
 * were not closed may differ.
 */
static bool keeps_sums(const struct made *m, const uint32_t *moved)
{
	const struct cs_simplified *s = &m->simplified;
	uint32_t n = m->patch.n_triangles, left = s->n_triangles;
	for (uint32_t e = 0; e < 3 * (n + left); e++) {
		const uint32_t *corners = e < 3 * n ? moved : m->corners;
		uint32_t edge = e < 3 * n ? e : e - 3 * n;
		uint32_t from = corners[edge], to = corners[cs_next_edge(edge)];
		int before = sum_of(moved, n, from, to), around = sum_outside(&m->patch, from, to);
		int after = sum_of(m->corners, left, from, to);
		bool thinned = s->n_dropped + s->n_duplicates > 0 && before + around != 0;
		if (before != after && !thinned)
			return false;
	}
	return true;
}

/*
 * Returns whether the triangles that are left keep their order, each at the places that its own
 * became.
 */
static bool live_on(const struct made *m, const uint32_t *moved)
{
	const struct cs_simplified *s = &m->simplified;
	bool good = true;
	for (size_t i = 0; i < s->n_triangles; i++) {
		const uint32_t *c = m->corners + 3 * i;
		good = good && (i == 0 || s->triangles[i] > s->triangles[i - 1]) && c[0] != c[1] &&
		       c[1] != c[2] && c[2] != c[0] &&
		       memcmp(c, moved + 3 * (size_t)s->triangles[i], 3 * sizeof(*c)) == 0;
	}
	return good;
}

static bool keeps_locked(const struct made *m)
{
	const struct cs_patch *p = &m->patch;
	const struct cs_simplified *s = &m->simplified;
	size_t bytes = p->n_attributes * sizeof(float);
	bool good = true;
	for (size_t i = 0; i < p->n_places; i++) {
		good = good && s->became[s->became[i]] == s->became[i];
		if (p->locked[i])
			good = good && s->became[i] == i &&
			       memcmp(s->positions + 3 * i, p->positions + 3 * i, 12) == 0;
	}
	for (size_t w = 0; w < p->n_wedges; w++)
		if (p->locked[p->places[w]])
			good = good && memcmp(s->attributes + w * p->n_attributes,
					       p->attributes + w * p->n_attributes, bytes) == 0;
	return good;
}

/* Returns whether all normals have length 1, whatever their weight was. */
static bool has_normals(const struct made *m)
{
	bool good = true;
	for (size_t i = 0; i < 3 * (size_t)m->simplified.n_triangles; i++) {
		const float *n = m->simplified.attributes +
				 (size_t)m->simplified.corners[i] * m->patch.n_attributes;
		double length2 = 0;
		for (int k = 0; k < 3; k++)
			length2 += (double)n[k] * (double)n[k];
		good = good && fabs(length2 - 1) < 1e-4;
	}
	return good;
}

/* ---- ways ---- */

static double from_triangle(const struct cs_walker *w, const double p[3], uint32_t triangle)
{
	const uint32_t *c = w->deviation->corners + 3 * (size_t)triangle;
	return sqrt(cs_triangle_distance2(p, w->b[c[0]], w->b[c[1]], w->b[c[2]]));
}

/*
 * Returns whether the image of a place is as far away as the walker says; on a border it lies on
 * the border.
 */
static bool has_image(const struct cs_walker *w, uint32_t place)
{
	double apart = (double)w->apart[place], slack = 1e-5 * (1 + apart);
	if (w->home[place] == CS_NONE)
		return w->home_edge[place] == CS_NONE;
	double least = from_triangle(w, w->a[place], w->home[place]);
	uint32_t edge = w->home_edge[place];
	if (edge == CS_NONE)
		return fabs(least - apart) <= slack;
	const double *from = w->b[w->deviation->corners[edge]];
	const double *to = w->b[w->deviation->corners[cs_next_edge(edge)]];
	double there = sqrt(cs_triangle_distance2(w->a[place], from, to, to));
	return w->deviation->opposite[edge] == CS_NONE && fabs(there - apart) <= slack;
}

/* Returns the squared distance of two edges; the nearest point of the first is found by halving. */
static double between(const double p[3], const double q[3], const double r[3], const double s[3])
{
	double low = 0, high = 1, x[2][3], far2[2] = {0};
	for (int step = 0; step < 60; step++) {
		for (int i = 0; i < 2; i++) {
			double t = low + (high - low) * (1 + i) / 3;
			for (int k = 0; k < 3; k++)
				x[i][k] = p[k] + t * (q[k] - p[k]);
			far2[i] = cs_triangle_distance2(x[i], r, s, s);
		}
		*(far2[0] < far2[1] ? &high : &low) =
			low + (high - low) * (far2[0] < far2[1] ? 2 : 1) / 3;
	}
	return fmin(far2[0], far2[1]);
}

/*
 * Returns whether a walk leads from triangle to neighbour, over edges that are no farther than it
 * says.
 */
static bool leads(const struct cs_walker *w, uint32_t edge)
{
	const struct cs_way *way = &w->ways[w->way_of[edge] / 2];
	const double *p = w->a[w->corners_a[edge]], *q = w->a[w->corners_a[cs_next_edge(edge)]];
	if (!(way->farthest < INFINITY))
		return way->start == CS_NONE && way->n == 0;
	uint32_t at = way->start;
	for (uint32_t i = 0; i < way->n; i++) {
		uint32_t crossing = w->crossings[way->first + i];
		uint32_t other = w->deviation->opposite[crossing];
		if (other == CS_NONE || (crossing / 3 != at && other / 3 != at))
			return false;
		at = crossing / 3 == at ? other / 3 : crossing / 3;
		double far2 = between(p, q, w->b[w->deviation->corners[crossing]],
			w->b[w->deviation->corners[cs_next_edge(crossing)]]);
		if (sqrt(far2) > (double)way->farthest * (1 + 1e-5) + 1e-5)
			return false;
	}
	return at == way->end && w->home[w->corners_a[edge]] != CS_NONE;
}

struct tally {
	uint32_t n_places, n_images, n_ways, n_leading, n_lost;
	double apart, nearest; /* sums: of places and their images, and what is nearest to them */
};

static void look_at_ways(const struct cs_walker *w, struct tally *t)
{
	const struct cs_patch *p = w->deviation->patch;
	for (uint32_t i = 0; i < p->n_places; i++) {
		double nearest = INFINITY;
		t->n_places++;
		t->n_images += has_image(w, i);
		for (uint32_t k = 0; k < w->deviation->simplified->n_triangles; k++)
			nearest = fmin(nearest, from_triangle(w, w->a[i], k));
		t->apart += w->home[i] == CS_NONE ? 0 : (double)w->apart[i];
		t->nearest += w->home[i] == CS_NONE ? 0 : nearest;
	}
	for (uint32_t e = 0; e < 3 * p->n_triangles; e++)
		if (cs_lower_edge(p->opposite, e) == e) {
			t->n_ways++;
			t->n_leading += leads(w, e);
			t->n_lost += !(w->ways[w->way_of[e] / 2].farthest < INFINITY);
		}
}

/* ---- bounds ---- */

struct surface {
	uint32_t n;
	const uint32_t *corners;
	const float *positions, *errors; /* NULL: none */
};

static void corner_of(const struct surface *s, uint32_t triangle, size_t k, double ret[3])
{
	const float *p = s->positions + 3 * (size_t)s->corners[3 * (size_t)triangle + k];
	for (int axis = 0; axis < 3; axis++)
		ret[axis] = (double)p[axis];
}

static void point_of(const struct surface *s, uint32_t triangle, int i, int j, double ret[3])
{
	double a[3], b[3], c[3];
	corner_of(s, triangle, 0, a);
	corner_of(s, triangle, 1, b);
	corner_of(s, triangle, 2, c);
	for (int k = 0; k < 3; k++)
		ret[k] = a[k] + (b[k] - a[k]) * i / GRID + (c[k] - a[k]) * j / GRID;
}

static double error_of(const struct surface *s, uint32_t triangle)
{
	return s->errors ? (double)s->errors[triangle] : 0;
}

/*
 * Returns the least value, over all triangles, of the distance from p plus `sign` times the error
 * of the triangle.
 */
static double least_of(const struct surface *s, const double p[3], double sign)
{
	double least = INFINITY, c[3][3];
	for (uint32_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < 3; k++)
			corner_of(s, i, k, c[k]);
		least = fmin(least,
			sqrt(cs_triangle_distance2(p, c[0], c[1], c[2])) + sign * error_of(s, i));
	}
	return least;
}

/*
 * Returns by how much the distances of points of each surface from the other one exceed the
 * declared errors at most; below 0 when they exceed none. *most_ret is the largest of these
 * distances.
 */
static double excess(const struct surface *fine, const struct surface *coarse, double *most_ret)
{
	double over = -INFINITY, most = 0, p[3];
	for (uint32_t t = 0; t < coarse->n + fine->n; t++)
		for (int point = 0; point < (GRID + 1) * (GRID + 1); point++) {
			int i = point / (GRID + 1), j = point % (GRID + 1);
			bool up = t < coarse->n;
			uint32_t triangle = up ? t : t - coarse->n;
			if (i + j > GRID)
				continue;
			point_of(up ? coarse : fine, triangle, i, j, p);
			double far = up ? least_of(fine, p, 1)
					: least_of(coarse, p, 0) + error_of(fine, triangle);
			double less = up ? far - error_of(coarse, triangle)
					 : least_of(coarse, p, -1) + error_of(fine, triangle);
			over = fmax(over, less);
			most = fmax(most, far);
		}
	*most_ret = most;
	return over;
}

static struct cs_deviation question(const struct made *m)
{
	return (struct cs_deviation){.patch = &m->patch,
		.patch_errors = m->patch_errors,
		.simplified = &m->simplified,
		.corners = m->corners,
		.opposite = m->opposite};
}

static float largest(const float *errors, uint32_t n)
{
	float most = 0;
	for (uint32_t i = 0; i < n; i++)
		most = fmaxf(most, errors[i]);
	return most;
}

struct verdict {
	uint32_t n, n_sound, n_tight;
	double lowest;
};

static void judge(const struct made *m, const struct surface *fine, struct verdict *v)
{
	const struct cs_simplified *s = &m->simplified;
	const struct surface coarse = {s->n_triangles, m->corners, s->positions, m->errors};
	double most = 0, over = excess(fine, &coarse, &most);
	double said = (double)largest(m->errors, s->n_triangles);
	v->n++;
	v->n_sound += over <= 1e-4;
	v->n_tight += most >= 0.6 * said - 1e-4;
	v->lowest = said > 1e-3 ? fmin(v->lowest, most / said) : v->lowest;
}

/* ---- a patch of a patch ---- */

enum { MOST_FINER = CS_LOOSE_TRIANGLES };

struct finer {
	const struct surface *surface;
	uint32_t n_asked;
};

/* Returns the radius of a ball around a triangle, whose middle it stores in middle_ret. */
static double ball_of(const double corners[3][3], double middle_ret[3])
{
	double radius = 0;
	for (int k = 0; k < 3; k++)
		middle_ret[k] = (corners[0][k] + corners[1][k] + corners[2][k]) / 3;
	for (int i = 0; i < 3; i++)
		radius = fmax(radius,
			hypot(hypot(corners[i][0] - middle_ret[0], corners[i][1] - middle_ret[1]),
				corners[i][2] - middle_ret[2]));
	return radius;
}

/* Finds the finer triangles whose balls are within reach; these are more than the query needs. */
static bool find_finer(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret)
{
	static bool done[MOST_FINER];
	struct finer *f = (struct finer *)(uintptr_t)context;
	double here[3], there[3], reach = query->reach + ball_of(query->corners, here);
	f->n_asked++;
	ret->n = 0;
	for (uint32_t i = 0; i < f->surface->n && ret->n < MOST_FINER; i++) {
		double(*corners)[3] = ret->corners[ret->n];
		for (size_t k = 0; k < 3; k++)
			corner_of(f->surface, i, k, corners[k]);
		double radius = ball_of((const double(*)[3])corners, there);
		double apart =
			hypot(hypot(here[0] - there[0], here[1] - there[1]), here[2] - there[2]);
		if (apart > reach + radius)
			continue;
		ret->errors[ret->n] = 0;
		ret->done[ret->n] = &done[ret->n];
		ret->n++;
	}
	return ret->n < MOST_FINER;
}

/*
 * Simplifies a simplified patch again. The errors that the first simplification returned become
 * those of the triangles of the new patch.
 */
static void make_again(const struct made *m, struct cs_scratch *scratch, struct made *ret)
{
	const struct cs_simplified *s = &m->simplified;
	struct made again = {.patch = m->patch, .patch_errors = m->errors};
	struct cs_patch *p = &again.patch;
	p->n_triangles = s->n_triangles;
	p->corners = s->corners;
	p->opposite = m->opposite;
	p->places = s->places;
	p->attributes = s->attributes;
	p->positions = s->positions;
	p->materials = CS_SCRATCH_ARRAY(scratch, uint8_t, s->n_triangles);
	for (uint32_t i = 0; i < s->n_triangles; i++)
		p->materials[i] = m->patch.materials[s->triangles[i]];
	if (!cs_simplify(p, (s->n_triangles + 1) / 2, scratch, &again.simplified))
		abort();
	again.errors = CS_SCRATCH_ARRAY(scratch, float, again.simplified.n_triangles);
	join(&again, scratch);
	*ret = again;
}

static void test_again(void)
{
	uint32_t n_asked = 0;
	struct verdict bounds = {.lowest = INFINITY}, sums = {.lowest = INFINITY};
	for (int round = 0; round < PATCHES; round++) {
		struct cs_scratch scratch = CS_SCRATCH_INIT;
		struct made first, second;
		make(round, &scratch, &first);
		for (uint32_t i = 0; i < first.patch.n_triangles; i++)
			first.patch_errors[i] = 0;
		struct cs_deviation deviation = question(&first);
		if (!cs_deviation_bound(&deviation, &scratch, first.errors))
			abort();
		make_again(&first, &scratch, &second);
		size_t n_corners = 3 * (size_t)first.patch.n_triangles;
		uint32_t *places = CS_SCRATCH_ARRAY(&scratch, uint32_t, n_corners);
		for (size_t i = 0; i < n_corners; i++)
			places[i] = first.patch.places[first.patch.corners[i]];
		const struct surface fine = {
			first.patch.n_triangles, places, first.patch.positions, NULL};
		struct finer finer = {&fine, 0};
		deviation = question(&second);
		if (!cs_deviation_bound(&deviation, &scratch, second.errors))
			abort();
		judge(&second, &fine, &sums);
		deviation.find_finer = find_finer;
		deviation.context = &finer;
		deviation.effort = 1 << round % 16;
		if (!cs_deviation_bound(&deviation, &scratch, second.errors))
			abort();
		judge(&second, &fine, &bounds);
		n_asked += finer.n_asked;
		cs_mesh_free(first.mesh);
		cs_scratch_deinit(&scratch);
	}
	is_int(sums.n_sound, sums.n, "again: sums are bounds of the first");
	is_int(bounds.n_sound, bounds.n, "and so is what was compared with it");
	ok(n_asked > PATCHES, "which was asked for %u times", n_asked);
	ok(bounds.n_tight >= sums.n_tight && bounds.lowest > 0.2,
		"nor is it much too large: %g of it there at least", bounds.lowest);
}

/* ---- all of that, on patches of every kind ---- */

static void test_patches(void)
{
	uint32_t n = 0, n_sums = 0, n_living = 0, n_locked = 0, n_normals = 0;
	struct tally ways = {0};
	struct verdict bounds = {.lowest = INFINITY};
	for (int round = 0; round < PATCHES; round++) {
		struct cs_scratch scratch = CS_SCRATCH_INIT;
		struct made m;
		struct cs_walker walker;
		make(round, &scratch, &m);
		size_t n_corners = 3 * (size_t)m.patch.n_triangles;
		uint32_t *moved = CS_SCRATCH_ARRAY(&scratch, uint32_t, n_corners);
		uint32_t *places = CS_SCRATCH_ARRAY(&scratch, uint32_t, n_corners);
		for (size_t i = 0; i < n_corners; i++) {
			places[i] = m.patch.places[m.patch.corners[i]];
			moved[i] = m.simplified.became[places[i]];
		}
		const struct surface fine = {
			m.patch.n_triangles, places, m.patch.positions, m.patch_errors};
		struct cs_deviation deviation = question(&m);
		n++;
		n_sums += keeps_sums(&m, moved);
		n_living += live_on(&m, moved);
		n_locked += keeps_locked(&m);
		n_normals += has_normals(&m);
		if (!cs_walk_all(&deviation, &scratch, &walker) ||
			!cs_deviation_bound(&deviation, &scratch, m.errors))
			abort();
		look_at_ways(&walker, &ways);
		judge(&m, &fine, &bounds);
		cs_mesh_free(m.mesh);
		cs_scratch_deinit(&scratch);
	}
	is_int(n_sums, n, "sums of directed edges stay");
	is_int(n_living, n, "triangles live on in their order, where their corners went");
	is_int(n_locked, n, "what is locked stays as it is");
	is_int(n_normals, n, "normals have the length of one");
	is_int(ways.n_images, ways.n_places, "images are as far as they are said to be");
	is_int(ways.n_leading, ways.n_ways, "ways lead from triangle to neighbour");
	ok(ways.n_lost < ways.n_ways / 10, "%u of %u are lost", ways.n_lost, ways.n_ways);
	ok(ways.apart < 1.02 * ways.nearest, "images are near: %g of what is nearest",
		ways.apart / ways.nearest);
	is_int(bounds.n_sound, n, "no bound is too small");
	ok(bounds.n_tight > 0.9 * PATCHES && bounds.lowest > 0.2,
		"nor much too large: of %u it is .6 of it or more, %g of others", bounds.n_tight,
		bounds.lowest);
}

int main(void)
{
	test_patches();
	test_again();
	return done();
}
