/* SPDX-License-Identifier: Apache-2.0 */
/* Reading option structs, whose first field is the size that they have for who filled them in. */
#pragma once

#include <cellscope/core.h>

/*
 * Copies the options `from` to `to`, which has `size` bytes. Fields that `from` is too short for
 * become zero, their default. `first` is the size that a size of 0 stands for: that of the first
 * version of the struct. E_USAGE for options of a newer version with something in fields that are
 * not known here.
 */
struct cs_error *cs_options_read(const void *from, size_t first, void *to, size_t size) CS_MUST_USE;
