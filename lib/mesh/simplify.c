/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: simplifying a patch. Quadrics are set up from its triangles, its borders and its seams;
 * then the cheapest edge collapses, again and again.
 *
 * The queue is a heap of (cost, edge). Merging only adds quadrics, so a cost computed earlier is a
 * lower bound of what an edge costs now: an edge is computed again when it comes to the top, and
 * goes back when it is no longer the cheapest. Edges are never removed; one whose ends have become
 * one place is dropped when it comes up. Edges that a rule forbids wait for the next round.
 *
 * When the rules leave nothing to do before the target is met, they are loosened one by one:
 * triangles that are there twice go, sheets may touch, whole pieces go, triangles may turn over.
 * Whatever happens, locked places and the edges between them stay.
 */
#include "mesh/simplify.h"

#include "mesh/collapse.h"
#include "mesh/edges.h"
#include "mesh/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What an open border and a seam weigh against the faces beside them (nanite rules 2.2). */
#define EDGE_WEIGHT  2.0
/* Pull of a place towards itself, which keeps triangles in shape where the surface is flat. */
#define SHAPE_WEIGHT 1e-3

struct edge {
	uint32_t a, b;   /* places, as they were */
	uint32_t priced; /* number of collapses when its cost was computed, STALE = never mind */
};

#define STALE CS_NONE

/* Children of a node of the heap. */
enum { WAYS = 4 };

struct queue {
	struct edge *edges;
	uint64_t *heap; /* cost as float bits, then the edge */
	uint32_t n_heap, n_edges;
	uint32_t *waiting; /* edges that a rule forbade */
	uint32_t n_waiting;
};

/* ---- setting up ---- */

