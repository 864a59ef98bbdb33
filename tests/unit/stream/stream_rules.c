/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of streaming against values that the rules give (Appendix C, and the vectors of 2.3.5),
 *each in a world made for it. Each line has such a case and the beginning of the names of its
 *tests, or the cases that another file tests:
 *
 *	budget 4, ten cells, order       "budget: ..."
 *	level 1 first, High before all   "order: ..."
 *	MaxLoadingStreamingCells 0       "MaxLoadingStreamingCells 0: ...", "a server: ..."
 *	6399, 6401, 12801 cm; 0.25, 0.5  "2.5: ..."
 *	frozen sources (invariant 6)     "UpdateStreamingSources 0: ..."
 *	range 0                          "range 0: ..."
 *	warmup no,no,no,no,no,yes; HLOD 0: stream_levels.c
 *	servers that hold; Or, And, EDL, targets of parents: stream_layers.c
 *	invariants after every frame: stream_walk.c
 */
#include "core/geometry.h"
#include "stream/stream_inside.h"
#include "tests/unit/stream/stream_test.h"
#include <cellscope/cooked_values.h>
#include <cellscope/runs.h>

/* ---- 2.3.4: the budget ---- */

/* Makes ten cells in a row to the right of the source; the nearest is the last of the table. */
static void ten_cells(struct bench *b)
{
	worlds_init(&b->w, "5.4");
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, 400000);
	for (int i = 9; i >= 0; i--)
		worlds_cell(&b->w, grid, 0, 1 + i, 0, 1);
}

/* Turns the source the other way, so that the spatial value grows with the distance. */
static void face_away(struct cs_stream *s)
{
	add_source(s, "P", 0, 6400);
	must(cs_stream_source_move(
		s, "P", (struct cs_vec3){0, 6400, 0}, (struct cs_rotator){0, 180, 0}));
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

static struct cs_stream_order_row row(
	const struct cs_stream *s, uint8_t source, int level, int priority, double spatial)
{
	(void)s;
	return (struct cs_stream_order_row){
		.cell = {0, 0}, .keys = {source, level, priority, spatial, 0}};
}

static void check_pair(const struct bench *b, struct cs_stream_order_row left,
	struct cs_stream_order_row right, int want, enum cs_order_key key, const char *what)
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
		if (!cs_vec_push(&b.s->queue.lists[CS_ORDER_ACTIVATE], r))
			abort();
	}
	cs_run_order_sort(b.s, CS_ORDER_ACTIVATE);
	static const uint32_t want[] = {2, 1, 0, 5, 4, 3, 8, 7, 6, 9};
	bool good = true;
	for (int i = 0; i < 10; i++)
		good = good && b.s->queue.lists[CS_ORDER_ACTIVATE].at[i].cell.cell == want[i];
	ok(good, "2.4: near values form ties from the front of their run");
	ok(b.s->queue.lists[CS_ORDER_ACTIVATE].at[3].decided_by == CS_KEY_SPATIAL &&
			b.s->queue.lists[CS_ORDER_ACTIVATE].at[4].decided_by == CS_KEY_DISTANCE,
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
			cs_word(CS_WORDS_PERFORMANCE, c->want)->name);
		ok((stall > 0) == (c->want >= CS_PERFORMANCE_CRITICAL),
			"2.5: Critical and above wait, others do not");
	}
}

/* ---- 2.2: sources ---- */

static void test_defaults(void)
{
	struct cs_stream_source s = cs_stream_source_default("P"), p = cs_stream_source_player("P");
	struct cs_stream_shape h = cs_stream_shape_default();
	ok(s.enabled && s.target == CS_LAYER_ACTIVATED && !s.block_on_slow && s.priority == 128 &&
			!s.use_velocity && s.behavior == CS_SOURCE_INCLUDE && s.n_grids == 0 &&
			s.n_shapes == 0 && !s.replay && !s.remote && !s.force_2d &&
			s.extra_radius == 0 && s.extra_angle == 0,
		"2.2.1: defaults of a source");
	ok(p.block_on_slow && p.enabled && p.target == CS_LAYER_ACTIVATED && p.priority == 128,
		"2.2.1: a player controller blocks");
	ok(h.use_grid_range && h.range_scale == 1 && h.radius == 10000 && !h.sector &&
			h.angle == 360 && h.location.x == 0 && h.rotation.yaw == 0,
		"2.2.1: defaults of a shape");
}

