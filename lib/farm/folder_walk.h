/* SPDX-License-Identifier: Apache-2.0 */
/* Files below a folder by the ends of their names, in an order that no file system decides. */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

struct farm_files {
	CS_VEC(char *) paths; /* sorted byte by byte; root first in each */
};

/* Folders that are links or begin with a dot are not entered. `ends` is closed by NULL. */
struct cs_error *farm_find_files(const char *root, const char *const *ends,
	const struct cs_job *job, struct farm_files *ret) CS_MUST_USE;
void farm_files_deinit(struct farm_files *files);
/* Without minding the case of ASCII letters. */
bool farm_ends_with(const char *path, const char *end);
