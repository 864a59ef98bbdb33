/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the header of Zen packages, ue-cooked rules 3. A header without versions fits one of five
 * layouts. Each is tried, newest first, and the one whose names and bulk map end exactly at the
 * first table is the right one.
 */
#include "ue/object/cooked_package.h"

#include "core/error_inside.h"
#include "ue/container/hash.h"
#include "ue/package/wire.h"

#include <stdio.h>

enum { EXPORT = 72, BUNDLE_ENTRY = 8, BULK_ENTRY = 32, COMMAND_SERIALISE = 1 };
#define NAME_BITS  0x3fffffffu
#define NULL_INDEX UINT64_MAX
#define INDEX_BITS ((UINT64_C(1) << 62) - 1)

/* The kinds of an object index, its two upper bits. */
enum { KIND_EXPORT, KIND_SCRIPT, KIND_PACKAGE };

struct zen {
	struct cs_ue_cooked_package *package;
	const struct cs_ue_scripts *scripts;
	struct cs_ue_scripts known;
	struct cs_cursor c;
	uint32_t header_size, hashes, imports, exports, bundles, end_bundles, dependencies, names;
	uint32_t end_exports; /* the cell import map, or the bundle entries */
	struct cs_ue_names imported;
};

/* The possible layouts of a header without versions, newest first. */
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

/* ---- header ---- */

static struct cs_error *read_bulk(struct zen *z, const struct layout *layout)
{
	struct cs_ue_cooked_package *p = z->package;
	if (!layout->bulk)
		return NULL;
	cs_cursor_skip(&z->c, layout->padded ? cs_cursor_u64(&z->c) : 0);
	uint64_t bytes = cs_cursor_u64(&z->c);
	if (bytes % BULK_ENTRY || bytes > cs_cursor_left(&z->c)) {
		cs_cursor_fail(&z->c, CS_E_LAYOUT, "the bulk map has no whole entries");
		return NULL;
	}
	p->n_bulk = (uint32_t)(bytes / BULK_ENTRY);
	p->bulk = CS_ARENA_ARRAY(&p->arena, struct cs_ue_bulk, (size_t)p->n_bulk + 1);
	if (!p->bulk)
		return cs_error_nomem();
	for (uint32_t i = 0; i < p->n_bulk; i++) {
		struct cs_ue_bulk *bulk = &p->bulk[i];
		bulk->offset = cs_cursor_u64(&z->c);
		bulk->duplicate = cs_cursor_u64(&z->c);
		bulk->size = cs_cursor_u64(&z->c);
		bulk->flags = cs_cursor_u32(&z->c);
		bulk->index = cs_cursor_u8(&z->c);
		cs_cursor_skip(&z->c, 3);
	}
	return NULL;
}

static void read_offsets(struct zen *z, const struct layout *layout)
{
	struct cs_ue_cooked_package *p = z->package;
	cs_cursor_seek(&z->c, 4);
	z->header_size = cs_cursor_u32(&z->c);
	cs_cursor_skip(&z->c, 8); /* a name, which can be read once the names are */
	p->flags = cs_cursor_u32(&z->c);
	cs_cursor_skip(&z->c, 4);
	z->hashes = cs_cursor_u32(&z->c);
	z->imports = cs_cursor_u32(&z->c);
	z->exports = cs_cursor_u32(&z->c);
	z->bundles = cs_cursor_u32(&z->c);
	z->end_bundles = cs_cursor_u32(&z->c); /* dependency bundles, or the graph */
	z->names = 0;
	if (layout->new_summary) {
		cs_cursor_skip(&z->c, 4);
		z->names = cs_cursor_u32(&z->c);
	}
	z->end_exports = z->bundles;
}

static void zen_read_versions(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	cs_cursor_skip(&z->c, 4); /* the version of the Zen format */
	p->ue4 = cs_cursor_i32(&z->c);
	p->v5 = cs_cursor_i32(&z->c);
	cs_cursor_skip(&z->c, 4);
	cs_ue_cooked_versions(&z->c, p);
}

