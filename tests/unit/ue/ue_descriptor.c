/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors of every release, put together here field by field from the rules, not
 * by the library's own tables: one letter for each field, one line of letters for each release.
 */
#include "core/guid.h"
#include "core/random.h"
#include "core/text.h"
#include "tests/samples/tap.h"

#include "core/writer.h"
#include "tests/make/ue_write.h"
#include "tests/make/writes.h"
#include "ue/package/descriptor.h"
#include "ue/package/registry.h"

#include <math.h>

/* ---- strings ---- */

static void put_text(struct cs_writer *w, const char *text)
{
	size_t n = strlen(text);
	cs_writer_u32(w, n ? (uint32_t)n + 1 : 0);
	cs_writer_bytes(w, text, n ? n + 1 : 0);
}

static bool is_string(struct cs_ue_string string, const char *want)
{
	struct cs_arena arena = CS_ARENA_INIT;
	const char *text = cs_ue_text(string, &arena);
	bool same = text && strcmp(text, want) == 0;
	if (!same)
		diag("got '%s', want '%s'", text ? text : "(null)", want);
	cs_arena_deinit(&arena);
	return same;
}

static bool is_path(const struct cs_ue_path *path, const char *want)
{
	struct cs_arena arena = CS_ARENA_INIT;
	const char *text = cs_ue_path_text(path, &arena);
	bool same = text && strcmp(text, want) == 0;
	if (!same)
		diag("got '%s', want '%s'", text ? text : "(null)", want);
	cs_arena_deinit(&arena);
	return same;
}

static void test_strings(void)
{
	static const unsigned char bytes[] = {
		3, 0, 0, 0, 'a', 'b', 0,                              /* 8 bit */
		0xfd, 0xff, 0xff, 0xff, 0xf6, 0, 0x42, 0x68, 0, 0,    /* UTF-16: o umlaut, U+6842 */
		0xfd, 0xff, 0xff, 0xff, 0x3c, 0xd8, 0xe0, 0xdf, 0, 0, /* a pair: U+1F3E0 */
		0xfe, 0xff, 0xff, 0xff, 0x3c, 0xd8, 0, 0,             /* half a pair */
		3, 0, 0, 0, 0xc3, 0xb6, 0,                            /* UTF-8 */
		2, 0, 0, 0, 0xf6, 0,                                  /* Latin-1 */
		0, 0, 0, 0,                                           /* nothing */
		4, 0, 0, 0, 'x', 0, 'y', 0,                           /* a NUL inside */
	};
	static const char *const want[] = {"ab", "\xc3\xb6\xe6\xa1\x82", "\xf0\x9f\x8f\xa0",
		"\xef\xbf\xbd", "\xc3\xb6", "\xc3\xb6", "", "x"};
	struct cs_cursor c = cs_cursor_over(bytes, sizeof(bytes), 0, NULL);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		ok(is_string(cs_ue_read_string(&c), want[i]), "string %zu", i);
	ok(!c.bad && cs_cursor_left(&c) == 0, "strings: all read");
	static const unsigned char bad[][8] = {{3, 0, 0, 0, 'a', 'b', 'c'},
		{0xff, 0xff, 0xff, 0x7f, 'a'}, {0, 0, 0, 0x80, 'a'},
		{0xff, 0xff, 0xff, 0xff, 1, 0}};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		c = cs_cursor_over(bad[i], sizeof(bad[i]), 0, NULL);
		cs_ue_read_string(&c);
		ok(c.bad, "string without its end %zu", i);
	}
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_writer w = {0};
	static const char *const texts[] = {
		"", "plain", "Gr\xc3\xb6\xc3\x9f\x65", "\xf0\x9f\x8f\xa0"};
	for (size_t i = 0; i < 4; i++)
		cs_ue_write_string(&w, cs_ue_string_of(texts[i], &arena));
	c = cs_cursor_over(w.bytes, w.size, 0, NULL);
	for (size_t i = 0; i < 4; i++)
		ok(is_string(cs_ue_read_string(&c), texts[i]), "string %zu comes back", i);
	cs_writer_deinit(&w);
	cs_arena_deinit(&arena);
}

