/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the edges between the clusters of a level. Within a cluster each edge is paired with an
 * edge of the opposite direction. The edges without a partner form the border of the cluster.
 * Border edges of different clusters are joined one to one, by position.
 *
 * The border of any set of triangles is closed: for every edge that ends at a position, another
 * edge starts there. So it is enough to number the positions where border edges start.
 */
#include "cluster/build.h"

#include "core/alike.h"
#include "core/parallel.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

enum { CLUSTER_EDGES = 3 * CS_CLUSTER_TRIANGLES, BATCH = 512, GRAIN = 16, HEADS = 512 };

/* ---- the border of one cluster ---- */

struct border_edge {
	/* for `from` and `to`, the first vertex of the cluster at the same position */
	uint8_t from, to, from_place, to_place;
};

struct border {
	uint32_t n;
	struct border_edge edges[CLUSTER_EDGES];
	struct cs_vertex_set twins;
};

/* Sets places[v] to the first vertex of the cluster with the position of vertex v. */
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
	/* `heads` and `next` list the edges that have no partner so far, by their start position */
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

/* ---- the borders of all clusters ---- */

/* State of collecting the border edges of a level and of joining them. */
struct gatherer {
	const struct cs_dag *dag;
	struct cs_level *level;
	uint32_t first; /* index, within the level, of the cluster whose border is borders[0] */
	struct border *borders; /* borders of BATCH clusters */
	/* index of the end of each edge: a vertex in its cluster, later a position in the level */
	uint32_t *to_places;
	uint32_t *firsts; /* for each edge, the first edge that starts at the same position */
	size_t room;      /* number of edges for which the arrays have room */
};

static void find_borders(void *context, size_t begin, size_t end, int thread)
{
	const struct gatherer *gatherer = context;
	const struct cs_cluster *clusters =
		gatherer->dag->clusters + gatherer->level->first + gatherer->first;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		find_border(gatherer->dag, &clusters[i], &gatherer->borders[i]);
}

static void write_borders(void *context, size_t begin, size_t end, int thread)
{
	const struct gatherer *gatherer = context;
	struct cs_level *level = gatherer->level;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		uint32_t cluster = gatherer->first + (uint32_t)i, at = level->starts[cluster];
		for (uint32_t k = 0; k < gatherer->borders[i].n; k++, at++) {
			const struct border_edge *edge = &gatherer->borders[i].edges[k];
			level->edges[at] = (struct cs_level_edge){
				edge->from, edge->to, edge->from_place, CS_NONE};
			level->cluster_of[at] = cluster;
			gatherer->to_places[at] = edge->to_place;
		}
		level->twins[cluster] = gatherer->borders[i].twins;
	}
}

/* Reserves room for `more` further edges. Returns false when memory runs out. */
static bool reserve(struct gatherer *gatherer, size_t more)
{
	struct cs_level *level = gatherer->level;
	size_t want = level->n_edges + more, room = gatherer->room + gatherer->room / 2;
	if (want <= gatherer->room)
		return true;
	gatherer->room = room > want ? room : want;
	return cs_grow(level->edges, gatherer->room) &&
	       cs_grow(level->cluster_of, gatherer->room) &&
	       cs_grow(gatherer->to_places, gatherer->room);
}

static struct cs_error *gather_borders(int threads, struct gatherer *gatherer)
{
	struct cs_level *level = gatherer->level;
	bool good = (gatherer->borders = malloc(BATCH * sizeof(*gatherer->borders))) != NULL;
	for (gatherer->first = 0; good && gatherer->first < level->n; gatherer->first += BATCH) {
		uint32_t n =
			level->n - gatherer->first < BATCH ? level->n - gatherer->first : BATCH;
		cs_parallel_for(threads, n, GRAIN, find_borders, gatherer);
		good = reserve(gatherer, (size_t)n * CLUSTER_EDGES);
		for (uint32_t i = 0; i < n; i++) {
			level->starts[gatherer->first + i] = level->n_edges;
			level->n_edges += gatherer->borders[i].n;
		}
		if (good)
			cs_parallel_for(threads, n, GRAIN, write_borders, gatherer);
	}
	free(gatherer->borders);
	level->starts[level->n] = level->n_edges;
	return good ? NULL : cs_error_nomem();
}

