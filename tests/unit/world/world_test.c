/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of lib/world: the JSON form both ways, shuffled input, hostile lines, the generator. */
#include "world/world_internal.h"

#include "core/random.h"
#include "format/byte_source.h"
#include "format/save.h"
#include "tests/make/make.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

static char path[4096], second[4200];

static char *read_text(const char *file, size_t *size)
{
	unsigned char *bytes = NULL;
	struct cs_error *error = cs_read_whole(file, UINT64_MAX, &bytes, size);
	if (error)
		diag("%s", error->message);
	cs_error_free(error);
	return (char *)bytes;
}

static bool same_files(const char *left, const char *right)
{
	size_t l = 0, r = 1;
	char *a = read_text(left, &l), *b = read_text(right, &r);
	bool same = a && b && l == r && memcmp(a, b, l) == 0;
	free(a);
	free(b);
	return same;
}

static struct cs_error *read_lines(const char *text, struct cs_world **world)
{
	struct cs_error *error = cs_save_whole(path, text, strlen(text));
	return error ? error : cs_world_read_json(path, NULL, world);
}

/* ---- round trip ---- */

static void test_round_trip(enum cs_world_kind kind, const char *name, uint64_t actors)
{
	struct cs_world *world = NULL, *back = NULL;
	const struct cs_world_recipe recipe = {kind, actors, 42};
	works(make_test_world(&recipe, NULL, &world), "%s: generate", name);
	works(cs_world_write_json(world, NULL, path), "%s: write", name);
	works(cs_world_read_json(path, NULL, &back), "%s: read", name);
	if (!world || !back)
		return;
	is_int(back->actors.n, world->actors.n, "%s: as many actors", name);
	is_int(cs_world_count(back).references, cs_world_count(world).references,
		"%s: as many references", name);
	works(cs_world_write_json(back, NULL, second), "%s: write again", name);
	ok(same_files(path, second), "%s: the same bytes", name);
	size_t equal = 0;
	for (size_t i = 0; i < world->actors.n; i++) {
		const struct cs_actor left = cs_world_actor(world, i), *a = &left;
		const struct cs_actor right = cs_world_actor(back, i), *b = &right;
		equal += memcmp(&a->guid, &b->guid, sizeof(a->guid)) == 0 &&
			 memcmp(&a->transform, &b->transform, sizeof(a->transform)) == 0 &&
			 memcmp(&a->bounds, &b->bounds, sizeof(a->bounds)) == 0 &&
			 a->flags == b->flags && a->layers.count == b->layers.count &&
			 strcmp(cs_world_text(world, a->label), cs_world_text(back, b->label)) == 0;
	}
	is_int(equal, world->actors.n, "%s: every actor is the same", name);
	cs_world_free(world);
	cs_world_free(back);
}

static void test_generator(void)
{
	struct cs_world *a = NULL, *b = NULL, *c = NULL;
	struct cs_world_recipe recipe = {CS_WORLD_CITY, 3000, 1};
	works(make_test_world(&recipe, NULL, &a), "city");
	works(make_test_world(&recipe, NULL, &b), "city again");
	recipe.seed = 2;
	works(make_test_world(&recipe, NULL, &c), "city of another seed");
	is_int(a->actors.n, 3000, "as many actors as asked for");
	is_int(a->layers.n, 67, "35 runtime and 32 editor layers");
	ok(memcmp(a->actors.at, b->actors.at, 3000 * sizeof(*a->actors.at)) == 0,
		"the same seed gives the same actors");
	ok(memcmp(a->actors.at, c->actors.at, 3000 * sizeof(*a->actors.at)) != 0,
		"another seed does not");
	cs_world_free(a);
	cs_world_free(b);
	cs_world_free(c);
	recipe.actors = UINT64_C(1) << 40;
	fails(make_test_world(&recipe, NULL, &a), CS_E_LIMIT, "2^40 actors are refused");
}

/* ---- what the lines may say ---- */

#define DOCUMENT "{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\"}\n"
#define GUID_1   "\"00000000000000000000000000000001\""
#define GUID_2   "\"00000000000000000000000000000002\""

