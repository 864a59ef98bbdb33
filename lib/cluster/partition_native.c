/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partitions a graph without METIS. Bisects recursively, as METIS does. METIS finds cuts by
 * coarsening the graph; this partitioner finds them from the positions of the nodes: a range of
 * nodes is cut by planes of several directions across its longest axes, each cut is refined in a
 * narrow band around the plane (cluster/refine.c), and the lightest cut is used. Where all cuts are
 * bad, the nodes are ordered by a flood (breadth-first search) through the graph instead. The
 * number of parts of a range is fixed from the start, so sizes stay within their limits: the left
 * side gets at most as many nodes as its parts may contain.
 *
 * Invariant: order[begin .. end) lists the nodes of a range, and part[node] is the first part of
 * the range, a number that no other range has. Ranges are disjoint, and a bisection writes only the
 * data of its own nodes, so ranges are cut in parallel: large ranges one level after the other,
 * small ones completely by one thread. All choices depend on the range alone, so the result is
 * independent of the number of threads.
 */
#include "cluster/partition.h"

#include "cluster/refine.h"
#include "core/invariant.h"
#include "core/parallel.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	BINS = 256,
	/* largest number of nodes in a range (block) that one thread cuts down to single parts */
	BLOCK = 4096,
	DIRECTIONS = 4,
	SAMPLES = 128, /* number of a range's nodes from which its longest axes are computed */
	/* number of nodes whose edges weigh_leaps() examines */
	LEAPERS = 64,
	DEPTH = 32,
};

/* The band has about this factor * sqrt(nodes of the range) nodes on each side of the plane. */
#define BAND_WIDTH 1.5

struct range {
	uint32_t begin, end; /* the range is order[begin] to order[end - 1] */
	uint32_t parts, first_part;
};

struct cutter {
	const struct cs_graph *graph;
	struct cs_partition_size size;
	uint32_t *order, *starts;
	uint32_t *part;    /* for each node, the member first_part of the range that has it */
	uint8_t *where;    /* for each node, its side of the current plane (enum where) */
	uint16_t *in_band; /* for each node, its index in the band (the nodes near the plane) */
	/* for each index in `order`, the coordinate of the node along the current direction */
	float *along;
	uint8_t *bins; /* for each index in `order`, the bin of the coordinate in `along` */
	bool no_memory;
};

enum where { LEFT, RIGHT, BAND };

/* working memory of one thread */
struct bench {
	struct cutter *cutter;
	struct cs_band band;
	/* for each node in the band, coordinate along the normal (high 32 bits) and number (low) */
	uint64_t *keys;
	size_t room_keys;
	uint32_t *spare, *queue; /* working memory with room for the nodes of the range */
	size_t room_spare;
};

/*
 * Returns the number of the first part of the range that contains the node. Another thread may be
 * changing it, but never to the number of the caller's range, so comparing the two is safe.
 */
static uint32_t part_of(const struct cutter *cutter, uint32_t node)
{
	return __atomic_load_n(&cutter->part[node], __ATOMIC_RELAXED);
}

/* ---- directions of planes ---- */

/* Computes the covariance matrix of the positions, in the order xx xy xz yy yz zz. */
static void covariance(const struct cutter *cutter, struct range range, double m[6])
{
	double mean[3] = {0, 0, 0};
	uint32_t step = 1 + (range.end - range.begin) / SAMPLES, n = 0;
	for (uint32_t i = range.begin; i < range.end; i += step, n++)
		for (size_t k = 0; k < 3; k++)
			mean[k] += (double)cutter->graph->centres[3 * (size_t)cutter->order[i] + k];
	memset(m, 0, 6 * sizeof(*m));
	for (uint32_t i = range.begin; i < range.end; i += step) {
		const float *p = cutter->graph->centres + 3 * (size_t)cutter->order[i];
		double x = p[0] - mean[0] / n, y = p[1] - mean[1] / n, z = p[2] - mean[2] / n;
		m[0] += x * x;
		m[1] += x * y;
		m[2] += x * z;
		m[3] += y * y;
		m[4] += y * z;
		m[5] += z * z;
	}
}

