/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a picture of states whose places (characters) show many cells each, from sums. */
#pragma once

#include "query/picture/overlay.h"

/* Returns whether the picture can be drawn from sums; if so, prepares the index for it. */
bool cs_map_is_summed(const struct cs_drawing *drawing);
/* Fills all places of the picture, except for the members that finish_place() in map.c computes. */
struct cs_error *cs_map_draw_summed(struct cs_drawing *drawing) CS_MUST_USE;
