/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens cooked packages, legacy or Zen, and reads the data that both forms have: versions, and
 * paths of objects. An error says whether the file is no cooked package or its .uexp is missing.
 */
#include "ue/object/cooked_package.h"

#include "core/guid.h"
#include "core/text.h"

#include "ue/package/summary.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST_OUTER = 64 };

/* ---- versions and releases ---- */

#define AT(member) offsetof(struct cs_ue_cooked_package, member)
static const struct {
	struct cs_guid guid;
	size_t member;
} streams[] = {
	{{0x601d1886, 0xac644f84, 0xaa16d3de, 0x0deac7d6}, AT(fn_main)},
	{{0xe7086368, 0x6b234c58, 0x84391b70, 0x16265e91}, AT(fn_rel)},
	{{0x59da5d52, 0x12324948, 0xb8785978, 0x70b8e98b}, AT(special)},
	{{0x697dd581, 0xe64f41ab, 0xaa4a51ec, 0xbeb7b628}, AT(main)},
};
#undef AT

void cs_ue_cooked_versions(struct cs_cursor *cursor, struct cs_ue_cooked_package *package)
{
	uint32_t n = cs_cursor_count(cursor, 20);
	for (uint32_t i = 0; i < n; i++) {
		struct cs_guid guid = cs_cursor_guid(cursor);
		int32_t version = cs_cursor_i32(cursor);
		for (size_t k = 0; k < sizeof(streams) / sizeof(streams[0]); k++)
			if (cs_guid_compare(guid, streams[k].guid) == 0)
				memcpy((char *)package + streams[k].member, &version,
					sizeof(version));
	}
}

uint32_t cs_ue_releases_of(int32_t v5, int32_t fn_main)
{
	uint32_t same = 0, exact = 0, below = 0;
	for (int i = 0; i < CS_UE_RELEASES; i++) {
		if (cs_ue_releases[i].v5 != v5)
			continue;
		same |= 1u << i;
		if (cs_ue_releases[i].fn_main == fn_main)
			exact |= 1u << i;
		if (cs_ue_releases[i].fn_main <= fn_main)
			below = 1u << i;
	}
	return fn_main == 0 ? same : exact ? exact : below ? below : same;
}

void cs_ue_cooked_use(struct cs_ue_cooked_package *package, enum cs_ue_release release)
{
	const struct cs_ue_release_facts *facts = &cs_ue_releases[release];
	package->release = release;
	if (package->versioned)
		return;
	package->v5 = facts->v5;
	package->fn_main = facts->fn_main;
	package->fn_rel = facts->fn_rel;
	package->special = facts->special;
	package->main = facts->main;
}

void cs_ue_cooked_releases_text(uint32_t releases, char *ret, size_t size)
{
	size_t at = 0;
	if (size > 0)
		*ret = '\0';
	for (int i = 0; i < CS_UE_RELEASES; i++) {
		if (!(releases & 1u << i) || at >= size)
			continue;
		int n = snprintf(
			ret + at, size - at, "%s%s", at ? ", " : "", cs_ue_releases[i].name);
		at += n > 0 ? (size_t)n : 0;
	}
}

/* ---- references, and paths of objects ---- */

const struct cs_ue_cooked_export *cs_ue_cooked_export_at(
	const struct cs_ue_cooked_package *package, int32_t index)
{
	return index > 0 && (uint32_t)index <= package->n_exports ? &package->exports[index - 1]
								  : NULL;
}

const char *cs_ue_cooked_object(const struct cs_ue_cooked_package *package, int32_t index)
{
	const struct cs_ue_cooked_export *export = cs_ue_cooked_export_at(package, index);
	if (export || index == 0)
		return export ? export->path : "";
	uint32_t import = ~(uint32_t)index;
	if (index > 0 || import >= package->n_imports)
		return NULL;
	return package->imports[import] ? package->imports[import] : "";
}

const struct cs_ue_cooked_export *cs_ue_cooked_export_of_class(
	const struct cs_ue_cooked_package *package, const char *class_name)
{
	for (uint32_t i = 0; i < package->n_exports; i++)
		if (strcmp(package->exports[i].class_name, class_name) == 0)
			return &package->exports[i];
	return NULL;
}

bool cs_ue_cooked_has_bytes(
	const struct cs_ue_cooked_package *package, const struct cs_ue_cooked_export *export)
{
	return export->offset <= package->size && export->size <= package->size - export->offset;
}

enum { PATHS_PER_BYTE = 16, PATHS_AT_LEAST = 1 << 20 };

