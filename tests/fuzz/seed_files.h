/* SPDX-License-Identifier: Apache-2.0 */
/* Files for readers that take a path and writers that give one. */
#pragma once

#include <stddef.h>

/* A regular file that is only in memory. */
struct memory_file {
	int fd;
	char path[64];
};

struct memory_file memory_file_new(const void *bytes, size_t size);
void memory_file_free(struct memory_file *file);

/* A name in a folder of its own; to take is to read the file, add it and remove both. */
struct seed_file {
	char folder[4096], path[4200];
};

struct seed_file seed_file_new(const char *name);
void seed_file_take(const struct seed_file *file, void (*add)(const void *bytes, size_t size));
void seed_file_drop(const struct seed_file *file);
