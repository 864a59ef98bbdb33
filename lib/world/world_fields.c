/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the keys in the JSON form of a world. */
#include "world/world_fields.h"

#include "format/cooked_inside.h"
#include "world/world_internal.h"

const struct cs_json_kind_facts cs_json_kinds[] = {
	[CS_JSON_TEXT] = {JSON_STRING, sizeof(uint32_t), "a text", "text"},
	[CS_JSON_GUID] = {JSON_STRING, sizeof(struct cs_guid),
		"a GUID, a text of 32 hexadecimal digits", "guid"},
	[CS_JSON_BOOL] = {JSON_TRUE, sizeof(bool), "true or false", "bool"},
	[CS_JSON_FLAG] = {JSON_TRUE, sizeof(uint32_t), "true or false", "bool"},
	[CS_JSON_ENUM] = {JSON_STRING, sizeof(uint32_t), "one of the texts ", "one of"},
	[CS_JSON_NUMBER] = {JSON_REAL, sizeof(double), "a number", "number"},
	[CS_JSON_INTEGER] = {JSON_INTEGER, sizeof(int32_t), "a whole number of 32 bits", "integer"},
	[CS_JSON_COLOR] = {JSON_STRING, sizeof(uint32_t), "a text #RRGGBB", "color"},
	[CS_JSON_VEC3] = {JSON_ARRAY, 3 * sizeof(double), "a list [x, y, z] of numbers", "vector"},
	[CS_JSON_QUAT] = {JSON_ARRAY, 4 * sizeof(double), "a list [x, y, z, w] of numbers",
		"rotation"},
	[CS_JSON_TEXTS] = {JSON_ARRAY, sizeof(struct cs_range), "a list of texts", "texts"},
	[CS_JSON_GUIDS] = {JSON_ARRAY, sizeof(struct cs_range), "a list of GUIDs", "guids"},
	[CS_JSON_NAMES] = {JSON_ARRAY, sizeof(uint32_t), "a list of the texts ", "some of"},
	[CS_JSON_TRANSFORM] = {JSON_OBJECT, sizeof(struct cs_transform),
		"an object of lists: `pos`, `rot` (not all 0) and `scale`", "object"},
};

#define ROW(name, type, member, text, ...)                                           \
	{                                                                            \
		.key = name, .key_length = sizeof(name) - 1, .kind = CS_JSON_##type, \
		.offset = offsetof(struct TABLE, member), .doc = text, __VA_ARGS__   \
	}
#define TABLE_OF(title, rows)                                                        \
	{                                                                            \
		.what = title, .fields = rows, .n = sizeof(rows) / sizeof((rows)[0]) \
	}

static const char *const saved_names[] = {"saved", "saved_only", "unsaved_only", NULL};
static const char *const behavior_names[] = {"none", "partitioned|embedded", "standalone", NULL};
static const char *const container_names[] = {
	"base", "external_layer", "content_bundle", "level", NULL};
static const char *const bounds_names[] = {"default", "content", "cell", "min_content_cell", NULL};
static const char *const hash_names[] = {"hash_set", "spatial_hash", "profile", NULL};
static const char *const option_names[] = {"off", "on", "project", "profile", NULL};
/* Names of the CS_DEFAULT_... bits; after each '|' is the short name that some tools print. */
static const char *const default_names[] = {"spatial", "grid", "editor_only|editoronly",
	"runtime_only", "layers|dl", "hlod_relevant|hlodrel", "hlod_layer|hlod", "main_world_only",
	"tags", "label", "content_bundle", "listed", "external_layer", NULL};

