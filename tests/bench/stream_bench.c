/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of streaming: one update against the same range query in an SQLite R*Tree over the same
 * cells, and against our own update in a small world; the cost of a frame by the number of cells,
 * of sources, and by speed; what a frame costs in which nothing changes.
 *
 *	stream [CELLS ...]     sizes, default 10000 100000 1000000 10000000, which takes 6 GB
 */
#include <cellscope/cooked_values.h>
#include <cellscope/runs.h>

#include "core/random.h"
#include "stream/stream_inside.h"
#include "tests/bench/bench.h"
#include "tests/unit/stream/worlds.h"

#include <math.h>
#include <sqlite3.h>

#define CELL  12800.0
#define RANGE 38400.0

struct scene {
	struct worlds w;
	struct cs_stream *s;
	double half; /* of the side of the world, cm */
	double build;
};

/* ---- worlds ---- */

/* Level 0 takes three quarters of the cells, level 1 and 2 the rest: the share of a full quadtree.
 */
static void make_world(struct scene *scene, uint64_t cells)
{
	int64_t half = (int64_t)(sqrt((double)cells * 64 / 84) / 2);
	half -= half % 4;
	worlds_init(&scene->w, "5.4");
	uint32_t grid = worlds_partition(&scene->w, "MainGrid", CS_PARTITION_LHGRID, CELL, RANGE);
	worlds_square(&scene->w, grid, 0, -half, -half, half, half, 8);
	worlds_square(&scene->w, grid, 1, -half / 2, -half / 2, half / 2, half / 2, 8);
	worlds_square(&scene->w, grid, 2, -half / 4, -half / 4, half / 4, half / 4, 8);
	scene->half = (double)half * CELL;
	worlds_open(&scene->w);
	cs_vec_free(&scene->w.cells);
}

static void open_scene(struct scene *scene, uint64_t cells)
{
	memset(scene, 0, sizeof(*scene));
	make_world(scene, cells);
	double start = bench_now();
	bench_need(cs_stream_new(scene->w.cooked, NULL, NULL, &scene->s));
	scene->build = bench_now() - start;
}

static void close_scene(struct scene *scene)
{
	cs_stream_free(scene->s);
	worlds_deinit(&scene->w);
}

static void set(struct cs_stream *s, const char *name, const char *value)
{
	bench_need(cs_stream_variable_set(s, cs_stream_find_variable(name), value));
}

/* Loads that take no time, so that every frame is of one kind. */
static void load_at_once(struct cs_stream *s)
{
	set(s, "sim.Latency", "0");
	set(s, "sim.Bandwidth", "0");
	set(s, "sim.LoadPerActor", "0");
	set(s, "sim.ShowPerActor", "0");
	set(s, "sim.HidePerActor", "0");
	set(s, "wp.Runtime.MaxLoadingStreamingCells", "0");
}

static void name_of(unsigned source, char name[16])
{
	snprintf(name, 16, "P%u", source);
}

/* Where a source is that flies at a speed: to and fro, each on a line of its own. */
static struct cs_vec3 place(const struct scene *scene, unsigned source, double way)
{
	double reach = scene->half * 0.8, turn = fmod(way, 4 * reach);
	double x = turn < 2 * reach ? turn - reach : 3 * reach - turn;
	double y = reach * (fmod(source * 0.6180339887, 1.0) * 2 - 1);
	return (struct cs_vec3){x, y + way * 0.01, 500};
}

static void move_sources(struct scene *scene, unsigned sources, double way)
{
	for (unsigned i = 0; i < sources; i++) {
		char name[16];
		name_of(i, name);
		bench_need(cs_stream_source_move(
			scene->s, name, place(scene, i, way), (struct cs_rotator){0, 0, 0}));
	}
}

static void add_sources(struct scene *scene, unsigned sources)
{
	for (unsigned i = 0; i < sources; i++) {
		char name[16];
		name_of(i, name);
		struct cs_stream_source source = cs_stream_source_default(name);
		source.location = place(scene, i, 0);
		bench_need(cs_stream_source_set(scene->s, &source));
	}
	bench_need(cs_stream_step(scene->s, 300));
}

