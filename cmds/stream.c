/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run: step, state, order, layer set. */
#include "cmds/commands.h"
#include "cmds/map.h"
#include "cmds/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a step changes ---- */

/* A cell that is not plainly unloaded, and its state. */
struct resident {
	uint32_t cell;
	const char *state;
};

struct residents {
	struct resident *at;
	size_t n;
};

static struct cs_error *list_residents(struct cs_stream *stream, struct residents *ret)
{
	size_t n = cs_stream_residents(stream, 0, NULL, 0);
	struct resident *at = calloc(n + 1, sizeof(*at));
	uint32_t *cells = calloc(n + 1, sizeof(*cells));
	if (!at || !cells) {
		free(at);
		free(cells);
		return cs_error_nomem();
	}
	cs_stream_residents(stream, 0, cells, n);
	for (size_t i = 0; i < n; i++) {
		const struct cs_stream_cell_view view =
			cs_stream_cell(stream, (struct cs_stream_cell){0, cells[i]});
		at[i] = (struct resident){cells[i], cs_cell_state_name(&view)};
	}
	free(cells);
	*ret = (struct residents){at, n};
	return NULL;
}

struct change {
	const char *cell, *from, *to, *reason;
	double spatial;
	int64_t bytes;
	bool in_range;
};

typedef CS_VEC(struct change) change_list;

static struct cs_error *add_change(struct cs_stream *stream, uint32_t cell, const char *from,
	const char *to, change_list *changes)
{
	const struct cs_cooked *world = cs_stream_cooked(stream, 0);
	const struct cs_stream_cell at = {0, cell};
	struct cs_stream_why why;
	struct cs_error *error = cs_stream_why(stream, at, &why);
	if (error)
		return error;
	struct change change = {cs_cooked_text(world, world->cells[cell].name), from, to,
		cs_reason_name(why.progress == CS_REASON_ARRIVED ? why.reason : why.progress),
		why.nearest.hit ? why.nearest.spatial : -1,
		(int64_t)cs_stream_cell(stream, at).bytes, why.nearest.hit};
	return cs_vec_push(changes, change) ? NULL : cs_error_nomem();
}

/* Both lists ascend by cell; whoever is in neither is unloaded. */
static struct cs_error *compare(struct cs_stream *stream, const struct residents *before,
	const struct residents *after, change_list *changes)
{
	struct cs_error *error = NULL;
	for (size_t i = 0, k = 0; !error && (i < before->n || k < after->n);) {
		uint32_t left = i < before->n ? before->at[i].cell : CS_NONE;
		uint32_t right = k < after->n ? after->at[k].cell : CS_NONE;
		uint32_t cell = left < right ? left : right;
		const char *from = left == cell ? before->at[i++].state : "unloaded";
		const char *to = right == cell ? after->at[k++].state : "unloaded";
		if (from != to)
			error = add_change(stream, cell, from, to, changes);
	}
	return error;
}

/* ---- step ---- */

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
	{.key = "spatial",
		.kind = CS_KIND_NUMBER,
		.get = get_spatial,
		.flags = CS_COLUMN_SHORT,
		.doc = "sort key 4, where a source reaches it"},
	PLAIN("bytes", struct change, bytes, INTEGER, integer, "size by the load model"),
};

static const struct cs_table change_table = PLAIN_TABLE("changes", "change", change_columns);

static void say_sources(struct output *out, const struct cs_stream *stream)
{
	enum { SHOWN = 3 };
	size_t n = cs_stream_sources(stream);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		const struct cs_stream_source_view view = cs_stream_source_at(stream, i);
		const struct cs_value location = cs_vec3_value(view.source->location);
		const struct cs_value velocity = cs_vec3_value(view.velocity);
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
static const char *short_name(const struct cs_stream *stream, const char *name)
{
	const struct cs_cooked *world = cs_stream_cooked(stream, 0);
	const char *prefix = cs_cooked_text(world, world->world->name);
	size_t n = strlen(prefix);
	return n > 0 && strncmp(name, prefix, n) == 0 && name[n] == '_' ? name + n + 1 : name;
}

static void say_changes(
	struct output *out, const struct cs_stream *stream, const change_list *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->at[i];
		say(out, "  %c %-28s %-10s -> %-10s %s", *cell_look(change->to)->ascii,
			short_name(stream, change->cell), change->from, change->to, change->reason);
		if (change->in_range)
			say(out, "  spatial %.4f", change->spatial);
		say(out, "\n");
	}
}

