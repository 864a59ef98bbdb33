/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns HLODs (rule 2.9). What an HLOD actor shows follows from two levels only, that of the cell
 * which contains it and that of the cell it represents, so it is not stored; only warming up is.
 *
 * Warming up: an actor that is asked in every frame is warm at the (NumFrames + 1)th call in a row.
 * A frame without a call starts the count again.
 */
#include "stream/stream_internal.h"

/* True from the time the level is added to the world until it is removed: its actors then play. */
static bool in_world(const struct cs_run_world *w, uint32_t cell)
{
	const struct cs_run_cell *r = cell == CS_NONE ? NULL : cs_run_find(w, cell);
	return r && (r->level == CS_LEVEL_VISIBLE || r->level == CS_LEVEL_MAKING_INVISIBLE);
}

static enum cs_hlod_state hlod_state_of(
	const struct cs_stream *s, bool loaded, bool outdated, bool source_visible)
{
	if (!loaded)
		return source_visible ? CS_HLOD_AWAY : CS_HLOD_HOLE;
	if (outdated)
		return CS_HLOD_OUTDATED;
	return source_visible || !s->hlod_enabled ? CS_HLOD_HIDDEN : CS_HLOD_SHOWN;
}

static enum cs_hlod_state run_hlod_state(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t hlod)
{
	const struct cs_cooked_hlod *row = &w->model.cooked->hlods[hlod];
	enum cs_hlod_state state = hlod_state_of(
		s, in_world(w, row->home), row->cell == CS_NONE, in_world(w, row->cell));
	bool begun = s->clock.frame > 0 && w->registered;
	return state == CS_HLOD_HOLE && !begun ? CS_HLOD_AWAY : state;
}

bool cs_run_hlods_init(struct cs_run_world *w)
{
	w->hlods.warm_slot = calloc(w->model.cooked->n_hlods + 1, sizeof(*w->hlods.warm_slot));
	return w->hlods.warm_slot != NULL;
}

/* ---- warming ---- */

static struct cs_run_warm *find_warm(const struct cs_run_world *w, uint32_t hlod)
{
	uint32_t slot = w->hlods.warm_slot[hlod];
	return slot < w->hlods.warm.n && w->hlods.warm.at[slot].hlod == hlod
		       ? &w->hlods.warm.at[slot]
		       : NULL;
}

static void drop_warm(struct cs_run_world *w, struct cs_run_warm *warm)
{
	*warm = w->hlods.warm.at[--w->hlods.warm.n];
	w->hlods.warm_slot[warm->hlod] = (uint32_t)(warm - w->hlods.warm.at);
}

static bool warms(const struct cs_stream *s)
{
	bool nanite = cs_run_number(s, CS_VAR_HLOD_NANITE) != 0 &&
		      cs_run_number(s, CS_VAR_WARMUP_NANITE) != 0;
	bool textures =
		cs_run_number(s, CS_VAR_HLOD_VT) != 0 && cs_run_number(s, CS_VAR_WARMUP_VT) != 0;
	return cs_run_number(s, CS_VAR_WARMUP) != 0 && cs_run_number(s, CS_VAR_WARMUP_FRAMES) > 0 &&
	       (nanite || textures) && s->role != CS_ROLE_DEDICATED_SERVER;
}

static bool hlod_warms(const struct cs_stream *s, const struct cs_run_world *w, uint32_t hlod)
{
	return !(w->model.cooked->hlods[hlod].flags & CS_HLOD_NO_WARMUP) && warms(s);
}

/* PrepareToWarmup; true when the actor is warm. */
static bool hlod_prepare(struct cs_stream *s, struct cs_run_world *w, uint32_t hlod)
{
	if (!hlod_warms(s, w, hlod))
		return true;
	struct cs_run_warm *warm = find_warm(w, hlod);
	if (!warm) {
		w->hlods.warm_slot[hlod] = (uint32_t)w->hlods.warm.n;
		if (!cs_vec_push(&w->hlods.warm,
			    (struct cs_run_warm){hlod,
				    (uint32_t)cs_run_number(s, CS_VAR_WARMUP_FRAMES),
				    s->clock.frame}))
			s->failed = true;
		return false;
	}
	if (warm->frame != s->clock.frame && warm->left > 0)
		warm->left--;
	warm->frame = s->clock.frame;
	return warm->left == 0;
}

bool cs_run_can_show(struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	bool ready = true;
	if (w->model.n_hlods_by_home == 0 || !warms(s))
		return true;
	struct cs_range range = cs_run_hlods_at(&w->model, cell);
	for (uint32_t i = 0; i < range.count; i++)
		ready = hlod_prepare(s, w, w->model.hlods_by_home[range.first + i]) && ready;
	return ready;
}

bool cs_run_can_hide(struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	bool ready = true;
	if (w->model.n_hlods_by_source == 0 || !warms(s))
		return true;
	struct cs_range range = cs_run_hlods_for(&w->model, cell);
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t hlod = w->model.hlods_by_source[range.first + i];
		if (in_world(w, w->model.cooked->hlods[hlod].home))
			ready = hlod_prepare(s, w, hlod) && ready;
	}
	return ready;
}

static uint32_t most_left(
	const struct cs_run_world *w, const uint32_t *hlods, struct cs_range range)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < range.count; i++) {
		const struct cs_run_warm *warm = find_warm(w, hlods[range.first + i]);
		if (warm && warm->left > most)
			most = warm->left;
	}
	return most;
}

