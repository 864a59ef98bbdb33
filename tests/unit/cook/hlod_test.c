/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of HLOD: building it level by level, and the checks of 1.6.8: loading ranges that grow from
 * level to level, HLOD actors of cells that are gone, what is relevant.
 */
#include "core/guid.h"
#include "format/check_numbers.h"
#include "format/cooked_inside.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include "world/world_internal.h"

#define G(digits) "\"000000000000000000000000000000" digits "\""
#define ACTOR(digits, actor_name, rest)                                                     \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[100,100,100]," \
			       "\"bounds_max\":[200,200,200]" rest "}\n"
#define LAYER(name) ",\"hlod_layer\":\"/H/" name "\""

/* ---- building ---- */

static bool has_relevant_actor(const struct cs_cooked *c, const struct cs_cooked_cell *cell)
{
	const uint32_t needed = CS_ACTOR_SPATIAL | CS_ACTOR_HLOD_RELEVANT;
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		const struct cs_cooked_actor *a = cs_cooked_actor(
			c, cs_cooked_id(c, CS_IDS_CELL_ACTORS, cell->actors.first + i));
		if ((a->flags & (needed | CS_ACTOR_HLOD)) == needed)
			return true;
	}
	return false;
}

static void test_build(uint32_t hash)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 4000, 7};
	const char *name = hash == CS_SOURCE_HASH_SET ? "hash set" : "spatial hash";
	struct cs_world *world = NULL;
	size_t n = 0, again = 0;
	works(cs_world_generate(&recipe, NULL, &world), "%s: city", name);
	world->settings.hash_class = hash;
	size_t before = world->actors.n;
	works(cs_hlod_build(world, NULL, NULL, &n), "%s: build HLOD", name);
	ok(n > 10 && world->actors.n == before + n, "%s: %zu HLOD actors", name, n);
	works(cs_hlod_build(world, NULL, NULL, &again), "%s: build again", name);
	is_int(again, n, "%s: the same number again", name);
	struct cooked_world w = cook_world(world, NULL, 0);
	size_t of_cells = 0, of_hlod_cells = 0, stale = 0;
	for (size_t i = 0; i < w.c->n_hlods; i++) {
		uint32_t cell = w.c->hlods[i].cell;
		stale += cell == CS_NONE;
		of_cells += cell != CS_NONE && !(cs_cooked_cell(w.c, cell)->flags & CS_CELL_HLOD);
		of_hlod_cells += cell != CS_NONE && cs_cooked_cell(w.c, cell)->flags & CS_CELL_HLOD;
	}
	size_t streaming = 0;
	for (size_t i = 0; i < w.c->n_cells; i++)
		streaming += (cs_cooked_cell(w.c, i)->flags &
				     (CS_CELL_ALWAYS_LOADED | CS_CELL_HLOD)) == 0 &&
			     has_relevant_actor(w.c, cs_cooked_cell(w.c, i));
	is_int(w.c->n_hlods, n, "%s: every one is in the cooked file", name);
	is_int(stale, 0, "%s: every one names a cell of this cook", name);
	is_int(of_cells, streaming, "%s: one for each streaming cell on level 0", name);
	ok(of_hlod_cells > 0, "%s: and one for each of their cells on level 1", name);
	is_text(broken_invariant(w.c) ? broken_invariant(w.c) : "-", "-", "%s: invariants", name);
	cooked_free(&w);
	cs_world_free(world);
}

#define SIX                                                               \
	ACTOR("01", "A", ",\"data_layers\":[\"X\"]" LAYER("L"))           \
	ACTOR("02", "B", ",\"data_layers\":[\"X\"]" LAYER("L"))           \
	ACTOR("03", "Bundled", LAYER("L") ",\"content_bundle\":" G("B1")) \
	ACTOR("04", "Irrelevant", LAYER("L") ",\"hlod_relevant\":false")  \
	ACTOR("05", "Away", LAYER("N"))                                   \
	ACTOR("06", "Loaded", LAYER("L") ",\"spatially_loaded\":false")