/* Decodes each byte as a digit in all four places of a group: RFC 4648, tables 1 and 2. */
static void test_base64_digits(void)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
	int wrong = 0;
	for (int byte = 1; byte < 256; byte++) {
		const char *at = byte == '=' ? NULL : strchr(digits, byte);
		uint32_t value = !at ? 0 : at - digits < 64 ? at - digits : at - digits - 2;
		for (unsigned place = 0; place < 4; place++) {
			unsigned char text[4] = "AAAA", out[4] = {0};
			text[place] = (unsigned char)byte;
			size_t n = cs_base64_decode(text, byte == '=' ? place + 1 : 4, out);
			uint32_t got = (uint32_t)out[0] << 16 | (uint32_t)out[1] << 8 | out[2];
			if (byte == '=')
				wrong += n != (place == 1 ? SIZE_MAX : place * 3 / 4) || got != 0;
			else if (!at)
				wrong += n != SIZE_MAX;
			else
				wrong += n != 3 || got != value << (18 - 6 * place);
		}
	}
	is_int(wrong, 0, "base64: every byte at every place, of both alphabets or of none");
}

static void test_base64(void)
{
	unsigned char out[64];
	static const struct {
		const char *text, *bytes;
	} vectors[] = {{"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"},
		{"Zm9vYg==", "foob"}, {"Zm9vYmE=", "fooba"}, {"Zm9vYmFy", "foobar"}, {"Zg", "f"}};
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		size_t n = cs_base64_decode(
			(const unsigned char *)vectors[i].text, strlen(vectors[i].text), out);
		ok(n == strlen(vectors[i].bytes) && memcmp(out, vectors[i].bytes, n) == 0,
			"base64: RFC 4648, '%s'", vectors[i].text);
	}
	ok(cs_base64_decode((const unsigned char *)"Zg=x", 4, out) == SIZE_MAX &&
			cs_base64_decode((const unsigned char *)"Z", 1, out) == SIZE_MAX,
		"base64: what is none");
	ok(cs_base64_decode((const unsigned char *)"-_-_", 4, out) == 3 &&
			memcmp(out, "\xfb\xff\xbf", 3) == 0,
		"base64: the alphabet for names");
	struct cs_writer w = {0};
	for (int i = 0; i < 256; i++)
		cs_writer_u8(&w, (uint8_t)i);
	struct cs_writer text = {0};
	unsigned char back[300];
	bool good = true;
	for (size_t n = 0; n <= 256; n++) {
		text.size = 0;
		cs_ue_base64_encode(&text, w.bytes, n);
		good = good && cs_base64_decode(text.bytes, text.size, back) == n &&
		       memcmp(back, w.bytes, n) == 0;
	}
	ok(good, "base64: 0 to 256 bytes come back");
	cs_writer_deinit(&w);
	cs_writer_deinit(&text);
}

/* ---- descriptors ---- */

static const struct cs_guid actor_guid = {1, 2, 3, 4}, parent_guid = {5, 6, 7, 8},
			    folder_guid = {9, 10, 11, 12}, bundle_guid = {13, 14, 15, 16};

static void put_doubles(struct cs_writer *w, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cs_writer_f64(w, values[i]);
}

static void put_soft_path(struct cs_writer *w, const char *package, const char *asset)
{
	put_text(w, package);
	put_text(w, asset);
	put_text(w, "");
}

/* Writes bounds or a transform; returns false for another letter. */
static bool put_place(struct cs_writer *w, char letter)
{
	static const double centre[] = {10, 20, 30, 1, 2, 3};
	static const double transform[] = {0, 0, 0, 1, 100, 200, 300, 2, 2, 2};
	static const double boxes[] = {9, 18, 27, 11, 22, 33}, editor[] = {8, 18, 27, 12, 22, 33};
	static const double oriented[] = {10, 20, 30, 0, 0, 0, 1, 1, 2, 3};
	if (letter == 't') {
		put_doubles(w, transform, 10);
	} else if (letter == 'f') { /* bounds in 32 bits */
		for (int i = 0; i < 6; i++)
			cs_writer_f32(w, (float)centre[i]);
	} else if (letter == 'b' || letter == 'v') { /* bounds, behind "valid" or not */
		if (letter == 'v')
			cs_writer_u32(w, 1);
		put_doubles(w, centre, 6);
	} else if (letter == 'x') { /* two boxes */
		put_doubles(w, boxes, 6);
		cs_writer_u8(w, 1);
		put_doubles(w, editor, 6);
		cs_writer_u8(w, 1);
	} else if (letter == 'o') { /* two oriented boxes, the second one invalid */
		put_doubles(w, oriented, 10);
		cs_writer_u32(w, 1);
		put_doubles(w, oriented, 10);
		cs_writer_u32(w, 0);
	} else {
		return false;
	}
	return true;
}

