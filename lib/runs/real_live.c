/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulates a run while it is being followed. Each recorded frame with a position becomes a frame
 * of the simulation with the same position and length, so that the map and the timeline follow the
 * game. A cell that becomes visible in the game can trigger a stop, which gets the time since the
 * cell began to load. After a stop the remaining rows are kept for the next call. The game and this
 * program never wait for each other.
 */
#include "runs/follow.h"
#include "runs/real_walk.h"

#include "core/job.h"
#include "debug/debug_inside.h"

#include <time.h>

enum { LIVE_NAP_MS = 20, LIVE_SPELL_MS = 40 };

/* ---- cells that become visible in the game ---- */

static struct cs_error *live_begins(struct cs_follow *follow, const struct cs_cooked *world)
{
	struct cs_follow_begins *begins = &follow->begins;
	if (begins->world == world && begins->n == world->n_cells)
		return NULL;
	free(begins->at);
	*begins = (struct cs_follow_begins){
		.world = world, .at = malloc((world->n_cells + 1) * sizeof(*begins->at))};
	if (!begins->at)
		return cs_error_nomem();
	begins->n = (uint32_t)world->n_cells;
	for (uint32_t i = 0; i < begins->n; i++)
		begins->at[i] = CS_NO_NUMBER;
	return NULL;
}

static struct cs_error *live_cell(struct cs_follow *follow, const struct cs_follow_request *request,
	const struct cs_real_cell *row, uint32_t cell, struct cs_halt *halt)
{
	double *begin = &follow->begins.at[cell];
	const double waited = (row->time - *begin) * 1e3;
	if (row->state == CS_REAL_LOADING || row->state == CS_REAL_UNLOADED)
		*begin = row->state == CS_REAL_LOADING ? row->time : CS_NO_NUMBER;
	if (row->state != CS_REAL_VISIBLE || !(waited >= 0))
		return NULL;
	*begin = CS_NO_NUMBER;
	const struct cs_stream_event event = {.frame = cs_stream_status(request->stream).frame,
		.cell = cell,
		.event = CS_EVENT_LATE,
		.detail = waited < UINT32_MAX ? (uint32_t)llround(waited) : UINT32_MAX};
	return cs_debug_event(request->debug, &event, halt);
}

/* ---- frames of the game ---- */

static struct cs_error *live_frame_input(struct cs_stream *stream, const struct cs_real_frame *row)
{
	struct cs_stream_source source = cs_stream_source_player("Player0");
	const size_t time = cs_stream_find_variable("sim.FrameTime");
	char text[CS_DOUBLE_TEXT];
	struct cs_error *error = NULL;
	source.location = row->position;
	source.rotation = row->rotation;
	if (cs_stream_find_source(stream, source.name) == SIZE_MAX)
		error = cs_stream_source_set(stream, &source);
	else
		error = cs_stream_source_move(stream, source.name, row->position, row->rotation);
	if (error || !(row->ms > 0) || row->ms == cs_stream_variable(stream, time).number)
		return error;
	cs_double_format(row->ms, text);
	return cs_stream_variable_set(stream, time, text);
}

static struct cs_error *live_frame(const struct cs_follow_request *request,
	const struct cs_real_frame *row, const struct cs_job *job, struct cs_halt *halt)
{
	struct cs_error *error = live_frame_input(request->stream, row);
	if (error)
		return error;
	if (request->debug)
		return cs_debug_run(
			request->debug, &(struct cs_run_request){.frames = 1}, job, halt);
	return cs_stream_step(request->stream, 1);
}

/* ---- frames and cells in the order of their times ---- */

static bool live_is_frame_next(const struct cs_follow *follow)
{
	const struct cs_real *real = follow->real;
	const bool any = follow->next_frame < real->frames.n;
	if (!any || follow->next_cell >= real->cells.n)
		return any;
	return !(real->frames.at[follow->next_frame].time > real->cells.at[follow->next_cell].time);
}

