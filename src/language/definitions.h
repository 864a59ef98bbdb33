/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names with values: @NAME@ of -D, and aliases. */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>

struct definition {
	char *name, *value;
};

/* Folder of the running command file. Its path in the output is not replaced by @HERE@, as values
 * of other definitions are by their names. */
#define DEFINITION_HERE "HERE"

struct definitions {
	struct definition *at;
	size_t n, room;
};

/* Replaces the definition of that name, or adds one. */
struct cs_error *define(struct definitions *to, const char *name, const char *value) CS_MUST_USE;
/* Finds the value of a name of `n` bytes; NULL when there is none. */
const char *definition_of(const struct definitions *in, const char *name, size_t n);
void definitions_free(struct definitions *definitions);

/*
 * Replaces values of definitions in a text by @NAME@, the longest value first. Only values that are
 * paths are replaced: a number would be found everywhere. The new text is freed by the caller.
 */
struct cs_error *put_back_definitions(const struct definitions *definitions, const char *text,
	size_t n, char **ret, size_t *n_ret) CS_MUST_USE;
