/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes triangles where edges cannot collapse: triangles that coincide with another one, and
 * pieces (triangles connected by edges) that no triangle outside the patch is connected to. The
 * smallest pieces are removed first. Among pieces of equal size a fixed pseudo-random order
 * decides, so that a cloud of them thins out evenly.
 *
 * Invariant: no removal opens the surface. The sum of an edge counts +1 for each triangle that has
 * the edge in one direction and -1 for each that has it in the opposite direction, inside the patch
 * and outside; the surface is closed at an edge whose sum is 0. A collapse keeps these sums, and so
 * does removing two coincident triangles of opposite winding. Removing one of two equal triangles
 * changes the sums, and is allowed only where they were not 0 before. A triangle at a closed edge
 * is removed only together with a neighbour across that edge, so of several copies of a surface
 * only whole copies (layers) are removed.
 */
#include "mesh/collapse.h"

#include "core/random.h"
#include "core/search.h"
#include "core/slots.h"
#include "core/sort.h"
#include "mesh/edges.h"

#include <math.h>
#include <string.h>

/* Triangles of a patch that are not removed yet, and edges shared with triangles outside it. */
struct thinner {
	struct cs_collapser *collapser;
	struct cs_scratch *scratch;
	uint32_t n;
	uint32_t *triangles;
	uint32_t *corners; /* 3 indices of positions for each triangle */
	/* edges shared with outside triangles, sorted by their start and end position */
	struct cs_sort_key *outer;
	struct cs_sort_key *keys;
};

static bool thin_init(
	struct thinner *thinner, struct cs_collapser *collapser, struct cs_scratch *scratch)
{
	const struct cs_patch *patch = collapser->patch;
	*thinner = (struct thinner){.collapser = collapser, .scratch = scratch};
	thinner->triangles = CS_SCRATCH_ARRAY(scratch, uint32_t, collapser->n_alive);
	thinner->corners = CS_SCRATCH_ARRAY(scratch, uint32_t, 3 * (size_t)collapser->n_alive);
	thinner->outer = CS_SCRATCH_ARRAY(scratch, struct cs_sort_key, patch->n_outer);
	thinner->keys = CS_SCRATCH_ARRAY(scratch, struct cs_sort_key, collapser->n_alive);
	if (scratch->failed)
		return false;
	for (uint32_t i = 0; i < patch->n_triangles; i++) {
		if (collapser->dead[i])
			continue;
		for (uint32_t k = 0; k < 3; k++)
			thinner->corners[3 * (size_t)thinner->n + k] =
				cs_place_of(collapser, 3 * i + k);
		thinner->triangles[thinner->n++] = i;
	}
	for (uint32_t i = 0; i < patch->n_outer; i++)
		thinner->outer[i] = (struct cs_sort_key){
			.high = patch->outer[2 * i], .low = patch->outer[2 * i + 1]};
	return cs_sort_keys(thinner->outer, patch->n_outer);
}

static bool is_outer(const struct thinner *thinner, uint32_t from, uint32_t to)
{
	return cs_sort_keys_find(thinner->outer, thinner->collapser->patch->n_outer, from, to) !=
	       NULL;
}

static bool has_outer(const struct thinner *thinner, uint32_t i)
{
	const uint32_t *p = thinner->corners + 3 * (size_t)i;
	return is_outer(thinner, p[0], p[1]) || is_outer(thinner, p[1], p[2]) ||
	       is_outer(thinner, p[2], p[0]);
}

/* ---- duplicate triangles ---- */

static void drop_duplicate(struct thinner *thinner, uint32_t i)
{
	cs_kill(thinner->collapser, thinner->triangles[i]);
	thinner->collapser->n_duplicates++;
}

/*
 * Returns a sort key. Triangles at the same positions have the same `high` and `low`. Bit 0 of
 * `index` is the winding.
 */
static struct cs_sort_key thin_key_of(const struct thinner *thinner, uint32_t i)
{
	const uint32_t *p = thinner->corners + 3 * (size_t)i;
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
 * Removes pairs of opposite winding from n triangles with the same positions (`keys`), but leaves
 * at least one triangle or one pair. Lists all but one of the remaining triangles of each winding
 * in `twice`, and returns the number of triangles listed.
 */
static uint32_t cancel(struct thinner *thinner, const struct cs_sort_key *keys, uint32_t n,
	struct cs_sort_key *twice)
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
			drop_duplicate(thinner, triangle);
		} else if (kept[way]++) {
			twice[n_twice++].index = triangle;
		}
	}
	return n_twice;
}

