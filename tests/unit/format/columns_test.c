/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the form of sections that are packed by column: against twins that place each byte by
 * the sentences of the format manual, and heads that lie.
 */
#include "core/cursor.h"
#include "core/random.h"
#include "format/columns.h"
#include "format/file_inside.h"
#include "format/planes.h"
#include "tests/samples/tap.h"

#include <lz4.h>

/* ---- the form ---- */

enum { MOST_ROWS = 200, MOST_SIZE = 512 };

static uint64_t word_at(const unsigned char *from, size_t width)
{
	uint64_t word = 0;
	for (size_t i = 0; i < width; i++)
		word |= (uint64_t)from[i] << 8 * i;
	return word;
}

/* Returns byte `byte` of the word that column coding makes of row i. */
static unsigned char coded_byte(const unsigned char *rows, size_t row_size, size_t i, size_t width,
	unsigned coding, size_t byte)
{
	uint64_t word = word_at(rows + i * row_size, width);
	if (coding == 2) {
		uint64_t before = i ? word_at(rows + (i - 1) * row_size, width) : 0;
		uint64_t sign = (uint64_t)1 << (8 * width - 1);
		uint64_t mask = sign | (sign - 1), d = (word - before) & mask;
		word = d & sign ? (~d & mask) << 1 | 1 : d << 1;
	}
	return (unsigned char)(word >> 8 * byte);
}

/* Returns whether the columns are those of the rows, byte by byte. */
static bool same_as_twin(const unsigned char *head, const unsigned char *rows, size_t row_size,
	size_t n, const unsigned char *columns)
{
	size_t offset = 0;
	for (size_t c = 0; c < cs_load16(head); c++) {
		const size_t width = head[2 + 2 * c], coding = head[3 + 2 * c];
		for (size_t i = 0; i < n; i++)
			for (size_t byte = 0; byte < width; byte++) {
				const size_t at = offset * n +
						  (coding == 0 ? i * width + byte : byte * n + i);
				if (columns[at] != coded_byte(rows + offset, row_size, i, width,
							   (unsigned)coding, byte))
					return false;
			}
		offset += width;
	}
	return offset == row_size;
}

/* Fills rows with random values: noise, and small steps, whose differences have either sign. */
static void fill_rows(unsigned char *rows, size_t size, size_t n, struct cs_random *random)
{
	for (size_t i = 0; i < n * size; i++)
		rows[i] = i >= size && cs_random_below(random, 2)
				  ? rows[i - size]
				  : (unsigned char)cs_random_below(random, 256);
}

static void test_record(const struct cs_record *record, struct cs_random *random)
{
	static unsigned char rows[MOST_ROWS * MOST_SIZE], columns[MOST_ROWS * MOST_SIZE],
		again[MOST_ROWS * MOST_SIZE], head[CS_COLUMNS_HEAD_MOST];
	const size_t size = record->size, length = cs_columns_head(record, head);
	bool equal = true, back = true;
	for (size_t n = 0; n <= MOST_ROWS; n += 1 + n / 20) {
		fill_rows(rows, size, n, random);
		cs_columns_encode(head, rows, n, NULL, NULL, columns);
		equal = equal && same_as_twin(head, rows, size, n, columns);
		memset(again, 0x5a, n * size);
		cs_columns_decode(head, columns, n, NULL, NULL, again);
		back = back && memcmp(again, rows, n * size) == 0;
	}
	ok(equal, "%s: each byte is where the manual says", record->name);
	ok(back, "%s: and comes back", record->name);
	is_int(cs_columns_head_check(head, length, size, false), length, "%s: its head fits",
		record->name);
}

static void test_form(void)
{
	struct cs_random random = {5};
	size_t n = 0;
	const struct cs_schema *const *schemas = cs_schemas(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < schemas[i]->n_records; k++)
			test_record(schemas[i]->records[k], &random);
}

/* ---- planes ---- */

enum { PLANE_ROWS = 600, FORMS = 10 };

