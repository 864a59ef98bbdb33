/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the user, where the XDG base directories put them. */
#pragma once

/*
 * $VARIABLE/cellscope/NAME, or ~/FALLBACK/cellscope/NAME. NULL when there is neither; freed by the
 * caller.
 */
char *user_path(const char *variable, const char *fallback, const char *name);
/* Makes the folders that the file is in, for the user alone. */
void make_folders_of(const char *path);

/*
 * How the file is named from inside of the folder: "../city.json"; as it is where it is not
 * there. Freed by the caller; NULL without memory.
 */
char *path_between(const char *folder, const char *file);
