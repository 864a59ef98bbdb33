/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damage behind the head of a package: each kind, in packages that are written here; sound projects
 * of every release and a real one, in which nothing may be found; and what becomes of the actor.
 */
#include "tests/unit/ue/ue_world.h"

#include "tests/make/make.h"
#include "tests/make/out.h"
#include "ue/package/blake3.h"
#include "ue/package/properties.h"
#include "ue/project/files.h"

static char folder[4096];

/* ---- packages ---- */

static void put_nothing(struct cs_ue_out *out)
{
	(void)out;
}

static void put_no_object(struct cs_ue_out *out)
{
	cs_ue_put_object(out, "Mesh", 2);
}

static void put_no_import(struct cs_ue_out *out)
{
	const int32_t indices[] = {1, 0, -1, -9};
	cs_ue_put_objects(out, "Meshes", indices, 4);
}

static void put_early_end(struct cs_ue_out *out)
{
	cs_ue_put_int(out, "None", 1);
}

static void put_early_end_of_struct(struct cs_ue_out *out)
{
	struct cs_ue_open_value open = cs_ue_begin_struct(out, "Outer", "Inside");
	struct cs_ue_open_value inner = cs_ue_begin_array(out, "List", "Inside", 1);
	cs_ue_put_int(out, "None", 1);
	cs_ue_end_element(out);
	cs_ue_end_array(out, inner);
	cs_ue_end_struct(out, open);
}

static void put_no_outer(struct cs_ue_out *out)
{
	cs_ue_out_set_outer(out, 1, 7);
}

static void shorten_text(struct cs_writer *w)
{
	unsigned char *text = memmem(w->bytes, w->size, "some text", 9);
	text[-4]--;
}

static void rename_value(struct cs_writer *w)
{
	unsigned char *flag = memmem(w->bytes, w->size, "\xde\xc0\xad\x0b", 4);
	cs_store32(flag - 25, 500); /* before name of the type (12), size (4), flags (1) */
}

static void cut_exports(struct cs_writer *w)
{
	w->size -= 5;
}

/* Makes the tag at the end the end of a trailer, as the engine writes it. */
static void add_trailer(struct cs_writer *w)
{
	struct cs_ue_summary summary;
	struct cs_cursor cursor = cs_cursor_over(w->bytes, w->size, 0, "package");
	works(cs_ue_read_summary(&cursor, &summary), "trailer: summary");
	/* the offset of the trailer and that of data resources are the last fields of a summary */
	cs_store64(w->bytes + cursor.position - 12, w->size);
	cs_writer_extend(w, 20);
	cs_writer_u64(w, 32);
	cs_writer_u32(w, CS_UE_TAG);
}

/* Gives a package the hash of 5.6, and changes a byte that no other rule looks at, or none. */
static void hash_package(struct cs_writer *w, bool spoil)
{
	struct cs_ue_blake3 hash;
	add_trailer(w);
	memset(w->bytes + 24, 0, 20);
	cs_ue_blake3_begin(&hash);
	cs_ue_blake3_add(&hash, w->bytes, w->size - 32);
	cs_ue_blake3_end(&hash, w->bytes + 24);
	unsigned char *flag = memmem(w->bytes, w->size, "\xde\xc0\xad\x0b", 4);
	flag[1] ^= spoil;
}

static void test_hash(void)
{
	static const char *const engines[] = {"5.6", "5.7"};
	const struct cs_limits limits = cs_limits_default();
	for (size_t i = 0; i < 4; i++) {
		struct cs_ue_out out =
			cs_ue_out_begin(cs_ue_engine_named(engines[i / 2]), "/Game/P");
		struct cs_writer w = {0};
		struct cs_ue_package package;
		cs_ue_out_export(&out, "/Script/Engine.StaticMeshActor", 0, "A");
		cs_ue_put_int(&out, "Flag", 0x0badc0de);
		cs_ue_out_finish(&out, &w);
		hash_package(&w, i % 2);
		works(cs_ue_package_open_bytes(w.bytes, w.size, "package", &limits, &package),
			"hash: opened");
		struct cs_error *error = cs_ue_check_package(&package);
		if (i == 1)
			fails(error, CS_E_CHECKSUM, "hash: %s: another value", engines[i / 2]);
		else
			works(error, "hash: %s: sound, or not compared", engines[i / 2]);
		cs_ue_package_close(&package);
		cs_writer_deinit(&w);
		cs_ue_out_deinit(&out);
	}
}