static void test_values(void)
{
	struct cs_world *w = NULL;
	works(read_lines(DOCUMENT
		      "{\"guid\":" GUID_2 ",\"name\":\"B\",\"class\":\"/Script/E.A\","
		      "\"native_class\":\"/Script/E.A\",\"grid\":\"None\",\"label\":null,"
		      "\"bounds_min\":[1,2.5,3],\"bounds_max\":[4,5,6],\"references\":[" GUID_1 "],"
		      "\"from_class_default\":[\"spatial\",\"dl\",\"hlodrel\"]}\n"
		      "\n"
		      "{\"guid\":" GUID_1 ",\"name\":\"A\",\"spatially_loaded\":false,"
		      "\"native_class\":\"/Script/Landscape.LandscapeStreamingProxy\"}",
		      &w),
		"two actors, a blank line, no newline at the end");
	if (!w)
		return;
	const struct cs_actor own = cs_world_actor(w, 0), *a = &own;
	const struct cs_actor other = cs_world_actor(w, 1), *b = &other;
	is_text(cs_world_name(w), "M", "the world's name is the end of its package");
	is_text(cs_world_text(w, a->name), "A", "actors come in GUID order");
	ok(!(a->flags & CS_ACTOR_OWN_SPATIAL) && a->flags & CS_ACTOR_PARTITION_ACTOR,
		"a landscape proxy is a partition actor");
	ok(!cs_box_valid(&a->bounds) && cs_box_valid(&b->bounds), "no bounds are invalid bounds");
	is_double(b->bounds.min.y, 2.5, "bounds");
	ok(b->base_class == 0 && b->grid == 0, "a native class is no Blueprint; grid None is none");
	is_int(b->defaults, CS_DEFAULT_SPATIAL | CS_DEFAULT_LAYERS | CS_DEFAULT_HLOD_RELEVANT,
		"names of other tools for defaults");
	is_int(cs_world_find_actor(w, 0, (struct cs_guid){0, 0, 0, 2}), 1, "found by GUID");
	is_int(cs_world_find_actor(w, 0, (struct cs_guid){0, 0, 0, 3}), CS_NONE, "not found");
	cs_world_free(w);
}

