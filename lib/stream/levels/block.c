/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocking wait that ends a frame (rule 2.5). It runs the policy with an unlimited budget until
 * no level is being loaded, shown, hidden or unloaded; a wait because of poor performance ignores
 * cells that do not block. The virtual clock advances by the stall that a player would notice.
 */
#include "stream/stream_internal.h"

/*
 * Largest number of rounds of a blocking wait. A round completes all changes under way, so
 * more than 2 are needed only for world partitions inside of world partitions.
 */
enum { ROUNDS = 64 };

static void describe_stall(struct cs_stream *stream, struct cs_stream_stall *stall)
{
	size_t n = stream->performance.block_by_performance ? stream->performance.critical.n : 0;
	*stall = (struct cs_stream_stall){.frame = stream->clock.frame,
		.by_performance = stream->performance.block_by_performance};
	stall->n_cells = stream->performance.block_by_performance ? stream->log.now.critical : 0;
	for (size_t i = 0; i < CS_STALL_CELLS; i++) {
		stall->cells[i] =
			i < n ? stream->performance.critical.at[i].cell : CS_STREAM_NO_CELL;
		stall->ratios[i] = i < n ? stream->performance.critical.at[i].ratio : 0;
	}
	if (n && stream->performance.critical.at[0].source < stream->sources.active.n)
		memcpy(stall->source,
			stream->sources.active.at[stream->performance.critical.at[0].source]
				.source.name,
			CS_SOURCE_NAME);
	cs_run_event(stream, CS_EVENT_BLOCK, stall->cells[0], stall->n_cells, 0, 1,
		stream->performance.block_by_performance ? CS_REASON_PERFORMANCE : CS_REASON_NONE);
}

bool cs_run_block(struct cs_stream *stream)
{
	uint64_t begin = stream->clock.time;
	uint32_t loads = stream->log.now.loaded;
	struct cs_stream_stall stall;
	bool good = true;
	describe_stall(stream, &stall);
	stream->performance.in_block = stream->log.now.blocked = true;
	for (int i = 0; good && i < ROUNDS; i++) {
		good = cs_run_update(stream);
		if (!good || cs_run_levels_idle(stream))
			break;
		good = cs_run_levels_update(stream, true);
	}
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->worlds.at[i]->policy.evaluated =
			false; /* the next update considers again the cells that the wait ignored */
	stream->performance.in_block = stream->performance.block_requested =
		stream->performance.block_by_performance = false;
	stream->log.now.stall_ns = stall.length_ns = stream->clock.time - begin;
	stream->clock.stall += stall.length_ns;
	stall.loads = stream->log.now.loaded - loads;
	cs_run_stall_add(stream, &stall);
	return good;
}
