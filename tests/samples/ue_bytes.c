/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of UE's files over bytes in memory, whose values are all asked for. */
#include "tests/samples/ue_bytes.h"

#include "core/job.h"
#include "ue/log/log_written.h"
#include "ue/package/properties.h"
#include "ue/project/actor_file.h"

#include <stdlib.h>

/* Returns an address even for no bytes. */
static const void *address_of(const void *bytes, size_t size)
{
	return size ? bytes : "";
}

struct cs_error *check_ue_descriptor(
	const void *bytes, size_t size, const char *name, cs_ue_emit *emit, void *context)
{
	struct cs_ue_descriptor descriptor;
	struct cs_cursor cursor = cs_cursor_over(address_of(bytes, size), size, 0, name);
	struct cs_error *error = cs_ue_decode_descriptor(&cursor, &descriptor);
	return error ? error : cs_ue_print_descriptor(&descriptor, emit, context);
}

struct cs_error *check_ue_registry(const void *bytes, size_t size, const char *name)
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

/*
 * A record with one member for each CS_UE_RULE_ kind of property. Their names occur in real
 * objects.
 */
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

/* Reads the values that were put aside. */
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

struct cs_error *check_ue_package(
	const void *bytes, size_t size, const char *name, const struct cs_job *job)
{
	const struct cs_limits limits = cs_job_limits(job);
	struct cs_ue_package package;
	struct cs_error *error =
		cs_ue_package_open_bytes(address_of(bytes, size), size, name, &limits, &package);
	if (error)
		return error;
	error = check_exports(&package);
	if (!error)
		error = cs_ue_check_package(&package);
	cs_ue_package_close(&package);
	return error;
}

struct cs_error *check_ue_properties(const void *bytes, size_t size, int32_t v5, const char *name)
{
	static const char *names[] = {"None", "CellSize", "Priority", "RuntimeHash", "bIs2D",
		"BoundsMethod", "DebugColor", "Name", "DefaultHLODLayer", "SourceCellGuid",
		"Origin", "RuntimePartitions", "HLODLayers", "GridSettings", "IntProperty",
		"FloatProperty", "DoubleProperty", "BoolProperty", "NameProperty", "StrProperty",
		"ByteProperty", "EnumProperty", "ObjectProperty", "SoftObjectProperty",
		"StructProperty", "ArrayProperty", "MapProperty", "Vector", "Vector2D", "Guid",
		"LinearColor", "Color", "SoftObjectPath", "E::UseCellBounds", "OptionalProperty"};
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

struct cs_error *check_ue_log(const void *bytes, size_t size, const char *name)
{
	struct cs_ue_log_data *data;
	struct cs_world *world;
	unsigned char *written;
	size_t n;
	struct cs_error *error = cs_ue_parse_log_bytes(size ? bytes : "", size, name, NULL, &data);
	if (error)
		return error;
	error = cs_ue_log_world(data, NULL, &world);
	if (!error) {
		cs_world_free(world);
		error = cs_ue_log_written(data, name, NULL, &written, &n);
	}
	if (!error)
		free(written);
	cs_ue_log_data_free(data);
	return error;
}
