/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the imposter atlas: the clusters of the root group seen from 144 directions, each in a tile
 * of 12 x 12 pixels. A pixel stores the nearest triangle and its depth.
 *
 * Directions: tile (x, y) shows the mesh from the octahedral direction of ((x, y) + 0.5) / 12 * 2 -
 * 1, in orthographic projection, with the bounding box of the mesh filling the tile. The horizontal
 * axis is derived from the world axis that is least aligned with the direction; the vertical axis
 * is chosen so that a triangle that runs counter-clockwise around its outward normal runs clockwise
 * on the tile when it is visible.
 *
 * Rasterisation: half-space functions in fixed point with 8 fractional bits, top-left rule, back
 * faces dropped; the larger pixel value wins, and depth is in its upper bits.
 */
#include "nanite/encode/encode.h"

#include "core/job.h"
#include "core/parallel.h"
#include "mesh/vector.h"

#include <math.h>
#include <stdlib.h>

enum {
	SUBPIXEL_BITS = 8,
	SUBPIXELS = 1 << SUBPIXEL_BITS,
	/* largest number of root clusters, because a pixel has one bit to tell them apart */
	MOST_ROOT_CLUSTERS = 2,
};

struct view {
	/* centre of the box, and unit axes of the view, of which `toward` points to the viewer */
	double centre[3], right[3], up[3], toward[3];
	double scale_right, scale_up, scale_toward; /* factors that scale the box to -1..1 */
};

struct atlas_work {
	const struct cs_encoder *encoder;
	uint16_t *pixels;
};

/* ---- views of the 144 tiles ---- */

static void normalize(double v[3])
{
	double length = sqrt(cs_dot(v, v));
	for (unsigned i = 0; i < 3; i++)
		v[i] /= length;
}

static void look_from(unsigned tile, double ret[3])
{
	double x = (tile % CS_ATLAS_TILES + 0.5) / CS_ATLAS_TILES * 2 - 1;
	double y = (tile / CS_ATLAS_TILES + 0.5) / CS_ATLAS_TILES * 2 - 1;
	double z = 1 - fabs(x) - fabs(y), t = fmax(-z, 0);
	ret[0] = x + (x < 0 ? t : -t);
	ret[1] = y + (y < 0 ? t : -t);
	ret[2] = z;
	normalize(ret);
}

static double imposter_fill(const double axis[3], const double extent[3])
{
	double reach = 0;
	for (unsigned i = 0; i < 3; i++)
		reach += fabs(axis[i]) * extent[i];
	return reach > 0 ? 1 / reach : 0;
}

static struct view make_view(const struct cs_encoder *encoder, unsigned tile)
{
	struct view view;
	double extent[3], axis[3] = {0, 0, 0};
	unsigned least = 0;
	for (unsigned i = 0; i < 3; i++) {
		double low = (double)encoder->low[i], high = (double)encoder->high[i];
		view.centre[i] = (low + high) / 2 * (double)encoder->step;
		extent[i] = (high - low) / 2 * (double)encoder->step;
	}
	look_from(tile, view.toward);
	for (unsigned i = 1; i < 3; i++)
		if (fabs(view.toward[i]) < fabs(view.toward[least]))
			least = i;
	axis[least] = 1;
	cs_cross(axis, view.toward, view.right);
	normalize(view.right);
	cs_cross(view.right, view.toward, view.up);
	view.scale_right = imposter_fill(view.right, extent);
	view.scale_up = imposter_fill(view.up, extent);
	view.scale_toward = imposter_fill(view.toward, extent);
	return view;
}

struct point {
	float x, y, z; /* x and y in pixels, and depth from 1 to 255 */
};

