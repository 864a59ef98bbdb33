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

struct cs_ue_lines cs_ue_lines_over(const struct cs_source_file *source, size_t longest);
/* Reads the next line. *more_ret is false at the file's end. E_LIMIT for a line over the limit. */
struct cs_error *cs_ue_next_line(struct cs_ue_lines *lines, bool *more_ret) CS_MUST_USE;
void cs_ue_lines_deinit(struct cs_ue_lines *lines);
