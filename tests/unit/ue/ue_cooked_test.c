/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooked packages of the engine against what an independent reader found in them: every field of
 * the World Partition view, and every property of every export; packages without tags against
 * their tagged twins.
 */
#include "ue/map/umap.h"

#include "core/guid.h"
#include "core/identity.h"
#include "tests/samples/tap.h"

#include <jansson.h>

static const char *data;

static struct cs_ue_cooked_package *open_file(const char *name)
{
	char path[4096];
	struct cs_ue_place *place = NULL;
	struct cs_ue_cooked_package *package = NULL;
	size_t file, n;
	snprintf(path, sizeof(path), "%s/ue/cooked/%s", data, name);
	works(cs_ue_place_open(path, NULL, NULL, &place), "%s: opens", name);
	if (!place)
		return NULL;
	cs_ue_place_files(place, &n);
	works(cs_ue_place_find(place, name, &file), "%s: is there", name);
	works(cs_ue_cooked_package_open(place, file, NULL, &package), "%s: is read", name);
	cs_ue_place_close(place);
	return package;
}

static json_t *answer(const char *name, const char *ending)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/ue/answers/cooked/%s%s", data, name, ending);
	return json_load_file(path, 0, NULL);
}

/* ---- to JSON, in the form of the answers ---- */

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static json_t *guid_json(struct cs_guid guid)
{
	char text[CS_GUID_TEXT];
	cs_guid_format(guid, text);
	return json_string(text);
}

static json_t *numbers_json(const double *at, size_t n)
{
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_real(at[i]));
	return list;
}

static json_t *box_json(const double *v, bool valid)
{
	return json_pack("{s:o, s:o, s:b}", "min", numbers_json(v, 3), "max",
		numbers_json(v + 3, 3), "valid", valid);
}

static json_t *node_json(const struct cs_ue_node *node);

static json_t *list_json(const struct cs_ue_node *node)
{
	json_t *list = json_array();
	for (const struct cs_ue_node *at = node->first; at; at = at->next)
		json_array_append_new(list, node_json(at));
	return list;
}

static json_t *map_json(const struct cs_ue_node *node)
{
	json_t *list = json_array();
	for (const struct cs_ue_node *at = node->first; at && at->next; at = at->next->next)
		json_array_append_new(
			list, json_pack("[o, o]", node_json(at), node_json(at->next)));
	return list;
}

static json_t *struct_json(const struct cs_ue_node *node)
{
	json_t *object = json_object();
	for (const struct cs_ue_node *at = node->first; at; at = at->next) {
		json_t *before = json_object_get(object, at->name);
		if (at->index == 0 && !before) {
			bool array = at->next && at->next->index == 1 &&
				     strcmp(at->next->name, at->name) == 0;
			json_t *value = node_json(at);
			json_object_set_new(
				object, at->name, array ? json_pack("[o]", value) : value);
		} else {
			json_array_append_new(before, node_json(at));
		}
	}
	return object;
}

static json_t *node_json(const struct cs_ue_node *node)
{
	switch (node->kind) {
	case CS_UE_NODE_BOOL:
		return json_boolean(node->integer);
	case CS_UE_NODE_INTEGER:
		return json_integer(node->integer);
	case CS_UE_NODE_NUMBER:
		return json_real(node->number);
	case CS_UE_NODE_TEXT:
		return json_string(node->text);
	case CS_UE_NODE_OBJECT:
		return json_string(node->text);
	case CS_UE_NODE_GUID:
		return guid_json(node->guid);
	case CS_UE_NODE_NUMBERS:
		if (node->text && strcmp(node->text, "Color") == 0)
			return json_pack("{s:f, s:f, s:f, s:f}", "b", node->numbers[0], "g",
				node->numbers[1], "r", node->numbers[2], "a", node->numbers[3]);
		return numbers_json(node->numbers, node->n);
	case CS_UE_NODE_BOX:
		return box_json(node->numbers, node->integer);
	case CS_UE_NODE_LIST:
		return list_json(node);
	case CS_UE_NODE_MAP:
		return map_json(node);
	case CS_UE_NODE_STRUCT:
		return struct_json(node);
	default:
		return json_null();
	}
}

/* ---- comparing ---- */

static size_t differences;

