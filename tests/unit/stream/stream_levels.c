/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of streaming levels (2.6) under the model of loading, of faults, HLODs (2.9), blocking
 * waits and world partitions inside the world (2.1).
 */
#include "stream/stream_inside.h"
#include "stream/stream_internal.h"
#include "tests/unit/stream/stream_test.h"

#include <cellscope/cooked_values.h>
#include <cellscope/runs.h>

/* Makes a row of cells with `actors` each, all in range of a source at the left end. */
static void row_of_cells(struct bench *b, int n, uint32_t actors)
{
	worlds_init(&b->w, "5.4");
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 400000);
	worlds_square(&b->w, grid, 0, 0, 0, n, 1, actors);
	start(b, NULL);
	set_load_frames(b->s, 2);
}

/* ---- the model ---- */

static void test_one_at_a_time(void)
{
	struct bench b;
	row_of_cells(&b, 4, 10);
	set(b.s, "sim.ShowPerActor", "1"); /* 10 ms each, 5 in a frame */
	add_source(b.s, "P", 0, 6400);
	int order[4] = {-1, -1, -1, -1}, n = 0, most = 0;
	for (int i = 1; i <= 14; i++) {
		step(&b, 1);
		int at_work = 0;
		for (uint32_t c = 0; c < 4; c++) {
			struct cs_stream_cell_view v = look(&b, c);
			at_work += v.state == CS_STATE_MAKING_VISIBLE && v.work_left_ns > 0 &&
				   v.work_left_ns < 10000000;
			if (v.state == CS_STATE_VISIBLE && order[c] < 0)
				order[c] = n++;
		}
		most = at_work > most ? at_work : most;
		if (i == 3)
			is_int(why(&b, 2).progress, CS_REASON_TURN,
				"levels: others wait their turn");
		if (i == 3)
			is_int(why(&b, 2).blocker.cell, 0, "levels: for the one at work");
	}
	is_int(most, 1, "levels: one at a time is worked on");
	ok(order[0] == 0 && order[1] == 1 && order[2] == 2 && order[3] == 3,
		"levels: they show in the order of priority");
	finish(&b);

	row_of_cells(&b, 4, 1);
	set(b.s, "sim.ShowPerActor", "1"); /* five fit into a slice */
	add_source(b.s, "P", 0, 6400);
	step(&b, 3);
	is_int(cs_stream_status(b.s).cells_visible, 4, "levels: what is left of a slice goes on");
	finish(&b);
}

/* All bytes come through one line, those of the best priority first. */
static void test_bandwidth(void)
{
	struct bench b;
	row_of_cells(&b, 3, 0);
	set(b.s, "sim.Latency", "0");
	set(b.s, "sim.Bandwidth", "10");
	set(b.s, "sim.BytesPerCell", "250000"); /* 2.5 frames each at 100,000 a frame */
	add_source(b.s, "P", 0, 6400);
	int loaded_in[3] = {0, 0, 0};
	for (int i = 1; i <= 10; i++) {
		step(&b, 1);
		for (uint32_t c = 0; c < 3; c++)
			if (look(&b, c).current >= CS_LAYER_LOADED && !loaded_in[c])
				loaded_in[c] = i;
	}
	ok(loaded_in[0] == 4 && loaded_in[1] == 6 && loaded_in[2] == 9,
		"bandwidth: 2.5 frames each, one behind the other: %d %d %d", loaded_in[0],
		loaded_in[1], loaded_in[2]);
	finish(&b);
}

