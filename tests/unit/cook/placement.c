/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of placement: the vectors of the world partition rules 1.6.4, 1.7.2 and 1.7.4, and names as
 * UE wrote them. Its twin is tests/unit/cook/placement_twin.c.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "cook/phases/cook_internal.h"
#include "cook/placement/grids.h"
#include "core/guid.h"
#include "core/identity.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <stddef.h>

static struct cs_box box(double x0, double y0, double z0, double x1, double y1, double z1)
{
	return (struct cs_box){{x0, y0, z0}, {x1, y1, z1}};
}

/* ---- 1.6.4 ---- */

static void test_lhgrid_levels(void)
{
	static const struct {
		double length;
		int level;
	} vectors[] = {{1, 0}, {12800, 0}, {12801, 1}, {25600, 1}, {25601, 2}, {51200, 2},
		{204800, 4}, {204801, 5}};
	const struct cs_lhgrid grid = {.cell_size = 12800};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct cs_box b = box(0, 0, 0, 1, vectors[i].length, 1);
		is_int(cs_lhgrid_place(&grid, &b, NULL).level, vectors[i].level, "1.6.4: length %g",
			vectors[i].length);
	}
}

static void test_lhgrid_coordinates(void)
{
	static const struct {
		double at;
		int want[3];
	} vectors[] = {{-1, {-1, -1, -1}}, {0, {0, 0, 0}}, {12799.9, {0, 0, 0}}, {12800, {1, 0, 0}},
		{-12800, {-1, -1, -1}}, {-12800.1, {-2, -1, -1}}};
	const struct cs_lhgrid grid = {.cell_size = 12800};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		for (int level = 0; level < 3; level++) {
			/* a flat box that is long enough for the level and centred on the point */
			double half = level == 0 ? 0 : 12800 * (1 << level) / 2.0,
			       p = vectors[i].at;
			struct cs_box b = box(p, -half, p, p, half, p);
			struct cs_cell_coordinates at = cs_lhgrid_place(&grid, &b, NULL);
			ok(at.level == level && at.x == vectors[i].want[level] &&
					at.z == vectors[i].want[level],
				"1.6.4: %g on level %d -> %lld", p, level, (long long)at.x);
		}
	}
}

static void test_lhgrid_demotion(void)
{
	struct cs_lhgrid grid = {.cell_size = 12800, .quarter_demotion = true};
	struct cs_box b = box(6400 - 7500, 6400, 6400, 6400 + 7500, 6400, 6400);
	bool demoted;
	struct cs_cell_coordinates at = cs_lhgrid_place(&grid, &b, &demoted);
	ok(at.level == 0 && at.x == 0 && demoted, "1.6.4: length 15000 at 6400 is demoted");
	b = box(6400 - 9600, 6400, 6400, 6400 + 9600, 6400, 6400);
	at = cs_lhgrid_place(&grid, &b, &demoted);
	ok(at.level == 1 && !demoted, "1.6.4: 3200 over the edge is not less than a quarter");
	grid.quarter_demotion = false;
	b = box(6400 - 7500, 6400, 6400, 6400 + 7500, 6400, 6400);
	is_int(cs_lhgrid_place(&grid, &b, NULL).level, 1, "1.6.4: no demotion before 5.7");
	grid.is_2d = true;
	b = box(0, 0, 0, 10, 10, 90000);
	is_int(cs_lhgrid_place(&grid, &b, NULL).level, 0, "1.6.4: 2D ignores the height");
}

static void test_lhgrid_extremes(void)
{
	const struct cs_lhgrid grid = {.cell_size = 1600};
	struct cs_box b = box(-1e300, -1e300, -1e300, 1e300, 1e300, 1e300);
	struct cs_cell_coordinates at = cs_lhgrid_place(&grid, &b, NULL);
	ok(at.level <= 62 && llabs(at.x) <= INT64_C(9007199254740991),
		"coordinates of an endless box stay numbers (level %d)", at.level);
	b = box(1e300, 0, 0, 1e300, 0, 0);
	at = cs_lhgrid_place(&grid, &b, NULL);
	is_int(at.x, INT64_C(9007199254740991), "a point at 1e300 is cut to the last cell");
}

