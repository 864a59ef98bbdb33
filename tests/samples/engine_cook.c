/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: cooks of maps as packages: which exports a map and its cells have, ue-cooked rules 7. */
#include "tests/samples/engine_cook.h"

#include "core/identity.h"
#include "tests/samples/engine_container.h"
#include "ue/container/hash.h"
#include "ue/map/recipes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static const char *short_of(const char *package)
{
	const char *slash = strrchr(package, '/');
	return slash ? slash + 1 : package;
}

void engine_actor_guid(const char *name, char ret[33])
{
	uint64_t high = cs_city_hash64(name, strlen(name)),
		 low = cs_ue_path_hash(name, strlen(name));
	snprintf(ret, 33, "%016llX%016llX", (unsigned long long)high, (unsigned long long)low);
}

/* ---- exports ---- */

/* A package that is being made, and the paths of its exports. */
struct making {
	json_t *exports;
	const struct engine_form *form;
	char world[128], level[192], settings[256], partition[320], hash[420], policy[420];
};

static void add(struct making *m, const char *name, const char *class_name, const char *outer,
	json_t *props, json_t *tail)
{
	char class_path[256];
	snprintf(class_path, sizeof(class_path), "%s%s",
		*class_name == '/' ? "" : "/Script/Engine.", class_name);
	json_array_append_new(
		m->exports, json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", name, "cls", class_path,
				    "outer", outer, "props", props ? props : json_object(), "tail",
				    tail ? tail : json_object()));
}

static json_t *actor_tail(const char *name, const char *label)
{
	char guid[33];
	engine_actor_guid(name, guid);
	return json_pack("{s:s, s:s}", "ActorLabel", label, "ActorGuid", guid);
}

static json_t *copy_of(const json_t *object, const char *key)
{
	return json_deep_copy(json_object_get(object, key));
}

/* Adds an actor with a root component at a place. */
static void add_mesh_actor(struct making *m, const char *name, const double at[3])
{
	char root[400], outer[320];
	snprintf(outer, sizeof(outer), "%s.%.120s", m->level, name);
	snprintf(root, sizeof(root), "%s.StaticMeshComponent0", outer);
	add(m, name, "StaticMeshActor", m->level,
		json_pack("{s:s, s:s}", "StaticMeshComponent", root, "RootComponent", root),
		actor_tail(name, name));
	add(m, "StaticMeshComponent0", "StaticMeshComponent", outer,
		json_pack("{s:[f,f,f], s:s}", "RelativeLocation", at[0], at[1], at[2], "StaticMesh",
			"/Game/Meshes/SM_House.SM_House"),
		NULL);
}

static void add_actor(struct making *m, const json_t *cook, const char *name, const double at[3])
{
	const json_t *hlod;
	size_t i;
	json_array_foreach (json_object_get(cook, "hlods"), i, hlod) {
		if (strcmp(json_string_value(json_array_get(hlod, 0)), name) != 0)
			continue;
		json_t *guid = json_incref(json_array_get(hlod, 2));
		const char *label = json_string_value(json_array_get(hlod, 1));
		json_t *props = json_pack("{s:i, s:o}", "LODLevel", 1, "SourceCellGuid", guid);
		add(m, name, "WorldPartitionHLOD", m->level, props, actor_tail(name, label));
		return;
	}
	if (strcmp(name, "WorldSettings") != 0 && strcmp(name, "WorldDataLayers") != 0)
		add_mesh_actor(m, name, at);
}

/*
 * Adds the objects with which a map and each of its cells begin: world, level, model and settings.
 */
static void begin(struct making *m, const char *world, const struct engine_form *form)
{
	json_t *zeroes = json_array();
	*m = (struct making){.exports = json_array(), .form = form};
	snprintf(m->world, sizeof(m->world), "%s", world);
	snprintf(m->level, sizeof(m->level), "%s.PersistentLevel", m->world);
	snprintf(m->settings, sizeof(m->settings), "%s.WorldSettings", m->level);
	snprintf(m->partition, sizeof(m->partition), "%s.WorldPartition_0", m->settings);
	add(m, world, "World", "", NULL, json_pack("{s:s}", "PersistentLevel", m->level));
	for (int i = 0; i < 134; i++)
		json_array_append_new(zeroes, json_integer(0));
	add(m, "Model_0", "Model", m->level, NULL, NULL);
	json_object_set_new(json_array_get(m->exports, 1), "bytes", zeroes);
}

