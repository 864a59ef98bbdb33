/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A random walk through a town: sources of every kind come, move and go, variables, layers, faults
 * and clients change. After most frames the naive twin must say the same of every cell, list and
 * clock, lists perhaps only after what was done next, because a list that nobody looks at is not
 * sorted. So must every answer about cells, layers and HLOD actors, before the first frame, behind
 * a frame and behind what was set since (walk_answers.c). After every frame it must have taken each
 * level through the same steps in the same order; and the invariants of the rules (Appendix C) must
 * hold: 2, 4, 5 and 7 are asked here; 1, that no cell is both loaded and activated, holds by the
 * data, for a cell has one `set`; 3, that unloading costs no budget, follows from the twin, which
 * does not know better; 6 is in stream_rules.c.
 *
 * CELLSCOPE_WALK_FRAMES sets how many frames all walks have together.
 */
#include "stream/stream_inside.h"
#include "tests/unit/stream/stream_test.h"
#include "tests/unit/stream/twin.h"
#include "tests/unit/stream/walk_answers.h"

#include "core/random.h"
#include <cellscope/cooked_values.h>

enum { SEGMENT = 1500, DEFAULT_FRAMES = 15000, SOURCES = 4 };

struct walk {
	struct worlds town, house; /* the main world and that of a level instance */
	struct cs_stream *s;
	struct twin t;
	struct cs_random random;
	uint32_t instance; /* world of the level instance */
	uint64_t checked;
	char wrong[256]; /* the first difference */
};

static bool chance(struct walk *w, double share)
{
	return cs_random_unit(&w->random) < share;
}

static uint32_t below(struct walk *w, uint32_t bound)
{
	return cs_random_below(&w->random, bound);
}

static double range(struct walk *w, double low, double high)
{
	return cs_random_range(&w->random, low, high);
}

/* ---- actions, told to both ---- */

static void random_shape(struct walk *w, struct cs_stream_shape *shape)
{
	*shape = cs_stream_shape_default();
	shape->use_grid_range = chance(w, 0.5);
	shape->range_scale = range(w, 0.2, 1.5);
	shape->radius = range(w, 0, 40000);
	shape->sector = chance(w, 0.6);
	shape->angle = range(w, 5, 360);
	if (chance(w, 0.5))
		shape->location = (struct cs_vec3){range(w, -5000, 5000), range(w, -5000, 5000), 0};
	shape->rotation.yaw = range(w, -180, 180);
	shape->rotation.pitch = range(w, -30, 30);
}

static void random_source(struct walk *w, struct cs_stream_source *source)
{
	static const char *const names[SOURCES] = {"Ann", "bob", "Cid", "dora"};
	static const char *const grids[] = {"MainGrid", "foliage", "MainGrid:HLOD0"};
	*source = chance(w, 0.5) ? cs_stream_source_player(names[below(w, SOURCES)])
				 : cs_stream_source_default(names[below(w, SOURCES)]);
	source->location = (struct cs_vec3){
		range(w, -90000, 90000), range(w, -90000, 90000), range(w, -3000, 30000)};
	source->rotation.yaw = range(w, -180, 180);
	source->rotation.pitch = range(w, -45, 45);
	source->priority = (uint8_t)below(w, 256);
	source->target = chance(w, 0.2) ? CS_LAYER_LOADED : CS_LAYER_ACTIVATED;
	source->use_velocity = chance(w, 0.3);
	source->velocity_given = chance(w, 0.2);
	source->velocity = (struct cs_vec3){range(w, -900, 900), range(w, -900, 900), 0};
	source->remote = chance(w, 0.1);
	source->enabled = chance(w, 0.95);
	source->force_2d = chance(w, 0.2);
	source->behavior = chance(w, 0.5) ? CS_SOURCE_INCLUDE : CS_SOURCE_EXCLUDE;
	source->n_grids = chance(w, 0.3) ? 1 + below(w, 2) : 0;
	for (uint32_t i = 0; i < source->n_grids; i++)
		strcpy(source->grids[i], grids[below(w, 3)]);
	source->n_shapes = chance(w, 0.4) ? 1 + below(w, 3) : 0;
	for (uint32_t i = 0; i < source->n_shapes; i++)
		random_shape(w, &source->shapes[i]);
}

