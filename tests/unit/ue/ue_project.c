/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real project of UE 5.6 against what an independent reader and the engine itself say of it:
 * every field of its 147 actors, its settings, and the source actors of its HLODs.
 */
#include "core/guid.h"
#include "tests/unit/ue/ue_world.h"
#include "world/world_internal.h"
#include <cellscope/cooked_values.h>

#include <jansson.h>

static const char *data;

static const char *in_data(const char *name)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/ue/%s", data, name);
	return path;
}

/* ---- the independent reader's answers ---- */

static const char *text_of(json_t *row, const char *key)
{
	json_t *value = json_object_get(row, key);
	return json_is_string(value) ? json_string_value(value) : "";
}

static void check_text(json_t *row, const char *key, const char *got)
{
	if (strcmp(text_of(row, key), got) != 0)
		differs("%s: %s: '%s', want '%s'", text_of(row, "name"), key, got,
			text_of(row, key));
}

static void check_number(json_t *row, const char *key, json_t *want, double got)
{
	if (!(fabs(json_number_value(want) - got) <= 0.01))
		differs("%s: %s: %g, want %g", text_of(row, "name"), key, got,
			json_number_value(want));
}

static void check_vector(json_t *row, const char *key, json_t *want, struct cs_vec3 got)
{
	check_number(row, key, json_array_get(want, 0), got.x);
	check_number(row, key, json_array_get(want, 1), got.y);
	check_number(row, key, json_array_get(want, 2), got.z);
}

static void check_box(
	json_t *row, const char *min_key, const char *max_key, const struct cs_box *got)
{
	json_t *min = json_object_get(row, min_key), *max = json_object_get(row, max_key);
	if (json_is_null(min) == cs_box_valid(got)) {
		differs("%s: %s: valid on one side only", text_of(row, "name"), min_key);
	} else if (!json_is_null(min)) {
		check_vector(row, min_key, min, got->min);
		check_vector(row, max_key, max, got->max);
	}
}

static void check_transform(json_t *row, const struct cs_transform *got)
{
	json_t *want = json_object_get(row, "transform");
	json_t *turn = json_object_get(want, "rot");
	const double q[4] = {got->rotation.x, got->rotation.y, got->rotation.z, got->rotation.w};
	for (size_t i = 0; i < 4; i++)
		check_number(row, "rotation", json_array_get(turn, i), q[i]);
	check_vector(row, "position", json_object_get(want, "pos"), got->translation);
	check_vector(row, "scale", json_object_get(want, "scale"), got->scale);
}

static void check_texts(
	json_t *row, const char *key, const struct cs_world *world, struct cs_range got)
{
	json_t *want = json_object_get(row, key);
	if (json_array_size(want) != got.count) {
		differs("%s: %s: %u", text_of(row, "name"), key, got.count);
		return;
	}
	for (uint32_t i = 0; i < got.count; i++)
		if (strcmp(json_string_value(json_array_get(want, i)),
			    cs_world_text(world, world->texts.at[got.first + i])) != 0)
			differs("%s: %s[%u]", text_of(row, "name"), key, i);
}

static void check_guids(
	json_t *row, const char *key, const struct cs_world *world, struct cs_range got)
{
	json_t *want = json_object_get(row, key);
	if (json_array_size(want) != got.count) {
		differs("%s: %s: %u", text_of(row, "name"), key, got.count);
		return;
	}
	for (uint32_t i = 0; i < got.count; i++) {
		char guid[CS_GUID_TEXT];
		cs_guid_format(world->guids.at[got.first + i], guid);
		if (strcmp(json_string_value(json_array_get(want, i)), guid) != 0)
			differs("%s: %s[%u]", text_of(row, "name"), key, i);
	}
}

