/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error object.
 *
 * A function that can fail returns `struct cs_error *`: NULL is success, anything else is owned by
 * the caller, who frees it, returns it, or wraps it as the cause of another. An error carries a
 * code (named, frozen), a message, and where known the file, the byte offset and the field path.
 * Messages may quote bytes of a file: pass them through cs_escape() on the way to a terminal.
 * Out of memory is one static object, so reporting it never allocates.
 */
#ifndef CELLSCOPE_ERROR_H
#define CELLSCOPE_ERROR_H

#include <cellscope/api.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

enum cs_code {
#define CS_CODE(name, advice) CS_E_##name,
#include <cellscope/error_codes.def>
#undef CS_CODE
	CS_E_COUNT
};

/* No byte offset is known. */
#define CS_NO_OFFSET UINT64_MAX

struct cs_error;

CS_API struct cs_error *cs_error_new(enum cs_code code, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/* As cs_error_new, for a place in a file; `file` is copied and may be NULL. */
CS_API struct cs_error *cs_error_at(enum cs_code code, const char *file, uint64_t offset,
	const char *format, ...) CS_PRINTF(4, 5) CS_MUST_USE;
#ifdef CS_INSIDE
struct cs_error *cs_error_atv(enum cs_code code, const char *file, uint64_t offset,
	const char *format, va_list args) CS_PRINTF(4, 0) CS_MUST_USE;
#endif
/* A new error with the code of `cause`, which it takes over: "MESSAGE: message of the cause". */
CS_API struct cs_error *cs_error_wrap(struct cs_error *cause, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/*
 * The same error at another offset, CS_NO_OFFSET for none: what it was found in begins elsewhere in
 * what the user sees. File, message and causes stay.
 */
CS_API void cs_error_move(struct cs_error *error, uint64_t offset);
/* The same error with more at the end of its message. */
CS_API struct cs_error *cs_error_add(struct cs_error *error, const char *format, ...)
	CS_PRINTF(2, 3) CS_MUST_USE;
/* Of two errors, each may be NULL, the first; the other is freed. To collect those of many steps.
 */
CS_API struct cs_error *cs_error_first(struct cs_error *first, struct cs_error *other) CS_MUST_USE;
/* The last system call failed: NOFILE, NOTFILE, EXISTS, NOMEM or IO by `errnum`. */
CS_API struct cs_error *cs_error_errno(
	int errnum, const char *file, const char *action) CS_MUST_USE;
CS_API struct cs_error *cs_error_nomem(void) CS_MUST_USE;
CS_API void cs_error_free(struct cs_error *error);

CS_API enum cs_code cs_error_code(const struct cs_error *error);
/*
 * No input is to blame, and nothing will go better after it: no memory, no time, interrupted. Who
 * collects errors and goes on hands these up.
 */
CS_API bool cs_error_is_final(const struct cs_error *error);
/* "E_TRUNCATED" */
CS_API const char *cs_code_name(enum cs_code code);
/* What the user can do about it, one line. */
CS_API const char *cs_code_advice(enum cs_code code);
CS_API const char *cs_error_message(const struct cs_error *error);
CS_API const char *cs_error_file(const struct cs_error *error);
CS_API uint64_t cs_error_offset(const struct cs_error *error);
CS_API const struct cs_error *cs_error_cause(const struct cs_error *error);

CS_END_DECLS

#endif