#define BUILT_OF(sizes, hash, grid)                                                                \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{\"hash\":\"" hash "\"},"     \
	"\"layers\":[{\"name\":\"X\",\"asset\":\"/X\"}],\"hlod_layers\":[{\"path\":\"/H/L\"" sizes \
	"},{\"path\":\"/H/N\",\"spatial\":false}]," grid "}\n" SIX
#define BUILT(hash, grid) BUILT_OF(",\"cell_size\":25600,\"loading_range\":51200", hash, grid)

/* Checks which values each HLOD actor takes from its cell and its layer. */
static void test_actors(const char *name, const char *lines, const char *grid)
{
	struct cs_world *world = read_lines(lines);
	size_t n = 0, layered = 0, bundled = 0, away = 0;
	works(cs_hlod_build(world, NULL, NULL, &n), "%s: build", name);
	is_int(n, 3, "%s: one for the layer, one for the bundle, one not spatial", name);
	struct cooked_world w = cook_world(world, NULL, 0);
	for (size_t i = 0; i < w.c->n_hlods; i++) {
		const struct cs_cooked_hlod *hlod = &w.c->hlods[i];
		const struct cs_cooked_actor *a = cs_cooked_actor(w.c, hlod->actor);
		const struct cs_cooked_cell *home = cs_cooked_cell(w.c, hlod->home);
		const struct cs_cooked_partition *p = &w.c->partitions[home->partition];
		bool loaded = home->flags & CS_CELL_ALWAYS_LOADED;
		is_double(hlod->min_visible_distance, 25600, "%s: seen beyond the grid's range",
			name);
		is_double(a->bounds.max.x, 200, "%s: as large as its sources", name);
		layered += a->layers.count == 1 && home->layers.count == 1;
		bundled += !cs_guid_is_zero(home->content_bundle);
		away += loaded && !(a->flags & CS_ACTOR_OWN_SPATIAL);
		if (loaded)
			continue;
		is_text(cs_cooked_text(w.c, p->name), grid, "%s: its grid", name);
		ok(home->flags & CS_CELL_CLIENT_ONLY && home->flags & CS_CELL_HLOD,
			"%s: for clients", name);
	}
	is_int(layered, 1, "%s: one has the data layer of its cell", name);
	is_int(bundled, 1, "%s: one is in the bundle of its cell", name);
	is_int(away, 1, "%s: that of a layer that is not spatial is always loaded", name);
	cooked_free(&w);
	cs_world_free(world);
}

/* Without `sizes` the layer has those of its class, which have the same values here. */
static void test_grid_of_layer(const char *lines)
{
	struct cs_world *world = read_lines(lines);
	size_t n = 0;
	works(cs_hlod_build(world, NULL, NULL, &n), "build");
	is_int(world->grids.n, 2, "the spatial hash: a grid is made for the layer");
	is_text(cs_world_text(world, world->grids.at[1].name), "HLOD0_256m_512m",
		"named by level, cell size and range");
	is_double(world->grids.at[1].cell_size, 25600, "of this cell size");
	is_double(world->grids.at[1].loading_range, 51200, "and loading range");
	is_int(world->grids.at[1].priority, 100, "it comes after the grids of actors");
	cs_world_free(world);
}

/* ---- loading ranges ---- */

/* A world of MainGrid (25600) and the setups Near and Far, whose layers are a chain. */
#define SETUPS(near, far)                                                                  \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"hlod_layers\":["                 \
	"{\"path\":\"/H/Near\",\"parent\":\"/H/Far\"},{\"path\":\"/H/Far\"}],"             \
	"\"partitions\":[{\"name\":\"MainGrid\",\"loading_range\":25600,\"hlod_setups\":[" \
	"{\"name\":\"Near\",\"hlod_layers\":[\"/H/Near\"]," near "},"                      \
	"{\"name\":\"Far\",\"hlod_layers\":[\"/H/Far\"]," far "}]}]}\n"
#define RANGE(cm) "\"loading_range\":" cm
#define AWAY      "\"spatial\":false"

