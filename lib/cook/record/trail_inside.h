/* SPDX-License-Identifier: Apache-2.0 */
/* The rule that decided a placement, for who compares placements. */
#ifndef COOK_RECORD_TRAIL_INSIDE_H
#define COOK_RECORD_TRAIL_INSIDE_H

#include <cellscope/cook.h>

/* The rule by which the actor came to its place, or to none; NULL when no step decides. */
const char *cs_trail_decision(const struct cs_cooked *cooked, const struct cs_trail *trail);

#endif
