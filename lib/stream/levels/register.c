/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers and unregisters world partitions; unregistering unloads all their cells. level.c does
 * both for the world partitions inside a level that begins to be shown or hidden.
 */
#include "stream/stream_internal.h"

void cs_run_world_register(struct cs_stream *stream, struct cs_run_world *world, bool on)
{
	world->registered = on;
	cs_run_event(stream, CS_EVENT_WORLD, (struct cs_stream_cell){world->id, CS_NONE}, 0, !on,
		on, CS_REASON_NONE);
	if (!on)
		cs_run_unload_all(stream, world);
}

struct cs_error *cs_run_apply_register(
	struct cs_stream *stream, const struct cs_stream_input *input)
{
	if (input->world >= stream->worlds.n)
		return cs_error_new(CS_E_SETTING,
			"the run has no world partition %u: it has %zu, numbered from 0 "
			"(`partitions` lists them)",
			input->world, (size_t)stream->worlds.n);
	struct cs_run_world *world = stream->worlds.at[input->world];
	if (world->registered != input->on)
		cs_run_world_register(stream, world, input->on);
	return stream->failed ? cs_error_nomem() : NULL;
}