/* Compares two JSON values; a whole number may stand for a real one. */
static void compare(const char *place, const json_t *want, const json_t *got)
{
	char below[512];
	if (!got || !want) {
		differences++;
		diag("%s: %s", place, got ? "not in the answer" : "missing");
	} else if (json_is_object(want) && json_is_object(got)) {
		const char *key;
		json_t *value;
		json_object_foreach ((json_t *)want, key, value) {
			snprintf(below, sizeof(below), "%.400s.%.100s", place, key);
			compare(below, value, json_object_get(got, key));
		}
		json_object_foreach ((json_t *)got, key, value) {
			snprintf(below, sizeof(below), "%.400s.%.100s", place, key);
			if (!json_object_get(want, key))
				compare(below, NULL, value);
		}
	} else if (json_is_array(want) && json_is_array(got)) {
		if (json_array_size(want) != json_array_size(got)) {
			differences++;
			diag("%s: %zu of %zu", place, json_array_size(got), json_array_size(want));
		}
		for (size_t i = 0; i < json_array_size(want) && i < json_array_size(got); i++) {
			snprintf(below, sizeof(below), "%.400s[%zu]", place, i);
			compare(below, json_array_get(want, i), json_array_get(got, i));
		}
	} else if (json_is_number(want) && json_is_number(got)) {
		if (json_number_value(want) != json_number_value(got)) {
			differences++;
			diag("%s: %.17g, want %.17g", place, json_number_value(got),
				json_number_value(want));
		}
	} else if (!json_equal((json_t *)want, (json_t *)got)) {
		char *a = json_dumps(got, JSON_ENCODE_ANY), *b = json_dumps(want, JSON_ENCODE_ANY);
		differences++;
		diag("%s: %.200s, want %.200s", place, a, b);
		free(a);
		free(b);
	}
}

/* ---- every export ---- */

static json_t *raw_export(struct cs_ue_decoder *decoder, const struct cs_ue_cooked_export *export)
{
	struct cs_ue_object object;
	const struct cs_ue_cooked_package *p = decoder->package;
	char flags[16];
	works(cs_ue_decode(decoder, export, &object), "%s: decoded", export->path);
	snprintf(flags, sizeof(flags), "%08X", export->flags);
	if (object.problem)
		diag("%s: %s", export->path, object.problem);
	json_t *tail = node_json(object.tail), *label = json_object_get(tail, "ActorLabel");
	if (json_object_get(tail, "ActorGuid") && !label)
		json_object_set_new(tail, "ActorLabel", json_string(""));
	return json_pack("{s:s, s:s, s:o, s:s, s:s, s:I, s:s, s:o, s:o}", "name", export->name,
		"cls", export->class_path, "outer",
		text_or_null(cs_ue_cooked_object(p, export->outer)), "template",
		export->template_path, "path", export->path, "size", (json_int_t) export->size,
		"flags", flags, "props", node_json(object.properties), "tail", tail);
}

static void check_raw(struct cs_ue_cooked_package *package, const char *name, json_t *want)
{
	struct cs_ue_decoder decoder;
	uint32_t fits = 0;
	works(cs_ue_find_release(package, NULL, &fits), "%s: an engine fits", name);
	cs_ue_decoder_init(&decoder, package, package->release, NULL);
	json_t *exports = json_array(), *imports = json_array(), *row;
	size_t i;
	for (uint32_t k = 0; k < package->n_exports; k++)
		json_array_append_new(exports, raw_export(&decoder, &package->exports[k]));
	for (uint32_t k = 0; k < package->n_imports; k++)
		json_array_append_new(imports, text_or_null(package->imports[k]));
	json_array_foreach (json_object_get(want, "exports"), i, row) {
		json_t *tail = json_object_get(row, "tail");
		json_object_del(row, "index");
		json_object_del(row, "unread");
		json_object_del(tail, "URL");
	}
	differences = 0;
	compare("exports", json_object_get(want, "exports"), exports);
	compare("imports", json_object_get(want, "imports"), imports);
	is_int(differences, 0, "%s: every export and import is that of the answer", name);
	json_decref(exports);
	json_decref(imports);
	cs_ue_decoder_deinit(&decoder);
}

/* ---- the view ---- */

static json_t *flag_json(signed char flag)
{
	return flag < 0 ? json_null() : json_boolean(flag);
}

static json_t *maybe_guid(struct cs_guid guid)
{
	return cs_guid_is_zero(guid) ? json_null() : guid_json(guid);
}

static json_t *maybe_box(const struct cs_box *box)
{
	const double v[] = {box->min.x, box->min.y, box->min.z, box->max.x, box->max.y, box->max.z};
	return cs_box_valid(box) ? box_json(v, true) : json_null();
}

