/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the index of IoStore containers (ue-cooked rules 8.1 and 8.2). A .utoc is read as a whole:
 * header, chunk ids, offsets, blocks, methods, directory. Chunks are ranges of one long unpacked
 * stream that is divided into blocks of equal size, so the blocks of a chunk follow from its
 * offset.
 */
#include "ue/container/container.h"

#include "ue/package/summary.h"
#include "ue/package/wire.h"
#include "ue/project/settle_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "-==--==--==--==-";

enum { HEADER = 144, CHUNK_ID = 12, OFFSET = 10, BLOCK = 12 };
enum { NEWEST = 10, MOST_METHODS = 16, MOST_DEPTH = 64 };
enum { FLAG_ENCRYPTED = 2, FLAG_SIGNED = 4, FLAG_INDEXED = 8 };

struct header {
	uint32_t version, header_size, entries, blocks, block_entry, methods, method_length;
	uint32_t block_size, directory, partitions, flags, cipher, seeds, unhashed, ivs;
	uint64_t id, partition_size;
};

static struct header utoc_read_header(struct cs_cursor *cursor)
{
	struct header header = {0};
	cs_cursor_skip(cursor, 16);
	header.version = cs_cursor_u8(cursor);
	cs_cursor_skip(cursor, 3);
	header.header_size = cs_cursor_u32(cursor);
	header.entries = cs_cursor_u32(cursor);
	header.blocks = cs_cursor_u32(cursor);
	header.block_entry = cs_cursor_u32(cursor);
	header.methods = cs_cursor_u32(cursor);
	header.method_length = cs_cursor_u32(cursor);
	header.block_size = cs_cursor_u32(cursor);
	header.directory = cs_cursor_u32(cursor);
	header.partitions = cs_cursor_u32(cursor);
	header.id = cs_cursor_u64(cursor);
	cs_cursor_skip(cursor, 16); /* skip the GUID of the encryption key */
	header.flags = cs_cursor_u8(cursor);
	header.cipher = cs_cursor_u8(cursor);
	cs_cursor_skip(cursor, 2);
	header.seeds = cs_cursor_u32(cursor);
	header.partition_size = cs_cursor_u64(cursor);
	header.unhashed = cs_cursor_u32(cursor);
	cs_cursor_skip(cursor, 4); /* skip source hashes */
	header.ivs = cs_cursor_u32(cursor);
	cs_cursor_seek(cursor, HEADER);
	return header;
}

static struct cs_error *check_header(const struct cs_cursor *cursor, const struct header *header)
{
	const uint64_t tables =
		(uint64_t)header->entries * (CHUNK_ID + OFFSET) + (uint64_t)header->blocks * BLOCK;
	const struct {
		bool wrong;
		unsigned at; /* offset of the wrong field */
		enum cs_code code;
		const char *problem;
	} rows[] = {
		{header->header_size != HEADER, 20, CS_E_LAYOUT,
			"the size of the header is not 144 bytes"},
		{tables > cs_cursor_left(cursor), 24, CS_E_TRUNCATED,
			"the tables that the header declares extend past the end of the file"},
		{header->block_entry != BLOCK, 32, CS_E_LAYOUT,
			"the size of an entry of the table of blocks is not 12 bytes"},
		{header->methods > MOST_METHODS, 36, CS_E_LAYOUT,
			"the header declares more compression methods than the limit of 16"},
		{header->methods && header->method_length != CS_UE_METHOD_NAME, 40, CS_E_LAYOUT,
			"the size of the name of a compression method is not 32 bytes"},
		{header->block_size == 0 && header->blocks > 0, 44, CS_E_LAYOUT,
			"the compression block size in the header is 0"},
		{header->partitions > CS_UE_MOST_PARTS, 52, CS_E_LIMIT,
			"the header declares more partitions than the limit of 4096"},
		{header->partitions > 1 && header->partition_size == 0, 88, CS_E_FIELD,
			"the largest size of a partition (.ucas) is 0 in the header"},
	};
	if (header->version > NEWEST)
		return cs_error_at(CS_E_VERSION, cursor->file, 16,
			"the container has version %u, but only versions up to %d can be read",
			header->version, NEWEST);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].wrong)
			return cs_error_at(rows[i].code, cursor->file, rows[i].at, "container: %s",
				rows[i].problem);
	return NULL;
}

