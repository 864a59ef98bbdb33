/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file of any size, one in memory at a time. */
#pragma once

#include "format/byte_source.h"

struct cs_ue_lines {
	const struct cs_source_file *source;
	char *buffer;
	size_t room, start, end; /* unread bytes are buffer[start..end) */
	uint64_t next;           /* file offset of what comes behind the buffer */
	size_t longest;          /* limit */
	/* the line that was read last */
	const char *text;
	size_t length; /* without its end */
	bool ended;    /* it has one */
	uint64_t number, offset;
};

/*
 * Text of 16 bits a character, by its byte order mark or its first letter, as UTF-8 in memory that
 * the caller frees; NULL where it is no such text. E_LIMIT when it is larger than `most`.
 */
struct cs_error *cs_ue_lines_narrow(const struct cs_source_file *source, uint64_t most,
	unsigned char **ret, size_t *size_ret) CS_MUST_USE;
struct cs_ue_lines cs_ue_lines_over(const struct cs_source_file *source, size_t longest);
/* `more_ret` is false at the end. E_LIMIT for a line that is longer than the limit. */
struct cs_error *cs_ue_next_line(struct cs_ue_lines *lines, bool *more_ret) CS_MUST_USE;
void cs_ue_lines_deinit(struct cs_ue_lines *lines);
