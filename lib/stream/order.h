/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of the queue: the lists of a frame in the order of 2.4, what of them is open, and what
 * the budget let wait.
 */
#ifndef STREAM_ORDER_H
#define STREAM_ORDER_H

#include "base/codec.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* Of a world: cells that the budget did not reach. */
struct cs_run_waiting {
	CS_VEC(struct cs_stream_order_row) waiting[2]; /* by CS_ORDER_ACTIVATE, _LOAD; disjoint */
	uint32_t *wait_slot;                           /* in either */
	/* what waited before: the order that the next one hardly differs from */
	CS_VEC(struct cs_stream_order_row) before[2];
	uint32_t *waited;    /* of each cell: wait_round when it waited at its begin */
	uint32_t wait_round; /* of updates */
};

/* Of a stream. */
struct cs_run_queue {
	CS_VEC(struct cs_stream_order_row) lists[CS_ORDER_LISTS];
	CS_VEC(struct cs_stream_order_row) open[CS_ORDER_LISTS]; /* of these, not there yet */
	CS_VEC(unsigned char) scratch;                           /* of sorting */
};

bool cs_run_waiting_init(struct cs_run_waiting *waiting, size_t n_cells);
void cs_run_waiting_deinit(struct cs_run_waiting *waiting);
/* What waits as bytes. */
void cs_run_waiting_code(struct cs_codec *codec, struct cs_run_world *w);
void cs_run_queue_deinit(struct cs_run_queue *queue);

bool cs_run_order_sort(struct cs_stream *s, enum cs_order_list list);
enum cs_order_key cs_run_order_decide(const struct cs_stream *s,
	const struct cs_stream_order_row *left, const struct cs_stream_order_row *right,
	int *order_ret);
bool cs_run_prioritise(struct cs_stream *s);
/* Whether the cell is where the list would take it. */
bool cs_run_order_arrived(
	const struct cs_stream *s, enum cs_order_list list, struct cs_stream_cell cell);
/* Behind a frame: fills stream.queue.open. */
bool cs_run_order_finish(struct cs_stream *s);
/* Room for sorting n elements of `size`; NULL without memory. */
void *cs_run_scratch(struct cs_stream *s, size_t n, size_t size);

#endif