/* Fields made of texts; those that can have several begin with a count. */
static const struct {
	char letter;
	uint32_t count;
	const char *texts[4];
} text_fields[] = {
	{'c', 0, {"Pillar"}},                                           /* native class, bare */
	{'C', 0, {"/Game/BP_P", "BP_P_C", "/Script/Engine", "Pillar"}}, /* base, native class */
	{'D', 0, {"/Game/BP_P.BP_P_C", "/Script/Engine.Pillar"}},       /* the same as names */
	{'g', 0, {"Far"}},                                              /* grid */
	{'n', 0, {"Label"}}, {'H', 0, {"/Game/H.H"}},                   /* HLOD layer by name */
	{'Y', 0, {"/Game/H", "H", ""}},                                 /* HLOD layer as a path */
	{'X', 0, {"/P/EDL", "EDL", ""}},                                /* external data layer */
	{'F', 0, {"A/B"}},                                              /* folder */
	{'k', 0, {"/Game/Pkg", "/Game/Pkg.A"}}, /* package and path of very old files */
	{'T', 2, {"One", "Two"}},               /* tags */
	{'O', 1, {"DataLayer_X"}},              /* old layers */
	{'L', 1, {"DataLayer_X"}},              /* data layers */
	{'M', 1, {"Key", "Value"}},             /* property map */
};

static bool put_texts(struct cs_writer *w, char letter)
{
	for (size_t i = 0; i < sizeof(text_fields) / sizeof(text_fields[0]); i++) {
		if (text_fields[i].letter != letter)
			continue;
		if (text_fields[i].count)
			cs_writer_u32(w, text_fields[i].count);
		for (size_t k = 0; k < 4 && text_fields[i].texts[k]; k++)
			put_text(w, text_fields[i].texts[k]);
		return true;
	}
	return false;
}

static const struct {
	char letter;
	uint32_t count; /* in front, 0 = none */
	const struct cs_guid *guids[2];
} guid_fields[] = {
	{'u', 0, {&actor_guid}}, {'P', 0, {&parent_guid}}, {'d', 0, {&folder_guid}},
	{'B', 0, {&bundle_guid}}, {'R', 2, {&parent_guid, &bundle_guid}}, /* references */
	{'E', 1, {&bundle_guid}}, /* editor-only references */
};

static bool put_guids(struct cs_writer *w, char letter)
{
	for (size_t i = 0; i < sizeof(guid_fields) / sizeof(guid_fields[0]); i++) {
		if (guid_fields[i].letter != letter)
			continue;
		if (guid_fields[i].count)
			cs_writer_u32(w, guid_fields[i].count);
		for (size_t k = 0; k < 2 && guid_fields[i].guids[k]; k++)
			cs_writer_guid(w, *guid_fields[i].guids[k]);
		return true;
	}
	return false;
}

/* Writes the value that each letter of the releases below stands for. */
static void put_field(struct cs_writer *w, char letter)
{
	if (letter == 'p') /* always loaded, before it was a boolean */
		cs_writer_u8(w, 2);
	else if (strchr("erlhami1", letter)) /* editor only, runtime only, ... a class */
		cs_writer_u32(w, 1);
	else if (strchr("s0N", letter)) /* not spatial, no class, no components */
		cs_writer_u32(w, 0);
	else if (!put_place(w, letter) && !put_texts(w, letter) && !put_guids(w, letter))
		ok(false, "no field '%c'", letter);
}

/*
 * The fields of each release in order; those in the second list can be "as in the class" where
 * deltas exist.
 */
