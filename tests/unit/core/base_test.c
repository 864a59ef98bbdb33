/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of lib/core: text, GUIDs, geometry, cursor, containers, sorting, halves. */
#include "core/alike.h"
#include "core/arena.h"
#include "core/cursor.h"
#include "core/geometry.h"
#include "core/guid.h"
#include "core/half.h"
#include "core/identity.h"
#include "core/items.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/scratch.h"
#include "core/sort.h"
#include "core/strings.h"
#include "core/text.h"
#include "core/utf8.h"
#include "core/vec.h"
#include "core/writer.h"
#include "tests/make/writes.h"
#include "tests/samples/tap.h"

#include <limits.h>
#include <math.h>

static void test_guid(void)
{
	struct cs_guid guid;
	char text[CS_GUID_TEXT];
	const char *digits = "02B065AE49AB36118E1E1383C9064581";
	ok(cs_guid_parse(digits, 32, &guid), "guid: 32 digits parse");
	is_int(guid.b, 0x49AB3611, "guid: the second word");
	cs_guid_format(guid, text);
	is_text(text, digits, "guid: text comes back");
	ok(cs_guid_parse("{02b065ae-49ab-3611-8e1e-1383c9064581}", 38, &guid), "guid: with dashes");
	ok(!cs_guid_parse(digits, 31, &guid), "guid: 31 digits do not parse");
	ok(!cs_guid_parse("02B065AE49AB36118E1E1383C90645810", 33, &guid), "guid: 33 neither");
	ok(!cs_guid_parse("02B065AE49AB36118E1E1383C906458G", 32, &guid), "guid: G is no digit");
	char base36[CS_BASE36_TEXT];
	cs_base36_format(UINT64_MAX, UINT64_MAX, base36);
	is_text(base36, "F5LXX1ZZ5PNORYNQGLHZMSP33", "base 36: 2^128 - 1");
	cs_base36_format(0, 35, base36);
	is_text(base36, "000000000000000000000000Z", "base 36: 35");
}

/* Compares the items of a list, each followed by a bar; no list of this test contains a bar. */
static void check_items(const char *list, const char *want)
{
	char got[100] = "";
	size_t n = 0;
	struct cs_item item;
	for (const char *at = list; cs_next_item(&at, &item);)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%.*s|", (int)item.n, item.at);
	is_text(got, want, "items: '%s'", list ? list : "no list");
}

static void test_items(void)
{
	check_items(NULL, "");
	check_items("", "");
	check_items("A", "A|");
	check_items("A,B", "A|B|");
	check_items("A,,B", "A||B|");
	check_items(",", "|");
	check_items(",A", "|A|");
	check_items("A,B,", "A|B|");
	check_items("A,,", "A||");
	check_items(" A , B ", " A | B |");
	check_items("one word;two", "one word;two|");
	char text[4] = "xyz";
	ok(!cs_item_text((struct cs_item){"long", 4}, text, sizeof(text)),
		"item: four in four bytes");
	is_text(text, "xyz", "item: what has no room writes nothing");
	ok(cs_item_text((struct cs_item){"long", 3}, text, sizeof(text)),
		"item: three in four bytes");
	is_text(text, "lon", "item: as a text of its own");
}

