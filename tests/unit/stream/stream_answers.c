/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what a run answers when it is asked: the table of the order, which source is told. */
#include "tests/unit/stream/stream_test.h"

#include "core/random.h"
#include "stream/stream_inside.h"

#include <cellscope/cooked_values.h>
#include <cellscope/query.h>

static void ten_cells(struct bench *b)
{
	worlds_init(&b->w, "5.4");
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 400000);
	worlds_square(&b->w, grid, 0, 1, 0, 11, 1, 1);
	start(b, NULL);
}

/* ---- the table of the order ---- */

/* The table of orders has all lists one after the other, each from its first row on. */
static void test_order_table(void)
{
	struct bench b;
	struct cs_query *query;
	const void *source;
	ten_cells(&b);
	add_source(b.s, "P", 0, 6400);
	set(b.s, "sim.Latency", "100");
	step(&b, 1);
	struct cs_stream_source s = cs_stream_source_default("Q");
	s.target = CS_LAYER_LOADED;
	must(cs_stream_source_set(b.s, &s));
	must(cs_stream_source_remove(b.s, "P"));
	step(&b, 1);
	add_source(b.s, "P", 0, 6400);
	must(cs_query_new(&query));
	must(cs_query_add_cooked(query, (struct cs_cooked *)cs_stream_world(b.s, 0).cooked));
	cs_query_show(query, b.s, NULL);
	const struct cs_table *table = cs_query_table_named(query, "order", &source);
	unsigned most = 0;
	for (unsigned i = 0; i < 6; i++) {
		size_t row = 0, n;
		unsigned lists = 0;
		bool same = true;
		step(&b, 1);
		for (int list = 0; list < CS_ORDER_LISTS; list++) {
			const struct cs_stream_order_row *rows =
				cs_stream_order_open(b.s, (enum cs_order_list)list, &n);
			lists += n > 0;
			for (size_t k = 0; k < n; k++, row++)
				same = same && table->row(source, row) == &rows[k] &&
				       cs_table_get(
					       table, source, row, cs_table_column(table, "rank"))
						       .integer == (int64_t)k + 1;
		}
		ok(same && table->count(source) == row, "order: its table has %zu rows of %u lists",
			row, lists);
		most = lists > most ? lists : most;
	}
	ok(most > 1, "order: of more than one list");
	cs_query_free(query);
	finish(&b);
}

/* ---- which source is told ---- */

/*
 * Returns 0 when the shape loads the cell, 1 when it would but for its grids, and 2 when the cell
 * is out of range.
 */
static int class_of(const struct cs_stream_reach *reach)
{
	return reach->hit ? !reach->accepted : 2;
}

static double key_of(const struct cs_stream_reach *reach)
{
	return class_of(reach) == 0 ? reach->spatial : reach->distance - reach->radius;
}

/*
 * Returns whether no shape of any source has a better class than the one that is told, or is nearer
 * in the same class.
 */
static bool is_nearest(const struct bench *b, uint32_t id, unsigned *classes, unsigned *n_aside)
{
	struct cs_stream_reach reaches[8];
	const struct cs_stream_why answer = why(b, id);
	size_t n = cs_stream_reaches(b->s, main_cell(id), reaches, 8);
	int class = class_of(&answer.nearest);
	bool found = false, best = n <= 8;
	for (size_t i = 0; i < n && i < 8; i++) {
		int other = class_of(&reaches[i]);
		found = found || (reaches[i].source == answer.nearest.source && other == class);
		/* what is near enough and is not reached is left out by the angle of its sector */
		best = best && reaches[i].aside == (!reaches[i].hit && reaches[i].distance <=
									       reaches[i].radius);
		*n_aside += reaches[i].aside;
		best = best && other >= class &&
		       (other > class || key_of(&reaches[i]) >= key_of(&answer.nearest));
	}
	*classes |= 1u << class;
	return found && best;
}

