/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts triangles into clusters within the limits of a cluster. Parts have 124 to 128 triangles, as
 * in nanite rules 2.1, and fewer where triangles share so few vertices that 128 of them would have
 * more than 256 vertices (flat shading, tiny charts). A part that still has too many vertices is
 * cut again by itself.
 */
#include "cluster/split.h"

#include "cluster/dag_internal.h"
#include "cluster/graph.h"
#include "core/parallel.h"
#include "core/slots.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = CS_CLUSTER_TRIANGLES - 4, GRAIN = 64 };

/*
 * Desired mean number of triangles of a part. It is above the middle of the range from LEAST to
 * 128, because the partitioners reach it with hardly more weight of the cut edges.
 */
#define FILL 126.5f

/*
 * Returns whether 128 triangles would need more than 256 vertices, if they had as many vertices per
 * triangle as these n triangles, which use `vertices` vertices.
 */
static bool split_too_many(uint32_t n, uint32_t vertices)
{
	return (uint64_t)vertices * CS_CLUSTER_TRIANGLES > (uint64_t)n * CS_CLUSTER_VERTICES;
}

struct splitter {
	const struct cs_graph *graph;
	const uint32_t *corners;
	enum cs_partitioner method;
	int threads;
};

/* Counts the distinct vertices that the n given triangles use. */
static uint32_t count_vertices(
	const struct splitter *splitter, const uint32_t *triangles, uint32_t n)
{
	enum { SLOTS = 512 };
	uint32_t vertices[3 * CS_CLUSTER_TRIANGLES], count = 0;
	uint16_t slots[SLOTS]; /* hash table: index in `vertices` + 1, or 0 for a free slot */
	memset(slots, 0, sizeof(slots));
	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; k < 3; k++) {
			uint32_t vertex = splitter->corners[3 * (size_t)triangles[i] + k];
			uint16_t *slot = cs_probe(slots, SLOTS - 1, vertex * 0x9e3779b1u >> 23,
				number, vertices[number] == vertex);
			if (*slot)
				continue;
			vertices[count++] = vertex;
			*slot = (uint16_t)count;
		}
	return count;
}

/*
 * Counts the vertices that the triangles use. Does not count, and returns n_vertices in *ret, if no
 * split would be needed even if the triangles used all n_vertices.
 */
static struct cs_error *count_used(
	const struct splitter *splitter, uint32_t n_vertices, uint32_t *ret)
{
	uint32_t n = splitter->graph->n, used = 0;
	*ret = n_vertices;
	if (!split_too_many(n, n_vertices))
		return NULL;
	bool *seen = calloc((size_t)n_vertices + 1, sizeof(*seen));
	if (!seen)
		return cs_error_nomem();
	for (size_t i = 0; i < 3 * (size_t)n; i++) {
		used += !seen[splitter->corners[i]];
		seen[splitter->corners[i]] = true;
	}
	free(seen);
	*ret = used;
	return NULL;
}

/* Returns the limits of the part size for n triangles that use `vertices` vertices. */
static struct cs_partition_size size_for(uint32_t n, uint32_t vertices)
{
	uint32_t most = CS_CLUSTER_TRIANGLES;
	if (split_too_many(n, vertices))
		most = (uint32_t)((uint64_t)n * CS_CLUSTER_VERTICES / vertices);
	if (most == CS_CLUSTER_TRIANGLES)
		return (struct cs_partition_size){LEAST, most, FILL};
	return (struct cs_partition_size){
		most > 8 ? most - 4 : most / 2 + 1, most, (float)most - 0.5f};
}

/* Makes the graph of a part's n nodes. Overwrites `number`, an entry per node of the full graph. */
static struct cs_error *extract(const struct cs_graph *graph, const uint32_t *nodes, uint32_t n,
	uint32_t *number, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays sub;
	size_t edges = 0;
	for (uint32_t i = 0; i < n; i++) {
		edges += graph->offsets[nodes[i] + 1] - graph->offsets[nodes[i]];
		number[nodes[i]] = i;
	}
	struct cs_error *error = cs_graph_init(n, edges, &sub);
	if (error)
		return error;
	uint32_t m = 0;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(sub.centres + 3 * (size_t)i, graph->centres + 3 * (size_t)nodes[i],
			3 * sizeof(float));
		for (uint32_t e = graph->offsets[nodes[i]]; e < graph->offsets[nodes[i] + 1]; e++) {
			uint32_t to = number[graph->targets[e]];
			if (to >= n || nodes[to] != graph->targets[e])
				continue;
			sub.targets[m] = to;
			sub.weights[m++] = graph->weights[e];
		}
		sub.offsets[i + 1] = m;
	}
	*ret = sub;
	return NULL;
}

