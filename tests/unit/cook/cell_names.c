/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of cells in the form of 5.4 and in that of later engines: which level and coordinates are
 * parsed from them, and which part of a name remains when a comparison removes the name of the map.
 * Every expected answer is written by hand.
 */
#include "compare/compare_internal.h"

#include "core/vec.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include "ue/package/cell_name.h"

/* ---- a name and its world ---- */

static const struct {
	const char *name, *partition;
	int64_t x, y, z;
	int32_t level;
	bool has_z, level_first;
} names[] = {
	{"M_Main_L0_X1_Y2", "Main", 1, 2, 0, 0, false, true},
	{"M_Main_L12_X-1_Y-20", "Main", -1, -20, 0, 12, false, true},
	{"M_Main_L3_X0_Y0_Z-4", "Main", 0, 0, -4, 3, true, true},
	{"M_Main_L-1_X5_Y6_d0ABC", "Main", 5, 6, 0, -1, false, true},
	{"M_Main_L64_X5_Y6", "Main", 5, 6, 0, 64, false, true},
	{"M_Main_L-64_X5_Y6", "Main", 5, 6, 0, -64, false, true},
	{"M_A_B_L1_X2_Y3", "A_B", 2, 3, 0, 1, false, true},
	{"M_L9_L1_X2_Y3", "L9", 2, 3, 0, 1, false, true},
	{"M__L1_X2_Y3", "", 0, 0, 0, 0, false, false},
	{"M_Main_1_2_3_4", "Main", 1, 2, 3, 4, true, false},
	{"M_Main_-1_-2_0_0", "Main", -1, -2, 0, 0, true, false},
	{"M_Main_9_8_7_6_DL3", "Main", 9, 8, 7, 6, true, false},
	{"M_A_7_1_2_3_4", "A", 7, 1, 2, 3, true, false},
	{"M_A__1_2_3_4", "A_", 1, 2, 3, 4, true, false},
	{"M_A_x7_1_2_3_4", "A_x7", 1, 2, 3, 4, true, false},
	{"M_Main_1_2_3_64", "Main", 1, 2, 3, 64, true, false},
	{"M_Main_1_2_3_-64", "Main", 1, 2, 3, -64, true, false},
};

static const char *const no_names[] = {"M", "M_", "M_Main", "MM_Main_L0_X1_Y2", "N_Main_L0_X1_Y2",
	"M_L0_X1_Y2", "M_Main_L0_X1", "M_Main_L0_X1_Z2", "M_Main_L0_Y1_X2", "M_Main_L0_X1_Y",
	"M_Main_L0_X1_Yx", "M_Main_L0_X1_Y2_Z", "M_Main_L0_X1_Y2x", "M_Main_L_X1_Y2",
	"M_Main_L65_X1_Y2", "M_Main_L-65_X1_Y2", "M_Main_1_2_3", "M_Main_1_2_3_65",
	"M_Main_1_2_3_-65", "M_Main_1_2_3_4x", "M_Main_1-2_3_4", "M_Main_1_2_3_-",
	"M_Main_K0_X1_Y2", "M_Main_L0_X+1_Y2", "M_Main_L0_X1_Y2_Z3x"};

static void test_parse(void)
{
	struct cs_ue_cell_name got;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		bool known = cs_ue_parse_cell_name(names[i].name, "M", &got);
		size_t n = strlen(names[i].partition);
		ok(known == (n > 0), "%s is a name: %d", names[i].name, n > 0);
		if (!known)
			continue;
		ok(got.partition_length == n && strncmp(got.partition, names[i].partition, n) == 0,
			"%s: its partition is %s", names[i].name, names[i].partition);
		ok(got.x == names[i].x && got.y == names[i].y && got.z == names[i].z &&
				got.level == names[i].level,
			"%s: its place", names[i].name);
		ok(got.has_z == names[i].has_z && got.level_last != names[i].level_first,
			"%s: its form", names[i].name);
	}
	for (size_t i = 0; i < sizeof(no_names) / sizeof(no_names[0]); i++)
		ok(!cs_ue_parse_cell_name(no_names[i], "M", &got), "%s is none", no_names[i]);
}

