/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns which actors are in no cell, and why: what the cook recorded as lost (drops), and actors
 * whose placement says that they stay out.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "cook/record/trail_inside.h"
#include "core/vec.h"
#include "format/cooked_inside.h"

#include <stdlib.h>

struct listing {
	const struct cs_cooked *cooked;
	/* the first container, and the first drop of a filter, that may be about the next row; both
	 * are in the order of their actors */
	size_t container, drop;
	CS_VEC(struct cs_unplaced) rows;
};

/* Adds a row for each member of a dropped set, or one row for the actors of a level. */
static bool add_drop(struct listing *listing, const struct cs_cooked_drop *drop)
{
	const struct cs_cooked *cooked = listing->cooked;
	struct cs_unplaced row = {drop->actor, drop->actors, cs_cooked_text(cooked, drop->reason),
		cs_cooked_text(cooked, drop->detail), true};
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
 * Returns the filter that left an actor out, the package of the level that streams in place of a
 * level instance, or the level instance around an actor of the main world only; "" for none.
 */
static const char *unplaced_detail_of(struct listing *listing, uint32_t row)
{
	const struct cs_cooked *cooked = listing->cooked;
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
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
	const uint32_t around = cooked->containers[actor->container].actor;
	return actor->placement == CS_UNPLACED_NOT_MAIN && around != CS_NONE
		       ? cs_cooked_actor_title(cooked, around)
		       : "";
}

struct cs_error *cs_cooked_unplaced(
	struct cs_cooked *cooked, struct cs_unplaced **ret, size_t *n_ret)
{
	struct listing listing = {.cooked = cooked};
	struct cs_error *error = cs_cooked_load_actors(cooked);
	if (error)
		return error;
	bool good = true;
	for (size_t i = 0; good && i < cooked->n_drops; i++)
		good = cooked->drops[i].actors == 0 || add_drop(&listing, &cooked->drops[i]);
	for (uint32_t i = 0; good && i < cooked->n_actors; i++) {
		const enum cs_placement placement =
			(enum cs_placement)cs_cooked_actor(cooked, i)->placement;
		const char *reason = cs_word(CS_WORDS_PLACEMENT, placement)->help;
		if (cs_cooked_actor(cooked, i)->cell != CS_NONE || !reason ||
			placement == CS_UNPLACED_DROPPED)
			continue;
		good = cs_vec_push(&listing.rows,
			(struct cs_unplaced){i, 1, reason, unplaced_detail_of(&listing, i), false});
	}
	if (!good) {
		cs_vec_free(&listing.rows);
		return cs_error_nomem();
	}
	*ret = listing.rows.at;
	*n_ret = listing.rows.n;
	return NULL;
}
