/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lightmap UVs against a twin that asks all pairs of triangles how much of them overlaps, by
 * clipping, and marks every texel that a triangle touches: of meshes of all kinds, of UVs that
 * wrap, wind, mirror and lie on each other, of hostile meshes, and of real ones where they are; and
 * of what a resource has stored of them.
 */
#include "cluster/dag_internal.h"
#include "mesh/lightmap/lightmap.h"
#include "nanite/format/resource.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/tap.h"

#include <cellscope/nanite.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A UV channel of a mesh in the form that the twin uses. */
struct seen {
	const struct cs_mesh *mesh;
	const float *uvs;
	uint32_t *parts; /* of each vertex: what is connected by triangles has one number */
};

static const float *seen_at(const struct seen *seen, uint32_t t, int corner)
{
	return seen->uvs + 2 * (size_t)seen->mesh->indices[3 * (size_t)t + (size_t)corner];
}

/* ---- the twin: what overlaps ---- */

struct polygon {
	int n;
	double at[9][2];
};

static double side_of(const float *from, const float *to, const double *p)
{
	return ((double)to[0] - (double)from[0]) * (p[1] - (double)from[1]) -
	       ((double)to[1] - (double)from[1]) * (p[0] - (double)from[0]);
}

static double polygon_area(const struct polygon *polygon)
{
	double sum = 0;
	for (int i = 0; i < polygon->n; i++) {
		const double *p = polygon->at[i], *q = polygon->at[(i + 1) % polygon->n];
		sum += p[0] * q[1] - p[1] * q[0];
	}
	return fabs(sum) / 2;
}

/*
 * Cuts off the part of the polygon that is right of an edge; of an edge of a clockwise triangle,
 * the part left of it.
 */
static void clip_polygon(struct polygon *polygon, const float *from, const float *to, double turn)
{
	struct polygon kept = {.n = 0};
	for (int i = 0; i < polygon->n; i++) {
		const double *p = polygon->at[i], *q = polygon->at[(i + 1) % polygon->n];
		const double here = turn * side_of(from, to, p), next = turn * side_of(from, to, q);
		if (here >= 0)
			memcpy(kept.at[kept.n++], p, sizeof(kept.at[0]));
		if ((here > 0 && next < 0) || (here < 0 && next > 0)) {
			const double part = here / (here - next);
			kept.at[kept.n][0] = p[0] + part * (q[0] - p[0]);
			kept.at[kept.n++][1] = p[1] + part * (q[1] - p[1]);
		}
	}
	*polygon = kept;
}

static double turn_of(const struct seen *seen, uint32_t t)
{
	const float *r = seen_at(seen, t, 2);
	return side_of(
		seen_at(seen, t, 0), seen_at(seen, t, 1), (double[2]){(double)r[0], (double)r[1]});
}

/*
 * Returns the area that two triangles share, divided by the length of the outline of the first: how
 * deep one is in the other.
 */
static double depth_of(const struct seen *seen, uint32_t one, uint32_t other)
{
	struct polygon polygon = {.n = 3};
	double around = 0;
	for (int k = 0; k < 3; k++) {
		const float *p = seen_at(seen, one, k), *q = seen_at(seen, one, (k + 1) % 3);
		polygon.at[k][0] = (double)p[0];
		polygon.at[k][1] = (double)p[1];
		around += hypot((double)q[0] - (double)p[0], (double)q[1] - (double)p[1]);
	}
	const double turn = turn_of(seen, other);
	for (int k = 0; k < 3 && turn != 0; k++)
		clip_polygon(&polygon, seen_at(seen, other, k), seen_at(seen, other, (k + 1) % 3),
			turn > 0 ? 1 : -1);
	return turn != 0 && around > 0 ? polygon_area(&polygon) / around : 0;
}

static double least_of(const struct seen *seen, uint32_t t, int axis)
{
	return fmin(fmin((double)seen_at(seen, t, 0)[axis], (double)seen_at(seen, t, 1)[axis]),
		(double)seen_at(seen, t, 2)[axis]);
}

static double most_of(const struct seen *seen, uint32_t t, int axis)
{
	return fmax(fmax((double)seen_at(seen, t, 0)[axis], (double)seen_at(seen, t, 1)[axis]),
		(double)seen_at(seen, t, 2)[axis]);
}

