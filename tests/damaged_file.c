/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/damaged_file.h"

#include "core/cursor.h"
#include "format/columns.h"
#include "format/layout.h"
#include "format/planes.h"

#include <lz4.h>
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

/* What its bytes decode to is not known without decoding: such a sum stays as it is. */
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

static bool unpack_planes(const unsigned char *from, const struct entry *e, unsigned char *to)
{
	const uint32_t size = cs_load32(e->at + CS_ENTRY_RECORD_SIZE);
	const struct cs_section section = {.stored_size = e->stored,
		.record_count = (uint32_t)(e->raw / size),
		.record_size = size};
	unsigned char *columns = malloc(e->raw + 1);
	const bool whole = columns && cs_planes_unpack(from, &section, NULL, columns, to);
	free(columns);
	return whole;
}

static bool unpack_rows(const unsigned char *from, const struct entry *e, unsigned char *to)
{
	if (e->flags & CS_SECTION_PLANES)
		return unpack_planes(from, e, to);
	const bool by_column = e->flags & CS_SECTION_COLUMNS;
	const uint32_t size = cs_load32(e->at + CS_ENTRY_RECORD_SIZE);
	const size_t head = by_column ? cs_columns_head_check(from, e->stored, size) : 0;
	unsigned char *columns = malloc(e->raw + 1);
	const bool whole = (head || !by_column) && columns &&
			   LZ4_decompress_safe((const char *)from + head, (char *)columns,
				   (int)(e->stored - head), (int)e->raw) == (int)e->raw;
	if (whole && by_column)
		cs_columns_decode(from, columns, e->raw / size, NULL, NULL, to);
	else if (whole)
		memcpy(to, columns, e->raw);
	free(columns);
	return whole;
}

/* Appends the decoded section to `to`; false when it does not decode. */
static bool unpack_entry(
	const unsigned char *from, const struct entry *e, unsigned char *to, size_t *end)
{
	size_t at = (*end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
	if (!(e->flags & (CS_SECTION_LZ4 | CS_SECTION_PLANES)))
		memcpy(to + at, from + e->offset, e->stored);
	else if (!unpack_rows(from + e->offset, e, to + at))
		return false;
	cs_store32(e->at + CS_ENTRY_FLAGS,
		e->flags & ~(uint32_t)(CS_SECTION_LZ4 | CS_SECTION_COLUMNS | CS_SECTION_PLANES));
	cs_store64(e->at + CS_ENTRY_OFFSET, at);
	cs_store64(e->at + CS_ENTRY_STORED_SIZE, e->raw);
	*end = at + e->raw;
	return true;
}

struct cs_error *container_unpack(
	const void *bytes, size_t size, unsigned char **bytes_ret, size_t *size_ret)
{
	unsigned char *copy = malloc(size);
	if (!copy)
		return cs_error_nomem();
	memcpy(copy, bytes, size);
	size_t count = count_entries(copy, size), head = CS_HEADER_SIZE + count * CS_ENTRY_SIZE;
	size_t room = head, end = head;
	for (size_t i = 0; i < count; i++)
		room += entry_at(copy, i).raw + CS_SECTION_ALIGN;
	unsigned char *to = calloc(1, room);
	bool whole = to != NULL;
	for (size_t i = 0; whole && i < count; i++) {
		struct entry e = entry_at(copy, i);
		whole = unpack_entry(bytes, &e, to, &end);
	}
	if (whole) {
		memcpy(to, copy, head);
		cs_store64(to + CS_AT_FILE_SIZE, end);
		cs_store32(to + CS_AT_REQUIRED, 0);
		container_reseal(to, end);
		*bytes_ret = to;
		*size_ret = end;
	} else {
		free(to);
	}
	free(copy);
	return whole ? NULL : cs_error_new(CS_E_INTERNAL, "the container does not unpack");
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
