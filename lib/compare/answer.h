/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine's cook, in one form for all sources from which it can be read: its cells, and the
 * actors in each cell. Texts are owned by the log or world that was read, or by `arena`.
 */
#pragma once

#include <cellscope/compare.h>

#include "core/arena.h"
#include "core/vec.h"

struct cs_answer_cell {
	/* name of the cell with the map's name in front; may be "" when only the GUID is known */
	const char *name;
	const char *package; /* long package name of the cell; NULL = unknown */
	struct cs_guid guid; /* GUID of the cell; zero = unknown */
	struct cs_box box, content;
	bool has_boxes, is_2d;
	size_t first, count; /* the cell's range of `actors` of cs_answer */
	/* row of the paired cell in our cook, CS_NONE = none; set by cs_match_cells */
	uint32_t ours;
};

struct cs_answer_actor {
	struct cs_guid guid; /* instance GUID of the actor */
	const char *name;    /* label or object name, as a user sees it; NULL = unknown */
};

struct cs_answer {
	struct cs_arena arena;
	const char *world; /* short name of the map, "" = unknown */
	CS_VEC(struct cs_answer_cell) cells;
	CS_VEC(struct cs_answer_actor) actors;
	CS_VEC(const char *) always_loaded; /* object paths of the actors of the persistent level */
	bool whole; /* the source lists every cell and actor, so a missing one is a difference */
	/* the source is cooked files, which also contain GUIDs, layers and the class of the hash */
	bool cooked;
	/* enum cs_hash_class of the engine's cook; set only when `cooked` is true */
	uint32_t hash_class;
};

struct cs_error *cs_answer_of_log(const struct cs_ue_log *log, struct cs_answer *ret) CS_MUST_USE;
struct cs_error *cs_answer_of_hlods(
	const struct cs_world *world, struct cs_answer *ret) CS_MUST_USE;
/*
 * Reads the cells and actors of a world that the engine cooked. The cook identifies some actors
 * only by name: their GUIDs are those of the actors of the same name in `ours`.
 */
struct cs_error *cs_answer_of_cooked(const struct cs_cooked *theirs, const struct cs_cooked *ours,
	struct cs_answer *ret) CS_MUST_USE;
void cs_answer_deinit(struct cs_answer *answer);
