/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: getters of table columns that read a member of a struct. */
#include "src/session/plain.h"

#include <stdlib.h>

static const void *plain_member(const struct cs_row *row, const struct cs_column *column)
{
	return (const char *)row->record + column->offset;
}

void plain_text(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_text(*(const char *const *)plain_member(row, column));
}

void plain_characters(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_text(plain_member(row, column));
}

void plain_integer(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_integer(*(const int64_t *)plain_member(row, column));
}

void plain_u64(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_integer((int64_t) * (const uint64_t *)plain_member(row, column));
}

void plain_i32(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_integer(*(const int32_t *)plain_member(row, column));
}

void plain_u32(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	uint32_t value = *(const uint32_t *)plain_member(row, column);
	*ret = value == CS_NONE ? cs_null() : cs_integer(value);
}

void plain_byte(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_integer(*(const uint8_t *)plain_member(row, column));
}

void plain_number(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_number(*(const double *)plain_member(row, column));
}

void plain_bool(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_bool(*(const bool *)plain_member(row, column));
}

void plain_vec3(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_vec3_value(*(const struct cs_vec3 *)plain_member(row, column));
}

size_t plain_count(const void *source)
{
	return ((const struct plain_rows *)source)->n;
}

const void *plain_row(const void *source, size_t index)
{
	const struct plain_rows *rows = source;
	return (const char *)rows->rows + index * rows->size;
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
