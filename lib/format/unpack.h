/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses LZ4 blocks; no other file calls the library for it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the block of `stored` bytes decodes to exactly `raw` bytes. */
bool cs_unpack(const void *packed, size_t stored, void *ret, size_t raw);
/* Decodes a block to at most `room` bytes. Returns false when it is broken or has more. */
bool cs_unpack_some(const void *packed, size_t stored, void *ret, size_t room, size_t *n_ret);
