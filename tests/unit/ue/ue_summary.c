/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Summaries of every release, put together here field by field from the rules, not by the library's
 * own tables: one letter for each field, one line of letters for each release. And what of a
 * package is read first: the registry section, wherever the summary has it.
 */
#include "tests/samples/tap.h"

#include "core/writer.h"
#include "format/byte_source.h"
#include "tests/make/ue_write.h"
#include "tests/make/writes.h"
#include "ue/package/package.h"
#include "ue/package/properties.h"
#include "ue/package/registry.h"
#include "ue/package/summary.h"

static void put_text(struct cs_writer *w, const char *text)
{
	cs_writer_u32(w, (uint32_t)strlen(text) + 1);
	cs_writer_bytes(w, text, strlen(text) + 1);
}

/* Writes the field that a letter of the rows below stands for. */
static void put_summary_field(struct cs_writer *w, char letter, uint32_t registry)
{
	static const char pairs[] = "nsGeiSHD", numbers[] = "zFmdoRWur";
	const char *pair = strchr(pairs, letter), *number = strchr(numbers, letter);
	if (pair) {
		cs_writer_u32(w, (uint32_t)(pair - pairs) + 100);
		cs_writer_u32(w, (uint32_t)(pair - pairs) + 200);
	} else if (letter == 'R') { /* where the asset registry section is */
		cs_writer_u32(w, registry);
	} else if (number) {
		cs_writer_u32(w, (uint32_t)(number - numbers) + 300);
	} else if (letter == 'h') { /* saved hash, header size */
		cs_writer_extend(w, 20);
		cs_writer_u32(w, 300);
	} else if (letter == 'v') { /* custom versions */
		cs_writer_u32(w, 1);
		cs_writer_extend(w, 20);
	} else if (letter == 'P' || letter == 'l') { /* package name, localisation id */
		put_text(w, letter == 'P' ? "/Game/P" : "loc");
	} else if (letter == 'V' || letter == 'g' || letter == 'p') {
		cs_writer_extend(w, 16); /* Verse cells, GUIDs */
	} else if (letter == 'q') {      /* searchable names, thumbnails */
		cs_writer_extend(w, 8);
	} else if (letter == 'N') { /* generations */
		cs_writer_u32(w, 1);
		cs_writer_extend(w, 8);
	} else if (letter == 'E') { /* engines */
		for (int i = 0; i < 2; i++) {
			cs_writer_u16(w, 5);
			cs_writer_u16(w, 3);
			cs_writer_u16(w, 2);
			cs_writer_u32(w, 29);
			put_text(w, "++UE5");
		}
	} else if (letter == 'c') { /* compression: none */
		cs_writer_extend(w, 8);
	} else if (letter == 'A') { /* additional packages */
		cs_writer_u32(w, 1);
		put_text(w, "/Game/Q");
	} else if (letter == 'B' || letter == 'y') { /* bulk data, payloads */
		cs_writer_u64(w, letter == 'B' ? 77 : 88);
	} else if (letter == 'C') { /* chunk ids */
		cs_writer_u32(w, 1);
		cs_writer_u32(w, 9);
	} else {
		ok(false, "no field '%c'", letter);
	}
}

static const struct release {
	const char *name;
	int32_t legacy, v5;
	const char *fields;
} rows[] = {
	{"5.0EA", -7, 0, "vzPFnlGeidSqgpNEcoARBWCD"},
	{"5.0", -8, 1004, "vzPFnlGeidSqgpNEcoARBWCDuy"},
	{"5.1", -8, 1008, "vzPFnslGeidSqgpNEcoARBWCDuy"},
	{"5.2", -8, 1009, "vzPFnslGeidSqgpNEcoARBWCDuyr"},
	{"5.4", -8, 1012, "vzPFnslGeidSqgpNEcoARBWCDuyr"},
	{"5.5", -8, 1013, "vzPFnslGeidSqgpNEcoARBWCDuyr"},
	{"5.6", -9, 1017, "hvPFnslGeiVmdSqpNEcoARBWCDuyr"},
	{"5.7", -9, 1018, "hvPFnslGeiVmdSqHpNEcoARBWCDuyr"},
};

static void put_summary(struct cs_writer *w, const struct release *row, uint32_t registry)
{
	cs_writer_u32(w, 0x9E2A83C1);
	cs_writer_u32(w, (uint32_t)row->legacy);
	cs_writer_u32(w, 864);
	cs_writer_u32(w, 522);
	if (row->v5)
		cs_writer_u32(w, (uint32_t)row->v5);
	cs_writer_u32(w, 0);
	for (const char *letter = row->fields; *letter; letter++)
		put_summary_field(w, *letter, registry);
}

