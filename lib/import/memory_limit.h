/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the import program: memory, time, and the files that it may read. */
#pragma once

#include <cellscope/core.h>

/*
 * Limits the address space to `bytes` bytes more than are in use now. Also limits the stack, and
 * forbids writing core files and other files.
 */
void memory_confine(uint64_t bytes);
/* Limits processor time to 20 s plus 1 s per MiB of the file, to end endless loops. */
void memory_confine_time(uint64_t file_bytes);
/*
 * Restricts the process to reading the folder of `path` and the paths in `others`, which NULL ends.
 * The process can then no longer start programs or open sockets. Returns false when the kernel
 * cannot do this or memory runs out.
 */
bool memory_cage(const char *path, const char *const *others);
/* Returns why the last allocation failed: CS_E_LIMIT by our limit, CS_E_NOMEM by the machine. */
enum cs_code memory_shortage(void);
extern const char memory_limit_message[];
