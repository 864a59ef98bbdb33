/* SPDX-License-Identifier: Apache-2.0 */
/* Functions about open cooked worlds for use inside the library. */
#pragma once

#include <cellscope/cooked.h>

#include "core/ranks.h"
#include "core/vec.h"

/* Makes a world from an open file. The world owns the file; on failure the file is closed. */
struct cs_error *cs_cooked_of_file(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* Makes a world of a file that is known to be valid. Its cells are counted but not loaded. */
struct cs_error *cs_cooked_of_checked(struct cs_file *file, struct cs_cooked **ret) CS_MUST_USE;
/* Loads all cells and returns their rows. */
struct cs_error *cs_cooked_load_cells(
	const struct cs_cooked *cooked, const struct cs_cooked_cell **ret) CS_MUST_USE;
/* Loads the actors, their tables (layers, tags, references) and their details. */
struct cs_error *cs_cooked_load_details(struct cs_cooked *cooked) CS_MUST_USE;
/* Loads the actors and the lists of actors in cells, a part of what cs_cooked_load_actors loads. */
struct cs_error *cs_cooked_load_placed(struct cs_cooked *cooked) CS_MUST_USE;
struct cs_record_byte;
/* Begins a pass that decodes only some fields: see cs_file_pass_fields. */
bool cs_cooked_pass_fields(
	struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields);
/* A loop over the rows of a world, in their order, that may decode only some of their fields. */
struct cs_cooked_loop {
	struct cs_cooked *cooked;
	bool passes; /* whether this loop has begun a pass, which it must then end */
};

struct cs_cooked_loop cs_cooked_loop(
	struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields);
/*
 * Begins a loop that searches all cells. After a few searches the rows of cells are loaded and stay
 * in memory, because a caller that searches again and again would decode the columns for each
 * search.
 */
struct cs_cooked_loop cs_cooked_search_cells(
	const struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields);
/* Frees earlier rows when they use much memory. Each loop calls it after each row it reads. */
static inline void cs_cooked_loop_step(const struct cs_cooked_loop *loop, size_t row)
{
	enum { ROWS = 1024 };
	if (loop->passes && row % ROWS == 0)
		cs_cooked_pass(loop->cooked, CS_PASS_STEP);
}

/* Ends the loop. Returns the error of a row that could not be read. */
struct cs_error *cs_cooked_loop_end(const struct cs_cooked_loop *loop) CS_MUST_USE;

/* Values of cells and actors that rows of other tables also show. This header calls them names. */
enum cs_named { CS_NAMED_CELL, CS_NAMED_FLAGS, CS_NAMED_TITLE, CS_NAMED_GUID, CS_NAMED_KINDS };

/* Names of one kind. `at` has, for each of n_named marked rows, the offset of a name in `bytes`. */
struct cs_row_names {
	uint64_t *words; /* the set of marked rows (core/ranks.h), or NULL if there is none */
	uint32_t *at;
	size_t n, n_words, n_named;
	CS_VEC(char) bytes;
};

/* Names that a loop over rows has read in advance (query/sql/row_pass.c). */
struct cs_cooked_names {
	struct cs_row_names of[CS_NAMED_KINDS];
};

/* Returns a name that was read in advance, or NULL. */
static inline const void *cs_cooked_name_read(
	const struct cs_cooked *cooked, enum cs_named kind, uint32_t row)
{
	const struct cs_row_names *names = cooked->names ? &cooked->names->of[kind] : NULL;
	if (!names || !names->at || row / CS_RANKS_WORD >= names->n_words ||
		!cs_ranks_has(names->words, row))
		return NULL;
	const size_t rank = cs_ranks_below(names->words, row);
	return rank < names->n_named ? names->bytes.at + names->at[rank] : NULL;
}

/* Return a value of a cell or actor: the one read in advance, otherwise that of the loaded row. */
static inline const char *cs_cooked_named_cell(const struct cs_cooked *cooked, uint32_t row)
{
	const char *name = cs_cooked_name_read(cooked, CS_NAMED_CELL, row);
	return name ? name : cs_cooked_cell_name(cooked, row);
}

static inline uint32_t cs_cooked_cell_flags(const struct cs_cooked *cooked, uint32_t row)
{
	const uint32_t *flags = cs_cooked_name_read(cooked, CS_NAMED_FLAGS, row);
	return flags ? *flags : cs_cooked_cell(cooked, row)->flags;
}

static inline struct cs_guid cs_cooked_actor_guid(const struct cs_cooked *cooked, uint32_t row)
{
	const struct cs_guid *guid = cs_cooked_name_read(cooked, CS_NAMED_GUID, row);
	return guid ? *guid : cs_cooked_actor(cooked, row)->guid;
}

/* Return the set of actors, or the reference between actors, in a row. Load it if necessary. */
const struct cs_cooked_set *cs_cooked_set(const struct cs_cooked *cooked, size_t row);
const struct cs_cooked_reference *cs_cooked_reference(const struct cs_cooked *cooked, size_t row);
/* Returns the id in a row of a table of ids, or CS_NONE if there is no such row. */
uint32_t cs_cooked_id(const struct cs_cooked *cooked, enum cs_cooked_ids table, size_t row);
/*
 * Opens the cooked world in a row of sub_levels. The opened world reads from `cooked` and must be
 * closed before it. The opened world has no sub partitions of its own, because the outermost file
 * lists all of them.
 */
struct cs_error *cs_cooked_open_level(struct cs_cooked *cooked, uint32_t level,
	const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;
/* Works like cs_cooked_open_level, but opens each level only once. `cooked` owns the result. */
struct cs_error *cs_cooked_level(struct cs_cooked *cooked, uint32_t level, const struct cs_job *job,
	struct cs_cooked **ret) CS_MUST_USE;
/* Names of enum values and CS_DEFAULT_ bits in files, JSON and SQL. Each list ends with NULL. */
extern const char *const cs_partition_class_names[];
extern const char *const cs_default_names[];
extern const char *const cs_placement_names[];
extern const char *const cs_layers_operator_names[];
extern const char *const cs_server_mode_names[];
extern const char *const cs_layer_type_names[];
extern const char *const cs_layer_filter_names[];
extern const char *const cs_reference_state_names[];
extern const char *const cs_repair_names[];
extern const char *const cs_mesh_state_names[];
