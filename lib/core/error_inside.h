/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, for the other rooms of the library. */
#ifndef CORE_ERROR_INSIDE_H
#define CORE_ERROR_INSIDE_H

#include <cellscope/core.h>

struct cs_error *cs_error_atv(enum cs_code code, const char *file, uint64_t offset,
	const char *format, va_list args) CS_PRINTF(4, 0) CS_MUST_USE;

#endif
