/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: what changed between two moments of a run: which cells, from what to what, by which rule.
 */
#include "cmds/cmd_changes.h"

#include "cmds/cmd_map.h"
#include "cmds/cmd_plain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a step changes ---- */

static struct cs_error *add_world(
	const struct cs_stream *stream, uint32_t world, struct residents *residents)
{
	uint32_t *cells;
	size_t n;
	struct cs_error *error = cs_stream_residents(stream, world, &cells, &n);
	if (error)
		return error;
	struct resident *at = realloc(residents->at, (residents->n + n + 1) * sizeof(*at));
	if (!at) {
		free(cells);
		return cs_error_nomem();
	}
	residents->at = at;
	for (size_t i = 0; i < n; i++) {
		const struct cs_stream_cell cell = {world, cells[i]};
		const struct cs_stream_cell_view view = cs_stream_cell(stream, cell);
		at[residents->n++] = (struct resident){cell, cs_cell_state_name(&view)};
	}
	free(cells);
	return NULL;
}

struct cs_error *residents_list(const struct cs_stream *stream, struct residents *ret)
{
	struct cs_error *error = NULL;
	*ret = (struct residents){0};
	for (uint32_t i = 0; !error && i < cs_stream_worlds(stream); i++)
		error = add_world(stream, i, ret);
	return error;
}

void residents_free(struct residents *residents)
{
	free(residents->at);
}

struct change {
	const char *cell, *from, *to, *reason, *number, *partition;
	double spatial;
	int64_t bytes;
	bool in_range, is_main;
};

typedef CS_VEC(struct change) change_list;

static struct cs_error *add_change(const struct cs_stream *stream, struct cs_stream_cell at,
	const char *from, const char *to, change_list *changes)
{
	const struct cs_cooked *world = cs_stream_cooked(stream, at.world);
	struct cs_stream_why why;
	struct cs_error *error = cs_stream_why(stream, at, &why);
	if (error)
		return error;
	enum cs_reason reason = why.progress == CS_REASON_ARRIVED ? why.reason : why.progress;
	struct change change = {cs_cooked_text(world, world->cells[at.cell].name), from, to,
		cs_reason_name(reason), cs_reason_rule(reason),
		cs_stream_world_name(stream, at.world), why.nearest.hit ? why.nearest.spatial : -1,
		(int64_t)cs_stream_cell(stream, at).bytes, why.nearest.hit, at.world == 0};
	return cs_vec_push(changes, change) ? NULL : cs_error_nomem();
}

static const struct cs_stream_cell behind_all = {CS_NONE, CS_NONE};

static bool is_before(struct cs_stream_cell left, struct cs_stream_cell right)
{
	return left.world != right.world ? left.world < right.world : left.cell < right.cell;
}

/* How many wait is told in one number: who waits for budget has not changed yet. */
static bool is_wish(const char *from, const char *to)
{
	return (strcmp(from, "unloaded") == 0 && strcmp(to, "waiting") == 0) ||
	       (strcmp(from, "waiting") == 0 && strcmp(to, "unloaded") == 0);
}

/* Both lists ascend by world and cell; whoever is in neither is unloaded. */
static struct cs_error *compare(const struct cs_stream *stream, const struct residents *before,
	const struct residents *after, change_list *changes)
{
	struct cs_error *error = NULL;
	for (size_t i = 0, k = 0; !error && (i < before->n || k < after->n);) {
		struct cs_stream_cell left = i < before->n ? before->at[i].cell : behind_all;
		struct cs_stream_cell right = k < after->n ? after->at[k].cell : behind_all;
		bool was = !is_before(right, left), is = !is_before(left, right);
		const char *from = was ? before->at[i++].state : "unloaded";
		const char *to = is ? after->at[k++].state : "unloaded";
		if (from != to && !is_wish(from, to))
			error = add_change(stream, was ? left : right, from, to, changes);
	}
	return error;
}

/* ---- telling it ---- */

static void get_spatial(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct change *change = row->record;
	(void)column;
	*ret = change->in_range ? cs_number(change->spatial) : cs_null();
}

static const struct cs_column change_columns[] = {
	PLAIN("cell", struct change, cell, TEXT, text, "the cell", .flags = CS_COLUMN_SHORT),
	PLAIN("from", struct change, from, TEXT, text, "its state before",
		.flags = CS_COLUMN_SHORT),
	PLAIN("to", struct change, to, TEXT, text, "its state now", .flags = CS_COLUMN_SHORT),
	PLAIN("reason", struct change, reason, TEXT, text, "the rule that decided",
		.flags = CS_COLUMN_SHORT),
	PLAIN("number", struct change, number, TEXT, text, "of the rule: help rule NUMBER"),
	{.key = "spatial",
		.kind = CS_KIND_NUMBER,
		.get = get_spatial,
		.flags = CS_COLUMN_SHORT,
		.doc = "sort key 4, where a source reaches it"},
	PLAIN("bytes", struct change, bytes, INTEGER, integer, "size by the load model"),
	PLAIN("partition", struct change, partition, TEXT, text, "its world partition"),
};

static const struct cs_table change_table = PLAIN_TABLE("changes", "change", change_columns);

/* A millimetre is enough for people. */
static struct cs_value rounded(struct cs_vec3 v)
{
	return cs_vec3_value(
		(struct cs_vec3){round(v.x * 10) / 10, round(v.y * 10) / 10, round(v.z * 10) / 10});
}

static void say_sources(struct output *out, const struct cs_stream *stream)
{
	enum { SHOWN = 3 };
	size_t n = cs_stream_sources(stream);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		const struct cs_stream_source_view view = cs_stream_source_at(stream, i);
		const struct cs_value location = rounded(view.source->location);
		const struct cs_value velocity = rounded(view.velocity);
		say(out, "  %s (", view.source->name);
		say_value(out, &location);
		say(out, ") v (");
		say_value(out, &velocity);
		say(out, ")");
	}
	if (n > SHOWN)
		say(out, "  and %zu more", n - SHOWN);
}

