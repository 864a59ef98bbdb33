/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the farm in which one allocation after the other fails (no_memory.c). */
#pragma once

#include <cellscope/core.h>

/* Adds a number to what a run came to: runs that say nothing of a lost allocation must agree. */
void came_to_number(uint64_t number);

/* Two checks of a cook each, and lines of a journal that say what became of them. */
struct cs_error *make_plan(void);
struct cs_error *run_plan(void);
struct cs_error *run_step_of_plan(void);
struct cs_error *run_journal(void);
struct cs_error *run_companions(void);