static void one_grid(struct bench *b, const char *profile)
{
	worlds_init(&b->w, profile);
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_square(&b->w, grid, 0, -8, -8, 8, 8, 1);
	start(b, NULL);
}

static void refuse(struct bench *b, const struct cs_stream_source *source, const char *what)
{
	uint64_t before = hash_of(b);
	fails(cs_stream_source_set(b->s, source), CS_E_SETTING, "refused: %s", what);
	ok(hash_of(b) == before, "and nothing happened");
}

static void test_refusals(void)
{
	struct bench b;
	one_grid(&b, "5.4");
	struct cs_stream_source good = cs_stream_source_default("P"), s = good;
	s.name[0] = '\0';
	refuse(&b, &s, "no name");
	s = good;
	s.location.x = NAN;
	refuse(&b, &s, "a place that is no number");
	s = good;
	s.n_shapes = CS_SOURCE_SHAPES + 1;
	refuse(&b, &s, "too many shapes");
	s = good;
	s.target = CS_LAYER_UNLOADED;
	refuse(&b, &s, "a target of Unloaded");
	s = good;
	s.n_shapes = 1;
	s.shapes[0] = cs_stream_shape_default();
	s.shapes[0].angle = 361;
	refuse(&b, &s, "a sector of 361 degrees");
	s.shapes[0].angle = 360;
	s.shapes[0].radius = -1;
	refuse(&b, &s, "a negative radius");
	s = good;
	memset(s.name, 'x', sizeof(s.name));
	refuse(&b, &s, "a name without an end");
	fails(cs_stream_source_move(b.s, "P", good.location, good.rotation), CS_E_NOSOURCE,
		"a source that is not there cannot be moved");
	fails(cs_stream_source_remove(b.s, "P"), CS_E_NOSOURCE, "nor removed");
	fails(cs_stream_source_follow(b.s, "P", NULL, false), CS_E_NOSOURCE, "nor follow");
	finish(&b);
}

static void test_velocity(void)
{
	struct bench b;
	one_grid(&b, "5.4");
	set(b.s, "sim.FrameTime", "20");
	add_source(b.s, "P", 0, 0);
	step(&b, 1);
	is_double(cs_stream_source_at(b.s, 0).velocity.x, 0, "2.2.3: a new source has none");
	move(b.s, "P", 100, 0);
	step(&b, 1);
	is_double(cs_stream_source_at(b.s, 0).velocity.x, 5000, "2.2.3: 100 cm in 20 ms");
	set(b.s, "sim.FrameTime", "5");
	move(b.s, "P", 100, 0);
	step(&b, 1);
	is_double(cs_stream_source_at(b.s, 0).velocity.x, 2500, "2.2.3: half of the way in 5 ms");
	move(b.s, "P", 10101, 0);
	step(&b, 1);
	is_double(cs_stream_source_at(b.s, 0).velocity.x, 0, "2.2.3: a jump leaves none");
	set(b.s, "sim.FrameTime", "5001");
	move(b.s, "P", 10201, 0);
	step(&b, 1);
	is_double(cs_stream_source_at(b.s, 0).velocity.x, 0, "2.2.3: nor does a pause of 5 s");
	finish(&b);
}

/* Returns how many of `moves` to the right by `by` are evaluated (2.2.5). */
static int evaluations(const char *quantisation, double by, int moves)
{
	struct bench b;
	int n = 0;
	one_grid(&b, "5.4");
	set_load_frames(b.s, 0);
	set(b.s, "wp.Runtime.MaxLoadingStreamingCells", "0");
	set(b.s, "wp.Runtime.UpdateStreaming.LocationQuantization", quantisation);
	add_source(b.s, "P", 0, 0);
	step(&b, 2);
	for (int i = 1; i <= moves; i++) {
		move(b.s, "P", i * by, 0);
		step(&b, 1);
		n += frame(&b)->evaluated > 0;
	}
	finish(&b);
	return n;
}

