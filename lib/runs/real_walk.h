/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The visits of cells in a real or simulated run: each time that a cell is loaded, with the seconds
 * at which it reached its states. Invariant: visits of a cell are linked in the order in which they
 * began; an unknown time is NAN.
 */
#pragma once

#include "core/slots.h"
#include "runs/real.h"

#include <cellscope/runs.h>

struct cs_real_visit {
	uint32_t cell;  /* row of the cell in world 0 */
	uint32_t order; /* number among the visits of its cell, from 1 */
	uint32_t next;  /* next visit of the same cell, or CS_NONE */
	double begin, loaded, showing, visible, hiding, hidden;
	bool failed, over;
	uint8_t reason; /* simulated: enum cs_reason of the wanted state */
	int64_t line;   /* real: line of its last change in the file */
};

struct cs_real_walk {
	CS_VEC(struct cs_real_visit) visits;
	uint32_t *first, *last; /* for each cell: its first and last visit, or CS_NONE */
	uint32_t n_cells;
	uint32_t file;    /* real run: file that the states come from, or CS_NONE */
	uint64_t unknown; /* number of rows about cells that the world does not have */
};

struct cs_error *cs_real_walk_init(uint32_t n_cells, struct cs_real_walk *ret) CS_MUST_USE;
void cs_real_walk_deinit(struct cs_real_walk *walk);

/* Indexes the cells of a world by name, ignoring case; false without memory. */
bool cs_real_name_cells(const struct cs_cooked *world, struct cs_slots *ret);
/* Returns CS_NONE when no cell has that name. */
uint32_t cs_real_find_cell(
	const struct cs_cooked *world, const struct cs_slots *names, const char *name);

/* The frames of one file of a run, as recorded, with gaps filled. */
struct cs_real_path {
	struct cs_path *path;
	uint32_t file;
	double start; /* second of the file at which the path begins */
};

/*
 * Makes the path from the first file that has frames with places; E_NOFRAME when none has, E_LIMIT.
 */
struct cs_error *cs_real_path_new(const struct cs_real *real, struct cs_real_path *ret) CS_MUST_USE;
/*
 * Reads the visits from one file, that of the frames if it has states; times of a file are shifted
 * by `offset` or by the difference of the clocks. E_MISSING when no file has states of cells of
 * this world.
 */
struct cs_error *cs_real_walk_real(const struct cs_real *real, const struct cs_cooked *world,
	uint32_t frames_file, const double *offset, struct cs_real_walk *walk) CS_MUST_USE;
struct cs_real_value {
	const char *variable;
	double value;
};
/* Runs the path through a stream of its own, with the variables of `model` except `values`. */
struct cs_error *cs_real_walk_simulated(const struct cs_stream *model,
	const struct cs_real_path *path, const struct cs_real_value *values, size_t n_values,
	const struct cs_job *job, struct cs_real_walk *walk) CS_MUST_USE;
