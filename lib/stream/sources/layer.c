/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data layers at run time (rule 2.8): the target and effective states of the layers of a world
 * partition, and the state that they allow a cell, which is computed once for each set of layers
 * after a change of effective states (a new epoch).
 *
 * Parents precede children in the table of layers, so one pass computes every effective state.
 * Editor layers do not exist at run time: their parent's state is passed on to their children.
 */
#include "core/items.h"
#include "stream/stream_internal.h"
#include <cellscope/cooked_values.h>

static bool run_layer_is_runtime(const struct cs_run_world *world, uint32_t layer)
{
	return world->model.cooked->layers[layer].type == CS_LAYER_RUNTIME;
}

static uint8_t minimum(uint8_t left, uint8_t right)
{
	return left < right ? left : right;
}

/*
 * Computes the effective state of each data layer from the target states. For an editor layer it is
 * the state of its parent, which is passed on to its children.
 */
void cs_run_layers_effective(
	const struct cs_run_world *world, const uint8_t *target, uint8_t *effective)
{
	const struct cs_cooked *cooked = world->model.cooked;
	for (uint32_t i = 0; i < cooked->n_layers; i++) {
		uint32_t parent = cooked->layers[i].parent;
		uint8_t above = parent == CS_NONE ? CS_LAYER_ACTIVATED : effective[parent];
		effective[i] = run_layer_is_runtime(world, i) ? minimum(target[i], above) : above;
	}
}

/* ---- layers that exist in a role ---- */

/* Returns whether a layer with this load filter exists in the role of the run. */
static bool run_layer_on_role(const struct cs_stream *stream, const struct cs_cooked_layer *layer)
{
	switch ((enum cs_layer_filter)layer->filter) {
	case CS_FILTER_CLIENT_ONLY:
		return !cs_run_is_server(stream);
	case CS_FILTER_SERVER_ONLY:
		return stream->role != CS_ROLE_CLIENT;
	default:
		return true;
	}
}

enum cs_layer_answer cs_run_layer_may_set(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t layer, bool replicated)
{
	const struct cs_cooked_layer *row = &world->model.cooked->layers[layer];
	if (!run_layer_is_runtime(world, layer))
		return CS_LAYER_NOT_RUNTIME;
	if (!run_layer_on_role(stream, row))
		return CS_LAYER_WRONG_ROLE;
	if (row->filter == CS_FILTER_NONE && stream->role == CS_ROLE_CLIENT && !replicated)
		return CS_LAYER_NO_AUTHORITY;
	return CS_LAYER_SET;
}

/* ---- creating and freeing ---- */

static struct cs_error *override_initial(struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_stream_options *options)
{
	for (size_t i = 0; options && i < options->n_initial; i++) {
		const struct cs_stream_initial *initial = &options->initial[i];
		uint32_t layer = cs_stream_find_layer(stream, world->id, initial->layer);
		if (layer == CS_NONE)
			return cs_error_new(CS_E_NOLAYER, "the world has no data layer '%.100s'",
				initial->layer);
		if ((unsigned)initial->state > CS_LAYER_ACTIVATED)
			return cs_error_new(CS_E_SETTING,
				"the initial state of data layer '%.100s' must be 0 (unloaded), 1 "
				"(loaded) or 2 (activated), not %d",
				initial->layer, (int)initial->state);
		world->layers.initial[layer] = (uint8_t)initial->state;
	}
	return NULL;
}

struct cs_error *cs_run_layers_init(struct cs_stream *stream, struct cs_run_world *world,
	const struct cs_stream_options *options)
{
	const struct cs_cooked *cooked = world->model.cooked;
	struct cs_arena *arena = &world->layers.arena;
	size_t n = cooked->n_layers + 1, sets = world->model.n_sets;
	world->layers.initial = CS_ARENA_ARRAY(arena, uint8_t, n);
	world->layers.target = CS_ARENA_ARRAY(arena, uint8_t, n);
	world->layers.effective = CS_ARENA_ARRAY(arena, uint8_t, n);
	world->layers.decided = CS_ARENA_ARRAY(arena, uint8_t, n);
	world->layers.set_wanted = CS_ARENA_ARRAY(arena, uint8_t, sets);
	world->layers.set_epoch = CS_ARENA_ARRAY(arena, uint64_t, sets);
	world->layers.set_disallowed = CS_ARENA_ARRAY(arena, bool, sets);
	if (arena->failed)
		return cs_error_nomem();
	for (size_t i = 0; i < cooked->n_layers; i++)
		if (run_layer_is_runtime(world, (uint32_t)i) &&
			run_layer_on_role(stream, &cooked->layers[i]))
			world->layers.initial[i] = (uint8_t)cooked->layers[i].initial;
	struct cs_error *error = override_initial(stream, world, options);
	if (error)
		return error;
	memcpy(world->layers.target, world->layers.initial, cooked->n_layers);
	cs_run_layers_effective(world, world->layers.target, world->layers.effective);
	memcpy(world->layers.decided, world->layers.effective, cooked->n_layers);
	return NULL;
}