static void test_utf8_inside(void)
{
	size_t begins = 0;
	for (const char *at = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"; *at; at++)
		begins += !cs_utf8_inside(*at);
	is_int(begins, 4, "UTF-8: four characters begin, by char");
	ok(cs_utf8_inside((unsigned char)'\xbf') && !cs_utf8_inside((unsigned char)'\xc0'),
		"UTF-8: the borders, by unsigned char");
}

static void check_escape(const char *text, size_t n, bool ascii, const char *want)
{
	char got[200];
	size_t length = cs_escape(text, n, ascii, got, sizeof(got));
	is_text(got, want, "escape: %s", want);
	is_int(length, strlen(want), "escape: its length");
	for (size_t size = 0; size < length + 1; size++) {
		char small[200];
		memset(small, 'x', sizeof(small));
		if (cs_escape(text, n, ascii, small, size) != length ||
			(size && (strlen(small) >= size || strncmp(small, want, strlen(small)))) ||
			small[size] != 'x')
			ok(false, "escape: %s in %zu bytes", want, size);
	}
}

static void test_escape(void)
{
	check_escape("plain", 5, false, "plain");
	check_escape("a\x1b[31mb", 7, false, "a\\x1b[31mb");
	check_escape("tab\tnl\n", 7, false, "tab\\x09nl\\x0a");
	check_escape("back\\slash", 10, false, "back\\x5cslash");
	check_escape("\xc3\xa9", 2, false, "\xc3\xa9");
	check_escape("\xc3\xa9", 2, true, "\\xc3\\xa9");
	check_escape("\xc2\x9b", 2, false, "\\xc2\\x9b");
	check_escape("\xe2\x80\xae"
		     "evil",
		7, false,
		"\\xe2\\x80\\xae"
		"evil");
	check_escape("\xff\xfe", 2, false, "\\xff\\xfe");
	check_escape("\xed\xa0\x80", 3, false, "\\xed\\xa0\\x80");
	check_escape("a\0b", 3, false,
		"a\\x00"
		"b");
	check_escape("\x7f", 1, false, "\\x7f");
	check_escape("\xef\xbf\xbe", 3, false, "\\xef\\xbf\\xbe"); /* none, says Unicode */
	check_escape("\xef\xb7\x90", 3, false, "\\xef\\xb7\\x90");
	check_escape("\xf3\xa0\x81\x81", 4, false, "\\xf3\\xa0\\x81\\x81");
	/* marks of two ranges: as many as one cell of a terminal takes, then in hex */
	check_escape("a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81", 11, false,
		"a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\\xcc\\x81");
	check_escape("a\xe2\x83\x90\xe2\x83\x90\xe2\x83\x90\xe2\x83\x90\xe2\x83\x90", 16, false,
		"a\xe2\x83\x90\xe2\x83\x90\xe2\x83\x90\xe2\x83\x90\\xe2\\x83\\x90");
}

/*
 * Returns how many of five equal characters after a letter are written raw before the first that is
 * escaped: 5, 4 or 0.
 */
static int raw_of(uint32_t c)
{
	char text[24] = "e", got[120];
	size_t n = 1;
	for (int i = 0; i < 5; i++)
		n += cs_utf8_encode(c, text + n);
	cs_escape(text, n, false, got, sizeof(got));
	size_t raw = strcspn(got, "\\");
	return (int)((raw - 1) * 5 / (n - 1));
}

/*
 * Ranges of combining marks, of characters that are invisible or move the cursor, and of codes that
 * are no characters: rows of UnicodeData 14, as Python's unicodedata has them.
 */
static const struct {
	uint32_t first, last;
	int raw; /* of five */
} escape_rows[] = {{0x300, 0x36f, 4}, {0x483, 0x489, 4}, {0x591, 0x5bd, 4}, {0x5bf, 0x5bf, 4},
	{0x610, 0x61a, 4}, {0x64b, 0x65f, 4}, {0x6df, 0x6e4, 4}, {0x730, 0x74a, 4},
	{0x93a, 0x93c, 4}, {0x93e, 0x94f, 4}, {0x951, 0x957, 4}, {0x1dc0, 0x1dff, 4},
	{0x20d0, 0x20f0, 4}, {0x302a, 0x302f, 4}, {0x3099, 0x309a, 4}, {0xfe00, 0xfe0f, 4},
	{0xfe20, 0xfe2f, 4}, {0xe0100, 0xe01ef, 4}, {0x01, 0x1f, 0}, {0x5c, 0x5c, 0},
	{0x7f, 0x9f, 0}, {0xad, 0xad, 0}, {0x600, 0x605, 0}, {0x61c, 0x61c, 0}, {0x200b, 0x200f, 0},
	{0x2028, 0x202e, 0}, {0x2060, 0x206f, 0}, {0x3164, 0x3164, 0}, {0xfdd0, 0xfdef, 0},
	{0xfeff, 0xfeff, 0}, {0xfff9, 0xfffb, 0}, {0xfffe, 0xffff, 0}, {0xdfffe, 0xdffff, 0},
	{0xe0020, 0xe007f, 0}};
enum { ESCAPE_ROWS = sizeof(escape_rows) / sizeof(escape_rows[0]) };

static bool is_raw_as_told(uint32_t c)
{
	int want = 5;
	for (size_t i = 0; i < ESCAPE_ROWS; i++)
		if (c >= escape_rows[i].first && c <= escape_rows[i].last)
			want = escape_rows[i].raw;
	return raw_of(c) == want;
}

/* Tries the ends and the middle of each row, and the characters before and after it. */
static void test_escape_rows(void)
{
	for (size_t i = 0; i < ESCAPE_ROWS; i++) {
		uint32_t first = escape_rows[i].first, last = escape_rows[i].last;
		ok((first == 1 || is_raw_as_told(first - 1)) && is_raw_as_told(first) &&
				is_raw_as_told(first + (last - first) / 2) &&
				is_raw_as_told(last) && is_raw_as_told(last + 1),
			"escape: U+%04X to U+%04X, %d of five, and no more", first, last,
			escape_rows[i].raw);
	}
}

static void test_names(void)
{
	is_int(cs_name_compare("MainGrid", "maingrid"), 0, "names: case does not matter");
	ok(cs_name_compare("a", "B") < 0 && cs_name_compare("B", "a") > 0, "names: order");
	ok(cs_name_compare("a", "ab") < 0, "names: a prefix comes first");
	ok(cs_name_hash("MainGrid", 8) == cs_name_hash("MAINGRID", 8), "names: equal hashes");
	char text[CS_DOUBLE_TEXT];
	const double values[] = {0, -0.0, 0.1, 1e300, -12800.1, 5e-324, 1.0 / 3, 76800};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		double back = 1;
		cs_double_format(values[i], text);
		ok(cs_double_parse(text, strlen(text), &back) && back == values[i],
			"double: %s comes back", text);
	}
	cs_double_format(-0.0, text);
	is_text(text, "0", "double: no minus zero");
	double value;
	ok(!cs_double_parse("nan", 3, &value) && !cs_double_parse("1e999", 5, &value) &&
			!cs_double_parse("0x10", 4, &value) && !cs_double_parse("1 ", 2, &value) &&
			!cs_double_parse("", 0, &value),
		"double: NaN, infinity, hexadecimal, blanks and nothing are refused");
}

