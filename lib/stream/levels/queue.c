/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lists of cells in a frame (rules 2.3.1.5 to 7): which rows wait, and when rows get their keys
 * and are sorted. queue.h documents what answers may rely on.
 *
 * In a row without computed keys, the spatial key is NaN, and so is the distance if the first three
 * keys are unknown too. A frame examines each row once. It computes the keys of the leading rows
 * (rows at the front of a list that log an event now) and, if the budget is not used up, of the
 * rows that could be among the first. The whole list is sorted only if two leading rows have nearly
 * equal spatial keys: such rows may belong to one tie (see order.c), and where a tie begins depends
 * on the rows before it, which may be any rows of the list.
 */
#include "stream/stream_internal.h"

#include "core/invariant.h"

#include <math.h>

/* ---- sort keys ---- */

static bool has_keys(const struct cs_stream_order_row *row)
{
	return !isnan(row->keys.spatial);
}

static void find_row_keys(const struct cs_stream *stream, struct cs_stream_order_row *row)
{
	struct cs_run_world *world = stream->worlds.at[row->cell.world];
	const struct cs_run_hit *hit = cs_run_find_hit(world, row->cell.cell);
	struct cs_run_info info;
	if (has_keys(row) || !hit)
		return;
	cs_run_hit_info(stream, world, hit, &info);
	row->keys = info.keys;
}

static void find_keys(const struct cs_stream *stream, struct cs_stream_order_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		find_row_keys(stream, &rows[i]);
}

/* Computes the sort keys of all rows that can be among the first n_first of the order. */
static void find_first_keys(
	const struct cs_stream *stream, struct cs_stream_order_row *rows, size_t n, size_t n_first)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(rows[i].keys.distance2))
			find_row_keys(stream, &rows[i]);
	const struct cs_stream_order_row last = cs_run_order_last_rank(rows, n, n_first);
	for (size_t i = 0; i < n; i++)
		if (!cs_run_order_ranks_behind(&last, &rows[i]))
			find_row_keys(stream, &rows[i]);
}

/* ---- listing cells ---- */

void cs_run_queue_begin(struct cs_stream *stream)
{
	for (int list = 0; list < 2; list++)
		stream->queue.lists[list].n = stream->queue.leading[list] = 0;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		stream->worlds.at[i]->queue.round++;
		stream->worlds.at[i]->queue.open = 0;
	}
	stream->queue.ordered = true;
}

/* Adds an uninitialized row: to the leading rows if `leads`, else at the end; NULL = no memory. */
static struct cs_stream_order_row *new_row(
	struct cs_stream *stream, enum cs_order_list list, bool leads)
{
	if (!cs_vec_reserve(&stream->queue.lists[list], 1))
		return NULL;
	struct cs_stream_order_row *rows = stream->queue.lists[list].at;
	size_t at = stream->queue.lists[list].n++;
	if (!leads)
		return &rows[at];
	size_t to = stream->queue.leading[list]++;
	rows[at] = rows[to];
	return &rows[to];
}

/*
 * Returns true if the cell was already waiting in the previous update. Such a cell logs no event
 * and starts to load only if the budget suffices. Returns false for an always loaded cell, which
 * uses no budget.
 */
static bool just_waits(struct cs_run_world *world, uint32_t cell)
{
	if (world->queue.waited[cell] != world->queue.round - 1)
		return false;
	world->queue.waited[cell] = world->queue.round;
	return !(world->model.flags[cell] & CS_CELL_ALWAYS_LOADED);
}

bool cs_run_queue_list(struct cs_stream *stream, struct cs_run_world *world,
	enum cs_order_list list, const struct cs_run_hit *hit, const struct cs_stream_keys *keys,
	bool free)
{
	struct cs_stream_order_row *row =
		new_row(stream, list, !just_waits(world, hit->cell) || free);
	if (!row)
		return false;
	world->queue.open++;
	*row = (struct cs_stream_order_row){.cell = {world->id, hit->cell}};
	if (keys)
		row->keys = *keys;
	else
		row->keys = (struct cs_stream_keys){hit->source_priority, hit->hierarchical_level,
			hit->cell_priority, NAN, hit->ranked ? 0 : NAN};
	return true;
}