/* A rate times a time needs more than 64 bits; the expected numbers are computed exactly. */
static void test_great_bandwidth(void)
{
	struct bench b;
	row_of_cells(&b, 1, 0);
	set(b.s, "sim.Bandwidth", "987654.321987");
	b.s->levels.io_time = 5;
	b.s->clock.time = UINT64_C(40000000004);
	b.s->levels.io_carry = 7;
	ok(cs_run_bytes_arrived(b.s, true) == UINT64_C(39506172878492), "bandwidth: bytes of 40 s");
	is_int((int64_t)b.s->levels.io_carry, 345678020, "bandwidth: and parts of one");
	ok(cs_run_bytes_time(b.s, UINT64_C(1) << 60) == UINT64_C(1167333022233282),
		"bandwidth: the time of 2^60 bytes, rounded up");
	is_int((int64_t)cs_run_bytes_time(b.s, UINT64_C(987654321987) * 3), 3000000000,
		"bandwidth: a time without a rest");
	set(b.s, "sim.Bandwidth", "0");
	is_int((int64_t)cs_run_bytes_time(b.s, 100), 0, "bandwidth: no limit, no time");
	finish(&b);
}

static void test_faults(void)
{
	struct bench b;
	row_of_cells(&b, 4, 1);
	must(cs_stream_fault(b.s, main_cell(0), CS_FAULT_LOAD, 1));
	must(cs_stream_fault(b.s, main_cell(1), CS_FAULT_CORRUPT, 1));
	must(cs_stream_fault(b.s, main_cell(2), CS_FAULT_SLOW, 10));
	add_source(b.s, "P", 0, 6400);
	step(&b, 8);
	ok(look(&b, 0).state == CS_STATE_FAILED && look(&b, 1).state == CS_STATE_FAILED,
		"faults: load and corrupt fail");
	is_int(why(&b, 0).progress, CS_REASON_FAILED, "faults: and why");
	ok(look(&b, 2).state == CS_STATE_LOADING && look(&b, 3).state == CS_STATE_VISIBLE,
		"faults: slow still loads, the sound one shows");
	step(&b, 15);
	is_int(look(&b, 2).state, CS_STATE_VISIBLE, "faults: slow comes in the end");
	must(cs_stream_fault(b.s, main_cell(0), CS_FAULT_NONE, 1));
	step(&b, 50);
	is_int(look(&b, 0).state, CS_STATE_FAILED, "faults: a failed level is not tried again");
	is_int(cs_stream_report(b.s).failures, 2, "faults: counted");
	move(b.s, "P", 1e7, 0);
	step(&b, 30);
	move(b.s, "P", 0, 6400);
	step(&b, 30);
	ok(look(&b, 0).state == CS_STATE_VISIBLE && look(&b, 1).state == CS_STATE_FAILED,
		"faults: but when it is asked for anew; one that was mended comes");
	const struct cs_run_fault *slow = cs_run_fault_of(b.s, main_cell(2));
	ok(slow && slow->fault == CS_FAULT_SLOW && slow->factor == 10 &&
			!cs_run_fault_of(b.s, main_cell(0)),
		"faults: can be asked for");
	fails(cs_stream_fault(b.s, main_cell(99), CS_FAULT_LOAD, 1), CS_E_NOCELL,
		"faults: of a cell that does not exist");
	fails(cs_stream_fault(b.s, main_cell(0), CS_FAULT_SLOW, 0), CS_E_SETTING,
		"faults: a factor of 0");
	finish(&b);
}

static void test_cancel(void)
{
	struct bench b;
	row_of_cells(&b, 1, 1);
	set(b.s, "sim.Latency", "100");
	add_source(b.s, "P", 0, 6400);
	step(&b, 3);
	move(b.s, "P", 1e7, 0);
	step(&b, 2);
	ok(look(&b, 0).state == CS_STATE_LOADING && look(&b, 0).set == CS_LAYER_UNLOADED,
		"cancel: a load that is no longer wanted goes on");
	is_int(why(&b, 0).progress, CS_REASON_CANCELLED, "cancel: and why");
	is_int(cs_stream_status(b.s).loading, 1, "cancel: it still takes its place of the budget");
	step(&b, 10);
	is_int(look(&b, 0).state, CS_STATE_STILL_AROUND, "cancel: it is unloaded when it is done");
	is_int(cs_stream_report(b.s).thrash, 1, "cancel: that is thrash");
	finish(&b);
}

