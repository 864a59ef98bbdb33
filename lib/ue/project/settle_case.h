/* SPDX-License-Identifier: Apache-2.0 */
/* Corrects the case of package paths: the engine ignores case, but the file system may not. */
#pragma once

#include "core/arena.h"
#include "core/vec.h"

/* The entries of a folder, sorted by name without regard to case, and then by bytes. */
struct cs_ue_entries {
	const char *folder;
	CS_VEC(const char *) names;
};

/* Cache of the entries of folders: thousands of names may have to be found in one folder. */
struct cs_ue_cases {
	struct cs_arena arena;
	CS_VEC(struct cs_ue_entries) folders;
};

/* Corrects the case of a path that does not exist, after its first `folder` bytes. */
void cs_ue_settle_case(struct cs_ue_cases *cases, char *path, size_t folder);
/* Corrects the case of the file name at the end of a path that does not exist. */
void cs_ue_settle_name(struct cs_ue_cases *cases, char *path);
void cs_ue_cases_deinit(struct cs_ue_cases *cases);