static void test_refusals(void)
{
	static const struct {
		const char *text, *what;
		enum cs_code code;
	} cases[] = {
		{"", "an empty file", CS_E_WORLD},
		{"{", "half an object", CS_E_JSON},
		{"[1]\n", "a list", CS_E_WORLD},
		{"{\"cellscope_world\":2}\n", "a version of the future", CS_E_VERSION},
		{DOCUMENT DOCUMENT, "two documents", CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"actor_count\":2}\n{\"guid\":" GUID_1 "}\n",
			"a file cut behind a line", CS_E_TRUNCATED},
		{"{\"cellscope_world\":1,\"grids\":[{\"name\":\"G\",\"cell_size\":1e-300}]}\n",
			"cells of no size", CS_E_SETTING},
		{"{\"cellscope_world\":1,\"hlod_layers\":[{\"path\":\"/H\",\"cell_size\":1e300}]}\n",
			"cells without end", CS_E_SETTING},
		{"{\"cellscope_world\":1,\"partitions\":[{\"name\":\"P\",\"loading_range\":-5}]}\n",
			"a negative loading range", CS_E_SETTING},
		{DOCUMENT "{\"name\":\"x\"}\n", "an actor without GUID", CS_E_GUID},
		{DOCUMENT "{\"guid\":\"12\"}\n", "a short GUID", CS_E_GUID},
		{DOCUMENT "{\"guid\":7}\n", "a GUID that is a number", CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"guid\":" GUID_2 "}\n", "a key twice", CS_E_JSON},
		{DOCUMENT "{\"guid\":" GUID_1 "}\n{\"guid\":" GUID_1 "}\n", "a GUID twice",
			CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"containers\":[{\"package\":\"/E\",\"kind\":"
		 "\"external_layer\"},{\"package\":\"/F\",\"kind\":\"external_layer\"}]}\n"
		 "{\"guid\":" GUID_1 "}\n{\"guid\":" GUID_1 ",\"container\":\"/F\"}\n",
			"a GUID in the level and in a container of an external layer",
			CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"containers\":[{\"package\":\"/E\",\"kind\":"
		 "\"external_layer\"},{\"package\":\"/F\",\"kind\":\"external_layer\"}]}\n"
		 "{\"guid\":" GUID_1 ",\"container\":\"/E\"}\n{\"guid\":" GUID_1
		 ",\"container\":\"/F\"}\n",
			"a GUID in two containers of external layers", CS_E_DUPLICATE},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"bounds_min\":[1,2]}\n", "two numbers",
			CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"references\":[\"x\"]}\n", "a bad reference",
			CS_E_GUID},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"transform\":{\"rot\":[0,0,0,0]}}\n",
			"a rotation that is none", CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"saved\":\"maybe\"}\n", "an unknown word",
			CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"name\":\"\\u0000\"}\n", "a NUL", CS_E_JSON},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"name\":\"\xff\"}\n", "bad UTF-8", CS_E_JSON},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"bounds_min\":[1e999,0,0]}\n", "infinity",
			CS_E_JSON},
		{"{\"cellscope_world\":1,\"layers\":[{\"name\":\"a\"},{\"name\":\"a\"}]}\n",
			"two layers of a name", CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"layers\":[{\"name\":\"a\"},{\"name\":\"A\"}]}\n",
			"two layers of a name in another case", CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"partitions\":[{\"name\":\"P\"},{\"name\":\"Q\"},{\"name\":\"p\"}]}\n",
			"two partitions of a name", CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"grids\":[{\"name\":\"G\"},{\"name\":\"G\"}]}\n",
			"two grids of a name", CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"hlod_layers\":[{\"path\":\"/H\"},{\"path\":\"/h\"}]}\n",
			"two HLOD layers of a path", CS_E_DUPLICATE},
		{"{\"cellscope_world\":1,\"layers\":{}}\n", "layers that are no list", CS_E_WORLD},
		{"{\"cellscope_world\":1,\"settings\":{\"hash\":\"x\"}}\n", "an unknown hash",
			CS_E_WORLD},
		{"{\"cellscope_world\":1,\"actor_count\":\"2\"}\n", "a count that is a text",
			CS_E_WORLD},
		{"{\"cellscope_world\":1,\"actor_count\":-1}\n", "a count below 0", CS_E_WORLD},
		{"{\"cellscope_world\":1,\"partitions\":[{\"name\":\"P\",\"hlod_setups\":{}}]}\n",
			"setups that are no list", CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"container\":7}\n", "a container that is a number",
			CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"level_instance\":\"/Game/A\"}\n",
			"a level instance that is a text", CS_E_WORLD},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"hlod\":[1]}\n", "an HLOD that is a list",
			CS_E_WORLD},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cs_world *w;
		fails(read_lines(cases[i].text, &w), cases[i].code, "refused: %s", cases[i].what);
	}
}

/*
 * More layers than a cook takes are refused while they are read, before each is compared with all
 * others.
 */
static void test_many_layers(void)
{
	struct cs_world *w = NULL;
	char *text = malloc(1 << 21),
	     *end = text + sprintf(text, "{\"cellscope_world\":1,\"layers\":[");
	for (int i = 0; i < 65536; i++)
		end += sprintf(end, "%s{\"name\":\"L%d\"}", i ? "," : "", i);
	strcpy(end, "]}\n");
	fails(read_lines(text, &w), CS_E_LIMIT, "65,536 layers are refused");
	free(text);
}

enum { EXTERNAL_LAYERS = 300 };

/*
 * Reads a world with an actor in the level and two in each of many containers of external layers.
 * The last actor of the last container has the GUID and the state of the caller.
 */
static struct cs_error *read_external(int guid, const char *saved, struct cs_world **ret)
{
	char *text = malloc(1 << 17), *end = text;
	end += sprintf(end, "{\"cellscope_world\":1,\"package\":\"/Game/M\",\"containers\":[");
	for (int i = 1; i <= EXTERNAL_LAYERS; i++)
		end += sprintf(end, "%s{\"package\":\"/X/E%d\",\"kind\":\"external_layer\"}",
			i > 1 ? "," : "", i);
	end += sprintf(end, "]}\n{\"guid\":\"%032X\"}\n", 1);
	for (int i = 2; i <= 2 * EXTERNAL_LAYERS + 1; i++) {
		const bool last = i == 2 * EXTERNAL_LAYERS + 1;
		end += sprintf(end,
			"{\"guid\":\"%032X\",\"container\":\"/X/E%d\",\"name\":\"A%d\"%s%s\"}\n",
			last ? guid : i, i / 2, i, ",\"saved\":\"",
			last     ? saved
			: i == 5 ? "saved_only"
				 : "saved");
	}
	struct cs_error *error = read_lines(text, ret);
	free(text);
	return error;
}

