/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the keys in the JSON form of a world. Actors' keys are named as in other public tools.
 */
#include "world/world_fields.h"
#include "world/world_internal.h"

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
static const char *const layer_type_names[] = {"runtime", "editor", NULL};
static const char *const filter_names[] = {"none", "client_only", "server_only", NULL};
static const char *const class_names[] = {
	"lhgrid", "persistent", "level_streaming", "spatial_grid", NULL};
static const char *const bounds_names[] = {"default", "content", "cell", "min_content_cell", NULL};
static const char *const hash_names[] = {"hash_set", "spatial_hash", "profile", NULL};
static const char *const operator_names[] = {"or", "and", NULL};
static const char *const option_names[] = {"off", "on", "project", NULL};
static const char *const server_names[] = {
	"project_default", "disabled", "enabled", "enabled_in_pie", NULL};
/* Names of the CS_DEFAULT_... bits, with the short names that some tools print after '|'. */
static const char *const default_names[] = {"spatial", "grid", "editor_only|editoronly",
	"runtime_only", "layers|dl", "hlod_relevant|hlodrel", "hlod_layer|hlod", "main_world_only",
	"tags", "label", "content_bundle", "listed", "external_layer", NULL};

#define TABLE cs_actor
static const struct cs_json_field actor_fields[] = {
	ROW("name", TEXT, name, "object name, unique in its level"),
	ROW("label", TEXT, label, "name that people gave it"),
	ROW("class", TEXT, base_class, "path of its Blueprint class, where it has one"),
	ROW("native_class", TEXT, native_class, "path of its native class"),
	ROW("guid", GUID, guid, "required; names the actor in its container"),
	ROW("package", TEXT, package, "its package"),
	ROW("path", TEXT, path, "its object path"),
	ROW("engine", TEXT, engine, "engine version that saved it"),
	ROW("bounds_min", VEC3, bounds.min, "least corner of what is seen at run time, cm"),
	ROW("bounds_max", VEC3, bounds.max, "greatest corner of it"),
	ROW("editor_bounds_min", VEC3, editor_bounds.min, "least corner in the editor"),
	ROW("editor_bounds_max", VEC3, editor_bounds.max, "greatest corner in the editor"),
	ROW("transform", TRANSFORM, transform, "pos [x, y, z], rot [x, y, z, w], scale [x, y, z]"),
	ROW("grid", TEXT, grid, "runtime grid; empty: the default one"),
	ROW("spatially_loaded", FLAG, flags, "it streams by distance", .bit = CS_ACTOR_OWN_SPATIAL),
	ROW("editor_only", FLAG, flags, "it is not cooked", .bit = CS_ACTOR_EDITOR_ONLY),
	ROW("editor_only_in_pie", FLAG, flags, "editor-only, it takes part in play in editor",
		.bit = CS_ACTOR_IN_PIE),
	ROW("runtime_only", FLAG, flags, "it is not in the editor", .bit = CS_ACTOR_RUNTIME_ONLY),
	ROW("unlisted", FLAG, flags, "the editor's outliner does not list it",
		.bit = CS_ACTOR_UNLISTED),
	ROW("main_world_only", FLAG, flags, "dropped in level instances",
		.bit = CS_ACTOR_MAIN_WORLD_ONLY),
	ROW("data_layers", TEXTS, layers, "names or assets of its layers"),
	ROW("external_data_layer", TEXT, external_layer, "asset of its external layer"),
	ROW("content_bundle", GUID, content_bundle,
		"its content bundle, whose container it is in unless it names one"),
	ROW("references", GUIDS, references, "actors that it references"),
	ROW("editor_only_references", GUIDS, editor_references,
		"actors that it references in the editor alone"),
	ROW("tags", TEXTS, tags, "its tags"),
	ROW("properties", TEXTS, properties, "NAME=VALUE of its descriptor"),
	ROW("parent", GUID, parent, "actor that it is attached to"),
	ROW("folder", TEXT, folder, "its folder"),
	ROW("folder_guid", GUID, folder_guid, "the folder itself"),
	ROW("hlod_relevant", FLAG, flags, "HLOD actors take its mesh",
		.bit = CS_ACTOR_HLOD_RELEVANT),
	ROW("hlod_layer", TEXT, hlod_layer, "HLOD layer; empty: the default one"),
	ROW("mesh", TEXT, mesh,
		"what it shows: a mesh beside the file (rocks/a.ply), or an object of the engine"),
	ROW("needs_resave", FLAG, flags, "an older descriptor: validation says so",
		.bit = CS_ACTOR_NEEDS_RESAVE),
	ROW("from_class_default", NAMES, defaults,
		"keys that the file does not say: they come from its class",
		.names = default_names),
	ROW("assumed", NAMES, assumed, "keys that are a guess", .names = default_names),
	ROW("saved", ENUM, saved, "where its state comes from", .names = saved_names),
};
#undef TABLE
const struct cs_json_table cs_json_actor = TABLE_OF("actor", actor_fields);

