/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns data layers at run time (rule 2.8): target and effective states of the layers of one world
 * partition, and what they allow a cell, computed once for each set of layers and epoch.
 *
 * Parents precede children in the table, so one pass computes every effective state. Editor layers
 * do not exist at run time: their parent's state passes through to their children.
 */
#include "core/items.h"
#include "stream/stream_internal.h"
#include <cellscope/cooked_values.h>

static bool run_layer_is_runtime(const struct cs_run_world *w, uint32_t layer)
{
	return w->model.cooked->layers[layer].type == CS_LAYER_RUNTIME;
}

static uint8_t minimum(uint8_t left, uint8_t right)
{
	return left < right ? left : right;
}

/* For an editor layer, `effective` is what it passes on; no cell reads it. */
void cs_run_layers_effective(
	const struct cs_run_world *w, const uint8_t *target, uint8_t *effective)
{
	const struct cs_cooked *cooked = w->model.cooked;
	for (uint32_t i = 0; i < cooked->n_layers; i++) {
		uint32_t parent = cooked->layers[i].parent;
		uint8_t above = parent == CS_NONE ? CS_LAYER_ACTIVATED : effective[parent];
		effective[i] = run_layer_is_runtime(w, i) ? minimum(target[i], above) : above;
	}
}

/* ---- roles ---- */

/* Returns whether a layer with this load filter exists in the role. */
static bool run_layer_on_role(const struct cs_stream *s, const struct cs_cooked_layer *layer)
{
	switch ((enum cs_layer_filter)layer->filter) {
	case CS_FILTER_CLIENT_ONLY:
		return !cs_run_is_server(s);
	case CS_FILTER_SERVER_ONLY:
		return s->role != CS_ROLE_CLIENT;
	default:
		return true;
	}
}

enum cs_layer_answer cs_run_layer_may_set(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t layer, bool replicated)
{
	const struct cs_cooked_layer *row = &w->model.cooked->layers[layer];
	if (!run_layer_is_runtime(w, layer))
		return CS_LAYER_NOT_RUNTIME;
	if (!run_layer_on_role(s, row))
		return CS_LAYER_WRONG_ROLE;
	if (row->filter == CS_FILTER_NONE && s->role == CS_ROLE_CLIENT && !replicated)
		return CS_LAYER_NO_AUTHORITY;
	return CS_LAYER_SET;
}

/* ---- life ---- */

static struct cs_error *override_initial(
	struct cs_stream *s, struct cs_run_world *w, const struct cs_stream_options *options)
{
	for (size_t i = 0; options && i < options->n_initial; i++) {
		const struct cs_stream_initial *initial = &options->initial[i];
		uint32_t layer = cs_stream_find_layer(s, w->id, initial->layer);
		if (layer == CS_NONE)
			return cs_error_new(CS_E_NOLAYER, "no data layer '%.100s'", initial->layer);
		if ((unsigned)initial->state > CS_LAYER_ACTIVATED)
			return cs_error_new(
				CS_E_SETTING, "data layer '%.100s': no such state", initial->layer);
		w->layers.initial[layer] = (uint8_t)initial->state;
	}
	return NULL;
}

struct cs_error *cs_run_layers_init(
	struct cs_stream *s, struct cs_run_world *w, const struct cs_stream_options *options)
{
	const struct cs_cooked *cooked = w->model.cooked;
	size_t n = cooked->n_layers + 1, sets = w->model.n_sets;
	w->layers.initial = calloc(n, 1);
	w->layers.target = calloc(n, 1);
	w->layers.effective = calloc(n, 1);
	w->layers.decided = calloc(n, 1);
	w->layers.set_wanted = calloc(sets, sizeof(*w->layers.set_wanted));
	w->layers.set_epoch = calloc(sets, sizeof(*w->layers.set_epoch));
	w->layers.set_disallowed = calloc(sets, sizeof(*w->layers.set_disallowed));
	if (!w->layers.initial || !w->layers.target || !w->layers.effective || !w->layers.decided ||
		!w->layers.set_wanted || !w->layers.set_epoch || !w->layers.set_disallowed)
		return cs_error_nomem();
	for (size_t i = 0; i < cooked->n_layers; i++)
		if (run_layer_is_runtime(w, (uint32_t)i) &&
			run_layer_on_role(s, &cooked->layers[i]))
			w->layers.initial[i] = (uint8_t)cooked->layers[i].initial;
	struct cs_error *error = override_initial(s, w, options);
	if (error)
		return error;
	memcpy(w->layers.target, w->layers.initial, cooked->n_layers);
	cs_run_layers_effective(w, w->layers.target, w->layers.effective);
	memcpy(w->layers.decided, w->layers.effective, cooked->n_layers);
	return NULL;
}

void cs_run_layers_deinit(struct cs_run_world *w)
{
	free(w->layers.initial);
	free(w->layers.target);
	free(w->layers.effective);
	free(w->layers.decided);
	free(w->layers.set_wanted);
	free(w->layers.set_epoch);
	free(w->layers.set_disallowed);
}

