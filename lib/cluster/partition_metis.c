/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partitions a graph with METIS, which no other file includes. The graph is bisected recursively
 * with the engine's parameters (nanite rules 2.1) until each part has at most `max` nodes. The
 * target is (min + max) / 2 nodes per part. A half may be 20 % larger than its share if the range
 * will have 128 parts or more, or if `max` is at least twice `min`, otherwise 0.1 %.
 *
 * METIS 5.1 draws numbers from libc's rand and installs its own signal handlers. So only one thread
 * calls it at a time, each call has the same seed, and the handlers of the process are restored.
 */
#include "cluster/partition.h"

#include "core/scratch.h"
#include "core/vec.h"

#include <metis.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static pthread_mutex_t metis_turn = PTHREAD_MUTEX_INITIALIZER;

struct range {
	uint32_t begin, end;
};

struct cutter {
	const struct cs_graph *graph;
	struct cs_partition_size size;
	uint32_t *order;
	uint32_t *place; /* index of each node in `order` */
	uint32_t *spare; /* working memory, as long as `order` */
	/* the subgraph of the range that is being cut, and the side of each of its nodes */
	idx_t *offsets, *targets, *weights, *side;
	CS_VEC(struct range) pending, parts;
	struct cs_scratch scratch; /* the memory of these arrays but for the ranges */
};

static void partition_metis_extract(struct cutter *cutter, struct range range)
{
	const struct cs_graph *graph = cutter->graph;
	idx_t n_edges = 0;
	for (uint32_t i = range.begin; i < range.end; i++) {
		uint32_t node = cutter->order[i];
		cutter->offsets[i - range.begin] = n_edges;
		for (uint32_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
			uint32_t to = cutter->place[graph->targets[e]];
			if (to < range.begin || to >= range.end)
				continue;
			cutter->targets[n_edges] = (idx_t)(to - range.begin);
			cutter->weights[n_edges++] = graph->weights[e];
		}
	}
	cutter->offsets[range.end - range.begin] = n_edges;
}

static int partition_metis_bisect(struct cutter *cutter, idx_t n)
{
	struct cs_partition_size size = cutter->size;
	idx_t constraints = 1, sides = 2, partition_metis_cut = 0, options[METIS_NOPTIONS];
	uint32_t target = (size.min + size.max) / 2, parts = ((uint32_t)n + target / 2) / target;
	parts = parts < 2 ? 2 : parts;
	real_t left = (real_t)(parts / 2) / (real_t)parts, weights[2] = {left, 1 - left};
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = 1;
	options[METIS_OPTION_UFACTOR] = parts >= 128 || size.max / size.min > 1 ? 200 : 1;
	return METIS_PartGraphRecursive(&n, &constraints, cutter->offsets, cutter->targets, NULL,
		NULL, cutter->weights, &sides, weights, NULL, options, &partition_metis_cut,
		cutter->side);
}

/* Calls METIS, and then restores the handlers of SIGTERM and SIGABRT, which METIS may replace. */
static int bisect_alone(struct cutter *cutter, idx_t n)
{
	struct sigaction on_term, on_abort;
	sigaction(SIGTERM, NULL, &on_term);
	sigaction(SIGABRT, NULL, &on_abort);
	int status = partition_metis_bisect(cutter, n);
	sigaction(SIGTERM, &on_term, NULL);
	sigaction(SIGABRT, &on_abort, NULL);
	return status;
}

/* Moves left nodes to the front, keeping both sides' order. Returns where the right side starts. */
static uint32_t reorder(struct cutter *cutter, struct range range)
{
	uint32_t left = range.begin, right = 0;
	for (uint32_t i = range.begin; i < range.end; i++)
		if (cutter->side[i - range.begin])
			cutter->spare[right++] = cutter->order[i];
		else
			cutter->order[left++] = cutter->order[i];
	for (uint32_t i = 0; i < right; i++)
		cutter->order[left + i] = cutter->spare[i];
	for (uint32_t i = range.begin; i < range.end; i++)
		cutter->place[cutter->order[i]] = i;
	return left;
}

static struct cs_error *partition_metis_cut(struct cutter *cutter, struct range range)
{
	uint32_t n = range.end - range.begin;
	if (n <= cutter->size.max)
		return cs_vec_push(&cutter->parts, range) ? NULL : cs_error_nomem();
	partition_metis_extract(cutter, range);
	int status = bisect_alone(cutter, (idx_t)n);
	if (status == METIS_ERROR_MEMORY)
		return cs_error_nomem();
	if (status == METIS_ERROR_INPUT)
		return cs_error_new(CS_E_FEATURE,
			"this cellscope was built without METIS: leave out --partitioner metis");
	uint32_t middle = status == METIS_OK ? reorder(cutter, range) : range.begin;
	/* a cut with an empty side would be repeated for ever: halve the range in its order */
	if (middle == range.begin || middle == range.end)
		middle = range.begin + n / 2;
	/* The range pushed last is cut first: parts are numbered from left to right. */
	if (!cs_vec_push(&cutter->pending, (struct range){middle, range.end}) ||
		!cs_vec_push(&cutter->pending, (struct range){range.begin, middle}))
		return cs_error_nomem();
	return NULL;
}

static struct cs_error *partition_metis_cut_all(struct cutter *cutter)
{
	struct cs_error *error = NULL;
	if (cutter->graph->n && !cs_vec_push(&cutter->pending, (struct range){0, cutter->graph->n}))
		return cs_error_nomem();
	pthread_mutex_lock(&metis_turn);
	while (cutter->pending.n && !error)
		error = partition_metis_cut(cutter, cutter->pending.at[--cutter->pending.n]);
	pthread_mutex_unlock(&metis_turn);
	return error;
}

struct cs_error *cs_partition_metis(
	const struct cs_graph *graph, struct cs_partition_size size, struct cs_partition *partition)
{
	size_t n = (size_t)graph->n + 1, n_edges = (size_t)graph->offsets[graph->n] + 1;
	struct cutter cutter = {
		.graph = graph,
		.size = size,
		.order = partition->order,
	};
	cutter.place = CS_SCRATCH_ARRAY(&cutter.scratch, uint32_t, n);
	cutter.spare = CS_SCRATCH_ARRAY(&cutter.scratch, uint32_t, n);
	cutter.offsets = CS_SCRATCH_ARRAY(&cutter.scratch, idx_t, n);
	cutter.targets = CS_SCRATCH_ARRAY(&cutter.scratch, idx_t, n_edges);
	cutter.weights = CS_SCRATCH_ARRAY(&cutter.scratch, idx_t, n_edges);
	cutter.side = CS_SCRATCH_ARRAY(&cutter.scratch, idx_t, n);
	struct cs_error *error = cutter.scratch.failed ? cs_error_nomem() : NULL;
	for (uint32_t i = 0; !error && i < graph->n; i++)
		cutter.place[partition->order[i]] = i;
	if (!error)
		error = partition_metis_cut_all(&cutter);
	for (size_t i = 0; !error && i < cutter.parts.n; i++)
		partition->starts[i] = cutter.parts.at[i].begin;
	partition->starts[error ? 0 : cutter.parts.n] = graph->n;
	partition->n_parts = (uint32_t)cutter.parts.n;
	cs_scratch_deinit(&cutter.scratch);
	cs_vec_free(&cutter.pending);
	cs_vec_free(&cutter.parts);
	return error;
}
