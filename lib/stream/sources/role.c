/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a server loads cells by sources, and whether it also unloads them (rules 2.7). */
#include "stream/stream_internal.h"
#include <cellscope/cooked_values.h>

static bool in_pie(const struct cs_run_world *world)
{
	return world->model.cooked->world->trigger == CS_TRIGGER_PIE;
}

/* Returns what a server streaming mode means in `world`: 1 = on, 0 = off, -1 = project default. */
static int mode_says(const struct cs_run_world *world, uint32_t mode)
{
	switch ((enum cs_server_mode)mode) {
	case CS_SERVER_DISABLED:
		return 0;
	case CS_SERVER_ENABLED:
		return 1;
	case CS_SERVER_PIE:
		return in_pie(world);
	default:
		return -1;
	}
}

/*
 * Returns whether a server streams `world`: by the mode of this world partition, else by that of
 * the main world partition, else by the variable CS_VAR_SERVER_STREAMING.
 */
static bool streams_in(const struct cs_stream *stream, const struct cs_run_world *world)
{
	double variable = cs_run_number(stream, CS_VAR_SERVER_STREAMING);
	const struct cs_run_world *main = stream->worlds.at[0];
	int says = mode_says(world, world->model.cooked->world->server_streaming);
	if (says < 0)
		says = mode_says(main, main->model.cooked->world->server_streaming);
	return says < 0 ? variable == 1 || (variable == 2 && in_pie(main)) : says;
}

static bool streams_out(const struct cs_stream *stream, const struct cs_run_world *world)
{
	const struct cs_run_world *main = stream->worlds.at[0];
	int says = mode_says(world, world->model.cooked->world->server_streaming_out);
	if (says < 0)
		says = mode_says(main, main->model.cooked->world->server_streaming_out);
	return says < 0 ? cs_run_number(stream, CS_VAR_SERVER_STREAMING_OUT) != 0 : says;
}

static enum cs_run_server_mode compute_mode(
	const struct cs_stream *stream, const struct cs_run_world *world)
{
	if (!cs_run_is_server(stream) || !streams_in(stream, world))
		return CS_MODE_OFF;
	return streams_out(stream, world) ? CS_MODE_IN_OUT : CS_MODE_IN;
}

static enum cs_run_server_mode mode_of(
	const struct cs_stream *stream, const struct cs_run_world *world)
{
	return world->serving.mode == CS_MODE_UNKNOWN
		       ? compute_mode(stream, world)
		       : (enum cs_run_server_mode)world->serving.mode;
}

void cs_run_server_fix_modes(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->worlds.at[i]->serving.mode = (uint8_t)mode_of(stream, stream->worlds.at[i]);
}

bool cs_run_server_streams(const struct cs_stream *stream, const struct cs_run_world *world)
{
	return mode_of(stream, world) != CS_MODE_OFF;
}

bool cs_run_server_streams_out(const struct cs_stream *stream, const struct cs_run_world *world)
{
	return mode_of(stream, world) == CS_MODE_IN_OUT;
}

bool cs_run_server_streams_any(const struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++)
		if (cs_run_server_streams(stream, stream->worlds.at[i]))
			return true;
	return false;
}
