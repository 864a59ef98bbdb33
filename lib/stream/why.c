/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the answers to why: which rule decided what a cell should be, and why it is not that yet.
 * Everything is computed from the state when it is asked; a frame pays nothing for it.
 */
#include "stream/stream_internal.h"

#include <math.h>

static const struct {
	const char *name, *help;
} reasons[CS_REASON_COUNT] = {
	[CS_REASON_NONE] = {"none", "nothing is known"},
	[CS_REASON_ALWAYS_LOADED] = {"always_loaded", "it is part of the persistent level"},
	[CS_REASON_NON_SPATIAL] = {"non_spatial", "it is not spatially loaded: its layers decide"},
	[CS_REASON_IN_RANGE] = {"in_range", "a source reaches it"},
	[CS_REASON_SNAPPED] = {"snapped", "a wanted cell of a lower level lies in it"},
	[CS_REASON_SERVER] = {"server", "a server that does not stream loads everything"},
	[CS_REASON_NO_STREAM_OUT] = {"no_stream_out", "the server does not stream out"},
	[CS_REASON_DISALLOWED] = {"disallowed", "one of its layers must not be streamed out"},
	[CS_REASON_CLIENT_SEES] = {"client_sees", "the server waits: a client still sees it"},
	[CS_REASON_NOT_REGISTERED] = {"not_registered", "its world partition is not registered"},
	[CS_REASON_NO_SOURCE] = {"no_source", "there is no streaming source"},
	[CS_REASON_GRID_FILTER] = {"grid_filter", "the sources in range leave out its partition"},
	[CS_REASON_OUT_OF_RANGE] = {"out_of_range", "no source reaches it"},
	[CS_REASON_LAYERS] = {"layers", "its data layers say unloaded"},
	[CS_REASON_HLOD_OFF] = {"hlod_off", "HLODs are switched off"},
	[CS_REASON_CLIENT_ONLY] = {"client_only", "it does not exist on this server"},
	[CS_REASON_LEVEL_FILTER] = {"level_filter", "its grid level is filtered out"},
	[CS_REASON_NO_BOUNDS] = {"no_bounds", "it has no bounds that a source could reach"},
	[CS_REASON_BUDGET] = {"budget", "it waits for its turn to load"},
	[CS_REASON_PERFORMANCE] = {"performance", "it is left out of a blocking wait"},
	[CS_REASON_LOADING] = {"loading", "its level is loading"},
	[CS_REASON_FAILED] = {"failed", "its level failed to load"},
	[CS_REASON_WARMUP] = {"warmup", "an HLOD actor is warming up"},
	[CS_REASON_TURN] = {"turn", "another level is being shown or hidden"},
	[CS_REASON_MAKING_VISIBLE] = {"making_visible", "its level is being made visible"},
	[CS_REASON_SERVER_ACK] = {"server_ack", "the server has not answered yet"},
	[CS_REASON_MAKING_INVISIBLE] = {"making_invisible", "its level is being made invisible"},
	[CS_REASON_CANCELLED] = {"cancelled", "a load that was begun is finished first"},
	[CS_REASON_STILL_AROUND] = {"still_around", "its memory is not freed yet"},
	[CS_REASON_ARRIVED] = {"arrived", "it is what it should be"},
};

const char *cs_reason_name(enum cs_reason reason)
{
	return (unsigned)reason < CS_REASON_COUNT ? reasons[reason].name : "?";
}

const char *cs_reason_help(enum cs_reason reason)
{
	return (unsigned)reason < CS_REASON_COUNT ? reasons[reason].help : "?";
}

/* ---- reaches ---- */

/* The reach of a shape as it was evaluated; made anew where the grid filter had left it out. */
static struct cs_run_target target_of(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t partition, uint32_t source, uint32_t shape)
{
	for (uint32_t i = w->reached.target_first[partition];
		i < w->reached.target_first[partition + 1]; i++)
		if (w->reached.targets.at[i].source == source &&
			w->reached.targets.at[i].shape == shape)
			return w->reached.targets.at[i];
	return cs_run_target_make(s, w, partition, source, shape);
}

static bool uses_grid_range(const struct cs_stream_source *source, uint32_t shape)
{
	return source->n_shapes == 0 || source->shapes[shape].use_grid_range;
}

