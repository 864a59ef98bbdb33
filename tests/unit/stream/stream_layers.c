/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of data layers (2.8) and servers (2.7) at run time, against the oracles of Appendix C. */
#include "stream/stream_inside.h"
#include "tests/unit/stream/stream_test.h"
#include <cellscope/cooked_values.h>

static const enum cs_layer_state U = CS_LAYER_UNLOADED, L = CS_LAYER_LOADED, A = CS_LAYER_ACTIVATED;

static struct cs_stream_layer_view layer(const struct bench *b, uint32_t id)
{
	struct cs_stream_layer_view view;
	must(cs_stream_layer(b->s, 0, id, &view));
	return view;
}

static enum cs_layer_answer put(
	struct bench *b, uint32_t id, enum cs_layer_state state, bool recursive)
{
	enum cs_layer_answer answer;
	must(cs_stream_layer_set(b->s, 0, id, state, recursive, false, &answer));
	return answer;
}

/* ---- layers ---- */

static void test_hierarchy(void)
{
	const struct {
		enum cs_layer_state p, q, effective;
	} cases[] = {{A, A, A}, {A, L, L}, {L, A, L}, {U, A, U}, {A, U, U}, {L, L, L}, {U, U, U}};
	struct bench b;
	worlds_init(&b.w, "5.4");
	uint32_t p = worlds_layer(&b.w, "P", CS_NONE, U);
	uint32_t q = worlds_layer(&b.w, "Q", p, U);
	uint32_t r = worlds_layer(&b.w, "R", q, U);
	start(&b, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put(&b, p, cases[i].p, false);
		put(&b, q, cases[i].q, false);
		is_int(layer(&b, q).effective, cases[i].effective, "layers: P %d, Q %d: Q is %d",
			cases[i].p, cases[i].q, cases[i].effective);
	}
	put(&b, p, U, true);
	is_int(put(&b, p, A, true), CS_LAYER_SET, "layers: set");
	ok(layer(&b, q).target == A && layer(&b, r).effective == A,
		"layers: recursive setting reaches every descendant");
	put(&b, q, U, false);
	is_int(put(&b, p, A, true), CS_LAYER_UNCHANGED, "layers: unchanged");
	ok(layer(&b, q).target == A, "layers: recursion goes on below an unchanged layer");
	put(&b, p, U, false);
	ok(layer(&b, q).target == A && layer(&b, q).effective == U && layer(&b, q).limited_by == p,
		"layers: without recursion targets below stay, and the ancestor that limits is told");
	uint64_t first = cs_stream_event_count(b.s);
	put(&b, p, A, false);
	bool ordered = cs_stream_event_count(b.s) == first + 3;
	for (uint32_t i = 0; ordered && i < 3; i++) {
		const struct cs_stream_event *e = cs_stream_event_at(b.s, first + i);
		ordered =
			e->event == CS_EVENT_LAYER && e->detail == i && e->from == U && e->to == A;
	}
	ok(ordered, "layers: effective changes are told, parents before children");
	enum cs_layer_answer answer;
	fails(cs_stream_layer_set(b.s, 0, 99, A, false, false, &answer), CS_E_NOLAYER,
		"layers: an unknown one");
	fails(cs_stream_layer_set(b.s, 0, p, (enum cs_layer_state)7, false, false, &answer),
		CS_E_SETTING, "layers: an unknown state");
	finish(&b);
}

/* Returns the state that the layers allow a cell. */
static enum cs_layer_state combine(const char *profile, enum cs_layers_operator operator,
	enum cs_layer_state external, enum cs_layer_state x, enum cs_layer_state y, uint32_t n)
{
	struct bench b;
	worlds_init(&b.w, profile);
	b.w.world.layers_operator = operator;
	uint32_t e = worlds_layer(&b.w, "E", CS_NONE, external);
	const uint32_t both[] = {
		worlds_layer(&b.w, "X", CS_NONE, x), worlds_layer(&b.w, "Y", CS_NONE, y)};
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	worlds_set_layers(&b.w, e, both, n);
	start(&b, NULL);
	enum cs_layer_state state = look(&b, 0).by_layers;
	add_source(b.s, "P", 6400, 6400);
	step(&b, 100);
	ok(look(&b, 0).current == state, "layers: and so it streams");
	finish(&b);
	return state;
}