/* Returns the layout of a header with a version. 5.2 and 5.3 differ only in the summary. */
static struct layout zen_layout_of(int32_t v5, bool new_summary)
{
	return (struct layout){.new_summary = new_summary,
		.cells = v5 >= 1015,
		.padded = v5 >= 1012,
		.bulk = v5 >= 1009};
}

static struct cs_error *read_front(struct zen *z, const struct layout *layout)
{
	struct cs_ue_cooked_package *p = z->package;
	read_offsets(z, layout);
	if (p->versioned)
		zen_read_versions(z);
	if (layout->cells) {
		uint32_t cells = cs_cursor_u32(&z->c);
		cs_cursor_skip(&z->c, 4);
		if (cells < z->exports || cells > z->bundles)
			cs_cursor_fail(&z->c, CS_E_LAYOUT, "cells that lie nowhere");
		z->end_exports = cells;
	}
	struct cs_error *error = cs_cursor_error(&z->c, "header");
	if (!error)
		error = cs_ue_read_names(&z->c, &p->arena, &p->names);
	if (!error)
		error = read_bulk(z, layout);
	if (!error)
		error = cs_cursor_error(&z->c, "header");
	if (!error && z->c.position != z->hashes)
		error = cs_error_at(CS_E_LAYOUT, p->file, z->c.position,
			"header: names and bulk map end at %zu, the next table begins at %u",
			z->c.position, z->hashes);
	return error;
}

/* Reads the versions first, because they decide the layout of a versioned header. */
static struct cs_error *read_versioned(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	static const size_t summaries[] = {52, 44};
	for (size_t i = 0; i < 2; i++) {
		int32_t v5 = (int32_t)(summaries[i] + 12 <= p->size
					       ? cs_load32(p->bytes + summaries[i] + 8)
					       : 0);
		const struct layout layout = zen_layout_of(v5, i == 0);
		if (v5 < 1000 || v5 > 2000)
			continue;
		struct cs_error *error = read_front(z, &layout);
		if (error)
			return error;
		p->releases = cs_ue_releases_of(p->v5, p->fn_main);
		if (!layout.new_summary)
			p->releases &= ~(1u << CS_UE_5_3);
		return NULL;
	}
	return cs_error_at(CS_E_VERSION, p->file, 44, "the header says no version of UE5");
}

static struct cs_error *try_layouts(struct zen *z)
{
	struct cs_error *first = NULL;
	struct cs_cursor start = z->c;
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		z->c = start;
		struct cs_error *error = read_front(z, &layouts[i]);
		if (!error) {
			cs_error_free(first);
			z->package->releases = layouts[i].releases;
			return NULL;
		}
		first = cs_error_first(first, error);
	}
	return cs_error_wrap(first, "the header fits no engine from 5.0 to 6.0");
}

static struct cs_error *check_offsets(struct zen *z)
{
	const uint32_t order[] = {z->hashes, z->imports, z->exports, z->end_exports, z->bundles,
		z->end_bundles, z->header_size};
	for (size_t i = 1; i < sizeof(order) / sizeof(order[0]); i++)
		if (order[i] < order[i - 1] || order[i] > z->package->size)
			return cs_error_at(CS_E_LAYOUT, z->package->file, 24,
				"header: table offsets overlap or exceed the file size");
	return NULL;
}

/* ---- objects ---- */

static const char *hex_text(struct cs_arena *arena, const char *before, uint64_t hash)
{
	char text[32];
	snprintf(text, sizeof(text), "%016llX", (unsigned long long)hash);
	return cs_ue_join(arena, before, text, (char *)NULL);
}

static const char *script_path(struct zen *z, uint64_t index)
{
	const char *path = z->scripts ? cs_ue_script_path(z->scripts, index) : NULL;
	if (!path)
		path = cs_ue_script_path(&z->known, index);
	return path ? path : hex_text(&z->package->arena, "script:", index);
}

/*
 * Returns the name of a public export, which is a hash: mostly the hash of the package's last part.
 */