/* The names that the answers have for our bits. */
static const struct {
	const char *name;
	uint32_t bit;
} default_names[] = {
	{"spatial", CS_DEFAULT_SPATIAL},
	{"grid", CS_DEFAULT_GRID},
	{"editoronly", CS_DEFAULT_EDITOR_ONLY},
	{"dl", CS_DEFAULT_LAYERS},
	{"hlodrel", CS_DEFAULT_HLOD_RELEVANT},
	{"hlod", CS_DEFAULT_HLOD_LAYER},
};

static uint32_t defaults_of(json_t *row)
{
	json_t *list = json_object_get(row, "from_class_default"), *name;
	uint32_t bits = 0;
	size_t i;
	json_array_foreach (list, i, name) {
		for (size_t k = 0; k < sizeof(default_names) / sizeof(default_names[0]); k++)
			if (strcmp(json_string_value(name), default_names[k].name) == 0)
				bits |= default_names[k].bit;
	}
	return bits;
}

static void check_flag(json_t *row, const char *key, uint32_t flags, uint32_t flag)
{
	if (json_is_true(json_object_get(row, key)) != ((flags & flag) != 0))
		differs("%s: %s", text_of(row, "name"), key);
}

/*
 * The file does not store these two where they are as in the class, so the answers guess: every
 * actor HLOD relevant, none for the main world only. The engine's own log (test_log_agrees) says
 * otherwise, and we follow the engine.
 */
static void check_guessed(json_t *row, const struct cs_actor *actor)
{
	if (!(actor->defaults & CS_DEFAULT_HLOD_RELEVANT))
		check_flag(row, "hlod_relevant", actor->flags, CS_ACTOR_HLOD_RELEVANT);
	if (!(actor->defaults & CS_DEFAULT_MAIN_WORLD))
		check_flag(row, "main_world_only", actor->flags, CS_ACTOR_MAIN_WORLD_ONLY);
}

static void check_actor(json_t *row, const struct cs_world *world, uint32_t index)
{
	const struct cs_actor whole = cs_world_actor(world, index), *actor = &whole;
	const uint32_t known = CS_DEFAULT_SPATIAL | CS_DEFAULT_GRID | CS_DEFAULT_EDITOR_ONLY |
			       CS_DEFAULT_LAYERS | CS_DEFAULT_HLOD_RELEVANT | CS_DEFAULT_HLOD_LAYER;
	char parent[CS_GUID_TEXT] = "", package[512];
	const char *content = strstr(text_of(row, "package"), "Content/");
	check_text(row, "name", cs_world_text(world, actor->name));
	check_text(row, "label", cs_world_text(world, actor->label));
	check_text(row, "class",
		cs_world_text(world, actor->base_class ? actor->base_class : actor->native_class));
	check_text(row, "native_class", cs_world_text(world, actor->native_class));
	check_text(row, "engine", cs_world_text(world, actor->engine));
	check_text(row, "grid", cs_world_text(world, actor->grid));
	check_text(row, "folder", cs_world_text(world, actor->folder));
	check_text(row, "hlod_layer", cs_world_text(world, actor->hlod_layer));
	if (!cs_guid_is_zero(actor->parent))
		cs_guid_format(actor->parent, parent);
	check_text(row, "parent", parent);
	snprintf(package, sizeof(package), "/Game/%s", content ? content + 8 : "?");
	*strrchr(package, '.') = '\0';
	if (strcmp(package, cs_world_text(world, actor->package)) != 0)
		differs("%s: package", text_of(row, "name"));
	check_box(row, "bounds_min", "bounds_max", &actor->bounds);
	check_box(row, "editor_bounds_min", "editor_bounds_max", &actor->editor_bounds);
	check_transform(row, &actor->transform);
	check_flag(row, "spatially_loaded", actor->flags, CS_ACTOR_OWN_SPATIAL);
	/* the reader of the answers does not know that this class is in no cook */
	if (!strstr(text_of(row, "native_class"), "WorldPartitionMiniMap"))
		check_flag(row, "editor_only", actor->flags, CS_ACTOR_EDITOR_ONLY);
	check_flag(row, "runtime_only", actor->flags, CS_ACTOR_RUNTIME_ONLY);
	check_guessed(row, actor);
	check_texts(row, "data_layers", world, actor->layers);
	check_texts(row, "tags", world, actor->tags);
	check_guids(row, "references", world, actor->references);
	check_guids(row, "editor_only_references", world, actor->editor_references);
	if ((actor->defaults & known) != defaults_of(row))
		differs("%s: defaults %x, want %x", text_of(row, "name"), actor->defaults & known,
			defaults_of(row));
	if (actor->assumed & ~actor->defaults)
		differs("%s: a stored field is assumed", text_of(row, "name"));
}