/* ---- numbering the positions of a level ---- */

/* Returns the position where an edge starts. */
static const float *position_of(const struct gatherer *gatherer, uint32_t edge)
{
	const struct cs_level *level = gatherer->level;
	uint32_t cluster = level->first + level->cluster_of[edge];
	size_t vertex = gatherer->dag->clusters[cluster].first_vertex + level->edges[edge].from;
	return gatherer->dag->positions + 3 * vertex;
}

static uint64_t dag_level_hash_place(const void *context, uint32_t edge)
{
	return XXH3_64bits(position_of(context, edge), 3 * sizeof(float));
}

static bool dag_level_is_place(const void *context, uint32_t left, uint32_t right)
{
	return memcmp(position_of(context, left), position_of(context, right), 3 * sizeof(float)) ==
	       0;
}

/* Replaces the entries of to_places, vertices in clusters, by positions in the level. */
static void dag_level_number_places(void *context, size_t begin, size_t end, int thread)
{
	const struct gatherer *gatherer = context;
	const struct cs_level *level = gatherer->level;
	uint32_t number[CS_CLUSTER_VERTICES];
	(void)thread;
	for (size_t cluster = begin; cluster < end; cluster++) {
		uint32_t first = level->starts[cluster], last = level->starts[cluster + 1];
		for (uint32_t e = first; e < last; e++) {
			number[level->edges[e].place] = gatherer->firsts[e];
			level->edges[e].place = gatherer->firsts[e];
		}
		for (uint32_t e = first; e < last; e++)
			gatherer->to_places[e] = number[gatherer->to_places[e]];
	}
}

/* Numbers the positions of the level, in the order of the first edge that starts at each. */
static struct cs_error *find_level_places(int threads, struct gatherer *gatherer)
{
	struct cs_level *level = gatherer->level;
	const struct cs_rows edges = {
		level->n_edges, dag_level_hash_place, dag_level_is_place, gatherer};
	struct cs_error *error = cs_find_alike(&edges, threads, gatherer->firsts);
	if (error)
		return error;
	for (uint32_t e = 0; e < level->n_edges; e++)
		gatherer->firsts[e] = gatherer->firsts[e] == e
					      ? level->n_places++
					      : gatherer->firsts[gatherer->firsts[e]];
	cs_parallel_for(threads, level->n, BATCH, dag_level_number_places, gatherer);
	return NULL;
}

/* ---- joining the border edges of different clusters ---- */

static uint64_t hash_pair(const void *context, uint32_t edge)
{
	const struct gatherer *gatherer = context;
	uint32_t from = gatherer->level->edges[edge].place, to = gatherer->to_places[edge];
	uint64_t key = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
	return XXH3_64bits(&key, sizeof(key));
}

/* Returns whether two edges run between the same two positions, in either direction. */
static bool is_pair(const void *context, uint32_t left, uint32_t right)
{
	const struct gatherer *gatherer = context;
	const struct cs_level_edge *edges = gatherer->level->edges;
	uint32_t from = edges[left].place, to = gatherer->to_places[left];
	uint32_t other_from = edges[right].place, other_to = gatherer->to_places[right];
	return (from == other_from && to == other_to) || (from == other_to && to == other_from);
}

/*
 * Joins each edge to an edge in the opposite direction between the same two positions: of those
 * that are not joined yet, to the latest. The edges between two positions that are not joined
 * always run in one direction, because edges of opposite directions would have been joined. An edge
 * that starts and ends at one position counts as opposite to another such edge.
 */
