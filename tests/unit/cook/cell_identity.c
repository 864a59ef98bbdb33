/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identities and places of cells against what the engine itself saved: GUIDs from the HLOD actors
 * and cooked maps of public projects, names of packages of cooked cells, and the cells of 66 actors
 * of a 5.3 map with the options of a new spatial hash. And which engine has which rule.
 */
#include "cook/phases/names.h"
#include "cook/placement/grids.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>
#include <string.h>

/* ---- GUIDs ---- */

static const struct spatial_row {
	const char *engine, *grid;
	int level, x, y, size;
	const char *guid;
} spatial_rows[] = {
	{"5.2", "MainGrid", 0, -1, -1, 25600, "694195347FFA7A6228B71835A6DB2359"},
	{"5.2", "MainGrid", 0, -1, -4, 25600, "A5779EFC1959385DD78C57384614C1B8"},
	{"5.2", "MainGrid", 0, -1, 2, 25600, "3987BEBC89C7B14DA31B7409100E8075"},
	{"5.2", "MainGrid", 0, -2, -2, 25600, "196EE1BA35DD6BF6AF5EA9ECA057C42E"},
	{"5.2", "MainGrid", 0, -2, 0, 25600, "F6FA6318815AD078846FB9C7955054E4"},
	{"5.2", "MainGrid", 0, -2, 3, 25600, "2A0633E88BA18CD9AFEB27909ED6D5CC"},
	{"5.2", "MainGrid", 0, -3, -3, 25600, "7B25F8A4861F0C6E5E24827D2E957EF4"},
	{"5.3", "Test1", 4, -1, -1, 1600, "F9BCA496D1D954CEA6585B657AD553DB"},
	{"5.3", "Test1", 4, -1, 0, 1600, "E457D9FB735DEB011CDC3957BF6011AB"},
	{"5.3", "Test1", 4, -1, 3, 1600, "21A04DCFF9B70A03FB155ACE41063D36"},
	{"5.3", "Test1", 4, -2, -3, 1600, "CA18FD9CAB6C188A8BDE5AD79B5B2A51"},
	{"5.3", "Test1", 4, -2, 2, 1600, "3FC747838929D481909078E918FBB529"},
	{"5.3", "Test1", 4, -3, -2, 1600, "653A63C28CB341556C169D58076937F3"},
	{"5.3", "Test1", 4, -3, 1, 1600, "6C94E302089316435C22E1872017EF20"},
	{"5.3", "MainGrid", 3, 0, 0, 25600, "B32E3B00BB007DC56302710437DEF31B"},
};

static const struct set_row {
	const char *engine, *desc, *partition;
	uint32_t layers_id;
	int size;
	const char *guid;
} set_rows[] = {
	{"5.4", "MainGrid_0_3_0_0", "MainGrid", 0x00000000, 25200,
		"F66113376425D8E1FA3E85E93D711120"},
	{"5.5", "MainGrid_L0_X-2_Y-4_Z0", "MainGrid", 0x00000000, 25200,
		"F52E4E7D3D8E2C82571B847D7D59F7F2"},
	{"5.6", "MainGrid_L0_X0_Y-2_Z0", "MainGrid", 0x00000000, 25200,
		"2999EF61EB5D7E7AEEA324B43F4DB404"},
	{"5.6", "MainGrid_L0_X2_Y-4_Z0", "MainGrid", 0x00000000, 25200,
		"A5B57A7A63B5AFEBC56B6D23DBEFED47"},
	{"5.6", "MainGrid_L0_X-1_Y0_Z0", "MainGrid", 0x00000000, 25200,
		"AA19B2B1B7DC9E228C7C08FDD7881E01"},
	{"5.6", "MainGrid_L0_X-2_Y-3_Z0", "MainGrid", 0x00000000, 25200,
		"A611A6FC6271FEA429A84C46D904719F"},
	{"5.6", "MainGrid_L0_X2_Y1_Z0", "MainGrid", 0x00000000, 25200,
		"80DF397ADD7F862083CBBFDBC6019283"},
	{"5.6", "MainGrid_L0_X-3_Y2_Z0", "MainGrid", 0x00000000, 25200,
		"D0B31847D01C20A7D9B7ADD161645B9F"},
	{"5.6", "MainGrid_L0_X-2_Y2_Z0", "MainGrid", 0x00000000, 25200,
		"A3728FF51139EFA02FA64C1A822A9F69"},
	{"5.6", "MainGrid_L0_X-2_Y-4_Z0", "MainGrid", 0x00000000, 25200,
		"F52E4E7D3D8E2C82571B847D7D59F7F2"},
	{"5.7", "MainPartition_L0_X0_Y-1", "MainPartition", 0x00000000, 12800,
		"169FFB045E869BC11D101F997EE6F1DD"},
	{"5.7", "MainPartition_L0_X0_Y-1", "MainPartition", 0x00000000, 12800,
		"169FFB045E869BC11D101F997EE6F1DD"},
	{"5.7", "MainPartition_L0_X0_Y-1", "MainPartition", 0x79C32635, 12800,
		"D80757560BE969DDB01ADA35D57EAF14"},
};