/* The hash of a name does not depend on its case or on the bytes after it, whatever its length. */
static void test_name_hashes(void)
{
	enum { ROUNDS = 400, LONGEST = 400 };
	struct cs_random random = {5};
	int same = 0, other = 0;
	for (int round = 0; round < ROUNDS; round++) {
		char left[LONGEST + 1], right[LONGEST + 1];
		size_t n = (size_t)round % LONGEST + 1;
		for (size_t i = 0; i <= LONGEST; i++) {
			left[i] = (char)('a' + cs_random_below(&random, 26));
			right[i] = i < n ? left[i] : '-';
			if (i < n && cs_random_below(&random, 2))
				right[i] = (char)(left[i] - 'a' + 'A');
		}
		same += cs_name_hash(left, n) == cs_name_hash(right, n);
		right[cs_random_below(&random, (uint32_t)n)] = '.';
		other += cs_name_hash(left, n) != cs_name_hash(right, n);
	}
	is_int(same, ROUNDS, "names: hashes of long ones are those of all of them, without case");
	is_int(other, ROUNDS, "names: and each character counts");
}

/* Puts a bad byte, or a character of two bytes, at every place of texts up to a few groups of
 * eight. */
static void test_utf8(void)
{
	bool good = true;
	for (size_t n = 0; n <= 34; n++) {
		char text[40];
		memset(text, 'a', sizeof(text));
		good = good && cs_utf8_valid(text, n);
		for (size_t at = 0; at < n; at++) {
			text[at] = (char)0xff;
			good = good && !cs_utf8_valid(text, n);
			text[at] = 'a';
		}
		for (size_t at = 0; at + 1 < n; at++) {
			memcpy(text + at, "\xc3\xa9", 2);
			good = good && cs_utf8_valid(text, n) && !cs_utf8_valid(text, at + 1);
			memcpy(text + at, "aa", 2);
		}
	}
	ok(good, "utf8: one bad or two-byte character at every place");
}

/*
 * Every character is encoded and decoded again. Codes that are no characters, and forms that are
 * longer than necessary, are refused.
 */
