/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What verify says of the files of a cook: containers that are damaged or lack a part, hashes of
 * their files, ids of packages, and the length of bulk data.
 */
#include "tests/samples/engine_container.h"
#include "tests/samples/engine_cook.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "ue/container/file_list.h"
#include "ue/map/check_cooked.h"

#include <cellscope/ue.h>

#include <sys/stat.h>

static char folder[4096];

static void new_folder(void)
{
	fresh_folder(folder, sizeof(folder), "ue_verify");
	mkdir(folder, 0777);
}

static size_t count_findings(enum cs_code code, struct cs_ue_hashed *ret)
{
	struct cs_ue_place *place = NULL;
	struct cs_ue_place_checked all = {.maps = 0};
	struct cs_findings findings = {0};
	size_t n = 0;
	works(cs_ue_place_open(folder, NULL, NULL, &place), "containers: open");
	works(cs_ue_place_check(place, NULL, NULL, &findings, &all), "containers: are checked");
	for (size_t i = 0; i < findings.n; i++) {
		n += findings.at[i].code == code;
		diag("%s: %s", findings.at[i].place, findings.at[i].message);
	}
	ok(n == findings.n, "containers: %zu findings, %zu of which are expected", findings.n, n);
	*ret = all.chunks;
	free(findings.at);
	cs_ue_place_close(place);
	return n;
}

/* A .pak has the hash of each file before the file, in each version. */
static void test_pak_hashes(uint32_t version, enum cs_ue_method method, bool old_methods)
{
	static const char text[] = "a file of a .pak, whose bytes are hashed as they are packed";
	const struct engine_file files[] = {{.path = "A.txt", .bytes = text, .size = sizeof(text)},
		{.path = "B.txt", .bytes = text + 5, .size = sizeof(text) - 5},
		{.path = "Empty.txt", .bytes = text, .size = 0}};
	const struct engine_container form = {.version = version,
		.method = method,
		.block_size = 32,
		.mount = "../../../P/Content/",
		.old_methods = old_methods};
	struct cs_writer pak = {0};
	struct cs_ue_hashed hashed;
	new_folder();
	engine_pak_write(&form, files, 3, &pak);
	ok(engine_save_bytes(pak.bytes, pak.size, folder, "P.pak"), ".pak %u: saved", version);
	is_int(count_findings(CS_E_CHECKSUM, &hashed), 0, ".pak %u: is sound", version);
	ok(hashed.held == 2 && hashed.unchecked == 0, ".pak %u: two files have hashes", version);
	pak.bytes[(old_methods ? 50 : 53) + (method ? 4 + 16 * 2 : 0) + 3] ^= 4;
	engine_save_bytes(pak.bytes, pak.size, folder, "P.pak");
	is_int(count_findings(CS_E_CHECKSUM, &hashed), 1, ".pak %u: a bit is found", version);
	is_int(hashed.held, 1, ".pak %u: the other file is sound", version);
	cs_writer_deinit(&pak);
}

/* The hashes of a .utoc are compared although bytes follow them, and missed when they are cut. */
static void test_toc_hashes(void)
{
	const struct engine_file file = {.path = "A.ubulk", .bytes = "abcd", .size = 4, .type = 2};
	const struct engine_container form = {.version = 8, .block_size = 65536, .mount = "/"};
	struct cs_writer toc = {0}, data = {0};
	struct cs_ue_hashed hashed;
	new_folder();
	engine_utoc_write(&form, &file, 1, &toc, &data);
	engine_save_bytes(data.bytes, data.size, folder, "T.ucas");
	cs_writer_u64(&toc, 0);
	engine_save_bytes(toc.bytes, toc.size, folder, "T.utoc");
	is_int(count_findings(CS_E_CHECKSUM, &hashed), 0, ".utoc: more bytes");
	is_int(hashed.held, 1, ".utoc: hide no hashes");
	engine_save_bytes(toc.bytes, toc.size - 9, folder, "T.utoc");
	is_int(count_findings(CS_E_TRUNCATED, &hashed), 1, ".utoc: a byte is missing");
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
}

/*
 * A game finds each chunk by a seed: -1 - its number or, where the number is too large, a place in
 * a list of numbers.
 */
