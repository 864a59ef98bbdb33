/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the table of summary fields, whose layout is that of ue-project-files rules 2, and
 * recognises files that are not packages.
 */
#include "ue/package/summary.h"

#include "core/error_inside.h"
#include "core/text.h"
#include "ue/package/version.h"

#define FIELD(title, kind, member, ...)                                                       \
	{                                                                                     \
		title, CS_UE_TYPE_##kind, offsetof(struct cs_ue_summary, member), __VA_ARGS__ \
	}

static const struct cs_ue_summary_field fields[] = {
	FIELD("saved hash", HASH, saved_hash, 1016, 0, false),
	FIELD("total header size", COUNT, header_size, 1016, 0, false),
	FIELD("custom versions", VERSIONS, custom_versions, 0, 0, false),
	FIELD("total header size", COUNT, header_size, 0, 1016, false),
	FIELD("package name", NAME, package_name, 0, 0, false),
	FIELD("package flags", COUNT, flags, 0, 0, false),
	FIELD("names", TABLE, names, 0, 0, false),
	FIELD("soft object paths", TABLE, soft_paths, 1008, 0, false),
	FIELD("localisation id", NAME, localisation, 0, 0, true),
	FIELD("gatherable text", TABLE, gatherable, 0, 0, false),
	FIELD("exports", TABLE, exports, 0, 0, false),
	FIELD("imports", TABLE, imports, 0, 0, false),
	FIELD("Verse cell exports", TABLE, verse_exports, 1015, 0, false),
	FIELD("Verse cell imports", TABLE, verse_imports, 1015, 0, false),
	FIELD("metadata offset", COUNT, metadata, 1014, 0, false),
	FIELD("depends offset", COUNT, depends, 0, 0, false),
	FIELD("soft package references", TABLE, soft_references, 0, 0, false),
	FIELD("searchable names offset", COUNT, searchable, 0, 0, false),
	FIELD("thumbnail table offset", COUNT, thumbnails, 0, 0, false),
	FIELD("import type hierarchies", TABLE, hierarchies, 1018, 0, false),
	FIELD("package guid", GUID, guid, 0, 1016, false),
	FIELD("persistent guid", GUID, persistent_guid, 0, 0, true),
	FIELD("generations", WIDE, generations, 0, 0, false),
	FIELD("saved by engine", ENGINE, engine, 0, 0, false),
	FIELD("compatible with engine", ENGINE, compatible, 0, 0, false),
	FIELD("compression flags", COUNT, compression, 0, 0, false),
	FIELD("compressed chunks", COUNT, chunks, 0, 0, false),
	FIELD("package source", COUNT, source, 0, 0, false),
	FIELD("additional packages to cook", NAMES, additional, 0, 0, false),
	FIELD("asset registry data offset", COUNT, registry, 0, 0, false),
	FIELD("bulk data start", U64, bulk_data, 0, 0, false),
	FIELD("world tile info offset", COUNT, world_tile, 0, 0, false),
	FIELD("chunk ids", NUMBERS, chunk_ids, 0, 0, false),
	FIELD("preload dependencies", TABLE, preload, 0, 0, false),
	FIELD("names referenced from export data", COUNT, names_used, 1001, 0, false),
	FIELD("payload table offset", U64, payloads, 1002, 0, false),
	FIELD("data resource offset", COUNT, data_resources, 1009, 0, false),
};
enum { N_FIELDS = sizeof(fields) / sizeof(fields[0]) };

