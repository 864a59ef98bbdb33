/* SPDX-License-Identifier: Apache-2.0 */
/* Maps each event to its moment: the kind of event that users see in lists and can set stops at. */
#include "stream/stream_internal.h"

static enum cs_moment level_moment(const struct cs_stream_event *event)
{
	static const uint8_t moments[CS_LEVEL_STATES] = {
		[CS_LEVEL_REMOVED] = CS_MOMENT_CELL_REMOVE,
		[CS_LEVEL_UNLOADED] = CS_MOMENT_CELL_UNLOAD,
		[CS_LEVEL_FAILED] = CS_MOMENT_CELL_FAIL,
		[CS_LEVEL_LOADING] = CS_MOMENT_CELL_LOAD,
		[CS_LEVEL_NOT_VISIBLE] = CS_MOMENT_CELL_LOADED,
		[CS_LEVEL_MAKING_VISIBLE] = CS_MOMENT_CELL_SHOWING,
		[CS_LEVEL_VISIBLE] = CS_MOMENT_CELL_SHOW,
		[CS_LEVEL_MAKING_INVISIBLE] = CS_MOMENT_CELL_HIDE,
	};
	if (event->to == CS_LEVEL_NOT_VISIBLE && event->from >= CS_LEVEL_NOT_VISIBLE)
		return CS_MOMENT_CELL_HIDDEN;
	return event->to < CS_LEVEL_STATES ? (enum cs_moment)moments[event->to]
					   : CS_MOMENT_CELL_UNLOAD;
}

enum cs_moment cs_moment_of(const struct cs_stream_event *event)
{
	static const uint8_t plain[CS_EVENTS] = {
		[CS_EVENT_LAYER] = CS_MOMENT_LAYER,
		[CS_EVENT_LATE] = CS_MOMENT_CELL_LATE,
		[CS_EVENT_BUDGET] = CS_MOMENT_BUDGET,
		[CS_EVENT_PERFORMANCE] = CS_MOMENT_PERFORMANCE,
		[CS_EVENT_BLOCK] = CS_MOMENT_BLOCK,
		[CS_EVENT_EPOCH] = CS_MOMENT_EPOCH,
		[CS_EVENT_WORLD] = CS_MOMENT_WORLD,
		[CS_EVENT_PURGE] = CS_MOMENT_PURGE,
		[CS_EVENT_WAIT] = CS_MOMENT_CELL_WAIT,
	};
	switch ((enum cs_event)event->event) {
	case CS_EVENT_SET:
		return event->to > event->from ? CS_MOMENT_CELL_WANT : CS_MOMENT_CELL_DROP;
	case CS_EVENT_LEVEL:
		return level_moment(event);
	case CS_EVENT_HLOD:
		return event->to == CS_HLOD_HOLE ? CS_MOMENT_HLOD_HOLE : CS_MOMENT_HLOD;
	case CS_EVENT_COMPANION:
		return (enum cs_moment)(CS_MOMENT_PAGE_REQUEST + event->to);
	case CS_EVENT_HOLD:
		return event->to ? CS_MOMENT_HOLD : CS_MOMENT_RELEASE;
	default:
		return event->event < CS_EVENTS ? (enum cs_moment)plain[event->event]
						: CS_MOMENT_FRAME;
	}
}

static const char *state_name(const struct cs_stream_event *event, unsigned state)
{
	switch ((enum cs_event)event->event) {
	case CS_EVENT_SET:
	case CS_EVENT_WAIT:
	case CS_EVENT_LAYER:
		return state <= CS_LAYER_ACTIVATED ? cs_layer_state_names[state] : NULL;
	case CS_EVENT_LEVEL:
		return cs_word(CS_WORDS_LEVEL_STATE, state)->name;
	case CS_EVENT_HLOD:
		return cs_word(CS_WORDS_HLOD_STATE, state)->name;
	case CS_EVENT_PERFORMANCE:
		return cs_word(CS_WORDS_PERFORMANCE, state)->name;
	default:
		return NULL;
	}
}

void cs_event_words(const struct cs_stream_event *event, const char **from_ret, const char **to_ret)
{
	*from_ret = state_name(event, event->from);
	*to_ret = state_name(event, event->to);
}