static void set_source(struct walk *w)
{
	struct cs_stream_source source;
	random_source(w, &source);
	must(cs_stream_source_set(w->s, &source));
	twin_source(&w->t, &source);
	w->t.since |= CS_CHANGED_SOURCES;
}

/* Moves a source: mostly a step of some speed, sometimes a jump. */
static void move_source(struct walk *w)
{
	if (!w->t.n_providers)
		return;
	struct cs_stream_source *source = &w->t.providers[below(w, (uint32_t)w->t.n_providers)];
	double reach = chance(w, 0.02) ? 60000 : chance(w, 0.5) ? 300 : 1500;
	source->location.x += range(w, -reach, reach);
	source->location.y += range(w, -reach, reach);
	source->location.z += range(w, -reach / 4, reach / 4);
	source->location.x = fmax(-100000, fmin(100000, source->location.x));
	source->location.y = fmax(-100000, fmin(100000, source->location.y));
	if (chance(w, 0.5))
		source->rotation.yaw += range(w, -20, 20);
	must(cs_stream_source_move(w->s, source->name, source->location, source->rotation));
	w->t.since |= CS_CHANGED_SOURCES;
}

static void remove_source(struct walk *w)
{
	if (w->t.n_providers < 2)
		return;
	char name[CS_SOURCE_NAME];
	strcpy(name, w->t.providers[below(w, (uint32_t)w->t.n_providers)].name);
	must(cs_stream_source_remove(w->s, name));
	twin_remove(&w->t, name);
	w->t.since |= CS_CHANGED_SOURCES;
}

static void set_layer(struct walk *w)
{
	enum cs_layer_answer answer;
	uint32_t world = below(w, (uint32_t)w->t.n_worlds);
	uint32_t layer = below(w, (uint32_t)w->t.worlds[world].cooked->n_layers);
	enum cs_layer_state state = (enum cs_layer_state)below(w, 3);
	bool recursive = chance(w, 0.4);
	must(cs_stream_layer_set(w->s, world, layer, state, recursive, false, &answer));
	twin_layer(&w->t, (int)world, layer, state, recursive);
	w->t.since |= CS_CHANGED_LAYERS;
}

