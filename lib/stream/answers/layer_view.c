/* SPDX-License-Identifier: Apache-2.0 */
/* Answers questions about data layers: their states, and the states of their cells. */
#include "stream/decision.h"

struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_layer_view *ret)
{
	struct cs_stream_layer_view view;
	struct cs_error *error = cs_run_layer_record(stream, world, layer, &view);
	if (error)
		return error;
	const size_t n = cs_stream_world(stream, world).cooked->n_cells;
	for (uint32_t i = 0; i < n; i++) {
		const struct cs_stream_cell cell = {world, i};
		if (!cs_run_has_layer(stream, cell, layer))
			continue;
		const enum cs_level_state level = cs_stream_cell(stream, cell).level;
		view.cells++;
		view.in_range += cs_run_is_asked_for(stream, cell);
		view.loaded += level >= CS_LEVEL_NOT_VISIBLE;
		view.visible += level == CS_LEVEL_VISIBLE;
	}
	*ret = view;
	return NULL;
}
