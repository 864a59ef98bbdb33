/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings of packages: bytes with a NUL, or words of UTF-16 where the count is below zero. What is
 * equal to a word of ours, what is none, and what they are as UTF-8.
 */
#include "ue/package/wire.h"

#include "tests/samples/tap.h"

/* Returns a text in the engine's form: one byte for each character, or two. */
static struct cs_ue_string string_of(const char *text, bool wide, unsigned char *room)
{
	int32_t n = (int32_t)strlen(text) + 1;
	for (int32_t i = 0; i < n; i++) {
		room[wide ? 2 * i : i] = (unsigned char)text[i];
		if (wide)
			room[2 * i + 1] = 0;
	}
	return (struct cs_ue_string){room, wide ? -n : n};
}

static void test_equal(void)
{
	static const char *const words[] = {
		"", "N", "None", "none", "Non", "Nonf", "Mone", "NoneX"};
	enum { WORDS = sizeof(words) / sizeof(words[0]) };
	unsigned char room[40];
	for (int wide = 0; wide < 2; wide++)
		for (size_t i = 0; i < WORDS; i++) {
			size_t right = 0;
			struct cs_ue_string string = string_of(words[i], wide, room);
			for (size_t k = 0; k < WORDS; k++)
				right += cs_ue_string_equals(string, words[k]) == (i == k);
			is_int(right, WORDS, "%s '%s' equals itself alone",
				wide ? "wide" : "narrow", words[i]);
			bool none = strcmp(words[i], "None") == 0 || (!*words[i] && !wide);
			is_int(cs_ue_string_is_none(string), none, "and is none: %d", none);
		}
	const struct cs_ue_string nothing = {NULL, 0};
	ok(cs_ue_string_equals(nothing, "") && !cs_ue_string_equals(nothing, "N") &&
			cs_ue_string_is_none(nothing),
		"no string is an empty one, and none");
	struct cs_ue_string high = string_of("None", true, room);
	room[5] = 1;
	ok(!cs_ue_string_equals(high, "None"), "the upper half of a word counts");
}

static void test_text(void)
{
	static const struct {
		const char *bytes;
		int32_t n;
		const char *text;
	} texts[] = {
		{"Town", 5, "Town"},
		{"T\0wn", 5, "T"},
		{"\xe9t\xe9", 4, "\xc3\xa9t\xc3\xa9"},
		{"T\0o\0\0", -3, "To"},
		{"\xe9\0\xac\x20\0", -3, "\xc3\xa9\xe2\x82\xac"},
		{"\x3d\xd8\0\xde\0", -3, "\xf0\x9f\x98\x80"},
		{"\x3d\xd8"
		 "A\0\0",
			-3,
			"\xef\xbf\xbd"
			"A"},
		{"\0\xde"
		 "A\0\0",
			-3,
			"\xef\xbf\xbd"
			"A"},
		{"A\0\x3d\xd8\0", -3, "A\xef\xbf\xbd"},
		{"\xff\xdb\xff\xdf\0", -3, "\xf4\x8f\xbf\xbf"},
		{"", 0, ""},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct cs_arena arena = {0};
		const struct cs_ue_string string = {
			(const unsigned char *)texts[i].bytes, texts[i].n};
		const char *text = cs_ue_text(string, &arena);
		is_text(text, texts[i].text, "text %zu", i);
		cs_arena_deinit(&arena);
	}
}

int main(void)
{
	test_equal();
	test_text();
	return done();
}
