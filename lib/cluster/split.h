/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts triangles into clusters of at most 128 triangles and 256 vertices each. */
#pragma once

#include "cluster/partition.h"

/*
 * Cuts a graph whose nodes are triangles. `corners` contains 3 vertices for each triangle, below
 * n_vertices, and a cluster counts each vertex once. The parts have the form that
 * cs_partition_graph returns. *n_vertices_ret is the sum of the vertices of all parts.
 */
struct cs_error *cs_split_triangles(const struct cs_graph *graph, const uint32_t *corners,
	uint32_t n_vertices, enum cs_partitioner method, int threads, struct cs_partition *ret,
	size_t *n_vertices_ret) CS_MUST_USE;
