/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on errors for the other rooms of the library. */
#pragma once

#include <cellscope/core.h>

struct cs_error *cs_error_atv(enum cs_code code, const char *file, uint64_t offset,
	const char *format, va_list args) CS_PRINTF(4, 0) CS_MUST_USE;

/*
 * Returns a new error "MESSAGE: message of the cause" with the code of `cause`, which it owns then.
 */
struct cs_error *cs_error_wrap(struct cs_error *cause, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/*
 * Returns the first of two errors, each of which may be NULL, and frees the other: collects the
 * errors of many steps.
 */
struct cs_error *cs_error_first(struct cs_error *first, struct cs_error *other) CS_MUST_USE;
