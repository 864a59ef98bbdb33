/* SPDX-License-Identifier: Apache-2.0 */
/* Finds files below a folder, in an order that does not depend on the file system. */
#pragma once

#include "core/arena.h"
#include "core/vec.h"

#include <cellscope/core.h>

struct cs_ue_files {
	CS_VEC(const char *) paths;       /* sorted byte by byte, folder by folder */
	CS_VEC(struct cs_error *) errors; /* errors of folders that could not be read */
	CS_VEC(struct cs_arena) arenas;   /* memory of the texts */
};

/*
 * Finds all files whose name ends with `suffix`, at most limits.depth folders deep. Folders that
 * are symbolic links and those whose name begins with `skip` (unless it is NULL) are not entered. A
 * root that does not exist has no files.
 */
struct cs_error *cs_ue_find_files(const char *root, const char *suffix, const char *skip,
	const struct cs_job *job, struct cs_ue_files *ret) CS_MUST_USE;
/*
 * Finds all folders whose path ends with `tail`, "/Maps/M". It enters neither these nor folders
 * with names of one or two characters, which contain external packages.
 */
struct cs_error *cs_ue_find_folders(const char *root, const char *tail, const struct cs_job *job,
	struct cs_ue_files *ret) CS_MUST_USE;
void cs_ue_files_deinit(struct cs_ue_files *files);
bool cs_ue_is_folder(const char *path);
bool cs_ue_is_file(const char *path);