static const struct release {
	const char *name;
	int32_t main, rel, season, fn_main;
	const char *fields;
} releases[] = {
	{"before 5.0 EA", 5, 1, 0, 0, "cufpgelORk"},
	{"5.0EA", 26, 10, 0, 0, "cufpgelRLnhHF"},
	{"5.0 preview", 59, 32, 0, 0, "cubsgelRLnhHFPd"},
	{"5.0 early", 59, 33, 0, 0, "cubsgelRLnhHFPd"},
	{"5.0", 59, 36, 0, 0, "cubsgelRLnhHFPd"},
	{"5.1", 88, 41, 10, 80, "CubsgerRTLanhHFPdMB"},
	{"5.2", 104, 41, 10, 83, "CubsgerRTLanhHFPdMB"},
	{"5.3", 118, 47, 10, 111, "0CuvsgerRETLanhYFPdMBmi"},
	{"5.4 preview", 118, 47, 10, 123, "0CuvsgerRETLanhYFPdMBmi"},
	{"5.4", 119, 51, 12, 134, "0CutvsgerRETLanhYFPdMBmiX"},
	{"5.5", 119, 51, 13, 170, "0CutxsgerRETLanhYFPdMBmiX"},
	{"5.6", 121, 56, 13, 207, "0CutosgerRETLanhYFPdMBmiX"},
	{"5.7", 121, 61, 15, 225, "0CutosgerRETLanhYFPdMBmiXN"},
};

static const char delta_letters[] = "sgerTLanhHYBmiX";

static void put_version(
	struct cs_writer *w, uint32_t a, uint32_t b, uint32_t c, uint32_t d, int32_t value)
{
	cs_writer_guid(w, (struct cs_guid){a, b, c, d});
	cs_writer_u32(w, (uint32_t)value);
}

static void put_versions(struct cs_writer *w, const struct release *release)
{
	cs_writer_u32(w, 2 + (release->season > 0) + (release->fn_main > 0));
	put_version(w, 0x697DD581, 0xE64F41AB, 0xAA4A51EC, 0xBEB7B628, release->main);
	put_version(w, 0xD89B5E42, 0x24BD4D46, 0x8412ACA8, 0xDF641779, release->rel);
	if (release->season > 0)
		put_version(w, 0x5B4C06B7, 0x24634AF8, 0x805BBF70, 0xCDF5D0DD, release->season);
	if (release->fn_main > 0)
		put_version(w, 0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6, release->fn_main);
}

static void put_descriptor(
	struct cs_writer *w, const struct release *release, const char *fields, bool stored)
{
	put_versions(w, release);
	for (const char *letter = fields; *letter; letter++) {
		bool delta = release->fn_main >= 88 && strchr(delta_letters, *letter);
		if (delta)
			cs_writer_u8(w, stored);
		if (!delta || stored)
			put_field(w, *letter);
	}
}

static bool has(const struct release *release, const char *letters)
{
	return strpbrk(release->fields, letters) != NULL;
}

static bool is_vector(struct cs_vec3 v, double x, double y, double z)
{
	return v.x == x && v.y == y && v.z == z;
}

/* Returns whether the bounds are the same box in every form that bounds have had. */
static bool bounds_hold(const struct release *release, const struct cs_ue_descriptor *d)
{
	if (has(release, "o"))
		return d->relative && d->runtime.valid && !d->editor.valid &&
		       is_vector(d->runtime.centre, 10, 20, 30) &&
		       is_vector(d->runtime.box.max, 1, 2, 3) &&
		       is_vector(d->runtime.box.min, -1, -2, -3);
	bool editor =
		has(release, "x") ? d->editor.valid && d->editor.box.min.x == 8 : !d->editor.valid;
	return !d->relative && d->runtime.valid && is_vector(d->runtime.box.min, 9, 18, 27) &&
	       is_vector(d->runtime.box.max, 11, 22, 33) && editor;
}

static bool first_is(const struct cs_ue_list *list, uint32_t n, const char *text)
{
	struct cs_cursor c = cs_cursor_over(list->at, list->bytes, 0, NULL);
	return list->n == n && is_string(cs_ue_read_string(&c), text);
}

