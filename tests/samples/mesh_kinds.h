/* SPDX-License-Identifier: Apache-2.0 */
/* What tests and benchmarks call the kinds of generated meshes. */
#pragma once

#include <cellscope/mesh.h>

#include <string.h>

static const char *const mesh_kind_names[CS_MESH_KINDS] = {
	[CS_MESH_TERRAIN] = "terrain",
	[CS_MESH_NOISE] = "noise",
	[CS_MESH_FOLIAGE] = "foliage",
	[CS_MESH_FLAT] = "flat",
	[CS_MESH_SEAMS] = "seams",
	[CS_MESH_TRIANGLE] = "triangle",
	[CS_MESH_CUBE] = "cube",
	[CS_MESH_ISLANDS] = "islands",
	[CS_MESH_MOEBIUS] = "moebius",
	[CS_MESH_COINCIDENT] = "coincident",
};

static inline const char *mesh_kind_name(enum cs_mesh_kind kind)
{
	return mesh_kind_names[kind];
}

/* Returns the kind with that name, or CS_MESH_KINDS. */
static inline enum cs_mesh_kind mesh_kind_named(const char *name)
{
	int kind = 0;
	while (kind < CS_MESH_KINDS && strcmp(mesh_kind_names[kind], name) != 0)
		kind++;
	return (enum cs_mesh_kind)kind;
}
