/* SPDX-License-Identifier: Apache-2.0 */
/* Lightmap UVs: a UV channel in which no two triangles overlap. */
#pragma once

#include "mesh/mesh_internal.h"

/*
 * Makes a copy of each mesh with such a channel. All meshes share one square, because they are
 * drawn with one lightmap. Corners on the borders of charts become vertices of their own.
 * Returns E_SETTING when the channels don't exist or the charts don't fit. ret has `n` elements,
 * which are NULL on failure.
 */
struct cs_error *cs_mesh_lightmap(const struct cs_mesh *const *meshes, size_t n,
	const struct cs_lightmap_settings *settings, const struct cs_job *job,
	struct cs_lightmap_report *report_ret, struct cs_mesh **ret) CS_MUST_USE;