static void test_purge(void)
{
	struct bench b;
	row_of_cells(&b, 10, 1);
	set(b.s, "wp.Runtime.MaxLoadingStreamingCells", "0");
	add_source(b.s, "P", 0, 6400);
	step(&b, 10);
	move(b.s, "P", 1e7, 0);
	step(&b, 10);
	is_int(cs_stream_status(b.s).purging, 10, "purge: unloaded levels are still in memory");
	set(b.s, "wp.Runtime.LevelStreamingContinuouslyIncrementalGCWhileLevelsPendingPurgeForWP",
		"9");
	step(&b, 1);
	is_int(cs_stream_status(b.s).purging, 0, "purge: until there are too many");
	is_int(look(&b, 0).state, CS_STATE_UNLOADED, "purge: then they are gone");
	set(b.s, "wp.Runtime.LevelStreamingContinuouslyIncrementalGCWhileLevelsPendingPurgeForWP",
		"0");
	move(b.s, "P", 0, 6400);
	step(&b, 10);
	move(b.s, "P", 1e7, 0);
	step(&b, 10);
	step(&b, 5900);
	is_int(cs_stream_status(b.s).purging, 10, "purge: or until it is time");
	step(&b, 220);
	is_int(cs_stream_status(b.s).purging, 0, "purge: 61.1 s after the last");
	finish(&b);
}

/* A cell that is shown, then only Loaded, then Activated again is not loaded again. */
static void test_free_changes(void)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t x = worlds_layer(&b.w, "X", CS_NONE, CS_LAYER_ACTIVATED);
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, &x, 1);
	start(&b, NULL);
	set_load_frames(b.s, 2);
	add_source(b.s, "P", 0, 0);
	step(&b, 5);
	enum cs_layer_answer answer;
	set(b.s, "wp.Runtime.MaxLoadingStreamingCells", "1");
	must(cs_stream_fault(b.s, main_cell(0), CS_FAULT_LOAD, 1)); /* would show a load */
	must(cs_stream_layer_set(b.s, 0, x, CS_LAYER_LOADED, false, false, &answer));
	step(&b, 2);
	is_int(look(&b, 0).state, CS_STATE_LOADED, "free: Activated to Loaded");
	must(cs_stream_layer_set(b.s, 0, x, CS_LAYER_ACTIVATED, false, false, &answer));
	step(&b, 2);
	is_int(look(&b, 0).state, CS_STATE_VISIBLE, "free: Loaded to Activated");
	is_int(cs_stream_report(b.s).loads, 1, "free: one load in all");
	finish(&b);
}

/* ---- blocking ---- */

