/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns removing triangles where edges cannot collapse: triangles that coincide with another one,
 * and pieces (triangles connected by edges) that no triangle outside the patch is connected to. The
 * smallest pieces are removed first. Among pieces of one size a fixed pseudo-random order decides,
 * so that a cloud of them thins out evenly.
 *
 * Invariant: no removal opens the surface. The sum of an edge counts +1 for each triangle that has
 * the edge in one direction and -1 for each that has it in the other, inside the patch and outside;
 * the surface is closed at an edge whose sum is 0. A collapse keeps these sums, and so does the
 * removal of two coincident triangles of opposite winding. The removal of one of two equal
 * triangles changes them, and is allowed only where all edges of the triangle were open before.
 */
#include "mesh/collapse.h"

#include "core/random.h"
#include "core/search.h"
#include "core/slots.h"
#include "core/sort.h"
#include "mesh/edges.h"

#include <math.h>
#include <string.h>

/*
 * Living triangles, with their places and edges, and the edges that triangles outside are joined
 * to.
 */
struct thinner {
	struct cs_collapser *c;
	struct cs_scratch *scratch;
	uint32_t n;
	uint32_t *triangles;
	uint32_t *corners;         /* 3 places for each triangle */
	struct cs_sort_key *outer; /* sorted by from and to */
	struct cs_sort_key *keys;
};

static bool thin_init(struct thinner *t, struct cs_collapser *c, struct cs_scratch *scratch)
{
	const struct cs_patch *p = c->patch;
	*t = (struct thinner){.c = c, .scratch = scratch};
	t->triangles = CS_SCRATCH_ARRAY(scratch, uint32_t, c->n_alive);
	t->corners = CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * (size_t)c->n_alive);
	t->outer = CS_SCRATCH_ARRAY(scratch, struct cs_sort_key, p->n_outer);
	t->keys = CS_SCRATCH_ARRAY(scratch, struct cs_sort_key, c->n_alive);
	if (!t->triangles || !t->corners || !t->outer || !t->keys)
		return false;
	for (uint32_t i = 0; i < p->n_triangles; i++) {
		if (c->dead[i])
			continue;
		for (uint32_t k = 0; k < 3; k++)
			t->corners[3 * (size_t)t->n + k] = cs_place_of(c, 3 * i + k);
		t->triangles[t->n++] = i;
	}
	for (uint32_t i = 0; i < p->n_outer; i++)
		t->outer[i] =
			(struct cs_sort_key){.high = p->outer[2 * i], .low = p->outer[2 * i + 1]};
	return cs_sort_keys(t->outer, p->n_outer);
}

static bool is_outer(const struct thinner *t, uint32_t from, uint32_t to)
{
	return cs_sort_keys_find(t->outer, t->c->patch->n_outer, from, to) != NULL;
}

static bool has_outer(const struct thinner *t, uint32_t i)
{
	const uint32_t *p = t->corners + 3 * (size_t)i;
	return is_outer(t, p[0], p[1]) || is_outer(t, p[1], p[2]) || is_outer(t, p[2], p[0]);
}

/* ---- duplicate triangles ---- */

static void drop_duplicate(struct thinner *t, uint32_t i)
{
	cs_kill(t->c, t->triangles[i]);
	t->c->n_duplicates++;
}

/*
 * Returns a key that is equal for all triangles with the same places. Its last bit is the winding.
 */
static struct cs_sort_key thin_key_of(const struct thinner *t, uint32_t i)
{
	const uint32_t *p = t->corners + 3 * (size_t)i;
	uint32_t k = p[0] <= p[1] && p[0] <= p[2] ? 0 : p[1] <= p[2] ? 1 : 2;
	uint32_t second = p[(k + 1) % 3], third = p[(k + 2) % 3];
	bool back = second > third;
	return (struct cs_sort_key){
		.high = p[k],
		.low = (uint64_t)(back ? third : second) << 32 | (back ? second : third),
		.index = i << 1 | back,
	};
}

/*
 * Removes pairs of opposite winding among n triangles with the same places, as long as one triangle
 * or one pair remains. Moves the others that coincide with a remaining one of the same winding to
 * `twice`, and returns their number.
 */
