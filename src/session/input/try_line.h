/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do about an error, on the line below it. */
#pragma once

#include "src/session/session.h"

/* `line` is what was typed, or NULL. */
void say_try_line(struct output *err, const struct session *session, const struct cs_error *error,
	const char *line);
