/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what prices edge collapses: quadrics against sums of squared distances in doubles,
 * wherever their origin is moved, far from zero too; means of attributes against the variance of
 * all; and the queue of edges against a search for the cheapest.
 */
#include "core/random.h"
#include "mesh/buckets.h"
#include "mesh/quadric.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <stdlib.h>

enum { PLANES = 6, TRIALS = 1000, ITEMS = 500, STEPS = 20000 };

static struct cs_random chance = {1};

static cs_four any_vector(double size)
{
	cs_four v = {0, 0, 0, 0};
	for (int k = 0; k < 3; k++)
		v[k] = (float)cs_random_range(&chance, -size, size);
	return v;
}

/* ---- quadrics ---- */

struct planes {
	cs_four normals[PLANES], through[PLANES];
	float weights[PLANES];
	struct cs_quadric sum; /* from `origin` */
	cs_four origin;
};

/* Adds each plane as a quadric from a place on it, which then moves to the common one. */
static void make_planes(struct planes *p)
{
	*p = (struct planes){.origin = any_vector(1)};
	for (int i = 0; i < PLANES; i++) {
		struct cs_quadric q = {0};
		p->normals[i] = any_vector(1);
		p->through[i] = any_vector(1);
		p->weights[i] = (float)cs_random_range(&chance, 0.1, 2);
		cs_quadric_add_plane(&q, p->normals[i], p->weights[i]);
		cs_quadric_move(&q, p->origin - p->through[i]);
		cs_quadric_add(&p->sum, &q);
	}
}

static double planes_at(const struct planes *p, cs_four at)
{
	double sum = 0;
	for (int i = 0; i < PLANES; i++) {
		double distance = 0;
		for (int k = 0; k < 3; k++)
			distance += (double)p->normals[i][k] *
				    ((double)at[k] - (double)p->through[i][k]);
		sum += (double)p->weights[i] * distance * distance;
	}
	return sum;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-4 * (1 + fabs(b));
}

static void test_planes(void)
{
	int n_values = 0, n_moved = 0, n_least = 0, n_found = 0;
	for (int trial = 0; trial < TRIALS; trial++) {
		struct planes p;
		cs_four least, at = any_vector(2), step = any_vector(1);
		float value;
		make_planes(&p);
		n_values +=
			is_near((double)cs_quadric_at(&p.sum, at - p.origin), planes_at(&p, at));
		if (cs_quadric_least(&p.sum, &least, &value)) {
			double there = planes_at(&p, p.origin + least);
			bool good = is_near((double)value, there);
			for (int i = 0; i < 20; i++)
				good &= there <=
					planes_at(&p, p.origin + least + any_vector(0.1)) + 1e-5;
			n_found++;
			n_least += good;
		}
		cs_quadric_move(&p.sum, step);
		n_moved += is_near(
			(double)cs_quadric_at(&p.sum, at - p.origin - step), planes_at(&p, at));
	}
	is_int(n_values, TRIALS, "quadrics are sums of squared distances");
	is_int(n_moved, TRIALS, "wherever their origin goes");
	ok(n_found > TRIALS / 2, "%d of %d have a least point", n_found, TRIALS);
	is_int(n_least, n_found, "which is the least, with its value");
}

static void test_degenerate(void)
{
	struct cs_quadric q = {0};
	cs_four least, edge = {2, 0, 0, 0}, normal = {0.6F, 0.8F, 0, 0};
	float value;
	ok(!cs_quadric_least(&q, &least, &value), "nothing has no least point");
	cs_quadric_add_plane(&q, normal, 1);
	ok(!cs_quadric_least(&q, &least, &value), "neither has a plane");
	cs_quadric_move(&q, (cs_four){-0.5F, 0, 0, 0});
	least = cs_quadric_least_towards(&q, edge);
	ok(fabsf(least[0] - 0.5F) < 1e-6F, "on a segment it has");
	least = cs_quadric_least_towards(&q, edge * 0.1F);
	ok(least[0] == edge[0] * 0.1F, "at the end of one that is too short");
}

/* ---- attributes ---- */

/* Two sums of areas have a mean each: their common mean is off by as much as the formula says. */
static void test_means(void)
{
	int n_good = 0;
	for (int trial = 0; trial < TRIALS; trial++) {
		struct cs_linear f[2], apart;
		float areas[2], weight;
		cs_four at = any_vector(1);
		struct cs_quadric q = {0};
		for (int i = 0; i < 2; i++) {
			f[i] = (struct cs_linear){
				any_vector(1), any_vector(1), any_vector(1), any_vector(1)};
			areas[i] = (float)cs_random_range(&chance, 0.1, 2);
		}
		apart = (struct cs_linear){
			f[0].x - f[1].x, f[0].y - f[1].y, f[0].z - f[1].z, f[0].at - f[1].at};
		weight = areas[0] * areas[1] / (areas[0] + areas[1]);
		cs_quadric_add_squares(&q, &apart, weight);
		double off = 0;
		cs_four a = cs_linear_at(&f[0], at), b = cs_linear_at(&f[1], at);
		for (int k = 0; k < 4; k++) {
			double s = (double)a[k], t = (double)b[k];
			double mean = ((double)areas[0] * s + (double)areas[1] * t) /
				      ((double)areas[0] + (double)areas[1]);
			off += (double)areas[0] * (s - mean) * (s - mean) +
			       (double)areas[1] * (t - mean) * (t - mean);
		}
		n_good += is_near((double)cs_quadric_at(&q, at), off);
	}
	is_int(n_good, TRIALS, "what two means that become one are off");
}

/* ---- the queue ---- */

static float any_cost(void)
{
	uint32_t kind = cs_random_below(&chance, 20);
	double size = exp(cs_random_range(&chance, -60, 60));
	return kind == 0 ? 0 : kind == 1 ? INFINITY : (float)size;
}

static void test_queue(void)
{
	static struct cs_buckets buckets;
	static uint32_t next[ITEMS];
	float costs[ITEMS];
	bool is_in[ITEMS] = {false};
	int n_takes = 0, n_right = 0;
	buckets.next = next;
	for (int step = 0; step < STEPS; step++) {
		uint32_t item = cs_random_below(&chance, ITEMS), bucket, least = UINT32_MAX;
		if (!is_in[item] && step % 3 && step < STEPS - ITEMS) {
			costs[item] = any_cost();
			is_in[item] = true;
			cs_buckets_put(&buckets, costs[item], item);
			continue;
		}
		for (uint32_t i = 0; i < ITEMS; i++)
			if (is_in[i] && cs_bucket_of(costs[i]) < least)
				least = cs_bucket_of(costs[i]);
		item = cs_buckets_take(&buckets, &bucket);
		n_takes++;
		if (item == CS_NONE) {
			n_right += least == UINT32_MAX;
			continue;
		}
		n_right += is_in[item] && bucket == least && cs_bucket_of(costs[item]) == least;
		is_in[item] = false;
	}
	is_int(n_right, n_takes, "the queue gives what is cheapest, and ends");
	ok(cs_bucket_of(1.0F) < cs_bucket_of(1.0625F), "a sixteenth more is another bucket");
}

int main(void)
{
	test_planes();
	test_degenerate();
	test_means();
	test_queue();
	return done();
}
