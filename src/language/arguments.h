/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the types of arguments mean: how values are checked when a line is parsed, resolved when it
 * runs, and completed while it is typed. One row a type.
 */
#pragma once

#include "src/language/command.h"
#include "src/language/lexer.h"

/* Returns whether the argument takes the rest of the line, which begins with `text`. */
bool argument_is_raw(enum argument_type type, const char *text);
/* Returns true for "cells[12].name" and "world.profile": a name, then brackets or further names. */
bool is_field_path(const char *text);
/* Returns whether the argument is a place, for which `actor NAME`, two words, is valid. */
bool argument_is_place(enum argument_type type);
/* Checks what needs no world: numbers, choices, names. Errors have the offset of the word. */
struct cs_error *argument_check(
	const struct argument_spec *spec, const struct word *word) CS_MUST_USE;
struct cs_error *argument_resolve(struct session *session, const struct argument_spec *spec,
	const char *text, struct argument *ret) CS_MUST_USE;
/* Resolves "L0:5,1", "33280,15360", "actor NAME" or ".". */
struct cs_error *place_resolve(
	struct session *session, const char *text, struct place *ret) CS_MUST_USE;

/* ---- completion ---- */

/* Candidates for completing a word. */
struct candidates {
	CS_VEC(char *) at; /* texts as they would be typed */
	size_t more;       /* number of candidates beyond the limit */
	bool failed;       /* an allocation failed */
	bool lists_files;  /* input: whether file names are added like other candidates */
	bool files;        /* output, when lists_files is false: file names are valid, too */
};

enum { MOST_CANDIDATES = 200 };

void candidates_add(struct candidates *candidates, const char *text);
/* Adds the text when it begins with the prefix; upper and lower case are equal. */
void candidates_add_matching(struct candidates *candidates, const char *prefix, const char *text);
void candidates_free(struct candidates *candidates);
void argument_complete(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates);
