/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The visits of cells in a run, real or simulated: each time that a cell comes, with the seconds at
 * which it reached its states. Invariant: visits of a cell are linked in the order in which they
 * began; a time that is not known is NAN.
 */
#pragma once

#include "core/slots.h"
#include "runs/real.h"

#include <cellscope/runs.h>

struct cs_real_visit {
	uint32_t cell;  /* of world 0 */
	uint32_t order; /* 1 = its first */
	uint32_t next;  /* visit of the same cell, or CS_NONE */
	double begin, loaded, showing, visible, hiding, hidden;
	bool failed, over;
	uint8_t reason; /* enum cs_reason of the wish; of a simulated one */
	int64_t line;   /* of its last change in the file; of a real one */
};

struct cs_real_walk {
	CS_VEC(struct cs_real_visit) visits;
	uint32_t *first, *last; /* of each cell, or CS_NONE */
	uint32_t n_cells;
	uint32_t file;    /* of a real one: whose states these are, or CS_NONE */
	uint64_t unknown; /* rows of real cells that the world does not have */
};

struct cs_error *cs_real_walk_init(uint32_t n_cells, struct cs_real_walk *ret) CS_MUST_USE;
void cs_real_walk_deinit(struct cs_real_walk *walk);

/* Cells of a world by their names, without case; false without memory. */
bool cs_real_name_cells(const struct cs_cooked *world, struct cs_slots *ret);
/* CS_NONE: there is none of that name. */
uint32_t cs_real_find_cell(
	const struct cs_cooked *world, const struct cs_slots *names, const char *name);

/* The frames of one file of a run, recorded frame by frame, gaps between them filled. */
struct cs_real_path {
	struct cs_path *path;
	uint32_t file;
	double start; /* second of the file at which the path begins */
};

/* Of the first file that has frames with places; E_NOFRAME without any, E_LIMIT. */
struct cs_error *cs_real_path_new(const struct cs_real *real, struct cs_real_path *ret) CS_MUST_USE;
/*
 * What one file says, that of the frames where it has states; seconds of a file are moved by
 * `offset` or by what their clocks say. E_MISSING where no file has states of cells of this world.
 */
struct cs_error *cs_real_walk_real(const struct cs_real *real, const struct cs_cooked *world,
	uint32_t frames_file, const double *offset, struct cs_real_walk *walk) CS_MUST_USE;
/* The path through a stream of its own, with the variables of `model`, but for `values`. */
struct cs_real_value {
	const char *variable;
	double value;
};
struct cs_error *cs_real_walk_simulated(const struct cs_stream *model,
	const struct cs_real_path *path, const struct cs_real_value *values, size_t n_values,
	const struct cs_job *job, struct cs_real_walk *walk) CS_MUST_USE;
