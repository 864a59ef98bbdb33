/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: getters of table columns that read a member of a struct. */
#include "src/session/plain.h"

#include <stdlib.h>

PLAIN_READER(plain_text, char *const, cs_text(*at))
PLAIN_READER(plain_characters, char, cs_text(at))
PLAIN_READER(plain_integer, int64_t, cs_integer(*at))
PLAIN_READER(plain_u64, uint64_t, cs_integer((int64_t)*at))
PLAIN_READER(plain_i32, int32_t, cs_integer(*at))
PLAIN_READER(plain_u32, uint32_t, *at == CS_NONE ? cs_null() : cs_integer(*at))
PLAIN_READER(plain_byte, uint8_t, cs_integer(*at))
PLAIN_READER(plain_number, double, cs_number(*at))
PLAIN_READER(plain_bool, bool, cs_bool(*at))
PLAIN_READER(plain_vec3, struct cs_vec3, cs_vec3_value(*at))

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

struct cs_error *emit_plain(
	struct call *call, const struct cs_table *table, const void *rows, size_t n, size_t size)
{
	const struct plain_rows source = {rows, n, size};
	return call_list_own(call, table, &source);
}

struct cs_error *emit_plain_taken(
	struct call *call, const struct cs_table *table, void *rows, size_t n, size_t size)
{
	struct cs_error *error = rows ? emit_plain(call, table, rows, n, size) : cs_error_nomem();
	free(rows);
	return error;
}

struct cs_error *emit_plain_record(struct call *call, const struct cs_table *table, const void *row)
{
	if (call_option(call, "n")->given || call_option(call, "s")->given ||
		call_option(call, "w")->given)
		return emit_plain(call, table, row, 1, 0);
	const struct plain_rows source = {row, 1, 0};
	const struct rows rows = {.table = table,
		.source = &source,
		.n = 1,
		.columns = call_option(call, "c")->text,
		.as_record = true};
	return emit_rows(call->out, &rows);
}

bool wants_rows(const struct call *call)
{
	return call->out->style.format != FORMAT_TEXT;
}

bool asks_for_rows(const struct call *call)
{
	static const char *const options[] = {"n", "s", "w", "c"};
	bool asks = wants_rows(call);
	for (size_t i = 0; !asks && i < sizeof(options) / sizeof(options[0]); i++)
		asks = call_option(call, options[i])->given;
	return asks;
}
