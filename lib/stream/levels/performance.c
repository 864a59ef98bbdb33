/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns judging how streaming keeps up (rule 2.5): a missing cell is judged by distance / radius of
 * the nearest blocking source. When that is too low the frame ends in a wait (block.c).
 */
#include "stream/stream_internal.h"

#include <math.h>

bool cs_run_skips(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	return s->performance.in_block && s->performance.block_by_performance &&
	       !cs_run_is_server(s) && !(w->model.flags[cell] & CS_CELL_BLOCK_ON_SLOW);
}

static enum cs_performance run_performance_of(
	const struct cs_stream *s, double ratio, bool blocking)
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
	w->performance.state = w->performance.display = CS_PERFORMANCE_GOOD;
	w->performance.judged = false;
	for (size_t i = 0; i < s->performance.critical.n; i++)
		if (s->performance.critical.at[i].cell.world != w->id)
			s->performance.critical.at[kept++] = s->performance.critical.at[i];
	s->performance.critical.n = kept;
}

/* Sorted by distance, equal ones by cell. */
static void note_critical(
	struct cs_stream *s, struct cs_stream_cell cell, double ratio, uint32_t source)
{
	if (!cs_vec_push(&s->performance.critical, (struct cs_run_critical){cell, ratio, source})) {
		s->failed = true;
		return;
	}
	struct cs_run_critical *rows = s->performance.critical.at,
			       last = rows[s->performance.critical.n - 1];
	size_t i = s->performance.critical.n - 1;
	for (; i > 0 && (rows[i - 1].ratio > ratio ||
				(rows[i - 1].ratio == ratio &&
					cs_run_cell_order(rows[i - 1].cell, cell) > 0));
		i--)
		rows[i] = rows[i - 1];
	rows[i] = last;
	if (s->performance.critical.n > CS_STALL_CELLS)
		s->performance.critical.n = CS_STALL_CELLS;
}

/* Returns whether a cell that should be active is late. */
static bool late(const struct cs_stream *s, const struct cs_run_cell *r)
{
	if (s->rules->immediate)
		return !r || r->pending_add || r->set != CS_LAYER_ACTIVATED;
	return !r || r->level != CS_LEVEL_VISIBLE;
}

/* Returns whether the cell, if it should be active, is late and counts. */
static bool run_is_late(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	return cs_run_number(s, CS_VAR_MATCH_BEGUN) != 0 &&
	       !(w->model.flags[cell] & CS_CELL_ALWAYS_LOADED) && late(s, cs_run_find(w, cell));
}

bool cs_run_judges(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	return (s->rules->immediate || (w->model.flags[cell] & CS_CELL_BLOCK_ON_SLOW)) &&
	       run_is_late(s, w, cell);
}

uint8_t cs_run_judge(
	struct cs_stream *s, struct cs_run_world *w, uint32_t cell, const struct cs_run_info *info)
{
	uint16_t flags = w->model.flags[cell];
	if (info->hits == 0)
		return 0;
	if (s->rules->immediate)
		worsen(&w->performance.display, run_performance_of(s, info->ratio, false));
	if (!(flags & CS_CELL_BLOCK_ON_SLOW) || !info->blocking)
		return 0;
	enum cs_performance performance = run_performance_of(s, info->blocking_ratio, true);
	worsen(&w->performance.state, performance);
	if (performance >= CS_PERFORMANCE_CRITICAL) {
		s->log.now.critical += !s->performance.in_block;
		note_critical(s, (struct cs_stream_cell){w->id, cell}, info->blocking_ratio,
			info->target == CS_NONE ? CS_NONE
						: w->reached.targets.at[info->target].source);
	}
	w->performance.judged = true;
	return (uint8_t)(performance + 1);
}

void cs_run_performance_request(struct cs_stream *s, const struct cs_run_world *w)
{
	if (w->performance.state < CS_PERFORMANCE_CRITICAL || s->performance.in_block ||
		w->performance.display > w->performance.state ||
		cs_run_number(s, CS_VAR_BLOCK_ON_SLOW) == 0 ||
		(cs_run_is_server(s) && !cs_run_server_streams(s, w)))
		return;
	if (!s->performance.block_requested)
		s->performance.block_by_performance = true;
	s->performance.block_requested = true;
}

void cs_run_performance_finish(struct cs_stream *s)
{
	uint8_t before = s->performance.state;
	s->performance.state = s->performance.display = CS_PERFORMANCE_GOOD;
	for (size_t i = 0; i < s->worlds.n; i++) {
		const struct cs_run_world *w = s->worlds.at[i];
		if (!w->registered)
			continue;
		worsen(&s->performance.state, w->performance.state);
		worsen(&s->performance.display, w->performance.display);
	}
	worsen(&s->log.now.performance, s->performance.state);
	worsen(&s->log.now.display_performance, s->performance.display);
	if (s->performance.state != before)
		cs_run_event(s, CS_EVENT_PERFORMANCE,
			s->performance.critical.n ? s->performance.critical.at[0].cell
						  : CS_STREAM_NO_CELL,
			0, before, s->performance.state, CS_REASON_NONE);
}

struct cs_error *cs_run_apply_block(struct cs_stream *s, const struct cs_stream_input *input)
{
	(void)input;
	s->performance.block_requested = true;
	return NULL;
}