/* Adds the level, which comes last because it lists the actors that were added below it. */
static void add_level(struct making *m, json_t *props)
{
	json_t *actors = json_pack("[s, n]", m->settings), *export;
	size_t i;
	char path[400];
	json_array_foreach (m->exports, i, export) {
		const char *name = text_of(export, "name");
		if (strcmp(text_of(export, "outer"), m->level) != 0 ||
			strcmp(name, "Model_0") == 0 || strcmp(name, "WorldSettings") == 0)
			continue;
		snprintf(path, sizeof(path), "%s.%.180s", m->level, name);
		json_array_append_new(actors, json_string(path));
	}
	snprintf(path, sizeof(path), "%s.Model_0", m->level);
	json_object_set_new(props, "Model", json_string(path));
	json_object_set_new(props, "WorldSettings", json_string(m->settings));
	add(m, "PersistentLevel", "Level", m->world, props,
		json_pack("{s:o, s:s}", "Actors", actors, "Model", path));
}

/* ---- cells of a map ---- */

static json_t *box_of(const json_t *object, const char *min, const char *max)
{
	return json_pack("{s:o, s:o, s:b}", "min", copy_of(object, min), "max",
		copy_of(object, max), "valid", true);
}

static void cell_package(const json_t *cook, const json_t *cell, char ret[512])
{
	const char *given = text_of(cell, "package");
	snprintf(ret, 512, "%s/_Generated_/%s", text_of(cook, "map"),
		*given ? given : text_of(cell, "short"));
}

static void add_streaming(struct making *m, const json_t *cook, const json_t *cell)
{
	char name[256], asset[640], path[640], package[512], streamed[700];
	cell_package(cook, cell, package);
	snprintf(name, sizeof(name), "WorldPartitionLevelStreaming_%s", text_of(cell, "short"));
	snprintf(asset, sizeof(asset), "%s.%s", package, m->world);
	snprintf(path, sizeof(path), "%s.%s", m->hash, text_of(cell, "short"));
	snprintf(streamed, sizeof(streamed), "%s.%s:PersistentLevel.WorldSettings.WorldPartition_0",
		text_of(cook, "map"), m->world);
	add(m, name, "WorldPartitionLevelStreamingDynamic", m->world,
		json_pack("{s:s, s:s, s:s, s:s}", "StreamingCell", path, "OuterWorldPartition",
			m->form->release == CS_UE_5_1 ? m->partition : streamed, "WorldAsset",
			asset, "PackageNameToLoad", package),
		NULL);
}

static json_t *old_cell(const json_t *cook, const json_t *cell)
{
	const char *grid = text_of(json_object_get(cook, "grid"), "GridName");
	return json_pack("{s:o, s:o, s:o, s:o, s:{s:s, s:s, s:o, s:o, s:o}}", "ContentBounds",
		box_of(cell, "content_min", "content_max"), "Position", copy_of(cell, "position"),
		"Extent", copy_of(cell, "extent"), "Level", copy_of(cell, "level"), "DebugInfo",
		"Name", text_of(cell, "name"), "GridName", grid, "CoordX", copy_of(cell, "x"),
		"CoordY", copy_of(cell, "y"), "CoordZ", copy_of(cell, "level"));
}

