/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the timeline: equal runs have equal hashes; going back and forth, replaying the recorded
 * inputs, checkpoints and branches lead to the same states; memory stays within its limits.
 */
#include "tests/unit/stream/stream_test.h"

#include "core/random.h"
#include "debug/debug_inside.h"
#include "stream/stream_inside.h"

#include <cellscope/cooked_values.h>
#include <cellscope/query.h>

#include <limits.h>

enum { FRAMES = 1500 };

struct run {
	struct bench b;
	struct cs_random random;
	struct cs_path *path;
	uint64_t hashes[FRAMES + 1];  /* before the next step, the frame's inputs included */
	uint64_t answers[FRAMES + 1]; /* to why, of some cells */
};

static double range(struct run *r, double low, double high)
{
	return cs_random_range(&r->random, low, high);
}

static struct cs_path *make_path(void)
{
	struct cs_path *path;
	must(cs_path_new(&path));
	for (int i = 0; i <= 8; i++) {
		struct cs_path_key key = {
			.time = i * 2, .position = {60000 * cos(i), 60000 * sin(i), 500}};
		key.rotation.yaw = i * 90;
		must(cs_path_add(path, &key));
	}
	return path;
}

/* Does what a user might do after a frame; after most frames it does nothing. */
static void act(struct run *r)
{
	struct cs_stream *s = r->b.s;
	enum cs_layer_answer answer;
	struct cs_stream_source source = cs_stream_source_player("Bob");
	const struct cs_stream_cell cell = main_cell(cs_random_below(&r->random, 300));
	char text[32];
	switch (cs_random_below(&r->random, 40)) {
	case 0:
		source.location = (struct cs_vec3){range(r, -50000, 50000), 0, 0};
		source.n_shapes = 1;
		source.shapes[0] = cs_stream_shape_default();
		source.shapes[0].sector = true;
		source.shapes[0].angle = 90;
		must(cs_stream_source_set(s, &source));
		break;
	case 1:
		must(cs_stream_layer_set(s, 0, cs_random_below(&r->random, 7),
			(enum cs_layer_state)cs_random_below(&r->random, 3), true, false, &answer));
		break;
	case 2:
		must(cs_stream_fault(s, cell, (enum cs_fault)cs_random_below(&r->random, 4), 5));
		break;
	case 3:
		snprintf(text, sizeof(text), "%u", cs_random_below(&r->random, 6));
		set(s, "wp.Runtime.MaxLoadingStreamingCells", text);
		break;
	case 4:
		must(cs_stream_hlod_enable(s, cs_random_below(&r->random, 3) > 0));
		break;
	case 5:
		must(cs_stream_override_range(s, 0, 0, range(r, -20000, 50000)));
		break;
	case 6:
		must(cs_stream_source_follow(s, "Ann", r->path, true));
		break;
	case 7:
		if (cs_random_below(&r->random, 10) == 0)
			must(cs_stream_block(s));
		break;
	case 8:
		must(cs_stream_source_follow(s, "Ann", NULL, false));
		break;
	case 9:
		set(s, "wp.Runtime.ServerDisallowStreamingOutDataLayers", "City,Quest");
		break;
	default:
		if (cs_random_below(&r->random, 3) == 0)
			move(s, "Ann", range(r, -80000, 80000), range(r, -80000, 80000));
	}
}

static void begin(struct run *r, enum cs_role role, uint64_t history)
{
	struct cs_stream_options options = {.role = role, .history_bytes = history};
	*r = (struct run){.random = {77}};
	worlds_town(&r->b.w, "5.4", role == CS_ROLE_CLIENT ? CS_HASH_SPATIAL : CS_HASH_SET, 16, 5);
	start(&r->b, &options);
	r->path = make_path();
	add_source(r->b.s, "Ann", 0, 0);
	if (role == CS_ROLE_DEDICATED_SERVER) {
		set(r->b.s, "wp.Runtime.EnableServerStreaming", "1");
		set(r->b.s, "wp.Runtime.EnableServerStreamingOut", "1");
		must(cs_stream_client_set(r->b.s, "C", "Ann"));
	}
}

