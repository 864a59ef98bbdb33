/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input that nobody vouches for: every truncation and every flipped bit of small packages, numbers
 * turned to extremes, files that are no packages, and a project with a bit of everything in it.
 */
#include "tests/unit/ue/ue_world.h"

#include "core/text.h"
#include "format/byte_source.h"
#include "tests/make/made.h"
#include "tests/samples/ue_bytes.h"
#include "ue/package/package.h"
#include "ue/package/registry.h"

#include <sys/stat.h>

static char folder[4096];

static const char *in_folder(const char *name)
{
	static char paths[4][8192];
	static int turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

/* ---- bytes ---- */

struct sample {
	const char *what;
	unsigned char *bytes;
	size_t size;
	struct cs_error *(*check)(const void *bytes, size_t size);
};

static struct cs_error *check_package(const void *bytes, size_t size)
{
	return check_ue_package(bytes, size, "package", NULL);
}

static struct cs_error *check_registry(const void *bytes, size_t size)
{
	return check_ue_registry(bytes, size, "registry");
}

static bool ignore(void *context, const char *row, const char *name, const char *value)
{
	(void)row;
	*(size_t *)context += strlen(name) + (value ? strlen(value) : 0);
	return true;
}

static struct cs_error *check_descriptor(const void *bytes, size_t size)
{
	size_t seen = 0;
	return check_ue_descriptor(bytes, size, "descriptor", ignore, &seen);
}

static struct cs_error *check_properties(const void *bytes, size_t size)
{
	struct cs_error *error = check_ue_properties(bytes, size, 1017, "properties");
	struct cs_error *other = check_ue_properties(bytes, size, 1009, "properties");
	if (!error)
		return other;
	cs_error_free(other);
	return error;
}

/* Reads the settings of a map into a world of their own. */
static struct cs_error *check_map(const void *bytes, size_t size)
{
	struct cs_ue_build build = {.limits = cs_limits_default()};
	struct cs_ue_package package;
	struct cs_error *error =
		cs_ue_package_open_bytes(bytes, size, "map", &build.limits, &package);
	if (error)
		return error;
	error = cs_world_new("/Game/M", &build.world);
	if (!error)
		error = cs_ue_read_settings(&build, &package);
	cs_world_free(build.world);
	cs_arena_deinit(&build.arena);
	cs_arena_deinit(&build.scratch);
	cs_ue_package_close(&package);
	return error;
}

/* Checks a copy of exactly that size, so that a sanitizer sees reads beyond it. */
static struct cs_error *check_copy(const struct sample *sample, const void *bytes, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	struct cs_error *error = sample->check(copy, size);
	free(copy);
	return error;
}

static void test_cuts(const struct sample *sample)
{
	size_t refused = 0;
	for (size_t n = 0; n < sample->size; n++) {
		struct cs_error *error = check_copy(sample, sample->bytes, n);
		refused += error != NULL;
		cs_error_free(error);
	}
	ok(refused * 2 > sample->size, "%s: %zu of %zu truncations refused", sample->what, refused,
		sample->size);
}

static void test_flips(const struct sample *sample)
{
	size_t refused = 0, unnamed = 0;
	for (size_t bit = 0; bit < sample->size * 8; bit += tap_every()) {
		sample->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		struct cs_error *error = check_copy(sample, sample->bytes, sample->size);
		sample->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		refused += error != NULL;
		unnamed += error && !error->file && error->code != CS_E_NOMEM;
		cs_error_free(error);
	}
	ok(refused > 0, "%s: %zu of %zu flips refused, the others read", sample->what, refused,
		sample->size * 8);
	is_int(unnamed, 0, "%s: every error names the file", sample->what);
}

/* Sets each four bytes to values that a count, a size or an offset must never have. */
static void test_extremes(const struct sample *sample)
{
	static const uint32_t values[] = {0, 0x7fffffff, 0x80000000, 0xffffffff, 0x00ffffff};
	size_t refused = 0, tried = 0;
	for (size_t at = 0; at + 4 <= sample->size; at += tap_every()) {
		uint32_t kept = cs_load32(sample->bytes + at);
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			cs_store32(sample->bytes + at, values[i]);
			struct cs_error *error = check_copy(sample, sample->bytes, sample->size);
			refused += error != NULL;
			tried++;
			cs_error_free(error);
		}
		cs_store32(sample->bytes + at, kept);
	}
	ok(refused > 0, "%s: %zu of %zu extremes refused", sample->what, refused, tried);
}

