/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables over an array of structs, for answers that are not a table of the library. A column names
 * a member; NULL texts, CS_NONE indices and NaN become null.
 *
 *	static const struct cs_column columns[] = {
 *		PLAIN(struct edge, name, "what it is called"),
 *	};
 *	static const struct cs_table table = PLAIN_TABLE("edges", "edge", columns);
 *	...
 *	emit_plain(call, &table, rows, n, sizeof(*rows));
 */
#pragma once

#include "src/session/session.h"

struct plain_rows {
	const void *rows;
	size_t n, size;
};

/* Readers of const char * and char *, char [], int64_t, double, bool, struct cs_vec3. */
cs_column_get plain_text, plain_characters, plain_integer, plain_number, plain_bool, plain_vec3;
/* Readers of uint64_t, int32_t, uint8_t and uint32_t. CS_NONE in the last becomes null. */
cs_column_get plain_u64, plain_i32, plain_byte, plain_u32;
size_t plain_count(const void *source);
const void *plain_row(const void *source, size_t index);

/* A column whose kind and reader follow from the type of the member. */
#define PLAIN_MEMBER(structure, member) (((structure *)0)->member)
#define PLAIN_AS(key_, structure, member, text, ...)                                                \
	{                                                                                           \
		.key = key_,                                                                      \
		.kind = _Generic(PLAIN_MEMBER(structure, member), const char *: CS_KIND_TEXT,     \
			char *: CS_KIND_TEXT, double: CS_KIND_NUMBER, bool: CS_KIND_BOOL,         \
			struct cs_vec3: CS_KIND_VEC3, default: CS_KIND_INTEGER),                  \
		.get = _Generic(&PLAIN_MEMBER(structure, member), char **: plain_text,            \
			default: _Generic(PLAIN_MEMBER(structure, member),                        \
			const char *: plain_text, char *: plain_characters, double: plain_number, \
			bool: plain_bool, struct cs_vec3: plain_vec3, int64_t: plain_integer,     \
			uint64_t: plain_u64, int32_t: plain_i32, uint32_t: plain_u32,             \
			uint8_t: plain_byte)),                                                    \
		.offset = offsetof(structure, member), .doc = text, __VA_ARGS__ \
	}
/* A column whose key is the name of the member. */
#define PLAIN(structure, member, ...) PLAIN_AS(#member, structure, member, __VA_ARGS__)
/* Columns that a listing shows without -c. */
#define SHORT_AS(...)                 PLAIN_AS(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
#define SHORT(...)                    PLAIN(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
/* Defines a getter for a value computed from the struct of a row, which `at` points to, ... */
#define PLAIN_GETTER(function, structure, expression)                                           \
	static void function(                                                                   \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const structure *at = row->record;                                              \
		(void)column;                                                                   \
		*ret = expression;                                                              \
	}
/* ... and a column that uses it. */
#define PLAIN_VALUE(key_, type, getter, text, ...)                                           \
	{                                                                                    \
		.key = key_, .kind = CS_KIND_##type, .get = getter, .doc = text, __VA_ARGS__ \
	}
#define SHORT_VALUE(...) PLAIN_VALUE(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
/* A table whose source counts and finds its rows itself. */
#define PLAIN_TABLE_OF(plural, singular, columns_, count_, row_)                        \
	{                                                                               \
		.name = plural, .row_name = singular, .columns = columns_,              \
		.n_columns = sizeof(columns_) / sizeof((columns_)[0]), .count = count_, \
		.row = row_, .missing = CS_E_MISSING,                                   \
	}
#define PLAIN_TABLE(plural, singular, columns_) \
	PLAIN_TABLE_OF(plural, singular, columns_, plain_count, plain_row)

/* Prints rows as a listing, to which -n -s -w -c and ~ apply. */
struct cs_error *emit_plain(struct call *call, const struct cs_table *table, const void *rows,
	size_t n, size_t size) CS_MUST_USE;
/* Prints rows that were allocated, and frees them. NULL rows are an error of memory. */
struct cs_error *emit_plain_taken(struct call *call, const struct cs_table *table, void *rows,
	size_t n, size_t size) CS_MUST_USE;
/* Prints one row field by field. */
struct cs_error *emit_plain_record(
	struct call *call, const struct cs_table *table, const void *row) CS_MUST_USE;
/* Returns whether the answer is for a program, which gets rows instead of sentences. */
bool wants_rows(const struct call *call);