/*
 * Removes pairs of triangles with opposite winding at the same positions (see cancel). Moves the
 * keys of triangles that still coincide with a triangle of the same winding to the front. *n_ret is
 * their number. Returns false when memory runs out.
 */
static bool cancel_all(struct thinner *thinner, uint32_t *n_ret)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < thinner->n; i++)
		thinner->keys[i] = thin_key_of(thinner, i);
	if (!cs_sort_keys(thinner->keys, thinner->n))
		return false;
	for (uint32_t i = 0, end; i < thinner->n; i = end) {
		const struct cs_sort_key *key = &thinner->keys[i];
		for (end = i + 1; end < thinner->n && thinner->keys[end].high == key->high &&
				  thinner->keys[end].low == key->low;
			end++)
			;
		if (end - i > 1)
			n += cancel(thinner, key, end - i, thinner->keys + n);
	}
	*n_ret = n;
	return true;
}

/* For each edge, triangles in one direction minus those in the other (see the top of this file). */
struct sums {
	/*
	 * sorted by `low`: lower position of an edge << 32 | higher one. `index` is the int32_t sum
	 */
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

static bool find_sums(const struct thinner *thinner, struct sums *ret)
{
	const struct cs_patch *patch = thinner->collapser->patch;
	size_t n = 0, most = 3 * (size_t)thinner->n + patch->n_outer;
	struct cs_sort_key *edges = CS_SCRATCH_ARRAY(thinner->scratch, struct cs_sort_key, most);
	if (!edges)
		return false;
	for (uint32_t e = 0; e < 3 * thinner->n; e++)
		if (!thinner->collapser->dead[thinner->triangles[e / 3]])
			edges[n++] =
				edge_key(thinner->corners[e], thinner->corners[cs_next_edge(e)], 1);
	for (uint32_t i = 0; i < patch->n_outer; i++)
		edges[n++] = edge_key(patch->outer[2 * i], patch->outer[2 * i + 1], -1);
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

/* ---- layers of duplicate triangles ---- */

/*
 * At most one surplus copy of each triangle, of which another copy is in no layer and stays.
 * Triangles that share a closed edge are a component, which is removed as a whole or not at all.
 */
struct layer {
	const struct cs_sort_key *triangles; /* `index` is a triangle of the thinner */
	uint32_t n;
	/* for each triangle of the layer, another one of its component, or itself (the root) */
	uint32_t *parents;
	bool *goes; /* for the root triangle of each component, whether it is removed */
	/* 3 for each triangle. `index` is 1 if the edge runs to the higher position, else -1 */
	struct cs_sort_key *edges;
};

/* Lists the layer's edges, sorted by `high`, which has both positions. `low` is the triangle. */
static bool list_layer_edges(const struct thinner *thinner, struct layer *layer)
{
	for (uint32_t i = 0; i < layer->n; i++) {
		layer->parents[i] = i;
		layer->goes[i] = false;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t e = 3 * layer->triangles[i].index + k;
			const struct cs_sort_key key =
				edge_key(thinner->corners[e], thinner->corners[cs_next_edge(e)], 1);
			layer->edges[3 * (size_t)i + k] =
				(struct cs_sort_key){.high = key.low, .low = i, .index = key.index};
		}
	}
	return cs_sort_keys(layer->edges, 3 * (size_t)layer->n);
}

/*
 * Joins triangles that share a closed edge (whose sum is 0) into components. Then sorts the edges
 * by root triangle of the component (`high`) and positions (`low`).
 */
static bool find_components(const struct sums *sums, struct layer *layer)
{
	struct cs_sort_key *edges = layer->edges;
	const size_t n = 3 * (size_t)layer->n;
	for (size_t i = 1; i < n; i++)
		if (edges[i].high == edges[i - 1].high && find_sum(sums, edges[i].high)->index == 0)
			cs_join_roots(
				layer->parents, (uint32_t)edges[i].low, (uint32_t)edges[i - 1].low);
	for (size_t i = 0; i < n; i++) {
		const uint64_t places = edges[i].high;
		edges[i].high = cs_find_root(layer->parents, (uint32_t)edges[i].low);
		edges[i].low = places;
	}
	return cs_sort_keys(edges, n);
}

/*
 * Returns whether removing a component, with its n edges, changes sums only towards 0 and not
 * beyond, so that it opens no closed edge. With `takes` the function also updates the sums.
 */
static bool component_is_open(
	const struct sums *sums, const struct cs_sort_key *edges, size_t n, bool takes)
{
	for (size_t i = 0, end; i < n; i = end) {
		struct cs_sort_key *found = find_sum(sums, edges[i].low);
		int64_t border = 0;
		for (end = i; end < n && edges[end].low == edges[i].low; end++)
			border += (int32_t)edges[end].index;
		if (border * (int32_t)found->index < border * border)
			return false;
		if (takes)
			found->index -= (uint32_t)border;
	}
	return true;
}

static bool drop_layer(struct thinner *thinner, const struct sums *sums, struct layer *layer)
{
	if (!list_layer_edges(thinner, layer) || !find_components(sums, layer))
		return false;
	const size_t n = 3 * (size_t)layer->n;
	for (size_t i = 0, end; i < n; i = end) {
		const struct cs_sort_key *edges = layer->edges + i;
		for (end = i; end < n && layer->edges[end].high == edges->high; end++)
			;
		layer->goes[edges->high] = component_is_open(sums, edges, end - i, false) &&
					   component_is_open(sums, edges, end - i, true);
	}
	for (uint32_t i = 0; i < layer->n; i++)
		if (layer->goes[cs_find_root(layer->parents, i)])
			drop_duplicate(thinner, layer->triangles[i].index);
	return true;
}

/*
 * Removes copies of a surface, layer by layer. thinner->keys contains n triangles, each of which is
 * a copy of a triangle that stays. Copies of one triangle are adjacent. The first copies of all
 * triangles are the first layer, their second copies the second layer, and so on.
 */
static bool drop_layers(struct thinner *thinner, const struct sums *sums, uint32_t n)
{
	struct cs_sort_key *keys = thinner->keys;
	struct layer layer = {
		.parents = CS_SCRATCH_ARRAY(thinner->scratch, uint32_t, n),
		.goes = CS_SCRATCH_ARRAY(thinner->scratch, bool, n),
		.edges = CS_SCRATCH_ARRAY(thinner->scratch, struct cs_sort_key, 3 * (size_t)n),
	};
	if (thinner->scratch->failed)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct cs_sort_key key = thin_key_of(thinner, keys[i].index),
					 last = thin_key_of(thinner, keys[i ? i - 1 : i].index);
		const bool is_copy = i > 0 && key.high == last.high && key.low == last.low &&
				     !((key.index ^ last.index) & 1);
		keys[i].high = is_copy ? keys[i - 1].high + 1 : 0;
		keys[i].low = 0;
	}
	if (!cs_sort_keys(keys, n))
		return false;
	for (uint32_t i = 0; i < n; i += layer.n) {
		layer.triangles = keys + i;
		for (layer.n = 1; i + layer.n < n && keys[i + layer.n].high == keys[i].high;
			layer.n++)
			;
		if (!drop_layer(thinner, sums, &layer))
			return false;
	}
	return true;
}