static void test_summaries(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_writer w = {0}, again = {0};
		struct cs_ue_summary s = {0};
		put_summary(&w, &rows[i], 305);
		struct cs_cursor c = cs_cursor_over(w.bytes, w.size, 0, rows[i].name);
		works(cs_ue_read_summary(&c, &s), "summary of %s", rows[i].name);
		is_int(cs_cursor_left(&c), 0, "summary of %s: to the last byte", rows[i].name);
		ok(s.names.count == 100 && s.exports.offset == 203 && s.imports.count == 104 &&
				s.header_size == 300 && s.flags == 301 && s.registry == 305 &&
				s.bulk_data == 77 && s.engine.minor == 3 && s.engine.patch == 2 &&
				cs_ue_string_equals(s.package_name, "/Game/P") &&
				s.soft_paths.count == (rows[i].v5 >= 1008 ? 101 : 0) &&
				s.payloads == (rows[i].v5 >= 1002 ? 88 : 0),
			"summary of %s: its fields", rows[i].name);
		cs_ue_write_summary(&again, &s);
		ok(again.size == w.size && memcmp(again.bytes, w.bytes, w.size) == 0,
			"summary of %s: written again to the same bytes", rows[i].name);
		cs_writer_deinit(&w);
		cs_writer_deinit(&again);
	}
}

/* A summary that ends early is of a newer engine by its version, unless no engine will have that.
 */
static void test_newer_versions(void)
{
	static const int32_t versions[] = {1018, 1099, 260352};
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const struct release row = {"newer", -8, versions[i], ""};
		struct cs_writer w = {0};
		struct cs_ue_summary s = {0};
		put_summary(&w, &row, 305);
		struct cs_cursor c = cs_cursor_over(w.bytes, w.size, 0, row.name);
		struct cs_error *error = cs_ue_read_summary(&c, &s);
		ok(error && !strstr(error->message, "newer than") == (versions[i] != 1099),
			"version %d", versions[i]);
		cs_error_free(error);
		cs_writer_deinit(&w);
	}
}

/* Both sizes are signed: below 0 they are refused, and 0 means that there is nothing. */
static void test_offsets(const struct release *row)
{
	static const struct {
		int32_t header_size, registry;
		bool bad;
	} cases[] = {{0, 0, false}, {-1, 0, true}, {0, -1, true}, {INT32_MIN, INT32_MIN, true}};
	struct cs_writer w = {0};
	struct cs_ue_summary s = {0};
	put_summary(&w, row, 305);
	struct cs_cursor c = cs_cursor_over(w.bytes, w.size, 0, row->name);
	works(cs_ue_read_summary(&c, &s), "%s: a summary", row->name);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cs_writer with = {0};
		struct cs_ue_summary read = {0};
		s.header_size = cases[i].header_size;
		s.registry = cases[i].registry;
		cs_ue_write_summary(&with, &s);
		c = cs_cursor_over(with.bytes, with.size, 0, row->name);
		struct cs_error *error = cs_ue_read_summary(&c, &read);
		if (cases[i].bad)
			fails(error, CS_E_PACKAGE, "%s: offsets below 0, %zu", row->name, i);
		else
			works(error, "%s: no header and no section", row->name);
		cs_writer_deinit(&with);
	}
	cs_writer_deinit(&w);
}

/* ---- where the registry section is ---- */

static struct cs_error *read_head(const struct cs_writer *w, struct cs_ue_asset *ret)
{
	struct cs_source_file source;
	struct cs_ue_reader reader = {0};
	struct cs_ue_head head;
	struct cs_error *error = cs_source_memory(w->bytes, w->size, "package", &source);
	if (error)
		return error;
	error = cs_ue_read_head(&source, &reader, &head);
	if (!error)
		*ret = head.asset;
	cs_ue_reader_deinit(&reader);
	cs_source_close(&source);
	return error;
}

/*
 * At 0 there is no object; elsewhere there is one without tags, near the summary or far behind it.
 */
static void test_places(const struct release *row)
{
	static const uint32_t places[] = {1500, 4096, 70000};
	struct cs_writer w = {0};
	struct cs_ue_asset asset = {.objects = 9};
	put_summary(&w, row, 0);
	works(read_head(&w, &asset), "%s: a package without a registry section", row->name);
	is_int(asset.objects, 0, "%s: holds no assets", row->name);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		w.size = 0;
		put_summary(&w, row, places[i]);
		cs_writer_extend(&w, places[i] - w.size);
		cs_writer_u64(&w, places[i] + 12);
		cs_writer_u32(&w, 1);
		put_text(&w, "/Game/P.P");
		put_text(&w, "/Script/Engine.World");
		cs_writer_u32(&w, 0);
		works(read_head(&w, &asset), "%s: one at %u", row->name, (unsigned)places[i]);
		is_int(asset.objects, 1, "%s: holds an asset", row->name);
		w.size = places[i] - 1;
		fails(read_head(&w, &asset), CS_E_TRUNCATED, "%s: a file that ends before it",
			row->name);
	}
	cs_writer_deinit(&w);
}

/* ---- what is no package ---- */