static json_t *cell_data(const json_t *cook, const json_t *cell, enum cs_ue_release release)
{
	const char *grid = text_of(json_object_get(cook, "grid"), "GridName");
	bool set = strcmp(text_of(cook, "hash"), "HashSet") == 0;
	json_t *data = json_pack("{s:o, s:s}", "ContentBounds",
		box_of(cell, "content_min", "content_max"), "GridName", grid);
	if (!set) {
		bool lower = release == CS_UE_5_5 || release == CS_UE_5_6;
		json_object_set_new(
			data, lower ? "position" : "Position", copy_of(cell, "position"));
		json_object_set_new(data, "Extent", copy_of(cell, "extent"));
	}
	if (json_integer_value(json_object_get(cell, "level")) != 0)
		json_object_set_new(data, release < CS_UE_5_4 ? "Level" : "HierarchicalLevel",
			copy_of(cell, "level"));
	if (json_object_get(cell, "bounds_min"))
		json_object_set_new(data, "CellBounds", box_of(cell, "bounds_min", "bounds_max"));
	if (set && release >= CS_UE_5_5)
		json_object_set_new(data, "bIs2D", json_true());
	return data;
}

static void add_layers(const json_t *cell, enum cs_ue_release release, json_t *props)
{
	json_t *layers = copy_of(cell, "layers");
	if (!layers)
		return;
	json_object_set_new(props, "DataLayers",
		release < CS_UE_5_4 ? layers : json_pack("{s:o}", "DataLayers", layers));
}

static void add_cell(struct making *m, const json_t *cook, const json_t *cell)
{
	enum cs_ue_release release = m->form->release;
	const char *name = text_of(cell, "short"), *guid = text_of(cell, "guid");
	bool set = strcmp(text_of(cook, "hash"), "HashSet") == 0;
	bool always = json_is_true(json_object_get(cell, "always"));
	char data[700], path[600], streaming[300];
	snprintf(path, sizeof(path), "%s.%.150s", m->hash, name);
	snprintf(data, sizeof(data), "%s.Data_0", path);
	snprintf(streaming, sizeof(streaming), "%s.WorldPartitionLevelStreaming_%.100s", m->world,
		name);
	json_t *props = release < CS_UE_5_3 ? old_cell(cook, cell)
					    : json_pack("{s:s, s:s}", "CellGuid", guid,
						      "RuntimeCellData", data);
	add_layers(cell, release, props);
	if (always)
		json_object_set_new(props, "bIsAlwaysLoaded", json_true());
	else
		json_object_set_new(props, "LevelStreaming", json_string(streaming));
	if (release >= CS_UE_5_6)
		json_object_set_new(props, "bIsSpatiallyLoaded", json_boolean(!always));
	add(m, name, "WorldPartitionRuntimeLevelStreamingCell", m->hash, props, NULL);
	if (release >= CS_UE_5_3)
		add(m, "Data_0",
			set && release >= CS_UE_5_5 ? "WorldPartitionRuntimeCellDataHashSet"
			: set                       ? "WorldPartitionRuntimeCellData"
						    : "WorldPartitionRuntimeCellDataSpatialHash",
			path, cell_data(cook, cell, release),
			json_pack("{s:s}", "DebugName", text_of(cell, "name")));
	if (!always)
		add_streaming(m, cook, cell);
}

/* ---- grids ---- */

static json_t *paths_of(const struct making *m, const json_t *names)
{
	json_t *list = json_array(), *name;
	char path[600];
	size_t i;
	json_array_foreach (names, i, name) {
		snprintf(path, sizeof(path), "%s.%.150s", m->hash, json_string_value(name));
		json_array_append_new(list, json_string(path));
	}
	return list;
}

static json_t *grid_level(const struct making *m, const json_t *pairs)
{
	json_t *cells = json_array(), *keys = json_array(), *pair;
	size_t i;
	json_array_foreach (pairs, i, pair) {
		json_array_append_new(keys, json_pack("[O, i]", json_array_get(pair, 0), (int)i));
		json_array_append_new(cells,
			json_pack("{s:o}", "GridCells", paths_of(m, json_array_get(pair, 1))));
	}
	return json_pack("{s:o, s:o}", "LayerCells", cells, "LayerCellsMapping", keys);
}

