/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A project on disk: its root folder and its mount points, which map long package names to files:
 * "/Game" to the project's Content folder, "/NAME" to that of the plugin NAME.
 */
#pragma once

#include <cellscope/ue.h>

#include "ue/project/files.h"
#include "ue/project/settle_case.h"

struct cs_ue_mount {
	const char *name;   /* such as "/Game" */
	const char *folder; /* path of the mounted Content folder */
};

struct cs_ue_project {
	struct cs_arena arena;
	const char *file, *root, *name;
	CS_VEC(struct cs_ue_mount) mounts; /* first /Game, then plugins sorted by name */
	struct cs_ue_cases *cases;         /* cache of names in folders (settle_case.h) */
};

/* Opens a .uproject file, or a folder that contains one. Returns E_PROJECT if there is none. */
struct cs_error *cs_ue_project_open(
	const char *path, const struct cs_job *job, struct cs_ue_project *ret) CS_MUST_USE;
void cs_ue_project_close(struct cs_ue_project *project);

/*
 * Returns the file of a package, for example ROOT/Content/Maps/M.umap for "/Game/Maps/M" and the
 * suffix ".umap". A `folder` such as "__ExternalActors__" is inserted after the Content folder. If
 * `suffix` is then empty, the result is the folder of a map's external packages. Returns "" if no
 * mount point has the package or if its name is unsafe (contains ".." or a backslash), and NULL
 * when memory runs out.
 */
const char *cs_ue_package_file(const struct cs_ue_project *project, struct cs_arena *arena,
	const char *package, const char *folder, const char *suffix);
/* Returns the package name of a file in a mounted folder, "" elsewhere, NULL if out of memory. */
const char *cs_ue_file_package(
	const struct cs_ue_project *project, struct cs_arena *arena, const char *file);
/* Returns the package of an object path, "/Game/X" for "/Game/X.X:Y", or NULL if out of memory. */
const char *cs_ue_package_of(struct cs_arena *arena, const char *object_path);

/*
 * Finds the long package name of the map that `name` stands for, or of the only partitioned map if
 * `name` is NULL. Returns E_NOMAP if no map or several maps match. Its message lists the maps.
 */
struct cs_error *cs_ue_choose_map(struct cs_ue_project *project, const char *name,
	const struct cs_job *job, const char **ret) CS_MUST_USE;
