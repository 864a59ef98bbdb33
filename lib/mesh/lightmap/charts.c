/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the charts of a mesh. The islands of the source UV channel are made first: an island is
 * triangles that are connected by edges with the same positions and UVs, and are all mirrored or
 * all not. Triangles without area in the source channel are projected: a chart grows from a
 * triangle over all neighbours whose normals are within 60 degrees of the mean normal around it.
 * Then large charts take triangles within 75 degrees from small charts (at most SMALL triangles),
 * which are mostly left over between large ones. Islands and projected charts are divided where
 * they overlap themselves.
 *
 * Triangles without area in space have no normal. If they have no area in the source channel
 * either, they join any neighbouring chart.
 */
#include "mesh/lightmap/charts.h"
#include "mesh/edges.h"
#include "mesh/vector.h"

#include "core/alike.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/scratch.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* largest number of triangles whose normals determine the direction of a chart */
	AROUND = 64,
	SMALL = 64, /* a chart of at most this many triangles loses triangles to larger charts */
};
/*
 * Cosines of the largest angles allowed between the normal of a triangle and the direction of its
 * chart: while charts grow, and when a large chart takes triangles from a small one.
 */
#define GROWS_WITHIN 0.5
#define TAKES_WITHIN 0.25
/* A triangle whose height is at most this fraction of its longest edge has no normal. */
#define THIN         1e-6

struct chart_plane {
	double along[3], across[3], up[3];
	uint32_t origin; /* vertex of the mesh that is projected to (0, 0) */
};

struct charting {
	const struct cs_mesh *mesh;
	const struct cs_job *job;
	const float *uvs; /* the source UV channel, or NULL when there is none */
	double unit;
	struct cs_charts *charts;
	/* for each vertex, the first vertex with the same position (and UV, for source islands) */
	uint32_t *ids;
	uint32_t *corners; /* for each corner, the entry of `ids` for its vertex */
	/* opposite edge of each edge. Edges match when the `ids` of their ends are equal */
	uint32_t *opposite;
	uint32_t *island_of;
	uint32_t n_islands;
	uint32_t *queue;
	/* unit normals of the triangles, 0 for a triangle without area */
	double (*normals)[3];
	struct chart_plane *planes; /* plane of each island of projected triangles */
	/*
	 * for each triangle, 1 + the last seed triangle from which plane_around() visited it, or 0
	 */
	uint32_t *seen;
	struct cs_scratch scratch; /* the memory of these arrays */
};

/* ---- matching the edges of triangles ---- */

struct uv_rows {
	const float *positions, *uvs;
};

static uint64_t hash_uv_row(const void *context, uint32_t v)
{
	const struct uv_rows *rows = context;
	const uint64_t hash = XXH3_64bits(rows->positions + 3 * (size_t)v, 3 * sizeof(float));
	return XXH3_64bits_withSeed(rows->uvs + 2 * (size_t)v, 2 * sizeof(float), hash);
}

static bool is_same_uv_row(const void *context, uint32_t left, uint32_t right)
{
	const struct uv_rows *rows = context;
	return memcmp(rows->positions + 3 * (size_t)left, rows->positions + 3 * (size_t)right,
		       3 * sizeof(float)) == 0 &&
	       memcmp(rows->uvs + 2 * (size_t)left, rows->uvs + 2 * (size_t)right,
		       2 * sizeof(float)) == 0;
}

/* Pairs opposite edges whose ends have equal positions, and also equal UVs if `by_uvs` is set. */
static struct cs_error *match_chart_edges(struct charting *charting, bool by_uvs)
{
	const struct cs_mesh *mesh = charting->mesh;
	const int threads = cs_job_threads(charting->job);
	const struct uv_rows uv_rows = {mesh->positions, charting->uvs};
	const struct cs_rows rows = {mesh->n_vertices, hash_uv_row, is_same_uv_row, &uv_rows};
	struct cs_error *error =
		by_uvs ? cs_find_alike(&rows, threads, charting->ids)
		       : cs_mesh_places(mesh->positions, mesh->n_vertices, threads, charting->ids);
	if (error)
		return error;
	for (size_t i = 0; i < 3 * (size_t)mesh->n_triangles; i++)
		charting->corners[i] = charting->ids[mesh->indices[i]];
	return cs_match_edges(charting->corners, mesh->n_triangles, mesh->n_vertices, threads,
		charting->opposite);
}