static void test_sample(const struct sample *sample)
{
	struct cs_error *error = check_copy(sample, sample->bytes, sample->size);
	works(error, "%s: %zu bytes, whole", sample->what, sample->size);
	test_cuts(sample);
	test_flips(sample);
	test_extremes(sample);
}

/* ---- samples ---- */

/* Reads the registry section of a package and the descriptor in it. */
static void test_parts(const unsigned char *bytes, size_t size, const char *what)
{
	struct cs_source_file source;
	struct cs_ue_reader reader = {0};
	struct cs_ue_head head;
	char name[160];
	works(cs_source_memory(bytes, size, "part", &source), "%s: source", what);
	works(cs_ue_read_head(&source, &reader, &head), "%s: head", what);
	size_t at = (size_t)head.summary.registry;
	struct sample section = {name, malloc(size - at), size - at, check_registry};
	memcpy(section.bytes, bytes + at, section.size);
	section.size = (size_t)cs_load64(section.bytes) - at;
	snprintf(name, sizeof(name), "registry of %s", what);
	test_sample(&section);
	free(section.bytes);
	struct cs_ue_string text = head.asset.tags[CS_UE_TAG_META_DATA];
	struct sample blob = {name, malloc((size_t)text.n), 0, check_descriptor};
	blob.size = cs_base64_decode(text.at, (size_t)text.n - 1, blob.bytes);
	snprintf(name, sizeof(name), "descriptor of %s", what);
	test_sample(&blob);
	free(blob.bytes);
	cs_ue_reader_deinit(&reader);
	cs_source_close(&source);
}

static struct cs_actor actor_of_class(const struct cs_world *world, const char *class_name)
{
	for (size_t i = 0; i < world->actors.n; i++)
		if (strcmp(cs_last_name(cs_world_text(world, world->actors.at[i].native_class)),
			    class_name) == 0)
			return cs_world_actor(world, i);
	return cs_world_actor(world, 0);
}

static void test_actor(const char *engine, const char *class_name)
{
	struct cs_ue_made made;
	struct cs_writer w = {0};
	char what[96];
	const struct cs_ue_recipe recipe = {.engine = engine, .seed = 3};
	works(cs_ue_make(&recipe, NULL, &made), "%s: made", engine);
	const struct cs_actor actor = actor_of_class(made.world, class_name);
	cs_ue_write_actor(&made, &actor, &w);
	snprintf(what, sizeof(what), "%s of %s", class_name, engine);
	const struct sample sample = {what, w.bytes, w.size, check_package};
	test_sample(&sample);
	test_parts(w.bytes, w.size, what);
	cs_writer_deinit(&w);
	cs_ue_made_deinit(&made);
}

static void test_maps(const char *engine)
{
	char what[64];
	const struct cs_ue_recipe recipe = {.engine = engine, .seed = 3, .folder = folder};
	fresh_folder(folder, sizeof(folder), "ue_hostile");
	works(cs_ue_generate(&recipe, NULL, NULL), "%s: written", engine);
	snprintf(what, sizeof(what), "map of %s", engine);
	struct sample map = {what, NULL, 0, check_map};
	map.bytes = read_file(in_folder("Content/Maps/Valley.umap"), &map.size);
	if (map.bytes)
		test_sample(&map);
	free(map.bytes);
}

