/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes graphs. Links between near nodes follow nanite rules 2.1: nodes are sorted along a Morton
 * curve through their centres. A node of a small island (few connected nodes) is compared with the
 * 16 nodes before it and the 16 nodes after it on the curve, and is linked to the 5 nearest of them
 * that are in other islands.
 */
#include "cluster/graph.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "mesh/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 5, REACH = 16 };

struct cs_error *cs_graph_init(uint32_t n, size_t edges, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays arrays = {
		.n = n,
		.offsets = malloc(((size_t)n + 1) * sizeof(*arrays.offsets)),
		.targets = malloc((edges + 1) * sizeof(*arrays.targets)),
		.weights = malloc((edges + 1) * sizeof(*arrays.weights)),
		.centres = malloc(((size_t)n + 1) * 3 * sizeof(*arrays.centres)),
	};
	if (!arrays.offsets || !arrays.targets || !arrays.weights || !arrays.centres) {
		cs_graph_deinit(&arrays);
		return cs_error_nomem();
	}
	arrays.offsets[0] = 0;
	*ret = arrays;
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

/* ---- the graph of triangles ---- */

/*
 * Number of consecutive triangles (a stretch) whose edges a thread lists at a time. There is room
 * for three edges of each triangle, so the list of a stretch whose first triangle is t starts at
 * index 3 * t.
 */
enum { STRETCH = 1 << 14 };

struct lister {
	const uint32_t *opposite;
	struct cs_graph_arrays *graph;
	/* for each stretch (range of triangles, see STRETCH), the end of the list of its edges */
	uint32_t *ends;
};

/* Writes a triangle's neighbours to the graph from index n on. Returns the index after them. */
static uint32_t list_neighbours(const struct lister *lister, uint32_t triangle, uint32_t n)
{
	const struct cs_graph_arrays *arrays = lister->graph;
	uint32_t first = n;
	for (uint32_t edge = 3 * triangle; edge < 3 * triangle + 3; edge++) {
		uint32_t other = cs_edge_partner(lister->opposite, edge), to = other / 3,
			 at = first;
		if (other == CS_NONE || to == triangle)
			continue;
		/* two triangles that share two edges get one graph edge with the sum of weights */
		while (at < n && arrays->targets[at] != to)
			at++;
		arrays->targets[at] = to;
		arrays->weights[at] =
			at == n ? CS_EDGE_WEIGHT : arrays->weights[at] + CS_EDGE_WEIGHT;
		n += at == n;
	}
	return n;
}

static void list_stretches(void *context, size_t begin, size_t end, int thread)
{
	const struct lister *lister = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		uint32_t first = (uint32_t)i * STRETCH, n = 3 * first,
			 left = lister->graph->n - first;
		uint32_t last = first + (left < STRETCH ? left : STRETCH);
		for (uint32_t triangle = first; triangle < last; triangle++) {
			n = list_neighbours(lister, triangle, n);
			lister->graph->offsets[triangle + 1] = n;
		}
		lister->ends[i] = n;
	}
}

/*
 * Moves the edges of each stretch (range of triangles, see STRETCH) to directly after the edges of
 * the stretch before. Triangles at borders have fewer than three edges, which leaves gaps.
 */
static void graph_close_gaps(struct lister *lister, size_t n_stretches)
{
	struct cs_graph_arrays *arrays = lister->graph;
	uint32_t to = 0;
	for (size_t i = 0; i < n_stretches; i++) {
		uint32_t first = (uint32_t)i * STRETCH, from = 3 * first,
			 n = lister->ends[i] - from;
		if (to < from) {
			memmove(arrays->targets + to, arrays->targets + from,
				n * sizeof(*arrays->targets));
			memmove(arrays->weights + to, arrays->weights + from,
				n * sizeof(*arrays->weights));
			for (uint32_t k = first; k < first + STRETCH && k < arrays->n; k++)
				arrays->offsets[k + 1] -= from - to;
		}
		to += n;
	}
}

struct cs_error *cs_graph_of_triangles(
	const uint32_t *opposite, uint32_t n_triangles, int threads, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays arrays;
	size_t n_stretches = ((size_t)n_triangles + STRETCH - 1) / STRETCH;
	struct lister lister = {opposite, &arrays, malloc((n_stretches + 1) * sizeof(uint32_t))};
	struct cs_error *error =
		lister.ends ? cs_graph_init(n_triangles, 3 * (size_t)n_triangles, &arrays)
			    : cs_error_nomem();
	if (!error) {
		cs_parallel_for(threads, n_stretches, 1, list_stretches, &lister);
		graph_close_gaps(&lister, n_stretches);
		*ret = arrays;
	}
	free(lister.ends);
	return error;
}

