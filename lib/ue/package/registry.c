/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the asset registry section with few reads. The first one has 4 KiB from the start of the
 * file, which contain the summary and, in small packages, the section. Otherwise a second one has 2
 * KiB from the start of the section. More is read only if the summary or the section is larger.
 */
#include "ue/package/registry.h"

#include <stdlib.h>

enum { FIRST_READ = 4096, SECTION_READ = 2048, LARGEST_SECTION = 16 << 20 };

static const char *const tag_names[CS_UE_TAGS] = {
	[CS_UE_TAG_META_CLASS] = "ActorMetaDataClass",
	[CS_UE_TAG_META_DATA] = "ActorMetaData",
	[CS_UE_TAG_LABEL] = "ActorLabel",
	[CS_UE_TAG_PARENT_CLASS] = "ParentClass",
	[CS_UE_TAG_PARTITIONED] = "LevelIsPartitioned",
	[CS_UE_TAG_EXTERNAL_ACTORS] = "LevelIsUsingExternalActors",
	[CS_UE_TAG_WORLD_REFERENCES] = "WorldExternalActorsReferences",
};

/* ---- the asset registry section ---- */

static void read_tag(struct cs_cursor *cursor, struct cs_ue_asset *asset)
{
	struct cs_ue_string key = cs_ue_read_string(cursor);
	uint64_t offset = cursor->origin + cursor->position + 4;
	struct cs_ue_string value = cs_ue_read_string(cursor);
	for (int tag = 0; tag < CS_UE_TAGS && !cursor->bad; tag++) {
		if (!cs_ue_string_equals(key, tag_names[tag]))
			continue;
		asset->tags[tag] = value;
		if (tag == CS_UE_TAG_META_DATA)
			asset->meta_data_offset = offset;
	}
}

static struct cs_ue_asset registry_read_object(struct cs_cursor *cursor)
{
	struct cs_ue_asset asset = {0};
	asset.path = cs_ue_read_string(cursor);
	asset.class_name = cs_ue_read_string(cursor);
	uint32_t tags = cs_cursor_count(cursor, 2 * CS_UE_STRING_LEAST);
	for (uint32_t i = 0; i < tags && !cursor->bad; i++)
		read_tag(cursor, &asset);
	return asset;
}

struct cs_error *cs_ue_read_registry(struct cs_cursor *cursor, struct cs_ue_asset *ret)
{
	struct cs_ue_asset chosen = {0};
	cs_cursor_skip(cursor, 8); /* skip the offset of the dependency data */
	uint32_t objects = cs_cursor_count(cursor, 2 * CS_UE_STRING_LEAST + 4);
	for (uint32_t i = 0; i < objects && !cursor->bad; i++) {
		struct cs_ue_asset asset = registry_read_object(cursor);
		if (i == 0 || (asset.tags[CS_UE_TAG_META_DATA].at &&
				      !chosen.tags[CS_UE_TAG_META_DATA].at))
			chosen = asset;
	}
	chosen.objects = objects;
	struct cs_error *error = cs_cursor_error(cursor, "asset registry section");
	if (!error)
		*ret = chosen;
	return error;
}

/* ---- reading as little as possible of a file ---- */

static struct cs_error *registry_load(const struct cs_source_file *source, uint64_t offset,
	uint64_t size, struct cs_ue_buffer *buffer)
{
	uint64_t left = offset < source->size ? source->size - offset : 0;
	size = size < left ? size : left;
	if (size > buffer->room || !buffer->bytes) {
		size_t room = size < FIRST_READ ? FIRST_READ : (size_t)size;
		unsigned char *bytes = realloc(buffer->bytes, room);
		if (!bytes)
			return cs_error_nomem();
		buffer->bytes = bytes;
		buffer->room = room;
	}
	buffer->size = (size_t)size;
	return cs_source_read(source, offset, buffer->bytes, (size_t)size);
}

/*
 * Returns whether more of the file must be read. A count or length that leads beyond the bytes that
 * were read shows damage only if it leads beyond the end of the file, too.
 */
