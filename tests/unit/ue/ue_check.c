/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooks of the engine, checked and compared: a town that is sound, each of its facts damaged so
 * that one rule says so, and our own cook of a world written as the engine would have cooked it.
 */
#include "format/cooked_inside.h"
#include "tests/samples/engine_container.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include "ue/container/file_list.h"
#include "ue/map/check_cooked.h"

#include <cellscope/compare.h>
#include <cellscope/ue.h>

#include <sys/stat.h>

static char folder[4096];

static void new_folder(void)
{
	fresh_folder(folder, sizeof(folder), "ue_check");
	mkdir(folder, 0777);
}

static struct cs_ue_place *open_cook(const json_t *cook, const struct engine_form *form)
{
	struct cs_ue_place *place = NULL;
	new_folder();
	ok(engine_cook_save(cook, form, folder), "a cook on disk");
	works(cs_ue_place_open(folder, NULL, NULL, &place), "opens");
	return place;
}

/* ---- verify ---- */

struct heard {
	const char *rule; /* that is listened for */
	size_t of_rule, others;
	char first[512];
};

static void hear(void *context, const struct cs_finding *finding)
{
	struct heard *heard = context;
	bool wanted = heard->rule && strcmp(finding->rule, heard->rule) == 0;
	if (wanted)
		heard->of_rule++;
	else
		heard->others++;
	if (!wanted && !heard->first[0])
		snprintf(heard->first, sizeof(heard->first), "%s: %s: %s", finding->rule,
			finding->place, finding->message);
}

static struct cs_ue_checked check(
	const json_t *cook, const struct engine_form *form, struct heard *heard)
{
	struct cs_ue_checked checked = {0};
	struct cs_ue_place *place = open_cook(cook, form);
	if (place)
		works(cs_ue_place_check_map(place, NULL, NULL, NULL, hear, heard, &checked),
			"is checked");
	cs_ue_place_close(place);
	return checked;
}

static void test_sound(enum cs_ue_release release, bool hash_set)
{
	const struct engine_town town = {release, hash_set, 3, true};
	const struct engine_form form = {.release = release};
	struct heard heard = {NULL, 0, 0, ""};
	json_t *cook = engine_cook_town(&town);
	const struct cs_ue_checked checked = check(cook, &form, &heard);
	const char *name = cs_ue_releases[release].name;
	is_int(heard.others, 0, "%s: a sound cook has no findings", name);
	if (heard.others)
		diag("%s", heard.first);
	is_int(checked.cells, 11, "%s: its cells", name);
	is_int(checked.packages, 10, "%s: a package for each that streams", name);
	is_int(checked.actors, 10, "%s: an actor in each", name);
	is_int(checked.back, 10, "%s: each of which names its cell", name);
	is_int(checked.table, 10, "%s: and lies where the table says", name);
	is_int(checked.bounds, 10, "%s: contents touch their cells", name);
	is_int(checked.keys, hash_set ? 0 : 11, "%s: keys of the grid", name);
	is_int(checked.names, release < CS_UE_5_3 ? 0 : 11, "%s: names that hash", name);
	is_int(checked.guids, release < CS_UE_5_3 ? 0 : 11, "%s: GUIDs that follow", name);
	json_decref(cook);
}

/* A map without any of its packages is reported once. */
static void test_map_alone(void)
{
	const struct engine_town town = {CS_UE_5_6, true, 3, true};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct heard heard = {"cell_package", 0, 0, ""};
	json_t *cook = engine_cook_town(&town), *cell;
	size_t i;
	json_array_foreach (json_object_get(cook, "cells"), i, cell)
		json_object_set_new(cell, "no_package", json_true());
	const struct cs_ue_checked checked = check(cook, &form, &heard);
	is_int(checked.packages, 0, "a map alone has no package");
	is_int(heard.of_rule, 1, "and is told so once, not for each cell");
	json_decref(cook);
}

/* ---- what each rule finds ---- */

static const char *text_of(const struct cs_cooked *world, uint32_t text)
{
	return cs_cooked_text(world, text);
}

static json_t *cell_at(json_t *cook, size_t i)
{
	return json_array_get(json_object_get(cook, "cells"), i);
}

