/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trails of actors in words. */
#pragma once

#include <cellscope/cook.h>

#include "src/session/session.h"

struct step_row {
	size_t step;
	const char *rule, *number, *title; /* number: section of the rule book */
	const char *input, *verdict;       /* texts of the step, stored in `texts` */
	bool holds;
	int64_t level, cells;
	double length;
	const char *actor, *partition, *cell;
	uint32_t finding;
};

struct trail_rows {
	struct step_row *rows;
	struct step_texts *texts;
	size_t n;
};

/* Returns the steps whose rule has its bit in `wanted`. */
struct cs_error *trail_rows_of(const struct cs_cooked *cooked, const struct cs_trail *trail,
	uint32_t wanted, struct trail_rows *ret) CS_MUST_USE;
void trail_rows_free(struct trail_rows *rows);

/* Returns what validation did to an actor: enum cs_repair in words. */
const char *repair_words(uint32_t repair);

/*
 * cmd_trails.c: prints the trail beside that in another cook, made by settings or read from a file.
 */
struct cs_error *emit_two_trails(struct call *call) CS_MUST_USE;
