/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the trail of an actor: why the actor is in its cell, as one step for each rule, with the
 * rule's inputs and result. The cooked file contains the decisions, but not the levels that were
 * tried: these are found by placing the set again with the functions that the cook uses
 * (cs_lhgrid_try, cs_spatial_grid_try).
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "cook/placement/grids.h"
#include "cook/record/trail_inside.h"
#include "core/geometry.h"
#include "core/guid.h"
#include "core/search.h"
#include "core/vec.h"
#include "format/check_numbers.h"
#include "format/cooked_inside.h"

#include <stdlib.h>
#include <string.h>

struct explainer {
	const struct cs_cooked *cooked;
	uint32_t row;
	const struct cs_cooked_actor *actor;
	const struct cs_cooked_set *set; /* NULL if the actor is in no set */
	const struct cs_cooked_partition *partition;
	CS_VEC(struct cs_trail_step) steps;
	bool failed;
	struct cs_trail_step lost; /* dummy step, returned when memory runs out */
	bool walks; /* whether to walk the set's references, for CS_RULE_TRY_WITHOUT */
};

/* Adds a rule to the trail, and whether it holds. The caller sets other members that it uses. */
static struct cs_trail_step *explain_add(struct explainer *explainer, enum cs_rule rule, bool holds)
{
	struct cs_trail_step step = {.rule = rule,
		.holds = holds,
		.actor = CS_NONE,
		.partition = CS_NONE,
		.cell = CS_NONE,
		.finding = CS_NONE};
	if (!cs_vec_push(&explainer->steps, step)) {
		explainer->failed = true;
		return &explainer->lost;
	}
	return &explainer->steps.at[explainer->steps.n - 1];
}

/* ---- repairs by validation ---- */

/*
 * Returns whether a finding is about the actor in one instance. All other findings are about a
 * level, and refer to actor rows of the level's first instance.
 */
static bool is_of_one_instance(const struct cs_cooked_finding *finding)
{
	return finding->repair == CS_REPAIR_KEEP_FILTERED ||
	       finding->repair == CS_REPAIR_NO_HLOD_LAYER;
}

/* Returns the actor's row in the first instance of its level; findings refer to that row. */
static uint32_t canonical_row(const struct cs_cooked *cooked, uint32_t row)
{
	const struct cs_cooked_container *own =
		&cooked->containers[cs_cooked_actor(cooked, row)->container];
	for (size_t i = 0; i < cooked->n_containers; i++)
		if (cooked->containers[i].package == own->package &&
			cs_guid_compare(
				cooked->containers[i].content_bundle, own->content_bundle) == 0)
			return cooked->containers[i].actors.first + row - own->actors.first;
	return row;
}

/* Returns whether a finding's repair changed the actor. Forcing the value that it had does not. */
static bool changes(
	const struct cs_cooked *cooked, uint32_t row, const struct cs_cooked_finding *finding)
{
	const uint32_t flags = cs_cooked_actor(cooked, row)->flags;
	switch (finding->repair) {
	case CS_REPAIR_NONE:
		return false;
	case CS_REPAIR_NON_SPATIAL:
		return flags & CS_ACTOR_FORCED_NONSPATIAL;
	case CS_REPAIR_NO_LAYERS:
		return flags & CS_ACTOR_FORCED_NO_LAYERS;
	case CS_REPAIR_NO_GRID:
		return finding->check == CS_CHECK_INVALID_GRID || flags & CS_ACTOR_FORCED_NO_GRID;
	default:
		return true;
	}
}

static uint32_t finding_of(const struct cs_cooked *cooked, uint32_t row, enum cs_repair repair)
{
	uint32_t first = canonical_row(cooked, row);
	for (uint32_t i = 0; i < cooked->n_findings; i++) {
		const struct cs_cooked_finding *finding = &cooked->findings[i];
		uint32_t about = is_of_one_instance(finding) ? row : first;
		bool touches = finding->actor == about || finding->other == about;
		if (touches && (repair == CS_REPAIR_NONE || finding->repair == (uint32_t)repair) &&
			changes(cooked, row, finding))
			return i;
	}
	return CS_NONE;
}