static uint32_t cancel(
	struct thinner *t, const struct cs_sort_key *keys, uint32_t n, struct cs_sort_key *twice)
{
	uint32_t ways[2] = {0, 0}, kept[2] = {0, 0}, n_twice = 0;
	for (uint32_t i = 0; i < n; i++)
		ways[keys[i].index & 1]++;
	uint32_t pairs = ways[0] < ways[1] ? ways[0] : ways[1] - (ways[0] == ways[1]);
	uint32_t left[2] = {pairs, pairs};
	for (uint32_t i = 0; i < n; i++) {
		uint32_t way = keys[i].index & 1, triangle = keys[i].index >> 1;
		if (left[way]) {
			left[way]--;
			drop_duplicate(t, triangle);
		} else if (kept[way]++) {
			twice[n_twice++].index = triangle;
		}
	}
	return n_twice;
}

/*
 * Removes the pairs of opposite winding, and moves the triangles that still coincide with another
 * one to the front of the keys. Returns false without memory.
 */
static bool cancel_all(struct thinner *t, uint32_t *n_ret)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->n; i++)
		t->keys[i] = thin_key_of(t, i);
	if (!cs_sort_keys(t->keys, t->n))
		return false;
	for (uint32_t i = 0, end; i < t->n; i = end) {
		const struct cs_sort_key *key = &t->keys[i];
		for (end = i + 1; end < t->n && t->keys[end].high == key->high &&
				  t->keys[end].low == key->low;
			end++)
			;
		if (end - i > 1)
			n += cancel(t, key, end - i, t->keys + n);
	}
	*n_ret = n;
	return true;
}

/* The sums of the edges of the patch and of the triangles around it (the invariant above). */
struct sums {
	/* low: the lower and the higher place; index: the sum in two's complement */
	struct cs_sort_key *edges;
	size_t n;
};

static struct cs_sort_key edge_key(uint32_t from, uint32_t to, int32_t sum)
{
	bool up = from < to;
	return (struct cs_sort_key){
		.low = (uint64_t)(up ? from : to) << 32 | (up ? to : from),
		.index = (uint32_t)(up ? sum : -sum),
	};
}

static bool find_sums(const struct thinner *t, struct sums *ret)
{
	const struct cs_patch *p = t->c->patch;
	size_t n = 0, most = 3 * (size_t)t->n + p->n_outer;
	struct cs_sort_key *edges = CS_SCRATCH_ARRAY(t->scratch, struct cs_sort_key, most);
	if (!edges)
		return false;
	for (uint32_t e = 0; e < 3 * t->n; e++)
		if (!t->c->dead[t->triangles[e / 3]])
			edges[n++] = edge_key(t->corners[e], t->corners[cs_next_edge(e)], 1);
	for (uint32_t i = 0; i < p->n_outer; i++)
		edges[n++] = edge_key(p->outer[2 * i], p->outer[2 * i + 1], -1);
	if (!cs_sort_keys(edges, n))
		return false;
	*ret = (struct sums){edges, 0};
	for (size_t i = 0; i < n; i++)
		if (ret->n && edges[ret->n - 1].low == edges[i].low)
			edges[ret->n - 1].index += edges[i].index;
		else
			edges[ret->n++] = edges[i];
	return true;
}

static struct cs_sort_key *find_sum(const struct sums *sums, uint64_t places)
{
	return &sums->edges[cs_lower_bound(0, sums->n, i, sums->edges[i].low < places)];
}

/*
 * Returns whether the triangle may be removed because all its edges are open in its direction, and
 * updates the sums.
 */
static bool take_open(const struct thinner *t, const struct sums *sums, uint32_t triangle)
{
	struct cs_sort_key *found[3], keys[3];
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t e = 3 * triangle + k;
		keys[k] = edge_key(t->corners[e], t->corners[cs_next_edge(e)], 1);
		found[k] = find_sum(sums, keys[k].low);
		if ((int32_t)found[k]->index * (int32_t)keys[k].index < 1)
			return false;
	}
	for (uint32_t k = 0; k < 3; k++)
		found[k]->index -= keys[k].index;
	return true;
}

bool cs_drop_duplicates(struct cs_collapser *c, struct cs_scratch *scratch)
{
	struct thinner t;
	struct sums sums;
	uint32_t n;
	if (!thin_init(&t, c, scratch) || !cancel_all(&t, &n))
		return false;
	if (n > 0 && !find_sums(&t, &sums))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (take_open(&t, &sums, t.keys[i].index))
			drop_duplicate(&t, t.keys[i].index);
	return true;
}

/* ---- pairs that cancel ---- */

/* Returns the largest squared distance of a point of the triangle from its edges. */
static float inner2(const struct thinner *t, uint32_t i)
{
	const uint32_t *v = t->corners + 3 * (size_t)i;
	const cs_four *at = t->c->at;
	cs_four a = at[v[1]] - at[v[0]], b = at[v[2]] - at[v[1]], d = at[v[0]] - at[v[2]];
	cs_four normal = cs_cross_four(a, b);
	float around = sqrtf(cs_sum(a * a)) + sqrtf(cs_sum(b * b)) + sqrtf(cs_sum(d * d));
	return around > 0 ? cs_sum(normal * normal) / (around * around) : 0;
}

