/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: running a plan on this machine. One thread: it hands ready steps to free slots, each a
 * child process, and waits for what they say; a child that closes its output has ended. Shards are
 * cut by estimate, the longest step to the shard with the least work, so that every host finds the
 * same ones; a step whose need lies in another shard is run when that is in the cache.
 */
#include "core/options.h"
#include "farm/cache.h"
#include "farm/execute.h"
#include "farm/journal.h"

#include "core/job.h"
#include "core/parallel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

struct running {
	struct farm_workshop workshop;
	struct farm_journal journal;
	struct cs_farm_schedule *schedule;
	struct farm_child *children; /* by slot; said_fd -1 is free */
	struct pollfd *ends;
	unsigned n_slots, n_busy;
	const uint32_t *shards; /* by step; NULL = all are ours */
	struct cs_farm_summary *summary;
};

/* ---- shards ---- */

/* Steps that hang together stay together: the shard of a step is that of its first need. */
static struct cs_error *cut_shards(
	const struct cs_farm_plan *plan, uint32_t n_shards, uint32_t **ret)
{
	uint32_t *shards = calloc(plan->steps.n + 1, sizeof(*shards));
	double *loads = calloc(n_shards, sizeof(*loads));
	struct cs_farm_schedule *schedule = NULL;
	struct cs_error *error =
		shards && loads ? cs_farm_schedule_new(plan, NULL, &schedule) : cs_error_nomem();
	uint32_t step;
	while (!error && cs_farm_schedule_next(schedule, &step)) {
		const struct farm_step *it = &plan->steps.at[step];
		uint32_t least = 0;
		for (uint32_t i = 1; i < n_shards; i++)
			if (loads[i] < loads[least])
				least = i;
		if (it->n_needs > 0)
			least = shards[plan->needs.at[it->first_need]];
		shards[step] = least;
		loads[least] += it->seconds;
		cs_farm_schedule_done(schedule, step, true, NULL, NULL);
	}
	cs_farm_schedule_free(schedule);
	free(loads);
	if (error)
		free(shards);
	else
		*ret = shards;
	return error;
}

/* ---- the end of a step ---- */

static void note_skipped(void *context, uint32_t step)
{
	struct running *run = context;
	run->summary->outcomes[step].state = CS_FARM_SKIPPED;
	farm_journal_note(&run->journal, step, CS_FARM_SKIPPED, 0, 0);
}

static void end_step(struct running *run, uint32_t step, const struct cs_farm_outcome *outcome)
{
	free(run->summary->outcomes[step].output); /* of the pass before, whose step failed */
	run->summary->outcomes[step] = *outcome;
	bool good = outcome->state == CS_FARM_HIT || outcome->state == CS_FARM_DONE;
	farm_journal_note(&run->journal, step, outcome->state, outcome->status, outcome->seconds);
	cs_farm_schedule_done(run->schedule, step, good, note_skipped, run);
}

/* A result that is there: of a check it is read, since its answer counts; else its head alone. */
static struct cs_error *look_up(
	const struct running *run, uint32_t step, struct cs_farm_outcome *ret, bool *found_ret)
{
	const struct farm_workshop *shop = &run->workshop;
	const struct farm_step *it = &shop->plan->steps.at[step];
	struct cs_farm_result result;
	*ret = (struct cs_farm_outcome){.state = CS_FARM_HIT};
	if (!farm_cache_use(shop->cache, it->key, shop->job)) {
		*found_ret = false;
		return NULL;
	}
	*found_ret = true;
	if (*farm_verbs[it->verb].suffix)
		return NULL;
	struct cs_error *error =
		cs_farm_cache_get(shop->cache, it->key, shop->job, &result, found_ret);
	if (error || !*found_ret)
		return error;
	ret->status = result.status;
	ret->said_no = result.status == 1;
	if (ret->said_no)
		ret->output = strndup((const char *)result.bytes, result.size);
	cs_farm_result_deinit(&result);
	return NULL;
}

/* ---- slots ---- */

static struct cs_error *start_in(struct running *run, unsigned slot, uint32_t step)
{
	struct farm_child *child = &run->children[slot];
	child->step = step;
	struct cs_error *error = farm_child_start(&run->workshop, child);
	if (error && farm_fails_step(error)) {
		struct cs_farm_outcome failed;
		farm_outcome_failed(error, &failed);
		end_step(run, step, &failed);
		return NULL;
	}
	if (error)
		return error;
	run->n_busy++;
	run->summary->outcomes[step].state = CS_FARM_RUNNING;
	farm_journal_note(&run->journal, step, CS_FARM_RUNNING, 0, 0);
	return NULL;
}