static void test_utf8_characters(void)
{
	static const uint32_t sizes[] = {0x80, 0x800, 0x10000, 0x110000};
	int wrong = 0;
	for (uint32_t c = 0; c < 0x110000; c++) {
		char text[4];
		uint32_t back = 0;
		size_t want = 1, n = cs_utf8_encode(c, text);
		while (c >= sizes[want - 1])
			want++;
		bool surrogate = c >= 0xd800 && c <= 0xdfff;
		size_t got = cs_utf8_decode((const unsigned char *)text, n, &back);
		wrong += n != want || got != (surrogate ? 0 : n) || (got && back != c) ||
			 (n > 1 && cs_utf8_decode((const unsigned char *)text, n - 1, &back));
	}
	is_int(wrong, 0, "utf8: every character comes back, surrogates do not");
	static const char *const none[] = {"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf",
		"\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80",
		"\x80\x80", "\xbf", "\xc3\x28", "\xe2\x82\x28", "\xff\xbf\xbf\xbf"};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		ok(!cs_utf8_valid(none[i], strlen(none[i])), "utf8: refused, row %zu", i);
}

static bool is_near(const struct cs_box *l, const struct cs_box *r)
{
	return fabs(l->min.x - r->min.x) < 1e-9 && fabs(l->min.y - r->min.y) < 1e-9 &&
	       fabs(l->min.z - r->min.z) < 1e-9 && fabs(l->max.x - r->max.x) < 1e-9 &&
	       fabs(l->max.y - r->max.y) < 1e-9 && fabs(l->max.z - r->max.z) < 1e-9;
}

static void test_points(void)
{
	const struct cs_transform by = {.scale = {.x = 2, .y = -5, .z = 3}};
	struct cs_vec3 p = cs_vec3_rounded((struct cs_vec3){1.26, -0.04, 1e9 + .55}, 0.1);
	ok(p.x == 1.3 && p.y == 0 && p.z == 1e9 + .6, "points: rounded to tenths");
	p = cs_vec3_rounded((struct cs_vec3){1.26, -70, 149}, 100);
	ok(p.x == 0 && p.y == -100 && p.z == 100, "points: rounded to hundreds");
	is_double(cs_transform_reach(&by), 5, "transforms: the largest scale, mirrored or not");
}

static void test_geometry(void)
{
	struct cs_box a = {{0, 0, 0}, {1, 2, 3}}, invalid = CS_BOX_INVALID;
	struct cs_box both = cs_box_union(&a, &invalid);
	ok(!cs_box_valid(&invalid) && memcmp(&both, &a, sizeof(a)) == 0,
		"box: an invalid box is skipped in unions");
	is_double(cs_box_distance2(&a, (struct cs_vec3){-3, 1, 7}, false), 25, "box: distance");
	is_double(cs_box_distance2(&a, (struct cs_vec3){-3, 1, 7}, true), 9, "box: flat distance");
	is_double(cs_box_distance2(&a, (struct cs_vec3){1, 1, 1}, false), 0, "box: inside");
	struct cs_transform turn = {cs_quat_from_euler(0, 90, 0), {100, 0, 0}, {2, 1, 1}};
	struct cs_box turned = cs_box_transform(&a, &turn);
	ok(fabs(turned.min.x - 98) < 1e-9 && fabs(turned.max.x - 100) < 1e-9 &&
			fabs(turned.min.y) < 1e-9 && fabs(turned.max.y - 2) < 1e-9,
		"box: scaled, turned by 90 degrees of yaw, moved");
	struct cs_transform child = CS_TRANSFORM_IDENTITY;
	child.translation = (struct cs_vec3){10, 0, 0};
	struct cs_transform world = cs_transform_compose(&child, &turn);
	ok(fabs(world.translation.x - 100) < 1e-9 && fabs(world.translation.y - 20) < 1e-9,
		"transform: a child moves in the space of its parent");
	struct cs_transform again = cs_transform_relative(&world, &turn);
	ok(fabs(again.translation.x - 10) < 1e-9 && fabs(again.translation.y) < 1e-9 &&
			fabs(again.rotation.w) > 1 - 1e-9 && fabs(again.scale.x - 1) < 1e-9,
		"transform: and is found again from where it went");
	struct cs_box back = cs_box_into(&turned, &turn);
	ok(fabs(back.min.x - a.min.x) < 1e-9 && fabs(back.min.y - a.min.y) < 1e-9 &&
			fabs(back.max.y - a.max.y) < 1e-9 && fabs(back.max.z - a.max.z) < 1e-9,
		"box: turned by right angles it comes back");
	/* by hand: (-1 2 3)..(5 7 11), scaled by 2 4 8, a quarter turn takes x to y and y to -x */
	const struct cs_box uneven = {{-1, 2, 3}, {5, 7, 11}};
	const struct cs_box placed = {{100 - 28, 50 - 2, 24 - 7}, {100 - 8, 50 + 10, 88 - 7}};
	const struct cs_transform uneven_turn = {
		cs_quat_from_euler(0, 90, 0), {100, 50, -7}, {2, 4, 8}};
	turned = cs_box_transform(&uneven, &uneven_turn);
	ok(is_near(&turned, &placed), "box: scaled by another factor on each axis");
	back = cs_box_into(&turned, &uneven_turn);
	ok(is_near(&back, &uneven), "box: and comes back from it on all six sides");
	back = cs_box_into(&invalid, &turn);
	ok(!cs_box_valid(&back), "box: an invalid one stays so");
}

