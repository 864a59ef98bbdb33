/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what lies between the clusters of a level. Within a cluster every edge is cancelled against
 * one that runs the other way; what is left is the cluster's border. Border edges of different
 * clusters are joined one to one, by place.
 *
 * The border of any set of triangles has no ends: to every edge into a place there is one out of
 * it. So numbering the places where edges begin numbers all.
 */
#include "cluster/build.h"

#include "base/parallel.h"
#include "base/slots.h"
#include "base/vec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

enum { CLUSTER_EDGES = 3 * CS_CLUSTER_TRIANGLES, BATCH = 512, HEADS = 512 };

/* ---- the border of one cluster ---- */

struct border_edge {
	uint8_t from, to, from_place, to_place; /* places are the first vertices there */
};

struct border {
	uint32_t n;
	struct border_edge edges[CLUSTER_EDGES];
	struct cs_vertex_set twins;
};

/* places[v] = the first vertex of the cluster where v is. */
static void find_places(
	const float *positions, uint32_t n, uint8_t *places, struct cs_vertex_set *twins)
{
	uint16_t heads[HEADS], next[CS_CLUSTER_VERTICES];
	memset(heads, 0xff, sizeof(heads));
	for (uint32_t v = 0; v < n; v++) {
		const float *p = positions + 3 * (size_t)v;
		uint16_t *head = &heads[XXH3_64bits(p, 3 * sizeof(float)) % HEADS];
		uint16_t other = *head;
		while (other != 0xffff &&
			memcmp(positions + 3 * (size_t)other, p, 3 * sizeof(float)) != 0)
			other = next[other];
		places[v] = (uint8_t)v;
		if (other != 0xffff) {
			places[v] = (uint8_t)other;
			cs_vertex_set_add(twins, other);
			cs_vertex_set_add(twins, v);
			continue;
		}
		next[v] = *head;
		*head = (uint16_t)v;
	}
}

static void find_border(
	const struct cs_dag *dag, const struct cs_cluster *cluster, struct border *ret)
{
	const uint8_t *corners = dag->corners + 3 * (size_t)cluster->first_triangle;
	uint8_t places[CS_CLUSTER_VERTICES];
	uint16_t heads[CS_CLUSTER_VERTICES], next[CLUSTER_EDGES];
	struct border_edge edges[CLUSTER_EDGES];
	uint32_t n = 3 * cluster->n_triangles;
	memset(&ret->twins, 0, sizeof(ret->twins));
	memset(heads, 0xff, sizeof(heads));
	find_places(dag->positions + 3 * (size_t)cluster->first_vertex, cluster->n_vertices, places,
		&ret->twins);
	/* edges without partner so far hang at the place where they begin */
	for (uint32_t e = 0; e < n; e++) {
		uint8_t from = corners[e], to = corners[e % 3 == 2 ? e - 2 : e + 1];
		struct border_edge edge = {from, to, places[from], places[to]};
		uint16_t *link = &heads[edge.to_place];
		while (*link != 0xffff && edges[*link].to_place != edge.from_place)
			link = &next[*link];
		edges[e] = edge;
		if (*link != 0xffff) {
			*link = next[*link];
			continue;
		}
		next[e] = heads[edge.from_place];
		heads[edge.from_place] = (uint16_t)e;
	}
	ret->n = 0;
	for (uint32_t v = 0; v < cluster->n_vertices; v++)
		for (uint16_t e = heads[v]; e != 0xffff; e = next[e]) {
			ret->edges[ret->n++] = edges[e];
			cs_vertex_set_add(&ret->twins, edges[e].from);
			cs_vertex_set_add(&ret->twins, edges[e].to);
		}
}

/* ---- the borders of all ---- */

struct reader {
	const struct cs_dag *dag;
	uint32_t first;
	struct border *borders;
};

static void find_borders(void *context, size_t begin, size_t end, int thread)
{
	const struct reader *r = context;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		find_border(r->dag, &r->dag->clusters[r->first + i], &r->borders[i]);
}

/* Numbers of places by open addressing; a slot holds an edge + 1 that begins there. */
struct places {
	uint32_t *slots;
	size_t mask;
	uint32_t n;
};

