/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up a plan (steps by state, work, critical path), after a run or from cache and journal. */
#include "farm/journal.h"

#include "core/job.h"
#include "farm/cache.h"

double farm_critical_path(const struct cs_farm_plan *plan, double *seconds)
{
	double longest = 0;
	for (size_t i = 0; i < plan->steps.n; i++) {
		const struct farm_step *step = &plan->steps.at[i];
		double begin = 0;
		for (uint32_t k = 0; k < step->n_needs; k++) {
			double end = seconds[plan->needs.at[step->first_need + k]];
			begin = end > begin ? end : begin;
		}
		seconds[i] += begin;
		longest = seconds[i] > longest ? seconds[i] : longest;
	}
	return longest;
}

struct cs_error *farm_sum_up(const struct cs_farm_plan *plan, struct cs_farm_summary *to)
{
	double *seconds = calloc(plan->steps.n + 1, sizeof(*seconds));
	size_t counts[CS_FARM_STATES] = {0};
	if (!seconds)
		return cs_error_nomem();
	to->said_no = 0;
	to->work_seconds = 0;
	to->seconds_left = 0;
	for (size_t i = 0; i < plan->steps.n; i++) {
		const struct cs_farm_outcome *outcome = &to->outcomes[i];
		counts[outcome->state]++;
		to->said_no += outcome->said_no;
		to->work_seconds += outcome->seconds;
		if (outcome->state == CS_FARM_WAITING || outcome->state == CS_FARM_RUNNING)
			to->seconds_left += plan->steps.at[i].seconds;
		seconds[i] = outcome->seconds;
	}
	to->waiting = counts[CS_FARM_WAITING];
	to->running = counts[CS_FARM_RUNNING];
	to->hits = counts[CS_FARM_HIT];
	to->done = counts[CS_FARM_DONE];
	to->failed = counts[CS_FARM_FAILED];
	to->skipped = counts[CS_FARM_SKIPPED];
	to->critical_seconds = farm_critical_path(plan, seconds);
	to->n_slowest = farm_slowest(to, to->slowest, CS_FARM_SLOWEST);
	free(seconds);
	return NULL;
}

/* Returns whether a step that this step needs failed or was skipped. */
static bool has_failed_need(
	const struct cs_farm_plan *plan, size_t index, const struct cs_farm_outcome *outcomes)
{
	const struct farm_step *step = &plan->steps.at[index];
	for (uint32_t i = 0; i < step->n_needs; i++) {
		enum cs_farm_state state = outcomes[plan->needs.at[step->first_need + i]].state;
		if (state == CS_FARM_FAILED || state == CS_FARM_SKIPPED)
			return true;
	}
	return false;
}

/*
 * Finds the states of steps. A step is done if the cache has its result, even if another plan made
 * it; the result contains the exit status. The journal adds durations and failures.
 */
struct cs_error *cs_farm_look(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	const struct cs_job *job, struct cs_farm_summary *ret)
{
	struct cs_farm_summary summary = {.steps = plan->steps.n};
	summary.outcomes = calloc(plan->steps.n + 1, sizeof(*summary.outcomes));
	if (!summary.outcomes)
		return cs_error_nomem();
	struct cs_error *error = farm_journal_read(plan, cache, job, summary.outcomes);
	for (size_t i = 0; i < plan->steps.n && !error; i++) {
		struct cs_farm_outcome *outcome = &summary.outcomes[i];
		const int status = cs_farm_cache_status(cache, plan->steps.at[i].key);
		const bool has = status >= 0;
		const bool is_past = outcome->state == CS_FARM_DONE ||
				     outcome->state == CS_FARM_HIT ||
				     (outcome->state == CS_FARM_SKIPPED &&
					     !has_failed_need(plan, i, summary.outcomes));
		if (has && outcome->state != CS_FARM_HIT)
			outcome->state = CS_FARM_DONE;
		else if (!has && is_past)
			outcome->state = CS_FARM_WAITING;
		if (has) {
			outcome->status = status;
			free(outcome->output);
			outcome->output = NULL;
		}
		outcome->said_no = status == 1;
		if (i % 1024 == 0)
			error = cs_job_check(job);
	}
	if (!error)
		error = farm_sum_up(plan, &summary);
	if (error)
		cs_farm_summary_deinit(&summary);
	else
		*ret = summary;
	return error;
}

struct cs_error *farm_measured(
	const struct cs_farm_plan *plan, const struct cs_farm_cache *cache, double **seconds_ret)
{
	struct cs_farm_summary summary;
	struct cs_error *error = cs_farm_look(plan, cache, NULL, &summary);
	if (error)
		return error;
	double *seconds = calloc(plan->steps.n + 1, sizeof(*seconds));
	for (size_t i = 0; i < plan->steps.n && seconds; i++)
		seconds[i] = summary.outcomes[i].seconds > 0 ? summary.outcomes[i].seconds
							     : plan->steps.at[i].seconds;
	cs_farm_summary_deinit(&summary);
	*seconds_ret = seconds;
	return seconds ? NULL : cs_error_nomem();
}

size_t farm_slowest(const struct cs_farm_summary *summary, size_t *steps, size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < summary->steps; i++) {
		const double seconds = summary->outcomes[i].seconds;
		size_t at = n;
		if (!(seconds > 0))
			continue;
		while (at > 0 && summary->outcomes[steps[at - 1]].seconds < seconds)
			at--;
		if (at == most)
			continue;
		n += n < most;
		memmove(steps + at + 1, steps + at, (n - at - 1) * sizeof(*steps));
		steps[at] = i;
	}
	return n;
}

void cs_farm_summary_deinit(struct cs_farm_summary *summary)
{
	for (size_t i = 0; i < summary->steps && summary->outcomes; i++)
		free(summary->outcomes[i].output);
	free(summary->outcomes);
	summary->outcomes = NULL;
}