bool cs_drop_duplicates(struct cs_collapser *collapser, struct cs_scratch *scratch)
{
	struct thinner thinner;
	struct sums sums;
	uint32_t n;
	if (!thin_init(&thinner, collapser, scratch) || !cancel_all(&thinner, &n))
		return false;
	return n == 0 || (find_sums(&thinner, &sums) && drop_layers(&thinner, &sums, n));
}

/* ---- pairs of triangles with opposite winding ---- */

/* Returns the squared radius of the triangle's incircle. */
static float inner2(const struct thinner *thinner, uint32_t i)
{
	const uint32_t *v = thinner->corners + 3 * (size_t)i;
	const cs_four *at = thinner->collapser->at;
	cs_four a = at[v[1]] - at[v[0]], b = at[v[2]] - at[v[1]], d = at[v[0]] - at[v[2]];
	cs_four normal = cs_cross_four(a, b);
	float around = sqrtf(cs_sum(a * a)) + sqrtf(cs_sum(b * b)) + sqrtf(cs_sum(d * d));
	return around > 0 ? cs_sum(normal * normal) / (around * around) : 0;
}

/*
 * Marks the remaining triangles that form a pair with equal corners and opposite winding. Moves the
 * pairs to the front of the keys. Returns the number of pairs, or CS_NONE when memory runs out.
 */
static uint32_t find_pairs(struct thinner *thinner, bool *is_paired)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < thinner->n; i++)
		thinner->keys[i] = thin_key_of(thinner, i);
	if (!cs_sort_keys(thinner->keys, thinner->n))
		return CS_NONE;
	for (uint32_t i = 0; i + 1 < thinner->n; i++) {
		const struct cs_sort_key one = thinner->keys[i], other = thinner->keys[i + 1];
		if (one.high != other.high || one.low != other.low ||
			!((one.index ^ other.index) & 1))
			continue;
		is_paired[one.index >> 1] = is_paired[other.index >> 1] = true;
		/* Index n is never above i, so only keys that were already read are overwritten. */
		thinner->keys[n++] = (struct cs_sort_key){
			.high = one.index >> 1, .low = other.index >> 1, .index = 0};
		i++;
	}
	return n;
}

