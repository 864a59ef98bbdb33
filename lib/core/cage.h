/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that can open nothing but what is named, and the processes that it starts from then on:
 * Landlock of the Linux kernel, from 5.13 on. Names and attributes of files stay visible to it.
 */
#pragma once

#include <stdbool.h>

struct cs_cage {
	int fd, version; /* fd -1: the kernel has none */
};

/* False where the kernel has no Landlock, or has it switched off; the others then do nothing. */
bool cs_cage_open(struct cs_cage *ret);
/* A file, or a folder with all that is below it; what is not there is passed over. */
void cs_cage_let_read(const struct cs_cage *cage, const char *path);
void cs_cage_let_write(const struct cs_cage *cage, const char *path);
/* What any program of the system reads: libraries, settings, devices, /proc. */
void cs_cage_let_system(const struct cs_cage *cage);
/* For ever: this thread, what it starts and what that starts. False when the kernel refuses. */
bool cs_cage_enter(const struct cs_cage *cage);
void cs_cage_close(struct cs_cage *cage);
/*
 * From now on this process has no system calls but those of reading, writing, memory, clocks and
 * ending: no process, no socket, no signal to another; the others fail with EPERM. For ever. False
 * where the kernel cannot, or this machine's calls are not known here.
 */
bool cs_cage_filter_calls(void);