static void set_text(json_t *object, const char *key, const char *value)
{
	json_object_set_new(object, key, json_string(value));
}

static void no_package(json_t *cook)
{
	json_object_set_new(cell_at(cook, 2), "no_package", json_true());
}

static void same_package(json_t *cook)
{
	json_object_set(cell_at(cook, 1), "package", json_object_get(cell_at(cook, 2), "short"));
}

static void wrong_way_back(json_t *cook)
{
	set_text(cell_at(cook, 1), "back", "0000000000000000000000000");
}

static void wrong_name(json_t *cook)
{
	set_text(cell_at(cook, 1), "name", "Town_MainGrid_L0_X9_Y9_Z0");
}

static void wrong_guid(json_t *cook)
{
	set_text(cell_at(cook, 1), "guid", "00000001000000020000000300000004");
}

static void same_guid(json_t *cook)
{
	json_object_set(cell_at(cook, 1), "guid", json_object_get(cell_at(cook, 2), "guid"));
}

static void no_such_layer(json_t *cook)
{
	json_object_set_new(cell_at(cook, 1), "layers", json_pack("[s]", "DataLayer_Nowhere"));
}

static void wrong_key(json_t *cook)
{
	json_t *level = json_array_get(json_object_get(json_object_get(cook, "grid"), "levels"), 0);
	json_array_set_new(json_array_get(level, 3), 0, json_integer(24));
}

static void wrong_place(json_t *cook)
{
	json_object_set_new(cell_at(cook, 5), "position", json_pack("[f,f,f]", 1.0, 2.0, 0.0));
	json_object_set_new(cell_at(cook, 5), "bounds_min", json_pack("[f,f,f]", -1e6, -1e6, 0.0));
}

static void wrong_content(json_t *cook)
{
	json_object_set_new(cell_at(cook, 5), "content_min", json_pack("[f,f,f]", 9e5, 9e5, 0.0));
	json_object_set_new(
		cell_at(cook, 5), "content_max", json_pack("[f,f,f]", 9.1e5, 9.1e5, 1.0));
}

static void small_world(json_t *cook)
{
	json_t *box = json_object_get(json_object_get(cook, "grid"), "WorldBounds");
	json_object_set_new(box, "max", json_pack("[f,f,f]", 10.0, 10.0, 10.0));
}

static void wrong_table(json_t *cook)
{
	json_object_set_new(cell_at(cook, 1), "table", json_pack("[s]", "SomethingElse"));
}

static void actor_in_two(json_t *cook)
{
	json_object_set(cell_at(cook, 1), "actors", json_object_get(cell_at(cook, 2), "actors"));
	json_object_set_new(cell_at(cook, 1), "table", json_array());
}

static void old_hlod(json_t *cook)
{
	json_array_append_new(json_object_get(cook, "hlods"),
		json_pack("[s, s, s]", "Hlod", "HLOD0/Cell", "00000001000000020000000300000004"));
	json_array_append_new(json_object_get(cook, "map_actors"), json_string("Hlod"));
}

static void other_grid(json_t *cook)
{
	set_text(json_object_get(cook, "grid"), "GridName", "Elsewhere");
}

static const struct {
	const char *what, *rule;
	void (*spoil)(json_t *cook);
	enum { BOTH, GRID_ALONE, SET_ALONE } of;
	bool alone; /* no other rule finds it */
} damages[] = {
	{"a package that is not there", "cell_package", no_package, BOTH, false},
	{"one package for two cells", "cell_package", same_package, BOTH, false},
	{"a package of another cell", "cell_back", wrong_way_back, BOTH, true},
	{"a name of another place", "cell_name", wrong_name, BOTH, false},
	{"a GUID of nothing", "cell_guid", wrong_guid, BOTH, true},
	{"a GUID of another cell", "cell_twice", same_guid, BOTH, false},
	{"a layer that is not there", "cell_layers", no_such_layer, BOTH, true},
	{"a key of another place", "cell_key", wrong_key, GRID_ALONE, false},
	{"another place", "cell_place", wrong_place, BOTH, false},
	{"contents elsewhere", "cell_content", wrong_content, BOTH, false},
	{"a grid that is too small", "grid_bounds", small_world, GRID_ALONE, true},
	{"a table that is not true", "actor_table", wrong_table, BOTH, true},
	{"an actor in two cells", "actor_twice", actor_in_two, BOTH, false},
	{"HLODs of another cook", "hlod_source", old_hlod, BOTH, true},
	{"another grid than the names say", "cell_grid", other_grid, BOTH, false},
};