static void add_spatial_hash(struct making *m, const json_t *cook)
{
	static const char *const same[] = {"GridName", "Origin", "CellSize", "LoadingRange",
		"bBlockOnSlowStreaming", "DebugColor", "WorldBounds", "bClientOnlyVisible"};
	const json_t *grid = json_object_get(cook, "grid"), *level;
	json_t *levels = json_array(), *to = json_object();
	size_t i;
	json_array_foreach (json_object_get(grid, "levels"), i, level) {
		json_array_append_new(levels, grid_level(m, level));
	}
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		json_object_set_new(to, same[i], copy_of(grid, same[i]));
	json_object_set_new(to, "GridLevels", levels);
	add(m, "WorldPartitionRuntimeSpatialHash_0", "WorldPartitionRuntimeSpatialHash",
		m->partition, json_pack("{s:[o]}", "StreamingGrids", to), NULL);
}

static json_t *cells_where(const struct making *m, const json_t *cook, bool always)
{
	json_t *names = json_array(), *cell;
	size_t i;
	json_array_foreach (json_object_get(cook, "cells"), i, cell) {
		if (json_is_true(json_object_get(cell, "always")) == always)
			json_array_append(names, json_object_get(cell, "short"));
	}
	json_t *paths = paths_of(m, names);
	json_decref(names);
	return paths;
}

static void add_hash_set(struct making *m, const json_t *cook)
{
	const json_t *grid = json_object_get(cook, "grid");
	const char *name = text_of(grid, "GridName");
	bool old = m->form->release == CS_UE_5_4;
	char main[600];
	json_t *range =
		json_integer((json_int_t)json_number_value(json_object_get(grid, "LoadingRange")));
	snprintf(main, sizeof(main), "%s.RuntimePartitionLHGrid_0", m->hash);
	add(m, "RuntimePartitionLHGrid_0", "RuntimePartitionLHGrid", m->hash,
		old ? NULL
		    : json_pack("{s:s, s:O, s:O}", "Name", name, "LoadingRange", range,
			      "DebugColor", json_object_get(grid, "DebugColor")),
		NULL);
	json_t *partition =
		old ? json_object() : json_pack("{s:s, s:s}", "Name", name, "MainLayer", main);
	json_t *data = json_pack("{s:s, s:o, s:o, s:o}", "Name", name, "LoadingRange", range,
		old ? "StreamingCells" : "SpatiallyLoadedCells", cells_where(m, cook, false),
		old ? "NonStreamingCells" : "NonSpatiallyLoadedCells", cells_where(m, cook, true));
	add(m, "WorldPartitionRuntimeHashSet_0", "WorldPartitionRuntimeHashSet", m->partition,
		json_pack("{s:[o], s:[o]}", "RuntimePartitions", partition, "RuntimeStreamingData",
			data),
		NULL);
}

/* ---- the map ---- */

static json_t *remapping(const json_t *cook)
{
	json_t *table = json_array(), *cell, *actor;
	size_t i, k;
	json_array_foreach (json_object_get(cook, "cells"), i, cell) {
		if (json_is_true(json_object_get(cell, "always")))
			continue;
		const json_t *listed = json_object_get(cell, "table");
		json_array_foreach (listed ? listed : json_object_get(cell, "actors"), k, actor) {
			json_array_append_new(
				table, json_pack("[O, O]", actor, json_object_get(cell, "short")));
		}
	}
	return table;
}

