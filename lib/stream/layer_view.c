/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: looking at data layers: how they stand, and what a state of one would change.
 */
#include "stream/stream_internal.h"

static uint32_t limiting_layer(const struct cs_run_world *w, uint32_t layer)
{
	const struct cs_cooked *cooked = w->model.cooked;
	uint8_t least = w->layers.target[layer];
	uint32_t limit = CS_NONE;
	for (uint32_t i = cooked->layers[layer].parent; i != CS_NONE;
		i = cooked->layers[i].parent) {
		if (cs_run_layer_is_runtime(w, i) && w->layers.target[i] < least) {
			least = w->layers.target[i];
			limit = i;
		}
	}
	return limit;
}

struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_layer_view *ret)
{
	struct cs_error *error = cs_run_check_layer(stream, world, layer);
	if (error)
		return error;
	const struct cs_run_world *w = stream->worlds.at[world];
	struct cs_stream_layer_view view = {
		.initial = w->layers.initial[layer],
		.target = w->layers.target[layer],
		.effective = w->layers.effective[layer],
		.limited_by = limiting_layer(w, layer),
		.runtime = cs_run_layer_is_runtime(w, layer),
		.on_role = cs_run_layer_on_role(stream, &w->model.cooked->layers[layer]),
	};
	for (uint32_t i = 0; i < w->model.n_cells; i++) {
		if (!cs_run_cell_has_layer(w, i, layer))
			continue;
		const struct cs_run_cell *r = cs_run_find(w, i);
		view.cells++;
		view.in_range += cs_run_in_range(stream, w, i);
		view.loaded += r && cs_run_level_loaded(r->level);
		view.visible += r && r->level == CS_LEVEL_VISIBLE;
	}
	*ret = view;
	return NULL;
}

static uint8_t *target_if_set(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t layer, enum cs_layer_state state, bool recursive)
{
	size_t n = w->model.cooked->n_layers;
	uint8_t *target = malloc(2 * n + 1);
	if (!target)
		return NULL;
	memcpy(target, w->layers.target, n);
	for (uint32_t i = layer; i < n; i++)
		if ((i == layer || (recursive && cs_run_layer_is_below(w, i, layer))) &&
			cs_run_layer_may_set(s, w, i, false) == CS_LAYER_SET)
			target[i] = (uint8_t)state;
	cs_run_layers_effective(w, target, target + n);
	return target;
}

struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret)
{
	struct cs_error *error = cs_run_check_layer(stream, world, layer);
	CS_VEC(struct cs_stream_impact) rows = {0};
	if (error)
		return error;
	const struct cs_run_world *w = stream->worlds.at[world];
	uint8_t *target = target_if_set(stream, w, layer, state, recursive);
	if (!target)
		return cs_error_nomem();
	const uint8_t *effective = target + w->model.cooked->n_layers;
	for (uint32_t i = 0; !error && i < w->model.n_cells; i++) {
		uint32_t set = w->model.layer_set[i];
		struct cs_stream_impact row = {.cell = i,
			.before = cs_run_set_wanted(stream, w, set, w->layers.effective),
			.after = cs_run_set_wanted(stream, w, set, effective)};
		if (row.before == row.after)
			continue;
		row.in_range = cs_run_in_range(stream, w, i);
		if (!cs_vec_push(&rows, row))
			error = cs_error_nomem();
	}
	free(target);
	if (error) {
		cs_vec_free(&rows);
		return error;
	}
	*rows_ret = rows.at;
	*n_ret = rows.n;
	return NULL;
}
