/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cellscope-import, the program in which foreign code runs: it reads meshes by assimp
 * (mesh/mesh_readers.h) and unpacks blocks by a codec that the user has (ue/container/oodle.h).
 * Where it lies, and how it is started.
 */
#pragma once

#include <sys/types.h>

/*
 * The program that the environment variable CELLSCOPE_IMPORT names, or the one beside the running
 * program (a build tree), or where an installation that was moved as a whole has it, or where
 * `make install` put it: the first that can be run. `ret` has PATH_MAX bytes; it may not be there.
 */
void cs_import_program(char *ret);
/*
 * Starts it with `argv`, of which the first is its path. `in` is its standard input, -1 for none;
 * `out` its standard output. Nothing else of ours is open in it. The answer is 0 or an errno.
 */
int cs_import_start(char *const *argv, int in, int out, pid_t *ret);
/*
 * Blocks that it unpacks. Requests, through a socket that is its standard input and output: packed
 * and plain size (u32 each, as this machine has them), the packed bytes. Answers: a status (u32),
 * then the plain bytes, or a text of CS_BLOCK_TEXT bytes. The first answer comes unasked.
 */
enum { CS_BLOCK_TEXT = 160, CS_BLOCK_MOST = 1 << 28 };

enum cs_block_status {
	CS_BLOCK_PLAIN,   /* the block was unpacked; the first answer: the library is loaded */
	CS_BLOCK_DAMAGED, /* the library gave another size */
	CS_BLOCK_REFUSED, /* it cannot be loaded, or there is no sandbox: what the text says */
};

/* Whether the user asked for no sandbox around it. */
int cs_import_is_uncaged(void);
