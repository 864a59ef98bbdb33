/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine cooked: packages of both kinds with the maps in them, containers, mapping files.
 * Seeds are written here, byte by byte; a .pak that was changed is refused by its sum, so its index
 * is reached through a footer that is made to fit.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/make/writes.h"
#include "tests/samples/engine_container.h"
#include "tests/samples/engine_cook.h"
#include "ue/map/umap.h"

#include "core/writer.h"
#include "ue/container/hash.h"

#include <stdlib.h>
#include <string.h>

const char fuzz_name[] = "UE cooked";

static void put_names(struct cs_writer *w, const char *const *names, uint32_t n)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < n; i++)
		bytes += strlen(names[i]);
	cs_writer_u32(w, n);
	cs_writer_u32(w, (uint32_t)bytes);
	cs_writer_u64(w, UINT64_C(0xC1640000));
	for (uint32_t i = 0; i < n; i++)
		cs_writer_u64(w,
			cs_ue_name_hash((const unsigned char *)names[i], strlen(names[i]), false));
	for (uint32_t i = 0; i < n; i++) {
		cs_writer_u8(w, (uint8_t)(strlen(names[i]) >> 8));
		cs_writer_u8(w, (uint8_t)strlen(names[i]));
	}
	for (uint32_t i = 0; i < n; i++)
		cs_writer_bytes(w, names[i], strlen(names[i]));
}

/* Writes a Zen package of 5.6 or later: a map with one cell, whose objects store nothing. */
static void put_zen(struct cs_writer *w)
{
	static const char *const names[] = {"/Game/M", "M", "PersistentLevel", "WorldPartition",
		"4F37CP06U8PX20EZ1PMWDQA0F", "MainGrid"};
	static const char *const classes[] = {"/Script/Engine.World", "/Script/Engine.Level",
		"/Script/Engine.WorldPartition",
		"/Script/Engine.WorldPartitionRuntimeLevelStreamingCell"};
	enum { EXPORTS = 4, EXPORT_BYTES = 6 };
	for (int i = 0; i < 13; i++)
		cs_writer_u32(w, 0);
	cs_writer_u32(w, 0); /* cells: set below */
	cs_writer_u32(w, 0);
	put_names(w, names, 6);
	cs_writer_u64(w, 0);
	cs_writer_u64(w, 0); /* no bulk data */
	uint32_t tables = (uint32_t)w->size;
	for (uint32_t i = 0; i < EXPORTS; i++) {
		cs_writer_u64(w, i * EXPORT_BYTES);
		cs_writer_u64(w, EXPORT_BYTES);
		cs_writer_u32(w, i + 1);
		cs_writer_u32(w, 0);
		cs_writer_u64(w, i ? 0 : UINT64_MAX);
		cs_writer_u64(w, cs_ue_script_hash(classes[i]));
		cs_writer_u64(w, UINT64_MAX);
		cs_writer_u64(w, UINT64_MAX);
		cs_writer_u64(w, 0);
		cs_writer_u32(w, 0);
		cs_writer_u32(w, 0);
	}
	uint32_t end = (uint32_t)w->size;
	for (uint32_t i = 0; i < EXPORTS; i++)
		cs_writer_bytes(w, "\0\1\0\0\0\0", EXPORT_BYTES);
	cs_writer_u32(w, 0x9e2a83c1);
	cs_store32(w->bytes + 4, end);
	cs_store32(w->bytes + 16, CS_UE_PACKAGE_COOKED | CS_UE_PACKAGE_UNVERSIONED | 0x80000000u);
	cs_store32(w->bytes + 24, tables);
	cs_store32(w->bytes + 28, tables);
	cs_store32(w->bytes + 32, tables);
	for (unsigned at = 36; at <= 48; at += 4)
		cs_store32(w->bytes + at, end);
	cs_store32(w->bytes + 52, end);
	cs_store32(w->bytes + 56, end);
}

