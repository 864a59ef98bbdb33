/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sandbox of Landlock (Linux 5.13 or later). It restricts a thread, and the processes that the
 * thread starts later, to opening files on a list, and forbids TCP on Linux 6.7 or later. Names and
 * attributes of other files stay visible.
 */
#pragma once

#include <stdbool.h>

struct cs_cage {
	int fd;      /* descriptor of the Landlock rule set, or -1 if the kernel has no Landlock */
	int version; /* Landlock version that the kernel supports */
};

/* Starts a list of allowed files. Without Landlock, returns false, and the others do nothing. */
bool cs_cage_open(struct cs_cage *ret);
/* Allow a file, or a folder with everything in it. A path that does not exist is ignored. */
void cs_cage_let_read(const struct cs_cage *cage, const char *path);
void cs_cage_let_write(const struct cs_cage *cage, const char *path);
/* Allows what every program needs: reading libraries, settings and /proc, and writing devices. */
void cs_cage_let_system(const struct cs_cage *cage);
/* Restricts this thread and all it starts, permanently. Returns false if the kernel refuses. */
bool cs_cage_enter(const struct cs_cage *cage);
void cs_cage_close(struct cs_cage *cage);
/*
 * Restricts this process permanently to system calls that open, read and write files, manage
 * memory, read clocks or exit. It cannot start processes, open sockets or signal other processes:
 * such calls fail with EPERM. Returns false when the kernel has no such filter, or this code lacks
 * the call numbers of this processor.
 */
bool cs_cage_filter_calls(void);
