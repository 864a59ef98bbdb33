/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges of a level against a count of them: clusters by chance, of triangles whose corners share
 * few places, so that edges from a place to itself, and many between the same two, are common.
 */
#include "cluster/build.h"
#include "core/random.h"
#include "tests/samples/tap.h"

enum { CLUSTERS = 12, TRIANGLES = 4, PLACES = 6 };

static struct cs_random chance = {9};
static float positions[CLUSTERS * TRIANGLES * 9];
static uint8_t corners[CLUSTERS * TRIANGLES * 3];
static struct cs_cluster clusters[CLUSTERS];

/*
 * Makes n clusters of random triangles. Each corner has a vertex of its own, at one of few places.
 */
static void make_clusters(uint32_t n, uint32_t places)
{
	uint32_t triangle = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t count = 1 + cs_random_below(&chance, TRIANGLES);
		clusters[i] = (struct cs_cluster){.first_triangle = triangle,
			.n_triangles = count,
			.first_vertex = 3 * triangle,
			.n_vertices = 3 * count};
		for (uint32_t v = 0; v < 3 * count; v++) {
			float *at = positions + 3 * (3 * (size_t)triangle + v);
			at[0] = (float)cs_random_below(&chance, places);
			at[1] = at[2] = 0;
			corners[3 * triangle + v] = (uint8_t)v;
		}
		triangle += count;
	}
}

/* Returns the place of a vertex of a cluster. */
static uint32_t place_of(uint32_t cluster, uint8_t vertex)
{
	return (uint32_t)positions[3 * ((size_t)clusters[cluster].first_vertex + vertex)];
}

/*
 * Counts, for each pair of places, the edges that lead from one to the other. Within each cluster,
 * edges in opposite directions cancel each other first.
 */
static void count_left(uint32_t n, uint32_t left[PLACES][PLACES])
{
	memset(left, 0, PLACES * sizeof(*left));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t own[PLACES][PLACES] = {{0}};
		for (uint32_t c = 0; c < 3 * clusters[i].n_triangles; c++) {
			uint8_t to = (uint8_t)(c % 3 == 2 ? c - 2 : c + 1);
			own[place_of(i, (uint8_t)c)][place_of(i, to)]++;
		}
		for (uint32_t a = 0; a < PLACES; a++)
			for (uint32_t b = 0; b < PLACES; b++)
				left[a][b] += a == b                  ? own[a][a] % 2
					      : own[a][b] > own[b][a] ? own[a][b] - own[b][a]
								      : 0;
	}
}

static void test_level(uint32_t n, uint32_t places)
{
	struct cs_level level;
	uint32_t left[PLACES][PLACES], mated[PLACES][PLACES] = {{0}}, edges = 0, wrong = 0;
	make_clusters(n, places);
	struct cs_builder builder = {.threads = 1,
		.dag = {.clusters = clusters,
			.n_clusters = n,
			.positions = positions,
			.corners = corners}};
	works(cs_level_init(&builder, &level), "%u clusters on %u places", n, places);
	count_left(n, left);
	for (uint32_t e = 0; e < level.n_edges; e++) {
		const struct cs_level_edge *edge = &level.edges[e],
					   *mate = &level.edges[edge->mate];
		uint32_t from = place_of(level.cluster_of[e], edge->from);
		uint32_t to = place_of(level.cluster_of[e], edge->to);
		if (edge->mate == CS_NONE)
			continue;
		mated[from][to]++;
		wrong += mate->mate != e || level.cluster_of[edge->mate] == level.cluster_of[e] ||
			 place_of(level.cluster_of[edge->mate], mate->from) != to ||
			 place_of(level.cluster_of[edge->mate], mate->to) != from;
	}
	for (uint32_t a = 0; a < PLACES; a++)
		for (uint32_t b = 0; b < PLACES; b++) {
			uint32_t least = left[a][b] < left[b][a] ? left[a][b] : left[b][a];
			edges += left[a][b];
			wrong += mated[a][b] != (a == b ? left[a][a] / 2 * 2 : least);
		}
	ok(level.n_edges == edges && wrong == 0, "%u edges, as many joined as can be", edges);
	cs_level_deinit(&level);
}

int main(void)
{
	for (int i = 0; i < 100; i++)
		test_level(1 + cs_random_below(&chance, CLUSTERS),
			1 + cs_random_below(&chance, PLACES));
	return done();
}
