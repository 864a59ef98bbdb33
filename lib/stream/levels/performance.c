/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges whether streaming keeps up with the sources (rule 2.5): for each cell that is not visible
 * yet, the ratio distance / radius for the nearest source with block_on_slow is compared with
 * limits. If a ratio is too low, the frame ends by waiting until cells are loaded (frame.c).
 */
#include "stream/stream_internal.h"

bool cs_run_skips(const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	return stream->performance.in_block && stream->performance.block_by_performance &&
	       !cs_run_is_server(stream) && !(world->model.flags[cell] & CS_CELL_BLOCK_ON_SLOW);
}

static enum cs_performance run_performance_of(
	const struct cs_stream *stream, double ratio, bool blocking)
{
	double limit = cs_run_number(stream, blocking ? CS_VAR_BLOCK_RATIO : CS_VAR_SLOW_RATIO);
	double factor = cs_run_number(
		stream, blocking ? CS_VAR_BLOCK_WARNING_FACTOR : CS_VAR_SLOW_WARNING_FACTOR);
	if (stream->rules->immediate && ratio <= 0)
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

void cs_run_performance_begin(struct cs_stream *stream, struct cs_run_world *world)
{
	size_t kept = 0;
	world->performance.state = world->performance.display = CS_PERFORMANCE_GOOD;
	world->performance.judged = false;
	for (size_t i = 0; i < stream->performance.critical.n; i++)
		if (stream->performance.critical.at[i].cell.world != world->id)
			stream->performance.critical.at[kept++] =
				stream->performance.critical.at[i];
	stream->performance.critical.n = kept;
}

static bool is_more_critical(
	const struct cs_run_critical *left, const struct cs_run_critical *right)
{
	return left->ratio != right->ratio ? left->ratio < right->ratio
					   : cs_run_cell_order(left->cell, right->cell) < 0;
}

size_t cs_run_worst_critical(
	const struct cs_stream *stream, struct cs_run_critical worst[CS_STALL_CELLS])
{
	size_t n = 0;
	for (size_t i = 0; i < stream->performance.critical.n; i++) {
		const struct cs_run_critical *row = &stream->performance.critical.at[i];
		size_t k = n;
		if (n == CS_STALL_CELLS && !is_more_critical(row, &worst[--k]))
			continue;
		n += n < CS_STALL_CELLS;
		for (; k > 0 && is_more_critical(row, &worst[k - 1]); k--)
			worst[k] = worst[k - 1];
		worst[k] = *row;
	}
	return n;
}

/* Returns whether a cell that should be activated is not yet visible. */
static bool late(const struct cs_stream *stream, const struct cs_run_cell *resident)
{
	if (stream->rules->immediate)
		return !resident || resident->pending_add || resident->set != CS_LAYER_ACTIVATED;
	return !resident || resident->level != CS_LEVEL_VISIBLE;
}

bool cs_run_judges(const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	return (stream->rules->immediate || (world->model.flags[cell] & CS_CELL_BLOCK_ON_SLOW)) &&
	       cs_run_number(stream, CS_VAR_MATCH_BEGUN) != 0 &&
	       !(world->model.flags[cell] & CS_CELL_ALWAYS_LOADED) &&
	       late(stream, cs_run_find(world, cell));
}

uint8_t cs_run_judge(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	const struct cs_run_info *info)
{
	uint16_t flags = world->model.flags[cell];
	if (info->hits == 0)
		return 0;
	if (stream->rules->immediate)
		worsen(&world->performance.display, run_performance_of(stream, info->ratio, false));
	if (!(flags & CS_CELL_BLOCK_ON_SLOW) || !info->blocking)
		return 0;
	enum cs_performance performance = run_performance_of(stream, info->blocking_ratio, true);
	worsen(&world->performance.state, performance);
	if (performance >= CS_PERFORMANCE_CRITICAL) {
		stream->log.now.critical += !stream->performance.in_block;
		struct cs_run_critical row = {{world->id, cell}, info->blocking_ratio, CS_NONE};
		if (info->blocking_target != CS_NONE)
			row.source = world->reached.targets.at[info->blocking_target].source;
		if (!cs_vec_push(&stream->performance.critical, row))
			stream->failed = true;
	}
	world->performance.judged = true;
	return (uint8_t)(performance + 1);
}

void cs_run_performance_request(struct cs_stream *stream, const struct cs_run_world *world)
{
	if (world->performance.state < CS_PERFORMANCE_CRITICAL || stream->performance.in_block ||
		world->performance.display > world->performance.state ||
		cs_run_number(stream, CS_VAR_BLOCK_ON_SLOW) == 0 ||
		(cs_run_is_server(stream) && !cs_run_server_streams(stream, world)))
		return;
	if (!stream->performance.block_requested)
		stream->performance.block_by_performance = true;
	stream->performance.block_requested = true;
}

void cs_run_performance_finish(struct cs_stream *stream)
{
	uint8_t before = stream->performance.state;
	stream->performance.state = stream->performance.display = CS_PERFORMANCE_GOOD;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		const struct cs_run_world *world = stream->worlds.at[i];
		if (!world->registered)
			continue;
		worsen(&stream->performance.state, world->performance.state);
		worsen(&stream->performance.display, world->performance.display);
	}
	worsen(&stream->log.now.performance, stream->performance.state);
	worsen(&stream->log.now.display_performance, stream->performance.display);
	if (stream->performance.state == before)
		return;
	struct cs_run_critical worst[CS_STALL_CELLS];
	size_t n = cs_run_worst_critical(stream, worst);
	cs_run_event(stream, CS_EVENT_PERFORMANCE, n ? worst[0].cell : CS_STREAM_NO_CELL, 0, before,
		stream->performance.state, CS_REASON_NONE);
}

struct cs_error *cs_run_apply_block(struct cs_stream *stream, const struct cs_stream_input *input)
{
	(void)input;
	stream->performance.block_requested = true;
	return NULL;
}
