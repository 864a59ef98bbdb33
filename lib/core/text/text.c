/* SPDX-License-Identifier: Apache-2.0 */
/* Escaping (no raw byte reaches a terminal), UTF-8, names without case, numbers without locale. */
#include "core/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

size_t cs_utf8_decode(const unsigned char *text, size_t length, uint32_t *ret)
{
	utf8proc_int32_t c;
	utf8proc_ssize_t n =
		length ? utf8proc_iterate(text, (utf8proc_ssize_t)(length < 4 ? length : 4), &c)
		       : 0;
	if (n <= 0)
		return 0;
	*ret = (uint32_t)c;
	return (size_t)n;
}

size_t cs_utf8_encode(uint32_t c, char ret[4])
{
	return (size_t)utf8proc_encode_char((utf8proc_int32_t)c, (utf8proc_uint8_t *)ret);
}

/* Returns the length of an ASCII prefix, a multiple of 8: up to 7 more ASCII bytes may follow. */
static size_t ascii_prefix(const unsigned char *bytes, size_t length)
{
	size_t n = 0;
	for (uint64_t group; length - n >= sizeof(group); n += sizeof(group)) {
		memcpy(&group, bytes + n, sizeof(group));
		if (group & UINT64_C(0x8080808080808080))
			break;
	}
	return n;
}

