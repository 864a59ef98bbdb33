/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simplifies a patch. Quadrics are computed from its triangles, borders and seams; then the
 * cheapest edge collapses, again and again.
 *
 * The queue contains edges by cost (mesh/buckets.h). Merging only adds quadrics, so an edge's
 * stored cost is a lower bound of its current cost: the cost is computed again when the edge is
 * taken from the queue, and the edge is put back when it is no longer among the cheapest. Edges are
 * never searched for removal; an edge whose ends were merged is dropped when it is taken. Edges
 * whose collapse a rule forbids wait for the next round.
 *
 * Triangles that coincide are removed first, because the rules forbid collapsing edges around them.
 *
 * When the rules allow no more collapses before the target is reached, they are loosened one by
 * one: duplicate triangles are removed, then sheets may touch, whole connected pieces are removed,
 * triangles may be flipped. Locked positions and the edges between them never change.
 */
#include "mesh/simplify.h"

#include "mesh/buckets.h"
#include "mesh/collapse.h"
#include "mesh/edges.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Weight of border and seam planes relative to that of the faces beside them (nanite rules 2.2). */
#define EDGE_WEIGHT           2.0F
/*
 * Weight of the distance by which a collapse moves a position, which keeps triangles well shaped in
 * flat faces. A collapse in a flat face costs the edge's length times the root of this weight, as
 * if the surface moved that far. With attributes the weight is so small that flat faces are
 * collapsed before curved ones. With positions alone it is larger, because error bounds are less
 * tight for big triangles in flat faces.
 */
#define SHAPE_WEIGHT          3e-5F
#define POSITION_SHAPE_WEIGHT 1e-3F
/* A triangle whose squared sine at corner 0 is at most this has no normal, only rounding error. */
#define FLAT2                 1e-12F

struct edge {
	uint32_t a, b; /* positions of both ends, updated when the edge is taken from the queue */
	/* number of collapses done when `cost` was computed, or STALE to compute it again */
	uint32_t priced;
	float cost; /* cost of collapsing the edge, when it was last computed */
	/* sum of the quadric errors of both ends (apart_cost) when `cost` was computed */
	float apart;
};

#define STALE CS_NONE

struct queue {
	struct edge *edges;
	uint32_t n_edges;
	struct cs_buckets buckets;
	uint32_t *waiting; /* edges whose collapse a rule forbade */
	uint32_t n_waiting;
};

/* ---- preparing the collapser ---- */

static bool allocate(struct cs_collapser *collapser, struct cs_scratch *scratch)
{
	const struct cs_patch *patch = collapser->patch;
	size_t places = patch->n_places, wedges = patch->n_wedges,
	       corners = 3 * (size_t)patch->n_triangles;
	collapser->at = CS_SCRATCH_ARRAY(scratch, cs_four, places);
	collapser->quadrics = CS_SCRATCH_ARRAY(scratch, struct cs_quadric, places);
	collapser->areas = CS_SCRATCH_ARRAY(scratch, float, wedges);
	collapser->planes =
		patch->wants_error ? CS_SCRATCH_ARRAY(scratch, struct cs_planes, places) : NULL;
	collapser->linear =
		CS_SCRATCH_ARRAY(scratch, struct cs_linear, wedges * collapser->n_blocks);
	collapser->attributes = CS_SCRATCH_ARRAY(scratch, float, wedges * patch->n_attributes);
	collapser->corners = CS_SCRATCH_ARRAY(scratch, uint32_t, corners);
	collapser->places = CS_SCRATCH_ARRAY(scratch, uint32_t, wedges);
	collapser->next = CS_SCRATCH_ARRAY(scratch, uint32_t, corners);
	collapser->first = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	collapser->became = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	collapser->mark = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	collapser->touched = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	collapser->valence = CS_SCRATCH_ARRAY(scratch, uint32_t, places);
	collapser->flags = CS_SCRATCH_ARRAY(scratch, uint8_t, places);
	collapser->fixed = CS_SCRATCH_ARRAY(scratch, bool, wedges);
	collapser->changed = CS_SCRATCH_ARRAY(scratch, bool, wedges);
	collapser->dead = CS_SCRATCH_ARRAY(scratch, bool, patch->n_triangles);
	collapser->ring_corners = CS_SCRATCH_ARRAY(scratch, struct cs_ring_corner, corners + 1);
	return !scratch->failed;
}

/*
 * Sets origin and scale. The scale is a power of two near the size of the patch, so that fourth
 * powers of scaled lengths are in the range of a float.
 */
