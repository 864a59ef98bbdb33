/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spoil_fields FILE FOLDER EVERY [FIELD...]: copies of a cooked file in which one number of one
 * field holds an extreme value, behind right sums, written to FOLDER as N.EXTENSION; what N is goes
 * to standard output. Every field of every table, its first and last element, in the first and the
 * last row; besides those of the header and the first and last section, and files that are cut or
 * of which one bit is another, without right sums. One in EVERY is written, and all whose name
 * begins as a FIELD. For front/fields.sh and front/damaged.sh.
 */
#include "core/cursor.h"
#include "format/fields.h"
#include "format/file_inside.h"
#include "format/layout.h"
#include "format/reader.h"
#include "tests/samples/damaged_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t extremes[] = {0, 1, 2, 65, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0xfffffff,
	0x7f800000, 0x7fffffff, 0x80000000, 0xa0000001, 0xfffffffe, 0xffffffff, 0x7fc00000,
	0x7f7fffff, 0x7ff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff, 0x7fffffffffffffff,
	0x8000000000000000, 0xffffffffffffffff};

struct spoiling {
	unsigned char *bytes;
	size_t size;
	const struct cs_schema *schema;
	const char *folder;
	char **always; /* fields; closed by NULL */
	unsigned every, tried, written;
};

/*
 * Returns the bytes of one number in an element: the parts of vectors and boxes are single numbers.
 */
static size_t number_size(const struct cs_field *field, size_t element)
{
	switch (field->type) {
	case CS_FIELD_VEC3:
	case CS_FIELD_QUAT:
	case CS_FIELD_BOX:
		return 8;
	case CS_FIELD_VEC3F:
	case CS_FIELD_SPHEREF:
	case CS_FIELD_RANGE:
	case CS_FIELD_GUID:
		return 4;
	default:
		return element < 8 ? element : 8;
	}
}

/* Corrects all sums and the hash of the content. */
static void seal(struct spoiling *s)
{
	struct cs_file *file;
	container_reseal(s->bytes, s->size);
	struct cs_error *error =
		cs_file_open_bytes(s->bytes, s->size, "copy", CS_FILE_SALVAGE, NULL, &file);
	if (!error) {
		error = cs_file_compute_content_id(file, s->bytes + CS_AT_CONTENT_ID);
		cs_file_close(file);
	}
	cs_error_free(error); /* what does not open keeps the hash that it had */
	container_reseal(s->bytes, s->size);
}

static bool is_wanted(struct spoiling *s, const char *what)
{
	bool wanted = s->tried++ % s->every == 0;
	for (char **field = s->always; *field && !wanted; field++)
		wanted = strncmp(what, *field, strlen(*field)) == 0;
	return wanted;
}

static void write_bytes(struct spoiling *s, size_t size, const char *what, uint64_t value)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%u%s", s->folder, s->written++, s->schema->extension);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(s->bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
	printf("%s %s=0x%" PRIx64 "\n", path, what, value);
}

static void write_copy(struct spoiling *s, const char *what, uint64_t value)
{
	if (!is_wanted(s, what))
		return;
	seal(s);
	write_bytes(s, s->size, what, value);
}

static void spoil_number(struct spoiling *s, size_t at, size_t n, const char *what)
{
	unsigned char kept[8];
	memcpy(kept, s->bytes + at, n);
	for (size_t i = 0; i < CS_COUNT_OF(extremes); i++) {
		unsigned char value[8];
		cs_store64(value, extremes[i]);
		if ((n < 8 && extremes[i] >> 8 * n) || memcmp(value, kept, n) == 0)
			continue;
		memcpy(s->bytes + at, value, n);
		write_copy(s, what, extremes[i]);
	}
	memcpy(s->bytes + at, kept, n);
}

static void spoil_field(struct spoiling *s, const struct cs_record *record, size_t row,
	const char *which, const struct cs_field *field)
{
	size_t elements = field->type == CS_FIELD_ZERO || !field->count ? 1 : field->count;
	size_t bytes = cs_field_element_size(field), n = number_size(field, bytes);
	for (size_t i = 0; i<elements; i += elements> 1 ? elements - 1 : 1) {
		for (size_t part = 0; part + n <= bytes; part += n) {
			char what[256];
			snprintf(what, sizeof(what), "%s[%s].%s[%zu].%zu", record->name, which,
				field->name, i, part / n);
			spoil_number(s, row + cs_field_offset(field, i) + part, n, what);
		}
	}
}

static void spoil_table(struct spoiling *s, const struct cs_record *record)
{
	size_t rows, at = container_table(s->bytes, s->size, record->table, &rows);
	for (size_t i = 0; at && rows && i < record->n_fields; i++) {
		spoil_field(s, record, at, "0", &record->fields[i]);
		if (rows > 1)
			spoil_field(s, record, at + (rows - 1) * record->size, "last",
				&record->fields[i]);
	}
}

/* ---- what holds the tables ---- */

struct place {
	const char *name;
	size_t at, n;
};

static const struct place header[] = {
	{"header.signature", 0, 8},
	{"header.major", CS_AT_MAJOR, 2},
	{"header.minor", CS_AT_MINOR, 2},
	{"header.header_size", CS_AT_HEADER_SIZE, 4},
	{"header.entry_size", CS_AT_ENTRY_SIZE, 4},
	{"header.section_count", CS_AT_SECTION_COUNT, 4},
	{"header.file_size", CS_AT_FILE_SIZE, 8},
	{"header.kind", CS_AT_KIND, 4},
	{"header.required", CS_AT_REQUIRED, 4},
	{"header.zero", CS_AT_ZERO, 4},
	{"header.reserved", CS_AT_RESERVED, 8},
};