/* Finds the longest axis perpendicular to `across` by power iteration with covariance matrix m. */
static void main_axis(const double m[6], const double across[3], double axis[3])
{
	/* The start vector is asymmetric, so that it has a component along every axis. */
	double v[3] = {m[0] + 0.3 * m[1], m[3] + 0.2 * m[4], m[5] + 0.1 * m[2]};
	for (int i = 0; i < 12; i++) {
		double dot = v[0] * across[0] + v[1] * across[1] + v[2] * across[2];
		for (int k = 0; k < 3; k++)
			v[k] -= dot * across[k];
		double w[3] = {m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
			m[1] * v[0] + m[3] * v[1] + m[4] * v[2],
			m[2] * v[0] + m[4] * v[1] + m[5] * v[2]};
		double length = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
		if (!(length > 0))
			break;
		for (int k = 0; k < 3; k++)
			v[k] = w[k] / length;
	}
	memcpy(axis, v, 3 * sizeof(*axis));
}

/* Lists normals of planes to try: combinations of the range's two longest axes, longest first. */
static void list_directions(const struct cutter *cutter, struct range range, float ret[][3])
{
	static const double mix[DIRECTIONS][2] = {
		{1, 0}, {0, 1}, {0.7071, 0.7071}, {0.7071, -0.7071}};
	const double none[3] = {0, 0, 0};
	double m[6], first[3], second[3];
	covariance(cutter, range, m);
	main_axis(m, none, first);
	main_axis(m, first, second);
	for (int i = 0; i < DIRECTIONS; i++)
		for (int k = 0; k < 3; k++)
			ret[i][k] = (float)(mix[i][0] * first[k] + mix[i][1] * second[k]);
}

/*
 * A good cut through a compact sheet of n triangles has about sqrt(n) edges. If a cut weighs less
 * than GOOD_CUT times that, no further direction of planes is tried. If the best cut weighs more
 * than BAD_CUT times that, planes do not suit the graph, and a cut by breadth-first search (flood)
 * is tried.
 */
#define GOOD_CUT 0.8
#define BAD_CUT  1.8

static bool is_within(const struct bench *bench, int64_t weight, double times, uint32_t nodes)
{
	return (double)weight <= times * sqrt(nodes) * bench->band.heaviest;
}

/* ---- cutting by one plane ---- */

