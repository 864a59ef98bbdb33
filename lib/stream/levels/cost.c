/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time that streaming takes on the game thread in a frame (rule 2.6.1), while sim.FrameCost is
 * on. Work is counted in whole actors: its limit is checked after each actor, so at least one actor
 * is done, and the last one may exceed the limit. A frame lasts the given length, or the game's own
 * work plus that of streaming, whichever is longer; the clock advances by that. A frame of a
 * recorded run already includes its cost and is never lengthened.
 *
 * While sim.FrameCost is off, work may stop anywhere within an actor, and no frame is lengthened.
 */
#include "stream/stream_internal.h"

bool cs_run_costs(const struct cs_stream *stream)
{
	return cs_run_number(stream, CS_VAR_FRAME_COST) != 0;
}

/* Returns the ns of work for one actor, level or world partition, depending on the kind of work. */
static uint64_t cost_of_actor(const struct cs_stream *stream, enum cs_frame_work work)
{
	static const enum cs_run_variable each[] = {[CS_WORK_SHOW] = CS_VAR_SHOW_PER_ACTOR,
		[CS_WORK_HIDE] = CS_VAR_HIDE_PER_ACTOR,
		[CS_WORK_LOAD] = CS_VAR_LOAD_PER_ACTOR,
		[CS_WORK_PURGE] = CS_VAR_PURGE_PER_LEVEL,
		[CS_WORK_UPDATE] = CS_VAR_UPDATE_COST};
	return cs_run_ns(stream, each[work]);
}

/*
 * Returns how many ns of `work_left` are done in this slice. If the work takes time of the frame
 * (cs_run_costs), the last actor is completed even if that exceeds the slice.
 */
static uint64_t cost_part(
	const struct cs_stream *stream, enum cs_frame_work work, uint64_t work_left, uint64_t slice)
{
	const uint64_t each = cs_run_costs(stream) ? cost_of_actor(stream, work) : 0;
	if (work_left <= slice || each == 0)
		return work_left < slice ? work_left : slice;
	const uint64_t actors = slice / each + (slice % each != 0);
	return actors > work_left / each ? work_left : actors * each;
}

uint64_t cs_run_cost_spend(struct cs_stream *stream, enum cs_frame_work work,
	struct cs_stream_cell cell, uint64_t *work_left, uint64_t *slice)
{
	const uint64_t part = cost_part(stream, work, *work_left, *slice);
	*work_left -= part;
	*slice -= part < *slice ? part : *slice;
	cs_run_cost_note(stream, work, cell, part);
	return part;
}

uint64_t cs_run_cost_limit(const struct cs_stream *stream, enum cs_frame_work work)
{
	double limit = cs_run_number(stream, CS_VAR_SHOW_TIME_LIMIT);
	if (work == CS_WORK_LOAD && !cs_run_costs(stream))
		limit = 0;
	else if (work == CS_WORK_LOAD)
		limit = cs_run_number(stream, CS_VAR_ASYNC_LIMIT) +
			(cs_run_number(stream, CS_VAR_HIGH_PRIORITY) != 0
					? cs_run_number(stream, CS_VAR_PRIORITY_EXTRA)
					: 0);
	else if (work == CS_WORK_HIDE && cs_run_costs(stream))
		limit = cs_run_number(stream, CS_VAR_UNREGISTER_LIMIT);
	const uint64_t ns = limit > 0 ? cs_run_ns_of_ms(limit) : 0;
	return ns ? ns : UINT64_MAX;
}

void cs_run_cost_begin(struct cs_stream *stream)
{
	struct cs_frame_cost *cost = &stream->log.now.cost;
	cost->show_each_ns = cost_of_actor(stream, CS_WORK_SHOW);
	cost->show_limit_ns = cs_run_cost_limit(stream, CS_WORK_SHOW);
}

void cs_run_cost_note(struct cs_stream *stream, enum cs_frame_work work, struct cs_stream_cell cell,
	uint64_t length)
{
	struct cs_frame_cost *cost = &stream->log.now.cost;
	cost->ns[work] += length;
	if (length <= cost->dearest_ns)
		return;
	cost->dearest = cell;
	cost->dearest_ns = length;
	cost->dearest_work = (uint8_t)work;
	cost->dearest_each_ns = cost_of_actor(stream, work);
	cost->dearest_limit_ns =
		work <= CS_WORK_LOAD ? cs_run_cost_limit(stream, work) : UINT64_MAX;
}

/* Advances the clock by the time that the frame took beyond its length. */
void cs_run_cost_finish(struct cs_stream *stream)
{
	struct cs_frame_cost *cost = &stream->log.now.cost;
	uint64_t sum = cs_run_ns(stream, CS_VAR_GAME_THREAD);
	if (!cs_run_costs(stream) || stream->log.now.recorded)
		return;
	cost->game_ns = sum;
	cs_run_cost_note(stream, CS_WORK_UPDATE, CS_STREAM_NO_CELL,
		stream->log.now.evaluated * cs_run_ns(stream, CS_VAR_UPDATE_COST));
	for (int i = 0; i < CS_WORKS; i++)
		sum += cost->ns[i];
	if (sum <= stream->log.now.length_ns)
		return;
	cost->grown_ns = sum - stream->log.now.length_ns;
	stream->log.now.length_ns = sum;
	stream->clock.time += cost->grown_ns;
	stream->clock.stall += cost->grown_ns;
}
