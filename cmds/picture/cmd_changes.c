/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints which cells changed between two frames, from which state to which, and by which rule. */
#include "cmds/picture/cmd_changes.h"

#include "src/session/plain.h"
#include "src/tui/terminal/looks.h"

#include "core/vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of the listing ---- */

struct change {
	struct cs_state_change is;
	const char *cell, *from, *to, *reason, *partition;
};

const char *stream_cell_name(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	return cell.world == CS_NONE
		       ? NULL
		       : cs_cooked_cell_name(cs_stream_world(stream, cell.world).cooked, cell.cell);
}

static struct change change_row(
	const struct cs_stream *stream, const struct cs_state_change *change)
{
	return (struct change){*change, stream_cell_name(stream, change->cell),
		cs_word(CS_WORDS_CELL_STATE, change->from)->name,
		cs_word(CS_WORDS_CELL_STATE, change->to)->name,
		cs_word(CS_WORDS_REASON, change->reason)->name,
		cs_stream_world(stream, change->cell.world).name};
}

PLAIN_GETTER(get_spatial, struct change, at->is.in_range ? cs_number(at->is.spatial) : cs_null())

static const struct cs_column change_columns[] = {
	SHORT(struct change, cell, "the cell"),
	SHORT(struct change, from, "state of the cell before"),
	SHORT(struct change, to, "state of the cell now"),
	SHORT(struct change, reason, "rule that decided the change"),
	PLAIN_RULE(
		"number", struct change, is.reason, REASON, "number of the rule: help rule NUMBER"),
	SHORT_VALUE("spatial", NUMBER, get_spatial, "sort key 4, if a source reaches the cell"),
	PLAIN_AS("bytes", struct change, is.bytes, "bytes of the cell by the load model"),
	PLAIN(struct change, partition, "world partition of the cell", .flags = CS_COLUMN_WORD),
};

const struct cs_table change_table = PLAIN_TABLE("changes", "change", change_columns);

/* Rounds the coordinates of a vector, which are in cm, to whole millimetres. */
static struct cs_value changes_rounded(struct cs_vec3 v)
{
	return cs_vec3_value(cs_vec3_rounded(v, 0.1));
}

static void say_sources(struct output *out, const struct cs_stream *stream)
{
	enum { SHOWN = 3 };
	size_t n = cs_stream_sources(stream);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		const struct cs_stream_source_view view = cs_stream_source_at(stream, i);
		const struct cs_value location = changes_rounded(view.source->location);
		const struct cs_value velocity = changes_rounded(view.velocity);
		say(out, "  %s (", view.source->name);
		say_value(out, &location);
		say(out, ") v (");
		say_value(out, &velocity);
		say(out, ")");
	}
	if (n > SHOWN)
		say(out, "  and %zu more", n - SHOWN);
}

static void changes_say_summary(
	struct output *out, const struct cs_stream *stream, size_t n, uint64_t hash)
{
	const struct cs_stream_status status = cs_stream_status(stream);
	say(out, "%zu change%s  loading %u", n, plural_end(n), status.loading);
	say(out, "  waiting %u", status.waiting_activate + status.waiting_load);
	say(out, "  activated %" PRIu64 "  resident %.1f MiB", status.cells_visible,
		(double)status.bytes / (1 << 20));
	say(out, "  hash %08x\n", (uint32_t)(hash >> 32));
}

const char *short_cell_name(const struct cs_stream *stream, const char *name)
{
	return cs_cooked_short_name(cs_stream_world(stream, 0).cooked, name);
}

/* Returns whether printing the reason would only repeat what the name of the state says. */
static bool repeats(enum cs_reason reason, enum cs_map_state state)
{
	static const struct {
		enum cs_map_state state;
		enum cs_reason reason;
	} same[] = {{CS_MAP_LOADING, CS_REASON_LOADING}, {CS_MAP_SHOWING, CS_REASON_MAKING_VISIBLE},
		{CS_MAP_LEAVING, CS_REASON_MAKING_INVISIBLE},
		{CS_MAP_STILL_AROUND, CS_REASON_STILL_AROUND}, {CS_MAP_FAILED, CS_REASON_FAILED}};
	for (size_t i = 0; i < CS_COUNT_OF(same); i++)
		if (same[i].state == state && same[i].reason == reason)
			return true;
	return false;
}

/* Returns whether a cell is waiting, loading or being shown. Its sort key matters only then. */
static bool is_on_its_way(enum cs_map_state state)
{
	return state == CS_MAP_WAITING || state == CS_MAP_LOADING || state == CS_MAP_SHOWING;
}