static void end(struct run *r)
{
	cs_path_free(r->path);
	finish(&r->b);
}

static uint64_t answers_of(const struct bench *b)
{
	uint64_t digest = 0;
	for (uint32_t cell = 0; cell < 300; cell += 7) {
		struct cs_stream_why why;
		must(cs_stream_why(b->s, main_cell(cell), &why));
		const uint64_t words[] = {cs_stream_cell(b->s, main_cell(cell)).waiting, why.wanted,
			why.reason, why.progress, why.by_sources, why.layer, why.n_hits, why.rank,
			(uint64_t)(why.keys.spatial * 1e9)};
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			digest = (digest ^ words[i]) * UINT64_C(0x100000001B3);
	}
	return digest;
}

static void play(struct run *r)
{
	for (uint64_t frame = 0; frame <= FRAMES; frame++) {
		act(r);
		r->hashes[frame] = hash_of(&r->b);
		r->answers[frame] = answers_of(&r->b);
		if (frame < FRAMES)
			step(&r->b, 1);
	}
}

static void test_equal_runs(void)
{
	struct run one, two;
	begin(&one, CS_ROLE_STANDALONE, 0);
	play(&one);
	begin(&two, CS_ROLE_STANDALONE, 0);
	play(&two);
	size_t distinct = 0;
	for (int i = 1; i <= FRAMES; i++)
		distinct += one.hashes[i] != one.hashes[i - 1];
	ok(memcmp(one.hashes, two.hashes, sizeof(one.hashes)) == 0,
		"two runs have the same hash in each of %d frames", FRAMES);
	ok(distinct == FRAMES, "and each frame its own");
	end(&one);
	end(&two);
}

/* The state does not depend on the order in which equal things were added. */
static void test_order_of_setup(void)
{
	uint64_t hashes[2];
	for (int i = 0; i < 2; i++) {
		struct run r;
		begin(&r, CS_ROLE_STANDALONE, 0);
		add_source(r.b.s, i ? "Zoe" : "Bob", 30000, 0);
		add_source(r.b.s, i ? "Bob" : "Zoe", 30000, 0);
		must(cs_stream_source_remove(r.b.s, "Ann"));
		must(cs_stream_fault(r.b.s, main_cell(i ? 7 : 3), CS_FAULT_LOAD, 1));
		must(cs_stream_fault(r.b.s, main_cell(i ? 3 : 7), CS_FAULT_LOAD, 1));
		step(&r.b, 40);
		hashes[i] = hash_of(&r.b);
		end(&r);
	}
	ok(hashes[0] == hashes[1], "sources and faults set in another order: the same hash");
}

/* ---- going back and forth ---- */

static void test_goto(enum cs_role role, uint64_t history, const char *what)
{
	struct run r;
	struct cs_random random = {99};
	uint64_t first, last;
	int wrong = 0, gone = 0, otherwise = 0;
	begin(&r, role, history);
	play(&r);
	cs_stream_history(r.b.s, &first, &last);
	is_int(last, FRAMES, "%s: the last frame can be reached", what);
	for (int i = 0; i < 60; i++) {
		uint64_t frame = cs_random_below(&random, FRAMES + 1);
		if (frame < first)
			continue;
		must(cs_stream_goto(r.b.s, frame));
		gone++;
		wrong += hash_of(&r.b) != r.hashes[frame] || cs_stream_status(r.b.s).frame != frame;
		otherwise += answers_of(&r.b) != r.answers[frame];
	}
	ok(gone > 20 && wrong == 0, "%s: %d of %d frames gone to have the hash they had", what,
		gone - wrong, gone);
	for (uint64_t frame = FRAMES; frame > FRAMES - 50; frame--) {
		must(cs_stream_goto(r.b.s, frame));
		wrong += hash_of(&r.b) != r.hashes[frame];
		otherwise += answers_of(&r.b) != r.answers[frame];
	}
	is_int(otherwise, 0, "%s: every why has the answer it had", what);
	is_int(wrong, 0, "%s: fifty steps back, one by one", what);
	must(cs_stream_goto(r.b.s, FRAMES - 200));
	for (uint64_t frame = FRAMES - 199; frame <= FRAMES; frame++) {
		step(&r.b, 1);
		wrong += hash_of(&r.b) != r.hashes[frame];
	}
	is_int(wrong, 0, "%s: and forward again with the recorded inputs", what);
	fails(cs_stream_goto(r.b.s, FRAMES + 1), CS_E_NOFRAME, "%s: not beyond the end", what);
	end(&r);
}

