/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the index of .pak files, versions 3 to 15 (ue-cooked rules 9). The footer is found by
 * trying the size of each version, newest first. Up to version 9 the index lists the files. From
 * version 10 on it refers to a directory of names, and to entries that are packed into bits.
 */
#include "ue/container/container.h"

#include "core/vec.h"
#include "ue/package/summary.h"
#include "ue/package/wire.h"

#include <string.h>

enum { MAGIC = 0x5a6f12e1, FLAT = 0x50464451, NEWEST = 15, FROZEN = 9, LOCAL_HEADER = 53 };
enum { LONGEST_FOOTER = 262, MOST_METHODS = 5, BIT_DELETED = 2 };

struct span {
	uint64_t offset, size;
	unsigned char sum[20];
};

struct footer {
	uint32_t version, size;
	/*
	 * old_methods: as in version 8a, entries have one byte for one of four compression methods
	 */
	bool encrypted, old_methods;
	struct span index;
	unsigned char ivs[3][CS_UE_IV]; /* initialization vectors: index, path hashes, directory */
};

struct pak {
	struct cs_ue_container *to;
	struct footer footer;
	uint64_t size;
	struct cs_limits limits;
};

/* ---- the footer ---- */

static const struct {
	uint32_t size, least, most;
	bool old_methods;
} footers[] = {
	{262, 15, 15, false},
	{225, 14, 14, false},
	{222, 9, 9, false},
	{221, 8, 13, false},
	{189, 8, 8, true},
	{61, 7, 7, false},
	{45, 4, 6, false},
	{44, 1, 3, false},
};

static bool footer_fits(const unsigned char *tail, size_t have, size_t which)
{
	uint32_t size = footers[which].size;
	size_t before = size >= 61 ? 17 : size >= 45 ? 1 : 0;
	if (have < size)
		return false;
	const unsigned char *at = tail + have - size + before;
	uint32_t version = cs_load32(at + 4);
	return cs_load32(at) == MAGIC && version >= footers[which].least &&
	       version <= footers[which].most;
}

static void read_span(struct cs_cursor *cursor, struct span *ret)
{
	ret->offset = cs_cursor_u64(cursor);
	ret->size = cs_cursor_u64(cursor);
	const unsigned char *sum = cs_cursor_take(cursor, sizeof(ret->sum));
	if (sum)
		memcpy(ret->sum, sum, sizeof(ret->sum));
}

static void footer_methods(struct cs_cursor *cursor, struct pak *pak)
{
	static const enum cs_ue_method old[] = {
		CS_UE_STORED, CS_UE_ZLIB, CS_UE_GZIP, CS_UE_OODLE, CS_UE_LZ4, CS_UE_ZSTD};
	struct cs_ue_container *to = pak->to;
	uint32_t n = pak->footer.old_methods ? MOST_METHODS - 1 : MOST_METHODS;
	memcpy(to->methods, old, sizeof(old));
	for (uint32_t i = 0; i < n && pak->footer.version >= 8; i++) {
		const unsigned char *name = cs_cursor_take(cursor, CS_UE_METHOD_NAME);
		if (name)
			to->methods[i + 1] =
				name[0] ? cs_ue_method_named(name) : CS_UE_UNKNOWN_METHOD;
	}
}

static void read_footer(struct cs_cursor *cursor, struct pak *pak)
{
	struct footer *footer = &pak->footer;
	if (footer->size >= 61)
		cs_cursor_skip(cursor, 16); /* skip the GUID of the encryption key */
	footer->encrypted = footer->size >= 45 && cs_cursor_u8(cursor) == 1;
	cs_cursor_skip(cursor, 4);
	footer->version = cs_cursor_u32(cursor);
	read_span(cursor, &footer->index);
	if (footer->version < 3)
		cs_cursor_fail(cursor, CS_E_FEATURE,
			"the .pak file has version 1 or 2, but only versions from 3 on can be "
			"read");
	bool frozen = footer->version == FROZEN && cs_cursor_u8(cursor) != 0;
	if (frozen)
		cs_cursor_fail(cursor, CS_E_FEATURE,
			"the index is frozen (a memory image, as only one engine version writes "
			"it), and cannot be read: open the loose cooked files");
	footer_methods(cursor, pak);
	pak->to->cipher = CS_UE_ECB;
	if (footer->version >= 14)
		cs_cursor_skip(cursor, 4);
	if (footer->version >= 15) {
		pak->to->cipher = cs_cursor_u8(cursor) == 2 ? CS_UE_CTR : CS_UE_ECB;
		const unsigned char *ivs = cs_cursor_take(cursor, sizeof(footer->ivs));
		if (ivs)
			memcpy(footer->ivs, ivs, sizeof(footer->ivs));
	}
}