static void set_variable(struct walk *w)
{
	static const struct {
		const char *name, *values[5];
	} choices[] = {
		{"wp.Runtime.MaxLoadingStreamingCells", {"0", "1", "4", "4", "9"}},
		{"wp.Runtime.UpdateStreamingSources", {"1", "1", "1", "1", "0"}},
		{"wp.Runtime.UpdateStreaming.EnableOptimization", {"0", "1", "1", "1", "1"}},
		{"wp.Runtime.UpdateStreaming.ForceUpdateFrameCount", {"0", "0", "0", "7", "2"}},
		{"wp.Runtime.UpdateStreaming.LocationQuantization",
			{"0", "400", "400", "100", "2000"}},
		{"wp.Runtime.UpdateStreaming.RotationQuantization", {"0", "10", "10", "1", "45"}},
		{"wp.Runtime.BlockOnSlowStreaming", {"1", "1", "1", "0", "1"}},
		{"wp.Runtime.BlockOnSlowStreamingRatio", {"0.25", "0.25", "0.1", "0", "0.5"}},
		{"wp.Runtime.SlowStreamingRatio", {"0.25", "0.25", "0.1", "0", "0.5"}},
		{"wp.Runtime.UpdateStreamingStateTimeLimit", {"0", "0", "0", "0.05", "0.1"}},
		{"wp.Runtime.FilterRuntimeSpatialHashGridLevel", {"-1", "-1", "-1", "0", "1"}},
		{"wp.Runtime.ForceRuntimeSpatialHashZCulling", {"-1", "-1", "0", "1", "1"}},
		{"wp.Runtime.HLOD.WarmupNumFrames", {"5", "5", "0", "1", "20"}},
		{"wp.Runtime.HLOD.WarmupEnabled", {"1", "1", "1", "0", "1"}},
		{"wp.Runtime.UseMakingVisibleTransactionRequests", {"0", "0", "1", "0", "1"}},
		{"wp.Runtime.UseMakingInvisibleTransactionRequests", {"0", "0", "1", "0", "1"}},
		{"wp.Runtime.ServerDisallowStreamingOutDataLayers", {"", "", "City", "", "Quest"}},
		{"wp.Runtime.LevelStreamingContinuouslyIncrementalGCWhileLevelsPendingPurgeForWP",
			{"0", "64", "2", "8", "64"}},
		{"s.LevelStreamingActorsUpdateTimeLimit", {"5", "5", "1", "0.3", "0"}},
		{"sim.FrameTime", {"16.6666667", "33.3", "8", "5", "100"}},
		{"sim.Latency", {"50", "0", "200", "20", "500"}},
		{"sim.Bandwidth", {"200", "0", "1", "20", "5000"}},
		{"sim.LoadPerActor", {"0.02", "0", "1", "0.1", "0.02"}},
		{"sim.ShowPerActor", {"0.05", "0", "0.5", "0.2", "2"}},
		{"sim.HidePerActor", {"0.02", "0", "0.2", "0.1", "1"}},
		{"sim.MatchBegun", {"1", "1", "1", "1", "0"}},
		{"sim.ServerAck", {"100", "0", "30", "100", "400"}},
		{"sim.ClientLag", {"250", "0", "100", "1000", "250"}},
		{"sim.PurgeInterval", {"61.1", "1", "0", "5", "61.1"}},
		{"sim.ReplayRecording", {"0", "0", "0", "1", "0"}},
	};
	uint32_t i = below(w, sizeof(choices) / sizeof(choices[0]));
	set(w->s, choices[i].name, choices[i].values[below(w, 5)]);
	w->t.since |= CS_CHANGED_SETTINGS;
}

static struct cs_stream_cell any_cell(struct walk *w)
{
	uint32_t world = below(w, (uint32_t)w->t.n_worlds);
	return (struct cs_stream_cell){
		world, below(w, (uint32_t)w->t.worlds[world].cooked->n_cells)};
}

static void set_fault(struct walk *w)
{
	struct cs_stream_cell at = any_cell(w);
	struct twin_cell *c = &w->t.worlds[at.world].cells[at.cell];
	c->next_fault = (enum cs_fault)below(w, 4);
	c->factor = range(w, 1, 30);
	must(cs_stream_fault(w->s, at, c->next_fault, c->factor));
}

static void set_range(struct walk *w)
{
	uint32_t world = below(w, (uint32_t)w->t.n_worlds);
	uint32_t p = below(w, (uint32_t)w->t.worlds[world].cooked->n_partitions);
	double value = chance(w, 0.6) ? -1 : chance(w, 0.2) ? 0 : range(w, 0, 60000);
	must(cs_stream_override_range(w->s, world, p, value));
	w->t.worlds[world].ranges[p] = value < 0 ? -1 : value;
	w->t.since |= CS_CHANGED_SOURCES;
}

static void hold_cell(struct walk *w)
{
	struct cs_stream_cell at = any_cell(w);
	bool on = chance(w, 0.5);
	if (!w->t.n_clients)
		return;
	must(cs_stream_client_hold(w->s, "C0", at, on));
	w->t.worlds[at.world].cells[at.cell].seen_held[0] = on;
	w->t.since |= CS_CHANGED_CLIENTS;
}

static void toggle_hlod(struct walk *w)
{
	w->t.hlod = !w->t.hlod || chance(w, 0.5);
	must(cs_stream_hlod_enable(w->s, w->t.hlod));
	w->t.since |= CS_CHANGED_SETTINGS;
}

static void toggle_instance(struct walk *w)
{
	bool on = chance(w, 0.7);
	must(cs_stream_register(w->s, w->instance, on));
	twin_register(&w->t, (int)w->instance, on);
}

static void ask_block(struct walk *w)
{
	must(cs_stream_block(w->s));
	w->t.block_asked = true;
}

