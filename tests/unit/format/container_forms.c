/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of files in every form of the container that readers know: of rows, of columns in one LZ4
 * block, of planes, and of columns that follow others; of other versions; and of damage to them.
 */
#include <cellscope/cooked.h>

#include "core/cursor.h"
#include "core/vec.h"
#include "format/byte_source.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/layout.h"
#include "format/reader.h"
#include "format/record.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/tap.h"

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

/* Writes the tables of an open file anew. */
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

/* Returns the entry of the first section that is stored by planes, or NULL. */
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

/*
 * Copies a section whose records are longer by some bytes that this version does not know; returns
 * its size.
 */
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

/*
 * Returns the file as another minor version writes it: nothing is packed, and each record has
 * `more` bytes.
 */
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

/* Returns the entry of the first section of a table. */
static unsigned char *entry_of(unsigned char *bytes, uint16_t table)
{
	for (uint32_t i = 0; i < cs_load32(bytes + CS_AT_SECTION_COUNT); i++) {
		unsigned char *entry = bytes + CS_HEADER_SIZE + (size_t)i * CS_ENTRY_SIZE;
		if (cs_load32(entry + CS_ENTRY_ID) == (uint32_t)table << 16)
			return entry;
	}
	abort();
}

/* Returns the first column, in a section stored by planes, that follows another column. */
static unsigned char *first_follower(unsigned char *section)
{
	const size_t count = cs_load16(section);
	unsigned char *at = section + 2 + 6 * count;
	for (size_t i = 0; i < count; i++) {
		if (section[3 + 2 * i] == 3)
			return at;
		at += cs_load32(section + 2 + 2 * count + 4 * i);
	}
	abort();
}

/*
 * Returns a file in which the records of actors are not packed and longer by some bytes; columns of
 * other tables still repeat them.
 */
static unsigned char *with_long_actors(const unsigned char *packed, const unsigned char *plain,
	size_t size, uint32_t more, size_t *size_ret)
{
	const uint32_t n = cs_load32(packed + CS_AT_SECTION_COUNT);
	const size_t head = CS_HEADER_SIZE + (size_t)n * CS_ENTRY_SIZE;
	unsigned char *ret = calloc(16, size);
	size_t end = head;
	memcpy(ret, packed, head);
	for (size_t at = CS_HEADER_SIZE; at < head; at += CS_ENTRY_SIZE) {
		unsigned char *entry = ret + at;
		const uint64_t from = cs_load64(entry + CS_ENTRY_OFFSET),
			       stored = cs_load64(entry + CS_ENTRY_STORED_SIZE);
		end = (end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
		if (cs_load32(entry + CS_ENTRY_ID) == (uint32_t)CS_TABLE_ACTORS << 16) {
			memcpy(entry, plain + at, CS_ENTRY_SIZE);
			end = copy_section(entry, plain, more, ret, end);
			continue;
		}
		memcpy(ret + end, packed + from, stored);
		cs_store64(entry + CS_ENTRY_OFFSET, end);
		end += stored;
	}
	cs_store64(ret + CS_AT_FILE_SIZE, end);
	container_reseal(ret, end);
	*size_ret = end;
	return ret;
}

/* Rows that are repeated may have longer records and be unpacked, but not have any size. */
static void test_long_twins(const unsigned char *packed, size_t packed_size)
{
	size_t plain_size, size;
	unsigned char *plain, *bytes;
	struct cs_file *now = NULL, *other = NULL;
	works(container_unpack(packed, packed_size, &plain, &plain_size), "not packed");
	bytes = with_long_actors(packed, plain, plain_size, 8, &size);
	works(cs_file_open_bytes(packed, packed_size, "now", CS_FILE_STRICT, NULL, &now), "open");
	works(cs_file_open_bytes(bytes, size, "other", CS_FILE_STRICT, NULL, &other), "open");
	ok(now && other && same_tables(now, other), "actors of a version to come are repeated");
	cs_file_close(now);
	cs_file_close(other);
	free(bytes);
	bytes = with_long_actors(packed, plain, plain_size, 376, &size);
	fails(open_all(bytes, size), CS_E_LIMIT, "rows of 520 bytes are not repeated");
	free(bytes);
	free(plain);
}

/* Lets the following columns of a section repeat another table. */
static void set_twin_table(unsigned char *section, uint16_t table)
{
	const size_t count = cs_load16(section);
	unsigned char *column = section + 2 + 6 * count;
	for (size_t i = 0; i < count; i++) {
		if (section[3 + 2 * i] == 3)
			cs_store16(column, table);
		column += cs_load32(section + 2 + 2 * count + 4 * i);
	}
}

/*
 * Refuses sections that follow sections which are missing, come later, or follow others themselves.
 */
static void test_hostile_twins(unsigned char *bytes, size_t size)
{
	static const struct {
		uint16_t table;
		const char *what;
	} bad[] = {{CS_TABLE_ACTOR_DETAILS, "a section repeats itself"},
		{CS_TABLE_REFERENCES, "a section repeats a later one"},
		{CS_TABLE_ACTOR_TAGS, "a section repeats a table that is not there"},
		{CS_TABLE_CELLS, "a section repeats a table with fewer rows"}};
	unsigned char *entry = entry_of(bytes, CS_TABLE_ACTOR_DETAILS),
		      *actors = entry_of(bytes, CS_TABLE_ACTORS),
		      *section = bytes + cs_load64(entry + CS_ENTRY_OFFSET);
	const uint32_t rows = cs_load32(entry + CS_ENTRY_RECORD_COUNT);
	for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
		set_twin_table(section, bad[k].table);
		container_reseal(bytes, size);
		fails(open_all(bytes, size), CS_E_LAYOUT, "%s", bad[k].what);
	}
	cs_store32(entry + CS_ENTRY_RECORD_COUNT, 0);
	cs_store64(entry + CS_ENTRY_RAW_SIZE, 0);
	set_twin_table(section, CS_TABLE_ACTOR_TAGS);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "no rows repeat a table that is not there");
	cs_store32(entry + CS_ENTRY_RECORD_COUNT, rows);
	cs_store64(entry + CS_ENTRY_RAW_SIZE,
		(uint64_t)rows * cs_load32(entry + CS_ENTRY_RECORD_SIZE));
	set_twin_table(section, CS_TABLE_ACTORS);
	cs_store32(actors + CS_ENTRY_FLAGS, CS_SECTION_PLANES | CS_SECTION_TWINS);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "a section repeats one that may repeat others");
	cs_store32(actors + CS_ENTRY_FLAGS, CS_SECTION_PLANES);
	container_reseal(bytes, size);
	works(open_all(bytes, size), "it is sound again");
	cs_store16(first_follower(section), CS_TABLE_CELLS);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_COMPRESSION, "a section repeats two tables");
	cs_store32(entry + CS_ENTRY_FLAGS, CS_SECTION_PLANES);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "a feature that no section has");
	cs_store32(bytes + CS_AT_REQUIRED, CS_FEATURE_PLANES);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_COMPRESSION, "columns that follow without the flag");
	cs_store32(bytes + CS_AT_REQUIRED, CS_FEATURE_PLANES | CS_FEATURE_TWINS);
	cs_store32(entry + CS_ENTRY_FLAGS, CS_SECTION_TWINS | CS_SECTION_LZ4);
	container_reseal(bytes, size);
	fails(open_all(bytes, size), CS_E_LAYOUT, "the flag without planes");
}