static void test_skipping(void)
{
	is_int(evaluations("400", 399, 1), 0, "2.2.5: a move of 399 cm is skipped");
	is_int(evaluations("400", 400, 1), 0, "2.2.5: so is one of 400");
	is_int(evaluations("400", 401, 1), 1, "2.2.5: 401 cm are not");
	is_int(evaluations("400", 10, 200), 4, "2.2.5: small moves add up; the old value stays");
	is_int(evaluations("0", 1, 10), 10, "2.2.5: 0 = every move");
	struct bench b;
	one_grid(&b, "5.4");
	set_load_frames(b.s, 0);
	set(b.s, "wp.Runtime.MaxLoadingStreamingCells", "0");
	add_source(b.s, "P", 0, 0);
	step(&b, 3);
	is_int(frame(&b)->skipped, 1, "skip: nothing changed");
	must(cs_stream_source_move(
		b.s, "P", (struct cs_vec3){0, 0, 0}, (struct cs_rotator){0, 90, 0}));
	step(&b, 1);
	is_int(frame(&b)->skipped, 1, "skip: turning does not count without a sector");
	set(b.s, "wp.Runtime.UpdateStreaming.ForceUpdateFrameCount", "2");
	step(&b, 1);
	uint32_t odd = frame(&b)->skipped;
	step(&b, 1);
	is_int(odd + frame(&b)->skipped, 1, "skip: every second frame is forced");
	set(b.s, "wp.Runtime.UpdateStreaming.ForceUpdateFrameCount", "0");
	set(b.s, "wp.Runtime.UpdateStreaming.EnableOptimization", "0");
	step(&b, 1);
	is_int(frame(&b)->skipped, 0, "skip: not without the optimisation");
	finish(&b);
	one_grid(&b, "5.2");
	size_t optimise = cs_stream_find_variable("wp.runtime.updatestreaming.enableoptimization");
	ok(cs_stream_variable(b.s, optimise).number == 0 &&
			cs_stream_variable(b.s, optimise).is_initial,
		"skip: 5.2 has the optimisation off");
	finish(&b);
}

/* Invariant 6: while sources are not updated, nothing changes. */
static void test_frozen(void)
{
	struct bench b;
	one_grid(&b, "5.4");
	add_source(b.s, "P", 0, 0);
	step(&b, 60);
	set(b.s, "wp.Runtime.UpdateStreamingSources", "0");
	step(&b, 1);
	uint64_t events = cs_stream_event_count(b.s);
	move(b.s, "P", 60000, 60000);
	step(&b, 60);
	is_int(cs_stream_event_count(b.s), events,
		"UpdateStreamingSources 0: moving changes nothing");
	must(cs_stream_source_remove(b.s, "P"));
	step(&b, 60);
	is_int(cs_stream_event_count(b.s), events, "UpdateStreamingSources 0: nor does removing");
	set(b.s, "wp.Runtime.UpdateStreamingSources", "1");
	step(&b, 60);
	is_int(cs_stream_status(b.s).cells_visible, 0, "UpdateStreamingSources 1: it does now");
	finish(&b);
}

/* ---- 2.2.4, 1.7.5 ---- */

