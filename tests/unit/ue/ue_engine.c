/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine's cooker writes, written here: packages of every engine and form, and containers
 * of every version, read back as what went into them; and the facts of real cooks made into cooks.
 */
#include "core/guid.h"
#include "tests/make/writes.h"
#include "tests/samples/engine_container.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "ue/map/umap.h"
#include "ue/object/read_values.h"

#include <cellscope/cooked.h>
#include <cellscope/ue.h>

#include <sys/stat.h>
#include <unistd.h>

static char folder[4096];

/* Makes an empty folder of test output; its former content is removed. */
static void new_folder(const char *name)
{
	fresh_folder(folder, sizeof(folder), name);
	mkdir(folder, 0777);
}

/* ---- packages ---- */

static const char *form_name(const struct engine_form *form)
{
	static char text[64];
	snprintf(text, sizeof(text), "%s %s %s %s", cs_ue_releases[form->release].name,
		form->zen ? "Zen" : "legacy", form->tagged ? "tagged" : "unversioned",
		form->versioned ? "versioned" : "without versions");
	return text;
}

/* Reads a package, whose bytes it takes over. */
static struct cs_ue_cooked_package *read_package(struct engine_package *made)
{
	struct cs_ue_cooked_package *package = NULL;
	bool two = made->exports.size > 0;
	works(cs_ue_cooked_package_bytes(made->header.bytes, made->header.size,
		      two ? made->exports.bytes : NULL, made->exports.size, "made", NULL, &package),
		"it is a package");
	return package;
}

static struct cs_ue_map *read_map(json_t *json, const struct engine_form *form)
{
	struct engine_package made;
	struct cs_ue_map *map = NULL;
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	bool wrote = engine_package_write(json, form, &made);
	json_decref(json);
	ok(wrote, "%s: written", form_name(form));
	struct cs_ue_cooked_package *package = wrote ? read_package(&made) : NULL;
	if (package)
		works(cs_ue_map_read(package, &options, &map), "%s: its map", form_name(form));
	return map;
}

static const json_t *fact_of(const json_t *cook, const char *name)
{
	json_t *cell;
	size_t i;
	json_array_foreach (json_object_get(cook, "cells"), i, cell) {
		if (strcmp(json_string_value(json_object_get(cell, "short")), name) == 0)
			return cell;
	}
	return NULL;
}

static double number_at(const json_t *list, size_t i)
{
	return json_number_value(json_array_get(list, i));
}

static bool same_point(struct cs_vec3 point, const json_t *list)
{
	return point.x == number_at(list, 0) && point.y == number_at(list, 1) &&
	       point.z == number_at(list, 2);
}

/* Returns whether a cell of the map has the facts that it was made of. */
static bool cell_holds(
	const struct cs_ue_map *map, const struct cs_ue_map_cell *cell, const json_t *fact)
{
	char guid[CS_GUID_TEXT];
	const char *want = json_string_value(json_object_get(fact, "guid"));
	bool old = map->release < CS_UE_5_3;
	cs_guid_format(cell->guid, guid);
	if (!fact || !cell->has_place || !cell->debug_name ||
		strcmp(cell->debug_name,
			json_string_value(json_object_get(fact, old ? "short" : "name"))) != 0)
		return false;
	if (cell->always_loaded != json_is_true(json_object_get(fact, "always")) ||
		(want && strcmp(want, guid) != 0) ||
		!same_point(cell->content.min, json_object_get(fact, "content_min")) ||
		!same_point(cell->content.max, json_object_get(fact, "content_max")))
		return false;
	if (!map->spatial_hash)
		return cell->always_loaded ||
		       same_point(cell->cell_bounds.min, json_object_get(fact, "bounds_min"));
	return same_point(cell->position, json_object_get(fact, "position")) &&
	       cell->extent == json_number_value(json_object_get(fact, "extent")) &&
	       cell->key_x == json_integer_value(json_object_get(fact, "x")) &&
	       cell->key_y == json_integer_value(json_object_get(fact, "y")) &&
	       cell->grid_level == json_integer_value(json_object_get(fact, "level"));
}

