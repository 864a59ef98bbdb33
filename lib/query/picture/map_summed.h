/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing a picture of states whose places contain many cells, from sums. */
#pragma once

#include "query/picture/overlay.h"

/* Returns whether the picture can be drawn so; its index then has everything that is summed. */
bool cs_map_is_summed(const struct cs_drawing *drawing);
/* Draws all of the places except what the caller finishes. */
struct cs_error *cs_map_draw_summed(struct cs_drawing *drawing) CS_MUST_USE;