/* Returns the triangle on the other side of edge k of a triangle, or CS_NONE. */
static uint32_t neighbour_of(const struct charting *charting, uint32_t triangle, uint32_t k)
{
	const uint32_t edge = cs_edge_partner(charting->opposite, 3 * triangle + k);
	return edge == CS_NONE ? CS_NONE : edge / 3;
}

/* Divides the islands into charts whose triangles do not overlap, and marks the chart borders. */
static struct cs_error *finish_islands(struct charting *charting)
{
	struct cs_charts *charts = charting->charts;
	const struct cs_islands islands = {charts->n_triangles, charting->opposite,
		(const float(*)[3][2])charts->at, charting->island_of, charting->n_islands};
	struct cs_error *error = cs_islands_divide(&islands, charting->job, charts->of, &charts->n);
	for (uint32_t t = 0; !error && t < charts->n_triangles; t++)
		for (uint32_t k = 0; charting->island_of[t] != CS_NONE && k < 3; k++) {
			const uint32_t other = neighbour_of(charting, t, k);
			charts->border[t][k] =
				other == CS_NONE || charts->of[other] != charts->of[t];
		}
	return error;
}

/* ---- geometry of triangles in space ---- */

static void chart_corner(const struct charting *charting, uint32_t vertex, double ret[3])
{
	const float *at = charting->mesh->positions + 3 * (size_t)vertex;
	for (int k = 0; k < 3; k++)
		ret[k] = (double)at[k] / charting->unit;
}

/* Returns the area of a triangle in space. *ret is its unit normal, or 0 if it is thin. */
static double chart_normal(const struct charting *charting, uint32_t triangle, double ret[3])
{
	const uint32_t *corners = charting->mesh->indices + 3 * (size_t)triangle;
	double p[3][3], longest = 0;
	for (int k = 0; k < 3; k++)
		chart_corner(charting, corners[k], p[k]);
	for (int k = 0; k < 3; k++) {
		double edge[3];
		cs_subtract(p[(k + 1) % 3], p[k], edge);
		longest = fmax(longest, cs_dot(edge, edge));
	}
	cs_face_normal(p[0], p[1], p[2], ret);
	const double length = sqrt(cs_dot(ret, ret));
	const bool thin = !(length > THIN * longest);
	for (int k = 0; k < 3; k++)
		ret[k] = thin ? 0 : ret[k] / length;
	return length / 2;
}

static bool has_normal(const struct charting *charting, uint32_t triangle)
{
	const double *normal = charting->normals[triangle];
	return normal[0] != 0 || normal[1] != 0 || normal[2] != 0;
}

/* ---- islands of the source UV channel ---- */

/*
 * Places a triangle at its UVs, with U negated if `mirrored`. Returns whether the triangle then has
 * area and is counter-clockwise.
 */
static bool is_laid(struct charting *charting, uint32_t triangle, bool mirrored)
{
	const uint32_t *corners = charting->mesh->indices + 3 * (size_t)triangle;
	float(*at)[2] = charting->charts->at[triangle];
	for (int k = 0; k < 3; k++) {
		const float *uv = charting->uvs + 2 * (size_t)corners[k];
		at[k][0] = mirrored ? -uv[0] : uv[0];
		at[k][1] = uv[1];
	}
	return !cs_flat_is_thin((const float(*)[2])at);
}

/*
 * Places a triangle at its UVs, and returns whether it may join an island: either it has area in UV
 * space, with the same winding as the island (`mirrored`), or it has area neither in UV space nor
 * in 3D space.
 */
static bool joins_island(struct charting *charting, uint32_t triangle, bool mirrored)
{
	const bool is_turned = is_laid(charting, triangle, !mirrored);
	return is_laid(charting, triangle, mirrored) ||
	       (!is_turned && !has_normal(charting, triangle));
}

