/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on runs for other directories of the library; they are not public. */
#pragma once

#include <cellscope/runs.h>

struct cs_stream_load_sizes cs_stream_load_sizes(const struct cs_stream *stream);
/* Returns the member `bytes` of cs_stream_cell(); 0 for a cell that does not exist. */
uint64_t cs_stream_cell_bytes(const struct cs_stream *stream, struct cs_stream_cell cell);
/* Returns the cells that have a level, are requested or wait, ascending. The caller frees them. */
struct cs_error *cs_stream_residents(const struct cs_stream *stream, uint32_t world,
	uint32_t **cells_ret, size_t *n_ret) CS_MUST_USE;
/* Returns cs_path_view.run_frames of the path; E_LIMIT: more than 4,000,000. */
struct cs_error *cs_path_run_frames(const struct cs_path *path, uint64_t *ret) CS_MUST_USE;
/* Runs a player along the path to its end at 60 frames a second. *ret: the sums over all frames. */
struct cs_error *cs_stream_along(const struct cs_cooked *cooked, const struct cs_path *path,
	const struct cs_job *job, struct cs_stream_report *ret) CS_MUST_USE;

/* Returns event `number`, from 0, or NULL if the log has dropped it or it has not happened yet. */
const struct cs_stream_event *cs_stream_event_at(const struct cs_stream *stream, uint64_t number);
enum cs_moment cs_moment_of(const struct cs_stream_event *event);
/* Returns how many stalls the log contains; index 0 of cs_stream_stall_at is the oldest of them. */
size_t cs_stream_stalls(const struct cs_stream *stream);
const struct cs_stream_stall *cs_stream_stall_at(const struct cs_stream *stream, size_t index);
/* Returns the range of frames that cs_stream_goto can reach. */
void cs_stream_history(const struct cs_stream *stream, uint64_t *first_ret, uint64_t *last_ret);
/* Iterates over the recorded inputs from *cursor = 0 on. Returns false after the last input. */
bool cs_stream_next_input(
	const struct cs_stream *stream, size_t *cursor, struct cs_stream_input *ret);
/* Returns one of the sorted lists of cells to load or activate; valid until the next step. */
const struct cs_stream_order_row *cs_stream_order(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret);
/* Returns rows of cs_stream_order() whose cells lacked the requested state when the frame ended. */
const struct cs_stream_order_row *cs_stream_order_open(
	const struct cs_stream *stream, enum cs_order_list list, size_t *n_ret);
void cs_path_set_velocity(struct cs_path *path, bool has);
/*
 * Returns the position at `time` seconds: linear between keys, with angles along the shorter arc.
 * Outside of the keys it is that of the nearest key, or with `loop` the path is repeated.
 */
struct cs_path_key cs_path_at(const struct cs_path *path, double time, bool loop);
/*
 * Appends a key to the path. Its time is the sum of the lengths of all frames up to and including
 * `frame`; the time in `key` is ignored. The events of the frame are copied.
 */
struct cs_error *cs_path_add_frame(struct cs_path *path, const struct cs_path_key *key,
	const struct cs_path_frame *frame) CS_MUST_USE;
struct cs_stream_partition cs_stream_partition(const struct cs_stream *stream, uint32_t world);
/* Finds a world partition by name, ignoring case; CS_NONE when there is none. */
uint32_t cs_stream_find_world(const struct cs_stream *stream, const char *name);
bool cs_stream_client_sees(
	const struct cs_stream *stream, size_t client, struct cs_stream_cell cell);