static bool wants_more(struct cs_error *error, uint64_t got, uint64_t available)
{
	enum cs_code code = error ? error->code : CS_E_TRUNCATED;
	return error && (code == CS_E_TRUNCATED || code == CS_E_LAYOUT) && got < available &&
	       got < LARGEST_SECTION;
}

struct cs_error *cs_ue_load_summary(
	const struct cs_source_file *source, struct cs_ue_buffer *buffer, struct cs_ue_summary *ret)
{
	struct cs_error *error = NULL;
	uint64_t size = FIRST_READ;
	do {
		cs_error_free(error);
		error = registry_load(source, 0, size, buffer);
		if (error)
			return error;
		struct cs_cursor cursor =
			cs_cursor_over(buffer->bytes, buffer->size, 0, source->name);
		error = cs_ue_read_summary(&cursor, ret);
		size *= 8;
	} while (wants_more(error, buffer->size, source->size));
	return error;
}

/*
 * Returns the size of the asset registry section in bytes if the buffer contains only a part of it,
 * else UINT64_MAX. The section begins with the file offset of its end.
 */
static uint64_t section_size(const struct cs_ue_buffer *buffer, uint64_t offset)
{
	if (buffer->size < 8)
		return UINT64_MAX;
	uint64_t end = cs_load64(buffer->bytes);
	return end > offset && end - offset > buffer->size ? end - offset : UINT64_MAX;
}

struct cs_error *cs_ue_read_section(const struct cs_source_file *source,
	struct cs_ue_reader *reader, const struct cs_ue_summary *summary, struct cs_ue_asset *ret)
{
	uint64_t offset = (uint64_t)summary->registry, size = SECTION_READ;
	struct cs_error *error = NULL;
	if (offset == 0) {
		*ret = (struct cs_ue_asset){0};
		return NULL;
	}
	if (offset > source->size)
		return cs_error_at(CS_E_TRUNCATED, source->name, source->size,
			"the file ends before its asset registry section at byte %llu",
			(unsigned long long)offset);
	do {
		cs_error_free(error);
		error = registry_load(source, offset, size, &reader->section);
		if (error)
			return error;
		struct cs_cursor cursor = cs_cursor_over(
			reader->section.bytes, reader->section.size, offset, source->name);
		error = cs_ue_read_registry(&cursor, ret);
		size = size == SECTION_READ ? section_size(&reader->section, offset)
					    : LARGEST_SECTION;
		size = size < LARGEST_SECTION ? size : LARGEST_SECTION;
	} while (wants_more(error, reader->section.size, source->size - offset));
	return error;
}

struct cs_error *cs_ue_read_head(
	const struct cs_source_file *source, struct cs_ue_reader *reader, struct cs_ue_head *ret)
{
	struct cs_error *error = cs_ue_load_summary(source, &reader->summary, &ret->summary);
	if (error)
		return error;
	const struct cs_ue_buffer *start = &reader->summary;
	uint64_t offset = (uint64_t)ret->summary.registry;
	if (offset != 0 && offset < start->size) {
		struct cs_cursor cursor = cs_cursor_over(
			start->bytes + offset, start->size - (size_t)offset, offset, source->name);
		error = cs_ue_read_registry(&cursor, &ret->asset);
		if (!wants_more(error, start->size, source->size))
			return error;
		cs_error_free(error);
	}
	return cs_ue_read_section(source, reader, &ret->summary, &ret->asset);
}

struct cs_error *cs_ue_open_head(
	const char *path, uint64_t most, struct cs_ue_reader *reader, struct cs_ue_head *ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_open(path, most, &source);
	if (error)
		return error;
	error = cs_ue_read_head(&source, reader, ret);
	cs_source_close(&source);
	return error;
}

void cs_ue_reader_deinit(struct cs_ue_reader *reader)
{
	free(reader->summary.bytes);
	free(reader->section.bytes);
	*reader = (struct cs_ue_reader){0};
}
