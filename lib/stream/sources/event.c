/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports about the run: the event log, a record for each frame, stalls, and sums. The first three
 * are ring buffers of a fixed size; nothing in them influences the run.
 *
 * A slot of a ring buffer stores the index of its entry. So going back and forth in time only sets
 * how many entries there are: a slot that was overwritten stores another index and is not returned.
 */
#include "stream/stream_internal.h"

enum { EVENTS = 65536, FRAMES = 4096, STALLS = 256 };

struct cs_error *cs_run_log_init(struct cs_run_log *log, const struct cs_stream_options *options)
{
	log->n_events = options && options->events ? options->events : EVENTS;
	log->n_frames = options && options->frames ? options->frames : FRAMES;
	log->events = calloc(log->n_events, sizeof(*log->events));
	log->frames = calloc(log->n_frames, sizeof(*log->frames));
	log->stalls = calloc(STALLS, sizeof(*log->stalls));
	return log->events && log->frames && log->stalls ? NULL : cs_error_nomem();
}

void cs_run_log_deinit(struct cs_run_log *log)
{
	free(log->events);
	free(log->frames);
	free(log->stalls);
}

/* ---- events ---- */

void cs_run_event(struct cs_stream *stream, enum cs_event event, struct cs_stream_cell cell,
	uint32_t detail, unsigned from, unsigned to, enum cs_reason reason)
{
	struct cs_run_log *log = &stream->log;
	struct cs_run_event *slot = &log->events[log->event_count % log->n_events];
	slot->number = log->event_count++;
	slot->event = (struct cs_stream_event){
		.frame = stream->clock.frame,
		.world = cell.world,
		.cell = cell.cell,
		.detail = detail,
		.event = (uint8_t)event,
		.from = (uint8_t)from,
		.to = (uint8_t)to,
		.reason = (uint8_t)reason,
	};
}

const struct cs_stream_event *cs_stream_event_at(const struct cs_stream *stream, uint64_t number)
{
	const struct cs_run_log *log = &stream->log;
	const struct cs_run_event *slot = &log->events[number % log->n_events];
	return number < log->event_count && slot->number == number ? &slot->event : NULL;
}

/* ---- records of frames ---- */

void cs_run_frame_begin(struct cs_stream *stream)
{
	stream->log.now = (struct cs_stream_frame){
		.frame = stream->clock.frame, .cost.dearest = CS_STREAM_NO_CELL};
}

static void report_frame(struct cs_stream_report *report, const struct cs_stream_frame *now)
{
	uint32_t loads = now->loads < CS_REPORT_LOADS ? now->loads : CS_REPORT_LOADS - 1;
	report->frames++;
	report->loads += now->loads;
	report->unloads += now->unloads;
	report->failures += now->failed;
	report->thrash += now->thrash;
	report->stall_ns += now->stall_ns;
	report->stalls += now->blocked;
	report->short_frames += now->waiting > 0;
	report->slow_frames += now->performance == CS_PERFORMANCE_SLOW;
	report->critical_frames += now->performance >= CS_PERFORMANCE_CRITICAL;
	report->skipped_frames += now->evaluated == 0;
	report->frames_by_loads[loads]++;
	if (now->bytes > report->peak_bytes) {
		report->peak_bytes = now->bytes;
		report->peak_frame = now->frame;
	}
	if (now->cells_loaded > report->peak_cells)
		report->peak_cells = now->cells_loaded;
	if (now->actors > report->peak_actors)
		report->peak_actors = now->actors;
	if (now->waiting > report->peak_waiting)
		report->peak_waiting = now->waiting;
	if (now->loading > report->peak_loading)
		report->peak_loading = now->loading;
}

static bool has_record(const struct cs_run_log *log, uint64_t frame)
{
	return log->frames[frame % log->n_frames].frame == frame;
}

/* Stores the record of a frame. After going back, this overwrites records of later frames. */
static void keep_record(struct cs_run_log *log, const struct cs_stream_frame *now)
{
	uint64_t before = log->frames[now->frame % log->n_frames].frame;
	if (before > now->frame && before > log->last_hole)
		log->last_hole = before;
	log->frames[now->frame % log->n_frames] = *now;
	while (log->last_hole > 0 && has_record(log, log->last_hole))
		log->last_hole--;
}

void cs_run_frame_finish(struct cs_stream *stream)
{
	struct cs_run_log *log = &stream->log;
	stream->log.now.time_ns = stream->clock.time;
	stream->log.now.cells_visible = stream->levels.cells_visible;
	stream->log.now.cells_loaded = stream->levels.cells_loaded;
	stream->log.now.actors = stream->levels.actors;
	stream->log.now.bytes = stream->levels.bytes;
	stream->log.now.loading = stream->levels.n_loading;
	keep_record(log, &stream->log.now);
	report_frame(&log->report, &stream->log.now);
}

const struct cs_stream_frame *cs_stream_frame(const struct cs_stream *stream, uint64_t frame)
{
	const struct cs_run_log *log = &stream->log;
	bool is_behind_hole = log->last_hole > stream->clock.frame || frame > log->last_hole;
	bool is_kept = frame > 0 && frame <= stream->clock.frame && has_record(log, frame);
	return is_kept && is_behind_hole ? &log->frames[frame % log->n_frames] : NULL;
}

struct cs_stream_report cs_stream_report(const struct cs_stream *stream)
{
	return stream->log.report;
}

void cs_stream_report_reset(struct cs_stream *stream)
{
	stream->log.report = (struct cs_stream_report){.first_frame = stream->clock.frame + 1};
}

/* ---- stalls ---- */

void cs_run_stall_add(struct cs_stream *stream, const struct cs_stream_stall *stall)
{
	struct cs_run_log *log = &stream->log;
	log->stalls[log->stall_count % STALLS] = (struct cs_run_stall){log->stall_count, *stall};
	log->stall_count++;
}

size_t cs_stream_stalls(const struct cs_stream *stream)
{
	const struct cs_run_log *log = &stream->log;
	size_t n = 0;
	while (n < log->stall_count && n < STALLS &&
		log->stalls[(log->stall_count - n - 1) % STALLS].number == log->stall_count - n - 1)
		n++;
	return n;
}

const struct cs_stream_stall *cs_stream_stall_at(const struct cs_stream *stream, size_t index)
{
	uint64_t first = stream->log.stall_count - cs_stream_stalls(stream);
	return &stream->log.stalls[(first + index) % STALLS].stall;
}

/* ---- writing and reading the log ---- */

void cs_run_log_code(struct cs_codec *codec, struct cs_run_log *log)
{
	cs_code_u64(codec, &log->event_count);
	cs_code_u64(codec, &log->stall_count);
	cs_code_bytes(codec, &log->report, sizeof(log->report));
}
