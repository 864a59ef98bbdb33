/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the states of cells look, in maps and in lists of changes. */
#pragma once

#include <cellscope/stream.h>

#include "src/output/output.h"

/* A state is a letter and a colour: no two share a letter, so colour is never needed. */
struct cell_look {
	const char *ascii, *utf8;
	enum colour colour;
};

/* Names of the overlays, in the order of enum cs_map_overlay, ended by NULL. */
extern const char *const map_overlays[];

const struct cell_look *cell_look(enum cs_map_state state);
