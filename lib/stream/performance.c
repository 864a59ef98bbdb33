/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: judging how streaming keeps up (rules 2.5), and the blocking wait that ends a frame in
 * which it does not.
 *
 * A missing cell is judged by distance / radius of the nearest blocking source. The wait runs the
 * policy without a budget and leaves out cells that do not block, until nothing moves; the virtual
 * clock runs along, so its length is the stall that a player would feel.
 */
#include "stream/stream.h"

#include <math.h>

/* Rounds of a wait; each finishes all that moves, so only worlds inside worlds need more than 2. */
enum { ROUNDS = 64 };

bool cs_run_skips(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	return s->in_block && s->block_by_performance && !cs_run_is_server(s) &&
	       !(w->model.flags[cell] & CS_CELL_BLOCK_ON_SLOW);
}

enum cs_performance cs_run_performance_of(const struct cs_stream *s, double ratio, bool blocking)
{
	double limit = cs_run_number(s, blocking ? CS_VAR_BLOCK_RATIO : CS_VAR_SLOW_RATIO);
	double factor = cs_run_number(
		s, blocking ? CS_VAR_BLOCK_WARNING_FACTOR : CS_VAR_SLOW_WARNING_FACTOR);
	if (s->rules->immediate && ratio <= 0)
		return CS_PERFORMANCE_IMMEDIATE;
	if (ratio < limit)
		return CS_PERFORMANCE_CRITICAL;
	return ratio < limit * factor ? CS_PERFORMANCE_SLOW : CS_PERFORMANCE_GOOD;
}

static void worsen(uint8_t *performance, enum cs_performance by)
{
	if (by > *performance)
		*performance = (uint8_t)by;
}

void cs_run_performance_begin(struct cs_stream *s, struct cs_run_world *w)
{
	size_t kept = 0;
	w->performance = w->display_performance = CS_PERFORMANCE_GOOD;
	for (size_t i = 0; i < s->critical.n; i++)
		if (s->critical.at[i].cell.world != w->id)
			s->critical.at[kept++] = s->critical.at[i];
	s->critical.n = kept;
}

/* Nearest first, by cell where equal. */
static void note_critical(
	struct cs_stream *s, struct cs_stream_cell cell, double ratio, uint32_t source)
{
	if (!cs_vec_push(&s->critical, (struct cs_run_critical){cell, ratio, source})) {
		s->failed = true;
		return;
	}
	struct cs_run_critical *rows = s->critical.at, last = rows[s->critical.n - 1];
	size_t i = s->critical.n - 1;
	for (; i > 0 && (rows[i - 1].ratio > ratio ||
				(rows[i - 1].ratio == ratio &&
					cs_run_cell_order(rows[i - 1].cell, cell) > 0));
		i--)
		rows[i] = rows[i - 1];
	rows[i] = last;
	if (s->critical.n > CS_STALL_CELLS)
		s->critical.n = CS_STALL_CELLS;
}

/* Whether a cell that should be active is late. */
static bool late(const struct cs_stream *s, const struct cs_run_cell *r)
{
	if (s->rules->immediate)
		return !r || r->pending_add || r->set != CS_LAYER_ACTIVATED;
	return !r || r->level != CS_LEVEL_VISIBLE;
}

bool cs_run_is_late(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	return cs_run_number(s, CS_VAR_MATCH_BEGUN) != 0 &&
	       !(w->model.flags[cell] & CS_CELL_ALWAYS_LOADED) && late(s, cs_run_find(w, cell));
}

void cs_run_judge(
	struct cs_stream *s, struct cs_run_world *w, uint32_t cell, const struct cs_run_info *info)
{
	uint16_t flags = w->model.flags[cell];
	if (info->hits == 0 || !cs_run_is_late(s, w, cell))
		return;
	if (s->rules->immediate)
		worsen(&w->display_performance, cs_run_performance_of(s, info->ratio, false));
	if (!(flags & CS_CELL_BLOCK_ON_SLOW) || !info->blocking)
		return;
	enum cs_performance performance = cs_run_performance_of(s, info->blocking_ratio, true);
	worsen(&w->performance, performance);
	if (performance >= CS_PERFORMANCE_CRITICAL) {
		s->now.critical += !s->in_block;
		note_critical(s, (struct cs_stream_cell){w->id, cell}, info->blocking_ratio,
			info->target == CS_NONE ? CS_NONE : w->targets.at[info->target].source);
	}
}

void cs_run_performance_request(struct cs_stream *s, const struct cs_run_world *w)
{
	if (w->performance < CS_PERFORMANCE_CRITICAL || s->in_block ||
		w->display_performance > w->performance ||
		cs_run_number(s, CS_VAR_BLOCK_ON_SLOW) == 0 ||
		(cs_run_is_server(s) && !cs_run_server_streams(s, w)))
		return;
	if (!s->block_requested)
		s->block_by_performance = true;
	s->block_requested = true;
}

void cs_run_performance_finish(struct cs_stream *s)
{
	uint8_t before = s->performance;
	s->performance = s->display_performance = CS_PERFORMANCE_GOOD;
	for (size_t i = 0; i < s->worlds.n; i++) {
		const struct cs_run_world *w = s->worlds.at[i];
		if (!w->registered)
			continue;
		worsen(&s->performance, w->performance);
		worsen(&s->display_performance, w->display_performance);
	}
	worsen(&s->now.performance, s->performance);
	worsen(&s->now.display_performance, s->display_performance);
	if (s->performance != before)
		cs_run_event(s, CS_EVENT_PERFORMANCE,
			s->critical.n ? s->critical.at[0].cell : CS_STREAM_NO_CELL, 0, before,
			s->performance, CS_REASON_NONE);
}

/* ---- the wait ---- */

static void describe_stall(struct cs_stream *s, struct cs_stream_stall *stall)
{
	size_t n = s->block_by_performance ? s->critical.n : 0;
	*stall = (struct cs_stream_stall){
		.frame = s->frame, .by_performance = s->block_by_performance};
	stall->n_cells = s->block_by_performance ? s->now.critical : 0;
	for (size_t i = 0; i < CS_STALL_CELLS; i++) {
		stall->cells[i] = i < n ? s->critical.at[i].cell : CS_STREAM_NO_CELL;
		stall->ratios[i] = i < n ? s->critical.at[i].ratio : 0;
	}
	if (n && s->critical.at[0].source < s->sources.n)
		memcpy(stall->source, s->sources.at[s->critical.at[0].source].source.name,
			CS_SOURCE_NAME);
	cs_run_event(s, CS_EVENT_BLOCK, stall->cells[0], stall->n_cells, 0, 1,
		s->block_by_performance ? CS_REASON_PERFORMANCE : CS_REASON_NONE);
}

bool cs_run_block(struct cs_stream *s)
{
	uint64_t begin = s->time;
	uint32_t loads = s->now.loaded;
	struct cs_stream_stall stall;
	bool good = true;
	describe_stall(s, &stall);
	s->in_block = s->now.blocked = true;
	for (int i = 0; good && i < ROUNDS; i++) {
		good = cs_run_update(s);
		if (!good || cs_run_levels_idle(s))
			break;
		good = cs_run_levels_update(s, true);
	}
	for (size_t i = 0; i < s->worlds.n; i++)
		s->worlds.at[i]->evaluated = false; /* what was left out is looked at again */
	s->in_block = s->block_requested = s->block_by_performance = false;
	s->stall = s->time - begin;
	s->now.stall_ns = stall.length_ns = s->stall;
	stall.loads = s->now.loaded - loads;
	cs_run_stall_add(s, &stall);
	return good;
}
