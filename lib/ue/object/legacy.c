/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns cooked packages in two files, ue-cooked rules 2: a header like that of an uncooked package
 * without its editor parts, and the exports in another file (.uexp). A header without versions is
 * read in the layout of each engine, newest first. The right one ends where the names begin.
 */
#include "ue/object/cooked_package.h"

#include "core/error_inside.h"
#include "ue/package/summary.h"

enum { NAME_LEAST = CS_UE_STRING_LEAST + 4, NARROW_IMPORT = 32, WIDE_IMPORT = 40 };
enum { DEEPEST_OUTER = 64, SINCE_SCRIPT_OFFSETS = 1010, NARROW_EXPORT = 96 };
#define EXPORTS_END 0x9e2a83c1u

struct import {
	const char *name;
	int32_t outer;
};

struct legacy {
	struct cs_ue_cooked_package *package;
	struct cs_ue_summary summary;
	size_t header_file; /* bytes of the first file */
	struct import *imports;
};

/* The UE5 versions of the layouts, newest first. */
static const int32_t layouts[] = {1018, 1017, 1013, 1008, 1004};
enum { N_LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };

static struct cs_error *read_layout(struct legacy *l, int32_t v5, bool *ends_ret)
{
	struct cs_ue_cooked_package *p = l->package;
	struct cs_cursor c = cs_cursor_over(p->bytes, l->header_file, 0, p->file);
	struct cs_error *error = cs_ue_read_cooked_summary(&c, v5, &l->summary);
	*ends_ret = !error && l->summary.names.offset >= 0 &&
		    c.position == (size_t)l->summary.names.offset;
	return error;
}

static uint32_t releases_of_layout(int32_t v5)
{
	static const uint32_t from_2_to_5 =
		1u << CS_UE_5_2 | 1u << CS_UE_5_3 | 1u << CS_UE_5_4 | 1u << CS_UE_5_5;
	return v5 == 1013 ? from_2_to_5 : cs_ue_releases_of(v5, 0);
}

static struct cs_error *find_layout(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	bool ends = false;
	struct cs_error *first = NULL;
	for (size_t i = 0; i < N_LAYOUTS && !ends; i++) {
		struct cs_error *error = read_layout(l, layouts[i], &ends);
		if (ends)
			p->releases = releases_of_layout(layouts[i]);
		first = cs_error_first(first, error);
	}
	if (ends) {
		cs_error_free(first);
		return NULL;
	}
	struct cs_error *none = cs_error_at(CS_E_LAYOUT, p->file, 0,
		"the header fits no engine from 5.0 to 6.0: no layout ends where its names begin");
	if (!first)
		return none;
	cs_error_free(none);
	return first;
}

/* Reads the fields of a versioned header. */
static struct cs_error *legacy_read_versioned(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	bool ends;
	struct cs_error *error = read_layout(l, 0, &ends);
	if (error)
		return error;
	if (!ends)
		return cs_error_at(CS_E_LAYOUT, p->file, 0,
			"the header of UE5 version %d does not end where its names begin",
			l->summary.v5);
	const struct cs_ue_list *list = &l->summary.custom_versions;
	struct cs_cursor c = cs_cursor_over(list->at - 4, list->bytes + 4, 0, p->file);
	cs_ue_cooked_versions(&c, p);
	p->v5 = l->summary.v5;
	p->ue4 = l->summary.ue4;
	p->releases = cs_ue_releases_of(p->v5, p->fn_main);
	return NULL;
}

/* ---- tables ---- */

static struct cs_error *table_at(const struct legacy *l, const struct cs_ue_table *table,
	size_t least, const char *what, struct cs_cursor *ret)
{
	const struct cs_ue_cooked_package *p = l->package;
	struct cs_cursor c = cs_cursor_over(p->bytes, p->header_size, 0, p->file);
	if (table->offset < 0 || table->count < 0)
		cs_cursor_fail(&c, CS_E_PACKAGE, "a count or an offset is negative");
	else if (table->count > 0)
		cs_cursor_seek(&c, (uint64_t)table->offset);
	if ((uint64_t)(uint32_t)table->count > cs_cursor_left(&c) / least && !c.bad)
		cs_cursor_fail(&c, CS_E_TRUNCATED, "a count is larger than the bytes that follow");
	*ret = c;
	return cs_cursor_error(&c, what);
}