/* The level and all containers of external layers are cooked together and share no GUID. */
static void test_external_layers(void)
{
	struct cs_world *w = NULL;
	works(read_external(2 * EXTERNAL_LAYERS + 1, "saved", &w), "many external layers");
	cs_world_free(w);
	struct cs_error *error = read_external(1, "saved", &w);
	ok(error && error->code == CS_E_DUPLICATE &&
			strstr(error->message, "'' (in /Game/M) and 'A601' (in /X/E300) share"),
		"the last has the GUID of the level: the containers of both are named");
	cs_error_free(error);
	fails(read_external(2, "saved", &w), CS_E_DUPLICATE, "the last has the GUID of the first");
	fails(read_external(5, "saved_only", &w), CS_E_DUPLICATE, "both have the saved state");
	works(read_external(5, "unsaved_only", &w), "no cook takes a saved and an unsaved state");
	cs_world_free(w);
}

/* Rotations that were written by hand turn, and do not stretch; those of files stay as they are. */
static void test_rotations(void)
{
	static const struct {
		const char *text;
		double w;
	} rows[] = {{"{\"rot\":[0,0,3,3],\"pos\":[0,0,0],\"scale\":[1,1,1]}", 0.70710678118654757},
		{"{\"rot\":[0,1,1,1]}", 0.57735026918962584}, {"{\"rot\":[0,0,0.75,1]}", 0.8},
		{"{\"rot\":[0,0,0.70710676908493042,0.70710676908493042]}", 0.70710676908493042}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_world *w = NULL;
		char text[300];
		snprintf(text, sizeof(text), DOCUMENT "{\"guid\":" GUID_1 ",\"transform\":%s}\n",
			rows[i].text);
		works(read_lines(text, &w), "%s", rows[i].text);
		if (w)
			is_double(cs_world_actor(w, 0).transform.rotation.w, rows[i].w, "its w");
		cs_world_free(w);
	}
}

/*
 * Returns the seconds of processor time for a world in which each actor has its own content bundle.
 */
static double bundles_seconds(int actors)
{
	struct cs_world *w = NULL;
	char *text = malloc((size_t)actors * 120 + 100), *end = text + sprintf(text, DOCUMENT);
	for (int i = 1; i <= actors; i++)
		end += sprintf(end, "{\"guid\":\"%032X\",\"content_bundle\":\"%032X\"}\n", i, i);
	const clock_t began = clock();
	works(read_lines(text, &w), "%d bundles", actors);
	const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
	is_int(w ? w->containers.n : 0, actors + 1, "have a container each");
	cs_world_free(w);
	free(text);
	return seconds;
}

/*
 * Time grows with the number of bundles, not with its square, which would take sixteen times as
 * long. The least of five turns counts, because other programs use the cache.
 */
static void test_many_bundles(void)
{
	double few = INFINITY, many = INFINITY;
	for (int turn = 0; turn < 5; turn++) {
		few = fmin(few, bundles_seconds(15000));
		many = fmin(many, bundles_seconds(60000));
	}
	ok(many < 9 * few, "four times the bundles take %.1f times as long", many / few);
}

/* An actor has a saved and an unsaved state; an edit that makes one of them the other is refused.
 */
static void test_refused_edit(void)
{
	struct cs_world *w = NULL;
	bool added;
	works(read_lines(DOCUMENT "{\"guid\":" GUID_1 ",\"name\":\"A\",\"saved\":\"saved_only\"}\n"
				  "{\"guid\":" GUID_1 ",\"name\":\"U\",\"saved\":\"unsaved_only\"}",
		      &w),
		"an actor with an unsaved change");
	if (!w)
		return;
	fails(cs_world_apply(w, "{\"guid\":" GUID_1 ",\"saved\":\"saved\"}", NULL, &added),
		CS_E_DUPLICATE, "two states, one of them for both triggers");
	is_text(cs_world_text(w, w->actors.at[0].name), "A", "the world is as it was");
	works(cs_world_apply(w, "{\"guid\":" GUID_2 ",\"name\":\"B\"}", NULL, &added),
		"and takes the next edit");
	is_int(w->actors.n, 3, "which adds an actor");
	cs_world_free(w);
}

