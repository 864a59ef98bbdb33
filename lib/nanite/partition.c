/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the storage of partitions and the choice between the implementations. */
#include "nanite/partition.h"

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
