/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs until a stop (breakpoint or watch) halts the run. Forward: run a frame, then test the stops
 * against its events. Backward: go back by growing numbers of frames, run these frames again, and
 * end at the last one in which a stop halts. A run is deterministic, so the same frames halt it
 * each time.
 */
#include "debug/debug_internal.h"

#include "core/invariant.h"
#include "core/job.h"
#include "query/sql/query_inside.h"
#include "stream/stream_inside.h"

#include <stdio.h>
#include <string.h>

enum { PIECE = 64, LARGEST_PIECE = 4096 };

/* ---- testing the stops against a frame ---- */

struct look {
	bool counts; /* true: count hits, obey ignore counts, report one-time stops as deleted */
	bool halted;
	struct cs_halt *halt;
};

/* Copies JSON into `to`, cut to CS_HALT_TEXT bytes; a string loses its quotes. */
static void run_to_stop_cut(char *to, const char *json)
{
	int n = json ? (int)strlen(json) : 0;
	bool quoted = n >= 2 && json[0] == '"';
	snprintf(to, CS_HALT_TEXT, "%.*s", quoted ? n - 2 : n, n ? json + quoted : "");
}

/*
 * Handles a breakpoint or watch that the run hits. The first one that is not ignored in a frame is
 * stored as the reason of the halt; the others are only counted. `after`: new value of a watch, or
 * NULL.
 */
static void hit(struct cs_debug_stop *stop, const struct cs_stream_event *event, const char *after,
	struct look *look)
{
	if (look->counts) {
		stop->row.hits++;
		if (stop->row.ignore > 0) {
			stop->row.ignore--;
			return;
		}
	}
	if (look->halted) {
		look->halt->others += !stop->has_halted && look->halt->stop != stop->row.id;
	} else {
		struct cs_halt *halt = look->halt;
		halt->stop = stop->row.id;
		halt->kind = stop->row.kind;
		halt->moment = stop->row.moment;
		halt->hits = stop->row.hits;
		halt->deleted = look->counts && stop->row.once;
		halt->others = 0;
		if (event)
			halt->event = *event;
		run_to_stop_cut(halt->before, stop->value);
		run_to_stop_cut(halt->after, after);
	}
	stop->has_halted = look->halted = true;
}

static struct cs_error *ask_breakpoint(struct cs_debug *debug, struct cs_debug_stop *stop,
	const struct cs_stream_event *event, struct look *look)
{
	bool holds = true;
	struct cs_error *error = NULL;
	if (stop->expression) {
		cs_query_show_event(debug->query, event);
		error = cs_expression_is_true(stop->expression, &holds);
		cs_query_show_event(debug->query, NULL);
	}
	if (!error && holds)
		hit(stop, event, NULL, look);
	return error;
}

static struct cs_error *ask_breakpoints(
	struct cs_debug *debug, const struct cs_stream_event *event, struct look *look)
{
	enum cs_moment moment = cs_moment_of(event);
	struct cs_error *error = NULL;
	if (!(debug->armed & UINT32_C(1) << moment))
		return NULL;
	for (size_t i = 0; !error && i < debug->stops.n; i++) {
		struct cs_debug_stop *stop = &debug->stops.at[i];
		if (stop->row.kind == CS_STOP_BREAK && stop->row.enabled &&
			stop->row.moment == moment)
			error = ask_breakpoint(debug, stop, event, look);
	}
	return error;
}

static struct cs_error *ask_watch(struct cs_debug_stop *stop, struct look *look)
{
	char *now = NULL;
	struct cs_error *error = cs_debug_text(stop->expression, &now);
	if (error)
		return error;
	if (!stop->value || strcmp(now, stop->value) != 0)
		hit(stop, NULL, now, look);
	free(stop->value);
	stop->value = now;
	return NULL;
}

static struct cs_error *ask_watches(struct cs_debug *debug, struct look *look)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < debug->stops.n; i++) {
		struct cs_debug_stop *stop = &debug->stops.at[i];
		if (stop->row.kind == CS_STOP_WATCH && stop->row.enabled)
			error = ask_watch(stop, look);
	}
	return error;
}

static bool armed_holds(const struct cs_debug *debug)
{
	uint32_t armed = 0;
	for (size_t i = 0; i < debug->stops.n; i++) {
		const struct cs_stop *stop = &debug->stops.at[i].row;
		if (stop->enabled && stop->kind == CS_STOP_BREAK)
			armed |= UINT32_C(1) << stop->moment;
	}
	return debug->armed == armed;
}