static struct cs_error *find_footer(struct pak *pak)
{
	unsigned char tail[LONGEST_FOOTER];
	const struct cs_source_file *source = &pak->to->parts[0];
	size_t have = source->size < sizeof(tail) ? (size_t)source->size : sizeof(tail);
	struct cs_error *error = cs_source_read(source, source->size - have, tail, have);
	if (error)
		return error;
	for (size_t i = 0; i < sizeof(footers) / sizeof(footers[0]); i++) {
		if (!footer_fits(tail, have, i))
			continue;
		pak->footer.size = footers[i].size;
		pak->footer.old_methods = footers[i].old_methods;
		struct cs_cursor cursor = cs_cursor_over(tail + have - footers[i].size,
			footers[i].size, source->size - footers[i].size, source->name);
		read_footer(&cursor, pak);
		pak->to->version = pak->footer.version;
		return cs_cursor_error(&cursor, "footer");
	}
	if (have == source->size)
		error = cs_ue_refuse_pointer(tail, have, source->name);
	return error ? error
		     : cs_error_at(CS_E_MAGIC, source->name, source->size,
			       "the file is not a .pak, or was cut off: it does not end with a footer "
			       "of any version");
}

/* ---- the index and its entries ---- */

/* Loads a part of the index into the arena. Decrypts it, or checks its checksum if it is plain. */
static struct cs_error *pak_load(
	struct pak *pak, const struct span *span, unsigned iv, struct cs_cursor *ret)
{
	const struct cs_source_file *source = &pak->to->parts[0];
	if (span->offset > source->size || span->size > source->size - span->offset)
		return cs_error_at(CS_E_TRUNCATED, source->name, source->size,
			"the index extends past the end of the file: the file is truncated");
	if (span->size > pak->limits.memory)
		return cs_error_at(CS_E_LIMIT, source->name, span->offset,
			"the index has %llu bytes, more than the memory limit of %llu bytes "
			"(raise it with --max-mem)",
			(unsigned long long)span->size, (unsigned long long)pak->limits.memory);
	unsigned char sum[20], *bytes = cs_arena_alloc(&pak->to->arena, (size_t)span->size + 1, 1);
	if (!bytes)
		return cs_error_nomem();
	struct cs_error *error = cs_source_read(source, span->offset, bytes, (size_t)span->size);
	if (!error && pak->footer.encrypted)
		error = cs_ue_decrypt(pak->to->cipher, &pak->to->key, pak->footer.ivs[iv], 0, bytes,
			(size_t)span->size);
	if (!error && !cs_ue_sha1(bytes, (size_t)span->size, sum))
		error = cs_error_nomem();
	if (error)
		return error;
	if (!pak->footer.encrypted && memcmp(sum, span->sum, sizeof(sum)) != 0)
		return cs_error_at(CS_E_CHECKSUM, source->name, span->offset,
			"the index does not match its checksum: the file is damaged");
	*ret = cs_cursor_over(bytes, (size_t)span->size, span->offset, source->name);
	return NULL;
}

struct blocks {
	CS_VEC(struct cs_ue_block) list;
};

/* Rejects an index with too many blocks: forged entries that share bytes would fill the memory. */
static struct cs_error *pak_check_blocks(const struct pak *pak, const struct blocks *blocks)
{
	uint64_t most = pak->limits.memory / sizeof(struct cs_ue_block) / 4;
	if (blocks->list.n <= most)
		return NULL;
	return cs_error_at(CS_E_LIMIT, pak->to->name, pak->footer.index.offset,
		"the index has more than %llu blocks, which do not fit in the memory limit of "
		"%llu bytes (raise it with --max-mem)",
		(unsigned long long)most, (unsigned long long)pak->limits.memory);
}

/* An entry as stored in the index, before its blocks are computed. */
struct raw {
	uint64_t offset, packed, plain, data; /* data: offset of the file's bytes in the .pak */
	uint32_t method, block_size, n_blocks;
	/* whether the sizes of the blocks follow the entry (`sizes`) */
	bool encrypted, deleted, sizes;
	unsigned char iv[CS_UE_IV];
	const unsigned char *ranges; /* begin and end of each block (u64), or NULL */
};