static void test_actors(const struct cs_world *world)
{
	FILE *file = fopen(in_data("answers/wpexample56-L_WPExample.jsonl"), "r");
	char *line = NULL;
	size_t room = 0, rows = 0;
	ue_differences = 0;
	while (file && getline(&line, &room, file) > 0) {
		json_t *row = json_loads(line, 0, NULL);
		const char *digits = text_of(row, "guid");
		struct cs_guid guid;
		if (cs_guid_parse(digits, strlen(digits), &guid)) {
			uint32_t index = cs_world_find_actor(world, 0, guid);
			rows++;
			if (index == CS_NONE)
				differs("%s is missing", digits);
			else
				check_actor(row, world, index);
		}
		json_decref(row);
	}
	is_int(rows, 147, "actors: 147 answers");
	is_int(world->actors.n, rows, "actors: and as many actors");
	is_int(ue_differences, 0, "actors: every field as answered");
	free(line);
	if (file)
		fclose(file);
}

/* ---- settings ---- */

static json_t *export_of(json_t *root, const char *class_name)
{
	json_t *exports = json_object_get(root, "exports"), *export;
	size_t i;
	json_array_foreach (exports, i, export)
		if (strcmp(text_of(export, "class"), class_name) == 0)
			return json_object_get(export, "props");
	return NULL;
}

static uint32_t color_of(json_t *props)
{
	json_t *values = json_object_get(props, "DebugColor");
	uint32_t color = 0;
	for (size_t i = 0; i < 3; i++)
		color = color << 8 |
			(uint32_t)lround(json_number_value(json_array_get(values, i)) * 255);
	return color;
}

static void test_settings(const struct cs_world *world)
{
	json_t *root =
		json_load_file(in_data("answers/wpexample56-L_WPExample.settings.json"), 0, NULL);
	json_t *grid = export_of(root, "RuntimePartitionLHGrid");
	json_t *persistent = export_of(root, "RuntimePartitionPersistent");
	json_t *partition = export_of(root, "WorldPartition");
	ok(grid && persistent && partition, "settings: answers");
	is_int(world->partitions.n, 1, "settings: one partition");
	is_int(world->setups.n, 1, "settings: one HLOD setup");
	if (world->partitions.n != 1 || world->setups.n != 1 || !partition)
		return;
	const struct cs_source_partition *main_partition = &world->partitions.at[0];
	const struct cs_source_partition *setup = &world->setups.at[0];
	is_text(cs_world_text(world, main_partition->name), text_of(grid, "Name"),
		"settings: partition name");
	is_double(main_partition->cell_size, json_number_value(json_object_get(grid, "CellSize")),
		"settings: cell size");
	is_double(main_partition->loading_range,
		json_number_value(json_object_get(grid, "LoadingRange")),
		"settings: loading range");
	is_int(main_partition->color, color_of(grid), "settings: colour");
	is_text(cs_world_text(world, setup->name), text_of(persistent, "Name"),
		"settings: setup name");
	is_int(setup->partition_class, CS_PARTITION_PERSISTENT, "settings: setup class");
	is_double(setup->loading_range, 0, "settings: setup range");
	ok(setup->client_only && !setup->spatial && !main_partition->is_2d, "settings: flags");
	is_int(setup->color, color_of(persistent), "settings: setup colour");
	const char *layer = text_of(partition, "DefaultHLODLayer") + 1;
	is_text(cs_world_text(world, world->settings.default_hlod_layer), layer,
		"settings: default HLOD layer");
	is_text(cs_world_text(world, world->texts.at[setup->hlod_layers.first]), layer,
		"settings: HLOD layer of the setup");
	is_text(cs_world_text(world, world->settings.engine), "5.6.1", "settings: engine");
	is_text(cs_world_profile(world), "5.6", "settings: profile");
	is_int(world->settings.hash_class, CS_SOURCE_HASH_SET, "settings: hash set");
	ok(world->settings.streaming, "settings: streaming");
	ok(world->hlod_layers.n >= 1 && !world->hlod_layers.at[0].assumed &&
			!world->hlod_layers.at[0].spatial,
		"settings: the HLOD layer's asset");
	is_int(world->settings.world_references.count, 1, "settings: one world reference");
	is_int(world->unreadable, 0, "settings: every package was readable");
	json_decref(root);
}

