/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of sections that are packed by column: against twins that place each byte by the sentences
 * of the format manual, heads that lie, and files of the forms before: of rows, and of columns in
 * one LZ4 block.
 */
#include <cellscope/cooked.h>
#include <cellscope/nanite.h>

#include "core/cursor.h"
#include "core/random.h"
#include "core/vec.h"
#include "format/byte_source.h"
#include "format/columns.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/layout.h"
#include "format/planes.h"
#include "tests/damaged_file.h"
#include "tests/tap.h"

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

/* Byte `byte` of the word that column coding makes of row i. */
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

/* Where each byte of the columns comes from, one by one. */
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

/* Rows by chance: noise, and small steps, whose differences have either sign. */
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
		cs_columns_encode(head, rows, n, NULL, columns);
		equal = equal && same_as_twin(head, rows, size, n, columns);
		memset(again, 0x5a, n * size);
		cs_columns_decode(head, columns, n, NULL, NULL, again);
		back = back && memcmp(again, rows, n * size) == 0;
	}
	ok(equal, "%s: each byte is where the manual says", record->name);
	ok(back, "%s: and comes back", record->name);
	is_int(cs_columns_head_check(head, length, size), length, "%s: its head fits",
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

/* Where a plane ends that begins at `from`; its bytes. */
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

/* The rows of packed planes, word by word; true when they are `rows`. */
static bool planes_say(const unsigned char *packed, size_t size, const unsigned char *rows,
	size_t row_size, size_t n, size_t seen[FORMS])
{
	static unsigned char planes[8 * PLANE_ROWS];
	const size_t count = cs_load16(packed);
	const unsigned char *sizes = packed + 2 + 2 * count, *from = sizes + 4 * count;
	bool same = true;
	for (size_t c = 0, offset = 0; c < count; offset += packed[2 * ++c]) {
		const size_t width = packed[2 + 2 * c];
		const unsigned char *end = from + cs_load32(sizes + 4 * c);
		const bool differ = packed[3 + 2 * c] == 2;
		uint64_t word = differ ? word_at(from, width) : 0;
		from += differ ? width : 0;
		for (size_t p = 0; p < width; p++)
			from = twin_plane(from, n, planes + p * PLANE_ROWS, seen);
		for (size_t i = 0; i < n; i++) {
			uint64_t coded = 0;
			for (size_t p = 0; p < width; p++)
				coded |= (uint64_t)planes[p * PLANE_ROWS + i] << 8 * p;
			word = !differ     ? coded
			       : coded & 1 ? word - coded / 2 - 1
					   : word + coded / 2;
			same = same && memcmp(&(uint64_t){htole64(word)},
					       rows + i * row_size + offset, width) == 0;
		}
		same = same && from == end;
	}
	return same && from == packed + size;
}

/* Columns of each kind: constant, noise, few values in any order, runs, steps of one. */
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

/* Of the columns that are wanted each byte is there; where the others lie nothing was written. */
static bool gives_wanted(const unsigned char *packed, const struct cs_section *section,
	const unsigned char *rows, unsigned char *columns, unsigned char *again,
	struct cs_random *random)
{
	const size_t size = section->record_size;
	bool wanted[MOST_SIZE], same = true;
	for (size_t c = 1, at = 0; at < size; at += packed[2 * c++])
		memset(wanted + at, cs_random_below(random, 3) == 0, packed[2 * c]);
	memset(again, 0x5a, section->record_count * size);
	if (!cs_planes_unpack(packed, section, wanted, columns, again))
		return false;
	for (size_t i = 0; i < section->record_count * size; i++)
		same = same && again[i] == (wanted[i % size] ? rows[i] : 0x5a);
	return same;
}

/* What is cut, or has another byte, is refused or gives other rows, within its bounds. */
static void damage_planes(const unsigned char *packed, struct cs_section section,
	unsigned char *columns, unsigned char *again, struct cs_random *random)
{
	const size_t size = (size_t)section.stored_size;
	bool refused = true;
	for (size_t i = 0; i < 50; i++) {
		const size_t cut = (size_t)cs_random_below(random, size);
		unsigned char *copy = malloc(size);
		memcpy(copy, packed, size);
		copy[cut % (i % 2 ? size : 300)] = (unsigned char)cs_random_below(random, 256);
		cs_planes_unpack(copy, &section, NULL, columns, again);
		copy = realloc(copy, cut ? cut : 1);
		memcpy(copy, packed, cut);
		struct cs_section shorter = section;
		shorter.stored_size = cut;
		refused = refused && !cs_planes_unpack(copy, &shorter, NULL, columns, again);
		free(copy);
	}
	ok(refused, "what is cut is refused");
}

static void test_planes_of(
	const struct cs_record *record, struct cs_random *random, size_t seen[FORMS])
{
	const size_t size = record->size;
	unsigned char *rows = malloc(PLANE_ROWS * size), *columns = malloc(PLANE_ROWS * size),
		      *again = malloc(PLANE_ROWS * size),
		      *packed = malloc(CS_PLANES_HEADS +
				       (size_t)LZ4_compressBound((int)(PLANE_ROWS * size)));
	bool equal = true, back = true, some = true;
	struct cs_section section = {.record_size = (uint32_t)size};
	for (size_t n = 64; n <= PLANE_ROWS; n += 1 + n / 5) {
		fill_kinds(rows, size, n, random);
		section.record_count = (uint32_t)n;
		section.stored_size = cs_planes_pack(record, rows, n, columns, packed);
		equal = equal &&
			planes_say(packed, (size_t)section.stored_size, rows, size, n, seen);
		memset(again, 0x5a, n * size);
		back = back && cs_planes_unpack(packed, &section, NULL, columns, again) &&
		       memcmp(again, rows, n * size) == 0;
		some = some && gives_wanted(packed, &section, rows, columns, again, random);
	}
	ok(some, "%s: columns come alone", record->name);
	ok(equal, "%s: planes say what the manual says", record->name);
	ok(back, "%s: and come back", record->name);
	damage_planes(packed, section, columns, again, random);
	free(rows);
	free(columns);
	free(again);
	free(packed);
}

static void test_planes(void)
{
	struct cs_random random = {7};
	size_t n = 0, seen[FORMS] = {0}, unseen = 0;
	const struct cs_schema *const *schemas = cs_schemas(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < schemas[i]->n_records; k++)
			if (schemas[i]->records[k]->size > 1)
				test_planes_of(schemas[i]->records[k], &random, seen);
	for (size_t form = 0; form < FORMS; form++)
		unseen += form != 7 && seen[form] == 0;
	is_int(unseen, 0, "each form of a plane was seen");
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
		{{1, 0, 4, 3}, 12, 4, "an unknown coding"},
		{{1, 0, 4, 1}, 12, 8, "less than a row"},
		{{2, 0, 4, 1, 8, 1}, 12, 8, "more than a row"},
		{{1, 3, 1, 1}, 12, 769, "more columns than any row has"},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_int(cs_columns_head_check(bad[i].bytes, bad[i].size, bad[i].row_size), 0,
			"refused: %s", bad[i].what);
}

/* ---- files ---- */

static struct cs_error *load_all(struct cs_file *file)
{
	const struct cs_schema *schema = cs_file_info(file).schema;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < schema->n_records; i++) {
		const void *rows;
		size_t n;
		error = cs_file_load(file, schema->records[i]->table, &rows, &n);
	}
	return error;
}

