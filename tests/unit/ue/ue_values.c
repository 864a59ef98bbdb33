/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of properties without tags, type by type (ue-cooked rules 5.3): what the bytes are is
 * written down here, each value is followed by a number that must come out, and is cut at each
 * byte. And what the keys of a grid tell of its levels.
 */
#include "core/guid.h"
#include "tests/make/writes.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/engine_package.h"
#include "tests/samples/tap.h"
#include "ue/container/hash.h"
#include "ue/container/scripts.h"
#include "ue/map/umap.h"
#include "ue/object/read_values.h"

#include <math.h>

static const struct cs_ue_type of_int = {.kind = 'i'}, of_bool = {.kind = 'b'},
			       of_name = {.kind = 'n'}, of_short = {.kind = 'H'},
			       of_mode = {.kind = 'E', .name = "EDataLayerRuntimeState"};

/* A value that is written, and the value that must be read. */
struct sample {
	const char *what;
	struct cs_ue_type type;
	const char *bytes; /* two digits each; N = the name, of eight; blanks mean nothing */
	enum cs_ue_node_kind kind;
	double number; /* or how many children it has */
	const char *text;
};

static const struct sample samples[] = {
	{"bool", {.kind = 'b'}, "02", CS_UE_NODE_BOOL, 1, NULL},
	{"byte", {.kind = 'B'}, "fe", CS_UE_NODE_INTEGER, 254, NULL},
	{"int8", {.kind = 'c'}, "fe", CS_UE_NODE_INTEGER, -2, NULL},
	{"uint16", {.kind = 'h'}, "feff", CS_UE_NODE_INTEGER, 65534, NULL},
	{"int16", {.kind = 'H'}, "feff", CS_UE_NODE_INTEGER, -2, NULL},
	{"int32", {.kind = 'i'}, "feffffff", CS_UE_NODE_INTEGER, -2, NULL},
	{"uint32", {.kind = 'u'}, "feffffff", CS_UE_NODE_INTEGER, 4294967294.0, NULL},
	{"int64", {.kind = 'l'}, "feffffff ffffffff", CS_UE_NODE_INTEGER, -2, NULL},
	{"uint64", {.kind = 'q'}, "02000000 01000000", CS_UE_NODE_INTEGER, 4294967298.0, NULL},
	{"float", {.kind = 'f'}, "0000c0bf", CS_UE_NODE_NUMBER, -1.5, NULL},
	{"double", {.kind = 'd'}, "00000000 0000f8bf", CS_UE_NODE_NUMBER, -1.5, NULL},
	{"name", {.kind = 'n'}, "N", CS_UE_NODE_TEXT, 0, "name"},
	{"string", {.kind = 's'}, "03000000 486900", CS_UE_NODE_TEXT, 0, "Hi"},
	{"no string", {.kind = 's'}, "00000000", CS_UE_NODE_TEXT, 0, ""},
	{"object", {.kind = 'o'}, "00000000", CS_UE_NODE_NULL, 0, NULL},
	{"own object", {.kind = 'o'}, "01000000", CS_UE_NODE_OBJECT, 1, NULL},
	{"lazy object", {.kind = 'z'}, "01000000 02000000 03000000 04000000", CS_UE_NODE_GUID, 0,
		NULL},
	{"delegate", {.kind = 'D'}, "01000000 N", CS_UE_NODE_OBJECT, 1, NULL},
	{"no delegates", {.kind = 'M'}, "00000000", CS_UE_NODE_INTEGER, 0, NULL},
	{"delegates", {.kind = 'M'}, "02000000 01000000 N 00000000 N", CS_UE_NODE_INTEGER, 2, NULL},
	{"field path", {.kind = 'F'}, "02000000 N N 01000000", CS_UE_NODE_TEXT, 0, "name"},
	{"enum", {.kind = 'E', .name = "EDataLayerRuntimeState"}, "02", CS_UE_NODE_TEXT, 0,
		"EDataLayerRuntimeState::Activated"},
	{"array", {.kind = 'A', .inner = &of_int}, "02000000 05000000 06000000", CS_UE_NODE_LIST, 2,
		NULL},
	{"array of bool", {.kind = 'A', .inner = &of_bool}, "03000000 010001", CS_UE_NODE_LIST, 3,
		NULL},
	{"array of enum", {.kind = 'A', .inner = &of_mode}, "01000000 N", CS_UE_NODE_LIST, 1, NULL},
	{"set", {.kind = 'K', .inner = &of_short}, "00000000 02000000 0100 0200", CS_UE_NODE_LIST,
		2, NULL},
	{"map", {.kind = 'P', .inner = &of_name, .value = &of_bool}, "00000000 02000000 N 01 N 00",
		CS_UE_NODE_MAP, 4, NULL},
	{"optional", {.kind = 'Q', .inner = &of_int}, "01000000 07000000", CS_UE_NODE_INTEGER, 7,
		NULL},
	{"optional enum", {.kind = 'Q', .inner = &of_mode}, "01000000 N", CS_UE_NODE_TEXT, 0,
		"name"},
	{"no optional", {.kind = 'Q', .inner = &of_int}, "00000000", CS_UE_NODE_NULL, 0, NULL},
};