/* Cuts a part again. `nodes` lists the part's n nodes, and is then sorted by the new parts. */
static struct cs_error *cut_part(struct splitter *splitter, uint32_t *nodes, uint32_t n,
	struct cs_partition_size size, uint32_t *number, struct cs_partition *ret)
{
	struct cs_graph_arrays sub;
	struct cs_error *error = extract(splitter->graph, nodes, n, number, &sub);
	if (error)
		return error;
	struct cs_graph graph = cs_graph_of(&sub);
	error = cs_partition_graph(&graph, splitter->method, size, splitter->threads, ret);
	cs_graph_deinit(&sub);
	if (error)
		return error;
	for (uint32_t i = 0; i < n; i++)
		ret->order[i] = nodes[ret->order[i]];
	memcpy(nodes, ret->order, n * sizeof(*nodes));
	return NULL;
}

/* Cuts parts with too many vertices until none are left, at worst into single triangles. */
static struct cs_error *cut_heavy(
	struct splitter *splitter, struct cs_partition *partition, uint32_t *number)
{
	struct cs_error *error = NULL;
	uint32_t *starts = malloc(((size_t)splitter->graph->n + 2) * sizeof(*starts)), n = 0;
	if (!starts)
		return cs_error_nomem();
	for (uint32_t i = 0; i < partition->n_parts && !error; i++) {
		uint32_t *nodes = partition->order + partition->starts[i],
			 size = partition->starts[i + 1] - partition->starts[i];
		uint32_t vertices = count_vertices(splitter, nodes, size);
		starts[n++] = partition->starts[i];
		if (vertices <= CS_CLUSTER_VERTICES)
			continue;
		struct cs_partition parts;
		struct cs_partition_size limits = size_for(size, vertices);
		if (limits.max >= size)
			limits = (struct cs_partition_size){size / 2, size - 1, (float)size / 2};
		error = cut_part(splitter, nodes, size, limits, number, &parts);
		for (uint32_t j = 1; !error && j < parts.n_parts; j++)
			starts[n++] = partition->starts[i] + parts.starts[j];
		if (!error)
			cs_partition_deinit(&parts);
	}
	starts[n] = splitter->graph->n;
	free(partition->starts);
	partition->starts = starts;
	partition->n_parts = n;
	return error;
}

struct scales {
	const struct splitter *splitter;
	const struct cs_partition *parts;
	uint64_t vertices; /* sum of the vertex counts of all parts */
	bool heavy;        /* whether some part has too many vertices */
};

static void weigh_parts(void *context, size_t begin, size_t end, int thread)
{
	struct scales *scales = context;
	const uint32_t *starts = scales->parts->starts;
	uint64_t sum = 0;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		uint32_t vertices = count_vertices(scales->splitter,
			scales->parts->order + starts[i], starts[i + 1] - starts[i]);
		sum += vertices;
		if (vertices > CS_CLUSTER_VERTICES)
			__atomic_store_n(&scales->heavy, true, __ATOMIC_RELAXED);
	}
	__atomic_fetch_add(&scales->vertices, sum, __ATOMIC_RELAXED);
}

static struct cs_error *limit_vertices(
	struct splitter *splitter, struct cs_partition *partition, size_t *n_vertices_ret)
{
	struct cs_error *error = NULL;
	uint32_t *number = NULL;
	for (;;) {
		struct scales scales = {.splitter = splitter, .parts = partition};
		cs_parallel_for(splitter->threads, partition->n_parts, GRAIN, weigh_parts, &scales);
		*n_vertices_ret = scales.vertices;
		if (!scales.heavy || error)
			break;
		if (!number && !(number = calloc((size_t)splitter->graph->n + 1, sizeof(*number))))
			error = cs_error_nomem();
		else
			error = cut_heavy(splitter, partition, number);
	}
	free(number);
	return error;
}

struct cs_error *cs_split_triangles(const struct cs_graph *graph, const uint32_t *corners,
	uint32_t n_vertices, enum cs_partitioner method, int threads, struct cs_partition *ret,
	size_t *n_vertices_ret)
{
	struct splitter splitter = {graph, corners, method, threads};
	struct cs_partition partition = {0};
	uint32_t used;
	struct cs_error *error = count_used(&splitter, n_vertices, &used);
	if (!error)
		error = cs_partition_graph(
			graph, method, size_for(graph->n, used), threads, &partition);
	if (!error)
		error = limit_vertices(&splitter, &partition, n_vertices_ret);
	if (error)
		cs_partition_deinit(&partition);
	else
		*ret = partition;
	return error;
}
