/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefetches memory before it is read. Actors are sorted by GUID, texts by arrival, cells by
 * position, so a loop over one table reads the others in random order: each row costs three or four
 * cache misses of about a hundred nanoseconds, unless the memory was prefetched some rows earlier.
 *
 * A function that only prefetches must be inline: GCC considers it free of effects and removes
 * calls of it.
 */
#pragma once

#define CS_EXPECTING static inline __attribute__((always_inline))

/* Number of rows to prefetch ahead: memory arrives in time, and is not evicted before its use. */
enum { CS_AHEAD = 12 };
