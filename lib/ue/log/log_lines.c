/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines. The buffer is filled in steps of PIECE bytes and grows to the longest line. */
#include "ue/log/log_lines.h"

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
	const size_t mark = lines->number == 1 ? cs_utf8_mark(lines->text, lines->length) : 0;
	lines->text += mark;
	lines->length -= mark;
	lines->start += mark;
	lines->start += lines->length + (end != NULL);
	if (lines->length > 0 && lines->text[lines->length - 1] == '\r')
		lines->length--;
	return NULL;
}

/* ---- converting UTF-16 ---- */

static uint32_t unit_at(const unsigned char *bytes, size_t i, bool big)
{
	return (uint32_t)bytes[2 * i + !big] << 8 | bytes[2 * i + big];
}

static size_t put_utf8(unsigned char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (unsigned char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		to[i] = (unsigned char)(0x80 | (c & 0x3f));
	to[0] = (unsigned char)(0xf00 >> n | c);
	return n;
}

/* Converts UTF-16 to UTF-8; an unpaired surrogate becomes U+FFFD. Returns the number of bytes. */
static size_t narrow(const unsigned char *bytes, size_t units, bool big, unsigned char *to)
{
	size_t n = 0;
	for (size_t i = 0; i < units; i++) {
		uint32_t c = unit_at(bytes, i, big);
		uint32_t low = i + 1 < units ? unit_at(bytes, i + 1, big) : 0;
		if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i++;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = 0xfffd;
		}
		n += put_utf8(to + n, c);
	}
	return n;
}

struct cs_error *cs_ue_lines_narrow(
	const struct cs_source_file *source, uint64_t most, unsigned char **ret, size_t *size_ret)
{
	unsigned char start[2];
	*ret = NULL;
	if (source->size < 2)
		return NULL;
	struct cs_error *error = cs_source_read(source, 0, start, 2);
	bool little = start[0] == 0xff && start[1] == 0xfe,
	     big = start[0] == 0xfe && start[1] == 0xff;
	bool marked = little || big;
	little |= start[0] && !start[1];
	big |= !start[0] && start[1];
	if (error || !(little || big))
		return error;
	if (source->size > most)
		return cs_error_at(CS_E_LIMIT, source->name, 0,
			"the file is text in UTF-16 and is longer than the memory limit of %llu "
			"bytes (--max-mem)",
			(unsigned long long)most);
	size_t units = (size_t)source->size / 2 - marked;
	unsigned char *bytes = malloc(2 * units + 1), *text = malloc(3 * units + 1);
	error = bytes && text ? cs_source_read(source, marked ? 2 : 0, bytes, 2 * units)
			      : cs_error_nomem();
	if (!error)
		*size_ret = narrow(bytes, units, big, text);
	free(bytes);
	if (error)
		free(text);
	else
		*ret = text;
	return error;
}

struct cs_error *cs_ue_narrow_bytes(
	const char *file, uint64_t most, unsigned char **bytes, size_t *size)
{
	struct cs_source_file source;
	unsigned char *narrow_text = NULL;
	size_t n = 0;
	struct cs_error *error = cs_source_memory(*bytes, *size, file, &source);
	if (error)
		return error;
	error = cs_ue_lines_narrow(&source, most, &narrow_text, &n);
	cs_source_close(&source);
	if (!error && narrow_text) {
		free(*bytes);
		*bytes = narrow_text;
		*size = n;
	}
	return error;
}

void cs_ue_lines_deinit(struct cs_ue_lines *lines)
{
	free(lines->buffer);
	lines->buffer = NULL;
}
