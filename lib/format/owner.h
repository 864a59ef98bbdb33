/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of temporary files, by which files of killed processes are recognised. A name is
 * BOOT.RANDOM: the id of the kernel's current boot, and 64 random bits. The process that creates
 * such a file locks it until the process ends. A file is a leftover only if its name has the id of
 * this boot and no process locks it. So files of other machines and of running processes in other
 * pid namespaces are never removed.
 */
#pragma once

#include <stdbool.h>

enum { CS_OWNER_NAME = 8 + 1 + 16 + 1 };

void cs_owner_name(char ret[CS_OWNER_NAME]);
/* Creates and locks a file. Returns its descriptor, or -1 with errno (EEXIST: try another name). */
int cs_owner_create(const char *path, unsigned mode);
/* Returns whether the name was made since the current boot of this machine. */
bool cs_owner_is_here(const char *name);
/* Returns whether no process locks `name`. If so, locks it as *fd_ret, which the caller closes. */
bool cs_owner_is_gone(int folder, const char *name, int *fd_ret);
