/* SPDX-License-Identifier: Apache-2.0 */
/* Macros for field tables. CS_FIELD describes one field of the struct that TABLE_STRUCT names. */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

#define CS_FIELD(member, kind, text, ...) CS_FIELD_AT(#member, member, kind, text, __VA_ARGS__)
/* Describes a field whose name in files differs from the name of its member in the struct. */
#define CS_FIELD_AT(title, member, kind, text, ...)                                       \
	{                                                                                 \
		.name = title, .type = CS_FIELD_##kind,                                   \
		.offset = offsetof(struct TABLE_STRUCT, member), .doc = text, __VA_ARGS__ \
	}

/* Names the twin of a field: a field of an earlier table that has the same value in most rows. */
#define CS_TWIN(id, structure, member) \
	.twin_table = (id), .twin_offset = offsetof(struct structure, member)

/* Defines `variable`, which describes a table of structs `structure` with the fields `rows`. */
#define CS_RECORD(variable, title, id, structure, rows, text, ...) \
	static const struct cs_record variable = {.name = title,   \
		.table = id,                                       \
		.size = sizeof(struct structure),                  \
		.fields = rows,                                    \
		.n_fields = CS_COUNT_OF(rows),                     \
		.doc = text,                                       \
		__VA_ARGS__}

/* Row of a table in which a row is one u32. */
struct cs_index_row {
	uint32_t value;
};

/* Row of a table in which a row is one u64. */
struct cs_size_row {
	uint64_t value;
};

struct cs_byte_row {
	uint8_t value;
};

extern const struct cs_record cs_strings_record;
extern const struct cs_schema cs_cworld_schema;
extern const struct cs_schema cs_cnanite_schema;
