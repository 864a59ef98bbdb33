/* SPDX-License-Identifier: Apache-2.0 */
/* The meshes that benchmarks are asked for. */
#pragma once

#include <cellscope/mesh.h>

#include "tests/bench/bench.h"
#include "tests/samples/mesh_kinds.h"

/* Loads a file, or the mesh that the generator makes for KIND:TRIANGLES. */
static inline struct cs_mesh *bench_load_mesh(const char *name)
{
	struct cs_mesh_recipe recipe = {.seed = 1};
	struct cs_mesh *mesh;
	const char *colon = strchr(name, ':');
	char kind[32] = "";
	snprintf(kind, sizeof(kind), "%.*s", colon ? (int)(colon - name) : 0, name);
	recipe.kind = mesh_kind_named(kind);
	if (colon && recipe.kind < CS_MESH_KINDS) {
		recipe.triangles = (uint32_t)strtoul(colon + 1, NULL, 10);
		bench_need(cs_mesh_generate(&recipe, NULL, &mesh));
	} else {
		bench_need(cs_mesh_import(name, NULL, NULL, &mesh));
	}
	return mesh;
}
