/* SPDX-License-Identifier: Apache-2.0 */
/* No memory for the farm: reading a plan and its journal, and the files that a mesh names. */
#include "tests/faults/no_memory_farm.h"

#include "farm/journal.h"

#include <cellscope/farm.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct cs_job job = {.threads = 1};
static char farm_folder[4096];

static void write_farm_file(const char *name, const char *said)
{
	char path[4200];
	snprintf(path, sizeof(path), "%s/%s", farm_folder, name);
	FILE *file = fopen(path, "w");
	if (!file || fputs(said, file) < 0 || fclose(file) != 0)
		abort();
}

static const char *farm_file(const char *name)
{
	static char path[4200];
	snprintf(path, sizeof(path), "%s/%s", farm_folder, name);
	return path;
}

struct cs_error *make_plan(void)
{
	const char *out = getenv("CELLSCOPE_OUT");
	struct cs_farm_plan *plan;
	struct cs_farm_cache *cache = NULL;
	struct farm_journal journal;
	snprintf(farm_folder, sizeof(farm_folder), "%s/farm_faults", out ? out : ".");
	mkdir(farm_folder, 0777);
	write_farm_file("a.json", "{}");
	write_farm_file("list", "cook a.json\nverify a.json\nverify a.json --profile 5.3\n");
	write_farm_file("a.gltf", "{\"buffers\":[{\"uri\":\"a.bin\"},{\"uri\":\"list\"}]}");
	write_farm_file("a.bin", "1");
	struct cs_error *error = cs_farm_survey(farm_file("list"), NULL, &job, &plan);
	if (error)
		return error;
	error = cs_farm_plan_write(plan, farm_file("plan.jsonl"));
	if (!error)
		error = cs_farm_cache_open(farm_file("cache"), NULL, &cache);
	if (!error) {
		farm_journal_open(plan, cache, &journal);
		farm_journal_note(&journal, 0, CS_FARM_DONE, 0, .5);
		farm_journal_note(&journal, 1, CS_FARM_FAILED, 3, .25);
		farm_journal_close(&journal);
	}
	cs_farm_cache_free(cache);
	cs_farm_plan_free(plan);
	return error;
}

struct cs_error *run_plan(void)
{
	struct cs_farm_plan *plan;
	struct cs_error *error = cs_farm_plan_read(farm_file("plan.jsonl"), NULL, &job, &plan);
	if (error)
		return error;
	came_to_number(cs_farm_steps(plan, NULL));
	cs_farm_plan_free(plan);
	return NULL;
}

struct cs_error *run_step_of_plan(void)
{
	struct cs_farm_plan *plan;
	size_t step = 2;
	struct cs_error *error = cs_farm_plan_read(farm_file("plan.jsonl"), &step, &job, &plan);
	if (error)
		return error;
	came_to_number(cs_farm_steps(plan, NULL) * 8 + step);
	cs_farm_plan_free(plan);
	return NULL;
}

struct cs_error *run_journal(void)
{
	struct cs_farm_plan *plan;
	struct cs_farm_cache *cache = NULL;
	struct cs_farm_summary summary;
	struct cs_error *error = cs_farm_plan_read(farm_file("plan.jsonl"), NULL, &job, &plan);
	if (error)
		return error;
	error = cs_farm_cache_open(farm_file("cache"), NULL, &cache);
	if (!error)
		error = cs_farm_look(plan, cache, &job, &summary);
	if (!error) {
		came_to_number(summary.failed * 8 + summary.done);
		cs_farm_summary_deinit(&summary);
	}
	cs_farm_cache_free(cache);
	cs_farm_plan_free(plan);
	return error;
}

struct cs_error *run_companions(void)
{
	struct cs_farm_plan *plan;
	uint32_t step;
	struct cs_error *error = farm_plan_new(farm_folder, &plan);
	if (error)
		return error;
	error = farm_add_step(plan, FARM_CHECK_MESH, "a.gltf", &step);
	if (!error)
		error = farm_add_companions(plan, "a.gltf", &job);
	if (!error)
		came_to_number(plan->reads.n);
	cs_farm_plan_free(plan);
	return error;
}