/* ---- one update ---- */

/* Seconds of an update; the source moves so far in each frame that it is evaluated. */
static double update_seconds(struct scene *scene, double *hits_ret)
{
	enum { FRAMES = 20000 };
	double hits = 0, spent = 0;
	for (int i = 1; i <= FRAMES; i++) {
		move_sources(scene, 1, i * 450.0);
		double start = bench_now();
		bench_need(cs_stream_step(scene->s, 1));
		spent += bench_now() - start;
		hits += cs_stream_frame(scene->s, cs_stream_status(scene->s).frame)->hits;
	}
	*hits_ret = hits / FRAMES;
	return spent / FRAMES;
}

static void sql(sqlite3 *db, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK) {
		fprintf(stderr, "bench: %s\n", sqlite3_errmsg(db));
		exit(3);
	}
}

static sqlite3 *fill_rtree(const struct cs_cooked *cooked)
{
	sqlite3 *db;
	sqlite3_stmt *insert;
	sqlite3_open(":memory:", &db);
	sql(db, "CREATE VIRTUAL TABLE cells USING rtree(id, x0, x1, y0, y1, z0, z1); BEGIN");
	sqlite3_prepare_v2(db, "INSERT INTO cells VALUES(?,?,?,?,?,?,?)", -1, &insert, NULL);
	for (size_t i = 0; i < cooked->n_cells; i++) {
		const struct cs_box *b = &cs_cooked_cell(cooked, i)->content;
		const double sides[] = {b->min.x, b->max.x, b->min.y, b->max.y, b->min.z, b->max.z};
		sqlite3_bind_int64(insert, 1, (sqlite3_int64)i);
		for (int k = 0; k < 6; k++)
			sqlite3_bind_double(insert, k + 2, sides[k]);
		sqlite3_step(insert);
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
	sql(db, "COMMIT");
	return db;
}

/* The box around the same ball, at the same places. */
static double rtree_seconds(const struct scene *scene, double *hits_ret)
{
	enum { QUERIES = 2000 };
	sqlite3 *db = fill_rtree(scene->w.cooked);
	sqlite3_stmt *query;
	double hits = 0, spent = 0;
	sqlite3_prepare_v2(db,
		"SELECT id FROM cells WHERE x1>=? AND x0<=? AND y1>=? AND y0<=? AND z1>=? "
		"AND z0<=?",
		-1, &query, NULL);
	for (int i = 1; i <= QUERIES; i++) {
		struct cs_vec3 at = place(scene, 0, i * 450.0);
		const double sides[] = {at.x - RANGE, at.x + RANGE, at.y - RANGE, at.y + RANGE,
			at.z - RANGE, at.z + RANGE};
		double start = bench_now();
		for (int k = 0; k < 6; k++)
			sqlite3_bind_double(query, k + 1, sides[k]);
		while (sqlite3_step(query) == SQLITE_ROW)
			hits++;
		sqlite3_reset(query);
		spent += bench_now() - start;
	}
	sqlite3_finalize(query);
	sqlite3_close(db);
	*hits_ret = hits / QUERIES;
	return spent / QUERIES;
}

static double bench_update(uint64_t cells, bool with_peer, double small)
{
	struct scene scene;
	double hits, rows;
	open_scene(&scene, cells);
	load_at_once(scene.s);
	add_sources(&scene, 1);
	double ours = update_seconds(&scene, &hits);
	printf("%9zu cells: index %7.3f s; update %6.2f us, %4.0f cells in range",
		scene.w.cooked->n_cells, scene.build, ours * 1e6, hits);
	if (small > 0)
		printf("; %.2f x that of the first", ours / small);
	if (with_peer) {
		double peer = rtree_seconds(&scene, &rows);
		printf("\n           SQLite R*Tree: query %.2f us, %.0f rows; update / query = %.3f",
			peer * 1e6, rows, ours / peer);
	}
	printf("\n");
	close_scene(&scene);
	return ours;
}

/* ---- frames ---- */

struct cost {
	double all, quiet; /* seconds; quiet: of frames in which no cell changed */
	uint64_t frames, quiet_frames;
};

static struct cost fly(struct scene *scene, unsigned sources, double step, int frames)
{
	struct cost cost = {.frames = (uint64_t)frames};
	for (int i = 1; i <= frames; i++) {
		uint64_t events = cs_stream_event_count(scene->s);
		if (step > 0)
			move_sources(scene, sources, i * step);
		double start = bench_cpu();
		bench_need(cs_stream_step(scene->s, 1));
		double spent = bench_cpu() - start;
		cost.all += spent;
		if (cs_stream_event_count(scene->s) != events)
			continue;
		cost.quiet += spent;
		cost.quiet_frames++;
	}
	return cost;
}

static void print_cost(const char *what, double value, const char *unit, struct cost c)
{
	printf("  %-8s %8.0f %-8s %9.2f us a frame; %5.1f %% of the frames change nothing: "
	       "%6.2f us each\n",
		what, value, unit, c.all / (double)c.frames * 1e6,
		100.0 * (double)c.quiet_frames / (double)c.frames,
		c.quiet_frames ? c.quiet / (double)c.quiet_frames * 1e6 : 0);
}

/* What a frame with 64 sources may cost. */
#define LIMIT_64 200e-6

static void bench_sources(uint64_t cells)
{
	static const unsigned numbers[] = {1, 4, 16, 64};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct scene scene;
		open_scene(&scene, cells);
		add_sources(&scene, numbers[i]);
		struct cost cost = fly(&scene, numbers[i], 50, 3000);
		print_cost("sources", numbers[i], "", cost);
		if (numbers[i] == 64)
			printf("  64 sources: %.2f x the limit of %.0f us\n",
				cost.all / (double)cost.frames / LIMIT_64, LIMIT_64 * 1e6);
		close_scene(&scene);
	}
}

