/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the initial costs of collapsing edges, four edges at a time. Computing them one by one
 * took half the time of a simplification, because each cost waits for its own divisions. The
 * computation is that of mesh/collapse.c in the same order, so that costs are equal to the last
 * bit, but each lane of a vector belongs to one edge. The quadric of a position before any merging
 * has its minimum, 0, at that position.
 */
#include "mesh/collapse.h"

#include <string.h>

typedef int32_t mask __attribute__((vector_size(16)));

/* Values of four edges, one in each lane: a vector x y z, or terms of a quadric. */
struct rows {
	cs_four x, y, z, w;
};

/* The quadrics of four edges. The origin of each is the kept end of its edge. */
struct quadrics {
	/* linear.w is the constant term, and the other w are unused */
	struct rows squares, mixed, linear;
};

static struct rows transposed(const cs_four v[4])
{
	cs_four a = CS_LANES(v[0], v[1], 0, 4, 1, 5), b = CS_LANES(v[2], v[3], 0, 4, 1, 5);
	cs_four c = CS_LANES(v[0], v[1], 2, 6, 3, 7), d = CS_LANES(v[2], v[3], 2, 6, 3, 7);
	return (struct rows){CS_LANES(a, b, 0, 1, 4, 5), CS_LANES(a, b, 2, 3, 6, 7),
		CS_LANES(c, d, 0, 1, 4, 5), CS_LANES(c, d, 2, 3, 6, 7)};
}

static cs_four select(mask which, cs_four yes, cs_four no)
{
	mask a, b, mixed;
	memcpy(&a, &yes, sizeof(a));
	memcpy(&b, &no, sizeof(b));
	mixed = (a & which) | (b & ~which);
	memcpy(&yes, &mixed, sizeof(yes));
	return yes;
}

static cs_four sum_of(cs_four x, cs_four y, cs_four z)
{
	return x + z + y;
}

static cs_four price_dot(const struct rows *a, const struct rows *b)
{
	return sum_of(a->x * b->x, a->y * b->y, a->z * b->z);
}

/* Returns the product A p of the quadric's matrix A with p, for four quadrics. */
static struct rows slope(const struct quadrics *q, const struct rows *rows)
{
	const struct rows *s = &q->squares, *m = &q->mixed;
	return (struct rows){.x = s->x * rows->x + m->x * rows->y + m->z * rows->z,
		.y = s->y * rows->y + m->y * rows->z + m->x * rows->x,
		.z = s->z * rows->z + m->z * rows->x + m->y * rows->y};
}

/* Returns for each of four edges the sum of both ends' quadrics, with the kept end as origin. */
static struct quadrics price_joined(
	const struct cs_collapser *collapser, const uint32_t (*ends)[2], const struct rows *move)
{
	cs_four squares[2][4], mixed[2][4];
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 2; k++) {
			squares[k][i] = collapser->quadrics[ends[i][k]].squares;
			mixed[k][i] = collapser->quadrics[ends[i][k]].mixed;
		}
	struct quadrics q = {transposed(squares[0]), transposed(mixed[0]), {{0}, {0}, {0}, {0}}};
	q.linear = slope(&q, move);
	q.linear.w = price_dot(move, &q.linear);
	const struct rows s = transposed(squares[1]), m = transposed(mixed[1]);
	q.squares = (struct rows){q.squares.x + s.x, q.squares.y + s.y, q.squares.z + s.z, {0}};
	q.mixed = (struct rows){q.mixed.x + m.x, q.mixed.y + m.y, q.mixed.z + m.z, {0}};
	return q;
}

/* Returns, for each of four edges, the scalar product of two vectors of four components. */
static cs_four product(const struct rows *a, const struct rows *b)
{
	return (a->x * b->x + a->z * b->z) + (a->y * b->y + a->w * b->w);
}

/* Adds to each edge's quadric the cost of merging both ends' wedges, for a block's 4 attributes. */
static void add_apart(const struct cs_collapser *collapser, const uint32_t (*wedges)[2],
	uint32_t block, const cs_four moves[4], cs_four weight, struct quadrics *q)
{
	cs_four x[4], y[4], z[4], at[4];
	for (int i = 0; i < 4; i++) {
		const struct cs_linear *a = cs_linear_of(collapser, wedges[i][0]) + block;
		const struct cs_linear *b = cs_linear_of(collapser, wedges[i][1]) + block;
		x[i] = b->x - a->x;
		y[i] = b->y - a->y;
		z[i] = b->z - a->z;
		at[i] = b->at - cs_linear_at(a, moves[i]);
	}
	const struct rows u = transposed(x), v = transposed(y), w = transposed(z),
			  d = transposed(at);
	q->squares.x += product(&u, &u) * weight;
	q->squares.y += product(&v, &v) * weight;
	q->squares.z += product(&w, &w) * weight;
	q->mixed.x += product(&u, &v) * weight;
	q->mixed.y += product(&v, &w) * weight;
	q->mixed.z += product(&u, &w) * weight;
	q->linear.x += product(&u, &d) * weight;
	q->linear.y += product(&v, &d) * weight;
	q->linear.z += product(&w, &d) * weight;
	q->linear.w += product(&d, &d) * weight;
}

