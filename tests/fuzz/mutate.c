/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/mutate.h"

#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint32_t below(struct cs_random *random, size_t n)
{
	return n ? cs_random_below(random, (uint32_t)n) : 0;
}

/* Puts `n` bytes in the place of `old` at `at`; nothing when there is no room. */
static void replace(struct mutant *m, size_t at, size_t old, const void *bytes, size_t n)
{
	if (m->size - old + n > MUTANT_LIMIT)
		return;
	memmove(m->bytes + at + n, m->bytes + at + old, m->size - at - old);
	memcpy(m->bytes + at, bytes, n);
	m->size = m->size - old + n;
}

/* ---- bytes ---- */

static void flip(struct mutant *m, struct cs_random *random)
{
	if (m->size)
		m->bytes[below(random, m->size)] ^= (unsigned char)(1u << below(random, 8));
}

static void overwrite(struct mutant *m, struct cs_random *random)
{
	static const uint32_t values[] = {0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000,
		0xffffffff, 0x20202020, 0x0a0a0a0a, 0x22222222, 0x7fc00000, 0x7f800000};
	uint32_t value = values[below(random, sizeof(values) / sizeof(values[0]))];
	if (m->size >= 4)
		memcpy(m->bytes + below(random, m->size - 3), &value, 4);
}

static void cut(struct mutant *m, struct cs_random *random)
{
	m->size = below(random, m->size + 1);
}

static void take_out(struct mutant *m, struct cs_random *random)
{
	size_t at = below(random, m->size + 1), n = below(random, 64);
	replace(m, at, n < m->size - at ? n : m->size - at, "", 0);
}

static void repeat(struct mutant *m, struct cs_random *random)
{
	unsigned char copy[64];
	size_t at = below(random, m->size + 1), n = 1 + below(random, sizeof(copy) - 1);
	n = n < m->size - at ? n : m->size - at;
	memcpy(copy, m->bytes + at, n);
	replace(m, at, 0, copy, n);
}

static void copy_inside(struct mutant *m, struct cs_random *random)
{
	if (m->size < 16)
		return;
	size_t n = 1 + below(random, 15);
	memmove(m->bytes + below(random, m->size - n), m->bytes + below(random, m->size - n), n);
}

/* ---- what a format means ---- */

/*
 * Changes a count or length of a binary format: a small number somewhere becomes a little or much
 * too large.
 */
static void lie(struct mutant *m, struct cs_random *random)
{
	uint32_t value;
	if (m->size < 4)
		return;
	size_t at = below(random, m->size - 3);
	for (size_t tries = 0; tries < m->size - 3; tries++, at = (at + 1) % (m->size - 3)) {
		memcpy(&value, m->bytes + at, 4);
		if (value && value < 2 * m->size)
			break;
	}
	memcpy(&value, m->bytes + at, 4);
	uint32_t kind = below(random, 6);
	value = kind == 0   ? value + 1
		: kind == 1 ? value - 1
		: kind == 2 ? value * 2
		: kind == 3 ? value << 16
		: kind == 4 ? (uint32_t)m->size
			    : value | 0x40000000;
	memcpy(m->bytes + at, &value, 4);
}

/* Changes a number of a text, at or after a random place. */
static void renumber(struct mutant *m, struct cs_random *random)
{
	static const char *const numbers[] = {"0", "-1", "1", "2", "3", "255", "256", "65535",
		"2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
		"9223372036854775807", "-9223372036854775808", "18446744073709551616",
		"99999999999999999999999999", "1e9", "1e38", "1e39", "1e308", "1e309", "-1e308",
		"1e-320", "nan", "inf", "-nan", "0x10", "1.5", "-0", "07", ""};
	size_t at = below(random, m->size + 1);
	while (at < m->size && !isdigit(m->bytes[at]))
		at++;
	size_t end = at;
	while (end < m->size && (isdigit(m->bytes[end]) || m->bytes[end] == '.'))
		end++;
	const char *number = numbers[below(random, sizeof(numbers) / sizeof(numbers[0]))];
	replace(m, at, end - at, number, strlen(number));
}

static void say_word(struct mutant *m, struct cs_random *random)
{
	size_t n = 0, at = below(random, m->size + 1), end = at;
	while (fuzz_words && fuzz_words[n])
		n++;
	if (n == 0)
		return;
	const char *word = fuzz_words[below(random, n)];
	if (below(random, 2))
		while (end < m->size && isalnum(m->bytes[end]))
			end++;
	replace(m, at, end - at, word, strlen(word));
}

/* Returns the beginning of the line around a place; *end_ret is the offset after its end. */
static size_t line_at(const struct mutant *m, size_t at, size_t *end_ret)
{
	size_t from = at;
	while (from > 0 && m->bytes[from - 1] != '\n')
		from--;
	while (at < m->size && m->bytes[at] != '\n')
		at++;
	*end_ret = at < m->size ? at + 1 : at;
	return from;
}

static void double_line(struct mutant *m, struct cs_random *random)
{
	size_t end, from = line_at(m, below(random, m->size + 1), &end), n = end - from;
	if (m->size + n > MUTANT_LIMIT)
		return;
	memmove(m->bytes + end, m->bytes + from, m->size - from);
	m->size += n;
}

static void remove_line(struct mutant *m, struct cs_random *random)
{
	size_t end, from = line_at(m, below(random, m->size + 1), &end);
	replace(m, from, end - from, "", 0);
}

/* Repeats a few bytes hundreds of times: brackets that nest, endless digits, chunks in chunks. */
static void nest(struct mutant *m, struct cs_random *random)
{
	static const char *const parts[] = {
		"(", "[", "{", "{\"a\":", "[[", "\"", "9", "\\", "((a", ")*", "-", " ", "%s", "/"};
	unsigned char copy[24];
	size_t at = below(random, m->size + 1), n = 1 + below(random, sizeof(copy) - 1);
	size_t times = (size_t)1 << below(random, 13);
	n = n < m->size - at ? n : m->size - at;
	memcpy(copy, m->bytes + at, n);
	if (n == 0 || below(random, 2)) {
		const char *part = parts[below(random, sizeof(parts) / sizeof(parts[0]))];
		n = strlen(part);
		memcpy(copy, part, n);
	}
	if (m->size + n * times > MUTANT_LIMIT)
		return;
	memmove(m->bytes + at + n * times, m->bytes + at, m->size - at);
	for (size_t i = 0; i < times; i++)
		memcpy(m->bytes + at + i * n, copy, n);
	m->size += n * times;
}

static void splice(struct mutant *m, struct cs_random *random)
{
	size_t from = below(random, m->other_size + 1), n = below(random, 256);
	n = n < m->other_size - from ? n : m->other_size - from;
	replace(m, below(random, m->size + 1), 0, m->other + from, n);
}

void mutate(struct mutant *mutant, struct cs_random *random)
{
	static void (*const mutations[])(struct mutant * m, struct cs_random * random) = {flip,
		overwrite, cut, take_out, repeat, copy_inside, lie, renumber, say_word, double_line,
		remove_line, nest, splice};
	mutations[below(random, sizeof(mutations) / sizeof(mutations[0]))](mutant, random);
}
