/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes BLAKE3 of bytes that arrive in parts, for the hashes of packages and of IoStore chunks.
 * Debian 12 has no C library of BLAKE3. BLAKE3 builds a binary tree over chunks of 1024 bytes. Of
 * this tree only the roots of complete left subtrees are stored, until they are joined with their
 * right neighbours.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CS_UE_HASH_BLOCK = 64, CS_UE_HASH_LEVELS = 54 };

struct cs_ue_blake3 {
	uint32_t value[8];                     /* hash of the current 1024-byte chunk so far */
	uint32_t halves[CS_UE_HASH_LEVELS][8]; /* roots of complete left subtrees, largest first */
	uint64_t chunks;                       /* number of complete 1024-byte chunks */
	unsigned char block[CS_UE_HASH_BLOCK]; /* bytes that are not hashed yet */
	/* number of subtrees in `halves`, bytes in `block`, and hashed blocks of the chunk */
	unsigned n_halves, n_block, n_blocks;
};

void cs_ue_blake3_begin(struct cs_ue_blake3 *hash);
void cs_ue_blake3_add(struct cs_ue_blake3 *hash, const void *bytes, size_t n);
/* Stores the first 20 bytes of the hash. The engine stores only these. */
void cs_ue_blake3_end(struct cs_ue_blake3 *hash, unsigned char ret[20]);