static bool take_projected(struct charting *charting, uint32_t triangle,
	const struct chart_plane *plane, double cosine);

/*
 * Adds to the newest island a seed, and connected triangles that are in no chart and fit: those
 * that can be projected to `plane` or, if it is NULL, whose own UVs equal the island's at the edge.
 */
static void grow_island(
	struct charting *charting, uint32_t seed, const struct chart_plane *plane, bool mirrored)
{
	const uint32_t island = charting->n_islands - 1;
	uint32_t n = 0;
	charting->queue[n++] = seed;
	charting->island_of[seed] = island;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t other = neighbour_of(charting, charting->queue[i], k);
			if (other == CS_NONE || charting->island_of[other] != CS_NONE ||
				charting->charts->of[other] != CS_NONE ||
				!(plane ? take_projected(charting, other, plane, GROWS_WITHIN)
					: joins_island(charting, other, mirrored)))
				continue;
			charting->island_of[other] = island;
			charting->queue[n++] = other;
		}
}

static struct cs_error *make_uv_charts(struct charting *charting)
{
	struct cs_error *error = match_chart_edges(charting, true);
	if (error)
		return error;
	for (uint32_t t = 0; t < charting->charts->n_triangles; t++) {
		if (charting->island_of[t] != CS_NONE)
			continue;
		const bool mirrored = !is_laid(charting, t, false);
		if (mirrored && !is_laid(charting, t, true))
			continue;
		charting->n_islands++;
		grow_island(charting, t, NULL, mirrored);
	}
	return finish_islands(charting);
}

/* ---- islands of triangles with similar normals ---- */

static struct chart_plane plane_along(const double up[3], uint32_t origin)
{
	struct chart_plane plane = {.up = {up[0], up[1], up[2]}, .origin = origin};
	const double axis[3] = {fabs(up[0]) <= fabs(up[1]) && fabs(up[0]) <= fabs(up[2]),
		fabs(up[1]) < fabs(up[0]) && fabs(up[1]) <= fabs(up[2]),
		fabs(up[2]) < fabs(up[0]) && fabs(up[2]) < fabs(up[1])};
	cs_cross(axis, up, plane.along);
	const double length = sqrt(cs_dot(plane.along, plane.along));
	for (int k = 0; k < 3; k++)
		plane.along[k] /= length;
	cs_cross(plane.up, plane.along, plane.across);
	return plane;
}

/*
 * Returns the plane perpendicular to the mean normal around a seed triangle, or to the seed's own
 * normal if the mean is far from it.
 */
static struct chart_plane plane_around(struct charting *charting, uint32_t seed)
{
	const uint32_t origin = charting->mesh->indices[3 * (size_t)seed];
	const double *own = charting->normals[seed];
	double sum[3] = {0, 0, 0};
	uint32_t n = 0;
	charting->queue[n++] = seed;
	charting->seen[seed] = seed + 1;
	for (uint32_t i = 0; i < n; i++) {
		double normal[3];
		const double area = chart_normal(charting, charting->queue[i], normal);
		for (int k = 0; k < 3; k++)
			sum[k] += normal[k] * area;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t other = neighbour_of(charting, charting->queue[i], k);
			if (other == CS_NONE || charting->seen[other] == seed + 1 || n == AROUND ||
				charting->charts->of[other] != CS_NONE ||
				charting->island_of[other] != CS_NONE ||
				cs_dot(charting->normals[other], own) < GROWS_WITHIN)
				continue;
			charting->seen[other] = seed + 1;
			charting->queue[n++] = other;
		}
	}
	const double length = sqrt(cs_dot(sum, sum));
	for (int k = 0; length > 0 && k < 3; k++)
		sum[k] /= length;
	return plane_along(cs_dot(sum, own) > GROWS_WITHIN ? sum : own, origin);
}

