/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a comparison of our cook (`ours`) with the engine's (`theirs`). */
#pragma once

#include "compare/answer.h"
#include "cook/phases/grid_rules.h"

/* Grid and coordinates of a cell, parsed from its name in any naming scheme of the engine. */
struct cs_cell_place {
	const char *partition;
	size_t length;
	struct cs_cell_coordinates at;
	bool known, level_first;
	uint32_t layers_id; /* id of the data layer set at the end of the cell name, 0 = none */
};

struct cs_comparer {
	const struct cs_cooked *ours;
	struct cs_answer theirs;
	/* for each of our cells, index of the paired cell in theirs.cells, or CS_NONE */
	uint32_t *cell_theirs;
	/* for each of our actors, the rule why the engine has it in another cell, or NULL */
	const char **actor_rule;
	uint8_t *actor_seen;       /* for each of our actors, CS_ACTOR_ bits (see below) */
	struct cs_sort_key *index; /* actors of our cook, sorted by instance GUID */
	struct cs_arena arena;
	CS_VEC(struct cs_compare_row) rows;
	size_t compared[CS_COMPARE_KINDS];
	bool failed; /* an allocation failed */
};

/* Bits: where the engine's cook lists an actor of ours. Pass 1 sets AT_HOME, pass 2 the others. */
enum {
	CS_ACTOR_SEEN = 1,    /* the engine lists the actor in some cell */
	CS_ACTOR_DIFFERS = 2, /* the engine lists the actor only in another cell than ours */
	/* the engine lists the actor in the cell paired with ours, and perhaps in others */
	CS_ACTOR_AT_HOME = 4,
	/* compare_actor() has handled the actor in the cell paired with ours */
	CS_ACTOR_TOLD_HOME = 8,
};

/*
 * compare.c: adds a row to the comparison. Sets its verdict to CS_COMPARE_BY_RULE if it names a
 * rule, else to CS_COMPARE_UNEXPLAINED, but keeps CS_COMPARE_STALE.
 */
void cs_compare_report(struct cs_comparer *comparer, struct cs_compare_row row);
/* Returns a copy that lives as long as the comparison; "" and `failed` when memory runs out. */
const char *cs_compare_text(struct cs_comparer *comparer, const char *text, size_t length);
const char *cs_our_cell_name(const struct cs_comparer *comparer, uint32_t cell);
const char *cs_our_actor_name(const struct cs_comparer *comparer, uint32_t actor);
bool cs_our_cell_streams(const struct cs_comparer *comparer, uint32_t cell);
const char *cs_rule_that_decided(const struct cs_comparer *comparer, uint32_t actor);
/* persistent.c: compares the actors of the persistent level. */
void cs_compare_persistent(struct cs_comparer *comparer);
/* hlods.c: compares the actors and data layers of HLOD actors with those of their source cells. */
void cs_compare_hlod_actors(struct cs_comparer *comparer);

/* match.c: pairs cells by GUID, name, package, actors and coordinates, in this order. */
bool cs_match_cells(struct cs_comparer *comparer);
/* Returns the row of our actor with this instance GUID, or CS_NONE. */
uint32_t cs_match_actor(const struct cs_comparer *comparer, struct cs_guid guid);
bool cs_match_index_actors(struct cs_comparer *comparer);
/* Returns a cell's name without the map's name `world` at its start ("": the map is unknown). */
const char *cs_name_without_map(
	const struct cs_comparer *comparer, const char *name, const char *world);
struct cs_cell_place cs_place_of_name(
	const struct cs_comparer *comparer, const char *name, const char *world);
bool cs_same_place(const struct cs_cell_place *left, const struct cs_cell_place *right);

/*
 * reasons.c: returns the number of the rule, such as "1.7.1", by which our actor would be in the
 * other cook's cell `theirs`; NULL if no rule explains this.
 */
const char *cs_reason_of_move(
	const struct cs_comparer *comparer, uint32_t actor, const struct cs_answer_cell *theirs);
/* Returns the number of the rule that names cells at the same coordinates differently, or NULL. */
const char *cs_reason_of_name(const struct cs_comparer *comparer, const struct cs_cell_place *ours,
	const struct cs_cell_place *theirs);
/* Returns whether one cook uses a spatial hash and the other a hash set. */
bool cs_other_class(const struct cs_comparer *comparer);
/*
 * Return the rule that explains the box or GUID of `theirs` by the class of hash (spatial hash or
 * hash set) of the engine's cook. NULL when our cook uses the same class, or when the rule gives
 * another box or GUID.
 */
const char *cs_reason_of_box(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs);
const char *cs_reason_of_guid(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs);
/* Returns the rule by which data layers split a cell in only one of the cooks, or NULL. */
const char *cs_reason_of_layers(const struct cs_comparer *comparer);
/* Returns the rule that gives cells with the same actors different content bounds, or NULL. */
const char *cs_reason_of_content(const struct cs_comparer *comparer,
	const struct cs_cooked_cell *ours, const struct cs_answer_cell *theirs);
