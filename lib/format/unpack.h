/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses LZ4 blocks; no other file calls the library for it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the block of `stored` bytes decodes to exactly `raw` bytes. */
bool cs_unpack(const void *packed, size_t stored, void *ret, size_t raw);
