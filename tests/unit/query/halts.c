/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stops, against the log of a run that had none: where a run halts forward and back, how often a
 * stop is hit, and what is told of it, are read from the events of each frame by hand.
 */
#include "tests/unit/stream/stream_test.h"

#include "core/random.h"
#include "debug/debug_inside.h"
#include "stream/stream_inside.h"

#include <cellscope/cooked_values.h>
#include <cellscope/query.h>

enum { FRAMES = 400 };

/* The events of each frame, recorded before there was a debugger. */
struct history {
	uint32_t events[FRAMES + 1][CS_MOMENTS]; /* by frame */
	uint32_t of_level[FRAMES + 1];           /* loads of cells of level 1 */
	bool changed[FRAMES + 1], turned[FRAMES + 1], moved[FRAMES + 1], eventful[FRAMES + 1];
};

struct stops {
	struct bench b;
	struct history *was;
	struct cs_query *query;
	struct cs_debug *debug;
	uint32_t id; /* of the only stop */
};

static void read_log(struct stops *t)
{
	const struct cs_stream *s = t->b.s;
	for (uint64_t i = 0; i < cs_stream_event_count(s); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(s, i);
		const enum cs_moment moment = cs_moment_of(event);
		t->was->events[event->frame][moment]++;
		t->was->eventful[event->frame] = true;
		t->was->changed[event->frame] |= cs_debug_is_change(event);
		t->was->turned[event->frame] |= cs_debug_is_turn(event);
		if (moment == CS_MOMENT_CELL_LOAD &&
			cs_cooked_cell(t->b.w.cooked, event->cell)->level == 1)
			t->was->of_level[event->frame]++;
	}
	for (uint64_t frame = 1; frame <= FRAMES; frame++)
		t->was->events[frame][CS_MOMENT_FRAME] = 1;
}

static void play(struct stops *t)
{
	struct cs_random random = {31};
	enum cs_layer_answer answer;
	for (uint64_t frame = 1; frame <= FRAMES; frame++) {
		step(&t->b, 1);
		if (cs_random_below(&random, 25) == 0) {
			move(t->b.s, "P", cs_random_range(&random, -90000, 90000),
				cs_random_range(&random, -90000, 90000));
			t->was->moved[frame] = true;
		} else if (cs_random_below(&random, 90) == 0) {
			must(cs_stream_layer_set(t->b.s, 0, cs_random_below(&random, 7),
				(enum cs_layer_state)cs_random_below(&random, 3), true, false,
				&answer));
		}
	}
}

static void begin(struct stops *t)
{
	*t = (struct stops){.was = calloc(1, sizeof(*t->was))};
	worlds_town(&t->b.w, "5.4", CS_HASH_SET, 16, 5);
	start(&t->b, NULL);
	set_load_frames(t->b.s, 3);
	add_source(t->b.s, "P", 0, 0);
	play(t);
	read_log(t);
	must(cs_query_new(&t->query));
	must(cs_query_add_cooked(t->query, t->b.w.cooked));
	cs_query_show(t->query, t->b.s, NULL);
	must(cs_debug_new(t->b.s, t->query, &t->debug));
}

static void end(struct stops *t)
{
	cs_debug_free(t->debug);
	cs_query_free(t->query);
	free(t->was);
	finish(&t->b);
}

static uint64_t now(const struct stops *t)
{
	return cs_stream_status(t->b.s).frame;
}

static void stop_at(struct stops *t, enum cs_moment moment, const char *condition)
{
	const struct cs_parameters none = {0};
	must(cs_debug_add(t->debug, &(struct cs_stop){.moment = moment, .expression = condition},
		none, &t->id));
}

static void no_stop(struct stops *t)
{
	must(cs_debug_delete(t->debug, t->id));
}

static struct cs_halt run(struct stops *t, struct cs_run_request request)
{
	struct cs_halt halt;
	must(cs_debug_run(t->debug, &request, NULL, &halt));
	return halt;
}

static struct cs_halt run_back(struct stops *t, uint64_t frames)
{
	struct cs_halt halt;
	must(cs_debug_run(
		t->debug, &(struct cs_run_request){.frames = frames, .back = true}, NULL, &halt));
	return halt;
}

/* ---- forward ---- */

/*
 * Runs from halt to halt: the run halts at each frame that `wanted` names, and each event counts as
 * a hit.
 */
