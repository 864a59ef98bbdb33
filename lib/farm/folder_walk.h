/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists files below a folder by the suffix of their names, in an order that does not depend on the
 * file system.
 */
#pragma once

#include <cellscope/core.h>

#include "core/vec.h"

struct farm_files {
	CS_VEC(char *) paths; /* sorted byte by byte; each begins with the root */
};

/* Names that begin with a dot, and folders that are links, are skipped. `ends` ends with NULL. */
struct cs_error *farm_find_files(const char *root, const char *const *ends,
	const struct cs_job *job, struct farm_files *ret) CS_MUST_USE;
void farm_files_deinit(struct farm_files *files);
/* Compares without the case of ASCII letters. */
bool farm_ends_with(const char *path, const char *end);
