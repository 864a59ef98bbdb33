/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: making graphs. Locality links after nanite rules 2.1: nodes are sorted along a Morton curve
 * through their centres; a node of a small island looks at 16 nodes either way and is linked to
 * the 5 nearest of other islands.
 */
#include "nanite/graph.h"

#include "base/sort.h"
#include "base/vec.h"
#include "mesh/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 5, REACH = 16 };

struct cs_error *cs_graph_init(uint32_t n, size_t edges, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays g = {
		.n = n,
		.offsets = malloc(((size_t)n + 1) * sizeof(*g.offsets)),
		.targets = malloc((edges + 1) * sizeof(*g.targets)),
		.weights = malloc((edges + 1) * sizeof(*g.weights)),
		.centres = malloc(((size_t)n + 1) * 3 * sizeof(*g.centres)),
	};
	if (!g.offsets || !g.targets || !g.weights || !g.centres) {
		cs_graph_deinit(&g);
		return cs_error_nomem();
	}
	g.offsets[0] = 0;
	*ret = g;
	return NULL;
}

void cs_graph_deinit(struct cs_graph_arrays *graph)
{
	free(graph->offsets);
	free(graph->targets);
	free(graph->weights);
	free(graph->centres);
	*graph = (struct cs_graph_arrays){0};
}

struct cs_error *cs_graph_of_triangles(
	const uint32_t *opposite, uint32_t n_triangles, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays g;
	struct cs_error *error = cs_graph_init(n_triangles, 3 * (size_t)n_triangles, &g);
	if (error)
		return error;
	uint32_t n = 0;
	for (uint32_t i = 0; i < n_triangles; i++) {
		for (uint32_t edge = 3 * i; edge < 3 * i + 3; edge++) {
			uint32_t other = cs_edge_partner(opposite, edge);
			if (other == CS_NONE || other / 3 == i)
				continue;
			/* two triangles may share two edges: one heavier edge */
			uint32_t at = g.offsets[i];
			while (at < n && g.targets[at] != other / 3)
				at++;
			g.targets[at] = other / 3;
			g.weights[at] = at == n ? CS_EDGE_WEIGHT : g.weights[at] + CS_EDGE_WEIGHT;
			n += at == n;
		}
		g.offsets[i + 1] = n;
	}
	*ret = g;
	return NULL;
}

/* ---- islands ---- */

/*
 * island[i] = a number of the piece that i belongs to, sizes[] = by number. `queue` has room for
 * all nodes. Returns the smallest size.
 */
static uint32_t find_islands(
	const struct cs_graph_arrays *g, uint32_t *island, uint32_t *sizes, uint32_t *queue)
{
	uint32_t n = 0, smallest = g->n;
	memset(island, 0xff, g->n * sizeof(*island));
	for (uint32_t first = 0; first < g->n; first++) {
		if (island[first] != CS_NONE)
			continue;
		uint32_t begin = n;
		island[first] = first;
		queue[n++] = first;
		for (uint32_t i = begin; i < n; i++)
			for (uint32_t e = g->offsets[queue[i]]; e < g->offsets[queue[i] + 1]; e++) {
				if (island[g->targets[e]] != CS_NONE)
					continue;
				island[g->targets[e]] = first;
				queue[n++] = g->targets[e];
			}
		sizes[first] = n - begin;
		smallest = sizes[first] < smallest ? sizes[first] : smallest;
	}
	return smallest;
}

/* ---- nearness ---- */

static uint64_t spread(uint32_t x)
{
	uint64_t v = x & 0x3ff;
	v = (v | v << 16) & 0x30000ff;
	v = (v | v << 8) & 0x300f00f;
	v = (v | v << 4) & 0x30c30c3;
	return (v | v << 2) & 0x9249249;
}

static bool sort_along_curve(const struct cs_graph_arrays *g, struct cs_sort_key *keys)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * (size_t)g->n; i++) {
		low[i % 3] = fminf(low[i % 3], g->centres[i]);
		high[i % 3] = fmaxf(high[i % 3], g->centres[i]);
	}
	for (uint32_t i = 0; i < g->n; i++) {
		keys[i] = (struct cs_sort_key){.index = i};
		for (size_t k = 0; k < 3; k++) {
			float size = high[k] - low[k], x = g->centres[3 * (size_t)i + k] - low[k];
			float cell = size > 0 ? x / size * 1023.0f : 0;
			keys[i].low |= spread((uint32_t)cell) << k;
		}
	}
	return cs_sort_keys(keys, g->n);
}

static float distance2(const struct cs_graph_arrays *g, uint32_t a, uint32_t b)
{
	float sum = 0;
	for (size_t k = 0; k < 3; k++) {
		float d = g->centres[3 * (size_t)a + k] - g->centres[3 * (size_t)b + k];
		sum += d * d;
	}
	return sum;
}

