/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks .gz files (RFC 1952) that were read completely. */
#pragma once

#include <cellscope/core.h>

bool cs_gzip_is(const void *bytes, size_t size);
/*
 * Unpacks all members, one after the other, and adds a NUL; freed by the caller. `file` is the name
 * in messages. E_LIMIT when more than `limit` bytes come out, E_TRUNCATED, E_CHECKSUM,
 * E_COMPRESSION, E_TRAILING.
 */
struct cs_error *cs_gzip_unpack(const char *file, const unsigned char *bytes, size_t size,
	size_t limit, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
