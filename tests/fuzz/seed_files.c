/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/seed_files.h"
#include "tests/samples/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file memory_file_new(const void *bytes, size_t size)
{
	struct memory_file file = {.fd = memfd_create("input", 0)};
	if (file.fd < 0 || write(file.fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

void memory_file_free(struct memory_file *file)
{
	close(file->fd);
}

struct seed_file seed_file_new(const char *name)
{
	struct seed_file file;
	snprintf(file.folder, sizeof(file.folder), "%s/seed-XXXXXX", test_folder());
	if (!mkdtemp(file.folder))
		abort();
	snprintf(file.path, sizeof(file.path), "%s/%s", file.folder, name);
	return file;
}

void seed_file_take(const struct seed_file *file, void (*add)(const void *bytes, size_t size))
{
	enum { LIMIT = 1 << 20 };
	unsigned char *bytes = malloc(LIMIT);
	FILE *stream = fopen(file->path, "rb");
	if (!bytes || !stream)
		abort();
	add(bytes, fread(bytes, 1, LIMIT, stream));
	fclose(stream);
	free(bytes);
	seed_file_drop(file);
}

void seed_file_drop(const struct seed_file *file)
{
	unlink(file->path);
	rmdir(file->folder);
}
