/* SPDX-License-Identifier: Apache-2.0 */
/* The naive twin: variables, layers, the policy, sorting and the budget. See its header. */
#include "tests/unit/stream/twin_parts.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>

static const char *const names[V_COUNT] = {
	[V_SHOW_TIME_LIMIT] = "s.LevelStreamingActorsUpdateTimeLimit",
	[V_BANDWIDTH] = "sim.Bandwidth",
	[V_BYTES_PER_ACTOR] = "sim.BytesPerActor",
	[V_BYTES_PER_CELL] = "sim.BytesPerCell",
	[V_CLIENT_LAG] = "sim.ClientLag",
	[V_FRAME_TIME] = "sim.FrameTime",
	[V_HIDE_PER_ACTOR] = "sim.HidePerActor",
	[V_HIGH_PRIORITY_LOADING] = "sim.HighPriorityLoading",
	[V_LATENCY] = "sim.Latency",
	[V_LOAD_PER_ACTOR] = "sim.LoadPerActor",
	[V_MATCH_BEGUN] = "sim.MatchBegun",
	[V_PURGE_INTERVAL] = "sim.PurgeInterval",
	[V_REPLAY_RECORDING] = "sim.ReplayRecording",
	[V_SERVER_ACK] = "sim.ServerAck",
	[V_SHOW_PER_ACTOR] = "sim.ShowPerActor",
	[V_WORLD_UPDATE_COST] = "sim.WorldUpdateCost",
	[V_BLOCK_ON_SLOW_STREAMING] = "wp.Runtime.BlockOnSlowStreaming",
	[V_BLOCK_RATIO] = "wp.Runtime.BlockOnSlowStreamingRatio",
	[V_BLOCK_FACTOR] = "wp.Runtime.BlockOnSlowStreamingWarningFactor",
	[V_ENABLE_SERVER_STREAMING] = "wp.Runtime.EnableServerStreaming",
	[V_ENABLE_SERVER_STREAMING_OUT] = "wp.Runtime.EnableServerStreamingOut",
	[V_FILTER_LEVEL] = "wp.Runtime.FilterRuntimeSpatialHashGridLevel",
	[V_Z_CULLING] = "wp.Runtime.ForceRuntimeSpatialHashZCulling",
	[V_WARMUP_ENABLED] = "wp.Runtime.HLOD.WarmupEnabled",
	[V_WARMUP_NANITE] = "wp.Runtime.HLOD.WarmupNanite",
	[V_WARMUP_NUM_FRAMES] = "wp.Runtime.HLOD.WarmupNumFrames",
	[V_WARMUP_VT] = "wp.Runtime.HLOD.WarmupVT",
	[V_PURGE_LEVELS] =
		"wp.Runtime.LevelStreamingContinuouslyIncrementalGCWhileLevelsPendingPurgeForWP",
	[V_MAX_LOADING_STREAMING_CELLS] = "wp.Runtime.MaxLoadingStreamingCells",
	[V_ANGLE_WEIGHT] =
		"wp.Runtime.RuntimeSpatialHashCellToSourceAngleContributionToCellImportance",
	[V_SERVER_ANGLE] = "wp.Runtime.ServerStreamingSourceMinimumExtraAngle",
	[V_SERVER_RADIUS] = "wp.Runtime.ServerStreamingSourceMinimumExtraRadius",
	[V_SLOW_STREAMING_RATIO] = "wp.Runtime.SlowStreamingRatio",
	[V_SLOW_STREAMING_WARNING_FACTOR] = "wp.Runtime.SlowStreamingWarningFactor",
	[V_ENABLE_OPTIMIZATION] = "wp.Runtime.UpdateStreaming.EnableOptimization",
	[V_FORCE_UPDATE_FRAME_COUNT] = "wp.Runtime.UpdateStreaming.ForceUpdateFrameCount",
	[V_LOCATION_QUANTIZATION] = "wp.Runtime.UpdateStreaming.LocationQuantization",
	[V_ROTATION_QUANTIZATION] = "wp.Runtime.UpdateStreaming.RotationQuantization",
	[V_UPDATE_STREAMING_SOURCES] = "wp.Runtime.UpdateStreamingSources",
	[V_TIME_LIMIT] = "wp.Runtime.UpdateStreamingStateTimeLimit",
	[V_HIDE_REQUESTS] = "wp.Runtime.UseMakingInvisibleTransactionRequests",
	[V_SHOW_REQUESTS] = "wp.Runtime.UseMakingVisibleTransactionRequests",
};