/* Reads all kinds of properties in one run of tags, in both forms. */
static void test_properties(void)
{
	static const uint32_t types[] = {14, 15, 16, 18, 19, 20, 22, 23, 34};
	static const int32_t versions[] = {1009, 1011, 1017};
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const int32_t v5 = versions[i];
		struct cs_writer w = {0};
		for (uint32_t name = 1; name <= 12; name++) {
			const uint8_t extension = name % 4;
			cs_writer_u32(&w, name);
			cs_writer_u32(&w, 0);
			const uint32_t type = types[name % 9];
			cs_writer_u32(&w, type);
			cs_writer_u32(&w, 0);
			if (v5 >= 1012) {
				cs_writer_u32(&w, 0);
				cs_writer_u32(&w, 8);
				cs_writer_u8(&w, 4);
			} else {
				cs_writer_u32(&w, 8);
				cs_writer_u32(&w, 0);
				if (type == 20 || type == 34) /* has a type or enum inside */
					cs_writer_u64(&w, 5);
				cs_writer_u8(&w, 0);
			}
			if (v5 >= 1011)
				cs_writer_u8(&w, extension);
			if (v5 >= 1011 && extension & 2) /* overridden: an operation, and whether */
				cs_writer_extend(&w, 5);
			cs_writer_u64(&w, 1);
		}
		cs_writer_u64(&w, 0);
		const struct sample sample = {
			v5 >= 1012 ? "new tags" : "old tags", w.bytes, w.size, check_properties};
		works(check_ue_properties(w.bytes, w.size, v5, "tags"), "%s: whole", sample.what);
		test_flips(&sample);
		test_extremes(&sample);
		cs_writer_deinit(&w);
	}
}

/* ---- files ---- */

static const struct cs_job listening = {.log = remember};

static struct cs_world *open_made(const struct cs_job *job)
{
	struct cs_world *world = NULL;
	logged[0] = '\0';
	works(cs_ue_open_project(folder, NULL, NULL, job, &world), "opened");
	return world;
}

static const char pointer[] = "version https://git-lfs.github.com/spec/v1\n"
			      "oid sha256:0000\nsize 12345\n";

static void generate(const char *engine, uint64_t actors)
{
	const struct cs_ue_recipe recipe = {
		.engine = engine, .actors = actors, .seed = 8, .folder = folder};
	fresh_folder(folder, sizeof(folder), "ue_hostile");
	works(cs_ue_generate(&recipe, NULL, NULL), "project of %s", engine);
}

/* Returns the file of the actor with that label. */
static const char *file_of_actor(const struct cs_world *world, const char *label)
{
	char name[1024];
	for (size_t i = 0; i < world->actors.n; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		if (strcmp(cs_world_text(world, actor->label), label) != 0)
			continue;
		const char *package = cs_world_text(world, actor->package);
		snprintf(name, sizeof(name), "Content%s.uasset", strchr(package + 1, '/'));
		return in_folder(name);
	}
	ok(false, "no actor labelled %s", label);
	return in_folder("nowhere");
}

static void cut_file(const char *path, size_t size)
{
	if (truncate(path, (off_t)size) < 0)
		ok(false, "cannot cut %s", path);
}

/* Writes a package whose registry section has no object. */
static void write_husk(const char *path)
{
	struct cs_ue_out out = cs_ue_out_begin(cs_ue_engine_named("5.4"), "/Game/Husk");
	struct cs_writer w = {0};
	cs_ue_out_finish(&out, &w);
	write_file(path, w.bytes, w.size);
	cs_writer_deinit(&w);
	cs_ue_out_deinit(&out);
}

static void test_bad_files(void)
{
	generate("5.6", 0);
	struct cs_world *whole = open_made(NULL);
	if (!whole)
		return;
	char gate[8192];
	size_t size;
	unsigned char *bytes = read_file(file_of_actor(whole, "Beacon"), &size);
	snprintf(gate, sizeof(gate), "%s", file_of_actor(whole, "Gate"));
	write_file(in_folder("Content/__ExternalActors__/Maps/Valley/twin.uasset"), bytes, size);
	free(bytes);
	cut_file(gate, 700);
	write_file(file_of_actor(whole, "Mast"), pointer, sizeof(pointer) - 1);
	write_file(file_of_actor(whole, "Note"), "", 0);
	write_file(file_of_actor(whole, "Yard"), "\xc1\x83\x2a\x9e????????", 12);
	write_husk(file_of_actor(whole, "Nowhere"));
	if (mkfifo(in_folder("Content/__ExternalActors__/Maps/Valley/pipe.uasset"), 0600) < 0 ||
		mkdir(in_folder("Content/__ExternalActors__/Maps/Valley/dir.uasset"), 0700) < 0 ||
		symlink(".", in_folder("Content/__ExternalActors__/Maps/Valley/loop")) < 0 ||
		symlink("/nowhere",
			in_folder("Content/__ExternalActors__/Maps/Valley/gone.uasset")) < 0)
		diag("some of the odd files could not be made");
	struct cs_world *world = open_made(&listening);
	if (world) {
		is_int(world->unreadable, 8,
			"files: pointer, cut, empty, odd, husk, twin, link, pipe");
		is_int(world->actors.n, whole->actors.n - 5, "files: the others are there");
	}
	static const char *const named[] = {"E_LFS", "E_TRUNCATED", "contains no object",
		" has the same actor (GUID ", "E_PACKAGE", "E_NOFILE",
		"attached to an actor that does not exist"};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		ok(strstr(logged, named[i]) != NULL, "files: the log says '%s'", named[i]);
	ok(strstr(logged, gate) && strstr(logged, " at byte "), "files: with file and offset");
	cs_world_free(whole);
	cs_world_free(world);
}

