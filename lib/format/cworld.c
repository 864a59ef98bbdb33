/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field tables of the records in .cworld files. Their structs are in cellscope/cooked.h. Reading,
 * printing, verifying and the manual of the format use these tables.
 */
#include <cellscope/cooked.h>

#include "format/cooked_inside.h"
#include "format/fields.h"

static const char *const hash_class_names[] = {"hash_set", "spatial_hash", NULL};
const char *const cs_layers_operator_names[] = {"or", "and", NULL};
static const char *const trigger_names[] = {"cook", "pie", NULL};
const char *const cs_server_mode_names[] = {
	"project_default", "disabled", "enabled", "enabled_in_pie", NULL};
static const char *const world_flags[] = {"streaming", "cooked", "logged", "old_form", NULL};
const char *const cs_partition_class_names[] = {
	"lhgrid", "persistent", "level_streaming", "spatial_grid", NULL};
static const char *const partition_flags[] = {"block_on_slow", "client_only", "2d", "spatial",
	"aligned", "snap", "small_by_location", "partition_actors_by_location", "z_culling",
	"demotion", "assumed", "no_size", "no_priority", "no_switches", NULL};
static const char *const cell_flags[] = {"spatial", "always_loaded", "client_only", "block_on_slow",
	"hlod", "2d", "no_place", "names_alone", "made_guid", "no_boxes", NULL};
static const char *const actor_flags[] = {"own_spatial", "spatial", "editor_only", "runtime_only",
	"main_world_only", "hlod_relevant", "partition_actor", "level_instance", "container",
	"hlod", "data_layers", "forced_nonspatial", "forced_no_grid", "forced_no_layers",
	"filtered", "unsaved", "no_hlod_layer", "needs_resave", "unlisted", "no_transform",
	"made_guid", "by_script", "in_pie", NULL};
const char *const cs_default_names[] = {"spatial", "grid", "editor_only", "runtime_only", "layers",
	"hlod_relevant", "hlod_layer", "main_world_only", "tags", "label", "content_bundle",
	"listed", "external_layer", NULL};
const char *const cs_placement_names[] = {"by_centre", "demoted", "small", "partition_actor",
	"by_bounds", "top", "outside", "level", "non_spatial", "no_bounds", "editor_only",
	"container", "filtered", "dropped", "not_main_world", NULL};
const char *const cs_layer_type_names[] = {"runtime", "editor", NULL};
const char *const cs_layer_filter_names[] = {"none", "client_only", "server_only", NULL};
const char *const cs_layer_state_names[] = {"unloaded", "loaded", "activated", NULL};
const char *const cs_layer_state_ue_names[] = {"Unloaded", "Loaded", "Activated", NULL};
static const char *const layer_flags[] = {"external", "names_alone", NULL};
static const char *const hlod_flags[] = {"no_warmup", NULL};
static const char *const hlod_layer_flags[] = {"spatial", NULL};
const char *const cs_reference_state_names[] = {
	"runtime", "editor", "family", "missing", "elsewhere", "invalid", NULL};
static const char *const severity_names[] = {"info", "warning", "error", NULL};
static const char *const check_names[] = {
#define CHECK(name, token, rule, page) token,
#include "format/checks.def"
#undef CHECK
	NULL};
const char *const cs_mesh_state_names[] = {"named", "built", "copied", "missing", "refused", NULL};
const char *const cs_repair_names[] = {"none", "non_spatial", "no_layers", "no_grid",
	"drop_reference", "drop_layer", "no_hlod_layer", "keep_filtered", NULL};

const struct cs_record cs_strings_record = {
	.name = "strings",
	.table = CS_TABLE_STRINGS,
	.size = 1,
	.critical = true,
	.doc = "All texts: NUL-terminated UTF-8, each text once, the empty text first. Other "
	       "tables name a text by its byte offset.",
};