_Static_assert((int)V_COUNT <= (int)TWIN_VARIABLES, "the twin has room for its variables");

static void read_variables(struct twin *t)
{
	for (int i = 0; i < V_COUNT; i++)
		t->variables[i] = cs_stream_variable(t->stream, t->places[i]).number;
}

double twin_number(const struct twin *t, enum variable variable)
{
	return t->variables[variable];
}

uint64_t twin_nanoseconds(const struct twin *t, enum variable variable)
{
	return (uint64_t)llround(twin_number(t, variable) * 1e6);
}

bool twin_is_server(const struct twin *t)
{
	return t->role == CS_ROLE_LISTEN_SERVER || t->role == CS_ROLE_DEDICATED_SERVER;
}

struct twin_cell *twin_cell_of(struct twin *t, uint32_t world, uint32_t cell)
{
	return &t->worlds[world].cells[cell];
}

const struct cs_cooked_cell *twin_cooked_of(const struct twin *t, uint32_t world, uint32_t cell)
{
	return cs_cooked_cell(t->worlds[world].cooked, cell);
}

struct cs_box twin_content_of(const struct cs_cooked_cell *c)
{
	return cs_box_valid(&c->content) ? c->content : c->box;
}

/* ---- servers: 2.7 ---- */

static int compute_mode(const struct twin *t, const struct twin_world *w)
{
	const struct cs_cooked_world *main = t->worlds[0].cooked->world, *own = w->cooked->world;
	uint32_t in = own->server_streaming ? own->server_streaming : main->server_streaming;
	uint32_t out =
		own->server_streaming_out ? own->server_streaming_out : main->server_streaming_out;
	bool streams = in == CS_SERVER_ENABLED ||
		       (in == CS_SERVER_DEFAULT && twin_number(t, V_ENABLE_SERVER_STREAMING) == 1);
	bool leaves =
		out == CS_SERVER_ENABLED ||
		(out == CS_SERVER_DEFAULT && twin_number(t, V_ENABLE_SERVER_STREAMING_OUT) == 1);
	if (!twin_is_server(t) || !streams)
		return 0;
	return leaves ? 2 : 1;
}

bool twin_streams_any(const struct twin *t)
{
	for (int i = 0; i < t->n_worlds; i++)
		if (t->worlds[i].mode > 0)
			return true;
	return false;
}

/* ---- layers: 2.8 ---- */

static bool runtime_layer(const struct cs_cooked *c, uint32_t layer)
{
	return c->layers[layer].type == CS_LAYER_RUNTIME;
}

static bool layer_on_role(const struct twin *t, const struct cs_cooked_layer *layer)
{
	if (layer->filter == CS_FILTER_CLIENT_ONLY)
		return t->role == CS_ROLE_CLIENT || t->role == CS_ROLE_STANDALONE;
	if (layer->filter == CS_FILTER_SERVER_ONLY)
		return twin_is_server(t) || t->role == CS_ROLE_STANDALONE;
	return true;
}

static void resolve_layers(struct twin_world *w)
{
	for (uint32_t i = 0; i < w->cooked->n_layers; i++) {
		uint8_t state = CS_LAYER_ACTIVATED;
		for (uint32_t k = i; k != CS_NONE; k = w->cooked->layers[k].parent)
			if (runtime_layer(w->cooked, k) && w->target[k] < state)
				state = w->target[k];
		w->effective[i] = state;
	}
}

