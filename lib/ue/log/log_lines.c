/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads lines, without escape sequences of terminals. The buffer is filled in steps of PIECE bytes
 * and grows to the longest line.
 */
#include "ue/log/log_line.h"

#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 };

struct cs_ue_lines cs_ue_lines_over(const struct cs_source_file *source, size_t longest)
{
	return (struct cs_ue_lines){.source = source, .longest = longest, .text = ""};
}

static struct cs_error *too_long(const struct cs_ue_lines *lines, uint64_t offset)
{
	return cs_error_at(CS_E_LIMIT, lines->source->name, offset,
		"line %llu is longer than the limit of %zu bytes",
		(unsigned long long)lines->number + 1, lines->longest);
}

/* Moves the unread bytes to the start of the buffer, and appends the next bytes of the file. */
static struct cs_error *log_lines_fill(struct cs_ue_lines *lines)
{
	size_t left = lines->end - lines->start;
	if (left > lines->longest)
		return too_long(lines, lines->next - left);
	if (left > 0)
		memmove(lines->buffer, lines->buffer + lines->start, left);
	lines->start = 0;
	lines->end = left;
	if (lines->room - left < PIECE) {
		size_t room = lines->room + lines->room / 2 + PIECE;
		char *buffer = realloc(lines->buffer, room);
		if (!buffer)
			return cs_error_nomem();
		lines->buffer = buffer;
		lines->room = room;
	}
	uint64_t size = lines->source->size - lines->next;
	size_t n = size < PIECE ? (size_t)size : PIECE;
	struct cs_error *error =
		cs_source_read(lines->source, lines->next, lines->buffer + left, n);
	lines->end += n;
	lines->next += n;
	return error;
}

struct cs_error *cs_ue_next_line(struct cs_ue_lines *lines, bool *more_ret)
{
	size_t seen = 0;
	const char *end = NULL;
	for (;;) {
		size_t left = lines->end - lines->start;
		if (left > seen)
			end = memchr(lines->buffer + lines->start + seen, '\n', left - seen);
		seen = left;
		if (end || lines->next == lines->source->size)
			break;
		struct cs_error *error = log_lines_fill(lines);
		if (error)
			return error;
	}
	*more_ret = seen > 0;
	if (seen == 0)
		return NULL;
	lines->text = lines->buffer + lines->start;
	lines->offset = lines->next - seen;
	lines->ended = end != NULL;
	lines->length = end ? (size_t)(end - lines->text) : seen;
	if (lines->length > lines->longest)
		return too_long(lines, lines->offset);
	lines->number++;
	/* in concatenated logs any line may begin with a byte order mark */
	const size_t mark = cs_utf8_mark(lines->text, lines->length);
	lines->text += mark;
	lines->length -= mark;
	lines->start += mark;
	char *text = lines->buffer + lines->start;
	lines->start += lines->length + (end != NULL);
	lines->length = cs_ue_log_plain((struct cs_ue_piece){text, lines->length}, text);
	while (lines->length > 0 && text[lines->length - 1] == '\r')
		lines->length--;
	return NULL;
}

void cs_ue_lines_deinit(struct cs_ue_lines *lines)
{
	free(lines->buffer);
	lines->buffer = NULL;
}