#define TABLE_STRUCT cs_cooked_world
static const struct cs_field world_fields[] = {
	CS_FIELD(bounds, BOX, "bounds of the spatially loaded actors of the main container",
		.unit = "cm"),
	CS_FIELD(name, TEXT, "short name of the map, the prefix of cell names"),
	CS_FIELD(package, TEXT, "long package name of the map"),
	CS_FIELD(source, TEXT, "kind of the source: json, uproject, log or cooked"),
	CS_FIELD(engine, TEXT, "engine version that saved the source"),
	CS_FIELD(profile, TEXT, "engine profile whose rules were applied"),
	CS_FIELD(hash_class, ENUM, "runtime hash", .names = hash_class_names),
	CS_FIELD(layers_operator, ENUM, "operator that combines the data layers of a cell",
		.names = cs_layers_operator_names),
	CS_FIELD(trigger, ENUM, "event that started the cook", .names = trigger_names),
	CS_FIELD(server_streaming, ENUM, "server streaming mode", .names = cs_server_mode_names),
	CS_FIELD(server_streaming_out, ENUM, "server streaming-out mode",
		.names = cs_server_mode_names),
	CS_FIELD(default_hlod_layer, REFERENCE, "HLOD layer of actors that set no HLOD layer",
		.target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(flags, FLAGS, "streaming: the world streams", .names = world_flags),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_partition
static const struct cs_field partition_fields[] = {
	CS_FIELD(origin, VEC3, "origin of the grid", .unit = "cm"),
	CS_FIELD(bounds, BOX, "bounds of the world that the grid was made for", .unit = "cm"),
	CS_FIELD(cell_size, F64, "side of a cell of level 0", .unit = "cm"),
	CS_FIELD(loading_range, F64, "distance at which cells load", .unit = "cm"),
	CS_FIELD(name, TEXT, "name; of an HLOD setup Main:Setup"),
	CS_FIELD(parent, REFERENCE, "main partition of an HLOD setup",
		.target = CS_TABLE_PARTITIONS),
	CS_FIELD(partition_class, ENUM,
		"class of the partition, which decides how the world is cut",
		.names = cs_partition_class_names),
	CS_FIELD(priority, I32, "streaming priority of the cells, lower is first"),
	CS_FIELD(hlod_index, I32, "index of the HLOD setup, -1 for a main partition"),
	CS_FIELD(debug_color, U32, "0xRRGGBB"),
	CS_FIELD(levels, U32, "levels of a spatial grid, else 0"),
	CS_FIELD(grid_size, U32, "cells a side on level 0 of a spatial grid, else 0"),
	CS_FIELD(flags, FLAGS, "options", .names = partition_flags),
	CS_FIELD(cells, RANGE, "cells of the partition", .target = CS_TABLE_CELLS),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_layer
static const struct cs_field layer_fields[] = {
	CS_FIELD(name, TEXT, "instance name, unique"),
	CS_FIELD(label, TEXT, "short name"),
	CS_FIELD(asset, TEXT, "path of the asset"),
	CS_FIELD(parent, REFERENCE, "parent layer, an earlier row", .target = CS_TABLE_LAYERS),
	CS_FIELD(type, ENUM, "type of the layer: runtime or editor", .names = cs_layer_type_names),
	CS_FIELD(filter, ENUM, "machines on which the layer is loaded",
		.names = cs_layer_filter_names),
	CS_FIELD(initial, ENUM, "initial runtime state", .names = cs_layer_state_names),
	CS_FIELD(priority, I32, "number added to the priority of the cells of the layer from 5.7"),
	CS_FIELD(color, U32, "debug colour, 0xRRGGBB"),
	CS_FIELD(flags, FLAGS,
		"external: an external data layer. names_alone: known by its name alone, so that its "
		"initial state is assumed",
		.names = layer_flags),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_hlod_layer
static const struct cs_field hlod_layer_fields[] = {
	CS_FIELD(path, TEXT, "path of the asset"),
	CS_FIELD(parent, REFERENCE, "HLOD layer of the HLOD actors of this layer",
		.target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(cell_size, F64, "cell size of the grid of the HLOD layer", .unit = "cm"),
	CS_FIELD(loading_range, F64, "loading range of the grid of the HLOD layer", .unit = "cm"),
	CS_FIELD(flags, FLAGS, "spatial: the HLOD actors are spatially loaded",
		.names = hlod_layer_flags),
	CS_FIELD(proxy_triangles, U32,
		"largest number of triangles of a proxy mesh, 0 = a tenth of its source meshes"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_container
static const struct cs_field container_fields[] = {
	CS_FIELD(transform.rotation, QUAT, "rotation in the world"),
	CS_FIELD(transform.translation, VEC3, "position in the world", .unit = "cm"),
	CS_FIELD(transform.scale, VEC3, "scale in the world"),
	CS_FIELD(id, GUID, "identity, zero for the main container"),
	CS_FIELD(content_bundle, GUID, "content bundle, zero for the base game"),
	CS_FIELD(parent, REFERENCE, "container that contains this one, an earlier row",
		.target = CS_TABLE_CONTAINERS),
	CS_FIELD(package, TEXT, "package of the level"),
	CS_FIELD(actor, REFERENCE, "level instance actor in the parent", .target = CS_TABLE_ACTORS),
	CS_FIELD(external_layer, REFERENCE, "external data layer that the container belongs to",
		.target = CS_TABLE_LAYERS),
	CS_FIELD(actors, RANGE, "actors of the container", .target = CS_TABLE_ACTORS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_cell
static const struct cs_field cell_fields[] = {
	CS_FIELD(guid, GUID, "identity across cooks"),
	CS_FIELD(content_bundle, GUID, "content bundle, zero for the base game"),
	CS_FIELD(box, BOX, "bounds of the grid cell", .unit = "cm"),
	CS_FIELD(content, BOX, "union of the bounds of the actors in the cell", .unit = "cm"),
	CS_FIELD(x, I64, "X coordinate, as in the name"),
	CS_FIELD(y, I64, "Y coordinate, as in the name"),
	CS_FIELD(z, I64, "Z coordinate, as in the name"),
	CS_FIELD(name, TEXT, "unique name"),
	CS_FIELD(short_name, TEXT, "name of the cell within its partition and layer set"),
	CS_FIELD(package, TEXT, "short package name, 25 characters"),
	CS_FIELD(partition, REFERENCE, "partition of the cell", .target = CS_TABLE_PARTITIONS,
		.required = true),
	CS_FIELD(level, I32, "grid level, -1 for a non-spatial cell of 5.7"),
	CS_FIELD(hierarchical_level, I32, "sort key 2, highest first"),
	CS_FIELD(priority, I32, "sort key 3, lowest first"),
	CS_FIELD(flags, FLAGS, "properties of the cell", .names = cell_flags),
	CS_FIELD(layers_id, U32, "CRC of the sorted layer names, 0 for none"),
	CS_FIELD(external_layer, REFERENCE, "external data layer", .target = CS_TABLE_LAYERS),
	CS_FIELD(layers, RANGE, "data layers of the cell", .target = CS_TABLE_CELL_LAYERS),
	CS_FIELD(actors, RANGE, "actors in the cell", .target = CS_TABLE_CELL_ACTORS),
	CS_FIELD(sets, RANGE, "actor sets of the cell", .target = CS_TABLE_SETS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_set
static const struct cs_field set_fields[] = {
	CS_FIELD(bounds, BOX, "union of the bounds of the members", .unit = "cm"),
	CS_FIELD(x, I64, "X coordinate of the cell that the rules chose"),
	CS_FIELD(y, I64, "Y coordinate of the cell that the rules chose"),
	CS_FIELD(z, I64, "Z coordinate of the cell that the rules chose"),
	CS_FIELD(level, I32, "level on which the set was placed"),
	CS_FIELD(first_level, I32, "level that follows from the size of the set"),
	CS_FIELD(container, REFERENCE, "container of the set", .target = CS_TABLE_CONTAINERS,
		.required = true),
	CS_FIELD(partition, REFERENCE, "partition that contains the set",
		.target = CS_TABLE_PARTITIONS),
	CS_FIELD(cell, REFERENCE, "cell that contains the set", .target = CS_TABLE_CELLS),
	CS_FIELD(placement, ENUM, "rule that placed the set", .names = cs_placement_names),
	CS_FIELD(largest, REFERENCE, "member with the longest extent", .target = CS_TABLE_ACTORS),
	CS_FIELD(members, RANGE, "actors of the set", .target = CS_TABLE_SET_MEMBERS),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_actor
static const struct cs_field actor_fields[] = {
	CS_FIELD(guid, GUID, "GUID of the actor in its container"),
	CS_FIELD(bounds, BOX, "runtime bounds in the world", .unit = "cm"),
	CS_FIELD(name, TEXT, "object name"),
	CS_FIELD(label, TEXT, "label of the actor, the name that users type"),
	CS_FIELD(base_class, TEXT, "Blueprint class, empty for a native actor"),
	CS_FIELD(native_class, TEXT, "native class"),
	CS_FIELD(grid, TEXT, "runtime grid of the actor, empty for the default grid"),
	CS_FIELD(effective_grid, TEXT, "grid after parents, containers and repairs"),
	CS_FIELD(container, REFERENCE, "container of the actor", .target = CS_TABLE_CONTAINERS,
		.required = true),
	CS_FIELD(parent, REFERENCE, "attach parent", .target = CS_TABLE_ACTORS),
	CS_FIELD(set, REFERENCE, "actor set of the actor", .target = CS_TABLE_SETS),
	CS_FIELD(cell, REFERENCE, "cell that contains the actor", .target = CS_TABLE_CELLS),
	CS_FIELD(hlod_layer, REFERENCE, "effective HLOD layer", .target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(flags, FLAGS, "properties of the actor", .names = actor_flags),
	CS_FIELD(defaults, FLAGS, "fields whose values come from the class",
		.names = cs_default_names),
	CS_FIELD(assumed, FLAGS, "fields from the class whose values are assumed",
		.names = cs_default_names),
	CS_FIELD(placement, ENUM, "reason why the actor is in its cell, or in no cell",
		.names = cs_placement_names),
	CS_FIELD(
		layers, RANGE, "runtime data layers of the actor", .target = CS_TABLE_ACTOR_LAYERS),
	CS_FIELD(references, RANGE, "hard references of the actor", .target = CS_TABLE_REFERENCES),
	CS_FIELD(mesh, TEXT,
		"mesh that the actor shows, a path in the table meshes; empty for none"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_actor_detail
static const struct cs_field detail_fields[] = {
	CS_FIELD(transform.rotation, QUAT, "rotation in the world"),
	CS_FIELD(transform.translation, VEC3, "position in the world", .unit = "cm"),
	CS_FIELD(transform.scale, VEC3, "scale in the world"),
	CS_FIELD(editor_bounds, BOX, "editor bounds in the world", .unit = "cm",
		CS_TWIN(CS_TABLE_ACTORS, cs_cooked_actor, bounds)),
	CS_FIELD(instance_guid, GUID, "identity in the world",
		CS_TWIN(CS_TABLE_ACTORS, cs_cooked_actor, guid)),
	CS_FIELD(content_bundle, GUID, "content bundle, zero for the base game"),
	CS_FIELD(folder_guid, GUID, "folder in the editor"),
	CS_FIELD(package, TEXT, "package of the actor"),
	CS_FIELD(path, TEXT, "object path"),
	CS_FIELD(folder, TEXT, "folder in the editor"),
	CS_FIELD(engine, TEXT, "engine version that saved the actor"),
	CS_FIELD(external_layer, REFERENCE, "external data layer", .target = CS_TABLE_LAYERS),
	CS_FIELD(own_hlod_layer, TEXT, "HLOD layer as the descriptor says"),
	CS_FIELD(tags, RANGE, "tags", .target = CS_TABLE_ACTOR_TAGS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_reference
static const struct cs_field reference_fields[] = {
	CS_FIELD(guid, GUID, "GUID of the referenced actor, as the descriptor has it"),
	CS_FIELD(actor, REFERENCE, "referenced actor", .target = CS_TABLE_ACTORS),
	CS_FIELD(state, ENUM, "result of the reference in the cook",
		.names = cs_reference_state_names),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_hlod
static const struct cs_field hlod_fields[] = {
	CS_FIELD(source_cell, GUID, "GUID of the cell that the HLOD actor was built from"),
	CS_FIELD(actor, REFERENCE, "HLOD actor", .target = CS_TABLE_ACTORS),
	CS_FIELD(cell, REFERENCE, "cell of this cook with the GUID source_cell",
		.target = CS_TABLE_CELLS),
	CS_FIELD(layer, REFERENCE, "HLOD layer", .target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(home, REFERENCE, "cell that contains the HLOD actor", .target = CS_TABLE_CELLS),
	CS_FIELD(min_visible_distance, F64, "loading range of the source partition", .unit = "cm"),
	CS_FIELD(mesh_bytes, F64, "memory that the proxy mesh takes", .unit = "bytes"),
	CS_FIELD(mesh, TEXT, "file of the proxy mesh"),
	CS_FIELD(flags, FLAGS, "no_warmup: the HLOD actor shows without a warm-up",
		.names = hlod_flags),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_mesh
static const struct cs_field mesh_fields[] = {
	CS_FIELD(bounds, BOX, "bounds in the space of the mesh", .unit = "cm"),
	CS_FIELD(content, GUID, "hash of the content of the resource, zero without a resource"),
	CS_FIELD(bytes, U64, "size of the resource on disk", .unit = "bytes"),
	CS_FIELD(resident_bytes, U64,
		"bytes of the resource that no page streams, which a cell brings", .unit = "bytes"),
	CS_FIELD(path, TEXT, "path of the mesh, as actors name it"),
	CS_FIELD(file, TEXT, "path of the resource, relative to the folder of this file"),
	CS_FIELD(reason, TEXT, "reason why there is no resource"),
	CS_FIELD(state, ENUM, "result of building the mesh", .names = cs_mesh_state_names),
	CS_FIELD(triangles, U32, "triangles of the mesh at full detail"),
	CS_FIELD(pages, U32, "number of pages of the resource"),
	CS_FIELD(actors, U32, "number of actors that show the mesh"),
	CS_FIELD(hlod, REFERENCE, "HLOD actor whose proxy the mesh is", .target = CS_TABLE_HLODS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_finding
static const struct cs_field finding_fields[] = {
	CS_FIELD(check, ENUM, "check that made the finding", .names = check_names),
	CS_FIELD(severity, ENUM, "severity", .names = severity_names),
	CS_FIELD(repair, ENUM, "repair that validation made", .names = cs_repair_names),
	CS_FIELD(pass, U32, "pass of the validation; UE reports only pass 0"),
	CS_FIELD(actor, REFERENCE,
		"actor that the finding names, or the actor that has the reference",
		.target = CS_TABLE_ACTORS),
	CS_FIELD(other, REFERENCE, "referenced actor", .target = CS_TABLE_ACTORS),
	CS_FIELD(layer, REFERENCE, "data layer that the finding names", .target = CS_TABLE_LAYERS),
	CS_FIELD(container, REFERENCE, "container of the actor", .target = CS_TABLE_CONTAINERS),
	CS_FIELD(cause, REFERENCE, "earlier finding whose repair led to this one",
		.target = CS_TABLE_FINDINGS),
	CS_FIELD(reason, TEXT, "part of the rule that failed"),
	CS_FIELD(hlod_layer, REFERENCE, "HLOD layer that the finding names",
		.target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(partition, REFERENCE, "partition whose setting the finding names",
		.target = CS_TABLE_PARTITIONS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_drop
static const struct cs_field drop_fields[] = {
	CS_FIELD(actor, REFERENCE, "first actor of the set", .target = CS_TABLE_ACTORS),
	CS_FIELD(actors, U32, "number of actors that were dropped with the set"),
	CS_FIELD(reason, TEXT, "why"),
	CS_FIELD(detail, TEXT, "name or value that caused the drop"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_sub
static const struct cs_field sub_fields[] = {
	CS_FIELD(transform.rotation, QUAT, "rotation in the world"),
	CS_FIELD(transform.translation, VEC3, "position in the world", .unit = "cm"),
	CS_FIELD(transform.scale, VEC3, "scale in the world"),
	CS_FIELD(id, GUID, "identity of the level instance in the world"),
	CS_FIELD(name, TEXT, "label, prefixed by the labels of the instances around it; unique"),
	CS_FIELD(package, TEXT, "package of the level"),
	CS_FIELD(parent, REFERENCE,
		"instance that contains this one, an earlier row; none for the world",
		.target = CS_TABLE_SUB_PARTITIONS),
	CS_FIELD(actor, U32, "row of the level instance among the actors of its parent"),
	CS_FIELD(cell, U32,
		"row of the cell that contains the instance, among the cells of its parent"),
	CS_FIELD(level, REFERENCE, "level of the instance; none if it is not a world partition",
		.target = CS_TABLE_SUB_LEVELS),
	CS_FIELD(reason, TEXT, "reason why the instance is not a world partition"),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_sub_level
static const struct cs_field sub_level_fields[] = {
	CS_FIELD(package, TEXT, "package of the level"),
	CS_FIELD(bytes, RANGE, "cooked world of the level, a file of this kind",
		.target = CS_TABLE_SUB_BYTES),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_byte_row
static const struct cs_field byte_fields[] = {
	CS_FIELD(value, U8, "byte"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_size_row
static const struct cs_field size_fields[] = {
	CS_FIELD(value, U64, "bytes of the cell, 0 = not known"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_index_row
static const struct cs_field layer_index_fields[] = {
	CS_FIELD(value, REFERENCE, "layer", .target = CS_TABLE_LAYERS, .required = true),
};
static const struct cs_field actor_index_fields[] = {
	CS_FIELD(value, REFERENCE, "actor", .target = CS_TABLE_ACTORS, .required = true),
};
static const struct cs_field text_index_fields[] = {
	CS_FIELD(value, TEXT, "text"),
};
#undef TABLE_STRUCT

CS_RECORD(world_record, "world", CS_TABLE_WORLD, cs_cooked_world, world_fields,
	"The world and its settings, in one row.", .critical = true);
CS_RECORD(partition_record, "partitions", CS_TABLE_PARTITIONS, cs_cooked_partition,
	partition_fields, "Runtime partitions and spatial grids, main ones first.");
CS_RECORD(layer_record, "layers", CS_TABLE_LAYERS, cs_cooked_layer, layer_fields,
	"Data layer instances, parents first.");
CS_RECORD(hlod_layer_record, "hlod_layers", CS_TABLE_HLOD_LAYERS, cs_cooked_hlod_layer,
	hlod_layer_fields, "HLOD layers.");
CS_RECORD(container_record, "containers", CS_TABLE_CONTAINERS, cs_cooked_container,
	container_fields,
	"Actor containers: the main one, then embedded level instances, parents first.");
CS_RECORD(cell_record, "cells", CS_TABLE_CELLS, cs_cooked_cell, cell_fields,
	"Cells, sorted by partition, level, coordinates and layers.");
CS_RECORD(cell_layer_record, "cell_layers", CS_TABLE_CELL_LAYERS, cs_index_row, layer_index_fields,
	"Layers of cells.");
CS_RECORD(cell_actor_record, "cell_actors", CS_TABLE_CELL_ACTORS, cs_index_row, actor_index_fields,
	"Actors of cells, sorted within a cell.");
CS_RECORD(set_record, "sets", CS_TABLE_SETS, cs_cooked_set, set_fields,
	"Actor sets: clusters of actors that share a cell, sorted by cell; sets "
	"without cell last.");
CS_RECORD(set_member_record, "set_members", CS_TABLE_SET_MEMBERS, cs_index_row, actor_index_fields,
	"Members of sets, sorted within a set.");
CS_RECORD(actor_record, "actors", CS_TABLE_ACTORS, cs_cooked_actor, actor_fields,
	"Actor instances, sorted by container and GUID.");
CS_RECORD(actor_layer_record, "actor_layers", CS_TABLE_ACTOR_LAYERS, cs_index_row,
	layer_index_fields, "Layers of actors.");
CS_RECORD(actor_tag_record, "actor_tags", CS_TABLE_ACTOR_TAGS, cs_index_row, text_index_fields,
	"Tags of actors.");
CS_RECORD(detail_record, "actor_details", CS_TABLE_ACTOR_DETAILS, cs_cooked_actor_detail,
	detail_fields, "Actor details that are rarely needed; row i belongs to actor i.");
CS_RECORD(reference_record, "references", CS_TABLE_REFERENCES, cs_cooked_reference,
	reference_fields, "Hard references of actors.");
CS_RECORD(hlod_record, "hlods", CS_TABLE_HLODS, cs_cooked_hlod, hlod_fields,
	"HLOD actors with the cells that they stand for.");
CS_RECORD(finding_record, "findings", CS_TABLE_FINDINGS, cs_cooked_finding, finding_fields,
	"Findings of validation with their repairs, in order.");
CS_RECORD(drop_record, "drops", CS_TABLE_DROPS, cs_cooked_drop, drop_fields,
	"Actor sets that belong to no partition.");

CS_RECORD(sub_record, "sub_partitions", CS_TABLE_SUB_PARTITIONS, cs_cooked_sub, sub_fields,
	"Standalone level instances: world partitions of their own, outer ones first.");
CS_RECORD(sub_level_record, "sub_levels", CS_TABLE_SUB_LEVELS, cs_cooked_sub_level,
	sub_level_fields, "Levels of standalone level instances, each cooked once.");
CS_RECORD(sub_bytes_record, "sub_bytes", CS_TABLE_SUB_BYTES, cs_byte_row, byte_fields,
	"The cooked worlds of these levels, one after the other.");
CS_RECORD(cell_bytes_record, "cell_bytes", CS_TABLE_CELL_BYTES, cs_size_row, size_fields,
	"Bytes on disk of the packages of each cell, where the engine itself cooked the world.");
CS_RECORD(mesh_record, "meshes", CS_TABLE_MESHES, cs_cooked_mesh, mesh_fields,
	"Meshes that actors show, each once, sorted by the offset of the path.");
CS_RECORD(cell_mesh_bytes_record, "cell_mesh_bytes", CS_TABLE_CELL_MESH_BYTES, cs_size_row,
	size_fields,
	"Bytes that the meshes of each cell bring when it loads, each mesh once, without the pages "
	"that are streamed, where the meshes were built.");

static const struct cs_record *const records[] = {&cs_strings_record, &world_record,
	&partition_record, &layer_record, &hlod_layer_record, &container_record, &cell_record,
	&cell_layer_record, &cell_actor_record, &set_record, &set_member_record, &actor_record,
	&actor_layer_record, &actor_tag_record, &detail_record, &reference_record, &hlod_record,
	&finding_record, &drop_record, &sub_record, &sub_level_record, &sub_bytes_record,
	&cell_bytes_record, &mesh_record, &cell_mesh_bytes_record};

const struct cs_schema cs_cworld_schema = {
	.name = "cworld",
	.extension = ".cworld",
	.kind = 1,
	.major = 1,
	.minor = 1,
	.records = records,
	.n_records = CS_COUNT_OF(records),
};
