/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on errors that only the library uses. */
#pragma once

#include <cellscope/core.h>

struct cs_error *cs_error_atv(enum cs_code code, const char *file, uint64_t offset,
	const char *format, va_list args) CS_PRINTF(4, 0) CS_MUST_USE;

/*
 * Returns an error with the code, file and offset of `cause`, and the message "CONTEXT: message of
 * the cause". The error owns `cause`.
 */
struct cs_error *cs_error_wrap(struct cs_error *cause, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
