/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the header of Zen packages (ue-cooked rules 3). A header without versions has one of five
 * layouts. They are tried, newest first; in the right one, names and bulk map end exactly where the
 * first table begins.
 */
#include "ue/object/cooked_package.h"

#include "core/error_inside.h"
#include "ue/container/hash.h"
#include "ue/package/summary.h"
#include "ue/package/wire.h"

#include <stdio.h>

enum { EXPORT = 72, BUNDLE_ENTRY = 8, BULK_ENTRY = 32, COMMAND_SERIALISE = 1 };
#define NAME_BITS  0x3fffffffu
#define NULL_INDEX UINT64_MAX
#define INDEX_BITS ((UINT64_C(1) << 62) - 1)

/* The kinds of object indices, stored in the upper two bits. */
enum { KIND_EXPORT, KIND_SCRIPT, KIND_PACKAGE };

struct zen {
	struct cs_ue_cooked_package *package;
	const struct cs_ue_scripts *scripts;
	struct cs_ue_scripts known;
	struct cs_cursor cursor;
	uint32_t header_size, hashes, imports, exports, bundles, end_bundles, names;
	uint32_t end_exports; /* end of exports: offset of the cell imports or the bundle entries */
	struct cs_ue_names imported;
};

/* Layouts of headers without versions, newest first. */
static const struct layout {
	uint32_t releases;
	bool new_summary, cells, padded, bulk;
} layouts[] = {
	{1u << CS_UE_5_6 | 1u << CS_UE_5_7 | 1u << CS_UE_5_8 | 1u << CS_UE_6_0, true, true, true,
		true},
	{1u << CS_UE_5_4 | 1u << CS_UE_5_5, true, false, true, true},
	{1u << CS_UE_5_3, true, false, false, true},
	{1u << CS_UE_5_2, false, false, false, true},
	{1u << CS_UE_5_0 | 1u << CS_UE_5_1, false, false, false, false},
};
enum { N_LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };

/* ---- reading the header ---- */

/* Makes the cursor bad, with an error at the start of the last value, which has `n` bytes. */
static void zen_refuse(struct cs_cursor *cursor, size_t n, const char *problem)
{
	cursor->position -= cursor->bad ? 0 : n;
	cs_cursor_fail(cursor, CS_E_LAYOUT, problem);
}

static struct cs_error *read_bulk(struct zen *zen, const struct layout *layout)
{
	struct cs_ue_cooked_package *package = zen->package;
	if (!layout->bulk)
		return NULL;
	cs_cursor_skip(&zen->cursor, layout->padded ? cs_cursor_u64(&zen->cursor) : 0);
	uint64_t bytes = cs_cursor_u64(&zen->cursor);
	if (bytes % BULK_ENTRY || bytes > cs_cursor_left(&zen->cursor)) {
		zen_refuse(&zen->cursor, sizeof(bytes),
			"the size of the bulk data map is not a multiple of the size of its "
			"entries, or is larger than the rest of the file");
		return NULL;
	}
	package->n_bulk = (uint32_t)(bytes / BULK_ENTRY);
	package->bulk =
		CS_ARENA_ARRAY(&package->arena, struct cs_ue_bulk, (size_t)package->n_bulk + 1);
	if (!package->bulk)
		return cs_error_nomem();
	for (uint32_t i = 0; i < package->n_bulk; i++) {
		struct cs_ue_bulk *bulk = &package->bulk[i];
		bulk->offset = cs_cursor_u64(&zen->cursor);
		bulk->duplicate = cs_cursor_u64(&zen->cursor);
		bulk->size = cs_cursor_u64(&zen->cursor);
		bulk->flags = cs_cursor_u32(&zen->cursor);
		bulk->index = cs_cursor_u8(&zen->cursor);
		cs_cursor_skip(&zen->cursor, 3);
	}
	return NULL;
}

