/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Working memory of one thread, used as a stack: allocate, and later release everything allocated
 * since a mark. Memory is not zeroed, is aligned for any type and never moves. Released blocks are
 * kept, so that a loop that needs the same amounts each time allocates blocks only once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_scratch_block;

struct cs_scratch {
	struct cs_scratch_block *block; /* the block in use, in a doubly linked list */
	size_t used;                    /* bytes used in `block` */
	/* whether an allocation returned NULL. Releasing a mark restores the value at that mark */
	bool failed;
};

struct cs_scratch_mark {
	struct cs_scratch_block *block;
	size_t used;
	bool failed;
};

#define CS_SCRATCH_INIT ((struct cs_scratch){0})

/* Returns n elements of `size` bytes, or NULL if memory runs out or n * size overflows. */
void *cs_scratch_alloc(struct cs_scratch *scratch, size_t n, size_t size);
struct cs_scratch_mark cs_scratch_mark(const struct cs_scratch *scratch);
/* Releases everything allocated since the mark, and invalidates marks taken after it. */
void cs_scratch_release(struct cs_scratch *scratch, struct cs_scratch_mark mark);
void cs_scratch_deinit(struct cs_scratch *scratch);

#define CS_SCRATCH_ARRAY(scratch, type, n) ((type *)cs_scratch_alloc(scratch, n, sizeof(type)))