static json_t *place_json(const struct cs_ue_map_cell *cell, const char *world)
{
	char id[16];
	const struct cs_ue_cell_name *at = &cell->place;
	if (!cell->has_place)
		return json_null();
	snprintf(id, sizeof(id), "%08X", at->layers_id);
	return json_pack("{s:o, s:s, s:i, s:I, s:I, s:o, s:o, s:n}", "world",
		text_or_null(at->has_world ? world : NULL), "grid", at->grid, "level", at->level,
		"x", (json_int_t)at->x, "y", (json_int_t)at->y, "z",
		at->has_z ? json_integer(at->z) : json_null(), "layers_id",
		at->layers_id ? json_string(id) : json_null(), "bundle");
}

static json_t *cell_json(const struct cs_ue_map_cell *cell, const char *world)
{
	json_t *layers = json_array();
	char id[16];
	uint32_t crc = 0;
	for (uint32_t i = 0; i < cell->n_layers; i++) {
		json_array_append_new(layers, json_string(cell->layers[i]));
		crc = cs_identity_crc(crc, cell->layers[i]);
	}
	snprintf(id, sizeof(id), "%08X", crc);
	char hash[CS_BASE36_TEXT] = "";
	if (cell->debug_name)
		cs_identity_package(cell->debug_name, hash);
	json_t *row = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "name",
		cell->name, "debug_name", text_or_null(cell->debug_name), "guid",
		maybe_guid(cell->guid), "source_cell_guid", maybe_guid(cell->source_guid), "grid",
		text_or_null(cell->grid), "coord", place_json(cell, world), "hierarchical_level",
		cell->hierarchical_level, "priority", cell->priority, "is_2d",
		flag_json(cell->is_2d), "cell_bounds", maybe_box(&cell->cell_bounds),
		"content_bounds", maybe_box(&cell->content));
	json_object_set_new(row, "cls", json_string("WorldPartitionRuntimeLevelStreamingCell"));
	json_object_set_new(row, "position", json_null());
	json_object_set_new(row, "extent", json_null());
	json_object_set_new(row, "always_loaded", json_boolean(cell->always_loaded));
	json_object_set_new(row, "spatially_loaded", flag_json(cell->spatial));
	json_object_set_new(row, "client_only", flag_json(cell->client_only));
	json_object_set_new(row, "is_hlod", flag_json(cell->is_hlod));
	json_object_set_new(row, "block_on_slow", flag_json(cell->block_on_slow));
	json_object_set_new(row, "content_bundle", maybe_guid(cell->bundle));
	json_object_set_new(row, "data_layers", layers);
	json_object_set_new(row, "first_layer_external", json_boolean(cell->first_layer_external));
	json_object_set_new(row, "data_layers_id", crc ? json_string(id) : json_null());
	json_object_set_new(row, "color", numbers_json(cell->colour, 4));
	json_object_set_new(row, "package", text_or_null(cell->package));
	json_object_set_new(row, "world_asset", text_or_null(cell->world_asset));
	json_object_set_new(row, "level_always_loaded", json_boolean(cell->level_always_loaded));
	json_object_set_new(
		row, "name_is_md5_of_debug_name", json_boolean(strcmp(hash, cell->name) == 0));
	return row;
}

static json_t *layer_of(const struct cs_ue_map_partition *p, const char *name)
{
	return json_pack("{s:o, s:s, s:f, s:i, s:o, s:o, s:o, s:i, s:o}", "name",
		text_or_null(name), "cls", p->class_name, "loading_range", p->loading_range,
		"priority", p->priority, "block_on_slow", flag_json(p->block_on_slow),
		"client_only", flag_json(p->client_only), "bounds_method",
		text_or_null(p->bounds_method), "hlod_index", p->hlod_index, "color",
		numbers_json(p->colour, 4));
}

static json_t *partitions_json(const struct cs_ue_map *map)
{
	json_t *list = json_array();
	for (size_t i = 0; i < map->partitions.n; i++) {
		const struct cs_ue_map_partition *main = &map->partitions.at[i];
		if (main->parent || main->is_grid)
			continue;
		json_t *setups = json_array();
		for (size_t k = 0; k < map->partitions.n; k++) {
			const struct cs_ue_map_partition *p = &map->partitions.at[k];
			if (!p->parent || strcmp(p->parent, main->name) != 0)
				continue;
			bool none = strcmp(p->name, "None") == 0;
			json_array_append_new(
				setups, json_pack("{s:s, s:o, s:o}", "name", p->name, "spatial",
						flag_json(p->spatial), "layer",
						layer_of(p, none ? NULL : p->name)));
		}
		json_array_append_new(list,
			json_pack("{s:s, s:n, s:o, s:o}", "name", main->name, "cls", "main_layer",
				layer_of(main, main->name), "hlod_setups", setups));
	}
	return list;
}

static json_t *three_or_null(bool there, const double *at)
{
	return there ? numbers_json(at, 3) : json_null();
}

