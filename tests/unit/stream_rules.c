/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of streaming against the oracles of the rules (Appendix C, and the vectors of 2.3.5), each
 * in a world made for it.
 */
#include "tests/unit/stream_test.h"

/* ---- 2.3.4: the budget ---- */

/* Ten cells in a row to the right of the source, nearest last in the table. */
static void ten_cells(struct bench *b)
{
	worlds_init(&b->w, "5.4");
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 400000);
	for (int i = 9; i >= 0; i--)
		worlds_cell(&b->w, grid, 0, 1 + i, 0, 1);
}

/* A source that looks the other way, so that the spatial value grows with the distance. */
static void face_away(struct cs_stream *s)
{
	add_source(s, "P", 0, 6400);
	must(cs_stream_source_move(s, "P", (struct cs_vec3){0, 6400, 0},
				   (struct cs_rotator){0, 180, 0}));
}

static void test_budget(void)
{
	struct bench b;
	ten_cells(&b);
	start(&b, NULL);
	set_load_frames(b.s, 3);
	face_away(b.s);
	step(&b, 1);
	is_int(frame(&b)->loads, 4, "budget: frame 1 starts 4 of ten");
	is_int(frame(&b)->waiting, 6, "budget: six wait");
	unsigned starts[13] = {0}, most = 0;
	for (int i = 2; i <= 12; i++) {
		step(&b, 1);
		starts[i] = frame(&b)->loads;
		most = frame(&b)->loading > most ? frame(&b)->loading : most;
	}
	is_int(most, 4, "budget: never more than 4 load at once");
	ok(starts[2] == 0 && starts[3] == 0 && starts[4] == 0 && starts[5] == 4,
	   "budget: the next start when these have left Loading, 3 frames later");
	is_int(starts[9], 2, "budget: and the last two after them");
	bool ascending = true;
	for (unsigned k = 0; k < 10; k++)
		ascending = ascending && nth_load(&b, k) == 9 - k;
	ok(ascending, "budget: in the order of the spatial value");
	is_int(cs_stream_status(b.s).cells_visible, 10, "budget: all are visible in the end");
	finish(&b);
}

static void test_budget_unlimited(void)
{
	struct bench b;
	ten_cells(&b);
	start(&b, NULL);
	set(b.s, "wp.Runtime.MaxLoadingLevelStreamingCells", "0");
	add_source(b.s, "P", 0, 6400);
	step(&b, 1);
	is_int(frame(&b)->loads, 10, "MaxLoadingStreamingCells 0: all ten in frame 1");
	finish(&b);
	ten_cells(&b);
	start(&b, &(struct cs_stream_options){.role = CS_ROLE_DEDICATED_SERVER});
	step(&b, 1);
	is_int(frame(&b)->loads, 10, "a server: all ten in frame 1, without a source");
	finish(&b);
}

static void test_order(void)
{
	struct bench b;
	ten_cells(&b);
	b.w.cells.at[0].hierarchical_level = 1; /* the farthest */
	start(&b, NULL);
	face_away(b.s);
	step(&b, 1);
	is_int(nth_load(&b, 0), 0, "order: a farther cell of a higher level goes first");
	size_t n;
	const struct cs_stream_order_row *rows = cs_stream_order(b.s, CS_ORDER_ACTIVATE, &n);
	ok(n == 10 && rows[0].decided_by == CS_KEY_NONE && rows[1].decided_by == CS_KEY_LEVEL &&
		   rows[2].decided_by == CS_KEY_SPATIAL,
	   "order: and the keys that decided are told");
	ok(rows[3].started && !rows[4].started, "order: the budget ended behind the fourth");
	finish(&b);

	ten_cells(&b);
	b.w.cells.at[9].hierarchical_level = 3; /* the nearest */
	b.w.cells.at[0].priority = -5;
	start(&b, NULL);
	add_source(b.s, "P", 0, 6400);
	/* reaches only the farthest cell */
	struct cs_stream_source high = cs_stream_source_default("Q");
	high.location = (struct cs_vec3){10.5 * SIZE, 6400, 0};
	high.priority = CS_PRIORITY_HIGH;
	high.shapes[high.n_shapes++] = cs_stream_shape_default();
	high.shapes[0].use_grid_range = false;
	high.shapes[0].radius = 100;
	must(cs_stream_source_set(b.s, &high));
	step(&b, 1);
	is_int(nth_load(&b, 0), 0, "order: the cell of a High source before all of a Normal one");
	finish(&b);
}

