/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the blocking wait that ends a frame (rule 2.5). It runs the policy without a budget and
 * ignores cells that do not block, until no level moves; the virtual clock advances, so the length
 * of the wait is the stall that a player would notice.
 */
#include "stream/stream_internal.h"

/*
 * Most rounds of a wait. A round finishes all that moves, so only worlds inside worlds need more
 * than 2.
 */
enum { ROUNDS = 64 };

static void describe_stall(struct cs_stream *s, struct cs_stream_stall *stall)
{
	size_t n = s->performance.block_by_performance ? s->performance.critical.n : 0;
	*stall = (struct cs_stream_stall){
		.frame = s->clock.frame, .by_performance = s->performance.block_by_performance};
	stall->n_cells = s->performance.block_by_performance ? s->log.now.critical : 0;
	for (size_t i = 0; i < CS_STALL_CELLS; i++) {
		stall->cells[i] = i < n ? s->performance.critical.at[i].cell : CS_STREAM_NO_CELL;
		stall->ratios[i] = i < n ? s->performance.critical.at[i].ratio : 0;
	}
	if (n && s->performance.critical.at[0].source < s->sources.active.n)
		memcpy(stall->source,
			s->sources.active.at[s->performance.critical.at[0].source].source.name,
			CS_SOURCE_NAME);
	cs_run_event(s, CS_EVENT_BLOCK, stall->cells[0], stall->n_cells, 0, 1,
		s->performance.block_by_performance ? CS_REASON_PERFORMANCE : CS_REASON_NONE);
}

bool cs_run_block(struct cs_stream *s)
{
	uint64_t begin = s->clock.time;
	uint32_t loads = s->log.now.loaded;
	struct cs_stream_stall stall;
	bool good = true;
	describe_stall(s, &stall);
	s->performance.in_block = s->log.now.blocked = true;
	for (int i = 0; good && i < ROUNDS; i++) {
		good = cs_run_update(s);
		if (!good || cs_run_levels_idle(s))
			break;
		good = cs_run_levels_update(s, true);
	}
	for (size_t i = 0; i < s->worlds.n; i++)
		s->worlds.at[i]->policy.evaluated = false; /* ignored cells are considered again */
	s->performance.in_block = s->performance.block_requested =
		s->performance.block_by_performance = false;
	s->log.now.stall_ns = stall.length_ns = s->clock.time - begin;
	s->clock.stall += stall.length_ns;
	stall.loads = s->log.now.loaded - loads;
	cs_run_stall_add(s, &stall);
	return good;
}
