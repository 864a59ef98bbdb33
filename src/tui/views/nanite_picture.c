/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a cut (clusters chosen for drawing) of a Nanite resource; computes the camera position. */
#include "src/tui/terminal/paint.h"
#include "src/tui/views/nanite_view.h"

#include <math.h>
#include <stdlib.h>

/* What the colours of the picture show. */
const struct nanite_overlay nanite_overlays[NANITE_OVERLAYS] = {
	{"depth", CS_COLOUR_DEPTH},
	/* CS_COLOUR_RESIDENCY marks clusters: here those of the page under the cursor */
	{"page", CS_COLOUR_RESIDENCY},
	{"pages", CS_COLOUR_PAGE},
	{"level", CS_COLOUR_LEVEL},
	{"cluster", CS_COLOUR_CLUSTER},
	{"coarse", CS_COLOUR_RESIDENCY},
};

const struct cs_model *nanite_model(const struct tui_view *view)
{
	return cs_inspector_models(view->session->inspector).at[nanite_state_of(view)->resource];
}

/* ---- drawing the picture ---- */

static uint8_t hue_of_pixel(const uint8_t *rgb, enum cs_picture_colour colour)
{
	if (!rgb[0] && !rgb[1] && !rgb[2])
		return HUE_DEFAULT;
	if (colour == CS_COLOUR_DEPTH)
		return (uint8_t)(HUE_SHADE + rgb[0] * SHADES / 256);
	return hue_nearest(rgb);
}

/* Returns which clusters the overlay marks: coarse ones, or those in the page under the cursor. */
static uint8_t *marked_clusters(const struct tui_view *view)
{
	const struct nanite *state = nanite_state_of(view);
	const struct cs_model *model = nanite_model(view);
	const struct cs_pager *pager = view->session->run.pager;
	size_t first =
		cs_inspector_first(view->session->inspector, CS_ROWS_CLUSTERS, state->resource);
	uint8_t *marks = calloc(model->n_clusters + 1, 1);
	for (uint32_t i = 0; marks && i < model->n_clusters; i++)
		marks[i] =
			state->overlay == NANITE_OVERLAY_COARSE
				? pager && cs_pager_cluster(pager, first + i) == CS_CLUSTER_COARSE
				: model->clusters[i].page == state->page;
	return marks;
}

static struct cs_error *render(
	const struct tui_view *view, struct area area, struct cs_picture *ret)
{
	const struct nanite *state = nanite_state_of(view);
	uint8_t *marks = marked_clusters(view);
	const struct cs_picture_view from = {.yaw = state->yaw,
		.pitch = state->pitch,
		.colour = nanite_overlays[state->overlay].colour,
		.state = marks};
	struct cs_error *error =
		marks ? cs_picture_clusters(nanite_model(view), state->cut.clusters,
				state->cut.n_clusters, &from, (uint32_t)area.columns,
				(uint32_t)area.rows * 2, ret)
		      : cs_error_nomem();
	free(marks);
	return error;
}

void nanite_draw_picture(const struct tui_view *view, struct area area)
{
	struct cs_picture picture = {0};
	size_t n = (size_t)area.columns * (size_t)area.rows * 2;
	if (area.columns < 4 || area.rows < 2)
		return;
	uint8_t *hues = malloc(n);
	struct cs_error *error = hues ? render(view, area, &picture) : cs_error_nomem();
	for (size_t i = 0; !error && i < n; i++)
		hues[i] = hue_of_pixel(&picture.pixels[i * 3],
			nanite_overlays[nanite_state_of(view)->overlay].colour);
	if (error)
		put_text(area, 1, 0, inks[INK_WARN], error->message);
	else
		put_picture(area, hues, area.columns, area.rows * 2, NULL);
	cs_error_free(error);
	free(picture.pixels);
	free(hues);
}

struct cs_vec3 nanite_eye(const struct tui_view *view)
{
	enum { RADII = 2 };
	const struct cs_model *model = nanite_model(view);
	const double degree = acos(-1.0) / 180;
	double yaw = nanite_state_of(view)->yaw * degree,
	       pitch = nanite_state_of(view)->pitch * degree;
	double centre[3], radius = 0;
	for (int i = 0; i < 3; i++) {
		double half = ((double)model->max[i] - (double)model->min[i]) / 2;
		centre[i] = (double)model->min[i] + half;
		radius += half * half;
	}
	radius = sqrt(radius) * RADII;
	return (struct cs_vec3){centre[0] + radius * cos(pitch) * cos(yaw),
		centre[1] + radius * cos(pitch) * sin(yaw), centre[2] + radius * sin(pitch)};
}
