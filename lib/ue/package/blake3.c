/* SPDX-License-Identifier: Apache-2.0 */
/* The hash BLAKE3: compressing a block (section 2.2 of its paper), the tree of chunks (2.4). */
#include "ue/package/blake3.h"

#include "core/cursor.h"

#include <string.h>

enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8, BLOCKS_OF_CHUNK = 16 };

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
	0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t turn(uint32_t value, unsigned n)
{
	return value >> n | value << (32 - n);
}

#if defined(__clang__)
__attribute__((no_sanitize("unsigned-integer-overflow")))
#endif
static void
mix(uint32_t *v, const uint8_t at[4], uint32_t x, uint32_t y)
{
	uint32_t a = v[at[0]], b = v[at[1]], c = v[at[2]], d = v[at[3]];
	a += b + x;
	d = turn(d ^ a, 16);
	c += d;
	b = turn(b ^ c, 12);
	a += b + y;
	d = turn(d ^ a, 8);
	c += d;
	b = turn(b ^ c, 7);
	v[at[0]] = a;
	v[at[1]] = b;
	v[at[2]] = c;
	v[at[3]] = d;
}

/* Compresses a hash value and a block of 16 words into `ret`, which may be `value`. */
static void compress(const uint32_t value[8], const uint32_t block[16], uint64_t counter,
	uint32_t length, uint32_t flags, uint32_t ret[8])
{
	static const uint8_t places[8][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14},
		{3, 7, 11, 15}, {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}};
	static const uint8_t order[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
	uint32_t v[16], words[16], next[16];
	memcpy(v, value, 8 * sizeof(*v));
	memcpy(v + 8, initial, 4 * sizeof(*v));
	v[12] = (uint32_t)counter;
	v[13] = (uint32_t)(counter >> 32);
	v[14] = length;
	v[15] = flags;
	memcpy(words, block, sizeof(words));
	for (int round = 0; round < 7; round++) {
		for (int i = 0; i < 8; i++)
			mix(v, places[i], words[2 * i], words[2 * i + 1]);
		for (int i = 0; i < 16; i++)
			next[i] = words[order[i]];
		memcpy(words, next, sizeof(words));
	}
	for (int i = 0; i < 8; i++)
		ret[i] = v[i] ^ v[i + 8];
}

/* Applies BLAKE3's compression to the block and the chunk's value. `ret` gets the new value. */
static void hash_take_block(struct cs_ue_blake3 *hash, uint32_t flags, uint32_t ret[8])
{
	uint32_t words[16];
	unsigned char bytes[CS_UE_HASH_BLOCK] = {0};
	memcpy(bytes, hash->block, hash->n_block);
	for (size_t i = 0; i < 16; i++)
		words[i] = cs_load32(bytes + 4 * i);
	compress(hash->value, words, hash->chunks, hash->n_block,
		flags | (hash->n_blocks == 0 ? CHUNK_START : 0), ret);
	hash->n_blocks++;
	hash->n_block = 0;
}

static void begin_chunk(struct cs_ue_blake3 *hash)
{
	memcpy(hash->value, initial, sizeof(hash->value));
	hash->n_blocks = 0;
}

/* Replaces `right` by the join of the last left subtree in `halves` and the subtree `right`. */
static void join_half(struct cs_ue_blake3 *hash, uint32_t right[8], uint32_t flags)
{
	uint32_t words[16];
	memcpy(words, hash->halves[--hash->n_halves], 8 * sizeof(*words));
	memcpy(words + 8, right, 8 * sizeof(*words));
	compress(initial, words, 0, CS_UE_HASH_BLOCK, PARENT | flags, right);
}

/* Ends a full chunk, which completes one left subtree per trailing zero bit of the chunk count. */
static void end_chunk(struct cs_ue_blake3 *hash)
{
	uint32_t value[8];
	hash_take_block(hash, CHUNK_END, value);
	hash->chunks++;
	for (uint64_t n = hash->chunks; n % 2 == 0; n /= 2)
		join_half(hash, value, 0);
	memcpy(hash->halves[hash->n_halves++], value, sizeof(value));
	begin_chunk(hash);
}

void cs_ue_blake3_begin(struct cs_ue_blake3 *hash)
{
	hash->chunks = hash->n_halves = hash->n_block = 0;
	begin_chunk(hash);
}

/* Adds bytes. Compresses a full block only if a byte follows: the last block needs other flags. */
void cs_ue_blake3_add(struct cs_ue_blake3 *hash, const void *bytes, size_t n)
{
	for (const unsigned char *at = bytes; n > 0;) {
		if (hash->n_block == CS_UE_HASH_BLOCK && hash->n_blocks + 1 == BLOCKS_OF_CHUNK)
			end_chunk(hash);
		else if (hash->n_block == CS_UE_HASH_BLOCK)
			hash_take_block(hash, 0, hash->value);
		size_t part = CS_UE_HASH_BLOCK - hash->n_block;
		part = part < n ? part : n;
		memcpy(hash->block + hash->n_block, at, part);
		hash->n_block += (unsigned)part;
		at += part;
		n -= part;
	}
}

void cs_ue_blake3_end(struct cs_ue_blake3 *hash, unsigned char ret[20])
{
	uint32_t value[8];
	hash_take_block(hash, CHUNK_END | (hash->n_halves ? 0 : ROOT), value);
	while (hash->n_halves)
		join_half(hash, value, hash->n_halves == 1 ? ROOT : 0);
	for (size_t i = 0; i < 20; i++)
		ret[i] = (unsigned char)(value[i / 4] >> 8 * (i % 4));
}
