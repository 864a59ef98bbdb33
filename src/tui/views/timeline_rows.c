/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the data of the timeline: numbers of each frame from the tables `frames` and `page_frames`
 * into a ring buffer, and marks from the table `events`, which is sorted by frame.
 */
#include "src/tui/views/timeline_view.h"

#include "core/search.h"

#include <stdio.h>
#include <string.h>

enum { MOST_MARKS = 4096 };

const struct timeline_strip timeline_strips[NUMBERS] = {
	[LOADS] = {"loads", "loads", 1, "peak ", "", 0},
	[WAITING] = {"waiting", "waiting", 1, "peak ", "", 0},
	[LOADING] = {"loading", "loading", 1, "peak ", "", 0},
	[BYTES] = {"MiB", "bytes", 1.0 / (1 << 20), "peak ", "", 1},
	[WORK] = {"show ms", "work", 1, "peak ", "", 1},
	[STALL] = {"stalls", "stall", 1, "longest ", " ms", 0},
	[REAL_FRAME] = {"real ms", "recorded_frame_time", 1, "peak ", "", 1, OF_PROFILE},
	[REAL_SHOW] = {"real upd", "recorded_level_streaming", 1, "peak ", "", 2, OF_PROFILE},
	[REAL_CONSIDERED] = {"real lvl", "recorded_considered", 1, "peak ", "", 0, OF_PROFILE},
	[REAL_QUEUED] = {"real que", "recorded_queued", 1, "peak ", "", 0, OF_PROFILE},
	[RUN_REAL] = {"real vis", "real", 1, "peak ", "", 0, OF_RUN},
	[RUN_SIMULATED] = {"sim vis", "simulated", 1, "peak ", "", 0, OF_RUN},
	[PAGES_MISSING] = {"pages -", "missing", 1, "missing ", "", 0, OF_PAGES},
	[PAGES_LOADING] = {"pages ~", "loading", 1, "loading ", "", 0, OF_PAGES},
	[PAGES_EVICTED] = {"pages x", "evicted", 1, "evicted ", "", 0, OF_PAGES},
	[PAGES_USED] = {"pool", "used", 1, "used ", "", 0, OF_PAGES},
	[PAGES_WORST] = {"error px", "worst", 1, "worst ", "", 2, OF_PAGES},
	[PERFORMANCE] = {"perf", "performance", 1, "S slow C crit", NULL, 0},
};

/* ---- numbers of frames ---- */

const struct sample *timeline_sample_at(const struct timeline *state, uint64_t frame)
{
	const struct sample *sample = &state->kept[frame % TIMELINE_KEPT];
	return frame > 0 && sample->frame == frame ? sample : NULL;
}

static double timeline_number_of(const struct cs_value *value)
{
	if (value->kind == CS_KIND_INTEGER)
		return (double)value->integer;
	if (value->kind == CS_KIND_NUMBER)
		return value->number;
	for (int i = 0; value->kind == CS_KIND_TEXT && i < 4; i++)
		if (strcmp(value->text, cs_word(CS_WORDS_PERFORMANCE, i)->name) == 0)
			return i;
	return 0;
}

/* Returns the owner of the table with these numbers: `frames` of the world has the profiler's. */
static enum owner timeline_table_of(enum owner owner)
{
	return owner == OF_PROFILE ? OF_WORLD : owner;
}

static void read_sample(struct timeline *state, const struct cs_table *table, const void *source,
	size_t row, enum owner of)
{
	const uint64_t frame = timeline_frame_of_row(table, source, row);
	struct sample *sample = &state->kept[frame % TIMELINE_KEPT];
	if (sample->frame != frame)
		*sample = (struct sample){.frame = frame};
	for (int i = 0; i < NUMBERS; i++) {
		const struct cs_column *column = cs_table_column(table, timeline_strips[i].key);
		if (timeline_table_of(timeline_strips[i].owner) != of || !column)
			continue;
		struct cs_value value = cs_table_get(table, source, row, column);
		sample->at[i] = timeline_number_of(&value) * timeline_strips[i].unit;
		state->has[timeline_strips[i].owner] |= value.kind != CS_KIND_NULL;
	}
}

/* Reads as many of the table's last rows as frames have run since the last call. */
static void read_rows(
	struct tui_view *view, const struct cs_table *table, const void *source, enum owner of)
{
	struct timeline *state = timeline_of(view);
	uint64_t now = cs_stream_status(view->session->run.stream).frame;
	size_t n = table->count(source);
	uint64_t unread = now > state->now ? now - state->now : 0;
	unread = unread < n ? unread : n;
	unread = unread < TIMELINE_KEPT ? unread : TIMELINE_KEPT;
	for (size_t i = n - unread; i < n; i++)
		read_sample(state, table, source, i, of);
}

/*
 * Reads the last TIMELINE_KEPT frames of the latest `run compare`, whether or not the open run has
 * already had frames of these numbers.
 */
static void timeline_read_run(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	const void *source;
	const struct cs_table *table = session_table(view->session, "run_strips", &source);
	const size_t n = table ? table->count(source) : 0;
	state->has[OF_RUN] = false;
	for (size_t i = n > TIMELINE_KEPT ? n - TIMELINE_KEPT : 0; i < n; i++)
		read_sample(state, table, source, i, OF_RUN);
	state->last = n > state->last ? n : state->last;
}

void timeline_read_frames(struct tui_view *view, const struct cs_table *table, const void *source)
{
	struct timeline *state = timeline_of(view);
	uint64_t now = cs_stream_status(view->session->run.stream).frame;
	const void *pager;
	const struct cs_table *pages = view->session->run.pager
					       ? session_table(view->session, "page_frames", &pager)
					       : NULL;
	read_rows(view, table, source, OF_WORLD);
	if (pages)
		read_rows(view, pages, pager, OF_PAGES);
	timeline_read_run(view);
	state->has[OF_WORLD] = view->session->world;
	if (state->frame == state->now || state->frame == 0)
		state->frame = now;
	state->now = now;
	state->last = now > state->last ? now : state->last;
}

uint64_t timeline_first_frame(const struct timeline *state)
{
	return state->last > TIMELINE_KEPT ? state->last - TIMELINE_KEPT + 1 : 1;
}

/* ---- marks: changes of data layers ---- */

uint64_t timeline_frame_of_row(const struct cs_table *table, const void *source, size_t row)
{
	struct cs_value value = row_value(table, source, row, "frame");
	return value.kind == CS_KIND_INTEGER ? (uint64_t)value.integer : 0;
}

/* Reads the data layer changes in the window as marks, from the events, sorted by frame. */
struct cs_error *timeline_read_marks(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	const void *source;
	const struct cs_table *table = session_table(view->session, "events", &source);
	uint64_t end = state->first + state->zoom * (uint64_t)state->columns;
	state->marks.n = 0;
	if (!table)
		return NULL;
	size_t n = table->count(source);
	size_t i =
		cs_lower_bound(0, n, row, timeline_frame_of_row(table, source, row) < state->first);
	for (; i < n && state->marks.n < MOST_MARKS; i++) {
		struct mark mark = {.frame = timeline_frame_of_row(table, source, i)};
		if (mark.frame >= end)
			break;
		if (strcmp(row_text(table, source, i, "event"), "layer.change") != 0)
			continue;
		snprintf(mark.text, sizeof(mark.text), "%.30s %.12s",
			row_text(table, source, i, "layer"), row_text(table, source, i, "to"));
		if (!cs_vec_push(&state->marks, mark))
			return cs_error_nomem();
	}
	return NULL;
}