/* Lists edges of triangles without a pair (find_pairs) and of triangles outside the patch. */
static bool find_single_edges(
	const struct thinner *thinner, const bool *is_paired, struct sums *edges)
{
	const struct cs_patch *patch = thinner->collapser->patch;
	const size_t most = 3 * (size_t)thinner->n + patch->n_outer;
	edges->n = 0;
	edges->edges = CS_SCRATCH_ARRAY(thinner->scratch, struct cs_sort_key, most);
	if (!edges->edges)
		return false;
	for (uint32_t e = 0; e < 3 * thinner->n; e++)
		if (!is_paired[e / 3])
			edges->edges[edges->n++] =
				edge_key(thinner->corners[e], thinner->corners[cs_next_edge(e)], 1);
	for (uint32_t i = 0; i < patch->n_outer; i++)
		edges->edges[edges->n++] =
			edge_key(patch->outer[2 * i], patch->outer[2 * i + 1], 1);
	return cs_sort_keys(edges->edges, edges->n);
}

static bool has_edge(const struct sums *edges, uint32_t from, uint32_t to)
{
	const uint64_t places = edge_key(from, to, 1).low;
	const struct cs_sort_key *found = find_sum(edges, places);
	return found < edges->edges + edges->n && found->low == places;
}

static bool drop_folds(struct cs_collapser *collapser, struct cs_scratch *scratch)
{
	struct thinner thinner;
	struct sums edges;
	if (!thin_init(&thinner, collapser, scratch))
		return false;
	bool *is_paired = CS_SCRATCH_ARRAY(scratch, bool, thinner.n);
	if (!is_paired)
		return false;
	memset(is_paired, 0, thinner.n * sizeof(*is_paired));
	const uint32_t n = find_pairs(&thinner, is_paired);
	if (n == 0)
		return true;
	if (n == CS_NONE || !find_single_edges(&thinner, is_paired, &edges))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t one = (uint32_t)thinner.keys[i].high,
			       other = (uint32_t)thinner.keys[i].low;
		const uint32_t *v = thinner.corners + 3 * (size_t)one;
		if (!has_edge(&edges, v[0], v[1]) || !has_edge(&edges, v[1], v[2]) ||
			!has_edge(&edges, v[2], v[0]))
			continue;
		const float far2 = inner2(&thinner, one);
		collapser->error2 = far2 > collapser->error2 ? far2 : collapser->error2;
		drop_duplicate(&thinner, one);
		drop_duplicate(&thinner, other);
	}
	return true;
}

/* Returns whether any triangle coincides with another one. In most patches none does. */
static bool has_doubles(const struct cs_collapser *collapser, uint32_t *slots, size_t mask)
{
	for (uint32_t i = 0; i < collapser->patch->n_triangles; i++) {
		const uint32_t a = cs_place_of(collapser, 3 * i),
			       b = cs_place_of(collapser, 3 * i + 1);
		const uint32_t d = cs_place_of(collapser, 3 * i + 2);
		const uint64_t mixed = (uint64_t)(a + b + d) << 32 | (a ^ b ^ d);
		uint32_t *slot = cs_probe(slots, mask, mixed * 0x9e3779b97f4a7c15u >> 32, other,
			cs_place_of(collapser, 3 * other) + cs_place_of(collapser, 3 * other + 1) +
						cs_place_of(collapser, 3 * other + 2) ==
					a + b + d &&
				(cs_place_of(collapser, 3 * other) == a ||
					cs_place_of(collapser, 3 * other) == b ||
					cs_place_of(collapser, 3 * other) == d) &&
				(cs_place_of(collapser, 3 * other + 1) == a ||
					cs_place_of(collapser, 3 * other + 1) == b ||
					cs_place_of(collapser, 3 * other + 1) == d));
		if (*slot)
			return true;
		*slot = i + 1;
	}
	return false;
}