static struct cs_error *legacy_read_names(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	struct cs_cursor c;
	struct cs_error *error = table_at(l, &l->summary.names, NAME_LEAST, "names", &c);
	if (error)
		return error;
	p->names.n = (uint32_t)l->summary.names.count;
	p->names.at = CS_ARENA_ARRAY(&p->arena, const char *, (size_t)p->names.n + 1);
	if (!p->names.at)
		return cs_error_nomem();
	for (uint32_t i = 0; i < p->names.n; i++) {
		size_t length;
		p->names.at[i] = cs_ue_text(cs_ue_read_string(&c), &p->arena, &length);
		cs_cursor_skip(&c, 4); /* hashes */
		if (!p->names.at[i])
			return cs_error_nomem();
	}
	return cs_cursor_error(&c, "names");
}

static const char *legacy_read_name(struct legacy *l, struct cs_cursor *c)
{
	struct cs_ue_cooked_package *p = l->package;
	uint32_t index = cs_cursor_u32(c), number = cs_cursor_u32(c);
	if (c->bad)
		return "";
	const char *name = cs_ue_names_text(&p->names, index, number, &p->arena);
	if (!name)
		cs_cursor_fail(c, CS_E_REFERENCE, "a name outside of its table");
	return name ? name : "";
}

/*
 * Reads imports of 32 bytes, or 40 from 5.8 on. No version says which, but the place of the next
 * table does.
 */
static struct cs_error *legacy_read_imports(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	const struct cs_ue_summary *s = &l->summary;
	uint32_t n = (uint32_t)s->imports.count;
	struct cs_cursor c;
	struct cs_error *error = table_at(l, &s->imports, NARROW_IMPORT, "imports", &c);
	if (error)
		return error;
	int64_t bytes = (int64_t)s->exports.offset - s->imports.offset;
	bool wide = n > 0 && bytes == (int64_t)n * WIDE_IMPORT;
	bool old = s->v5 < 1003;
	if (n > 0 && !wide && bytes != (int64_t)n * NARROW_IMPORT && !old)
		return cs_error_at(CS_E_LAYOUT, p->file, (uint64_t)s->imports.offset,
			"imports: %u of them in %lld bytes are neither of 32 nor of 40 bytes", n,
			(long long)bytes);
	if (n > 0 && !p->versioned && s->v5 == 1018)
		p->releases &= wide ? 1u << CS_UE_5_8 | 1u << CS_UE_6_0 : 1u << CS_UE_5_7;
	l->imports = CS_ARENA_ARRAY(&p->arena, struct import, (size_t)n + 1);
	p->imports = CS_ARENA_ARRAY(&p->arena, const char *, (size_t)n + 1);
	if (!l->imports || !p->imports)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++) {
		cs_cursor_skip(&c, 16); /* package and name of the class */
		l->imports[i].outer = cs_cursor_i32(&c);
		l->imports[i].name = legacy_read_name(l, &c);
		cs_cursor_skip(&c, (wide ? 8 : 0) + (s->v5 >= 1003 ? 4 : 0));
	}
	p->n_imports = n;
	return cs_cursor_error(&c, "imports");
}

/* Makes "/Script/Engine.World:Object": the package, a dot, and then colons. */
static const char *import_path(struct legacy *l, uint32_t index)
{
	const char *chain[DEEPEST_OUTER];
	int depth = 0;
	int32_t at = -(int32_t)index - 1;
	while (at < 0 && depth < DEEPEST_OUTER) {
		uint32_t import = ~(uint32_t)at;
		if (import >= l->package->n_imports)
			return "";
		chain[depth++] = l->imports[import].name;
		at = l->imports[import].outer;
	}
	if (depth == DEEPEST_OUTER)
		return "";
	return cs_ue_chain_path(l->package, chain, depth, ":");
}

static struct cs_error *name_imports(struct legacy *l)
{
	for (uint32_t i = 0; i < l->package->n_imports; i++) {
		l->package->imports[i] = import_path(l, i);
		if (!l->package->imports[i])
			return cs_ue_no_path(l->package);
	}
	return NULL;
}

