/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates and frees partitions, and calls the requested implementation (METIS or the native one).
 */
#include "cluster/partition.h"

#include "core/parallel.h"

#include <stdlib.h>

struct cs_error *cs_partition_graph(const struct cs_graph *graph, enum cs_partitioner method,
	struct cs_partition_size size, int threads, struct cs_partition *ret)
{
	struct cs_partition partition = {
		.order = malloc(((size_t)graph->n + 1) * sizeof(uint32_t)),
		/* There are at most as many parts as nodes, and `starts` has one more entry. */
		.starts = malloc(((size_t)graph->n + 2) * sizeof(uint32_t)),
	};
	if (!partition.order || !partition.starts) {
		cs_partition_deinit(&partition);
		return cs_error_nomem();
	}
	for (uint32_t i = 0; i < graph->n; i++)
		partition.order[i] = i;
	struct cs_error *error = method == CS_PARTITIONER_METIS
					 ? cs_partition_metis(graph, size, &partition)
					 : cs_partition_native(graph, size, threads, &partition);
	if (error) {
		cs_partition_deinit(&partition);
		return error;
	}
	*ret = partition;
	return NULL;
}

void cs_partition_deinit(struct cs_partition *partition)
{
	free(partition->order);
	free(partition->starts);
	*partition = (struct cs_partition){0};
}

/* ---- weight of the cut edges ---- */

enum { GRAIN = 1 << 14, PARTS_GRAIN = 64 };

struct weigher {
	const struct cs_graph *graph;
	const struct cs_partition *partition;
	uint32_t *part_of; /* for each node, the index of the part that contains it */
	uint64_t weight;
};

static void number_parts(void *context, size_t begin, size_t end, int thread)
{
	const struct weigher *weigher = context;
	const struct cs_partition *partition = weigher->partition;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		for (uint32_t k = partition->starts[i]; k < partition->starts[i + 1]; k++)
			weigher->part_of[partition->order[k]] = (uint32_t)i;
}

static void weigh_nodes(void *context, size_t begin, size_t end, int thread)
{
	struct weigher *weigher = context;
	const struct cs_graph *graph = weigher->graph;
	uint64_t weight = 0;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		for (uint32_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++)
			if (weigher->part_of[graph->targets[e]] != weigher->part_of[i])
				weight += graph->weights[e];
	/* a sum of integers is the same in any order, so the result does not depend on threads */
	__atomic_fetch_add(&weigher->weight, weight, __ATOMIC_RELAXED);
}

struct cs_error *cs_partition_cut(const struct cs_graph *graph,
	const struct cs_partition *partition, int threads, uint64_t *ret)
{
	struct weigher weigher = {
		graph, partition, malloc(((size_t)graph->n + 1) * sizeof(uint32_t)), 0};
	if (!weigher.part_of)
		return cs_error_nomem();
	cs_parallel_for(threads, partition->n_parts, PARTS_GRAIN, number_parts, &weigher);
	cs_parallel_for(threads, graph->n, GRAIN, weigh_nodes, &weigher);
	free(weigher.part_of);
	*ret = weigher.weight / 2;
	return NULL;
}