static void test_range_of_zero(void)
{
	struct bench b;
	one_grid(&b, "5.4");
	must(cs_stream_override_range(b.s, 0, 0, 0));
	add_source(b.s, "P", 6400, 6400);
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_visible, 1,
		"range 0: the cell that contains the source");
	must(cs_stream_override_range(b.s, 0, 0, -1));
	is_double(cs_stream_range(b.s, 0, 0).range, RANGE,
		"range: a negative one gives the cooked back");
	fails(cs_stream_override_range(b.s, 0, 9, 1), CS_E_NOGRID, "range: of no partition");
	fails(cs_stream_override_range(b.s, 0, 0, INFINITY), CS_E_SETTING, "range: infinite");
	finish(&b);

	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_spatial_grid(&b.w, "MainGrid", SIZE, RANGE, 100800);
	worlds_square(&b.w, grid, 0, -4, -4, 4, 4, 1);
	start(&b, NULL);
	must(cs_stream_override_range(b.s, 0, 0, 0));
	add_source(b.s, "P", 0, 0);
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_visible, 0, "range 0: none in a spatial hash");
	must(cs_stream_override_range(b.s, 0, 0, 1));
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_visible, 1, "range 1: one");
	finish(&b);
}

/* A cell at exactly the range is reached with the hash set, but not with the spatial hash. */
static void test_edge(void)
{
	for (int spatial = 0; spatial < 2; spatial++) {
		struct bench b;
		worlds_init(&b.w, "5.4");
		uint32_t grid =
			spatial ? worlds_spatial_grid(&b.w, "G", SIZE, RANGE, 100800)
				: worlds_partition(&b.w, "G", CS_PARTITION_LHGRID, SIZE, RANGE);
		uint32_t id = worlds_cell(&b.w, grid, 0, 2, 0, 1);
		b.w.cells.at[id].content = b.w.cells.at[id].box;
		double left = b.w.cells.at[id].box.min.x;
		start(&b, NULL);
		add_source(b.s, "P", left - RANGE, 0);
		step(&b, 30);
		is_int(look(&b, id).current == CS_LAYER_ACTIVATED, !spatial,
			"2.2.4: at the range itself, %s", spatial ? "spatial hash" : "hash set");
		finish(&b);
	}
}

static void test_height(void)
{
	struct bench b;
	one_grid(&b, "5.4");
	struct cs_stream_source s = cs_stream_source_default("P");
	s.location = (struct cs_vec3){6400, 6400, 200000};
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_visible, 0, "2.2.4: a hash set looks at Z");
	s.force_2d = true;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 60);
	ok(cs_stream_status(b.s).cells_visible > 10, "2.2.4: not for a 2D source");
	finish(&b);

	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_spatial_grid(&b.w, "MainGrid", SIZE, RANGE, 100800);
	worlds_square(&b.w, grid, 0, -4, -4, 4, 4, 1);
	start(&b, NULL);
	s.force_2d = false;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 60);
	ok(cs_stream_status(b.s).cells_visible > 10, "2.2.4: a spatial hash does not look at Z");
	set(b.s, "wp.Runtime.ForceRuntimeSpatialHashZCulling", "1");
	step(&b, 60);
	is_int(cs_stream_status(b.s).cells_visible, 0, "2.2.4: but with Z culling");
	finish(&b);
}

/* Moves a grid, its cells and their content along X. */
static void move_grid(struct bench *b, uint32_t grid, double by)
{
	b->w.partitions.at[grid].origin.x += by;
	for (size_t i = 0; i < b->w.cells.n; i++) {
		struct cs_cooked_cell *cell = &b->w.cells.at[i];
		cell->box.min.x += by;
		cell->box.max.x += by;
		cell->content.min.x += by;
		cell->content.max.x += by;
	}
}