static void test_limits(void)
{
	struct run r;
	uint64_t first, last;
	begin(&r, CS_ROLE_STANDALONE, 20000);
	play(&r);
	cs_stream_history(r.b.s, &first, &last);
	ok(first > 0, "a small history drops the oldest frames: from %llu on",
		(unsigned long long)first);
	fails(cs_stream_goto(r.b.s, first - 1), CS_E_NOFRAME, "they cannot be reached");
	must(cs_stream_goto(r.b.s, first));
	ok(hash_of(&r.b) == r.hashes[first], "the first that is left has its hash");
	ok(r.b.s->timeline.bytes.size <= 20000 && r.b.s->timeline.inputs.size <= 20000,
		"snapshots and inputs keep within the limit");
	end(&r);
}

/* Without memory for a snapshot the frame fails; the next snapshot that is due is taken again. */
static void test_lost_snapshot(void)
{
	struct bench b;
	worlds_town(&b.w, "5.4", CS_HASH_SET, 16, 5);
	start(&b, NULL);
	add_source(b.s, "Ann", 0, 0);
	step(&b, 599);
	b.s->timeline.bytes.failed = true;
	fails(cs_stream_step(b.s, 1), CS_E_NOMEM, "no memory for a snapshot");
	works(cs_stream_step(b.s, 600), "and for the next one there is");
	const struct cs_run_timeline *t = &b.s->timeline;
	is_int(t->snapshots.at[t->snapshots.n - 1].frame, 1200, "which is of its frame");
	finish(&b);
}

/* A long quiet run keeps its whole past, because snapshots become rarer with age. */
static void test_thinning(void)
{
	struct bench b;
	uint64_t first, last, early;
	worlds_town(&b.w, "5.4", CS_HASH_SET, 16, 5);
	start(&b, &(struct cs_stream_options){.history_bytes = 200000});
	struct cs_path *path = make_path();
	add_source(b.s, "Ann", 0, 0);
	must(cs_stream_source_follow(b.s, "Ann", path, true));
	step(&b, 777);
	early = hash_of(&b);
	step(&b, 60000);
	uint64_t late = hash_of(&b);
	cs_stream_history(b.s, &first, &last);
	is_int(first, 0, "thinning: after 60,777 frames the first can still be reached");
	ok(b.s->timeline.interval > 600 && b.s->timeline.bytes.size <= 200000,
		"thinning: snapshots every %llu frames, %zu bytes",
		(unsigned long long)b.s->timeline.interval, b.s->timeline.bytes.size);
	must(cs_stream_goto(b.s, 777));
	ok(hash_of(&b) == early, "thinning: an early frame has its hash");
	must(cs_stream_goto(b.s, 60777));
	ok(hash_of(&b) == late, "thinning: and so has the last");
	cs_path_free(path);
	finish(&b);
}

/* ---- branches and checkpoints ---- */