static struct cs_error *open_all(const void *bytes, size_t size)
{
	struct cs_file *file = NULL;
	struct cs_error *error =
		cs_file_open_bytes(bytes, size, "columns", CS_FILE_STRICT, NULL, &file);
	if (!error)
		error = load_all(file);
	cs_file_close(file);
	return error;
}

/* The tables of an open file, written anew. */
static void write_again(struct cs_file *file, unsigned char **bytes_ret, size_t *size_ret)
{
	const struct cs_schema *schema = cs_file_info(file).schema;
	struct cs_file_writer *writer = NULL;
	works(cs_file_writer_new(schema, NULL, &writer), "a writer");
	for (size_t i = 0; i < schema->n_records; i++) {
		const void *rows = NULL;
		size_t n = 0;
		cs_error_free(cs_file_load(file, schema->records[i]->table, &rows, &n));
		if (n > 0)
			cs_error_free(
				cs_file_writer_table(writer, schema->records[i]->table, rows, n));
	}
	works(cs_file_writer_bytes(writer, bytes_ret, size_ret), "the same tables are written");
	cs_file_writer_free(writer);
}

static bool same_tables(struct cs_file *left, struct cs_file *right)
{
	const struct cs_schema *schema = cs_file_info(left).schema;
	bool same = true;
	for (size_t i = 0; same && i < schema->n_records; i++) {
		const struct cs_record *record = schema->records[i];
		const void *l = NULL, *r = NULL;
		size_t n = 0, m = 0;
		cs_error_free(cs_file_load(left, record->table, &l, &n));
		cs_error_free(cs_file_load(right, record->table, &r, &m));
		same = n == m && (n == 0 || memcmp(l, r, n * record->size) == 0);
	}
	return same;
}

