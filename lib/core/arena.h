/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of one phase: allocate freely, release at once. Blocks double up to 1 MiB; requests of
 * more than a quarter of that get a block of their own where the newest block has no room for them.
 * All memory is zeroed and aligned for any type.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cs_arena_block;

struct cs_arena {
	struct cs_arena_block *blocks;
	size_t used, size; /* bytes of the newest block that serves several requests */
	uint64_t total;    /* bytes of all blocks */
};

#define CS_ARENA_INIT ((struct cs_arena){0})

/* Returns NULL when memory runs out or n * size overflows. */
void *cs_arena_alloc(struct cs_arena *arena, size_t n, size_t size);
/* Copies a text and appends a NUL. Returns NULL when memory runs out. */
char *cs_arena_text(struct cs_arena *arena, const char *text, size_t length);
/* Frees everything that was allocated; the arena can be used again. */
void cs_arena_deinit(struct cs_arena *arena);

#define CS_ARENA_NEW(arena, type)      ((type *)cs_arena_alloc(arena, 1, sizeof(type)))
#define CS_ARENA_ARRAY(arena, type, n) ((type *)cs_arena_alloc(arena, n, sizeof(type)))
