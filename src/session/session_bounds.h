/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on memory, records and time, and the progress of the running command. */
#pragma once

#include <cellscope/core.h>

#include "src/session/progress.h"

struct bounds {
	struct cs_limits limits;
	double deadline; /* end of the run in seconds of the monotonic clock; 0 = no time limit */
	bool timed_out;
	bool memory_bound; /* --max-mem limits the whole process */
	struct progress_state progress;
};
