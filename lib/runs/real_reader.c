/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a file of a real run from beginning to end: recognises its format, passes it in pieces to
 * the reader of the format, maintains its row in cs_real.files, and drops old rows of a file that
 * never ends. The rows do not depend on how a file is divided into pieces, because an incomplete
 * line is kept.
 *
 * Invariant: `rest` contains no complete line, and at most CS_REAL_LONGEST_LINE bytes.
 */
#include "runs/real.h"

#include "core/text.h"
#include "core/utf8.h"
#include "stream/source.h"

#include <string.h>

enum { REAL_KEPT_BYTES = 64 };

/* ---- recognising the format ---- */

static struct cs_ue_piece real_first_line(const char *text, size_t n, bool *whole_ret)
{
	size_t at = 0;
	while (at < n && (text[at] == '\n' || text[at] == '\r'))
		at++;
	const char *end = at < n ? memchr(text + at, '\n', n - at) : NULL;
	*whole_ret = end != NULL;
	return cs_ue_piece_trim(
		(struct cs_ue_piece){text + at, end ? (size_t)(end - text) - at : n - at});
}

/* Returns the format of a file from its first bytes; NULL when more bytes are needed. */
static const struct cs_real_form *real_form_of(const char *text, size_t n, bool last)
{
	bool whole;
	if (n < 4 && !last)
		return NULL;
	if (cs_real_is_trace(text, n))
		return &cs_real_trace_form;
	const struct cs_ue_piece first = real_first_line(text, n, &whole);
	if (!whole && !last && n < CS_REAL_LONGEST_LINE)
		return NULL;
	if (cs_run_profile_is(first.at, first.n))
		return &cs_real_profile_form;
	if (cs_ue_piece_starts(first, "{") && !cs_real_is_wrapped(first))
		return &cs_real_jsonl_form;
	return cs_real_is_tsv(first) ? &cs_real_tsv_form : &cs_real_log_form;
}

static struct cs_error *real_begin_form(
	struct cs_real_reader *reader, const struct cs_real_form *form)
{
	struct cs_real_file *file = cs_real_file_row(reader);
	reader->state = calloc(1, form->state_size + 1);
	if (!reader->state)
		return cs_error_nomem();
	reader->form = form;
	file->kind = cs_real_keep_z(reader, form->kind);
	file->zero = form->zero ? cs_real_keep_z(reader, form->zero) : 0;
	return form->begin ? form->begin(reader) : NULL;
}

/* ---- reading pieces ---- */

/* Recognises the format of a file by its first piece, if possible, and skips a byte order mark. */
static struct cs_error *real_feed_first(
	struct cs_real_reader *reader, const char *text, size_t n, bool last, size_t *taken_ret)
{
	const size_t mark = cs_utf8_mark(text, n);
	const struct cs_real_form *form = real_form_of(text + mark, n - mark, last);
	*taken_ret = form ? mark : 0;
	return form ? real_begin_form(reader, form) : NULL;
}

static struct cs_error *real_feed_all(
	struct cs_real_reader *reader, const char *text, size_t n, bool last, size_t *taken_ret)
{
	struct cs_error *error = NULL;
	size_t first = 0, taken = 0;
	if (!reader->form)
		error = real_feed_first(reader, text, n, last, &first);
	if (!error && reader->form)
		error = (reader->form->bytes ? reader->form->bytes : cs_real_lines)(
			reader, text + first, n - first, last, &taken);
	*taken_ret = first + taken;
	return !error && reader->real->no_memory ? cs_error_nomem() : error;
}

static struct cs_error *real_feed_piece(
	struct cs_real_reader *reader, const char *bytes, size_t n, bool last)
{
	size_t taken = 0;
	struct cs_error *error = NULL;
	if (reader->rest.n == 0) {
		error = real_feed_all(reader, bytes, n, last, &taken);
		if (!error && !last && !cs_vec_append(&reader->rest, bytes + taken, n - taken))
			error = cs_error_nomem();
	} else {
		if (!cs_vec_append(&reader->rest, bytes, n))
			return cs_error_nomem();
		error = real_feed_all(reader, reader->rest.at, reader->rest.n, last, &taken);
		reader->rest.n -= taken;
		memmove(reader->rest.at, reader->rest.at + taken, reader->rest.n);
	}
	if (last && error)
		reader->unread += (int64_t)reader->rest.n;
	if (last)
		reader->rest.n = 0;
	if (!error && last && reader->form->end)
		error = reader->form->end(reader);
	return error;
}

/* Passes a piece to the reader of the file's format, unless an earlier error left it incomplete. */
struct cs_error *cs_real_feed(struct cs_real_reader *reader, const char *bytes, size_t n, bool last)
{
	if (reader->failed)
		return NULL;
	struct cs_error *error = real_feed_piece(reader, bytes, n, last);
	reader->failed = error != NULL;
	if (error)
		reader->rest.n = 0;
	return error;
}

/* ---- the row of the file in cs_real.files ---- */

struct cs_error *cs_real_reader_begin(struct cs_real *real, const char *name,
	const struct cs_job *job, struct cs_real_reader *ret)
{
	struct cs_real_reader reader = {.real = real,
		.job = job,
		.name = name,
		.begin = cs_real_mark(real),
		.origin.file = (uint32_t)real->files.n,
		.time = (double)NAN,
		.frame = -1};
	if (!cs_vec_push(&real->files,
		    (struct cs_real_file){.seconds = (double)NAN, .epoch = (double)NAN}))
		return cs_error_nomem();
	cs_real_file_row(&reader)->name = cs_real_keep_z(&reader, name);
	*ret = reader;
	return NULL;
}

