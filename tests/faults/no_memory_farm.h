/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the farm in which one allocation after the other fails (no_memory.c). */
#pragma once

#include <cellscope/core.h>

/*
 * Adds a number to the hash of a run's result. A run that lost an allocation and returned no error
 * must have the same hash as a run that lost none.
 */
void came_to_number(uint64_t number);

/* Runs that make or execute a plan of two checks of a cook, or write and read its journal. */
struct cs_error *make_plan(void);
struct cs_error *run_plan(void);
struct cs_error *run_step_of_plan(void);
struct cs_error *run_journal(void);
struct cs_error *run_companions(void);