static const float *position_of(
	const struct cs_dag *dag, const struct cs_level *level, uint32_t cluster, uint32_t edge)
{
	size_t vertex =
		dag->clusters[level->first + cluster].first_vertex + level->edges[edge].from;
	return dag->positions + 3 * vertex;
}

struct gatherer {
	CS_VEC(struct cs_level_edge) edges;
	CS_VEC(uint32_t) to_places;  /* by edge, while places are cluster vertices */
	CS_VEC(uint32_t) cluster_of; /* by edge */
};

static bool gather(struct gatherer *g, const struct border *border, uint32_t cluster)
{
	for (uint32_t i = 0; i < border->n; i++) {
		const struct border_edge *e = &border->edges[i];
		struct cs_level_edge edge = {e->from, e->to, e->from_place, CS_NONE};
		if (!cs_vec_push(&g->edges, edge) || !cs_vec_push(&g->to_places, e->to_place) ||
			!cs_vec_push(&g->cluster_of, cluster))
			return false;
	}
	return true;
}

static struct cs_error *gather_borders(
	const struct cs_builder *b, struct cs_level *level, struct gatherer *g)
{
	struct border *borders = malloc(BATCH * sizeof(*borders));
	bool good = borders != NULL;
	for (uint32_t done = 0; good && done < level->n; done += BATCH) {
		uint32_t n = level->n - done < BATCH ? level->n - done : BATCH;
		struct reader reader = {&b->dag, level->first + done, borders};
		cs_parallel_for(b->threads, n, 16, find_borders, &reader);
		for (uint32_t i = 0; good && i < n; i++) {
			level->starts[done + i] = (uint32_t)g->edges.n;
			level->twins[done + i] = borders[i].twins;
			good = gather(g, &borders[i], done + i);
		}
	}
	free(borders);
	level->starts[level->n] = (uint32_t)g->edges.n;
	return good ? NULL : cs_error_nomem();
}

/* ---- places and mates ---- */

/* Replaces the places, which are vertices of clusters, by numbers that hold for the level. */
static struct cs_error *number_places(
	const struct cs_dag *dag, struct cs_level *level, struct gatherer *g)
{
	struct cs_slots slots;
	uint32_t number[CS_CLUSTER_VERTICES];
	const size_t bytes = 3 * sizeof(float);
	if (!cs_slots_init(&slots, level->n_edges))
		return cs_error_nomem();
	for (uint32_t cluster = 0; cluster < level->n; cluster++) {
		uint32_t begin = level->starts[cluster], end = level->starts[cluster + 1];
		for (uint32_t e = begin; e < end; e++) {
			const float *p = position_of(dag, level, cluster, e);
			uint32_t place = level->edges[e].place;
			uint32_t *slot = cs_slots_find(&slots, XXH3_64bits(p, bytes), edge,
				memcmp(position_of(dag, level, g->cluster_of.at[edge], edge), p,
					bytes) == 0);
			uint32_t other = cs_slot_row(slot);
			if (other == CS_NONE)
				cs_slots_put(&slots, slot, e);
			number[place] =
				other != CS_NONE ? level->edges[other].place : level->n_places++;
			/* an edge met before here in this cluster has its number already */
			level->edges[e].place = number[place];
		}
		for (uint32_t e = begin; e < end; e++)
			g->to_places.at[e] = number[g->to_places.at[e]];
	}
	cs_slots_deinit(&slots);
	return NULL;
}

/* Edges that wait for a mate: a slot for each pair of places, with a list of edges. */
struct waiting {
	const struct cs_level_edge *edges;
	const uint32_t *to_places;
	struct cs_slots slots; /* an edge with the pair of places */
	uint32_t *heads;       /* by slot: an edge + 1 that waits */
	uint32_t *next;        /* by edge */
};

static size_t slot_of(const struct waiting *w, uint32_t from, uint32_t to)
{
	uint64_t key = (uint64_t)from << 32 | to;
	const uint32_t *slot = cs_slots_find(&w->slots, XXH3_64bits(&key, sizeof(key)), edge,
		w->edges[edge].place == from && w->to_places[edge] == to);
	return (size_t)(slot - w->slots.at);
}

