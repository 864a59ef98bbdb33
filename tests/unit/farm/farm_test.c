/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans and their simulation, against sums made by hand and against twins that look
 * through lists; a project; damaged plans.
 */
#include "farm/folder_walk.h"
#include "farm/key.h"
#include "farm/plan.h"

#include "core/random.h"
#include "tests/make/make.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <cellscope/ue.h>

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Makes a plan of n steps over inputs that are not read; a step whose `need` is below 0 has none.
 */
static struct cs_farm_plan *plan_of(size_t n, int (*need)(size_t step), double seconds)
{
	struct cs_farm_plan *plan;
	uint32_t step, input;
	if (farm_plan_new(".", &plan))
		abort();
	for (size_t i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof(name), "m%zu.ply", i);
		int before = need(i);
		if (farm_add_step(plan, FARM_BUILD, name, &step) ||
			farm_add_input(plan, name, false, &input) ||
			farm_add_word(plan, FARM_WORD_INPUT, input) ||
			(before >= 0 && farm_add_word(plan, FARM_WORD_STEP, (uint32_t)before)))
			abort();
	}
	farm_make_keys(plan);
	for (size_t i = 0; i < n; i++)
		plan->steps.at[i].seconds = seconds;
	return plan;
}

static int alone(size_t step)
{
	(void)step;
	return -1;
}

static int chain(size_t step)
{
	return (int)step - 1;
}

static int pairs(size_t step)
{
	return step % 2 ? (int)step - 1 : -1;
}

static struct cs_farm_forecast simulate(
	const struct cs_farm_plan *plan, struct cs_farm_machines machines)
{
	struct cs_farm_forecast forecast = {0};
	struct cs_error *error = farm_simulate(plan, &machines, NULL, &forecast);
	ok(!error, "it is simulated");
	cs_error_free(error);
	return forecast;
}

static void is_near(double value, double expected, const char *name)
{
	ok(fabs(value - expected) < 1e-9 * (1 + fabs(expected)), "%s: %g", name, value);
}

static void test_forecasts(void)
{
	struct cs_farm_plan *free_steps = plan_of(100, alone, 2), *row = plan_of(10, chain, 2);
	is_near(simulate(free_steps, (struct cs_farm_machines){1, 1, 0, 0}).makespan, 200,
		"a hundred steps of 2 s on a core");
	struct cs_farm_forecast forecast =
		simulate(free_steps, (struct cs_farm_machines){4, 5, 0, 0});
	is_near(forecast.makespan, 10, "on twenty cores");
	is_near(forecast.use, 1, "all of which work");
	is_text(forecast.bound, "work", "by which it is bound");
	forecast = simulate(row, (struct cs_farm_machines){10, 10, 0, 0});
	is_near(forecast.makespan, 20, "a chain takes its length on any number of cores");
	is_text(forecast.bound, "critical path", "by which it is bound");
	forecast = simulate(free_steps, (struct cs_farm_machines){100, 1, 0, 0.5});
	is_near(forecast.makespan, 52, "a server that takes half a second a step");
	is_text(forecast.bound, "plan server", "by which it is bound");
	for (size_t i = 0; i < 100; i++)
		free_steps->steps.at[i].bytes = 100;
	forecast = simulate(free_steps, (struct cs_farm_machines){100, 1, 100, 0});
	is_near(forecast.makespan, 202, "a cache of a hundred bytes a second, there and back");
	is_text(forecast.bound, "bandwidth of the cache", "by which it is bound");
	cs_farm_plan_free(free_steps);
	cs_farm_plan_free(row);
}

static void test_large(void)
{
	enum { STEPS = 1000000 };
	struct cs_farm_plan *plan = plan_of(STEPS, chain, 1);
	is_near(simulate(plan, (struct cs_farm_machines){1000, 16, 0, 0}).makespan, STEPS,
		"a million steps on a thousand nodes");
	cs_farm_plan_free(plan);
}

/* ---- twins that look through lists, where the farm has heaps ---- */

enum { MOST = 24 };

/*
 * Makes a plan whose steps need up to three earlier steps; times and sizes repeat, so that there
 * are ties.
 */