static void check_fields(const struct release *r, const struct cs_ue_descriptor *d)
{
	ok(is_path(&d->native_class, has(r, "CD") ? "/Script/Engine.Pillar" : "Pillar") &&
			(!has(r, "CD") || is_path(&d->base_class, "/Game/BP_P.BP_P_C")),
		"%s: classes", r->name);
	ok(cs_guid_compare(d->guid, actor_guid) == 0 && bounds_hold(r, d) &&
			d->has_transform == has(r, "t") &&
			(!has(r, "t") || is_vector(d->transform.translation, 100, 200, 300)),
		"%s: identity and place", r->name);
	ok(!d->spatial && is_string(d->grid, "Far") && d->editor_only &&
			d->runtime_only == has(r, "r") && d->main_world_only == has(r, "m") &&
			d->listed == has(r, "i") && d->hlod_relevant == has(r, "h"),
		"%s: flags and grid", r->name);
	ok(d->references.n == 2 && d->editor_references.n == has(r, "E") &&
			(!has(r, "T") || first_is(&d->tags, 2, "One")) &&
			(!has(r, "L") || first_is(&d->layers, 1, "DataLayer_X")) &&
			(!has(r, "O") || first_is(&d->old_layers, 1, "DataLayer_X")) &&
			(!has(r, "M") || first_is(&d->properties, 1, "Key")),
		"%s: lists", r->name);
	ok((!has(r, "n") || is_string(d->label, "Label")) &&
			(!has(r, "HY") || is_path(&d->hlod_layer, "/Game/H.H")) &&
			(!has(r, "F") || is_string(d->folder, "A/B")) &&
			(!has(r, "X") || is_path(&d->external_layer, "/P/EDL.EDL")) &&
			d->layers_are_assets == has(r, "a"),
		"%s: texts", r->name);
	ok((!has(r, "P") || cs_guid_compare(d->parent, parent_guid) == 0) &&
			(!has(r, "d") || cs_guid_compare(d->folder_guid, folder_guid) == 0) &&
			(!has(r, "B") || cs_guid_compare(d->content_bundle, bundle_guid) == 0),
		"%s: GUIDs", r->name);
}

/*
 * Decodes a descriptor that was put together: nothing is left over, and it can be put together
 * again.
 */
static bool decode(const struct cs_writer *w, struct cs_ue_descriptor *ret, const char *name)
{
	struct cs_cursor c = cs_cursor_over(w->bytes, w->size, 0, name);
	works(cs_ue_decode_descriptor(&c, ret), "%s: decoded", name);
	bool good = ok(cs_cursor_left(&c) == 0, "%s: to the last byte", name);
	if (good) { /* placements of very old files do not keep which of three it was */
		struct cs_writer again = {0};
		cs_ue_encode_descriptor(&again, ret);
		bool same = again.size == w->size && memcmp(again.bytes, w->bytes, w->size) == 0;
		ok(same || ret->versions.of[CS_UE_REL] < 18, "%s: encoded again, the same", name);
		cs_writer_deinit(&again);
	}
	return good;
}

static void test_release(const struct release *release)
{
	struct cs_writer w = {0};
	struct cs_ue_descriptor d;
	put_descriptor(&w, release, release->fields, true);
	if (decode(&w, &d, release->name)) {
		is_int(d.stored & ~CS_UE_STORED_LAYER_KIND, cs_ue_fields_of(&d.versions),
			"%s: every field is stored", release->name);
		ok(cs_ue_has_field(&d.versions, "editor bounds") == has(release, "xo") &&
				cs_ue_has_field(&d.versions, "actor transform") ==
					has(release, "t"),
			"%s: what its versions can say is known", release->name);
		check_fields(release, &d);
	}
	w.size = 0;
	put_descriptor(&w, release, release->fields, false);
	if (release->fn_main >= 88 && decode(&w, &d, release->name))
		is_int(d.stored, 0, "%s: nothing is stored", release->name);
	cs_writer_deinit(&w);
}

/*
 * Writes the fields that a version has, by ue-project-files rules 4, condition by condition. Files
 * of FnMain have bounds of 64 bits.
 */
static void fields_by_rules(const struct release *r, char *to)
{
	const bool hlod = r->main >= 27 || r->rel >= 2;
	const struct {
		char letter;
		bool there;
	} rules[] = {
		/* clang-format off */
		{'0', r->fn_main >= 88}, {'C', r->season >= 5 && r->main >= 88},
		{'D', r->season >= 5 && r->main < 88}, {'c', r->season < 5}, {'u', true},
		{'t', r->season >= 11}, {'f', r->rel < 28},
		{'b', r->rel >= 28 && r->fn_main < 96},
		{'v', r->fn_main >= 96 && r->fn_main < 156},
		{'x', r->fn_main >= 156 && r->fn_main < 177}, {'o', r->fn_main >= 177},
		{'p', r->rel < 18}, {'s', r->rel >= 18}, {'g', true}, {'e', true},
		{'r', r->fn_main >= 78}, {'l', r->main < 75}, {'O', r->main < 8}, {'R', true},
		{'E', r->fn_main >= 98}, {'T', r->season >= 6}, {'k', r->main < 23},
		{'L', r->main >= 8}, {'a', r->season >= 3}, {'n', r->main >= 22}, {'h', hlod},
		{'H', hlod && r->fn_main < 99}, {'Y', hlod && r->fn_main >= 99},
		{'F', r->rel >= 6}, {'P', r->rel >= 17}, {'d', r->rel >= 21},
		{'M', r->season >= 7}, {'B', r->fn_main >= 77}, {'m', r->fn_main >= 101},
		{'i', r->rel >= 46}, {'X', r->rel >= 48}, {'N', r->fn_main >= 222},
		/* clang-format on */
	};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].there)
			*to++ = rules[i].letter;
	*to = '\0';
}

