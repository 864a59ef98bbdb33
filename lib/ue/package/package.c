/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the tables of a package. The header, which contains all of them, is read at once. Bodies of
 * exports are read one by one (properties.c). Counts are checked against the size of the header
 * before anything is allocated, and indices when they are used. The depth of nested objects is
 * limited.
 */
#include "ue/package/package.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Largest depth of nested objects, more than in real files: a longer chain of outers is a cycle. */
enum { DEEPEST_OUTER = 64 };

static bool package_read_name(struct cs_cursor *cursor, struct cs_ue_package *package, void *row)
{
	struct cs_ue_string string = cs_ue_read_string(cursor);
	const char **name = row;
	cs_cursor_skip(cursor, 4); /* skip hashes */
	*name = cs_ue_text(string, &package->arena);
	return *name != NULL;
}

/*
 * First versions in which packages store sub-paths as UTF-8: the version of the stream FortniteMain
 * and, for packages without that stream, the UE5 version. Engine 5.6 is the first that writes them.
 */
enum { UTF8_PATHS_FROM = 192, UTF8_PATHS_V5 = 1017 };

const char *cs_ue_read_sub_path(struct cs_cursor *cursor, struct cs_ue_package *package)
{
	const int32_t version = package->versions.of[CS_UE_FN_MAIN];
	if (version ? version < UTF8_PATHS_FROM : package->summary.v5 < UTF8_PATHS_V5)
		return cs_ue_text(cs_ue_read_string(cursor), &package->arena);
	return cs_ue_read_utf8(cursor, &package->arena);
}

static bool read_soft_path(struct cs_cursor *cursor, struct cs_ue_package *package, void *row)
{
	struct cs_ue_soft_path *path = row;
	path->package = cs_ue_read_name(cursor, package);
	path->asset = cs_ue_read_name(cursor, package);
	path->sub = cs_ue_read_sub_path(cursor, package);
	return path->sub != NULL;
}

static bool read_import(struct cs_cursor *cursor, struct cs_ue_package *package, void *row)
{
	struct cs_ue_import *import = row;
	cs_ue_read_name(cursor, package); /* skip the package of the class */
	import->class_name = cs_ue_read_name(cursor, package);
	import->outer = cs_cursor_i32(cursor);
	import->name = cs_ue_read_name(cursor, package);
	/* the package name, which cooked files lack */
	import->package = cs_ue_read_name(cursor, package);
	if (package->summary.v5 >= 1003)
		cs_cursor_skip(cursor, 4); /* skip the flag for optional imports */
	return true;
}

/*
 * Sets the range of the tagged properties of an export. Before 5.4 it is the whole export. From 5.4
 * on it is stored in the table of exports, at the cursor.
 */
static void read_script_range(
	struct cs_cursor *cursor, const struct cs_ue_package *package, struct cs_ue_export *export)
{
	uint64_t offset = export->begin, size = export->end;
	uint64_t start = 0, end = size;
	if (package->summary.v5 >= 1010) {
		start = cs_cursor_u64(cursor);
		end = cs_cursor_u64(cursor);
	}
	uint64_t file = package->source.size;
	if (offset > file || size > file - offset || start > end || end > size)
		cs_cursor_fail(
			cursor, CS_E_PACKAGE, "the data of an export is outside of the file");
	export->begin = offset + start;
	export->end = offset + end;
}

static bool read_export(struct cs_cursor *cursor, struct cs_ue_package *package, void *row)
{
	struct cs_ue_export *export = row;
	int32_t v5 = package->summary.v5;
	export->class_index = cs_cursor_i32(cursor);
	cs_cursor_skip(cursor, 8); /* skip super class and template */
	export->outer = cs_cursor_i32(cursor);
	export->name = cs_ue_read_name(cursor, package);
	cs_cursor_skip(cursor, 4);           /* skip flags */
	export->end = cs_cursor_u64(cursor); /* the size, until read_script_range() sets the end */
	export->begin = cs_cursor_u64(cursor);
	cs_cursor_skip(cursor, 12 + (v5 < 1005 ? 16 : 0) + (v5 >= 1006 ? 4 : 0));
	cs_cursor_skip(cursor, 12); /* skip package flags, always loaded, is asset */
	cs_cursor_skip(cursor, (v5 >= 1003 ? 4 : 0) + 20);
	read_script_range(cursor, package, export);
	export->is_default = export->name.text && strncmp(export->name.text, "Default__", 9) == 0;
	return true;
}