static void check_map(const json_t *cook, const struct engine_form *form)
{
	size_t right = 0, cells = json_array_size(json_object_get(cook, "cells"));
	struct cs_ue_map *map = read_map(engine_cook_map(cook, form), form);
	if (!map)
		return;
	ok(map->has_properties && map->fits & 1u << form->release, "%s: of its engine%s%s",
		form_name(form), map->problem ? ": " : "",
		map->problem ? map->problem->message : "");
	for (size_t i = 0; i < map->cells.n; i++)
		right += cell_holds(map, &map->cells.at[i], fact_of(cook, map->cells.at[i].name));
	is_int(map->cells.n, cells, "%s: its cells", form_name(form));
	is_int(right, cells, "%s: each says what it was made of", form_name(form));
	is_int(map->partitions.n, 1, "%s: one grid", form_name(form));
	cs_ue_map_free(map);
}

static void check_cell_package(const json_t *cook, const struct engine_form *form)
{
	const json_t *fact = json_array_get(json_object_get(cook, "cells"), 0);
	const json_t *actors = json_object_get(fact, "actors");
	struct cs_ue_map *map = read_map(engine_cook_cell(cook, fact, form), form);
	if (!map)
		return;
	const char *name = json_string_value(json_object_get(fact, "short"));
	size_t houses = 0;
	for (size_t i = 0; i < map->actors.n; i++) {
		const struct cs_ue_map_actor *actor = &map->actors.at[i];
		if (strcmp(actor->name, json_string_value(json_array_get(actors, 0))) != 0)
			continue;
		houses++;
		ok(actor->has_transform && same_point(actor->transform.translation,
						   json_object_get(fact, "content_min")),
			"%s: where the actor is", form_name(form));
		/* before 5.3 a Zen package names what it imports by numbers of the container */
		if (!form->zen || form->release >= CS_UE_5_3)
			is_text(actor->mesh, "/Game/Meshes/SM_House.SM_House", "%s: its mesh",
				form_name(form));
		ok(actor->has_guid == (form->release >= CS_UE_5_5), "%s: GUIDs from 5.5 on",
			form_name(form));
	}
	is_int(houses, 1, "%s: the cell has its actor", form_name(form));
	ok(map->runtime_cell && strstr(map->runtime_cell, name), "%s: the way back",
		form_name(form));
	cs_ue_map_free(map);
}

static void test_form(struct engine_form form)
{
	bool set = form.release >= CS_UE_5_4;
	const struct engine_town town = {
		.release = form.release, .hash_set = set, .cells = 3, .layers = true};
	json_t *cook = engine_cook_town(&town);
	check_map(cook, &form);
	check_cell_package(cook, &form);
	json_decref(cook);
}

/* ---- switches ---- */

/* Returns the bit of a switch that is on; 0 for one that is off or not said. */
static unsigned bit_of(signed char value, unsigned bit)
{
	return value > 0 ? bit : 0;
}

static bool switches_of_cell(const struct cs_ue_map_cell *cell, const struct cs_cooked *world)
{
	const unsigned mask = CS_CELL_CLIENT_ONLY | CS_CELL_BLOCK_ON_SLOW | CS_CELL_HLOD;
	for (size_t i = 0; i < world->n_cells; i++)
		if (cs_guid_compare(cs_cooked_cell(world, i)->guid, cell->guid) == 0)
			return (cs_cooked_cell(world, i)->flags & mask) ==
			       (bit_of(cell->client_only, CS_CELL_CLIENT_ONLY) |
				       bit_of(cell->block_on_slow, CS_CELL_BLOCK_ON_SLOW) |
				       bit_of(cell->is_hlod, CS_CELL_HLOD));
	return false;
}