static void test_damage(bool hash_set)
{
	const enum cs_ue_release release = hash_set ? CS_UE_5_6 : CS_UE_5_3;
	const struct engine_town town = {release, hash_set, 3, true};
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct heard heard = {damages[i].rule, 0, 0, ""};
		json_t *cook = engine_cook_town(&town);
		if (damages[i].of == (hash_set ? GRID_ALONE : SET_ALONE)) {
			json_decref(cook);
			continue;
		}
		damages[i].spoil(cook);
		check(cook, &(struct engine_form){.release = release}, &heard);
		if (!ok(heard.of_rule > 0, "%s: found by %s", damages[i].what, damages[i].rule))
			diag("%zu others: %s", heard.others, heard.first);
		ok(!damages[i].alone || heard.others == 0, "%s: and by nothing else",
			damages[i].what);
		if (damages[i].alone && heard.others)
			diag("%s", heard.first);
		json_decref(cook);
	}
}

static void test_orphan(void)
{
	const struct engine_town town = {CS_UE_5_6, true, 3, false};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct cs_ue_place *place = NULL;
	struct cs_ue_checked checked;
	struct heard heard = {"package_cell", 0, 0, ""};
	json_t *cook = engine_cook_town(&town);
	cs_ue_place_close(open_cook(cook, &form));
	json_array_remove(json_object_get(cook, "cells"), 3);
	ok(engine_cook_save(cook, &form, folder), "cooked again, without a cell");
	works(cs_ue_place_open(folder, NULL, NULL, &place), "opens");
	works(cs_ue_place_check_map(place, NULL, NULL, NULL, hear, &heard, &checked), "checked");
	is_int(heard.of_rule, 1, "a package that no cell wants");
	is_int(heard.others, 0, "and nothing else");
	cs_ue_place_close(place);
	json_decref(cook);
}

/*
 * Names of the engine are equal whatever their case: a layer that passes the check is not lost
 * later.
 */
static void test_case_of_layer(void)
{
	const struct engine_town town = {CS_UE_5_6, true, 3, true};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct cs_cooked *world = NULL;
	struct cs_ue_checked checked;
	struct heard heard = {"cell_layers", 0, 0, ""};
	unsigned char *bytes = NULL;
	size_t size = 0, layered = 0;
	json_t *cook = engine_cook_town(&town);
	json_object_set_new(
		cook, "layers", json_pack("[s]", "DATALAYER_01A6DF4C49FC13A57E668C9631F7EE64"));
	struct cs_ue_place *place = open_cook(cook, &form);
	works(cs_ue_place_check_map(place, NULL, NULL, NULL, hear, &heard, &checked), "checked");
	if (!ok(heard.of_rule + heard.others == 0, "a layer in capitals is the layer"))
		diag("%s", heard.first);
	works(cs_ue_place_open_map(place, NULL, NULL, NULL, &bytes, &size), "its world");
	works(cs_cooked_open_bytes(bytes, size, "town", NULL, &world), "opens");
	for (size_t i = 0; i < world->n_cells; i++)
		layered += cs_cooked_cell(world, i)->layers.count == 1;
	is_int(layered, 1, "and its cell is on it");
	cs_cooked_close(world);
	free(bytes);
	cs_ue_place_close(place);
	json_decref(cook);
}

