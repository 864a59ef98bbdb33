/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the actors that are in no cell, and why: the cook dropped them, or their placement keeps
 * them out of the cells.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "cook/record/trail_inside.h"
#include "core/search.h"
#include "core/vec.h"
#include "format/check_numbers.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

enum cs_placement cs_told_placement(const struct cs_cooked *cooked, uint32_t row)
{
	const enum cs_placement placement =
		(enum cs_placement)cs_cooked_actor(cooked, row)->placement;
	if (placement != CS_UNPLACED_CONTAINER)
		return placement;
	const size_t inside =
		cs_lower_bound(0, cooked->n_containers, i, cooked->containers[i].actor + 1 <= row);
	if (inside < cooked->n_containers && cooked->containers[inside].actor == row)
		return placement;
	/* only an instance inside the level that it loads has this finding and this placement */
	for (size_t i = 0; i < cooked->n_findings; i++)
		if (cooked->findings[i].actor == row &&
			cooked->findings[i].check == CS_CHECK_LEVEL_INSTANCE)
			return CS_UNPLACED_CIRCULAR;
	return placement;
}

struct listing {
	const struct cs_cooked *cooked;
	/* indices of the first container and the first drop of this actor or a later one */
	size_t container, drop;
	CS_VEC(struct cs_unplaced) rows;
};

/* Adds a row for each actor of a dropped set; other drops get one row with the number of actors. */
static bool add_drop(struct listing *listing, const struct cs_cooked_drop *drop)
{
	const struct cs_cooked *cooked = listing->cooked;
	struct cs_unplaced row = {drop->actor, drop->actors, cs_cooked_text(cooked, drop->reason),
		cs_cooked_text(cooked, drop->detail), CS_NONE, true};
	const struct cs_cooked_actor *actor =
		drop->actor == CS_NONE ? NULL : cs_cooked_actor(cooked, drop->actor);
	if (!actor || actor->placement != CS_UNPLACED_DROPPED || actor->set == CS_NONE)
		return cs_vec_push(&listing->rows, row);
	const struct cs_range members = cs_cooked_set(cooked, actor->set)->members;
	for (uint32_t i = 0; i < members.count; i++) {
		row.actor = cs_cooked_id(cooked, CS_IDS_SET_MEMBERS, members.first + i);
		if (!cs_vec_push(&listing->rows, row))
			return false;
	}
	return true;
}

/*
 * Returns the name in the actor filter that excludes the actor; for a level instance, the package
 * of the level that streams in its place; "" if there is neither.
 */
static const char *unplaced_detail_of(struct listing *listing, uint32_t row)
{
	const struct cs_cooked *cooked = listing->cooked;
	while (listing->drop < cooked->n_drops &&
		(cooked->drops[listing->drop].actors || cooked->drops[listing->drop].actor < row))
		listing->drop++;
	if (listing->drop < cooked->n_drops && cooked->drops[listing->drop].actor == row)
		return cs_cooked_text(cooked, cooked->drops[listing->drop].detail);
	while (listing->container < cooked->n_containers &&
		(cooked->containers[listing->container].actor == CS_NONE ||
			cooked->containers[listing->container].actor < row))
		listing->container++;
	if (listing->container < cooked->n_containers &&
		cooked->containers[listing->container].actor == row)
		return cs_cooked_text(cooked, cooked->containers[listing->container].package);
	return "";
}

/* Lists the actor if its placement keeps it out of the cells; false = no memory. */
static bool add_unplaced(struct listing *listing, uint32_t row)
{
	const struct cs_cooked *cooked = listing->cooked;
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	const char *reason = cs_word(CS_WORDS_PLACEMENT, actor->placement)->help;
	if (actor->cell != CS_NONE || !reason || actor->placement == CS_UNPLACED_DROPPED)
		return true;
	struct cs_unplaced unplaced = {
		row, 1, reason, unplaced_detail_of(listing, row), CS_NONE, false};
	if (actor->placement == CS_UNPLACED_CONTAINER && !*unplaced.detail)
		unplaced.reason = cs_word(CS_WORDS_PLACEMENT, cs_told_placement(cooked, row))->help;
	if (actor->placement == CS_UNPLACED_NOT_MAIN && !*unplaced.detail)
		unplaced.around = cooked->containers[actor->container].actor;
	return cs_vec_push(&listing->rows, unplaced);
}

const char *cs_unplaced_detail(const struct cs_cooked *cooked, const struct cs_unplaced *row)
{
	return row->around == CS_NONE ? row->detail : cs_cooked_actor_title(cooked, row->around);
}

struct cs_error *cs_cooked_unplaced(
	struct cs_cooked *cooked, struct cs_unplaced **ret, size_t *n_ret)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, placement)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, cell)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, container)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, set)},
		{CS_TABLE_SETS, offsetof(struct cs_cooked_set, members)}};
	struct listing listing = {.cooked = cooked};
	const struct cs_cooked_loop loop = cs_cooked_loop(cooked, fields, CS_COUNT_OF(fields));
	bool good = true;
	for (size_t i = 0; good && i < cooked->n_drops; i++) {
		good = cooked->drops[i].actors == 0 || add_drop(&listing, &cooked->drops[i]);
		cs_cooked_loop_step(&loop, i);
	}
	for (uint32_t i = 0; good && i < cooked->n_actors; i++) {
		good = add_unplaced(&listing, i);
		cs_cooked_loop_step(&loop, i);
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (!error && !good)
		error = cs_error_nomem();
	return cs_vec_give(&listing.rows, error, ret, n_ret);
}
