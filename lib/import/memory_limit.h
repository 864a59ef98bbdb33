/* SPDX-License-Identifier: Apache-2.0 */
/* What the import helper may take of the machine. */
#ifndef IMPORT_MEMORY_LIMIT_H
#define IMPORT_MEMORY_LIMIT_H

#include <cellscope/base.h>

/* From here on the process has so many bytes more than it has now. */
void memory_confine(uint64_t bytes);
/* Processor time for a file of that size; whoever needs more is in an endless loop. */
void memory_confine_time(uint64_t file_bytes);
/* NOMEM, or LIMIT when it is our own limit that stands in the way of `size` bytes more. */
enum cs_code memory_short_of(size_t size);
extern const char memory_limit_message[];

#endif