static const struct {
	const char *what, *lines, *layer, *grid; /* of the finding; NULL = none */
} range_cases[] = {
	{"ranges that grow", SETUPS(RANGE("25601"), RANGE("25602")) ACTOR("01", "A", LAYER("Near")),
		NULL, NULL},
	{"level 0 as far as the grid",
		SETUPS(RANGE("25600"), RANGE("90000")) ACTOR("01", "A", LAYER("Near")), "/H/Near",
		"MainGrid:Near"},
	{"level 1 as far as level 0",
		SETUPS(RANGE("51200"), RANGE("51200")) ACTOR("01", "A", LAYER("Near")), "/H/Far",
		"MainGrid:Far"},
	{"level 1 nearer than the grid, used by an actor",
		SETUPS(RANGE("51200"), RANGE("20000")) ACTOR("01", "A", LAYER("Far")), "/H/Far",
		"MainGrid:Far"},
	{"a setup that is always loaded",
		SETUPS(RANGE("51200"), RANGE("0") "," AWAY) ACTOR("01", "A", LAYER("Near")), NULL,
		NULL},
	{"what is above one that is always loaded",
		SETUPS(RANGE("0") "," AWAY, RANGE("1")) ACTOR("01", "A", LAYER("Near")), NULL,
		NULL},
	{"a range that the source does not say",
		SETUPS(RANGE("1") ",\"assumed\":true", RANGE("1")) ACTOR("01", "A", LAYER("Near")),
		NULL, NULL},
	{"a layer that nobody uses", SETUPS(RANGE("1"), RANGE("1")) ACTOR("01", "A", ""), NULL,
		NULL},
	{"a layer of an actor that has no HLOD",
		SETUPS(RANGE("1"), RANGE("1"))
			ACTOR("01", "A", LAYER("Near") ",\"hlod_relevant\":false"),
		NULL, NULL},
	{"a layer of an actor that is always loaded",
		SETUPS(RANGE("1"), RANGE("1"))
			ACTOR("01", "A", LAYER("Near") ",\"spatially_loaded\":false"),
		NULL, NULL},
	{"a ring of parent layers",
		"{\"cellscope_world\":1,\"hlod_layers\":[{\"path\":\"/H/A\",\"parent\":\"/H/B\"},"
		"{\"path\":\"/H/B\",\"parent\":\"/H/A\"}],\"partitions\":[{\"name\":\"MainGrid\","
		"\"loading_range\":1,\"hlod_setups\":[{\"name\":\"A\",\"hlod_layers\":[\"/H/A\"],"
		"\"loading_range\":2},{\"name\":\"B\",\"hlod_layers\":[\"/H/B\"],"
		"\"loading_range\":3}]}]}\n" ACTOR("01", "A", LAYER("A")),
		"/H/A", "MainGrid:A"},
};

static const char *text_of(const struct cooked_world *w, uint32_t row, uint32_t text)
{
	return row == CS_NONE ? "-" : cs_cooked_text(w->c, text);
}

/*
 * Checks the layer and the grid of the only finding of that check; without a layer there must be no
 * finding.
 */
static void is_reported(const struct cooked_world *w, enum cs_check check, const char *layer,
	const char *grid, const char *what)
{
	const struct cs_cooked_finding *found = NULL;
	for (size_t i = 0; i < w->c->n_findings; i++)
		if (w->c->findings[i].check == (uint32_t)check)
			found = &w->c->findings[i];
	is_int(findings_of(w, check, -1), layer ? 1 : 0, "%s: findings", what);
	if (!found || !layer)
		return;
	is_int(found->severity, CS_WARNING, "%s: a warning", what);
	is_text(text_of(w, found->hlod_layer, w->c->hlod_layers[found->hlod_layer].path), layer,
		"%s: the layer", what);
	if (grid)
		is_text(text_of(w, found->partition, w->c->partitions[found->partition].name), grid,
			"%s: the grid", what);
}

