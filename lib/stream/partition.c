/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the names of the world partitions of a run, and those that the cooked file brings: its
 * standalone level instances (rules 2.1), which register while the cell that holds them is shown.
 */
#include "stream/stream.h"

#include "base/text.h"

#include <stdio.h>

/* ---- names ---- */

uint32_t cs_stream_find_world(const struct cs_stream *stream, const char *name)
{
	for (uint32_t i = 0; i < stream->worlds.n; i++)
		if (cs_name_compare(cs_stream_world_name(stream, i), name) == 0)
			return i;
	return CS_NONE;
}

const char *cs_stream_world_name(const struct cs_stream *stream, uint32_t world)
{
	const struct cs_run_world *w = stream->worlds.at[world];
	return w->name ? w->name : cs_cooked_text(w->model.cooked, w->model.cooked->world->name);
}

/* "Town", "Town#2" ... : no two partitions have one name. */
struct cs_error *cs_run_world_name(struct cs_stream *s, struct cs_run_world *w, const char *name)
{
	const char *base =
		name ? name : cs_cooked_text(w->model.cooked, w->model.cooked->world->name);
	size_t room = strlen(base) + 12;
	char *text = malloc(room);
	if (!text)
		return cs_error_nomem();
	free(w->name);
	w->name = text;
	snprintf(text, room, "%s", base);
	for (unsigned i = 2; cs_stream_find_world(s, text) != w->id; i++)
		snprintf(text, room, "%s#%u", base, i);
	return NULL;
}

/* ---- looking ---- */

struct cs_stream_partition cs_stream_partition(const struct cs_stream *stream, uint32_t world)
{
	const struct cs_run_world *w = stream->worlds.at[world];
	struct cs_stream_partition view = {
		.name = cs_stream_world_name(stream, world),
		.transform = w->transform,
		.owner = w->owner,
		.registered = w->registered,
		.server_streaming = cs_run_server_streams(stream, w),
	};
	for (size_t i = 0; i < w->cells.n; i++) {
		view.cells_loaded += cs_run_level_loaded(w->cells.at[i].level);
		view.cells_visible += w->cells.at[i].level == CS_LEVEL_VISIBLE;
	}
	return view;
}

/* ---- those of the file ---- */

static struct cs_error *add_sub(struct cs_stream *s, struct cs_cooked *cooked, uint32_t row,
	uint32_t *worlds, const struct cs_job *job)
{
	const struct cs_cooked_sub *sub = &cooked->subs[row];
	uint32_t around = sub->parent == CS_NONE ? 0 : worlds[sub->parent];
	struct cs_stream_instance instance = {.transform = sub->transform,
		.owner = CS_STREAM_NO_CELL,
		.name = cs_cooked_text(cooked, sub->name)};
	struct cs_cooked *level;
	worlds[row] = CS_NONE;
	if (sub->level == CS_NONE || around == CS_NONE)
		return NULL;
	if (sub->cell != CS_NONE)
		instance.owner = (struct cs_stream_cell){around, sub->cell};
	struct cs_error *error = cs_cooked_level(cooked, sub->level, job, &level);
	return error ? error : cs_stream_add_world(s, level, &instance, job, &worlds[row]);
}

struct cs_error *cs_run_subs_init(struct cs_stream *s, const struct cs_job *job)
{
	/* levels are opened when they are first asked for, which changes nothing that is seen */
	struct cs_cooked *cooked = (struct cs_cooked *)s->worlds.at[0]->model.cooked;
	uint32_t *worlds = malloc((cooked->n_subs + 1) * sizeof(*worlds));
	struct cs_error *error = worlds ? NULL : cs_error_nomem();
	for (uint32_t i = 0; !error && i < cooked->n_subs; i++)
		error = add_sub(s, cooked, i, worlds, job);
	free(worlds);
	return error;
}
