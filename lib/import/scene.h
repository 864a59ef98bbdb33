/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mesh file with assimp. Only the import program calls this, because assimp may crash. */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * Reads a file whose extension names its format, without merging or optimising the mesh. Stores the
 * number of points and lines, which are not imported, in *lines_ret. Other files that the file
 * refers to may have `other_bytes` in total.
 */
struct cs_error *cs_import_scene(const struct cs_mesh_file *file, uint64_t other_bytes,
	const struct cs_job *job, struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;
