/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a line may go on, from the table of commands and the types of their arguments. */
#pragma once

#include "src/language/arguments.h"

/* What the last word of `line` may become; the word is empty when the line ends in a blank. */
void complete_line(struct session *session, const char *line, struct candidates *candidates);