static const char *public_path(struct zen *z, uint64_t index)
{
	struct cs_ue_cooked_package *p = z->package;
	uint32_t number = (uint32_t)(index >> 32), hash = (uint32_t)index;
	if (number >= z->imported.n || hash >= (z->imports - z->hashes) / 8)
		return hex_text(&p->arena, "package:", index);
	const char *name = z->imported.at[number], *slash = strrchr(name, '/');
	const char *last = slash ? slash + 1 : name;
	uint64_t wanted = cs_load64(p->bytes + z->hashes + 8 * (size_t)hash);
	if (cs_ue_path_hash(last, strlen(last)) == wanted)
		return cs_ue_join(&p->arena, name, ".", last, (char *)NULL);
	const char *class_name = cs_ue_join(&p->arena, last, "_C", (char *)NULL);
	if (class_name && cs_ue_path_hash(class_name, strlen(class_name)) == wanted)
		return cs_ue_join(&p->arena, name, ".", class_name, (char *)NULL);
	return hex_text(&p->arena, cs_ue_join(&p->arena, name, ".", (char *)NULL), wanted);
}

/* Returns the path of an object, "" for none. An export has its number, and is named later. */
static const char *object_path(struct zen *z, uint64_t index)
{
	uint64_t low = index & INDEX_BITS;
	if (index == NULL_INDEX)
		return "";
	switch (index >> 62) {
	case KIND_SCRIPT:
		return script_path(z, index);
	case KIND_PACKAGE:
		return public_path(z, low);
	default:
		return NULL;
	}
}

static struct cs_error *read_imported_names(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	if (z->names == 0 || z->names >= z->header_size)
		return NULL;
	z->c.bad = false;
	struct cs_cursor c = cs_cursor_over(p->bytes, z->header_size, 0, p->file);
	cs_cursor_seek(&c, z->names);
	struct cs_error *error = cs_ue_read_names(&c, &p->arena, &z->imported);
	if (error)
		return error;
	for (uint32_t i = 0; i < z->imported.n; i++) {
		const char *name = cs_ue_names_text(&z->imported, i, cs_cursor_u32(&c), &p->arena);
		if (!name)
			return cs_error_nomem();
		z->imported.at[i] = name;
	}
	return cs_cursor_error(&c, "imported packages");
}

static struct cs_error *zen_read_imports(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	p->n_imports = (z->exports - z->imports) / 8;
	p->imports = CS_ARENA_ARRAY(&p->arena, const char *, (size_t)p->n_imports + 1);
	if (!p->imports)
		return cs_error_nomem();
	for (uint32_t i = 0; i < p->n_imports; i++) {
		uint64_t index = cs_load64(p->bytes + z->imports + 8 * (size_t)i);
		if (index == NULL_INDEX)
			continue; /* A hole keeps its place. */
		p->imports[i] = object_path(z, index);
		if (!p->imports[i])
			return cs_error_at(CS_E_REFERENCE, p->file, z->imports + 8 * (uint64_t)i,
				"import %u is an export of this package", i);
	}
	return NULL;
}

/* Converts an object index to a reference of export data. Only exports are outers. */
static int32_t reference_of(const struct zen *z, uint64_t index)
{
	return index >> 62 == KIND_EXPORT && (index & INDEX_BITS) < z->package->n_exports
		       ? (int32_t)(index & INDEX_BITS) + 1
		       : 0;
}

static const char *class_or_template(struct zen *z, uint64_t index)
{
	int32_t own = reference_of(z, index);
	const char *path = own ? z->package->exports[own - 1].name : object_path(z, index);
	return path ? path : "";
}

static struct cs_error *zen_read_export(struct zen *z, uint32_t i)
{
	struct cs_ue_cooked_package *p = z->package;
	struct cs_ue_cooked_export *export = &p->exports[i];
	struct cs_cursor c = cs_cursor_over(p->bytes, p->size, 0, p->file);
	cs_cursor_seek(&c, z->exports + EXPORT * (uint64_t)i);
	export->offset = cs_cursor_u64(&c) + z->header_size;
	export->size = cs_cursor_u64(&c);
	cs_cursor_skip(&c, 8); /* the name, which is already read */
	export->outer = reference_of(z, cs_cursor_u64(&c));
	export->class_path = class_or_template(z, cs_cursor_u64(&c));
	cs_cursor_skip(&c, 8); /* super */
	export->template_path = class_or_template(z, cs_cursor_u64(&c));
	cs_cursor_skip(&c, 8); /* public hash */
	export->flags = cs_cursor_u32(&c);
	const char *dot = strrchr(export->class_path, '.');
	export->class_name = dot ? dot + 1 : export->class_path;
	return cs_cursor_error(&c, "export");
}

