/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the manual, and shell completion, that are generated from tables of the program. */
#pragma once

#include "src/output/output.h"

/*
 * Prints a part of the manual as mdoc: "commands", "topics", "settings", "variables", "options" or
 * "format". Returns false for an unknown part.
 */
bool say_manual(struct output *out, const char *part);
/* Prints the completion script for a shell; returns false for an unknown shell. */
bool say_completion(struct output *out, const char *shell);