static void add_joints(const struct cs_collapser *collapser, const uint32_t (*ends)[2],
	const cs_four moves[4], struct quadrics *q)
{
	uint32_t wedges[4][2];
	cs_four areas[2];
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 2; k++) {
			wedges[i][k] = collapser->corners[collapser->first[ends[i][k]]];
			areas[k][i] = collapser->areas[wedges[i][k]];
		}
	cs_four both = areas[0] + areas[1], none = {0};
	cs_four weight = select(both > none, areas[0] * areas[1] / both, none);
	for (uint32_t block = 0; block < collapser->n_blocks; block++)
		add_apart(collapser, wedges, block, moves, weight, q);
}

/*
 * Returns the value of each of four quadrics at its minimum. A lane of *good_ret is set if the
 * minimum is well determined and near the edge from the origin to `other`.
 */
static cs_four price_least(const struct quadrics *q, const struct rows *other, mask *good_ret)
{
	cs_four xx = q->squares.x, yy = q->squares.y, zz = q->squares.z;
	cs_four xy = q->mixed.x, yz = q->mixed.y, xz = q->mixed.z;
	cs_four small = 1e-6F * (xx + yy + zz);
	cs_four ix = 1 / xx, yx = xy * ix, zx = xz * ix;
	cs_four second = yy - yx * xy, across = yz - yx * xz;
	cs_four iy = 1 / second, zy = across * iy;
	cs_four third = zz - zx * xz - zy * across, iz = 1 / third;
	cs_four bx = q->linear.x, by = q->linear.y - yx * bx;
	cs_four bz = q->linear.z - zx * bx - zy * by;
	cs_four x = bx * ix, y = by * iy, z = bz * iz;
	cs_four value = q->linear.w - x * bx - y * by - z * bz;
	y -= zy * z;
	x -= yx * y + zx * z;
	cs_four u = -x - other->x * 0.5F, v = -y - other->y * 0.5F, w = -z - other->z * 0.5F;
	cs_four far = sum_of(u * u - 2.25F * other->x * other->x,
		v * v - 2.25F * other->y * other->y, w * w - 2.25F * other->z * other->z);
	*good_ret = (xx > small) & (second > small) & (third > small) & (far <= 0);
	return value;
}

/* Returns the smallest cost of a point between the origin and `other`, for each of four edges. */
static cs_four least_between(const struct quadrics *q, const struct rows *other)
{
	const cs_four none = {0}, one = {1, 1, 1, 1}, half = {0.5F, 0.5F, 0.5F, 0.5F};
	struct rows along = slope(q, other);
	cs_four second = price_dot(other, &along), first = price_dot(other, &q->linear);
	cs_four t = select(second > none, -first / second, half);
	t = select(t < none, none, select(t > one, one, select(t == t, t, half)));
	const struct rows rows = {other->x * t, other->y * t, other->z * t, none};
	struct rows sum = slope(q, &rows);
	sum.x += 2 * q->linear.x;
	sum.y += 2 * q->linear.y;
	sum.z += 2 * q->linear.z;
	return price_dot(&rows, &sum) + q->linear.w;
}

void cs_first_prices(
	const struct cs_collapser *collapser, const uint32_t (*ends)[2], float costs_ret[4])
{
	const cs_four none = {0};
	cs_four moves[4];
	for (int i = 0; i < 4; i++)
		moves[i] = collapser->at[ends[i][1]] - collapser->at[ends[i][0]];
	const struct rows move = transposed(moves), other = {-move.x, -move.y, -move.z, none};
	struct quadrics q = price_joined(collapser, ends, &move);
	if (collapser->n_blocks)
		add_joints(collapser, ends, moves, &q);
	mask good;
	cs_four value = price_least(&q, &other, &good);
	value = select(good, value, least_between(&q, &other));
	value = select(value > none, value, none);
	memcpy(costs_ret, &value, sizeof(value));
}
