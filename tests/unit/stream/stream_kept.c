/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sources reach is kept from frame to frame (kept.c). Beside each run goes another that does
 * the same and finds everything from nothing, frame by frame: after each frame both must have the
 * same hits, with the same targets, lists and state. Sources walk, stand, jump, turn, come and go;
 * layers, ranges, settings, questions, snapshots and going back are between the frames.
 */
#include "tests/unit/stream/stream_test.h"

#include "core/random.h"
#include "core/sort.h"
#include "stream/stream_inside.h"
#include <cellscope/cooked_values.h>
#include <cellscope/runs.h>

enum { FRAMES = 700, SOURCES = 14, QUESTION = 20 };

struct pair {
	struct worlds w;
	struct cs_stream *kept, *anew;
	struct cs_random random;
	uint64_t keeping, resting; /* frames; targets that nobody looked at */
	char wrong[128];           /* the first difference */
};

/* Makes the same call of both streams; arguments are evaluated twice. */
#define BOTH(p, call, ...)                            \
	do {                                          \
		must(call((p)->kept, ##__VA_ARGS__)); \
		must(call((p)->anew, ##__VA_ARGS__)); \
	} while (0)

static double range(struct pair *p, double low, double high)
{
	return cs_random_range(&p->random, low, high);
}

static uint32_t below(struct pair *p, uint32_t bound)
{
	return cs_random_below(&p->random, bound);
}

static struct cs_stream_source named(struct pair *p)
{
	char name[8];
	snprintf(name, sizeof(name), "S%u", below(p, SOURCES));
	return cs_stream_source_default(name);
}

/* ---- what happens between frames ---- */

static void set_source(struct pair *p)
{
	struct cs_stream_source source = named(p);
	source.location = (struct cs_vec3){
		range(p, -80000, 80000), range(p, -80000, 80000), range(p, -3000, 20000)};
	source.enabled = below(p, 12) > 0;
	source.priority = (uint8_t)(below(p, 3) * 64);
	source.target = below(p, 5) ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	source.force_2d = below(p, 4) == 0;
	source.use_velocity = below(p, 4) == 0;
	source.n_shapes = below(p, 3);
	for (uint32_t i = 0; i < source.n_shapes; i++) {
		struct cs_stream_shape *shape = &source.shapes[i];
		*shape = cs_stream_shape_default();
		shape->use_grid_range = below(p, 2);
		shape->range_scale = range(p, 0, 1.5);
		shape->radius = below(p, 8) ? range(p, 0, 40000) : 0;
		shape->sector = below(p, 4) == 0;
		shape->angle = range(p, 5, 360);
		if (below(p, 2))
			shape->location.x = range(p, -6000, 6000);
	}
	BOTH(p, cs_stream_source_set, &source);
}

/* Changes what a source asks for, without a move. */
static void change_wish(struct pair *p)
{
	size_t n = cs_stream_sources(p->kept);
	struct cs_stream_source source =
		*cs_stream_source_at(p->kept, below(p, (uint32_t)n)).source;
	if (below(p, 2))
		source.priority = (uint8_t)(below(p, 3) * 64);
	else
		source.target = below(p, 2) ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	BOTH(p, cs_stream_source_set, &source);
}

/* Moves sources: most walk in steps much smaller than a cell, some stand, few jump. */
static void move_sources(struct pair *p)
{
	for (size_t i = 0; i < cs_stream_sources(p->kept); i++) {
		const struct cs_stream_source *old = cs_stream_source_at(p->kept, i).source;
		double reach = below(p, 400) == 0 ? 60000 : below(p, 3) * 60;
		struct cs_vec3 to = {old->location.x + range(p, -reach, reach),
			old->location.y + range(p, -reach, reach),
			old->location.z + range(p, -reach, reach) / 8};
		struct cs_rotator turn = old->rotation;
		turn.yaw += below(p, 8) ? 0 : range(p, -30, 30);
		char name[CS_SOURCE_NAME];
		strcpy(name, old->name);
		BOTH(p, cs_stream_source_move, name, to, turn);
	}
}

static void remove_source(struct pair *p)
{
	if (cs_stream_sources(p->kept) < 2)
		return;
	char name[CS_SOURCE_NAME];
	size_t which = below(p, (uint32_t)cs_stream_sources(p->kept));
	strcpy(name, cs_stream_source_at(p->kept, which).source->name);
	BOTH(p, cs_stream_source_remove, name);
}

static void set_layer(struct pair *p)
{
	enum cs_layer_answer answer;
	uint32_t layer = below(p, (uint32_t)p->w.cooked->n_layers);
	enum cs_layer_state state = (enum cs_layer_state)below(p, 3);
	BOTH(p, cs_stream_layer_set, 0, layer, state, false, false, &answer);
}

static void set_range(struct pair *p)
{
	uint32_t grid = below(p, (uint32_t)p->w.cooked->n_partitions);
	double to = below(p, 2) ? -1 : range(p, 0, 50000);
	BOTH(p, cs_stream_override_range, 0, grid, to);
}

static void set_variable(struct pair *p)
{
	static const char *const choices[][3] = {
		{"wp.Runtime.MaxLoadingStreamingCells", "4", "1"},
		{"wp.Runtime.UpdateStreaming.LocationQuantization", "400", "0"},
		{"wp.Runtime.UpdateStreamingSources", "1", "0"},
		{"wp.Runtime.FilterRuntimeSpatialHashGridLevel", "-1", "0"},
		{"wp.Runtime.ForceRuntimeSpatialHashZCulling", "-1", "1"},
		{"sim.Latency", "50", "0"},
		{"sim.MatchBegun", "1", "0"},
	};
	uint32_t i = below(p, CS_COUNT_OF(choices));
	const char *value = choices[i][1 + (below(p, 3) == 0)];
	BOTH(p, cs_stream_variable_set, cs_stream_find_variable(choices[i][0]), value);
}

static void toggle_hlods(struct pair *p)
{
	bool on = !cs_stream_status(p->kept).hlod_enabled;
	BOTH(p, cs_stream_hlod_enable, on);
}

static void block(struct pair *p)
{
	BOTH(p, cs_stream_block);
}

/* Asks only the stream that keeps cells, because a question changes nothing. */
static void ask(struct pair *p)
{
	struct cs_stream_source source = named(p);
	struct cs_stream_probe probed;
	struct cs_stream_forecast *rows;
	size_t n;
	source.location = (struct cs_vec3){range(p, -50000, 50000), 0, 0};
	source.n_shapes = below(p, CS_SOURCE_SHAPES + 1);
	for (uint32_t i = 0; i < source.n_shapes; i++)
		source.shapes[i] = cs_stream_shape_default();
	must(cs_stream_probe(p->kept, &source, &probed));
	free(probed.rows);
	must(cs_stream_queue(p->kept, QUESTION, &rows, &n));
	free(rows);
}

static void go_back(struct pair *p)
{
	uint64_t now = cs_stream_status(p->kept).frame, by = below(p, 30);
	if (now > by + 1)
		BOTH(p, cs_stream_goto, now - by);
}

static void act(struct pair *p)
{
	static const struct {
		uint32_t every; /* frames, about */
		void (*act)(struct pair *p);
	} actions[] = {
		{20, set_source},
		{30, change_wish},
		{50, remove_source},
		{60, set_layer},
		{60, set_range},
		{30, set_variable},
		{150, toggle_hlods},
		{40, block},
		{40, ask},
		{100, go_back},
	};
	for (size_t i = 0; i < CS_COUNT_OF(actions); i++)
		if (below(p, actions[i].every) == 0)
			actions[i].act(p);
	move_sources(p);
}

/* ---- comparing ---- */

static bool differs(struct pair *p, bool different, const char *what, uint32_t cell)
{
	if (different && !*p->wrong)
		snprintf(p->wrong, sizeof(p->wrong), "frame %llu: %s of cell %u",
			(unsigned long long)cs_stream_status(p->kept).frame, what, cell);
	return different;
}

/* Returns a sum that is the same for the same targets in any order. */
static uint64_t targets_of(const struct cs_run_world *w, const struct cs_run_hit *hit)
{
	uint64_t sum = 0;
	for (uint32_t i = hit->touch; i != CS_NONE; i = w->reached.touches.at[i].next)
		sum += (w->reached.touches.at[i].target + 1) * UINT64_C(0x9E3779B97F4A7C15);
	return sum;
}

static void compare_hits(struct pair *p)
{
	const struct cs_run_world *kept = p->kept->worlds.at[0], *anew = p->anew->worlds.at[0];
	differs(p, kept->reached.hits.n != anew->reached.hits.n, "number of hits", CS_NONE);
	for (size_t i = 0; i < anew->reached.hits.n; i++) {
		const struct cs_run_hit *right = &anew->reached.hits.at[i];
		const struct cs_run_hit *hit = cs_run_find_hit(kept, right->cell);
		if (differs(p, !hit, "hit", right->cell))
			return;
		differs(p, hit->want != right->want, "want", right->cell);
		differs(p, hit->reason != right->reason, "reason", right->cell);
		differs(p, hit->absent && cs_run_find(kept, right->cell), "resident", right->cell);
		if (cs_run_has_many_targets(
			    anew, cs_cooked_cell(p->w.cooked, right->cell)->partition))
			differs(p, targets_of(kept, hit) != targets_of(anew, right), "targets",
				right->cell);
	}
}

static void compare_lists(struct pair *p)
{
	for (int list = 0; list < CS_ORDER_LISTS; list++) {
		size_t n, n_right;
		const struct cs_stream_order_row *rows =
			cs_stream_order(p->kept, (enum cs_order_list)list, &n);
		const struct cs_stream_order_row *right =
			cs_stream_order(p->anew, (enum cs_order_list)list, &n_right);
		if (differs(p, n != n_right, "length of a list", (uint32_t)list))
			return;
		for (size_t i = 0; i < n; i++)
			differs(p,
				rows[i].cell.cell != right[i].cell.cell ||
					rows[i].keys.spatial != right[i].keys.spatial ||
					rows[i].decided_by != right[i].decided_by ||
					rows[i].started != right[i].started,
				"row", right[i].cell.cell);
	}
}

static void compare(struct pair *p)
{
	uint64_t hash, right;
	compare_hits(p);
	differs(p, cs_stream_event_count(p->kept) != cs_stream_event_count(p->anew), "events",
		CS_NONE);
	if (below(p, 3)) /* mostly nobody looks, and lists are not in order */
		return;
	compare_lists(p);
	must(cs_stream_hash(p->kept, &hash));
	must(cs_stream_hash(p->anew, &right));
	differs(p, hash != right, "state", CS_NONE);
}

/*
 * Counts the frames in which cells were kept, and the targets that rested although they had moved.
 */
static void count(struct pair *p)
{
	const struct cs_run_reached *reached = &p->kept->worlds.at[0]->reached;
	p->keeping += reached->keeping;
	for (size_t i = 0; reached->keeping && i < reached->targets.n; i++)
		p->resting += reached->kept.at[i].ball.centre.x !=
			      reached->targets.at[i].reach.ball.centre.x;
}

/* ---- runs ---- */

static void run(const char *profile, enum cs_hash_class class, uint64_t seed)
{
	struct pair p = {.random = {seed}};
	worlds_town(&p.w, profile, class, 24, seed);
	const struct cs_cooked *cooked = worlds_open(&p.w);
	must(cs_stream_new(cooked, NULL, NULL, &p.kept));
	must(cs_stream_new(cooked, NULL, NULL, &p.anew));
	for (int i = 0; i < SOURCES; i++)
		set_source(&p);
	for (int i = 0; i < FRAMES && !*p.wrong; i++) {
		act(&p);
		p.anew->worlds.at[0]->reached.crowded = 2; /* nothing is kept in this frame */
		BOTH(&p, cs_stream_step, 1);
		compare(&p);
		count(&p);
	}
	ok(!*p.wrong, "kept: as found from nothing, profile %s, seed %llu", profile,
		(unsigned long long)seed);
	if (*p.wrong)
		diag("%s", p.wrong);
	ok(class == CS_HASH_SPATIAL || (p.keeping > FRAMES / 4 && p.resting > p.keeping),
		"kept: %llu frames of %d keep, %llu targets were at rest",
		(unsigned long long)p.keeping, FRAMES, (unsigned long long)p.resting);
	cs_stream_free(p.kept);
	cs_stream_free(p.anew);
	worlds_deinit(&p.w);
}

int main(void)
{
	static const char *const profiles[] = {"5.0", "5.3", "5.4", "5.7"};
	for (uint64_t i = 0; i < CS_COUNT_OF(profiles); i++)
		run(profiles[i], CS_HASH_SET, i + 1);
	run("5.4", CS_HASH_SPATIAL, 9);
	return done();
}