static struct cs_stream_reach describe_reach(const struct cs_stream *s, struct cs_run_world *w,
	uint32_t source, uint32_t shape, uint32_t cell)
{
	const struct cs_cooked *cooked = w->model.cooked;
	uint32_t partition = cooked->cells[cell].partition;
	struct cs_run_target target = target_of(s, w, partition, source, shape);
	const struct cs_box *box = cs_run_tested_box(&w->model, cell);
	struct cs_run_metric metric = cs_run_target_metric(s, w, &target, cell);
	struct cs_stream_reach reach = {
		.source = s->sources.active.at[source].source.name,
		.shape = shape,
		.accepted = cs_run_source_accepts(&s->sources.active.at[source].source,
			cs_cooked_text(cooked, cooked->partitions[partition].name)),
		.hit = cs_run_target_hits(w, &target, cell),
		.distance = INFINITY,
		.radius = target.reach.radius,
		.assumed = uses_grid_range(&s->sources.active.at[source].source, shape) &&
			   cs_run_range_origin(w, partition) == CS_RANGE_ASSUMED,
	};
	if (cs_box_valid(box))
		reach.distance = sqrt(cs_ball_distance2(&target.reach.ball, box));
	if (reach.hit)
		reach.spatial = cs_run_spatial_key(s, &metric);
	return reach;
}

/* Calls for every shape of every active source. */
static size_t each_reach(const struct cs_stream *s, struct cs_run_world *w, uint32_t cell,
	struct cs_stream_reach *ret, size_t room)
{
	size_t n = 0;
	if (!(w->model.flags[cell] & CS_CELL_SPATIAL))
		return 0;
	for (uint32_t i = 0; i < s->sources.active.n; i++) {
		uint32_t shapes = s->sources.active.at[i].source.n_shapes;
		for (uint32_t shape = 0; shape < (shapes ? shapes : 1); shape++, n++)
			if (n < room)
				ret[n] = describe_reach(s, w, i, shape, cell);
	}
	return n;
}

size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room)
{
	if (!cs_run_cell_exists(stream, cell))
		return 0;
	return each_reach(stream, stream->worlds.at[cell.world], cell.cell, ret, room);
}

static bool counts(const struct cs_stream_reach *reach)
{
	return reach->accepted && reach->hit;
}

/* A hit that counts before one that the filter drops before a miss; then the nearer one. */
static bool better(const struct cs_stream_reach *left, const struct cs_stream_reach *right)
{
	if (counts(left) != counts(right))
		return counts(left);
	if (counts(left))
		return left->spatial < right->spatial;
	if (left->hit != right->hit)
		return left->hit;
	return left->distance - left->radius < right->distance - right->radius;
}

static bool find_nearest(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell, struct cs_stream_why *why)
{
	bool filtered = false;
	why->nearest = (struct cs_stream_reach){.distance = INFINITY};
	for (uint32_t i = 0; i < s->sources.active.n; i++) {
		uint32_t shapes = s->sources.active.at[i].source.n_shapes;
		for (uint32_t shape = 0; shape < (shapes ? shapes : 1); shape++) {
			struct cs_stream_reach reach = describe_reach(s, w, i, shape, cell);
			why->n_hits += counts(&reach);
			filtered = filtered || (reach.hit && !reach.accepted);
			if (!why->nearest.source || better(&reach, &why->nearest))
				why->nearest = reach;
		}
	}
	return filtered;
}

/* ---- what it should be ---- */

/* The layer that holds the cell down: the EDL, or the one with the lowest (And), highest (Or)
 * state. */
static uint32_t limiting_layer(const struct cs_run_world *w, uint32_t cell)
{
	const struct cs_run_layer_set *set = &w->model.sets[w->model.layer_set[cell]];
	bool all = w->model.cooked->world->layers_operator == CS_LAYERS_AND;
	uint32_t found = CS_NONE;
	if (set->external != CS_NONE && w->layers.effective[set->external] != CS_LAYER_ACTIVATED)
		return set->external;
	for (uint32_t i = 0; i < set->layers.count; i++) {
		uint32_t layer = w->model.layer_lists[set->layers.first + i];
		if (found == CS_NONE ||
			(all ? w->layers.effective[layer] < w->layers.effective[found]
			     : w->layers.effective[layer] > w->layers.effective[found]))
			found = layer;
	}
	return found;
}

