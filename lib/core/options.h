/* SPDX-License-Identifier: Apache-2.0 */
/* Reads option structs, whose first field is the size of the struct in the calling program. */
#pragma once

#include <cellscope/core.h>

/*
 * Copies the options `from` to `to`, which has `size` bytes. Fields beyond the size stored in
 * `from` become zero, their default. A stored size of 0 means `first`, the size of the first
 * version of the struct. Returns CS_E_USAGE for options of a newer version in which unknown fields
 * are not zero.
 */
struct cs_error *cs_options_read(const void *from, size_t first, void *to, size_t size) CS_MUST_USE;
