/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the measures of a cook, and compares two cooks: by these measures, and by the actors that
 * only one of the two always loads.
 */
#include <cellscope/cook.h>

#include "cook/record/trail_inside.h"
#include "whatif/whatif_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the measures by name ---- */

#define WHOLE(name, member, ...)                                                   \
	{                                                                          \
		name, offsetof(struct cs_whatif_counts, member), true, __VA_ARGS__ \
	}
#define REAL(name, member, ...)                                                     \
	{                                                                           \
		name, offsetof(struct cs_whatif_counts, member), false, __VA_ARGS__ \
	}

static const struct {
	const char *name;
	size_t offset;
	/* whole: stored as int64_t, else double; along: measured only on a run along a path */
	bool whole, along;
} numbers[CS_WHATIF_NUMBERS] = {
	WHOLE("cells", cells, false),
	WHOLE("streaming_levels", streaming_cells, false),
	WHOLE("always_loaded_actors", always_loaded_actors, false),
	WHOLE("cells_above_level_0", cells_above_level_0, false),
	WHOLE("most_actors_in_a_cell", most_actors_in_a_cell, false),
	WHOLE("findings", findings, false),
	WHOLE("lost_actors", lost, false),
	REAL("actors_in_memory", near_actors, false),
	REAL("cells_in_memory", near_cells, false),
	REAL("cost", cost, false),
	WHOLE("peak_cells", peak_cells, true),
	WHOLE("peak_actors", peak_actors, true),
	WHOLE("peak_bytes", peak_bytes, true),
	WHOLE("loads", loads, true),
	REAL("stall_ms", stall_ms, true),
	WHOLE("stalls", stalls, true),
	WHOLE("short_frames", short_frames, true),
	WHOLE("slow_frames", slow_frames, true),
	WHOLE("critical_frames", critical_frames, true),
};

const char *cs_whatif_number_name(size_t number)
{
	return number < CS_WHATIF_NUMBERS ? numbers[number].name : NULL;
}

size_t cs_whatif_find_number(const char *name)
{
	for (size_t i = 0; i < CS_WHATIF_NUMBERS; i++)
		if (strcmp(numbers[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

double cs_whatif_number(const struct cs_whatif_counts *counts, size_t number)
{
	const char *at = (const char *)counts + numbers[number].offset;
	if (numbers[number].along && counts->peak_cells < 0)
		return NAN;
	return numbers[number].whole ? (double)*(const int64_t *)at : *(const double *)at;
}

/* ---- measures of two cooks ---- */

/*
 * Appends a row named `kind` + `which`, unless both values are 0. Returns the new number of rows.
 */
static size_t add_detail(struct cs_whatif_pair *rows, size_t n, const char *kind, const char *which,
	int64_t before, int64_t after)
{
	if (before == 0 && after == 0)
		return n;
	rows[n] = (struct cs_whatif_pair){.before = (double)before, .after = (double)after};
	snprintf(rows[n].name, sizeof(rows[n].name), "%s%s", kind, which);
	return n + 1;
}

size_t cs_whatif_pairs(const struct cs_whatif_counts *before, const struct cs_whatif_counts *after,
	struct cs_whatif_pair rows[CS_WHATIF_PAIRS])
{
	size_t n = 0;
	for (size_t i = 0; i < CS_WHATIF_NUMBERS; i++) {
		if (numbers[i].along && before->peak_cells < 0)
			continue;
		rows[n] = (struct cs_whatif_pair){
			.before = cs_whatif_number(before, i), .after = cs_whatif_number(after, i)};
		snprintf(rows[n++].name, sizeof(rows->name), "%s", numbers[i].name);
	}
	n = add_detail(rows, n, "level ", "-1", before->non_spatial, after->non_spatial);
	for (int i = 0; i < CS_COUNTED_LEVELS; i++) {
		char level[16];
		snprintf(level, sizeof(level), "%d", i);
		n = add_detail(rows, n, "level ", level, before->levels[i], after->levels[i]);
	}
	for (int i = 0; i < CS_ALWAYS_REASONS; i++)
		n = add_detail(rows, n, "always: ", cs_word(CS_WORDS_ALWAYS, i)->name,
			before->always[i], after->always[i]);
	return n;
}

/* ---- actors that only one of two cooks always loads ---- */

static bool is_always(const struct cs_cooked *cooked, uint32_t cell)
{
	return cell != CS_NONE && cs_cooked_cell(cooked, cell)->flags & CS_CELL_ALWAYS_LOADED;
}

/* Reads only the rows of cs_cooked_diff(), as any other actor has the same cell in both cooks. */
struct cs_error *cs_whatif_always_changes(struct cs_cooked *before, struct cs_cooked *after,
	struct cs_always_change **ret, size_t *n_ret)
{
	struct cs_diff diff;
	struct cs_error *error = cs_cooked_diff(before, after, &diff);
	if (error)
		return error;
	struct cs_always_change *changes = calloc(diff.n + 1, sizeof(*changes));
	size_t n = 0;
	for (size_t i = 0; changes && i < diff.n; i++) {
		const struct cs_diff_row *row = &diff.rows[i];
		bool left = row->kind == CS_DIFF_ACTOR && is_always(before, row->left_cell);
		bool right = row->kind == CS_DIFF_ACTOR && is_always(after, row->right_cell);
		if (left == right)
			continue;
		uint32_t actor = right ? row->right : row->left;
		changes[n++] = (struct cs_always_change){
			right, actor, cs_actor_always(right ? after : before, actor)};
	}
	free(diff.rows);
	if (!changes)
		return cs_error_nomem();
	*ret = changes;
	*n_ret = n;
	return NULL;
}