static void cut_trailer(struct cs_writer *w)
{
	add_trailer(w);
	w->size -= 16;
}

static void turn_line(struct cs_writer *w)
{
	add_trailer(w);
	cs_writer_u8(w, 0);
	memmove(w->bytes + w->size - 32, w->bytes + w->size - 33, 32);
}

static const struct {
	const char *what;
	void (*put)(struct cs_ue_out *out);
	void (*spoil)(struct cs_writer *w);
	enum cs_code code;
	const char *message; /* NULL: sound */
} packages[] = {
	{"a sound package", put_nothing, NULL, 0, NULL},
	{"a sound package with a trailer", put_nothing, add_trailer, 0, NULL},
	{"an object that is not there", put_no_object, NULL, CS_E_PACKAGE,
		"a value refers to an object that is not in the package"},
	{"an import that is not there", put_no_import, NULL, CS_E_PACKAGE,
		"a value refers to an object that is not in the package"},
	{"an outer that is not there", put_no_outer, NULL, CS_E_PACKAGE,
		"export 0 (counted from 0) refers to an object that is not in the package"},
	{"properties that end early", put_early_end, NULL, CS_E_PACKAGE,
		"the tagged properties of an export end here, but the export table says "},
	{"a struct that ends early", put_early_end_of_struct, NULL, CS_E_PACKAGE,
		"a value takes fewer bytes than its property declares"},
	{"a text that is shorter", put_nothing, shorten_text, CS_E_LAYOUT,
		"a string does not end with a NUL"},
	{"a name that is not there", put_nothing, rename_value, CS_E_PACKAGE,
		"the index of a name is beyond the end of the name table"},
	{"a file without its end", put_nothing, cut_exports, CS_E_PACKAGE,
		"the data of an export is outside of the file"},
	{"a trailer without its end", put_nothing, cut_trailer, CS_E_TRUNCATED,
		"the file does not end with the tag"},
	{"a byte more", put_nothing, turn_line, CS_E_PACKAGE, "the file has lost or gained bytes"},
};

static struct cs_error *check_bytes(const struct cs_writer *w, struct cs_ue_summary *ret)
{
	const struct cs_limits limits = cs_limits_default();
	struct cs_ue_package package;
	struct cs_error *error =
		cs_ue_package_open_bytes(w->bytes, w->size, "package", &limits, &package);
	if (error)
		return error;
	*ret = package.summary;
	error = cs_ue_check_package(&package);
	cs_ue_package_close(&package);
	return error;
}

static struct cs_error *check_written(const char *engine, size_t row)
{
	struct cs_ue_out out = cs_ue_out_begin(cs_ue_engine_named(engine), "/Game/P");
	struct cs_writer w = {0};
	struct cs_ue_summary summary;
	cs_ue_out_export(&out, "/Script/Engine.StaticMeshActor", 0, "A");
	cs_ue_put_text(&out, "Note", "some text");
	cs_ue_put_name(&out, "Word", "Word");
	cs_ue_put_int(&out, "Flag", 0x0badc0de);
	packages[row].put(&out);
	cs_ue_out_finish(&out, &w);
	if (packages[row].spoil)
		packages[row].spoil(&w);
	struct cs_error *error = check_bytes(&w, &summary);
	cs_writer_deinit(&w);
	cs_ue_out_deinit(&out);
	return error;
}

static void test_packages(void)
{
	static const char *const engines[] = {"5.4", "5.6", "5.7"};
	for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++)
		for (size_t k = 0; k < sizeof(engines) / sizeof(engines[0]); k++) {
			struct cs_error *error = check_written(engines[k], i);
			const char *message = packages[i].message;
			ok(message ? error && error->code == packages[i].code &&
						strstr(error->message, message)
				   : !error,
				"%s: %s", engines[k], packages[i].what);
			if (error)
				diag("%s", error->message);
			cs_error_free(error);
		}
}

