/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds the frames of a CSV profile as rows; stream/sources/csv_profile.c parses a row. The profiler
 * writes all column names again at the end of the file, because it adds some columns late; then the
 * file is read a second time with these names. Of the metadata row at the end, only the start time
 * in whole seconds is read: the row also contains the command line of the game, which is private. A
 * profile without that row was truncated; its frames are used. Of a file with several captures, one
 * after the other, the first is read: a capture ends at its metadata, or, if that is missing, where
 * column names follow that have frames behind them.
 */
#include "runs/real.h"

#include "core/text.h"
#include "stream/source.h"

#include <string.h>

enum { PROFILE_FRAMES = 4000000 }; /* maximum number of frames of a profile */

/* Parses the start time from "...,[starttimestamp],1700000000,..."; NAN if missing. */
static double profile_epoch(struct cs_ue_piece pairs)
{
	static const char key[] = "[starttimestamp],";
	double epoch;
	const char *at = cs_ue_piece_find(pairs, key);
	if (!at)
		return (double)NAN;
	struct cs_ue_piece number = cs_ue_piece_from(pairs, (size_t)(at - pairs.at) + strlen(key));
	return cs_ue_log_number(&number, &epoch) ? epoch : (double)NAN;
}

struct profile_state {
	struct cs_run_profile *rows;
	/* column names at the end of the file, empty if they equal those of its first row */
	CS_VEC(char) names;
	bool is_second;      /* the file is being read a second time, with `names` */
	uint32_t names_line; /* line of names that follow frames, after which no frame may come */
	bool closed;         /* the last row was read, unless a frame follows it */
	uint64_t end_ns;     /* end of the last frame, nanoseconds */
	uint32_t long_line;  /* line of the first frame with more values than columns; 0 = none */
	uint32_t next_line;  /* line at which another capture begins, which is not read; 0 = none */
};

static void profile_frame(struct cs_real_reader *reader, const struct cs_path_key *key,
	const struct cs_path_frame *frame)
{
	struct profile_state *state = reader->state;
	const bool has_length = !isnan(frame->values[CS_RECORDED_FRAME_TIME]);
	state->end_ns += frame->length_ns;
	struct cs_real_frame row = {.origin = reader->origin,
		.time = has_length ? (double)state->end_ns / 1e9 : (double)NAN,
		.ms = has_length ? (double)frame->length_ns / 1e6 : (double)NAN,
		.position = key->position,
		.rotation = key->rotation};
	row.origin.offset = -1;
	memcpy(row.values, frame->values, sizeof(row.values));
	if (frame->events)
		row.events = cs_real_keep_z(reader, frame->events);
	cs_real_add_frame(reader, &row);
}

static struct cs_error *profile_other_names(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct profile_state *state = reader->state;
	if (state->is_second)
		return NULL;
	reader->again = true;
	state->names.n = 0;
	return cs_vec_append(&state->names, line.at, line.n) ? NULL : cs_error_nomem();
}

/* Leaves out the current line and all that follow, which another capture wrote. */
static void profile_leave_capture(struct cs_real_reader *reader)
{
	struct profile_state *state = reader->state;
	if (!state->next_line)
		state->next_line = state->closed ? reader->origin.line : state->names_line;
	reader->again &= state->closed; /* else the last names were those of the other capture */
	cs_real_leave_line(reader);
}

static struct cs_error *profile_row(
	struct cs_real_reader *reader, struct cs_ue_piece line, enum cs_profile_row *kind)
{
	struct profile_state *state = reader->state;
	struct cs_path_key key;
	struct cs_path_frame frame = {.line = reader->origin.line};
	struct cs_error *error =
		cs_run_profile_row(state->rows, line.at, line.n, &key, &frame, kind);
	if (error || (*kind != CS_PROFILE_FRAME && *kind != CS_PROFILE_LONG_FRAME) || reader->cut)
		return error;
	if (state->names_line) {
		profile_leave_capture(reader);
		return NULL;
	}
	if (*kind == CS_PROFILE_LONG_FRAME && !state->long_line)
		state->long_line = reader->origin.line;
	const struct cs_real_file *file = cs_real_file_row(reader);
	if (file->frames - file->forgotten >= PROFILE_FRAMES)
		return cs_error_at(CS_E_LIMIT, reader->name, CS_NO_OFFSET,
			"CSV profile: line %u: the profile has more frames than the limit of %d",
			reader->origin.line, PROFILE_FRAMES);
	profile_frame(reader, &key, &frame);
	return NULL;
}

