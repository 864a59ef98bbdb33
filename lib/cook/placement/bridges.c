/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the edges in the cluster of an actor, and finds those whose removal divides the cluster:
 * bridges of the undirected graph, found by one depth-first search with low links (Tarjan 1974),
 * without recursion. Two actors that reference each other have two edges, neither of which is a
 * bridge.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "cook/placement/grids.h"
#include "core/geometry.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/vec.h"
#include "format/cooked_inside.h"

#include <stdlib.h>

/* ---- members and edges of the cluster ---- */

static int by_target(const void *left, const void *right, void *context)
{
	uint32_t l = ((const struct cs_cluster_edge *)left)->to,
		 r = ((const struct cs_cluster_edge *)right)->to;
	(void)context;
	return l < r ? -1 : l > r;
}

static bool bridges_add_edges(const struct cs_cooked *cooked, uint32_t row,
	struct cs_actor_cluster *cluster, size_t *room)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	const size_t first = cluster->n_edges;
	size_t most = first + actor->references.count + 1, n = first;
	if (most > *room) {
		size_t want = most + *room;
		void *grown = realloc(cluster->edges, want * sizeof(*cluster->edges));
		if (!grown)
			return false;
		cluster->edges = grown;
		*room = want;
	}
	for (uint32_t i = 0; i < actor->references.count; i++) {
		const struct cs_cooked_reference *reference =
			cs_cooked_reference(cooked, actor->references.first + i);
		/* a reference to the parent or a child holds as well when the attachment is gone */
		if ((reference->state == CS_REFERENCE_RUNTIME ||
			    reference->state == CS_REFERENCE_FAMILY) &&
			reference->actor != CS_NONE && reference->actor != row &&
			cs_cooked_actor(cooked, reference->actor)->set == actor->set)
			cluster->edges[n++] =
				(struct cs_cluster_edge){row, reference->actor, false};
	}
	/* a reference that is listed twice is one edge */
	if (!cs_sort(cluster->edges + first, n - first, sizeof(*cluster->edges), by_target, NULL))
		return false;
	for (size_t i = first; i < n; i++)
		if (i == first || cluster->edges[i].to != cluster->edges[i - 1].to)
			cluster->edges[cluster->n_edges++] = cluster->edges[i];
	if (actor->parent != CS_NONE && cs_cooked_actor(cooked, actor->parent)->set == actor->set)
		cluster->edges[cluster->n_edges++] =
			(struct cs_cluster_edge){actor->parent, row, true};
	return true;
}

struct cs_error *cs_cluster_of_actor(
	const struct cs_cooked *cooked, uint32_t actor, struct cs_actor_cluster *ret)
{
	struct cs_actor_cluster cluster = {0};
	struct cs_range members = {0, 0};
	const uint32_t *rows = &actor;
	size_t room = 0;
	if (cs_cooked_actor(cooked, actor)->set != CS_NONE) {
		members = cs_cooked_set(cooked, cs_cooked_actor(cooked, actor)->set)->members;
		rows = cs_cooked_id_rows(cooked, CS_IDS_SET_MEMBERS, members);
	}
	if (!rows)
		rows = &actor; /* the members cannot be loaded: use only the actor itself */
	cluster.n_members = rows == &actor ? 1 : members.count;
	cluster.members = malloc(cluster.n_members * sizeof(*cluster.members));
	if (!cluster.members)
		return cs_error_nomem();
	memcpy(cluster.members, rows, cluster.n_members * sizeof(*rows));
	for (size_t i = 0; i < cluster.n_members; i++) {
		if (!bridges_add_edges(cooked, cluster.members[i], &cluster, &room)) {
			free(cluster.members);
			free(cluster.edges);
			return cs_error_nomem();
		}
	}
	*ret = cluster;
	return NULL;
}

/* ---- finding the bridges ---- */

