/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: looking at single packages and descriptors, and the entries that take bytes from anywhere:
 * what a user asks for when a package does not read, and what tests and fuzzers drive.
 */
#include <cellscope/ue.h>

#include "core/job.h"
#include "ue/package/properties.h"
#include "ue/project/actor_file.h"
#include "ue/project/project.h"

#include <stdio.h>

/* Nothing has an address too. */
static const void *address_of(const void *bytes, size_t size)
{
	return size ? bytes : "";
}

/* ---- descriptors ---- */

struct cs_error *cs_ue_read_descriptor(
	const void *bytes, size_t size, const char *name, cs_ue_emit *emit, void *context)
{
	struct cs_ue_descriptor descriptor;
	struct cs_cursor cursor = cs_cursor_over(address_of(bytes, size), size, 0, name);
	struct cs_error *error = cs_ue_decode_descriptor(&cursor, &descriptor);
	return error ? error : cs_ue_print_descriptor(&descriptor, emit, context);
}

static bool emit_string(cs_ue_emit *emit, void *context, const char *row, const char *name,
	struct cs_ue_string string)
{
	struct cs_arena arena = CS_ARENA_INIT;
	size_t length;
	const char *text = cs_ue_text(string, &arena, &length);
	bool going = text && emit(context, row, name, text);
	cs_arena_deinit(&arena);
	return going;
}

static bool emit_head(const struct cs_ue_head *head, cs_ue_emit *emit, void *context)
{
	char engine[CS_UE_ENGINE_TEXT], v5[16], objects[16];
	cs_ue_engine_text(&head->summary.engine, engine);
	snprintf(v5, sizeof(v5), "%d", head->summary.v5);
	snprintf(objects, sizeof(objects), "%u", head->asset.objects);
	return emit(context, "2", "saved by engine", engine) &&
	       emit(context, "2", "UE5 version", v5) &&
	       emit_string(emit, context, "2", "package name", head->summary.package_name) &&
	       emit(context, "3", "objects", objects) &&
	       emit_string(emit, context, "3", "object path", head->asset.path) &&
	       emit_string(emit, context, "3", "class", head->asset.class_name);
}

struct cs_error *cs_ue_describe_package(
	const char *path, const struct cs_job *job, cs_ue_emit *emit, void *context)
{
	struct cs_source_file source;
	struct cs_ue_reader reader = {0};
	struct cs_ue_head head;
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_ue_descriptor descriptor;
	struct cs_error *error = cs_source_open(path, cs_job_limits(job).file_bytes, &source);
	if (error)
		return error;
	error = cs_ue_read_head(&source, &reader, &head);
	if (!error && emit_head(&head, emit, context) && head.asset.tags[CS_UE_TAG_META_DATA].at) {
		error = cs_ue_decode_asset(&head.asset, path, &arena, &descriptor);
		if (!error)
			error = cs_ue_print_descriptor(&descriptor, emit, context);
	}
	cs_arena_deinit(&arena);
	cs_ue_reader_deinit(&reader);
	cs_source_close(&source);
	return error;
}

struct cs_error *cs_ue_check_registry(const void *bytes, size_t size, const char *name)
{
	struct cs_ue_asset asset;
	struct cs_ue_descriptor descriptor;
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_cursor cursor = cs_cursor_over(address_of(bytes, size), size, 0, name);
	struct cs_error *error = cs_ue_read_registry(&cursor, &asset);
	if (!error && asset.tags[CS_UE_TAG_META_DATA].at)
		error = cs_ue_decode_asset(&asset, name, &arena, &descriptor);
	cs_arena_deinit(&arena);
	return error;
}

/* ---- tagged properties ---- */

/* One member for every kind of rule, under names that real objects use for it. */
struct record {
	double number;
	int32_t integer, index;
	bool boolean;
	uint32_t choice, color;
	const char *text, *object;
	struct cs_guid guid;
	struct cs_vec3 vector;
	struct cs_ue_value structs, objects, structure;
};

static const char *const choices[] = {"UseContent", "UseCellBounds", NULL};