/* In packages of each version an export may begin neither in the header nor in another. */
static void test_ranges(void)
{
	enum { OFFSET_AT = 36 };
	static const char *const engines[] = {"5.0EA", "5.0", "5.2", "5.3", "5.4", "5.7"};
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		struct cs_ue_out out = cs_ue_out_begin(cs_ue_engine_named(engines[i]), "/Game/P");
		struct cs_writer w = {0};
		struct cs_ue_summary summary = {0};
		cs_ue_out_export(&out, "/Script/Engine.StaticMeshActor", 0, "A");
		cs_ue_put_int(&out, "Flag", 1);
		cs_ue_out_export(&out, "/Script/Engine.StaticMeshActor", 0, "B");
		cs_ue_put_int(&out, "Flag", 2);
		cs_ue_out_finish(&out, &w);
		works(check_bytes(&w, &summary), "ranges: %s", engines[i]);
		w.bytes[summary.exports.offset + OFFSET_AT]++;
		fails(check_bytes(&w, &summary), CS_E_PACKAGE, "ranges: in another");
		w.bytes[summary.exports.offset + OFFSET_AT] -= 2;
		fails(check_bytes(&w, &summary), CS_E_PACKAGE, "ranges: in the header");
		memset(w.bytes + summary.exports.offset + OFFSET_AT, 0, 4);
		fails(check_bytes(&w, &summary), CS_E_PACKAGE, "ranges: at the begin of the file");
		cs_writer_deinit(&w);
		cs_ue_out_deinit(&out);
	}
}

/* ---- projects ---- */

static struct cs_world *open_whole(const char *project, bool whole)
{
	const struct cs_ue_options options = {.size = sizeof(options), .whole = whole};
	const struct cs_job listening = {.log = remember};
	struct cs_world *world = NULL;
	logged[0] = '\0';
	works(cs_ue_open_project(project, NULL, &options, &listening, &world), "opened");
	return world;
}

static void test_sound(void)
{
	const char *engine;
	for (size_t i = 0; (engine = cs_ue_engine_name(i)) != NULL; i++) {
		const struct cs_ue_recipe recipe = {.engine = engine, .seed = 4, .folder = folder};
		fresh_folder(folder, sizeof(folder), "ue_intact");
		works(cs_ue_generate(&recipe, NULL, NULL), "project of %s", engine);
		struct cs_world *world = open_whole(folder, true);
		is_int(world ? cs_world_count(world).damaged : 1, 0, "sound: %s", engine);
		ok(!strstr(logged, "belong to"), "sound: no actor is of another map");
		cs_world_free(world);
	}
}

/* An actor with damage behind its descriptor stays in the world, and its package is counted. */
static void test_actor(const char *below)
{
	static const struct {
		const char *what;
		size_t cut, zeros;
		size_t seen, seen_whole;
	} rows[] = {
		{"cut", 6, 0, 1, 1},
		{"with zeros", 0, 24, 0, 1},
	};
	char path[8192];
	size_t size;
	struct cs_ue_files files;
	snprintf(path, sizeof(path), "%s/%s", folder, below);
	works(cs_ue_find_files(path, ".uasset", NULL, NULL, &files), "actor: files");
	unsigned char *bytes = read_file(files.paths.at[0], &size);
	struct cs_world *sound = open_whole(folder, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned char *spoilt = malloc(size);
		memcpy(spoilt, bytes, size);
		memset(spoilt + size - rows[i].zeros - 4, 0, rows[i].zeros);
		write_file(files.paths.at[0], spoilt, size - rows[i].cut);
		for (int whole = 0; whole < 2; whole++) {
			struct cs_world *world = open_whole(folder, whole);
			const struct cs_world_counts counts = cs_world_count(world);
			is_int(counts.damaged, whole ? rows[i].seen_whole : rows[i].seen,
				"actor: %s, %s", rows[i].what, whole ? "all" : "the head");
			ok(counts.actors == cs_world_count(sound).actors && counts.unreadable == 0,
				"actor: is not skipped");
			is_int(strstr(logged, files.paths.at[0]) != NULL, counts.damaged,
				"actor: its file is named");
			cs_world_free(world);
		}
		free(spoilt);
	}
	cs_world_free(sound);
	write_file(files.paths.at[0], bytes, size);
	free(bytes);
	cs_ue_files_deinit(&files);
}