/* A copy of an actor of the map in the folder of an external layer is left out. */
static void test_copy_in_layer(void)
{
	generate("5.6", 0);
	struct cs_world *whole = open_made(NULL);
	if (!whole)
		return;
	size_t size;
	unsigned char *bytes = read_file(file_of_actor(whole, "Beacon"), &size);
	write_file(in_folder("Plugins/Expansion/Content/__ExternalActors__/ExternalDataLayers/"
			     "Winter/Maps/Valley/twin.uasset"),
		bytes, size);
	free(bytes);
	struct cs_world *world = open_made(&listening);
	if (world) {
		is_int(world->unreadable, 1, "copy in a layer: one file is left out");
		is_int(world->actors.n, whole->actors.n,
			"copy in a layer: the actor is there once");
	}
	ok(strstr(logged, "/ExternalDataLayers/Winter/Maps/Valley/twin: left out: ") != NULL,
		"copy in a layer: the log names the copy");
	cs_world_free(whole);
	cs_world_free(world);
}

static void replace_all(const char *what)
{
	struct cs_ue_files files;
	works(cs_ue_find_files(
		      in_folder("Content/__ExternalActors__"), ".uasset", NULL, NULL, &files),
		"files to replace");
	for (size_t i = 0; i < files.paths.n; i++)
		write_file(files.paths.at[i], what, strlen(what));
	cs_ue_files_deinit(&files);
}

static void test_fatal(void)
{
	struct cs_world *world;
	static const unsigned char zen[32] = {
		1, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 10, 0x80};
	generate("5.4", 0);
	const char *map = in_folder("Content/Maps/Valley.umap");
	size_t size;
	unsigned char *bytes = read_file(map, &size);
	replace_all(pointer);
	fails(cs_ue_open_project(folder, NULL, NULL, NULL, &world), CS_E_LFS,
		"fatal: all actors are pointers");
	write_file(map, pointer, sizeof(pointer) - 1);
	fails(cs_ue_open_project(folder, CS_UE_MADE_MAP, NULL, NULL, &world), CS_E_LFS,
		"fatal: the map is a pointer");
	write_file(map, zen, sizeof(zen));
	fails(cs_ue_open_project(folder, CS_UE_MADE_MAP, NULL, NULL, &world), CS_E_COOKED,
		"fatal: the map is cooked, in a container of the engine");
	write_file(map, "PK\3\4 something else", 20);
	fails(cs_ue_open_project(folder, CS_UE_MADE_MAP, NULL, NULL, &world), CS_E_PACKAGE,
		"fatal: the map is something else");
	write_file(map, bytes, size / 2);
	fails(cs_ue_open_project(folder, CS_UE_MADE_MAP, NULL, NULL, &world), CS_E_TRUNCATED,
		"fatal: half a map");
	write_file(in_folder("Fixture.uproject"), "{", 1);
	fails(cs_ue_open_project(folder, NULL, NULL, NULL, &world), CS_E_PROJECT,
		"fatal: the description is no JSON");
	static const char latin1[] = "{\"Description\": \"caf\xe9\xe9\xe9\", \"x\": ]}";
	write_file(in_folder("Fixture.uproject"), latin1, sizeof(latin1) - 1);
	struct cs_error *error = cs_ue_open_project(folder, NULL, NULL, NULL, &world);
	is_int(error ? error->offset : 0, strchr(latin1, ']') - latin1 + 1,
		"fatal: the offset of an error is that in the file, of Latin-1");
	cs_error_free(error);
	write_file(in_folder("Fixture.uproject"), "[]", 2);
	fails(cs_ue_open_project(folder, NULL, NULL, NULL, &world), CS_E_PROJECT,
		"fatal: the description is a list");
	fails(cs_ue_open_project(in_folder("nothing.uproject"), NULL, NULL, NULL, &world),
		CS_E_NOFILE, "fatal: no description");
	free(bytes);
}