static double deepest_pair(const struct seen *seen)
{
	const uint32_t n = seen->mesh->n_triangles;
	double deepest = 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++) {
			bool meet = true;
			for (int axis = 0; axis < 2; axis++)
				meet = meet && least_of(seen, i, axis) < most_of(seen, k, axis) &&
				       least_of(seen, k, axis) < most_of(seen, i, axis);
			if (meet)
				deepest = fmax(
					deepest, fmin(depth_of(seen, i, k), depth_of(seen, k, i)));
		}
	return deepest;
}

/* ---- the twin: texels ---- */

static uint32_t part_of(uint32_t *parts, uint32_t v)
{
	while (parts[v] != v)
		v = parts[v] = parts[parts[v]];
	return v;
}

static void join_parts(uint32_t *parts, uint32_t one, uint32_t other)
{
	const uint32_t left = part_of(parts, one), right = part_of(parts, other);
	parts[left > right ? left : right] = left < right ? left : right;
}

static uint32_t *parts_by_vertices(const struct cs_mesh *mesh)
{
	uint32_t *parts = calloc(mesh->n_vertices, sizeof(*parts));
	for (uint32_t v = 0; v < mesh->n_vertices; v++)
		parts[v] = v;
	for (size_t t = 0; t < mesh->n_triangles; t++)
		for (size_t k = 0; k < 2; k++)
			join_parts(parts, mesh->indices[3 * t + k], mesh->indices[3 * t + k + 1]);
	return parts;
}

/*
 * Returns the part of each corner. Corners at one place in space are connected when their UVs are
 * at most `apart` from each other: 0 for a mesh that was made, and some rounding for a stored one,
 * because each cluster rounds on its own.
 */
static uint32_t *parts_by_places(const struct seen *seen, double apart)
{
	const struct cs_mesh *mesh = seen->mesh;
	uint32_t *parts = parts_by_vertices(mesh);
	uint32_t *places = calloc(mesh->n_vertices, sizeof(*places));
	uint32_t *last = calloc(mesh->n_vertices, sizeof(*last));
	uint32_t *before = calloc(mesh->n_vertices, sizeof(*before));
	works(cs_mesh_places(mesh->positions, mesh->n_vertices, 1, places), "places");
	for (uint32_t v = 0; v < mesh->n_vertices; v++) {
		for (uint32_t o = last[places[v]]; o; o = before[o - 1]) {
			const float *p = seen->uvs + 2 * (size_t)v;
			const float *q = seen->uvs + 2 * (size_t)(o - 1);
			if (hypot((double)p[0] - (double)q[0], (double)p[1] - (double)q[1]) <=
				apart)
				join_parts(parts, v, o - 1);
		}
		before[v] = last[places[v]];
		last[places[v]] = v + 1;
	}
	free(places);
	free(last);
	free(before);
	return parts;
}

/* Returns whether a triangle touches the texel from (x, y) to (x + 1, y + 1). */
static bool touches(const double at[3][2], double x, double y)
{
	for (int k = 0; k < 3; k++) {
		const double *p = at[k], *q = at[(k + 1) % 3], *r = at[(k + 2) % 3];
		const double nx = p[1] - q[1], ny = q[0] - p[0];
		const double third = nx * (r[0] - p[0]) + ny * (r[1] - p[1]);
		const double low = fmin(0, third), high = fmax(0, third);
		double least = INFINITY, most = -INFINITY;
		for (int corner = 0; corner < 4; corner++) {
			const double value =
				nx * (x + corner % 2 - p[0]) + ny * (y + corner / 2 - p[1]);
			least = fmin(least, value);
			most = fmax(most, value);
		}
		if (least > high || most < low)
			return false;
	}
	return true;
}

