/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a file of the engine's CSV profiler as a path that was recorded frame by frame.
 *
 * The first row contains the names of columns, EVENTS first; then each frame has a row. The
 * profiler may add columns while it runs: earlier rows are shorter, and it writes all names once
 * more at the end. So the last row of names is used, and a value that a row lacks is 0. Only the
 * position is not: the path begins at the first frame whose row has the position. A value "nan" or
 * "inf" is unknown: a path leaves out a frame of unknown length, and stays where it was in a frame
 * of unknown position. The last row of the file contains pairs "[key],value", the last of which is
 * the command line of the game. Only the form of the pairs is checked, to recognise a truncated
 * file; none of them is stored.
 *
 * A complete file is read in two passes: the first finds the rows of names and the last row, the
 * second reads the frames. A file that the engine is still writing is read row by row, by the names
 * in its first row.
 */
#include "stream/stream_internal.h"

#include "core/text.h"
#include "core/utf8.h"

#include <math.h>
#include <string.h>

enum {
	COLUMNS = 1 << 16,
	FRAMES = 4000000,
	LONGEST_EVENTS = 4096,
	LONGEST_FRAME_MS = 1000000, /* longest frame; sim.FrameTime has the same limit */
	NOT_READ = 0xff,
};

/* Largest coordinate in cm; the same limit as for the location of a source. */
#define REACH 1e12

/* Indices of the columns to read: of enum cs_recorded, then position and view directions. */
enum {
	POSITION = CS_RECORDED_COUNT,
	FORWARD = POSITION + 3,
	UP = FORWARD + 3,
	READ_COLUMNS = UP + 3,
};

static const char *const column_names[READ_COLUMNS] = {
	[CS_RECORDED_FRAME_TIME] = "FrameTime",
	[CS_RECORDED_GAME_THREAD] = "GameThreadTime",
	[CS_RECORDED_CONSIDERED] = "LevelStreamingProfiling/NumStreamingLevelsToConsider",
	[CS_RECORDED_PENDING_PURGE] = "LevelStreaming/NumLevelsPendingPurge",
	[CS_RECORDED_STREAMING] = "Exclusive/GameThread/UpdateStreamingState",
	[CS_RECORDED_LEVEL_STREAMING] = "Exclusive/GameThread/UpdateLevelStreaming",
	[CS_RECORDED_ASYNC_LOADING] = "Exclusive/GameThread/AsyncLoading",
	[CS_RECORDED_QUEUED] = "FileIO/QueuedPackagesQueueDepth",
	[POSITION] = "View/PosX",
	[POSITION + 1] = "View/PosY",
	[POSITION + 2] = "View/PosZ",
	[FORWARD] = "View/ForwardX",
	[FORWARD + 1] = "View/ForwardY",
	[FORWARD + 2] = "View/ForwardZ",
	[UP] = "View/UpX",
	[UP + 1] = "View/UpY",
	[UP + 2] = "View/UpZ",
};

/* ---- lines and cells ---- */

struct line {
	const char *at, *end; /* the line without its line break */
	size_t number;        /* line number, from 1 */
};

struct profile {
	const char *file, *text, *end;
	/* `names`: last row of column names; `last`: last row of the file: pairs "[key],value" */
	struct line names, last;
	size_t name_rows; /* number of rows that contain column names */
	/* for each column of the file: the index of a column to read, or NOT_READ */
	uint8_t *use;
	size_t n_columns;
	bool has[READ_COLUMNS]; /* for each column to read, whether the profile has it */
	size_t placed;          /* a row with fewer values than this has no position */
	uint64_t names_hash;    /* hash of all column names, to recognise a row of other names */
	/* the engine is still writing the file, so names of further columns may follow */
	bool is_written;
	struct cs_rotator rotation; /* rotation of the view in the frame parsed last */
};

/* Moves *line to the next line that is not empty; returns false at the end of the file. */
static bool csv_profile_next_line(const struct profile *profile, struct line *line)
{
	const char *at = line->number ? line->end : profile->text;
	do {
		if (line->number && at < profile->end)
			at++; /* skip the line break */
		if (at >= profile->end)
			return false;
		const char *newline = memchr(at, '\n', (size_t)(profile->end - at));
		line->at = at;
		line->end = newline ? newline : profile->end;
		line->number++;
		at = line->end;
	} while (line->at == line->end || (line->end - line->at == 1 && *line->at == '\r'));
	return true;
}