static void act(struct walk *w)
{
	static const struct {
		double share;
		void (*act)(struct walk *w);
	} actions[] = {
		{0.7, move_source},
		{0.3, move_source},
		{0.02, set_source},
		{0.005, remove_source},
		{0.02, set_layer},
		{0.03, set_variable},
		{0.02, set_fault},
		{0.01, set_range},
		{0.02, hold_cell},
		{0.004, toggle_hlod},
		{0.005, toggle_instance},
		{0.002, ask_block},
	};
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (chance(w, actions[i].share))
			actions[i].act(w);
}

/* ---- comparing ---- */

static bool differs(struct walk *w, bool different, const char *what, uint32_t world, uint32_t cell)
{
	if (different && !*w->wrong)
		snprintf(w->wrong, sizeof(w->wrong), "frame %llu: %s, world %u cell %u",
			(unsigned long long)w->t.frame, what, world, cell);
	return different;
}

static enum cs_stream_state state_of(const struct twin_cell *c)
{
	static const enum cs_stream_state states[] = {CS_STATE_UNLOADED, CS_STATE_UNLOADED,
		CS_STATE_FAILED, CS_STATE_LOADING, CS_STATE_LOADED, CS_STATE_MAKING_VISIBLE,
		CS_STATE_VISIBLE, CS_STATE_MAKING_INVISIBLE};
	return c->around ? CS_STATE_STILL_AROUND : states[c->level];
}

static void compare_cells(struct walk *w)
{
	for (uint32_t k = 0; k < (uint32_t)w->t.n_worlds; k++) {
		for (uint32_t i = 0; i < w->t.worlds[k].cooked->n_cells; i++) {
			const struct twin_cell *c = &w->t.worlds[k].cells[i];
			struct cs_stream_cell_view v =
				cs_stream_cell(w->s, (struct cs_stream_cell){k, i});
			differs(w, v.set != c->set, "set", k, i);
			differs(w, v.level != c->level, "level", k, i);
			differs(w, v.state != state_of(c), "state", k, i);
			differs(w, v.waiting_to_show != c->pending, "pending", k, i);
			differs(w, v.bytes_left != c->bytes_left && c->level == CS_LEVEL_LOADING,
				"bytes left", k, i);
			differs(w,
				v.work_left_ns != c->work_left &&
					(c->level == CS_LEVEL_MAKING_VISIBLE ||
						c->level == CS_LEVEL_MAKING_INVISIBLE),
				"work left", k, i);
		}
	}
}

static bool near(double left, double right)
{
	return fabs(left - right) <= 1e-9 * fmax(1, fabs(left));
}

static void compare_list(struct walk *w, enum cs_order_list list)
{
	size_t n;
	const struct cs_stream_order_row *rows = cs_stream_order(w->s, list, &n);
	if (differs(w, n != (size_t)w->t.n_lists[list], "length of a list", (uint32_t)list,
		    (uint32_t)n))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct twin_row *row = &w->t.lists[list][i];
		const struct twin_cell *c = &w->t.worlds[row->world].cells[row->cell];
		differs(w, rows[i].cell.world != row->world || rows[i].cell.cell != row->cell,
			"order", row->world, row->cell);
		differs(w, list <= CS_ORDER_LOAD && rows[i].started != row->started, "started",
			row->world, row->cell);
		differs(w, rows[i].keys.source_priority != c->source_priority, "source priority",
			row->world, row->cell);
		differs(w, !near(rows[i].keys.spatial, c->spatial_key), "spatial key", row->world,
			row->cell);
	}
}

static void compare_lists(struct walk *w)
{
	for (int list = 0; list < CS_ORDER_LISTS; list++)
		compare_list(w, (enum cs_order_list)list);
}