static enum cs_reason miss_reason(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell, bool filtered)
{
	if (!cs_box_valid(cs_run_tested_box(&w->model, cell)))
		return CS_REASON_NO_BOUNDS;
	if (s->sources.active.n == 0)
		return CS_REASON_NO_SOURCE;
	return filtered ? CS_REASON_GRID_FILTER : CS_REASON_OUT_OF_RANGE;
}

/* By place alone: what the sources, or a rule in their stead, ask for. */
static void judge_place(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell, struct cs_stream_why *why)
{
	uint16_t flags = w->model.flags[cell];
	const struct cs_run_hit *hit = cs_run_find_hit(w, cell);
	why->by_sources = CS_LAYER_ACTIVATED;
	if (!(flags & CS_CELL_SPATIAL)) {
		why->reason = flags & CS_CELL_ALWAYS_LOADED ? CS_REASON_ALWAYS_LOADED
							    : CS_REASON_NON_SPATIAL;
		return;
	}
	bool filtered = find_nearest(s, w, cell, why);
	if (cs_run_is_server(s) && !cs_run_server_streams(s, w)) {
		why->reason = CS_REASON_SERVER;
	} else if (why->n_hits) {
		why->reason = CS_REASON_IN_RANGE;
		why->by_sources = cs_run_sources_ask(s, w, cell);
	} else if (hit && hit->reason == CS_REASON_SNAPPED) {
		why->reason = CS_REASON_SNAPPED;
		why->by_sources =
			hit->want & CS_WANT_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	} else {
		why->reason = miss_reason(s, w, cell, filtered);
		why->by_sources = CS_LAYER_UNLOADED;
	}
}

/* Then what forbids it, and what a server keeps nevertheless. */
static void judge(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell, struct cs_stream_why *why)
{
	const struct cs_run_cell *r = cs_run_find(w, cell);
	const struct cs_run_hit *hit = cs_run_find_hit(w, cell);
	enum cs_reason excluded = cs_run_cell_excluded(s, w, cell);
	judge_place(s, w, cell, why);
	why->by_layers = cs_run_layers_allow(s, w, cell);
	why->layer = why->by_layers < CS_LAYER_ACTIVATED ? limiting_layer(w, cell) : CS_NONE;
	why->wanted = why->by_layers < why->by_sources ? why->by_layers : why->by_sources;
	if (why->by_sources > CS_LAYER_UNLOADED && why->by_layers == CS_LAYER_UNLOADED)
		why->reason = CS_REASON_LAYERS;
	if (excluded || !w->registered) {
		why->wanted = CS_LAYER_UNLOADED;
		why->reason = w->registered ? excluded : CS_REASON_NOT_REGISTERED;
	}
	if (r && r->set > why->wanted && hit &&
		(hit->reason == CS_REASON_NO_STREAM_OUT || hit->reason == CS_REASON_DISALLOWED)) {
		why->wanted = (enum cs_layer_state)r->set;
		why->reason = (enum cs_reason)hit->reason;
	}
	if (r && r->held) {
		why->wanted = (enum cs_layer_state)r->set;
		why->reason = CS_REASON_CLIENT_SEES;
		why->client = cs_run_seen_by(s, (struct cs_stream_cell){w->id, cell});
	}
}

/* ---- why it is not that yet ---- */

static enum cs_reason going(
	const struct cs_stream *s, const struct cs_run_cell *r, uint32_t *blocker)
{
	*blocker = CS_NONE;
	if (r->hold == CS_REASON_TURN)
		*blocker = r->should_show ? s->levels.showing.cell : s->levels.hiding.cell;
	if (r->hold != CS_REASON_NONE)
		return (enum cs_reason)r->hold;
	return r->should_show ? CS_REASON_MAKING_VISIBLE : CS_REASON_MAKING_INVISIBLE;
}