static size_t mark_texels(const struct seen *seen, uint32_t t, int side, uint32_t *owners)
{
	const uint32_t owner = 1 + part_of(seen->parts, seen->mesh->indices[3 * (size_t)t]);
	double at[3][2];
	size_t shared = 0;
	for (int k = 0; k < 3; k++)
		for (int axis = 0; axis < 2; axis++)
			at[k][axis] = (double)seen_at(seen, t, k)[axis] * side;
	const int last[2] = {(int)fmin(side - 1, floor(most_of(seen, t, 0) * side)),
		(int)fmin(side - 1, floor(most_of(seen, t, 1) * side))};
	for (int y = (int)floor(least_of(seen, t, 1) * side); y <= last[1]; y++)
		for (int x = (int)floor(least_of(seen, t, 0) * side); x <= last[0]; x++) {
			uint32_t *texel = &owners[(size_t)y * (size_t)side + (size_t)x];
			if (!touches((const double(*)[2])at, x, y))
				continue;
			shared += *texel != 0 && *texel != owner;
			*texel = owner;
		}
	return shared;
}

/* Counts the texels that two charts share, or that are nearer to another chart than the padding. */
static size_t texels_too_near(const struct seen *seen, int side, int padding)
{
	uint32_t *owners = calloc((size_t)side * (size_t)side, sizeof(*owners));
	size_t near = 0;
	for (uint32_t t = 0; t < seen->mesh->n_triangles; t++)
		near += mark_texels(seen, t, side, owners);
	for (int i = 0; i < side * side; i++)
		for (int dy = 0; dy <= padding && owners[i]; dy++)
			for (int dx = -padding; dx <= padding; dx++) {
				const int x = i % side + dx, y = i / side + dy;
				if (x < 0 || x >= side || y >= side)
					continue;
				const uint32_t other = owners[y * side + x];
				near += other != 0 && other != owners[i];
			}
	free(owners);
	return near;
}

/* ---- what must hold ---- */

static bool is_in_square(const struct seen *seen)
{
	for (size_t i = 0; i < 2 * (size_t)seen->mesh->n_vertices; i++)
		if (!(seen->uvs[i] >= 0 && seen->uvs[i] <= 1))
			return false;
	return true;
}

/* Compares two normals, whose last bit may differ because they are made as long as 1 again. */
static bool is_same_direction(const float *one, const float *other)
{
	double off = 0;
	for (int k = 0; k < 3; k++)
		off = fmax(off, fabs((double)one[k] - (double)other[k]));
	return off < 1e-6;
}

/* Returns whether triangles, places and all other channels are those of the mesh before. */
static bool is_same_but(const struct cs_mesh *before, const struct cs_mesh *after, uint32_t channel)
{
	bool same = before->n_triangles == after->n_triangles;
	for (size_t i = 0; same && i < 3 * (size_t)before->n_triangles; i++) {
		const size_t from = before->indices[i], to = after->indices[i];
		same = memcmp(before->positions + 3 * from, after->positions + 3 * to, 12) == 0 &&
		       is_same_direction(before->normals + 3 * from, after->normals + 3 * to) &&
		       before->materials[i / 3] == after->materials[i / 3];
		for (uint32_t k = 0; same && k < before->n_uvs; k++)
			same = k == channel ||
			       memcmp(before->uvs[k] + 2 * from, after->uvs[k] + 2 * to, 8) == 0;
	}
	return same;
}

/* Counts the triangles with area in space that have none in the channel. */
static uint32_t count_collapsed(const struct seen *seen)
{
	uint32_t n = 0;
	for (uint32_t t = 0; t < seen->mesh->n_triangles; t++) {
		double p[3][3], edge[2][3], cross[3], longest = 0;
		for (int k = 0; k < 3; k++)
			for (int axis = 0; axis < 3; axis++)
				p[k][axis] =
					(double)seen->mesh
						->positions[3 * (size_t)seen->mesh->indices
									    [3 * t + (uint32_t)k] +
							    (size_t)axis];
		for (int axis = 0; axis < 3; axis++) {
			edge[0][axis] = p[1][axis] - p[0][axis];
			edge[1][axis] = p[2][axis] - p[0][axis];
		}
		for (int axis = 0; axis < 3; axis++) {
			const int a = (axis + 1) % 3, b = (axis + 2) % 3;
			cross[axis] = edge[0][a] * edge[1][b] - edge[0][b] * edge[1][a];
			longest += edge[0][axis] * edge[0][axis] + edge[1][axis] * edge[1][axis];
		}
		const double area =
			sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
		n += area > 1e-3 * longest && turn_of(seen, t) == 0;
	}
	return n;
}

