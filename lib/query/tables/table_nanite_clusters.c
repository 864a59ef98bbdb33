/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what Nanite pages contain: clusters, materials, references, parts, groups, tree. */
#include "query/tables/table_nanite.h"

#include <math.h>

CS_MODEL_ARRAY(clusters, CS_ROWS_CLUSTERS, clusters)
CS_MODEL_OF(clusters, CS_ROWS_CLUSTERS)
CS_MODEL_ARRAY(parts, CS_ROWS_PARTS, parts)
CS_MODEL_OF(parts, CS_ROWS_PARTS)
CS_MODEL_ARRAY(groups, CS_ROWS_GROUPS, groups)
CS_MODEL_ARRAY(nodes, CS_ROWS_SLOTS, slots)
CS_MODEL_OF(nodes, CS_ROWS_SLOTS)
CS_MODEL_ARRAY(references, CS_ROWS_REFERENCES, references)
CS_MODEL_OF(references, CS_ROWS_REFERENCES)
CS_MODEL_ARRAY(materials, CS_ROWS_MATERIALS, materials)
CS_MODEL_OF(materials, CS_ROWS_MATERIALS)

/* ---- the table of clusters ---- */

enum { SPREAD_BITS = 10, CODE_BITS = 5, MASK_BITS = 3 };

static uint32_t position_bits(const struct cs_model_cluster *at)
{
	return (uint32_t)at->position_bits[0] + at->position_bits[1] + at->position_bits[2];
}

static struct cs_value strip_bits(const struct cs_model_cluster *at)
{
	if (at->n_codes == CS_NONE || at->n_triangles == 0)
		return cs_null();
	return cs_number(
		(double)(CODE_BITS * at->n_codes + MASK_BITS * at->n_triangles) / at->n_triangles);
}

static struct cs_value color_mode(const struct cs_model_cluster *at)
{
	static const char *const names[] = {"white", "constant", "variable"};
	return at->color_mode < CS_COUNT_OF(names) ? cs_text(names[at->color_mode]) : cs_null();
}

CS_GETTER(get_reference_count, cs_model_cluster,
	at->n_coded == CS_NONE ? cs_null() : cs_integer(at->n_vertices - at->n_coded))
CS_GETTER(get_edge, cs_model_cluster, cs_number(fabs((double)at->edge_length)))
CS_GETTER(get_position_bits, cs_model_cluster, cs_integer(position_bits(at)))
CS_GETTER(get_axis_bits, cs_model_cluster, cs_integer(at->position_bits[column->argument]))
CS_GETTER(get_index_bits, cs_model_cluster, cs_integer(at->index_bits))
/* the triangles of a cluster in memory: for each a base index and two offsets */
CS_GETTER(get_triangle_bits, cs_model_cluster,
	cs_integer((at->index_bits + SPREAD_BITS) * at->n_triangles))
CS_GETTER(get_vertex_bits, cs_model_cluster,
	cs_integer((int64_t)at->n_vertices *(position_bits(at) + at->attribute_bits)))
CS_GETTER(get_strip_bits, cs_model_cluster, strip_bits(at))
CS_GETTER(get_color_mode, cs_model_cluster, color_mode(at))
CS_GETTER(get_uvs, cs_model_cluster, cs_integer(at->n_uvs))
CS_GETTER(get_start, cs_model_cluster,
	cs_vec3_value((struct cs_vec3){at->start[0], at->start[1], at->start[2]}))
CS_GETTER(get_cluster_fill, cs_model_cluster, cs_number(at->n_triangles / 128.0))
CS_GETTER(get_maker_pages, cs_model_cluster,
	at->maker == CS_NONE ? cs_null() : cs_known(clusters_model(row)->groups[at->maker].n_pages))

#define CLUSTER(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_cluster, member, type, reader, text, __VA_ARGS__)

