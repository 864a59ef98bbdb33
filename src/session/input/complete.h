/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completes command lines, from the table of commands and the types of their arguments. */
#pragma once

#include "src/language/arguments.h"

/* Adds words that could complete the last word of `line` (empty if `line` ends in a blank). */
void complete_line(struct session *session, const char *line, struct candidates *candidates);
/* Replaces characters beyond ASCII by \xHH in all candidates, for terminals without UTF-8. */
void candidates_to_ascii(struct candidates *candidates);
