/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a mesh file through assimp. Only the import helper does so: assimp crashes. */
#pragma once

#include "mesh/mesh_readers.h"

/* The raw mesh of a file whose format the extension names; *lines_ret: its points and lines. */
struct cs_error *cs_import_scene(const struct cs_mesh_file *file, uint64_t other_bytes,
	const struct cs_job *job, uint64_t *lines_ret, struct cs_mesh **ret) CS_MUST_USE;
