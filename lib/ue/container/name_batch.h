/* SPDX-License-Identifier: Apache-2.0 */
/* Name batches, the tables of names in Zen packages and containers (ue-cooked rules 3.2). */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"

struct cs_ue_names {
	const char **at;
	uint32_t n;
};

/* Reads the names of a name batch. Returns E_CHECKSUM if a name does not match its stored hash. */
struct cs_error *cs_ue_read_names(
	struct cs_cursor *cursor, struct cs_arena *arena, struct cs_ue_names *ret) CS_MUST_USE;
/* Returns a name with its number, "X_3" for 4 and "X" for 0, or NULL (bad index or no memory). */
const char *cs_ue_names_text(
	const struct cs_ue_names *names, uint32_t index, uint32_t number, struct cs_arena *arena);
/* Makes the cursor bad after cs_ue_names_text returned NULL, with the reason why it did. */
void cs_ue_names_fail(const struct cs_ue_names *names, uint32_t index, struct cs_cursor *cursor);