/* Tests all stops against the frames that have just run, whose events begin with number `first`. */
static struct cs_error *ask_stops(struct cs_debug *debug, uint64_t first, struct look *look)
{
	uint64_t count = cs_stream_event_count(debug->stream);
	const struct cs_stream_event frame = {.frame = cs_stream_status(debug->stream).frame,
		.world = CS_NONE,
		.cell = CS_NONE,
		.event = CS_EVENTS};
	struct cs_error *error = NULL;
	CS_INVARIANT_SOMETIMES(frame.frame, armed_holds(debug),
		"`armed` has the bit of every moment that a breakpoint waits for");
	if (!debug->armed && !debug->watches)
		return NULL;
	for (size_t i = 0; i < debug->stops.n; i++)
		debug->stops.at[i].has_halted = false;
	for (uint64_t i = first; !error && debug->armed && i < count; i++) {
		const struct cs_stream_event *event = cs_stream_event_at(debug->stream, i);
		if (event)
			error = ask_breakpoints(debug, event, look);
	}
	if (!error)
		error = ask_breakpoints(debug, &frame, look);
	if (!error && debug->watches)
		error = ask_watches(debug, look);
	return error;
}

/* Copies the commands of the stop that was hit: a one-time stop is deleted before they run. */
static struct cs_error *keep_commands(struct cs_debug *debug, struct cs_halt *halt)
{
	const struct cs_stop *stop = cs_debug_stop(debug, halt->stop);
	free(debug->commands);
	debug->commands = NULL;
	if (stop && stop->commands && !(debug->commands = strdup(stop->commands)))
		return cs_error_nomem();
	halt->commands = debug->commands;
	return NULL;
}

static struct cs_error *delete_spent(struct cs_debug *debug)
{
	for (size_t i = debug->stops.n; i > 0; i--) {
		const struct cs_debug_stop *stop = &debug->stops.at[i - 1];
		if (!stop->row.once || !stop->has_halted)
			continue;
		struct cs_error *error = cs_debug_delete(debug, stop->row.id);
		if (error)
			return error;
	}
	return NULL;
}

struct cs_error *cs_debug_event(
	struct cs_debug *debug, const struct cs_stream_event *event, struct cs_halt *ret)
{
	struct cs_halt halt = {.reason = CS_HALT_DONE};
	struct look look = {.counts = true, .halt = &halt};
	for (size_t i = 0; i < debug->stops.n; i++)
		debug->stops.at[i].has_halted = false;
	struct cs_error *error = ask_breakpoints(debug, event, &look);
	if (!error && look.halted) {
		halt.reason = CS_HALT_STOP;
		error = keep_commands(debug, &halt);
	}
	if (!error && look.halted)
		error = delete_spent(debug);
	if (!error)
		*ret = halt;
	return error;
}

/* ---- reasons to halt besides stops ---- */

bool cs_debug_is_change(const struct cs_stream_event *event)
{
	/* a cell that waits stays unloaded: cs_states_changes does not list it either */
	static const bool is_none[CS_EVENTS + 1] = {[CS_EVENT_WAIT] = true,
		[CS_EVENT_BUDGET] = true,
		[CS_EVENT_EPOCH] = true,
		[CS_EVENT_PURGE] = true};
	return !is_none[event->event];
}

bool cs_debug_is_turn(const struct cs_stream_event *event)
{
	static const bool is_one[CS_MOMENTS] = {[CS_MOMENT_CELL_FAIL] = true,
		[CS_MOMENT_LAYER] = true,
		[CS_MOMENT_HLOD_HOLE] = true,
		[CS_MOMENT_PERFORMANCE] = true,
		[CS_MOMENT_BLOCK] = true,
		[CS_MOMENT_WORLD] = true,
		[CS_MOMENT_POOL_FULL] = true,
		[CS_MOMENT_QUALITY_DROP] = true};
	return is_one[cs_moment_of(event)];
}

uint64_t cs_debug_frame_before(const struct cs_stream *stream, bool turns)
{
	uint64_t now = cs_stream_status(stream).frame;
	const struct cs_stream_event *event;
	for (uint64_t i = cs_stream_event_count(stream); i > 0; i--) {
		event = cs_stream_event_at(stream, i - 1);
		if (!event)
			break;
		if (event->frame < now &&
			(turns ? cs_debug_is_turn(event) : cs_debug_is_change(event)))
			return event->frame;
	}
	return 0;
}

static bool has_one(
	const struct cs_stream *stream, uint64_t first, bool (*is)(const struct cs_stream_event *))
{
	for (uint64_t i = first; i < cs_stream_event_count(stream); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(stream, i);
		if (event && is(event))
			return true;
	}
	return false;
}

/* Stores in *ret whether all streaming sources are where they were at the previous call. */
static struct cs_error *stands_still(struct cs_debug *debug, bool *ret)
{
	size_t n = cs_stream_sources(debug->stream);
	bool still = n == debug->places.n;
	if (!cs_vec_reserve(&debug->places, n))
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		struct cs_vec3 now = cs_stream_source_at(debug->stream, i).source->location;
		const struct cs_vec3 *then = &debug->places.at[i];
		still = still && i < debug->places.n && now.x == then->x && now.y == then->y &&
			now.z == then->z;
		debug->places.at[i] = now;
	}
	debug->places.n = n;
	*ret = still;
	return NULL;
}

