/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes BLAKE3 of bytes that come piece by piece, for the hashes of chunks in tables of
 * contents. Debian 12 has no C library of it. Of the tree over chunks of 1024 bytes only the roots
 * of complete left subtrees are stored, until they are joined with their right neighbour.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CS_UE_HASH_BLOCK = 64, CS_UE_HASH_LEVELS = 54 };

struct cs_ue_chunk_hash {
	uint32_t value[8];                     /* hash of the current chunk so far */
	uint32_t halves[CS_UE_HASH_LEVELS][8]; /* complete left halves, the largest first */
	uint64_t chunks; /* number of complete chunks before the current one */
	unsigned char block[CS_UE_HASH_BLOCK]; /* bytes of the chunk that are not compressed yet */
	/* numbers of: halves; bytes in block; compressed blocks of the chunk */
	unsigned n_halves, n_block, n_blocks;
};

void cs_ue_chunk_hash_begin(struct cs_ue_chunk_hash *hash);
void cs_ue_chunk_hash_add(struct cs_ue_chunk_hash *hash, const void *bytes, size_t n);
/* Returns the first 20 bytes of the hash, which tables store. */
void cs_ue_chunk_hash_end(struct cs_ue_chunk_hash *hash, unsigned char ret[20]);