static const struct place section[] = {
	{"id", CS_ENTRY_ID, 4},
	{"flags", CS_ENTRY_FLAGS, 4},
	{"offset", CS_ENTRY_OFFSET, 8},
	{"stored_size", CS_ENTRY_STORED_SIZE, 8},
	{"raw_size", CS_ENTRY_RAW_SIZE, 8},
	{"record_count", CS_ENTRY_RECORD_COUNT, 4},
	{"record_size", CS_ENTRY_RECORD_SIZE, 4},
	{"reserved", CS_ENTRY_RESERVED, 8},
};

/*
 * Sets a number to 0, to one more, and to all bits. Checksums are corrected, the hash of the
 * content is not.
 */
static void spoil_place(struct spoiling *s, size_t at, size_t n, const char *what)
{
	unsigned char *kept = malloc(s->size);
	if (!kept)
		abort();
	memcpy(kept, s->bytes, s->size);
	uint64_t value = 0;
	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)kept[at + i] << 8 * i;
	const uint64_t values[] = {0, value + 1, UINT64_MAX};
	static const char *const ways[] = {"none", "one_more", "all_bits"};
	for (size_t i = 0; i < CS_COUNT_OF(values); i++) {
		unsigned char bytes[8];
		char way[96];
		snprintf(way, sizeof(way), "%s.%s", what, ways[i]);
		cs_store64(bytes, values[i]);
		if (memcmp(bytes, kept + at, n) == 0 || !is_wanted(s, way))
			continue;
		memcpy(s->bytes + at, bytes, n);
		container_reseal(s->bytes, s->size);
		write_bytes(s, s->size, way, values[i]);
		memcpy(s->bytes, kept, s->size);
	}
	free(kept);
}

static void spoil_frame(struct spoiling *s)
{
	char what[64];
	size_t last = cs_load32(s->bytes + CS_AT_SECTION_COUNT) - 1;
	for (size_t i = 0; i < CS_COUNT_OF(header); i++)
		spoil_place(s, header[i].at, header[i].n, header[i].name);
	for (size_t i = 0; i < 2 * CS_COUNT_OF(section); i++) {
		const struct place *place = &section[i / 2];
		size_t entry = i % 2 ? last : 0;
		snprintf(what, sizeof(what), "entry[%s].%s", i % 2 ? "last" : "0", place->name);
		spoil_place(s, CS_HEADER_SIZE + entry * CS_ENTRY_SIZE + place->at, place->n, what);
	}
}

/* Changes bytes as a bad transfer would, without correcting a sum. */
static void spoil_bytes(struct spoiling *s)
{
	const size_t table =
		CS_HEADER_SIZE + CS_ENTRY_SIZE * cs_load32(s->bytes + CS_AT_SECTION_COUNT);
	const size_t cuts[] = {0, 1, 8, CS_HEADER_SIZE - 1, CS_HEADER_SIZE, CS_HEADER_SIZE + 1,
		table - 1, table, table + 1, s->size / 2, s->size - 1};
	const size_t bits[] = {0, CS_AT_MAJOR, CS_AT_CONTENT_ID, CS_AT_TABLE_SUM, CS_AT_RESERVED,
		CS_AT_HEADER_SUM, CS_HEADER_SIZE, CS_HEADER_SIZE + CS_ENTRY_STORED_SUM,
		CS_HEADER_SIZE + CS_ENTRY_RAW_SUM, table + 1, s->size / 2, s->size - 1};
	static const char *const names[] = {"first", "major", "content_id", "table_sum", "reserved",
		"header_sum", "section_id", "stored_sum", "raw_sum", "first_row", "middle", "last"};
	static const char *const ends[] = {"nothing", "a_byte", "signature", "header-1", "header",
		"header+1", "table-1", "table", "table+1", "half", "size-1"};
	char what[64];
	for (size_t i = 0; i < CS_COUNT_OF(cuts); i++) {
		snprintf(what, sizeof(what), "cut.%s", ends[i]);
		if (is_wanted(s, what))
			write_bytes(s, cuts[i], what, 0);
	}
	for (size_t i = 0; i < CS_COUNT_OF(bits); i++) {
		snprintf(what, sizeof(what), "bit.%s", names[i]);
		s->bytes[bits[i]] ^= 1;
		if (is_wanted(s, what))
			write_bytes(s, s->size, what, 1);
		s->bytes[bits[i]] ^= 1;
	}
}

static unsigned char *read_whole(const char *path, size_t *size_ret)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0)
		exit(2);
	long size = ftell(file);
	unsigned char *bytes = malloc((size_t)size + 1);
	rewind(file);
	if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size)
		exit(2);
	fclose(file);
	*size_ret = (size_t)size;
	return bytes;
}

int main(int argc, char **argv)
{
	struct spoiling s = {.folder = argc > 3 ? argv[2] : NULL};
	size_t size;
	if (argc < 4 || (s.every = (unsigned)strtoul(argv[3], NULL, 10)) == 0)
		return 2;
	s.always = argv + 4;
	unsigned char *packed = read_whole(argv[1], &size);
	struct cs_error *error = container_unpack(packed, size, &s.bytes, &s.size);
	if (error || !(s.schema = cs_schema_of_kind(cs_load32(s.bytes + CS_AT_KIND)))) {
		fprintf(stderr, "%s: no cooked file of ours\n", argv[1]);
		return 2;
	}
	for (size_t i = 0; i < s.schema->n_records; i++)
		spoil_table(&s, s.schema->records[i]);
	seal(&s);
	spoil_frame(&s);
	spoil_bytes(&s);
	free(packed);
	free(s.bytes);
	return 0;
}
