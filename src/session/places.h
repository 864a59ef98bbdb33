/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The current place (default location for commands), marked places, and trail of earlier places. */
#pragma once

#include "src/language/command.h"

#include "core/vec.h"

/* A place to which the command `mark` gave a name. */
struct place_mark {
	char *name; /* owned */
	struct place place;
};

struct places {
	struct place here;
	CS_VEC(struct place_mark) marks;
	CS_VEC(struct place) trail; /* places visited by `cd`, for back and forward */
	size_t trail_at;
};
