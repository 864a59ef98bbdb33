/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for changes. Each of the finders looks for one kind of what is out of the ordinary in
 * the cook as it is, and adds candidates: a subject, why, the changes, and what they promise. Those
 * that promise most are tried; of one group, all remedies of one trouble, the best is told.
 */
#ifndef WHATIF_SUGGEST_H
#define WHATIF_SUGGEST_H

#include "whatif/whatif_internal.h"

#include "base/arena.h"
#include "base/vec.h"

/* More changes than that are no suggestion but work for a script. */
enum { CS_MOST_CHANGES = 32 };

/* What a group is about; with a row of its table it is unique. */
enum cs_group {
	CS_GROUP_SET,
	CS_GROUP_ALWAYS,
	CS_GROUP_CLASS,
	CS_GROUP_BOUNDS,
	CS_GROUP_LAYERS,
	CS_GROUP_MISMATCH,
	CS_GROUP_GRID,
	CS_GROUP_PARTITION,
	CS_GROUP_HLOD,
	CS_GROUP_ORPHAN,
	CS_GROUP_OPTION,
};

struct cs_candidate {
	struct cs_suggestion told; /* gain and after: once tried */
	double promise;
	double least; /* gain below which it is not told; 0 = that of the options */
	uint64_t group;
	uint32_t number; /* in the order of finding */
};

struct cs_hunt {
	struct cs_whatif *whatif;
	const struct cs_cooked *c; /* the cook as it is, with actors and details */
	struct cs_arena arena;
	CS_VEC(struct cs_candidate) candidates;
	struct cs_whatif_counts before;
	/* of the candidate that is being made */
	struct cs_candidate draft;
	const char *changes[CS_MOST_CHANGES];
	bool too_many; /* changes */
	bool failed;   /* no memory */
};

/* Texts are kept in the arena. A candidate without changes, or with too many, is not added. */
void cs_hunt_begin(struct cs_hunt *hunt, enum cs_suggest_kind kind, enum cs_group group,
	uint32_t row, double promise);
void cs_hunt_subject(struct cs_hunt *hunt, const char *subject);
void cs_hunt_why(struct cs_hunt *hunt, const char *rule, const char *format, ...) CS_PRINTF(3, 4);
void cs_hunt_change(struct cs_hunt *hunt, const char *format, ...) CS_PRINTF(2, 3);
void cs_hunt_end(struct cs_hunt *hunt);

/* Label or name of an actor, for people; and what names it in a change, which may be its GUID. */
const char *cs_hunt_title(const struct cs_hunt *hunt, uint32_t actor);
const char *cs_hunt_key(struct cs_hunt *hunt, uint32_t actor);
/* Share of the places at which a box is within the range of a partition. */
double cs_hunt_near(const struct cs_hunt *hunt, const struct cs_box *box, uint32_t partition);
/* Longest side in X and Y, 0 for a box that is none. */
double cs_hunt_length(const struct cs_box *box);
/* Median length of the actors of the same class with bounds, itself left out; 0 for none. */
double cs_hunt_class_length(const struct cs_hunt *hunt, uint32_t actor);
bool cs_hunt_same_class(const struct cs_hunt *hunt, uint32_t left, uint32_t right);

/* suggest_clusters.c: what is held together and should not be */
void cs_hunt_clusters(struct cs_hunt *hunt);
/* suggest_actors.c */
void cs_hunt_always(struct cs_hunt *hunt);
void cs_hunt_bounds(struct cs_hunt *hunt);
void cs_hunt_orphans(struct cs_hunt *hunt);
/* suggest_settings.c */
void cs_hunt_mismatches(struct cs_hunt *hunt);
void cs_hunt_grids(struct cs_hunt *hunt);
void cs_hunt_layers(struct cs_hunt *hunt);
void cs_hunt_partitions(struct cs_hunt *hunt);
void cs_hunt_hlods(struct cs_hunt *hunt);
void cs_hunt_options(struct cs_hunt *hunt);

#endif
