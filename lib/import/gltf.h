/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a glTF file has only features that assimp reads correctly. */
#pragma once

#include "mesh/mesh_readers.h"

/* Returns whether the file begins like a GLB. */
static inline bool cs_import_is_glb(const struct cs_mesh_file *file)
{
	return file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0;
}

/*
 * Returns E_FEATURE for a glTF or GLB file with a feature that assimp reads wrongly, and E_MESH for
 * a primitive with an incomplete triangle. Sets file->triangles to the number of triangles of the
 * scene. The caller must have checked the length of a GLB and the lengths of its chunks.
 */
struct cs_error *cs_import_check_gltf(struct cs_mesh_file *file) CS_MUST_USE;