/* A cell of a row, without the blanks and quotes around it. */
struct cell {
	const char *at, *end;
};

/* Returns the quote that closes the text whose opening quote is at `at`; NULL if there is none. */
static const char *closing_quote(const char *at, const char *end)
{
	for (at++; at < end; at++) {
		if (*at != '"')
			continue;
		if (at + 1 == end || at[1] != '"')
			return at;
		at++;
	}
	return NULL;
}

static struct cell trimmed(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	if (end - at >= 2 && *at == '"' && end[-1] == '"') {
		at++;
		end--;
	}
	return (struct cell){at, end};
}

/* Reads a row's next cell and moves *at past it, to NULL after the last one. False if at NULL. */
static bool next_cell(const char **at, const char *end, struct cell *ret)
{
	const char *begin = *at, *from = begin;
	if (!begin)
		return false;
	if (begin < end && *begin == '"') {
		const char *quote = closing_quote(begin, end);
		from = quote ? quote : end;
	}
	const char *comma = from < end ? memchr(from, ',', (size_t)(end - from)) : NULL;
	*ret = trimmed(begin, comma ? comma : end);
	*at = comma ? comma + 1 : NULL;
	return true;
}

static bool cell_is(struct cell cell, const char *name)
{
	size_t n = strlen(name);
	char text[64];
	if ((size_t)(cell.end - cell.at) != n || n >= sizeof(text))
		return false;
	memcpy(text, cell.at, n);
	text[n] = '\0';
	return cs_name_compare(text, name) == 0;
}

static bool names_columns(const struct line *line)
{
	const char *at = line->at;
	struct cell cell;
	return next_cell(&at, line->end, &cell) && cell_is(cell, "EVENTS");
}

static struct profile profile_over(const char *file, const char *text, size_t size)
{
	return (struct profile){
		.file = file, .text = text + cs_utf8_mark(text, size), .end = text + size};
}

bool cs_run_profile_is(const char *text, size_t size)
{
	const struct profile profile = profile_over("", text, size);
	struct line line = {0};
	return csv_profile_next_line(&profile, &line) && names_columns(&line);
}

/* Returns an error that does not quote the line, as this may be a command line with secrets. */
static struct cs_error *csv_profile_refuse(const struct profile *profile, enum cs_code code,
	const struct line *line, const char *problem)
{
	return cs_error_at(code, profile->file, CS_NO_OFFSET, "CSV profile: line %zu: %s",
		line->number, problem);
}

/* ---- the first pass: rows of names and the last row ---- */

/* Returns whether the command line is not empty and, if it begins with a quote, ends with one. */
static bool command_line_ends(const char *at, const char *end)
{
	while (end > at && end[-1] == '\r')
		end--;
	return at < end && (*at != '"' || (end - at >= 2 && end[-1] == '"'));
}

static bool is_key(struct cell cell)
{
	return cell.end - cell.at > 2 && *cell.at == '[' && cell.end[-1] == ']';
}

/* Returns whether every key of the metadata has a value. *at_end_ret: [HasHeaderRowAtEnd] not 0. */
static bool pairs_are_whole(const struct line *line, bool *at_end_ret)
{
	const char *at = line->at;
	struct cell key, value;
	while (next_cell(&at, line->end, &key)) {
		if (key.at == key.end && !at)
			return true; /* the line ends with a comma */
		if (!is_key(key) || !at)
			return false;
		if (cell_is(key, "[commandline]"))
			return command_line_ends(at, line->end);
		if (!next_cell(&at, line->end, &value))
			return false;
		if (cell_is(key, "[HasHeaderRowAtEnd]"))
			*at_end_ret = !cell_is(value, "0");
	}
	return true;
}

