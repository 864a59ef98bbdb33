/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations that fail: the linker puts functions before those of the C library (--wrap) in the
 * calls of our own code. While armed they count, and the one that is to fail does, or it and all
 * behind it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct faults {
	bool armed, for_good;
	size_t count, failing;
};

extern struct faults faults;

/* Runs this program again without the caches of malloc, which mallinfo counts as in use. */
void without_caches(char **argv);