static void add_partition(struct making *m, const json_t *cook)
{
	bool set = strcmp(text_of(cook, "hash"), "HashSet") == 0;
	json_t *policy = json_pack("{s:o}", "SubObjectsToCellRemapping", remapping(cook));
	if (m->form->release >= CS_UE_5_3)
		json_object_set_new(policy, "SourceWorldAssetPath",
			json_pack("{s:s, s:s}", "PackageName", text_of(cook, "map"), "AssetName",
				m->world));
	snprintf(m->hash, sizeof(m->hash), "%s.WorldPartitionRuntime%s_0", m->partition,
		set ? "HashSet" : "SpatialHash");
	snprintf(m->policy, sizeof(m->policy), "%s.WorldPartitionLevelStreamingPolicy_0",
		m->partition);
	add(m, "WorldSettings", "WorldSettings", m->level,
		json_pack("{s:s}", "WorldPartition", m->partition),
		actor_tail("WorldSettings", ""));
	add(m, "WorldPartition_0", "WorldPartition", m->settings,
		json_pack("{s:s}", "RuntimeHash", m->hash),
		json_pack("{s:b, s:s}", "bCooked", true, "StreamingPolicy", m->policy));
	add(m, "WorldPartitionLevelStreamingPolicy_0", "WorldPartitionLevelStreamingPolicy",
		m->partition, policy, NULL);
	(set ? add_hash_set : add_spatial_hash)(m, cook);
}

static void add_data_layers(struct making *m, const json_t *cook)
{
	json_t *set = json_array(), *layer;
	char outer[320], path[500], asset[256];
	size_t i;
	snprintf(outer, sizeof(outer), "%s.WorldDataLayers", m->level);
	json_array_foreach (json_object_get(cook, "layers"), i, layer) {
		snprintf(path, sizeof(path), "%s.%.150s", outer, json_string_value(layer));
		snprintf(asset, sizeof(asset), "/Game/Layers/Layer%zu.Layer%zu", i, i);
		json_array_append_new(set, json_string(path));
		json_t *properties = json_pack("{s:s, s:s}", "InitialRuntimeState",
			"EDataLayerRuntimeState::Loaded", "DataLayerAsset", asset);
		const char *parent =
			text_of(json_object_get(cook, "layer_parents"), json_string_value(layer));
		if (*parent) {
			snprintf(path, sizeof(path), "%s.%.150s", outer, parent);
			json_object_set_new(properties, "Parent", json_string(path));
		}
		add(m, json_string_value(layer), "DataLayerInstanceWithAsset", outer, properties,
			NULL);
	}
	add(m, "WorldDataLayers", "WorldDataLayers", m->level,
		json_pack("{s:o}", "DataLayerInstances", set), actor_tail("WorldDataLayers", ""));
}

static json_t *package_of(struct making *m, const char *name, uint32_t flags)
{
	return json_pack("{s:s, s:I, s:o}", "package", name, "flags", (json_int_t)flags, "exports",
		m->exports);
}

json_t *engine_cook_map(const json_t *cook, const struct engine_form *form)
{
	struct making m;
	static const double origin[3];
	json_t *each;
	size_t i;
	begin(&m, short_of(text_of(cook, "map")), form);
	add_partition(&m, cook);
	json_array_foreach (json_object_get(cook, "cells"), i, each) {
		add_cell(&m, cook, each);
	}
	add_data_layers(&m, cook);
	json_array_foreach (json_object_get(cook, "map_actors"), i, each) {
		add_actor(&m, cook, json_string_value(each), origin);
	}
	add_level(&m, json_pack("{s:b}", "bIsPartitioned", true));
	return package_of(&m, text_of(cook, "map"), 0x20000);
}

json_t *engine_cook_cell(const json_t *cook, const json_t *cell, const struct engine_form *form)
{
	struct making m;
	char package[512], back[800];
	double at[3];
	json_t *actor;
	size_t i;
	const bool set = strcmp(text_of(cook, "hash"), "HashSet") == 0;
	const char *given = text_of(cell, "back");
	begin(&m, short_of(text_of(cook, "map")), form);
	add(&m, "WorldSettings", "WorldSettings", m.level, NULL, actor_tail("", ""));
	for (i = 0; i < 3; i++)
		at[i] = json_number_value(json_array_get(json_object_get(cell, "content_min"), i));
	json_array_foreach (json_object_get(cell, "actors"), i, actor) {
		add_actor(&m, cook, json_string_value(actor), at);
	}
	snprintf(back, sizeof(back),
		"%s.%s:PersistentLevel.WorldSettings.WorldPartition_0."
		"WorldPartitionRuntime%s_0.%s",
		text_of(cook, "map"), m.world, set ? "HashSet" : "SpatialHash",
		*given ? given : text_of(cell, "short"));
	add_level(&m, json_pack("{s:s}", "WorldPartitionRuntimeCell", back));
	cell_package(cook, cell, package);
	json_t *made = package_of(&m, package, 0x8020000);
	json_object_set(made, "bulk", json_object_get(cell, "bulk"));
	return made;
}

