/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole package: names, imports, exports, soft object paths (ue-project-files rules 2). It is
 * needed for maps, data layers, HLOD layers and HLOD actors. For other actors the head of the
 * package is enough (registry.h). The package's arena owns everything until the package is closed.
 */
#pragma once

#include "ue/package/registry.h"
#include "ue/package/version.h"

struct cs_ue_name {
	const char *text; /* text of an FName without its number */
	uint32_t number;  /* 0 without a suffix, else 1 + the number after "_" in the full name */
};

struct cs_ue_import {
	struct cs_ue_name class_name, name, package;
	int32_t outer;
};

struct cs_ue_export {
	int32_t class_index, outer;
	struct cs_ue_name name;
	uint64_t begin, end; /* file offsets of the export's tagged properties */
	bool is_default;     /* whether the export is a class default object */
};

struct cs_ue_soft_path {
	struct cs_ue_name package, asset;
	const char *sub;
};

struct cs_ue_package {
	struct cs_source_file source;
	struct cs_arena arena;
	struct cs_ue_summary summary;
	/* versions of the custom version streams (enum cs_ue_stream) in the saved package */
	struct cs_ue_versions versions;
	uint64_t section_bytes; /* maximum size of one export's body in bytes */
	const unsigned char *header;
	size_t header_size;
	const char **names;
	struct cs_ue_import *imports;
	struct cs_ue_export *exports;
	struct cs_ue_soft_path *soft_paths;
	uint32_t n_names, n_imports, n_exports, n_soft_paths;
};

/* Opens a package. The caller closes `ret`, except after an error. */
struct cs_error *cs_ue_package_open(
	const char *path, const struct cs_limits *limits, struct cs_ue_package *ret) CS_MUST_USE;
struct cs_error *cs_ue_package_open_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_limits *limits, struct cs_ue_package *ret) CS_MUST_USE;
void cs_ue_package_close(struct cs_ue_package *package);

/* Reads an FName: index in the package's names, and number. A bad index makes the cursor bad. */
struct cs_ue_name cs_ue_read_name(struct cs_cursor *cursor, const struct cs_ue_package *package);
/*
 * Reads the part of a soft object path after the asset. From 5.6 on it is stored as UTF-8 that is
 * not NUL-terminated. Returns "" for an invalid part, and NULL when memory runs out.
 */
const char *cs_ue_read_sub_path(struct cs_cursor *cursor, struct cs_ue_package *package);
bool cs_ue_name_equals(struct cs_ue_name name, const char *text);
/* Returns a name with its suffix, such as "Rock_1", or NULL when memory runs out. */
const char *cs_ue_name_text(struct cs_ue_name name, struct cs_arena *arena);
/* Returns the name of an export's class without its path, "" if it has none. */
const char *cs_ue_export_class(
	const struct cs_ue_package *package, const struct cs_ue_export *export);
/*
 * Returns the path of the object with a package index of the engine: 0 means no object, i > 0
 * export i - 1, i < 0 import -i - 1. A path is like "/Game/Map.Map:PersistentLevel.Actor", and that
 * of an export begins with the name of the package. Returns "" for no object and for a bad index,
 * and NULL when memory runs out.
 */
const char *cs_ue_object_path(struct cs_ue_package *package, int32_t index);
/*
 * Stores the name of the object with this package index, and the package index of the object that
 * contains it (its outer). Returns false for index 0, which means no object, and for a bad index.
 */
bool cs_ue_find_object(const struct cs_ue_package *package, int32_t index,
	struct cs_ue_name *name_ret, int32_t *outer_ret);
/* Returns the export with a package index, or NULL if it is not the index of an export. */
const struct cs_ue_export *cs_ue_export_at(const struct cs_ue_package *package, int32_t index);
/* Returns the first export of a class, or NULL. */
const struct cs_ue_export *cs_ue_export_of_class(
	const struct cs_ue_package *package, const char *class_name);
/* Formats the version of the engine that saved the package, such as "5.6.1". */
enum { CS_UE_ENGINE_TEXT = 24 };
void cs_ue_engine_text(const struct cs_ue_engine_version *engine, char ret[CS_UE_ENGINE_TEXT]);
