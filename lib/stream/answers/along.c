/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulation with one player along a whole path, and returns sums over all frames. */
#include <cellscope/runs.h>

#include "stream/stream_inside.h"

#include <math.h>

uint64_t cs_path_run_frames(const struct cs_path *path)
{
	const struct cs_path_key *keys;
	size_t n = cs_path_keys(path, &keys);
	if (n && cs_path_frames(path))
		return n;
	return n ? (uint64_t)ceil((keys[n - 1].time - keys[0].time) * 60) + 1 : 0;
}

struct cs_error *cs_stream_along(const struct cs_cooked *cooked, const struct cs_path *path,
	const struct cs_job *job, struct cs_stream_report *ret)
{
	const struct cs_stream_source source = cs_stream_source_player("Player0");
	struct cs_stream *stream = NULL;
	struct cs_error *error = cs_stream_new(cooked, NULL, job, &stream);
	if (!error)
		error = cs_stream_source_set(stream, &source);
	if (!error)
		error = cs_stream_source_follow(stream, source.name, path, false);
	if (!error)
		error = cs_stream_run(stream, cs_path_run_frames(path), job);
	if (!error)
		*ret = cs_stream_report(stream);
	cs_stream_free(stream);
	return error;
}
