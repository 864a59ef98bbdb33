/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a triangle mesh, for its readers and for the Nanite builder.
 *
 * Data model: one flat array an attribute. A reader fills a raw mesh (any corner layout, zero
 * normals where it has none) and calls cs_mesh_clean once.
 * Invariant after cleaning: every index is a vertex; no vertex is unused; no two vertices agree in
 * every attribute; all floats are finite, -0 is 0, normals are unit; the corners of a triangle are
 * at three places.
 */
#pragma once

#include <cellscope/mesh.h>

#include "core/strings.h"

struct cs_mesh {
	float *positions, *normals;
	float *uvs[CS_MESH_UVS];
	uint8_t *colors; /* NULL = all 255 */
	uint32_t *indices;
	uint8_t *materials;
	uint32_t n_vertices, n_triangles, n_uvs, n_materials;
	bool engine_space; /* as in cs_mesh_view */
	struct cs_strings strings;
	uint32_t names[CS_MESH_MATERIALS]; /* of materials, in strings */
};

struct cs_mesh_size {
	uint64_t vertices, triangles;
	uint32_t uvs;
	bool colors;
};

/* A mesh of zeros with room for that much, in the limits of the job; one unnamed material. */
struct cs_error *cs_mesh_new(const struct cs_mesh_size *size, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
/* Into a new mesh of that size. */
void cs_mesh_copy_arrays(struct cs_mesh *mesh, const struct cs_mesh_view *from);
/* Makes the invariant hold; E_MESH when no triangle is left. Frees nothing on failure. */
struct cs_error *cs_mesh_clean(
	struct cs_mesh *mesh, const struct cs_job *job, struct cs_mesh_report *report) CS_MUST_USE;

/*
 * ids_ret[v] = the first vertex at the place of vertex v. Places are compared bit by bit; the
 * caller sees to it that there is no -0.
 */
struct cs_error *cs_mesh_places(
	const float *positions, uint32_t n, int threads, uint32_t *ids_ret) CS_MUST_USE;
/* Fills in the vertices whose normal is zero: faces around their place, by area, or weighted. */
struct cs_error *cs_mesh_make_normals(
	struct cs_mesh *mesh, bool weighted, uint64_t *made_ret) CS_MUST_USE;
/* Of a mesh with UVs, 4 a vertex: the unit direction of u, and on which side v runs, 1 or -1. */
bool cs_mesh_tangents(const struct cs_mesh *mesh, float *ret);
/* What is done to a mesh before it is built. */
struct cs_mesh_preparation {
	double scale[3]; /* 0 stands for 1 */
	enum cs_mesh_normals normals;
};

/*
 * A mesh with other normals, then another size, cleaned again: ret is NULL where nothing is to be
 * done. E_SETTING for a scale that is not above 0.
 */
struct cs_error *cs_mesh_prepare(const struct cs_mesh *mesh,
	const struct cs_mesh_preparation *preparation, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
/* Binary glTF (export_gltf.c); the locale is C. */
struct cs_writer;
void cs_mesh_write_glb(struct cs_writer *to, const struct cs_mesh *mesh);
void cs_mesh_write_gltf(struct cs_writer *to, const struct cs_mesh *mesh);

/* "" for a material without a name. */
const char *cs_mesh_material(const struct cs_mesh *mesh, uint32_t material);