static void read_offsets(struct zen *zen, const struct layout *layout)
{
	struct cs_ue_cooked_package *package = zen->package;
	cs_cursor_seek(&zen->cursor, 4);
	zen->header_size = cs_cursor_u32(&zen->cursor);
	cs_cursor_skip(&zen->cursor, 8); /* skip the package name, which needs the table of names */
	package->flags = cs_cursor_u32(&zen->cursor);
	cs_cursor_skip(&zen->cursor, 4);
	zen->hashes = cs_cursor_u32(&zen->cursor);
	zen->imports = cs_cursor_u32(&zen->cursor);
	zen->exports = cs_cursor_u32(&zen->cursor);
	zen->bundles = cs_cursor_u32(&zen->cursor);
	/* end of the bundle entries: offset of the dependency bundles or of the graph */
	zen->end_bundles = cs_cursor_u32(&zen->cursor);
	zen->names = 0;
	if (layout->new_summary) {
		cs_cursor_skip(&zen->cursor, 4);
		zen->names = cs_cursor_u32(&zen->cursor);
	}
	zen->end_exports = zen->bundles;
}

static void zen_read_versions(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	cs_cursor_skip(&zen->cursor, 8); /* skip the versions of the Zen format and of UE4 */
	package->v5 = cs_cursor_i32(&zen->cursor);
	cs_cursor_skip(&zen->cursor, 4);
	cs_ue_cooked_versions(&zen->cursor, package);
}

/* Returns the layout of a header with versions. 5.2 and 5.3 differ only in `new_summary`. */
static struct layout zen_layout_of(int32_t v5, bool new_summary)
{
	return (struct layout){.new_summary = new_summary,
		.cells = v5 >= 1015,
		.padded = v5 >= 1012,
		.bulk = v5 >= 1009};
}

static struct cs_error *read_front(struct zen *zen, const struct layout *layout)
{
	struct cs_ue_cooked_package *package = zen->package;
	read_offsets(zen, layout);
	if (package->versioned)
		zen_read_versions(zen);
	if (layout->cells) {
		uint32_t cells = cs_cursor_u32(&zen->cursor);
		if (cells < zen->exports || cells > zen->bundles)
			zen_refuse(&zen->cursor, sizeof(cells),
				"the offset of the imports of Verse cells, where the exports end, "
				"is outside of the header");
		cs_cursor_skip(&zen->cursor, 4);
		zen->end_exports = cells;
	}
	struct cs_error *error = cs_cursor_error(&zen->cursor, "header");
	if (!error)
		error = cs_ue_read_names(&zen->cursor, &package->arena, &package->names);
	if (!error)
		error = read_bulk(zen, layout);
	if (!error)
		error = cs_cursor_error(&zen->cursor, "header");
	if (!error && zen->cursor.position != zen->hashes)
		error = cs_error_at(CS_E_LAYOUT, package->file, zen->cursor.position,
			"header: the tables of names and bulk data end at byte %zu, but the table "
			"of export hashes begins at byte %u",
			zen->cursor.position, zen->hashes);
	return error;
}

/* Reads a header with versions. The versions are read first, because the layout depends on them. */
static struct cs_error *read_versioned(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	static const size_t summaries[] = {52, 44};
	for (size_t i = 0; i < 2; i++) {
		int32_t v5 = (int32_t)(summaries[i] + 12 <= package->size
					       ? cs_load32(package->bytes + summaries[i] + 8)
					       : 0);
		const struct layout layout = zen_layout_of(v5, i == 0);
		if (v5 < 1000 || v5 > 2000)
			continue;
		struct cs_error *error = read_front(zen, &layout);
		if (error)
			return error;
		package->releases = cs_ue_releases_of(package->v5, package->fn_main);
		if (!layout.new_summary)
			package->releases &= ~(1u << CS_UE_5_3);
		return NULL;
	}
	return cs_error_at(CS_E_VERSION, package->file, 44,
		"the header fits no engine version that this program knows: the file is damaged, "
		"or an unknown or modified engine cooked the package");
}