bool cs_utf8_valid(const char *text, size_t length)
{
	const unsigned char *bytes = (const unsigned char *)text;
	uint32_t c;
	for (size_t i = ascii_prefix(bytes, length); i < length;) {
		size_t n = cs_utf8_decode(bytes + i, length - i, &c);
		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

bool cs_is_unsafe(uint32_t c)
{
	if (c < 0x7f)
		return c < 0x20 || c == '\\';
	const utf8proc_property_t *is = utf8proc_get_property((utf8proc_int32_t)c);
	switch (is->category) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	case UTF8PROC_CATEGORY_MN:
		return false; /* nonspacing marks, to which variation selectors belong, are safe */
	default:
		return is->ignorable || (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
	}
}

/* Returns whether a character is drawn over the one before. Many would cover other lines. */
static bool is_combining(uint32_t c)
{
	if (c < 0x300)
		return false;
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
	return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
	       category == UTF8PROC_CATEGORY_ME;
}

struct sink {
	char *text;
	size_t size, length;
	bool full;
};

/* Writes n bytes completely or not at all. Once something did not fit, writes nothing more. */
static void text_put(struct sink *sink, const char *piece, size_t n)
{
	sink->full = sink->full || sink->length + n >= sink->size;
	if (!sink->full) {
		memcpy(sink->text + sink->length, piece, n);
		sink->text[sink->length + n] = '\0';
	}
	sink->length += n;
}

size_t cs_escape(const char *text, size_t length, bool ascii, char *ret, size_t size)
{
	enum { MOST_MARKS = 4 };
	static const char digits[] = "0123456789abcdef";
	const unsigned char *bytes = (const unsigned char *)text;
	struct sink sink = {ret, size, 0, size == 0};
	if (size > 0)
		ret[0] = '\0';
	for (size_t i = 0, marks = 0; i < length;) {
		uint32_t c = 0;
		size_t n = cs_utf8_decode(bytes + i, length - i, &c);
		marks = n > 0 && is_combining(c) ? marks + 1 : 0;
		if (n > 0 && !cs_is_unsafe(c) && !(ascii && c > 0x7e) && marks <= MOST_MARKS) {
			text_put(&sink, text + i, n);
			i += n;
			continue;
		}
		for (size_t end = i + (n ? n : 1); i < end; i++) {
			const char hex[4] = {
				'\\', 'x', digits[bytes[i] >> 4], digits[bytes[i] & 15]};
			text_put(&sink, hex, sizeof(hex));
		}
	}
	return sink.length;
}

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int cs_name_compare(const char *left, const char *right)
{
	while (*left && fold(*left) == fold(*right)) {
		left++;
		right++;
	}
	unsigned char l = (unsigned char)fold(*left), r = (unsigned char)fold(*right);
	return l < r ? -1 : l > r;
}

uint64_t cs_name_hash(const char *text, size_t length)
{
	char folded[128];
	uint64_t hash = length;
	for (size_t start = 0; start < length; start += sizeof(folded)) {
		size_t n = length - start < sizeof(folded) ? length - start : sizeof(folded);
		for (size_t i = 0; i < n; i++)
			folded[i] = fold(text[start + i]);
		hash = XXH3_64bits_withSeed(folded, n, hash);
	}
	return hash;
}

uint32_t cs_guid_hash(struct cs_guid guid)
{
	return (uint32_t)XXH3_64bits(&guid, sizeof(guid));
}

/* Creates the locale on each call, because the library has no global state. */
struct cs_c_locale cs_c_locale_enter(void)
{
	struct cs_c_locale locale = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
	if (locale.c)
		locale.previous = uselocale(locale.c);
	return locale;
}

void cs_c_locale_leave(struct cs_c_locale locale)
{
	if (locale.c) {
		uselocale(locale.previous);
		freelocale(locale.c);
	}
}

int cs_format_c(char *text, size_t size, const char *format, ...)
{
	struct cs_c_locale locale = cs_c_locale_enter();
	va_list args;
	va_start(args, format);
	int length = vsnprintf(text, size, format, args);
	va_end(args);
	cs_c_locale_leave(locale);
	return length;
}

void cs_double_format(double value, char text[CS_DOUBLE_TEXT])
{
	if (value == 0)
		value = 0; /* -0 is printed as "0" */
	if (fabs(value) < 1e15 && value == trunc(value)) {
		/* the text that %.15g gives, but faster: most coordinates are integers */
		snprintf(text, CS_DOUBLE_TEXT, "%lld", (long long)value);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		double back;
		int length = cs_format_c(text, CS_DOUBLE_TEXT, "%.*g", digits, value);
		if (cs_double_parse(text, (size_t)length, &back) && back == value)
			return;
	}
}

/*
 * Parses a decimal number without exponent. Integers up to 2^53 and powers of ten up to 10^22 are
 * exact doubles, so that one division rounds correctly (Clinger 1990). Returns false for numbers
 * that need more digits.
 */
static bool parse_digits(const char *text, size_t length, double *ret)
{
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	bool negative = text[0] == '-', point = false;
	uint64_t digits = 0;
	size_t n = 0, scale = 0;
	for (size_t i = negative || text[0] == '+'; i < length; i++) {
		if (text[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9' || digits > UINT64_MAX / 16)
			return false;
		digits = digits * 10 + (uint64_t)(text[i] - '0');
		scale += point;
		n++;
	}
	if (n == 0 || digits > UINT64_C(1) << 53 || scale > 22)
		return false;
	double value = (double)digits / powers[scale];
	*ret = negative ? -value : value;
	return true;
}

bool cs_double_parse(const char *text, size_t length, double *ret)
{
	char copy[64];
	if (length == 0 || length >= sizeof(copy) || !strchr("+-.0123456789", text[0]))
		return false;
	if (parse_digits(text, length, ret))
		return true;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (strspn(copy, "+-.0123456789eE") != length)
		return false;
	struct cs_c_locale locale = cs_c_locale_enter();
	char *end;
	double value = strtod(copy, &end);
	cs_c_locale_leave(locale);
	if (end != copy + length || !isfinite(value))
		return false;
	*ret = value;
	return true;
}

/* Value of each base64 digit plus 1, indexed by its byte, and 0 for other bytes. */
/* clang-format off */
static const unsigned char base64_values[256] = {
	['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6, ['G'] = 7, ['H'] = 8,
	['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15,
	['P'] = 16, ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22,
	['W'] = 23, ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29,
	['d'] = 30, ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36,
	['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42, ['q'] = 43,
	['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48, ['w'] = 49, ['x'] = 50,
	['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56, ['4'] = 57,
	['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
	['-'] = 63, ['_'] = 64,
};
/* clang-format on */

size_t cs_base64_decode(const unsigned char *text, size_t length, unsigned char *ret)
{
	while (length > 0 && text[length - 1] == '=')
		length--;
	uint32_t bits = 0;
	size_t size = 0;
	for (size_t i = 0; i < length; i++) {
		uint32_t value = base64_values[text[i]];
		if (value == 0)
			return SIZE_MAX;
		bits = bits << 6 | (value - 1);
		if (i % 4 != 0)
			ret[size++] = (unsigned char)(bits >> (6 - i % 4 * 2));
	}
	return length % 4 == 1 ? SIZE_MAX : size;
}