static void set_scale(struct cs_collapser *collapser)
{
	const struct cs_patch *patch = collapser->patch;
	double farthest = 0;
	int exponent;
	for (int k = 0; k < 3; k++)
		collapser->origin[k] = (double)patch->positions[k];
	for (uint32_t i = 0; i < patch->n_places; i++)
		for (size_t k = 0; k < 3; k++) {
			double away = fabs(
				(double)patch->positions[3 * (size_t)i + k] - collapser->origin[k]);
			farthest = away > farthest ? away : farthest;
		}
	frexp(farthest, &exponent);
	collapser->scale = ldexp(1, exponent);
	for (uint32_t i = 0; i < patch->n_attributes; i++)
		if (patch->weights[i] > 0) {
			collapser->weights[i / 4][i % 4] =
				(float)((double)patch->weights[i] / collapser->scale);
			collapser->n_blocks = i / 4 + 1;
		}
}

static void set_places(struct cs_collapser *collapser)
{
	const struct cs_patch *patch = collapser->patch;
	double inverse = 1 / collapser->scale;
	for (uint32_t i = 0; i < patch->n_places; i++) {
		const float *at = (patch->exact ? patch->exact : patch->positions) + 3 * (size_t)i;
		collapser->at[i] =
			(cs_four){(float)(((double)at[0] - collapser->origin[0]) * inverse),
				(float)(((double)at[1] - collapser->origin[1]) * inverse),
				(float)(((double)at[2] - collapser->origin[2]) * inverse), 0};
		collapser->first[i] = CS_NONE;
		collapser->became[i] = i;
		collapser->mark[i] = 0;
		collapser->touched[i] = 0;
		collapser->valence[i] = 0;
		collapser->flags[i] = patch->locked[i] ? CS_PLACE_LOCKED : 0;
	}
	memset(collapser->quadrics, 0, patch->n_places * sizeof(*collapser->quadrics));
	if (collapser->planes)
		memset(collapser->planes, 0, patch->n_places * sizeof(*collapser->planes));
}

static void set_wedges(struct cs_collapser *collapser)
{
	const struct cs_patch *patch = collapser->patch;
	memset(collapser->areas, 0, patch->n_wedges * sizeof(*collapser->areas));
	for (uint32_t w = 0; w < patch->n_wedges; w++)
		for (uint32_t i = 0; i < collapser->n_blocks; i++)
			cs_linear_of(collapser, w)[i] =
				(struct cs_linear){.at = cs_weighted_attributes(collapser, w, i)};
	memcpy(collapser->attributes, patch->attributes,
		(size_t)patch->n_wedges * patch->n_attributes * sizeof(*collapser->attributes));
	memcpy(collapser->places, patch->places, patch->n_wedges * sizeof(*collapser->places));
	memset(collapser->changed, 0, patch->n_wedges * sizeof(*collapser->changed));
}

static void set_corners(struct cs_collapser *collapser)
{
	const struct cs_patch *patch = collapser->patch;
	memcpy(collapser->corners, patch->corners,
		3 * (size_t)patch->n_triangles * sizeof(*collapser->corners));
	memset(collapser->dead, 0, patch->n_triangles * sizeof(*collapser->dead));
	collapser->n_alive = patch->n_triangles;
	for (uint32_t corner = 0; corner < 3 * patch->n_triangles; corner++) {
		uint32_t place = cs_place_of(collapser, corner), first = collapser->first[place];
		if (++collapser->valence[place] == CS_HUB)
			collapser->flags[place] |= CS_PLACE_LOCKED | CS_PLACE_HUB;
		if (first == CS_NONE) {
			collapser->first[place] = collapser->next[corner] = corner;
			continue;
		}
		collapser->next[corner] = collapser->next[first];
		collapser->next[first] = corner;
		if (collapser->corners[first] != collapser->corners[corner])
			collapser->flags[place] |= CS_PLACE_MANY;
	}
	for (uint32_t i = 0; i < patch->n_wedges; i++)
		collapser->fixed[i] = collapser->flags[patch->places[i]] & CS_PLACE_LOCKED;
}

/*
 * ---- quadrics ----
 *
 * Quadrics are relative to a corner of the triangle. There the distance from the triangle's plane
 * and the differences of its attributes are 0, so a triangle adds only products of gradients.
 */

