/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/samples/damaged_file.h"

#include "core/cursor.h"
#include "format/file_inside.h"
#include "format/layout.h"
#include "format/reader.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct entry {
	unsigned char *at; /* in the section table */
	uint32_t id, flags;
	uint64_t offset, stored, raw;
};

static size_t count_entries(const unsigned char *bytes, size_t size)
{
	if (size < CS_HEADER_SIZE)
		return 0;
	size_t count = cs_load32(bytes + CS_AT_SECTION_COUNT);
	size_t room = (size - CS_HEADER_SIZE) / CS_ENTRY_SIZE;
	return count < room ? count : room;
}

static struct entry entry_at(unsigned char *bytes, size_t i)
{
	unsigned char *at = bytes + CS_HEADER_SIZE + i * CS_ENTRY_SIZE;
	return (struct entry){at, cs_load32(at + CS_ENTRY_ID), cs_load32(at + CS_ENTRY_FLAGS),
		cs_load64(at + CS_ENTRY_OFFSET), cs_load64(at + CS_ENTRY_STORED_SIZE),
		cs_load64(at + CS_ENTRY_RAW_SIZE)};
}

/*
 * Corrects the sums of a section. A sum of decoded bytes that is unknown without decoding stays as
 * it is.
 */
static void reseal_entry(const unsigned char *bytes, size_t size, const struct entry *e)
{
	if (e->offset > size || e->stored > size - e->offset)
		return;
	uint64_t sum = cs_section_sum(e->id, bytes + e->offset, e->stored);
	cs_store64(e->at + CS_ENTRY_STORED_SUM, sum);
	if (!(e->flags & (CS_SECTION_LZ4 | CS_SECTION_PLANES)))
		cs_store64(e->at + CS_ENTRY_RAW_SUM, sum);
}

void container_reseal(unsigned char *bytes, size_t size)
{
	size_t count = count_entries(bytes, size);
	if (size < CS_HEADER_SIZE)
		return;
	for (size_t i = 0; i < count; i++) {
		struct entry e = entry_at(bytes, i);
		reseal_entry(bytes, size, &e);
	}
	cs_store64(bytes + CS_AT_TABLE_SUM,
		XXH3_64bits(bytes + CS_HEADER_SIZE, count * CS_ENTRY_SIZE));
	cs_store64(bytes + CS_AT_HEADER_SUM, XXH3_64bits(bytes, CS_AT_HEADER_SUM));
}

/* Appends the decoded section to `to`; returns false when it cannot be decoded. */
static bool unpack_entry(
	const struct cs_file *file, size_t i, const struct entry *e, unsigned char *to, size_t *end)
{
	unsigned char *rows = NULL;
	size_t at = (*end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
	const size_t size = (size_t)file->sections[i].raw_size;
	struct cs_error *error = cs_file_read_some(file, i, NULL, &rows);
	if (error) {
		cs_error_free(error);
		return false;
	}
	memcpy(to + at, rows, size);
	free(rows);
	cs_store32(e->at + CS_ENTRY_FLAGS, e->flags & CS_SECTION_CRITICAL);
	cs_store64(e->at + CS_ENTRY_OFFSET, at);
	cs_store64(e->at + CS_ENTRY_STORED_SIZE, e->raw);
	*end = at + e->raw;
	return true;
}

struct cs_error *container_unpack(
	const void *bytes, size_t size, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_file *file;
	struct cs_error *error =
		cs_file_open_bytes(bytes, size, "packed", CS_FILE_SALVAGE, NULL, &file);
	if (error)
		return error;
	unsigned char *copy = malloc(size);
	memcpy(copy, bytes, size);
	size_t count = count_entries(copy, size), head = CS_HEADER_SIZE + count * CS_ENTRY_SIZE;
	size_t room = head, end = head;
	for (size_t i = 0; i < count; i++)
		room += entry_at(copy, i).raw + CS_SECTION_ALIGN;
	unsigned char *to = calloc(1, room);
	bool whole = true;
	for (size_t i = 0; whole && i < count; i++) {
		struct entry e = entry_at(copy, i);
		whole = unpack_entry(file, i, &e, to, &end);
	}
	cs_file_close(file);
	memcpy(to, copy, head);
	free(copy);
	cs_store64(to + CS_AT_FILE_SIZE, end);
	cs_store32(to + CS_AT_REQUIRED, 0);
	container_reseal(to, end);
	*bytes_ret = to;
	*size_ret = end;
	if (whole)
		return NULL;
	free(to);
	return cs_error_new(CS_E_INTERNAL, "the container does not unpack");
}

size_t container_table(const unsigned char *bytes, size_t size, uint16_t table, size_t *rows_ret)
{
	size_t count = count_entries(bytes, size);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *at = bytes + CS_HEADER_SIZE + i * CS_ENTRY_SIZE;
		if (cs_load32(at + CS_ENTRY_ID) != (uint32_t)table << 16)
			continue;
		*rows_ret = cs_load32(at + CS_ENTRY_RECORD_COUNT);
		return cs_load64(at + CS_ENTRY_OFFSET);
	}
	*rows_ret = 0;
	return 0;
}