struct walk {
	const struct cs_actor_cluster *cluster;
	uint32_t *starts, *list; /* edges of member m: list[starts[m]] to list[starts[m + 1] - 1] */
	/* for each member, its number in search order, and the lowest that its subtree reaches */
	uint32_t *order, *low;
	/* for each member: 1 + the highest search number in its subtree of the search tree */
	uint32_t *last;
	uint32_t *found; /* members in the order in which the search found them */
	/* stack of the search: members, the edge to each, and next edge to follow */
	uint32_t *stack, *by_edge, *next;
	uint32_t n;
	CS_VEC(struct cs_cluster_cut) cuts;
};

static uint32_t member_of(const struct cs_actor_cluster *cluster, uint32_t row)
{
	size_t n = cluster->n_members;
	return (uint32_t)cs_lower_bound(1, n, i, cluster->members[i] <= row) - 1;
}

static bool init_walk(struct walk *walk)
{
	size_t n = walk->cluster->n_members, edges = walk->cluster->n_edges;
	uint32_t **arrays[] = {&walk->order, &walk->low, &walk->last, &walk->found, &walk->stack,
		&walk->by_edge, &walk->next};
	walk->starts = calloc(n + 1, sizeof(uint32_t));
	walk->list = malloc((2 * edges + 1) * sizeof(uint32_t));
	bool good = walk->starts && walk->list;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		*arrays[i] = malloc(n * sizeof(uint32_t));
		good = good && *arrays[i];
	}
	if (!good)
		return false;
	for (size_t e = 0; e < edges; e++) {
		walk->starts[member_of(walk->cluster, walk->cluster->edges[e].from)]++;
		walk->starts[member_of(walk->cluster, walk->cluster->edges[e].to)]++;
	}
	for (size_t i = 1; i <= n; i++)
		walk->starts[i] += walk->starts[i - 1];
	for (size_t e = edges; e-- > 0;) {
		walk->list[--walk->starts[member_of(walk->cluster, walk->cluster->edges[e].from)]] =
			(uint32_t)e;
		walk->list[--walk->starts[member_of(walk->cluster, walk->cluster->edges[e].to)]] =
			(uint32_t)e;
	}
	memset(walk->order, 0xff, n * sizeof(uint32_t));
	return true;
}

static void bridges_enter(struct walk *walk, uint32_t *depth, uint32_t member, uint32_t edge)
{
	walk->order[member] = walk->low[member] = walk->n;
	walk->found[walk->n++] = member;
	walk->stack[*depth] = member;
	walk->by_edge[*depth] = edge;
	walk->next[*depth] = walk->starts[member];
	++*depth;
}

/* Leaves a member. Its edge is a bridge if no other edge joins its subtree to earlier members. */
static bool bridges_leave(struct walk *walk, uint32_t *depth)
{
	uint32_t member = walk->stack[--*depth], edge = walk->by_edge[*depth];
	walk->last[member] = walk->n;
	if (*depth == 0)
		return true;
	uint32_t above = walk->stack[*depth - 1];
	if (walk->low[member] < walk->low[above])
		walk->low[above] = walk->low[member];
	if (walk->low[member] <= walk->order[above])
		return true;
	uint32_t below = walk->n - walk->order[member];
	bool downward = member_of(walk->cluster, walk->cluster->edges[edge].to) == member;
	uint32_t rest = (uint32_t)walk->cluster->n_members - below;
	struct cs_cluster_cut cut = {
		.edge = edge, .left = downward ? rest : below, .right = downward ? below : rest};
	return cs_vec_push(&walk->cuts, cut);
}

static bool find_bridges(struct walk *walk)
{
	uint32_t depth = 0;
	bridges_enter(walk, &depth, 0, CS_NONE);
	while (depth) {
		uint32_t member = walk->stack[depth - 1];
		if (walk->next[depth - 1] == walk->starts[member + 1]) {
			if (!bridges_leave(walk, &depth))
				return false;
			continue;
		}
		uint32_t edge = walk->list[walk->next[depth - 1]++];
		const struct cs_cluster_edge *cluster_edge = &walk->cluster->edges[edge];
		uint32_t from = member_of(walk->cluster, cluster_edge->from),
			 to = member_of(walk->cluster, cluster_edge->to);
		uint32_t other = from == member ? to : from;
		if (walk->order[other] == CS_NONE)
			bridges_enter(walk, &depth, other, edge);
		else if (edge != walk->by_edge[depth - 1] && walk->order[other] < walk->low[member])
			walk->low[member] = walk->order[other];
	}
	return true;
}

