/* SPDX-License-Identifier: Apache-2.0 */
/* Parses, formats and compares GUIDs, and formats 128-bit numbers in base 36. */
#include <cellscope/core.h>

#include "core/guid.h"
#include "core/identity.h"

int cs_guid_compare(struct cs_guid left, struct cs_guid right)
{
	if (left.a != right.a)
		return left.a < right.a ? -1 : 1;
	if (left.b != right.b)
		return left.b < right.b ? -1 : 1;
	if (left.c != right.c)
		return left.c < right.c ? -1 : 1;
	if (left.d != right.d)
		return left.d < right.d ? -1 : 1;
	return 0;
}

bool cs_guid_is_zero(struct cs_guid guid)
{
	return !(guid.a | guid.b | guid.c | guid.d);
}

void cs_guid_format(struct cs_guid guid, char text[CS_GUID_TEXT])
{
	static const char digits[] = "0123456789ABCDEF";
	const uint32_t words[4] = {guid.a, guid.b, guid.c, guid.d};
	for (int i = 0; i < 32; i++)
		text[i] = digits[words[i / 8] >> (28 - i % 8 * 4) & 15];
	text[32] = '\0';
}

/* Value of each hexadecimal digit plus 1, indexed by its character, and 0 for other characters. */
static const unsigned char hex_values[256] = {
	['0'] = 1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	['A'] = 11,
	12,
	13,
	14,
	15,
	16,
	['a'] = 11,
	12,
	13,
	14,
	15,
	16,
};

bool cs_guid_parse(const char *text, size_t length, struct cs_guid *ret)
{
	uint32_t words[4] = {0};
	int digits = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '-' || text[i] == '{' || text[i] == '}')
			continue;
		unsigned value = hex_values[(unsigned char)text[i]];
		if (value == 0 || digits == 32)
			return false;
		words[digits / 8] = words[digits / 8] << 4 | (value - 1);
		digits++;
	}
	if (digits != 32)
		return false;
	*ret = (struct cs_guid){words[0], words[1], words[2], words[3]};
	return true;
}

void cs_base36_format(uint64_t high, uint64_t low, char text[CS_BASE36_TEXT])
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	/* AT_ONCE: number of digits that one division gives. BASE: 36 to the power of AT_ONCE. */
	enum { AT_ONCE = 5, BASE = 60466176 };
	uint32_t words[4] = {
		(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32), (uint32_t)low};
	for (int end = CS_BASE36_TEXT - 1; end > 0; end -= AT_ONCE) {
		uint64_t rest = 0;
		for (int word = 0; word < 4; word++) {
			rest = rest << 32 | words[word];
			words[word] = (uint32_t)(rest / BASE);
			rest %= BASE;
		}
		uint32_t number = (uint32_t)rest;
		for (int i = 1; i <= AT_ONCE; i++, number /= 36)
			text[end - i] = digits[number % 36];
	}
	text[CS_BASE36_TEXT - 1] = '\0';
}