/* The first section by plane; its entry, or NULL. */
static unsigned char *find_columns(unsigned char *bytes)
{
	for (uint32_t i = 0; i < cs_load32(bytes + CS_AT_SECTION_COUNT); i++) {
		unsigned char *entry = bytes + CS_HEADER_SIZE + (size_t)i * CS_ENTRY_SIZE;
		if (cs_load32(entry + CS_ENTRY_FLAGS) & CS_SECTION_PLANES)
			return entry;
	}
	return NULL;
}

static void test_damage(unsigned char *bytes, size_t size)
{
	unsigned char *entry = find_columns(bytes);
	if (!ok(entry, "a section is packed by column"))
		return;
	unsigned char *section = bytes + cs_load64(entry + CS_ENTRY_OFFSET);
	section[2] = 3;
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_COMPRESSION, "a column of 3 bytes");
	section[2] = 4;
	cs_store64(entry + CS_ENTRY_RAW_SUM, 1);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "planes with a sum of rows");
	cs_store64(entry + CS_ENTRY_RAW_SUM, 0);
	cs_store32(entry + CS_ENTRY_FLAGS, cs_load32(entry + CS_ENTRY_FLAGS) | CS_SECTION_COLUMNS);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "planes that are columns of LZ4");
	cs_store32(entry + CS_ENTRY_FLAGS, CS_SECTION_COLUMNS);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "columns without LZ4");
	cs_store32(entry + CS_ENTRY_FLAGS, CS_SECTION_PLANES);
	cs_store64(entry + CS_ENTRY_RAW_SUM, 0);
	cs_store64(entry + CS_ENTRY_RAW_SIZE, cs_load64(entry + CS_ENTRY_RAW_SIZE) * 256);
	cs_store32(entry + CS_ENTRY_RECORD_COUNT, cs_load32(entry + CS_ENTRY_RECORD_COUNT) * 256);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LIMIT, "more rows than its bytes can say");
}

static void test_form_before(const char *path)
{
	struct cs_file *before = NULL, *after = NULL;
	unsigned char *bytes = NULL;
	size_t size = 0;
	char left[33], right[33];
	works(cs_file_open(path, CS_FILE_STRICT, NULL, &before), "%s opens", path);
	if (!before)
		return;
	works(load_all(before), "and is sound");
	write_again(before, &bytes, &size);
	works(cs_file_open_bytes(bytes, size, "again", CS_FILE_STRICT, NULL, &after), "it opens");
	ok(after && same_tables(before, after), "each table is the same");
	memcpy(left, cs_file_info(before).content_id, 33);
	memcpy(right, cs_file_info(after).content_id, 33);
	is_text(right, left, "content_id does not depend on the form");
	cs_file_close(after);
	cs_file_close(before);
	test_damage(bytes, size);
	free(bytes);
}

