/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what comes in parts. Texts: no more of them is decoded than the rows that are loaded
 * name, texts cut by the border of a part come whole, and what is wrong in a part is told when it
 * comes. Rows: those that are asked for, ever more where one part after the other is.
 */
#include <cellscope/cooked.h>

#include "core/vec.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/layout.h"
#include "format/reader.h"
#include "format/save.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

enum {
	PART = CS_PART_BYTES,
	SIZE = PART * 5 / 2,
	TEXT = 20,
	ACROSS = PART - 3,
	LAST = SIZE - TEXT
};

/*
 * Returns texts of 19 letters one after the other; one begins three bytes before the second part.
 */
static char *make_texts(void)
{
	char *texts = malloc(SIZE);
	memset(texts, 'x', SIZE);
	for (size_t at = 0; at < SIZE; at += TEXT)
		texts[at] = '\0';
	for (size_t at = ACROSS - 2 * TEXT; at < ACROSS + 3 * TEXT; at++)
		texts[at] = at == ACROSS - 1 || at == ACROSS + 2 * TEXT ? '\0' : 'y';
	texts[LAST - 1] = texts[SIZE - 1] = '\0';
	memset(texts + LAST, 'z', TEXT - 1);
	return texts;
}

static struct cs_file *open_with(const char *texts, uint32_t name, uint32_t partition,
	uint32_t reason, unsigned char **bytes_ret)
{
	const struct cs_cooked_world world = {
		.bounds = CS_BOX_INVALID, .name = name, .default_hlod_layer = CS_NONE};
	const struct cs_cooked_partition row = {
		.bounds = CS_BOX_INVALID, .name = partition, .parent = CS_NONE};
	const struct cs_cooked_finding finding = {.actor = CS_NONE,
		.other = CS_NONE,
		.layer = CS_NONE,
		.container = CS_NONE,
		.cause = CS_NONE,
		.reason = reason,
		.hlod_layer = CS_NONE,
		.partition = CS_NONE};
	struct cs_file_writer *w;
	struct cs_file *file = NULL;
	size_t size;
	works(cs_file_writer_new(cs_schema_of_kind(1), NULL, &w), "a writer");
	works(cs_file_writer_table(w, CS_TABLE_STRINGS, texts, SIZE), "texts");
	works(cs_file_writer_table(w, CS_TABLE_WORLD, &world, 1), "world");
	works(cs_file_writer_table(w, CS_TABLE_PARTITIONS, &row, 1), "partitions");
	works(cs_file_writer_table(w, CS_TABLE_FINDINGS, &finding, 1), "findings");
	works(cs_file_writer_bytes(w, bytes_ret, &size), "bytes");
	cs_file_writer_free(w);
	works(cs_file_open_bytes(*bytes_ret, size, "texts", CS_FILE_STRICT, NULL, &file), "open");
	return file;
}

static struct cs_error *load(struct cs_file *file, uint16_t table)
{
	const void *rows;
	size_t n;
	return cs_file_load(file, table, &rows, &n);
}

static void test_by_need(void)
{
	unsigned char *bytes;
	char *texts = make_texts();
	struct cs_file *file = open_with(texts, TEXT + 1, ACROSS, LAST, &bytes);
	is_int(file->texts.n_parts, 0, "nothing is decoded at first");
	works(load(file, CS_TABLE_WORLD), "a row that names the first part");
	is_int(file->texts.n_parts, 1, "decodes that");
	is_text(cs_file_text(file, TEXT + 1), "xxxxxxxxxxxxxxxxxxx", "its text");
	is_text(cs_file_text(file, LAST), "", "no text of what has not come");
	works(load(file, CS_TABLE_PARTITIONS), "a row that names a text across the border");
	is_int(file->texts.n_parts, 1, "needs of the second part the end of that text alone");
	is_text(cs_file_text(file, ACROSS), "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
		"the text is whole");
	works(load(file, CS_TABLE_FINDINGS), "a row that names the last text");
	is_int(file->texts.n_parts, 2, "decodes the last part");
	is_text(cs_file_text(file, LAST), "zzzzzzzzzzzzzzzzzzz", "the last text");
	is_text(cs_file_text(file, PART + TEXT), "", "no text of the part between");
	works(load(file, CS_TABLE_STRINGS), "all texts");
	is_int(file->texts.n_parts, 3, "are all parts");
	ok(memcmp(file->texts.bytes, texts, SIZE) == 0, "all of it as it was written");
	cs_file_close(file);
	free(bytes);
	free(texts);
}

