/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a plan on this machine, one step after the other in the order of the plan, because a step
 * needs only earlier steps. To run several steps at a time, farm/plan_file.c writes a file for
 * ninja, which runs single steps through cs_farm_run_step.
 */
#include "core/options.h"
#include "farm/cache.h"
#include "farm/execute.h"
#include "farm/journal.h"

#include "core/job.h"

/*
 * Looks up a step in the cache. The result of a check (a step that writes no file) is read; files
 * of other steps only have to exist.
 */
static struct cs_error *look_up(const struct farm_workshop *shop, uint32_t step,
	struct cs_farm_outcome *ret, bool *found_ret)
{
	const struct farm_step *it = &shop->plan->steps.at[step];
	struct cs_farm_result result;
	*ret = (struct cs_farm_outcome){.state = CS_FARM_HIT};
	*found_ret = farm_cache_use(shop->cache, it->key, shop->job);
	if (!*found_ret || *farm_verbs[it->verb].suffix)
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

struct running {
	struct farm_workshop workshop;
	struct farm_journal journal;
	struct cs_farm_run_options options;
};

/*
 * Takes the result of a step from the cache, or runs the step. Writes the outcome to the journal;
 * after an error or an interruption, the outcome is that the step waits.
 */
static struct cs_error *find_or_run(struct running *run, uint32_t step, struct cs_farm_outcome *ret)
{
	bool found;
	uint32_t id = farm_step_id(run->workshop.plan, step);
	struct cs_error *error = look_up(&run->workshop, step, ret, &found);
	if (!error && !found) {
		farm_journal_note(&run->journal, id, CS_FARM_RUNNING, 0, 0);
		error = farm_execute(&run->workshop, step, ret);
	}
	if (!error)
		farm_journal_note(&run->journal, id, ret->state, ret->status, ret->seconds);
	else
		farm_journal_note(&run->journal, id, CS_FARM_WAITING, 0, 0);
	return error;
}

static struct cs_error *running_open(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct running *ret)
{
	struct cs_error *error =
		cs_options_read(options, sizeof(ret->options), &ret->options, sizeof(ret->options));
	if (!error)
		error = farm_workshop_open(plan, cache, &ret->options, job, &ret->workshop);
	if (!error)
		farm_journal_open(plan, cache, &ret->journal);
	return error;
}

static void running_close(struct running *run)
{
	farm_journal_close(&run->journal);
	farm_workshop_close(&run->workshop);
}

/* ---- running steps ---- */

static bool has_needs(const struct cs_farm_plan *plan, const struct cs_farm_outcome *outcomes,
	const struct farm_step *step)
{
	for (uint32_t i = 0; i < step->n_needs; i++) {
		enum cs_farm_state state = outcomes[plan->needs.at[step->first_need + i]].state;
		if (state != CS_FARM_HIT && state != CS_FARM_DONE)
			return false;
	}
	return true;
}

/*
 * Runs a failed step again if cache entries that it needs are gone; first runs the steps that make
 * these entries. An entry that was found can be gone later: looking it up reads only its head, and
 * a step that reads the whole entry removes it if it is damaged.
 */
static struct cs_error *run_again(
	struct running *run, uint32_t index, struct cs_farm_outcome *outcomes)
{
	const struct cs_farm_plan *plan = run->workshop.plan;
	const struct farm_step *step = &plan->steps.at[index];
	struct cs_error *error = NULL;
	bool is_due = false;
	for (uint32_t i = 0; i < step->n_needs && !error; i++) {
		const uint32_t need = plan->needs.at[step->first_need + i];
		if (outcomes[need].state != CS_FARM_HIT ||
			cs_farm_cache_status(run->workshop.cache, plan->steps.at[need].key) >= 0)
			continue;
		error = find_or_run(run, need, &outcomes[need]);
		is_due = true;
	}
	if (error || !is_due || !has_needs(plan, outcomes, step))
		return error;
	free(outcomes[index].output);
	return find_or_run(run, index, &outcomes[index]);
}

static struct cs_error *run_all_steps(struct running *run, struct cs_farm_outcome *outcomes)
{
	const struct cs_farm_plan *plan = run->workshop.plan;
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < plan->steps.n && !error; i++) {
		if (has_needs(plan, outcomes, &plan->steps.at[i])) {
			error = find_or_run(run, i, &outcomes[i]);
			if (!error && outcomes[i].state == CS_FARM_FAILED)
				error = run_again(run, i, outcomes);
		} else {
			outcomes[i].state = CS_FARM_SKIPPED;
			farm_journal_note(&run->journal, i, CS_FARM_SKIPPED, 0, 0);
		}
		cs_job_progress(run->workshop.job, "steps", i + 1, plan->steps.n);
		if (!error)
			error = cs_job_check(run->workshop.job);
	}
	return error;
}

struct cs_error *cs_farm_run(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	const struct cs_farm_run_options *options, const struct cs_job *job,
	struct cs_farm_summary *ret)
{
	struct running run;
	struct cs_farm_summary summary = {.steps = plan->steps.n};
	double began = cs_seconds();
	struct cs_error *error = running_open(plan, cache, options, job, &run);
	if (error)
		return error;
	summary.outcomes = calloc(plan->steps.n + 1, sizeof(*summary.outcomes));
	error = summary.outcomes ? run_all_steps(&run, summary.outcomes) : cs_error_nomem();
	running_close(&run);
	summary.seconds = cs_seconds() - began;
	if (!error)
		error = farm_sum_up(plan, &summary);
	if (error)
		cs_farm_summary_deinit(&summary);
	else
		*ret = summary;
	return error;
}

struct cs_error *cs_farm_run_step(const struct cs_farm_plan *plan, size_t index,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct cs_farm_outcome *ret)
{
	struct running run;
	if (index >= plan->steps.n)
		return cs_error_new(CS_E_FARM,
			"the plan has no step %zu (number of steps: %zu, counted from 0)", index,
			(size_t)plan->steps.n);
	struct cs_error *error = running_open(plan, cache, options, job, &run);
	if (error)
		return error;
	error = find_or_run(&run, (uint32_t)index, ret);
	running_close(&run);
	return error;
}
