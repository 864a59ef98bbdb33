/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names with values: @NAME@ of -D, aliases. */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>

struct definition {
	char *name, *value;
};

/* The folder of the command file that runs; it is not put back into what is printed. */
#define DEFINITION_HERE "HERE"

struct definitions {
	struct definition *at;
	size_t n, room;
};

/* Replaces the definition of that name, or adds one. */
struct cs_error *define(struct definitions *to, const char *name, const char *value) CS_MUST_USE;
/* NULL when there is none; `n` is the length of the name. */
const char *definition_of(const struct definitions *in, const char *name, size_t n);
void definitions_free(struct definitions *definitions);

/*
 * Puts @NAME@ back where the value of a definition stands, the longest value first. Only values
 * that are paths count: a number would be found everywhere. The text is freed by the caller.
 */
struct cs_error *put_back_definitions(const struct definitions *definitions, const char *text,
	size_t n, char **ret, size_t *n_ret) CS_MUST_USE;
