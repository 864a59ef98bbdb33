/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the command after | in a line, and passes on what it prints. */
#pragma once

#include "src/session/session.h"

/*
 * Starts the command. If `to` is standard output, the command prints there. Otherwise its output is
 * held: on the full screen it would cover the picture, and it belongs to what blocks, transcripts
 * and answers in JSON contain.
 */
struct cs_error *piped_open(const struct session *session, const char *command, struct sink *to,
	struct child_sink *child) CS_MUST_USE;
/* Writes what the command printed to `to` if it was held, and frees it. Call after sink_close(). */
struct cs_error *piped_pass_on(
	const struct session *session, struct child_sink *child, struct sink *to) CS_MUST_USE;
