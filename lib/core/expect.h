/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling for memory before it is read. Actors lie by GUID, texts as they came, cells by place, so
 * that whoever goes through one of them finds the others anywhere: a row costs three or four visits
 * to memory that nobody has seen lately, a hundred nanoseconds each, unless they were called for
 * some rows before.
 *
 * A function that only calls has to be inline: GCC takes it for one that does nothing, and drops
 * the calls of it.
 */
#pragma once

#define CS_EXPECTING static inline __attribute__((always_inline))

/* Rows ahead of the one that is made: far enough for memory to answer, near enough to stay. */
enum { CS_AHEAD = 12 };