/* Compares the sets of cells to load and to activate of a frame that was evaluated. */
static void compare_sets(struct walk *w)
{
	for (uint32_t k = 0; k < (uint32_t)w->t.n_worlds; k++) {
		const struct cs_run_world *world = w->s->worlds.at[k];
		size_t hits = 0;
		for (uint32_t i = 0; i < w->t.worlds[k].cooked->n_cells; i++) {
			const struct twin_cell *c = &w->t.worlds[k].cells[i];
			const struct cs_run_hit *hit = cs_run_find_hit(world, i);
			bool activates = hit && (hit->want & CS_WANT_ACTIVATE);
			hits += c->want_activate || c->want_load;
			differs(w, activates != c->want_activate, "FrameActivate", k, i);
			differs(w, (hit && !activates) != c->want_load, "FrameLoad", k, i);
		}
		differs(w, hits != world->reached.hits.n, "frame sets", k, 0);
	}
}

static void compare(struct walk *w)
{
	struct cs_stream_status s = cs_stream_status(w->s);
	differs(w, s.time_ns != w->t.time, "time", 0, 0);
	differs(w, s.performance != w->t.performance, "performance", 0, s.performance);
	differs(w, w->t.minor >= 7 && s.display_performance != w->t.display, "display", 0, 0);
	differs(w, s.server_epoch != w->t.epoch, "epoch", 0, 0);
	differs(w, s.showing.cell != w->t.showing.cell || s.hiding.cell != w->t.hiding.cell,
		"the level at work", s.showing.cell, w->t.showing.cell);
	differs(w, (cs_stream_frame(w->s, s.frame)->evaluated > 0) != w->t.evaluated_any,
		"skipping", 0, 0);
	differs(w, cs_stream_frame(w->s, s.frame)->budget != w->t.budget, "budget", 0, 0);
	compare_sets(w);
	compare_cells(w);
	compare_lists(w);
}

/*
 * Returns whether a level that was never loaded is removed. The twin tells no such events and none
 * of always loaded cells, because only the policy decides them.
 */
static bool removed_unloaded(unsigned from, unsigned to)
{
	return from == CS_LEVEL_UNLOADED && to == CS_LEVEL_REMOVED;
}

static bool told_by_twin(const struct walk *w, const struct cs_stream_event *e)
{
	return e->event == CS_EVENT_LEVEL && !w->t.worlds[e->world].cells[e->cell].always &&
	       !removed_unloaded(e->from, e->to);
}

/* Compares each step of each level in this frame since event `first`, in order. */
static void compare_changes(struct walk *w, uint64_t first)
{
	const struct twin_change *change = w->t.changes, *end = change + w->t.n_changes;
	for (uint64_t i = first; i < cs_stream_event_count(w->s); i++) {
		const struct cs_stream_event *e = cs_stream_event_at(w->s, i);
		if (!e || !told_by_twin(w, e))
			continue;
		while (change < end && removed_unloaded(change->from, change->to))
			change++;
		if (differs(w, change == end, "a step of a level too many", e->world, e->cell))
			return;
		differs(w,
			change->world != e->world || change->cell != e->cell ||
				change->from != e->from || change->to != e->to,
			"step of a level", e->world, e->cell);
		change++;
	}
	while (change < end && removed_unloaded(change->from, change->to))
		change++;
	differs(w, change < end, "a step of a level is missing", 0, 0);
}

/* ---- invariants of Appendix C ---- */

static void check_sets(struct walk *w, uint32_t k, const struct cs_stream_frame *f)
{
	const struct cs_run_world *world = w->s->worlds.at[k];
	bool client = !cs_run_is_server(w->s) && cs_run_number(w->s, CS_VAR_TIME_LIMIT) == 0;
	for (size_t i = 0; i < world->residents.cells.n; i++) {
		const struct cs_run_cell *r = &world->residents.cells.at[i];
		struct cs_stream_reach reaches[64];
		bool spatial = world->model.flags[r->cell] & CS_CELL_SPATIAL, reached = !spatial;
		const struct cs_run_hit *hit = cs_run_find_hit(world, r->cell);
		/* 5: in an evaluated frame a client cell outside every source is in no set */
		if (!client || r->set == CS_LAYER_UNLOADED || f->evaluated == 0 ||
			!world->registered)
			continue;
		size_t n =
			cs_stream_reaches(w->s, (struct cs_stream_cell){k, r->cell}, reaches, 64);
		for (size_t q = 0; q < n; q++)
			reached = reached || (reaches[q].accepted && reaches[q].hit);
		differs(w, !reached && !(hit && hit->reason == CS_REASON_SNAPPED),
			"invariant 5: outside every source", k, r->cell);
	}
}

