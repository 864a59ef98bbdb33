/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers of the engine: hashes against published vectors, and the fixtures of another project
 * against the lists that an independent reader made of them.
 */
#include "tests/samples/engine_container.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "ue/container/file_list.h"
#include "ue/container/hash.h"
#include "ue/package/blake3.h"

#include <cellscope/ue.h>

#include <jansson.h>

static void test_hashes(void)
{
	char long_text[101] = "";
	memset(long_text, 'x', 100);
	ok(cs_city_hash64("a", 1) == UINT64_C(0xB3454265B6DF75E3), "CityHash64 of a letter");
	ok(cs_city_hash64("name", 4) == UINT64_C(0x05A6B29A8B24D1B3), "of four");
	ok(cs_city_hash64(long_text, 100) == UINT64_C(0x733B2E45254C902D), "of a hundred");
	const char *map = "/Game/Fixtures/Maps/WorldPartition";
	ok(cs_ue_path_hash(map, strlen(map)) == UINT64_C(0x50324B27C255C1C5), "id of a package");
	ok(cs_ue_path_hash("DLA_Runtime", 11) == UINT64_C(0x77FE8A778512390A),
		"hash of a public export");
	static const struct {
		const char *path;
		uint64_t hash;
	} scripts[] = {
		{"/Script/Engine", UINT64_C(0x51ACCED3DC7C0922)},
		{"/Script/Engine.World", UINT64_C(0x7B1116829423F7C1)},
		{"/Script/Engine.Level", UINT64_C(0x649D3D5E71510E54)},
		{"/Script/Engine.WorldPartition", UINT64_C(0x4C39FADB37E3083B)},
		{"/Script/Engine.WorldPartitionRuntimeLevelStreamingCell",
			UINT64_C(0x59C6CD72317025C1)},
		{"/Script/Engine.Default__WorldPartition", UINT64_C(0x590848A0E27A10AA)},
		{"/Script/Engine.StaticMesh", UINT64_C(0x407cde1a593e47cf)},
	};
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		ok(cs_ue_script_hash(scripts[i].path) == scripts[i].hash, "%s", scripts[i].path);
}

static void test_keys(void)
{
	struct cs_ue_key hex, base64;
	fails(cs_ue_key_parse("0x00", &hex), CS_E_USAGE, "a short key");
	fails(cs_ue_key_parse("AAAA", &hex), CS_E_USAGE, "a short key in base64");
	works(cs_ue_key_parse("0x000102030405060708090a0b0c0d0e0f"
			      "101112131415161718191A1B1C1D1E1F",
		      &hex),
		"a key in hexadecimal");
	works(cs_ue_key_parse("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", &base64),
		"the same in base64");
	ok(memcmp(&hex, &base64, sizeof(hex)) == 0, "is the same key");
}

/* ---- fixtures of the engine ---- */

static json_t *answers(const char *data, const char *name)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/ue/answers/cooked/%s", data, name);
	return json_load_file(path, 0, NULL);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/*
 * Opens the container of an answer: "UE5_8/IoStore/Tagged/Zlib/X.utoc" is in
 * ue/containers/UE5_8/Tagged.
 */
static struct cs_ue_place *open_answered(const char *data, const char *file)
{
	char path[4096];
	struct cs_ue_place *place = NULL;
	const char *mode = strstr(file, "/Unversioned/") ? "Unversioned" : "Tagged";
	snprintf(path, sizeof(path), "%s/ue/containers/%.5s/%s/%s", data, file, mode,
		base_name(file));
	cs_error_free(cs_ue_place_open(path, NULL, NULL, &place));
	return place;
}

static bool reads_whole(const struct cs_ue_place *place, size_t file)
{
	unsigned char *bytes = NULL;
	size_t size;
	struct cs_error *error = cs_ue_place_read_whole(place, file, NULL, &bytes, &size);
	bool good = !error;
	cs_error_free(error);
	free(bytes);
	return good;
}

static void check_container(const char *data, const json_t *answer)
{
	const char *name = json_string_value(json_object_get(answer, "file")), *path;
	const json_t *listing = json_object_get(answer, "listing");
	const bool pak = !listing;
	json_t *row;
	struct cs_ue_place *place = open_answered(data, name);
	size_t n, file, wrong = 0, unread = 0;
	if (!place)
		return;
	const struct cs_ue_place_file *files = cs_ue_place_files(place, &n);
	json_object_foreach (
		(json_t *)(pak ? json_object_get(answer, "files") : listing), path, row) {
		struct cs_error *error = cs_ue_place_find(place, path, &file);
		json_int_t size = json_integer_value(
			pak ? json_array_get(row, 1) : json_object_get(row, "size"));
		wrong += error || files[file].size != (uint64_t)size;
		if (!error && !pak)
			wrong += files[file].chunk !=
				 (uint32_t)json_integer_value(json_object_get(row, "chunk"));
		cs_error_free(error);
	}
	for (file = 0; file < n; file++)
		unread += !reads_whole(place, file);
	is_int(wrong, 0, "%s: its files are those of the answers", name);
	is_int(unread, 0, "%s: every file can be read", name);
	is_int(n, json_integer_value(json_object_get(answer, pak ? "read" : "chunks_read")),
		"%s: none is missing", name);
	cs_ue_place_close(place);
}