static const struct cs_column cluster_columns[] = {
	CS_VALUE("name", TEXT, cs_nanite_name, "resource, page and number: Rock:7:3",
		.argument = CS_ROWS_CLUSTERS, CS_SHORT_KEY),
	CS_RESOURCE_COLUMN(CS_ROWS_CLUSTERS),
	CLUSTER("page", page, INTEGER, u32, "number of the page", .flags = CS_COLUMN_INDEX),
	CLUSTER("cluster", index, INTEGER, u32, "number of the cluster in the page",
		.flags = CS_COLUMN_INDEX),
	CLUSTER("level", level, INTEGER, u32, "level of detail, 0 is the finest", CS_SHORT),
	CLUSTER("triangles", n_triangles, INTEGER, u32, "number of triangles, at most 128",
		CS_SHORT),
	CLUSTER("vertices", n_vertices, INTEGER, u32,
		"number of vertices, at most 256, including references", CS_SHORT),
	CS_VALUE("references", INTEGER, get_reference_count,
		"number of vertices that refer to a vertex of another cluster", CS_SHORT),
	CS_VALUE("fill", NUMBER, get_cluster_fill, "number of triangles divided by 128, 0..1"),
	CLUSTER("error", lod_error, NUMBER, float,
		"upper bound of the distance from the source mesh, in units of the mesh (an "
		"estimate if built with --error quadric)",
		CS_SHORT),
	CS_VALUE("edge_length", NUMBER, get_edge, "length of the longest edge"),
	CLUSTER("group", group, INTEGER, u32, "group that the cluster belongs to", CS_SHORT_INDEX),
	CLUSTER("maker", maker, INTEGER, u32, "finer group that the cluster was simplified from",
		CS_SHORT_INDEX),
	CS_VALUE("maker_pages", INTEGER, get_maker_pages,
		"number of pages that contain the finer group"),
	CLUSTER("part", part, INTEGER, u32, "part of the group that contains the cluster",
		.flags = CS_COLUMN_INDEX),
	CLUSTER("leaf", leaf, BOOL, flag,
		"leaf in the file: drawn at any error until a fixup clears this flag", CS_SHORT),
	CS_COLUMN("flags", cs_model_cluster, flags, HEX, hex, "flags of the cluster as in the page",
		.argument = 8),
	CLUSTER("centre", lod_centre, VEC3, vec3,
		"centre of the sphere from which the error of the cluster is projected"),
	CLUSTER("radius", lod_radius, NUMBER, float, "radius of the sphere around `centre`"),
	CLUSTER("box_centre", box_centre, VEC3, vec3, "centre of the bounding box"),
	CLUSTER("box_extent", box_extent, VEC3, vec3, "half the size of the bounding box"),
	CLUSTER("materials", n_materials, INTEGER, u32, "material ranges"),
	CS_VALUE("index_bits", INTEGER, get_index_bits, "bits of the first index of a triangle"),
	CS_VALUE("position_bits", INTEGER, get_position_bits, "bits of a position, all axes"),
	CS_VALUE("position_bits_x", INTEGER, get_axis_bits, "bits of the X of a position",
		.argument = 0),
	CS_VALUE("position_bits_y", INTEGER, get_axis_bits, "bits of the Y of a position",
		.argument = 1),
	CS_VALUE("position_bits_z", INTEGER, get_axis_bits, "bits of the Z of a position",
		.argument = 2),
	CLUSTER("attribute_bits", attribute_bits, INTEGER, u32, "bits of normal, colour and UVs"),
	CS_VALUE("triangle_bits", INTEGER, get_triangle_bits, "bits of all triangles when loaded"),
	CS_VALUE("vertex_bits", INTEGER, get_vertex_bits, "bits of all vertices when loaded"),
	CLUSTER("strip_starts", n_starts, INTEGER, u32, "number of triangles that begin a strip"),
	CLUSTER("strip_codes", n_codes, INTEGER, u32,
		"references of strip codes to earlier vertices, 5 bits each"),
	CS_VALUE("strip_bits", NUMBER, get_strip_bits,
		"bits of strip codes and masks for each triangle"),
	CS_VALUE("color_mode", TEXT, get_color_mode, "white, constant or variable"),
	CS_VALUE("uvs", INTEGER, get_uvs, "UV channels"),
	CS_COLUMN("uv_bits", cs_model_cluster, uv_bits, HEX, hex,
		"4 bits each, the lowest first: U0, V0, U1 ...", .argument = 8),
	CS_VALUE("grid_start", VEC3, get_start, "least position, in steps of the position grid"),
	CS_COLUMN("grid_step", cs_model_cluster, grid_step, NUMBER, f64,
		"step of the position grid, in units of the mesh"),
	CS_VALUE("drawn", TEXT, cs_nanite_cluster_drawn,
		"state in the last frame: hidden, drawn, or coarse (drawn because no "
		"finer one was loaded)"),
	CLUSTER("damaged", damaged, BOOL, flag, "whether the cluster could not be decoded"),
};

