/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulates a plan in virtual time on imaginary machines. Cores request ready steps from one plan
 * server, which assigns the longest first; each request takes `latency`, and requests are served
 * one at a time. A step reads its inputs from the cache and writes its result back, where one
 * transfer at a time uses the given bandwidth; then it takes its duration. Running steps are in a
 * heap by end time, ready steps in a heap by duration; among equal ones the earlier step comes
 * first.
 */
#include "farm/plan.h"

#include "core/arena.h"

enum { MOST_NODES = (1 << 20) - 1, MOST_CORES = (1 << 12) - 1 };

struct heap_entry {
	double key; /* sort key: the lowest is removed first */
	uint32_t step;
};

struct step_heap {
	struct heap_entry *at;
	size_t n;
};

struct simulation {
	const struct cs_farm_plan *plan;
	const struct cs_farm_machines *machines;
	const double *seconds;
	struct step_heap running, ready;
	uint32_t *missing; /* for each step, the number of unfinished steps that it needs */
	/* for each step i: after[first_after[i]..first_after[i + 1]) are the steps that need it */
	uint32_t *first_after, *after;
	struct cs_arena arena; /* the memory of these arrays */
	size_t left;
	uint64_t free_cores;
	double now, work, server_free, cache_free, server_busy, cache_busy;
};

static bool entry_is_before(struct heap_entry left, struct heap_entry right)
{
	return left.key < right.key || (left.key == right.key && left.step < right.step);
}

static void heap_push(struct step_heap *heap, double key, uint32_t step)
{
	const struct heap_entry entry = {key, step};
	size_t at = heap->n++;
	for (; at > 0 && entry_is_before(entry, heap->at[(at - 1) / 2]); at = (at - 1) / 2)
		heap->at[at] = heap->at[(at - 1) / 2];
	heap->at[at] = entry;
}

static struct heap_entry heap_pop(struct step_heap *heap)
{
	struct heap_entry first = heap->at[0], last = heap->at[--heap->n];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < heap->n; at = child) {
		if (child + 1 < heap->n && entry_is_before(heap->at[child + 1], heap->at[child]))
			child++;
		if (!entry_is_before(heap->at[child], last))
			break;
		heap->at[at] = heap->at[child];
	}
	heap->at[at] = last;
	return first;
}

/* ---- ready steps ---- */

