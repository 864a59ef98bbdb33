/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads sections: checks their stored bytes, and decodes every form that any version has written.
 * If a file was opened lazily, the checksum of the stored bytes of a section is compared each time
 * that the section is read, so that changes of the file are noticed. The checksum of the decoded
 * rows is compared except in files opened for salvage. Sections stored by byte plane have no
 * checksum of decoded rows, because a reader that decodes only some columns could not compute it.
 */
#include "format/reader.h"

#include "format/columns.h"
#include "format/layout.h"
#include "format/planes.h"
#include "format/unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct cs_error *cs_file_section_error(
	const struct cs_file *file, size_t index, enum cs_code code, const char *problem)
{
	const struct cs_section *section = &file->sections[index];
	const struct cs_record *record = cs_schema_record(file->schema, section->table);
	return cs_error_at(code, file->source.name, section->offset,
		"section %zu (%s, part %u): %s", index, record ? record->name : "unknown table",
		section->part, problem);
}

/* Decodes a section that an older version packed by column: unpacks LZ4, then copies each word. */
static struct cs_error *unpack_columns(
	const struct cs_file *file, size_t index, const unsigned char *packed, void *ret)
{
	const struct cs_section *section = &file->sections[index];
	const size_t raw = (size_t)section->raw_size, stored = (size_t)section->stored_size;
	const size_t head = cs_columns_head_check(packed, stored, section->record_size, false);
	if (!head)
		return cs_file_section_error(file, index, CS_E_LAYOUT,
			"the header of the columns does not match the record size");
	unsigned char *columns = malloc(raw ? raw : 1);
	if (!columns)
		return cs_error_nomem();
	const bool whole = cs_unpack(packed + head, stored - head, columns, raw);
	if (whole)
		cs_columns_decode(packed, columns, section->record_count, NULL, NULL, ret);
	free(columns);
	return whole ? NULL
		     : cs_file_section_error(file, index, CS_E_COMPRESSION,
			       "the LZ4 data does not decompress to the size of the section");
}

static struct cs_error *unpack_planes(const struct cs_file *file, size_t index, const bool *wanted,
	const unsigned char *packed, void *ret)
{
	const struct cs_section *section = &file->sections[index];
	struct cs_planes_twin twin;
	unsigned char *twin_rows = NULL;
	bool whole = cs_planes_find_twin(packed, section, wanted, &twin);
	struct cs_error *error =
		whole && twin.table ? cs_file_read_twin(file, index, &twin, &twin_rows) : NULL;
	if (error)
		return error;
	unsigned char *columns = malloc(section->raw_size ? (size_t)section->raw_size : 1);
	whole = whole && columns && cs_planes_unpack(packed, section, wanted, &twin, columns, ret);
	free(twin_rows);
	if (!columns)
		return cs_error_nomem();
	free(columns);
	return whole ? NULL
		     : cs_file_section_error(file, index, CS_E_COMPRESSION,
			       "the columns decode to fewer or more rows than the table has");
}

/* Checks the stored bytes of a section, and the zeros between file offset `end` and the section. */
static struct cs_error *check_stored(
	const struct cs_file *file, size_t index, uint64_t end, const unsigned char *bytes)
{
	const struct cs_section *section = &file->sections[index];
	const size_t gap = (size_t)(section->offset - end);
	for (size_t i = 0; i < gap; i++)
		if (bytes[i])
			return cs_error_at(CS_E_LAYOUT, file->source.name, end + i,
				"a byte between two sections is not zero");
	if (cs_section_sum(cs_section_id(section), bytes + gap, (size_t)section->stored_size) !=
		section->stored_sum)
		return cs_file_section_error(file, index, CS_E_CHECKSUM,
			"the checksum does not match the bytes of the section");
	return NULL;
}

/*
 * Reads the stored bytes of a section, and checks them if `check` is set. *at_ret points to the
 * bytes, which are inside *ret. The caller frees *ret.
 */
static struct cs_error *read_stored(const struct cs_file *file, size_t index, bool check,
	unsigned char **ret, const unsigned char **at_ret)
{
	const struct cs_section *section = &file->sections[index];
	const uint64_t end = index ? section[-1].offset + section[-1].stored_size : section->offset;
	const size_t gap = (size_t)(section->offset - end), size = (size_t)section->stored_size;
	unsigned char *bytes = malloc(gap + size + 1);
	if (!bytes)
		return cs_error_nomem();
	struct cs_error *error = cs_source_read(&file->source, end, bytes, gap + size);
	if (!error && check)
		error = check_stored(file, index, end, bytes);
	if (error) {
		free(bytes);
		return error;
	}
	*ret = bytes;
	*at_ret = bytes + gap;
	return NULL;
}

static struct cs_error *unpack_section(const struct cs_file *file, size_t index, const bool *wanted,
	const unsigned char *stored, void *ret)
{
	const struct cs_section *section = &file->sections[index];
	if (!(section->flags & (CS_SECTION_LZ4 | CS_SECTION_PLANES))) {
		memcpy(ret, stored, (size_t)section->raw_size);
		return NULL;
	}
	if (section->stored_size > INT_MAX || section->raw_size > INT_MAX)
		return cs_file_section_error(file, index, CS_E_LIMIT,
			"the section has more than 2 GiB, the limit for decompressing");
	if (section->flags & CS_SECTION_PLANES)
		return unpack_planes(file, index, wanted, stored, ret);
	if (section->flags & CS_SECTION_COLUMNS)
		return unpack_columns(file, index, stored, ret);
	if (cs_unpack(stored, (size_t)section->stored_size, ret, (size_t)section->raw_size))
		return NULL;
	return cs_file_section_error(file, index, CS_E_COMPRESSION,
		"the LZ4 data does not decompress to the size of the section");
}

struct cs_error *cs_file_decode_section(
	const struct cs_file *file, size_t index, const bool *wanted, void *ret)
{
	const struct cs_section *section = &file->sections[index];
	const size_t raw = (size_t)section->raw_size;
	unsigned char *bytes;
	const unsigned char *stored;
	struct cs_error *error =
		read_stored(file, index, file->mode == CS_FILE_LAZY, &bytes, &stored);
	if (error)
		return error;
	error = unpack_section(file, index, wanted, stored, ret);
	free(bytes);
	if (error)
		return error;
	if (file->mode != CS_FILE_SALVAGE && !(section->flags & CS_SECTION_PLANES) &&
		cs_section_sum(cs_section_id(section), ret, raw) != section->raw_sum)
		return cs_file_section_error(file, index, CS_E_CHECKSUM,
			"the checksum does not match the decoded bytes of the section");
	return NULL;
}

struct cs_error *cs_file_check_section(const struct cs_file *file, size_t index)
{
	unsigned char *bytes;
	const unsigned char *stored;
	struct cs_error *error = read_stored(file, index, true, &bytes, &stored);
	if (!error)
		free(bytes);
	return error;
}

struct cs_error *cs_file_read_some(
	const struct cs_file *file, size_t index, const bool *wanted, unsigned char **bytes_ret)
{
	const size_t size = (size_t)file->sections[index].raw_size;
	unsigned char *bytes = calloc(size ? size : 1, 1);
	if (!bytes)
		return cs_error_nomem();
	struct cs_error *error = cs_file_decode_section(file, index, wanted, bytes);
	if (error)
		free(bytes);
	else
		*bytes_ret = bytes;
	return error;
}
