/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command files. A whole script is parsed before any of it runs: lines, and below a line the output
 * that it must print. The same rules apply to -x, -e, `source` and standard input.
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
	char *name;      /* name in messages */
	char *path;      /* path of the script's file, or NULL */
	char *folder;    /* relative names of golden files start from this folder */
	char *source;    /* text of the script */
	unsigned orphan; /* first line that expects output without a command before it, or 0 */
	CS_VEC(struct script_item) items;
};

/* Reads a script; "-" is standard input. */
struct cs_error *script_read(const char *path, struct script *ret) CS_MUST_USE;
struct cs_error *script_of_text(const char *name, const char *text, struct script *ret) CS_MUST_USE;
void script_free(struct script *script);
/*
 * Parses every line without running it and reports each error; false when there was one. A script
 * without commands is an error. `aliases` contains those of scripts that will run before it; its
 * own are added.
 */
bool script_check(
	struct session *session, const struct script *script, struct definitions *aliases);
/*
 * Runs the script; reports and counts errors. False when later scripts must not run. Its transcript
 * is compared with `golden`, or with the file beside it, or with none.
 */
bool script_run(struct session *session, const struct script *script, const char *golden);
/* Runs it as `source` does, without a golden file. */
bool script_run_nested(struct session *session, const struct script *script);