static void test_table_of_texts(void)
{
	const void *rows = NULL;
	size_t n = 0;
	unsigned char *bytes;
	char *texts = make_texts();
	struct cs_file *file = open_with(texts, 0, 0, 0, &bytes);
	works(cs_file_load(file, CS_TABLE_STRINGS, &rows, &n), "the table of texts");
	ok(rows && n == SIZE && memcmp(rows, texts, SIZE) == 0, "comes whole");
	cs_file_close(file);
	free(bytes);
	free(texts);
}

/* Spoils the texts of a world: the world can be read, but not the row that names the last text. */
static void check_spoiled(const char *what, void (*spoil)(char *texts), enum cs_code code)
{
	unsigned char *bytes;
	char *texts = make_texts();
	spoil(texts);
	struct cs_file *file = open_with(texts, TEXT + 1, 0, LAST, &bytes);
	works(load(file, CS_TABLE_WORLD), "%s: what names the first part loads", what);
	fails(load(file, CS_TABLE_FINDINGS), code, "%s", what);
	fails(load(file, CS_TABLE_FINDINGS), code, "%s", what);
	cs_file_close(file);
	free(bytes);
	free(texts);
}

static void no_utf8(char *texts)
{
	texts[2 * PART + 7] = (char)0xff;
}

static void no_end(char *texts)
{
	texts[SIZE - 1] = 'z';
}

static void too_long(char *texts)
{
	memset(texts + PART + 3 * TEXT, 'l', SIZE - PART - 3 * TEXT - 1);
}

static void another_start(char *texts)
{
	texts[LAST - 1] = 'x';
}

/* ---- rows ---- */

/*
 * Rows of one part of the references, and rows of all twelve parts, of which the last one is short.
 */
enum {
	OF_PART = CS_PART_BYTES / sizeof(struct cs_cooked_reference),
	REFERENCES = 11 * OF_PART + 7
};

static struct cs_file *open_references(size_t wrong, unsigned char **bytes_ret)
{
	const struct cs_cooked_world world = {
		.bounds = CS_BOX_INVALID, .default_hlod_layer = CS_NONE};
	struct cs_cooked_reference *rows = calloc(REFERENCES, sizeof(*rows));
	struct cs_file_writer *w;
	struct cs_file *file = NULL;
	size_t size;
	for (uint32_t i = 0; i < REFERENCES; i++)
		rows[i] = (struct cs_cooked_reference){.guid = {i, 0, 0, 1}, .actor = CS_NONE};
	if (wrong < REFERENCES)
		rows[wrong].state = 99;
	works(cs_file_writer_new(cs_schema_of_kind(1), NULL, &w), "a writer");
	works(cs_file_writer_table(w, CS_TABLE_STRINGS, "", 1), "texts");
	works(cs_file_writer_table(w, CS_TABLE_WORLD, &world, 1), "world");
	works(cs_file_writer_table(w, CS_TABLE_REFERENCES, rows, REFERENCES), "references");
	works(cs_file_writer_bytes(w, bytes_ret, &size), "bytes");
	cs_file_writer_free(w);
	free(rows);
	works(cs_file_open_bytes(*bytes_ret, size, "rows", CS_FILE_STRICT, NULL, &file), "open");
	return file;
}

static size_t parts_here(const struct cs_file *file)
{
	return file->tables[CS_TABLE_REFERENCES].n_here;
}

static void test_rows(void)
{
	static const size_t asked[] = {0, OF_PART - 1, OF_PART, 3 * OF_PART, 7 * OF_PART + 3, 9};
	static const size_t here[] = {1, 1, 3, 7, 12, 12};
	unsigned char *bytes;
	const void *rows = NULL, *all = NULL;
	struct cs_rows_here window = {0, 0};
	size_t n = 0;
	struct cs_file *file = open_references(REFERENCES, &bytes);
	for (size_t i = 0; i < CS_COUNT_OF(asked); i++) {
		works(cs_file_load_some(file, CS_TABLE_REFERENCES, asked[i], 1, &rows, &window),
			"row %zu", asked[i]);
		ok(window.first <= asked[i] && asked[i] < window.end, "lies in what has come");
		is_int(((const struct cs_cooked_reference *)rows)[asked[i]].guid.a, asked[i],
			"it is that one");
		is_int(parts_here(file), here[i], "parts that have come after row %zu", asked[i]);
	}
	works(cs_file_load(file, CS_TABLE_REFERENCES, &all, &n), "all rows");
	ok(all == rows && n == REFERENCES, "are where they were");
	cs_file_close(file);
	free(bytes);
}