static void check_layers(struct walk *w, uint32_t k)
{
	const struct cs_cooked *cooked = w->t.worlds[k].cooked;
	for (uint32_t i = 0; i < cooked->n_layers; i++) {
		uint32_t parent = cooked->layers[i].parent;
		/* 7 */
		differs(w, w->s->worlds.at[k]->layers.effective[i] != w->t.worlds[k].effective[i],
			"effective state", k, i);
		differs(w,
			parent != CS_NONE && w->s->worlds.at[k]->layers.effective[i] >
						     w->s->worlds.at[k]->layers.effective[parent],
			"invariant 7: a child above its parent", k, i);
	}
}

static void check_invariants(struct walk *w)
{
	uint64_t now = cs_stream_status(w->s).frame;
	const struct cs_stream_frame *f = cs_stream_frame(w->s, now);
	/* 2 */
	differs(w, !f->blocked && f->budget != UINT32_MAX && f->loads > f->budget,
		"invariant 2: more loads than the budget", 0, f->loads);
	/* 4: what has begun to be shown and is not finished */
	unsigned at_work = 0;
	for (uint32_t k = 0; k < (uint32_t)w->t.n_worlds; k++) {
		const struct cs_run_world *world = w->s->worlds.at[k];
		for (size_t i = 0; i < world->residents.cells.n; i++) {
			const struct cs_run_cell *r = &world->residents.cells.at[i];
			at_work += r->level == CS_LEVEL_MAKING_VISIBLE &&
				   r->hold == CS_REASON_MAKING_VISIBLE;
		}
		check_sets(w, k, f);
		check_layers(w, k);
	}
	differs(w, at_work > 1, "invariant 4: two levels at work", 0, at_work);
}

/* ---- a walk ---- */

struct plan {
	const char *profile;
	int minor;
	enum cs_role role;
	enum cs_server_mode in, out;
};

static void begin(struct walk *w, const struct plan *plan, enum cs_hash_class class, uint64_t seed)
{
	struct cs_stream_instance instance = {CS_TRANSFORM_IDENTITY, CS_STREAM_NO_CELL};
	struct cs_stream_options options = {.role = plan->role, .history_bytes = 1 << 20};
	struct cs_transform identity = CS_TRANSFORM_IDENTITY;
	memset(w, 0, sizeof(*w));
	w->random.state = seed;
	worlds_town(&w->town, plan->profile, class, 16, seed);
	worlds_town(&w->house, plan->profile, CS_HASH_SET, 8, seed + 1);
	w->town.world.server_streaming = plan->in;
	w->town.world.server_streaming_out = plan->out;
	w->town.world.layers_operator = seed % 3 == 0 ? CS_LAYERS_AND : CS_LAYERS_OR;
	must(cs_stream_new(worlds_open(&w->town), &options, NULL, &w->s));
	instance.transform.translation = (struct cs_vec3){20000, -10000, 500};
	instance.transform.rotation = cs_quat_from_euler(0, 37, 0);
	instance.owner = (struct cs_stream_cell){0, below(w, 100)};
	must(cs_stream_add_world(w->s, worlds_open(&w->house), &instance, NULL, &w->instance));
	twin_init(&w->t, w->s, plan->minor, plan->role);
	twin_add_world(&w->t, w->town.cooked, &identity, CS_STREAM_NO_CELL, true);
	twin_add_world(&w->t, w->house.cooked, &instance.transform, instance.owner, false);
	if (cs_run_is_server(w->s)) {
		must(cs_stream_client_set(w->s, "C0", "Ann"));
		strcpy(w->t.clients[w->t.n_clients++], "Ann");
		w->t.since |= CS_CHANGED_CLIENTS;
	}
	walk_answers(w->s, &w->t, true, w->wrong); /* at frame 0, without a source and with two */
	set_source(w);
	set_source(w);
	walk_answers(w->s, &w->t, true, w->wrong);
}

