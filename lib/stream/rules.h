/* SPDX-License-Identifier: Apache-2.0 */
/* The run-time rules that differ between engine versions (world-partition rules, Appendix A). */
#pragma once

#include <cellscope/core.h>

struct cs_run_rules {
	const char *name;     /* oldest engine version with these rules, such as "5.4" */
	unsigned first, last; /* range of minor versions of engine 5 */
	/* the spatial sort key blends distance and angle, instead of multiplying them */
	bool angle_weight;
	/* default of the engine's variable wp.Runtime.UpdateStreaming.EnableOptimization */
	bool skips_updates;
	/*
	 * the version has a fourth performance level, Immediate, and a separate level for display
	 */
	bool immediate;
	/*
	 * a cell's state is at most that of its external data layer. false: the cell is unloaded
	 * unless that layer is activated
	 */
	bool external_caps;
};

/*
 * Finds the rules for "5.4", or for the first version of "5.1-5.3". "" means 5.4; a version newer
 * than all known gets the newest rules. Returns E_PROFILE for other texts.
 */
struct cs_error *cs_run_rules_find(const char *text, const struct cs_run_rules **ret) CS_MUST_USE;