static bool is_same_mesh(const struct cs_mesh *one, const struct cs_mesh *other, uint32_t channel)
{
	return one->n_vertices == other->n_vertices && is_same_but(one, other, CS_NONE) &&
	       memcmp(one->indices, other->indices, 12 * (size_t)one->n_triangles) == 0 &&
	       memcmp(one->uvs[channel], other->uvs[channel], 8 * (size_t)one->n_vertices) == 0;
}

static struct cs_lightmap_settings texels(uint32_t resolution, uint32_t padding)
{
	return (struct cs_lightmap_settings){true, resolution, padding, 0, CS_NONE};
}

/* Pairs of triangles are compared only in meshes of at most so many triangles. */
enum { FEW = 6000 };

static struct cs_lightmap_report hold(
	const char *name, const struct cs_mesh *mesh, const struct cs_lightmap_settings *settings)
{
	struct cs_lightmap_report report = {0};
	struct cs_mesh *made[3] = {NULL, NULL, NULL};
	static const int threads[3] = {1, 2, 4};
	for (int i = 0; i < 3; i++) {
		const struct cs_job job = {.threads = threads[i]};
		works(cs_mesh_lightmap(&mesh, 1, settings, &job, &report, &made[i]),
			"%s: %d threads", name, threads[i]);
	}
	if (!made[0] || !made[1] || !made[2])
		return report;
	struct seen seen = {made[0], made[0]->uvs[report.channel], NULL};
	seen.parts = parts_by_places(&seen, 0);
	ok(is_same_mesh(made[0], made[1], report.channel) &&
			is_same_mesh(made[0], made[2], report.channel),
		"%s: the same on any number of threads", name);
	ok(is_same_but(mesh, made[0], report.channel), "%s: nothing else changed", name);
	ok(is_in_square(&seen), "%s: within the square", name);
	is_int(count_collapsed(&seen), 0, "%s: no triangle lost its area", name);
	is_int(texels_too_near(&seen, (int)report.resolution, (int)report.padding), 0,
		"%s: %u charts are %u apart at %u texels", name, report.charts, report.padding,
		report.resolution);
	if (mesh->n_triangles <= FEW) {
		const double depth = deepest_pair(&seen);
		if (!ok(depth < 0x1p-22, "%s: no two triangles overlap", name))
			diag("by %g", depth);
	}
	free(seen.parts);
	for (int i = 0; i < 3; i++)
		cs_mesh_free(made[i]);
	return report;
}

/* ---- meshes ---- */

static void check_kinds(void)
{
	for (int kind = 0; kind < CS_MESH_KINDS; kind++) {
		const struct cs_mesh_recipe recipe = {(enum cs_mesh_kind)kind, 700, 3};
		const char *name = mesh_kind_name((enum cs_mesh_kind)kind);
		struct cs_mesh *mesh = NULL;
		works(cs_mesh_generate(&recipe, NULL, &mesh), "%s", name);
		const struct cs_lightmap_settings settings =
			texels(kind % 2 ? 128 : 300, 1 + kind % 3u);
		const struct cs_lightmap_report report = hold(name, mesh, &settings);
		is_int(report.channel, cs_mesh_view(mesh).n_uvs, "%s: a channel more", name);
		ok(report.used > .05 && report.used < 1, "%s: %g of the square is used", name,
			report.used);
		cs_mesh_free(mesh);
	}
}

/* Gives the position and the UV of a point of a grid. */
typedef void place_quad(double x, double y, float position[3], float uv[2]);

static struct cs_mesh *sheet_of(uint32_t columns, uint32_t rows, place_quad *place)
{
	const uint32_t wide = columns + 1, n = wide * (rows + 1);
	float *positions = calloc(3 * (size_t)n, sizeof(float));
	float *uvs = calloc(2 * (size_t)n, sizeof(float));
	uint32_t *indices = calloc(6 * (size_t)columns * rows, sizeof(*indices)), at = 0;
	struct cs_mesh *mesh = NULL;
	for (uint32_t v = 0; v < n; v++)
		place((double)(v % wide) / columns, (double)(v / wide) / rows,
			positions + 3 * (size_t)v, uvs + 2 * (size_t)v);
	for (uint32_t y = 0; y < rows; y++)
		for (uint32_t x = 0; x < columns; x++) {
			const uint32_t v = y * wide + x;
			const uint32_t quad[6] = {
				v, v + 1, v + wide, v + 1, v + wide + 1, v + wide};
			memcpy(indices + at, quad, sizeof(quad));
			at += 6;
		}
	const struct cs_mesh_view view = {.positions = positions,
		.uvs = {uvs},
		.indices = indices,
		.n_vertices = n,
		.n_triangles = at / 3,
		.n_uvs = 1,
		.n_materials = 1};
	works(cs_mesh_from_arrays(&view, NULL, NULL, &mesh), "a sheet");
	free(positions);
	free(uvs);
	free(indices);
	return mesh;
}

