/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triangle meshes: the input of the Nanite builder and the form in which its cuts are exported.
 * A mesh comes from a file (OBJ, PLY, glTF, GLB, FBX, STL), from arrays, or from the generator; all
 * three end in the same cleaning: corners that agree in every attribute become one vertex, missing
 * normals are made, triangles that cannot be used are dropped and counted. Units and axes are those
 * of the file. A mesh never changes after it was made.
 */
#ifndef CELLSCOPE_MESH_H
#define CELLSCOPE_MESH_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

enum {
	CS_MESH_UVS = 4,        /* UV channels */
	CS_MESH_MATERIALS = 64, /* material sections */
};

/* Coordinates beyond this count as not finite: their squares must not overflow a float. */
#define CS_MESH_REACH 1e15f

struct cs_mesh;

/* The arrays of a mesh, n elements each times the number beside them. */
struct cs_mesh_view {
	const float *positions;        /* 3 a vertex */
	const float *normals;          /* 3 a vertex, unit; NULL on input: to be made */
	const float *uvs[CS_MESH_UVS]; /* 2 a vertex, n_uvs of them */
	const uint8_t *colors;         /* 4 a vertex, RGBA; NULL = all 255 */
	const uint32_t *indices;       /* 3 a triangle, counter-clockwise */
	const uint8_t *materials;      /* 1 a triangle, below n_materials; NULL = all 0 */
	uint32_t n_vertices, n_triangles, n_uvs, n_materials;
	bool engine_space; /* centimetres, z up, left-handed: what a .glb file says of its node */
};

/* Which normals are built of a mesh. */
enum cs_mesh_normals {
	CS_NORMALS_KEPT,     /* those of the file; made, by area, where it has none */
	CS_NORMALS_AREA,     /* made for all: faces around a place by area, */
	CS_NORMALS_WEIGHTED, /* or by area and by their angle there */
};

/* What was found in the input and done about it. */
struct cs_mesh_report {
	uint64_t input_triangles, input_vertices; /* as read, polygons cut into triangles */
	uint64_t degenerate;                      /* triangles dropped: two corners at one place */
	uint64_t non_finite; /* triangles dropped: a corner is not finite or beyond CS_MESH_REACH */
	uint64_t bad_indices;  /* triangles dropped: a corner is no vertex */
	uint64_t bad_uvs;      /* UV coordinates set to 0 because they are not finite */
	uint64_t made_normals; /* vertices whose normal was missing or unusable, and was made */
	uint64_t welded;       /* corners that became a vertex met before */
	uint64_t lines;        /* points and lines of the input, ignored */
};

/*
 * Reads a file by the format that its extension names. Node transforms are applied; tangents,
 * bones, cameras are ignored; what `report_ret` (may be NULL) counts is told to the job's log as
 * well. Files that the named one refers to are read from its folder only.
 *
 * Formats that foreign code reads go through a process, cellscope-import (the environment variable
 * CELLSCOPE_IMPORT names another): it has the memory that the job's limits say, and is killed when
 * the job is interrupted. A file that kills it is E_MESH, one that takes more is E_LIMIT, one that
 * announces more than it holds is E_TRUNCATED; and there are the errors of the file system.
 */
CS_API struct cs_error *cs_mesh_import(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report_ret, struct cs_mesh **ret) CS_MUST_USE;
/* A mesh from the caller's arrays, which are copied and cleaned as a file's would be. */
CS_API struct cs_error *cs_mesh_from_arrays(const struct cs_mesh_view *arrays,
	const struct cs_job *job, struct cs_mesh_report *report_ret,
	struct cs_mesh **ret) CS_MUST_USE;
CS_API void cs_mesh_free(struct cs_mesh *mesh);

/* Valid as long as the mesh; normals are never NULL. */
CS_API struct cs_mesh_view cs_mesh_view(const struct cs_mesh *mesh);
CS_API struct cs_box cs_mesh_box(const struct cs_mesh *mesh);

/* Writes OBJ, binary PLY or GLB by the extension, atomically. OBJ has no colours and one UV. */
CS_API struct cs_error *cs_mesh_export(
	const struct cs_mesh *mesh, const struct cs_job *job, const char *path) CS_MUST_USE;

/* What the generator makes; the hard ones are those on which builders fail. */
enum cs_mesh_kind {
	CS_MESH_TERRAIN,    /* height field with colours and two materials, open border */
	CS_MESH_NOISE,      /* closed sphere with noise, smooth normals */
	CS_MESH_FOLIAGE,    /* disjoint quads with UVs */
	CS_MESH_FLAT,       /* noise sphere with per-face normals: no two faces share a vertex */
	CS_MESH_SEAMS,      /* noise sphere cut into tiny UV charts, three materials */
	CS_MESH_TRIANGLE,   /* one triangle */
	CS_MESH_CUBE,       /* 12 triangles, hard edges */
	CS_MESH_ISLANDS,    /* two noise spheres apart */
	CS_MESH_MOEBIUS,    /* a strip with one side */
	CS_MESH_COINCIDENT, /* the same triangle again and again */
	CS_MESH_KINDS
};

struct cs_mesh_recipe {
	enum cs_mesh_kind kind;
	uint32_t triangles; /* about as many; the kinds with a fixed number ignore it */
	uint64_t seed;
};

/* The same recipe gives the same mesh on every machine. */
CS_API struct cs_error *cs_mesh_generate(const struct cs_mesh_recipe *recipe,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

CS_END_DECLS

#endif