static void test_no_package(void)
{
	static const struct {
		const char *bytes;
		size_t n;
		enum cs_code code;
	} files[] = {{"", 0, CS_E_TRUNCATED}, {"abc", 3, CS_E_TRUNCATED}, {"abcd", 4, CS_E_PACKAGE},
		{"version https://git-lf", 22, CS_E_PACKAGE},
		{"version https://git-lfs", 23, CS_E_LFS},
		{"version https://git-lfs and more", 32, CS_E_LFS},
		{"\1\0\0\0\30\0\0\0........\0\0\0\x80....", 24, CS_E_COOKED},
		{"\0\0\0\0\30\0\0\0........\0\0\0\x80....", 24, CS_E_COOKED},
		{"\1\0\0\0\30\0\0\0........\0\0\0\x80....", 23, CS_E_PACKAGE},
		{"\2\0\0\0\30\0\0\0........\0\0\0\x80....", 24, CS_E_PACKAGE},
		{"\1\0\0\0\27\0\0\0........\0\0\0\x80....", 24, CS_E_PACKAGE},
		{"\1\0\0\0\30\0\0\0........\0\0\0\0....", 24, CS_E_PACKAGE}};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct cs_writer w = {0};
		struct cs_ue_asset asset;
		cs_writer_bytes(&w, files[i].bytes, files[i].n);
		fails(read_head(&w, &asset), files[i].code, "a file that is no package, %zu", i);
		cs_writer_deinit(&w);
	}
}

/* ---- what begins the properties of an object ---- */

/*
 * From V5 1011 on an object begins with a byte, and one more where its second bit is set, but never
 * a default object.
 */
static void test_beginnings(void)
{
	static const struct {
		int32_t v5;
		bool is_default;
		uint8_t first;
		size_t begins;
	} cases[] = {{0, false, 0, 0}, {1010, false, 2, 0}, {1011, false, 0, 1},
		{1011, false, 2, 2}, {1011, false, 253, 1}, {1018, false, 3, 2},
		{1018, true, 2, 0}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const unsigned char bytes[12] = {9, 9, cases[i].first};
		struct cs_ue_package package = {.section_bytes = 10, .summary.v5 = cases[i].v5};
		const struct cs_ue_export export = {
			.begin = 2, .end = 12, .is_default = cases[i].is_default};
		struct cs_ue_properties properties;
		works(cs_source_memory(bytes, sizeof(bytes), "package", &package.source), "bytes");
		works(cs_ue_export_properties(&package, &export, &properties), "an object");
		ok(properties.cursor.position == cases[i].begins && properties.cursor.size == 10,
			"V5 %d%s, first byte %d: properties begin at %zu", cases[i].v5,
			cases[i].is_default ? " default" : "", cases[i].first, cases[i].begins);
		package.section_bytes = 9;
		fails(cs_ue_export_properties(&package, &export, &properties), CS_E_LIMIT,
			"one that is larger than the limit");
		cs_arena_deinit(&package.arena);
		cs_source_close(&package.source);
	}
}

enum { NONE, COUNT, MORE, INT };

static void put_name(struct cs_writer *w, uint32_t index)
{
	cs_writer_u32(w, index);
	cs_writer_u32(w, 0);
}

/*
 * Writes an integer whose tag has an extension: a byte, and five more where its second bit is set.
 */
static void put_tag(struct cs_writer *w, int32_t v5, uint32_t name, uint8_t extension)
{
	put_name(w, name);
	put_name(w, INT);
	if (v5 >= 1012)
		cs_writer_u32(w, 0); /* types inside */
	cs_writer_u32(w, 4);
	if (v5 < 1012)
		cs_writer_u32(w, 0); /* index */
	cs_writer_u8(w, v5 < 1012 ? 0 : 4);
	cs_writer_u8(w, extension);
	if (extension & 2)
		cs_writer_extend(w, 5);
	cs_writer_u32(w, 70 + name);
}

static void test_extensions(int32_t v5)
{
	static const char *names[] = {"None", "Count", "More", "IntProperty"};
	static const struct cs_ue_rule rules[] = {
		{"Count", CS_UE_RULE_INT, 0, NULL}, {"More", CS_UE_RULE_INT, 4, NULL}};
	static const uint8_t extensions[] = {0, 1, 2, 3, 4, 253, 255};
	for (size_t i = 0; i < sizeof(extensions); i++) {
		struct cs_ue_package package = {.names = names, .n_names = 4, .summary.v5 = v5};
		struct cs_writer w = {0};
		int32_t record[2] = {0};
		put_tag(&w, v5, COUNT, extensions[i]);
		put_tag(&w, v5, MORE, extensions[i]);
		put_name(&w, NONE);
		struct cs_ue_properties properties = {.package = &package,
			.cursor = cs_cursor_over(w.bytes, w.size, 0, "properties")};
		works(cs_ue_apply(&properties, rules, 2, record), "V5 %d: two tags", v5);
		ok(record[0] == 70 + COUNT && record[1] == 70 + MORE &&
				cs_cursor_left(&properties.cursor) == 0,
			"V5 %d: both are read with extensions of %u", v5, extensions[i]);
		cs_writer_deinit(&w);
	}
}

int main(void)
{
	test_beginnings();
	test_extensions(1011);
	test_extensions(1012);
	test_no_package();
	test_summaries();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		test_offsets(&rows[i]);
		test_places(&rows[i]);
	}
	test_newer_versions();
	return done();
}
