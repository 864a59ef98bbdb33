/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the table of summary fields, and telling packages from what is none.
 * Source of the layout: ue-project-files rules 2.
 */
#include "ue/package/summary.h"

#include "core/error_inside.h"
#include "core/text.h"
#include "ue/package/field_types.h"
#include "ue/package/version.h"

enum { ALWAYS_BELOW = INT32_MAX };

#define FIELD(title, kind, member, ...)                                          \
	{                                                                        \
		title, kind, offsetof(struct cs_ue_summary, member), __VA_ARGS__ \
	}
#define ALL 0, ALWAYS_BELOW, false

static const struct cs_ue_summary_field fields[] = {
	FIELD("saved hash", CS_UE_PART_HASH, saved_hash, 1016, ALWAYS_BELOW, false),
	FIELD("total header size", CS_UE_PART_U32, header_size, 1016, ALWAYS_BELOW, false),
	FIELD("custom versions", CS_UE_PART_VERSIONS, custom_versions, ALL),
	FIELD("total header size", CS_UE_PART_U32, header_size, 0, 1016, false),
	FIELD("package name", CS_UE_PART_STRING, package_name, ALL),
	FIELD("package flags", CS_UE_PART_U32, flags, ALL),
	FIELD("names", CS_UE_PART_TABLE, names, ALL),
	FIELD("soft object paths", CS_UE_PART_TABLE, soft_paths, 1008, ALWAYS_BELOW, false),
	FIELD("localisation id", CS_UE_PART_STRING, localisation, 0, ALWAYS_BELOW, true),
	FIELD("gatherable text", CS_UE_PART_TABLE, gatherable, ALL),
	FIELD("exports", CS_UE_PART_TABLE, exports, ALL),
	FIELD("imports", CS_UE_PART_TABLE, imports, ALL),
	FIELD("Verse cell exports", CS_UE_PART_TABLE, verse_exports, 1015, ALWAYS_BELOW, false),
	FIELD("Verse cell imports", CS_UE_PART_TABLE, verse_imports, 1015, ALWAYS_BELOW, false),
	FIELD("metadata offset", CS_UE_PART_U32, metadata, 1014, ALWAYS_BELOW, false),
	FIELD("depends offset", CS_UE_PART_U32, depends, ALL),
	FIELD("soft package references", CS_UE_PART_TABLE, soft_references, ALL),
	FIELD("searchable names offset", CS_UE_PART_U32, searchable, ALL),
	FIELD("thumbnail table offset", CS_UE_PART_U32, thumbnails, ALL),
	FIELD("import type hierarchies", CS_UE_PART_TABLE, hierarchies, 1018, ALWAYS_BELOW, false),
	FIELD("package guid", CS_UE_PART_GUID, guid, 0, 1016, false),
	FIELD("persistent guid", CS_UE_PART_GUID, persistent_guid, 0, ALWAYS_BELOW, true),
	FIELD("generations", CS_UE_PART_PAIRS, generations, ALL),
	FIELD("saved by engine", CS_UE_PART_ENGINE, engine, ALL),
	FIELD("compatible with engine", CS_UE_PART_ENGINE, compatible, ALL),
	FIELD("compression flags", CS_UE_PART_U32, compression, ALL),
	FIELD("compressed chunks", CS_UE_PART_U32, chunks, ALL),
	FIELD("package source", CS_UE_PART_U32, source, ALL),
	FIELD("additional packages to cook", CS_UE_PART_STRINGS, additional, ALL),
	FIELD("asset registry data offset", CS_UE_PART_U32, registry, ALL),
	FIELD("bulk data start", CS_UE_PART_U64, bulk_data, ALL),
	FIELD("world tile info offset", CS_UE_PART_U32, world_tile, ALL),
	FIELD("chunk ids", CS_UE_PART_NUMBERS, chunk_ids, ALL),
	FIELD("preload dependencies", CS_UE_PART_TABLE, preload, ALL),
	FIELD("names referenced from export data", CS_UE_PART_U32, names_used, 1001, ALWAYS_BELOW,
		false),
	FIELD("payload table offset", CS_UE_PART_U64, payloads, 1002, ALWAYS_BELOW, false),
	FIELD("data resource offset", CS_UE_PART_U32, data_resources, 1009, ALWAYS_BELOW, false),
};
enum { N_FIELDS = sizeof(fields) / sizeof(fields[0]) };

