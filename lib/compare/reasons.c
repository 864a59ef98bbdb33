/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the rule that explains a difference from the engine's cook. A rule explains a difference
 * only if applying it as another engine version does gives exactly the engine's result.
 */
#include "compare/compare_internal.h"

#include "cook/placement/grids.h"
#include "cook/record/trail_inside.h"
#include "core/guid.h"
#include "core/identity.h"
#include "format/cooked_inside.h"

#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- rules that explain why an actor is in another cell ---- */

static bool same_coordinates(struct cs_cell_coordinates l, struct cs_cell_coordinates r, bool flat)
{
	return l.x == r.x && l.y == r.y && l.level == r.level && (flat || l.z == r.z);
}

/*
 * Returns whether rule 1.6.4.7 explains the engine's cell `at`: from 5.7 on an actor set may be
 * placed one level finer than in our cook.
 */
static bool is_demotion(const struct cs_cooked_partition *partition,
	const struct cs_cooked_set *set, struct cs_cell_coordinates at)
{
	const struct cs_lhgrid grid = {
		.cell_size = partition->cell_size,
		.origin = partition->origin,
		.is_2d = (partition->flags & CS_PARTITION_2D) != 0,
		.quarter_demotion = !(partition->flags & CS_PARTITION_DEMOTION),
	};
	const struct cs_cell_coordinates ours = {set->x, set->y, set->z, set->level};
	return partition->partition_class == CS_PARTITION_LHGRID && cs_box_valid(&set->bounds) &&
	       !same_coordinates(ours, at, grid.is_2d) &&
	       same_coordinates(cs_lhgrid_place(&grid, &set->bounds, NULL), at, grid.is_2d);
}

/* Returns whether changing a spatial hash option (rule 1.7.1) would put the actor on `level`. */
static bool is_option(const struct cs_comparer *comparer, uint32_t actor, int level)
{
	struct cs_trail trail;
	struct cs_error *error = cs_explain_placement(comparer->ours, actor, false, &trail);
	bool found = false;
	for (size_t i = 0; !error && i < trail.n; i++) {
		enum cs_rule rule = trail.steps[i].rule;
		found |= trail.steps[i].level == level &&
			 (rule == CS_RULE_TRY_NON_ALIGNED || rule == CS_RULE_TRY_SMALL ||
				 rule == CS_RULE_TRY_PARTITION);
	}
	if (!error)
		free(trail.steps);
	cs_error_free(error);
	return found;
}

const char *cs_reason_of_move(
	const struct cs_comparer *comparer, uint32_t actor, const struct cs_answer_cell *theirs)
{
	const struct cs_cooked_actor *cooked_actor = cs_cooked_actor(comparer->ours, actor);
	const struct cs_cell_place place =
		cs_place_of_name(comparer, theirs->name, comparer->theirs.world);
	if (!place.known || cooked_actor->cell == CS_NONE)
		return NULL;
	const struct cs_cooked_cell *cell = cs_cooked_cell(comparer->ours, cooked_actor->cell);
	if (!(cell->flags & CS_CELL_SPATIAL) && place.at.level == -1)
		/* neither cook places the actor by its bounds: only the partition differs */
		return "1.6.3.7";
	if (!(cell->flags & CS_CELL_SPATIAL) || cooked_actor->set == CS_NONE)
		return NULL;
	const struct cs_cooked_partition *partition = &comparer->ours->partitions[cell->partition];
	if (is_demotion(partition, cs_cooked_set(comparer->ours, cooked_actor->set), place.at))
		return "1.6.4.7";
	bool grid = partition->partition_class == CS_PARTITION_SPATIAL_GRID;
	return grid && is_option(comparer, actor, place.at.level) ? "1.7.1" : NULL;
}

/* ---- rules that explain the name of a cell ---- */

const char *cs_reason_of_name(const struct cs_comparer *comparer, const struct cs_cell_place *ours,
	const struct cs_cell_place *theirs)
{
	if (!cs_same_place(ours, theirs) || ours->level_first == theirs->level_first)
		return NULL;
	return comparer->ours->world->hash_class == CS_HASH_SPATIAL ? "1.7.5" : "1.6.5";
}

/* ---- rules that explain differences between a spatial hash and a hash set ---- */

bool cs_other_class(const struct cs_comparer *comparer)
{
	return comparer->theirs.cooked &&
	       comparer->theirs.hash_class != comparer->ours->world->hash_class;
}

static bool begins_at(const struct cs_box *box, double x, double y, double size)
{
	static const double near = 0.01;
	return fabs(box->min.x - x) < near && fabs(box->min.y - y) < near &&
	       fabs(box->max.x - x - size) < near && fabs(box->max.y - y - size) < near;
}

/*
 * Returns the number of the rule that explains why a cell has another box in the engine's cook, or
 * NULL: a hash set puts a corner of cell 0 at the origin, a spatial hash grid centres cell 0 of odd
 * levels on the origin (rule 1.7.2).
 */
