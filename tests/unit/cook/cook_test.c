/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the cook: the validation oracles of Appendix C, the counting examples of 1.8, level
 * instances, determinism, and the invariants over many generated worlds.
 */
#include "core/guid.h"
#include "format/check_numbers.h"
#include "tests/make/make.h"
#include "tests/unit/cook/cooking.h"

#include "cook/phases/cook_internal.h"
#include "core/identity.h"
#include "core/random.h"
#include "tests/samples/tap.h"
#include "world/world_internal.h"
#include <cellscope/cooked_values.h>

#define G(digits) \
	"\""      \
	"000000000000000000000000000000" digits "\""

/* An actor with a GUID of two digits, its own box, and whatever `rest` says. */
#define ACTOR(digits, actor_name, rest)                                                     \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[100,100,100]," \
			       "\"bounds_max\":[200,200,200]" rest "}\n"
#define SPATIAL    ""
#define NONSPATIAL ",\"spatially_loaded\":false"
#define TO(digits) ",\"references\":[" G(digits) "]"
#define ON(layers) ",\"data_layers\":[" layers "]"
#define GRID(name) ",\"grid\":\"" name "\""
#define IN(name)   ",\"parent\":" G(name)

#define LAYERS                                                                           \
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"layers\":["               \
	"{\"name\":\"X\",\"asset\":\"/Game/X\"},{\"name\":\"Y\",\"asset\":\"/Game/Y\"}," \
	"{\"name\":\"Z\",\"asset\":\"/Game/Z\",\"type\":\"editor\"}],"                   \
	"\"partitions\":[{\"name\":\"MainGrid\"},{\"name\":\"G1\"},{\"name\":\"G2\"}]}\n"

static bool always_loaded(const struct cooked_world *w, const char *actor)
{
	return cell_of(w, actor)->flags & CS_CELL_ALWAYS_LOADED;
}

static enum cs_severity severity_of(const struct cooked_world *w, size_t finding)
{
	return (enum cs_severity)w->c->findings[finding].severity;
}

static void test_spatial_oracles(void)
{
	struct cooked_world w =
		cook_lines(DOCUMENT ACTOR("01", "A", TO("02")) ACTOR("02", "B", NONSPATIAL), "5.4");
	is_int(findings_of(&w, CS_CHECK_STREAMED_REFERENCES_LOADED, 0), 1,
		"spatial -> non-spatial: one finding");
	is_int(severity_of(&w, 0), CS_WARNING, "a warning, since the referer is spatial");
	ok(always_loaded(&w, "A") && always_loaded(&w, "B"), "both are always loaded");
	cooked_free(&w);

	w = cook_lines(DOCUMENT ACTOR("01", "A", NONSPATIAL TO("02")) ACTOR("02", "B", ""), "5.4");
	is_int(severity_of(&w, 0), CS_ERROR, "non-spatial -> spatial: an error");
	ok(always_loaded(&w, "A") && always_loaded(&w, "B"), "both are always loaded");
	cooked_free(&w);

	w = cook_lines(DOCUMENT ACTOR("03", "C", TO("01")) ACTOR("01", "A", TO("02"))
			       ACTOR("02", "B", NONSPATIAL),
		"5.4");
	is_int(findings_of(&w, CS_CHECK_STREAMED_REFERENCES_LOADED, 0), 1,
		"C -> A -> B: pass 0 reports only A -> B");
	is_int(findings_of(&w, CS_CHECK_STREAMED_REFERENCES_LOADED, 1), 1, "pass 1 repairs C");
	const struct cs_cooked_finding *second = &w.c->findings[1];
	ok(second->actor == (uint32_t)(actor_named(&w, "C") - cs_cooked_actor(w.c, 0)) &&
			second->other == (uint32_t)(actor_named(&w, "A") - cs_cooked_actor(w.c, 0)),
		"its cause is the edge C -> A");
	is_int(second->cause, 0, "the root cause is the finding A -> B");
	ok(always_loaded(&w, "A") && always_loaded(&w, "B") && always_loaded(&w, "C"),
		"three always-loaded actors");
	cooked_free(&w);
}