/* Decodes the plane that begins at `from` and returns its end. */
static const unsigned char *twin_plane(
	const unsigned char *from, size_t n, unsigned char *ret, size_t seen[FORMS])
{
	const unsigned form = *from++;
	const unsigned char *numbers = from + ((size_t)1 << form % 8);
	seen[form]++;
	for (size_t i = 0; form < 8 && i < n; i++) {
		size_t number = 0;
		for (size_t bit = 0; bit < form; bit++) {
			const size_t at = i % 8 * form + bit;
			number |= (size_t)(numbers[i / 8 * form + at / 8] >> at % 8 & 1) << bit;
		}
		ret[i] = from[number];
	}
	if (form == 8)
		memcpy(ret, from, n);
	if (form == 9)
		LZ4_decompress_safe(
			(const char *)from + 4, (char *)ret, (int)cs_load32(from), (int)n);
	if (form == 9)
		return from + 4 + cs_load32(from);
	return form == 8 ? from + n : form == 0 ? from + 1 : numbers + (n + 7) / 8 * form;
}

/* Decodes the words of n rows in planes and returns the end of the planes. */
static const unsigned char *twin_planes(
	const unsigned char *from, size_t width, size_t n, uint64_t *words, size_t seen[FORMS])
{
	static unsigned char plane[PLANE_ROWS];
	memset(words, 0, n * sizeof(*words));
	for (size_t p = 0; p < width && n > 0; p++) {
		from = twin_plane(from, n, plane, seen);
		for (size_t i = 0; i < n; i++)
			words[i] |= (uint64_t)plane[i] << 8 * p;
	}
	return from;
}

/*
 * Decodes the words of a column that follows one of another table and returns the end of the
 * column.
 */
static const unsigned char *twin_follower(const unsigned char *from, size_t width, size_t n,
	const struct cs_planes_twin *twin, uint64_t *words, size_t seen[FORMS])
{
	static uint64_t others[PLANE_ROWS];
	static unsigned char flags[PLANE_ROWS];
	const size_t offset = word_at(from + 2, 2);
	size_t flagged = 0;
	if (word_at(from, 2) != twin->table)
		return NULL;
	from = twin_plane(from + 4, n, flags, seen);
	for (size_t i = 0; i < n; i++)
		flagged += flags[i] == 1;
	from = twin_planes(from, width, flagged, others, seen);
	for (size_t i = 0, k = 0; i < n; i++)
		words[i] = flags[i] ? others[k++]
				    : word_at(twin->rows + i * twin->record_size + offset, width);
	return from;
}

/*
 * Decodes packed planes word by word and returns whether they are `rows`. It counts the codings
 * that occur.
 */
static bool planes_say(const unsigned char *packed, size_t size, const unsigned char *rows,
	size_t row_size, size_t n, const struct cs_planes_twin *twin, size_t seen[FORMS],
	size_t codings[4])
{
	static uint64_t words[PLANE_ROWS];
	const size_t count = cs_load16(packed);
	const unsigned char *sizes = packed + 2 + 2 * count, *from = sizes + 4 * count;
	bool same = true;
	for (size_t c = 0, offset = 0; same && c < count; offset += packed[2 * ++c]) {
		const size_t width = packed[2 + 2 * c], coding = packed[3 + 2 * c];
		const unsigned char *end = from + cs_load32(sizes + 4 * c);
		uint64_t before = coding == 2 ? word_at(from, width) : 0;
		codings[coding]++;
		from += coding == 2 ? width : 0;
		from = coding == 3 ? twin_follower(from, width, n, twin, words, seen)
				   : twin_planes(from, width, n, words, seen);
		for (size_t i = 0; i < n; i++) {
			const uint64_t coded = words[i], half = coded / 2;
			before = coding != 2 ? coded
				 : coded & 1 ? before - half - 1
					     : before + half;
			same = same && memcmp(&(uint64_t){htole64(before)},
					       rows + i * row_size + offset, width) == 0;
		}
		same = same && from == end;
	}
	return same && from == packed + size;
}

