/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Script objects, which are the engine's native classes and their default objects, with the hashes
 * by which Zen packages refer to them (ue-cooked rules 3.4). They come from a global container or
 * from built-in lists.
 */
#pragma once

#include "core/arena.h"

#include <cellscope/core.h>

struct cs_ue_script {
	uint64_t hash;
	const char *path; /* such as "/Script/Engine.World" */
};

struct cs_ue_scripts {
	struct cs_ue_script *at; /* sorted by hash */
	size_t n;
};

/* Reads a chunk of script objects. Everything is allocated from the arena. */
struct cs_error *cs_ue_read_scripts(const void *bytes, size_t size, const char *name,
	struct cs_arena *arena, struct cs_ue_scripts *ret) CS_MUST_USE;
/* Returns the script objects whose names are built in. They are used without a global container. */
struct cs_error *cs_ue_known_scripts(struct cs_arena *arena, struct cs_ue_scripts *ret) CS_MUST_USE;
/* Returns the path of the script object with this hash, or NULL if it is unknown. */
const char *cs_ue_script_path(const struct cs_ue_scripts *scripts, uint64_t hash);
