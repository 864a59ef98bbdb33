/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internals of a triangle mesh, for the readers of mesh files and the Nanite builder.
 *
 * Data model: there is one flat array for each attribute. A reader fills a raw mesh, in which
 * corners may have any indices and normals may be zero, and calls cs_mesh_clean once.
 *
 * Invariant after cleaning: every index is below n_vertices, and every vertex is used. No two
 * vertices agree in every attribute. All floats are finite, none is -0, and normals have length 1.
 * The corners of a triangle have three different positions.
 */
#pragma once

#include <cellscope/mesh.h>

#include "core/strings.h"

#include <string.h>

struct cs_mesh {
	float *positions, *normals;
	float *uvs[CS_MESH_UVS];
	uint8_t *colors; /* RGBA of each vertex, or NULL when all bytes are 255 */
	/*
	 * for a raw mesh from a file that says which faces are smooth, a number for each vertex,
	 * else NULL. Normals are computed from the faces at a position, but only from those whose
	 * vertices have the same number
	 */
	uint32_t *smoothing;
	uint32_t *indices;
	uint8_t *materials;
	uint32_t n_vertices, n_triangles, n_uvs, n_materials;
	/* whether coordinates use the engine's axes and units, as in cs_mesh_view */
	bool engine_space;
	struct cs_strings strings;
	uint32_t names[CS_MESH_MATERIALS]; /* names of the materials, as offsets in `strings` */
};

struct cs_mesh_size {
	uint64_t vertices, triangles;
	uint32_t uvs;
	bool colors;
};

/* Returns whether two vertices are at one position. The caller has replaced -0 by 0. */
static inline bool cs_mesh_at_one_place(const float *positions, uint32_t a, uint32_t b)
{
	return memcmp(positions + 3 * (size_t)a, positions + 3 * (size_t)b, 3 * sizeof(float)) == 0;
}

/* Returns whether a triangle is flat: two of its corners are at one position. */
static inline bool cs_mesh_is_flat(const float *positions, const uint32_t corners[3])
{
	return cs_mesh_at_one_place(positions, corners[0], corners[1]) ||
	       cs_mesh_at_one_place(positions, corners[1], corners[2]) ||
	       cs_mesh_at_one_place(positions, corners[2], corners[0]);
}

/* Allocates a mesh of zeros with one unnamed material. Returns E_LIMIT above the job's limits. */
struct cs_error *cs_mesh_new(const struct cs_mesh_size *size, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
/* Copies the arrays of a view into a new mesh of the same size. */
void cs_mesh_copy_arrays(struct cs_mesh *mesh, const struct cs_mesh_view *from);
/* Copies a vertex to a vertex of another mesh, which must have the same kinds of attributes. */
void cs_mesh_copy_vertex(
	const struct cs_mesh *from, size_t vertex, struct cs_mesh *to, size_t vertex_to);
/* Names a material. Raises n_materials if it does not include the material yet. */
struct cs_error *cs_mesh_name_material(
	struct cs_mesh *mesh, uint32_t material, const char *name) CS_MUST_USE;
/* Copies the number and the names of the materials. */
struct cs_error *cs_mesh_copy_materials(const struct cs_mesh *from, struct cs_mesh *to) CS_MUST_USE;
/*
 * Cleans the mesh, so that the invariant at the head of this file holds. Returns E_MESH if no
 * triangle is left; the caller still owns the mesh.
 */
struct cs_error *cs_mesh_clean(
	struct cs_mesh *mesh, const struct cs_job *job, struct cs_mesh_report *report) CS_MUST_USE;
/* Warns of each fault that cleaning found. `name` is the path of the mesh, or "mesh". */
void cs_mesh_tell(const struct cs_job *job, const char *name, const struct cs_mesh_report *report);
/*
 * Cleans a raw mesh and stores it in *ret. `error` is the error of filling the mesh, or NULL. On
 * this error, or if cleaning fails, frees the mesh (which may be NULL) and returns the error. Adds
 * to *report the counts of the raw mesh and of its faults; if `report` is NULL, warns of the
 * faults.
 */
struct cs_error *cs_mesh_finish(struct cs_mesh *mesh, struct cs_error *error,
	const struct cs_job *job, struct cs_mesh_report *report, struct cs_mesh **ret) CS_MUST_USE;

/*
 * Sets ids_ret[v] to the first vertex at the position of vertex v. Compares the bits of the floats,
 * so the caller must replace -0 by 0.
 */
struct cs_error *cs_mesh_places(
	const float *positions, uint32_t n, int threads, uint32_t *ids_ret) CS_MUST_USE;
/*
 * Computes each normal that is zero from the faces around its position, weighted by area, and also
 * by angle if `weighted` is set. If the mesh has smoothing numbers, only faces count whose vertices
 * have the number of the vertex. *made_ret is the number of computed normals.
 */
struct cs_error *cs_mesh_make_normals(
	struct cs_mesh *mesh, bool weighted, uint64_t *made_ret) CS_MUST_USE;
/*
 * Computes tangents from the first UV channel. ret receives 4 floats for each vertex: the unit
 * vector in which u grows, and the sign of the bitangent. Returns false when memory runs out.
 */
bool cs_mesh_tangents(const struct cs_mesh *mesh, float *ret);
/* Changes to a mesh before its DAG is built. */
struct cs_mesh_preparation {
	double scale[3]; /* factor for each axis, where 0 means 1 */
	enum cs_mesh_normals normals;
};

/*
 * Makes a copy of the mesh with recomputed normals and scaled positions, and cleans it. *ret is
 * NULL when the preparation changes nothing. Returns E_SETTING for a scale that is not above 0.
 */
struct cs_error *cs_mesh_prepare(const struct cs_mesh *mesh,
	const struct cs_mesh_preparation *preparation, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
/* Writes the mesh as binary glTF, or as glTF text (export_gltf.c). The locale must be C. */
struct cs_writer;
void cs_mesh_write_gltf(struct cs_writer *to, const struct cs_mesh *mesh, bool text);

/*
 * Returns the name of a material in an exported file: its own name, or "material" and its number,
 * written to `room`. The latter is used if the material has no name, if an earlier material has the
 * same name, or if the name looks like a generated one.
 */
const char *cs_mesh_export_name(const struct cs_mesh *mesh, uint32_t material, char room[24]);

/* Returns the name of a material, or "" when the material has no name. */
const char *cs_mesh_material(const struct cs_mesh *mesh, uint32_t material);