/* ---- running forward ---- */

struct run {
	const struct cs_run_request *request;
	struct cs_expression *until;
	uint64_t quiet; /* number of frames since the last event or the last movement of a source */
	struct look look;
};

/* Decides whether the frames that have just run, with events from `first` on, halt the run. */
static struct cs_error *run_to_stop_judge(
	struct cs_debug *debug, struct run *run, uint64_t first, enum cs_halt_reason *ret)
{
	bool holds = false;
	struct cs_error *error = ask_stops(debug, first, &run->look);
	if (error)
		return error;
	if (run->look.halted) {
		*ret = CS_HALT_STOP;
		error = keep_commands(debug, run->look.halt);
		return error ? error : delete_spent(debug);
	}
	if (run->until) {
		error = cs_expression_is_true(run->until, &holds);
		*ret = holds ? CS_HALT_UNTIL : *ret;
	}
	if (run->request->to_change && has_one(debug->stream, first, cs_debug_is_change))
		*ret = CS_HALT_CHANGE;
	if (run->request->to_turn && has_one(debug->stream, first, cs_debug_is_turn))
		*ret = CS_HALT_CHANGE;
	if (!error && run->request->idle) {
		error = stands_still(debug, &holds);
		holds = holds && cs_stream_event_count(debug->stream) == first;
		run->quiet = holds ? run->quiet + 1 : 0;
		if (!error && run->quiet >= run->request->idle && *ret == CS_HALT_DONE)
			*ret = CS_HALT_IDLE;
	}
	return error;
}

/* Returns how many frames to run at once: 1 if anything but the frame count may end the run. */
static uint64_t piece_of(const struct cs_debug *debug, const struct run *run, uint64_t left)
{
	const struct cs_run_request *request = run->request;
	if (debug->armed || debug->watches || run->until || request->to_change ||
		request->to_turn || request->idle)
		return 1;
	return left < PIECE ? left : PIECE;
}

/* Returns the index of the first event to test. Events of commands after a halt are tested, too. */
static uint64_t run_to_stop_first_event(const struct cs_debug *debug)
{
	bool same = debug->seen_frame == cs_stream_status(debug->stream).frame;
	uint64_t count = cs_stream_event_count(debug->stream);
	return same && debug->seen < count ? debug->seen : count;
}

/*
 * Passes on an error. If the user interrupted the evaluation of a stop's condition, sets
 * *interrupted_ret and returns NULL: the interruption ends the run and is no error.
 */
static struct cs_error *without_interruption(
	struct cs_error *error, const struct cs_job *job, bool *interrupted_ret)
{
	if (!error || error->code != CS_E_INTERRUPTED)
		return error;
	struct cs_error *stopped = cs_job_check(job);
	*interrupted_ret = stopped && stopped->code == CS_E_INTERRUPTED;
	cs_error_free(stopped);
	if (!*interrupted_ret)
		return error;
	cs_error_free(error);
	return NULL;
}

static bool is_stopped(const struct cs_job *job)
{
	struct cs_error *stopped = cs_job_check(job);
	cs_error_free(stopped);
	return stopped != NULL;
}

static struct cs_error *run_to_stop_run_frames(
	struct cs_debug *debug, struct run *run, const struct cs_job *job, struct cs_halt *halt)
{
	const struct cs_run_request *request = run->request;
	struct cs_error *error = NULL;
	uint64_t first = run_to_stop_first_event(debug);
	bool interrupted = false; /* interrupted before all events from `first` on were tested */
	while (!error && halt->reason == CS_HALT_DONE && halt->frames < request->frames) {
		uint64_t n = piece_of(debug, run, request->frames - halt->frames);
		if (is_stopped(job)) {
			halt->reason = CS_HALT_INTERRUPTED;
			break;
		}
		error = cs_stream_step(debug->stream, n);
		halt->frames += n;
		if (!error)
			error = run_to_stop_judge(debug, run, first, &halt->reason);
		error = without_interruption(error, job, &interrupted);
		if (interrupted) {
			halt->reason = CS_HALT_INTERRUPTED;
			break;
		}
		first = cs_stream_event_count(debug->stream);
		cs_job_progress(job, "run", halt->frames, request->frames);
	}
	cs_debug_forget_events(debug);
	if (interrupted)
		debug->seen = first;
	return error;
}

/* ---- running backward ---- */

/*
 * Runs the frames between `begin` and `end` again, without `begin` and `end` themselves. *found_ret
 * is the last of these frames in which a stop halts, 0 if there is none.
 */
