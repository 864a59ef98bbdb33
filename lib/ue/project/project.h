/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A project on disk: its root and its mount points, through which long package names lead to
 * files. "/Game" is the project's Content folder, "/NAME" that of the plugin NAME.
 */
#pragma once

#include <cellscope/ue.h>

#include "ue/project/files.h"

struct cs_ue_mount {
	const char *name;   /* "/Game" */
	const char *folder; /* its Content folder */
};

struct cs_ue_project {
	struct cs_arena arena;
	const char *file, *root, *name;
	CS_VEC(struct cs_ue_mount) mounts; /* 0 = /Game, then plugins by name */
};

/* A .uproject, or the folder of one. E_PROJECT when it is none. */
struct cs_error *cs_ue_project_open(
	const char *path, const struct cs_job *job, struct cs_ue_project *ret) CS_MUST_USE;
void cs_ue_project_close(struct cs_ue_project *project);

/*
 * The file of a package: "/Game/Maps/M" and ".umap" give ROOT/Content/Maps/M.umap. With a `folder`
 * such as "__ExternalActors__", which comes right behind the Content folder, and an empty suffix
 * the folder of a map's external packages. "" when no mount point has the package or a part of its
 * name is unsafe ("..", a backslash); NULL without memory.
 */
const char *cs_ue_package_file(const struct cs_ue_project *project, struct cs_arena *arena,
	const char *package, const char *folder, const char *suffix);
/* The package of a file below a mount point, without its suffix; "" for a file elsewhere. */
const char *cs_ue_file_package(
	const struct cs_ue_project *project, struct cs_arena *arena, const char *file);
/* "/Game/X.X:Y" -> "/Game/X"; NULL without memory. */
const char *cs_ue_package_of(struct cs_arena *arena, const char *object_path);
/* "/Script/Engine.Actor" -> "Actor", "/Game/M.M:PersistentLevel.A" -> "A" */
const char *cs_ue_short_name(const char *object_path);