static struct cs_farm_plan *random_plan(struct cs_random *random)
{
	struct cs_farm_plan *plan;
	uint32_t step, n = 1 + cs_random_below(random, MOST);
	if (farm_plan_new(".", &plan))
		abort();
	for (uint32_t i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof(name), "m%u.ply", (unsigned)i);
		if (farm_add_step(plan, FARM_BUILD, name, &step) || farm_add_text_word(plan, name))
			abort();
		for (uint32_t k = cs_random_below(random, 4); k > 0 && i > 0; k--)
			if (farm_add_word(plan, FARM_WORD_STEP, cs_random_below(random, i)))
				abort();
	}
	farm_make_keys(plan);
	for (uint32_t i = 0; i < n; i++) {
		plan->steps.at[i].seconds = 0.5 * (double)(1 + cs_random_below(random, 6));
		plan->steps.at[i].bytes = 100 * cs_random_below(random, 4);
	}
	return plan;
}

enum naive_state { WAITS, RUNS, GOOD };

struct naive {
	const struct cs_farm_plan *plan;
	enum naive_state states[MOST];
};

static uint32_t need_of(const struct cs_farm_plan *plan, const struct farm_step *step, uint32_t k)
{
	return plan->needs.at[step->first_need + k];
}

static bool is_ready(const struct naive *naive, size_t i)
{
	const struct farm_step *step = &naive->plan->steps.at[i];
	bool ready = naive->states[i] == WAITS;
	for (uint32_t k = 0; k < step->n_needs; k++)
		ready = ready && naive->states[need_of(naive->plan, step, k)] == GOOD;
	return ready;
}

/* Returns the ready step that takes longest; SIZE_MAX when none is ready. */
static size_t next_of(const struct naive *naive)
{
	const struct farm_step *steps = naive->plan->steps.at;
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < naive->plan->steps.n; i++)
		if (is_ready(naive, i) &&
			(best == SIZE_MAX || steps[i].seconds > steps[best].seconds))
			best = i;
	return best;
}

static size_t left_of(const struct naive *naive)
{
	size_t left = 0;
	for (size_t i = 0; i < naive->plan->steps.n; i++)
		left += naive->states[i] == WAITS || naive->states[i] == RUNS;
	return left;
}

/* Returns the longest time of a chain of steps that ends with step i, walking every chain. */
static double way_to(const struct cs_farm_plan *plan, size_t i)
{
	const struct farm_step *step = &plan->steps.at[i];
	double longest = 0;
	for (uint32_t k = 0; k < step->n_needs; k++)
		longest = fmax(longest, way_to(plan, need_of(plan, step, k)));
	return longest + step->seconds;
}

/* A device that serves one step after the other: when it is free, and how long it was busy. */
struct line {
	double free, busy;
};

static double wait_in(struct line *line, double from, double takes)
{
	line->free = fmax(line->free, from) + takes;
	line->busy += takes;
	return line->free;
}

/* Plays the rules of lib/cellscope/farm.h step by step over lists. */
static struct cs_farm_forecast play_twin(
	const struct cs_farm_plan *plan, const struct cs_farm_machines *machines)
{
	struct naive naive = {.plan = plan};
	struct line server = {0}, cache = {0};
	struct cs_farm_forecast told = {0};
	double ends[MOST] = {0}, cores = (double)machines->nodes * machines->cores;
	size_t n_running = 0, step;
	while (left_of(&naive) > 0) {
		while ((double)n_running < cores && (step = next_of(&naive)) != SIZE_MAX) {
			const struct farm_step *it = &plan->steps.at[step];
			double time = wait_in(&server, told.makespan, machines->latency);
			if (machines->bandwidth > 0)
				time = wait_in(
					&cache, time, 2 * (double)it->bytes / machines->bandwidth);
			naive.states[step] = RUNS;
			ends[step] = time + it->seconds;
			told.work += it->seconds;
			n_running++;
		}
		size_t first = SIZE_MAX;
		for (size_t i = 0; i < plan->steps.n; i++)
			if (naive.states[i] == RUNS && (first == SIZE_MAX || ends[i] < ends[first]))
				first = i;
		naive.states[first] = GOOD;
		told.makespan = ends[first];
		n_running--;
	}
	for (size_t i = 0; i < plan->steps.n; i++)
		told.critical = fmax(told.critical, way_to(plan, i));
	told.use = told.work / cores / told.makespan;
	told.cache_use = cache.busy / told.makespan;
	told.server_use = server.busy / told.makespan;
	double most = fmax(fmax(told.work / cores, told.critical), fmax(cache.busy, server.busy));
	told.bound = most == told.work / cores ? "work"
		     : most == told.critical   ? "critical path"
		     : most == cache.busy      ? "bandwidth of the cache"
					       : "plan server";
	return told;
}

