/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the imposter atlas, and clusters with a depth buffer in the colours of clusters. Clusters
 * are shown in orthographic projection from a direction, and the sphere around the bounding box of
 * the mesh fills the picture. A pixel shows the nearest triangle that covers its centre. 65 % of
 * the light comes from the viewer, and 35 % from all directions.
 */
#include <cellscope/pages.h>

#include "nanite/picture/cluster_colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 12, TILE_PIXELS = 12, ATLAS_DEPTH = 8 };

/* ---- the imposter atlas ---- */

static void picture_draw_tile(const struct cs_model *model, uint32_t tile, uint32_t left,
	uint32_t top, struct cs_picture *picture)
{
	for (uint32_t i = 0; i < TILE_PIXELS * TILE_PIXELS; i++) {
		uint16_t value = model->atlas[tile * TILE_PIXELS * TILE_PIXELS + i];
		uint32_t x = left + i % TILE_PIXELS, y = top + TILE_PIXELS - 1 - i / TILE_PIXELS;
		memset(picture->pixels + 3 * ((size_t)y * picture->width + x), value >> ATLAS_DEPTH,
			3);
	}
}

static struct cs_error *no_atlas(const struct cs_model *model)
{
	return cs_error_new(CS_E_MISSING, "the resource has no imposter atlas: %s",
		!model->resource      ? "it was cooked without one"
		: model->n_roots == 1 ? "build it without --no-imposter"
				      : "it was built from several meshes, which have none");
}

/* Halves a picture: each pixel is the brightest of four. Drops an odd last row or column. */
static struct cs_error *picture_halve(const struct cs_picture *from, struct cs_picture *ret)
{
	struct cs_error *error = cs_picture_init(from->width / 2, from->height / 2, ret);
	for (uint32_t y = 0; !error && y < ret->height; y++)
		for (uint32_t x = 0; x < ret->width; x++) {
			uint8_t *to = ret->pixels + 3 * ((size_t)y * ret->width + x);
			for (unsigned k = 0; k < 4; k++) {
				size_t at = (size_t)(2 * y + k / 2) * from->width + 2 * x + k % 2;
				for (unsigned c = 0; c < 3; c++)
					if (from->pixels[3 * at + c] > to[c])
						to[c] = from->pixels[3 * at + c];
			}
		}
	return error;
}

static struct cs_error *picture_draw_tiles(
	const struct cs_model *model, uint32_t tile, struct cs_picture *ret)
{
	enum { SIDE = TILES * TILE_PIXELS };
	const bool all = tile == CS_PICTURE_TILES;
	struct cs_error *error =
		cs_picture_init(all ? SIDE : TILE_PIXELS, all ? SIDE : TILE_PIXELS, ret);
	if (!error && !all)
		picture_draw_tile(model, tile, 0, 0, ret);
	for (uint32_t i = 0; !error && all && i < TILES * TILES; i++)
		picture_draw_tile(model, i, i % TILES * TILE_PIXELS,
			(TILES - 1 - i / TILES) * TILE_PIXELS, ret);
	return error;
}

struct cs_error *cs_picture_atlas(
	const struct cs_model *model, uint32_t tile, uint32_t width, struct cs_picture *ret)
{
	struct cs_picture picture, half;
	if (tile >= TILES * TILES && tile != CS_PICTURE_TILES)
		return cs_error_new(CS_E_MISSING,
			"--tile, the number of a tile of the imposter, must be 0 to %d, not %u",
			TILES * TILES - 1, tile);
	struct cs_error *error =
		model->atlas ? picture_draw_tiles(model, tile, &picture) : no_atlas(model);
	if (error)
		return error;
	while (width && picture.width > width && picture.width > 1) {
		error = picture_halve(&picture, &half);
		free(picture.pixels);
		if (error)
			return error;
		picture = half;
	}
	*ret = picture;
	return NULL;
}

/* ---- colours of clusters ---- */