/* Writes a container of one stored chunk, with a directory. */
static void put_utoc(struct cs_writer *w)
{
	static const unsigned char chunk[12] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 1};
	static const unsigned char place[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
	static const unsigned char block[12] = {0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0, 0};
	cs_writer_bytes(w, "-==--==--==--==-", 16);
	const uint32_t head[] = {8, 144, 1, 1, 12, 0, 32, 65536, 0, 1};
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		cs_writer_u32(w, head[i]);
	while (w->size < 144)
		cs_writer_u8(w, 0);
	w->bytes[80] = 8;
	cs_writer_bytes(w, chunk, sizeof(chunk));
	cs_writer_bytes(w, place, sizeof(place));
	cs_writer_bytes(w, block, sizeof(block));
	size_t from = w->size;
	cs_writer_u32(w, 7);
	cs_writer_bytes(w, "../../", 7);
	const uint32_t tables[] = {
		1, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 1, 0, UINT32_MAX, 0, 1};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		cs_writer_u32(w, tables[i]);
	cs_writer_u32(w, 7);
	cs_writer_bytes(w, "M.umap", 7);
	cs_store32(w->bytes + 48, (uint32_t)(w->size - from));
}

static void put_usmap(struct cs_writer *w)
{
	cs_writer_u16(w, 0x30c4);
	cs_writer_u8(w, 0);
	cs_writer_u8(w, 0);
	size_t sizes = w->size;
	cs_writer_u64(w, 0);
	cs_writer_u32(w, 2);
	cs_writer_bytes(w, "\4Gate\4Open", 10);
	cs_writer_u32(w, 0);
	cs_writer_u32(w, 1);
	cs_writer_u32(w, 0);
	cs_writer_u32(w, UINT32_MAX);
	cs_writer_u16(w, 1);
	cs_writer_u16(w, 1);
	cs_writer_u16(w, 0);
	cs_writer_u8(w, 1);
	cs_writer_u32(w, 1);
	cs_writer_u8(w, 1);
	cs_store32(w->bytes + sizes, (uint32_t)(w->size - sizes - 8));
	cs_store32(w->bytes + sizes + 4, (uint32_t)(w->size - sizes - 8));
}

/* Writes the index of a .pak of version 11, around which the rest is made. */
static void put_pak_index(struct cs_writer *w)
{
	cs_writer_u32(w, 1);
	cs_writer_u8(w, 0);
	cs_writer_u32(w, 0);
	cs_writer_u64(w, 0);
	cs_writer_u64(w, 0);
	cs_writer_u32(w, 0);
	cs_writer_u32(w, 0);
}

/* A package as one run of bytes: .uexp behind its header, which is how they are read. */
static void add_package(
	void (*add)(const void *bytes, size_t size), json_t *json, const struct engine_form *form)
{
	struct engine_package made;
	if (engine_package_write(json, form, &made)) {
		cs_writer_bytes(&made.header, made.exports.bytes, made.exports.size);
		add(made.header.bytes, made.header.size);
	}
	engine_package_deinit(&made);
	json_decref(json);
}

/* A map and a cell of the engine, in the forms that differ most. */
static void add_cooks(void (*add)(const void *bytes, size_t size))
{
	static const struct engine_form forms[] = {{.release = CS_UE_5_1},
		{.release = CS_UE_5_3, .tagged = true}, {.release = CS_UE_5_6, .zen = true},
		{.release = CS_UE_5_8, .tagged = true, .versioned = true}};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct engine_town town = {
			forms[i].release, forms[i].release >= CS_UE_5_4, 1, true};
		json_t *cook = engine_cook_town(&town);
		const json_t *cell = json_array_get(json_object_get(cook, "cells"), 0);
		add_package(add, engine_cook_map(cook, &forms[i]), &forms[i]);
		add_package(add, engine_cook_cell(cook, cell, &forms[i]), &forms[i]);
		json_decref(cook);
	}
}

