/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of arguments: how a value is checked, resolved when the line runs, and completed. */
#pragma once

#include "src/language/command.h"
#include "src/language/lexer.h"

/* Returns whether an argument of this type consumes the rest of the line, `text`, as one text. */
bool argument_is_raw(enum argument_type type, const char *text);
/* Returns whether the text has the form "cells[12].name": a name, then indices or further names. */
bool is_field_path(const char *text);
/* Returns whether this type is a location, which may consist of two words, as in `actor NAME`. */
bool argument_is_place(enum argument_type type);
/* Checks what needs no world: numbers, choices, names. Errors have the word's byte offset. */
struct cs_error *argument_check(
	const struct argument_spec *spec, const struct word *word) CS_MUST_USE;
struct cs_error *argument_resolve(struct session *session, const struct argument_spec *spec,
	const char *text, struct argument *ret) CS_MUST_USE;
/* Resolves a location: cell "L0:5,1", point "33280,15360" in cm, "actor NAME", "." = current. */
struct cs_error *place_resolve(
	struct session *session, const char *text, struct place *ret) CS_MUST_USE;

/* ---- completion of words with Tab ---- */

/* Texts that could complete a word that is being typed. */
struct candidates {
	CS_VEC(char *) at; /* completed words, quoted as they would be typed; owned */
	size_t more;       /* number of candidates left out because of MOST_CANDIDATES */
	size_t first;      /* offset in the line of the text that a candidate replaces */
	bool failed;       /* an allocation failed */
	bool goes_on;      /* the word may go on with a comma, so no blank follows a candidate */
	bool lists_files;  /* input: whether to add file names as candidates */
	/* output, set when lists_files is false: whether a file name is valid, too */
	bool files;
};

enum { MOST_CANDIDATES = 200 };

void candidates_add(struct candidates *candidates, const char *text);
/* Adds a copy of the text to the candidates if it begins with the prefix, ignoring case. */
void candidates_add_matching(struct candidates *candidates, const char *prefix, const char *text);
void candidates_free(struct candidates *candidates);
void argument_complete(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates);