/* ---- 2.4 ---- */

static struct cs_stream_order_row row(const struct cs_stream *s, uint8_t source, int level,
				      int priority, double spatial)
{
	(void)s;
	return (struct cs_stream_order_row){.cell = {0, 0},
					    .keys = {source, level, priority, spatial, 0}};
}

static void check_pair(const struct bench *b, struct cs_stream_order_row left,
		       struct cs_stream_order_row right, int want, enum cs_order_key key,
		       const char *what)
{
	int order, back;
	right.cell.cell = 1;
	ok(cs_run_order_decide(b->s, &left, &right, &order) == key && order == want &&
		   cs_run_order_decide(b->s, &right, &left, &back) == key && back == -want,
	   "2.4: %s", what);
}

static void test_sort(void)
{
	struct bench b;
	ten_cells(&b);
	start(&b, NULL);
	const struct cs_stream *s = b.s;
	check_pair(&b, row(s, 64, 0, 9, 0.9), row(s, 128, 5, 0, 0), -1, CS_KEY_SOURCE,
		   "the source priority first, small before large");
	check_pair(&b, row(s, 128, 2, 9, 0.9), row(s, 128, 1, 0, 0), -1, CS_KEY_LEVEL,
		   "then the level, high before low");
	check_pair(&b, row(s, 128, INT32_MAX, 9, 0.9), row(s, 128, 9, 0, 0), -1, CS_KEY_LEVEL,
		   "the level of a 5.7 non-spatial cell before every other");
	check_pair(&b, row(s, 128, 1, -1, 0.9), row(s, 128, 1, 0, 0), -1, CS_KEY_PRIORITY,
		   "then the cell priority, small before large");
	check_pair(&b, row(s, 128, 1, 0, 0.25), row(s, 128, 1, 0, 0.25 + 3e-8), -1, CS_KEY_SPATIAL,
		   "then the spatial value, small before large");
	struct cs_stream_order_row near = row(s, 128, 1, 0, 0.25 + 0.9e-8);
	struct cs_stream_order_row far = row(s, 128, 1, 0, 0.25);
	far.keys.distance2 = 4;
	check_pair(&b, near, far, -1, CS_KEY_DISTANCE, "within 1e-8 the distance");
	/* cells 0 and 1 are World_MainGrid_L0_X10_Y0 and ..._X9_Y0 */
	check_pair(&b, row(s, 128, 1, 0, 0), row(s, 128, 1, 0, 0), -1, CS_KEY_NAME,
		   "and the name at the end");
	finish(&b);
}

/* "Within 1e-8" is not transitive; a run of near values is cut into ties from its front. */
static void test_ties(void)
{
	struct bench b;
	ten_cells(&b);
	start(&b, NULL);
	for (uint32_t i = 0; i < 10; i++) {
		struct cs_stream_order_row r = row(b.s, 128, 0, 0, 0.5 + (double)i * 0.4e-8);
		r.cell.cell = i;
		r.keys.distance2 = 100 - (double)i;
		if (!cs_vec_push(&b.s->lists[CS_ORDER_ACTIVATE], r))
			abort();
	}
	cs_run_order_sort(b.s, CS_ORDER_ACTIVATE);
	static const uint32_t want[] = {2, 1, 0, 5, 4, 3, 8, 7, 6, 9};
	bool good = true;
	for (int i = 0; i < 10; i++)
		good = good && b.s->lists[CS_ORDER_ACTIVATE].at[i].cell.cell == want[i];
	ok(good, "2.4: near values form ties from the front of their run");
	ok(b.s->lists[CS_ORDER_ACTIVATE].at[3].decided_by == CS_KEY_SPATIAL &&
		   b.s->lists[CS_ORDER_ACTIVATE].at[4].decided_by == CS_KEY_DISTANCE,
	   "2.4: between ties the spatial value decided, within one the distance");
	finish(&b);
}

/* ---- 2.3.5 ---- */

static double spatial_of(const char *profile, struct cs_box box, bool moving_left)
{
	struct bench b;
	worlds_init(&b.w, profile);
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	boxed_cell(&b.w, grid, 0, box);
	start(&b, NULL);
	struct cs_stream_source source = cs_stream_source_default("P");
	source.use_velocity = source.velocity_given = moving_left;
	source.velocity = (struct cs_vec3){-1e9, 0, 0};
	must(cs_stream_source_set(b.s, &source));
	step(&b, 1);
	double spatial = why(&b, 0).keys.spatial;
	finish(&b);
	return spatial;
}

