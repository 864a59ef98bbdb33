/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files that are stored in containers (.pak, IoStore). Such a file is a sequence of blocks.
 * Reading a range of it reads, decrypts and unpacks the blocks that the range touches, one at a
 * time.
 */
#include "ue/container/container.h"

#include "core/error_inside.h"
#include "core/import_program.h"
#include "ue/package/wire.h"

#include <stdlib.h>
#include <string.h>

struct cs_error *cs_ue_container_new(
	const char *name, const struct cs_ue_key *key, struct cs_ue_container **ret)
{
	struct cs_ue_container *to = calloc(1, sizeof(*to));
	if (!to || !(to->name = strdup(name))) {
		free(to);
		return cs_error_nomem();
	}
	to->mount = to->raw_mount = "";
	if (key)
		to->key = *key;
	struct cs_error *error = cs_ue_codec_new(&to->codec);
	if (error)
		cs_ue_container_close(to);
	else
		*ret = to;
	return error;
}

void cs_ue_container_close(struct cs_ue_container *container)
{
	if (!container)
		return;
	for (uint32_t i = 0; i < container->n_parts; i++)
		cs_source_close(&container->parts[i]);
	if (container->pak) {
		free(container->entries);
		free(container->blocks);
	}
	cs_ue_codec_free(container->codec);
	cs_arena_deinit(&container->arena);
	free(container->name);
	free(container);
}

/* Reads n stored bytes of a block. The engine pads .ucas files, so no block is in two of them. */
static struct cs_error *read_packed(const struct cs_ue_container *container,
	const struct cs_ue_block *block, unsigned char *ret, size_t n)
{
	uint64_t part = container->part_bytes ? block->at / container->part_bytes : 0;
	uint64_t at = container->part_bytes ? block->at % container->part_bytes : block->at;
	if (part >= container->n_parts || !container->parts[part].name)
		return cs_error_at(CS_E_NOFILE, container->name, CS_NO_OFFSET,
			"the container lacks its .ucas file number %llu (counted from 0): copy it "
			"beside the .utoc",
			(unsigned long long)part);
	return cs_source_read(&container->parts[part], at, ret, n);
}

static struct cs_error *locked(const struct cs_ue_container *container)
{
	return cs_error_at(CS_E_KEY, container->name, CS_NO_OFFSET,
		"the container is encrypted: give its AES key with --key");
}

/* Adds the container's name and the block's offset to an error of unpacking, which lacks both. */
static struct cs_error *at_block(const struct cs_ue_container *container,
	const struct cs_ue_block *block, struct cs_error *error)
{
	if (!error || error->file || error->code == CS_E_NOMEM || error->code == CS_E_INTERRUPTED)
		return error;
	error->file = strdup(container->name);
	error->offset = block->at;
	if (error->file)
		return error;
	cs_error_free(error);
	return cs_error_nomem();
}

/* Reads and unpacks a block. `packed` and `plain` are buffers for packed and unpacked bytes. */
static struct cs_error *container_read_block(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, uint32_t index, unsigned char *packed,
	unsigned char *plain)
{
	const struct cs_ue_block *block = &container->blocks[index];
	size_t n = block->packed;
	if (entry->encrypted) {
		if (!container->key.given)
			return locked(container);
		n = (n + CS_UE_AES_BLOCK - 1) & ~(size_t)(CS_UE_AES_BLOCK - 1);
	}
	struct cs_error *error = read_packed(container, block, packed, n);
	/* the CTR counter starts at 0 in each block of a .ucas, but only in each file of a .pak */
	uint64_t before = container->pak ? block->at - container->blocks[entry->first].at : 0;
	if (!error && entry->encrypted)
		error = cs_ue_decrypt(container->cipher, &container->key,
			container->ivs ? container->ivs[index] : entry->iv,
			(uint32_t)(before / CS_UE_AES_BLOCK), packed, n);
	if (error)
		return error;
	enum cs_ue_method method = container->methods[block->method];
	if (method == CS_UE_OODLE && container->codec)
		error = cs_ue_codec_unpack(
			container->codec, packed, block->packed, plain, block->plain);
	else
		error = cs_ue_unpack(method, packed, block->packed, plain, block->plain);
	return at_block(container, block, error);
}

struct buffers {
	unsigned char *packed, *plain;
};

/* Checks that a block exists and has a possible size, before memory is allocated for it. */
static struct cs_error *container_check_block(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, const struct cs_ue_block *block)
{
	enum cs_ue_method method = container->methods[block->method];
	uint64_t part = container->part_bytes ? block->at / container->part_bytes : 0;
	const bool exists = part < container->n_parts && container->parts[part].name;
	if (exists && block->packed > container->parts[part].size)
		return cs_error_at(CS_E_TRUNCATED, container->name, block->at,
			"%s: a block has %u bytes, but the file that contains it has only %llu",
			entry->path ? entry->path : "a chunk", block->packed,
			(unsigned long long)container->parts[part].size);
	if (!cs_ue_container_unpacks(container, method) ||
		(block->plain <= cs_ue_most_plain(method, block->packed) &&
			(method != CS_UE_OODLE || block->plain <= CS_BLOCK_MOST)))
		return NULL;
	return cs_error_at(CS_E_LAYOUT, container->name, block->at,
		"%s: a block of %u bytes claims to unpack to %u bytes, which its compression "
		"method cannot reach",
		entry->path ? entry->path : "a chunk", block->packed, block->plain);
}