/* ---- a town ---- */

static void name_cell(const struct engine_town *town, const struct cs_ue_cell_name *place,
	const char *layer, json_t *cell)
{
	char desc[CS_UE_CELL_NAME], unique[CS_UE_CELL_NAME + 64], hash[CS_BASE36_TEXT];
	char guid[CS_GUID_TEXT];
	uint32_t id = layer ? cs_identity_crc(0, layer) : 0;
	cs_ue_desc_name(place, desc);
	if (town->release < CS_UE_5_3) {
		snprintf(unique, sizeof(unique), "%s_DL%X", desc, id);
		json_object_set_new(cell, "name", json_string(desc));
		json_object_set_new(cell, "short", json_string(unique));
		return;
	}
	snprintf(unique, sizeof(unique), id ? "Town_%s_d%X" : "Town_%s", desc, id);
	cs_identity_package(unique, hash);
	const struct cs_identity_set in_set = {
		desc, id, (struct cs_guid){0}, "MainGrid", -1, 12800};
	const struct cs_identity_spatial in_hash = {
		place->grid, place->x, place->y, place->level, id, 0, true, 12800};
	struct cs_guid made =
		town->hash_set ? cs_identity_of_set(&in_set) : cs_identity_of_spatial(&in_hash);
	cs_guid_format(made, guid);
	json_object_set_new(cell, "name", json_string(unique));
	json_object_set_new(cell, "short", json_string(hash));
	json_object_set_new(cell, "guid", json_string(guid));
}

static bool is_aligned(const struct engine_town *town)
{
	return town->aligned || town->release < CS_UE_5_3;
}

/* Returns a cell. In grids that are not aligned, cells are centred on multiples of their size. */
static json_t *town_cell(const struct engine_town *town, int x, int y, const char *layer)
{
	const double size = 12800, flat = 4398046511104.0;
	bool centred = !town->hash_set && !is_aligned(town);
	double left = (x - (centred ? .5 : 0)) * size, low = (y - (centred ? .5 : 0)) * size;
	struct cs_ue_cell_name place = {.grid = "MainGrid",
		.x = x,
		.y = y,
		.level_last = town->hash_set && town->release == CS_UE_5_4};
	char actor[64];
	json_t *cell = json_pack("{s:i, s:i, s:i, s:b, s:[f,f,f], s:f, s:[f,f,f], s:[f,f,f]}",
		"level", 0, "x", x, "y", y, "always", false, "position", left + size / 2,
		low + size / 2, 0.0, "extent", size / 2, "content_min", left + 100, low + 100, 0.0,
		"content_max", left + 6000, low + 5000, 300.0);
	if (town->hash_set) {
		json_object_set_new(cell, "bounds_min", json_pack("[f,f,f]", left, low, -flat));
		json_object_set_new(
			cell, "bounds_max", json_pack("[f,f,f]", left + size, low + size, flat));
	}
	if (layer)
		json_object_set_new(cell, "layers", json_pack("[s]", layer));
	name_cell(town, &place, layer, cell);
	snprintf(actor, sizeof(actor), "House%s_%d_%d", layer ? "Night" : "", x + 100, y + 100);
	json_object_set_new(cell, "actors", json_pack("[s]", actor));
	return cell;
}

