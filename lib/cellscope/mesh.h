/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triangle meshes: the input of the Nanite builder and the form in which its cuts are exported. A
 * mesh is read from a file (OBJ, PLY, glTF, GLB, FBX, STL), copied from arrays, or generated. In
 * all three cases it is cleaned: corners that agree in every attribute become one vertex, missing
 * normals are computed, and triangles that cannot be used are dropped and counted. Units and axes
 * are those of the file, but an FBX file, which declares its own, is read in centimetres with z up.
 * A mesh never changes after it was created.
 */
#ifndef CELLSCOPE_MESH_H
#define CELLSCOPE_MESH_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

enum {
	CS_MESH_UVS = 4,        /* largest number of UV channels */
	CS_MESH_MATERIALS = 64, /* largest number of materials */
};

/* Largest coordinate; larger ones count as not finite, so that no squared length overflows. */
#define CS_MESH_REACH 1e15f

struct cs_mesh;

/*
 * The arrays of a mesh. The comment of each array lists its elements for each vertex or triangle.
 */
struct cs_mesh_view {
	const float *positions; /* x, y, z for each vertex */
	/* x, y, z for each vertex, of length 1 (NULL in an input: not given) */
	const float *normals;
	/* n_uvs arrays with u, v for each vertex; v is 0 at the bottom of a texture */
	const float *uvs[CS_MESH_UVS];
	const uint8_t *colors;    /* RGBA for each vertex; NULL when all are 255 */
	const uint32_t *indices;  /* 3 vertices for each triangle, counter-clockwise from outside */
	const uint8_t *materials; /* material of each triangle, below n_materials; NULL: all 0 */
	uint32_t n_vertices, n_triangles, n_uvs, n_materials;
	/*
	 * whether coordinates are the engine's (cm, z up, left-handed), which a node matrix
	 * converts in an exported .glb file
	 */
	bool engine_space;
};

enum cs_mesh_normals {
	CS_NORMALS_KEPT,     /* normals of the file; missing ones as CS_NORMALS_AREA */
	CS_NORMALS_AREA,     /* mean normal of the faces around a position, weighted by area */
	CS_NORMALS_WEIGHTED, /* mean normal of the faces, weighted by area x angle */
};

/* Largest side of a lightmap, and largest padding between its charts, in texels. */
enum { CS_LIGHTMAP_TEXELS = 4096, CS_LIGHTMAP_PADDING = 16 };

/*
 * Settings for lightmap UVs, as in the build settings of the engine: in one UV channel no two
 * triangles overlap, and charts are `padding` texels apart if the lightmap has the side
 * `resolution`. A stored resource rounds UVs to 1/16384, or to 1/4096 in clusters with a large
 * range of UVs; the charts are placed so that they stay apart after rounding.
 */
struct cs_lightmap_settings {
	bool wanted;
	uint32_t resolution; /* side of the lightmap in texels; 0 means 64 */
	uint32_t padding;    /* distance between charts in texels; 0 means 1 */
	/*
	 * UV channel whose charts are kept; charts that overlap themselves are divided. Meshes that
	 * lack the channel, and triangles without area in it, are projected along their normals.
	 * E_SETTING if no mesh has the channel, unless it is 0.
	 */
	uint32_t source;
	/*
	 * UV channel that is written, 0..3. CS_NONE, or a channel that the mesh lacks, appends one;
	 * E_SETTING if the mesh already has CS_MESH_UVS of them.
	 */
	uint32_t target;
};

struct cs_lightmap_report {
	uint32_t charts;              /* number of charts, 0 when no lightmap UVs were computed */
	uint32_t channel;             /* UV channel that was written; 0 without charts */
	uint32_t resolution, padding; /* side of the lightmap, and padding of charts, in texels */
	double used;                  /* fraction of the UV square that triangles cover, 0..1 */
	double seconds;
};

/* Faults of the input that were repaired. */
struct cs_mesh_report {
	uint64_t input_triangles, input_vertices; /* after polygons were cut into triangles */
	uint64_t degenerate; /* triangles dropped because two corners have the same position */
	uint64_t non_finite; /* triangles dropped: a corner is not finite or beyond CS_MESH_REACH */
	uint64_t bad_indices;  /* triangles dropped because the index of a corner is out of range */
	uint64_t bad_uvs;      /* UV coordinates set to 0 because they are not finite */
	uint64_t made_normals; /* vertices whose normal was missing or unusable, and was computed */
	uint64_t welded;       /* corners that were merged with an equal vertex */
	uint64_t lines;        /* points and lines of the input, which are ignored */
	uint64_t collision;    /* triangles of collision shapes (UCX_...), left out */
	/* triangles of coarser levels of detail (X_LOD1 ...), left out if there is an X_LOD0 */
	uint64_t coarse_lods;
	uint64_t more_uvs;   /* UV channels beyond CS_MESH_UVS, left out */
	uint64_t attributes; /* normals, UVs and colours of FBX files that are not read */
	/* polygons that cross themselves and lost a part in triangulation (a lower bound) */
	uint64_t polygons;
	/* polygons of OBJ and PLY files that cross themselves or are too large, cut badly */
	uint64_t overlapping;
	uint64_t statements; /* lines of an OBJ file with curves or no known statement, ignored */
};