/* ---- grid levels of both parts after a cut ---- */

/*
 * Returns the grid level of the members found[first] to found[last - 1] or, unless `inside`, of all
 * other found members.
 */
static int32_t level_of_part(const struct cs_cooked *cooked, const struct walk *walk,
	uint32_t first, uint32_t last, bool inside, const struct cs_cooked_partition *partition)
{
	struct cs_box box = CS_BOX_INVALID;
	for (uint32_t i = 0; i < walk->n; i++) {
		if ((i >= first && i < last) == inside)
			box = cs_box_union(&box,
				&cs_cooked_actor(cooked, walk->cluster->members[walk->found[i]])
					 ->bounds);
	}
	if (!cs_box_valid(&box))
		return -1;
	return cs_level_of_length(
		cs_longest_extent(&box, cs_partition_is_flat(partition)), partition->cell_size);
}

static void weigh(
	const struct cs_cooked *cooked, const struct walk *walk, struct cs_cluster_cut *cut)
{
	const struct cs_cluster_edge *edge = &walk->cluster->edges[cut->edge];
	uint32_t from = member_of(walk->cluster, edge->from),
		 to = member_of(walk->cluster, edge->to);
	bool downward = walk->order[to] > walk->order[from];
	uint32_t child = downward ? to : from;
	const struct cs_cooked_set *set =
		cs_cooked_set(cooked, cs_cooked_actor(cooked, edge->from)->set);
	const struct cs_cooked_partition *partition =
		set->partition == CS_NONE ? NULL : &cooked->partitions[set->partition];
	if (!partition || partition->cell_size <= 0) {
		cut->left_level = cut->right_level = -1;
		return;
	}
	int32_t below =
		level_of_part(cooked, walk, walk->order[child], walk->last[child], true, partition);
	int32_t above = level_of_part(
		cooked, walk, walk->order[child], walk->last[child], false, partition);
	cut->left_level = downward ? above : below;
	cut->right_level = downward ? below : above;
}

static uint32_t smaller(const struct cs_cluster_cut *cut)
{
	return cut->left < cut->right ? cut->left : cut->right;
}

static int best_first(const void *left, const void *right, void *context)
{
	const struct cs_cluster_cut *l = left, *r = right;
	(void)context;
	if (smaller(l) != smaller(r))
		return smaller(l) > smaller(r) ? -1 : 1;
	return l->edge < r->edge ? -1 : l->edge > r->edge;
}

/* Largest number of bridges to evaluate, which is slow: it computes the bounds of both parts. */
enum { WEIGHED = 64 };

struct cs_error *cs_cluster_cuts(const struct cs_cooked *cooked,
	const struct cs_actor_cluster *cluster, struct cs_cluster_cut **cuts_ret, size_t *n_ret)
{
	struct walk walk = {.cluster = cluster};
	bool good = init_walk(&walk) && find_bridges(&walk) &&
		    cs_sort(walk.cuts.at, walk.cuts.n, sizeof(*walk.cuts.at), best_first, NULL);
	for (size_t i = 0; good && i < walk.cuts.n; i++) {
		walk.cuts.at[i].left_level = walk.cuts.at[i].right_level = -1;
		if (i < WEIGHED)
			weigh(cooked, &walk, &walk.cuts.at[i]);
	}
	uint32_t *arrays[] = {walk.starts, walk.list, walk.order, walk.low, walk.last, walk.found,
		walk.stack, walk.by_edge, walk.next};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		free(arrays[i]);
	struct cs_error *error = good ? NULL : cs_error_nomem();
	return cs_vec_give(&walk.cuts, error, cuts_ret, n_ret);
}
