/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated parts of the manual and of the completion of the shell: nothing is written twice. */
#pragma once

#include "src/output/output.h"

/* mdoc of "commands", "topics", "settings", "variables", "options" or "format"; false for anything
 * else. */
bool say_manual(struct output *out, const char *part);
/* A completion script for "bash"; false for anything else. */
bool say_completion(struct output *out, const char *shell);
