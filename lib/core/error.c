/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements error objects. An error, its message and its file name are allocated separately; an
 * error owns its cause. Invariant: the static out-of-memory object is never freed or changed.
 */
#include <cellscope/core.h>

#include "core/error_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cs_error nomem = {
	.code = CS_E_NOMEM,
	.offset = CS_NO_OFFSET,
	.message = (char *)"out of memory",
};

struct cs_error *cs_error_nomem(void)
{
	return &nomem;
}

struct cs_error *cs_error_atv(
	enum cs_code code, const char *file, uint64_t offset, const char *format, va_list args)
{
	struct cs_error *error = calloc(1, sizeof(*error));
	if (!error)
		return &nomem;
	error->code = code;
	error->offset = offset;
	if (vasprintf(&error->message, format, args) < 0)
		error->message = NULL;
	if (file)
		error->file = strdup(file);
	if (!error->message || (file && !error->file)) {
		cs_error_free(error);
		return &nomem;
	}
	return error;
}

struct cs_error *cs_error_at(
	enum cs_code code, const char *file, uint64_t offset, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct cs_error *error = cs_error_atv(code, file, offset, format, args);
	va_end(args);
	return error;
}

struct cs_error *cs_error_new(enum cs_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct cs_error *error = cs_error_atv(code, NULL, CS_NO_OFFSET, format, args);
	va_end(args);
	return error;
}

struct cs_error *cs_error_add(struct cs_error *error, const char *format, ...)
{
	if (error == &nomem)
		return error;
	va_list args;
	va_start(args, format);
	const int more = vsnprintf(NULL, 0, format, args);
	va_end(args);
	const size_t length = strlen(error->message);
	char *message = more < 0 ? NULL : realloc(error->message, length + (size_t)more + 1);
	if (!message) {
		cs_error_free(error);
		return &nomem;
	}
	va_start(args, format);
	vsnprintf(message + length, (size_t)more + 1, format, args);
	va_end(args);
	error->message = message;
	return error;
}

struct cs_error *cs_error_wrap(struct cs_error *cause, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct cs_error *error =
		cs_error_atv(cause->code, cause->file, cause->offset, format, args);
	va_end(args);
	error = cs_error_add(error, ": %s", cause->message);
	if (error == &nomem)
		cs_error_free(cause);
	else
		error->cause = cause;
	return error;
}

struct cs_error *cs_error_errno(int errnum, const char *file, const char *action)
{
	enum cs_code code = CS_E_IO;
	if (errnum == ENOMEM)
		return &nomem;
	if (errnum == ENOENT || errnum == ENOTDIR)
		code = CS_E_NOFILE;
	else if (errnum == EISDIR || errnum == ELOOP)
		code = CS_E_NOTFILE;
	else if (errnum == EEXIST)
		code = CS_E_EXISTS;
	char text[128] = "";
	const char *reason = strerror_r(errnum, text, sizeof(text));
	return cs_error_at(code, file, CS_NO_OFFSET, "cannot %s: %s", action, reason);
}

void cs_error_free(struct cs_error *error)
{
	while (error && error != &nomem) {
		struct cs_error *cause = error->cause;
		free(error->message);
		free(error->file);
		free(error);
		error = cause;
	}
}