void twin_layer(
	struct twin *t, int world, uint32_t layer, enum cs_layer_state state, bool recursive)
{
	struct twin_world *w = &t->worlds[world];
	const struct cs_cooked_layer *row = &w->cooked->layers[layer];
	bool authority = row->filter != CS_FILTER_NONE || t->role != CS_ROLE_CLIENT;
	if (runtime_layer(w->cooked, layer) && layer_on_role(t, row) && authority &&
		w->target[layer] != state) {
		w->target[layer] = (uint8_t)state;
		w->epoch++;
	}
	for (uint32_t i = 0; recursive && i < w->cooked->n_layers; i++)
		if (w->cooked->layers[i].parent == layer)
			twin_layer(t, world, i, state, true);
	resolve_layers(w);
}

enum cs_layer_state twin_allowed_by_layers(
	const struct twin *t, const struct twin_world *w, uint32_t cell)
{
	const struct cs_cooked_cell *c = cs_cooked_cell(w->cooked, cell);
	bool and = w->cooked->world->layers_operator == CS_LAYERS_AND;
	int n = 0, activated = 0, loaded = 0;
	enum cs_layer_state external = CS_LAYER_ACTIVATED, result = CS_LAYER_ACTIVATED;
	if (c->external_layer != CS_NONE)
		external = w->effective[c->external_layer];
	if (external != CS_LAYER_ACTIVATED && t->minor < 7)
		return CS_LAYER_UNLOADED;
	for (uint32_t i = 0; i < c->layers.count; i++) {
		uint32_t layer = w->cooked->cell_layers[c->layers.first + i];
		if (layer == c->external_layer)
			continue;
		n++;
		activated += w->effective[layer] == CS_LAYER_ACTIVATED;
		loaded += w->effective[layer] >= CS_LAYER_LOADED;
	}
	if (n && and)
		result = activated == n ? CS_LAYER_ACTIVATED
			 : loaded == n  ? CS_LAYER_LOADED
					: CS_LAYER_UNLOADED;
	else if (n)
		result = activated ? CS_LAYER_ACTIVATED
			 : loaded  ? CS_LAYER_LOADED
				   : CS_LAYER_UNLOADED;
	return result < external ? result : external;
}

bool twin_has_disallowed_layer(const struct twin *t, const struct twin_world *w, uint32_t cell)
{
	const struct cs_cooked_cell *c = cs_cooked_cell(w->cooked, cell);
	char list[1024];
	cs_stream_variable_format(t->stream,
		cs_stream_find_variable("wp.Runtime.ServerDisallowStreamingOutDataLayers"), list,
		sizeof(list));
	for (uint32_t i = 0; *list && i < c->layers.count; i++) {
		uint32_t layer = w->cooked->cell_layers[c->layers.first + i];
		/* the tests use the names of single layers */
		if (strcmp(cs_cooked_text(w->cooked, w->cooked->layers[layer].name), list) == 0)
			return true;
	}
	return false;
}

/* ---- skipping: 2.3.2 d ---- */

static void remember(double *memory, int *n, double value)
{
	memory[(*n)++] = value;
}

static int gather_memory(const struct twin *t, const struct twin_world *w, double *m)
{
	int n = 0;
	remember(m, &n, t->n_sources);
	remember(m, &n, (double)w->epoch);
	remember(m, &n, t->hlod);
	remember(m, &n, twin_number(t, V_FILTER_LEVEL));
	remember(m, &n, twin_number(t, V_Z_CULLING));
	for (uint32_t i = 0; i < w->cooked->n_partitions; i++)
		remember(m, &n, w->ranges[i]);
	for (int i = 0; i < t->n_sources; i++) {
		const struct twin_source *s = &t->sources[i];
		const struct cs_stream_source *f = &s->s;
		bool sector = false;
		double name = 0;
		for (const char *c = f->name; *c; c++)
			name = name * 31 + *c;
		const double fields[] = {name, s->step.x, s->step.y, s->step.z, s->extra_radius,
			s->extra_angle, f->target, f->priority, f->block_on_slow, f->use_velocity,
			f->force_2d, f->behavior, f->n_grids, f->n_shapes, f->velocity_given,
			f->remote, f->extra_radius, f->extra_angle};
		for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
			remember(m, &n, fields[k]);
		for (uint32_t k = 0; k < f->n_grids; k++)
			remember(m, &n, f->grids[k][0] * 1000.0 + f->grids[k][4]);
		for (uint32_t k = 0; k < f->n_shapes; k++) {
			const struct cs_stream_shape *h = &f->shapes[k];
			const double parts[] = {h->use_grid_range, h->sector, h->range_scale,
				h->radius, h->angle, h->location.x, h->location.y, h->location.z,
				h->rotation.yaw, h->rotation.pitch, h->rotation.roll};
			for (size_t q = 0; q < sizeof(parts) / sizeof(parts[0]); q++)
				remember(m, &n, parts[q]);
			sector = sector || h->sector;
		}
		remember(m, &n, sector ? s->turn.yaw : 0);
		remember(m, &n, sector ? s->turn.pitch : 0);
		remember(m, &n, sector ? s->turn.roll : 0);
	}
	return n;
}