static void test_layer_oracles(void)
{
	struct cooked_world w = cook_lines(
		LAYERS ACTOR("01", "A", ON("\"X\"") TO("02")) ACTOR("02", "B", ""), "5.4");
	is_int(findings_of(&w, CS_CHECK_REFERENCE_LAYERS, 0), 1, "{X} -> {}: an error");
	ok(cell_of(&w, "A")->layers.count == 0 && cell_of(&w, "B")->layers.count == 0,
		"both lose their layers");
	cooked_free(&w);
	w = cook_lines(LAYERS ACTOR("01", "A", ON("\"X\",\"Y\"") TO("02"))
			       ACTOR("02", "B", ON("\"/Game/Y\",\"X\"")),
		"5.4");
	is_int(w.c->n_findings, 0, "{X,Y} -> {Y,X}: nothing");
	is_int(cell_of(&w, "A")->layers.count, 2, "and the cell has both");
	cooked_free(&w);
	w = cook_lines(LAYERS ACTOR("01", "A", ON("\"Z\"") TO("02")) ACTOR("02", "B", ""), "5.4");
	is_int(w.c->n_findings, 0, "an editor layer does not count");
	cooked_free(&w);
	w = cook_lines(
		LAYERS ACTOR("01", "A", ON("\"unknown\"") TO("02")) ACTOR("02", "B", ""), "5.4");
	is_int(findings_of(&w, CS_CHECK_UNKNOWN_LAYER, 0), 1,
		"a layer without instance is dropped, and told");
	cooked_free(&w);
	w = cook_lines(
		"{\"cellscope_world\":1,\"layers\":[{\"name\":\"P\",\"asset\":\"/P\",\"external\":true},"
		"{\"name\":\"Q\",\"asset\":\"/Q\",\"external\":true}]}\n" ACTOR(
			"01", "A", ON("\"Q\",\"P\"")) ACTOR("02", "B", ON("\"Q\"")),
		"5.4");
	is_int(findings_of(&w, CS_CHECK_UNKNOWN_LAYER, 0), 1,
		"an actor's second external layer is dropped, and told");
	cooked_free(&w);
	w = cook_lines(
		"{\"cellscope_world\":1,\"layers\":[{\"name\":\"X\",\"asset\":\"/A\",\"parent\":\"Y\"}]}\n",
		"5.4");
	is_int(findings_of(&w, CS_CHECK_LAYER_HIERARCHY, 0), 1, "so is a parent that is nowhere");
	cooked_free(&w);
}

static void test_grid_oracles(void)
{
	struct cooked_world w =
		cook_lines(LAYERS ACTOR("01", "A", GRID("G1") TO("02")) ACTOR("02", "B", GRID("G2"))
				   ACTOR("03", "C", GRID("G1") TO("01")),
			"5.4");
	is_int(findings_of(&w, CS_CHECK_REFERENCE_GRID, 0), 1, "G1 -> G2: one error in pass 0");
	is_int(findings_of(&w, CS_CHECK_REFERENCE_GRID, 1), 1, "C follows in pass 1");
	is_text(cs_cooked_text(w.c, w.c->partitions[cell_of(&w, "C")->partition].name), "MainGrid",
		"all end in the default grid");
	cooked_free(&w);
	w = cook_lines(
		LAYERS ACTOR("01", "A", GRID("g1") TO("02")) ACTOR("02", "B", GRID("G1")), "5.4");
	is_int(w.c->n_findings, 0, "grid names compare without case");
	cooked_free(&w);
}

static void test_missing_oracles(void)
{
	struct cooked_world w = cook_lines(
		DOCUMENT ACTOR("01", "A", TO("02")) ACTOR(
			"02", "E", TO("01") ",\"editor_only\":true") ACTOR("03", "B", TO("77"))
			ACTOR("04", "C", TO("05")) ACTOR("05", "D", ",\"container\":\"/Game/L\"")
				ACTOR("06", "LI", ",\"level_instance\":{\"level\":\"/Game/L\"}"),
		"5.4");
	is_int(w.c->n_findings, 1, "editor-only and unknown targets are silent");
	is_int(findings_of(&w, CS_CHECK_MISSING_REFERENCE, 0), 1,
		"a target in another container is an error");
	is_text(cell_name_of(&w, "E"), "-", "editor-only actors are in no cell");
	is_int(actor_named(&w, "E")->placement, CS_UNPLACED_EDITOR_ONLY, "and it says why");
	is_int(cs_cooked_reference(w.c, actor_named(&w, "E")->references.first)->state,
		CS_REFERENCE_EDITOR, "what they reference is not tied to them");
	cooked_free(&w);
}

