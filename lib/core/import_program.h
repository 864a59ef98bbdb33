/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and starts cellscope-import, the program that runs foreign code: it reads meshes by assimp
 * (mesh/mesh_readers.h) and unpacks blocks by a codec of the user (ue/container/oodle.c).
 */
#pragma once

#include <sys/types.h>

/*
 * Stores the path of cellscope-import in `ret`, which has PATH_MAX bytes: the value of the
 * environment variable CELLSCOPE_IMPORT if set; else the program beside the running one (in a build
 * tree) or that of an installation that was moved as a whole, whichever is executable first; else
 * the path to which `make install` installs it. The first and the last may not exist.
 */
void cs_import_program(char *ret);
/*
 * Starts the program argv[0] with the arguments `argv`. `in` becomes its standard input (/dev/null
 * if -1), `out` its standard output. Standard error is discarded. Returns 0 or an errno.
 */
int cs_import_start(char *const *argv, int in, int out, pid_t *ret);
/*
 * Protocol for unpacking blocks, over a socket that is standard input and output of
 * cellscope-import. A request is the packed and the unpacked size (u32 each, in the machine's byte
 * order) and the packed bytes. An answer is a status (u32), followed by the unpacked bytes or by a
 * text of CS_BLOCK_TEXT bytes. The first answer is sent without a request.
 */
enum { CS_BLOCK_TEXT = 160, CS_BLOCK_MOST = 1 << 28 };

enum cs_block_status {
	CS_BLOCK_PLAIN,   /* the block was unpacked, or (first answer) the library is loaded */
	CS_BLOCK_DAMAGED, /* the library returned another size than the requested one */
	/* there is no library or no sandbox. The text is the reason */
	CS_BLOCK_REFUSED,
};

/* Returns whether the user asked to run the program without a sandbox (CELLSCOPE_NO_SANDBOX). */
int cs_import_is_uncaged(void);