/* ---- the state that layers allow a cell ---- */

static enum cs_layer_state layer_combine(
	const struct cs_run_world *world, struct cs_range layers, const uint8_t *effective)
{
	uint8_t least = CS_LAYER_ACTIVATED, most = CS_LAYER_UNLOADED;
	for (uint32_t i = 0; i < layers.count; i++) {
		uint8_t state = effective[world->model.layer_lists[layers.first + i]];
		least = minimum(least, state);
		most = state > most ? state : most;
	}
	return world->model.cooked->world->layers_operator == CS_LAYERS_AND ? least : most;
}

enum cs_layer_state cs_run_set_wanted(const struct cs_stream *stream,
	const struct cs_run_world *world, uint32_t set, const uint8_t *effective)
{
	const struct cs_run_layer_set *row = &world->model.sets[set];
	uint8_t external = CS_LAYER_ACTIVATED;
	if (row->external != CS_NONE)
		external = effective[row->external];
	if (external != CS_LAYER_ACTIVATED && !stream->rules->external_caps)
		return CS_LAYER_UNLOADED;
	if (row->layers.count == 0)
		return external;
	return minimum(external, (uint8_t)layer_combine(world, row->layers, effective));
}

void cs_run_layers_decide(struct cs_run_world *world)
{
	if (world->layers.decided_epoch == world->layers.epoch)
		return;
	memcpy(world->layers.decided, world->layers.effective, world->model.cooked->n_layers);
	world->layers.decided_epoch = world->layers.epoch;
}

enum cs_layer_state cs_run_layers_allow(
	const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	uint32_t set = world->model.layer_set[cell];
	if (set == 0)
		return CS_LAYER_ACTIVATED;
	if (world->layers.set_epoch[set] != world->layers.decided_epoch + 1) {
		world->layers.set_wanted[set] =
			(uint8_t)cs_run_set_wanted(stream, world, set, world->layers.decided);
		world->layers.set_epoch[set] = world->layers.decided_epoch + 1;
	}
	return world->layers.set_wanted[set];
}

/* ---- setting the state of a layer ---- */

bool cs_run_layer_is_below(const struct cs_run_world *world, uint32_t layer, uint32_t above)
{
	while (layer != CS_NONE && layer != above)
		layer = world->model.cooked->layers[layer].parent;
	return layer == above;
}

static void layer_resolve(struct cs_stream *stream, struct cs_run_world *world)
{
	const struct cs_cooked *cooked = world->model.cooked;
	for (uint32_t i = 0; i < cooked->n_layers; i++) {
		uint32_t parent = cooked->layers[i].parent;
		uint8_t above =
			parent == CS_NONE ? CS_LAYER_ACTIVATED : world->layers.effective[parent];
		uint8_t before = world->layers.effective[i];
		bool runtime = run_layer_is_runtime(world, i);
		world->layers.effective[i] =
			runtime ? minimum(world->layers.target[i], above) : above;
		if (runtime && world->layers.effective[i] != before)
			cs_run_event(stream, CS_EVENT_LAYER,
				(struct cs_stream_cell){world->id, CS_NONE}, i, before,
				world->layers.effective[i], CS_REASON_LAYERS);
	}
}

static enum cs_layer_answer set_target(struct cs_stream *stream, struct cs_run_world *world,
	uint32_t layer, enum cs_layer_state state, bool replicated)
{
	enum cs_layer_answer answer = cs_run_layer_may_set(stream, world, layer, replicated);
	if (answer != CS_LAYER_SET)
		return answer;
	if (world->layers.target[layer] == state)
		return CS_LAYER_UNCHANGED;
	world->layers.target[layer] = (uint8_t)state;
	world->layers.epoch++;
	return CS_LAYER_SET;
}

