/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the table of all commands; the build generates their names from cmds/. */
#include "src/language/command.h"

#define COMMAND(name) extern const struct command name;
#include "cmds/commands.inc"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(name) &name,
#include "cmds/commands.inc"
#undef COMMAND
};

const size_t n_commands = sizeof(commands) / sizeof(commands[0]);
