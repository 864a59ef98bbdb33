/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that users and scripts define for use in lines. */
#pragma once

#include <cellscope/query.h>

#include "core/vec.h"
#include "src/language/command.h"
#include "src/language/definitions.h"

struct words {
	struct definitions definitions; /* definitions of -D */
	struct definitions aliases;
	struct definitions procedures;         /* procedures: the lines of each `define` */
	CS_VEC(struct cs_parameter) variables; /* names and texts are owned */
	const struct command *repeats;         /* command that an empty line repeats */
	char *repeat_line;
};
