/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and frees streams (struct cs_stream, simulated runs); returns their counts and status. */
#include "stream/stream_internal.h"

#include "core/options.h"

/* ---- creating and freeing ---- */

static struct cs_error *init(struct cs_stream *stream, const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job)
{
	const struct cs_stream_instance main = {
		.transform = CS_TRANSFORM_IDENTITY, .owner = CS_STREAM_NO_CELL};
	const char *profile = options && options->profile
				      ? options->profile
				      : cs_cooked_text(cooked, cooked->world->profile);
	struct cs_error *error = cs_run_rules_find(profile, &stream->rules);
	if (error)
		return error;
	strncpy(stream->profile, *profile ? profile : stream->rules->name,
		sizeof(stream->profile) - 1);
	if (options)
		stream->companion = options->companion;
	stream->role = options ? options->role : CS_ROLE_STANDALONE;
	stream->hlod_enabled = true;
	stream->queue.ordered = true; /* an empty queue is sorted */
	stream->levels.showing = stream->levels.hiding = CS_STREAM_NO_CELL;
	cs_run_variables_init(&stream->variables, stream->rules);
	error = cs_run_log_init(&stream->log, options);
	if (!error)
		error = cs_run_world_add(stream, cooked, &main, options, job);
	if (error)
		return error;
	stream->worlds.at[0]->registered = true;
	error = cs_run_subs_init(stream, job);
	return error ? error : cs_run_timeline_init(stream, options);
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

/* ---- counts and status ---- */

static uint32_t moving_in(const struct cs_stream *stream, enum cs_level_state level)
{
	uint32_t n = 0;
	for (size_t i = 0; i < stream->levels.moving.n; i++) {
		struct cs_stream_cell cell = stream->levels.moving.at[i];
		n += cs_run_find(stream->worlds.at[cell.world], cell.cell)->level == level;
	}
	return n;
}

struct cs_stream_status cs_stream_status(const struct cs_stream *stream)
{
	struct cs_stream_status status = {
		.profile = stream->profile,
		.role = stream->role,
		.hlod_enabled = stream->hlod_enabled,
		.frame = stream->clock.frame,
		.time_ns = stream->clock.time,
		.performance = (enum cs_performance)stream->performance.state,
		.display_performance = (enum cs_performance)stream->performance.display,
		.loading = stream->levels.n_loading,
		.budget = cs_run_max_cells_to_load(stream),
		.making_visible = moving_in(stream, CS_LEVEL_MAKING_VISIBLE),
		.making_invisible = moving_in(stream, CS_LEVEL_MAKING_INVISIBLE),
		.showing = stream->levels.showing,
		.hiding = stream->levels.hiding,
		.purging = stream->levels.n_around,
		.cells_visible = stream->levels.cells_visible,
		.cells_loaded = stream->levels.cells_loaded,
		.actors = stream->levels.actors,
		.bytes = stream->levels.bytes,
		.server_epoch = stream->server.epoch,
		.rewinds = stream->timeline.rewinds,
		.waiting_activate = cs_run_waiting_count(stream, CS_ORDER_ACTIVATE),
		.waiting_load = cs_run_waiting_count(stream, CS_ORDER_LOAD),
	};
	return status;
}

struct cs_stream_counts cs_stream_counts(const struct cs_stream *stream)
{
	return (struct cs_stream_counts){
		stream->worlds.n, stream->sources.providers.n, stream->log.event_count};
}