static void test_spatial_value(void)
{
	const struct cs_box ahead = {{12800, -6400, -100}, {25600, 6400, 100}};
	const struct cs_box behind = {{-25600, -6400, -100}, {-12800, 6400, 100}};
	const struct cs_box right = {{-6400, 12800, -100}, {6400, 25600, 100}};
	const struct cs_box around = {{-1, -1, -1}, {1, 1, 1}};
	const struct cs_box edge = {{25600, -10, -10}, {30000, 10, 10}};
	is_double(spatial_of("5.4", ahead, false), 0, "2.3.5: straight ahead is 0");
	is_double(spatial_of("5.4", behind, false), 0.25, "2.3.5: behind is .25");
	is_double(spatial_of("5.4", right, false), 0.125, "2.3.5: to the side is .125");
	is_double(spatial_of("5.4", around, false), 0, "2.3.5: inside the content is 0");
	ok(fabs(spatial_of("5.4", ahead, true) - 0.25) < 1e-9,
	   "2.3.5: velocity turns the axis: what is ahead lies behind");
	is_double(spatial_of("5.0", behind, false), 0.25 * 0.6 + 1 * 0.4,
		  "2.3.5: before 5.3 distance and angle are blended");
	is_double(spatial_of("5.2", edge, false), 0.6, "2.3.5: so the edge ahead is .6");
}

/* ---- 2.5 ---- */

struct performance_case {
	double distance;
	bool grid_blocks, source_blocks;
	const char *profile;
	enum cs_performance want;
};

static enum cs_performance performance_at(const struct performance_case *c, uint64_t *stall)
{
	struct bench b;
	worlds_init(&b.w, c->profile);
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	if (c->grid_blocks)
		b.w.partitions.at[grid].flags |= CS_PARTITION_BLOCK_ON_SLOW;
	boxed_cell(&b.w, grid, 0,
		   (struct cs_box){{c->distance, -10, -10}, {c->distance + 100, 10, 10}});
	start(&b, NULL);
	struct cs_stream_source source =
		c->source_blocks ? cs_stream_source_player("P") : cs_stream_source_default("P");
	source.location = (struct cs_vec3){c->distance < 0 ? c->distance + 50 : 0, 0, 0};
	must(cs_stream_source_set(b.s, &source));
	step(&b, 1);
	enum cs_performance performance = (enum cs_performance)frame(&b)->performance;
	*stall = frame(&b)->stall_ns;
	ok((cs_stream_stalls(b.s) == 1) == (*stall > 0), "2.5: a wait leaves one stall, else none");
	finish(&b);
	return performance;
}

static void test_performance(void)
{
	static const struct performance_case cases[] = {
		{6399, true, true, "5.4", CS_PERFORMANCE_CRITICAL},
		{6401, true, true, "5.4", CS_PERFORMANCE_SLOW},
		{12801, true, true, "5.4", CS_PERFORMANCE_GOOD},
		{6399, false, true, "5.4", CS_PERFORMANCE_GOOD},
		{6399, true, false, "5.4", CS_PERFORMANCE_GOOD},
		{6400, true, true, "5.4", CS_PERFORMANCE_SLOW},
		{12800, true, true, "5.4", CS_PERFORMANCE_GOOD},
		{-50, true, true, "5.4", CS_PERFORMANCE_CRITICAL},
		{-50, true, true, "5.7", CS_PERFORMANCE_IMMEDIATE},
		{6399, true, true, "5.7", CS_PERFORMANCE_CRITICAL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct performance_case *c = &cases[i];
		uint64_t stall;
		is_int(performance_at(c, &stall), c->want, "2.5: %g cm, grid %d, source %d, %s: %s",
		       c->distance, c->grid_blocks, c->source_blocks, c->profile,
		       cs_performance_name(c->want));
		ok((stall > 0) == (c->want >= CS_PERFORMANCE_CRITICAL),
		   "2.5: Critical and above wait, others do not");
	}
}

int main(void)
{
	test_budget();
	test_budget_unlimited();
	test_order();
	test_sort();
	test_ties();
	test_spatial_value();
	test_performance();
	return done();
}