static struct cs_error *try_layouts(struct zen *zen)
{
	struct cs_error *first = NULL;
	struct cs_cursor start = zen->cursor;
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		zen->cursor = start;
		struct cs_error *error = read_front(zen, &layouts[i]);
		if (!error) {
			cs_error_free(first);
			zen->package->releases = layouts[i].releases;
			return NULL;
		}
		first = cs_error_first(first, error);
	}
	return cs_error_wrap(first, "the header fits no engine version from 5.0 to 6.0");
}

static struct cs_error *check_offsets(struct zen *zen)
{
	const uint32_t order[] = {zen->hashes, zen->imports, zen->exports, zen->end_exports,
		zen->bundles, zen->end_bundles, zen->header_size};
	for (size_t i = 1; i < sizeof(order) / sizeof(order[0]); i++)
		if (order[i] < order[i - 1] || order[i] > zen->package->size)
			return cs_error_at(CS_E_LAYOUT, zen->package->file, 24,
				"header: table offsets overlap or exceed the file size");
	return NULL;
}

/* ---- paths of imported objects ---- */

static const char *hex_text(struct cs_arena *arena, const char *before, uint64_t hash)
{
	char text[32];
	snprintf(text, sizeof(text), "%016llX", (unsigned long long)hash);
	return cs_ue_join(arena, before, text, (char *)NULL);
}

static const char *script_path(struct zen *zen, uint64_t index)
{
	const char *path = zen->scripts ? cs_ue_script_path(zen->scripts, index) : NULL;
	if (!path)
		path = cs_ue_script_path(&zen->known, index);
	return path ? path : hex_text(&zen->package->arena, "script:", index);
}

/*
 * Returns the path of a public export of another package. The import has only a hash of the
 * export's name, which is compared with the hashes of the usual names: the last part of the
 * package's name, with and without "_C". If the name is another one, the path ends in the hash.
 */
static const char *public_path(struct zen *zen, uint64_t index)
{
	struct cs_ue_cooked_package *package = zen->package;
	uint32_t number = (uint32_t)(index >> 32), hash = (uint32_t)index;
	if (number >= zen->imported.n || hash >= (zen->imports - zen->hashes) / 8)
		return hex_text(&package->arena, "package:", index);
	const char *name = zen->imported.at[number], *slash = strrchr(name, '/');
	const char *last = slash ? slash + 1 : name;
	uint64_t wanted = cs_load64(package->bytes + zen->hashes + 8 * (size_t)hash);
	if (cs_ue_path_hash(last, strlen(last)) == wanted)
		return cs_ue_join(&package->arena, name, ".", last, (char *)NULL);
	const char *class_name = cs_ue_join(&package->arena, last, "_C", (char *)NULL);
	if (class_name && cs_ue_path_hash(class_name, strlen(class_name)) == wanted)
		return cs_ue_join(&package->arena, name, ".", class_name, (char *)NULL);
	return hex_text(
		&package->arena, cs_ue_join(&package->arena, name, ".", (char *)NULL), wanted);
}

/* Returns an imported object's path, "" for none, or NULL for an export or when memory runs out. */
static const char *object_path(struct zen *zen, uint64_t index)
{
	uint64_t low = index & INDEX_BITS;
	if (index == NULL_INDEX)
		return "";
	switch (index >> 62) {
	case KIND_SCRIPT:
		return script_path(zen, index);
	case KIND_PACKAGE:
		return public_path(zen, low);
	default:
		return NULL;
	}
}

