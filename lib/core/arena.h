/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is allocated piece by piece and freed all at once, such as that of one phase of a
 * cook. The pieces are parts of blocks, whose size doubles from block to block up to 1 MiB. A
 * request of more than 256 KiB gets a block of its own, unless the newest block has room for it.
 * All memory is zeroed and aligned for any type.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cs_arena_block;

struct cs_arena {
	struct cs_arena_block *blocks;
	/* bytes used in the newest block that requests share, and the size of that block */
	size_t used, size;
	uint64_t total; /* sum of the sizes of all blocks, in bytes */
	bool failed;    /* whether an allocation has returned NULL */
};

#define CS_ARENA_INIT ((struct cs_arena){0})

/* Returns n elements of `size` bytes, or NULL if memory runs out or n * size overflows. */
void *cs_arena_alloc(struct cs_arena *arena, size_t n, size_t size);
/* Returns a copy of `length` bytes of text with a NUL appended, or NULL when memory runs out. */
char *cs_arena_text(struct cs_arena *arena, const char *text, size_t length);
/* Returns a copy of a text, or NULL when memory runs out. */
static inline char *cs_arena_copy(struct cs_arena *arena, const char *text)
{
	return cs_arena_text(arena, text, strlen(text));
}
/* Frees all memory of the arena, which can then be used again. */
void cs_arena_deinit(struct cs_arena *arena);

#define CS_ARENA_NEW(arena, type)      ((type *)cs_arena_alloc(arena, 1, sizeof(type)))
#define CS_ARENA_ARRAY(arena, type, n) ((type *)cs_arena_alloc(arena, n, sizeof(type)))