/* Tries the three switches of a cell and of a partition, each on, off or not said. */
static bool check_switches(struct cs_ue_map *map, unsigned round)
{
	const unsigned mask =
		CS_PARTITION_BLOCK_ON_SLOW | CS_PARTITION_CLIENT_ONLY | CS_PARTITION_SPATIAL;
	struct cs_ue_map_partition *p = &map->partitions.at[0];
	struct cs_cooked *world = NULL;
	unsigned char *bytes = NULL;
	size_t size, right = 0;
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	for (unsigned i = 0; i < map->cells.n; i++) {
		struct cs_ue_map_cell *cell = &map->cells.at[i];
		cell->client_only = (signed char)((i + round) % 3 - 1);
		cell->block_on_slow = (signed char)((i + round) / 3 % 3 - 1);
		cell->is_hlod = (signed char)((i + round) / 9 % 3 - 1);
	}
	p->client_only = (signed char)(round % 3 - 1);
	p->block_on_slow = (signed char)(round / 3 % 3 - 1);
	p->spatial = (signed char)(round / 9 % 3 - 1);
	cs_error_free(cs_ue_map_to_world(NULL, map, &options, NULL, &bytes, &size));
	if (!bytes)
		return false;
	cs_error_free(cs_cooked_open_bytes(bytes, size, "made", NULL, &world));
	for (size_t i = 0; world && i < map->cells.n; i++)
		right += switches_of_cell(&map->cells.at[i], world);
	bool same = world && right == map->cells.n &&
		    (world->partitions[0].flags & mask) ==
			    (bit_of(p->client_only, CS_PARTITION_CLIENT_ONLY) |
				    bit_of(p->block_on_slow, CS_PARTITION_BLOCK_ON_SLOW) |
				    bit_of(p->spatial, CS_PARTITION_SPATIAL));
	cs_cooked_close(world);
	free(bytes);
	return same;
}

static void test_switches(void)
{
	const struct engine_town town = {.release = CS_UE_5_6, .hash_set = true, .cells = 3};
	const struct engine_form form = {.release = CS_UE_5_6, .tagged = true};
	json_t *cook = engine_cook_town(&town);
	struct cs_ue_map *map = read_map(engine_cook_map(cook, &form), &form);
	bool same = map;
	for (unsigned round = 0; map && round < 27; round++)
		same = check_switches(map, round) && same;
	ok(same, "switches of cells and partitions: on, off and not said");
	cs_ue_map_free(map);
	json_decref(cook);
}

static void test_forms(void)
{
	static const enum cs_ue_release releases[] = {CS_UE_5_1, CS_UE_5_3, CS_UE_5_4, CS_UE_5_5,
		CS_UE_5_6, CS_UE_5_7, CS_UE_5_8, CS_UE_6_0};
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		for (unsigned bits = 0; bits < 8; bits++)
			test_form((struct engine_form){releases[i], bits & 1, bits & 2, bits & 4});
}

/* Writes an object without any property, or with one that its class does not know. */
static bool write_plain(const struct engine_form *form, struct engine_package *ret)
{
	json_t *json =
		engine_json("{'package': '/Game/M', 'flags': 0, 'exports': [{'name': 'M', 'cls': "
			    "'/Script/Game.Thing', 'outer': null, 'props': {}}]}");
	bool wrote = engine_package_write(json, form, ret);
	json_decref(json);
	return wrote;
}

/* A header without versions tells engines apart as far as its layout or its imports changed. */
static void test_layouts(void)
{
	static const struct {
		enum cs_ue_release release;
		const char *fits;
	} layouts[] = {{CS_UE_5_0, "5.0"}, {CS_UE_5_1, "5.1"}, {CS_UE_5_2, "5.2, 5.3, 5.4, 5.5"},
		{CS_UE_5_3, "5.2, 5.3, 5.4, 5.5"}, {CS_UE_5_4, "5.2, 5.3, 5.4, 5.5"},
		{CS_UE_5_5, "5.2, 5.3, 5.4, 5.5"}, {CS_UE_5_6, "5.6"}, {CS_UE_5_7, "5.7"},
		{CS_UE_5_8, "5.8, 6.0"}, {CS_UE_6_0, "5.8, 6.0"}};
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const struct engine_form form = {.release = layouts[i].release};
		struct engine_package made;
		char fits[128] = "";
		if (!ok(write_plain(&form, &made), "%s: written", form_name(&form)))
			continue;
		struct cs_ue_cooked_package *package = read_package(&made);
		if (package)
			cs_ue_cooked_releases_text(package->releases, fits, sizeof(fits));
		is_text(fits, layouts[i].fits, "%s: the engines that write so", form_name(&form));
		cs_ue_cooked_package_close(package);
	}
}

