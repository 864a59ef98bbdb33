/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help texts, generated from the tables of commands, options and topics. */
#pragma once

#include "src/language/command.h"

void say_command_help(struct output *out, const struct command *command);
/* Prints a text, wrapped to the width of the output. */
void say_paragraph(struct output *out, const char *text);
/* Prints the commands of a group with their summaries, one per line. */
void say_group_of_commands(struct output *out, enum command_group group);
/* Prints the first words of all commands, group by group. */
struct cs_error *say_command_list(struct output *out) CS_MUST_USE;
