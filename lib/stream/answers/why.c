/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a cell's state: what was decided about it, by which rule, at which source distances. */
#include "stream/decision.h"

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