#define TABLE cs_level_instance
static const struct cs_json_field level_instance_fields[] = {
	ROW("level", TEXT, level, "package of the level"),
	ROW("behavior", ENUM, behavior,
		"embedded into the cook, one actor that loads it, or neither",
		.names = behavior_names),
	ROW("filter", TEXTS, filter, "layer assets whose actors are left out"),
};
#undef TABLE
const struct cs_json_table cs_json_level_instance =
	TABLE_OF("level_instance", level_instance_fields);

#define TABLE cs_hlod_actor
static const struct cs_json_field hlod_fields[] = {
	ROW("source_cell", GUID, source_cell, "cell that it stands for"),
	ROW("source_cell_name", TEXT, source_cell_name, "the name of that cell"),
	ROW("layer", TEXT, layer, "its HLOD layer"),
	ROW("min_visible_distance", NUMBER, min_visible_distance, "it is hidden when nearer, cm"),
	ROW("no_warmup", BOOL, no_warmup, "it shows without being warmed up"),
	ROW("mesh", TEXT, mesh, "file of its proxy mesh"),
	ROW("mesh_bytes", NUMBER, mesh_bytes, "what that costs in memory"),
	ROW("sources", GUIDS, sources, "actors that it was made of"),
};
#undef TABLE
const struct cs_json_table cs_json_hlod = TABLE_OF("hlod", hlod_fields);

#define TABLE cs_source_container
static const struct cs_json_field container_fields[] = {
	ROW("package", TEXT, package, "package of the level"),
	ROW("kind", ENUM, kind, "what it is", .names = container_names),
	ROW("external_actors", BOOL, external_actors, "it is saved one file per actor"),
	ROW("missing", BOOL, missing, "it could not be found"),
	ROW("partitioned", BOOL, partitioned,
		"it has a world partition, by which it streams where it is standalone"),
	ROW("content_bundle", GUID, content_bundle, "its bundle"),
	ROW("external_data_layer", TEXT, external_layer, "asset of its external layer"),
};
#undef TABLE
const struct cs_json_table cs_json_container = TABLE_OF("container", container_fields);

#define TABLE cs_source_layer
static const struct cs_json_field layer_fields[] = {
	ROW("name", TEXT, name, "name of the instance"),
	ROW("label", TEXT, label, "name that people gave it"),
	ROW("asset", TEXT, asset, "path of its asset"),
	ROW("parent", TEXT, parent, "name of the instance above it"),
	ROW("type", ENUM, type, "whether it exists at run time", .names = layer_type_names),
	ROW("filter", ENUM, filter, "who loads it", .names = filter_names),
	ROW("initial", ENUM, initial, "its state at the beginning", .names = cs_layer_state_names),
	ROW("priority", INTEGER, priority, "of its cells; low first"),
	ROW("color", COLOR, color, "on maps"),
	ROW("external", BOOL, external, "its content ships apart"),
};
#undef TABLE
const struct cs_json_table cs_json_layer = TABLE_OF("layer", layer_fields);

#define TABLE cs_source_hlod_layer
static const struct cs_json_field hlod_layer_fields[] = {
	ROW("path", TEXT, path, "path of the asset"),
	ROW("parent", TEXT, parent, "the layer above it"),
	ROW("spatial", BOOL, spatial, "its actors stream by distance"),
	ROW("cell_size", NUMBER, cell_size, "side of its cells, cm"),
	ROW("loading_range", NUMBER, loading_range, "distance at which they load, cm"),
	ROW("proxy_triangles", NUMBER, proxy_triangles,
		"of a proxy mesh, at most; 0: a tenth of what it stands for"),
	ROW("assumed", BOOL, assumed, "the asset could not be read"),
};
#undef TABLE
const struct cs_json_table cs_json_hlod_layer = TABLE_OF("hlod_layer", hlod_layer_fields);

#define TABLE cs_source_partition
static const struct cs_json_field partition_fields[] = {
	ROW("name", TEXT, name, "of the grid"),
	ROW("class", ENUM, partition_class, "how actors are spread over cells",
		.names = class_names),
	ROW("cell_size", NUMBER, cell_size, "side of a cell of level 0, cm"),
	ROW("loading_range", NUMBER, loading_range, "distance at which cells load, cm"),
	ROW("origin", VEC3, origin, "of the grid, cm"),
	ROW("is_2d", BOOL, is_2d, "height does not count"),
	ROW("block_on_slow", BOOL, block_on_slow, "the game waits when its cells are late"),
	ROW("client_only", BOOL, client_only, "servers do not load it"),
	ROW("bounds_method", ENUM, bounds_method, "what the distance is measured to",
		.names = bounds_names),
	ROW("priority", INTEGER, priority, "of its cells; low first"),
	ROW("color", COLOR, color, "on maps"),
	ROW("hlod_layers", TEXTS, hlod_layers, "of an HLOD setup: the layers it takes"),
	ROW("spatial", BOOL, spatial, "of an HLOD setup: its cells stream"),
	ROW("assumed", BOOL, assumed, "its settings could not be read"),
};
#undef TABLE
const struct cs_json_table cs_json_partition = TABLE_OF("partition", partition_fields);