void cs_real_reader_tell(struct cs_real_reader *reader)
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
	file->unread =
		reader->unread + (int64_t)(reader->rest.n + reader->skipped + reader->waiting);
}

void cs_real_reader_free(struct cs_real_reader *reader)
{
	if (reader->form && reader->form->free)
		reader->form->free(reader);
	free(reader->state);
	cs_vec_free(&reader->rest);
	*reader = (struct cs_real_reader){0};
}

/* ---- dropping old rows ---- */

/* The old pool of texts, and a new pool to which the texts that rows use are copied. */
struct real_texts {
	const struct cs_strings *from;
	struct cs_strings to;
	bool failed;
};

static void real_copy_text(void *context, uint32_t *text)
{
	struct real_texts *texts = context;
	const char *at = cs_strings_get(texts->from, *text);
	texts->failed |= cs_strings_add_z(&texts->to, at) == CS_NONE;
}

static void real_move_text(void *context, uint32_t *text)
{
	const struct real_texts *texts = context;
	const char *at = cs_strings_get(texts->from, *text);
	*text = cs_strings_find(&texts->to, at, strlen(at));
}

#define EACH_TEXT(rows, ...)                                                               \
	for (size_t i = 0; i < real->rows.n; i++) {                                        \
		const size_t members[] = {__VA_ARGS__};                                    \
		for (size_t k = 0; k < CS_COUNT_OF(members); k++)                          \
			each(texts, (uint32_t *)((char *)&real->rows.at[i] + members[k])); \
	}
#define AT(structure, member) offsetof(struct structure, member)

static void real_each_text(struct cs_real_reader *reader,
	void (*each)(void *context, uint32_t *text), struct real_texts *texts)
{
	struct cs_real *real = reader->real;
	EACH_TEXT(files, AT(cs_real_file, name), AT(cs_real_file, kind), AT(cs_real_file, zero),
		AT(cs_real_file, missing), AT(cs_real_file, note))
	EACH_TEXT(frames, AT(cs_real_frame, events))
	EACH_TEXT(cells, AT(cs_real_cell, cell), AT(cs_real_cell, level), AT(cs_real_cell, from),
		AT(cs_real_cell, to), AT(cs_real_cell, target))
	EACH_TEXT(
		levels, AT(cs_real_level, cell), AT(cs_real_level, level), AT(cs_real_level, state))
	EACH_TEXT(sources, AT(cs_real_source, name), AT(cs_real_source, flags))
	EACH_TEXT(events, AT(cs_real_event, kind), AT(cs_real_event, text))
	EACH_TEXT(objects, AT(cs_real_object, class), AT(cs_real_object, object),
		AT(cs_real_object, list))
	EACH_TEXT(pairs, AT(cs_real_pair, cell), AT(cs_real_pair, cause), AT(cs_real_pair, reason),
		AT(cs_real_pair, file))
	if (reader->form && reader->form->texts)
		reader->form->texts(reader, each, texts);
}

static struct cs_error *real_forget_texts(struct cs_real_reader *reader)
{
	struct real_texts texts = {.from = &reader->real->texts};
	real_each_text(reader, real_copy_text, &texts);
	if (texts.failed) {
		cs_strings_deinit(&texts.to);
		return cs_error_nomem();
	}
	real_each_text(reader, real_move_text, &texts);
	cs_strings_deinit(&reader->real->texts);
	reader->real->texts = texts.to;
	return NULL;
}

/*
 * Returns how many rows, from row `begin` on, to remove so that the remaining ones take `keep` * 64
 * bytes. Returns 0 if the rows take less than 1.25 times that size. `n` is the number of rows of
 * the table, `size` the size of one row.
 */
static size_t real_to_forget(size_t n, size_t begin, size_t keep, size_t size)
{
	const size_t most = keep * REAL_KEPT_BYTES / size;
	return n - begin > most + most / 4 ? n - begin - most : 0;
}

#define FORGET(rows)                                                                           \
	{                                                                                      \
		const size_t gone = real_to_forget(                                            \
			real->rows.n, reader->begin.rows, keep, sizeof(*real->rows.at));       \
		if (gone) {                                                                    \
			real->rows.n -= gone;                                                  \
			memmove(real->rows.at + reader->begin.rows,                            \
				real->rows.at + reader->begin.rows + gone,                     \
				(real->rows.n - reader->begin.rows) * sizeof(*real->rows.at)); \
			forgotten += gone;                                                     \
		}                                                                              \
	}

struct cs_error *cs_real_forget(struct cs_real_reader *reader, size_t keep)
{
	struct cs_real *real = reader->real;
	size_t forgotten = 0;
	FORGET(frames)
	FORGET(cells)
	FORGET(levels)
	FORGET(sources)
	FORGET(events)
	FORGET(objects)
	cs_real_file_row(reader)->forgotten += (int64_t)forgotten;
	const size_t most = keep * REAL_KEPT_BYTES;
	return forgotten && real->texts.size > most / 8 ? real_forget_texts(reader) : NULL;
}