static void test_rotations(void)
{
	static const struct cs_vec3 angles[] = {{0, 0, 0}, {30, 40, 50}, {-89, 170, -20},
		{0, 90, 0}, {90, 35, 0}, {-90, 35, 10}, {10, -179, 179}};
	for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); i++) {
		struct cs_quat q = cs_quat_from_euler(angles[i].x, angles[i].y, angles[i].z);
		struct cs_vec3 e = cs_quat_to_euler(q);
		struct cs_quat back = cs_quat_from_euler(e.x, e.y, e.z);
		double same = q.x * back.x + q.y * back.y + q.z * back.z + q.w * back.w;
		ok(fabs(fabs(same) - 1) < 1e-9, "rotation (%g,%g,%g) comes back", angles[i].x,
			angles[i].y, angles[i].z);
	}
}

static void test_cursor(void)
{
	const unsigned char bytes[] = {1, 2, 0, 3, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f};
	struct cs_cursor c = cs_cursor_over(bytes, sizeof(bytes), 1000, "f");
	is_int(cs_cursor_u8(&c), 1, "cursor: u8");
	is_int(cs_cursor_u16(&c), 2, "cursor: u16");
	is_int(cs_cursor_u32(&c), 3, "cursor: u32");
	struct cs_cursor count = c;
	is_int(cs_cursor_count(&count, 1), 0, "cursor: a count larger than the bytes gives 0");
	struct cs_error *error = cs_cursor_error(&count, "names");
	ok(error && error->offset == 1007, "cursor: and an error at its offset");
	cs_error_free(error);
	is_int(cs_cursor_u64(&c), 0, "cursor: a read past the end gives 0");
	is_int(cs_cursor_u8(&c), 0, "cursor: and so does every later one");
	fails(cs_cursor_error(&c, "x"), CS_E_TRUNCATED, "cursor: truncated");
	is_int(c.bad_position, 7, "cursor: the first failure is kept");
	struct cs_cursor far = cs_cursor_over(bytes, sizeof(bytes), 0, NULL);
	cs_cursor_skip(&far, UINT64_MAX);
	ok(far.bad, "cursor: a skip by 2^64-1 does not wrap");
	struct cs_writer w = {0};
	cs_writer_f64(&w, -0.1);
	cs_writer_u16(&w, 0xabcd);
	cs_writer_align(&w, 16);
	cs_writer_guid(&w, (struct cs_guid){1, 2, 3, 4});
	c = cs_cursor_over(w.bytes, w.size, 0, NULL);
	is_double(cs_cursor_f64(&c), -0.1, "writer: a double comes back");
	is_int(cs_cursor_u16(&c), 0xabcd, "writer: u16");
	cs_cursor_skip(&c, 6);
	is_int(cs_cursor_guid(&c).d, 4, "writer: aligned guid");
	cs_writer_deinit(&w);
	ok(cs_writer_extend(&w, 0) != NULL && w.size == 0 && !w.failed,
		"writer: nothing added to nothing");
	cs_writer_deinit(&w);
}