static struct cs_error *profile_line(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	enum cs_profile_row kind = CS_PROFILE_NOTHING;
	struct profile_state *state = reader->state;
	struct cs_error *error = NULL;
	const bool names = cs_run_profile_is(line.at, line.n);
	if (state->next_line || (state->closed && names)) {
		profile_leave_capture(reader);
		return NULL;
	}
	if (state->closed && line.n > 0)
		/* what was read as the last row is a frame with an event in brackets */
		reader->ended = state->closed = false;
	if (!reader->cut || (line.n && *line.at == '['))
		error = profile_row(reader, line, &kind);
	if (reader->cut && (error || kind != CS_PROFILE_PAIRS)) {
		cs_error_free(error);
		cs_real_leave_line(reader);
		return NULL;
	}
	reader->known |= !error;
	if (names && cs_real_file_row(reader)->frames > 0)
		state->names_line = reader->origin.line;
	if (!error && kind == CS_PROFILE_OTHER_NAMES)
		error = profile_other_names(reader, line);
	if (kind == CS_PROFILE_PAIRS) {
		reader->ended = state->closed = true;
		cs_real_file_row(reader)->epoch = profile_epoch(line);
	}
	return error;
}

/* Checks whether the remaining bytes, which have no line end, are already the complete last row. */
static void profile_look_ahead(struct cs_real_reader *reader, const char *text, size_t n)
{
	enum cs_profile_row kind = CS_PROFILE_NOTHING;
	if (n == 0 || *text != '[')
		return;
	reader->cut = true;
	cs_error_free(profile_row(reader, (struct cs_ue_piece){text, n}, &kind));
	reader->ended |= kind == CS_PROFILE_PAIRS;
}

/*
 * Reads a piece of the profile. If the piece is the whole file, and the column names at its end
 * require a second reading (reader->again), reads it a second time.
 */
static struct cs_error *profile_bytes(
	struct cs_real_reader *reader, const char *text, size_t n, bool last, size_t *taken_ret)
{
	const bool is_whole = last && cs_real_file_row(reader)->lines == 0;
	struct cs_error *error = cs_real_lines(reader, text, n, last, taken_ret);
	if (!error && reader->again && !last)
		profile_look_ahead(reader, text + *taken_ret, n - *taken_ret);
	if (error || !reader->again || !is_whole)
		return error;
	error = cs_real_begin_again(reader);
	return error ? error : cs_real_lines(reader, text, n, last, taken_ret);
}

static struct cs_error *profile_begin(struct cs_real_reader *reader)
{
	return cs_run_profile_new(reader->name, &((struct profile_state *)reader->state)->rows);
}

static struct cs_error *profile_again(struct cs_real_reader *reader)
{
	struct profile_state *state = reader->state;
	enum cs_profile_row kind;
	cs_run_profile_free(state->rows);
	state->rows = NULL;
	state->end_ns = 0;
	state->long_line = state->next_line = state->names_line = 0;
	state->closed = false;
	state->is_second = true;
	struct cs_error *error = profile_begin(reader);
	return error ? error
		     : profile_row(reader, (struct cs_ue_piece){state->names.at, state->names.n},
			       &kind);
}

static struct cs_error *profile_end(struct cs_real_reader *reader)
{
	const struct profile_state *state = reader->state;
	const size_t unknown = state->rows ? cs_run_profile_unknown(state->rows) : 0;
	if (reader->ended && !reader->again && state->long_line)
		return cs_error_at(CS_E_SETTING, reader->name, CS_NO_OFFSET,
			"CSV profile: line %u: the line has more values than the profile has columns",
			state->long_line);
	char text[256] = "";
	if (state->next_line)
		cs_format_c(text, sizeof(text),
			"another capture begins at line %u and is left out: give each a file",
			state->next_line);
	else if (!reader->ended)
		cs_format_c(text, sizeof(text), "its last row is missing: the profile was cut");
	else if (reader->again)
		cs_format_c(text, sizeof(text), "columns that came late are left out");
	const size_t n = strlen(text);
	if (unknown > 0)
		cs_format_c(text + n, sizeof(text) - n, "%sframes with a value nan or inf: %zu",
			n ? "; " : "", unknown);
	cs_real_file_row(reader)->note = cs_real_keep_z(reader, text);
	return NULL;
}

static void profile_free(struct cs_real_reader *reader)
{
	struct profile_state *state = reader->state;
	cs_run_profile_free(state->rows);
	cs_vec_free(&state->names);
}

const struct cs_real_form cs_real_profile_form = {.kind = "CSV profile",
	.zero = "the begin of the first frame",
	.state_size = sizeof(struct profile_state),
	.proves_end = true,
	.begin = profile_begin,
	.line = profile_line,
	.bytes = profile_bytes,
	.again = profile_again,
	.end = profile_end,
	.free = profile_free};