static void test_parent_oracles(void)
{
	struct cooked_world w = cook_lines(DOCUMENT ACTOR("01", "Child", NONSPATIAL IN("02"))
						   ACTOR("02", "Parent", ""),
		"5.4");
	is_int(w.c->n_findings, 0, "a child follows its parent without an error");
	ok(cell_of(&w, "Child") == cell_of(&w, "Parent") && !always_loaded(&w, "Child"),
		"into its cell");
	cooked_free(&w);
	w = cook_lines(DOCUMENT ACTOR("01", "A", IN("02")) ACTOR("02", "B", IN("03"))
			       ACTOR("03", "C", IN("01")),
		"5.4");
	ok(cell_of(&w, "A") == cell_of(&w, "C"), "a ring of parents is one cluster");
	cooked_free(&w);
	w = cook_lines("{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{"
		       "\"world_references\":[" G("01") "]},\"layers\":[{\"name\":\"X\","
							"\"asset\":\"/Game/X\"}]}\n" ACTOR(
								"01", "A", ON("\"X\"")),
		"5.4");
	ok(findings_of(&w, CS_CHECK_WORLD_REFERENCE_SPATIAL, 0) == 1 &&
			findings_of(&w, CS_CHECK_WORLD_REFERENCE_LAYERS, 0) == 1,
		"level script -> spatial actor with a layer: two errors");
	ok(always_loaded(&w, "A"), "always loaded, without layer");
	cooked_free(&w);
}

/*
 * Returns the number of streaming levels (1.8): three actors in one cell are 1 level; with layers
 * and grids there are 2, 3 and 6.
 */
static size_t levels(const struct cooked_world *w)
{
	size_t n = 0;
	for (size_t i = 0; i < w->c->n_cells; i++)
		n += !(cs_cooked_cell(w->c, i)->flags & CS_CELL_ALWAYS_LOADED);
	return n;
}

static void test_counting(void)
{
	struct cooked_world w = cook_lines(
		LAYERS ACTOR("01", "A", "") ACTOR("02", "B", "") ACTOR("03", "C", ""), "5.4");
	is_int(levels(&w), 1, "three actors in one place: 1 level");
	cooked_free(&w);
	w = cook_lines(LAYERS ACTOR("01", "A", "") ACTOR("02", "B", "")
			       ACTOR("03", "C", ON("\"X\"")),
		"5.4");
	is_int(levels(&w), 2, "one of them on a layer: 2");
	cooked_free(&w);
	w = cook_lines(LAYERS ACTOR("01", "A", GRID("MainGrid")) ACTOR("02", "B", GRID("G1"))
			       ACTOR("03", "C", GRID("G2")),
		"5.4");
	is_int(levels(&w), 3, "three grids: 3");
	cooked_free(&w);
	w = cook_lines(LAYERS ACTOR("01", "A", GRID("MainGrid")) ACTOR("02", "B", GRID("G1"))
			       ACTOR("03", "C", GRID("G2")) ACTOR("04", "D", ON("\"X\""))
				       ACTOR("05", "E", GRID("G1") ON("\"X\""))
					       ACTOR("06", "F", GRID("G2") ON("\"X\"")),
		"5.4");
	is_int(levels(&w), 6, "three grids, each with a layered twin: 6");
	cooked_free(&w);
}