/*
 * Marks the living triangles that belong to a pair, and moves the pairs to the front of the keys.
 */
static uint32_t find_pairs(struct thinner *t, bool *is_paired)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->n; i++)
		t->keys[i] = thin_key_of(t, i);
	if (!cs_sort_keys(t->keys, t->n))
		return CS_NONE;
	for (uint32_t i = 0; i + 1 < t->n; i++) {
		const struct cs_sort_key one = t->keys[i], other = t->keys[i + 1];
		if (one.high != other.high || one.low != other.low ||
			!((one.index ^ other.index) & 1))
			continue;
		is_paired[one.index >> 1] = is_paired[other.index >> 1] = true;
		/* The front only overwrites keys that were already read. */
		t->keys[n++] = (struct cs_sort_key){
			.high = one.index >> 1, .low = other.index >> 1, .index = 0};
		i++;
	}
	return n;
}

/* Sorts the edges of all triangles that are in no pair and those of triangles outside. */
static bool find_single_edges(const struct thinner *t, const bool *is_paired, struct sums *edges)
{
	const struct cs_patch *p = t->c->patch;
	const size_t most = 3 * (size_t)t->n + p->n_outer;
	edges->n = 0;
	edges->edges = CS_SCRATCH_ARRAY(t->scratch, struct cs_sort_key, most);
	if (!edges->edges)
		return false;
	for (uint32_t e = 0; e < 3 * t->n; e++)
		if (!is_paired[e / 3])
			edges->edges[edges->n++] =
				edge_key(t->corners[e], t->corners[cs_next_edge(e)], 1);
	for (uint32_t i = 0; i < p->n_outer; i++)
		edges->edges[edges->n++] = edge_key(p->outer[2 * i], p->outer[2 * i + 1], 1);
	return cs_sort_keys(edges->edges, edges->n);
}

static bool has_edge(const struct sums *edges, uint32_t from, uint32_t to)
{
	const uint64_t places = edge_key(from, to, 1).low;
	const struct cs_sort_key *found = find_sum(edges, places);
	return found < edges->edges + edges->n && found->low == places;
}

static bool drop_folds(struct cs_collapser *c, struct cs_scratch *scratch)
{
	struct thinner t;
	struct sums edges;
	if (!thin_init(&t, c, scratch))
		return false;
	bool *is_paired = CS_SCRATCH_ARRAY(scratch, bool, t.n);
	if (!is_paired)
		return false;
	memset(is_paired, 0, t.n * sizeof(*is_paired));
	const uint32_t n = find_pairs(&t, is_paired);
	if (n == 0)
		return true;
	if (n == CS_NONE || !find_single_edges(&t, is_paired, &edges))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t one = (uint32_t)t.keys[i].high, other = (uint32_t)t.keys[i].low;
		const uint32_t *v = t.corners + 3 * (size_t)one;
		if (!has_edge(&edges, v[0], v[1]) || !has_edge(&edges, v[1], v[2]) ||
			!has_edge(&edges, v[2], v[0]))
			continue;
		const float far2 = inner2(&t, one);
		c->error2 = far2 > c->error2 ? far2 : c->error2;
		drop_duplicate(&t, one);
		drop_duplicate(&t, other);
	}
	return true;
}

/* Tests quickly whether any triangle coincides with another one. In most patches none does. */
static bool has_doubles(const struct cs_collapser *c, uint32_t *slots, size_t mask)
{
	for (uint32_t i = 0; i < c->patch->n_triangles; i++) {
		const uint32_t a = cs_place_of(c, 3 * i), b = cs_place_of(c, 3 * i + 1);
		const uint32_t d = cs_place_of(c, 3 * i + 2);
		const uint64_t mixed = (uint64_t)(a + b + d) << 32 | (a ^ b ^ d);
		uint32_t *slot = cs_probe(slots, mask, mixed * 0x9e3779b97f4a7c15u >> 32, other,
			cs_place_of(c, 3 * other) + cs_place_of(c, 3 * other + 1) +
						cs_place_of(c, 3 * other + 2) ==
					a + b + d &&
				(cs_place_of(c, 3 * other) == a || cs_place_of(c, 3 * other) == b ||
					cs_place_of(c, 3 * other) == d) &&
				(cs_place_of(c, 3 * other + 1) == a ||
					cs_place_of(c, 3 * other + 1) == b ||
					cs_place_of(c, 3 * other + 1) == d));
		if (*slot)
			return true;
		*slot = i + 1;
	}
	return false;
}