/* Without a source. One that blocks on slow streaming waits for four cells of ten actors each. */
static void prepare_waiting(struct bench *b, const struct cs_stream_options *options)
{
	worlds_init(&b->w, "5.4");
	uint32_t blocking = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	b->w.partitions.at[blocking].flags |= CS_PARTITION_BLOCK_ON_SLOW;
	worlds_square(&b->w, blocking, 0, -1, -1, 1, 1, 10);
	uint32_t other = worlds_partition(&b->w, "Other", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_square(&b->w, other, 0, -1, -1, 1, 1, 10);
	start(b, options);
	set(b->s, "sim.FrameTime", "10");
	set(b->s, "sim.Latency", "300");
	set(b->s, "sim.Bandwidth", "0");
	set(b->s, "sim.LoadPerActor", "0");
	set(b->s, "sim.ShowPerActor", "1");
	set(b->s, "wp.Runtime.MaxLoadingStreamingCells", "2");
}

static void start_waiting(struct bench *b, const struct cs_stream_options *options)
{
	prepare_waiting(b, options);
	struct cs_stream_source source = cs_stream_source_player("P");
	must(cs_stream_source_set(b->s, &source));
	step(b, 1);
}

/*
 * The cost of a stall names its cells as long as their events are kept, and no other cells later.
 */
static void test_stalled_cells(uint32_t events, size_t stalled)
{
	const struct cs_stream_options options = {.events = events};
	struct cs_hitch_cell *rows = NULL;
	struct bench b;
	size_t n = 0, waited = 0;
	start_waiting(&b, &options);
	must(cs_hitch_cells(b.s, 1, 1, &rows, &n));
	for (size_t i = 0; i < n; i++)
		waited += rows[i].stall_ms == 340;
	is_int(waited, stalled, "stall: of %u events, cells that it is told of", (unsigned)events);
	free(rows);
	finish(&b);
}

static void test_block(void)
{
	struct bench b;
	start_waiting(&b, NULL);
	const struct cs_stream_stall *stall = cs_stream_stall_at(b.s, 0);
	ok(frame(&b)->blocked && cs_stream_stalls(b.s) == 1, "block: the first frame waits");
	is_int(stall->length_ns, 300000000 + 4 * 10000000,
		"block: until loads that run side by side are done, and four are shown");
	ok(stall->n_cells == 4 && stall->by_performance && strcmp(stall->source, "P") == 0,
		"block: the stall tells its four cells and its source");
	is_int(cs_stream_status(b.s).cells_visible, 4, "block: beyond the budget of two");
	is_int(look(&b, 4).set, CS_LAYER_UNLOADED, "block: cells that do not block are left out");
	is_int(cs_stream_status(b.s).time_ns, 10000000 + stall->length_ns,
		"block: the clock ran along");
	is_int(cs_stream_status(b.s).performance, CS_PERFORMANCE_GOOD, "block: now it is Good");
	is_int(frame(&b)->performance, CS_PERFORMANCE_CRITICAL, "block: the frame was Critical");
	step(&b, 1);
	ok(!frame(&b)->blocked && frame(&b)->loads == 2, "block: the others come by the budget");
	step(&b, 100);
	is_int(cs_stream_status(b.s).cells_visible, 8, "block: in the end all");
	finish(&b);
}

/* The stall names the source that blocks, not another one that is as near and sorts the queue. */
static void test_blocking_source(void)
{
	struct bench b;
	prepare_waiting(&b, NULL);
	add_source(b.s, "Near", SIZE / 2, SIZE / 2);
	struct cs_stream_source source = cs_stream_source_player("P");
	source.location = (struct cs_vec3){SIZE / 2, SIZE / 2, 0};
	must(cs_stream_source_set(b.s, &source));
	step(&b, 1);
	ok(cs_stream_stalls(b.s) == 1 && strcmp(cs_stream_stall_at(b.s, 0)->source, "P") == 0,
		"block: the stall tells the source that blocks");
	finish(&b);
}

static void test_asked_block(void)
{
	struct bench b;
	row_of_cells(&b, 20, 5);
	add_source(b.s, "P", 0, 6400);
	must(cs_stream_block(b.s));
	step(&b, 1);
	ok(cs_stream_status(b.s).cells_visible == 20 && frame(&b)->blocked,
		"block: on a loading screen everything comes at once");
	is_int(cs_stream_stall_at(b.s, 0)->by_performance, false, "block: asked for");
	finish(&b);
}

/* ---- HLODs ---- */

/* Makes source cell 0 near the origin, and its HLOD in cell 1 of a partition with a long range. */
static void hlod_world_of(struct bench *b, uint32_t flags)
{
	worlds_init(&b->w, "5.4");
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b->w, grid, 0, 0, 0, 1);
	uint32_t hlods =
		worlds_partition(&b->w, "MainGrid:HLOD0", CS_PARTITION_LHGRID, 2 * SIZE, 4 * RANGE);
	b->w.partitions.at[hlods].hlod_index = 0;
	worlds_cell(&b->w, hlods, 0, 0, 0, 1);
	uint32_t hlod = worlds_hlod(&b->w, 0, 1);
	b->w.hlods.at[hlod].flags = flags;
	start(b, NULL);
	set_load_frames(b->s, 1);
}

static void hlod_world(struct bench *b)
{
	hlod_world_of(b, 0);
}