static struct cs_error *report_step(
	struct call *call, struct cs_stream *stream, const struct residents *before)
{
	struct residents after = {0};
	change_list changes = {0};
	uint64_t hash = 0;
	struct cs_error *error = list_residents(stream, &after);
	if (!error)
		error = compare(stream, before, &after, &changes);
	if (!error)
		error = cs_stream_hash(stream, &hash);
	if (!error && wants_rows(call)) {
		error = emit_plain(call, &change_table, changes.at, changes.n, sizeof(*changes.at));
	} else if (!error) {
		const struct cs_stream_status status = cs_stream_status(stream);
		say(call->out, "frame %" PRIu64 "  t %.3f", status.frame,
			(double)status.time_ns * 1e-9);
		say_sources(call->out, stream);
		say(call->out, "\n");
		say_changes(call->out, stream, &changes);
		say_summary(call->out, stream, changes.n, hash);
	}
	free(after.at);
	cs_vec_free(&changes);
	return error;
}

/* Frame by frame, so that ^C is met between two of them. */
static struct cs_error *step_frames(struct session *session, struct cs_stream *stream, uint64_t n)
{
	const struct cs_job *job = &session->job;
	for (uint64_t i = 0; i < n; i++) {
		if (job->interrupted(job->context))
			return cs_error_new(CS_E_INTERRUPTED,
				"interrupted at frame %" PRIu64 " of %" PRIu64, i, n);
		struct cs_error *error = cs_stream_step(stream, 1);
		if (error)
			return error;
		job->progress(job->context, "step", i + 1, n);
	}
	return NULL;
}

static struct cs_error *run_step(struct call *call)
{
	const struct argument *count = call_argument(call, 0);
	struct residents before = {0};
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (!error)
		error = list_residents(stream, &before);
	if (!error)
		error = step_frames(call->session, stream, count->given ? count->count : 1);
	if (!error)
		error = report_step(call, stream, &before);
	free(before.at);
	return error;
}

const struct command command_step = {
	.name = "step",
	.alias = "s",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WORLD | COMMAND_CHANGES | COMMAND_REPEATS | COMMAND_LISTS,
	.arguments = {{"FRAMES", ARGUMENT_WHOLE, .optional = true}},
	.summary = "run frames and tell what changed",
	.examples = "step\nstep 60\nstep 10 --json",
	.help = "A line a cell that changed, then where the run stands. The hash is the upper half\n"
		"of state_hash(): equal for equal states, whatever led to them.",
	.run = run_step,
};

/* ---- state ---- */

struct state_row {
	struct cs_stream_status status;
	uint64_t hash;
	double seconds;
};

#define STATE(key_, member, type, reader, text) \
	PLAIN(key_, struct state_row, member, type, reader, text)

static void get_budget(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	uint32_t budget = ((const struct state_row *)row->record)->status.budget;
	(void)column;
	*ret = budget == UINT32_MAX ? cs_null() : cs_integer(budget);
}

static void get_performance(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(
		cs_performance_name(((const struct state_row *)row->record)->status.performance));
}

static void get_hash(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_hex(((const struct state_row *)row->record)->hash, 16);
}

