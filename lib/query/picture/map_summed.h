/* SPDX-License-Identifier: Apache-2.0 */
/* Draws maps with many cells per character by adding up ranges of cells, not visiting each. */
#pragma once

#include "query/picture/overlay.h"

/*
 * Returns whether the picture can be drawn from sums over the cells of an index; it must show
 * states and have a zoom of LEAST_ZOOM or more. If so, stores the sizes of the cells in that index.
 */
bool cs_map_is_summed(const struct cs_drawing *drawing);
/* Fills all places of the picture, except for the members that finish_place() in map.c computes. */
struct cs_error *cs_map_draw_summed(struct cs_drawing *drawing) CS_MUST_USE;