static enum cs_hlod_state hlod_state(const struct bench *b)
{
	struct cs_stream_hlod_view view;
	must(cs_stream_hlod(b->s, 0, 0, &view));
	return view.state;
}

static void test_no_such_hlod(void)
{
	struct bench b;
	struct cs_stream_hlod_view view;
	hlod_world(&b);
	fails(cs_stream_hlod(b.s, 0, 1, &view), CS_E_MISSING, "no HLOD behind the last");
	fails(cs_stream_hlod(b.s, 1, 0, &view), CS_E_MISSING, "none of a world behind the last");
	finish(&b);
}

static void test_warmup(void)
{
	struct bench b;
	hlod_world(&b);
	add_source(b.s, "P", 60000, 0);
	struct cs_stream_hlod_view none;
	fails(cs_stream_hlod(b.s, 1, 0, &none), CS_E_MISSING, "an HLOD of a world that is not");
	fails(cs_stream_hlod(b.s, 0, 1, &none), CS_E_MISSING, "an HLOD that is not");
	char answers[8] = "";
	for (int i = 0; i < 20 && look(&b, 1).state != CS_STATE_VISIBLE; i++) {
		step(&b, 1);
		if (look(&b, 1).current >= CS_LAYER_LOADED)
			strcat(answers, look(&b, 1).state == CS_STATE_VISIBLE ? "y" : "n");
		if (strcmp(answers, "nn") == 0)
			ok(why(&b, 1).progress == CS_REASON_WARMUP && why(&b, 1).warm_frames == 4,
				"warmup: why tells, and the calls still needed");
	}
	is_text(answers, "nnnnny", "warmup: five frames: no,no,no,no,no,yes");
	is_int(hlod_state(&b), CS_HLOD_SHOWN, "HLOD: shown while its source is hidden");
	finish(&b);

	hlod_world(&b);
	struct cs_run_world *w = b.s->worlds.at[0];
	b.s->clock.frame = 10;
	int calls = 0;
	for (; calls < 3; calls++, b.s->clock.frame++)
		cs_run_can_show(b.s, w, 1);
	b.s->clock.frame++; /* a skipped frame */
	cs_run_warm_finish(b.s);
	for (calls = 1; !cs_run_can_show(b.s, w, 1); calls++, b.s->clock.frame++)
		;
	is_int(calls, 6, "warmup: a skipped frame restarts");
	finish(&b);

	hlod_world(&b);
	set(b.s, "wp.Runtime.HLOD.WarmupNanite", "0");
	set(b.s, "wp.Runtime.HLOD.WarmupVT", "0");
	add_source(b.s, "P", 60000, 0);
	step(&b, 2);
	is_int(look(&b, 1).state, CS_STATE_VISIBLE, "warmup: none without Nanite and VT");
	finish(&b);

	hlod_world_of(&b, CS_HLOD_NO_WARMUP);
	add_source(b.s, "P", 60000, 0);
	step(&b, 2);
	must(cs_stream_hlod(b.s, 0, 0, &none));
	ok(look(&b, 1).state == CS_STATE_VISIBLE && !none.needs_warmup && !none.warming,
		"warmup: none of an HLOD actor that requires none");
	finish(&b);
}

static void test_hlod_switch(void)
{
	struct bench b;
	hlod_world(&b);
	add_source(b.s, "P", 60000, 0);
	is_int(hlod_state(&b), CS_HLOD_AWAY, "HLOD: no hole before a frame has run");
	step(&b, 20);
	move(b.s, "P", 0, 0);
	step(&b, 20);
	is_int(hlod_state(&b), CS_HLOD_HIDDEN, "HLOD: hidden while its source shows");
	move(b.s, "P", 60000, 0);
	step(&b, 3);
	ok(look(&b, 0).state == CS_STATE_VISIBLE && why(&b, 0).progress == CS_REASON_WARMUP,
		"HLOD: its source stays until it is warm");
	step(&b, 20);
	is_int(hlod_state(&b), CS_HLOD_SHOWN, "HLOD: then it shows again");
	must(cs_stream_hlod_enable(b.s, false));
	is_int(hlod_state(&b), CS_HLOD_HIDDEN, "HLOD 0: it hides");
	step(&b, 1);
	is_int(look(&b, 1).set, CS_LAYER_UNLOADED,
		"HLOD 0: its cell goes to unload in the next frame");
	is_int(why(&b, 1).reason, CS_REASON_HLOD_OFF, "HLOD 0: and why");
	finish(&b);
}