static void test_names(void)
{
	const char *lines = LAYERS ACTOR("01", "A", "") ACTOR("02", "N", NONSPATIAL)
		ACTOR("03", "L", ON("\"X\""));
	struct cooked_world w = cook_lines(lines, "5.4");
	is_text(cell_name_of(&w, "A"), "M_MainGrid_0_0_0_0", "5.4: X_Y_Z_L");
	is_text(cell_name_of(&w, "N"), "M_PersistentLevel_Persistent", "5.4: persistent partition");
	char want[64];
	snprintf(want, sizeof(want), "M_MainGrid_0_0_0_0_d%08X", cs_identity_crc(0, "X"));
	is_text(cell_name_of(&w, "L"), want, "a cell with layers has their id in its name");
	is_text(cs_cooked_short_name(w.c, want), want + 2, "which maps show without the world");
	is_text(cs_cooked_short_name(w.c, "Mountain_0"), "Mountain_0",
		"where the name begins with all of it");
	cooked_free(&w);
	w = cook_lines(lines, "5.5");
	is_text(cell_name_of(&w, "A"), "M_MainGrid_L0_X0_Y0_Z0", "5.5: L_X_Y_Z");
	cooked_free(&w);
	w = cook_lines(lines, "5.7");
	is_text(cell_name_of(&w, "N"), "M_MainGrid_L-1_X0_Y0_Z0", "5.7: a non-spatial cell");
	ok(always_loaded(&w, "N"), "which is always loaded");
	is_int(cell_of(&w, "N")->hierarchical_level, INT32_MAX, "and sorts before everything");
	cooked_free(&w);
	/* renaming the map keeps GUIDs; another cell size changes all of them */
	struct cooked_world a = cook_lines(DOCUMENT ACTOR("01", "A", ""), "5.4");
	struct cooked_world b = cook_lines(
		"{\"cellscope_world\":1,\"package\":\"/Game/Renamed\"}\n" ACTOR("01", "A", ""),
		"5.4");
	struct cooked_world c =
		cook_lines("{\"cellscope_world\":1,\"partitions\":[{\"name\":\"MainGrid\","
			   "\"cell_size\":6400}]}\n" ACTOR("01", "A", ""),
			"5.4");
	ok(cs_guid_compare(cell_of(&a, "A")->guid, cell_of(&b, "A")->guid) == 0 &&
			cell_of(&a, "A")->name != 0,
		"renaming the map keeps the GUIDs of cells");
	ok(cs_guid_compare(cell_of(&a, "A")->guid, cell_of(&c, "A")->guid) != 0,
		"another cell size changes them");
	cooked_free(&a);
	cooked_free(&b);
	cooked_free(&c);
}

static void test_titles(void)
{
	struct cooked_world w = cook_lines(
		DOCUMENT ACTOR("01", "A", "") ACTOR("02", "B", ",\"label\":\"Big tree\""), "5.4");
	uint32_t a = (uint32_t)(actor_named(&w, "A") - cs_cooked_actor(w.c, 0));
	uint32_t b = (uint32_t)(actor_named(&w, "B") - cs_cooked_actor(w.c, 0));
	is_text(cs_cooked_actor_title(w.c, a), "A",
		"an actor without a label is called by its name");
	is_text(cs_cooked_actor_title(w.c, b), "Big tree", "else by its label");
	cooked_free(&w);
}

/* ---- level instances ---- */

/* A world of a house, and of a street with another house and a lamp: 4 instances with 6 actors. */
static const char houses[] = DOCUMENT "{\"guid\":" G(
	"01") ",\"name\":\"House\",\"transform\":{\"pos\":[50000,0,0]},"
	      "\"grid\":\"MainGrid\",\"level_instance\":{\"level\":\"/Game/House\"}}\n"
	      "{\"guid\":" G(
		      "02") ",\"name\":\"Street\",\"transform\":{\"pos\":[0,50000,0]},"
			    "\"level_instance\":{\"level\":\"/Game/Street\"}}\n"
			    "{\"guid\":" G(
				    "03") ",\"name\":\"HouseOnStreet\",\"container\":\"/Game/Street\","
					  "\"transform\":{\"pos\":[1000,0,0]},\"spatially_loaded\":false,"
					  "\"level_instance\":{\"level\":\"/Game/House\"}}\n"
					  "{\"guid\":" G(
						  "04") ",\"name\":\"Lamp\",\"container\":\"/Game/Street\","
							"\"bounds_min\":[0,0,0],\"bounds_max\":[10,10,10]}\n"
							"{\"guid\":" G(
								"05") ",\"name\":\"Chair\",\"container\":\"/Game/House\","
								      "\"bounds_min\":[0,0,0],\"bounds_max\":[10,10,10]}\n";