static void legacy_read_export(struct legacy *l, struct cs_cursor *c,
	struct cs_ue_cooked_export *export, int32_t references[2])
{
	struct cs_ue_cooked_package *p = l->package;
	int32_t v5 = l->summary.v5;
	references[0] = cs_cursor_i32(c);
	cs_cursor_skip(c, 4); /* super */
	references[1] = cs_cursor_i32(c);
	export->outer = cs_cursor_i32(c);
	export->name = legacy_read_name(l, c);
	export->flags = cs_cursor_u32(c);
	export->size = cs_cursor_u64(c);
	export->offset = cs_cursor_u64(c);
	cs_cursor_skip(c, 12 + (v5 < 1005 ? 16 : 0) + (v5 >= 1006 ? 4 : 0));
	cs_cursor_skip(c, 12 + (v5 >= 1003 ? 4 : 0) + 20);
	if (p->tagged && v5 >= SINCE_SCRIPT_OFFSETS)
		cs_cursor_skip(c, 16); /* the range of the properties */
}

/*
 * Finds the size of exports. 5.2 to 5.5 have one layout, but with tags their exports differ, which
 * the place of the next table shows.
 */
static void tell_exports(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	const struct cs_ue_summary *s = &l->summary;
	int64_t bytes = (int64_t)s->depends - s->exports.offset;
	if (p->versioned || !p->tagged || s->v5 != 1013 || s->exports.count <= 0)
		return;
	bool narrow = bytes == (int64_t)s->exports.count * NARROW_EXPORT;
	p->releases &=
		narrow ? 1u << CS_UE_5_2 | 1u << CS_UE_5_3 : 1u << CS_UE_5_4 | 1u << CS_UE_5_5;
	if (narrow)
		l->summary.v5 = 1009;
}

static const char *reference_path(const struct cs_ue_cooked_package *p, int32_t reference)
{
	const struct cs_ue_cooked_export *own = cs_ue_cooked_export_at(p, reference);
	const char *path = own ? own->name : cs_ue_cooked_object(p, reference);
	return path ? path : "";
}

static struct cs_error *legacy_read_exports(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	struct cs_cursor c;
	uint32_t n = (uint32_t)l->summary.exports.count;
	struct cs_error *error = table_at(l, &l->summary.exports, 68, "exports", &c);
	if (error)
		return error;
	tell_exports(l);
	p->exports = CS_ARENA_ARRAY(&p->arena, struct cs_ue_cooked_export, (size_t)n + 1);
	int32_t(*references)[2] = cs_arena_alloc(&p->arena, (size_t)n + 1, sizeof(*references));
	if (!p->exports || !references)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++)
		legacy_read_export(l, &c, &p->exports[i], references[i]);
	error = cs_cursor_error(&c, "exports");
	if (error)
		return error;
	p->n_exports = n;
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_cooked_export *export = &p->exports[i];
		export->class_path = reference_path(p, references[i][0]);
		export->template_path = reference_path(p, references[i][1]);
		const char *dot = strrchr(export->class_path, '.');
		export->class_name = dot ? dot + 1 : export->class_path;
	}
	return NULL;
}

/* Reads soft object paths, which values in exports name by their number. */
static struct cs_error *legacy_read_soft_paths(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	struct cs_cursor c;
	const struct cs_ue_table *table = &l->summary.soft_paths;
	struct cs_error *error = table_at(l, table, 20, "soft object paths", &c);
	uint32_t n = (uint32_t)table->count;
	if (error || l->summary.v5 < 1008)
		return error;
	bool utf8 = p->releases >= 1u << CS_UE_5_6; /* FnMain 192 */
	p->soft_paths = CS_ARENA_ARRAY(&p->arena, const char *, (size_t)n + 1);
	if (!p->soft_paths)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n && !c.bad; i++) {
		const char *package = legacy_read_name(l, &c), *asset = legacy_read_name(l, &c),
			   *sub;
		size_t length;
		if (utf8) {
			uint32_t bytes = cs_cursor_count(&c, 1);
			const unsigned char *at = cs_cursor_take(&c, bytes);
			sub = at ? cs_arena_text(&p->arena, (const char *)at, bytes) : "";
		} else {
			sub = cs_ue_text(cs_ue_read_string(&c), &p->arena, &length);
		}
		p->soft_paths[i] = sub ? cs_ue_soft_text(&p->arena, package, asset, sub) : NULL;
		if (!p->soft_paths[i])
			return cs_error_nomem();
	}
	p->n_soft_paths = n;
	return cs_cursor_error(&c, "soft object paths");
}