/*
 * Numbers each island by its first node. Sets island[i] to the number of the island that contains
 * node i, and sizes[number] to the island's count of nodes. `queue` has room for all nodes and one
 * more. Returns the size of the smallest island.
 */
static uint32_t find_islands(
	const struct cs_graph_arrays *arrays, uint32_t *island, uint32_t *sizes, uint32_t *queue)
{
	uint32_t n = 0, smallest = arrays->n;
	memset(island, 0xff, arrays->n * sizeof(*island));
	for (uint32_t first = 0; first < arrays->n; first++) {
		if (island[first] != CS_NONE)
			continue;
		uint32_t begin = n;
		island[first] = first;
		queue[n++] = first;
		for (uint32_t i = begin; i < n; i++)
			for (uint32_t e = arrays->offsets[queue[i]];
				e < arrays->offsets[queue[i] + 1]; e++) {
				/* no branch, because which nodes were reached is unpredictable */
				uint32_t to = arrays->targets[e];
				queue[n] = to;
				n += island[to] == CS_NONE;
				island[to] = first;
			}
		sizes[first] = n - begin;
		smallest = sizes[first] < smallest ? sizes[first] : smallest;
	}
	return smallest;
}

/* ---- finding nearby nodes ---- */

static uint64_t graph_spread(uint32_t x)
{
	uint64_t v = x & 0x3ff;
	v = (v | v << 16) & 0x30000ff;
	v = (v | v << 8) & 0x300f00f;
	v = (v | v << 4) & 0x30c30c3;
	return (v | v << 2) & 0x9249249;
}

static bool sort_along_curve(const struct cs_graph_arrays *arrays, struct cs_sort_key *keys)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * (size_t)arrays->n; i++) {
		low[i % 3] = fminf(low[i % 3], arrays->centres[i]);
		high[i % 3] = fmaxf(high[i % 3], arrays->centres[i]);
	}
	for (uint32_t i = 0; i < arrays->n; i++) {
		keys[i] = (struct cs_sort_key){.index = i};
		for (size_t k = 0; k < 3; k++) {
			float size = high[k] - low[k],
			      x = arrays->centres[3 * (size_t)i + k] - low[k];
			float cell = size > 0 ? x / size * 1023.0f : 0;
			keys[i].low |= graph_spread((uint32_t)cell) << k;
		}
	}
	return cs_sort_keys(keys, arrays->n);
}

static float distance2(const struct cs_graph_arrays *arrays, uint32_t a, uint32_t b)
{
	float sum = 0;
	for (size_t k = 0; k < 3; k++) {
		float d = arrays->centres[3 * (size_t)a + k] - arrays->centres[3 * (size_t)b + k];
		sum += d * d;
	}
	return sum;
}

struct near {
	uint32_t node;
	float distance2;
};

/*
 * Finds the nearest nodes of other islands for the node at index `rank` of the keys, which are
 * sorted along the Morton curve. `ret` is sorted from near to far; at equal distances by index in
 * the keys. Returns the number of nodes in `ret`.
 */