/* ---- 1.7.2 ---- */

static void test_grid_sizes(void)
{
	static const struct {
		double extent;
		const char *aligned, *other;
	} vectors[] = {
		{100800, "16 8 4 2 1", "17 9 5 3 1"},
		{50400, "8 4 2 1", "9 5 3 1"},
		{403200, "64 32 16 8 4 2 1", "65 33 17 9 5 3 1"},
		{12799, "2 1", "3 1"},
		{12801, "4 2 1", "5 3 1"},
	};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		for (int aligned = 0; aligned < 2; aligned++) {
			double e = vectors[i].extent;
			struct cs_box world = box(-e, -1, 0, 1, 2, 0);
			struct cs_spatial_grid grid =
				cs_spatial_grid_make(12800, 0, 0, aligned, &world);
			char text[100] = "";
			for (uint32_t level = 0; level < grid.levels; level++) {
				size_t n = strlen(text);
				snprintf(text + n, sizeof(text) - n, "%s%u", level ? " " : "",
					cs_spatial_grid_size(&grid, level));
			}
			is_text(text, aligned ? vectors[i].aligned : vectors[i].other,
				"1.7.2: extent %g, %s", e, aligned ? "aligned" : "non-aligned");
		}
	}
	struct cs_box nothing = CS_BOX_INVALID;
	struct cs_spatial_grid one = cs_spatial_grid_make(12800, 0, 0, true, &nothing);
	ok(one.levels == 1 && cs_spatial_grid_size(&one, 0) == 1, "1.7.2: no bounds, one cell");
}

/* ---- 1.7.4 ---- */

struct placed {
	int level, x, y, global_x, global_y;
	uint64_t on_level_0;
};

static void check_placed(const struct cs_spatial_grid *grid, struct cs_box b, struct placed want)
{
	const struct cs_spatial_rules rules = {false, false};
	uint32_t placement;
	struct cs_cell_coordinates at =
		cs_spatial_grid_place(grid, &rules, &b, true, false, &placement);
	int64_t half = cs_spatial_grid_size(grid, (uint32_t)at.level) >> 1, x, y;
	ok(at.level == want.level && at.x == want.x && at.y == want.y &&
			at.x - half == want.global_x && at.y - half == want.global_y,
		"1.7.4: (%g,%g)-(%g,%g) %s -> L%d (%lld,%lld)", b.min.x, b.min.y, b.max.x, b.max.y,
		grid->aligned ? "aligned" : "non-aligned", at.level, (long long)at.x,
		(long long)at.y);
	if (want.on_level_0)
		is_int(cs_spatial_grid_intersections(grid, 0, &b, &x, &y), want.on_level_0,
			"1.7.4: cells touched on level 0");
}

static void test_grid_placement(void)
{
	struct cs_box world = box(-100800, -100800, 0, 100800, 100800, 0);
	struct cs_spatial_grid aligned = cs_spatial_grid_make(12800, 0, 0, true, &world);
	struct cs_spatial_grid other = cs_spatial_grid_make(12800, 0, 0, false, &world);
	struct cs_box b = box(-100, -100, 0, 100, 100, 0);
	int64_t x, y;
	check_placed(&aligned, b, (struct placed){4, 0, 0, 0, 0, 4});
	for (uint32_t level = 0; level < 4; level++)
		is_int(cs_spatial_grid_intersections(&aligned, level, &b, &x, &y), 4,
			"1.7.4: 4 cells on level %u", level);
	check_placed(&other, b, (struct placed){0, 8, 8, 0, 0, 1});
	b = box(6300, 100, 0, 6500, 300, 0);
	check_placed(&aligned, b, (struct placed){0, 8, 8, 0, 0, 1});
	check_placed(&other, b, (struct placed){1, 4, 4, 0, 0, 2});
	b = box(12700, 100, 0, 12900, 300, 0);
	check_placed(&aligned, b, (struct placed){1, 4, 4, 0, 0, 2});
	check_placed(&other, b, (struct placed){0, 9, 8, 1, 0, 1});
	b = box(1000, 1000, 0, 2000, 2000, 0);
	check_placed(&aligned, b, (struct placed){0, 8, 8, 0, 0, 1});
	check_placed(&other, b, (struct placed){0, 8, 8, 0, 0, 1});
	b = box(-9000, -9000, 0, 9000, 9000, 0);
	check_placed(&aligned, b, (struct placed){4, 0, 0, 0, 0, 0});
	check_placed(&other, b, (struct placed){1, 4, 4, 0, 0, 0});
}

