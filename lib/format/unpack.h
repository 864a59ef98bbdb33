/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses LZ4 blocks. Only unpack.c calls liblz4 for that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Decompresses a block of `stored` bytes. Returns false unless this gives exactly `raw` bytes. */
bool cs_unpack(const void *packed, size_t stored, void *ret, size_t raw);
/* Decompresses a block to at most `room` bytes. Returns false for an invalid or a longer block. */
bool cs_unpack_some(const void *packed, size_t stored, void *ret, size_t room, size_t *n_ret);
