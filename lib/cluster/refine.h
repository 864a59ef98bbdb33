/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Improves a cut of a graph into two sides. Nodes near the cut (the band) move to the other side
 * one by one as long as this reduces the weight of the cut edges. The other nodes never move, and
 * only their edges to nodes of the band are used.
 */
#pragma once

#include <cellscope/core.h>

enum { CS_BAND_NODES = 60000, CS_BAND_BUCKETS = 127 };

struct cs_band {
	uint32_t n;
	/* n + 1 entries: node i has the edges offsets[i] to offsets[i + 1] - 1 in the band */
	uint32_t *offsets;
	uint16_t *targets, *weights;
	/* for each node, weight of its edges to nodes left and to nodes right of the band */
	int32_t (*pull)[2];
	uint8_t *side;    /* side of each node: 0 is left, 1 is right */
	int32_t heaviest; /* largest weight of an edge */
	/* working memory: lists of nodes by bucket (next, previous), and nodes that were moved */
	uint16_t *next, *previous, *moved;
	int32_t *gain;
	uint8_t *bucket;
	uint16_t heads[2][CS_BAND_BUCKETS];
	int top[2];
	size_t room_nodes, room_edges;
};

/* Number of nodes on the left side, in the band and outside it, and limits of this number. */
struct cs_balance {
	int32_t left, low, high;
};

/* Allocates memory for the given numbers of nodes and edges. Returns false when memory runs out. */
bool cs_band_reserve(struct cs_band *band, size_t nodes, size_t edges);
void cs_band_deinit(struct cs_band *band);

/* Moves nodes in a few passes; balance comes before weight. Returns the weight of the cut edges. */
int64_t cs_band_refine(struct cs_band *band, struct cs_balance *balance);