static bool is_ours(const struct running *run, uint32_t step)
{
	const struct cs_farm_run_options *options = run->workshop.options;
	return !run->shards || run->shards[step] == options->shard;
}

/* One ready step: found in the cache, passed over, or started in the slot. */
static struct cs_error *plan_run_hand_out(struct running *run, unsigned slot, uint32_t step)
{
	struct cs_farm_outcome outcome;
	bool found;
	if (!is_ours(run, step)) {
		run->summary->outcomes[step].state = CS_FARM_SKIPPED;
		cs_farm_schedule_done(run->schedule, step,
			farm_cache_has_anywhere(run->workshop.cache,
				run->workshop.plan->steps.at[step].key, run->workshop.job),
			note_skipped, run);
		return NULL;
	}
	struct cs_error *error = look_up(run, step, &outcome, &found);
	if (error)
		return error;
	if (found) {
		end_step(run, step, &outcome);
		return NULL;
	}
	run->children[slot].tries = 0;
	return start_in(run, slot, step);
}

static struct cs_error *plan_run_fill_slots(struct running *run)
{
	struct cs_error *error = NULL;
	uint32_t step;
	for (unsigned slot = 0; slot < run->n_slots && !error; slot++) {
		while (run->children[slot].said_fd < 0 && !error &&
			cs_farm_schedule_next(run->schedule, &step))
			error = plan_run_hand_out(run, slot, step);
	}
	return error;
}

static struct cs_error *end_in(struct running *run, unsigned slot)
{
	struct farm_child *child = &run->children[slot];
	struct cs_farm_outcome outcome;
	bool again;
	struct cs_error *error = farm_child_finish(&run->workshop, child, &outcome, &again);
	run->n_busy--;
	if (error) {
		free(outcome.output);
		return error;
	}
	if (again)
		return start_in(run, slot, child->step);
	end_step(run, child->step, &outcome);
	return NULL;
}

/* A child that outlives its time-out twice over does not listen: it is killed, and fails. */
static void kill_late(struct running *run)
{
	double timeout = run->workshop.options->timeout, now = cs_seconds();
	for (unsigned slot = 0; slot < run->n_slots && timeout > 0; slot++) {
		struct farm_child *child = &run->children[slot];
		if (child->said_fd >= 0 && now - child->began > 2 * timeout + 1) {
			child->tries = FARM_TRIES;
			kill(child->pid, SIGKILL);
		}
	}
}

static struct cs_error *wait_some(struct running *run)
{
	enum { TICK = 200 }; /* milliseconds between looks at the clock and the user */
	for (unsigned slot = 0; slot < run->n_slots; slot++)
		run->ends[slot] = (struct pollfd){run->children[slot].said_fd, POLLIN, 0};
	if (poll(run->ends, run->n_slots, TICK) < 0 && errno != EINTR)
		return cs_error_errno(errno, run->workshop.program, "wait for");
	struct cs_error *error = NULL;
	for (unsigned slot = 0; slot < run->n_slots && !error; slot++)
		if (run->ends[slot].revents && run->children[slot].said_fd >= 0 &&
			!farm_child_listen(&run->children[slot]))
			error = end_in(run, slot);
	kill_late(run);
	return error ? error : cs_job_check(run->workshop.job);
}

/* ---- the run ---- */

static void plan_run_tell_progress(const struct running *run)
{
	size_t n = run->workshop.plan->steps.n, left = cs_farm_schedule_left(run->schedule);
	cs_job_progress(run->workshop.job, "steps", n - left, n);
}

static struct cs_error *run_all(struct running *run)
{
	struct cs_error *error = NULL;
	while (!error && cs_farm_schedule_left(run->schedule) > 0) {
		error = plan_run_fill_slots(run);
		plan_run_tell_progress(run);
		if (!error && run->n_busy == 0)
			break;
		if (!error)
			error = wait_some(run);
	}
	for (unsigned slot = 0; slot < run->n_slots; slot++) {
		farm_child_kill(&run->children[slot]);
		cs_vec_free(&run->children[slot].said);
	}
	return error;
}

static struct cs_error *run_pass(struct running *run, const uint32_t *shards)
{
	const struct cs_farm_plan *plan = run->workshop.plan;
	run->shards = shards;
	run->n_busy = 0;
	for (unsigned slot = 0; slot < run->n_slots; slot++)
		run->children[slot] = (struct farm_child){.said_fd = -1};
	struct cs_error *error = cs_farm_schedule_new(plan, NULL, &run->schedule);
	if (error)
		return error;
	error = run_all(run);
	cs_farm_schedule_free(run->schedule);
	run->schedule = NULL;
	return error;
}

