/* SPDX-License-Identifier: Apache-2.0 */
/* The run time rules in which engine versions differ (world-partition rules, Appendix A). */
#pragma once

#include <cellscope/core.h>

struct cs_run_rules {
	const char *name;     /* oldest engine with these rules */
	unsigned first, last; /* first and last minor version of engine 5 */
	bool angle_weight;    /* spatial key blends distance and angle instead of multiplying */
	bool skips_updates;   /* default of wp.Runtime.UpdateStreaming.EnableOptimization */
	bool immediate;       /* there is a fourth performance level, and a level for display */
	bool external_caps;   /* an external layer limits its cells instead of unloading them */
};

/*
 * Finds the rules by "5.4" or "5.1-5.3" (the first version counts); "" = 5.4; a newer version than
 * all gets the newest. E_PROFILE.
 */
struct cs_error *cs_run_rules_find(const char *text, const struct cs_run_rules **ret) CS_MUST_USE;
