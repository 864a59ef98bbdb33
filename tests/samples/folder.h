/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that a test may write to: CELLSCOPE_OUT, or a new one that goes with the process. */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static inline int folder_remove(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline void folder_end(void)
{
	enum { FILES = 16 };
	const char *own = getenv("CELLSCOPE_OUT");
	if (own)
		nftw(own, folder_remove, FILES, FTW_DEPTH | FTW_PHYS);
}

static inline const char *test_folder(void)
{
	const char *out = getenv("CELLSCOPE_OUT"), *temporary = getenv("TMPDIR");
	char path[4096];
	if (out)
		return out;
	snprintf(path, sizeof(path), "%s/cellscope-test-XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(path) || setenv("CELLSCOPE_OUT", path, 1) != 0 || atexit(folder_end) != 0)
		abort();
	return getenv("CELLSCOPE_OUT");
}

static inline void remove_tree(const char *path)
{
	enum { FILES = 16 };
	nftw(path, folder_remove, FILES, FTW_DEPTH | FTW_PHYS);
}

/* Returns the path of a place under the folder of test output; whatever was there is removed. */
static inline const char *fresh_folder(char *path, size_t size, const char *name)
{
	const char *out = test_folder();
	snprintf(path, size, "%s/%s", out, name);
	remove_tree(path);
	return path;
}
