/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns simplifying a patch. Quadrics are computed from its triangles, its borders and its seams;
 * then the cheapest edge collapses, again and again.
 *
 * The queue has edges by cost (mesh/buckets.h). Merging only adds quadrics, so a cost computed
 * earlier is a lower bound of the current cost of an edge: an edge is computed again when it is
 * taken, and goes back when it is no longer among the cheapest. Edges are never removed; one whose
 * ends have become one place is dropped when it is taken. Edges that a rule forbids wait for the
 * next round.
 *
 * Triangles that coincide are removed first, because around them edges may not collapse that
 * should.
 *
 * When the rules allow no more collapses before the target is reached, they are loosened one by
 * one: duplicate triangles are removed, sheets may touch, whole pieces are removed, triangles may
 * turn over. Locked places and the edges between them never change.
 */
#include "mesh/simplify.h"

#include "mesh/buckets.h"
#include "mesh/collapse.h"
#include "mesh/edges.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The weight of an open border and a seam relative to the faces beside them (nanite rules 2.2). */
#define EDGE_WEIGHT           2.0F
/*
 * The weight of a place's own position, which keeps triangles in shape where the surface is flat.
 * A collapse in a flat face costs its length times the root of this weight, as if the surface moved
 * that far. With attributes it is so small that flat faces are collapsed before curved ones. With
 * positions alone it is larger: bigger triangles in flat faces have looser bounds.
 */
#define SHAPE_WEIGHT          3e-5F
#define POSITION_SHAPE_WEIGHT 1e-3F
/*
 * The squared height of a triangle, relative to its size, below which its normal is only rounding.
 */
#define FLAT2                 1e-12F

struct edge {
	uint32_t a, b; /* places, before any collapse */
	/* the number of collapses when its cost was computed; STALE when it has to be computed */
	uint32_t priced;
	float cost;  /* at that time */
	float apart; /* the part of the cost that both ends already had */
};

#define STALE CS_NONE

struct queue {
	struct edge *edges;
	uint32_t n_edges;
	struct cs_buckets buckets;
	uint32_t *waiting; /* edges that a rule forbade */
	uint32_t n_waiting;
};

/* ---- setting up ---- */

static bool allocate(struct cs_collapser *c, struct cs_scratch *s)
{
	const struct cs_patch *p = c->patch;
	size_t places = p->n_places, wedges = p->n_wedges, corners = 3 * (size_t)p->n_triangles;
	c->at = CS_SCRATCH_ARRAY(s, cs_four, places);
	c->quadrics = CS_SCRATCH_ARRAY(s, struct cs_quadric, places);
	c->areas = CS_SCRATCH_ARRAY(s, float, wedges);
	c->planes = p->wants_error ? CS_SCRATCH_ARRAY(s, struct cs_planes, places) : NULL;
	if (p->wants_error && !c->planes)
		return false;
	c->linear = CS_SCRATCH_ARRAY(s, struct cs_linear, wedges * c->n_blocks);
	c->attributes = CS_SCRATCH_ARRAY(s, float, wedges * p->n_attributes);
	c->corners = CS_SCRATCH_ARRAY(s, uint32_t, corners);
	c->places = CS_SCRATCH_ARRAY(s, uint32_t, wedges);
	c->next = CS_SCRATCH_ARRAY(s, uint32_t, corners);
	c->first = CS_SCRATCH_ARRAY(s, uint32_t, places);
	c->became = CS_SCRATCH_ARRAY(s, uint32_t, places);
	c->mark = CS_SCRATCH_ARRAY(s, uint32_t, places);
	c->touched = CS_SCRATCH_ARRAY(s, uint32_t, places);
	c->valence = CS_SCRATCH_ARRAY(s, uint32_t, places);
	c->flags = CS_SCRATCH_ARRAY(s, uint8_t, places);
	c->fixed = CS_SCRATCH_ARRAY(s, bool, wedges);
	c->changed = CS_SCRATCH_ARRAY(s, bool, wedges);
	c->dead = CS_SCRATCH_ARRAY(s, bool, p->n_triangles);
	c->ring_corners = CS_SCRATCH_ARRAY(s, struct cs_ring_corner, corners + 1);
	return c->at && c->quadrics && c->areas && c->linear && c->attributes && c->corners &&
	       c->places && c->next && c->first && c->became && c->mark && c->touched &&
	       c->valence && c->flags && c->fixed && c->changed && c->dead && c->ring_corners;
}

/*
 * Measures the patch in units of about its size, a power of two, so that the fourth powers of
 * lengths stay within the range of floats.
 */
