/* SPDX-License-Identifier: Apache-2.0 */
/* What the import helper may take of the machine. */
#ifndef IMPORT_MEMORY_LIMIT_H
#define IMPORT_MEMORY_LIMIT_H

#include <cellscope/base.h>

/* From here on the process has so many bytes more than it has now. */
void memory_confine(uint64_t bytes);
/* Processor time for a file of that size; whoever needs more is in an endless loop. */
void memory_confine_time(uint64_t file_bytes);
/* What the allocation that was refused last ran into: LIMIT our own, NOMEM that of the machine. */
enum cs_code memory_shortage(void);
extern const char memory_limit_message[];

#endif