#define AT(member) offsetof(struct record, member)
static const struct cs_ue_rule rules[] = {
	{"CellSize", CS_UE_RULE_NUMBER, AT(number), NULL},
	{"Priority", CS_UE_RULE_INT, AT(integer), NULL},
	{"RuntimeHash", CS_UE_RULE_INDEX, AT(index), NULL},
	{"bIs2D", CS_UE_RULE_BOOL, AT(boolean), NULL},
	{"BoundsMethod", CS_UE_RULE_ENUM, AT(choice), choices},
	{"DebugColor", CS_UE_RULE_COLOR, AT(color), NULL},
	{"Name", CS_UE_RULE_TEXT, AT(text), NULL},
	{"DefaultHLODLayer", CS_UE_RULE_OBJECT, AT(object), NULL},
	{"SourceCellGuid", CS_UE_RULE_GUID, AT(guid), NULL},
	{"Origin", CS_UE_RULE_VECTOR, AT(vector), NULL},
	{"RuntimePartitions", CS_UE_RULE_VALUE, AT(structs), NULL},
	{"HLODLayers", CS_UE_RULE_VALUE, AT(objects), NULL},
	{"GridSettings", CS_UE_RULE_VALUE, AT(structure), NULL},
};
#undef AT

/* What the values that were put aside hold. */
static struct cs_error *check_values(const struct record *record)
{
	struct cs_ue_properties inside;
	struct record ignored = {.number = 0};
	uint32_t count = 0;
	int32_t *objects;
	struct cs_error *error = cs_ue_array_objects(&record->objects, &objects, &count);
	if (!error)
		error = cs_ue_array_structs(&record->structs, &count, &inside);
	for (uint32_t i = 0; i < count && !error; i++)
		error = cs_ue_apply(&inside, CS_UE_RULES(rules), &ignored);
	if (!error && record->structure.cursor.bytes) {
		error = cs_ue_struct_properties(&record->structure, &inside);
		if (!error)
			error = cs_ue_apply(&inside, CS_UE_RULES(rules), &ignored);
	}
	return error;
}

static struct cs_error *check_exports(struct cs_ue_package *package)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < package->n_exports && !error; i++) {
		struct record record = {.number = 0};
		if (!cs_ue_object_path(package, (int32_t)i + 1))
			return cs_error_nomem();
		error = cs_ue_apply_export(
			package, &package->exports[i], CS_UE_RULES(rules), &record);
		if (!error)
			error = check_values(&record);
	}
	return error;
}

struct cs_error *cs_ue_check_package(
	const void *bytes, size_t size, const char *name, const struct cs_job *job)
{
	const struct cs_limits limits = cs_job_limits(job);
	struct cs_ue_package package;
	struct cs_error *error =
		cs_ue_package_open_bytes(address_of(bytes, size), size, name, &limits, &package);
	if (error)
		return error;
	error = check_exports(&package);
	cs_ue_package_close(&package);
	return error;
}

struct cs_error *cs_ue_check_properties(
	const void *bytes, size_t size, int32_t v5, const char *name)
{
	static const char *names[] = {"None", "CellSize", "Priority", "RuntimeHash", "bIs2D",
		"BoundsMethod", "DebugColor", "Name", "DefaultHLODLayer", "SourceCellGuid",
		"Origin", "RuntimePartitions", "HLODLayers", "GridSettings", "IntProperty",
		"FloatProperty", "DoubleProperty", "BoolProperty", "NameProperty", "StrProperty",
		"ByteProperty", "EnumProperty", "ObjectProperty", "SoftObjectProperty",
		"StructProperty", "ArrayProperty", "MapProperty", "Vector", "Vector2D", "Guid",
		"LinearColor", "Color", "SoftObjectPath", "E::UseCellBounds"};
	struct cs_ue_package package = {
		.arena = CS_ARENA_INIT,
		.summary = {.v5 = v5},
		.names = names,
		.n_names = sizeof(names) / sizeof(names[0]),
	};
	struct cs_ue_properties properties = {
		&package, cs_cursor_over(address_of(bytes, size), size, 0, name)};
	struct record record = {.number = 0};
	struct cs_error *error = cs_ue_apply(&properties, CS_UE_RULES(rules), &record);
	if (!error)
		error = check_values(&record);
	cs_arena_deinit(&package.arena);
	return error;
}