/* A header of 5.0 with a version from 1000 to 2000 is one of UE5. */
static void test_header_versions(void)
{
	static const struct {
		uint32_t v5;
		bool is_version, opens;
	} cases[] = {{0, false, false}, {999, false, false}, {1000, true, true}, {1004, true, true},
		{2000, true, false}, {2001, false, false}, {UINT32_MAX, false, false}};
	const struct engine_form form = {.release = CS_UE_5_0, .versioned = true, .zen = true};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct engine_package made;
		struct cs_ue_cooked_package *package = NULL;
		if (!ok(write_plain(&form, &made), "a header of 5.0"))
			return;
		cs_store32(made.header.bytes + 44 + 8, cases[i].v5);
		struct cs_error *error = cs_ue_cooked_package_bytes(
			made.header.bytes, made.header.size, NULL, 0, "made", NULL, &package);
		ok(!error == cases[i].opens &&
				(!error || (error->code == CS_E_VERSION) != cases[i].is_version),
			"a header that says %u %s", (unsigned)cases[i].v5,
			cases[i].opens ? "opens" : "is refused");
		cs_error_free(error);
		cs_ue_cooked_package_close(package);
	}
}

/* ---- what is zero takes no bytes ---- */

/* There are as many values of 32 bits as slots; every third one with a bit in the mask is zero. */
static void check_mask(struct cs_ue_decoder *decoder, unsigned slots, unsigned told, size_t bytes)
{
	static const struct cs_ue_type type = {.kind = 'i'};
	struct cs_ue_slot slot[64];
	const struct cs_ue_class class = {"Thing", "", slot, slots};
	struct cs_ue_node list = {.kind = CS_UE_NODE_STRUCT};
	struct cs_writer out = {0};
	unsigned char mask[16] = {0};
	unsigned right = 0, read = 0;
	for (unsigned i = 0; i < slots; i++)
		slot[i] = (struct cs_ue_slot){"V", &type, 0, 1};
	for (unsigned i = 0; i < told; i += 3)
		mask[i / 8] |= (unsigned char)(1u << i % 8);
	if (told > 0)
		cs_writer_u16(&out, (uint16_t)(1u << 7 | (told == slots) << 8 | told << 9));
	if (told < slots)
		cs_writer_u16(&out, (uint16_t)(1u << 8 | (slots - told) << 9));
	cs_writer_bytes(&out, mask, bytes);
	for (unsigned i = 0; i < slots; i++)
		if (i >= told || i % 3)
			cs_writer_u32(&out, 1000 + i);
	struct cs_cursor c = cs_cursor_over(out.bytes, out.size, 0, "made");
	cs_ue_read_untagged((struct cs_ue_reading){.decoder = decoder}, &c, &class, &list);
	for (const struct cs_ue_node *at = list.first; at; at = at->next, read++)
		right += at->integer == (read < told && read % 3 == 0 ? 0 : 1000 + (int)read);
	ok(!c.bad && cs_cursor_left(&c) == 0 && right == slots && read == slots,
		"%u values, %u in a mask of %zu bytes: %u are right", slots, told, bytes, right);
	cs_writer_deinit(&out);
}

/* A mask has one byte, two bytes, or as many groups of four as are necessary. */
static void test_masks(void)
{
	static const struct {
		unsigned told;
		size_t bytes;
	} masks[] = {{0, 0}, {1, 1}, {7, 1}, {8, 1}, {9, 2}, {15, 2}, {16, 2}, {17, 4}, {31, 4},
		{32, 4}, {33, 8}, {60, 8}};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct engine_package made;
	struct cs_ue_decoder decoder;
	struct cs_ue_cooked_package *package =
		write_plain(&form, &made) ? read_package(&made) : NULL;
	if (!package)
		return;
	cs_ue_decoder_init(&decoder, package, CS_UE_5_6, NULL);
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		check_mask(&decoder, 60, masks[i].told, masks[i].bytes);
		if (masks[i].told > 0)
			check_mask(&decoder, masks[i].told, masks[i].told, masks[i].bytes);
	}
	cs_ue_decoder_deinit(&decoder);
	cs_ue_cooked_package_close(package);
}

/* ---- what inspectors are told ---- */

struct told {
	char text[1024];
};

static bool take_header(void *context, const char *part, const char *name, const char *value)
{
	struct told *told = context;
	size_t n = strlen(told->text);
	if (strcmp(part, "header") != 0)
		return false;
	snprintf(told->text + n, sizeof(told->text) - n, "%s %s\n", name, value);
	return true;
}

