/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The current place of the session in what is open, and the places before. */
#pragma once

#include "src/language/command.h"

#include "core/vec.h"

/* A place named by `mark`. */
struct place_mark {
	char *name; /* owned */
	struct place place;
};

struct places {
	struct place here;
	CS_VEC(struct place_mark) marks;
	CS_VEC(struct place) trail; /* places that cd went to, for back and forward */
	size_t trail_at;
};