/* Before 5.3 exports follow each other in the order of their serialise commands. */
static void place_exports(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	uint64_t at = z->header_size;
	for (uint32_t from = z->bundles; from + BUNDLE_ENTRY <= z->end_bundles;
		from += BUNDLE_ENTRY) {
		uint32_t export = cs_load32(p->bytes + from);
		if (export >= p->n_exports || cs_load32(p->bytes + from + 4) != COMMAND_SERIALISE)
			continue;
		p->exports[export].offset = at;
		at += p->exports[export].size;
	}
}

static struct cs_error *zen_read_exports(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	p->n_exports = (z->end_exports - z->exports) / EXPORT;
	p->exports =
		CS_ARENA_ARRAY(&p->arena, struct cs_ue_cooked_export, (size_t)p->n_exports + 1);
	if (!p->exports)
		return cs_error_nomem();
	for (uint32_t i = 0; i < p->n_exports; i++) {
		const uint64_t at = z->exports + EXPORT * (uint64_t)i;
		const unsigned char *name = p->bytes + at + 16;
		p->exports[i].name = cs_ue_names_text(
			&p->names, cs_load32(name) & NAME_BITS, cs_load32(name + 4), &p->arena);
		if (!p->exports[i].name)
			return cs_error_at(CS_E_REFERENCE, p->file, at,
				"export %u has a name outside of its table", i);
	}
	for (uint32_t i = 0; i < p->n_exports; i++) {
		struct cs_error *error = zen_read_export(z, i);
		if (error)
			return error;
	}
	if (z->names == 0)
		place_exports(z);
	return NULL;
}

/* Checks that each export is within the file, and that four bytes follow the last. */
static struct cs_error *check_end(struct zen *z)
{
	struct cs_ue_cooked_package *p = z->package;
	uint64_t end = z->header_size;
	for (uint32_t i = 0; i < p->n_exports; i++) {
		const struct cs_ue_cooked_export *export = &p->exports[i];
		if (!cs_ue_cooked_has_bytes(p, export))
			return cs_error_at(CS_E_TRUNCATED, p->file, p->size,
				"export %s ends after the end of the file: the file is truncated",
				export->name);
		if (export->offset + export->size > end)
			end = export->offset + export->size;
	}
	if (p->n_exports > 0 && end + 4 > p->size)
		return cs_error_at(
			CS_E_TRUNCATED, p->file, p->size, "the file ends before its last mark");
	if (p->n_exports > 0 && end + 4 < p->size)
		return cs_error_at(CS_E_TRAILING, p->file, end + 4,
			"%llu bytes follow the last export",
			(unsigned long long)(p->size - end - 4));
	return NULL;
}

struct cs_error *cs_ue_read_zen(
	struct cs_ue_cooked_package *package, const struct cs_ue_scripts *scripts)
{
	struct zen z = {.package = package, .scripts = scripts};
	z.c = cs_cursor_over(package->bytes, package->size, 0, package->file);
	package->versioned = cs_load32(package->bytes) == 1;
	struct cs_error *error = NULL;
	if (!scripts || scripts->n == 0)
		error = cs_ue_known_scripts(&package->arena, &z.known);
	if (!error)
		error = package->versioned ? read_versioned(&z) : try_layouts(&z);
	if (!error)
		error = check_offsets(&z);
	if (error)
		return error;
	package->header_size = z.header_size;
	package->tagged = !(package->flags & CS_UE_PACKAGE_UNVERSIONED);
	package->name = cs_ue_names_text(&package->names, cs_load32(package->bytes + 8) & NAME_BITS,
		cs_load32(package->bytes + 12), &package->arena);
	if (!package->name)
		return cs_error_at(CS_E_REFERENCE, package->file, 8, "the package has no name");
	error = read_imported_names(&z);
	if (!error)
		error = zen_read_imports(&z);
	if (!error)
		error = zen_read_exports(&z);
	if (!error)
		error = check_end(&z);
	return error ? error : cs_ue_name_exports(package);
}
