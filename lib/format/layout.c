/* SPDX-License-Identifier: Apache-2.0 */
/* Reads header and section table. Checks fields too, because anyone can recompute a checksum. */
#include "format/reader.h"

#include "core/cursor.h"
#include "core/error_inside.h"
#include "core/job.h"
#include "format/file_inside.h"
#include "format/layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>

uint64_t cs_section_sum(uint32_t id, const void *bytes, size_t size)
{
	return XXH3_64bits_withSeed(bytes, size, id);
}

static struct cs_error *damaged(const struct cs_file *file, enum cs_code code, uint64_t offset,
	const char *format, ...) CS_PRINTF(4, 5);

static struct cs_error *damaged(
	const struct cs_file *file, enum cs_code code, uint64_t offset, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct cs_error *error = cs_error_atv(code, file->source.name, offset, format, args);
	va_end(args);
	return error;
}

static bool salvaging(const struct cs_file *file)
{
	return file->mode == CS_FILE_SALVAGE;
}

static struct cs_error *check_identity(const struct cs_file *file, const unsigned char *header)
{
	if (memcmp(header, CS_SIGNATURE, 8) != 0)
		return damaged(file, CS_E_MAGIC, 0,
			"header: cellscope did not write this file: it does not begin as a .cworld "
			"or .cnanite does");
	uint64_t sum = cs_load64(header + CS_AT_HEADER_SUM);
	if (!salvaging(file) && sum != XXH3_64bits(header, CS_AT_HEADER_SUM))
		return damaged(file, CS_E_CHECKSUM, CS_AT_HEADER_SUM,
			"header: the checksum does not match the bytes of the header");
	return NULL;
}

static struct cs_error *check_versions(struct cs_file *file, const unsigned char *header)
{
	uint32_t kind = cs_load32(header + CS_AT_KIND);
	file->schema = cs_schema_of_kind(kind);
	if (!file->schema)
		return damaged(file, CS_E_VERSION, CS_AT_KIND,
			"header: the file kind %u is unknown: the file is damaged or was written "
			"by a newer cellscope",
			kind);
	uint16_t major = cs_load16(header + CS_AT_MAJOR);
	if (major != file->schema->major)
		return damaged(file, CS_E_VERSION, CS_AT_MAJOR,
			"header: the file has version %u of format %s, but this cellscope reads "
			"version %u",
			major, file->schema->name, file->schema->major);
	file->minor = cs_load16(header + CS_AT_MINOR);
	uint32_t required = cs_load32(header + CS_AT_REQUIRED);
	if (required & ~(uint32_t)(CS_FEATURE_COLUMNS | CS_FEATURE_PLANES | CS_FEATURE_TWINS))
		return damaged(file, CS_E_FEATURE, CS_AT_REQUIRED,
			"header: the file requires features (bits %08x) that are unknown: it is "
			"damaged or was written by a newer cellscope",
			required);
	bool zero = cs_load32(header + CS_AT_ZERO) == 0;
	if (!zero || cs_load64(header + CS_AT_RESERVED) || cs_load64(header + CS_AT_RESERVED + 8))
		return damaged(file, CS_E_LAYOUT, zero ? CS_AT_RESERVED : CS_AT_ZERO,
			"header: a reserved byte is not zero");
	return NULL;
}