/* Returns a version at which something changed, or one beside it. */
static int32_t version_near(struct cs_random *random, const int32_t *changes)
{
	uint32_t n = 0;
	while (changes[n])
		n++;
	return changes[cs_random_below(random, n)] + (int32_t)cs_random_below(random, 3) - 1;
}

static void test_rules(void)
{
	static const int32_t main[] = {8, 22, 23, 27, 75, 88, 100, 0};
	static const int32_t rel[] = {2, 6, 17, 18, 21, 28, 46, 48, 0};
	static const int32_t season[] = {1, 3, 5, 6, 7, 11, 0};
	static const int32_t fn_main[] = {77, 78, 88, 96, 98, 99, 101, 156, 177, 222, 0};
	struct cs_random random = {4};
	for (int i = 0; i < 300; i++) {
		char name[80], fields[64];
		struct release r = {name, version_near(&random, main), version_near(&random, rel),
			version_near(&random, season), 0, fields};
		if (i % 4) {
			r.fn_main = version_near(&random, fn_main);
			r.rel = r.rel < 28 ? 28 : r.rel;
		}
		fields_by_rules(&r, fields);
		snprintf(name, sizeof(name), "versions %d %d %d %d", r.main, r.rel, r.season,
			r.fn_main);
		test_release(&r);
	}
}

/* Class descriptors lack the fields that only actors have. */
static void test_classes(void)
{
	static const struct release rows[] = {
		{"class before FnMain 100", 118, 47, 10, 95, "1CusgerRTLanhHBi"},
		{"class of 5.3", 118, 47, 10, 111, "1CsgerRETLanhYBmi"},
		{"class of 5.6", 121, 56, 13, 207, "1CsgerRETLanhYBmiX"},
		{"class of 5.7", 121, 61, 15, 225, "1CsgerRETLanhYBmiXN"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_writer w = {0};
		struct cs_ue_descriptor d;
		/* before FnMain 99 the HLOD layer is a name, and still a delta field */
		put_versions(&w, &rows[i]);
		for (const char *letter = rows[i].fields; *letter; letter++) {
			if (strchr(delta_letters, *letter) || *letter == 'H')
				cs_writer_u8(&w, 1);
			put_field(&w, *letter);
		}
		if (decode(&w, &d, rows[i].name))
			ok(d.is_class && !d.has_transform && !d.runtime.valid &&
					is_path(&d.hlod_layer, "/Game/H.H"),
				"%s: has no place", rows[i].name);
		cs_writer_deinit(&w);
	}
}

/* ---- tails ---- */

/* Writes an actor of 5.6 or 5.0 with another native class, all fields unset, and a tail. */
static void put_actor(struct cs_writer *w, const struct release *release, const char *native)
{
	put_versions(w, release);
	for (const char *letter = release->fields; *letter; letter++) {
		if (*letter == 'c') {
			put_text(w, native);
		} else if (*letter == 'C') {
			put_text(w, "None");
			put_text(w, "None");
			put_text(w, "/Script/Engine");
			put_text(w, native);
		} else if (release->fn_main >= 88 && strchr(delta_letters, *letter)) {
			cs_writer_u8(w, 0);
		} else {
			put_field(w, *letter);
		}
	}
}

static const struct release *release_named(const char *name)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		if (strcmp(releases[i].name, name) == 0)
			return &releases[i];
	return &releases[0];
}