bool cs_run_queue_carry(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		struct cs_run_waiting *queue = &world->queue;
		for (int list = 0; list < 2; list++) {
			for (size_t k = 0; k < queue->waiting[list].n; k++) {
				const struct cs_stream_order_row *waiting =
					&queue->waiting[list].at[k];
				struct cs_stream_order_row *row = new_row(
					stream, list, !just_waits(world, waiting->cell.cell));
				if (!row)
					return false;
				*row = *waiting;
				queue->open++;
			}
			queue->waiting[list].n = 0;
		}
	}
	return true;
}

/* ---- sorting the rows that affect the frame ---- */

static bool sort_all(struct cs_stream *stream, enum cs_order_list list)
{
	find_keys(stream, stream->queue.lists[list].at, stream->queue.lists[list].n);
	stream->queue.leading[list] = stream->queue.lists[list].n;
	return cs_run_order_sort(stream, list);
}

/*
 * Finds the first n_first rows of the load order and the rows that tie with the last of them, and
 * appends those that do not lead yet to the leading rows. Returns the number of rows found.
 */
static size_t lead_first(struct cs_stream *stream, enum cs_order_list list, size_t n_first)
{
	struct cs_stream_order_row *rows = stream->queue.lists[list].at;
	size_t n = stream->queue.lists[list].n, leading = stream->queue.leading[list], within = 0;
	find_first_keys(stream, rows, n, n_first);
	const struct cs_stream_order_row last = cs_run_order_last(rows, n, n_first);
	for (size_t i = 0; i < n; i++) {
		if (!cs_run_order_within(&last, &rows[i]))
			continue;
		within++;
		if (i < stream->queue.leading[list])
			continue;
		struct cs_stream_order_row row = rows[i];
		rows[i] = rows[leading];
		rows[leading++] = row;
	}
	stream->queue.leading[list] = leading;
	return within;
}

bool cs_run_queue_lead(struct cs_stream *stream, enum cs_order_list list, uint32_t budget)
{
	struct cs_stream_order_row *rows = stream->queue.lists[list].at;
	size_t n = stream->queue.lists[list].n, first = 0;
	/* rows that lead already may be among the first, and `budget` others must be found */
	size_t n_first = (size_t)budget + stream->queue.leading[list];
	if (n_first > n)
		n_first = n;
	if (n_first > CS_ORDER_FIRST)
		return sort_all(stream, list);
	if (budget && n)
		first = lead_first(stream, list, n_first);
	find_keys(stream, rows, stream->queue.leading[list]);
	return cs_run_order_rows(stream, rows, stream->queue.leading[list]) &&
	       (cs_run_order_certain(rows, first, stream->queue.leading[list]) ||
		       sort_all(stream, list));
}

static bool reserve_order(struct cs_stream *stream)
{
	size_t n = 0;
	for (int list = 0; list < 2; list++) {
		n = stream->queue.lists[list].n > n ? stream->queue.lists[list].n : n;
		stream->queue.open[list].n = 0;
		if (!cs_vec_reserve(&stream->queue.open[list], stream->queue.lists[list].n))
			return false;
		for (size_t i = 0; i < stream->worlds.n; i++)
			if (!cs_vec_reserve(&stream->worlds.at[i]->queue.waiting[list],
				    stream->worlds.at[i]->queue.open))
				return false;
	}
	return cs_run_order_room(stream, n);
}

bool cs_run_queue_end(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->log.now.waiting += stream->worlds.at[i]->queue.open;
	if (!reserve_order(stream))
		return false;
	stream->queue.ordered = false;
	return true;
}

/* ---- sorting everything on demand ---- */

/*
 * Returns whether the cell has not reached the state that the list requests and is still wanted:
 * its world partition may have been unregistered since.
 */
static bool is_to_come(const struct cs_stream *stream, enum cs_order_list list,
	const struct cs_stream_order_row *row)
{
	const struct cs_run_world *world = stream->worlds.at[row->cell.world];
	const struct cs_run_hit *hit = cs_run_find_hit(world, row->cell.cell);
	const struct cs_run_cell *resident = cs_run_find(world, row->cell.cell);
	if (!row->started)
		return hit && hit->waits == CS_REASON_BUDGET;
	return resident && resident->set != CS_LAYER_UNLOADED &&
	       resident->level != CS_LEVEL_FAILED && !cs_run_order_arrived(stream, list, row->cell);
}