/* Values of a triangle from which quadrics are computed. */
struct face {
	cs_four normal; /* unit normal */
	float area;
	/*
	 * the gradient of a value over the triangle is the sum of these two vectors times the
	 * value's differences from corner 0 to corners 1 and 2
	 */
	cs_four to_gradient[2];
};

/* Computes normal, area and gradient vectors. Returns false for a triangle without area. */
static bool measure(const struct cs_collapser *collapser, uint32_t triangle, struct face *face)
{
	cs_four from = collapser->at[cs_place_of(collapser, 3 * triangle)];
	cs_four u = collapser->at[cs_place_of(collapser, 3 * triangle + 1)] - from;
	cs_four v = collapser->at[cs_place_of(collapser, 3 * triangle + 2)] - from;
	cs_four n = cs_cross_four(u, v), lengths2 = cs_sums(n * n, u * u, v * v, v * v);
	float length2 = lengths2[0], length = sqrtf(length2);
	if (!(length2 >= FLT_MIN && length2 > FLAT2 * lengths2[1] * lengths2[2]))
		return false;
	float inverse2 = 1 / length2;
	face->normal = n * (1 / length);
	face->to_gradient[0] = cs_cross_four(v, n) * inverse2;
	face->to_gradient[1] = cs_cross_four(n, u) * inverse2;
	face->area = 0.5F * length;
	return true;
}

/* Adds the gradients of a triangle's attributes to its wedges, and their products to quadric q. */
static void add_gradients(struct cs_collapser *collapser, const uint32_t *wedges,
	const struct face *face, struct cs_quadric *q)
{
	for (uint32_t i = 0; i < collapser->n_blocks; i++) {
		struct cs_linear *to[3];
		for (int k = 0; k < 3; k++)
			to[k] = cs_linear_of(collapser, wedges[k]) + i;
		cs_four s = to[1]->at - to[0]->at, t = to[2]->at - to[0]->at;
		const cs_four *by = face->to_gradient;
		struct cs_linear f = {s * by[0][0] + t * by[1][0], s * by[0][1] + t * by[1][1],
			s * by[0][2] + t * by[1][2], {0, 0, 0, 0}};
		cs_quadric_add_gradients(q, &f, face->area);
		f.x *= face->area;
		f.y *= face->area;
		f.z *= face->area;
		for (int k = 0; k < 3; k++) {
			to[k]->x += f.x;
			to[k]->y += f.y;
			to[k]->z += f.z;
		}
	}
}

static void add_triangle(struct cs_collapser *collapser, uint32_t triangle)
{
	const uint32_t *wedges = collapser->corners + 3 * (size_t)triangle;
	struct face face;
	struct cs_quadric q = {0};
	if (!measure(collapser, triangle, &face))
		return;
	cs_quadric_add_plane(&q, face.normal, face.area);
	for (uint32_t k = 0; collapser->planes && k < 3; k++) {
		struct cs_planes *planes = &collapser->planes[collapser->places[wedges[k]]];
		cs_quadric_add(&planes->sum, &q);
		planes->area += face.area;
	}
	if (collapser->n_blocks)
		add_gradients(collapser, wedges, &face, &q);
	for (uint32_t k = 0; k < 3; k++) {
		struct cs_quadric *to = &collapser->quadrics[collapser->places[wedges[k]]];
		to->squares += q.squares;
		to->mixed += q.mixed;
		collapser->areas[wedges[k]] += face.area;
	}
}

/*
 * Divides the area-weighted sums of a wedge's linear functions by its area, which makes them means.
 * Subtracts the squared gradients of the means from the quadric, and adds the shape weight (see
 * SHAPE_WEIGHT) to it.
 */
static void take_means(struct cs_collapser *collapser, uint32_t wedge)
{
	struct cs_linear *linear = cs_linear_of(collapser, wedge);
	struct cs_quadric *q = &collapser->quadrics[collapser->places[wedge]];
	float area = collapser->areas[wedge], inverse = area > 0 ? 1 / area : 0;
	const float pull = (collapser->n_blocks ? SHAPE_WEIGHT : POSITION_SHAPE_WEIGHT) * area;
	for (uint32_t i = 0; i < collapser->n_blocks; i++) {
		struct cs_linear mean = {linear[i].x * inverse, linear[i].y * inverse,
			linear[i].z * inverse, linear[i].at};
		cs_quadric_add_gradients(q, &mean, -area);
		linear[i] = mean;
	}
	q->squares += (cs_four){pull, pull, pull, 0};
}