static bool plays_alike(struct cs_random *random)
{
	struct cs_farm_plan *plan = random_plan(random);
	const struct cs_farm_machines machines = {.nodes = 1 + cs_random_below(random, 3),
		.cores = 1 + cs_random_below(random, 3),
		.bandwidth = 100 * cs_random_below(random, 4),
		.latency = 0.25 * cs_random_below(random, 4)};
	struct cs_farm_forecast got = {0}, want = play_twin(plan, &machines);
	struct cs_error *error = farm_simulate(plan, &machines, NULL, &got);
	bool alike = !error && got.makespan == want.makespan && got.work == want.work &&
		     got.critical == want.critical && got.use == want.use &&
		     got.cache_use == want.cache_use && got.server_use == want.server_use &&
		     strcmp(got.bound, want.bound) == 0;
	cs_error_free(error);
	cs_farm_plan_free(plan);
	return alike;
}

static void test_plays(void)
{
	struct cs_random random = {12};
	size_t alike = 0;
	for (int i = 0; i < 300; i++)
		alike += plays_alike(&random);
	is_int(alike, 300, "300 plans by chance take the time that a twin without a heap finds");
}

/* Measured times are used, and impossible counts of machines are refused. */
static void test_measured_times(void)
{
	struct cs_farm_plan *plan = plan_of(3, alone, 2);
	const struct cs_farm_machines one = {1, 1, 100, 0};
	const double seconds[] = {1, 2, 4};
	struct cs_farm_forecast forecast;
	plan->steps.at[0].bytes = 50;
	plan->steps.at[1].bytes = 0;
	plan->steps.at[2].bytes = 100;
	works(farm_simulate(plan, &one, seconds, &forecast), "with measured times");
	is_near(forecast.makespan, 10, "seven seconds of work, three of the cache");
	is_near(forecast.critical, 4, "the longest is the path");
	const struct cs_farm_machines none[] = {
		{0, 1, 0, 0}, {1, 0, 0, 0}, {1, 1, -1, 0}, {1, 1, 0, -1}, {1, 1, NAN, 0}};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		fails(farm_simulate(plan, &none[i], NULL, &forecast), CS_E_SETTING,
			"machines %zu are refused", i);
	cs_farm_plan_free(plan);
	plan = plan_of(0, alone, 0);
	works(farm_simulate(plan, &one, NULL, &forecast), "a plan without steps");
	ok(forecast.makespan == 0 && forecast.use == 0, "takes no time");
	cs_farm_plan_free(plan);
}

static size_t whole_file(const char *path, char *bytes, size_t room)
{
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(bytes, 1, room, file) : 0;
	if (file)
		fclose(file);
	return n;
}

static void write_file(const char *path, const char *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
		abort();
}

/* A plan in which a byte is changed or whose end is cut is the same plan or a named error. */
static void test_damage(const char *folder)
{
	char path[4096], bytes[8192];
	size_t wrong = 0, refused = 0;
	snprintf(path, sizeof(path), "%s/plan.jsonl", folder);
	struct cs_farm_plan *plan = plan_of(4, pairs, 1), *again;
	ok(!cs_farm_plan_write(plan, path), "a plan is written");
	size_t n = whole_file(path, bytes, sizeof(bytes));
	struct cs_farm_key key = cs_farm_plan_key(plan);
	for (size_t i = 0; i < 2 * n; i++) {
		char damaged[sizeof(bytes)];
		size_t size = i < n ? i : n;
		memcpy(damaged, bytes, n);
		if (i >= n)
			damaged[i - n] ^= (char)(1 << i % 7);
		write_file(path, damaged, size);
		struct cs_error *error = cs_farm_plan_read(path, NULL, NULL, &again);
		if (error) {
			refused++;
			cs_error_free(error);
			continue;
		}
		wrong += cs_farm_plan_key(again).low != key.low;
		cs_farm_plan_free(again);
	}
	is_int(wrong, 0, "no damaged plan is taken for another");
	ok(refused > n, "most are refused");
	unlink(path);
	cs_farm_plan_free(plan);
}

