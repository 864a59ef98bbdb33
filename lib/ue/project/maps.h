/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the maps of a project and finds the one that a user names. */
#pragma once

#include <cellscope/ue.h>

#include "ue/project/project.h"

/*
 * Returns the long package name of the map that `name` refers to; for NULL, of the only partitioned
 * map. Returns E_NOMAP, whose message lists the maps, if no map or several maps match.
 */
struct cs_error *cs_ue_choose_map(struct cs_ue_project *project, const char *name,
	const struct cs_job *job, const char **ret) CS_MUST_USE;