static void project_triangle(
	struct charting *charting, uint32_t triangle, const struct chart_plane *plane)
{
	const uint32_t *corners = charting->mesh->indices + 3 * (size_t)triangle;
	float(*at)[2] = charting->charts->at[triangle];
	double origin[3];
	chart_corner(charting, plane->origin, origin);
	for (int k = 0; k < 3; k++) {
		double p[3];
		chart_corner(charting, corners[k], p);
		cs_subtract(p, origin, p);
		at[k][0] = (float)cs_dot(p, plane->along);
		at[k][1] = (float)cs_dot(p, plane->across);
	}
}

/*
 * Projects a triangle onto the plane. Returns false, and changes nothing, if the cosine of the
 * angle between the normals of triangle and plane is less than `cosine`, or if the projected
 * triangle is too thin.
 */
static bool take_projected(struct charting *charting, uint32_t triangle,
	const struct chart_plane *plane, double cosine)
{
	float kept[3][2];
	if (has_normal(charting, triangle) &&
		cs_dot(charting->normals[triangle], plane->up) < cosine)
		return false;
	memcpy(kept, charting->charts->at[triangle], sizeof(kept));
	project_triangle(charting, triangle, plane);
	if (has_normal(charting, triangle) &&
		cs_flat_is_thin((const float(*)[2])charting->charts->at[triangle])) {
		memcpy(charting->charts->at[triangle], kept, sizeof(kept));
		return false;
	}
	return true;
}

static void grow_projected(struct charting *charting, uint32_t seed)
{
	static const double upwards[3] = {0, 0, 1};
	struct chart_plane *plane = &charting->planes[charting->n_islands++];
	*plane = has_normal(charting, seed)
			 ? plane_around(charting, seed)
			 : plane_along(upwards, charting->mesh->indices[3 * (size_t)seed]);
	project_triangle(charting, seed, plane);
	grow_island(charting, seed, plane, false);
}

/* Moves triangles of small islands to large neighbours within 75 degrees of their normals. */
static void take_from_small(struct charting *charting, const uint32_t *sizes)
{
	const uint32_t n_triangles = charting->charts->n_triangles;
	uint32_t n = 0;
	for (uint32_t t = 0; t < n_triangles; t++)
		if (charting->island_of[t] != CS_NONE && sizes[charting->island_of[t]] > SMALL)
			charting->queue[n++] = t;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t island = charting->island_of[charting->queue[i]];
			const uint32_t other = neighbour_of(charting, charting->queue[i], k);
			if (other == CS_NONE || charting->island_of[other] == CS_NONE ||
				sizes[charting->island_of[other]] > SMALL ||
				!take_projected(
					charting, other, &charting->planes[island], TAKES_WITHIN))
				continue;
			charting->island_of[other] = island;
			charting->queue[n++] = other;
		}
}

static struct cs_error *merge_small(struct charting *charting)
{
	uint32_t *sizes = calloc((size_t)charting->n_islands + 1, sizeof(*sizes));
	if (!sizes)
		return cs_error_nomem();
	for (uint32_t t = 0; t < charting->charts->n_triangles; t++)
		if (charting->island_of[t] != CS_NONE)
			sizes[charting->island_of[t]]++;
	take_from_small(charting, sizes);
	free(sizes);
	return NULL;
}

/*
 * Makes charts of the triangles that are in no chart. Islands start at triangles with normals
 * first, so that neighbouring triangles without normals join them and do not start islands of their
 * own.
 */
static struct cs_error *make_projected_charts(struct charting *charting)
{
	struct cs_charts *charts = charting->charts;
	struct cs_error *error = match_chart_edges(charting, false);
	if (error)
		return error;
	memset(charting->island_of, 0xff, charts->n_triangles * sizeof(*charting->island_of));
	charting->n_islands = 0;
	for (int normals = 1; normals >= 0; normals--)
		for (uint32_t t = 0; t < charts->n_triangles; t++)
			if (charts->of[t] == CS_NONE && charting->island_of[t] == CS_NONE &&
				has_normal(charting, t) == normals)
				grow_projected(charting, t);
	error = merge_small(charting);
	return error ? error : finish_islands(charting);
}

/* ---- size and rotation of each chart ---- */