static void test_level_instances(void)
{
	struct cooked_world w = cook_lines(houses, "5.4");
	is_int(w.c->n_containers, 4, "main, House, Street, House on the Street");
	is_int(w.c->n_actors, 2 + 1 + 2 + 1, "six actor rows");
	const struct cs_cooked_actor *lamp = actor_named(&w, "Lamp");
	is_double(lamp->bounds.min.y, 50000, "bounds are in the world");
	size_t chairs = 0, loaded = 0;
	for (size_t i = 0; i < w.c->n_actors; i++) {
		const struct cs_cooked_actor *a = cs_cooked_actor(w.c, i);
		if (strcmp(cs_cooked_text(w.c, a->name), "Chair") != 0)
			continue;
		chairs++;
		loaded += (cs_cooked_cell(w.c, a->cell)->flags & CS_CELL_ALWAYS_LOADED) != 0;
	}
	is_int(chairs, 2, "the chair is in the world twice");
	is_int(loaded, 1, "once always loaded: the house on the street is not spatial");
	is_int(actor_named(&w, "House")->placement, CS_UNPLACED_CONTAINER,
		"the level instance itself is in no cell");
	is_text(broken_invariant(w.c) ? broken_invariant(w.c) : "-", "-", "invariants hold");
	cooked_free(&w);
}

/* The limit of memory counts an instance with its size, and each actor in it with 16 bytes. */
static void test_memory_of_instances(void)
{
	struct cs_world *world = read_lines(houses);
	struct cs_limits limits = cs_limits_default();
	const struct cs_job job = {.threads = 1, .limits = &limits};
	struct cs_cook *cook = NULL;
	limits.memory = 4 * sizeof(struct cs_instance) + 6 * 16;
	works(cs_cook(world, NULL, &job, &cook), "instances that just fit the limit memory");
	cs_cook_free(cook);
	limits.memory--;
	fails(cs_cook(world, NULL, &job, &cook), CS_E_LIMIT, "and not with a byte less");
	cs_world_free(world);
}

/* ---- determinism and invariants ---- */

static void test_threads(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 20000, 4};
	struct cs_world *world = NULL;
	works(make_test_world(&recipe, NULL, &world), "city");
	struct cooked_world one = cook_world(world, NULL, 1);
	for (int threads = 2; threads <= 8; threads *= 4) {
		struct cooked_world many = cook_world(world, NULL, threads);
		ok(many.size == one.size && memcmp(many.bytes, one.bytes, one.size) == 0,
			"the same bytes on %d threads", threads);
		cooked_free(&many);
	}
	is_text(broken_invariant(one.c) ? broken_invariant(one.c) : "-", "-",
		"invariants hold in the city");
	cooked_free(&one);
	cs_world_free(world);
}

/*
 * A cook that is opened without bytes has the same rows and texts as one that is opened from its
 * bytes.
 */
static void test_without_bytes(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 300, 4};
	struct cs_world *world;
	struct cs_cook *cook;
	struct cs_cooked *bare;
	works(make_test_world(&recipe, NULL, &world), "hard world");
	struct cooked_world full = cook_world(world, NULL, 2);
	works(cs_cook(world, NULL, NULL, &cook), "cooked");
	works(cs_cook_open(cook, &bare), "opened without bytes");
	works(cs_cooked_load_details(bare), "its details");
	works(cs_cooked_load_details(full.c), "those of the bytes");
	const struct cs_cooked *l = full.c;
	bool same = l->n_actors == bare->n_actors && l->n_sets == bare->n_sets &&
		    memcmp(cs_cooked_actor(l, 0), cs_cooked_actor(bare, 0),
			    l->n_actors * sizeof(struct cs_cooked_actor)) == 0 &&
		    memcmp(cs_cooked_set(l, 0), cs_cooked_set(bare, 0),
			    l->n_sets * sizeof(struct cs_cooked_set)) == 0 &&
		    memcmp(cs_cooked_detail(l, 0), cs_cooked_detail(bare, 0),
			    l->n_details * sizeof(struct cs_cooked_actor_detail)) == 0;
	for (size_t i = 0; same && i < l->n_actors; i++)
		same = strcmp(cs_cooked_text(l, cs_cooked_actor(l, i)->name),
			       cs_cooked_text(bare, cs_cooked_actor(bare, i)->name)) == 0;
	ok(same, "without bytes: the same actors, sets, details and names");
	cs_cooked_close(bare);
	cs_cook_free(cook);
	cooked_free(&full);
	cs_world_free(world);
}