static void join_edges(const struct gatherer *gatherer, uint32_t *heads, uint32_t *next)
{
	struct cs_level_edge *edges = gatherer->level->edges;
	memset(heads, 0xff, gatherer->level->n_edges * sizeof(*heads));
	for (uint32_t e = 0; e < gatherer->level->n_edges; e++) {
		uint32_t *head = &heads[gatherer->firsts[e]], mate = *head;
		if (mate != CS_NONE && edges[mate].place == gatherer->to_places[e]) {
			*head = next[mate];
			edges[mate].mate = e;
			edges[e].mate = mate;
			continue;
		}
		next[e] = mate;
		*head = e;
	}
}

static struct cs_error *find_mates(int threads, struct gatherer *gatherer)
{
	size_t bytes = ((size_t)gatherer->level->n_edges + 1) * sizeof(uint32_t);
	const struct cs_rows edges = {gatherer->level->n_edges, hash_pair, is_pair, gatherer};
	uint32_t *heads = malloc(bytes), *next = malloc(bytes);
	struct cs_error *error =
		heads && next ? cs_find_alike(&edges, threads, gatherer->firsts) : cs_error_nomem();
	if (!error)
		join_edges(gatherer, heads, next);
	free(heads);
	free(next);
	return error;
}

struct cs_error *cs_level_init(const struct cs_builder *builder, struct cs_level *ret)
{
	struct cs_level level = {
		.first = builder->level_first, .n = builder->dag.n_clusters - builder->level_first};
	struct gatherer gatherer = {.dag = &builder->dag, .level = &level};
	level.starts = malloc(((size_t)level.n + 1) * sizeof(*level.starts));
	level.twins = malloc(((size_t)level.n + 1) * sizeof(*level.twins));
	struct cs_error *error = level.starts && level.twins ? NULL : cs_error_nomem();
	if (!error)
		error = gather_borders(builder->threads, &gatherer);
	if (!error && !cs_grow(gatherer.firsts, (size_t)level.n_edges + 1))
		error = cs_error_nomem();
	if (!error)
		error = find_level_places(builder->threads, &gatherer);
	if (!error)
		error = find_mates(builder->threads, &gatherer);
	free(gatherer.to_places);
	free(gatherer.firsts);
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

/* ---- the graph of a level's clusters ---- */

/*
 * Returns the weight of the graph's edge between two clusters. It is larger when the clusters have
 * different generating groups: the seam between them was locked so far, and can be simplified when
 * both clusters come into one group.
 */
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
	const struct cs_builder *builder, const struct cs_level *level, struct cs_graph_arrays *ret)
{
	struct cs_graph_arrays arrays;
	const struct cs_cluster *clusters = builder->dag.clusters + level->first;
	const uint32_t *cluster_of = level->cluster_of;
	uint32_t *shared = calloc((size_t)level->n + 1, sizeof(*shared)), n = 0;
	struct cs_error *error =
		shared ? cs_graph_init(level->n, level->n_edges, &arrays) : cs_error_nomem();
	if (error) {
		free(shared);
		return error;
	}
	for (uint32_t i = 0; i < level->n; i++) {
		for (uint32_t e = level->starts[i]; e < level->starts[i + 1]; e++) {
			uint32_t mate = level->edges[e].mate;
			if (mate != CS_NONE && shared[cluster_of[mate]]++ == 0)
				arrays.targets[n++] = cluster_of[mate];
		}
		for (uint32_t e = arrays.offsets[i]; e < n; e++) {
			uint32_t other = arrays.targets[e];
			arrays.weights[e] =
				weight_of(&clusters[i], &clusters[other], shared[other]);
			shared[other] = 0;
		}
		arrays.offsets[i + 1] = n;
		set_centre(&clusters[i], arrays.centres + 3 * (size_t)i);
	}
	free(shared);
	*ret = arrays;
	return NULL;
}
