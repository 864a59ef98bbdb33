/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One container of the engine, read in place: an IoStore pair (.utoc, .ucas) or a .pak. Opening
 * reads only the index. The bytes of a file are read and unpacked block by block when they are
 * needed, so a container of any size costs only its index. The arena of the container owns
 * everything.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"
#include "format/byte_source.h"
#include "ue/container/compression.h"
#include "ue/container/oodle.h"

/* The types of IoStore chunks (ue-cooked rules 8.1). A file of a .pak is CS_UE_CHUNK_FILE. */
enum cs_ue_chunk {
	CS_UE_CHUNK_NONE,
	CS_UE_CHUNK_PACKAGE,
	CS_UE_CHUNK_BULK,
	CS_UE_CHUNK_OPTIONAL_BULK,
	CS_UE_CHUNK_MAPPED_BULK,
	CS_UE_CHUNK_SCRIPT_OBJECTS,
	CS_UE_CHUNK_HEADER,
	CS_UE_CHUNK_EXTERNAL,
	CS_UE_CHUNK_SHADER_LIBRARY,
	CS_UE_CHUNK_SHADER,
	CS_UE_CHUNK_FILE,
	CS_UE_CHUNKS
};

/*
 * A block of packed bytes with the size of its plain bytes. An encrypted block is stored with as
 * many more bytes as make its length a multiple of 16.
 */
struct cs_ue_block {
	uint64_t at; /* offset in the file, or over all partitions */
	uint32_t packed, plain;
	uint8_t method; /* index in cs_ue_container.methods */
};

struct cs_ue_entry {
	const char *path; /* below the mount point; NULL when the container has no index */
	uint64_t size;    /* bytes of the plain file */
	uint64_t stored;  /* bytes of its packed blocks */
	uint64_t start;   /* offset of the entry in the plain bytes of its first block */
	uint64_t id;      /* chunk id */
	uint32_t first;   /* first block, index in cs_ue_container.blocks */
	uint32_t n_blocks;
	uint16_t part; /* part number of the chunk id */
	uint8_t type;  /* enum cs_ue_chunk */
	/*
	 * enum cs_ue_method: the first in its blocks that cannot be unpacked, else that of its
	 * first block
	 */
	uint8_t method;
	bool encrypted, deleted;
	unsigned char iv[CS_UE_IV]; /* initial vector of a file of a .pak */
};

struct cs_ue_container {
	struct cs_arena arena;
	char *name;            /* name of the file that was opened */
	const char *mount;     /* mount point without leading "../" */
	const char *raw_mount; /* mount point as the container stores it */
	struct cs_ue_key key;
	enum cs_ue_cipher cipher;
	struct cs_source_file *parts; /* .ucas files by number, or only the .pak */
	uint32_t n_parts;
	uint64_t part_bytes; /* size of each partition but the last */
	struct cs_ue_entry *entries;
	struct cs_ue_block *blocks;
	unsigned char (*ivs)[CS_UE_IV]; /* initial vectors of blocks, or NULL */
	enum cs_ue_method *methods;
	uint32_t n_entries, n_blocks;
	uint32_t version;
	uint64_t id;
	bool pak, indexed;           /* indexed: the container has paths of its files */
	bool locked;                 /* the index is encrypted and there is no key */
	uint64_t path_bytes;         /* bytes of all paths so far */
	unsigned char (*hashes)[20]; /* hashes of entries, as in the table; or NULL */
	struct cs_ue_codec *codec;   /* the user's codec for Oodle; or NULL */
};

/* Opens a .utoc at `path`, and its .ucas files where they exist. */
struct cs_error *cs_ue_open_utoc(const char *path, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret) CS_MUST_USE;
struct cs_error *cs_ue_open_pak(const char *path, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret) CS_MUST_USE;
/* Opens bytes in memory, for tests and fuzzers. `blocks` is the .ucas. */
struct cs_error *cs_ue_open_utoc_bytes(const void *toc, size_t toc_size, const void *blocks,
	size_t size, const char *name, const struct cs_ue_key *key, const struct cs_limits *limits,
	struct cs_ue_container **ret) CS_MUST_USE;
struct cs_error *cs_ue_open_pak_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_ue_key *key, const struct cs_limits *limits,
	struct cs_ue_container **ret) CS_MUST_USE;
void cs_ue_container_close(struct cs_ue_container *container);

/* Reads n plain bytes of a file from `offset` on. Returns E_TRUNCATED beyond its end. */
struct cs_error *cs_ue_container_read(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, uint64_t offset, void *ret, size_t n) CS_MUST_USE;
/* Returns whether blocks of the method can be unpacked. */
static inline bool cs_ue_container_unpacks(
	const struct cs_ue_container *container, enum cs_ue_method method)
{
	return method < CS_UE_OODLE || (method == CS_UE_OODLE && container->codec);
}
/* Returns "package", "bulk", "file" and so on, and "unknown" for an unknown type. */
const char *cs_ue_chunk_name(unsigned type);
/* Returns "../../../Project/Content/" as "Project/Content/". */
const char *cs_ue_plain_mount(const char *mount);
/*
 * Counts a path of the index, which has `index` bytes. Returns true for a path that no game has,
 * and when all paths together are so much longer than the index that they must be forged.
 */
bool cs_ue_paths_are_too_long(struct cs_ue_container *container, const char *path, size_t index);
/* Returns whether a decrypted mount point is possible. "" is. */
bool cs_ue_sane_mount(const char *text);