static void set_scale(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	double farthest = 0;
	int exponent;
	for (int k = 0; k < 3; k++)
		c->origin[k] = (double)p->positions[k];
	for (uint32_t i = 0; i < p->n_places; i++)
		for (size_t k = 0; k < 3; k++) {
			double away = fabs((double)p->positions[3 * (size_t)i + k] - c->origin[k]);
			farthest = away > farthest ? away : farthest;
		}
	frexp(farthest, &exponent);
	c->scale = ldexp(1, exponent);
	for (uint32_t i = 0; i < p->n_attributes; i++)
		if (p->weights[i] > 0) {
			c->weights[i / 4][i % 4] = (float)((double)p->weights[i] / c->scale);
			c->n_blocks = i / 4 + 1;
		}
}

static void set_places(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	double inverse = 1 / c->scale;
	for (uint32_t i = 0; i < p->n_places; i++) {
		const float *at = (p->exact ? p->exact : p->positions) + 3 * (size_t)i;
		c->at[i] = (cs_four){(float)(((double)at[0] - c->origin[0]) * inverse),
			(float)(((double)at[1] - c->origin[1]) * inverse),
			(float)(((double)at[2] - c->origin[2]) * inverse), 0};
		c->first[i] = CS_NONE;
		c->became[i] = i;
		c->mark[i] = 0;
		c->touched[i] = 0;
		c->valence[i] = 0;
		c->flags[i] = p->locked[i] ? CS_PLACE_LOCKED : 0;
	}
	memset(c->quadrics, 0, p->n_places * sizeof(*c->quadrics));
	if (c->planes)
		memset(c->planes, 0, p->n_places * sizeof(*c->planes));
}

static void set_wedges(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	memset(c->areas, 0, p->n_wedges * sizeof(*c->areas));
	for (uint32_t w = 0; w < p->n_wedges; w++)
		for (uint32_t i = 0; i < c->n_blocks; i++)
			cs_linear_of(c, w)[i] =
				(struct cs_linear){.at = cs_weighted_attributes(c, w, i)};
	memcpy(c->attributes, p->attributes,
		(size_t)p->n_wedges * p->n_attributes * sizeof(*c->attributes));
	memcpy(c->places, p->places, p->n_wedges * sizeof(*c->places));
	memset(c->changed, 0, p->n_wedges * sizeof(*c->changed));
}

static void set_corners(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	memcpy(c->corners, p->corners, 3 * (size_t)p->n_triangles * sizeof(*c->corners));
	memset(c->dead, 0, p->n_triangles * sizeof(*c->dead));
	c->n_alive = p->n_triangles;
	for (uint32_t corner = 0; corner < 3 * p->n_triangles; corner++) {
		uint32_t place = cs_place_of(c, corner), first = c->first[place];
		if (++c->valence[place] == CS_HUB)
			c->flags[place] |= CS_PLACE_LOCKED | CS_PLACE_HUB;
		if (first == CS_NONE) {
			c->first[place] = c->next[corner] = corner;
			continue;
		}
		c->next[corner] = c->next[first];
		c->next[first] = corner;
		if (c->corners[first] != c->corners[corner])
			c->flags[place] |= CS_PLACE_MANY;
	}
	for (uint32_t i = 0; i < p->n_wedges; i++)
		c->fixed[i] = c->flags[p->places[i]] & CS_PLACE_LOCKED;
}

/*
 * ---- quadrics ----
 *
 * From one of its own corners a triangle's plane has no distance, and its attributes differ by
 * nothing from those of the corner: all that it adds to a place are products of gradients.
 */

/* A triangle with the values that quadrics need. */
struct face {
	cs_four normal; /* of length 1 */
	float area;
	cs_four to_gradient[2]; /* the gradient of a value is its two differences times these */
};

