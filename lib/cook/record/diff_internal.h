/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a comparison of two cooks, left and right, shared by the files diff*.c. */
#pragma once

#include <cellscope/cook.h>

#include "core/vec.h"
#include "format/cooked_inside.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The compared values of an actor, copied because its row may be freed; texts, lists as hashes. */
struct actor_brief {
	struct cs_box bounds;
	uint64_t identity, grid, layers, mesh;
	uint32_t row, flags, cell, set, placement;
	uint32_t mesh_row; /* row of the meshes table, or CS_NONE */
};

/* An actor of one cook whose GUID does not occur in the matching container of the other cook. */
struct lone_actor {
	struct actor_brief brief;
	XXH128_hash_t key; /* hash of the identity; for the second matching, hash of the name */
};

/* Values of a cell that are computed before the cells are compared. */
struct side_cell {
	uint64_t contents; /* sum of the hashes of the identities of all actors in the cell */
	uint64_t place;    /* hash of the grid, the coordinates and the layers */
	uint32_t partition;
};

struct side {
	struct cs_cooked *cooked;
	struct cs_cooked_loop loop; /* state of the current pass over the rows */
	/* for each partition, its name, or its name in the left cook if the right one renamed it */
	const char **grid_names;
	struct side_cell *cells; /* one item for each cell */
	CS_VEC(struct lone_actor) lone;
};

/* An actor in both cooks. Its two actor sets are compared after all actors were read. */
struct actor_pair {
	size_t row; /* index of the pair's row in differ.rows */
	uint64_t identity;
	uint32_t left_set, right_set;
};

/* A cell of the left cook and the matching cell of the right cook. */
struct cell_pair {
	uint32_t left, right;
};

struct differ {
	struct side left, right;
	CS_VEC(struct cs_diff_row) rows;
	CS_VEC(struct actor_pair) pairs;
	CS_VEC(struct cell_pair) cell_pairs;
	/* rows whose key only one side has, which another kind of key may match later */
	CS_VEC(uint32_t) lone_left, lone_right;
	/* for each partition of the left side: whether its settings differ */
	uint32_t *partition_changed;
	/* for each container: the matching container of the other side, or CS_NONE */
	uint32_t *right_container, *left_container;
	bool profile_changed;
	/* whether both cooks were read from engine logs, so that all that a log has is compared */
	bool logged;
	bool failed;            /* memory ran out */
	struct cs_error *error; /* first error of reading a row */
};

typedef XXH128_hash_t key_of_row(const struct side *side, uint32_t row);
/* Called for each key with the rows that have it; CS_NONE on a side without such a row. */
typedef void on_pair(struct differ *d, uint32_t left, uint32_t right);

void cs_diff_report(struct differ *differ, enum cs_diff_kind kind, uint32_t left, uint32_t right,
	uint32_t reasons, const struct cs_field *field);
/* Calls `pair` once for each key in the first n_left left rows and first n_right right rows. */
void cs_diff_match(
	struct differ *differ, size_t n_left, size_t n_right, key_of_row *key, on_pair *pair);
/*
 * Matches the rows in lone_left and lone_right, which no earlier key matched, by another key, and
 * empties both lists first. Matching rows are one object with a changed identity.
 */
void cs_diff_match_lone(struct differ *differ, key_of_row *key, on_pair *pair);
void cs_diff_set_aside(struct differ *differ, uint32_t left, uint32_t right);
XXH128_hash_t cs_diff_key_of_container(const struct side *side, uint32_t row);
XXH128_hash_t cs_diff_hash_text(const struct cs_cooked *cooked, uint32_t text);
/* Returns whether only one side has a row, and then reports that. */
bool cs_diff_one_sided(
	struct differ *differ, enum cs_diff_kind kind, uint32_t left, uint32_t right);
/* Begins a pass over rows of both sides that decodes only these fields; NULL = all fields. */
void cs_diff_begin_pass(
	struct differ *differ, const struct cs_record_byte *fields, size_t n_fields);
/* Ends the pass, and stores the error of rows that could not be read in differ->error. */
void cs_diff_end_pass(struct differ *differ);
/* Ends a step of the pass, which may free rows of `side`, in loops that read rows in any order. */
static inline void cs_diff_step_apart(const struct side *side)
{
	if (side->loop.passes)
		cs_cooked_pass(side->cooked, CS_PASS_STEP);
}

bool cs_diff_same_text(const struct differ *differ, uint32_t left, uint32_t right);
/*
 * Returns whether the cell `left` is in a renamed grid and `right` is in the grid with the new
 * name. The change of their names is then reported with the grid.
 */
bool cs_diff_of_renamed_grid(const struct differ *differ, uint32_t left, uint32_t right);
bool cs_diff_same_field(const struct differ *differ, const struct cs_field *field, const void *left,
	const void *right);
/* For two logs, compares the row's logged fields that are not compared for other cooks. */
void cs_diff_compare_logged(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const void *left_row, const void *right_row);
void cs_diff_compare_parents(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const struct cs_guid parents[2]);
/* Returns the largest distance (cm) of corresponding corners of boxes, -1 if a box is invalid. */
double cs_diff_amount(const struct cs_box *left, const struct cs_box *right);
/* Returns a key made from the name of an actor, which is unique in its level. */
XXH128_hash_t cs_diff_key_of_actor_name(const struct side *side, uint32_t row);

/*
 * Returns whether two grids are one grid with two names: class and cell size are equal, and most
 * cells of a sample have equal coordinates. If so, the right one gets the name of the left one in
 * grid_names.
 */
bool cs_diff_is_renamed(struct differ *differ, uint32_t left, uint32_t right);
/* Reads coordinates and partition of all cells into side.cells. Renamed grids must be known. */
void cs_diff_read_places(struct differ *differ);
/* Compares all cells. cs_diff_actors must have computed a hash of the actors in each cell. */
void cs_diff_cells(struct differ *differ);
static inline uint64_t cs_diff_hash_guid(const struct cs_guid *guid)
{
	return XXH3_64bits(guid, sizeof(*guid));
}

/* Compares all actors, and stores each cell's sum of actor hashes in side_cell.contents. */
void cs_diff_actors(struct differ *differ);
/*
 * Compares the actor sets of paired actors, adds the differences to the difference rows of these
 * actors, and removes difference rows that have no reason.
 */
void cs_diff_settle_pairs(struct differ *differ);
