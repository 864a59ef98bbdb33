/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which cells load (rules 2.4), for whole lists or only their first rows, and the
 * priorities of loads (2.3.1.8).
 *
 * The engine's rule that spatial keys within 1e-8 tie is not transitive, so it alone defines no
 * order. Here cells whose first three keys are equal are sorted by the exact spatial key. Beginning
 * with the first, all cells within 1e-8 of it form a tie and are sorted by distance and name; the
 * next tie begins after them. In the engine the order within a tie is random, so any order is as
 * good.
 */
#include "stream/stream_internal.h"

#include "core/inline_sort.h"
#include "core/sort.h"

#include <math.h>

#define TIE 1e-8

void *cs_run_scratch(struct cs_stream *stream, size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n + 1, size, &bytes))
		return NULL;
	stream->queue.scratch.n = 0;
	return cs_vec_reserve(&stream->queue.scratch, bytes) ? stream->queue.scratch.at : NULL;
}

static int compare_double(double left, double right)
{
	return left < right ? -1 : left > right;
}

/* Compares two cells by the first three sort keys; *key is the first that differs, or the third. */
static int compare_ranks(
	const struct cs_stream_keys *l, const struct cs_stream_keys *r, enum cs_order_key *key)
{
	*key = CS_KEY_SOURCE;
	if (l->source_priority != r->source_priority)
		return l->source_priority < r->source_priority ? -1 : 1;
	*key = CS_KEY_LEVEL;
	if (l->hierarchical_level != r->hierarchical_level)
		return l->hierarchical_level > r->hierarchical_level ? -1 : 1;
	*key = CS_KEY_PRIORITY;
	return compare_double(l->cell_priority, r->cell_priority);
}

static const char *order_cell_name(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	const struct cs_cooked *cooked = stream->worlds.at[cell.world]->model.cooked;
	return cs_cooked_cell_name(cooked, cell.cell);
}

/* Compares by distance, name, partition, row: cells of two instances of a world share names. */
static int compare_ties(const struct cs_stream *stream, const struct cs_stream_order_row *l,
	const struct cs_stream_order_row *r, enum cs_order_key *key)
{
	int order = compare_double(l->keys.distance2, r->keys.distance2);
	*key = CS_KEY_DISTANCE;
	if (order)
		return order;
	*key = CS_KEY_NAME;
	order = cs_name_compare(order_cell_name(stream, l->cell), order_cell_name(stream, r->cell));
	return order ? order : cs_run_cell_order(l->cell, r->cell);
}

struct sorting {
	const struct cs_stream *stream;
	const struct cs_stream_order_row *rows;
};

static bool is_behind(const void *context, uint32_t left, uint32_t right)
{
	const struct sorting *sorting = context;
	const struct cs_stream_order_row *l = &sorting->rows[left], *r = &sorting->rows[right];
	enum cs_order_key key;
	int order = compare_ranks(&l->keys, &r->keys, &key);
	if (!order)
		order = compare_double(l->keys.spatial, r->keys.spatial);
	return (order ? order : compare_ties(sorting->stream, l, r, &key)) > 0;
}

void *cs_run_order_room(struct cs_stream *stream, size_t n)
{
	struct sorted {
		struct cs_stream_order_row row;
		/* indices of the rows in sorted order, and a buffer for sorting them */
		uint32_t places[2];
	};
	return cs_run_scratch(stream, n, sizeof(struct sorted));
}

/*
 * Sorts rows by their exact keys: nearly equal keys do not tie. Sorts indices first, so that each
 * row is moved once.
 */
