/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns registering world partitions, and tearing them down with all their cells; a level that is
 * unloaded tears down the partition inside of it.
 */
#include "stream/stream_internal.h"

void cs_run_world_register(struct cs_stream *s, struct cs_run_world *w, bool on)
{
	w->registered = on;
	cs_run_event(s, CS_EVENT_WORLD, (struct cs_stream_cell){w->id, CS_NONE}, 0, !on, on,
		CS_REASON_NONE);
	if (!on)
		cs_run_unload_all(s, w);
}

struct cs_error *cs_run_apply_register(struct cs_stream *s, const struct cs_stream_input *input)
{
	if (input->world >= s->worlds.n)
		return cs_error_new(CS_E_SETTING, "no world partition %u", input->world);
	struct cs_run_world *w = s->worlds.at[input->world];
	if (w->registered != input->on)
		cs_run_world_register(s, w, input->on);
	return s->failed ? cs_error_nomem() : NULL;
}
