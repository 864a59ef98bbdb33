/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the refinement of cuts: what nodes end on which side, and what that cuts, as a twin
 * finds it that has no queue. It counts the gain of each node anew before each move, and keeps of
 * the order only when each node was put in its bucket.
 */
#include "cluster/refine.h"

#include "core/random.h"
#include "tests/samples/tap.h"

enum {
	ROUNDS = 500,
	MOST = 60,
	EDGES = 12 * MOST,
	PASSES = 4,
	NEVER = 0,
	NOBODY = -1,
};

static struct cs_random chance = {9};

static uint32_t below(uint32_t n)
{
	return cs_random_below(&chance, n);
}

/* ---- graphs ---- */

struct graph {
	uint32_t n;
	int32_t weights[MOST][MOST], pull[MOST][2], heaviest;
	int side[MOST];
};

/*
 * Makes a random graph: its weights have few values or many, and edges join nodes with close
 * numbers, as in a band.
 */
static void make_graph(struct graph *g)
{
	*g = (struct graph){.n = 1 + below(MOST), .heaviest = 1};
	uint32_t most = below(2) ? 3 : 4000, reach = 1 + below(8), pull = below(8) ? 1 : 30;
	bool mixed = below(2);
	for (uint32_t i = 0; i < g->n; i++) {
		g->side[i] = mixed && below(8) == 0 ? (int)below(2) : 2 * i >= g->n;
		for (int side = 0; side < 2; side++)
			g->pull[i][side] = below(3) ? 0 : (int32_t)(below(most + 1) * pull);
		for (uint32_t k = 0; k < i; k++)
			if (i - k <= reach && below(3))
				g->weights[i][k] = g->weights[k][i] = 1 + (int32_t)below(most);
	}
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t k = 0; k < g->n; k++)
			if (g->weights[i][k] > g->heaviest)
				g->heaviest = g->weights[i][k];
}

static void fill(const struct graph *g, struct cs_band *band)
{
	uint32_t n_edges = 0;
	if (!cs_band_reserve(band, MOST, EDGES * MOST))
		abort();
	band->n = g->n;
	band->heaviest = g->heaviest;
	for (uint32_t i = 0; i < g->n; i++) {
		band->offsets[i] = n_edges;
		band->side[i] = (uint8_t)g->side[i];
		memcpy(band->pull[i], g->pull[i], sizeof(g->pull[i]));
		for (uint32_t k = 0; k < g->n; k++)
			if (g->weights[i][k]) {
				band->targets[n_edges] = (uint16_t)k;
				band->weights[n_edges++] = (uint16_t)g->weights[i][k];
			}
	}
	band->offsets[g->n] = n_edges;
}

/* ---- the twin ---- */

struct pass {
	int left;                  /* nodes there, with those that are fixed */
	int side[MOST], put[MOST]; /* when a node was put in its bucket last, NEVER = in none */
	bool done[MOST];
	int clock;
};

static int64_t cut_of(const struct graph *g, const int *side)
{
	int64_t cut = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		cut += g->pull[i][1 - side[i]];
		for (uint32_t k = 0; k < i; k++)
			cut += side[i] != side[k] ? g->weights[i][k] : 0;
	}
	return cut;
}

/* Returns how much lighter the cut becomes when the node changes sides. */
static int32_t gain_of(const struct graph *g, const struct pass *p, uint32_t node)
{
	int moved[MOST];
	memcpy(moved, p->side, sizeof(moved));
	moved[node] = 1 - moved[node];
	return (int32_t)(cut_of(g, p->side) - cut_of(g, moved));
}

/* Returns the bucket of a gain: the weight of the heaviest edge spans eight of the 127 buckets. */
static int bucket_of(const struct graph *g, int32_t gain)
{
	int unit = g->heaviest / 8 > 1 ? g->heaviest / 8 : 1, bucket = gain / unit;
	bucket -= gain < 0 && gain % unit != 0;
	return bucket < -63 ? -63 : bucket > 63 ? 63 : bucket;
}

/* Returns the node of this side that was put last into its highest bucket, or NOBODY. */
static int best_of(const struct graph *g, const struct pass *p, int side, int *bucket_ret)
{
	int best = NOBODY;
	for (uint32_t i = 0; i < g->n; i++) {
		if (p->done[i] || p->put[i] == NEVER || p->side[i] != side)
			continue;
		int bucket = bucket_of(g, gain_of(g, p, i));
		if (best == NOBODY || bucket > *bucket_ret ||
			(bucket == *bucket_ret && p->put[i] > p->put[best])) {
			best = (int)i;
			*bucket_ret = bucket;
		}
	}
	return best;
}

