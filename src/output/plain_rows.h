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
 *	emit_plain(call, &table, rows, n);
 */
#pragma once

#include "src/output/output.h"

struct plain_rows {
	const void *rows;
	size_t n, size;
};

/* Getters for members const char *, char *, char [], int64_t, double, bool, struct cs_vec3. */
cs_column_get plain_text, plain_characters, plain_integer, plain_number, plain_bool, plain_vec3;
/* Getters for members uint64_t, int32_t, uint8_t, uint32_t (CS_NONE becomes null), float. */
cs_column_get plain_u64, plain_i32, plain_byte, plain_u32, plain_float;
cs_column_get plain_word, plain_rule;
size_t plain_count(const void *source);
const void *plain_row(const void *source, size_t index);
/* As plain_row(), for an array of pointers to the structs. */
const void *plain_pointed(const void *source, size_t index);

/* Defines a column; its kind and getter are selected by the type of the member. */
#define PLAIN_MEMBER(structure, member) (((structure *)0)->member)
#define PLAIN_AS(key_, structure, member, text, ...)                                                \
	{                                                                                           \
		.key = key_,                                                                      \
		.kind = _Generic(PLAIN_MEMBER(structure, member), const char *: CS_KIND_TEXT,     \
			char *: CS_KIND_TEXT, double: CS_KIND_NUMBER, float: CS_KIND_NUMBER, bool: CS_KIND_BOOL,         \
			struct cs_vec3: CS_KIND_VEC3, default: CS_KIND_INTEGER),                  \
		.get = _Generic(&PLAIN_MEMBER(structure, member), char **: plain_text,            \
			default: _Generic(PLAIN_MEMBER(structure, member),                        \
			const char *: plain_text, char *: plain_characters, double: plain_number, float: plain_float, \
			bool: plain_bool, struct cs_vec3: plain_vec3, int64_t: plain_integer,     \
			uint64_t: plain_u64, int32_t: plain_i32, uint32_t: plain_u32,             \
			uint8_t: plain_byte)),                                                    \
		.offset = offsetof(structure, member), .doc = text, __VA_ARGS__ \
	}
/* Defines a column whose key is the name of the member. */
#define PLAIN(structure, member, ...) PLAIN_AS(#member, structure, member, __VA_ARGS__)
/*
 * Define a column with the name of an enum value, or (PLAIN_RULE) with the number of the rule in
 * its struct cs_word. `list` is the enum cs_words value of the enum, without CS_WORDS_.
 */
#define PLAIN_WORD_BY(getter, key_, structure, member, list, text, ...)                          \
	{                                                                                        \
		.key = key_, .kind = CS_KIND_TEXT, .get = getter,                                \
		.offset = offsetof(structure, member), .argument = CS_WORDS_##list, .doc = text, \
		__VA_ARGS__                                                                      \
	}
#define PLAIN_WORD(...) PLAIN_WORD_BY(plain_word, __VA_ARGS__)
#define PLAIN_RULE(...) PLAIN_WORD_BY(plain_rule, __VA_ARGS__)
#define SHORT_WORD(...) PLAIN_WORD(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
/* Define a column that is listed by default, without option -c. */
#define SHORT_AS(...)   PLAIN_AS(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
#define SHORT(...)      PLAIN(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
/*
 * Defines a getter that computes a value. In the expression, `at` points to the member of the row's
 * struct at the column's offset, or to the struct itself if the column has no offset.
 */
#define PLAIN_READER(function, type, expression)                                                \
	void function(                                                                          \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const type *at = (const void *)((const char *)row->record + column->offset);    \
		(void)at;                                                                       \
		*ret = expression;                                                              \
	}
#define PLAIN_GETTER(function, type, expression) static PLAIN_READER(function, type, expression)
/* Defines a column with a getter of PLAIN_GETTER. */
#define PLAIN_VALUE(key_, type, getter, text, ...)                                           \
	{                                                                                    \
		.key = key_, .kind = CS_KIND_##type, .get = getter, .doc = text, __VA_ARGS__ \
	}
#define SHORT_VALUE(...) PLAIN_VALUE(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
/* Defines a table whose source has its own functions to count and find rows. */
#define PLAIN_TABLE_OF(plural, singular, columns_, count_, row_)                        \
	{                                                                               \
		.name = plural, .row_name = singular, .columns = columns_,              \
		.n_columns = sizeof(columns_) / sizeof((columns_)[0]), .count = count_, \
		.row = row_, .missing = CS_E_MISSING,                                   \
	}
#define PLAIN_TABLE(plural, singular, columns_) \
	PLAIN_TABLE_OF(plural, singular, columns_, plain_count, plain_row)
