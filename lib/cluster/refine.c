/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refines a cut by the method of Fiduccia and Mattheyses (1982). The gain of a node is how much
 * lighter the cut gets when the node changes sides. Each pass moves nodes in the order of their
 * gain, each at most once, even while the cut gets worse, and then returns to the best cut that it
 * reached. Nodes are queued in buckets by gain. A bucket is a list through next/previous with the
 * latest node first.
 *
 * A node is in the queue when it has an edge to the other side or to a node that was moved, or no
 * edge to its own side, so that unconnected nodes can be moved to balance the sides. A pass ends
 * after some moves without a better cut, because the remaining nodes are far from the cut and would
 * only be moved back.
 */
#include "cluster/refine.h"

#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	NIL = 0xffff,
	MIDDLE = CS_BAND_BUCKETS / 2,
	OUTSIDE = 255, /* the bucket of a node that is not in the queue */
	DONE = 254,    /* the bucket of a node that was moved */
	PASSES = 4,
	/* a pass ends after this many moves without a better cut. Larger bands allow more */
	PATIENCE = 16,
};

bool cs_band_reserve(struct cs_band *band, size_t nodes, size_t edges)
{
	if (nodes > band->room_nodes) {
		size_t n = nodes + nodes / 2 + 64;
		if (!cs_grow(band->offsets, n + 1) || !cs_grow(band->pull, n) ||
			!cs_grow(band->side, n) || !cs_grow(band->next, n) ||
			!cs_grow(band->previous, n) || !cs_grow(band->moved, n) ||
			!cs_grow(band->gain, n) || !cs_grow(band->bucket, n))
			return false;
		band->room_nodes = n;
	}
	if (edges > band->room_edges) {
		size_t n = edges + edges / 2 + 64;
		if (!cs_grow(band->targets, n) || !cs_grow(band->weights, n))
			return false;
		band->room_edges = n;
	}
	return true;
}

void cs_band_deinit(struct cs_band *band)
{
	free(band->offsets);
	free(band->targets);
	free(band->weights);
	free(band->pull);
	free(band->side);
	free(band->next);
	free(band->previous);
	free(band->moved);
	free(band->gain);
	free(band->bucket);
	*band = (struct cs_band){0};
}

/* ---- the queue of nodes ---- */

static int bucket_of(const struct cs_band *band, int32_t gain)
{
	/* A bucket spans 1/8 of the heaviest edge. Gains are rounded down to whole buckets. */
	int32_t unit = band->heaviest / 8 > 0 ? band->heaviest / 8 : 1;
	int32_t bucket = MIDDLE + (gain >= 0 ? gain / unit : -((unit - 1 - gain) / unit));
	return bucket < 0 ? 0 : bucket >= CS_BAND_BUCKETS ? CS_BAND_BUCKETS - 1 : bucket;
}

static void refine_push(struct cs_band *band, int side, uint16_t node)
{
	int bucket = bucket_of(band, band->gain[node]);
	uint16_t head = band->heads[side][bucket];
	band->bucket[node] = (uint8_t)bucket;
	band->next[node] = head;
	band->previous[node] = NIL;
	if (head != NIL)
		band->previous[head] = node;
	band->heads[side][bucket] = node;
	if (bucket > band->top[side])
		band->top[side] = bucket;
}

static void refine_take(struct cs_band *band, int side, uint16_t node)
{
	uint16_t next = band->next[node], previous = band->previous[node];
	if (previous != NIL)
		band->next[previous] = next;
	else
		band->heads[side][band->bucket[node]] = next;
	if (next != NIL)
		band->previous[next] = previous;
}

/* Returns the node of a side with the largest gain, or NIL when none is queued. */
static uint16_t best_of(struct cs_band *band, int side)
{
	while (band->top[side] >= 0 && band->heads[side][band->top[side]] == NIL)
		band->top[side]--;
	return band->top[side] < 0 ? NIL : band->heads[side][band->top[side]];
}

/* ---- moving each node of the band once ---- */

