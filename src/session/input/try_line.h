/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints advice below an error: the failed line with a typo corrected, or advice for the code. */
#pragma once

#include "src/session/session.h"

/* Returns the row key most similar to the text, or NULL if none is similar. The caller frees it. */
char *closest_row(struct session *session, const struct cs_table *table, const char *text);
/* Returns the command that the first words of a line name, or NULL. `line` may be NULL. */
const struct command *command_of_line(const char *line);
/* Prints advice for an error. `line` is the command line that failed, or NULL. */
void say_try_line(struct output *err, struct session *session, const struct cs_error *error,
	const char *line);
