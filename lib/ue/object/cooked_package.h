/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked package, legacy or Zen, in one form: names, imports, exports, the place of each export's
 * bytes, and bulk data (ue-cooked rules 1 to 4). Two questions are separate: whether the header
 * contains the engine version, and whether properties have tags. Where the header doesn't contain
 * it, the layouts of all engines are tried: the right one ends exactly where the next table begins.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"
#include "ue/container/file_list.h"
#include "ue/container/name_batch.h"
#include "ue/schema/class_schema.h"

/* Package flags. Code tests single bits, never the whole word. */
#define CS_UE_PACKAGE_COOKED      0x200u
#define CS_UE_PACKAGE_UNVERSIONED 0x2000u /* properties have no tags */
#define CS_UE_PACKAGE_GENERATED   0x8000000u

struct cs_ue_cooked_export {
	const char *name;
	const char *path;       /* "Map.PersistentLevel.Actor" */
	const char *class_path; /* "/Script/Engine.World"; "script:HEX" for an unknown hash */
	const char *class_name; /* "World" */
	const char *template_path;
	int32_t outer; /* reference: 0 none, i > 0 export i-1, i < 0 import -i-1 */
	uint32_t flags;
	uint64_t offset, size; /* range of cs_ue_cooked_package.bytes */
};

struct cs_ue_bulk {
	uint64_t offset, duplicate, size;
	uint32_t flags;
	uint8_t index; /* number of the cooked payload file */
};

struct cs_ue_cooked_package {
	struct cs_arena arena;
	char *file;       /* name of the file for messages */
	const char *name; /* long package name */
	bool zen, versioned, tagged;
	uint32_t flags;
	int32_t ue4, v5, fn_main, fn_rel, special, main;
	uint32_t releases; /* a bit for each enum cs_ue_release that may have written the package */
	/* release whose layout is used; CS_UE_RELEASES: not found yet */
	enum cs_ue_release release;
	struct cs_ue_names names;
	const char **imports; /* paths of imports; NULL for a hole */
	struct cs_ue_cooked_export *exports;
	struct cs_ue_bulk *bulk;
	const char **soft_paths; /* soft paths of a legacy header */
	uint32_t n_imports, n_exports, n_bulk, n_soft_paths;
	unsigned char *bytes; /* header and exports */
	size_t size, header_size;
	uint64_t bulk_start;
	uint64_t path_bytes; /* bytes of all paths of objects */
};

/*
 * Opens a package and owns `bytes` (malloc) from now on, also on failure. `exports` is the .uexp or
 * NULL.
 */
struct cs_error *cs_ue_cooked_package_bytes(unsigned char *bytes, size_t size,
	unsigned char *exports, size_t exports_size, const char *name,
	const struct cs_ue_scripts *scripts, struct cs_ue_cooked_package **ret) CS_MUST_USE;
/* Opens a package of a place with its .uexp. Returns E_MISSING when that doesn't exist. */
struct cs_error *cs_ue_cooked_package_open(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_ue_cooked_package **ret) CS_MUST_USE;
/* The same, but accepts a missing .uexp: then exports have no bytes. */
struct cs_error *cs_ue_cooked_header_open(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_ue_cooked_package **ret) CS_MUST_USE;
void cs_ue_cooked_package_close(struct cs_ue_cooked_package *package);

/*
 * Returns the path of the object of a reference, "" for none and for a hole, and NULL for a bad
 * index.
 */
const char *cs_ue_cooked_object(const struct cs_ue_cooked_package *package, int32_t index);
/* Returns the export of a reference, or NULL. */
const struct cs_ue_cooked_export *cs_ue_cooked_export_at(
	const struct cs_ue_cooked_package *package, int32_t index);
const struct cs_ue_cooked_export *cs_ue_cooked_export_of_class(
	const struct cs_ue_cooked_package *package, const char *class_name);
/* Returns whether the bytes of the export exist. */
bool cs_ue_cooked_has_bytes(
	const struct cs_ue_cooked_package *package, const struct cs_ue_cooked_export *export);
/* Sets the release, whose versions are used where the header has none. */
void cs_ue_cooked_use(struct cs_ue_cooked_package *package, enum cs_ue_release release);
/* Lists the candidates as "5.4, 5.5" in at most `size` bytes. */
void cs_ue_cooked_releases_text(uint32_t releases, char *ret, size_t size);

/* The readers of the two forms. cooked_package.c chooses one. */
struct cs_error *cs_ue_read_zen(
	struct cs_ue_cooked_package *package, const struct cs_ue_scripts *scripts) CS_MUST_USE;
struct cs_error *cs_ue_read_legacy(
	struct cs_ue_cooked_package *package, size_t header_file) CS_MUST_USE;
/* Joins three parts to "/Game/M.M:Sub", "" for none. Returns NULL without memory. */
const char *cs_ue_soft_text(
	struct cs_arena *arena, const char *package, const char *asset, const char *sub);
/*
 * Joins the names of a chain, the outermost last, to a path with dots, and `second` instead of the
 * second dot. Returns NULL without memory, or when the paths of the package are implausibly long;
 * cs_ue_no_path says which.
 */
const char *cs_ue_chain_path(struct cs_ue_cooked_package *package, const char *const *chain,
	int depth, const char *second);
struct cs_error *cs_ue_no_path(const struct cs_ue_cooked_package *package) CS_MUST_USE;
/*
 * Sets the paths of exports from their names and outers. Returns E_LAYOUT when their bytes overlap.
 */
struct cs_error *cs_ue_name_exports(struct cs_ue_cooked_package *package) CS_MUST_USE;
/* Reads custom versions at the cursor: a count and pairs. */
void cs_ue_cooked_versions(struct cs_cursor *cursor, struct cs_ue_cooked_package *package);
/*
 * Returns a bit for each release of this UE5 version; if `fn_main` is not 0, only of this FnMain
 * version or, when there is none, of the nearest lower one.
 */
uint32_t cs_ue_releases_of(int32_t v5, int32_t fn_main);