static void test_branch(void)
{
	struct run r;
	uint64_t first, last;
	begin(&r, CS_ROLE_STANDALONE, 0);
	play(&r);
	must(cs_stream_goto(r.b.s, 700));
	move(r.b.s, "Ann", 12345, 0);
	cs_stream_history(r.b.s, &first, &last);
	is_int(last, 700, "branch: a new input drops what was recorded behind it");
	uint64_t here = hash_of(&r.b);
	ok(here != r.hashes[700], "branch: and changes the state at once");
	step(&r.b, 100);
	uint64_t there = hash_of(&r.b);
	must(cs_stream_goto(r.b.s, 650));
	ok(hash_of(&r.b) == r.hashes[650], "branch: the frames before it are as they were");
	must(cs_stream_goto(r.b.s, 700));
	ok(hash_of(&r.b) == here, "branch: its own frame has acted");
	must(cs_stream_goto(r.b.s, 800));
	ok(hash_of(&r.b) == there, "branch: and the frames behind it come again");
	end(&r);
}

static void test_checkpoints(void)
{
	struct run r;
	uint32_t a, b, id;
	uint64_t first, last, frame;
	begin(&r, CS_ROLE_STANDALONE, 0);
	step(&r.b, 100);
	must(cs_stream_checkpoint(r.b.s, &a));
	uint64_t at_a = hash_of(&r.b);
	step(&r.b, 100);
	move(r.b.s, "Ann", 40000, 0);
	step(&r.b, 100);
	must(cs_stream_checkpoint(r.b.s, &b));
	uint64_t at_b = hash_of(&r.b);
	ok(cs_stream_checkpoint_at(r.b.s, 1, &id, &frame) && id == b && frame == 300 &&
			!cs_stream_checkpoint_at(r.b.s, 2, &id, &frame),
		"checkpoints: listed with their frames");
	must(cs_stream_restart(r.b.s, a));
	ok(hash_of(&r.b) == at_a, "checkpoints: restarted from the first");
	cs_stream_history(r.b.s, &first, &last);
	ok(first == 0 && last == 100, "checkpoints: its past is there, its future is open");
	move(r.b.s, "Ann", -40000, 0);
	step(&r.b, 50);
	must(cs_stream_restart(r.b.s, b));
	ok(hash_of(&r.b) == at_b, "checkpoints: one of another branch is as it was");
	cs_stream_history(r.b.s, &first, &last);
	ok(first == 300 && last == 300, "checkpoints: but its past is not kept");
	step(&r.b, 40);
	uint64_t later = hash_of(&r.b);
	must(cs_stream_goto(r.b.s, 310));
	must(cs_stream_goto(r.b.s, 340));
	ok(hash_of(&r.b) == later, "checkpoints: history goes on from there");
	must(cs_stream_restart(r.b.s, a));
	ok(hash_of(&r.b) == at_a, "checkpoints: the first still stands");
	fails(cs_stream_restart(r.b.s, 99), CS_E_MISSING, "checkpoints: 99 is unknown");
	end(&r);
}

