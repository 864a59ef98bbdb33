/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison of two cooks while it goes on. */
#pragma once

#include <cellscope/cook.h>

#include "core/vec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * What is compared of an actor, so that its rows are not needed any more. Texts and what lists name
 * are hashes.
 */
struct actor_brief {
	struct cs_box bounds;
	uint64_t identity, grid, layers, mesh;
	uint32_t row, flags, cell, set, placement;
	uint32_t mesh_row; /* meshes, CS_NONE */
};

/* An actor whose GUID only one side has in its container. */
struct lone_actor {
	struct actor_brief brief;
	XXH128_hash_t by_identity, by_name;
};

/* Of a cell or a set, as one number each; sums of hashes. */
struct side_sums {
	uint64_t *cells;          /* by cell: the identities of its actors */
	uint64_t *sets;           /* by set: those of its members */
	uint64_t *set_references; /* what the members reference */
};

struct side {
	struct cs_cooked *c;
	/* by partition: its name, that of the left side where it was renamed */
	const char **grid_names;
	struct side_sums sums;
	CS_VEC(struct lone_actor) lone;
};

/* An actor that both sides have, whose sets are compared when their sums are whole. */
struct actor_pair {
	size_t row; /* of the differences */
	uint64_t identity;
	uint32_t left_set, right_set;
};

struct differ {
	struct side left, right;
	CS_VEC(struct cs_diff_row) rows;
	CS_VEC(struct actor_pair) pairs;
	/* rows of the table being matched that only one side has, until they are looked up by name
	 */
	CS_VEC(uint32_t) lone_left, lone_right;
	uint32_t *partition_changed; /* by left partition: its settings differ */
	/* by container: that of the other side, CS_NONE */
	uint32_t *right_container, *left_container;
	bool profile_changed;
	bool logged; /* both are logs as they were written: all that they say is compared */
	bool failed;
};

typedef XXH128_hash_t key_of_row(const struct side *side, uint32_t row);
/* CS_NONE where a side lacks it. */
typedef void on_pair(struct differ *d, uint32_t left, uint32_t right);

void cs_diff_report(struct differ *d, enum cs_diff_kind kind, uint32_t left, uint32_t right,
	uint32_t reasons, const struct cs_field *field);
/* Calls `pair` for every key of either side, of the first rows of both. */
void cs_diff_match(struct differ *d, size_t n_left, size_t n_right, key_of_row *key, on_pair *pair);
/*
 * What was set aside, by another key: the same thing under a new identity is a pair, the rest is
 * gone or new.
 */
void cs_diff_match_lone(struct differ *d, key_of_row *key, on_pair *pair);
void cs_diff_set_aside(struct differ *d, uint32_t left, uint32_t right);
XXH128_hash_t cs_diff_key_of_container(const struct side *side, uint32_t row);
XXH128_hash_t cs_diff_hash_text(const struct cs_cooked *c, uint32_t text);
uint32_t cs_diff_one_sided(uint32_t left);
/* Cells at one place of a grid that has two names: told with the grid. */
bool cs_diff_of_renamed_grid(
	const struct differ *d, const struct cs_cooked_cell *l, const struct cs_cooked_cell *r);
bool cs_diff_same_field(
	const struct differ *d, const struct cs_field *field, const void *left, const void *right);
/* The fields that a log says of a row, beyond what is compared of any row. */
void cs_diff_compare_logged(struct differ *d, enum cs_diff_kind kind, uint16_t table, uint32_t left,
	uint32_t right, const void *left_row, const void *right_row);
void cs_diff_compare_parents(struct differ *d, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const struct cs_guid parents[2]);
/* By how much boxes differ: the way of the corner that went farthest, -1 where one is invalid. */
double cs_diff_amount(const struct cs_box *left, const struct cs_box *right);
/* Fills in what a row says of itself: whether it is explained, by how much a cell differs. */
void cs_diff_judge(
	const struct cs_cooked *left, const struct cs_cooked *right, struct cs_diff_row *row);
/* Names are unique in a level. */
XXH128_hash_t cs_diff_key_of_actor_name(const struct side *side, uint32_t row);

/* Room for the sums; false without memory. */
bool cs_diff_begin_sums(struct side *side);
void cs_diff_end_side(struct side *side);
/* Compares all actors, and sums those of cells. */
struct cs_error *cs_diff_actors(struct differ *d) CS_MUST_USE;
