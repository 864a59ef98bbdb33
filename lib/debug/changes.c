/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the cells that changed between two moments of a run. A snapshot stores the states of all
 * cells that are not unloaded, sorted by world and cell; merging the old and the new snapshot finds
 * the changes. A cell in neither snapshot was unloaded at both moments.
 */
#include <cellscope/runs.h>

#include "core/vec.h"
#include "stream/stream_inside.h"

#include <stdlib.h>
#include <string.h>

struct state_of_cell {
	struct cs_stream_cell cell;
	enum cs_map_state state;
};

typedef CS_VEC(struct state_of_cell) state_list;

struct cs_states {
	size_t n;
	struct state_of_cell at[]; /* states of `n` cells, sorted by world and cell */
};

static struct cs_error *changes_add_world(
	const struct cs_stream *stream, uint32_t world, state_list *states)
{
	uint32_t *cells;
	size_t n;
	struct cs_error *error = cs_stream_residents(stream, world, &cells, &n);
	if (error)
		return error;
	bool room = cs_vec_reserve(states, states->n + n);
	for (size_t i = 0; room && i < n; i++) {
		const struct cs_stream_cell cell = {world, cells[i]};
		const struct cs_stream_cell_view view = cs_stream_cell(stream, cell);
		states->at[states->n++] = (struct state_of_cell){cell, view.shown};
	}
	free(cells);
	return room ? NULL : cs_error_nomem();
}

struct cs_error *cs_states_take(const struct cs_stream *stream, struct cs_states **ret)
{
	state_list list = {0};
	struct cs_states *states = NULL;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < cs_stream_worlds(stream); i++)
		error = changes_add_world(stream, i, &list);
	if (!error) {
		states = malloc(sizeof(*states) + list.n * sizeof(*states->at));
		error = states ? NULL : cs_error_nomem();
	}
	if (!error) {
		states->n = list.n;
		if (list.n)
			memcpy(states->at, list.at, list.n * sizeof(*list.at));
		*ret = states;
	}
	cs_vec_free(&list);
	return error;
}

/* ---- comparing two snapshots ---- */

typedef CS_VEC(struct cs_state_change) change_list;

static struct cs_error *add_change(
	const struct cs_stream *stream, struct cs_state_change change, change_list *changes)
{
	struct cs_stream_why why;
	struct cs_error *error = cs_stream_why(stream, change.cell, &why);
	if (error)
		return error;
	change.reason = why.progress == CS_REASON_ARRIVED ? why.reason : why.progress;
	change.in_range = why.nearest.hit;
	change.spatial = why.nearest.hit ? why.nearest.spatial : -1;
	change.bytes = cs_stream_cell(stream, change.cell).bytes;
	return cs_vec_push(changes, change) ? NULL : cs_error_nomem();
}

static bool changes_is_before(struct cs_stream_cell left, struct cs_stream_cell right)
{
	return left.world != right.world ? left.world < right.world : left.cell < right.cell;
}

/*
 * Returns whether the cell only began or stopped waiting for its load, so that the state of its
 * level is the same.
 */
static bool is_wish(enum cs_map_state from, enum cs_map_state to)
{
	return (from == CS_MAP_UNLOADED && to == CS_MAP_WAITING) ||
	       (from == CS_MAP_WAITING && to == CS_MAP_UNLOADED);
}

static struct cs_error *changes_merge(const struct cs_stream *stream,
	const struct cs_states *before, const struct cs_states *after, change_list *changes)
{
	static const struct state_of_cell behind_all = {{CS_NONE, CS_NONE}, CS_MAP_UNLOADED};
	struct cs_error *error = NULL;
	for (size_t i = 0, k = 0; !error && (i < before->n || k < after->n);) {
		struct state_of_cell left = i < before->n ? before->at[i] : behind_all;
		struct state_of_cell right = k < after->n ? after->at[k] : behind_all;
		bool was = !changes_is_before(right.cell, left.cell),
		     is = !changes_is_before(left.cell, right.cell);
		const struct cs_state_change change = {.cell = was ? left.cell : right.cell,
			.from = was ? left.state : CS_MAP_UNLOADED,
			.to = is ? right.state : CS_MAP_UNLOADED};
		i += was;
		k += is;
		if (change.from != change.to && !is_wish(change.from, change.to))
			error = add_change(stream, change, changes);
	}
	return error;
}

struct cs_error *cs_states_changes(const struct cs_stream *stream, const struct cs_states *before,
	struct cs_state_change **ret, size_t *n_ret)
{
	change_list changes = {0};
	struct cs_states *after;
	struct cs_error *error = cs_states_take(stream, &after);
	if (error)
		return error;
	error = changes_merge(stream, before, after, &changes);
	free(after);
	return cs_vec_give(&changes, error, ret, n_ret);
}