static bool present(const struct cs_ue_summary_field *field, const struct cs_ue_summary *summary)
{
	if (summary->v5 < field->from || summary->v5 >= field->below)
		return false;
	return !field->editor || !(summary->flags & CS_UE_EDITOR_FILTERED);
}

const struct cs_ue_summary_field *cs_ue_next_summary_field(
	const struct cs_ue_summary *summary, const struct cs_ue_summary_field *field)
{
	for (field = field ? field + 1 : fields; field < fields + N_FIELDS; field++)
		if (present(field, summary))
			return field;
	return NULL;
}

/* ---- types ---- */

static void read_u64(struct cs_cursor *cursor, void *to)
{
	*(uint64_t *)to = cs_cursor_u64(cursor);
}

static void summary_read_table(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_table *table = to;
	table->count = cs_cursor_i32(cursor);
	table->offset = cs_cursor_i32(cursor);
}

static void summary_read_hash(struct cs_cursor *cursor, void *to)
{
	const unsigned char *hash = cs_cursor_take(cursor, 20);
	if (hash)
		memcpy(to, hash, 20);
}

static void read_engine(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_engine_version *engine = to;
	engine->major = cs_cursor_u16(cursor);
	engine->minor = cs_cursor_u16(cursor);
	engine->patch = cs_cursor_u16(cursor);
	engine->changelist = cs_cursor_u32(cursor);
	engine->branch = cs_ue_read_string(cursor);
}

static void read_array(struct cs_cursor *cursor, void *to, size_t element_size)
{
	struct cs_ue_list *list = to;
	list->n = cs_cursor_count(cursor, element_size);
	list->bytes = (size_t)list->n * element_size;
	list->at = cs_cursor_take(cursor, list->bytes);
}

static void read_versions_list(struct cs_cursor *cursor, void *to)
{
	read_array(cursor, to, 20);
}

static void read_pairs(struct cs_cursor *cursor, void *to)
{
	read_array(cursor, to, 8);
}

static void summary_read_numbers(struct cs_cursor *cursor, void *to)
{
	read_array(cursor, to, 4);
}

static void (*const types[])(struct cs_cursor *cursor, void *to) = {
	[CS_UE_PART_U32] = cs_ue_field_read_count,
	[CS_UE_PART_U64] = read_u64,
	[CS_UE_PART_TABLE] = summary_read_table,
	[CS_UE_PART_GUID] = cs_ue_field_read_guid,
	[CS_UE_PART_HASH] = summary_read_hash,
	[CS_UE_PART_STRING] = cs_ue_field_read_name,
	[CS_UE_PART_ENGINE] = read_engine,
	[CS_UE_PART_VERSIONS] = read_versions_list,
	[CS_UE_PART_PAIRS] = read_pairs,
	[CS_UE_PART_NUMBERS] = summary_read_numbers,
	[CS_UE_PART_STRINGS] = cs_ue_field_read_names,
};

/* ---- reading ---- */

/*
 * The summary of a package from an IoStore container: whether versions follow, header size, name,
 * flags. The flag that the editor's data was filtered out makes it unmistakable.
 */
static bool is_zen_package(const struct cs_cursor *cursor)
{
	if (cursor->size < 24 || cs_load32(cursor->bytes) > 1)
		return false;
	return cs_load32(cursor->bytes + 4) >= 24 &&
	       (cs_load32(cursor->bytes + 16) & CS_UE_EDITOR_FILTERED) != 0;
}

struct cs_error *cs_ue_refuse_pointer(const void *bytes, size_t size, const char *name)
{
	static const char pointer[] = "version https://git-lfs";
	if (size < sizeof(pointer) - 1 || memcmp(bytes, pointer, sizeof(pointer) - 1) != 0)
		return NULL;
	return cs_error_at(CS_E_LFS, name, 0,
		"%s is only a pointer of Git LFS, its content was not fetched", cs_base_name(name));
}

