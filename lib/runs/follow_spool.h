/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores data from a pipe or a port in files: a thread reads the data as it arrives, whether or not
 * the program wants it yet, so that the game never waits. Each connection is a part of its own, in
 * a temporary file without a name.
 */
#pragma once

#include <cellscope/core.h>

struct cs_spool;

/* Takes ownership of the descriptor, also on failure; `listens`: it accepts connections. */
struct cs_error *cs_spool_new(int in, bool listens, struct cs_spool **ret) CS_MUST_USE;
void cs_spool_free(struct cs_spool *spool);

struct cs_spool_part {
	int fd;        /* -1: no file could be created */
	uint64_t size; /* bytes of the part so far */
	bool is_whole; /* the writer has closed its end, or the disk is full */
	int failed;    /* errno of a failure to store data, or 0 */
};

/* Returns the oldest part. False: there is none yet, or, with *over_ret, none will come. */
bool cs_spool_first(struct cs_spool *spool, struct cs_spool_part *ret, bool *over_ret);
/* Removes the oldest part after it was read to its end. */
void cs_spool_next(struct cs_spool *spool);