/* Computes a saturated colour. Hues of consecutive numbers are a golden ratio apart. */
static void hue_of(uint32_t number, uint8_t rgb[3])
{
	double hue = fmod(number * 0.61803398874989485, 1) * 6;
	for (unsigned c = 0; c < 3; c++) {
		double distance = fabs(fmod(hue - 2.0 * c + 9, 6) - 3);
		double part = distance < 1 ? 1 : distance < 2 ? 2 - distance : 0;
		rgb[c] = (uint8_t)(255 * (0.25 + 0.75 * part));
	}
}

void cs_picture_colour_of(const struct cs_model *model, uint32_t cluster,
	enum cs_picture_colour colour, const uint8_t *state, uint8_t rgb[3])
{
	/* blue for state 0, orange for state 1 */
	static const uint8_t states[2][3] = {{86, 180, 233}, {230, 159, 0}};
	const struct cs_model_cluster *row = &model->clusters[cluster];
	memset(rgb, 255, 3);
	switch (colour) {
	case CS_COLOUR_CLUSTER:
		hue_of(cluster, rgb);
		break;
	case CS_COLOUR_GROUP:
		hue_of(row->group, rgb);
		break;
	case CS_COLOUR_PAGE:
		hue_of(row->page, rgb);
		break;
	case CS_COLOUR_LEVEL:
		hue_of(row->level, rgb);
		break;
	case CS_COLOUR_RESIDENCY:
		memcpy(rgb, states[state && state[cluster]], 3);
		break;
	default:
		break;
	}
}

/* ---- drawing clusters ---- */

struct camera {
	double right[3], up[3], toward[3];
	double centre[3], scale; /* centre of the mesh, and pixels per unit of the mesh */
};

static double draw_dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static struct camera make_camera(const struct cs_model *model, const struct cs_picture_view *view,
	const struct cs_picture *picture)
{
	const double degree = acos(-1.0) / 180;
	double yaw = view->yaw * degree, pitch = view->pitch * degree, radius = 0;
	struct camera camera = {
		.toward = {cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)},
		.right = {-sin(yaw), cos(yaw), 0},
		.up = {-sin(pitch) * cos(yaw), -sin(pitch) * sin(yaw), cos(pitch)},
	};
	for (unsigned i = 0; i < 3; i++) {
		double extent = ((double)model->max[i] - (double)model->min[i]) / 2;
		camera.centre[i] = ((double)model->max[i] + (double)model->min[i]) / 2;
		radius += extent * extent;
	}
	uint32_t side = picture->width < picture->height ? picture->width : picture->height;
	camera.scale = radius > 0 ? side / 2.0 / sqrt(radius) : 0;
	return camera;
}

struct point {
	double x, y, depth; /* position in pixels, y downwards, and depth, larger when nearer */
};

static struct point project(
	const struct camera *camera, const float *at, const struct cs_picture *picture)
{
	double offset[3];
	for (unsigned i = 0; i < 3; i++)
		offset[i] = (double)at[i] - camera->centre[i];
	return (struct point){
		picture->width / 2.0 + camera->scale * draw_dot(camera->right, offset),
		picture->height / 2.0 - camera->scale * draw_dot(camera->up, offset),
		camera->scale * draw_dot(camera->toward, offset)};
}

