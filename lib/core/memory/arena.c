/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas. Invariant: `used` <= `size`. Both are 0 while each block holds one large request. */
#include "core/arena.h"

#include "core/invariant.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct cs_arena_block {
	struct cs_arena_block *next;
	alignas(max_align_t) unsigned char bytes[];
};

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

static struct cs_arena_block *add_block(struct cs_arena *arena, size_t size)
{
	struct cs_arena_block *block;
	if (size > SIZE_MAX - sizeof(*block))
		return NULL;
	block = calloc(1, sizeof(*block) + size);
	if (block)
		arena->total += size;
	return block;
}

/* Adds a block for one large request after the head of the list, whose free space stays usable. */
static void *alloc_alone(struct cs_arena *arena, size_t bytes)
{
	struct cs_arena_block *block = add_block(arena, bytes);
	if (!block)
		return NULL;
	if (arena->blocks) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		arena->blocks = block;
	}
	return block->bytes;
}

static void *arena_take(struct cs_arena *arena, size_t n, size_t size)
{
	size_t bytes;
	const size_t mask = alignof(max_align_t) - 1;
	CS_INVARIANT(arena->used <= arena->size && (arena->size == 0 || arena->blocks),
		"no more of the newest block is used than it has");
	if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - mask)
		return NULL;
	bytes = bytes ? (bytes + mask) & ~mask : mask + 1;
	if (bytes <= arena->size - arena->used) {
		void *memory = arena->blocks->bytes + arena->used;
		arena->used += bytes;
		return memory;
	}
	if (bytes > LARGEST_BLOCK / 4)
		return alloc_alone(arena, bytes);
	size_t want = arena->size ? arena->size * 2 : FIRST_BLOCK;
	want = want > LARGEST_BLOCK ? LARGEST_BLOCK : want;
	want = want < bytes ? bytes : want;
	struct cs_arena_block *block = add_block(arena, want);
	if (!block)
		return NULL;
	block->next = arena->blocks;
	arena->blocks = block;
	arena->size = want;
	arena->used = bytes;
	return block->bytes;
}

void *cs_arena_alloc(struct cs_arena *arena, size_t n, size_t size)
{
	void *memory = arena_take(arena, n, size);
	arena->failed |= !memory;
	return memory;
}

char *cs_arena_text(struct cs_arena *arena, const char *text, size_t length)
{
	if (length == SIZE_MAX)
		return NULL;
	char *copy = cs_arena_alloc(arena, length + 1, 1);
	if (copy && length)
		memcpy(copy, text, length);
	return copy;
}

void cs_arena_deinit(struct cs_arena *arena)
{
	struct cs_arena_block *block = arena->blocks;
	while (block) {
		struct cs_arena_block *next = block->next;
		free(block);
		block = next;
	}
	*arena = CS_ARENA_INIT;
}