static bool gives(const char *engine, const struct cs_cell_identity *cell, const char *want)
{
	char text[CS_GUID_TEXT];
	struct cs_cell_labels labels;
	cs_cell_label(cs_profile_find(engine), cell, &labels);
	cs_guid_format(labels.guid, text);
	if (strcmp(text, want) == 0)
		return true;
	printf("# %s %s L%d X%d Y%d: %s, want %s\n", engine, cell->partition->name, cell->at.level,
		(int)cell->at.x, (int)cell->at.y, text, want);
	return false;
}

static void test_spatial_guids(void)
{
	size_t right = 0, n = sizeof(spatial_rows) / sizeof(spatial_rows[0]);
	for (size_t i = 0; i < n; i++) {
		const struct spatial_row *r = &spatial_rows[i];
		const struct cs_cook_partition p = {.name = r->grid,
			.row = {.partition_class = CS_PARTITION_SPATIAL_GRID,
				.cell_size = r->size,
				.hlod_index = -1}};
		const struct cs_cell_identity cell = {
			.world = "W", .partition = &p, .at = {r->x, r->y, 0, r->level}};
		right += gives(r->engine, &cell, r->guid);
	}
	is_int(right, n, "GUIDs of the spatial hash, 5.2 and 5.3");
}

/*
 * Parses the name of a cell: "MainGrid_L0_X1_Y-2_Z0", "MainGrid_L0_X1_Y-2" or, in 5.4,
 * "MainGrid_1_-2_0_0".
 */
static bool parse(const char *desc, struct cs_cell_coordinates *at, bool *is_2d)
{
	int x, y, z = 0, level;
	const char *cell = strchr(desc, '_') + 1;
	int n = sscanf(cell, "L%d_X%d_Y%d_Z%d", &level, &x, &y, &z);
	*is_2d = n == 3;
	if (n < 3 && sscanf(cell, "%d_%d_%d_%d", &x, &y, &z, &level) != 4)
		return false;
	*at = (struct cs_cell_coordinates){x, y, z, level};
	return true;
}

static void test_set_guids(void)
{
	size_t right = 0, n = sizeof(set_rows) / sizeof(set_rows[0]);
	for (size_t i = 0; i < n; i++) {
		const struct set_row *r = &set_rows[i];
		bool is_2d;
		struct cs_cell_coordinates at;
		if (!parse(r->desc, &at, &is_2d))
			continue;
		const struct cs_cook_partition p = {.name = r->partition,
			.row = {.partition_class = CS_PARTITION_LHGRID,
				.cell_size = r->size,
				.hlod_index = -1,
				.flags = is_2d ? CS_PARTITION_2D : 0}};
		const struct cs_cell_identity cell = {
			.world = "W", .partition = &p, .at = at, .layers_id = r->layers_id};
		right += gives(r->engine, &cell, r->guid);
	}
	is_int(right, n, "GUIDs of the hash set, 5.4 to 6.0");
}

