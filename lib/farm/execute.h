/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs each step of a plan as a child process whose working folder is the root folder of the plan.
 * The output of the process is read into memory. The file that it writes goes to the work folder of
 * the run and from there to the cache.
 */
#pragma once

#include "farm/key.h"
#include "farm/plan.h"

#include <sys/types.h>

enum { FARM_SAID = 1 << 20 }; /* largest number of bytes of a step's output that are stored */

struct farm_workshop {
	const struct cs_farm_plan *plan;
	const struct cs_farm_cache *cache;
	const struct cs_farm_run_options *options;
	const struct cs_job *job;
	/* path of the program that runs steps, path of the work folder; owned */
	char *program, *folder;
	/* descriptor of the work folder's lock file, locked during the run */
	int lock;
	bool confined;                /* steps run restricted by Landlock */
	struct farm_look *looks;      /* result of the last check of each input; owned */
	struct farm_digests *digests; /* known content hashes of files; owned */
};

/*
 * Result of the last check of an input: whether it was compared with the plan, and its stamp (hash
 * of its status) at that time.
 */
struct farm_look {
	bool looked;
	struct cs_farm_key stamp;
};

struct farm_child {
	uint32_t step;
	pid_t pid;
	int said_fd; /* read end of the pipe with the child's output; -1 = no child */
	double began;
	CS_VEC(char) said;
};

struct cs_error *farm_workshop_open(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_farm_run_options *options,
	const struct cs_job *job, struct farm_workshop *ret) CS_MUST_USE;
void farm_workshop_close(struct farm_workshop *workshop);

/*
 * Returns FOLDER/STEP, the only folder to which the step may write; freed by the caller, or NULL.
 */
char *farm_own_folder(const struct farm_workshop *workshop, uint32_t step);
/* Returns FOLDER/KEY.SUFFIX, the file made by a step, kept during the run; freed by the caller. */
char *farm_result_path(const struct farm_workshop *workshop, const struct farm_step *step);
/* Starts the process of child->step and stores its process id and pipe in `child`. */
struct cs_error *farm_launch(
	struct farm_workshop *workshop, struct farm_child *child, char *const *argv) CS_MUST_USE;
/*
 * Runs one step: copies the results that it needs from the cache, and stores its own result. A full
 * disk or a changed input makes the step fail, which is its outcome and not an error. Errors are
 * E_NOMEM and E_INTERRUPTED; the process of the step is then killed.
 */
struct cs_error *farm_execute(
	struct farm_workshop *workshop, uint32_t step, struct cs_farm_outcome *ret) CS_MUST_USE;
