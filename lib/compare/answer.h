/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine made of a world, in one form for all sources: its cells, and which actors are in
 * them. Texts belong to the log or world that the answer was read from, or to the arena.
 */
#pragma once

#include <cellscope/compare.h>

#include "core/arena.h"
#include "core/vec.h"

struct cs_answer_cell {
	const char *name;    /* begins with the map; may be "" when only the GUID is known */
	const char *package; /* long name of the cell's package; NULL = unknown */
	struct cs_guid guid; /* zero = unknown */
	struct cs_box box, content;
	bool has_boxes, is_2d;
	size_t first, count; /* range of actors */
	uint32_t ours; /* row of the same cell in our cook, CS_NONE for none; set by matching */
};

struct cs_answer_actor {
	struct cs_guid guid; /* GUID of the actor's instance */
	const char *name;    /* name that a user knows; NULL = unknown */
};

struct cs_answer {
	struct cs_arena arena;
	const char *world; /* short name of the map, "" = unknown */
	CS_VEC(struct cs_answer_cell) cells;
	CS_VEC(struct cs_answer_actor) actors;
	CS_VEC(const char *) always_loaded; /* paths of the actors of the persistent level */
	bool whole; /* every cell and every actor is listed, so a missing one is a difference */
	/* from cooked files, which also contain GUIDs, layers, and the class of the hash */
	bool cooked;
	uint32_t hash_class; /* enum cs_hash_class of the engine's cook; only of cooked files */
};

struct cs_error *cs_answer_of_log(const struct cs_ue_log *log, struct cs_answer *ret) CS_MUST_USE;
struct cs_error *cs_answer_of_hlods(
	const struct cs_world *world, struct cs_answer *ret) CS_MUST_USE;
/*
 * Reads the answer from a world that the engine cooked. `ours` gives the GUIDs of actors that the
 * engine's cook identifies only by name.
 */
struct cs_error *cs_answer_of_cooked(const struct cs_cooked *theirs, const struct cs_cooked *ours,
	struct cs_answer *ret) CS_MUST_USE;
void cs_answer_deinit(struct cs_answer *answer);