const char *cs_ue_chain_path(struct cs_ue_cooked_package *package, const char *const *chain,
	int depth, const char *second)
{
	size_t length = 0;
	for (int i = 0; i < depth; i++)
		length += strlen(chain[i]) + 1;
	package->path_bytes += length;
	if (package->path_bytes > PATHS_AT_LEAST + (uint64_t)package->size * PATHS_PER_BYTE)
		return NULL;
	char *path = cs_arena_alloc(&package->arena, length + 1, 1), *end = path;
	for (int i = depth; path && i-- > 0;) {
		end = stpcpy(end, chain[i]);
		if (i > 0)
			end = stpcpy(end, i == depth - 2 ? second : ".");
	}
	return path;
}

struct cs_error *cs_ue_no_path(const struct cs_ue_cooked_package *package)
{
	if (package->path_bytes <= PATHS_AT_LEAST + (uint64_t)package->size * PATHS_PER_BYTE)
		return cs_error_nomem();
	return cs_error_at(CS_E_LIMIT, package->file, CS_NO_OFFSET,
		"the paths of the objects take far more memory than a package of this size can "
		"need: the file is damaged; copy it again");
}

/* Returns the path of an export: the names from the outermost object on, joined by dots. */
static const char *cooked_package_path_of(struct cs_ue_cooked_package *package, uint32_t index)
{
	const char *chain[DEEPEST_OUTER];
	int depth = 0;
	int32_t at = (int32_t)index + 1;
	const struct cs_ue_cooked_export *export;
	while (depth < DEEPEST_OUTER && (export = cs_ue_cooked_export_at(package, at))) {
		chain[depth++] = export->name;
		at = export->outer;
	}
	if (depth == DEEPEST_OUTER)
		return chain[0];
	return cs_ue_chain_path(package, chain, depth, ".");
}

/*
 * Rejects forged exports that share bytes, because these bytes would be read many times: the sizes
 * of all exports together must not exceed the size of the file.
 */
static struct cs_error *check_overlap(const struct cs_ue_cooked_package *package)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < package->n_exports; i++)
		if (cs_ue_cooked_has_bytes(package, &package->exports[i]))
			sum += package->exports[i].size;
	if (sum <= package->size)
		return NULL;
	return cs_error_at(CS_E_LAYOUT, package->file, package->header_size,
		"the exports have %llu bytes together, but the file has only %zu: the exports "
		"overlap",
		(unsigned long long)sum, package->size);
}

struct cs_error *cs_ue_name_exports(struct cs_ue_cooked_package *package)
{
	for (uint32_t i = 0; i < package->n_exports; i++) {
		struct cs_ue_cooked_export *export = &package->exports[i];
		export->class_name = cs_object_name(export->class_path);
		export->path = cooked_package_path_of(package, i);
		if (!export->path)
			return cs_ue_no_path(package);
	}
	return check_overlap(package);
}

const char *cs_ue_soft_text(
	struct cs_arena *arena, const char *package, const char *asset, const char *sub)
{
	if (strcmp(package, "None") == 0 || !*package)
		return "";
	/* without an asset, `package` is the object's whole path, or only the name of a package */
	if (strcmp(asset, "None") == 0 || !*asset)
		return *sub ? cs_ue_join(arena, package, ":", sub, (char *)NULL) : package;
	return cs_ue_join(arena, package, ".", asset, *sub ? ":" : "", sub, (char *)NULL);
}

/* ---- opening a package ---- */

static bool is_zen(const unsigned char *bytes, size_t size)
{
	return size >= 44 && cs_load32(bytes) <= 1 && cs_load32(bytes + 4) <= size &&
	       cs_load32(bytes + 4) >= 44 && cs_load32(bytes + 16) & CS_UE_PACKAGE_COOKED;
}

static struct cs_error *no_package(const unsigned char *bytes, size_t size, const char *name)
{
	struct cs_error *error = cs_ue_refuse_pointer(bytes, size, name);
	if (error)
		return error;
	if (size >= 20 && cs_load32(bytes) <= 1 && cs_load32(bytes + 16) & CS_UE_PACKAGE_COOKED)
		return cs_error_at(CS_E_TRUNCATED, name, size,
			"the header of the Zen package has %u bytes, of which the file "
			"contains %zu",
			cs_load32(bytes + 4), size);
	if (size < 20)
		return cs_error_at(
			CS_E_TRUNCATED, name, size, "the file is too short for a package");
	return cs_error_at(CS_E_PACKAGE, name, 0,
		"the file is neither a legacy package nor a Zen package of Unreal: it begins with "
		"%08x",
		cs_load32(bytes));
}

static struct cs_error *read_package(
	struct cs_ue_cooked_package *package, size_t header, const struct cs_ue_scripts *scripts)
{
	if (package->size >= 4 && cs_load32(package->bytes) == CS_UE_TAG)
		return cs_ue_read_legacy(package, header);
	if (is_zen(package->bytes, package->size)) {
		package->zen = true;
		return cs_ue_read_zen(package, scripts);
	}
	return no_package(package->bytes, package->size, package->file);
}