static bool skips(struct twin *t, struct twin_world *w)
{
	double now[1024];
	int n = gather_memory(t, w, now);
	bool same = n == w->n_memory && memcmp(now, w->memory, (size_t)n * sizeof(*now)) == 0;
	bool was = w->evaluated, pending = false;
	uint64_t every = (uint64_t)twin_number(t, V_FORCE_UPDATE_FRAME_COUNT);
	memcpy(w->memory, now, (size_t)n * sizeof(*now));
	w->n_memory = n;
	w->evaluated = true;
	for (uint32_t i = 0; i < w->cooked->n_cells; i++)
		pending = pending || w->cells[i].pending;
	if (!was || !same || !w->complete || t->in_block || w->held ||
		(every && t->frame % every == 0))
		return false;
	if (twin_is_server(t) && w->mode == 0)
		return true;
	return twin_number(t, V_ENABLE_OPTIMIZATION) != 0 && !pending;
}

/* ---- sets ---- */

static void set_to(struct twin *t, uint32_t world, uint32_t id, enum cs_layer_state set)
{
	struct twin_cell *c = twin_cell_of(t, world, id);
	c->set = set;
	t->changed = true;
	if (c->always) {
		c->level = set ? CS_LEVEL_VISIBLE : CS_LEVEL_REMOVED;
		return;
	}
	c->waits = CS_REASON_NOT_RUN; /* until levels are updated */
	c->should_load = set != CS_LAYER_UNLOADED;
	c->should_show = set == CS_LAYER_ACTIVATED;
	if (c->should_load && c->level == CS_LEVEL_REMOVED) {
		c->level = CS_LEVEL_UNLOADED;
		c->around = false;
	}
	if (!c->should_load && c->level == CS_LEVEL_UNLOADED)
		c->level = CS_LEVEL_REMOVED;
	c->pending = c->should_show && c->level != CS_LEVEL_VISIBLE;
}

static void unload_world(struct twin *t, int world)
{
	struct twin_world *w = &t->worlds[world];
	for (uint32_t i = 0; i < w->cooked->n_cells; i++) {
		if (w->cells[i].set)
			set_to(t, (uint32_t)world, i, CS_LAYER_UNLOADED);
		w->cells[i].held = w->cells[i].left_out = false;
		w->cells[i].want_activate = w->cells[i].want_load = false;
	}
	w->n_left[0] = w->n_left[1] = 0;
	w->evaluated = w->decided = false;
}

void twin_register(struct twin *t, int world, bool on)
{
	if (t->worlds[world].registered == on)
		return;
	t->worlds[world].registered = on;
	if (!on)
		unload_world(t, world);
}

static bool seen_by_client(const struct twin *t, const struct twin_cell *c)
{
	for (int i = 0; i < t->n_clients; i++)
		if (c->seen_until[i] || c->seen_held[i])
			return true;
	return false;
}

static bool waits_for_client(struct twin *t, struct twin_world *w, struct twin_cell *c)
{
	if (!twin_is_server(t) || w->mode == 0 || c->always || c->level == CS_LEVEL_REMOVED ||
		!seen_by_client(t, c))
		return false;
	c->held = w->held = true;
	return true;
}

