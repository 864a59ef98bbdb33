/* SPDX-License-Identifier: Apache-2.0 */
/* Lists files below a folder by suffix, in an order independent of the file system. */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

struct farm_files {
	CS_VEC(char *) paths; /* sorted bytewise; each begins with the path of the root */
};

/*
 * Finds the files below `root` with one of the suffixes `ends`, a list ended by NULL. Skips names
 * that begin with a dot. Follows links to folders, up to `links` of them on a path. The caller
 * frees *ret with farm_files_deinit.
 */
struct cs_error *farm_find_files(const char *root, const char *const *ends, int links,
	const struct cs_job *job, struct farm_files *ret) CS_MUST_USE;
void farm_files_deinit(struct farm_files *files);
