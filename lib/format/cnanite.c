/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field tables of the records in .cnanite files. Their structs are in cellscope/nanite.h. Fields of
 * the contents of pages have types that allow any bits, because lib/nanite checks them and reports
 * the rule that a value breaks.
 */
#include <cellscope/nanite.h>

#include "format/fields.h"

static const char *const nanite_flags[] = {
	"lz4", "colors", "thorough", "reference_planes", "grid_halves", "dense_pages", NULL};

#define TABLE_STRUCT cs_nanite_info
static const struct cs_field info_fields[] = {
	CS_FIELD(min, VEC3F, "smallest corner of all vertices, as decoded"),
	CS_FIELD(max, VEC3F, "largest corner of all vertices, as decoded"),
	CS_FIELD(source, TEXT, "source that the resource was built from"),
	CS_FIELD(flags, FLAGS,
		"lz4: pages are LZ4 blocks; colors: some vertex is not white; thorough: "
		"blocks as small as LZ4 finds; reference_planes: bytes of references lie in "
		"planes and count clusters backwards; grid_halves: errors and edges, which are "
		"halves, count 128 steps of the grid instead of units; dense_pages: what is "
		"smaller than its page before LZ4 has structs in planes of bytes and vertices bit "
		"after bit",
		.names = nanite_flags),
	CS_FIELD(position_precision, I32, "positions lie on a grid with a step of 2^-precision"),
	CS_FIELD(root_pages, U32, "pages that are always in memory"),
	CS_FIELD(uvs, U32, "UV channels"),
	CS_FIELD(materials, U32, "materials of the mesh"),
	CS_FIELD(levels, U32, "levels of detail"),
	CS_FIELD(groups, U32, "groups of clusters"),
	CS_FIELD(parts, U32, "number of parts into which pages cut the groups"),
	CS_FIELD(clusters, U32, "clusters of all levels"),
	CS_FIELD(triangles, U32, "triangles of all levels"),
	CS_FIELD(vertices, U32, "vertices of all clusters, references included"),
	CS_FIELD(input_triangles, U32, "triangles of the source mesh"),
	CS_FIELD(input_vertices, U32, "vertices of the source mesh"),
	CS_FIELD(degenerate_triangles, U32, "triangles of the source mesh that were left out"),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_nanite_section
static const struct cs_field section_fields[] = {
	CS_FIELD(material, U32, "material index"),
	CS_FIELD(name, TEXT, "name, may be empty"),
	CS_FIELD(input_triangles, U32, "triangles of level 0"),
	CS_FIELD(triangles, U32, "triangles of all levels"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_nanite_page_state
static const struct cs_field page_fields[] = {
	CS_FIELD(bulk_offset, U32, "in root_bytes for a root page, else in stream_bytes",
		.unit = "bytes"),
	CS_FIELD(bulk_size, U32, "length of fixup chunk and stored page", .unit = "bytes"),
	CS_FIELD(page_size, U32, "length of the decompressed page", .unit = "bytes"),
	CS_FIELD(first_dependency, U32, "row of page_dependencies"),
	CS_FIELD(n_dependencies, U32, "number of pages that must be in memory first"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_index_row
static const struct cs_field page_index_fields[] = {
	CS_FIELD(value, U32, "page"),
};
static const struct cs_field node_index_fields[] = {
	CS_FIELD(value, U32, "node"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT        cs_nanite_node
#define SLOTS(stride_bytes) .count = CS_NODE_CHILDREN, .stride = stride_bytes
static const struct cs_field node_fields[] = {
	CS_FIELD_AT(
		"lod_sphere", lod, SPHEREF, "sphere from which the error is projected", SLOTS(16)),
	CS_FIELD_AT("box_centre", box[0].centre, VEC3F, "centre of the box", SLOTS(16)),
	CS_FIELD_AT(
		"min_error", box[0].min_error, HALF, "smallest error below the slot", SLOTS(16)),
	CS_FIELD_AT("max_parent_error", box[0].max_parent_error, HALF,
		"largest error of the parents below the slot: descend while it is too coarse",
		SLOTS(16)),
	CS_FIELD_AT("box_extent", extent[0].extent, VEC3F, "half the size of the box", SLOTS(16)),
	CS_FIELD_AT("child", extent[0].child, U32,
		"child node, counted from the root of the mesh; of a leaf 4294967295, not loaded",
		SLOTS(16)),
	CS_FIELD(pages, HEX,
		"leaf: clusters of the part (9 bits), pages of the group (3), first page (20); "
		"inner: all ones; unused: 0",
		.count = CS_NODE_CHILDREN),
};
#undef TABLE_STRUCT

struct pixel_row {
	uint16_t value;
};

#define TABLE_STRUCT pixel_row
static const struct cs_field pixel_fields[] = {
	CS_FIELD(value, U16, "depth (8 bits), cluster (1), triangle (7); 0 = no surface"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_nanite_coarse_vertex
static const struct cs_field coarse_vertex_fields[] = {
	CS_FIELD_AT("position", position, VEC3F, "position"),
	CS_FIELD_AT("normal", normal, VEC3F, "normal"),
	CS_FIELD(color, U8, "R, G, B, A", .count = 4),
	CS_FIELD_AT("uvs", uvs, F32, "U and V of four channels", .count = 8),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_nanite_coarse_triangle
static const struct cs_field coarse_triangle_fields[] = {
	CS_FIELD(corners, REFERENCE, "vertices", .count = 3, .required = true,
		.target = CS_TABLE_NANITE_COARSE_VERTICES),
	CS_FIELD(material, U32, "material index"),
};
#undef TABLE_STRUCT

CS_RECORD(info_record, "nanite", CS_TABLE_NANITE, cs_nanite_info, info_fields,
	"The resource, in one row.", .critical = true);
CS_RECORD(section_record, "sections", CS_TABLE_NANITE_SECTIONS, cs_nanite_section, section_fields,
	"Materials of the mesh.");
CS_RECORD(page_record, "pages", CS_TABLE_NANITE_PAGES, cs_nanite_page_state, page_fields,
	"Page streaming states: positions of the pages and their dependencies. Coarse "
	"pages first.",
	.critical = true);
CS_RECORD(dependency_record, "page_dependencies", CS_TABLE_NANITE_DEPENDENCIES, cs_index_row,
	page_index_fields, "Pages that other pages depend on, without root pages.");
CS_RECORD(root_record, "hierarchy_roots", CS_TABLE_NANITE_ROOTS, cs_index_row, node_index_fields,
	"Root node of each mesh.", .critical = true);
CS_RECORD(node_record, "hierarchy", CS_TABLE_NANITE_NODES, cs_nanite_node, node_fields,
	"Hierarchy nodes as they lie in memory. A node has 8 slots: offsets are those of the first "
	"one, and each further one lies 16 bytes behind, but 4 in pages.",
	.critical = true);
CS_RECORD(pixel_record, "atlas", CS_TABLE_NANITE_ATLAS, pixel_row, pixel_fields,
	"Imposter atlas: 12 x 12 tiles of 12 x 12 pixels, tile by tile.");
CS_RECORD(coarse_vertex_record, "coarse_vertices", CS_TABLE_NANITE_COARSE_VERTICES,
	cs_nanite_coarse_vertex, coarse_vertex_fields, "Vertices of the coarse mesh.");
CS_RECORD(coarse_triangle_record, "coarse_triangles", CS_TABLE_NANITE_COARSE_TRIANGLES,
	cs_nanite_coarse_triangle, coarse_triangle_fields,
	"Triangles of the coarse mesh, by material.");

static const struct cs_record root_bytes_record = {
	.name = "root_bytes",
	.table = CS_TABLE_NANITE_ROOT_BYTES,
	.size = 1,
	.critical = true,
	.doc = "Root pages: fixup chunk and stored page, one after the other.",
};

static const struct cs_record stream_bytes_record = {
	.name = "stream_bytes",
	.table = CS_TABLE_NANITE_STREAM_BYTES,
	.size = 1,
	.doc = "All other pages: fixup chunk and stored page, one after the other.",
};

static const struct cs_record *const records[] = {&cs_strings_record, &info_record, &section_record,
	&page_record, &dependency_record, &root_record, &node_record, &root_bytes_record,
	&stream_bytes_record, &pixel_record, &coarse_vertex_record, &coarse_triangle_record};

const struct cs_schema cs_cnanite_schema = {
	.name = "cnanite",
	.extension = ".cnanite",
	.kind = CS_KIND_CNANITE,
	.major = 1,
	.minor = 0,
	.records = records,
	.n_records = CS_COUNT_OF(records),
};