/* Sums over the triangles of a chart: area and edge length when flattened, and in space. */
struct chart_sums {
	double flat_area, flat_length, area, length;
};

static struct chart_sums sums_of_chart(const struct charting *charting, uint32_t chart)
{
	const struct cs_charts *charts = charting->charts;
	struct chart_sums sums = {0, 0, 0, 0};
	for (uint32_t i = charts->first[chart]; i < charts->first[chart + 1]; i++) {
		const uint32_t t = charts->list[i];
		const uint32_t *corners = charting->mesh->indices + 3 * (size_t)t;
		float(*at)[2] = charts->at[t];
		double normal[3];
		sums.area += chart_normal(charting, t, normal);
		sums.flat_area += fmax(cs_flat_area(at[0], at[1], at[2]), 0) / 2;
		for (int k = 0; k < 3; k++) {
			const float *from = at[k], *to = at[(k + 1) % 3];
			double p[3], q[3];
			chart_corner(charting, corners[k], p);
			chart_corner(charting, corners[(k + 1) % 3], q);
			cs_subtract(q, p, p);
			sums.length += sqrt(cs_dot(p, p));
			const double x = (double)to[0] - (double)from[0],
				     y = (double)to[1] - (double)from[1];
			sums.flat_length += sqrt(x * x + y * y);
		}
	}
	return sums;
}

/* A rotation in the plane, and the bounding box of a chart that was rotated by it. */
struct chart_turn {
	double cosine, sine, low[2], high[2];
};

static void turn_place(const struct chart_turn *turn, const float at[2], double ret[2])
{
	ret[0] = turn->cosine * (double)at[0] - turn->sine * (double)at[1];
	ret[1] = turn->sine * (double)at[0] + turn->cosine * (double)at[1];
}

/* Computes the bounding box of the rotated chart from the border edges, and returns its area. */
static double measure_turn(const struct cs_charts *charts, uint32_t chart, struct chart_turn *turn)
{
	for (int k = 0; k < 2; k++) {
		turn->low[k] = INFINITY;
		turn->high[k] = -INFINITY;
	}
	for (uint32_t i = charts->first[chart]; i < charts->first[chart + 1]; i++) {
		const uint32_t t = charts->list[i];
		const bool *border = charts->border[t];
		for (int corner = 0; corner < 3 && (border[0] | border[1] | border[2]); corner++) {
			double at[2];
			turn_place(turn, charts->at[t][corner], at);
			for (int k = 0; k < 2; k++) {
				turn->low[k] = fmin(turn->low[k], at[k]);
				turn->high[k] = fmax(turn->high[k], at[k]);
			}
		}
	}
	return (turn->high[0] - turn->low[0]) * (turn->high[1] - turn->low[1]);
}

/*
 * Returns the rotation by a multiple of 5 degrees for which the bounding box of the chart is
 * smallest, or no rotation when none makes it clearly smaller. Adds 90 degrees if the chart would
 * be wider than high.
 */
static struct chart_turn best_turn(const struct cs_charts *charts, uint32_t chart)
{
	const double step[2] = {0.99619469809174555, 0.08715574274765817};
	struct chart_turn turn = {.cosine = 1, .sine = 0}, best = turn;
	double least = measure_turn(charts, chart, &best);
	for (int i = 1; i < 18; i++) {
		const double cosine = turn.cosine * step[0] - turn.sine * step[1];
		turn.sine = turn.sine * step[0] + turn.cosine * step[1];
		turn.cosine = cosine;
		const double area = measure_turn(charts, chart, &turn);
		if (area < 0.98 * least) {
			best = turn;
			least = area;
		}
	}
	if (best.high[0] - best.low[0] > best.high[1] - best.low[1]) {
		const double cosine = best.cosine;
		best.cosine = -best.sine;
		best.sine = cosine;
		measure_turn(charts, chart, &best);
	}
	return best;
}

/*
 * Rotates a chart, moves it to (0, 0) and scales it to its area in space. Its edges are enlarged to
 * at most eight times their length in space, because a chart that is squeezed in one direction
 * would become too long for any square.
 */
