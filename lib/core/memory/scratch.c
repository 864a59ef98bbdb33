/* SPDX-License-Identifier: Apache-2.0 */
/* A list of blocks, empty after scratch->block. Invariant: scratch->used <= size of that block. */
#include "core/scratch.h"

#include "core/invariant.h"

#include <stdalign.h>
#include <stdlib.h>

struct cs_scratch_block {
	struct cs_scratch_block *previous, *next;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

enum { LEAST_BLOCK = 1 << 16, USUAL_BLOCK = 1 << 18 };

/*
 * Returns the next empty block of at least `bytes` bytes or a new one. Frees smaller ones before.
 */
static struct cs_scratch_block *next_block(struct cs_scratch_block *current, size_t bytes)
{
	struct cs_scratch_block *next;
	while (current && (next = current->next) && next->size < bytes) {
		current->next = next->next;
		if (next->next)
			next->next->previous = current;
		free(next);
	}
	if (current && current->next)
		return current->next;
	size_t size = current ? USUAL_BLOCK : LEAST_BLOCK;
	size = size < bytes ? bytes : size;
	if (size > SIZE_MAX - sizeof(*next))
		return NULL;
	next = malloc(sizeof(*next) + size);
	if (!next)
		return NULL;
	*next = (struct cs_scratch_block){.previous = current, .size = size};
	if (current)
		current->next = next;
	return next;
}

static bool scratch_holds(const struct cs_scratch *scratch)
{
	return scratch->used <= (scratch->block ? scratch->block->size : 0);
}

void *cs_scratch_alloc(struct cs_scratch *scratch, size_t n, size_t size)
{
	const size_t mask = alignof(max_align_t) - 1;
	size_t bytes;
	CS_INVARIANT(scratch_holds(scratch), "no more of the block is used than it has");
	const bool overflows = __builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 4;
	bytes = bytes ? (bytes + mask) & ~mask : mask + 1;
	if (overflows || !scratch->block || bytes > scratch->block->size - scratch->used) {
		struct cs_scratch_block *block =
			overflows ? NULL : next_block(scratch->block, bytes);
		if (!block) {
			scratch->failed = true;
			return NULL;
		}
		scratch->block = block;
		scratch->used = 0;
	}
	void *memory = scratch->block->bytes + scratch->used;
	scratch->used += bytes;
	return memory;
}

struct cs_scratch_mark cs_scratch_mark(const struct cs_scratch *scratch)
{
	return (struct cs_scratch_mark){scratch->block, scratch->used, scratch->failed};
}

void cs_scratch_release(struct cs_scratch *scratch, struct cs_scratch_mark mark)
{
	while (!mark.block && scratch->block && scratch->block->previous)
		scratch->block = scratch->block->previous;
	if (mark.block)
		scratch->block = mark.block;
	scratch->used = mark.block ? mark.used : 0;
	scratch->failed = mark.failed;
	CS_INVARIANT(scratch_holds(scratch), "no more of the block is used than it has");
}

void cs_scratch_deinit(struct cs_scratch *scratch)
{
	struct cs_scratch_block *block = scratch->block;
	while (block && block->next)
		block = block->next;
	while (block) {
		struct cs_scratch_block *previous = block->previous;
		free(block);
		block = previous;
	}
	*scratch = CS_SCRATCH_INIT;
}
