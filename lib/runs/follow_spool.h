/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies data from a pipe or a port to temporary files. A thread reads the data as soon as it
 * arrives, so that the game which writes it never waits. Each connection becomes a part, an unnamed
 * temporary file.
 */
#pragma once

#include <cellscope/core.h>

struct cs_spool;

/*
 * Starts a spool (a thread that stores received data in temporary files). It reads from `in` and
 * takes ownership of it, even on failure. `listens`: `in` is a socket that accepts connections.
 */
struct cs_error *cs_spool_new(int in, bool listens, struct cs_spool **ret) CS_MUST_USE;
void cs_spool_free(struct cs_spool *spool);

struct cs_spool_part {
	int fd;        /* file with the data; -1 = it could not be created */
	uint64_t size; /* number of bytes stored so far */
	/* nothing more is added: the writer closed the connection, or the disk is full */
	bool is_whole;
	int failed; /* errno of the error that ended storing, or 0 */
};

/* Stores the oldest part (data of one connection); false = none. *over_ret: no more will follow. */
bool cs_spool_first(struct cs_spool *spool, struct cs_spool_part *ret, bool *over_ret);
/* Removes the oldest part, which has been read to its end. */
void cs_spool_next(struct cs_spool *spool);
