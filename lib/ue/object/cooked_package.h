/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked package, legacy or Zen, in one common form: names, imports, exports with the ranges of
 * their bytes, and bulk data (ue-cooked rules 1 to 4). Whether the header contains the engine
 * version, and whether properties have tags, are independent. If the header contains no version,
 * the layouts of all engines are tried: the right one ends exactly where the next table begins.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"
#include "ue/container/file_list.h"
#include "ue/container/name_batch.h"
#include "ue/schema/class_schema.h"

/* Bits of cs_ue_cooked_package.flags. Other bits may be set, too. */
#define CS_UE_PACKAGE_COOKED      0x200u
#define CS_UE_PACKAGE_UNVERSIONED 0x2000u /* properties have no tags */
#define CS_UE_PACKAGE_GENERATED   0x8000000u

struct cs_ue_cooked_export {
	const char *name;
	const char *path;       /* such as "Map.PersistentLevel.Actor" */
	const char *class_path; /* such as "/Script/Engine.World", or "script:HEX" if unknown */
	const char *class_name; /* name of the class, such as "World" */
	const char *template_path;
	int32_t outer; /* reference: 0 for none, i > 0 for export i - 1, i < 0 for import -i - 1 */
	uint32_t flags;
	uint64_t offset, size; /* range of the export in cs_ue_cooked_package.bytes */
};

struct cs_ue_bulk {
	uint64_t offset, duplicate, size;
	uint32_t flags;
	uint8_t index; /* number of the payload file (.ubulk) that contains the bulk data */
};

struct cs_ue_cooked_package {
	struct cs_arena arena;
	char *file;       /* name of the file for error messages */
	const char *name; /* long package name */
	bool zen, versioned, tagged;
	uint32_t flags;
	int32_t v5, fn_main, fn_rel, special, main;
	uint32_t releases; /* bits 1 << enum cs_ue_release: releases that may have written it */
	/* release whose layout is used, or CS_UE_RELEASES while it is unknown */
	enum cs_ue_release release;
	struct cs_ue_names names;
	const char **imports; /* paths of the imports, NULL for an import that is not used */
	struct cs_ue_cooked_export *exports;
	struct cs_ue_bulk *bulk;
	const char **soft_paths; /* soft object paths of a legacy header */
	uint32_t n_imports, n_exports, n_bulk, n_soft_paths;
	unsigned char *bytes; /* the header, followed by the exports */
	size_t size, header_size;
	uint64_t path_bytes; /* sum of the lengths of all object paths */
};

/*
 * Opens a package from memory. Takes over `bytes`, which come from malloc, also on failure.
 * `exports` are the bytes of the .uexp, or NULL.
 */
struct cs_error *cs_ue_cooked_package_bytes(unsigned char *bytes, size_t size,
	unsigned char *exports, size_t exports_size, const char *name,
	const struct cs_ue_scripts *scripts, struct cs_ue_cooked_package **ret) CS_MUST_USE;
/*
 * Opens the package in the file with the index `file` of a place, together with its .uexp. Returns
 * E_MISSING if the .uexp is missing.
 */
struct cs_error *cs_ue_cooked_package_open(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_ue_cooked_package **ret) CS_MUST_USE;
/* Like cs_ue_cooked_package_open, but accepts a missing .uexp: the exports then have no bytes. */
struct cs_error *cs_ue_cooked_header_open(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_ue_cooked_package **ret) CS_MUST_USE;
/*
 * Compares the size of a package's .ubulk with the package's bulk data. Returns 0 if they agree or
 * there is no .ubulk, else an error code, and stores the index of the .ubulk and a message.
 */
enum cs_code cs_ue_bulk_problem(const struct cs_ue_place *place, size_t file,
	const struct cs_ue_cooked_package *package, size_t *ubulk_ret, char why_ret[160]);
void cs_ue_cooked_package_close(struct cs_ue_cooked_package *package);

/* Returns a referenced object's path, "" for none or an unused import, NULL for a bad reference. */
const char *cs_ue_cooked_object(const struct cs_ue_cooked_package *package, int32_t index);
/* Returns the export with this reference, or NULL if it does not refer to an export. */
const struct cs_ue_cooked_export *cs_ue_cooked_export_at(
	const struct cs_ue_cooked_package *package, int32_t index);
const struct cs_ue_cooked_export *cs_ue_cooked_export_of_class(
	const struct cs_ue_cooked_package *package, const char *class_name);
bool cs_ue_cooked_has_bytes(
	const struct cs_ue_cooked_package *package, const struct cs_ue_cooked_export *export);
/*
 * Sets the engine release by whose rules the package is read. If the header contains no versions,
 * sets them to those of the release.
 */
void cs_ue_cooked_use(struct cs_ue_cooked_package *package, enum cs_ue_release release);
/* Formats a set of releases, given as bits, as "5.4, 5.5". The text is cut to `size` bytes. */
void cs_ue_cooked_releases_text(uint32_t releases, char *ret, size_t size);

/* Read the header of a Zen or a legacy package. cooked_package.c chooses the right one. */
struct cs_error *cs_ue_read_zen(
	struct cs_ue_cooked_package *package, const struct cs_ue_scripts *scripts) CS_MUST_USE;
struct cs_error *cs_ue_read_legacy(
	struct cs_ue_cooked_package *package, size_t header_file) CS_MUST_USE;
/* Joins the parts to a path like "/Game/M.M:Sub", or "" without a package. */
const char *cs_ue_soft_text(
	struct cs_arena *arena, const char *package, const char *asset, const char *sub);
/*
 * Joins a chain of names, from an object out to the outermost one, to a path that begins with the
 * outermost name. `second` separates the second name of the path from the third, dots separate the
 * others. Returns NULL when memory runs out, or when the paths of the package are implausibly long.
 * cs_ue_no_path() then returns the error.
 */
const char *cs_ue_chain_path(struct cs_ue_cooked_package *package, const char *const *chain,
	int depth, const char *second);
struct cs_error *cs_ue_no_path(const struct cs_ue_cooked_package *package) CS_MUST_USE;
/* Sets paths and class names of all exports. Returns E_LAYOUT when the bytes of exports overlap. */
struct cs_error *cs_ue_name_exports(struct cs_ue_cooked_package *package) CS_MUST_USE;
/* Reads custom versions: a count, and pairs of a GUID and a version. */
void cs_ue_cooked_versions(struct cs_cursor *cursor, struct cs_ue_cooked_package *package);
/*
 * Returns the releases, as bits, that write this UE5 version. If `fn_main` is not 0, only those
 * with this FortniteMain version or, if there is none, the release with the next lower one.
 */
uint32_t cs_ue_releases_of(int32_t v5, int32_t fn_main);
