/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the user's files, as the XDG base directory specification defines them. */
#pragma once

/*
 * Returns $VARIABLE/cellscope/NAME, or $HOME/FALLBACK/cellscope/NAME when $VARIABLE is not an
 * absolute path; NULL when $HOME is not set either. Freed by the caller.
 */
char *user_path(const char *variable, const char *fallback, const char *name);
/* Creates the folders that contain the file, with mode 0700. */
void make_folders_of(const char *path);

/*
 * Returns the path of a file relative to a folder, such as "../city.json"; a copy of `file` when
 * the file does not exist. Freed by the caller; NULL if memory runs out.
 */
char *path_between(const char *folder, const char *file);