/* Offers the nodes that touch the other side, and those that touch nothing. */
static void begin(const struct graph *g, struct pass *p)
{
	for (uint32_t i = 0; i < g->n; i++) {
		int64_t out = g->pull[i][1 - p->side[i]], in = g->pull[i][p->side[i]];
		for (uint32_t k = 0; k < g->n; k++)
			*(p->side[k] == p->side[i] ? &in : &out) += g->weights[i][k];
		p->put[i] = out > 0 || in == 0 ? ++p->clock : NEVER;
	}
}

/*
 * Returns the better of the best nodes of both sides. When the left side is outside its limits,
 * returns a node whose move brings it closer to them.
 */
static int choose(const struct graph *g, const struct pass *p, const struct cs_balance *limits)
{
	int of_left = 0, of_right = 0;
	int left = best_of(g, p, 0, &of_left), right = best_of(g, p, 1, &of_right);
	if (p->left > limits->high && left != NOBODY)
		return left;
	if (p->left < limits->low && right != NOBODY)
		return right;
	if (left == NOBODY || right == NOBODY)
		return left == NOBODY ? right : left;
	if (of_left != of_right)
		return of_left > of_right ? left : right;
	return 2 * p->left < limits->low + limits->high ? right : left;
}

static int off_balance(int left, const struct cs_balance *limits)
{
	return left < limits->low    ? limits->low - left
	       : left > limits->high ? left - limits->high
				     : 0;
}

static bool is_better(const struct graph *g, const struct pass *a, const struct pass *b,
	const struct cs_balance *limits)
{
	int off_a = off_balance(a->left, limits), off_b = off_balance(b->left, limits);
	return off_a != off_b ? off_a < off_b : cut_of(g, a->side) < cut_of(g, b->side);
}

static void move(const struct graph *g, struct pass *p, int node)
{
	p->left += p->side[node] ? 1 : -1;
	p->side[node] = 1 - p->side[node];
	p->done[node] = true;
	for (uint32_t i = 0; i < g->n; i++)
		if (g->weights[node][i] && !p->done[i])
			p->put[i] = ++p->clock;
}

/*
 * Moves nodes until sixteen moves in a row, and one more for every 64 nodes, made nothing better.
 */
static bool run_pass(const struct graph *g, const struct cs_balance *limits, struct pass *state)
{
	struct pass p = {.left = state->left}, best;
	memcpy(p.side, state->side, sizeof(p.side));
	best = p;
	begin(g, &p);
	for (uint32_t since = 0; since < 16 + g->n / 64; since++) {
		int node = choose(g, &p, limits);
		if (node == NOBODY)
			break;
		move(g, &p, node);
		if (!is_better(g, &p, &best, limits))
			continue;
		best = p;
		since = UINT32_MAX;
	}
	bool better = is_better(g, &best, state, limits);
	*state = best;
	return better;
}

static void test_refine(void)
{
	struct cs_band band = {0};
	uint32_t n_same = 0, n_weights = 0, n_balances = 0, n_better = 0, n_off = 0;
	for (int round = 0; round < ROUNDS; round++) {
		static struct graph g;
		struct pass state = {.left = (int)below(40)};
		make_graph(&g);
		fill(&g, &band);
		memcpy(state.side, g.side, sizeof(state.side));
		for (uint32_t i = 0; i < g.n; i++)
			state.left += !g.side[i];
		int room = 1 + (int)below(8), low = state.left - (int)below(2 * (uint32_t)room);
		int high = low + (int)below(2 * (uint32_t)room);
		struct cs_balance balance = {state.left, low, high};
		int64_t before = cut_of(&g, g.side), weight = cs_band_refine(&band, &balance);
		for (int i = 0; i < PASSES && run_pass(&g, &balance, &state); i++)
			;
		bool same = true;
		for (uint32_t i = 0; i < g.n; i++)
			same = same && band.side[i] == state.side[i];
		n_same += same;
		n_weights += weight == cut_of(&g, state.side);
		n_balances += balance.left == state.left;
		n_better += weight < before;
		n_off += off_balance(state.left, &balance) > 0;
	}
	is_int(n_same, ROUNDS, "each node is on the side where a search without a queue has it");
	is_int(n_weights, ROUNDS, "the weight that is told is what is cut");
	is_int(n_balances, ROUNDS, "and so is the number on the left");
	ok(n_better > ROUNDS / 2 && n_off < ROUNDS / 10, "%u are better, %u out of balance",
		n_better, n_off);
	cs_band_deinit(&band);
}

int main(void)
{
	test_refine();
	return done();
}