static void settle_chart(const struct charting *charting, uint32_t chart)
{
	enum { MOST_STRETCH = 8 };
	struct cs_charts *charts = charting->charts;
	const struct chart_sums sums = sums_of_chart(charting, chart);
	const struct chart_turn turn = best_turn(charts, chart);
	double scale = sums.flat_length > 0 ? sums.length / sums.flat_length : 1;
	if (sums.flat_area > 0)
		scale = fmin(MOST_STRETCH * scale, sqrt(sums.area / sums.flat_area));
	for (uint32_t i = charts->first[chart]; i < charts->first[chart + 1]; i++)
		for (int corner = 0; corner < 3; corner++) {
			float *at = charts->at[charts->list[i]][corner];
			double place[2];
			turn_place(&turn, at, place);
			for (int k = 0; k < 2; k++)
				at[k] = (float)((place[k] - turn.low[k]) * scale);
		}
	for (int k = 0; k < 2; k++)
		charts->size[chart][k] = (float)((turn.high[k] - turn.low[k]) * scale);
	charts->area += sums.flat_area * scale * scale;
}

static struct cs_error *settle_charts(struct charting *charting)
{
	struct cs_charts *charts = charting->charts;
	struct cs_error *error = cs_list_members(
		charts->of, charts->n_triangles, charts->n, &charts->first, &charts->list);
	if (error)
		return error;
	charts->size = calloc((size_t)charts->n + 1, sizeof(*charts->size));
	if (!charts->size)
		return cs_error_nomem();
	for (uint32_t i = 0; i < charts->n; i++)
		settle_chart(charting, i);
	return NULL;
}

/* ---- making all charts of a mesh ---- */

static bool charting_init(struct charting *charting)
{
	const size_t n = charting->mesh->n_triangles + (size_t)1;
	struct cs_charts *charts = charting->charts;
	struct cs_scratch *scratch = &charting->scratch;
	charts->n_triangles = charting->mesh->n_triangles;
	charts->of = malloc(n * sizeof(*charts->of));
	charts->at = calloc(n, sizeof(*charts->at));
	charts->border = calloc(n, sizeof(*charts->border));
	charting->ids = CS_SCRATCH_ARRAY(scratch, uint32_t, charting->mesh->n_vertices + (size_t)1);
	charting->corners = CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * n);
	charting->opposite = CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * n);
	charting->island_of = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	charting->queue = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	charting->normals = cs_scratch_alloc(scratch, n, sizeof(*charting->normals));
	charting->planes = CS_SCRATCH_ARRAY(scratch, struct chart_plane, n);
	charting->seen = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	if (!charts->of || !charts->at || !charts->border || scratch->failed)
		return false;
	memset(charting->seen, 0, n * sizeof(*charting->seen));
	memset(charts->of, 0xff, n * sizeof(*charts->of));
	memset(charting->island_of, 0xff, n * sizeof(*charting->island_of));
	return true;
}

struct cs_error *cs_charts_make(const struct cs_mesh *mesh, uint32_t source, double unit,
	const struct cs_job *job, struct cs_charts *ret)
{
	struct charting charting = {.mesh = mesh,
		.job = job,
		.uvs = source == CS_NONE ? NULL : mesh->uvs[source],
		.unit = unit,
		.charts = ret};
	struct cs_error *error = NULL;
	*ret = (struct cs_charts){0};
	if (!charting_init(&charting))
		error = cs_error_nomem();
	for (uint32_t t = 0; !error && t < mesh->n_triangles; t++)
		chart_normal(&charting, t, charting.normals[t]);
	if (!error && charting.uvs)
		error = make_uv_charts(&charting);
	if (!error)
		error = cs_job_check(job);
	if (!error)
		error = make_projected_charts(&charting);
	if (!error)
		error = settle_charts(&charting);
	cs_scratch_deinit(&charting.scratch);
	return error;
}

void cs_charts_deinit(struct cs_charts *charts)
{
	free(charts->of);
	free(charts->at);
	free(charts->border);
	free(charts->first);
	free(charts->list);
	free(charts->size);
	*charts = (struct cs_charts){0};
}
