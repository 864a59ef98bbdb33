/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --bless rewrites: blocks of scripts, golden files, transcripts. All of it waits for the end
 * of the run, and is written only when nothing else failed.
 */
#pragma once

#include "src/session/session.h"

/* Takes over `text`, whatever comes of it. A later text for the same file replaces it. */
struct cs_error *bless_later(
	struct session *session, const char *path, char *text, size_t n) CS_MUST_USE;
/* Writes all of it. E_CHECK when something failed: then nothing is written. */
struct cs_error *bless_all(struct session *session) CS_MUST_USE;
void bless_free(struct session *session);
