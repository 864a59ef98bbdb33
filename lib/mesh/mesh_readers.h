/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of mesh files. Each makes a raw mesh, which is not cleaned by cs_mesh_clean yet, and
 * counts in *lines_ret the points and lines of the file, which are left out.
 */
#pragma once

#include "mesh/mesh_internal.h"

/* The bytes of a file that is in memory, and its name for messages. */
struct cs_mesh_file {
	const char *name;
	const unsigned char *bytes;
	size_t size;
};

/*
 * Reads a PLY file of faces or triangle strips. Sets *is_ours_ret to false, and makes no mesh, when
 * the header describes something else.
 */
struct cs_error *cs_mesh_read_ply(const struct cs_mesh_file *source, const struct cs_job *job,
	bool *is_ours_ret, uint64_t *lines_ret, struct cs_mesh **ret) CS_MUST_USE;
/*
 * Reads a Wavefront OBJ file in pieces, so that a file of any size takes little memory beside its
 * mesh. Each distinct triple of position, UV and normal becomes one vertex. E_MESH names the byte
 * where a statement cannot be read.
 */
struct cs_error *cs_mesh_read_obj(const char *path, const struct cs_job *job, uint64_t *lines_ret,
	struct cs_mesh **ret) CS_MUST_USE;
/*
 * Reads any other format by foreign code. Damaged files make such code crash, hang or use up
 * memory, so it runs in a process of its own, cellscope-import, with limits on memory, processor
 * time and stack. An interrupted job kills the process. When the file makes the process die, the
 * error is E_MESH with the cause.
 */
struct cs_error *cs_mesh_read_foreign(const char *path, const struct cs_job *job,
	uint64_t *lines_ret, struct cs_mesh **ret) CS_MUST_USE;

enum { CS_POLYGON_EARS = 256 /* the largest polygon that is searched for ears */ };

/*
 * Cuts a polygon of n >= 3 corners at those positions into n - 2 triangles, wound as the polygon
 * is. corners_ret receives 3 (n - 2) corner numbers. A convex polygon becomes a fan from its first
 * corner, a quad is cut at its reflex corner, and others lose one ear after another. A polygon of
 * more than CS_POLYGON_EARS corners becomes a fan whatever its shape, so that the time is bounded.
 */
void cs_polygon_cut(const float (*positions)[3], uint32_t n, uint32_t *corners_ret);
