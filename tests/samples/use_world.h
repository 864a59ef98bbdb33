/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that the library does with a cooked world, done to one that may be damaged behind
 * right sums: loads all tables, prints, queries, explains, compares and streams it.
 */
#pragma once

#include <cellscope/core.h>

/* Returns the error of opening the world, or NULL. Later calls may fail, but must end. */
struct cs_error *use_world(const void *bytes, size_t size);
