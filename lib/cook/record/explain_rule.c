/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines which step of a trail (the steps by which the cook placed an actor) decided, finds an
 * actor in another cook, and finds the first step at which two trails differ.
 */
#include <cellscope/cook.h>

#include "cook/record/trail_inside.h"
#include "core/guid.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether a step of a trail can put an actor into a cell, or keep it out of all cells. */
static bool decides(const struct cs_trail_step *step)
{
	switch (step->rule) {
	case CS_RULE_UNPLACED:
	case CS_RULE_FORCED:
	case CS_RULE_OUTSIDE:
	case CS_RULE_TOP:
		return true;
	case CS_RULE_SPATIAL:
	case CS_RULE_WORLD_STREAMS:
	case CS_RULE_CONTAINER:
		return !step->holds;
	case CS_RULE_SMALL:
	case CS_RULE_PARTITION_ACTORS:
	case CS_RULE_LEVEL:
	case CS_RULE_DEMOTED:
		return step->holds;
	default:
		return false;
	}
}

const char *cs_trail_decision(const struct cs_cooked *cooked, const struct cs_trail *trail)
{
	const struct cs_trail_step *last = NULL;
	for (size_t i = 0; i < trail->n; i++) {
		const struct cs_trail_step *step = &trail->steps[i];
		if (!decides(step))
			continue;
		last = step;
		if (step->rule != CS_RULE_LEVEL && step->rule != CS_RULE_FORCED)
			break;
	}
	return last ? cs_trail_rule(cooked, last) : NULL;
}

/* Returns whether objects of two cooks have the same name; their row numbers may differ. */
static bool same_row(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

static const char *actor_text(const struct cs_cooked *cooked, uint32_t row)
{
	return row == CS_NONE ? NULL : cs_cooked_text(cooked, cs_cooked_actor(cooked, row)->name);
}

struct trail_side {
	const struct cs_cooked *cooked;
	const struct cs_trail *trail;
};

static const char *partition_text(const struct cs_cooked *cooked, uint32_t row)
{
	return row == CS_NONE ? NULL : cs_cooked_text(cooked, cooked->partitions[row].name);
}

static bool same_step(const struct trail_side *left, const struct trail_side *right, size_t i)
{
	const struct cs_trail_step *l = &left->trail->steps[i], *r = &right->trail->steps[i];
	return l->rule == r->rule && l->holds == r->holds && l->level == r->level &&
	       l->value == r->value && l->count == r->count && l->length == r->length &&
	       same_row(actor_text(left->cooked, l->actor), actor_text(right->cooked, r->actor)) &&
	       same_row(partition_text(left->cooked, l->partition),
		       partition_text(right->cooked, r->partition)) &&
	       /*
		* steps of CS_RULE_LAYERS are compared by the layer ids in `value`, not by their
		* cells
		*/
	       (l->rule == CS_RULE_LAYERS || same_row(cs_cooked_cell_name(left->cooked, l->cell),
						     cs_cooked_cell_name(right->cooked, r->cell)));
}

uint32_t cs_same_actor(const struct cs_cooked *from, uint32_t actor, const struct cs_cooked *in)
{
	const struct cs_guid guid = cs_cooked_actor(from, actor)->guid;
	size_t before = 0;
	for (uint32_t i = 0; i < actor; i++)
		before += cs_guid_compare(cs_cooked_actor(from, i)->guid, guid) == 0;
	for (uint32_t i = 0; i < in->n_actors; i++)
		if (cs_guid_compare(cs_cooked_actor(in, i)->guid, guid) == 0 && before-- == 0)
			return i;
	return CS_NONE;
}

static size_t trails_part(const struct trail_side *left, const struct trail_side *right)
{
	size_t i = 0, n = left->trail->n < right->trail->n ? left->trail->n : right->trail->n;
	while (i < n && same_step(left, right, i))
		i++;
	return i;
}

struct cs_error *cs_parting_of_actor(const struct cs_cooked *left, uint32_t left_actor,
	const struct cs_cooked *right, uint32_t right_actor, struct cs_parting *ret)
{
	struct cs_parting parting = {.rule = NULL};
	if (right_actor == CS_NONE)
		right_actor = cs_same_actor(left, left_actor, right);
	if (right_actor == CS_NONE)
		return cs_error_new(CS_E_MISSING,
			"the other cook has no actor with the GUID of '%s', so their placements "
			"cannot be compared",
			cs_cooked_text(left, cs_cooked_actor(left, left_actor)->name));
	struct cs_error *error = cs_explain_actor(left, left_actor, &parting.left);
	if (!error)
		error = cs_explain_actor(right, right_actor, &parting.right);
	if (error) {
		free(parting.left.steps);
		free(parting.right.steps);
		return error;
	}
	parting.step = trails_part(&(struct trail_side){left, &parting.left},
		&(struct trail_side){right, &parting.right});
	if (parting.step < parting.right.n)
		parting.rule = cs_trail_rule(right, &parting.right.steps[parting.step]);
	else if (parting.step < parting.left.n)
		parting.rule = cs_trail_rule(left, &parting.left.steps[parting.step]);
	*ret = parting;
	return NULL;
}
