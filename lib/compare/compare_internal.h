/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a comparison: the two sides, the pairs, and the rows so far. */
#pragma once

#include "compare/answer.h"
#include "cook/phases/grid_rules.h"

/* The place of a cell by its name, in any naming scheme of the engine. */
struct cs_cell_place {
	const char *partition;
	size_t length;
	struct cs_cell_coordinates at;
	bool known, level_first;
	uint32_t layers_id; /* id of the layers in the suffix of the name, 0 = none */
};

struct cs_comparer {
	const struct cs_cooked *ours;
	struct cs_answer theirs;
	uint32_t *cell_theirs; /* for each of our cells, the engine's cell, or CS_NONE */
	/* for each of our actors, the rule that explains why the engine puts it elsewhere */
	const char **actor_rule;
	uint8_t *actor_seen;       /* for each of our actors, bits CS_ACTOR_SEEN ... */
	struct cs_sort_key *index; /* our actors by instance GUID */
	struct cs_arena arena;
	CS_VEC(struct cs_compare_row) rows;
	size_t compared[CS_COMPARE_KINDS];
	bool failed; /* an allocation failed */
};

/*
 * What the engine lists about one of our actors. AT_HOME is set for all actors before the other
 * bits.
 */
enum {
	CS_ACTOR_SEEN = 1,      /* the engine lists the actor */
	CS_ACTOR_DIFFERS = 2,   /* the engine lists the actor in another cell */
	CS_ACTOR_AT_HOME = 4,   /* the engine lists the actor in our cell, and perhaps in others */
	CS_ACTOR_TOLD_HOME = 8, /* the comparison has visited the listing in our cell */
};

/* compare.c: adds a row, whose verdict follows from its rule; makes texts of rows. */
void cs_compare_report(struct cs_comparer *comparer, struct cs_compare_row row);
const char *cs_our_cell_name(const struct cs_comparer *comparer, uint32_t cell);
const char *cs_our_actor_name(const struct cs_comparer *comparer, uint32_t actor);
bool cs_our_cell_streams(const struct cs_comparer *comparer, uint32_t cell);
const char *cs_rule_that_decided(const struct cs_comparer *comparer, uint32_t actor);
/* persistent.c */
void cs_compare_persistent(struct cs_comparer *comparer);
/* hlods.c */
void cs_compare_hlod_actors(struct cs_comparer *comparer);

/*
 * match.c: pairs cells by GUID, name, package, content, place, in this order. False without memory.
 */
bool cs_match_cells(struct cs_comparer *comparer);
/* Returns our actor with that instance GUID, or CS_NONE. */
uint32_t cs_match_actor(const struct cs_comparer *comparer, struct cs_guid guid);
bool cs_match_index_actors(struct cs_comparer *comparer);
/* Returns the name of a cell without the name of its map at the front; `world` "" = unknown. */
const char *cs_name_without_map(
	const struct cs_comparer *comparer, const char *name, const char *world);
struct cs_cell_place cs_place_of_name(
	const struct cs_comparer *comparer, const char *name, const char *world);
bool cs_same_place(const struct cs_cell_place *left, const struct cs_cell_place *right);

/* reasons.c: returns the rule by which the engine would put our actor into that cell, or NULL. */
const char *cs_reason_of_move(
	const struct cs_comparer *comparer, uint32_t actor, const struct cs_answer_cell *theirs);
/* Returns why cells at one place have different names. */
const char *cs_reason_of_name(const struct cs_comparer *comparer, const struct cs_cell_place *ours,
	const struct cs_cell_place *theirs);
/* Returns whether one side is a spatial hash and the other a hash set. */
bool cs_other_class(const struct cs_comparer *comparer);
/*
 * Return the rule by which the other class of hash gives our cell the engine's box or GUID; NULL
 * when the class is the same, or gives another result.
 */
const char *cs_reason_of_box(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs);
const char *cs_reason_of_guid(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs);
/* Returns why a data layer splits the cell on one side only. */
const char *cs_reason_of_layers(const struct cs_comparer *comparer);
/* Returns why the same actors have other bounds. */
const char *cs_reason_of_content(const struct cs_comparer *comparer,
	const struct cs_cooked_cell *ours, const struct cs_answer_cell *theirs);