/* ---- without the map ---- */

static const char world_lines[] =
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"partitions\":[{\"name\":\"Main\"},"
	"{\"name\":\"B\"}]}\n";

static const struct {
	const char *name, *world, *rest;
} rests[] = {
	{"Town_Main_L0_X1_Y2", "Town", "Main_L0_X1_Y2"},
	{"Town_Main_L0_X1_Y2", "", "Main_L0_X1_Y2"},
	{"Town_Main_L0_X1_Y2", "Tow", "Main_L0_X1_Y2"},
	{"Old_Town_Main_1_2_3_4", "", "Main_1_2_3_4"},
	{"Old__Main_1_2_3_4", "", "Main_1_2_3_4"},
	{"Town_B_1_2_3_4", "", "B_1_2_3_4"},
	{"Town_Mainly_1_2_3_4", "", "Town_Mainly_1_2_3_4"},
	{"Town_Other_1_2_3_4", "", "Town_Other_1_2_3_4"},
	{"Town_Other_1_2_3_4", "Town", "Other_1_2_3_4"},
	{"Town_Main", "", "Town_Main"},
	{"Main_L0_X1_Y2", "", "Main_L0_X1_Y2"},
	{"", "", ""},
};

static void test_rests(const struct cs_comparer *c)
{
	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++)
		is_text(cs_name_without_map(c, rests[i].name, rests[i].world), rests[i].rest,
			"%s of '%s'", rests[i].name, rests[i].world);
}

/* ---- places ---- */

static const struct {
	const char *name;
	uint32_t layers;
	bool known;
} places[] = {
	{"T_Main_L0_X1_Y2", 0, true},
	{"T_Main_L0_X1_Y2_d012345678", 0, true},
	{"T_Main_L0_X1_Y2_d0123ABCD", 0x123abcd, true},
	{"T_Main_L0_X1_Y2_dFFFFFFFF", 0xffffffff, true},
	{"T_Main_L0_X1_Y2_d1", 1, true},
	{"T_Main_L0_X1_Y2__d7", 7, true},
	{"T_Main_L0_X1_Y2_dA_B", 10, true},
	{"T_Main_L0_X1_Y2_d", 0, true},
	{"T_Main_L0_X1_Y2_dAx", 0, true},
	{"T_Main_1_2_0_0_DL7", 7, true},
	{"T_Main_1_2_0_0_DLx_d8", 8, true},
	{"T_Main_1_2_0_0_D7", 0, true},
	{"T_Main_Persistent", 0, false},
	{"T_Main_Persistent_d9", 9, false},
};

static void test_places(const struct cs_comparer *c)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct cs_cell_place place = cs_place_of_name(c, places[i].name, "T");
		is_int(place.layers_id, places[i].layers, "%s: its layers", places[i].name);
		is_int(place.known, places[i].known, "%s: has a place or none", places[i].name);
		if (place.known)
			ok(place.length == 4 && strncmp(place.partition, "Main", 4) == 0 &&
					place.at.x == 1 && place.at.y == 2,
				"%s: in Main", places[i].name);
	}
}

static void test_same(const struct cs_comparer *c)
{
	static const char one[] = "T_Main_5_6_7_8";
	static const char *const others[] = {"T_Main_4_6_7_8", "T_Main_5_5_7_8", "T_Main_5_6_6_8",
		"T_Main_5_6_7_7", "T_Mai_5_6_7_8", "T_Mair_5_6_7_8", "T_Main_Persistent"};
	struct cs_cell_place left = cs_place_of_name(c, one, "T");
	struct cs_cell_place same = cs_place_of_name(c, "T_Main_L8_X5_Y6_Z7_d1", "T");
	ok(cs_same_place(&left, &same) && left.level_first != same.level_first,
		"one place in both forms");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct cs_cell_place other = cs_place_of_name(c, others[i], "T");
		ok(!cs_same_place(&left, &other) && !cs_same_place(&other, &left), "not %s",
			others[i]);
	}
	struct cs_cell_place none = {0};
	ok(!cs_same_place(&none, &none), "two that are not known are not the same");
}