/* ---- what layers allow a cell ---- */

static enum cs_layer_state layer_combine(
	const struct cs_run_world *w, struct cs_range layers, const uint8_t *effective)
{
	uint8_t least = CS_LAYER_ACTIVATED, most = CS_LAYER_UNLOADED;
	for (uint32_t i = 0; i < layers.count; i++) {
		uint8_t state = effective[w->model.layer_lists[layers.first + i]];
		least = minimum(least, state);
		most = state > most ? state : most;
	}
	return w->model.cooked->world->layers_operator == CS_LAYERS_AND ? least : most;
}

enum cs_layer_state cs_run_set_wanted(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t set, const uint8_t *effective)
{
	const struct cs_run_layer_set *row = &w->model.sets[set];
	uint8_t external = CS_LAYER_ACTIVATED;
	if (row->external != CS_NONE)
		external = effective[row->external];
	if (external != CS_LAYER_ACTIVATED && !s->rules->external_caps)
		return CS_LAYER_UNLOADED;
	if (row->layers.count == 0)
		return external;
	return minimum(external, (uint8_t)layer_combine(w, row->layers, effective));
}

void cs_run_layers_decide(struct cs_run_world *w)
{
	if (w->layers.decided_epoch == w->layers.epoch)
		return;
	memcpy(w->layers.decided, w->layers.effective, w->model.cooked->n_layers);
	w->layers.decided_epoch = w->layers.epoch;
}

enum cs_layer_state cs_run_layers_allow(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	uint32_t set = w->model.layer_set[cell];
	if (set == 0)
		return CS_LAYER_ACTIVATED;
	if (w->layers.set_epoch[set] != w->layers.decided_epoch + 1) {
		w->layers.set_wanted[set] =
			(uint8_t)cs_run_set_wanted(s, w, set, w->layers.decided);
		w->layers.set_epoch[set] = w->layers.decided_epoch + 1;
	}
	return w->layers.set_wanted[set];
}

/* ---- setting ---- */

bool cs_run_layer_is_below(const struct cs_run_world *w, uint32_t layer, uint32_t above)
{
	while (layer != CS_NONE && layer != above)
		layer = w->model.cooked->layers[layer].parent;
	return layer == above;
}

static void layer_resolve(struct cs_stream *s, struct cs_run_world *w)
{
	const struct cs_cooked *cooked = w->model.cooked;
	for (uint32_t i = 0; i < cooked->n_layers; i++) {
		uint32_t parent = cooked->layers[i].parent;
		uint8_t above =
			parent == CS_NONE ? CS_LAYER_ACTIVATED : w->layers.effective[parent];
		uint8_t before = w->layers.effective[i];
		bool runtime = run_layer_is_runtime(w, i);
		w->layers.effective[i] = runtime ? minimum(w->layers.target[i], above) : above;
		if (runtime && w->layers.effective[i] != before)
			cs_run_event(s, CS_EVENT_LAYER, (struct cs_stream_cell){w->id, CS_NONE}, i,
				before, w->layers.effective[i], CS_REASON_LAYERS);
	}
}

static enum cs_layer_answer set_target(struct cs_stream *s, struct cs_run_world *w, uint32_t layer,
	enum cs_layer_state state, bool replicated)
{
	enum cs_layer_answer answer = cs_run_layer_may_set(s, w, layer, replicated);
	if (answer != CS_LAYER_SET)
		return answer;
	if (w->layers.target[layer] == state)
		return CS_LAYER_UNCHANGED;
	w->layers.target[layer] = (uint8_t)state;
	w->layers.epoch++;
	return CS_LAYER_SET;
}

struct cs_error *cs_run_apply_layer(struct cs_stream *s, const struct cs_stream_input *input)
{
	struct cs_run_world *w = s->worlds.at[input->world];
	uint64_t epoch = w->layers.epoch;
	set_target(s, w, input->row, input->state, input->replicated);
	for (uint32_t i = input->row + 1; input->on && i < w->model.cooked->n_layers; i++)
		if (cs_run_layer_is_below(w, i, input->row))
			set_target(s, w, i, input->state, input->replicated);
	if (w->layers.epoch != epoch)
		layer_resolve(s, w);
	return NULL;
}

struct cs_error *cs_run_check_layer(const struct cs_stream *s, uint32_t world, uint32_t layer)
{
	if (world >= s->worlds.n || layer >= s->worlds.at[world]->model.cooked->n_layers)
		return cs_error_new(CS_E_NOLAYER, "no data layer %u of world %u", layer, world);
	return NULL;
}

/* ---- layers that a server keeps ---- */