static struct cs_error *buffers_for(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, struct buffers *ret)
{
	size_t packed = 0, plain = 0;
	for (uint32_t i = 0; i < entry->n_blocks; i++) {
		const struct cs_ue_block *block = &container->blocks[entry->first + i];
		packed = block->packed > packed ? block->packed : packed;
		struct cs_error *error = container_check_block(container, entry, block);
		if (error)
			return error;
		if (cs_ue_container_unpacks(container, container->methods[block->method]))
			plain = block->plain > plain ? block->plain : plain;
	}
	*ret = (struct buffers){malloc(packed + 2 * CS_UE_AES_BLOCK), malloc(plain + 1)};
	if (ret->packed && ret->plain)
		return NULL;
	free(ret->packed);
	free(ret->plain);
	return cs_error_nomem();
}

struct cs_error *cs_ue_container_read(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, uint64_t offset, void *ret, size_t n)
{
	struct buffers buffers;
	if (offset > entry->size || n > entry->size - offset)
		return cs_error_at(CS_E_TRUNCATED, container->name, CS_NO_OFFSET,
			"%s has only %llu bytes, but its first %llu bytes are needed",
			entry->path ? entry->path : "a chunk", (unsigned long long)entry->size,
			(unsigned long long)(offset + n));
	if (n == 0)
		return NULL;
	struct cs_error *error = buffers_for(container, entry, &buffers);
	if (error)
		return error;
	unsigned char *to = ret;
	uint64_t skip = entry->start + offset;
	for (uint32_t i = 0; i < entry->n_blocks && n > 0 && !error; i++) {
		const struct cs_ue_block *block = &container->blocks[entry->first + i];
		if (skip >= block->plain) {
			skip -= block->plain;
			continue;
		}
		error = container_read_block(
			container, entry, entry->first + i, buffers.packed, buffers.plain);
		if (error)
			break;
		size_t part = block->plain - (size_t)skip < n ? block->plain - (size_t)skip : n;
		memcpy(to, buffers.plain + skip, part);
		to += part;
		n -= part;
		skip = 0;
	}
	free(buffers.packed);
	free(buffers.plain);
	if (!error && n > 0)
		error = cs_error_at(CS_E_LAYOUT, container->name, CS_NO_OFFSET,
			"its compressed blocks contain fewer bytes than the index of the container "
			"declares");
	return error ? cs_error_wrap(error, "%s", entry->path ? entry->path : "a chunk") : NULL;
}

const char *cs_ue_chunk_name(unsigned type)
{
	static const char *const names[CS_UE_CHUNKS] = {"none", "package", "bulk", "optional_bulk",
		"mapped_bulk", "script_objects", "container_header", "external", "shader_library",
		"shader", "file"};
	return type < CS_UE_CHUNKS ? names[type] : "unknown";
}

enum { LONGEST_PATH = 4096, PATHS_PER_BYTE = 32, PATHS_AT_LEAST = 1 << 20 };

struct cs_error *cs_ue_add_path(struct cs_ue_container *container, const char *path, size_t index)
{
	size_t n = strlen(path);
	container->path_bytes += n + 1;
	if (n <= LONGEST_PATH &&
		container->path_bytes <= PATHS_AT_LEAST + (uint64_t)index * PATHS_PER_BYTE)
		return NULL;
	return cs_error_at(CS_E_LIMIT, container->name, CS_NO_OFFSET,
		"the unpacked paths take far more memory than a directory of this size can "
		"need: the file is damaged; copy it again");
}

/* Returns whether a decrypted mount point can be a path. The empty one can. */
static bool is_sane_mount(const char *text)
{
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	return !*text || strchr(text, '/');
}

struct cs_error *cs_ue_container_mount(struct cs_ue_container *container, struct cs_cursor *cursor,
	const char *decrypted, uint64_t at)
{
	const char *mount = cs_ue_text(cs_ue_read_string(cursor), &container->arena);
	if (!mount)
		return cs_error_nomem();
	if (decrypted && (cursor->bad || !is_sane_mount(mount)))
		return cs_error_at(CS_E_KEY, container->name, at,
			"the AES key is wrong: it does not decrypt the %s", decrypted);
	container->raw_mount = mount;
	if (*mount && mount[strlen(mount) - 1] != '/')
		mount = cs_ue_join(&container->arena, mount, "/", (char *)NULL);
	while (mount && strncmp(mount, "../", 3) == 0)
		mount += 3;
	container->mount = mount;
	return mount ? NULL : cs_error_nomem();
}