/* A cooked package of the older kind has the same summary and says so in its flags. */
static void test_cooked_flag(void)
{
	struct cs_ue_out out = cs_ue_out_begin(cs_ue_engine_named("5.4"), "/Game/M");
	struct cs_writer w = {0};
	cs_ue_out_export(&out, "/Script/Engine.WorldPartition", 0, "W");
	cs_ue_out_finish(&out, &w);
	/* tag, five versions, no custom version, header size, name, flags */
	size_t flags = 4 + 5 * 4 + 4 + 4 + 4 + sizeof("/Game/M");
	cs_store32(w.bytes + flags, 0x80000000u);
	fails(check_map(w.bytes, w.size), CS_E_COOKED, "cooked: by its flag");
	cs_writer_deinit(&w);
	cs_ue_out_deinit(&out);
}

/*
 * A package from a container begins {0 or 1, size of its header, name (8), flags with that of
 * filtered editor data, ...}: each of these makes it one, and 24 bytes are enough to tell.
 */
static void test_zen(void)
{
	static const struct {
		const char *what;
		size_t size, at;
		uint32_t word;
		enum cs_code code;
	} rows[] = {{"24 bytes", 24, 0, 0, CS_E_COOKED}, {"more", 64, 0, 0, CS_E_COOKED},
		{"with versions", 24, 0, 1, CS_E_COOKED}, {"of 23 bytes", 23, 0, 0, CS_E_PACKAGE},
		{"another first word", 24, 0, 2, CS_E_PACKAGE},
		{"a header of 24 bytes", 24, 4, 24, CS_E_COOKED},
		{"a header of 23 bytes", 24, 4, 23, CS_E_PACKAGE},
		{"other flags", 24, 16, 0x7fffffff, CS_E_PACKAGE}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned char bytes[64] = {0};
		cs_store32(bytes + 4, 64);
		cs_store32(bytes + 16, 0x80000000u);
		cs_store32(bytes + rows[i].at, rows[i].word);
		fails(check_map(bytes, rows[i].size), rows[i].code, "of a container: %s",
			rows[i].what);
	}
}

/* A number after the name of a package is stored plus one, unless its text would not come back. */
static void test_written_names(void)
{
	static const struct {
		const char *text, *stored;
		uint32_t number;
	} rows[] = {{"Actor", "Actor", 0}, {"Actor_0", "Actor", 1}, {"Actor_7", "Actor", 8},
		{"Actor_10", "Actor", 11}, {"Actor_1234", "Actor", 1235},
		{"Actor_987654321", "Actor", 987654322},
		{"Actor_1987654321", "Actor_1987654321", 0}, {"Actor_01", "Actor_01", 0},
		{"Actor_00", "Actor_00", 0}, {"Actor12", "Actor12", 0}, {"Actor_", "Actor_", 0},
		{"_5", "_5", 0}, {"A_5", "A", 6}, {"12", "12", 0}, {"A_1_20", "A_1", 21},
		{"A_/", "A_/", 0}, {"A_:", "A_:", 0}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_ue_out out = cs_ue_out_begin(cs_ue_engine_named("5.4"), "/Game/M");
		struct cs_writer w = {0};
		cs_ue_write_name(&out, &w, rows[i].text);
		cs_ue_write_name(&out, &w, rows[i].text);
		uint32_t name = cs_load32(w.bytes);
		ok(w.size == 16 && name < out.names.n &&
				strcmp(out.names.at[name], rows[i].stored) == 0 &&
				cs_load32(w.bytes + 4) == rows[i].number &&
				cs_load32(w.bytes + 8) == name,
			"name %s: %s, number %u, once", rows[i].text, rows[i].stored,
			rows[i].number);
		cs_writer_deinit(&w);
		cs_ue_out_deinit(&out);
	}
}

