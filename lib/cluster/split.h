/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts triangles into clusters of at most 128 triangles and 256 vertices each. */
#pragma once

#include "cluster/partition.h"

/*
 * Cuts a graph whose nodes are triangles into clusters. `corners` contains 3 vertices for each
 * triangle, below n_vertices. *ret lists the triangles of each cluster as cs_partition_graph does.
 * *n_vertices_ret is the sum of the vertex counts of all clusters.
 */
struct cs_error *cs_split_triangles(const struct cs_graph *graph, const uint32_t *corners,
	uint32_t n_vertices, enum cs_partitioner method, int threads, struct cs_partition *ret,
	size_t *n_vertices_ret) CS_MUST_USE;
