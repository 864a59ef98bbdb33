/* SPDX-License-Identifier: Apache-2.0 */
/* Finds files in a folder and its subfolders, in an order independent of the file system. */
#pragma once

#include "core/arena.h"
#include "core/vec.h"

#include <cellscope/core.h>

struct cs_ue_files {
	CS_VEC(const char *) paths;       /* sorted by bytes within each folder */
	CS_VEC(struct cs_error *) errors; /* errors of folders that could not be read */
	CS_VEC(struct cs_arena) arenas;   /* memory of the paths */
};

/*
 * Finds all files below `root` whose names end with `suffix`, in folders up to limits.depth deep.
 * Does not enter folders named `skip`, unless that is NULL; if `skip` contains a `*`, does not
 * enter folders whose names begin with the text before the `*`. Case is ignored in `suffix` and
 * `skip`. Enters symbolic links to folders, as the engine does, except links to a folder that
 * contains the link, and at most two links on a path. A root that does not exist has no files.
 */
struct cs_error *cs_ue_find_files(const char *root, const char *suffix, const char *skip,
	const struct cs_job *job, struct cs_ue_files *ret) CS_MUST_USE;
/*
 * Finds all folders below `root` whose paths end with `tail`, such as "/Maps/M". Enters neither the
 * found folders nor those with names of 1 or 2 characters, which contain external packages.
 */
struct cs_error *cs_ue_find_folders(const char *root, const char *tail, const struct cs_job *job,
	struct cs_ue_files *ret) CS_MUST_USE;
void cs_ue_files_deinit(struct cs_ue_files *files);
bool cs_ue_is_folder(const char *path);
bool cs_ue_is_file(const char *path);