bool twin_skipped(const struct twin *t, const struct twin_world *w, uint32_t cell)
{
	return t->in_block && t->block_by_performance && !twin_is_server(t) &&
	       !(cs_cooked_cell(w->cooked, cell)->flags & CS_CELL_BLOCK_ON_SLOW);
}

void twin_push(struct twin_row **rows, int *n, uint32_t world, uint32_t cell)
{
	*rows = realloc(*rows, (size_t)(*n + 1) * sizeof(**rows));
	(*rows)[(*n)++] = (struct twin_row){world, cell, false};
}

/* ---- performance: 2.5 ---- */

static void judge(struct twin *t, struct twin_world *w, uint32_t cell)
{
	const struct twin_cell *c = &w->cells[cell];
	bool late = t->minor >= 7 ? c->pending || c->set != CS_LAYER_ACTIVATED
				  : c->level != CS_LEVEL_VISIBLE;
	if (twin_number(t, V_MATCH_BEGUN) == 0 || c->always || !late || !c->hits)
		return;
	for (int blocking = 0; blocking < 2; blocking++) {
		double limit = twin_number(t, blocking ? V_BLOCK_RATIO : V_SLOW_STREAMING_RATIO);
		double factor =
			twin_number(t, blocking ? V_BLOCK_FACTOR : V_SLOW_STREAMING_WARNING_FACTOR);
		double ratio = blocking ? c->blocking_ratio : c->ratio;
		enum cs_performance *worst = blocking ? &w->performance : &w->display;
		enum cs_performance p = ratio < limit            ? CS_PERFORMANCE_CRITICAL
					: ratio < limit * factor ? CS_PERFORMANCE_SLOW
								 : CS_PERFORMANCE_GOOD;
		if (t->minor >= 7 && ratio <= 0)
			p = CS_PERFORMANCE_IMMEDIATE;
		if (blocking ? !(cs_cooked_cell(w->cooked, cell)->flags & CS_CELL_BLOCK_ON_SLOW) ||
					isinf(ratio)
			     : t->minor < 7)
			continue;
		*worst = p > *worst ? p : *worst;
	}
}

/* ---- the policy of a world: 2.3.2 ---- */

static void update_world(struct twin *t, int world)
{
	struct twin_world *w = &t->worlds[world];
	w->n_left[0] = w->n_left[1] = 0;
	w->decided_in = t->frame;
	w->performance = w->display = CS_PERFORMANCE_GOOD; /* of those that are considered, 2.5 */
	if (skips(t, w))
		return;
	t->evaluated_any = w->decided = true;
	twin_frame_sets(t, w);
	w->held = false;
	for (uint32_t i = 0; i < w->cooked->n_cells; i++) {
		struct twin_cell *c = &w->cells[i];
		bool wanted = c->want_activate || c->want_load;
		if (c->want_activate || (c->want_load && c->set != CS_LAYER_ACTIVATED))
			c->held = false;
		if (c->want_activate)
			judge(t, w, i);
		c->left_out = twin_skipped(t, w, i) &&
			      (c->want_activate ? c->set != CS_LAYER_ACTIVATED
						: c->want_load && c->set != CS_LAYER_LOADED);
		if (c->want_activate && c->set != CS_LAYER_ACTIVATED && !twin_skipped(t, w, i))
			twin_push(&w->left[0], &w->n_left[0], (uint32_t)world, i);
		if (c->want_load && c->set != CS_LAYER_LOADED && !twin_skipped(t, w, i)) {
			if (!twin_is_server(t) || c->set != CS_LAYER_ACTIVATED)
				twin_push(&w->left[1], &w->n_left[1], (uint32_t)world, i);
			else if (!waits_for_client(t, w, c)) {
				c->held = false;
				set_to(t, (uint32_t)world, i, CS_LAYER_LOADED);
			}
		}
		if (!wanted && c->set && !waits_for_client(t, w, c)) {
			c->held = false;
			set_to(t, (uint32_t)world, i, CS_LAYER_UNLOADED);
		}
	}
	bool streams = !twin_is_server(t) || w->mode > 0;
	if (w->performance >= CS_PERFORMANCE_CRITICAL && w->display <= w->performance &&
		twin_number(t, V_BLOCK_ON_SLOW_STREAMING) != 0 && streams && !t->in_block) {
		if (!t->block_asked)
			t->block_by_performance = true;
		t->block_asked = true;
	}
}