static bool is_apart(const struct cs_cooked_actor *actor)
{
	return actor->placement == CS_UNPLACED_EDITOR_ONLY || actor->flags & CS_ACTOR_CONTAINER;
}

/*
 * Returns the attach parent whose values replace those of the actor, or CS_NONE: an editor-only
 * actor or level instance takes no values from its parent, and gives none to its children.
 */
static uint32_t explain_parent_of(const struct cs_cooked *cooked, uint32_t row)
{
	uint32_t parent = cs_cooked_actor(cooked, row)->parent;
	return parent == CS_NONE || is_apart(cs_cooked_actor(cooked, row)) ||
			       is_apart(cs_cooked_actor(cooked, parent))
		       ? CS_NONE
		       : parent;
}

/*
 * Returns the CS_REPAIR_NO_GRID finding of the nearest enclosing level instance that has one, or
 * CS_NONE, always so for another `repair`.
 */
static uint32_t finding_around(const struct cs_cooked *cooked, uint32_t row, enum cs_repair repair)
{
	uint32_t at = cs_cooked_actor(cooked, row)->container, found = CS_NONE;
	if (repair != CS_REPAIR_NONE && repair != CS_REPAIR_NO_GRID)
		return CS_NONE;
	for (; at != CS_NONE && found == CS_NONE; at = cooked->containers[at].parent)
		if (cooked->containers[at].actor != CS_NONE)
			found = finding_of(cooked, cooked->containers[at].actor, CS_REPAIR_NO_GRID);
	return found;
}

static size_t explain_dropped(
	const struct cs_cooked *cooked, uint32_t actor, uint32_t *findings, size_t room)
{
	uint32_t row = canonical_row(cooked, actor);
	size_t n = 0;
	for (uint32_t i = 0; i < cooked->n_findings; i++) {
		const struct cs_cooked_finding *finding = &cooked->findings[i];
		if (finding->repair != CS_REPAIR_DROP_REFERENCE ||
			(finding->actor != row && finding->other != row))
			continue;
		if (n < room)
			findings[n] = i;
		n++;
	}
	return n;
}

size_t cs_explain_repair(const struct cs_cooked *cooked, uint32_t actor, uint32_t repair,
	uint32_t *findings, size_t room)
{
	uint32_t at = actor, found = CS_NONE;
	if (repair == CS_REPAIR_DROP_REFERENCE)
		return explain_dropped(cooked, actor, findings, room);
	/* searches the attach parents; `steps` ends a cycle of parents */
	for (size_t steps = 0; at != CS_NONE && found == CS_NONE && steps < cooked->n_actors;
		steps++) {
		found = finding_of(cooked, at, repair);
		at = explain_parent_of(cooked, at);
	}
	if (found == CS_NONE)
		found = finding_around(cooked, actor, repair);
	size_t n = 0;
	for (; found != CS_NONE; found = cooked->findings[found].cause) {
		if (n < room)
			findings[n] = found;
		n++;
	}
	return n;
}

/* Adds a step for each data layer that the actor names but the world lacks; cooks ignore these. */
static void explain_lost_layers(struct explainer *explainer)
{
	uint32_t row = canonical_row(explainer->cooked, explainer->row);
	for (uint32_t i = 0; i < explainer->cooked->n_findings; i++)
		if (explainer->cooked->findings[i].check == CS_CHECK_UNKNOWN_LAYER &&
			explainer->cooked->findings[i].actor == row)
			explain_add(explainer, CS_RULE_LOST_LAYER, false)->finding = i;
}

static void explain_repairs(struct explainer *explainer)
{
	static const enum cs_repair repairs[] = {
		CS_REPAIR_NON_SPATIAL, CS_REPAIR_NO_LAYERS, CS_REPAIR_NO_GRID};
	for (size_t i = 0; i < sizeof(repairs) / sizeof(repairs[0]); i++) {
		uint32_t finding;
		if (!cs_explain_repair(explainer->cooked, explainer->row, repairs[i], &finding, 1))
			continue;
		struct cs_trail_step *step = explain_add(explainer, CS_RULE_FORCED, true);
		step->finding = finding;
		step->value = repairs[i];
	}
}