static json_t *top_cell(const struct engine_town *town, int level)
{
	const double end = 4398046511104.0;
	struct cs_ue_cell_name place = {.grid = "MainGrid",
		.level = level,
		.persistent = town->hash_set && town->release == CS_UE_5_4};
	if (town->hash_set)
		place.level = -1;
	json_t *cell = json_pack("{s:i, s:i, s:i, s:b, s:[f,f,f], s:f, s:[f,f,f], s:[f,f,f]}",
		"level", town->hash_set ? 0 : level, "x", 0, "y", 0, "always", true, "position",
		0.0, 0.0, 0.0, "extent", 6400.0 * (1 << level), "content_min", -end, -end, -end,
		"content_max", end, end, end);
	name_cell(town, &place, NULL, cell);
	return cell;
}

/*
 * Returns the levels of a grid with keys as the engine counts them: rows of N cells, the middle one
 * of which is 0.
 */
static json_t *town_levels(const struct engine_town *town, const json_t *cells, int levels)
{
	json_t *all = json_array(), *cell;
	int side = (1 << (levels - 1)) + !is_aligned(town);
	size_t i;
	for (int l = 0; l < levels; l++)
		json_array_append_new(all, json_array());
	json_array_foreach (cells, i, cell) {
		int x = (int)json_integer_value(json_object_get(cell, "x"));
		int y = (int)json_integer_value(json_object_get(cell, "y"));
		bool top = json_is_true(json_object_get(cell, "always"));
		int key = top ? 0 : (y + side / 2) * side + x + side / 2;
		json_t *level = json_array_get(all, top ? (size_t)levels - 1 : 0), *pair;
		size_t k, found = SIZE_MAX;
		json_array_foreach (level, k, pair) {
			if (json_integer_value(json_array_get(pair, 0)) == key)
				found = k;
		}
		if (found == SIZE_MAX)
			json_array_append_new(
				level, json_pack("[i, [O]]", key, json_object_get(cell, "short")));
		else
			json_array_append(json_array_get(json_array_get(level, found), 1),
				json_object_get(cell, "short"));
	}
	return all;
}

json_t *engine_cook_town(const struct engine_town *town)
{
	static const char layer[] = "DataLayer_01A6DF4C49FC13A57E668C9631F7EE64";
	json_t *cells = json_array(), *box = NULL;
	int half = town->cells / 2, levels = 2;
	bool centred = !town->hash_set && !is_aligned(town);
	for (int y = -half; y < town->cells - half; y++)
		for (int x = -half; x < town->cells - half; x++)
			json_array_append_new(cells, town_cell(town, x, y, NULL));
	if (town->layers)
		json_array_append_new(cells, town_cell(town, 0, 0, layer));
	while (1 << (levels - 1) < town->cells)
		levels++;
	json_array_append_new(cells, top_cell(town, levels - 1));
	double low = (-half - (centred ? .5 : 0)) * 12800;
	double high = (town->cells - half - 1 - (centred ? .5 : 0)) * 12800;
	box = json_pack("{s:[f,f,f], s:[f,f,f], s:b}", "min", low + 100, low + 100, 0.0, "max",
		high + 6000, high + 5000, 300.0, "valid", true);
	json_t *grid = json_pack("{s:s, s:[f,f,f], s:i, s:f, s:b, s:[f,f,f,f], s:o, s:b, s:o}",
		"GridName", "MainGrid", "Origin", 0.0, 0.0, 0.0, "CellSize", 12800, "LoadingRange",
		25600.0, "bBlockOnSlowStreaming", false, "DebugColor", 0.5, 0.5, 0.5, 1.0,
		"WorldBounds", box, "bClientOnlyVisible", false, "levels",
		town_levels(town, cells, levels));
	json_t *cook = json_pack("{s:s, s:s, s:o, s:[s,s], s:o, s:[]}", "map", "/Game/Maps/Town",
		"hash", town->hash_set ? "HashSet" : "SpatialHash", "grid", grid, "map_actors",
		"Sky", "Sun", "cells", cells, "hlods");
	json_object_set_new(cook, "layers", town->layers ? json_pack("[s]", layer) : json_array());
	return cook;
}

/* ---- to disk ---- */

/* Every package of a cook: the map, then its cells. */
struct packages {
	CS_VEC(struct engine_package) at;
	CS_VEC(char *) paths; /* of each, without ending */
	bool failed;
};

