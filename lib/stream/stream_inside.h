/* SPDX-License-Identifier: Apache-2.0 */
/* What the rooms above ask a run, beside what programs may. */
#ifndef STREAM_STREAM_INSIDE_H
#define STREAM_STREAM_INSIDE_H

#include <cellscope/runs.h>

struct cs_stream_load_sizes cs_stream_load_sizes(const struct cs_stream *stream);
/* The `bytes` of a cell's view alone; 0 of a cell that does not exist. */
uint64_t cs_stream_cell_bytes(const struct cs_stream *stream, struct cs_stream_cell cell);
/* Cells that are not plainly unloaded, ascending; freed by the caller. */
struct cs_error *cs_stream_residents(const struct cs_stream *stream, uint32_t world,
	uint32_t **cells_ret, size_t *n_ret) CS_MUST_USE;
/* Frames that a run along the path takes: its rows, or at 60 a second with both ends. */
uint64_t cs_path_run_frames(const struct cs_path *path);
/* The sums of a run of its own: one player along the path, at 60 frames a second, to its end. */
struct cs_error *cs_stream_along(const struct cs_cooked *cooked, const struct cs_path *path,
	const struct cs_job *job, struct cs_stream_report *ret) CS_MUST_USE;

#endif