/*
 * Changes each byte of a section that follows another: no checksum matches, and with correct
 * checksums there is no crash.
 */
static void test_damaged_twins(unsigned char *bytes, size_t size)
{
	unsigned char *entry = entry_of(bytes, CS_TABLE_ACTOR_DETAILS);
	const size_t at = cs_load64(entry + CS_ENTRY_OFFSET),
		     n = cs_load64(entry + CS_ENTRY_STORED_SIZE);
	size_t accepted = 0, sound = 0;
	for (size_t i = at; i < at + n; i++)
		for (unsigned bit = 0; bit < 8; bit += 7) {
			bytes[i] ^= (unsigned char)(1u << bit);
			struct cs_error *error = open_all(bytes, size);
			accepted += !error;
			cs_error_free(error);
			container_reseal(bytes, size);
			error = open_all(bytes, size);
			sound += !error;
			cs_error_free(error);
			bytes[i] ^= (unsigned char)(1u << bit);
			container_reseal(bytes, size);
		}
	is_int(accepted, 0, "each byte of the section is covered by its sum");
	ok(sound > 0 && sound < 2 * n, "and is read with right sums, %zu of %zu as other rows",
		sound, 2 * n);
	for (size_t cut = 0; cut < size; cut += 7) {
		struct cs_error *error = open_all(bytes, cut);
		accepted += !error;
		cs_error_free(error);
	}
	is_int(accepted, 0, "no truncation is accepted");
}

/* Returns a table of many rows: it repeats a small table, and each row gets a number of its own. */
static unsigned char *repeat_rows(
	struct cs_file *file, uint16_t table, size_t n, const char *numbered)
{
	const struct cs_record *record = cs_schema_record(cs_file_info(file).schema, table);
	const size_t offset = cs_record_field(record, numbered)->offset;
	const void *rows;
	size_t few = 0;
	unsigned char *ret = malloc(n * record->size);
	works(cs_file_load(file, table, &rows, &few), "%s", record->name);
	for (size_t i = 0; i < n; i++) {
		unsigned char *to = ret + i * record->size;
		memcpy(to, (const unsigned char *)rows + i % few * record->size, record->size);
		cs_store32(to + offset, (uint32_t)i);
	}
	return ret;
}

/* Turns rows into the bytes that a section stores, which are those of a little-endian machine. */
static void store_rows(struct cs_file *file, uint16_t table, unsigned char *rows, size_t n)
{
	const struct cs_record *record = cs_schema_record(cs_file_info(file).schema, table);
	unsigned char *row = malloc(record->size);
	for (unsigned char *at = rows; n > 0; n--, at += record->size) {
		memcpy(row, at, record->size);
		cs_record_encode_by_field(record, row, at);
	}
	free(row);
}

