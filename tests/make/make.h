/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests make and no user needs: a world of hard cases, and projects of Unreal Engine in the
 * packages of any release.
 */
#pragma once

#include <cellscope/world.h>

/* ---- worlds ---- */

/* The kind behind those of the library: every rule and every error of the cook at least once. */
#define CS_WORLD_HARD ((enum cs_world_kind)(CS_WORLD_EMPTY + 1))

/* cs_world_generate, for that kind too. */
struct cs_error *make_test_world(const struct cs_world_recipe *recipe, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

/* ---- projects ---- */

struct cs_ue_recipe {
	const char *engine; /* "5.0EA", "5.0" ... "5.7"; cs_ue_engine_name lists them */
	uint64_t actors;    /* of the map; 0 = as few as show everything */
	uint64_t seed;
	const char *folder; /* made if need be; must not hold a project */
};

/*
 * Writes a small project: a map with its settings, external actors of many kinds, data layers,
 * Blueprints, HLOD actors and a level instance. The same recipe gives the same bytes everywhere.
 * E_SETTING for an engine that is not known, E_EXISTS when the folder has a Content folder.
 * What was made is counted in *ret, unless that is NULL.
 */
struct cs_error *cs_ue_generate(const struct cs_ue_recipe *recipe, const struct cs_job *job,
	struct cs_world_counts *ret) CS_MUST_USE;
/* Makes the world of that project without files: reading the project gives the same world. */
struct cs_error *cs_ue_generate_world(const struct cs_ue_recipe *recipe, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;
/* Returns the name of an engine that recipes can have, in order of release; NULL after the last. */
const char *cs_ue_engine_name(size_t index);