#define TABLE cs_actor
static const struct cs_json_field actor_fields[] = {
	ROW("name", TEXT, name, "object name of the actor, unique in its level"),
	ROW("label", TEXT, label, "label of the actor in the editor"),
	ROW("class", TEXT, base_class, "path of the Blueprint class, if the actor has one"),
	ROW("native_class", TEXT, native_class, "path of the native class"),
	ROW("guid", GUID, guid, "GUID of the actor, unique in its container; required"),
	ROW("package", TEXT, package, "package of the actor"),
	ROW("path", TEXT, path, "object path of the actor"),
	ROW("engine", TEXT, engine, "engine version that saved the actor"),
	ROW("bounds_min", VEC3, bounds.min, "least corner of the bounds at run time, cm"),
	ROW("bounds_max", VEC3, bounds.max, "greatest corner of the bounds at run time, cm"),
	ROW("editor_bounds_min", VEC3, editor_bounds.min,
		"least corner of the bounds in the editor, cm"),
	ROW("editor_bounds_max", VEC3, editor_bounds.max,
		"greatest corner of the bounds in the editor, cm"),
	ROW("transform", TRANSFORM, transform, "pos [x, y, z], rot [x, y, z, w], scale [x, y, z]"),
	ROW("grid", TEXT, grid, "runtime grid; empty: the default grid"),
	ROW("spatially_loaded", FLAG, flags, "the actor streams by distance",
		.bit = CS_ACTOR_OWN_SPATIAL),
	ROW("editor_only", FLAG, flags, "the actor is not cooked", .bit = CS_ACTOR_EDITOR_ONLY),
	ROW("editor_only_in_pie", FLAG, flags,
		"the actor is editor-only, but takes part in play in editor",
		.bit = CS_ACTOR_IN_PIE),
	ROW("runtime_only", FLAG, flags, "the actor does not exist in the editor",
		.bit = CS_ACTOR_RUNTIME_ONLY),
	ROW("unlisted", FLAG, flags, "the outliner of the editor does not list the actor",
		.bit = CS_ACTOR_UNLISTED),
	ROW("main_world_only", FLAG, flags, "the actor is dropped in level instances",
		.bit = CS_ACTOR_MAIN_WORLD_ONLY),
	ROW("data_layers", TEXTS, layers, "names or assets of the data layers of the actor"),
	ROW("external_data_layer", TEXT, external_layer, "asset of the external data layer"),
	ROW("content_bundle", GUID, content_bundle,
		"content bundle of the actor (default: that of its container)"),
	ROW("references", GUIDS, references, "actors that the actor references"),
	ROW("editor_only_references", GUIDS, editor_references,
		"actors that the actor references only in the editor"),
	ROW("tags", TEXTS, tags, "tags of the actor"),
	ROW("properties", TEXTS, properties, "properties of the descriptor, as NAME=VALUE"),
	ROW("parent", GUID, parent, "actor that the actor is attached to"),
	ROW("folder", TEXT, folder, "folder in the editor"),
	ROW("folder_guid", GUID, folder_guid, "GUID of the folder"),
	ROW("hlod_relevant", FLAG, flags, "the mesh of the actor is part of HLOD",
		.bit = CS_ACTOR_HLOD_RELEVANT),
	ROW("hlod_layer", TEXT, hlod_layer, "HLOD layer; empty: the default HLOD layer"),
	ROW("mesh", TEXT, mesh,
		"mesh that the actor shows: a file beside this one (rocks/a.ply), or "
		"an engine object"),
	ROW("needs_resave", FLAG, flags,
		"the descriptor is of an old version, which validation reports",
		.bit = CS_ACTOR_NEEDS_RESAVE),
	ROW("from_class_default", NAMES, defaults,
		"keys that are not in the file and have the values of the class",
		.names = default_names),
	ROW("assumed", NAMES, assumed, "keys whose values are assumed", .names = default_names),
	ROW("saved", ENUM, saved, "saved file, or unsaved changes, from which the state comes",
		.names = saved_names),
};
#undef TABLE
const struct cs_json_table cs_json_actor = TABLE_OF("actor", actor_fields);

#define TABLE cs_level_instance
static const struct cs_json_field level_instance_fields[] = {
	ROW("level", TEXT, level, "package of the level"),
	ROW("behavior", ENUM, behavior,
		"the level is embedded into the cook, loaded by one actor, or neither",
		.names = behavior_names),
	ROW("filter", TEXTS, filter, "layer assets whose actors are left out"),
};
#undef TABLE
const struct cs_json_table cs_json_level_instance =
	TABLE_OF("level_instance", level_instance_fields);

#define TABLE cs_hlod_actor
static const struct cs_json_field hlod_fields[] = {
	ROW("source_cell", GUID, source_cell,
		"GUID of the cell that the HLOD actor was built from"),
	ROW("source_cell_name", TEXT, source_cell_name,
		"name of the cell that the HLOD actor was built from"),
	ROW("layer", TEXT, layer, "HLOD layer of the HLOD actor"),
	ROW("min_visible_distance", NUMBER, min_visible_distance,
		"distance below which the HLOD actor is hidden, cm"),
	ROW("no_warmup", BOOL, no_warmup, "the HLOD actor shows without a warm-up"),
	ROW("mesh", TEXT, mesh, "file of the proxy mesh"),
	ROW("mesh_bytes", NUMBER, mesh_bytes, "bytes of memory that the proxy mesh takes"),
	ROW("sources", GUIDS, sources, "actors that the HLOD actor was made of"),
};
#undef TABLE
const struct cs_json_table cs_json_hlod = TABLE_OF("hlod", hlod_fields);

