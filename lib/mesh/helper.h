/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a mesh by foreign code, which crashes, hangs and eats memory on damaged files: it runs in
 * a process of its own, cellscope-import, with limits on memory, processor time and stack.
 */
#ifndef MESH_HELPER_H
#define MESH_HELPER_H

#include "mesh/mesh_internal.h"

/*
 * The raw mesh of a file. When the job is interrupted the process is killed; when it dies of the
 * file, that is E_MESH with the cause. *lines_ret counts the points and lines of the input.
 */
struct cs_error *cs_mesh_read_foreign(const char *path, const struct cs_job *job,
	uint64_t *lines_ret, struct cs_mesh **ret) CS_MUST_USE;

#endif
