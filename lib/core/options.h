/* SPDX-License-Identifier: Apache-2.0 */
/* Reading option structs, whose first field is their size in the program that filled them in. */
#pragma once

#include <cellscope/core.h>

/*
 * Copies the options `from` to `to`, which has `size` bytes. Fields beyond the size of `from`
 * become zero, their default. A size of 0 in `from` means `first`, the size of the first version of
 * the struct. E_USAGE for options of a newer version in which unknown fields are not zero.
 */
struct cs_error *cs_options_read(const void *from, size_t first, void *to, size_t size) CS_MUST_USE;
