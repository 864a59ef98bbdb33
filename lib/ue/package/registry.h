/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of a package: its summary and its asset registry section. Most actors need nothing else
 * to be read (ue-project-files rules 3).
 */
#pragma once

#include "format/byte_source.h"
#include "ue/package/summary.h"

/* The tags that are read. If the file does not have a tag, its `at` in cs_ue_asset.tags is NULL. */
enum cs_ue_tag {
	CS_UE_TAG_META_CLASS, /* nearest native class of a Blueprint actor */
	CS_UE_TAG_META_DATA,  /* the actor descriptor in base64 */
	CS_UE_TAG_LABEL,
	CS_UE_TAG_PARENT_CLASS,
	CS_UE_TAG_PARTITIONED,
	CS_UE_TAG_EXTERNAL_ACTORS,
	CS_UE_TAG_WORLD_REFERENCES,
	CS_UE_TAGS
};

/* An object of a package's registry section: the first with an actor descriptor, else the first. */
struct cs_ue_asset {
	uint32_t objects; /* number of objects in the section, 0 if the object was deleted */
	struct cs_ue_string path, class_name;
	struct cs_ue_string tags[CS_UE_TAGS];
	uint64_t meta_data_offset; /* file offset of the text of CS_UE_TAG_META_DATA */
};

struct cs_ue_head {
	struct cs_ue_summary summary;
	struct cs_ue_asset asset;
};

/* A buffer that is reused for many files. The caller zeroes it before the first use. */
struct cs_ue_buffer {
	unsigned char *bytes;
	size_t size, room;
};

struct cs_ue_reader {
	struct cs_ue_buffer summary, section;
};

/* Reads the asset registry section that `cursor` covers; cursor->origin is its file offset. */
struct cs_error *cs_ue_read_registry(struct cs_cursor *cursor, struct cs_ue_asset *ret) CS_MUST_USE;
/* Reads only the summary. Its texts and lists point into `buffer`. */
struct cs_error *cs_ue_load_summary(const struct cs_source_file *source,
	struct cs_ue_buffer *buffer, struct cs_ue_summary *ret) CS_MUST_USE;
/* Reads a package's head in one or two reads. Its texts are valid until the reader's next use. */
struct cs_error *cs_ue_read_head(const struct cs_source_file *source, struct cs_ue_reader *reader,
	struct cs_ue_head *ret) CS_MUST_USE;
/* Opens a file of at most `most` bytes, reads its head, and closes it. */
struct cs_error *cs_ue_open_head(const char *path, uint64_t most, struct cs_ue_reader *reader,
	struct cs_ue_head *ret) CS_MUST_USE;
/* Reads the asset registry section of a package whose summary was read. */
struct cs_error *cs_ue_read_section(const struct cs_source_file *source,
	struct cs_ue_reader *reader, const struct cs_ue_summary *summary,
	struct cs_ue_asset *ret) CS_MUST_USE;
void cs_ue_reader_deinit(struct cs_ue_reader *reader);