/*
 * Reads a mesh file. The extension selects the format. Node transforms are applied; a skinned mesh
 * of a glTF file gets its rest pose instead. Tangents, bones of FBX files and cameras are ignored.
 * The counts of `report_ret` (which may be NULL) are also written to the job's log. Other files
 * that the file refers to are read only from its folder.
 *
 * Third-party code reads glTF, GLB, FBX and STL files, and PLY files of unusual contents, in a
 * separate process, cellscope-import (the environment variable CELLSCOPE_IMPORT names another
 * program). The process has the memory limit of the job, and is killed when the job is interrupted.
 *
 * Returns E_MESH for a file that is malformed, has no usable triangle or crashes the process;
 * E_FEATURE for another extension or an unsupported feature of a format; E_IO if the process cannot
 * be started; E_LIMIT for a file that exceeds limits of the job; E_TRUNCATED for one that is
 * shorter than its header states; and errors of the file system.
 */
CS_API struct cs_error *cs_mesh_import(const char *path, const struct cs_job *job,
	struct cs_mesh_report *report_ret, struct cs_mesh **ret) CS_MUST_USE;
/*
 * Creates a mesh from copies of the caller's arrays, and repairs the faults that cs_mesh_report
 * counts. report_ret may be NULL. Returns E_MESH if n_uvs, n_materials or a material is out of
 * range, or if no triangle is usable.
 */
CS_API struct cs_error *cs_mesh_from_arrays(const struct cs_mesh_view *arrays,
	const struct cs_job *job, struct cs_mesh_report *report_ret,
	struct cs_mesh **ret) CS_MUST_USE;
CS_API void cs_mesh_free(struct cs_mesh *mesh);

/* Returns the arrays of a mesh, which are valid as long as the mesh. `normals` is never NULL. */
CS_API struct cs_mesh_view cs_mesh_view(const struct cs_mesh *mesh);
/* Returns the bounding box of the vertices, CS_BOX_INVALID for a mesh without vertices. */
static inline struct cs_box cs_mesh_box(const struct cs_mesh *mesh)
{
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	struct cs_box box = {{1, 1, 1}, {-1, -1, -1}}; /* CS_BOX_INVALID in a form valid in C++ */
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
 * Writes OBJ (with one UV channel and without alpha), binary PLY (without materials), GLB or glTF,
 * as the extension of `path` says. The file is replaced atomically. Returns E_FEATURE for another
 * extension, and E_LIMIT for a GLB file of more than 4 GiB.
 */
CS_API struct cs_error *cs_mesh_export(
	const struct cs_mesh *mesh, const struct cs_job *job, const char *path) CS_MUST_USE;

/*
 * Kinds of generated meshes. Those after CS_MESH_NOISE are cases in which mesh builders often fail.
 */
enum cs_mesh_kind {
	CS_MESH_TERRAIN,  /* height field with colours and two materials, open border */
	CS_MESH_NOISE,    /* closed sphere with random bumps and smooth normals */
	CS_MESH_FOLIAGE,  /* disjoint quads with UVs */
	CS_MESH_FLAT,     /* noise sphere with face normals, so that no two faces share a vertex */
	CS_MESH_SEAMS,    /* noise sphere with UVs cut into tiny charts, and three materials */
	CS_MESH_TRIANGLE, /* one triangle */
	CS_MESH_CUBE,     /* 12 triangles, hard edges */
	CS_MESH_ISLANDS,  /* two noise spheres that don't touch */
	CS_MESH_MOEBIUS,  /* a Moebius strip, whose surface has only one side */
	CS_MESH_COINCIDENT, /* many copies of one triangle */
	CS_MESH_KINDS
};

struct cs_mesh_recipe {
	enum cs_mesh_kind kind;
	uint32_t triangles; /* approximate number of triangles; kinds of a fixed size ignore it */
	uint64_t seed;
};

/* Generates a mesh. A recipe gives the same mesh on every machine. The caller frees the mesh. */
CS_API struct cs_error *cs_mesh_generate(const struct cs_mesh_recipe *recipe,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;

CS_END_DECLS

#endif
