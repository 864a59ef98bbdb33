/* SPDX-License-Identifier: Apache-2.0 */
/* What the import helper may take of the machine. */
#pragma once

#include <cellscope/core.h>

/* Shadow memory needs room without bounds, and its operators must be those of the sanitizer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

/* From here on the process has so many bytes more than it has now. */
void memory_confine(uint64_t bytes);
/* Processor time for a file of that size; whoever needs more is in an endless loop. */
void memory_confine_time(uint64_t file_bytes);
/* What the allocation that was refused last ran into: LIMIT our own, NOMEM that of the machine. */
enum cs_code memory_shortage(void);
extern const char memory_limit_message[];