static struct cs_error *add_entry(
	struct pak *pak, const struct raw *raw, uint32_t first, uint32_t n, struct cs_ue_entry *to)
{
	if (raw->block_size > pak->limits.memory)
		return cs_error_at(CS_E_LIMIT, pak->to->name, raw->offset,
			"an entry of the index has blocks of %u bytes, more than the memory limit "
			"of %llu bytes (raise it with --max-mem)",
			raw->block_size, (unsigned long long)pak->limits.memory);
	if (raw->method > MOST_METHODS)
		return cs_error_at(CS_E_FIELD, pak->to->name, raw->offset,
			"an entry of the index has the compression method number %u, but a "
			"container has at most %u methods",
			raw->method, MOST_METHODS);
	to->size = raw->plain;
	to->stored = raw->packed;
	to->type = CS_UE_CHUNK_FILE;
	to->method = (uint8_t)pak->to->methods[raw->method];
	to->encrypted = raw->encrypted;
	to->deleted = raw->deleted;
	to->first = first;
	to->n_blocks = n;
	memcpy(to->iv, raw->iv, CS_UE_IV);
	return NULL;
}

/* Size in bytes of the blocks of an uncompressed file, so that a range of it can be read. */
enum { STORED_BLOCK = 1 << 20 };

static bool add_stored(struct blocks *blocks, const struct raw *raw)
{
	for (uint64_t at = 0; at < raw->plain; at += STORED_BLOCK) {
		uint64_t left = raw->plain - at;
		uint32_t n = (uint32_t)(left < STORED_BLOCK ? left : STORED_BLOCK);
		if (!cs_vec_push(&blocks->list,
			    (struct cs_ue_block){.at = raw->data + at, .packed = n, .plain = n}))
			return false;
	}
	return true;
}

/* Returns the unpacked size of block i of n. All but the last have the entry's block size. */
static uint32_t plain_of(const struct raw *raw, uint32_t i, uint32_t n)
{
	uint64_t before = (uint64_t)i * raw->block_size;
	if (before >= raw->plain)
		return 0;
	uint64_t left = raw->plain - before;
	return (uint32_t)(i + 1 == n || left < raw->block_size
				  ? (left < UINT32_MAX ? left : UINT32_MAX)
				  : raw->block_size);
}

/*
 * Reads an entry that is not packed into bits: its offset, packed and unpacked size, method,
 * checksum, ranges of blocks (if compressed), flags and block size.
 */
static void read_plain_entry(struct cs_cursor *cursor, const struct pak *pak, struct raw *raw)
{
	raw->offset = cs_cursor_u64(cursor);
	raw->packed = cs_cursor_u64(cursor);
	raw->plain = cs_cursor_u64(cursor);
	raw->method = pak->footer.old_methods ? cs_cursor_u8(cursor) : cs_cursor_u32(cursor);
	cs_cursor_skip(cursor, 20);
	raw->n_blocks = raw->method ? cs_cursor_count(cursor, 16) : 0;
	raw->ranges = cs_cursor_take(cursor, (size_t)raw->n_blocks * 16);
	unsigned flags = cs_cursor_u8(cursor);
	raw->block_size = cs_cursor_u32(cursor);
	raw->encrypted = flags & 1;
	raw->deleted = flags & BIT_DELETED;
	/* the file's bytes follow a copy of the entry */
	raw->data = raw->offset + (pak->footer.old_methods ? 50 : LOCAL_HEADER);
}

static uint64_t read_size(struct cs_cursor *cursor, bool narrow)
{
	return narrow ? cs_cursor_u32(cursor) : cs_cursor_u64(cursor);
}

