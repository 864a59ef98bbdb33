/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file, pipe or port while an engine writes it, and simulates each frame that was read. */
#pragma once

#include "runs/real.h"

enum { FOLLOW_PIECE = 1 << 18, FOLLOW_HEAD = 256 };

/* For each cell of a world, the time at which it began to load. */
struct cs_follow_begins {
	const struct cs_cooked *world;
	uint32_t n;
	/* for each cell, time in seconds at which its load began (NAN: it is not being loaded) */
	double *at;
};

struct cs_follow {
	struct cs_real *real;
	char *name;
	struct cs_spool *spool; /* stored data of a pipe or port; NULL for a regular file */
	int fd;                 /* descriptor of the current file, or -1 */
	uint64_t at;            /* number of bytes read from `fd` */
	uint64_t hole;          /* spooled data: leading bytes whose disk space has been released */
	char head[FOLLOW_HEAD]; /* first bytes of the file, to detect that it was rewritten */
	size_t n_head, keep;
	struct cs_real_reader reader;
	bool reads;   /* the reader has begun the file and not ended it */
	bool listens; /* the input is a port that accepts connections */
	/* up to this offset the file is read a second time, without simulating rows (or 0) */
	uint64_t walked;
	/* another file has the path now, but the open file is first read to its end */
	bool moved;
	size_t next_cell, next_frame; /* next rows to simulate in real->cells and real->frames */
	struct cs_follow_begins begins;
	char piece[FOLLOW_PIECE];
};

/*
 * Reads the next piece of the file if new bytes have arrived. *bytes_ret is the length of the
 * piece, 0 = nothing has arrived; *over_ret = no more data will arrive. An error in the data ends
 * following; an error in the data of a port is only stored in the row of run_files.
 */
struct cs_error *cs_follow_read(
	struct cs_follow *follow, uint64_t *bytes_ret, bool *over_ret) CS_MUST_USE;

/* ---- follow_spool.c: data of a pipe or a port in temporary files ---- */

/*
 * Starts a spool (a thread that stores received data in temporary files). It reads from `in` and
 * takes ownership of it, even on failure. `listens`: `in` is a socket that accepts connections.
 */
struct cs_error *cs_spool_new(int in, bool listens, struct cs_spool **ret) CS_MUST_USE;
void cs_spool_free(struct cs_spool *spool);

struct cs_spool_part {
	int fd;        /* file with the data; -1 = it could not be created */
	uint64_t size; /* number of bytes stored so far */
	/* no more data will be added: the connection was closed, or the disk is full */
	bool is_whole;
	int failed; /* errno of the error that ended storing, or 0 */
};

/* Gets the oldest part (one connection's data), or returns false. *over_ret: no part will come. */
bool cs_spool_first(struct cs_spool *spool, struct cs_spool_part *ret, bool *over_ret);
/* Removes the oldest part, which has been read to its end. */
void cs_spool_next(struct cs_spool *spool);