static struct cs_error *find_rows(struct profile *profile)
{
	bool at_end = false, has_frames = false, named = false, ended = false;
	for (struct line line = {0}; csv_profile_next_line(profile, &line);) {
		const bool names = names_columns(&line), pairs = *line.at == '[';
		/* metadata that a frame follows was a frame with an event in brackets */
		if ((ended && names) || (named && !names && !pairs))
			return csv_profile_refuse(profile, CS_E_SETTING, &line,
				"another capture begins here or in the line before: give each "
				"capture a file, because a path is read from one");
		if (names) {
			profile->names = line;
			profile->name_rows++;
		}
		named |= names && has_frames;
		has_frames |= !names;
		ended = pairs && pairs_are_whole(&line, &at_end);
		profile->last = line;
	}
	if (!ended)
		return csv_profile_refuse(profile, CS_E_TRUNCATED, &profile->last,
			"the profile is truncated: its last row must be the metadata, [key],value");
	if (at_end && profile->name_rows < 2)
		return csv_profile_refuse(profile, CS_E_TRUNCATED, &profile->last,
			"the profile is truncated: the header row at its end is missing");
	return NULL;
}

/* ---- columns of the file ---- */

static uint8_t use_of(struct profile *profile, struct cell cell)
{
	for (uint8_t i = 0; i < READ_COLUMNS; i++) {
		if (!profile->has[i] && cell_is(cell, column_names[i])) {
			profile->has[i] = true;
			return i;
		}
	}
	return NOT_READ;
}

static uint64_t csv_profile_hash_names(const struct line *line)
{
	const uint64_t prime = 0x100000001b3;
	const char *at = line->at;
	struct cell cell;
	uint64_t hash = 0;
	while (next_cell(&at, line->end, &cell))
		hash = hash * prime + cs_name_hash(cell.at, (size_t)(cell.end - cell.at)) + 1;
	return hash;
}

static struct cs_error *csv_profile_read_names(struct profile *profile)
{
	const char *at = profile->names.at;
	struct cell cell;
	profile->use = malloc(COLUMNS);
	if (!profile->use)
		return cs_error_nomem();
	while (next_cell(&at, profile->names.end, &cell)) {
		if (profile->n_columns == COLUMNS)
			return csv_profile_refuse(profile, CS_E_LIMIT, &profile->names,
				"the profile has more columns than the limit of 65536");
		const uint8_t use = use_of(profile, cell);
		profile->use[profile->n_columns++] = use;
		if (use >= POSITION && use < FORWARD)
			profile->placed = profile->n_columns;
	}
	profile->names_hash = csv_profile_hash_names(&profile->names);
	return NULL;
}

static struct cs_error *csv_profile_check_names(const struct profile *profile)
{
	const int needed[] = {CS_RECORDED_FRAME_TIME, POSITION, POSITION + 1, POSITION + 2};
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!profile->has[needed[i]])
			return cs_error_at(CS_E_MISSING, profile->file, CS_NO_OFFSET,
				"CSV profile: the file has no column %s, which a path needs",
				column_names[needed[i]]);
	return NULL;
}

/* ---- rows of frames ---- */

struct row {
	double values[READ_COLUMNS];
	char events[LONGEST_EVENTS];
	size_t n_cells;
	bool is_long;     /* the row has more values than columns; their names may follow */
	bool has_unknown; /* a value of the row is not finite */
};

/* Copies the events of a row. A cell in quotes contains each of its quotes twice. */
static void csv_profile_take_events(const struct line *line, struct cell cell, char *ret)
{
	const bool quoted = cell.end < line->end && *cell.end == '"';
	size_t n = 0;
	for (const char *at = cell.at; at < cell.end && n < LONGEST_EVENTS - 1; at++) {
		ret[n++] = *at;
		at += quoted && *at == '"' && at + 1 < cell.end && at[1] == '"';
	}
	ret[n] = '\0';
}

/* Returns whether a cell is "nan" or "inf" in one of the forms that programs print. */
static bool is_not_finite(struct cell cell)
{
	static const char *const forms[] = {"nan", "inf", "1.#"};
	const char *at = cell.at + (*cell.at == '-' || *cell.at == '+');
	for (size_t i = 0; i < CS_COUNT_OF(forms); i++)
		if (cell.end - at >= 3 && strncasecmp(at, forms[i], 3) == 0)
			return true;
	return false;
}