/* Computes the gains of all nodes and fills the queue. Returns the weight of the cut edges. */
static int64_t refine_fill_queue(struct cs_band *band)
{
	int64_t inner = 0, outer = 0;
	memset(band->heads, 0xff, sizeof(band->heads));
	band->top[0] = band->top[1] = -1;
	for (uint32_t v = 0; v < band->n; v++) {
		int side = band->side[v];
		int32_t same = 0, all = 0;
		for (uint32_t e = band->offsets[v]; e < band->offsets[v + 1]; e++) {
			all += band->weights[e];
			same += band->side[band->targets[e]] == side ? band->weights[e] : 0;
		}
		int32_t out = all - same + band->pull[v][1 - side];
		inner += all - same;
		outer += band->pull[v][1 - side];
		same += band->pull[v][side];
		band->gain[v] = out - same;
		band->bucket[v] = OUTSIDE;
		if (out > 0 || same == 0)
			refine_push(band, side, (uint16_t)v);
	}
	return inner / 2 + outer;
}

static void refine_move(struct cs_band *band, uint16_t node, int from)
{
	refine_take(band, from, node);
	band->bucket[node] = DONE;
	band->side[node] = (uint8_t)(1 - from);
	for (uint32_t e = band->offsets[node]; e < band->offsets[node + 1]; e++) {
		uint16_t other = band->targets[e];
		int side = band->side[other];
		int32_t change = 2 * band->weights[e];
		band->gain[other] += side == from ? change : -change;
		if (band->bucket[other] == DONE)
			continue;
		if (band->bucket[other] != OUTSIDE)
			refine_take(band, side, other);
		refine_push(band, side, other);
	}
}

/*
 * Returns the side from which the next node is moved, or -1 when no node can move. A move may
 * exceed a limit of the balance by one node, because limits may be narrow. After such a move, the
 * next node comes from the heavier side, if any of its nodes can move.
 */
static int next_from(struct cs_band *band, const struct cs_balance *balance)
{
	bool left = best_of(band, 0) != NIL, right = best_of(band, 1) != NIL;
	if (balance->left > balance->high && left)
		return 0;
	if (balance->left < balance->low && right)
		return 1;
	if (left && right)
		return band->top[0] != band->top[1]
			       ? band->top[1] > band->top[0]
			       : 2 * balance->left < balance->low + balance->high;
	return left ? 0 : right ? 1 : -1;
}

/* Returns the weight of a cut, or if it is out of balance, a value above the weight of any cut. */
static int64_t cost(int64_t cut, const struct cs_balance *balance)
{
	int64_t low = balance->low - balance->left, high = balance->left - balance->high;
	int64_t off = low > 0 ? low : high > 0 ? high : 0;
	return cut + (off << 40);
}

/*
 * Moves nodes between the sides one by one, then undoes the moves after the best state. Returns
 * whether that state is better than the first: nearer to the limits of the balance or, if equally
 * near, with a lighter cut. *cut_ret is the weight of the cut in the best state.
 */
static bool pass(struct cs_band *band, struct cs_balance *balance, int64_t *cut_ret)
{
	int64_t cut = refine_fill_queue(band), best_cut = cut, best_cost = cost(cut, balance);
	struct cs_balance best = *balance;
	uint32_t n_moved = 0, n_best = 0, patience = PATIENCE + band->n / 64;
	int from;
	while (n_moved - n_best < patience && (from = next_from(band, balance)) >= 0) {
		uint16_t node = best_of(band, from);
		cut -= band->gain[node];
		balance->left += from ? 1 : -1;
		band->moved[n_moved++] = node;
		refine_move(band, node, from);
		if (cost(cut, balance) < best_cost) {
			best_cost = cost(cut, balance);
			best_cut = cut;
			best = *balance;
			n_best = n_moved;
		}
	}
	while (n_moved > n_best)
		band->side[band->moved[--n_moved]] ^= 1;
	*balance = best;
	*cut_ret = best_cut;
	return n_best > 0;
}

int64_t cs_band_refine(struct cs_band *band, struct cs_balance *balance)
{
	int64_t cut;
	int n_passes = 0;
	while (pass(band, balance, &cut) && ++n_passes < PASSES)
		;
	return cut;
}