static struct cs_error *read_imported_names(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	if (zen->names == 0 || zen->names >= zen->header_size)
		return NULL;
	zen->cursor.bad = false;
	struct cs_cursor cursor =
		cs_cursor_over(package->bytes, zen->header_size, 0, package->file);
	cs_cursor_seek(&cursor, zen->names);
	struct cs_error *error = cs_ue_read_names(&cursor, &package->arena, &zen->imported);
	if (error)
		return error;
	for (uint32_t i = 0; i < zen->imported.n; i++) {
		const char *name = cs_ue_names_text(
			&zen->imported, i, cs_cursor_u32(&cursor), &package->arena);
		if (!name)
			return cs_error_nomem();
		zen->imported.at[i] = name;
	}
	return cs_cursor_error(&cursor, "imported packages");
}

static struct cs_error *zen_read_imports(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	package->n_imports = (zen->exports - zen->imports) / 8;
	package->imports =
		CS_ARENA_ARRAY(&package->arena, const char *, (size_t)package->n_imports + 1);
	if (!package->imports)
		return cs_error_nomem();
	for (uint32_t i = 0; i < package->n_imports; i++) {
		uint64_t index = cs_load64(package->bytes + zen->imports + 8 * (size_t)i);
		if (index == NULL_INDEX)
			continue; /* an unused import stays in the array, without a path */
		package->imports[i] = object_path(zen, index);
		if (!package->imports[i])
			return cs_error_at(CS_E_REFERENCE, package->file,
				zen->imports + 8 * (uint64_t)i,
				"import %u (counted from 0) refers neither to a script object nor "
				"to an export of another package",
				i);
	}
	return NULL;
}

/* Converts an outer object's index to a reference. Only exports can be outer, so others give 0. */
static int32_t reference_of(const struct zen *zen, uint64_t index)
{
	return index >> 62 == KIND_EXPORT && (index & INDEX_BITS) < zen->package->n_exports
		       ? (int32_t)(index & INDEX_BITS) + 1
		       : 0;
}

static const char *class_or_template(struct zen *zen, uint64_t index)
{
	int32_t own = reference_of(zen, index);
	const char *path = own ? zen->package->exports[own - 1].name : object_path(zen, index);
	return path ? path : "";
}

static struct cs_error *zen_read_export(struct zen *zen, uint32_t i)
{
	struct cs_ue_cooked_package *package = zen->package;
	struct cs_ue_cooked_export *export = &package->exports[i];
	struct cs_cursor cursor = cs_cursor_over(package->bytes, package->size, 0, package->file);
	cs_cursor_seek(&cursor, zen->exports + EXPORT * (uint64_t)i);
	export->offset = cs_cursor_u64(&cursor) + zen->header_size;
	export->size = cs_cursor_u64(&cursor);
	cs_cursor_skip(&cursor, 8); /* skip the name, which is read already */
	export->outer = reference_of(zen, cs_cursor_u64(&cursor));
	export->class_path = class_or_template(zen, cs_cursor_u64(&cursor));
	cs_cursor_skip(&cursor, 8); /* skip the super class */
	export->template_path = class_or_template(zen, cs_cursor_u64(&cursor));
	cs_cursor_skip(&cursor, 8); /* skip the public hash */
	export->flags = cs_cursor_u32(&cursor);
	return cs_cursor_error(&cursor, "export");
}

/*
 * Computes the byte ranges of exports in packages before 5.3, whose exports are stored in the order
 * in which the bundle entries serialise them.
 */
static void place_exports(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	uint64_t at = zen->header_size;
	for (uint32_t from = zen->bundles; from + BUNDLE_ENTRY <= zen->end_bundles;
		from += BUNDLE_ENTRY) {
		uint32_t export = cs_load32(package->bytes + from);
		if (export >= package->n_exports ||
			cs_load32(package->bytes + from + 4) != COMMAND_SERIALISE)
			continue;
		package->exports[export].offset = at;
		at += package->exports[export].size;
	}
}

/* Returns the error for a name that cs_ue_names_text() could not return. */
static struct cs_error *zen_bad_name(
	const struct zen *zen, const unsigned char *name, uint64_t at, const char *what)
{
	const struct cs_ue_cooked_package *package = zen->package;
	if ((cs_load32(name) & NAME_BITS) < package->names.n)
		return cs_error_nomem();
	return cs_error_at(CS_E_REFERENCE, package->file, at,
		"%s is a number after the end of the package's table of names", what);
}

