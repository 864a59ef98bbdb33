/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Script objects, which are classes of the engine and their defaults, by the hash with which Zen
 * packages name them (ue-cooked rules 3.4): those of a global container, and those of the built-in
 * tables.
 */
#pragma once

#include "core/arena.h"

#include <cellscope/core.h>

struct cs_ue_script {
	uint64_t hash;
	const char *path; /* "/Script/Engine.World" */
};

struct cs_ue_scripts {
	struct cs_ue_script *at; /* sorted by hash */
	size_t n;
};

/* Reads the bytes of a script objects chunk. */
struct cs_error *cs_ue_read_scripts(const void *bytes, size_t size, const char *name,
	struct cs_arena *arena, struct cs_ue_scripts *ret) CS_MUST_USE;
/* Returns the objects whose names are built in, with their hashes. */
struct cs_error *cs_ue_known_scripts(struct cs_arena *arena, struct cs_ue_scripts *ret) CS_MUST_USE;
/* Returns a path, or NULL for an unknown hash. */
const char *cs_ue_script_path(const struct cs_ue_scripts *scripts, uint64_t hash);
