/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mesh file with assimp. Only the import program calls this, because assimp may crash. */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * Reads a file whose extension names its format, without merging or optimising the mesh. Counts in
 * *report what is not imported.
 */
struct cs_error *cs_import_scene(const struct cs_mesh_file *file, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;
