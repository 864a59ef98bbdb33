/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of a run on memory, records and time, and its progress so far. */
#pragma once

#include <cellscope/core.h>

#include "src/session/progress.h"

struct bounds {
	struct cs_limits limits;
	double deadline; /* time limit in seconds of the monotonic clock, 0 = none */
	bool timed_out;
	bool memory_bound; /* whether --max-mem limits the whole process */
	struct progress_state progress;
};