/* The tables of a package, in the order in which they are read. */
#define TABLE(member, least, what, read)                                                        \
	{                                                                                       \
		offsetof(struct cs_ue_summary, member), offsetof(struct cs_ue_package, member), \
			offsetof(struct cs_ue_package, n_##member),                             \
			sizeof(*((struct cs_ue_package *)0)->member), least, what, read         \
	}
static const struct package_table {
	size_t table;      /* offset in the summary of the table's count and file offset */
	size_t rows, n;    /* offsets in the package of the array of rows and of their number */
	size_t row, least; /* size of a row in that array, and smallest size in the file */
	const char *what;
	/* reads a row. Returns false when memory runs out */
	bool (*read)(struct cs_cursor *cursor, struct cs_ue_package *package, void *row);
} package_tables[] = {
	TABLE(names, CS_UE_STRING_LEAST + 4, "names", package_read_name),
	TABLE(soft_paths, 16 + CS_UE_STRING_LEAST, "soft object paths", read_soft_path),
	TABLE(imports, 28, "imports", read_import),
	TABLE(exports, 88, "exports", read_export),
};

static struct cs_error *package_read_table(
	struct cs_ue_package *package, const struct package_table *package_table)
{
	const void *at = (const char *)&package->summary + package_table->table;
	const struct cs_ue_table *table = at;
	struct cs_cursor cursor =
		cs_cursor_over(package->header, package->header_size, 0, package->source.name);
	cs_ue_seek_table(&cursor, table, package_table->least, CS_E_PACKAGE);
	struct cs_error *error = cs_cursor_error(&cursor, package_table->what);
	if (error)
		return error;
	const uint32_t n = (uint32_t)table->count;
	char *rows = cs_arena_alloc(&package->arena, n, package_table->row);
	if (!rows)
		return cs_error_nomem();
	memcpy((char *)package + package_table->rows, &rows, sizeof(rows));
	for (uint32_t i = 0; i < n && !cursor.bad; i++)
		if (!package_table->read(&cursor, package, rows + i * package_table->row))
			return cs_error_nomem();
	memcpy((char *)package + package_table->n, &n, sizeof(n));
	return cs_cursor_error(&cursor, package_table->what);
}

static struct cs_error *read_header(struct cs_ue_package *package)
{
	struct cs_ue_buffer buffer = {0};
	struct cs_error *error = cs_ue_load_summary(&package->source, &buffer, &package->summary);
	free(buffer.bytes);
	if (error)
		return error;
	uint64_t size = (uint64_t)package->summary.header_size;
	if (size > package->source.size)
		return cs_error_at(CS_E_TRUNCATED, package->source.name, package->source.size,
			"the file ends within its header, which has %" PRIu64 " bytes", size);
	if (size > package->section_bytes)
		return cs_error_at(CS_E_LIMIT, package->source.name, 0,
			"the header has %" PRIu64 " bytes, more than the limit of %" PRIu64, size,
			package->section_bytes);
	unsigned char *header = cs_arena_alloc(&package->arena, (size_t)size, 1);
	if (!header)
		return cs_error_nomem();
	package->header = header;
	package->header_size = (size_t)size;
	error = cs_source_read(&package->source, 0, header, (size_t)size);
	struct cs_cursor cursor = cs_cursor_over(header, (size_t)size, 0, package->source.name);
	if (!error)
		error = cs_ue_read_summary(&cursor, &package->summary);
	if (!error)
		package->versions = cs_ue_versions_in(&package->summary.custom_versions);
	return error;
}

static struct cs_error *open_source(
	struct cs_source_file source, const struct cs_limits *limits, struct cs_ue_package *ret)
{
	struct cs_ue_package package = {
		.source = source, .arena = CS_ARENA_INIT, .section_bytes = limits->section_bytes};
	struct cs_error *error = read_header(&package);
	for (size_t i = 0; i < sizeof(package_tables) / sizeof(package_tables[0]) && !error; i++)
		error = package_read_table(&package, &package_tables[i]);
	if (error)
		cs_ue_package_close(&package);
	else
		*ret = package;
	return error;
}

struct cs_error *cs_ue_package_open(
	const char *path, const struct cs_limits *limits, struct cs_ue_package *ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_open(path, limits->file_bytes, &source);
	return error ? error : open_source(source, limits, ret);
}

struct cs_error *cs_ue_package_open_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_limits *limits, struct cs_ue_package *ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_memory(bytes, size, name, &source);
	return error ? error : open_source(source, limits, ret);
}

