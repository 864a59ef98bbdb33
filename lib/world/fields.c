/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the keys of the JSON form. Keys of actors are those of other public tools where known. */
#include "world/fields.h"

#define ROW(name, type, member, ...) \
	{.key = name, .kind = CS_JSON_##type, .offset = offsetof(struct TABLE, member), __VA_ARGS__}
#define TABLE_OF(title, rows) {.what = title, .fields = rows, .n = sizeof(rows) / sizeof((rows)[0])}

static const char *const saved_names[] = {"saved", "saved_only", "unsaved_only", NULL};
static const char *const behavior_names[] = {"none", "partitioned|embedded", "standalone", NULL};
static const char *const container_names[] = {
	"base", "external_layer", "content_bundle", "level", NULL};
static const char *const layer_type_names[] = {"runtime", "editor", NULL};
static const char *const filter_names[] = {"none", "client_only", "server_only", NULL};
static const char *const state_names[] = {"unloaded", "loaded", "activated", NULL};
static const char *const class_names[] = {
	"lhgrid", "persistent", "level_streaming", "spatial_grid", NULL};
static const char *const bounds_names[] = {
	"default", "content", "cell", "min_content_cell", NULL};
static const char *const hash_names[] = {"hash_set", "spatial_hash", "profile", NULL};
static const char *const operator_names[] = {"or", "and", NULL};
static const char *const option_names[] = {"off", "on", "project", NULL};
static const char *const server_names[] = {
	"project_default", "disabled", "enabled", "enabled_in_pie", NULL};
/* the bits of CS_DEFAULT_, with the short names that some tools print */
static const char *const default_names[] = {"spatial", "grid", "editor_only|editoronly",
	"runtime_only", "layers|dl", "hlod_relevant|hlodrel", "hlod_layer|hlod",
	"main_world_only", "tags", "label", "content_bundle", "listed", "external_layer", NULL};

#define TABLE cs_actor
static const struct cs_json_field actor_fields[] = {
	ROW("name", TEXT, name),
	ROW("label", TEXT, label),
	ROW("class", TEXT, base_class),
	ROW("native_class", TEXT, native_class),
	ROW("guid", GUID, guid),
	ROW("package", TEXT, package),
	ROW("path", TEXT, path),
	ROW("engine", TEXT, engine),
	ROW("bounds_min", VEC3, bounds.min),
	ROW("bounds_max", VEC3, bounds.max),
	ROW("editor_bounds_min", VEC3, editor_bounds.min),
	ROW("editor_bounds_max", VEC3, editor_bounds.max),
	ROW("transform", TRANSFORM, transform),
	ROW("grid", TEXT, grid),
	ROW("spatially_loaded", FLAG, flags, .bit = CS_ACTOR_OWN_SPATIAL),
	ROW("editor_only", FLAG, flags, .bit = CS_ACTOR_EDITOR_ONLY),
	ROW("runtime_only", FLAG, flags, .bit = CS_ACTOR_RUNTIME_ONLY),
	ROW("main_world_only", FLAG, flags, .bit = CS_ACTOR_MAIN_WORLD_ONLY),
	ROW("data_layers", TEXTS, layers),
	ROW("external_data_layer", TEXT, external_layer),
	ROW("content_bundle", GUID, content_bundle),
	ROW("references", GUIDS, references),
	ROW("editor_only_references", GUIDS, editor_references),
	ROW("tags", TEXTS, tags),
	ROW("properties", TEXTS, properties),
	ROW("parent", GUID, parent),
	ROW("folder", TEXT, folder),
	ROW("folder_guid", GUID, folder_guid),
	ROW("hlod_relevant", FLAG, flags, .bit = CS_ACTOR_HLOD_RELEVANT),
	ROW("hlod_layer", TEXT, hlod_layer),
	ROW("needs_resave", FLAG, flags, .bit = CS_ACTOR_NEEDS_RESAVE),
	ROW("from_class_default", NAMES, defaults, .names = default_names),
	ROW("assumed", NAMES, assumed, .names = default_names),
	ROW("saved", ENUM, saved, .names = saved_names),
};
#undef TABLE
const struct cs_json_table cs_json_actor = TABLE_OF("actor", actor_fields);

#define TABLE cs_level_instance
static const struct cs_json_field level_instance_fields[] = {
	ROW("level", TEXT, level),
	ROW("behavior", ENUM, behavior, .names = behavior_names),
	ROW("filter", TEXTS, filter),
};
#undef TABLE
const struct cs_json_table cs_json_level_instance =
	TABLE_OF("level_instance", level_instance_fields);

#define TABLE cs_hlod_actor
static const struct cs_json_field hlod_fields[] = {
	ROW("source_cell", GUID, source_cell),
	ROW("source_cell_name", TEXT, source_cell_name),
	ROW("layer", TEXT, layer),
	ROW("min_visible_distance", NUMBER, min_visible_distance),
	ROW("mesh", TEXT, mesh),
	ROW("mesh_bytes", NUMBER, mesh_bytes),
	ROW("sources", GUIDS, sources),
};
#undef TABLE
const struct cs_json_table cs_json_hlod = TABLE_OF("hlod", hlod_fields);

#define TABLE cs_source_container
static const struct cs_json_field container_fields[] = {
	ROW("package", TEXT, package),
	ROW("kind", ENUM, kind, .names = container_names),
	ROW("external_actors", BOOL, external_actors),
	ROW("missing", BOOL, missing),
	ROW("content_bundle", GUID, content_bundle),
	ROW("external_data_layer", TEXT, external_layer),
};
#undef TABLE
const struct cs_json_table cs_json_container = TABLE_OF("container", container_fields);

#define TABLE cs_source_layer
static const struct cs_json_field layer_fields[] = {
	ROW("name", TEXT, name),
	ROW("label", TEXT, label),
	ROW("asset", TEXT, asset),
	ROW("parent", TEXT, parent),
	ROW("type", ENUM, type, .names = layer_type_names),
	ROW("filter", ENUM, filter, .names = filter_names),
	ROW("initial", ENUM, initial, .names = state_names),
	ROW("priority", INTEGER, priority),
	ROW("color", COLOR, color),
	ROW("external", BOOL, external),
};
#undef TABLE
const struct cs_json_table cs_json_layer = TABLE_OF("layer", layer_fields);

#define TABLE cs_source_hlod_layer
static const struct cs_json_field hlod_layer_fields[] = {
	ROW("path", TEXT, path),
	ROW("parent", TEXT, parent),
	ROW("spatial", BOOL, spatial),
	ROW("cell_size", NUMBER, cell_size),
	ROW("loading_range", NUMBER, loading_range),
	ROW("assumed", BOOL, assumed),
};
#undef TABLE
const struct cs_json_table cs_json_hlod_layer = TABLE_OF("hlod_layer", hlod_layer_fields);

#define TABLE cs_source_partition
static const struct cs_json_field partition_fields[] = {
	ROW("name", TEXT, name),
	ROW("class", ENUM, partition_class, .names = class_names),
	ROW("cell_size", NUMBER, cell_size),
	ROW("loading_range", NUMBER, loading_range),
	ROW("origin", VEC3, origin),
	ROW("is_2d", BOOL, is_2d),
	ROW("block_on_slow", BOOL, block_on_slow),
	ROW("client_only", BOOL, client_only),
	ROW("bounds_method", ENUM, bounds_method, .names = bounds_names),
	ROW("priority", INTEGER, priority),
	ROW("color", COLOR, color),
	ROW("hlod_layers", TEXTS, hlod_layers),
	ROW("spatial", BOOL, spatial),
	ROW("assumed", BOOL, assumed),
};
#undef TABLE
const struct cs_json_table cs_json_partition = TABLE_OF("partition", partition_fields);

#define TABLE cs_source_grid
static const struct cs_json_field grid_fields[] = {
	ROW("name", TEXT, name),
	ROW("hlod_layer", TEXT, hlod_layer),
	ROW("cell_size", NUMBER, cell_size),
	ROW("loading_range", NUMBER, loading_range),
	ROW("origin_x", NUMBER, origin_x),
	ROW("origin_y", NUMBER, origin_y),
	ROW("block_on_slow", BOOL, block_on_slow),
	ROW("client_only", BOOL, client_only),
	ROW("hlod", BOOL, hlod),
	ROW("priority", INTEGER, priority),
	ROW("color", COLOR, color),
};
#undef TABLE
const struct cs_json_table cs_json_grid = TABLE_OF("grid", grid_fields);

#define TABLE cs_world_settings
static const struct cs_json_field settings_fields[] = {
	ROW("name", TEXT, name),
	ROW("engine", TEXT, engine),
	ROW("profile", TEXT, profile),
	ROW("source", TEXT, source),
	ROW("streaming", BOOL, streaming),
	ROW("default_hlod_layer", TEXT, default_hlod_layer),
	ROW("hash", ENUM, hash_class, .names = hash_names),
	ROW("layers_operator", ENUM, layers_operator, .names = operator_names),
	ROW("server_streaming", ENUM, server_streaming, .names = server_names),
	ROW("server_streaming_out", ENUM, server_streaming_out, .names = server_names),
	ROW("use_aligned_grid_levels", ENUM, aligned, .names = option_names),
	ROW("snap_non_aligned_grid_levels", ENUM, snap, .names = option_names),
	ROW("place_small_actors_using_location", ENUM, small_by_location, .names = option_names),
	ROW("place_partition_actors_using_location", ENUM, partition_by_location,
		.names = option_names),
	ROW("z_culling", ENUM, z_culling, .names = option_names),
	ROW("world_references", GUIDS, world_references),
};
#undef TABLE
const struct cs_json_table cs_json_settings = TABLE_OF("settings", settings_fields);
