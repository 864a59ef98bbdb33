/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulation with one player along a whole path, and returns sums over all frames. */
#include <cellscope/runs.h>

#include "stream/stream_inside.h"

struct cs_error *cs_path_run_frames(const struct cs_path *path, uint64_t *ret)
{
	const struct cs_path_view view = cs_path_view(path);
	*ret = view.run_frames;
	return view.n == 0 || view.run_frames
		       ? NULL
		       : cs_error_new(CS_E_LIMIT,
				 "the path ends at second %g, but a run along a path has at most "
				 "4000000 frames, which is 66666 seconds at 60 frames per second",
				 view.keys[view.n - 1].time);
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