static void set_place(float position[3], double x, double y, double z)
{
	position[0] = (float)x;
	position[1] = (float)y;
	position[2] = (float)z;
}

/* The UVs wind three times around their middle, so that they overlap. */
static void winding(double x, double y, float position[3], float uv[2])
{
	const double turn = x * 6 * M_PI;
	set_place(position, cos(turn) * (3 + y), sin(turn) * (3 + y), x * 20);
	uv[0] = (float)(.5 + .2 * cos(turn) * (1 + y / 2));
	uv[1] = (float)(.5 + .2 * sin(turn) * (1 + y / 2));
}

/* All rows have the UVs of the first one, so that every second row is mirrored. */
static void folded(double x, double y, float position[3], float uv[2])
{
	set_place(position, x, y * 8, 0);
	uv[0] = (float)x;
	uv[1] = fmod(round(y * 8), 2) > 0 ? 1 : 0;
}

/* The UVs are a tile that repeats, far from 0. */
static void tiled(double x, double y, float position[3], float uv[2])
{
	set_place(position, x, y, x * y);
	uv[0] = (float)(1000 + 7 * x);
	uv[1] = (float)(-50 + 5 * y);
}

static void without_area(double x, double y, float position[3], float uv[2])
{
	set_place(position, x, y, x * x);
	uv[0] = uv[1] = .5f;
}

static void squeezed(double x, double y, float position[3], float uv[2])
{
	set_place(position, x, y, x * y);
	uv[0] = (float)(x * 1e9);
	uv[1] = (float)(y * 1e-3);
}

/* The sheet is rolled up twice, so that projections would cut it. Its UVs are flat. */
static void rolled(double x, double y, float position[3], float uv[2])
{
	set_place(position, cos(x * 4 * M_PI), sin(x * 4 * M_PI), y);
	uv[0] = (float)x;
	uv[1] = (float)y;
}

static void rolled_mirrored(double x, double y, float position[3], float uv[2])
{
	rolled(x, y, position, uv);
	uv[0] = -uv[0];
}

/* A screw without usable UVs, whose turns are above each other. */
static void screw(double x, double y, float position[3], float uv[2])
{
	const double turn = x * 10 * M_PI;
	set_place(position, cos(turn) * (1 + y), sin(turn) * (1 + y), x);
	uv[0] = uv[1] = 0;
}

static void far_away(double x, double y, float position[3], float uv[2])
{
	set_place(position, 1e7 + x * 100, y * 1e14, x * 1e-3);
	uv[0] = (float)(x * 1e14);
	uv[1] = (float)(y * 1e-14);
}

/* The second of three rows has no area in space, and is folded back over the first in the UVs. */
static void folded_seam(double x, double y, float position[3], float uv[2])
{
	static const struct {
		double x, y, v;
	} rows[4] = {{0, 0, 0}, {0, 1, .5}, {.1, 1, .1}, {.1, 2, .6}};
	const size_t row = (size_t)round(y * 3);
	set_place(position, x + rows[row].x, rows[row].y, 0);
	uv[0] = (float)x;
	uv[1] = (float)rows[row].v;
}