bool cs_drop_doubles(struct cs_collapser *c, struct cs_scratch *scratch)
{
	const size_t slots = cs_slots_for(c->patch->n_triangles);
	if (!(c->patch->step > 0))
		return true;
	const struct cs_scratch_mark mark = cs_scratch_mark(scratch);
	uint32_t *at = CS_SCRATCH_ARRAY(scratch, uint32_t, slots);
	if (!at)
		return false;
	memset(at, 0, slots * sizeof(*at));
	const bool found = has_doubles(c, at, slots - 1);
	bool good = !found || (cs_drop_duplicates(c, scratch) && drop_folds(c, scratch));
	cs_scratch_release(scratch, mark);
	return good;
}

/* ---- pieces ---- */

struct pieces {
	uint32_t *piece; /* for each triangle, the first triangle of its piece */
	double *areas;   /* one for each piece */
	uint32_t *sizes; /* one for each piece; 0 when it has to stay */
};

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
	while (parents[i] != i) {
		parents[i] = parents[parents[i]];
		i = parents[i];
	}
	return i;
}

static bool find_pieces(struct thinner *t, struct pieces *p)
{
	uint32_t *opposite = CS_SCRATCH_ARRAY(t->scratch, uint32_t, 3 * (size_t)t->n);
	p->piece = CS_SCRATCH_ARRAY(t->scratch, uint32_t, t->n);
	p->areas = CS_SCRATCH_ARRAY(t->scratch, double, t->n);
	p->sizes = CS_SCRATCH_ARRAY(t->scratch, uint32_t, t->n);
	if (!opposite || !p->piece || !p->areas || !p->sizes)
		return false;
	struct cs_error *error =
		cs_match_edges(t->corners, t->n, t->c->patch->n_places, 1, opposite);
	if (error) {
		cs_error_free(error);
		return false;
	}
	for (uint32_t i = 0; i < t->n; i++) {
		p->piece[i] = i;
		p->areas[i] = 0;
		p->sizes[i] = 0;
	}
	for (uint32_t e = 0; e < 3 * t->n; e++)
		if (opposite[e] != CS_NONE) {
			uint32_t a = root_of(p->piece, e / 3),
				 b = root_of(p->piece, opposite[e] / 3);
			p->piece[a > b ? a : b] = a > b ? b : a;
		}
	return true;
}

static void measure_pieces(const struct thinner *t, struct pieces *p)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const uint32_t *corners = t->corners + 3 * (size_t)i;
		const cs_four *at = t->c->at;
		uint32_t piece = root_of(p->piece, i);
		cs_four normal = cs_cross_four(
			at[corners[1]] - at[corners[0]], at[corners[2]] - at[corners[0]]);
		p->piece[i] = piece;
		p->areas[piece] += sqrt((double)cs_sum(normal * normal));
		p->sizes[piece]++;
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (has_outer(t, i))
			p->sizes[p->piece[i]] = 0;
}

/* Lists the pieces that may be removed, the smallest first. Returns their count. */
static uint32_t sort_pieces(struct thinner *t, const struct pieces *p)
{
	struct cs_random random = {1};
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		float area = (float)p->areas[i];
		uint32_t bits;
		memcpy(&bits, &area, sizeof(bits));
		if (p->piece[i] == i && p->sizes[i])
			t->keys[n++] = (struct cs_sort_key){
				.high = bits, .low = cs_random_u64(&random), .index = i};
	}
	return cs_sort_keys(t->keys, n) ? n : CS_NONE;
}

bool cs_drop_pieces(struct cs_collapser *c, uint32_t target, struct cs_scratch *scratch)
{
	struct thinner t;
	struct pieces p;
	if (!thin_init(&t, c, scratch) || !find_pieces(&t, &p))
		return false;
	measure_pieces(&t, &p);
	uint32_t n = sort_pieces(&t, &p), left = c->n_alive;
	if (n == CS_NONE)
		return false;
	/* A negative area marks a piece that is removed. */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t piece = t.keys[i].index;
		bool goes = left > target && p.sizes[piece] < left;
		left -= goes ? p.sizes[piece] : 0;
		p.areas[piece] = goes ? -1 : 0;
	}
	for (uint32_t i = 0; i < t.n; i++)
		if (p.areas[p.piece[i]] < 0) {
			cs_kill(c, t.triangles[i]);
			c->n_dropped++;
		}
	return true;
}