/* The oldest part of a history was dropped: the checkpoints of the rest can still be reached. */
static void test_late_checkpoints(void)
{
	enum { EVERY = 100, MOST = FRAMES / EVERY + 1 };
	struct run r;
	uint32_t ids[MOST], n = 0;
	uint64_t first, last, oldest;
	size_t right = 0, rooted = 0;
	begin(&r, CS_ROLE_STANDALONE, 100000);
	for (uint64_t frame = 0; frame <= FRAMES; frame++) {
		act(&r);
		for (int i = 0; i < 12; i++) { /* more inputs than the history has room for */
			char latency[16];
			snprintf(latency, sizeof(latency), "%d", (int)(frame * 7 % 90) + i);
			set(r.b.s, "sim.Latency", latency);
		}
		r.hashes[frame] = hash_of(&r.b);
		if (frame % EVERY == 0)
			must(cs_stream_checkpoint(r.b.s, &ids[n++]));
		if (frame < FRAMES)
			step(&r.b, 1);
	}
	cs_stream_history(r.b.s, &oldest, &last);
	for (uint32_t i = n; i-- > 0;) { /* each drops the future of those before */
		const uint64_t frame = (uint64_t)i * EVERY;
		must(cs_stream_restart(r.b.s, ids[i]));
		bool same = hash_of(&r.b) == r.hashes[frame];
		cs_stream_history(r.b.s, &first, &last);
		same = same && first == (frame >= oldest ? oldest : frame) && last == frame;
		move(r.b.s, "Ann", 1000 + (double)frame, 7); /* another future */
		step(&r.b, 3);
		const uint64_t there = hash_of(&r.b);
		cs_stream_history(r.b.s, &first, &last);
		oldest = first > oldest && first < frame ? first : oldest;
		for (uint64_t back = first; back < frame && same; back += (frame - first + 2) / 3) {
			must(cs_stream_goto(r.b.s, back));
			same = hash_of(&r.b) == r.hashes[back];
		}
		must(cs_stream_goto(r.b.s, first));
		must(cs_stream_goto(r.b.s, frame + 3));
		same = same && hash_of(&r.b) == there;
		right += same;
		rooted += first < frame;
	}
	ok(right == n, "checkpoints: all %u of a short history lead where they were made", n);
	ok(rooted > 0 && rooted + 1 < n, "checkpoints: %zu of them with a past", rooted);
	end(&r);
}

/* ---- record ---- */

/* Plays one recorded input into another stream through the public calls, as a script would. */
static void repeat(struct cs_stream *s, const struct cs_stream_input *i)
{
	enum cs_layer_answer answer;
	switch (i->kind) {
	case CS_INPUT_SOURCE:
		must(cs_stream_source_set(s, i->source));
		break;
	case CS_INPUT_MOVE:
		must(cs_stream_source_move(s, i->name, i->location, i->rotation));
		break;
	case CS_INPUT_FOLLOW:
		must(cs_stream_source_follow(s, i->name, i->path, i->on));
		break;
	case CS_INPUT_VARIABLE:
		must(cs_stream_variable_set(s, i->variable, i->text));
		break;
	case CS_INPUT_HLOD:
		must(cs_stream_hlod_enable(s, i->on));
		break;
	case CS_INPUT_RANGE:
		must(cs_stream_override_range(s, i->world, i->row, i->number));
		break;
	case CS_INPUT_BLOCK:
		must(cs_stream_block(s));
		break;
	case CS_INPUT_LAYER:
		must(cs_stream_layer_set(
			s, i->world, i->row, i->state, i->on, i->replicated, &answer));
		break;
	case CS_INPUT_FAULT:
		must(cs_stream_fault(s, i->cell, (enum cs_fault)i->row, i->number));
		break;
	default:
		ok(false, "record: input %d was not made here", i->kind);
	}
}

static void test_record(void)
{
	struct run r;
	struct bench copy;
	struct cs_stream_input input;
	size_t cursor = 0, n = 0;
	begin(&r, CS_ROLE_STANDALONE, 0);
	play(&r);
	worlds_town(&copy.w, "5.4", CS_HASH_SET, 16, 5);
	start(&copy, NULL);
	while (cs_stream_next_input(r.b.s, &cursor, &input)) {
		step(&copy, input.frame - cs_stream_status(copy.s).frame);
		repeat(copy.s, &input);
		n++;
	}
	step(&copy, FRAMES - cs_stream_status(copy.s).frame);
	ok(n > 300 && hash_of(&copy) == r.hashes[FRAMES],
		"record: %zu inputs played into a new stream lead to the same hash", n);
	finish(&copy);
	end(&r);
}

/* ---- what is told survives ---- */

