/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers and packages that nobody's cooker writes, each made to cost more than it weighs: what
 * they must cost is an error with a name, or little. And containers of more than 2 GiB, which have
 * holes where bytes would be: they are read in place.
 */
#include "tests/samples/engine_container.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/tap.h"
#include "ue/map/umap.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[4096];

static const char *in_folder(const char *name)
{
	static char path[4200];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static long resident_kib(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* ---- containers ---- */

enum { MANY = 20000 };

/* Every chunk claims all blocks: their sizes must not be summed up by walking them all. */
static void test_shared_blocks(void)
{
	static const char body[MANY] = "x";
	struct engine_container form = {
		.version = 8, .block_size = 1, .mount = "../../../T/", .no_index = true};
	struct engine_file *files = calloc(MANY, sizeof(*files));
	struct cs_writer toc = {0}, data = {0};
	struct cs_ue_container *container = NULL;
	files[0] = (struct engine_file){NULL, body, sizeof(body), 1, CS_UE_CHUNK_BULK, false};
	for (size_t i = 1; i < MANY; i++)
		files[i] = (struct engine_file){NULL, NULL, 0, i + 1, CS_UE_CHUNK_BULK, false};
	engine_utoc_write(&form, files, MANY, &toc, &data);
	unsigned char *places = toc.bytes + 144 + 12 * (size_t)MANY;
	for (size_t i = 1; i < MANY; i++)
		memcpy(places + 10 * i, places, 10);
	double before = cpu_seconds();
	works(cs_ue_open_utoc_bytes(
		      toc.bytes, toc.size, data.bytes, data.size, "shared", &container),
		"chunks that share all blocks");
	ok(cpu_seconds() - before < 2, "cost what their bytes cost");
	ok(container && container->entries[MANY - 1].stored == container->entries[0].stored,
		"and each has its sum");
	cs_ue_container_close(container);
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
	free(files);
}

/* Folders with long names are nested: each path is longer than the index that it comes from. */
static void test_long_paths(void)
{
	char *path = malloc(40 * 200 + 16), *end = path;
	struct engine_file file = {path, "x", 1, 1, CS_UE_CHUNK_BULK, false};
	const struct engine_container form = {
		.version = 8, .block_size = 16, .mount = "../../../T/"};
	struct cs_writer toc = {0}, data = {0};
	struct cs_ue_container *container = NULL;
	for (int i = 0; i < 40; i++) {
		memset(end, 'a' + i % 26, 199);
		end += 199;
		*end++ = '/';
	}
	strcpy(end, "F.bin");
	engine_utoc_write(&form, &file, 1, &toc, &data);
	fails(cs_ue_open_utoc_bytes(toc.bytes, toc.size, data.bytes, data.size, "long", &container),
		CS_E_LIMIT, "a path of eight thousand characters");
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
	free(path);
}

/* A folder is its own sibling, and a file follows itself in the list. */
static void test_circles(void)
{
	const struct engine_container form = {
		.version = 8, .block_size = 16, .mount = "../../../T/"};
	const struct engine_file files[] = {{"A/B.bin", "x", 1, 1, CS_UE_CHUNK_BULK, false}};
	const size_t hash = 24; /* of the one chunk, behind the directory */
	for (int what = 0; what < 3; what++) {
		struct cs_writer toc = {0}, data = {0};
		struct cs_ue_container *container = NULL;
		engine_utoc_write(&form, files, 1, &toc, &data);
		/* behind the mount point: a count, folders of 16 bytes, a count, files of 12 */
		unsigned char *folders =
			toc.bytes + toc.size - hash - cs_load32(toc.bytes + 48) + 4 + 12 + 4;
		if (what == 0)
			cs_store32(folders + 16 + 8, 1);
		else if (what == 1)
			cs_store32(folders + 16 + 4, 0);
		else
			cs_store32(folders + 32 + 4 + 4, 0);
		fails(cs_ue_open_utoc_bytes(
			      toc.bytes, toc.size, data.bytes, data.size, "circle", &container),
			CS_E_REFERENCE, "a directory with a circle, %d", what);
		cs_ue_container_close(container);
		cs_writer_deinit(&toc);
		cs_writer_deinit(&data);
	}
}

/* A chunk outside of the blocks, and a block of an unknown method, are named with their place. */
static void test_named_rows(void)
{
	enum { HEADER = 144, CHUNK_ID = 12, OFFSET = 10, METHOD = 11 };
	const struct engine_container form = {
		.version = 8, .block_size = 16, .mount = "../../../T/"};
	const struct engine_file files[] = {{"A.bin", "x", 1, 1, CS_UE_CHUNK_BULK, false},
		{"B.bin", "y", 1, 2, CS_UE_CHUNK_BULK, false}};
	const char *const names[] = {"chunk 1 (counted", "compressed block 0 (counted"};
	for (int what = 0; what < 2; what++) {
		struct cs_writer toc = {0}, data = {0};
		struct cs_ue_container *container = NULL;
		engine_utoc_write(&form, files, 2, &toc, &data);
		const size_t n = cs_load32(toc.bytes + 24), offsets = HEADER + n * CHUNK_ID;
		const size_t row = offsets + (what ? n : 1) * OFFSET;
		toc.bytes[row + (what ? METHOD : 0)] = 255;
		struct cs_error *error = cs_ue_open_utoc_bytes(
			toc.bytes, toc.size, data.bytes, data.size, "rows", &container);
		ok(error && error->offset == row && strstr(error->message, names[what]),
			"rows at %zu: %s", row, error ? error->message : "is read");
		cs_error_free(error);
		cs_writer_deinit(&toc);
		cs_writer_deinit(&data);
	}
}

/* A wrong field of the header is named with its own offset. */
static void test_header_fields(void)
{
	static const struct {
		unsigned at;
		uint32_t value;
	} rows[] = {{20, 143}, {24, UINT32_MAX}, {28, UINT32_MAX}, {32, 13}, {36, 17}, {40, 31},
		{44, 0}, {52, 4097}, {52, 2}};
	const struct engine_container form = {
		.version = 8, .method = CS_UE_ZLIB, .block_size = 16, .mount = "../../../T/"};
	const struct engine_file file = {"A.bin", "x", 1, 1, CS_UE_CHUNK_BULK, false};
	for (size_t i = 0; i < CS_COUNT_OF(rows); i++) {
		struct cs_writer toc = {0}, data = {0};
		struct cs_ue_container *container = NULL;
		engine_utoc_write(&form, &file, 1, &toc, &data);
		cs_store32(toc.bytes + rows[i].at, rows[i].value);
		cs_store64(toc.bytes + 88, 0); /* of a partition, needed where there are two */
		struct cs_error *error = cs_ue_open_utoc_bytes(
			toc.bytes, toc.size, data.bytes, data.size, "header", &container);
		const uint64_t want = rows[i].value == 2 ? 88 : rows[i].at == 28 ? 24 : rows[i].at;
		ok(error && error->offset == want, "header: %u at %u: %s", rows[i].value,
			rows[i].at, error ? error->message : "is read");
		cs_error_free(error);
		cs_ue_container_close(container);
		cs_writer_deinit(&toc);
		cs_writer_deinit(&data);
	}
}

/* The only entry of an old index claims more blocks than memory holds. */
static void test_many_blocks(void)
{
	static const char body[64] = "x";
	const struct engine_container form = {
		.version = 9, .method = CS_UE_ZLIB, .block_size = 1, .mount = "../../../T/"};
	const struct engine_file file = {"A.bin", body, sizeof(body), 0, 0, false};
	struct cs_writer pak = {0};
	struct cs_ue_container *container = NULL;
	struct cs_limits limits = cs_limits_default();
	limits.memory = 4096;
	engine_pak_write(&form, &file, 1, &pak);
	fails(cs_ue_open_pak_bytes(pak.bytes, pak.size, "blocks", &limits, &container), CS_E_LIMIT,
		"more blocks than the limit of memory");
	cs_writer_deinit(&pak);
}

/* ---- every number of a container ---- */

static size_t asked; /* the most that one call has asked for */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_malloc(size_t size)
{
	asked = size > asked ? size : asked;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	asked = n * size > asked ? n * size : asked;
	return __real_calloc(n, size);
}

static const uint32_t extremes[] = {0, 1, 0x7fff, 0xffff, 0x7ffffff, 0x7fffffff, 0x80000000,
	0x45454545, 0xfffffffe, 0xffffffff};

struct victim {
	const char *name;
	bool pak;
	struct cs_writer index, data; /* of a .pak both are the one file */
};

/* Corrects the checksums in the footer of a .pak, which would refuse it otherwise. */
static void reseal_pak(unsigned char *bytes, size_t size)
{
	unsigned char *footer = bytes + size - 222;
	uint64_t offset = cs_load64(footer + 25), n = cs_load64(footer + 33);
	if (offset <= size && n <= size - offset)
		cs_ue_sha1(bytes + offset, (size_t)n, footer + 41);
}

static void try_victim(const struct victim *victim, const unsigned char *bytes)
{
	struct cs_ue_container *container = NULL;
	struct cs_limits limits = cs_limits_default();
	char to[64];
	struct cs_error *error =
		victim->pak ? cs_ue_open_pak_bytes(
				      bytes, victim->index.size, victim->name, &limits, &container)
			    : cs_ue_open_utoc_bytes(bytes, victim->index.size, victim->data.bytes,
				      victim->data.size, victim->name, &container);
	for (uint32_t i = 0; !error && i < container->n_entries; i++)
		cs_error_free(cs_ue_container_read(container, &container->entries[i], 0, to,
			container->entries[i].size < sizeof(to) ? (size_t)container->entries[i].size
								: sizeof(to)));
	cs_error_free(error);
	cs_ue_container_close(container);
}

static void try_extremes(struct victim *victim)
{
	enum { ENOUGH = 1 << 20 };
	unsigned char *bytes = malloc(victim->index.size);
	size_t most = 0, where = 0;
	double before = cpu_seconds();
	for (size_t at = 0; at + 4 <= victim->index.size; at++)
		for (size_t i = 0; i < CS_COUNT_OF(extremes); i++) {
			memcpy(bytes, victim->index.bytes, victim->index.size);
			cs_store32(bytes + at, extremes[i]);
			if (victim->pak)
				reseal_pak(bytes, victim->index.size);
			asked = 0;
			try_victim(victim, bytes);
			where = asked > most ? at : where;
			most = asked > most ? asked : most;
		}
	ok(most <= ENOUGH, "%s: any number may be extreme: asks for %zu bytes, at byte %zu",
		victim->name, most, where);
	ok(cpu_seconds() - before < 10, "%s: and all are answered soon", victim->name);
	free(bytes);
	cs_writer_deinit(&victim->index);
	cs_writer_deinit(&victim->data);
}

static void test_extremes(void)
{
	static const char body[100] = "some text that packs";
	static const struct cs_ue_key key = {.given = true, .bytes = {1, 2, 3}};
	const struct engine_file files[] = {
		{"A/B.bin", body, sizeof(body), 1, CS_UE_CHUNK_BULK, false},
		{"A/C/D.bin", body, 50, 2, CS_UE_CHUNK_BULK, false}};
	const struct engine_container forms[] = {
		{.version = 3, .block_size = 64, .mount = "../../../T/"},
		{.version = 8, .method = CS_UE_ZLIB, .block_size = 64, .mount = "../../../T/"},
		{.version = 10,
			.block_size = 64,
			.mount = "../../../T/",
			.key = &key,
			.cipher = CS_UE_CTR},
	};
	for (size_t i = 0; i < CS_COUNT_OF(forms); i++) {
		struct victim victim = {.name = "utoc"};
		engine_utoc_write(&forms[i], files, 2, &victim.index, &victim.data);
		try_extremes(&victim);
	}
	const struct engine_container paks[] = {
		{.version = 9, .method = CS_UE_ZLIB, .block_size = 64, .mount = "../../../T/"},
		{.version = 11, .method = CS_UE_ZLIB, .block_size = 64, .mount = "../../../T/"},
	};
	for (size_t i = 0; i < CS_COUNT_OF(paks); i++) {
		struct victim victim = {.name = "pak", .pak = true};
		engine_pak_write(&paks[i], files, 2, &victim.index);
		try_extremes(&victim);
	}
}

/* ---- packages ---- */

/* Every export claims the bytes of all exports. */
static void test_overlap(void)
{
	const struct engine_town town = {CS_UE_5_6, true, 3, false};
	const struct engine_form form = {.release = CS_UE_5_6, .zen = true};
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form);
	struct engine_package made;
	struct cs_ue_cooked_package *package = NULL;
	ok(engine_package_write(json, &form, &made), "a map");
	uint32_t exports = cs_load32(made.header.bytes + 32);
	uint32_t end = cs_load32(made.header.bytes + 36);
	uint64_t all = made.header.size - cs_load32(made.header.bytes + 4) - 4;
	for (uint32_t at = exports; at + 72 <= end; at += 72) {
		cs_store64(made.header.bytes + at, 0);
		cs_store64(made.header.bytes + at + 8, all);
	}
	fails(cs_ue_cooked_package_bytes(
		      made.header.bytes, made.header.size, NULL, 0, "overlap", NULL, &package),
		CS_E_LAYOUT, "exports that overlap");
	json_decref(json);
	json_decref(cook);
}

/* Each field of a header, and the tag at the end, is refused at its own offset. */
static void test_offsets(void)
{
	const struct engine_town town = {CS_UE_5_6, true, 3, false};
	const struct engine_form form = {.release = CS_UE_5_6, .zen = true};
	json_t *cook = engine_cook_town(&town), *json = engine_cook_map(cook, &form);
	enum { CELLS = 52, BULK_SIZE = 8, TAG = 4 };
	for (int field = 0; field < 3; field++) {
		struct engine_package made;
		struct cs_ue_cooked_package *package = NULL;
		ok(engine_package_write(json, &form, &made), "a map without bulk data");
		const uint32_t hashes = cs_load32(made.header.bytes + 24);
		const uint32_t places[] = {
			CELLS, hashes - BULK_SIZE, (uint32_t)made.header.size - TAG};
		const uint32_t at = places[field];
		cs_store32(made.header.bytes + at, 1);
		struct cs_error *error = cs_ue_cooked_package_bytes(
			made.header.bytes, made.header.size, NULL, 0, "field", NULL, &package);
		ok(error && error->offset == at, "the field at byte %u is refused there", at);
		cs_error_free(error);
	}
	json_decref(json);
	json_decref(cook);
}

/* LOD data of a component have an unknown form: the object is not read to its end. */
static void test_lod_data(void)
{
	json_t *json = engine_json("{'package': '/Game/C', 'flags': 131072, 'exports': ["
				   "{'name': 'R', 'cls': '/Script/Engine.StaticMeshComponent', "
				   "'outer': '', 'props': {}, 'tail': {'LODData': 1}}]}");
	const struct engine_form form = {.release = CS_UE_5_6};
	struct engine_package made;
	struct cs_ue_cooked_package *package = NULL;
	struct cs_ue_decoder decoder;
	struct cs_ue_object object = {0};
	ok(json && engine_package_write(json, &form, &made), "a component with LOD data");
	works(cs_ue_cooked_package_bytes(made.header.bytes, made.header.size, made.exports.bytes,
		      made.exports.size, "lod", NULL, &package),
		"is in a package");
	cs_ue_decoder_init(&decoder, package, CS_UE_5_6, NULL);
	works(cs_ue_decode(&decoder, &package->exports[0], &object), "and is read");
	ok(!object.problem && object.left == 12, "to its LOD data");
	cs_ue_decoder_deinit(&decoder);
	cs_ue_cooked_package_close(package);
	json_decref(json);
}

/* Objects own each other, and components are each other's parents. */
static void test_object_circles(void)
{
	json_t *json = engine_json(
		"{'package': '/Game/C', 'flags': 131072, 'exports': ["
		"{'name': 'C', 'cls': '/Script/Engine.World', 'outer': '', 'props': {}, 'tail': "
		"{'PersistentLevel': 'C.PersistentLevel'}},"
		"{'name': 'PersistentLevel', 'cls': '/Script/Engine.Level', 'outer': 'C', 'props': "
		"{}, 'tail': {'Actors': ['C.PersistentLevel.A']}},"
		"{'name': 'A', 'cls': '/Script/Engine.StaticMeshActor', 'outer': "
		"'C.PersistentLevel', 'props': {'RootComponent': 'C.PersistentLevel.A.R'}, 'tail': "
		"{}},"
		"{'name': 'R', 'cls': '/Script/Engine.StaticMeshComponent', 'outer': "
		"'C.PersistentLevel.A', 'props': {'AttachParent': 'C.PersistentLevel.A.R'}, "
		"'tail': {}}]}");
	const struct engine_form form = {.release = CS_UE_5_6};
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	struct engine_package made;
	struct cs_ue_cooked_package *package = NULL;
	struct cs_ue_map *map = NULL;
	ok(json && engine_package_write(json, &form, &made), "a component that is its own parent");
	works(cs_ue_cooked_package_bytes(made.header.bytes, made.header.size, made.exports.bytes,
		      made.exports.size, "circle", NULL, &package),
		"is a package");
	works(cs_ue_map_read(package, &options, &map), "and is read to an end");
	is_int(map ? map->actors.n : 0, 1, "with its actor");
	ok(map && !map->actors.at[0].has_transform, "which is nowhere");
	cs_ue_map_free(map);
	json_decref(json);
}

/* ---- beyond 2 GiB ---- */

#define FAR_AWAY (UINT64_C(3) << 30)

/* Saves a file with a hole of 3 GiB before `bytes`; returns false where the disk has no holes. */
static bool save_far(const char *name, const void *bytes, size_t size)
{
	int file = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	bool good = file >= 0 && pwrite(file, bytes, size, (off_t)FAR_AWAY) == (ssize_t)size;
	struct stat st;
	good = good && fstat(file, &st) == 0 && st.st_blocks < 1 << 20;
	if (file >= 0)
		close(file);
	return good;
}

static void check_far(const char *name, const struct engine_file *file)
{
	struct cs_ue_place *place = NULL;
	size_t row;
	char text[64] = "";
	long before = resident_kib();
	works(cs_ue_place_open(in_folder(name), NULL, NULL, &place), "%s: 3 GiB open", name);
	if (place) {
		works(cs_ue_place_find(place, "Far.bin", &row), "%s: its file", name);
		works(cs_ue_place_read(place, row, 0, text, file->size), "%s: is read", name);
		ok(memcmp(text, file->bytes, file->size) == 0, "%s: what it holds", name);
	}
	ok(resident_kib() - before < 64 << 10, "%s: in place, not copied", name);
	cs_ue_place_close(place);
}

static void test_far(void)
{
	static const char body[] = "at the end of three gigabytes";
	const struct engine_file file = {"Far.bin", body, sizeof(body), 1, CS_UE_CHUNK_BULK, false};
	struct engine_container form = {.version = 8, .block_size = 65536, .mount = "../../../T/"};
	struct cs_writer toc = {0}, data = {0}, pak = {0};
	engine_utoc_write(&form, &file, 1, &toc, &data);
	/* header, one id, one place, then the block: 40 bits of where it is */
	for (int i = 0; i < 5; i++)
		toc.bytes[144 + 12 + 10 + i] = (unsigned char)(FAR_AWAY >> 8 * i);
	ok(engine_save_bytes(toc.bytes, toc.size, folder, "Far.utoc"), "a .utoc");
	form.version = 9;
	engine_pak_write(&form, &file, 1, &pak);
	/* all of it lies behind the hole: the index, and the entry in it */
	unsigned char *footer = pak.bytes + pak.size - 222;
	unsigned char *index = pak.bytes + cs_load64(footer + 25), sum[20];
	cs_store64(index + 4 + 12 + 4 + 4 + 8, FAR_AWAY);
	cs_ue_sha1(index, (size_t)cs_load64(footer + 33), sum);
	memcpy(footer + 41, sum, sizeof(sum));
	cs_store64(footer + 25, FAR_AWAY + (uint64_t)(index - pak.bytes));
	if (save_far("Far.ucas", data.bytes, data.size) &&
		save_far("Far.pak", pak.bytes, pak.size)) {
		check_far("Far.utoc", &file);
		check_far("Far.pak", &file);
	} else {
		skip("the file system has no holes");
	}
	remove(in_folder("Far.ucas"));
	remove(in_folder("Far.pak"));
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
	cs_writer_deinit(&pak);
}

int main(void)
{
	const char *out = getenv("CELLSCOPE_OUT");
	snprintf(folder, sizeof(folder), "%s/ue_abuse", out ? out : ".");
	mkdir(folder, 0777);
	test_shared_blocks();
	test_long_paths();
	test_circles();
	test_named_rows();
	test_header_fields();
	test_many_blocks();
	test_extremes();
	test_overlap();
	test_offsets();
	test_lod_data();
	test_object_circles();
	test_far();
	return done();
}
