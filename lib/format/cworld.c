/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field tables of the records in .cworld files; the structs are in cellscope/cooked.h. Reading,
 * printing, verify and the manual of the format are driven by these tables.
 */
#include <cellscope/cooked.h>

#include "format/check_numbers.h"
#include "format/cooked_inside.h"
#include "format/fields.h"

static const char *const hash_class_names[] = {"hash_set", "spatial_hash", NULL};
static const char *const operator_names[] = {"or", "and", NULL};
static const char *const trigger_names[] = {"cook", "pie", NULL};
static const char *const server_names[] = {
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
static const char *const layer_flags[] = {"external", NULL};
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
	.doc = "All texts, each once: NUL-terminated UTF-8, the empty text first. "
	       "Other tables name a text by its byte offset.",
};

#define TABLE_STRUCT cs_cooked_world
static const struct cs_field world_fields[] = {
	CS_FIELD(bounds, BOX, "bounds of the spatially loaded actors of the main container",
		.unit = "cm"),
	CS_FIELD(name, TEXT, "short name of the map, the prefix of cell names"),
	CS_FIELD(package, TEXT, "long package name of the map"),
	CS_FIELD(source, TEXT, "what it was cooked from"),
	CS_FIELD(engine, TEXT, "engine version that saved the source"),
	CS_FIELD(profile, TEXT, "engine profile whose rules were applied"),
	CS_FIELD(hash_class, ENUM, "runtime hash", .names = hash_class_names),
	CS_FIELD(
		layers_operator, ENUM, "how the layers of a cell combine", .names = operator_names),
	CS_FIELD(trigger, ENUM, "what started the cook", .names = trigger_names),
	CS_FIELD(server_streaming, ENUM, "server streaming mode", .names = server_names),
	CS_FIELD(server_streaming_out, ENUM, "server streaming-out mode", .names = server_names),
	CS_FIELD(default_hlod_layer, REFERENCE, "HLOD layer of actors that set none",
		.target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(flags, FLAGS, "streaming: the world streams", .names = world_flags),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_partition
static const struct cs_field partition_fields[] = {
	CS_FIELD(origin, VEC3, "origin of the grid", .unit = "cm"),
	CS_FIELD(bounds, BOX, "bounds of the world as the grid saw it", .unit = "cm"),
	CS_FIELD(cell_size, F64, "side of a cell of level 0", .unit = "cm"),
	CS_FIELD(loading_range, F64, "distance at which cells load", .unit = "cm"),
	CS_FIELD(name, TEXT, "name; of an HLOD setup Main:Setup"),
	CS_FIELD(parent, REFERENCE, "main partition of an HLOD setup",
		.target = CS_TABLE_PARTITIONS),
	CS_FIELD(partition_class, ENUM, "how it cuts the world", .names = cs_partition_class_names),
	CS_FIELD(priority, I32, "streaming priority of its cells, lower is first"),
	CS_FIELD(hlod_index, I32, "index of the HLOD setup, -1 for a main partition"),
	CS_FIELD(debug_color, U32, "0xRRGGBB"),
	CS_FIELD(levels, U32, "levels of a spatial grid, else 0"),
	CS_FIELD(grid_size, U32, "cells a side on level 0 of a spatial grid, else 0"),
	CS_FIELD(flags, FLAGS, "options", .names = partition_flags),
	CS_FIELD(cells, RANGE, "its cells", .target = CS_TABLE_CELLS),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_layer
static const struct cs_field layer_fields[] = {
	CS_FIELD(name, TEXT, "instance name, unique"),
	CS_FIELD(label, TEXT, "short name"),
	CS_FIELD(asset, TEXT, "path of the asset"),
	CS_FIELD(parent, REFERENCE, "parent layer, an earlier row", .target = CS_TABLE_LAYERS),
	CS_FIELD(type, ENUM, "runtime or editor", .names = cs_layer_type_names),
	CS_FIELD(filter, ENUM, "where it is loaded", .names = cs_layer_filter_names),
	CS_FIELD(initial, ENUM, "initial runtime state", .names = cs_layer_state_names),
	CS_FIELD(priority, I32, "added to the priority of its cells from 5.7"),
	CS_FIELD(color, U32, "debug colour, 0xRRGGBB"),
	CS_FIELD(flags, FLAGS, "external: an external data layer", .names = layer_flags),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_hlod_layer
static const struct cs_field hlod_layer_fields[] = {
	CS_FIELD(path, TEXT, "path of the asset"),
	CS_FIELD(parent, REFERENCE, "layer that its own HLOD actors belong to",
		.target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(cell_size, F64, "cell size of its grid", .unit = "cm"),
	CS_FIELD(loading_range, F64, "loading range of its grid", .unit = "cm"),
	CS_FIELD(flags, FLAGS, "spatial: its actors are spatially loaded",
		.names = hlod_layer_flags),
	CS_FIELD(proxy_triangles, U32,
		"triangles of a proxy mesh at most, 0 for a tenth of what it stands for"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_container
static const struct cs_field container_fields[] = {
	CS_FIELD(transform.rotation, QUAT, "rotation in the world"),
	CS_FIELD(transform.translation, VEC3, "position in the world", .unit = "cm"),
	CS_FIELD(transform.scale, VEC3, "scale in the world"),
	CS_FIELD(id, GUID, "identity, zero for the main container"),
	CS_FIELD(content_bundle, GUID, "content bundle, zero for the base game"),
	CS_FIELD(parent, REFERENCE, "container around it, an earlier row",
		.target = CS_TABLE_CONTAINERS),
	CS_FIELD(package, TEXT, "package of the level"),
	CS_FIELD(actor, REFERENCE, "level instance actor in the parent", .target = CS_TABLE_ACTORS),
	CS_FIELD(external_layer, REFERENCE, "external data layer it belongs to",
		.target = CS_TABLE_LAYERS),
	CS_FIELD(actors, RANGE, "its actors", .target = CS_TABLE_ACTORS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_cell
static const struct cs_field cell_fields[] = {
	CS_FIELD(guid, GUID, "identity across cooks"),
	CS_FIELD(content_bundle, GUID, "content bundle, zero for the base game"),
	CS_FIELD(box, BOX, "bounds of the grid cell", .unit = "cm"),
	CS_FIELD(content, BOX, "union of the bounds of its actors", .unit = "cm"),
	CS_FIELD(x, I64, "coordinate, as in the name"),
	CS_FIELD(y, I64, "coordinate, as in the name"),
	CS_FIELD(z, I64, "coordinate, as in the name"),
	CS_FIELD(name, TEXT, "unique name"),
	CS_FIELD(short_name, TEXT, "name within its partition and layer set"),
	CS_FIELD(package, TEXT, "short package name, 25 characters"),
	CS_FIELD(partition, REFERENCE, "its partition", .target = CS_TABLE_PARTITIONS,
		.required = true),
	CS_FIELD(level, I32, "grid level, -1 for a non-spatial cell of 5.7"),
	CS_FIELD(hierarchical_level, I32, "sort key 2: high first"),
	CS_FIELD(priority, I32, "sort key 3: low first"),
	CS_FIELD(flags, FLAGS, "what it is", .names = cell_flags),
	CS_FIELD(layers_id, U32, "CRC of the sorted layer names, 0 for none"),
	CS_FIELD(external_layer, REFERENCE, "external data layer", .target = CS_TABLE_LAYERS),
	CS_FIELD(layers, RANGE, "its data layers", .target = CS_TABLE_CELL_LAYERS),
	CS_FIELD(actors, RANGE, "its actors", .target = CS_TABLE_CELL_ACTORS),
	CS_FIELD(sets, RANGE, "its actor sets", .target = CS_TABLE_SETS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_set
static const struct cs_field set_fields[] = {
	CS_FIELD(bounds, BOX, "union of the bounds of its members", .unit = "cm"),
	CS_FIELD(x, I64, "cell coordinate it was placed at"),
	CS_FIELD(y, I64, "cell coordinate it was placed at"),
	CS_FIELD(z, I64, "cell coordinate it was placed at"),
	CS_FIELD(level, I32, "level it was placed on"),
	CS_FIELD(first_level, I32, "level that its size asks for"),
	CS_FIELD(container, REFERENCE, "its container", .target = CS_TABLE_CONTAINERS,
		.required = true),
	CS_FIELD(partition, REFERENCE, "its partition", .target = CS_TABLE_PARTITIONS),
	CS_FIELD(cell, REFERENCE, "its cell", .target = CS_TABLE_CELLS),
	CS_FIELD(placement, ENUM, "the rule that placed it", .names = cs_placement_names),
	CS_FIELD(largest, REFERENCE, "member with the longest extent", .target = CS_TABLE_ACTORS),
	CS_FIELD(members, RANGE, "its actors", .target = CS_TABLE_SET_MEMBERS),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_actor
static const struct cs_field actor_fields[] = {
	CS_FIELD(guid, GUID, "identity in its container"),
	CS_FIELD(bounds, BOX, "runtime bounds in the world", .unit = "cm"),
	CS_FIELD(name, TEXT, "object name"),
	CS_FIELD(label, TEXT, "label, what users type"),
	CS_FIELD(base_class, TEXT, "Blueprint class, empty for a native actor"),
	CS_FIELD(native_class, TEXT, "native class"),
	CS_FIELD(grid, TEXT, "its own runtime grid, empty for the default"),
	CS_FIELD(effective_grid, TEXT, "grid after parents, containers and repairs"),
	CS_FIELD(container, REFERENCE, "its container", .target = CS_TABLE_CONTAINERS,
		.required = true),
	CS_FIELD(parent, REFERENCE, "attach parent", .target = CS_TABLE_ACTORS),
	CS_FIELD(set, REFERENCE, "its actor set", .target = CS_TABLE_SETS),
	CS_FIELD(cell, REFERENCE, "its cell", .target = CS_TABLE_CELLS),
	CS_FIELD(hlod_layer, REFERENCE, "effective HLOD layer", .target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(flags, FLAGS, "what it is", .names = actor_flags),
	CS_FIELD(defaults, FLAGS, "fields that come from its class", .names = cs_default_names),
	CS_FIELD(assumed, FLAGS, "of those, fields whose value is assumed",
		.names = cs_default_names),
	CS_FIELD(placement, ENUM, "how it came to its cell, or why to none",
		.names = cs_placement_names),
	CS_FIELD(layers, RANGE, "its runtime data layers", .target = CS_TABLE_ACTOR_LAYERS),
	CS_FIELD(references, RANGE, "its hard references", .target = CS_TABLE_REFERENCES),
	CS_FIELD(mesh, TEXT, "what it shows, empty for nothing; meshes describes it"),
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
	CS_FIELD(engine, TEXT, "engine version that saved it"),
	CS_FIELD(external_layer, REFERENCE, "external data layer", .target = CS_TABLE_LAYERS),
	CS_FIELD(own_hlod_layer, TEXT, "HLOD layer as the descriptor says"),
	CS_FIELD(tags, RANGE, "tags", .target = CS_TABLE_ACTOR_TAGS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_reference
static const struct cs_field reference_fields[] = {
	CS_FIELD(guid, GUID, "referenced actor, as the descriptor names it"),
	CS_FIELD(actor, REFERENCE, "referenced actor", .target = CS_TABLE_ACTORS),
	CS_FIELD(state, ENUM, "what became of the reference", .names = cs_reference_state_names),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_hlod
static const struct cs_field hlod_fields[] = {
	CS_FIELD(source_cell, GUID, "cell it was built from"),
	CS_FIELD(actor, REFERENCE, "HLOD actor", .target = CS_TABLE_ACTORS),
	CS_FIELD(cell, REFERENCE, "cell of this cook that source_cell names",
		.target = CS_TABLE_CELLS),
	CS_FIELD(layer, REFERENCE, "HLOD layer", .target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(home, REFERENCE, "cell that contains the HLOD actor", .target = CS_TABLE_CELLS),
	CS_FIELD(min_visible_distance, F64, "loading range of the source partition", .unit = "cm"),
	CS_FIELD(mesh_bytes, F64, "what the proxy mesh costs in memory", .unit = "bytes"),
	CS_FIELD(mesh, TEXT, "file of the proxy mesh"),
	CS_FIELD(flags, FLAGS, "no_warmup: it shows without being warmed up", .names = hlod_flags),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_mesh
static const struct cs_field mesh_fields[] = {
	CS_FIELD(bounds, BOX, "bounds in its own space", .unit = "cm"),
	CS_FIELD(content, GUID, "hash of the content of its resource, zero without one"),
	CS_FIELD(bytes, U64, "its resource on disk", .unit = "bytes"),
	CS_FIELD(resident_bytes, U64, "of them those that no page streams: what a cell brings",
		.unit = "bytes"),
	CS_FIELD(path, TEXT, "as actors name it"),
	CS_FIELD(file, TEXT, "its resource, from the folder of this file"),
	CS_FIELD(reason, TEXT, "why there is none"),
	CS_FIELD(state, ENUM, "what became of it", .names = cs_mesh_state_names),
	CS_FIELD(triangles, U32, "triangles of the mesh itself"),
	CS_FIELD(pages, U32, "pages of its resource"),
	CS_FIELD(actors, U32, "actors that show it"),
	CS_FIELD(hlod, REFERENCE, "HLOD actor that it is the proxy of", .target = CS_TABLE_HLODS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_finding
static const struct cs_field finding_fields[] = {
	CS_FIELD(check, ENUM, "the rule", .names = check_names),
	CS_FIELD(severity, ENUM, "severity", .names = severity_names),
	CS_FIELD(repair, ENUM, "what was done about it", .names = cs_repair_names),
	CS_FIELD(pass, U32, "pass of the validation, 0 is the one that UE reports"),
	CS_FIELD(actor, REFERENCE, "the actor, or the referer", .target = CS_TABLE_ACTORS),
	CS_FIELD(other, REFERENCE, "the referenced actor", .target = CS_TABLE_ACTORS),
	CS_FIELD(layer, REFERENCE, "the layer", .target = CS_TABLE_LAYERS),
	CS_FIELD(container, REFERENCE, "the container", .target = CS_TABLE_CONTAINERS),
	CS_FIELD(cause, REFERENCE, "finding that forced the value this one met, an earlier row",
		.target = CS_TABLE_FINDINGS),
	CS_FIELD(reason, TEXT, "the part of the rule"),
	CS_FIELD(hlod_layer, REFERENCE, "the HLOD layer", .target = CS_TABLE_HLOD_LAYERS),
	CS_FIELD(partition, REFERENCE, "the partition whose setting it is about",
		.target = CS_TABLE_PARTITIONS),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_drop
static const struct cs_field drop_fields[] = {
	CS_FIELD(actor, REFERENCE, "first actor of the set", .target = CS_TABLE_ACTORS),
	CS_FIELD(actors, U32, "how many went with it"),
	CS_FIELD(reason, TEXT, "why"),
	CS_FIELD(detail, TEXT, "the name or value that caused it"),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_sub
static const struct cs_field sub_fields[] = {
	CS_FIELD(transform.rotation, QUAT, "rotation in the world"),
	CS_FIELD(transform.translation, VEC3, "position in the world", .unit = "cm"),
	CS_FIELD(transform.scale, VEC3, "scale in the world"),
	CS_FIELD(id, GUID, "identity of the level instance in the world"),
	CS_FIELD(name, TEXT, "label, after those of the instances around it; unique"),
	CS_FIELD(package, TEXT, "package of the level"),
	CS_FIELD(parent, REFERENCE, "instance around it, an earlier row; none for the world",
		.target = CS_TABLE_SUB_PARTITIONS),
	CS_FIELD(actor, U32, "row of the level instance among the actors of its parent"),
	CS_FIELD(cell, U32, "row of the cell that contains it among those of its parent"),
	CS_FIELD(level, REFERENCE, "its level, none when it is no partition",
		.target = CS_TABLE_SUB_LEVELS),
	CS_FIELD(reason, TEXT, "why it is no partition"),
	CS_FIELD(reserved, ZERO, "zero", .count = 4),
};
#undef TABLE_STRUCT

#define TABLE_STRUCT cs_cooked_sub_level
static const struct cs_field sub_level_fields[] = {
	CS_FIELD(package, TEXT, "package of the level"),
	CS_FIELD(bytes, RANGE, "its cooked world, a file of this kind",
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
	CS_FIELD(value, U64, "bytes of the cell, 0 for not known"),
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
	"The world and its settings: one row.", .critical = true);
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
	"Actor sets: clusters of actors that share a cell, sorted by cell; those without come "
	"last.");
CS_RECORD(set_member_record, "set_members", CS_TABLE_SET_MEMBERS, cs_index_row, actor_index_fields,
	"Members of sets, sorted within a set.");
CS_RECORD(actor_record, "actors", CS_TABLE_ACTORS, cs_cooked_actor, actor_fields,
	"Actor instances, sorted by container and GUID.");
CS_RECORD(actor_layer_record, "actor_layers", CS_TABLE_ACTOR_LAYERS, cs_index_row,
	layer_index_fields, "Layers of actors.");
CS_RECORD(actor_tag_record, "actor_tags", CS_TABLE_ACTOR_TAGS, cs_index_row, text_index_fields,
	"Tags of actors.");
CS_RECORD(detail_record, "actor_details", CS_TABLE_ACTOR_DETAILS, cs_cooked_actor_detail,
	detail_fields, "What is rarely asked of an actor; row i belongs to actor i.");
CS_RECORD(reference_record, "references", CS_TABLE_REFERENCES, cs_cooked_reference,
	reference_fields, "Hard references of actors.");
CS_RECORD(hlod_record, "hlods", CS_TABLE_HLODS, cs_cooked_hlod, hlod_fields,
	"HLOD actors and the cells they stand for.");
CS_RECORD(finding_record, "findings", CS_TABLE_FINDINGS, cs_cooked_finding, finding_fields,
	"What validation found and repaired, in order.");
CS_RECORD(drop_record, "drops", CS_TABLE_DROPS, cs_cooked_drop, drop_fields,
	"Actor sets that lead to no partition.");

CS_RECORD(sub_record, "sub_partitions", CS_TABLE_SUB_PARTITIONS, cs_cooked_sub, sub_fields,
	"Standalone level instances: world partitions by themselves, outer ones first.");
CS_RECORD(sub_level_record, "sub_levels", CS_TABLE_SUB_LEVELS, cs_cooked_sub_level,
	sub_level_fields, "Levels of sub partitions, each cooked once.");
CS_RECORD(sub_bytes_record, "sub_bytes", CS_TABLE_SUB_BYTES, cs_byte_row, byte_fields,
	"The cooked worlds of those levels, one after the other.");
CS_RECORD(cell_bytes_record, "cell_bytes", CS_TABLE_CELL_BYTES, cs_size_row, size_fields,
	"What each cell's packages have on disk, where the engine itself cooked the world.");
CS_RECORD(mesh_record, "meshes", CS_TABLE_MESHES, cs_cooked_mesh, mesh_fields,
	"Meshes that actors show, each once, by the offset of their path.");
CS_RECORD(cell_mesh_bytes_record, "cell_mesh_bytes", CS_TABLE_CELL_MESH_BYTES, cs_size_row,
	size_fields,
	"What the meshes of each cell bring with it, each once, where they were built.");

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
