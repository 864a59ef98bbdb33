/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HLOD actors at run time (rule 2.9). Whether an HLOD actor is shown follows from the levels of the
 * cell that contains it and of the cell that it represents, so only the warm-up is stored.
 *
 * Warm-up: a cell that contains an HLOD actor is not shown, and the cell that the actor replaces is
 * not hidden, until PrepareToWarmup was called for the actor in NumFrames + 1 consecutive frames. A
 * frame without a call resets the count.
 */
#include "stream/stream_internal.h"

/* Returns whether the cell's level, and so its actors, are in the world. */
static bool in_world(const struct cs_run_world *world, uint32_t cell)
{
	const struct cs_run_cell *resident = cell == CS_NONE ? NULL : cs_run_find(world, cell);
	return resident && (resident->level == CS_LEVEL_VISIBLE ||
				   resident->level == CS_LEVEL_MAKING_INVISIBLE);
}

static enum cs_hlod_state hlod_state_of(
	const struct cs_stream *stream, bool loaded, bool outdated, bool source_visible)
{
	if (!loaded)
		return source_visible ? CS_HLOD_AWAY : CS_HLOD_HOLE;
	if (outdated)
		return CS_HLOD_OUTDATED;
	return source_visible || !stream->hlod_enabled ? CS_HLOD_HIDDEN : CS_HLOD_SHOWN;
}

static enum cs_hlod_state run_hlod_state(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t hlod)
{
	const struct cs_cooked_hlod *row = &world->model.cooked->hlods[hlod];
	enum cs_hlod_state state = hlod_state_of(stream, in_world(world, row->home),
		row->cell == CS_NONE, in_world(world, row->cell));
	bool begun = stream->clock.frame > 0 && world->registered;
	return state == CS_HLOD_HOLE && !begun ? CS_HLOD_AWAY : state;
}

bool cs_run_hlods_init(struct cs_run_world *world)
{
	world->hlods.warm_slot =
		calloc(world->model.cooked->n_hlods + 1, sizeof(*world->hlods.warm_slot));
	return world->hlods.warm_slot != NULL;
}

/* ---- warm-up ---- */

static struct cs_run_warm *find_warm(const struct cs_run_world *world, uint32_t hlod)
{
	uint32_t slot = world->hlods.warm_slot[hlod];
	return slot < world->hlods.warm.n && world->hlods.warm.at[slot].hlod == hlod
		       ? &world->hlods.warm.at[slot]
		       : NULL;
}

static void drop_warm(struct cs_run_world *world, struct cs_run_warm *warm)
{
	*warm = world->hlods.warm.at[--world->hlods.warm.n];
	world->hlods.warm_slot[warm->hlod] = (uint32_t)(warm - world->hlods.warm.at);
}

static bool warms(const struct cs_stream *stream)
{
	bool nanite = cs_run_number(stream, CS_VAR_HLOD_NANITE) != 0 &&
		      cs_run_number(stream, CS_VAR_WARMUP_NANITE) != 0;
	bool textures = cs_run_number(stream, CS_VAR_HLOD_VT) != 0 &&
			cs_run_number(stream, CS_VAR_WARMUP_VT) != 0;
	return cs_run_number(stream, CS_VAR_WARMUP) != 0 &&
	       cs_run_number(stream, CS_VAR_WARMUP_FRAMES) > 0 && (nanite || textures) &&
	       stream->role != CS_ROLE_DEDICATED_SERVER;
}

static bool hlod_warms(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t hlod)
{
	return !(world->model.cooked->hlods[hlod].flags & CS_HLOD_NO_WARMUP) && warms(stream);
}

/* Counts the frame as a warmup frame of the HLOD actor; returns whether the actor is warm. */
static bool hlod_prepare(struct cs_stream *stream, struct cs_run_world *world, uint32_t hlod)
{
	if (!hlod_warms(stream, world, hlod))
		return true;
	struct cs_run_warm *warm = find_warm(world, hlod);
	if (!warm) {
		world->hlods.warm_slot[hlod] = (uint32_t)world->hlods.warm.n;
		if (!cs_vec_push(&world->hlods.warm,
			    (struct cs_run_warm){hlod,
				    (uint32_t)cs_run_number(stream, CS_VAR_WARMUP_FRAMES),
				    stream->clock.frame}))
			stream->failed = true;
		return false;
	}
	if (warm->frame != stream->clock.frame && warm->left > 0)
		warm->left--;
	warm->frame = stream->clock.frame;
	return warm->left == 0;
}

bool cs_run_can_show(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	bool ready = true;
	if (world->model.n_hlods_by_home == 0 || !warms(stream))
		return true;
	struct cs_range range = cs_run_hlods_at(&world->model, cell);
	for (uint32_t i = 0; i < range.count; i++)
		ready = hlod_prepare(stream, world, world->model.hlods_by_home[range.first + i]) &&
			ready;
	return ready;
}

bool cs_run_can_hide(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	bool ready = true;
	if (world->model.n_hlods_by_source == 0 || !warms(stream))
		return true;
	struct cs_range range = cs_run_hlods_for(&world->model, cell);
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t hlod = world->model.hlods_by_source[range.first + i];
		if (in_world(world, world->model.cooked->hlods[hlod].home))
			ready = hlod_prepare(stream, world, hlod) && ready;
	}
	return ready;
}

static uint32_t most_left(
	const struct cs_run_world *world, const uint32_t *hlods, struct cs_range range)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < range.count; i++) {
		const struct cs_run_warm *warm = find_warm(world, hlods[range.first + i]);
		if (warm && warm->left > most)
			most = warm->left;
	}
	return most;
}

