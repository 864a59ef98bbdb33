/* SPDX-License-Identifier: Apache-2.0 */
/* Name batches of Zen packages and of containers, ue-cooked rules 3.2. */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"

struct cs_ue_names {
	const char **at;
	uint32_t n;
};

/*
 * Reads names and checks the hash of each, so that a flipped bit in a name is found. Returns
 * E_CHECKSUM.
 */
struct cs_error *cs_ue_read_names(
	struct cs_cursor *cursor, struct cs_arena *arena, struct cs_ue_names *ret) CS_MUST_USE;
/*
 * Returns the name with its number, "X_3" for number 4. Returns NULL for a bad index or without
 * memory.
 */
const char *cs_ue_names_text(
	const struct cs_ue_names *names, uint32_t index, uint32_t number, struct cs_arena *arena);
/* Fails the cursor with the reason why cs_ue_names_text returned NULL for this index. */
void cs_ue_names_fail(const struct cs_ue_names *names, uint32_t index, struct cs_cursor *cursor);