static void test_log(void)
{
	struct run r;
	begin(&r, CS_ROLE_STANDALONE, 0);
	play(&r);
	uint64_t events = cs_stream_event_count(r.b.s);
	struct cs_stream_report report = cs_stream_report(r.b.s);
	struct cs_stream_frame frame = *cs_stream_frame(r.b.s, 900);
	const struct cs_stream_event last = *cs_stream_event_at(r.b.s, events - 1);
	must(cs_stream_goto(r.b.s, 500));
	ok(cs_stream_event_count(r.b.s) < events && !cs_stream_frame(r.b.s, 900),
		"log: going back takes back what was told");
	must(cs_stream_goto(r.b.s, FRAMES));
	struct cs_stream_report again = cs_stream_report(r.b.s);
	ok(cs_stream_event_count(r.b.s) == events &&
			memcmp(&last, cs_stream_event_at(r.b.s, events - 1), sizeof(last)) == 0,
		"log: going forth tells the same %llu events", (unsigned long long)events);
	ok(memcmp(&report, &again, sizeof(report)) == 0, "log: and the same report");
	ok(memcmp(&frame, cs_stream_frame(r.b.s, 900), sizeof(frame)) == 0,
		"log: and the same records of frames");
	end(&r);
}

/* Searches the whole log from its beginning, while the library searches it from the end. */
static uint64_t last_before(
	const struct cs_stream *s, bool (*is)(const struct cs_stream_event *), uint64_t frame)
{
	uint64_t last = 0;
	for (uint64_t i = 0; i < cs_stream_event_count(s); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(s, i);
		if (event && event->frame < frame && is(event) && event->frame > last)
			last = event->frame;
	}
	return last;
}

static void test_frame_before(void)
{
	struct run r;
	uint64_t found = 0, wrong = 0, apart = 0;
	begin(&r, CS_ROLE_STANDALONE, 0);
	is_int(cs_debug_frame_before(r.b.s, false), 0, "before: nothing happened yet");
	for (int i = 0; i < 300; i++) {
		act(&r);
		step(&r.b, 1 + cs_random_below(&r.random, 3));
		uint64_t now = cs_stream_status(r.b.s).frame;
		uint64_t change = cs_debug_frame_before(r.b.s, false);
		uint64_t turn = cs_debug_frame_before(r.b.s, true);
		wrong += change != last_before(r.b.s, cs_debug_is_change, now) ||
			 turn != last_before(r.b.s, cs_debug_is_turn, now);
		found += change > 0 && turn > 0;
		apart += change != turn;
	}
	is_int(wrong, 0, "before: the last frame with such an event");
	ok(found > 100 && apart > 100, "before: there was one %llu times, and %llu times another",
		(unsigned long long)found, (unsigned long long)apart);
	end(&r);
}

/* ---- the forecast ---- */

static void test_queue(void)
{
	struct run r;
	struct cs_stream_forecast *rows;
	size_t n, wrong = 0;
	begin(&r, CS_ROLE_STANDALONE, 0);
	set(r.b.s, "wp.Runtime.BlockOnSlowStreaming", "0");
	move(r.b.s, "Ann", 3000, 500);
	step(&r.b, 3);
	uint64_t before = hash_of(&r.b), events = cs_stream_event_count(r.b.s);
	size_t n_list;
	cs_stream_order(r.b.s, CS_ORDER_ACTIVATE, &n_list);
	must(cs_stream_queue(r.b.s, 2000, &rows, &n));
	size_t n_after;
	cs_stream_order(r.b.s, CS_ORDER_ACTIVATE, &n_after);
	ok(hash_of(&r.b) == before && cs_stream_event_count(r.b.s) == events && n_list == n_after,
		"queue: looking ahead changes nothing");
	ok(n > 10, "queue: %zu cells", n);
	const struct cs_stream_order_row *order =
		cs_stream_order_open(r.b.s, CS_ORDER_ACTIVATE, &n_list);
	size_t told = 0;
	for (size_t i = 0; i < n_list; i++)
		for (size_t k = 0; k < n; k++)
			told += order[i].cell.cell == rows[k].cell.cell && !order[i].started &&
				order[i].cell.world == rows[k].cell.world &&
				order[i].decided_by == rows[k].decided_by;
	ok(told > 0 && told <= n, "queue: %zu with the key that decided in their list", told);
	for (uint32_t frame = 1; frame <= 2000; frame++) {
		step(&r.b, 1);
		for (size_t i = 0; i < n; i++) {
			struct cs_stream_cell_view v = cs_stream_cell(r.b.s, rows[i].cell);
			bool there = v.set == CS_LAYER_LOADED ? v.current >= CS_LAYER_LOADED
							      : v.current == CS_LAYER_ACTIVATED;
			wrong += there != (rows[i].done_frames <= frame);
			wrong += (v.level >= CS_LEVEL_FAILED) != (rows[i].load_frames <= frame);
		}
	}
	is_int(wrong, 0, "queue: every cell came in the frame that was foretold");
	free(rows);
	end(&r);
}

