/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --bless rewrites: blocks of scripts, golden files, transcripts. All files are written at the
 * end of the run, and only when nothing else failed.
 */
#pragma once

#include "src/session/session.h"

/* Takes ownership of `text`, also on failure. A later text for the same file replaces it. */
struct cs_error *bless_later(
	struct session *session, const char *path, char *text, size_t n) CS_MUST_USE;
/* Writes all files. E_CHECK when something failed: then it writes none. */
struct cs_error *bless_all(struct session *session) CS_MUST_USE;
void bless_free(struct session *session);