static void check_sheets(void)
{
	static const struct {
		const char *name;
		place_quad *place;
		uint32_t columns, rows, least_charts;
	} sheets[] = {
		{"winding", winding, 120, 3, 2},
		{"folded", folded, 9, 8, 8},
		{"tiled", tiled, 12, 12, 1},
		{"without area", without_area, 10, 10, 1},
		{"squeezed", squeezed, 20, 20, 1},
		{"screw", screw, 100, 3, 4},
		{"far away", far_away, 7, 9, 1},
		{"folded seam", folded_seam, 5, 3, 3},
	};
	for (size_t i = 0; i < sizeof(sheets) / sizeof(sheets[0]); i++) {
		struct cs_mesh *mesh = sheet_of(sheets[i].columns, sheets[i].rows, sheets[i].place);
		for (uint32_t resolution = 64; resolution <= 256; resolution += 96) {
			const struct cs_lightmap_settings settings =
				texels(resolution, resolution / 100 + 1);
			const struct cs_lightmap_report report =
				hold(sheets[i].name, mesh, &settings);
			ok(report.charts >= sheets[i].least_charts, "%s: %u charts", sheets[i].name,
				report.charts);
		}
		cs_mesh_free(mesh);
	}
	static place_quad *const whole[] = {tiled, rolled, rolled_mirrored};
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		struct cs_mesh *mesh = sheet_of(40, 5, whole[i]);
		const struct cs_lightmap_settings settings = texels(128, 1);
		is_int(hold("whole", mesh, &settings).charts, 1,
			"what does not overlap stays one chart");
		cs_mesh_free(mesh);
	}
}

/* ---- hostile meshes ---- */

enum hostile { APART, NEEDLES, FAN, STACKED, TINY, HOSTILE };
static const char *const hostile_names[HOSTILE] = {
	"apart", "needles", "fan", "stacked", "tiny beside large"};

/* Places a corner of triangles around one point that make several turns above each other. */
static void fan_corner(double turn, uint32_t k, float *position, float *uv)
{
	set_place(position, k ? cos(turn) : 0, k ? sin(turn) : 0, k ? turn * 1e-2 : 0);
	uv[0] = position[0];
	uv[1] = position[1];
}

static void hostile_corner(enum hostile kind, uint32_t t, uint32_t k, float *position, float *uv)
{
	const double side = t % 997, row = t / 997u;
	switch (kind) {
	case APART:
		set_place(position, side * 3 + (k == 1), row * 3 + (k == 2), t % 7);
		break;
	case NEEDLES: /* without area: the middle of the others is the third corner */
		set_place(position, t * 4 + k, t % 5, t % 3);
		break;
	case FAN:
		fan_corner((t + (k == 2)) * 1e-3, k, position, uv);
		break;
	case STACKED:
		fan_corner((t + (k == 2)) * 2.0, k, position, uv);
		break;
	default:
		set_place(position, side + (k == 1) * (t ? .5 : 1e6),
			row + (k == 2) * (t ? .5 : 1e6), t ? 0 : -1);
	}
}

static struct cs_mesh *hostile_mesh(enum hostile kind, uint32_t n)
{
	float *positions = calloc(9 * (size_t)n, sizeof(float));
	float *uvs = calloc(6 * (size_t)n, sizeof(float));
	uint32_t *indices = calloc(3 * (size_t)n, sizeof(*indices));
	struct cs_mesh *mesh = NULL;
	for (uint32_t i = 0; i < 3 * n; i++) {
		hostile_corner(kind, i / 3, i % 3, positions + 3 * (size_t)i, uvs + 2 * (size_t)i);
		indices[i] = i;
	}
	const struct cs_mesh_view view = {.positions = positions,
		.uvs = {uvs},
		.indices = indices,
		.n_vertices = 3 * n,
		.n_triangles = n,
		.n_uvs = kind == FAN || kind == STACKED,
		.n_materials = 1};
	works(cs_mesh_from_arrays(&view, NULL, NULL, &mesh), "%s", hostile_names[kind]);
	free(positions);
	free(uvs);
	free(indices);
	return mesh;
}

static void check_hostile(void)
{
	for (int kind = 0; kind < HOSTILE; kind++) {
		struct cs_mesh *mesh = hostile_mesh((enum hostile)kind, 1500);
		struct cs_lightmap_settings settings = texels(200, 1);
		hold(hostile_names[kind], mesh, &settings);
		cs_mesh_free(mesh);
		/* Many triangles take long only if something is asked of all pairs. */
		mesh = hostile_mesh((enum hostile)kind, tap_long(30000, 1000000));
		settings = texels(4096, 1);
		struct cs_lightmap_report report = {0};
		struct cs_mesh *made = NULL;
		works(cs_mesh_lightmap((const struct cs_mesh *const[]){mesh}, 1, &settings, NULL,
			      &report, &made),
			"%s: a great many", hostile_names[kind]);
		diag("%s: %u charts, %.3f of the square, %.2f s", hostile_names[kind],
			report.charts, report.used, report.seconds);
		cs_mesh_free(mesh);
		cs_mesh_free(made);
	}
}