/*
 * Structs that are written as numbers, one after the other; those of `double` are `float` before V5
 * 1004.
 */
static const struct {
	const char *name;
	char form; /* d f i, B bytes, x a box */
	unsigned n;
} binaries[] = {{"Vector", 'd', 3}, {"Rotator", 'd', 3}, {"Vector2D", 'd', 2}, {"Vector4", 'd', 4},
	{"Quat", 'd', 4}, {"Plane", 'd', 4}, {"Vector3f", 'f', 3}, {"Vector2f", 'f', 2},
	{"Box", 'x', 6}, {"Color", 'B', 4}, {"LinearColor", 'f', 4}, {"IntPoint", 'i', 2},
	{"IntVector", 'i', 3}, {"Matrix", 'd', 16}};

enum { SENTINEL = 0x4d4e4f50 };

static unsigned digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void put_bytes(struct cs_writer *to, const char *text)
{
	for (; *text; text++) {
		if (*text == 'N') {
			cs_writer_u64(to, 0);
		} else if (*text != ' ') {
			cs_writer_u8(to, (uint8_t)(digit(text[0]) << 4 | digit(text[1])));
			text++;
		}
	}
}

/* Writes the mask of two properties that are not zero: the value, and a number after it. */
static void put_head(struct cs_writer *to)
{
	cs_writer_u16(to, 1u << 8 | 2u << 9);
}

/*
 * Returns the value when both properties were read to the last byte and the number is right, else
 * NULL.
 */
static const struct cs_ue_node *read_pair(struct cs_ue_decoder *decoder,
	const struct cs_ue_type *type, const struct cs_writer *bytes, struct cs_ue_node *list)
{
	struct cs_ue_slot slots[] = {{"Value", type, 0, 1}, {"Behind", &of_int, 0, 1}};
	const struct cs_ue_class class = {"Thing", "", slots, 2};
	struct cs_cursor c = cs_cursor_over(bytes->bytes, bytes->size, 0, "made");
	*list = (struct cs_ue_node){.kind = CS_UE_NODE_STRUCT};
	cs_ue_read_untagged((struct cs_ue_reading){.decoder = decoder}, &c, &class, list);
	bool whole = !c.bad && cs_cursor_left(&c) == 0 && list->first && list->first->next &&
		     list->first->next->integer == SENTINEL;
	return whole ? list->first : NULL;
}

static bool is_sample(const struct sample *want, const struct cs_ue_node *got, const char *name)
{
	double number = got->kind == CS_UE_NODE_NUMBER ? got->number : (double)got->integer;
	unsigned children = 0;
	for (const struct cs_ue_node *at = got->first; at; at = at->next)
		children++;
	if (got->kind != want->kind)
		return false;
	if (got->kind == CS_UE_NODE_GUID)
		return got->guid.a == 1 && got->guid.d == 4;
	if (got->kind == CS_UE_NODE_LIST || got->kind == CS_UE_NODE_MAP)
		return children == (unsigned)want->number;
	if (want->type.kind == 'E' && got->integer != 2)
		return false;
	if (got->kind == CS_UE_NODE_TEXT)
		return strcmp(got->text, strcmp(want->text, "name") == 0 ? name : want->text) == 0;
	return number == want->number;
}

static void test_value(struct cs_ue_decoder *decoder, const struct sample *want)
{
	const char *name = cs_ue_names_text(&decoder->package->names, 0, 0, &decoder->arena);
	struct cs_writer w = {0};
	struct cs_ue_node list;
	put_head(&w);
	put_bytes(&w, want->bytes);
	cs_writer_u32(&w, SENTINEL);
	const struct cs_ue_node *got = read_pair(decoder, &want->type, &w, &list);
	ok(got && is_sample(want, got, name), "%s: is what was written", want->what);
	size_t read = 0, whole = w.size;
	for (w.size = 0; w.size < whole; w.size++)
		read += read_pair(decoder, &want->type, &w, &list) != NULL;
	is_int(read, 0, "%s: no cut is taken for it", want->what);
	cs_writer_deinit(&w);
}