static bool list_open(struct cs_stream *stream, enum cs_order_list list)
{
	stream->queue.open[list].n = 0;
	for (size_t i = 0; i < stream->queue.lists[list].n; i++) {
		struct cs_stream_order_row row = stream->queue.lists[list].at[i];
		int order;
		if (!is_to_come(stream, list, &row))
			continue;
		if (stream->queue.open[list].n == 0)
			row.decided_by = CS_KEY_NONE;
		else if (stream->queue.open[list].n < i)
			row.decided_by = cs_run_order_decide(stream,
				&stream->queue.open[list].at[stream->queue.open[list].n - 1], &row,
				&order);
		if (!cs_vec_push(&stream->queue.open[list], row))
			return false;
	}
	return true;
}

static void list_waiting(struct cs_stream *stream, enum cs_order_list list)
{
	for (size_t i = 0; i < stream->queue.lists[list].n; i++) {
		const struct cs_stream_order_row *row = &stream->queue.lists[list].at[i];
		struct cs_run_waiting *queue = &stream->worlds.at[row->cell.world]->queue;
		if (row->started)
			continue;
		queue->waiting[list].at[queue->waiting[list].n++] = *row;
	}
}

void cs_run_queue_order(struct cs_stream *stream)
{
	bool good = true;
	if (stream->queue.ordered)
		return;
	stream->queue.ordered = true;
	for (int list = 0; list < 2; list++) {
		good = good && sort_all(stream, (enum cs_order_list)list);
		for (size_t i = 0; i < stream->worlds.n; i++)
			stream->worlds.at[i]->queue.waiting[list].n = 0;
		list_waiting(stream, (enum cs_order_list)list);
		good = good && list_open(stream, (enum cs_order_list)list);
	}
	CS_INVARIANT(good, "the order of a frame has its room since the frame listed it");
}

/* Casting const away is allowed: cs_stream_new allocated every stream as a modifiable object. */
void cs_run_queue_look(const struct cs_stream *stream)
{
	cs_run_queue_order((struct cs_stream *)stream);
}

/* Lists in queue.open the rows whose cells have not yet reached the state the list requests. */
bool cs_run_queue_finish(struct cs_stream *stream)
{
	for (int list = stream->queue.ordered ? 0 : 2; list < CS_ORDER_LISTS; list++)
		if (!list_open(stream, (enum cs_order_list)list))
			return false;
	return true;
}

/* ---- waiting cells ---- */

uint32_t cs_run_waiting_count(const struct cs_stream *stream, enum cs_order_list list)
{
	uint32_t n = 0;
	if (stream->queue.ordered)
		for (size_t i = 0; i < stream->worlds.n; i++)
			n += (uint32_t)stream->worlds.at[i]->queue.waiting[list].n;
	for (size_t i = 0; !stream->queue.ordered && i < stream->queue.lists[list].n; i++)
		n += !stream->queue.lists[list].at[i].started;
	return n;
}

void cs_run_waiting_drop(struct cs_run_waiting *waiting)
{
	waiting->waiting[CS_ORDER_ACTIVATE].n = waiting->waiting[CS_ORDER_LOAD].n = 0;
	waiting->round++;
}

static size_t without(struct cs_stream_order_row *rows, size_t n, uint32_t world)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (rows[i].cell.world != world)
			rows[kept++] = rows[i];
	return kept;
}

void cs_run_queue_drop(struct cs_stream *stream, struct cs_run_world *world)
{
	struct cs_run_queue *queue = &stream->queue;
	cs_run_waiting_drop(&world->queue);
	for (int list = 0; list < CS_ORDER_LISTS; list++)
		queue->open[list].n = without(queue->open[list].at, queue->open[list].n, world->id);
}

const struct cs_stream_order_row *cs_run_queue_row(const struct cs_stream *stream,
	struct cs_stream_cell cell, uint32_t *rank_ret, uint32_t *of_ret)
{
	const struct cs_stream_order_row *found = NULL;
	cs_run_queue_look(stream);
	/* a cell that has begun to load or activate is in one of the two PENDING lists */
	for (int list = 0; list < CS_ORDER_LISTS; list++)
		for (size_t i = 0; i < stream->queue.open[list].n; i++)
			if (cs_run_same_cell(stream->queue.open[list].at[i].cell, cell)) {
				found = &stream->queue.open[list].at[i];
				*rank_ret = (uint32_t)i + 1;
				*of_ret = (uint32_t)stream->queue.open[list].n;
			}
	return found;
}