static void test_ranges(void)
{
	for (size_t i = 0; i < sizeof(range_cases) / sizeof(range_cases[0]); i++) {
		struct cooked_world w = cook_lines(range_cases[i].lines, "5.4");
		is_reported(&w, CS_CHECK_HLOD_LOADING_RANGE, range_cases[i].layer,
			range_cases[i].grid, range_cases[i].what);
		cooked_free(&w);
	}
}

/*
 * A level is used in two partitions, only one of which has a setup for the HLOD layer of its actor.
 */
static void test_layer_of_one_instance(void)
{
	static const char lines[] =
		"{\"cellscope_world\":1,\"settings\":{\"hash\":\"hash_set\"},"
		"\"hlod_layers\":[{\"path\":\"/H/L\"}],\"partitions\":[{\"name\":\"Main\","
		"\"hlod_setups\":[{\"name\":\"H0\",\"hlod_layers\":[\"/H/L\"]}]},"
		"{\"name\":\"Other\"}]}\n"
		"{\"guid\":\"00000000000000000000000000000001\",\"name\":\"A\",\"bounds_min\":[0,0,0],"
		"\"bounds_max\":[9,9,9],\"container\":\"/Game/L\",\"hlod_layer\":\"/H/L\"}\n"
		"{\"guid\":\"00000000000000000000000000000002\",\"name\":\"I\",\"bounds_min\":[0,0,0],"
		"\"bounds_max\":[9,9,9],\"grid\":\"Main\",\"level_instance\":{\"level\":\"/Game/L\"}}\n"
		"{\"guid\":\"00000000000000000000000000000003\",\"name\":\"J\",\"bounds_min\":[0,0,0],"
		"\"bounds_max\":[9,9,9],\"grid\":\"Other\",\"level_instance\":{\"level\":\"/Game/L\"}}\n";
	struct cooked_world w = cook_lines(lines, "5.4");
	size_t n = 0, with_layer = 0;
	for (size_t i = 0; w.c && i < w.c->n_actors; i++) {
		if (strcmp(cs_cooked_text(w.c, cs_cooked_actor(w.c, i)->name), "A") != 0)
			continue;
		n++;
		with_layer += cs_cooked_actor(w.c, i)->hlod_layer != CS_NONE;
	}
	is_int(n, 2, "an actor in two instances");
	is_int(with_layer, 1, "loses its HLOD layer where the partition does not serve it, only");
	cooked_free(&w);
}

#define HASH(range)                                                                            \
	"{\"cellscope_world\":1,\"settings\":{\"hash\":\"spatial_hash\"},\"grids\":[{"         \
	"\"name\":\"MainGrid\",\"loading_range\":25600}],\"hlod_layers\":[{\"path\":\"/H/L\"," \
	"\"loading_range\":" range "}]}\n"

/*
 * The spatial hash has no setups: the range of an HLOD layer counts until there is a grid for that
 * layer.
 */
static void test_hash_ranges(void)
{
	const char *built =
		"{\"cellscope_world\":1,\"settings\":{\"hash\":\"spatial_hash\"},"
		"\"grids\":[{\"name\":\"MainGrid\",\"loading_range\":25600},{\"name\":\"HLOD0\","
		"\"hlod\":true,\"hlod_layer\":\"/H/L\",\"loading_range\":20000}],"
		"\"hlod_layers\":[{\"path\":\"/H/L\",\"loading_range\":90000}]}\n" ACTOR(
			"01", "A", "") ACTOR("02", "B", LAYER("L"));
	struct cooked_world w = cook_lines(HASH("25600") ACTOR("01", "A", LAYER("L")), "5.4");
	is_reported(&w, CS_CHECK_HLOD_LOADING_RANGE, "/H/L", NULL, "spatial hash, a layer");
	is_int(w.c->findings[0].partition, CS_NONE, "spatial hash: its grid is not made yet");
	cooked_free(&w);
	w = cook_lines(HASH("25601") ACTOR("01", "A", LAYER("L")), "5.4");
	is_reported(&w, CS_CHECK_HLOD_LOADING_RANGE, NULL, NULL, "spatial hash, far enough");
	cooked_free(&w);
	w = cook_lines(built, "5.4");
	is_reported(&w, CS_CHECK_HLOD_LOADING_RANGE, "/H/L", "HLOD0", "spatial hash, a grid");
	cooked_free(&w);
}

