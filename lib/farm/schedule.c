/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: which step comes next. Steps whose needs are done wait in a heap, the largest estimate on
 * top, then the smaller index: the long ones begin early, and the order is the same every time.
 */
#include "farm/plan.h"

struct cs_farm_schedule {
	const struct cs_farm_plan *plan;
	const double *seconds;         /* by step; NULL = the plan's estimates */
	uint32_t *missing;             /* by step: needs that are not done */
	uint32_t *first_after, *after; /* by step: the steps that need it */
	uint32_t *heap, *stack;
	bool *is_over; /* done, failed or skipped */
	size_t n_heap, left;
};

static double schedule_weight(const struct cs_farm_schedule *schedule, uint32_t step)
{
	return schedule->seconds ? schedule->seconds[step] : schedule->plan->steps.at[step].seconds;
}

static bool goes_first(const struct cs_farm_schedule *schedule, uint32_t left, uint32_t right)
{
	double a = schedule_weight(schedule, left), b = schedule_weight(schedule, right);
	return a > b || (a == b && left < right);
}

static void swap(uint32_t *left, uint32_t *right)
{
	uint32_t kept = *left;
	*left = *right;
	*right = kept;
}

static void schedule_push(struct cs_farm_schedule *schedule, uint32_t step)
{
	uint32_t *heap = schedule->heap;
	size_t at = schedule->n_heap++;
	heap[at] = step;
	for (; at > 0 && goes_first(schedule, heap[at], heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

bool cs_farm_schedule_next(struct cs_farm_schedule *schedule, uint32_t *step_ret)
{
	uint32_t *heap = schedule->heap;
	if (schedule->n_heap == 0)
		return false;
	*step_ret = heap[0];
	heap[0] = heap[--schedule->n_heap];
	for (size_t at = 0, child; (child = 2 * at + 1) < schedule->n_heap; at = child) {
		if (child + 1 < schedule->n_heap &&
			goes_first(schedule, heap[child + 1], heap[child]))
			child++;
		if (!goes_first(schedule, heap[child], heap[at]))
			break;
		swap(&heap[at], &heap[child]);
	}
	return true;
}

/* By counting: where the steps that need one begin, and then they themselves. */
static void link_steps(struct cs_farm_schedule *schedule)
{
	const struct cs_farm_plan *plan = schedule->plan;
	size_t n = plan->steps.n;
	for (size_t i = 0; i < plan->needs.n; i++)
		schedule->first_after[plan->needs.at[i] + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		schedule->first_after[i] += schedule->first_after[i - 1];
	for (uint32_t i = 0; i < n; i++) {
		const struct farm_step *step = &plan->steps.at[i];
		schedule->missing[i] = step->n_needs;
		for (uint32_t k = 0; k < step->n_needs; k++) {
			uint32_t need = plan->needs.at[step->first_need + k];
			schedule->after[schedule->first_after[need + 1]++] = i;
		}
	}
}

struct cs_error *cs_farm_schedule_new(
	const struct cs_farm_plan *plan, const double *seconds, struct cs_farm_schedule **ret)
{
	size_t n = plan->steps.n;
	struct cs_farm_schedule *schedule = calloc(1, sizeof(*schedule));
	if (!schedule)
		return cs_error_nomem();
	schedule->plan = plan;
	schedule->seconds = seconds;
	schedule->left = n;
	schedule->missing = calloc(n + 1, sizeof(uint32_t));
	schedule->first_after = calloc(n + 2, sizeof(uint32_t));
	schedule->after = calloc(plan->needs.n + 1, sizeof(uint32_t));
	schedule->heap = calloc(n + 1, sizeof(uint32_t));
	schedule->stack = calloc(n + 1, sizeof(uint32_t));
	schedule->is_over = calloc(n + 1, sizeof(bool));
	if (!schedule->missing || !schedule->first_after || !schedule->after || !schedule->heap ||
		!schedule->stack || !schedule->is_over) {
		cs_farm_schedule_free(schedule);
		return cs_error_nomem();
	}
	link_steps(schedule);
	for (uint32_t i = 0; i < n; i++)
		if (schedule->missing[i] == 0)
			schedule_push(schedule, i);
	*ret = schedule;
	return NULL;
}

void cs_farm_schedule_free(struct cs_farm_schedule *schedule)
{
	if (!schedule)
		return;
	free(schedule->missing);
	free(schedule->first_after);
	free(schedule->after);
	free(schedule->heap);
	free(schedule->stack);
	free(schedule->is_over);
	free(schedule);
}

/* Steps behind a failed one, each told once. */
static void skip_after(struct cs_farm_schedule *schedule, uint32_t step,
	void (*skipped)(void *context, uint32_t step), void *context)
{
	size_t n = 0;
	schedule->stack[n++] = step;
	while (n > 0) {
		step = schedule->stack[--n];
		uint32_t end = schedule->first_after[step + 1];
		for (uint32_t i = schedule->first_after[step]; i < end; i++) {
			uint32_t next = schedule->after[i];
			if (schedule->is_over[next])
				continue;
			schedule->is_over[next] = true;
			schedule->left--;
			schedule->stack[n++] = next;
			if (skipped)
				skipped(context, next);
		}
	}
}

void cs_farm_schedule_done(struct cs_farm_schedule *schedule, uint32_t step, bool good,
	void (*skipped)(void *context, uint32_t step), void *context)
{
	schedule->is_over[step] = true;
	schedule->left--;
	if (!good) {
		skip_after(schedule, step, skipped, context);
		return;
	}
	uint32_t end = schedule->first_after[step + 1];
	for (uint32_t i = schedule->first_after[step]; i < end; i++) {
		uint32_t next = schedule->after[i];
		if (--schedule->missing[next] == 0 && !schedule->is_over[next])
			schedule_push(schedule, next);
	}
}

size_t cs_farm_schedule_left(const struct cs_farm_schedule *schedule)
{
	return schedule->left;
}
