/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches edges. The edges that begin at each position are listed in ascending order by a counting
 * sort, so the partner of edge a -> b is found among the few that begin at b. Lists longer than
 * LONG are sorted by the position where their edges end and searched by bisection, so that a
 * million coincident triangles or a fan around one position stay cheap.
 */
#include "mesh/edges.h"

#include "core/large.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/sort.h"

#include <stdlib.h>
#include <string.h>

enum { LONG = 32, GRAIN = 1 << 15 };

struct matcher {
	const uint32_t *corners;
	/* for each position, the index in `edges` of the first edge that begins there */
	const uint32_t *starts;
	const uint32_t *edges; /* indices of the edges, sorted by the position where they begin */
	uint32_t *opposite;
};

/* Lists the edges on several threads, each for its own range of positions. */
struct lister {
	const uint32_t *corners;
	uint32_t n_edges, n_places, n_stretches;
	uint32_t *starts, *edges;
};

static uint32_t stretch_begin(const struct lister *lister, size_t stretch)
{
	return (uint32_t)((uint64_t)lister->n_places * stretch / lister->n_stretches);
}

static void count_edges(void *context, size_t begin, size_t end, int thread)
{
	const struct lister *lister = context;
	uint32_t first = stretch_begin(lister, begin), n = stretch_begin(lister, end) - first;
	uint32_t *counts = lister->starts + first + 1;
	(void)thread;
	for (uint32_t e = 0; e < lister->n_edges; e++)
		if (lister->corners[e] - first < n)
			counts[lister->corners[e] - first]++;
}

static void put_edges(void *context, size_t begin, size_t end, int thread)
{
	const struct lister *lister = context;
	uint32_t first = stretch_begin(lister, begin), n = stretch_begin(lister, end) - first;
	uint32_t *places = lister->starts + first;
	(void)thread;
	for (uint32_t e = 0; e < lister->n_edges; e++)
		if (lister->corners[e] - first < n)
			lister->edges[places[lister->corners[e] - first]++] = e;
}

/*
 * Sorts the edges by the position where they begin: those of position p are edges[starts[p]] to
 * edges[starts[p + 1] - 1].
 */
static void list_edges(struct lister *lister, int threads)
{
	uint32_t *starts = lister->starts;
	cs_parallel_for(threads, lister->n_stretches, 1, count_edges, lister);
	for (uint32_t p = 0; p < lister->n_places; p++)
		starts[p + 1] += starts[p];
	cs_parallel_for(threads, lister->n_stretches, 1, put_edges, lister);
	memmove(starts + 1, starts, lister->n_places * sizeof(*starts));
	starts[0] = 0;
}

static struct cs_error *sort_list(const uint32_t *corners, uint32_t *edges, size_t n)
{
	struct cs_sort_key *keys = cs_large_calloc(n, sizeof(*keys));
	if (!keys)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		keys[i] = (struct cs_sort_key){
			.low = corners[cs_next_edge(edges[i])], .index = edges[i]};
	bool good = cs_sort_keys(keys, n);
	for (size_t i = 0; good && i < n; i++)
		edges[i] = keys[i].index;
	free(keys);
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *sort_long_lists(
	const uint32_t *corners, uint32_t n_places, const uint32_t *starts, uint32_t *edges)
{
	for (uint32_t p = 0; p < n_places; p++) {
		uint32_t n = starts[p + 1] - starts[p];
		struct cs_error *error = n > LONG ? sort_list(corners, edges + starts[p], n) : NULL;
		if (error)
			return error;
	}
	return NULL;
}

/* Returns the first edge from position `from` to position `to`, or CS_NONE. */
static uint32_t find_edge(const struct matcher *matcher, uint32_t from, uint32_t to)
{
	uint32_t low = matcher->starts[from], end = matcher->starts[from + 1];
	if (end - low > LONG) {
		low = cs_lower_bound(
			low, end, i, matcher->corners[cs_next_edge(matcher->edges[i])] < to);
		end = low < end ? low + 1 : end;
	}
	for (; low < end; low++)
		if (matcher->corners[cs_next_edge(matcher->edges[low])] == to)
			return matcher->edges[low];
	return CS_NONE;
}

static void match_range(void *context, size_t begin, size_t end, int thread)
{
	const struct matcher *matcher = context;
	(void)thread;
	for (size_t triangle = begin; triangle < end; triangle++)
		for (uint32_t k = 0; k < 3; k++) {
			uint32_t e = (uint32_t)triangle * 3 + k;
			matcher->opposite[e] = find_edge(
				matcher, matcher->corners[cs_next_edge(e)], matcher->corners[e]);
		}
}

/*
 * Returns the number of ranges of positions: one per thread, but at most 16, because the work on
 * each range reads all corners.
 */
static uint32_t stretches_of(int threads)
{
	enum { MOST_STRETCHES = 16 };
	int n = cs_parallel_threads(threads);
	return n < MOST_STRETCHES ? (uint32_t)n : MOST_STRETCHES;
}

struct cs_error *cs_match_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	int threads, uint32_t *opposite_ret)
{
	uint32_t n_edges = 3 * n_triangles;
	uint32_t *starts = cs_large_calloc((size_t)n_places + 1, sizeof(*starts));
	uint32_t *edges = cs_large_malloc(((size_t)n_edges + 1) * sizeof(*edges));
	struct cs_error *error = starts && edges ? NULL : cs_error_nomem();
	if (!error) {
		struct lister lister = {
			corners, n_edges, n_places, stretches_of(threads), starts, edges};
		list_edges(&lister, threads);
		error = sort_long_lists(corners, n_places, starts, edges);
	}
	if (!error) {
		struct matcher matcher = {corners, starts, edges, opposite_ret};
		cs_parallel_for(threads, n_triangles, GRAIN, match_range, &matcher);
	}
	free(starts);
	free(edges);
	return error;
}

bool cs_pair_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	uint32_t *heads, uint32_t *next, uint32_t *opposite_ret)
{
	uint64_t steps = 0;
	memset(heads, 0xff, n_places * sizeof(*heads));
	/* `heads` and `next` list the edges without a partner so far, by their start position. */
	for (uint32_t e = 0; e < 3 * n_triangles; e++) {
		uint32_t from = corners[e], *link = &heads[corners[cs_next_edge(e)]];
		for (; *link != CS_NONE && corners[cs_next_edge(*link)] != from; steps++)
			link = &next[*link];
		if (steps > LONG * (uint64_t)(n_triangles + LONG))
			return false;
		uint32_t other = *link;
		opposite_ret[e] = other;
		if (other != CS_NONE) {
			opposite_ret[other] = e;
			*link = next[other];
			continue;
		}
		next[e] = heads[from];
		heads[from] = e;
	}
	return true;
}
