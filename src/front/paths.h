/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of the user's files, as the XDG base directory specification defines them. */
#pragma once

/* Gives $VARIABLE/cellscope/NAME if absolute, else $HOME/FALLBACK/cellscope/NAME or NULL; owned. */
char *user_path(const char *variable, const char *fallback, const char *name);
/* Creates the folders that contain the file, with mode 0700. */
void make_folders_of(const char *path);

/* Returns `file` relative to the folder, a copy if it does not exist; owned, NULL = no memory. */
char *path_between(const char *folder, const char *file);