uint32_t cs_run_warm_left(const struct cs_run_world *world, uint32_t cell)
{
	const struct cs_run_model *model = &world->model;
	uint32_t shows = most_left(world, model->hlods_by_home, cs_run_hlods_at(model, cell));
	uint32_t hides = most_left(world, model->hlods_by_source, cs_run_hlods_for(model, cell));
	return shows > hides ? shows : hides;
}

void cs_run_warm_finish(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = world->hlods.warm.n; k-- > 0;)
			if (world->hlods.warm.at[k].frame != stream->clock.frame)
				drop_warm(world, &world->hlods.warm.at[k]);
	}
}

/* ---- showing and hiding HLOD actors ---- */

static void hlod_tell(struct cs_stream *stream, const struct cs_run_world *world, uint32_t hlod,
	enum cs_hlod_state from, enum cs_hlod_state to)
{
	struct cs_stream_cell home = {world->id, world->model.cooked->hlods[hlod].home};
	if (from != to)
		cs_run_event(stream, CS_EVENT_HLOD, home, hlod, from, to, CS_REASON_NONE);
}

/*
 * Called after a cell was shown or hidden: HLOD actors in the cell begin or end play, and those
 * that represent the cell are hidden or shown.
 */
static void switch_hlods(
	struct cs_stream *stream, struct cs_run_world *world, uint32_t cell, bool shown)
{
	const struct cs_cooked *cooked = world->model.cooked;
	struct cs_range range = {0, 0};
	if (world->model.n_hlods_by_home)
		range = cs_run_hlods_at(&world->model, cell);
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t hlod = world->model.hlods_by_home[range.first + i];
		const struct cs_cooked_hlod *row = &cooked->hlods[hlod];
		bool source = in_world(world, row->cell), outdated = row->cell == CS_NONE;
		hlod_tell(stream, world, hlod, hlod_state_of(stream, !shown, outdated, source),
			hlod_state_of(stream, shown, outdated, source));
	}
	range = (struct cs_range){0, 0};
	if (world->model.n_hlods_by_source)
		range = cs_run_hlods_for(&world->model, cell);
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t hlod = world->model.hlods_by_source[range.first + i];
		bool loaded = in_world(world, cooked->hlods[hlod].home);
		struct cs_run_warm *warm = shown ? NULL : find_warm(world, hlod);
		if (warm)
			drop_warm(world, warm);
		hlod_tell(stream, world, hlod, hlod_state_of(stream, loaded, false, !shown),
			hlod_state_of(stream, loaded, false, shown));
	}
}

void cs_run_hlods_shown(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	switch_hlods(stream, world, cell, true);
}

void cs_run_hlods_hidden(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	switch_hlods(stream, world, cell, false);
}

struct cs_error *cs_run_apply_hlod(struct cs_stream *stream, const struct cs_stream_input *input)
{
	stream->hlod_enabled = input->on;
	return NULL;
}

/* ---- answers about HLOD actors ---- */

struct cs_error *cs_run_hlod_record(const struct cs_stream *stream, uint32_t world, uint32_t hlod,
	struct cs_stream_hlod_view *ret)
{
	if (world >= stream->worlds.n || hlod >= stream->worlds.at[world]->model.cooked->n_hlods)
		return cs_error_new(CS_E_MISSING,
			"world partition %u of the run has no HLOD actor %u (both are counted from "
			"0); 'hlods' lists them",
			world, hlod);
	const struct cs_run_world *run_world = stream->worlds.at[world];
	const struct cs_run_warm *warm = find_warm(run_world, hlod);
	*ret = (struct cs_stream_hlod_view){
		.state = run_hlod_state(stream, run_world, hlod),
		.needs_warmup = hlod_warms(stream, run_world, hlod),
		.warm_frames = warm ? warm->left : 0,
		.warming = warm != NULL,
	};
	return NULL;
}

/* ---- writing and reading the warm-up ---- */

static void code_warm(struct cs_codec *codec, struct cs_run_warm *warm)
{
	cs_code_u32(codec, &warm->hlod);
	cs_code_u32(codec, &warm->left);
	cs_code_u64(codec, &warm->frame);
}

static void write_warm(struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	world->policy.found.n = 0;
	for (size_t i = 0; i < world->hlods.warm.n; i++)
		codec->failed |= !cs_vec_push(&world->policy.found, world->hlods.warm.at[i].hlod);
	cs_run_sort_coded(codec, stream, &world->policy.found);
	for (size_t i = 0; i < world->policy.found.n; i++)
		code_warm(codec,
			&world->hlods.warm.at[world->hlods.warm_slot[world->policy.found.at[i]]]);
}

static void read_warm(struct cs_codec *codec, struct cs_run_world *world)
{
	for (size_t i = 0; i < world->hlods.warm.n; i++) {
		struct cs_run_warm *warm = &world->hlods.warm.at[i];
		code_warm(codec, warm);
		if (warm->hlod < world->model.cooked->n_hlods)
			world->hlods.warm_slot[warm->hlod] = (uint32_t)i;
	}
}

void cs_run_warm_code(struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	cs_code_length(codec, &world->hlods.warm);
	if (codec->out)
		write_warm(codec, stream, world);
	else
		read_warm(codec, world);
}

void cs_run_hlods_deinit(struct cs_run_hlods *hlods)
{
	cs_vec_free(&hlods->warm);
	free(hlods->warm_slot);
}
