/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of Nanite resources without a GPU: a grid of pixels, drawn into by a small rasteriser,
 * printed by the program in half blocks or saved as PNG. Black is background.
 */
#ifndef CELLSCOPE_PICTURE_H
#define CELLSCOPE_PICTURE_H

#include <cellscope/nanite_model.h>

CS_BEGIN_DECLS

enum { CS_PICTURE_MOST = 8192 }; /* pixels a side */

struct cs_picture {
	uint32_t width, height;
	uint8_t *pixels; /* 3 each: red, green, blue; row by row from the top; owned */
};

/* A black one. E_LIMIT, E_NOMEM. */
CS_API struct cs_error *cs_picture_init(
	uint32_t width, uint32_t height, struct cs_picture *ret) CS_MUST_USE;
CS_API void cs_picture_deinit(struct cs_picture *picture);
/* PNG, 8 bits a channel, stored without compression: the same bytes everywhere. Atomic. */
CS_API struct cs_error *cs_picture_save(
	const struct cs_picture *picture, const char *path) CS_MUST_USE;

/* All tiles of the imposter atlas: depth as brightness. E_MISSING without an atlas. */
CS_API struct cs_error *cs_picture_atlas(
	const struct cs_model *model, struct cs_picture *ret) CS_MUST_USE;
/* One tile, 0..143. */
CS_API struct cs_error *cs_picture_atlas_tile(
	const struct cs_model *model, uint32_t tile, struct cs_picture *ret) CS_MUST_USE;
/* Half as wide and high, each pixel the brightest of four; a side of odd length loses its last. */
CS_API struct cs_error *cs_picture_halve(
	const struct cs_picture *picture, struct cs_picture *ret) CS_MUST_USE;

/* What the colour of a cluster tells. */
enum cs_picture_colour {
	CS_COLOUR_DEPTH, /* grey: near is bright */
	CS_COLOUR_CLUSTER,
	CS_COLOUR_GROUP,
	CS_COLOUR_PAGE,
	CS_COLOUR_LEVEL,
	CS_COLOUR_RESIDENCY, /* of `state` */
	CS_PICTURE_COLOURS
};

struct cs_picture_view {
	double yaw, pitch; /* degrees: where the viewer stands around the mesh; 0, 0 is +X */
	enum cs_picture_colour colour;
	const uint8_t
		*state; /* by cluster, for CS_COLOUR_RESIDENCY: 0 fine, 1 coarser than wanted */
};

/* The clusters, orthographically, fitted to the picture, lit from the viewer. */
CS_API struct cs_error *cs_picture_clusters(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, const struct cs_picture_view *view,
	struct cs_picture *picture) CS_MUST_USE;
#ifdef CS_INSIDE
/* The colour of a cluster by what it tells; of CS_COLOUR_DEPTH white. */
void cs_picture_colour_of(const struct cs_model *model, uint32_t cluster,
	enum cs_picture_colour colour, const uint8_t *state, uint8_t rgb_ret[3]);
#endif

/*
 * Clusters as .ply, a colour a vertex, or as .obj, a group of faces for each colour. Atomic.
 * E_MESH, E_MISSING without geometry.
 */
CS_API struct cs_error *cs_model_export(const struct cs_model *model, const uint32_t *clusters,
	size_t n_clusters, enum cs_picture_colour colour, const uint8_t *state,
	const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