uint32_t cs_run_warm_left(const struct cs_run_world *w, uint32_t cell)
{
	const struct cs_run_model *model = &w->model;
	uint32_t shows = most_left(w, model->hlods_by_home, cs_run_hlods_at(model, cell));
	uint32_t hides = most_left(w, model->hlods_by_source, cs_run_hlods_for(model, cell));
	return shows > hides ? shows : hides;
}

void cs_run_warm_finish(struct cs_stream *s)
{
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		for (size_t k = w->hlods.warm.n; k-- > 0;)
			if (w->hlods.warm.at[k].frame != s->clock.frame)
				drop_warm(w, &w->hlods.warm.at[k]);
	}
}

/* ---- switching ---- */

static void hlod_tell(struct cs_stream *s, const struct cs_run_world *w, uint32_t hlod,
	enum cs_hlod_state from, enum cs_hlod_state to)
{
	struct cs_stream_cell home = {w->id, w->model.cooked->hlods[hlod].home};
	if (from != to)
		cs_run_event(s, CS_EVENT_HLOD, home, hlod, from, to, CS_REASON_NONE);
}

/*
 * After a cell was shown or hidden: its own HLOD actors begin or end play, and those that represent
 * it hide or show.
 */
static void switch_hlods(struct cs_stream *s, struct cs_run_world *w, uint32_t cell, bool shown)
{
	const struct cs_cooked *cooked = w->model.cooked;
	struct cs_range range = {0, 0};
	if (w->model.n_hlods_by_home)
		range = cs_run_hlods_at(&w->model, cell);
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t hlod = w->model.hlods_by_home[range.first + i];
		const struct cs_cooked_hlod *row = &cooked->hlods[hlod];
		bool source = in_world(w, row->cell), outdated = row->cell == CS_NONE;
		hlod_tell(s, w, hlod, hlod_state_of(s, !shown, outdated, source),
			hlod_state_of(s, shown, outdated, source));
	}
	range = (struct cs_range){0, 0};
	if (w->model.n_hlods_by_source)
		range = cs_run_hlods_for(&w->model, cell);
	for (uint32_t i = 0; i < range.count; i++) {
		uint32_t hlod = w->model.hlods_by_source[range.first + i];
		bool loaded = in_world(w, cooked->hlods[hlod].home);
		struct cs_run_warm *warm = shown ? NULL : find_warm(w, hlod);
		if (warm)
			drop_warm(w, warm);
		hlod_tell(s, w, hlod, hlod_state_of(s, loaded, false, !shown),
			hlod_state_of(s, loaded, false, shown));
	}
}

void cs_run_hlods_shown(struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	switch_hlods(s, w, cell, true);
}

void cs_run_hlods_hidden(struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	switch_hlods(s, w, cell, false);
}

struct cs_error *cs_run_apply_hlod(struct cs_stream *s, const struct cs_stream_input *input)
{
	s->hlod_enabled = input->on;
	return NULL;
}

/* ---- questions ---- */

struct cs_error *cs_run_hlod_record(
	const struct cs_stream *s, uint32_t world, uint32_t hlod, struct cs_stream_hlod_view *ret)
{
	if (world >= s->worlds.n || hlod >= s->worlds.at[world]->model.cooked->n_hlods)
		return cs_error_new(CS_E_NOCELL, "no HLOD %u of world %u", hlod, world);
	const struct cs_run_world *w = s->worlds.at[world];
	const struct cs_run_warm *warm = find_warm(w, hlod);
	*ret = (struct cs_stream_hlod_view){
		.state = run_hlod_state(s, w, hlod),
		.needs_warmup = hlod_warms(s, w, hlod),
		.warm_frames = warm ? warm->left : 0,
		.warming = warm != NULL,
	};
	return NULL;
}

/* ---- as bytes ---- */

static void code_warm(struct cs_codec *c, struct cs_run_warm *warm)
{
	cs_code_u32(c, &warm->hlod);
	cs_code_u32(c, &warm->left);
	cs_code_u64(c, &warm->frame);
}

static void write_warm(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	w->policy.found.n = 0;
	for (size_t i = 0; i < w->hlods.warm.n; i++)
		c->failed |= !cs_vec_push(&w->policy.found, w->hlods.warm.at[i].hlod);
	cs_run_sort_coded(c, s, &w->policy.found);
	for (size_t i = 0; i < w->policy.found.n; i++)
		code_warm(c, &w->hlods.warm.at[w->hlods.warm_slot[w->policy.found.at[i]]]);
}

static void read_warm(struct cs_codec *c, struct cs_run_world *w)
{
	for (size_t i = 0; i < w->hlods.warm.n; i++) {
		struct cs_run_warm *warm = &w->hlods.warm.at[i];
		code_warm(c, warm);
		if (warm->hlod < w->model.cooked->n_hlods)
			w->hlods.warm_slot[warm->hlod] = (uint32_t)i;
	}
}

void cs_run_warm_code(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	cs_code_length(c, &w->hlods.warm);
	if (c->out)
		write_warm(c, s, w);
	else
		read_warm(c, w);
}

void cs_run_hlods_deinit(struct cs_run_hlods *hlods)
{
	cs_vec_free(&hlods->warm);
	free(hlods->warm_slot);
}
