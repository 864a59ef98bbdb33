/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the seams between groups: an exact test that no cut of the DAG can have cracks.
 *
 * Edges are directed pairs of grid positions, level by level. Opposite edges of the same cluster
 * cancel out and are removed first. An edge of a group is on its border if no edge of the same
 * group is opposite to it. If another group of the level has the opposite edge, the edge is a seam:
 * it must also be on the border of the group's parents, equally often. The remaining edges are the
 * border of the mesh, which may be simplified. A group without such edges, and any group of a mesh
 * that is closed on level 0, must have the same border as its parents.
 */
#include "nanite/verify/verify_resource.h"

#include "nanite/format/keys.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "nanite/format/contents.h"

#include <stdlib.h>
#include <string.h>

enum { CLUSTER_EDGES = 3 * 128, CLUSTER_VERTICES = 256, HEADS = 512, BATCH = 512, GRAIN = 16 };

/*
 * The border edges of a cluster, each as the indices of its start and end vertex in the cluster.
 * The opposite of a border edge is not in the cluster.
 */
struct border {
	uint16_t n;
	uint8_t edges[CLUSTER_EDGES][2];
};

/* An edge of a group between the positions with the indices low < high. */
struct edge {
	uint32_t low, high, group;
	/*
	 * how often the edge runs from low to high minus how often it runs from high to low.
	 * `before` is for the clusters of the group, `after` for its parents
	 */
	int32_t before, after;
};

struct seams {
	const struct cs_resource_check *check;
	/* index of the first cluster of the batch that is being processed */
	size_t first;
	struct border *borders; /* borders of the clusters of the batch */
	/* for each border edge, the indices of its ends: first of vertices, later of positions */
	uint32_t *ends;
	/* for each cluster, the number of edges in `ends` before its own, then that of all edges */
	size_t *starts;
	size_t room;        /* number of edges for which `ends` has room */
	struct edge *edges; /* edges of the current level, one for each group that has the edge */
	size_t n_edges;
	bool is_open; /* whether the mesh has a border on level 0 */
};

/* ---- the border of a cluster ---- */

/* Sets places[v] to the first vertex of the cluster with the position of vertex v. */
static void find_places(const int32_t (*grid)[3], uint32_t n, uint8_t *places)
{
	uint16_t heads[HEADS], next[CLUSTER_VERTICES];
	memset(heads, 0xff, sizeof(heads));
	for (uint32_t v = 0; v < n; v++) {
		uint32_t hash = (uint32_t)grid[v][0] * 0x9e3779b1u;
		hash = (hash ^ (uint32_t)grid[v][1]) * 0x85ebca6bu;
		hash = (hash ^ (uint32_t)grid[v][2]) * 0xc2b2ae35u;
		uint16_t *head = &heads[hash >> 23], other = *head;
		while (other != 0xffff && memcmp(grid[other], grid[v], sizeof(grid[v])) != 0)
			other = next[other];
		places[v] = (uint8_t)(other == 0xffff ? v : other);
		if (other != 0xffff)
			continue;
		next[v] = *head;
		*head = (uint16_t)v;
	}
}

/*
 * Finds the edges of a cluster that have no opposite edge in it. `heads` and `next` list the edges
 * without one so far, by the position where they start.
 */
static void find_border(const struct cs_nanite_contents *contents,
	const struct cs_model_cluster *cluster, struct border *ret)
{
	const uint8_t *corners = contents->corners + (size_t)cluster->first_triangle * 3;
	uint8_t places[CLUSTER_VERTICES], from[CLUSTER_EDGES], to[CLUSTER_EDGES];
	uint16_t heads[CLUSTER_VERTICES], next[CLUSTER_EDGES];
	memset(heads, 0xff, sizeof(heads));
	find_places((const int32_t(*)[3])(
			    const void *)(contents->grid + (size_t)cluster->first_vertex * 3),
		cluster->n_vertices, places);
	for (uint32_t e = 0; e < cluster->n_triangles * 3; e++) {
		from[e] = places[corners[e]];
		to[e] = places[corners[e % 3 == 2 ? e - 2 : e + 1]];
		uint16_t *link = &heads[to[e]];
		if (from[e] == to[e])
			continue;
		while (*link != 0xffff && to[*link] != from[e])
			link = &next[*link];
		if (*link != 0xffff) {
			*link = next[*link];
			continue;
		}
		next[e] = heads[from[e]];
		heads[from[e]] = (uint16_t)e;
	}
	ret->n = 0;
	for (uint32_t v = 0; v < cluster->n_vertices; v++)
		for (uint16_t e = heads[v]; e != 0xffff; e = next[e]) {
			ret->edges[ret->n][0] = from[e];
			ret->edges[ret->n++][1] = to[e];
		}
}