/* ---- HLOD actors ---- */

static void check_hlod(json_t *row, const struct cs_world *world)
{
	struct cs_guid guid, cell, source;
	const char *digits = text_of(row, "hlod");
	if (!cs_guid_parse(digits, strlen(digits), &guid))
		return;
	uint32_t index = cs_world_find_actor(world, 0, guid);
	if (index == CS_NONE || cs_world_actor(world, index).hlod == CS_NONE) {
		differs("%s: no HLOD", digits);
		return;
	}
	const struct cs_actor_row *actor = &world->actors.at[index];
	const struct cs_hlod_actor *hlod = &world->hlods.at[cs_actor_more(world, actor)->hlod];
	const char *want = text_of(row, "source_cell");
	if (!cs_guid_parse(want, strlen(want), &cell) ||
		cs_guid_compare(cell, hlod->source_cell) != 0)
		differs("%s: source cell", digits);
	if (hlod->min_visible_distance != json_number_value(json_object_get(row, "min_visible")))
		differs("%s: minimum visible distance", digits);
	if (strcmp(text_of(row, "runtime_grid"), cs_world_text(world, actor->grid)) != 0)
		differs("%s: grid", digits);
	json_t *sources = json_object_get(row, "cells_sub");
	if (json_array_size(sources) != hlod->sources.count)
		differs("%s: %u sources", digits, hlod->sources.count);
	for (uint32_t i = 0; i < hlod->sources.count; i++) {
		want = json_string_value(json_array_get(sources, i));
		if (!want || !cs_guid_parse(want, strlen(want), &source) ||
			cs_guid_compare(source, world->guids.at[hlod->sources.first + i]) != 0)
			differs("%s: source %u", digits, i);
	}
	const char *layer = cs_world_text(world, hlod->layer);
	if (strcmp(layer, "/Engine/OpenWorldTemplate/HLOD/HLOD0_Instancing.HLOD0_Instancing") != 0)
		differs("%s: layer %s", digits, layer);
}

static void test_hlods(const struct cs_world *world)
{
	json_t *root = json_load_file(
		in_data("answers/wpexample56-L_WPExample.hlod_oracle.json"), 0, NULL);
	json_t *row;
	size_t i;
	ue_differences = 0;
	json_array_foreach (root, i, row)
		check_hlod(row, world);
	is_int(json_array_size(root), 64, "HLODs: 64 answers");
	is_int(world->hlods.n, 64, "HLODs: and as many HLOD actors");
	is_int(ue_differences, 0, "HLODs: source cells and source actors as the engine saved them");
	json_decref(root);
}

/* ---- the engine's log of the template that this map was made from ---- */

