/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triangle meshes: the input of the Nanite builder and the form in which its cuts are exported. A
 * mesh comes from a file (OBJ, PLY, glTF, GLB, FBX, STL), from arrays, or from the generator. All
 * three end in the same cleaning: corners that agree in every attribute become one vertex, missing
 * normals are made, and triangles that cannot be used are dropped and counted. Units and axes are
 * those of the file. A mesh never changes after it was made.
 */
#ifndef CELLSCOPE_MESH_H
#define CELLSCOPE_MESH_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

enum {
	CS_MESH_UVS = 4,        /* largest number of UV channels */
	CS_MESH_MATERIALS = 64, /* largest number of materials */
};

/* Coordinates beyond this count as not finite, because their squares must not overflow a float. */
#define CS_MESH_REACH 1e15f

struct cs_mesh;

/* The arrays of a mesh. Each has n elements times the number in its comment. */
struct cs_mesh_view {
	const float *positions; /* 3 numbers for each vertex */
	const float *normals;   /* 3 for each vertex, of length 1; NULL on input has them made */
	const float *uvs[CS_MESH_UVS]; /* n_uvs arrays with 2 for each vertex */
	const uint8_t *colors;         /* 4 for each vertex, RGBA; NULL when all are 255 */
	const uint32_t *indices;       /* 3 for each triangle, counter-clockwise */
	const uint8_t *materials; /* 1 for each triangle, below n_materials; NULL when all are 0 */
	uint32_t n_vertices, n_triangles, n_uvs, n_materials;
	/* coordinates of the engine: centimetres, z up, left-handed; marked in a .glb file */
	bool engine_space;
};

/* The normals that a mesh is built with. */
enum cs_mesh_normals {
	CS_NORMALS_KEPT, /* normals of the file; where it has none, normals weighted by area */
	/* computed for all vertices from the faces around a position, weighted by area */
	CS_NORMALS_AREA,
	CS_NORMALS_WEIGHTED, /* the same, weighted by area and by the angle of each face there */
};

/* The most texels of a side of a lightmap, and between its charts. */
enum { CS_LIGHTMAP_TEXELS = 4096, CS_LIGHTMAP_PADDING = 16 };

/*
 * UVs for lightmaps, as in the build settings of the engine: a channel in which no two triangles
 * overlap, and the charts are some texels apart at a resolution. A stored resource rounds UVs to
 * 1/16384, where clusters are large to 1/4096, which the charts are placed for.
 */
struct cs_lightmap_settings {
	bool wanted;
	uint32_t resolution; /* texels of a side; 0 means 64 */
	uint32_t padding;    /* texels between charts; 0 means 1 */
	/*
	 * The channel whose charts are kept where they don't overlap. Meshes and triangles without
	 * area in it are projected along their normals.
	 */
	uint32_t source;
	/*
	 * The channel that is replaced. A channel that the mesh doesn't have, or CS_NONE, means one
	 * after its last.
	 */
	uint32_t target;
};

struct cs_lightmap_report {
	uint32_t charts; /* 0 when no lightmap UVs were made */
	uint32_t channel;
	/* resolution of the lightmap, and padding between charts, in texels */
	uint32_t resolution, padding;
	double used; /* the part of the square that triangles cover, 0..1 */
	double seconds;
};

/* The faults that were found in the input and repaired. */
struct cs_mesh_report {
	/* numbers as read, with polygons cut into triangles */
	uint64_t input_triangles, input_vertices;
	uint64_t degenerate; /* triangles dropped: two corners have one position */
	uint64_t non_finite; /* triangles dropped: a corner is not finite or beyond CS_MESH_REACH */
	uint64_t bad_indices;  /* triangles dropped: a corner is no vertex */
	uint64_t bad_uvs;      /* UV coordinates set to 0 because they are not finite */
	uint64_t made_normals; /* vertices whose normal was missing or unusable, and was made */
	uint64_t welded;       /* corners that were merged into an earlier vertex */
	uint64_t lines;        /* points and lines of the input, which are ignored */
};

