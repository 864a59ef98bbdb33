/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of what a process leaves behind when it is killed, and whether it was killed. A name is
 * BOOT.RANDOM: the kernel's run that made it and 64 random bits. The process that creates such a
 * file keeps a lock on it while it lives. So files of another machine, or of a process in another
 * pid namespace, are never taken for leftovers.
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
/* Returns whether the name belongs to this run of the kernel. */
bool cs_owner_is_here(const char *name);
/*
 * Returns whether nobody holds the lock of the file `name` in the folder any more. If so, the
 * caller holds it now, by *fd_ret.
 */
bool cs_owner_is_gone(int folder, const char *name, int *fd_ret);