static void test_strings(void)
{
	struct cs_strings strings = {0};
	bool good = true;
	uint32_t ids[2000];
	char text[32];
	is_int(cs_strings_find(&strings, "x", 1), CS_NONE, "strings: nothing in an empty pool");
	for (int i = 0; i < 2000; i++)
		ids[i] = cs_strings_add(&strings, text, (size_t)snprintf(text, 32, "name%d", i));
	for (int i = 0; i < 2000; i++) {
		size_t n = (size_t)snprintf(text, 32, "name%d", i);
		good = good && cs_strings_find(&strings, text, n) == ids[i] &&
		       cs_strings_add(&strings, text, n) == ids[i] &&
		       strcmp(cs_strings_get(&strings, ids[i]), text) == 0;
	}
	ok(good, "strings: 2,000 names found again, each once");
	const size_t room = strings.room;
	strings.room = strings.size;
	ok(cs_strings_add_z(&strings, cs_strings_get(&strings, ids[0])) == ids[0] &&
			strings.room == strings.size,
		"strings: a text of the pool is found in a full one, which does not move");
	strings.room = room;
	is_int(cs_strings_add(&strings, "", 0), 0, "strings: the empty text is 0");
	is_int(cs_strings_find(&strings, "name2000", 8), CS_NONE, "strings: an unknown name");
	ok(cs_strings_add(&strings, "a\0b", 3) == cs_strings_add_z(&strings, "a"),
		"strings: a NUL ends a text");
	is_text(cs_strings_get(&strings, cs_strings_add_name(&strings, "caf\xe9", 10)),
		"caf\xc3\xa9", "strings: a name in Latin-1");
	is_text(cs_strings_get(&strings, cs_strings_add_name(&strings, "12345\xc3\xa9", 7)),
		"12345\xc3\xa9", "strings: a name that fits");
	is_text(cs_strings_get(&strings, cs_strings_add_name(&strings,
						 "12\xc3\xa9"
						 "5678",
						 6)),
		"12...", "strings: a name is cut between characters");
	strings.size = (size_t)CS_NONE - 10;
	ok(!cs_strings_is_full(&strings, 8) && cs_strings_is_full(&strings, 9),
		"strings: offsets end before CS_NONE");
	is_int(cs_strings_add(&strings, "123456789", 9), CS_NONE, "strings: and are refused there");
	cs_strings_deinit(&strings);
	struct cs_arena arena = CS_ARENA_INIT;
	unsigned char *small = cs_arena_alloc(&arena, 3, 7);
	unsigned char *large = cs_arena_alloc(&arena, 1, 5 << 20);
	unsigned char *next = cs_arena_alloc(&arena, 1, 1);
	const size_t aligned = _Alignof(max_align_t);
	ok(small && large && next && next == small + (3 * 7 + aligned - 1) / aligned * aligned,
		"arena: a large block keeps the small one");
	ok(!cs_arena_alloc(&arena, SIZE_MAX / 2, 3), "arena: a product that overflows is refused");
	cs_arena_deinit(&arena);
}

struct pair {
	int key, order;
};

static int by_key(const void *left, const void *right, void *context)
{
	(void)context;
	return ((const struct pair *)left)->key - ((const struct pair *)right)->key;
}

static void test_sort(void)
{
	struct cs_random random = {7};
	for (size_t n = 0; n < 300; n += 1 + n / 7) {
		struct pair *pairs = calloc(n + 1, sizeof(*pairs));
		struct cs_sort_key *keys = calloc(n + 1, sizeof(*keys));
		for (size_t i = 0; i < n; i++) {
			pairs[i] = (struct pair){(int)cs_random_below(&random, 20), (int)i};
			keys[i] = (struct cs_sort_key){cs_random_below(&random, 3),
				cs_random_u64(&random) >> 40, (uint32_t)i};
		}
		bool good =
			cs_sort(pairs, n, sizeof(*pairs), by_key, NULL) && cs_sort_keys(keys, n);
		for (size_t i = 1; i < n; i++) {
			good = good && (pairs[i - 1].key < pairs[i].key ||
					       (pairs[i - 1].key == pairs[i].key &&
						       pairs[i - 1].order < pairs[i].order));
			good = good && (keys[i - 1].high < keys[i].high ||
					       (keys[i - 1].high == keys[i].high &&
						       keys[i - 1].low <= keys[i].low));
		}
		uint32_t *words = calloc(n + 1, sizeof(*words));
		for (size_t i = 0; i < n; i++)
			words[i] = (uint32_t)cs_random_u64(&random);
		good = good && cs_sort_u32(words, n);
		for (size_t i = 1; i < n; i++)
			good = good && words[i - 1] <= words[i];
		free(words);
		uint64_t *longs = calloc(n + 1, sizeof(*longs));
		for (size_t i = 0; i < n; i++)
			longs[i] = (cs_random_u64(&random) & 0x300ff0000ff0003) << 32 | i;
		good = good && cs_sort_u64_by_high(longs, n);
		for (size_t i = 1; i < n; i++)
			good = good && longs[i - 1] < longs[i];
		free(longs);
		ok(good, "sort: %zu elements, stable", n);
		free(pairs);
		free(keys);
	}
}

