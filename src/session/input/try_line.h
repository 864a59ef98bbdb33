/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice on the line below an error. */
#pragma once

#include "src/session/session.h"

/* Returns the key of the row that is closest to the text. */
struct closest closest_row(const struct cs_table *table, const void *source, const char *text);
/* `line` is the line that failed, or NULL. */
void say_try_line(struct output *err, const struct session *session, const struct cs_error *error,
	const char *line);
