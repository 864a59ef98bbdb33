/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file of any size, with one in memory at a time. */
#pragma once

#include "format/byte_source.h"

struct cs_ue_lines {
	const struct cs_source_file *source;
	char *buffer;
	size_t room, start, end; /* unread bytes are buffer[start..end) */
	uint64_t next;           /* file offset of the first byte that is not in the buffer yet */
	size_t longest;          /* most bytes of a line */
	/* The line that was read last. */
	const char *text;
	size_t length; /* bytes of the line without its newline */
	bool ended;    /* whether the line ends in a newline */
	uint64_t number, offset;
};

/*
 * Converts text of 16 bits a character, found by its byte order mark or its first letter, to UTF-8
 * in memory that the caller frees. *ret is NULL for other text. Returns E_LIMIT when it is larger
 * than `most`.
 */
struct cs_error *cs_ue_lines_narrow(const struct cs_source_file *source, uint64_t most,
	unsigned char **ret, size_t *size_ret) CS_MUST_USE;
struct cs_ue_lines cs_ue_lines_over(const struct cs_source_file *source, size_t longest);
/*
 * Reads the next line. `more_ret` is false at the end. Returns E_LIMIT for a line that is longer
 * than the limit.
 */
struct cs_error *cs_ue_next_line(struct cs_ue_lines *lines, bool *more_ret) CS_MUST_USE;
void cs_ue_lines_deinit(struct cs_ue_lines *lines);
