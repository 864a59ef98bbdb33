/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: sets whose members would load less often alone. What a set wastes is the share of places at
 * which it is in memory less the mean of that over its members, times the members. Remedies: the
 * bridge that parts it best, all references that are longer than a cell, the references of the
 * member that is far larger than the others, and that member's bounds where they are out of line.
 */
#include "whatif/suggest.h"

#include <cellscope/explain.h>

#include "base/sort.h"

#include <math.h>
#include <stdio.h>

enum { SETS = 24, BRIDGES = 3 };

struct waste {
	double actors;
	uint32_t set;
};

static int most_first(const void *left, const void *right, void *context)
{
	const struct waste *l = left, *r = right;
	(void)context;
	if (l->actors != r->actors)
		return l->actors > r->actors ? -1 : 1;
	return l->set < r->set ? -1 : l->set > r->set;
}

static double waste_of(const struct cs_hunt *hunt, const struct cs_cooked_set *set)
{
	const struct cs_cooked *c = hunt->c;
	const uint32_t most = 64; /* members that are looked at */
	uint32_t n = set->members.count < most ? set->members.count : most;
	double alone = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t member = c->set_members[set->members.first +
						 (uint32_t)((uint64_t)i * set->members.count / n)];
		alone += cs_hunt_near(hunt, &c->actors[member].bounds, set->partition);
	}
	return set->members.count * cs_hunt_near(hunt, &set->bounds, set->partition) -
	       alone * set->members.count / n;
}

static bool is_loose(const struct cs_cooked *c, const struct cs_cooked_set *set)
{
	return set->members.count > 1 && set->partition != CS_NONE && set->cell != CS_NONE &&
	       c->cells[set->cell].flags & CS_CELL_SPATIAL && set->level > 0;
}

/* ---- cutting ---- */

static double gap(double low, double high, double other_low, double other_high)
{
	return fmax(0, fmax(other_low - high, low - other_high));
}

static double distance(const struct cs_box *left, const struct cs_box *right)
{
	if (!cs_box_valid(left) || !cs_box_valid(right))
		return 0;
	return hypot(gap(left->min.x, left->max.x, right->min.x, right->max.x),
		gap(left->min.y, left->max.y, right->min.y, right->max.y));
}

static void cut(struct cs_hunt *hunt, const struct cs_cluster_edge *edge)
{
	if (edge->attachment)
		cs_hunt_change(hunt, "actor.%s.parent=", cs_hunt_key(hunt, edge->to));
	else
		cs_hunt_change(hunt, "actor.%s.references-=%s", cs_hunt_key(hunt, edge->from),
			cs_hunt_key(hunt, edge->to));
}

static void name_edge(struct cs_hunt *hunt, const struct cs_cluster_edge *edge)
{
	char text[400];
	snprintf(text, sizeof(text), "%.190s -> %.190s", cs_hunt_title(hunt, edge->from),
		cs_hunt_title(hunt, edge->to));
	cs_hunt_subject(hunt, text);
}

static void suggest_bridges(
	struct cs_hunt *hunt, const struct cs_actor_cluster *cluster, const struct waste *waste)
{
	struct cs_cluster_cut *cuts = NULL;
	size_t n = 0;
	struct cs_error *error = cs_cluster_cuts(hunt->c, cluster, &cuts, &n);
	hunt->failed = hunt->failed || error;
	cs_error_free(error);
	for (size_t i = 0; !hunt->failed && i < n && i < BRIDGES; i++) {
		const struct cs_cluster_edge *edge = &cluster->edges[cuts[i].edge];
		cs_hunt_begin(hunt, CS_SUGGEST_CUT, CS_GROUP_SET, waste->set, waste->actors / 2);
		name_edge(hunt, edge);
		cs_hunt_why(hunt, "1.5",
			"it holds %u actors and %u others together, as far apart as %.0f m",
			cuts[i].left, cuts[i].right,
			cs_hunt_length(&hunt->c->sets[waste->set].bounds) / 100);
		cut(hunt, edge);
		cs_hunt_end(hunt);
	}
	free(cuts);
}