/*
 * An HLOD actor as UE saves it for a setup that has no name and is not spatial, and for an unknown
 * setup.
 */
#define SAVED(number, hlod, grid)                                                              \
	"{\"guid\":" G(number) ",\"name\":\"" hlod "\",\"native_class\":"                      \
			       "\"/Script/Engine.WorldPartitionHLOD\",\"bounds_min\":[0,0,0]," \
			       "\"bounds_max\":[9,9,9],\"spatially_loaded\":false,"            \
			       "\"grid\":\"" grid "\",\"hlod\":{\"source_cell_name\":"         \
			       "\"M_MainGrid_L0_X0_Y0_Z0\",\"layer\":\"/H/Near\"}}\n"

static void test_setup_without_name(void)
{
	static const char *const names[] = {"None", ""};
	for (size_t i = 0; i < CS_COUNT_OF(names); i++) {
		char lines[4096];
		snprintf(lines, sizeof(lines),
			"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"hlod_layers\":[{\"path\":"
			"\"/H/Near\"}],\"partitions\":[{\"name\":\"MainGrid\",\"hlod_setups\":[{"
			"\"name\":\"%s\",\"hlod_layers\":[\"/H/Near\"]," AWAY "}]}]}\n%s",
			names[i],
			ACTOR("01", "A", LAYER("Near")) SAVED("77", "Kept",
				"MainGrid:PersistentLevel") SAVED("78", "Lost", "MainGrid:Attic"));
		struct cooked_world w = cook_lines(lines, "5.7");
		is_int(w.c->n_hlods, 2, "setup '%s': HLOD actors", names[i]);
		const uint32_t home = w.c->hlods[0].home, lost = w.c->hlods[1].home;
		is_text(home == CS_NONE ? "-"
					: cs_cooked_text(w.c, cs_cooked_cell(w.c, home)->name),
			"M_PersistentLevel_Persistent", "setup '%s': the persistent level",
			names[i]);
		ok(home != CS_NONE && cs_cooked_cell(w.c, home)->flags & CS_CELL_ALWAYS_LOADED,
			"setup '%s': always loaded", names[i]);
		is_int(lost, CS_NONE, "setup '%s': one of another name is dropped", names[i]);
		is_int(findings_of(&w, CS_CHECK_INVALID_GRID, -1), 1,
			"setup '%s': and that alone is a finding", names[i]);
		cooked_free(&w);
	}
}

/* ---- source cells ---- */

#define HLOD_OF(cell_name)                                                                                   \
	"{\"guid\":" G(                                                                                      \
		"77") ",\"name\":\"H\",\"native_class\":"                                                    \
		      "\"/Script/Engine.WorldPartitionHLOD\",\"bounds_min\":[0,0,0],\"bounds_max\":[9,9,9]," \
		      "\"hlod\":{\"source_cell_name\":\"" cell_name "\",\"layer\":\"/H/L\","                 \
		      "\"mesh\":\"H.cnanite\",\"mesh_bytes\":4096}}\n"
#define SAVED_BY_UE \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{\"source\":\"uproject\"}}\n"