static void test_nearest(void)
{
	struct bench b;
	struct cs_random random = {.state = 134};
	unsigned classes = 0, n_aside = 0;
	bool nearest = true;
	ten_cells(&b);
	for (unsigned i = 0; i < 40; i++) {
		for (unsigned k = 0; k < 5; k++) {
			static const char *const names[] = {"A", "B", "C", "D", "E"};
			struct cs_stream_source s = cs_stream_source_default(names[k]);
			s.location = (struct cs_vec3){cs_random_range(&random, -4, 15) * SIZE,
				cs_random_range(&random, -2, 2) * SIZE, 0};
			s.rotation.yaw = cs_random_range(&random, -180, 180);
			s.shapes[s.n_shapes++] = cs_stream_shape_default();
			s.shapes[0].use_grid_range = false;
			s.shapes[0].radius = cs_random_range(&random, 0.1, 3) * SIZE;
			s.shapes[0].sector = k == 4;
			s.shapes[0].angle = 80;
			s.n_grids = cs_random_below(&random, 2);
			strcpy(s.grids[0], "Elsewhere");
			must(cs_stream_source_set(b.s, &s));
		}
		step(&b, 1);
		for (uint32_t id = 0; id < 10; id++)
			nearest = nearest && is_nearest(&b, id, &classes, &n_aside);
	}
	ok(nearest, "why: the source told is the best of all that reach the cell or miss it");
	is_int(classes, 7, "why: which loads it, is filtered, or misses");
	ok(n_aside > 0, "why: %u times the angle alone leaves the cell out", n_aside);
	finish(&b);
}

/* ---- what was decided is told ---- */

/* A cell that does not block the game is left out of a wait for one that does. */
static void test_left_out(void)
{
	struct bench b;
	struct cs_stream_forecast *rows;
	size_t n;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 25600);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	b.w.cells.at[0].flags |= CS_CELL_BLOCK_ON_SLOW;
	worlds_cell(&b.w, grid, 0, -1, 0, 1);
	start(&b, NULL);
	set(b.s, "wp.Runtime.MaxLoadingStreamingCells", "1");
	struct cs_stream_source player = cs_stream_source_player("P");
	must(cs_stream_source_set(b.s, &player));
	step(&b, 1);
	ok(frame(&b)->blocked && look(&b, 0).state == CS_STATE_VISIBLE, "left out: of a wait");
	const struct cs_stream_why answer = why(&b, 1);
	is_int(answer.wanted, CS_LAYER_ACTIVATED, "left out: wanted activated");
	is_int(answer.progress, CS_REASON_PERFORMANCE, "left out: not waiting for its turn");
	is_int(answer.obstacle, CS_REASON_PERFORMANCE, "left out: which is what is in the way");
	is_int(look(&b, 1).wanted, CS_LAYER_ACTIVATED, "left out: cells.wanted says so too");
	is_int(look(&b, 1).waiting + frame(&b)->waiting, 0, "left out: no count of waiting has it");
	must(cs_stream_queue(b.s, 60, &rows, &n));
	ok(n == 1 && rows[0].cell.cell == 1 && rows[0].load_frames == 1,
		"left out: the queue has it, for the next frame");
	free(rows);
	finish(&b);
}

/* Frames that are skipped consider no cell (2.5). */
static void test_slow_once(void)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 25600);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	b.w.cells.at[0].flags |= CS_CELL_BLOCK_ON_SLOW;
	start(&b, NULL);
	set(b.s, "wp.Runtime.BlockOnSlowStreaming", "0");
	struct cs_stream_source player = cs_stream_source_player("P");
	player.target = CS_LAYER_LOADED;
	must(cs_stream_source_set(b.s, &player));
	step(&b, 30);
	player.target = CS_LAYER_ACTIVATED;
	must(cs_stream_source_set(b.s, &player));
	step(&b, 100);
	const struct cs_stream_report report = cs_stream_report(b.s);
	is_int(report.slow_frames + report.critical_frames, 1, "slow: in one frame of a hundred");
	ok(!why(&b, 0).judged, "slow: and not told of the cell afterwards");
	finish(&b);
}

static enum cs_layer_verdict verdict(const struct bench *b, uint32_t layer)
{
	struct cs_stream_why_layer answer;
	must(cs_stream_why_layer(b->s, 0, layer, &answer));
	return answer.verdict;
}