static enum cs_reason progress_of(
	const struct cs_stream *s, const struct cs_run_cell *r, struct cs_stream_why *why)
{
	if (!r || r->set < why->wanted) {
		if (why->wanted == CS_LAYER_UNLOADED)
			return CS_REASON_ARRIVED;
		return s->performance.in_block ? CS_REASON_PERFORMANCE : CS_REASON_BUDGET;
	}
	if (r->level == CS_LEVEL_FAILED && r->should_load)
		return CS_REASON_FAILED;
	if (r->around)
		return CS_REASON_STILL_AROUND;
	if (!r->moving)
		return CS_REASON_ARRIVED;
	if (r->level == CS_LEVEL_LOADING && !r->should_load)
		return CS_REASON_CANCELLED;
	if (r->level == CS_LEVEL_LOADING || r->level == CS_LEVEL_UNLOADED)
		return CS_REASON_LOADING;
	return going(s, r, &why->blocker);
}

static void find_rank(const struct cs_run_world *w, const struct cs_stream *s, uint32_t cell,
	struct cs_stream_why *why)
{
	cs_run_queue_look(s);
	for (int list = 0; list < CS_ORDER_LISTS; list++) {
		for (size_t i = 0; i < s->queue.lists[list].n; i++) {
			const struct cs_stream_order_row *row = &s->queue.lists[list].at[i];
			bool stays = list >= CS_ORDER_PENDING_ACTIVATE || !row->started;
			if (!stays ||
				!cs_run_same_cell(row->cell, (struct cs_stream_cell){w->id, cell}))
				continue;
			why->rank = (uint32_t)i + 1;
			why->of = (uint32_t)s->queue.lists[list].n;
		}
	}
}

struct cs_error *cs_stream_why(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret)
{
	if (!cs_run_cell_exists(stream, cell))
		return cs_run_no_cell(cell);
	struct cs_run_world *w = stream->worlds.at[cell.world];
	const struct cs_run_cell *r = cs_run_find(w, cell.cell);
	struct cs_stream_why why = {.layer = CS_NONE, .blocker = CS_NONE, .client = CS_NONE};
	struct cs_run_info info;
	judge(stream, w, cell.cell, &why);
	why.progress = progress_of(stream, r, &why);
	cs_run_cell_info(stream, w, cell.cell, &info);
	why.keys = info.keys;
	why.blocking = info.blocking;
	why.blocking_ratio = info.blocking_ratio;
	why.blocks = w->model.flags[cell.cell] & CS_CELL_BLOCK_ON_SLOW;
	why.judged = info.blocking && why.blocks && cs_run_is_late(stream, w, cell.cell);
	if (why.judged)
		why.performance = cs_run_performance_of(stream, info.blocking_ratio, true);
	if (why.progress == CS_REASON_WARMUP)
		why.warm_frames = cs_run_warm_left(w, cell.cell);
	find_rank(w, stream, cell.cell, &why);
	*ret = why;
	return NULL;
}

/* ---- order ---- */

const struct cs_stream_order_row *cs_stream_order(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret)
{
	cs_run_queue_look(stream);
	*n_ret = (unsigned)list < CS_ORDER_LISTS ? stream->queue.lists[list].n : 0;
	return *n_ret ? stream->queue.lists[list].at : NULL;
}

const struct cs_stream_order_row *cs_stream_order_open(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret)
{
	cs_run_queue_look(stream);
	*n_ret = (unsigned)list < CS_ORDER_LISTS ? stream->queue.open[list].n : 0;
	return *n_ret ? stream->queue.open[list].at : NULL;
}

static struct cs_stream_order_row row_of(const struct cs_stream *s, struct cs_stream_cell cell)
{
	struct cs_run_info info;
	cs_run_cell_info(s, s->worlds.at[cell.world], cell.cell, &info);
	return (struct cs_stream_order_row){.cell = cell, .keys = info.keys};
}

struct cs_error *cs_stream_compare(const struct cs_stream *stream, struct cs_stream_cell left,
	struct cs_stream_cell right, int *order_ret, enum cs_order_key *key_ret)
{
	if (!cs_run_cell_exists(stream, left))
		return cs_run_no_cell(left);
	if (!cs_run_cell_exists(stream, right))
		return cs_run_no_cell(right);
	struct cs_stream_order_row l = row_of(stream, left), r = row_of(stream, right);
	*key_ret = cs_run_order_decide(stream, &l, &r, order_ret);
	return NULL;
}