static void add_container(void (*add)(const void *bytes, size_t size), bool index_of_pak)
{
	static const char body[] = "the bytes of a file, a little more than a block";
	const struct engine_file files[] = {{"A/B/C.uasset", body, sizeof(body), 7, 1, false},
		{"A/D.ini", body, 5, 8, 7, false}};
	const struct engine_container form = {.version = index_of_pak ? 9 : 8,
		.method = CS_UE_ZLIB,
		.block_size = 16,
		.mount = "../../../G/",
		.id = 3};
	struct cs_writer toc = {0}, data = {0};
	if (index_of_pak) {
		engine_pak_write(&form, files, 2, &toc);
		/* its index lies before the footer, which says where it begins */
		size_t from =
			toc.size >= 222 ? (size_t)cs_load64(toc.bytes + toc.size - 222 + 25) : 0;
		add(toc.bytes + from, toc.size - 222 - from);
	} else {
		engine_utoc_write(&form, files, 2, &toc, &data);
		add(toc.bytes, toc.size);
	}
	cs_writer_deinit(&toc);
	cs_writer_deinit(&data);
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	add_cooks(add);
	add_container(add, false);
	add_container(add, true);
	static void (*const makers[])(struct cs_writer *) = {
		put_zen, put_utoc, put_usmap, put_pak_index};
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		struct cs_writer w = {0};
		makers[i](&w);
		add(w.bytes, w.size);
		cs_writer_deinit(&w);
	}
}

static void try_package(const uint8_t *bytes, size_t size)
{
	struct cs_ue_cooked_package *package;
	struct cs_ue_map *map;
	const struct cs_ue_map_options options = {.release = CS_UE_RELEASES};
	unsigned char *copy = malloc(size + 1), *world;
	size_t n;
	if (!copy)
		return;
	memcpy(copy, bytes, size);
	struct cs_error *error =
		cs_ue_cooked_package_bytes(copy, size, NULL, 0, "input", NULL, &package);
	if (!error)
		error = cs_ue_map_read(package, &options, &map);
	if (error) {
		fuzz_note(error);
		return;
	}
	error = cs_ue_map_to_world(NULL, map, &options, NULL, &world, &n);
	if (!error)
		free(world);
	fuzz_note(error);
	cs_ue_map_free(map);
}

static void read_entries(struct cs_ue_container *container)
{
	unsigned char bytes[64];
	for (uint32_t i = 0; i < container->n_entries && i < 16; i++) {
		const struct cs_ue_entry *entry = &container->entries[i];
		size_t n = entry->size < sizeof(bytes) ? (size_t)entry->size : sizeof(bytes);
		if (entry->size < 1 << 20)
			fuzz_note(cs_ue_container_read(container, entry, 0, bytes, n));
	}
	cs_ue_container_close(container);
}

static void try_containers(const uint8_t *bytes, size_t size)
{
	struct cs_limits limits = cs_limits_default();
	struct cs_ue_container *container;
	static const unsigned char body[64];
	struct cs_error *error =
		cs_ue_open_utoc_bytes(bytes, size, body, sizeof(body), "input", &container);
	if (!error)
		read_entries(container);
	fuzz_note(error);
	for (uint32_t version = 9; version <= 12; version += 3) {
		struct cs_writer w = {0};
		unsigned char sum[20];
		cs_writer_bytes(&w, bytes, size);
		cs_ue_sha1(bytes, size, sum);
		for (int i = 0; i < 17; i++)
			cs_writer_u8(&w, 0);
		cs_writer_u32(&w, 0x5a6f12e1);
		cs_writer_u32(&w, version);
		cs_writer_u64(&w, 0);
		cs_writer_u64(&w, size);
		cs_writer_bytes(&w, sum, sizeof(sum));
		if (version == 9)
			cs_writer_u8(&w, 0);
		cs_writer_bytes(&w, "Zlib", 4);
		for (int i = 4; i < 160; i++)
			cs_writer_u8(&w, 0);
		error = cs_ue_open_pak_bytes(w.bytes, w.size, "input", &limits, &container);
		if (!error)
			read_entries(container);
		fuzz_note(error);
		cs_writer_deinit(&w);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct cs_ue_schema mapping;
	try_package(bytes, size);
	try_containers(bytes, size);
	struct cs_error *error = cs_ue_read_usmap(bytes, size, "input", &mapping);
	if (!error)
		cs_ue_schema_deinit(&mapping);
	fuzz_note(error);
	return 0;
}
