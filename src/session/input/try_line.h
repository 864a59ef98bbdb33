/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice printed below an error. */
#pragma once

#include "src/session/session.h"

/* Returns the key of the row most similar to the text, NULL for none; freed by the caller. */
char *closest_row(struct session *session, const struct cs_table *table, const char *text);
/* Prints advice for an error. `line` is the line that failed, or NULL. */
void say_try_line(struct output *err, struct session *session, const struct cs_error *error,
	const char *line);