static void test_grid_rules(void)
{
	struct cs_box world = box(-100800, -100800, 0, 100800, 100800, 0);
	struct cs_spatial_grid grid = cs_spatial_grid_make(12800, 0, 0, true, &world);
	struct cs_box small = box(-100, -50, 0, 100, 70, 0), large = box(0, 0, 0, 20000, 12000, 0);
	const struct cs_spatial_rules by_size = {true, true}, by_class = {false, true};
	uint32_t placement;
	struct cs_cell_coordinates at =
		cs_spatial_grid_place(&grid, &by_size, &small, true, false, &placement);
	ok(at.level == 0 && placement == CS_PLACED_SMALL && at.x == 8 && at.y == 8,
		"1.7.4: a small set goes by its centre");
	at = cs_spatial_grid_place(&grid, &by_size, &large, true, true, &placement);
	ok(placement == CS_PLACED_PARTITION && at.level == 1,
		"1.7.4: a large partition actor goes by its centre with the small option too");
	at = cs_spatial_grid_place(&grid, &by_class, &large, true, true, &placement);
	ok(placement == CS_PLACED_PARTITION && at.level == 1,
		"1.7.4: partition actors go by centre, level by size");
	at = cs_spatial_grid_place(&grid, &by_class, &large, false, true, &placement);
	ok(placement == CS_PLACED_NON_SPATIAL && at.level == 4, "1.7.4: not spatial, top cell");
	struct cs_box away = box(900000, 0, 0, 900001, 1, 0);
	at = cs_spatial_grid_place(&grid, &by_size, &away, true, false, &placement);
	ok(placement == CS_PLACED_OUTSIDE && at.level == 4, "1.7.4: outside the grid, top cell");
}

/* ---- names ---- */

static void test_names(void)
{
	char name[CS_BASE36_TEXT];
	cs_identity_package("OpenWorld_MainPartition_L0_X2_Y1", name);
	is_text(name, "01J5W9BK1KT2UMNZ0YVM38FMI", "1.6.5: package name as UE wrote it");
	cs_identity_package("Untitled_1_MainGrid_L0_X-2_Y-3_Z0", name);
	is_text(name, "01Q0OEP5FHZIX8R2RFY00VSMD", "1.6.5: and another");
	is_int(cs_identity_crc(0, ""), 0, "CRC of nothing is 0");
	ok(cs_identity_crc(cs_identity_crc(0, "a"), "b") == cs_identity_crc(0, "ab"), "CRC chains");
	/* zlib's crc32 over 61 00 00 00 */
	is_int(cs_identity_crc(0, "a"), 0xa2de4f7a, "CRC of one character as four bytes");
	is_int(cs_identity_crc(0, "\xc3\x9c"
				  "bung"
				  "\xe2\x82\xac"),
		0x688c0654, "CRC of characters beyond ASCII as four bytes each");
}

