/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: a plan in virtual time on machines that are not there. Cores ask one server for ready steps
 * (a request takes `latency`, one after the other); a step reads its inputs from the cache and
 * writes as much back, whose bandwidth serves one transfer after the other; then it takes its
 * seconds. Events are ends of steps, in a heap by time, then by step.
 */
#include "farm/plan.h"

struct event {
	double time;
	uint32_t step;
};

struct simulation {
	const struct cs_farm_plan *plan;
	const struct cs_farm_machines *machines;
	const double *seconds;
	const uint64_t *bytes;
	struct cs_farm_schedule *schedule;
	struct event *heap;
	size_t n_heap;
	uint64_t free_cores;
	double now, work, server_free, cache_free, server_busy, cache_busy;
};

static bool simulate_is_before(struct event left, struct event right)
{
	return left.time < right.time || (left.time == right.time && left.step < right.step);
}

static void simulate_push(struct simulation *sim, struct event event)
{
	size_t at = sim->n_heap++;
	for (; at > 0 && simulate_is_before(event, sim->heap[(at - 1) / 2]); at = (at - 1) / 2)
		sim->heap[at] = sim->heap[(at - 1) / 2];
	sim->heap[at] = event;
}

static struct event pop(struct simulation *sim)
{
	struct event first = sim->heap[0], last = sim->heap[--sim->n_heap];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < sim->n_heap; at = child) {
		if (child + 1 < sim->n_heap &&
			simulate_is_before(sim->heap[child + 1], sim->heap[child]))
			child++;
		if (!simulate_is_before(sim->heap[child], last))
			break;
		sim->heap[at] = sim->heap[child];
	}
	sim->heap[at] = last;
	return first;
}

/* One after the other: begins when asked and free, and is busy until it ends. */
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
		double bytes =
			(double)(sim->bytes ? sim->bytes[step] : sim->plan->steps.at[step].bytes);
		time = serve(time, 2 * bytes / sim->machines->bandwidth, &sim->cache_free,
			&sim->cache_busy);
	}
	sim->work += sim->seconds[step];
	sim->free_cores--;
	simulate_push(sim, (struct event){time + sim->seconds[step], step});
}

static void play(struct simulation *sim)
{
	uint32_t step;
	while (cs_farm_schedule_left(sim->schedule) > 0) {
		while (sim->free_cores > 0 && cs_farm_schedule_next(sim->schedule, &step))
			simulate_start(sim, step);
		struct event event = pop(sim);
		sim->now = event.time;
		sim->free_cores++;
		cs_farm_schedule_done(sim->schedule, event.step, true, NULL, NULL);
	}
}

/* What holds it back: the largest of the bounds below which no schedule goes. */
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

struct cs_error *cs_farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_machines *machines, const double *seconds, const uint64_t *bytes,
	struct cs_farm_forecast *ret)
{
	struct simulation sim = {.plan = plan, .machines = machines, .bytes = bytes};
	if (machines->nodes < 1 || machines->cores < 1 || !(machines->bandwidth >= 0) ||
		!(machines->latency >= 0))
		return cs_error_new(CS_E_SETTING,
			"machines need a node and a core at least, bandwidth and latency of 0 or "
			"more");
	double *estimates = calloc(plan->steps.n + 1, sizeof(*estimates));
	sim.heap = calloc(plan->steps.n + 1, sizeof(*sim.heap));
	for (size_t i = 0; i < plan->steps.n && estimates; i++)
		estimates[i] = seconds ? seconds[i] : plan->steps.at[i].seconds;
	sim.seconds = estimates;
	sim.free_cores = (uint64_t)machines->nodes * machines->cores;
	struct cs_error *error = estimates && sim.heap
					 ? cs_farm_schedule_new(plan, estimates, &sim.schedule)
					 : cs_error_nomem();
	if (!error) {
		play(&sim);
		forecast(&sim, farm_critical_path(plan, estimates), ret);
	}
	cs_farm_schedule_free(sim.schedule);
	free(estimates);
	free(sim.heap);
	return error;
}