static void test_newer(void)
{
	struct cs_ue_made made;
	struct cs_writer w = {0};
	const struct cs_ue_recipe recipe = {.engine = "5.7", .seed = 9};
	generate("5.7", 0);
	struct cs_world *whole = open_made(NULL), *world;
	works(cs_ue_make(&recipe, NULL, &made), "newer: made");
	struct cs_ue_engine future = *made.engine;
	future.versions.of[CS_UE_FN_MAIN] = 300;
	made.engine = &future;
	const struct cs_actor actor = actor_of_class(made.world, "PlayerStart");
	cs_ue_write_actor(&made, &actor, &w);
	write_file(in_folder("Content/__ExternalActors__/Maps/Valley/new.uasset"), w.bytes, w.size);
	world = open_made(&listening);
	ok(world && world->unreadable == 0 && world->actors.n == whole->actors.n + 1,
		"newer: read all the same");
	ok(strstr(logged, "newer than 5.7") != NULL, "newer: with a warning");
	cs_world_free(world);
	cs_world_free(whole);
	cs_writer_deinit(&w);
	cs_ue_made_deinit(&made);
}

/* Names of packages that would leave the project have no file. */
static void test_paths(void)
{
	struct cs_ue_project project;
	static const char *const bad[] = {"/Game/../../etc/passwd", "/Game/./X", "/Game//X",
		"/Game/X\\Y", "/Game/C:X", "/Game", "/Game/", "Game/X", "", "/Nowhere/X", "/"};
	works(cs_ue_project_open(folder, NULL, &project), "paths: project");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_text(cs_ue_package_file(&project, &project.arena, bad[i], "", ".uasset"), "",
			"paths: '%s'", bad[i]);
	const char *file = cs_ue_package_file(
		&project, &project.arena, "/game/Maps/X", "__ExternalActors__", "");
	is_text(file + strlen(folder), "/Content/__ExternalActors__/Maps/X",
		"paths: mount points without case");
	file = cs_ue_package_file(&project, &project.arena, "/Expansion/A/B", "", ".uasset");
	is_text(file + strlen(folder), "/Plugins/Expansion/Content/A/B.uasset", "paths: a plugin");
	is_text(cs_ue_file_package(&project, &project.arena, file), "/Expansion/A/B",
		"paths: and back");
	is_text(cs_ue_file_package(&project, &project.arena, "/etc/passwd"), "",
		"paths: a file elsewhere");
	cs_ue_project_close(&project);
}

static void move(const char *from, const char *to)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s", in_folder(from));
	if (rename(path, in_folder(to)) < 0)
		diag("%s cannot be renamed to %s", from, to);
}

/* A project from a file system that ignores case is read completely where case counts. */
static void test_case(void)
{
	generate("5.5", 0);
	struct cs_world *whole = open_made(NULL);
	move("Content/__ExternalActors__/Maps", "Content/__ExternalActors__/MAPS");
	move("Content/__ExternalActors__", "Content/__externalactors__");
	move("Content/Maps/Valley.umap", "Content/Maps/valley.UMAP");
	move("Content", "content");
	move("Plugins/Expansion", "Plugins/ContentExpansion");
	move("Plugins", "plugins");
	struct cs_world *world = open_made(NULL);
	ok(whole && world && whole->actors.n == world->actors.n &&
			whole->layers.n == world->layers.n &&
			whole->hlod_layers.n == world->hlod_layers.n &&
			whole->containers.n == world->containers.n && world->unreadable == 0,
		"case: all of the world is found");
	cs_world_free(whole);
	cs_world_free(world);
	struct cs_ue_project project;
	works(cs_ue_project_open(folder, NULL, &project), "case: project");
	cs_ue_package_file(&project, &project.arena, "/Game/Maps/Gone", "", ".uasset");
	write_file(in_folder("content/Maps/late.uasset"), "", 0);
	const char *file =
		cs_ue_package_file(&project, &project.arena, "/Game/Maps/Late", "", ".uasset");
	is_text(file + strlen(folder), "/content/Maps/Late.uasset",
		"case: a folder is read once, not for each package that it lacks");
	cs_ue_project_close(&project);
}

