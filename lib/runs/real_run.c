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
	cs_vec_free(&real->pairs);
	cs_vec_free(&real->fits);
	*real = (struct cs_real){0};
}

void cs_real_free(struct cs_real *real)
{
	if (real)
		cs_real_clear(real);
	free(real);
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

static struct cs_error *real_read_text(struct cs_real *real, const char *file, const char *text,
	size_t size, const struct cs_job *job)
{
	const struct real_marks marks = real_mark(real);
	struct cs_real_reader reader = {.real = real,
		.job = job,
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
		error = real_read_text(real, file, (const char *)bytes, size, job);
	free(bytes);
	return error;
}
