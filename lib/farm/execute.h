/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step as a child process. It runs in the root of the plan; its output is read into memory, the
 * file that it writes goes to the work folder of the run, and from there into the cache.
 */
#pragma once

#include "farm/key.h"
#include "farm/plan.h"

#include <sys/types.h>

enum { FARM_SAID = 1 << 20 }; /* Most bytes of a step's output that are stored. */

struct farm_workshop {
	const struct cs_farm_plan *plan;
	const struct cs_farm_cache *cache;
	const struct cs_farm_run_options *options;
	const struct cs_job *job;
	/* program that runs steps, and the work folder of the run; both owned */
	char *program, *folder;
	int lock;                /* descriptor of the lock file, held while the folder is in use */
	bool confined;           /* whether steps run restricted by Landlock */
	struct farm_look *looks; /* for each input, its last seen status; owned */
	struct farm_digests *digests; /* contents of files that are known; owned */
};

/* An input that was compared with the plan, and its status at that time. */
struct farm_look {
	bool looked;
	struct cs_farm_key stamp;
};

struct farm_child {
	uint32_t step;
	pid_t pid;
	int said_fd; /* reading end of the child's output; -1: no child */
	double began;
	CS_VEC(char) said;
};

struct cs_error *farm_workshop_open(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct farm_workshop *ret) CS_MUST_USE;
void farm_workshop_close(struct farm_workshop *workshop);

/*
 * Returns FOLDER/STEP, the only folder that a step may write to; freed by the caller, NULL without
 * memory.
 */
char *farm_own_folder(const struct farm_workshop *workshop, uint32_t step);
/* Returns FOLDER/KEY.cworld, the file of a step's result while a run needs it. */
char *farm_result_path(const struct farm_workshop *workshop, const struct farm_step *step);
/* Starts the process of a step and stores it in `child`. */
struct cs_error *farm_launch(
	struct farm_workshop *workshop, struct farm_child *child, char *const *argv) CS_MUST_USE;
/*
 * Runs one step: copies the results that it needs from the cache, and stores its own. A full disk
 * or a changed input fails the step, as its outcome says. Errors: E_NOMEM, E_INTERRUPTED, after
 * which the process of the step is killed.
 */
struct cs_error *farm_execute(
	struct farm_workshop *workshop, uint32_t step, struct cs_farm_outcome *ret) CS_MUST_USE;