/* Adds the plane of a border or seam edge, normal to its triangle, to the quadrics of both ends. */
static void add_edge_plane(struct cs_collapser *collapser, uint32_t corner)
{
	struct face face;
	if (!measure(collapser, corner / 3, &face))
		return;
	uint32_t a = cs_place_of(collapser, corner),
		 b = cs_place_of(collapser, cs_next_edge(corner));
	cs_four along = collapser->at[b] - collapser->at[a],
		across = cs_cross_four(along, face.normal);
	/* `across` has the edge's length, so the plane's weight grows with that length squared. */
	cs_quadric_add_plane(&collapser->quadrics[a], across, EDGE_WEIGHT);
	cs_quadric_add_plane(&collapser->quadrics[b], across, EDGE_WEIGHT);
}

/* ---- collecting the edges ---- */

static bool is_seam(
	const struct cs_collapser *collapser, uint32_t edge, uint32_t next, uint32_t opposite)
{
	return collapser->corners[edge] != collapser->corners[cs_next_edge(opposite)] ||
	       collapser->corners[next] != collapser->corners[opposite] ||
	       collapser->patch->materials[edge / 3] != collapser->patch->materials[opposite / 3];
}

/* Lists each edge with an unlocked end once, and adds planes of borders and seams to quadrics. */
static void add_edges(struct cs_collapser *collapser, struct queue *queue)
{
	for (uint32_t edge = 0; edge < 3 * collapser->patch->n_triangles; edge++) {
		uint32_t next = cs_next_edge(edge), a = cs_place_of(collapser, edge),
			 b = cs_place_of(collapser, next);
		uint32_t opposite = collapser->patch->opposite[edge];
		if (opposite == CS_NONE) {
			collapser->flags[a] |= CS_PLACE_BORDER;
			collapser->flags[b] |= CS_PLACE_BORDER;
			add_edge_plane(collapser, edge);
		} else if (is_seam(collapser, edge, next, opposite)) {
			add_edge_plane(collapser, edge);
		}
		/* No branch is used: the processor cannot predict which half-edge is first. */
		bool both_locked = collapser->flags[a] & collapser->flags[b] & CS_PLACE_LOCKED;
		queue->edges[queue->n_edges] = (struct edge){a, b, 0, 0, 0};
		queue->n_edges += !both_locked & (edge < opposite);
	}
}

/* ---- the queue of edges ---- */

static uint32_t became(struct cs_collapser *collapser, uint32_t place)
{
	while (collapser->became[place] != place) {
		collapser->became[place] = collapser->became[collapser->became[place]];
		place = collapser->became[place];
	}
	return place;
}

static float edge_cost(struct cs_collapser *collapser, const struct edge *edge)
{
	struct cs_collapse plan;
	if (collapser->first[edge->a] == CS_NONE || collapser->first[edge->b] == CS_NONE)
		return INFINITY;
	if (!((collapser->flags[edge->a] | collapser->flags[edge->b]) & CS_PLACE_MANY))
		return cs_collapse_cost(collapser, edge->a, edge->b);
	return cs_collapse_plan(collapser, edge->a, edge->b, &plan) ? plan.cost : INFINITY;
}

/* Returns the sum of the quadric errors of both ends where they are now, before a collapse. */
static float apart_cost(const struct cs_collapser *collapser, const struct edge *edge)
{
	return collapser->quadrics[edge->a].linear[3] + collapser->quadrics[edge->b].linear[3];
}

/*
 * Computes the costs of all edges. Edges whose ends are both unlocked and have one wedge each are
 * computed four at a time.
 */
static void price_edges(struct cs_collapser *collapser, struct queue *queue)
{
	uint32_t ends[4][2], waiting[4], n = 0;
	float costs[4];
	for (uint32_t i = 0; i < queue->n_edges; i++) {
		struct edge *edge = &queue->edges[i];
		if ((collapser->flags[edge->a] | collapser->flags[edge->b]) &
			(CS_PLACE_LOCKED | CS_PLACE_MANY)) {
			edge->cost = edge_cost(collapser, edge);
			continue;
		}
		waiting[n] = i;
		ends[n][0] = edge->a;
		ends[n++][1] = edge->b;
		if (n < 4)
			continue;
		cs_first_prices(collapser, ends, costs);
		for (n = 4; n > 0; n--)
			queue->edges[waiting[n - 1]].cost = costs[n - 1];
	}
	for (uint32_t i = 0; i < n; i++)
		queue->edges[waiting[i]].cost = edge_cost(collapser, &queue->edges[waiting[i]]);
}