static struct cs_error *read_cells(
	const struct profile *profile, const struct line *line, struct row *row)
{
	const char *at = line->at;
	struct cell cell;
	for (size_t i = 0; next_cell(&at, line->end, &cell); i++) {
		const size_t n = (size_t)(cell.end - cell.at);
		row->n_cells = i + 1;
		row->is_long = i >= profile->n_columns && n > 0;
		if (row->is_long && profile->is_written)
			break;
		if (row->is_long)
			return csv_profile_refuse(profile, CS_E_SETTING, line,
				"the line has more values than the profile has columns");
		if (i == 0) { /* the column EVENTS */
			if (line->at < line->end && *line->at == '"' &&
				!closing_quote(line->at, line->end))
				return csv_profile_refuse(profile, CS_E_SETTING, line,
					"a quote is not closed, but the text of an event must be "
					"in one line");
			csv_profile_take_events(line, cell, row->events);
		} else if (n > 0 && profile->use[i] != NOT_READ && is_not_finite(cell)) {
			row->values[profile->use[i]] = (double)NAN;
			row->has_unknown = true;
		} else if (n > 0 && profile->use[i] != NOT_READ &&
			   !cs_double_parse(cell.at, n, &row->values[profile->use[i]])) {
			return cs_error_at(CS_E_SETTING, profile->file, CS_NO_OFFSET,
				"CSV profile: line %zu: the value in column %s is not a number",
				line->number, column_names[profile->use[i]]);
		}
	}
	return NULL;
}

static struct cs_error *check_row(
	const struct profile *profile, const struct line *line, const struct row *row)
{
	double length = row->values[CS_RECORDED_FRAME_TIME];
	if (length < 0 || length > LONGEST_FRAME_MS)
		return csv_profile_refuse(profile, CS_E_SETTING, line,
			"the value in column FrameTime must be 0 to 1000000 ms");
	for (int i = 0; i < 3; i++)
		if (fabs(row->values[POSITION + i]) > REACH)
			return csv_profile_refuse(profile, CS_E_SETTING, line,
				"the values in the columns View/Pos must be within -1e12 to 1e12 "
				"cm");
	return NULL;
}

static double csv_profile_dot(const double *left, double x, double y, double z)
{
	return left[0] * x + left[1] * y + left[2] * z;
}

/*
 * Returns the rotator whose X axis is `forward` and whose Z axis is `up`. Pitch and yaw follow from
 * `forward`, and the roll then turns the Z axis to `up`. Returns `before`, the rotation of the
 * previous frame, if `forward` is zero or unknown.
 */
static struct cs_rotator rotation_of(
	const double *forward, const double *up, struct cs_rotator before)
{
	const double degrees = 180 / acos(-1.0);
	double across = hypot(forward[0], forward[1]);
	if (!(hypot(across, forward[2]) > 0))
		return before;
	double pitch = atan2(forward[2], across);
	double yaw = across > 0 ? atan2(forward[1], forward[0]) : 0;
	double right = csv_profile_dot(up, -sin(yaw), cos(yaw), 0);
	double above =
		csv_profile_dot(up, -sin(pitch) * cos(yaw), -sin(pitch) * sin(yaw), cos(pitch));
	double roll = isnan(right + above) ? before.roll : atan2(right, above) * degrees;
	return (struct cs_rotator){pitch * degrees, yaw * degrees, roll};
}

static void csv_profile_frame_of(struct profile *profile, const struct row *row, size_t number,
	struct cs_path_key *key_ret, struct cs_path_frame *frame_ret)
{
	const double *v = row->values;
	const double length = v[CS_RECORDED_FRAME_TIME];
	*frame_ret = (struct cs_path_frame){
		.length_ns = isnan(length) ? 0 : (uint64_t)llround(length * 1e6),
		.events = *row->events ? row->events : NULL,
		.line = number};
	for (int i = 0; i < CS_RECORDED_COUNT; i++)
		frame_ret->values[i] = profile->has[i] ? v[i] : (double)NAN;
	profile->rotation = rotation_of(v + FORWARD, v + UP, profile->rotation);
	*key_ret = (struct cs_path_key){.position = {v[POSITION], v[POSITION + 1], v[POSITION + 2]},
		.rotation = profile->rotation};
	if (!profile->has[POSITION] || !profile->has[POSITION + 1] || !profile->has[POSITION + 2] ||
		row->n_cells < profile->placed ||
		isnan(v[POSITION] + v[POSITION + 1] + v[POSITION + 2]))
		key_ret->position = (struct cs_vec3){CS_NO_NUMBER, CS_NO_NUMBER, CS_NO_NUMBER};
}

