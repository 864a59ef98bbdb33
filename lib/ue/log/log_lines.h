/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the lines of a file of any size, with one line in memory at a time. */
#pragma once

#include "format/byte_source.h"

struct cs_ue_lines {
	const struct cs_source_file *source;
	char *buffer;
	size_t room, start, end; /* unread bytes are buffer[start] to buffer[end - 1] */
	uint64_t next;           /* file offset of the next byte to load into the buffer */
	size_t longest;          /* maximum length of a line in bytes */
	/* the line that was read last, without its newline */
	const char *text;
	size_t length; /* length of `text` in bytes */
	bool ended;    /* a newline followed the line */
	uint64_t number, offset;
};

/*
 * Converts a UTF-16 file, recognised by its byte order mark or its first letter, to UTF-8, which
 * the caller frees. Stores NULL for other files. Returns E_LIMIT if the text is larger than `most`.
 */
struct cs_error *cs_ue_lines_narrow(const struct cs_source_file *source, uint64_t most,
	unsigned char **ret, size_t *size_ret) CS_MUST_USE;
/* Replaces UTF-16 in *bytes, of which *size are allocated, by UTF-8; leaves other text as it is. */
struct cs_error *cs_ue_narrow_bytes(
	const char *file, uint64_t most, unsigned char **bytes, size_t *size) CS_MUST_USE;
struct cs_ue_lines cs_ue_lines_over(const struct cs_source_file *source, size_t longest);
/* Reads the next line. *more_ret is false at the file's end. E_LIMIT for a line over the limit. */
struct cs_error *cs_ue_next_line(struct cs_ue_lines *lines, bool *more_ret) CS_MUST_USE;
void cs_ue_lines_deinit(struct cs_ue_lines *lines);
