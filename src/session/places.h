/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the session stands in what is open, and where it has been. */
#pragma once

#include "src/language/command.h"

#include "core/vec.h"

/* A place that `mark` has named. */
struct place_mark {
	char *name; /* owned */
	struct place place;
};

struct places {
	struct place here;
	CS_VEC(struct place_mark) marks;
	CS_VEC(struct place) trail; /* of cd, for back and forward */
	size_t trail_at;
};
