/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of texts that come in parts: no more of them is decoded than the rows that are loaded name,
 * texts cut by the border of a part come whole, and what is wrong in a part is told when it comes.
 */
#include <cellscope/cooked.h>

#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/layout.h"
#include "format/reader.h"
#include "tests/tap.h"

enum {
	PART = CS_PART_BYTES,
	SIZE = PART * 5 / 2,
	TEXT = 20,
	ACROSS = PART - 3,
	LAST = SIZE - TEXT
};

/* Texts of 19 letters one after the other; one begins three bytes before the second part. */
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
	is_int(file->texts.n_parts, 2, "decodes the second part");
	is_text(cs_file_text(file, ACROSS), "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
		"the text is whole");
	works(load(file, CS_TABLE_FINDINGS), "a row that names the last text");
	is_int(file->texts.n_parts, 3, "decodes all");
	is_text(cs_file_text(file, LAST), "zzzzzzzzzzzzzzzzzzz", "the last text");
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

/* `spoil` is done to the texts; the world can be read, the row that names the last text cannot. */
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
	memset(texts + ACROSS, 'l', SIZE - ACROSS - 1);
}

static void another_start(char *texts)
{
	texts[LAST - 1] = 'x';
}

int main(void)
{
	test_by_need();
	test_table_of_texts();
	check_spoiled("no UTF-8 in the last part", no_utf8, CS_E_FIELD);
	check_spoiled("the last text has no end", no_end, CS_E_LAYOUT);
	check_spoiled("a text over the border of two parts", too_long, CS_E_LIMIT);
	check_spoiled("not the start of a text", another_start, CS_E_REFERENCE);
	return done();
}
