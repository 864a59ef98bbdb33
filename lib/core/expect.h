/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefetching memory before it is read. Actors are sorted by GUID, texts by arrival, cells by
 * place, so a loop over one of them reads the others at random: a row costs three or four cache
 * misses of about a hundred nanoseconds each, unless the memory was prefetched some rows earlier.
 *
 * A function that only prefetches has to be inline: GCC considers it free of effects and removes
 * calls of it.
 */
#pragma once

#define CS_EXPECTING static inline __attribute__((always_inline))

/* Rows to prefetch ahead: enough for memory to arrive, few enough for it to stay in the cache. */
enum { CS_AHEAD = 12 };