static void halts_at(struct stops *t, enum cs_moment moment, const uint32_t *wanted, size_t stride,
	const char *what)
{
	uint64_t wrong = 0, hits = 0, halts = 0;
	must(cs_stream_goto(t->b.s, 0));
	while (now(t) < FRAMES) {
		uint64_t from = now(t), next = from + 1;
		while (next < FRAMES && !wanted[next * stride])
			next++;
		bool there = wanted[next * stride];
		hits += wanted[next * stride];
		halts += there;
		struct cs_halt halt = run(t, (struct cs_run_request){.frames = FRAMES - from});
		wrong += now(t) != next || halt.frames != next - from ||
			 halt.reason != (there ? CS_HALT_STOP : CS_HALT_DONE);
		wrong += there && (halt.stop != t->id || halt.moment != moment || halt.others ||
					  (moment && halt.event.frame != next));
	}
	is_int(wrong, 0, "%s: halts where the log says", what);
	is_int(cs_debug_stop(t->debug, t->id)->hits, hits, "%s: each event is a hit", what);
	ok(halts > 0, "%s: there were %llu", what, (unsigned long long)halts);
}

static const enum cs_moment moments[] = {CS_MOMENT_CELL_LOAD, CS_MOMENT_CELL_HIDDEN,
	CS_MOMENT_LAYER, CS_MOMENT_HLOD, CS_MOMENT_FRAME};
enum { TRIED = sizeof(moments) / sizeof(moments[0]) };

static void test_forward(struct stops *t)
{
	for (size_t i = 0; i < TRIED; i++) {
		stop_at(t, moments[i], NULL);
		halts_at(t, moments[i], &t->was->events[0][moments[i]], CS_MOMENTS,
			cs_word(CS_WORDS_MOMENT, moments[i])->name);
		no_stop(t);
	}
	stop_at(t, CS_MOMENT_CELL_LOAD, "level = 1");
	halts_at(t, CS_MOMENT_CELL_LOAD, t->was->of_level, 1, "a condition");
	no_stop(t);
}

/* Returns the frame of the n-th event, from 1; 0 when there are fewer events. */
static uint64_t frame_of(const struct stops *t, enum cs_moment moment, uint64_t n)
{
	uint64_t seen = 0;
	for (uint64_t frame = 1; frame <= FRAMES; frame++) {
		seen += t->was->events[frame][moment];
		if (seen >= n)
			return frame;
	}
	return 0;
}

static void test_ignored(struct stops *t)
{
	for (uint64_t ignore = 0; ignore < 60; ignore += 7) {
		must(cs_stream_goto(t->b.s, 0));
		stop_at(t, CS_MOMENT_CELL_LOAD, NULL);
		struct cs_stop once = *cs_debug_stop(t->debug, t->id);
		once.ignore = ignore;
		once.once = true;
		must(cs_debug_set(t->debug, &once, (struct cs_parameters){0}));
		struct cs_halt halt = run(t, (struct cs_run_request){.frames = FRAMES});
		is_int(now(t), frame_of(t, CS_MOMENT_CELL_LOAD, ignore + 1),
			"%llu hits are ignored", (unsigned long long)ignore);
		ok(halt.deleted && !cs_debug_stop(t->debug, t->id), "and it was for once");
	}
	must(cs_stream_goto(t->b.s, 0));
	stop_at(t, CS_MOMENT_CELL_LOAD, NULL);
	struct cs_stop disabled = *cs_debug_stop(t->debug, t->id);
	disabled.enabled = false;
	must(cs_debug_set(t->debug, &disabled, (struct cs_parameters){0}));
	ok(run(t, (struct cs_run_request){.frames = FRAMES}).reason == CS_HALT_DONE,
		"off, it halts nothing");
	no_stop(t);
}

/*
 * Of several stops in one frame the first that was set is reported, with the number of the others.
 */
static void test_others(struct stops *t)
{
	const struct cs_parameters none = {0};
	uint32_t ids[4];
	must(cs_stream_goto(t->b.s, 0));
	for (int i = 0; i < 3; i++)
		must(cs_debug_add(
			t->debug, &(struct cs_stop){.moment = CS_MOMENT_CELL_LOAD}, none, &ids[i]));
	must(cs_debug_add(t->debug,
		&(struct cs_stop){
			.kind = CS_STOP_WATCH, .expression = "(SELECT count(*) FROM events)"},
		none, &ids[3]));
	struct cs_stop disabled = *cs_debug_stop(t->debug, ids[1]);
	disabled.enabled = false;
	must(cs_debug_set(t->debug, &disabled, (struct cs_parameters){0}));
	struct cs_halt halt = run(t, (struct cs_run_request){.frames = FRAMES});
	is_int(halt.stop, ids[0], "the first is told");
	is_int(halt.others, 2, "and two others, of which one is a watch");
	for (int i = 0; i < 4; i++)
		must(cs_debug_delete(t->debug, ids[i]));
}

/* ---- other reasons ---- */

static uint64_t next_of(const bool *there, uint64_t from)
{
	for (uint64_t frame = from + 1; frame <= FRAMES; frame++)
		if (there[frame])
			return frame;
	return FRAMES;
}

