/* SPDX-License-Identifier: Apache-2.0 */
/* Shorthand for field tables: one row for each field of the struct that TABLE_STRUCT names. */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

#define CS_FIELD(member, kind, text, ...)                                                 \
	{                                                                                 \
		.name = #member, .type = CS_FIELD_##kind,                                 \
		.offset = offsetof(struct TABLE_STRUCT, member), .doc = text, __VA_ARGS__ \
	}
/* A field whose title is not the name of its member, such as one within an array of structs. */
#define CS_FIELD_AT(title, member, kind, text, ...)                                       \
	{                                                                                 \
		.name = title, .type = CS_FIELD_##kind,                                   \
		.offset = offsetof(struct TABLE_STRUCT, member), .doc = text, __VA_ARGS__ \
	}

/* Names the field of an earlier table that rows of the same number mostly repeat. */
#define CS_TWIN(id, structure, member) \
	.twin_table = (id), .twin_offset = offsetof(struct structure, member)

/* Defines a record whose rows are a struct; `rows` is its field table. */
#define CS_RECORD(variable, title, id, structure, rows, text, ...) \
	static const struct cs_record variable = {.name = title,   \
		.table = id,                                       \
		.size = sizeof(struct structure),                  \
		.fields = rows,                                    \
		.n_fields = CS_COUNT_OF(rows),                     \
		.doc = text,                                       \
		__VA_ARGS__}

/* A row of tables with one u32. */
struct cs_index_row {
	uint32_t value;
};

/* A row of tables with one u64. */
struct cs_size_row {
	uint64_t value;
};

struct cs_byte_row {
	uint8_t value;
};

extern const struct cs_record cs_strings_record;
extern const struct cs_schema cs_cworld_schema;
extern const struct cs_schema cs_cnanite_schema;