static void try_snap(bool snap, double origin)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_spatial_grid(&b.w, "MainGrid", SIZE, RANGE, 100800);
	if (snap)
		b.w.partitions.at[grid].flags |= CS_PARTITION_SNAP;
	uint32_t low = worlds_cell(&b.w, grid, 0, 0, 0, 1);
	uint32_t high = worlds_cell(&b.w, grid, 2, 0, 0, 1);
	uint32_t far = worlds_cell(&b.w, grid, 2, 1, 0, 1);
	b.w.cells.at[low].box.max.x = 25600; /* reaches into both */
	/* nothing but the low cell is in range */
	b.w.partitions.at[grid].loading_range = 1;
	b.w.cells.at[high].box.max.x = b.w.cells.at[high].box.min.x + 1;
	b.w.cells.at[far].box.min.x = b.w.cells.at[far].box.max.x - 1;
	move_grid(&b, grid, origin);
	start(&b, NULL);
	add_source(b.s, "P", origin, 0);
	step(&b, 30);
	ok(look(&b, low).current == CS_LAYER_ACTIVATED, "snap: the low cell is wanted");
	is_int(look(&b, high).current == CS_LAYER_ACTIVATED, snap,
		"snap %d, origin %g: the cell around it on a higher level", snap, origin);
	if (snap)
		is_int(why(&b, high).reason, CS_REASON_SNAPPED, "snap: and why");
	finish(&b);
}

static void test_snap(void)
{
	try_snap(false, 0);
	try_snap(true, 0);
	try_snap(true, 409600);
}

static void test_filters(void)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t a = worlds_partition(&b.w, "Alpha", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, a, 0, 0, 0, 1);
	uint32_t c = worlds_partition(&b.w, "Beta", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, c, 0, 0, 0, 1);
	worlds_cell(&b.w, c, 0, 1, 0, 1);
	b.w.cells.at[2].content = CS_BOX_INVALID;
	start(&b, NULL);
	step(&b, 1);
	is_int(why(&b, 0).reason, CS_REASON_NO_SOURCE, "why: no source");
	struct cs_stream_source s = cs_stream_source_default("P");
	s.n_grids = 1;
	strcpy(s.grids[0], "ALPHA");
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	ok(look(&b, 0).current == CS_LAYER_ACTIVATED && look(&b, 1).current == CS_LAYER_UNLOADED,
		"grids: Include and a list is only these");
	is_int(why(&b, 1).reason, CS_REASON_GRID_FILTER, "grids: and why");
	is_int(why(&b, 2).reason, CS_REASON_NO_BOUNDS, "why: no bounds");
	s.behavior = CS_SOURCE_EXCLUDE;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	ok(look(&b, 0).current == CS_LAYER_UNLOADED && look(&b, 1).current == CS_LAYER_ACTIVATED,
		"grids: Exclude and a list is all but these");
	s.n_grids = 0;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_visible, 2, "grids: Exclude and no list is every grid");
	s.target = CS_LAYER_LOADED;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	ok(cs_stream_status(b.s).cells_visible == 0 && cs_stream_status(b.s).cells_loaded == 2,
		"target Loaded: loaded, not visible");
	s.enabled = false;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_loaded, 0, "a disabled provider gives no source");
	s.enabled = s.remote = true;
	must(cs_stream_source_set(b.s, &s));
	step(&b, 30);
	is_int(cs_stream_status(b.s).cells_loaded, 0, "nor does a remote one but on servers");
	finish(&b);
}

/* ---- questions ---- */

static void test_probe(void)
{
	struct bench b;
	struct cs_stream_probe probe;
	one_grid(&b, "5.4");
	add_source(b.s, "P", 0, 0);
	step(&b, 40);
	uint64_t before = hash_of(&b);
	struct cs_stream_source other = cs_stream_source_default("probe");
	other.location = (struct cs_vec3){60000, 60000, 0};
	must(cs_stream_probe(b.s, &other, &probe));
	const struct cs_stream_probe_row *rows = probe.rows;
	const size_t n = probe.n;
	bool good = n > 5, near_first = true;
	for (size_t i = 0; i < n; i++) {
		const struct cs_box *box = &cs_cooked_cell(b.w.cooked, rows[i].cell.cell)->content;
		good = good && cs_box_distance2(box, other.location, false) <= RANGE * RANGE &&
		       rows[i].wanted == CS_LAYER_ACTIVATED && rows[i].actors == 1;
		near_first = near_first &&
			     (i == 0 || rows[i - 1].keys.spatial <= rows[i].keys.spatial + 1e-8);
	}
	ok(good && near_first, "probe: %zu cells in range of another place, in order", n);
	is_int(probe.actors, n, "probe: their actors");
	ok(hash_of(&b) == before && why(&b, 0).nearest.source != NULL &&
			strcmp(why(&b, 0).nearest.source, "P") == 0,
		"probe: a dry run");
	step(&b, 1);
	is_int(frame(&b)->skipped, 1, "probe: not even an update comes of it");
	free(probe.rows);
	finish(&b);
}