/* Cells go no further than a source asks for and layers allow. */
static void test_loaded_only(void)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 25600);
	uint32_t full = worlds_layer(&b.w, "Full", CS_NONE, CS_LAYER_ACTIVATED);
	uint32_t half = worlds_layer(&b.w, "Half", CS_NONE, CS_LAYER_LOADED);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, &full, 1);
	worlds_cell(&b.w, grid, 0, 5, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, &full, 1);
	worlds_cell(&b.w, grid, 0, 0, 1, 1);
	worlds_set_layers(&b.w, CS_NONE, &half, 1);
	start(&b, NULL);
	is_int(why(&b, 0).reason, CS_REASON_NOT_RUN, "frame 0: nothing was decided yet");
	is_int(verdict(&b, full), CS_LAYER_NOT_RUN, "frame 0: about the layer neither");
	step(&b, 5);
	is_int(why(&b, 0).reason, CS_REASON_NO_SOURCE, "no source: is told");
	struct cs_stream_source s = cs_stream_source_default("P");
	s.target = CS_LAYER_LOADED;
	must(cs_stream_source_set(b.s, &s));
	is_int(why(&b, 0).reason, CS_REASON_NOT_RUN, "source add: no frame has run since");
	is_int(verdict(&b, full), CS_LAYER_NOT_RUN, "source add: nor for the layer");
	step(&b, 200);
	is_int(why(&b, 0).obstacle, CS_REASON_TARGET_LOADED, "loaded: the source asks for no more");
	is_int(verdict(&b, full), CS_LAYER_ONLY_LOADED, "loaded: the layer is not on its way");
	s.target = CS_LAYER_ACTIVATED;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 200);
	is_int(verdict(&b, full), CS_LAYER_IS_VISIBLE, "activated: the layer shows");
	is_int(why(&b, 2).obstacle, CS_REASON_LAYERS_LOADED, "half: its layers allow no more");
	is_int(why(&b, 2).reason, CS_REASON_IN_RANGE, "half: it is wanted by its source");
	/* 0 is still visible when 1, which is in range instead, loads */
	set(b.s, "sim.HidePerActor", "100000");
	move(b.s, "P", 5.5 * SIZE, 0);
	step(&b, 1);
	ok(cs_level_is_there(look(&b, 0).level), "move: what was in range is still there");
	is_int(verdict(&b, full), CS_LAYER_ON_THE_WAY, "move: it does not count for the layer");
	must(cs_stream_layer_set(b.s, 0, half, CS_LAYER_ACTIVATED, false, false,
		&(enum cs_layer_answer){CS_LAYER_SET}));
	ok(why(&b, 2).changed & CS_CHANGED_LAYERS, "layer set: a frame is to come");
	finish(&b);
}

/* ---- what was decided is there again after a restart ---- */

enum { CELLS = 10, FRAMES = 24 };

static uint64_t answers_of(struct bench *b)
{
	uint64_t sum = 0;
	for (uint32_t cell = 0; cell < CELLS; cell++) {
		const struct cs_stream_why a = why(b, cell);
		const struct cs_stream_cell_view view = look(b, cell);
		const uint64_t words[] = {a.wanted, a.reason, a.progress, a.obstacle, a.by_sources,
			a.by_layers, a.rank, a.of, a.judged, a.performance, view.state, view.wanted,
			view.waiting};
		for (size_t i = 0; i < CS_COUNT_OF(words); i++)
			sum = (sum ^ words[i]) * UINT64_C(0x100000001b3);
	}
	return sum;
}

/* No frame runs between a restart and the questions: such a frame would decide everything anew. */
static void test_restarted(bool blocks)
{
	struct bench b;
	uint32_t ids[FRAMES];
	uint64_t told[FRAMES];
	size_t wrong = 0, different = 0;
	ten_cells(&b);
	for (uint32_t cell = 0; blocks && cell < CELLS; cell += 2)
		b.w.cells.at[cell].flags |= CS_CELL_BLOCK_ON_SLOW;
	set(b.s, "wp.Runtime.MaxLoadingStreamingCells", "1");
	set(b.s, "sim.Latency", "50");
	struct cs_stream_source player = cs_stream_source_player("P");
	must(cs_stream_source_set(b.s, &player));
	for (int i = 0; i < FRAMES; i++) {
		step(&b, 1);
		must(cs_stream_checkpoint(b.s, &ids[i]));
		told[i] = answers_of(&b);
		different += i > 0 && told[i] != told[i - 1];
	}
	for (int i = FRAMES; i-- > 0;) {
		must(cs_stream_restart(b.s, ids[i]));
		wrong += answers_of(&b) != told[i];
	}
	is_int(wrong, 0, "restart: every answer is the one of its frame%s",
		blocks ? ", with waits" : "");
	ok(different > 5, "restart: which differ from frame to frame (%zu)", different);
	finish(&b);
}

int main(void)
{
	test_order_table();
	test_nearest();
	test_left_out();
	test_slow_once();
	test_loaded_only();
	test_restarted(false);
	test_restarted(true);
	return done();
}
