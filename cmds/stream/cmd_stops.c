/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands for stops: `break`, `tbreak`, `toggle`, `watch`, `display`, to change and list them. */
#include "src/session/input/ambiguous.h"
#include "src/session/input/subject.h"
#include "src/session/plain.h"
#include "src/session/script/collect.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- commands break and tbreak ---- */

static struct cs_error *unknown_event(const char *name)
{
	const char *names[CS_MOMENTS];
	for (unsigned i = 0; i < CS_MOMENTS; i++)
		names[i] = cs_word(CS_WORDS_MOMENT, i)->name;
	const char *close = closest_name(name, names, CS_MOMENTS);
	return cs_error_new(CS_E_UNKNOWN, "no event '%s'%s%s%s; `help break` lists them", name,
		DID_YOU_MEAN(close));
}

/* Gets the condition of a breakpoint without a leading `if`, or NULL when there is none. */
static struct cs_error *take_condition(const struct argument *argument, const char **ret)
{
	const char *text = argument_text(argument, "");
	text += strspn(text, " \t");
	const bool says_if = strncasecmp(text, "if", 2) == 0 && strchr(" \t(", text[2]);
	text += says_if ? 2 : 0;
	text += strspn(text, " \t");
	*ret = *text ? text : NULL;
	return says_if && !*text ? cs_error_new(CS_E_USAGE,
					   "an expression must follow `if`; leave `if` out to halt "
					   "without a condition")
				 : NULL;
}

/*
 * Changes the offset of an SQL error in an expression to one in the argument that contains it. The
 * expression may have `added` bytes before what was typed.
 */
static struct cs_error *shift_error(
	struct cs_error *error, const struct argument *argument, const char *typed, size_t added)
{
	uint64_t offset = error->offset;
	if (!typed || offset == CS_NO_OFFSET || offset < added || error->code != CS_E_SQL)
		return error;
	cs_error_move(error, offset - added + (uint64_t)(typed - argument->text));
	return error;
}

/*
 * Stores the condition that `break frame 10` or `break cell.late > 500` is short for, "frame = 10"
 * or "late > 500"; NULL when `typed` is not short. Freed by the caller.
 */
static struct cs_error *short_condition(unsigned moment, const char *typed, char **ret)
{
	const size_t n = typed ? strspn(typed, "0123456789") : 0;
	const bool is_frame = moment == CS_MOMENT_FRAME && n > 0 && n <= 20 &&
			      !typed[n + strspn(typed + n, " \t")];
	const bool is_late = moment == CS_MOMENT_CELL_LATE && typed && strchr("<>=", *typed);
	*ret = NULL;
	if ((is_frame || is_late) &&
		asprintf(ret, "%s%s", is_frame ? "frame = " : "late ", typed) < 0)
		return cs_error_nomem();
	return NULL;
}

static struct cs_error *copy_stop(struct cs_debug *debug, uint32_t id, struct cs_stop *ret)
{
	const struct cs_stop *stop;
	for (size_t i = 0; (stop = cs_debug_stop_at(debug, i)) != NULL; i++) {
		if (stop->id == id) {
			*ret = *stop;
			return NULL;
		}
	}
	return cs_error_new(CS_E_MISSING,
		"no breakpoint, watch or display %u; 'info breakpoints' lists them", id);
}

/* Limits a stop to the world partition of option -P. Its condition is known to be whole. */
static struct cs_error *limit_to_partition(struct call *call, struct cs_stop stop)
{
	const char *name, *condition = stop.expression;
	char *text = NULL;
	cs_query_partition(call->session->query, call->session->files.partition, &name);
	if (strchr(name, '\''))
		return cs_error_new(CS_E_USAGE,
			"-P does not work for a partition with a quote in its name: write "
			"partition = 'NAME' in the condition instead, with each quote of NAME "
			"twice");
	if (asprintf(&text, "partition = '%s'%s%s%s", name, condition ? " AND (" : "",
		    condition ? condition : "",
		    !condition                ? ""
		    : strstr(condition, "--") ? "\n)" /* behind a comment */
					      : ")") < 0)
		return cs_error_nomem();
	stop.expression = text;
	struct cs_error *error = cs_debug_set(call->debug, &stop, session_variables(call->session));
	free(text);
	return error;
}