/*
 * Fills rows with a column of each kind: constant, noise, few values in any order, runs, steps of
 * one.
 */
static void fill_kinds(unsigned char *rows, size_t size, size_t n, struct cs_random *random)
{
	for (size_t at = 0; at < size; at++) {
		const unsigned kind = (unsigned)cs_random_below(random, 6);
		const unsigned few = 2 + (unsigned)cs_random_below(random, 62);
		for (size_t i = 0; i < n; i++) {
			unsigned char *to = rows + i * size + at;
			const unsigned noise = (unsigned)cs_random_below(random, 256);
			const bool stays = i > 0 && (kind == 0 || (kind == 1 && noise > 4));
			*to = (unsigned char)(stays       ? to[-(ptrdiff_t)size]
					      : kind == 2 ? noise
					      : kind == 3 ? i
							  : noise % few * 3);
		}
	}
}

/*
 * Returns whether every byte of the wanted columns is right and nothing was written in the others.
 */
static bool gives_wanted(const unsigned char *packed, const struct cs_section *section,
	const struct cs_planes_twin *twin, const unsigned char *rows, unsigned char *columns,
	unsigned char *again, struct cs_random *random)
{
	const size_t size = section->record_size;
	bool wanted[MOST_SIZE], same = true;
	for (size_t c = 1, at = 0; at < size; at += packed[2 * c++])
		memset(wanted + at, cs_random_below(random, 3) == 0, packed[2 * c]);
	memset(again, 0x5a, section->record_count * size);
	if (!cs_planes_unpack(packed, section, wanted, twin, columns, again))
		return false;
	for (size_t i = 0; i < section->record_count * size; i++)
		same = same && again[i] == (wanted[i % size] ? rows[i] : 0x5a);
	return same;
}

/*
 * A section that is cut, or in which a byte is changed, is refused or gives other rows within its
 * bounds.
 */
static void damage_planes(const unsigned char *packed, struct cs_section section,
	const struct cs_planes_twin *twin, unsigned char *columns, unsigned char *again,
	struct cs_random *random)
{
	const size_t size = (size_t)section.stored_size;
	bool refused = true;
	for (size_t i = 0; i < 50; i++) {
		const size_t cut = (size_t)cs_random_below(random, size);
		unsigned char *copy = malloc(size);
		memcpy(copy, packed, size);
		copy[cut % (i % 2 ? size : 300)] = (unsigned char)cs_random_below(random, 256);
		cs_planes_unpack(copy, &section, NULL, twin, columns, again);
		copy = realloc(copy, cut ? cut : 1);
		memcpy(copy, packed, cut);
		struct cs_section shorter = section;
		shorter.stored_size = cut;
		refused = refused && !cs_planes_unpack(copy, &shorter, NULL, twin, columns, again);
		free(copy);
	}
	ok(refused, "what is cut is refused");
}

/*
 * Fills the rows that the record may repeat by chance, and copies their words. Each field repeats
 * all rows, most, few, or is the same in all rows.
 */
static void fill_twins(const struct cs_record *record, unsigned char *rows, size_t n,
	const struct cs_planes_twin *twin, unsigned char *twins, struct cs_random *random)
{
	fill_kinds(twins, twin->record_size, n, random);
	for (size_t f = 0; f < record->n_fields; f++) {
		const struct cs_field *field = &record->fields[f];
		const size_t size = cs_field_element_size(field);
		const unsigned kind = (unsigned)cs_random_below(random, 4);
		for (size_t i = 0; field->twin_table && i < n; i++) {
			unsigned char *to = rows + i * record->size + field->offset;
			const unsigned char *from =
				twins + i * twin->record_size + field->twin_offset;
			const size_t chance = cs_random_below(random, 10);
			if (kind == 3)
				memset(to, 7, size);
			else if (kind == 0 || (kind == 1 && chance > 0) || chance > 7)
				memcpy(to, from, size);
		}
	}
}

/* The forms of planes and the codings of columns that occurred in all records. */
struct sights {
	size_t forms[FORMS], codings[4];
};

