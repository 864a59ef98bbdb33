/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BLAKE3 of bytes that come piece by piece, for the hashes of chunks in tables of contents: Debian
 * 12 has no C library of it. The tree of chunks of 1024 bytes is kept as its unmerged left halves.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CS_UE_HASH_BLOCK = 64, CS_UE_HASH_LEVELS = 54 };

struct cs_ue_chunk_hash {
	uint32_t value[8];                     /* of the chunk at hand, so far */
	uint32_t halves[CS_UE_HASH_LEVELS][8]; /* of whole left halves, the largest first */
	uint64_t chunks;                       /* whole ones before the one at hand */
	unsigned char block[CS_UE_HASH_BLOCK]; /* of the chunk, not yet taken in */
	unsigned n_halves, n_block, n_blocks;  /* n_blocks: taken in, of the chunk */
};

void cs_ue_chunk_hash_begin(struct cs_ue_chunk_hash *hash);
void cs_ue_chunk_hash_add(struct cs_ue_chunk_hash *hash, const void *bytes, size_t n);
/* The first 20 bytes of the hash, which is what tables hold. */
void cs_ue_chunk_hash_end(struct cs_ue_chunk_hash *hash, unsigned char ret[20]);
