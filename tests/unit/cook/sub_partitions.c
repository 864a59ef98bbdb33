/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of standalone level instances: each is a partition by itself, with its transform, the cell
 * that holds it and the settings of its level; what cannot be one says why.
 */
#include "format/cooked_inside.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/folder.h"
#include "tests/unit/cook/cooking.h"

#include "format/layout.h"
#include "format/reader.h"
#include "format/save.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOX       ",\"bounds_min\":[0,0,0],\"bounds_max\":[100,100,100]"
#define G(digits) "{\"guid\":\"000000000000000000000000000000" digits "\",\"name\":\""
#define AT(x, y)  ",\"transform\":{\"pos\":[" #x "," #y ",0],\"rot\":[0,0,0,1]}"
#define TURNED(x)                      \
	",\"transform\":{\"pos\":[" #x \
	",0,0],\"rot\":[0,0,0.70710678118654757,0.70710678118654757]}"
#define IN(level) ",\"container\":\"/Game/Levels/" level "\""
#define LEVEL(level, behavior) \
	",\"level_instance\":{\"level\":\"/Game/Levels/" level "\",\"behavior\":\"" behavior "\"}"

static const char world[] =
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"partitions\":[{\"name\":\"MainGrid\"}],"
	"\"containers\":[{\"package\":\"/Game/Levels/Town\",\"world\":{\"settings\":{\"hash\":"
	"\"hash_set\"},\"layers\":[{\"name\":\"Night\",\"asset\":\"/Game/Night\"}],\"partitions\":[{"
	"\"name\":\"TownGrid\",\"cell_size\":6400,\"loading_range\":9600}]}},"
	"{\"package\":\"/Game/Levels/Whole\",\"partitioned\":false}]}\n"
	/* the main world */
	G("01") "Rock\"" BOX "}\n" G("02") "Town\"" TURNED(50000)
		BOX LEVEL("Town", "standalone") "}\n" G("03") "Town\"" AT(90000, 0)
			BOX LEVEL("Town", "standalone") "}\n" G("04") "Whole\"" BOX LEVEL(
				"Whole", "standalone") "}\n" G("05") "Street\"" AT(1000, 0)
				BOX LEVEL("Street", "partitioned") "}\n" G(
					"06") "Note\",\"editor_only\":true" BOX LEVEL("Town",
					"standalone") "}\n"
	/* Town: a house on a layer of its own, and the street, which holds the town again */
	G("11") "House\",\"data_layers\":[\"Night\"],\"bounds_min\":[6500,0,0],\"bounds_max\":[6600,9,9]" IN(
		"Town") "}\n" G("12") "Inner\"" AT(100, 0) BOX IN("Town")
		LEVEL("Street", "partitioned") "}\n" G("13") "Self\"" BOX IN("Town") LEVEL(
			"Town", "standalone") "}\n" G("14") "Hut\"" AT(0, 300) BOX IN("Town")
			LEVEL("Hut", "standalone") "}\n" G("21") "W1\"" BOX IN("Whole") "}\n" G(
				"31") "Kerb\"" BOX IN("Street") "}\n" G("32") "Deep\"" AT(7, 0)
				BOX IN("Street") LEVEL("Town", "standalone") "}\n" G(
					"41") "Bed\"" BOX IN("Hut") "}\n";

static uint32_t sub_named(const struct cs_cooked *c, const char *name)
{
	for (uint32_t i = 0; i < c->n_subs; i++)
		if (strcmp(cs_cooked_text(c, c->subs[i].name), name) == 0)
			return i;
	return CS_NONE;
}

static const struct cs_cooked_sub *sub(const struct cs_cooked *c, const char *name)
{
	static const struct cs_cooked_sub none = {.level = CS_NONE, .parent = CS_NONE};
	uint32_t row = sub_named(c, name);
	return row == CS_NONE ? &none : &c->subs[row];
}

static void test_rows(const struct cooked_world *w)
{
	const struct cs_cooked *c = w->c;
	ok(sub(c, "Town")->level != CS_NONE && sub(c, "Town#2")->level != CS_NONE,
		"both towns are partitions, told apart by name");
	is_int(sub(c, "Town")->level, sub(c, "Town#2")->level, "of one level, cooked once");
	is_int(sub(c, "Town#2")->transform.translation.x, 90000, "each has its place");
	ok(sub(c, "Town")->cell != CS_NONE && sub(c, "Town")->cell == actor_named(w, "Town")->cell,
		"and the cell of its level instance, which stays an actor there");
	ok(sub_named(c, "Note") == CS_NONE, "an editor-only level instance is none");
	ok(sub(c, "Deep")->level == sub(c, "Town")->level &&
			sub(c, "Deep")->transform.translation.x == 1007,
		"one inside an embedded level stands where both transforms put it");
}