/* Opens a map, checks it, and returns how many of its actors have a class: those in packages. */
static size_t known_actors(const struct cs_ue_place *place, const char *map, const char *what)
{
	struct cs_cooked *world = NULL;
	struct cs_ue_checked checked = {0};
	struct heard heard = {"none", 0, 0, ""};
	unsigned char *bytes = NULL;
	size_t size = 0, known = 0;
	works(cs_ue_place_open_map(place, map, NULL, NULL, &bytes, &size), "%s: a world", what);
	works(cs_cooked_open_bytes(bytes, size, "town", NULL, &world), "%s: opens", what);
	for (size_t i = 0; world && i < world->n_actors; i++)
		known += *text_of(world, cs_cooked_actor(world, i)->native_class) != 0;
	works(cs_ue_place_check_map(place, map, NULL, NULL, hear, &heard, &checked), "%s: checked",
		what);
	if (!ok(heard.others == 0, "%s: nothing is wrong", what))
		diag("%s", heard.first);
	is_int(checked.actors + 3, known, "%s: the check sees the same packages", what);
	cs_cooked_close(world);
	free(bytes);
	return known;
}

/* The packages of cells are those below the map, whatever the folder that was opened is called. */
static void test_where_cells_are(void)
{
	static const char *const below[] = {
		"", "/Town", "/Town/Content", "/Town/Content/Maps", "/Town/Content/Maps/Town.umap"};
	const struct engine_form form = {.release = CS_UE_5_6};
	char path[5000];
	size_t counts[2];
	struct cs_ue_place *place = NULL;
	new_folder();
	for (int i = 0; i < 2; i++) {
		const struct engine_town town = {CS_UE_5_6, true, 3 - i, true};
		json_t *cook = engine_cook_town(&town);
		snprintf(path, sizeof(path), "%s/%s", folder, i ? "Windows" : "Linux");
		mkdir(path, 0777);
		ok(engine_cook_save(cook, &form, path), "two cooks: saved");
		json_decref(cook);
		for (size_t k = 0; k < CS_COUNT_OF(below); k++) {
			snprintf(path, sizeof(path), "%s/%s%s", folder, i ? "Windows" : "Linux",
				below[k]);
			works(cs_ue_place_open(path, NULL, NULL, &place), "%s", path);
			size_t known = known_actors(place, NULL, below[k]);
			counts[i] = k ? counts[i] : known;
			is_int(known, counts[i], "%s: as many actors", below[k]);
			cs_ue_place_close(place);
		}
	}
	ok(counts[0] > counts[1], "two cooks: one has more cells");
	works(cs_ue_place_open(folder, NULL, NULL, &place), "two cooks in a folder");
	fails(cs_ue_place_open_map(place, NULL, NULL, NULL, NULL, NULL), CS_E_NOMAP,
		"two cooks: no map is the only one");
	fails(cs_ue_place_open_map(place, "/Game/Maps/Town", NULL, NULL, NULL, NULL),
		CS_E_AMBIGUOUS, "two cooks: its package name means both");
	is_int(known_actors(place, "Linux/Town/Content/Maps/Town.umap", "Linux"), counts[0],
		"two cooks: the first has its cells");
	is_int(known_actors(place, "Windows/Town/Content/Maps/Town.umap", "Windows"), counts[1],
		"two cooks: the second has its own");
	cs_ue_place_close(place);
}

/* Of maps of which none can be read, the reason of the first is told. */
static void test_no_readable_map(void)
{
	struct cs_ue_place *place = NULL;
	new_folder();
	ok(engine_save_bytes("A", 1, folder, "A.umap") &&
			engine_save_bytes("B", 1, folder, "B.umap"),
		"two maps of a byte");
	works(cs_ue_place_open(folder, NULL, NULL, &place), "are a place");
	struct cs_error *error = cs_ue_place_open_map(place, NULL, NULL, NULL, NULL, NULL);
	ok(error && strstr(error->message, "2 of 2 maps") && strstr(error->message, "A.umap"),
		"maps: their number and the first: %s", error ? error->message : "none");
	fails(error, CS_E_TRUNCATED, "maps: its reason");
	cs_ue_place_close(place);
}