/* One section, its records longer by some bytes that this version does not know. */
static size_t copy_section(unsigned char *entry, const unsigned char *from, uint32_t more,
	unsigned char *to, size_t at)
{
	const uint32_t size = cs_load32(entry + CS_ENTRY_RECORD_SIZE),
		       n = cs_load32(entry + CS_ENTRY_RECORD_COUNT), added = size > 1 ? more : 0;
	const uint64_t bytes = (uint64_t)n * (size + added);
	from += cs_load64(entry + CS_ENTRY_OFFSET);
	for (uint32_t i = 0; i < n; i++) {
		memcpy(to + at + (size_t)i * (size + added), from + (size_t)i * size, size);
		memset(to + at + (size_t)i * (size + added) + size, 0xa5, added);
	}
	cs_store32(entry + CS_ENTRY_RECORD_SIZE, size + added);
	cs_store64(entry + CS_ENTRY_OFFSET, at);
	cs_store64(entry + CS_ENTRY_RAW_SIZE, bytes);
	cs_store64(entry + CS_ENTRY_STORED_SIZE, bytes);
	return at + (size_t)bytes;
}

/* The file as another minor version writes it: nothing packed, and with `more` bytes a record. */
static unsigned char *as_version(
	const unsigned char *plain, size_t size, uint16_t minor, uint32_t more, size_t *size_ret)
{
	const uint32_t n = cs_load32(plain + CS_AT_SECTION_COUNT);
	const size_t head = CS_HEADER_SIZE + (size_t)n * CS_ENTRY_SIZE;
	unsigned char *ret =
		calloc(16, size); /* a row has two bytes or more, and 24 at most are added */
	size_t end = head;
	memcpy(ret, plain, head);
	for (uint32_t i = 0; i < n; i++) {
		end = (end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
		end = copy_section(
			ret + CS_HEADER_SIZE + (size_t)i * CS_ENTRY_SIZE, plain, more, ret, end);
	}
	cs_store16(ret + CS_AT_MINOR, minor);
	cs_store32(ret + CS_AT_REQUIRED, 0);
	cs_store64(ret + CS_AT_FILE_SIZE, end);
	container_reseal(ret, end);
	*size_ret = end;
	return ret;
}

/* Of the version before, and of one to come whose records are longer. */
static void test_versions(const char *path)
{
	static const struct {
		uint16_t minor;
		uint32_t more;
	} versions[] = {{0, 0}, {1, 0}, {2, 8}, {9, 24}};
	struct cs_file *now = NULL, *other;
	unsigned char *bytes, *plain;
	size_t size, plain_size;
	works(cs_file_open(path, CS_FILE_STRICT, NULL, &now), "a file of this version");
	works(cs_read_whole(path, UINT64_MAX, &bytes, &size), "its bytes");
	works(container_unpack(bytes, size, &plain, &plain_size), "not packed");
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		size_t n;
		unsigned char *version =
			as_version(plain, plain_size, versions[i].minor, versions[i].more, &n);
		other = NULL;
		works(cs_file_open_bytes(version, n, "other", CS_FILE_STRICT, NULL, &other),
			"version 1.%u opens", versions[i].minor);
		ok(other && same_tables(now, other), "and has the same tables");
		cs_file_close(other);
		cs_store16(version + CS_AT_MAJOR, 2);
		container_reseal(version, n);
		fails(cs_file_open_bytes(version, n, "other", CS_FILE_STRICT, NULL, &other),
			CS_E_VERSION, "version 2.%u does not", versions[i].minor);
		free(version);
	}
	free(plain);
	free(bytes);
	cs_file_close(now);
}

int main(void)
{
	const char *source = getenv("CELLSCOPE_SOURCE");
	static const char *const forms[] = {"rows", "columns", "planes"};
	char path[4096];
	test_form();
	test_planes();
	test_heads();
	for (size_t i = 0; i < CS_COUNT_OF(forms); i++) {
		snprintf(path, sizeof(path), "%s/fixtures/formats/%s.cworld", source ? source : ".",
			forms[i]);
		test_form_before(path);
	}
	test_versions(path);
	return done();
}