static void test_inner_rows(const struct cooked_world *w)
{
	const struct cs_cooked *c = w->c;
	const struct cs_cooked_sub *hut = sub(c, "Town/Hut");
	is_int(hut->parent, sub_named(c, "Town"), "an inner partition knows the one around it");
	ok(fabs(hut->transform.translation.x - 49700) < 1e-6 &&
			fabs(hut->transform.translation.y) < 1e-6,
		"its place is turned with the outer one");
	ok(sub(c, "Town#2/Hut")->level == hut->level, "each instance of the outer one has it");
	is_text(cs_cooked_text(c, sub(c, "Town/Self")->reason), "its level contains itself",
		"a level in itself is refused with the reason");
	is_text(cs_cooked_text(c, sub(c, "Town/Deep")->reason), "its level contains itself",
		"and so by way of an embedded level");
	is_text(cs_cooked_text(c, sub(c, "Whole")->reason),
		"its level has no world partition: it loads as one level",
		"a level without partition says so");
	is_int(c->n_drops, 1, "and its actors are drops");
	is_int(c->n_sub_levels, 2, "two levels were cooked");
}

static void test_level(const struct cooked_world *w)
{
	struct cs_cooked *level = NULL;
	struct cs_error *error = cs_cooked_open_level(w->c, sub(w->c, "Town")->level, NULL, &level);
	if (!error)
		error = cs_cooked_load_details(level);
	ok(!error, "the level opens as a cooked world");
	if (!error) {
		is_text(cs_cooked_text(level, level->world->name), "Town", "named as its level");
		is_int(level->partitions[0].cell_size, 6400, "with the level's own grid");
		is_int(level->n_layers, 1, "and its own data layers");
		const struct cs_cooked_cell *cell = NULL;
		for (size_t i = 0; i < level->n_cells; i++)
			if (cs_cooked_cell(level, i)->layers.count)
				cell = cs_cooked_cell(level, i);
		ok(cell && cell->x == 1 && cell->content.min.x == 6500,
			"cells are in the space of the level");
	}
	cs_error_free(error);
	cs_cooked_close(level);
}

static void count(void *context, const struct cs_finding *finding)
{
	printf("# %s: %s\n", finding->place, finding->message);
	++*(int *)context;
}

static void test_file(const struct cooked_world *w)
{
	int findings = 0;
	size_t n;
	char path[4096];
	const char *out = test_folder();
	snprintf(path, sizeof(path), "%s/sub_partitions.cworld", out);
	struct cs_error *error = cs_save_whole(path, w->bytes, w->size);
	if (!error)
		error = cs_cooked_verify(path, NULL, count, &findings, &n);
	ok(!error && findings == 0, "the file is sound, levels included");
	cs_error_free(error);
}

/*
 * A row of a partition in a level is checked: one in another cell than its level instance is found.
 */
static void test_wrong_cell(const struct cooked_world *w)
{
	int findings = 0;
	struct cs_cooked *opened;
	unsigned char *bytes;
	size_t size, n, rows;
	char path[4096];
	const char *out = test_folder();
	works(container_unpack(w->bytes, w->size, &bytes, &size), "nothing compressed");
	size_t table = container_table(bytes, size, CS_TABLE_SUB_PARTITIONS, &rows);
	struct cs_cooked_sub *first = (struct cs_cooked_sub *)(bytes + table);
	ok(rows > 0 && first->parent == CS_NONE, "the first is in the world");
	ok(first->cell != CS_NONE, "and its level instance in a cell");
	first->cell = CS_NONE;
	container_reseal(bytes, size);
	works(cs_cooked_open_bytes(bytes, size, "wrong", NULL, &opened), "opens");
	works(cs_file_compute_content_id(opened->file, bytes + CS_AT_CONTENT_ID), "a true id");
	cs_cooked_close(opened);
	container_reseal(bytes, size);
	snprintf(path, sizeof(path), "%s/sub_wrong.cworld", out);
	works(cs_save_whole(path, bytes, size), "saved");
	works(cs_cooked_verify(path, NULL, count, &findings, &n), "verified");
	is_int(findings, 1, "a row in another cell than its level instance is found");
	free(bytes);
}

static void test_round_trip(const struct cooked_world *w)
{
	char path[4096];
	const char *out = test_folder();
	struct cs_world *source = read_lines(world), *again = NULL;
	snprintf(path, sizeof(path), "%s/sub_partitions.jsonl", out);
	struct cs_error *error = cs_world_write_json(source, NULL, path);
	if (!error)
		error = cs_world_read_json(path, NULL, &again);
	if (!error) {
		const struct cs_cook_options options = {.profile = "5.4"};
		struct cooked_world second = cook_world(again, &options, 2);
		ok(second.size == w->size && memcmp(second.bytes, w->bytes, w->size) == 0,
			"written as JSON and read again it cooks to the same bytes");
		cooked_free(&second);
	}
	ok(!error, "the JSON form holds what levels bring");
	cs_error_free(error);
	cs_world_free(source);
	cs_world_free(again);
}

int main(void)
{
	struct cooked_world w = cook_lines(world, "5.4");
	test_round_trip(&w);
	test_rows(&w);
	test_inner_rows(&w);
	test_level(&w);
	test_file(&w);
	test_wrong_cell(&w);
	cooked_free(&w);
	return done();
}