static void test_log_agrees(const struct cs_world *world)
{
	struct cs_world *log = NULL;
	size_t both = 0;
	const uint32_t flags = CS_ACTOR_OWN_SPATIAL | CS_ACTOR_EDITOR_ONLY | CS_ACTOR_RUNTIME_ONLY |
			       CS_ACTOR_HLOD_RELEVANT | CS_ACTOR_MAIN_WORLD_ONLY;
	works(cs_ue_open_log(in_data("logs/StreamingGeneration-OpenWorld-5.5.log"), NULL, &log),
		"log: read");
	ue_differences = 0;
	for (size_t i = 0; log && i < log->actors.n; i++) {
		const struct cs_actor_row *theirs = &log->actors.at[i];
		uint32_t index = cs_world_find_actor(world, 0, theirs->guid);
		if (index == CS_NONE)
			continue;
		const struct cs_actor_row *ours = &world->actors.at[index];
		const char *name = cs_world_text(world, ours->name);
		both++;
		if ((ours->flags ^ theirs->flags) & flags)
			differs("%s: flags %x and %x", name, ours->flags & flags,
				theirs->flags & flags);
		if (strcmp(cs_world_text(world, ours->grid), cs_world_text(log, theirs->grid)) != 0)
			differs("%s: grid", name);
		if (strcmp(name, cs_world_text(log, theirs->name)) != 0)
			differs("%s: name", name);
	}
	is_int(both, 137, "log: all of its 137 actors are in the project");
	is_int(ue_differences, 0, "log: loading, HLOD relevance and grids as the engine says");
	cs_world_free(log);
}

/* ---- ways to open it ---- */

static void test_ways(const struct cs_world *world)
{
	static const char *const maps[] = {
		"L_WPExample", "l_wpexample", "/Game/Levels/L_WPExample", NULL};
	char folder[4096];
	snprintf(folder, sizeof(folder), "%s", in_data("wpexample56"));
	for (size_t i = 0; i < 4; i++) {
		struct cs_world *again = NULL;
		works(cs_ue_open_project(folder, maps[i], NULL, NULL, &again), "ways: map %s",
			maps[i] ? maps[i] : "not named");
		ok(again && same_worlds(world, again, 0), "ways: the same world");
		cs_world_free(again);
	}
	struct cs_world *none;
	fails(cs_ue_open_project(folder, "Nowhere", NULL, NULL, &none), CS_E_NOMAP,
		"ways: a map that is not there");
	fails(cs_ue_open_project(in_data("answers"), NULL, NULL, NULL, &none), CS_E_PROJECT,
		"ways: a folder without a project");
	struct cs_ue_maps *list = NULL;
	works(cs_ue_list_maps(folder, NULL, &list), "ways: list of maps");
	ok(list && list->n == 1 && list->maps[0].partitioned && list->maps[0].readable &&
			strcmp(list->maps[0].package, "/Game/Levels/L_WPExample") == 0,
		"ways: one partitioned map");
	cs_ue_maps_free(list);
}

static void test_json(const struct cs_world *world)
{
	struct cs_world *again = NULL;
	char path[4096];
	fresh_folder(path, sizeof(path), "ue_project.jsonl");
	works(cs_world_write_json(world, NULL, path), "JSON: written");
	works(cs_world_read_json(path, NULL, &again), "JSON: read");
	ok(again && same_worlds(world, again, 0), "JSON: the same world");
	cs_world_free(again);
	unlink(path);
}

int main(void)
{
	struct cs_world *world = NULL;
	data = shared_data();
	if (!data) {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
		return done();
	}
	works(cs_ue_open_project(
		      in_data("wpexample56/WPExample.uproject"), NULL, NULL, NULL, &world),
		"project: opened");
	if (!world)
		return done();
	test_actors(world);
	test_settings(world);
	test_hlods(world);
	test_log_agrees(world);
	test_ways(world);
	test_json(world);
	cs_world_free(world);
	return done();
}