const struct cs_table cs_nanite_clusters_table = {
	.name = "clusters",
	.row_name = "mesh_cluster",
	.doc = "Clusters: up to 128 triangles that are drawn together.",
	CS_COLUMNS(cluster_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(clusters),
	.find = cs_nanite_find,
};

/* ---- the table of parts (ranges of clusters of one group in one page) ---- */

struct cs_value cs_nanite_slot_number(const struct cs_model *model, uint32_t slot, bool node)
{
	if (slot >= model->n_slots)
		return cs_null();
	return cs_integer(node ? model->slots[slot].node : model->slots[slot].slot);
}

CS_GETTER(get_part_cluster, cs_model_part,
	cs_integer(parts_model(row)->clusters[at->first_cluster].index))
CS_GETTER(get_part_node, cs_model_part, cs_nanite_slot_number(parts_model(row), at->slot, true))
CS_GETTER(get_part_slot, cs_model_part, cs_nanite_slot_number(parts_model(row), at->slot, false))

#define PART(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_part, member, type, reader, text, __VA_ARGS__)

static const struct cs_column part_columns[] = {
	CS_RESOURCE_COLUMN(CS_ROWS_PARTS),
	CS_VALUE("part", INTEGER, cs_nanite_index, "number of the part in the resource",
		.argument = CS_ROWS_PARTS, CS_SHORT_INDEX),
	PART("page", page, INTEGER, u32, "page that contains the part", CS_SHORT_INDEX),
	PART("group", group, INTEGER, u32, "group of the part", CS_SHORT_INDEX),
	CS_VALUE("first_cluster", INTEGER, get_part_cluster,
		"number in the page of the first cluster of the part", CS_SHORT),
	PART("clusters", n_clusters, INTEGER, u32, "number of clusters of the part", CS_SHORT),
	CS_VALUE("node", INTEGER, get_part_node, "node of the hierarchy", CS_SHORT),
	CS_VALUE("slot", INTEGER, get_part_slot, "slot of the node", CS_SHORT),
};

const struct cs_table cs_nanite_parts_table = {
	.name = "parts",
	.row_name = "part",
	.doc = "Parts: the clusters of a group that lie in one page.",
	CS_COLUMNS(part_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(parts),
};

/* ---- the table of groups ---- */

static struct cs_value reduction(const struct cs_model_group *at)
{
	return at->n_parents && at->triangles
		       ? cs_number((double)at->parent_triangles / at->triangles)
		       : cs_null();
}

CS_GETTER(get_reduction, cs_model_group, reduction(at))
/* Whether simplification got stuck: it kept more than 4/5 of the triangles of the group. */
CS_GETTER(get_stuck, cs_model_group,
	cs_bool(at->n_parents && 5.0 * at->parent_triangles > 4.0 * at->triangles))

#define GROUP(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_group, member, type, reader, text, __VA_ARGS__)

static const struct cs_column group_columns[] = {
	CS_VALUE("name", TEXT, cs_nanite_name, "resource and number of the group: Rock:12",
		.argument = CS_ROWS_GROUPS, CS_SHORT_KEY),
	CS_RESOURCE_COLUMN(CS_ROWS_GROUPS),
	CS_VALUE("group", INTEGER, cs_nanite_index, "number of the group in the resource",
		.argument = CS_ROWS_GROUPS, .flags = CS_COLUMN_INDEX),
	GROUP("number", number, INTEGER, u32,
		"number of the group, as the headers of its clusters have it"),
	GROUP("mesh", mesh, INTEGER, u32, "mesh of the resource, from 0"),
	GROUP("level", level, INTEGER, u32, "level of detail of the clusters", CS_SHORT),
	GROUP("clusters", n_clusters, INTEGER, u32,
		"number of clusters, which are replaced together", CS_SHORT),
	GROUP("parts", n_parts, INTEGER, u32, "number of parts: one for each page of the group",
		CS_SHORT),
	GROUP("first_page", first_page, INTEGER, u32,
		"first page that contains clusters of the group", CS_SHORT),
	GROUP("pages", n_pages, INTEGER, u32, "number of pages that contain clusters of the group",
		CS_SHORT),
	GROUP("parents", n_parents, INTEGER, u32,
		"number of coarser clusters into which simplification turned the group", CS_SHORT),
	GROUP("triangles", triangles, INTEGER, u32, "number of triangles of the clusters",
		CS_SHORT),
	GROUP("parent_triangles", parent_triangles, INTEGER, u32,
		"number of triangles of the coarser clusters"),
	CS_VALUE("reduction", NUMBER, get_reduction, "parent_triangles divided by triangles, 0..1",
		CS_SHORT),
	CS_VALUE("stuck", BOOL, get_stuck,
		"whether simplification removed less than a fifth of the triangles"),
	CS_VALUE("loaded", BOOL, cs_nanite_group_loaded,
		"whether all pages of the group are loaded and the groups of its "
		"parents are usable"),
	GROUP("min_error", min_error, NUMBER, float,
		"smallest error of the clusters, -1 if a cluster is of level 0"),
	GROUP("max_parent_error", max_parent_error, NUMBER, float,
		"error of the parents; none for a root group", CS_SHORT),
	GROUP("centre", centre, VEC3, vec3,
		"centre of the sphere from which max_parent_error is projected"),
	GROUP("radius", radius, NUMBER, float, "radius of the sphere around `centre`"),
};

const struct cs_table cs_nanite_groups_table = {
	.name = "groups",
	.row_name = "cluster_group",
	.doc = "Groups: clusters that are replaced together by coarser ones.",
	CS_COLUMNS(group_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(groups),
	.find = cs_nanite_find,
};

/* ---- the table of hierarchy nodes ---- */

CS_GETTER(get_slot_kind, cs_model_slot, cs_text(at->n_clusters == CS_NONE ? "inner" : "leaf"))
CS_GETTER(get_slot_group, cs_model_slot,
	at->part == CS_NONE ? cs_null() : cs_known(nodes_model(row)->parts[at->part].group))
CS_GETTER(get_slot_page, cs_model_slot,
	at->part == CS_NONE ? cs_null() : cs_known(nodes_model(row)->parts[at->part].page))
CS_GETTER(get_slot_depth, cs_model_slot, cs_known(nodes_model(row)->nodes[at->node].depth))
CS_GETTER(get_slot_area, cs_model_slot, cs_number(cs_box_surface(at->box_extent)))

#define SLOT(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_model_slot, member, type, reader, text, __VA_ARGS__)

static const struct cs_column node_columns[] = {
	CS_VALUE("name", TEXT, cs_nanite_name, "resource, node and slot: Rock:0:4",
		.argument = CS_ROWS_SLOTS, CS_SHORT_KEY),
	CS_RESOURCE_COLUMN(CS_ROWS_SLOTS),
	SLOT("node", node, INTEGER, u32, "number of the node", .flags = CS_COLUMN_INDEX),
	SLOT("slot", slot, INTEGER, u32, "slot of the node"),
	CS_VALUE("depth", INTEGER, get_slot_depth,
		"number of nodes above the node; none: no root leads to it", CS_SHORT),
	CS_VALUE("kind", TEXT, get_slot_kind,
		"inner: the slot has a child node; leaf: the slot has a part of a group", CS_SHORT),
	SLOT("child", child, INTEGER, u32, "number of the child node", CS_SHORT_INDEX),
	SLOT("part", part, INTEGER, u32, "number of the part", .flags = CS_COLUMN_INDEX),
	CS_VALUE("group", INTEGER, get_slot_group, "group of the part", CS_SHORT),
	CS_VALUE("page", INTEGER, get_slot_page, "page of the part", CS_SHORT),
	SLOT("first_page", first_page, INTEGER, u32,
		"first page that a request for the slot loads"),
	SLOT("pages", n_pages, INTEGER, u32, "number of pages that a request for the slot loads",
		CS_SHORT),
	SLOT("clusters", n_clusters, INTEGER, u32, "clusters of the part", CS_SHORT),
	SLOT("min_error", min_error, NUMBER, float, "smallest error below the slot"),
	SLOT("max_parent_error", max_parent_error, NUMBER, float,
		"error at which a view visits nothing below the slot; none for a root", CS_SHORT),
	SLOT("centre", centre, VEC3, vec3, "centre of the sphere that errors are projected from"),
	SLOT("radius", radius, NUMBER, float, "radius of the sphere around `centre`"),
	SLOT("box_centre", box_centre, VEC3, vec3, "centre of the bounding box"),
	SLOT("box_extent", box_extent, VEC3, vec3, "half the size of the bounding box"),
	CS_VALUE("area", NUMBER, get_slot_area, "surface area of the box"),
};

const struct cs_table cs_nanite_nodes_table = {
	.name = "nodes",
	.row_name = "node",
	.doc = "The hierarchy: one row for each used slot of a node.",
	CS_COLUMNS(node_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(nodes),
	.find = cs_nanite_find,
};

/* ---- the table of references between clusters ---- */

static struct cs_value cluster_number(const struct cs_model *model, uint32_t cluster, bool page)
{
	return cs_integer(page ? model->clusters[cluster].page : model->clusters[cluster].index);
}

CS_GETTER(get_reference_page, cs_model_reference,
	cluster_number(references_model(row), at->cluster, true))
CS_GETTER(get_reference_cluster, cs_model_reference,
	cluster_number(references_model(row), at->cluster, false))
CS_GETTER(get_source_page, cs_model_reference,
	cluster_number(references_model(row), at->source, true))
CS_GETTER(get_source_cluster, cs_model_reference,
	cluster_number(references_model(row), at->source, false))

static const struct cs_column reference_columns[] = {
	CS_RESOURCE_COLUMN(CS_ROWS_REFERENCES),
	CS_VALUE("page", INTEGER, get_reference_page, "page of the cluster", CS_SHORT_INDEX),
	CS_VALUE("cluster", INTEGER, get_reference_cluster,
		"cluster that refers to vertices of another cluster", CS_SHORT_INDEX),
	CS_VALUE("source_page", INTEGER, get_source_page,
		"page of the cluster that has the vertices", CS_SHORT),
	CS_VALUE("source_cluster", INTEGER, get_source_cluster, "cluster that has the vertices",
		CS_SHORT),
	CS_MEMBER("vertices", cs_model_reference, vertices, INTEGER, u32,
		"number of vertices that the references share", CS_SHORT),
};

const struct cs_table cs_nanite_references_table = {
	.name = "vertex_references",
	.row_name = "vertex_reference",
	.doc = "Clusters that refer to vertices of other clusters.",
	CS_COLUMNS(reference_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(references),
};

/* ---- the table of materials ---- */

static const char *material_name(const struct cs_model *model, uint32_t material)
{
	const char *name =
		material < model->n_material_names ? model->material_names[material] : NULL;
	return name && *name ? name : NULL;
}

CS_GETTER(get_material_page, cs_model_material,
	cluster_number(materials_model(row), at->cluster, true))
CS_GETTER(get_material_cluster, cs_model_material,
	cluster_number(materials_model(row), at->cluster, false))
CS_GETTER(get_material_name, cs_model_material,
	cs_text(material_name(materials_model(row), at->material)))

static const struct cs_column material_columns[] = {
	CS_RESOURCE_COLUMN(CS_ROWS_MATERIALS),
	CS_VALUE("page", INTEGER, get_material_page, "page of the cluster", CS_SHORT_INDEX),
	CS_VALUE("cluster", INTEGER, get_material_cluster, "number of the cluster in the page",
		CS_SHORT_INDEX),
	CS_MEMBER("material", cs_model_material, material, INTEGER, u32, "number of the material",
		CS_SHORT),
	CS_VALUE("name", TEXT, get_material_name, "name of the material", CS_SHORT),
	CS_MEMBER("first", cs_model_material, first, INTEGER, u32, "first triangle of the range",
		CS_SHORT),
	CS_MEMBER("triangles", cs_model_material, count, INTEGER, u32, "triangles of the range",
		CS_SHORT),
};

const struct cs_table cs_nanite_materials_table = {
	.name = "materials",
	.row_name = "material_range",
	.doc = "Material ranges of clusters.",
	CS_COLUMNS(material_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(materials),
};