/* A zero takes no bytes, and is read as the zero of its type. */
static void test_zero(struct cs_ue_decoder *decoder, const struct sample *want)
{
	struct cs_writer w = {0};
	struct cs_ue_node list;
	const char *text = want->type.kind == 'n'   ? "None"
			   : want->type.kind == 'E' ? "EDataLayerRuntimeState::Unloaded"
						    : "";
	const enum cs_ue_node_kind kind = want->type.kind == 'o' ? CS_UE_NODE_NULL : want->kind;
	cs_writer_u16(&w, 1u << 7 | 1u << 8 | 2u << 9);
	cs_writer_u8(&w, 1);
	cs_writer_u32(&w, SENTINEL);
	const struct cs_ue_node *got = read_pair(decoder, &want->type, &w, &list);
	ok(got && got->kind == kind && got->integer == 0 && got->number == 0 && !got->first &&
			cs_guid_is_zero(got->guid) &&
			(kind != CS_UE_NODE_TEXT || strcmp(got->text, text) == 0),
		"%s: is zero", want->what);
	cs_writer_deinit(&w);
}

static void test_binary(struct cs_ue_decoder *decoder, size_t row, int32_t v5)
{
	const struct cs_ue_type type = {.kind = 'S', .name = binaries[row].name};
	const char form = binaries[row].form;
	struct cs_writer w = {0};
	struct cs_ue_node list;
	put_head(&w);
	for (unsigned i = 1; i <= binaries[row].n; i++) {
		if (form == 'i')
			cs_writer_u32(&w, i);
		else if (form == 'B')
			cs_writer_u8(&w, (uint8_t)i);
		else if (form == 'f' || v5 < 1004)
			cs_writer_f32(&w, (float)i);
		else
			cs_writer_f64(&w, i);
	}
	if (form == 'x')
		cs_writer_u8(&w, 1);
	cs_writer_u32(&w, SENTINEL);
	const struct cs_ue_node *got = read_pair(decoder, &type, &w, &list);
	bool right = got && got->n == binaries[row].n &&
		     got->kind == (form == 'x' ? CS_UE_NODE_BOX : CS_UE_NODE_NUMBERS) &&
		     got->integer == (form == 'x');
	for (unsigned i = 0; right && i < got->n; i++)
		right = got->numbers[i] == i + 1;
	ok(right, "%s of V5 %d: its numbers", binaries[row].name, v5);
	cs_writer_deinit(&w);
}

/* A soft path is two names and a text, whose form has changed; before V5 1007 it is one name. */
static void test_soft_path(struct cs_ue_decoder *decoder, int32_t v5, int32_t fn_main)
{
	const struct cs_ue_type type = {.kind = 'O'};
	struct cs_writer w = {0};
	struct cs_ue_node list;
	decoder->package->v5 = v5;
	decoder->package->fn_main = fn_main;
	put_head(&w);
	put_bytes(&w, v5 >= 1007 ? "NN" : "N");
	put_bytes(&w, fn_main >= 192 ? "02000000 4869" : "03000000 486900");
	cs_writer_u32(&w, SENTINEL);
	const struct cs_ue_node *got = read_pair(decoder, &type, &w, &list);
	ok(got && got->kind == CS_UE_NODE_TEXT && strstr(got->text, "Hi"),
		"soft path of V5 %d, FnMain %d: %s", v5, fn_main, got ? got->text : "not read");
	cs_writer_deinit(&w);
}

static struct cs_ue_cooked_package *some_package(const struct engine_form *form)
{
	json_t *json =
		engine_json("{'package': '/Game/M', 'flags': 0, 'exports': [{'name': 'M', 'cls': "
			    "'/Script/Game.Thing', 'outer': null, 'props': {}}]}");
	struct engine_package made;
	struct cs_ue_cooked_package *package = NULL;
	if (engine_package_write(json, form, &made))
		works(cs_ue_cooked_package_bytes(made.header.bytes, made.header.size,
			      made.exports.size ? made.exports.bytes : NULL, made.exports.size,
			      "made", NULL, &package),
			"a package");
	json_decref(json);
	return package;
}