static void test_fixtures(const char *data)
{
	static const char *const lists[] = {"iostore-containers.json", "paks.json"};
	for (size_t i = 0; i < 2; i++) {
		size_t k;
		json_t *all = answers(data, lists[i]), *answer;
		json_array_foreach (all, k, answer) {
			const char *file = json_string_value(json_object_get(answer, "file"));
			if (strncmp(file, "UE", 2) == 0 && strstr(file, "Zlib"))
				check_container(data, answer);
		}
		json_decref(all);
	}
}

static void test_locked(const char *data)
{
	char path[4096];
	struct cs_ue_place *place = NULL;
	struct cs_ue_key key = {.given = true};
	size_t n;
	snprintf(path, sizeof(path),
		"%s/ue/containers/UE6_0/OodleEncrypted/"
		"CUE4ParseFixtures-Minimal-OodleEncrypted-Windows.utoc",
		data);
	fails(cs_ue_place_open(path, &key, NULL, &place), CS_E_KEY, "a key that does not fit");
	works(cs_ue_place_open(path, NULL, NULL, &place), "encrypted, without a key");
	const struct cs_ue_place_container *about = cs_ue_place_containers(place, &n);
	ok(about->locked && about->unreadable == about->files, "it lists chunks, none readable");
	unsigned char byte;
	fails(cs_ue_place_read(place, 0, 0, &byte, 1), CS_E_KEY, "reading one names the key");
	cs_ue_place_close(place);
}

/*
 * Compares the hashes of n bytes 0, 1 ... 250, 0 ... with those that the authors of BLAKE3 publish.
 */
static void check_chunk_vectors(void)
{
	static const struct {
		size_t n;
		const char *hash;
	} vectors[] = {{0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9"},
		{1, "2d3adedff11b61f14c886e35afa036736dcd87a7"},
		{1024, "42214739f095a406f3fc83deb889744ac00df831"},
		{1025, "d00278ae47eb27b34faecf67b4fe263f82d54129"},
		{31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32"},
		{102400, "bc3e3d41a1146b069abffad3c0d44860cf664390"}};
	static unsigned char bytes[102400];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i % 251);
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		for (size_t step = 1; step < 100000; step *= 37) {
			struct cs_ue_blake3 hash;
			unsigned char sum[20];
			char text[41];
			cs_ue_blake3_begin(&hash);
			for (size_t at = 0; at < vectors[i].n; at += step)
				cs_ue_blake3_add(&hash, bytes + at,
					vectors[i].n - at < step ? vectors[i].n - at : step);
			cs_ue_blake3_end(&hash, sum);
			for (size_t k = 0; k < 20; k++)
				snprintf(text + 2 * k, 3, "%02x", sum[k]);
			is_text(text, vectors[i].hash, "%zu bytes, %zu at a time", vectors[i].n,
				step);
		}
}

/* Changes each byte of a container: a chunk then does not have its hash. */
static void check_chunks(void)
{
	static unsigned char plain[5000];
	const struct engine_file files[] = {{.path = "A.ubulk",
						    .bytes = plain,
						    .size = 5000,
						    .id = 7,
						    .type = CS_UE_CHUNK_BULK},
		{.path = "B.ubulk", .bytes = plain, .size = 10, .id = 8, .type = CS_UE_CHUNK_BULK}};
	const struct engine_container form = {
		.version = 8, .block_size = 1024, .mount = "../../../T/Content/"};
	char folder[4096], toc[4200], data_file[4200];
	snprintf(folder, sizeof(folder), "%s/chunks", test_folder());
	snprintf(toc, sizeof(toc), "%s/C.utoc", folder);
	snprintf(data_file, sizeof(data_file), "%s/C.ucas", folder);
	mkdir(folder, 0777);
	ok(engine_utoc_save(&form, files, 2, folder, "C"), "a container with hashes");
	for (int damaged = 0; damaged < 2; damaged++) {
		struct cs_ue_place *place = NULL;
		struct cs_findings findings = {0};
		struct cs_ue_hashed hashed;
		works(cs_ue_place_open(toc, NULL, NULL, &place), "it opens");
		works(cs_ue_place_check_chunks(place, NULL, &findings, &hashed), "it is checked");
		is_int(hashed.held, 2 - damaged, "chunks that hold their hash");
		is_int(findings.n, damaged, "findings");
		ok(!damaged || strstr(findings.at[0].message, "A.ubulk"), "it says which");
		free(findings.at);
		cs_ue_place_close(place);
		FILE *file = fopen(data_file, "r+b");
		if (!file || fseek(file, 4500, SEEK_SET) != 0)
			abort();
		fputc(1, file);
		fclose(file);
	}
}

int main(void)
{
	check_chunk_vectors();
	check_chunks();
	const char *data = shared_data();
	test_hashes();
	test_keys();
	if (data) {
		test_fixtures(data);
		test_locked(data);
	} else {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
	}
	return done();
}