static struct cs_error *run_to_stop_search(struct cs_debug *debug, uint64_t begin, uint64_t end,
	struct cs_halt *halt, uint64_t *found_ret)
{
	struct cs_error *error = cs_stream_goto(debug->stream, begin);
	*found_ret = 0;
	if (!error)
		error = cs_debug_arm_watches(debug);
	for (uint64_t frame = begin + 1; !error && frame < end; frame++) {
		uint64_t first = cs_stream_event_count(debug->stream);
		struct look look = {.halt = halt};
		error = cs_stream_step(debug->stream, 1);
		if (!error)
			error = ask_stops(debug, first, &look);
		if (look.halted)
			*found_ret = frame;
	}
	return error;
}

static struct cs_error *halt_back(struct cs_debug *debug, enum cs_halt_reason reason,
	uint64_t start, uint64_t frame, struct cs_halt *halt)
{
	halt->reason = reason;
	halt->frames = start - frame;
	return cs_stream_goto(debug->stream, frame);
}

/* Frames between `low` and `end` (both excluded) are left to search, the latest first. */
struct back_search {
	uint64_t start, low, end;
	uint64_t piece;             /* number of frames searched in the next step */
	uint64_t found;             /* the latest frame in which a stop halts, 0 for none */
	enum cs_halt_reason reason; /* reason to report if no stop halts */
};

static struct back_search begin_back(
	const struct cs_debug *debug, const struct cs_run_request *request)
{
	uint64_t start = cs_stream_status(debug->stream).frame, first, last;
	cs_stream_history(debug->stream, &first, &last);
	bool is_short = request->frames < start - first;
	return (struct back_search){.start = start,
		.low = is_short ? start - request->frames : first,
		.end = start,
		.piece = PIECE,
		.reason = is_short ? CS_HALT_DONE : CS_HALT_BEGIN};
}

static struct cs_error *search_piece(struct cs_debug *debug, struct back_search *search,
	const struct cs_job *job, struct cs_halt *halt)
{
	const uint64_t begin = search->end - search->low > search->piece
				       ? search->end - search->piece
				       : search->low;
	bool interrupted = false;
	struct cs_error *error =
		run_to_stop_search(debug, begin, search->end, halt, &search->found);
	error = without_interruption(error, job, &interrupted);
	if (interrupted) {
		search->reason = CS_HALT_INTERRUPTED;
		search->found = 0;
	}
	search->end = begin + 1;
	search->piece = search->piece < LARGEST_PIECE ? 2 * search->piece : search->piece;
	return error;
}

/* Goes to the frame in which a stop halts; without one to `low`, or to `start` if interrupted. */
static struct cs_error *end_back(
	struct cs_debug *debug, const struct back_search *search, struct cs_halt *halt)
{
	uint64_t frame = search->reason == CS_HALT_INTERRUPTED ? search->start : search->low;
	if (search->found)
		return halt_back(debug, CS_HALT_STOP, search->start, search->found, halt);
	return halt_back(debug, search->reason, search->start, frame, halt);
}

static struct cs_error *run_to_stop_back(struct cs_debug *debug,
	const struct cs_run_request *request, const struct cs_job *job, struct cs_halt *ret)
{
	struct cs_halt halt = {0};
	struct back_search search = begin_back(debug, request);
	struct cs_error *error = NULL;
	while (!error && !search.found && search.reason != CS_HALT_INTERRUPTED &&
		search.end > search.low + 1) {
		if (is_stopped(job)) {
			search.reason = CS_HALT_INTERRUPTED;
			break;
		}
		error = search_piece(debug, &search, job, &halt);
		cs_job_progress(
			job, "run back", search.start - search.end, search.start - search.low);
	}
	if (error) /* the first error is returned, a second one from going back is dropped */
		cs_error_free(cs_stream_goto(debug->stream, search.start));
	else
		error = end_back(debug, &search, &halt);
	if (!error)
		*ret = halt;
	return error;
}

struct cs_error *cs_debug_run(struct cs_debug *debug, const struct cs_run_request *request,
	const struct cs_job *job, struct cs_halt *ret)
{
	struct cs_halt halt = {.reason = CS_HALT_DONE};
	struct run run = {.request = request, .look = {.counts = true, .halt = &halt}};
	bool still;
	if (request->back)
		return run_to_stop_back(debug, request, job, ret);
	struct cs_error *error = cs_debug_arm_watches(debug);
	if (!error && request->idle)
		error = stands_still(debug, &still);
	if (!error && request->until)
		error = cs_expression_new(
			debug->query, request->until, NULL, request->variables, &run.until);
	if (!error)
		error = run_to_stop_run_frames(debug, &run, job, &halt);
	cs_expression_free(run.until);
	if (!error)
		*ret = halt;
	return error;
}