/* Actors of a bundle share a container, which is another one for each bundle. */
static void test_bundles(void)
{
	static const char text[] = DOCUMENT
		"{\"guid\":" GUID_1 ",\"content_bundle\":" GUID_1 "}\n"
		"{\"guid\":" GUID_2 ",\"content_bundle\":" GUID_2 "}\n"
		"{\"guid\":\"00000000000000000000000000000077\",\"content_bundle\":" GUID_1 "}\n";
	struct cs_world *w = NULL;
	works(read_lines(text, &w), "bundles: read");
	if (!w)
		return;
	is_int(w->containers.n, 3, "bundles: a container for each, and the main one");
	is_int(w->containers.at[1].actors.count + w->containers.at[2].actors.count, 3,
		"bundles: with their actors");
	cs_world_free(w);
}

/* Searched in order and by the table alike, whatever the case. */
static void test_containers(void)
{
	enum { CONTAINERS = 300 };
	struct cs_world *w = NULL;
	char name[64];
	uint32_t row, wrong = 0;
	works(cs_world_new("/Game/Main", &w), "a world");
	for (uint32_t i = 1; w && i <= CONTAINERS; i++) {
		snprintf(name, sizeof(name), "/Game/Level_%u", i);
		cs_error_free(cs_world_container(w, name, &row));
		wrong += row != i;
		snprintf(name, sizeof(name), "/game/LEVEL_%u", (i + 1) / 2);
		wrong += cs_world_find_container(w, name) != (i + 1) / 2;
	}
	is_int(wrong, 0, "%d containers are found by name, as they come", CONTAINERS);
	is_int(cs_world_find_container(w, "/GAME/main"), 0, "the main one too");
	is_int(cs_world_find_container(w, "/Game/Level_0"), CS_NONE, "what is not there is not");
	cs_world_free(w);
}

/* Every truncation of a small world, and every flipped bit, gives an error or a world. */
static void test_damage(void)
{
	struct cs_world *w = NULL;
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 1, 5};
	size_t size, good = 0, bad = 0;
	works(make_test_world(&recipe, NULL, &w), "hard world");
	works(cs_world_write_json(w, NULL, second), "write");
	cs_world_free(w);
	char *text = read_text(second, &size);
	struct cs_random random = {3};
	for (int i = 0; i < 400; i++) {
		size_t at = cs_random_below(&random, (uint32_t)size);
		size_t end = i % 2 ? size : at;
		char kept = text[at];
		if (i % 2)
			text[at] = (char)(text[at] ^ 1 << cs_random_below(&random, 8));
		struct cs_error *error = cs_save_whole(path, text, end);
		if (!error)
			error = cs_world_read_json(path, NULL, &w);
		if (error)
			bad++;
		else
			cs_world_free(w);
		good += !error;
		cs_error_free(error);
		text[at] = kept;
	}
	ok(good + bad == 400 && bad > 100, "400 damaged files: %zu refused, no crash", bad);
	free(text);
}

/* Lines in another order are the same world. */
static void test_shuffle(void)
{
	struct cs_world *w = NULL;
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 2500, 9};
	struct cs_random random = {11};
	works(make_test_world(&recipe, NULL, &w), "city");
	works(cs_world_write_json(w, NULL, path), "write");
	cs_world_free(w);
	size_t size, n = 0;
	char *text = read_text(path, &size);
	char **lines = calloc(size, sizeof(*lines));
	for (char *at = text; at < text + size; at = strchr(at, '\n') + 1)
		lines[n++] = at;
	for (size_t i = n - 1; i > 1; i--) { /* the document stays first */
		size_t j = 1 + cs_random_below(&random, (uint32_t)i);
		char *swap = lines[i];
		lines[i] = lines[j];
		lines[j] = swap;
	}
	FILE *out = fopen(second, "w");
	for (size_t i = 0; i < n; i++)
		fwrite(lines[i], 1, (size_t)(strchr(lines[i], '\n') - lines[i]) + 1, out);
	fclose(out);
	works(cs_world_read_json(second, NULL, &w), "read the shuffled lines");
	works(cs_world_write_json(w, NULL, second), "write them");
	ok(same_files(path, second), "shuffled lines give the same file");
	cs_world_free(w);
	free(lines);
	free(text);
}

