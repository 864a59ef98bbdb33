/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generated parts of the manual and of shell completion. */
#pragma once

#include "src/output/output.h"

/*
 * Prints mdoc of "commands", "topics", "settings", "variables", "options" or "format"; false for
 * any other part.
 */
bool say_manual(struct output *out, const char *part);
/* Prints a completion script for a shell; false for an unknown shell. */
bool say_completion(struct output *out, const char *shell);