static struct cs_error *csv_profile_read_row(
	const struct profile *profile, const struct line *line, struct row *row)
{
	*row = (struct row){.events = ""};
	struct cs_error *error = read_cells(profile, line, row);
	return error ? error : check_row(profile, line, row);
}

/* Adds the frames to the path. *unknown_ret: how many have a position or length that is unknown. */
static struct cs_error *csv_profile_read_frames(
	struct profile *profile, struct cs_path *path, size_t *unknown_ret)
{
	struct cs_error *error = NULL;
	struct cs_vec3 before = {CS_NO_NUMBER, CS_NO_NUMBER, CS_NO_NUMBER};
	size_t n = 0;
	for (struct line line = {0}; !error && csv_profile_next_line(profile, &line);) {
		struct row row;
		struct cs_path_key key;
		struct cs_path_frame frame;
		if (names_columns(&line) || line.number == profile->last.number)
			continue;
		if (n++ == FRAMES)
			return csv_profile_refuse(profile, CS_E_LIMIT, &line,
				"the profile has more frames than the limit of 4000000");
		error = csv_profile_read_row(profile, &line, &row);
		if (error)
			break;
		csv_profile_frame_of(profile, &row, line.number, &key, &frame);
		const bool has_length = !isnan(frame.values[CS_RECORDED_FRAME_TIME]);
		const bool has_position = !isnan(key.position.x);
		*unknown_ret += row.n_cells >= profile->placed && !(has_length && has_position);
		if (!has_position)
			key.position = before;
		before = key.position;
		if (has_length && !isnan(before.x))
			error = cs_path_add_frame(path, &key, &frame);
	}
	return error;
}

struct cs_error *cs_run_profile_read(
	const char *file, const char *text, size_t size, struct cs_path *path, size_t *unknown_ret)
{
	struct profile profile = profile_over(file, text, size);
	struct cs_error *error = find_rows(&profile);
	if (!error)
		error = csv_profile_read_names(&profile);
	if (!error)
		error = csv_profile_check_names(&profile);
	if (!error)
		error = csv_profile_read_frames(&profile, path, unknown_ret);
	free(profile.use);
	return error;
}

/* ---- reading row by row while the engine writes the file ---- */

struct cs_run_profile {
	struct profile profile;
	struct row row; /* the row that was read last */
	size_t unknown; /* number of frames with a value that is not finite */
};

struct cs_error *cs_run_profile_new(const char *file, struct cs_run_profile **ret)
{
	struct cs_run_profile *fresh = calloc(1, sizeof(*fresh));
	if (!fresh)
		return cs_error_nomem();
	fresh->profile = (struct profile){.file = file, .is_written = true};
	*ret = fresh;
	return NULL;
}

void cs_run_profile_free(struct cs_run_profile *profile)
{
	if (profile)
		free(profile->profile.use);
	free(profile);
}

size_t cs_run_profile_unknown(const struct cs_run_profile *profile)
{
	return profile->unknown;
}

struct cs_error *cs_run_profile_row(struct cs_run_profile *profile, const char *text, size_t n,
	struct cs_path_key *key_ret, struct cs_path_frame *frame, enum cs_profile_row *ret)
{
	struct profile *p = &profile->profile;
	const struct line line = {text, text + n, frame->line};
	bool at_end;
	*ret = CS_PROFILE_NOTHING;
	if (n == 0)
		return NULL;
	if (names_columns(&line)) {
		const bool other = p->use && csv_profile_hash_names(&line) != p->names_hash;
		*ret = other ? CS_PROFILE_OTHER_NAMES : CS_PROFILE_NOTHING;
		p->names = line;
		return p->use ? NULL : csv_profile_read_names(p);
	}
	if (*text == '[' && pairs_are_whole(&line, &at_end)) {
		*ret = CS_PROFILE_PAIRS;
		return NULL;
	}
	struct cs_error *error = csv_profile_read_row(p, &line, &profile->row);
	if (error)
		return error;
	csv_profile_frame_of(p, &profile->row, frame->line, key_ret, frame);
	profile->unknown += profile->row.has_unknown;
	*ret = profile->row.is_long ? CS_PROFILE_LONG_FRAME : CS_PROFILE_FRAME;
	return NULL;
}
