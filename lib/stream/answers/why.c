/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the answer to why: what was decided about a cell and by which rule, beside what was
 * measured; the names of rules.
 */
#include "stream/decision.h"

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
	[CS_REASON_NOT_RUN] = {"not_run", "no frame has run since it could be wanted"},
	[CS_REASON_LAYERS_LOADED] = {"layers_loaded", "its data layers allow it to be loaded only"},
	[CS_REASON_TARGET_LOADED] = {"target_loaded",
		"the sources that reach it ask for loaded only"},
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

struct cs_error *cs_stream_why(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret)
{
	struct cs_run_decision decision;
	struct cs_run_measures measures;
	struct cs_error *error = cs_run_check_cell(stream, cell);
	if (error)
		return error;
	cs_run_decision_of(stream, cell, &decision);
	cs_run_measure(stream, cell, &measures);
	*ret = (struct cs_stream_why){
		.wanted = decision.wanted,
		.reason = decision.reason,
		.progress = decision.waits,
		.obstacle = decision.obstacle,
		.decided = decision.known,
		.decided_in = decision.in,
		.changed = decision.changed,
		.by_sources = decision.by_sources,
		.by_layers = decision.by_layers,
		.layer = decision.layer,
		.blocker = decision.blocker,
		.nearest = measures.nearest,
		.n_hits = measures.n_hits,
		.keys = measures.keys,
		.blocking = measures.blocking,
		.blocking_ratio = measures.blocking_ratio,
		.blocks = measures.blocks,
		.judged = decision.judged,
		.performance = decision.performance,
		.warm_frames = decision.warm_frames,
		.client = decision.client,
	};
	const struct cs_stream_order_row *row =
		cs_run_queue_row(stream, cell, &ret->rank, &ret->of);
	if (row)
		ret->keys = row->keys;
	return NULL;
}