static uint32_t sortable(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static uint64_t median_of(uint64_t a, uint64_t b, uint64_t c)
{
	if (a > b) {
		uint64_t swap = a;
		a = b;
		b = swap;
	}
	return c < a ? a : c < b ? c : b;
}

/* Moves the `nth` smallest of n different keys to the front, in any order. 0 < nth < n. */
static void select_keys(uint64_t *keys, size_t n, size_t nth)
{
	size_t low = 0, high = n;
	while (high - low > 1) {
		uint64_t pivot = median_of(keys[low], keys[low + (high - low) / 2], keys[high - 1]);
		size_t i = low, j = high - 1;
		for (;; i++, j--) {
			while (keys[i] < pivot)
				i++;
			while (keys[j] > pivot)
				j--;
			if (i >= j)
				break;
			uint64_t swap = keys[i];
			keys[i] = keys[j];
			keys[j] = swap;
		}
		/* keys before index i are at most the pivot, those from i on at least the pivot */
		if (i == low)
			i++;
		if (nth < i)
			high = i;
		else if (nth > i)
			low = i;
		else
			return;
	}
}

/* The smallest and the largest coordinate of nodes along a direction. */
struct extent {
	float least, most;
};

/* Returns the smallest and the largest of n coordinates. Compares four coordinates at a time. */
static struct extent partition_native_extent_of(const float *along, uint32_t n)
{
	float least[4], most[4];
	uint32_t i = 0;
	for (int k = 0; k < 4; k++) {
		least[k] = INFINITY;
		most[k] = -INFINITY;
	}
	for (; i + 4 <= n; i += 4)
		for (uint32_t k = 0; k < 4; k++) {
			least[k] = along[i + k] < least[k] ? along[i + k] : least[k];
			most[k] = along[i + k] > most[k] ? along[i + k] : most[k];
		}
	for (; i < n; i++) {
		least[0] = along[i] < least[0] ? along[i] : least[0];
		most[0] = along[i] > most[0] ? along[i] : most[0];
	}
	for (int k = 1; k < 4; k++) {
		least[0] = least[k] < least[0] ? least[k] : least[0];
		most[0] = most[k] > most[0] ? most[k] : most[0];
	}
	return (struct extent){least[0], most[0]};
}

static struct extent partition_native_project(
	struct cutter *cutter, struct range range, const float direction[3])
{
	const float *restrict centres = cutter->graph->centres;
	const uint32_t *restrict order = cutter->order;
	float *restrict along = cutter->along, x = direction[0], y = direction[1], z = direction[2];
	for (uint32_t i = range.begin; i < range.end; i++) {
		const float *p = centres + 3 * (size_t)order[i];
		along[i] = p[0] * x + p[1] * y + p[2] * z;
	}
	return partition_native_extent_of(along + range.begin, range.end - range.begin);
}

/* Assigns each coordinate to one of BINS bins of equal width, and counts the nodes of each. */
static void fill_bins(
	struct cutter *cutter, struct range range, struct extent extent, uint32_t counts[BINS])
{
	float least = extent.least;
	float per_bin = extent.most > least ? BINS / (extent.most - least) : 0;
	per_bin = isfinite(per_bin) ? per_bin : 0;
	memset(counts, 0, BINS * sizeof(*counts));
	const float *restrict along = cutter->along + range.begin;
	uint8_t *restrict bins = cutter->bins + range.begin;
	uint32_t n = range.end - range.begin;
	for (uint32_t i = 0; i < n; i++) {
		int32_t bin = (int32_t)((along[i] - least) * per_bin);
		bins[i] = (uint8_t)(bin < BINS ? bin : BINS - 1);
	}
	/* The counting is a separate loop, so that the compiler can vectorise the loop above. */
	for (uint32_t i = 0; i < n; i++)
		counts[bins[i]]++;
}

/* Reserves room for n keys and the extra one of sort_bins(). Returns false when memory runs out. */
static bool reserve_keys(struct bench *bench, uint32_t n)
{
	if (n < bench->room_keys)
		return true;
	uint64_t *keys = realloc(bench->keys, 2 * ((size_t)n + 1) * sizeof(*keys));
	if (!keys)
		return false;
	bench->keys = keys;
	bench->room_keys = 2 * ((size_t)n + 1);
	return true;
}

/* Sets each node's side by its bin, and writes the keys of nodes in the band (near the plane). */
static void sort_bins(struct bench *bench, struct range range, const uint8_t where[BINS])
{
	const struct cutter *cutter = bench->cutter;
	const uint32_t *restrict order = cutter->order;
	const uint8_t *restrict bins = cutter->bins;
	uint8_t *restrict sides = cutter->where;
	uint64_t *restrict keys = bench->keys;
	uint32_t n = 0;
	for (uint32_t i = range.begin; i < range.end; i++) {
		uint8_t there = where[bins[i]];
		sides[order[i]] = there;
		keys[n] = i;
		n += there == BAND;
	}
	for (uint32_t i = 0; i < n; i++)
		keys[i] = (uint64_t)sortable(cutter->along[keys[i]]) << 32 | order[keys[i]];
}

/*
 * Divides the nodes of a range by a plane with `left` nodes on its left: nodes near the plane form
 * the band, the others the left and the right side. bench->keys receives the band's keys,
 * *n_keys_ret their number, *fixed_ret the number of nodes on the left side outside the band.
 * Returns how many nodes of the band are left of the plane, or CS_NONE when memory runs out.
 */
static uint32_t classify(struct bench *bench, struct range range, struct extent extent,
	uint32_t left, uint32_t *n_keys_ret, uint32_t *fixed_ret)
{
	struct cutter *cutter = bench->cutter;
	uint32_t counts[BINS], n = range.end - range.begin, fixed = 0;
	uint32_t width = (uint32_t)(BAND_WIDTH * sqrt(n)) + 1, first = 0, last;
	fill_bins(cutter, range, extent, counts);
	while (fixed + counts[first] + width <= left)
		fixed += counts[first++];
	last = first;
	uint32_t sum = fixed + counts[first];
	while (last + 1 < BINS && sum < left + width)
		sum += counts[++last];
	uint8_t where[BINS];
	memset(where, LEFT, first);
	memset(where + first, BAND, last + 1 - first);
	memset(where + last + 1, RIGHT, BINS - last - 1);
	*n_keys_ret = sum - fixed;
	*fixed_ret = fixed;
	if (!reserve_keys(bench, sum - fixed))
		return CS_NONE;
	sort_bins(bench, range, where);
	return left - fixed;
}

/*
 * Limits the band to CS_BAND_NODES / 2 keys on either side of the plane: assigns the other nodes to
 * LEFT or RIGHT, and moves the keys of the band to the front. Updates *left (number of keys left of
 * the plane) and *fixed (number of LEFT nodes). Returns how many keys remain.
 */
static uint32_t partition_native_trim(
	struct bench *bench, uint32_t n_keys, uint32_t *left, uint32_t *fixed)
{
	uint64_t *keys = bench->keys;
	if (*left > 0 && *left < n_keys)
		select_keys(keys, n_keys, *left);
	uint32_t half = CS_BAND_NODES / 2, from = *left > half ? *left - half : 0;
	uint32_t to = n_keys - *left > half ? *left + half : n_keys;
	if (to < n_keys)
		select_keys(keys + *left, n_keys - *left, to - *left);
	if (from > 0)
		select_keys(keys, *left, from);
	for (uint32_t i = 0; i < from; i++)
		bench->cutter->where[(uint32_t)keys[i]] = LEFT;
	for (uint32_t i = to; i < n_keys; i++)
		bench->cutter->where[(uint32_t)keys[i]] = RIGHT;
	memmove(keys, keys + from, (to - from) * sizeof(*keys));
	*left -= from;
	*fixed += from;
	return to - from;
}

static bool reserve_band(struct bench *bench, uint32_t n)
{
	const struct cs_graph *graph = bench->cutter->graph;
	size_t edges = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = (uint32_t)bench->keys[i];
		edges += graph->offsets[node + 1] - graph->offsets[node];
	}
	return cs_band_reserve(&bench->band, n, edges);
}