static void test_header(void)
{
	struct engine_form form = {.release = CS_UE_5_6, .versioned = true};
	struct engine_package made;
	struct cs_ue_place *place = NULL;
	struct told told = {""};
	size_t file;
	new_folder("ue_engine");
	ok(write_plain(&form, &made), "a package");
	engine_save_bytes(made.header.bytes, made.header.size, folder, "M.umap");
	engine_save_bytes(made.exports.bytes, made.exports.size, folder, "M.uexp");
	engine_package_deinit(&made);
	works(cs_ue_place_open(folder, NULL, NULL, &place), "opens");
	if (place && ok(cs_ue_place_find(place, "M.umap", &file) == NULL, "is found"))
		works(cs_ue_place_tell(place, file, NULL, take_header, &told), "is told");
	/* names: /Script/CoreUObject, Class, Package, /Script/Game, Thing, M; imports: the class
	 * and its package; flags: cooked, without tags, without what the editor needs alone */
	is_text(told.text,
		"package /Game/M\nformat legacy\nengine 5.6\nversioned yes\n"
		"properties unversioned\nflags 80002200\nnames 6\nimports 2\nexports 1\n"
		"bulk_data 0\n",
		"all of its header");
	cs_ue_place_close(place);
}

/* Makes packages of the facts of two complete cooks and reads them back. */
static void test_real(const char *data, const char *name, enum cs_ue_release release)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/ue/answers/cooked/%s", data, name);
	json_t *cook = json_load_file(path, 0, NULL);
	ok(cook != NULL, "%s is there", name);
	check_map(cook, &(struct engine_form){.release = release});
	check_map(cook, &(struct engine_form){.release = release, .zen = true, .tagged = true});
	json_decref(cook);
}

/* ---- containers ---- */

static const struct cs_ue_key secret = {
	.bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, .given = true};

/* Contents of files: nothing, little, more than a block, and bytes that cannot be packed well. */
static unsigned char content[4][9000];
static const struct engine_file files[] = {
	{"Content/Maps/Town.umap", content[0], 40, 1, CS_UE_CHUNK_PACKAGE, false},
	{"Content/Maps/Town.ubulk", content[1], 9000, 1, CS_UE_CHUNK_BULK, false},
	{"Content/A/B/C/Deep.uasset", content[2], 2048, 2, CS_UE_CHUNK_PACKAGE, false},
	{"Config/Empty.ini", content[3], 0, 3, CS_UE_CHUNK_EXTERNAL, false},
};
enum { N_FILES = sizeof(files) / sizeof(files[0]) };

static void fill_content(void)
{
	uint32_t state = 1;
	for (size_t i = 0; i < sizeof(content[1]); i++) {
		state = state * 1664525 + 1013904223;
		content[0][i] = (unsigned char)(i / 7);
		content[1][i] = (unsigned char)(i % 3000 < 1500 ? state >> 24 : i / 100);
		content[2][i] = 'x';
	}
}

static const char *container_name(const struct engine_container *form, const char *kind)
{
	static char text[128];
	snprintf(text, sizeof(text), "%s %u%s%s %s %s%s%s", kind, form->version,
		form->old_methods ? "a" : "", form->flat ? " flat" : "",
		cs_ue_method_name(form->method),
		!form->key                  ? "plain"
		: form->cipher == CS_UE_CTR ? "CTR"
					    : "ECB",
		form->partition_size ? " in parts" : "", form->no_index ? " without names" : "");
	return text;
}

static bool same_file(const struct cs_ue_place *place, size_t file, const struct engine_file *want)
{
	unsigned char *bytes = NULL;
	size_t size = 0;
	struct cs_error *error = cs_ue_place_read_whole(place, file, NULL, &bytes, &size);
	bool same = !error && size == want->size &&
		    (size == 0 || memcmp(bytes, want->bytes, size) == 0);
	if (error)
		diag("%s: %s", want->path, error->message);
	cs_error_free(error);
	free(bytes);
	return same;
}

static size_t count_same(const struct cs_ue_place *place, bool named)
{
	char path[256];
	size_t same = 0, file;
	for (size_t i = 0; i < N_FILES; i++) {
		if (named)
			snprintf(path, sizeof(path), "Town/%s", files[i].path);
		else
			snprintf(path, sizeof(path), "chunk:%016llX.0.%s",
				(unsigned long long)files[i].id, cs_ue_chunk_name(files[i].type));
		struct cs_error *error = cs_ue_place_find(place, path, &file);
		if (!error)
			same += same_file(place, file, &files[i]);
		else
			diag("%s: %s", path, error->message);
		cs_error_free(error);
	}
	return same;
}