/* Items of an array in another order, where memory has room for all and for a few at once. */
static void test_gather(void)
{
	enum { N = 1000 };
	struct cs_random random = {3};
	struct pair from[N], to[N];
	uint32_t order[N];
	for (int i = 0; i < N; i++) {
		from[i] = (struct pair){i, -i};
		order[i] = (uint32_t)cs_random_below(&random, N);
	}
	for (uint64_t most = 0; most <= 1 << 16; most = most ? 4 * most : 64) {
		bool good = true;
		cs_large_limit(most);
		good = cs_gather(to, from, sizeof(*from), order, N);
		for (int i = 0; good && i < N; i++)
			good = to[i].key == (int)order[i] && to[i].order == -to[i].key;
		ok(good, "gather: a limit of %d bytes", (int)most);
	}
	cs_large_limit(0);
}

static void square(void *context, size_t begin, size_t end, int thread)
{
	(void)thread;
	for (size_t i = begin; i < end; i++)
		((uint64_t *)context)[i] = i * i;
}

/* The number of chunks, and of those that have a whole grain; only the last one may be shorter. */
struct chunks {
	_Atomic size_t n, n_whole;
};

static void count_chunk(void *context, size_t begin, size_t end, int thread)
{
	struct chunks *chunks = context;
	(void)thread;
	chunks->n++;
	chunks->n_whole += begin % 33 == 0 && end - begin == 33;
}

static void test_chunks(void)
{
	static const size_t lengths[] = {0, 1, 33, 34, 66, 10000};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct chunks alone = {0}, shared = {0};
		size_t n = lengths[i];
		cs_parallel_for(1, n, 33, count_chunk, &alone);
		cs_parallel_for(3, n, 33, count_chunk, &shared);
		is_int(alone.n, n > 0, "parallel: one thread gets all %zu at once", n);
		if (cs_parallel_threads(3) > 1)
			ok(shared.n == (n + 32) / 33 && shared.n_whole == n / 33,
				"parallel: three get %zu by the grain", n);
	}
}

static void test_parallel(void)
{
	enum { N = 10000 };
	uint64_t *squares = calloc(N, sizeof(*squares));
	for (int threads = 1; threads <= 8; threads *= 2) {
		bool good = true;
		memset(squares, 0xff, N * sizeof(*squares));
		cs_parallel_for(threads, N, 33, square, squares);
		for (size_t i = 0; i < N; i++)
			good = good && squares[i] == i * i;
		ok(good, "parallel: every index once on %d threads", threads);
	}
	free(squares);
}

static uint64_t hash_few(const void *values, uint32_t row)
{
	return ((const uint32_t *)values)[row] * UINT64_C(0x9e3779b97f4a7c15) >> 5;
}

static bool is_equal(const void *values, uint32_t left, uint32_t right)
{
	return ((const uint32_t *)values)[left] == ((const uint32_t *)values)[right];
}

static void test_alike(void)
{
	enum { N = 100000, KINDS = 30000 };
	uint32_t *values = calloc(N, sizeof(*values)), *firsts = calloc(N, sizeof(*firsts));
	uint32_t first_of[KINDS];
	for (uint32_t i = 0; i < N; i++)
		values[i] = (uint32_t)((uint64_t)i * i % KINDS);
	const struct cs_rows rows = {N, hash_few, is_equal, values};
	for (int threads = 1; threads <= 3; threads++) {
		bool good = true;
		memset(first_of, 0xff, sizeof(first_of));
		works(cs_find_alike(&rows, threads, firsts), "alike: on %d threads", threads);
		for (uint32_t i = 0; i < N; i++) {
			uint32_t *first = &first_of[values[i]];
			*first = *first == CS_NONE ? i : *first;
			good = good && firsts[i] == *first;
		}
		ok(good, "alike: each row finds the first that is the same");
	}
	free(values);
	free(firsts);
}