/*
 * Reads a file in the format of its extension. Node transforms are applied, and tangents, bones and
 * cameras are ignored. The counts of `report_ret` (which may be NULL) are written to the job's log
 * as well. Files that the named one refers to are read only from its folder.
 *
 * Formats that foreign code reads are read by a separate process, cellscope-import (the environment
 * variable CELLSCOPE_IMPORT names another program). It has the memory limit of the job, and is
 * killed when the job is interrupted. A file that makes it crash is E_MESH, one that takes more
 * memory is E_LIMIT, and one that announces more than it contains is E_TRUNCATED. Errors of the
 * file system are returned too.
 */
CS_API struct cs_error *cs_mesh_import(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report_ret, struct cs_mesh **ret) CS_MUST_USE;
/* Makes a mesh from the caller's arrays, which are copied and cleaned like those of a file. */
CS_API struct cs_error *cs_mesh_from_arrays(const struct cs_mesh_view *arrays,
	const struct cs_job *job, struct cs_mesh_report *report_ret,
	struct cs_mesh **ret) CS_MUST_USE;
CS_API void cs_mesh_free(struct cs_mesh *mesh);

/* Returns a view that is valid as long as the mesh. Its normals are never NULL. */
CS_API struct cs_mesh_view cs_mesh_view(const struct cs_mesh *mesh);
/* Returns the box around its vertices, CS_BOX_INVALID without any. */
static inline struct cs_box cs_mesh_box(const struct cs_mesh *mesh)
{
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	struct cs_box box = {{1, 1, 1}, {-1, -1, -1}}; /* CS_BOX_INVALID, for C++ too */
	for (uint32_t v = 0; v < view.n_vertices; v++) {
		const float *at = view.positions + 3 * (size_t)v;
		const struct cs_vec3 point = {(double)at[0], (double)at[1], (double)at[2]};
		if (v == 0)
			box.min = box.max = point;
		box.min.x = point.x < box.min.x ? point.x : box.min.x;
		box.min.y = point.y < box.min.y ? point.y : box.min.y;
		box.min.z = point.z < box.min.z ? point.z : box.min.z;
		box.max.x = point.x > box.max.x ? point.x : box.max.x;
		box.max.y = point.y > box.max.y ? point.y : box.max.y;
		box.max.z = point.z > box.max.z ? point.z : box.max.z;
	}
	return box;
}

/*
 * Writes OBJ, binary PLY or GLB, by the extension, atomically. OBJ has no colours and only one UV
 * channel.
 */
CS_API struct cs_error *cs_mesh_export(
	const struct cs_mesh *mesh, const struct cs_job *job, const char *path) CS_MUST_USE;

/* The kinds of generated meshes. The hard ones are those on which builders fail. */
enum cs_mesh_kind {
	CS_MESH_TERRAIN,    /* height field with colours and two materials, open border */
	CS_MESH_NOISE,      /* closed sphere with noise, smooth normals */
	CS_MESH_FOLIAGE,    /* disjoint quads with UVs */
	CS_MESH_FLAT,       /* noise sphere with face normals: no two faces share a vertex */
	CS_MESH_SEAMS,      /* noise sphere cut into tiny UV charts, three materials */
	CS_MESH_TRIANGLE,   /* one triangle */
	CS_MESH_CUBE,       /* 12 triangles, hard edges */
	CS_MESH_ISLANDS,    /* two noise spheres apart from each other */
	CS_MESH_MOEBIUS,    /* a strip with one side */
	CS_MESH_COINCIDENT, /* the same triangle many times */
	CS_MESH_KINDS
};

struct cs_mesh_recipe {
	enum cs_mesh_kind kind;
	/* approximate number of triangles; kinds with a fixed number ignore it */
	uint32_t triangles;
	uint64_t seed;
};

/* Generates a mesh. The same recipe gives the same mesh on every machine. */
CS_API struct cs_error *cs_mesh_generate(const struct cs_mesh_recipe *recipe,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

CS_END_DECLS

#endif
