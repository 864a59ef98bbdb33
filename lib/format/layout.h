/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout of container files, for reader, writer and verify. All integers are little-endian.
 *
 *	header (96 bytes), section table (section_count entries), sections
 *
 * Sections are in the order of the section table, each aligned to 16 bytes; gaps are zero bytes,
 * and the last section ends the file. A table of records is divided into sections (parts 0, 1, ...)
 * of whole records.
 */
#pragma once

#include "core/cursor.h"

enum {
	CS_HEADER_SIZE = 96,
	CS_ENTRY_SIZE = 64,
	CS_SECTION_ALIGN = 16,
	CS_PART_BYTES = 1 << 20, /* raw size from which on a table is divided into parts */
	CS_LZ4_RATIO = 255,      /* largest ratio of raw to stored size that LZ4 can reach */
};

/* Signature of the file. Its bytes are chosen so that a transfer in text mode changes them. */
#define CS_SIGNATURE \
	"\x89"       \
	"CSF\r\n\x1a\n"

/* Byte offsets of the header's fields. */
enum {
	CS_AT_MAJOR = 8,
	CS_AT_MINOR = 10,
	CS_AT_HEADER_SIZE = 12,
	CS_AT_ENTRY_SIZE = 16,
	CS_AT_SECTION_COUNT = 20,
	CS_AT_FILE_SIZE = 24,
	CS_AT_KIND = 32,
	CS_AT_REQUIRED = 36,
	CS_AT_OPTIONAL = 40,
	CS_AT_ZERO = 44,
	CS_AT_CONTENT_ID = 48,
	CS_AT_TABLE_SUM = 64,
	CS_AT_RESERVED = 72,
	CS_AT_HEADER_SUM = 88,
};

/* Bits of the header field at CS_AT_REQUIRED: features that a reader must know to read the file. */
enum {
	CS_FEATURE_COLUMNS = 1, /* a section has the flag CS_SECTION_COLUMNS */
	CS_FEATURE_PLANES = 2,  /* a section has the flag CS_SECTION_PLANES */
	CS_FEATURE_TWINS = 4,   /* a section has the flag CS_SECTION_TWINS */
};

/* Byte offsets of the fields of a section table entry. */
enum {
	CS_ENTRY_ID = 0, /* table << 16 | part */
	CS_ENTRY_FLAGS = 4,
	CS_ENTRY_OFFSET = 8,
	CS_ENTRY_STORED_SIZE = 16,
	CS_ENTRY_RAW_SIZE = 24,
	CS_ENTRY_STORED_SUM = 32,
	CS_ENTRY_RAW_SUM = 40,
	CS_ENTRY_RECORD_COUNT = 48,
	CS_ENTRY_RECORD_SIZE = 52,
	CS_ENTRY_RESERVED = 56,
};

/* Returns the CS_FEATURE_... bits that a reader needs for a section with these flags. */
static inline uint32_t cs_features_of(uint32_t section_flags)
{
	return (section_flags & CS_SECTION_COLUMNS ? CS_FEATURE_COLUMNS : 0) |
	       (section_flags & CS_SECTION_PLANES ? CS_FEATURE_PLANES : 0) |
	       (section_flags & CS_SECTION_TWINS ? CS_FEATURE_TWINS : 0);
}

static inline uint32_t cs_section_id(const struct cs_section *section)
{
	return (uint32_t)section->table << 16 | section->part;
}

enum { CS_SECTION_HEAD = 12 };

/* Writes what content_id hashes before a section's raw bytes: the section id and the raw size. */
static inline void cs_section_head(
	const struct cs_section *section, unsigned char ret[CS_SECTION_HEAD])
{
	cs_store32(ret, cs_section_id(section));
	cs_store64(ret + 4, section->raw_size);
}

/* Returns the XXH3-64 hash with the section id as seed, which detects exchanged sections. */
uint64_t cs_section_sum(uint32_t id, const void *bytes, size_t size);
