/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restricts a thread, and the processes that it starts later, to opening named files, and forbids
 * it TCP where the kernel can: Landlock of the Linux kernel, from 5.13 on, with TCP from 6.7 on.
 * Names and attributes of other files stay visible.
 */
#pragma once

#include <stdbool.h>

struct cs_cage {
	int fd;      /* descriptor of the Landlock rule set; -1: the kernel has no Landlock */
	int version; /* Landlock version that the kernel supports */
};

/*
 * Returns false when the kernel has no Landlock or has disabled it; the other functions then do
 * nothing.
 */
bool cs_cage_open(struct cs_cage *ret);
/* Allows a file, or a folder with everything below it; ignores a path that does not exist. */
void cs_cage_let_read(const struct cs_cage *cage, const char *path);
void cs_cage_let_write(const struct cs_cage *cage, const char *path);
/* Allows what any program of the system uses: reads libraries, settings, /proc; writes devices. */
void cs_cage_let_system(const struct cs_cage *cage);
/*
 * Restricts this thread and everything that it starts, permanently. False when the kernel refuses.
 */
bool cs_cage_enter(const struct cs_cage *cage);
void cs_cage_close(struct cs_cage *cage);
/*
 * Restricts this process permanently to system calls for opening, reading and writing files, for
 * memory, clocks and ending: no new process, no socket, no signal to another process. Other calls
 * fail with EPERM.
 * False when the kernel cannot, or the call numbers of this machine are unknown.
 */
bool cs_cage_filter_calls(void);