/* Widths of columns in text output, each that of the longest text in the column. */
struct widths {
	int cell, from, to;
};

static void changes_widen(int *width, const char *text)
{
	int n = (int)strlen(text);
	*width = n > *width ? n : *width;
}

static void say_change(struct output *out, const struct cs_stream *stream,
	const struct widths *widths, const struct change *change)
{
	bool has_reason = !repeats(change->is.reason, change->is.to);
	bool is_main = change->is.cell.world == 0;
	bool has_key = change->is.in_range && is_on_its_way(change->is.to);
	say(out, "  %c %-*s %-*s -> ", *state_looks[change->is.to].ascii, widths->cell,
		short_cell_name(stream, change->cell), widths->from, change->from);
	say(out, "%-*s", has_reason || has_key || !is_main ? widths->to : 0, change->to);
	if (has_reason)
		say(out, " %s", change->reason);
	if (has_key)
		say(out, " spatial %.4f", change->is.spatial);
	if (!is_main)
		say(out, " in %s", change->partition);
	say(out, "\n");
}

enum { FAILS, COMES, GOES, IMPORTANCES };

/* Returns a sort key: failed cells first, then cells that load or have loaded, then all others. */
static int importance(const struct change *change)
{
	static const uint8_t of_state[CS_MAP_STATES] = {[CS_MAP_LAYER_OFF] = GOES,
		[CS_MAP_UNLOADED] = GOES,
		[CS_MAP_STILL_AROUND] = GOES,
		[CS_MAP_WAITING] = GOES,
		[CS_MAP_PRELOADING] = GOES,
		[CS_MAP_LEAVING] = GOES,
		[CS_MAP_FAILED] = FAILS,
		[CS_MAP_LOADING] = COMES,
		[CS_MAP_LOADED] = COMES,
		[CS_MAP_SHOWING] = COMES,
		[CS_MAP_ACTIVATED] = COMES};
	return of_state[change->is.to];
}

/* largest number of changes to print, so that all output fits a screen */
enum { SHOWN = 14 };

static size_t choose_shown(
	const struct change *changes, size_t n_changes, const struct change *shown[SHOWN])
{
	size_t n = 0;
	for (int level = 0; level < IMPORTANCES; level++)
		for (size_t i = 0; i < n_changes && n < SHOWN; i++)
			if (importance(&changes[i]) == level)
				shown[n++] = &changes[i];
	return n;
}

static void say_changes(struct output *out, const struct cs_stream *stream,
	const struct change *changes, size_t n_changes)
{
	const struct change *shown[SHOWN];
	struct widths widths = {0};
	size_t n = choose_shown(changes, n_changes, shown);
	for (size_t i = 0; i < n; i++) {
		changes_widen(&widths.cell, short_cell_name(stream, shown[i]->cell));
		changes_widen(&widths.from, shown[i]->from);
		changes_widen(&widths.to, shown[i]->to);
	}
	for (size_t i = 0; i < n; i++)
		say_change(out, stream, &widths, shown[i]);
	if (n_changes > n)
		say(out, "  and %zu more\n", n_changes - n);
}

/* Prints the changes. Hashes the run's state first, so that nothing is printed if hashing fails. */
static struct cs_error *tell_changes(
	struct call *call, struct cs_stream *stream, const struct change *changes, size_t n)
{
	uint64_t hash;
	struct cs_error *error = cs_stream_hash(stream, &hash);
	if (error)
		return error;
	if (wants_rows(call))
		return emit_plain(call, &change_table, changes, n);
	const struct cs_stream_status status = cs_stream_status(stream);
	say(call->out, "frame %" PRIu64 "  t %.3f", status.frame, (double)status.time_ns / 1e9);
	say_sources(call->out, stream);
	say(call->out, "\n");
	if (asks_for_rows(call))
		error = emit_plain(call, &change_table, changes, n);
	else
		say_changes(call->out, stream, changes, n);
	if (!error)
		changes_say_summary(call->out, stream, n, hash);
	return error;
}

struct cs_error *report_changes(
	struct call *call, struct cs_stream *stream, const struct cs_states *before, bool *any_ret)
{
	struct cs_state_change *changes;
	size_t n;
	struct cs_error *error = cs_states_changes(stream, before, &changes, &n);
	if (error)
		return error;
	struct change *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = change_row(stream, &changes[i]);
	error = rows ? tell_changes(call, stream, rows, n) : cs_error_nomem();
	free(rows);
	free(changes);
	if (any_ret)
		*any_ret = n > 0;
	return error;
}
