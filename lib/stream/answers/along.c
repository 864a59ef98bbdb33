/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulation with one player along a whole path, and returns sums over all frames. */
#include <cellscope/runs.h>

#include "stream/stream_inside.h"

#include <math.h>

enum { ALONG_MOST_FRAMES = 4000000 }; /* as many frames as a CSV profile can have */

struct cs_error *cs_path_run_frames(const struct cs_path *path, uint64_t *ret)
{
	const struct cs_path_key *keys;
	size_t n = cs_path_keys(path, &keys);
	const bool recorded = n && cs_path_frames(path);
	/* a source that follows a path waits from second 0 to the first key */
	const double last = n ? fmax(keys[n - 1].time, 0) : 0;
	const double frames = recorded ? (double)n : n ? ceil(last * 60) + 1 : 0;
	if (frames > ALONG_MOST_FRAMES)
		return cs_error_new(CS_E_LIMIT,
			"the path lasts %g s, but a run along a path is limited to %d frames", last,
			ALONG_MOST_FRAMES);
	*ret = (uint64_t)frames;
	return NULL;
}

struct cs_error *cs_stream_along(const struct cs_cooked *cooked, const struct cs_path *path,
	const struct cs_job *job, struct cs_stream_report *ret)
{
	const struct cs_stream_source source = cs_stream_source_player("Player0");
	struct cs_stream *stream = NULL;
	uint64_t frames = 0;
	struct cs_error *error = cs_path_run_frames(path, &frames);
	if (!error)
		error = cs_stream_new(cooked, NULL, job, &stream);
	if (!error)
		error = cs_stream_source_set(stream, &source);
	if (!error)
		error = cs_stream_source_follow(stream, source.name, path, false);
	if (!error)
		error = cs_stream_run(stream, frames, job);
	if (!error)
		*ret = cs_stream_report(stream);
	cs_stream_free(stream);
	return error;
}