/* ---- the plain form against jansson ---- */

/* A null is not plain and leaves the default: jansson reads the same actors from such lines. */
static void write_long_way(const char *text, const char *file)
{
	FILE *out = fopen(file, "w");
	for (const char *at = text, *end; *at; at = end) {
		end = strchr(at, '\n') + 1;
		bool plain = at > text;
		fprintf(out, "%s%.*s", plain ? "{\"mesh\":null," : "", (int)(end - at - plain),
			at + plain);
	}
	fclose(out);
}

static void test_both_ways(const char *text, const char *what)
{
	struct cs_world *plain = NULL, *other = NULL;
	write_long_way(text, second);
	works(cs_world_read_json(second, NULL, &other), "%s: read by jansson", what);
	works(read_lines(text, &plain), "%s: read as plain", what);
	if (plain && other) {
		works(cs_world_write_json(plain, NULL, path), "%s: write", what);
		works(cs_world_write_json(other, NULL, second), "%s: write the other", what);
		ok(same_files(path, second), "%s: the same file", what);
	}
	cs_world_free(plain);
	cs_world_free(other);
}

static void test_plain_numbers(void)
{
	static const char *const numbers[] = {"0", "-0", "-0.0", "0.1", "-0.3", "1e5", "2.5E-3",
		"123456789012345678", "999999999999999999", "9007199254740993", "123456.789012345",
		"1234567.890123456789", "0.000000000000001", "5e-324", "1.7976931348623157e308",
		"-4503599627370497.5", "2.2250738585072011", " 7 "};
	char text[8192] = "{\"cellscope_world\":1,\"package\":\"/Game/N\"}\n";
	size_t n = strlen(text);
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
			"{\"name\":\"A%u\",\"guid\":\"%032X\",\"bounds_min\":[%s,0,-1],"
			"\"bounds_max\":[1e308,%s,1]}\n",
			i, i + 1, numbers[i], numbers[i]);
	test_both_ways(text, "numbers");
}

static void test_plain_form(void)
{
	static const enum cs_world_kind kinds[] = {CS_WORLD_CITY, CS_WORLD_OPEN, CS_WORLD_HARD};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct cs_world_recipe recipe = {kinds[i], 700, 3};
		struct cs_world *world = NULL;
		size_t size;
		works(make_test_world(&recipe, NULL, &world), "generate");
		works(cs_world_write_json(world, NULL, path), "write");
		char *text = read_text(path, &size);
		test_both_ways(text, i == 0 ? "city" : i == 1 ? "open" : "hard");
		free(text);
		cs_world_free(world);
	}
}

/* Reads a file with a number of threads; returns the message of the error, NULL if it is read. */
static char *read_with(int threads, const char *file, struct cs_world **world)
{
	const struct cs_job job = {.threads = threads};
	struct cs_error *error = cs_world_read_json(file, &job, world);
	char *message = error ? strdup(error->message) : NULL;
	cs_error_free(error);
	return message;
}

/* Writes a city in which every fifth line is not plain; line `wrong` is no actor, 0 = none. */
static void write_mixed(const char *file, size_t wrong)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 3000, 5};
	struct cs_world *world = NULL;
	size_t size, number = 1;
	works(make_test_world(&recipe, NULL, &world), "generate");
	works(cs_world_write_json(world, NULL, second), "write");
	char *text = read_text(second, &size);
	FILE *out = fopen(file, "w");
	for (const char *at = text, *end; *at; at = end, number++) {
		end = strchr(at, '\n') + 1;
		const bool long_way = number > 1 && number % 5 == 0;
		fprintf(out, "%s%.*s",
			number == wrong ? "{\"guid\":7,"
			: long_way      ? "{\"mesh\":null,"
					: "",
			(int)(end - at - (number == wrong || long_way)),
			at + (number == wrong || long_way));
	}
	fclose(out);
	free(text);
	cs_world_free(world);
}