static bool fill_queue(
	struct cs_collapser *collapser, struct queue *queue, struct cs_scratch *scratch)
{
	size_t most = 3 * (size_t)collapser->patch->n_triangles;
	queue->edges = CS_SCRATCH_ARRAY(scratch, struct edge, most);
	queue->buckets.next = CS_SCRATCH_ARRAY(scratch, uint32_t, most);
	queue->waiting = CS_SCRATCH_ARRAY(scratch, uint32_t, most);
	if (scratch->failed)
		return false;
	add_edges(collapser, queue);
	price_edges(collapser, queue);
	for (uint32_t i = 0; i < queue->n_edges; i++)
		cs_buckets_put(&queue->buckets, queue->edges[i].cost, i);
	return true;
}

/* ---- collapsing the cheapest edges ---- */

/* Returns whether the stored cost is current: neither end changed since it was computed. */
static bool is_priced(const struct cs_collapser *collapser, const struct edge *edge)
{
	return edge->priced != STALE && edge->priced >= collapser->touched[edge->a] &&
	       edge->priced >= collapser->touched[edge->b];
}

/*
 * Returns whether an edge taken from a bucket is still among the cheapest; otherwise puts it into a
 * later bucket. The increase of the quadric errors at the edge's ends is nearly always a lower
 * bound of the increase of the edge's cost, so most expensive edges move to a later bucket without
 * computing the cost again. Where the bound is wrong, the edge only collapses later.
 */
static bool stays(struct cs_collapser *collapser, struct queue *queue, uint32_t i, uint32_t bucket)
{
	struct edge *edge = &queue->edges[i];
	float apart = apart_cost(collapser, edge);
	float least = edge->cost + (apart - edge->apart);
	if (edge->priced == STALE || cs_bucket_of(least > 0 ? least : 0) <= bucket) {
		least = edge_cost(collapser, edge);
		edge->priced = collapser->n_collapses;
	}
	edge->cost = least;
	edge->apart = apart;
	if (cs_bucket_of(least) <= bucket)
		return true;
	cs_buckets_put(&queue->buckets, least, i);
	return false;
}

/*
 * Returns whether the edge belongs to a triangle without neighbours, which collapses only as a last
 * resort.
 */
static bool is_lone(const struct cs_collapser *collapser, const struct edge *edge)
{
	return collapser->valence[edge->a] == 1 && collapser->valence[edge->b] == 1;
}

/* Processes an edge that was taken from the queue. Returns whether it collapsed. */
static bool step(struct cs_collapser *collapser, struct queue *queue, uint32_t i, uint32_t bucket,
	enum cs_rigour rigour)
{
	struct cs_collapse plan;
	struct edge *edge = &queue->edges[i];
	edge->a = became(collapser, edge->a);
	edge->b = became(collapser, edge->b);
	if (edge->a == edge->b ||
		(!is_priced(collapser, edge) && !stays(collapser, queue, i, bucket)))
		return false;
	if (is_lone(collapser, edge) && rigour < CS_LOOSE_NORMALS) {
		queue->waiting[queue->n_waiting++] = i;
		return false;
	}
	if (!cs_collapse_plan(collapser, edge->a, edge->b, &plan))
		return false;
	cs_settle(collapser, &plan);
	if (!cs_collapse_allowed(collapser, &plan, rigour)) {
		edge->priced = STALE;
		queue->waiting[queue->n_waiting++] = i;
		return false;
	}
	cs_collapse_apply(collapser, &plan);
	return true;
}

/*
 * Collapses edges until the target is reached. Edges whose collapse is not allowed are tried again
 * when the queue is empty, as long as others collapsed.
 */
static void collapse(
	struct cs_collapser *collapser, struct queue *queue, uint32_t target, enum cs_rigour rigour)
{
	uint32_t n_done = 1, i, bucket;
	while (collapser->n_alive > target && n_done > 0) {
		n_done = 0;
		while (collapser->n_alive > target &&
			(i = cs_buckets_take(&queue->buckets, &bucket)) != CS_NONE)
			n_done += step(collapser, queue, i, bucket, rigour);
		for (i = 0; i < queue->n_waiting; i++)
			cs_buckets_put(&queue->buckets, 0, queue->waiting[i]);
		queue->n_waiting = 0;
		if (rigour > CS_STRICT)
			collapser->n_forced += n_done;
	}
}

/* ---- the simplified patch ---- */

