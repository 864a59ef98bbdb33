/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder of inputs, a cache in it, a plan over the inputs, and a program that runs steps: a shell
 * script that notes what it is told, and then does what the input of the step says.
 */
#pragma once

#include "farm/plan.h"
#include "tests/samples/tap.h"

enum { YARD_PATH = 4096 };

struct yard {
	char root[YARD_PATH], program[YARD_PATH + 16];
	struct cs_farm_plan *plan;
	struct cs_farm_cache *cache;
};

/* Opens an empty yard; `name` is the name of its folder, which no other test has. */
void open_yard(struct yard *yard, const char *name);
void close_yard(struct yard *yard);
void empty_cache(struct yard *yard);
/*
 * Adds a step that does what `does` says, with the results of up to two other steps; a `need` below
 * 0 is none.
 */
void add_step(struct yard *yard, enum farm_verb verb, const char *does, int need, int other);
/* Makes keys and estimates when all steps are added. */
void plan_yard(struct yard *yard);
struct cs_farm_run_options options_of(const struct yard *yard);
/* It is inline so that the point counts for the test that calls it. */
static inline struct cs_farm_summary run_yard(
	const struct yard *yard, const struct cs_farm_run_options *options)
{
	struct cs_farm_summary summary = {0};
	works(cs_farm_run(yard->plan, yard->cache, options, NULL, &summary), "a plan is run");
	return summary;
}

void write_text(const char *folder, const char *name, const char *text);
void append_text(const char *path, const char *text);
/* Returns the text of a file; valid until the next call. */
const char *read_text(const char *folder, const char *name);