bool cs_drop_doubles(struct cs_collapser *collapser, struct cs_scratch *scratch)
{
	const size_t slots = cs_slots_for(collapser->patch->n_triangles);
	if (!(collapser->patch->step > 0))
		return true;
	const struct cs_scratch_mark mark = cs_scratch_mark(scratch);
	uint32_t *at = CS_SCRATCH_ARRAY(scratch, uint32_t, slots);
	if (!at)
		return false;
	memset(at, 0, slots * sizeof(*at));
	const bool found = has_doubles(collapser, at, slots - 1);
	bool good = !found ||
		    (cs_drop_duplicates(collapser, scratch) && drop_folds(collapser, scratch));
	cs_scratch_release(scratch, mark);
	return good;
}

/* ---- connected pieces of triangles ---- */

struct pieces {
	uint32_t *piece; /* for each triangle, the first triangle of its piece */
	double *areas;   /* area of each piece */
	/* number of triangles of each piece, or 0 when the piece must not be removed */
	uint32_t *sizes;
};

static bool find_pieces(struct thinner *thinner, struct pieces *pieces)
{
	uint32_t *opposite = CS_SCRATCH_ARRAY(thinner->scratch, uint32_t, 3 * (size_t)thinner->n);
	pieces->piece = CS_SCRATCH_ARRAY(thinner->scratch, uint32_t, thinner->n);
	pieces->areas = CS_SCRATCH_ARRAY(thinner->scratch, double, thinner->n);
	pieces->sizes = CS_SCRATCH_ARRAY(thinner->scratch, uint32_t, thinner->n);
	if (thinner->scratch->failed)
		return false;
	struct cs_error *error = cs_match_edges(
		thinner->corners, thinner->n, thinner->collapser->patch->n_places, 1, opposite);
	if (error) {
		cs_error_free(error);
		return false;
	}
	for (uint32_t i = 0; i < thinner->n; i++) {
		pieces->piece[i] = i;
		pieces->areas[i] = 0;
		pieces->sizes[i] = 0;
	}
	for (uint32_t e = 0; e < 3 * thinner->n; e++)
		if (opposite[e] != CS_NONE)
			cs_join_roots(pieces->piece, e / 3, opposite[e] / 3);
	return true;
}

static void measure_pieces(const struct thinner *thinner, struct pieces *pieces)
{
	for (uint32_t i = 0; i < thinner->n; i++) {
		const uint32_t *corners = thinner->corners + 3 * (size_t)i;
		const cs_four *at = thinner->collapser->at;
		uint32_t piece = cs_find_root(pieces->piece, i);
		cs_four normal = cs_cross_four(
			at[corners[1]] - at[corners[0]], at[corners[2]] - at[corners[0]]);
		pieces->piece[i] = piece;
		pieces->areas[piece] += sqrt((double)cs_sum(normal * normal));
		pieces->sizes[piece]++;
	}
	for (uint32_t i = 0; i < thinner->n; i++)
		if (has_outer(thinner, i))
			pieces->sizes[pieces->piece[i]] = 0;
}

/* Sorts removable pieces into thinner->keys by area. Returns their number or CS_NONE on failure. */
static uint32_t sort_pieces(struct thinner *thinner, const struct pieces *pieces)
{
	struct cs_random random = {1};
	uint32_t n = 0;
	for (uint32_t i = 0; i < thinner->n; i++) {
		float area = (float)pieces->areas[i];
		uint32_t bits;
		memcpy(&bits, &area, sizeof(bits));
		if (pieces->piece[i] == i && pieces->sizes[i])
			thinner->keys[n++] = (struct cs_sort_key){
				.high = bits, .low = cs_random_u64(&random), .index = i};
	}
	return cs_sort_keys(thinner->keys, n) ? n : CS_NONE;
}

bool cs_drop_pieces(struct cs_collapser *collapser, uint32_t target, struct cs_scratch *scratch)
{
	struct thinner thinner;
	struct pieces pieces;
	if (!thin_init(&thinner, collapser, scratch) || !find_pieces(&thinner, &pieces))
		return false;
	measure_pieces(&thinner, &pieces);
	uint32_t n = sort_pieces(&thinner, &pieces), left = collapser->n_alive;
	if (n == CS_NONE)
		return false;
	/* Areas are no longer needed. From here on, an area of -1 marks a piece to be removed. */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t piece = thinner.keys[i].index;
		bool goes = left > target && pieces.sizes[piece] < left;
		left -= goes ? pieces.sizes[piece] : 0;
		pieces.areas[piece] = goes ? -1 : 0;
	}
	for (uint32_t i = 0; i < thinner.n; i++)
		if (pieces.areas[pieces.piece[i]] < 0) {
			cs_kill(collapser, thinner.triangles[i]);
			collapser->n_dropped++;
		}
	return true;
}