static void test_planes_of(const struct cs_schema *schema, const struct cs_record *record,
	struct cs_random *random, struct sights *seen)
{
	const size_t size = record->size;
	unsigned char *rows = malloc(PLANE_ROWS * size), *columns = malloc(PLANE_ROWS * size),
		      *again = malloc(PLANE_ROWS * size),
		      *packed = malloc(CS_PLANES_HEADS +
				       (size_t)LZ4_compressBound((int)(PLANE_ROWS * size)));
	bool equal = true, back = true, some = true;
	struct cs_section section = {.record_size = (uint32_t)size, .flags = CS_SECTION_TWINS};
	struct cs_planes_twin twin = {0};
	for (size_t f = 0; f < record->n_fields && !twin.table; f++)
		twin.table = record->fields[f].twin_table;
	if (twin.table)
		twin.record_size = cs_schema_record(schema, twin.table)->size;
	unsigned char *twins = malloc(PLANE_ROWS * twin.record_size + 1);
	twin.rows = twins;
	for (size_t n = 64; n <= PLANE_ROWS; n += 1 + n / (twin.table ? 50 : 5)) {
		fill_kinds(rows, size, n, random);
		fill_twins(record, rows, n, &twin, twins, random);
		section.record_count = (uint32_t)n;
		section.stored_size =
			cs_planes_pack(record, rows, n, twin.table ? &twin : NULL, columns, packed);
		equal = equal && planes_say(packed, (size_t)section.stored_size, rows, size, n,
					 &twin, seen->forms, seen->codings);
		memset(again, 0x5a, n * size);
		back = back && cs_planes_unpack(packed, &section, NULL, &twin, columns, again) &&
		       memcmp(again, rows, n * size) == 0;
		some = some && gives_wanted(packed, &section, &twin, rows, columns, again, random);
	}
	ok(some, "%s: columns come alone", record->name);
	ok(equal, "%s: planes say what the manual says", record->name);
	ok(back, "%s: and come back", record->name);
	damage_planes(packed, section, &twin, columns, again, random);
	free(rows);
	free(twins);
	free(columns);
	free(again);
	free(packed);
}

static void test_planes(void)
{
	struct cs_random random = {7};
	struct sights seen = {{0}, {0}};
	size_t n = 0, unseen = 0;
	const struct cs_schema *const *schemas = cs_schemas(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < schemas[i]->n_records; k++)
			if (schemas[i]->records[k]->size > 1)
				test_planes_of(schemas[i], schemas[i]->records[k], &random, &seen);
	for (size_t form = 0; form < FORMS; form++)
		unseen += form != 7 && seen.forms[form] == 0;
	is_int(unseen, 0, "each form of a plane was seen");
	ok(seen.codings[1] && seen.codings[2] && seen.codings[3], "so was each coding");
}

/* A section with two columns that follow others, and damaged copies of it. */
struct followers {
	unsigned char head[6]; /* two columns of 4 bytes */
	uint32_t sizes[2];
	struct {
		uint16_t table, offset;
		unsigned char form, flags; /* all rows are as in the twin */
	} columns[2];
};

static bool finds_twin(const struct followers *f, uint32_t flags, struct cs_planes_twin *ret)
{
	unsigned char stored[sizeof(*f)];
	const struct cs_section section = {
		.record_size = 8, .record_count = 64, .stored_size = 26, .flags = flags};
	size_t end = sizeof(f->head);
	memcpy(stored, f->head, end);
	for (size_t i = 0; i < 2; i++, end += 4)
		cs_store32(stored + end, f->sizes[i]);
	for (size_t i = 0; i < 2; i++, end += 6) {
		cs_store16(stored + end, f->columns[i].table);
		cs_store16(stored + end + 2, f->columns[i].offset);
		stored[end + 4] = f->columns[i].form;
		stored[end + 5] = f->columns[i].flags;
	}
	static const unsigned char twins[64 * 512];
	unsigned char columns[64 * 8], rows[64 * 8];
	if (!cs_planes_find_twin(stored, &section, NULL, ret))
		return false;
	ret->rows = twins;
	ret->record_size = 16;
	return cs_planes_unpack(stored, &section, NULL, ret, columns, rows);
}

