/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on trails (why an actor is in its cell), for counting and comparing placements. */
#pragma once

#include <cellscope/cook.h>

/*
 * Explains an actor as cs_explain_actor does, but without CS_RULE_TRY_WITHOUT unless `walks`,
 * because that step takes time in proportion to the references of the actor's set.
 */
struct cs_error *cs_explain_placement(const struct cs_cooked *cooked, uint32_t actor, bool walks,
	struct cs_trail *ret) CS_MUST_USE;
/* Returns the number of the rule that decided the actor's cell, or that it has none; or NULL. */
const char *cs_trail_decision(const struct cs_cooked *cooked, const struct cs_trail *trail);

/*
 * Lists the actors that are in no cell: first those that the cook recorded as lost (drops), then
 * the others by row. Reads all actors in one pass. The caller frees the list; its texts are valid
 * as long as `cooked`.
 */
struct cs_error *cs_cooked_unplaced(
	struct cs_cooked *cooked, struct cs_unplaced **ret, size_t *n_ret) CS_MUST_USE;
/* Returns an actor's placement, CS_UNPLACED_CIRCULAR for a level instance inside its own level. */
enum cs_placement cs_told_placement(const struct cs_cooked *cooked, uint32_t row);
/* Returns the name or value that keeps the actor out of cells (e.g. a filter's layer), or "". */
const char *cs_unplaced_detail(const struct cs_cooked *cooked, const struct cs_unplaced *row);
/* Returns why the cell of an actor is always loaded, or CS_ALWAYS_REASONS if it is not. */
enum cs_always cs_actor_always(const struct cs_cooked *cooked, uint32_t actor);
/* Returns the number of the rule that a step applies (see cs_rulebook_find). */
const char *cs_trail_rule(const struct cs_cooked *cooked, const struct cs_trail_step *step);
/* Returns the row of the actor in another cook, found as by cs_parting_of_actor, or CS_NONE. */
uint32_t cs_same_actor(const struct cs_cooked *from, uint32_t actor, const struct cs_cooked *in);