#define TABLE cs_source_container
static const struct cs_json_field container_fields[] = {
	ROW("package", TEXT, package, "package of the level"),
	ROW("kind", ENUM, kind, "kind of the container", .names = container_names),
	ROW("external_actors", BOOL, external_actors, "the level is saved as one file per actor"),
	ROW("missing", BOOL, missing, "the level could not be found"),
	ROW("partitioned", BOOL, partitioned,
		"the level has a world partition, by which it streams if it is standalone"),
	ROW("content_bundle", GUID, content_bundle, "content bundle of the container"),
	ROW("external_data_layer", TEXT, external_layer,
		"asset of the external data layer of the container"),
};
#undef TABLE
const struct cs_json_table cs_json_container = TABLE_OF("container", container_fields);

#define TABLE cs_source_layer
static const struct cs_json_field layer_fields[] = {
	ROW("name", TEXT, name, "name of the instance"),
	ROW("label", TEXT, label, "label of the data layer in the editor"),
	ROW("asset", TEXT, asset, "path of the asset of the data layer"),
	ROW("parent", TEXT, parent, "name of the parent data layer"),
	ROW("type", ENUM, type, "runtime layers exist at run time, editor layers do not",
		.names = cs_layer_type_names),
	ROW("filter", ENUM, filter, "machines that load the layer", .names = cs_layer_filter_names),
	ROW("initial", ENUM, initial, "state at the beginning of a run",
		.names = cs_layer_state_names),
	ROW("priority", INTEGER, priority, "number added to the priority of cells with the layer"),
	ROW("color", COLOR, color, "colour on maps"),
	ROW("external", BOOL, external, "the content of the layer ships separately"),
};
#undef TABLE
const struct cs_json_table cs_json_layer = TABLE_OF("layer", layer_fields);

#define TABLE cs_source_hlod_layer
static const struct cs_json_field hlod_layer_fields[] = {
	ROW("path", TEXT, path, "path of the asset"),
	ROW("parent", TEXT, parent, "path of the parent HLOD layer"),
	ROW("spatial", BOOL, spatial, "the HLOD actors of the layer stream by distance"),
	ROW("cell_size", NUMBER, cell_size, "side of the cells of the HLOD actors, cm; 0: 25600"),
	ROW("loading_range", NUMBER, loading_range,
		"distance at which the HLOD actors load, cm; 0: 51200"),
	ROW("proxy_triangles", NUMBER, proxy_triangles,
		"largest number of triangles of a proxy mesh; 0: a tenth of its source meshes"),
	ROW("assumed", BOOL, assumed, "the asset of the layer could not be read"),
};
#undef TABLE
const struct cs_json_table cs_json_hlod_layer = TABLE_OF("hlod_layer", hlod_layer_fields);

#define TABLE cs_source_partition
static const struct cs_json_field partition_fields[] = {
	ROW("name", TEXT, name, "name of the grid"),
	ROW("class", ENUM, partition_class,
		"class of the partition: how actors are spread over cells",
		.names = cs_partition_class_names),
	ROW("cell_size", NUMBER, cell_size, "side of a cell of level 0, cm"),
	ROW("loading_range", NUMBER, loading_range, "distance at which cells load, cm"),
	ROW("origin", VEC3, origin, "origin of the grid, cm"),
	ROW("is_2d", BOOL, is_2d, "cells ignore height"),
	ROW("block_on_slow", BOOL, block_on_slow, "the game waits when cells of the grid are late"),
	ROW("client_only", BOOL, client_only, "servers do not load the grid"),
	ROW("bounds_method", ENUM, bounds_method, "box of a cell to which distances are measured",
		.names = bounds_names),
	ROW("priority", INTEGER, priority, "priority of the cells; lowest first"),
	ROW("color", COLOR, color, "colour on maps"),
	ROW("hlod_layers", TEXTS, hlod_layers, "HLOD layers of an HLOD setup"),
	ROW("spatial", BOOL, spatial, "the cells of an HLOD setup stream by distance"),
	ROW("assumed", BOOL, assumed, "the settings of the grid could not be read"),
};
#undef TABLE
const struct cs_json_table cs_json_partition = TABLE_OF("partition", partition_fields);