/* ---- names ---- */

static void test_names(void)
{
	const struct cs_cook_partition grid = {.name = "MainGrid",
		.row = {.partition_class = CS_PARTITION_LHGRID, .hlod_index = -1}};
	const struct cs_cook_partition setup = {.name = "MainGrid",
		.setup = "PersistentLevel",
		.row = {.partition_class = CS_PARTITION_PERSISTENT}};
	const struct cs_cook_partition spatial = {.name = "MainGrid",
		.row = {.partition_class = CS_PARTITION_SPATIAL_GRID, .hlod_index = -1}};
	const struct {
		const char *engine;
		struct cs_cell_identity cell;
		const char *name, *package;
	} rows[] = {
		{"5.6", {"Forest", &grid, {0, 0, 0, -1}, "", 0, {0}},
			"Forest_MainGrid_L-1_X0_Y0_Z0", "EMNQE7NJD9571KASFOX0AHARI"},
		{"5.6", {"Forest", &setup, {0, 0, 0, 0}, "", 0, {0}},
			"Forest_PersistentLevel_Persistent", "4F37CP06U8PX20EZ1PMWDQA0F"},
		{"5.3", {"OpenWorld", &spatial, {-1, -1, 0, 0}, "", 0, {0}},
			"OpenWorld_MainGrid_L0_X-1_Y-1", "96GCHM0IMAYFFVN13DFBZPQD1"},
		{"5.2", {"GameStartUp", &spatial, {-1, -1, 0, 0}, "", 0, {0}},
			"GameStartUp_MainGrid_L0_X-1_Y-1_DL0", "GameStartUp_MainGrid_L0_X-1_Y-1"},
		{"5.1", {"Test", &spatial, {-1, -1, 0, 0}, "", 0, {0}},
			"Test_MainGrid_L0_X-1_Y-1_DL0", "MainGrid_L0_X-1_Y-1_DL0"},
		{"5.1", {"Test", &spatial, {0, 0, 0, 0}, "", 0xa5817dd, {0}},
			"Test_MainGrid_L0_X0_Y0_DLA5817DD", "MainGrid_L0_X0_Y0_DLA5817DD"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct cs_profile *profile = cs_profile_find(rows[i].engine);
		struct cs_cell_labels labels;
		cs_cell_label(profile, &rows[i].cell, &labels);
		is_text(labels.name, rows[i].name, "the name of a cell");
		is_text(labels.package, rows[i].package, "and its package");
	}
}

/* ---- places ---- */

/*
 * Landscape proxies are placed by their size and centre, though "small actors by location" is on.
 */
static const struct place_row {
	double box[4];
	int size;
	bool proxy;
	int level, x, y;
} place_rows[] = {
	{{-3440, -1820, -2940, -1320}, 1600, false, 0, -2, -1},
	{{-1860, -1820, -1360, -1320}, 4000, false, 0, 0, 0},
	{{-100800, -100800, -75600, -75600}, 1600, true, 4, -3, -3},
	{{-100800, -75600, -75600, -50400}, 1600, true, 4, -3, -2},
	{{-100800, -50400, -75600, -25200}, 1600, true, 4, -3, -1},
	{{-100800, -25200, -75600, 0}, 1600, true, 4, -3, 0},
	{{-100800, 0, -75600, 25200}, 1600, true, 4, -3, 0},
	{{-100800, 25200, -75600, 50400}, 1600, true, 4, -3, 1},
	{{-100800, 50400, -75600, 75600}, 1600, true, 4, -3, 2},
	{{-100800, 75600, -75600, 100800}, 1600, true, 4, -3, 3},
	{{-75600, -100800, -50400, -75600}, 1600, true, 4, -2, -3},
	{{-75600, -75600, -50400, -50400}, 1600, true, 4, -2, -2},
	{{-75600, -50400, -50400, -25200}, 1600, true, 4, -2, -1},
	{{-75600, 0, -50400, 25200}, 1600, true, 4, -2, 0},
	{{-75600, -25200, -50400, 0}, 1600, true, 4, -2, 0},
	{{-75600, 25200, -50400, 50400}, 1600, true, 4, -2, 1},
	{{-75600, 50400, -50400, 75600}, 1600, true, 4, -2, 2},
	{{-75600, 75600, -50400, 100800}, 1600, true, 4, -2, 3},
	{{-50400, -100800, -25200, -75600}, 1600, true, 4, -1, -3},
	{{-50400, -75600, -25200, -50400}, 1600, true, 4, -1, -2},
	{{-50400, -50400, -25200, -25200}, 1600, true, 4, -1, -1},
	{{-50400, 0, -25200, 25200}, 1600, true, 4, -1, 0},
	{{-50400, -25200, -25200, 0}, 1600, true, 4, -1, 0},
	{{-50400, 25200, -25200, 50400}, 1600, true, 4, -1, 1},
	{{-50400, 50400, -25200, 75600}, 1600, true, 4, -1, 2},
	{{-50400, 75600, -25200, 100800}, 1600, true, 4, -1, 3},
	{{-25200, -100800, 0, -75600}, 1600, true, 4, 0, -3},
	{{0, -100800, 25200, -75600}, 1600, true, 4, 0, -3},
	{{0, -75600, 25200, -50400}, 1600, true, 4, 0, -2},
	{{-25200, -75600, 0, -50400}, 1600, true, 4, 0, -2},
	{{-25200, -50400, 0, -25200}, 1600, true, 4, 0, -1},
	{{0, -50400, 25200, -25200}, 1600, true, 4, 0, -1},
	{{0, -25200, 25200, 0}, 1600, true, 4, 0, 0},
	{{-25200, 0, 0, 25200}, 1600, true, 4, 0, 0},
	{{0, 0, 25200, 25200}, 1600, true, 4, 0, 0},
	{{-25200, -25200, 0, 0}, 1600, true, 4, 0, 0},
	{{-25200, 25200, 0, 50400}, 1600, true, 4, 0, 1},
	{{0, 25200, 25200, 50400}, 1600, true, 4, 0, 1},
	{{-25200, 50400, 0, 75600}, 1600, true, 4, 0, 2},
	{{0, 50400, 25200, 75600}, 1600, true, 4, 0, 2},
	{{-25200, 75600, 0, 100800}, 1600, true, 4, 0, 3},
	{{0, 75600, 25200, 100800}, 1600, true, 4, 0, 3},
	{{25200, -100800, 50400, -75600}, 1600, true, 4, 1, -3},
	{{25200, -75600, 50400, -50400}, 1600, true, 4, 1, -2},
	{{25200, -50400, 50400, -25200}, 1600, true, 4, 1, -1},
	{{25200, 0, 50400, 25200}, 1600, true, 4, 1, 0},
	{{25200, -25200, 50400, 0}, 1600, true, 4, 1, 0},
	{{25200, 25200, 50400, 50400}, 1600, true, 4, 1, 1},
	{{25200, 50400, 50400, 75600}, 1600, true, 4, 1, 2},
	{{25200, 75600, 50400, 100800}, 1600, true, 4, 1, 3},
	{{50400, -100800, 75600, -75600}, 1600, true, 4, 2, -3},
	{{50400, -75600, 75600, -50400}, 1600, true, 4, 2, -2},
	{{50400, -50400, 75600, -25200}, 1600, true, 4, 2, -1},
	{{50400, -25200, 75600, 0}, 1600, true, 4, 2, 0},
	{{50400, 0, 75600, 25200}, 1600, true, 4, 2, 0},
	{{50400, 25200, 75600, 50400}, 1600, true, 4, 2, 1},
	{{50400, 50400, 75600, 75600}, 1600, true, 4, 2, 2},
	{{50400, 75600, 75600, 100800}, 1600, true, 4, 2, 3},
	{{75600, -100800, 100800, -75600}, 1600, true, 4, 3, -3},
	{{75600, -75600, 100800, -50400}, 1600, true, 4, 3, -2},
	{{75600, -50400, 100800, -25200}, 1600, true, 4, 3, -1},
	{{75600, -25200, 100800, 0}, 1600, true, 4, 3, 0},
	{{75600, 0, 100800, 25200}, 1600, true, 4, 3, 0},
	{{75600, 25200, 100800, 50400}, 1600, true, 4, 3, 1},
	{{75600, 50400, 100800, 75600}, 1600, true, 4, 3, 2},
	{{75600, 75600, 100800, 100800}, 1600, true, 4, 3, 3},
};

static void test_places(void)
{
	const struct cs_box world = {{-100800, -100800, 0}, {100800, 100800, 0}};
	const struct cs_spatial_rules rules = {true, true};
	size_t right = 0, n = sizeof(place_rows) / sizeof(place_rows[0]);
	for (size_t i = 0; i < n; i++) {
		const struct place_row *r = &place_rows[i];
		const struct cs_box box = {{r->box[0], r->box[1], 0}, {r->box[2], r->box[3], 0}};
		enum cs_placement placement;
		struct cs_spatial_grid grid = cs_spatial_grid_make(r->size, 0, 0, false, &world);
		struct cs_cell_coordinates at =
			cs_spatial_grid_place(&grid, &rules, &box, true, r->proxy, &placement);
		int64_t half = cs_spatial_grid_size(&grid, (uint32_t)at.level) >> 1;
		right += at.level == r->level && at.x - half == r->x && at.y - half == r->y;
	}
	is_int(right, n, "66 actors of a 5.3 map lie in the engine's cells");
}

/*
 * A centre that is a rounding error below a border belongs to the cell above it; a centre farther
 * below does not.
 */
static void test_borders(void)
{
	const struct cs_lhgrid grid = {.cell_size = 25200};
	const struct cs_box just = {{-100 - 2.84e-14, 0, 0}, {100, 10, 10}};
	const struct cs_box below = {{-100 - 1.22e-6, 0, 0}, {100, 10, 10}};
	is_int(cs_lhgrid_place(&grid, &just, NULL).x, 0, "-1.4e-14 is 0");
	is_int(cs_lhgrid_place(&grid, &below, NULL).x, -1, "-6.1e-07 is not");
	const double borders[][2] = {
		{12599.9, 0}, {25200, 1}, {-25200, -1}, {-25200.1, -2}, {50400, 2}};
	for (size_t i = 0; i < 5; i++) {
		const struct cs_box box = {{borders[i][0], 0, 0}, {borders[i][0], 0, 0}};
		is_int(cs_lhgrid_place(&grid, &box, NULL).x, (int)borders[i][1],
			"elsewhere it floors");
	}
}

/* ---- engines ---- */

#define SWITCH(member) #member, offsetof(struct cs_profile, member)

/* Lists each rule in which engines differ, with a sign for each of 5.0 to 5.7: + where it holds. */
static const struct {
	const char *name;
	size_t member;
	const char *engines;
} switches[] = {
	{SWITCH(transient_persistent), "++++++--"},
	{SWITCH(coordinates_first), "----+---"},
	{SWITCH(hash_set_default), "----++++"},
	{SWITCH(layer_assets), "-+++++++"},
	{SWITCH(flat_default), "-------+"},
	{SWITCH(quarter_demotion), "-------+"},
	{SWITCH(clip_content), "-----+++"},
	{SWITCH(hlod_layer_always), "+++++++-"},
	{SWITCH(load_filter_mix), "-------+"},
	{SWITCH(layer_priority), "-------+"},
	{SWITCH(layers_always), "+++-----"},
	{SWITCH(layers_unpadded), "+++-----"},
	{SWITCH(guid_of_size), "---+++++"},
	{SWITCH(options_stored), "---+++++"},
	{SWITCH(aligned), "++++++++"},
	{SWITCH(snap), "++++++++"},
	{SWITCH(small_by_location), "--------"},
	{SWITCH(partition_by_location), "-+++++++"},
};

static const struct {
	const char *name, *partition;
	enum cs_package_naming naming;
} engines[] = {{"5.0", "MainGrid", CS_PACKAGE_PLAIN}, {"5.1", "MainGrid", CS_PACKAGE_PLAIN},
	{"5.2", "MainGrid", CS_PACKAGE_MAP}, {"5.3", "MainGrid", CS_PACKAGE_HASH},
	{"5.4", "MainGrid", CS_PACKAGE_HASH}, {"5.5", "MainPartition", CS_PACKAGE_HASH},
	{"5.6", "MainPartition", CS_PACKAGE_HASH}, {"5.7", "MainPartition", CS_PACKAGE_HASH}};

static void test_profiles(void)
{
	enum { ENGINES = sizeof(engines) / sizeof(engines[0]) };
	const struct cs_profile *profiles[ENGINES];
	size_t n;
	cs_profiles(&n);
	is_int(n, ENGINES, "a profile for each engine");
	for (size_t i = 0; i < ENGINES; i++) {
		profiles[i] = cs_profile_find(engines[i].name);
		if (!ok(profiles[i], "%s has a profile", engines[i].name))
			return;
		is_text(profiles[i]->name, engines[i].name, "which stands for it alone");
		is_text(profiles[i]->partition_name, engines[i].partition, "the partition's name");
		is_int(profiles[i]->package_naming, engines[i].naming, "how packages are named");
	}
	for (size_t k = 0; k < sizeof(switches) / sizeof(switches[0]); k++) {
		char have[ENGINES + 1] = "";
		for (size_t i = 0; i < ENGINES; i++)
			have[i] = *((const bool *)profiles[i] + switches[k].member) ? '+' : '-';
		is_text(have, switches[k].engines, "%s", switches[k].name);
	}
}

/* Rules of hash sets that hold where a switch is on, or where it is off. */
static const struct {
	const char *number;
	size_t member;
	bool on;
} cited[] = {{"1.6.3", offsetof(struct cs_profile, transient_persistent), true},
	{"1.6.3.7", offsetof(struct cs_profile, transient_persistent), false},
	{"1.6.4.7", offsetof(struct cs_profile, quarter_demotion), true},
	{"1.4.V3h", offsetof(struct cs_profile, load_filter_mix), true}};

static const char *engines_in_rulebook(const char *number)
{
	size_t n;
	const struct cs_rulebook_entry *entries = cs_rulebook(&n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(entries[i].number, number) == 0)
			return entries[i].engines;
	return "";
}

static void test_rulebook(void)
{
	for (size_t k = 0; k < sizeof(cited) / sizeof(cited[0]); k++) {
		const char *first = NULL, *last = NULL;
		char expected[32];
		for (size_t i = 4; i < sizeof(engines) / sizeof(engines[0]); i++) {
			const struct cs_profile *profile = cs_profile_find(engines[i].name);
			if (*((const bool *)profile + cited[k].member) != cited[k].on)
				continue;
			first = first ? first : engines[i].name;
			last = engines[i].name;
		}
		snprintf(
			expected, sizeof(expected), first == last ? "%s" : "%s to %s", first, last);
		is_text(engines_in_rulebook(cited[k].number), expected,
			"rule %s: the engines that follow it", cited[k].number);
	}
}

int main(void)
{
	test_profiles();
	test_rulebook();
	test_spatial_guids();
	test_set_guids();
	test_names();
	test_places();
	test_borders();
	return done();
}