static void find_borders(void *context, size_t begin, size_t end, int thread)
{
	const struct seams *seams = context;
	const struct cs_nanite_contents *contents = seams->check->contents;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		find_border(contents, &contents->clusters[seams->first + i], &seams->borders[i]);
}

/* ---- the border edges of all clusters ---- */

/* Appends the borders of n clusters, as vertices, to seams->ends. Returns false without memory. */
static bool keep_borders(struct seams *seams, size_t n)
{
	const struct cs_nanite_contents *contents = seams->check->contents;
	for (size_t i = 0; i < n; i++)
		seams->starts[seams->first + i + 1] =
			seams->starts[seams->first + i] + seams->borders[i].n;
	if (seams->starts[seams->first + n] > seams->room) {
		seams->room = seams->starts[seams->first + n] * 3 / 2;
		if (!cs_grow(seams->ends, seams->room * 2))
			return false;
	}
	if (seams->starts[seams->first + n] == seams->starts[seams->first])
		return true; /* none of the n clusters has a border edge */
	uint32_t *to = seams->ends + 2 * seams->starts[seams->first];
	for (size_t i = 0; i < n; i++)
		for (uint32_t e = 0; e < seams->borders[i].n; e++) {
			const uint32_t first =
				(uint32_t)contents->clusters[seams->first + i].first_vertex;
			*to++ = first + seams->borders[i].edges[e][0];
			*to++ = first + seams->borders[i].edges[e][1];
		}
	return true;
}

/*
 * Replaces vertex indices in seams->ends by position indices. Returns false when memory runs out.
 */
static bool number_positions(struct seams *seams)
{
	const size_t n = 2 * seams->starts[seams->check->contents->n_clusters];
	struct cs_keys set;
	bool ok = cs_keys_init(&set, n, 3);
	for (size_t i = 0; ok && i < n; i++) {
		uint32_t key[3];
		memcpy(key, seams->check->contents->grid + (size_t)seams->ends[i] * 3, sizeof(key));
		seams->ends[i] = cs_keys_add(&set, key);
	}
	cs_keys_deinit(&set);
	return ok;
}

static bool gather_borders(struct seams *seams)
{
	const struct cs_nanite_contents *contents = seams->check->contents;
	bool ok = true;
	for (; ok && seams->first < contents->n_clusters; seams->first += BATCH) {
		size_t n = contents->n_clusters - seams->first < BATCH
				   ? contents->n_clusters - seams->first
				   : BATCH;
		cs_parallel_for(cs_job_threads(seams->check->job), n, GRAIN, find_borders, seams);
		ok = keep_borders(seams, n);
	}
	return ok && number_positions(seams);
}

/* ---- counting the edges of a level ---- */

/*
 * Flags in the member `index` of the sort key of an edge. BACK: the edge leads from the higher to
 * the lower position. AFTER: it is an edge of the group's parents and not of the group.
 */
enum { BACK = 1, AFTER = 2 };

static void add_cluster(
	const struct seams *seams, size_t i, uint32_t group, bool after, struct cs_sort_key **keys)
{
	for (size_t e = seams->starts[i]; e < seams->starts[i + 1]; e++) {
		const uint32_t a = seams->ends[2 * e], b = seams->ends[2 * e + 1];
		*(*keys)++ = (struct cs_sort_key){
			.high = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a,
			.low = group,
			.index = (a < b ? 0 : BACK) | (after ? AFTER : 0)};
	}
}

static size_t count_level(const struct seams *seams, uint32_t level)
{
	const struct cs_nanite_contents *contents = seams->check->contents;
	size_t n = 0;
	for (size_t i = 0; i < contents->n_clusters; i++)
		if (contents->clusters[i].level == level ||
			contents->clusters[i].level == level + 1)
			n += seams->starts[i + 1] - seams->starts[i];
	return n;
}

static size_t collect_level(const struct seams *seams, uint32_t level, struct cs_sort_key *keys)
{
	const struct cs_nanite_contents *contents = seams->check->contents;
	struct cs_sort_key *next = keys;
	for (size_t i = 0; i < contents->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &contents->clusters[i];
		/* A cluster without a part is in no group, which rule H3 reports. */
		if (cluster->level == level && cluster->group < contents->n_groups)
			add_cluster(seams, i, cluster->group, false, &next);
		else if (cluster->level == level + 1 && cluster->maker < contents->n_groups)
			add_cluster(seams, i, cluster->maker, true, &next);
	}
	return (size_t)(next - keys);
}