static struct point imposter_project(const struct view *view, const float position[3])
{
	double offset[3];
	for (unsigned i = 0; i < 3; i++)
		offset[i] = (double)position[i] - view->centre[i];
	double x = cs_dot(offset, view->right) * view->scale_right;
	double y = cs_dot(offset, view->up) * view->scale_up;
	double z = cs_dot(offset, view->toward) * view->scale_toward;
	return (struct point){(float)((x * 0.5 + 0.5) * CS_ATLAS_PIXELS),
		(float)((y * 0.5 + 0.5) * CS_ATLAS_PIXELS), (float)((z * 0.5 + 0.5) * 254 + 1)};
}

/* ---- drawing triangles ---- */

static int32_t fixed(float at)
{
	return (int32_t)floorf(at * SUBPIXELS + 0.5f);
}

struct fixed_point {
	int32_t x, y;
};

struct rectangle {
	int32_t left, top, right, bottom; /* range of pixels, right and bottom exclusive */
};

/* Finds the pixels on one axis whose centres are between the least and largest coordinate. */
static void cover(int32_t a, int32_t b, int32_t c, int32_t *first_ret, int32_t *end_ret)
{
	int32_t low = a < b ? a : b, high = a < b ? b : a;
	low = c < low ? c : low;
	high = c > high ? c : high;
	low = (low + SUBPIXELS / 2 - 1) / SUBPIXELS;
	high = (high + SUBPIXELS / 2 - 1) / SUBPIXELS;
	*first_ret = low < 0 ? 0 : low;
	*end_ret = high > CS_ATLAS_PIXELS ? CS_ATLAS_PIXELS : high;
}

/* A half-plane: where a function is >= 0, given by its value at the first pixel and its steps. */
struct half_plane {
	int32_t value, step_x, step_y;
};

/* Returns the half-plane of the edge from a to b, both of which are relative to the first pixel. */
static struct half_plane half_plane(struct fixed_point a, struct fixed_point b)
{
	int64_t x = a.x - b.x, y = a.y - b.y, value = y * a.x - x * a.y;
	bool top_left = y < 0 || (y == 0 && x > 0);
	value -= !top_left;
	return (struct half_plane){(int32_t)(value >> SUBPIXEL_BITS), (int32_t)-y, (int32_t)x};
}

struct gradient {
	/* changes of the depth from pixel to pixel in x and in y, and depth at the first pixel */
	float x, y, origin;
};

struct raster {
	struct rectangle area;
	struct half_plane planes[3];
	struct gradient depth;
};

/* Prepares drawing a triangle. Returns false when it is a back face or covers no pixel. */
static bool set_up(const struct point v[3], struct raster *ret)
{
	float x1 = v[1].x - v[0].x, y1 = v[1].y - v[0].y, z1 = v[1].z - v[0].z;
	float x2 = v[2].x - v[0].x, y2 = v[2].y - v[0].y, z2 = v[2].z - v[0].z;
	float determinant = x1 * y2 - y1 * x2;
	if (!(determinant < 0))
		return false;
	struct fixed_point p[3];
	for (unsigned i = 0; i < 3; i++)
		p[i] = (struct fixed_point){fixed(v[i].x), fixed(v[i].y)};
	struct rectangle *area = &ret->area;
	cover(p[0].x, p[1].x, p[2].x, &area->left, &area->right);
	cover(p[0].y, p[1].y, p[2].y, &area->top, &area->bottom);
	if (area->left >= area->right || area->top >= area->bottom)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		p[i].x -= area->left * SUBPIXELS + SUBPIXELS / 2;
		p[i].y -= area->top * SUBPIXELS + SUBPIXELS / 2;
	}
	for (unsigned i = 0; i < 3; i++)
		ret->planes[i] = half_plane(p[i], p[(i + 1) % 3]);
	ret->depth.x = (z1 * y2 - y1 * z2) / determinant;
	ret->depth.y = (x1 * z2 - z1 * x2) / determinant;
	ret->depth.origin =
		v[0].z - (ret->depth.x * (float)p[0].x + ret->depth.y * (float)p[0].y) / SUBPIXELS;
	return true;
}

