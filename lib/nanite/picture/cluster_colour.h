/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of clusters, which pictures and exported meshes share. */
#pragma once

#include <cellscope/pages.h>

/* Returns the colour of a cluster for what colours show. It is white for CS_COLOUR_DEPTH. */
void cs_picture_colour_of(const struct cs_model *model, uint32_t cluster,
	enum cs_picture_colour colour, const uint8_t *state, uint8_t rgb_ret[3]);
