/* SPDX-License-Identifier: Apache-2.0 */
/* Decompression of LZ4 blocks, the one place that calls the library for it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The block of `stored` bytes decodes to exactly `raw` bytes. */
bool cs_unpack(const void *packed, size_t stored, void *ret, size_t raw);
