/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: making a patch thinner where edges cannot collapse: triangles that lie on another one, and
 * pieces (triangles joined by edges) that nothing outside the patch is joined to. The smallest
 * pieces go first; among equals chance decides, the same one every time, so that a cloud of them
 * thins out evenly.
 */
#include "mesh/collapse.h"

#include "base/random.h"
#include "base/sort.h"
#include "mesh/edges.h"
#include "mesh/vector.h"

#include <math.h>
#include <string.h>

/* Living triangles, with their places and edges, and the edges that the outside is joined to. */
struct thinner {
	struct cs_collapser *c;
	struct cs_scratch *scratch;
	uint32_t n;
	uint32_t *triangles;
	uint32_t *corners;         /* 3 places each */
	struct cs_sort_key *outer; /* sorted: from, to */
	struct cs_sort_key *keys;
};

static bool init(struct thinner *t, struct cs_collapser *c, struct cs_scratch *scratch)
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
	uint32_t low = 0, high = t->c->patch->n_outer;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct cs_sort_key *key = &t->outer[middle];
		if (key->high < from || (key->high == from && key->low < to))
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->c->patch->n_outer && t->outer[low].high == from && t->outer[low].low == to;
}

static bool has_outer(const struct thinner *t, uint32_t i)
{
	const uint32_t *p = t->corners + 3 * (size_t)i;
	return is_outer(t, p[0], p[1]) || is_outer(t, p[1], p[2]) || is_outer(t, p[2], p[0]);
}

static void drop(struct cs_collapser *c, uint32_t triangle)
{
	c->dead[triangle] = true;
	c->n_alive--;
}

/* ---- triangles that are there twice ---- */

/* The same for all triangles with the same places in the same turn. */
static struct cs_sort_key key_of(const struct thinner *t, uint32_t i)
{
	const uint32_t *p = t->corners + 3 * (size_t)i;
	uint32_t k = p[0] <= p[1] && p[0] <= p[2] ? 0 : p[1] <= p[2] ? 1 : 2;
	return (struct cs_sort_key){
		.high = p[k],
		.low = (uint64_t)p[(k + 1) % 3] << 32 | p[(k + 2) % 3],
		.index = i,
	};
}

bool cs_drop_duplicates(struct cs_collapser *c, struct cs_scratch *scratch)
{
	struct thinner t;
	if (!init(&t, c, scratch))
		return false;
	for (uint32_t i = 0; i < t.n; i++)
		t.keys[i] = key_of(&t, i);
	if (!cs_sort_keys(t.keys, t.n))
		return false;
	for (uint32_t i = 1; i < t.n; i++) {
		const struct cs_sort_key *key = &t.keys[i];
		if (key->high != key[-1].high || key->low != key[-1].low ||
			has_outer(&t, key->index))
			continue;
		drop(c, t.triangles[key->index]);
		c->n_duplicates++;
	}
	return true;
}

/* ---- pieces ---- */

struct pieces {
	uint32_t *piece; /* by triangle: first triangle of its piece */
	double *areas;   /* by piece */
	uint32_t *sizes; /* by piece; 0 = has to stay */
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
		double normal[3];
		uint32_t piece = root_of(p->piece, i);
		cs_face_normal(
			t->c->at[corners[0]], t->c->at[corners[1]], t->c->at[corners[2]], normal);
		p->piece[i] = piece;
		p->areas[piece] += sqrt(cs_dot(normal, normal));
		p->sizes[piece]++;
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (has_outer(t, i))
			p->sizes[p->piece[i]] = 0;
}

/* Pieces that may go, the smallest first. Returns how many. */
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
	if (!init(&t, c, scratch) || !find_pieces(&t, &p))
		return false;
	measure_pieces(&t, &p);
	uint32_t n = sort_pieces(&t, &p), left = c->n_alive;
	if (n == CS_NONE)
		return false;
	/* an area below 0 marks a piece that goes */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t piece = t.keys[i].index;
		bool goes = left > target && p.sizes[piece] < left;
		left -= goes ? p.sizes[piece] : 0;
		p.areas[piece] = goes ? -1 : 0;
	}
	for (uint32_t i = 0; i < t.n; i++)
		if (p.areas[p.piece[i]] < 0) {
			drop(c, t.triangles[i]);
			c->n_dropped++;
		}
	return true;
}