struct cs_error *cs_ue_cooked_package_bytes(unsigned char *bytes, size_t size,
	unsigned char *exports, size_t exports_size, const char *name,
	const struct cs_ue_scripts *scripts, struct cs_ue_cooked_package **ret)
{
	struct cs_ue_cooked_package *package = calloc(1, sizeof(*package));
	unsigned char *whole = exports && package ? realloc(bytes, size + exports_size + 1) : bytes;
	if (!package || !whole || !(package->file = strdup(name))) {
		free(whole ? whole : bytes);
		free(exports);
		free(package);
		return cs_error_nomem();
	}
	if (exports)
		memcpy(whole + size, exports, exports_size);
	free(exports);
	package->bytes = whole;
	package->size = size + (exports ? exports_size : 0);
	package->release = CS_UE_RELEASES;
	struct cs_error *error = read_package(package, size, scripts);
	if (error)
		cs_ue_cooked_package_close(package);
	else
		*ret = package;
	return error;
}

struct cs_error *cs_ue_cooked_header_open(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_ue_cooked_package **ret)
{
	unsigned char *bytes = NULL, *exports = NULL;
	size_t size = 0, exports_size = 0, beside;
	struct cs_error *error = cs_ue_place_read_whole(place, file, job, &bytes, &size);
	if (error)
		return error;
	bool legacy = size >= 4 && cs_load32(bytes) == CS_UE_TAG;
	bool split = legacy && cs_ue_place_beside(place, file, ".uexp", &beside);
	if (split)
		error = cs_ue_place_read_whole(place, beside, job, &exports, &exports_size);
	if (!error && split)
		error = cs_ue_refuse_pointer(exports, exports_size, place->files[beside].path);
	if (!error)
		return cs_ue_cooked_package_bytes(bytes, size, exports, exports_size,
			place->files[file].path, &place->scripts, ret);
	free(exports);
	free(bytes);
	return error;
}

struct cs_error *cs_ue_cooked_package_open(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_ue_cooked_package **ret)
{
	struct cs_ue_cooked_package *package;
	struct cs_error *error = cs_ue_cooked_header_open(place, file, job, &package);
	if (error)
		return error;
	if (package->zen || package->n_exports == 0 ||
		cs_ue_cooked_has_bytes(package, &package->exports[package->n_exports - 1])) {
		*ret = package;
		return NULL;
	}
	cs_ue_cooked_package_close(package);
	size_t beside;
	if (cs_ue_place_beside(place, file, ".uexp", &beside))
		return cs_error_at(
			CS_E_TRUNCATED, place->files[beside].path, 0, "the .uexp is empty");
	const char *path = place->files[file].path;
	const char *name = cs_base_name(path), *dot = strrchr(name, '.');
	return cs_error_at(CS_E_MISSING, path, CS_NO_OFFSET,
		"the package consists of two files, of which %.*s.uexp does not exist: copy it "
		"beside the other file",
		(int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
}

void cs_ue_cooked_package_close(struct cs_ue_cooked_package *package)
{
	if (!package)
		return;
	cs_arena_deinit(&package->arena);
	free(package->bytes);
	free(package->file);
	free(package);
}

/*
 * Compares the size of a package's .ubulk file with the end of the bulk data that the package has
 * in it. Returns 0 if they agree or if it has none there, otherwise CS_E_TRUNCATED or
 * CS_E_TRAILING, with the reason in `why_ret`. Optional and mapped bulk data are in other files. If
 * the package has duplicates of optional data, these are in the .ubulk too, so it may be longer.
 */
enum cs_code cs_ue_bulk_problem(const struct cs_ue_place *place, size_t file,
	const struct cs_ue_cooked_package *package, size_t *ubulk_ret, char why_ret[160])
{
	enum { SEPARATE = 0x100, ELSEWHERE = 0x1800 };
	uint64_t end = 0;
	bool duplicates = false;
	for (uint32_t i = 0; i < package->n_bulk; i++) {
		const struct cs_ue_bulk *bulk = &package->bulk[i];
		duplicates |= bulk->duplicate != UINT64_MAX;
		const uint64_t bulk_end = bulk->size > UINT64_MAX - bulk->offset
						  ? UINT64_MAX
						  : bulk->offset + bulk->size;
		if ((bulk->flags & (SEPARATE | ELSEWHERE)) == SEPARATE && bulk->index == 0 &&
			bulk_end > end)
			end = bulk_end;
	}
	if (end == 0 || !cs_ue_place_beside(place, file, ".ubulk", ubulk_ret))
		return 0;
	const uint64_t size = place->files[*ubulk_ret].size;
	snprintf(why_ret, 160,
		"the file has %llu bytes, but the bulk data of its package ends at byte %llu",
		(unsigned long long)size, (unsigned long long)end);
	return size < end ? CS_E_TRUNCATED : size > end && !duplicates ? CS_E_TRAILING : 0;
}