/* First the own shard; a thief then goes over the whole plan, where most is in the cache. */
static struct cs_error *run_passes(struct running *run)
{
	const struct cs_farm_run_options *options = run->workshop.options;
	uint32_t *shards = NULL;
	if (options->n_shards < 2)
		return run_pass(run, NULL);
	struct cs_error *error = cut_shards(run->workshop.plan, options->n_shards, &shards);
	if (!error)
		error = run_pass(run, shards);
	free(shards);
	return error || !options->steal ? error : run_pass(run, NULL);
}

static struct cs_error *open_run(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	const struct cs_farm_run_options *options, const struct cs_job *job,
	struct cs_farm_summary *summary, struct running *ret)
{
	*ret = (struct running){.summary = summary, .journal = {.fd = -1}};
	ret->n_slots = options->slots ? options->slots : (unsigned)cs_parallel_threads(0);
	ret->children = calloc(ret->n_slots, sizeof(*ret->children));
	ret->ends = calloc(ret->n_slots, sizeof(*ret->ends));
	summary->outcomes = calloc(plan->steps.n + 1, sizeof(*summary->outcomes));
	if (!ret->children || !ret->ends || !summary->outcomes)
		return cs_error_nomem();
	struct cs_error *error = farm_workshop_open(plan, cache, options, job, &ret->workshop);
	if (!error)
		farm_journal_open(plan, cache, &ret->journal);
	return error;
}

static void close_run(struct running *run)
{
	farm_journal_close(&run->journal);
	farm_workshop_close(&run->workshop);
	free(run->children);
	free(run->ends);
}

struct cs_error *cs_farm_run(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	const struct cs_farm_run_options *options, const struct cs_job *job,
	struct cs_farm_summary *ret)
{
	struct running run;
	struct cs_farm_run_options own;
	struct cs_farm_summary summary = {.steps = plan->steps.n};
	double began = cs_seconds();
	struct cs_error *error = cs_options_read(options, sizeof(own), &own, sizeof(own));
	if (error)
		return error;
	error = open_run(plan, cache, &own, job, &summary, &run);
	if (!error)
		error = run_passes(&run);
	close_run(&run);
	summary.seconds = cs_seconds() - began;
	if (!error)
		error = farm_sum_up(plan, &summary);
	if (error)
		cs_farm_summary_deinit(&summary);
	else
		*ret = summary;
	return error;
}

/* ---- one step ---- */

static struct cs_error *run_child(
	struct farm_workshop *workshop, uint32_t step, struct cs_farm_outcome *ret)
{
	struct farm_child child = {.step = step, .said_fd = -1};
	struct cs_error *error;
	bool again;
	do {
		again = false;
		error = farm_child_start(workshop, &child);
		while (!error && child.said_fd >= 0) {
			struct pollfd end = {child.said_fd, POLLIN, 0};
			if (poll(&end, 1, 200) > 0 && !farm_child_listen(&child))
				error = farm_child_finish(workshop, &child, ret, &again);
			else
				error = cs_job_check(workshop->job);
		}
	} while (!error && again);
	farm_child_kill(&child);
	cs_vec_free(&child.said);
	return error;
}

struct cs_error *cs_farm_run_step(const struct cs_farm_plan *plan, size_t index,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_outcome *ret)
{
	bool found;
	struct cs_farm_run_options own;
	struct running run = {.journal = {.fd = -1}};
	if (index >= plan->steps.n)
		return cs_error_new(CS_E_FARM, "the plan has no step %zu", index);
	struct cs_error *error = cs_options_read(options, sizeof(own), &own, sizeof(own));
	if (!error)
		error = farm_workshop_open(plan, cache, &own, job, &run.workshop);
	if (error)
		return error;
	error = look_up(&run, (uint32_t)index, ret, &found);
	if (!error && !found) {
		farm_journal_open(plan, cache, &run.journal);
		farm_journal_note(&run.journal, farm_step_id(plan, index), CS_FARM_RUNNING, 0, 0);
		error = run_child(&run.workshop, (uint32_t)index, ret);
		if (!error)
			farm_journal_note(&run.journal, farm_step_id(plan, index), ret->state,
				ret->status, ret->seconds);
		farm_journal_close(&run.journal);
	}
	farm_workshop_close(&run.workshop);
	return error;
}