/* Packages that are no actors: missing ones are told, but only damaged ones are counted. */
static void test_assets(void)
{
	static const char *const assets[] = {"Blueprints/BP_Lamp.uasset", "HLOD/HLOD0.uasset",
		"DataLayers/DL_Night.uasset", "Levels/House.umap"};
	static const char *const names[] = {"BP_Lamp", "HLOD0", "DL_Night", "Levels/House"};
	for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
		char path[8192];
		size_t size;
		snprintf(path, sizeof(path), "%s/Content/%s", folder, assets[i]);
		unsigned char *bytes = read_file(path, &size);
		write_file(path, bytes, 300);
		struct cs_world *world = open_whole(folder, false);
		is_int(world ? cs_world_count(world).damaged : 0, 1, "asset: %s is cut", assets[i]);
		cs_world_free(world);
		unlink(path);
		world = open_whole(folder, false);
		is_int(world ? cs_world_count(world).damaged : 1, 0, "asset: %s is missing",
			assets[i]);
		ok(strstr(logged, names[i]) != NULL, "asset: and told");
		cs_world_free(world);
		write_file(path, bytes, size);
		free(bytes);
	}
}

/* Packages besides those of actors are looked through when all of a project is asked for. */
static void test_whole_assets(void)
{
	static const char *const assets[] = {"Content/Blueprints/BP_Lamp.uasset",
		"Content/HLOD/HLOD0.uasset", "Content/DataLayers/DL_Night.uasset", NULL};
	struct cs_ue_files files;
	char path[8192];
	snprintf(path, sizeof(path), "%s/Content/__ExternalObjects__", folder);
	works(cs_ue_find_files(path, ".uasset", NULL, NULL, &files), "whole: external objects");
	ok(files.paths.n > 0, "whole: there are some");
	for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
		size_t size;
		if (assets[i])
			snprintf(path, sizeof(path), "%s/%s", folder, assets[i]);
		else
			snprintf(path, sizeof(path), "%s", files.paths.at[0]);
		unsigned char *bytes = read_file(path, &size), *spoilt = malloc(size);
		struct cs_ue_summary summary;
		struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, path);
		works(cs_ue_read_summary(&cursor, &summary), "whole: summary");
		memcpy(spoilt, bytes, size);
		cs_store32(spoilt + summary.imports.offset + 16, 9999); /* outer of an import */
		write_file(path, spoilt, size);
		struct cs_world *world = open_whole(folder, true);
		is_int(world ? cs_world_count(world).damaged : 0, 1, "whole: %s",
			assets[i] ? assets[i] : "an external object");
		ok(strstr(logged, path) != NULL, "whole: is named");
		cs_world_free(world);
		write_file(path, bytes, size);
		free(spoilt);
		free(bytes);
	}
	cs_ue_files_deinit(&files);
}

static void test_real(const char *data)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/ue/wpexample56/WPExample.uproject", data);
	struct cs_world *world = open_whole(path, true);
	const struct cs_world_counts counts = cs_world_count(world);
	is_int(counts.damaged + counts.unreadable, 0, "real: a project of 5.6 is sound");
	is_text(logged, "", "real: and nothing is said of it");
	cs_world_free(world);
}

int main(void)
{
	test_packages();
	test_ranges();
	test_hash();
	test_sound();
	test_actor("Content/__ExternalActors__/Maps");
	test_actor("Plugins/Expansion/Content/__ExternalActors__"); /* of a content bundle, which is
								       looked at twice */
	test_assets();
	test_whole_assets();
	if (shared_data())
		test_real(shared_data());
	else
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	remove_tree(folder);
	return done();
}
