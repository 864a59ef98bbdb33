/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores names with texts: values of -D NAME=VALUE (written @NAME@), aliases and procedures. */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>

struct definition {
	char *name, *value;
};

/* Name that stands for the folder of the running command file. put_back_definitions() skips it. */
#define DEFINITION_HERE "HERE"

struct definitions {
	struct definition *at;
	size_t n, room;
};

/* Replaces the definition of that name, or adds one. */
struct cs_error *define(struct definitions *to, const char *name, const char *value) CS_MUST_USE;
/* Returns the value of a name of `n` bytes; NULL when the name is not defined. */
const char *definition_of(const struct definitions *in, const char *name, size_t n);
void definitions_free(struct definitions *definitions);

/*
 * Replaces values of definitions in a text by @NAME@, the longest value first. Only paths are
 * replaced, because a number would match in unrelated places. The caller frees the new text.
 */
struct cs_error *put_back_definitions(const struct definitions *definitions, const char *text,
	size_t n, char **ret, size_t *n_ret) CS_MUST_USE;
