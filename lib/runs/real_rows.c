/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that all readers of real runs share: they store texts, name cells and states, add and
 * remove rows, and divide a file into lines.
 */
#include "runs/real.h"

#include "core/job.h"
#include "core/utf8.h"

#include <string.h>

uint32_t cs_real_keep(struct cs_real_reader *reader, struct cs_ue_piece piece)
{
	uint32_t text = cs_strings_add(&reader->real->texts, piece.at, piece.n);
	reader->real->no_memory |= text == CS_NONE;
	return text == CS_NONE ? 0 : text;
}

uint32_t cs_real_keep_z(struct cs_real_reader *reader, const char *text)
{
	return cs_real_keep(reader, (struct cs_ue_piece){text, strlen(text)});
}

struct cs_ue_piece cs_real_cell_name(struct cs_ue_piece level)
{
	static const char instance[] = "_LevelInstance_";
	const char *slash = level.n ? memrchr(level.at, '/', level.n) : NULL;
	if (slash)
		level = cs_ue_piece_from(level, (size_t)(slash - level.at) + 1);
	const char *end = level.n ? memchr(level.at, ':', level.n) : NULL;
	level.n = end ? (size_t)(end - level.at) : level.n;
	end = level.n ? memchr(level.at, '.', level.n) : NULL;
	level.n = end ? (size_t)(end - level.at) : level.n;
	level = cs_ue_piece_from(level, cs_ue_log_play_prefix(level));
	end = cs_ue_piece_find(level, instance);
	level.n = end ? (size_t)(end - level.at) : level.n;
	return level;
}

static const struct {
	const char *words;
	enum cs_real_state state;
} real_states[] = {
	{"Removed", CS_REAL_UNLOADED},
	{"Unloaded", CS_REAL_UNLOADED},
	{"UnloadedAndRemoved", CS_REAL_UNLOADED},
	{"FailedToLoad", CS_REAL_FAILED},
	{"Loading", CS_REAL_LOADING},
	{"LoadedNotVisible", CS_REAL_LOADED},
	{"MakingVisible", CS_REAL_SHOWING},
	{"LoadedVisible", CS_REAL_VISIBLE},
	{"MakingInvisible", CS_REAL_HIDING},
};

static enum cs_real_state real_state_of(struct cs_ue_piece words)
{
	for (size_t i = 0; i < CS_COUNT_OF(real_states); i++)
		if (cs_ue_piece_is(words, real_states[i].words))
			return real_states[i].state;
	return CS_REAL_UNKNOWN;
}

const char *cs_real_state_name(enum cs_real_state state)
{
	static const char *const names[] = {[CS_REAL_UNLOADED] = "unloaded",
		[CS_REAL_LOADING] = "loading",
		[CS_REAL_LOADED] = "loaded",
		[CS_REAL_SHOWING] = "making visible",
		[CS_REAL_VISIBLE] = "visible",
		[CS_REAL_HIDING] = "making invisible",
		[CS_REAL_FAILED] = "failed"};
	return (unsigned)state < CS_COUNT_OF(names) ? names[state] : NULL;
}

struct cs_real_file *cs_real_file_row(struct cs_real_reader *reader)
{
	return &reader->real->files.at[reader->origin.file];
}

/* ---- adding rows ---- */

static const struct cs_vec3 real_no_place = {(double)NAN, (double)NAN, (double)NAN};

struct cs_real_level cs_real_level_row(const struct cs_real_reader *reader)
{
	const double none = (double)NAN;
	return (struct cs_real_level){.origin = reader->origin,
		.time = reader->time,
		.queue = none,
		.load = none,
		.show_queue = none,
		.show = none,
		.shown = none,
		.hide_queue = none,
		.hide = none,
		.distance = none,
		.kb = none};
}

struct cs_real_source cs_real_source_row(const struct cs_real_reader *reader)
{
	return (struct cs_real_source){.origin = reader->origin,
		.time = reader->time,
		.speed = (double)NAN,
		.priority = -1,
		.position = real_no_place};
}

void cs_real_added(struct cs_real_reader *reader, int64_t *count, bool pushed)
{
	struct cs_real_file *file = cs_real_file_row(reader);
	reader->known = true;
	reader->real->no_memory |= !pushed;
	++*count;
	if (!isnan(reader->time) && !(file->seconds > reader->time))
		file->seconds = reader->time;
}

void cs_real_add_frame(struct cs_real_reader *reader, const struct cs_real_frame *row)
{
	reader->time = row->time;
	CS_REAL_ADD(reader, frames, *row);
}

