/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The visits of cells in a real or simulated run. A visit is a period in which a cell is loaded and
 * shown at most once, with the times in seconds at which the cell reached its states. A cell that
 * is hidden and shown again begins another visit even if it stays loaded: the n-th visit is
 * compared with the n-th visit of the other run (real or simulated), which may unload the cell in
 * between. Invariant: visits of a cell are linked in the order in which they began; an unknown time
 * is NAN.
 */
#pragma once

#include "core/slots.h"
#include "runs/real.h"

#include <cellscope/runs.h>

struct cs_real_visit {
	uint32_t cell;  /* row of the cell in world 0 */
	uint32_t order; /* number of this visit (loaded period) of the cell, from 1 */
	uint32_t next;  /* index of the cell's next visit, or CS_NONE */
	double begin, loaded, showing, visible, hiding, hidden;
	bool failed, over;
	uint8_t reason; /* simulated run: enum cs_reason: why streaming requested the cell */
	/* real run: line of the file that reports the visit's last change of state */
	int64_t line;
};

struct cs_real_walk {
	CS_VEC(struct cs_real_visit) visits;
	uint32_t *first, *last; /* for each cell: index of its first and last visit, or CS_NONE */
	uint32_t n_cells;
	uint32_t file;    /* real run: index of the file with the states of cells, or CS_NONE */
	uint64_t unknown; /* number of rows about cells that are not in the world */
};

struct cs_error *cs_real_walk_init(uint32_t n_cells, struct cs_real_walk *ret) CS_MUST_USE;
void cs_real_walk_deinit(struct cs_real_walk *walk);

/* Makes an index of a world's cells by name, ignoring case; false if out of memory. */
bool cs_real_name_cells(const struct cs_cooked *world, struct cs_slots *ret);
/* Returns the cell with this name, by the index `names`; CS_NONE when there is none. */
uint32_t cs_real_find_cell(
	const struct cs_cooked *world, const struct cs_slots *names, const char *name);

/* The recorded frames of one file as a camera path; frames that the file lacks are inserted. */
struct cs_real_path {
	struct cs_path *path;
	uint32_t file;
	double start; /* time in the file, seconds, at which the path begins */
};

/*
 * Makes a path of the first file that has positions. CS_E_NOFRAME: no file has positions;
 * CS_E_LIMIT: a gap between two frames is too long.
 */
struct cs_error *cs_real_path_new(const struct cs_real *real, struct cs_real_path *ret) CS_MUST_USE;
/*
 * Reads the visits of cells (periods in which a cell was loaded) from one file: the file with the
 * frames if it has states of cells, else the first file that has them. Times of another file are
 * shifted by `offset` seconds; NULL means by the difference of the two clocks. Returns E_MISSING
 * when no file has states of cells of this world.
 */
struct cs_error *cs_real_walk_real(const struct cs_real *real, const struct cs_cooked *world,
	uint32_t frames_file, const double *offset, struct cs_real_walk *walk) CS_MUST_USE;
struct cs_error *cs_real_set_variable(
	struct cs_stream *stream, const char *variable, double value) CS_MUST_USE;
struct cs_real_value {
	const char *variable;
	double value;
};
/*
 * Simulates streaming along the path in a new run, and adds its visits (periods in which a cell was
 * loaded) to `walk`. The run has the variables of `model`, except those set by `values`.
 */
struct cs_error *cs_real_walk_simulated(const struct cs_stream *model,
	const struct cs_real_path *path, const struct cs_real_value *values, size_t n_values,
	const struct cs_job *job, struct cs_real_walk *walk) CS_MUST_USE;