static void put_link(const char *target, const char *name)
{
	if (symlink(target, in_folder(name)) < 0)
		diag("%s cannot be linked to %s", name, target);
}

/* Folders may be links to others, also in circles. */
static void test_links(void)
{
	generate("5.5", 0);
	struct cs_world *whole = open_made(NULL);
	mkdir(in_folder("Shared"), 0777);
	move("Plugins/Expansion", "Shared/Expansion");
	put_link("../Shared/Expansion", "Plugins/Linked");
	move("Content/__ExternalActors__/Maps/Valley", "Shared/Valley");
	mkdir(in_folder("Content/__ExternalActors__/Maps/Valley"), 0777);
	put_link("../../../../Shared/Valley", "Content/__ExternalActors__/Maps/Valley/A");
	put_link("..", "Content/__ExternalActors__/Maps/Valley/circle");
	mkdir(in_folder("Shared/Turn"), 0777);
	put_link("../Turn", "Shared/Valley/turn");
	put_link("../Valley", "Shared/Turn/back");
	put_link("nowhere", "Shared/Valley/broken");
	struct cs_world *world = open_made(NULL);
	ok(whole && world && whole->actors.n == world->actors.n &&
			whole->containers.n == world->containers.n && world->unreadable == 0,
		"links: all of the world is found, once");
	cs_world_free(whole);
	cs_world_free(world);
}

/* Plugins are below Mods, too, and in the folders of the project that its file names. */
static void test_plugin_folders(void)
{
	static const char text[] =
		"{\"AdditionalPluginDirectories\": [\"Extra\", \"../Shared\", \"Extra/Deep\", 7]}";
	static const char *const folders[] = {"Mods", "Extra"};
	generate("5.5", 0);
	struct cs_world *whole = open_made(NULL);
	write_file(in_folder(CS_UE_MADE_PROJECT ".uproject"), text, sizeof(text) - 1);
	move("Plugins", "Nothing");
	for (size_t i = 0; i < 2; i++) {
		mkdir(in_folder(folders[i]), 0777);
		char to[64];
		snprintf(to, sizeof(to), "%s/Deep", folders[i]);
		move(i ? "Mods/Deep" : "Nothing", to);
		struct cs_world *world = open_made(&listening);
		ok(whole && world && whole->containers.n == world->containers.n &&
				whole->actors.n == world->actors.n && world->unreadable == 0,
			"plugins in %s: all of the world is found, once", folders[i]);
		ok(strstr(logged, "in ../Shared are not read") != NULL,
			"plugins outside of the project are told");
		cs_world_free(world);
	}
	cs_world_free(whole);
}

/*
 * A plugin that the project disables is not read; the file may be UTF-16, with and without mark, or
 * Latin-1.
 */
static void test_disabled_plugin(void)
{
	static const char *const texts[] = {
		"{\"Plugins\":[{\"Name\":\"Expansion\",\"Enabled\":true}]}",
		"{\"Plugins\":[{\"Name\":\"expansion\",\"Enabled\":false}],\"x\":\"\xe9\"}",
		"\xff\xfe{\"Plugins\":[{\"Name\":\"Expansion\",\"Enabled\":false}],\"x\":\"\xe9\"}",
		"{\"Plugins\":[{\"Name\":\"Expansion\",\"Enabled\":false}],\"x\":\"\xe9\"}"};
	generate("5.5", 0);
	struct cs_world *whole = open_made(NULL);
	for (size_t i = 0; i < 4; i++) {
		unsigned char bytes[256] = {0xff, 0xfe};
		const char *text = texts[i];
		const size_t mark = i == 2 ? 2 : 0;
		size_t n = mark;
		for (const char *c = text + mark; *c; c++, n += i % 3 > 0 ? 2 : 1) {
			bytes[n] = (unsigned char)*c;
			bytes[n + 1] = 0;
		}
		write_file(in_folder(CS_UE_MADE_PROJECT ".uproject"), bytes, n);
		struct cs_world *world = open_made(&listening);
		ok(whole && world && (whole->actors.n > world->actors.n) == (i > 0),
			"disabled: text %zu", i);
		cs_world_free(world);
	}
	cs_world_free(whole);
}