static struct cs_error *check_sizes(const struct cs_file *file, const unsigned char *header)
{
	uint64_t size = cs_load64(header + CS_AT_FILE_SIZE);
	if (file->source.size < size)
		return damaged(file, CS_E_TRUNCATED, file->source.size,
			"the file has only %" PRIu64 " of the %" PRIu64
			" bytes that its header declares",
			file->source.size, size);
	if (file->source.size > size)
		return damaged(file, CS_E_TRAILING, size,
			"%" PRIu64 " bytes follow the end that the header declares",
			file->source.size - size);
	uint32_t header_size = cs_load32(header + CS_AT_HEADER_SIZE);
	uint32_t entry_size = cs_load32(header + CS_AT_ENTRY_SIZE);
	uint32_t count = cs_load32(header + CS_AT_SECTION_COUNT);
	if (header_size < CS_HEADER_SIZE || header_size > size || header_size % 8)
		return damaged(file, CS_E_LAYOUT, CS_AT_HEADER_SIZE,
			"header: header_size must be a multiple of 8, at least %d and within the "
			"file, not %u",
			(int)CS_HEADER_SIZE, header_size);
	if (entry_size < CS_ENTRY_SIZE || entry_size > 4096 || entry_size % 8)
		return damaged(file, CS_E_LAYOUT, CS_AT_ENTRY_SIZE,
			"header: entry_size must be a multiple of 8 from %d to 4096, not %u",
			(int)CS_ENTRY_SIZE, entry_size);
	if (count > file->limits.sections)
		return damaged(file, CS_E_LIMIT, CS_AT_SECTION_COUNT,
			"header: the file has %u sections, more than the limit of %u", count,
			file->limits.sections);
	if ((uint64_t)count * entry_size > size - header_size)
		return damaged(file, CS_E_LAYOUT, CS_AT_SECTION_COUNT,
			"header: the table of %u sections extends past the end of the file", count);
	return NULL;
}

static struct cs_section parse_entry(const unsigned char *entry)
{
	uint32_t id = cs_load32(entry + CS_ENTRY_ID);
	return (struct cs_section){
		.table = (uint16_t)(id >> 16),
		.part = (uint16_t)id,
		.flags = cs_load32(entry + CS_ENTRY_FLAGS),
		.offset = cs_load64(entry + CS_ENTRY_OFFSET),
		.stored_size = cs_load64(entry + CS_ENTRY_STORED_SIZE),
		.raw_size = cs_load64(entry + CS_ENTRY_RAW_SIZE),
		.stored_sum = cs_load64(entry + CS_ENTRY_STORED_SUM),
		.raw_sum = cs_load64(entry + CS_ENTRY_RAW_SUM),
		.record_count = cs_load32(entry + CS_ENTRY_RECORD_COUNT),
		.record_size = cs_load32(entry + CS_ENTRY_RECORD_SIZE),
	};
}

static struct cs_error *check_compression(
	const struct cs_file *file, const struct cs_section *section, uint64_t at)
{
	if (section->flags & CS_SECTION_PLANES &&
		(section->flags & (CS_SECTION_LZ4 | CS_SECTION_COLUMNS) || section->raw_sum))
		return damaged(file, CS_E_LAYOUT, at,
			"section flags: flag 8 (planes) excludes flag 1 (LZ4), flag 4 (columns) "
			"and a checksum of decoded rows, but one of these is set");
	if (section->flags & CS_SECTION_TWINS && !(section->flags & CS_SECTION_PLANES))
		return damaged(file, CS_E_LAYOUT, at,
			"section flags: flag 16 (twins) requires flag 8 (planes), which is not "
			"set");
	if (!(section->flags & (CS_SECTION_LZ4 | CS_SECTION_PLANES))) {
		if (section->flags & CS_SECTION_COLUMNS)
			return damaged(file, CS_E_LAYOUT, at,
				"section flags: flag 4 (columns) requires flag 1 (LZ4), which is "
				"not set");
		if (section->stored_size == section->raw_size)
			return NULL;
		return damaged(file, CS_E_LAYOUT, at,
			"an uncompressed section has %" PRIu64
			" bytes in the file, but its raw_size is %" PRIu64,
			section->stored_size, section->raw_size);
	}
	if (section->raw_size / CS_LZ4_RATIO > section->stored_size)
		return damaged(file, CS_E_LIMIT, at,
			"a section of %" PRIu64 " compressed bytes claims to expand to %" PRIu64
			", which LZ4 cannot reach: the file is damaged; copy it again",
			section->stored_size, section->raw_size);
	return NULL;
}