void cs_ue_package_close(struct cs_ue_package *package)
{
	cs_source_close(&package->source);
	cs_arena_deinit(&package->arena);
}

/* ---- names and paths of objects ---- */

struct cs_ue_name cs_ue_read_name(struct cs_cursor *cursor, const struct cs_ue_package *package)
{
	uint32_t index = cs_cursor_u32(cursor);
	struct cs_ue_name name = {"", cs_cursor_u32(cursor)};
	if (cursor->bad)
		return (struct cs_ue_name){"", 0};
	if (index >= package->n_names) {
		cursor->position -= 8;
		cs_cursor_fail(cursor, CS_E_PACKAGE,
			"the index of a name is beyond the end of the name table");
		return (struct cs_ue_name){"", 0};
	}
	name.text = package->names[index];
	return name;
}

bool cs_ue_name_equals(struct cs_ue_name name, const char *text)
{
	return name.number == 0 && cs_name_compare(name.text, text) == 0;
}

const char *cs_ue_name_text(struct cs_ue_name name, struct cs_arena *arena)
{
	char suffix[16] = "";
	if (name.number == 0)
		return name.text;
	snprintf(suffix, sizeof(suffix), "_%u", name.number - 1);
	return cs_ue_join(arena, name.text, suffix, (char *)NULL);
}

const struct cs_ue_export *cs_ue_export_at(const struct cs_ue_package *package, int32_t index)
{
	return index > 0 && (uint32_t)index <= package->n_exports ? &package->exports[index - 1]
								  : NULL;
}

bool cs_ue_find_object(const struct cs_ue_package *package, int32_t index,
	struct cs_ue_name *name_ret, int32_t *outer_ret)
{
	const struct cs_ue_export *export = cs_ue_export_at(package, index);
	if (export) {
		*name_ret = export->name;
		*outer_ret = export->outer;
		return true;
	}
	uint32_t import = ~(uint32_t)index; /* the same as -index - 1 */
	if (index >= 0 || import >= package->n_imports)
		return false;
	*name_ret = package->imports[import].name;
	*outer_ret = package->imports[import].outer;
	return true;
}

const char *cs_ue_export_class(
	const struct cs_ue_package *package, const struct cs_ue_export *export)
{
	struct cs_ue_name name;
	int32_t outer;
	return cs_ue_find_object(package, export->class_index, &name, &outer) ? name.text : "";
}

const struct cs_ue_export *cs_ue_export_of_class(
	const struct cs_ue_package *package, const char *class_name)
{
	for (uint32_t i = 0; i < package->n_exports; i++)
		if (strcmp(cs_ue_export_class(package, &package->exports[i]), class_name) == 0)
			return &package->exports[i];
	return NULL;
}

/*
 * Stores in `chain` the name of an object, then of the object that contains it, and so on. *top_ret
 * is the index of the outermost object. Returns the number of names.
 */
static int outer_chain(const struct cs_ue_package *package, int32_t index,
	struct cs_ue_name chain[DEEPEST_OUTER], int32_t *top_ret)
{
	int depth = 0;
	*top_ret = index;
	while (depth < DEEPEST_OUTER && cs_ue_find_object(package, index, &chain[depth], &index)) {
		*top_ret = index ? index : *top_ret;
		depth++;
	}
	return depth;
}

const char *cs_ue_object_path(struct cs_ue_package *package, int32_t index)
{
	static const char *const separators[] = {".", ":", "."};
	struct cs_ue_name chain[DEEPEST_OUTER];
	int32_t top;
	int depth = outer_chain(package, index, chain, &top);
	if (depth == 0 || depth == DEEPEST_OUTER)
		return "";
	const char *text;
	if (top > 0)
		text = cs_ue_text(package->summary.package_name, &package->arena);
	else
		text = cs_ue_name_text(chain[--depth], &package->arena);
	for (int step = 0; text && depth > 0; step++) {
		const char *name = cs_ue_name_text(chain[--depth], &package->arena);
		const char *separator = separators[step < 2 ? step : 2];
		text = name ? cs_ue_join(&package->arena, text, separator, name, (char *)NULL)
			    : NULL;
	}
	return text;
}

void cs_ue_engine_text(const struct cs_ue_engine_version *engine, char ret[CS_UE_ENGINE_TEXT])
{
	snprintf(ret, CS_UE_ENGINE_TEXT, "%u.%u.%u", engine->major, engine->minor, engine->patch);
}