/* Tables that consist of several sections, which begin at different rows. */
static void test_many_twins(const char *path)
{
	enum { N = 16000 };
	static const uint16_t few[] = {CS_TABLE_STRINGS, CS_TABLE_WORLD, CS_TABLE_PARTITIONS,
		CS_TABLE_HLOD_LAYERS, CS_TABLE_CONTAINERS, CS_TABLE_CELLS};
	struct cs_file_writer *writer = NULL;
	struct cs_file *file = NULL, *many = NULL;
	unsigned char *bytes;
	const void *rows;
	size_t size, n;
	works(cs_file_open(path, CS_FILE_STRICT, NULL, &file), "a file with twins");
	works(cs_file_writer_new(cs_file_info(file).schema, NULL, &writer), "a writer");
	for (size_t i = 0; i < CS_COUNT_OF(few); i++) {
		cs_error_free(cs_file_load(file, few[i], &rows, &n));
		works(cs_file_writer_table(writer, few[i], rows, n), "a table");
	}
	unsigned char *actors = repeat_rows(file, CS_TABLE_ACTORS, N, "guid"),
		      *details = repeat_rows(file, CS_TABLE_ACTOR_DETAILS, N, "instance_guid");
	works(cs_file_writer_table(writer, CS_TABLE_ACTORS, actors, N), "many actors");
	works(cs_file_writer_table(writer, CS_TABLE_ACTOR_DETAILS, details, N), "their details");
	works(cs_file_writer_bytes(writer, &bytes, &size), "written");
	store_rows(file, CS_TABLE_ACTOR_DETAILS, details, N);
	works(cs_file_open_bytes(bytes, size, "many", CS_FILE_STRICT, NULL, &many), "opens");
	const struct cs_file_parts parts = cs_file_parts_of(many, CS_TABLE_ACTOR_DETAILS);
	size_t follow = 0;
	for (size_t i = 0; i < parts.n; i++)
		follow += (many->sections[parts.first + i].flags & CS_SECTION_TWINS) != 0;
	ok(parts.n == 4 && follow == 4, "all sections follow others");
	for (size_t i = 0, row = 0; i < parts.n; i++) {
		unsigned char *section = NULL;
		size = (size_t)many->sections[parts.first + i].raw_size;
		works(cs_file_read_some(many, parts.first + i, NULL, &section), "one is read");
		const size_t begin = row * sizeof(struct cs_cooked_actor_detail);
		ok(section && memcmp(section, details + begin, size) == 0,
			"has the rows that were written");
		row += many->sections[parts.first + i].record_count;
		free(section);
	}
	free(actors);
	free(details);
	free(bytes);
	cs_file_writer_free(writer);
	cs_file_close(file);
	cs_file_close(many);
}

/* Damage is noticed every time by who reads the damaged part, and by nobody else. */
static void test_lazy_opening(unsigned char *bytes, size_t size)
{
	static const uint16_t damaged = CS_TABLE_ACTOR_DETAILS;
	const unsigned char *entry = entry_of(bytes, damaged), *before = entry - CS_ENTRY_SIZE;
	const size_t begin = cs_load64(entry + CS_ENTRY_OFFSET),
		     gap = cs_load64(before + CS_ENTRY_OFFSET) +
			   cs_load64(before + CS_ENTRY_STORED_SIZE);
	const struct {
		size_t at;
		enum cs_code code;
	} places[] = {{begin + 3, CS_E_CHECKSUM}, {gap, CS_E_LAYOUT}};
	ok(gap < begin, "there are zeros before the section");
	for (size_t i = 0; i < CS_COUNT_OF(places); i++) {
		struct cs_file *file = NULL;
		const void *rows;
		size_t n;
		bytes[places[i].at] ^= 64;
		fails(open_all(bytes, size), places[i].code, "a strict opening refuses the file");
		works(cs_file_open_bytes(bytes, size, "lazy", CS_FILE_LAZY, NULL, &file),
			"a lazy one does not");
		works(cs_file_load(file, CS_TABLE_ACTORS, &rows, &n), "its actors are sound");
		fails(cs_file_load(file, damaged, &rows, &n), places[i].code, "the others are not");
		fails(cs_file_load(file, damaged, &rows, &n), places[i].code,
			"nor when asked again");
		cs_file_close(file);
		bytes[places[i].at] ^= 64;
	}
}

static void test_twins(const char *path)
{
	unsigned char *bytes;
	size_t size;
	works(cs_read_whole(path, UINT64_MAX, &bytes, &size), "a file with twins");
	test_lazy_opening(bytes, size);
	test_damaged_twins(bytes, size);
	test_long_twins(bytes, size);
	test_hostile_twins(bytes, size);
	free(bytes);
}

/* Files of the version before, and of a later one whose records are longer, can be read. */
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
	static const char *const forms[] = {"rows", "columns", "planes", "twins"};
	char path[4096];
	for (size_t i = 0; i < CS_COUNT_OF(forms); i++) {
		snprintf(path, sizeof(path), "%s/fixtures/formats/%s.cworld", source ? source : ".",
			forms[i]);
		test_form_before(path);
	}
	test_versions(path);
	test_twins(path);
	test_many_twins(path);
	return done();
}
