/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the rows of real runs, opening a file by what it holds, and taking its rows back when
 * reading fails. Whole files are read, packed ones unpacked, texts of 16 bits a character narrowed;
 * then the reader of its form gets the text.
 */
#include "runs/real.h"

#include "core/text.h"
#include "format/byte_source.h"
#include "format/gzip.h"
#include "ue/log/log_lines.h"

#include <string.h>

enum { REAL_LARGEST = 1 << 30 };

struct cs_error *cs_real_new(struct cs_real **ret)
{
	struct cs_real *real = calloc(1, sizeof(*real));
	if (!real)
		return cs_error_nomem();
	*ret = real;
	return NULL;
}

void cs_real_clear(struct cs_real *real)
{
	cs_strings_deinit(&real->texts);
	cs_vec_free(&real->files);
	cs_vec_free(&real->frames);
	cs_vec_free(&real->cells);
	cs_vec_free(&real->levels);
	cs_vec_free(&real->sources);
	cs_vec_free(&real->events);
	*real = (struct cs_real){0};
}

void cs_real_free(struct cs_real *real)
{
	if (real)
		cs_real_clear(real);
	free(real);
}

/* ---- what readers share ---- */

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

struct cs_ue_piece cs_real_trim(struct cs_ue_piece piece)
{
	while (piece.n > 0 && (piece.at[0] == ' ' || piece.at[0] == '\t'))
		piece = cs_ue_piece_from(piece, 1);
	while (piece.n > 0 && (piece.at[piece.n - 1] == ' ' || piece.at[piece.n - 1] == '\t'))
		piece.n--;
	return piece;
}

static size_t real_digits(struct cs_ue_piece piece)
{
	size_t n = 0;
	while (n < piece.n && piece.at[n] >= '0' && piece.at[n] <= '9')
		n++;
	return n;
}

struct cs_ue_piece cs_real_cell_name(struct cs_ue_piece level)
{
	static const char play[] = "UEDPIE_", instance[] = "_LevelInstance_";
	const char *slash = level.n ? memrchr(level.at, '/', level.n) : NULL;
	if (slash)
		level = cs_ue_piece_from(level, (size_t)(slash - level.at) + 1);
	const char *end = level.n ? memchr(level.at, ':', level.n) : NULL;
	level.n = end ? (size_t)(end - level.at) : level.n;
	end = level.n ? memchr(level.at, '.', level.n) : NULL;
	level.n = end ? (size_t)(end - level.at) : level.n;
	if (cs_ue_piece_starts(level, play)) {
		const struct cs_ue_piece rest = cs_ue_piece_from(level, strlen(play));
		size_t n = real_digits(rest);
		if (n && n < rest.n && rest.at[n] == '_')
			level = cs_ue_piece_from(rest, n + 1);
	}
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

enum cs_real_state cs_real_state_of(struct cs_ue_piece words)
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

static void real_added(struct cs_real_reader *reader, int64_t *count, bool pushed)
{
	struct cs_real_file *file = cs_real_file_row(reader);
	reader->known = true;
	reader->real->no_memory |= !pushed;
	++*count;
	if (!isnan(reader->time) && !(file->seconds > reader->time))
		file->seconds = reader->time;
}

void cs_real_add_level(struct cs_real_reader *reader, const struct cs_real_level *row)
{
	real_added(reader, &cs_real_file_row(reader)->levels,
		cs_vec_push(&reader->real->levels, *row));
}

void cs_real_add_source(struct cs_real_reader *reader, const struct cs_real_source *row)
{
	real_added(reader, &cs_real_file_row(reader)->sources,
		cs_vec_push(&reader->real->sources, *row));
}

void cs_real_add_frame(struct cs_real_reader *reader, const struct cs_real_frame *row)
{
	reader->time = row->time;
	real_added(reader, &cs_real_file_row(reader)->frames,
		cs_vec_push(&reader->real->frames, *row));
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
		.state = cs_real_state_of(to)};
	real_added(
		reader, &cs_real_file_row(reader)->cells, cs_vec_push(&reader->real->cells, row));
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
	real_added(
		reader, &cs_real_file_row(reader)->events, cs_vec_push(&reader->real->events, row));
}

bool cs_real_next_line(struct cs_real_reader *reader, struct cs_ue_piece *ret)
{
	struct cs_real_origin *origin = &reader->origin;
	size_t at = (size_t)origin->offset;
	if (reader->real->no_memory || at >= reader->size)
		return false;
	const char *begin = reader->text + at;
	const char *end = memchr(begin, '\n', reader->size - at);
	size_t n = end ? (size_t)(end - begin) : reader->size - at;
	origin->offset += (int64_t)n + (end != NULL);
	origin->line++;
	cs_real_file_row(reader)->lines++;
	while (n > 0 && begin[n - 1] == '\r')
		n--;
	*ret = (struct cs_ue_piece){begin, n};
	return true;
}

/* ---- which reader ---- */

