/* SPDX-License-Identifier: Apache-2.0 */
/* One comparison at work: the two sides, who is whose, and the rows so far. */
#pragma once

#include "compare/answer.h"
#include "cook/phases/grid_rules.h"

/* The place that the name of a cell tells, whatever the naming of the engine. */
struct cs_cell_place {
	const char *partition;
	size_t length;
	struct cs_cell_coordinates at;
	bool known, level_first;
	uint32_t layers_id; /* of its suffix, 0 = none */
};

struct cs_comparer {
	const struct cs_cooked *ours;
	struct cs_answer theirs;
	uint32_t *cell_theirs;     /* by our cell: theirs, or CS_NONE */
	const char **actor_rule;   /* by our actor: what explains that it moved */
	uint8_t *actor_seen;       /* by our actor: CS_ACTOR_SEEN, CS_ACTOR_DIFFERS */
	struct cs_sort_key *index; /* our actors by instance GUID */
	struct cs_arena arena;
	CS_VEC(struct cs_compare_row) rows;
	size_t compared[CS_COMPARE_KINDS];
	bool failed; /* without memory */
};

/* Of our actor, what the engine tells; AT_HOME is known of all before the others of any. */
enum {
	CS_ACTOR_SEEN = 1,      /* it is told */
	CS_ACTOR_DIFFERS = 2,   /* it is elsewhere */
	CS_ACTOR_AT_HOME = 4,   /* it is told in our cell, whatever else is told of it */
	CS_ACTOR_TOLD_HOME = 8, /* and that has been looked at */
};

/* compare.c: adds a row, whose verdict follows from its rule; and what rows are made of. */
void cs_compare_report(struct cs_comparer *c, struct cs_compare_row row);
const char *cs_our_cell_name(const struct cs_comparer *c, uint32_t cell);
const char *cs_our_actor_name(const struct cs_comparer *c, uint32_t actor);
bool cs_our_cell_streams(const struct cs_comparer *c, uint32_t cell);
const char *cs_rule_that_decided(const struct cs_comparer *c, uint32_t actor);
/* persistent.c */
void cs_compare_persistent(struct cs_comparer *c);
/* hlods.c */
void cs_compare_hlod_actors(struct cs_comparer *c);

/* match.c: cells by GUID, name, package, content, place; the first that holds. False without
 * memory. */
bool cs_match_cells(struct cs_comparer *c);
/* Our actor of that instance GUID, or CS_NONE. */
uint32_t cs_match_actor(const struct cs_comparer *c, struct cs_guid guid);
bool cs_match_index_actors(struct cs_comparer *c);
/* The name of a cell without that of the map; `world` "" = not known. */
const char *cs_name_without_map(const struct cs_comparer *c, const char *name, const char *world);
struct cs_cell_place cs_place_of_name(
	const struct cs_comparer *c, const char *name, const char *world);
bool cs_same_place(const struct cs_cell_place *left, const struct cs_cell_place *right);

/* reasons.c: the rule by which the engine would have put our actor into that cell, or NULL. */
const char *cs_reason_of_move(
	const struct cs_comparer *c, uint32_t actor, const struct cs_answer_cell *theirs);
/* Why cells of one place are called differently. */
const char *cs_reason_of_name(const struct cs_comparer *c, const struct cs_cell_place *ours,
	const struct cs_cell_place *theirs);
/*
 * Between a spatial hash and a hash set: the rule by which the other class gives a cell of ours the
 * box, the GUID that theirs has; NULL where the class is the same, or that gives something else.
 */
bool cs_other_class(const struct cs_comparer *c);
const char *cs_reason_of_box(
	const struct cs_comparer *c, uint32_t cell, const struct cs_answer_cell *theirs);
const char *cs_reason_of_guid(
	const struct cs_comparer *c, uint32_t cell, const struct cs_answer_cell *theirs);
/* Why a layer splits the cell on one side alone. */
const char *cs_reason_of_layers(const struct cs_comparer *c);
/* Why the same actors have other bounds. */
const char *cs_reason_of_content(const struct cs_comparer *c, const struct cs_cooked_cell *ours,
	const struct cs_answer_cell *theirs);