static void test_hlod_check(void)
{
	struct bench b;
	struct cs_stream_hlod_finding *rows;
	size_t n;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	uint32_t hlods =
		worlds_partition(&b.w, "MainGrid:HLOD0", CS_PARTITION_LHGRID, 2 * SIZE, RANGE / 2);
	b.w.partitions.at[hlods].hlod_index = 0;
	worlds_cell(&b.w, hlods, 0, 0, 0, 1);
	worlds_hlod(&b.w, 0, 1);
	worlds_hlod(&b.w, CS_NONE, 1);
	worlds_hlod(&b.w, 0, CS_NONE);
	start(&b, NULL);
	set_load_frames(b.s, 1);
	must(cs_stream_fault(b.s, main_cell(0), CS_FAULT_LOAD, 1));
	must(cs_stream_fault(b.s, main_cell(1), CS_FAULT_LOAD, 1));
	add_source(b.s, "P", 0, 0);
	step(&b, 20);
	must(cs_stream_hlod_check(b.s, &rows, &n));
	const enum cs_hlod_fault want[] = {CS_HLOD_FAULT_HOLE, CS_HLOD_FAULT_RANGE,
		CS_HLOD_FAULT_OUTDATED, CS_HLOD_FAULT_HOLE, CS_HLOD_FAULT_NO_HOME};
	bool good = n == 5;
	for (size_t i = 0; good && i < n; i++)
		good = rows[i].fault == want[i] && rows[i].hlod == (i < 2 ? 0 : i < 4 ? 1 : 2);
	ok(good, "hlod check: hole, range, outdated, no home");
	ok(n > 1 && rows[1].range == RANGE / 2 && rows[1].source_range == RANGE,
		"hlod check: with the ranges");
	free(rows);
	finish(&b);
}

/* ---- worlds inside the world ---- */