/*
 * Makes the graph of the band (the nodes near the plane), which consists of the nodes of the first
 * n of bench->keys. The nodes of the first `left` keys begin on the left side.
 */
static void fill_band(struct bench *bench, uint32_t first_part, uint32_t n, uint32_t left)
{
	struct cutter *cutter = bench->cutter;
	const struct cs_graph *graph = cutter->graph;
	struct cs_band *band = &bench->band;
	uint32_t n_edges = 0;
	band->n = n;
	band->heaviest = 1;
	for (uint32_t i = 0; i < n; i++)
		cutter->in_band[(uint32_t)bench->keys[i]] = (uint16_t)i;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = (uint32_t)bench->keys[i];
		band->offsets[i] = n_edges;
		band->side[i] = i >= left;
		band->pull[i][0] = band->pull[i][1] = 0;
		for (uint32_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
			uint32_t other = graph->targets[e];
			int32_t weight = graph->weights[e];
			if (part_of(cutter, other) != first_part)
				continue;
			if (weight > band->heaviest)
				band->heaviest = weight;
			if (cutter->where[other] != BAND) {
				band->pull[i][cutter->where[other]] += weight;
				continue;
			}
			band->targets[n_edges] = cutter->in_band[other];
			band->weights[n_edges++] = (uint16_t)weight;
		}
	}
	band->offsets[n] = n_edges;
}

/* Weight of a cut of a range, and the number of nodes on its left side after refinement. */
struct cut {
	int64_t weight;
	uint32_t left;
};

/* Copies the range to bench->spare, the left side first. Both sides keep their order. */
static void sort_sides(struct bench *bench, struct range range, uint32_t n_left)
{
	const struct cutter *cutter = bench->cutter;
	const uint32_t *restrict order = cutter->order;
	uint32_t *restrict to = bench->spare, left = 0, right = n_left;
	for (uint32_t i = range.begin; i < range.end; i++) {
		uint32_t node = order[i];
		uint8_t side = cutter->where[node];
		if (side == BAND)
			side = bench->band.side[cutter->in_band[node]];
		to[side ? right : left] = node;
		right += side;
		left += 1 - side;
	}
}

/*
 * Estimates the weight of the edges from nodes on the left of the band (the nodes near the plane)
 * to nodes on its right. Refinement moves only nodes of the band and ignores these edges. Hardly
 * any mesh has such long edges, so a sample of the nodes is checked and the sum is extrapolated.
 */