static struct cs_error *not_a_package(const struct cs_cursor *cursor)
{
	struct cs_error *error = cs_ue_refuse_pointer(cursor->bytes, cursor->size, cursor->file);
	if (error)
		return error;
	if (is_zen_package(cursor))
		return cs_error_at(CS_E_COOKED, cursor->file, 0, "the package is cooked");
	if (cursor->size < 4)
		return cs_error_at(CS_E_TRUNCATED, cursor->file, cursor->size,
			"the file ends before the tag of a package");
	return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
		"the file begins with %08x, a package with %08x", cs_load32(cursor->bytes),
		CS_UE_TAG);
}

static void read_versions(struct cs_cursor *cursor, struct cs_ue_summary *summary)
{
	summary->legacy = cs_cursor_i32(cursor);
	if (summary->legacy < -9 || summary->legacy > -7) {
		cursor->position -= 4;
		cs_cursor_fail(cursor, CS_E_PACKAGE, "not the version of a package of UE5");
	}
	summary->ue3 = cs_cursor_i32(cursor);
	summary->ue4 = cs_cursor_i32(cursor);
	if (summary->legacy <= -8)
		summary->v5 = cs_cursor_i32(cursor);
	if (summary->v5 != 0 && summary->v5 < 1000) {
		cursor->position -= 4;
		cs_cursor_fail(cursor, CS_E_PACKAGE, "not the version of a package of UE5");
	}
	summary->licensee = cs_cursor_i32(cursor);
}

static struct cs_error *summary_check(
	const struct cs_cursor *cursor, const struct cs_ue_summary *summary)
{
	if (summary->flags & CS_UE_EDITOR_FILTERED)
		return cs_error_at(CS_E_COOKED, cursor->file, 0, "the package is cooked");
	if (summary->chunks != 0 || summary->compression != 0)
		return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
			"the package is compressed, which no engine of version 5 does");
	if (summary->header_size < 0 || summary->registry < 0)
		return cs_error_at(CS_E_PACKAGE, cursor->file, 0, "an offset is negative");
	return NULL;
}

struct cs_error *cs_ue_read_summary(struct cs_cursor *cursor, struct cs_ue_summary *ret)
{
	struct cs_ue_summary summary = {0};
	if (cs_cursor_left(cursor) < 4 || cs_load32(cursor->bytes) != CS_UE_TAG)
		return not_a_package(cursor);
	cs_cursor_skip(cursor, 4);
	read_versions(cursor, &summary);
	for (size_t i = 0; i < N_FIELDS && !cursor->bad; i++)
		if (present(&fields[i], &summary))
			types[fields[i].type](cursor, (char *)&summary + fields[i].offset);
	struct cs_error *error = NULL;
	if (summary.flags & CS_UE_EDITOR_FILTERED || !cursor->bad)
		error = summary_check(cursor, &summary);
	if (!error)
		error = cs_cursor_error(cursor, "package summary");
	if (!error)
		*ret = summary;
	else if (cs_ue_package_version_unknown(summary.v5))
		error = cs_error_wrap(
			error, "UE5 version %d is newer than what is known here", summary.v5);
	return error;
}

struct cs_error *cs_ue_read_cooked_summary(
	struct cs_cursor *cursor, int32_t v5, struct cs_ue_summary *ret)
{
	struct cs_ue_summary summary = {0};
	if (cs_cursor_left(cursor) < 4 || cs_load32(cursor->bytes) != CS_UE_TAG)
		return not_a_package(cursor);
	cs_cursor_skip(cursor, 4);
	read_versions(cursor, &summary);
	bool versioned = summary.ue4 != 0;
	summary.v5 = versioned ? summary.v5 : v5;
	for (size_t i = 0; i < N_FIELDS && !cursor->bad; i++)
		if (present(&fields[i], &summary))
			types[fields[i].type](cursor, (char *)&summary + fields[i].offset);
	if (!cursor->bad && !(summary.flags & CS_UE_EDITOR_FILTERED))
		return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
			"the package is not cooked: open the project that it belongs to");
	struct cs_error *error = cs_cursor_error(cursor, "package summary");
	if (!error)
		*ret = summary;
	return error;
}