static void test_operators(void)
{
	is_int(combine("5.4", CS_LAYERS_OR, A, A, U, 2), A, "Or: {Activated, Unloaded}: Activated");
	is_int(combine("5.4", CS_LAYERS_AND, A, A, U, 2), U,
		"And: {Activated, Unloaded}: Unloaded");
	is_int(combine("5.4", CS_LAYERS_OR, A, A, L, 2), A, "Or: {Activated, Loaded}: Activated");
	is_int(combine("5.4", CS_LAYERS_AND, A, A, L, 2), L, "And: {Activated, Loaded}: Loaded");
	is_int(combine("5.4", CS_LAYERS_OR, A, L, L, 2), L, "Or: both Loaded: Loaded");
	is_int(combine("5.4", CS_LAYERS_AND, A, L, L, 2), L, "And: both Loaded: Loaded");
	is_int(combine("5.4", CS_LAYERS_OR, U, A, U, 1), U, "EDL Unloaded, X Activated: Unloaded");
	is_int(combine("5.4", CS_LAYERS_OR, L, A, U, 1), U, "EDL Loaded, X Activated: Unloaded");
	is_int(combine("5.7", CS_LAYERS_OR, L, A, U, 1), L, "5.7: EDL Loaded caps: Loaded");
	is_int(combine("5.7", CS_LAYERS_OR, L, U, U, 0), L, "5.7: EDL Loaded alone: Loaded");
	is_int(combine("5.4", CS_LAYERS_OR, A, U, U, 0), A, "EDL Activated alone: Activated");
}

/* No layers: Activated; the order of spatial and layer changes does not matter. */
static void test_both_orders(void)
{
	for (int order = 0; order < 2; order++) {
		struct bench b;
		worlds_init(&b.w, "5.4");
		uint32_t x = worlds_layer(&b.w, "X", CS_NONE, U);
		uint32_t grid =
			worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
		worlds_cell(&b.w, grid, 0, 0, 0, 1);
		worlds_set_layers(&b.w, CS_NONE, &x, 1);
		start(&b, NULL);
		add_source(b.s, "P", order ? 0 : 1e6, 0);
		step(&b, 20);
		ok(look(&b, 0).current == U, "layers: neither alone is enough");
		is_int(why(&b, 0).reason, order ? CS_REASON_LAYERS : CS_REASON_OUT_OF_RANGE,
			"layers: and why tells which is missing");
		if (order)
			put(&b, x, A, false);
		else
			move(b.s, "P", 0, 0);
		step(&b, 20);
		if (!order) {
			put(&b, x, A, false);
			step(&b, 20);
		}
		ok(look(&b, 0).current == A, "layers: both together are");
		put(&b, x, L, false);
		step(&b, 20);
		ok(look(&b, 0).current == L && look(&b, 0).state == CS_STATE_LOADED,
			"layers: Loaded hides it and keeps it");
		is_int(why(&b, 0).layer, x, "layers: why names the layer");
		finish(&b);
	}
}

