/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary at the start of every package outside of an IoStore container: versions and table
 * offsets (ue-project-files rules 2). One table of fields serves reading and printing.
 */
#pragma once

#include "ue/package/field_types.h"
#include "ue/package/wire.h"

struct cs_ue_table {
	int32_t count, offset;
};

/*
 * Moves a cursor over a header to the start of a table. Makes the cursor bad, with the error
 * `code`, if the rows of the table, which have at least `least` bytes each, exceed the header.
 */
void cs_ue_seek_table(
	struct cs_cursor *header, const struct cs_ue_table *table, size_t least, enum cs_code code);

struct cs_ue_engine_version {
	uint16_t major, minor, patch;
	uint32_t changelist;
	struct cs_ue_string branch;
};

struct cs_ue_summary {
	int32_t legacy, ue3, ue4;
	int32_t v5; /* UE5 version, or 0 if the package has none */
	int32_t licensee;
	struct cs_ue_list custom_versions; /* list of pairs of a GUID and an i32 */
	struct cs_ue_string package_name, localisation;
	uint32_t flags;
	int32_t header_size;
	struct cs_ue_table names, soft_paths, gatherable, exports, imports, soft_references;
	struct cs_ue_table verse_exports, verse_imports, hierarchies, preload;
	int32_t metadata, depends, searchable, thumbnails;
	struct cs_guid guid, persistent_guid;
	unsigned char saved_hash[20];
	struct cs_ue_list generations; /* list of elements of 8 bytes */
	struct cs_ue_engine_version engine, compatible;
	uint32_t compression, source;
	int32_t chunks;               /* number of compressed chunks, which must be 0 */
	struct cs_ue_list additional; /* list of strings: additional packages to cook */
	int32_t registry; /* file offset of the asset registry section, or 0 if there is none */
	int64_t bulk_data, payloads;
	int32_t world_tile;
	struct cs_ue_list chunk_ids; /* list of i32 */
	int32_t names_used, data_resources;
};

#define CS_UE_TAG             0x9e2a83c1u
#define CS_UE_EDITOR_FILTERED 0x80000000u /* package flag: cooked, with editor data removed */

/*
 * Reads the summary at the start of `cursor`. Returns E_LFS for a pointer of Git LFS, E_COOKED for
 * a cooked file, E_PACKAGE for any other file that is not a package, and E_TRUNCATED if the cursor
 * covers too few bytes.
 */
struct cs_error *cs_ue_read_summary(
	struct cs_cursor *cursor, struct cs_ue_summary *ret) CS_MUST_USE;
/*
 * Reads the summary of a cooked package at the start of `cursor`, which covers only the header.
 * Most cooked headers have no version and are read as the UE5 version `v5`, which the caller
 * guesses. If the cursor is then at the table of names, the guess was right.
 */
struct cs_error *cs_ue_read_cooked_summary(
	struct cs_cursor *cursor, int32_t v5, struct cs_ue_summary *ret) CS_MUST_USE;

struct cs_ue_summary_field {
	const char *name;
	enum cs_ue_field_type type;
	size_t offset;       /* offset of the field's value in struct cs_ue_summary */
	int32_t from, below; /* UE5 versions with the field: from <= v5 < below, 0 means no bound */
	bool editor;         /* whether cooked packages do not have the field */
};

/* Returns the field after `field` (NULL: the first) that this summary has, or NULL at the end. */
const struct cs_ue_summary_field *cs_ue_next_summary_field(
	const struct cs_ue_summary *summary, const struct cs_ue_summary_field *field);

/* Returns E_LFS when the bytes are a pointer of Git LFS to the real file, otherwise NULL. */
struct cs_error *cs_ue_refuse_pointer(const void *bytes, size_t size, const char *name) CS_MUST_USE;