static struct cs_error *add_break_in(struct call *call, struct cs_stop stop, uint32_t *id)
{
	struct cs_error *error =
		cs_debug_add(call->debug, &stop, session_variables(call->session), id);
	if (error || !call_option(call, "P")->given)
		return error;
	struct cs_stop added;
	error = copy_stop(call->debug, *id, &added);
	if (!error)
		error = limit_to_partition(call, added);
	return error ? cs_error_first(error, cs_debug_delete(call->debug, *id)) : NULL;
}

enum { ONCE = 1 }; /* variant of `break` that stops the run once */

static struct cs_error *run_break(struct call *call)
{
	const bool once = call->command->variant == ONCE;
	const char *typed;
	char *whole;
	unsigned moment;
	uint32_t id;
	struct cs_error *error = take_condition(call_argument(call, 1), &typed);
	if (error)
		return error;
	if (!word_named(CS_WORDS_MOMENT, call_argument(call, 0)->text, &moment))
		return unknown_event(call_argument(call, 0)->text);
	error = short_condition(moment, typed, &whole);
	if (error)
		return error;
	const char *condition = whole ? whole : typed;
	error = add_break_in(call,
		(struct cs_stop){
			.moment = (enum cs_moment)moment, .expression = condition, .once = once},
		&id);
	if (error) {
		const size_t added = whole ? strlen(whole) - strlen(typed) : 0;
		free(whole);
		return shift_error(error, call_argument(call, 1), typed, added);
	}
	say(call->out, "breakpoint %u: %s%s%s%s%s\n", id, cs_word(CS_WORDS_MOMENT, moment)->name,
		call_option(call, "P")->given ? " in " : "",
		call_option(call, "P")->given ? call_option(call, "P")->text : "",
		condition ? " if " : "", condition ? condition : "");
	free(whole);
	return NULL;
}

#define BREAK_ARGUMENTS                                                        \
	{                                                                      \
		{"EVENT", ARGUMENT_EVENT},                                     \
		{                                                              \
			"if EXPRESSION", ARGUMENT_EXPRESSION, .optional = true \
		}                                                              \
	}

const struct command command_break = {
	.name = "break",
	.alias = "b",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = BREAK_ARGUMENTS,
	.summary = "halt the run each time an event happens",
	.examples = "break cell.fail\n"
		    "break cell.load if bytes > 1e6 AND level = 0\n"
		    "break layer.change if layer = 'DL_Night'\n"
		    "break frame if frame % 100 = 0",
	.help = "EVENT is one of frame, cell.wait, cell.want, cell.drop, cell.load, cell.loaded,\n"
		"cell.showing, cell.show, cell.hide, cell.hidden, cell.unload, cell.remove,\n"
		"cell.fail, cell.late, layer.change, hlod.change, hlod.hole, budget.exceed,\n"
		"performance.change, block.begin, server.hold, server.release, server.epoch,\n"
		"world.change, purge, page.request, page.install, page.evict, pool.full and\n"
		"quality.drop; `info events` explains them.\n"
		"\n"
		"EXPRESSION is SQL over the columns of the event: cell, level, actors, bytes ...\n"
		"(`events -c ?` explains them). The run halts only if EXPRESSION is true. With -P\n"
		"NAME before EVENT only events of the world partition NAME count.\n"
		"\n"
		"Two short forms: `break frame 10` is `break frame if frame = 10`, and\n"
		"`break cell.late > 500` is `break cell.late if late > 500` (in ms; `run follow`\n"
		"raises this event).",
	.run = run_break,
	.lists = "events",
};

const struct command command_tbreak = {
	.name = "tbreak",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = BREAK_ARGUMENTS,
	.summary = "halt the run once, the next time an event happens",
	.examples = "tbreak block.begin\ntbreak frame 10",
	.help = "EVENT is an event that `info events` lists, or `frame N` for the end of frame N\n"
		"of the run. EXPRESSION is SQL over the columns of the event (help break). The\n"
		"run halts only if EXPRESSION is true. The command adds a breakpoint, which is\n"
		"removed when it has halted the run.",
	.run = run_break,
	.lists = "events",
	.variant = ONCE,
};

/* ---- command toggle ---- */