static struct cs_ue_piece real_first_line(const struct cs_real_reader *reader)
{
	size_t at = 0;
	while (at < reader->size && (reader->text[at] == '\n' || reader->text[at] == '\r'))
		at++;
	const char *end =
		at < reader->size ? memchr(reader->text + at, '\n', reader->size - at) : NULL;
	size_t n = end ? (size_t)(end - reader->text) - at : reader->size - at;
	return cs_real_trim((struct cs_ue_piece){reader->text + at, n});
}

static struct cs_error *real_read_form(struct cs_real_reader *reader)
{
	const struct cs_ue_piece first = real_first_line(reader);
	if (cs_real_is_trace(reader->text, reader->size))
		return cs_real_read_trace(reader);
	if (cs_ue_piece_starts(first, "EVENTS,") || cs_ue_piece_starts(first, "\"EVENTS\","))
		return cs_real_read_profile(reader);
	if (cs_ue_piece_starts(first, "{"))
		return cs_real_read_jsonl(reader);
	return cs_real_is_tsv(first) ? cs_real_read_tsv(reader) : cs_real_read_log(reader);
}

/* What a run could have told and this file does not. */
static void real_note_missing(struct cs_real_reader *reader)
{
	struct cs_real_file *file = cs_real_file_row(reader);
	const struct {
		int64_t n;
		const char *name;
	} counts[] = {{file->frames, "frames"}, {file->cells, "states of cells"},
		{file->levels, "levels"}, {file->sources, "sources"}};
	char missing[128] = "";
	for (size_t i = 0; i < CS_COUNT_OF(counts); i++) {
		size_t n = strlen(missing);
		if (counts[i].n == 0)
			cs_format_c(missing + n, sizeof(missing) - n, "%s%s", n ? ", " : "",
				counts[i].name);
	}
	file->missing = cs_real_keep_z(reader, missing);
}

struct real_marks {
	size_t files, frames, cells, levels, sources, events;
};

static struct real_marks real_mark(const struct cs_real *real)
{
	return (struct real_marks){real->files.n, real->frames.n, real->cells.n, real->levels.n,
		real->sources.n, real->events.n};
}

static void real_take_back(struct cs_real *real, const struct real_marks *marks)
{
	real->files.n = marks->files;
	real->frames.n = marks->frames;
	real->cells.n = marks->cells;
	real->levels.n = marks->levels;
	real->sources.n = marks->sources;
	real->events.n = marks->events;
	real->no_memory = false;
}

static struct cs_error *real_read_text(
	struct cs_real *real, const char *file, const char *text, size_t size)
{
	const struct real_marks marks = real_mark(real);
	struct cs_real_reader reader = {.real = real,
		.name = file,
		.text = text,
		.size = size,
		.origin.file = (uint32_t)real->files.n,
		.time = (double)NAN,
		.frame = -1};
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		reader.text += 3;
		reader.size -= 3;
	}
	if (!cs_vec_push(&real->files,
		    (struct cs_real_file){.seconds = (double)NAN, .epoch = (double)NAN}))
		return cs_error_nomem();
	cs_real_file_row(&reader)->name = cs_real_keep_z(&reader, file);
	struct cs_error *error = real_read_form(&reader);
	real_note_missing(&reader);
	if (!error && real->no_memory)
		error = cs_error_nomem();
	if (!error && !reader.known)
		error = cs_error_at(CS_E_MAGIC, file, 0,
			"not a CSV profile, log, memreport, level streaming .tsv, trace or "
			"cellscope.run of a game");
	if (error)
		real_take_back(real, &marks);
	return error;
}

/* The bytes as UTF-8 where they are a text of 16 bits a character; takes them over. */
static struct cs_error *real_narrow(const char *file, unsigned char **bytes, size_t *size)
{
	struct cs_source_file source;
	unsigned char *narrow = NULL;
	size_t n = 0;
	struct cs_error *error = cs_source_memory(*bytes, *size, file, &source);
	if (error)
		return error;
	error = cs_ue_lines_narrow(&source, REAL_LARGEST, &narrow, &n);
	cs_source_close(&source);
	if (!error && narrow) {
		free(*bytes);
		*bytes = narrow;
		*size = n;
	}
	return error;
}

struct cs_error *cs_real_read(struct cs_real *real, const char *file, const struct cs_job *job)
{
	unsigned char *bytes, *unpacked;
	size_t size, n;
	struct cs_error *error = cs_read_whole(file, REAL_LARGEST, &bytes, &size);
	(void)job;
	if (error)
		return error;
	if (cs_gzip_is(bytes, size)) {
		error = cs_gzip_unpack(file, bytes, size, REAL_LARGEST, &unpacked, &n);
		free(bytes);
		if (error)
			return error;
		bytes = unpacked;
		size = n;
	}
	if (!cs_real_is_trace((const char *)bytes, size))
		error = real_narrow(file, &bytes, &size);
	if (!error)
		error = real_read_text(real, file, (const char *)bytes, size);
	free(bytes);
	return error;
}