/* Reads an entry that is packed into bits, from version 10 on. */
static void read_packed_entry(struct cs_cursor *cursor, const struct pak *pak, struct raw *raw)
{
	uint32_t bits = cs_cursor_u32(cursor);
	raw->n_blocks = bits >> 6 & 0xffff;
	raw->block_size = (bits & 63) == 63 ? cs_cursor_u32(cursor) : (bits & 63) << 11;
	raw->encrypted = bits >> 22 & 1;
	raw->method = bits >> 23 & 63;
	raw->offset = read_size(cursor, bits >> 31 & 1);
	raw->plain = raw->packed = read_size(cursor, bits >> 30 & 1);
	if (raw->encrypted && pak->to->cipher == CS_UE_CTR) {
		const unsigned char *iv = cs_cursor_take(cursor, CS_UE_IV);
		if (iv)
			memcpy(raw->iv, iv, CS_UE_IV);
	}
	if (raw->method)
		raw->packed = read_size(cursor, bits >> 29 & 1);
	raw->data = raw->offset + LOCAL_HEADER;
	if (raw->n_blocks == 1 && raw->method)
		raw->block_size = raw->plain < UINT32_MAX ? (uint32_t)raw->plain : UINT32_MAX;
	raw->sizes = raw->n_blocks > 1 || (raw->n_blocks == 1 && raw->encrypted);
}

/* Computes offset and size of block i, from the entry's ranges if any, else after block i - 1. */
static void place_block(struct cs_cursor *cursor, const struct pak *pak, const struct raw *raw,
	uint32_t i, struct cs_ue_block *block)
{
	uint64_t packed = raw->packed;
	if (raw->ranges) {
		uint64_t start = cs_load64(raw->ranges + 16 * (size_t)i);
		uint64_t end = cs_load64(raw->ranges + 16 * (size_t)i + 8);
		packed = end - start;
		block->at = (pak->footer.version >= 5 ? raw->offset : 0) + start;
		if (end < start)
			cs_cursor_fail(
				cursor, CS_E_FIELD, "a compressed block ends before it begins");
	} else {
		packed = raw->sizes ? cs_cursor_u32(cursor) : packed;
		if (packed > pak->size)
			cs_cursor_fail(cursor, CS_E_FIELD,
				"a compressed block is larger than the whole .pak");
	}
	if (packed > UINT32_MAX - CS_UE_AES_BLOCK)
		cs_cursor_fail(cursor, CS_E_FIELD,
			"a compressed block has more than 4294967279 bytes, the limit");
	block->packed = (uint32_t)packed;
}

static struct cs_error *add_blocks(struct cs_cursor *cursor, const struct pak *pak,
	const struct raw *raw, struct blocks *blocks)
{
	struct cs_ue_block block = {
		.method = (uint8_t)raw->method, .at = raw->data + 4 + 16 * (uint64_t)raw->n_blocks};
	for (uint32_t i = 0; i < raw->n_blocks; i++) {
		place_block(cursor, pak, raw, i, &block);
		block.plain = plain_of(raw, i, raw->n_blocks);
		if (cursor->bad)
			break;
		if (!cs_vec_push(&blocks->list, block))
			return cs_error_nomem();
		block.at += raw->encrypted ? (block.packed + 15) & ~UINT64_C(15) : block.packed;
	}
	return NULL;
}

static struct cs_error *pak_read_entry(struct cs_cursor *cursor, struct pak *pak, bool packed,
	struct blocks *blocks, struct cs_ue_entry *to)
{
	struct raw raw = {0};
	const uint32_t first = (uint32_t)blocks->list.n;
	struct cs_error *error = NULL;
	(packed ? read_packed_entry : read_plain_entry)(cursor, pak, &raw);
	if (!cursor->bad && raw.method)
		error = add_blocks(cursor, pak, &raw, blocks);
	else if (raw.plain > pak->size && !raw.deleted)
		cs_cursor_fail(
			cursor, CS_E_TRUNCATED, "a stored file is larger than the whole .pak");
	else if (!cursor->bad && !raw.deleted && !add_stored(blocks, &raw))
		error = cs_error_nomem();
	if (!error)
		error = cs_cursor_error(cursor, "entry");
	if (!error)
		error = add_entry(pak, &raw, first, (uint32_t)blocks->list.n - first, to);
	return error ? error : pak_check_blocks(pak, blocks);
}

/* ---- the directory of names ---- */

/* The index being read. Files of the directory refer to packed or plain entries. */
struct index {
	struct pak *pak;
	struct cs_cursor packed, plain;
	CS_VEC(struct cs_ue_entry) entries;
	struct blocks blocks;
	CS_VEC(size_t) plain_at; /* for each plain (not packed) entry, its offset in `plain` */
	size_t index_bytes;      /* size of the directory in bytes */
};

