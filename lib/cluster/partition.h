/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a graph into parts of limited size, so that the edges between parts have a small total
 * weight.
 *
 * There are two implementations: METIS, as in the engine (nanite rules 2.1), and one written for
 * this program. The result of each is independent of the number of threads.
 */
#pragma once

#include <cellscope/dag.h>

/* A graph. Every edge is stored in both directions; no edge leads back to its own node. */
struct cs_graph {
	uint32_t n;
	/* n + 1 entries: the edges of node i have the indices offsets[i] to offsets[i + 1] - 1 */
	const uint32_t *offsets;
	const uint32_t *targets;
	const uint16_t *weights; /* weight of each edge, at least 1 */
	const float *centres;    /* position of each node, 3 floats */
};

struct cs_partition_size {
	/* limits of the number of nodes in a part: no part exceeds max, and few fall below min */
	uint32_t min, max;
	float target; /* desired mean number of nodes in a part, at most max */
};

/* Nodes, part by part: those of part i are order[starts[i]] .. order[starts[i + 1] - 1]. */
struct cs_partition {
	uint32_t *order;
	/* index in `order` of the first node of each part, then the number of nodes */
	uint32_t *starts;
	uint32_t n_parts;
};

struct cs_error *cs_partition_graph(const struct cs_graph *graph, enum cs_partitioner method,
	struct cs_partition_size size, int threads, struct cs_partition *ret) CS_MUST_USE;
void cs_partition_deinit(struct cs_partition *partition);

/* The two implementations. They sort by part the array `order`, which contains all nodes. */
struct cs_error *cs_partition_metis(const struct cs_graph *graph, struct cs_partition_size size,
	struct cs_partition *partition) CS_MUST_USE;
struct cs_error *cs_partition_native(const struct cs_graph *graph, struct cs_partition_size size,
	int threads, struct cs_partition *partition) CS_MUST_USE;

/* Computes the sum of the weights of the edges between different parts. Each edge counts once. */
struct cs_error *cs_partition_cut(const struct cs_graph *graph,
	const struct cs_partition *partition, int threads, uint64_t *ret) CS_MUST_USE;