void cs_real_add_cell(struct cs_real_reader *reader, struct cs_ue_piece level,
	struct cs_ue_piece from, struct cs_ue_piece to, struct cs_ue_piece target)
{
	const struct cs_real_cell row = {.origin = reader->origin,
		.time = reader->time,
		.frame = reader->frame,
		.cell = cs_real_keep(reader, cs_real_cell_name(level)),
		.level = cs_real_keep(reader, level),
		.from = cs_real_keep(reader, from),
		.to = cs_real_keep(reader, to),
		.target = cs_real_keep(reader, target),
		.state = real_state_of(to)};
	CS_REAL_ADD(reader, cells, row);
}

void cs_real_tell(
	struct cs_real_reader *reader, const char *kind, struct cs_ue_piece text, double value)
{
	const struct cs_real_event row = {.origin = reader->origin,
		.time = reader->time,
		.value = value,
		.frame = reader->frame,
		.kind = cs_real_keep_z(reader, kind),
		.text = cs_real_keep(reader, text)};
	CS_REAL_ADD(reader, events, row);
}

struct cs_real_marks cs_real_mark(const struct cs_real *real)
{
	return (struct cs_real_marks){real->files.n, real->frames.n, real->cells.n, real->levels.n,
		real->sources.n, real->events.n, real->objects.n};
}

/* ---- removing rows ---- */

static void real_drop_rows(struct cs_real_reader *reader)
{
	struct cs_real *real = reader->real;
	real->frames.n = reader->begin.frames;
	real->cells.n = reader->begin.cells;
	real->levels.n = reader->begin.levels;
	real->sources.n = reader->begin.sources;
	real->events.n = reader->begin.events;
	real->objects.n = reader->begin.objects;
}

void cs_real_take_back(struct cs_real_reader *reader)
{
	real_drop_rows(reader);
	reader->real->files.n = reader->begin.files;
	reader->real->no_memory = false;
}

struct cs_error *cs_real_begin_again(struct cs_real_reader *reader)
{
	struct cs_real_file *file = cs_real_file_row(reader);
	real_drop_rows(reader);
	*file = (struct cs_real_file){.name = file->name,
		.kind = file->kind,
		.zero = file->zero,
		.seconds = (double)NAN,
		.epoch = (double)NAN};
	reader->rest.n = reader->skipped = 0;
	reader->unread = 0;
	reader->origin.line = 0;
	reader->origin.offset = 0;
	reader->time = (double)NAN;
	reader->frame = -1;
	reader->again = reader->ended = false;
	return reader->form->again(reader);
}

/* ---- dividing a file into lines ---- */

void cs_real_leave_line(struct cs_real_reader *reader)
{
	reader->unread += (int64_t)reader->length;
	cs_real_file_row(reader)->lines--;
}

static struct cs_error *real_line(
	struct cs_real_reader *reader, const char *begin, size_t n, bool has_end)
{
	const size_t whole = reader->skipped + n;
	reader->skipped = 0;
	reader->cut = !has_end;
	struct cs_real_file *file = cs_real_file_row(reader);
	file->lines++;
	reader->length = whole + has_end;
	reader->origin.line = file->lines <= UINT32_MAX ? (uint32_t)file->lines : 0;
	reader->origin.offset += (int64_t)(whole + has_end);
	if (!has_end && (whole > CS_REAL_LONGEST_LINE || !reader->form->proves_end)) {
		cs_real_leave_line(reader);
		return NULL;
	}
	if (whole > CS_REAL_LONGEST_LINE) {
		reader->unread += (int64_t)whole;
		return NULL;
	}
	/* a line with NUL bytes has lost text (a hole in the file), so it is not parsed */
	if (memchr(begin, 0, n)) {
		reader->unread += (int64_t)reader->length;
		return NULL;
	}
	while (n > 0 && begin[n - 1] == '\r')
		n--;
	/* in concatenated files any line may begin with a byte order mark */
	const size_t mark = cs_utf8_mark(begin, n);
	return reader->form->line(reader, (struct cs_ue_piece){begin + mark, n - mark});
}

struct cs_error *cs_real_lines(
	struct cs_real_reader *reader, const char *text, size_t n, bool last, size_t *taken_ret)
{
	struct cs_error *error = NULL;
	size_t at = 0;
	while (!error && !reader->real->no_memory && (at < n || (last && reader->skipped))) {
		const char *end = at < n ? memchr(text + at, '\n', n - at) : NULL;
		const size_t length = end ? (size_t)(end - text) - at : n - at;
		if (!end && !last) {
			if (reader->skipped + length > CS_REAL_LONGEST_LINE) {
				reader->skipped += length;
				at = n;
			}
			break;
		}
		error = real_line(reader, text + at, length, end != NULL);
		at += length + (end != NULL);
		if (!error && cs_real_file_row(reader)->lines % CS_REAL_CHECKED == 0)
			error = cs_job_check(reader->job);
	}
	*taken_ret = at;
	return error;
}