/* ---- why an actor is spatial or not ---- */

static uint32_t topmost_parent(const struct cs_cooked *cooked, uint32_t row)
{
	size_t steps = 0;
	while (explain_parent_of(cooked, row) != CS_NONE && steps++ < cooked->n_actors)
		row = explain_parent_of(cooked, row);
	return row;
}

/* Returns the innermost enclosing level instance that is not spatial, or CS_NONE. */
static uint32_t nonspatial_container(
	const struct cs_cooked *cooked, const struct cs_cooked_actor *actor)
{
	for (uint32_t at = actor->container; at != CS_NONE; at = cooked->containers[at].parent) {
		uint32_t row = cooked->containers[at].actor;
		if (row != CS_NONE && !(cs_cooked_actor(cooked, row)->flags & CS_ACTOR_OWN_SPATIAL))
			return row;
	}
	return CS_NONE;
}

enum cs_always cs_actor_always(const struct cs_cooked *cooked, uint32_t row)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	if (actor->cell == CS_NONE ||
		!(cs_cooked_cell_flags(cooked, actor->cell) & CS_CELL_ALWAYS_LOADED))
		return CS_ALWAYS_REASONS;
	const uint32_t top = topmost_parent(cooked, row);
	if (!(cooked->world->flags & CS_WORLD_STREAMING))
		return CS_ALWAYS_WORLD;
	if (actor->flags & CS_ACTOR_SPATIAL)
		return actor->placement == CS_PLACED_NO_BOUNDS ? CS_ALWAYS_BOUNDS : CS_ALWAYS_OTHER;
	if (!(cs_cooked_actor(cooked, top)->flags & CS_ACTOR_OWN_SPATIAL))
		return top == row ? CS_ALWAYS_OWN : CS_ALWAYS_INHERITED;
	if (!(actor->flags & CS_ACTOR_FORCED_NONSPATIAL) ||
		nonspatial_container(cooked, actor) != CS_NONE)
		return CS_ALWAYS_INHERITED;
	return actor->flags & CS_ACTOR_BY_SCRIPT ? CS_ALWAYS_SCRIPT : CS_ALWAYS_REFERENCE;
}

static void explain_spatial(struct explainer *explainer)
{
	const struct cs_cooked *cooked = explainer->cooked;
	uint32_t top = topmost_parent(cooked, explainer->row);
	explain_add(explainer, CS_RULE_WORLD_STREAMS, cooked->world->flags & CS_WORLD_STREAMING);
	explain_add(explainer, CS_RULE_OWN_SPATIAL, explainer->actor->flags & CS_ACTOR_OWN_SPATIAL);
	if (explainer->actor->parent != CS_NONE &&
		explain_parent_of(cooked, explainer->row) == CS_NONE) {
		struct cs_trail_step *step = explain_add(explainer, CS_RULE_PARENT, true);
		step->actor = explainer->actor->parent;
		step->value = 1;
	}
	if (top != explainer->row) {
		bool spatial = cs_cooked_actor(cooked, top)->flags & CS_ACTOR_OWN_SPATIAL;
		explain_add(explainer, CS_RULE_PARENT, spatial)->actor = top;
	}
	if (cooked->containers[explainer->actor->container].parent != CS_NONE) {
		uint32_t around = nonspatial_container(cooked, explainer->actor);
		explain_add(explainer, CS_RULE_CONTAINER, around == CS_NONE)->actor = around;
	}
	explain_repairs(explainer);
	explain_add(explainer, CS_RULE_SPATIAL, explainer->actor->flags & CS_ACTOR_SPATIAL);
}

/* ---- the grid and level of an actor ---- */

static bool explain_all_partition_actors(
	const struct cs_cooked *cooked, const struct cs_cooked_set *set)
{
	for (uint32_t i = 0; i < set->members.count; i++) {
		uint32_t row = cs_cooked_id(cooked, CS_IDS_SET_MEMBERS, set->members.first + i);
		if (!(cs_cooked_actor(cooked, row)->flags & CS_ACTOR_PARTITION_ACTOR))
			return false;
	}
	return true;
}