static const char *const subjects[] = {"cell", "actor", "layer", "page", "frame", NULL};

static struct cs_error *stops_find_row(
	struct call *call, const char *table_name, const char *name, struct cs_row *ret)
{
	const void *source;
	const struct cs_table *table = session_table(call->session, table_name, &source);
	uint32_t rows[CANDIDATES];
	size_t n = 0;
	if (!table)
		return session_no_table(call->session, table_name);
	struct cs_error *error =
		cs_query_find(call->session->query, table, name, rows, CANDIDATES, &n);
	if (!error && n == 0)
		error = cs_error_new(table->missing, "there is no %s named '%s'; `%s` lists them",
			table->row_name, name, table->name);
	if (!error && n > 1)
		error = ambiguous_rows(call->session, table, source, rows, n, name);
	if (!error)
		*ret = (struct cs_row){.source = source, .index = rows[0]};
	return error;
}

/* Finds the object of `toggle KIND NAME` and its name in events: for an actor, that of its cell. */
static struct cs_error *resolve_subject(
	struct call *call, const char *name, struct subject *subject)
{
	static const struct {
		const char *kind, *table, *column, *becomes;
	} ways[] = {{"cell", "cells", "name", "cell"}, {"actor", "actors", "cell", "cell"},
		{"layer", "layers", "label", "layer"}, {"page", "pages", NULL, "page"}};
	const char *kind = subjects[call_argument(call, 0)->choice];
	*subject = (struct subject){.kind = kind};
	snprintf(subject->name, sizeof(subject->name), "%s", name);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct cs_row row;
		if (strcmp(ways[i].kind, kind) != 0)
			continue;
		struct cs_error *error = stops_find_row(call, ways[i].table, name, &row);
		if (error)
			return error;
		/* the name of a page is made of two columns, its resource and its number */
		if (!ways[i].column) {
			snprintf(subject->name, sizeof(subject->name), "%s",
				cs_inspector_name(call->session->inspector, CS_ROWS_PAGES,
					(uint32_t)row.index));
			continue;
		}
		const struct cs_table *table =
			session_table(call->session, ways[i].table, &row.source);
		const struct cs_column *column = cs_table_column(table, ways[i].column);
		struct cs_value value = cs_table_get(table, row.source, row.index, column);
		if (value.kind != CS_KIND_TEXT || !*value.text)
			return cs_error_new(CS_E_MISSING,
				"the run cannot stop at the %s '%s', which has no %s", kind, name,
				ways[i].column);
		subject->kind = ways[i].becomes;
		snprintf(subject->name, sizeof(subject->name), "%s", value.text);
		value = cs_table_get(
			table, row.source, row.index, cs_table_column(table, "partition"));
		if (cs_query_partitions(call->session->query) > 1 && value.kind == CS_KIND_TEXT)
			snprintf(subject->partition, sizeof(subject->partition), "%s", value.text);
	}
	return NULL;
}

static const struct cs_stop *stop_about(struct cs_debug *debug, const struct subject *subject)
{
	const struct cs_stop *stop;
	for (size_t i = 0; (stop = cs_debug_stop_at(debug, i)) != NULL; i++) {
		struct subject its;
		if (subject_of_stop(stop, &its) && strcmp(its.kind, subject->kind) == 0 &&
			strcmp(its.name, subject->name) == 0 &&
			strcmp(its.partition, subject->partition) == 0)
			return stop;
	}
	return NULL;
}

static struct cs_error *stop_at_subject(
	struct call *call, struct cs_debug *debug, const struct subject *subject)
{
	enum cs_moment moment = subject_moment(subject);
	char *condition = subject_condition(subject);
	const struct cs_stop stop = {.moment = moment, .expression = condition};
	uint32_t id;
	if (!condition)
		return cs_error_nomem();
	struct cs_error *error = cs_debug_add(debug, &stop, session_variables(call->session), &id);
	if (!error)
		say(call->out, "breakpoint %u: %s if %s\n", id,
			cs_word(CS_WORDS_MOMENT, moment)->name, condition);
	free(condition);
	return error;
}