static void test_followers(void)
{
	static const struct followers sound = {
		{2, 0, 4, 3, 4, 3}, {6, 6}, {{2, 0, 0, 0}, {2, 12, 0, 0}}};
	struct cs_planes_twin twin;
	struct followers f = sound;
	ok(finds_twin(&f, CS_SECTION_TWINS, &twin), "two columns that follow others");
	ok(twin.table == 2 && twin.wanted[0] && !twin.wanted[4] && twin.wanted[15],
		"their twin is known");
	ok(!finds_twin(&f, 0, &twin), "refused: without the flag of the section");
	f.columns[1].table = 3;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: columns of several tables");
	f.columns[0].table = f.columns[1].table = 0;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: columns of no table");
	f = sound;
	f.columns[1].offset = 13;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: a word beyond the records");
	f.columns[1].offset = 0xfffe;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: a word beyond all records");
	f = sound;
	f.columns[1].flags = 1;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: more flagged rows than fit");
	f = sound;
	f.sizes[0] = 3;
	f.sizes[1] = 9;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: a column cut in its head");
	f.sizes[0] = 7;
	f.sizes[1] = 5;
	ok(!finds_twin(&f, CS_SECTION_TWINS, &twin), "refused: bytes after a column");
}

/* One row of 64 has another word, whose flag is 1 or which stands for two rows. */
static void test_flags(void)
{
	static const unsigned char head[] = {1, 0, 4, 3, 4 + 65 + 8, 0, 0, 0, 2, 0, 0, 0, 8},
				   words[] = {0, 7, 0, 8, 0, 9, 0, 10};
	static const unsigned char twins[64 * 4];
	const struct cs_planes_twin twin = {2, 4, twins, {0}};
	unsigned char stored[sizeof(head) + 64 + sizeof(words)] = {0}, columns[64 * 4],
						 rows[64 * 4];
	const struct cs_section section = {.record_size = 4,
		.record_count = 64,
		.stored_size = sizeof(stored),
		.flags = CS_SECTION_TWINS};
	memcpy(stored, head, sizeof(head));
	memcpy(stored + sizeof(head) + 64, words, sizeof(words));
	stored[sizeof(head) + 5] = 1;
	ok(cs_planes_unpack(stored, &section, NULL, &twin, columns, rows) &&
			cs_load32(rows + 20) == 0x0a090807 && cs_load32(rows + 24) == 0,
		"a row has a word of its own");
	stored[sizeof(head) + 5] = 2;
	ok(!cs_planes_unpack(stored, &section, NULL, &twin, columns, rows), "refused: a flag of 2");
}

/* ---- heads that lie ---- */

static void test_heads(void)
{
	static const struct {
		unsigned char bytes[12];
		size_t size, row_size;
		const char *what;
	} bad[] = {
		{{1, 0, 4, 1}, 1, 4, "cut within its count"},
		{{1, 0, 4, 1}, 3, 4, "cut within a column"},
		{{0, 0}, 12, 0, "no columns"},
		{{2, 0, 4, 1, 3, 1}, 12, 7, "a width of 3 bytes"},
		{{1, 0, 0, 1}, 12, 0, "a width of none"},
		{{1, 0, 4, 4}, 12, 4, "an unknown coding"},
		{{1, 0, 4, 1}, 12, 8, "less than a row"},
		{{2, 0, 4, 1, 8, 1}, 12, 8, "more than a row"},
		{{1, 3, 1, 1}, 12, 769, "more columns than any row has"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_int(cs_columns_head_check(bad[i].bytes, bad[i].size, bad[i].row_size, i % 2), 0,
			"refused: %s", bad[i].what);
}

int main(void)
{
	test_form();
	test_planes();
	test_followers();
	test_flags();
	test_heads();
	return done();
}
