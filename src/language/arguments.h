/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the types of arguments mean: how they are checked when a line is parsed, resolved when it
 * runs, and completed while it is typed. One row a type.
 */
#pragma once

#include "src/language/command.h"
#include "src/language/lexer.h"

/* Takes the rest of the line, which begins with `text`. */
bool argument_is_raw(enum argument_type type, const char *text);
/* "cells[12].name" and "world.profile": a name, then brackets or further names. */
bool is_field_path(const char *text);
/* Names a place: `actor NAME` may stand there, which is two words. */
bool argument_is_place(enum argument_type type);
/* What can be known without a world: numbers, choices, names. Errors carry the word's offset. */
struct cs_error *argument_check(
	const struct argument_spec *spec, const struct word *word) CS_MUST_USE;
struct cs_error *argument_resolve(struct session *session, const struct argument_spec *spec,
	const char *text, struct argument *ret) CS_MUST_USE;
/* "L0:5,1", "33280,15360", "actor NAME", "." */
struct cs_error *place_resolve(
	struct session *session, const char *text, struct place *ret) CS_MUST_USE;

/* ---- completion ---- */

/* What a word may become. */
struct candidates {
	CS_VEC(char *) at; /* as to be typed */
	size_t more;       /* found behind the cap */
	bool failed;       /* there was no memory */
	bool lists_files;  /* asked for: file names like other candidates */
	bool files;        /* else: file names may stand here as well */
};

enum { MOST_CANDIDATES = 200 };

void candidates_add(struct candidates *candidates, const char *text);
/* Where it begins with the prefix; case does not count. */
void candidates_add_matching(struct candidates *candidates, const char *prefix, const char *text);
void candidates_free(struct candidates *candidates);
void argument_complete(struct session *session, const struct argument_spec *spec,
	const char *prefix, struct candidates *candidates);