void cs_run_open_code(struct cs_codec *codec, struct cs_run_queue *queue)
{
	for (int list = 0; list < CS_ORDER_LISTS; list++) {
		cs_code_length(codec, &queue->open[list]);
		for (size_t i = 0; i < queue->open[list].n; i++) {
			struct cs_stream_order_row *row = &queue->open[list].at[i];
			if (codec->in)
				*row = (struct cs_stream_order_row){.started = false};
			uint8_t decided_by = (uint8_t)row->decided_by;
			cs_run_cell_code(codec, &row->cell);
			cs_code_u8(codec, &row->keys.source_priority);
			cs_code_u32(codec, (uint32_t *)&row->keys.hierarchical_level);
			cs_code_u32(codec, (uint32_t *)&row->keys.cell_priority);
			cs_code_f64(codec, &row->keys.spatial);
			cs_code_f64(codec, &row->keys.distance2);
			cs_code_u8(codec, &decided_by);
			cs_code_bool(codec, &row->started);
			row->decided_by = (enum cs_order_key)decided_by;
		}
	}
}

static void code_waiting(
	struct cs_codec *codec, struct cs_run_world *world, enum cs_order_list list)
{
	cs_code_length(codec, &world->queue.waiting[list]);
	for (size_t i = 0; i < world->queue.waiting[list].n; i++) {
		struct cs_stream_order_row *row = &world->queue.waiting[list].at[i];
		const struct cs_run_model_cell *cell;
		if (codec->in)
			*row = (struct cs_stream_order_row){.cell.world = world->id};
		cs_code_u32(codec, &row->cell.cell);
		cs_code_u8(codec, &row->keys.source_priority);
		cs_code_f64(codec, &row->keys.spatial);
		cs_code_f64(codec, &row->keys.distance2);
		if (row->cell.cell >= world->model.n_cells)
			continue;
		world->queue.waited[row->cell.cell] = world->queue.round;
		cell = &world->model.cells[row->cell.cell];
		row->keys.hierarchical_level = cell->hierarchical_level;
		row->keys.cell_priority = cell->priority;
	}
}

void cs_run_waiting_code(struct cs_codec *codec, struct cs_run_world *world)
{
	if (codec->in)
		cs_run_waiting_drop(&world->queue);
	code_waiting(codec, world, CS_ORDER_ACTIVATE);
	code_waiting(codec, world, CS_ORDER_LOAD);
}

/* ---- answers about the queue ---- */

const struct cs_stream_order_row *cs_stream_order(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret)
{
	cs_run_queue_look(stream);
	*n_ret = (unsigned)list < CS_ORDER_LISTS ? stream->queue.lists[list].n : 0;
	return *n_ret ? stream->queue.lists[list].at : NULL;
}

const struct cs_stream_order_row *cs_stream_order_open(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret)
{
	cs_run_queue_look(stream);
	*n_ret = (unsigned)list < CS_ORDER_LISTS ? stream->queue.open[list].n : 0;
	return *n_ret ? stream->queue.open[list].at : NULL;
}

/* ---- creating and freeing ---- */

bool cs_run_waiting_init(struct cs_run_waiting *waiting, size_t n_cells)
{
	waiting->waited = calloc(n_cells + 1, sizeof(*waiting->waited));
	/* the first update has round 2: in round 1 zeros would mean "waited in the last update" */
	waiting->round = 1;
	return waiting->waited;
}

void cs_run_waiting_deinit(struct cs_run_waiting *waiting)
{
	free(waiting->waited);
	cs_vec_free(&waiting->waiting[CS_ORDER_ACTIVATE]);
	cs_vec_free(&waiting->waiting[CS_ORDER_LOAD]);
}

void cs_run_queue_deinit(struct cs_run_queue *queue)
{
	for (int i = 0; i < CS_ORDER_LISTS; i++) {
		cs_vec_free(&queue->lists[i]);
		cs_vec_free(&queue->open[i]);
	}
	cs_vec_free(&queue->scratch);
}
