/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a comparison of two cooks. */
#pragma once

#include <cellscope/cook.h>

#include "core/vec.h"
#include "format/cooked_inside.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * The values of an actor that are compared, so that its rows can be freed. Texts and lists are
 * stored as hashes.
 */
struct actor_brief {
	struct cs_box bounds;
	uint64_t identity, grid, layers, mesh;
	uint32_t row, flags, cell, set, placement;
	uint32_t mesh_row; /* row of meshes, or CS_NONE */
};

/* An actor whose GUID only one side has in its container. */
struct lone_actor {
	struct actor_brief brief;
	XXH128_hash_t by_identity, by_name;
};

/* What is compared of a cell for each of its actors. */
struct side_cell {
	uint64_t contents; /* sum of the hashes of the identities of its actors */
	uint64_t place;    /* hash of its place in its grid */
	uint32_t partition;
};

struct side {
	struct cs_cooked *cooked;
	struct cs_cooked_loop loop; /* pass that lasts */
	/* For each partition, its name, or the name of the left side when it was renamed. */
	const char **grid_names;
	struct side_cell *cells; /* for each cell */
	CS_VEC(struct lone_actor) lone;
};

/* An actor that both sides have. Its sets are compared after all actors were read. */
struct actor_pair {
	size_t row; /* index in the list of differences */
	uint64_t identity;
	uint32_t left_set, right_set;
};

/* Two cells that are the same thing. */
struct cell_pair {
	uint32_t left, right;
};

struct differ {
	struct side left, right;
	CS_VEC(struct cs_diff_row) rows;
	CS_VEC(struct actor_pair) pairs;
	CS_VEC(struct cell_pair) cell_pairs;
	/* Rows of the current table that only one side has, until they are matched by name. */
	CS_VEC(uint32_t) lone_left, lone_right;
	uint32_t *partition_changed; /* for each left partition: whether its settings differ */
	/* For each container, that of the other side, or CS_NONE. */
	uint32_t *right_container, *left_container;
	bool profile_changed;
	bool logged; /* whether both are logs of the engine, all of whose facts are compared */
	bool failed; /* there was no memory */
	struct cs_error *error; /* first error of reading a row */
};

typedef XXH128_hash_t key_of_row(const struct side *side, uint32_t row);
/* Receives a pair of rows; CS_NONE for a side that has none. */
typedef void on_pair(struct differ *d, uint32_t left, uint32_t right);

void cs_diff_report(struct differ *differ, enum cs_diff_kind kind, uint32_t left, uint32_t right,
	uint32_t reasons, const struct cs_field *field);
/* Calls `pair` for every key of either side, over the first rows of both. */
void cs_diff_match(
	struct differ *differ, size_t n_left, size_t n_right, key_of_row *key, on_pair *pair);
/*
 * Matches the rows that were set aside by another key. A match is the same thing with a new
 * identity, and all others were removed or added.
 */
void cs_diff_match_lone(struct differ *differ, key_of_row *key, on_pair *pair);
void cs_diff_set_aside(struct differ *differ, uint32_t left, uint32_t right);
XXH128_hash_t cs_diff_key_of_container(const struct side *side, uint32_t row);
XXH128_hash_t cs_diff_hash_text(const struct cs_cooked *cooked, uint32_t text);
uint32_t cs_diff_one_sided(uint32_t left);
/* Begins a loop over rows of both sides that reads only these fields; NULL reads all fields. */
void cs_diff_begin_pass(
	struct differ *differ, const struct cs_record_byte *fields, size_t n_fields);
/* Ends it, and keeps the error of rows that could not be read. */
void cs_diff_end_pass(struct differ *differ);
/* Frees rows that are no longer needed, where the rows that are read may be far apart. */
static inline void cs_diff_step_apart(const struct side *side)
{
	if (side->loop.passes)
		cs_cooked_pass(side->cooked, CS_PASS_STEP);
}

bool cs_diff_same_text(const struct differ *differ, uint32_t left, uint32_t right);
/*
 * Returns whether a cell of the left side has a grid that was renamed, and one of the right side
 * is in it. They are reported with the grid.
 */
bool cs_diff_of_renamed_grid(const struct differ *differ, uint32_t left, uint32_t right);
bool cs_diff_same_field(const struct differ *differ, const struct cs_field *field, const void *left,
	const void *right);
/* Compares the fields of a row that a log contains beyond those that are compared for every row. */
void cs_diff_compare_logged(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const void *left_row, const void *right_row);
void cs_diff_compare_parents(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const struct cs_guid parents[2]);
/*
 * Returns how much boxes differ: the distance that the corner moved farthest, in cm, or -1 when one
 * is invalid.
 */
double cs_diff_amount(const struct cs_box *left, const struct cs_box *right);
/* Sets the values that follow from a row: whether it is explained, and how much a cell differs. */
void cs_diff_judge(
	const struct cs_cooked *left, const struct cs_cooked *right, struct cs_diff_row *row);
/* Names are unique in a level. */
XXH128_hash_t cs_diff_key_of_actor_name(const struct side *side, uint32_t row);

/*
 * Returns whether two grids are the same under two names: they have one class and cell size, and
 * most cells of a sample are at the same places. The right one then has the name of the left one.
 */
bool cs_diff_is_renamed(struct differ *differ, uint32_t left, uint32_t right);
/* Reads the places and the partitions of all cells, once renamed grids are known. */
void cs_diff_read_places(struct differ *differ);
/* Compares all cells, once their contents are summed up. */
void cs_diff_cells(struct differ *differ);
static inline uint64_t cs_diff_hash_guid(const struct cs_guid *guid)
{
	return XXH3_64bits(guid, sizeof(*guid));
}

/* Compares all actors, and sums up those of each cell. */
void cs_diff_actors(struct differ *differ);
/* Adds the reasons that are in the clusters of pairs, and removes rows without a reason. */
void cs_diff_settle_pairs(struct differ *differ);