/* Settings of a partition that determine the level of a set, and what its actors are. */
struct placing_rules {
	bool aligned, small, partition, all_partition_actors;
};

static struct placing_rules placing_rules_of(const struct explainer *explainer)
{
	const uint32_t flags = explainer->partition->flags;
	return (struct placing_rules){flags & CS_PARTITION_ALIGNED,
		flags & CS_PARTITION_SMALL_BY_LOCATION, flags & CS_PARTITION_PARTITION_ACTORS,
		explain_all_partition_actors(explainer->cooked, explainer->set)};
}

/* Places a box again with the function that the cook used, and records the levels tried. */
static struct cs_cell_coordinates explain_place(const struct explainer *explainer,
	const struct placing_rules *by, const struct cs_box *box, struct cs_grid_trials *trials)
{
	const struct cs_cooked_partition *partition = explainer->partition;
	if (partition->partition_class == CS_PARTITION_LHGRID) {
		const struct cs_lhgrid grid = {partition->cell_size, partition->origin,
			partition->flags & CS_PARTITION_2D,
			partition->flags & CS_PARTITION_DEMOTION};
		return cs_lhgrid_try(&grid, box, NULL, trials);
	}
	const struct cs_spatial_grid grid = cs_spatial_grid_make(partition->cell_size,
		partition->origin.x, partition->origin.y, by->aligned, &partition->bounds);
	const struct cs_spatial_rules rules = {by->small, by->partition};
	uint32_t placement;
	return cs_spatial_grid_try(
		&grid, &rules, box, true, by->all_partition_actors, &placement, trials);
}

static void explain_trials(struct explainer *explainer, const struct cs_grid_trials *trials)
{
	for (size_t i = 0; i < trials->n; i++) {
		struct cs_trail_step *step =
			explain_add(explainer, CS_RULE_LEVEL, trials->at[i].holds);
		step->level = trials->at[i].level;
		step->length = trials->at[i].cell_size;
		step->count = trials->at[i].cells;
	}
}

static void explain_lhgrid(struct explainer *explainer, const struct cs_grid_trials *trials)
{
	const struct cs_cooked_partition *partition = explainer->partition;
	explain_trials(explainer, trials);
	if (!(partition->flags & CS_PARTITION_DEMOTION) || explainer->set->first_level == 0)
		return;
	struct cs_trail_step *step = explain_add(
		explainer, CS_RULE_DEMOTED, explainer->set->placement == CS_PLACED_DEMOTED);
	step->level = explainer->set->first_level - 1;
	step->length = partition->cell_size / 4;
}

/* Explains why a box is in the top cell: adds the number of cells it touches on the level below. */
static void explain_top(struct explainer *explainer, const struct cs_grid_trials *trials)
{
	struct cs_trail_step *step = explain_add(explainer, CS_RULE_TOP, true);
	step->level = trials->levels - 2;
	for (size_t i = 0; i < trials->n; i++)
		if (trials->at[i].level == step->level && !trials->at[i].holds)
			step->count = trials->at[i].cells;
}

static void explain_spatial_grid(struct explainer *explainer, const struct cs_grid_trials *trials)
{
	const struct cs_cooked_partition *partition = explainer->partition;
	if (partition->flags & CS_PARTITION_SMALL_BY_LOCATION)
		explain_add(explainer, CS_RULE_SMALL, trials->small)->length = trials->area;
	if (!trials->small && partition->flags & CS_PARTITION_PARTITION_ACTORS)
		explain_add(explainer, CS_RULE_PARTITION_ACTORS, trials->partition);
	if (explainer->set->placement == CS_PLACED_OUTSIDE) {
		explain_add(explainer, CS_RULE_OUTSIDE, true);
		return;
	}
	explain_trials(explainer, trials);
	const bool held = trials->n > 0 && trials->at[trials->n - 1].holds;
	if (!held || explainer->set->level + 1 == trials->levels)
		explain_top(explainer, trials);
}

