/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A container of the engine: an IoStore pair (.utoc, .ucas) or a .pak. Opening reads only the
 * index. Contents of files are read and unpacked block by block when needed, so that a container of
 * any size costs only the memory of its index. The container's arena owns everything, except the
 * entries and blocks of a .pak, which are allocated one by one.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"
#include "format/byte_source.h"
#include "ue/container/compression.h"

/* The types of IoStore chunks (ue-cooked rules 8.1). Files of a .pak are CS_UE_CHUNK_FILE. */
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

/* Sizes of a block in bytes. An encrypted block is padded in the file to a multiple of 16 bytes. */
struct cs_ue_block {
	uint64_t at; /* offset in the .pak, or in all .ucas partitions together */
	uint32_t packed, plain;
	uint8_t method; /* index in cs_ue_container.methods */
};

struct cs_ue_entry {
	const char *path; /* path below the mount point, or NULL without an index of paths */
	uint64_t size;    /* size of the unpacked file in bytes */
	uint64_t stored;  /* size of the packed blocks in bytes */
	uint64_t start;   /* offset of the file in its first unpacked block */
	uint64_t id;      /* chunk id, or 0 for a file in a .pak */
	uint32_t first;   /* index of the first block in cs_ue_container.blocks */
	uint32_t n_blocks;
	uint16_t part; /* chunk number, from the chunk id */
	uint8_t type;  /* a value of enum cs_ue_chunk */
	/* enum cs_ue_method of the first block that cannot be unpacked, else of the first block */
	uint8_t method;
	bool encrypted, deleted;
	unsigned char iv[CS_UE_IV]; /* initial vector for CTR, in a .pak */
};

enum { CS_UE_MOST_PARTS = 4096 }; /* number of .ucas partitions that a container may have */

struct cs_ue_container {
	struct cs_arena arena;
	char *name;            /* name of the file that was opened */
	const char *mount;     /* mount point without leading "../"s */
	const char *raw_mount; /* mount point as the container stores it */
	struct cs_ue_key key;
	enum cs_ue_cipher cipher;
	struct cs_source_file *parts; /* the .ucas partitions by number, or the .pak */
	uint32_t n_parts;
	uint64_t part_bytes; /* size in bytes of each .ucas partition except the last */
	struct cs_ue_entry *entries;
	struct cs_ue_block *blocks;
	unsigned char (*ivs)[CS_UE_IV]; /* initial vectors for CTR by block, or NULL */
	enum cs_ue_method *methods;
	uint32_t n_entries, n_blocks;
	uint32_t version;
	uint64_t id;
	bool pak, indexed; /* whether it is a .pak, and whether the paths of the files are known */
	bool locked;       /* whether the index is encrypted and no key was given */
	uint64_t path_bytes;         /* sum of the lengths of all paths so far */
	unsigned char (*hashes)[20]; /* hash of each entry, read from the .utoc, or NULL */
	bool lacks_hashes;           /* whether the .utoc ends within its hashes of chunks */
	uint32_t lost; /* number of chunks to which the seeds of the .utoc do not lead */
	struct cs_ue_codec *codec; /* the user's codec for Oodle, or NULL */
};

/* Open a .utoc together with those of its .ucas files that exist, or a .pak. `key` may be NULL. */
struct cs_error *cs_ue_open_utoc(const char *path, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret) CS_MUST_USE;
struct cs_error *cs_ue_open_pak(const char *path, const struct cs_ue_key *key,
	const struct cs_limits *limits, struct cs_ue_container **ret) CS_MUST_USE;
/* Open a container in memory, for tests and fuzzers. `blocks` are the bytes of the .ucas. */
struct cs_error *cs_ue_open_utoc_bytes(const void *toc, size_t toc_size, const void *blocks,
	size_t size, const char *name, struct cs_ue_container **ret) CS_MUST_USE;
struct cs_error *cs_ue_open_pak_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_limits *limits, struct cs_ue_container **ret) CS_MUST_USE;
/* Makes an empty container, for a reader of an index to fill in. The key may be NULL. */
struct cs_error *cs_ue_container_new(
	const char *name, const struct cs_ue_key *key, struct cs_ue_container **ret) CS_MUST_USE;
/*
 * Reads the mount point, with which the index begins. Stores it unchanged, and also without leading
 * "../"s and with a slash at its end, which some tools leave out: "../../../P/Content" ->
 * "P/Content/". If `decrypted` is not NULL, it names the part of the file that was decrypted. Then
 * a mount point that cannot be a path means a wrong key, an error at offset `at` of the file.
 */
struct cs_error *cs_ue_container_mount(struct cs_ue_container *container, struct cs_cursor *cursor,
	const char *decrypted, uint64_t at) CS_MUST_USE;
void cs_ue_container_close(struct cs_ue_container *container);

/* Reads n unpacked bytes at `offset` of `entry`. Returns E_TRUNCATED beyond its end. */
struct cs_error *cs_ue_container_read(const struct cs_ue_container *container,
	const struct cs_ue_entry *entry, uint64_t offset, void *ret, size_t n) CS_MUST_USE;
/* Returns whether blocks that are compressed by this method can be unpacked. */
static inline bool cs_ue_container_unpacks(
	const struct cs_ue_container *container, enum cs_ue_method method)
{
	return method < CS_UE_OODLE || (method == CS_UE_OODLE && container->codec);
}
/* Returns the name of an enum cs_ue_chunk, such as "package", or "unknown" for another number. */
const char *cs_ue_chunk_name(unsigned type);
/*
 * Adds the length of a path to container->path_bytes. Returns an error for a path longer than those
 * of games, or if path_bytes is far more than an index of `index` bytes can need.
 */
struct cs_error *cs_ue_add_path(
	struct cs_ue_container *container, const char *path, size_t index) CS_MUST_USE;

/* ---- oodle.c ---- */

/*
 * Unpacks blocks that Oodle packed, with a library of the user. The environment variable
 * CELLSCOPE_OODLE names the library (--oodle LIBRARY). Only cellscope-import loads it, in its
 * sandbox. A codec is a process of cellscope-import that is started for the first block and runs
 * until the codec is freed. Answers of the process are checked like bytes of a file.
 */
struct cs_ue_codec;

/* Creates a codec. Stores NULL if the user named no Oodle library. */
struct cs_error *cs_ue_codec_new(struct cs_ue_codec **ret) CS_MUST_USE;
/* Frees the codec and ends its process. The codec may be NULL. */
void cs_ue_codec_free(struct cs_ue_codec *codec);
/*
 * Unpacks a block of exactly `plain` bytes. Several threads may call it; it unpacks one block at a
 * time. Returns E_COMPRESSION for a block that is damaged or crashes the codec, E_LIMIT if it is
 * too large or takes too long, and E_FEATURE if the library cannot be loaded.
 */
struct cs_error *cs_ue_codec_unpack(struct cs_ue_codec *codec, const unsigned char *packed,
	uint32_t size, unsigned char *ret, uint32_t plain) CS_MUST_USE;