/* ---- sorting: 2.4 ---- */

/* Compares rows by the first keys and the exact value; ties are made afterwards. */
static int before(const struct twin *t, const struct twin_row *l, const struct twin_row *r)
{
	const struct twin_cell *a = &t->worlds[l->world].cells[l->cell];
	const struct twin_cell *b = &t->worlds[r->world].cells[r->cell];
	const struct cs_cooked_cell *x = twin_cooked_of(t, l->world, l->cell);
	const struct cs_cooked_cell *y = twin_cooked_of(t, r->world, r->cell);
	if (a->source_priority != b->source_priority)
		return a->source_priority < b->source_priority ? -1 : 1;
	if (x->hierarchical_level != y->hierarchical_level)
		return x->hierarchical_level > y->hierarchical_level ? -1 : 1;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return 0;
}

static bool tie_before(const struct twin *t, const struct twin_row *l, const struct twin_row *r)
{
	const struct twin_cell *a = &t->worlds[l->world].cells[l->cell];
	const struct twin_cell *b = &t->worlds[r->world].cells[r->cell];
	if (a->distance2 != b->distance2)
		return a->distance2 < b->distance2;
	const struct cs_cooked *x = t->worlds[l->world].cooked, *y = t->worlds[r->world].cooked;
	int order = strcasecmp(cs_cooked_text(x, cs_cooked_cell(x, l->cell)->name),
		cs_cooked_text(y, cs_cooked_cell(y, r->cell)->name));
	if (order)
		return order < 0;
	return l->world != r->world ? l->world < r->world : l->cell < r->cell;
}

/*
 * Takes the least of the rows that are left, then all that tie with it, best first, again and
 * again.
 */
static void sort_rows(struct twin *t, struct twin_row *rows, int n)
{
	for (int done = 0; done < n;) {
		int least = done;
		for (int i = done + 1; i < n; i++) {
			int order = before(t, &rows[i], &rows[least]);
			double a = twin_cell_of(t, rows[i].world, rows[i].cell)->spatial_key;
			double b =
				twin_cell_of(t, rows[least].world, rows[least].cell)->spatial_key;
			if (order < 0 || (order == 0 && a < b))
				least = i;
		}
		struct twin_row first = rows[least];
		double value = twin_cell_of(t, first.world, first.cell)->spatial_key;
		int end = done;
		for (int i = done; i < n; i++) {
			double a = twin_cell_of(t, rows[i].world, rows[i].cell)->spatial_key;
			if (before(t, &rows[i], &first) != 0 || a - value > 1e-8)
				continue;
			struct twin_row row = rows[i];
			rows[i] = rows[end];
			rows[end++] = row;
		}
		for (int i = done; i < end; i++) {
			int best = i;
			for (int k = i + 1; k < end; k++)
				if (tie_before(t, &rows[k], &rows[best]))
					best = k;
			struct twin_row row = rows[i];
			rows[i] = rows[best];
			rows[best] = row;
		}
		done = end;
	}
}

/* ---- the budget: 2.3.3, 2.3.4 ---- */

static bool loading(const struct twin_cell *c)
{
	return c->level == CS_LEVEL_LOADING || (c->should_load && c->level == CS_LEVEL_UNLOADED);
}

static uint32_t find_budget(const struct twin *t)
{
	double most = twin_number(t, V_MAX_LOADING_STREAMING_CELLS);
	if (twin_is_server(t) || t->in_block || most <= 0)
		return UINT32_MAX;
	double n = 0;
	for (int w = 0; w < t->n_worlds; w++)
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++)
			n += loading(&t->worlds[w].cells[i]);
	return most > n ? (uint32_t)(most - n) : 0;
}