static void unit(float normal[3])
{
	double x = normal[0], y = normal[1], z = normal[2], length = sqrt(x * x + y * y + z * z);
	if (length > 1e-12) {
		normal[0] = (float)(x / length);
		normal[1] = (float)(y / length);
		normal[2] = (float)(z / length);
	} else {
		normal[0] = normal[1] = 0;
		normal[2] = 1;
	}
}

/* Sets the weighted attributes of changed wedges to the best values at their positions. */
static void set_attributes(struct cs_collapser *collapser)
{
	const struct cs_patch *patch = collapser->patch;
	for (uint32_t w = 0; w < patch->n_wedges; w++) {
		const struct cs_linear *linear = cs_linear_of(collapser, w);
		float *values = collapser->attributes + (size_t)w * patch->n_attributes;
		if (!collapser->changed[w])
			continue;
		for (uint32_t i = 0; i < 4 * collapser->n_blocks && collapser->areas[w] > 0; i++) {
			float weight = collapser->weights[i / 4][i % 4];
			if (weight > 0)
				values[i] = linear[i / 4].at[i % 4] / weight;
		}
		unit(values);
	}
}

static float unscaled(const struct cs_collapser *collapser, cs_four at, size_t axis)
{
	return (float)((double)at[axis] * collapser->scale + collapser->origin[axis]) + 0.0f;
}

static bool finish(
	struct cs_collapser *collapser, struct cs_scratch *scratch, struct cs_simplified *ret)
{
	const struct cs_patch *patch = collapser->patch;
	uint32_t n = 0;
	struct cs_simplified out = {
		.n_triangles = collapser->n_alive,
		.triangles = CS_SCRATCH_ARRAY(scratch, uint32_t, collapser->n_alive),
		.corners = CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * (size_t)collapser->n_alive),
		.places = collapser->places,
		.positions = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)patch->n_places),
		.exact = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)patch->n_places),
		.attributes = collapser->attributes,
		.became = collapser->became,
		.quadric_error = (float)(sqrt((double)collapser->error2) * collapser->scale),
		.n_forced = collapser->n_forced,
		.n_duplicates = collapser->n_duplicates,
		.n_dropped = collapser->n_dropped,
	};
	if (scratch->failed)
		return false;
	for (uint32_t i = 0; i < patch->n_triangles; i++) {
		if (collapser->dead[i])
			continue;
		memcpy(out.corners + 3 * (size_t)n, collapser->corners + 3 * (size_t)i,
			3 * sizeof(uint32_t));
		out.triangles[n++] = i;
	}
	for (uint32_t i = 0; i < patch->n_places; i++) {
		const cs_four on = cs_settled(collapser, i);
		collapser->became[i] = became(collapser, i);
		for (size_t k = 0; k < 3; k++) {
			const size_t at = 3 * (size_t)i + k;
			const bool stays = collapser->flags[i] & CS_PLACE_LOCKED;
			out.positions[at] =
				stays ? patch->positions[at] : unscaled(collapser, on, k);
			out.exact[at] = stays && patch->exact
						? patch->exact[at]
						: unscaled(collapser, collapser->at[i], k);
		}
	}
	set_attributes(collapser);
	*ret = out;
	return true;
}

bool cs_simplify(const struct cs_patch *patch, uint32_t target, struct cs_scratch *scratch,
	struct cs_simplified *ret)
{
	struct cs_collapser collapser = {.patch = patch};
	struct queue queue = {0};
	set_scale(&collapser);
	if (!allocate(&collapser, scratch))
		return false;
	set_places(&collapser);
	set_wedges(&collapser);
	set_corners(&collapser);
	if (!cs_drop_doubles(&collapser, scratch))
		return false;
	for (uint32_t i = 0; i < collapser.patch->n_triangles; i++)
		add_triangle(&collapser, i);
	for (uint32_t wedge = 0; wedge < collapser.patch->n_wedges; wedge++)
		take_means(&collapser, wedge);
	if (!cs_settle_begin(&collapser, scratch) || !fill_queue(&collapser, &queue, scratch))
		return false;
	collapse(&collapser, &queue, target, CS_STRICT);
	if (collapser.n_alive > target && !cs_drop_duplicates(&collapser, scratch))
		return false;
	collapse(&collapser, &queue, target, CS_LOOSE_JOINS);
	if (collapser.n_alive > target && !cs_drop_pieces(&collapser, target, scratch))
		return false;
	collapse(&collapser, &queue, target, CS_LOOSE_NORMALS);
	cs_settle_end(&collapser);
	return finish(&collapser, scratch, ret);
}
