/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step as a child process. It runs in the root of the plan; what it says goes into memory, what
 * it makes into the work folder of the run, from where the cache takes it.
 */
#ifndef FARM_EXECUTE_H
#define FARM_EXECUTE_H

#include "farm/plan.h"

#include <sys/types.h>

enum {
	FARM_OURS = 99,
	FARM_TRIES = 3,
	FARM_SAID = 1 << 20 /* bytes that are kept of what a step says */
};

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
	unsigned tries;
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
/* Starts the step of `child`. What it needs is taken out of the cache first. */
struct cs_error *farm_child_start(
	struct farm_workshop *workshop, struct farm_child *child) CS_MUST_USE;
/* Takes what the child has said; false when it has nothing more to say: it has ended. */
bool farm_child_listen(struct farm_child *child);
/* Waits for its end and keeps its result. *again_ret: it crashed and has a try left. */
struct cs_error *farm_child_finish(struct farm_workshop *workshop, struct farm_child *child,
	struct cs_farm_outcome *ret, bool *again_ret) CS_MUST_USE;
/* What fails one step, as a full disk or an input that has changed does; the rest goes on. */
bool farm_fails_step(const struct cs_error *error);
/* The outcome of a step that fails of it. Takes the error over. */
void farm_outcome_failed(struct cs_error *error, struct cs_farm_outcome *ret);
void farm_child_kill(struct farm_child *child);

#endif