/* MD5 of -(units + 1) and UTF-16 with its zero, computed by another program. */
static void test_wide_names(void)
{
	static const struct {
		const char *text;
		struct cs_guid want;
	} rows[] = {{"\xc3\x96"
		     "de",
			    {0x3ab307fd, 0x35b0340c, 0x1d7e2de2, 0xedd6932e}},
		{"a\xf0\x9f\x98\x80", {0xd0cd7e1c, 0xc3bf4e31, 0x7f45665e, 0x4f9d3139}},
		{"Ab", {0xeb94a194, 0x1c8b96c7, 0x9b95c03a, 0xd3f6664a}}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_digest digest;
		cs_digest_begin(&digest);
		cs_digest_string(&digest, rows[i].text);
		ok(cs_guid_compare(cs_digest_end(&digest), rows[i].want) == 0,
			"names: string %zu as packages have it", i);
	}
	const struct cs_identity_spatial cell = {.grid = "\xc3\x96"
							 "DE",
		.x = 1,
		.y = 2};
	const struct cs_guid want = {0x208b9805, 0x03969a3a, 0x553b4f46, 0x390c1ac7};
	ok(cs_guid_compare(cs_identity_of_spatial(&cell), want) == 0,
		"names: a grid beyond ASCII, in lower case");
}

static void test_profiles(void)
{
	static const struct {
		const char *name, *profile;
	} vectors[] = {{"5.0", "5.0"}, {"5.1", "5.1"}, {"5.2.1", "5.2"}, {"5.3", "5.3"},
		{"5.4.2-33871570+++UE5+Release-5.4", "5.4"}, {"5.5", "5.5"}, {"5.6.1", "5.6"},
		{"5.7.4", "5.7"}};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const struct cs_profile *p = cs_profile_find(vectors[i].name);
		is_text(p ? p->name : "-", vectors[i].profile, "profile of %s", vectors[i].name);
	}
	ok(!cs_profile_find("4.27") && !cs_profile_find("5.75") && !cs_profile_find(""),
		"no profile for 4.27, 5.75 and nothing");
}

/* Lists each rule with the first and the last release, 5.N, in which it holds. */
static void test_profile_rules(void)
{
#define RULE(name, first, last)                                       \
	{                                                             \
#name, offsetof(struct cs_profile, name), first, last \
	}
	static const struct {
		const char *name;
		size_t at;
		int first, last;
	} rules[] = {RULE(transient_persistent, 0, 5), RULE(coordinates_first, 4, 4),
		RULE(hash_set_default, 4, 7), RULE(layer_assets, 1, 7), RULE(flat_default, 7, 7),
		RULE(quarter_demotion, 7, 7), RULE(clip_content, 5, 7),
		RULE(hlod_layer_always, 0, 6), RULE(load_filter_mix, 7, 7),
		RULE(layer_priority, 7, 7), RULE(layers_always, 0, 2), RULE(layers_unpadded, 0, 2),
		RULE(guid_of_size, 3, 7), RULE(aligned, 0, 7), RULE(snap, 0, 7),
		RULE(small_by_location, 8, 8), RULE(partition_by_location, 1, 7)};
#undef RULE
	for (int minor = 0; minor < 8; minor++) {
		char engine[8];
		snprintf(engine, sizeof(engine), "5.%d", minor);
		const struct cs_profile *p = cs_profile_find(engine);
		for (size_t i = 0; p && i < sizeof(rules) / sizeof(rules[0]); i++)
			is_int(*((const bool *)((const char *)p + rules[i].at)),
				minor >= rules[i].first && minor <= rules[i].last, "%s: %s", engine,
				rules[i].name);
		is_int(p ? p->package_naming : CS_NONE,
			minor < 2    ? CS_PACKAGE_PLAIN
			: minor == 2 ? CS_PACKAGE_MAP
				     : CS_PACKAGE_HASH,
			"%s: names of packages", engine);
		is_text(p ? p->partition_name : "", minor < 5 ? "MainGrid" : "MainPartition",
			"%s: the default partition", engine);
	}
}

int main(void)
{
	test_lhgrid_levels();
	test_lhgrid_coordinates();
	test_lhgrid_demotion();
	test_lhgrid_extremes();
	test_grid_sizes();
	test_grid_placement();
	test_grid_rules();
	test_names();
	test_wide_names();
	test_profiles();
	test_profile_rules();
	return done();
}