static struct cs_error *run_toggle(struct call *call)
{
	struct subject subject;
	struct cs_debug *debug = call->debug;
	struct cs_error *error = resolve_subject(call, call_argument(call, 1)->text, &subject);
	if (error)
		return error;
	const struct cs_stop *stop = stop_about(debug, &subject);
	if (!stop)
		return stop_at_subject(call, debug, &subject);
	say(call->out, "breakpoint %u is gone\n", stop->id);
	return cs_debug_delete(debug, stop->id);
}

const struct command command_toggle = {
	.name = "toggle",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"KIND", ARGUMENT_CHOICE, .choices = subjects}, {"NAME", ARGUMENT_WORD}},
	.summary = "add a breakpoint at a change of one object, or remove that breakpoint",
	.examples = "toggle cell L0:0,0\ntoggle layer DL_Night\ntoggle frame 40",
	.help = "KIND is `cell` (the run halts when cell NAME begins to load), `actor` (when the\n"
		"cell of actor NAME begins to load), `layer` (when data layer NAME changes its\n"
		"state), `page` (when page NAME of a Nanite resource is requested) or `frame` (at\n"
		"the end of frame NAME). A frame is given by its number. A page is given by its\n"
		"number in the current resource, or as RESOURCE:NUMBER, such as rock:2 (help\n"
		"where).",
	.run = run_toggle,
};

static struct cs_error *run_watch(struct call *call)
{
	const char *expression = call_argument(call, 0)->text;
	const struct cs_stop stop = {
		.kind = (enum cs_stop_kind)call->command->variant, .expression = expression};
	struct cs_value value;
	uint32_t id;
	struct cs_error *error =
		cs_debug_add(call->debug, &stop, session_variables(call->session), &id);
	if (!error)
		error = cs_debug_value(call->debug, id, &value);
	if (error)
		return error;
	say(call->out, "%s %u: %s = ", call->command->name, id, expression);
	say_value(call->out, &value);
	say(call->out, "\n");
	return NULL;
}

const struct command command_watch = {
	.name = "watch",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"EXPRESSION", ARGUMENT_EXPRESSION}},
	.summary = "halt the run each time the value of an expression changes",
	.examples = "watch cell('L0:0,0','state')\n"
		    "watch (SELECT count(*) FROM cells WHERE state = 'failed')",
	.help = "EXPRESSION is SQL (help expressions), evaluated after each frame. `info\n"
		"breakpoints` lists watches with their numbers, and `delete NUMBER` removes one.",
	.run = run_watch,
	.variant = CS_STOP_WATCH,
};

const struct command command_display = {
	.name = "display",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"EXPRESSION", ARGUMENT_EXPRESSION}},
	.summary = "print the value of an expression now and each time the run halts",
	.examples = "display (SELECT count(*) FROM cells WHERE state = 'loading')",
	.help = "EXPRESSION is SQL (help expressions). `info breakpoints` lists displays with\n"
		"their numbers, and `delete NUMBER` removes one.",
	.run = run_watch,
	.variant = CS_STOP_DISPLAY,
};

/* ---- commands that change stops ---- */

static struct cs_error *run_condition(struct call *call)
{
	const char *condition;
	struct cs_stop stop;
	struct cs_error *error = take_condition(call_argument(call, 1), &condition);
	if (!error)
		error = copy_stop(call->debug, argument_u32(call_argument(call, 0)), &stop);
	if (error)
		return error;
	stop.expression = condition;
	error = cs_debug_set(call->debug, &stop, session_variables(call->session));
	return error ? shift_error(error, call_argument(call, 1), condition, 0) : NULL;
}

const struct command command_condition = {
	.name = "condition",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"STOP", ARGUMENT_WHOLE},
		{"EXPRESSION", ARGUMENT_EXPRESSION, .optional = true}},
	.summary = "change or remove the condition of a breakpoint",
	.examples = "break cell.load\n"
		    "condition 1 actors > 30\n"
		    "condition 1",
	.help = "STOP is the number of the breakpoint (info breakpoints). EXPRESSION is SQL over\n"
		"the columns of the event (help break). The run halts only if EXPRESSION is true.\n"
		"Without EXPRESSION the condition is removed.",
	.run = run_condition,
	.lists = "events",
};