static void test_random(void)
{
	struct cs_random random = {1234567};
	ok(cs_random_u64(&random) == UINT64_C(6457827717110365317) &&
			cs_random_u64(&random) == UINT64_C(3203168211198807973),
		"random: SplitMix64 as published");
}

/*
 * Returns the half at a place in the order of values, from the smallest (negative places) to the
 * largest.
 */
static float half_at(int place)
{
	return place < 0 ? -cs_half_value((uint16_t)-place) : cs_half_value((uint16_t)place);
}

/* Converts every half, and the floats around the middle between each half and the next. */
static void test_half(void)
{
	int wrong = 0, apart = 0;
	for (int place = -CS_HALF_LARGEST; place < (int)CS_HALF_LARGEST; place++) {
		float low = half_at(place), high = half_at(place + 1);
		float middle = (float)(((double)low + (double)high) / 2); /* exact */
		float even = place & 1 ? high : low;
		wrong += cs_half_value(cs_half_nearest(low)) != low;
		wrong += cs_half_value(cs_half_below(low)) != low;
		wrong += cs_half_value(cs_half_above(low)) != low;
		wrong += cs_half_value(cs_half_nearest(middle)) != even;
		wrong += cs_half_value(cs_half_nearest(nextafterf(middle, low))) != low;
		wrong += cs_half_value(cs_half_nearest(nextafterf(middle, high))) != high;
		wrong += cs_half_value(cs_half_below(nextafterf(high, low))) != low;
		wrong += cs_half_value(cs_half_above(nextafterf(low, high))) != high;
		wrong += cs_half_value(cs_half_below(nextafterf(low, high))) != low;
		apart += low < high;
	}
	is_int(wrong, 0, "half: every half and every middle rounds as it should");
	is_int(apart, 2 * (int)CS_HALF_LARGEST, "half: they are in order");
	is_double((double)cs_half_value(1), 0x1p-24, "half: the smallest");
	is_double((double)cs_half_value(CS_HALF_LARGEST), 65504, "half: the largest");
	is_int(cs_half_nearest(-0.0f), 0x8000, "half: minus zero keeps its sign");
	is_int(cs_half_nearest(65519.996f), CS_HALF_LARGEST, "half: just not infinite");
	is_int(cs_half_nearest(65520.0f), CS_HALF_INFINITY, "half: infinite");
	is_int(cs_half_below(1e10f), CS_HALF_LARGEST, "half: below is finite");
	is_int(cs_half_below(-1e10f), 0xfc00, "half: below minus 65504");
	ok(isnan(cs_half_value(cs_half_nearest(NAN))) && isnan(cs_half_value(cs_half_below(NAN))),
		"half: NaN stays");
}

static void test_scratch(void)
{
	struct cs_scratch scratch = CS_SCRATCH_INIT;
	ok(CS_SCRATCH_ARRAY(&scratch, uint32_t, 10) && !scratch.failed, "scratch: ten numbers");
	const struct cs_scratch_mark mark = cs_scratch_mark(&scratch);
	ok(!CS_SCRATCH_ARRAY(&scratch, uint32_t, SIZE_MAX) && scratch.failed,
		"scratch: a size that overflows fails");
	ok(CS_SCRATCH_ARRAY(&scratch, uint32_t, 10) && scratch.failed,
		"scratch: a later success does not hide the failure");
	const struct cs_scratch_mark inner = cs_scratch_mark(&scratch);
	cs_scratch_release(&scratch, inner);
	ok(scratch.failed, "scratch: neither does the release of a mark that was set after it");
	cs_scratch_release(&scratch, mark);
	ok(!scratch.failed, "scratch: the release of a mark set before it does");
	cs_scratch_deinit(&scratch);
}

int main(void)
{
	test_items();
	test_utf8_inside();
	test_guid();
	test_escape();
	test_escape_rows();
	test_names();
	test_name_hashes();
	test_utf8();
	test_utf8_characters();
	test_geometry();
	test_points();
	test_rotations();
	test_cursor();
	test_strings();
	test_sort();
	test_gather();
	test_parallel();
	test_alike();
	test_scratch();
	test_chunks();
	test_random();
	test_half();
	return done();
}