/* ---- changes that would place the actor on a lower level ---- */

static void suggest(struct explainer *explainer, enum cs_rule rule, int32_t level, uint32_t actor)
{
	if (level >= explainer->set->level)
		return;
	struct cs_trail_step *step = explain_add(explainer, rule, true);
	step->level = level;
	step->actor = actor;
}

/* The actors that stay together with the explained actor when others leave its set. */
struct remainder {
	struct cs_box box;
	bool partition_actors; /* whether all of them are partition actors */
	/* whether each has by its own settings what it has in the set: it streams, in this grid */
	bool unchanged;
};

static void remain(const struct explainer *explainer, uint32_t row, struct remainder *ret)
{
	const struct cs_cooked *cooked = explainer->cooked;
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	ret->box = cs_box_union(&ret->box, &actor->bounds);
	ret->partition_actors = ret->partition_actors && actor->flags & CS_ACTOR_PARTITION_ACTOR;
	ret->unchanged = ret->unchanged && actor->flags & CS_ACTOR_OWN_SPATIAL &&
			 strcmp(cs_cooked_text(cooked, actor->grid),
				 cs_cooked_text(cooked, actor->effective_grid)) == 0;
}

/* Returns the member with this row. Returns false if there is none, as in a damaged file. */
static bool find_member(const struct cs_actor_cluster *cluster, uint32_t row, uint32_t *ret)
{
	*ret = (uint32_t)cs_lower_bound(0, cluster->n_members, i, cluster->members[i] < row);
	return *ret < cluster->n_members && cluster->members[*ret] == row;
}

/* Finds what remains of the set when `left_out` has no edges. Returns false if memory runs out. */
static bool find_remainder(
	const struct explainer *explainer, uint32_t left_out, struct remainder *ret)
{
	struct cs_actor_cluster cluster = {0};
	struct cs_error *error = cs_cluster_of_actor(explainer->cooked, explainer->row, &cluster);
	uint32_t *roots = error ? NULL : malloc(cluster.n_members * sizeof(*roots));
	*ret = (struct remainder){CS_BOX_INVALID, true, true};
	for (uint32_t i = 0; roots && i < cluster.n_members; i++)
		roots[i] = i;
	for (size_t e = 0; roots && e < cluster.n_edges; e++) {
		const struct cs_cluster_edge *edge = &cluster.edges[e];
		uint32_t from, to;
		if (edge->from != left_out && edge->to != left_out &&
			find_member(&cluster, edge->from, &from) &&
			find_member(&cluster, edge->to, &to))
			cs_join_roots(roots, from, to);
	}
	uint32_t own;
	const bool is_member = roots && find_member(&cluster, explainer->row, &own);
	for (uint32_t i = 0; is_member && i < cluster.n_members; i++)
		if (cs_find_root(roots, i) == cs_find_root(roots, own))
			remain(explainer, cluster.members[i], ret);
	const bool good = roots;
	free(roots);
	free(cluster.members);
	free(cluster.edges);
	cs_error_free(error);
	return good;
}

/*
 * Suggests the level of the actor without the edges of the largest actor of the set or, if it is
 * the largest itself, without its own. Where other rules would place what remains, because a grid
 * or a parent of the set is gone with the edges, nothing is suggested.
 */
static void explain_without(
	struct explainer *explainer, struct placing_rules rules, uint32_t largest)
{
	struct remainder left;
	if (!find_remainder(explainer, largest, &left)) {
		explainer->failed = true;
		return;
	}
	rules.all_partition_actors = left.partition_actors;
	if (cs_box_valid(&left.box) && left.unchanged)
		suggest(explainer, CS_RULE_TRY_WITHOUT,
			explain_place(explainer, &rules, &left.box, NULL).level,
			largest == explainer->row ? CS_NONE : largest);
}

