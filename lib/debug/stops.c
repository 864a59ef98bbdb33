/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the list of stops (breakpoints, watches, displays): adds, changes and deletes them. */
#include "debug/debug_internal.h"

#include "core/writer.h"
#include "query/sql/query_inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- creating and freeing a debugger ---- */

struct cs_error *cs_debug_new(
	struct cs_stream *stream, struct cs_query *query, struct cs_debug **ret)
{
	struct cs_debug *debug = calloc(1, sizeof(*debug));
	if (!debug)
		return cs_error_nomem();
	debug->stream = stream;
	debug->query = query;
	*ret = debug;
	return NULL;
}

static void free_stop(struct cs_debug_stop *stop)
{
	cs_expression_free(stop->expression);
	free((char *)stop->row.expression);
	free((char *)stop->row.commands);
	free(stop->value);
}

void cs_debug_free(struct cs_debug *debug)
{
	if (!debug)
		return;
	for (size_t i = 0; i < debug->stops.n; i++)
		free_stop(&debug->stops.at[i]);
	cs_vec_free(&debug->stops);
	cs_vec_free(&debug->places);
	free(debug->commands);
	free(debug);
}

/* ---- finding stops ---- */

const struct cs_stop *cs_debug_stop_at(const struct cs_debug *debug, size_t index)
{
	return index < debug->stops.n ? &debug->stops.at[index].row : NULL;
}

static struct cs_debug_stop *stops_find(const struct cs_debug *debug, uint32_t id)
{
	for (size_t i = 0; i < debug->stops.n; i++)
		if (debug->stops.at[i].row.id == id)
			return &debug->stops.at[i];
	return NULL;
}

const struct cs_stop *cs_debug_stop(const struct cs_debug *debug, uint32_t id)
{
	const struct cs_debug_stop *stop = stops_find(debug, id);
	return stop ? &stop->row : NULL;
}

static struct cs_error *stops_need(
	const struct cs_debug *debug, uint32_t id, struct cs_debug_stop **ret)
{
	*ret = stops_find(debug, id);
	return *ret ? NULL
		    : cs_error_new(CS_E_MISSING,
			      "no breakpoint, watch or display %u; 'info breakpoints' lists them",
			      id);
}

/* ---- finding the events and watches to test ---- */

void cs_debug_forget_events(struct cs_debug *debug)
{
	debug->seen = cs_stream_event_count(debug->stream);
	debug->seen_frame = cs_stream_status(debug->stream).frame;
}

static void update_armed(struct cs_debug *debug)
{
	debug->armed = 0;
	debug->watches = false;
	for (size_t i = 0; i < debug->stops.n; i++) {
		const struct cs_stop *stop = &debug->stops.at[i].row;
		if (stop->enabled && stop->kind == CS_STOP_BREAK)
			debug->armed |= UINT32_C(1) << stop->moment;
		debug->watches = debug->watches || (stop->enabled && stop->kind == CS_STOP_WATCH);
	}
}

static void stops_put_text(void *context, const char *bytes, size_t n)
{
	cs_writer_bytes(context, bytes, n);
}

struct cs_error *cs_debug_text(struct cs_expression *expression, char **ret)
{
	struct cs_value value;
	struct cs_writer text = {0};
	struct cs_error *error = cs_expression_value(expression, &value);
	if (error)
		return error;
	cs_value_put(&value, CS_FORM_JSON, stops_put_text, &text);
	cs_writer_u8(&text, 0);
	if (text.failed) {
		cs_writer_deinit(&text);
		return cs_error_nomem();
	}
	*ret = (char *)text.bytes;
	return NULL;
}

struct cs_error *cs_debug_arm_watches(struct cs_debug *debug)
{
	for (size_t i = 0; i < debug->stops.n; i++) {
		struct cs_debug_stop *stop = &debug->stops.at[i];
		if (stop->row.kind != CS_STOP_WATCH || !stop->row.enabled)
			continue;
		free(stop->value);
		stop->value = NULL;
		struct cs_error *error = cs_debug_text(stop->expression, &stop->value);
		if (error)
			return error;
	}
	return NULL;
}

/* ---- adding a stop ---- */