/* Reads bulk data. An entry of version 1 has 44 bytes, and one of version 2 has one more. */
static struct cs_error *read_resources(struct legacy *l)
{
	struct cs_ue_cooked_package *p = l->package;
	if (l->summary.v5 < 1009 || l->summary.data_resources <= 0)
		return NULL;
	struct cs_cursor c = cs_cursor_over(p->bytes, p->header_size, 0, p->file);
	cs_cursor_seek(&c, (uint64_t)l->summary.data_resources);
	uint32_t version = cs_cursor_u32(&c), n = cs_cursor_count(&c, 44);
	p->bulk = CS_ARENA_ARRAY(&p->arena, struct cs_ue_bulk, (size_t)n + 1);
	if (!p->bulk)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_bulk *bulk = &p->bulk[i];
		cs_cursor_skip(&c, 4);
		bulk->index = version >= 2 ? cs_cursor_u8(&c) : 0;
		bulk->offset = cs_cursor_u64(&c);
		bulk->duplicate = cs_cursor_u64(&c);
		bulk->size = cs_cursor_u64(&c);
		cs_cursor_skip(&c, 12); /* raw size and owner */
		bulk->flags = cs_cursor_u32(&c);
	}
	p->n_bulk = n;
	return cs_cursor_error(&c, "data resources");
}

/* Checks that every export is inside the .uexp, if it exists, and that a mark ends it. */
static struct cs_error *legacy_check_end(const struct legacy *l)
{
	const struct cs_ue_cooked_package *p = l->package;
	if (p->size == l->header_file && p->size == p->header_size)
		return NULL; /* only the header */
	for (uint32_t i = 0; i < p->n_exports; i++)
		if (!cs_ue_cooked_has_bytes(p, &p->exports[i]))
			return cs_error_at(CS_E_TRUNCATED, p->file, p->size,
				"export %s ends after the end of the .uexp: the file is truncated",
				p->exports[i].name);
	if (p->size < 4 || cs_load32(p->bytes + p->size - 4) != EXPORTS_END)
		return cs_error_at(CS_E_TRUNCATED, p->file, p->size,
			"the .uexp does not end with its mark: it was cut");
	return NULL;
}

struct cs_error *cs_ue_read_legacy(struct cs_ue_cooked_package *package, size_t header_file)
{
	struct legacy l = {.package = package, .header_file = header_file};
	size_t length;
	package->versioned = package->size >= 16 && cs_load32(package->bytes + 12) != 0;
	struct cs_error *error = package->versioned ? legacy_read_versioned(&l) : find_layout(&l);
	if (error)
		return error;
	package->flags = l.summary.flags;
	package->tagged = !(package->flags & CS_UE_PACKAGE_UNVERSIONED);
	if (l.summary.header_size < 0 || (size_t)l.summary.header_size > header_file)
		return cs_error_at(CS_E_TRUNCATED, package->file, header_file,
			"the header has %d bytes, the file %zu: it was cut", l.summary.header_size,
			header_file);
	package->header_size = (size_t)l.summary.header_size;
	package->bulk_start = (uint64_t)l.summary.bulk_data;
	package->name = cs_ue_text(l.summary.package_name, &package->arena, &length);
	if (!package->name)
		return cs_error_nomem();
	static struct cs_error *(*const parts[])(struct legacy *) = {legacy_read_names,
		legacy_read_imports, name_imports, legacy_read_exports, legacy_read_soft_paths,
		read_resources};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !error; i++)
		error = parts[i](&l);
	if (!error)
		error = legacy_check_end(&l);
	return error ? error : cs_ue_name_exports(package);
}