/* ---- recording a path ---- */

static void test_record_path(void)
{
	struct run r;
	struct cs_path *path;
	const struct cs_path_key *keys;
	must(cs_path_new(&path));
	begin(&r, CS_ROLE_STANDALONE, 0);
	step(&r.b, 10);
	must(cs_stream_source_follow(r.b.s, "Ann", r.path, false));
	must(cs_stream_record_path(r.b.s, "Ann", path));
	ok(cs_path_has_velocity(path), "path record: with the velocity");
	step(&r.b, 120);
	is_int(cs_path_keys(path, &keys), 121, "path record: a key for each frame and the start");
	struct cs_path_key want = cs_path_at(r.path, keys[60].time, false);
	ok(keys[60].position.x == want.position.x && keys[60].rotation.yaw == want.rotation.yaw,
		"path record: where the source was");
	must(cs_stream_goto(r.b.s, 50));
	is_int(cs_path_keys(path, &keys), 41, "path record: going back drops later keys");
	must(cs_stream_goto(r.b.s, 130));
	is_int(cs_path_keys(path, &keys), 121, "path record: which come again");
	uint32_t id;
	must(cs_stream_checkpoint(r.b.s, &id));
	step(&r.b, 3);
	must(cs_stream_restart(r.b.s, id));
	is_int(cs_path_keys(path, &keys), 121, "path record: so does a restart");
	works(cs_stream_step(r.b.s, 1), "path record: it goes on from there");
	is_int(cs_path_keys(path, &keys), 122, "path record: with a key for the frame");
	must(cs_stream_restart(r.b.s, id));
	must(cs_stream_record_path(r.b.s, NULL, NULL));
	step(&r.b, 5);
	is_int(cs_path_keys(path, &keys), 121, "path record: until it ends");
	fails(cs_stream_record_path(r.b.s, "Nobody", path), CS_E_NOSOURCE,
		"path record: an unknown source");
	end(&r);
	cs_path_free(path);
}

/* ---- to a frame, with a job ---- */

struct watcher {
	int asked, patience;
	uint64_t done;
};

static bool is_enough(void *context)
{
	struct watcher *watcher = context;
	return watcher->asked++ >= watcher->patience;
}

static void note_done(void *context, const char *phase, uint64_t done, uint64_t total)
{
	(void)phase;
	(void)total;
	((struct watcher *)context)->done = done;
}