static bool names_layer(const struct cs_cooked *cooked, uint32_t layer, const char *item, size_t n)
{
	const char *asset = cs_cooked_text(cooked, cooked->layers[layer].asset);
	const char *slash = strrchr(asset, '/');
	const char *dot = strrchr(asset, '.');
	const char *const names[] = {cs_cooked_text(cooked, cooked->layers[layer].name),
		cs_cooked_text(cooked, cooked->layers[layer].label), asset,
		slash ? slash + 1 : asset, dot ? dot + 1 : asset};
	char text[256];
	if (n == 0 || n >= sizeof(text))
		return false;
	memcpy(text, item, n);
	text[n] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (cs_name_compare(names[i], text) == 0)
			return true;
	return false;
}

static bool listed(const struct cs_stream *s, const struct cs_cooked *cooked, uint32_t layer)
{
	const char *list = s->variables.disallow;
	struct cs_item item;
	while (cs_next_item(&list, &item)) {
		size_t blank = strspn(item.at, " ");
		if (blank < item.n && names_layer(cooked, layer, item.at + blank, item.n - blank))
			return true;
	}
	return false;
}

void cs_run_disallow_update(struct cs_stream *s, struct cs_run_world *w)
{
	for (size_t i = 0; i < w->model.n_sets; i++) {
		const struct cs_run_layer_set *set = &w->model.sets[i];
		bool found = set->external != CS_NONE && listed(s, w->model.cooked, set->external);
		for (uint32_t k = 0; !found && k < set->layers.count; k++)
			found = listed(
				s, w->model.cooked, w->model.layer_lists[set->layers.first + k]);
		w->layers.set_disallowed[i] = found;
	}
}

uint32_t cs_stream_find_layer(const struct cs_stream *stream, uint32_t world, const char *name)
{
	if (world >= stream->worlds.n)
		return CS_NONE;
	const struct cs_cooked *cooked = stream->worlds.at[world]->model.cooked;
	for (uint32_t i = 0; i < cooked->n_layers; i++)
		if (cs_name_compare(cs_cooked_text(cooked, cooked->layers[i].name), name) == 0)
			return i;
	for (uint32_t i = 0; i < cooked->n_layers; i++)
		if (names_layer(cooked, i, name, strlen(name)))
			return i;
	return CS_NONE;
}

/* ---- how a layer stands ---- */

static uint32_t limiting_layer(const struct cs_run_world *w, uint32_t layer)
{
	const struct cs_cooked *cooked = w->model.cooked;
	uint8_t least = w->layers.target[layer];
	uint32_t limit = CS_NONE;
	for (uint32_t i = cooked->layers[layer].parent; i != CS_NONE;
		i = cooked->layers[i].parent) {
		if (run_layer_is_runtime(w, i) && w->layers.target[i] < least) {
			least = w->layers.target[i];
			limit = i;
		}
	}
	return limit;
}

struct cs_error *cs_run_layer_record(
	const struct cs_stream *s, uint32_t world, uint32_t layer, struct cs_stream_layer_view *ret)
{
	struct cs_error *error = cs_run_check_layer(s, world, layer);
	if (error)
		return error;
	const struct cs_run_world *w = s->worlds.at[world];
	*ret = (struct cs_stream_layer_view){
		.initial = w->layers.initial[layer],
		.target = w->layers.target[layer],
		.effective = w->layers.effective[layer],
		.limited_by = limiting_layer(w, layer),
		.runtime = run_layer_is_runtime(w, layer),
		.on_role = run_layer_on_role(s, &w->model.cooked->layers[layer]),
	};
	return NULL;
}

static bool run_cell_has_layer(const struct cs_run_world *w, uint32_t cell, uint32_t layer)
{
	const struct cs_run_layer_set *row = &w->model.sets[w->model.layer_set[cell]];
	if (!w->model.layer_set[cell])
		return false;
	for (uint32_t i = 0; i < row->layers.count; i++)
		if (w->model.layer_lists[row->layers.first + i] == layer)
			return true;
	return row->external == layer;
}

bool cs_run_has_layer(const struct cs_stream *s, struct cs_stream_cell cell, uint32_t layer)
{
	return run_cell_has_layer(s->worlds.at[cell.world], cell.cell, layer);
}

/* ---- as bytes ---- */

void cs_run_layers_code(struct cs_codec *c, struct cs_run_layers *layers, uint32_t n)
{
	uint32_t end = CS_NONE;
	if (c->in)
		memcpy(layers->target, layers->initial, n);
	for (uint32_t i = 0; c->out && i < n; i++) {
		if (layers->target[i] == layers->initial[i])
			continue;
		cs_code_u32(c, &i);
		cs_code_u8(c, &layers->target[i]);
	}
	cs_code_u32(c, &end);
	while (c->in && end < n) {
		cs_code_u8(c, &layers->target[end]);
		cs_code_u32(c, &end);
	}
	cs_code_u64(c, &layers->epoch);
	if (!c->log)
		return;
	cs_code_u64(c, &layers->decided_epoch);
	for (uint32_t i = 0; i < n; i++)
		cs_code_u8(c, &layers->decided[i]);
}