static void test_partition_tail(void)
{
	static const struct {
		const char *release, *class_name;
		bool landscape;
	} rows[] = {{"5.6", "LandscapeStreamingProxy", true}, {"5.0", "Landscape", true},
		{"5.0 early", "Landscape", true}, {"5.0 preview", "Landscape", false},
		{"5.4", "InstancedFoliageActor", false},
		{"5.0EA", "LandscapeStreamingProxy", false}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_writer w = {0};
		struct cs_ue_descriptor d;
		put_actor(&w, release_named(rows[i].release), rows[i].class_name);
		cs_writer_u32(&w, 252);
		for (int axis = 0; axis < 3; axis++)
			cs_writer_u64(&w, (uint64_t)(int64_t)(axis - 1));
		cs_writer_guid(&w, parent_guid);
		if (rows[i].landscape)
			cs_writer_guid(&w, bundle_guid);
		if (decode(&w, &d, rows[i].class_name))
			ok(d.tail.grid_size == 252 && d.tail.grid[0] == -1 &&
					cs_guid_compare(d.tail.grid_guid, parent_guid) == 0 &&
					d.tail.landscape.a == (rows[i].landscape ? 13 : 0) &&
					!d.tail.opaque,
				"%s: its grid", rows[i].class_name);
		cs_writer_deinit(&w);
	}
}

static void test_level_tail(void)
{
	struct cs_writer w = {0};
	struct cs_ue_descriptor d;
	put_actor(&w, release_named("5.6"), "LevelInstance");
	cs_writer_u8(&w, 1);
	put_soft_path(&w, "/Game/Room", "Room");
	cs_writer_u8(&w, 1);
	cs_writer_u8(&w, 3);
	cs_writer_u8(&w, 0);
	if (decode(&w, &d, "level instance of 5.6"))
		ok(d.tail.stored == (CS_UE_STORED_LEVEL | CS_UE_STORED_BEHAVIOR) &&
				is_path(&d.tail.level, "/Game/Room.Room") && d.tail.behavior == 3 &&
				!d.tail.has_transform && !d.tail.opaque,
			"level instance of 5.6: level and behaviour");
	w.size = 0;
	put_actor(&w, release_named("5.3"), "LevelInstance");
	cs_writer_u8(&w, 0);
	put_field(&w, 't');
	cs_writer_u8(&w, 0);
	cs_writer_u8(&w, 0);
	if (decode(&w, &d, "level instance of 5.3"))
		ok(d.tail.stored == 0 && d.tail.has_transform &&
				d.tail.transform.translation.x == 100,
			"level instance of 5.3: has its transform");
	w.size = 0;
	put_actor(&w, release_named("5.4"), "PackedLevelActor");
	cs_writer_u16(&w, 0);
	if (decode(&w, &d, "packed level of 5.4"))
		ok(d.tail.stored == 0 && !d.tail.opaque, "packed level of 5.4: two unset fields");
	w.size = 0;
	put_actor(&w, release_named("5.0EA"), "PackedLevelInstance");
	put_text(&w, "/Game/Packed");
	for (int i = 0; i < 10; i++)
		cs_writer_f32(&w, (float)i);
	cs_writer_u8(&w, 0);
	if (decode(&w, &d, "packed level of 5.0 EA"))
		ok(is_path(&d.tail.level, "/Game/Packed") && d.tail.transform.translation.y == 5,
			"packed level of 5.0 EA: level and transform");
	for (int32_t rel = 27; rel <= 28; rel++) { /* its transform gets 64 bits */
		char fields[64];
		const struct release r = {"level instance", 87, rel, 4, 0, fields};
		fields_by_rules(&r, fields);
		w.size = 0;
		put_actor(&w, &r, "LevelInstance");
		put_text(&w, "/Game/Room");
		for (int i = 0; i < 10; i++)
			rel < 28 ? cs_writer_f32(&w, (float)i) : cs_writer_f64(&w, i);
		cs_writer_u8(&w, 2);
		if (decode(&w, &d, r.name))
			ok(is_path(&d.tail.level, "/Game/Room") && d.tail.behavior == 2 &&
					d.tail.transform.scale.x == 7,
				"level instance of Rel %d", rel);
	}
	w.size = 0;
	put_actor(&w, release_named("5.6"), "LevelInstance");
	cs_writer_u8(&w, 7);
	struct cs_cursor c = cs_cursor_over(w.bytes, w.size, 0, NULL);
	works(cs_ue_decode_descriptor(&c, &d), "a tail that is not understood");
	ok(d.tail.opaque, "a tail that is not understood stays opaque");
	cs_writer_deinit(&w);
}