/* A package lists its layers in any order; no layer loses its parent for coming before it. */
static void test_parents_of_layers(void)
{
	static const struct {
		const char *name, *parent;
	} rows[] = {{"Lamp", "Night"}, {"Night", "Time"}, {"Time", NULL}, {"Rain", "time"},
		{"A", "B"}, {"B", "C"}, {"C", "B"}, {"Own", "Own"}};
	const struct engine_town town = {CS_UE_5_6, true, 1, false};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct cs_cooked *world = NULL;
	unsigned char *bytes = NULL;
	size_t size = 0;
	json_t *cook = engine_cook_town(&town), *names = json_array(), *parents = json_object();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_array_append_new(names, json_string(rows[i].name));
		if (rows[i].parent)
			json_object_set_new(parents, rows[i].name, json_string(rows[i].parent));
	}
	json_object_set_new(cook, "layers", names);
	json_object_set_new(cook, "layer_parents", parents);
	struct cs_ue_place *place = open_cook(cook, &form);
	works(cs_ue_place_open_map(place, NULL, NULL, NULL, &bytes, &size), "layers: a world");
	works(cs_cooked_open_bytes(bytes, size, "town", NULL, &world), "layers: opens");
	char told[200] = "";
	for (size_t i = 0; world && i < world->n_layers; i++) {
		const struct cs_cooked_layer *layer = &world->layers[i];
		size_t at = strlen(told);
		snprintf(told + at, sizeof(told) - at, "%s<%s ", text_of(world, layer->name),
			layer->parent == CS_NONE
				? "-"
				: text_of(world, world->layers[layer->parent].name));
	}
	is_text(told, "Time<- Night<Time Lamp<Night Rain<Time C<- B<C A<B Own<- ",
		"layers: each has its parent, and a cycle is open at one");
	cs_cooked_close(world);
	free(bytes);
	cs_ue_place_close(place);
	json_decref(cook);
}

/* ---- diff ---- */

static json_t *point(struct cs_vec3 at)
{
	return json_pack("[f,f,f]", at.x, at.y, at.z);
}

/* Returns a cell of our cook in the form of the engine's facts. */
static json_t *fact_of_cell(const struct cs_cooked *world, const struct cs_cooked_cell *cell)
{
	char guid[CS_GUID_TEXT];
	bool always = cell->flags & CS_CELL_ALWAYS_LOADED;
	json_t *actors = json_array();
	cs_guid_format(cell->guid, guid);
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row = cs_cooked_id(world, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		json_array_append_new(
			actors, json_string(text_of(world, cs_cooked_actor(world, row)->name)));
	}
	json_t *fact = json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:b, s:o, s:o, s:o}", "name",
		text_of(world, cell->name), "short", text_of(world, cell->package), "guid", guid,
		"level", always ? 0 : cell->level, "x", (json_int_t)cell->x, "y",
		(json_int_t)cell->y, "always", always, "actors", actors, "content_min",
		point(cell->content.min), "content_max", point(cell->content.max));
	if (cs_box_valid(&cell->box) && !always) {
		json_object_set_new(fact, "bounds_min", point(cell->box.min));
		json_object_set_new(fact, "bounds_max", point(cell->box.max));
	}
	if (cell->layers.count > 0) {
		json_t *layers = json_array();
		for (uint32_t i = 0; i < cell->layers.count; i++) {
			uint32_t row = world->cell_layers[cell->layers.first + i];
			json_array_append_new(
				layers, json_string(text_of(world, world->layers[row].name)));
		}
		json_object_set_new(fact, "layers", layers);
	}
	return fact;
}

static json_t *facts_of(const struct cs_cooked *world)
{
	json_t *cells = json_array(), *map_actors = json_array(), *cell;
	size_t i, k;
	for (uint32_t row = 0; row < world->n_cells; row++)
		json_array_append_new(cells, fact_of_cell(world, cs_cooked_cell(world, row)));
	json_array_foreach (cells, i, cell) {
		json_t *actor;
		if (!json_is_true(json_object_get(cell, "always")))
			continue;
		json_array_foreach (json_object_get(cell, "actors"), k, actor) {
			json_array_append(map_actors, actor);
		}
	}
	json_t *layers = json_array();
	for (uint32_t row = 0; row < world->n_layers; row++)
		json_array_append_new(layers, json_string(text_of(world, world->layers[row].name)));
	return json_pack("{s:s, s:s, s:{s:s, s:f, s:[f,f,f,f]}, s:o, s:o, s:[], s:o}", "map",
		text_of(world, world->world->package), "hash", "HashSet", "grid", "GridName",
		text_of(world, world->partitions[0].name), "LoadingRange",
		world->partitions[0].loading_range, "DebugColor", 0.0, 0.0, 0.0, 1.0, "cells",
		cells, "map_actors", map_actors, "hlods", "layers", layers);
}