static void suggest_long_edges(
	struct cs_hunt *hunt, const struct cs_actor_cluster *cluster, const struct waste *waste)
{
	const struct cs_cooked *c = hunt->c;
	const struct cs_cooked_set *set = &c->sets[waste->set];
	const double cell_size = c->partitions[set->partition].cell_size;
	const struct cs_cluster_edge *first = NULL;
	uint32_t n = 0;
	cs_hunt_begin(hunt, CS_SUGGEST_CUT, CS_GROUP_SET, waste->set, waste->actors);
	for (size_t i = 0; i < cluster->n_edges; i++) {
		const struct cs_cluster_edge *edge = &cluster->edges[i];
		if (distance(&c->actors[edge->from].bounds, &c->actors[edge->to].bounds) <=
			cell_size)
			continue;
		first = first ? first : edge;
		n++;
		cut(hunt, edge);
	}
	if (!first)
		return;
	name_edge(hunt, first);
	cs_hunt_why(hunt, "1.5", "%u reference%s longer than a cell hold%s %u actors together", n,
		n == 1 ? "" : "s", n == 1 ? "s" : "", set->members.count);
	cs_hunt_end(hunt);
}

/* ---- the largest member ---- */

static double median_length(const struct cs_hunt *hunt, const struct cs_cooked_set *set)
{
	uint32_t small = 0, n = set->members.count;
	const uint32_t *rows = hunt->c->set_members + set->members.first;
	for (uint32_t i = 0; i < n; i++) {
		double length = cs_hunt_length(&hunt->c->actors[rows[i]].bounds);
		small = 0;
		for (uint32_t k = 0; k < n; k++)
			small += cs_hunt_length(&hunt->c->actors[rows[k]].bounds) < length;
		if (small == n / 2)
			return length;
	}
	return 0;
}

static void suggest_without(
	struct cs_hunt *hunt, const struct cs_actor_cluster *cluster, const struct waste *waste)
{
	const struct cs_cooked *c = hunt->c;
	const struct cs_cooked_set *set = &c->sets[waste->set];
	const uint32_t largest = set->largest;
	double length = cs_hunt_length(&c->actors[largest].bounds);
	if (set->members.count > 4096 || length < 4 * median_length(hunt, set))
		return;
	cs_hunt_begin(hunt, CS_SUGGEST_OVERSIZED, CS_GROUP_SET, waste->set, waste->actors);
	cs_hunt_subject(hunt, cs_hunt_title(hunt, largest));
	cs_hunt_why(hunt, "1.5", "it is %.0f m long and takes %u actors with it to level %d",
		length / 100, set->members.count - 1, set->level);
	size_t out = 0;
	for (size_t i = 0; i < cluster->n_edges; i++)
		out += cluster->edges[i].from == largest && !cluster->edges[i].attachment;
	if (out)
		cs_hunt_change(hunt, "actor.%s.references=", cs_hunt_key(hunt, largest));
	for (size_t i = 0; i < cluster->n_edges; i++) {
		const struct cs_cluster_edge *edge = &cluster->edges[i];
		if (edge->to == largest || (edge->from == largest && edge->attachment))
			cut(hunt, edge);
	}
	cs_hunt_end(hunt);
}

static void look_at_set(struct cs_hunt *hunt, const struct waste *waste)
{
	struct cs_actor_cluster cluster = {0};
	const uint32_t first = hunt->c->set_members[hunt->c->sets[waste->set].members.first];
	struct cs_error *error = cs_cluster_of_actor(hunt->c, first, &cluster);
	if (error) {
		hunt->failed = true;
		cs_error_free(error);
		return;
	}
	suggest_bridges(hunt, &cluster, waste);
	suggest_long_edges(hunt, &cluster, waste);
	suggest_without(hunt, &cluster, waste);
	cs_actor_cluster_deinit(&cluster);
}

void cs_hunt_clusters(struct cs_hunt *hunt)
{
	const struct cs_cooked *c = hunt->c;
	CS_VEC(struct waste) wastes = {0};
	for (uint32_t i = 0; i < c->n_sets && !hunt->failed; i++) {
		struct waste waste = {0, i};
		if (!is_loose(c, &c->sets[i]))
			continue;
		waste.actors = waste_of(hunt, &c->sets[i]);
		if (waste.actors > 0.5)
			hunt->failed = !cs_vec_push(&wastes, waste);
	}
	hunt->failed =
		hunt->failed || !cs_sort(wastes.at, wastes.n, sizeof(*wastes.at), most_first, NULL);
	for (size_t i = 0; !hunt->failed && i < wastes.n && i < SETS; i++)
		look_at_set(hunt, &wastes.at[i]);
	cs_vec_free(&wastes);
}
