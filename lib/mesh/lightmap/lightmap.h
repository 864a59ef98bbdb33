/* SPDX-License-Identifier: Apache-2.0 */
/* Lightmap UVs: a UV channel in which no two triangles overlap. */
#pragma once

#include "mesh/mesh_internal.h"

/*
 * Makes a copy of each of the n meshes with a lightmap UV channel. All meshes share one square of
 * UVs, because they are drawn with one lightmap. Corners on the borders of charts become separate
 * vertices. Returns E_SETTING when the channels don't exist or the charts don't fit. ret receives n
 * meshes, or NULLs on failure.
 */
struct cs_error *cs_mesh_lightmap(const struct cs_mesh *const *meshes, size_t n,
	const struct cs_lightmap_settings *settings, const struct cs_job *job,
	struct cs_lightmap_report *report_ret, struct cs_mesh **ret) CS_MUST_USE;
