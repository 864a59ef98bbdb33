/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A project on disk: its root and its mount points, which lead from long package names to files.
 * "/Game" is the project's Content folder, and "/NAME" is that of the plugin NAME.
 */
#pragma once

#include <cellscope/ue.h>

#include "ue/project/files.h"

struct cs_ue_mount {
	const char *name;   /* "/Game" */
	const char *folder; /* path of its Content folder */
};

struct cs_ue_project {
	struct cs_arena arena;
	const char *file, *root, *name;
	CS_VEC(struct cs_ue_mount) mounts; /* 0 is /Game, then plugins by name */
};

/* Opens a .uproject, or the folder of one. Returns E_PROJECT when it is none. */
struct cs_error *cs_ue_project_open(
	const char *path, const struct cs_job *job, struct cs_ue_project *ret) CS_MUST_USE;
void cs_ue_project_close(struct cs_ue_project *project);

/*
 * Returns the file of a package: "/Game/Maps/M" and ".umap" give ROOT/Content/Maps/M.umap. With a
 * `folder` such as "__ExternalActors__", which follows the Content folder, and an empty suffix it
 * is the folder of a map's external packages. Returns "" when no mount point has the package or a
 * part of its name is unsafe ("..", a backslash), and NULL without memory.
 */
const char *cs_ue_package_file(const struct cs_ue_project *project, struct cs_arena *arena,
	const char *package, const char *folder, const char *suffix);
/*
 * Returns the package of a file below a mount point, without its suffix, and "" for a file
 * elsewhere.
 */
const char *cs_ue_file_package(
	const struct cs_ue_project *project, struct cs_arena *arena, const char *file);
/* Converts "/Game/X.X:Y" to "/Game/X". Returns NULL without memory. */
const char *cs_ue_package_of(struct cs_arena *arena, const char *object_path);
/* Converts "/Script/Engine.Actor" to "Actor", and "/Game/M.M:PersistentLevel.A" to "A". */
const char *cs_ue_short_name(const char *object_path);