static struct cs_error *live_next(struct cs_follow *follow, const struct cs_follow_request *request,
	const struct cs_slots *names, const struct cs_job *job, struct cs_halt *halt)
{
	const struct cs_real *real = follow->real;
	if (live_is_frame_next(follow)) {
		const struct cs_real_frame *row = &real->frames.at[follow->next_frame++];
		return isnan(row->position.x) ? NULL : live_frame(request, row, job, halt);
	}
	const struct cs_real_cell *row = &real->cells.at[follow->next_cell++];
	const uint32_t cell = cs_real_find_cell(cs_stream_world(request->stream, 0).cooked, names,
		cs_strings_get(&real->texts, row->cell));
	return cell == CS_NONE || !request->debug ? NULL
						  : live_cell(follow, request, row, cell, halt);
}

/* Handles the frame and cell rows that were read since the last call, up to the next halt. */
static struct cs_error *live_walk(struct cs_follow *follow, const struct cs_follow_request *request,
	const struct cs_job *job, struct cs_halt *halt)
{
	const struct cs_real *real = follow->real;
	struct cs_slots names;
	*halt = (struct cs_halt){.reason = CS_HALT_DONE};
	if (!request->stream ||
		(follow->next_frame >= real->frames.n && follow->next_cell >= real->cells.n))
		return NULL;
	const struct cs_cooked *world = cs_stream_world(request->stream, 0).cooked;
	struct cs_error *error = live_begins(follow, world);
	if (!error && !cs_real_name_cells(world, &names))
		error = cs_error_nomem();
	if (error)
		return error;
	while (!error && halt->reason == CS_HALT_DONE &&
		(follow->next_frame < real->frames.n || follow->next_cell < real->cells.n))
		error = live_next(follow, request, &names, job, halt);
	cs_slots_deinit(&names);
	return error;
}

/* ---- waiting for data ---- */

static void live_nap(double seconds)
{
	const double most = LIVE_NAP_MS * 1e-3;
	const struct timespec nap = {.tv_nsec = (long)((seconds < most ? seconds : most) * 1e9)};
	if (nap.tv_nsec > 0)
		/* a signal interrupts the sleep; the job then reports the interruption */
		nanosleep(&nap, NULL);
}

/*
 * Returns whether to stop following the file. If request->seconds is positive, after that time; if
 * negative, never; if 0, when no data has arrived or, with is_spell, after one time slice of the
 * screen.
 */
static bool live_is_time(const struct cs_follow_request *request, double passed, uint64_t bytes)
{
	if (request->seconds != 0)
		return request->seconds > 0 && passed >= request->seconds;
	return bytes == 0 || (request->is_spell && passed * 1e3 >= LIVE_SPELL_MS);
}

struct cs_error *cs_follow_run(struct cs_follow *follow, const struct cs_follow_request *request,
	const struct cs_job *job, struct cs_follow_news *ret)
{
	struct cs_follow_news news = {.end = CS_FOLLOW_TIME};
	const double begun = cs_seconds();
	struct cs_error *error = live_walk(follow, request, job, &news.halt);
	while (!error && news.halt.reason == CS_HALT_DONE) {
		uint64_t bytes;
		bool over;
		error = cs_follow_read(follow, &bytes, &over);
		if (!error)
			error = live_walk(follow, request, job, &news.halt);
		news.bytes += bytes;
		const double passed = cs_seconds() - begun;
		if (error || news.halt.reason != CS_HALT_DONE)
			break;
		news.end = over ? CS_FOLLOW_OVER : CS_FOLLOW_INTERRUPTED;
		if (over || cs_job_interrupted(job))
			break;
		news.end = CS_FOLLOW_TIME;
		if (live_is_time(request, passed, bytes))
			break;
		if (bytes == 0)
			live_nap(request->seconds > 0 ? request->seconds - passed : 1);
	}
	if (news.halt.reason == CS_HALT_STOP)
		news.end = CS_FOLLOW_STOP;
	else if (news.halt.reason == CS_HALT_INTERRUPTED)
		news.end = CS_FOLLOW_INTERRUPTED;
	*ret = news;
	return error;
}