struct cs_error *cs_run_apply_layer(struct cs_stream *stream, const struct cs_stream_input *input)
{
	struct cs_run_world *world = stream->worlds.at[input->world];
	uint64_t epoch = world->layers.epoch;
	set_target(stream, world, input->row, input->state, input->replicated);
	for (uint32_t i = input->row + 1; input->on && i < world->model.cooked->n_layers; i++)
		if (cs_run_layer_is_below(world, i, input->row))
			set_target(stream, world, i, input->state, input->replicated);
	if (world->layers.epoch != epoch)
		layer_resolve(stream, world);
	return NULL;
}

struct cs_error *cs_run_check_layer(const struct cs_stream *stream, uint32_t world, uint32_t layer)
{
	if (world >= stream->worlds.n || layer >= stream->worlds.at[world]->model.cooked->n_layers)
		return cs_error_new(CS_E_NOLAYER,
			"world partition %u of the run has no data layer %u (both are counted from "
			"0)",
			world, layer);
	return NULL;
}

/* ---- layers whose cells a server must not stream out ---- */

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

static bool listed(const struct cs_stream *stream, const struct cs_cooked *cooked, uint32_t layer)
{
	const char *list = stream->variables.disallow;
	struct cs_item item;
	while (cs_next_item(&list, &item)) {
		size_t blank = strspn(item.at, " ");
		if (blank < item.n && names_layer(cooked, layer, item.at + blank, item.n - blank))
			return true;
	}
	return false;
}

void cs_run_disallow_update(struct cs_stream *stream, struct cs_run_world *world)
{
	for (size_t i = 0; i < world->model.n_sets; i++) {
		const struct cs_run_layer_set *set = &world->model.sets[i];
		bool found = set->external != CS_NONE &&
			     listed(stream, world->model.cooked, set->external);
		for (uint32_t k = 0; !found && k < set->layers.count; k++)
			found = listed(stream, world->model.cooked,
				world->model.layer_lists[set->layers.first + k]);
		world->layers.set_disallowed[i] = found;
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

/* ---- what a user sees of a layer ---- */

static uint32_t limiting_layer(const struct cs_run_world *world, uint32_t layer)
{
	const struct cs_cooked *cooked = world->model.cooked;
	uint8_t least = world->layers.target[layer];
	uint32_t limit = CS_NONE;
	for (uint32_t i = cooked->layers[layer].parent; i != CS_NONE;
		i = cooked->layers[i].parent) {
		if (run_layer_is_runtime(world, i) && world->layers.target[i] < least) {
			least = world->layers.target[i];
			limit = i;
		}
	}
	return limit;
}

struct cs_error *cs_run_layer_record(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_layer_view *ret)
{
	struct cs_error *error = cs_run_check_layer(stream, world, layer);
	if (error)
		return error;
	const struct cs_run_world *run_world = stream->worlds.at[world];
	*ret = (struct cs_stream_layer_view){
		.initial = run_world->layers.initial[layer],
		.target = run_world->layers.target[layer],
		.effective = run_world->layers.effective[layer],
		.limited_by = limiting_layer(run_world, layer),
		.runtime = run_layer_is_runtime(run_world, layer),
		.on_role = run_layer_on_role(stream, &run_world->model.cooked->layers[layer]),
	};
	return NULL;
}

bool cs_run_has_layer(const struct cs_stream *stream, struct cs_stream_cell cell, uint32_t layer)
{
	const struct cs_run_model *model = &stream->worlds.at[cell.world]->model;
	const struct cs_run_layer_set *row = &model->sets[model->layer_set[cell.cell]];
	if (!model->layer_set[cell.cell])
		return false;
	for (uint32_t i = 0; i < row->layers.count; i++)
		if (model->layer_lists[row->layers.first + i] == layer)
			return true;
	return row->external == layer;
}

/* ---- writing and reading the states ---- */

void cs_run_layers_code(struct cs_codec *codec, struct cs_run_layers *layers, uint32_t n)
{
	uint32_t end = CS_NONE;
	if (codec->in)
		memcpy(layers->target, layers->initial, n);
	for (uint32_t i = 0; codec->out && i < n; i++) {
		if (layers->target[i] == layers->initial[i])
			continue;
		cs_code_u32(codec, &i);
		cs_code_u8(codec, &layers->target[i]);
	}
	cs_code_u32(codec, &end);
	while (codec->in && end < n) {
		cs_code_u8(codec, &layers->target[end]);
		cs_code_u32(codec, &end);
	}
	cs_code_u64(codec, &layers->epoch);
	if (!codec->log)
		return;
	cs_code_u64(codec, &layers->decided_epoch);
	for (uint32_t i = 0; i < n; i++)
		cs_code_u8(codec, &layers->decided[i]);
}