struct near {
	uint32_t node;
	float distance2;
};

/* The nearest nodes of other islands, from near to far; the earlier wins a tie. */
static uint32_t find_near(const struct cs_graph_arrays *g, const struct cs_sort_key *keys,
	const uint32_t *island, uint32_t rank, struct near ret[LINKS])
{
	uint32_t node = keys[rank].index, n = 0;
	uint32_t from = rank > REACH ? rank - REACH : 0;
	uint32_t to = g->n - rank > REACH ? rank + REACH : g->n - 1;
	for (uint32_t i = from; i <= to; i++) {
		struct near near = {keys[i].index, distance2(g, node, keys[i].index)};
		if (island[near.node] == island[node])
			continue;
		uint32_t at = n < LINKS ? n++ : LINKS;
		while (at > 0 && ret[at - 1].distance2 > near.distance2) {
			if (at < LINKS)
				ret[at] = ret[at - 1];
			at--;
		}
		if (at < LINKS)
			ret[at] = near;
	}
	return n;
}

/* ---- merging links and edges ---- */

/* Links as pairs of nodes, both directions, sorted and each once. */
struct links {
	CS_VEC(struct cs_sort_key) pairs;
};

static struct cs_error *find_links(const struct cs_graph_arrays *g, const uint32_t *island,
	const uint32_t *sizes, uint32_t small, struct links *links)
{
	struct cs_sort_key *keys = malloc(((size_t)g->n + 1) * sizeof(*keys));
	bool good = keys && sort_along_curve(g, keys);
	for (uint32_t rank = 0; good && rank < g->n; rank++) {
		struct near near[LINKS + 1];
		uint32_t node = keys[rank].index;
		if (sizes[island[node]] >= small)
			continue;
		uint32_t n = find_near(g, keys, island, rank, near);
		for (uint32_t i = 0; good && i < n; i++) {
			struct cs_sort_key there = {.high = node, .low = near[i].node};
			struct cs_sort_key back = {.high = near[i].node, .low = node};
			good = cs_vec_push(&links->pairs, there) &&
			       cs_vec_push(&links->pairs, back);
		}
	}
	free(keys);
	good = good && cs_sort_keys(links->pairs.at, links->pairs.n);
	return good ? NULL : cs_error_nomem();
}

static bool same_pair(const struct cs_sort_key *a, const struct cs_sort_key *b)
{
	return a->high == b->high && a->low == b->low;
}

static struct cs_error *merge(struct cs_graph_arrays *g, const struct links *links)
{
	struct cs_graph_arrays merged;
	size_t edges = g->offsets[g->n], link = 0, n = 0;
	if (edges + links->pairs.n > UINT32_MAX)
		return cs_error_new(CS_E_LIMIT, "too many islands near each other");
	struct cs_error *error = cs_graph_init(g->n, edges + links->pairs.n, &merged);
	if (error)
		return error;
	for (uint32_t i = 0; i < g->n; i++) {
		for (uint32_t e = g->offsets[i]; e < g->offsets[i + 1]; e++, n++) {
			merged.targets[n] = g->targets[e];
			merged.weights[n] = g->weights[e];
		}
		for (; link < links->pairs.n && links->pairs.at[link].high == i; link++) {
			const struct cs_sort_key *pair = &links->pairs.at[link];
			if (link > 0 && same_pair(pair, pair - 1))
				continue;
			merged.targets[n] = (uint32_t)pair->low;
			merged.weights[n++] = CS_LINK_WEIGHT;
		}
		merged.offsets[i + 1] = (uint32_t)n;
	}
	memcpy(merged.centres, g->centres, 3 * (size_t)g->n * sizeof(*g->centres));
	cs_graph_deinit(g);
	*g = merged;
	return NULL;
}

struct cs_error *cs_graph_link_islands(struct cs_graph_arrays *g, uint32_t small)
{
	uint32_t *island = malloc(((size_t)g->n + 1) * sizeof(*island));
	uint32_t *sizes = malloc(((size_t)g->n + 1) * sizeof(*sizes));
	uint32_t *queue = malloc(((size_t)g->n + 1) * sizeof(*queue));
	struct links links = {0};
	struct cs_error *error = island && sizes && queue ? NULL : cs_error_nomem();
	uint32_t smallest = error ? g->n : find_islands(g, island, sizes, queue);
	free(queue);
	if (!error && smallest < small && smallest < g->n) {
		error = find_links(g, island, sizes, small, &links);
		if (!error)
			error = merge(g, &links);
	}
	free(island);
	free(sizes);
	cs_vec_free(&links.pairs);
	return error;
}