/* Returns false for a triangle without area. */
static bool measure(const struct cs_collapser *c, uint32_t triangle, struct face *face)
{
	cs_four from = c->at[cs_place_of(c, 3 * triangle)];
	cs_four u = c->at[cs_place_of(c, 3 * triangle + 1)] - from;
	cs_four v = c->at[cs_place_of(c, 3 * triangle + 2)] - from;
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

/* Adds the gradients of the attributes of a triangle to its wedges, and their squares to q. */
static void add_gradients(struct cs_collapser *c, const uint32_t *wedges, const struct face *face,
	struct cs_quadric *q)
{
	for (uint32_t i = 0; i < c->n_blocks; i++) {
		struct cs_linear *to[3];
		for (int k = 0; k < 3; k++)
			to[k] = cs_linear_of(c, wedges[k]) + i;
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

static void add_triangle(struct cs_collapser *c, uint32_t triangle)
{
	const uint32_t *wedges = c->corners + 3 * (size_t)triangle;
	struct face face;
	struct cs_quadric q = {0};
	if (!measure(c, triangle, &face))
		return;
	cs_quadric_add_plane(&q, face.normal, face.area);
	for (uint32_t k = 0; c->planes && k < 3; k++) {
		struct cs_planes *planes = &c->planes[c->places[wedges[k]]];
		cs_quadric_add(&planes->sum, &q);
		planes->area += face.area;
	}
	if (c->n_blocks)
		add_gradients(c, wedges, &face, &q);
	for (uint32_t k = 0; k < 3; k++) {
		struct cs_quadric *to = &c->quadrics[c->places[wedges[k]]];
		to->squares += q.squares;
		to->mixed += q.mixed;
		c->areas[wedges[k]] += face.area;
	}
}

/* Turns sums over the area of a wedge into means, which subtracts a part from the squares. */
static void take_means(struct cs_collapser *c, uint32_t wedge)
{
	struct cs_linear *linear = cs_linear_of(c, wedge);
	struct cs_quadric *q = &c->quadrics[c->places[wedge]];
	float area = c->areas[wedge], inverse = area > 0 ? 1 / area : 0;
	const float pull = (c->n_blocks ? SHAPE_WEIGHT : POSITION_SHAPE_WEIGHT) * area;
	for (uint32_t i = 0; i < c->n_blocks; i++) {
		struct cs_linear mean = {linear[i].x * inverse, linear[i].y * inverse,
			linear[i].z * inverse, linear[i].at};
		cs_quadric_add_gradients(q, &mean, -area);
		linear[i] = mean;
	}
	q->squares += (cs_four){pull, pull, pull, 0};
}

static void add_triangles(struct cs_collapser *c)
{
	for (uint32_t i = 0; i < c->patch->n_triangles; i++)
		add_triangle(c, i);
	for (uint32_t wedge = 0; wedge < c->patch->n_wedges; wedge++)
		take_means(c, wedge);
}

/*
 * Adds the plane of a border or a seam, which contains the edge and is perpendicular to its
 * triangle.
 */
static void add_edge_plane(struct cs_collapser *c, uint32_t corner)
{
	struct face face;
	if (!measure(c, corner / 3, &face))
		return;
	uint32_t a = cs_place_of(c, corner), b = cs_place_of(c, cs_next_edge(corner));
	cs_four along = c->at[b] - c->at[a], across = cs_cross_four(along, face.normal);
	/* The vector is as long as the edge, whose square is the weight of the plane. */
	cs_quadric_add_plane(&c->quadrics[a], across, EDGE_WEIGHT);
	cs_quadric_add_plane(&c->quadrics[b], across, EDGE_WEIGHT);
}

/* ---- edges ---- */

static bool is_seam(const struct cs_collapser *c, uint32_t edge, uint32_t next, uint32_t opposite)
{
	return c->corners[edge] != c->corners[cs_next_edge(opposite)] ||
	       c->corners[next] != c->corners[opposite] ||
	       c->patch->materials[edge / 3] != c->patch->materials[opposite / 3];
}

/* Finds the edges of the patch, each once, and gives borders and seams their planes. */
static void add_edges(struct cs_collapser *c, struct queue *queue)
{
	for (uint32_t edge = 0; edge < 3 * c->patch->n_triangles; edge++) {
		uint32_t next = cs_next_edge(edge), a = cs_place_of(c, edge),
			 b = cs_place_of(c, next);
		uint32_t opposite = c->patch->opposite[edge];
		if (opposite == CS_NONE) {
			c->flags[a] |= CS_PLACE_BORDER;
			c->flags[b] |= CS_PLACE_BORDER;
			add_edge_plane(c, edge);
		} else if (is_seam(c, edge, next, opposite)) {
			add_edge_plane(c, edge);
		}
		/* There is no branch, because which half-edge comes first cannot be predicted. */
		bool both_locked = c->flags[a] & c->flags[b] & CS_PLACE_LOCKED;
		queue->edges[queue->n_edges] = (struct edge){a, b, 0, 0, 0};
		queue->n_edges += !both_locked & (edge < opposite);
	}
}

/* ---- the queue ---- */

static uint32_t became(struct cs_collapser *c, uint32_t place)
{
	while (c->became[place] != place) {
		c->became[place] = c->became[c->became[place]];
		place = c->became[place];
	}
	return place;
}

static float edge_cost(struct cs_collapser *c, const struct edge *edge)
{
	struct cs_collapse plan;
	if (c->first[edge->a] == CS_NONE || c->first[edge->b] == CS_NONE)
		return INFINITY;
	if (!((c->flags[edge->a] | c->flags[edge->b]) & CS_PLACE_MANY))
		return cs_collapse_cost(c, edge->a, edge->b);
	return cs_collapse_plan(c, edge->a, edge->b, &plan) ? plan.cost : INFINITY;
}

/* Returns the quadric error that both endpoints already have. */
static float apart_cost(const struct cs_collapser *c, const struct edge *edge)
{
	return c->quadrics[edge->a].linear[3] + c->quadrics[edge->b].linear[3];
}

/* Ordinary edges are priced four at once. */
static void price_edges(struct cs_collapser *c, struct queue *q)
{
	uint32_t ends[4][2], waiting[4], n = 0;
	float costs[4];
	for (uint32_t i = 0; i < q->n_edges; i++) {
		struct edge *edge = &q->edges[i];
		if ((c->flags[edge->a] | c->flags[edge->b]) & (CS_PLACE_LOCKED | CS_PLACE_MANY)) {
			edge->cost = edge_cost(c, edge);
			continue;
		}
		waiting[n] = i;
		ends[n][0] = edge->a;
		ends[n++][1] = edge->b;
		if (n < 4)
			continue;
		cs_first_prices(c, ends, costs);
		for (n = 4; n > 0; n--)
			q->edges[waiting[n - 1]].cost = costs[n - 1];
	}
	for (uint32_t i = 0; i < n; i++)
		q->edges[waiting[i]].cost = edge_cost(c, &q->edges[waiting[i]]);
}

static bool fill_queue(struct cs_collapser *c, struct queue *q, struct cs_scratch *scratch)
{
	size_t most = 3 * (size_t)c->patch->n_triangles;
	q->edges = CS_SCRATCH_ARRAY(scratch, struct edge, most);
	q->buckets.next = CS_SCRATCH_ARRAY(scratch, uint32_t, most);
	q->waiting = CS_SCRATCH_ARRAY(scratch, uint32_t, most);
	if (!q->edges || !q->buckets.next || !q->waiting)
		return false;
	add_edges(c, q);
	price_edges(c, q);
	for (uint32_t i = 0; i < q->n_edges; i++)
		cs_buckets_put(&q->buckets, q->edges[i].cost, i);
	return true;
}

/* ---- collapsing ---- */

/* Returns whether nothing changed at the ends of the edge since its cost was computed. */
static bool is_priced(const struct cs_collapser *c, const struct edge *edge)
{
	return edge->priced != STALE && edge->priced >= c->touched[edge->a] &&
	       edge->priced >= c->touched[edge->b];
}

/*
 * Returns whether an edge that was taken with an old cost may stay in its bucket, and else puts it
 * back where it belongs. The cost that its ends have gained since then is nearly always a lower
 * bound of the increase of the edge's cost. So most edges that will never be cheap enough need no
 * new price.
 */
static bool stays(struct cs_collapser *c, struct queue *q, uint32_t i, uint32_t bucket)
{
	struct edge *edge = &q->edges[i];
	float apart = apart_cost(c, edge);
	float least = edge->cost + (apart - edge->apart);
	if (edge->priced == STALE || cs_bucket_of(least > 0 ? least : 0) <= bucket) {
		least = edge_cost(c, edge);
		edge->priced = c->n_collapses;
	}
	edge->cost = least;
	edge->apart = apart;
	if (cs_bucket_of(least) <= bucket)
		return true;
	cs_buckets_put(&q->buckets, least, i);
	return false;
}

/*
 * Returns whether the edge belongs to a triangle without neighbours, which no collapse may remove,
 * so that it need not be planned.
 */
static bool is_lone(const struct cs_collapser *c, const struct edge *edge)
{
	return c->valence[edge->a] == 1 && c->valence[edge->b] == 1;
}

/* Handles an edge that was taken from the queue. Returns whether it collapsed. */
static bool step(
	struct cs_collapser *c, struct queue *q, uint32_t i, uint32_t bucket, enum cs_rigour rigour)
{
	struct cs_collapse plan;
	struct edge *edge = &q->edges[i];
	edge->a = became(c, edge->a);
	edge->b = became(c, edge->b);
	if (edge->a == edge->b || (!is_priced(c, edge) && !stays(c, q, i, bucket)))
		return false;
	if (is_lone(c, edge) && rigour < CS_LOOSE_NORMALS) {
		q->waiting[q->n_waiting++] = i;
		return false;
	}
	if (!cs_collapse_plan(c, edge->a, edge->b, &plan))
		return false;
	cs_settle(c, &plan);
	if (!cs_collapse_allowed(c, &plan, rigour)) {
		edge->priced = STALE;
		q->waiting[q->n_waiting++] = i;
		return false;
	}
	cs_collapse_apply(c, &plan);
	return true;
}

/* Tries forbidden edges again as long as something changes. */
static void collapse(
	struct cs_collapser *c, struct queue *q, uint32_t target, enum cs_rigour rigour)
{
	uint32_t n_done = 1, i, bucket;
	while (c->n_alive > target && n_done > 0) {
		n_done = 0;
		while (c->n_alive > target &&
			(i = cs_buckets_take(&q->buckets, &bucket)) != CS_NONE)
			n_done += step(c, q, i, bucket, rigour);
		for (i = 0; i < q->n_waiting; i++)
			cs_buckets_put(&q->buckets, 0, q->waiting[i]);
		q->n_waiting = 0;
		if (rigour > CS_STRICT)
			c->n_forced += n_done;
	}
}

/* ---- the result ---- */

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

/* Sets the weighted attributes of the wedges that changed to their best values. */
static void set_attributes(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	for (uint32_t w = 0; w < p->n_wedges; w++) {
		const struct cs_linear *linear = cs_linear_of(c, w);
		float *values = c->attributes + (size_t)w * p->n_attributes;
		if (!c->changed[w])
			continue;
		for (uint32_t i = 0; i < 4 * c->n_blocks && c->areas[w] > 0; i++) {
			float weight = c->weights[i / 4][i % 4];
			if (weight > 0)
				values[i] = linear[i / 4].at[i % 4] / weight;
		}
		unit(values);
	}
}

static float unscaled(const struct cs_collapser *c, cs_four at, size_t axis)
{
	return (float)((double)at[axis] * c->scale + c->origin[axis]) + 0.0f;
}

static bool finish(struct cs_collapser *c, struct cs_scratch *scratch, struct cs_simplified *ret)
{
	const struct cs_patch *p = c->patch;
	uint32_t n = 0;
	struct cs_simplified out = {
		.n_triangles = c->n_alive,
		.triangles = CS_SCRATCH_ARRAY(scratch, uint32_t, c->n_alive),
		.corners = CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * (size_t)c->n_alive),
		.places = c->places,
		.positions = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)p->n_places),
		.exact = CS_SCRATCH_ARRAY(scratch, float, 3 * (size_t)p->n_places),
		.attributes = c->attributes,
		.became = c->became,
		.quadric_error = (float)(sqrt((double)c->error2) * c->scale),
		.n_forced = c->n_forced,
		.n_duplicates = c->n_duplicates,
		.n_dropped = c->n_dropped,
	};
	if (!out.triangles || !out.corners || !out.positions || !out.exact)
		return false;
	for (uint32_t i = 0; i < p->n_triangles; i++) {
		if (c->dead[i])
			continue;
		memcpy(out.corners + 3 * (size_t)n, c->corners + 3 * (size_t)i,
			3 * sizeof(uint32_t));
		out.triangles[n++] = i;
	}
	for (uint32_t i = 0; i < p->n_places; i++) {
		const cs_four on = cs_settled(c, i);
		c->became[i] = became(c, i);
		for (size_t k = 0; k < 3; k++) {
			const size_t at = 3 * (size_t)i + k;
			const bool stays = c->flags[i] & CS_PLACE_LOCKED;
			out.positions[at] = stays ? p->positions[at] : unscaled(c, on, k);
			out.exact[at] = stays && p->exact ? p->exact[at] : unscaled(c, c->at[i], k);
		}
	}
	set_attributes(c);
	*ret = out;
	return true;
}

bool cs_simplify(const struct cs_patch *patch, uint32_t target, struct cs_scratch *scratch,
	struct cs_simplified *ret)
{
	struct cs_collapser c = {.patch = patch};
	struct queue queue = {0};
	set_scale(&c);
	if (!allocate(&c, scratch))
		return false;
	set_places(&c);
	set_wedges(&c);
	set_corners(&c);
	if (!cs_drop_doubles(&c, scratch))
		return false;
	add_triangles(&c);
	if (!cs_settle_begin(&c, scratch) || !fill_queue(&c, &queue, scratch))
		return false;
	collapse(&c, &queue, target, CS_STRICT);
	if (c.n_alive > target && !cs_drop_duplicates(&c, scratch))
		return false;
	collapse(&c, &queue, target, CS_LOOSE_JOINS);
	if (c.n_alive > target && !cs_drop_pieces(&c, target, scratch))
		return false;
	collapse(&c, &queue, target, CS_LOOSE_NORMALS);
	cs_settle_end(&c);
	return finish(&c, scratch, ret);
}