/* An object claims fewer or more bytes than its export has. */
static void test_left(void)
{
	const struct engine_form form = {.release = CS_UE_5_6, .tagged = true};
	struct cs_ue_cooked_package *package = some_package(&form);
	struct cs_ue_decoder decoder;
	struct cs_ue_object object;
	if (!package)
		return;
	cs_ue_decoder_init(&decoder, package, CS_UE_5_6, NULL);
	struct cs_ue_cooked_export export = package->exports[0];
	works(cs_ue_decode(&decoder, &export, &object), "an object");
	ok(!object.problem && object.left == 0, "is read to its last byte");
	export.size += 3;
	works(cs_ue_decode(&decoder, &export, &object), "one with three bytes more");
	ok(!object.problem && object.left == 3, "leaves three");
	export.size -= 4;
	works(cs_ue_decode(&decoder, &export, &object), "one that is cut");
	ok(object.problem && object.left == export.size,
		"has a problem, and nothing counts as read");
	ok(object.problem_at >= export.offset && object.problem_at <= export.offset + export.size,
		"which lies inside");
	cs_ue_decoder_deinit(&decoder);
	cs_ue_cooked_package_close(package);
}

/*
 * Elements of an array are containers that do not name their types, by tags of both forms: the
 * array is passed over, and the number after it is read.
 */
static void test_bare(struct cs_ue_decoder *decoder, int32_t v5, uint64_t kind)
{
	static const char *names[] = {"None", "Value", "Behind", "ArrayProperty", "IntProperty",
		"SetProperty", "MapProperty", "OptionalProperty"};
	const struct cs_ue_names own = decoder->package->names;
	struct cs_ue_node list = {.kind = CS_UE_NODE_STRUCT};
	struct cs_writer w = {0};
	decoder->package->v5 = v5;
	decoder->package->names = (struct cs_ue_names){names, CS_COUNT_OF(names)};
	cs_writer_u64(&w, 1);
	cs_writer_u64(&w, 3);
	if (v5 >= 1012) { /* of one type, which is of none */
		cs_writer_u32(&w, 1);
		cs_writer_u64(&w, kind);
		cs_writer_u32(&w, 0);
	}
	cs_writer_u32(&w, 16);
	if (v5 < 1012) {
		cs_writer_u32(&w, 0);
		cs_writer_u64(&w, kind);
	}
	cs_writer_u8(&w, 0);
	cs_writer_u32(&w, 1); /* element: of a set and a map, none is removed, and one is there */
	cs_writer_u32(&w, kind == 5 || kind == 6 ? 0 : 1);
	cs_writer_u64(&w, 1);
	cs_writer_u64(&w, 2);
	cs_writer_u64(&w, 4);
	cs_writer_u32(&w, v5 >= 1012 ? 0 : 4);
	cs_writer_u32(&w, v5 >= 1012 ? 4 : 0);
	cs_writer_u8(&w, 0);
	cs_writer_u32(&w, SENTINEL);
	cs_writer_u64(&w, 0);
	struct cs_cursor c = cs_cursor_over(w.bytes, w.size, 0, "made");
	cs_ue_read_tags((struct cs_ue_reading){.decoder = decoder, .tagged = true}, &c, &list);
	ok(!c.bad && cs_cursor_left(&c) == 0 && list.n == 2 && list.last->integer == SENTINEL,
		"V5 %d: an array of %s of nothing is passed over", v5, names[kind]);
	decoder->package->names = own;
	cs_writer_deinit(&w);
}

static uint32_t name_row(const struct cs_ue_cooked_package *package, const char *name)
{
	uint32_t row = 0;
	while (row < package->names.n && strcmp(package->names.at[row], name) != 0)
		row++;
	return row;
}

/*
 * The levels of a grid are written as a vector, which has three numbers but no elements: no levels
 * are read.
 */
