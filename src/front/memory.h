/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the whole process: its limit --max-mem, and what stays allocated when it is freed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Limits the process to so many further bytes. False when the system cannot limit it. */
bool memory_bound(uint64_t bytes);
/*
 * Makes the heap keep up to 16 MiB of freed memory. Otherwise the buffers of each section that is
 * decoded are returned to the system, and their pages are cleared for the next one.
 */
void memory_keep_freed(void);