/* A world whose actors are pushed in reverse cooks to the same bytes. */
static void test_order(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 2000, 4};
	struct cs_world *world = NULL;
	works(make_test_world(&recipe, NULL, &world), "hard world");
	struct cooked_world straight = cook_world(world, NULL, 2);
	for (size_t i = 0; i < world->actors.n / 2; i++) {
		struct cs_actor_row swap = world->actors.at[i];
		world->actors.at[i] = world->actors.at[world->actors.n - 1 - i];
		world->actors.at[world->actors.n - 1 - i] = swap;
	}
	world->sealed = false;
	struct cs_cook *cook;
	fails(cs_cook(world, NULL, NULL, &cook), CS_E_INTERNAL, "no cook of what is not sealed");
	works(cs_world_seal(world, NULL), "seal the reversed world");
	struct cooked_world reversed = cook_world(world, NULL, 2);
	ok(straight.size == reversed.size &&
			memcmp(straight.bytes, reversed.bytes, straight.size) == 0,
		"reversed input gives the same bytes");
	cooked_free(&straight);
	cooked_free(&reversed);
	cs_world_free(world);
}

/* ---- repairs (invariant 6) ---- */

/*
 * Returns the source actor of a cooked row, which is in the first instance of its level; CS_NONE
 * when there is none.
 */
static uint32_t source_of(struct cs_world *world, const struct cs_cooked *c, uint32_t row)
{
	const struct cs_cooked_container *container =
		&c->containers[cs_cooked_actor(c, row)->container];
	const char *package = cs_cooked_text(c, container->package);
	for (uint32_t i = 0; i < world->containers.n; i++) {
		uint32_t actor = cs_world_find_actor(world, i, cs_cooked_actor(c, row)->guid);
		bool main =
			container->parent == CS_NONE && cs_guid_is_zero(container->content_bundle);
		bool same =
			main ? world->containers.at[i].kind != CS_CONTAINER_BUNDLE &&
					world->containers.at[i].kind != CS_CONTAINER_LEVEL
			     : cs_name_compare(package,
				       cs_world_text(world, world->containers.at[i].package)) == 0;
		if (same && actor != CS_NONE)
			return actor;
	}
	return CS_NONE;
}

/* Removes the runtime layers of an actor; its external layer stays. */
static void drop_layers(struct cs_world *world, struct cs_actor *actor)
{
	for (uint32_t i = 0; i < actor->layers.count; i++) {
		uint32_t text = world->texts.at[actor->layers.first + i];
		uint32_t layer = cs_world_find_layer(world, cs_world_text(world, text));
		if (layer != CS_NONE && world->layers.at[layer].external && !actor->external_layer)
			actor->external_layer = text;
	}
	actor->layers.count = 0;
}

/* Lets the references that validation cut lead nowhere. */
static void drop_references(
	struct cs_world *world, const struct cs_cooked *c, uint32_t row, struct cs_actor *actor)
{
	for (uint32_t i = 0; i < cs_cooked_actor(c, row)->references.count; i++) {
		uint32_t state =
			cs_cooked_reference(c, cs_cooked_actor(c, row)->references.first + i)
				->state;
		if (state == CS_REFERENCE_ELSEWHERE || state == CS_REFERENCE_INVALID)
			world->guids.at[actor->references.first + i] =
				(struct cs_guid){0xdead, row, i, 1};
	}
}

