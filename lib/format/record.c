/* SPDX-License-Identifier: Apache-2.0 */
/* The field types of records: their sizes, encodings, valid values and text forms. */
#include "format/record.h"

#include "core/cursor.h"
#include "core/half.h"
#include "core/text.h"
#include "format/file_inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shape of the values of each field type: a value consists of `n` words of `word` bytes. */
static const struct {
	uint8_t word, n;
} shapes[] = {
	[CS_FIELD_U8] = {1, 1},
	[CS_FIELD_U16] = {2, 1},
	[CS_FIELD_U32] = {4, 1},
	[CS_FIELD_U64] = {8, 1},
	[CS_FIELD_I32] = {4, 1},
	[CS_FIELD_I64] = {8, 1},
	[CS_FIELD_F32] = {4, 1},
	[CS_FIELD_F64] = {8, 1},
	[CS_FIELD_GUID] = {4, 4},
	[CS_FIELD_VEC3] = {8, 3},
	[CS_FIELD_QUAT] = {8, 4},
	[CS_FIELD_BOX] = {8, 6},
	[CS_FIELD_TEXT] = {4, 1},
	[CS_FIELD_REFERENCE] = {4, 1},
	[CS_FIELD_RANGE] = {4, 2},
	[CS_FIELD_ENUM] = {4, 1},
	[CS_FIELD_FLAGS] = {4, 1},
	[CS_FIELD_BOOL] = {1, 1},
	[CS_FIELD_ZERO] = {1, 1},
	[CS_FIELD_HALF] = {2, 1},
	[CS_FIELD_VEC3F] = {4, 3},
	[CS_FIELD_SPHEREF] = {4, 4},
	[CS_FIELD_HEX] = {4, 1},
};

size_t cs_field_element_size(const struct cs_field *field)
{
	return (size_t)shapes[field->type].word * shapes[field->type].n;
}

size_t cs_field_word_size(const struct cs_field *field)
{
	return shapes[field->type].word;
}

static size_t array_length(const struct cs_field *field)
{
	return field->count ? field->count : 1;
}

size_t cs_field_offset(const struct cs_field *field, size_t index)
{
	return field->offset +
	       index * (field->stride ? field->stride : cs_field_element_size(field));
}

const struct cs_field *cs_record_field(const struct cs_record *record, const char *name)
{
	for (size_t i = 0; i < record->n_fields; i++)
		if (strcmp(record->fields[i].name, name) == 0)
			return &record->fields[i];
	return NULL;
}

/* ---- decoding and encoding ---- */

/* Converts a word from little-endian to the byte order of this machine, or back. */
static void turn_word(const unsigned char *from, unsigned word, unsigned char *to)
{
	uint16_t u16 = word == 2 ? cs_load16(from) : 0;
	uint32_t u32 = word == 4 ? cs_load32(from) : 0;
	uint64_t u64 = word == 8 ? cs_load64(from) : 0;
	const void *value = word == 1   ? (const void *)from
			    : word == 2 ? (const void *)&u16
			    : word == 4 ? (const void *)&u32
					: (const void *)&u64;
	memcpy(to, value, word);
}

static size_t field_words(const struct cs_field *field)
{
	return shapes[field->type].n * array_length(field);
}

static size_t word_offset(const struct cs_field *field, size_t w)
{
	size_t n = shapes[field->type].n;
	return cs_field_offset(field, w / n) + w % n * shapes[field->type].word;
}

void cs_record_decode_by_field(const struct cs_record *record, const unsigned char *stored,
	size_t stored_size, size_t n, void *ret)
{
	unsigned char *row = ret;
	for (size_t i = 0; i < n; i++, stored += stored_size, row += record->size) {
		memset(row, 0, record->size);
		for (size_t f = 0; f < record->n_fields; f++) {
			const struct cs_field *field = &record->fields[f];
			unsigned word = shapes[field->type].word;
			for (size_t w = 0; w < field_words(field); w++) {
				size_t at = word_offset(field, w);
				if (at + word <= stored_size)
					turn_word(stored + at, word, row + at);
			}
		}
	}
}

void cs_record_encode_by_field(const struct cs_record *record, const void *row, unsigned char *ret)
{
	memset(ret, 0, record->size);
	for (size_t f = 0; f < record->n_fields; f++) {
		const struct cs_field *field = &record->fields[f];
		unsigned word = shapes[field->type].word;
		for (size_t w = 0; w < field_words(field); w++) {
			size_t at = word_offset(field, w);
			turn_word((const unsigned char *)row + at, word, ret + at);
		}
	}
}