static void test_far_rows(void)
{
	unsigned char *bytes;
	const void *rows = NULL;
	struct cs_rows_here window;
	struct cs_file *file = open_references(REFERENCES, &bytes);
	works(cs_file_load_some(file, CS_TABLE_REFERENCES, 9 * OF_PART, 1, &rows, &window),
		"a far row");
	is_int(parts_here(file), 1, "brings its part alone");
	works(cs_file_load_some(
		      file, CS_TABLE_REFERENCES, 3 * OF_PART - 1, OF_PART + 2, &rows, &window),
		"a range over three parts");
	is_int(window.first, 2 * OF_PART, "begins in the first of them");
	ok(window.end >= 5 * OF_PART, "and ends behind the last");
	for (uint32_t i = 3 * OF_PART - 1; i < 4 * OF_PART + 1; i++)
		if (((const struct cs_cooked_reference *)rows)[i].guid.a != i)
			ok(false, "row %u of it", i);
	cs_file_close(file);
	free(bytes);
}

/*
 * Parts that a pass loaded are freed when there are many, and at its end; parts loaded before the
 * pass stay.
 */
static void test_pass(void)
{
	enum { MUCH = 65 << 20 };
	unsigned char *bytes;
	const void *rows = NULL;
	struct cs_rows_here window;
	struct cs_file *file = open_references(REFERENCES, &bytes);
	works(cs_file_load_some(file, CS_TABLE_REFERENCES, 5, 1, &rows, &window), "before it");
	const struct cs_cooked_reference *row = rows;
	const uint64_t memory = file->memory;
	cs_file_pass(file, CS_PASS_BEGIN);
	for (int i = 0; i < 2; i++) {
		works(cs_file_load_some(file, CS_TABLE_REFERENCES, 4 * OF_PART, 1, &rows, &window),
			"a part of the pass");
		is_int(row[4 * OF_PART].guid.a, 4 * OF_PART, "its row");
		is_int(parts_here(file), 2, "it has come, alone");
		ok(!cs_file_pass(file, CS_PASS_STEP), "a step while parts are few leaves them");
		file->memory += MUCH;
		ok(cs_file_pass(file, i ? CS_PASS_END : CS_PASS_STEP),
			"many go, and all at the end");
		is_int(parts_here(file), 1, "the part from before it stays");
		is_int(row[5].guid.a, 5, "and its rows");
		is_int(row[4 * OF_PART + OF_PART / 2].guid.a, 0, "memory was given back");
		file->memory -= MUCH;
		file->before_pass = memory;
		is_int(file->memory, memory, "what is held is counted");
	}
	works(cs_file_load_some(file, CS_TABLE_REFERENCES, 4 * OF_PART, 1, &rows, &window),
		"again");
	ok(!cs_file_pass(file, CS_PASS_END), "after a pass nothing goes");
	is_int(row[4 * OF_PART + OF_PART / 2].guid.a, 4 * OF_PART + OF_PART / 2,
		"the row is there");
	cs_file_close(file);
	free(bytes);
}

/* A table that was loaded more than twice in a pass stays until half of the limit is in use. */
static void test_pass_in_no_order(void)
{
	enum { MUCH = 65 << 20, PARTS = 12 };
	unsigned char *bytes;
	const void *rows = NULL;
	struct cs_rows_here window;
	struct cs_file *file = open_references(REFERENCES, &bytes);
	cs_file_pass(file, CS_PASS_BEGIN);
	for (int turn = 1; turn <= 4; turn++) {
		for (size_t part = 0; part < PARTS; part++)
			if (cs_file_load_some(
				    file, CS_TABLE_REFERENCES, part * OF_PART, 1, &rows, &window))
				abort();
		const uint64_t before = file->before_pass;
		file->before_pass -= MUCH;
		cs_file_pass(file, CS_PASS_STEP);
		file->before_pass = turn < 3 ? before : file->memory;
		is_int(parts_here(file), turn < 3 ? 0 : PARTS, "parts after turn %d", turn);
	}
	file->limits.memory = 2 * file->memory - 2;
	file->before_pass -= MUCH;
	ok(cs_file_pass(file, CS_PASS_STEP), "more than half of the limit");
	is_int(parts_here(file), 0, "leaves none");
	cs_file_close(file);
	free(bytes);
}