/* Writes the repairs of validation into the source. */
static void repair(struct cs_world *world, const struct cs_cooked *c)
{
	for (uint32_t row = 0; row < c->n_actors; row++) {
		const uint32_t index = source_of(world, c, row);
		uint32_t flags = cs_cooked_actor(c, row)->flags;
		if (index == CS_NONE)
			continue;
		struct cs_actor whole = cs_world_actor(world, index), *actor = &whole;
		if (flags & CS_ACTOR_FORCED_NONSPATIAL)
			actor->flags &= ~CS_ACTOR_OWN_SPATIAL;
		if (flags & CS_ACTOR_FORCED_NO_GRID)
			actor->grid = 0;
		if (flags & CS_ACTOR_FORCED_NO_LAYERS)
			drop_layers(world, actor);
		if (cs_cooked_actor(c, row)->parent == CS_NONE)
			actor->parent = (struct cs_guid){0, 0, 0, 0};
		drop_references(world, c, row, actor);
		if (!cs_world_set_actor(world, index, actor))
			ok(false, "there is memory for a repaired actor");
	}
}

/* Returns the number of findings that repair() must have settled. */
static size_t unsettled(const struct cs_cooked *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_findings; i++) {
		uint32_t repair = c->findings[i].repair;
		n += repair == CS_REPAIR_NON_SPATIAL || repair == CS_REPAIR_NO_LAYERS ||
		     repair == CS_REPAIR_DROP_REFERENCE ||
		     (repair == CS_REPAIR_NO_GRID && c->findings[i].check != CS_CHECK_INVALID_GRID);
	}
	return n;
}

static void test_repairs(void)
{
	size_t found = 0, left = 0, moved = 0;
	for (uint64_t seed = 0; seed < 300; seed++) {
		const struct cs_world_recipe recipe = {CS_WORLD_HARD, 110 + seed % 40, seed};
		const struct cs_cook_options options = {.profile = seed % 2 ? "5.7" : "5.4"};
		struct cs_world *world = NULL;
		cs_error_free(make_test_world(&recipe, NULL, &world));
		struct cooked_world first = cook_world(world, &options, 1);
		repair(world, first.c);
		struct cooked_world second = cook_world(world, &options, 1);
		found += unsettled(first.c);
		left += unsettled(second.c);
		for (size_t i = 0; i < first.c->n_actors; i++)
			moved += strcmp(cs_cooked_actor(first.c, i)->cell == CS_NONE
						 ? "-"
						 : cs_cooked_text(first.c,
							   (*cs_cooked_cell(first.c,
								    cs_cooked_actor(first.c, i)
									    ->cell))
								   .name),
					 cs_cooked_actor(second.c, i)->cell == CS_NONE
						 ? "-"
						 : cs_cooked_text(second.c,
							   (*cs_cooked_cell(second.c,
								    cs_cooked_actor(second.c, i)
									    ->cell))
								   .name)) != 0;
		cooked_free(&first);
		cooked_free(&second);
		cs_world_free(world);
	}
	ok(found > 3000, "%zu repairs in 300 worlds", found);
	is_int(left, 0, "what was repaired is sound: validating it again finds nothing");
	is_int(moved, 0, "and every actor is in the same cell");
}