static bool present(const struct cs_ue_summary_field *field, const struct cs_ue_summary *summary)
{
	if (summary->v5 < field->from || (field->below && summary->v5 >= field->below))
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

void cs_ue_seek_table(
	struct cs_cursor *header, const struct cs_ue_table *table, size_t least, enum cs_code code)
{
	if (table->offset < 0 || table->count < 0)
		cs_cursor_fail(header, CS_E_PACKAGE, "a count or an offset is negative");
	else if (table->count > 0)
		cs_cursor_seek(header, (uint64_t)table->offset);
	if ((uint64_t)(uint32_t)table->count > cs_cursor_left(header) / least)
		cs_cursor_fail(header, code, "a count is too large for the bytes that follow");
}

/* ---- reading a summary ---- */

/*
 * Returns whether the bytes are a package from an IoStore container. It begins with a u32 (1 if
 * versions follow, else 0), the size of the header, the name and the flags. These could also fit
 * another file, but the flag for removed editor data excludes that.
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
		"%s is only a pointer of Git LFS: `git lfs pull` fetches its content",
		cs_base_name(name));
}

static struct cs_error *not_a_package(const struct cs_cursor *cursor)
{
	struct cs_error *error = cs_ue_refuse_pointer(cursor->bytes, cursor->size, cursor->file);
	if (error)
		return error;
	if (is_zen_package(cursor))
		return cs_error_at(CS_E_COOKED, cursor->file, 0,
			"the package is cooked, but only an uncooked one can be read here");
	if (cursor->size < 4)
		return cs_error_at(CS_E_TRUNCATED, cursor->file, cursor->size,
			"the file is too short for a package: it ends within the tag at its "
			"beginning");
	return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
		"the file is not a package of Unreal: it begins with %08x, a package with %08x",
		cs_load32(cursor->bytes), CS_UE_TAG);
}

static void read_versions(struct cs_cursor *cursor, struct cs_ue_summary *summary)
{
	summary->legacy = cs_cursor_i32(cursor);
	if (summary->legacy < -9 || summary->legacy > -7) {
		cursor->position -= 4;
		cs_cursor_fail(cursor, CS_E_PACKAGE,
			"the package is damaged, or of an engine other than Unreal Engine 5");
	}
	summary->ue3 = cs_cursor_i32(cursor);
	summary->ue4 = cs_cursor_i32(cursor);
	if (summary->legacy <= -8)
		summary->v5 = cs_cursor_i32(cursor);
	if (summary->v5 != 0 && summary->v5 < 1000) {
		cursor->position -= 4;
		cs_cursor_fail(cursor, CS_E_PACKAGE,
			"the package is damaged, or of an engine other than Unreal Engine 5");
	}
	summary->licensee = cs_cursor_i32(cursor);
}

static struct cs_error *summary_check(
	const struct cs_cursor *cursor, const struct cs_ue_summary *summary)
{
	if (summary->flags & CS_UE_EDITOR_FILTERED)
		return cs_error_at(CS_E_COOKED, cursor->file, 0,
			"the package is cooked, but only an uncooked one can be read here");
	if (summary->chunks != 0 || summary->compression != 0)
		return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
			"the package is compressed, which no package of engine 5 is");
	if (summary->header_size < 0 || summary->registry < 0)
		return cs_error_at(CS_E_PACKAGE, cursor->file, 0,
			"the size of the header (%d) or the offset of the asset registry (%d) is "
			"negative",
			summary->header_size, summary->registry);
	return NULL;
}

/* Reads all fields. A header without a version is read as UE5 version `v5`. */
static struct cs_error *read_fields(
	struct cs_cursor *cursor, int32_t v5, struct cs_ue_summary *summary)
{
	*summary = (struct cs_ue_summary){0};
	if (cs_cursor_left(cursor) < 4 || cs_load32(cursor->bytes) != CS_UE_TAG)
		return not_a_package(cursor);
	cs_cursor_skip(cursor, 4);
	read_versions(cursor, summary);
	if (v5 && summary->ue4 == 0)
		summary->v5 = v5;
	const struct cs_ue_summary_field *field = NULL;
	while (!cursor->bad && (field = cs_ue_next_summary_field(summary, field)))
		cs_ue_read_field(cursor, field->type, (char *)summary + field->offset);
	return NULL;
}

/* A version from here on means damage, not a newer engine: engine 5.7 writes version 1018. */
enum { ABSURD_VERSION = 10000 };

struct cs_error *cs_ue_read_summary(struct cs_cursor *cursor, struct cs_ue_summary *ret)
{
	struct cs_ue_summary summary;
	struct cs_error *error = read_fields(cursor, 0, &summary);
	if (error)
		return error;
	if (summary.flags & CS_UE_EDITOR_FILTERED || !cursor->bad)
		error = summary_check(cursor, &summary);
	if (!error)
		error = cs_cursor_error(cursor, "package summary");
	if (!error)
		*ret = summary;
	else if (cs_ue_package_version_unknown(summary.v5) && summary.v5 < ABSURD_VERSION)
		error = cs_error_wrap(error,
			"UE5 object version %d is newer than this cellscope reads", summary.v5);
	return error;
}

struct cs_error *cs_ue_read_cooked_summary(
	struct cs_cursor *cursor, int32_t v5, struct cs_ue_summary *ret)
{
	struct cs_ue_summary summary;
	struct cs_error *error = read_fields(cursor, v5, &summary);
	if (error)
		return error;
	if (!cursor->bad && !(summary.flags & CS_UE_EDITOR_FILTERED))
		return cs_error_at(CS_E_PROJECT, cursor->file, 0,
			"the package is not cooked: open the .uproject that contains it, with "
			"--map NAME");
	error = cs_cursor_error(cursor, "package summary");
	if (!error)
		*ret = summary;
	return error;
}
