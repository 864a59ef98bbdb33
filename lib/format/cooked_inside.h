/* SPDX-License-Identifier: Apache-2.0 */
/* An open cooked world, for the other rooms of the library. */
#pragma once

#include <cellscope/cooked.h>

/* Takes the file over, also when it fails. */
struct cs_error *cs_cooked_of_file(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* The same of a file that was checked already; its cells are counted and not there. */
struct cs_error *cs_cooked_of_checked(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* Of what cs_cooked_load_actors loads: actors and those of cells. */
struct cs_error *cs_cooked_load_placed(struct cs_cooked *cooked) CS_MUST_USE;
/* The same opened once, for all who ask, and closed with `cooked`. */
struct cs_error *cs_cooked_level(struct cs_cooked *cooked, uint32_t level, const struct cs_job *job,
	struct cs_cooked **ret) CS_MUST_USE;

/* CS_NONE where there is no such row. */
uint32_t cs_cooked_id(const struct cs_cooked *cooked, enum cs_cooked_ids table, size_t row);
/*
 * The cooked world of a row of sub_levels. It reads from `cooked`, which must be closed after it;
 * what it says of its own sub partitions is empty: all of them are rows of the outermost file.
 */
struct cs_error *cs_cooked_open_level(struct cs_cooked *cooked, uint32_t level,
	const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;
/*
 * The names that files, JSON and SQL use for the values of enums and the bits of CS_DEFAULT_,
 * each list ended by NULL.
 */
extern const char *const cs_partition_class_names[],
	*const cs_default_names[],
		*const cs_placement_names[],
			*const cs_layer_type_names[],
				*const cs_layer_filter_names[],
					*const cs_reference_state_names[],
						*const cs_repair_names[],
							*const cs_mesh_state_names[];
