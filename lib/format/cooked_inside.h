/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on open cooked worlds for other rooms of the library. */
#pragma once

#include <cellscope/cooked.h>

/* Takes ownership of the file, also on failure. */
struct cs_error *cs_cooked_of_file(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* Opens a file that was checked already. Its cells are counted but not loaded. */
struct cs_error *cs_cooked_of_checked(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* Loads all cells and returns their rows. */
struct cs_error *cs_cooked_load_cells(
	const struct cs_cooked *cooked, const struct cs_cooked_cell **ret) CS_MUST_USE;
/* Loads actors, all that belongs to them, and their details. */
struct cs_error *cs_cooked_load_details(struct cs_cooked *cooked) CS_MUST_USE;
/* Loads a part of what cs_cooked_load_actors loads: actors, and the actors of cells. */
struct cs_error *cs_cooked_load_placed(struct cs_cooked *cooked) CS_MUST_USE;
struct cs_record_byte;
/* Begins a pass that reads only some fields: see cs_file_pass_fields. */
bool cs_cooked_pass_fields(
	struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields);
/* A loop over the rows of a world, in their order, that reads only some fields. */
struct cs_cooked_loop {
	struct cs_cooked *cooked;
	bool passes; /* whether this loop began the pass and must end it */
};

struct cs_cooked_loop cs_cooked_loop(
	struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields);
/*
 * Frees rows that are no longer needed. It is called with the number of each row after the row was
 * read.
 */
static inline void cs_cooked_loop_step(const struct cs_cooked_loop *loop, size_t row)
{
	enum { ROWS = 1024 };
	if (loop->passes && row % ROWS == 0)
		cs_cooked_pass(loop->cooked, CS_PASS_STEP);
}

/* Ends the loop, and returns the error of rows that could not be read. */
struct cs_error *cs_cooked_loop_end(const struct cs_cooked_loop *loop) CS_MUST_USE;

/* Return rows as cs_cooked_actor does: a set of actors, a reference of one. */
const struct cs_cooked_set *cs_cooked_set(const struct cs_cooked *cooked, size_t row);
const struct cs_cooked_reference *cs_cooked_reference(const struct cs_cooked *cooked, size_t row);
/* Returns the value of a row of a table of ids; CS_NONE when there is no such row. */
uint32_t cs_cooked_id(const struct cs_cooked *cooked, enum cs_cooked_ids table, size_t row);
/*
 * Opens the cooked world of a row of sub_levels. It reads from `cooked`, which must be closed after
 * it; its own table of sub partitions is empty, because the outermost file lists all of them.
 */
struct cs_error *cs_cooked_open_level(struct cs_cooked *cooked, uint32_t level,
	const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;
/*
 * Works as cs_cooked_open_level does, but opens each level only once for all callers, and closes it
 * with `cooked`.
 */
struct cs_error *cs_cooked_level(struct cs_cooked *cooked, uint32_t level, const struct cs_job *job,
	struct cs_cooked **ret) CS_MUST_USE;
/*
 * Names that files, JSON and SQL use for the values of enums and the bits of CS_DEFAULT_; each list
 * ends with NULL.
 */
extern const char *const cs_partition_class_names[],
	*const cs_default_names[],
		*const cs_placement_names[],
			*const cs_layer_type_names[],
				*const cs_layer_filter_names[],
					*const cs_reference_state_names[],
						*const cs_repair_names[],
							*const cs_mesh_state_names[];
