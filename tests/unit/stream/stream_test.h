/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of streaming share: a stream over a world of its own, and short ways to ask it. */
#pragma once

#include "stream/stream_inside.h"
#include "stream/stream_internal.h"
#include "tests/samples/tap.h"
#include "tests/unit/stream/worlds.h"

#include <math.h>

#define SIZE  12800.0
#define RANGE 25600.0

/* A stream and its world, which are closed together. */
struct bench {
	struct worlds w;
	struct cs_stream *s;
};

static inline void must(struct cs_error *error)
{
	if (error) {
		printf("Bail out! %s\n", error->message);
		exit(99);
	}
}

static inline void start(struct bench *b, const struct cs_stream_options *options)
{
	must(cs_stream_new(worlds_open(&b->w), options, NULL, &b->s));
}

static inline void finish(struct bench *b)
{
	cs_stream_free(b->s);
	worlds_deinit(&b->w);
}

static inline void step(struct bench *b, uint64_t n)
{
	must(cs_stream_step(b->s, n));
}

static inline void set(struct cs_stream *s, const char *name, const char *value)
{
	must(cs_stream_variable_set(s, cs_stream_find_variable(name), value));
}

/* Makes frames of 10 ms and loads of `frames` frames; nothing else takes time. */
static inline void set_load_frames(struct cs_stream *s, int frames)
{
	char latency[32];
	snprintf(latency, sizeof(latency), "%d", frames * 10);
	set(s, "sim.FrameTime", "10");
	set(s, "sim.Latency", latency);
	set(s, "sim.Bandwidth", "0");
	set(s, "sim.LoadPerActor", "0");
	set(s, "sim.ShowPerActor", "0");
	set(s, "sim.HidePerActor", "0");
}

static inline void add_source(struct cs_stream *s, const char *name, double x, double y)
{
	struct cs_stream_source source = cs_stream_source_default(name);
	source.location = (struct cs_vec3){x, y, 0};
	must(cs_stream_source_set(s, &source));
}

static inline void move(struct cs_stream *s, const char *name, double x, double y)
{
	must(cs_stream_source_move(
		s, name, (struct cs_vec3){x, y, 0}, (struct cs_rotator){0, 0, 0}));
}

static inline struct cs_stream_cell main_cell(uint32_t id)
{
	return (struct cs_stream_cell){0, id};
}

static inline struct cs_stream_cell_view look(const struct bench *b, uint32_t id)
{
	return cs_stream_cell(b->s, main_cell(id));
}

static inline struct cs_stream_why why(const struct bench *b, uint32_t id)
{
	struct cs_stream_why answer;
	must(cs_stream_why(b->s, main_cell(id), &answer));
	return answer;
}

static inline const struct cs_stream_frame *frame(const struct bench *b)
{
	return cs_stream_frame(b->s, cs_stream_status(b->s).frame);
}

static inline uint64_t hash_of(const struct bench *b)
{
	uint64_t hash;
	must(cs_stream_hash(b->s, &hash));
	return hash;
}

/* Returns the k-th cell of the main world that began to load in the run. */
static inline uint32_t nth_load(const struct bench *b, unsigned k)
{
	for (uint64_t i = 0; i < cs_stream_event_count(b->s); i++) {
		const struct cs_stream_event *e = cs_stream_event_at(b->s, i);
		if (e->event == CS_EVENT_LEVEL && e->to == CS_LEVEL_LOADING && k-- == 0)
			return e->cell;
	}
	return CS_NONE;
}

/* Adds a cell with that content; the box of the cell does not matter to a hash set. */
static inline uint32_t boxed_cell(struct worlds *w, uint32_t grid, int64_t x, struct cs_box content)
{
	uint32_t id = worlds_cell(w, grid, 0, x, 0, 1);
	w->cells.at[id].content = content;
	return id;
}
