/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the Nanite view, shared by its source files, and the function that draws its picture. */
#pragma once

#include <cellscope/pages.h>

#include "src/tui/view.h"

/* An overlay: name that the user chooses, and property of clusters that the colours show. */
struct nanite_overlay {
	const char *name;
	enum cs_picture_colour colour;
};

enum { NANITE_OVERLAY_PAGE = 1, NANITE_OVERLAY_COARSE = 5, NANITE_OVERLAYS };

extern const struct nanite_overlay nanite_overlays[NANITE_OVERLAYS];

struct nanite {
	uint32_t resource, page;
	uint32_t top;   /* first visible row of page tiles */
	int tiles;      /* tiles per row */
	bool draws_run; /* the cut is that of the run's camera, not that of `error` */
	bool is_set;
	double error; /* error that the clusters of the cut may have at most, in units of the mesh
		       */
	int yaw, pitch;
	unsigned overlay;
	struct cs_model_cut cut;
	bool has_cut;
};

static inline struct nanite *nanite_state_of(const struct tui_view *view)
{
	return view->state;
}

const struct cs_model *nanite_model(const struct tui_view *view);
/* defined in nanite_picture.c */
void nanite_draw_picture(const struct tui_view *view, struct area area);
/* Returns the position of the camera, at which the whole mesh is visible. */
struct cs_vec3 nanite_eye(const struct tui_view *view);
