/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads legacy cooked packages (ue-cooked rules 2), which are two files: a header like that of an
 * uncooked package without its editor data, and the exports (.uexp). A header without versions is
 * read in the layout of each engine, newest first; the layout that ends where the table of names
 * begins is the right one.
 */
#include "ue/object/cooked_package.h"

#include "ue/package/summary.h"

enum { NAME_LEAST = CS_UE_STRING_LEAST + 4, NARROW_IMPORT = 32, WIDE_IMPORT = 40 };
enum { DEEPEST_OUTER = 64, SINCE_SCRIPT_OFFSETS = 1010, NARROW_EXPORT = 96 };

struct import {
	const char *name;
	int32_t outer;
};

struct legacy {
	struct cs_ue_cooked_package *package;
	struct cs_ue_summary summary;
	size_t header_file; /* size of the header's file */
	struct import *imports;
};

/* UE5 versions with different header layouts, newest first. */
static const int32_t layouts[] = {1018, 1017, 1013, 1008, 1004};
enum { N_LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };

static struct cs_error *read_layout(struct legacy *legacy, int32_t v5, bool *ends_ret)
{
	struct cs_ue_cooked_package *package = legacy->package;
	struct cs_cursor cursor =
		cs_cursor_over(package->bytes, legacy->header_file, 0, package->file);
	struct cs_error *error = cs_ue_read_cooked_summary(&cursor, v5, &legacy->summary);
	*ends_ret = !error && legacy->summary.names.offset >= 0 &&
		    cursor.position == (size_t)legacy->summary.names.offset;
	return error;
}

static uint32_t releases_of_layout(int32_t v5)
{
	static const uint32_t from_2_to_5 =
		1u << CS_UE_5_2 | 1u << CS_UE_5_3 | 1u << CS_UE_5_4 | 1u << CS_UE_5_5;
	return v5 == 1013 ? from_2_to_5 : cs_ue_releases_of(v5, 0);
}

static struct cs_error *find_layout(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	bool ends = false;
	struct cs_error *first = NULL;
	for (size_t i = 0; i < N_LAYOUTS && !ends; i++) {
		struct cs_error *error = read_layout(legacy, layouts[i], &ends);
		if (ends)
			package->releases = releases_of_layout(layouts[i]);
		first = cs_error_first(first, error);
	}
	if (ends) {
		cs_error_free(first);
		return NULL;
	}
	struct cs_error *none = cs_error_at(CS_E_LAYOUT, package->file, 0,
		"the header fits no engine version from 5.0 to 6.0: perhaps a modified engine "
		"cooked the package");
	if (!first)
		return none;
	cs_error_free(none);
	return first;
}

static struct cs_error *legacy_read_versioned(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	bool ends;
	struct cs_error *error = read_layout(legacy, 0, &ends);
	if (error)
		return error;
	if (!ends)
		return cs_error_at(CS_E_LAYOUT, package->file, 0,
			"the header, of UE5 object version %d, does not end where the name table "
			"begins, at byte %d",
			legacy->summary.v5, legacy->summary.names.offset);
	const struct cs_ue_list *list = &legacy->summary.custom_versions;
	struct cs_cursor cursor = cs_cursor_over(list->at - 4, list->bytes + 4, 0, package->file);
	cs_ue_cooked_versions(&cursor, package);
	package->v5 = legacy->summary.v5;
	package->releases = cs_ue_releases_of(package->v5, package->fn_main);
	return NULL;
}

/* ---- tables of the header ---- */

static struct cs_error *table_at(const struct legacy *legacy, const struct cs_ue_table *table,
	size_t least, const char *what, struct cs_cursor *ret)
{
	const struct cs_ue_cooked_package *package = legacy->package;
	struct cs_cursor cursor =
		cs_cursor_over(package->bytes, package->header_size, 0, package->file);
	cs_ue_seek_table(&cursor, table, least, CS_E_TRUNCATED);
	*ret = cursor;
	return cs_cursor_error(&cursor, what);
}

