/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the table of summary fields, and telling packages from what is none.
 * Source of the layout: ue-project-files rules 2.
 */
#include "ue/package/summary.h"

#include "core/text.h"
#include "ue/package/version.h"

enum type {
	TYPE_U32,
	TYPE_U64,
	TYPE_TABLE, /* count, offset */
	TYPE_GUID,
	TYPE_HASH, /* 20 bytes */
	TYPE_STRING,
	TYPE_ENGINE,
	TYPE_VERSIONS, /* list of 20 bytes each */
	TYPE_PAIRS,    /* list of 8 bytes each */
	TYPE_NUMBERS,  /* list of 4 bytes each */
	TYPE_STRINGS,  /* list of strings */
};

enum { ALWAYS_BELOW = INT32_MAX };

struct field {
	const char *name;
	enum type type;
	size_t offset;       /* in struct cs_ue_summary */
	int32_t from, below; /* UE5 versions that have it */
	bool editor;         /* only in packages that were not cooked */
};

#define FIELD(title, kind, member, ...)                                          \
	{                                                                        \
		title, kind, offsetof(struct cs_ue_summary, member), __VA_ARGS__ \
	}
#define ALL 0, ALWAYS_BELOW, false

static const struct field fields[] = {
	FIELD("saved hash", TYPE_HASH, saved_hash, 1016, ALWAYS_BELOW, false),
	FIELD("total header size", TYPE_U32, header_size, 1016, ALWAYS_BELOW, false),
	FIELD("custom versions", TYPE_VERSIONS, custom_versions, ALL),
	FIELD("total header size", TYPE_U32, header_size, 0, 1016, false),
	FIELD("package name", TYPE_STRING, package_name, ALL),
	FIELD("package flags", TYPE_U32, flags, ALL),
	FIELD("names", TYPE_TABLE, names, ALL),
	FIELD("soft object paths", TYPE_TABLE, soft_paths, 1008, ALWAYS_BELOW, false),
	FIELD("localisation id", TYPE_STRING, localisation, 0, ALWAYS_BELOW, true),
	FIELD("gatherable text", TYPE_TABLE, gatherable, ALL),
	FIELD("exports", TYPE_TABLE, exports, ALL),
	FIELD("imports", TYPE_TABLE, imports, ALL),
	FIELD("Verse cell exports", TYPE_TABLE, verse_exports, 1015, ALWAYS_BELOW, false),
	FIELD("Verse cell imports", TYPE_TABLE, verse_imports, 1015, ALWAYS_BELOW, false),
	FIELD("metadata offset", TYPE_U32, metadata, 1014, ALWAYS_BELOW, false),
	FIELD("depends offset", TYPE_U32, depends, ALL),
	FIELD("soft package references", TYPE_TABLE, soft_references, ALL),
	FIELD("searchable names offset", TYPE_U32, searchable, ALL),
	FIELD("thumbnail table offset", TYPE_U32, thumbnails, ALL),
	FIELD("import type hierarchies", TYPE_TABLE, hierarchies, 1018, ALWAYS_BELOW, false),
	FIELD("package guid", TYPE_GUID, guid, 0, 1016, false),
	FIELD("persistent guid", TYPE_GUID, persistent_guid, 0, ALWAYS_BELOW, true),
	FIELD("generations", TYPE_PAIRS, generations, ALL),
	FIELD("saved by engine", TYPE_ENGINE, engine, ALL),
	FIELD("compatible with engine", TYPE_ENGINE, compatible, ALL),
	FIELD("compression flags", TYPE_U32, compression, ALL),
	FIELD("compressed chunks", TYPE_U32, chunks, ALL),
	FIELD("package source", TYPE_U32, source, ALL),
	FIELD("additional packages to cook", TYPE_STRINGS, additional, ALL),
	FIELD("asset registry data offset", TYPE_U32, registry, ALL),
	FIELD("bulk data start", TYPE_U64, bulk_data, ALL),
	FIELD("world tile info offset", TYPE_U32, world_tile, ALL),
	FIELD("chunk ids", TYPE_NUMBERS, chunk_ids, ALL),
	FIELD("preload dependencies", TYPE_TABLE, preload, ALL),
	FIELD("names referenced from export data", TYPE_U32, names_used, 1001, ALWAYS_BELOW, false),
	FIELD("payload table offset", TYPE_U64, payloads, 1002, ALWAYS_BELOW, false),
	FIELD("data resource offset", TYPE_U32, data_resources, 1009, ALWAYS_BELOW, false),
};
enum { N_FIELDS = sizeof(fields) / sizeof(fields[0]) };

static bool present(const struct field *field, const struct cs_ue_summary *summary)
{
	if (summary->v5 < field->from || summary->v5 >= field->below)
		return false;
	return !field->editor || !(summary->flags & CS_UE_EDITOR_FILTERED);
}

