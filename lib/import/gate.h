/* SPDX-License-Identifier: Apache-2.0 */
/* Restricts assimp to the named mesh file and to files of its folder that it refers to. */
#pragma once

#include "mesh/mesh_readers.h"

#include <assimp/cfileio.h>

struct gate {
	struct cs_mesh_file main;
	size_t folder; /* length of the path of the main file's folder, with the trailing slash */
	uint64_t left; /* maximum number of bytes that all further files together may have */
};

void gate_init(struct gate *gate, const struct cs_mesh_file *file, uint64_t other_bytes);
/* Returns callbacks by which assimp opens files, restricted by `gate`, which must outlive them. */
struct aiFileIO gate_io(struct gate *gate);
