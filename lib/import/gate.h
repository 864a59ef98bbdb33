/* SPDX-License-Identifier: Apache-2.0 */
/* The files that assimp may read: the named one, and those of its folder that it refers to. */
#pragma once

#include "mesh/mesh_readers.h"

#include <assimp/cfileio.h>

struct gate {
	struct cs_mesh_file main;
	size_t folder; /* length of the main file's folder with the slash */
	uint64_t left; /* bytes that all other files together may still have */
};

void gate_init(struct gate *gate, const struct cs_mesh_file *file, uint64_t other_bytes);
/* Returns file functions for assimp that read through the gate; valid as long as `gate`. */
struct aiFileIO gate_io(struct gate *gate);