/* Returns whether a byte in the middle of a file can be read without the bytes before it. */
static bool reads_middle(const struct cs_ue_place *place, const char *path)
{
	size_t file;
	unsigned char byte = 0;
	struct cs_error *error = cs_ue_place_find(place, path, &file);
	if (!error)
		error = cs_ue_place_read(place, file, 5001, &byte, 1);
	bool good = !error && byte == content[1][5001];
	cs_error_free(error);
	return good;
}

static void check_container(const struct engine_container *form, bool pak)
{
	const char *name = container_name(form, pak ? "pak" : "utoc");
	char path[8192];
	size_t n = 0;
	struct cs_ue_place *place = NULL;
	snprintf(path, sizeof(path), "%s/C.%s", folder, pak ? "pak" : "utoc");
	ok((pak ? engine_pak_save : engine_utoc_save)(form, files, N_FILES, folder, "C"),
		"%s: written", name);
	works(cs_ue_place_open(path, form->key, NULL, &place), "%s: opens", name);
	if (place) {
		is_int(count_same(place, !form->no_index), N_FILES, "%s: its files", name);
		ok(form->no_index || reads_middle(place, "Town.ubulk"), "%s: a part of one", name);
		ok(cs_ue_place_containers(place, &n)->indexed == !form->no_index,
			"%s: says its paths or not", name);
	}
	cs_ue_place_close(place);
	if (!form->key)
		return;
	struct cs_ue_key wrong = secret;
	wrong.bytes[3] ^= 1;
	place = NULL;
	if (!form->no_index)
		fails(cs_ue_place_open(path, &wrong, NULL, &place), CS_E_KEY, "%s: a wrong key",
			name);
	works(cs_ue_place_open(path, NULL, NULL, &place), "%s: opens without key", name);
	const struct cs_ue_place_container *about =
		place ? cs_ue_place_containers(place, &n) : NULL;
	ok(about && about->locked == !form->no_index && !about->indexed, "%s: and is locked", name);
	cs_ue_place_close(place);
}

static void test_utocs(void)
{
	static const uint32_t versions[] = {3, 4, 5, 6, 8, 10};
	static const enum cs_ue_method methods[] = {
		CS_UE_STORED, CS_UE_ZLIB, CS_UE_GZIP, CS_UE_LZ4, CS_UE_ZSTD};
	new_folder("ue_engine");
	for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++)
		for (size_t m = 0; m < sizeof(methods) / sizeof(methods[0]); m++) {
			struct engine_container form = {.version = versions[v],
				.method = methods[m],
				.block_size = 2048,
				.mount = "../../../Town/",
				.id = 77};
			check_container(&form, false);
			form.partition_size = m % 2 ? 4096 : 0;
			form.key = &secret;
			form.cipher = versions[v] >= 10 && m % 2 ? CS_UE_CTR : CS_UE_ECB;
			check_container(&form, false);
			form.no_index = true;
			check_container(&form, false);
		}
}

static void test_paks(void)
{
	static const struct {
		uint32_t version;
		bool old_methods, flat;
	} versions[] = {{5, false, false}, {6, false, false}, {7, false, false}, {8, true, false},
		{8, false, false}, {9, false, false}, {10, false, false}, {11, false, false},
		{12, false, false}, {13, false, true}, {14, false, true}, {15, false, false},
		{15, false, true}};
	for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++)
		for (int m = CS_UE_STORED; m <= CS_UE_ZSTD; m++) {
			struct engine_container form = {.version = versions[v].version,
				.old_methods = versions[v].old_methods,
				.flat = versions[v].flat,
				.method = (enum cs_ue_method)m,
				.block_size = 2048,
				.mount = "../../../Town/"};
			if (form.version < 8 && m > CS_UE_GZIP)
				continue; /* had numbers for these two alone */
			check_container(&form, true);
			form.key = &secret;
			form.cipher = form.version >= 15 && m % 2 ? CS_UE_CTR : CS_UE_ECB;
			check_container(&form, true);
		}
}

/* ---- refusals ---- */

static struct cs_ue_place *open_here(const char *name)
{
	char path[8192];
	struct cs_ue_place *place = NULL;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	works(cs_ue_place_open(path, NULL, NULL, &place), "%s opens", *name ? name : "the folder");
	return place;
}

