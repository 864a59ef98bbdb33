/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine made of a world, in one form whatever it was told by: cells, and which actors are
 * in them. Texts are those of the log or of the world that it was read from, or in the arena.
 */
#pragma once

#include <cellscope/compare.h>

#include "core/arena.h"
#include "core/vec.h"

struct cs_answer_cell {
	const char *name;    /* with the map in front; may be "" when only the GUID is told */
	const char *package; /* NULL = not told */
	struct cs_guid guid; /* zero = not told */
	struct cs_box box, content;
	bool has_boxes, is_2d;
	size_t first, count; /* actors */
	uint32_t ours;       /* the cell of our cook that it is, CS_NONE; set by matching */
};

struct cs_answer_actor {
	struct cs_guid guid; /* of the instance */
	const char *name;    /* as a user would know it; NULL = not told */
};

struct cs_answer {
	struct cs_arena arena;
	const char *world; /* short name of the map, "" = not told */
	CS_VEC(struct cs_answer_cell) cells;
	CS_VEC(struct cs_answer_actor) actors;
	CS_VEC(const char *) always_loaded; /* paths */
	bool whole;  /* every cell and every actor is told, so what is not there is a difference */
	bool cooked; /* by cooked files: GUIDs and layers are told too, and the class of the hash */
	uint32_t hash_class; /* enum cs_hash_class: where it is cooked */
};

struct cs_error *cs_answer_of_log(const struct cs_ue_log *log, struct cs_answer *ret) CS_MUST_USE;
struct cs_error *cs_answer_of_hlods(
	const struct cs_world *world, struct cs_answer *ret) CS_MUST_USE;
/* `ours` gives the GUIDs of actors that a cook of the engine names alone. */
struct cs_error *cs_answer_of_cooked(const struct cs_cooked *theirs, const struct cs_cooked *ours,
	struct cs_answer *ret) CS_MUST_USE;
void cs_answer_deinit(struct cs_answer *answer);
