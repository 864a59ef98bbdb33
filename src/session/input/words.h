/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that users and scripts define: -D values, aliases, procedures, variables. */
#pragma once

#include <cellscope/query.h>

#include "core/vec.h"
#include "src/language/command.h"
#include "src/language/definitions.h"

typedef CS_VEC(struct cs_parameter) parameter_list;

struct words {
	struct definitions definitions; /* values of -D */
	struct definitions aliases;
	struct definitions procedures; /* names of `define` with the lines of their bodies */
	parameter_list variables;      /* variables of `set $NAME`; owned */
	/* whether the program has an option of this name, with its dashes; NULL = not known */
	bool (*is_of_program)(const char *option);
	const struct command *repeats; /* command that an empty line repeats; or NULL */
	char *repeat_line;
};
