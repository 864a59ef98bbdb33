/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts (command files): command lines, each followed by its expected output, if the script has
 * any. A whole script is parsed before any of it runs. The same rules apply to -x, -e, `source` and
 * standard input.
 */
#pragma once

#include "src/session/session.h"

enum expectation_kind {
	EXPECT_LINE, /* "| text": exactly this line */
	EXPECT_RE,   /* "|~ re": a line that matches the regular expression */
	EXPECT_GLOB, /* "|* glob": a line that matches the glob */
	EXPECT_ANY,  /* "|...": any number of lines */
};

struct expectation {
	enum expectation_kind kind;
	unsigned line;
	char *text;
};

struct script_item {
	unsigned line;
	char *text;
	CS_VEC(struct expectation) block;
};

struct script {
	char *name;      /* name of the script in messages */
	char *path;      /* NULL if the script is not a file */
	char *folder;    /* relative names of golden files start from this folder */
	char *source;    /* text of the script */
	unsigned orphan; /* first line of expected output that follows no command; 0 = none */
	CS_VEC(struct script_item) items;
};

/* Reads a script from a file, or from standard input for "-". */
struct cs_error *script_read(const char *path, struct script *ret) CS_MUST_USE;
struct cs_error *script_of_text(const char *name, const char *text, struct script *ret) CS_MUST_USE;
void script_free(struct script *script);
/*
 * Parses every line without running it, and reports each error. Returns whether there was none. A
 * script without commands is an error. `aliases` contains the aliases of scripts that run before
 * this one. The aliases of this script are added to it.
 */
bool script_check(
	struct session *session, const struct script *script, struct definitions *aliases);
/*
 * Runs the script, and reports and counts errors. Returns false when later scripts must not run.
 * Compares the transcript with the file `golden`, or if `golden` is NULL, with CASE.out beside
 * CASE.cmd if it exists.
 */
bool script_run(struct session *session, const struct script *script, const char *golden);
/* Like script_run, but compares the transcript with no file. */
bool script_run_nested(struct session *session, const struct script *script);
/* Like script_run_nested, but returns the error that ended the script, or NULL. */
struct cs_error *script_run_inside(
	struct session *session, const struct script *script) CS_MUST_USE;
/*
 * Runs a line with run_line() or run_nested() and returns its output, in which values of -D
 * definitions are replaced by the names of the definitions; the caller frees it.
 */
struct cs_error *capture_line(struct session *session, const char *line,
	struct cs_error *(*run)(struct session *session, const char *line, struct sink *to),
	char **ret, size_t *n_ret) CS_MUST_USE;
