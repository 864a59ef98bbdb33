/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats the trail of an actor, the steps by which the cook decided about it. */
#pragma once

#include <cellscope/cook.h>

#include "src/session/session.h"

struct step_row {
	size_t step;
	const char *rule, *title;
	const char *input, *verdict; /* tested values and result; stored in trail_rows.texts */
	struct cs_trail_step is;
	const char *actor, *partition, *cell;
};

struct trail_rows {
	struct step_row *rows;
	struct step_texts *texts;
	size_t n;
};

/* Gets the steps whose rule (enum cs_rule) is a bit in `wanted`. trail_rows_free() frees them. */
struct cs_error *trail_rows_of(const struct cs_cooked *cooked, const struct cs_trail *trail,
	uint32_t wanted, struct trail_rows *ret) CS_MUST_USE;
void trail_rows_free(struct trail_rows *rows);

/* Returns a phrase for a repair by validation (enum cs_repair). */
const char *repair_words(uint32_t repair);

/* cmd_trails.c: prints an actor's trail and its trail in a file or in a cook of other settings. */
struct cs_error *emit_two_trails(struct call *call) CS_MUST_USE;