static int64_t weigh_leaps(const struct cutter *cutter, struct range range)
{
	const struct cs_graph *graph = cutter->graph;
	uint32_t step = 1 + (range.end - range.begin) / LEAPERS;
	int64_t weight = 0;
	for (uint32_t i = range.begin; i < range.end; i += step) {
		uint32_t node = cutter->order[i];
		if (cutter->where[node] != LEFT)
			continue;
		for (uint32_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++)
			if (part_of(cutter, graph->targets[e]) == range.first_part &&
				cutter->where[graph->targets[e]] == RIGHT)
				weight += graph->weights[e];
	}
	return weight * step;
}

/*
 * Cuts the range by a plane perpendicular to the direction of the coordinates in cutter->along, and
 * refines the cut. If the cut is lighter than *best, stores it in *best and the sorted nodes in
 * bench->spare. Returns false when memory runs out.
 */
static bool try_cut(struct bench *bench, struct range range, struct cs_balance balance,
	struct extent extent, struct cut *best)
{
	const struct cutter *cutter = bench->cutter;
	uint32_t n_keys, fixed;
	uint32_t left = classify(bench, range, extent, (uint32_t)balance.left, &n_keys, &fixed);
	if (left == CS_NONE)
		return false;
	uint32_t n = partition_native_trim(bench, n_keys, &left, &fixed);
	if (!reserve_band(bench, n))
		return false;
	fill_band(bench, range.first_part, n, left);
	int64_t weight = cs_band_refine(&bench->band, &balance) + weigh_leaps(cutter, range);
	if (weight < best->weight) {
		*best = (struct cut){weight, (uint32_t)balance.left};
		sort_sides(bench, range, best->left);
	}
	return true;
}

/* ---- bisection of a range ---- */

/*
 * Returns the desired number of nodes on the left side, and its limits. A side that will be cut
 * further uses half of the tolerance in part sizes, so that later cuts can use the other half.
 */
static struct cs_balance balance_of(struct cs_partition_size size, struct range range)
{
	double n = range.end - range.begin, all = range.parts;
	uint32_t left = range.parts / 2, right = range.parts - left;
	double mean = n / all, most = size.max, least = mean < size.min ? mean - 0.5 : size.min;
	double inner_most = (mean + most) / 2, inner_least = (mean + least) / 2;
	double most_left = floor(left * (left > 1 ? inner_most : most));
	double most_right = floor(right * (right > 1 ? inner_most : most));
	double least_left = ceil(left * (left > 1 ? inner_least : least));
	double least_right = ceil(right * (right > 1 ? inner_least : least));
	struct cs_balance balance = {
		.left = (int32_t)(n * left / all),
		.low = (int32_t)fmax(least_left, n - most_right),
		.high = (int32_t)fmin(most_left, n - least_right),
	};
	balance.low = balance.low > balance.left ? balance.left : balance.low;
	balance.high = balance.high < balance.left ? balance.left : balance.high;
	return balance;
}

static bool reserve_spare(struct bench *bench, size_t n)
{
	if (n <= bench->room_spare)
		return true;
	uint32_t *spare = realloc(bench->spare, n * sizeof(*spare));
	bench->spare = spare ? spare : bench->spare;
	uint32_t *queue = realloc(bench->queue, n * sizeof(*queue));
	bench->queue = queue ? queue : bench->queue;
	if (!spare || !queue)
		return false;
	bench->room_spare = n;
	return true;
}

enum { DRY, WET };

/*
 * Continues a breadth-first search (flood): visits the nodes in bench->queue from index `done` on,
 * and appends their neighbours that are in the range and were not visited, until the end of the
 * queue is reached. Returns the new length of the queue.
 */
static uint32_t spill(struct bench *bench, uint32_t first_part, uint32_t done, uint32_t n)
{
	struct cutter *cutter = bench->cutter;
	const struct cs_graph *graph = cutter->graph;
	for (; done < n; done++) {
		uint32_t node = bench->queue[done];
		for (uint32_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
			uint32_t to = graph->targets[e];
			if (part_of(cutter, to) != first_part || cutter->where[to] == WET)
				continue;
			cutter->where[to] = WET;
			bench->queue[n++] = to;
		}
	}
	return n;
}

