/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recipes of the engine against its own cooks: two complete spatial hashes (mapping keys, names,
 * GUIDs and positions from the grid's settings alone), the GUIDs of a hash set, ids of layers.
 */
#include "ue/map/recipes.h"

#include "cook/placement/grids.h"
#include "core/identity.h"
#include "tests/samples/tap.h"

#include <cellscope/cook.h>

#include <jansson.h>

static const char *data;

static json_t *answer(const char *name)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/ue/answers/%s", data, name);
	return json_load_file(path, 0, NULL);
}

static json_t *cell_of(json_t *cells, const char *name)
{
	size_t i;
	json_t *cell;
	json_array_foreach (cells, i, cell) {
		if (strcmp(json_string_value(json_object_get(cell, "short")), name) == 0)
			return cell;
	}
	return NULL;
}

static double number(json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static double at(const json_t *list, size_t i)
{
	return json_number_value(json_array_get(list, i));
}

struct cook {
	const char *world;
	double cell_size;
	uint32_t levels;
	bool aligned, hashed;
	struct cs_spatial_grid grid; /* as our cook makes it of the settings */
	size_t cells, keys, places, names, guids, forward;
};

static void check_cell(struct cook *cook, json_t *cell, uint32_t level, int64_t key)
{
	struct cs_ue_grid_cell by_key =
		cs_ue_grid_cell_of_key(level, cook->levels, cook->aligned, cook->cell_size, key);
	const char *name = json_string_value(json_object_get(cell, "name"));
	const char *guid = json_string_value(json_object_get(cell, "guid"));
	json_t *position = json_object_get(cell, "position");
	struct cs_ue_cell_name place;
	char hash[CS_BASE36_TEXT], text[CS_GUID_TEXT];
	cook->cells++;
	if (!cs_ue_read_cell_name(name, cook->world, &place))
		return;
	cook->keys += by_key.x == place.x && by_key.y == place.y && place.level == (int32_t)level &&
		      by_key.x == (int64_t)number(cell, "x") &&
		      by_key.y == (int64_t)number(cell, "y");
	/* and from the settings: how many cells a side, so which key the coordinates have */
	int64_t side = cs_spatial_grid_size(&cook->grid, level);
	cook->forward += (place.y + side / 2) * side + place.x + side / 2 == key;
	cook->places += json_number_value(json_array_get(position, 0)) == by_key.centre_x &&
			json_number_value(json_array_get(position, 1)) == by_key.centre_y &&
			number(cell, "extent") == by_key.extent;
	cs_identity_package(name, hash);
	cook->names += strcmp(json_string_value(json_object_get(cell, "short")), hash) == 0;
	cs_guid_format(cs_identity_of_spatial(&(struct cs_identity_spatial){place.grid, place.x,
			       place.y, place.level, 0, 0, true, (int32_t)cook->cell_size}),
		text);
	cook->guids += guid && strcmp(guid, text) == 0;
}

static void check_cook(const char *file, const char *world, bool aligned)
{
	json_t *all = answer(file), *level, *pair;
	json_t *grid = json_object_get(all, "grid"), *levels = json_object_get(grid, "levels");
	struct cook cook = {.world = world,
		.cell_size = number(grid, "CellSize"),
		.levels = (uint32_t)json_array_size(levels),
		.aligned = aligned};
	size_t l, i;
	json_t *bounds = json_object_get(grid, "WorldBounds"),
	       *least = json_object_get(bounds, "min");
	json_t *most = json_object_get(bounds, "max"), *origin = json_object_get(grid, "Origin");
	const struct cs_box box = {{at(least, 0), at(least, 1), at(least, 2)},
		{at(most, 0), at(most, 1), at(most, 2)}};
	cook.grid =
		cs_spatial_grid_make(cook.cell_size, at(origin, 0), at(origin, 1), aligned, &box);
	is_int(cook.grid.levels, cook.levels, "%s: levels follow from the bounds", file);
	json_array_foreach (levels, l, level) {
		json_array_foreach (level, i, pair) {
			const char *name =
				json_string_value(json_array_get(json_array_get(pair, 1), 0));
			check_cell(&cook, cell_of(json_object_get(all, "cells"), name), (uint32_t)l,
				json_integer_value(json_array_get(pair, 0)));
		}
	}
	ok(cook.cells >= 50, "%s: %zu cells", file, cook.cells);
	is_int(cook.keys, cook.cells, "%s: each key is that of the cell's name", file);
	is_int(cook.forward, cook.cells, "%s: each key follows from the settings", file);
	is_int(cook.places, cook.cells, "%s: each position follows from the key", file);
	if (!aligned) {
		is_int(cook.names, cook.cells, "%s: each name hashes to the cell's", file);
		is_int(cook.guids, cook.cells, "%s: each GUID follows from the name", file);
	}
	json_decref(all);
}

static void check_set_guids(void)
{
	json_t *all = answer("hashset_guids.json"), *row;
	size_t i, right = 0;
	json_array_foreach (all, i, row) {
		char text[CS_GUID_TEXT];
		const char *id = json_string_value(json_object_get(row, "layers_id"));
		cs_guid_format(cs_identity_of_set(&(struct cs_identity_set){
				       json_string_value(json_object_get(row, "desc")),
				       (uint32_t)strtoul(id ? id : "0", NULL, 16), {0},
				       json_string_value(json_object_get(row, "partition")), -1,
				       (int32_t)number(row, "cell_size")}),
			text);
		right += strcmp(text, json_string_value(json_object_get(row, "guid"))) == 0;
	}
	ok(i >= 60 && right == i, "%zu of %zu GUIDs of hash sets", right, i);
	json_decref(all);
}

static void check_layer_ids(void)
{
	json_t *all = answer("cooked/village51-header-only.json"), *name;
	const char *id;
	size_t n = 0, right = 0;
	json_object_foreach (json_object_get(all, "ids_explained_by_one_layer"), id, name) {
		char text[16];
		snprintf(text, sizeof(text), "%X", cs_identity_crc(0, json_string_value(name)));
		right += strcmp(text, id) == 0;
		n++;
	}
	ok(n == 20 && right == n, "%zu of %zu ids of layers", right, n);
	json_decref(all);
}

static void check_names(void)
{
	static const struct {
		const char *name, *desc;
		int32_t level;
		int64_t x, y, z;
		uint32_t layers;
		bool persistent;
	} names[] = {
		{"W_Main_L0_X0_Y-1", "Main_L0_X0_Y-1", 0, 0, -1, 0, 0, false},
		{"W_Main_L-1_X0_Y0_Z0", "Main_L-1_X0_Y0_Z0", -1, 0, 0, 0, 0, false},
		{"W_Main_L2_X10_Y-3_Z4_d79C32635", "Main_L2_X10_Y-3_Z4", 2, 10, -3, 4, 0x79c32635,
			false},
		{"W_Main_L2_X1_Y1_dA5817DD", "Main_L2_X1_Y1", 2, 1, 1, 0, 0xa5817dd, false},
		{"Main_L4_X0_Y-1_DL94C0B11C", "Main_L4_X0_Y-1", 4, 0, -1, 0, 0x94c0b11c, false},
		{"Main_L0_X3_Y0_DL0", "Main_L0_X3_Y0", 0, 3, 0, 0, 0, false},
		{"W_Main_0_3_0_0", "Main_0_3_0_0", 0, 0, 3, 0, 0, false},
		{"W_Level_Persistent", "Level_Persistent", 0, 0, 0, 0, 0, true},
	};
	char desc[CS_UE_CELL_NAME];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct cs_ue_cell_name at = {.level = 99};
		ok(cs_ue_read_cell_name(names[i].name, "W", &at), "%s is read", names[i].name);
		ok(at.level == names[i].level && at.x == names[i].x && at.y == names[i].y &&
				at.z == names[i].z && at.layers_id == names[i].layers &&
				at.persistent == names[i].persistent,
			"%s: its parts", names[i].name);
		cs_ue_desc_name(&at, desc);
		is_text(desc, names[i].desc, "and back");
	}
	struct cs_ue_cell_name at;
	ok(!cs_ue_read_cell_name("1WD4NAK7SVY0JF8AXYPOSA7U8", "W", &at), "a hash says no place");
	ok(!cs_ue_read_cell_name("", "W", &at), "nor does an empty name");
	char hash[CS_BASE36_TEXT];
	cs_identity_package("WorldPartition_MainPartition_L0_X0_Y-1", hash);
	is_text(hash, "1WD4NAK7SVY0JF8AXYPOSA7U8", "the hash of a name");
}

int main(void)
{
	check_names();
	data = shared_data();
	if (!data) {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
		return done();
	}
	check_cook("cooked/real-cook-51-Test.json", "Test", true);
	check_cook("cooked/real-cook-53-OpenWorld.json", "OpenWorld", false);
	check_set_guids();
	check_layer_ids();
	return done();
}
