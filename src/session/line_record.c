/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the command lines that changed the session, in memory and in the file of `record`. */
#include "src/session/line_record.h"

#include "src/language/definitions.h"
#include "src/session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limit on the bytes of stored lines. */
enum { MOST = 16 << 20 };

void record_init(struct record *record)
{
	*record = (struct record){0};
	memory_sink_init(&record->lines);
}

void record_deinit(struct record *record)
{
	memory_sink_deinit(&record->lines);
	if (record->file)
		fclose(record->file);
	free(record->path);
}

/* Returns the length of @NAME@ at the beginning of the text if NAME is defined, else 0. */
static size_t definition_here(
	const struct definitions *definitions, const char *text, const char **value_ret)
{
	const char *end = *text == '@' ? strchr(text + 1, '@') : NULL;
	if (!end)
		return 0;
	*value_ret = definition_of(definitions, text + 1, (size_t)(end - text - 1));
	return *value_ret ? (size_t)(end - text) + 1 : 0;
}

static void write_expanded(
	const struct definitions *definitions, const char *line, struct memory_sink *to)
{
	while (*line) {
		const char *value;
		size_t n = definition_here(definitions, line, &value);
		if (n)
			sink_write(&to->sink, value, strlen(value));
		else
			sink_write(&to->sink, line, 1);
		line += n ? n : 1;
	}
	sink_write(&to->sink, "\n", 1);
}

static struct cs_error *write_file(const struct record *record, const char *text, size_t n)
{
	if (fwrite(text, 1, n, record->file) < n || fflush(record->file) != 0)
		return cs_error_errno(errno, record->path, "write the record");
	return NULL;
}

struct cs_error *session_record(struct session *session, const char *line)
{
	struct record *record = &session->record;
	struct memory_sink text;
	struct cs_error *error = NULL;
	if (record->too_long && !record->file)
		return NULL;
	memory_sink_init(&text);
	write_expanded(&session->words.definitions, line, &text);
	record->too_long = record->too_long || record->lines.text.n + text.text.n > MOST;
	if (record->too_long)
		memory_sink_deinit(&record->lines);
	else
		sink_write(&record->lines.sink, text.text.at, text.text.n);
	if (text.failed || record->lines.failed)
		error = cs_error_nomem();
	else if (record->file)
		error = write_file(record, text.text.at, text.text.n);
	memory_sink_deinit(&text);
	return error;
}

struct cs_error *session_record_failed(
	struct session *session, const char *lines, const struct cs_error *error)
{
	const bool is_block = strchr(lines, '\n') != NULL;
	char *text;
	if (session->block.running > 0 || session->run.at_stop || session->run.is_tick ||
		error->code == CS_E_INTERRUPTED)
		return NULL;
	if (asprintf(&text, "%s%s%sexpect error %s: %s", is_block ? "define recorded\n" : "",
		    is_block ? lines : "", is_block ? "\nend\n" : "",
		    cs_word(CS_WORDS_CODE, error->code)->name, is_block ? "recorded" : lines) < 0)
		return cs_error_nomem();
	struct cs_error *unwritten = session_record(session, text);
	free(text);
	return unwritten;
}

struct cs_error *record_failed_call(struct call *call, struct cs_error *error)
{
	return cs_error_first(session_record_failed(call->session, call->line, error), error);
}

struct cs_error *session_record_end(struct session *session)
{
	struct record *record = &session->record;
	FILE *file = record->file;
	struct cs_error *error = NULL;
	record->file = NULL;
	if (file && fclose(file) != 0)
		error = cs_error_errno(errno, record->path, "write the record");
	free(record->path);
	record->path = NULL;
	return error;
}

struct cs_error *session_record_begin(struct session *session, const char *path)
{
	struct record *record = &session->record;
	struct cs_error *error = session_record_end(session);
	if (!error && record->too_long)
		error = cs_error_new(CS_E_LIMIT,
			"the commands since the world was opened, with which a record begins, have "
			"more bytes than the limit of %d: open the world again",
			MOST);
	if (error)
		return error;
	record->path = strdup(path);
	if (!record->path)
		return cs_error_nomem();
	record->file = steady_create(path);
	if (!record->file)
		return cs_error_errno(errno, path, "create");
	return record->lines.text.n
		       ? write_file(record, record->lines.text.at, record->lines.text.n)
		       : NULL;
}