/* Texts that rows in memory name stay, to their end in the next part; other texts are freed. */
static void test_pass_of_texts(void)
{
	unsigned char *bytes;
	const void *rows = NULL;
	size_t n;
	char *texts = make_texts();
	struct cs_file *file = open_with(texts, ACROSS, 0, LAST, &bytes);
	works(load(file, CS_TABLE_WORLD), "a row before the pass");
	cs_file_pass(file, CS_PASS_BEGIN);
	works(cs_file_load(file, CS_TABLE_STRINGS, &rows, &n), "all texts");
	ok(*cs_file_text(file, LAST) == 'z', "are there");
	ok(cs_file_pass(file, CS_PASS_END), "its end");
	is_text(cs_file_text(file, ACROSS), texts + ACROSS, "a text over a border is whole");
	is_text(cs_file_text(file, LAST), "", "one that no row names is away");
	works(load(file, CS_TABLE_FINDINGS), "a row that names it");
	is_text(cs_file_text(file, LAST), texts + LAST, "brings it again");
	cs_file_close(file);
	free(bytes);
	free(texts);
}

static void test_wrong_row(void)
{
	unsigned char *bytes;
	const void *rows = NULL;
	struct cs_rows_here window;
	size_t n;
	struct cs_file *file = open_references(4 * OF_PART + 5, &bytes);
	works(cs_file_load_some(file, CS_TABLE_REFERENCES, 5, 1, &rows, &window), "a good part");
	for (int i = 0; i < 2; i++) {
		struct cs_error *error = cs_file_load_some(
			file, CS_TABLE_REFERENCES, 4 * OF_PART, 1, &rows, &window);
		char place[64];
		snprintf(place, sizeof(place), "references[%zu].state", 4 * (size_t)OF_PART + 5);
		ok(error && error->code == CS_E_FIELD && strstr(error->message, place),
			"a part with a wrong row is refused, and the row named");
		cs_error_free(error);
	}
	works(cs_file_load_some(file, CS_TABLE_REFERENCES, 6 * OF_PART, 1, &rows, &window),
		"another part");
	fails(cs_file_load(file, CS_TABLE_REFERENCES, &rows, &n), CS_E_FIELD, "all rows");
	cs_file_close(file);
	free(bytes);
}

static void note_place(void *context, const struct cs_finding *finding)
{
	snprintf(context, sizeof(finding->place), "%s", finding->place);
}

/* A finding names a row by its number in the table, in whichever section it is. */
static void test_verify(void)
{
	unsigned char *bytes;
	char place[sizeof(((struct cs_finding *)0)->place)] = "", want[64], path[4200];
	size_t n = 0;
	struct cs_file *file = open_references(4 * OF_PART + 5, &bytes);
	snprintf(path, sizeof(path), "%s/text_parts.cworld", test_folder());
	snprintf(want, sizeof(want), "references[%zu].state", 4 * (size_t)OF_PART + 5);
	works(cs_save_whole(path, bytes, (size_t)cs_file_info(file).size), "saved");
	works(cs_file_verify(path, NULL, note_place, place, &n), "verified");
	is_int(n, 1, "one finding");
	is_text(place, want, "which names the row");
	cs_file_close(file);
	free(bytes);
}

int main(void)
{
	test_verify();
	test_rows();
	test_far_rows();
	test_wrong_row();
	test_pass();
	test_pass_in_no_order();
	test_pass_of_texts();
	test_by_need();
	test_table_of_texts();
	check_spoiled("no UTF-8 in the last part", no_utf8, CS_E_FIELD);
	check_spoiled("the last text has no end", no_end, CS_E_LAYOUT);
	check_spoiled("a text over the border of two parts", too_long, CS_E_LIMIT);
	check_spoiled("not the start of a text", another_start, CS_E_REFERENCE);
	return done();
}