static void test_invariants(void)
{
	static const char *const profiles[] = {"5.0", "5.1", "5.4", "5.5", "5.6", "5.7"};
	const char *many = getenv("CELLSCOPE_COOKS");
	uint64_t worlds = many ? strtoull(many, NULL, 10) : 2500, broken = 0;
	for (uint64_t seed = 0; seed < worlds && broken < 5; seed++) {
		const struct cs_world_recipe recipe = {CS_WORLD_HARD, 110 + seed % 40, seed};
		struct cs_cook_options options = {0, profiles[seed % 6], seed % 2};
		struct cs_world *world = NULL;
		struct cs_error *error = make_test_world(&recipe, NULL, &world);
		if (error) {
			cs_error_free(error);
			broken++;
			continue;
		}
		world->settings.hash_class = seed / 6 % 2;
		world->settings.aligned = seed / 12 % 2;
		world->settings.small_by_location = seed / 24 % 2;
		struct cooked_world w = cook_world(world, &options, 1);
		const char *what = broken_invariant(w.c);
		if (what)
			diag("seed %llu: not true that %s", (unsigned long long)seed, what);
		broken += what != NULL;
		if (seed % 20 == 0) {
			/* in every second one, memory has room for few items of an array */
			cs_large_limit(seed % 40 ? 0 : 4096);
			cs_error_free(cs_world_shuffle(world, seed, NULL));
			struct cooked_world other = cook_world(world, &options, 2);
			cs_large_limit(0);
			broken += other.size != w.size || memcmp(other.bytes, w.bytes, w.size) != 0;
			cooked_free(&other);
		}
		cooked_free(&w);
		cs_world_free(world);
	}
	is_int(broken, 0, "the cook invariants hold in %llu worlds", (unsigned long long)worlds);
}

/* ---- finding actors by GUID, however the GUIDs lie ---- */

enum { FOUND_ACTORS = 300 };

/* GUIDs of actor i that agree in their first bits, lie evenly, in two crowds, or at both ends. */
static struct cs_guid guid_of_kind(int kind, uint32_t i)
{
	struct cs_random random = {i};
	const struct cs_guid kinds[] = {
		cs_random_guid(&random),
		{7, 7, 0, i + 1},
		{0, i + 1, 0, 0},
		{i % 2 ? UINT32_MAX : 0, i, 5, i + 1},
		{i == 0 ? 1 : UINT32_MAX, i == 0 ? 0 : UINT32_MAX, 0, i + 1},
	};
	return kinds[kind];
}

/* Each actor refers to three others, and to a GUID next to one that exists. */
static void write_finder(FILE *file, int kind, uint32_t i)
{
	char guid[CS_GUID_TEXT];
	cs_guid_format(guid_of_kind(kind, i), guid);
	fprintf(file, "{\"guid\":\"%s\",\"name\":\"A%u\",\"references\":[", guid, i);
	for (uint32_t k = 1; k <= 3; k++) {
		cs_guid_format(guid_of_kind(kind, (i * k + 7) % FOUND_ACTORS), guid);
		fprintf(file, "\"%s\",", guid);
	}
	struct cs_guid missing = guid_of_kind(kind, i);
	missing.d += FOUND_ACTORS * 2;
	cs_guid_format(missing, guid);
	fprintf(file, "\"%s\"]}\n", guid);
}

/* Returns how many references do not name the row that a search through all actors finds. */
static size_t wrong_references(const struct cs_cooked *c)
{
	size_t wrong = 0;
	for (size_t i = 0; i < c->n_references; i++) {
		const struct cs_cooked_reference *reference = cs_cooked_reference(c, i);
		uint32_t row = CS_NONE;
		for (uint32_t a = 0; a < c->n_actors; a++)
			if (cs_guid_compare(cs_cooked_actor(c, a)->guid, reference->guid) == 0)
				row = a;
		wrong += reference->actor != row;
	}
	return wrong;
}

static void test_finding(void)
{
	for (int kind = 0; kind < 5; kind++) {
		char *lines;
		size_t size;
		FILE *file = open_memstream(&lines, &size);
		fputs(DOCUMENT, file);
		for (uint32_t i = 0; i < FOUND_ACTORS; i++)
			write_finder(file, kind, i);
		fclose(file);
		struct cooked_world w = cook_lines(lines, "5.4");
		is_int(w.c->n_references, 4 * FOUND_ACTORS, "kind %d of GUIDs", kind);
		is_int(wrong_references(w.c), 0, "their actors are found, no others");
		cooked_free(&w);
		free(lines);
	}
}

int main(void)
{
	test_spatial_oracles();
	test_layer_oracles();
	test_grid_oracles();
	test_missing_oracles();
	test_parent_oracles();
	test_counting();
	test_names();
	test_titles();
	test_level_instances();
	test_memory_of_instances();
	test_threads();
	test_without_bytes();
	test_order();
	test_repairs();
	test_invariants();
	test_finding();
	return done();
}