static void test_toc_seeds(void)
{
	static const struct {
		uint32_t seed, listed;
		size_t lost;
	} rows[] = {{UINT32_MAX, 7, 0}, {UINT32_MAX - 1, 0, 0}, {UINT32_MAX - 1, 1, 1}, {5, 0, 0}};
	const struct engine_file file = {.path = "A.ubulk", .bytes = "abcd", .size = 4, .type = 2};
	const struct engine_container form = {.version = 8, .block_size = 65536, .mount = "/"};
	const size_t at = 144 + 12 + 10;
	struct cs_ue_hashed hashed;
	new_folder();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_writer toc = {0}, data = {0}, whole = {0};
		engine_utoc_write(&form, &file, 1, &toc, &data);
		cs_store32(toc.bytes + 84, 1); /* number of seeds, then of listed chunks */
		cs_store32(toc.bytes + 96, 1);
		cs_writer_bytes(&whole, toc.bytes, at);
		cs_writer_u32(&whole, rows[i].seed);
		cs_writer_u32(&whole, rows[i].listed);
		cs_writer_bytes(&whole, toc.bytes + at, toc.size - at);
		engine_save_bytes(data.bytes, data.size, folder, "T.ucas");
		engine_save_bytes(whole.bytes, whole.size, folder, "T.utoc");
		is_int(count_findings(CS_E_REFERENCE, &hashed), rows[i].lost, "seed %zu", i);
		cs_writer_deinit(&toc);
		cs_writer_deinit(&data);
		cs_writer_deinit(&whole);
	}
}

/* A .ucas that is cut or missing is found although none of its chunks can be read. */
static void test_unread_parts(void)
{
	static const char text[] = "bytes that are compressed with a codec that is not there";
	const struct engine_file files[] = {
		{.path = "A.ubulk", .bytes = text, .size = 40, .type = 2},
		{.path = "B.ubulk", .bytes = text, .size = 50, .id = 1, .type = 2}};
	const struct engine_container form = {
		.version = 8, .method = CS_UE_OODLE, .block_size = 32, .mount = "/"};
	struct cs_writer toc = {0}, data = {0};
	struct cs_ue_hashed hashed;
	char path[4200];
	new_folder();
	const struct engine_container pak = {.version = 11, .block_size = 32, .mount = "/"};
	engine_pak_save(&pak, files, 1, folder, "P"); /* where nothing can be read, verify ends */
	engine_utoc_write(&form, files, 2, &toc, &data);
	engine_save_bytes(toc.bytes, toc.size, folder, "T.utoc");
	engine_save_bytes(data.bytes, data.size, folder, "T.ucas");
	is_int(count_findings(CS_E_TRUNCATED, &hashed), 0, "unread: a .ucas that is whole");
	engine_save_bytes(data.bytes, 3, folder, "T.ucas");
	is_int(count_findings(CS_E_TRUNCATED, &hashed), 1, "unread: one that is cut");
	is_int(hashed.unchecked, 2, "unread: no chunk can be read");
	snprintf(path, sizeof(path), "%s/T.ucas", folder);
	remove(path);
	is_int(count_findings(CS_E_NOFILE, &hashed), 1, "unread: one that is missing");
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
}

/* Packages in a container are imported by their ids. */
static void test_chunk_ids(void)
{
	const struct engine_town town = {CS_UE_5_6, true, 3, true};
	const struct engine_form form = {.release = CS_UE_5_6, .zen = true};
	struct cs_ue_hashed hashed;
	unsigned char *bytes = NULL;
	char path[4200];
	size_t size, at = 144;
	json_t *cook = engine_cook_town(&town);
	new_folder();
	ok(engine_cook_pack(cook, &form, false, folder), "ids: a container");
	is_int(count_findings(CS_E_REFERENCE, &hashed), 0, "ids: are those of the names");
	snprintf(path, sizeof(path), "%s/Town.utoc", folder);
	works(cs_read_whole(path, 1 << 24, &bytes, &size), "ids: the table");
	while (at + 12 < size && bytes[at + 11] != CS_UE_CHUNK_PACKAGE)
		at += 12;
	bytes[at] ^= 16;
	ok(engine_save_bytes(bytes, size, folder, "Town.utoc"), "ids: a bit of one");
	is_int(count_findings(CS_E_REFERENCE, &hashed), 1, "ids: is found");
	free(bytes);
	json_decref(cook);
}

