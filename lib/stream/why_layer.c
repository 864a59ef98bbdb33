/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: why a data layer shows or does not: the first thing that stands in the way, from the layer
 * itself to its cells. Cells are asked as cs_stream_why asks them, so that an external data layer
 * that is off, a world whose layers combine by And, a side without client-only cells count as they
 * do for the cell.
 */
#include "stream/stream_internal.h"

static const struct {
	const char *name, *help;
} verdicts[CS_LAYER_VERDICTS] = {
	[CS_LAYER_IS_EDITOR] = {"editor", "it is an editor layer: it does not exist at run time"},
	[CS_LAYER_OTHER_ROLE] = {"role", "its load filter leaves out this side"},
	[CS_LAYER_ANCESTOR] = {"ancestor", "an ancestor holds it down"},
	[CS_LAYER_NOT_SENT] = {"not_sent", "the server has not activated it"},
	[CS_LAYER_NOT_ACTIVATED] = {"not_activated", "it was not activated"},
	[CS_LAYER_NO_CELLS] = {"no_cells", "no cell has it"},
	[CS_LAYER_ABSENT] = {"client_only",
		"its cells exist on clients only, and this is a server"},
	[CS_LAYER_OUT_OF_RANGE] = {"out_of_range", "no source reaches a cell that has it"},
	[CS_LAYER_EXTERNAL_OFF] = {"external", "the external data layer of its cells is not "
					       "activated"},
	[CS_LAYER_OTHERS_OFF] = {"others", "another layer of its cells is not activated"},
	[CS_LAYER_EXCLUDED] = {"excluded", "its cells are switched off"},
	[CS_LAYER_CELLS_FAILED] = {"failed", "cells of it could not be loaded"},
	[CS_LAYER_ON_THE_WAY] = {"on_the_way", "some of its cells are still on the way"},
	[CS_LAYER_IS_VISIBLE] = {"visible", "all of its cells in range are visible"},
};

const char *cs_layer_verdict_name(enum cs_layer_verdict verdict)
{
	return (unsigned)verdict < CS_LAYER_VERDICTS ? verdicts[verdict].name : "?";
}

const char *cs_layer_verdict_help(enum cs_layer_verdict verdict)
{
	return (unsigned)verdict < CS_LAYER_VERDICTS ? verdicts[verdict].help : "?";
}

static bool is_external(const struct cs_run_world *w, uint32_t layer)
{
	return layer != CS_NONE && w->model.cooked->layers[layer].flags & CS_LAYER_EXTERNAL;
}

/* One cell that has the layer. */
static void count_cell(const struct cs_run_world *w, const struct cs_stream_why *why,
	struct cs_stream_why_layer *ret)
{
	switch (why->reason) {
	case CS_REASON_CLIENT_ONLY:
		ret->absent++;
		return;
	case CS_REASON_NOT_REGISTERED:
	case CS_REASON_HLOD_OFF:
	case CS_REASON_LEVEL_FILTER:
		ret->excluded++;
		ret->excluded_by = why->reason;
		return;
	default:
		break;
	}
	if (why->by_sources == CS_LAYER_UNLOADED)
		return;
	ret->in_range++;
	if (why->by_layers < CS_LAYER_ACTIVATED) {
		ret->held++;
		if (ret->holder == CS_NONE || is_external(w, why->layer))
			ret->holder = why->layer;
	} else {
		ret->failed += why->progress == CS_REASON_FAILED;
	}
}

static enum cs_layer_verdict judge_cells(
	const struct cs_run_world *w, const struct cs_stream_why_layer *why)
{
	const struct {
		bool holds;
		enum cs_layer_verdict verdict;
	} rules[] = {
		{why->view.cells == 0, CS_LAYER_NO_CELLS},
		{why->absent == why->view.cells, CS_LAYER_ABSENT},
		{why->excluded > 0 && why->in_range == 0, CS_LAYER_EXCLUDED},
		{why->in_range == 0, CS_LAYER_OUT_OF_RANGE},
		{why->held > 0 && is_external(w, why->holder), CS_LAYER_EXTERNAL_OFF},
		{why->held > 0, CS_LAYER_OTHERS_OFF},
		{why->failed > 0, CS_LAYER_CELLS_FAILED},
		{why->view.visible < why->in_range, CS_LAYER_ON_THE_WAY},
	};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].holds)
			return rules[i].verdict;
	return CS_LAYER_IS_VISIBLE;
}

static enum cs_layer_verdict judge_layer(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t layer, struct cs_stream_why_layer *why)
{
	bool sent = s->role == CS_ROLE_CLIENT &&
		    w->model.cooked->layers[layer].filter == CS_FILTER_NONE;
	if (!why->view.runtime)
		return CS_LAYER_IS_EDITOR;
	if (!why->view.on_role)
		return CS_LAYER_OTHER_ROLE;
	if (why->view.limited_by != CS_NONE) {
		why->holder = why->view.limited_by;
		return CS_LAYER_ANCESTOR;
	}
	if (why->view.effective != CS_LAYER_ACTIVATED)
		return sent ? CS_LAYER_NOT_SENT : CS_LAYER_NOT_ACTIVATED;
	return judge_cells(w, why);
}

struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_why_layer *ret)
{
	struct cs_stream_why_layer answer = {.holder = CS_NONE};
	struct cs_error *error = cs_stream_layer(stream, world, layer, &answer.view);
	if (error)
		return error;
	const struct cs_run_world *w = stream->worlds.at[world];
	for (uint32_t i = 0; !error && i < w->model.n_cells; i++) {
		struct cs_stream_why why;
		if (!cs_run_cell_has_layer(w, i, layer))
			continue;
		error = cs_stream_why(stream, (struct cs_stream_cell){world, i}, &why);
		if (!error)
			count_cell(w, &why, &answer);
	}
	if (error)
		return error;
	answer.verdict = judge_layer(stream, w, layer, &answer);
	*ret = answer;
	return NULL;
}
