/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: measuring what cuts are worth (C6). Points are spread evenly over either surface; the
 * distance of each from the other surface must be within the error of the cut. Points by chance
 * miss what is narrow, and the largest distance is most often there: from then on it is looked for.
 * No point of a piece of a triangle is farther than its middle and how far its corners are from
 * there, or than its corners are from any one triangle; a piece that may have a point farther than
 * the farthest so far is quartered (Tang et al., Interactive Hausdorff distance computation, 2009),
 * as often as the number of triangles leaves time for: where two flat faces lie on each other
 * nothing is far, and no piece is small beside it. What is found is there, and shows that a bound
 * does not hold; that it does is proven in mesh/deviation.c.
 */
#include "tests/samples/dag_check.h"

#include "core/random.h"
#include "mesh/distance.h"
#include "mesh/facet.h"
#include "mesh/mesh_compare.h"
#include "mesh/mesh_internal.h"
#include "mesh/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The distances of points of one surface from another that were measured so far. */
struct tally {
	const struct cs_surface *to;
	uint32_t hint;
	double sum2, farthest2;
	uint64_t n;
};

static void add_point(struct tally *t, const double p[3])
{
	double d = cs_surface_distance2(t->to, p, t->hint, &t->hint);
	t->sum2 += d;
	t->farthest2 = fmax(t->farthest2, d);
	t->n++;
}

static void check_errors_corners_of(const struct cs_surface *s, uint32_t triangle, double ret[3][3])
{
	for (size_t k = 0; k < 3; k++)
		for (size_t axis = 0; axis < 3; axis++)
			ret[k][axis] =
				(double)s->positions
					[3 * (size_t)s->indices[3 * (size_t)triangle + k] + axis];
}

static double check_errors_area_of(const struct cs_surface *s, uint32_t triangle)
{
	double p[3][3], normal[3];
	check_errors_corners_of(s, triangle, p);
	cs_face_normal(p[0], p[1], p[2], normal);
	return 0.5 * sqrt(cs_dot(normal, normal));
}

static void sample_triangle(const struct cs_surface *s, uint32_t triangle, struct cs_random *random,
	struct tally *tally)
{
	double p[3][3], point[3], u = cs_random_unit(random), v = cs_random_unit(random);
	check_errors_corners_of(s, triangle, p);
	if (u + v > 1) {
		u = 1 - u;
		v = 1 - v;
	}
	for (int k = 0; k < 3; k++)
		point[k] = p[0][k] + u * (p[1][k] - p[0][k]) + v * (p[2][k] - p[0][k]);
	add_point(tally, point);
}

/* Measures n points spread by area: one in each of n equal shares. */
static void sample(const struct cs_surface *s, uint32_t n, struct tally *tally)
{
	struct cs_random random = {s->n_triangles};
	double total = 0, sum = 0;
	uint32_t triangle = 0;
	for (uint32_t i = 0; i < s->n_triangles; i++)
		total += check_errors_area_of(s, i);
	sum = check_errors_area_of(s, 0);
	for (uint32_t i = 0; i < n; i++) {
		double at = (i + cs_random_unit(&random)) / n * total;
		while (sum < at && triangle + 1 < s->n_triangles)
			sum += check_errors_area_of(s, ++triangle);
		sample_triangle(s, triangle, &random, tally);
	}
}

/* ---- the farthest point ---- */

enum { MOST_QUARTERINGS = 12, MOST_PIECES = 1 << 24 };

/*
 * A piece is skipped when no point of it can be farther than this many times the largest distance
 * so far.
 */
#define CLOSE 1.01

static double radius_around(const double middle[3], double p[3][3])
{
	double radius2 = 0;
	for (int i = 0; i < 3; i++) {
		double off[3];
		cs_subtract(p[i], middle, off);
		radius2 = fmax(radius2, cs_dot(off, off));
	}
	return sqrt(radius2);
}

/*
 * Returns whether all of the piece is at most as far from the triangle of the hint as the largest
 * distance so far.
 */
static bool is_near_hint(const struct tally *t, double p[3][3])
{
	double q[3][3];
	if (t->hint == CS_NONE)
		return false;
	check_errors_corners_of(t->to, t->hint, q);
	const struct cs_facet facet = cs_facet_of(q[0], q[1], q[2]);
	return cs_facet_reach2(&facet, p) <= CLOSE * CLOSE * t->farthest2;
}

/* Measures a point of the piece; returns its distance. */
static double meet(struct tally *t, const double p[3])
{
	double d = cs_surface_distance2(t->to, p, t->hint, &t->hint);
	t->farthest2 = fmax(t->farthest2, d);
	return sqrt(d);
}

static void search_piece(struct tally *t, double p[3][3], int depth)
{
	double middle[3], quarters[4][3][3];
	if (is_near_hint(t, p))
		return;
	for (int k = 0; k < 3; k++)
		middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
	double most = meet(t, middle) + radius_around(middle, p);
	if (most <= CLOSE * sqrt(t->farthest2) || is_near_hint(t, p) || depth == 0)
		return;
	for (int k = 0; k < 3; k++)
		meet(t, p[k]);
	cs_quarter(p, quarters);
	for (int i = 0; i < 4; i++)
		search_piece(t, quarters[i], depth - 1);
}