/* Tries sizes of blocks that the bits of an entry can express, and larger ones. */
static void test_block_sizes(void)
{
	static const uint32_t sizes[] = {2048, 5000, 62 << 11, 63 << 11, 1 << 17};
	new_folder("ue_engine");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct engine_container form = {.version = 11,
			.method = CS_UE_ZLIB,
			.block_size = sizes[i],
			.mount = "../../../Town/"};
		check_container(&form, true);
		form.key = &secret;
		form.cipher = CS_UE_ECB;
		check_container(&form, true);
	}
}

static void test_oodle(void)
{
	for (int pak = 0; pak < 2; pak++) {
		const struct engine_container form = {.version = pak ? 11 : 8,
			.method = CS_UE_OODLE,
			.block_size = 2048,
			.mount = "../../../Town/"};
		size_t file, n;
		unsigned char byte;
		new_folder("ue_engine");
		(pak ? engine_pak_save : engine_utoc_save)(&form, files, N_FILES, folder, "O");
		struct cs_ue_place *place = open_here(pak ? "O.pak" : "O.utoc");
		if (!place)
			continue;
		works(cs_ue_place_find(place, "Town.umap", &file), "Oodle is listed");
		ok(!cs_ue_place_files(place, &n)[file].readable, "as what cannot be read");
		is_text(cs_ue_place_files(place, &n)[file].method, "Oodle", "by its name");
		is_int(cs_ue_place_containers(place, &n)->unreadable, 3, "and counted");
		fails(cs_ue_place_read(place, file, 0, &byte, 1), CS_E_FEATURE, "and refused");
		cs_ue_place_close(place);
	}
}

/* A patch hides files of other containers, and deletes some. */
static void test_patches(void)
{
	const struct engine_container form = {
		.version = 11, .block_size = 2048, .mount = "../../../Town/"};
	const struct engine_file first[] = {{"Content/A.uasset", "base", 4, 0, 0, false},
		{"Content/B.ini", "base", 4, 0, 0, false}};
	const struct engine_file second[] = {{"Content/A.uasset", "patch", 5, 0, 0, false}};
	const struct engine_file third[] = {{"Content/A.uasset", "newest", 6, 0, 0, false},
		{"Content/B.ini", NULL, 0, 0, 0, true}};
	size_t file, n;
	char text[8] = "";
	new_folder("ue_engine");
	engine_pak_save(&form, first, 2, folder, "Town-Windows");
	engine_pak_save(&form, second, 1, folder, "Town-Windows_0_P");
	engine_pak_save(&form, third, 2, folder, "Town-Windows_10_P");
	struct cs_ue_place *place = open_here("");
	if (!place)
		return;
	works(cs_ue_place_find(place, "A.uasset", &file), "one file of three");
	is_text(cs_ue_place_files(place, &n)[file].container, "Town-Windows_10_P.pak",
		"of the highest patch");
	works(cs_ue_place_read(place, file, 0, text, 6), "is read");
	is_text(text, "newest", "and is the newest");
	works(cs_ue_place_find(place, "B.ini", &file), "a file that a patch deletes");
	fails(cs_ue_place_read(place, file, 0, text, 1), CS_E_MISSING, "is gone, and says so");
	cs_ue_place_close(place);
}

/* Of two containers the patch has a name that ends in _P, or the higher number before it. */
static void test_patch_names(void)
{
	static const struct {
		const char *low, *high;
	} rows[] = {{"Town", "Town_P"}, {"Town", "Town_-_P"}, {"Town", "Town_+1_P"},
		{"Town_12", "Town_P"}, {"Town_P", "Town_0_P"}, {"Town_1_P", "Town_3_P"},
		{"Town_9_P", "Town_10_P"}, {"Town_13_P", "Town_21_P"}, {"Town_99_P", "Town_100_P"},
		{"Town_8x9_P", "Town_1_P"}, {"Town7_P", "Town_1_P"}, {"Town", "Town_p"},
		{"Town_2P", "Town_1_P"}, {"Town_1_P", "Town_2_p"},
		{"Town_20240115_P", "Town_20240116_P"}};
	const struct engine_container form = {
		.version = 11, .block_size = 2048, .mount = "../../../Town/"};
	const struct engine_file low = {"Content/A.uasset", "low", 3, 0, 0, false};
	const struct engine_file high = {"Content/A.uasset", "high", 4, 0, 0, false};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t file;
		char text[8] = "";
		new_folder("ue_engine");
		engine_pak_save(&form, &low, 1, folder, rows[i].low);
		engine_pak_save(&form, &high, 1, folder, rows[i].high);
		struct cs_ue_place *place = open_here("");
		cs_error_free(cs_ue_place_find(place, "A.uasset", &file));
		cs_error_free(cs_ue_place_read(place, file, 0, text, 4));
		is_text(text, "high", "%s is hidden by %s", rows[i].low, rows[i].high);
		cs_ue_place_close(place);
	}
}