static void add_package(struct packages *p, json_t *package, const struct engine_form *form)
{
	struct engine_package one;
	char path[700];
	/* "/Game/X" lies in Town/Content */
	snprintf(path, sizeof(path), "Town/Content/%s", text_of(package, "package") + 6);
	p->failed |= !engine_package_write(package, form, &one) || !cs_vec_push(&p->at, one) ||
		     !cs_vec_push(&p->paths, strdup(path));
	json_decref(package);
}

static void write_packages(const json_t *cook, const struct engine_form *form, struct packages *p)
{
	json_t *cell;
	size_t i;
	add_package(p, engine_cook_map(cook, form), form);
	json_array_foreach (json_object_get(cook, "cells"), i, cell) {
		if (!json_is_true(json_object_get(cell, "always")) &&
			!json_is_true(json_object_get(cell, "no_package")))
			add_package(p, engine_cook_cell(cook, cell, form), form);
	}
}

static void free_packages(struct packages *p)
{
	for (size_t i = 0; i < p->at.n; i++)
		engine_package_deinit(&p->at.at[i]);
	for (size_t i = 0; i < p->paths.n; i++)
		free(p->paths.at[i]);
	cs_vec_free(&p->at);
	cs_vec_free(&p->paths);
}

static void make_folders(const char *path)
{
	char part[4096];
	for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdir(part, 0777);
	}
}

static bool save(
	const char *folder, const char *stem, const char *ending, const struct cs_writer *bytes)
{
	char path[4096], name[1024];
	snprintf(path, sizeof(path), "%s/%s%s", folder, stem, ending);
	snprintf(name, sizeof(name), "%s%s", stem, ending);
	make_folders(path);
	return bytes->size == 0 || engine_save_bytes(bytes->bytes, bytes->size, folder, name);
}

bool engine_cook_save(const json_t *cook, const struct engine_form *form, const char *folder)
{
	struct packages p = {.failed = false};
	write_packages(cook, form, &p);
	for (size_t i = 0; i < p.at.n && !p.failed; i++)
		p.failed |= !save(folder, p.paths.at[i], ".umap", &p.at.at[i].header) ||
			    !save(folder, p.paths.at[i], ".uexp", &p.at.at[i].exports);
	free_packages(&p);
	return !p.failed;
}

static void add_file(
	struct engine_file *to, const char *stem, const char *ending, const struct cs_writer *bytes)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s%s", stem + strlen("Town/"), ending);
	const char *map = strstr(stem, "Content/") + strlen("Content/");
	char package[1024];
	snprintf(package, sizeof(package), "/Game/%s", map);
	*to = (struct engine_file){.path = strdup(path),
		.bytes = bytes->bytes,
		.size = bytes->size,
		.id = cs_ue_path_hash(package, strlen(package)),
		.type = CS_UE_CHUNK_PACKAGE};
}

bool engine_cook_pack(
	const json_t *cook, const struct engine_form *form, bool pak, const char *folder)
{
	struct packages p = {.failed = false};
	const struct engine_container container = {.version = pak ? 11 : 8,
		.method = CS_UE_ZLIB,
		.block_size = 65536,
		.mount = "../../../Town/",
		.id = 7};
	write_packages(cook, form, &p);
	struct engine_file *files = calloc(2 * p.at.n + 1, sizeof(*files));
	size_t n = 0;
	for (size_t i = 0; i < p.at.n; i++) {
		add_file(&files[n++], p.paths.at[i], ".umap", &p.at.at[i].header);
		if (p.at.at[i].exports.size)
			add_file(&files[n++], p.paths.at[i], ".uexp", &p.at.at[i].exports);
	}
	bool good = !p.failed && (pak ? engine_pak_save : engine_utoc_save)(
					 &container, files, n, folder, "Town");
	for (size_t i = 0; i < n; i++)
		free((char *)(uintptr_t)files[i].path);
	free(files);
	free_packages(&p);
	return good;
}
