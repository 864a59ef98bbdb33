/* SPDX-License-Identifier: Apache-2.0 */
/* What the import program does: it checks and reads a mesh file, or unpacks blocks. */
#pragma once

#include "mesh/mesh_readers.h"

/*
 * promise.c: detects a truncated or damaged file before parsing, by comparing the counts and
 * lengths that it states with its size. Returns CS_E_TRUNCATED when the file has fewer bytes than
 * it states, CS_E_MESH when its header is invalid, and for glTF what cs_import_check_gltf returns.
 * Formats without sizes are not checked.
 */
struct cs_error *cs_import_promise(struct cs_mesh_file *file) CS_MUST_USE;

/*
 * scene.c: reads a mesh file with assimp, which may crash. The extension of the file names its
 * format; the mesh is neither merged nor optimised. Counts in *report what is not imported.
 */
struct cs_error *cs_import_scene(const struct cs_mesh_file *file, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;

/*
 * serve_blocks.c: loads `library`, a codec of the user, and serves requests to unpack blocks until
 * there are no more (core/import_program.h). If `caged`, first restricts the process to reading the
 * folder of the library and the system's files. Returns the exit status of the program.
 */
int unpack_serve(const char *library, bool caged);
