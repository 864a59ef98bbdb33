/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the user's files, by the XDG base directory specification. */
#pragma once

/*
 * Returns $VARIABLE/cellscope/NAME, or ~/FALLBACK/cellscope/NAME; NULL when neither variable is
 * set; freed by the caller.
 */
char *user_path(const char *variable, const char *fallback, const char *name);
/* Creates the folders that contain the file, accessible to the user only. */
void make_folders_of(const char *path);

/*
 * Returns the path of the file relative to the folder, "../city.json"; unchanged when the file does
 * not exist. Freed by the caller; NULL without memory.
 */
char *path_between(const char *folder, const char *file);