static struct cs_error *run_ignore(struct call *call)
{
	struct cs_stop stop;
	struct cs_error *error =
		copy_stop(call->debug, argument_u32(call_argument(call, 0)), &stop);
	if (error)
		return error;
	stop.ignore = call_argument(call, 1)->count;
	return cs_debug_set(call->debug, &stop, session_variables(call->session));
}

const struct command command_ignore = {
	.name = "ignore",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"STOP", ARGUMENT_WHOLE}, {"HITS", ARGUMENT_WHOLE}},
	.summary = "let the run pass a breakpoint or a watch a number of times",
	.examples = "break cell.load\n"
		    "ignore 1 10",
	.help = "STOP is the number of a breakpoint or a watch (info breakpoints). The next HITS\n"
		"times that this breakpoint or watch would halt the run, the run goes on.",
	.run = run_ignore,
};

enum change { ENABLE, DISABLE, DELETE };

static struct cs_error *change_stop(struct cs_debug *debug, uint32_t id, enum change change)
{
	struct cs_stop stop;
	if (change == DELETE)
		return cs_debug_delete(debug, id);
	struct cs_error *error = copy_stop(debug, id, &stop);
	if (error)
		return error;
	stop.enabled = change == ENABLE;
	return cs_debug_set(debug, &stop, (struct cs_parameters){0});
}

static size_t count_stops(const struct cs_debug *debug)
{
	size_t n = 0;
	while (cs_debug_stop_at(debug, n))
		n++;
	return n;
}

/* Changes the stop with this number, or all, last first, because a change may remove a stop. */
static struct cs_error *run_change(struct call *call)
{
	const enum change change = (enum change)call->command->variant;
	struct cs_debug *debug = call->debug;
	struct cs_error *error = NULL;
	if (call_argument(call, 0)->given)
		return change_stop(debug, argument_u32(call_argument(call, 0)), change);
	for (size_t i = count_stops(debug); !error && i > 0; i--)
		error = change_stop(debug, cs_debug_stop_at(debug, i - 1)->id, change);
	return error;
}

#define CHANGER(variable, name_, variant_, text, help_)                                         \
	const struct command variable = {                                                       \
		.name = name_,                                                                  \
		.group = GROUP_STOPS,                                                           \
		.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,      \
		.arguments = {{"STOP", ARGUMENT_WHOLE, .optional = true}},                      \
		.summary = text,                                                                \
		.examples = name_ " 1\n" name_,                                                 \
		.help = "STOP is the number of a breakpoint, a watch or a display (help info\n" \
			"breakpoints). " help_,                                                 \
		.run = run_change,                                                              \
		.variant = variant_,                                                            \
	}

CHANGER(command_enable, "enable", ENABLE,
	"enable a breakpoint, a watch or a display, or enable all",
	"Without STOP all are enabled.");
CHANGER(command_disable, "disable", DISABLE,
	"disable a breakpoint, a watch or a display, or disable all",
	"Without STOP all are disabled. Until `enable`, a disabled\n"
	"breakpoint or watch does not halt the run; a disabled display prints nothing.");
CHANGER(command_delete, "delete", DELETE,
	"remove a breakpoint, a watch or a display, or remove all",
	"Without STOP all are removed.");

/* ---- commands ... end: command lines of a stop ---- */

static struct cs_error *finish_commands(
	struct session *session, const struct block_text *text, struct sink *to)
{
	struct cs_debug *debug;
	struct cs_stop stop;
	(void)to;
	struct cs_error *error = session_debug(session, &debug);
	if (!error)
		error = copy_stop(debug, session->block.stop, &stop);
	if (error)
		return error;
	stop.commands = text->lines;
	return cs_debug_set(debug, &stop, (struct cs_parameters){0});
}

static struct cs_error *run_commands(struct call *call)
{
	const struct argument *which = call_argument(call, 0);
	struct cs_debug *debug = call->debug;
	size_t n = count_stops(debug);
	if (n == 0)
		return cs_error_new(CS_E_MISSING,
			"there is no breakpoint, watch or display; 'help break' shows how to set "
			"one");
	uint32_t id = which->given ? argument_u32(which) : cs_debug_stop_at(debug, n - 1)->id;
	struct cs_stop stop;
	struct cs_error *error = copy_stop(debug, id, &stop);
	if (error)
		return error;
	call->session->block.stop = id;
	return begin_block(call->session, "", "", finish_commands);
}

