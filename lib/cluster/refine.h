/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Improves a cut in two: the nodes near the cut (the band) change sides one by one as long as that
 * makes the cut lighter. Nodes outside the band stay on their side, and only their edges count.
 */
#pragma once

#include <cellscope/core.h>

enum { CS_BAND_NODES = 60000, CS_BAND_BUCKETS = 127 };

struct cs_band {
	uint32_t n;
	uint32_t *offsets; /* n + 1, for the edges inside the band */
	uint16_t *targets, *weights;
	int32_t (*pull)[2]; /* the weight of a node's edges to fixed nodes of either side */
	uint8_t *side;      /* side of each node: 0 left, 1 right */
	int32_t heaviest;   /* largest weight of an edge */
	/* Working memory. */
	uint16_t *next, *previous, *moved;
	int32_t *gain;
	uint8_t *bucket;
	uint16_t heads[2][CS_BAND_BUCKETS];
	int top[2];
	size_t room_nodes, room_edges;
};

/* How many nodes (band and fixed) are on the left side, and how many are allowed there. */
struct cs_balance {
	int32_t left, low, high;
};

/* Makes room. Returns false without memory. */
bool cs_band_reserve(struct cs_band *band, size_t nodes, size_t edges);
void cs_band_deinit(struct cs_band *band);

/*
 * Moves nodes in a few passes, or until nothing is gained. Returns the weight that is cut. A
 * balance that is outside its limits is brought closer to them first.
 */
int64_t cs_band_refine(struct cs_band *band, struct cs_balance *balance);
