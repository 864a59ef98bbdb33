/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Getters of table columns that read a member of a struct. */
#include "src/output/plain_rows.h"

PLAIN_READER(plain_text, char *const, cs_text(*at))
PLAIN_READER(plain_characters, char, cs_text(at))
PLAIN_READER(plain_integer, int64_t, cs_integer(*at))
PLAIN_READER(plain_u64, uint64_t, cs_integer((int64_t)*at))
PLAIN_READER(plain_i32, int32_t, cs_integer(*at))
PLAIN_READER(plain_u32, uint32_t, *at == CS_NONE ? cs_null() : cs_integer(*at))
PLAIN_READER(plain_byte, uint8_t, cs_integer(*at))
PLAIN_READER(plain_number, double, cs_number(*at))
PLAIN_READER(plain_float, float, cs_number((double)*at))
PLAIN_READER(plain_bool, bool, cs_bool(*at))
PLAIN_READER(plain_vec3, struct cs_vec3, cs_vec3_value(*at))
PLAIN_READER(plain_word, uint32_t, cs_text(cs_word((enum cs_words)column->argument, *at)->name))
PLAIN_READER(plain_rule, uint32_t, cs_text(cs_word((enum cs_words)column->argument, *at)->rule))

size_t plain_count(const void *source)
{
	return ((const struct plain_rows *)source)->n;
}

const void *plain_row(const void *source, size_t index)
{
	const struct plain_rows *rows = source;
	return (const char *)rows->rows + index * rows->size;
}

const void *plain_pointed(const void *source, size_t index)
{
	return *(const void *const *)plain_row(source, index);
}