static void test_changes(struct stops *t)
{
	uint64_t wrong = 0, apart = 0;
	for (uint64_t from = 0; from < FRAMES; from += 9) {
		must(cs_stream_goto(t->b.s, from));
		run(t, (struct cs_run_request){.frames = FRAMES - from, .to_change = true});
		uint64_t change = now(t);
		must(cs_stream_goto(t->b.s, from));
		run(t, (struct cs_run_request){.frames = FRAMES - from, .to_turn = true});
		wrong += change != next_of(t->was->changed, from) ||
			 now(t) != next_of(t->was->turned, from);
		apart += change != now(t);
	}
	is_int(wrong, 0, "halts at changes and at turns, as the log has them");
	ok(apart > 10, "which are not the same, %llu times", (unsigned long long)apart);
}

/*
 * Returns the frame after which nothing has happened for `idle` frames. A move after frame n is
 * seen in the next one.
 */
static uint64_t idle_end(const struct stops *t, uint64_t from, uint64_t idle)
{
	uint64_t quiet = 0;
	for (uint64_t frame = from + 1; frame <= FRAMES; frame++) {
		quiet = t->was->eventful[frame] || t->was->moved[frame] ? 0 : quiet + 1;
		if (quiet == idle)
			return frame;
	}
	return FRAMES;
}

static void test_idle(struct stops *t)
{
	uint64_t wrong = 0, idles = 0;
	for (uint64_t idle = 1; idle < 12; idle++)
		for (uint64_t from = 3; from < FRAMES; from += 50) {
			must(cs_stream_goto(t->b.s, from));
			struct cs_halt halt = run(
				t, (struct cs_run_request){.frames = FRAMES - from, .idle = idle});
			wrong += now(t) != idle_end(t, from, idle);
			idles += halt.reason == CS_HALT_IDLE;
		}
	is_int(wrong, 0, "halts when nothing has happened for so many frames");
	ok(idles > 20, "which it did %llu times", (unsigned long long)idles);
}

/* ---- back ---- */

static void goes_back(struct stops *t, enum cs_moment moment, uint64_t start, uint64_t far)
{
	uint64_t low = far < start ? start - far : 0, want = low, hits;
	bool found = false;
	for (uint64_t frame = low + 1; frame < start; frame++)
		if (t->was->events[frame][moment]) {
			want = frame;
			found = true;
		}
	enum cs_halt_reason reason = found         ? CS_HALT_STOP
				     : far < start ? CS_HALT_DONE
						   : CS_HALT_BEGIN;
	must(cs_stream_goto(t->b.s, start));
	hits = cs_debug_stop(t->debug, t->id)->hits;
	struct cs_halt halt = run_back(t, far);
	bool told = !found || (halt.stop == t->id && halt.moment == moment &&
				      (!moment || halt.event.frame == want));
	ok(now(t) == want && halt.reason == reason && halt.frames == start - want && told,
		"%s: from %llu back, %llu at most, to %llu", cs_word(CS_WORDS_MOMENT, moment)->name,
		(unsigned long long)start, (unsigned long long)far, (unsigned long long)want);
	is_int(cs_debug_stop(t->debug, t->id)->hits, hits, "and no hit is counted");
}

static void test_back(struct stops *t)
{
	static const uint64_t starts[] = {FRAMES, 201, 130, 66, 65, 64, 2, 1, 0};
	for (size_t m = 0; m < TRIED; m++) {
		stop_at(t, moments[m], NULL);
		for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
			goes_back(t, moments[m], starts[i], UINT64_MAX);
			goes_back(t, moments[m], starts[i], 70);
			goes_back(t, moments[m], starts[i], 1);
		}
		no_stop(t);
	}
	stop_at(t, CS_MOMENT_POOL_FULL, NULL);
	goes_back(t, CS_MOMENT_POOL_FULL, FRAMES, UINT64_MAX);
	goes_back(t, CS_MOMENT_POOL_FULL, FRAMES, FRAMES);
	goes_back(t, CS_MOMENT_POOL_FULL, FRAMES, FRAMES - 1);
	no_stop(t);
}

/* A condition that fails while the run goes forward leaves the run where it was. */
static void test_failing(struct stops *t)
{
	struct cs_halt halt;
	must(cs_stream_goto(t->b.s, 300));
	stop_at(t, CS_MOMENT_CELL_LOAD, "abs(-9223372036854775807 - 1) > 0");
	fails(cs_debug_run(
		      t->debug, &(struct cs_run_request){.frames = 299, .back = true}, NULL, &halt),
		CS_E_SQL, "a condition that overflows");
	is_int(now(t), 300, "the run is where it was");
	no_stop(t);
}

int main(void)
{
	struct stops t;
	begin(&t);
	test_forward(&t);
	test_ignored(&t);
	test_others(&t);
	test_changes(&t);
	test_idle(&t);
	test_back(&t);
	test_failing(&t);
	end(&t);
	return done();
}
