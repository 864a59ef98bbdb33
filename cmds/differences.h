/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Showing what differs between two cooks. */
#ifndef CMDS_DIFFERENCES_H
#define CMDS_DIFFERENCES_H

#include "src/session/session.h"

/*
 * A listing of the differences, or the sentence that there are none. A world field named `expected`
 * differs on purpose and is left out; may be NULL.
 */
struct cs_error *emit_differences(struct call *call, struct cs_cooked *left,
	struct cs_cooked *right, const char *expected) CS_MUST_USE;

/* What a cook comes to; of recook.c. Without a path peak_cells is -1. */
struct world_counts {
	int64_t cells, streaming_levels, always_loaded_actors, cells_above_level_0,
		most_actors_in_a_cell, findings;
	int64_t peak_cells, peak_actors, peak_bytes, loads, stall_ms;
};

/* The open world cooked with these settings; it stays as it is. `path` may be NULL. */
struct cs_error *count_changed(struct session *session, const char *const *assignments, size_t n,
	const struct cs_path *path, struct world_counts *ret) CS_MUST_USE;
/* The path that --path names, NULL without the option. */
struct cs_error *path_of_option(struct call *call, const struct cs_path **ret) CS_MUST_USE;

#endif