static void say_summary(struct output *out, const struct cs_stream *stream, size_t n, uint64_t hash)
{
	const struct cs_stream_status status = cs_stream_status(stream);
	say(out, "%zu change%s  loading %u", n, n == 1 ? "" : "s", status.loading);
	say(out, "  waiting %u", status.waiting_activate + status.waiting_load);
	say(out, "  activated %" PRIu64 "  resident %.1f MiB", status.cells_visible,
		(double)status.bytes / (1 << 20));
	say(out, "  hash %08" PRIx32 "\n", (uint32_t)(hash >> 32));
}

/* Without the name of the world, which is the same for all. */
const char *short_cell_name(const struct cs_stream *stream, const char *name)
{
	return cs_cooked_short_name(cs_stream_cooked(stream, 0), name);
}

/* Whether the reason says no more than the state that it led to. */
static bool repeats(const char *reason, const char *state)
{
	static const struct {
		const char *state, *reason;
	} same[] = {{"loading", "loading"}, {"showing", "making_visible"},
		{"leaving", "making_invisible"}, {"still_around", "still_around"},
		{"failed", "failed"}};
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (strcmp(same[i].state, state) == 0 && strcmp(same[i].reason, reason) == 0)
			return true;
	return false;
}

/* The sort key matters to cells that wait or are under way. */
static bool is_on_its_way(const char *state)
{
	return strcmp(state, "waiting") == 0 || strcmp(state, "loading") == 0 ||
	       strcmp(state, "showing") == 0;
}

/* Columns as wide as what stands in them: a line should fit the screen. */
struct widths {
	int cell, from, to;
};

static void widen(int *width, const char *text)
{
	int n = (int)strlen(text);
	*width = n > *width ? n : *width;
}

static void say_change(struct output *out, const struct cs_stream *stream,
	const struct widths *widths, const struct change *change)
{
	bool has_reason = !repeats(change->reason, change->to);
	bool has_key = change->in_range && is_on_its_way(change->to);
	say(out, "  %c %-*s %-*s -> ", *cell_look(change->to)->ascii, widths->cell,
		short_cell_name(stream, change->cell), widths->from, change->from);
	say(out, "%-*s", has_reason || has_key || !change->is_main ? widths->to : 0, change->to);
	if (has_reason)
		say(out, " %s", change->reason);
	if (has_key)
		say(out, " spatial %.4f", change->spatial);
	if (!change->is_main)
		say(out, " in %s", change->partition);
	say(out, "\n");
}

/* What comes before what goes, and failures first. */
static int importance(const struct change *change)
{
	static const char *const first[] = {"failed", NULL};
	static const char *const second[] = {"activated", "showing", "loaded", "loading", NULL};
	const char *const *const groups[] = {first, second};
	for (int i = 0; i < 2; i++)
		for (const char *const *state = groups[i]; *state; state++)
			if (strcmp(change->to, *state) == 0)
				return i;
	return 2;
}

/* As many as leave room on a screen for what else is told. */
enum { SHOWN = 14 };

static size_t choose_shown(const change_list *changes, const struct change *shown[SHOWN])
{
	enum { LEVELS = 3 };
	size_t n = 0;
	for (int level = 0; level < LEVELS; level++)
		for (size_t i = 0; i < changes->n && n < SHOWN; i++)
			if (importance(&changes->at[i]) == level)
				shown[n++] = &changes->at[i];
	return n;
}

static void say_changes(
	struct output *out, const struct cs_stream *stream, const change_list *changes)
{
	const struct change *shown[SHOWN];
	struct widths widths = {0};
	size_t n = choose_shown(changes, shown);
	for (size_t i = 0; i < n; i++) {
		widen(&widths.cell, short_cell_name(stream, shown[i]->cell));
		widen(&widths.from, shown[i]->from);
		widen(&widths.to, shown[i]->to);
	}
	for (size_t i = 0; i < n; i++)
		say_change(out, stream, &widths, shown[i]);
	if (changes->n > n)
		say(out, "  and %zu more\n", changes->n - n);
}

static void say_frame(struct output *out, const struct cs_stream *stream)
{
	const struct cs_stream_status status = cs_stream_status(stream);
	say(out, "frame %" PRIu64 "  t %.3f", status.frame, (double)status.time_ns * 1e-9);
	say_sources(out, stream);
	say(out, "\n");
}

/* -n, -w, -s and -c choose rows and columns of a table; without them a line a change says more. */
static bool is_asked_for_rows(const struct call *call)
{
	static const char *const options[] = {"n", "w", "s", "c"};
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (call_option(call, options[i])->given)
			return true;
	return false;
}

struct cs_error *report_changes(
	struct call *call, struct cs_stream *stream, const struct residents *before)
{
	struct residents after = {0};
	change_list changes = {0};
	uint64_t hash = 0;
	struct cs_error *error = residents_list(stream, &after);
	if (!error)
		error = compare(stream, before, &after, &changes);
	if (!error)
		error = cs_stream_hash(stream, &hash);
	bool rows = wants_rows(call), listed = rows || is_asked_for_rows(call);
	if (!error && !rows)
		say_frame(call->out, stream);
	if (!error && listed)
		error = emit_plain(call, &change_table, changes.at, changes.n, sizeof(*changes.at));
	else if (!error)
		say_changes(call->out, stream, &changes);
	if (!error && !rows)
		say_summary(call->out, stream, changes.n, hash);
	residents_free(&after);
	cs_vec_free(&changes);
	return error;
}
