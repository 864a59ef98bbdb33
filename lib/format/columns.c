/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores a section by column. A row is divided into columns of 1, 2, 4 or 8 bytes, the words of its
 * fields. A column of n words is stored as one byte plane per byte of a word: first the lowest
 * bytes of all rows, then the second lowest, and so on, because high bytes, exponents and signs
 * hardly change from row to row. Columns that grow from row to row (texts, references, starts of
 * ranges) are stored as differences in zigzag coding, so that small differences of either sign are
 * small numbers. Earlier versions stored some columns as plain words. planes.c stores columns that
 * repeat a column of another table.
 *
 *	head	u16 number of columns; for each: u8 width, u8 coding
 *	columns	one after the other, n * width bytes each
 *
 * Sixteen words at a time are converted to planes, and back, by interleaving the halves of vectors
 * of bytes, as in a perfect shuffle (Knuth, "The Art of Computer Programming" 4A, 7.1.3). A column
 * that is constant in a range of rows costs only a comparison.
 */
#include "format/columns.h"

#include "core/cursor.h"
#include "format/file_inside.h"

#include <endian.h>
#include <string.h>

enum coding { WORDS, PLANES, DIFFERENCES, FOLLOWS };

enum { LANES = 16 }; /* number of rows that are transposed at a time */

/* ---- head: width and coding of each column ---- */

static enum coding coding_of(enum cs_field_type type, size_t word)
{
	switch (type) {
	case CS_FIELD_GUID:
		/* store a GUID's first word as differences: many tables are sorted by GUID */
		return word == 0 ? DIFFERENCES : PLANES;
	case CS_FIELD_U32:
	case CS_FIELD_I32:
	case CS_FIELD_U64:
	case CS_FIELD_I64:
	case CS_FIELD_TEXT:
	case CS_FIELD_REFERENCE:
	case CS_FIELD_RANGE:
		return DIFFERENCES;
	default:
		return PLANES;
	}
}

struct column {
	uint8_t width, coding;
};

/* Stores in `at` the columns of a field, one for each word, at their byte offsets in a row. */
static void lay_field(const struct cs_field *field, struct column *at)
{
	const size_t width = cs_field_word_size(field), size = cs_field_element_size(field);
	const size_t n = field->type == CS_FIELD_ZERO || !field->count ? 1 : field->count;
	for (size_t i = 0; i < n; i++)
		for (size_t word = 0; word * width < size; word++)
			at[cs_field_offset(field, i) + word * width] = (struct column){
				(uint8_t)width, (uint8_t)coding_of(field->type, word)};
}

size_t cs_columns_head(const struct cs_record *record, unsigned char *ret)
{
	struct column at[CS_COLUMNS_MOST] = {0};
	size_t n = 0;
	for (size_t i = 0; i < record->n_fields; i++)
		lay_field(&record->fields[i], at);
	for (size_t offset = 0; offset < record->size; offset += ret[2 * n]) {
		n++;
		ret[2 * n] = at[offset].width ? at[offset].width : 1;
		ret[2 * n + 1] = at[offset].width ? at[offset].coding : PLANES;
	}
	cs_store16(ret, (uint16_t)n);
	return 2 + 2 * n;
}

size_t cs_columns_head_check(const unsigned char *bytes, size_t size, size_t row_size, bool follow)
{
	const size_t n = size < 2 ? 0 : cs_load16(bytes);
	size_t filled = 0;
	if (n == 0 || n > CS_COLUMNS_MOST || size - 2 < 2 * n)
		return 0;
	for (size_t i = 1; i <= n; i++) {
		const unsigned width = bytes[2 * i];
		if ((width != 1 && width != 2 && width != 4 && width != 8) ||
			bytes[2 * i + 1] > (follow ? FOLLOWS : DIFFERENCES))
			return 0;
		filled += width;
	}
	return filled == row_size ? 2 + 2 * n : 0;
}

/* ---- transposing words to byte planes ---- */

typedef uint8_t lanes __attribute__((vector_size(LANES)));
typedef uint64_t halves __attribute__((vector_size(LANES)));

/*
 * For each pair of vectors v[i], v[i + distance], interleaves the bytes of their lower halves into
 * v[i] and those of their upper halves into v[i + distance]. If a, b, c, d are the
 * bits of a byte's index, and x is 0 in v[i] and 1 in v[i + distance], the byte moves to index bcdx
 * of v[i] if a is 0, of v[i + distance] if a is 1.
 */
