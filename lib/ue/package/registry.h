/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of a package: its summary and its asset registry section. Nothing else of an actor has
 * to be read (ue-project-files rules 3).
 */
#pragma once

#include "format/byte_source.h"
#include "ue/package/summary.h"

/* The tags that are kept. A tag that the file lacks has no bytes (`at` is NULL). */
enum cs_ue_tag {
	CS_UE_TAG_META_CLASS, /* nearest native class */
	CS_UE_TAG_META_DATA,  /* the descriptor, base64 */
	CS_UE_TAG_LABEL,
	CS_UE_TAG_PARENT_CLASS,
	CS_UE_TAG_PARTITIONED,
	CS_UE_TAG_EXTERNAL_ACTORS,
	CS_UE_TAG_WORLD_REFERENCES,
	CS_UE_TAGS
};

/* The object that has a descriptor, else the first of the section. */
struct cs_ue_asset {
	uint32_t objects; /* number in the section; 0 for the remains of a deleted object */
	struct cs_ue_string path, class_name;
	struct cs_ue_string tags[CS_UE_TAGS];
	uint64_t meta_data_offset; /* offset in the file of the text of CS_UE_TAG_META_DATA */
};

struct cs_ue_head {
	struct cs_ue_summary summary;
	struct cs_ue_asset asset;
};

/* A buffer that is reused from file to file. It is zero before the first use. */
struct cs_ue_buffer {
	unsigned char *bytes;
	size_t size, room;
};

struct cs_ue_reader {
	struct cs_ue_buffer summary, section;
};

/* Reads the section at the cursor, whose origin is its file offset. */
struct cs_error *cs_ue_read_registry(struct cs_cursor *cursor, struct cs_ue_asset *ret) CS_MUST_USE;
/* Reads only the summary. Its views point into the buffer. */
struct cs_error *cs_ue_load_summary(const struct cs_source_file *source,
	struct cs_ue_buffer *buffer, struct cs_ue_summary *ret) CS_MUST_USE;
/*
 * Reads the head of a package in one or two reads of a few kilobytes. The views of the head point
 * into the reader and are valid until its next use.
 */
struct cs_error *cs_ue_read_head(const struct cs_source_file *source, struct cs_ue_reader *reader,
	struct cs_ue_head *ret) CS_MUST_USE;
/* Reads the registry of a package whose summary is known. */
struct cs_error *cs_ue_read_section(const struct cs_source_file *source,
	struct cs_ue_reader *reader, const struct cs_ue_summary *summary,
	struct cs_ue_asset *ret) CS_MUST_USE;
void cs_ue_reader_deinit(struct cs_ue_reader *reader);

/*
 * Decodes both alphabets of base64, with optional padding. Writes at most length / 4 * 3 + 2 bytes.
 * Returns their count, or SIZE_MAX when the text is not base64.
 */
size_t cs_ue_base64_decode(const unsigned char *text, size_t length, unsigned char *ret);
