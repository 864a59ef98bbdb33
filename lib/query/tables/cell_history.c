/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the states of a cell over the frames of a run, by reading the log of events backwards:
 * an event gives the state from its frame on, and the state before it. A cell that stops waiting
 * causes no event, so a wait extends to the next event of the cell.
 */
#include <cellscope/runs.h>

#include "stream/stream_inside.h"

#include <string.h>

static uint8_t state_of_level(unsigned level)
{
	static const uint8_t states[CS_LEVEL_STATES] = {
		[CS_LEVEL_REMOVED] = CS_MAP_UNLOADED,
		[CS_LEVEL_UNLOADED] = CS_MAP_UNLOADED,
		[CS_LEVEL_FAILED] = CS_MAP_FAILED,
		[CS_LEVEL_LOADING] = CS_MAP_LOADING,
		[CS_LEVEL_NOT_VISIBLE] = CS_MAP_LOADED,
		[CS_LEVEL_MAKING_VISIBLE] = CS_MAP_SHOWING,
		[CS_LEVEL_VISIBLE] = CS_MAP_ACTIVATED,
		[CS_LEVEL_MAKING_INVISIBLE] = CS_MAP_LEAVING,
	};
	return level < CS_LEVEL_STATES ? states[level] : (uint8_t)CS_MAP_UNLOADED;
}

/*
 * Returns whether an event changes the state of the cell; if so, stores the state before the event
 * in *before_ret. The caller passes in *state the state after the event, which is replaced by
 * waiting if the event starts a wait.
 */
static bool cell_history_takes(const struct cs_stream_event *event, struct cs_stream_cell cell,
	uint8_t *before_ret, uint8_t *state)
{
	bool waits = event->event == CS_EVENT_WAIT;
	if (event->world != cell.world || event->cell != cell.cell ||
		(!waits && event->event != CS_EVENT_LEVEL))
		return false;
	*before_ret = waits ? (uint8_t)CS_MAP_UNLOADED : state_of_level(event->from);
	*state = waits ? (uint8_t)CS_MAP_WAITING : *state;
	return true;
}

struct window {
	uint64_t first, zoom;
	unsigned char *states;
	size_t n;
};

/* Sets the state of frames `first` to `end` - 1; a column of several frames gets the highest. */
static void put_state(struct window *to, uint64_t first, uint64_t end, uint8_t state)
{
	if (end <= to->first || end <= first)
		return;
	uint64_t column = first > to->first ? (first - to->first) / to->zoom : 0;
	uint64_t last = (end - 1 - to->first) / to->zoom;
	for (; column <= last && column < to->n; column++)
		if (to->states[column] == CS_HISTORY_UNKNOWN || to->states[column] < state)
			to->states[column] = state;
}

void cs_cell_history(const struct cs_stream *stream, struct cs_stream_cell cell, uint64_t first,
	uint64_t zoom, unsigned char *states, size_t n)
{
	struct window to = {first, zoom ? zoom : 1, states, n};
	uint64_t end = cs_stream_status(stream).frame + 1;
	uint8_t state = (uint8_t)cs_stream_cell(stream, cell).on_map, before;
	const struct cs_stream_event *event = NULL;
	uint64_t i = cs_stream_event_count(stream), oldest = 0;
	memset(states, CS_HISTORY_UNKNOWN, n);
	while (end > first && i > 0 && (event = cs_stream_event_at(stream, i - 1)) != NULL) {
		oldest = event->frame;
		i--;
		if (!cell_history_takes(event, cell, &before, &state))
			continue;
		put_state(&to, event->frame, end, state);
		end = event->frame < end ? event->frame : end;
		state = before;
	}
	put_state(&to, i == 0 ? 0 : oldest, end, state);
}