/* Opens the facts as a cooked world and compares it; *ret becomes the rows of the comparison. */
static const struct cs_comparison *compare_with(
	struct cs_cooked *ours, const json_t *facts, struct cs_cooked **theirs_ret)
{
	const struct engine_form form = {.release = CS_UE_5_4};
	struct cs_ue_place *place = open_cook(facts, &form);
	const struct cs_comparison *comparison = NULL;
	unsigned char *bytes = NULL;
	size_t size = 0;
	*theirs_ret = NULL;
	works(cs_ue_place_open_map(place, NULL, NULL, NULL, &bytes, &size), "as a world");
	works(cs_cooked_open_bytes(bytes, size, "theirs", NULL, theirs_ret), "that holds");
	works(cs_compare_engine(ours, &(struct cs_engine_side){.cooked = *theirs_ret}, &comparison),
		"is compared");
	cs_ue_place_close(place);
	/* the world reads from the bytes */
	static unsigned char *kept;
	free(kept);
	kept = bytes;
	return comparison;
}

static void check_verdict(struct cs_cooked *ours, const json_t *facts,
	enum cs_compare_verdict verdict, size_t rows, const char *what)
{
	struct cs_cooked *theirs;
	const struct cs_comparison *comparison = compare_with(ours, facts, &theirs);
	if (comparison) {
		is_int(comparison->verdict, verdict, "%s: %s", what,
			cs_word(CS_WORDS_VERDICT, verdict)->name);
		is_int(comparison->n, rows, "%s: %zu differences", what, rows);
		for (size_t i = 0; i < comparison->n && comparison->n != rows && i < 5; i++)
			diag("%s %s %s", cs_word(CS_WORDS_COMPARED, comparison->rows[i].kind)->name,
				cs_word(CS_WORDS_CHANGE, comparison->rows[i].change)->name,
				comparison->rows[i].name);
	}
	cs_comparison_free(comparison);
	cs_cooked_close(theirs);
}

static json_t *fact_with_actors(json_t *facts, size_t nth)
{
	json_t *cell;
	size_t i;
	json_array_foreach (json_object_get(facts, "cells"), i, cell) {
		bool usable = !json_is_true(json_object_get(cell, "always")) &&
			      json_array_size(json_object_get(cell, "actors")) > 0;
		if (usable && nth-- == 0)
			return cell;
	}
	return NULL;
}

/*
 * Compares the world of the fixtures, cooked as 5.4 cooks, with the engine's packages of that cook.
 */
static void test_diff(const char *fixture)
{
	struct cooked_world cooked = cook_lines(fixture, "5.4");
	struct cs_cooked *ours = cooked.c;
	works(cs_cooked_load_details(ours), "our cook");
	json_t *facts = facts_of(ours), *spoiled;
	check_verdict(ours, facts, CS_COMPARE_SAME, 0, "our cook as the engine's");
	spoiled = json_deep_copy(facts);
	json_t *moved = json_incref(
		json_array_get(json_object_get(fact_with_actors(spoiled, 0), "actors"), 0));
	json_array_remove(json_object_get(fact_with_actors(spoiled, 0), "actors"), 0);
	json_array_append_new(json_object_get(fact_with_actors(spoiled, 3), "actors"), moved);
	check_verdict(ours, spoiled, CS_COMPARE_UNEXPLAINED, 1, "an actor in another cell");
	json_decref(spoiled);
	spoiled = json_deep_copy(facts);
	set_text(fact_with_actors(spoiled, 1), "guid", "00000001000000020000000300000004");
	check_verdict(ours, spoiled, CS_COMPARE_UNEXPLAINED, 1, "a cell of another GUID");
	json_decref(spoiled);
	spoiled = json_deep_copy(facts);
	json_array_append_new(json_object_get(spoiled, "layers"), json_string("DataLayer_Mine"));
	check_verdict(ours, spoiled, CS_COMPARE_UNEXPLAINED, 1, "a layer more");
	json_decref(spoiled);
	json_decref(facts);
	cooked_free(&cooked);
}