static void find_mates(struct cs_level *level, struct waiting *w)
{
	for (uint32_t e = 0; e < level->n_edges; e++) {
		struct cs_level_edge *edge = &level->edges[e];
		size_t back = slot_of(w, w->to_places[e], edge->place);
		uint32_t mate = w->heads[back];
		if (mate) {
			w->heads[back] = w->next[mate - 1];
			level->edges[mate - 1].mate = e;
			edge->mate = mate - 1;
			continue;
		}
		size_t at = slot_of(w, edge->place, w->to_places[e]);
		if (!w->slots.at[at])
			cs_slots_put(&w->slots, &w->slots.at[at], e);
		w->next[e] = w->heads[at];
		w->heads[at] = e + 1;
	}
}

static struct cs_error *join_edges(struct cs_level *level, const struct gatherer *g)
{
	struct waiting w = {.edges = level->edges, .to_places = g->to_places.at};
	bool good = cs_slots_init(&w.slots, level->n_edges);
	w.heads = calloc(w.slots.mask + 1, sizeof(uint32_t));
	w.next = malloc(((size_t)level->n_edges + 1) * sizeof(uint32_t));
	good = good && w.heads && w.next;
	if (good)
		find_mates(level, &w);
	cs_slots_deinit(&w.slots);
	free(w.heads);
	free(w.next);
	return good ? NULL : cs_error_nomem();
}

struct cs_error *cs_level_init(const struct cs_builder *b, struct cs_level *ret)
{
	struct cs_level level = {.first = b->level_first, .n = b->dag.n_clusters - b->level_first};
	struct gatherer g = {0};
	level.starts = malloc(((size_t)level.n + 1) * sizeof(*level.starts));
	level.twins = malloc(((size_t)level.n + 1) * sizeof(*level.twins));
	struct cs_error *error = level.starts && level.twins ? NULL : cs_error_nomem();
	if (!error)
		error = gather_borders(b, &level, &g);
	level.edges = g.edges.at;
	level.cluster_of = g.cluster_of.at;
	level.n_edges = (uint32_t)g.edges.n;
	if (!error)
		error = number_places(&b->dag, &level, &g);
	if (!error)
		error = join_edges(&level, &g);
	cs_vec_free(&g.to_places);
	if (error)
		cs_level_deinit(&level);
	else
		*ret = level;
	return error;
}

void cs_level_deinit(struct cs_level *level)
{
	free(level->starts);
	free(level->edges);
	free(level->twins);
	free(level->cluster_of);
	*level = (struct cs_level){0};
}

/* ---- the graph ---- */

/* Clusters that were made apart from each other weigh more: their seam was never free to move. */
static uint16_t weight_of(
	const struct cs_cluster *a, const struct cs_cluster *b, uint32_t shared_edges)
{
	bool siblings =
		a->generating_group != CS_NONE && a->generating_group == b->generating_group;
	return (uint16_t)(shared_edges * (siblings ? 1 : 16) + 4);
}

static void set_centre(const struct cs_cluster *cluster, float *centre)
{
	for (int k = 0; k < 3; k++)
		centre[k] = 0.5f * cluster->box.min[k] + 0.5f * cluster->box.max[k];
}

struct cs_error *cs_level_graph(
	const struct cs_builder *b, const struct cs_level *level, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays g;
	const struct cs_cluster *clusters = b->dag.clusters + level->first;
	const uint32_t *cluster_of = level->cluster_of;
	uint32_t *shared = calloc((size_t)level->n + 1, sizeof(*shared)), n = 0;
	struct cs_error *error =
		shared ? cs_graph_init(level->n, level->n_edges, &g) : cs_error_nomem();
	if (error) {
		free(shared);
		return error;
	}
	for (uint32_t i = 0; i < level->n; i++) {
		for (uint32_t e = level->starts[i]; e < level->starts[i + 1]; e++) {
			uint32_t mate = level->edges[e].mate;
			if (mate != CS_NONE && shared[cluster_of[mate]]++ == 0)
				g.targets[n++] = cluster_of[mate];
		}
		for (uint32_t e = g.offsets[i]; e < n; e++) {
			uint32_t other = g.targets[e];
			g.weights[e] = weight_of(&clusters[i], &clusters[other], shared[other]);
			shared[other] = 0;
		}
		g.offsets[i + 1] = n;
		set_centre(&clusters[i], g.centres + 3 * (size_t)i);
	}
	free(shared);
	*ret = g;
	return NULL;
}