static void test_run(void)
{
	struct run r;
	struct watcher watcher = {.patience = 3};
	const struct cs_job job = {
		.progress = note_done, .interrupted = is_enough, .context = &watcher};
	begin(&r, CS_ROLE_STANDALONE, 0);
	must(cs_stream_run(r.b.s, 700, NULL));
	uint64_t hash = hash_of(&r.b);
	finish(&r.b);
	cs_path_free(r.path);
	begin(&r, CS_ROLE_STANDALONE, 0);
	fails(cs_stream_run(r.b.s, 700, &job), CS_E_INTERRUPTED, "a job interrupts a run");
	uint64_t now = cs_stream_status(r.b.s).frame;
	ok(now > 0 && now < 700 && watcher.done > 0 && watcher.done < now,
		"between frames, and was told how far it is");
	watcher.patience = INT_MAX;
	must(cs_stream_run(r.b.s, 700, &job));
	ok(hash_of(&r.b) == hash, "what goes on comes where a run without it comes");
	must(cs_stream_run(r.b.s, now, &job));
	is_int(cs_stream_status(r.b.s).frame, now, "back is over what was run before");
	must(cs_stream_run(r.b.s, 700, &job));
	ok(hash_of(&r.b) == hash, "and forth");
	end(&r);
}

/* ---- what changed ---- */

/* Stores the state of every cell, one after the other, and returns their number. */
static size_t all_states(const struct cs_stream *s, enum cs_map_state *states)
{
	size_t n = 0;
	for (uint32_t world = 0; world < cs_stream_worlds(s); world++)
		for (uint32_t cell = 0; cell < cs_stream_world(s, world).cooked->n_cells; cell++) {
			const struct cs_stream_cell_view view =
				cs_stream_cell(s, (struct cs_stream_cell){world, cell});
			states[n++] = view.shown;
		}
	return n;
}

static bool is_told(enum cs_map_state from, enum cs_map_state to)
{
	bool begins = from == CS_MAP_UNLOADED && to == CS_MAP_WAITING;
	bool ceases = from == CS_MAP_WAITING && to == CS_MAP_UNLOADED;
	return from != to && !begins && !ceases;
}

/*
 * Returns whether the changes are those between the states of all cells of all worlds, before and
 * now.
 */
static bool are_all(const struct cs_stream *s, const struct cs_state_change *changes, size_t n,
	const enum cs_map_state *before, const enum cs_map_state *now)
{
	size_t at = 0, found = 0;
	for (uint32_t world = 0; world < cs_stream_worlds(s); world++)
		for (uint32_t cell = 0; cell < cs_stream_world(s, world).cooked->n_cells;
			cell++, at++) {
			if (!is_told(before[at], now[at]))
				continue;
			if (found == n || changes[found].cell.world != world ||
				changes[found].cell.cell != cell ||
				changes[found].from != before[at] || changes[found].to != now[at])
				return false;
			found++;
		}
	return found == n;
}

static void test_changes(void)
{
	enum { MOST = 20000 };
	static enum cs_map_state before[MOST], now[MOST];
	struct run r;
	struct cs_states *states;
	struct cs_state_change *changes;
	size_t n, all = 0;
	int wrong = 0;
	begin(&r, CS_ROLE_STANDALONE, 0);
	for (int i = 0; i < 300; i++) {
		if (all_states(r.b.s, before) > MOST)
			break;
		must(cs_states_take(r.b.s, &states));
		act(&r);
		step(&r.b, 1 + cs_random_below(&r.random, 3));
		must(cs_states_changes(r.b.s, states, &changes, &n));
		all_states(r.b.s, now);
		wrong += !are_all(r.b.s, changes, n, before, now);
		all += n;
		free(changes);
		free(states);
	}
	is_int(wrong, 0, "changes are what cells asked one by one before and after say");
	ok(all > 300, "and there were %zu", all);
	end(&r);
}

int main(void)
{
	test_equal_runs();
	test_order_of_setup();
	test_goto(CS_ROLE_STANDALONE, 0, "goto");
	test_goto(CS_ROLE_DEDICATED_SERVER, 0, "goto on a server");
	test_goto(CS_ROLE_CLIENT, 60000, "goto in a small history");
	test_limits();
	test_lost_snapshot();
	test_thinning();
	test_branch();
	test_checkpoints();
	test_late_checkpoints();
	test_record();
	test_log();
	test_frame_before();
	test_queue();
	test_record_path();
	test_run();
	test_changes();
	return done();
}
