/* SPDX-License-Identifier: Apache-2.0 */
/* Records the position of one streaming source in every frame as the keys of a path. */
#include "stream/stream_internal.h"

double cs_run_recorder_time(const struct cs_stream *stream)
{
	return ((double)stream->clock.time - (double)stream->sources.recorder.start) * 1e-9;
}

struct cs_error *cs_run_record_frame(struct cs_stream *stream)
{
	if (!stream->sources.recorder.path || stream->clock.time < stream->sources.recorder.start)
		return NULL;
	size_t place = cs_stream_find_source(stream, stream->sources.recorder.source);
	if (place == SIZE_MAX)
		return NULL;
	struct cs_stream_source_view view = cs_stream_source_at(stream, place);
	struct cs_path_key key = {cs_run_recorder_time(stream), view.source->location,
		view.source->rotation, view.velocity};
	return cs_path_add(stream->sources.recorder.path, &key);
}

struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path)
{
	if (path && cs_stream_find_source(stream, source) == SIZE_MAX)
		return cs_error_new(
			CS_E_NOSOURCE, "the run has no streaming source '%.100s'", source);
	stream->sources.recorder =
		(struct cs_run_recorder){.path = path, .start = stream->clock.time};
	if (!path)
		return NULL;
	strncpy(stream->sources.recorder.source, source, CS_SOURCE_NAME - 1);
	cs_path_set_velocity(path, true);
	return cs_run_record_frame(stream);
}