static json_t *actors_json(const struct cs_ue_map *map)
{
	json_t *list = json_array();
	for (size_t i = 0; i < map->actors.n; i++) {
		const struct cs_ue_map_actor *a = &map->actors.at[i];
		if (strcmp(a->name, "WorldSettings") == 0) { /* the level lists it first */
			json_t *row = json_pack("{s:s, s:s, s:o}", "name", a->name, "cls",
				a->class_path, "guid", guid_json(a->guid));
			json_array_insert_new(list, 0, row);
			continue;
		}
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
				a->name, "cls", a->class_path, "label", text_or_null(a->label),
				"guid", guid_json(a->guid), "instance_guid",
				guid_json(a->instance_guid), "root", text_or_null(a->root),
				"location", three_or_null(a->root, a->location), "rotation",
				three_or_null(a->root, a->rotation), "scale",
				three_or_null(a->root, a->scale), "mesh", text_or_null(a->mesh)));
	}
	return list;
}

static json_t *view_json(const struct cs_ue_map *map)
{
	const struct cs_ue_cooked_package *p = map->package;
	json_t *cells = json_array(), *pairs = json_array(), *layers = json_array();
	char flags[16];
	snprintf(flags, sizeof(flags), "%08X", p->flags);
	for (size_t i = 0; i < map->cells.n; i++)
		json_array_append_new(cells, cell_json(&map->cells.at[i], map->short_name));
	for (size_t i = 0; i < map->remapping.n; i++)
		json_array_append_new(pairs,
			json_pack("[s, s]", map->remapping.at[i].actor, map->remapping.at[i].cell));
	for (size_t i = 0; i < map->layers.n; i++)
		json_array_append_new(
			layers, json_pack("{s:s, s:s, s:o, s:s, s:o}", "instance",
					map->layers.at[i].name, "cls", map->layers.at[i].class_name,
					"asset", text_or_null(map->layers.at[i].asset),
					"initial_state", map->layers.at[i].initial, "parent",
					text_or_null(map->layers.at[i].parent)));
	json_t *view = json_pack("{s:s, s:s, s:b, s:s, s:s, s:b, s:I, s:I, s:I, s:o, s:o}",
		"package", p->name, "format", p->zen ? "zen" : "legacy", "versioned", p->versioned,
		"properties", p->tagged ? "tagged" : "unversioned", "flags", flags,
		"cook_generated", (p->flags & CS_UE_PACKAGE_GENERATED) != 0, "names",
		(json_int_t)p->names.n, "exports", (json_int_t)p->n_exports, "imports",
		(json_int_t)p->n_imports, "data_layers", layers, "actors", actors_json(map));
	json_object_set_new(view, "file_version", json_pack("[i, i]", 522, p->v5));
	json_object_set_new(view, "level",
		json_pack("{s:o, s:b}", "runtime_cell", text_or_null(map->runtime_cell),
			"partitioned", map->partitioned > 0));
	json_object_set_new(view, "cells", cells);
	json_object_set_new(view, "actor_to_cell", pairs);
	json_object_set_new(view, "partitions", partitions_json(map));
	json_object_set_new(view, "world_partition",
		json_pack("{s:o, s:o, s:o, s:o}", "runtime_hash", text_or_null(map->hash_class),
			"cooked", flag_json(map->cooked), "streaming", flag_json(map->streaming),
			"policy", text_or_null(map->policy)));
	return view;
}

/* Removes from the view what the answers have only of maps, or only of levels. */
static void leave_out(const struct cs_ue_map *map, json_t *view)
{
	static const char *const of_maps[] = {
		"world_partition", "partitions", "cells", "actor_to_cell"};
	for (size_t i = 0; i < 4 && !map->is_world_partition; i++)
		json_object_del(view, of_maps[i]);
	if (cs_ue_cooked_export_of_class(map->package, "Level"))
		return;
	json_object_del(view, "level");
	json_object_del(view, "actors");
}

