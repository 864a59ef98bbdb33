/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes through a pipe or a port, as files: a thread takes it as it comes, whoever looks, so
 * that the game never waits. Each connection is a part of its own, in a file without a name.
 */
#pragma once

#include <cellscope/core.h>

struct cs_spool;

/* Takes the descriptor over, whatever comes of it; `listens`: connections come to it. */
struct cs_error *cs_spool_new(int in, bool listens, struct cs_spool **ret) CS_MUST_USE;
void cs_spool_free(struct cs_spool *spool);

struct cs_spool_part {
	int fd;        /* -1: no file could be made */
	uint64_t size; /* until now */
	bool is_whole; /* its writer has gone, or there was no room for more */
	int failed;    /* errno of that, or 0 */
};

/* The oldest part. False: there is none yet, or, with *over_ret, none will come. */
bool cs_spool_first(struct cs_spool *spool, struct cs_spool_part *ret, bool *over_ret);
/* It was read to its end. */
void cs_spool_next(struct cs_spool *spool);