/* Bulk data have the id of their package; a file of another type has an id of its own. */
static void test_bulk_ids(void)
{
	static const struct {
		const char *path;
		uint64_t id;
		unsigned char type;
		size_t findings;
	} rows[] = {{"A.ubulk", 5, CS_UE_CHUNK_BULK, 0}, {"A.ubulk", 6, CS_UE_CHUNK_BULK, 1},
		{"A.uptnl", 6, CS_UE_CHUNK_OPTIONAL_BULK, 1}, {"B.ubulk", 6, CS_UE_CHUNK_BULK, 0},
		{"A.m.ubulk", 5, CS_UE_CHUNK_MAPPED_BULK, 0},
		{"A.m.ubulk", 6, CS_UE_CHUNK_MAPPED_BULK, 1},
		{"A.bin", 6, CS_UE_CHUNK_EXTERNAL, 0}};
	const struct engine_container form = {.version = 8, .block_size = 65536, .mount = "/"};
	json_t *json = engine_json("{'package': '/Game/A', 'flags': 0, 'exports': [{'name': 'A', "
				   "'cls': '/Script/Engine.SceneComponent', 'outer': '', 'props': "
				   "{}, 'tail': {}}]}");
	struct engine_package made;
	struct cs_ue_hashed hashed;
	ok(engine_package_write(
		   json, &(struct engine_form){.release = CS_UE_5_6, .zen = true}, &made),
		"ids: a package");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct engine_file files[] = {
			{"A.uasset", made.header.bytes, made.header.size, 5, CS_UE_CHUNK_PACKAGE,
				false},
			{rows[i].path, "bulk", 4, rows[i].id, rows[i].type, false}};
		new_folder();
		ok(engine_utoc_save(&form, files, 2, folder, "T"), "ids: %s", rows[i].path);
		is_int(count_findings(CS_E_REFERENCE, &hashed), rows[i].findings,
			"ids: %llu of bulk data", (unsigned long long)rows[i].id);
	}
	cs_writer_deinit(&made.header);
	json_decref(json);
}

/* Containers of a folder that cannot be opened are findings, although others can. */
static void test_lost_containers(void)
{
	static const struct {
		const char *name;
		enum cs_code code;
	} rows[] = {{"X.utoc", CS_E_MAGIC}, {"X.pak", CS_E_MAGIC}, {"X.ucas", CS_E_NOFILE},
		{"X_s1.ucas", CS_E_NOFILE}};
	const struct engine_file file = {.path = "A.txt", .bytes = "a", .size = 1};
	const struct engine_container form = {.version = 11, .block_size = 32, .mount = "/"};
	struct cs_ue_hashed hashed;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		new_folder();
		engine_save_bytes("", 0, folder, rows[i].name);
		ok(cs_ue_is_cooked_folder(folder), "%s: is cooked content", rows[i].name);
		struct cs_ue_place *place = NULL;
		fails(cs_ue_place_open(folder, NULL, NULL, &place), rows[i].code,
			"%s: alone is an error", rows[i].name);
		engine_pak_save(&form, &file, 1, folder, "P");
		is_int(count_findings(rows[i].code, &hashed), 1, "%s: a finding", rows[i].name);
		is_int(hashed.held, 1, "%s: the other container is checked", rows[i].name);
	}
}

/* The package of a cell has a .ubulk that is as long as its bulk data. */
static void test_bulk_of_cell(void)
{
	static const enum cs_code codes[] = {CS_E_TRAILING, CS_E_TRUNCATED};
	const struct engine_town town = {CS_UE_5_6, true, 3, true};
	const struct engine_form form = {.release = CS_UE_5_6};
	struct cs_ue_hashed hashed;
	json_t *cook = engine_cook_town(&town);
	json_t *cell = json_array_get(json_object_get(cook, "cells"), 0);
	json_object_set_new(cell, "bulk", json_pack("[[i, i, i]]", 0, 100, 0x10501));
	for (int more = -1; more < 2; more++) {
		char name[400];
		new_folder();
		ok(engine_cook_save(cook, &form, folder), "bulk: a cook");
		snprintf(name, sizeof(name), "Town/Content/Maps/Town/_Generated_/%s.ubulk",
			json_string_value(json_object_get(cell, "short")));
		char *bytes = calloc(1, 200);
		ok(engine_save_bytes(bytes, (size_t)(100 + more), folder, name), "bulk: %s", name);
		free(bytes);
		is_int(count_findings(codes[more < 0], &hashed), more != 0, "bulk: %d bytes more",
			more);
	}
	json_object_set_new(cell, "bulk", json_pack("[[I, i, i]]", (json_int_t)-8, 100, 0x10501));
	ok(engine_cook_save(cook, &form, folder), "bulk: a cook with an end beyond 64 bits");
	is_int(count_findings(CS_E_TRUNCATED, &hashed), 1, "bulk: no file is so long");
	json_decref(cook);
}

int main(void)
{
	test_pak_hashes(8, CS_UE_STORED, true);
	test_pak_hashes(8, CS_UE_ZLIB, true);
	test_pak_hashes(9, CS_UE_ZLIB, false);
	test_pak_hashes(11, CS_UE_STORED, false);
	test_pak_hashes(15, CS_UE_ZLIB, false);
	test_lost_containers();
	test_toc_hashes();
	test_toc_seeds();
	test_unread_parts();
	test_chunk_ids();
	test_bulk_ids();
	test_bulk_of_cell();
	return done();
}