/* ---- types ---- */

static void read_u32(struct cs_cursor *cursor, void *to)
{
	*(uint32_t *)to = cs_cursor_u32(cursor);
}

static void write_u32(struct cs_writer *writer, const void *from)
{
	cs_writer_u32(writer, *(const uint32_t *)from);
}

static void read_u64(struct cs_cursor *cursor, void *to)
{
	*(uint64_t *)to = cs_cursor_u64(cursor);
}

static void write_u64(struct cs_writer *writer, const void *from)
{
	cs_writer_u64(writer, *(const uint64_t *)from);
}

static void summary_read_table(struct cs_cursor *cursor, void *to)
{
	struct cs_ue_table *table = to;
	table->count = cs_cursor_i32(cursor);
	table->offset = cs_cursor_i32(cursor);
}

static void write_table(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_table *table = from;
	cs_writer_u32(writer, (uint32_t)table->count);
	cs_writer_u32(writer, (uint32_t)table->offset);
}

static void summary_read_guid(struct cs_cursor *cursor, void *to)
{
	*(struct cs_guid *)to = cs_cursor_guid(cursor);
}

static void write_guid(struct cs_writer *writer, const void *from)
{
	cs_writer_guid(writer, *(const struct cs_guid *)from);
}

static void summary_read_hash(struct cs_cursor *cursor, void *to)
{
	const unsigned char *hash = cs_cursor_take(cursor, 20);
	if (hash)
		memcpy(to, hash, 20);
}

static void write_hash(struct cs_writer *writer, const void *from)
{
	cs_writer_bytes(writer, from, 20);
}

static void read_string(struct cs_cursor *cursor, void *to)
{
	*(struct cs_ue_string *)to = cs_ue_read_string(cursor);
}

static void write_string(struct cs_writer *writer, const void *from)
{
	cs_ue_write_string(writer, *(const struct cs_ue_string *)from);
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

static void write_engine(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_engine_version *engine = from;
	cs_writer_u16(writer, engine->major);
	cs_writer_u16(writer, engine->minor);
	cs_writer_u16(writer, engine->patch);
	cs_writer_u32(writer, engine->changelist);
	cs_ue_write_string(writer, engine->branch);
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

static void read_strings(struct cs_cursor *cursor, void *to)
{
	*(struct cs_ue_list *)to = cs_ue_read_strings(cursor);
}

static void summary_write_list(struct cs_writer *writer, const void *from)
{
	const struct cs_ue_list *list = from;
	cs_writer_u32(writer, list->n);
	cs_writer_bytes(writer, list->at, list->bytes);
}

static const struct {
	void (*read)(struct cs_cursor *cursor, void *to);
	void (*write)(struct cs_writer *writer, const void *from);
} types[] = {
	[TYPE_U32] = {read_u32, write_u32},
	[TYPE_U64] = {read_u64, write_u64},
	[TYPE_TABLE] = {summary_read_table, write_table},
	[TYPE_GUID] = {summary_read_guid, write_guid},
	[TYPE_HASH] = {summary_read_hash, write_hash},
	[TYPE_STRING] = {read_string, write_string},
	[TYPE_ENGINE] = {read_engine, write_engine},
	[TYPE_VERSIONS] = {read_versions_list, summary_write_list},
	[TYPE_PAIRS] = {read_pairs, summary_write_list},
	[TYPE_NUMBERS] = {summary_read_numbers, summary_write_list},
	[TYPE_STRINGS] = {read_strings, summary_write_list},
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
			types[fields[i].type].read(cursor, (char *)&summary + fields[i].offset);
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
			types[fields[i].type].read(cursor, (char *)&summary + fields[i].offset);
	if (!cursor->bad && !(summary.flags & CS_UE_EDITOR_FILTERED))
		return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
			"the package is not cooked: open the project that it belongs to");
	struct cs_error *error = cs_cursor_error(cursor, "package summary");
	if (!error)
		*ret = summary;
	return error;
}

/* ---- writing ---- */

void cs_ue_write_summary(struct cs_writer *writer, const struct cs_ue_summary *summary)
{
	cs_writer_u32(writer, CS_UE_TAG);
	cs_writer_u32(writer, (uint32_t)summary->legacy);
	cs_writer_u32(writer, (uint32_t)summary->ue3);
	cs_writer_u32(writer, (uint32_t)summary->ue4);
	if (summary->legacy <= -8)
		cs_writer_u32(writer, (uint32_t)summary->v5);
	cs_writer_u32(writer, (uint32_t)summary->licensee);
	for (size_t i = 0; i < N_FIELDS; i++)
		if (present(&fields[i], summary))
			types[fields[i].type].write(
				writer, (const char *)summary + fields[i].offset);
}