#define TABLE cs_source_grid
static const struct cs_json_field grid_fields[] = {
	ROW("name", TEXT, name, "of the grid"),
	ROW("hlod_layer", TEXT, hlod_layer, "its HLOD layer"),
	ROW("cell_size", NUMBER, cell_size, "side of a cell of level 0, cm"),
	ROW("loading_range", NUMBER, loading_range, "distance at which cells load, cm"),
	ROW("origin_x", NUMBER, origin_x, "of the grid, cm"),
	ROW("origin_y", NUMBER, origin_y, "of the grid, cm"),
	ROW("block_on_slow", BOOL, block_on_slow, "the game waits when its cells are late"),
	ROW("client_only", BOOL, client_only, "servers do not load it"),
	ROW("hlod", BOOL, hlod, "it contains HLOD actors"),
	ROW("priority", INTEGER, priority, "of its cells; low first"),
	ROW("color", COLOR, color, "on maps"),
	ROW("assumed", BOOL, assumed, "its loading range could not be read"),
};
#undef TABLE
const struct cs_json_table cs_json_grid = TABLE_OF("grid", grid_fields);

#define TABLE cs_world_settings
static const struct cs_json_field settings_fields[] = {
	ROW("name", TEXT, name, "short name of the map, the prefix of cell names"),
	ROW("engine", TEXT, engine, "engine version that saved it"),
	ROW("profile", TEXT, profile, "engine whose rules apply"),
	ROW("source", TEXT, source, "what the file was made from"),
	ROW("streaming", BOOL, streaming, "the world streams at all"),
	ROW("default_hlod_layer", TEXT, default_hlod_layer, "HLOD layer of actors that set none"),
	ROW("hash", ENUM, hash_class,
		"grids are those of partitions, of grids, or what the profile has",
		.names = hash_names),
	ROW("layers_operator", ENUM, layers_operator, "how several layers of a cell combine",
		.names = operator_names),
	ROW("server_streaming", ENUM, server_streaming, "servers stream cells in",
		.names = server_names),
	ROW("server_streaming_out", ENUM, server_streaming_out, "servers stream cells out",
		.names = server_names),
	ROW("use_aligned_grid_levels", ENUM, aligned,
		"cells of a level lie on those of the level below", .names = option_names),
	ROW("snap_non_aligned_grid_levels", ENUM, snap,
		"levels that are not aligned snap to the one below", .names = option_names),
	ROW("place_small_actors_using_location", ENUM, small_by_location,
		"actors smaller than a cell go by their position", .names = option_names),
	ROW("place_partition_actors_using_location", ENUM, partition_by_location,
		"partition actors go by their position", .names = option_names),
	ROW("z_culling", ENUM, z_culling, "height counts in streaming", .names = option_names),
	ROW("world_references", GUIDS, world_references, "actors that the level script references"),
};
#undef TABLE
const struct cs_json_table cs_json_settings = TABLE_OF("settings", settings_fields);

/* ---- description of the form ---- */

static const struct {
	const struct cs_json_table *table;
	const char *doc;
} objects[] = {
	{&cs_json_settings, "The settings of the document."},
	{&cs_json_container,
		"An element of containers in the document: a level. Its world is an object with the settings, "
		"layers, hlod_layers, partitions and grids that the level has where it is "
		"standalone; without, those of the document."},
	{&cs_json_layer, "An element of layers in the document: an instance of a data layer."},
	{&cs_json_hlod_layer, "An element of hlod_layers in the document."},
	{&cs_json_partition,
		"An element of partitions in the document, a grid of a runtime hash set; its "
		"hlod_setups is a list of such objects."},
	{&cs_json_grid, "An element of grids in the document, a grid of a spatial hash."},
	{&cs_json_actor, "An actor; level_instance and hlod are objects of their own, "
			 "container is the package of the level it lies in."},
	{&cs_json_level_instance, "The level_instance of an actor."},
	{&cs_json_hlod, "The hlod of an actor that stands for others."},
};

struct cs_json_key cs_world_json_key(size_t object, size_t index)
{
	static const char *const kinds[] = {
		[CS_JSON_TEXT] = "text",
		[CS_JSON_GUID] = "guid",
		[CS_JSON_BOOL] = "bool",
		[CS_JSON_FLAG] = "bool",
		[CS_JSON_ENUM] = "one of",
		[CS_JSON_NUMBER] = "number",
		[CS_JSON_INTEGER] = "integer",
		[CS_JSON_COLOR] = "color",
		[CS_JSON_VEC3] = "vector",
		[CS_JSON_QUAT] = "rotation",
		[CS_JSON_TEXTS] = "texts",
		[CS_JSON_GUIDS] = "guids",
		[CS_JSON_NAMES] = "some of",
		[CS_JSON_TRANSFORM] = "object",
	};
	struct cs_json_key key = {NULL};
	if (object >= sizeof(objects) / sizeof(objects[0]))
		return key;
	const struct cs_json_table *table = objects[object].table;
	key.object = table->what;
	key.object_doc = objects[object].doc;
	if (index < table->n) {
		const struct cs_json_field *field = &table->fields[index];
		key.key = field->key;
		key.kind = kinds[field->kind];
		key.doc = field->doc;
		key.names = field->names;
	}
	return key;
}
