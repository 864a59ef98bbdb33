/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files whose expected output --bless rewrites at the end of a run, if nothing else failed. */
#pragma once

#include "src/session/session.h"

/*
 * Stores the new text of a file (a script with updated expected output, or a golden file) until
 * bless_all() writes it; replaces an earlier text of the same file. Takes ownership of `text`, also
 * on failure.
 */
struct cs_error *bless_later(
	struct session *session, const char *path, char *text, size_t n) CS_MUST_USE;
/* Rewrites all files stored for --bless. If the run had failures, returns E_CHECK instead. */
struct cs_error *bless_all(struct session *session) CS_MUST_USE;
void bless_free(struct session *session);