/*
 * Adds a file. `where` is the offset of its entry in `packed`. If negative, it is the complement
 * (~) of an index in plain_at, and INT32_MIN means that the file was deleted.
 */
static struct cs_error *pak_add_file(struct index *pak_index, const char *path, int32_t where)
{
	struct cs_ue_entry entry = {.path = path};
	struct cs_error *error = NULL;
	if (where == INT32_MIN)
		entry = (struct cs_ue_entry){
			.path = path, .deleted = true, .type = CS_UE_CHUNK_FILE};
	else if (where >= 0) {
		struct cs_cursor cursor = pak_index->packed;
		cs_cursor_seek(&cursor, (uint64_t)where);
		error = pak_read_entry(&cursor, pak_index->pak, true, &pak_index->blocks, &entry);
	} else {
		uint32_t number = ~(uint32_t)where;
		if (number >= pak_index->plain_at.n)
			return cs_error_at(CS_E_REFERENCE, pak_index->pak->to->name, CS_NO_OFFSET,
				"%s: the directory names this file, but the index has no entry "
				"for it",
				path);
		struct cs_cursor cursor = pak_index->plain;
		cs_cursor_seek(&cursor, pak_index->plain_at.at[number]);
		error = pak_read_entry(&cursor, pak_index->pak, false, &pak_index->blocks, &entry);
	}
	if (!error)
		error = cs_ue_add_path(pak_index->pak->to, path, pak_index->index_bytes);
	if (!error && !cs_vec_push(&pak_index->entries, entry))
		error = cs_error_nomem();
	return error;
}

/* Reads a file name: an FString or, from version 12 on, an i32 n and n bytes without a NUL. */
static const char *read_file_name(struct cs_cursor *cursor, struct pak *pak)
{
	if (pak->footer.version < 12)
		return cs_ue_text(cs_ue_read_string(cursor), &pak->to->arena);
	return cs_ue_read_utf8(cursor, &pak->to->arena);
}

static const char *join_path(struct pak *pak, const char *folder, const char *name)
{
	return cs_ue_join(
		&pak->to->arena, *folder == '/' ? folder + 1 : folder, name, (char *)NULL);
}

static struct cs_error *read_folders(struct cs_cursor *cursor, struct index *pak_index)
{
	struct pak *pak = pak_index->pak;
	uint32_t folders = cs_cursor_count(cursor, 8);
	for (uint32_t i = 0; i < folders && !cursor->bad; i++) {
		const char *folder = cs_ue_text(cs_ue_read_string(cursor), &pak->to->arena);
		uint32_t files = cs_cursor_count(cursor, 8);
		for (uint32_t k = 0; k < files && !cursor->bad; k++) {
			const char *name = read_file_name(cursor, pak);
			int32_t where = cs_cursor_i32(cursor);
			const char *path = folder && name ? join_path(pak, folder, name) : NULL;
			if (!path)
				return cs_error_nomem();
			struct cs_error *error =
				cursor->bad ? NULL : pak_add_file(pak_index, path, where);
			if (error)
				return error;
		}
	}
	return cs_cursor_error(cursor, "directory");
}

/*
 * The directory from version 13 on. Each folder has a range of the files. Its name is stored as the
 * length of the prefix that it shares with the folder before it, and the rest.
 */
struct flat_directory {
	uint32_t folders, files, folder_bytes, name_bytes;
	/* index of the first file of each folder, and in one more item the number of files (u32) */
	const unsigned char *first_files;
	/* offset in `names` of the name of each file, and in one more item their end (u32) */
	const unsigned char *first_bytes;
	const unsigned char *wheres; /* parameter `where` of pak_add_file() for each file (i32) */
	const unsigned char *folder_names, *names;
};

