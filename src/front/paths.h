/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the user's files, as the XDG base directory specification defines them. */
#pragma once

/*
 * Returns the path $VARIABLE/cellscope/NAME if the variable is an absolute path, else
 * $HOME/FALLBACK/cellscope/NAME, or NULL without $HOME. The caller frees it.
 */
char *user_path(const char *variable, const char *fallback, const char *name);
/* Creates the folders that contain the file, with mode 0700. */
void make_folders_of(const char *path);

/*
 * Returns the path of `file` relative to the folder, or a copy of `file` if it does not exist. The
 * caller frees the path; NULL when memory runs out.
 */
char *path_between(const char *folder, const char *file);
