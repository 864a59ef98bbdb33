/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets the process's memory limit (--max-mem), and decides how much freed memory the heap keeps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Limits the process to `bytes` more memory than it uses now. Returns false if impossible. */
bool memory_bound(uint64_t bytes);
/*
 * Extends the heap by 64 MiB and requests large pages for it, because page faults of 4 KiB pages
 * and TLB misses take a quarter of the time of a build or a cook. Freed memory of this size plus 16
 * MiB stays in the heap; otherwise the buffers of each decoded section would be returned to the
 * system, and their pages cleared for the next section. To be called before other memory is
 * allocated.
 */
void memory_shape_heap(void);