/* Returns how often triangles can be quartered while the number of pieces stays small enough. */
static int quarterings(uint32_t triangles)
{
	const uint64_t most = getenv("CELLSCOPE_LONG") ? MOST_PIECES : MOST_PIECES / 16;
	int depth = 0;
	while (depth < MOST_QUARTERINGS && (uint64_t)triangles << 2 * (depth + 1) <= most)
		depth++;
	return depth;
}

static void check_errors_search(const struct cs_surface *s, struct tally *tally)
{
	const int depth = quarterings(s->n_triangles);
	for (uint32_t i = 0; i < s->n_triangles; i++) {
		double p[3][3];
		check_errors_corners_of(s, i, p);
		search_piece(tally, p, depth);
	}
}

/* Tallies points of the source (down) and of the cut (up); returns the RMS distance of all. */
static double check_errors_sample(const struct cs_surface *source, const struct cs_surface *cut,
	uint32_t samples, struct tally *down, struct tally *up)
{
	*down = (struct tally){.to = cut, .hint = CS_NONE};
	*up = (struct tally){.to = source, .hint = CS_NONE};
	sample(source, samples, down);
	sample(cut, samples, up);
	return sqrt((down->sum2 + up->sum2) / (double)(down->n + up->n));
}

double cs_dag_check_rms(
	const struct cs_surface *source, const struct cs_surface *cut, uint32_t samples)
{
	struct tally down, up;
	return check_errors_sample(source, cut, samples, &down, &up);
}

static void check_errors_measure(const struct cs_surface *source, const struct cs_surface *cut,
	uint32_t samples, struct cs_dag_measure *ret)
{
	struct tally down, up;
	ret->rms = check_errors_sample(source, cut, samples, &down, &up);
	/* what is farthest in one direction bounds the search in the other, which takes longer */
	down.farthest2 = fmax(down.farthest2, up.farthest2);
	check_errors_search(source, &down);
	up.farthest2 = down.farthest2;
	check_errors_search(cut, &up);
	ret->farthest = sqrt(up.farthest2);
}

/* Returns the largest rounding error of the measurement. */
static double check_errors_rounding(const struct cs_box_f *box)
{
	double largest = 0;
	for (int k = 0; k < 3; k++)
		largest = fmax(largest, fmax(fabs((double)box->min[k]), fabs((double)box->max[k])));
	return 0x1p-45 * largest;
}

static struct cs_error *measure_cut(struct cs_dag_checker *c, const struct cs_surface *source,
	const struct cs_dag_cut *cut, struct cs_dag_measure *ret)
{
	struct cs_mesh *mesh;
	struct cs_surface surface;
	/* what is checked may be as large as it is */
	struct cs_limits limits = cs_limits_default();
	limits.memory = limits.records = UINT64_MAX;
	struct cs_job job = {.limits = &limits};
	struct cs_error *error = cs_dag_cut_mesh(c->dag, cut, &job, &mesh);
	if (error)
		return error;
	error = cs_surface_init(mesh->positions, mesh->indices, mesh->n_triangles, &surface);
	if (!error) {
		*ret = (struct cs_dag_measure){
			.triangles = cut->n_triangles, .declared = cut->error};
		check_errors_measure(source, &surface, c->check->samples, ret);
		if (ret->farthest > ret->declared + check_errors_rounding(&c->dag->box))
			cs_dag_fault(c, "C6", "%llu triangles: %g is declared, %g measured",
				(unsigned long long)ret->triangles, ret->declared, ret->farthest);
		cs_surface_deinit(&surface);
	}
	cs_mesh_free(mesh);
	return error;
}

/*
 * Finds the finest cut with at most that many triangles, or the root. The last group that a cut
 * replaces may take it far beyond the wanted number, so the number to ask for is searched.
 */
static struct cs_error *cut_below(
	const struct cs_dag *dag, uint64_t triangles, struct cs_dag_cut *ret)
{
	struct cs_dag_cut best = {0};
	struct cs_error *error = cs_dag_cut(dag, &(struct cs_dag_fineness){0, 1, 0}, &best);
	uint64_t low = 1, high = triangles + 1;
	while (!error && high - low > 1) {
		struct cs_dag_fineness fineness = {0, low + (high - low) / 2, 0};
		struct cs_dag_cut cut;
		error = cs_dag_cut(dag, &fineness, &cut);
		if (error)
			break;
		bool fits = cut.n_triangles <= triangles;
		low = fits ? fineness.triangles : low;
		high = fits ? high : fineness.triangles;
		free(fits ? best.clusters : cut.clusters);
		best = fits ? cut : best;
	}
	if (error)
		free(best.clusters);
	else
		*ret = best;
	return error;
}

struct cs_error *cs_dag_check_errors(struct cs_dag_checker *c)
{
	const struct cs_mesh *mesh = c->check->source;
	struct cs_surface source;
	struct cs_error *error =
		cs_surface_init(mesh->positions, mesh->indices, mesh->n_triangles, &source);
	uint64_t triangles = mesh->n_triangles;
	if (error)
		return error;
	for (int i = 0; i < CS_DAG_MEASURES && !error; i++) {
		struct cs_dag_cut cut;
		triangles /= 4;
		error = cut_below(c->dag, triangles, &cut);
		if (error)
			break;
		error = measure_cut(c, &source, &cut, &c->verdict.measures[i]);
		free(cut.clusters);
	}
	cs_surface_deinit(&source);
	return error;
}
