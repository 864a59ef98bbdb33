/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and starts cellscope-import, the program that runs foreign code: it reads meshes by assimp
 * (mesh/mesh_readers.h) and unpacks blocks by a codec of the user (ue/container/oodle.h).
 */
#pragma once

#include <sys/types.h>

/*
 * Stores the path of the program in `ret`, which has PATH_MAX bytes. The path is the value of the
 * environment variable CELLSCOPE_IMPORT, if set; else the first executable file of: the program
 * beside the running one (in a build tree), the program of an installation that was moved as a
 * whole; else the path to which `make install` installs. The variable's and the last path may not
 * exist.
 */
void cs_import_program(char *ret);
/*
 * Starts the program with `argv`, whose first entry is its path. `in` becomes its standard input
 * (-1: /dev/null), `out` its standard output; its standard error is discarded. Returns 0 or an
 * errno.
 */
int cs_import_start(char *const *argv, int in, int out, pid_t *ret);
/*
 * Protocol for unpacking blocks. A request, through a socket that is its standard input and output:
 * packed and plain size (u32 each, in the machine's byte order), the packed bytes. An answer: a
 * status (u32), then the plain bytes, or a text of CS_BLOCK_TEXT bytes. The first answer comes
 * without a request.
 */
enum { CS_BLOCK_TEXT = 160, CS_BLOCK_MOST = 1 << 28 };

enum cs_block_status {
	CS_BLOCK_PLAIN,   /* the block was unpacked; as first answer: the library is loaded */
	CS_BLOCK_DAMAGED, /* the library did not return the plain size that was asked for */
	/* the library cannot be loaded, or there is no sandbox; the text is the reason */
	CS_BLOCK_REFUSED,
};

/* Returns whether the user asked to run the program without a sandbox (CELLSCOPE_NO_SANDBOX). */
int cs_import_is_uncaged(void);
