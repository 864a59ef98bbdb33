/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a file into a mesh: chooses the reader, and cleans the mesh. PLY and OBJ are read in this
 * process. All other formats are read by third-party code in a separate process.
 */
#include "mesh/mesh_internal.h"

#include "core/error_inside.h"
#include "core/job.h"
#include "format/byte_source.h"
#include "mesh/mesh_readers.h"

#include <stdlib.h>

/* Reads a PLY file. *ret is NULL if cs_mesh_read_ply does not support its contents. */
static struct cs_error *read_ply(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	struct cs_limits limits = cs_job_limits(job);
	uint64_t most = limits.file_bytes < limits.memory ? limits.file_bytes : limits.memory;
	struct cs_mesh_file file = {.name = path};
	unsigned char *bytes;
	bool is_ours = false;
	struct cs_error *error = cs_read_whole(path, most, &bytes, &file.size);
	if (error)
		return error->code == CS_E_LIMIT && most == limits.memory
			       ? cs_error_add(error, " (raise it with --max-mem)")
			       : error;
	file.bytes = bytes;
	error = cs_mesh_read_ply(&file, job, &is_ours, report, ret);
	free(bytes);
	return error;
}

static struct cs_error *read_raw(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	static const char *const known[] = {".obj", ".ply", ".gltf", ".glb", ".fbx", ".stl", NULL};
	struct cs_error *error = NULL;
	if (!cs_ends_with_any(path, known))
		return cs_error_at(CS_E_FEATURE, path, CS_NO_OFFSET,
			"the name of the file must end in .obj, .ply, .gltf, .glb, .fbx or .stl");
	if (cs_ends_with(path, ".obj"))
		return cs_mesh_read_obj(path, job, report, ret);
	if (cs_ends_with(path, ".ply"))
		error = read_ply(path, job, report, ret);
	if (!error && !*ret)
		error = cs_mesh_read_foreign(path, job, report, ret);
	return error;
}

struct cs_error *cs_mesh_import(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report_ret, struct cs_mesh **ret)
{
	struct cs_mesh_report report = {0};
	struct cs_mesh *mesh = NULL;
	struct cs_error *error = read_raw(path, job, &report, &mesh);
	if (error)
		return error;
	error = cs_mesh_finish(mesh, NULL, job, &report, ret);
	cs_mesh_tell(job, path, &report);
	if (error)
		return cs_error_wrap(error, "%s", path);
	if (report_ret)
		*report_ret = report;
	return NULL;
}
