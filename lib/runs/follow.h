/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of following what is still being written, and of walking with it. */
#pragma once

#include "runs/follow_spool.h"
#include "runs/real.h"

enum { FOLLOW_PIECE = 1 << 18, FOLLOW_HEAD = 256 };

/* When the cells of a world began to load. */
struct cs_follow_begins {
	const struct cs_cooked *world;
	uint32_t n;
	double *at; /* seconds, NAN = it is not on its way */
};

struct cs_follow {
	struct cs_real *real;
	char *name;
	struct cs_spool *spool; /* NULL: a file */
	int fd;                 /* that is read, or -1 */
	uint64_t at;            /* bytes of it that were read */
	uint64_t hole;          /* of a spooled one: bytes that were given back to the disk */
	char head[FOLLOW_HEAD]; /* its first bytes */
	size_t n_head, keep;
	struct cs_real_reader reader;
	bool reads;                   /* the reader has begun and not ended */
	bool listens;                 /* at a port: connections come and go */
	uint64_t walked;              /* bytes whose rows the walk has seen, of a second reading */
	bool moved;                   /* its name belongs to another file: it is read once more */
	size_t next_cell, next_frame; /* rows of the last piece that the walk has not seen */
	struct cs_follow_begins begins;
	char piece[FOLLOW_PIECE];
};

/*
 * Reads a piece of what has come, if any. *bytes_ret is its length, 0 = nothing has come;
 * *over_ret: nothing will. An error of what was read ends it.
 */
struct cs_error *cs_follow_read(
	struct cs_follow *follow, uint64_t *bytes_ret, bool *over_ret) CS_MUST_USE;
