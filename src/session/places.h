/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the session stands in what is open, and where it has been. */
#ifndef SRC_SESSION_PLACES_H
#define SRC_SESSION_PLACES_H

#include "src/language/command.h"

#include "base/vec.h"

/* A place that `mark` has named. */
struct place_mark {
	char *name; /* owned */
	struct place place;
};

/* What the rows of the last listing were, so that a number can name one. */
struct listed {
	const char *table;     /* cells, actors, layers, sources, grids; NULL = nothing to name */
	CS_VEC(uint32_t) rows; /* of that table, CS_NONE where a row named none */
	uint32_t partition;    /* that was in focus, or CS_NONE */
};

struct places {
	struct place here;
	CS_VEC(struct place_mark) marks;
	CS_VEC(struct place) trail; /* of cd, for back and forward */
	size_t trail_at;
};

#endif