static bool say_stop(void *context)
{
	return ++*(int *)context > 1;
}

static void test_limits(void)
{
	struct cs_world *world = NULL;
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.limits = &limits, .log = remember};
	generate("5.5", 0);
	limits.depth = 8; /* folders lie deeper than levels do */
	world = open_made(&job);
	is_int(world ? world->containers.n : 0, 5, "limits: levels in levels");
	cs_world_free(world);
	world = NULL;
	limits.section_bytes = 64;
	fails(cs_ue_open_project(folder, CS_UE_MADE_MAP, NULL, &job, &world), CS_E_LIMIT,
		"limits: a description larger than section_bytes");
	limits = cs_limits_default();
	limits.file_bytes = 64;
	struct cs_error *error = cs_ue_open_project(folder, CS_UE_MADE_MAP, NULL, &job, &world);
	ok(error && error->code == CS_E_LIMIT, "limits: files larger than file_bytes");
	cs_error_free(error);
	int asked = 0;
	struct cs_job stopping = {.interrupted = say_stop, .context = &asked};
	fails(cs_ue_open_project(folder, NULL, NULL, &stopping, &world), CS_E_INTERRUPTED,
		"limits: interrupted");
}

static void test_missing_level(void)
{
	generate("5.4", 0);
	unlink(in_folder("Content/Levels/Room.umap"));
	struct cs_world *world = open_made(&listening);
	if (!world)
		return;
	uint32_t room = cs_world_find_container(world, CS_UE_MADE_ROOM);
	ok(room != CS_NONE && world->containers.at[room].missing &&
			world->containers.at[room].actors.count == 0,
		"missing: a level without its map is marked");
	ok(strstr(logged, CS_UE_MADE_ROOM) != NULL, "missing: and named");
	cs_world_free(world);
}

/* Files that were renamed outside of the editor still say which map they are of. */
static void test_renamed_map(void)
{
	generate("5.5", 0);
	struct cs_world *whole = open_made(&listening), *world = NULL;
	ok(strstr(logged, "belong to") == NULL, "renamed: nothing is said of a map with its name");
	move("Content/Maps/Valley.umap", "Content/Maps/Dale.umap");
	move("Content/__ExternalActors__/Maps/Valley", "Content/__ExternalActors__/Maps/Dale");
	logged[0] = '\0';
	works(cs_ue_open_project(folder, "Dale", NULL, &listening, &world), "renamed: opened");
	ok(world && strstr(logged, "Dale: 27 actors say in their packages that they belong "
				   "to " CS_UE_MADE_MAP),
		"renamed: it is said");
	cs_world_free(world);
	cs_world_free(whole);
}

static void test_shared_cooked(const char *data)
{
	static const char *const files[] = {"UE5_8-Tagged-WorldPartition.umap",
		"UE5_8-Unversioned-WorldPartition.umap", "UE6_0-Tagged-WorldPartition.umap",
		"UE6_0-Unversioned-DLA_Runtime.uasset"};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[8192];
		size_t seen = 0;
		snprintf(path, sizeof(path), "%s/ue/cooked/%s", data, files[i]);
		fails(cs_ue_describe_package(path, NULL, ignore, &seen), CS_E_COOKED, "cooked: %s",
			files[i]);
	}
}

int main(void)
{
	test_actor("5.0EA", "StaticMeshActor");
	test_actor("5.1", "WorldDataLayers");
	test_actor("5.6", "WorldPartitionHLOD");
	test_actor("5.7", "LevelInstance");
	test_maps("5.3");
	test_maps("5.7");
	test_properties();
	test_bad_files();
	test_copy_in_layer();
	test_fatal();
	test_cooked_flag();
	test_zen();
	test_written_names();
	test_newer();
	test_paths();
	test_case();
	test_links();
	test_plugin_folders();
	test_disabled_plugin();
	test_limits();
	test_missing_level();
	test_renamed_map();
	if (shared_data())
		test_shared_cooked(shared_data());
	else
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	remove_tree(folder);
	return done();
}