/*
 * Lists the nodes of a range in bench->queue in the order of a breadth-first search from `start`.
 * If the search does not reach all nodes, it starts again at the first node that it did not reach.
 * Returns the last node that was reached from `start`.
 */
static uint32_t flood(struct bench *bench, struct range range, uint32_t start)
{
	struct cutter *cutter = bench->cutter;
	for (uint32_t i = range.begin; i < range.end; i++)
		cutter->where[cutter->order[i]] = DRY;
	cutter->where[start] = WET;
	bench->queue[0] = start;
	uint32_t n = spill(bench, range.first_part, 0, 1), last = bench->queue[n - 1];
	for (uint32_t i = range.begin; i < range.end; i++) {
		uint32_t source = cutter->order[i];
		if (cutter->where[source] == WET)
			continue;
		cutter->where[source] = WET;
		bench->queue[n] = source;
		n = spill(bench, range.first_part, n, n + 1);
	}
	return last;
}

/*
 * Cuts a range by distance in the graph instead of in space: nodes are ordered by a breadth-first
 * search (flood) that starts at an end of the graph. Planes cut slivers badly, because slivers are
 * close together in space and many edges apart in the graph. Returns false when memory runs out.
 */
static bool try_flood(
	struct bench *bench, struct range range, struct cs_balance balance, struct cut *best)
{
	struct cutter *cutter = bench->cutter;
	flood(bench, range, flood(bench, range, cutter->order[range.begin]));
	memcpy(cutter->order + range.begin, bench->queue,
		(range.end - range.begin) * sizeof(*cutter->order));
	for (uint32_t i = range.begin; i < range.end; i++)
		cutter->along[i] = (float)(i - range.begin);
	struct extent extent = {0, (float)(range.end - 1 - range.begin)};
	return try_cut(bench, range, balance, extent, best);
}

static bool bisect(struct bench *bench, struct range range, struct range halves[2])
{
	struct cutter *cutter = bench->cutter;
	uint32_t n = range.end - range.begin, left_parts = range.parts / 2;
	struct cs_balance balance = balance_of(cutter->size, range);
	const int n_directions = n <= 2048 ? 4 : n <= 16384 ? 2 : 1;
	float directions[DIRECTIONS][3];
	struct cut best = {INT64_MAX, 0};
	if (!reserve_spare(bench, n))
		return false;
	list_directions(cutter, range, directions);
	for (int i = 0; i < n_directions && !is_within(bench, best.weight, GOOD_CUT, n); i++) {
		struct extent extent = partition_native_project(cutter, range, directions[i]);
		if (!try_cut(bench, range, balance, extent, &best))
			return false;
	}
	if (!is_within(bench, best.weight, BAD_CUT, n) && !try_flood(bench, range, balance, &best))
		return false;
	memcpy(cutter->order + range.begin, bench->spare, n * sizeof(*cutter->order));
	uint32_t middle = range.begin + best.left, right_part = range.first_part + left_parts;
	uint32_t *part = cutter->part;
	const uint32_t *order = cutter->order;
	for (uint32_t i = middle; i < range.end; i++)
		__atomic_store_n(&part[order[i]], right_part, __ATOMIC_RELAXED);
	halves[0] = (struct range){range.begin, middle, left_parts, range.first_part};
	halves[1] = (struct range){middle, range.end, range.parts - left_parts, right_part};
	return true;
}

/* ---- cutting all ranges ---- */

/* Bisects the range repeatedly into single parts. Returns false when memory runs out. */
static bool cut_block(struct bench *bench, struct range block)
{
	struct range pending[DEPTH + 2];
	size_t n = 0;
	pending[n++] = block;
	while (n) {
		struct range range = pending[--n], halves[2];
		if (range.parts == 1) {
			bench->cutter->starts[range.first_part] = range.begin;
			continue;
		}
		if (!bisect(bench, range, halves))
			return false;
		pending[n++] = halves[1];
		pending[n++] = halves[0];
	}
	return true;
}

struct round {
	struct cutter *cutter;
	const struct range *ranges;
	/* the two halves of each range, or NULL to cut each range into single parts */
	struct range (*halves)[2];
};

