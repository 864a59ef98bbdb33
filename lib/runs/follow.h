/* SPDX-License-Identifier: Apache-2.0 */
/* Reading files while they are being written, and simulating along with them. */
#pragma once

#include "runs/follow_spool.h"
#include "runs/real.h"

enum { FOLLOW_PIECE = 1 << 18, FOLLOW_HEAD = 256 };

/* The times at which the cells of a world began to load. */
struct cs_follow_begins {
	const struct cs_cooked *world;
	uint32_t n;
	double *at; /* for each cell: seconds, NAN = it is not loading */
};

struct cs_follow {
	struct cs_real *real;
	char *name;
	struct cs_spool *spool; /* NULL for a file */
	int fd;                 /* descriptor that is read, or -1 */
	uint64_t at;            /* bytes read from it */
	uint64_t hole;          /* spooled part: leading bytes whose disk space was released */
	char head[FOLLOW_HEAD]; /* first bytes of the file */
	size_t n_head, keep;
	struct cs_real_reader reader;
	bool reads;      /* the reader has begun and not ended */
	bool listens;    /* the input is a port, which accepts connections */
	uint64_t walked; /* during a second reading: bytes whose rows the walk has used */
	/* the file's name belongs to another file now; this file is first read to its end */
	bool moved;
	size_t next_cell, next_frame; /* next rows of the last piece for the walk */
	struct cs_follow_begins begins;
	char piece[FOLLOW_PIECE];
};

/*
 * Reads the next piece, if one has arrived. *bytes_ret is its length, 0 = nothing has arrived;
 * *over_ret: nothing more will. An error in the data ends following.
 */
struct cs_error *cs_follow_read(
	struct cs_follow *follow, uint64_t *bytes_ret, bool *over_ret) CS_MUST_USE;
