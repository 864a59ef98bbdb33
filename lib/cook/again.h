/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a cook that takes from one before (cs_recook of cellscope/cook.h): what of it is
 * stale, and what is done in place of a phase.
 *
 * Data model: the base is a cook of the same world before some changes, whole, with all that its
 * phases handed to each other. Views, instances, partitions, layers and grid names of both have the
 * same numbers. A view is *stale* when its cluster or what decides about it may differ; stale are
 * always whole clusters, of the base and of this cook.
 * Invariant: what is not stale is the same in both, but for the numbers of sets, cells, findings
 * and texts.
 */
#ifndef COOK_AGAIN_H
#define COOK_AGAIN_H

#include "cook/cook_internal.h"

/* An actor that differs, and what it was. */
struct cs_changed_actor {
	uint32_t actor; /* world actors */
	uint32_t view;  /* views, or CS_NONE when the base does without it */
	const struct cs_actor_row *before;
};

struct cs_again {
	const struct cs_cook *base;
	const struct cs_cooked_actor *rows; /* of the base */
	CS_VEC(struct cs_changed_actor) changed;
	CS_VEC(uint32_t) views; /* of those that changed, ascending */
	bool grids, parents;    /* some changed their runtime grid; their parent or kind */
	bool links, lists;      /* their references; the lists that they have rows of */
	bool whole;             /* every set is placed again */
	bool *stale;            /* by view, from the clusters on; NULL before, and when all are */
	bool *refused;          /* set when it has to be cooked in full */
};

void cs_again_free(struct cs_again *again);

/* Whether the sets of a cluster are taken from the base. */
static inline bool cs_again_has(const struct cs_cook *cook, uint32_t cluster)
{
	const struct cs_again *again = cook->again;
	return again && again->stale &&
	       !again->stale[cook->clusters.views[cook->clusters.starts[cluster]]];
}

/* A cook of a world, by the rules of options, that keeps all or takes from another. */
struct cs_error *cs_cook_keeping(const struct cs_world *world,
	const struct cs_cook_options *options, const struct cs_job *job,
	struct cs_cook **ret) CS_MUST_USE;
/* Takes `again` over. */
struct cs_error *cs_cook_again(
	struct cs_again *again, const struct cs_job *job, struct cs_cook **ret) CS_MUST_USE;

/* What is done in place of the phases of these names. */
struct cs_error *cs_again_views(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_again_edges(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_again_clusters(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_again_instances(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_again_place(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_again_cells(struct cs_cook *cook) CS_MUST_USE;
struct cs_error *cs_again_standalones(struct cs_cook *cook) CS_MUST_USE;

/* Puts the sets and cells of the base that are not stale beside those of the cook (join.c). */
struct cs_error *cs_join_sets(struct cs_cook *cook) CS_MUST_USE;
/* Puts what the base found and dropped there among what the cook did. */
struct cs_error *cs_join_findings(struct cs_cook *cook) CS_MUST_USE;

#endif