static char *read_fixture(void)
{
	const char *source = getenv("CELLSCOPE_SOURCE");
	char path[4096], *text = calloc(1, 1 << 20);
	snprintf(path, sizeof(path), "%s/fixtures/valley.json", source ? source : ".");
	FILE *file = fopen(path, "r");
	ok(text && file && fread(text, 1, (1 << 20) - 1, file) > 0, "the world of the fixtures");
	if (file)
		fclose(file);
	return text;
}

/* ---- the profile ---- */

/* Headers of 5.2 to 5.5 are alike, so the form of names of cells tells these versions apart. */
static void test_profile(enum cs_ue_release release)
{
	const struct engine_town town = {release, true, 3, false};
	const struct engine_form form = {.release = release};
	const struct cs_ue_cooked_options options = {.size = sizeof(options), .names_alone = true};
	const char *name = cs_ue_releases[release].name;
	struct cs_cooked *world = NULL;
	unsigned char *bytes = NULL;
	size_t size = 0;
	json_t *cook = engine_cook_town(&town);
	struct cs_ue_place *place = open_cook(cook, &form);
	works(cs_ue_place_open_map(place, NULL, &options, NULL, &bytes, &size), "%s: names", name);
	works(cs_cooked_open_bytes(bytes, size, "town", NULL, &world), "%s: a world", name);
	is_text(text_of(world, world->world->engine), "5.2, 5.3, 5.4, 5.5",
		"%s: the header does not say it", name);
	is_text(text_of(world, world->world->profile), name, "%s: the names do", name);
	cs_cooked_close(world);
	free(bytes);
	cs_ue_place_close(place);
	json_decref(cook);
}

/* ---- all of a place ---- */

static void test_place(void)
{
	const struct engine_town town = {CS_UE_5_4, true, 3, true};
	const struct engine_form form = {.release = CS_UE_5_4};
	struct heard heard = {NULL, 0, 0, ""};
	json_t *cook = engine_cook_town(&town);
	const struct cs_ue_checked one = check(cook, &form, &heard);
	struct cs_ue_place *place = NULL;
	struct cs_ue_place_checked all;
	struct cs_findings findings = {0};
	works(cs_ue_place_open(folder, NULL, NULL, &place), "place: opens again");
	works(cs_ue_place_check(place, NULL, NULL, &findings, &all), "place: is checked");
	is_int(all.maps, 1, "place: one map");
	is_int(all.meshes, 0, "place: no mesh");
	ok(memcmp(&all.all, &one, sizeof(one)) == 0, "place: sums are those of its map");
	is_int(findings.n, 0, "place: nothing is wrong");
	works(cs_ue_place_check(place, "Nowhere", NULL, &findings, &all),
		"place: a map that is not there");
	ok(findings.n == 1 && strcmp(findings.at[0].rule, "source") == 0 &&
			cs_findings_refuse(&findings),
		"place: is a finding: %s", findings.n ? findings.at[0].message : "none");
	struct cs_ue_place_map *maps;
	size_t n, partitioned = 0;
	works(cs_ue_place_maps(place, NULL, &maps, &n), "place: its maps");
	for (size_t i = 0; i < n; i++)
		partitioned += maps[i].partitioned;
	is_int(partitioned, 1, "place: one of %zu is partitioned", n);
	is_text(cs_ue_place_path(place), folder, "place: where it was opened");
	free(maps);
	cs_ue_place_close(place);
	free(findings.at);
	json_decref(cook);
}

int main(void)
{
	test_sound(CS_UE_5_1, false);
	test_sound(CS_UE_5_3, false);
	test_sound(CS_UE_5_4, true);
	test_sound(CS_UE_5_6, true);
	test_sound(CS_UE_5_8, true);
	test_map_alone();
	test_place();
	test_damage(false);
	test_damage(true);
	test_orphan();
	test_case_of_layer();
	test_parents_of_layers();
	test_where_cells_are();
	test_no_readable_map();
	test_profile(CS_UE_5_4);
	test_profile(CS_UE_5_5);
	char *fixture = read_fixture();
	test_diff(fixture);
	free(fixture);
	return done();
}