static struct cs_error *read_flat_tables(struct cs_cursor *cursor, struct flat_directory *ret)
{
	cs_cursor_skip(cursor, 4); /* skip the magic number */
	ret->folders = cs_cursor_u32(cursor);
	ret->files = cs_cursor_u32(cursor);
	/* of every `restart` folders, one name is stored without a shared prefix */
	const uint32_t restart = cs_cursor_u32(cursor);
	ret->folder_bytes = cs_cursor_u32(cursor);
	ret->name_bytes = cs_cursor_u32(cursor);
	const uint32_t hashes = cs_cursor_u32(cursor);
	cs_cursor_skip(cursor, 4);
	cs_cursor_skip(cursor, 12 * (uint64_t)hashes);
	cs_cursor_skip(
		cursor, restart ? 4 * (((uint64_t)ret->folders + restart - 1) / restart + 1) : 0);
	if ((uint64_t)ret->folders + ret->files > cs_cursor_left(cursor) / 4)
		cs_cursor_fail(cursor, CS_E_TRUNCATED,
			"it declares more folders and files than fit in the bytes that follow");
	ret->first_files = cs_cursor_take(cursor, ((size_t)ret->folders + 1) * 4);
	ret->first_bytes = cs_cursor_take(cursor, ((size_t)ret->files + 1) * 4);
	ret->wheres = cs_cursor_take(cursor, (size_t)ret->files * 4);
	ret->folder_names = cs_cursor_take(cursor, ret->folder_bytes);
	ret->names = cs_cursor_take(cursor, ret->name_bytes);
	return cs_cursor_error(cursor, "directory index");
}

static struct cs_error *add_flat_file(const struct cs_cursor *cursor, struct index *pak_index,
	const struct flat_directory *flat, const char *folder, uint32_t file)
{
	struct pak *pak = pak_index->pak;
	const uint32_t at = cs_load32(flat->first_bytes + 4 * (size_t)file);
	const uint32_t end = cs_load32(flat->first_bytes + 4 * ((size_t)file + 1));
	if (at > end || end > flat->name_bytes)
		return cs_error_at(CS_E_REFERENCE, cursor->file, cursor->origin,
			"directory index: the name of a file lies outside of the table of names");
	const char *name = cs_arena_text(&pak->to->arena, (const char *)flat->names + at, end - at);
	const char *path = name ? join_path(pak, folder, name) : NULL;
	return path ? pak_add_file(
			      pak_index, path, (int32_t)cs_load32(flat->wheres + 4 * (size_t)file))
		    : cs_error_nomem();
}

static struct cs_error *read_flat(struct cs_cursor *cursor, struct index *pak_index)
{
	struct flat_directory flat = {0};
	struct cs_error *error = read_flat_tables(cursor, &flat);
	if (error)
		return error;
	struct cs_cursor each =
		cs_cursor_over(flat.folder_names, flat.folder_bytes, 0, cursor->file);
	char folder[4096] = "";
	for (uint32_t i = 0; i < flat.folders; i++) {
		const uint32_t shared = cs_cursor_u32(&each), n = cs_cursor_count(&each, 1);
		const unsigned char *rest = cs_cursor_take(&each, n);
		uint32_t file = cs_load32(flat.first_files + 4 * (size_t)i);
		const uint32_t end = cs_load32(flat.first_files + 4 * ((size_t)i + 1));
		if (rest && shared <= strlen(folder) && shared + (size_t)n >= sizeof(folder))
			return cs_error_at(CS_E_LIMIT, cursor->file, cursor->origin,
				"directory index: the path of a folder has more than %zu bytes",
				sizeof(folder) - 1);
		if (!rest || shared > strlen(folder) || file > end || end > flat.files)
			return cs_error_at(CS_E_REFERENCE, cursor->file, cursor->origin,
				"directory index: a folder names files that the index does not "
				"contain");
		memcpy(folder + shared, rest, n);
		folder[shared + n] = '\0';
		for (; file < end && !error; file++)
			error = add_flat_file(cursor, pak_index, &flat, folder, file);
		if (error)
			return error;
	}
	return NULL;
}

/*
 * Stores in pak_index->plain_at the offsets of the entries that are not packed into bits. The
 * entries have different sizes, so all must be parsed.
 */
static struct cs_error *find_plain(struct cs_cursor *cursor, struct index *pak_index)
{
	uint32_t n = cs_cursor_count(cursor, LOCAL_HEADER);
	pak_index->plain = *cursor;
	for (uint32_t i = 0; i < n && !cursor->bad; i++) {
		struct raw raw = {0};
		if (!cs_vec_push(&pak_index->plain_at, cursor->position))
			return cs_error_nomem();
		read_plain_entry(cursor, pak_index->pak, &raw);
	}
	return cs_cursor_error(cursor, "entries");
}