static uint32_t find_near(const struct cs_graph_arrays *arrays, const struct cs_sort_key *keys,
	const uint32_t *island, uint32_t rank, struct near ret[LINKS])
{
	uint32_t node = keys[rank].index, n = 0;
	uint32_t from = rank > REACH ? rank - REACH : 0;
	uint32_t to = arrays->n - rank > REACH ? rank + REACH : arrays->n - 1;
	for (uint32_t i = from; i <= to; i++) {
		struct near near = {keys[i].index, distance2(arrays, node, keys[i].index)};
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

/* ---- adding links to the graph's edges ---- */

/* Nodes linked to a node of an island of fewer than `small` nodes. CS_NONE ends a shorter list. */
struct links {
	uint32_t to[LINKS];
};

static struct cs_error *find_links(const struct cs_graph_arrays *arrays, const uint32_t *island,
	const uint32_t *sizes, uint32_t small, struct links *links)
{
	struct cs_sort_key *keys = malloc(((size_t)arrays->n + 1) * sizeof(*keys));
	bool good = keys && sort_along_curve(arrays, keys);
	memset(links, 0xff, arrays->n * sizeof(*links));
	for (uint32_t rank = 0; good && rank < arrays->n; rank++) {
		struct near near[LINKS + 1];
		uint32_t node = keys[rank].index;
		if (sizes[island[node]] >= small)
			continue;
		uint32_t n = find_near(arrays, keys, island, rank, near);
		for (uint32_t i = 0; i < n; i++)
			links[node].to[i] = near[i].node;
	}
	free(keys);
	return good ? NULL : cs_error_nomem();
}

static bool is_linked(const struct links *links, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < LINKS; i++)
		if (links[from].to[i] == to)
			return true;
	return false;
}

/*
 * Adds a link as an edge of node `from`. While edges are added, offsets[from + 1] is the index of
 * the next edge of the node, and at last the end of its edges. In a graph without arrays of edges
 * the links are only counted.
 */
static void add_link(struct cs_graph_arrays *arrays, uint32_t from, uint32_t to)
{
	const uint32_t at = arrays->offsets[from + 1]++;
	if (!arrays->targets)
		return;
	arrays->targets[at] = to;
	arrays->weights[at] = CS_LINK_WEIGHT;
}

/* Adds every link in both directions. A link that both of its nodes list is added only once. */
static void add_links(const struct links *links, uint32_t n, struct cs_graph_arrays *arrays)
{
	for (uint32_t from = 0; from < n; from++)
		for (uint32_t i = 0; i < LINKS && links[from].to[i] != CS_NONE; i++) {
			uint32_t to = links[from].to[i];
			add_link(arrays, from, to);
			if (!is_linked(links, to, from))
				add_link(arrays, to, from);
		}
}

/*
 * Copies the edges of a graph, and leaves room after the edges of each node for its links, which
 * add_link() adds later. On entry to->offsets[i + 1] is the number of links of node i; on return it
 * is the index at which the first of these links will be stored.
 */
static void copy_edges(const struct cs_graph_arrays *from, struct cs_graph_arrays *to)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < from->n; i++) {
		uint32_t links = to->offsets[i + 1];
		for (uint32_t e = from->offsets[i]; e < from->offsets[i + 1]; e++, n++) {
			to->targets[n] = from->targets[e];
			to->weights[n] = from->weights[e];
		}
		to->offsets[i + 1] = n;
		n += links;
	}
	memcpy(to->centres, from->centres, 3 * (size_t)from->n * sizeof(*from->centres));
}

/*
 * Makes a graph without edges, with room for the edges of `arrays` and for the links, which become
 * edges too. Sets offsets[i + 1] of the graph to the number of links of node i.
 */
static struct cs_error *graph_make_room(const struct cs_graph_arrays *arrays,
	const struct links *links, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays counts = {
		.offsets = calloc((size_t)arrays->n + 1, sizeof(uint32_t))};
	uint64_t edges = arrays->offsets[arrays->n];
	if (!counts.offsets)
		return cs_error_nomem();
	add_links(links, arrays->n, &counts);
	for (uint32_t i = 0; i < arrays->n; i++)
		edges += counts.offsets[i + 1];
	struct cs_error *error =
		edges <= UINT32_MAX
			? cs_graph_init(arrays->n, edges, ret)
			: cs_error_new(CS_E_LIMIT,
				  "the graph of clusters has more than 2^32 edges: the mesh has "
				  "too many separate parts near each other, so split the mesh");
	if (!error)
		memcpy(ret->offsets, counts.offsets, ((size_t)arrays->n + 1) * sizeof(uint32_t));
	free(counts.offsets);
	return error;
}

static struct cs_error *graph_merge(struct cs_graph_arrays *arrays, const struct links *links)
{
	struct cs_graph_arrays merged;
	struct cs_error *error = graph_make_room(arrays, links, &merged);
	if (error)
		return error;
	copy_edges(arrays, &merged);
	add_links(links, arrays->n, &merged);
	cs_graph_deinit(arrays);
	*arrays = merged;
	return NULL;
}

struct cs_error *cs_graph_link_islands(struct cs_graph_arrays *arrays, uint32_t small)
{
	size_t n = (size_t)arrays->n + 1;
	uint32_t *island = malloc(n * sizeof(*island)), *sizes = malloc(n * sizeof(*sizes));
	uint32_t *queue = malloc(n * sizeof(*queue));
	struct cs_error *error = island && sizes && queue ? NULL : cs_error_nomem();
	uint32_t smallest = error ? arrays->n : find_islands(arrays, island, sizes, queue);
	free(queue);
	if (!error && smallest < small && smallest < arrays->n) {
		struct links *links = malloc(n * sizeof(*links));
		error = links ? find_links(arrays, island, sizes, small, links) : cs_error_nomem();
		if (!error)
			error = graph_merge(arrays, links);
		free(links);
	}
	free(island);
	free(sizes);
	return error;
}