static void cut_ranges(void *context, size_t begin, size_t end, int thread)
{
	const struct round *round = context;
	struct bench bench = {.cutter = round->cutter};
	bool good = true;
	(void)thread;
	for (size_t i = begin; i < end && good; i++)
		good = round->halves ? bisect(&bench, round->ranges[i], round->halves[i])
				     : cut_block(&bench, round->ranges[i]);
	if (!good)
		__atomic_store_n(&round->cutter->no_memory, true, __ATOMIC_RELAXED);
	cs_band_deinit(&bench.band);
	free(bench.keys);
	free(bench.spare);
	free(bench.queue);
}

/* Bisects ranges of over BLOCK nodes level by level, then cuts blocks into single parts. */
static struct cs_error *cut_all(struct cutter *cutter, uint32_t parts, int threads)
{
	CS_VEC(struct range) large = {0}, blocks = {0};
	struct range all = {0, cutter->graph->n, parts, 0};
	bool good =
		all.end > BLOCK && parts > 1 ? cs_vec_push(&large, all) : cs_vec_push(&blocks, all);
	while (good && large.n) {
		struct range(*halves)[2] = malloc(large.n * sizeof(*halves));
		struct round round = {cutter, large.at, halves};
		size_t n = large.n;
		good = halves != NULL;
		if (good)
			cs_parallel_for(threads, n, 1, cut_ranges, &round);
		good = good && !cutter->no_memory;
		large.n = 0;
		for (size_t i = 0; good && i < 2 * n; i++) {
			struct range half = halves[i / 2][i % 2];
			bool is_block = half.end - half.begin <= BLOCK || half.parts == 1;
			good = is_block ? cs_vec_push(&blocks, half) : cs_vec_push(&large, half);
		}
		free(halves);
	}
	if (good) {
		struct round round = {cutter, blocks.at, NULL};
		cs_parallel_for(threads, blocks.n, 1, cut_ranges, &round);
	}
	cs_vec_free(&large);
	cs_vec_free(&blocks);
	return good && !cutter->no_memory ? NULL : cs_error_nomem();
}

/* Returns whether each node is listed once, in the range of its part. Overwrites cutter->where. */
static bool cs_ranges_hold(const struct cutter *cutter, uint32_t parts)
{
	memset(cutter->where, 0, cutter->graph->n);
	for (uint32_t part = 0; part < parts; part++) {
		for (uint32_t i = cutter->starts[part]; i < cutter->starts[part + 1]; i++) {
			uint32_t node = cutter->order[i];
			if (node >= cutter->graph->n || cutter->where[node]++ ||
				cutter->part[node] != part)
				return false;
		}
	}
	return cutter->starts[0] == 0 && cutter->starts[parts] == cutter->graph->n;
}

static uint32_t count_parts(uint32_t n, struct cs_partition_size size)
{
	if (n <= size.max)
		return n > 0;
	uint32_t parts = (uint32_t)ceil(n / (double)size.target);
	return parts < 2 ? 2 : parts;
}

struct cs_error *cs_partition_native(const struct cs_graph *graph, struct cs_partition_size size,
	int threads, struct cs_partition *partition)
{
	size_t n = (size_t)graph->n + 1;
	struct cutter cutter = {
		.graph = graph,
		.size = size,
		.order = partition->order,
		.starts = partition->starts,
		.part = calloc(n, sizeof(uint32_t)),
		.where = malloc(n),
		.in_band = malloc(n * sizeof(uint16_t)),
		.along = malloc(n * sizeof(float)),
		.bins = malloc(n),
	};
	struct cs_error *error = NULL;
	partition->n_parts = count_parts(graph->n, size);
	partition->starts[partition->n_parts] = graph->n;
	if (!cutter.part || !cutter.where || !cutter.in_band || !cutter.along || !cutter.bins)
		error = cs_error_nomem();
	else if (partition->n_parts)
		error = cut_all(&cutter, partition->n_parts, threads);
	CS_INVARIANT(error || !partition->n_parts || cs_ranges_hold(&cutter, partition->n_parts),
		"a range has its nodes, and each node the part of its range");
	free(cutter.part);
	free(cutter.where);
	free(cutter.in_band);
	free(cutter.along);
	free(cutter.bins);
	return error;
}
