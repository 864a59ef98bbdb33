/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A day at 60 frames a second over the generated city, of 101959 actors and 35 layers: a source
 * flies round on a path while another jumps about, layers change and loads fail, a thousand times.
 * The heap must be at its end what it was in the forenoon; a second run, a replay of the recorded
 * inputs into a new stream, and going back to noon must give the same states. CI runs a twentieth;
 * tests/bench/day, the same file, all of it. CELLSCOPE_DAY_FRAMES sets another length.
 */
#include <cellscope/cook.h>
#include <cellscope/runs.h>
#include <cellscope/world.h>

#include "core/random.h"
#include "core/text.h"
#include "stream/stream_inside.h"
#include "tests/samples/tap.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef DAY_FRAMES
#define DAY_FRAMES (5184000 / 20)
#endif

enum { PARTS = 1000, KEYS = 48 };

/* The bytes that a stream may keep of its past, so few that they are used up well before noon. */
#define HISTORY (UINT64_C(1) << 20)

static void must(struct cs_error *error)
{
	if (error) {
		printf("Bail out! %s\n", error->message);
		exit(99);
	}
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the city ---- */

struct city {
	struct cs_cooked *cooked;
	unsigned char *bytes;
	struct cs_path *path;
};

static void make_city(struct city *city)
{
	const struct cs_world_recipe recipe = {.kind = CS_WORLD_CITY, .seed = 7};
	struct cs_world *world;
	struct cs_cook *cook;
	size_t size;
	must(cs_world_generate(&recipe, NULL, &world));
	must(cs_cook(world, NULL, NULL, &cook));
	must(cs_cook_bytes(cook, &city->bytes, &size));
	cs_cook_free(cook);
	cs_world_free(world);
	must(cs_cooked_open_bytes(city->bytes, size, "city", NULL, &city->cooked));
	diag("a city of %zu cells", (size_t)city->cooked->n_cells);
}

/* Makes a path that leads twice around the middle of the city, at about 30 m/s. */
static void make_path(struct city *city)
{
	const struct cs_box box = city->cooked->world->bounds;
	struct cs_vec3 middle = {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, 3000};
	double reach = (box.max.x - box.min.x) / 2, time = 0;
	must(cs_path_new(&city->path));
	for (int i = 0; i <= KEYS; i++) {
		double turn = i * 4 * 3.14159265358979 / KEYS;
		double far = reach * (0.5 + 0.4 * cos(turn * 1.5));
		struct cs_path_key key = {.time = time,
			.position = {
				middle.x + far * cos(turn), middle.y + far * sin(turn), middle.z}};
		must(cs_path_add(city->path, &key));
		time += reach * 4 * 3.14159265358979 / KEYS / 3000;
	}
}

/* ---- a day ---- */

static struct cs_stream *new_stream(const struct city *city)
{
	struct cs_stream *s;
	const struct cs_stream_options options = {.history_bytes = HISTORY};
	must(cs_stream_new(city->cooked, &options, NULL, &s));
	return s;
}

static void begin(struct cs_stream *s, const struct city *city)
{
	struct cs_stream_source flyer = cs_stream_source_player("Flyer");
	struct cs_stream_source jumper = cs_stream_source_default("Jumper");
	must(cs_stream_source_set(s, &flyer));
	must(cs_stream_source_set(s, &jumper));
	must(cs_stream_source_follow(s, "Flyer", city->path, true));
}

/* Does at random what people do now and then. */
static void act(struct cs_stream *s, const struct city *city, struct cs_random *random)
{
	const struct cs_cooked *world = city->cooked;
	const struct cs_box box = world->world->bounds;
	struct cs_vec3 place = {box.min.x + cs_random_unit(random) * (box.max.x - box.min.x),
		box.min.y + cs_random_unit(random) * (box.max.y - box.min.y), 200};
	struct cs_stream_cell cell = {0, cs_random_below(random, (uint32_t)world->n_cells)};
	enum cs_layer_answer answer;
	must(cs_stream_source_move(s, "Jumper", place, (struct cs_rotator){0, 0, 0}));
	must(cs_stream_layer_set(s, 0, cs_random_below(random, (uint32_t)world->n_layers),
		(enum cs_layer_state)cs_random_below(random, 3), false, false, &answer));
	must(cs_stream_fault(s, cell, (enum cs_fault)cs_random_below(random, 4), 8));
}

/* Returns the bytes that the allocator says are in use. */
static uint64_t heap(void)
{
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

struct day {
	uint64_t noon, end;   /* hashes */
	uint64_t early, late; /* bytes of the heap in the forenoon and at the end */
	uint64_t loads;
	double seconds;
};

static struct day run_day(struct cs_stream *s, const struct city *city, uint64_t frames)
{
	struct cs_random random = {.state = 99};
	struct day day = {0};
	double start = now();
	begin(s, city);
	for (uint64_t part = 0; part < PARTS; part++) {
		must(cs_stream_step(s, frames / PARTS));
		if (part + 1 == PARTS / 2)
			must(cs_stream_hash(s, &day.noon));
		if (part + 1 == PARTS / 4)
			day.early = heap();
		if (part + 1 < PARTS)
			act(s, city, &random);
	}
	must(cs_stream_hash(s, &day.end));
	day.late = heap();
	day.loads = cs_stream_report(s).loads;
	day.seconds = now() - start;
	return day;
}

/* ---- replaying the record ---- */

static void apply(struct cs_stream *s, const struct cs_stream_input *input)
{
	enum cs_layer_answer answer;
	switch (input->kind) {
	case CS_INPUT_SOURCE:
		must(cs_stream_source_set(s, input->source));
		break;
	case CS_INPUT_MOVE:
		must(cs_stream_source_move(s, input->name, input->location, input->rotation));
		break;
	case CS_INPUT_FOLLOW:
		must(cs_stream_source_follow(s, input->name, input->path, input->on));
		break;
	case CS_INPUT_LAYER:
		must(cs_stream_layer_set(s, input->world, input->row, input->state, input->on,
			input->replicated, &answer));
		break;
	case CS_INPUT_FAULT:
		must(cs_stream_fault(s, input->cell, (enum cs_fault)input->row, input->number));
		break;
	default:
		printf("Bail out! an input that was not made\n");
		exit(99);
	}
}

static uint64_t replay(const struct cs_stream *from, const struct city *city, uint64_t frames)
{
	struct cs_stream *s = new_stream(city);
	struct cs_stream_input input;
	uint64_t hash;
	size_t cursor = 0;
	while (cs_stream_next_input(from, &cursor, &input)) {
		must(cs_stream_step(s, input.frame - cs_stream_status(s).frame));
		apply(s, &input);
	}
	must(cs_stream_step(s, frames - cs_stream_status(s).frame));
	must(cs_stream_hash(s, &hash));
	cs_stream_free(s);
	return hash;
}

int main(void)
{
	const char *asked = getenv("CELLSCOPE_DAY_FRAMES");
	double frames = DAY_FRAMES;
	struct city city;
	if (asked && !cs_double_parse(asked, strlen(asked), &frames))
		return 2;
	uint64_t n = (uint64_t)frames / PARTS * PARTS, hash;
	make_city(&city);
	make_path(&city);
	struct cs_stream *s = new_stream(&city), *again = new_stream(&city);
	struct day day = run_day(s, &city, n), second = run_day(again, &city, n);
	cs_stream_free(again);
	diag("%llu frames in %.1f s, %.2f us each; %llu loads; heap %llu, later %llu",
		(unsigned long long)n, day.seconds, day.seconds / (double)n * 1e6,
		(unsigned long long)day.loads, (unsigned long long)day.early,
		(unsigned long long)day.late);
	ok(day.loads > n / 10000, "the day had something to load");
	ok(day.end == second.end && day.noon == second.noon, "a second day is the same");
	ok(day.late <= day.early + HISTORY, "the heap does not grow in three quarters of a day");
	ok(replay(s, &city, n) == day.end, "the recorded inputs lead to the same state");
	must(cs_stream_goto(s, n / PARTS * (PARTS / 2)));
	must(cs_stream_hash(s, &hash));
	ok(hash != day.end, "noon is not the evening");
	must(cs_stream_goto(s, n));
	must(cs_stream_hash(s, &hash));
	ok(hash == day.end, "back to noon and forth again: the same evening");
	cs_stream_free(s);
	cs_path_free(city.path);
	cs_cooked_close(city.cooked);
	free(city.bytes);
	return done();
}