static struct cs_error *zen_read_exports(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	package->n_exports = (zen->end_exports - zen->exports) / EXPORT;
	package->exports = CS_ARENA_ARRAY(
		&package->arena, struct cs_ue_cooked_export, (size_t)package->n_exports + 1);
	if (!package->exports)
		return cs_error_nomem();
	for (uint32_t i = 0; i < package->n_exports; i++) {
		const uint64_t at = zen->exports + EXPORT * (uint64_t)i;
		const unsigned char *name = package->bytes + at + 16;
		package->exports[i].name = cs_ue_names_text(&package->names,
			cs_load32(name) & NAME_BITS, cs_load32(name + 4), &package->arena);
		if (!package->exports[i].name)
			return zen_bad_name(zen, name, at, "the name of an export");
	}
	for (uint32_t i = 0; i < package->n_exports; i++) {
		struct cs_error *error = zen_read_export(zen, i);
		if (error)
			return error;
	}
	if (zen->names == 0)
		place_exports(zen);
	return NULL;
}

/* Checks that every export is within the file, and that only the closing tag follows the last. */
static struct cs_error *check_end(struct zen *zen)
{
	struct cs_ue_cooked_package *package = zen->package;
	uint64_t end = zen->header_size;
	for (uint32_t i = 0; i < package->n_exports; i++) {
		const struct cs_ue_cooked_export *export = &package->exports[i];
		if (!cs_ue_cooked_has_bytes(package, export))
			return cs_error_at(CS_E_TRUNCATED, package->file, package->size,
				"export %s ends after the end of the file: the file is truncated",
				export->name);
		if (export->offset + export->size > end)
			end = export->offset + export->size;
	}
	if (package->n_exports > 0 && end + 4 > package->size)
		return cs_error_at(CS_E_TRUNCATED, package->file, package->size,
			"the file ends before the tag of 4 bytes that ends a package");
	if (package->n_exports > 0 && end + 4 < package->size)
		return cs_error_at(CS_E_TRAILING, package->file, end + 4,
			"%llu bytes follow the tag that ends the package",
			(unsigned long long)(package->size - end - 4));
	if (package->n_exports > 0 && cs_load32(package->bytes + end) != CS_UE_TAG)
		return cs_error_at(CS_E_LAYOUT, package->file, end,
			"the package does not end with its closing tag");
	return NULL;
}

struct cs_error *cs_ue_read_zen(
	struct cs_ue_cooked_package *package, const struct cs_ue_scripts *scripts)
{
	struct zen zen = {.package = package, .scripts = scripts};
	zen.cursor = cs_cursor_over(package->bytes, package->size, 0, package->file);
	package->versioned = cs_load32(package->bytes) == 1;
	struct cs_error *error = NULL;
	if (!scripts || scripts->n == 0)
		error = cs_ue_known_scripts(&package->arena, &zen.known);
	if (!error)
		error = package->versioned ? read_versioned(&zen) : try_layouts(&zen);
	if (!error)
		error = check_offsets(&zen);
	if (error)
		return error;
	package->header_size = zen.header_size;
	package->tagged = !(package->flags & CS_UE_PACKAGE_UNVERSIONED);
	package->name = cs_ue_names_text(&package->names, cs_load32(package->bytes + 8) & NAME_BITS,
		cs_load32(package->bytes + 12), &package->arena);
	if (!package->name)
		return zen_bad_name(&zen, package->bytes + 8, 8, "the name of the package");
	static struct cs_error *(*const parts[])(struct zen *) = {
		read_imported_names, zen_read_imports, zen_read_exports, check_end};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !error; i++)
		error = parts[i](&zen);
	return error ? error : cs_ue_name_exports(package);
}