static bool allocate(struct cs_collapser *c, struct cs_scratch *s)
{
	const struct cs_patch *p = c->patch;
	size_t places = p->n_places, wedges = p->n_wedges, corners = 3 * (size_t)p->n_triangles;
	c->at = cs_scratch_alloc(s, places, sizeof(*c->at));
	c->quadrics = CS_SCRATCH_ARRAY(s, struct cs_quadric, places);
	c->areas = CS_SCRATCH_ARRAY(s, double, wedges);
	c->planes = p->wants_error ? CS_SCRATCH_ARRAY(s, struct cs_planes, places) : NULL;
	if (p->wants_error && !c->planes)
		return false;
	c->linear = CS_SCRATCH_ARRAY(s, struct cs_linear, wedges * c->n_weighted);
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

static void set_places(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	for (int k = 0; k < 3; k++)
		c->origin[k] = (double)p->positions[k];
	for (uint32_t i = 0; i < p->n_places; i++) {
		for (size_t k = 0; k < 3; k++)
			c->at[i][k] = (double)p->positions[3 * (size_t)i + k] - c->origin[k];
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
	memset(c->linear, 0, (size_t)p->n_wedges * c->n_weighted * sizeof(*c->linear));
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

/* ---- quadrics ---- */

/* A triangle as the quadrics need it. */
struct face {
	const double *at[3];
	double normal[3]; /* unit */
	double area;
	double to_gradient[2][3]; /* gradient of a value = its two differences times these */
};

/* False for a triangle without area. */
static bool measure(const struct cs_collapser *c, uint32_t triangle, struct face *face)
{
	double u[3], v[3], n[3];
	for (uint32_t k = 0; k < 3; k++)
		face->at[k] = c->at[cs_place_of(c, 3 * triangle + k)];
	cs_subtract(face->at[1], face->at[0], u);
	cs_subtract(face->at[2], face->at[0], v);
	cs_cross(u, v, n);
	double length2 = cs_dot(n, n), length = sqrt(length2);
	if (!(length2 >= DBL_MIN))
		return false;
	double inverse = 1 / length, inverse2 = 1 / length2;
	cs_cross(v, n, face->to_gradient[0]);
	cs_cross(n, u, face->to_gradient[1]);
	for (int k = 0; k < 3; k++) {
		face->normal[k] = n[k] * inverse;
		face->to_gradient[0][k] *= inverse2;
		face->to_gradient[1][k] *= inverse2;
	}
	face->area = 0.5 * length;
	return true;
}

/* Adds the attributes of a triangle: to its places the squares, to its wedges the linear parts. */
static void add_attributes(
	struct cs_collapser *c, uint32_t triangle, const struct face *face, struct cs_quadric *q)
{
	const struct cs_patch *p = c->patch;
	const uint32_t *wedges = c->corners + 3 * (size_t)triangle;
	struct cs_linear *linear[3];
	const float *values[3];
	for (int k = 0; k < 3; k++) {
		linear[k] = c->linear + (size_t)wedges[k] * c->n_weighted;
		values[k] = c->attributes + (size_t)wedges[k] * p->n_attributes;
	}
	for (uint32_t j = 0; j < c->n_weighted; j++) {
		double s[3], g[3];
		for (int k = 0; k < 3; k++)
			s[k] = (double)values[k][c->weighted[j]] *
			       (double)p->weights[c->weighted[j]];
		for (int k = 0; k < 3; k++)
			g[k] = (s[1] - s[0]) * face->to_gradient[0][k] +
			       (s[2] - s[0]) * face->to_gradient[1][k];
		struct cs_linear f =
			cs_linear_make(g[0], g[1], g[2], s[0] - cs_dot(g, face->at[0]));
		cs_quadric_add_square(q, f, face->area);
		f.xy *= face->area;
		f.zw *= face->area;
		for (int k = 0; k < 3; k++) {
			linear[k][j].xy += f.xy;
			linear[k][j].zw += f.zw;
		}
	}
}

static void add_triangle(struct cs_collapser *c, uint32_t triangle)
{
	struct face face;
	struct cs_quadric q = {0};
	if (!measure(c, triangle, &face))
		return;
	const double *n = face.normal;
	cs_quadric_add_square(
		&q, cs_linear_make(n[0], n[1], n[2], -cs_dot(n, face.at[0])), face.area);
	for (uint32_t k = 0; c->planes && k < 3; k++) {
		struct cs_planes *planes = &c->planes[cs_place_of(c, 3 * triangle + k)];
		cs_quadric_add(&planes->sum, &q);
		planes->area += face.area;
	}
	if (c->n_weighted)
		add_attributes(c, triangle, &face, &q);
	for (uint32_t k = 0; k < 3; k++) {
		cs_quadric_add(&c->quadrics[cs_place_of(c, 3 * triangle + k)], &q);
		c->areas[c->corners[3 * (size_t)triangle + k]] += face.area;
	}
}

static void add_triangles(struct cs_collapser *c)
{
	for (uint32_t i = 0; i < c->patch->n_triangles; i++)
		add_triangle(c, i);
	for (uint32_t wedge = 0; wedge < c->patch->n_wedges; wedge++) {
		uint32_t place = c->places[wedge];
		cs_quadric_add_point(
			&c->quadrics[place], c->at[place], SHAPE_WEIGHT * c->areas[wedge]);
	}
}

/* A border or a seam: the plane through the edge, upright on its triangle. */
static void add_edge_plane(struct cs_collapser *c, uint32_t corner)
{
	struct face face;
	double along[3], across[3];
	struct cs_quadric q = {0};
	if (!measure(c, corner / 3, &face))
		return;
	uint32_t a = cs_place_of(c, corner), b = cs_place_of(c, cs_next_edge(corner));
	cs_subtract(c->at[b], c->at[a], along);
	cs_cross(along, face.normal, across);
	double length = sqrt(cs_dot(across, across));
	if (!(length > 0))
		return;
	for (int k = 0; k < 3; k++)
		across[k] /= length;
	struct cs_linear plane =
		cs_linear_make(across[0], across[1], across[2], -cs_dot(across, c->at[a]));
	cs_quadric_add_square(&q, plane, EDGE_WEIGHT * length * length);
	cs_quadric_add(&c->quadrics[a], &q);
	cs_quadric_add(&c->quadrics[b], &q);
}

/* ---- edges ---- */

static bool is_seam(const struct cs_collapser *c, uint32_t edge, uint32_t opposite)
{
	return c->corners[edge] != c->corners[cs_next_edge(opposite)] ||
	       c->corners[cs_next_edge(edge)] != c->corners[opposite] ||
	       c->patch->materials[edge / 3] != c->patch->materials[opposite / 3];
}

/* Finds the edges of the patch, each once, and gives borders and seams their planes. */
static void add_edges(struct cs_collapser *c, struct queue *queue)
{
	for (uint32_t edge = 0; edge < 3 * c->patch->n_triangles; edge++) {
		uint32_t a = cs_place_of(c, edge), b = cs_place_of(c, cs_next_edge(edge));
		uint32_t opposite = c->patch->opposite[edge];
		if (opposite == CS_NONE) {
			c->flags[a] |= CS_PLACE_BORDER;
			c->flags[b] |= CS_PLACE_BORDER;
			add_edge_plane(c, edge);
		} else if (is_seam(c, edge, opposite)) {
			add_edge_plane(c, edge);
		}
		bool both_locked = c->flags[a] & c->flags[b] & CS_PLACE_LOCKED;
		if (!both_locked && edge < opposite)
			queue->edges[queue->n_edges++] = (struct edge){a, b, 0};
	}
}

/* ---- the queue ---- */

static uint64_t key_of(double cost, uint32_t edge)
{
	float value = (float)cost;
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return (uint64_t)bits << 32 | edge;
}

/* The node's children are compared two by two, without a jump: their order is anybody's guess. */
static void sift_down(struct queue *q, uint32_t at)
{
	uint64_t key = q->heap[at];
	for (;;) {
		uint32_t first = WAYS * at + 1, a = first, b = first + 2;
		if (first >= q->n_heap)
			break;
		a += q->heap[a + 1] < q->heap[a];
		b += q->heap[b + 1] < q->heap[b];
		a = q->heap[b] < q->heap[a] ? b : a;
		if (q->heap[a] >= key)
			break;
		q->heap[at] = q->heap[a];
		at = a;
	}
	q->heap[at] = key;
}

/* Behind the last node lie keys above all others, so that every inner node has all its children. */
static void end_heap(struct queue *q, uint32_t n)
{
	q->n_heap = n;
	for (uint32_t i = 0; i < WAYS - 1; i++)
		q->heap[n + i] = UINT64_MAX;
}

static void order_heap(struct queue *q)
{
	for (uint32_t i = q->n_heap / WAYS + 1; i-- > 0;)
		if (i < q->n_heap)
			sift_down(q, i);
}

static void drop_top(struct queue *q)
{
	q->heap[0] = q->heap[q->n_heap - 1];
	end_heap(q, q->n_heap - 1);
	if (q->n_heap)
		sift_down(q, 0);
}

static uint32_t became(struct cs_collapser *c, uint32_t place)
{
	while (c->became[place] != place) {
		c->became[place] = c->became[c->became[place]];
		place = c->became[place];
	}
	return place;
}

static double edge_cost(struct cs_collapser *c, const struct edge *edge)
{
	struct cs_collapse plan;
	if (c->first[edge->a] == CS_NONE || c->first[edge->b] == CS_NONE)
		return INFINITY;
	if (!((c->flags[edge->a] | c->flags[edge->b]) & CS_PLACE_MANY))
		return cs_collapse_cost(c, edge->a, edge->b);
	return cs_collapse_plan(c, edge->a, edge->b, &plan) ? plan.cost : INFINITY;
}

static bool fill_queue(struct cs_collapser *c, struct queue *q, struct cs_scratch *scratch)
{
	size_t most = 3 * (size_t)c->patch->n_triangles;
	q->edges = CS_SCRATCH_ARRAY(scratch, struct edge, most);
	q->heap = CS_SCRATCH_ARRAY(scratch, uint64_t, most + WAYS);
	q->waiting = CS_SCRATCH_ARRAY(scratch, uint32_t, most);
	if (!q->edges || !q->heap || !q->waiting)
		return false;
	add_edges(c, q);
	for (uint32_t i = 0; i < q->n_edges; i++)
		q->heap[i] = key_of(edge_cost(c, &q->edges[i]), i);
	end_heap(q, q->n_edges);
	order_heap(q);
	return true;
}

/* ---- collapsing ---- */

/* Nothing happened at its ends since its cost was computed. */
static bool is_priced(const struct cs_collapser *c, const struct edge *edge)
{
	return edge->priced != STALE && edge->priced >= c->touched[edge->a] &&
	       edge->priced >= c->touched[edge->b];
}

/* Computes the cost of the edge on top; returns whether it stays there. */
static bool price_top(struct cs_collapser *c, struct queue *q, struct edge *edge)
{
	uint32_t i = (uint32_t)(edge - q->edges);
	uint64_t key = key_of(edge_cost(c, edge), i);
	edge->priced = c->n_collapses;
	if (key > q->heap[0]) {
		q->heap[0] = key;
		sift_down(q, 0);
	}
	return (uint32_t)q->heap[0] == i;
}

/* An edge of a triangle by itself, which no collapse may take away: no need to plan it. */
static bool is_lone(const struct cs_collapser *c, const struct edge *edge)
{
	return c->valence[edge->a] == 1 && c->valence[edge->b] == 1;
}

/* Takes the top of the queue one step further. Returns whether an edge collapsed. */
static bool step(struct cs_collapser *c, struct queue *q, enum cs_rigour rigour)
{
	struct cs_collapse plan;
	uint32_t i = (uint32_t)q->heap[0];
	struct edge *edge = &q->edges[i];
	edge->a = became(c, edge->a);
	edge->b = became(c, edge->b);
	if (edge->a == edge->b) {
		drop_top(q);
		return false;
	}
	if (!is_priced(c, edge) && !price_top(c, q, edge))
		return false;
	drop_top(q);
	if (is_lone(c, edge) && rigour < CS_LOOSE_NORMALS) {
		q->waiting[q->n_waiting++] = i;
		return false;
	}
	if (!cs_collapse_plan(c, edge->a, edge->b, &plan))
		return false;
	if (!cs_collapse_allowed(c, &plan, rigour)) {
		edge->priced = STALE;
		q->waiting[q->n_waiting++] = i;
		return false;
	}
	cs_collapse_apply(c, &plan);
	return true;
}

/* Edges that were forbidden are tried again as long as something changes. */
static void collapse(
	struct cs_collapser *c, struct queue *q, uint32_t target, enum cs_rigour rigour)
{
	uint32_t n_done = 1;
	while (c->n_alive > target && n_done > 0) {
		n_done = 0;
		while (q->n_heap && c->n_alive > target)
			n_done += step(c, q, rigour);
		for (uint32_t i = 0; i < q->n_waiting; i++)
			q->heap[q->n_heap + i] = key_of(0, q->waiting[i]);
		end_heap(q, q->n_heap + q->n_waiting);
		q->n_waiting = 0;
		order_heap(q);
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

/* The weighted attributes of the wedges that changed take their best values. */
static void set_attributes(struct cs_collapser *c)
{
	const struct cs_patch *p = c->patch;
	for (uint32_t w = 0; w < p->n_wedges; w++) {
		const struct cs_linear *linear = c->linear + (size_t)w * c->n_weighted;
		float *values = c->attributes + (size_t)w * p->n_attributes;
		if (!c->changed[w])
			continue;
		const double *at = c->at[c->places[w]];
		for (uint32_t j = 0; j < c->n_weighted && c->areas[w] > 0; j++) {
			const struct cs_linear *h = &linear[j];
			double value = (h->xy[0] * at[0] + h->xy[1] * at[1] + h->zw[0] * at[2] +
					       h->zw[1]) /
				       c->areas[w];
			values[c->weighted[j]] =
				(float)(value / (double)p->weights[c->weighted[j]]);
		}
		unit(values);
	}
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
		.attributes = c->attributes,
		.became = c->became,
		.quadric_error = (float)sqrt(c->error2),
		.n_forced = c->n_forced,
		.n_duplicates = c->n_duplicates,
		.n_dropped = c->n_dropped,
	};
	if (!out.triangles || !out.corners || !out.positions)
		return false;
	for (uint32_t i = 0; i < p->n_triangles; i++) {
		if (c->dead[i])
			continue;
		memcpy(out.corners + 3 * (size_t)n, c->corners + 3 * (size_t)i,
			3 * sizeof(uint32_t));
		out.triangles[n++] = i;
	}
	for (uint32_t i = 0; i < p->n_places; i++) {
		c->became[i] = became(c, i);
		for (size_t k = 0; k < 3; k++)
			out.positions[3 * (size_t)i + k] =
				c->flags[i] & CS_PLACE_LOCKED
					? p->positions[3 * (size_t)i + k]
					: (float)(c->at[i][k] + c->origin[k]) + 0.0f;
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
	for (uint8_t i = 0; i < patch->n_attributes; i++)
		if (patch->weights[i] > 0)
			c.weighted[c.n_weighted++] = i;
	if (!allocate(&c, scratch))
		return false;
	set_places(&c);
	set_wedges(&c);
	set_corners(&c);
	add_triangles(&c);
	if (!fill_queue(&c, &queue, scratch))
		return false;
	collapse(&c, &queue, target, CS_STRICT);
	if (c.n_alive > target && !cs_drop_duplicates(&c, scratch))
		return false;
	collapse(&c, &queue, target, CS_LOOSE_JOINS);
	if (c.n_alive > target && !cs_drop_pieces(&c, target, scratch))
		return false;
	collapse(&c, &queue, target, CS_LOOSE_NORMALS);
	return finish(&c, scratch, ret);
}
