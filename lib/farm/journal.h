/* SPDX-License-Identifier: Apache-2.0 */
/* The journal CACHE/runs/PLAN.jsonl: states of steps on all hosts, for users and for estimates. */
#pragma once

#include "farm/plan.h"

enum { FARM_HOST = 64 };

struct farm_journal {
	int fd; /* -1 = the journal could not be opened and is not written */
	char host[FARM_HOST];
};

void farm_journal_open(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	struct farm_journal *ret);
void farm_journal_note(struct farm_journal *journal, uint32_t step, enum cs_farm_state state,
	int status, double seconds);
void farm_journal_close(struct farm_journal *journal);

/* Reads outcome and seconds of the latest run of each step from the journal to `outcomes`. */
struct cs_error *farm_journal_read(const struct cs_farm_plan *plan,
	const struct cs_farm_cache *cache, const struct cs_job *job,
	struct cs_farm_outcome *outcomes) CS_MUST_USE;