static void test_roles(void)
{
	const struct {
		enum cs_role role;
		enum cs_layer_filter filter;
		enum cs_layer_answer answer;
		bool initial;
	} cases[] = {
		{CS_ROLE_STANDALONE, CS_FILTER_NONE, CS_LAYER_SET, true},
		{CS_ROLE_STANDALONE, CS_FILTER_CLIENT_ONLY, CS_LAYER_SET, true},
		{CS_ROLE_STANDALONE, CS_FILTER_SERVER_ONLY, CS_LAYER_SET, true},
		{CS_ROLE_CLIENT, CS_FILTER_NONE, CS_LAYER_NO_AUTHORITY, true},
		{CS_ROLE_CLIENT, CS_FILTER_CLIENT_ONLY, CS_LAYER_SET, true},
		{CS_ROLE_CLIENT, CS_FILTER_SERVER_ONLY, CS_LAYER_WRONG_ROLE, false},
		{CS_ROLE_DEDICATED_SERVER, CS_FILTER_NONE, CS_LAYER_SET, true},
		{CS_ROLE_DEDICATED_SERVER, CS_FILTER_CLIENT_ONLY, CS_LAYER_WRONG_ROLE, false},
		{CS_ROLE_LISTEN_SERVER, CS_FILTER_SERVER_ONLY, CS_LAYER_SET, true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench b;
		worlds_init(&b.w, "5.4");
		uint32_t x = worlds_layer(&b.w, "X", CS_NONE, A);
		b.w.layers.at[x].filter = cases[i].filter;
		start(&b, &(struct cs_stream_options){.role = cases[i].role});
		is_int(layer(&b, x).target, cases[i].initial ? A : U,
			"roles: role %d, filter %d: initial", cases[i].role, cases[i].filter);
		is_int(put(&b, x, L, false), cases[i].answer, "roles: and what setting answers");
		is_int(layer(&b, x).target,
			cases[i].answer == CS_LAYER_SET ? L
			: cases[i].initial              ? A
							: U,
			"roles: and does");
		finish(&b);
	}
}

static void test_client(void)
{
	struct bench b;
	enum cs_layer_answer answer;
	worlds_init(&b.w, "5.4");
	uint32_t x = worlds_layer(&b.w, "X", CS_NONE, A);
	uint32_t editor = worlds_layer(&b.w, "Editor", CS_NONE, A);
	b.w.layers.at[editor].type = CS_LAYER_EDITOR;
	const struct cs_stream_initial initial = {"x", L};
	start(&b, &(struct cs_stream_options){
			  .role = CS_ROLE_CLIENT, .initial = &initial, .n_initial = 1});
	is_int(layer(&b, x).initial, L, "roles: an override replaces the initial state");
	must(cs_stream_layer_set(b.s, 0, x, U, false, true, &answer));
	ok(answer == CS_LAYER_SET && layer(&b, x).target == U,
		"roles: a client takes what the server replicates");
	is_int(put(&b, editor, A, false), CS_LAYER_NOT_RUNTIME,
		"roles: an editor layer is ignored");
	is_int(cs_stream_find_layer(b.s, 0, "/game/layers/x.X"), x, "layers: found by asset");
	is_int(cs_stream_find_layer(b.s, 0, "nothing"), CS_NONE, "layers: an unknown name");
	finish(&b);
}

static void test_impact(void)
{
	struct bench b;
	struct cs_stream_impact *rows;
	size_t n;
	worlds_init(&b.w, "5.4");
	uint32_t p = worlds_layer(&b.w, "P", CS_NONE, U);
	uint32_t q = worlds_layer(&b.w, "Q", p, A);
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	for (int i = 0; i < 9; i++) {
		worlds_cell(&b.w, grid, 0, i, 0, 1);
		if (i % 3)
			worlds_set_layers(&b.w, CS_NONE, i % 3 == 1 ? &p : &q, 1);
	}
	start(&b, NULL);
	add_source(b.s, "P", 0, 6400);
	step(&b, 50);
	uint64_t before = hash_of(&b);
	must(cs_stream_layer_impact(b.s, 0, p, A, false, &rows, &n));
	ok(n == 6 && rows[0].cell == 1 && rows[0].before == U && rows[0].after == A &&
			rows[0].in_range && !rows[5].in_range,
		"impact: the six cells of P and below, and which of them are in range");
	ok(hash_of(&b) == before, "impact: asking changes nothing");
	free(rows);
	struct cs_stream_layer_view v = layer(&b, p);
	ok(v.cells == 3 && v.in_range == 1 && v.visible == 0,
		"layer: its cells, in range, visible");
	put(&b, p, A, false);
	step(&b, 50);
	v = layer(&b, p);
	ok(v.loaded == 1 && v.visible == 1, "layer: and so it came");
	finish(&b);
}

/* Sets a layer while a source that wants `target` reaches its cell; the cell changes as marked. */
static void impact_at_once(enum cs_role role, bool seen, enum cs_layer_state target,
	enum cs_layer_state from, enum cs_layer_state to)
{
	struct bench b;
	struct cs_stream_impact *rows;
	struct cs_stream_source source = cs_stream_source_default("P");
	size_t n;
	worlds_init(&b.w, "5.4");
	uint32_t p = worlds_layer(&b.w, "P", CS_NONE, from);
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, &p, 1);
	b.w.world.server_streaming = CS_SERVER_ENABLED; /* in, but not out: it keeps states */
	b.w.world.server_streaming_out = seen ? CS_SERVER_ENABLED : CS_SERVER_DISABLED;
	start(&b, &(struct cs_stream_options){.role = role});
	source.target = target;
	must(cs_stream_source_set(b.s, &source));
	if (seen)
		must(cs_stream_client_set(b.s, "Client", ""));
	step(&b, 9);
	if (seen)
		must(cs_stream_client_hold(b.s, "Client", main_cell(0), true));
	enum cs_layer_state wanted = look(&b, 0).wanted;
	must(cs_stream_layer_impact(b.s, 0, p, to, false, &rows, &n));
	bool marked = n == 1 && rows[0].in_range;
	free(rows);
	put(&b, p, to, false);
	step(&b, 1);
	is_int(marked, look(&b, 0).wanted != wanted,
		"impact: role %d, %s, source wants %d, layer from %d to %d: at once or not", role,
		seen ? "seen" : "unseen", target, from, to);
	finish(&b);
}