static struct cs_error *open_town(const char *name)
{
	unsigned char *bytes = NULL;
	size_t size;
	struct cs_ue_place *place = open_here(name);
	if (!place)
		return NULL;
	struct cs_error *error = cs_ue_place_open_map(place, NULL, NULL, NULL, &bytes, &size);
	cs_ue_place_close(place);
	free(bytes);
	return error;
}

static void save_town(struct engine_form form)
{
	const struct engine_town town = {.release = form.release,
		.hash_set = form.release >= CS_UE_5_4,
		.cells = 2,
		.layers = true};
	json_t *cook = engine_cook_town(&town);
	new_folder("ue_engine");
	ok(engine_cook_save(cook, &form, folder), "%s: a cook on disk", form_name(&form));
	json_decref(cook);
}

static void test_missing(void)
{
	char path[8192];
	struct cs_ue_place *place = NULL;
	save_town((struct engine_form){.release = CS_UE_5_6});
	works(open_town(""), "the whole folder opens as a world");
	snprintf(path, sizeof(path), "%s/Town/Content/Maps/Town.uexp", folder);
	remove(path);
	fails(open_town(""), CS_E_MISSING, "a map without its .uexp");
	save_town((struct engine_form){.release = CS_UE_5_6});
	truncate(path, 400);
	fails(open_town(""), CS_E_TRUNCATED, "a map whose .uexp is cut");
	new_folder("ue_engine");
	engine_save_bytes("{}", 2, folder, "ue.projectstore");
	fails(cs_ue_place_open(folder, NULL, NULL, &place), CS_E_MISSING, "a Zen store alone");
}

/* Reads a package that is cut or has a flipped bit, without a crash; most of them are refused. */
static void test_damage(struct engine_form form)
{
	const struct engine_town town = {
		.release = form.release, .hash_set = form.release >= CS_UE_5_4, .cells = 1};
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form);
	struct engine_package made;
	ok(engine_package_write(json, &form, &made), "%s: made", form_name(&form));
	size_t n = made.header.size, m = made.exports.size, refused = 0, cuts = 0;
	for (size_t at = 0; at < n + m; at += 29, cuts++) {
		struct cs_ue_cooked_package *package = NULL;
		uint32_t fits;
		unsigned char *header = malloc(n), *exports = m ? malloc(m) : NULL;
		memcpy(header, made.header.bytes, n);
		if (m)
			memcpy(exports, made.exports.bytes, m);
		*(at < n ? &header[at] : &exports[at - n]) ^= (unsigned char)(1 << at % 8);
		struct cs_error *error = cs_ue_cooked_package_bytes(
			header, n, exports, m, "damaged", NULL, &package);
		if (!error)
			error = cs_ue_find_release(package, NULL, &fits);
		refused += error != NULL;
		cs_error_free(error);
		cs_ue_cooked_package_close(package);
	}
	ok(refused * 10 > cuts, "%s: %zu of %zu flips found", form_name(&form), refused, cuts);
	engine_package_deinit(&made);
	json_decref(json);
	json_decref(cook);
}

int main(void)
{
	const char *data = shared_data();
	fill_content();
	test_utocs();
	test_paks();
	test_block_sizes();
	test_oodle();
	test_patches();
	test_patch_names();
	test_missing();
	test_damage((struct engine_form){.release = CS_UE_5_6, .tagged = true});
	test_damage((struct engine_form){.release = CS_UE_5_3});
	test_damage((struct engine_form){.release = CS_UE_5_8, .zen = true});
	new_folder("ue_engine");
	test_forms();
	test_layouts();
	test_header_versions();
	test_masks();
	test_header();
	test_switches();
	if (data) {
		test_real(data, "real-cook-51-Test.json", CS_UE_5_1);
		test_real(data, "real-cook-53-OpenWorld.json", CS_UE_5_3);
	} else {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	}
	return done();
}