static const struct cs_column state_columns[] = {
	STATE("frame", status.frame, INTEGER, integer, "frame"),
	STATE("time", seconds, NUMBER, number, "seconds of virtual time"),
	STATE("profile", status.profile, TEXT, text, "engine whose rules apply"),
	{.key = "performance",
		.kind = CS_KIND_TEXT,
		.get = get_performance,
		.doc = "good, slow, critical or immediate"},
	STATE("loading", status.loading, INTEGER, u32, "levels that load now"),
	{.key = "budget",
		.kind = CS_KIND_INTEGER,
		.get = get_budget,
		.doc = "levels that may start now; none = any number"},
	STATE("waiting_activate", status.waiting_activate, INTEGER, u32,
		"cells waiting to be shown"),
	STATE("waiting_load", status.waiting_load, INTEGER, u32, "cells waiting to be loaded"),
	STATE("making_visible", status.making_visible, INTEGER, u32, "levels being shown"),
	STATE("making_invisible", status.making_invisible, INTEGER, u32, "levels being hidden"),
	STATE("purging", status.purging, INTEGER, u32, "unloaded levels still in memory"),
	STATE("cells_visible", status.cells_visible, INTEGER, integer, "cells that are activated"),
	STATE("cells_loaded", status.cells_loaded, INTEGER, integer, "cells in memory"),
	STATE("actors", status.actors, INTEGER, integer, "actors of these cells"),
	STATE("bytes", status.bytes, INTEGER, integer, "bytes of these cells, by the load model"),
	{.key = "hash", .kind = CS_KIND_TEXT, .get = get_hash, .doc = "of the whole state"},
};

static const struct cs_table state_table = PLAIN_TABLE("state", "state", state_columns);

static struct cs_error *run_state(struct call *call)
{
	struct cs_stream *stream;
	struct state_row row = {0};
	struct cs_error *error = session_stream(call->session, &stream);
	if (!error)
		error = cs_stream_hash(stream, &row.hash);
	if (error)
		return error;
	row.status = cs_stream_status(stream);
	row.seconds = (double)row.status.time_ns * 1e-9;
	return emit_plain_record(call, &state_table, &row);
}

const struct command command_state = {
	.name = "state",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WORLD,
	.summary = "tell where the run stands",
	.examples = "state\nassert state_hash() = '4be1c0ffee012345'",
	.run = run_state,
};

/* ---- order ---- */

static struct cs_error *run_order(struct call *call)
{
	return call_list(call, "order");
}

const struct command command_order = {
	.name = "order",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list the cells in the order in which they load, with the key that decided",
	.examples = "order\norder -w \"list = 'activate'\" -n 10",
	.run = run_order,
};

/* ---- layer set ---- */

static const char *const layer_states[] = {"unloaded", "loaded", "activated", NULL};

struct cs_error *set_layer(struct call *call, struct cs_stream *stream, uint32_t layer,
	enum cs_layer_state state, bool recursive)
{
	static const char *const answers[] = {[CS_LAYER_SET] = "set",
		[CS_LAYER_UNCHANGED] = "unchanged",
		[CS_LAYER_NOT_RUNTIME] = "an editor layer: ignored",
		[CS_LAYER_NO_AUTHORITY] = "clients do not decide: ignored",
		[CS_LAYER_WRONG_ROLE] = "not on this side: ignored"};
	const struct cs_cooked *world = cs_stream_cooked(stream, 0);
	enum cs_layer_answer answer;
	struct cs_error *error =
		cs_stream_layer_set(stream, 0, layer, state, recursive, false, &answer);
	if (!error)
		say(call->out, "%s: %s (%s)\n", cs_cooked_text(world, world->layers[layer].label),
			layer_states[state], answers[answer]);
	return error;
}

static struct cs_error *run_layer_set(struct call *call)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (error)
		return error;
	return set_layer(call, stream, call_argument(call, 0)->row,
		(enum cs_layer_state)call_argument(call, 1)->choice,
		call_option(call, "recursive")->given);
}

const struct command command_layer_set = {
	.name = "layer set",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"LAYER", ARGUMENT_LAYER},
		{"STATE", ARGUMENT_CHOICE, .choices = layer_states}},
	.options = {{'r', "recursive", NULL, ARGUMENT_NONE, "its children too", NULL}},
	.summary = "set the runtime state of a data layer",
	.examples = "layer set DL_Night activated",
	.run = run_layer_set,
};
