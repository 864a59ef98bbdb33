/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the frames of a CSV profile as rows. The profile itself is read where paths are
 * (stream/sources/csv_profile.c); of its last row the start of the clock is taken, in whole
 * seconds, and nothing else: the command line of somebody's game stands there.
 */
#include "runs/real.h"

#include "stream/source.h"

#include <string.h>

/* "...,[starttimestamp],1700000000,...": NAN where it is not there. */
static double profile_epoch(const char *text, size_t size)
{
	static const char key[] = "[starttimestamp],";
	const size_t tail = size < 65536 ? size : 65536;
	const struct cs_ue_piece end = {text + size - tail, tail};
	const char *at = cs_ue_piece_find(end, key);
	double epoch;
	if (!at)
		return (double)NAN;
	struct cs_ue_piece number = cs_ue_piece_from(end, (size_t)(at - end.at) + strlen(key));
	return cs_ue_log_number(&number, &epoch) ? epoch : (double)NAN;
}

static void profile_add_frame(struct cs_real_reader *reader, const struct cs_path_key *key,
	const struct cs_path_frame *frame)
{
	struct cs_real_frame row = {.origin = reader->origin,
		.time = key->time,
		.ms = (double)frame->length_ns * 1e-6,
		.position = key->position,
		.rotation = key->rotation};
	row.origin.line = (uint32_t)frame->line;
	row.origin.offset = -1;
	memcpy(row.values, frame->values, sizeof(row.values));
	if (frame->events)
		row.events = cs_real_keep_z(reader, frame->events);
	cs_real_add_frame(reader, &row);
}

static void profile_add(struct cs_real_reader *reader, const struct cs_path *path)
{
	const struct cs_path_key *keys;
	const struct cs_path_frame *frames = cs_path_frames(path);
	size_t n = cs_path_keys(path, &keys);
	for (size_t i = 0; i < n && frames; i++)
		profile_add_frame(reader, &keys[i], &frames[i]);
}

static struct cs_error *profile_read_whole(
	struct cs_real_reader *reader, const char *text, size_t size)
{
	struct cs_path *path;
	struct cs_error *error = cs_path_new(&path);
	if (error)
		return error;
	error = cs_run_profile_read(reader->name, text, size, path);
	if (!error)
		profile_add(reader, path);
	cs_path_free(path);
	cs_real_file_row(reader)->epoch = profile_epoch(text, size);
	return error;
}

/* ---- while it is written ---- */

struct profile_state {
	struct cs_run_profile *rows; /* NULL while it is not known that it comes in pieces */
	bool is_whole;               /* it came at once: its lines are counted, no more */
	uint64_t end_ns;             /* of the last frame */
};

static struct cs_error *profile_line(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct profile_state *state = reader->state;
	struct cs_path_key key;
	struct cs_path_frame frame = {.line = reader->origin.line};
	enum cs_profile_row kind;
	struct cs_error *error = NULL;
	if (state->is_whole)
		return NULL;
	if (!state->rows)
		error = cs_run_profile_new(reader->name, &state->rows);
	if (!error)
		error = cs_run_profile_row(state->rows, line.at, line.n, &key, &frame, &kind);
	if (error)
		return error;
	reader->again |= kind == CS_PROFILE_OTHER_NAMES;
	if (kind == CS_PROFILE_FRAME && reader->cut) {
		cs_real_file_row(reader)->unread += (int64_t)line.n;
	} else if (kind == CS_PROFILE_FRAME) {
		state->end_ns += frame.length_ns;
		key.time = (double)state->end_ns * 1e-9;
		profile_add_frame(reader, &key, &frame);
	} else if (kind == CS_PROFILE_PAIRS) {
		reader->ended = true;
		cs_real_file_row(reader)->epoch = profile_epoch(line.at, line.n);
	}
	return NULL;
}

/* The last row may have no end of its line. */
static void profile_look_ahead(struct cs_real_reader *reader, const char *text, size_t n)
{
	const struct profile_state *state = reader->state;
	struct cs_path_key key;
	struct cs_path_frame frame = {0};
	enum cs_profile_row kind = CS_PROFILE_NOTHING;
	if (n == 0 || *text != '[')
		return;
	cs_error_free(cs_run_profile_row(state->rows, text, n, &key, &frame, &kind));
	reader->ended |= kind == CS_PROFILE_PAIRS;
}

/* Names of columns may stand at the end: what is there as a whole is read by the last ones. */
static struct cs_error *profile_bytes(
	struct cs_real_reader *reader, const char *text, size_t n, bool last, size_t *taken_ret)
{
	struct profile_state *state = reader->state;
	state->is_whole = last && !state->rows;
	struct cs_error *error = cs_real_lines(reader, text, n, last, taken_ret);
	if (!error && reader->again && !last)
		profile_look_ahead(reader, text + *taken_ret, n - *taken_ret);
	return error || !state->is_whole ? error : profile_read_whole(reader, text, n);
}

static void profile_free(struct cs_real_reader *reader)
{
	cs_run_profile_free(((struct profile_state *)reader->state)->rows);
}

const struct cs_real_form cs_real_profile_form = {.kind = "CSV profile",
	.zero = "the begin of the first frame",
	.state_size = sizeof(struct profile_state),
	.line = profile_line,
	.bytes = profile_bytes,
	.free = profile_free};