/* Fills `after`, the list of the steps that need each step, with a counting sort. */
static void simulate_link_steps(struct simulation *sim)
{
	const struct cs_farm_plan *plan = sim->plan;
	size_t n = plan->steps.n;
	for (size_t i = 0; i < plan->needs.n; i++)
		sim->first_after[plan->needs.at[i] + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		sim->first_after[i] += sim->first_after[i - 1];
	for (uint32_t i = 0; i < n; i++) {
		const struct farm_step *step = &plan->steps.at[i];
		sim->missing[i] = step->n_needs;
		for (uint32_t k = 0; k < step->n_needs; k++) {
			uint32_t need = plan->needs.at[step->first_need + k];
			sim->after[sim->first_after[need + 1]++] = i;
		}
		if (step->n_needs == 0)
			heap_push(&sim->ready, -sim->seconds[i], i);
	}
}

static void simulate_end(struct simulation *sim, uint32_t step)
{
	sim->left--;
	sim->free_cores++;
	for (uint32_t i = sim->first_after[step]; i < sim->first_after[step + 1]; i++) {
		uint32_t next = sim->after[i];
		if (--sim->missing[next] == 0)
			heap_push(&sim->ready, -sim->seconds[next], next);
	}
}

/* ---- virtual time ---- */

/*
 * Simulates a request to a resource that serves one at a time. The request begins at `asked`, or
 * when the resource is free if that is later, and takes `takes` seconds. Returns when it ends.
 */
static double serve(double asked, double takes, double *free_at, double *busy)
{
	double begins = asked > *free_at ? asked : *free_at;
	*busy += takes;
	*free_at = begins + takes;
	return *free_at;
}

static void simulate_start(struct simulation *sim, uint32_t step)
{
	double time = serve(sim->now, sim->machines->latency, &sim->server_free, &sim->server_busy);
	if (sim->machines->bandwidth > 0) {
		double bytes = (double)sim->plan->steps.at[step].bytes;
		time = serve(time, 2 * bytes / sim->machines->bandwidth, &sim->cache_free,
			&sim->cache_busy);
	}
	sim->work += sim->seconds[step];
	sim->free_cores--;
	heap_push(&sim->running, time + sim->seconds[step], step);
}

static void play(struct simulation *sim)
{
	while (sim->left > 0) {
		while (sim->free_cores > 0 && sim->ready.n > 0)
			simulate_start(sim, heap_pop(&sim->ready).step);
		struct heap_entry ended = heap_pop(&sim->running);
		sim->now = ended.key;
		simulate_end(sim, ended.step);
	}
}

/* Returns the name of the plan's limit: the largest lower bound on the time of any schedule. */
static const char *bound_of(const struct simulation *sim, double critical, double cores)
{
	struct {
		double seconds;
		const char *name;
	} bounds[] = {{sim->work / cores, "work"}, {critical, "critical path"},
		{sim->cache_busy, "bandwidth of the cache"}, {sim->server_busy, "plan server"}};
	size_t largest = 0;
	for (size_t i = 1; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (bounds[i].seconds > bounds[largest].seconds)
			largest = i;
	return bounds[largest].name;
}

static void forecast(const struct simulation *sim, double critical, struct cs_farm_forecast *ret)
{
	double cores = (double)sim->machines->nodes * sim->machines->cores;
	double span = sim->now > 0 ? sim->now : 1;
	*ret = (struct cs_farm_forecast){
		.makespan = sim->now,
		.work = sim->work,
		.critical = critical,
		.use = sim->work / cores / span,
		.cache_use = sim->cache_busy / span,
		.server_use = sim->server_busy / span,
		.bound = bound_of(sim, critical, cores),
	};
}

static bool simulate_allocate(struct simulation *sim)
{
	size_t n = sim->plan->steps.n;
	sim->running.at = CS_ARENA_ARRAY(&sim->arena, struct heap_entry, n);
	sim->ready.at = CS_ARENA_ARRAY(&sim->arena, struct heap_entry, n);
	sim->missing = CS_ARENA_ARRAY(&sim->arena, uint32_t, n);
	sim->first_after = CS_ARENA_ARRAY(&sim->arena, uint32_t, n + 2);
	sim->after = CS_ARENA_ARRAY(&sim->arena, uint32_t, sim->plan->needs.n);
	return !sim->arena.failed;
}

struct cs_error *farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_machines *machines, const double *seconds,
	struct cs_farm_forecast *ret)
{
	struct simulation sim = {.plan = plan, .machines = machines, .left = plan->steps.n};
	if (machines->nodes < 1 || machines->nodes > MOST_NODES || machines->cores < 1 ||
		machines->cores > MOST_CORES || !(machines->bandwidth >= 0) ||
		!(machines->latency >= 0))
		return cs_error_new(CS_E_SETTING,
			"the simulation needs 1 to %d nodes, 1 to %d cores, 0 or more bytes/s and "
			"0 s or more of latency, not %u nodes, %u cores, %g bytes/s and %g s",
			MOST_NODES, MOST_CORES, machines->nodes, machines->cores,
			machines->bandwidth, machines->latency);
	double *estimates = calloc(plan->steps.n + 1, sizeof(*estimates));
	bool good = simulate_allocate(&sim) && estimates;
	if (good) {
		for (size_t i = 0; i < plan->steps.n; i++)
			estimates[i] = seconds ? seconds[i] : plan->steps.at[i].seconds;
		sim.seconds = estimates;
		sim.free_cores = (uint64_t)machines->nodes * machines->cores;
		simulate_link_steps(&sim);
		play(&sim);
		forecast(&sim, farm_critical_path(plan, estimates), ret);
	}
	cs_arena_deinit(&sim.arena);
	free(estimates);
	return good ? NULL : cs_error_nomem();
}

struct cs_error *cs_farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_machines *machines,
	struct cs_farm_forecast *ret)
{
	double *seconds = NULL;
	struct cs_error *error = cache ? farm_measured(plan, cache, &seconds) : NULL;
	if (!error)
		error = farm_simulate(plan, machines, seconds, ret);
	free(seconds);
	return error;
}
