/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue: the cells that a frame could start to load, and those that the budget makes wait.
 *
 * An update lists the cells of one world partition after the other, most of them without sort keys.
 * It sorts only the rows that affect the frame: as many first rows as the budget starts, and the
 * rows that cause an event, because their cells start without budget or begin to wait. When a query
 * needs the other rows, they are sorted with keys from the stored hits and targets of the same
 * evaluation. Before code changes data on which these keys depend, it sorts the rows. The result of
 * a query is therefore the same as if every frame sorted all rows.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

#include "core/vec.h"

struct cs_run_hit;
struct cs_run_world;
struct cs_stream;

/*
 * Cells of a world partition that wait, because the budget of the frame did not suffice for them.
 */
struct cs_run_waiting {
	/*
	 * waiting cells in two sorted lists, indexed by CS_ORDER_ACTIVATE and CS_ORDER_LOAD, with
	 * no cell in both. Valid only while cs_run_queue.ordered is true
	 */
	CS_VEC(struct cs_stream_order_row) waiting[2];
	uint32_t *waited; /* for each cell: value of `round` when it last waited */
	uint32_t round;   /* number of the latest update */
	/* number of rows whose cells did not begin to load or activate in the last update */
	uint32_t open;
};

/* Lists of the whole run: cells to activate, to load, and pending requests (enum cs_order_list). */
struct cs_run_queue {
	/* only the first `leading` rows of ACTIVATE and LOAD are sorted, unless `ordered` */
	CS_VEC(struct cs_stream_order_row) lists[CS_ORDER_LISTS];
	/* the rows of `lists` whose cells have not reached the state that the list requests */
	CS_VEC(struct cs_stream_order_row) open[CS_ORDER_LISTS];
	size_t leading[2];
	bool ordered;
	CS_VEC(unsigned char) scratch; /* scratch memory for sorting */
};

bool cs_run_waiting_init(struct cs_run_waiting *waiting, size_t n_cells);
void cs_run_waiting_deinit(struct cs_run_waiting *waiting);
/* Writes or reads the waiting cells, depending on the mode of `codec`; the queue must be sorted. */
void cs_run_waiting_code(struct cs_codec *codec, struct cs_run_world *world);
/* Removes all waiting cells of the world partition. */
void cs_run_waiting_drop(struct cs_run_waiting *waiting);
/* Removes all rows of the world partition from the queue, which must be sorted. */
void cs_run_queue_drop(struct cs_stream *stream, struct cs_run_world *world);
/* Writes or reads, by the mode of `codec`, the rows of queue->open. */
void cs_run_open_code(struct cs_codec *codec, struct cs_run_queue *queue);
/* Returns the number of cells that wait in `list`, summed over all world partitions. */
uint32_t cs_run_waiting_count(const struct cs_stream *stream, enum cs_order_list list);
void cs_run_queue_deinit(struct cs_run_queue *queue);

/* ---- listing and sorting in one update ---- */

/* Empties the lists before an update. Cells of partitions that the update skips keep waiting. */
void cs_run_queue_begin(struct cs_stream *stream);
/*
 * Appends the cell of a hit (a wanted cell) to a list. If `keys` is NULL, the sort keys are
 * computed on demand; if `free` is true, loading the cell uses no budget.
 */
bool cs_run_queue_list(struct cs_stream *stream, struct cs_run_world *world,
	enum cs_order_list list, const struct cs_run_hit *hit, const struct cs_stream_keys *keys,
	bool free);
/* Adds to the lists the waiting cells of worlds that this update left out; false = no memory. */
bool cs_run_queue_carry(struct cs_stream *stream);
/*
 * Moves the rows that affect this frame to the front of the list and sorts them: the first `budget`
 * rows of the load order, and rows that log an event now or use no budget. Stores their number in
 * leading[list]. Returns false when memory runs out.
 */
bool cs_run_queue_lead(struct cs_stream *stream, enum cs_order_list list, uint32_t budget);
/* Ends a queue update: reserves memory for sorting the lists; false when memory runs out. */
bool cs_run_queue_end(struct cs_stream *stream);
/*
 * Called after a frame: lists in queue.open the rows whose cells have not reached the requested
 * state, those of ACTIVATE and LOAD only if queue.ordered is set. False when memory runs out.
 */
bool cs_run_queue_finish(struct cs_stream *stream);

/* ---- sorting on demand ---- */

/* Computes missing sort keys and sorts all lists of the queue. */
void cs_run_queue_order(struct cs_stream *stream);
/*
 * Works as cs_run_queue_order for code that answers questions and has a const stream. What a user
 * can observe does not change.
 */
void cs_run_queue_look(const struct cs_stream *stream);