/*
 * Makes an entry of seams->edges for each edge and each group that has the edge, from the sorted
 * keys. Returns false when memory runs out.
 */
static bool merge_edges(struct seams *seams, struct cs_sort_key *keys, size_t n)
{
	seams->n_edges = 0;
	if (!cs_sort_keys(keys, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct cs_sort_key *key = &keys[i];
		const int32_t way = key->index & BACK ? -1 : 1;
		if (i == 0 || key[-1].high != key->high || key[-1].low != key->low)
			seams->edges[seams->n_edges++] = (struct edge){(uint32_t)(key->high >> 32),
				(uint32_t)key->high, (uint32_t)key->low, 0, 0};
		struct edge *edge = &seams->edges[seams->n_edges - 1];
		edge->before += key->index & AFTER ? 0 : way;
		edge->after += key->index & AFTER ? way : 0;
	}
	return true;
}

/* ---- comparing groups with their parents ---- */

/* Differences between the border of a group and the border of its parents. */
struct group_border {
	uint32_t lost; /* number of seam edges that the parents lack */
	/* number of other edges in which the two borders differ */
	uint32_t changed;
	bool open; /* whether the group has an edge on the border of the mesh */
};

/*
 * Compares the entries of seams->edges from i to end - 1, which describe one edge in different
 * groups. Updates the borders of these groups.
 */
static void compare_edge(
	const struct seams *seams, size_t i, size_t end, struct group_border *borders)
{
	int32_t level = 0;
	for (size_t k = i; k < end; k++)
		level += seams->edges[k].before;
	for (size_t k = i; k < end; k++) {
		const struct edge *edge = &seams->edges[k];
		struct group_border *border = &borders[edge->group];
		bool seam = edge->before != 0 && level == 0;
		border->open = border->open || (edge->before != 0 && level != 0);
		if (edge->before == edge->after)
			continue;
		border->lost += seam;
		border->changed += !seam;
	}
}

static bool compare_level(struct seams *seams, uint32_t level)
{
	const struct cs_nanite_contents *contents = seams->check->contents;
	struct group_border *borders = calloc(contents->n_groups + 1, sizeof(*borders));
	if (!borders)
		return false;
	for (size_t i = 0, end; i < seams->n_edges; i = end) {
		for (end = i + 1;
			end < seams->n_edges && seams->edges[end].low == seams->edges[i].low &&
			seams->edges[end].high == seams->edges[i].high;
			end++)
			;
		compare_edge(seams, i, end, borders);
	}
	for (size_t g = 0; level == 0 && g < contents->n_groups; g++)
		seams->is_open = seams->is_open || borders[g].open;
	for (size_t g = 0; g < contents->n_groups; g++)
		if (contents->groups[g].n_parents > 0 &&
			(borders[g].lost ||
				(borders[g].changed && !(seams->is_open && borders[g].open))))
			cs_breach(seams->check->rest, CS_RULE_D5, CS_NOWHERE,
				"simplifying group %u of level %u damaged its border: seam edges "
				"lost: %u, other edges changed: %u",
				contents->groups[g].number, level, borders[g].lost,
				borders[g].changed);
	free(borders);
	return true;
}

static bool check_level(struct seams *seams, uint32_t level)
{
	const size_t n = count_level(seams, level);
	struct cs_sort_key *keys = malloc((n + 1) * sizeof(*keys));
	seams->edges = malloc((n + 1) * sizeof(*seams->edges));
	bool ok = keys && seams->edges &&
		  merge_edges(seams, keys, collect_level(seams, level, keys)) &&
		  compare_level(seams, level);
	free(seams->edges);
	free(keys);
	return ok;
}

bool cs_check_seams(const struct cs_resource_check *check)
{
	struct seams seams = {.check = check};
	seams.borders = malloc(BATCH * sizeof(*seams.borders));
	seams.starts = calloc(check->contents->n_clusters + 1, sizeof(*seams.starts));
	bool ok = seams.borders && seams.starts && gather_borders(&seams);
	for (uint32_t level = 0; ok && level < check->contents->n_levels; level++)
		ok = check_level(&seams, level);
	free(seams.borders);
	free(seams.starts);
	free(seams.ends);
	return ok;
}