static void test_instance(void)
{
	struct bench b;
	struct worlds house;
	uint32_t id;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_square(&b.w, grid, 0, 0, 0, 8, 1, 1);
	worlds_init(&house, "5.4");
	uint32_t rooms = worlds_partition(&house, "Rooms", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_square(&house, rooms, 0, 0, 0, 4, 1, 1);
	start(&b, NULL);
	set_load_frames(b.s, 1);
	/* its X points along the world's -Y, from (10000, 0) */
	struct cs_stream_instance instance = {CS_TRANSFORM_IDENTITY, main_cell(0)};
	instance.transform.translation.x = 10000;
	instance.transform.rotation = cs_quat_from_euler(0, -90, 0);
	must(cs_stream_add_world(b.s, worlds_open(&house), &instance, NULL, &id));
	is_int(id, 1, "instance: the second world");
	add_source(b.s, "P", 10000 + 6400, -60000);
	step(&b, 5);
	is_int(cs_stream_status(b.s).cells_visible, 0,
		"instance: not registered, nothing is loaded");
	struct cs_stream_why answer;
	must(cs_stream_why(b.s, (struct cs_stream_cell){1, 3}, &answer));
	is_int(answer.reason, CS_REASON_NOT_REGISTERED, "instance: and why");
	move(b.s, "P", 10000, 6400);
	step(&b, 10);
	ok(cs_stream_cell(b.s, (struct cs_stream_cell){1, 0}).state == CS_STATE_VISIBLE,
		"instance: registered when the level that holds it shows");
	must(cs_stream_why(b.s, (struct cs_stream_cell){1, 3}, &answer));
	ok(answer.reason == CS_REASON_OUT_OF_RANGE &&
			fabs(answer.nearest.distance - hypot(3 * SIZE + 200 + 6400, 200)) < 1e-6,
		"instance: sources are seen in its own space");
	move(b.s, "P", 1e7, 0);
	step(&b, 1);
	ok(cs_stream_cell(b.s, (struct cs_stream_cell){1, 0}).set == CS_LAYER_UNLOADED,
		"instance: out of range as any other cell");
	move(b.s, "P", 10000, 6400);
	step(&b, 10);
	must(cs_stream_register(b.s, id, false));
	ok(cs_stream_cell(b.s, (struct cs_stream_cell){1, 0}).set == CS_LAYER_UNLOADED,
		"instance: torn down, its cells are unloaded at once");
	step(&b, 5);
	is_int(cs_stream_cell(b.s, (struct cs_stream_cell){1, 0}).state, CS_STATE_STILL_AROUND,
		"instance: and their levels go");
	fails(cs_stream_register(b.s, 7, true), CS_E_SETTING,
		"instance: a world that is not there");
	instance.owner = main_cell(99);
	fails(cs_stream_add_world(b.s, house.cooked, &instance, NULL, &id), CS_E_NOCELL,
		"instance: in a cell that is not there");
	instance.owner = CS_STREAM_NO_CELL;
	instance.transform.scale.x = 0;
	fails(cs_stream_add_world(b.s, house.cooked, &instance, NULL, &id), CS_E_SETTING,
		"instance: a scale of 0");
	finish(&b);
	worlds_deinit(&house);
}

/* Two worlds share one budget and one order; when the time limit ends a frame, they take turns. */
static void test_shared(void)
{
	struct bench b;
	uint32_t id;
	const struct cs_stream_instance here = {CS_TRANSFORM_IDENTITY, CS_STREAM_NO_CELL};
	row_of_cells(&b, 6, 1);
	must(cs_stream_add_world(b.s, b.w.cooked, &here, NULL, &id));
	must(cs_stream_register(b.s, id, true));
	add_source(b.s, "P", 0, 6400);
	step(&b, 1);
	size_t n;
	const struct cs_stream_order_row *rows = cs_stream_order(b.s, CS_ORDER_ACTIVATE, &n);
	bool good = n == 12;
	for (uint32_t i = 0; good && i < n; i++)
		good = rows[i].cell.world == i % 2 && rows[i].cell.cell == i / 2 &&
		       rows[i].started == (i < 4);
	ok(good, "two worlds: one order, one budget");
	finish(&b);

	row_of_cells(&b, 6, 1);
	must(cs_stream_add_world(b.s, b.w.cooked, &here, NULL, &id));
	must(cs_stream_register(b.s, id, true));
	set(b.s, "wp.Runtime.UpdateStreamingStateTimeLimit", "0.05");
	add_source(b.s, "P", 0, 6400);
	step(&b, 1);
	rows = cs_stream_order(b.s, CS_ORDER_ACTIVATE, &n);
	ok(frame(&b)->evaluated == 1 && n == 6 && rows[0].cell.world == 0,
		"time limit: one world in the first frame");
	step(&b, 1);
	rows = cs_stream_order(b.s, CS_ORDER_ACTIVATE, &n);
	ok(frame(&b)->evaluated == 1 && n == 8,
		"time limit: the other joins what was left in the next");
	set(b.s, "sim.HighPriorityLoading", "1");
	step(&b, 1);
	is_int(frame(&b)->evaluated + frame(&b)->skipped, 2,
		"time limit: not in high priority loading");
	finish(&b);
}

int main(void)
{
	test_one_at_a_time();
	test_bandwidth();
	test_great_bandwidth();
	test_faults();
	test_cancel();
	test_purge();
	test_free_changes();
	test_block();
	test_blocking_source();
	test_stalled_cells(1000, 4);
	test_stalled_cells(1, 0);
	test_asked_block();
	test_no_such_hlod();
	test_warmup();
	test_hlod_switch();
	test_hlod_check();
	test_instance();
	test_shared();
	return done();
}
