/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the storage of partitions and the choice between the implementations. */
#include "cluster/partition.h"

#include <stdlib.h>

struct cs_error *cs_partition_graph(const struct cs_graph *graph, enum cs_partitioner method,
	struct cs_partition_size size, int threads, struct cs_partition *ret)
{
	struct cs_partition partition = {
		.order = malloc(((size_t)graph->n + 1) * sizeof(uint32_t)),
		/* a part may hold a single node */
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

struct cs_error *cs_partition_cut(
	const struct cs_graph *graph, const struct cs_partition *partition, uint64_t *ret)
{
	uint32_t *part_of = malloc(((size_t)graph->n + 1) * sizeof(*part_of));
	uint64_t weight = 0;
	if (!part_of)
		return cs_error_nomem();
	for (uint32_t i = 0; i < partition->n_parts; i++)
		for (uint32_t k = partition->starts[i]; k < partition->starts[i + 1]; k++)
			part_of[partition->order[k]] = i;
	for (uint32_t i = 0; i < graph->n; i++)
		for (uint32_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++)
			if (part_of[graph->targets[e]] != part_of[i])
				weight += graph->weights[e];
	free(part_of);
	*ret = weight / 2;
	return NULL;
}