static bool sort_exactly(struct cs_stream *stream, struct cs_stream_order_row *rows, size_t n)
{
	struct cs_stream_order_row *copy = cs_run_order_room(stream, n);
	if (!copy)
		return false;
	uint32_t *order = (uint32_t *)(copy + n);
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	const struct sorting sorting = {stream, rows};
	cs_inline_sort(order, order + n, n, is_behind, &sorting);
	if (n)
		memcpy(copy, rows, n * sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		rows[i] = copy[order[i]];
	return true;
}

static int by_tie(const void *left, const void *right, void *context)
{
	enum cs_order_key key;
	return compare_ties(context, left, right, &key);
}

static bool ties(const struct cs_stream_order_row *first, const struct cs_stream_order_row *other)
{
	enum cs_order_key key;
	return compare_ranks(&first->keys, &other->keys, &key) == 0 &&
	       other->keys.spatial - first->keys.spatial <= TIE;
}

enum cs_order_key cs_run_order_decide(const struct cs_stream *stream,
	const struct cs_stream_order_row *left, const struct cs_stream_order_row *right,
	int *order_ret)
{
	enum cs_order_key key;
	*order_ret = compare_ranks(&left->keys, &right->keys, &key);
	if (*order_ret)
		return key;
	double difference = right->keys.spatial - left->keys.spatial;
	if (difference > TIE || difference < -TIE) {
		*order_ret = difference > 0 ? -1 : 1;
		return CS_KEY_SPATIAL;
	}
	*order_ret = compare_ties(stream, left, right, &key);
	return key;
}

/*
 * Returns the sort key by which `row` comes after `above`. `tied`: the rows have equal spatial
 * keys, within rounding, so that the later keys decide.
 */
static enum cs_order_key deciding_key(const struct cs_stream *stream,
	const struct cs_stream_order_row *above, const struct cs_stream_order_row *row, bool tied)
{
	enum cs_order_key key;
	if (compare_ranks(&above->keys, &row->keys, &key))
		return key;
	if (!tied)
		return CS_KEY_SPATIAL;
	compare_ties(stream, above, row, &key);
	return key;
}

bool cs_run_order_rows(struct cs_stream *stream, struct cs_stream_order_row *rows, size_t n)
{
	if (!sort_exactly(stream, rows, n))
		return false;
	void *buffer = cs_run_scratch(stream, n, sizeof(*rows));
	if (!buffer)
		return false;
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && ties(&rows[first], &rows[end]);)
			end++;
		cs_sort_in(rows + first, end - first, sizeof(*rows), by_tie, stream, buffer);
		for (size_t i = first; i < end; i++)
			rows[i].decided_by =
				i ? deciding_key(stream, &rows[i - 1], &rows[i], i > first)
				  : CS_KEY_NONE;
	}
	return true;
}

bool cs_run_order_sort(struct cs_stream *stream, enum cs_order_list list)
{
	return cs_run_order_rows(stream, stream->queue.lists[list].at, stream->queue.lists[list].n);
}

bool cs_run_order_certain(const struct cs_stream_order_row *rows, size_t first, size_t n)
{
	for (size_t i = first + 1; i < n; i++) {
		const struct cs_stream_keys *above = &rows[i - 1].keys, *below = &rows[i].keys;
		enum cs_order_key key;
		if (compare_ranks(above, below, &key) == 0 && above->spatial != below->spatial &&
			fabs(above->spatial - below->spatial) <= TIE)
			return false;
	}
	return true;
}

/* ---- finding the first rows of a list ---- */

/* Returns whether `left` precedes `right` by the first three keys, then the exact spatial key. */
static bool is_before(const struct cs_stream_keys *left, const struct cs_stream_keys *right)
{
	enum cs_order_key key;
	int order = compare_ranks(left, right, &key);
	return order ? order < 0 : left->spatial < right->spatial;
}

/*
 * Returns the row that begins the last group of tied rows among the first n rows of the sorted
 * order. `first` contains the indices of these n rows.
 */
static const struct cs_stream_order_row *last_opening(
	const struct cs_stream_order_row *rows, const uint32_t *first, size_t n)
{
	const struct cs_stream_order_row *opening = &rows[first[0]];
	for (size_t i = 1; i < n; i++)
		if (!ties(opening, &rows[first[i]]))
			opening = &rows[first[i]];
	return opening;
}

static bool ranks_before(const struct cs_stream_keys *left, const struct cs_stream_keys *right)
{
	enum cs_order_key key;
	return compare_ranks(left, right, &key) < 0;
}

/*
 * Stores in `first` the indices of the first n_first rows by `before`, in this order, where rows
 * with equal keys stay in the order of the list. Returns the number of indices.
 */
static inline size_t find_first(const struct cs_stream_order_row *rows, size_t n, size_t n_first,
	bool (*before)(const struct cs_stream_keys *, const struct cs_stream_keys *),
	uint32_t first[CS_ORDER_FIRST])
{
	size_t found = 0;
	for (uint32_t i = 0; i < n; i++) {
		size_t k = found;
		if (k == n_first && !before(&rows[i].keys, &rows[first[k - 1]].keys))
			continue;
		for (k -= k == n_first; k > 0 && before(&rows[i].keys, &rows[first[k - 1]].keys);
			k--)
			first[k] = first[k - 1];
		first[k] = i;
		found += found < n_first;
	}
	return found;
}