/* Metres a second at 60 frames. */
static void bench_speed(uint64_t cells)
{
	static const double speeds[] = {0, 1.5, 10, 30, 100, 300};
	struct scene scene;
	open_scene(&scene, cells);
	add_sources(&scene, 1);
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
		print_cost("speed", speeds[i], "m/s", fly(&scene, 1, speeds[i] * 100 / 60, 20000));
	close_scene(&scene);
}

/* The step itself: the same flight along a path, without anyone asking in between. */
static void bench_day(uint64_t cells)
{
	enum { FRAMES = 200000 };
	struct scene scene;
	struct cs_path *path;
	open_scene(&scene, cells);
	bench_need(cs_path_new(&path));
	for (int i = 0; i < 100; i++) {
		struct cs_path_key key = {
			.time = i * 10.0, .position = place(&scene, 0, i * 30000.0)};
		bench_need(cs_path_add(path, &key));
	}
	add_sources(&scene, 1);
	bench_need(cs_stream_source_follow(scene.s, "P0", path, true));
	double start = bench_now();
	bench_need(cs_stream_step(scene.s, FRAMES));
	double spent = bench_now() - start;
	printf("  a flight at 30 m/s, one call: %.2f us a frame, %.0f frames/s\n",
		spent / FRAMES * 1e6, FRAMES / spent);
	cs_path_free(path);
	close_scene(&scene);
}

/* Worlds for many frames, and for the peer, are at most so large: others are only updated in. */
enum { MOST_CELLS = 1000000 };

int main(int argc, char **argv)
{
	static const uint64_t sizes[] = {10000, 100000, 1000000, 10000000};
	size_t n = argc > 1 ? (size_t)argc - 1 : sizeof(sizes) / sizeof(sizes[0]);
	double small = 0;
	uint64_t last = 10000;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t cells = argc > 1 ? strtoull(argv[i + 1], NULL, 10) : sizes[i];
		last = cells > last && cells <= MOST_CELLS ? cells : last;
		double seconds = bench_update(cells, cells == MOST_CELLS, small);
		small = small > 0 ? small : seconds;
	}
	printf("frames in a world of %llu, loads by the default model:\n",
		(unsigned long long)last);
	bench_sources(last);
	bench_speed(last);
	bench_day(last);
	printf("peak memory %.0f MiB\n", bench_peak() / 1048576);
	return 0;
}
