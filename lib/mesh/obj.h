/* SPDX-License-Identifier: Apache-2.0 */
/* Reading Wavefront OBJ by ourselves, in pieces: a file of any size takes little beside its mesh.
 */
#ifndef MESH_OBJ_H
#define MESH_OBJ_H

#include "mesh/mesh_internal.h"

/*
 * The raw mesh of a file: a vertex for each way in which corners name a position, a UV and a
 * normal. *lines_ret counts the points and lines, which are left out. E_MESH with the byte where a
 * statement cannot be read.
 */
struct cs_error *cs_mesh_read_obj(const char *path, const struct cs_job *job, uint64_t *lines_ret,
	struct cs_mesh **ret) CS_MUST_USE;

#endif
