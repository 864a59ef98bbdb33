/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes static meshes with Nanite as the engine's cooker leaves them, of 5.3 to 5.8, so that tests
 * need no file of others: the package, and its pages in a .ubulk.
 *
 * The mesh is a ribbon of 48 columns and 2 rows, 192 triangles. Its DAG, finest first: clusters 3
 * and 4 are group 0, which became cluster 1; 5 and 6 are group 1, which became 2; 1 and 2 are group
 * 2, which became 0, alone in group 3. What is coarser lost the middle row, but for its ends, so
 * every cut has the border of the ribbon and no other. Page 0, the root, has 0 to 3, page 1 has 4,
 * page 2 has 5 and 6: group 0 lies on two pages. Vertices that a cluster shares with one before it
 * are references: in the page, to another page, and there to one that is a reference itself.
 */
#pragma once

#include "tests/samples/engine_package.h"
#include "ue/nanite/cooked_nanite.h"

enum {
	ENGINE_COLUMNS = 48,
	ENGINE_PAGES = 3,
	ENGINE_CLUSTERS = 7,
	ENGINE_GROUPS = 4,
	ENGINE_VERTICES = 100, /* of a cluster at most */
	ENGINE_TRIANGLES = 98,
	ENGINE_UNIT = 16, /* steps of the grid of positions in a column */
};

struct engine_vertex {
	int x, y; /* column and row of the ribbon */
	bool reference;
	uint32_t cluster, vertex; /* of the mesh: what a reference means */
};

struct engine_cluster {
	uint32_t page, index; /* of the page */
	uint32_t group, maker;
	int first, columns;
	bool fine; /* level 0 */
	uint32_t n_vertices, n_triangles, n_references;
	struct engine_vertex vertices[ENGINE_VERTICES];
	uint8_t corners[ENGINE_TRIANGLES][3];
	/* its strips */
	uint32_t masks[4][3], previous[2], n_codes, n_starts;
	struct cs_writer codes;
	/* packed */
	int32_t start[3];
	uint32_t position_bits[3], flags;
	bool tangents, coloured;
	uint32_t uv_bits[2], uv_precision;
	float error, edge, sphere[4], box[6]; /* box: centre, extent */
};

struct engine_mesh {
	enum cs_ue_nanite_version version;
	struct engine_cluster clusters[ENGINE_CLUSTERS];
	bool failed;
};

/* A part of a group: its first cluster in the mesh, and the number of its clusters. */
struct engine_part {
	uint32_t group, page, first, n, node, slot;
};

enum { ENGINE_PARTS = 5 };
extern const struct engine_part engine_parts[ENGINE_PARTS];
/* The sphere and the error that the parents of each group have. */
extern const float engine_spheres[ENGINE_GROUPS][4], engine_errors[ENGINE_GROUPS];

enum cs_ue_nanite_version engine_nanite_version(enum cs_ue_release release);
void engine_mesh_make(enum cs_ue_nanite_version version, struct engine_mesh *ret);
void engine_mesh_deinit(struct engine_mesh *mesh);
/* Returns the grid position of a place of the ribbon, and the codes of its normal. */
void engine_mesh_place(int x, int y, int32_t ret[3]);
void engine_mesh_normal(int x, int y, uint32_t ret[2]);
/*
 * Returns the number of material ranges of a cluster; ret[i] becomes the number of triangles with
 * material i.
 */
uint32_t engine_mesh_ranges(const struct engine_cluster *cluster, uint32_t ret[4]);

/*
 * These return the pages of a group, and the same as the word of a slot or fixup: before 5.7, and
 * from 5.7 on.
 */
void engine_group_pages(uint32_t group, uint32_t *first_ret, uint32_t *n_ret);
uint32_t engine_group_range(const struct engine_mesh *mesh, uint32_t group);
uint32_t engine_group_key(uint32_t group);

/* ---- bytes ---- */

/* Writes a page with its fixups. */
void engine_nanite_page(const struct engine_mesh *mesh, uint32_t page, struct cs_writer *to);
/*
 * Writes the bytes that follow the properties of the export. Pages other than the root page go to
 * `bulk`, after sixteen bytes of other data: they are entry 1 of the package's bulk data.
 */
void engine_nanite_export(
	const struct engine_mesh *mesh, struct cs_writer *to, struct cs_writer *bulk);
/* Returns the package /Game/Meshes/SM_Ribbon in the form that engine_package_write takes. */
json_t *engine_nanite_package(const struct engine_form *form, struct cs_writer *bulk);
/* Saves FOLDER/SM_Ribbon.uasset, its .uexp where the form has one, and its .ubulk. */
bool engine_nanite_save(const struct engine_form *form, const char *folder);
/* Saves the same package in a container: Ribbon.utoc or Ribbon.pak. */
bool engine_nanite_pack(const struct engine_form *form, bool pak, const char *folder);
