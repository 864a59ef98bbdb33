/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the names of events, as users list them and stop at them. */
#include "stream/stream_internal.h"

#include <string.h>

static const struct {
	const char *name, *help;
} moments[CS_MOMENTS] = {
	[CS_MOMENT_FRAME] = {"frame", "a frame has ended"},
	[CS_MOMENT_CELL_WAIT] = {"cell.wait", "a cell begins to wait for its turn to load"},
	[CS_MOMENT_CELL_WANT] = {"cell.want", "a cell is taken up, to be loaded or activated"},
	[CS_MOMENT_CELL_DROP] = {"cell.drop", "a cell is no longer wanted, or wanted less"},
	[CS_MOMENT_CELL_LOAD] = {"cell.load", "a cell begins to load"},
	[CS_MOMENT_CELL_LOADED] = {"cell.loaded", "a cell is in memory"},
	[CS_MOMENT_CELL_SHOWING] = {"cell.showing", "a cell begins to be made visible"},
	[CS_MOMENT_CELL_SHOW] = {"cell.show", "a cell is visible"},
	[CS_MOMENT_CELL_HIDE] = {"cell.hide", "a visible cell begins to be made invisible"},
	[CS_MOMENT_CELL_HIDDEN] = {"cell.hidden", "a cell is invisible, still in memory"},
	[CS_MOMENT_CELL_UNLOAD] = {"cell.unload", "a cell is unloaded"},
	[CS_MOMENT_CELL_REMOVE] = {"cell.remove", "the level of an unloaded cell is taken away"},
	[CS_MOMENT_CELL_FAIL] = {"cell.fail", "the package of a cell cannot be loaded"},
	[CS_MOMENT_CELL_LATE] = {"cell.late",
		"a cell of the real run that is followed is visible: break cell.late > 500 (ms)"},
	[CS_MOMENT_LAYER] = {"layer.change", "the effective state of a data layer changes"},
	[CS_MOMENT_HLOD] = {"hlod.change", "an HLOD actor shows, hides, comes or goes"},
	[CS_MOMENT_HLOD_HOLE] = {"hlod.hole", "neither an HLOD actor nor its source cell shows"},
	[CS_MOMENT_BUDGET] = {"budget.exceed",
		"a frame in which cells wait for their turn to load"},
	[CS_MOMENT_PERFORMANCE] = {"performance.change", "streaming becomes good, slow, critical"},
	[CS_MOMENT_BLOCK] = {"block.begin", "the frame ends in a wait for streaming"},
	[CS_MOMENT_HOLD] = {"server.hold", "the server keeps a cell because a client sees it"},
	[CS_MOMENT_RELEASE] = {"server.release", "no client keeps a cell of the server any more"},
	[CS_MOMENT_EPOCH] = {"server.epoch", "the server publishes an epoch"},
	[CS_MOMENT_WORLD] = {"world.change", "a world partition is registered or torn down"},
	[CS_MOMENT_PURGE] = {"purge", "garbage collection frees unloaded levels"},
	[CS_MOMENT_PAGE_REQUEST] = {"page.request", "a page gets a slot of the pool and is read"},
	[CS_MOMENT_PAGE_INSTALL] = {"page.install", "a page is there, with its fixups"},
	[CS_MOMENT_PAGE_EVICT] = {"page.evict", "a page leaves the pool"},
	[CS_MOMENT_POOL_FULL] = {"pool.full", "a page is wanted for which none may leave"},
	[CS_MOMENT_QUALITY_DROP] = {"quality.drop",
		"too many requests for the pool: errors above the threshold are allowed"},
};

const char *cs_moment_name(enum cs_moment moment)
{
	return (unsigned)moment < CS_MOMENTS ? moments[moment].name : "?";
}

const char *cs_moment_help(enum cs_moment moment)
{
	return (unsigned)moment < CS_MOMENTS ? moments[moment].help : "?";
}

enum cs_moment cs_moment_find(const char *name)
{
	unsigned moment = 0;
	while (moment < CS_MOMENTS && strcmp(moments[moment].name, name) != 0)
		moment++;
	return (enum cs_moment)moment;
}

static enum cs_moment level_moment(const struct cs_stream_event *event)
{
	switch ((enum cs_level_state)event->to) {
	case CS_LEVEL_LOADING:
		return CS_MOMENT_CELL_LOAD;
	case CS_LEVEL_NOT_VISIBLE:
		return event->from >= CS_LEVEL_NOT_VISIBLE ? CS_MOMENT_CELL_HIDDEN
							   : CS_MOMENT_CELL_LOADED;
	case CS_LEVEL_MAKING_VISIBLE:
		return CS_MOMENT_CELL_SHOWING;
	case CS_LEVEL_VISIBLE:
		return CS_MOMENT_CELL_SHOW;
	case CS_LEVEL_MAKING_INVISIBLE:
		return CS_MOMENT_CELL_HIDE;
	case CS_LEVEL_FAILED:
		return CS_MOMENT_CELL_FAIL;
	case CS_LEVEL_REMOVED:
		return CS_MOMENT_CELL_REMOVE;
	default:
		return CS_MOMENT_CELL_UNLOAD;
	}
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
		return cs_level_state_name((enum cs_level_state)state);
	case CS_EVENT_HLOD:
		return cs_hlod_state_name((enum cs_hlod_state)state);
	case CS_EVENT_PERFORMANCE:
		return cs_performance_name((enum cs_performance)state);
	default:
		return NULL;
	}
}

const char *cs_event_from(const struct cs_stream_event *event)
{
	return state_name(event, event->from);
}

const char *cs_event_to(const struct cs_stream_event *event)
{
	return state_name(event, event->to);
}
