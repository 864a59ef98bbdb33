/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the life of a stream, finding cells and partitions by name, status. */
#include "stream/stream_internal.h"

#include "core/options.h"

/* ---- the stream ---- */

static struct cs_error *init(struct cs_stream *s, const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job)
{
	const struct cs_stream_instance main = {
		.transform = CS_TRANSFORM_IDENTITY, .owner = CS_STREAM_NO_CELL};
	const char *profile = options && options->profile
				      ? options->profile
				      : cs_cooked_text(cooked, cooked->world->profile);
	struct cs_error *error = cs_run_rules_find(profile, &s->rules);
	if (error)
		return error;
	strncpy(s->profile, *profile ? profile : s->rules->name, sizeof(s->profile) - 1);
	if (options)
		s->companion = options->companion;
	s->role = options ? options->role : CS_ROLE_STANDALONE;
	s->hlod_enabled = true;
	s->queue.ordered = true; /* nothing waits yet */
	s->levels.showing = s->levels.hiding = CS_STREAM_NO_CELL;
	cs_run_variables_init(&s->variables, s->rules);
	error = cs_run_log_init(&s->log, options);
	if (!error)
		error = cs_run_world_add(s, cooked, &main, options, job);
	if (error)
		return error;
	s->worlds.at[0]->registered = true;
	error = cs_run_subs_init(s, job);
	return error ? error : cs_run_timeline_init(s, options);
}

struct cs_error *cs_stream_new(const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job, struct cs_stream **ret)
{
	struct cs_stream_options own = {0};
	struct cs_error *error =
		options ? cs_options_read(options, sizeof(own), &own, sizeof(own)) : NULL;
	if (error)
		return error;
	struct cs_stream *stream = calloc(1, sizeof(*stream));
	if (!stream)
		return cs_error_nomem();
	error = init(stream, cooked, &own, job);
	if (error)
		cs_stream_free(stream);
	else
		*ret = stream;
	return error;
}

void cs_stream_free(struct cs_stream *stream)
{
	if (!stream)
		return;
	for (size_t i = 0; i < stream->worlds.n; i++)
		cs_run_world_free(stream->worlds.at[i]);
	cs_run_sources_deinit(&stream->sources);
	cs_run_server_deinit(&stream->server);
	cs_run_queue_deinit(&stream->queue);
	cs_vec_free(&stream->worlds);
	cs_vec_free(&stream->levels.moving);
	cs_vec_free(&stream->levels.faults);
	cs_vec_free(&stream->performance.critical);
	cs_run_log_deinit(&stream->log);
	cs_run_timeline_deinit(stream);
	free(stream);
}

/* ---- finding ---- */

size_t cs_stream_worlds(const struct cs_stream *stream)
{
	return stream->worlds.n;
}

const struct cs_cooked *cs_stream_cooked(const struct cs_stream *stream, uint32_t world)
{
	return stream->worlds.at[world]->model.cooked;
}