static int far(size_t step)
{
	return step > 5 ? (int)(step / 3) : -1;
}

/*
 * Each step that is read alone equals that of the whole plan: it has the same key and the keys of
 * its needs.
 */
static void test_alone(const char *folder)
{
	enum { STEPS = 3000 };
	char path[4096];
	size_t wrong = 0, at;
	snprintf(path, sizeof(path), "%s/alone.jsonl", folder);
	struct cs_farm_plan *plan = plan_of(STEPS, far, 1), *part;
	ok(!cs_farm_plan_write(plan, path), "a plan of %d steps", STEPS);
	for (size_t i = 0; i < STEPS; i += i < 50 || i > STEPS - 50 ? 1 : 37) {
		at = i;
		struct cs_error *error = cs_farm_plan_read(path, &at, NULL, &part);
		if (error) {
			wrong++;
			cs_error_free(error);
			continue;
		}
		const struct farm_step *got = &part->steps.at[at], *want = &plan->steps.at[i];
		wrong += got->key.low != want->key.low || farm_step_id(part, at) != i ||
			 cs_farm_plan_key(part).low != cs_farm_plan_key(plan).low ||
			 got->n_needs != want->n_needs ||
			 (got->n_needs && farm_step_id(part, part->needs.at[got->first_need]) !=
						  plan->needs.at[want->first_need]);
		cs_farm_plan_free(part);
	}
	is_int(wrong, 0, "a step read alone is that of the plan, with what it needs");
	at = STEPS;
	fails(cs_farm_plan_read(path, &at, NULL, &part), CS_E_FARM, "no such step");
	FILE *file = fopen(path, "r+");
	char line[400];
	long place = 0;
	for (int i = 0; i < 1000 && fgets(line, sizeof(line), file); i++)
		place = ftell(file);
	char *word = fgets(line, sizeof(line), file) ? strstr(line, ":\"m999.ply\",\"tree") : NULL;
	ok(word != NULL, "its line");
	if (word) {
		fseek(file, place + (word - line), SEEK_SET);
		fputs(":\"n", file);
	}
	fclose(file);
	at = 999;
	fails(cs_farm_plan_read(path, &at, NULL, &part), CS_E_FARM,
		"one that was edited is found out");
	unlink(path);
	cs_farm_plan_free(plan);
}

/* A map of a UE project is cooked by its name, with the profile that was asked for. */
static void test_project(void)
{
	char root[4096], path[8192], text[8192] = "";
	const struct cs_farm_options options = {.size = sizeof(options), .profile = "5.6"};
	const struct cs_ue_recipe recipe = {.engine = "5.4", .seed = 4, .folder = root};
	struct cs_farm_plan *plan = NULL;
	fresh_folder(root, sizeof(root), "farm_project");
	works(cs_ue_generate(&recipe, NULL, NULL), "a project is made");
	works(cs_farm_survey(root, &options, NULL, &plan), "and planned");
	snprintf(path, sizeof(path), "%s/plan.jsonl", root);
	works(cs_farm_plan_write(plan, path), "the plan is written");
	FILE *file = fopen(path, "r");
	bool cooks = false;
	while (file && fgets(text, sizeof(text), file)) {
		if (!strstr(text, "\"verb\":\"cook\""))
			continue;
		cooks = true;
		ok(strstr(text, "\"--map\",\"/Game/") && strstr(text, "\"--profile\",\"5.6\"]"),
			"a cook names its map and its profile");
	}
	ok(cooks, "the map of the project is cooked");
	if (file)
		fclose(file);
	cs_farm_plan_free(plan);
	remove_tree(root);
}

