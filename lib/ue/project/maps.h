/* SPDX-License-Identifier: Apache-2.0 */
/* Which maps a project has, and which of them is meant. */
#pragma once

#include <cellscope/ue.h>

#include "ue/project/project.h"

/* The long package name of the map that `name` (may be NULL) means; E_NOMAP lists the maps. */
struct cs_error *cs_ue_choose_map(struct cs_ue_project *project, const char *name,
	const struct cs_job *job, const char **ret) CS_MUST_USE;