/* ---- settings ---- */

static void refuses(const struct cs_mesh *mesh, struct cs_lightmap_settings settings,
	const char *part, const char *name)
{
	struct cs_lightmap_report report = {0};
	struct cs_mesh *made = NULL;
	struct cs_error *error = cs_mesh_lightmap(&mesh, 1, &settings, NULL, &report, &made);
	ok(error && error->code == CS_E_SETTING && strstr(error->message, part), "%s", name);
	if (error)
		diag("%s", error->message);
	ok(!made, "nothing is made");
	cs_error_free(error);
}

static void check_settings(void)
{
	struct cs_mesh *flat = hostile_mesh(APART, 2000), *sheet = sheet_of(4, 4, folded);
	struct cs_lightmap_settings settings = texels(64, 1);
	refuses(flat, settings, "of at least 89", "2000 triangles of a texel do not fit 64");
	settings = texels(89, 1);
	hold("just enough", flat, &settings);
	refuses(flat, texels(88, 1), "of at least 89", "and not 88");
	refuses(flat, texels(4097, 1), "more than the limit of 4096", "too many texels");
	refuses(flat, texels(512, 17), "more than the limit of 16", "too much padding");
	struct cs_mesh *many = hostile_mesh(APART, 60000);
	refuses(many, texels(4096, 16), "use a padding of at most 15", "no square has that room");
	cs_mesh_free(many);
	settings = texels(512, 1);
	settings.source = 1;
	refuses(sheet, settings, "the last channel is 0", "a source that is not there");
	refuses(flat, settings, "has no UVs", "a source of a mesh without UVs");
	settings.source = 0;
	settings.target = 4;
	refuses(sheet, settings, "channels are 0 to 3", "a target that cannot be");
	settings.target = 3;
	is_int(hold("next", sheet, &settings).channel, 1, "a target that is not there is the next");
	settings.target = 0;
	is_int(hold("replaced", sheet, &settings).channel, 0, "a channel is replaced");
	struct cs_mesh_view view = cs_mesh_view(sheet);
	view.n_uvs = CS_MESH_UVS;
	view.uvs[1] = view.uvs[2] = view.uvs[3] = view.uvs[0];
	struct cs_mesh *full = NULL;
	works(cs_mesh_from_arrays(&view, NULL, NULL, &full), "four channels");
	settings.target = CS_NONE;
	refuses(full, settings, "the limit", "and no fifth one");
	settings.target = 2;
	is_int(hold("full", full, &settings).channel, 2, "but another can be replaced");
	cs_mesh_free(full);
	cs_mesh_free(flat);
	cs_mesh_free(sheet);
}

/* ---- several meshes, and resources ---- */

/* Joins both meshes, so that the twin sees their common square. */
static struct cs_mesh *joined(struct cs_mesh *const meshes[2], uint32_t channel)
{
	const struct cs_mesh_size size = {meshes[0]->n_vertices + meshes[1]->n_vertices,
		meshes[0]->n_triangles + meshes[1]->n_triangles, 1, false};
	struct cs_mesh *ret = NULL;
	works(cs_mesh_new(&size, NULL, &ret), "both");
	size_t v = 0, i = 0;
	for (int m = 0; m < 2; m++) {
		for (size_t k = 0; k < 3 * (size_t)meshes[m]->n_triangles; k++)
			ret->indices[i++] = meshes[m]->indices[k] + (uint32_t)v;
		memcpy(ret->positions + 3 * v, meshes[m]->positions,
			12 * (size_t)meshes[m]->n_vertices);
		memcpy(ret->uvs[0] + 2 * v, meshes[m]->uvs[channel],
			8 * (size_t)meshes[m]->n_vertices);
		v += meshes[m]->n_vertices;
	}
	return ret;
}

