/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the coarse mesh to rows of the .cnanite file. */
#pragma once

#include <cellscope/nanite.h>

struct cs_coarse {
	struct cs_nanite_coarse_vertex *vertices;
	struct cs_nanite_coarse_triangle *triangles;
	size_t n_vertices, n_triangles;
};

/* Converts a mesh to rows of the .cnanite file. Call cs_coarse_deinit later, also on failure. */
struct cs_error *cs_coarse_of_mesh(
	const struct cs_mesh_view *mesh, struct cs_coarse *ret) CS_MUST_USE;
void cs_coarse_deinit(struct cs_coarse *coarse);