static void run_list(struct twin *t, int list, uint32_t *budget)
{
	t->n_lists[list] = 0;
	for (int w = 0; w < t->n_worlds; w++) {
		for (int i = 0; i < t->worlds[w].n_left[list]; i++)
			twin_push(&t->lists[list], &t->n_lists[list], (uint32_t)w,
				t->worlds[w].left[list][i].cell);
		t->worlds[w].n_left[list] = 0;
	}
	sort_rows(t, t->lists[list], t->n_lists[list]);
	for (int i = 0; i < t->n_lists[list]; i++) {
		struct twin_row *row = &t->lists[list][i];
		struct twin_cell *c = twin_cell_of(t, row->world, row->cell);
		row->started = c->set != CS_LAYER_UNLOADED || *budget > 0;
		if (!row->started)
			continue;
		if (c->set == CS_LAYER_UNLOADED && !c->always && *budget != UINT32_MAX)
			--*budget;
		set_to(t, row->world, row->cell, list == 0 ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED);
	}
	for (int i = 0; i < t->n_lists[list]; i++) {
		struct twin_row *row = &t->lists[list][i];
		struct twin_world *w = &t->worlds[row->world];
		if (row->started)
			continue;
		twin_push(&w->left[list], &w->n_left[list], row->world, row->cell);
		w->complete = false;
	}
}

/* Rule 2.3.1.8. */
static void give_priorities(struct twin *t)
{
	t->n_lists[CS_ORDER_PENDING_ACTIVATE] = t->n_lists[CS_ORDER_PENDING_LOAD] = 0;
	for (uint32_t w = 0; w < (uint32_t)t->n_worlds; w++) {
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++) {
			struct twin_cell *c = twin_cell_of(t, w, i);
			c->priority = 0;
			if (c->level == CS_LEVEL_FAILED)
				continue;
			if (c->set == CS_LAYER_ACTIVATED && c->pending)
				twin_push(&t->lists[CS_ORDER_PENDING_ACTIVATE],
					&t->n_lists[CS_ORDER_PENDING_ACTIVATE], w, i);
			if (c->set == CS_LAYER_LOADED && c->level < CS_LEVEL_NOT_VISIBLE)
				twin_push(&t->lists[CS_ORDER_PENDING_LOAD],
					&t->n_lists[CS_ORDER_PENDING_LOAD], w, i);
		}
	}
	uint32_t priority = 0;
	static const int order[] = {CS_ORDER_PENDING_LOAD, CS_ORDER_PENDING_ACTIVATE};
	for (int l = 0; l < 2; l++) {
		struct twin_row *rows = t->lists[order[l]];
		sort_rows(t, rows, t->n_lists[order[l]]);
		for (int i = t->n_lists[order[l]] - 1; i >= 0; i--)
			twin_cell_of(t, rows[i].world, rows[i].cell)->priority = ++priority;
	}
	if (t->showing.cell != CS_NONE)
		twin_cell_of(t, t->showing.world, t->showing.cell)->priority = priority + 1;
}

/* ---- the update: 2.3.1 ---- */

static void update(struct twin *t)
{
	for (int i = 0; i < t->n_worlds; i++)
		if (t->worlds[i].mode < 0)
			t->worlds[i].mode = compute_mode(t, &t->worlds[i]);
	if (!t->in_block)
		twin_collect(t);
	twin_update_clients(t);
	double left = twin_number(t, V_TIME_LIMIT);
	bool limit = left > 0 && t->n_worlds > 1 && !t->in_block &&
		     twin_number(t, V_HIGH_PRIORITY_LOADING) == 0 &&
		     twin_number(t, V_MATCH_BEGUN) != 0;
	int first = limit ? t->next_world % t->n_worlds : 0;
	for (int i = 0; i < t->n_worlds; i++) {
		int world = (first + i) % t->n_worlds;
		if (!t->worlds[world].registered)
			continue;
		if (limit && left <= 0)
			break;
		update_world(t, world);
		left -= twin_number(t, V_WORLD_UPDATE_COST);
		t->next_world = world + 1;
	}
	for (int i = 0; i < t->n_worlds; i++)
		t->worlds[i].complete = true;
	uint32_t budget = find_budget(t);
	if (!t->in_block)
		t->budget = budget;
	run_list(t, 0, &budget);
	run_list(t, 1, &budget);
	t->performance = t->display = CS_PERFORMANCE_GOOD;
	bool held = false;
	for (int i = 0; i < t->n_worlds; i++) {
		const struct twin_world *w = &t->worlds[i];
		held = held || w->held;
		if (!w->registered)
			continue;
		t->performance = w->performance > t->performance ? w->performance : t->performance;
		t->display = w->display > t->display ? w->display : t->display;
	}
	if (twin_is_server(t) && t->changed && !held) {
		t->epoch++;
		t->changed = false;
	}
	give_priorities(t);
}