static uint64_t big_endian(const unsigned char *at, int n)
{
	uint64_t value = 0;
	for (int i = 0; i < n; i++)
		value = value << 8 | at[i];
	return value;
}

static uint64_t little_endian(const unsigned char *at, int n)
{
	uint64_t value = 0;
	for (int i = n; i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

static struct cs_error *read_entries(
	struct cs_cursor *cursor, const struct header *header, struct cs_ue_container *to)
{
	const unsigned char *ids = cs_cursor_take(cursor, (size_t)header->entries * CHUNK_ID);
	const unsigned char *places = cs_cursor_take(cursor, (size_t)header->entries * OFFSET);
	for (uint32_t i = 0; ids && places && i < header->entries; i++) {
		struct cs_ue_entry *entry = &to->entries[i];
		const unsigned char *id = ids + (size_t)i * CHUNK_ID;
		uint64_t offset = big_endian(places + (size_t)i * OFFSET, 5);
		entry->id = cs_load64(id);
		entry->part = (uint16_t)big_endian(id + 8, 2);
		entry->type = id[11];
		entry->size = big_endian(places + (size_t)i * OFFSET + 5, 5);
		entry->first = (uint32_t)(header->block_size ? offset / header->block_size : 0);
		entry->start = header->block_size ? offset % header->block_size : 0;
		entry->encrypted = header->flags & FLAG_ENCRYPTED;
		uint64_t n = header->block_size
				     ? (entry->start + entry->size + header->block_size - 1) /
					       header->block_size
				     : 0;
		if (offset / (header->block_size ? header->block_size : 1) + n > header->blocks)
			return cs_error_at(CS_E_REFERENCE, cursor->file,
				cursor->position - (uint64_t)(header->entries - i) * OFFSET,
				"chunk %u (counted from 0) needs compressed blocks after the last "
				"of the %u that the container has",
				i, header->blocks);
		entry->n_blocks = entry->size ? (uint32_t)n : 0;
	}
	return NULL;
}

static struct cs_error *read_blocks(
	struct cs_cursor *cursor, const struct header *header, struct cs_ue_container *to)
{
	const unsigned char *at = cs_cursor_take(cursor, (size_t)header->blocks * BLOCK);
	for (uint32_t i = 0; at && i < header->blocks; i++, at += BLOCK) {
		to->blocks[i] = (struct cs_ue_block){.at = little_endian(at, 5),
			.packed = (uint32_t)little_endian(at + 5, 3),
			.plain = (uint32_t)little_endian(at + 8, 3),
			.method = at[11]};
		if (at[11] > header->methods || to->blocks[i].plain > header->block_size)
			return cs_error_at(CS_E_FIELD, cursor->file,
				cursor->position - (uint64_t)(header->blocks - i) * BLOCK,
				"compressed block %u (counted from 0) has a compression method "
				"that the header does not name, or is larger than the block size "
				"of %u bytes",
				i, header->block_size);
	}
	return NULL;
}

/*
 * Computes the packed size of each chunk, and its first block that cannot be unpacked. Chunks may
 * share blocks, so the size is a difference of prefix sums: packed[i] is the sum of the packed
 * sizes of the blocks before i. barred[i] is the first block from i on that cannot be unpacked.
 */
static struct cs_error *sum_entries(struct cs_ue_container *to)
{
	uint32_t n = to->n_blocks;
	uint64_t *packed = calloc((size_t)n + 1, sizeof(*packed));
	uint32_t *barred = calloc((size_t)n + 1, sizeof(*barred));
	if (!packed || !barred) {
		free(packed);
		free(barred);
		return cs_error_nomem();
	}
	for (uint32_t i = 0; i < n; i++)
		packed[i + 1] = packed[i] + to->blocks[i].packed;
	barred[n] = n;
	for (uint32_t i = n; i-- > 0;)
		barred[i] = cs_ue_container_unpacks(to, to->methods[to->blocks[i].method])
				    ? barred[i + 1]
				    : i;
	for (uint32_t i = 0; i < to->n_entries; i++) {
		struct cs_ue_entry *entry = &to->entries[i];
		if (entry->n_blocks == 0)
			continue;
		uint32_t end = entry->first + entry->n_blocks, bar = barred[entry->first];
		uint32_t shown = bar < end ? bar : entry->first;
		entry->stored = packed[end] - packed[entry->first];
		entry->method = (uint8_t)to->methods[to->blocks[shown].method];
	}
	free(packed);
	free(barred);
	return NULL;
}

/* Returns the hash of a chunk id by which the engine finds seeds and chunks. */
static uint64_t hash_chunk_id(uint64_t seed, const unsigned char *id)
{
	uint64_t hash = seed ? seed : 0xcbf29ce484222325;
	for (size_t i = 0; i < CHUNK_ID; i++)
		hash = hash * 0x100000001b3 ^ id[i];
	return hash;
}

/*
 * Counts the chunks that the engine cannot find. The hash of an id chooses a seed. With a positive
 * seed the id is hashed again, to the number of its chunk; a negative seed is -1 - the number. A
 * seed of a number that no chunk has means that the chunk is in the list behind the seeds. So it
 * was with all 562 chunks of seven containers of 5.8 and 6.0.
 */
static struct cs_error *count_lost(const unsigned char *ids, const unsigned char *seeds,
	const struct header *header, struct cs_ue_container *to)
{
	bool *listed = calloc((size_t)header->entries + 1, sizeof(*listed));
	if (!listed)
		return cs_error_nomem();
	for (uint32_t i = 0; header->version >= 5 && i < header->unhashed; i++) {
		const uint32_t chunk = cs_load32(seeds + 4 * ((size_t)header->seeds + i));
		listed[chunk < header->entries ? chunk : header->entries] = true;
	}
	for (uint32_t i = 0; i < header->entries; i++) {
		const unsigned char *id = ids + (size_t)i * CHUNK_ID;
		const uint64_t which = hash_chunk_id(0, id) % header->seeds;
		const uint32_t seed = cs_load32(seeds + 4 * (size_t)which);
		const uint32_t place = ~seed; /* -1 - seed */
		if (seed >> 31)
			to->lost += place < header->entries ? place != i : !listed[i];
		else
			to->lost += seed == 0 || hash_chunk_id(seed, id) % header->entries != i;
	}
	free(listed);
	return NULL;
}

static struct cs_error *read_seeds(struct cs_cursor *cursor, const unsigned char *ids,
	const struct header *header, struct cs_ue_container *to)
{
	const uint64_t n = header->version >= 4 ? header->seeds : 0;
	const uint64_t listed = header->version >= 5 ? header->unhashed : 0;
	const unsigned char *seeds = cs_cursor_take(cursor, 4 * (n + listed));
	return n && seeds ? count_lost(ids, seeds, header, to) : NULL;
}

static void read_methods(
	struct cs_cursor *cursor, const struct header *header, struct cs_ue_container *to)
{
	for (uint32_t i = 0; i < header->methods; i++) {
		const unsigned char *name = cs_cursor_take(cursor, CS_UE_METHOD_NAME);
		if (name)
			to->methods[i + 1] = cs_ue_method_named(name);
	}
}

static void skip_signatures(struct cs_cursor *cursor, const struct header *header)
{
	if (!(header->flags & FLAG_SIGNED))
		return;
	uint32_t size = cs_cursor_u32(cursor);
	cs_cursor_skip(cursor, 2 * (uint64_t)size + 20 * (uint64_t)header->blocks);
}

/* ---- the directory of paths ---- */

struct directory {
	struct cs_ue_container *to;
	const unsigned char *folders, *files;
	uint32_t n_folders, n_files, n_names;
	const char **names;
	size_t bytes;  /* size of the directory in bytes */
	uint32_t left; /* number of steps left: each folder and file is visited at most once */
};

static const char *utoc_name_at(const struct directory *directory, uint32_t index)
{
	return index < directory->n_names ? directory->names[index] : index == CS_NONE ? "" : NULL;
}

static struct cs_error *utoc_damaged(const struct directory *directory, const char *what)
{
	return cs_error_at(
		CS_E_REFERENCE, directory->to->name, CS_NO_OFFSET, "directory index: %s", what);
}

static struct cs_error *walk_files(struct directory *directory, uint32_t file, const char *path)
{
	while (file != CS_NONE) {
		if (file >= directory->n_files || directory->left-- == 0)
			return utoc_damaged(directory,
				file >= directory->n_files
					? "a folder names a file that is not in the table of files"
					: "the list of files in a folder leads back to an earlier "
					  "file");
		const unsigned char *at = directory->files + (size_t)file * 12;
		const char *name = utoc_name_at(directory, cs_load32(at));
		uint32_t entry = cs_load32(at + 8);
		if (!name || entry >= directory->to->n_entries)
			return utoc_damaged(
				directory, "the name or the chunk of a file is missing");
		const char *whole = cs_ue_join(&directory->to->arena, path, name, (char *)NULL);
		if (!whole)
			return cs_error_nomem();
		struct cs_error *error = cs_ue_add_path(directory->to, whole, directory->bytes);
		if (error)
			return error;
		directory->to->entries[entry].path = whole;
		file = cs_load32(at + 4);
	}
	return NULL;
}

/* Visits all folders depth first, with an explicit stack that stores siblings still to visit. */
static struct cs_error *walk_folders(struct directory *directory)
{
	struct {
		uint32_t folder;
		const char *path;
	} stack[2 * MOST_DEPTH] = {{0, ""}};
	size_t depth = directory->n_folders ? 1 : 0;
	struct cs_error *error = NULL;
	while (depth > 0 && !error) {
		uint32_t folder = stack[--depth].folder;
		const char *path = stack[depth].path;
		if (folder >= directory->n_folders || directory->left-- == 0)
			return utoc_damaged(directory,
				folder >= directory->n_folders
					? "a folder names a folder that is not in the table of "
					  "folders"
					: "the list of folders leads back to an earlier folder");
		const unsigned char *at = directory->folders + (size_t)folder * 16;
		const char *name = utoc_name_at(directory, cs_load32(at));
		if (!name)
			return utoc_damaged(directory, "a folder has no name");
		const char *whole =
			*name ? cs_ue_join(&directory->to->arena, path, name, "/", (char *)NULL)
			      : path;
		if (!whole)
			return cs_error_nomem();
		error = walk_files(directory, cs_load32(at + 12), whole);
		uint32_t child = cs_load32(at + 4), sibling = cs_load32(at + 8);
		if (depth + 2 > sizeof(stack) / sizeof(stack[0]))
			return utoc_damaged(directory, "folders are nested more than 64 deep");
		if (sibling != CS_NONE) {
			stack[depth].folder = sibling;
			stack[depth++].path = path;
		}
		if (child != CS_NONE) {
			stack[depth].folder = child;
			stack[depth++].path = whole;
		}
	}
	return error;
}

static struct cs_error *utoc_read_names(struct cs_cursor *cursor, struct directory *directory)
{
	directory->n_names = cs_cursor_count(cursor, CS_UE_STRING_LEAST);
	directory->names =
		CS_ARENA_ARRAY(&directory->to->arena, const char *, (size_t)directory->n_names + 1);
	if (!directory->names)
		return cs_error_nomem();
	for (uint32_t i = 0; i < directory->n_names; i++) {
		directory->names[i] = cs_ue_text(cs_ue_read_string(cursor), &directory->to->arena);
		if (!directory->names[i])
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *read_directory(struct cs_cursor *cursor, struct cs_ue_container *to)
{
	struct directory directory = {.to = to, .bytes = cursor->size};
	struct cs_error *error =
		cs_ue_container_mount(to, cursor, to->cipher ? "directory" : NULL, CS_NO_OFFSET);
	if (error)
		return error;
	directory.n_folders = cs_cursor_count(cursor, 16);
	directory.folders = cs_cursor_take(cursor, (size_t)directory.n_folders * 16);
	directory.n_files = cs_cursor_count(cursor, 12);
	directory.files = cs_cursor_take(cursor, (size_t)directory.n_files * 12);
	error = utoc_read_names(cursor, &directory);
	if (!error)
		error = cs_cursor_error(cursor, "directory index");
	directory.left = directory.n_folders + directory.n_files;
	return error ? error : walk_folders(&directory);
}

/* Reads the paths of chunks. If they are encrypted and there is no key, sets to->locked instead. */
static struct cs_error *open_directory(
	struct cs_cursor *cursor, const struct header *header, struct cs_ue_container *to)
{
	const unsigned char *at = cs_cursor_take(cursor, header->directory);
	if (!at || !(header->flags & FLAG_INDEXED) || header->directory == 0)
		return NULL;
	if (to->cipher && !to->key.given) {
		to->locked = true;
		return NULL;
	}
	unsigned char *copy = cs_arena_alloc(&to->arena, header->directory, 1);
	if (!copy)
		return cs_error_nomem();
	memcpy(copy, at, header->directory);
	struct cs_error *error = NULL;
	if (to->cipher)
		error = cs_ue_decrypt(to->cipher, &to->key,
			to->ivs && header->ivs > header->blocks ? to->ivs[header->blocks] : NULL, 0,
			copy, header->directory);
	struct cs_cursor inside =
		cs_cursor_over(copy, header->directory, cursor->position, to->name);
	to->indexed = true;
	return error ? error : read_directory(&inside, to);
}

/* ---- opening a container ---- */

static struct cs_error *utoc_allocate(struct cs_ue_container *to, const struct header *header)
{
	to->entries = CS_ARENA_ARRAY(&to->arena, struct cs_ue_entry, (size_t)header->entries + 1);
	to->blocks = CS_ARENA_ARRAY(&to->arena, struct cs_ue_block, (size_t)header->blocks + 1);
	to->methods = CS_ARENA_ARRAY(&to->arena, enum cs_ue_method, (size_t)header->methods + 1);
	if (!to->entries || !to->blocks || !to->methods)
		return cs_error_nomem();
	to->n_entries = header->entries;
	to->n_blocks = header->blocks;
	to->version = header->version;
	to->id = header->id;
	to->part_bytes = header->partitions > 1 ? header->partition_size : 0;
	if (header->flags & FLAG_ENCRYPTED)
		to->cipher = header->version >= 10 && header->cipher == 2 ? CS_UE_CTR : CS_UE_ECB;
	return NULL;
}

static struct cs_error *read_ivs(
	struct cs_cursor *cursor, const struct header *header, struct cs_ue_container *to)
{
	if (header->version < 10 || header->ivs == 0)
		return NULL;
	const unsigned char *at = cs_cursor_take(cursor, (size_t)header->ivs * CS_UE_IV);
	if (!at)
		return NULL; /* the tables exceed the file, so the cursor is bad already */
	if (to->cipher == CS_UE_CTR && header->ivs < header->blocks)
		cs_cursor_fail(cursor, CS_E_LAYOUT,
			"the container has fewer initialisation vectors than encrypted blocks");
	to->ivs = cs_arena_alloc(&to->arena, (size_t)header->ivs, CS_UE_IV);
	if (!to->ivs)
		return cs_error_nomem();
	memcpy(to->ivs, at, (size_t)header->ivs * CS_UE_IV);
	return NULL;
}

/*
 * Reads the hashes after the directory: 24 bytes for each entry, of which 20 are the hash. Those of
 * tables before version 8 (33 bytes) are not read, because none was available for testing.
 */
static struct cs_error *read_hashes(struct cs_cursor *cursor, const struct header *header,
	uint64_t at, struct cs_ue_container *to)
{
	enum { HASH_ENTRY = 24, OLD_HASH_ENTRY = 33 };
	const size_t n = header->entries;
	if (header->version < 8 || at > cursor->size)
		return NULL;
	/* a file may end with the directory, because some tools write no hashes */
	to->lacks_hashes = cursor->size > at && cursor->size - at < n * HASH_ENTRY;
	/* n * OLD_HASH_ENTRY bytes are hashes of the old size, and fewer extra bytes are ignored */
	if (cursor->size - at < n * HASH_ENTRY || cursor->size - at >= n * OLD_HASH_ENTRY)
		return NULL;
	to->hashes = cs_arena_alloc(&to->arena, n + 1, sizeof(*to->hashes));
	if (!to->hashes)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		memcpy(to->hashes[i], cursor->bytes + at + i * HASH_ENTRY, sizeof(*to->hashes));
	return NULL;
}

static struct cs_error *utoc_parse(
	struct cs_cursor *cursor, struct cs_ue_container *to, uint32_t *parts_ret)
{
	struct cs_error *error = cs_ue_refuse_pointer(cursor->bytes, cursor->size, cursor->file);
	if (error)
		return error;
	if (cursor->size < 16 || memcmp(cursor->bytes, magic, 16) != 0)
		return cs_error_at(CS_E_MAGIC, cursor->file, 0,
			"the file is not a .utoc: it does not begin with its magic bytes");
	struct header header = utoc_read_header(cursor);
	error = cs_cursor_error(cursor, "container");
	if (!error)
		error = check_header(cursor, &header);
	if (!error)
		error = utoc_allocate(to, &header);
	if (error)
		return error;
	error = read_entries(cursor, &header, to);
	if (!error)
		error = read_seeds(cursor, cursor->bytes + HEADER, &header, to);
	if (error)
		return error;
	error = read_blocks(cursor, &header, to);
	if (!error)
		error = read_ivs(cursor, &header, to);
	if (error)
		return error;
	read_methods(cursor, &header, to);
	skip_signatures(cursor, &header);
	error = cs_cursor_error(cursor, "container");
	if (!error)
		error = read_hashes(
			cursor, &header, cursor->position + (uint64_t)header.directory, to);
	if (!error)
		error = open_directory(cursor, &header, to);
	if (!error)
		error = cs_cursor_error(cursor, "container");
	if (!error)
		error = sum_entries(to);
	*parts_ret = header.partitions ? header.partitions : 1;
	return error;
}

/* Returns E_LFS if a .ucas is a pointer of Git LFS. */
static struct cs_error *refuse_pointer_part(const struct cs_source_file *part)
{
	unsigned char head[200]; /* a pointer is shorter */
	if (part->size > sizeof(head))
		return NULL;
	struct cs_error *error = cs_source_read(part, 0, head, (size_t)part->size);
	return error ? error : cs_ue_refuse_pointer(head, (size_t)part->size, part->name);
}

/* Opens NAME.ucas, NAME_s1.ucas etc. A missing file is an error only when a block in it is read. */
static struct cs_error *open_parts(struct cs_ue_container *to, const char *path, uint32_t n)
{
	size_t stem = strlen(path);
	struct cs_ue_cases cases = {0};
	struct cs_error *error = NULL;
	stem -= stem > 5 && cs_name_compare(path + stem - 5, ".utoc") == 0 ? 5 : 0;
	to->parts = CS_ARENA_ARRAY(&to->arena, struct cs_source_file, n);
	char *name = cs_arena_alloc(&to->arena, stem + 32, 1);
	if (!to->parts || !name)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n && !error; i++) {
		if (i == 0)
			snprintf(name, stem + 32, "%.*s.ucas", (int)stem, path);
		else
			snprintf(name, stem + 32, "%.*s_s%u.ucas", (int)stem, path, i);
		cs_ue_settle_name(&cases, name);
		error = cs_source_open(name, UINT64_MAX, &to->parts[i]);
		to->n_parts = i + 1;
		if (error && error->code == CS_E_NOFILE) {
			cs_error_free(error);
			error = NULL;
		} else if (!error) {
			error = refuse_pointer_part(&to->parts[i]);
		}
	}
	cs_ue_cases_deinit(&cases);
	return error;
}

/* Makes a container from a .utoc without its .ucas files. The caller closes it, also on error. */
static struct cs_error *open_toc(struct cs_cursor *cursor, const struct cs_ue_key *key,
	uint32_t *parts_ret, struct cs_ue_container **ret)
{
	struct cs_error *error = cs_ue_container_new(cursor->file, key, ret);
	return error ? error : utoc_parse(cursor, *ret, parts_ret);
}

struct cs_error *cs_ue_open_utoc(const char *path, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret)
{
	struct cs_ue_container *to = NULL;
	unsigned char *bytes;
	size_t size;
	uint32_t parts;
	struct cs_error *error = cs_read_whole(path, limits->memory, &bytes, &size);
	if (error)
		return error->code == CS_E_LIMIT ? cs_error_add(error, " (raise it with --max-mem)")
						 : error;
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, path);
	error = open_toc(&cursor, key, &parts, &to);
	if (!error)
		error = open_parts(to, path, parts);
	free(bytes);
	if (error)
		cs_ue_container_close(to);
	else
		*ret = to;
	return error;
}

struct cs_error *cs_ue_open_utoc_bytes(const void *toc, size_t toc_size, const void *blocks,
	size_t size, const char *name, struct cs_ue_container **ret)
{
	struct cs_ue_container *to = NULL;
	uint32_t parts;
	struct cs_cursor cursor = cs_cursor_over(toc, toc_size, 0, name);
	struct cs_error *error = open_toc(&cursor, NULL, &parts, &to);
	if (!error && !(to->parts = CS_ARENA_NEW(&to->arena, struct cs_source_file)))
		error = cs_error_nomem();
	if (!error)
		error = cs_source_memory(blocks, size, name, &to->parts[0]);
	if (error) {
		cs_ue_container_close(to);
		return error;
	}
	to->n_parts = 1;
	*ret = to;
	return NULL;
}