static void explain_alternatives(struct explainer *explainer)
{
	const struct cs_cooked_partition *partition = explainer->partition;
	const struct cs_box *box = &explainer->set->bounds;
	const struct placing_rules now = placing_rules_of(explainer);
	struct placing_rules other = now;
	if (partition->partition_class == CS_PARTITION_SPATIAL_GRID) {
		other.aligned = false;
		if (now.aligned)
			suggest(explainer, CS_RULE_TRY_NON_ALIGNED,
				explain_place(explainer, &other, box, NULL).level, CS_NONE);
		other = now;
		other.small = true;
		if (!now.small)
			suggest(explainer, CS_RULE_TRY_SMALL,
				explain_place(explainer, &other, box, NULL).level, CS_NONE);
		other = now;
		other.partition = true;
		if (!now.partition)
			suggest(explainer, CS_RULE_TRY_PARTITION,
				explain_place(explainer, &other, box, NULL).level, CS_NONE);
	}
	if (explainer->walks && explainer->set->members.count > 1 &&
		explainer->set->largest != CS_NONE)
		explain_without(explainer, now, explainer->set->largest);
}

/* ---- making the trail of an actor ---- */

static void explain_placing(struct explainer *explainer)
{
	const struct placing_rules rules = placing_rules_of(explainer);
	const bool lhgrid = explainer->partition->partition_class == CS_PARTITION_LHGRID;
	struct cs_grid_trials trials;
	if (!lhgrid && explainer->partition->partition_class != CS_PARTITION_SPATIAL_GRID)
		return;
	explain_place(explainer, &rules, &explainer->set->bounds, &trials);
	if (lhgrid)
		explain_lhgrid(explainer, &trials);
	else
		explain_spatial_grid(explainer, &trials);
}

static void explain_set(struct explainer *explainer)
{
	const struct cs_cooked *cooked = explainer->cooked;
	struct cs_trail_step *step =
		explain_add(explainer, CS_RULE_CLUSTER, explainer->set->members.count > 1);
	step->count = explainer->set->members.count;
	step->actor = explainer->set->largest;
	bool bounded = cs_box_valid(&explainer->set->bounds);
	step = explain_add(explainer, CS_RULE_BOUNDS, bounded);
	const bool flat = explainer->partition && cs_partition_is_flat(explainer->partition);
	step->length = bounded ? cs_longest_extent(&explainer->set->bounds, flat) : 0;
	step->value = flat;
	bool named = *cs_cooked_text(cooked, explainer->actor->effective_grid) != '\0';
	explain_add(explainer, CS_RULE_GRID, named)->partition = explainer->set->partition;
	bool spatial = explainer->actor->flags & CS_ACTOR_SPATIAL;
	/* the engine placed a logged world's cells, so cellscope's rules would not explain them */
	bool placed = explainer->partition && spatial && bounded &&
		      !(cooked->world->flags & CS_WORLD_LOGGED);
	if (placed)
		explain_placing(explainer);
	if (explainer->set->cell != CS_NONE) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(cooked, explainer->set->cell);
		step = explain_add(explainer, CS_RULE_LAYERS, cell->layers.count > 0);
		step->count = cell->layers.count;
		step->value = cell->layers_id;
		step->cell = explainer->set->cell;
		if (!cs_guid_is_zero(cell->content_bundle))
			explain_add(explainer, CS_RULE_BUNDLE, true)->cell = explainer->set->cell;
		step = explain_add(explainer, CS_RULE_CELL, cell->flags & CS_CELL_ALWAYS_LOADED);
		step->cell = explainer->set->cell;
		step->value = cs_actor_always(cooked, explainer->row);
	}
	if (placed && (explainer->partition->partition_class == CS_PARTITION_LHGRID ||
			      explainer->partition->partition_class == CS_PARTITION_SPATIAL_GRID))
		explain_alternatives(explainer);
}

/* ---- numbers of rules ---- */

struct rule_numbers {
	/* number of the rule (cs_rulebook) in a world with a hash set, and with a spatial hash */
	const char *set, *spatial;
};

