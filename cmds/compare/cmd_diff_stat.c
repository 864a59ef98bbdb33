/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the option --stat of the command `diff`: counts of differences. */
#include "cmds/world/cmd_differences.h"
#include "src/session/plain.h"

struct stat_row {
	const char *kind;
	int64_t new_rows, gone, moved, renamed, guid, bounds, other;
};

static const struct cs_column stat_columns[] = {
	SHORT(struct stat_row, kind, "world, grid, layer, hlod_layer, cell, actor, finding"),
	SHORT_AS("new", struct stat_row, new_rows, "only in the right cook"),
	SHORT(struct stat_row, gone, "only in the left cook"),
	SHORT(struct stat_row, moved, "moved to another cell"),
	SHORT(struct stat_row, renamed, "objects with the same GUID and another name"),
	SHORT(struct stat_row, guid, "objects with the same name and another GUID"),
	SHORT(struct stat_row, bounds, "objects in the same place with other bounds"),
	SHORT_AS("changed", struct stat_row, other, "objects that changed in any other way"),
};

static const struct cs_table stat_table = PLAIN_TABLE("diff_stats", "diff_stat", stat_columns);

/* Returns the counter of a row: that of the first reason in this order, so a row counts once. */
static int64_t *counter_of(struct stat_row *row, uint32_t reasons)
{
	return reasons & CS_DIFF_NEW      ? &row->new_rows
	       : reasons & CS_DIFF_GONE   ? &row->gone
	       : reasons & CS_DIFF_MOVED  ? &row->moved
	       : reasons & CS_DIFF_NAME   ? &row->renamed
	       : reasons & CS_DIFF_GUID   ? &row->guid
	       : reasons & CS_DIFF_BOUNDS ? &row->bounds
					  : &row->other;
}

struct cs_error *emit_stat(struct call *call, const struct listed_difference *differences, size_t n)
{
	/* all kinds but the last, CS_DIFF_CONTAINER, which only comparisons of logs have */
	enum { KINDS = CS_DIFF_FINDING + 1 };
	struct stat_row rows[KINDS] = {0};
	for (int i = 0; i < KINDS; i++)
		rows[i].kind = cs_diff_kind_name((enum cs_diff_kind)i);
	for (size_t i = 0; i < n; i++) {
		const struct cs_diff_row *row = differences[i].row;
		if (row->kind <= CS_DIFF_FINDING)
			++*counter_of(&rows[row->kind], row->reasons);
	}
	return emit_plain(call, &stat_table, rows, KINDS);
}
