/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, for the other rooms of the library. */
#pragma once

#include <cellscope/core.h>

struct cs_error *cs_error_atv(enum cs_code code, const char *file, uint64_t offset,
	const char *format, va_list args) CS_PRINTF(4, 0) CS_MUST_USE;

/* A new error with the code of `cause`, which it takes over: "MESSAGE: message of the cause". */
struct cs_error *cs_error_wrap(struct cs_error *cause, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/* Of two errors, each may be NULL, the first; the other is freed. To collect those of many steps.
 */
struct cs_error *cs_error_first(struct cs_error *first, struct cs_error *other) CS_MUST_USE;