#define TABLE cs_source_grid
static const struct cs_json_field grid_fields[] = {
	ROW("name", TEXT, name, "name of the grid"),
	ROW("hlod_layer", TEXT, hlod_layer, "HLOD layer of the grid"),
	ROW("cell_size", NUMBER, cell_size, "side of a cell of level 0, cm"),
	ROW("loading_range", NUMBER, loading_range, "distance at which cells load, cm"),
	ROW("origin_x", NUMBER, origin_x, "X of the origin of the grid, cm"),
	ROW("origin_y", NUMBER, origin_y, "Y of the origin of the grid, cm"),
	ROW("block_on_slow", BOOL, block_on_slow, "the game waits when cells of the grid are late"),
	ROW("client_only", BOOL, client_only, "servers do not load the grid"),
	ROW("hlod", BOOL, hlod, "the grid contains HLOD actors"),
	ROW("priority", INTEGER, priority, "priority of the cells; lowest first"),
	ROW("color", COLOR, color, "colour on maps"),
	ROW("assumed", BOOL, assumed, "the loading range of the grid could not be read"),
};
#undef TABLE
const struct cs_json_table cs_json_grid = TABLE_OF("grid", grid_fields);

#define TABLE cs_world_settings
static const struct cs_json_field settings_fields[] = {
	ROW("name", TEXT, name, "short name of the map, the prefix of cell names"),
	ROW("engine", TEXT, engine, "engine version that saved the world"),
	ROW("profile", TEXT, profile, "engine profile whose rules apply"),
	ROW("source", TEXT, source, "what wrote the world: json, uproject, log or cooked"),
	ROW("streaming", BOOL, streaming, "the world streams"),
	ROW("default_hlod_layer", TEXT, default_hlod_layer,
		"HLOD layer of actors that set no HLOD layer"),
	ROW("hash", ENUM, hash_class,
		"hash whose grids the world has: partitions, grids, or as the profile says",
		.names = hash_names),
	ROW("layers_operator", ENUM, layers_operator,
		"rule by which several data layers of a cell combine",
		.names = cs_layers_operator_names),
	ROW("server_streaming", ENUM, server_streaming, "servers stream cells in",
		.names = cs_server_mode_names),
	ROW("server_streaming_out", ENUM, server_streaming_out, "servers stream cells out",
		.names = cs_server_mode_names),
	ROW("use_aligned_grid_levels", ENUM, aligned,
		"edges of cells of a level lie on edges of cells of the level below; profile, the "
		"default of the next three too: as in a new map of that engine",
		.names = option_names),
	ROW("snap_non_aligned_grid_levels", ENUM, snap,
		"levels that are not aligned snap to the level below", .names = option_names),
	ROW("place_small_actors_using_location", ENUM, small_by_location,
		"actors smaller than a cell are placed by location", .names = option_names),
	ROW("place_partition_actors_using_location", ENUM, partition_by_location,
		"partition actors are placed by location", .names = option_names),
	ROW("z_culling", ENUM, z_culling, "streaming tests height too", .names = option_names),
	ROW("world_references", GUIDS, world_references, "actors that the level script references"),
};
#undef TABLE
const struct cs_json_table cs_json_settings = TABLE_OF("settings", settings_fields);

static const struct {
	const struct cs_json_table *table;
	const char *doc;
} objects[] = {
	{&cs_json_settings, "The settings of the document."},
	{&cs_json_container, "An element of containers in the document: a level. Its world is an "
			     "object with the settings, layers, hlod_layers, partitions and grids "
			     "of the standalone level; without it, those of the document apply."},
	{&cs_json_layer, "An element of layers in the document: an instance of a data layer."},
	{&cs_json_hlod_layer, "An element of hlod_layers in the document."},
	{&cs_json_partition, "An element of partitions in the document: a grid of a runtime hash "
			     "set. Its hlod_setups is a list of such objects."},
	{&cs_json_grid, "An element of grids in the document: a grid of a spatial hash."},
	{&cs_json_actor,
		"An actor. Its level_instance and hlod are objects of their own; container is "
		"the package of the level that contains the actor."},
	{&cs_json_level_instance, "The member level_instance of an actor."},
	{&cs_json_hlod, "The member hlod of an HLOD actor."},
};

struct cs_json_key cs_world_json_key(size_t object, size_t index)
{
	struct cs_json_key key = {NULL};
	if (object >= sizeof(objects) / sizeof(objects[0]))
		return key;
	const struct cs_json_table *table = objects[object].table;
	key.object = table->what;
	key.object_doc = objects[object].doc;
	if (index < table->n) {
		const struct cs_json_field *field = &table->fields[index];
		key.key = field->key;
		key.kind = cs_json_kinds[field->kind].name;
		key.doc = field->doc;
		key.names = field->names;
	}
	return key;
}