/* Writes a world of two grids whose names have `n` bytes, and an actor in each. */
static void write_long_names(size_t n, char lines[2000])
{
	char grid[201] = "";
	memset(grid, 'g', n - 1);
	snprintf(lines, 2000,
		"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"partitions\":["
		"{\"name\":\"%s1\"},{\"name\":\"%s2\"}]}\n"
		"{\"name\":\"A\",\"guid\":\"000000000000000000000000000000A1\",\"grid\":\"%s1\","
		"\"bounds_min\":[0,0,0],\"bounds_max\":[10,10,10]}\n"
		"{\"name\":\"B\",\"guid\":\"000000000000000000000000000000B1\",\"grid\":\"%s2\","
		"\"bounds_min\":[0,0,0],\"bounds_max\":[10,10,10]}\n",
		grid, grid, grid, grid);
}

/* No cells have one name because names of grids were cut. */
static void test_long_names(void)
{
	char lines[2000];
	struct cs_cook *cook;
	write_long_names(127, lines);
	struct cooked_world world = cook_lines(lines, "5.4");
	is_int((long long)strlen(cell_name_of(&world, "A")), 137, "a name is in that of its cell");
	ok(strcmp(cell_name_of(&world, "A"), cell_name_of(&world, "B")) != 0,
		"and grids that differ in their last byte have cells of different names");
	cooked_free(&world);
	write_long_names(128, lines);
	struct cs_world *source = read_lines(lines);
	fails(cs_cook(source, NULL, NULL, &cook), CS_E_LIMIT, "a name of 128 bytes is too long");
	cs_world_free(source);
}

/*
 * A spatial hash without options is that of a new map of its engine: levels are aligned up to 5.2.
 * Name and GUID of the first row are those that an HLOD actor of a map of 5.2 has saved.
 */
static void test_new_hash(void)
{
	static const char lines[] =
		"{\"cellscope_world\":1,\"package\":\"/Game/OpenWorld\",\"settings\":{"
		"\"hash\":\"spatial_hash\"},\"grids\":[{\"name\":\"MainGrid\",\"cell_size\":25600}]}\n"
		"{\"name\":\"A\",\"guid\":\"000000000000000000000000000000A1\","
		"\"bounds_min\":[-102390,51210,0],\"bounds_max\":[-76810,76790,10]}\n"
		"{\"name\":\"B\",\"guid\":\"000000000000000000000000000000B1\","
		"\"bounds_min\":[76810,76810,0],\"bounds_max\":[102390,102390,10]}\n";
	static const struct {
		const char *profile, *name;
	} hashes[] = {{"5.2", "OpenWorld_MainGrid_L0_X-4_Y2_DL0"},
		{"5.0", "OpenWorld_MainGrid_L0_X-4_Y2_DL0"},
		{"5.3", "OpenWorld_MainGrid_L0_X-3_Y3"}};
	for (size_t i = 0; i < CS_COUNT_OF(hashes); i++) {
		struct cooked_world world = cook_lines(lines, hashes[i].profile);
		char guid[CS_GUID_TEXT];
		cs_guid_format(cell_of(&world, "A")->guid, guid);
		is_text(cell_name_of(&world, "A"), hashes[i].name, "%s: its cell",
			hashes[i].profile);
		if (i == 0)
			is_text(guid, "CE28B567C3F15DF17B5F20A265611995", "and the GUID of it");
		cooked_free(&world);
	}
}

int main(void)
{
	struct cooked_world world = cook_lines(world_lines, NULL);
	const struct cs_comparer comparer = {.ours = world.c};
	test_parse();
	test_rests(&comparer);
	test_places(&comparer);
	test_same(&comparer);
	cooked_free(&world);
	test_long_names();
	test_new_hash();
	return done();
}