static inline __attribute__((always_inline)) void weave(lanes *v, size_t width, size_t distance)
{
#pragma GCC unroll 8
	for (size_t i = 0; i < width; i++) {
		if (i & distance)
			continue;
		const lanes a = v[i], b = v[i + distance];
		v[i] = __builtin_shufflevector(
			a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
		v[i + distance] = __builtin_shufflevector(
			a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
	}
}

/*
 * Rearranges vectors that contain the words of consecutive rows, so that each vector contains one
 * byte plane (the bytes at one position of all words): the one that vector_of() names.
 */
static inline __attribute__((always_inline)) void words_to_planes(lanes *v, size_t width)
{
	size_t distance = width;
	if (width == 1)
		return;
#pragma GCC unroll 4
	for (size_t round = 0; round < 4; round++) {
		distance = distance > 1 ? distance / 2 : width / 2;
		weave(v, width, distance);
	}
}

/* Returns the index of the vector in which words_to_planes stores a plane. */
static inline __attribute__((always_inline)) size_t vector_of(size_t plane, size_t width)
{
	return width == 8 ? (plane & 1) << 2 | plane >> 1 : plane;
}

static inline __attribute__((always_inline)) void planes_to_words(lanes *v, size_t width)
{
#pragma GCC unroll 4
	for (size_t distance = width / 2; distance > 0; distance /= 2)
		weave(v, width, distance);
}

static inline __attribute__((always_inline)) uint64_t load(const unsigned char *from, size_t width)
{
	switch (width) {
	case 1:
		return *from;
	case 2:
		return cs_load16(from);
	case 4:
		return cs_load32(from);
	default:
		return cs_load64(from);
	}
}

static inline __attribute__((always_inline)) void store(
	unsigned char *to, uint64_t word, size_t width)
{
	switch (width) {
	case 1:
		*to = (unsigned char)word;
		break;
	case 2:
		cs_store16(to, (uint16_t)word);
		break;
	case 4:
		cs_store32(to, (uint32_t)word);
		break;
	default:
		cs_store64(to, word);
	}
}

/* Zigzag coding: maps the differences 0, -1, 1, -2 to 0, 1, 2, 3, within `width` bytes. */
static inline __attribute__((always_inline)) uint64_t fold(uint64_t difference, size_t width)
{
	const int unused = 64 - 8 * (int)width;
	const int64_t wide = (int64_t)(difference << unused) >> unused;
	return ((uint64_t)wide << 1 ^ (uint64_t)(wide >> 63)) & UINT64_MAX >> unused;
}

static inline __attribute__((always_inline)) uint64_t unfold(uint64_t folded)
{
	return folded >> 1 ^ (0 - (folded & 1));
}

/* ---- one column in a range of rows ---- */

/* Rows `first` to `end` - 1 of a column of n rows. `before` is its word in row first - 1. */
struct stripe {
	size_t row_size, n, first, end;
	uint64_t before;
};

/* Transposes words of n <= LANES rows from row i on to the bytes from i on of each plane. */
static inline __attribute__((always_inline)) uint64_t encode_lanes(struct stripe stripe,
	const unsigned char *rows, size_t i, size_t n, size_t width, bool differ,
	unsigned char *ret)
{
	const size_t of_half = sizeof(uint64_t) / width;
	lanes v[8];
#pragma GCC unroll 8
	for (size_t j = 0; j < width; j++) {
		uint64_t half[2] = {0, 0};
#pragma GCC unroll 16
		for (size_t k = 0; k < 2 * of_half; k++) {
			const size_t row = j * 2 * of_half + k;
			if (row >= n)
				break;
			const uint64_t word = load(rows + (i + row) * stripe.row_size, width);
			const uint64_t coded = differ ? fold(word - stripe.before, width) : word;
			half[k / of_half] |= coded << 8 * width * (k % of_half);
			stripe.before = word;
		}
		v[j] = (lanes)(halves){htole64(half[0]), htole64(half[1])};
	}
	words_to_planes(v, width);
#pragma GCC unroll 8
	for (size_t p = 0; p < width; p++)
		memcpy(ret + p * stripe.n + i, &v[vector_of(p, width)], n);
	return stripe.before;
}

/* Returns whether the words of all rows equal `before`, the word of the preceding row. */
static inline __attribute__((always_inline)) bool stays_as_before(
	struct stripe stripe, const unsigned char *rows, size_t width)
{
	size_t i = stripe.first;
	while (i < stripe.end && load(rows + i * stripe.row_size, width) == stripe.before)
		i++;
	return i == stripe.end;
}

static inline __attribute__((always_inline)) uint64_t encode_planes(struct stripe stripe,
	const unsigned char *rows, size_t width, bool differ, unsigned char *ret)
{
	size_t i = stripe.first;
	if (stays_as_before(stripe, rows, width)) {
		for (size_t p = 0; p < width; p++)
			memset(ret + p * stripe.n + i,
				differ ? 0 : (int)(stripe.before >> 8 * p & 0xff), stripe.end - i);
		return stripe.before;
	}
	for (; i + LANES <= stripe.end; i += LANES)
		stripe.before = encode_lanes(stripe, rows, i, LANES, width, differ, ret);
	return encode_lanes(stripe, rows, i, stripe.end - i, width, differ, ret);
}

static inline __attribute__((always_inline)) uint64_t decode_words(
	struct stripe stripe, const unsigned char *from, size_t width, unsigned char *rows)
{
	for (size_t i = stripe.first; i < stripe.end; i++)
		store(rows + i * stripe.row_size, load(from + i * width, width), width);
	return 0;
}

static inline __attribute__((always_inline)) uint64_t decode_lanes(struct stripe stripe,
	const unsigned char *from, size_t i, size_t n, size_t width, bool differ,
	unsigned char *rows)
{
	const size_t of_half = sizeof(uint64_t) / width;
	lanes v[8] = {{0}};
#pragma GCC unroll 8
	for (size_t p = 0; p < width; p++)
		memcpy(&v[p], from + p * stripe.n + i, n);
	planes_to_words(v, width);
#pragma GCC unroll 16
	for (size_t row = 0; row < LANES; row++) {
		if (row >= n)
			break;
		const size_t k = row % (2 * of_half);
		const uint64_t half = le64toh(((halves)v[row / (2 * of_half)])[k / of_half]);
		const uint64_t coded =
			half >> 8 * width * (k % of_half) & UINT64_MAX >> (64 - 8 * width);
		stripe.before = differ ? stripe.before + unfold(coded) : coded;
		store(rows + (i + row) * stripe.row_size, stripe.before, width);
	}
	return stripe.before;
}

static inline __attribute__((always_inline)) uint64_t decode_planes(struct stripe stripe,
	const unsigned char *from, size_t width, bool differ, unsigned char *rows)
{
	size_t i = stripe.first;
	for (; i + LANES <= stripe.end; i += LANES)
		stripe.before = decode_lanes(stripe, from, i, LANES, width, differ, rows);
	return decode_lanes(stripe, from, i, stripe.end - i, width, differ, rows);
}

/* Calls `loop` with `width` as a constant, so that the compiler specialises it for each width. */
#define EACH_WIDTH(loop)        \
	switch (width) {        \
	case 1:                 \
		return loop(1); \
	case 2:                 \
		return loop(2); \
	case 4:                 \
		return loop(4); \
	default:                \
		return loop(8); \
	}

/* Encodes a column in a range of rows as PLANES or DIFFERENCES. Only older versions wrote WORDS. */
static uint64_t encode_column(struct stripe stripe, const unsigned char *from, size_t width,
	enum coding coding, unsigned char *to)
{
#define ENCODE(w)                                                     \
	(coding == PLANES ? encode_planes(stripe, from, w, false, to) \
			  : encode_planes(stripe, from, w, true, to))
	EACH_WIDTH(ENCODE)
}

static uint64_t decode_column(struct stripe stripe, const unsigned char *from, size_t width,
	enum coding coding, unsigned char *to)
{
#define DECODE(w)                                                              \
	(coding == WORDS           ? decode_words(stripe, from, w, to)         \
		: coding == PLANES ? decode_planes(stripe, from, w, false, to) \
				   : decode_planes(stripe, from, w, true, to))
	EACH_WIDTH(DECODE)
}

/* ---- all columns of a section ---- */

/* number of rows that are processed for all columns at a time, so that they stay in the L1 cache */
enum { TILE = 64 };

static size_t row_size_of(const unsigned char *head)
{
	size_t size = 0;
	for (size_t i = cs_load16(head); i > 0; i--)
		size += head[2 * i];
	return size;
}

bool cs_columns_differ(const unsigned char *head, size_t column)
{
	return head[2 * column + 3] == DIFFERENCES;
}

bool cs_columns_are_planes(const unsigned char *head, size_t column)
{
	return head[2 * column + 3] == PLANES;
}

bool cs_columns_follow(const unsigned char *head, size_t column)
{
	return head[2 * column + 3] == FOLLOWS;
}

void cs_columns_set_follow(unsigned char *head, size_t column)
{
	head[2 * column + 3] = FOLLOWS;
}

/* Sets the bits that differ in any of n <= TILE pairs of rows, in bytes of `ret` from `at` on. */
static inline __attribute__((always_inline)) void compare_lanes(struct cs_rows_at rows,
	struct cs_rows_at others, size_t n, size_t at, size_t count, unsigned char *ret)
{
	lanes v[4];
	memcpy(v, ret + at, count * LANES);
	for (size_t i = 0; i < n; i++) {
		const unsigned char *row = rows.at + i * rows.step + at,
				    *other = others.at + i * others.step + at;
#pragma GCC unroll 4
		for (size_t k = 0; k < count; k++) {
			lanes a, b;
			memcpy(&a, row + k * LANES, LANES);
			memcpy(&b, other + k * LANES, LANES);
			v[k] |= a ^ b;
		}
	}
	memcpy(ret + at, v, count * LANES);
}

static void compare_tile(
	struct cs_rows_at rows, struct cs_rows_at others, size_t n, size_t size, unsigned char *ret)
{
	size_t at = 0;
	for (; at + 4 * LANES <= size; at += 4 * LANES)
		compare_lanes(rows, others, n, at, 4, ret);
	for (; at + LANES <= size; at += LANES)
		compare_lanes(rows, others, n, at, 1, ret);
	if (at < size)
		compare_lanes(rows, others, n, size - LANES, 1, ret);
}

void cs_columns_compare(
	struct cs_rows_at rows, struct cs_rows_at others, size_t n, size_t size, unsigned char *ret)
{
	memset(ret, size < LANES ? 0xff : 0, size);
	for (size_t first = 0; size >= LANES && first < n; first += TILE) {
		compare_tile(rows, others, n - first < TILE ? n - first : TILE, size, ret);
		rows.at += TILE * rows.step;
		others.at += TILE * others.step;
	}
}

void cs_columns_begin(const unsigned char *head, const unsigned char *rows, size_t row_size,
	uint64_t first[CS_COLUMNS_MOST])
{
	const size_t columns = cs_load16(head);
	for (size_t i = 0, offset = 0; i < columns; offset += head[2 * ++i]) {
		const size_t width = head[2 * i + 2];
		first[i] = cs_columns_differ(head, i)
				   ? 2 * load(rows + offset, width) -
					     load(rows + row_size + offset, width)
				   : 0;
	}
}

static void columns_start(uint64_t before[CS_COLUMNS_MOST], const uint64_t *first, size_t columns)
{
	memset(before, 0, CS_COLUMNS_MOST * sizeof(before[0]));
	if (first)
		memcpy(before, first, columns * sizeof(before[0]));
}

void cs_columns_encode(const unsigned char *head, const unsigned char *rows, size_t n,
	const uint64_t *first_word, const bool *wanted, void *ret)
{
	const size_t columns = cs_load16(head), row_size = row_size_of(head);
	uint64_t before[CS_COLUMNS_MOST];
	columns_start(before, first_word, columns);
	for (size_t first = 0; first < n; first += TILE) {
		const size_t end = n - first < TILE ? n : first + TILE;
		for (size_t i = 0, offset = 0; i < columns; offset += head[2 * ++i])
			if (!wanted || wanted[offset])
				before[i] = encode_column(
					(struct stripe){row_size, n, first, end, before[i]},
					rows + offset, head[2 * i + 2], head[2 * i + 3],
					(unsigned char *)ret + offset * n);
	}
}

void cs_columns_decode(const unsigned char *head, const void *columns, size_t n,
	const uint64_t *first_word, const bool *wanted, unsigned char *ret)
{
	const size_t count = cs_load16(head), row_size = row_size_of(head);
	uint64_t before[CS_COLUMNS_MOST];
	columns_start(before, first_word, count);
	for (size_t first = 0; first < n; first += TILE) {
		const size_t end = n - first < TILE ? n : first + TILE;
		for (size_t i = 0, offset = 0; i < count; offset += head[2 * ++i])
			if ((!wanted || wanted[offset]) && !cs_columns_follow(head, i))
				before[i] = decode_column(
					(struct stripe){row_size, n, first, end, before[i]},
					(const unsigned char *)columns + offset * n,
					head[2 * i + 2], head[2 * i + 3], ret + offset);
	}
}