void twin_step(struct twin *t)
{
	read_variables(t);
	uint64_t length = twin_nanoseconds(t, V_FRAME_TIME);
	t->frame++;
	t->time += length;
	t->delta = length + t->stall;
	t->stall = 0;
	t->evaluated_any = false;
	t->since = 0;
	t->n_changes = 0;
	update(t);
	twin_update_levels(t, false);
	if (!t->block_asked)
		return;
	uint64_t begin = t->time;
	t->in_block = true;
	for (int i = 0; i < 64; i++) {
		update(t);
		if (twin_all_quiet(t))
			break;
		twin_update_levels(t, true);
	}
	for (int i = 0; i < t->n_worlds; i++)
		t->worlds[i].evaluated = false;
	t->in_block = t->block_asked = t->block_by_performance = false;
	t->stall = t->time - begin;
}

/* ---- life ---- */

void twin_init(struct twin *t, const struct cs_stream *stream, int minor, enum cs_role role)
{
	memset(t, 0, sizeof(*t));
	t->stream = stream;
	t->minor = minor;
	t->role = role;
	t->hlod = true;
	t->showing.cell = t->hiding.cell = CS_NONE;
	for (int i = 0; i < V_COUNT; i++)
		t->places[i] = cs_stream_find_variable(names[i]);
}

void twin_add_world(struct twin *t, const struct cs_cooked *cooked,
	const struct cs_transform *transform, struct cs_stream_cell owner, bool registered)
{
	struct twin_world *w = &t->worlds[t->n_worlds++];
	w->cooked = cooked;
	w->transform = *transform;
	w->owner = owner;
	w->registered = registered;
	w->mode = -1;
	w->cells = calloc(cooked->n_cells + 1, sizeof(*w->cells));
	w->target = calloc(cooked->n_layers + 1, 1);
	w->effective = calloc(cooked->n_layers + 1, 1);
	w->warm = calloc(cooked->n_hlods + 1, sizeof(*w->warm));
	w->warm_frame = calloc(cooked->n_hlods + 1, sizeof(*w->warm_frame));
	for (uint32_t i = 0; i < cooked->n_cells; i++) {
		w->cells[i].spatial = cs_cooked_cell(cooked, i)->flags & CS_CELL_SPATIAL;
		w->cells[i].always = cs_cooked_cell(cooked, i)->flags & CS_CELL_ALWAYS_LOADED;
	}
	for (uint32_t i = 0; i < cooked->n_layers; i++)
		if (runtime_layer(cooked, i) && layer_on_role(t, &cooked->layers[i]))
			w->target[i] = (uint8_t)cooked->layers[i].initial;
	for (uint32_t i = 0; i < cooked->n_hlods; i++)
		w->warm[i] = -1;
	for (int i = 0; i < 16; i++)
		w->ranges[i] = -1;
	resolve_layers(w);
}

void twin_deinit(struct twin *t)
{
	for (int i = 0; i < t->n_worlds; i++) {
		free(t->worlds[i].cells);
		free(t->worlds[i].target);
		free(t->worlds[i].effective);
		free(t->worlds[i].warm);
		free(t->worlds[i].warm_frame);
		free(t->worlds[i].left[0]);
		free(t->worlds[i].left[1]);
	}
	for (int i = 0; i < CS_ORDER_LISTS; i++)
		free(t->lists[i]);
	free(t->changes);
}