static struct cs_error *stops_prepare(struct cs_debug *debug, enum cs_stop_kind kind,
	const char *text, struct cs_parameters variables, struct cs_debug_stop *stop)
{
	const char *table = kind == CS_STOP_BREAK ? "event" : NULL;
	struct cs_expression *expression = NULL;
	char *copy = text ? strdup(text) : NULL;
	if (text && !copy)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	if (text)
		error = cs_expression_new(debug->query, text, table, variables, &expression);
	if (error) {
		free(copy);
		return error;
	}
	cs_expression_free(stop->expression);
	free((char *)stop->row.expression);
	stop->expression = expression;
	stop->row.expression = copy;
	return NULL;
}

static struct cs_error *copy_commands(const char *commands, const char **ret)
{
	*ret = commands && *commands ? strdup(commands) : NULL;
	return commands && *commands && !*ret ? cs_error_nomem() : NULL;
}

struct cs_error *cs_debug_add(struct cs_debug *debug, const struct cs_stop *row,
	struct cs_parameters variables, uint32_t *id_ret)
{
	enum { MOST = 1000 };
	struct cs_debug_stop stop = {
		.row = {.kind = row->kind, .moment = row->moment, .once = row->once}};
	if (row->kind == CS_STOP_BREAK && (unsigned)row->moment >= CS_MOMENTS)
		return cs_error_new(CS_E_UNKNOWN,
			"the event of a breakpoint (enum cs_moment) must be 0 to %d, not %d",
			CS_MOMENTS - 1, (int)row->moment);
	if (debug->stops.n >= MOST)
		return cs_error_new(CS_E_LIMIT,
			"a run can have at most %d breakpoints, watches and displays: `delete` "
			"removes some",
			MOST);
	struct cs_error *error = copy_commands(row->commands, &stop.row.commands);
	if (!error)
		error = stops_prepare(debug, row->kind, row->expression, variables, &stop);
	if (!error && row->kind == CS_STOP_WATCH)
		error = cs_debug_text(stop.expression, &stop.value);
	stop.row.id = debug->last_id + 1;
	stop.row.enabled = true;
	if (!error && !cs_vec_push(&debug->stops, stop))
		error = cs_error_nomem();
	if (error) {
		free_stop(&stop);
		return error;
	}
	*id_ret = ++debug->last_id;
	update_armed(debug);
	cs_debug_forget_events(debug);
	return NULL;
}

/* ---- changing, deleting and evaluating a stop ---- */

struct cs_error *cs_debug_set(
	struct cs_debug *debug, const struct cs_stop *row, struct cs_parameters variables)
{
	struct cs_debug_stop *stop;
	struct cs_error *error = stops_need(debug, row->id, &stop);
	if (error)
		return error;
	const bool other_condition = row->expression != stop->row.expression;
	if (other_condition && stop->row.kind != CS_STOP_BREAK)
		return cs_error_new(CS_E_USAGE,
			"stop %u is a watch or a display: only a breakpoint can have a condition",
			row->id);
	const char *commands;
	error = copy_commands(row->commands, &commands);
	if (!error && other_condition)
		error = stops_prepare(debug, CS_STOP_BREAK, row->expression, variables, stop);
	if (error) {
		free((char *)commands);
		return error;
	}
	free((char *)stop->row.commands);
	stop->row.commands = commands;
	stop->row.ignore = row->ignore;
	stop->row.enabled = row->enabled;
	stop->row.once = row->once;
	update_armed(debug);
	return NULL;
}

struct cs_error *cs_debug_delete(struct cs_debug *debug, uint32_t id)
{
	struct cs_debug_stop *stop;
	struct cs_error *error = stops_need(debug, id, &stop);
	if (error)
		return error;
	size_t behind = (size_t)(debug->stops.at + debug->stops.n - (stop + 1));
	free_stop(stop);
	memmove(stop, stop + 1, behind * sizeof(*stop));
	debug->stops.n--;
	update_armed(debug);
	return NULL;
}

struct cs_error *cs_debug_value(struct cs_debug *debug, uint32_t id, struct cs_value *ret)
{
	struct cs_debug_stop *stop;
	struct cs_error *error = stops_need(debug, id, &stop);
	if (error)
		return error;
	if (stop->row.kind == CS_STOP_BREAK)
		return cs_error_new(CS_E_USAGE,
			"stop %u is a breakpoint: only a watch or a display has a value", id);
	return cs_expression_value(stop->expression, ret);
}
