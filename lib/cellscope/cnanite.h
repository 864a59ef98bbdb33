/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a .cnanite file: a Nanite resource. The payload (page states, hierarchy, page bytes,
 * dependencies, atlas) has the layout of UE5 Early Access to the byte; what surrounds it is ours.
 * Nothing in the payload is checked by the container beyond its sums: cs_nanite_open() and
 * cs_nanite_verify() (cellscope/nanite.h) do that.
 */
#ifndef CELLSCOPE_CNANITE_H
#define CELLSCOPE_CNANITE_H

#include <cellscope/file.h>

CS_BEGIN_DECLS

enum {
	CS_KIND_CNANITE = 2,
	CS_NODE_CHILDREN = 8,
	CS_PAGE_GPU_BYTES = 1 << 17, /* of every page when it is loaded */
};

/* The resource: one row. */
struct cs_nanite_info {
	float min[3], max[3];       /* of all vertices, as decoded */
	uint32_t source;            /* text: what it was built from */
	uint32_t flags;             /* CS_NANITE_ */
	int32_t position_precision; /* the grid has a step of 2^-precision */
	uint32_t root_pages;        /* pages that are always there */
	uint32_t uvs;               /* channels */
	uint32_t materials;
	uint32_t levels;
	uint32_t groups, parts, clusters;
	uint32_t triangles, vertices; /* of all levels, references included */
	uint32_t input_triangles, input_vertices;
	uint32_t degenerate_triangles; /* of level 0, that were left out */
	uint32_t reserved;
};

#define CS_NANITE_LZ4      1u /* pages are LZ4 blocks */
#define CS_NANITE_COLORS   2u /* some vertex is not white */
#define CS_NANITE_THOROUGH 4u /* LZ4 took its time for them */

/* Where a page lies: a fixup chunk, then the page. Row i is page i, coarse pages first. */
struct cs_nanite_page_state {
	uint32_t bulk_offset; /* in the root bytes for a root page, else in the stream bytes */
	uint32_t bulk_size;   /* of chunk and stored page */
	uint32_t page_size;   /* of the page when it is decompressed */
	uint32_t first_dependency, n_dependencies; /* page_dependencies */
};

/* A node of the hierarchy as it lies in memory: by field, not by slot. */
struct cs_nanite_node {
	struct {
		float centre[3], radius;
	} lod[CS_NODE_CHILDREN];
	struct {
		float centre[3];
		uint16_t min_error, max_parent_error; /* half */
	} box[CS_NODE_CHILDREN];
	struct {
		float extent[3];
		uint32_t child; /* node, from the root of the mesh; of a leaf 0xffffffff */
	} extent[CS_NODE_CHILDREN];
	uint32_t pages[CS_NODE_CHILDREN]; /* leaf: clusters:9, pages:3, first page:20; inner: all
					     ones; unused: 0 */
};

/* A material and the triangles that have it. */
struct cs_nanite_section {
	uint32_t material;
	uint32_t name;                       /* text, may be empty */
	uint32_t input_triangles, triangles; /* of level 0, of all levels */
};

/* The coarse mesh, which stands in where Nanite cannot run. */
struct cs_nanite_coarse_vertex {
	float position[3], normal[3];
	uint8_t color[4];
	float uvs[4][2];
};

struct cs_nanite_coarse_triangle {
	uint32_t corners[3]; /* coarse_vertices */
	uint32_t material;
};

/* Table ids, in file order. */
enum cs_cnanite_table {
	CS_TABLE_NANITE = CS_TABLE_STRINGS + 1,
	CS_TABLE_NANITE_SECTIONS,
	CS_TABLE_NANITE_PAGES,
	CS_TABLE_NANITE_DEPENDENCIES, /* u32: pages */
	CS_TABLE_NANITE_ROOTS,        /* u32: nodes, the root of each mesh */
	CS_TABLE_NANITE_NODES,
	CS_TABLE_NANITE_ROOT_BYTES,
	CS_TABLE_NANITE_STREAM_BYTES,
	CS_TABLE_NANITE_ATLAS, /* u16: pixels */
	CS_TABLE_NANITE_COARSE_VERTICES,
	CS_TABLE_NANITE_COARSE_TRIANGLES,
	CS_TABLE_CNANITE_END
};

CS_END_DECLS

#endif
