/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of the queue: the cells that a frame would start, and what the budget let wait.
 *
 * An update lists them world by world, most of them without keys. It orders only what decides: the
 * first ones as far as the budget goes, and those that start for nothing or begin to wait, which
 * have events. The rest gets keys and its order when somebody looks, from the hits and targets of
 * the same evaluation, which stay until the next: whoever would change what keys follow from asks
 * for the order first. So the answer is that of sorting all of it in every frame.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

#include "core/vec.h"

struct cs_run_hit;
struct cs_run_world;
struct cs_stream;

/* Of a cell. */
struct cs_run_wait {
	uint32_t slot;  /* in one of `waiting` */
	uint32_t round; /* of updates: the last in which it waited */
};

/* Of a world: cells that the budget did not reach. */
struct cs_run_waiting {
	/* by CS_ORDER_ACTIVATE, _LOAD; disjoint; of queues that are in order */
	CS_VEC(struct cs_stream_order_row) waiting[2];
	struct cs_run_wait *waits; /* of each cell */
	uint32_t round;
	uint32_t open; /* of an update: rows that it listed and did not start */
};

/* Of a stream. */
struct cs_run_queue {
	/* Until it is in order, the first `leading` rows of ACTIVATE and LOAD are. */
	CS_VEC(struct cs_stream_order_row) lists[CS_ORDER_LISTS];
	CS_VEC(struct cs_stream_order_row) open[CS_ORDER_LISTS]; /* of these, not there yet */
	size_t leading[2];
	bool ordered;
	CS_VEC(unsigned char) scratch; /* of sorting */
};

bool cs_run_waiting_init(struct cs_run_waiting *waiting, size_t n_cells);
void cs_run_waiting_deinit(struct cs_run_waiting *waiting);
/* What waits as bytes; the queue is in order. */
void cs_run_waiting_code(struct cs_codec *codec, struct cs_run_world *w);
/* Nothing of the world waits any more. */
void cs_run_waiting_drop(struct cs_run_waiting *waiting);
/* Nor is anything of it to come; the queue is in order. */
void cs_run_queue_drop(struct cs_stream *s, struct cs_run_world *w);
/* The rows that are still to come, as bytes. */
void cs_run_open_code(struct cs_codec *codec, struct cs_run_queue *queue);
/* Cells of all worlds that wait in the list. */
uint32_t cs_run_waiting_count(const struct cs_stream *s, enum cs_order_list list);
void cs_run_queue_deinit(struct cs_run_queue *queue);

/* ---- an update ---- */

/* Begins the lists of an update, in which worlds may keep what waited. */
void cs_run_queue_begin(struct cs_stream *s);
/* Lists the cell of a hit; `keys` NULL: when they are asked for. `free`: it will start whatever the
 * budget. */
bool cs_run_queue_list(struct cs_stream *s, struct cs_run_world *w, enum cs_order_list list,
	const struct cs_run_hit *hit, const struct cs_stream_keys *keys, bool free);
/* What waited in worlds that were not evaluated waits on. */
bool cs_run_queue_carry(struct cs_stream *s);
/*
 * Brings to the front of the list, in their order, the rows that a budget starts and those that
 * have events: leading[list] of them.
 */
bool cs_run_queue_lead(struct cs_stream *s, enum cs_order_list list, uint32_t budget);
/* Ends the lists of an update: now they can be put in order without asking for memory. */
bool cs_run_queue_end(struct cs_stream *s);
/* Behind a frame: fills stream.queue.open, as far as the lists are in order. */
bool cs_run_queue_finish(struct cs_stream *s);

/* ---- looking ---- */

/* Keys and order for all that is listed, if they have none yet. */
void cs_run_queue_order(struct cs_stream *s);
/* The same for whoever only looks: what they see does not depend on when they do. */
void cs_run_queue_look(const struct cs_stream *s);