static void check_view(struct cs_ue_cooked_package *package, const char *name, json_t *want)
{
	static const char *const elsewhere[] = {
		"errors", "grids", "data_layer_assets", "streaming_data", "source_world"};
	struct cs_ue_map *map = NULL;
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	works(cs_ue_map_read(package, &options, &map), "%s: its view", name);
	if (!map)
		return;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		json_object_del(want, elsewhere[i]);
	json_object_del(json_object_get(want, "world_partition"), "props");
	size_t i;
	json_t *row;
	json_array_foreach (json_object_get(want, "actors"), i, row) {
		json_object_del(row, "bounds");
		json_object_del(row, "hlod");
		if (strcmp(json_string_value(json_object_get(row, "name")), "WorldSettings") == 0)
			while (json_object_size(row) > 3) {
				const char *key;
				json_t *value;
				json_object_foreach (row, key, value) {
					if (strcmp(key, "name") && strcmp(key, "cls") &&
						strcmp(key, "guid")) {
						json_object_del(row, key);
						break;
					}
				}
			}
	}
	json_array_foreach (json_object_get(want, "data_layers"), i, row)
		json_object_del(row, "children");
	differences = 0;
	json_t *got = view_json(map);
	leave_out(map, got);
	compare("view", want, got);
	is_int(differences, 0, "%s: every field of the view is that of the answer", name);
	json_decref(got);
	cs_ue_map_free(map);
}

static void check_names_alone(const char *name, json_t *want)
{
	struct cs_ue_map *map = NULL;
	const struct cs_ue_map_options options = {.names_alone = true, .release = CS_UE_RELEASES};
	struct cs_ue_cooked_package *package = open_file(name);
	if (!package)
		return;
	works(cs_ue_map_read(package, &options, &map), "%s: names alone", name);
	json_t *recovered = json_object_get(json_object_get(want, "recovered"), "recovered"),
	       *value;
	const char *cell;
	json_object_foreach (recovered, cell, value) {
		const struct cs_ue_map_cell *ours = cs_ue_map_cell_named(map, cell);
		is_text(ours ? ours->debug_name : NULL, json_string_value(value),
			"%s: the hash searched back", cell);
		ok(ours && ours->package && ours->has_place, "%s: its package, from names alone",
			cell);
	}
	cs_ue_map_free(map);
}

static void check_file(const char *name)
{
	json_t *raw = answer(name, ".raw.json"), *view = answer(name, ".json");
	json_t *names = answer(name, ".noschema.json");
	struct cs_ue_cooked_package *package = open_file(name);
	if (package && raw)
		check_raw(package, name, raw);
	cs_ue_cooked_package_close(package);
	package = open_file(name);
	if (package && view)
		check_view(package, name, view);
	if (names && strstr(name, "WorldPartition"))
		check_names_alone(name, names);
	json_decref(raw);
	json_decref(view);
	json_decref(names);
}

/* Reads a legacy package, with header and exports in two files, from a .pak. */
static void check_legacy(const char *engine, const char *mode)
{
	char name[128], pak[4096];
	struct cs_ue_place *place = NULL;
	struct cs_ue_cooked_package *package = NULL;
	size_t file;
	snprintf(name, sizeof(name), "%s-%s-legacy-Empty.umap", engine, mode);
	snprintf(pak, sizeof(pak), "%s/ue/containers/%s/%s/CUE4ParseFixtures-Legacy-%s-Zlib.pak",
		data, engine, mode, mode);
	json_t *all = answer(name, ".json");
	works(cs_ue_place_open(pak, NULL, NULL, &place), "%s: its .pak", name);
	if (!place)
		return;
	works(cs_ue_place_find(place, "Maps/Empty.umap", &file), "%s: is in it", name);
	works(cs_ue_cooked_package_open(place, file, NULL, &package), "%s: is read", name);
	if (package) {
		check_raw(package, name, all);
		check_view(package, name, json_object_get(all, "view"));
	}
	cs_ue_place_close(place);
	json_decref(all);
}

int main(void)
{
	static const char *const files[] = {"UE5_8-Tagged-WorldPartition.umap",
		"UE5_8-Unversioned-WorldPartition.umap",
		"UE5_8-Tagged-1WD4NAK7SVY0JF8AXYPOSA7U8.umap",
		"UE5_8-Unversioned-1WD4NAK7SVY0JF8AXYPOSA7U8.umap",
		"UE5_8-Tagged-DLA_Runtime.uasset", "UE5_8-Unversioned-DLA_Runtime.uasset",
		"UE6_0-Tagged-WorldPartition.umap", "UE6_0-Unversioned-WorldPartition.umap",
		"UE6_0-Tagged-D1R7UA0VD18MKP5K9AR4EIV91.umap",
		"UE6_0-Unversioned-D1R7UA0VD18MKP5K9AR4EIV91.umap",
		"UE6_0-Tagged-DLA_Runtime.uasset", "UE6_0-Unversioned-DLA_Runtime.uasset"};
	data = shared_data();
	if (!data) {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
		return done();
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_file(files[i]);
	check_legacy("UE5_8", "Tagged");
	check_legacy("UE5_8", "Unversioned");
	check_legacy("UE6_0", "Tagged");
	check_legacy("UE6_0", "Unversioned");
	return done();
}
