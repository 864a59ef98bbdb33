/* SPDX-License-Identifier: Apache-2.0 */
/* The rule that decided a placement, for code that compares placements. */
#pragma once

#include <cellscope/cook.h>

/* Returns the rule by which the actor got its place, or none; NULL when no step decides. */
const char *cs_trail_decision(const struct cs_cooked *cooked, const struct cs_trail *trail);

/*
 * Returns all of them: those that the cook recorded as lost, then the others by row. Loads the
 * actors; freed by the caller, texts are valid as long as `cooked`.
 */
struct cs_error *cs_cooked_unplaced(
	struct cs_cooked *cooked, struct cs_unplaced **ret, size_t *n_ret) CS_MUST_USE;
/* Of an actor in a cell that is always loaded; CS_ALWAYS_REASONS for any other. */
enum cs_always cs_actor_always(const struct cs_cooked *cooked, uint32_t actor);
/* The number of the rule that a step follows. */
const char *cs_trail_rule(const struct cs_cooked *cooked, const struct cs_trail_step *step);
