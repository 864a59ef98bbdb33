/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of the queue: the cells that a frame would start, and those that the budget lets wait.
 *
 * An update lists the cells world by world, most of them without sort keys. It sorts only the rows
 * that affect the frame: the first rows, as many as the budget starts, and the rows that cause
 * events because they start without budget or begin to wait. The other rows get keys and order when
 * an answer needs them, from the stored hits and targets of the same evaluation; code that changes
 * what keys depend on completes the order first. So an answer is the same as if every frame sorted
 * all rows.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

#include "core/vec.h"

struct cs_run_hit;
struct cs_run_world;
struct cs_stream;

/* Whether a cell waits. */
struct cs_run_wait {
	uint32_t slot;  /* index in one of the lists `waiting` */
	uint32_t round; /* number of the last update in which the cell waited */
};

/* State of a world: cells that the budget did not reach. */
struct cs_run_waiting {
	/* sorted by CS_ORDER_ACTIVATE and _LOAD, disjoint; valid while the queue is in order */
	CS_VEC(struct cs_stream_order_row) waiting[2];
	struct cs_run_wait *waits; /* wait of each cell */
	uint32_t round;
	uint32_t open; /* rows that the update listed and did not start */
};

/* State of a stream. */
struct cs_run_queue {
	/*
	 * Before cs_run_queue_order() only the first `leading` rows of ACTIVATE and LOAD are
	 * sorted.
	 */
	CS_VEC(struct cs_stream_order_row) lists[CS_ORDER_LISTS];
	/* the rows of `lists` whose cells have not arrived */
	CS_VEC(struct cs_stream_order_row) open[CS_ORDER_LISTS];
	size_t leading[2];
	bool ordered;
	CS_VEC(unsigned char) scratch; /* memory for sorting */
};

bool cs_run_waiting_init(struct cs_run_waiting *waiting, size_t n_cells);
void cs_run_waiting_deinit(struct cs_run_waiting *waiting);
/* Reads or writes, as the codec says, the waiting cells; the queue must be in order. */
void cs_run_waiting_code(struct cs_codec *codec, struct cs_run_world *world);
/* Removes all waiting cells of the world. */
void cs_run_waiting_drop(struct cs_run_waiting *waiting);
/* Removes all rows of the world; the queue must be in order. */
void cs_run_queue_drop(struct cs_stream *stream, struct cs_run_world *world);
/* Reads or writes, as the codec says, the rows of `open`. */
void cs_run_open_code(struct cs_codec *codec, struct cs_run_queue *queue);
/* Returns the number of cells of all worlds that wait in the list. */
uint32_t cs_run_waiting_count(const struct cs_stream *stream, enum cs_order_list list);
void cs_run_queue_deinit(struct cs_run_queue *queue);

/* ---- an update ---- */

/* Begins the lists of an update; worlds that are not evaluated may keep their waiting cells. */
void cs_run_queue_begin(struct cs_stream *stream);
/*
 * Lists the cell of a hit. `keys` NULL: the sort keys are computed on demand. `free`: the cell
 * starts without using the budget.
 */
bool cs_run_queue_list(struct cs_stream *stream, struct cs_run_world *world,
	enum cs_order_list list, const struct cs_run_hit *hit, const struct cs_stream_keys *keys,
	bool free);
/* Lists the waiting cells of worlds that were not evaluated again; false without memory. */
bool cs_run_queue_carry(struct cs_stream *stream);
/*
 * Moves the rows that a budget starts, and those that cause events, to the front of the list in
 * their order: leading[list] rows.
 */
bool cs_run_queue_lead(struct cs_stream *stream, enum cs_order_list list, uint32_t budget);
/* Ends an update: reserves the memory that sorting its lists may need; false without memory. */
bool cs_run_queue_end(struct cs_stream *stream);
/* After a frame: fills stream.queue.open for the lists that are sorted; false without memory. */
bool cs_run_queue_finish(struct cs_stream *stream);

/* ---- looking ---- */

/* Computes missing keys and orders all lists. */
void cs_run_queue_order(struct cs_stream *stream);
/*
 * The same for code that answers questions and has a const stream; the visible state is unchanged.
 */
void cs_run_queue_look(const struct cs_stream *stream);
