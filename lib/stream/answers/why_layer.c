/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers questions about data layers: their states, the states of their cells, and why a layer is
 * visible or not. The reason is the first obstacle in the order of judge_layer(): first of the
 * layer itself, then of its cells. For a cell, the recorded decision is read, so the rules of
 * external layers, of layers combined by And and of network roles are not applied again.
 */
#include "stream/decision.h"
#include <cellscope/cooked_values.h>

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
		view.in_range += cs_run_asked_for(stream, cell) > CS_LAYER_UNLOADED;
		view.loaded += level >= CS_LEVEL_NOT_VISIBLE;
		view.visible += level == CS_LEVEL_VISIBLE;
	}
	*ret = view;
	return NULL;
}

static bool is_external(const struct cs_cooked *cooked, uint32_t layer)
{
	return layer != CS_NONE && cooked->layers[layer].flags & CS_LAYER_EXTERNAL;
}

/* Counts a cell that other data layers hold, or that was decided before layers last changed. */
static void count_held(const struct cs_cooked *cooked, const struct cs_stream_why *cell,
	struct cs_stream_why_layer *ret)
{
	if (cell->changed & CS_CHANGED_LAYERS) {
		ret->undecided++;
		return;
	}
	ret->held++;
	if (ret->holder == CS_NONE || is_external(cooked, cell->layer))
		ret->holder = cell->layer;
}

/* Counts one cell of the layer by the reason that was decided for it. */
static void count_cell(const struct cs_cooked *cooked, const struct cs_stream_why *cell,
	struct cs_stream_why_layer *ret)
{
	switch (cell->reason) {
	case CS_REASON_CLIENT_ONLY:
		ret->absent++;
		return;
	case CS_REASON_NOT_REGISTERED:
	case CS_REASON_HLOD_OFF:
	case CS_REASON_LEVEL_FILTER:
		ret->excluded++;
		ret->excluded_by = cell->reason;
		return;
	case CS_REASON_NOT_RUN:
		ret->undecided++;
		return;
	default:
		break;
	}
	if (cell->by_sources == CS_LAYER_UNLOADED)
		return;
	ret->in_range++;
	if (cell->by_layers < CS_LAYER_ACTIVATED) {
		count_held(cooked, cell, ret);
		return;
	}
	ret->failed += cell->progress == CS_REASON_FAILED;
	ret->arrived += cell->progress == CS_REASON_ARRIVED;
	ret->only_loaded += cell->wanted == CS_LAYER_LOADED;
}

static enum cs_layer_verdict judge_cells(
	const struct cs_cooked *cooked, const struct cs_stream_why_layer *why)
{
	const struct {
		bool holds;
		enum cs_layer_verdict verdict;
	} rules[] = {
		{why->view.cells == 0, CS_LAYER_NO_CELLS},
		{why->absent == why->view.cells, CS_LAYER_ABSENT},
		{why->undecided > 0 && why->in_range == 0, CS_LAYER_NOT_RUN},
		{why->excluded > 0 && why->in_range == 0, CS_LAYER_EXCLUDED},
		{why->in_range == 0, CS_LAYER_OUT_OF_RANGE},
		{why->held > 0 && is_external(cooked, why->holder), CS_LAYER_EXTERNAL_OFF},
		{why->held > 0, CS_LAYER_OTHERS_OFF},
		{why->undecided > 0, CS_LAYER_NOT_RUN},
		{why->failed > 0, CS_LAYER_CELLS_FAILED},
		{why->arrived < why->in_range, CS_LAYER_ON_THE_WAY},
		{why->only_loaded > 0, CS_LAYER_ONLY_LOADED},
	};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].holds)
			return rules[i].verdict;
	return CS_LAYER_IS_VISIBLE;
}

static enum cs_layer_verdict judge_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_why_layer *why)
{
	const struct cs_cooked *cooked = cs_stream_world(stream, world).cooked;
	bool sent = cs_stream_status(stream).role == CS_ROLE_CLIENT &&
		    cooked->layers[layer].filter == CS_FILTER_NONE;
	if (!why->view.runtime)
		return CS_LAYER_IS_EDITOR;
	if (!why->view.on_role)
		return CS_LAYER_OTHER_ROLE;
	if (why->view.limited_by != CS_NONE)
		return CS_LAYER_ANCESTOR;
	if (why->view.effective != CS_LAYER_ACTIVATED)
		return sent ? CS_LAYER_NOT_SENT : CS_LAYER_NOT_ACTIVATED;
	return judge_cells(cooked, why);
}

struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_why_layer *ret)
{
	struct cs_stream_why_layer answer = {.holder = CS_NONE};
	struct cs_error *error = cs_stream_layer(stream, world, layer, &answer.view);
	if (error)
		return error;
	const struct cs_cooked *cooked = cs_stream_world(stream, world).cooked;
	for (uint32_t i = 0; i < cooked->n_cells; i++) {
		const struct cs_stream_cell cell = {world, i};
		struct cs_stream_why decision;
		if (!cs_run_has_layer(stream, cell, layer))
			continue;
		cs_run_decision_of(stream, cell, &decision);
		count_cell(cooked, &decision, &answer);
	}
	answer.verdict = judge_layer(stream, world, layer, &answer);
	if (answer.verdict < CS_LAYER_NO_CELLS) {
		/* the layer itself is an obstacle, before any other layer of its cells */
		answer.holder = answer.view.limited_by;
		answer.held = 0;
	}
	*ret = answer;
	return NULL;
}
