/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite meshes as the engine cooks them. An input is a package, the bytes of its .ubulk, and how
 * many these are. It is read as that; and as an export behind a header that is right, so that what
 * is wrong in the resource is not hidden by what is wrong before it.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/samples/engine_nanite.h"
#include "tests/samples/use_model.h"

#include <stdlib.h>
#include <string.h>

const char fuzz_name[] = "Nanite mesh of the engine";

static void add_seed(void (*add)(const void *bytes, size_t size), const struct engine_form *form)
{
	struct engine_package made;
	struct cs_writer bulk = {0}, *to = &made.header;
	json_t *package = engine_nanite_package(form, &bulk);
	if (!engine_package_write(package, form, &made))
		abort();
	cs_writer_bytes(to, made.exports.bytes, made.exports.size);
	cs_writer_bytes(to, bulk.bytes, bulk.size);
	cs_writer_u32(to, (uint32_t)bulk.size);
	add(to->bytes, to->size);
	cs_writer_deinit(&bulk);
	engine_package_deinit(&made);
	json_decref(package);
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const struct engine_form forms[] = {{.release = CS_UE_5_3},
		{.release = CS_UE_5_4, .zen = true}, {.release = CS_UE_5_5, .tagged = true},
		{.release = CS_UE_5_6, .versioned = true}, {.release = CS_UE_5_7},
		{.release = CS_UE_5_8, .zen = true, .versioned = true}};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		add_seed(add, &forms[i]);
}

struct run {
	const uint8_t *at;
	size_t size;
};

static struct cs_error *read_run(void *context, uint64_t offset, void *ret, size_t n)
{
	const struct run *run = context;
	if (offset > run->size || n > run->size - offset)
		return cs_error_new(CS_E_TRUNCATED, "the bulk data ends before");
	memcpy(ret, run->at + offset, n);
	return NULL;
}

static struct cs_error *use_export(const struct cs_ue_cooked_package *package,
	const struct cs_ue_cooked_export *export, struct run *bulk)
{
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_ue_nanite nanite;
	struct cs_model *model;
	struct cs_error *error =
		cs_ue_nanite_find(package, export, read_run, bulk, &arena, &nanite);
	if (!error) {
		error = cs_ue_nanite_model(&nanite, "input", "input", &model);
		cs_ue_nanite_deinit(&nanite);
		if (!error)
			error = use_model(model);
	}
	cs_arena_deinit(&arena);
	return error;
}

static struct cs_error *as_package(const uint8_t *bytes, size_t size, struct run *bulk)
{
	struct cs_ue_cooked_package *package;
	unsigned char *copy = malloc(size + 1);
	if (!copy)
		return cs_error_nomem();
	memcpy(copy, bytes, size);
	struct cs_error *error =
		cs_ue_cooked_package_bytes(copy, size, NULL, 0, "input", NULL, &package);
	if (error)
		return error;
	const struct cs_ue_cooked_export *export =
		cs_ue_cooked_export_of_class(package, "StaticMesh");
	error = export ? use_export(package, export, bulk)
		       : cs_error_new(CS_E_MISSING, "no static mesh");
	cs_ue_cooked_package_close(package);
	return error;
}

static struct cs_error *as_export(const uint8_t *bytes, size_t size, struct run *bulk)
{
	struct cs_ue_bulk entries[2] = {{.size = 16}, {.offset = 16, .size = bulk->size}};
	struct cs_ue_cooked_export export = {.size = size};
	struct cs_ue_cooked_package package = {.releases = UINT32_MAX,
		.exports = &export,
		.n_exports = 1,
		.bulk = entries,
		.n_bulk = 2,
		.bytes = malloc(size + 1),
		.size = size};
	if (!package.bytes)
		return cs_error_nomem();
	memcpy(package.bytes, bytes, size);
	entries[1].size -= bulk->size < 16 ? bulk->size : 16;
	struct cs_error *error = use_export(&package, &export, bulk);
	free(package.bytes);
	return error;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	if (size < 4)
		return 0;
	size_t wanted = cs_load32(bytes + size - 4), room = size - 4;
	struct run bulk = {.size = wanted < room ? wanted : room};
	bulk.at = bytes + room - bulk.size;
	fuzz_note(as_package(bytes, room - bulk.size, &bulk));
	fuzz_note(as_export(bytes, room - bulk.size, &bulk));
	return 0;
}
