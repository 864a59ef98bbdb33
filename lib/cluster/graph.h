/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that own their arrays, and links: edges of weight 1 between near unconnected nodes. */
#pragma once

#include "cluster/partition.h"

/*
 * CS_EDGE_WEIGHT is the weight of each mesh edge that two nodes share, 4 * 65 as in the engine.
 * CS_LINK_WEIGHT is the weight of a link. One mesh edge outweighs all links of a node.
 */
enum { CS_EDGE_WEIGHT = 260, CS_LINK_WEIGHT = 1 };

/*
 * A graph while it is made: offsets are filled in the order of the nodes, and edges are appended.
 */
struct cs_graph_arrays {
	uint32_t n;
	uint32_t *offsets, *targets;
	uint16_t *weights;
	float *centres;
};

/* Allocates arrays for n nodes and at most `edges` edges, and sets offsets[0] to 0. */
struct cs_error *cs_graph_init(uint32_t n, size_t edges, struct cs_graph_arrays *ret) CS_MUST_USE;
void cs_graph_deinit(struct cs_graph_arrays *graph);

static inline struct cs_graph cs_graph_of(const struct cs_graph_arrays *arrays)
{
	return (struct cs_graph){
		arrays->n, arrays->offsets, arrays->targets, arrays->weights, arrays->centres};
}

/*
 * Links each node of a small island (fewer than `small` connected nodes) to near nodes of other
 * islands, so that a partitioner keeps neighbours together (nanite rules 2.1).
 */
struct cs_error *cs_graph_link_islands(struct cs_graph_arrays *graph, uint32_t small) CS_MUST_USE;

/*
 * Makes the graph of triangles, which are joined where they share an edge of the mesh. `opposite`
 * is the result of cs_match_edges. The caller sets the centres.
 */
struct cs_error *cs_graph_of_triangles(const uint32_t *opposite, uint32_t n_triangles, int threads,
	struct cs_graph_arrays *ret) CS_MUST_USE;