static struct cs_error *read_new_index(struct cs_cursor *cursor, struct index *pak_index)
{
	struct span hashes, directory = {0};
	cs_cursor_skip(cursor, 4 + 8); /* skip the number of entries and the seed of path hashes */
	if (cs_ue_read_bool(cursor))
		read_span(cursor, &hashes);
	bool has_directory = cs_ue_read_bool(cursor);
	if (has_directory)
		read_span(cursor, &directory);
	uint32_t size = cs_cursor_count(cursor, 1);
	const unsigned char *packed = cs_cursor_take(cursor, size);
	pak_index->packed = cs_cursor_over(packed, packed ? size : 0, cursor->origin, cursor->file);
	struct cs_error *error = find_plain(cursor, pak_index);
	if (error)
		return error;
	if (!has_directory)
		return cs_error_at(CS_E_MISSING, cursor->file, cursor->origin,
			"the index has no names of files, only hashes: open the loose cooked files "
			"instead");
	struct cs_cursor names;
	error = pak_load(pak_index->pak, &directory, 2, &names);
	if (error)
		return error;
	pak_index->index_bytes = names.size;
	bool flat = pak_index->pak->footer.version >= 13 && names.size >= 4 &&
		    cs_load32(names.bytes) == FLAT;
	return flat ? read_flat(&names, pak_index) : read_folders(&names, pak_index);
}

static struct cs_error *read_old_index(struct cs_cursor *cursor, struct index *pak_index)
{
	uint32_t n = cs_cursor_count(cursor, CS_UE_STRING_LEAST + 50);
	for (uint32_t i = 0; i < n; i++) {
		struct cs_ue_entry entry = {
			.path = cs_ue_text(cs_ue_read_string(cursor), &pak_index->pak->to->arena)};
		if (!entry.path)
			return cs_error_nomem();
		struct cs_error *error =
			pak_read_entry(cursor, pak_index->pak, false, &pak_index->blocks, &entry);
		if (error)
			return error;
		if (!cs_vec_push(&pak_index->entries, entry))
			return cs_error_nomem();
	}
	return cs_cursor_error(cursor, "index");
}

/* ---- opening a .pak ---- */

static struct cs_error *read_index(struct pak *pak)
{
	struct index pak_index = {.pak = pak};
	struct cs_cursor cursor;
	struct cs_error *error = pak_load(pak, &pak->footer.index, 0, &cursor);
	if (!error) {
		pak->to->indexed = true;
		error = cs_ue_container_mount(pak->to, &cursor,
			pak->footer.encrypted ? "index" : NULL, pak->footer.index.offset);
	}
	if (!error)
		error = pak->footer.version >= 10 ? read_new_index(&cursor, &pak_index)
						  : read_old_index(&cursor, &pak_index);
	/* the container owns the arrays, also after an error */
	pak->to->entries = pak_index.entries.at;
	pak->to->n_entries = (uint32_t)pak_index.entries.n;
	pak->to->blocks = pak_index.blocks.list.at;
	pak->to->n_blocks = (uint32_t)pak_index.blocks.list.n;
	cs_vec_free(&pak_index.plain_at);
	return error;
}

/* Opens a .pak and takes ownership of `source`, also on failure. */
static struct cs_error *open_pak(struct cs_source_file source, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret)
{
	struct cs_ue_container *to = NULL;
	struct cs_error *error = cs_ue_container_new(source.name, key, &to);
	if (!error) {
		to->pak = true;
		to->parts = CS_ARENA_NEW(&to->arena, struct cs_source_file);
		to->methods = CS_ARENA_ARRAY(&to->arena, enum cs_ue_method, MOST_METHODS + 1);
	}
	if (error || !to->parts || !to->methods) {
		cs_source_close(&source);
		cs_ue_container_close(to);
		return error ? error : cs_error_nomem();
	}
	to->parts[0] = source;
	to->n_parts = 1;
	struct pak pak = {.to = to, .size = source.size, .limits = *limits};
	error = find_footer(&pak);
	if (!error && pak.footer.encrypted && !to->key.given)
		to->locked = true;
	else if (!error)
		error = read_index(&pak);
	if (error)
		cs_ue_container_close(to);
	else
		*ret = to;
	return error;
}

struct cs_error *cs_ue_open_pak(const char *path, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_open(path, UINT64_MAX, &source);
	return error ? error : open_pak(source, key, limits, ret);
}

struct cs_error *cs_ue_open_pak_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_limits *limits, struct cs_ue_container **ret)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_memory(bytes, size, name, &source);
	return error ? error : open_pak(source, NULL, limits, ret);
}
