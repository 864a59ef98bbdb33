/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What really happened: runs of the game, from the files that the engine and the game wrote, as
 * tables beside those of a simulation.
 *
 *	struct cs_real *real;
 *	cs_real_new(&real);
 *	cs_real_read(real, "server.log", &job);
 *	cs_real_add_tables(query, real);
 *
 * A file is known by its content, never by its name: a CSV profile (packed or not), a log, a
 * memreport, a .tsv of level streaming, lines of JSON of the schema cellscope.run/1, a .utrace.
 * What a file does not hold is null, never zero, and stands in the column `missing` of run_files.
 * Times are seconds from the zero of each file, which its row in run_files names.
 */
#ifndef CELLSCOPE_REAL_RUN_H
#define CELLSCOPE_REAL_RUN_H

#include <cellscope/debug.h>
#include <cellscope/query.h>

CS_BEGIN_DECLS

struct cs_real;

CS_API struct cs_error *cs_real_new(struct cs_real **ret) CS_MUST_USE;
CS_API void cs_real_free(struct cs_real *real);
/*
 * Adds what a file holds; without anything known in it E_MAGIC. A cut end is no error: what was
 * read stays, and run_files says how many bytes were left. Any error leaves the rows as they were.
 */
CS_API struct cs_error *cs_real_read(
	struct cs_real *real, const char *file, const struct cs_job *job) CS_MUST_USE;
/* Forgets every row; what is followed is closed first. */
CS_API void cs_real_clear(struct cs_real *real);

/* ---- while it is written ---- */

struct cs_follow;

/*
 * Reads a file while it grows, through rotation and truncation: the rows are those of cs_real_read.
 * "-": standard input; ":PORT" or "ADDRESS:PORT": what connects there, one connection after the
 * other, at localhost where no address stands. Each file that takes the place of another, and each
 * connection, has a row of run_files of its own. `keep`: of each table the last rows stay, 64 bytes
 * times so many of them; 0 = a million. E_IO, E_USAGE for what is no address.
 */
CS_API struct cs_error *cs_follow_open(
	struct cs_real *real, const char *what, uint64_t keep, struct cs_follow **ret) CS_MUST_USE;
#ifdef CS_INSIDE
/*
 * Reads a piece of what has come, if any. *bytes_ret is its length, 0 = nothing has come;
 * *over_ret: nothing will. An error of what was read ends it.
 */
struct cs_error *cs_follow_read(
	struct cs_follow *follow, uint64_t *bytes_ret, bool *over_ret) CS_MUST_USE;
#endif
/* What waits for its end is read as it is. NULL is nothing. */
CS_API void cs_follow_close(struct cs_follow *follow);

struct cs_follow_request {
	double seconds;           /* for so long, 0 = what is there; negative: until it ends */
	struct cs_stream *stream; /* goes with frames that have places, Player0 in it; or NULL */
	struct cs_debug *debug;   /* its stops, or NULL */
};

enum cs_follow_end {
	CS_FOLLOW_TIME, /* the seconds have passed */
	CS_FOLLOW_OVER, /* nothing will come any more */
	CS_FOLLOW_STOP, /* at a stop; what is written meanwhile is read when it goes on */
	CS_FOLLOW_INTERRUPTED,
};

struct cs_follow_news {
	enum cs_follow_end end;
	uint64_t bytes;
	struct cs_halt halt; /* of a stop */
};

/*
 * Reads on, and waits for what comes. A cell of the stream's first world that becomes visible is
 * the event cell.late: `late` is how many ms the real one took from being asked for.
 */
CS_API struct cs_error *cs_follow_run(struct cs_follow *follow,
	const struct cs_follow_request *request, const struct cs_job *job,
	struct cs_follow_news *ret) CS_MUST_USE;

/* ---- beside a simulation ---- */

/*
 * Walks the frames of the files through a simulation of the first world of `model`, with its
 * variables, and holds each visit of a cell against its simulated one: the table run_pairs, worst
 * first. `offset` is added to the seconds of files that do not have the frames; NULL: what their
 * clocks say. E_NOFRAME without frames that have places.
 */
CS_API struct cs_error *cs_real_compare(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job) CS_MUST_USE;
/* How many rows of run_cells named no cell of that world. */
CS_API uint64_t cs_real_unknown_cells(const struct cs_real *real);
/* The load model that meets the durations of the files best, in the table run_fits. */
CS_API struct cs_error *cs_real_fit(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job) CS_MUST_USE;
/* Input: sets the variables of the last fit that meet what was held out. */
CS_API struct cs_error *cs_real_fit_apply(
	const struct cs_real *real, struct cs_stream *stream) CS_MUST_USE;
/* The tables run_files, run_frames, run_cells, run_levels, run_sources, run_events, run_pairs,
 * run_fits. */
CS_API struct cs_error *cs_real_add_tables(
	struct cs_query *query, struct cs_real *real) CS_MUST_USE;

CS_END_DECLS

#endif