static void test_impact_at_once(void)
{
	for (int i = 0; i < 2 * 3 * 3; i++) {
		enum cs_layer_state target = i % 2 ? A : L;
		enum cs_layer_state from = (enum cs_layer_state)(i / 2 % 3);
		enum cs_layer_state to = (enum cs_layer_state)(i / 6);
		impact_at_once(CS_ROLE_STANDALONE, false, target, from, to);
		impact_at_once(CS_ROLE_DEDICATED_SERVER, false, target, from, to);
		impact_at_once(CS_ROLE_DEDICATED_SERVER, true, target, from, to);
	}
}

/* ---- servers ---- */

/* Makes a row of cells to the right, with ranges of two cells. */
static void row_of_cells(
	struct bench *b, enum cs_role role, enum cs_server_mode in, enum cs_server_mode out)
{
	worlds_init(&b->w, "5.4");
	uint32_t x = worlds_layer(&b->w, "X", CS_NONE, A);
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_square(&b->w, grid, 0, 0, 0, 20, 1, 1);
	worlds_set_layers(&b->w, CS_NONE, &x, 1); /* the last cell */
	b->w.world.server_streaming = in;
	b->w.world.server_streaming_out = out;
	start(b, &(struct cs_stream_options){.role = role});
}

static void test_default_server(void)
{
	struct bench b;
	row_of_cells(&b, CS_ROLE_DEDICATED_SERVER, CS_SERVER_DEFAULT, CS_SERVER_DEFAULT);
	add_source(b.s, "P", 0, 6400);
	step(&b, 100);
	is_int(cs_stream_status(b.s).cells_visible, 20, "server: everything is loaded");
	is_int(why(&b, 19).reason, CS_REASON_SERVER, "server: and why");
	ok(!cs_stream_source_at(b.s, 0).active, "server: sources are not collected");
	put(&b, 0, U, false);
	step(&b, 20);
	is_int(look(&b, 19).state, CS_STATE_STILL_AROUND, "server: layers still work");
	is_int(cs_stream_status(b.s).cells_visible, 19, "server: for the cell that has it alone");
	ok(frame(&b)->evaluated == 0, "server: nothing is evaluated while nothing changes");
	set(b.s, "wp.Runtime.EnableServerStreaming", "1");
	step(&b, 20);
	is_int(cs_stream_status(b.s).cells_visible, 19, "server: the mode is fixed at first use");
	finish(&b);
}

/* Compares all modes of a world, the console and the trigger with the sentences of rules 2.7. */
static void test_server_modes(void)
{
	enum { COMBINATIONS = 4 * 4 * 3 * 2 * 2 * 2 };
	unsigned right = 0;
	for (unsigned i = 0; i < COMBINATIONS; i++) {
		const enum cs_server_mode in = i % 4, out = i / 4 % 4;
		const unsigned console = i / 16 % 3, console_out = i / 48 % 2;
		const bool pie = i / 96 % 2, server = i / 192;
		char number[] = {(char)('0' + console), '\0'};
		struct bench b;
		worlds_init(&b.w, "5.4");
		worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
		b.w.world.server_streaming = in;
		b.w.world.server_streaming_out = out;
		b.w.world.trigger = pie ? CS_TRIGGER_PIE : CS_TRIGGER_COOK;
		start(&b, &(struct cs_stream_options){
				  .role = server ? CS_ROLE_DEDICATED_SERVER : CS_ROLE_STANDALONE});
		set(b.s, "wp.Runtime.EnableServerStreaming", number);
		set(b.s, "wp.Runtime.EnableServerStreamingOut", console_out ? "1" : "0");
		const bool says_in =
			in == CS_SERVER_ENABLED || (in == CS_SERVER_PIE && pie) ||
			(in == CS_SERVER_DEFAULT && (console == 1 || (console == 2 && pie)));
		const bool says_out = out == CS_SERVER_ENABLED || (out == CS_SERVER_PIE && pie) ||
				      (out == CS_SERVER_DEFAULT && console_out);
		const struct cs_run_world *main = b.s->worlds.at[0];
		right += cs_run_server_streams(b.s, main) == (server && says_in) &&
			 cs_run_server_streams_out(b.s, main) == (server && says_in && says_out);
		finish(&b);
	}
	is_int(right, COMBINATIONS, "server: %d settings of world, console and trigger",
		COMBINATIONS);
}