void cs_record_decode(const struct cs_record *record, const unsigned char *stored,
	size_t stored_size, size_t n, void *ret)
{
	if (n == 0)
		return;
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && record->n_fields > 0) {
		cs_record_decode_by_field(record, stored, stored_size, n, ret);
		return;
	}
	if (stored_size == record->size) {
		memcpy(ret, stored, n * stored_size);
		return;
	}
	size_t shared = stored_size < record->size ? stored_size : record->size;
	unsigned char *row = ret;
	for (size_t i = 0; i < n; i++) {
		memcpy(row + i * record->size, stored + i * stored_size, shared);
		memset(row + i * record->size + shared, 0, record->size - shared);
	}
}

/* ---- checking values ---- */

/* A field and the limits that its values are checked against. */
struct check {
	const struct cs_field *field;
	const struct cs_record_context *context;
	uint32_t n_names;     /* number of names of an enum or of flags */
	uint64_t target_rows; /* number of rows of the table to which the field refers */
};

static struct check check_of(const struct cs_field *field, const struct cs_record_context *context)
{
	struct check check = {field, context, 0, context->rows[field->target]};
	while (field->names && field->names[check.n_names])
		check.n_names++;
	return check;
}

static inline bool is_offset_of_text(const struct cs_record_context *context, uint32_t offset)
{
	if (!context->texts)
		return offset == 0;
	return offset < context->texts_size && (offset == 0 || context->texts[offset - 1] == '\0');
}

static inline bool is_range(uint64_t rows, uint32_t first, uint32_t count)
{
	return first <= rows && count <= rows - first;
}

static double float_at(const unsigned char *at, unsigned word)
{
	double value;
	float single;
	if (word == sizeof(value)) {
		memcpy(&value, at, sizeof(value));
		return value;
	}
	memcpy(&single, at, sizeof(single));
	return (double)single;
}

static inline bool are_finite(const unsigned char *at, unsigned word, unsigned n)
{
	unsigned i = 0;
	while (i < n && isfinite(float_at(at + i * word, word)))
		i++;
	return i == n;
}

static inline bool is_box(const unsigned char *at)
{
	const struct cs_box invalid = CS_BOX_INVALID;
	struct cs_box box;
	memcpy(&box, at, sizeof(box));
	return are_finite(at, sizeof(double), 6) &&
	       (cs_box_valid(&box) || memcmp(&box, &invalid, sizeof(box)) == 0);
}

static inline uint32_t record_word(const unsigned char *at)
{
	uint32_t word;
	memcpy(&word, at, sizeof(word));
	return word;
}

/* Returns the index of the first invalid of n values `step` bytes apart, or n if all are valid. */
static size_t first_invalid_value(
	const struct check *check, const unsigned char *at, size_t step, size_t n)
{
	const unsigned word = shapes[check->field->type].word, words = shapes[check->field->type].n;
	const bool may_be_none = !check->field->required;
	size_t i = 0;
#define GO_WHILE(condition)            \
	for (; i < n; i++, at += step) \
		if (!(condition))      \
			break;         \
	return i
	switch (check->field->type) {
	case CS_FIELD_TEXT:
		GO_WHILE(is_offset_of_text(check->context, record_word(at)));
	case CS_FIELD_REFERENCE:
		GO_WHILE(record_word(at) < check->target_rows ||
			 (may_be_none && record_word(at) == CS_NONE));
	case CS_FIELD_RANGE:
		GO_WHILE(is_range(check->target_rows, record_word(at), record_word(at + 4)));
	case CS_FIELD_BOX:
		GO_WHILE(is_box(at));
	case CS_FIELD_ENUM:
		GO_WHILE(record_word(at) < check->n_names);
	case CS_FIELD_FLAGS:
		GO_WHILE(check->n_names >= 32 || record_word(at) >> check->n_names == 0);
	case CS_FIELD_F32:
	case CS_FIELD_F64:
	case CS_FIELD_VEC3:
	case CS_FIELD_QUAT:
		GO_WHILE(are_finite(at, word, words));
	case CS_FIELD_BOOL:
		GO_WHILE(*at <= 1);
	case CS_FIELD_ZERO:
		GO_WHILE(*at == 0);
	default:
		return n;
	}
#undef GO_WHILE
}

static void set_problem(struct cs_record_problem *problem, enum cs_code code, const char *format,
	...) CS_PRINTF(3, 4);

static void set_problem(
	struct cs_record_problem *problem, enum cs_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(problem->message, sizeof(problem->message), format, args);
	va_end(args);
	problem->code = code;
}