static void test_completed(void)
{
	struct bench b;
	bool complete;
	struct cs_stream_cell cell;
	one_grid(&b, "5.4");
	struct cs_stream_source query = cs_stream_source_default("query");
	add_source(b.s, "P", 0, 0);
	step(&b, 2);
	must(cs_stream_completed(b.s, &query, CS_LAYER_ACTIVATED, false, &complete, &cell));
	ok(!complete && cell.cell != CS_NONE, "2.10: not complete, and the first cell that is not");
	step(&b, 60);
	must(cs_stream_completed(b.s, &query, CS_LAYER_ACTIVATED, true, &complete, &cell));
	ok(complete && cell.cell == CS_NONE, "2.10: complete");
	must(cs_stream_completed(b.s, &query, CS_LAYER_LOADED, false, &complete, &cell));
	ok(complete, "2.10: at least Loaded");
	must(cs_stream_completed(b.s, &query, CS_LAYER_LOADED, true, &complete, &cell));
	ok(!complete, "2.10: exactly Loaded");
	query.location.x = 70000;
	must(cs_stream_completed(b.s, &query, CS_LAYER_LOADED, false, &complete, &cell));
	ok(!complete, "2.10: elsewhere it is not");
	finish(&b);
}

static void test_why(void)
{
	struct bench b;
	struct cs_stream_reach reaches[4];
	int order;
	enum cs_order_key key;
	ten_cells(&b);
	start(&b, NULL);
	set_load_frames(b.s, 3);
	face_away(b.s);
	step(&b, 1);
	struct cs_stream_why first = why(&b, 9), last = why(&b, 0);
	ok(first.reason == CS_REASON_IN_RANGE && first.progress == CS_REASON_LOADING &&
			first.wanted == CS_LAYER_ACTIVATED && first.n_hits == 1,
		"why: in range, and loading");
	ok(last.progress == CS_REASON_BUDGET && last.rank == 10 && last.of == 10,
		"why: waits for the budget, tenth of ten");
	is_int(cs_stream_reaches(b.s, main_cell(9), reaches, 4), 1, "why: one reach");
	ok(reaches[0].hit && reaches[0].accepted && reaches[0].radius == 400000 &&
			fabs(reaches[0].distance - 13000) < 1e-9,
		"why: with distance and radius");
	works(cs_stream_compare(b.s, main_cell(9), main_cell(0), &order, &key), "compare");
	ok(order == -1 && key == CS_KEY_SPATIAL, "compare: the nearer first, by the spatial value");
	fails(cs_stream_compare(b.s, main_cell(9), main_cell(77), &order, &key), CS_E_NOCELL,
		"compare: a cell that does not exist");
	step(&b, 30);
	is_int(why(&b, 0).progress, CS_REASON_ARRIVED, "why: it is there");
	bool named = true;
	for (int i = 0; i < CS_REASON_COUNT; i++)
		named = named && *cs_word(CS_WORDS_REASON, i)->name &&
			*cs_word(CS_WORDS_REASON, i)->help != '?';
	ok(named, "every reason has a name and a sentence");
	for (unsigned i = CS_EVENTS; i < 256; i++)
		named = named && cs_moment_of(&(struct cs_stream_event){.event = (uint8_t)i}) ==
					 CS_MOMENT_FRAME;
	ok(named, "what is no event is the end of a frame");
	finish(&b);
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
	test_defaults();
	test_refusals();
	test_velocity();
	test_skipping();
	test_frozen();
	test_range_of_zero();
	test_edge();
	test_height();
	test_snap();
	test_filters();
	test_probe();
	test_completed();
	test_why();
	return done();
}
