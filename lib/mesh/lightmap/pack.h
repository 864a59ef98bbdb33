/* SPDX-License-Identifier: Apache-2.0 */
/* Packs charts into a square of texels. */
#pragma once

#include <cellscope/mesh.h>

/* The border of a chart. The lower left corner of its bounding box is (0, 0). */
struct cs_outline {
	uint32_t first, n; /* the border consists of edges[first] to edges[first + n - 1] */
	float width, height;
};

struct cs_packing {
	const struct cs_outline *outlines;
	const float (*edges)[2][2];
	uint32_t n;
	/* sum of the areas of all charts at scale 1. Scales above 1 / sqrt(area) are not tried */
	double area;
	uint32_t texels;  /* side of the square in texels */
	uint32_t padding; /* smallest number of free texels between two charts */
	/* The result: a point p of chart i is at (p * scale + at[i]) in the square with side 1. */
	double scale;
	double (*at)[2];
};

/*
 * Finds the largest scale at which the method of pack.c can place all charts. A better method might
 * allow a larger one. The caller frees *at, also on failure. Returns E_SETTING when the charts fit
 * at no scale.
 */
struct cs_error *cs_packing_make(struct cs_packing *packing, const struct cs_job *job) CS_MUST_USE;