static void check_several(void)
{
	struct cs_mesh *meshes[2] = {sheet_of(9, 8, folded), NULL}, *made[2] = {NULL, NULL};
	const struct cs_mesh_recipe recipe = {CS_MESH_CUBE, 12, 1};
	const struct cs_lightmap_settings settings = texels(128, 2);
	struct cs_lightmap_report report = {0};
	works(cs_mesh_generate(&recipe, NULL, &meshes[1]), "a cube");
	works(cs_mesh_lightmap(
		      (const struct cs_mesh *const *)meshes, 2, &settings, NULL, &report, made),
		"two meshes");
	struct cs_mesh *both = joined(made, report.channel);
	struct seen seen = {both, both->uvs[0], NULL};
	seen.parts = parts_by_places(&seen, 0);
	is_int(texels_too_near(&seen, 128, 2), 0, "their charts share one square");
	ok(deepest_pair(&seen) < 0x1p-22, "and nothing overlaps");
	free(seen.parts);
	cs_mesh_free(both);
	for (int i = 0; i < 2; i++) {
		cs_mesh_free(meshes[i]);
		cs_mesh_free(made[i]);
	}
}

static void hold_resource(const char *name, const struct cs_mesh *mesh, uint32_t resolution)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite_build_report report;
	struct cs_nanite *resource = NULL;
	struct cs_dag *dag = NULL;
	struct cs_dag_cut cut = {0};
	struct cs_mesh *stored = NULL;
	settings.lightmap = texels(resolution, 1);
	works(cs_nanite_build(mesh, &settings, NULL, &report, &resource), "%s: built", name);
	works(cs_nanite_dag(resource, NULL, &dag), "%s: read", name);
	works(cs_dag_cut(dag, &(struct cs_dag_fineness){.by_level = true}, &cut), "%s: cut", name);
	works(cs_dag_cut_mesh(dag, &cut, NULL, &stored), "%s: its finest level", name);
	is_int(cs_nanite_info(resource)->uvs, report.lightmap.channel + 1, "%s: its channels",
		name);
	struct seen seen = {stored, stored->uvs[report.lightmap.channel], NULL};
	seen.parts = parts_by_places(&seen, .25 / resolution);
	ok(is_in_square(&seen), "%s: stored within the square", name);
	is_int(texels_too_near(&seen, (int)resolution, 1), 0,
		"%s: %u charts are stored a texel apart at %u texels", name, report.lightmap.charts,
		resolution);
	free(seen.parts);
	free(cut.clusters);
	cs_mesh_free(stored);
	cs_dag_free(dag);
	cs_nanite_free(resource);
}

static void check_resources(void)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_NOISE, 3000, 3};
	struct cs_mesh *mesh = NULL, *sheet = sheet_of(120, 3, winding);
	works(cs_mesh_generate(&recipe, NULL, &mesh), "noise");
	for (uint32_t resolution = 64; resolution <= 4096; resolution *= 4) {
		hold_resource("noise", mesh, resolution);
		hold_resource("winding", sheet, resolution);
	}
	cs_mesh_free(mesh);
	cs_mesh_free(sheet);
}

static void check_real(void)
{
	static const char *const files[] = {"spot.obj", "suzanne.obj", "fandisk.obj", "beast.obj",
		"stanford-bunny.obj", "beetle-alt.obj", "nefertiti.obj"};
	const char *folder = shared_data();
	const size_t n = tap_long(4, sizeof(files) / sizeof(files[0]));
	for (size_t i = 0; folder && i < n; i++) {
		char path[4400];
		struct cs_mesh *mesh = NULL;
		snprintf(path, sizeof(path), "%s/meshes/%s", folder, files[i]);
		works(cs_mesh_import(path, NULL, NULL, &mesh), "%s", files[i]);
		if (!mesh)
			continue;
		const struct cs_lightmap_settings settings = texels(512, 1);
		const struct cs_lightmap_report report = hold(files[i], mesh, &settings);
		ok(report.used > .35, "%s: %.3f of the square is used", files[i], report.used);
		hold_resource(files[i], mesh, 512);
		cs_mesh_free(mesh);
	}
	if (!folder)
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
}

int main(void)
{
	check_kinds();
	check_sheets();
	check_settings();
	check_several();
	check_resources();
	check_hostile();
	check_real();
	return done();
}
