/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the whole process: its limit --max-mem, and what stays allocated when it is freed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Limits the process to so many further bytes. False when the system cannot limit it. */
bool memory_bound(uint64_t bytes);
/*
 * Makes the first 64 MiB of the heap large pages where the system gives them to those who ask: a
 * fault for each 4 KiB and the misses of the processor's table of pages are a quarter of the time
 * of a build or a cook. The heap keeps these and up to 16 MiB more when they are freed. Otherwise
 * the buffers of each section that is decoded are returned to the system, and their pages are
 * cleared for the next one. To be called before other memory is allocated.
 */
void memory_shape_heap(void);