/* What a project is read from is found behind links, too, or else a change of it is not noticed. */
static void test_linked_project(void)
{
	static const char *const maps[] = {".umap", NULL};
	char root[4096], from[8192], to[8192];
	const struct cs_ue_recipe recipe = {.engine = "5.4", .seed = 4, .folder = root};
	struct farm_files before = {{0}}, after = {{0}}, own = {{0}};
	fresh_folder(root, sizeof(root), "farm_linked");
	works(cs_ue_generate(&recipe, NULL, NULL), "a project is made");
	works(farm_find_files(root, maps, 3, NULL, &before), "its maps are found");
	snprintf(from, sizeof(from), "%s/Content/Maps", root);
	snprintf(to, sizeof(to), "%s/.shared", root);
	ok(rename(from, to) == 0 && symlink("../.shared", from) == 0, "they move behind a link");
	snprintf(to, sizeof(to), "%s/Content/circle", root);
	ok(symlink("..", to) == 0, "beside a circle");
	works(farm_find_files(root, maps, 3, NULL, &after), "and are found there");
	works(farm_find_files(root, maps, 0, NULL, &own), "but not without links");
	is_int(after.paths.n, before.paths.n, "all of them, once");
	ok(own.paths.n < before.paths.n, "a search without links does not leave its folder");
	farm_files_deinit(&before);
	farm_files_deinit(&after);
	farm_files_deinit(&own);
	remove_tree(root);
}

/* ---- summaries ---- */

/* Compares the slowest steps with a sort by hand; times repeat, so that there are ties. */
static void test_slowest(void)
{
	enum { STEPS = 60 };
	struct cs_farm_outcome outcomes[STEPS] = {{0}};
	const struct cs_farm_summary summary = {.steps = STEPS, .outcomes = outcomes};
	bool right = true;
	for (unsigned i = 0; i < STEPS; i++)
		outcomes[i].seconds = i % 7 == 0 ? 0 : (double)(i * 13 % 9) - 1;
	for (size_t most = 1; most <= STEPS; most++) {
		size_t steps[STEPS], n = farm_slowest(&summary, steps, most), timed = 0;
		for (size_t i = 0; i < STEPS; i++) {
			size_t before = 0; /* that took longer, or as long and stand in front */
			for (size_t k = 0; k < STEPS; k++)
				before += outcomes[k].seconds > outcomes[i].seconds ||
					  (outcomes[k].seconds == outcomes[i].seconds && k < i);
			if (!(outcomes[i].seconds > 0))
				continue;
			timed++;
			right = right && (before >= most || steps[before] == i);
		}
		right = right && n == (timed < most ? timed : most);
	}
	ok(right, "the slowest steps are in order, those that took as long as planned");
}

static void test_summary(void)
{
	struct cs_farm_plan *plan = plan_of(10, chain, 2);
	struct cs_farm_outcome outcomes[10] = {{0}};
	struct cs_farm_summary summary = {.steps = 10, .outcomes = outcomes};
	double seconds;
	cs_farm_steps(plan, &seconds);
	is_near(seconds, 20, "the work of a plan");
	works(farm_sum_up(plan, &summary), "a summary");
	is_near(summary.seconds_left, 20, "is left at first");
	is_int(summary.waiting, 10, "all steps wait");
	outcomes[0].state = CS_FARM_DONE;
	outcomes[1].state = CS_FARM_HIT;
	outcomes[2].state = CS_FARM_FAILED;
	outcomes[3].state = CS_FARM_SKIPPED;
	outcomes[4].state = outcomes[5].state = CS_FARM_RUNNING;
	works(farm_sum_up(plan, &summary), "a summary");
	ok(summary.waiting == 4 && summary.running == 2 && summary.done == 1 && summary.hits == 1 &&
			summary.failed == 1 && summary.skipped == 1,
		"each is counted by its state");
	is_near(summary.seconds_left, 12, "what runs is left too");
	cs_farm_plan_free(plan);
}

int main(void)
{
	const char *folder = test_folder();
	test_forecasts();
	test_large();
	test_plays();
	test_measured_times();
	test_slowest();
	test_summary();
	test_damage(folder);
	test_alone(folder);
	test_project();
	test_linked_project();
	return done();
}
