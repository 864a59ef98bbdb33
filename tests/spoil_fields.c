/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spoil_fields FILE FOLDER EVERY [FIELD...]: copies of a cooked file in which one number of one
 * field holds an extreme value, behind right sums, written to FOLDER as N.EXTENSION; what N is goes
 * to standard output. Every field of every table, its first and last element, in the first and the
 * last row. One in EVERY is written, and all of the FIELDs. For front/fields.sh.
 */
#include "core/cursor.h"
#include "format/fields.h"
#include "format/layout.h"
#include "format/reader.h"
#include "tests/damaged_file.h"

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

/* Bytes of one number in an element: the parts of vectors and boxes are numbers of their own. */
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

/* All sums, and the hash of the content. */
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

static void write_copy(struct spoiling *s, const char *what, uint64_t value)
{
	char path[4096];
	bool wanted = s->tried++ % s->every == 0;
	for (char **field = s->always; *field && !wanted; field++)
		wanted = strncmp(what, *field, strlen(*field)) == 0;
	if (!wanted)
		return;
	seal(s);
	snprintf(path, sizeof(path), "%s/%u%s", s->folder, s->written++, s->schema->extension);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(s->bytes, 1, s->size, file) != s->size || fclose(file) != 0)
		abort();
	printf("%s %s=0x%" PRIx64 "\n", path, what, value);
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
	free(packed);
	free(s.bytes);
	return 0;
}