static void test_sources(void)
{
	struct cs_world *world = NULL;
	size_t n;
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 1000, 7};
	works(cs_world_generate(&recipe, NULL, &world), "city");
	works(cs_hlod_build(world, NULL, NULL, &n), "build HLOD");
	struct cooked_world w = cook_world(world, NULL, 0);
	is_int(findings_of(&w, CS_CHECK_HLOD_SOURCE_CELL, -1), 0, "no HLOD is stale when built");
	cooked_free(&w);
	world->partitions.at[0].cell_size /= 2;
	for (size_t i = 0; i < world->setups.n; i++)
		world->setups.at[i].cell_size /= 2;
	w = cook_world(world, NULL, 0);
	is_int(findings_of(&w, CS_CHECK_HLOD_SOURCE_CELL, -1), w.c->n_hlods,
		"another cell size makes every one of them stale");
	cooked_free(&w);
	cs_world_free(world);

	w = cook_lines(DOCUMENT ACTOR("01", "A", "") HLOD_OF("Other_MainGrid_0_0_0_0"), "5.4");
	is_int(findings_of(&w, CS_CHECK_HLOD_SOURCE_CELL, -1), 0,
		"without a GUID the name finds the cell, whatever the world was called");
	is_text(cs_cooked_text(w.c, w.c->hlods[0].mesh), "H.cnanite", "its mesh is kept");
	is_int((int)w.c->hlods[0].mesh_bytes, 4096, "and what that costs");
	cooked_free(&w);
	w = cook_lines(SAVED_BY_UE ACTOR("01", "A", "") HLOD_OF("Other_MainGrid_0_0_0_0"), "5.4");
	is_int(findings_of(&w, CS_CHECK_HLOD_SOURCE_CELL, -1), 0,
		"except in a world that UE saved, whose recipe of GUIDs is not known");
	cooked_free(&w);
	w = cook_lines(SAVED_BY_UE ACTOR("01", "A", "") HLOD_OF("Other_MainGrid_5_0_0_0"), "5.4");
	is_int(findings_of(&w, CS_CHECK_HLOD_SOURCE_CELL, -1), 1, "where another cell is stale");
	ok(strstr(cs_cooked_text(w.c, w.c->findings[0].reason), "Other_MainGrid_5_0_0_0") != NULL,
		"and the finding names it");
	cooked_free(&w);
}

/* ---- relevance ---- */

/* 1.3.1: an actor takes part in HLOD when all level instances around it do. */
static void test_relevance(void)
{
	struct cooked_world w = cook_lines(
		DOCUMENT ACTOR("01", "LI",
			",\"hlod_relevant\":false,\"level_instance\":{"
			"\"level\":\"/Game/O\"}") ACTOR("02", "LJ",
			",\"container\":\"/Game/O\",\"level_instance\":{"
			"\"level\":\"/Game/L\"}") ACTOR("03", "Inner", ",\"container\":\"/Game/L\"")
			ACTOR("04", "Outer", ""),
		"5.4");
	ok(!(actor_named(&w, "Inner")->flags & CS_ACTOR_HLOD_RELEVANT),
		"an actor in an instance in an instance that is not relevant");
	ok(actor_named(&w, "Outer")->flags & CS_ACTOR_HLOD_RELEVANT, "one in no such instance");
	cooked_free(&w);
}

int main(void)
{
	test_build(CS_SOURCE_HASH_SET);
	test_build(CS_SOURCE_HASH_SPATIAL);
	test_actors("hash set",
		BUILT("hash_set",
			"\"partitions\":[{\"name\":\"MainGrid\",\"loading_range\":25600,\"hlod_setups\":["
			"{\"name\":\"L\",\"client_only\":true,\"hlod_layers\":[\"/H/L\"],"
			"\"loading_range\":51200},{\"name\":\"N\",\"spatial\":false,"
			"\"hlod_layers\":[\"/H/N\"]}]}]"),
		"MainGrid:L");
	test_actors("spatial hash",
		BUILT("spatial_hash",
			"\"grids\":[{\"name\":\"MainGrid\",\"loading_range\":25600}]"),
		"HLOD0_256m_512m");
	test_grid_of_layer(BUILT("spatial_hash", "\"grids\":[{\"name\":\"MainGrid\"}]"));
	test_grid_of_layer(BUILT_OF("", "spatial_hash", "\"grids\":[{\"name\":\"MainGrid\"}]"));
	test_ranges();
	test_layer_of_one_instance();
	test_hash_ranges();
	test_setup_without_name();
	test_sources();
	test_relevance();
	return done();
}
