/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a triangle mesh, for its readers and for the Nanite builder.
 *
 * Data model: there is one flat array for each attribute. A reader fills a raw mesh (with any
 * layout of corners, and zero normals where it has none) and calls cs_mesh_clean once.
 *
 * Invariant after cleaning: every index is a vertex, and no vertex is unused. No two vertices agree
 * in every attribute. All floats are finite, -0 is 0, and normals have length 1. The corners of a
 * triangle have three different positions.
 */
#pragma once

#include <cellscope/mesh.h>

#include "core/strings.h"

struct cs_mesh {
	float *positions, *normals;
	float *uvs[CS_MESH_UVS];
	uint8_t *colors; /* RGBA of each vertex; NULL when all bytes are 255 */
	uint32_t *indices;
	uint8_t *materials;
	uint32_t n_vertices, n_triangles, n_uvs, n_materials;
	bool engine_space; /* whether the coordinates are the engine's, as in cs_mesh_view */
	struct cs_strings strings;
	uint32_t names[CS_MESH_MATERIALS]; /* names of the materials, as offsets in `strings` */
};

struct cs_mesh_size {
	uint64_t vertices, triangles;
	uint32_t uvs;
	bool colors;
};

/*
 * Makes a mesh of zeros with that much room, within the limits of the job, and with one unnamed
 * material.
 */
struct cs_error *cs_mesh_new(const struct cs_mesh_size *size, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
/* Copies the arrays into a new mesh of the same size. */
void cs_mesh_copy_arrays(struct cs_mesh *mesh, const struct cs_mesh_view *from);
/* Copies all attributes of a vertex to a vertex of a mesh with the same attributes, or the same
 * mesh. */
void cs_mesh_copy_vertex(
	const struct cs_mesh *from, size_t vertex, struct cs_mesh *to, size_t vertex_to);
/* Gives a mesh the materials of another one. */
struct cs_error *cs_mesh_copy_materials(const struct cs_mesh *from, struct cs_mesh *to) CS_MUST_USE;
/* Establishes the invariant. Returns E_MESH when no triangle is left. Frees nothing on failure. */
struct cs_error *cs_mesh_clean(
	struct cs_mesh *mesh, const struct cs_job *job, struct cs_mesh_report *report) CS_MUST_USE;
/*
 * Cleans a raw mesh and stores it in *ret. `error` is that of making the mesh, or NULL: with an
 * error before or here, it frees the mesh, which may be NULL, and returns the error.
 */
struct cs_error *cs_mesh_finish(struct cs_mesh *mesh, struct cs_error *error,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

/*
 * Sets ids_ret[v] to the first vertex at the position of vertex v. Positions are compared bit by
 * bit, and the caller ensures that there is no -0.
 */
struct cs_error *cs_mesh_places(
	const float *positions, uint32_t n, int threads, uint32_t *ids_ret) CS_MUST_USE;
/*
 * Computes the normals that are zero from the faces around their position, weighted by area, or
 * with more weights if `weighted` is set.
 */
struct cs_error *cs_mesh_make_normals(
	struct cs_mesh *mesh, bool weighted, uint64_t *made_ret) CS_MUST_USE;
/*
 * Computes the tangents of a mesh with UVs, 4 floats for each vertex: the unit direction of u, and
 * 1 or -1 for the side of v.
 */
bool cs_mesh_tangents(const struct cs_mesh *mesh, float *ret);
/* The changes to a mesh before it is built. */
struct cs_mesh_preparation {
	double scale[3]; /* scale of each axis; 0 means 1 */
	enum cs_mesh_normals normals;
};

/*
 * Makes a mesh with other normals, then another size, and cleans it again. *ret is NULL when
 * nothing is to be done. Returns E_SETTING for a scale that is not above 0.
 */
struct cs_error *cs_mesh_prepare(const struct cs_mesh *mesh,
	const struct cs_mesh_preparation *preparation, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
/* Writes binary glTF (export_gltf.c). The locale is C. */
struct cs_writer;
void cs_mesh_write_glb(struct cs_writer *to, const struct cs_mesh *mesh);
void cs_mesh_write_gltf(struct cs_writer *to, const struct cs_mesh *mesh);

/* Returns the name of a material, or "" for one without a name. */
const char *cs_mesh_material(const struct cs_mesh *mesh, uint32_t material);
