/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of states whose places hold many cells, from sums. */
#pragma once

#include "query/picture/overlay.h"

/* Whether the picture can be drawn so; its index then has all that is summed. */
bool cs_map_is_summed(const struct cs_drawing *drawing);
/* All of the places but what finishes them. */
struct cs_error *cs_map_draw_summed(struct cs_drawing *drawing) CS_MUST_USE;