/* Sets *ret to a description of what is wrong with a value. */
static void describe_value(
	const struct check *check, const unsigned char *at, struct cs_record_problem *ret)
{
	ret->field = check->field;
	switch (check->field->type) {
	case CS_FIELD_TEXT:
		set_problem(ret, CS_E_REFERENCE,
			"no text begins at byte %u of the table of strings", record_word(at));
		break;
	case CS_FIELD_REFERENCE:
		set_problem(ret, CS_E_REFERENCE,
			"the field refers to row %u, but the number of rows is %" PRIu64,
			record_word(at), check->target_rows);
		break;
	case CS_FIELD_RANGE:
		set_problem(ret, CS_E_REFERENCE,
			"the field refers to rows beyond the end of the table (first: %u, number: "
			"%u, rows of the table: %" PRIu64 ")",
			record_word(at), record_word(at + 4), check->target_rows);
		break;
	case CS_FIELD_BOX:
		set_problem(ret, CS_E_FIELD, "%s",
			are_finite(at, sizeof(double), 6)
				? "a minimum of the box is larger than its maximum"
				: "a bound of the box is not a finite number");
		break;
	case CS_FIELD_ENUM:
		set_problem(ret, CS_E_FIELD, "the value must be below %u, not %u", check->n_names,
			record_word(at));
		break;
	case CS_FIELD_FLAGS:
		set_problem(ret, CS_E_FIELD, "only the lowest %u bits of %08x may be set",
			check->n_names, record_word(at));
		break;
	case CS_FIELD_BOOL:
		set_problem(ret, CS_E_FIELD, "the value must be 0 or 1, not %u", *at);
		break;
	case CS_FIELD_ZERO:
		set_problem(ret, CS_E_FIELD, "a reserved byte is not zero");
		break;
	default:
		set_problem(ret, CS_E_FIELD, "the value is not a finite number");
	}
}

bool cs_record_check(const struct cs_record *record, const void *row,
	const struct cs_record_context *context, struct cs_record_problem *problem)
{
	for (size_t f = 0; f < record->n_fields; f++) {
		const struct check check = check_of(&record->fields[f], context);
		for (size_t i = 0; i < array_length(check.field); i++) {
			const unsigned char *at =
				(const unsigned char *)row + cs_field_offset(check.field, i);
			if (first_invalid_value(&check, at, 0, 1) == 1)
				continue;
			describe_value(&check, at, problem);
			return false;
		}
	}
	return true;
}

/*
 * Returns the index of the first of n rows that has an invalid value, or n if all rows are valid. n
 * is small enough for the rows to stay in the cache while one field after the other is checked.
 */
static size_t first_invalid_of_block(const struct cs_record *record, const unsigned char *rows,
	size_t n, const struct cs_record_context *context)
{
	for (size_t f = 0; f < record->n_fields; f++) {
		const struct check check = check_of(&record->fields[f], context);
		for (size_t i = 0; i < array_length(check.field); i++)
			n = first_invalid_value(
				&check, rows + cs_field_offset(check.field, i), record->size, n);
	}
	return n;
}

size_t cs_record_first_invalid(const struct cs_record *record, const void *rows, size_t n,
	const struct cs_record_context *context)
{
	enum { BLOCK = 64 };
	for (size_t first = 0; first < n; first += BLOCK) {
		const size_t count = n - first < BLOCK ? n - first : BLOCK;
		const size_t invalid = first_invalid_of_block(
			record, (const unsigned char *)rows + first * record->size, count, context);
		if (invalid < count)
			return first + invalid;
	}
	return n;
}

/*
 * Marks the parts of the strings table that contain the starts of n texts, or the bytes before
 * them. `at` is the address of the offset of the first text. Further offsets follow every `step`
 * bytes.
 */
static void mark_parts(const unsigned char *at, size_t step, size_t n, unsigned shift,
	unsigned char *parts, size_t n_parts)
{
	for (size_t i = 0; i < n; i++, at += step) {
		const uint64_t text = record_word(at), before = text ? text - 1 : 0;
		if (text >> shift >= n_parts)
			continue;
		parts[text >> shift] = 1;
		parts[before >> shift] = 1;
	}
}

void cs_record_mark_texts(const struct cs_record *record, const void *rows, size_t n,
	unsigned shift, unsigned char *parts, size_t n_parts)
{
	for (size_t f = 0; n > 0 && f < record->n_fields; f++) {
		const struct cs_field *field = &record->fields[f];
		for (size_t i = 0; field->type == CS_FIELD_TEXT && i < array_length(field); i++)
			mark_parts((const unsigned char *)rows + cs_field_offset(field, i),
				record->size, n, shift, parts, n_parts);
	}
}

struct cs_error *cs_texts_check(
	const char *blob, size_t from, size_t to, size_t size, uint32_t longest, const char *file)
{
	if (to == 0 || blob[0] != '\0' || (to == size && blob[size - 1] != '\0'))
		return cs_error_at(CS_E_LAYOUT, file, CS_NO_OFFSET,
			"section `strings`: it must start and end with a byte 0");
	for (size_t at = from; at < to;) {
		size_t length = strnlen(blob + at, to - at);
		if (length > longest)
			return cs_error_at(CS_E_LIMIT, file, CS_NO_OFFSET,
				"section `strings`: the text at byte %zu has %zu bytes, more than "
				"the limit of %u",
				at, length, longest);
		if (!cs_utf8_valid(blob + at, length))
			return cs_error_at(CS_E_FIELD, file, CS_NO_OFFSET,
				"section `strings`: the text at byte %zu is not valid UTF-8", at);
		at += length + 1;
	}
	return NULL;
}