const struct command command_commands = {
	.name = "commands",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"STOP", ARGUMENT_WHOLE, .optional = true}},
	.summary = "run command lines each time a breakpoint or a watch halts the run",
	.examples = "break cell.show\ncommands\n  order -n 3\n  continue\nend",
	.help = "The lines up to `end` run each time the breakpoint or the watch with number STOP\n"
		"halts the run (info breakpoints; default: the newest). With `continue` as the\n"
		"last line the run then goes on. The lines must not contain other commands that\n"
		"move the run, such as `step`.",
	.run = run_commands,
};

static struct cs_error *run_end(struct call *call)
{
	(void)call;
	return cs_error_new(CS_E_USAGE,
		"`end` ends no block: blocks begin with if, foreach, define or "
		"commands");
}

const struct command command_end = {
	.name = "end",
	.group = GROUP_STOPS,
	.summary = "end a block of lines that `commands`, `if`, `foreach` or `define` began",
	.examples = "commands 1\n  map\nend",
	.run = run_end,
};

/* ---- listing the stops ---- */

static struct cs_value kind_of_stop(enum cs_stop_kind kind)
{
	static const char *const kinds[] = {"breakpoint", "watch", "display"};
	return cs_text(kinds[kind]);
}

PLAIN_GETTER(get_kind, struct cs_stop, kind_of_stop(at->kind))
PLAIN_GETTER(get_event, struct cs_stop,
	at->kind == CS_STOP_BREAK ? cs_text(cs_word(CS_WORDS_MOMENT, at->moment)->name) : cs_null())

static const struct cs_column stop_columns[] = {
	SHORT(struct cs_stop, id, "number of the stop"),
	SHORT_VALUE("kind", TEXT, get_kind, "breakpoint, watch or display"),
	SHORT_VALUE("event", TEXT, get_event, "event at which the stop halts the run"),
	SHORT(struct cs_stop, expression,
		"condition of the breakpoint, or watched or displayed expression"),
	SHORT(struct cs_stop, enabled, "whether the stop is enabled"),
	PLAIN(struct cs_stop, once, "whether the stop is removed after its first halt"),
	SHORT(struct cs_stop, hits, "number of times that the stop was reached"),
	SHORT(struct cs_stop, ignore, "number of further times that the stop will be ignored"),
	PLAIN(struct cs_stop, commands, "commands that run when the stop halts the run"),
};

static const struct cs_table stop_table = PLAIN_TABLE("stops", "stop", stop_columns);

static struct cs_error *run_info_stops(struct call *call)
{
	size_t n = count_stops(call->debug);
	struct cs_stop *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = *cs_debug_stop_at(call->debug, i);
	return emit_plain_taken(call, &stop_table, rows, n);
}

const struct command command_info_breakpoints = {
	.name = "info breakpoints",
	.group = GROUP_STOPS,
	.flags = COMMAND_STOPS | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the breakpoints, watches and displays",
	.examples = "break cell.fail\ninfo breakpoints\ninfo breakpoints -c id,event,commands",
	.help = "The column `id` is the number that `delete`, `condition` and `ignore` take. The\n"
		"column `hits` is how often the event happened with a true condition, or how\n"
		"often the watched value changed. The column `ignore` is how many of the next\n"
		"hits will not halt the run.",
	.run = run_info_stops,
};

static const struct cs_column moment_columns[] = {
	SHORT_AS("event", struct cs_word, name, "name of the event"),
	SHORT(struct cs_word, help, "when the event happens"),
};

static const struct cs_table moment_table = PLAIN_TABLE("moments", "moment", moment_columns);

static struct cs_error *run_info_events(struct call *call)
{
	size_t n;
	const struct cs_word *words = cs_words(CS_WORDS_MOMENT, &n);
	return emit_plain(call, &moment_table, words, n);
}

const struct command command_info_events = {
	.name = "info events",
	.group = GROUP_STOPS,
	.flags = COMMAND_LISTS,
	.summary = "list the events at which `break` can halt the run, and when each happens",
	.examples = "info events",
	.help = "The column `event` has the names for EVENT in `break EVENT` (help break), and\n"
		"the column `help` says when the event happens.",
	.run = run_info_events,
};