static const struct rule_numbers of_steps[] = {
	[CS_RULE_UNPLACED] = {"1.3", "1.3"},
	[CS_RULE_WORLD_STREAMS] = {"1.2", "1.2"},
	[CS_RULE_OWN_SPATIAL] = {"1.2", "1.2"},
	[CS_RULE_PARENT] = {"1.3.2", "1.3.2"},
	[CS_RULE_CONTAINER] = {"1.3.1", "1.3.1"},
	[CS_RULE_FORCED] = {"1.4", "1.4"},
	[CS_RULE_SPATIAL] = {"1.6.6", "1.7.4"},
	[CS_RULE_CLUSTER] = {"1.5", "1.5"},
	[CS_RULE_BOUNDS] = {"1.5", "1.5"},
	[CS_RULE_GRID] = {"1.6.2", "1.7.1"},
	[CS_RULE_SMALL] = {"1.7.4", "1.7.4"},
	[CS_RULE_PARTITION_ACTORS] = {"1.7.4", "1.7.4"},
	[CS_RULE_LEVEL] = {"1.6.4", "1.7.4"},
	[CS_RULE_DEMOTED] = {"1.6.4.7", "1.6.4.7"},
	[CS_RULE_OUTSIDE] = {"1.7.4", "1.7.4"},
	[CS_RULE_TOP] = {"1.7.4", "1.7.4"},
	[CS_RULE_LOST_LAYER] = {"1.2.4", "1.2.4"},
	[CS_RULE_LAYERS] = {"1.6.6", "1.6.6"},
	[CS_RULE_BUNDLE] = {"1.6.6", "1.6.6"},
	[CS_RULE_CELL] = {"1.6.5", "1.7.5"},
	[CS_RULE_TRY_NON_ALIGNED] = {"1.7.1", "1.7.1"},
	[CS_RULE_TRY_SMALL] = {"1.7.1", "1.7.1"},
	[CS_RULE_TRY_PARTITION] = {"1.7.1", "1.7.1"},
	[CS_RULE_TRY_WITHOUT] = {"1.5", "1.5"},
};

/* Returns the rule of a finding; data layers and external data layers have a rule each. */
const char *cs_finding_rule(const struct cs_cooked_finding *finding)
{
	bool external = finding->check == CS_CHECK_REFERENCE_LAYERS &&
			finding->repair == CS_REPAIR_DROP_REFERENCE;
	return external ? "1.4.V3e" : cs_word(CS_WORDS_CHECK, finding->check)->rule;
}

const char *cs_trail_rule(const struct cs_cooked *cooked, const struct cs_trail_step *step)
{
	if (step->rule == CS_RULE_FORCED && step->finding != CS_NONE)
		return cs_finding_rule(&cooked->findings[step->finding]);
	const struct rule_numbers *numbers = &of_steps[step->rule];
	return cooked->world->hash_class == CS_HASH_SPATIAL ? numbers->spatial : numbers->set;
}

struct cs_error *cs_explain_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_trail *ret)
{
	return cs_explain_placement(cooked, actor, true, ret);
}

struct cs_error *cs_explain_placement(
	const struct cs_cooked *cooked, uint32_t actor, bool walks, struct cs_trail *ret)
{
	struct explainer explainer = {.cooked = cooked,
		.row = actor,
		.actor = cs_cooked_actor(cooked, actor),
		.walks = walks};
	if (explainer.actor->set != CS_NONE)
		explainer.set = cs_cooked_set(cooked, explainer.actor->set);
	if (explainer.set && explainer.set->partition != CS_NONE)
		explainer.partition = &cooked->partitions[explainer.set->partition];
	if (explainer.actor->placement >= CS_UNPLACED_EDITOR_ONLY)
		explain_add(&explainer, CS_RULE_UNPLACED, false)->value =
			cs_told_placement(cooked, actor);
	if (explainer.set) {
		explain_spatial(&explainer);
		explain_lost_layers(&explainer);
		explain_set(&explainer);
	}
	if (explainer.failed) {
		cs_vec_free(&explainer.steps);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < explainer.steps.n; i++)
		explainer.steps.at[i].number = cs_trail_rule(cooked, &explainer.steps.at[i]);
	*ret = (struct cs_trail){explainer.steps.at, explainer.steps.n};
	return NULL;
}
