/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes bounding spheres of points and of spheres.
 *
 * The algorithm is Ritter's (1990): it starts with the two items that are farthest apart along some
 * axis and grows the sphere until it contains all others. The centre is rounded to floats before
 * the radius is computed, and the radius is rounded up last.
 */
#include "cluster/bounds.h"

#include <math.h>

/* Factor that enlarges radii, so that checks in single precision find every point inside. */
#define PLAY (1 + 0x1p-20)

struct ball {
	double centre[3], radius;
};

static struct cs_box_f box_around(const float *positions, uint32_t n)
{
	struct cs_box_f box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 3; k++) {
			float x = positions[3 * i + k];
			box.min[k] = x < box.min[k] ? x : box.min[k];
			box.max[k] = x > box.max[k] ? x : box.max[k];
		}
	return box;
}

static double bounds_distance(const double a[3], const double b[3])
{
	double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
	return sqrt(x * x + y * y + z * z);
}

/* Returns the smallest ball that contains both balls. */
static struct ball bounds_join(const struct ball *a, const struct ball *b)
{
	double d = bounds_distance(a->centre, b->centre);
	if (d + b->radius <= a->radius)
		return *a;
	if (d + a->radius <= b->radius)
		return *b;
	struct ball both = {.radius = 0.5 * (d + a->radius + b->radius)};
	double t = d > 0 ? (both.radius - a->radius) / d : 0;
	for (int k = 0; k < 3; k++)
		both.centre[k] = a->centre[k] + t * (b->centre[k] - a->centre[k]);
	return both;
}

/* An array of n points or spheres. `at` returns item i as a ball, so both share an algorithm. */
struct balls {
	struct ball (*at)(const void *of, uint32_t i);
	const void *of;
	uint32_t n;
};

/* Returns the ball around the two balls that are farthest apart along one of the axes. */
static struct ball start_of(const struct balls *balls)
{
	uint32_t low[3] = {0}, high[3] = {0};
	double least[3] = {INFINITY, INFINITY, INFINITY},
	       most[3] = {-INFINITY, -INFINITY, -INFINITY};
	int axis = 0;
	for (uint32_t i = 0; i < balls->n; i++) {
		struct ball b = balls->at(balls->of, i);
		for (int k = 0; k < 3; k++) {
			if (b.centre[k] - b.radius < least[k]) {
				least[k] = b.centre[k] - b.radius;
				low[k] = i;
			}
			if (b.centre[k] + b.radius > most[k]) {
				most[k] = b.centre[k] + b.radius;
				high[k] = i;
			}
		}
	}
	for (int k = 1; k < 3; k++)
		if (most[k] - least[k] > most[axis] - least[axis])
			axis = k;
	struct ball a = balls->at(balls->of, low[axis]), b = balls->at(balls->of, high[axis]);
	return bounds_join(&a, &b);
}

static struct cs_sphere_f around(const struct balls *balls)
{
	struct ball ball = start_of(balls);
	for (uint32_t i = 0; i < balls->n; i++) {
		struct ball other = balls->at(balls->of, i);
		ball = bounds_join(&ball, &other);
	}
	struct cs_sphere_f sphere = {
		(float)ball.centre[0], (float)ball.centre[1], (float)ball.centre[2], 0};
	const double centre[3] = {sphere.x, sphere.y, sphere.z};
	double radius = 0;
	for (uint32_t i = 0; i < balls->n; i++) {
		struct ball other = balls->at(balls->of, i);
		double reach = bounds_distance(centre, other.centre) + other.radius;
		radius = reach > radius ? reach : radius;
	}
	sphere.radius = cs_float_above(radius * PLAY);
	return sphere;
}

static struct ball point_at(const void *of, uint32_t i)
{
	const float *p = (const float *)of + 3 * (size_t)i;
	return (struct ball){{p[0], p[1], p[2]}, 0};
}

static struct ball sphere_at(const void *of, uint32_t i)
{
	const struct cs_sphere_f *s = ((const struct cs_sphere_f *const *)of)[i];
	return (struct ball){{s->x, s->y, s->z}, s->radius};
}

struct cs_sphere_f cs_sphere_of_spheres(const struct cs_sphere_f *const *spheres, uint32_t n)
{
	return around(&(struct balls){sphere_at, spheres, n});
}

void cs_cluster_bound(struct cs_cluster *cluster, const float *positions)
{
	cluster->box = box_around(positions, cluster->n_vertices);
	cluster->bounds = around(&(struct balls){point_at, positions, cluster->n_vertices});
}
