/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command files. A script is parsed as a whole before any of it runs: lines, and below a line what
 * it must print. The same rules hold for -x, -e, `source` and standard input.
 */
#pragma once

#include "src/session/session.h"

enum expectation_kind {
	EXPECT_LINE, /* "| text" */
	EXPECT_RE,   /* "|~ re" */
	EXPECT_GLOB, /* "|* glob" */
	EXPECT_ANY,  /* "|..." */
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
	char *name;      /* for messages */
	char *path;      /* of its file, or NULL */
	char *folder;    /* that relative names of golden files start from */
	char *source;    /* its text */
	unsigned orphan; /* line that expects output of no command, or 0 */
	CS_VEC(struct script_item) items;
};

/* "-" is standard input. */
struct cs_error *script_read(const char *path, struct script *ret) CS_MUST_USE;
struct cs_error *script_of_text(const char *name, const char *text, struct script *ret) CS_MUST_USE;
void script_free(struct script *script);
/*
 * Parses every line without running it. Reports each error; false when there was one. A script
 * without commands is an error. `aliases` are those of scripts that will run before it, empty for
 * those of the session alone; its own come to them.
 */
bool script_check(
	struct session *session, const struct script *script, struct definitions *aliases);
/*
 * Runs it; errors are reported and counted. False when what comes behind it must not run. Its
 * transcript is compared with `golden`, or with the file beside it, or with none.
 */
bool script_run(struct session *session, const struct script *script, const char *golden);
/* As `source` does: no golden file of its own. */
bool script_run_nested(struct session *session, const struct script *script);
