/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of what a process leaves behind when it is killed, and whether it has been. A name is
 * BOOT.RANDOM: the run of the kernel that made it and 64 random bits. Whoever makes such a thing
 * holds a lock on a file of that name for as long as it lives. So what another machine, or a
 * process whose id means something else there, is working on is never taken for dead.
 */
#pragma once

#include <stdbool.h>

enum { CS_OWNER_NAME = 8 + 1 + 16 + 1 };

void cs_owner_name(char ret[CS_OWNER_NAME]);
/* A new file at the path, locked; -1 with errno, which is EEXIST when another name is to be tried.
 */
int cs_owner_create(const char *path, unsigned mode);
/* Whether the name is one of this run of the kernel. */
bool cs_owner_is_here(const char *name);
/* Whether no one holds the file `name` in the folder any more: locked then, and the caller's. */
bool cs_owner_is_gone(int folder, const char *name, int *fd_ret);