static struct cs_error *check_record_shape(
	const struct cs_file *file, const struct cs_section *section, uint64_t at)
{
	const struct cs_record *record = cs_schema_record(file->schema, section->table);
	if (section->record_size == 0 ||
		(uint64_t)section->record_count * section->record_size != section->raw_size)
		return damaged(file, CS_E_LAYOUT, at,
			"%u records of %u bytes do not fill the section of %" PRIu64 " bytes",
			section->record_count, section->record_size, section->raw_size);
	if (!record && section->flags & CS_SECTION_CRITICAL)
		return damaged(file, CS_E_FEATURE, at,
			"the file requires table %u, which this cellscope does not know",
			section->table);
	if (record && section->record_size % 8 != record->size % 8)
		return damaged(file, CS_E_LAYOUT, at,
			"table %s: its records have %u bytes each, which no version of the format "
			"has",
			record->name, section->record_size);
	return NULL;
}

/* Checks an entry of the section table. `end` is the file offset where the data before it ends. */
static struct cs_error *check_entry(const struct cs_file *file, const struct cs_section *section,
	const struct cs_section *previous, uint64_t end, uint64_t at)
{
	uint64_t start = (end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
	if (section->flags & ~(CS_SECTION_LZ4 | CS_SECTION_CRITICAL | CS_SECTION_COLUMNS |
				     CS_SECTION_PLANES | CS_SECTION_TWINS))
		return damaged(file, CS_E_FEATURE, at,
			"a section has unknown bits in its flags %08x: the file is damaged or was "
			"written by a newer cellscope",
			section->flags);
	if (section->table >= CS_MAX_TABLES)
		return damaged(file, CS_E_LAYOUT, at,
			"the table number of a section must be below %d, not %u",
			(int)CS_MAX_TABLES, section->table);
	if (section->offset != start || start > file->source.size ||
		section->stored_size > file->source.size - start)
		return damaged(file, CS_E_LAYOUT, at,
			"the section at byte %" PRIu64 ", of %" PRIu64
			" bytes, must begin at byte %" PRIu64 " and end within the file",
			section->offset, section->stored_size, start);
	if (section->raw_size > file->limits.section_bytes)
		return damaged(file, CS_E_LIMIT, at,
			"the rows of a section have %" PRIu64
			" bytes, more than the limit of %" PRIu64,
			section->raw_size, file->limits.section_bytes);
	bool next_part = previous && previous->table == section->table &&
			 previous->part + 1 == section->part &&
			 previous->record_size == section->record_size;
	bool new_table = section->part == 0 && file->context.rows[section->table] == 0 &&
			 (!previous || previous->table < section->table);
	if (!next_part && !new_table)
		return damaged(file, CS_E_LAYOUT, at,
			"table %u, part %u is out of order: sections must ascend by table and part",
			section->table, section->part);
	struct cs_error *error = check_compression(file, section, at);
	return error ? error : check_record_shape(file, section, at);
}

static struct cs_error *parse_table(
	struct cs_file *file, const unsigned char *table, uint64_t table_at, uint32_t entry_size)
{
	uint64_t end = table_at + (uint64_t)file->n_sections * entry_size;
	for (size_t i = 0; i < file->n_sections; i++) {
		const unsigned char *entry = table + i * entry_size;
		uint64_t at = table_at + i * entry_size;
		struct cs_section *section = &file->sections[i];
		*section = parse_entry(entry);
		if (cs_load64(entry + CS_ENTRY_RESERVED))
			return damaged(file, CS_E_LAYOUT, at + CS_ENTRY_RESERVED,
				"section %zu: a reserved byte is not zero", i);
		struct cs_error *error =
			check_entry(file, section, i ? section - 1 : NULL, end, at);
		if (error)
			return cs_error_wrap(error, "section %zu", i);
		file->context.rows[section->table] += section->record_count;
		/* the number of rows of a table of single bytes has no other limit than memory */
		if (section->record_size > 1 &&
			file->context.rows[section->table] > file->limits.records)
			return damaged(file, CS_E_LIMIT, at + CS_ENTRY_RECORD_COUNT,
				"table %u has more records than the limit of %" PRIu64,
				section->table, file->limits.records);
		end = section->offset + section->stored_size;
	}
	if (end != file->source.size)
		return damaged(file, CS_E_LAYOUT, end, "the file goes on after its last section");
	return NULL;
}

static struct cs_error *check_critical(const struct cs_file *file)
{
	for (size_t i = 0; i < file->schema->n_records; i++) {
		const struct cs_record *record = file->schema->records[i];
		if (record->critical && file->context.rows[record->table] == 0)
			return damaged(file, CS_E_MISSING, CS_NO_OFFSET, "the table %s is missing",
				record->name);
	}
	return NULL;
}

static struct cs_error *check_features(const struct cs_file *file, uint32_t required)
{
	uint32_t used = 0;
	for (size_t i = 0; i < file->n_sections; i++)
		used |= cs_features_of(file->sections[i].flags);
	return used == required
		       ? NULL
		       : damaged(file, CS_E_LAYOUT, CS_AT_REQUIRED,
				 "header: the required features are %08x, but the sections use "
				 "%08x",
				 required, used);
}

static struct cs_error *read_table(struct cs_file *file, const unsigned char *header)
{
	uint32_t header_size = cs_load32(header + CS_AT_HEADER_SIZE);
	uint32_t entry_size = cs_load32(header + CS_AT_ENTRY_SIZE);
	file->n_sections = cs_load32(header + CS_AT_SECTION_COUNT);
	/* the checksum covers the section table and header fields that newer versions append */
	size_t size = header_size - CS_HEADER_SIZE + file->n_sections * entry_size;
	unsigned char *bytes = malloc(size ? size : 1);
	file->sections = calloc(file->n_sections ? file->n_sections : 1, sizeof(*file->sections));
	struct cs_error *error = NULL;
	if (!bytes || !file->sections)
		error = cs_error_nomem();
	else
		error = cs_source_read(&file->source, CS_HEADER_SIZE, bytes, size);
	if (!error && !salvaging(file) &&
		cs_load64(header + CS_AT_TABLE_SUM) != XXH3_64bits(bytes, size))
		error = damaged(file, CS_E_CHECKSUM, CS_HEADER_SIZE,
			"section table: the checksum does not match the bytes of the table");
	if (!error)
		error = parse_table(
			file, bytes + (header_size - CS_HEADER_SIZE), header_size, entry_size);
	free(bytes);
	return error;
}

struct cs_error *cs_file_read_layout(struct cs_file *file, const struct cs_job *job)
{
	unsigned char header[CS_HEADER_SIZE];
	if (file->source.size < sizeof(header))
		return damaged(file, CS_E_TRUNCATED, file->source.size,
			"the file has %" PRIu64 " bytes, but its header alone must have %zu",
			file->source.size, sizeof(header));
	struct cs_error *error = cs_source_read(&file->source, 0, header, sizeof(header));
	if (!error)
		error = check_identity(file, header);
	if (!error)
		error = check_versions(file, header);
	if (!error)
		error = check_sizes(file, header);
	if (!error)
		error = read_table(file, header);
	if (!error)
		error = check_critical(file);
	if (!error)
		error = check_features(file, cs_load32(header + CS_AT_REQUIRED));
	if (error)
		return error;
	memcpy(file->content_id, header + CS_AT_CONTENT_ID, sizeof(file->content_id));
	if (file->minor > file->schema->minor)
		cs_job_log(job, CS_LOG_WARNING,
			"%s: the file has format %u.%u, and this cellscope reads %u.%u: fields "
			"that are newer are not shown",
			file->source.name, file->schema->major, file->minor, file->schema->major,
			file->schema->minor);
	return NULL;
}
