/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks gzip data (RFC 1952) in memory. */
#pragma once

#include <cellscope/core.h>

bool cs_gzip_is(const void *bytes, size_t size);
/*
 * Unpacks all members, one after the other, and appends a NUL. The caller frees *bytes_ret. `file`
 * is the name in messages. Returns E_LIMIT when the output exceeds `limit` bytes, and E_TRUNCATED,
 * E_CHECKSUM, E_COMPRESSION or E_TRAILING for damaged data. With `cut_ret`, truncated data are no
 * error: what they unpack to is returned, and *cut_ret is set.
 */
struct cs_error *cs_gzip_unpack(const char *file, const unsigned char *bytes, size_t size,
	size_t limit, bool *cut_ret, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