/*
 * In a world beside the main one its own mode decides, else that of the main one, else that of the
 * console, which says no here.
 */
static void test_modes_of_both_worlds(void)
{
	enum { COMBINATIONS = 4 * 4 * 4 * 4 * 2 * 2 };
	unsigned right = 0;
	for (unsigned i = 0; i < COMBINATIONS; i++) {
		const unsigned in[] = {i % 4, i / 4 % 4}, out[] = {i / 16 % 4, i / 64 % 4};
		const bool pie[] = {i / 256 % 2, i / 512};
		const struct cs_stream_instance here = {CS_TRANSFORM_IDENTITY, CS_STREAM_NO_CELL};
		struct bench b;
		struct worlds other;
		uint32_t id;
		for (int k = 0; k < 2; k++) {
			struct worlds *w = k ? &other : &b.w;
			worlds_init(w, "5.4");
			worlds_partition(w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
			w->world.server_streaming = in[k];
			w->world.server_streaming_out = out[k];
			w->world.trigger = pie[k] ? CS_TRIGGER_PIE : CS_TRIGGER_COOK;
		}
		start(&b, &(struct cs_stream_options){.role = CS_ROLE_DEDICATED_SERVER});
		set(b.s, "wp.Runtime.EnableServerStreaming", "0");
		set(b.s, "wp.Runtime.EnableServerStreamingOut", "0");
		must(cs_stream_add_world(b.s, worlds_open(&other), &here, NULL, &id));
		const int asked_in = in[1] != CS_SERVER_DEFAULT;
		const int asked_out = out[1] != CS_SERVER_DEFAULT;
		const bool says_in = in[asked_in] == CS_SERVER_ENABLED ||
				     (in[asked_in] == CS_SERVER_PIE && pie[asked_in]);
		const bool says_out = out[asked_out] == CS_SERVER_ENABLED ||
				      (out[asked_out] == CS_SERVER_PIE && pie[asked_out]);
		const struct cs_run_world *added = b.s->worlds.at[id];
		right += cs_run_server_streams(b.s, added) == says_in &&
			 cs_run_server_streams_out(b.s, added) == (says_in && says_out);
		finish(&b);
		worlds_deinit(&other);
	}
	is_int(right, COMBINATIONS, "server: %d settings of two worlds", COMBINATIONS);
}

static void test_streaming_server(void)
{
	struct bench b;
	row_of_cells(&b, CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, CS_SERVER_DEFAULT);
	add_source(b.s, "P", 0, 6400);
	step(&b, 60);
	struct cs_stream_source_view view = cs_stream_source_at(b.s, 0);
	ok(view.active && view.server_radius == 800 && view.server_angle == 20,
		"server: a margin of twice the quantisation");
	is_int(cs_stream_status(b.s).cells_visible, 3, "server: streams in what is in range");
	move(b.s, "P", 150000, 6400);
	step(&b, 100);
	ok(look(&b, 0).state == CS_STATE_VISIBLE && cs_stream_status(b.s).cells_visible > 6,
		"server: without streaming out moving away unloads nothing");
	is_int(why(&b, 0).reason, CS_REASON_NO_STREAM_OUT, "server: and why");
	finish(&b);
}

static void test_hold(void)
{
	struct bench b;
	size_t n;
	row_of_cells(&b, CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, CS_SERVER_ENABLED);
	add_source(b.s, "P", 0, 6400);
	must(cs_stream_client_set(b.s, "Client", ""));
	step(&b, 60);
	must(cs_stream_client_hold(b.s, "Client", main_cell(1), true));
	uint64_t epoch = cs_stream_status(b.s).server_epoch;
	ok(epoch > 0, "server: epochs are published");
	move(b.s, "P", 150000, 6400);
	step(&b, 60);
	const struct cs_stream_hold *holds = cs_stream_server_hold(b.s, &n);
	ok(n == 1 && holds[0].cell.cell == 1 && holds[0].client == 0,
		"server-hold: the cell that a client sees is listed");
	ok(look(&b, 1).state == CS_STATE_VISIBLE && look(&b, 0).state != CS_STATE_VISIBLE,
		"server-hold: it is kept, its neighbour is not");
	is_int(why(&b, 1).reason, CS_REASON_CLIENT_SEES, "server-hold: and why");
	is_int(cs_stream_status(b.s).server_epoch, epoch, "server-hold: the epoch waits");
	must(cs_stream_client_hold(b.s, "Client", main_cell(1), false));
	step(&b, 60);
	cs_stream_server_hold(b.s, &n);
	ok(n == 0 && look(&b, 1).state != CS_STATE_VISIBLE &&
			cs_stream_status(b.s).server_epoch > epoch,
		"server-hold: when the client lets go it unloads and the epoch advances");
	n = 0;
	for (uint64_t i = 0; i < cs_stream_event_count(b.s); i++) {
		const struct cs_stream_event *e = cs_stream_event_at(b.s, i);
		if (e && e->event == CS_EVENT_HOLD)
			ok(e->cell == 1 && e->to == (n == 0) && e->from == (n++ == 1),
				"server-hold: an event tells that it begins, another that it ends");
	}
	is_int(n, 2, "server-hold: two events");
	finish(&b);
}

static void test_client_lag(void)
{
	struct bench b;
	size_t n;
	row_of_cells(&b, CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, CS_SERVER_ENABLED);
	set_load_frames(b.s, 1);
	set(b.s, "sim.ClientLag", "500");
	add_source(b.s, "P", 0, 6400);
	must(cs_stream_client_set(b.s, "Client", "P"));
	step(&b, 20);
	ok(cs_stream_client_sees(b.s, 0, main_cell(0)), "client: it sees what its source reaches");
	size_t seen = 0;
	for (uint32_t i = 0; i < b.w.cooked->n_cells; i++)
		seen += cs_stream_client_sees(b.s, 0, main_cell(i));
	ok(seen > 0 && cs_stream_client_at(b.s, 0).cells == seen, "client: it sees %zu cells",
		seen);
	move(b.s, "P", 150000, 6400);
	step(&b, 30);
	cs_stream_server_hold(b.s, &n);
	ok(n > 0, "client: what it has left is held for its lag");
	step(&b, 40);
	cs_stream_server_hold(b.s, &n);
	ok(n == 0 && !cs_stream_client_sees(b.s, 0, main_cell(0)), "client: and then let go");
	fails(cs_stream_client_set(b.s, "Nobody", NULL), CS_E_SETTING, "client: an unknown one");
	works(cs_stream_client_set(b.s, "client", NULL), "client: removed, whatever its case");
	finish(&b);
}

static void test_disallowed(void)
{
	struct bench b;
	row_of_cells(&b, CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, CS_SERVER_ENABLED);
	set(b.s, "wp.Runtime.ServerDisallowStreamingOutDataLayers", "Other, X");
	add_source(b.s, "P", 250000, 6400);
	step(&b, 60);
	ok(look(&b, 19).state == CS_STATE_VISIBLE, "disallowed: the layered cell is there");
	move(b.s, "P", 0, 6400);
	step(&b, 60);
	ok(look(&b, 19).state == CS_STATE_VISIBLE && look(&b, 18).state != CS_STATE_VISIBLE,
		"disallowed: it stays, the one beside it goes");
	is_int(why(&b, 19).reason, CS_REASON_DISALLOWED, "disallowed: and why");
	finish(&b);
}

static void test_client_only(void)
{
	const struct {
		enum cs_role role;
		enum cs_server_mode in;
		bool exists;
	} cases[] = {
		{CS_ROLE_CLIENT, CS_SERVER_DEFAULT, true},
		{CS_ROLE_STANDALONE, CS_SERVER_DEFAULT, true},
		{CS_ROLE_LISTEN_SERVER, CS_SERVER_DEFAULT, false},
		{CS_ROLE_LISTEN_SERVER, CS_SERVER_ENABLED, true},
		{CS_ROLE_DEDICATED_SERVER, CS_SERVER_DEFAULT, false},
		{CS_ROLE_DEDICATED_SERVER, CS_SERVER_ENABLED, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench b;
		worlds_init(&b.w, "5.4");
		uint32_t grid =
			worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
		b.w.partitions.at[grid].flags |= CS_PARTITION_CLIENT_ONLY;
		worlds_cell(&b.w, grid, 0, 0, 0, 1);
		b.w.world.server_streaming = cases[i].in;
		start(&b, &(struct cs_stream_options){.role = cases[i].role});
		add_source(b.s, "P", 0, 0);
		step(&b, 30);
		is_int(look(&b, 0).current == A, cases[i].exists,
			"client-only: role %d, server streaming %d", cases[i].role, cases[i].in);
		if (!cases[i].exists)
			is_int(why(&b, 0).reason, CS_REASON_CLIENT_ONLY, "client-only: and why");
		finish(&b);
	}
}

/* A client asks the server before it shows a level, which waits in MakingVisible. */
static void test_transactions(void)
{
	struct bench b;
	row_of_cells(&b, CS_ROLE_CLIENT, CS_SERVER_DEFAULT, CS_SERVER_DEFAULT);
	set_load_frames(b.s, 1);
	set(b.s, "sim.ServerAck", "100");
	set(b.s, "wp.Runtime.UseMakingVisibleTransactionRequests", "1");
	set(b.s, "wp.Runtime.UseMakingInvisibleTransactionRequests", "1");
	add_source(b.s, "P", 0, 6400);
	step(&b, 5);
	ok(look(&b, 0).state == CS_STATE_MAKING_VISIBLE, "transactions: it waits in MakingVisible");
	is_int(why(&b, 0).progress, CS_REASON_SERVER_ACK, "transactions: for the server");
	step(&b, 10);
	is_int(look(&b, 0).state, CS_STATE_VISIBLE, "transactions: the server answered");
	move(b.s, "P", 150000, 6400);
	step(&b, 5);
	is_int(look(&b, 0).state, CS_STATE_MAKING_INVISIBLE, "transactions: hiding waits too");
	step(&b, 10);
	ok(look(&b, 0).current == U, "transactions: and ends");
	finish(&b);
}

/* ---- for people ---- */

static void test_next(void)
{
	ok(cs_layer_state_next(U) == L && cs_layer_state_next(L) == A &&
			cs_layer_state_next(A) == U,
		"layers: the next state, in a round");
	ok(cs_layer_state_toggled(U) == A && cs_layer_state_toggled(L) == A &&
			cs_layer_state_toggled(A) == U,
		"layers: toggled, what is not activated becomes so");
}

static void test_speed(void)
{
	static const struct {
		const char *unit, *set;
		double speed;
	} units[] = {
		{"cm/s", "0", 1500}, {"m/s", "1", 15}, {"km/h", "2", 54}, {"mph", "3", 33.554}};
	struct bench b;
	worlds_init(&b.w, "5.4");
	start(&b, NULL);
	struct cs_stream_source source = cs_stream_source_player("Player0");
	source.velocity_given = true;
	source.velocity = (struct cs_vec3){-1000, 1000, 500};
	works(cs_stream_source_set(b.s, &source), "speeds: a source that moves");
	works(cs_stream_step(b.s, 1), "speeds: a frame of it");
	for (size_t i = 0; i < 4; i++) {
		set(b.s, "wp.Runtime.DebugDisplaySpeedUnit", units[i].set);
		const struct cs_stream_source_view view = cs_stream_source_at(b.s, 0);
		is_text(view.speed_unit, units[i].unit, "speeds: unit %zu", i);
		ok(fabs(view.speed - units[i].speed) < .001, "speeds: %g %s", view.speed,
			view.speed_unit);
	}
	finish(&b);
}

int main(void)
{
	test_hierarchy();
	test_operators();
	test_both_orders();
	test_roles();
	test_client();
	test_impact();
	test_impact_at_once();
	test_default_server();
	test_server_modes();
	test_modes_of_both_worlds();
	test_streaming_server();
	test_hold();
	test_client_lag();
	test_disallowed();
	test_client_only();
	test_transactions();
	test_next();
	test_speed();
	return done();
}