/* The list of data layers has one more flag from version 86 of FnMain on, and another from 90. */
static void test_layers(const struct release *release)
{
	const int extra = (release->fn_main >= 86) + (release->fn_main >= 90);
	const int end = (release->fn_main >= 123 ? 4 : 0) + (release->rel >= 48 ? 4 : 0);
	struct cs_writer w = {0};
	struct cs_ue_descriptor d;
	put_actor(&w, release, "WorldDataLayers");
	cs_writer_u32(&w, 2);
	for (uint32_t k = 0; k < 2; k++) {
		put_text(&w, k ? "DataLayer_B" : "DataLayer_A");
		put_text(&w, k ? "DataLayer_A" : "None");
		cs_writer_u32(&w, k);
		put_text(&w, "/Game/L.L");
		if (extra > 0)
			cs_writer_u32(&w, 1 - k);
		if (extra > 1)
			cs_writer_u32(&w, k);
	}
	size_t before_end = w.size;
	cs_writer_extend(&w, (size_t)end);
	struct cs_cursor c = cs_cursor_over(w.bytes, w.size, 0, NULL);
	works(cs_ue_decode_descriptor(&c, &d), "layers of %s", release->name);
	struct cs_writer whole = {0};
	cs_ue_encode_descriptor(&whole, &d);
	ok(whole.size == w.size && memcmp(whole.bytes, w.bytes, w.size) == 0,
		"layers of %s: encoded again, the same", release->name);
	cs_writer_deinit(&whole);
	ok(c.position == before_end && d.tail.layers.n == 2, "layers of %s: two rows, to their end",
		release->name);
	c = cs_cursor_over(d.tail.layers.at, d.tail.layers.bytes, 0, NULL);
	for (uint32_t k = 0; k < d.tail.layers.n; k++) {
		struct cs_writer again = {0};
		size_t begin = c.position;
		struct cs_ue_layer_row row = cs_ue_read_layer_row(&c, &d.versions);
		ok(is_string(row.name, k ? "DataLayer_B" : "DataLayer_A") &&
				is_string(row.parent, k ? "DataLayer_A" : "None") &&
				is_string(row.asset, "/Game/L.L") && row.uses_asset == (k == 1) &&
				row.in_filter == (extra > 0 && k == 0) &&
				row.is_private == (extra > 1 && k == 1),
			"layers of %s: row %u", release->name, k);
		cs_ue_write_layer_row(&again, &d.versions, &row);
		ok(again.size == c.position - begin &&
				memcmp(again.bytes, c.bytes + begin, again.size) == 0,
			"layers of %s: row %u is written as it was read", release->name, k);
		cs_writer_deinit(&again);
	}
	cs_writer_deinit(&w);
}

static void test_layers_tail(void)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		if (releases[i].season > 0)
			test_layers(&releases[i]);
	for (int32_t fn_main = 85; fn_main <= 91; fn_main++) {
		char name[32], fields[64];
		struct release r = {name, 118, 47, 10, fn_main, fields};
		fields_by_rules(&r, fields);
		snprintf(name, sizeof(name), "FnMain %d", fn_main);
		test_layers(&r);
	}
}

/*
 * Errors in a descriptor name an offset in the file: that of its text, after the length of the
 * text.
 */
static void test_meta_data_offset(void)
{
	enum { ORIGIN = 1000 };
	struct cs_writer w = {0};
	struct cs_ue_asset asset;
	cs_writer_u64(&w, 0); /* offset of the dependency data */
	cs_writer_u32(&w, 1);
	put_text(&w, "Town.Town:PersistentLevel.Rock");
	put_text(&w, "/Script/Engine.StaticMeshActor");
	cs_writer_u32(&w, 1);
	put_text(&w, "ActorMetaData");
	put_text(&w, "AAAA");
	struct cs_cursor cursor = cs_cursor_over(w.bytes, w.size, ORIGIN, "Rock.uasset");
	works(cs_ue_read_registry(&cursor, &asset), "a registry of one object");
	is_int((int64_t)asset.meta_data_offset, (int64_t)(ORIGIN + w.size - sizeof("AAAA")),
		"the place of its descriptor");
	cs_writer_deinit(&w);
}

int main(void)
{
	test_strings();
	test_base64();
	test_base64_digits();
	test_meta_data_offset();
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		test_release(&releases[i]);
	test_classes();
	test_rules();
	test_partition_tail();
	test_level_tail();
	test_layers_tail();
	return done();
}