static void test_no_levels(void)
{
	const struct engine_form form = {.release = CS_UE_5_6, .tagged = true};
	const struct engine_town town = {CS_UE_5_6, false, 3, false, false};
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	struct cs_ue_cooked_package *package = NULL;
	struct engine_package made;
	struct cs_ue_map *map = NULL;
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form);
	ok(engine_package_write(json, &form, &made), "a map with tags");
	works(cs_ue_cooked_package_bytes(made.header.bytes, made.header.size, made.exports.bytes,
		      made.exports.size, "made", NULL, &package),
		"it is a package");
	const uint32_t rows[] = {name_row(package, "GridLevels"), 0,
		name_row(package, "ArrayProperty"), 0, 1, name_row(package, "StructProperty"), 0};
	unsigned char *tag = memmem((void *)package->bytes, package->size, rows, sizeof(rows));
	if (ok(tag != NULL, "it has levels")) {
		cs_store32(tag + 8, rows[5]);
		cs_store32(tag + 20, name_row(package, "Vector"));
		works(cs_ue_map_read(package, &options, &map), "it is a map");
		is_int(map ? map->partitions.at[0].levels : 1, 0, "its grid has no levels");
	}
	cs_ue_map_free(map);
	json_decref(json);
	json_decref(cook);
}

/* Keys tell whether levels are aligned, even in a grid with a single cell, against the default. */
static void test_levels(int cells, bool aligned)
{
	const struct engine_form form = {.release = CS_UE_5_6};
	const struct engine_town town = {CS_UE_5_6, false, cells, false, aligned};
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	struct cs_ue_cooked_package *package = NULL;
	struct engine_package made;
	struct cs_ue_map *map = NULL;
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form);
	ok(engine_package_write(json, &form, &made), "a map of %d cells a side", cells);
	works(cs_ue_cooked_package_bytes(made.header.bytes, made.header.size, made.exports.bytes,
		      made.exports.size, "made", NULL, &package),
		"it is a package");
	works(cs_ue_map_read(package, &options, &map), "it is a map");
	is_int(map && map->partitions.at[0].aligned, aligned, "its levels are%s aligned",
		aligned ? "" : " not");
	cs_ue_map_free(map);
	json_decref(json);
	json_decref(cook);
}

/*
 * Script objects that all have the longest name are nested: they are refused before their paths
 * fill the memory.
 */
static void test_long_scripts(void)
{
	enum { OBJECTS = 5000, LONGEST = 0x7fff };
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_ue_scripts scripts;
	struct cs_writer w = {0};
	unsigned char *text = malloc(LONGEST);
	memset(text, 'a', LONGEST);
	cs_writer_u32(&w, 1);
	cs_writer_u32(&w, LONGEST);
	cs_writer_u64(&w, 0xC1640000);
	cs_writer_u64(&w, cs_ue_name_hash(text, LONGEST, false));
	cs_writer_u16(&w, 0xff7f);
	cs_writer_bytes(&w, text, LONGEST);
	cs_writer_u32(&w, OBJECTS);
	for (uint64_t i = 0; i < OBJECTS; i++) {
		cs_writer_u64(&w, 0);
		cs_writer_u64(&w, i);
		cs_writer_u64(&w, (i + 1) % OBJECTS);
		cs_writer_u64(&w, 0);
	}
	fails(cs_ue_read_scripts(w.bytes, w.size, "made", &arena, &scripts), CS_E_LIMIT,
		"script objects with long paths");
	ok(arena.total < 100 << 20, "which took %llu bytes", (unsigned long long)arena.total);
	cs_arena_deinit(&arena);
	cs_writer_deinit(&w);
	free(text);
}

int main(void)
{
	test_long_scripts();
	for (int cells = 1; cells < 4; cells++) {
		test_levels(cells, false);
		test_levels(cells, true);
	}
	test_no_levels();
	static const int32_t v5s[] = {1003, 1004, 1017};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct cs_ue_cooked_package *package = some_package(&form);
	struct cs_ue_decoder decoder;
	if (!package)
		return done();
	test_left();
	cs_ue_decoder_init(&decoder, package, CS_UE_5_6, NULL);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		test_value(&decoder, &samples[i]);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		if (!strchr("DMFQ", samples[i].type.kind))
			test_zero(&decoder, &samples[i]);
	for (size_t k = 0; k < 3; k++) {
		package->v5 = v5s[k];
		for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++)
			test_binary(&decoder, i, v5s[k]);
	}
	for (uint64_t kind = 3; kind < 8; kind++)
		if (kind != 4) {
			test_bare(&decoder, 1010, kind);
			test_bare(&decoder, 1017, kind);
		}
	test_soft_path(&decoder, 1006, 0);
	test_soft_path(&decoder, 1007, 0);
	test_soft_path(&decoder, 1017, 191);
	test_soft_path(&decoder, 1017, 192);
	cs_ue_decoder_deinit(&decoder);
	cs_ue_cooked_package_close(package);
	return done();
}
