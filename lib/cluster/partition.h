/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a graph into parts of strictly limited size with few and light edges between them.
 *
 * There are two implementations: METIS, as in the engine (nanite rules 2.1), and our own. Both give
 * the same parts on any number of threads.
 */
#pragma once

#include <cellscope/dag.h>

/*
 * A graph. Every edge is stored in both directions with the same weight, and no edge leads to its
 * own node.
 */
struct cs_graph {
	uint32_t n;
	const uint32_t *offsets; /* n + 1: node i has the edges offsets[i] .. offsets[i + 1] - 1 */
	const uint32_t *targets;
	const uint16_t *weights; /* at least 1 */
	const float *centres;    /* 3 for each node: its position in space */
};

struct cs_partition_size {
	/*
	 * limits of the number of nodes in a part; no part has more than max, and few have less
	 * than min
	 */
	uint32_t min, max;
	float target; /* desired mean number of nodes in a part, at most max */
};

/* Nodes listed part by part: part i has the nodes order[starts[i]] .. order[starts[i + 1] - 1]. */
struct cs_partition {
	uint32_t *order;
	/* index in the order of the first node of each part; then the number of nodes */
	uint32_t *starts;
	uint32_t n_parts;
};

struct cs_error *cs_partition_graph(const struct cs_graph *graph, enum cs_partitioner method,
	struct cs_partition_size size, int threads, struct cs_partition *ret) CS_MUST_USE;
void cs_partition_deinit(struct cs_partition *partition);

/*
 * The two implementations. `order` contains the nodes in some order, and the functions sort them by
 * part.
 */
struct cs_error *cs_partition_metis(const struct cs_graph *graph, struct cs_partition_size size,
	struct cs_partition *partition) CS_MUST_USE;
struct cs_error *cs_partition_native(const struct cs_graph *graph, struct cs_partition_size size,
	int threads, struct cs_partition *partition) CS_MUST_USE;

/* Computes the sum of the weights of edges between different parts, and counts each edge once. */
struct cs_error *cs_partition_cut(const struct cs_graph *graph,
	const struct cs_partition *partition, int threads, uint64_t *ret) CS_MUST_USE;
