/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step as a child process. It runs in the root of the plan; what it says goes into memory, what
 * it makes into the work folder of the run, from where the cache takes it.
 */
#pragma once

#include "farm/key.h"
#include "farm/plan.h"

#include <sys/types.h>

enum { FARM_SAID = 1 << 20 }; /* bytes that are kept of what a step says */

struct farm_workshop {
	const struct cs_farm_plan *plan;
	const struct cs_farm_cache *cache;
	const struct cs_farm_run_options *options;
	const struct cs_job *job;
	char *program, *folder;       /* owned */
	int lock;                     /* held as long as the folder is ours */
	bool confined;                /* steps run in a cage */
	struct farm_look *looks;      /* by input; owned */
	struct farm_digests *digests; /* owned */
};

/* An input whose content was found to be that of the plan, and what the system said of it then. */
struct farm_look {
	bool looked;
	struct cs_farm_key stamp;
};

struct farm_child {
	uint32_t step;
	pid_t pid;
	int said_fd; /* -1: no child */
	double began;
	CS_VEC(char) said;
};

struct cs_error *farm_workshop_open(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct farm_workshop *ret) CS_MUST_USE;
void farm_workshop_close(struct farm_workshop *workshop);

/* FOLDER/STEP: where a step writes, and all that it may write to. Both are the caller's, or NULL.
 */
char *farm_own_folder(const struct farm_workshop *workshop, uint32_t step);
/* FOLDER/KEY.cworld: the file of a step's result while a run needs it. */
char *farm_result_path(const struct farm_workshop *workshop, const struct farm_step *step);
/* Starts the process of a step, which is then the child's. */
struct cs_error *farm_launch(
	struct farm_workshop *workshop, struct farm_child *child, char *const *argv) CS_MUST_USE;
/*
 * Runs one step, from what it needs, which is taken out of the cache, to its result in the cache.
 * A full disk or an input that has changed fails the step, as its outcome says. Errors: E_NOMEM,
 * E_INTERRUPTED, on which the process of the step is killed.
 */
struct cs_error *farm_execute(
	struct farm_workshop *workshop, uint32_t step, struct cs_farm_outcome *ret) CS_MUST_USE;