const char *cs_reason_of_box(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs)
{
	const struct cs_cooked_cell *ours = cs_cooked_cell(comparer->ours, cell);
	const struct cs_cooked_partition *partition = &comparer->ours->partitions[ours->partition];
	const struct cs_cell_place place =
		cs_place_of_name(comparer, theirs->name, comparer->theirs.world);
	if (!cs_other_class(comparer) || !place.known || !cs_box_valid(&theirs->box))
		return NULL;
	double size = partition->cell_size * exp2(place.at.level);
	double x = (double)place.at.x * size, y = (double)place.at.y * size;
	bool set = comparer->theirs.hash_class == CS_HASH_SET;
	if (begins_at(&theirs->box, x, y, size))
		return set ? "1.6.4" : "1.7.2";
	return !set && begins_at(&theirs->box, x - size / 2, y - size / 2, size) ? "1.7.2" : NULL;
}

static bool is_guid_of_set(const struct cs_comparer *comparer,
	const struct cs_cooked_partition *partition, const struct cs_answer_cell *theirs,
	uint32_t layers_id)
{
	char desc[300], layers[16];
	snprintf(desc, sizeof(desc), "%s",
		cs_name_without_map(comparer, theirs->name, comparer->theirs.world));
	snprintf(layers, sizeof(layers), "_d%08X", layers_id);
	char *suffix = layers_id ? strstr(desc, layers) : NULL;
	if (suffix)
		*suffix = '\0';
	const struct cs_guid guid = cs_identity_of_set(&(struct cs_identity_set){
		.desc = desc,
		.layers_id = layers_id,
		.partition = cs_cooked_text(comparer->ours, partition->name),
		.hlod_index = partition->hlod_index,
		.cell_size = (int32_t)partition->cell_size,
	});
	return cs_guid_compare(guid, theirs->guid) == 0;
}

static bool is_guid_of_grid(const struct cs_comparer *comparer,
	const struct cs_cooked_partition *partition, const struct cs_answer_cell *theirs,
	const struct cs_cell_place *place)
{
	struct cs_identity_spatial cell = {
		.grid = cs_cooked_text(comparer->ours, partition->name),
		.x = place->at.x,
		.y = place->at.y,
		.level = place->at.level,
		.layers_id = place->layers_id,
		.cell_size = (int32_t)partition->cell_size,
	};
	struct cs_guid plain = cs_identity_of_spatial(&cell);
	cell.sized = true;
	return cs_guid_compare(plain, theirs->guid) == 0 ||
	       cs_guid_compare(cs_identity_of_spatial(&cell), theirs->guid) == 0;
}

const char *cs_reason_of_guid(
	const struct cs_comparer *comparer, uint32_t cell, const struct cs_answer_cell *theirs)
{
	const struct cs_cooked_partition *partition =
		&comparer->ours->partitions[cs_cooked_cell(comparer->ours, cell)->partition];
	const struct cs_cell_place place =
		cs_place_of_name(comparer, theirs->name, comparer->theirs.world);
	if (!cs_other_class(comparer) || !place.known || !(partition->cell_size < INT32_MAX))
		return NULL;
	if (comparer->theirs.hash_class == CS_HASH_SPATIAL)
		return is_guid_of_grid(comparer, partition, theirs, &place) ? "1.7.5" : NULL;
	return is_guid_of_set(comparer, partition, theirs, place.layers_id) ? "1.6.5" : NULL;
}

/*
 * Returns rule 4.3 if our cook was made from a log without data layers, so its cells are not split
 * by data layers; otherwise NULL.
 */
const char *cs_reason_of_layers(const struct cs_comparer *comparer)
{
	const char *source = cs_cooked_text(comparer->ours, comparer->ours->world->source);
	return strcmp(source, "log") == 0 && comparer->ours->n_layers == 0 ? "4.3" : NULL;
}

static bool is_clipped(
	const struct cs_box *whole, const struct cs_box *cell, const struct cs_box *part)
{
	static const double near = 0.01; /* tolerance in cm: logs have three decimals */
	return cs_box_valid(cell) && fabs(fmax(whole->min.x, cell->min.x) - part->min.x) < near &&
	       fabs(fmin(whole->max.x, cell->max.x) - part->max.x) < near &&
	       fabs(fmax(whole->min.y, cell->min.y) - part->min.y) < near &&
	       fabs(fmin(whole->max.y, cell->max.y) - part->max.y) < near;
}

/*
 * Returns whether the cell has an actor in a rotated level instance. A log states a larger box for
 * such an actor.
 */
static bool has_turned_actor(const struct cs_comparer *comparer, const struct cs_cooked_cell *cell)
{
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t actor =
			cs_cooked_id(comparer->ours, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		uint32_t container = cs_cooked_actor(comparer->ours, actor)->container;
		const struct cs_transform *t = &comparer->ours->containers[container].transform;
		if (t->rotation.x != 0 || t->rotation.y != 0 || t->rotation.z != 0)
			return true;
	}
	return false;
}

const char *cs_reason_of_content(const struct cs_comparer *comparer,
	const struct cs_cooked_cell *ours, const struct cs_answer_cell *theirs)
{
	if (is_clipped(&ours->content, &theirs->box, &theirs->content) ||
		is_clipped(&theirs->content, &ours->box, &ours->content))
		return "1.6.7";
	const char *source = cs_cooked_text(comparer->ours, comparer->ours->world->source);
	return strcmp(source, "log") == 0 && has_turned_actor(comparer, ours) ? "4.3" : NULL;
}