struct cs_stream_order_row cs_run_order_last(
	const struct cs_stream_order_row *rows, size_t n, size_t n_first)
{
	uint32_t first[CS_ORDER_FIRST] = {0};
	size_t found = find_first(rows, n, n_first, is_before, first);
	return *last_opening(rows, first, found);
}

struct cs_stream_order_row cs_run_order_last_rank(
	const struct cs_stream_order_row *rows, size_t n, size_t n_first)
{
	uint32_t first[CS_ORDER_FIRST] = {0};
	size_t found = find_first(rows, n, n_first, ranks_before, first);
	return rows[first[found - 1]];
}

bool cs_run_order_ranks_behind(
	const struct cs_stream_order_row *last, const struct cs_stream_order_row *row)
{
	return ranks_before(&last->keys, &row->keys);
}

bool cs_run_order_within(
	const struct cs_stream_order_row *last, const struct cs_stream_order_row *row)
{
	return !is_before(&last->keys, &row->keys) || ties(last, row);
}

/* ---- priorities of loads ---- */

static bool pending(const struct cs_run_cell *resident, enum cs_order_list list)
{
	if (resident->level == CS_LEVEL_FAILED)
		return false;
	if (list == CS_ORDER_PENDING_ACTIVATE)
		return resident->set == CS_LAYER_ACTIVATED && resident->pending_add;
	return resident->set == CS_LAYER_LOADED && !cs_run_level_loaded(resident->level);
}

static struct cs_stream_order_row pending_row(
	const struct cs_run_world *world, const struct cs_run_cell *resident)
{
	const struct cs_run_model_cell *cell = &world->model.cells[resident->cell];
	return (struct cs_stream_order_row){
		.cell = {world->id, resident->cell},
		.keys = {resident->source_priority, cell->hierarchical_level, cell->priority,
			resident->spatial, resident->distance2},
		.started = true,
	};
}

static bool order_gather(struct cs_stream *stream, enum cs_order_list list)
{
	stream->queue.lists[list].n = 0;
	for (size_t i = 0; i < stream->levels.moving.n; i++) {
		const struct cs_run_world *world =
			stream->worlds.at[stream->levels.moving.at[i].world];
		const struct cs_run_cell *resident =
			cs_run_find(world, stream->levels.moving.at[i].cell);
		if (pending(resident, list) &&
			!cs_vec_push(&stream->queue.lists[list], pending_row(world, resident)))
			return false;
	}
	return cs_run_order_sort(stream, list);
}

bool cs_run_order_arrived(
	const struct cs_stream *stream, enum cs_order_list list, struct cs_stream_cell cell)
{
	const struct cs_run_cell *resident = cs_run_find(stream->worlds.at[cell.world], cell.cell);
	if (list == CS_ORDER_ACTIVATE || list == CS_ORDER_PENDING_ACTIVATE)
		return resident && resident->level == CS_LEVEL_VISIBLE && !resident->pending_add;
	return resident && cs_run_level_loaded(resident->level);
}

/* Assigns priorities: `lowest` to the last row of the list, and one more to each row before it. */
static void assign(struct cs_stream *stream, enum cs_order_list list, uint32_t lowest)
{
	size_t n = stream->queue.lists[list].n;
	for (size_t i = 0; i < n; i++) {
		struct cs_stream_cell cell = stream->queue.lists[list].at[i].cell;
		cs_run_find(stream->worlds.at[cell.world], cell.cell)->priority =
			lowest + (uint32_t)(n - 1 - i);
	}
}

bool cs_run_prioritise(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->levels.moving.n; i++)
		cs_run_find(stream->worlds.at[stream->levels.moving.at[i].world],
			stream->levels.moving.at[i].cell)
			->priority = 0;
	if (!order_gather(stream, CS_ORDER_PENDING_LOAD) ||
		!order_gather(stream, CS_ORDER_PENDING_ACTIVATE))
		return false;
	uint32_t loads = (uint32_t)stream->queue.lists[CS_ORDER_PENDING_LOAD].n;
	uint32_t activations = (uint32_t)stream->queue.lists[CS_ORDER_PENDING_ACTIVATE].n;
	assign(stream, CS_ORDER_PENDING_LOAD, 1);
	assign(stream, CS_ORDER_PENDING_ACTIVATE, loads + 1);
	if (stream->levels.showing.cell != CS_NONE)
		cs_run_find(stream->worlds.at[stream->levels.showing.world],
			stream->levels.showing.cell)
			->priority = loads + activations + 1;
	stream->levels.sorted = false;
	return true;
}