static struct cs_error *legacy_read_names(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	struct cs_cursor cursor;
	struct cs_error *error =
		table_at(legacy, &legacy->summary.names, NAME_LEAST, "names", &cursor);
	if (error)
		return error;
	package->names.n = (uint32_t)legacy->summary.names.count;
	package->names.at =
		CS_ARENA_ARRAY(&package->arena, const char *, (size_t)package->names.n + 1);
	if (!package->names.at)
		return cs_error_nomem();
	for (uint32_t i = 0; i < package->names.n; i++) {
		package->names.at[i] = cs_ue_text(cs_ue_read_string(&cursor), &package->arena);
		cs_cursor_skip(&cursor, 4); /* skip the two hashes of the name */
		if (!package->names.at[i])
			return cs_error_nomem();
	}
	return cs_cursor_error(&cursor, "names");
}

static const char *legacy_read_name(struct legacy *legacy, struct cs_cursor *cursor)
{
	struct cs_ue_cooked_package *package = legacy->package;
	uint32_t index = cs_cursor_u32(cursor), number = cs_cursor_u32(cursor);
	if (cursor->bad)
		return "";
	const char *name = cs_ue_names_text(&package->names, index, number, &package->arena);
	if (!name)
		cs_ue_names_fail(&package->names, index, cursor);
	return name ? name : "";
}

/* Reads the imports: 32 bytes each, or 40 from 5.8 on, as the next table's offset shows. */
static struct cs_error *legacy_read_imports(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	const struct cs_ue_summary *summary = &legacy->summary;
	uint32_t n = (uint32_t)summary->imports.count;
	struct cs_cursor cursor;
	struct cs_error *error =
		table_at(legacy, &summary->imports, NARROW_IMPORT, "imports", &cursor);
	if (error)
		return error;
	int64_t bytes = (int64_t)summary->exports.offset - summary->imports.offset;
	bool wide = n > 0 && bytes == (int64_t)n * WIDE_IMPORT;
	bool old = summary->v5 < 1003;
	if (n > 0 && !wide && bytes != (int64_t)n * NARROW_IMPORT && !old)
		return cs_error_at(CS_E_LAYOUT, package->file, (uint64_t)summary->imports.offset,
			"the import table has %u imports in %lld bytes, but each must have 32 or "
			"40 bytes",
			n, (long long)bytes);
	if (n > 0 && !package->versioned && summary->v5 == 1018)
		package->releases &= wide ? 1u << CS_UE_5_8 | 1u << CS_UE_6_0 : 1u << CS_UE_5_7;
	legacy->imports = CS_ARENA_ARRAY(&package->arena, struct import, (size_t)n + 1);
	package->imports = CS_ARENA_ARRAY(&package->arena, const char *, (size_t)n + 1);
	if (!legacy->imports || !package->imports)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++) {
		cs_cursor_skip(&cursor, 16); /* skip package and name of the class */
		legacy->imports[i].outer = cs_cursor_i32(&cursor);
		legacy->imports[i].name = legacy_read_name(legacy, &cursor);
		cs_cursor_skip(&cursor, (wide ? 8 : 0) + (summary->v5 >= 1003 ? 4 : 0));
	}
	package->n_imports = n;
	return cs_cursor_error(&cursor, "imports");
}

/* Returns an import path like "/Script/Engine.World:Level.Object", joined by '.', ':', then '.'. */
static const char *import_path(struct legacy *legacy, uint32_t index)
{
	const char *chain[DEEPEST_OUTER];
	int depth = 0;
	int32_t at = -(int32_t)index - 1;
	while (at < 0 && depth < DEEPEST_OUTER) {
		uint32_t import = ~(uint32_t)at;
		if (import >= legacy->package->n_imports)
			return "";
		chain[depth++] = legacy->imports[import].name;
		at = legacy->imports[import].outer;
	}
	if (depth == DEEPEST_OUTER)
		return "";
	return cs_ue_chain_path(legacy->package, chain, depth, ":");
}

static struct cs_error *name_imports(struct legacy *legacy)
{
	for (uint32_t i = 0; i < legacy->package->n_imports; i++) {
		legacy->package->imports[i] = import_path(legacy, i);
		if (!legacy->package->imports[i])
			return cs_ue_no_path(legacy->package);
	}
	return NULL;
}

