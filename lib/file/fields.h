/* SPDX-License-Identifier: Apache-2.0 */
/* Shorthand for field tables: one row per field of the struct that TABLE_STRUCT names. */
#ifndef FILE_FIELDS_H
#define FILE_FIELDS_H

#include <cellscope/file.h>

#define CS_FIELD(member, kind, text, ...)                                              \
	{                                                                              \
		.name = #member, .type = CS_FIELD_##kind,                              \
		.offset = offsetof(struct TABLE_STRUCT, member), .doc = text, __VA_ARGS__ \
	}
#define CS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

extern const struct cs_record cs_strings_record;
extern const struct cs_schema cs_cworld_schema;

#endif
