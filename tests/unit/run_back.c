/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going back to a stop: to the last frame before with such an event, as the log of events tells it,
 * no farther than asked for; without one to where that is, or to the beginning.
 */
#include "tests/unit/stream_test.h"

#include <cellscope/debug.h>
#include <cellscope/stream_events.h>

enum { FRAMES = 90 };

/* The last frame from `low` on and before `now` with such an event, 0 = none. */
static uint64_t last_with(
	const struct cs_stream *s, enum cs_moment moment, uint64_t low, uint64_t now)
{
	uint64_t last = 0;
	for (uint64_t i = 0; i < cs_stream_event_count(s); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(s, i);
		if (event && cs_moment_of(event) == moment && event->frame > low &&
			event->frame < now)
			last = event->frame;
	}
	return last;
}

static void goes_back(struct bench *b, struct cs_debug *debug, enum cs_moment moment, uint64_t from,
	uint64_t most)
{
	struct cs_halt halt = {0};
	const struct cs_run_request request = {.frames = most};
	must(cs_stream_goto(b->s, FRAMES));
	const uint64_t low = most < from ? from - most : 0,
		       want = last_with(b->s, moment, low, from);
	must(cs_stream_goto(b->s, from));
	works(cs_debug_run_back(debug, &request, NULL, &halt), "back from frame %d", (int)from);
	const uint64_t there = want ? want : low;
	is_int(cs_stream_status(b->s).frame, there, "to frame %d", (int)there);
	is_int(halt.frames, from - there, "which is so many");
	is_int(halt.reason,
		want  ? CS_HALT_STOP
		: low ? CS_HALT_DONE
		      : CS_HALT_BEGIN,
		"and the reason");
	ok(!want || halt.moment == moment, "at its moment");
}

static void test_moment(struct bench *b, enum cs_moment moment)
{
	uint32_t id = 0;
	struct cs_query *query = NULL;
	struct cs_debug *debug = NULL;
	works(cs_query_new(&query), "a query");
	works(cs_debug_new(b->s, query, &debug), "a debugger");
	works(cs_debug_break(debug, moment, NULL, (struct cs_parameters){0}, &id), "a stop");
	for (uint64_t from = 5; from <= FRAMES; from += 17)
		for (uint64_t most = 1; most < 200; most *= 3)
			goes_back(b, debug, moment, from, most);
	cs_debug_free(debug);
	cs_query_free(query);
}

int main(void)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_square(&b.w, grid, 0, -4, -4, 4, 4, 1);
	start(&b, NULL);
	set_load_frames(b.s, 2);
	add_source(b.s, "P", 0, 0);
	step(&b, 40);
	move(b.s, "P", 40000, 0);
	step(&b, FRAMES - 40);
	test_moment(&b, CS_MOMENT_CELL_SHOW);
	test_moment(&b, CS_MOMENT_CELL_UNLOAD);
	test_moment(&b, CS_MOMENT_CELL_FAIL);
	finish(&b);
	return done();
}