static void legacy_read_export(struct legacy *legacy, struct cs_cursor *cursor,
	struct cs_ue_cooked_export *export, int32_t references[2])
{
	struct cs_ue_cooked_package *package = legacy->package;
	int32_t v5 = legacy->summary.v5;
	references[0] = cs_cursor_i32(cursor);
	cs_cursor_skip(cursor, 4); /* skip the super class */
	references[1] = cs_cursor_i32(cursor);
	export->outer = cs_cursor_i32(cursor);
	export->name = legacy_read_name(legacy, cursor);
	export->flags = cs_cursor_u32(cursor);
	export->size = cs_cursor_u64(cursor);
	export->offset = cs_cursor_u64(cursor);
	cs_cursor_skip(cursor, 12 + (v5 < 1005 ? 16 : 0) + (v5 >= 1006 ? 4 : 0));
	cs_cursor_skip(cursor, 12 + (v5 >= 1003 ? 4 : 0) + 20);
	if (package->tagged && v5 >= SINCE_SCRIPT_OFFSETS)
		cs_cursor_skip(cursor, 16); /* skip the start and end offsets of the properties */
}

/*
 * Excludes releases by the size of an entry in the table of exports. Headers of 5.2 to 5.5 have the
 * same layout, but in packages with tagged properties this entry has 16 bytes more in 5.4 and 5.5.
 * Its size follows from the offset of the next table.
 */
static void tell_exports(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	const struct cs_ue_summary *summary = &legacy->summary;
	int64_t bytes = (int64_t)summary->depends - summary->exports.offset;
	if (package->versioned || !package->tagged || summary->v5 != 1013 ||
		summary->exports.count <= 0)
		return;
	bool narrow = bytes == (int64_t)summary->exports.count * NARROW_EXPORT;
	package->releases &=
		narrow ? 1u << CS_UE_5_2 | 1u << CS_UE_5_3 : 1u << CS_UE_5_4 | 1u << CS_UE_5_5;
	if (narrow)
		legacy->summary.v5 = 1009;
}

static const char *reference_path(const struct cs_ue_cooked_package *package, int32_t reference)
{
	const struct cs_ue_cooked_export *own = cs_ue_cooked_export_at(package, reference);
	const char *path = own ? own->name : cs_ue_cooked_object(package, reference);
	return path ? path : "";
}

static struct cs_error *legacy_read_exports(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	struct cs_cursor cursor;
	uint32_t n = (uint32_t)legacy->summary.exports.count;
	struct cs_error *error = table_at(legacy, &legacy->summary.exports, 68, "exports", &cursor);
	if (error)
		return error;
	tell_exports(legacy);
	package->exports =
		CS_ARENA_ARRAY(&package->arena, struct cs_ue_cooked_export, (size_t)n + 1);
	int32_t(*references)[2] =
		cs_arena_alloc(&package->arena, (size_t)n + 1, sizeof(*references));
	if (!package->exports || !references)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++)
		legacy_read_export(legacy, &cursor, &package->exports[i], references[i]);
	error = cs_cursor_error(&cursor, "exports");
	if (error)
		return error;
	package->n_exports = n;
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_cooked_export *export = &package->exports[i];
		export->class_path = reference_path(package, references[i][0]);
		export->template_path = reference_path(package, references[i][1]);
	}
	return NULL;
}

/* Reads soft object paths, to which values in exports refer by index. */
static struct cs_error *legacy_read_soft_paths(struct legacy *legacy)
{
	struct cs_arena *arena = &legacy->package->arena;
	struct cs_cursor cursor;
	const struct cs_ue_table *table = &legacy->summary.soft_paths;
	struct cs_error *error = table_at(legacy, table, 20, "soft object paths", &cursor);
	uint32_t n = (uint32_t)table->count;
	if (error || legacy->summary.v5 < 1008)
		return error;
	/*
	 * sub-paths are UTF-8 from version 192 of the stream FortniteMain on, first in release 5.6
	 */
	bool utf8 = legacy->package->releases >= 1u << CS_UE_5_6;
	const char **paths = CS_ARENA_ARRAY(arena, const char *, (size_t)n + 1);
	if (!paths)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n && !cursor.bad; i++) {
		const char *package = legacy_read_name(legacy, &cursor);
		const char *asset = legacy_read_name(legacy, &cursor);
		const char *sub = utf8 ? cs_ue_read_utf8(&cursor, arena)
				       : cs_ue_text(cs_ue_read_string(&cursor), arena);
		paths[i] = sub ? cs_ue_soft_text(arena, package, asset, sub) : NULL;
		if (!paths[i])
			return cs_error_nomem();
	}
	legacy->package->soft_paths = paths;
	legacy->package->n_soft_paths = n;
	return cs_cursor_error(&cursor, "soft object paths");
}

