/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of clusters in pictures and exported meshes. */
#pragma once

#include <cellscope/pages.h>

/*
 * Computes the colour of a cluster in a picture that shows the property `colour` of clusters.
 * CS_COLOUR_DEPTH gives white. CS_COLOUR_RESIDENCY shows the clusters with `state` 1 in another
 * colour; `state` NULL means that all are 0.
 */
void cs_picture_colour_of(const struct cs_model *model, uint32_t cluster,
	enum cs_picture_colour colour, const uint8_t *state, uint8_t rgb_ret[3]);
/* Allocates a black picture. Returns E_LIMIT for a size of 0 or above CS_PICTURE_MOST. */
struct cs_error *cs_picture_init(
	uint32_t width, uint32_t height, struct cs_picture *ret) CS_MUST_USE;
