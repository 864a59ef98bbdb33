/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the limits of clusters. Parts of 124 to 128 triangles as in nanite rules 2.1, smaller where
 * triangles share so few vertices that 128 would have more than 256 (flat shading, tiny charts);
 * a part that still has too many is cut again on its own.
 */
#include "cluster/split.h"

#include "cluster/dag_internal.h"
#include "cluster/graph.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = CS_CLUSTER_TRIANGLES - 4 };

/* Fuller than the middle of the range: the partitioners can do it, and it costs little. */
#define FILL 126.5f

struct splitter {
	const struct cs_graph *graph;
	const uint32_t *corners;
	enum cs_partitioner method;
	int threads;
	uint32_t *seen; /* by vertex: stamp of the part that it was counted for */
	uint32_t stamp;
};

static uint32_t count_vertices(struct splitter *s, const uint32_t *triangles, uint32_t n)
{
	uint32_t count = 0, stamp = ++s->stamp;
	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; k < 3; k++) {
			uint32_t vertex = s->corners[3 * (size_t)triangles[i] + k];
			count += s->seen[vertex] != stamp;
			s->seen[vertex] = stamp;
		}
	return count;
}

/* Parts of `n` triangles with that many vertices. */
static struct cs_partition_size size_for(uint32_t n, uint32_t vertices)
{
	uint32_t most = CS_CLUSTER_TRIANGLES;
	if ((uint64_t)vertices * CS_CLUSTER_TRIANGLES > (uint64_t)n * CS_CLUSTER_VERTICES)
		most = (uint32_t)((uint64_t)n * CS_CLUSTER_VERTICES / vertices);
	if (most == CS_CLUSTER_TRIANGLES)
		return (struct cs_partition_size){LEAST, most, FILL};
	return (struct cs_partition_size){
		most > 8 ? most - 4 : most / 2 + 1, most, (float)most - 0.5f};
}

/* The nodes of a part as a graph of their own; `number` is by node, its entries are used up. */
static struct cs_error *extract(const struct cs_graph *g, const uint32_t *nodes, uint32_t n,
	uint32_t *number, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays sub;
	size_t edges = 0;
	for (uint32_t i = 0; i < n; i++) {
		edges += g->offsets[nodes[i] + 1] - g->offsets[nodes[i]];
		number[nodes[i]] = i;
	}
	struct cs_error *error = cs_graph_init(n, edges, &sub);
	if (error)
		return error;
	uint32_t m = 0;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(sub.centres + 3 * (size_t)i, g->centres + 3 * (size_t)nodes[i],
			3 * sizeof(float));
		for (uint32_t e = g->offsets[nodes[i]]; e < g->offsets[nodes[i] + 1]; e++) {
			uint32_t to = number[g->targets[e]];
			if (to >= n || nodes[to] != g->targets[e])
				continue;
			sub.targets[m] = to;
			sub.weights[m++] = g->weights[e];
		}
		sub.offsets[i + 1] = m;
	}
	*ret = sub;
	return NULL;
}

/* Cuts the nodes of a part again; their new order is written over the old one. */
static struct cs_error *cut_part(struct splitter *s, uint32_t *nodes, uint32_t n,
	struct cs_partition_size size, uint32_t *number, struct cs_partition *ret)
{
	struct cs_graph_arrays sub;
	struct cs_error *error = extract(s->graph, nodes, n, number, &sub);
	if (error)
		return error;
	struct cs_graph graph = cs_graph_of(&sub);
	error = cs_partition_graph(&graph, s->method, size, s->threads, ret);
	cs_graph_deinit(&sub);
	if (error)
		return error;
	for (uint32_t i = 0; i < n; i++)
		ret->order[i] = nodes[ret->order[i]];
	memcpy(nodes, ret->order, n * sizeof(*nodes));
	return NULL;
}

/*
 * Rounds of cutting: the parts that have too many vertices are cut in two or more, smaller each
 * time, so it ends: a triangle has three.
 */
static struct cs_error *cut_heavy(
	struct splitter *s, struct cs_partition *p, uint32_t *number, bool *done_ret)
{
	struct cs_error *error = NULL;
	uint32_t *starts = malloc(((size_t)s->graph->n + 2) * sizeof(*starts)), n = 0;
	if (!starts)
		return cs_error_nomem();
	*done_ret = true;
	for (uint32_t i = 0; i < p->n_parts && !error; i++) {
		uint32_t *nodes = p->order + p->starts[i], size = p->starts[i + 1] - p->starts[i];
		uint32_t vertices = count_vertices(s, nodes, size);
		starts[n++] = p->starts[i];
		if (vertices <= CS_CLUSTER_VERTICES)
			continue;
		struct cs_partition parts;
		struct cs_partition_size limits = size_for(size, vertices);
		if (limits.max >= size)
			limits = (struct cs_partition_size){size / 2, size - 1, (float)size / 2};
		error = cut_part(s, nodes, size, limits, number, &parts);
		for (uint32_t j = 1; !error && j < parts.n_parts; j++)
			starts[n++] = p->starts[i] + parts.starts[j];
		*done_ret = false;
		if (!error)
			cs_partition_deinit(&parts);
	}
	starts[n] = s->graph->n;
	free(p->starts);
	p->starts = starts;
	p->n_parts = n;
	return error;
}

static struct cs_error *limit_vertices(struct splitter *s, struct cs_partition *p)
{
	bool done = true;
	uint32_t *number = NULL;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < p->n_parts && done; i++)
		done = count_vertices(s, p->order + p->starts[i],
			       p->starts[i + 1] - p->starts[i]) <= CS_CLUSTER_VERTICES;
	if (done)
		return NULL;
	number = calloc((size_t)s->graph->n + 1, sizeof(*number));
	if (!number)
		return cs_error_nomem();
	while (!done && !error)
		error = cut_heavy(s, p, number, &done);
	free(number);
	return error;
}

struct cs_error *cs_split_triangles(const struct cs_graph *graph, const uint32_t *corners,
	uint32_t n_vertices, enum cs_partitioner method, int threads, struct cs_partition *ret)
{
	struct splitter s = {graph, corners, method, threads,
		calloc((size_t)n_vertices + 1, sizeof(uint32_t)), 0};
	struct cs_partition p = {0};
	if (!s.seen)
		return cs_error_nomem();
	uint32_t used = 0;
	for (size_t i = 0; i < 3 * (size_t)graph->n; i++) {
		used += s.seen[corners[i]] == 0;
		s.seen[corners[i]] = 1;
	}
	s.stamp = 1;
	struct cs_error *error =
		cs_partition_graph(graph, method, size_for(graph->n, used), threads, &p);
	if (!error)
		error = limit_vertices(&s, &p);
	free(s.seen);
	if (error)
		cs_partition_deinit(&p);
	else
		*ret = p;
	return error;
}