static void end(struct walk *w)
{
	twin_deinit(&w->t);
	cs_stream_free(w->s);
	worlds_deinit(&w->town);
	worlds_deinit(&w->house);
}

/* Goes some frames back and forward again: everything is told as before. */
static void go_back(struct walk *w)
{
	uint64_t first, last, now = cs_stream_status(w->s).frame, sum = walk_answers_sum(w->s);
	cs_stream_history(w->s, &first, &last);
	if (now <= first + 1)
		return;
	uint64_t back = 1 + below(w, now - first < 40 ? (uint32_t)(now - first) : 40);
	must(cs_stream_goto(w->s, now - back));
	must(cs_stream_goto(w->s, now));
	differs(w, walk_answers_sum(w->s) != sum, "answers after going back", 0, (uint32_t)back);
}

static bool walk_segment(
	const struct plan *plan, enum cs_hash_class class, uint64_t seed, uint64_t frames)
{
	struct walk w;
	uint64_t visible = 0;
	begin(&w, plan, class, seed);
	for (uint64_t i = 0; i < frames && !*w.wrong; i++) {
		act(&w);
		/* what was listed before the actions, for the first time where nobody looked */
		if (i && chance(&w, 0.5))
			compare_lists(&w);
		if (chance(&w, 0.03))
			walk_answers(w.s, &w.t, chance(&w, 0.1), w.wrong);
		uint64_t first = cs_stream_event_count(w.s);
		must(cs_stream_step(w.s, 1));
		twin_step(&w.t);
		compare_changes(&w, first);
		if (chance(&w, 0.6))
			compare(&w);
		if (chance(&w, 0.03))
			walk_answers(w.s, &w.t, chance(&w, 0.1), w.wrong);
		if (chance(&w, 0.002))
			go_back(&w);
		check_invariants(&w);
		visible += cs_stream_status(w.s).cells_visible;
	}
	bool good = !*w.wrong && visible > 0;
	if (!good)
		diag("profile %s, role %d, class %d, seed %llu: %s", plan->profile, plan->role,
			class, (unsigned long long)seed,
			*w.wrong ? w.wrong : "nothing was ever visible");
	end(&w);
	return good;
}

int main(void)
{
	static const struct {
		const char *name;
		int minor;
	} profiles[] = {{"5.0", 0}, {"5.1", 1}, {"5.4", 4}, {"5.5", 5}, {"5.7", 7}};
	static const struct plan roles[] = {
		{NULL, 0, CS_ROLE_STANDALONE, CS_SERVER_DEFAULT, CS_SERVER_DEFAULT},
		{NULL, 0, CS_ROLE_CLIENT, CS_SERVER_DEFAULT, CS_SERVER_DEFAULT},
		{NULL, 0, CS_ROLE_LISTEN_SERVER, CS_SERVER_ENABLED, CS_SERVER_ENABLED},
		{NULL, 0, CS_ROLE_DEDICATED_SERVER, CS_SERVER_DEFAULT, CS_SERVER_DEFAULT},
		{NULL, 0, CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, CS_SERVER_DEFAULT},
		{NULL, 0, CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, CS_SERVER_ENABLED},
	};
	enum { PROFILES = 5, ROLES = 6 };
	const char *asked = getenv("CELLSCOPE_WALK_FRAMES");
	double frames = DEFAULT_FRAMES;
	if (asked && !cs_double_parse(asked, strlen(asked), &frames))
		return 2;
	uint64_t each = (uint64_t)(frames / (PROFILES * ROLES)), seed = 1;
	for (int p = 0; p < PROFILES; p++) {
		for (int r = 0; r < ROLES; r++) {
			struct plan plan = roles[r];
			bool good = true;
			plan.profile = profiles[p].name;
			plan.minor = profiles[p].minor;
			for (uint64_t done = 0; good && done < each; done += SEGMENT)
				good = walk_segment(&plan, WALK_CLASS, seed++,
					each - done < SEGMENT ? each - done : SEGMENT);
			ok(good, "twin: profile %s, role %d, streaming in %d out %d: %llu frames",
				plan.profile, plan.role, plan.in, plan.out,
				(unsigned long long)each);
		}
	}
	return done();
}
