/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rows say together: counts of cooked worlds and of comparisons, the tree of data layers
 * against a walk by recursion, the same actor of another cook, cooks that are repeated.
 */
#include <cellscope/compare.h>
#include <cellscope/cook.h>
#include <cellscope/stream.h>

#include "cook/record/trail_inside.h"
#include "core/random.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/reader.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"

static void test_counts(void)
{
#define FINDING(...)                          \
	{                                     \
		.cause = CS_NONE, __VA_ARGS__ \
	}
	const struct cs_cooked_finding findings[] = {FINDING(.severity = CS_ERROR),
		FINDING(.severity = CS_WARNING), FINDING(.severity = CS_ERROR, .pass = 1),
		FINDING(.severity = CS_ERROR), FINDING(.severity = CS_INFO)};
#undef FINDING
	const struct cs_cooked_cell cells[] = {{.actors = {0, 3}},
		{.actors = {3, 90}, .flags = CS_CELL_ALWAYS_LOADED}, {.actors = {93, 7}},
		{.actors = {100, 5}}};
	const struct cs_table_rows tables[] = {{CS_TABLE_CELLS, cells, 4, NULL, NULL},
		{CS_TABLE_FINDINGS, findings, 5, NULL, NULL}};
	struct cs_file *file;
	struct cs_cooked *c;
	works(cs_file_of_tables(cs_schema_of_kind(1), tables, 2, NULL, NULL, &file), "tables");
	works(cs_cooked_of_file(file, &c), "a world of them");
	is_int(cs_cooked_sums(c).found[CS_ERROR], 2, "errors: those of the first pass");
	is_int(cs_cooked_sums(c).fullest, 7, "fullest: of the cells that stream");
	cs_cooked_close(c);
	const struct cs_cooked none = {0};
	is_int(cs_cooked_sums(&none).found[CS_ERROR] + cs_cooked_sums(&none).fullest, 0,
		"of nothing: none");
}

/* ---- the tree of layers ---- */

static void walk(const struct cs_cooked *c, uint32_t parent, uint32_t depth,
	struct cs_layer_branch *rows, size_t *n)
{
	for (uint32_t i = 0; i < c->n_layers; i++) {
		if (c->layers[i].parent != parent)
			continue;
		rows[(*n)++] = (struct cs_layer_branch){i, depth};
		walk(c, i, depth + 1, rows, n);
	}
}

static void test_tree(void)
{
	enum { MOST = 40, DEEP = 66 };
	struct cs_random random = {5};
	size_t wrong = 0, deepest = 0;
	for (size_t round = 0; round < 500; round++) {
		struct cs_cooked_layer layers[MOST] = {0};
		struct cs_layer_branch want[MOST], *got = NULL;
		const struct cs_cooked c = {
			.layers = layers, .n_layers = cs_random_below(&random, MOST)};
		size_t n_want = 0, n = 0;
		for (uint32_t i = 0; i < c.n_layers; i++) /* parents stand anywhere before */
			layers[i].parent = cs_random_below(&random, 4) && i
						   ? cs_random_below(&random, i)
						   : CS_NONE;
		if (c.n_layers > 2 && round % 2) { /* and behind */
			layers[0].parent = (uint32_t)c.n_layers - 1;
			layers[c.n_layers - 1].parent = CS_NONE;
		}
		walk(&c, CS_NONE, 0, want, &n_want);
		cs_error_free(cs_cooked_layer_tree(&c, &got, &n));
		wrong += n != n_want || (n && memcmp(got, want, n * sizeof(*got)) != 0);
		for (size_t i = 0; i < n; i++)
			deepest = got[i].depth > deepest ? got[i].depth : deepest;
		free(got);
	}
	is_int(wrong, 0, "tree: as by recursion, %zu deep", deepest);
	struct cs_cooked_layer chain[DEEP] = {{.parent = CS_NONE}};
	struct cs_layer_branch *got;
	struct cs_cooked c = {.layers = chain, .n_layers = DEEP - 1};
	size_t n;
	for (uint32_t i = 1; i < DEEP; i++)
		chain[i].parent = i - 1;
	works(cs_cooked_layer_tree(&c, &got, &n), "tree: 64 below the first");
	is_int(n, DEEP - 1, "tree: all of them");
	free(got);
	c.n_layers = DEEP;
	fails(cs_cooked_layer_tree(&c, &got, &n), CS_E_LIMIT, "tree: one more is too deep");
}

/* ---- actors of two cooks, cooks of one source ---- */

#define G(digits) "\"000000000000000000000000000000" digits "\""
#define HOUSES                                                                \
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"containers\":" \
	"[{\"package\":\"/Game/L\"}]}\n{\"guid\":" G(                         \
		"01") ",\"name\":\"Bed\",\"container\":\"/Game/L\",\"bounds\":[0,0,0,9,9,9]}\n"
#define HOUSE(id)                                                            \
	"{\"guid\":" G(id) ",\"name\":\"H" id "\",\"bounds\":[0,0,0,9,9,9]," \
			   "\"level_instance\":{\"level\":\"/Game/L\"}}\n"
#define CHAIR "{\"guid\":" G("02") ",\"name\":\"Chair\",\"container\":\"/Game/L\"}\n"

static void test_same_actor(void)
{
	/* beds of one level, as often as it is placed; the other cook has a chair beside them */
	struct cooked_world a = cook_lines(HOUSES HOUSE("11") HOUSE("12") HOUSE("13"), "5.4");
	struct cooked_world b = cook_lines(HOUSES HOUSE("11") HOUSE("12") CHAIR, "5.4");
	const uint32_t want[] = {0, 1, CS_NONE, 2, 4, CS_NONE};
	is_int(a.c->n_actors, 6, "same actor: three houses and their beds");
	for (uint32_t i = 0; i < 6; i++)
		is_int(cs_same_actor(a.c, i, b.c), want[i], "same actor: of row %u", i);
	is_int(cs_same_actor(b.c, 3, a.c), CS_NONE, "same actor: there is no such chair");
	cooked_free(&b);
	cooked_free(&a);
}

static void test_repeat(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 500, 4};
	struct cs_world *world = NULL;
	uint64_t different = 99;
	works(cs_world_generate(&recipe, NULL, &world), "repeat: a city");
	works(cs_cook_repeat(world, NULL, 5, NULL, &different), "repeat: five cooks");
	is_int(different, 0, "repeat: the same bytes");
	works(cs_cook_repeat(world, NULL, 0, NULL, &different), "repeat: none");
	is_int(different, 0, "repeat: none differ");
	cs_world_free(world);
}

int main(void)
{
	test_counts();
	test_tree();
	test_same_actor();
	test_repeat();
	return done();
}
