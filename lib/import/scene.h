/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mesh file with assimp. Only the import program does so, because assimp may crash. */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * Returns the unprocessed mesh of a file whose extension names its format; *lines_ret counts its
 * points and lines.
 */
struct cs_error *cs_import_scene(const struct cs_mesh_file *file, uint64_t other_bytes,
	const struct cs_job *job, uint64_t *lines_ret, struct cs_mesh **ret) CS_MUST_USE;