/* ---- printing values ---- */

struct text {
	char *at;
	size_t size, length;
};

static void record_append(struct text *text, const char *piece)
{
	size_t n = strlen(piece);
	if (text->length + n < text->size)
		memcpy(text->at + text->length, piece, n + 1);
	text->length += n;
}

static void append_double(struct text *text, double value)
{
	char digits[CS_DOUBLE_TEXT];
	cs_double_format(value, digits);
	record_append(text, digits);
}

static void append_vector(struct text *text, const unsigned char *at, enum cs_field_type type)
{
	unsigned word = shapes[type].word;
	record_append(text, "(");
	for (unsigned i = 0; i < shapes[type].n; i++) {
		record_append(text, i ? ", " : "");
		append_double(text, float_at(at + i * word, word));
	}
	record_append(text, ")");
}

static void append_flags(struct text *text, const struct cs_field *field, uint32_t value)
{
	const char *separator = "";
	for (unsigned i = 0; i < 32 && field->names[i]; i++) {
		if (!(value >> i & 1))
			continue;
		record_append(text, separator);
		record_append(text, field->names[i]);
		separator = " ";
	}
	if (!*separator)
		record_append(text, "-");
}

/* Appends an integer. Its value is 8 little-endian bytes at `at`. */
static void append_integer(struct text *text, const struct cs_field *field, const unsigned char *at)
{
	char digits[24];
	const uint64_t value = cs_load64(at);
	if (field->type == CS_FIELD_I32)
		snprintf(digits, sizeof(digits), "%d", (int32_t)value);
	else if (field->type == CS_FIELD_I64)
		snprintf(digits, sizeof(digits), "%" PRId64, (int64_t)value);
	else if (field->type == CS_FIELD_HEX)
		snprintf(digits, sizeof(digits), "0x%08" PRIx64, value);
	else
		snprintf(digits, sizeof(digits), "%" PRIu64, value);
	record_append(text, digits);
}

static void append_words(struct text *text, const struct cs_file *file,
	const struct cs_field *field, const uint32_t word[4])
{
	char digits[64];
	switch (field->type) {
	case CS_FIELD_TEXT:
		record_append(text, cs_file_text(file, word[0]));
		break;
	case CS_FIELD_REFERENCE:
		snprintf(digits, sizeof(digits), "#%u", word[0]);
		record_append(text, word[0] == CS_NONE ? "none" : digits);
		break;
	case CS_FIELD_RANGE:
		snprintf(digits, sizeof(digits), "#%u +%u", word[0], word[1]);
		record_append(text, digits);
		break;
	case CS_FIELD_GUID:
		cs_guid_format((struct cs_guid){word[0], word[1], word[2], word[3]}, digits);
		record_append(text, digits);
		break;
	case CS_FIELD_ENUM:
		record_append(text, field->names[word[0]]);
		break;
	default:
		append_flags(text, field, word[0]);
		break;
	}
}

size_t cs_field_format(const struct cs_file *file, const struct cs_field *field, const void *row,
	size_t index, char *ret, size_t size)
{
	struct text text = {ret, size, 0};
	const unsigned char *at = (const unsigned char *)row + cs_field_offset(field, index);
	unsigned char le[8] = {0};
	uint32_t word[4] = {0};
	if (size)
		ret[0] = '\0';
	switch (field->type) {
	case CS_FIELD_VEC3:
	case CS_FIELD_QUAT:
	case CS_FIELD_BOX:
	case CS_FIELD_VEC3F:
	case CS_FIELD_SPHEREF:
		append_vector(&text, at, field->type);
		break;
	case CS_FIELD_F32:
	case CS_FIELD_F64:
		append_double(&text, float_at(at, shapes[field->type].word));
		break;
	case CS_FIELD_HALF:
		turn_word(at, sizeof(uint16_t), le);
		append_double(&text, (double)cs_half_value(cs_load16(le)));
		break;
	case CS_FIELD_TEXT:
	case CS_FIELD_REFERENCE:
	case CS_FIELD_RANGE:
	case CS_FIELD_GUID:
	case CS_FIELD_ENUM:
	case CS_FIELD_FLAGS:
		memcpy(word, at, cs_field_element_size(field));
		append_words(&text, file, field, word);
		break;
	default:
		turn_word(at, shapes[field->type].word, le);
		append_integer(&text, field, le);
		break;
	}
	return text.length;
}
