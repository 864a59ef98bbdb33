/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step as a child process. It runs in the root of the plan; what it says goes into memory, what
 * it makes into the work folder of the run, from where the cache takes it.
 */
#ifndef FARM_EXECUTE_H
#define FARM_EXECUTE_H

#include "farm/plan.h"

#include <sys/types.h>

enum { FARM_TRIES = 3, FARM_SAID = 1 << 20 /* bytes that are kept of what a step says */ };

struct farm_workshop {
	const struct cs_farm_plan *plan;
	const struct cs_farm_cache *cache;
	const struct cs_farm_run_options *options;
	const struct cs_job *job;
	char *program, *folder; /* owned */
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

/* Starts the step of `child`. What it needs is taken out of the cache first. */
struct cs_error *farm_child_start(
	struct farm_workshop *workshop, struct farm_child *child) CS_MUST_USE;
/* Takes what the child has said; false when it has nothing more to say: it has ended. */
bool farm_child_listen(struct farm_child *child);
/* Waits for its end and keeps its result. *again_ret: it crashed and has a try left. */
struct cs_error *farm_child_finish(struct farm_workshop *workshop, struct farm_child *child,
	struct cs_farm_outcome *ret, bool *again_ret) CS_MUST_USE;
void farm_child_kill(struct farm_child *child);

#endif