/* Draws a triangle into a tile. `value` contains the cluster and the index of the triangle. */
static void imposter_draw(const struct raster *raster, uint32_t value, uint16_t *tile)
{
	for (int32_t y = raster->area.top; y < raster->area.bottom; y++) {
		for (int32_t x = raster->area.left; x < raster->area.right; x++) {
			int32_t dx = x - raster->area.left, dy = y - raster->area.top, inside = 0;
			for (unsigned i = 0; i < 3; i++) {
				const struct half_plane *plane = &raster->planes[i];
				inside |= plane->value + dx * plane->step_x + dy * plane->step_y;
			}
			if (inside < 0)
				continue;
			float z = raster->depth.origin + (float)dx * raster->depth.x +
				  (float)dy * raster->depth.y;
			uint32_t depth = (uint32_t)(fminf(fmaxf(z, 1), 255) + 0.5f);
			uint16_t *pixel = &tile[x + CS_ATLAS_PIXELS * y];
			uint16_t drawn = (uint16_t)(depth << CS_ATLAS_DEPTH | value);
			*pixel = drawn > *pixel ? drawn : *pixel;
		}
	}
}

static void imposter_draw_cluster(const struct cs_encoder *encoder, const struct view *view,
	const struct cs_coded_cluster *cluster, uint32_t number, uint16_t *tile)
{
	struct point points[CS_CLUSTER_VERTICES];
	for (unsigned v = 0; v < cluster->n_vertices; v++) {
		int32_t grid[3];
		cs_encode_position(encoder, cluster->vertices[v], grid);
		const float position[3] = {(float)grid[0] * encoder->step,
			(float)grid[1] * encoder->step, (float)grid[2] * encoder->step};
		points[v] = imposter_project(view, position);
	}
	for (unsigned t = 0; t < cluster->n_triangles; t++) {
		const uint16_t *corners = cluster->corners[t];
		const struct point v[3] = {
			points[corners[0]], points[corners[1]], points[corners[2]]};
		struct raster raster;
		if (set_up(v, &raster))
			imposter_draw(&raster, number << CS_ATLAS_CLUSTER | t, tile);
	}
}

static void imposter_draw_tiles(void *context, size_t begin, size_t end, int thread)
{
	const struct atlas_work *work = context;
	const struct cs_encoder *encoder = work->encoder;
	const struct cs_coded_group *root = &encoder->groups[encoder->dag->n_groups - 1];
	(void)thread;
	for (size_t tile = begin; tile < end; tile++) {
		struct view view = make_view(encoder, (unsigned)tile);
		uint16_t *pixels = work->pixels + tile * CS_ATLAS_PIXELS * CS_ATLAS_PIXELS;
		for (uint32_t i = 0; i < root->n_children; i++)
			imposter_draw_cluster(encoder, &view,
				encoder->clusters[encoder->children[root->first_child + i]], i,
				pixels);
	}
}

struct cs_error *cs_encode_atlas(struct cs_encoder *encoder)
{
	const struct cs_coded_group *root = &encoder->groups[encoder->dag->n_groups - 1];
	if (encoder->options->no_atlas || encoder->dag->n_meshes > 1 ||
		root->n_children > MOST_ROOT_CLUSTERS)
		return NULL;
	double start = cs_seconds();
	struct atlas_work work = {encoder, calloc(CS_ATLAS_SIZE, sizeof(*work.pixels))};
	if (!work.pixels)
		return cs_error_nomem();
	encoder->resource->atlas = work.pixels;
	encoder->resource->n_atlas = CS_ATLAS_SIZE;
	cs_parallel_for(cs_job_threads(encoder->job), (size_t)CS_ATLAS_TILES * CS_ATLAS_TILES, 4,
		imposter_draw_tiles, &work);
	encoder->resource->report.atlas_seconds = cs_seconds() - start;
	return NULL;
}