static double edge(struct point a, struct point b, double x, double y)
{
	return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static uint32_t clamp_pixel(double at, uint32_t size)
{
	return !(at > 0) ? 0 : at >= size ? size : (uint32_t)at;
}

struct target {
	struct cs_picture *picture;
	float *depth; /* depth of each pixel, or -INFINITY when the pixel is empty */
	double reach; /* largest possible depth. The smallest is -reach */
};

/* Returns the brightness of a point: depth takes up to 70 % (picture of depth) or 30 % away. */
static double brightness(
	const struct target *target, const struct cs_picture_view *view, double slope, double depth)
{
	double near = target->reach > 0 ? (depth / target->reach + 1) / 2 : 1;
	double light = 0.35 + 0.65 * slope;
	return view->colour == CS_COLOUR_DEPTH ? light * (0.3 + 0.7 * near)
					       : light * (0.7 + 0.3 * near);
}

/* Draws a triangle from both sides, so that an open mesh shows its inside. */
static void fill_triangle(const struct target *target, const struct cs_picture_view *view,
	const struct point p[3], double slope, const uint8_t rgb[3])
{
	double area = edge(p[0], p[1], p[2].x, p[2].y);
	uint32_t width = target->picture->width, height = target->picture->height;
	if (!(fabs(area) > 0))
		return;
	uint32_t left = clamp_pixel(floor(fmin(p[0].x, fmin(p[1].x, p[2].x))), width);
	uint32_t right = clamp_pixel(ceil(fmax(p[0].x, fmax(p[1].x, p[2].x))), width);
	uint32_t top = clamp_pixel(floor(fmin(p[0].y, fmin(p[1].y, p[2].y))), height);
	uint32_t bottom = clamp_pixel(ceil(fmax(p[0].y, fmax(p[1].y, p[2].y))), height);
	for (uint32_t y = top; y < bottom; y++)
		for (uint32_t x = left; x < right; x++) {
			double a = edge(p[1], p[2], x + 0.5, y + 0.5) / area;
			double b = edge(p[2], p[0], x + 0.5, y + 0.5) / area;
			double depth = a * p[0].depth + b * p[1].depth + (1 - a - b) * p[2].depth;
			size_t at = (size_t)y * width + x;
			if (a < 0 || b < 0 || a + b > 1 || (float)depth <= target->depth[at])
				continue;
			double light = brightness(target, view, slope, depth);
			target->depth[at] = (float)depth;
			for (unsigned c = 0; c < 3; c++)
				target->picture->pixels[3 * at + c] =
					(uint8_t)fmax(8, fmin(255, light * rgb[c]));
		}
}

/* Returns the absolute cosine, 0 to 1, of the angle between triangle normal and view axis. */
static double facing(const struct camera *camera, const float *a, const float *b, const float *c)
{
	double u[3], v[3], n[3];
	for (unsigned i = 0; i < 3; i++) {
		u[i] = (double)b[i] - (double)a[i];
		v[i] = (double)c[i] - (double)a[i];
	}
	for (unsigned i = 0; i < 3; i++)
		n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
	double length = sqrt(draw_dot(n, n));
	return length > 0 ? fabs(draw_dot(n, camera->toward)) / length : 0;
}

static void draw_cluster(const struct cs_model *model, uint32_t cluster,
	const struct camera *camera, const struct cs_picture_view *view,
	const struct target *target)
{
	const struct cs_model_cluster *row = &model->clusters[cluster];
	const float *positions = model->positions + 3 * (size_t)row->first_vertex;
	uint8_t rgb[3];
	cs_picture_colour_of(model, cluster, view->colour, view->state, rgb);
	for (uint32_t i = 0; i < row->n_triangles; i++) {
		const uint8_t *corners = model->corners + 3 * ((size_t)row->first_triangle + i);
		const float *at[3];
		struct point p[3];
		for (unsigned k = 0; k < 3; k++) {
			at[k] = positions + 3 * (size_t)corners[k];
			p[k] = project(camera, at[k], target->picture);
		}
		fill_triangle(target, view, p, facing(camera, at[0], at[1], at[2]), rgb);
	}
}

struct cs_error *cs_picture_clusters(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, const struct cs_picture_view *view, uint32_t width, uint32_t height,
	struct cs_picture *ret)
{
	struct cs_picture picture;
	struct cs_error *error = cs_picture_init(width, height, &picture);
	if (error)
		return error;
	const size_t n = (size_t)width * height;
	const struct camera camera = make_camera(model, view, &picture);
	struct target target = {.picture = &picture, .depth = malloc(n * sizeof(float))};
	if (!target.depth) {
		free(picture.pixels);
		return cs_error_nomem();
	}
	target.reach = (width < height ? width : height) / 2.0;
	for (size_t i = 0; i < n; i++)
		target.depth[i] = -INFINITY;
	for (size_t i = 0; i < n_clusters; i++)
		draw_cluster(model, clusters[i], &camera, view, &target);
	free(target.depth);
	*ret = picture;
	return NULL;
}
