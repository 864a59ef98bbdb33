/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting triangles into clusters: at most 128 triangles and 256 vertices each. */
#pragma once

#include "cluster/partition.h"

/*
 * Nodes of the graph are triangles, `corners` their vertices (3 each, below n_vertices): a cluster
 * counts each vertex once. Parts come as cs_partition_graph gives them; *n_vertices_ret is how many
 * vertices they have, those of each part counted by itself.
 */
struct cs_error *cs_split_triangles(const struct cs_graph *graph, const uint32_t *corners,
	uint32_t n_vertices, enum cs_partitioner method, int threads, struct cs_partition *ret,
	size_t *n_vertices_ret) CS_MUST_USE;
