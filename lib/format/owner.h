/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of temporary files, by which files of killed processes are recognised. A name is
 * BOOT.RANDOM: the id of the current boot of the kernel, and 64 random bits. The process that
 * creates such a file locks it until the process ends. So a file of another machine, or of a
 * running process in another pid namespace, is never taken for a leftover.
 */
#pragma once

#include <stdbool.h>

enum { CS_OWNER_NAME = 8 + 1 + 16 + 1 };

void cs_owner_name(char ret[CS_OWNER_NAME]);
/*
 * Creates and locks a file at the path; -1 with errno, which is EEXIST when another name must be
 * tried.
 */
int cs_owner_create(const char *path, unsigned mode);
/* Returns whether the name was made since this machine booted. */
bool cs_owner_is_here(const char *name);
/*
 * Returns whether no process locks the file `name` in the folder any more. If so, locks the file
 * for the caller, who closes *fd_ret.
 */
bool cs_owner_is_gone(int folder, const char *name, int *fd_ret);