/* Reads the list of bulk data. An entry has 44 bytes in version 1 of the list, 45 in version 2. */
static struct cs_error *read_resources(struct legacy *legacy)
{
	struct cs_ue_cooked_package *package = legacy->package;
	if (legacy->summary.v5 < 1009 || legacy->summary.data_resources <= 0)
		return NULL;
	struct cs_cursor cursor =
		cs_cursor_over(package->bytes, package->header_size, 0, package->file);
	cs_cursor_seek(&cursor, (uint64_t)legacy->summary.data_resources);
	uint32_t version = cs_cursor_u32(&cursor), n = cs_cursor_count(&cursor, 44);
	package->bulk = CS_ARENA_ARRAY(&package->arena, struct cs_ue_bulk, (size_t)n + 1);
	if (!package->bulk)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_bulk *bulk = &package->bulk[i];
		cs_cursor_skip(&cursor, 4);
		bulk->index = version >= 2 ? cs_cursor_u8(&cursor) : 0;
		bulk->offset = cs_cursor_u64(&cursor);
		bulk->duplicate = cs_cursor_u64(&cursor);
		bulk->size = cs_cursor_u64(&cursor);
		cs_cursor_skip(&cursor, 12); /* skip raw size and owner */
		bulk->flags = cs_cursor_u32(&cursor);
	}
	package->n_bulk = n;
	return cs_cursor_error(&cursor, "data resources");
}

/* Checks that the .uexp, if it was opened, contains all exports and then its end mark. */
static struct cs_error *legacy_check_end(const struct legacy *legacy)
{
	const struct cs_ue_cooked_package *package = legacy->package;
	if (package->size == legacy->header_file && package->size == package->header_size)
		return NULL; /* only the header was opened, so there is nothing to check */
	for (uint32_t i = 0; i < package->n_exports; i++)
		if (!cs_ue_cooked_has_bytes(package, &package->exports[i]))
			return cs_error_at(CS_E_TRUNCATED, package->file, package->size,
				"export %s ends after the end of the .uexp: the file is truncated",
				package->exports[i].name);
	if (package->size < 4 || cs_load32(package->bytes + package->size - 4) != CS_UE_TAG)
		return cs_error_at(CS_E_TRUNCATED, package->file, package->size,
			"the .uexp does not end with its closing tag: it is truncated");
	return NULL;
}

struct cs_error *cs_ue_read_legacy(struct cs_ue_cooked_package *package, size_t header_file)
{
	struct legacy legacy = {.package = package, .header_file = header_file};
	package->versioned = package->size >= 16 && cs_load32(package->bytes + 12) != 0;
	struct cs_error *error =
		package->versioned ? legacy_read_versioned(&legacy) : find_layout(&legacy);
	if (error)
		return error;
	package->flags = legacy.summary.flags;
	package->tagged = !(package->flags & CS_UE_PACKAGE_UNVERSIONED);
	if (legacy.summary.header_size < 0)
		return cs_error_at(CS_E_FIELD, package->file, 0,
			"the summary gives the header a size of %d bytes: the file is damaged",
			legacy.summary.header_size);
	if ((size_t)legacy.summary.header_size > header_file)
		return cs_error_at(CS_E_TRUNCATED, package->file, header_file,
			"the header has %d bytes, but the file has only %zu: the file is truncated",
			legacy.summary.header_size, header_file);
	package->header_size = (size_t)legacy.summary.header_size;
	package->name = cs_ue_text(legacy.summary.package_name, &package->arena);
	if (!package->name)
		return cs_error_nomem();
	static struct cs_error *(*const parts[])(struct legacy *) = {legacy_read_names,
		legacy_read_imports, name_imports, legacy_read_exports, legacy_read_soft_paths,
		read_resources};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !error; i++)
		error = parts[i](&legacy);
	if (!error)
		error = legacy_check_end(&legacy);
	return error ? error : cs_ue_name_exports(package);
}