/* Any number of threads adds the same texts in the same order, and finds the same first error. */
static void test_threads(void)
{
	for (size_t wrong = 0; wrong <= 2001; wrong += 2001) {
		struct cs_world *one = NULL, *five = NULL;
		write_mixed(path, wrong);
		char *first = read_with(1, path, &one), *other = read_with(5, path, &five);
		is_int(first != NULL, wrong > 0, "one thread: %s", first ? first : "it is read");
		if (wrong)
			ok(first && other && strcmp(first, other) == 0, "five threads: the same");
		else
			ok(one && five && one->strings.size == five->strings.size &&
					memcmp(one->strings.blob, five->strings.blob,
						one->strings.size) == 0 &&
					one->texts.n == five->texts.n &&
					memcmp(one->texts.at, five->texts.at,
						one->texts.n * sizeof(*one->texts.at)) == 0,
				"five threads: the same texts");
		free(first);
		free(other);
		cs_world_free(one);
		cs_world_free(five);
	}
}

/* ---- keys that mean nothing ---- */

struct told {
	unsigned unknown, here;
	const char *key;
};

static void hear(void *context, enum cs_log_level level, const char *message)
{
	struct told *told = context;
	told->unknown += level == CS_LOG_WARNING && (strstr(message, "has an unknown key") ||
							    strstr(message, "are not cooked"));
	told->here += strstr(message, told->key) != NULL;
}

/* A key that no table has is told with its line; one that a table has is not. */
static void test_unknown_keys(void)
{
	static const struct {
		const char *text, *told;
	} cases[] = {
		{DOCUMENT "{\"guid\":" GUID_1 ",\"name\":\"A\",\"sped\":1}\n",
			"line 2: actor has an unknown key 'sped'"},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"name\":\"A\",\"label\":\"a\"}\n", NULL},
		{"{\"cellscope_world\":1,\"settings\":{\"hush\":\"x\"}}\n", "unknown key 'hush'"},
		{"{\"cellscope_world\":1,\"layers\":[{\"name\":\"a\",\"nome\":1}]}\n",
			"unknown key 'nome'"},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"zip\":1}\n{\"guid\":" GUID_2 ",\"zip\":2}\n",
			"occurs 2 times"},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"transform\":{\"translation\":[1,2,3]}}\n",
			"line 2: transform has an unknown key 'translation'"},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"container\":\"/Game/L\"}\n",
			"actors that are not cooked, because no level instance places their "
			"levels: 1 (levels: 1, the first is /Game/L)"},
		{DOCUMENT "{\"guid\":" GUID_1 ",\"container\":\"/Game/L\"}\n{\"guid\":" GUID_2
			  ",\"level_instance\":{\"level\":\"/game/l\"}}\n",
			NULL},
		{"\xef\xbb\xbf{\"cellscope_world\":1,\"settings\":null,\"layers\":null,"
		 "\"package\":null}\n",
			NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct told told = {.key = cases[i].told ? cases[i].told : "unknown key"};
		const struct cs_job job = {.log = hear, .context = &told};
		struct cs_world *world = NULL;
		struct cs_error *error = cs_save_whole(path, cases[i].text, strlen(cases[i].text));
		works(error ? error : cs_world_read_json(path, &job, &world), "it is read");
		ok(told.unknown == (cases[i].told != NULL) && told.here == told.unknown, "told: %s",
			cases[i].told ? cases[i].told : "nothing");
		cs_world_free(world);
	}
}

int main(void)
{
	const char *out = test_folder();
	snprintf(path, sizeof(path), "%s/world.%ld.jsonl", out, (long)getpid());
	snprintf(second, sizeof(second), "%s.second", path);
	test_round_trip(CS_WORLD_CITY, "city", 3000);
	test_round_trip(CS_WORLD_OPEN, "open", 1000);
	test_round_trip(CS_WORLD_HARD, "hard", 300);
	test_generator();
	test_values();
	test_refusals();
	test_rotations();
	test_many_layers();
	test_external_layers();
	test_many_bundles();
	test_refused_edit();
	test_bundles();
	test_containers();
	test_damage();
	test_shuffle();
	test_plain_numbers();
	test_plain_form();
	test_threads();
	test_unknown_keys();
	unlink(path);
	unlink(second);
	return done();
}
