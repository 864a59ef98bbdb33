/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lines are made of beside commands: names that users and scripts have given. */
#pragma once

#include <cellscope/query.h>

#include "core/vec.h"
#include "src/language/command.h"
#include "src/language/definitions.h"

struct words {
	struct definitions definitions; /* -D */
	struct definitions aliases;
	struct definitions procedures;         /* of `define`: lines by name */
	CS_VEC(struct cs_parameter) variables; /* names and texts are owned */
	const struct command *repeats;         /* what an empty line runs */
	char *repeat_line;
};
